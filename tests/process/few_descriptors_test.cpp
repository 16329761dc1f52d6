// SPDX-License-Identifier: Apache-2.0
// Fewer descriptors than the program needs (ulimit -n): it failed with the system's words and no advice.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;
using testing::Not;

class FewDescriptors : public testing::TestWithParam<int> {};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kDescriptorsAreOurs = false; ///< a sanitizer looks at memory through pipes
#else
constexpr bool kDescriptorsAreOurs = true;
#endif

TEST_P(FewDescriptors, endWithResultsOrTheLimitThatIsTooLow) {
    if (!kDescriptorsAreOurs)
        SKIP_AS_MEANINGLESS("a sanitizer needs descriptors of its own");
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.descriptorLimit = GetParam();
    const std::string run = folder.file("a.hscope"), results = folder.file("r.json"),
                      known = folder.file("k.hscope");
    ASSERT_EQ(runCli({"run", "-", "--out", known}, poolingExperiment(16, 2).dump()).exitCode, 0);
    int failed = 0;
    for (const Words& words : {Words{"check", "-"}, Words{"devices"}, Words{"run", "-", "--out", run},
                               Words{"run", "-", "--out", run},
                               Words{"run", "-", "--preset", "thesis", "--out", folder.file("b.hscope")},
                               Words{"run", "-", "--json", results}, Words{"trace", "info", known}}) {
        const Finished done = runCli(words, poolingExperiment(16, 2).dump(), options);
        SCOPED_TRACE(testing::PrintToString(words) + done.err);
        EXPECT_EQ(done.signal, 0);
        if (done.exitCode == 0) {
            EXPECT_THAT(done.err, Not(HasSubstr("Too many open files")));
            continue;
        }
        ++failed;
        EXPECT_THAT(done.err, HasSubstr("Too many open files"));
        EXPECT_THAT(done.err, HasSubstr("this process may have " + std::to_string(GetParam()) +
                                        " files open at a time: raise that limit (ulimit -n)"));
    }
    EXPECT_GT(failed, 0) << "the limit is not too low: this test looks at nothing";
    const Finished after = runCli({"run", "-", "--out", run}, poolingExperiment(16, 2).dump());
    EXPECT_EQ(after.exitCode, 0) << "what is left is in nobody's way: " << after.err;
}

INSTANTIATE_TEST_SUITE_P(Limits, FewDescriptors, testing::Values(4, 5, 6));

} // namespace
} // namespace heteroscope::process_test
