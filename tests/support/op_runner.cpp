// SPDX-License-Identifier: Apache-2.0
#include "tests/support/op_runner.h"

#include <algorithm>
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

Result<std::vector<Buffer>> uploadedAll(Session& session, const Tensors& tensors) {
    std::vector<Buffer> buffers;
    for (const auto& tensor : tensors) {
        auto buffer = uploaded(session, tensor);
        if (!buffer)
            return buffer.error();
        buffers.push_back(std::move(*buffer));
    }
    return buffers;
}

constexpr float kPoison = std::numeric_limits<float>::quiet_NaN();

Tensors poisoned(const std::vector<std::int64_t>& elements) {
    Tensors tensors;
    for (const std::int64_t count : elements)
        tensors.emplace_back(static_cast<std::size_t>(count), kPoison);
    return tensors;
}

Status poison(Session& session, const std::vector<Buffer>& dst, Tensors& out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        std::ranges::fill(out[i], kPoison);
        if (const Status status = session.upload(*dst[i], out[i].data(), out[i].size() * sizeof(float));
            !status)
            return status;
    }
    return {};
}

/// `out` has the outputs' sizes; its values are replaced.
Status runInto(Session& session, PreparedOp& prepared, const std::vector<DeviceBuffer*>& src,
               const std::vector<DeviceBuffer*>& dst, Tensors& out) {
    if (const Status status = prepared.run(src, dst, nullptr); !status)
        return status;
    if (const Status status = session.synchronize(); !status)
        return status;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (const Status status = session.download(out[i].data(), *dst[i], out[i].size() * sizeof(float));
            !status)
            return status;
    return {};
}

} // namespace

Result<Tensors> runOpAll(Session& session, const Op& op, const Tensors& inputs) {
    const auto sizes = operandElements(op);
    if (!sizes)
        return sizes.error();
    auto prepared = session.prepare(op);
    if (!prepared)
        return prepared.error();
    const auto src = uploadedAll(session, inputs);
    if (!src)
        return src.error();
    Tensors out = poisoned(sizes->dst);
    const auto dst = uploadedAll(session, out);
    if (!dst)
        return dst.error();
    for (const bool again : {false, true}) {
        if (const Status status = again ? poison(session, *dst, out) : Status(); !status)
            return status.error();
        if (const Status status = runInto(session, **prepared, pointers(*src), pointers(*dst), out); !status)
            return status.error();
    }
    return out;
}

Result<std::vector<float>> runChain(Session& session, const OpChain& chain,
                                    const std::map<int, std::vector<float>>& inputs, std::size_t elements) {
    std::vector<int> from;
    Tensors values;
    for (const auto& [number, tensor] : inputs) {
        from.push_back(number);
        values.push_back(tensor);
    }
    const std::vector<int> into{chain.back().dst.front()};
    if (const Support support = session.supportsChain(chain, into); !support.supported)
        return Error{ErrorCode::TargetUnavailable, support.reason, "chain", {}, {}};
    const auto prepared = session.prepareChain(chain, from, into);
    if (!prepared)
        return prepared.error();
    const auto src = uploadedAll(session, values);
    if (!src)
        return src.error();
    Tensors results = poisoned({static_cast<std::int64_t>(elements)});
    const auto dst = uploadedAll(session, results);
    if (!dst)
        return dst.error();
    if (const Status status = runInto(session, **prepared, pointers(*src), pointers(*dst), results); !status)
        return status.error();
    return std::move(results.front());
}

Result<std::vector<float>> runOp(Session& session, const Op& op, const Tensors& inputs) {
    auto all = runOpAll(session, op, inputs);
    if (!all)
        return all.error();
    return std::move(all->front());
}

Result<Tensors> runOpShared(Session& session, const Op& op, const Tensors& inputs,
                            const std::vector<int>& sharedWith) {
    const auto sizes = operandElements(op);
    if (!sizes)
        return sizes.error();
    auto prepared = session.prepare(op);
    if (!prepared)
        return prepared.error();
    Tensors out = poisoned(sizes->dst);
    const auto src = uploadedAll(session, inputs), own = uploadedAll(session, out);
    if (!src || !own)
        return src ? own.error() : src.error();
    std::vector<DeviceBuffer*> dst = pointers(*own);
    for (std::size_t i = 0; i < dst.size(); ++i)
        if (sharedWith[i] >= 0)
            dst[i] = (*src)[static_cast<std::size_t>(sharedWith[i])].get();
    if (const Status status = runInto(session, **prepared, pointers(*src), dst, out); !status)
        return status.error();
    return out;
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
