// SPDX-License-Identifier: Apache-2.0
// self-test: what it runs, what it says, and that it can fail.
#include "compute/base/json.h"
#include "tests/process/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

namespace heteroscope::process_test {
namespace {

using testing::HasSubstr;

constexpr const char* kStudyKinds[] = {"pooling", "matmul", "network"};

Json selfTestRecord(const Finished& done) {
    return Json::parse(done.out, nullptr, false);
}

/// Names of the checks of a group with this result.
std::set<std::string> checksWith(const Json& record, const std::string& group, const std::string& result) {
    std::set<std::string> names;
    for (const Json& check : record.at("checks"))
        if (check.at("group") == group && check.at("result") == result)
            names.insert(check.at("name"));
    return names;
}

std::set<std::string> availableTargets() {
    std::set<std::string> targets;
    const Json record = Json::parse(runCli({"devices", "--json"}).out);
    for (const Json& device : record.at("devices"))
        for (const Json& implementation : device.at("implementations"))
            if (device.at("available").get<bool>() && implementation.at("available").get<bool>())
                targets.insert(device.at("id").get<std::string>() + "/" +
                               implementation.at("id").get<std::string>());
    return targets;
}

TEST(SelfTest, runsEveryKindOnEveryImplementationThatIsThere) {
    const Finished done = runCli({"self-test", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.out << done.err;
    EXPECT_EQ(done.err, "");
    const Json record = selfTestRecord(done);
    EXPECT_TRUE(record.at("passed").get<bool>());
    std::set<std::string> expected;
    for (const std::string& target : availableTargets())
        for (const char* kind : kStudyKinds)
            expected.insert(std::string(kind) + " on " + target);
    EXPECT_GE(expected.size(), 6u);
    EXPECT_EQ(checksWith(record, "studies", "pass"), expected);
    EXPECT_EQ(checksWith(record, "files", "pass").size(), 3u);
}

TEST(SelfTest, saysWhatTheMachineHasAndWhyTheRestIsMissing) {
    const Json record = selfTestRecord(runCli({"self-test", "--json"}));
    const auto there = checksWith(record, "machine", "pass"),
               missing = checksWith(record, "machine", "missing");
    for (const char* name : {"cpu", "cpu/sequential", "cpu/openmp"})
        EXPECT_EQ(there.count(name), 1u) << name;
    for (const char* name : {"GPU timeline", "GPU counters", "ONNX files", "cuda:0"})
        EXPECT_EQ(there.count(name) + missing.count(name), 1u) << name;
    for (const Json& check : record.at("checks"))
        EXPECT_NE(check.at("detail"), "") << check;
}

TEST(SelfTest, ofABuildWhoseModulesAreElsewhereIsNoFailure) {
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.environment = {"HETEROSCOPE_MODULES=" + folder.path()};
    const Finished done = runCli({"self-test", "--json"}, {}, options);
    EXPECT_EQ(done.exitCode, 0) << done.out;
    EXPECT_EQ(checksWith(selfTestRecord(done), "machine", "missing").count("cuda:0/cuda"), 1u);
}

TEST(SelfTest, asATableEndsWithWhatItComesTo) {
    const Finished done = runCli({"self-test"});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(done.out, HasSubstr("pass     studies  pooling on cpu/openmp"));
    EXPECT_THAT(done.out, HasSubstr("\nSelf-test passed: "));
}

TEST(SelfTest, keepsTheRunFilesWhereItIsAskedTo) {
    const TemporaryFolder folder;
    ASSERT_EQ(runCli({"self-test", "--keep", folder.file("runs")}).exitCode, 0);
    for (const char* kind : kStudyKinds) {
        const std::string path = folder.file("runs") + "/" + kind + ".hscope";
        const Finished info = runCli({"trace", "info", path, "--json"});
        EXPECT_EQ(info.exitCode, 0) << path << info.err;
    }
}

TEST(SelfTest, leavesNothingInTheTemporaryFolder) {
    const TemporaryFolder folder;
    ChildProcess::Options options;
    options.environment = {"TMPDIR=" + folder.path()};
    ASSERT_EQ(runCli({"self-test"}, {}, options).exitCode, 0);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(SelfTest, failsWhenRunFilesCannotBeWritten) {
    ChildProcess::Options options;
    options.fileSizeLimit = 2000; // bytes: less than any run file, more than what LLVM's OpenMP shares
    const Finished done = runCli({"self-test", "--json"}, {}, options);
    EXPECT_EQ(done.exitCode, 1);
    const Json record = selfTestRecord(done);
    EXPECT_FALSE(record.at("passed").get<bool>());
    EXPECT_EQ(checksWith(record, "files", "fail").size(), 3u);
    EXPECT_THAT(done.out, HasSubstr("File too large"));
}

TEST(SelfTest, withoutAFolderForItsFilesIsAnError) {
    const Finished named = runCli({"self-test", "--keep", "/proc/nowhere"});
    EXPECT_EQ(named.exitCode, 2);
    EXPECT_THAT(named.err, HasSubstr("--keep"));
    ChildProcess::Options options;
    options.environment = {"TMPDIR=/proc/nowhere"};
    const Finished temporary = runCli({"self-test"}, {}, options);
    EXPECT_EQ(temporary.exitCode, 1);
    EXPECT_THAT(temporary.err, HasSubstr("TMPDIR"));
}

} // namespace
} // namespace heteroscope::process_test
