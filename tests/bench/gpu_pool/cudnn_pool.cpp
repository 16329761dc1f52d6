// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_pool/cudnn_pool.h"

#include <cudnn.h>
#include <stdexcept>

namespace heteroscope::bench {
namespace {

void expectCudnn(cudnnStatus_t status, const char* what) {
    if (status != CUDNN_STATUS_SUCCESS)
        throw std::runtime_error(std::string(what) + ": " + cudnnGetErrorString(status));
}

void describeTensor(cudnnTensorDescriptor_t descriptor, const compute::Shape4& shape) {
    expectCudnn(cudnnSetTensor4dDescriptor(descriptor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT,
                                           static_cast<int>(shape.n), static_cast<int>(shape.c),
                                           static_cast<int>(shape.h), static_cast<int>(shape.w)),
                "cudnnSetTensor4dDescriptor");
}

cudnnPoolingMode_t modeOf(const compute::PoolParams& params) {
    if (params.mode == compute::PoolMode::Max)
        return CUDNN_POOLING_MAX_DETERMINISTIC;
    return params.countIncludePad ? CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING
                                  : CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
}

constexpr float kOne = 1.0F, kZero = 0.0F;

} // namespace

struct CudnnPool::Handles {
    cudnnHandle_t cudnn = nullptr;
    cudnnPoolingDescriptor_t pooling = nullptr;
    cudnnTensorDescriptor_t src = nullptr, dst = nullptr;

    Handles() {
        expectCudnn(cudnnCreate(&cudnn), "cudnnCreate");
        expectCudnn(cudnnCreatePoolingDescriptor(&pooling), "cudnnCreatePoolingDescriptor");
        expectCudnn(cudnnCreateTensorDescriptor(&src), "cudnnCreateTensorDescriptor");
        expectCudnn(cudnnCreateTensorDescriptor(&dst), "cudnnCreateTensorDescriptor");
    }
    ~Handles() {
        cudnnDestroyTensorDescriptor(dst);
        cudnnDestroyTensorDescriptor(src);
        cudnnDestroyPoolingDescriptor(pooling);
        cudnnDestroy(cudnn);
    }
    Handles(const Handles&) = delete;
    Handles& operator=(const Handles&) = delete;
};

CudnnPool::CudnnPool(const PoolProblem& problem) : m_handles(std::make_unique<Handles>()) {
    const compute::PoolParams& p = problem.params;
    const auto small = [](std::int64_t value) { return static_cast<int>(value); };
    expectCudnn(cudnnSetPooling2dDescriptor(m_handles->pooling, modeOf(p), CUDNN_PROPAGATE_NAN,
                                            small(p.kernel.h), small(p.kernel.w), small(p.padding.top),
                                            small(p.padding.left), small(p.stride.h), small(p.stride.w)),
                "cudnnSetPooling2dDescriptor");
    describeTensor(m_handles->src, problem.src);
    describeTensor(m_handles->dst, problem.dst);
}

CudnnPool::~CudnnPool() = default;

void CudnnPool::forward(const PoolSet& set) const {
    expectCudnn(cudnnPoolingForward(m_handles->cudnn, m_handles->pooling, &kOne, m_handles->src,
                                    set.src.get(), &kZero, m_handles->dst, set.dst.get()),
                "cudnnPoolingForward");
}

void CudnnPool::backward(const PoolSet& set) const {
    expectCudnn(cudnnPoolingBackward(m_handles->cudnn, m_handles->pooling, &kOne, m_handles->dst,
                                     set.dst.get(), m_handles->dst, set.dstGrad.get(), m_handles->src,
                                     set.src.get(), &kZero, m_handles->src, set.srcGrad.get()),
                "cudnnPoolingBackward");
}

std::string CudnnPool::version() {
    const std::size_t v = cudnnGetVersion();
    return std::to_string(v / 10000) + "." + std::to_string(v / 100 % 100) + "." + std::to_string(v % 100);
}

} // namespace heteroscope::bench
