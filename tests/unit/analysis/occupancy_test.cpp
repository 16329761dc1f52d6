// SPDX-License-Identifier: Apache-2.0
// Theoretical occupancy against what NVIDIA's occupancy calculator gives.
#include "profiling/analysis/occupancy.h"

#include <gtest/gtest.h>

#include <limits>

namespace heteroscope::profiling {
namespace {

KernelShape shapeOf(int threads, int registers, int sharedBytes) {
    KernelShape shape;
    shape.block = {threads, 1, 1};
    shape.registersPerThread = registers;
    shape.staticSharedBytes = sharedBytes;
    return shape;
}

MultiprocessorLimits limitsOf(double capability) {
    if (capability == 9.0)
        return {132, 9, 2048, 32, 65536, 233472, 1024};
    if (capability == 8.0)
        return {108, 8, 2048, 32, 65536, 167936, 1024};
    if (capability == 8.6)
        return {84, 8, 1536, 16, 65536, 102400, 1024};
    return {40, 7, 1024, 16, 65536, 65536, 1024};
}

struct Known {
    double capability;
    int threads, registers, sharedBytes, blocks;
};

/// Blocks on a multiprocessor as cudaOccMaxActiveBlocksPerMultiprocessor() of CUDA 13.0's cuda_occupancy.h
/// gave them on 2026-11-21 for these devices (largest shared memory a block, no partitioned caching).
constexpr Known kKnown[] = {
    {7.5, 1000, 40, 100, 1},   {7.5, 1000, 72, 8192, 0}, {7.5, 1024, 16, 100, 1},   {7.5, 1024, 32, 49152, 1},
    {7.5, 1024, 40, 0, 1},     {7.5, 160, 255, 100, 1},  {7.5, 32, 168, 49152, 1},  {7.5, 32, 40, 8192, 8},
    {7.5, 384, 40, 49152, 1},  {7.5, 96, 168, 8192, 4},  {7.5, 96, 255, 100, 2},    {7.5, 96, 40, 1024, 10},
    {8.0, 1024, 72, 49152, 0}, {8.0, 128, 255, 0, 2},    {8.0, 128, 33, 49152, 3},  {8.0, 128, 96, 8192, 5},
    {8.0, 160, 16, 20000, 7},  {8.0, 160, 40, 8192, 9},  {8.0, 160, 64, 49152, 3},  {8.0, 256, 32, 1024, 8},
    {8.0, 256, 64, 0, 4},      {8.0, 32, 168, 49152, 3}, {8.0, 512, 40, 1024, 3},   {8.0, 512, 72, 8192, 1},
    {8.6, 1000, 255, 8192, 0}, {8.6, 1000, 40, 100, 1},  {8.6, 1024, 96, 0, 0},     {8.6, 128, 72, 0, 7},
    {8.6, 160, 168, 8192, 2},  {8.6, 160, 40, 1024, 9},  {8.6, 160, 96, 20000, 4},  {8.6, 32, 16, 1024, 16},
    {8.6, 32, 255, 0, 8},      {8.6, 384, 33, 100, 4},   {8.6, 512, 128, 20000, 1}, {8.6, 96, 128, 49152, 2},
    {9.0, 1000, 72, 1024, 0},  {9.0, 1024, 16, 0, 2},    {9.0, 1024, 33, 49152, 1}, {9.0, 128, 72, 0, 7},
    {9.0, 160, 168, 0, 2},     {9.0, 160, 96, 49152, 4}, {9.0, 32, 40, 49152, 4},   {9.0, 384, 32, 100, 5},
    {9.0, 384, 72, 20000, 2},  {9.0, 512, 64, 8192, 2},
};

TEST(Occupancy, BlocksAreThoseOfTheCalculator) {
    for (const Known& known : kKnown) {
        const auto occupancy = theoreticalOccupancy(
            shapeOf(known.threads, known.registers, known.sharedBytes), limitsOf(known.capability));
        EXPECT_EQ(occupancy ? occupancy->blocks : 0, known.blocks)
            << known.capability << ": " << known.threads << " threads, " << known.registers << " registers, "
            << known.sharedBytes << " bytes";
    }
}

TEST(Occupancy, TheLimiterIsTheSmallestLimit) {
    const MultiprocessorLimits h200 = limitsOf(9.0);
    const auto limiter = [&](int threads, int registers, int shared) {
        return theoreticalOccupancy(shapeOf(threads, registers, shared), h200)->limit;
    };
    EXPECT_EQ(limiter(1024, 16, 0), OccupancyLimit::Warps);
    EXPECT_EQ(limiter(32, 16, 0), OccupancyLimit::Blocks);
    EXPECT_EQ(limiter(128, 72, 0), OccupancyLimit::Registers);
    EXPECT_EQ(limiter(128, 16, 49152), OccupancyLimit::SharedMemory);
}

TEST(Occupancy, ShareAndFillAreOfTheWholeDevice) {
    KernelShape shape = shapeOf(128, 72, 0);
    shape.grid = {66, 7, 1};
    const auto occupancy = theoreticalOccupancy(shape, limitsOf(9.0));
    ASSERT_TRUE(occupancy);
    EXPECT_EQ(occupancy->warps, 28);
    EXPECT_DOUBLE_EQ(occupancy->share, 28.0 / 64);
    EXPECT_DOUBLE_EQ(occupancy->gridFill, 0.5);
    EXPECT_EQ(occupancy->sentence(), "43.8 %, 28 of 64 warps, limited by registers");
}

TEST(Occupancy, BlocksThatDoNotFitHaveNone) {
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(1025, 16, 0), limitsOf(9.0)));
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(32, 16, 233473), limitsOf(9.0)));
    KernelShape huge = shapeOf(32, 16, 0);
    huge.staticSharedBytes = huge.dynamicSharedBytes = std::numeric_limits<std::int64_t>::max();
    EXPECT_FALSE(theoreticalOccupancy(huge, limitsOf(9.0)));
}

