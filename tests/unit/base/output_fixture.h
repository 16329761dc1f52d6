// SPDX-License-Identifier: Apache-2.0
// A folder of its own for each test of output files, and file systems that fail where they are told to.
#pragma once

#include "compute/base/file_system.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::test {

class OutputFolder : public ::testing::Test {
  protected:
    OutputFolder() {
        std::string pattern = ::testing::TempDir() + "heteroscope-output-XXXXXX";
        m_folder = ::mkdtemp(pattern.data());
    }
    ~OutputFolder() override { std::filesystem::remove_all(m_folder); }
    std::string file(const std::string& name) const { return m_folder + "/" + name; }
    static std::string textOf(const std::string& path) {
        std::ifstream stream(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
    static void put(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
    std::size_t count() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(m_folder), {}));
    }

    std::string m_folder;
};

inline std::size_t openDescriptors() {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

/// One kind of call fails with an error.
class FailingFiles : public FileSystem {
  public:
    std::string failing;
    int number = EIO;
    bool linksFailToo = false; ///< with "rename"

    int open(const std::string& path, int flags, mode_t mode) override {
        return fails("open") ? -1 : FileSystem::open(path, flags, mode);
    }
    ssize_t write(int fd, const void* bytes, std::size_t count) override {
        return fails("write") ? -1 : FileSystem::write(fd, bytes, count);
    }
    ssize_t writeAt(int fd, const void* bytes, std::size_t count, off_t offset) override {
        return fails("writeAt") ? -1 : FileSystem::writeAt(fd, bytes, count, offset);
    }
    int truncate(int fd, off_t length) override {
        return fails("truncate") ? -1 : FileSystem::truncate(fd, length);
    }
    int sync(int fd) override { return fails("sync") ? -1 : FileSystem::sync(fd); }
    int rename(const std::string& from, const std::string& to) override {
        return fails("rename") ? -1 : FileSystem::rename(from, to);
    }
    int link(const std::string& from, const std::string& to) override {
        return fails("rename") && linksFailToo ? -1 : FileSystem::link(from, to);
    }
    int syncFolder(const std::string& folder) override {
        return fails("syncFolder") ? -1 : FileSystem::syncFolder(folder);
    }

  private:
    bool fails(const char* call) const {
        errno = number;
        return failing == call;
    }
};

} // namespace heteroscope::test
