// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/cuda_session.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/gpu_info.h"
#include "compute/backends/nvidia/device/guarded_memory.h"
#include "compute/backends/nvidia/device/read_limits.h"
#include "compute/base/clock.h"
#include "compute/base/failure_words.h"
#include "compute/base/units.h"
#include "compute/core/target_options.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// The driver refuses allocations of nothing.
std::size_t allocatedBytes(std::size_t bytes) {
    return std::max<std::size_t>(bytes, 1);
}

class CudaBuffer final : public DeviceBuffer {
  public:
    CudaBuffer(void* memory, std::size_t bytes, int device, std::string purpose, bool guarded)
        : m_memory(memory),
          m_bytes(bytes),
          m_device(device),
          m_purpose(std::move(purpose)),
          m_guarded(guarded) {}
    CudaBuffer(const CudaBuffer&) = delete;
    CudaBuffer& operator=(const CudaBuffer&) = delete;
    ~CudaBuffer() override {
        cudaSetDevice(m_device);
        if (m_guarded)
            freeGuarded(m_memory, allocatedBytes(m_bytes), m_purpose);
        else
            cudaFree(m_memory); // a failed context was reported by the call that broke it
    }
    std::size_t bytes() const override { return m_bytes; }
    void* hostPointer() override { return nullptr; }
    void* devicePointer() override { return m_memory; }

  private:
    void* m_memory;
    std::size_t m_bytes;
    int m_device;
    std::string m_purpose; ///< what reports of guarded memory name
    bool m_guarded;
};

Error copyTooLarge(const std::string& where, std::size_t bytes, std::size_t room) {
    return Error{ErrorCode::RunFailed,
                 "a copy of " + std::to_string(bytes) + " bytes does not fit a buffer of " +
                     std::to_string(room),
                 where,
                 {},
                 {}};
}

} // namespace

std::vector<std::string> optionNames(std::vector<std::string> more) {
    more.insert(more.end(), {"data", "fuse", "graph", "host", "impl"});
    return more;
}

Result<SessionOptions> sessionOptions(const Target& target) {
    const auto host = choiceOption(target, "host", {"pageable", "pinned"}, "pageable");
    const auto graph = choiceOption(target, "graph", {"on", "off"}, "on");
    const auto data = choiceOption(target, "data", {"resident", "streamed"}, "resident");
    const auto fuse = choiceOption(target, "fuse", {"on", "off"}, "on");
    for (const auto* option : {&host, &graph, &data, &fuse})
        if (!option->ok())
            return option->error();
    auto asked = implementationOption(target);
    if (!asked)
        return asked.error();
    SessionOptions options;
    options.asked = std::move(*asked);
    options.host = *host == "pinned" ? HostMemory::Pinned : HostMemory::Pageable;
    if (target.options.contains("graph"))
        options.graph = *graph == "on";
    options.streamed = *data == "streamed";
    options.fuse = *fuse == "on";
    return options;
}

CudaSession::CudaSession(std::string backend, DeviceInfo device, const SessionOptions& options)
    : CandidateSession(std::move(backend), options.asked), m_device(std::move(device)), m_options(options) {}

CudaSession::~CudaSession() {
    cudaSetDevice(deviceIndex(m_device.id));
    for (int i = 0; i < kStages; ++i) {
        if (m_stageDone[i] != nullptr)
            cudaEventDestroy(m_stageDone[i]);
        if (m_stages[i] != nullptr)
            cudaFreeHost(m_stages[i]);
    }
    if (m_timerStart != nullptr)
        cudaEventDestroy(m_timerStart);
    if (m_timerStop != nullptr)
        cudaEventDestroy(m_timerStop);
    if (m_stream != nullptr)
        cudaStreamDestroy(m_stream);
}

void CudaSession::submits(const std::string& work) const {
    if (m_lastWork != work)
        m_lastWork = work;
}

