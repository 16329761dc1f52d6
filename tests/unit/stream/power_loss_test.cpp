// SPDX-License-Identifier: Apache-2.0
// The power fails after any change that a run makes to the disk: what is left opens, and has everything that
// was flushed.
#include "compute/base/output_file.h"
#include "profiling/stream/run_file_state.h"
#include "tests/support/recorded_disk.h"
#include "tests/unit/stream/stream_fixture.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace heteroscope::profiling {
namespace {

using namespace testing;
using testing_support::RecordedDisk;
using Change = RecordedDisk::Change;
using std::chrono::milliseconds;

constexpr int kFailuresEach = 24; ///< ways to lose what was not flushed, after each change

unsigned seedOfPowerLoss() {
    const char* given = std::getenv("HETEROSCOPE_TEST_SEED");
    return given ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 20261122;
}

class OneFolder {
  public:
    OneFolder() {
        std::string pattern = ::testing::TempDir() + "heteroscope-power-XXXXXX";
        m_path = ::mkdtemp(pattern.data());
    }
    ~OneFolder() { std::filesystem::remove_all(m_path); }
    OneFolder(const OneFolder&) = delete;
    OneFolder& operator=(const OneFolder&) = delete;
    std::string file(const std::string& name) const { return m_path + "/" + name; }

