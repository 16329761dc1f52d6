// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/cupti_tracer.h"

#include "compute/base/clock.h"
#include "profiling/collectors/cupti/cupti_error.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <heteroscope_module_build.h>
#include <limits>
#include <string>
#include <utility>

namespace heteroscope::profiling {
namespace {

/// About 1700 launches with their calls; NVIDIA advises 1 to 10 MiB for offline use, a live view wants less.
constexpr std::size_t kBufferBytes = std::size_t{512} << 10;
constexpr std::size_t kBufferAlignment = 8; // ACTIVITY_RECORD_ALIGNMENT of cupti_activity.h
constexpr std::size_t kBuffersKept = 64;
constexpr int kClockReadings = 16;
constexpr std::uint32_t kOldestVersion = 130001; // 13.0 Update 1: 13.0 hangs when kernels are switched off

std::atomic<CuptiTracer*> g_tracer{nullptr};
std::atomic<bool> g_used{false}; // CUPTI 13.0 mixes up the ids of graph launches in a second session

Error tracingError(std::string message, std::string advice) {
    return Error{ErrorCode::TargetUnavailable, std::move(message), "CUPTI", {}, std::move(advice)};
}

/// Steady clock minus CUPTI's, from the narrowest of several bracketed readings.
std::int64_t clockOffsetNs() {
    std::int64_t best = 0, narrowest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < kClockReadings; ++i) {
        std::uint64_t theirs = 0;
        const std::int64_t before = steadyNowNs();
        if (cuptiGetTimestamp(&theirs) != CUPTI_SUCCESS)
            continue;
        const std::int64_t after = steadyNowNs();
        if (after - before >= narrowest)
            continue;
        narrowest = after - before;
        best = before + (after - before) / 2 - static_cast<std::int64_t>(theirs);
    }
    return best;
}

/// CUPTI writes "<not provided>" for a tool that gave no name.
bool named(const char* holder) {
    return *holder != '\0' && *holder != '<';
}

const char* callbackName(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    const char* name = nullptr;
    return cuptiGetCallbackName(domain, id, &name) == CUPTI_SUCCESS ? name : nullptr;
}

void CUPTIAPI noCallback(void*, CUpti_CallbackDomain, CUpti_CallbackId, const void*) {}

} // namespace

CuptiTracer::CuptiTracer() : m_decoder(callbackName) {}

CuptiTracer::~CuptiTracer() {
    if (m_sink != nullptr)
        stop();
    CuptiTracer* self = this;
    g_tracer.compare_exchange_strong(self, nullptr); // a late callback finds nobody
}

Status CuptiTracer::subscribe() {
    std::uint32_t version = 0;
    cuptiGetVersion(&version);
    if (version < kOldestVersion || version / 10000 != CUPTI_API_VERSION / 10000)
        return tracingError("CUPTI " + std::to_string(version) +
                                " does not fit this program, which was built with " +
                                std::to_string(CUPTI_API_VERSION),
                            "install CUDA 13.0 Update 1 or a newer 13");
    std::array<char, 256> holder{};
    CUpti_SubscriberParams params{};
    params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
    params.subscriberName = "Heteroscope";
    params.oldSubscriberName = holder.data();
    params.oldSubscriberSize = holder.size();
    const CUptiResult result = cuptiSubscribe_v2(&m_subscriber, noCallback, nullptr, &params);
    if (result == CUPTI_SUCCESS)
        return {};
    if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
        return tracingError(
            std::string("another profiler is attached to this process") +
                (named(holder.data()) ? " (" + std::string(holder.data()) + ")" : ""),
            "run without nsys, ncu, compute-sanitizer or cuda-gdb to see the device's timeline");
    return tracingError("the device's timeline cannot be recorded: " + resultText(result), {});
}

