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
using BatchForward = dnnl::batch_normalization_forward;
using BatchBackward = dnnl::batch_normalization_backward;

const auto kFlags = normalization_flags::use_scale | normalization_flags::use_shift;

memory::desc channels(const Shape4& s) {
    return {{s.c}, memory::data_type::f32, memory::format_tag::a};
}

PrimitiveList<BatchForward> batchForwardOf(Context& context, const memory::desc& images, double epsilon) {
    return {{prop_kind::forward_training, images, static_cast<float>(epsilon), kFlags},
            userScratchpad(),
            context.engine};
}

/// The primitive is given 1 / s^2 as the variance, with nothing added to it.
PrimitiveList<BatchBackward> batchBackwardOf(Context& context, const memory::desc& images) {
    return {{prop_kind::backward, images, images, 0.0F, kFlags},
            userScratchpad(),
            context.engine,
            batchForwardOf(context, images, 0.0)};
}

class TrainOp final : public NormOp {
  public:
    TrainOp(Context& context, const BatchNormTrain& op, std::string name,
            const BatchForward::primitive_desc& description)
        : NormOp(context, op, std::move(name), op.src, description.src_desc(), op.src.c,
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
        if (const Status status = submit(m_primitive); !status)
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
    BatchForward m_primitive;
};

class BatchNormBackwardOp final : public NormOp {
  public:
    BatchNormBackwardOp(Context& context, const BatchNormBackward& op, std::string name,
                        const BatchBackward::primitive_desc& description)
        : NormOp(context, op, std::move(name), op.src, description.src_desc(), op.src.c,
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
        return submit(m_primitive);
    }

  private:
    std::vector<float> m_shift; ///< asked for, although no gradient depends on it
    BatchBackward m_primitive;
};

/// `description`: the first of the library's implementations; `images`: how many inputs are some.
template <class Prepared, class One, class Description>
void visitBatchNorms(Context& context, const One& op, Order order, std::size_t images,
                     Description description, const RecordVisitor& visit) {
    bool more = true;
    for (; more; more = more && description.next()) {
        const std::string name = description->impl_info_str() + std::string(orderName(order));
        Record record{{name, "onednn:" + name + "+own loop", {}, {}, {}}, normLayouts(op.src, order, images)};
        const std::size_t channelBytes = 2 * static_cast<std::size_t>(op.src.c) * sizeof(float);
        record.candidate.workspaceBytes = [bytes = channelBytes + description->scratchpad_desc().get_size()] {
            return bytes; // variance and shift are ours
        };
        record.candidate.prepare = [&context, &op, name = record.candidate.implementation,
                                    description = *description] {
            return prepared(context, opName(op),
                            [&] { return std::make_unique<Prepared>(context, op, name, description); });
        };
        more = visit(std::move(record));
    }
}

} // namespace

bool isTrainingBatchNorm(const Op& op) {
    return std::holds_alternative<BatchNormTrain>(op) || std::holds_alternative<BatchNormBackward>(op);
}

void visitBatchNorm(Context& context, const LayoutPolicy& policy, const Op& op, const RecordVisitor& visit) {
    visitOrRefuse(context, op, visit, [&] {
        if (const auto* train = std::get_if<BatchNormTrain>(&op)) {
            const Order order = policy.orderOf(train->src);
            visitBatchNorms<TrainOp>(context, *train, order, 1,
                                     batchForwardOf(context, imageDesc(train->src, order), train->epsilon),
                                     visit);
        }
        if (const auto* backward = std::get_if<BatchNormBackward>(&op)) {
            const Order order = policy.orderOf(backward->src);
            visitBatchNorms<BatchNormBackwardOp>(context, *backward, order, 2,
                                                 batchBackwardOf(context, imageDesc(backward->src, order)),
                                                 visit);
        }
    });
}

} // namespace heteroscope::compute::onednn
