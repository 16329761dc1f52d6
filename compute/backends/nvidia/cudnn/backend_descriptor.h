// SPDX-License-Identifier: Apache-2.0
// A descriptor of cuDNN's graph API, destroyed with its owner.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cudnn.h>
#include <span>
#include <utility>
#include <vector>

namespace heteroscope::compute::nvidia {

/// What an attribute's values are called in cuDNN; void*: device memory (descriptors, which are void* too,
/// have functions of their own).
template <class T>
struct AttributeType;
template <>
struct AttributeType<std::int64_t> {
    static constexpr auto kValue = CUDNN_TYPE_INT64;
};
template <>
struct AttributeType<float> {
    static constexpr auto kValue = CUDNN_TYPE_FLOAT;
};
template <>
struct AttributeType<bool> {
    static constexpr auto kValue = CUDNN_TYPE_BOOLEAN;
};
template <>
struct AttributeType<void*> {
    static constexpr auto kValue = CUDNN_TYPE_VOID_PTR;
};
template <>
struct AttributeType<cudnnHandle_t> {
    static constexpr auto kValue = CUDNN_TYPE_HANDLE;
};
template <>
struct AttributeType<cudnnDataType_t> {
    static constexpr auto kValue = CUDNN_TYPE_DATA_TYPE;
};
template <>
struct AttributeType<cudnnConvolutionMode_t> {
    static constexpr auto kValue = CUDNN_TYPE_CONVOLUTION_MODE;
};
template <>
struct AttributeType<cudnnPointwiseMode_t> {
    static constexpr auto kValue = CUDNN_TYPE_POINTWISE_MODE;
};
template <>
struct AttributeType<cudnnNanPropagation_t> {
    static constexpr auto kValue = CUDNN_TYPE_NAN_PROPOGATION;
};
template <>
struct AttributeType<cudnnBackendHeurMode_t> {
    static constexpr auto kValue = CUDNN_TYPE_HEUR_MODE;
};
template <>
struct AttributeType<cudnnBackendNumericalNote_t> {
    static constexpr auto kValue = CUDNN_TYPE_NUMERICAL_NOTE;
};

/// Remembers the first failure: what follows it does nothing.
class BackendDescriptor {
  public:
    explicit BackendDescriptor(cudnnBackendDescriptorType_t type)
        : m_status(cudnnBackendCreateDescriptor(type, &m_descriptor)) {}
    BackendDescriptor(BackendDescriptor&& other) noexcept
        : m_descriptor(std::exchange(other.m_descriptor, nullptr)), m_status(other.m_status) {}
    BackendDescriptor& operator=(BackendDescriptor&& other) noexcept {
        std::swap(m_descriptor, other.m_descriptor);
        std::swap(m_status, other.m_status);
        return *this;
    }
    BackendDescriptor(const BackendDescriptor&) = delete;
    BackendDescriptor& operator=(const BackendDescriptor&) = delete;
    ~BackendDescriptor() {
        if (m_descriptor != nullptr)
            cudnnBackendDestroyDescriptor(m_descriptor);
    }

    template <class T>
    BackendDescriptor& set(cudnnBackendAttributeName_t name, std::span<const T> values) {
        if (m_status == CUDNN_STATUS_SUCCESS)
            m_status = cudnnBackendSetAttribute(m_descriptor, name, AttributeType<T>::kValue,
                                                static_cast<std::int64_t>(values.size()), values.data());
        return *this;
    }
    template <class T>
    BackendDescriptor& set(cudnnBackendAttributeName_t name, const T& value) {
        return set(name, std::span<const T>(&value, 1));
    }
    BackendDescriptor& set(cudnnBackendAttributeName_t name, const BackendDescriptor& value) {
        const cudnnBackendDescriptor_t raw = value.get();
        return setDescriptors(name, {&raw, 1});
    }
    BackendDescriptor& setDescriptors(cudnnBackendAttributeName_t name,
                                      std::span<const cudnnBackendDescriptor_t> values) {
        if (m_status == CUDNN_STATUS_SUCCESS)
            m_status = cudnnBackendSetAttribute(m_descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                                static_cast<std::int64_t>(values.size()), values.data());
        return *this;
    }
    BackendDescriptor& finalize() {
        if (m_status == CUDNN_STATUS_SUCCESS)
            m_status = cudnnBackendFinalize(m_descriptor);
        return *this;
    }

    /// At most so many values of an attribute; none when it cannot be read.
    template <class T>
    std::vector<T> get(cudnnBackendAttributeName_t name, std::size_t most) const {
        std::vector<T> values(most);
        values.resize(read(name, AttributeType<T>::kValue, most, values.data()));
        return values;
    }
    /// How many descriptors the attribute has.
    std::size_t descriptors(cudnnBackendAttributeName_t name) const {
        std::int64_t count = 0;
        const cudnnStatus_t status =
            cudnnBackendGetAttribute(m_descriptor, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, &count, nullptr);
        return status == CUDNN_STATUS_SUCCESS && count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    /// Fills in descriptors that were made for it; how many.
    std::size_t getDescriptors(cudnnBackendAttributeName_t name,
                               std::span<cudnnBackendDescriptor_t> into) const {
        return read(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, into.size(), into.data());
    }

    cudnnBackendDescriptor_t get() const { return m_descriptor; }
    cudnnStatus_t status() const { return m_status; }

  private:
    std::size_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::size_t most,
                     void* values) const {
        std::int64_t count = 0;
        const cudnnStatus_t status = cudnnBackendGetAttribute(
            m_descriptor, name, type, static_cast<std::int64_t>(most), &count, values);
        return status == CUDNN_STATUS_SUCCESS && count > 0 ? std::min(most, static_cast<std::size_t>(count))
                                                           : 0;
    }

    cudnnBackendDescriptor_t m_descriptor = nullptr;
    cudnnStatus_t m_status;
};

} // namespace heteroscope::compute::nvidia
