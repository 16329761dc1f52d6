// SPDX-License-Identifier: Apache-2.0
// The primitives behind the layers of networks. Those with weights choose their layouts themselves; the
// others work on plain NCHW.
#include "compute/backends/onednn/layer_ops.h"

#include <algorithm>

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
    return imageDesc(s, false);
}

memory::desc any(const memory::desc& plain) {
    return desc(plain.dims(), memory::format_tag::any);
}

dnnl::primitive_attr userScratchpad() {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

/// Says where images are kept channels last.
const char* kept(const std::vector<Argument>& arguments) {
    const bool last = std::any_of(arguments.begin(), arguments.end(), [](const Argument& argument) {
        return argument.lies == Lies::AsImages && argument.plain == imageDesc(argument.images(), true) &&
               argument.plain != imageDesc(argument.images(), false);
    });
    return last ? ":nhwc" : "";
}

template <class Primitive>
LayerPlan finish(const typename Primitive::primitive_desc& description, std::vector<Argument> arguments) {
    return {Primitive(description),
            layerName(std::string(description.impl_info_str()) + kept(arguments), arguments),
            std::move(arguments), description.scratchpad_desc()};
}

/// Images as the session keeps them; where it does not, as the primitive likes them best.
memory::desc likedBy(const Context& context, const memory::desc& images) {
    return context.layouts.keeps() ? images : any(images);
}

struct ConvLayout {
    memory::desc src, weights, bias, dst;
    memory::dims stride, dilation, before, after;
};

ConvLayout layoutOf(const ConvParams& p, const Shape4& s, bool last) {
    const memory::dims kernel{p.kernel.h, p.kernel.w};
    const std::int64_t g = p.groups;
    return {imageDesc(s, last),
            g == 1 ? desc({p.filters, s.c, kernel[0], kernel[1]}, memory::format_tag::oihw)
                   : desc({g, p.filters / g, s.c / g, kernel[0], kernel[1]}, memory::format_tag::goihw),
            p.bias ? line(p.filters) : memory::desc(),
            imageDesc(*convOutputShape(p, s), last),
            {p.stride.h, p.stride.w},
            {p.dilation.h - 1, p.dilation.w - 1},
            {p.padding.top, p.padding.left},
            {p.padding.bottom, p.padding.right}};
}

dnnl::convolution_forward::primitive_desc convForward(Context& context, const ConvLayout& l, prop_kind kind) {
    return {{kind, dnnl::algorithm::convolution_direct, likedBy(context, l.src), any(l.weights), l.bias,
             likedBy(context, l.dst), l.stride, l.dilation, l.before, l.after},
            userScratchpad(),
            context.engine};
}

struct Planner {
    Context& context;

    Result<LayerPlan> operator()(const ConvForward& op) const {
        const ConvLayout l = layoutOf(op.params, op.src, context.layouts.keeps());
        const auto d = convForward(context, l, prop_kind::forward_inference);
        std::vector<Argument> arguments{{DNNL_ARG_SRC, false, 0, l.src, d.src_desc(), Lies::AsImages},
                                        {DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc()},
                                        {DNNL_ARG_DST, true, 0, l.dst, d.dst_desc(), Lies::AsImages}};
        if (op.params.bias)
            arguments.push_back({DNNL_ARG_BIAS, false, 2, l.bias, d.bias_desc()});
        return finish<dnnl::convolution_forward>(d, arguments);
    }
    Result<LayerPlan> operator()(const ConvBackwardData& op) const {
        ConvParams params = op.params;
        params.bias = false;
        const ConvLayout l = layoutOf(params, op.src, context.layouts.keeps());
        const dnnl::convolution_backward_data::primitive_desc d(
            {dnnl::algorithm::convolution_direct, likedBy(context, l.src), any(l.weights),
             likedBy(context, l.dst), l.stride, l.dilation, l.before, l.after},
            userScratchpad(), context.engine, convForward(context, l, prop_kind::forward_training));
        return finish<dnnl::convolution_backward_data>(
            d, {{DNNL_ARG_DIFF_DST, false, 0, l.dst, d.diff_dst_desc(), Lies::AsImages},
                {DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc()},
                {DNNL_ARG_DIFF_SRC, true, 0, l.src, d.diff_src_desc(), Lies::AsImages}});
    }
    Result<LayerPlan> operator()(const ConvBackwardWeights& op) const {
        const ConvLayout l = layoutOf(op.params, op.src, context.layouts.keeps());
        const dnnl::convolution_backward_weights::primitive_desc d(
            {dnnl::algorithm::convolution_direct, likedBy(context, l.src), any(l.weights), l.bias,
             likedBy(context, l.dst), l.stride, l.dilation, l.before, l.after},
            userScratchpad(), context.engine, convForward(context, l, prop_kind::forward_training));
        std::vector<Argument> arguments{
            {DNNL_ARG_SRC, false, 0, l.src, d.src_desc(), Lies::AsImages},
            {DNNL_ARG_DIFF_DST, false, 1, l.dst, d.diff_dst_desc(), Lies::AsImages},
            {DNNL_ARG_DIFF_WEIGHTS, true, 0, l.weights, d.diff_weights_desc()}};
        if (op.params.bias)
            arguments.push_back({DNNL_ARG_DIFF_BIAS, true, 1, l.bias, d.diff_bias_desc()});
        return finish<dnnl::convolution_backward_weights>(d, arguments);
    }

    struct DenseLayout {
        memory::desc src, weights, bias, dst;
    };
    static DenseLayout layoutOfDense(const DenseParams& p, std::int64_t batch) {
        return {desc({batch, p.inputs}, memory::format_tag::ab),
                desc({p.units, p.inputs}, memory::format_tag::ab), p.bias ? line(p.units) : memory::desc(),
                desc({batch, p.units}, memory::format_tag::ab)};
    }
    dnnl::inner_product_forward::primitive_desc denseForward(const DenseLayout& l, prop_kind kind) const {
        return {{kind, l.src, any(l.weights), l.bias, l.dst}, userScratchpad(), context.engine};
    }
    Result<LayerPlan> operator()(const DenseForward& op) const {
        const DenseLayout l = layoutOfDense(op.params, op.batch);
        const auto d = denseForward(l, prop_kind::forward_inference);
        std::vector<Argument> arguments{{DNNL_ARG_SRC, false, 0, l.src, d.src_desc()},
                                        {DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc()},
                                        {DNNL_ARG_DST, true, 0, l.dst, d.dst_desc()}};
        if (op.params.bias)
            arguments.push_back({DNNL_ARG_BIAS, false, 2, l.bias, d.bias_desc()});
        return finish<dnnl::inner_product_forward>(d, arguments);
    }
    Result<LayerPlan> operator()(const DenseBackwardData& op) const {
        DenseParams params = op.params;
        params.bias = false;
        const DenseLayout l = layoutOfDense(params, op.batch);
        const dnnl::inner_product_backward_data::primitive_desc d(
            {l.src, any(l.weights), l.dst}, userScratchpad(), context.engine,
            denseForward(l, prop_kind::forward_training));
        return finish<dnnl::inner_product_backward_data>(
            d, {{DNNL_ARG_DIFF_DST, false, 0, l.dst, d.diff_dst_desc()},
                {DNNL_ARG_WEIGHTS, false, 1, l.weights, d.weights_desc()},
                {DNNL_ARG_DIFF_SRC, true, 0, l.src, d.diff_src_desc()}});
    }
    Result<LayerPlan> operator()(const DenseBackwardWeights& op) const {
        const DenseLayout l = layoutOfDense(op.params, op.batch);
        const dnnl::inner_product_backward_weights::primitive_desc d(
            {l.src, any(l.weights), l.bias, l.dst}, userScratchpad(), context.engine,
            denseForward(l, prop_kind::forward_training));
        std::vector<Argument> arguments{{DNNL_ARG_SRC, false, 0, l.src, d.src_desc()},
                                        {DNNL_ARG_DIFF_DST, false, 1, l.dst, d.diff_dst_desc()},
                                        {DNNL_ARG_DIFF_WEIGHTS, true, 0, l.weights, d.diff_weights_desc()}};
        if (op.params.bias)
            arguments.push_back({DNNL_ARG_DIFF_BIAS, true, 1, l.bias, d.diff_bias_desc()});
        return finish<dnnl::inner_product_backward_weights>(d, arguments);
    }

    struct Eltwise {
        dnnl::algorithm algorithm;
        float alpha = 0, beta = 0;
    };
    static Eltwise eltwiseOf(ActivationKind kind, double slope, bool backward) {
        using enum dnnl::algorithm;
        switch (kind) {
        case ActivationKind::Relu:
            return {backward ? eltwise_relu_use_dst_for_bwd : eltwise_relu};
        case ActivationKind::Relu6:
            return {backward ? eltwise_clip_v2_use_dst_for_bwd : eltwise_clip_v2, 0, 6};
        case ActivationKind::LeakyRelu:
            return {backward ? eltwise_relu_use_dst_for_bwd : eltwise_relu, static_cast<float>(slope)};
        case ActivationKind::Sigmoid:
            return {backward ? eltwise_logistic_use_dst_for_bwd : eltwise_logistic};
        case ActivationKind::Tanh:
            return {backward ? eltwise_tanh_use_dst_for_bwd : eltwise_tanh};
        }
        return {eltwise_relu};
    }
    dnnl::eltwise_forward::primitive_desc eltwiseForward(const Eltwise& e, const memory::desc& data) const {
        return {{prop_kind::forward_training, e.algorithm, data, e.alpha, e.beta},
                userScratchpad(),
                context.engine};
    }
    Result<LayerPlan> operator()(const ActivationForward& op) const {
        const memory::desc data = line(op.elements);
        return finish<dnnl::eltwise_forward>(eltwiseForward(eltwiseOf(op.kind, op.slope, false), data),
                                             {{DNNL_ARG_SRC, false, 0, data, data, Lies::AsOthers},
                                              {DNNL_ARG_DST, true, 0, data, data, Lies::AsOthers}});
    }
    Result<LayerPlan> operator()(const ActivationBackward& op) const {
        const memory::desc data = line(op.elements);
        const Eltwise e = eltwiseOf(op.kind, op.slope, true);
        const dnnl::eltwise_backward::primitive_desc d({e.algorithm, data, data, e.alpha, e.beta},
                                                       userScratchpad(), context.engine,
                                                       eltwiseForward(e, data));
        return finish<dnnl::eltwise_backward>(d, {{DNNL_ARG_DST, false, 0, data, data, Lies::AsOthers},
                                                  {DNNL_ARG_DIFF_DST, false, 1, data, data, Lies::AsOthers},
                                                  {DNNL_ARG_DIFF_SRC, true, 0, data, data, Lies::AsOthers}});
    }

    dnnl::softmax_forward::primitive_desc softmaxForward(const memory::desc& data) const {
        return {{prop_kind::forward_training, data, 1}, userScratchpad(), context.engine};
    }
    Result<LayerPlan> operator()(const SoftmaxForward& op) const {
        const memory::desc data = planes(op.src);
        return finish<dnnl::softmax_forward>(softmaxForward(data), {{DNNL_ARG_SRC, false, 0, data, data},
                                                                    {DNNL_ARG_DST, true, 0, data, data}});
    }
    Result<LayerPlan> operator()(const SoftmaxBackward& op) const {
        const memory::desc data = planes(op.src);
        const dnnl::softmax_backward::primitive_desc d({data, data, 1}, userScratchpad(), context.engine,
                                                       softmaxForward(data));
        return finish<dnnl::softmax_backward>(d, {{DNNL_ARG_DST, false, 0, data, data},
                                                  {DNNL_ARG_DIFF_DST, false, 1, data, data},
                                                  {DNNL_ARG_DIFF_SRC, true, 0, data, data}});
    }
    Result<LayerPlan> operator()(const Add& op) const {
        const memory::desc data = line(op.elements);
        const dnnl::binary::primitive_desc d({dnnl::algorithm::binary_add, data, data, data},
                                             userScratchpad(), context.engine);
        return finish<dnnl::binary>(d, {{DNNL_ARG_SRC_0, false, 0, data, data, Lies::AsOthers},
                                        {DNNL_ARG_SRC_1, false, 1, data, data, Lies::AsOthers},
                                        {DNNL_ARG_DST, true, 0, data, data, Lies::AsOthers}});
    }
    /// A reorder between parts of two tensors, in one layout.
    Result<LayerPlan> operator()(const CopyChannels& op) const {
        const memory::dims part{op.src.n, op.channels, op.src.h, op.src.w};
        const memory::desc from = planes(op.src).submemory_desc(part, {0, op.srcChannel, 0, 0});
        const memory::desc to = planes({op.src.n, op.dstChannels, op.src.h, op.src.w})
                                    .submemory_desc(part, {0, op.dstChannel, 0, 0});
        const dnnl::reorder::primitive_desc d(context.engine, from, context.engine, to, userScratchpad());
        return finish<dnnl::reorder>(d,
                                     {{DNNL_ARG_FROM, false, 0, from, from}, {DNNL_ARG_TO, true, 0, to, to}});
    }
    Result<LayerPlan> operator()(const BatchNormInfer& op) const {
        using dnnl::normalization_flags;
        const memory::desc data = imageDesc(op.src, context.layouts.keeps()), channel = line(op.src.c);
        const dnnl::batch_normalization_forward::primitive_desc d(
            {prop_kind::forward_inference, data, static_cast<float>(op.epsilon),
             normalization_flags::use_global_stats | normalization_flags::use_scale |
                 normalization_flags::use_shift},
            userScratchpad(), context.engine);
        return finish<dnnl::batch_normalization_forward>(
            d, {{DNNL_ARG_SRC, false, 0, data, data, Lies::AsImages},
                {DNNL_ARG_SCALE, false, 1, channel, channel},
                {DNNL_ARG_SHIFT, false, 2, channel, channel},
                {DNNL_ARG_MEAN, false, 3, channel, channel},
                {DNNL_ARG_VARIANCE, false, 4, channel, channel},
                {DNNL_ARG_DST, true, 0, data, data, Lies::AsImages}});
    }

    template <class Other>
    Result<LayerPlan> operator()(const Other& op) const {
        return Error{ErrorCode::TargetUnavailable, Support::missing("onednn", op).reason, {}, {}, {}};
    }
};

} // namespace

std::int64_t Argument::elements() const {
    return static_cast<std::int64_t>(plain.get_size() / sizeof(float));
}

Shape4 Argument::images() const {
    const auto dims = plain.dims();
    return {dims[0], dims[1], dims[2], dims[3]};
}

std::size_t LayerPlan::workspaceBytes() const {
    std::size_t bytes = scratch.get_size();
    for (const Argument& argument : arguments)
        bytes += argument.reordered() ? argument.wanted.get_size() : 0;
    return bytes;
}

std::string layerName(const std::string& implementation, const std::vector<Argument>& arguments) {
    const bool reorders = std::any_of(arguments.begin(), arguments.end(),
                                      [](const Argument& argument) { return argument.reordered(); });
    return "onednn:" + implementation + (reorders ? "+reorder" : "");
}

Result<LayerPlan> planLayer(Context& context, const Op& op) {
    const ThreadScope threads(context.threads);
    return std::visit(Planner{context}, op);
}

} // namespace heteroscope::compute::onednn
