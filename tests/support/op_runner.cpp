// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_runner.h"

#include <array>
#include <limits>
#include <random>

namespace heteroscope::compute {
namespace {

using Buffer = std::unique_ptr<DeviceBuffer>;

std::vector<DeviceBuffer*> pointers(const std::vector<Buffer>& buffers) {
    std::vector<DeviceBuffer*> result;
    for (const Buffer& buffer : buffers)
        result.push_back(buffer.get());
    return result;
}

Result<Buffer> uploaded(Session& session, const std::vector<float>& values) {
    auto buffer = session.allocate(values.size() * sizeof(float));
    if (!buffer)
        return buffer;
    if (const Status status = session.upload(**buffer, values.data(), values.size() * sizeof(float)); !status)
        return status.error();
    return buffer;
}

Result<std::vector<float>> runOnce(Session& session, PreparedOp& prepared, const std::vector<Buffer>& src,
                                   std::size_t elements) {
    std::vector<float> out(elements, std::numeric_limits<float>::quiet_NaN());
    std::vector<Buffer> dst;
    auto buffer = uploaded(session, out);
    if (!buffer)
        return buffer.error();
    dst.push_back(std::move(*buffer));
    if (const Status status = prepared.run(pointers(src), pointers(dst), nullptr); !status)
        return status.error();
    if (const Status status = session.synchronize(); !status)
        return status.error();
    if (const Status status = session.download(out.data(), *dst[0], elements * sizeof(float)); !status)
        return status.error();
    return out;
}

} // namespace

Result<std::vector<float>> runOp(Session& session, const Op& op,
                                 const std::vector<std::vector<float>>& inputs) {
    const auto sizes = operandElements(op);
    if (!sizes)
        return sizes.error();
    auto prepared = session.prepare(op);
    if (!prepared)
        return prepared.error();
    std::vector<Buffer> src;
    for (const auto& input : inputs) {
        auto buffer = uploaded(session, input);
        if (!buffer)
            return buffer.error();
        src.push_back(std::move(*buffer));
    }
    const auto elements = static_cast<std::size_t>(sizes->dst[0]);
    if (auto first = runOnce(session, **prepared, src, elements); !first)
        return first;
    return runOnce(session, **prepared, src, elements);
}

std::vector<float> makeData(Data kind, std::int64_t elements, std::uint32_t seed) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr std::array<float, 12> special{
        0.0F, -0.0F, 0.0F, -0.0F,    1.0F,      -1.0F,
        2.0F, -2.0F, 0.5F, infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> reals(-1.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(elements));
    for (float& value : values) {
        if (kind == Data::Integers)
            value = static_cast<float>(static_cast<int>(random() % 19) - 9);
        else if (kind == Data::Reals)
            value = reals(random);
        else
            value = special[random() % special.size()];
    }
    return values;
}

std::vector<std::vector<float>> makeInputs(Data kind, const Op& op, std::uint32_t seed) {
    std::vector<std::vector<float>> inputs;
    const auto sizes = operandElements(op);
    if (!sizes)
        return inputs;
    for (const std::int64_t elements : sizes->src)
        inputs.push_back(makeData(kind, elements, seed++));
    return inputs;
}

} // namespace heteroscope::compute
