// SPDX-License-Identifier: Apache-2.0
// The primitives behind the layers of networks. Single ones with weights choose their layouts themselves; in
// a network images lie as the policy keeps them.
#include "compute/backends/onednn/eltwise.h"
#include "compute/backends/onednn/layer_ops.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using dnnl::prop_kind;

memory::desc desc(const memory::dims& dims, memory::format_tag tag) {
    return {dims, memory::data_type::f32, tag};
}

memory::desc line(std::int64_t elements) {
    return desc({elements}, memory::format_tag::a);
}

memory::desc planes(const Shape4& s) {
    return imageDesc(s, Order::Plain);
}

memory::desc any(const memory::desc& plain) {
    return desc(plain.dims(), memory::format_tag::any);
}

/// An operand that the primitive takes as `wanted`.
Argument given(int id, bool output, std::size_t operand, const memory::desc& plain,
               const memory::desc& wanted, const std::string& letters = "nchw") {
    return {id, output, operand, wanted, operandIn(plain, wanted, letters)};
}

/// Plainly.
Argument plainly(int id, bool output, std::size_t operand, const memory::desc& data) {
    return {id, output, operand, data, {}};
}

/// In any layout that all such operands have.
Argument likeOthers(int id, bool output, std::size_t operand, const memory::desc& data) {
    OperandLayout layout;
    layout.kind = OperandLayout::Kind::Any;
    return {id, output, operand, data, layout};
}

Argument images(int id, bool output, std::size_t operand, const Shape4& s, Order order) {
    return given(id, output, operand, planes(s), imageDesc(s, order));
}

/// `order`: of the images that it writes.
template <class Primitive>
LayerPlan finish(const typename Primitive::primitive_desc& description, std::vector<Argument> arguments,
                 const PostOps& postOps = {}, Order order = Order::Plain) {
    const std::string name = description.impl_info_str();
    return {Primitive(description),
            name + orderName(order),
            "onednn:" + name + postOps.name() + orderName(order),
            std::move(arguments),
            description.scratchpad_desc(),
            {}};
}

/// A convolution's memory. `asked`: what the primitive is asked for, where it may choose anything.
struct ConvLayout {
    memory::desc src, weights, bias, dst, askedSrc, askedDst;
    memory::dims stride, dilation, before, after;
    Order srcOrder, dstOrder;
    memory::desc plainSrc, plainDst;
    const char* letters; ///< of the weights' dimensions
};

ConvLayout layoutOf(const ConvParams& p, const Shape4& s, Order srcOrder, Order dstOrder, bool chooses) {
    const memory::dims kernel{p.kernel.h, p.kernel.w};
    const std::int64_t g = p.groups;
    const memory::desc src = imageDesc(s, srcOrder), dst = imageDesc(*convOutputShape(p, s), dstOrder);
    return {src,
            g == 1 ? desc({p.filters, s.c, kernel[0], kernel[1]}, memory::format_tag::oihw)
                   : desc({g, p.filters / g, s.c / g, kernel[0], kernel[1]}, memory::format_tag::goihw),
            p.bias ? line(p.filters) : memory::desc(),
            dst,
            chooses ? any(src) : src,
            chooses ? any(dst) : dst,
            {p.stride.h, p.stride.w},
            {p.dilation.h - 1, p.dilation.w - 1},
            {p.padding.top, p.padding.left},
            {p.padding.bottom, p.padding.right},
            srcOrder,
            dstOrder,
            planes(s),
            planes(*convOutputShape(p, s)),
            g == 1 ? "oihw" : "goihw"};
}

PrimitiveList<dnnl::convolution_forward> convForward(Context& context, const ConvLayout& l, prop_kind kind,
                                                     const dnnl::primitive_attr& attributes) {
    return {{kind, dnnl::algorithm::convolution_direct, l.askedSrc, any(l.weights), l.bias, l.askedDst,
             l.stride, l.dilation, l.before, l.after},
            attributes,
            context.engine,
            true};
}

