// SPDX-License-Identifier: Apache-2.0
// Modules that are missing, broken or from elsewhere: a reason on the device's line, never a failed start.
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace heteroscope::process_test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST(Modules, thatAreNotThereGiveAReasonAndTheCpuStays) {
    const TemporaryFolder folder;
    EXPECT_THAT(gpuReason(modulesIn(folder)), HasSubstr(folder.path()));
    const Finished done =
        runCli({"run", "-", "--target", "cpu/sequential", "--target", "cuda:0/cudnn", "--no-trace"},
               poolingExperiment(16, 1).dump(), modulesIn(folder));
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("no cudnn part"));
}

TEST(Modules, thatAreBrokenSayWhatTheLoaderSaid) {
    const TemporaryFolder folder;
    for (const char* name : {"cublas.so", "cuda.so", "cudnn.so"})
        std::ofstream(folder.file(name)) << "no library";
    EXPECT_THAT(gpuReason(modulesIn(folder)), HasSubstr("cannot be loaded"));
}

TEST(Modules, ofAnotherBuildAreRefusedAndNotCalled) {
    const TemporaryFolder folder;
    for (const char* name : {"cublas.so", "cuda.so", "cudnn.so"})
        link(libraryFolder("test_modules") + "/foreign.so", folder, name);
    const std::string reason = gpuReason(modulesIn(folder));
    EXPECT_THAT(reason, HasSubstr("belongs to another build (0.0.9 another compiler, this program is "));
    const Finished done = runCli({"run", "-", "--target", "cuda:0/cuda", "--no-trace"},
                                 poolingExperiment(16, 1).dump(), modulesIn(folder));
    EXPECT_EQ(done.exitCode, 3);
    EXPECT_THAT(done.err, HasSubstr("another build"));
}

TEST(Modules, beforeAnOldDriverSayWhichVersionIsNeeded) {
    if (!std::filesystem::exists(libraryFolder("heteroscope") + "/cuda.so"))
        SKIP_WITHOUT("cuda", "this build has no CUDA modules");
    const char* others = std::getenv("LD_LIBRARY_PATH");
    ChildProcess::Options options;
    options.environment = {"LD_LIBRARY_PATH=" + libraryFolder("old_driver") +
                           (others == nullptr ? "" : std::string(":") + others)};
    const Finished done = runCli({"devices"}, {}, options);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_THAT(done.out,
                ContainsRegex("cuda:0: NVIDIA GPU\n +not available: the NVIDIA driver supports CUDA "
                              "12\\.0, this program needs [0-9]+\\.0 or newer: update the driver"));
    const Finished run = runCli({"run", "-", "--target", "cpu/sequential", "--target", "cuda:0/cuda"},
                                poolingExperiment(16, 1).dump(), options);
    EXPECT_EQ(run.exitCode, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("supports CUDA 12.0"));
}

TEST(Modules, unknownImplementationOfAGpuIsRefusedWithAReason) {
    const Finished done =
        runCli({"run", "-", "--target", "cuda:0/nonsense"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 3);
    EXPECT_THAT(done.err, HasSubstr("cuda:0"));
}

} // namespace
} // namespace heteroscope::process_test
