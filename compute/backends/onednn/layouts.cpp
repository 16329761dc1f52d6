// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/layouts.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <type_traits>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

/// Whether gradients are among the operations.
bool isGradient(const Op& op) {
    return std::visit(
        []<class One>(const One&) {
            return std::is_same_v<One, PoolBackward> || std::is_same_v<One, ConvBackwardData> ||
                   std::is_same_v<One, ConvBackwardWeights> || std::is_same_v<One, DenseBackwardData> ||
                   std::is_same_v<One, DenseBackwardWeights> || std::is_same_v<One, BatchNormBackward> ||
                   std::is_same_v<One, LayerNormBackward> || std::is_same_v<One, MultiplyBackward>;
        },
        op);
}

bool fillsBlocks(const Op& op) {
    const auto* conv = std::get_if<ConvForward>(&op);
    return conv == nullptr ||
           (conv->params.filters % kBlock == 0 && (conv->src.c % kBlock == 0 || conv->src.c <= kFewChannels));
}

/// Where two orders are the same memory, the first of them: with one channel or one pixel all are, with one
/// block of channels the last two. Blocks that are not full are padded, and memory of their own.
Order simplest(const Shape4& s, Order order) {
    if (order == Order::Blocked && s.c % kBlock != 0)
        return order;
    if (s.c == 1 || s.h * s.w == 1)
        return Order::Plain;
    return order == Order::Blocked && s.c == kBlock ? Order::ChannelsLast : order;
}

} // namespace

LayoutPolicy policyOf(const OpSequence& sequence) {
    bool trains = false, blocks = dnnl::get_effective_cpu_isa() >= dnnl::cpu_isa::avx512_core;
    for (const SequenceStep& step : sequence.steps)
        for (const LinkedOp& linked : step.chain) {
            trains = trains || isGradient(linked.op);
            blocks = blocks && fillsBlocks(linked.op);
        }
    return {trains && blocks ? Keeps::Blocked : Keeps::ChannelsLast, trains};
}

Order LayoutPolicy::orderOf(const Shape4& images) const {
    if (keeps == Keeps::Nothing)
        return Order::Plain;
    if (keeps == Keeps::ChannelsLast)
        return Order::ChannelsLast;
    if (images.c % kBlock == 0)
        return Order::Blocked;
    return images.c <= kFewChannels ? Order::Plain : Order::ChannelsLast;
}

memory::desc imageDesc(const Shape4& s, Order order) {
    using enum memory::format_tag;
    const auto tag = order == Order::Plain ? nchw : order == Order::ChannelsLast ? nhwc : nChw16c;
    return {{s.n, s.c, s.h, s.w}, memory::data_type::f32, tag};
}

memory::desc plainDesc(const memory::dims& dims) {
    memory::dims strides(dims.size());
    std::int64_t stride = 1;
    for (std::size_t i = dims.size(); i-- > 0; stride *= dims[i])
        strides[i] = stride;
    return {dims, memory::data_type::f32, strides};
}

const char* orderName(Order order) {
    return order == Order::Plain ? "" : order == Order::ChannelsLast ? ":nhwc" : ":nChw16c";
}

std::string layoutName(const memory::desc& desc, const std::string& given) {
    const dnnl_memory_desc_t& data = desc.data;
    if (data.format_kind != dnnl_blocked)
        return "opaque";
    const auto dims = static_cast<std::size_t>(data.ndims);
    const std::string letters = given.size() == dims ? given
                                : dims == 4          ? "nchw"
                                                     : std::string("abcdefghijkl").substr(0, dims);
    const auto& blocking = data.format_desc.blocking;
    std::vector<std::size_t> order(letters.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return blocking.strides[a] > blocking.strides[b]; });
    const auto* const inner = blocking.inner_idxs;
    std::string name;
    for (const std::size_t dim : order) {
        const bool isBlocked = std::find(inner, inner + blocking.inner_nblks, static_cast<dnnl_dim_t>(dim)) !=
                               inner + blocking.inner_nblks;
        name += isBlocked ? static_cast<char>(std::toupper(static_cast<unsigned char>(letters[dim])))
                          : letters[dim];
    }
    for (int i = 0; i < blocking.inner_nblks; ++i)
        name += std::to_string(blocking.inner_blks[i]) + letters[static_cast<std::size_t>(inner[i])];
    return name;
}

OperandLayout operandIn(const memory::desc& plain, const memory::desc& wanted, const std::string& letters) {
    OperandLayout operand{OperandLayout::Kind::Given, plain, wanted, letters};
    if (!layoutOf(operand))
        operand.kind = OperandLayout::Kind::Plain;
    return operand;
}

OperandLayout imagesIn(const Shape4& images, Order order) {
    return operandIn(imageDesc(images, Order::Plain), imageDesc(images, order));
}

Layout layoutOf(const OperandLayout& operand) {
    if (operand.kind != OperandLayout::Kind::Given || operand.wanted == operand.plain)
        return {};
    const auto dims = operand.plain.dims();
    if (operand.letters != "nchw" || dims.size() != 4)
        return operand.wanted;
    const Shape4 shape{dims[0], dims[1], dims[2], dims[3]};
    for (const Order order : {Order::Plain, Order::ChannelsLast, Order::Blocked}) {
        if (operand.wanted != imageDesc(shape, order))
            continue;
        const Order same = simplest(shape, order);
        return same == Order::Plain ? Layout() : imageDesc(shape, same);
    }
    return operand.wanted;
}

bool isReordered(const OpLayouts& layouts) {
    return reorderedBytes(layouts) > 0;
}

std::size_t reorderedBytes(const OpLayouts& layouts) {
    std::size_t bytes = 0;
    for (const auto* side : {&layouts.src, &layouts.dst})
        for (const OperandLayout& operand : *side)
            if (const Layout layout = layoutOf(operand))
                bytes += layout->get_size();
    return bytes;
}

} // namespace heteroscope::compute::onednn
