// SPDX-License-Identifier: Apache-2.0
// Batch normalisation in training: the library's primitive, and a loop over the channels for what it does not
// give: the running statistics, and 1 / sqrt(v + epsilon) in place of v.
#include "compute/backends/onednn/norm_op.h"

#include <cmath>
#include <utility>
#include <vector>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using dnnl::normalization_flags;
using dnnl::prop_kind;
using Forward = dnnl::batch_normalization_forward;
using Backward = dnnl::batch_normalization_backward;

const auto kFlags = normalization_flags::use_scale | normalization_flags::use_shift;

/// Images as the session keeps them.
memory::desc planes(const Context& context, const Shape4& s) {
    return imageDesc(s, context.layouts.orderOf(s));
}

memory::desc channels(const Shape4& s) {
    return {{s.c}, memory::data_type::f32, memory::format_tag::a};
}

PrimitiveList<Forward> forwardOf(Context& context, const Shape4& src, double epsilon) {
    return {{prop_kind::forward_training, planes(context, src), static_cast<float>(epsilon), kFlags},
            userScratchpad(),
            context.engine};
}

/// The primitive is given 1 / s^2 as the variance, with nothing added to it.
PrimitiveList<Backward> backwardOf(Context& context, const Shape4& src) {
    return {{prop_kind::backward, planes(context, src), planes(context, src), 0.0F, kFlags},
            userScratchpad(),
            context.engine,
            forwardOf(context, src, 0.0)};
}

std::string nameOf(const Context& context, const Shape4& src, const char* primitive) {
    return std::string("onednn:") + primitive + orderName(context.layouts.orderOf(src)) + "+own loop";
}

class TrainOp final : public NormOp {
  public:
    TrainOp(Context& context, const BatchNormTrain& op, const Forward::primitive_desc& description)
        : NormOp(context, op, nameOf(context, op.src, description.impl_info_str()),
                 {op.src, context.layouts.orderOf(op.src)}, planes(context, op.src), op.src.c,
                 description.scratchpad_desc()),
          m_op(op),
          m_primitive(description) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        const memory::desc channel = channels(m_src);
        setImages(DNNL_ARG_SRC, operands.src[0]);
        set(DNNL_ARG_SCALE, channel, operands.src[1]);
        set(DNNL_ARG_SHIFT, channel, operands.src[2]);
        setImages(DNNL_ARG_DST, operands.dst[0]);
        set(DNNL_ARG_MEAN, channel, operands.dst[1]);
        set(DNNL_ARG_VARIANCE, channel, m_variance.data());
        if (const Status status = submit(m_primitive, operands, 1, m_src.c); !status)
            return status;
        const auto count = static_cast<double>(m_src.n * m_src.h * m_src.w), kept = 1.0 - m_op.momentum;
        for (std::size_t c = 0; c < m_variance.size(); ++c) {
            const auto variance = static_cast<double>(m_variance[c]);
            const auto mean = static_cast<double>(operands.dst[1][c]);
            operands.dst[2][c] = static_cast<float>(1.0 / std::sqrt(variance + m_op.epsilon));
            operands.dst[3][c] =
                static_cast<float>(kept * static_cast<double>(operands.src[3][c]) + m_op.momentum * mean);
            operands.dst[4][c] = static_cast<float>(kept * static_cast<double>(operands.src[4][c]) +
                                                    m_op.momentum * variance * count / (count - 1.0));
        }
        return {};
    }

  private:
    BatchNormTrain m_op;
    Forward m_primitive;
};

class BackwardOp final : public NormOp {
  public:
    BackwardOp(Context& context, const BatchNormBackward& op, const Backward::primitive_desc& description)
        : NormOp(context, op, nameOf(context, op.src, description.impl_info_str()),
                 {op.src, context.layouts.orderOf(op.src)}, planes(context, op.src), op.src.c,
                 description.scratchpad_desc()),
          m_shift(static_cast<std::size_t>(op.src.c)),
          m_primitive(description) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        setVariance(operands.src[4]);
        const memory::desc channel = channels(m_src);
        setImages(DNNL_ARG_SRC, operands.src[0]);
        setImages(DNNL_ARG_DIFF_DST, operands.src[1]);
        set(DNNL_ARG_SCALE, channel, operands.src[2]);
        set(DNNL_ARG_SHIFT, channel, m_shift.data());
        set(DNNL_ARG_MEAN, channel, operands.src[3]);
        set(DNNL_ARG_VARIANCE, channel, m_variance.data());
        setImages(DNNL_ARG_DIFF_SRC, operands.dst[0]);
        set(DNNL_ARG_DIFF_SCALE, channel, operands.dst[1]);
        set(DNNL_ARG_DIFF_SHIFT, channel, operands.dst[2]);
        return submit(m_primitive, operands, 2, m_src.c);
    }

  private:
    std::vector<float> m_shift; ///< asked for, although no gradient depends on it
    Backward m_primitive;
};

/// `description`: the first of the library's implementations.
template <class Prepared, class One, class Description>
void visitEach(Context& context, const One& op, Description description, const CandidateVisitor& visit) {
    const std::string kept = orderName(context.layouts.orderOf(op.src));
    bool more = true;
    for (; more; more = more && description.next()) {
        Candidate candidate{description->impl_info_str() + kept,
                            nameOf(context, op.src, description->impl_info_str()),
                            {},
                            {},
                            {}};
        const std::size_t channelBytes = 2 * static_cast<std::size_t>(op.src.c) * sizeof(float);
        candidate.workspaceBytes = [bytes = channelBytes + description->scratchpad_desc().get_size()] {
            return bytes; // variance and shift are ours
        };
        candidate.prepare = [&context, &op, description = *description] {
            return prepared(context, opName(op),
                            [&] { return std::make_unique<Prepared>(context, op, description); });
        };
        more = visit(std::move(candidate));
    }
}

} // namespace

bool isTrainingBatchNorm(const Op& op) {
    return std::holds_alternative<BatchNormTrain>(op) || std::holds_alternative<BatchNormBackward>(op);
}

void visitBatchNorm(Context& context, const Op& op, const CandidateVisitor& visit) {
    visitOrRefuse(context, op, visit, [&] {
        if (const auto* train = std::get_if<BatchNormTrain>(&op))
            visitEach<TrainOp>(context, *train, forwardOf(context, train->src, train->epsilon), visit);
        if (const auto* backward = std::get_if<BatchNormBackward>(&op))
            visitEach<BackwardOp>(context, *backward, backwardOf(context, backward->src), visit);
    });
}

} // namespace heteroscope::compute::onednn