/// A kernel that fails is noticed by a later call: the error names the last work, or that there was none yet.
Status CudaSession::check(cudaError_t code, const char* what) const {
    if (!isSticky(code))
        return cudaStatus(code, what, m_device.id);
    if (m_lastWork.empty())
        return cudaStatus(code, "other work of this process", m_device.id);
    return cudaStatus(code, what, m_device.id + ", in " + m_lastWork + " or earlier");
}

Status CudaSession::select() const {
    if (!m_severalDevices) // nobody chose another one
        return {};
    return check(cudaSetDevice(deviceIndex(m_device.id)), "selecting the device");
}

Status CudaSession::initialize() {
    const int index = deviceIndex(m_device.id);
    int devices = 0;
    if (const Status status = check(cudaGetDeviceCount(&devices), "counting the devices"); !status)
        return status;
    m_severalDevices = devices > 1;
    if (const Status status = check(cudaSetDevice(index), "selecting the device"); !status)
        return status;
    if (const Status status =
            check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
        !status)
        return status;
    for (cudaEvent_t* event : {&m_timerStart, &m_timerStop})
        if (const Status status = check(cudaEventCreate(event), "making an event"); !status)
            return status;
    if (m_options.host == HostMemory::Pinned) {
        for (int i = 0; i < kStages; ++i) {
            if (const Status status =
                    check(cudaMallocHost(&m_stages[i], kStageBytes), "allocating page-locked memory");
                !status)
                return status;
            if (const Status status = check(cudaEventCreateWithFlags(&m_stageDone[i], cudaEventDisableTiming),
                                            "making an event");
                !status)
                return status;
        }
    }
    readFreeMemory();
    return check(readDeviceLimits(index, m_limits), "reading the device's limits");
}

void CudaSession::readFreeMemory() {
    m_device.memoryFreeBytes = currentFreeBytes();
}

Result<std::unique_ptr<DeviceBuffer>> CudaSession::allocateFor(std::size_t bytes,
                                                               const std::string& purpose) const {
    if (const Status status = select(); !status)
        return status.error();
    const auto guarded = memoryIsGuarded();
    if (!guarded)
        return guarded.error();
    void* memory = nullptr;
    const std::size_t size = allocatedBytes(bytes);
    const cudaError_t code = *guarded ? allocateGuarded(&memory, size) : cudaMalloc(&memory, size);
    if (code == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // not sticky: the next call must not see it again
        return Error{ErrorCode::OutOfMemory,
                     say(failure_words::kNoDeviceRoom, {formatBytes(static_cast<double>(size))}).text(),
                     m_device.id,
                     say(failure_words::kFree, {formatBytes(static_cast<double>(currentFreeBytes()))}).text(),
                     failure_words::kSmallerOrOthers};
    }
    if (const Status status = check(code, "allocating device memory"); !status)
        return status.error();
    return std::unique_ptr<DeviceBuffer>(
        std::make_unique<CudaBuffer>(memory, bytes, deviceIndex(m_device.id), purpose, *guarded));
}

/// Two page-locked buffers in turn: while one is on its way, the other is filled.
Status CudaSession::stagedUpload(char* dst, const char* src, std::size_t bytes) {
    int stage = 0;
    for (std::size_t done = 0; done < bytes; done += kStageBytes, stage = (stage + 1) % kStages) {
        const std::size_t part = std::min(kStageBytes, bytes - done);
        if (const Status status = check(cudaEventSynchronize(m_stageDone[stage]), "copying to the device");
            !status)
            return status;
        std::memcpy(m_stages[stage], src + done, part);
        if (const Status status =
                check(cudaMemcpyAsync(dst + done, m_stages[stage], part, cudaMemcpyHostToDevice, m_stream),
                      "copying to the device");
            !status)
            return status;
        if (const Status status =
                check(cudaEventRecord(m_stageDone[stage], m_stream), "copying to the device");
            !status)
            return status;
    }
    return {};
}

