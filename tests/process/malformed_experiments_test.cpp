// SPDX-License-Identifier: Apache-2.0
// Every malformed experiment of tests/cases, through the program: exit code 2, the pointer, the sentence.
#include "compute/base/json.h"
#include "tests/process/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

std::string casePath(const std::string& name) {
    return std::string(HETEROSCOPE_SOURCE_DIR) + "/tests/cases/malformed/" + name;
}

TEST(MalformedExperiments, giveBadInputWithPointerAndSentence) {
    const Json manifest = Json::parse(readText(casePath("manifest.json")));
    ASSERT_GE(manifest.at("cases").size(), 40u);
    for (const Json& item : manifest.at("cases")) {
        const std::string file = item.at("file");
        for (const char* verb : {"run", "check"}) {
            const Finished done = runCli({verb, casePath(file)});
            EXPECT_EQ(done.exitCode, 2) << verb << " " << file << ": " << done.err;
            EXPECT_EQ(done.out, "") << file;
            EXPECT_THAT(done.err, HasSubstr(item.at("pointer").get<std::string>())) << verb << " " << file;
            EXPECT_THAT(done.err, HasSubstr(item.at("sentence").get<std::string>())) << verb << " " << file;
        }
    }
}

TEST(MalformedExperiments, ofOneGibibyteAreRefusedUnread) {
    const TemporaryFolder folder;
    const std::string path = folder.file("huge.json");
    std::ofstream(path).put('{');
    std::filesystem::resize_file(path, std::uintmax_t{1} << 30); // sparse
    const Finished done = runCli({"run", path});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("larger than an experiment may be"));
    EXPECT_THAT(done.err, HasSubstr("16777216 bytes"));
}

TEST(MalformedExperiments, thatAreNoFilesAreBadInput) {
    const TemporaryFolder folder;
    for (const std::string& path : {folder.file("missing.json"), folder.path(), std::string("/dev/null")}) {
        const Finished done = runCli({"run", path});
        EXPECT_EQ(done.exitCode, 2) << path;
        EXPECT_THAT(done.err, HasSubstr(path));
    }
}

/// A parser of C strings ends at the first NUL byte, and takes what follows for nothing.
TEST(MalformedExperiments, withANulByteNameItsPlace) {
    const TemporaryFolder folder;
    const std::string whole = Json::parse(readText(examplePath("pooling_4x4.json"))).dump();
    const std::string nul(1, '\0');
    for (const std::string& rest : {nul + " garbage }}}}", nul, nul + nul + "\n"}) {
        const std::string path = folder.file("nul.json");
        writeText(path, whole + rest);
        const auto names = HasSubstr("line 1, column " + std::to_string(whole.size() + 1) + " (byte " +
                                     std::to_string(whole.size()) + "): not valid JSON: a NUL byte");
        for (const Finished& done :
             {runCli({"check", path}), runCli({"run", path}), runCli({"run", "-"}, whole + rest),
              runCli({"check", "-"}, whole + rest)}) {
            EXPECT_EQ(done.exitCode, 2) << done.err;
            EXPECT_EQ(done.out, "");
            EXPECT_THAT(done.err, names);
        }
    }
    for (const std::string& text : {nul + whole, whole.substr(0, whole.size() - 1) + nul + "}"})
        EXPECT_THAT(runCli({"check", "-"}, text).err,
                    HasSubstr("(byte " + std::to_string(text.find('\0')) + "): not valid JSON: a NUL byte"));
}

} // namespace
} // namespace heteroscope::process_test
