// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_gemm/gemm_device.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heteroscope::bench {

Spread spreadOf(std::vector<double> samples) {
    std::sort(samples.begin(), samples.end());
    return {samples.front(), samples[samples.size() / 2], samples.back()};
}

GemmDevice::GemmDevice(int largest) : m_elements(std::size_t(largest) * std::size_t(largest)) {
    std::mt19937 engine(35);
    std::uniform_real_distribution<float> value(-1.0F, 1.0F);
    std::vector<float> host(m_elements);
    for (float** memory : {&m_a, &m_b, &m_c}) {
        std::generate(host.begin(), host.end(), [&] { return value(engine); });
        void* allocated = nullptr;
        check(cudaMalloc(&allocated, m_elements * sizeof(float)));
        *memory = static_cast<float*>(allocated);
        if (allocated)
            check(cudaMemcpy(allocated, host.data(), m_elements * sizeof(float), cudaMemcpyHostToDevice));
    }
    check(cudaStreamCreate(&m_stream));
    check(cudaEventCreate(&m_begin));
    check(cudaEventCreate(&m_end));
    check(cublasCreate(&m_cublas));
    check(cublasSetStream(m_cublas, m_stream));
}

GemmDevice::~GemmDevice() {
    if (m_cublas)
        cublasDestroy(m_cublas);
    cudaEventDestroy(m_end);
    cudaEventDestroy(m_begin);
    cudaStreamDestroy(m_stream);
    for (float* memory : {m_a, m_b, m_c})
        cudaFree(memory);
}

std::string GemmDevice::name() const {
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "";
}

void GemmDevice::runOwn(compute::nvidia::GemmKernel kernel, int size) {
    check(compute::nvidia::launchGemm(kernel, size, size, size, m_a, m_b, m_c, m_stream));
}

/// cuBLAS stores by columns: the transposed product C' = B' A' of our row-major operands needs no copy.
void GemmDevice::runCublas(int size, bool tf32) {
    const float one = 1.0F, zero = 0.0F;
    check(cublasSetMathMode(m_cublas, tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_PEDANTIC_MATH));
    check(cublasSgemm(m_cublas, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, m_b, size, m_a, size, &zero,
                      m_c, size));
}

void GemmDevice::poisonResult() {
    check(cudaMemsetAsync(m_c, 0xFF, m_elements * sizeof(float), m_stream));
}

double GemmDevice::differenceTo(int size, bool keep) {
    std::vector<float> result(std::size_t(size) * std::size_t(size));
    check(cudaStreamSynchronize(m_stream));
    check(cudaMemcpy(result.data(), m_c, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
    if (keep)
        m_kept = result;
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double apart = double(result[i]) - double(m_kept[i]);
        difference += apart * apart;
        norm += double(m_kept[i]) * double(m_kept[i]);
    }
    return std::sqrt(difference / norm);
}

int GemmDevice::repetitionsFor(double spanMs, const std::function<void()>& launch) {
    launch();
    const double once = timeMs(3, launch);
    return std::clamp(int(std::ceil(spanMs / std::max(once, 1e-3))), 1, 2000);
}

double GemmDevice::timeMs(int repetitions, const std::function<void()>& launch) {
    check(cudaEventRecord(m_begin, m_stream));
    for (int i = 0; i < repetitions; ++i)
        launch();
    check(cudaEventRecord(m_end, m_stream));
    check(cudaEventSynchronize(m_end));
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, m_begin, m_end));
    return double(elapsed) / repetitions;
}

void GemmDevice::check(cudaError_t status) {
    if (status != cudaSuccess && m_error.empty())
        m_error = cudaGetErrorString(status);
}

void GemmDevice::check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS && m_error.empty())
        m_error = cublasGetStatusString(status);
}

} // namespace heteroscope::bench
