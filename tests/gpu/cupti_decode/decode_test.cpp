// SPDX-License-Identifier: Apache-2.0
// CUPTI's buffers, made byte by byte, as records: no GPU and no CUPTI library is needed.
#include "tests/gpu/cupti_decode/raw_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <tuple>

namespace heteroscope::profiling {
namespace {

using namespace testing;
using ::testing::ElementsAre;

struct Decoded {
    std::vector<GpuRecord> records;
    GpuTraceQuality quality;
};

Decoded decoded(std::span<std::uint8_t> bytes, std::int64_t offset = 0) {
    CuptiDecoder decoder(callNameOf);
    Decoded result;
    decoder.decodeBuffer(bytes, nextRecord, offset, result.records);
    result.quality = decoder.quality();
    return result;
}

template <class What>
const What& only(const Decoded& result) {
    EXPECT_EQ(result.records.size(), 1u);
    EXPECT_EQ(result.quality.delivered, 1u);
    EXPECT_EQ(result.quality.undecodable, 0u);
    return std::get<What>(result.records.at(0).what);
}

TEST(CuptiDecode, AKernelKeepsEveryField) {
    RawBytes bytes;
    bytes.add(kernelRecord("_ZN4pool7forwardIfEEvPKf", 1000, 1500, 42));
    const Decoded result = decoded(bytes.span(), 5);
    const auto& kernel = only<GpuKernel>(result);
    EXPECT_EQ(result.records[0].startNs, 1005);
    EXPECT_EQ(result.records[0].endNs, 1505);
    EXPECT_EQ(result.records[0].correlation, 42u);
    EXPECT_EQ(kernel.name, "void pool::forward<float>(float const*)");
    EXPECT_EQ(kernel.place, (GpuPlace{1, 2, 7}));
    EXPECT_THAT(kernel.grid, ElementsAre(10, 11, 12));
    EXPECT_THAT(kernel.block, ElementsAre(32, 4, 2));
    EXPECT_EQ(kernel.registersPerThread, 40u);
    EXPECT_EQ(kernel.staticSharedBytes, 1024u);
    EXPECT_EQ(kernel.dynamicSharedBytes, 2048u);
    EXPECT_EQ(kernel.sharedExecutedBytes, 8192u);
    EXPECT_EQ(kernel.localBytesPerThread, 16u);
    EXPECT_EQ(kernel.graph, 0u);
}

TEST(CuptiDecode, NamesThatAreNoneOrNotMangledStay) {
    RawBytes bytes;
    bytes.add(kernelRecord(nullptr, 1, 2, 1))
        .add(kernelRecord("sm90_xmma_gemm", 1, 2, 2))
        .add(kernelRecord("f", 1, 2, 3))
        .add(kernelRecord("_Znonsense", 1, 2, 4));
    const Decoded result = decoded(bytes.span());
    const std::vector<std::string> names{"unnamed kernel", "sm90_xmma_gemm", "f", "_Znonsense"};
    ASSERT_EQ(result.records.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i)
        EXPECT_EQ(std::get<GpuKernel>(result.records[i].what).name, names[i]);
}

/// A module that is unloaded leaves its name's address to another one.
TEST(CuptiDecode, AnAddressThatIsUsedAgainNamesTheNewKernel) {
    std::array<char, 16> name{"first"};
    CuptiDecoder decoder(callNameOf);
    std::vector<GpuRecord> records;
    RawBytes bytes;
    bytes.add(kernelRecord(name.data(), 1, 2, 1));
    decoder.decodeBuffer(bytes.span(), nextRecord, 0, records);
    std::strcpy(name.data(), "second");
    decoder.decodeBuffer(bytes.span(), nextRecord, 0, records);
    EXPECT_EQ(std::get<GpuKernel>(records.at(0).what).name, "first");
    EXPECT_EQ(std::get<GpuKernel>(records.at(1).what).name, "second");
}

TEST(CuptiDecode, KernelsOfAGraphNameGraphAndNode) {
    RawBytes bytes;
    for (const std::uint64_t node : {31u, 32u, 31u}) {
        auto record = kernelRecord("k", 10, 20, 6);
        record.graphId = 3;
        record.graphNodeId = node;
        bytes.add(record);
    }
    const Decoded result = decoded(bytes.span());
    ASSERT_EQ(result.records.size(), 3u);
    EXPECT_EQ(std::get<GpuKernel>(result.records[1].what).graph, 3u);
    EXPECT_EQ(std::get<GpuKernel>(result.records[1].what).graphNode, 32u);
    EXPECT_EQ(std::get<GpuKernel>(result.records[2].what).graphNode, 31u);
    EXPECT_EQ(result.records[0].correlation, result.records[2].correlation) << "one launch of the graph";
}

using CopyFacts = std::tuple<CUpti_ActivityMemcpyKind, CUpti_ActivityMemoryKind, CUpti_ActivityMemoryKind,
                             CopyKind, MemoryKind, MemoryKind>;
class CuptiCopies : public ::testing::TestWithParam<CopyFacts> {};

TEST_P(CuptiCopies, KeepDirectionMemoryAndBytes) {
    const auto [kind, from, to, expected, expectedFrom, expectedTo] = GetParam();
    for (const bool async : {false, true}) {
        RawBytes bytes;
        auto record = copyRecord(kind, from, to, (1ull << 33) + 5);
        record.flags = async ? CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC : 0;
        record.graphId = 4;
        const Decoded result = decoded(bytes.add(record).span());
        const auto& copy = only<GpuCopy>(result);
        EXPECT_EQ(copy.kind, expected);
        EXPECT_EQ(copy.from, expectedFrom);
        EXPECT_EQ(copy.to, expectedTo);
        EXPECT_EQ(copy.bytes, (1ull << 33) + 5);
        EXPECT_EQ(copy.async, async);
        EXPECT_EQ(copy.graph, 4u);
        EXPECT_EQ(copy.place, (GpuPlace{1, 2, 9}));
        EXPECT_EQ(result.records[0].correlation, 5u);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, CuptiCopies,
    ::testing::Values(CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
                                CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, CopyKind::HostToDevice,
                                MemoryKind::Pageable, MemoryKind::Device},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_HTOD, CUPTI_ACTIVITY_MEMORY_KIND_PINNED,
                                CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, CopyKind::HostToDevice, MemoryKind::Pinned,
                                MemoryKind::Device},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                                CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE, CopyKind::DeviceToHost,
                                MemoryKind::Device, MemoryKind::Pageable},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_DTOH, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC,
                                CUPTI_ACTIVITY_MEMORY_KIND_PINNED, CopyKind::DeviceToHost, MemoryKind::Device,
                                MemoryKind::Pinned},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_DTOD, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                                CUPTI_ACTIVITY_MEMORY_KIND_DEVICE, CopyKind::DeviceToDevice,
                                MemoryKind::Device, MemoryKind::Device},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_HTOH, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
                                CUPTI_ACTIVITY_MEMORY_KIND_PINNED, CopyKind::HostToHost, MemoryKind::Pageable,
                                MemoryKind::Pinned},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_HTOA, CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE,
                                CUPTI_ACTIVITY_MEMORY_KIND_ARRAY, CopyKind::Other, MemoryKind::Pageable,
                                MemoryKind::Array},
                      CopyFacts{CUPTI_ACTIVITY_MEMCPY_KIND_PTOP, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE,
                                CUPTI_ACTIVITY_MEMORY_KIND_MANAGED, CopyKind::PeerToPeer, MemoryKind::Device,
                                MemoryKind::Managed},
                      CopyFacts{static_cast<CUpti_ActivityMemcpyKind>(200),
                                static_cast<CUpti_ActivityMemoryKind>(200),
                                CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC, CopyKind::Other,
                                MemoryKind::Unknown, MemoryKind::Managed}));