/// Whether it was written for this processor and these layouts: neither the plain loops nor a product of
/// matrices.
bool isFast(std::string_view implementation) {
    return implementation.find("ref") == std::string_view::npos &&
           implementation.find("gemm:") == std::string_view::npos;
}

/// oneDNN 2.6 gathers the pixels of a strided 1x1 convolution (reduce_to_unit_stride of its jit_1x1) in whole
/// blocks of channels: of channels-last images without whole blocks it reads and writes beyond the memory.
bool isFaulty(std::string_view implementation, const ConvParams& p, const Shape4& s, Order src) {
    return src == Order::ChannelsLast && p.stride != Extent2d{1, 1} && s.c % kBlock != 0 &&
           implementation.find("1x1") != std::string_view::npos;
}

constexpr const char* kFault = "oneDNN 2.6 reads and writes beyond the images here: channels last, a stride, "
                               "and channels that are no multiple of 16";

/// Operators visit the plans of an operation, the preferred one first.
struct Planner {
    Context& context;
    const LayoutPolicy& policy;
    PostOps postOps;
    const PlanVisitor& visit;

    template <class Primitive, class Arguments>
    void each(PrimitiveList<Primitive> list, const Arguments& argumentsOf, Order order = Order::Plain) const {
        while (visit(finish<Primitive>(*list, argumentsOf(*list), postOps, order), {}) && list.next()) {
        }
    }

    /// What the library's implementations of a convolution are asked about.
    enum class Wanted { Fast, Others, All };

    /// Those of one layout; false when no more are wanted. The fast ones are those before the first that is
    /// not.
    template <class Primitive, class Finish>
    bool eachOf(const ConvLayout& layout, PrimitiveList<Primitive> list, Wanted wanted,
                const Finish& finishPlan) const {
        bool fast = true;
        for (bool more = static_cast<bool>(list); more; more = list.next()) {
            fast = fast && isFast(list->impl_info_str());
            if (wanted == Wanted::All || fast == (wanted == Wanted::Fast))
                if (!finishPlan(layout, *list))
                    return false;
        }
        return true;
    }

    /// Fast implementations for images as they are kept, then with all channels last; then any, for plain
    /// images that are laid out for the primitive; last the slow ones of the first two. Without kept layouts
    /// the third is all there is. Calls describe(layout) and finishPlan(layout, description).
    template <class Describe, class Finish>
    void eachConv(const ConvParams& p, const Shape4& s, const Describe& describe,
                  const Finish& finishPlan) const {
        std::vector<ConvLayout> kept;
        if (policy.keepsLayouts()) {
            const Order last = Order::ChannelsLast;
            const Order src = policy.orderOf(s);
            const Order dst = policy.orderOf(*convOutputShape(p, s));
            kept.push_back(layoutOf(p, s, src, dst, false));
            if (src != last || dst != last)
                kept.push_back(layoutOf(p, s, last, last, false));
        }
        for (const ConvLayout& layout : kept)
            if (!eachOf(layout, describe(layout), Wanted::Fast, finishPlan))
                return;
        const ConvLayout plain = layoutOf(p, s, Order::Plain, Order::Plain, true);
        const auto found = describe(plain);
        if (!found)
            throw dnnl::error(dnnl_unimplemented, "no implementation");
        if (!eachOf(plain, found, Wanted::All, finishPlan))
            return;
        for (const ConvLayout& layout : kept)
            if (!eachOf(layout, describe(layout), Wanted::Others, finishPlan))
                return;
    }

    /// With the activation behind the operation, where there is one.
    dnnl::primitive_attr attributes() const {
        dnnl::primitive_attr result = userScratchpad();
        if (postOps.activation == nullptr)
            return result;
        const Eltwise e = eltwiseOf(postOps.activation->kind, postOps.activation->slope, false).value();
        dnnl::post_ops after;
        after.append_eltwise(1.0F, e.algorithm, e.alpha, e.beta);
        result.set_post_ops(after);
        return result;
    }

