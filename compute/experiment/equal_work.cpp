// SPDX-License-Identifier: Apache-2.0
// Digests and differences of outputs.
#include "compute/experiment/equal_work.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace heteroscope::compute {
namespace {

/// One step of a multiply-rotate hash over 32-bit words; the finish is that of SplitMix64.
std::uint64_t mix(std::uint64_t state, std::uint32_t word) {
    return std::rotl(state ^ (word * 0x9e3779b97f4a7c15u), 27) * 0xbf58476d1ce4e5b9u;
}

std::uint64_t finish(std::uint64_t state) {
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

std::string hexadecimal(std::uint64_t value) {
    std::string text(16, '0');
    for (std::size_t i = text.size(); i-- > 0; value >>= 4)
        text[i] = "0123456789abcdef"[value & 15u];
    return text;
}

/// Infinities and NaN do not count.
double largestOf(std::span<const float> values) {
    double largest = 0;
    for (const float value : values)
        if (std::isfinite(value))
            largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

} // namespace

std::string outputDigest(std::span<const OutputTensor> outputs) {
    std::uint64_t state = 0x2545f4914f6cdd1du;
    for (const OutputTensor& output : outputs) {
        for (const std::int64_t size : {output.shape.n, output.shape.c, output.shape.h, output.shape.w})
            state = mix(state, static_cast<std::uint32_t>(size));
        for (const float value : output.values)
            state = mix(state, std::bit_cast<std::uint32_t>(value == 0.0f ? 0.0f : value));
    }
    return hexadecimal(finish(state));
}

OutputError outputError(std::span<const float> values, std::span<const float> reference, double errorFloor) {
    OutputError error;
    const double floor = std::max<double>(errorFloor > 0 ? errorFloor * largestOf(reference) : 0,
                                          std::numeric_limits<float>::min());
    const double infinity = std::numeric_limits<double>::infinity();
    if (values.size() != reference.size())
        return {infinity, infinity};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i], expected = reference[i];
        if (value == expected || (std::isnan(value) && std::isnan(expected)))
            continue;
        const double difference = std::abs(value - expected);
        if (!std::isfinite(difference))
            return {infinity, infinity};
        error.maxAbs = std::max(error.maxAbs, difference);
        error.maxRel = std::max(error.maxRel, difference / std::max(std::abs(expected), floor));
    }
    return error;
}

OutputError outputError(const std::vector<OutputTensor>& outputs,
                        const std::vector<OutputTensor>& reference) {
    OutputError worst;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const OutputError error =
            outputError(outputs[i].values, reference.at(i).values, outputs[i].errorFloor);
        worst.maxAbs = std::max(worst.maxAbs, error.maxAbs);
        worst.maxRel = std::max(worst.maxRel, error.maxRel);
    }
    return worst;
}

} // namespace heteroscope::compute
