// SPDX-License-Identifier: Apache-2.0
// Output files in one process: open files stand for processes, since locks belong to them.
#include "compute/base/output_file.h"
#include "tests/unit/base/output_fixture.h"

#include <gmock/gmock.h>

#include <deque>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

namespace heteroscope {
namespace {

using ::testing::HasSubstr;

class OutputFiles : public test::OutputFolder {
  protected:
    static OutputRules exclusive() {
        OutputRules rules;
        rules.exclusive = true;
        return rules;
    }
};

TEST_F(OutputFiles, replaceWhenCommittedAndNotBefore) {
    put(file("a"), "old");
    ::chmod(file("a").c_str(), 0640);
    {
        auto output = OutputFile::open(file("a"), {});
        ASSERT_TRUE(output) << output.error().sentence();
        ASSERT_TRUE((*output)->write("new"));
        EXPECT_EQ(textOf(file("a")), "old");
        ASSERT_TRUE((*output)->commit());
        EXPECT_EQ(textOf(file("a")), "new");
        ASSERT_TRUE((*output)->write(" and more"));
    }
    EXPECT_EQ(textOf(file("a")), "new and more");
    struct stat info {};
    ASSERT_EQ(::stat(file("a").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0640u);
    EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, thatAreNotCommittedLeaveNothing) {
    {
        auto output = OutputFile::open(file("a"), {});
        ASSERT_TRUE(output);
        ASSERT_TRUE((*output)->write("new"));
        EXPECT_EQ(count(), 1u);
    }
    EXPECT_EQ(count(), 0u);
}

TEST_F(OutputFiles, haveOneWriterBeforeAndAfterTheRename) {
    auto first = OutputFile::open(file("a"), exclusive());
    ASSERT_TRUE(first);
    for (int i = 0; i < 2; ++i) {
        const auto second = OutputFile::open(file("a"), exclusive());
        ASSERT_FALSE(second);
        EXPECT_EQ(second.error().code, ErrorCode::BadInput);
        EXPECT_THAT(second.error().sentence(), HasSubstr("process " + std::to_string(::getpid())));
        ASSERT_TRUE((*first)->commit());
    }
    first->reset();
    EXPECT_TRUE(OutputFile::open(file("a"), exclusive()).ok());
}

TEST_F(OutputFiles, ofKilledWritersAreRemovedAndThoseOfOthersAreNot) {
    const std::string abandoned = partPath(file("b"), ""), tagged = partPath(file("c"), "123-0");
    put(abandoned, "half");
    put(tagged, "half");
    put(file("thesis.part"), "mine");
    auto live = OutputFile::open(file("d"), exclusive());
    ASSERT_TRUE(live);
    ASSERT_TRUE(writeOutput(file("a"), "text"));
    EXPECT_FALSE(std::filesystem::exists(abandoned));
    EXPECT_FALSE(std::filesystem::exists(tagged));
    EXPECT_EQ(textOf(file("thesis.part")), "mine");
    ASSERT_TRUE((*live)->write("alive"));
    ASSERT_TRUE((*live)->commit());
    EXPECT_EQ(textOf(file("d")), "alive");
}

/// Creating and clearing away meet at every step: nobody's new file may be taken for an abandoned one.
TEST_F(OutputFiles, survivePeopleWhoClearAway) {
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread)
        threads.emplace_back([this, thread] {
            for (int i = 0; i < 400; ++i) {
                const std::string path = file("f" + std::to_string(thread)), text = std::to_string(i);
                auto output = OutputFile::open(path, exclusive());
                ASSERT_TRUE(output) << output.error().sentence();
                ASSERT_TRUE((*output)->write(text));
                const Status committed = (*output)->commit();
                ASSERT_TRUE(committed) << committed.error().sentence();
                EXPECT_EQ(textOf(path), text);
            }
        });
    for (std::thread& thread : threads)
        thread.join();
    EXPECT_EQ(count(), 4u);
}

TEST_F(OutputFiles, ofLongNamesHavePartsWithShorterOnes) {
    const std::string name(255, 'n');
    ASSERT_TRUE(writeOutput(file(name), "text"));
    EXPECT_EQ(textOf(file(name)), "text");
}

TEST_F(OutputFiles, tellWhetherThereWasSomethingToReplace) {
    put(file("empty"), "");
    put(file("full"), "x");
    for (const auto& [name, replaces] :
         {std::pair("new", false), std::pair("empty", false), std::pair("full", true)}) {
        const auto output = OutputFile::open(file(name), {});
        ASSERT_TRUE(output);
        EXPECT_EQ((*output)->replaces(), replaces) << name;
        EXPECT_FALSE((*output)->committed());
        EXPECT_TRUE((*output)->locked());
        EXPECT_EQ((*output)->path(), file(name));
    }
}

TEST_F(OutputFiles, areWrittenAtAnyPlaceWithoutMovingTheEnd) {
    auto output = OutputFile::open(file("a"), {});
    ASSERT_TRUE(output);
    ASSERT_TRUE((*output)->write("head....tail"));
    const std::uint8_t bytes[] = {'b', 'o', 'd', 'y'};
    ASSERT_TRUE((*output)->writeAt(4, bytes));
    ASSERT_TRUE((*output)->write("!"));
    ASSERT_TRUE((*output)->commit());
    EXPECT_TRUE((*output)->committed());
    EXPECT_EQ(textOf(file("a")), "headbodytail!");
    EXPECT_TRUE((*output)->commit()) << "what has its name keeps it";
}

/// Each write is one answer of the list: an error, or so many bytes at most.
class Hesitating : public FileSystem {
  public:
    ssize_t write(int fd, const void* bytes, std::size_t count) override {
        return next(count, [&](std::size_t most) { return FileSystem::write(fd, bytes, most); });
    }
    ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset) override {
        return next(count, [&](std::size_t most) { return FileSystem::writeAt(fd, bytes, most, offset); });
    }
    std::deque<int> answers; ///< below 0: an error