TEST(Occupancy, LimitsComeFromTheDeviceRecordOrNotAtAll) {
    Json properties = {{"compute_capability", "9.0"},
                       {"multiprocessors", 132},
                       {"max_threads_per_multiprocessor", 2048},
                       {"max_blocks_per_multiprocessor", 32},
                       {"registers_per_multiprocessor", 65536},
                       {"shared_memory_per_multiprocessor_bytes", 233472},
                       {"max_threads_per_block", 1024}};
    const auto limits = multiprocessorLimits(properties);
    ASSERT_TRUE(limits);
    EXPECT_EQ(limits->registers, 65536);
    EXPECT_EQ(limits->major, 9);
    for (const char* unknown : {"7.0", "12.0", "", "x.y", "9"}) {
        Json other = properties;
        other["compute_capability"] = unknown;
        EXPECT_FALSE(multiprocessorLimits(other)) << unknown;
    }
    for (const Json& bad : {Json(0), Json(-1), Json("many"), Json(1e300)}) {
        Json other = properties;
        other["registers_per_multiprocessor"] = bad;
        EXPECT_FALSE(multiprocessorLimits(other)) << bad;
    }
    properties.erase("multiprocessors");
    EXPECT_FALSE(multiprocessorLimits(properties));
    EXPECT_FALSE(multiprocessorLimits(Json()));
}

/// Four blocks take all of the shared memory, and one byte more leaves room for three. Units of 128 bytes and
/// 1024 bytes of the system for each block from compute capability 8.0 on; units of 256 bytes before.
TEST(Occupancy, SharedMemoryIsGivenInUnits) {
    const struct {
        double capability;
        int most;
    } cases[] = {
        {7.5, 65536 / 4}, {8.0, 167936 / 4 - 1024}, {8.6, 102400 / 4 - 1024}, {9.0, 233472 / 4 - 1024}};
    for (const auto& item : cases) {
        const MultiprocessorLimits limits = limitsOf(item.capability);
        EXPECT_EQ(theoreticalOccupancy(shapeOf(32, 16, item.most), limits)->blocks, 4) << item.capability;
        EXPECT_EQ(theoreticalOccupancy(shapeOf(32, 16, item.most + 1), limits)->blocks, 3) << item.capability;
    }
    KernelShape shape = shapeOf(32, 16, 10000);
    shape.dynamicSharedBytes = 65536 / 4 - 10000;
    EXPECT_EQ(theoreticalOccupancy(shape, limitsOf(7.5))->blocks, 4);
    shape.dynamicSharedBytes = limitsOf(7.5).sharedBytes + 1;
    shape.staticSharedBytes = 0;
    EXPECT_FALSE(theoreticalOccupancy(shape, limitsOf(7.5)));
    EXPECT_EQ(theoreticalOccupancy(shapeOf(32, 16, 65536), limitsOf(7.5))->blocks, 1);
}

/// 256 registers at a time, and warps in each of four partitions with a quarter of the registers.
TEST(Occupancy, RegistersAreGivenInUnitsAndPartitions) {
    const MultiprocessorLimits h200 = limitsOf(9.0);
    EXPECT_EQ(theoreticalOccupancy(shapeOf(128, 128, 0), h200)->blocks, 4); // 16384 / 4096 warps a partition
    EXPECT_EQ(theoreticalOccupancy(shapeOf(128, 129, 0), h200)->blocks, 3); // 16384 / 4352
    EXPECT_EQ(theoreticalOccupancy(shapeOf(128, 136, 0), h200)->blocks, 3);
    EXPECT_EQ(theoreticalOccupancy(shapeOf(33, 128, 0), h200)->blocks, 8); // two warps
    EXPECT_EQ(theoreticalOccupancy(shapeOf(128, 0, 0), h200)->limit, OccupancyLimit::Warps);
}

