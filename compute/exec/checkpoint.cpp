// SPDX-License-Identifier: Apache-2.0
#include "compute/exec/checkpoint.h"

#include <bit>

namespace heteroscope::compute {
namespace {

constexpr const char* kProgress = "training.progress";
constexpr const char* kSeries = "training.series";
constexpr std::int64_t kMostEpochs = 1000000;

/// The tensors that a state consists of: single parameters and statistics, whole moments.
std::vector<int> stateTensors(const NetworkPlan& plan) {
    std::vector<int> numbers;
    for (const auto* side : {&plan.parameters, &plan.states})
        for (const auto& layer : *side)
            numbers.insert(numbers.end(), layer.begin(), layer.end());
    for (std::size_t i = 0; i < plan.tensors.size(); ++i)
        if (plan.tensors[i].block == Block::FirstMoment || plan.tensors[i].block == Block::SecondMoment)
            numbers.push_back(static_cast<int>(i));
    return numbers;
}

std::string nameOf(const PlanTensor& tensor) {
    const bool moment = tensor.block == Block::FirstMoment || tensor.block == Block::SecondMoment;
    return (moment ? "optimizer." : "") + tensor.name;
}

/// 64-bit numbers as two float32 elements that hold their bits: the archive knows no other type.
void pushBits(std::vector<float>& values, std::uint64_t bits) {
    for (const int shift : {0, 32})
        values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits >> shift)));
}

std::uint64_t bitsAt(const std::vector<float>& values, std::size_t index) {
    return std::bit_cast<std::uint32_t>(values[2 * index]) |
           static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(values[2 * index + 1])) << 32;
}

Error damaged(const char* name) {
    return badInput(std::string("tensor '") + name + "'", "it is missing or not as this program writes it",
                    {}, "give a checkpoint of a training");
}

Result<std::vector<std::vector<double>>> readSeries(const NpzArrays& arrays, std::int64_t epochs) {
    std::vector<std::vector<double>> series;
    const auto found = arrays.find(kSeries);
    if (found == arrays.end())
        return series;
    const auto& shape = found->second.shape;
    if (shape.size() != 3 || shape[1] != epochs || shape[2] != 2)
        return damaged(kSeries);
    for (std::int64_t i = 0; i < shape[0]; ++i) {
        series.emplace_back();
        for (std::int64_t epoch = 0; epoch < epochs; ++epoch)
            series.back().push_back(std::bit_cast<double>(
                bitsAt(found->second.values, static_cast<std::size_t>(i * epochs + epoch))));
    }
    return series;
}

} // namespace

Result<NpzArrays> trainingState(NetworkExecutor& executor, const TrainingProgress& progress) {
    NpzArrays arrays;
    for (const int number : stateTensors(executor.plan())) {
        const PlanTensor& tensor = executor.plan().tensors[static_cast<std::size_t>(number)];
        auto values = executor.read(number);
        if (!values)
            return values.error();
        arrays[nameOf(tensor)] = {tensor.dims, std::move(*values)};
    }
    NpyArray& place = arrays[kProgress];
    place.shape = {2, 2};
    for (const std::int64_t value : {progress.epoch, progress.step})
        pushBits(place.values, static_cast<std::uint64_t>(value));
    if (progress.epoch == 0 || progress.series.empty())
        return arrays;
    NpyArray& series = arrays[kSeries];
    series.shape = {static_cast<std::int64_t>(progress.series.size()), progress.epoch, 2};
    for (const auto& one : progress.series)
        for (const double value : one)
            pushBits(series.values, std::bit_cast<std::uint64_t>(value));
    return arrays;
}

Result<TrainingProgress> restoreTrainingState(NetworkExecutor& executor, const NpzArrays& arrays) {
    const auto place = arrays.find(kProgress);
    if (place == arrays.end() || place->second.shape != std::vector<std::int64_t>{2, 2})
        return damaged(kProgress);
    TrainingProgress progress{static_cast<std::int64_t>(bitsAt(place->second.values, 0)),
                              static_cast<std::int64_t>(bitsAt(place->second.values, 1)),
                              {}};
    if (progress.epoch < 0 || progress.epoch > kMostEpochs || progress.step < progress.epoch)
        return damaged(kProgress);
    auto series = readSeries(arrays, progress.epoch);
    if (!series)
        return series.error();
    progress.series = std::move(*series);
    for (const int number : stateTensors(executor.plan())) {
        const PlanTensor& tensor = executor.plan().tensors[static_cast<std::size_t>(number)];
        const auto found = arrays.find(nameOf(tensor));
        if (found == arrays.end() || found->second.shape != tensor.dims)
            return badInput("tensor '" + nameOf(tensor) + "'",
                            found == arrays.end() ? "it is missing" : "it has another shape", {},
                            "give a checkpoint of this network and optimiser");
        if (const Status status = executor.write(number, found->second.values); !status)
            return status.error();
    }
    return progress;
}

} // namespace heteroscope::compute
