// SPDX-License-Identifier: Apache-2.0
// Small files that ask for much: every reader stays within --memory-limit, ends soon and says why; and what
// is no regular file is named by its kind, never waited for.
#include "compute/base/npy.h"
#include "compute/onnx/onnx_model.h"
#include "tests/process/child_process.h"
#include "tests/process/experiments.h"
#include "tests/support/hostile/hostile_files.h"
#include "tests/support/require/skip.h"
#include "tests/support/time_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace heteroscope::process_test {
namespace {

using namespace hostile;
using testing::HasSubstr;

constexpr long kLimitMiB = 192;
const std::string kLimit = std::to_string(kLimitMiB) + "MiB";

/// How much more memory this build takes. The thread sanitizer's documentation says 5 to 10 times as much.
#if defined(__SANITIZE_THREAD__)
constexpr long kMemoryFactor = 5;
#else
constexpr long kMemoryFactor = kTimeFactor > 1 ? 3 : 1;
#endif

/// The limit, and the program itself with its libraries.
constexpr long mostKiB(long limitMiB) {
    return (limitMiB + 56) * 1024 * kMemoryFactor;
}
constexpr long kMostKiB = mostKiB(kLimitMiB);
constexpr Milliseconds kSoon(20000 * kTimeFactor);

Json trainingOn(const Json& shape, const Json& data) {
    return {{"heteroscope", 1},
            {"kind", "network"},
            {"name", "limits"},
            {"task", "train"},
            {"network",
             {{"input", {{"shape", shape}}},
              {"layers",
               {{{"name", "flatten"}, {"type", "flatten"}},
                {{"name", "dense"}, {"type", "dense"}, {"units", 10}}}}}},
            {"data", data},
            {"targets", {"cpu/openmp?threads=1"}},
            {"sampling", {{"preset", "quick"}, {"samples", 1}, {"warmup_limit_s", 0}}}};
}

Json pooling(const char* source, const std::string& path) {
    Json experiment = poolingExperiment(16, 1);
    experiment["pooling"]["input"] = {{"source", source}, {"path", path}};
    return experiment;
}

Finished runSoon(std::vector<std::string> words, const std::string& input = {}) {
    ChildProcess child(words);
    child.write(input);
    child.closeStdin();
    return child.finish(kSoon);
}

class MemoryLimit : public testing::Test {
  protected:
    std::string file(const std::string& name) const { return m_folder.file(name); }
    std::string experimentFile(const Json& experiment) const {
        writeText(file("experiment.json"), experiment.dump());
        return file("experiment.json");
    }

    /// The program refuses for lack of memory, within the limit, and names `place`.
    static void expectRefused(std::vector<std::string> words, const std::string& place,
                              long limitMiB = kLimitMiB) {
        const std::string limit = std::to_string(limitMiB);
        words.insert(words.end(), {"--memory-limit", limit + "MiB"});
        const Finished done = runSoon(words);
        EXPECT_EQ(done.exitCode, 1) << done.err;
        EXPECT_EQ(done.signal, 0);
        EXPECT_THAT(done.err, HasSubstr(place));
        EXPECT_THAT(done.err, HasSubstr("of memory in all; allowed: " + limit + ".0 MiB; give"));
        EXPECT_LT(done.peakKiB, mostKiB(limitMiB)) << done.err;
    }

    TemporaryFolder m_folder;
};

TEST_F(MemoryLimit, holdsForTracksOfAChromeTrace) {
    writeManyTracks(file("t.json.gz"), 300000);
    EXPECT_LT(std::filesystem::file_size(file("t.json.gz")), 4u << 20);
    const auto within = [&](const std::string& limit) {
        Finished done =
            runSoon({"trace", "import", file("t.json.gz"), file("t.hscope"), "--memory-limit", limit});
        EXPECT_LT(done.peakKiB, kMostKiB) << done.err;
        return done;
    };
    const Finished refused = within("96MiB"); // less than as many tracks as a run file holds take
    EXPECT_EQ(refused.exitCode, 1) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(file("t.json.gz")));
    EXPECT_THAT(refused.err, HasSubstr("of memory in all; allowed: 96.0 MiB; give"));
    const Finished imported = within(kLimit);
    EXPECT_EQ(imported.exitCode, 0) << imported.err;
    EXPECT_THAT(imported.err, HasSubstr("a run file holds 16384 tracks"));
}