TEST(Occupancy, OfTooFewThreadsIsNone) {
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(0, 16, 0), limitsOf(9.0)));
    EXPECT_TRUE(theoreticalOccupancy(shapeOf(1, 16, 0), limitsOf(9.0)));
    EXPECT_TRUE(theoreticalOccupancy(shapeOf(1024, 16, 0), limitsOf(9.0)));
    MultiprocessorLimits tiny = limitsOf(9.0);
    tiny.threads = 31; // not one warp
    EXPECT_FALSE(theoreticalOccupancy(shapeOf(1, 16, 0), tiny));
}

TEST(Occupancy, LimitsAreOfKnownDevicesAndSensible) {
    Json properties = {{"compute_capability", "7.5"},
                       {"multiprocessors", 1},
                       {"max_threads_per_multiprocessor", 2},
                       {"max_blocks_per_multiprocessor", 3},
                       {"registers_per_multiprocessor", 4},
                       {"shared_memory_per_multiprocessor_bytes", (std::int64_t{1} << 40) - 1},
                       {"max_threads_per_block", 6}};
    const auto limits = multiprocessorLimits(properties);
    ASSERT_TRUE(limits);
    EXPECT_EQ(limits->multiprocessors, 1);
    EXPECT_EQ(limits->major, 7);
    EXPECT_EQ(limits->threads, 2);
    EXPECT_EQ(limits->blocks, 3);
    EXPECT_EQ(limits->registers, 4);
    EXPECT_EQ(limits->sharedBytes, (std::int64_t{1} << 40) - 1);
    EXPECT_EQ(limits->threadsPerBlock, 6);
    for (const char* key : {"compute_capability", "multiprocessors", "max_threads_per_multiprocessor",
                            "max_blocks_per_multiprocessor", "registers_per_multiprocessor",
                            "shared_memory_per_multiprocessor_bytes", "max_threads_per_block"}) {
        for (const Json& wrong : {Json(nullptr), Json(0), Json(std::int64_t{1} << 40), Json(1.5)}) {
            Json other = properties;
            other[key] = wrong;
            EXPECT_FALSE(multiprocessorLimits(other)) << key << " " << wrong;
        }
        Json other = properties;
        other.erase(key);
        EXPECT_FALSE(multiprocessorLimits(other)) << key;
    }
    for (const char* known : {"8.9", "9.0", "9.9"}) {
        properties["compute_capability"] = known;
        EXPECT_TRUE(multiprocessorLimits(properties)) << known;
    }
    for (const char* unknown : {"7.4", "9x0", "10.0", "8.60"}) {
        properties["compute_capability"] = unknown;
        EXPECT_FALSE(multiprocessorLimits(properties)) << unknown;
    }
}

TEST(Occupancy, LimitsHaveNames) {
    EXPECT_STREQ(occupancyLimitName(OccupancyLimit::Warps), "warps");
    EXPECT_STREQ(occupancyLimitName(OccupancyLimit::Blocks), "blocks");
    EXPECT_STREQ(occupancyLimitName(OccupancyLimit::Registers), "registers");
    EXPECT_STREQ(occupancyLimitName(OccupancyLimit::SharedMemory), "shared memory");
}

TEST(Occupancy, LimitsAreOfEveryDeviceThatTheStudyTells) {
    const auto record = [](const char* id, int multiprocessors) {
        return Json{{"id", id},
                    {"properties",
                     {{"compute_capability", "9.0"},
                      {"multiprocessors", multiprocessors},
                      {"max_threads_per_multiprocessor", 2048},
                      {"max_blocks_per_multiprocessor", 32},
                      {"registers_per_multiprocessor", 65536},
                      {"shared_memory_per_multiprocessor_bytes", 233472},
                      {"max_threads_per_block", 1024}}}};
    };
    Study study;
    study.devices = {record("cuda:0", 1), Json{{"id", "cuda:2"}}, Json{{"id", 3}}, Json("cpu")};
    study.environment = {{"devices", {record("cuda:0", 9), record("cuda:1", 2), Json{{"properties", 5}}}}};
    const auto limits = deviceLimits(study);
    ASSERT_EQ(limits.size(), 2u);
    EXPECT_EQ(limits.at("cuda:0").multiprocessors, 1) << "the study's own record comes first";
    EXPECT_EQ(limits.at("cuda:1").multiprocessors, 2);
}

} // namespace
} // namespace heteroscope::profiling