  private:
    std::string m_path;
};

std::string textOf(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void writeBytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// A run on a recorded disk, and after which change each of its samples was written.
struct RecordedRun {
    RecordedDisk disk;
    std::vector<std::size_t> writtenAfter; ///< of sample i: number of changes when it was written
    std::size_t ended = 0;

    explicit RecordedRun(RecordedDisk::Folder before) : disk(std::move(before)) {}

    void record(const std::string& path) {
        auto sink = openFileSink(path, {.syncEvery = milliseconds(1)}, disk);
        ASSERT_TRUE(sink) << sink.error().sentence();
        std::vector<std::unique_ptr<FrameSink>> sinks;
        sinks.push_back(std::move(*sink));
        StreamWriter writer(std::move(sinks));
        ASSERT_TRUE(writer.begin(header()));
        ASSERT_TRUE(writer.environment({{"cpu", std::string(3000, 'c')}}));
        StudyRun run;
        run.target = "cpu/sequential";
        ASSERT_TRUE(writer.run(run));
        for (int i = 0; i < 12; ++i) {
            writtenAfter.push_back(disk.stepCount() + 1);
            ASSERT_TRUE(writer.sample(sampleOf(0, i, 1.0 + i)));
            if (i % 4 == 3) {
                ASSERT_TRUE(disk.waitForSyncAfter(writtenAfter.back()));
            }
        }
        ASSERT_TRUE(writer.end("done", ""));
        ended = disk.stepCount();
    }

    std::size_t samplesFlushed(std::size_t steps) const {
        std::size_t flushed = 0;
        for (std::size_t i = 0; i < steps; ++i)
            if (disk.step(i).change == Change::Sync)
                flushed = i;
        std::size_t count = 0;
        while (count < writtenAfter.size() && writtenAfter[count] <= flushed)
            ++count;
        return count;
    }
};

/// Every sample of the file is one of the run, in order and without a gap.
void expectBeginningOfTheRun(const RunFile& file, std::size_t least, const std::string& what) {
    if (file.study.runs.empty()) {
        EXPECT_EQ(least, 0u) << what;
        return;
    }
    const auto& samples = file.study.runs.at(0).samples;
    EXPECT_GE(samples.size(), least) << what;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        EXPECT_EQ(samples[i].sample, static_cast<int>(i)) << what;
        EXPECT_EQ(samples[i].wallMs, 1.0 + static_cast<double>(i)) << what;
    }
    if (stateOf(file).whole()) {
        EXPECT_EQ(samples.size(), 12u) << what << ": a file that lacks something says so";
    }
}

/// The number of failures after which the new file had the name.
int replayAll(const RecordedRun& run, const std::string& path, const std::string& old, bool hadOld) {
    std::mt19937 random(seedOfPowerLoss());
    int renamed = 0;
    for (std::size_t steps = 0; steps <= run.disk.stepCount(); ++steps)
        for (int failure = 0; failure < kFailuresEach; ++failure) {
            const auto left = run.disk.afterPowerLoss(steps, random);
            const std::string what = "after " + std::to_string(steps) + " changes, failure " +
                                     std::to_string(failure) + ", seed " + std::to_string(seedOfPowerLoss());
            const auto found = left.find(path);
            if (found == left.end()) {
                EXPECT_FALSE(hadOld) << what << ": the old file is gone";
                EXPECT_EQ(run.samplesFlushed(steps), 0u) << what;
                continue;
            }
            if (hadOld && found->second == old)
                continue;
            ++renamed;
            const TemporaryFile copy(Bytes(found->second.begin(), found->second.end()));
            const auto file = readRunFile(copy.path());
            if (!file.ok()) {
                ADD_FAILURE() << what << ": " << file.error().sentence();
                continue;
            }
            expectBeginningOfTheRun(*file, run.samplesFlushed(steps), what);
        }
    return renamed;
}

TEST(PowerLoss, leavesANewRunFileWithAllThatWasFlushed) {
    const OneFolder folder;
    RecordedRun run{RecordedDisk::Folder()};
    run.record(folder.file("a.hscope"));
    EXPECT_GT(replayAll(run, folder.file("a.hscope"), {}, false), 100);
}

TEST(PowerLoss, leavesTheOldRunFileOrTheNewOne) {
    const OneFolder folder;
    const Bytes small = smallStream();
    const std::string old(small.begin(), small.end());
    writeBytes(folder.file("a.hscope"), old);
    RecordedRun run{RecordedDisk::Folder{{folder.file("a.hscope"), old}}};
    run.record(folder.file("a.hscope"));
    EXPECT_GT(replayAll(run, folder.file("a.hscope"), old, true), 100);
}

TEST(PowerLoss, afterTheEndLosesNothing) {
    const OneFolder folder;
    RecordedRun run{RecordedDisk::Folder()};
    run.record(folder.file("a.hscope"));
    std::mt19937 random(seedOfPowerLoss());
    for (int failure = 0; failure < 100; ++failure) {
        const auto left = run.disk.afterPowerLoss(run.ended, random);
        ASSERT_TRUE(left.contains(folder.file("a.hscope")));
        EXPECT_EQ(left.at(folder.file("a.hscope")), textOf(folder.file("a.hscope")));
    }
}

TEST(PowerLoss, leavesWholeTextsOrTheOnesBefore) {
    const OneFolder folder;
    const std::string path = folder.file("r.json"), text(100000, 'n');
    writeBytes(path, "old");
    RecordedDisk disk({{path, "old"}});
    {
        auto file = OutputFile::open(path, {}, disk);
        ASSERT_TRUE(file) << file.error().sentence();
        ASSERT_TRUE((*file)->write(std::string_view(text).substr(0, 60000)));
        ASSERT_TRUE((*file)->write(std::string_view(text).substr(60000)));
        ASSERT_TRUE((*file)->commit());
    }
    std::mt19937 random(seedOfPowerLoss());
    for (std::size_t steps = 0; steps <= disk.stepCount(); ++steps)
        for (int failure = 0; failure < 200; ++failure) {
            const auto left = disk.afterPowerLoss(steps, random);
            ASSERT_TRUE(left.contains(path)) << steps;
            const bool isNew = left.at(path) == text;
            EXPECT_TRUE(isNew || left.at(path) == "old") << steps;
            EXPECT_TRUE(isNew || steps < disk.stepCount());
        }
}

TEST(RunFilePolicy, flushesAtTheNameThenNowAndThenAndAtTheEnd) {
    const OneFolder folder;
    RecordedRun run{RecordedDisk::Folder()};
    run.record(folder.file("a.hscope"));
    std::vector<Change> barriers;
    for (std::size_t i = 0; i < run.disk.stepCount(); ++i)
        if (const Change change = run.disk.step(i).change;
            change == Change::Sync || change == Change::Rename || change == Change::SyncFolder)
            barriers.push_back(change);
    ASSERT_GE(barriers.size(), 3u + 3u + 1u); // the name, three waits, the end
    EXPECT_EQ(barriers[0], Change::Sync);
    EXPECT_EQ(barriers[1], Change::Rename);
    EXPECT_EQ(barriers[2], Change::SyncFolder);
    for (std::size_t i = 3; i < barriers.size(); ++i)
        EXPECT_EQ(barriers[i], Change::Sync);
}

TEST(RunFilePolicy, doesNotFlushMoreOftenThanItSays) {
    const OneFolder folder;
    RecordedDisk disk;
    {
        auto sink = openFileSink(folder.file("a.hscope"), {}, disk);
        ASSERT_TRUE(sink);
        std::vector<std::unique_ptr<FrameSink>> sinks;
        sinks.push_back(std::move(*sink));
        StreamWriter writer(std::move(sinks));
        ASSERT_TRUE(writer.begin(header()));
        const std::size_t named = disk.stepCount();
        for (int i = 0; i < 2000; ++i) // well below the five seconds of the policy
            ASSERT_TRUE(writer.log({i, "info", "a line"}));
        for (std::size_t i = named; i < disk.stepCount(); ++i)
            EXPECT_EQ(disk.step(i).change, Change::Write);
    }
}

TEST(RunFilePolicy, keepsTheOldFileWhenNothingWasMeasured) {
    const OneFolder folder;
    const Bytes small = smallStream();
    const std::string path = folder.file("a.hscope"), old(small.begin(), small.end());
    writeBytes(path, old);
    auto sink = openFileSink(path);
    ASSERT_TRUE(sink);
    std::vector<std::unique_ptr<FrameSink>> sinks;
    sinks.push_back(std::move(*sink));
    {
        StreamWriter writer(std::move(sinks));
        ASSERT_TRUE(writer.begin(header()));
        EXPECT_EQ(textOf(path), old);
        ASSERT_TRUE(writer.end("failed", "no memory"));
        EXPECT_EQ(writer.earlierFileKept(), path);
    }
    EXPECT_EQ(textOf(path), old);
    EXPECT_FALSE(std::filesystem::exists(partPath(path, "")));
}

TEST(Stream, ZerosThatAPowerLossLeftAreDamageWhereverTheyBegin) {
    const Bytes whole = smallStream();
    for (std::size_t zeros : {12u, 24u, 600u, 1200u}) { // also of the length of empty records
        Bytes bytes = whole;
        bytes.resize(whole.size() + zeros, 0);
        const TemporaryFile copy(bytes);
        const auto file = readRunFile(copy.path());
        ASSERT_TRUE(file);
        EXPECT_TRUE(file->damage.has_value()) << zeros;
        EXPECT_EQ(file->wholeBytes, whole.size());
    }
}

} // namespace
} // namespace heteroscope::profiling