TEST_F(MemoryLimit, holdsForTextsOfAChromeTrace) {
    const std::string longName(60 << 20, 'x');
    writeRepeated(file("t.json.gz"), "[", "{\"ph\":\"X\",\"ts\":1,\"tid\":1,\"name\":\"" + longName + "\"},",
                  2, "]");
    expectRefused({"trace", "import", file("t.json.gz"), file("t.hscope")}, file("t.json.gz"));
}

TEST_F(MemoryLimit, holdsForSpansOfAChromeTrace) {
    writeRepeated(file("t.json.gz"), "[", "{\"ph\":\"X\",\"ts\":1},", 4000000, "]");
    expectRefused({"trace", "import", file("t.json.gz"), file("t.hscope")}, file("t.json.gz"));
}

TEST_F(MemoryLimit, spacesAndNullsOfAChromeTraceEndSoon) {
    if (kTimeFactor > 1)
        SKIP_AS_MEANINGLESS("a sanitizer reads hundreds of mebibytes in minutes");
    constexpr std::size_t kMany = std::size_t{1} << 27;
    writeRepeated(file("s.json.gz"), "[", "        ", kMany, "]");
    writeRepeated(file("c.json.gz"), "[", ",,,,,,,,", kMany, "]");
    writeRepeated(file("n.json.gz"), "[", "null,", kMany, "1]");
    for (const char* name : {"s.json.gz", "c.json.gz", "n.json.gz"}) {
        const Finished done = runSoon({"trace", "import", file(name), file("t.hscope")});
        EXPECT_EQ(done.exitCode, 2) << name << done.err;
        EXPECT_THAT(done.err, HasSubstr(file(name) + ", byte "));
        EXPECT_LT(done.peakKiB, kMostKiB) << name;
    }
}

TEST_F(MemoryLimit, spacesOfAnExperimentEndSoon) {
    const std::string spaces(repetitions(std::size_t{16} << 20, std::size_t{4} << 20), ' ');
    writeText(file("e.json"), spaces);
    EXPECT_EQ(runSoon({"check", file("e.json")}).exitCode, 2);
    EXPECT_EQ(runSoon({"check", "-"}, spaces).exitCode, 2);
    EXPECT_EQ(runSoon({"run", "-", "--stream"}, spaces + "\n").exitCode, 2);
}

/// More than an axis may have: counted, not looked through once for each parameter.
TEST_F(MemoryLimit, valuesOfAnAxisEndSoon) {
    Json experiment = poolingExperiment(16, 1);
    experiment["axes"] = {{"/pooling/input/seed", "?"}};
    std::string text = experiment.dump(), values = "[";
    constexpr int kMany = repetitions(7900000, 790000);
    for (int i = 0; i < kMany; ++i)
        values += "1,";
    text.replace(text.find("\"?\""), 3, values + "1]");
    ASSERT_LT(text.size(), std::size_t{16} << 20);
    writeText(file("e.json"), text);
    const Finished done = runSoon({"check", file("e.json")});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err,
                HasSubstr("the axis has " + std::to_string(kMany + 1) + " values; allowed: at most 100000"));
}

TEST_F(MemoryLimit, holdsForValuesOfAnExperiment) {
    std::string text = "[";
    for (int i = 0; i < 2000000; ++i)
        text += "[],";
    writeText(file("e.json"), text + "1]");
    expectRefused({"check", file("e.json")}, file("e.json"));
}

TEST_F(MemoryLimit, holdsForValuesOfARunFile) {
    writeSwollenRunFile(file("r.hscope"), repetitions(100000000, 25000000));
    EXPECT_LT(std::filesystem::file_size(file("r.hscope")), 1u << 20);
    expectRefused({"trace", "info", file("r.hscope")}, file("r.hscope"), repetitions(kLimitMiB, 48L));
}

