// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/gpu_pool/pool_buffers.h"

#include "tests/bench/gpu_pool/spans.h"

#include <algorithm>
#include <cmath>
#include <cuda_runtime_api.h>
#include <random>

namespace heteroscope::bench {
namespace {

constexpr std::int64_t kDrawn = 1 << 22; ///< random numbers that are made; a larger tensor repeats them

double cacheBytes() {
    int device = 0, bytes = 0;
    expectCuda(cudaGetDevice(&device), "cudaGetDevice");
    expectCuda(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "cudaDeviceGetAttribute");
    return bytes;
}

} // namespace

void FreeDevice::operator()(float* memory) const {
    cudaFree(memory);
}

DeviceFloats allocateFloats(std::int64_t elements) {
    void* memory = nullptr;
    expectCuda(cudaMalloc(&memory, static_cast<std::size_t>(elements) * sizeof(float)), "cudaMalloc");
    return DeviceFloats(static_cast<float*>(memory));
}

DeviceFloats randomFloats(std::int64_t elements, std::uint32_t seed) {
    DeviceFloats result = allocateFloats(elements);
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
    std::vector<float> values(static_cast<std::size_t>(std::min(elements, kDrawn)));
    for (float& value : values)
        value = uniform(random);
    for (std::int64_t at = 0; at < elements; at += kDrawn) {
        const auto bytes = static_cast<std::size_t>(std::min(kDrawn, elements - at)) * sizeof(float);
        expectCuda(cudaMemcpy(result.get() + at, values.data(), bytes, cudaMemcpyHostToDevice), "upload");
    }
    return result;
}

double PoolProblem::backwardBytes() const {
    const double inputs = params.mode == compute::PoolMode::Max ? srcBytes() : 0.0;
    return dstBytes() + inputs + srcBytes();
}

std::string PoolProblem::text(bool backward) const {
    const compute::Op op = backward ? compute::Op(compute::PoolBackward{params, src})
                                    : compute::Op(compute::PoolForward{params, src});
    return compute::opName(op) + " " + compute::opDetail(op);
}

PoolProblem makeProblem(const compute::PoolParams& params, const compute::Shape4& src) {
    PoolProblem problem{params, src, compute::poolOutputShape(params, src).value(), {}};
    const double needed = 4 * cacheBytes() / problem.forwardBytes();
    const int sets = std::clamp(static_cast<int>(std::ceil(needed)), 1, 64);
    for (int i = 0; i < sets; ++i) {
        const auto seed = static_cast<std::uint32_t>(2 * i);
        PoolSet set;
        set.src = randomFloats(*src.elements(), seed);
        set.dst = allocateFloats(*problem.dst.elements());
        set.dstGrad = randomFloats(*problem.dst.elements(), seed + 1);
        set.srcGrad = allocateFloats(*src.elements());
        problem.sets.push_back(std::move(set));
    }
    return problem;
}

} // namespace heteroscope::bench
