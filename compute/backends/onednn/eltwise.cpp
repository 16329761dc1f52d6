// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/eltwise.h"

namespace heteroscope::compute::onednn {

std::optional<Eltwise> eltwiseOf(ActivationKind kind, double slope, bool backward) {
    using enum dnnl::algorithm;
    switch (kind) {
    case ActivationKind::Relu:
        return Eltwise{backward ? eltwise_relu_use_dst_for_bwd : eltwise_relu};
    case ActivationKind::Relu6:
        return Eltwise{backward ? eltwise_clip_v2_use_dst_for_bwd : eltwise_clip_v2, 0, 6};
    case ActivationKind::LeakyRelu:
        return Eltwise{backward ? eltwise_relu_use_dst_for_bwd : eltwise_relu, static_cast<float>(slope)};
    case ActivationKind::Sigmoid:
        return Eltwise{backward ? eltwise_logistic_use_dst_for_bwd : eltwise_logistic};
    case ActivationKind::Tanh:
        return Eltwise{backward ? eltwise_tanh_use_dst_for_bwd : eltwise_tanh};
    case ActivationKind::Gelu:
        return Eltwise{eltwise_gelu_erf};
    case ActivationKind::HardSwish:
        return Eltwise{eltwise_hardswish};
    case ActivationKind::HardSigmoid: // the library has it from version 2.7 on: a loop in own_loops.cpp
        break;
    }
    return {};
}

bool isEltwise(ActivationKind kind) {
    return eltwiseOf(kind, 1.0, false).has_value();
}

PrimitiveList<dnnl::eltwise_forward> eltwiseForward(Context& context, const Eltwise& eltwise,
                                                    const dnnl::memory::desc& data,
                                                    const dnnl::primitive_attr& attributes) {
    return {{dnnl::prop_kind::forward_training, eltwise.algorithm, data, eltwise.alpha, eltwise.beta},
            attributes,
            context.engine};
}

PrimitiveList<dnnl::eltwise_backward> eltwiseBackward(Context& context, const ActivationBackward& op,
                                                      const dnnl::memory::desc& data,
                                                      const dnnl::primitive_attr& attributes) {
    const Eltwise eltwise = eltwiseOf(op.kind, op.slope, true).value();
    return {{eltwise.algorithm, data, data, eltwise.alpha, eltwise.beta},
            attributes,
            context.engine,
            eltwiseForward(context, eltwise, data, attributes)};
}

} // namespace heteroscope::compute::onednn
