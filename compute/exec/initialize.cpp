// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/initialize.h"

#include "compute/base/philox.h"
#include "compute/model/network.h"

#include <cmath>
#include <numbers>

namespace heteroscope::compute {

namespace {

/// The second counter word tells these draws from those of dropout, which have the step there.
constexpr std::uint32_t kWeights = 0x77656967;

Philox4 wordsOf(std::uint64_t index, std::uint64_t seed, std::uint32_t stream) {
    return philox4x32(
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), kWeights, stream}, seed);
}

/// Two independent normal numbers from two words.
void boxMuller(std::uint32_t a, std::uint32_t b, double* pair) {
    const double u = (static_cast<double>(a) + 1.0) * 0x1p-32; // above 0, so that its logarithm is finite
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(b) * 0x1p-32;
    const double radius = std::sqrt(-2.0 * std::log(u));
    pair[0] = radius * std::cos(angle);
    pair[1] = radius * std::sin(angle);
}

double varianceOf(const ParameterTensor& parameter, Initialization kind) {
    const bool he = kind == Initialization::HeNormal || kind == Initialization::HeUniform;
    return 2.0 / static_cast<double>(he ? parameter.fanIn : parameter.fanIn + parameter.fanOut);
}

std::vector<float> normalValues(std::int64_t elements, double deviation, std::uint64_t seed,
                                std::uint32_t stream) {
    std::vector<float> values(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < values.size(); i += 4) {
        const Philox4 words = wordsOf(i / 4, seed, stream);
        double four[4];
        boxMuller(words.x, words.y, four);
        boxMuller(words.z, words.w, four + 2);
        for (std::size_t j = 0; j < 4 && i + j < values.size(); ++j)
            values[i + j] = static_cast<float>(deviation * four[j]);
    }
    return values;
}

} // namespace

std::vector<float> uniformValues(std::int64_t elements, std::uint64_t seed, std::uint32_t stream) {
    std::vector<float> values(static_cast<std::size_t>(elements));
    for (std::size_t i = 0; i < values.size(); i += 4) {
        const Philox4 words = wordsOf(i / 4, seed, stream);
        const std::uint32_t four[] = {words.x, words.y, words.z, words.w};
        for (std::size_t j = 0; j < 4 && i + j < values.size(); ++j)
            values[i + j] = 2.0F * philoxUniform(four[j]) - 1.0F;
    }
    return values;
}

std::vector<float> initialValues(const ParameterTensor& parameter, const TrainingSpec& training,
                                 std::uint32_t stream) {
    const std::int64_t elements = elementsOf(parameter.dims);
    if (parameter.initial != InitialValue::Weights)
        return std::vector<float>(static_cast<std::size_t>(elements),
                                  parameter.initial == InitialValue::One ? 1.0F : 0.0F);
    if (training.initialization == Initialization::Constant)
        return std::vector<float>(static_cast<std::size_t>(elements), static_cast<float>(training.constant));
    const double variance = varianceOf(parameter, training.initialization);
    const bool normal = training.initialization == Initialization::HeNormal ||
                        training.initialization == Initialization::XavierNormal;
    if (normal)
        return normalValues(elements, std::sqrt(variance), training.seed, stream);
    std::vector<float> values = uniformValues(elements, training.seed, stream);
    for (float& value : values)
        value = static_cast<float>(static_cast<double>(value) * std::sqrt(3.0 * variance));
    return values;
}

} // namespace heteroscope::compute