Status CuptiTracer::enableKinds() {
    struct Kind {
        CUpti_ActivityKind kind;
        bool needed; ///< without it there is no timeline worth showing
    };
    static constexpr std::array kKinds{Kind{CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION, false},
                                       Kind{CUPTI_ACTIVITY_KIND_RUNTIME, true},
                                       Kind{CUPTI_ACTIVITY_KIND_DRIVER, false},
                                       Kind{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, true},
                                       Kind{CUPTI_ACTIVITY_KIND_MEMCPY, true},
                                       Kind{CUPTI_ACTIVITY_KIND_MEMCPY2, false},
                                       Kind{CUPTI_ACTIVITY_KIND_MEMSET, false},
                                       Kind{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, false},
                                       Kind{CUPTI_ACTIVITY_KIND_OVERHEAD, false},
                                       Kind{CUPTI_ACTIVITY_KIND_MEMORY2, false}};
    for (const Kind& kind : kKinds) {
        const CUptiResult result = cuptiActivityEnable(kind.kind);
        if (result == CUPTI_SUCCESS) {
            m_enabled.push_back(kind.kind);
            continue;
        }
        const std::string text =
            "records of kind " + std::to_string(kind.kind) + " are not available: " + resultText(result);
        if (kind.needed)
            return tracingError(text, "see the driver's settings for profiling rights");
        m_decoder.quality().notes.push_back(text);
    }
    return {};
}

/// Calls that neither give the device work nor wait for it, made with every launch and over in 0.1 us: one in
/// five records of a study of small kernels was one of these.
void CuptiTracer::leaveOutChatter() {
    for (const auto id :
         {CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
          CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020})
        cuptiActivityEnableRuntimeApi(id, 0); // a CUPTI that cannot records them: no harm
    for (const auto id : {CUPTI_DRIVER_TRACE_CBID_cuKernelGetName, CUPTI_DRIVER_TRACE_CBID_cuCtxGetCurrent})
        cuptiActivityEnableDriverApi(id, 0);
}

void CuptiTracer::disableKinds() {
    for (const CUpti_ActivityKind kind : m_enabled)
        cuptiActivityDisable(kind);
    m_enabled.clear();
}

Status CuptiTracer::start(GpuRecordSink& sink) {
    if (g_used.exchange(true))
        return tracingError("this process had a tracer already", {});
    g_tracer = this;
    Status status = openRaw();
    if (status)
        status = subscribe();
    if (status) {
        cuptiSetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM);
        if (const CUptiResult result = cuptiActivityRegisterCallbacks(requested, completed);
            result != CUPTI_SUCCESS)
            status = tracingError("the device's timeline cannot be recorded: " + resultText(result), {});
    }
    if (status)
        status = enableKinds();
    if (status)
        leaveOutChatter();
    if (!status) {
        disableKinds();
        if (m_subscriber != nullptr)
            cuptiUnsubscribe(m_subscriber);
        m_subscriber = nullptr;
        return status;
    }
    m_sink = &sink;
    m_flusher = std::thread([this] { runFlusher(); });
    m_decoderThread = std::thread([this] { runDecoder(); });
    return {};
}

void CuptiTracer::push(std::uint64_t id) {
    if (m_sink != nullptr)
        cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, id);
}

void CuptiTracer::pop() {
    std::uint64_t last = 0;
    if (m_sink != nullptr)
        cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM0, &last);
}

void CUPTIAPI CuptiTracer::requested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords) {
    *size = kBufferBytes;
    *maxRecords = 0; // as many as fit
    CuptiTracer* const tracer = g_tracer.load();
    if (tracer != nullptr) {
        const std::lock_guard lock(tracer->m_mutex);
        if (!tracer->m_free.empty()) {
            *buffer = tracer->m_free.back().release();
            tracer->m_free.pop_back();
            return;
        }
    }
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
}

void CUPTIAPI CuptiTracer::completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                     std::size_t valid) {
    Buffer filled(buffer);
    CuptiTracer* const tracer = g_tracer.load();
    if (tracer == nullptr)
        return;
    {
        const std::lock_guard lock(tracer->m_mutex);
        tracer->m_filled.push_back({std::move(filled), valid});
    }
    tracer->m_changed.notify_all();
}

