// SPDX-License-Identifier: Apache-2.0
// The files of kept states: what is removed and what is not, who owns a name, what a damaged list is refused
// for.
#include "compute/exec/checkpoint_files.h"
#include "tests/support/idx_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>

namespace heteroscope::compute {
namespace {

class CheckpointFolder : public testing::Test {
  protected:
    std::filesystem::path stem(const char* name = "run_1") const { return m_files.folder() / name; }
    void put(const std::string& name, const std::string& text = "x") const {
        std::ofstream(m_files.folder() / name) << text;
    }
    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(m_files.folder()))
            found.insert(entry.path().filename().string());
        return found;
    }
    static NpzArrays state(float value) { return {{"a", {{1}, {value}}}}; }

    TemporaryIdx m_files;
};

TEST_F(CheckpointFolder, KeepsTheLatestAndTheBestAndNoOther) {
    auto files = CheckpointFiles::open(stem());
    ASSERT_TRUE(files.ok()) << files.error().sentence();
    for (int epoch = 1; epoch <= 5; ++epoch)
        ASSERT_TRUE((*files)->keep(state(static_cast<float>(epoch)), epoch, epoch == 1 || epoch == 3).ok());
    EXPECT_EQ(names(),
              (std::set<std::string>{"run_1.3.npz", "run_1.5.npz", "run_1.checkpoint.json", "run_1.lock"}));
    files->reset();
    EXPECT_FALSE(names().contains("run_1.lock"));
    const auto weights = readKeptWeights(stem().concat(".checkpoint.json"));
    ASSERT_TRUE(weights.ok()) << weights.error().sentence();
    EXPECT_TRUE(weights->isBest);
    EXPECT_EQ(weights->state.epoch, 3);
    EXPECT_EQ(weights->arrays.at("a").values, std::vector<float>{3});
}

TEST_F(CheckpointFolder, RemovesWhatAKilledRunOfTheSameNameLeft) {
    {
        auto files = CheckpointFiles::open(stem());
        ASSERT_TRUE((*files)->keep(state(1), 1, true).ok());
    }
    for (const char* name : {".run_1.2.npz.1-2.heteroscope-part", "run_1.2.npz"})
        put(name);
    put("run_1.lock", ""); // its own run removes it
    const std::set<std::string> others{"run_11.2.npz", ".run_1.2.npz.part", "run_1.mine.npz",
                                       "run_1.npz",    "xrun_1.2.npz",      "run_1.7.npz"};
    for (const std::string& name : others)
        put(name);
    const auto files = CheckpointFiles::open(stem());
    ASSERT_TRUE(files.ok()) << files.error().sentence();
    std::set<std::string> expected = others;
    expected.insert({"run_1.1.npz", "run_1.checkpoint.json", "run_1.lock"});
    EXPECT_EQ(names(), expected);
}

TEST_F(CheckpointFolder, LeavesTheFilesOfALiveRunAlone) {
    auto live = CheckpointFiles::open(stem());
    ASSERT_TRUE(live.ok());
    put("run_1.2.npz");
    const auto second = CheckpointFiles::open(stem());
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::BadInput);
    EXPECT_NE(second.error().sentence().find("run_1.lock"), std::string::npos) << second.error().sentence();
    EXPECT_TRUE(names().contains("run_1.2.npz"));
    EXPECT_TRUE(CheckpointFiles::open(stem("run_2")).ok());
    live->reset();
    EXPECT_TRUE(CheckpointFiles::open(stem()).ok());
}

TEST_F(CheckpointFolder, RemovesWhatAKilledRunHadSuperseded) {
    {
        auto files = CheckpointFiles::open(stem());
        for (int epoch = 1; epoch <= 3; ++epoch)
            ASSERT_TRUE((*files)->keep(state(1), epoch, epoch == 1).ok());
    }
    put("run_1.2.npz"); // the manifest of generation 3 says that it goes
    EXPECT_TRUE(CheckpointFiles::open(stem()).ok());
    EXPECT_EQ(names(), (std::set<std::string>{"run_1.1.npz", "run_1.3.npz", "run_1.checkpoint.json"}));
}

