// SPDX-License-Identifier: Apache-2.0
// One test for each thing that other tests cannot do without: skipped with the reason where it is missing,
// failed where HETEROSCOPE_REQUIRE wants it. So nothing that is not there goes unnoticed, even where its
// tests are not built.
#include "compute/base/json.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/gpu_modules.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <heteroscope_paths.h>
#include <sstream>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

/// Empty when a program of this name is on PATH.
std::string programReason(const std::string& name) {
    std::istringstream folders(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH"));
    for (std::string folder; std::getline(folders, folder, ':');)
        if (std::filesystem::exists(std::filesystem::path(folder) / name))
            return {};
    return name + " is not installed";
}

/// Empty when the program can open a target of this implementation on a device of this kind.
std::string implementationReason(const std::string& kind, const std::string& id) {
    const Finished done = runCli({"devices", "--json"});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    std::string reason = "no device of kind " + kind + " is listed";
    const Json list = Json::parse(done.out);
    for (const Json& device : list.at("devices")) {
        if (device.at("kind") != kind)
            continue;
        if (!device.at("available").get<bool>())
            return device.at("reason");
        reason = id + " is not listed for " + device.at("id").get<std::string>();
        for (const Json& one : device.at("implementations"))
            if (one.at("id") == id)
                return one.at("available").get<bool>() ? "" : one.at("reason").get<std::string>();
    }
    return reason;
}

std::string moduleReason(const std::string& name) {
    const std::string file = libraryFolder("heteroscope") + "/" + name + ".so";
    return std::filesystem::exists(file) ? "" : "this build has no module " + name;
}

std::string twoGpusReason() {
    int usable = 0;
    const Json list = Json::parse(runCli({"devices", "--json"}).out);
    for (const Json& device : list.at("devices"))
        usable += device.at("kind") == "gpu" && device.at("available").get<bool>();
    return usable > 1 ? "" : "needs two GPUs, " + std::to_string(usable) + " can be used";
}

std::string reasonAgainst(const std::string& word) {
    if (word == "gpu")
        return gpuReason();
    if (word == "two-gpus")
        return twoGpusReason();
    if (word == "onednn")
        return implementationReason("cpu", word);
    if (word == "onnx")
        return compute::onnxUnavailableReason();
    if (word == "fashion-mnist")
        return std::filesystem::exists("/usr/share/datasets/fashion-mnist/train-images-idx3-ubyte.gz")
                   ? ""
                   : "dataset-fashion-mnist is not installed";
    if (word == "latex")
        return programReason("pdflatex");
    if (word == "fish" || word == "pdfinfo" || word == "zsh")
        return programReason(word);
    const std::string reason = moduleReason(word);
    return reason.empty() && word != "cupti" && gpuReason().empty() ? implementationReason("gpu", word)
                                                                    : reason;
}

class Required : public testing::TestWithParam<const char*> {};

TEST_P(Required, IsThere) {
    const std::string word = GetParam(), reason = reasonAgainst(word);
    if (!reason.empty())
        SKIP_WITHOUT(word, reason);
}

INSTANTIATE_TEST_SUITE_P(Words, Required,
                         testing::Values("cublas", "cuda", "cudnn", "cupti", "fashion-mnist", "fish", "gpu",
                                         "latex", "onednn", "onnx", "pdfinfo", "two-gpus", "zsh"),
                         [](const testing::TestParamInfo<const char*>& word) {
                             std::string name = word.param;
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(RequiredWords, UnknownOnesAreRefusedWithTheKnownOnes) {
    EXPECT_EXIT((::setenv("HETEROSCOPE_REQUIRE", "gpu,gpus", 1), tests::isRequired({})),
                testing::ExitedWithCode(2), "unknown word 'gpus'; known words are clang-tidy, cublas, ");
}

TEST(RequiredWords, AnyOfATestsWordsCounts) {
    const std::string before =
        std::getenv("HETEROSCOPE_REQUIRE") == nullptr ? "" : std::getenv("HETEROSCOPE_REQUIRE");
    ::setenv("HETEROSCOPE_REQUIRE", "latex,,gpu", 1);
    EXPECT_TRUE(tests::isRequired("gpu,cudnn"));
    EXPECT_FALSE(tests::isRequired("cudnn"));
    EXPECT_FALSE(tests::isRequired({}));
    EXPECT_THAT(tests::requiredText("gpu", "no driver"), HasSubstr("wants gpu"));
    ::setenv("HETEROSCOPE_REQUIRE", before.c_str(), 1);
}

} // namespace
} // namespace heteroscope::process_test
