// SPDX-License-Identifier: Apache-2.0
// Any bytes as a run file, fed in two pieces: frames, study and trace; frames are mutated with right lengths
// and checksums. What opens is asked for all that the programs ask: drawing, statistics, results,
// comparisons, times of layers, transfers, roofline, curves, export as a Chrome trace, and the stream of a
// joined study.
#include "compute/base/memory_budget.h"
#include "profiling/analysis/crossover.h"
#include "profiling/analysis/device_json.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/layer_times.h"
#include "profiling/analysis/live_transfers.h"
#include "profiling/analysis/scaling.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/analysis/training_curves.h"
#include "profiling/io/chrome_json.h"
#include "profiling/stream/kernel_counters.h"
#include "profiling/stream/stream_reader.h"
#include "profiling/stream/trace_frames.h"
#include "profiling/stream/trace_relay.h"
#include "tests/fuzz/support/frame_mutation.h"
#include "tests/fuzz/support/require.h"
#include "tests/support/chrome_rules.h"

using namespace heteroscope;
using namespace heteroscope::profiling;
using heteroscope::fuzz::require;

namespace {

constexpr std::size_t kMostRuns = 24, kMostSamples = 400; // intervals of more only make the fuzzer slow

class MemorySink : public FrameSink {
  public:
    explicit MemorySink(fuzz::Bytes& bytes) : m_bytes(bytes) {}
    Status write(std::span<const std::uint8_t> bytes) override {
        m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end());
        return {};
    }
    Status flush() override { return {}; }

  private:
    fuzz::Bytes& m_bytes;
};

std::vector<std::unique_ptr<FrameSink>> sinksInto(fuzz::Bytes& bytes) {
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::make_unique<MemorySink>(bytes));
    return sinks;
}

/// A study with its trace, the trace also as a joined stream has it.
struct Opened {
    Opened() : builder(trace), writer(sinksInto(relayed)), relay(writer) {
        require(writer.begin(Study()).ok(), "a stream can begin");
        relay.beginStream("joined");
    }

    /// False at the end of what can be read.
    bool take(const Frame& frame) {
        if (!study.apply(frame) || !builder.apply(frame))
            return false;
        require(!isTraceFrame(frame.kind) || relay.pass(frame).ok(), "a frame that was taken can be joined");
        return true;
    }

    StudyBuilder study;
    Trace trace;
    TraceBuilder builder;
    fuzz::Bytes relayed;
    StreamWriter writer;
    TraceRelay relay;
};

/// Reads what this program wrote itself.
void readBack(const fuzz::Bytes& stream, const Trace& original) {
    StreamReader reader("written");
    Trace trace;
    TraceBuilder builder(trace);
    reader.feed(stream);
    for (auto frame = reader.next(); frame.ok() ? frame->has_value() : true; frame = reader.next()) {
        require(frame.ok(), "what was written can be read");
        require(builder.apply(**frame).ok(), "what was written makes a trace");
    }
    trace.publish();
    require(trace.spanCount() == original.spanCount() && trace.counterCount() == original.counterCount() &&
                trace.flowCount() == original.flowCount(),
            "what was written is the same trace");
}

void writeAgain(const Trace& trace) {
    fuzz::Bytes stream;
    StreamWriter writer(sinksInto(stream));
    require(writer.begin(Study()).ok() && writeTrace(trace, writer).ok(), "a trace can be written");
    readBack(stream, trace);
}

