// SPDX-License-Identifier: Apache-2.0
// Output files in one process: open files stand for processes, since locks belong to them.
#include "compute/base/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace heteroscope {
namespace {

using ::testing::HasSubstr;

class OutputFiles : public ::testing::Test {
  protected:
    OutputFiles() {
        std::string pattern = ::testing::TempDir() + "heteroscope-output-XXXXXX";
        m_folder = ::mkdtemp(pattern.data());
    }
    ~OutputFiles() override { std::filesystem::remove_all(m_folder); }
    std::string file(const std::string& name) const { return m_folder + "/" + name; }
    static std::string textOf(const std::string& path) {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(m_folder), {}));
    }
    static OutputRules exclusive() {
        OutputRules rules;
        rules.exclusive = true;
        return rules;
    }

    std::string m_folder;
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
            for (int i = 0; i < 100; ++i) {
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

TEST_F(OutputFiles, areCheckedWithoutBeingTouched) {
    put(file("notes"), "my notes");
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) { return head.starts_with("HSCOPE"); };
    EXPECT_THAT(checkOutput(file("notes"), rules).error().sentence(), HasSubstr("--force"));
    rules.force = true;
    EXPECT_TRUE(checkOutput(file("notes"), rules));
    rules.inputs = {m_folder};
    EXPECT_THAT(checkOutput(file("notes"), rules).error().sentence(), HasSubstr("is read here"));
    EXPECT_TRUE(checkOutput(file("new"), rules)) << "a new file in a folder of inputs harms none of them";
    EXPECT_THAT(checkOutput(m_folder, {}).error().sentence(), HasSubstr("is a folder"));
    EXPECT_EQ(count(), 1u);
}

} // namespace
} // namespace heteroscope
