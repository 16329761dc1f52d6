// SPDX-License-Identifier: Apache-2.0
// Outputs that lead to one place under different names, to standard output, to what is read, or to where
// nothing can be written: what would mix or be lost is refused before anything is computed.
#include "compute/data/npz.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/process/output_files.h"
#include "tests/support/require/skip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

/// A folder that the program is started in, with an experiment that would take hours, and what a short one
/// left.
class Places : public testing::Test {
  protected:
    void SetUp() override {
        writeText(file("short.json"), poolingExperiment(16, 1).dump());
        writeText(file("e.json"), poolingExperiment(64, 100000).dump());
        ASSERT_EQ(
            runCli({"run", file("short.json"), "--out", file("r.hscope"), "--save-output", file("t.npz")})
                .exitCode,
            0);
        m_names = namesIn(m_folder.path());
    }
    std::string file(const std::string& name) const { return m_folder.file(name); }
    Finished run(const Words& words, const std::string& redirections = {},
                 const std::string& input = {}) const {
        ChildProcess::Options options;
        options.directory = m_folder.path();
        options.redirections = redirections;
        return runCli(words, input, options);
    }
    /// `made`: by the shell, and empty.
    void expectRefused(const Words& words, const std::string& redirections, const std::string& sentence,
                       const Words& made = {}) const {
        const std::string what = testing::PrintToString(words) + redirections;
        const Finished done = run(words, redirections);
        EXPECT_THAT(done.exitCode, testing::AnyOf(1, 2)) << what;
        EXPECT_EQ(done.out, "") << what;
        const std::string told =
            redirections.find("2>") == std::string::npos ? done.err : std::string(sentence);
        EXPECT_THAT(told, HasSubstr(sentence)) << what;
        Words names = m_names;
        for (const std::string& name : made) {
            names.push_back(name);
            std::filesystem::remove(file(name));
        }
        std::sort(names.begin(), names.end());
        Words found = namesIn(m_folder.path());
        found.insert(found.end(), made.begin(), made.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, names) << what;
    }

    TemporaryFolder m_folder;
    Words m_names;
};

TEST_F(Places, ofTwoOutputsAreOnesOfTheirOwn) {
    expectRefused(
        {"run", "e.json", "--json", "/dev/stdout", "--csv", "/dev/stdout"}, "",
        "--csv /dev/stdout: --json /dev/stdout leads to the same pipe, where the bytes of both would "
        "mix");
    expectRefused({"run", "e.json", "--json", "/proc/self/fd/1", "--csv", "/dev/stdout"}, "> f",
                  "--json /proc/self/fd/1 leads to the same file", {"f"});
    expectRefused({"run", "e.json", "--stream", "--json", "/dev/stdout"}, "",
                  "--json /dev/stdout: --stream leads to the same pipe");
    expectRefused({"run", "e.json", "--stream", "--out", "f"}, "> f",
                  "--out f: --stream leads to the same file, and one would be written over the other", {"f"});
    expectRefused({"run", "e.json", "--json", "f", "--csv", "/dev/fd/3"}, "3> f",
                  "--csv /dev/fd/3: --json f leads to the same file", {"f"});
    expectRefused({"run", "e.json", "--json", "/dev/fd/3", "--csv", "/dev/fd/4"}, "3> f 4>> f",
                  "--json /dev/fd/3 leads to the same file", {"f"});
    expectRefused(
        {"export", examplePath("network_model0.json"), "--onnx", "/dev/stdout", "--npz", "/dev/stdout"}, "",
        "--npz /dev/stdout: --onnx /dev/stdout leads to the same pipe");
    std::filesystem::create_symlink("target.json", file("link.json"));
    writeText(file("a.json"), "");
    std::filesystem::create_hard_link(file("a.json"), file("b.json"));
    m_names = namesIn(m_folder.path());
    expectRefused({"run", "e.json", "--json", "link.json", "--csv", "target.json"}, "",
                  "--csv target.json: --json link.json leads to the same file");
    expectRefused({"run", "e.json", "--json", "a.json", "--csv", "b.json"}, "",
                  "--csv b.json: --json a.json leads to the same file");
}

TEST_F(Places, ofAnAnswerAsJsonIsNoOtherOnes) {
    const Finished done = run({"check", "e.json", "--json", "--summary", "/dev/stdout"});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.err, HasSubstr("--summary /dev/stdout: --json leads to the same pipe"));
    EXPECT_FALSE(Json::parse(done.out).at("ok").get<bool>());
}