void draw(const Trace& trace) {
    std::vector<DrawSpan> spans;
    std::vector<CounterBin> bins;
    for (TrackId track = 0; track < trace.trackCount(); ++track) {
        for (std::uint16_t lane = 0; lane < trace.laneCount(track); ++lane)
            trace.query(track, lane, trace.startNs(), trace.endNs(), 100.0, spans);
        trace.queryCounter(track, trace.startNs(), trace.endNs(), 100.0, bins);
        (void)trace.busyNs(track, trace.startNs(), trace.endNs());
    }
    (void)trace.statistics(trace.startNs(), trace.endNs(), {});
    (void)trace.search("a", 10);
    std::string text;
    require(writeChromeJson(trace,
                            [&](std::string_view piece) {
                                text += piece;
                                return true;
                            }),
            "a trace can be exported");
    const auto problems = test::brokenChromeRules(text);
    require(problems.empty(), problems.empty() ? "" : problems.front().c_str());
}

void followTraining(const StudyRun& run) {
    const TrainingNow now = trainingNow(run.training, 32);
    require(now.step >= 0 && now.epoch >= 0, "a training stands somewhere");
    (void)smoothed(run.training.loss, 0.9);
    require(thinned(run.training.loss, 0, 100).size() <= 2 * 100 + run.training.loss.size(),
            "thinning adds nothing");
    (void)opCountersOf(run.metrics);
}

void compareTargets(const Study& study, const StudyResults& results) {
    for (const StudyRun& run : study.runs) {
        (void)fitAmdahl(threadSamples(study, run.point, targetWithoutThreads(run.target)));
        for (const auto& [axis, value] : run.point.items())
            (void)findCrossovers(curveOf(results, run.target, axis),
                                 curveOf(results, results.reference, axis));
    }
}

void judge(const Trace& trace, const Study& study) {
    const DeviceReport device = deviceReport(trace, study);
    (void)deviceReportJson(device);
    (void)rooflineJson(roofline(trace, study, device.work));
    for (const RunLayerTimes& run : layerTimes(trace, study, device.work))
        (void)tracingCostText(run);
    TransferWatch watch;
    watch.update(trace);
    require(watch.now().busyNs >= 0, "copies take some time or none");
    const StudyResults results = summarizeStudy(study);
    const Json json = resultsToJson(study, results, &device);
    require(!json.dump(-1, ' ', false, Json::error_handler_t::replace).empty(), "results can be written");
    (void)resultsToCsv(study);
    (void)resultsToTable(study, results);
    (void)machineCaption(study, results);
    require(!headline(study, results).empty(), "there is always a headline");
    (void)headline(compareStudies(study, study));
    const std::vector<StudyPair> pairs(kPairsForVerdict, StudyPair{&study, &study});
    (void)headline(compareStudies(pairs));
    (void)studyNotes(study);
    compareTargets(study, results);
}

std::size_t sampleCount(const Study& study) {
    std::size_t count = 0;
    for (const StudyRun& run : study.runs)
        count += run.samples.size();
    return count;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::uint8_t> bytes(data, size);
    MemoryBudget budget;
    StreamReader reader("fuzz", &budget);
    Opened opened;
    const std::size_t half = bytes.size() / 2;
    reader.feed(bytes.first(half));
    bool good = true;
    for (int piece = 0; piece < 2; ++piece) {
        for (auto frame = reader.next(); good && frame && *frame; frame = reader.next())
            good = opened.take(**frame);
        opened.trace.publish();
        if (piece == 0)
            reader.feed(bytes.subspan(half));
    }
    const Study& study = opened.study.study();
    draw(opened.trace);
    if (good) // of a frame that is refused, rows before the bad one stay in the trace
        readBack(opened.relayed, opened.trace);
    writeAgain(opened.trace);
    for (const StudyRun& run : study.runs)
        followTraining(run);
    if (study.runs.size() <= kMostRuns && sampleCount(study) <= kMostSamples)
        judge(opened.trace, study);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    return fuzz::mutateRunFile(data, size, mostBytes, seed);
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* a, std::size_t sizeA,
                                                 const std::uint8_t* b, std::size_t sizeB, std::uint8_t* out,
                                                 std::size_t mostBytes, unsigned seed) {
    return fuzz::crossRunFiles({a, sizeA}, {b, sizeB}, out, mostBytes, seed);
}