/// The count is reset by reading it, and does not include lost times.
void CuptiTracer::collectDropped() {
    std::size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS || dropped == 0)
        return;
    const std::lock_guard lock(m_mutex);
    m_dropped += dropped;
}

void CuptiTracer::runFlusher() {
    std::unique_lock lock(m_mutex);
    while (!m_stopping) {
        m_changed.wait_for(lock, kFlushEvery, [this] { return m_stopping; });
        lock.unlock();
        cuptiActivityFlushAll(0);
        collectDropped();
        lock.lock();
    }
}

void CuptiTracer::decode(const Filled& filled) {
    const std::int64_t offset = clockOffsetNs();
    m_records.clear();
    if (m_raw)
        keepRaw(filled, offset);
    m_decoder.decodeBuffer({filled.buffer.get(), filled.bytes}, cuptiActivityGetNextRecord, offset,
                           m_records);
    if (!m_records.empty())
        m_sink->gpuRecords(m_records);
}

/// The file of HETEROSCOPE_CUPTI_RAW, if it is set.
Status CuptiTracer::openRaw() {
    const char* file = std::getenv("HETEROSCOPE_CUPTI_RAW");
    if (file == nullptr || *file == '\0')
        return {};
    std::uint32_t version = 0;
    cuptiGetVersion(&version);
    auto opened = RawRecordingWriter::open(file, version);
    if (!opened)
        return opened.error();
    m_raw = std::move(*opened);
    return {};
}

void CuptiTracer::keepRaw(const Filled& filled, std::int64_t clockOffsetNs) {
    const Status kept = m_raw->write({filled.buffer.get(), filled.bytes}, cuptiActivityGetNextRecord,
                                     callbackName, clockOffsetNs);
    if (kept)
        return;
    m_decoder.quality().notes.push_back(kept.error().sentence());
    m_raw.reset();
}

void CuptiTracer::runDecoder() {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, [this] { return m_decoderDone || !m_filled.empty(); });
        if (m_filled.empty())
            return;
        Filled filled = std::move(m_filled.front());
        m_filled.pop_front();
        m_decoding = true;
        lock.unlock();
        decode(filled);
        lock.lock();
        if (m_free.size() < kBuffersKept)
            m_free.push_back(std::move(filled.buffer));
        m_decoding = false;
        m_changed.notify_all();
    }
}

void CuptiTracer::waitUntilDecoded() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_filled.empty() && !m_decoding; });
}

void CuptiTracer::flush() {
    if (m_sink == nullptr)
        return;
    cuptiActivityFlushAll(0);
    waitUntilDecoded();
}

GpuTraceQuality CuptiTracer::stop() {
    if (m_sink == nullptr)
        return std::move(m_decoder.quality());
    {
        const std::lock_guard lock(m_mutex);
        m_stopping = true;
    }
    m_changed.notify_all();
    m_flusher.join();
    disableKinds();
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
    collectDropped();
    waitUntilDecoded();
    {
        const std::lock_guard lock(m_mutex);
        m_decoderDone = true;
    }
    m_changed.notify_all();
    m_decoderThread.join();
    cuptiUnsubscribe(m_subscriber);
    m_sink = nullptr;
    m_decoder.quality().dropped = m_dropped;
    if (m_raw)
        if (const Status ended = m_raw->end(m_dropped); !ended)
            m_decoder.quality().notes.push_back(ended.error().sentence());
    m_raw.reset();
    return m_decoder.quality();
}

} // namespace heteroscope::profiling

extern "C" __attribute__((visibility("default")))
const heteroscope::profiling::GpuTracerEntry heteroscopeGpuTracer;
const heteroscope::profiling::GpuTracerEntry heteroscopeGpuTracer{
    HETEROSCOPE_MODULE_BUILD,
    []() -> heteroscope::profiling::GpuTracer* { return new heteroscope::profiling::CuptiTracer(); }};
