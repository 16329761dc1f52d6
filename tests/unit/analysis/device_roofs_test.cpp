// SPDX-License-Identifier: Apache-2.0
// The roofs of GPUs from their records, and of processors from what was measured.
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/op_repetitions.h"
#include "tests/unit/analysis/gpu_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace {

using test::gpuRecord;
using testing::HasSubstr;

TEST(DeviceRoofs, ComeFromClocksAndWidths) {
    const DeviceRoofs roofs = deviceRoofs(gpuRecord());
    ASSERT_TRUE(roofs.memory && roofs.fp32 && roofs.ridge());
    EXPECT_DOUBLE_EQ(roofs.memory->perSecond, 2.0 * 3201e6 * 768);
    EXPECT_DOUBLE_EQ(roofs.fp32->perSecond, 2.0 * 132 * 128 * 1980e6);
    EXPECT_NEAR(*roofs.ridge(), 13.61, 0.01);
    EXPECT_EQ(roofs.memory->source, "2 x 3201 MHz x 768 bytes");
    EXPECT_EQ(roofs.fp32->source, "2 x 132 multiprocessors x 128 lanes x 1980 MHz");
}

TEST(DeviceRoofs, WhatTheRecordLacksIsSaid) {
    Json record = gpuRecord();
    record["properties"]["compute_capability"] = "99.0";
    record["properties"].erase("memory_clock_mhz");
    const DeviceRoofs roofs = deviceRoofs(record);
    EXPECT_FALSE(roofs.memory || roofs.fp32 || roofs.ridge());
    EXPECT_THAT(roofs.whyNoFp32.text(), HasSubstr("99.0"));
    EXPECT_THAT(roofs.whyNoMemory.text(), HasSubstr("clock"));
    const DeviceRoofs cpu = deviceRoofs({{"id", "cpu"}, {"kind", "cpu"}, {"properties", Json::object()}});
    EXPECT_FALSE(cpu.memory || cpu.fp32);
    EXPECT_THAT(cpu.whyNoMemory.text(), HasSubstr("not measured on this machine"));
}

TEST(DeviceRoofs, ADamagedRecordHasNone) {
    for (const Json& value : {Json("text"), Json(-3), Json(0), Json(1e300), Json(nullptr)}) {
        Json record = gpuRecord();
        record["properties"]["memory_bus_bits"] = value;
        record["properties"]["clock_mhz"] = value;
        const DeviceRoofs roofs = deviceRoofs(record);
        EXPECT_FALSE(roofs.memory || roofs.fp32) << value.dump();
    }
}

/// Lanes from the table of arithmetic throughput in the CUDA C++ Programming Guide.
TEST(Roofline, RoofsAreWorkedOutFromTheDevicesRecord) {
    Json record = gpuRecord();
    const DeviceRoofs roofs = deviceRoofs(record);
    EXPECT_EQ(roofs.device, "cuda:0");
    EXPECT_EQ(roofs.name, "NVIDIA H200");
    EXPECT_DOUBLE_EQ(roofs.memory->perSecond, 2 * 3201e6 * 768);
    EXPECT_EQ(roofs.memory->source, "2 x 3201 MHz x 768 bytes");
    EXPECT_EQ(roofs.fp32->source, "2 x 132 multiprocessors x 128 lanes x 1980 MHz");
    const std::pair<const char*, int> known[] = {{"7.5", 64},   {"8.0", 64},   {"8.6", 128},
                                                 {"8.7", 128},  {"8.9", 128},  {"9.0", 128},
                                                 {"10.0", 128}, {"10.3", 128}, {"12.0", 128}};
    for (const auto& [capability, lanes] : known) {
        record["properties"]["compute_capability"] = capability;
        EXPECT_DOUBLE_EQ(deviceRoofs(record).fp32->perSecond, 2.0 * 132 * lanes * 1980e6) << capability;
    }
    for (const auto& [wrong, shown] :
         {std::pair(Json("7.0"), "7.0"), {Json(9.0), "(none)"}, {Json(""), "(none)"}}) {
        record["properties"]["compute_capability"] = wrong;
        EXPECT_FALSE(deviceRoofs(record).fp32);
        EXPECT_EQ(deviceRoofs(record).whyNoFp32,
                  std::string("how many operations a clock a multiprocessor of compute "
                              "capability ") +
                      shown + " does is not known here");
    }
    for (const char* key : {"multiprocessors", "clock_mhz", "memory_clock_mhz", "memory_bus_bits"})
        for (const Json& wrong : {Json(0), Json(-1), Json("many"), Json(1e12), Json(nullptr)}) {
            Json damaged = gpuRecord();
            damaged["properties"][key] = wrong;
            const DeviceRoofs found = deviceRoofs(damaged);
            const bool memory = std::string(key).starts_with("memory");
            EXPECT_EQ(found.memory.has_value(), !memory) << key << wrong;
            EXPECT_EQ(found.fp32.has_value(), memory) << key << wrong;
            EXPECT_EQ(memory ? found.whyNoMemory : found.whyNoFp32,
                      memory ? "the driver does not tell the memory's clock and width"
                             : "the driver does not tell the number of multiprocessors and their clock");
        }
    for (const Json& properties : {Json(nullptr), Json(5), Json::array()}) {
        record = gpuRecord();
        record["properties"] = properties;
        EXPECT_EQ(deviceRoofs(record).whyNoMemory, "no peak bandwidth of this device is recorded");
        record.erase("properties");
        EXPECT_EQ(deviceRoofs(record).whyNoFp32, "no peak rate of this device is recorded");
    }
    record = gpuRecord();
    record["kind"] = "fpga";
    EXPECT_EQ(deviceRoofs(record).whyNoMemory, "no peak bandwidth of this device is recorded");
    EXPECT_EQ(deviceRoofs(record).whyNoFp32, "no peak rate of this device is recorded");
    EXPECT_FALSE(deviceRoofs(record).ridge());
}