  private:
    template <class Write>
    ssize_t next(std::size_t count, Write write) {
        const int answer = answers.empty() ? 1 << 20 : answers.front();
        if (!answers.empty())
            answers.pop_front();
        errno = -answer;
        return answer < 0 ? -1 : write(std::min(count, static_cast<std::size_t>(answer)));
    }
};

TEST_F(OutputFiles, areWrittenWholeInSeveralSteps) {
    Hesitating files;
    auto output = OutputFile::open(file("a"), {}, files);
    ASSERT_TRUE(output);
    files.answers = {1, -EINTR, 0, -EAGAIN, 2};
    ASSERT_TRUE((*output)->write("abcdef"));
    EXPECT_TRUE(files.answers.empty());
    const std::uint8_t bytes[] = {'C', 'D', 'E'};
    files.answers = {1, -EINTR, 1};
    ASSERT_TRUE((*output)->writeAt(2, bytes));
    ASSERT_TRUE((*output)->commit());
    EXPECT_EQ(textOf(file("a")), "abCDEf");
}

TEST_F(OutputFiles, sayWhatFailedAndLeaveTheOldFile) {
    const std::uint8_t bytes[] = {1};
    const struct {
        const char *call, *sentence;
    } cases[] = {{"write", "cannot be written: No space left on device"},
                 {"writeAt", "cannot be written: No space left on device"},
                 {"sync", "cannot be flushed to the disk: No space left on device"}};
    put(file("a"), "old");
    for (const auto& item : cases) {
        test::FailingFiles files;
        files.failing = item.call;
        files.number = ENOSPC;
        auto output = OutputFile::open(file("a"), {}, files);
        ASSERT_TRUE(output);
        Status status = (*output)->write("new");
        if (status)
            status = (*output)->writeAt(0, bytes);
        if (status)
            status = (*output)->commit();
        ASSERT_FALSE(status) << item.call;
        EXPECT_EQ(status.error().code, ErrorCode::Io);
        EXPECT_EQ(status.error().sentence(),
                  file("a") + ": " + item.sentence + "; free some space or choose another place");
        EXPECT_FALSE((*output)->committed());
        files.number = EIO;
        EXPECT_EQ(textOf(file("a")), "old");
    }
    EXPECT_EQ(count(), 1u);
}

/// Hours may have been computed by then.
TEST_F(OutputFiles, thatCannotBeRenamedStayBesideUnderAFreeName) {
    put(file("a.json"), "old");
    put(file("a.new.json"), "somebody's");
    test::FailingFiles files;
    files.failing = "rename";
    files.number = EBUSY;
    {
        auto output = OutputFile::open(file("a.json"), {}, files);
        ASSERT_TRUE(output && (*output)->write("new"));
        const std::string told =
            file("a.json") +
            ": cannot be renamed into its place: Device or resource busy, and what was written "
            "lies in '" +
            file("a.new-2.json") + "'";
        EXPECT_EQ((*output)->commit().error().sentence(), told);
        EXPECT_EQ((*output)->commit().error().sentence(), told) << "it has one name";
        EXPECT_FALSE((*output)->committed());
    }
    EXPECT_EQ(textOf(file("a.json")), "old");
    EXPECT_EQ(textOf(file("a.new.json")), "somebody's");
    EXPECT_EQ(textOf(file("a.new-2.json")), "new");
    EXPECT_EQ(count(), 3u) << "nothing hidden";
    files.linksFailToo = true; // and no other name can be given
    auto output = OutputFile::open(file("b"), {}, files);
    ASSERT_TRUE(output && (*output)->write("new"));
    const std::string sentence = (*output)->commit().error().sentence();
    output->reset();
    const auto from = sentence.find("lies in '") + 9;
    EXPECT_EQ(textOf(sentence.substr(from, sentence.find('\'', from) - from)), "new") << sentence;
    EXPECT_EQ(count(), 4u);
}

TEST_F(OutputFiles, thatCannotBeRenamedAreRemovedWhereNothingIsInThemOrNobodyWantsThem) {
    test::FailingFiles files;
    files.failing = "rename";
    EXPECT_FALSE(writeOutput(file("a"), "", {}, files));
    OutputRules rules;
    rules.keepUnplaced = false;
    EXPECT_FALSE(writeOutput(file("a"), "text", rules, files));
    EXPECT_EQ(count(), 0u);
}

TEST_F(OutputFiles, thatGetTheirNameLaterAreNotLeftBeside) {
    test::FailingFiles files;
    files.failing = "rename";
    auto output = OutputFile::open(file("a"), {}, files);
    ASSERT_TRUE(output && (*output)->write("new"));
    ASSERT_FALSE((*output)->commit());
    files.failing = "";
    ASSERT_TRUE((*output)->commit());
    EXPECT_EQ(textOf(file("a")), "new");
    EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, ofLongNamesStayBesideUnderShorterOnes) {
    test::FailingFiles files;
    files.failing = "rename";
    EXPECT_FALSE(writeOutput(file(std::string(250, 'n') + ".json"), "text", {}, files));
    ASSERT_EQ(count(), 1u);
    const auto left = std::filesystem::directory_iterator(m_folder)->path();
    EXPECT_TRUE(left.filename().string().ends_with(".new.json")) << left;
    EXPECT_EQ(textOf(left), "text");
}

TEST_F(OutputFiles, areInTheirPlaceWhenOnlyTheFolderCannotBeFlushed) {
    test::FailingFiles files;
    files.failing = "syncFolder";
    files.number = EDQUOT;
    auto output = OutputFile::open(file("a"), {}, files);
    ASSERT_TRUE(output);
    EXPECT_EQ((*output)->commit().error().sentence(),
              file("a") +
                  ": its folder cannot be flushed to the disk: Disk quota exceeded; free some space or "
                  "choose another place");
    files.number = EIO;
    EXPECT_TRUE((*output)->committed());
    output->reset();
    EXPECT_TRUE(std::filesystem::exists(file("a")));
}

TEST_F(OutputFiles, otherFailuresHaveNoAdvice) {
    test::FailingFiles files;
    files.failing = "sync";
    auto output = OutputFile::open(file("a"), {}, files);
    ASSERT_TRUE(output);
    EXPECT_EQ((*output)->sync().error().sentence(),
              file("a") + ": cannot be flushed to the disk: Input/output error");
}

TEST_F(OutputFiles, lookAgainBeforeTheyReplace) {
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) { return head.starts_with("HSCOPE"); };
    put(file("a"), "HSCOPE old");
    auto output = OutputFile::open(file("a"), rules);
    ASSERT_TRUE(output);
    ASSERT_TRUE((*output)->write("HSCOPE new"));
    put(file("a"), "my notes");
    EXPECT_THAT((*output)->commit().error().sentence(),
                HasSubstr("is not a run file, and what was written lies in '" + file("a.new") + "'"));
    output->reset();
    EXPECT_EQ(textOf(file("a")), "my notes");
    EXPECT_EQ(textOf(file("a.new")), "HSCOPE new");
    EXPECT_EQ(count(), 2u);
}

