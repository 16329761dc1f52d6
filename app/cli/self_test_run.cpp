// SPDX-License-Identifier: Apache-2.0
// The studies of a self-test, and their workers.
#include "app/cli/self_test_run.h"

#include "app/cli/worker_child.h"
#include "compute/base/clock.h"
#include "compute/base/json.h"
#include "compute/base/units.h"
#include "compute/core/target.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sys/mman.h>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

constexpr double kStudyLimitS = 60; ///< of one kind; a driver that hangs is told of, not waited for
constexpr int kSamples = 2;
constexpr double kRunLimitS = 0.5; ///< on a machine that is busy, too

/// Small, and large enough that every implementation takes its usual ways: several windows and tiles, odd
/// edges.
constexpr SelfTestKind kKinds[] = {
    {"pooling", R"({"kind": "pooling", "pooling": {"mode": "max", "kernel": 3, "stride": 2, "padding": 1,
        "backward": true, "input": {"source": "random", "size": [67, 130], "channels": 3, "batch": 2}}})"},
    {"matmul", R"({"kind": "matmul", "matmul": {"m": 130, "n": 70, "k": 96, "right": "random"}})", true},
    {"network",
     R"({"kind": "network", "task": "train", "network": {"input": {"shape": [1, 12, 12]}, "layers": [
        {"name": "conv1", "type": "conv2d", "filters": 4, "padding": 1}, {"name": "relu1", "type": "relu"},
        {"name": "pool1", "type": "maxpool2d"}, {"name": "flatten", "type": "flatten"},
        {"name": "dense1", "type": "dense", "units": 5}]},
        "training": {"loss": "softmax_cross_entropy", "batch": 8,
                     "optimizer": {"type": "sgd", "learning_rate": 0.01}}})"},
};

Json experimentOf(const SelfTestKind& kind, const std::vector<std::string>& targets) {
    Json experiment = Json::parse(kind.experiment);
    experiment["heteroscope"] = 1;
    experiment["name"] = std::string("Self-test, ") + kind.name;
    experiment["targets"] = targets;
    // Times are shown, and nothing is compared with them: no warming up until they are steady.
    experiment["sampling"] = {
        {"preset", "quick"}, {"samples", kSamples}, {"time_limit_s", kRunLimitS}, {"warmup_limit_s", 0}};
    return experiment;
}

/// The last line of what the worker said on its stderr.
std::string lastWords(const std::filesystem::path& file) {
    std::string text = bytesOfFile(file);
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    const std::size_t start = text.find_last_of('\n');
    return start == std::string::npos ? text : text.substr(start + 1);
}

/// What the worker says is kept in memory: no file of the user's is touched for it.
struct Descriptor {
    explicit Descriptor(int fd) : value(fd) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value >= 0)
            ::close(value);
    }
    const int value;
};

std::string readAll(WorkerChild& child, std::string& bytes) {
    const std::int64_t start = steadyNowNs();
    while (!child.ended()) {
        const auto piece = child.read(50);
        if (!piece)
            return piece.error().sentence();
        bytes.append(piece->begin(), piece->end());
        if (static_cast<double>(steadyNowNs() - start) * 1e-9 > kStudyLimitS)
            return "the study did not end within " + formatDurationNs(kStudyLimitS * 1e9) +
                   " and was stopped";
    }
    return {};
}

} // namespace

std::span<const SelfTestKind> selfTestKinds() {
    return kKinds;
}

bool anyGpuAmong(const std::vector<std::string>& targets) {
    return std::any_of(targets.begin(), targets.end(), compute::namesGpu);
}

std::string bytesOfFile(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

SelfTestRun runSelfTestStudy(const SelfTestKind& kind, const std::vector<std::string>& targets,
                             const std::filesystem::path& folder) {
    const Descriptor words(::memfd_create("self-test messages", MFD_CLOEXEC));
    std::vector<std::string> arguments{"run", "-", "--stream", "--out",
                                       (folder / (std::string(kind.name) + ".hscope")).string()};
    if (kind.counters && anyGpuAmong(targets))
        arguments.push_back("--counters");
    SelfTestRun outcome;
    WorkerChild child;
    Status status = child.start(arguments, words.value);
    if (status)
        status = child.send(experimentOf(kind, targets).dump() + "\n");
    if (!status) {
        outcome.problem = status.error().sentence();
        return outcome;
    }
    outcome.problem = readAll(child, outcome.streamed);
    if (!outcome.problem.empty())
        return outcome; // the worker is ended with `child`
    outcome.problem = child.wait();
    if (const std::string last = lastWords("/proc/self/fd/" + std::to_string(words.value));
        !outcome.problem.empty() && !last.empty())
        outcome.problem += "; its last words: " + last;
    return outcome;
}

} // namespace heteroscope::cli