/// Of 8 KiB each, which unpack to 250 MiB: none keeps anything, and together they would take minutes.
TEST_F(MemoryLimit, partsOfARunFileEndSoon) {
    if (kTimeFactor > 1)
        SKIP_AS_MEANINGLESS("a sanitizer unpacks hundreds of mebibytes in minutes");
    const std::string whole = file("whole.hscope"), path = file("r.hscope");
    ASSERT_EQ(runSoon({"run", "-", "--out", whole}, poolingExperiment(16, 1).dump()).exitCode, 0);
    std::string bytes = readText(whole);
    const auto word = [&](std::size_t at) { return static_cast<unsigned char>(bytes.at(at)); };
    const std::size_t header = profiling::kFileHeaderBytes,
                      behind = header + profiling::kFrameHeaderBytes + word(header) + 256u * word(header + 1);
    for (const auto kind : {profiling::FrameKind::Strings, static_cast<profiling::FrameKind>(77)}) {
        const std::string part = hostile::swollenFrame(kind, std::size_t{250} << 20);
        std::string parts;
        for (int i = 0; i < 200; ++i)
            parts += part;
        writeText(path, bytes.substr(0, behind) + parts + bytes.substr(behind));
        ASSERT_LT(std::filesystem::file_size(path), 4u << 20);
        const Finished done = runSoon({"trace", "info", path});
        EXPECT_EQ(done.exitCode, 2) << done.err;
        EXPECT_THAT(done.err, HasSubstr("of compressed records up to here, found 750.0 MiB"));
    }
}

/// Each of them would fit alone.
TEST_F(MemoryLimit, holdsForAllTheRunFilesOfAComparison) {
    const std::string recording = HETEROSCOPE_SOURCE_DIR "/resources/recorded/models_h100.hscope";
    const auto limited = [](std::vector<std::string> words, int mebibytes) {
        words.insert(words.end(), {"--memory-limit", std::to_string(mebibytes) + "MiB"});
        return runCli(words);
    };
    int limit = 8;
    while (limit < 256 && limited({"trace", "info", recording}, limit).exitCode != 0)
        limit += limit / 4;
    ASSERT_LT(limit, 256);
    const Finished done = limited({"compare", recording, recording}, limit);
    EXPECT_EQ(done.exitCode, 1) << done.out;
    EXPECT_THAT(done.err, HasSubstr("--memory-limit"));
    EXPECT_EQ(limited({"compare", recording, recording}, 2 * limit).exitCode, 0);
}

TEST_F(MemoryLimit, holdsForArraysOfAnArchive) {
    writeManyArrays(file("w.npz"), 40, 4 << 20); // 16 MiB each
    EXPECT_LT(std::filesystem::file_size(file("w.npz")), 2u << 20);
    const std::string model = experimentFile(trainingOn({1, 8, 8}, {{"source", "shapes"}, {"count", 10}}));
    expectRefused({"evaluate", model, "--tensors", file("w.npz"), "--out", file("o.npz")}, file("w.npz"));
}

TEST_F(MemoryLimit, holdsForEntriesOfAnArchive) {
    writeManyEntries(file("w.npz"), 65535);
    const std::string model = experimentFile(trainingOn({1, 8, 8}, {{"source", "shapes"}, {"count", 10}}));
    const Finished done = runSoon(
        {"evaluate", model, "--tensors", file("w.npz"), "--out", file("o.npz"), "--memory-limit", "16MiB"});
    EXPECT_EQ(done.exitCode, 1) << done.err;
    EXPECT_THAT(done.err, HasSubstr("the archive's table of contents would take at least"));
}

// The forecast of the network is small in these: what is refused is the reading.

TEST_F(MemoryLimit, holdsForAnArray) {
    const std::vector<std::int64_t> shape{1, 1, 16384, 16384};
    const auto bytes = compute::writeNpy(shape, {});
    writeSparse(file("a.npy"), std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
                bytes.size() + (std::size_t{1} << 30));
    const Json data = {{"source", "npy"}, {"images", file("a.npy")}, {"labels", file("a.npy")}};
    expectRefused({"run", experimentFile(trainingOn({1, 8, 8}, data))}, file("a.npy"));
}