Status CudaSession::stagedDownload(char* dst, const char* src, std::size_t bytes) {
    const std::size_t parts = (bytes + kStageBytes - 1) / kStageBytes;
    const auto sizeOf = [&](std::size_t part) { return std::min(kStageBytes, bytes - part * kStageBytes); };
    const auto begin = [&](std::size_t part) {
        const auto stage = part % kStages;
        const Status status = check(cudaMemcpyAsync(m_stages[stage], src + part * kStageBytes, sizeOf(part),
                                                    cudaMemcpyDeviceToHost, m_stream),
                                    "copying from the device");
        return status ? check(cudaEventRecord(m_stageDone[stage], m_stream), "copying from the device")
                      : status;
    };
    for (int i = 0; i < kStages; ++i) // uploads may still read the stages
        if (const Status status = check(cudaEventSynchronize(m_stageDone[i]), "copying from the device");
            !status)
            return status;
    for (std::size_t part = 0; part < std::min<std::size_t>(kStages, parts); ++part)
        if (const Status status = begin(part); !status)
            return status;
    for (std::size_t part = 0; part < parts; ++part) {
        const auto stage = part % kStages;
        if (const Status status = check(cudaEventSynchronize(m_stageDone[stage]), "copying from the device");
            !status)
            return status;
        std::memcpy(dst + part * kStageBytes, m_stages[stage], sizeOf(part));
        if (part + kStages < parts)
            if (const Status status = begin(part + kStages); !status)
                return status;
    }
    return {};
}

Status CudaSession::upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) {
    if (bytes > dst.bytes())
        return copyTooLarge(where(), bytes, dst.bytes());
    if (const Status status = select(); !status)
        return status;
    const std::int64_t start = observer != nullptr ? steadyNowNs() : 0;
    auto* to = static_cast<char*>(dst.devicePointer());
    const Status status = m_options.host == HostMemory::Pinned
                              ? stagedUpload(to, static_cast<const char*>(src), bytes)
                              : check(cudaMemcpyAsync(to, src, bytes, cudaMemcpyHostToDevice, m_stream),
                                      "copying to the device");
    if (status && observer != nullptr)
        observer->copied(CopyDirection::HostToDevice, static_cast<std::int64_t>(bytes), start, steadyNowNs());
    return status;
}

Status CudaSession::download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) {
    if (bytes > src.bytes())
        return copyTooLarge(where(), bytes, src.bytes());
    if (const Status status = select(); !status)
        return status;
    const std::int64_t start = observer != nullptr ? steadyNowNs() : 0;
    const auto* from = static_cast<const char*>(src.devicePointer());
    Status status;
    if (m_options.host == HostMemory::Pinned) {
        status = stagedDownload(static_cast<char*>(dst), from, bytes);
    } else {
        status = check(cudaMemcpyAsync(dst, from, bytes, cudaMemcpyDeviceToHost, m_stream),
                       "copying from the device");
        if (status)
            status = synchronize();
    }
    if (status && observer != nullptr)
        observer->copied(CopyDirection::DeviceToHost, static_cast<std::int64_t>(bytes), start, steadyNowNs());
    return status;
}

Candidate CudaSession::chooseChain(const OpChain& chain, std::span<const int> src,
                                   std::span<const int> dst) const {
    return chooseCandidate([&](const CandidateVisitor& visit) { visitChains(chain, src, dst, visit); },
                           askedImplementations());
}

Support CudaSession::supportsChain(const OpChain& chain, std::span<const int> results) const {
    if (!m_options.fuse)
        return Support::no("the target says fuse=off");
    Candidate chosen = chooseChain(chain, {}, results);
    return chosen.prepare ? Support::yes(std::move(chosen.implementation))
                          : Support::no(std::move(chosen.refusal));
}

std::vector<ImplementationRow> CudaSession::chainImplementations(const OpChain& chain,
                                                                 std::span<const int> src,
                                                                 std::span<const int> dst) const {
    return implementationRows([&](const CandidateVisitor& visit) { visitChains(chain, src, dst, visit); },
                              askedImplementations());
}

