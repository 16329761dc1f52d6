// SPDX-License-Identifier: Apache-2.0
// Layer normalisation: the library's primitive over the last of three dimensions, which lies where the
// layerChannels do, and a loop over the pixels for 1 / sqrt(v + epsilon) in place of v.
#include "compute/backends/onednn/norm_op.h"

#include <cmath>
#include <utility>
#include <vector>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using LayerForward = dnnl::layer_normalization_forward;
using LayerBackward = dnnl::layer_normalization_backward;

const auto kLearns = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;

/// Channels last are the innermost dimension already; the library is many times slower with all others.
Order orderOf(const LayoutPolicy& policy, const Shape4& s) {
    return policy.keepsLayouts() && s.h * s.w > 1 ? Order::ChannelsLast : Order::Plain;
}

/// Images, pixels and layerChannels.
memory::desc values(const Shape4& s, Order order) {
    const std::int64_t plane = s.h * s.w;
    const bool last = order == Order::ChannelsLast;
    return {{s.n, plane, s.c},
            memory::data_type::f32,
            memory::dims{s.c * plane, last ? s.c : 1, last ? 1 : plane}};
}

memory::desc pixels(const Shape4& s) {
    return {{s.n, s.h * s.w}, memory::data_type::f32, memory::format_tag::ab};
}

memory::desc layerChannels(const Shape4& s) {
    return {{s.c}, memory::data_type::f32, memory::format_tag::a};
}

PrimitiveList<LayerForward> layerForwardOf(Context& context, const Shape4& src, Order order, double epsilon) {
    const memory::desc data = values(src, order);
    return {{dnnl::prop_kind::forward_training, data, pixels(src), static_cast<float>(epsilon), kLearns},
            userScratchpad(),
            context.engine};
}

/// The primitive is given 1 / s^2 as the variance, with nothing added to it.
PrimitiveList<LayerBackward> layerBackwardOf(Context& context, const Shape4& src, Order order) {
    const memory::desc data = values(src, order);
    return {{dnnl::prop_kind::backward, data, data, pixels(src), 0.0F, kLearns},
            userScratchpad(),
            context.engine,
            layerForwardOf(context, src, order, 0.0)};
}

class LayerNormForwardOp final : public NormOp {
  public:
    LayerNormForwardOp(Context& context, const LayerNormForward& op, std::string name,
                       const LayerForward::primitive_desc& description)
        : NormOp(context, op, std::move(name), op.src, description.src_desc(), op.src.n * op.src.h * op.src.w,
                 description.scratchpad_desc()),
          m_epsilon(op.epsilon),
          m_primitive(description) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        setImages(DNNL_ARG_SRC, operands.src[0]);
        set(DNNL_ARG_SCALE, layerChannels(m_src), operands.src[1]);
        set(DNNL_ARG_SHIFT, layerChannels(m_src), operands.src[2]);
        setImages(DNNL_ARG_DST, operands.dst[0]);
        set(DNNL_ARG_MEAN, pixels(m_src), operands.dst[1]);
        set(DNNL_ARG_VARIANCE, pixels(m_src), m_variance.data());
        if (const Status status = submit(m_primitive); !status)
            return status;
        for (std::size_t i = 0; i < m_variance.size(); ++i)
            operands.dst[2][i] =
                static_cast<float>(1.0 / std::sqrt(static_cast<double>(m_variance[i]) + m_epsilon));
        return {};
    }

  private:
    double m_epsilon;
    LayerForward m_primitive;
};

class LayerNormBackwardOp final : public NormOp {
  public:
    LayerNormBackwardOp(Context& context, const LayerNormBackward& op, std::string name,
                        const LayerBackward::primitive_desc& description)
        : NormOp(context, op, std::move(name), op.src, description.src_desc(), op.src.n * op.src.h * op.src.w,
                 description.scratchpad_desc()),
          m_shift(static_cast<std::size_t>(op.src.c)),
          m_primitive(description) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        setVariance(operands.src[4]);
        setImages(DNNL_ARG_SRC, operands.src[0]);
        setImages(DNNL_ARG_DIFF_DST, operands.src[1]);
        set(DNNL_ARG_SCALE, layerChannels(m_src), operands.src[2]);
        set(DNNL_ARG_SHIFT, layerChannels(m_src), m_shift.data());
        set(DNNL_ARG_MEAN, pixels(m_src), operands.src[3]);
        set(DNNL_ARG_VARIANCE, pixels(m_src), m_variance.data());
        setImages(DNNL_ARG_DIFF_SRC, operands.dst[0]);
        set(DNNL_ARG_DIFF_SCALE, layerChannels(m_src), operands.dst[1]);
        set(DNNL_ARG_DIFF_SHIFT, layerChannels(m_src), operands.dst[2]);
        return submit(m_primitive);
    }

  private:
    std::vector<float> m_shift; ///< asked for, although no gradient depends on it
    LayerBackward m_primitive;
};

/// `description`: the first of the library's implementations; `images`: how many inputs are some.
template <class Prepared, class One, class Description>
void visitLayerNorms(Context& context, const One& op, Order order, std::size_t images,
                     Description description, const RecordVisitor& visit) {
    const auto statistics = static_cast<std::size_t>(op.src.n * op.src.h * op.src.w + op.src.c);
    for (bool more = true; more; more = more && description.next()) {
        const std::string name = description->impl_info_str() + std::string(orderName(order));
        const std::size_t bytes = statistics * sizeof(float) + description->scratchpad_desc().get_size();
        more = visit({{name,
                       "onednn:" + name + "+own loop",
                       {},
                       [bytes] { return bytes; },
                       [&context, &op, name, description = *description] {
                           return prepared(context, opName(op), [&] {
                               return std::make_unique<Prepared>(context, op, "onednn:" + name + "+own loop",
                                                                 description);
                           });
                       }},
                      normLayouts(op.src, order, images)});
    }
}

} // namespace

bool isLayerNorm(const Op& op) {
    return std::holds_alternative<LayerNormForward>(op) || std::holds_alternative<LayerNormBackward>(op);
}

void visitLayerNorm(Context& context, const LayoutPolicy& policy, const Op& op, const RecordVisitor& visit) {
    visitOrRefuse(context, op, visit, [&] {
        if (const auto* forward = std::get_if<LayerNormForward>(&op)) {
            const Order order = orderOf(policy, forward->src);
            visitLayerNorms<LayerNormForwardOp>(
                context, *forward, order, 1, layerForwardOf(context, forward->src, order, forward->epsilon),
                visit);
        }
        if (const auto* backward = std::get_if<LayerNormBackward>(&op)) {
            const Order order = orderOf(policy, backward->src);
            visitLayerNorms<LayerNormBackwardOp>(context, *backward, order, 2,
                                                 layerBackwardOf(context, backward->src, order), visit);
        }
    });
}

} // namespace heteroscope::compute::onednn
