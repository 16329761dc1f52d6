// SPDX-License-Identifier: Apache-2.0
#include "tests/process/gpu_modules.h"

#include "compute/base/json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {

std::string libraryFolder(const std::string& name) {
    return std::filesystem::path(HETEROSCOPE_BINARY_DIR).parent_path().string() + "/lib/" + name;
}

void link(const std::string& file, const TemporaryFolder& folder, const std::string& name) {
    ASSERT_TRUE(std::filesystem::exists(file)) << file;
    std::filesystem::create_symlink(file, folder.file(name));
}

ChildProcess::Options modulesIn(const TemporaryFolder& folder) {
    ChildProcess::Options options;
    options.environment = {"HETEROSCOPE_MODULES=" + folder.path()};
    return options;
}

std::string gpuReason(const ChildProcess::Options& options) {
    const Finished done = runCli({"devices", "--json"}, {}, options);
    EXPECT_EQ(done.exitCode, 0) << done.err;
    const Json list = Json::parse(done.out);
    for (const Json& device : list.at("devices"))
        if (device.at("kind") == "gpu")
            return device.at("available") ? "" : device.at("reason").get<std::string>();
    return "no GPU is listed";
}

} // namespace heteroscope::process_test
