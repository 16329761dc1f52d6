// SPDX-License-Identifier: Apache-2.0
// Pairs of studies that took turns, run by run.
#include "profiling/analysis/results.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>

namespace heteroscope::profiling {
namespace compare_pairs_test {

using ::testing::ElementsAre;

using ::testing::IsEmpty;

/// One run, of three processes.
Study study(double ms, int second, const std::string& target = "cpu/openmp") {
    Study made;
    made.id = std::to_string(second);
    made.startedUtc = "2026-11-27T00:00:" + std::to_string(10 + second) + "Z";
    StudyRun& run = made.runs.emplace_back();
    run.target = target;
    run.status = StudyRunStatus::Ok;
    made.clockNs = (1000 + second) * 1'000'000'000LL;
    for (int i = 0; i < 9; ++i) {
        StudySample& sample = run.samples.emplace_back();
        sample.sample = i;
        sample.process = i % 3;
        sample.wallMs = ms;
        sample.repetitions = 1;
        sample.startNs = made.clockNs + i * 20'000'000LL;
    }
    return made;
}

class ComparePairs : public testing::Test {
  protected:
    void add(Study a, Study b) {
        const Study& first = m_studies.emplace_back(std::move(a));
        const Study& second = m_studies.emplace_back(std::move(b));
        m_pairs.push_back({&first, &second});
    }
    StudyComparison compared() const { return compareStudies(m_pairs); }
    Study& at(std::size_t i) { return m_studies[i]; }

