// SPDX-License-Identifier: Apache-2.0
// Archives and ONNX files that are read by way of others are never written over.
#include "compute/exec/checkpoint_manifest.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/output_files.h"
#include "tests/support/idx_files.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <heteroscope_paths.h>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

void expectNotWrittenOver(const std::vector<std::string>& words, const std::string& path) {
    const std::string before = readText(path), what = testing::PrintToString(words);
    const Finished done = runCli(words);
    EXPECT_EQ(done.exitCode, 2) << what << done.err;
    EXPECT_THAT(done.err, AllOf(HasSubstr(path), HasSubstr("is read here"))) << what;
    EXPECT_EQ(readText(path), before) << what;
}

/// Files in a folder of checkpoints that are read, or that only have names like those of archives.
TEST(ArchivesOfCheckpoints, thatAreInputsOrStrangersStay) {
    compute::TemporaryIdx files;
    const auto file = [&](const std::string& name) { return (files.folder() / name).string(); };
    Json training = files.trainingExperiment(40, 8);
    writeText(file("first.json"), training.dump());
    ASSERT_EQ(runCli({"run", file("first.json"), "--checkpoints", file("states")}).exitCode, 0);
    const auto kept = compute::readCheckpointManifest(file("states/run_0.checkpoint.json"));
    ASSERT_TRUE(kept);
    const std::string state = readText(file("states/" + kept->latest.file));
    std::filesystem::create_directory(file("other"));
    for (const char* name : {"other/run_0.1.npz", "other/run_0.77.npz"})
        writeText(file(name), state);
    training["network"]["weights"] = "other/run_0.77.npz";
    writeText(file("second.json"), training.dump());
    const Finished done = runCli({"run", file("second.json"), "--checkpoints", file("other")});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    for (const char* name : {"other/run_0.1.npz", "other/run_0.77.npz"})
        EXPECT_EQ(readText(file(name)), state) << name;
    std::filesystem::create_directory(file("locked"));
    std::filesystem::copy_file(file("first.json"), file("locked/run_0.lock"));
    const Finished locked = runCli({"run", file("first.json"), "--checkpoints", file("locked")});
    EXPECT_NE(locked.exitCode, 0);
    EXPECT_THAT(locked.err, AllOf(HasSubstr("run_0.lock"), HasSubstr("has the name of a lock")));
    EXPECT_EQ(readText(file("locked/run_0.lock")), readText(file("first.json")));
}

TEST(ArchivesOfCheckpoints, areNotWrittenOverWhereTheirListIsGivenAsWeights) {
    compute::TemporaryIdx files;
    const auto file = [&](const std::string& name) { return (files.folder() / name).string(); };
    Json training = files.trainingExperiment(40, 8);
    writeText(file("first.json"), training.dump());
    ASSERT_EQ(runCli({"run", file("first.json"), "--checkpoints", file("states")}).exitCode, 0);
    training["network"]["weights"] = "states/run_0.checkpoint.json";
    writeText(file("second.json"), training.dump());
    int archives = 0;
    for (const std::string& name : namesIn(file("states"))) {
        if (!name.ends_with(".npz"))
            continue;
        ++archives;
        const std::string path = file("states/" + name);
        expectNotWrittenOver({"export", file("second.json"), "--npz", path}, path);
        expectNotWrittenOver({"run", file("second.json"), "--force", "--out", path}, path);
    }
    EXPECT_GT(archives, 0);
}

TEST(OnnxFilesOfNetworks, areNotWrittenOverWhereTheWeightsAreInAnotherFile) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    const TemporaryFolder folder;
    const std::string model = folder.file("m.onnx"), weights = folder.file("w.npz");
    std::filesystem::copy(HETEROSCOPE_SOURCE_DIR "/tests/golden/onnx/lenet.onnx", model);
    ASSERT_EQ(runCli({"export", model, "--npz", weights}).exitCode, 0);
    const Json experiment = {{"heteroscope", 1},
                             {"kind", "network"},
                             {"name", "onnx"},
                             {"task", "infer"},
                             {"network", {{"onnx", "m.onnx"}}},
                             {"targets", {"cpu/openmp"}},
                             {"sampling", {{"preset", "quick"}}}};
    writeText(folder.file("e.json"), experiment.dump());
    Json separate = experiment;
    separate["network"]["weights"] = "w.npz";
    writeText(folder.file("separate.json"), separate.dump());
    expectNotWrittenOver({"export", folder.file("separate.json"), "--onnx", model}, model);
    expectNotWrittenOver({"export", folder.file("e.json"), "--weights", weights, "--onnx", model}, model);
    expectNotWrittenOver({"run", folder.file("separate.json"), "--force", "--csv", model}, model);
    expectNotWrittenOver({"check", folder.file("separate.json"), "--force", "--summary", model}, model);
}

} // namespace
} // namespace heteroscope::process_test