TEST(CuptiDecode, ACopyBetweenPeersIsOnTheDeviceThatMakesIt) {
    auto record = blank<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
    record.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
    record.srcKind = record.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    record.bytes = 4096;
    record.start = 10;
    record.end = 30;
    record.deviceId = 0;
    record.contextId = 1;
    record.streamId = 13;
    record.srcDeviceId = 0;
    record.dstDeviceId = 1;
    record.dstContextId = 2;
    record.correlationId = 8;
    RawBytes bytes;
    const Decoded result = decoded(bytes.add(record).span());
    const auto& copy = only<GpuCopy>(result);
    EXPECT_EQ(copy.kind, CopyKind::PeerToPeer);
    EXPECT_EQ(copy.place, (GpuPlace{0, 1, 13}));
    EXPECT_EQ(copy.bytes, 4096u);
    EXPECT_EQ(result.records[0].correlation, 8u);
}

TEST(CuptiDecode, AMemsetKeepsValueBytesAndMemory) {
    auto record = blank<CUpti_ActivityMemset4>(CUPTI_ACTIVITY_KIND_MEMSET);
    record.value = 0xAB;
    record.bytes = 12345;
    record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
    record.start = 1;
    record.end = 2;
    record.streamId = 3;
    record.correlationId = 4;
    RawBytes bytes;
    const Decoded result = decoded(bytes.add(record).span());
    const auto& memset = only<GpuMemset>(result);
    EXPECT_EQ(memset.value, 0xABu);
    EXPECT_EQ(memset.bytes, 12345u);
    EXPECT_EQ(memset.memory, MemoryKind::Device);
    EXPECT_EQ(memset.place.stream, 3u);
}