    void operator()(const ConvForward& op) const {
        ConvParams params = op.params;
        params.bias = params.bias || postOps.norm != nullptr;
        const auto describe = [&](const ConvLayout& layout) {
            return convForward(context, layout, prop_kind::forward_inference, attributes());
        };
        eachConv(params, op.src, describe,
                 [&](const ConvLayout& l, const auto& d) { return visit(forwardPlan(op, l, d), {}); });
    }
    LayerPlan forwardPlan(const ConvForward& op, const ConvLayout& l,
                          const dnnl::convolution_forward::primitive_desc& d) const {
        std::vector<Argument> arguments{given(DNNL_ARG_SRC, false, 0, l.plainSrc, d.src_desc()),
                                        given(DNNL_ARG_DST, true, 0, l.plainDst, d.dst_desc())};
        std::optional<Folding> folding;
        if (postOps.norm != nullptr) {
            folding = {1,
                       {},
                       postOps.channels,
                       postOps.norm->epsilon,
                       op.params.filters,
                       l.weights,
                       d.weights_desc(),
                       l.letters};
            if (op.params.bias)
                folding->bias = 2;
            arguments.push_back(plainly(DNNL_ARG_WEIGHTS, false, 1, d.weights_desc()));
            arguments.push_back(plainly(DNNL_ARG_BIAS, false, 2, line(op.params.filters)));
        } else {
            arguments.push_back(given(DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc(), l.letters));
            if (op.params.bias)
                arguments.push_back(plainly(DNNL_ARG_BIAS, false, 2, l.bias));
        }
        LayerPlan plan = finish<dnnl::convolution_forward>(d, std::move(arguments), postOps, l.dstOrder);
        plan.folding = folding;
        return plan;
    }
    void operator()(const ConvBackwardData& op) const {
        using List = PrimitiveList<dnnl::convolution_backward_data>;
        ConvParams params = op.params;
        params.bias = false;
        const auto describe = [&](const ConvLayout& layout) {
            const auto forward = convForward(context, layout, prop_kind::forward_training, userScratchpad());
            return !forward
                       ? List()
                       : List({dnnl::algorithm::convolution_direct, layout.askedSrc, any(layout.weights),
                               layout.askedDst, layout.stride, layout.dilation, layout.before, layout.after},
                              userScratchpad(), context.engine, forward, true);
        };
        eachConv(params, op.src, describe, [&](const ConvLayout& l, const List::Description& d) {
            return visit(finish<dnnl::convolution_backward_data>(
                             d,
                             {given(DNNL_ARG_DIFF_DST, false, 0, l.plainDst, d.diff_dst_desc()),
                              given(DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc(), l.letters),
                              given(DNNL_ARG_DIFF_SRC, true, 0, l.plainSrc, d.diff_src_desc())},
                             {}, l.srcOrder),
                         {});
        });
    }
    void operator()(const ConvBackwardWeights& op) const {
        using List = PrimitiveList<dnnl::convolution_backward_weights>;
        const auto describe = [&](const ConvLayout& layout) {
            const auto forward = convForward(context, layout, prop_kind::forward_training, userScratchpad());
            return !forward ? List()
                            : List({dnnl::algorithm::convolution_direct, layout.askedSrc, any(layout.weights),
                                    layout.bias, layout.askedDst, layout.stride, layout.dilation,
                                    layout.before, layout.after},
                                   userScratchpad(), context.engine, forward, true);
        };
        eachConv(op.params, op.src, describe, [&](const ConvLayout& l, const List::Description& d) {
            std::vector<Argument> arguments{
                given(DNNL_ARG_SRC, false, 0, l.plainSrc, d.src_desc()),
                given(DNNL_ARG_DIFF_DST, false, 1, l.plainDst, d.diff_dst_desc()),
                given(DNNL_ARG_DIFF_WEIGHTS, true, 0, l.weights, d.diff_weights_desc(), l.letters)};
            if (op.params.bias)
                arguments.push_back(plainly(DNNL_ARG_DIFF_BIAS, true, 1, l.bias));
            return visit(finish<dnnl::convolution_backward_weights>(d, arguments),
                         isFaulty(d.impl_info_str(), op.params, op.src, l.srcOrder) ? kFault : "");
        });
    }

