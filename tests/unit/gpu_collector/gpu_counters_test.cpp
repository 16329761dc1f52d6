// SPDX-License-Identifier: Apache-2.0
// What is made of the device's counters, with values made by hand: no device is needed.
#include "profiling/collectors/gpu/gpu_counters.h"

#include <gmock/gmock.h>

#include <limits>

namespace heteroscope::profiling {
namespace {

using ::testing::HasSubstr;

RawKernelCounters raw() {
    // 2 us, half of the warps, 3000 + 1000 bytes, 10 additions, 20 multiplications, 100 fused ones
    return {"_ZN2ns4poolEPf", {2000, 50, 3000, 1000, 10, 20, 100}};
}

TEST(KernelCounters, CountAFusedOperationTwice) {
    const auto counters = kernelCounters(raw());
    ASSERT_TRUE(counters);
    EXPECT_EQ(counters->kernel, "pool");
    EXPECT_DOUBLE_EQ(counters->timeNs, 2000);
    EXPECT_DOUBLE_EQ(counters->occupancy, 0.5);
    EXPECT_DOUBLE_EQ(counters->dramReadBytes, 3000);
    EXPECT_DOUBLE_EQ(counters->dramWriteBytes, 1000);
    EXPECT_DOUBLE_EQ(counters->flops, 230);
}

TEST(KernelCounters, AKernelWithoutANameIsCountedAllTheSame) {
    RawKernelCounters unnamed = raw();
    unnamed.kernel.clear();
    EXPECT_EQ(kernelCounters(unnamed)->kernel, "unnamed kernel");
    unnamed.kernel = "not_mangled";
    EXPECT_EQ(kernelCounters(unnamed)->kernel, "not_mangled");
    unnamed.kernel = "f"; // a kernel of C, not the type float
    EXPECT_EQ(kernelCounters(unnamed)->kernel, "f");
}

TEST(KernelCounters, AValueThatIsNoneIsAnErrorWithItsCounter) {
    for (std::size_t i = 0; i < kCountedMetrics.size(); ++i)
        for (const double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
            RawKernelCounters broken = raw();
            broken.values[i] = wrong;
            const auto counters = kernelCounters(broken);
            ASSERT_FALSE(counters);
            EXPECT_THAT(counters.error().message, HasSubstr(kCountedMetrics[i]));
        }
}

TEST(KernelCounters, AreKeptInTheMetricsOfARun) {
    const OpCounters op{"gemm", "m2 n2 k2", "cuda:gemm:tiled", {*kernelCounters(raw())}};
    const Json metrics = {{kKernelCountersMetric, Json::array({toJson(op), toJson(op)})}};
    const auto read = opCountersOf(Json::from_cbor(Json::to_cbor(metrics)));
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[1].op, "gemm");
    EXPECT_EQ(read[1].detail, "m2 n2 k2");
    EXPECT_EQ(read[1].implementation, "cuda:gemm:tiled");
    ASSERT_EQ(read[1].kernels.size(), 1u);
    EXPECT_DOUBLE_EQ(read[1].kernels[0].flops, 230);
}

TEST(KernelCounters, WhatIsDamagedIsLeftOut) {
    EXPECT_TRUE(opCountersOf(Json::object()).empty());
    for (const char* text : {"7", "[7]", "[{\"kernels\": 3}]", "[{}]"})
        EXPECT_TRUE(opCountersOf({{kKernelCountersMetric, Json::parse(text)}}).empty()) << text;
    Json kernel = toJson(OpCounters{"gemm", "", "", {*kernelCounters(raw())}});
    kernel["kernels"][0]["flops"] = "many";
    const auto read = opCountersOf({{kKernelCountersMetric, Json::array({kernel})}});
    ASSERT_EQ(read.size(), 1u);
    EXPECT_TRUE(read[0].kernels.empty());
}

} // namespace
} // namespace heteroscope::profiling