TEST_F(OutputFiles, thatAreLostOnTheWayAreNotReportedAsWritten) {
    const auto writtenTo = [&](const auto& disturb) {
        auto output = OutputFile::open(file("a"), {});
        EXPECT_TRUE(output && (*output)->write("head") && (*output)->commit());
        EXPECT_TRUE((*output)->verify());
        disturb();
        EXPECT_TRUE((*output)->write(" and tail"));
        return (*output)->verify();
    };
    EXPECT_TRUE(writtenTo([] {}));
    const auto sentenceOf = [&](const auto& disturb) { return writtenTo(disturb).error().sentence(); };
    EXPECT_THAT(sentenceOf([&] { std::filesystem::remove(file("a")); }),
                HasSubstr("was removed while it was being written: what was written is lost; run again"));
    EXPECT_THAT(sentenceOf([&] {
                    put(file("other"), "other");
                    std::filesystem::rename(file("other"), file("a"));
                }),
                HasSubstr("was removed while it was being written: what was written is lost; run again"));
    EXPECT_THAT(sentenceOf([&] {
                    std::filesystem::rename(file("a"), file("b"));
                    put(file("a"), "other");
                }),
                HasSubstr("was moved while it was being written: what was written lies in '" +
                          (std::filesystem::canonical(m_folder) / "b").string() + "'; move it back"));
    EXPECT_EQ(textOf(file("b")), "head and tail");
    EXPECT_THAT(sentenceOf([&] {
                    std::filesystem::create_hard_link(file("a"), file("c"));
                    std::filesystem::remove(file("a"));
                }),
                HasSubstr("lies under the other name that it was given; move it back"));
    EXPECT_EQ(textOf(file("c")), "head and tail");
    EXPECT_THAT(sentenceOf([&] { std::filesystem::resize_file(file("a"), 0); }), HasSubstr("cut short"));
    EXPECT_THAT(sentenceOf([&] { std::filesystem::resize_file(file("a"), 3); }), HasSubstr("cut short"));
    EXPECT_THAT(sentenceOf([&] {
                    std::fstream(file("a"), std::ios::in | std::ios::out | std::ios::binary) << "heap";
                }),
                HasSubstr("written over"));
    EXPECT_THAT(
        sentenceOf([&] {
            std::ofstream(file("a"), std::ios::app | std::ios::binary) << " and tail of another file";
        }),
        testing::AllOf(HasSubstr("a: was added to by somebody else while it was being written: what was "
                                 "written are its first 13 bytes, and 16 follow"),
                       HasSubstr("truncate -s 13")));
    std::filesystem::remove(file("a"));
}

