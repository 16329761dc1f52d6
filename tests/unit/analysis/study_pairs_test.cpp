// SPDX-License-Identifier: Apache-2.0
// Which of several studies are a pair, and which side each is.
#include "profiling/analysis/study_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace heteroscope::profiling {
namespace study_pairs_test {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class StudyPairs : public testing::Test {
  protected:
    /// One of the experiment with `size`, that starts so many seconds after 08:00.
    Study& add(int second, int size, const std::string& name = "Sweep", const std::string& version = "1") {
        Study& study = m_studies.emplace_back();
        study.id = std::to_string(second);
        study.version = version;
        study.experiment = {{"name", name}, {"size", size}};
        study.clockNs = second * 1'000'000'000LL;
        study.startedUtc = "2026-11-27T08:00:" + std::to_string(10 + second) + "Z";
        return study;
    }
    StudyPairing paired() const {
        std::vector<const Study*> given;
        for (const Study& study : m_studies)
            given.push_back(&study);
        return pairsByStart(given);
    }
    /// "0 1, 2 3" of the ids, A first.
    std::string ids() const {
        std::string text;
        for (const auto& [a, b] : paired().pairs)
            text += (text.empty() ? "" : ", ") + a->id + " " + b->id;
        return text.empty() ? "refused: " + paired().refusal.text() : text;
    }

    std::deque<Study> m_studies;
};

TEST_F(StudyPairs, FollowTheirStartsWhateverOrderTheyAreGivenIn) {
    for (const int second : {4, 1, 3, 0, 5, 2})
        add(second, second % 2 ? 64 : 32);
    EXPECT_EQ(ids(), "0 1, 2 3, 4 5");
}

TEST_F(StudyPairs, FollowTheClockWithinOneSecond) {
    for (const int second : {4, 1, 3, 0, 5, 2}) {
        Study& study = add(second, second % 2 ? 64 : 32);
        study.clockNs = second * 100'000'000LL;
        study.startedUtc = "2026-11-27T08:00:10Z";
    }
    EXPECT_EQ(ids(), "0 1, 2 3, 4 5");
}

TEST_F(StudyPairs, MayBeginWithEitherSide) {
    const int sizes[] = {32, 64, 64, 32, 32, 64}; // A B, B A, A B
    for (int i = 0; i < 6; ++i)
        add(i, sizes[i]);
    EXPECT_EQ(ids(), "0 1, 3 2, 4 5");
}

TEST_F(StudyPairs, AreToldApartByTheVersionAndWhereAllIsTheSameByTwoNames) {
    const int sides[] = {0, 1, 1, 0, 0, 1};
    for (int i = 0; i < 6; ++i)
        add(i, 32, "Sweep", sides[i] ? "2" : "1");
    EXPECT_EQ(ids(), "0 1, 3 2, 4 5");
    m_studies.clear();
    for (int i = 0; i < 6; ++i)
        add(i, 32, sides[i] ? "after" : "before");
    EXPECT_EQ(ids(), "0 1, 3 2, 4 5");
    m_studies.clear();
    for (int i = 0; i < 6; ++i)
        add(i, 32, "night " + std::to_string(i));
    EXPECT_EQ(ids(), "0 1, 2 3, 4 5") << "the first of each two is A";
}

TEST_F(StudyPairs, ThatDoNotAlternateAreRefusedWithTheTwoThatFollowEachOther) {
    const int sizes[] = {32, 64, 32, 32, 64, 64};
    for (int i = 0; i < 6; ++i)
        add(i, sizes[i]);
    EXPECT_TRUE(paired().pairs.empty());
    EXPECT_EQ(paired().refusal,
              "In the order of their start runs 3 and 4 are of one experiment: Sweep "
              "(2026-11-27T08:00:12Z) and Sweep (2026-11-27T08:00:13Z). Pairs alternate: A B A B A B. Select "
              "runs that do, or measure A and B again by turns.");
}

TEST_F(StudyPairs, OfMoreThanTwoExperimentsAreRefused) {
    for (int i = 0; i < 6; ++i)
        add(i, i % 3);
    EXPECT_EQ(paired().refusal, "The 6 runs are of 3 experiments; pairs are of two, A and B. Select runs of "
                                "two experiments that alternate: A B A B A B.");
}

TEST_F(StudyPairs, NeedStartsAndRecordingsOfTheirOwn) {
    for (int i = 0; i < 6; ++i)
        add(i, 32 + i % 2);
    m_studies[4].startedUtc.clear();
    EXPECT_THAT(paired().refusal.text(), HasSubstr("does not say when it started"));
    m_studies[4].startedUtc = "2026-11-27T08:00:14Z";
    m_studies[4].id = "0";
    EXPECT_THAT(paired().refusal.text(), HasSubstr("are the same recording"));
}

// Name and start are those of one recording.
TEST_F(StudyPairs, NameTheFilesOfOneRecording) {
    for (int i = 0; i < 6; ++i)
        add(i, 32 + i % 2).file = "/runs/" + std::to_string(i) + ".hscope";
    m_studies[4].id = "0";
    EXPECT_THAT(paired().refusal.text(), StartsWith("0.hscope and 4.hscope are the same recording"));
    m_studies[4].file = "/copies/0.hscope";
    EXPECT_THAT(paired().refusal.text(),
                StartsWith("/runs/0.hscope and /copies/0.hscope are the same recording"));
}

TEST(StudyPairsCount, IsTwoOrThreeWholePairsAndMore) {
    std::vector<std::size_t> allowed;
    for (std::size_t count = 0; count <= 10; ++count)
        if (makesPairs(count))
            allowed.push_back(count);
    EXPECT_THAT(allowed, testing::ElementsAre(2, 6, 8, 10));
}

} // namespace study_pairs_test
} // namespace heteroscope::profiling