TEST(CuptiDecode, WaitsAreNamedByWhoWaitsForWhat) {
    const std::vector<std::pair<CUpti_ActivitySynchronizationType, std::string>> kinds{
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE, "host waits for an event"},
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT, "stream waits for an event"},
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE, "host waits for a stream"},
        {CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE, "host waits for the device"},
        {static_cast<CUpti_ActivitySynchronizationType>(99), "waits"}};
    for (const auto& [type, name] : kinds) {
        auto record = blank<CUpti_ActivitySynchronization2>(CUPTI_ACTIVITY_KIND_SYNCHRONIZATION);
        record.type = type;
        record.start = 5;
        record.end = 9;
        record.contextId = 2;
        record.streamId = 7;
        RawBytes bytes;
        const Decoded result = decoded(bytes.add(record).span());
        const auto& wait = only<GpuSynchronization>(result);
        EXPECT_EQ(wait.name, name);
        EXPECT_EQ(wait.context, 2u);
        EXPECT_EQ(wait.stream, 7u);
        EXPECT_EQ(result.records[0].endNs - result.records[0].startNs, 4);
    }
}

TEST(CuptiDecode, OverheadIsNamedByItsCause) {
    const std::vector<std::pair<int, std::string>> kinds{
        {CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER, "driver compiles code"},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH, "profiler hands out records"},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION, "profiler prepares kernels"},
        {CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE, "profiler makes resources"},
        {CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING, "runtime loads a module"},
        {CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING, "runtime loads a kernel at first use"},
        {CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL, "command buffer is full"},
        {CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST, "profiler asks for a buffer"},
        {4711, "other overhead"}};
    for (const auto& [kind, name] : kinds) {
        auto record = blank<CUpti_ActivityOverhead3>(CUPTI_ACTIVITY_KIND_OVERHEAD);
        record.overheadKind = static_cast<CUpti_ActivityOverheadKind>(kind);
        record.start = 1;
        record.end = 2;
        RawBytes bytes;
        const Decoded result = decoded(bytes.add(record).span());
        EXPECT_EQ(only<GpuOverhead>(result).name, name);
    }
}

TEST(CuptiDecode, MemoryIsTakenAndGivenBackAtAMoment) {
    for (const bool release : {false, true}) {
        auto record = blank<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
        record.memoryOperationType = release ? CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE
                                             : CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
        record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
        record.bytes = 1ull << 34;
        record.timestamp = 500;
        record.deviceId = 3;
        RawBytes bytes;
        const Decoded result = decoded(bytes.add(record).span(), -100);
        const auto& allocation = only<GpuAllocation>(result);
        EXPECT_EQ(allocation.release, release);
        EXPECT_EQ(allocation.bytes, 1ull << 34);
        EXPECT_EQ(allocation.device, 3u);
        EXPECT_EQ(allocation.memory, MemoryKind::Device);
        EXPECT_EQ(result.records[0].startNs, 400);
        EXPECT_EQ(result.records[0].endNs, 400);
    }
}

TEST(CuptiDecode, CallsLoseTheVersionOfTheRuntimesInterfaceOnly) {
    RawBytes bytes;
    auto failed = callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 9999, 1, 2, 3);
    failed.returnValue = 700;
    bytes.add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 1, 2, 1))
        .add(callRecord(CUPTI_ACTIVITY_KIND_DRIVER, 307, 1, 2, 2))
        .add(failed);
    const Decoded result = decoded(bytes.span());
    ASSERT_EQ(result.records.size(), 3u);
    const auto call = [&](std::size_t i) { return std::get<GpuApiCall>(result.records[i].what); };
    EXPECT_EQ(call(0).name, "cudaLaunchKernel");
    EXPECT_EQ(call(0).thread, 77u);
    EXPECT_FALSE(call(0).driver);
    EXPECT_EQ(call(1).name, "cuLaunchKernel_v2");
    EXPECT_TRUE(call(1).driver);
    EXPECT_EQ(call(2).name, "call 9999");
    EXPECT_EQ(call(2).returnValue, 700u);
}

TEST(CuptiDecode, AnExternalIdHasNoTimesOfItsOwn) {
    RawBytes bytes;
    const Decoded result = decoded(bytes.add(externalRecord(1ull << 40, 6)).span());
    EXPECT_EQ(only<GpuExternalId>(result).id, 1ull << 40);
    EXPECT_EQ(result.records[0].correlation, 6u);
}

