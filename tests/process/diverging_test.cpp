// SPDX-License-Identifier: Apache-2.0
// Trainings whose weights become NaN: an implementation that would hide it refuses to go on.
#include "tests/process/child_process.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// Steps of 1000 times the gradient leave nothing finite.
constexpr const char* kDiverges = R"({"heteroscope": 1, "kind": "network", "task": "train",
  "network": {"input": {"shape": [1, 8, 8]}, "layers": [
    {"name": "c", "type": "conv2d", "filters": 16, "kernel": 3, "padding": 1},
    {"name": "r", "type": "relu"}, {"name": "p", "type": "maxpool2d"},
    {"name": "f", "type": "flatten"}, {"name": "d", "type": "dense", "units": 4}]},
  "data": {"source": "synthetic", "count": 64, "classes": 4},
  "training": {"loss": "softmax_cross_entropy", "batch": 16,
               "optimizer": {"type": "sgd", "learning_rate": 1000}},
  "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "time_limit_s": 2}})";

TEST(Diverging, ImplementationsThatKeepNanGoOn) {
    const Finished done = runCli({"run", "-", "--target", "cpu/openmp"}, kDiverges);
    EXPECT_EQ(done.exitCode, 0) << done.err;
}

TEST(Diverging, OnednnSaysWhatItWouldHide) {
    const Finished done = runCli({"run", "-", "--target", "cpu/onednn"}, kDiverges);
    if (done.err.find("this build has no oneDNN") != std::string::npos)
        SKIP_WITHOUT("onednn", done.err);
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("onednn sgd: NaN or an infinity is among the weights that it wrote"));
    EXPECT_THAT(done.err, HasSubstr("ReLU turns NaN into 0"));
}

} // namespace
} // namespace heteroscope::process_test