Result<std::unique_ptr<PreparedOp>> CudaSession::prepareChain(const OpChain& chain, std::span<const int> src,
                                                              std::span<const int> dst) {
    const Candidate chosen = chooseChain(chain, src, dst);
    if (!chosen.prepare)
        return Error{
            ErrorCode::TargetUnavailable, chosen.refusal, where() + " " + opName(chain.front().op), {}, {}};
    return chosen.prepare();
}

std::size_t CudaSession::workspaceBytes(const Op& op) const {
    const std::size_t each = CandidateSession::workspaceBytes(op);
    return std::holds_alternative<Gemm>(op) ? each : lanes() * each;
}

Status CudaSession::beginRecording() {
    if (const Status status = select(); !status)
        return status;
    auto recorder = std::make_unique<GraphRecorder>(where(), m_stream);
    if (const Status status = recorder->begin(kLanes); !status)
        return status;
    m_recorder = std::move(recorder);
    return {};
}

Result<std::unique_ptr<Recording>> CudaSession::endRecording() {
    const std::unique_ptr<GraphRecorder> recorder = std::move(m_recorder);
    if (recorder == nullptr)
        return Error{ErrorCode::RunFailed, "nothing is being recorded", where(), {}, {}};
    m_hasRecorded = true;
    return recorder->end();
}

Status CudaSession::submitsTo(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) const {
    return m_recorder ? m_recorder->next(reads, writes) : Status{};
}

Status CudaSession::waitForStream() const {
    if (const Status status = select(); !status)
        return status;
    return check(cudaStreamSynchronize(m_stream), "waiting for the device");
}

/// Written twice over and more: the L2 of large devices keeps copies in both of its halves.
class CudaSession::L2Flush final : public CacheFlush {
  public:
    L2Flush(const CudaSession& session, std::unique_ptr<DeviceBuffer> buffer)
        : m_session(session), m_buffer(std::move(buffer)) {}
    std::size_t bytes() const override { return m_buffer->bytes(); }
    Status run() override {
        if (const Status status = m_session.select(); !status)
            return status;
        m_session.submits("flushing the L2 cache");
        if (const Status status =
                m_session.check(cudaMemsetAsync(m_buffer->devicePointer(), 0, bytes(), m_session.m_stream),
                                "flushing the L2 cache");
            !status)
            return status;
        return m_session.waitForStream();
    }

  private:
    const CudaSession& m_session;
    std::unique_ptr<DeviceBuffer> m_buffer;
};

std::size_t CudaSession::cacheFlushBytes() const {
    constexpr std::size_t kTimesTheL2 = 4;
    const auto l2 = m_device.properties.find("l2_bytes");
    return l2 == m_device.properties.end() ? 0 : kTimesTheL2 * l2->get<std::size_t>();
}

Result<std::unique_ptr<CacheFlush>> CudaSession::makeCacheFlush() {
    const std::size_t bytes = cacheFlushBytes();
    if (bytes == 0)
        return Error{ErrorCode::TargetUnavailable,
                     "this device does not tell of an L2 cache to flush",
                     where(),
                     {},
                     "set /sampling/cache to \"warm\""};
    auto buffer = allocateFor(bytes, "the buffer that flushes the L2 cache");
    if (!buffer)
        return buffer.error();
    return std::unique_ptr<CacheFlush>(std::make_unique<L2Flush>(*this, std::move(*buffer)));
}

Status CudaSession::startDeviceTimer() {
    if (const Status status = select(); !status)
        return status;
    return check(cudaEventRecord(m_timerStart, m_stream), "starting the device timer");
}

Result<std::optional<double>> CudaSession::stopDeviceTimerMs() {
    if (const Status status = select(); !status)
        return status.error();
    float ms = 0;
    for (const cudaError_t code : {cudaEventRecord(m_timerStop, m_stream), cudaEventSynchronize(m_timerStop),
                                   cudaEventElapsedTime(&ms, m_timerStart, m_timerStop)})
        if (const Status status = check(code, "reading the device timer"); !status)
            return status.error();
    return std::optional<double>(ms);
}

} // namespace heteroscope::compute::nvidia
