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

GemmDevice::GemmDevice(std::size_t elements) : m_elements(elements) {
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
    check(cudaDeviceGetAttribute(&m_limits.multiprocessors, cudaDevAttrMultiProcessorCount, 0));
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
    cudaFree(m_scratch);
}

std::string GemmDevice::name() const {
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess ? properties.name : "";
}

void* GemmDevice::scratch(std::size_t bytes) {
    if (bytes > m_scratchBytes) {
        check(cudaStreamSynchronize(m_stream));
        cudaFree(m_scratch);
        check(cudaMalloc(&m_scratch, bytes));
        m_scratchBytes = bytes;
    }
    return m_scratch;
}

void GemmDevice::runOwn(const compute::nvidia::GemmPlan& plan, const GemmSize& size) {
    void* const memory = scratch(compute::nvidia::gemmWorkspaceBytes(plan, size.m, size.n));
    check(compute::nvidia::launchGemm(plan, size.m, size.n, size.k, {m_a, m_b, m_c, memory}, m_stream));
}

/// cuBLAS stores by columns: the transposed product C' = B' A' of our row-major operands needs no copy.
void GemmDevice::runCublas(const GemmSize& size, bool tf32) {
    const float one = 1.0F, zero = 0.0F;
    check(cublasSetMathMode(m_cublas, tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH));
    check(cublasSgemm(m_cublas, CUBLAS_OP_N, CUBLAS_OP_N, size.n, size.m, size.k, &one, m_b, size.n, m_a,
                      size.k, &zero, m_c, size.n));
}

void GemmDevice::poisonResult() {
    check(cudaMemsetAsync(m_c, 0xFF, m_elements * sizeof(float), m_stream));
}

double GemmDevice::differenceTo(const GemmSize& size, bool keep) {
    std::vector<float> result(std::size_t(size.m) * std::size_t(size.n));
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
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
    check(cudaStreamBeginCapture(m_stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < repetitions; ++i)
        launch();
    check(cudaStreamEndCapture(m_stream, &graph));
    check(cudaGraphInstantiate(&runnable, graph, 0));
    check(cudaGraphUpload(runnable, m_stream));
    check(cudaEventRecord(m_begin, m_stream));
    check(cudaGraphLaunch(runnable, m_stream));
    check(cudaEventRecord(m_end, m_stream));
    check(cudaEventSynchronize(m_end));
    float elapsed = 0;
    check(cudaEventElapsedTime(&elapsed, m_begin, m_end));
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
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
