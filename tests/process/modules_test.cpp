// SPDX-License-Identifier: Apache-2.0
// Modules that are missing, broken or from elsewhere: a reason on the device's line, never a failed start.
#include "compute/base/json.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

ChildProcess::Options modulesIn(const TemporaryFolder& folder) {
    ChildProcess::Options options;
    options.environment = {"HETEROSCOPE_MODULES=" + folder.path()};
    return options;
}

std::string gpuReason(const TemporaryFolder& folder) {
    const Finished done = runCli({"devices", "--json"}, {}, modulesIn(folder));
    EXPECT_EQ(done.exitCode, 0) << done.err;
    const Json list = Json::parse(done.out);
    for (const Json& device : list.at("devices"))
        if (device.at("kind") == "gpu" && !device.at("available"))
            return device.at("reason");
    return {};
}

TEST(Modules, thatAreNotThereGiveAReasonAndTheCpuStays) {
    const TemporaryFolder folder;
    EXPECT_THAT(gpuReason(folder), HasSubstr(folder.path()));
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
    EXPECT_THAT(gpuReason(folder), HasSubstr("cannot be loaded"));
}

TEST(Modules, unknownImplementationOfAGpuIsRefusedWithAReason) {
    const Finished done =
        runCli({"run", "-", "--target", "cuda:0/nonsense"}, poolingExperiment(16, 1).dump());
    EXPECT_EQ(done.exitCode, 3);
    EXPECT_THAT(done.err, HasSubstr("cuda:0"));
}

} // namespace
} // namespace heteroscope::process_test