/// The device's clock may be before or after the host's by more than a record's own times.
TEST(CuptiDecode, ClockOffsetsMoveTimesBothWays) {
    RawBytes bytes;
    bytes.add(kernelRecord("k", 1'000'000, 1'000'500, 1));
    for (const std::int64_t offset : {-999'999ll, -2'000'000ll, 0ll, 1ll << 60}) {
        const Decoded result = decoded(bytes.span(), offset);
        EXPECT_EQ(result.records.at(0).startNs, 1'000'000 + offset);
        EXPECT_EQ(result.records.at(0).endNs, 1'000'500 + offset);
    }
}

TEST(CuptiDecode, RecordsWithoutTimesAreCountedAndLeftOut) {
    RawBytes bytes;
    bytes.add(kernelRecord("k", 0, 0, 1)).add(kernelRecord("k", 5, 0, 2)).add(kernelRecord("k", 0, 5, 3));
    bytes.add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 0, 0, 4)).add(kernelRecord("k", 5, 6, 5));
    const Decoded result = decoded(bytes.span());
    ASSERT_EQ(result.records.size(), 1u);
    EXPECT_EQ(result.records[0].correlation, 5u);
    EXPECT_EQ(result.quality.zeroTimestamps, 4u);
    EXPECT_EQ(result.quality.delivered, 1u);
}

/// A kind that the library walks over and this program does not know.
TEST(CuptiDecode, UnknownKindsAreSkippedAndCounted) {
    struct Newer {
        CUpti_ActivityKind kind;
        std::uint8_t anything[60];
    };
    RawBytes bytes;
    Newer newer{static_cast<CUpti_ActivityKind>(54321), {}};
    std::memset(newer.anything, 0xFF, sizeof newer.anything);
    bytes.add(kernelRecord("a", 1, 2, 1)).add(newer).add(kernelRecord("b", 3, 4, 2));
    const NextRecord walk = [](std::uint8_t* buffer, std::size_t size, CUpti_Activity** record) {
        if (*record != nullptr && (*record)->kind == 54321) { // as a newer library would
            const auto at = reinterpret_cast<std::uint8_t*>(*record) - buffer + std::ptrdiff_t{sizeof(Newer)};
            *record = reinterpret_cast<CUpti_Activity*>(buffer + at);
            return CUPTI_SUCCESS;
        }
        const CUptiResult result = nextRecord(buffer, size, record);
        if (result != CUPTI_ERROR_INVALID_KIND)
            return result;
        *record = reinterpret_cast<CUpti_Activity*>(buffer + sizeof(CUpti_ActivityKernel10));
        return CUPTI_SUCCESS;
    };
    CuptiDecoder decoder(callNameOf);
    std::vector<GpuRecord> records;
    decoder.decodeBuffer(bytes.span(), walk, 0, records);
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(std::get<GpuKernel>(records[1].what).name, "b");
    EXPECT_EQ(decoder.quality().undecodable, 1u);

    // Without the library nobody knows its size: what lies behind is not guessed at.
    const Decoded alone = decoded(bytes.span());
    EXPECT_EQ(alone.records.size(), 1u);
    EXPECT_EQ(alone.quality.undecodable, 1u);
}

TEST(CuptiDecode, EveryCutOfABufferEndsItAndNothingIsMisread) {
    RawBytes bytes;
    bytes.add(callRecord(CUPTI_ACTIVITY_KIND_RUNTIME, 211, 1, 2, 1)).add(externalRecord(9, 1));
    const std::size_t behindTwo = bytes.size();
    bytes.add(kernelRecord("k", 3, 4, 1));
    for (std::size_t length = 0; length <= bytes.size(); ++length) {
        // A copy of exactly this length: a sanitizer sees a read beyond it.
        std::vector<std::uint8_t> cut(bytes.span().begin(),
                                      bytes.span().begin() + static_cast<std::ptrdiff_t>(length));
        const Decoded result = decoded(cut);
        const bool whole = length == 0 || length == sizeof(CUpti_ActivityAPI) || length == behindTwo ||
                           length == bytes.size();
        EXPECT_EQ(result.quality.undecodable, whole ? 0u : 1u) << length;
        const std::size_t expected = length == bytes.size()                ? 3
                                     : length >= behindTwo                 ? 2
                                     : length >= sizeof(CUpti_ActivityAPI) ? 1
                                                                           : 0;
        EXPECT_EQ(result.records.size(), expected) << length;
    }
}

TEST(CuptiDecode, AnIncompleteRecordOfAForcedFlushIsCounted) {
    RawBytes bytes;
    bytes.add(kernelRecord("k", 3, 4, 1)).add(blank<CUpti_ActivityAPI>(CUPTI_ACTIVITY_KIND_INVALID));
    const Decoded result = decoded(bytes.span());
    EXPECT_EQ(result.records.size(), 1u);
    EXPECT_EQ(result.quality.undecodable, 1u);
}

} // namespace
} // namespace heteroscope::profiling
