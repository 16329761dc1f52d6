// SPDX-License-Identifier: Apache-2.0
// Sinks that hand each frame to the operating system at once: what was reported survives the process.
#include "compute/base/failure_words.h"
#include "compute/base/reader_wait.h"
#include "profiling/stream/stream_writer.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <thread>
#include <unistd.h>

namespace heteroscope::profiling {

namespace {

/// A descriptor that somebody else opened, and closes.
class FdSink : public FrameSink {
  public:
    FdSink(int fd, std::string name) : m_fd(fd), m_name(std::move(name)) {}

    Status write(std::span<const std::uint8_t> bytes) override {
        const bool written = writeFully(m_fd, bytes.size(), [&](std::size_t done, std::size_t count) {
            return ::write(m_fd, bytes.data() + done, count);
        });
        const int number = errno;
        if (!written && number == ECANCELED)
            return readerGivenUp(m_name);
        if (!written)
            return Error{ErrorCode::Io,
                         say(failure_words::kNotWritten, {std::string(std::strerror(number))}).text(),
                         m_name,
                         {},
                         number == ENOSPC ? failure_words::kFreeSpace : "",
                         number};
        return {};
    }
    Status flush() override { return {}; } // every write went to the operating system

  private:
    int m_fd;
    std::string m_name;
};

/// Flushes a file to the disk now and then, so that nobody who writes waits for the disk.
class DiskFlusher {
  public:
    DiskFlusher(OutputFile& file, std::chrono::milliseconds every)
        : m_file(file), m_every(every), m_thread([this] { work(); }) {}
    ~DiskFlusher() {
        {
            const std::lock_guard lock(m_mutex);
            m_stopping = true;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    DiskFlusher(const DiskFlusher&) = delete;
    DiskFlusher& operator=(const DiskFlusher&) = delete;

    void noteWritten() { m_unflushed.store(true, std::memory_order_release); }
    /// The first failure, once; from then on nothing is flushed.
    Status failure() {
        if (!m_failed.load(std::memory_order_acquire))
            return {};
        const std::lock_guard lock(m_mutex);
        return *m_failure;
    }

  private:
    void work() {
        std::unique_lock lock(m_mutex);
        while (!m_wake.wait_for(lock, m_every, [this] { return m_stopping; })) {
            if (!m_unflushed.exchange(false, std::memory_order_acquire))
                continue;
            lock.unlock();
            const Status flushed = m_file.sync();
            lock.lock();
            if (flushed)
                continue;
            m_failure = flushed.error();
            m_failed.store(true, std::memory_order_release);
            return;
        }
    }

    OutputFile& m_file;
    const std::chrono::milliseconds m_every;
    std::atomic<bool> m_unflushed{false}, m_failed{false};
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<Error> m_failure;
    bool m_stopping = false;
    std::thread m_thread; ///< last: it uses the others
};

class RunFileSink : public FrameSink {
  public:
    RunFileSink(std::unique_ptr<OutputFile> file, const RunFilePolicy& policy)
        : m_file(std::move(file)), m_policy(policy), m_flusher(*m_file, m_policy.syncEvery) {}

    Status write(std::span<const std::uint8_t> bytes) override {
        if (const Status status = m_flusher.failure(); !status)
            return status;
        const Status written = m_file->write(bytes);
        if (m_file->committed())
            m_flusher.noteWritten();
        const bool nothingToKeep = !m_file->committed() && !m_file->replaces();
        return written && nothingToKeep && m_policy.replace == RunFilePolicy::Replace::AtFirstResult
                   ? commit()
                   : written;
    }
    Status flush() override { return {}; } // every write went to the operating system

    Status wrote(FrameKind kind, bool measured) override {
        if (!m_file->committed() && isTimeToReplace(kind, measured))
            return commit();
        if (kind != FrameKind::End)
            return {};
        if (!m_file->committed())
            return {};
        if (const Status status = m_file->sync(); !status)
            return status;
        return m_file->verify();
    }

    std::string earlierFileKept() const override {
        return m_file->committed() ? std::string() : m_file->path();
    }

  private:
    bool isTimeToReplace(FrameKind kind, bool measured) const {
        if (m_policy.replace == RunFilePolicy::Replace::AtEnd)
            return kind == FrameKind::End;
        return measured;
    }
    Status commit() { return m_file->commit(); }

    std::unique_ptr<OutputFile> m_file;
    RunFilePolicy m_policy;
    /// Flushes once the file has its name, and goes before the file does. Its thread is there before anything
    /// is in the file: one that cannot be started leaves none.
    DiskFlusher m_flusher;
};

} // namespace

OutputRules runFileRules() {
    OutputRules rules;
    rules.kind = "a run file";
    rules.isKind = [](std::string_view head) {
        return head.substr(0, sizeof kMagic) ==
               std::string_view(kMagic, std::min(sizeof kMagic, head.size()));
    };
    return rules;
}

Result<std::unique_ptr<FrameSink>> openFileSink(const std::string& path, RunFilePolicy policy,
                                                FileSystem& files) {
    policy.rules.exclusive = true;
    auto file = OutputFile::open(path, policy.rules, files);
    if (!file)
        return file.error();
    return std::unique_ptr<FrameSink>(std::make_unique<RunFileSink>(std::move(*file), policy));
}

std::unique_ptr<FrameSink> makeFdSink(int fd, std::string name) {
    return std::make_unique<FdSink>(fd, std::move(name));
}

} // namespace heteroscope::profiling
