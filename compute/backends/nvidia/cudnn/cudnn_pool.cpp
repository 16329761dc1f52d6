// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_pool.h"

#include <limits>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// The three descriptors of a pooling, destroyed together.
class Descriptors {
  public:
    Descriptors() = default;
    Descriptors(const Descriptors&) = delete;
    Descriptors& operator=(const Descriptors&) = delete;
    ~Descriptors() {
        if (m_pooling != nullptr)
            cudnnDestroyPoolingDescriptor(m_pooling);
        if (m_src != nullptr)
            cudnnDestroyTensorDescriptor(m_src);
        if (m_dst != nullptr)
            cudnnDestroyTensorDescriptor(m_dst);
    }

    Status set(const PoolParams& params, const Shape4& src, const Shape4& dst) {
        for (const cudnnStatus_t code :
             {cudnnCreatePoolingDescriptor(&m_pooling), cudnnCreateTensorDescriptor(&m_src),
              cudnnCreateTensorDescriptor(&m_dst), setTensor(m_src, src), setTensor(m_dst, dst),
              cudnnSetPooling2dDescriptor(m_pooling, modeOf(params), CUDNN_PROPAGATE_NAN,
                                          narrow(params.kernel.h), narrow(params.kernel.w),
                                          narrow(params.padding.top), narrow(params.padding.left),
                                          narrow(params.stride.h), narrow(params.stride.w))})
            if (const Status status = cudnnStatus(code, "describing the pooling", "cudnn"); !status)
                return status;
        return {};
    }

    cudnnPoolingDescriptor_t pooling() const { return m_pooling; }
    cudnnTensorDescriptor_t src() const { return m_src; }
    cudnnTensorDescriptor_t dst() const { return m_dst; }

  private:
    static int narrow(std::int64_t value) { return static_cast<int>(value); } // bounded by cudnnPoolRefusal()
    static cudnnStatus_t setTensor(cudnnTensorDescriptor_t tensor, const Shape4& shape) {
        return cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, narrow(shape.n),
                                          narrow(shape.c), narrow(shape.h), narrow(shape.w));
    }
    static cudnnPoolingMode_t modeOf(const PoolParams& params) {
        if (params.mode == PoolMode::Max)
            return CUDNN_POOLING_MAX_DETERMINISTIC;
        return params.countIncludePad ? CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                                      : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
    }

    cudnnPoolingDescriptor_t m_pooling = nullptr;
    cudnnTensorDescriptor_t m_src = nullptr, m_dst = nullptr;
};

class CudnnPoolForward final : public CudnnOp {
  public:
    CudnnPoolForward(const CudaSession& session, cudnnHandle_t handle, const Op& op,
                     std::unique_ptr<Descriptors> descriptors)
        : CudnnOp(session, handle, opFacts(op), "cudnn:pool"), m_descriptors(std::move(descriptors)) {}

  protected:
    Status submit(const DeviceOperands& operands) override {
        return cudnnStatus(cudnnPoolingForward(handle(), m_descriptors->pooling(), &kOne,
                                               m_descriptors->src(), operands.src[0], &kZero,
                                               m_descriptors->dst(), operands.dst[0]),
                           "cudnnPoolingForward", where());
    }

  private:
    std::unique_ptr<Descriptors> m_descriptors;
};

class CudnnPoolBackward final : public CudnnOp {
  public:
    CudnnPoolBackward(const CudaSession& session, cudnnHandle_t handle, const Op& op, std::size_t resultBytes,
                      std::unique_ptr<Descriptors> descriptors)
        : CudnnOp(session, handle, opFacts(op), "cudnn:pool"),
          m_owner(session),
          m_resultBytes(resultBytes),
          m_descriptors(std::move(descriptors)) {}

  protected:
    Status submit(const DeviceOperands& operands) override {
        const float* result = operands.src.size() > 2 ? operands.src[2] : nullptr;
        if (result == nullptr) {
            if (const Status status = computeResult(operands.src[0]); !status)
                return status;
            result = static_cast<const float*>(m_result->devicePointer());
        }
        return cudnnStatus(cudnnPoolingBackward(handle(), m_descriptors->pooling(), &kOne,
                                                m_descriptors->dst(), result, m_descriptors->dst(),
                                                operands.src[1], m_descriptors->src(), operands.src[0],
                                                &kZero, m_descriptors->src(), operands.dst[0]),
                           "cudnnPoolingBackward", where());
    }

  private:
    Status computeResult(const float* src) {
        if (m_result == nullptr) {
            auto buffer =
                m_owner.allocateFor(m_resultBytes, "the result that cuDNN's backward pooling needs");
            if (!buffer)
                return buffer.error();
            m_result = std::move(*buffer);
        }
        return cudnnStatus(cudnnPoolingForward(handle(), m_descriptors->pooling(), &kOne,
                                               m_descriptors->src(), src, &kZero, m_descriptors->dst(),
                                               m_result->devicePointer()),
                           "cudnnPoolingForward", where());
    }

    const CudaSession& m_owner;
    std::size_t m_resultBytes;
    std::unique_ptr<Descriptors> m_descriptors;
    std::unique_ptr<DeviceBuffer> m_result;
};

} // namespace

std::string cudnnPoolRefusal(const PoolParams& params, const Shape4& src) {
    const Padding2d& padding = params.padding;
    if (padding.top != padding.bottom || padding.left != padding.right)
        return "cuDNN pads both sides alike; give equal padding left and right, top and bottom";
    const bool padded = padding.top > 0 || padding.left > 0;
    if (params.mode == PoolMode::Max && padded && params.padValue == PadValue::Zero)
        return "cuDNN pads maxima with minus infinity; zero padding is for the other implementations";
    const auto elements = src.elements();
    constexpr std::int64_t kMost = std::numeric_limits<int>::max();
    if (!elements || *elements > kMost)
        return "cuDNN's pooling takes at most " + std::to_string(kMost) + " elements";
    return {};
}

Result<std::unique_ptr<PreparedOp>> prepareCudnnPool(const CudaSession& session, cudnnHandle_t handle,
                                                     const Op& op) {
    const auto* forward = std::get_if<PoolForward>(&op);
    const PoolParams& params = forward != nullptr ? forward->params : std::get<PoolBackward>(op).params;
    const Shape4& src = forward != nullptr ? forward->src : std::get<PoolBackward>(op).src;
    const auto dst = poolOutputShape(params, src);
    if (!dst)
        return dst.error();
    auto descriptors = std::make_unique<Descriptors>();
    if (const Status status = descriptors->set(params, src, *dst); !status)
        return status.error();
    if (forward != nullptr)
        return std::unique_ptr<PreparedOp>(
            std::make_unique<CudnnPoolForward>(session, handle, op, std::move(descriptors)));
    return std::unique_ptr<PreparedOp>(std::make_unique<CudnnPoolBackward>(
        session, handle, op, static_cast<std::size_t>(dst->bytes().value_or(0)), std::move(descriptors)));
}

} // namespace heteroscope::compute::nvidia
