// SPDX-License-Identifier: Apache-2.0
// Files that somebody named as the place for results. What was there stays, whole, until there is something
// to put in its place: the new file is written beside it, hidden, and renamed over it in one step. Files are
// on the disk, and not only with the operating system, once commit() or sync() has returned: commit() flushes
// the file, renames it, and flushes the folder.
#pragma once

#include "compute/base/file_system.h"
#include "compute/base/output_lock.h"
#include "compute/base/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope {

/// What may be written over. Without a kind: every file but the inputs.
struct OutputRules {
    std::string kind{}; ///< "a run file": what an earlier one is called
    /// Of the first kOutputHeadBytes of a file that is there.
    std::function<bool(std::string_view head)> isKind{};
    std::vector<std::string>
        inputs{};       ///< files that are read, and folders whose files are: never written over
    bool force = false; ///< a file of another kind may be written over
    std::string forceAdvice = "choose another file, or add --force to write over it";
    bool followLinks = true; ///< false: a symbolic link is replaced, never what it leads to
    /// What cannot be renamed into its place in the end stays beside it, under a free name.
    bool keepUnplaced = true;
    bool exclusive = false; ///< one writer at a time, from open() on: a second one is refused
};

constexpr std::size_t kOutputHeadBytes = 65536;

/// What is against writing `path`; touches nothing. Errors (BadInput): a folder, an input (the same file
/// under any name), a file of another kind or whose kind cannot be read, one without the right to write, one
/// that another process writes, one that cannot be renamed over (mounted by itself, append-only or immutable,
/// another user's in a sticky folder), links in a circle.
Status checkOutput(const std::string& path, const OutputRules& rules);

struct OutputPlace;

/// One thread, but sync(), which any thread may call.
class OutputFile {
  public:
    /// Checks as checkOutput(), removes what killed writers left in the folder, and creates the new file
    /// beside. Devices, pipes and descriptors (/dev/stdout) are written as they are. Errors: those, and Io.
    static Result<std::unique_ptr<OutputFile>> open(const std::string& path, const OutputRules& rules,
                                                    FileSystem& files = systemFiles());
    ~OutputFile(); ///< before commit(): the new file is removed, the old one was never touched
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// At the end. Error: Io, with the system's words.
    Status write(std::span<const std::uint8_t> bytes);
    Status write(std::string_view text);
    /// Does not move the end of write(). Not for what onlyAppends().
    Status writeAt(std::uint64_t offset, std::span<const std::uint8_t> bytes);
    /// From now on the file has its name; writing goes on in it. Errors: what is there now may not be written
    /// over, as checkOutput() says; Io. Where it cannot get its name, what was written stays beside it as
    /// "NAME.new.ENDING" (keepUnplaced) and the error says so.
    Status commit();
    Status sync();
    /// At the end, after commit(), of a file that only write() wrote: that it is still there, under its name,
    /// and holds that (it is read again) and nothing else. Error (Io): somebody removed, moved, cut, changed
    /// or added to it meanwhile; where it was moved to is said.
    Status verify() const;

    bool replaces() const { return m_replaces; } ///< there was a file with something in it when it was opened
    bool committed() const { return m_committed; }
    /// A device, a pipe or a descriptor, written as it is: bytes can only follow each other.
    bool onlyAppends() const { return m_direct; }
    bool locked() const { return m_part.locked; }
    const std::string& path() const { return m_shown; }

  private:
    OutputFile(std::string shown, FileSystem& files) : m_shown(std::move(shown)), m_files(files) {}
    Status openDirect(const OutputPlace& place);
    Status openBeside(const OutputRules& rules);
    Error failure(const char* what) const;
    Error withPlaceOfWhatWasWritten(Error error);
    Error lostItsName() const;
    Error addedTo(std::uint64_t bytes) const;
    Result<bool> holdsWhatWasWritten() const;

    std::string m_shown, m_target; ///< as it was named; where that leads
    FileSystem& m_files;
    OutputRules m_rules;
    PartFile m_part;
    std::uint64_t m_written = 0;  ///< bytes by write()
    unsigned long m_checksum = 0; ///< CRC-32 of them
    bool m_replaces = false, m_committed = false, m_direct = false;
    bool m_unplaced = false; ///< m_part could not get its name and stays
};

/// The whole text in a file of this name, or the file as it was.
Status writeOutput(const std::string& path, std::string_view text, const OutputRules& rules = {},
                   FileSystem& files = systemFiles());

} // namespace heteroscope
