// SPDX-License-Identifier: Apache-2.0
// What the GEMM benchmark needs of the GPU: operands, a stream, events, cuBLAS. The first error is kept and
// ends it.
#pragma once

#include "compute/backends/nvidia/cuda/gemm_kernels.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <functional>
#include <string>
#include <vector>

namespace heteroscope::bench {

struct Spread {
    double lowest, median, highest;
};
Spread spreadOf(std::vector<double> samples);

class GemmDevice {
  public:
    /// Random operands for squares up to `largest`; the smaller ones use the beginning of the same memory.
    explicit GemmDevice(int largest);
    ~GemmDevice();
    GemmDevice(const GemmDevice&) = delete;
    GemmDevice& operator=(const GemmDevice&) = delete;

    const std::string& error() const { return m_error; }
    std::string name() const;

    void runOwn(compute::nvidia::GemmKernel kernel, int size);
    void runCublas(int size, bool tf32);

    /// Fills the result with NaN.
    void poisonResult();
    /// ||C - R|| / ||R|| for the result R that was kept last; `keep` makes C that one.
    double differenceTo(int size, bool keep);
    /// Launches that take about that long together.
    int repetitionsFor(double spanMs, const std::function<void()>& launch);
    /// Device time of one of `repetitions` launches, from events around them.
    double timeMs(int repetitions, const std::function<void()>& launch);

  private:
    void check(cudaError_t status);
    void check(cublasStatus_t status);

    std::string m_error;
    std::size_t m_elements;
    float *m_a = nullptr, *m_b = nullptr, *m_c = nullptr;
    std::vector<float> m_kept;
    cudaStream_t m_stream = nullptr;
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
    cublasHandle_t m_cublas = nullptr;
};

} // namespace heteroscope::bench