TEST_F(Places, areNotThoseOfTableAndMessages) {
    expectRefused({"run", "e.json", "--json", "f"}, "> f", "--json f: standard output leads to the same file",
                  {"f"});
    expectRefused({"trace", "export", "r.hscope", "f"}, "> f", "TO f: standard output leads to the same file",
                  {"f"});
    const auto told = [&](const Words& words, const std::string& redirections) {
        EXPECT_EQ(run(words, redirections).exitCode, 2) << redirections;
        const std::string text = readText(file("f"));
        std::filesystem::remove(file("f"));
        return text;
    };
    const auto sentence = HasSubstr("standard error, which messages are written to, leads to the same file");
    EXPECT_THAT(told({"run", "e.json", "--json", "f"}, "2> f"), sentence);
    EXPECT_THAT(told({"run", "e.json", "--csv", "/dev/stdout"}, "> f 2>&1"), sentence);
    EXPECT_THAT(told({"run", "e.json", "--stream"}, "> f 2>&1"), sentence);
    EXPECT_EQ(run({"check", "e.json", "--json"}, "> f 2>&1").exitCode, 0) << "text may lie in a log";
}

TEST_F(Places, areNeverWhatIsRead) {
    const std::string experiment = readText(file("e.json")), recording = readText(file("r.hscope"));
    const auto expectKept = [&](const Words& words, const std::string& redirections,
                                const std::string& stream) {
        const Finished done = run(words, redirections);
        EXPECT_EQ(done.exitCode, 2) << redirections << done.err;
        EXPECT_EQ(readText(file("e.json")), experiment) << testing::PrintToString(words) << redirections;
        EXPECT_EQ(readText(file("r.hscope")), recording) << testing::PrintToString(words) << redirections;
        EXPECT_THAT(done.out + done.err,
                    stream.empty() ? HasSubstr("")
                                   : HasSubstr(stream + ": it leads to " +
                                               words[words[0] == "trace" ? 2 : 1] + ", which is read here"));
    };
    for (const char* verb : {"run", "check"}) {
        expectKept({verb, "e.json"}, ">> e.json", "standard output");
        expectKept({verb, "e.json"}, "2>> e.json", "standard error");
        expectKept({verb, "e.json"}, ">> e.json 2>&1", "");
    }
    expectKept({"run", "e.json", "--stream"}, ">> e.json", "standard output");
    expectKept({"check", "e.json", "--json"}, ">> e.json", "standard output");
    expectKept({"run", "-"}, "< e.json >> e.json", "");
    expectKept({"trace", "info", "r.hscope"}, ">> r.hscope", "standard output");
    expectKept({"compare", "r.hscope", "r.hscope", "--json"}, ">> r.hscope", "standard output");
    EXPECT_EQ(run({"trace", "info", "r.hscope"}, "1<> f").exitCode, 0);
}

/// Both streams were led nowhere, and the exit code was all that was said.
TEST_F(Places, inAFolderThatIsGivenAreToldWhy) {
    const auto told = HasSubstr("it leads to ., which is read here");
    EXPECT_EQ(run({"check", "."}, "> o.log 2> e.log").exitCode, 2);
    EXPECT_THAT(readText(file("e.log")), told);
    EXPECT_EQ(readText(file("o.log")), "");
    EXPECT_EQ(run({"trace", "info", "."}, "> both.log 2>&1").exitCode, 2);
    EXPECT_THAT(readText(file("both.log")), told);
    writeText(file("e.log"), "kept");
    EXPECT_EQ(run({"check", "."}, "> o.log 2>> e.log").exitCode, 2);
    EXPECT_EQ(readText(file("e.log")), "kept");
}

TEST_F(Places, areWhatARefusedExperimentIsNotToldIn) {
    writeText(file("wrong.json"), "{\"heteroscope\": 1}");
    for (const char* redirections : {">> wrong.json", "2>> wrong.json", ">> wrong.json 2>&1"}) {
        EXPECT_EQ(run({"check", "wrong.json", "--json"}, redirections).exitCode, 2);
        EXPECT_EQ(readText(file("wrong.json")), "{\"heteroscope\": 1}") << redirections;
    }
}

TEST_F(Places, mayBeStandardOutputOfOneOutput) {
    for (const char* preset : {"quick", "thesis"}) {
        const Finished json =
            run({"run", "short.json", "--preset", preset, "--samples", "3", "--json", "/dev/stdout"});
        EXPECT_EQ(json.exitCode, 0) << json.err;
        EXPECT_TRUE(Json::accept(json.out)) << json.out;
        EXPECT_THAT(json.err, HasSubstr("cpu/openmp")) << "the table";
        const Finished untold =
            run({"run", "short.json", "--preset", preset, "--samples", "3", "--json", "/dev/stdout"}, "2>&-");
        EXPECT_EQ(untold.exitCode, 0) << "the table is not what was asked for";
        EXPECT_TRUE(Json::accept(untold.out));
        const Finished runFile =
            run({"run", "short.json", "--preset", preset, "--samples", "3", "--out", "/dev/stdout"}, "> f");
        EXPECT_EQ(runFile.exitCode, 0) << runFile.err;
        expectWhole(file("f"));
        const Finished archive =
            run({"run", "short.json", "--preset", preset, "--samples", "3", "--save-output", "/dev/stdout"});
        EXPECT_EQ(archive.exitCode, 0) << archive.err;
        writeText(file("f"), archive.out);
        const auto arrays = compute::readNpz(file("f"));
        ASSERT_TRUE(arrays.ok()) << arrays.error().sentence();
        EXPECT_TRUE(arrays->contains("run0/output"));
    }
    const Finished both = run({"run", "short.json", "--stream", "--json", "f.json"}, "> f");
    EXPECT_EQ(both.exitCode, 0) << both.err;
    expectWhole(file("f"));
    EXPECT_TRUE(Json::accept(readText(file("f.json"))));
    EXPECT_EQ(
        run({"run", "short.json", "--json", "/dev/null", "--csv", "/dev/null"}, "> /dev/null 2>&1").exitCode,
        0);
    const Finished exported = run({"trace", "export", "r.hscope", "/dev/stdout"});
    EXPECT_EQ(exported.exitCode, 0) << exported.err;
    EXPECT_TRUE(Json::accept(exported.out));
}