TEST_F(CheckpointFolder, LeavesFilesThatAreNotItsOwn) {
    put("run_1.1.npz", "somebody's");
    {
        auto files = CheckpointFiles::open(stem());
        for (int epoch = 1; epoch <= 3; ++epoch)
            ASSERT_TRUE((*files)->keep(state(1), epoch, false).ok());
    }
    EXPECT_EQ(names(), (std::set<std::string>{"run_1.1.npz", "run_1.4.npz", "run_1.checkpoint.json"}));
    {
        auto files = CheckpointFiles::open(stem(), {(m_files.folder() / "run_1.4.npz").string()});
        ASSERT_TRUE((*files)->keep(state(1), 4, false).ok());
    }
    EXPECT_TRUE(names().contains("run_1.4.npz")) << "it is read";
}

TEST_F(CheckpointFolder, RemovesNothingThatItsListNamesOrThatIsRead) {
    put("run_1.checkpoint.json",
        R"({"heteroscope_checkpoint":1,"generation":2,"latest":{"epoch":2,"file":"run_1.2.npz"},)"
        R"("superseded":["run_1.2.npz","run_1.1.npz"]})");
    for (const char* name : {"run_1.1.npz", "run_1.2.npz"})
        put(name);
    const auto inFolder = CheckpointFiles::open(stem(), {m_files.folder().string()});
    ASSERT_FALSE(inFolder.ok()) << "the list would be written over after the first epoch";
    EXPECT_NE(inFolder.error().sentence().find("is read here"), std::string::npos);
    EXPECT_TRUE(names().contains("run_1.1.npz"));
    EXPECT_TRUE(CheckpointFiles::open(stem()).ok());
    EXPECT_FALSE(names().contains("run_1.1.npz"));
    EXPECT_TRUE(names().contains("run_1.2.npz"));
}

TEST_F(CheckpointFolder, RefusesAListThatNamesOtherFilesAsSuperseded) {
    for (const char* superseded :
         {R"(["../run_1.1.npz"])", R"(["run_2.1.npz"])", R"(["notes.txt"])", "[1]", "{}"}) {
        put("run_1.checkpoint.json",
            R"({"heteroscope_checkpoint":1,"generation":2,"latest":{"epoch":2,"file":"run_1.2.npz"},)"
            R"("superseded":)" +
                std::string(superseded) + "}");
        put("run_1.1.npz");
        const auto files = CheckpointFiles::open(stem());
        ASSERT_FALSE(files.ok()) << superseded;
        EXPECT_NE(files.error().sentence().find("it is damaged"), std::string::npos);
        EXPECT_TRUE(names().contains("run_1.1.npz")) << "nothing is removed before";
    }
}

TEST_F(CheckpointFolder, TakesNoFileWithSomethingInItForALock) {
    put("run_1.lock", "mine");
    const auto files = CheckpointFiles::open(stem());
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().code, ErrorCode::BadInput);
    EXPECT_TRUE(names().contains("run_1.lock"));
}

TEST_F(CheckpointFolder, ATrainingThatStartsOverKeepsTheOldStatesUntilItsFirst) {
    {
        auto files = CheckpointFiles::open(stem());
        for (int epoch = 1; epoch <= 3; ++epoch)
            ASSERT_TRUE((*files)->keep(state(1), epoch, epoch == 1).ok());
    }
    const std::set<std::string> before = names();
    auto files = CheckpointFiles::open(stem());
    (*files)->startOver();
    EXPECT_FALSE((*files)->kept().has_value());
    std::set<std::string> expected = before;
    expected.insert("run_1.lock");
    EXPECT_EQ(names(), expected);
    ASSERT_TRUE((*files)->keep(state(7), 1, false).ok());
    EXPECT_EQ(names(), (std::set<std::string>{"run_1.4.npz", "run_1.checkpoint.json", "run_1.lock"}));
    EXPECT_FALSE((*files)->kept()->best.has_value()); // never the best of another training
}

