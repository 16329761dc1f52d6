// SPDX-License-Identifier: Apache-2.0
// Streams for tests: a sink into memory, a small study with a trace, frames made by hand, a temporary file.
#pragma once

#include "profiling/stream/crc32c.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/stream/stream_writer.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace heteroscope::profiling::testing {

using Bytes = std::vector<std::uint8_t>;

class MemorySink : public FrameSink {
  public:
    explicit MemorySink(Bytes& bytes) : m_bytes(bytes) {}
    Status write(std::span<const std::uint8_t> bytes) override {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return {};
    }
    Status flush() override { return {}; }

  private:
    Bytes& m_bytes;
};

inline std::unique_ptr<StreamWriter> writerInto(Bytes& bytes) {
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<MemorySink>(bytes));
    return std::make_unique<StreamWriter>(std::move(sinks));
}

inline Study header() {
    Study study;
    study.id = "2026-11-21T02-36-22Z-3fa9c1d2";
    study.program = "heteroscope-cli";
    study.version = "0.1.0";
    study.startedUtc = "2026-11-21T02:36:22Z";
    study.clockNs = 123456789;
    return study;
}

/// Appends records to those that are there.
inline std::unique_ptr<StreamWriter> appendingWriter(Bytes& bytes) {
    auto writer = writerInto(bytes);
    const std::size_t before = bytes.size();
    (void)writer->begin(header());
    bytes.resize(before);
    return writer;
}

inline StudySample sampleOf(int run, int index, double wallMs) {
    StudySample sample;
    sample.run = run;
    sample.sample = index;
    sample.startNs = 1000 * index;
    sample.wallMs = wallMs;
    return sample;
}

/// Two runs, one with samples, and a trace with two tracks, a counter and a flow.
inline Bytes smallStream(bool withEnd = true) {
    Bytes bytes;
    const auto writer = writerInto(bytes);
    (void)writer->begin(header());
    (void)writer->environment({{"cpu", "a processor"}});
    (void)writer->experiment({{"heteroscope", 1}, {"kind", "pooling"}, {"name", "sweep"}});
    (void)writer->device({{"id", "cpu"}});
    StudyRun run;
    run.target = "cpu/sequential";
    run.point = {{"/pooling/input/size", 64}};
    (void)writer->run(run);
    run.run = 1;
    run.target = "cpu/openmp?threads=2";
    (void)writer->run(run);
    for (int i = 0; i < 3; ++i)
        (void)writer->sample(sampleOf(0, i, 1.5 + i));
    (void)writer->strings({1, {"main", "op", "memory", "bytes", "shape"}});
    (void)writer->tracks({Track{0, kNoTrack, TrackKind::Thread, 1, 0, 0},
                          Track{1, 0, TrackKind::Stream, 1, 0, 1},
                          Track{2, kNoTrack, TrackKind::Counter, 3, 4, 2}});
    (void)writer->args(1, {{{5, "64x64"}}});
    const std::vector<Span> spans = {{0, 100, 50, 2, 0, 1, 0}, {1, 120, 10, 2, 0, 0, -1}};
    (void)writer->spans(spans);
    const std::vector<CounterPoint> points = {{100, 1.0}, {200, 2.5}};
    (void)writer->counters(2, points);
    const std::vector<Flow> flows = {{{0, 0, 0}, {1, 0, 0}}};
    (void)writer->flows(flows);
    (void)writer->metric(0, "bandwidth_gb_s", 12.5);
    (void)writer->log({5, "warning", "the governor is powersave"});
    (void)writer->progress({0.5, 3.0, 1, 2, 3});
    DataQuality quality;
    quality.droppedEvents = 7;
    quality.causalPairs = 500;
    quality.causalViolations = 2;
    quality.notes = {"the ring was full"};
    (void)writer->dataQuality(quality);
    run.run = 0;
    run.status = StudyRunStatus::Ok;
    run.stopRule = "ci95 within 1 % after 14 samples";
    run.maxAbsError = 0.0;
    (void)writer->runEnd(run);
    if (withEnd)
        (void)writer->end("done", "");
    return bytes;
}

inline Bytes frameBytes(std::uint8_t kind, const Bytes& payload, std::uint8_t flags = 0) {
    Bytes bytes(kFrameHeaderBytes, 0);
    const auto length = static_cast<std::uint32_t>(payload.size());
    const std::uint32_t crc = crc32c(payload);
    std::memcpy(bytes.data(), &length, 4);
    bytes[4] = kind;
    bytes[5] = flags;
    std::memcpy(bytes.data() + 8, &crc, 4);
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    return bytes;
}

inline Bytes frameBytes(FrameKind kind, const Json& payload) {
    return frameBytes(static_cast<std::uint8_t>(kind), Json::to_cbor(payload));
}

/// A file that is removed with the object.
class TemporaryFile {
  public:
    explicit TemporaryFile(const Bytes& bytes, const std::string& suffix = ".hscope") {
        static int counter = 0;
        m_path = ::testing::TempDir() + "heteroscope-" + std::to_string(::getpid()) + "-" +
                 std::to_string(counter++) + suffix;
        std::ofstream(m_path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    }
    ~TemporaryFile() { std::filesystem::remove(m_path); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    const std::string& path() const { return m_path; }

  private:
    std::string m_path;
};

} // namespace heteroscope::profiling::testing
