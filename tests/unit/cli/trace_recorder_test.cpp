// SPDX-License-Identifier: Apache-2.0
// Recording to where writing is slow: spans that a sample may have are never lost.
#include "app/cli/trace_recorder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace heteroscope::cli {
namespace trace_recorder_test {

/// A disk or a pipe that takes a while for each write.
class SlowSink final : public profiling::FrameSink {
  public:
    Status write(std::span<const std::uint8_t>) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return {};
    }
    Status flush() override { return {}; }
};

void recordFullSample(TraceRecorder& recorder, const profiling::StudyRun& run, int number) {
    recorder.sampleBegin(run);
    for (std::uint64_t span = 0; span < TraceRecorder::kSpansPerSample; ++span) {
        recorder.opBegin({"pool", "64x64", "sequential", {}, {}});
        recorder.opEnd();
    }
    profiling::StudySample sample;
    sample.sample = number;
    sample.traced = true;
    sample.repetitions = 1;
    recorder.sampleEnd(sample, run);
}

TEST(TraceRecorder, LosesNoSpanWhereWritingIsSlow) {
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::make_unique<SlowSink>());
    profiling::StreamWriter writer(std::move(sinks));
    ASSERT_TRUE(writer.begin({}));
    TraceRecorder recorder(writer);
    recorder.studyBegin("slow");
    profiling::StudyRun run;
    run.target = "cpu/sequential";
    recorder.runBegin(run);
    for (int sample = 0; sample < 8; ++sample) // more than can wait
        recordFullSample(recorder, run, sample);
    EXPECT_EQ(recorder.dropped(), 0u);
    recorder.runEnd(run);
    recorder.studyEnd();
    EXPECT_EQ(recorder.dropped(), 0u);
}

} // namespace trace_recorder_test
} // namespace heteroscope::cli