  private:
    std::deque<Study> m_studies;
    std::vector<StudyPair> m_pairs;
};

TEST_F(ComparePairs, ThatTookTurnsTellSmallDifferencesApart) {
    add(study(10, 0), study(9.3, 1));
    add(study(18, 2), study(16.6, 3));
    at(3).runs[0].samples.pop_back();
    add(study(10.1, 5), study(9.4, 4)); // B first
    const StudyComparison comparison = compared();
    ASSERT_EQ(comparison.runs.size(), 1u);
    EXPECT_TRUE(comparison.tookTurns);
    EXPECT_THAT(comparison.differences, IsEmpty());
    const RunComparison& run = comparison.runs[0];
    EXPECT_EQ(run.comparison->verdict, Verdict::Faster);
    EXPECT_EQ(run.samplesA, 27u);
    EXPECT_EQ(run.samplesB, 26u);
    EXPECT_THAT(run.pairRatios,
                ElementsAre(testing::DoubleNear(10 / 9.3, 1e-12), testing::DoubleNear(18 / 16.6, 1e-12),
                            testing::DoubleNear(10.1 / 9.4, 1e-12)));
    EXPECT_NEAR(run.medianAMs, std::cbrt(10 * 18 * 10.1), 1e-12);
    EXPECT_NEAR(run.comparison->ratio, run.medianAMs / run.medianBMs, 1e-12);
}

TEST(ComparePairsOfOneMoment, ThatTookNoTurnsTellOnlyAFactorOfTwo) {
    for (const double factor : {1.5, 2.5}) {
        SCOPED_TRACE(factor);
        std::vector<Study> all;
        for (int i = 0; i < 3; ++i) {
            all.push_back(study(10, i));              // first all of A
            all.push_back(study(10 * factor, 3 + i)); // then all of B
        }
        std::vector<StudyPair> given;
        for (std::size_t i = 0; i < all.size(); i += 2)
            given.push_back({&all[i], &all[i + 1]});
        const StudyComparison comparison = compareStudies(given);
        EXPECT_FALSE(comparison.tookTurns);
        EXPECT_EQ(comparison.runs[0].comparison->verdict, factor < 2 ? Verdict::Unclear : Verdict::Slower);
        EXPECT_EQ(comparison.runs[0].comparison->oneMoment, factor < 2);
        all[3].startedUtc.clear();
        EXPECT_FALSE(compareStudies(given).tookTurns) << "not known";
    }
}

TEST_F(ComparePairs, ThatOverlapTookNoTurns) {
    for (int i = 0; i < 3; ++i)
        add(study(10, 2 * i), study(20, 2 * i + 1));
    EXPECT_TRUE(compared().tookTurns);
    at(1).runs[0].samples.back().startNs += 2'000'000'000; // into the second pair
    EXPECT_FALSE(compared().tookTurns);
    at(1).runs[0].samples.back().startNs -= 2'000'000'000;
    for (const std::size_t b : {1u, 3u, 5u})
        at(b).clockNs -= 500'000'000'000; // another machine, on which samples start as long before
    for (const std::size_t b : {1u, 3u, 5u})
        for (StudySample& sample : at(b).runs[0].samples)
            sample.startNs -= 500'000'000'000;
    EXPECT_TRUE(compared().tookTurns);
    at(3).startedUtc = at(5).startedUtc;
    EXPECT_FALSE(compared().tookTurns);
    at(3).startedUtc = "yesterday";
    EXPECT_FALSE(compared().tookTurns) << "not known";
}

TEST_F(ComparePairs, AreOfWholeRunsWithFiveSamplesAndMore) {
    for (int i = 0; i < 3; ++i)
        add(study(10, 2 * i), study(20, 2 * i + 1));
    StudyRun& cut = at(3).runs[0];
    cut.status = StudyRunStatus::Cancelled;
    EXPECT_EQ(compared().runs[0].note, "pair 2: did not finish in the second");
    EXPECT_FALSE(compared().runs[0].comparison);
    cut.status = StudyRunStatus::Ok;
    cut.samples.resize(4);
    EXPECT_EQ(compared().runs[0].note, "pair 2: fewer than 5 samples in the second");
    EXPECT_EQ(compareStudies(at(2), at(3)).runs[0].note, "") << "two studies say n < 5";
    cut.status = StudyRunStatus::Running;
    EXPECT_EQ(compareStudies(at(2), at(3)).runs[0].note, "did not finish in the second");
    EXPECT_EQ(compareStudies(at(3), at(3)).runs[0].note, "did not finish in both");
}

TEST_F(ComparePairs, AreOfOneExperimentASide) {
    for (int i = 0; i < 3; ++i)
        add(study(10, 2 * i), study(20, 2 * i + 1));
    at(5).experiment["pooling"] = {{"padding", 1}};
    const StudyComparison comparison = compared();
    EXPECT_EQ(comparison.runs[0].note, "pair 3: another experiment than in pair 1 in the second");
    EXPECT_FALSE(comparison.runs[0].comparison);
    EXPECT_THAT(
        comparison.differences,
        testing::Contains("B of pairs 1 and 3: experiment /pooling: nothing against {\"padding\":1}"));
}

TEST_F(ComparePairs, NameTheStudyThatLacksARun) {
    add(study(10, 0), study(10, 1));
    add(study(10, 2), study(10, 3, "cpu/onednn"));
    add(study(10, 4), study(10, 5));
    at(4).runs[0].samples.clear();
    const StudyComparison comparison = compared();
    ASSERT_EQ(comparison.runs.size(), 2u);
    EXPECT_EQ(comparison.runs[0].note, "pair 2: only in the first");
    EXPECT_FALSE(comparison.runs[0].comparison);
    EXPECT_EQ(comparison.runs[1].target, "cpu/onednn");
    EXPECT_EQ(comparison.runs[1].note, "pair 1: in neither");
    at(3).runs[0].target = "cpu/openmp";
    EXPECT_EQ(compared().runs[0].note, "pair 3: no samples in the first");
}

TEST_F(ComparePairs, SayWhatDiffersWithinASide) {
    for (int i = 0; i < 3; ++i)
        add(study(10, 2 * i), study(10, 2 * i + 1));
    at(4).experiment["name"] = "other";
    at(5).experiment["name"] = "other";
    at(5).runs[0].outputDigest = "x";
    at(4).runs[0].outputDigest = "y";
    const StudyComparison comparison = compared();
    EXPECT_THAT(comparison.differences,
                ElementsAre("A of pairs 1 and 3: experiment /name: nothing against \"other\"",
                            "B of pairs 1 and 3: experiment /name: nothing against \"other\""));
    EXPECT_EQ(comparison.runs[0].note, "outputs differ");
    EXPECT_TRUE(comparison.runs[0].outputsDiffer);
    EXPECT_EQ(comparison.runs[0].comparison->verdict, Verdict::Same);
}

} // namespace compare_pairs_test
} // namespace heteroscope::profiling
