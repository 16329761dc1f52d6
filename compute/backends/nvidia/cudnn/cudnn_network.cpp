// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_network.h"

#include "compute/backends/nvidia/cudnn/cudnn_conv.h"
#include "compute/backends/nvidia/cudnn/cudnn_descriptors.h"
#include "compute/backends/nvidia/cudnn/cudnn_pool.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// Activations whose derivative follows from the result alone in cuDNN as it does here; nothing for others.
std::optional<cudnnActivationMode_t> modeOf(ActivationKind kind) {
    switch (kind) {
    case ActivationKind::Relu:
        return CUDNN_ACTIVATION_RELU;
    case ActivationKind::Sigmoid:
        return CUDNN_ACTIVATION_SIGMOID;
    case ActivationKind::Tanh:
        return CUDNN_ACTIVATION_TANH;
    default:
        return std::nullopt;
    }
}

class Activation final : public CudnnOp {
  public:
    Activation(const CudaSession& session, cudnnHandle_t handle, const Op& op)
        : CudnnOp(session, handle, opFacts(op), "cudnn:activation"),
          m_backward(std::holds_alternative<ActivationBackward>(op)) {}

    Status describe(ActivationKind kind, std::int64_t elements) {
        m_elements = elements;
        if (const Status status = m_tensor.set({1, 1, 1, std::min(elements, kMostActivationElements)});
            !status)
            return status;
        if (const std::int64_t rest = elements % kMostActivationElements;
            elements > kMostActivationElements && rest > 0)
            if (const Status status = m_rest.set({1, 1, 1, rest}); !status)
                return status;
        return m_activation.set(modeOf(kind).value());
    }

  protected:
    Status submit(const DeviceOperands& o) override {
        for (std::int64_t at = 0; at < m_elements; at += kMostActivationElements)
            if (const Status status = launchPart(o, at); !status)
                return status;
        return {};
    }

  private:
    Status launchPart(const DeviceOperands& o, std::int64_t at) const {
        const bool isRest = at > 0 && m_elements - at < kMostActivationElements;
        const cudnnTensorDescriptor_t tensor = isRest ? m_rest.get() : m_tensor.get();
        const float* const src = o.src[0] + at;
        if (!m_backward)
            return cudnnStatus(cudnnActivationForward(handle(), m_activation.get(), &kOne, tensor, src,
                                                      &kZero, tensor, o.dst[0] + at),
                               "cudnnActivationForward", where());
        return cudnnStatus(cudnnActivationBackward(handle(), m_activation.get(), &kOne, tensor, src, tensor,
                                                   o.src[1] + at, tensor, src, &kZero, tensor, o.dst[0] + at),
                           "cudnnActivationBackward", where());
    }

    bool m_backward;
    std::int64_t m_elements = 0;
    TensorDescriptor m_tensor, m_rest; ///< of each part, and of one that is smaller
    ActivationDescriptor m_activation;
};

class Softmax final : public CudnnOp {
  public:
    Softmax(const CudaSession& session, cudnnHandle_t handle, const Op& op)
        : CudnnOp(session, handle, opFacts(op), "cudnn:softmax"),
          m_backward(std::holds_alternative<SoftmaxBackward>(op)) {}

    Status describe(const Shape4& shape) { return m_tensor.set(shape); }

  protected:
    Status submit(const DeviceOperands& o) override {
        constexpr auto kAlgorithm = CUDNN_SOFTMAX_ACCURATE;
        constexpr auto kMode = CUDNN_SOFTMAX_MODE_CHANNEL;
        if (!m_backward)
            return cudnnStatus(cudnnSoftmaxForward(handle(), kAlgorithm, kMode, &kOne, m_tensor.get(),
                                                   o.src[0], &kZero, m_tensor.get(), o.dst[0]),
                               "cudnnSoftmaxForward", where());
        return cudnnStatus(cudnnSoftmaxBackward(handle(), kAlgorithm, kMode, &kOne, m_tensor.get(), o.src[0],
                                                m_tensor.get(), o.src[1], &kZero, m_tensor.get(), o.dst[0]),
                           "cudnnSoftmaxBackward", where());
    }

  private:
    bool m_backward;
    TensorDescriptor m_tensor;
};

template <class T>
concept ActivationOp = std::is_same_v<T, ActivationForward> || std::is_same_v<T, ActivationBackward>;
template <class T>
concept SoftmaxOp = std::is_same_v<T, SoftmaxForward> || std::is_same_v<T, SoftmaxBackward>;

} // namespace

std::string cudnnOpName(const Op& op) {
    return std::visit(
        []<class T>(const T& one) -> std::string {
            if constexpr (requires { one.params.groups; })
                return "conv2d";
            else if constexpr (ActivationOp<T>)
                return modeOf(one.kind) ? "activation" : "";
            else
                return SoftmaxOp<T> ? "softmax" : "";
        },
        op);
}

std::string cudnnOpRefusal(const Op& op) {
    return networkRefusal(op);
}

Result<std::unique_ptr<PreparedOp>> prepareCudnnOp(const CudaSession& session, cudnnHandle_t handle,
                                                   SharedWorkspace& workspace, const Op& op,
                                                   const EngineChoice& choice) {
    return std::visit(
        [&]<class T>(const T& one) -> Result<std::unique_ptr<PreparedOp>> {
            if constexpr (ActivationOp<T>) {
                auto result = std::make_unique<Activation>(session, handle, op);
                if (const Status status = result->describe(one.kind, one.elements); !status)
                    return status.error();
                return std::unique_ptr<PreparedOp>(std::move(result));
            } else if constexpr (SoftmaxOp<T>) {
                auto result = std::make_unique<Softmax>(session, handle, op);
                if (const Status status = result->describe(one.src); !status)
                    return status.error();
                return std::unique_ptr<PreparedOp>(std::move(result));
            } else {
                return prepareCudnnConv(session, handle, workspace, op, choice);
            }
        },
        op);
}

} // namespace heteroscope::compute::nvidia
