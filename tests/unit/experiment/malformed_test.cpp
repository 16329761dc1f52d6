// SPDX-License-Identifier: Apache-2.0
// Malformed experiments: each is refused as bad input with the JSON pointer and a sentence, by whichever of
// parsing, checking, or looking at this machine finds it. The cases are files in tests/cases/malformed.
#include "compute/backends/builtin.h"
#include "compute/base/exit_code.h"
#include "compute/experiment/runner.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>
#include <unistd.h>

namespace heteroscope::compute {
namespace {

const std::filesystem::path kFolder = HETEROSCOPE_SOURCE_DIR "/tests/cases/malformed";

struct Case {
    std::string file, pointer, sentence;
};

std::vector<Case> cases() {
    std::ifstream stream(kFolder / "manifest.json");
    std::vector<Case> all;
    const Json manifest = Json::parse(stream);
    for (const Json& each : manifest["cases"])
        all.push_back({each["file"], each["pointer"], each["sentence"]});
    return all;
}

void PrintTo(const Case& each, std::ostream* out) {
    *out << each.file;
}

std::string testName(const testing::TestParamInfo<Case>& info) {
    std::string name = info.param.file.substr(0, info.param.file.find('.'));
    return name;
}

/// What the command line would refuse the experiment with.
Status refusal(const std::filesystem::path& file) {
    const auto spec = loadExperiment(file);
    if (!spec)
        return spec.error();
    const BackendRegistry registry = makeBuiltinRegistry();
    StudyObserver nobody;
    return runStudy(*spec, registry, {}, nobody);
}

/// The pointer in front of "/pooling/kernel, line 1, column 9 (byte 8)" and of "/pooling/input/path (file)".
std::string pointerOf(const std::string& where) {
    return where.starts_with('/') && !std::filesystem::exists(where)
               ? where.substr(0, where.find_first_of(" ,(", 0))
               : std::string();
}

} // namespace

class MalformedExperiment : public testing::TestWithParam<Case> {};

TEST_P(MalformedExperiment, IsRefusedAtItsPointerWithASentence) {
    const Status status = refusal(kFolder / GetParam().file);
    ASSERT_FALSE(status);
    const Error& error = status.error();
    EXPECT_EQ(exitCodeOf(error.code), ExitCode::BadInput);
    const std::string axisWithComma = GetParam().pointer;
    EXPECT_TRUE(pointerOf(error.where) == GetParam().pointer || error.where == axisWithComma) << error.where;
    EXPECT_NE(error.sentence().find(GetParam().sentence), std::string::npos) << error.sentence();
    EXPECT_GT(error.message.size(), 5u);
}

INSTANTIATE_TEST_SUITE_P(Files, MalformedExperiment, testing::ValuesIn(cases()), testName);

TEST(MalformedExperiments, EveryFileIsInTheManifestAndTheyAreMany) {
    const auto all = cases();
    EXPECT_GE(all.size(), 45u);
    for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
        const std::string name = entry.path().filename().string();
        EXPECT_TRUE(name == "manifest.json" ||
                    std::any_of(all.begin(), all.end(), [&](const Case& each) { return each.file == name; }))
            << name;
    }
}

/// A sparse file of 1 GiB is refused by its size, without being read.
TEST(MalformedExperiments, AGibibyteIsRefusedAtOnce) {
    const auto file =
        std::filesystem::temp_directory_path() / ("heteroscope-huge-" + std::to_string(::getpid()) + ".json");
    std::ofstream(file) << "{";
    std::filesystem::resize_file(file, std::uintmax_t{1} << 30);
    const auto started = std::chrono::steady_clock::now();
    const auto spec = loadExperiment(file);
    const auto took = std::chrono::steady_clock::now() - started;
    std::filesystem::remove(file);
    ASSERT_FALSE(spec);
    EXPECT_EQ(spec.error().code, ErrorCode::BadInput);
    EXPECT_EQ(spec.error().where, file.string());
    EXPECT_EQ(spec.error().message, "the file has 1.0 GiB");
    EXPECT_LT(took, std::chrono::seconds(kTimeFactor));
}

TEST(MalformedExperiments, MissingFileAndFolder) {
    EXPECT_EQ(loadExperiment("/no/such/file.json").error().message, "the file does not exist");
    EXPECT_EQ(loadExperiment(kFolder).error().message, "it is a folder, not a regular file");
}

} // namespace heteroscope::compute
