// SPDX-License-Identifier: Apache-2.0
// cuDNN's descriptors, destroyed with their owners. Extents are bounded by networkRefusal() before.
#pragma once

#include "compute/backends/nvidia/cudnn/cudnn_op.h"
#include "compute/core/shape.h"

#include <cudnn.h>
#include <utility>

namespace heteroscope::compute::nvidia {

/// A handle that `create` makes and `destroy` ends.
template <class Handle, cudnnStatus_t (*create)(Handle*), cudnnStatus_t (*destroy)(Handle)>
class Descriptor {
  public:
    Descriptor() = default;
    Descriptor(Descriptor&& other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)) {}
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

} // namespace heteroscope::compute::nvidia