/// More than its one pixel needs: refused as damaged, before it is unpacked.
TEST_F(MemoryLimit, holdsForUnpackedDataOfAPicture) {
    writeSwollenPng(file("p.png"), std::size_t{1} << 30);
    EXPECT_LT(std::filesystem::file_size(file("p.png")), 2u << 20);
    Json experiment = pooling("image", file("p.png"));
    experiment["pooling"]["kernel"] = experiment["pooling"]["stride"] = 1;
    const Finished done = runSoon({"run", experimentFile(experiment), "--memory-limit", kLimit});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err,
                HasSubstr("of compressed data or more; allowed: at most 64.0 KiB for 1 x 1 pixels"));
    EXPECT_LT(done.peakKiB, kMostKiB);
}

/// As much as its header needs: a few KiB of the file, and hundreds of MiB decoded.
TEST_F(MemoryLimit, holdsForDecodingAPicture) {
    std::filesystem::create_directories(file("set/a"));
    constexpr std::uint32_t kSide = 6000;
    writeSwollenPng(file("set/a/0.png"), std::size_t{kSide} * (kSide + 1), kSide);
    const Json data = {{"source", "image_folder"},
                       {"folder", file("set")},
                       {"transforms", {{{"type", "resize"}, {"size", 8}}}}};
    expectRefused({"run", experimentFile(trainingOn({1, 8, 8}, data))}, "decoding the image");
}

TEST_F(MemoryLimit, holdsForPicturesOfAFolder) {
    std::filesystem::create_directories(file("set/a"));
    writeSparse(file("set/a/0.pgm"), "P5\n9000 9000\n255\n", 81000017);
    const Json data = {{"source", "image_folder"},
                       {"folder", file("set")},
                       {"transforms", {{{"type", "resize"}, {"size", 8}}}}};
    expectRefused({"run", experimentFile(trainingOn({1, 8, 8}, data))}, "0.pgm");
}

TEST_F(MemoryLimit, holdsForCompressedIdxFiles) {
    writeZerosIdx(file("i.gz"), 4000, 1000);
    EXPECT_LT(std::filesystem::file_size(file("i.gz")), 8u << 20);
    const Json data = {{"source", "idx"}, {"images", file("i.gz")}, {"labels", file("i.gz")}};
    expectRefused({"run", experimentFile(trainingOn({1, 8, 8}, data))}, file("i.gz"));
}

TEST_F(MemoryLimit, holdsForCifarFiles) {
    for (int i = 1; i <= 5; ++i)
        writeSparse(file("data_batch_" + std::to_string(i) + ".bin"), "", 3073 * 10000);
    const Json data = {{"source", "cifar10"}, {"folder", m_folder.path()}};
    expectRefused({"run", experimentFile(trainingOn({3, 32, 32}, data))}, "data_batch_");
}

/// A training with states that goes on: its list, and the archive that the list names.
TEST_F(MemoryLimit, holdsForTheListAndTheArchiveThatATrainingGoesOnFrom) {
    Json experiment = trainingOn({1, 8, 8}, {{"source", "shapes"}, {"count", 20}});
    experiment["training"] = {{"batch", 10}, {"epochs", 1}};
    std::filesystem::create_directories(file("states"));
    const std::vector<std::string> words{
        "run", experimentFile(experiment), "--no-trace", "--no-check", "--checkpoints", file("states")};
    const Finished first = runSoon(words);
    ASSERT_EQ(first.exitCode, 0) << first.err;
    const std::string list = file("states/run_0.checkpoint.json"), archive = file("states/run_0.1.npz");
    std::string text = readText(list);
    std::vector<std::string> resumed = words;
    resumed.emplace_back("--resume");
    ASSERT_EQ(runSoon(resumed).exitCode, 0) << "what was written is good";
    writeManyArrays(archive, 40, 4 << 20); // 16 MiB each
    expectRefused(resumed, archive);
    std::string values;
    for (int i = 0; i < 1000000; ++i)
        values += "[],";
    text.insert(text.find('{') + 1, "\"more\": [" + values + "1],");
    writeText(list, text);
    const Finished done = runSoon(resumed);
    EXPECT_EQ(done.exitCode, 2) << done.err; // no list is as long as that
    EXPECT_THAT(done.err, HasSubstr(list));
    EXPECT_THAT(done.err, HasSubstr("allowed: at most 64.0 KiB"));
    EXPECT_LT(done.peakKiB, kMostKiB);
}