TEST_F(CheckpointFolder, RefusesAListThatIsDamagedOrLeadsElsewhere) {
    const std::string good =
        R"({"heteroscope_checkpoint":1,"generation":2,"latest":{"epoch":2,"file":"run_1.2.npz"}})";
    put("run_1.checkpoint.json", good);
    EXPECT_TRUE(readCheckpointManifest(stem().concat(".checkpoint.json")).ok());
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        return text.replace(text.find(from), from.size(), to);
    };
    for (const std::string& bad :
         {std::string(), good.substr(0, 40), with("run_1.2.npz", "../run_1.2.npz"),
          with("run_1.2.npz", "run_2.2.npz"), with("run_1.2.npz", "run_1..npz"),
          with("\"epoch\":2", "\"epoch\":-2"), with("\"generation\":2", "\"generation\":1e300"),
          with("_checkpoint\":1", "_checkpoint\":2"),
          with("}}", "},\"best\":{\"epoch\":1,\"file\":\"/etc/passwd\"}}"), std::string(1 << 17, ' ') + good,
          with("}}", "},\"run\":" + std::string(300, '[') + std::string(300, ']') + "}"),
          std::string("[1]")}) {
        put("run_1.checkpoint.json", bad);
        put("run_1.2.npz");
        const auto files = CheckpointFiles::open(stem());
        ASSERT_FALSE(files.ok()) << bad.substr(0, 200);
        EXPECT_NE(files.error().where.find("run_1.checkpoint.json"), std::string::npos)
            << files.error().sentence();
        EXPECT_TRUE(names().contains("run_1.2.npz"))
            << "states must not be removed on the word of a damaged list";
    }
}

TEST_F(CheckpointFolder, WritesOverADamagedListWhereThatIsAskedForAndRemovesNoState) {
    for (const char* name : {"run_1.1.npz", "run_1.2.npz"})
        put(name);
    put("run_1.checkpoint.json", "{\"heteroscope_checkpoint\": 1");
    EXPECT_FALSE(CheckpointFiles::open(stem()).ok());
    put("run_1.lock", ""); // a killed run left it
    auto files = CheckpointFiles::open(stem(), {}, systemFiles(), true);
    ASSERT_TRUE(files.ok()) << files.error().sentence();
    EXPECT_FALSE((*files)->kept().has_value());
    EXPECT_TRUE(names().contains("run_1.1.npz")) << "it may be a state that the list named";
    ASSERT_TRUE((*files)->keep(state(1), 1, true).ok());
    const auto kept = readCheckpointManifest(stem().concat(".checkpoint.json"));
    ASSERT_TRUE(kept.ok()) << kept.error().sentence();
    EXPECT_EQ(kept->latest.file, "run_1.3.npz");
    EXPECT_TRUE(names().contains("run_1.1.npz"));
    EXPECT_TRUE(names().contains("run_1.2.npz"));
}

TEST_F(CheckpointFolder, ReplacesSymbolicLinksAndLeavesAloneWhatTheyLeadTo) {
    const std::filesystem::path elsewhere = m_files.folder() / "elsewhere";
    std::filesystem::create_symlink(elsewhere, m_files.folder() / "run_1.checkpoint.json");
    {
        auto files = CheckpointFiles::open(stem());
        ASSERT_TRUE(files.ok()) << files.error().sentence();
        std::filesystem::create_symlink(elsewhere, m_files.folder() / "run_1.1.npz"); // skipped
        ASSERT_TRUE((*files)->keep(state(1), 1, true).ok());
    }
    EXPECT_FALSE(std::filesystem::exists(elsewhere));
    EXPECT_EQ(names(), (std::set<std::string>{"run_1.1.npz", "run_1.2.npz", "run_1.checkpoint.json"}));
    EXPECT_TRUE(std::filesystem::is_regular_file(
        std::filesystem::symlink_status(m_files.folder() / "run_1.checkpoint.json")));
    EXPECT_TRUE(readKeptWeights(stem().concat(".checkpoint.json")).ok());
}