TEST_F(OutputFiles, leaveInputsThatAreCalledLikeTheirParts) {
    const std::string part = partPath(file("a"), "1-2");
    put(part, "rescued");
    OutputRules rules;
    rules.inputs = {part};
    ASSERT_TRUE(writeOutput(file("b"), "text", rules));
    EXPECT_EQ(textOf(part), "rescued");
    rules.inputs = {m_folder};
    ASSERT_TRUE(writeOutput(file("c"), "text", rules));
    EXPECT_EQ(textOf(part), "rescued") << "it lies in a folder that is read";
    ASSERT_TRUE(writeOutput(file("b"), "text"));
    EXPECT_FALSE(std::filesystem::exists(part));
}

/// Its place in the file is shared with whoever else writes to the descriptor.
TEST_F(OutputFiles, thatAreDescriptorsGoOnWhereTheyAre) {
    for (const char* prefix : {"/dev/fd/", "/proc/self/fd/"}) {
        const int fd = ::open(file("a").c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        ASSERT_EQ(::write(fd, "head", 4), 4);
        const std::size_t before = test::openDescriptors();
        const Status status = writeOutput(prefix + std::to_string(fd), " and tail");
        ASSERT_TRUE(status) << status.error().sentence();
        EXPECT_EQ(test::openDescriptors(), before);
        ASSERT_EQ(::write(fd, ".", 1), 1);
        ::close(fd);
        EXPECT_EQ(textOf(file("a")), "head and tail.");
    }
    EXPECT_EQ(count(), 1u);
}

TEST_F(OutputFiles, thatAreNoDescriptorsCannotBeOpened) {
    for (const char* path :
         {"/dev/fd/999999", "/dev/fd/1234567", "/dev/fd/x", "/dev/fd/1x", "/proc/self/fd/-1"}) {
        const Status status = writeOutput(path, "text");
        ASSERT_FALSE(status) << path;
        EXPECT_EQ(status.error().code, ErrorCode::Io) << path;
        EXPECT_THAT(status.error().sentence(), HasSubstr(std::string(path) + ": cannot be opened: "));
    }
}

int writeStandard(int number, const std::string& path, const std::string& name) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (::write(fd, "head", 4) != 4 || ::dup2(fd, number) != number)
        return 1;
    return writeOutput(name, " and tail") ? 0 : 2;
}

