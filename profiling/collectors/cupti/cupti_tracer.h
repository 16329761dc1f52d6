// SPDX-License-Identifier: Apache-2.0
// The tracer of NVIDIA devices. One per process, because CUPTI calls back without a context of ours and
// because CUPTI 13.0 mixes up the ids of graph launches in a second session.
//
// Buffers come from CUPTI on threads of the application or its own; they are only queued there, and decoded
// on a thread of the tracer. A second thread asks CUPTI for finished records every kFlushEvery: buffers that
// are merely full would arrive seconds late. CUPTI's own clock is kept (a registered clock gives zero kernel
// times in CUPTI 12.6 U2 to 13.0) and mapped to the steady clock, measured anew for each buffer.
//
// With HETEROSCOPE_CUPTI_RAW=FILE every buffer is also written there as it came, for tests that decode it
// elsewhere.
#pragma once

#include "profiling/collectors/cupti/decode/cupti_decode.h"
#include "profiling/collectors/cupti/decode/raw_recording.h"
#include "profiling/collectors/gpu/gpu_tracer.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cupti.h>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace heteroscope::profiling {

class CuptiTracer final : public GpuTracer {
  public:
    CuptiTracer();
    ~CuptiTracer() override;
    CuptiTracer(const CuptiTracer&) = delete;
    CuptiTracer& operator=(const CuptiTracer&) = delete;

    Status start(GpuRecordSink& sink) override;
    void push(std::uint64_t id) override;
    void pop() override;
    void flush() override;
    GpuTraceQuality stop() override;

    static constexpr std::chrono::milliseconds kFlushEvery{25};

  private:
    struct FreeMemory {
        void operator()(std::uint8_t* memory) const { std::free(memory); }
    };
    using Buffer = std::unique_ptr<std::uint8_t, FreeMemory>;
    struct Filled {
        Buffer buffer;
        std::size_t bytes = 0;
    };

    static void CUPTIAPI requested(std::uint8_t** buffer, std::size_t* size, std::size_t* maxRecords);
    static void CUPTIAPI completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                   std::size_t valid);

    Status subscribe();
    Status enableKinds();
    void leaveOutChatter();
    void disableKinds();
    void collectDropped();
    void runFlusher();
    void runDecoder();
    void decode(const Filled& filled);
    Status openRaw();
    void keepRaw(const Filled& filled, std::int64_t clockOffsetNs);
    void waitUntilDecoded();

    GpuRecordSink* m_sink = nullptr;
    CUpti_SubscriberHandle m_subscriber = nullptr;
    std::vector<CUpti_ActivityKind> m_enabled;
    CuptiDecoder m_decoder;                    ///< the decoding thread's
    std::vector<GpuRecord> m_records;          ///< the decoding thread's
    std::unique_ptr<RawRecordingWriter> m_raw; ///< the decoding thread's; null unless asked for

    std::mutex m_mutex; ///< guards what follows; never held across a call of CUPTI
    std::condition_variable m_changed;
    std::deque<Filled> m_filled;
    std::vector<Buffer> m_free;
    bool m_decoding = false, m_stopping = false, m_decoderDone = false;
    std::uint64_t m_dropped = 0;

    std::thread m_flusher, m_decoderThread;
};

} // namespace heteroscope::profiling