/// An archive is written with a place for each part, and a pipe has none.
TEST_F(Places, mayBePipesForArchives) {
    const Finished evaluated = run({"evaluate", "short.json", "--tensors", "t.npz", "--out", "/dev/stdout"});
    EXPECT_EQ(evaluated.exitCode, 2) << evaluated.err; // these tensors are not its inputs
    const Finished weights =
        run({"export", examplePath("network_model0.json"), "--npz", "/dev/stdout"}, "| cat > w.npz");
    EXPECT_EQ(weights.exitCode, 0) << weights.err;
    EXPECT_TRUE(compute::readNpz(file("w.npz")).ok());
    const Finished behind =
        run({"export", examplePath("network_model0.json"), "--npz", "/dev/stdout"}, ">> w.npz");
    EXPECT_EQ(behind.exitCode, 0) << behind.err;
    const std::string twice = readText(file("w.npz"));
    EXPECT_EQ(twice.substr(0, twice.size() / 2), twice.substr(twice.size() / 2)) << "what was there stays";
}

TEST_F(Places, thatArePipesNeedAReaderBeforeAnythingIsComputed) {
    ASSERT_EQ(::mkfifo(file("p").c_str(), 0600), 0);
    m_names = namesIn(m_folder.path());
    for (const char* option : {"--out", "--json", "--csv", "--save-output"})
        expectRefused({"run", "e.json", option, "p"}, "",
                      std::string(option) + " p: nobody reads from this pipe");
    const int reader = ::open(file("p").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    const Finished done = run({"run", "short.json", "--json", "p"});
    EXPECT_EQ(done.exitCode, 0) << done.err;
    std::string text(1 << 20, '\0');
    const ssize_t count = ::read(reader, text.data(), text.size());
    ::close(reader);
    ASSERT_GT(count, 0);
    EXPECT_THAT(text.substr(0, 200), HasSubstr("heteroscope-results"));
    EXPECT_THAT(done.out, HasSubstr("cpu/openmp")) << "the table stays where it is";
}

TEST_F(Places, whereNothingCanBeWrittenAreNamedWithTheReasonBefore) {
    for (const char* option : {"--out", "--json", "--csv", "--save-output"}) {
        const std::string name = option;
        expectRefused({"run", "e.json", option, "none/f"}, "",
                      name +
                          " none/f: cannot be created: No such file or directory; create the folder 'none' "
                          "(mkdir -p)");
        expectRefused({"run", "e.json", option, "e.json/f"}, "", "Not a directory");
        expectRefused({"run", "e.json", option, std::string(300, 'n')}, "", "File name too long");
        expectRefused({"run", "e.json", option, "/dev/nothing"}, "",
                      name + " /dev/nothing: cannot be written to: "
                             "No such file");
        expectRefused({"run", "e.json", option, "/dev/fd/77"}, "", "descriptor 77 is not open");
        expectRefused({"run", "e.json", "--force", option, "/dev/fd/3"}, "3< /dev/null",
                      "descriptor 3 is not open for writing");
        for (const char* made : {"/proc/self/mem", "/proc/f", "/sys/f"})
            expectRefused({"run", "e.json", "--force", option, made}, "",
                          name + " " + made + ": cannot be created: the kernel makes up the files in");
    }
}

TEST_F(Places, onAReadOnlyDiskAreNamedWithTheReasonBefore) {
    if (::geteuid() != 0)
        SKIP_WITHOUT("mounts", "only root may mount a file system");
    const TemporaryFolder disk;
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("tmpfs", disk.path().c_str(), "tmpfs", 0, "size=64k") != 0)
        SKIP_WITHOUT("mounts", std::string("no file system can be mounted here: ") + std::strerror(errno));
    writeText(disk.file("there"), "");
    ASSERT_EQ(::mount("tmpfs", disk.path().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr), 0)
        << std::strerror(errno);
    for (const char* option : {"--out", "--json", "--csv", "--save-output"}) {
        expectRefused({"run", "e.json", option, disk.file("new")}, "",
                      "cannot be created: Read-only file system; check the folder");
        expectRefused({"run", "e.json", option, disk.file("there")}, "",
                      "the file is there and may not be written to: Read-only file system");
    }
    EXPECT_EQ(::umount(disk.path().c_str()), 0);
}

} // namespace
} // namespace heteroscope::process_test
