// SPDX-License-Identifier: Apache-2.0
// A training that is killed at any of its calls on checkpoints leaves a whole state behind and goes on from
// it to the end of the uninterrupted one, bit for bit.
#include "tests/checkpoints/kept_training.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heteroscope::compute {
namespace {

// A sanitizer makes each of the hundreds of runs several times slower and looks at the same code in a part of
// them.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kStep = 7;
#else
constexpr int kStep = 1;
#endif

/// What the uninterrupted training leaves.
struct Whole {
    std::string latest, best;
    std::vector<double> losses;
    CheckpointManifest kept;
    std::vector<test::FileCall> calls;
};

class KilledTraining : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        std::string why;
        const auto run = m_training.fresh(0, &why);
        if (!run)
            SKIP_WITHOUT("ptrace", why);
        ASSERT_EQ(run->exitCode, 0) << run->output;
        const auto kept = readCheckpointManifest(m_training.manifest());
        ASSERT_TRUE(kept.ok()) << kept.error().sentence();
        ASSERT_TRUE(kept->best.has_value());
        const NpzArrays latest = m_training.state(kept->latest);
        m_whole = {bytesOf(latest), bytesOf(m_training.state(*kept->best)), validationLosses(latest), *kept,
                   run->calls};
    }

    /// What lies there at any moment opens, and its parts are of one training.
    void expectWholeState() {
        const auto kept = readCheckpointManifest(m_training.manifest());
        ASSERT_TRUE(kept.ok()) << kept.error().sentence();
        ASSERT_TRUE(kept->best.has_value());
        const auto losses = validationLosses(m_training.state(kept->latest));
        ASSERT_EQ(static_cast<std::int64_t>(losses.size()), kept->latest.epoch);
        ASSERT_TRUE(std::equal(losses.begin(), losses.end(), m_whole.losses.begin()));
        ASSERT_EQ(std::min_element(losses.begin(), losses.end()) - losses.begin() + 1, kept->best->epoch);
        const auto atBest = validationLosses(m_training.state(*kept->best));
        ASSERT_EQ(static_cast<std::int64_t>(atBest.size()), kept->best->epoch);
        ASSERT_TRUE(std::equal(atBest.begin(), atBest.end(), losses.begin()));
    }

    void expectSameEnd() {
        std::string why;
        const auto run = m_training.resumed(&why);
        ASSERT_TRUE(run.has_value()) << why;
        ASSERT_EQ(run->exitCode, 0) << run->output;
        const auto kept = readCheckpointManifest(m_training.manifest());
        ASSERT_TRUE(kept.ok()) << kept.error().sentence();
        EXPECT_EQ(bytesOf(m_training.state(kept->latest)), m_whole.latest);
        EXPECT_EQ(bytesOf(m_training.state(*kept->best)), m_whole.best);
        EXPECT_EQ(m_training.files(),
                  (std::set<std::string>{"run_0.checkpoint.json", kept->latest.file, kept->best->file}));
    }

    KeptTraining m_training{GetParam()};
    Whole m_whole;
};

TEST_P(KilledTraining, AtEveryCallGoesOnToTheSameEnd) {
    const auto& losses = m_whole.losses;
    ASSERT_NE(m_whole.kept.best->epoch, 1) << "the best state must change on the way";
    ASSERT_NE(m_whole.kept.best->epoch, static_cast<std::int64_t>(losses.size())) << "and stay at the end";
    const int calls = static_cast<int>(m_whole.calls.size());
    int states = 0;
    for (int at = 1; at <= calls; at += kStep) {
        const auto& call = m_whole.calls[static_cast<std::size_t>(at - 1)];
        SCOPED_TRACE("killed at call " + std::to_string(at) + ", " + call.name + " " + call.path);
        std::string why;
        const auto run = m_training.fresh(at, &why);
        ASSERT_TRUE(run.has_value()) << why;
        ASSERT_TRUE(run->killed) << run->output;
        if (m_training.files().contains("run_0.checkpoint.json")) {
            ++states;
            ASSERT_NO_FATAL_FAILURE(expectWholeState());
        }
        ASSERT_NO_FATAL_FAILURE(expectSameEnd());
    }
    EXPECT_GT(states, calls / kStep / 2); // all but those of the first epoch
    RecordProperty("calls", calls);
}

/// The place of the last call of these names on this path before `end`; -1: none.
int lastBefore(const std::vector<test::FileCall>& calls, int end, std::initializer_list<const char*> names,
               const std::string& path) {
    for (int i = end - 1; i >= 0; --i) {
        const auto& call = calls[static_cast<std::size_t>(i)];
        const bool named =
            std::any_of(names.begin(), names.end(), [&](const char* name) { return call.name == name; });
        if (named && call.path == path)
            return i;
    }
    return -1;
}

TEST_P(KilledTraining, FlushesBeforeItRenamesAndBeforeItRemoves) {
    const auto& calls = m_whole.calls;
    int published = 0, removed = 0, lastRename = -1;
    for (int i = 0; i < static_cast<int>(calls.size()); ++i) {
        const auto& call = calls[static_cast<std::size_t>(i)];
        if (call.name.starts_with("rename")) {
            ++published;
            lastRename = i;
            EXPECT_GT(lastBefore(calls, i, {"fsync", "fdatasync"}, call.path),
                      lastBefore(calls, i, {"write", "pwrite64", "writev", "ftruncate"}, call.path))
                << call.path << " is renamed before it is on the disk";
        }
        if (call.name.starts_with("unlink") && call.path.ends_with(".npz")) {
            ++removed;
            EXPECT_GT(lastBefore(calls, i, {"fsync", "fdatasync"}, m_training.folder()), lastRename)
                << call.path << " is removed before what replaces it is on the disk";
        }
    }
    EXPECT_EQ(published, 2 * static_cast<int>(m_whole.losses.size()));
    EXPECT_GT(removed, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, KilledTraining, testing::Values("cpu/sequential", "cpu/openmp?threads=2"),
                         [](const auto& about) {
                             return std::string(about.index == 0 ? "sequential" : "openmp");
                         });

} // namespace
} // namespace heteroscope::compute
