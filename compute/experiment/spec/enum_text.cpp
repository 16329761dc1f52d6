// SPDX-License-Identifier: Apache-2.0
// JSON texts, in the order of the enumerators.
#include "compute/experiment/spec/enum_text.h"

#include <array>

namespace heteroscope::compute {
namespace {

template <std::size_t N, class Enum>
std::string_view textOf(const std::array<std::string_view, N>& texts, Enum value) {
    return texts.at(static_cast<std::size_t>(value));
}

} // namespace

std::string_view enumText(ExperimentKind value) {
    return textOf(std::array<std::string_view, 3>{"pooling", "matmul", "network"}, value);
}

std::string_view enumText(PoolMode value) {
    return textOf(std::array<std::string_view, 2>{"max", "average"}, value);
}

std::string_view enumText(PadValue value) {
    return textOf(std::array<std::string_view, 2>{"-inf", "zero"}, value);
}

std::string_view enumText(Strategy value) {
    return textOf(std::array<std::string_view, 2>{"image", "window"}, value);
}

std::string_view enumText(WindowMultiply value) {
    return textOf(std::array<std::string_view, 3>{"guarded", "loops", "tiled"}, value);
}

std::string_view enumText(WindowFilter value) {
    return textOf(std::array<std::string_view, 2>{"transferred", "constant"}, value);
}

std::string_view enumText(InputSource value) {
    return textOf(std::array<std::string_view, 4>{"random", "manual", "image", "npy"}, value);
}

std::string_view enumText(MatmulRight value) {
    return textOf(std::array<std::string_view, 2>{"random", "identity"}, value);
}

std::string_view enumText(Task value) {
    return textOf(std::array<std::string_view, 2>{"train", "infer"}, value);
}

std::string_view enumText(Initialization value) {
    return textOf(std::array<std::string_view, 5>{"he_normal", "he_uniform", "xavier_normal",
                                                  "xavier_uniform", "constant"},
                  value);
}

std::string_view enumText(OptimizerSpec::Kind value) {
    return textOf(std::array<std::string_view, 2>{"sgd", "adam"}, value);
}

std::string_view enumText(ScheduleSpec::Kind value) {
    return textOf(
        std::array<std::string_view, 6>{"constant", "step", "exponential", "cosine", "one_cycle", "plateau"},
        value);
}

std::string_view enumText(DataSource value) {
    return textOf(std::array<std::string_view, 11>{"synthetic", "idx", "cifar10", "cifar100", "image_folder",
                                                   "csv", "npy", "shapes", "brain_slices", "irradiance_maps",
                                                   "irradiance_table"},
                  value);
}

std::string_view enumText(TargetKind value) {
    return textOf(std::array<std::string_view, 2>{"classes", "numbers"}, value);
}

std::string_view enumText(SplitOrder value) {
    return textOf(std::array<std::string_view, 2>{"end", "shuffled"}, value);
}

std::string_view enumText(Separator value) {
    return textOf(std::array<std::string_view, 4>{"comma", "semicolon", "tab", "space"}, value);
}

std::string_view enumText(TransformKind value) {
    return textOf(std::array<std::string_view, 5>{"resize", "normalize", "flip", "rotate", "crop"}, value);
}

std::string_view enumText(LossKind value) {
    return lossName(value);
}

std::string_view enumText(Preset value) {
    return textOf(std::array<std::string_view, 3>{"quick", "standard", "thesis"}, value);
}

std::string_view enumText(CacheState value) {
    return textOf(std::array<std::string_view, 2>{"warm", "flush"}, value);
}

} // namespace heteroscope::compute
