// SPDX-License-Identifier: Apache-2.0
// Peaks of the processor: measured once, kept, and in every study that is recorded afterwards.
#include "compute/base/json.h"
#include "compute/base/output_file.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/idx_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace heteroscope::process_test {
namespace peaks_test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The arrays that are measured take an eighth of it each: beside a cache of 260 MiB they would take seconds
/// to clear. What is looked at here is how the figures are kept; the figures are ProcessorPeaks' matter.
constexpr long kAddressSpace = kAddressSpaceLimitsApply ? 2L << 30 : -1;

class Peaks : public testing::Test {
  protected:
    Finished run(const std::vector<std::string>& words, const std::string& input = {}) const {
        ChildProcess::Options options;
        options.environment = {"XDG_CACHE_HOME=" + m_folder.file("cache")};
        options.addressSpaceLimit = kAddressSpace;
        ChildProcess child(words, options);
        child.write(input);
        child.closeStdin();
        return child.finish();
    }
    Json cpu() const {
        return Json::parse(run({"devices", "--json"}).out).at("devices").at(0).at("properties");
    }
    std::string kept() const { return m_folder.file("cache/heteroscope/processor_peaks.json"); }

    TemporaryFolder m_folder;
};

/// A measurement takes all processors: each serves what can be looked at together.
TEST_F(Peaks, AreMeasuredOnceBesideThoseOfOtherProcessorsAndKeptWithTheStudy) {
    EXPECT_FALSE(cpu().contains("memory_bytes_s"));
    std::filesystem::create_directories(m_folder.file("cache/heteroscope"));
    const Json other = {{"processors", "Another CPU; 4 of 4 processors; avx2"},
                        {"memory_bytes_s", 5e9},
                        {"memory_bytes_s_source", "measured: there"}};
    std::ofstream(kept()) << Json{
        {"format", "heteroscope-processor-peaks"}, {"version", 1}, {"machines", Json::array({other})}};
    EXPECT_FALSE(cpu().contains("memory_bytes_s")) << "those of others are not taken";
    const Finished measured = run({"devices", "--measure", "--json"});
    ASSERT_EQ(measured.exitCode, 0) << measured.err;
    std::ifstream stream(kept());
    const Json machines = Json::parse(stream).at("machines");
    ASSERT_EQ(machines.size(), 2u);
    EXPECT_EQ(machines.at(1), other);
    const Json first = cpu();
    EXPECT_GT(first.at("memory_bytes_s").get<double>(), 0);
    EXPECT_EQ(cpu(), first) << "measured once";
    const std::string file = m_folder.file("a.hscope");
    ASSERT_EQ(run({"run", "-", "--out", file}, poolingExperiment(64, 3).dump()).exitCode, 0);
    std::filesystem::remove(kept());
    const Json roofs =
        Json::parse(run({"trace", "stats", file, "--json"}).out).at("roofline").at("devices").at(0);
    EXPECT_EQ(roofs.at("memory_bytes_s"), first.at("memory_bytes_s"));
    EXPECT_EQ(roofs.at("memory_source"), first.at("memory_bytes_s_source"));
    EXPECT_EQ(roofs.at("fp32_flop_s"), first.at("fp32_flop_s"));
    EXPECT_EQ(roofs.at("fp32_source"), first.at("fp32_flop_s_source"));
    const Json ops = Json::parse(run({"trace", "stats", file, "--json"}).out).at("roofline").at("ops");
    for (const Json& op : ops)
        EXPECT_GT(op.at("share").get<double>(), 0) << op;
    EXPECT_THAT(run({"trace", "stats", file}).out, HasSubstr("measured: "));
}

TEST_F(Peaks, OfADamagedFileAreNone) {
    std::filesystem::create_directories(m_folder.file("cache/heteroscope"));
    for (const char* text : {"", "{", "[1]", "{\"format\": 5}",
                             "{\"format\": \"heteroscope-processor-peaks\", "
                             "\"machines\": [1, {\"processors\": 3}]}"}) {
        std::ofstream(kept()) << text;
        EXPECT_FALSE(cpu().contains("memory_bytes_s")) << text;
    }
    std::ofstream(kept()) << "notes of a person";
    const Finished refused = run({"devices", "--measure"});
    EXPECT_EQ(refused.exitCode, 2) << "somebody else's file is not written over";
    EXPECT_THAT(refused.err, HasSubstr("processor_peaks.json"));
}

TEST_F(Peaks, AreMeasuredByOneProcessAtATimeThatTellsItsSteps) {
    const Finished measured = run({"devices", "--measure"});
    ASSERT_EQ(measured.exitCode, 0);
    EXPECT_THAT(measured.err, HasSubstr("measuring 1 of 4: fp32 multiply-adds\n"));
    const Json before = cpu();
    EXPECT_GT(before.at("memory_bytes_s").get<double>(), 0);
    OutputRules rules;
    rules.exclusive = true;
    {
        const auto held = OutputFile::open(kept(), rules); // as a measurement does
        ASSERT_TRUE(held) << held.error().sentence();
        const Finished refused = run({"devices", "--measure"});
        EXPECT_EQ(refused.exitCode, 2);
        EXPECT_THAT(refused.err, HasSubstr("processor_peaks.json"));
        EXPECT_THAT(refused.err, Not(HasSubstr("measuring 1 of"))) << "refused before it disturbs the other";
        EXPECT_EQ(cpu(), before) << "what was kept can be read meanwhile";
    }
    const Finished again = run({"devices", "--measure", "--json"});
    EXPECT_EQ(again.exitCode, 0);
    std::istringstream lines(again.err);
    int steps = 0;
    for (std::string line; std::getline(lines, line);)
        EXPECT_EQ(Json::parse(line).at("step"), ++steps);
    EXPECT_EQ(steps, 4);
}

TEST_F(Peaks, OfSeveralAtOnceDamageNothing) {
    std::filesystem::create_directories(m_folder.file("cache/heteroscope"));
    const Json other = {{"processors", "Another CPU; 4 of 4 processors; avx2"}};
    std::ofstream(kept()) << Json{
        {"format", "heteroscope-processor-peaks"}, {"version", 1}, {"machines", Json::array({other})}};
    ChildProcess::Options options;
    options.environment = {"XDG_CACHE_HOME=" + m_folder.file("cache")};
    options.addressSpaceLimit = kAddressSpace;
    std::vector<std::unique_ptr<ChildProcess>> all;
    for (int i = 0; i < 4; ++i)
        all.push_back(std::make_unique<ChildProcess>(
            std::vector<std::string>{"devices", "--measure", "--json"}, options));
    int done = 0;
    for (const auto& child : all) {
        const Finished finished = child->finish();
        EXPECT_TRUE(finished.exitCode == 0 || finished.exitCode == 2) << finished.err;
        done += finished.exitCode == 0 ? 1 : 0;
    }
    EXPECT_GE(done, 1);
    std::ifstream stream(kept());
    const Json machines = Json::parse(stream).at("machines");
    ASSERT_EQ(machines.size(), 2U);
    EXPECT_EQ(machines.at(1), other);
    EXPECT_TRUE(cpu().contains("memory_bytes_s"));
}

TEST_F(Peaks, WithoutAPlaceSayWhatToDo) {
    ChildProcess::Options options;
    options.environment = {"XDG_CACHE_HOME=", "HOME=here"};
    ChildProcess child({"devices", "--measure"}, options);
    const Finished done = child.finish();
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("set one of them"));
}

} // namespace
} // namespace peaks_test
} // namespace heteroscope::process_test