TEST(Roofs, OfAProcessorAreThoseThatWereMeasured) {
    Json record = {{"id", "cpu"},
                   {"kind", "cpu"},
                   {"name", "Example CPU"},
                   {"properties",
                    {{"memory_bytes_s", 2e10},
                     {"memory_bytes_s_source", "measured: a triad"},
                     {"fp32_flop_s", 3e13},
                     {"fp32_flop_s_source", "measured: multiply-adds"}}}};
    const DeviceRoofs roofs = deviceRoofs(record);
    ASSERT_TRUE(roofs.memory && roofs.fp32);
    EXPECT_EQ(roofs.memory->perSecond, 2e10);
    EXPECT_EQ(roofs.memory->source, "measured: a triad");
    EXPECT_EQ(roofs.fp32->source, "measured: multiply-adds");
    EXPECT_DOUBLE_EQ(*roofs.ridge(), 1500);
    EXPECT_EQ(roofs.whyNoMemory.text() + roofs.whyNoFp32.text(), "");
    for (const Json& wrong : {Json(0), Json(-1), Json("many"), Json(1e18), Json(nullptr)}) {
        record["properties"]["memory_bytes_s"] = wrong;
        EXPECT_FALSE(deviceRoofs(record).memory) << wrong;
        EXPECT_THAT(deviceRoofs(record).whyNoMemory.text(), ::testing::HasSubstr("devices --measure"));
        EXPECT_TRUE(deviceRoofs(record).fp32);
    }
}

/// A record of processors, with peaks or without.
Json processorRecord(const char* name, bool measured) {
    Json record = {{"id", "cpu"},
                   {"kind", "cpu"},
                   {"name", name},
                   {"properties", {{"cores", 2}, {"processors", 4}, {"simd", "avx2"}}}};
    if (measured)
        record["properties"].update({{"memory_bytes_s", 2e10},
                                     {"memory_bytes_s_source", "measured: triad"},
                                     {"fp32_flop_s", 1e11},
                                     {"fp32_flop_s_source", "measured: multiply-adds"},
                                     {"peaks_measured_utc", "2026-11-26T10:00:00Z"}});
    return record;
}

TEST(Roofs, MeasuredLaterAreThoseOfStudiesOfTheSameProcessors) {
    const Json machine = processorRecord("A", true);
    Study study;
    study.startedUtc = "2026-11-25T10:00:00Z";
    study.devices = {processorRecord("A", false)};
    EXPECT_TRUE(lacksPeaksOf(machine, study));
    EXPECT_TRUE(addPeaksOf(machine, study));
    EXPECT_FALSE(lacksPeaksOf(machine, study));
    const DeviceRoofs roofs = roofsOfStudy(study).at("cpu");
    ASSERT_TRUE(roofs.memory && roofs.fp32);
    EXPECT_EQ(roofs.memory->perSecond, 2e10);
    EXPECT_EQ(roofs.memory->source, "measured: triad; after this study");
    EXPECT_EQ(roofs.fp32->source, "measured: multiply-adds; after this study");
    EXPECT_FALSE(addPeaksOf(machine, study)) << "it has its own now";
}

TEST(Roofs, OfOtherProcessorsAreNotTaken) {
    Study study;
    study.devices = {processorRecord("B", false)};
    for (const Json& machine : {processorRecord("A", true), Json(), Json::array(), Json{{"id", "cpu"}}}) {
        EXPECT_FALSE(lacksPeaksOf(machine, study));
        EXPECT_FALSE(addPeaksOf(machine, study));
    }
    Json fewer = processorRecord("B", true);
    fewer["properties"]["cores"] = 1;
    EXPECT_FALSE(addPeaksOf(fewer, study));
    EXPECT_FALSE(addPeaksOf(processorRecord("B", false), study)) << "nothing was measured";
    EXPECT_TRUE(lacksPeaksOf(processorRecord("B", false), study)) << "and can be";
    study.devices = {Json(5), Json{{"kind", "cpu"}, {"properties", 3}}};
    EXPECT_FALSE(addPeaksOf(processorRecord("A", true), study));
}

} // namespace
} // namespace heteroscope::profiling
