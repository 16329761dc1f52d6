// SPDX-License-Identifier: Apache-2.0
// A worker that behaves as a test wants it: the experiment's key "fake" names the behaviour.
//   good      two runs of five samples, a clean end          slow   samples until it is told to stop
//   deaf      samples for ever; no signal or pipe stops it   crash  some samples, then a segmentation fault
//   full      slow, and says that the run file cannot be written
//   garbage   bytes that are no frames, then waits           old    a stream of another major version, then
//   waits exit      ends at once with the code in "code" and the words in "words" on stderr
//   replay the share "share" of the run file "recording", then waits
#include "compute/base/clock.h"
#include "compute/base/exit_code.h"
#include "profiling/stream/stream_writer.h"

#include <csignal>
#include <fstream>
#include <iostream>
#include <iterator>
#include <poll.h>
#include <string>
#include <unistd.h>

namespace {

using namespace heteroscope;
using namespace heteroscope::profiling;

volatile std::sig_atomic_t g_stop = 0;

void onTerm(int) {
    g_stop = 1;
}

/// True when the run has been told to stop: SIGTERM, or stdin at its end. Waits up to `ms`.
bool stopRequested(int ms) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    if (poll(&input, 1, ms) > 0) {
        char byte = 0;
        return read(STDIN_FILENO, &byte, 1) == 0;
    }
    return g_stop != 0;
}

StudyRun makeRun(int index, const char* target) {
    StudyRun run;
    run.run = index;
    run.target = target;
    run.point = {{"/pooling/input/size", 64}};
    return run;
}

void writeSpans(StreamWriter& writer) {
    (void)writer.strings({1, {"cpu thread", "maxpool2d", "op"}});
    Track track;
    track.id = 0;
    track.name = 1;
    (void)writer.tracks({track});
    Span span;
    span.track = 0;
    span.startNs = 1000;
    span.durationNs = 500;
    span.name = 2;
    span.category = 3;
    (void)writer.spans({&span, 1});
}

void writeBeginning(StreamWriter& writer, const Json& experiment) {
    Study header;
    header.id = "fake-study";
    header.program = "fake_worker";
    header.version = "1";
    header.startedUtc = "2026-11-21T02:36:22Z";
    header.clockNs = steadyNowNs();
    (void)writer.begin(header);
    (void)writer.environment({{"cpu", "a processor"}});
    (void)writer.experiment(experiment);
    (void)writer.run(makeRun(0, "cpu/sequential"));
    (void)writer.run(makeRun(1, "cpu/openmp"));
    writeSpans(writer);
    (void)writer.flush();
}

void writeSample(StreamWriter& writer, int run, int index) {
    StudySample sample;
    sample.run = run;
    sample.sample = index;
    sample.startNs = steadyNowNs();
    sample.wallMs = (run == 0 ? 8.0 : 2.0) + 0.01 * (index % 5);
    (void)writer.sample(sample);
    (void)writer.progress({index / 100.0, 3.0, run});
    (void)writer.flush();
}

void writeRunEnd(StreamWriter& writer, int index, StudyRunStatus status) {
    StudyRun run = makeRun(index, index == 0 ? "cpu/sequential" : "cpu/openmp");
    run.status = status;
    run.outputDigest = "same";
    (void)writer.runEnd(run);
}

int good(StreamWriter& writer) {
    for (int run = 0; run < 2; ++run) {
        for (int i = 0; i < 5; ++i)
            writeSample(writer, run, i);
        writeRunEnd(writer, run, StudyRunStatus::Ok);
    }
    (void)writer.log({steadyNowNs(), "info", "both runs are done"});
    (void)writer.end("done", "");
    (void)writer.flush();
    return int(ExitCode::Done);
}

/// As when the disk is full: the run file fails, the stream goes on.
void complain(const std::string& outFile) {
    std::cerr << "heteroscope-cli: error: " << outFile << ": cannot be written: No space left on device\n"
              << std::flush;
}

int slow(StreamWriter& writer) {
    for (int i = 0; !stopRequested(20); ++i)
        writeSample(writer, 0, i);
    writeRunEnd(writer, 0, StudyRunStatus::Cancelled);
    (void)writer.end("cancelled", "SIGTERM");
    (void)writer.flush();
    return int(ExitCode::Cancelled);
}

[[noreturn]] void deaf(StreamWriter& writer) {
    std::signal(SIGTERM, SIG_IGN);
    for (int i = 0;; ++i) {
        writeSample(writer, 0, i);
        poll(nullptr, 0, 20);
    }
}

int crash(StreamWriter& writer) {
    for (int i = 0; i < 3; ++i)
        writeSample(writer, 0, i);
    std::cerr << "about to touch what is not there\n";
    std::signal(SIGSEGV, SIG_DFL);
    std::raise(SIGSEGV);
    return int(ExitCode::RunFailed);
}

int waitForStop() {
    while (!stopRequested(50)) {
    }
    return int(ExitCode::Cancelled);
}

int sayBytes(const std::string& bytes) {
    std::cout << bytes << std::flush;
    return waitForStop();
}

std::string otherVersion() {
    return std::string("HSCOPE\r\n\x63\x00\x00\x00\x00\x00\x00\x00", 16);
}

int replay(const Json& experiment) {
    std::ifstream file(experiment.value("recording", std::string()), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    bytes.resize(
        static_cast<std::size_t>(experiment.value("share", 0.5) * static_cast<double>(bytes.size())));
    return sayBytes(bytes);
}

int behave(const std::string& what, const Json& experiment, const std::string& outFile) {
    if (what == "exit") {
        std::cerr << experiment.value("words", std::string()) << "\n";
        return experiment.value("code", 0);
    }
    if (what == "old")
        return sayBytes(otherVersion());
    if (what == "replay")
        return replay(experiment);
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(makeFdSink(STDOUT_FILENO, "stdout"));
    if (auto file = openFileSink(outFile))
        sinks.push_back(std::move(*file));
    StreamWriter writer(std::move(sinks));
    writeBeginning(writer, experiment);
    if (what == "good")
        return good(writer);
    if (what == "full")
        complain(outFile);
    if (what == "slow" || what == "full")
        return slow(writer);
    if (what == "deaf")
        deaf(writer);
    if (what == "crash")
        return crash(writer);
    if (what == "garbage")
        return sayBytes(std::string(4096, '\xee'));
    std::cerr << "no behaviour '" << what << "'\n";
    return int(ExitCode::Usage);
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGTERM, onTerm);
    if (argc > 1 && std::string(argv[1]) == "devices") {
        std::cout << R"({"devices":[]})" << std::endl;
        return 0;
    }
    std::string outFile;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string(argv[i]) == "--out")
            outFile = argv[i + 1];
    std::string line;
    for (char byte = 0; read(STDIN_FILENO, &byte, 1) == 1 && byte != '\n';)
        line.push_back(byte);
    const Json experiment = Json::parse(line, nullptr, false);
    if (!experiment.is_object())
        return int(ExitCode::BadInput);
    return behave(experiment.value("fake", std::string("good")), experiment, outFile);
}
