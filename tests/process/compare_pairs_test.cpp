// SPDX-License-Identifier: Apache-2.0
// compare of pairs of studies.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/unexplained_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace heteroscope::process_test {
namespace compare_pairs_test {

using testing::HasSubstr;

/// Three pairs of one experiment, which took turns, and what compare says of them.
class RecordedPairs : public testing::Test {
  protected:
    void SetUp() override {
        for (int i = 0; i < 6; ++i) {
            m_paths.push_back(m_folder.file(std::to_string(i) + ".hscope"));
            ASSERT_EQ(
                runCli({"run", "-", "--out", m_paths.back(), "--no-trace"}, poolingExperiment(64, 5).dump())
                    .exitCode,
                0);
        }
    }
    Finished compared(std::vector<std::string> paths, bool json = false) {
        paths.insert(paths.begin(), "compare");
        if (json)
            paths.emplace_back("--json");
        return runCli(paths);
    }

    void checkComparison();
    void checkRefusals();

    TemporaryFolder m_folder;
    std::vector<std::string> m_paths;
};

void RecordedPairs::checkComparison() {
    const Finished done = compared(m_paths, true);
    ASSERT_EQ(done.exitCode, 0) << done.err;
    const Json comparison = Json::parse(done.out);
    EXPECT_EQ(comparison.at("pairs").size(), 3u);
    EXPECT_EQ(comparison.at("pairs").at(2).at("b"), m_paths[5]);
    EXPECT_EQ(comparison.at("pairs").at(1).at("state_a").at("state"), "whole");
    EXPECT_EQ(comparison.at("took_turns"), true);
    ASSERT_EQ(comparison.at("runs").size(), 2u);
    for (const Json& run : comparison.at("runs")) {
        double logs = 0;
        for (const Json& ratio : run.at("pair_ratios"))
            logs += std::log(ratio.get<double>()) / 3;
        EXPECT_EQ(run.at("pair_ratios").size(), 3u);
        EXPECT_NEAR(run.at("ratio").get<double>(), std::exp(logs), 1e-9);
        EXPECT_NEAR(run.at("median_a_ms").get<double>() / run.at("median_b_ms").get<double>(), std::exp(logs),
                    1e-9);
        EXPECT_TRUE(run.at("verdict").is_string());
        EXPECT_LT(run.at("ci98").at(0), run.at("ci95").at(0));
        EXPECT_GT(run.at("ci98").at(1), run.at("ci95").at(1));
    }
    EXPECT_EQ(comparison.at("state_b").at("end_status"), "done");
    EXPECT_THAT(profiling::test::unexplained(comparison, "compare"), testing::IsEmpty());
    EXPECT_THAT(compared(m_paths).out, testing::AllOf(HasSubstr("geometric mean of 3 pairs of studies"),
                                                      HasSubstr("B against A, of 2 runs: ")));
}

void RecordedPairs::checkRefusals() {
    for (const std::size_t count : {3u, 4u, 5u}) {
        const Finished done =
            compared({m_paths.begin(), m_paths.begin() + static_cast<std::ptrdiff_t>(count)});
        EXPECT_EQ(done.exitCode, 64) << count;
        EXPECT_THAT(done.err, HasSubstr("A1 B1 A2 B2 A3 B3"));
    }
    std::vector<std::string> twice = m_paths;
    twice[4] = m_paths[0];
    const Finished done = compared(twice);
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("are the same recording"));
    EXPECT_THAT(compared({m_paths[0], m_paths[0]}).err, HasSubstr("are the same recording"));
    const std::vector<std::string> inOrder{m_paths[0], m_paths[3], m_paths[1],
                                           m_paths[4], m_paths[2], m_paths[5]};
    EXPECT_THAT(compared(inOrder).out, HasSubstr("did not take turns"));
}

/// One test, so that the studies are run once.
TEST_F(RecordedPairs, AreComparedAsPairs) {
    checkComparison();
    checkRefusals();
}

} // namespace compare_pairs_test
} // namespace heteroscope::process_test