/// libzip goes back to each header, which a pipe cannot: the archive is not held in memory for that.
TEST_F(MemoryLimit, doesNotMatterToAnArchiveThatIsWrittenToAPipe) {
    Json experiment = trainingOn({1, 64, 64}, {{"source", "shapes"}, {"count", 10}});
    experiment["network"]["layers"][1]["units"] = 4096; // weights of 64 MiB
    const std::string model = experimentFile(experiment);
    const Finished toFile = runSoon({"export", model, "--npz", file("w.npz")});
    ASSERT_EQ(toFile.exitCode, 0) << toFile.err;
    const Finished toPipe = runSoon({"export", model, "--npz", "/dev/stdout"});
    EXPECT_EQ(toPipe.exitCode, 0) << toPipe.err;
    EXPECT_TRUE(toPipe.out == readText(file("w.npz"))) << toPipe.out.size() << " bytes";
    EXPECT_LT(toFile.peakKiB, (64 + 56) * 1024 * (kTimeFactor > 1 ? 3 : 1)) << "one copy of the weights";
    EXPECT_LT(toPipe.peakKiB, toFile.peakKiB + 8 * 1024);
}

/// Outputs of 1 MiB each, of 8 runs: each is computed, and all of them may not be kept.
TEST_F(MemoryLimit, holdsForOutputsThatAreKept) {
    Json experiment = poolingExperiment(512, 1);
    experiment["pooling"]["kernel"] = experiment["pooling"]["stride"] = 1;
    experiment["axes"] = {{"/pooling/input/seed", {1, 2, 3, 4}}};
    const std::string path = experimentFile(experiment);
    const auto words = [&](const char* preset, const char* limit) {
        return std::vector<std::string>{"run",           path,          "--preset",       preset,
                                        "--samples",     "1",           "--json",         file("r.json"),
                                        "--save-output", file("o.npz"), "--memory-limit", limit};
    };
    for (const char* preset : {"quick", "thesis"}) { // the second one in a worker
        const Finished refused = runSoon(words(preset, "6MiB"));
        EXPECT_EQ(refused.exitCode, 1) << preset << refused.err;
        EXPECT_THAT(refused.err,
                    HasSubstr("--save-output: keeping the outputs of all runs until they are written would "
                              "take at least 8.0 MiB of memory in all; allowed: 6.0 MiB; give"));
        EXPECT_FALSE(std::filesystem::exists(file("o.npz")));
    }
    const Finished done = runSoon(words("quick", "9MiB"));
    EXPECT_EQ(done.exitCode, 0) << done.err;
    EXPECT_TRUE(std::filesystem::exists(file("o.npz")));
}

TEST_F(MemoryLimit, holdsForTables) {
    std::string text, line;
    for (int i = 0; i < 1000; ++i)
        line += "1,";
    for (int i = 0; i < 5000; ++i)
        text += line + "2\n";
    writeText(file("t.csv"), text);
    const Json data = {{"source", "csv"}, {"file", file("t.csv")}, {"header", false}};
    const std::string experiment = experimentFile(trainingOn({1000}, data));
    expectRefused({"run", experiment}, file("t.csv"), 24);
    const Finished checked = runSoon({"check", experiment, "--memory-limit", "1MiB"});
    EXPECT_EQ(checked.exitCode, 1) << checked.err;
    EXPECT_THAT(checked.err, HasSubstr(file("t.csv") + ": the table would take at least"));
}

TEST_F(MemoryLimit, holdsForMessagesOfAnOnnxFile) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    writeManyMessages(file("m.onnx"), 12000000);
    expectRefused({"check", file("m.onnx")}, file("m.onnx"));
}

TEST_F(MemoryLimit, thatIsNoneIsWrongUsage) {
    for (const char* text : {"0", "-1", "-5GiB", "many", "1.5GiB", "12parsecs", "99999999999999999999"})
        for (const char* verb : {"run", "check"}) {
            const Finished done = runSoon({verb, "-", "--memory-limit", text}, "{}");
            EXPECT_EQ(done.exitCode, 64) << verb << ' ' << text << done.err;
            EXPECT_THAT(done.err, HasSubstr("512MiB"));
        }
    EXPECT_EQ(runSoon({"trace", "info", "x.hscope", "--memory-limit", "0"}).exitCode, 64);
}