TEST_F(OutputFiles, thatAreStandardDescriptorsGoOnWhereTheyAre) {
    for (const auto& [number, name] :
         {std::pair(0, "/dev/fd/0"), std::pair(1, "/dev/stdout"), std::pair(2, "/dev/stderr")}) {
        EXPECT_EXIT(::_exit(writeStandard(number, file("a"), name)), ::testing::ExitedWithCode(0), "");
        EXPECT_EQ(textOf(file("a")), "head and tail") << name;
    }
}

TEST_F(OutputFiles, thatAreDevicesAndPipesAreWrittenAsTheyAre) {
    const auto null = OutputFile::open("/dev/null", {});
    ASSERT_TRUE(null);
    EXPECT_TRUE((*null)->committed());
    EXPECT_FALSE((*null)->locked());
    EXPECT_TRUE((*null)->write("text"));
    ASSERT_EQ(::mkfifo(file("pipe").c_str(), 0600), 0);
    const Status nobody = writeOutput(file("pipe"), "text");
    ASSERT_FALSE(nobody) << "it would wait for a reader";
    EXPECT_NE(nobody.error().sentence().find("nobody reads from this pipe"), std::string::npos);
    const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{AF_UNIX, {}};
    ASSERT_LT(file("socket").copy(address.sun_path, sizeof address.sun_path - 1),
              sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(writeOutput(file("socket"), "text").error().sentence(),
              file("socket") + ": cannot be written to: it is a socket; choose a file or a pipe");
    ::close(listener);
    const int reader = ::open(file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_TRUE(writeOutput(file("pipe"), "text"));
    char text[8];
    EXPECT_EQ(::read(reader, text, sizeof text), 4);
    EXPECT_EQ(std::string(text, 4), "text");
    ::close(reader);
    EXPECT_EQ(count(), 2u);
}

/// Standard output and error that are closed stay so: messages would end up in the file.
int openWithoutStandardError(const std::string& path) {
    const int fd = ::fcntl(::open(path.c_str(), O_RDWR | O_CREAT, 0600), F_DUPFD, 10);
    ::close(STDERR_FILENO);
    auto output = OutputFile::open("/dev/fd/" + std::to_string(fd), {});
    return output && ::fcntl(STDERR_FILENO, F_GETFD) == -1 ? 0 : 1;
}

TEST_F(OutputFiles, thatAreDescriptorsTakeNoStandardOne) {
    EXPECT_EXIT(::_exit(openWithoutStandardError(file("a"))), ::testing::ExitedWithCode(0), "");
}

int writeOnDescriptor0(const std::string& path) {
    ::close(0);
    {
        auto output = OutputFile::open(path, {});
        if (!output || !(*output)->write("half"))
            return 1;
    }
    if (::fcntl(0, F_GETFD) != -1 || std::filesystem::exists(partPath(path, "")))
        return 2;
    OutputRules rules;
    rules.isKind = [](std::string_view head) { return head == "whole"; };
    return writeOutput(path, "whole", rules) && checkOutput(path, rules) && ::fcntl(0, F_GETFD) == -1 ? 0 : 3;
}

TEST_F(OutputFiles, mayLieOnDescriptor0) {
    EXPECT_EXIT(::_exit(writeOnDescriptor0(file("a"))), ::testing::ExitedWithCode(0), "");
    EXPECT_EQ(textOf(file("a")), "whole");
    EXPECT_EQ(count(), 1u);
}

} // namespace
} // namespace heteroscope
