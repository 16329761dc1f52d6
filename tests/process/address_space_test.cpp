// SPDX-License-Identifier: Apache-2.0
// ResNet18 where memory ends: at each limit of the address space the program computes, or says why not and
// ends with one of its exit codes; nothing ends it without a word.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iterator>

namespace heteroscope::process_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int kUnavailable = 3;
constexpr long kMebibyte = 1 << 20;
/// Of the refusals: a library crashed before anybody could refuse. A crash is told with the word "memory",
/// too, so that only their number shows that the forecast foresees the others.
constexpr int kMostCrashes = 2;
constexpr int kLimitsMiB[] = {160, 192, 224, 256, 288, 320, 352, 384, 448, 512, 640, 768, 1024, 2048};
/// Computed at so many limits in a row, it computes at larger ones: they would show nothing of where memory
/// ends.
constexpr int kEnoughComputed = 4;

class AddressSpace : public testing::TestWithParam<std::string> {
  protected:
    Finished runWithin(int limitMiB, const std::string& batch) const {
        ChildProcess::Options options;
        options.addressSpaceLimit = limitMiB * kMebibyte;
        return runCli({"run", examplePath("network_resnet18.json"), "--target", GetParam(), "--samples", "1",
                       "--preset", "quick", "--no-check", "--no-trace", "--set", "/axes={}", "--set",
                       "/sampling/warmup_limit_s=0", "--set", "/network/input/shape=[3,64,64]", "--set",
                       "/network/input/batch=" + batch},
                      {}, options);
    }
};

TEST_P(AddressSpace, endsWithResultsOrASentence) {
    if (!kAddressSpaceLimitsApply)
        SKIP_AS_MEANINGLESS("a sanitizer needs more address space than any limit here");
    const std::string implementation =
        GetParam().substr(GetParam().find('/') + 1, GetParam().find('?') - GetParam().find('/') - 1);
    const Finished first = runWithin(kLimitsMiB[std::size(kLimitsMiB) - 1], "1");
    if (first.exitCode == kUnavailable && first.err.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT(implementation, first.err);
    int computed = 0, refused = 0, bySignal = 0;
    for (const char* batch : {"1", "8"}) {
        int inARow = 0;
        for (const int limit : kLimitsMiB) {
            if (inARow == kEnoughComputed)
                break;
            SCOPED_TRACE(GetParam() + " within " + std::to_string(limit) + " MiB, batch " + batch);
            const Finished done = runWithin(limit, batch);
            EXPECT_EQ(done.signal, 0) << done.err;
            EXPECT_THAT(done.exitCode, AnyOf(0, 1, 3)) << done.err;
            computed += done.exitCode == 0 ? 1 : 0;
            inARow = done.exitCode == 0 ? inARow + 1 : 0;
            if (done.exitCode == 0)
                continue;
            ++refused;
            bySignal += done.err.find("was ended by SIG") != std::string::npos ? 1 : 0;
            EXPECT_THAT(done.out + done.err, AnyOf(HasSubstr("memory"), HasSubstr("no room"))) << done.err;
        }
    }
    EXPECT_GT(computed, 0);
    EXPECT_GT(refused, 0);
    std::printf("%s: %d computed, %d refused, %d of them after a crash\n", GetParam().c_str(), computed,
                refused, bySignal);
    EXPECT_LE(bySignal, kMostCrashes) << "the forecast did not foresee them";
}

INSTANTIATE_TEST_SUITE_P(Targets, AddressSpace,
                         testing::Values("cpu/openmp?threads=2", "cpu/onednn?threads=2"),
                         [](const auto& one) { return one.param.substr(4, 6); });

/// oneDNN makes code for some 50 convolutions while the run is planned, before there is a forecast.
void namesWhereItEnds(std::vector<std::string> words, int limitMebibytes, const std::string& what) {
    ChildProcess::Options options;
    options.addressSpaceLimit = limitMebibytes * kMebibyte;
    words.insert(words.end(), {"--target", "cpu/onednn?threads=2"});
    const Finished done = runCli(words, {}, options);
    EXPECT_EQ(done.signal, 0) << done.err;
    EXPECT_THAT(done.exitCode, AnyOf(0, 1, 3)) << done.err;
    if (done.err.find("was ended by SIG") == std::string::npos)
        return;
    // An operation, or a reorder with the layouts that it goes between.
    EXPECT_THAT(done.err,
                testing::ContainsRegex(what + " cpu/onednn.threads=2, .*(, [a-z0-9]+\\.[a-z]+|reorder "
                                              "[^:]+): the computation was ended by SIG"));
}

TEST(AddressSpaceOfPlanning, isNamedWhereALibraryEndsTheProgram) {
    if (!kAddressSpaceLimitsApply)
        SKIP_AS_MEANINGLESS("a sanitizer needs more address space than any limit here");
    if (const Finished first =
            runCli({"check", examplePath("network_mobilenet_v2.json"), "--target", "cpu/onednn"});
        first.out.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT("onednn", first.out);
    const std::vector<std::string> oneSample{"--samples", "1",          "--preset",
                                             "quick",     "--no-check", "--no-trace"};
    for (const int limit : {128, 160, 192, 256, 320}) {
        SCOPED_TRACE(limit);
        std::vector<std::string> words{"run", examplePath("network_mobilenet_v2.json")};
        words.insert(words.end(), oneSample.begin(), oneSample.end());
        namesWhereItEnds(words, limit, "run [0-9]+ on");
    }
    // Too large for the limit: which batch would fit is asked of the library.
    for (const int limit : {220, 235, 250, 265, 280}) {
        SCOPED_TRACE(limit);
        std::vector<std::string> words{"run",   examplePath("network_resnet18.json"),
                                       "--set", "/axes={}",
                                       "--set", "/network/input/batch=16"};
        words.insert(words.end(), oneSample.begin(), oneSample.end());
        namesWhereItEnds(words, limit, "run [0-9]+ on");
        namesWhereItEnds({"check", examplePath("network_resnet18.json")}, limit, "planning for");
    }
}

} // namespace
} // namespace heteroscope::process_test
