// SPDX-License-Identifier: Apache-2.0
// ResNet18 where memory ends: at each limit of the address space the program computes, or says why not and
// ends with one of its exit codes; nothing ends it without a word.
#include "compute/base/json.h"
#include "profiling/stream/stream_reader.h"
#include "tests/process/child_process.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <iterator>

namespace heteroscope::process_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr int kUnavailable = 3;
constexpr long kMebibyte = 1 << 20;
constexpr int kLimitsMiB[] = {160, 192, 224, 256, 288, 320, 352, 384, 448, 512, 640, 768, 1024, 2048};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsApply = false; ///< a sanitizer reserves terabytes of address space for itself
#else
constexpr bool kLimitsApply = true;
#endif

class AddressSpace : public testing::TestWithParam<std::string> {
  protected:
    Finished runWithin(int limitMiB, const std::string& batch) const {
        ChildProcess::Options options;
        options.addressSpaceLimit = limitMiB * kMebibyte;
        return runCli({"run", examplePath("network_resnet18.json"), "--target", GetParam(), "--samples", "1",
                       "--preset", "quick", "--no-check", "--no-trace", "--set", "/axes={}", "--set",
                       "/network/input/shape=[3,64,64]", "--set", "/network/input/batch=" + batch},
                      {}, options);
    }
};

TEST_P(AddressSpace, endsWithResultsOrASentence) {
    if (!kLimitsApply)
        GTEST_SKIP() << "a sanitizer needs more address space than any limit here";
    const std::string implementation =
        GetParam().substr(GetParam().find('/') + 1, GetParam().find('?') - GetParam().find('/') - 1);
    const Finished first = runWithin(kLimitsMiB[std::size(kLimitsMiB) - 1], "1");
    if (first.exitCode == kUnavailable && first.err.find("cannot be used") != std::string::npos)
        SKIP_WITHOUT(implementation, first.err);
    int computed = 0, refused = 0;
    for (const char* batch : {"1", "8"})
        for (const int limit : kLimitsMiB) {
            SCOPED_TRACE(GetParam() + " within " + std::to_string(limit) + " MiB, batch " + batch);
            const Finished done = runWithin(limit, batch);
            EXPECT_EQ(done.signal, 0) << done.err;
            EXPECT_THAT(done.exitCode, AnyOf(0, 1, 3)) << done.err;
            computed += done.exitCode == 0 ? 1 : 0;
            if (done.exitCode == 0)
                continue;
            ++refused;
            EXPECT_THAT(done.out + done.err, AnyOf(HasSubstr("memory"), HasSubstr("no room"))) << done.err;
        }
    EXPECT_GT(computed, 0);
    EXPECT_GT(refused, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, AddressSpace,
                         testing::Values("cpu/openmp?threads=2", "cpu/onednn?threads=2"),
                         [](const auto& one) { return one.param.substr(4, 6); });

/// Waits until the stream on stdout tells of the first spans.
bool waitForSpans(ChildProcess& child) {
    const auto end = std::chrono::steady_clock::now() + Milliseconds(30000 * kTimeFactor);
    profiling::StreamReader reader("stdout");
    std::size_t fed = 0;
    for (bool open = true; open && std::chrono::steady_clock::now() < end;) {
        open = child.pump(Milliseconds(100));
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(child.out().data()), child.out().size());
        reader.feed(bytes.subspan(fed));
        fed = bytes.size();
        for (auto frame = reader.next(); frame && *frame; frame = reader.next())
            if ((*frame)->kind == profiling::FrameKind::Spans)
                return true;
    }
    return false;
}

TEST(LastWords, nameTheRunAndTheLayer) {
    if (!kLimitsApply)
        GTEST_SKIP() << "signals are the sanitizer's";
    ChildProcess child({"run", examplePath("network_resnet18.json"), "--target", "cpu/sequential",
                        "--no-check", "--stream", "--set", "/axes={}"});
    child.closeStdin();
    ASSERT_TRUE(waitForSpans(child)); // a part of the run has been computed
    child.signal(SIGSEGV);
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.err, HasSubstr("heteroscope-cli: error: run 0 on cpu/sequential, forecast "));
    EXPECT_THAT(done.err, HasSubstr("was ended by SIGSEGV"));
}

} // namespace
} // namespace heteroscope::process_test