    struct DenseLayout {
        memory::desc src, weights, bias, dst;
    };
    static DenseLayout layoutOfDense(const DenseParams& p, std::int64_t batch) {
        return {desc({batch, p.inputs}, memory::format_tag::ab),
                desc({p.units, p.inputs}, memory::format_tag::ab), p.bias ? line(p.units) : memory::desc(),
                desc({batch, p.units}, memory::format_tag::ab)};
    }
    /// Weights that change from step to step are not worth laying out anew.
    memory::desc likedWeights(const DenseLayout& l) const {
        return policy.trains ? l.weights : any(l.weights);
    }
    PrimitiveList<dnnl::inner_product_forward> denseForward(const DenseLayout& l, prop_kind kind) const {
        return {{kind, l.src, likedWeights(l), l.bias, l.dst}, attributes(), context.engine};
    }
    void operator()(const DenseForward& op) const {
        if (policy.trains)
            return denseProduct(op);
        const DenseLayout l = layoutOfDense(op.params, op.batch);
        each<dnnl::inner_product_forward>(denseForward(l, prop_kind::forward_inference), [&](const auto& d) {
            std::vector<Argument> arguments{
                given(DNNL_ARG_SRC, false, 0, l.src, d.src_desc(), "nc"),
                given(DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc(), "oi"),
                given(DNNL_ARG_DST, true, 0, l.dst, d.dst_desc(), "nc")};
            if (op.params.bias)
                arguments.push_back(plainly(DNNL_ARG_BIAS, false, 2, l.bias));
            return arguments;
        });
    }
    /// A product of matrices takes weights as they are faster than the layer's own primitive does.
    void denseProduct(const DenseForward& op) const {
        const DenseParams& p = op.params;
        const memory::desc src = desc({op.batch, p.inputs}, memory::format_tag::ab),
                           weights = desc({p.inputs, p.units}, memory::format_tag::ba),
                           bias = p.bias ? desc({1, p.units}, memory::format_tag::ab) : memory::desc(),
                           dst = desc({op.batch, p.units}, memory::format_tag::ab);
        std::vector<Argument> arguments{plainly(DNNL_ARG_SRC, false, 0, src),
                                        plainly(DNNL_ARG_WEIGHTS, false, 1, weights),
                                        plainly(DNNL_ARG_DST, true, 0, dst)};
        if (p.bias)
            arguments.push_back(plainly(DNNL_ARG_BIAS, false, 2, bias));
        each<dnnl::matmul>({{src, weights, bias, dst}, attributes(), context.engine},
                           [&](const auto&) { return arguments; });
    }
    void operator()(const DenseBackwardData& op) const {
        DenseParams params = op.params;
        params.bias = false;
        const DenseLayout l = layoutOfDense(params, op.batch);
        each<dnnl::inner_product_backward_data>(
            {{l.src, likedWeights(l), l.dst},
             userScratchpad(),
             context.engine,
             denseForward(l, prop_kind::forward_training)},
            [&](const auto& d) {
                return std::vector<Argument>{
                    given(DNNL_ARG_DIFF_DST, false, 0, l.dst, d.diff_dst_desc(), "nc"),
                    given(DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc(), "oi"),
                    given(DNNL_ARG_DIFF_SRC, true, 0, l.src, d.diff_src_desc(), "nc")};
            });
    }
    void operator()(const DenseBackwardWeights& op) const {
        const DenseLayout l = layoutOfDense(op.params, op.batch);
        each<dnnl::inner_product_backward_weights>(
            {{l.src, likedWeights(l), l.bias, l.dst},
             userScratchpad(),
             context.engine,
             denseForward(l, prop_kind::forward_training)},
            [&](const auto& d) {
                std::vector<Argument> arguments{
                    given(DNNL_ARG_SRC, false, 0, l.src, d.src_desc(), "nc"),
                    given(DNNL_ARG_DIFF_DST, false, 1, l.dst, d.diff_dst_desc(), "nc"),
                    given(DNNL_ARG_DIFF_WEIGHTS, true, 0, l.weights, d.diff_weights_desc(), "oi")};
                if (op.params.bias)
                    arguments.push_back(plainly(DNNL_ARG_DIFF_BIAS, true, 1, l.bias));
                return arguments;
            });
    }