/// A FIFO, a socket, a device and a folder, and how each is called.
class SpecialFiles : public MemoryLimit {
  protected:
    void SetUp() override {
        ASSERT_EQ(::mkfifo(file("fifo").c_str(), 0600), 0);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string place = file("sock");
        ASSERT_LT(place.size(), sizeof address.sun_path);
        place.copy(address.sun_path, place.size());
        m_socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
        ASSERT_EQ(::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    void TearDown() override { ::close(m_socket); }

    std::vector<std::pair<std::string, std::string>> specials() const {
        return {{file("fifo"), "FIFO"},
                {file("sock"), "socket"},
                {"/dev/zero", "character device"},
                {m_folder.path(), "folder"}};
    }

    static void expectNamed(const std::vector<std::string>& words, const std::string& kind) {
        const Finished done = runSoon(words);
        EXPECT_EQ(done.exitCode, 2) << words[0] << ' ' << words[1] << ": " << done.err;
        EXPECT_THAT(done.err, HasSubstr("it is a " + kind + ", not a regular file"))
            << words[0] << ' ' << words[1];
    }

    int m_socket = -1;
};

TEST_F(SpecialFiles, areRefusedAsArguments) {
    for (const auto& [path, kind] : specials()) {
        expectNamed({"run", path}, kind);
        expectNamed({"check", path}, kind);
        expectNamed({"trace", "info", path}, kind);
        expectNamed({"trace", "stats", path}, kind);
        expectNamed({"trace", "import", path, file("t.hscope")}, kind);
        expectNamed({"compare", path, path}, kind);
        expectNamed({"trace", "export", path, file("t.json")}, kind);
        expectNamed(
            {"evaluate", examplePath("network_mlp_width.json"), "--tensors", path, "--out", file("o.npz")},
            kind);
    }
}

TEST_F(SpecialFiles, areRefusedAmongImagesOfAClass) {
    std::filesystem::create_directories(file("images/cats"));
    ASSERT_EQ(::mkfifo(file("images/cats/one.png").c_str(), 0600), 0);
    const Json folder = {{"source", "image_folder"}, {"folder", file("images")}};
    const Finished done = runSoon({"run", experimentFile(trainingOn({3, 8, 8}, folder))});
    EXPECT_EQ(done.exitCode, 2) << done.err;
    EXPECT_THAT(done.err, HasSubstr("one.png"));
    EXPECT_THAT(done.err, HasSubstr("FIFO"));
}

TEST_F(SpecialFiles, areRefusedAsOnnxFiles) {
    if (const std::string reason = compute::onnxUnavailableReason(); !reason.empty())
        SKIP_WITHOUT("onnx", reason);
    ASSERT_EQ(::mkfifo(file("f.onnx").c_str(), 0600), 0);
    expectNamed({"check", file("f.onnx")}, "FIFO");
}

TEST_F(SpecialFiles, areRefusedInExperiments) {
    for (const auto& [path, kind] : specials()) {
        expectNamed({"run", experimentFile(pooling("npy", path))}, kind);
        expectNamed({"run", experimentFile(pooling("image", path))}, kind);
        const Json idx = {{"source", "idx"}, {"images", path}, {"labels", path}};
        expectNamed({"run", experimentFile(trainingOn({1, 4, 4}, idx))}, kind);
        expectNamed({"run", experimentFile(trainingOn({4}, {{"source", "csv"}, {"file", path}}))}, kind);
        const Json npy = {{"source", "npy"}, {"images", path}, {"labels", path}};
        expectNamed({"run", experimentFile(trainingOn({4}, npy))}, kind);
        Json weights = trainingOn({1, 8, 8}, {{"source", "shapes"}, {"count", 10}});
        weights["network"]["weights"] = path;
        expectNamed({"run", experimentFile(weights)}, kind);
    }
    ASSERT_EQ(::mkfifo(file("data_batch_1.bin").c_str(), 0600), 0);
    const Json cifar = {{"source", "cifar10"}, {"folder", m_folder.path()}};
    expectNamed({"run", experimentFile(trainingOn({3, 32, 32}, cifar))}, "FIFO");
}

} // namespace
} // namespace heteroscope::process_test