/// Whoever gave the folder would have another file read.
TEST_F(CheckpointFolder, RefusesStatesThatAreSymbolicLinks) {
    {
        auto files = CheckpointFiles::open(stem());
        ASSERT_TRUE(files.ok()) << files.error().sentence();
        ASSERT_TRUE((*files)->keep(state(1), 1, true).ok());
    }
    for (const char* name : {"run_1.1.npz", "run_1.checkpoint.json"}) {
        const std::filesystem::path file = m_files.folder() / name, moved = m_files.folder() / "moved";
        std::filesystem::rename(file, moved);
        std::filesystem::create_symlink("moved", file);
        const auto files = CheckpointFiles::open(stem());
        ASSERT_FALSE(files.ok()) << name;
        EXPECT_EQ(files.error().code, ErrorCode::BadInput);
        EXPECT_NE(
            files.error().sentence().find(std::string(name) + ": the state of a training is a symbolic link"),
            std::string::npos)
            << files.error().sentence();
        std::filesystem::remove(file);
        std::filesystem::rename(moved, file);
    }
    EXPECT_TRUE(CheckpointFiles::open(stem()).ok());
}

/// A disk on which the call with one number fails; what leads to new bytes, to names, and what makes them
/// last.
class OneCallFails : public FileSystem {
  public:
    explicit OneCallFails(int number) : m_left(number) {}
    bool reached() const { return m_left <= 0; }

    int open(const std::string& path, int flags, mode_t mode) override {
        return fails() ? -1 : FileSystem::open(path, flags, mode);
    }
    ssize_t write(int fd, const void* bytes, std::size_t count) override {
        return fails() ? -1 : FileSystem::write(fd, bytes, count);
    }
    ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset) override {
        return fails() ? -1 : FileSystem::writeAt(fd, bytes, count, offset);
    }
    int sync(int fd) override { return fails() ? -1 : FileSystem::sync(fd); }
    int rename(const std::string& from, const std::string& to) override {
        return fails() ? -1 : FileSystem::rename(from, to);
    }
    int syncFolder(const std::string& folder) override {
        return fails() ? -1 : FileSystem::syncFolder(folder);
    }

  private:
    bool fails() {
        errno = EIO;
        return --m_left == 0;
    }
    int m_left;
};

TEST_F(CheckpointFolder, AStateThatNoListNamesDoesNotStayWhereKeepingItFailed) {
    int failed = 0;
    for (int number = 1;; ++number) {
        const std::string name = "run_" + std::to_string(number);
        OneCallFails disk(number);
        {
            auto files = CheckpointFiles::open(stem(name.c_str()), {}, disk);
            ASSERT_TRUE(files.ok()) << files.error().sentence();
            for (int epoch = 1; epoch <= 3; ++epoch)
                failed += (*files)->keep(state(static_cast<float>(epoch)), epoch, epoch == 1).ok() ? 0 : 1;
        }
        const auto list = readCheckpointManifest(stem(name.c_str()).concat(".checkpoint.json"));
        for (const std::string& file : names())
            if (isGeneration(file, name)) {
                const auto isOf = [&](const std::optional<KeptState>& kept) {
                    return kept && kept->file == file;
                };
                const bool named = list.ok() && (isOf(list->latest) || isOf(list->best) ||
                                                 std::ranges::count(list->superseded, file) > 0);
                EXPECT_TRUE(named) << file << " stayed after call " << number << " failed";
            }
        if (list.ok()) {
            EXPECT_TRUE(names().contains(list->latest.file)) << "named and gone, call " << number;
            EXPECT_TRUE(!list->best || names().contains(list->best->file))
                << "named and gone, call " << number;
        }
        if (!disk.reached())
            break;
    }
    EXPECT_GE(failed, 30) << "too few calls were seen";
}

TEST_F(CheckpointFolder, SaysWhyItCannotBeWritten) {
    const auto files = CheckpointFiles::open(m_files.folder() / "missing" / "run_0");
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().code, ErrorCode::Io);
    EXPECT_NE(files.error().sentence().find("missing"), std::string::npos);
}

} // namespace
} // namespace heteroscope::compute