    void operator()(const ActivationForward& op) const {
        const memory::desc data = line(op.elements);
        each<dnnl::eltwise_forward>(
            eltwiseForward(context, eltwiseOf(op.kind, op.slope, false).value(), data, userScratchpad()),
            [&](const auto&) {
                return std::vector<Argument>{likeOthers(DNNL_ARG_SRC, false, 0, data),
                                             likeOthers(DNNL_ARG_DST, true, 0, data)};
            });
    }
    void operator()(const ActivationBackward& op) const {
        const memory::desc data = line(op.elements);
        const int argument = derivativeReadsInput(op.kind) ? DNNL_ARG_SRC : DNNL_ARG_DST;
        each<dnnl::eltwise_backward>(eltwiseBackward(context, op, data, userScratchpad()), [&](const auto&) {
            return std::vector<Argument>{likeOthers(argument, false, 0, data),
                                         likeOthers(DNNL_ARG_DIFF_DST, false, 1, data),
                                         likeOthers(DNNL_ARG_DIFF_SRC, true, 0, data)};
        });
    }

    PrimitiveList<dnnl::softmax_forward> softmaxForward(const memory::desc& data) const {
        return {{prop_kind::forward_training, data, 1}, userScratchpad(), context.engine};
    }
    void operator()(const SoftmaxForward& op) const {
        const memory::desc data = planes(op.src);
        each<dnnl::softmax_forward>(softmaxForward(data), [&](const auto&) {
            return std::vector<Argument>{plainly(DNNL_ARG_SRC, false, 0, data),
                                         plainly(DNNL_ARG_DST, true, 0, data)};
        });
    }
    void operator()(const SoftmaxBackward& op) const {
        const memory::desc data = planes(op.src);
        each<dnnl::softmax_backward>(
            {{data, data, 1}, userScratchpad(), context.engine, softmaxForward(data)}, [&](const auto&) {
                return std::vector<Argument>{plainly(DNNL_ARG_DST, false, 0, data),
                                             plainly(DNNL_ARG_DIFF_DST, false, 1, data),
                                             plainly(DNNL_ARG_DIFF_SRC, true, 0, data)};
            });
    }
    void operator()(const Add& op) const {
        const memory::desc data = line(op.elements);
        each<dnnl::binary>(
            {{dnnl::algorithm::binary_add, data, data, data}, userScratchpad(), context.engine},
            [&](const auto&) {
                return std::vector<Argument>{likeOthers(DNNL_ARG_SRC_0, false, 0, data),
                                             likeOthers(DNNL_ARG_SRC_1, false, 1, data),
                                             likeOthers(DNNL_ARG_DST, true, 0, data)};
            });
    }
    /// The library repeats its second factor only, and is fast where both lie in one order. A single channel
    /// is no whole block. `first`: which operand is the whole one.
    void multiply(const Shape4& whole, const Shape4& other, std::size_t first) const {
        const bool same = whole == other;
        Order order = policy.orderOf(whole);
        if (order == Order::Blocked && other.c != whole.c)
            order = Order::ChannelsLast;
        const memory::desc data = same ? line(whole.elements().value_or(0)) : imageDesc(whole, order);
        const memory::desc factor = same ? data : imageDesc(other, order);
        const auto operand = [&](int id, bool output, std::size_t at, const Shape4& shape) {
            return same ? likeOthers(id, output, at, data) : images(id, output, at, shape, order);
        };
        each<dnnl::binary>(
            {{dnnl::algorithm::binary_mul, data, factor, data}, userScratchpad(), context.engine},
            [&](const auto&) {
                return std::vector<Argument>{operand(DNNL_ARG_SRC_0, false, first, whole),
                                             operand(DNNL_ARG_SRC_1, false, 1 - first, other),
                                             operand(DNNL_ARG_DST, true, 0, whole)};
            },
            same ? Order::Plain : order);
    }
    void operator()(const Multiply& op) const {
        const bool firstIsWhole = broadcastShape(op.a, op.b) == op.a;
        multiply(firstIsWhole ? op.a : op.b, firstIsWhole ? op.b : op.a, firstIsWhole ? 0 : 1);
    }
    /// Of a factor that is not repeated.
    void operator()(const MultiplyBackward& op) const { multiply(op.factor, op.other, 0); }
    /// A reorder between parts of two tensors, in one layout. The library lists one implementation of it.
    void operator()(const CopyChannels& op) const {
        const memory::dims part{op.src.n, op.channels, op.src.h, op.src.w};
        const memory::desc from = planes(op.src).submemory_desc(part, {0, op.srcChannel, 0, 0});
        const memory::desc to = planes({op.src.n, op.dstChannels, op.src.h, op.src.w})
                                    .submemory_desc(part, {0, op.dstChannel, 0, 0});
        const dnnl::reorder::primitive_desc d(context.engine, from, context.engine, to, userScratchpad());
        visit(finish<dnnl::reorder>(
                  d, {plainly(DNNL_ARG_FROM, false, 0, from), plainly(DNNL_ARG_TO, true, 0, to)}),
              {});
    }
    void operator()(const BatchNormInfer& op) const {
        using dnnl::normalization_flags;
        const Order order = policy.orderOf(op.src);
        const memory::desc data = imageDesc(op.src, order), channel = line(op.src.c);
        each<dnnl::batch_normalization_forward>(
            {{prop_kind::forward_inference, data, static_cast<float>(op.epsilon),
              normalization_flags::use_global_stats | normalization_flags::use_scale |
                  normalization_flags::use_shift},
             userScratchpad(),
             context.engine},
            [&](const auto&) {
                return std::vector<Argument>{images(DNNL_ARG_SRC, false, 0, op.src, order),
                                             plainly(DNNL_ARG_SCALE, false, 1, channel),
                                             plainly(DNNL_ARG_SHIFT, false, 2, channel),
                                             plainly(DNNL_ARG_MEAN, false, 3, channel),
                                             plainly(DNNL_ARG_VARIANCE, false, 4, channel),
                                             images(DNNL_ARG_DST, true, 0, op.src, order)};
            },
            order);
    }

    template <class Other>
    void operator()(const Other&) const {}
};

} // namespace

OpLayouts LayerPlan::layouts() const {
    OpLayouts layouts;
    for (const Argument& argument : arguments) {
        auto& side = argument.output ? layouts.dst : layouts.src;
        side.resize(std::max(side.size(), argument.operand + 1));
        side[argument.operand] = argument.layout;
    }
    return layouts;
}

std::string PostOps::name() const {
    std::string name = norm == nullptr ? "" : "+batchnorm";
    if (activation != nullptr)
        name += std::string("+") + activationName(activation->kind);
    return name;
}

void visitPlans(Context& context, const LayoutPolicy& policy, const Op& op, const PostOps& postOps,
                const PlanVisitor& visit) {
    const ThreadScope threads(context.threads);
    std::visit(Planner{context, policy, postOps, visit}, op);
}

} // namespace heteroscope::compute::onednn
