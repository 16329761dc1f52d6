// SPDX-License-Identifier: Apache-2.0
// cuDNN's descriptors, destroyed with their owners. Extents are bounded by networkRefusal() before.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_pool.h"
#include "compute/core/ops/convolution.h"

#include <cudnn.h>

namespace heteroscope::compute::nvidia {

/// A handle that `create` makes and `destroy` ends.
template <class Handle, cudnnStatus_t (*create)(Handle*), cudnnStatus_t (*destroy)(Handle)>
class Descriptor {
  public:
    Descriptor() = default;
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (m_handle != nullptr)
            destroy(m_handle);
    }
    Handle get() const { return m_handle; }

  protected:
    /// Makes the handle at the first call; then what set(handle) says.
    template <class Set>
    Status make(Set set) {
        cudnnStatus_t code = m_handle == nullptr ? create(&m_handle) : CUDNN_STATUS_SUCCESS;
        if (code == CUDNN_STATUS_SUCCESS)
            code = set(m_handle);
        return cudnnStatus(code, "describing the operation", "cudnn");
    }
    static int narrow(std::int64_t value) { return static_cast<int>(value); }

  private:
    Handle m_handle = nullptr;
};

class TensorDescriptor
    : public Descriptor<cudnnTensorDescriptor_t, cudnnCreateTensorDescriptor, cudnnDestroyTensorDescriptor> {
  public:
    Status set(const Shape4& s) {
        return make([&](cudnnTensorDescriptor_t tensor) {
            return cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, narrow(s.n),
                                              narrow(s.c), narrow(s.h), narrow(s.w));
        });
    }
};

class ActivationDescriptor : public Descriptor<cudnnActivationDescriptor_t, cudnnCreateActivationDescriptor,
                                               cudnnDestroyActivationDescriptor> {
  public:
    Status set(cudnnActivationMode_t mode) {
        return make([&](cudnnActivationDescriptor_t activation) {
            return cudnnSetActivationDescriptor(activation, mode, CUDNN_PROPAGATE_NAN, 0.0);
        });
    }
};

class FilterDescriptor
    : public Descriptor<cudnnFilterDescriptor_t, cudnnCreateFilterDescriptor, cudnnDestroyFilterDescriptor> {
  public:
    Status set(const ConvParams& p, const Shape4& src) {
        return make([&](cudnnFilterDescriptor_t filter) {
            return cudnnSetFilter4dDescriptor(filter, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, narrow(p.filters),
                                              narrow(src.c / p.groups), narrow(p.kernel.h),
                                              narrow(p.kernel.w));
        });
    }
};

class ConvolutionDescriptor
    : public Descriptor<cudnnConvolutionDescriptor_t, cudnnCreateConvolutionDescriptor,
                        cudnnDestroyConvolutionDescriptor> {
  public:
    Status set(const ConvParams& p, bool tf32) {
        const Status status = make([&](cudnnConvolutionDescriptor_t conv) {
            return cudnnSetConvolution2dDescriptor(
                conv, narrow(p.padding.top), narrow(p.padding.left), narrow(p.stride.h), narrow(p.stride.w),
                narrow(p.dilation.h), narrow(p.dilation.w), CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
        });
        if (!status)
            return status;
        return make([&](cudnnConvolutionDescriptor_t conv) {
            const cudnnStatus_t code = cudnnSetConvolutionGroupCount(conv, narrow(p.groups));
            return code == CUDNN_STATUS_SUCCESS
                       ? cudnnSetConvolutionMathType(conv, tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH)
                       : code;
        });
    }
};

} // namespace heteroscope::compute::nvidia
