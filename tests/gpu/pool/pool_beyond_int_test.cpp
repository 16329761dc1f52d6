// SPDX-License-Identifier: Apache-2.0
// Pooling of tensors with more elements than 31 bits count: their last rows must come out as those of a small
// tensor with the same content.
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"
#include "compute/backends/nvidia/kernels/pool/pool_tile.h"
#include "tests/gpu/pool/device_tensor.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/sequential.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cuda_runtime_api.h>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kWidth = 33000;
constexpr std::int64_t kTail = 60; ///< rows that are compared; a multiple of the strides here

struct Floats {
    explicit Floats(std::int64_t elements) : count(elements) {
        expectCuda(cudaMalloc(reinterpret_cast<void**>(&data), static_cast<std::size_t>(elements) * 4),
                   "cudaMalloc");
    }
    ~Floats() { cudaFree(data); }
    Floats(const Floats&) = delete;
    Floats& operator=(const Floats&) = delete;

    /// Random numbers, again and again.
    void fill(std::uint32_t seed) {
        const auto some = makeData(Data::Reals, 1'000'003, seed);
        auto done = std::min(count, static_cast<std::int64_t>(some.size()));
        copy(0, some.data(), done);
        for (; done < count; done *= 2)
            copy(done, data, std::min(count - done, done));
    }

    std::vector<float> last(std::int64_t elements) const {
        std::vector<float> values(static_cast<std::size_t>(elements));
        expectCuda(
            cudaMemcpy(values.data(), data + count - elements, values.size() * 4, cudaMemcpyDeviceToHost),
            "download");
        return values;
    }

    float* data = nullptr;
    std::int64_t count;

  private:
    void copy(std::int64_t at, const float* from, std::int64_t elements) {
        expectCuda(cudaMemcpy(data + at, from, static_cast<std::size_t>(elements) * 4, cudaMemcpyDefault),
                   "fill");
    }
};

bool enoughMemory(std::int64_t bytes) {
    std::size_t free = 0, total = 0;
    expectCuda(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    return free > static_cast<std::size_t>(bytes) + (std::size_t{1} << 30);
}

class PoolBeyondInt : public testing::TestWithParam<std::tuple<bool, int>> {
  protected:
    void SetUp() override {
        if (const std::string reason = whyNoGpu(); !reason.empty())
            SKIP_WITHOUT("gpu", reason);
        if (!enoughMemory(24'000'000'000))
            SKIP_WITHOUT("gpu-memory", "needs 24 GB of free device memory");
    }
};

TEST_P(PoolBeyondInt, LastRowsComeOutRight) {
    const auto [onePlane, size] = GetParam();
    PoolParams params;
    params.kernel = params.stride = {size, size};
    constexpr std::int64_t rows = 66000; // 2.2 thousand million elements
    const Shape4 shape = onePlane ? Shape4{1, 1, rows, kWidth} : Shape4{1, rows / kTail, kTail, kWidth};
    const Shape4 small{1, 1, kTail, kWidth};
    const std::int64_t outputs = *poolOutputShape(params, shape)->elements();
    const std::int64_t smallOutputs = *poolOutputShape(params, small)->elements();
    Floats src(*shape.elements()), dst(outputs), srcGrad(*shape.elements());
    src.fill(1);
    ASSERT_EQ(launchPoolForward(params, shape, src.data, dst.data, deviceLimits(), nullptr), cudaSuccess);
    std::vector<float> expected(static_cast<std::size_t>(smallOutputs));
    const auto tail = src.last(kTail * kWidth);
    computeSequential(PoolForward{params, small}, {tail.data()}, {expected.data()});
    EXPECT_TRUE(sameTensor(expected, dst.last(smallOutputs)));

    ASSERT_EQ(launchPoolBackward(params, shape, src.data, dst.data, srcGrad.data, deviceLimits(), nullptr),
              cudaSuccess);
    std::vector<float> gradient(tail.size());
    computeSequential(PoolBackward{params, small}, {tail.data(), expected.data()}, {gradient.data()});
    EXPECT_TRUE(sameTensor(gradient, srcGrad.last(kTail * kWidth)));
}

/// Of planes of one element, padding makes 2.9 thousand million results; all of a plane are that element.
TEST_P(PoolBeyondInt, ResultsOfSmallPlanesWithLargePaddingComeOutRight) {
    const Shape4 shape{1, 8176, 1, 1};
    const std::int64_t size = 600, pad = size - 1, outputs = size * size;
    PoolParams params;
    params.kernel = {size, size}, params.stride = {1, 1}, params.padding = {pad, pad, pad, pad};
    ASSERT_EQ(*poolOutputShape(params, shape)->elements(), shape.c * outputs);
    Floats src(shape.c), dst(shape.c * outputs);
    src.fill(2);
    expectCuda(cudaMemset(dst.data, 0xFF, static_cast<std::size_t>(dst.count) * 4), "cudaMemset");
    ASSERT_EQ(std::get<0>(GetParam())
                  ? launchTileForward(params, shape, src.data, dst.data, nullptr)
                  : launchPoolForward(params, shape, src.data, dst.data, deviceLimits(), nullptr),
              cudaSuccess);
    constexpr std::int64_t planes = 3;
    const auto values = src.last(planes), actual = dst.last(planes * outputs);
    std::vector<float> expected;
    for (const float value : values)
        expected.insert(expected.end(), static_cast<std::size_t>(outputs), value);
    EXPECT_TRUE(sameTensor(expected, actual));
}

INSTANTIATE_TEST_SUITE_P(Windows, PoolBeyondInt, testing::Combine(testing::Bool(), testing::Values(2, 3)));

} // namespace
} // namespace heteroscope::compute::nvidia
