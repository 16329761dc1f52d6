// SPDX-License-Identifier: Apache-2.0
// .npz through libzip.
#include "compute/data/npz.h"

#include "compute/base/file_kind.h"
#include "compute/base/units.h"
#include "compute/data/npz_header.h"
#include "compute/data/npz_output.h"
#include "compute/data/zip_size.h"

#include <zip.h>

#include <algorithm>
#include <memory>
#include <span>

namespace heteroscope::compute {
namespace {

constexpr zip_uint64_t kMaxEntryBytes = zip_uint64_t{4} << 30;
constexpr zip_int64_t kMaxEntries = 4096;
/// 1980-01-01, year - 1980 << 9 | month << 5 | day (PKWARE's APPNOTE 4.4.6), as numpy.savez writes it: the
/// same arrays make the same bytes at any time.
constexpr zip_uint16_t kFirstDosDate = 0 << 9 | 1 << 5 | 1;

struct CloseArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;

struct CloseEntry {
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

Error damaged(zip_file_t* entry, const std::string& name, std::size_t at) {
    const zip_error_t* const error = zip_file_get_error(entry);
    const std::string reason = zip_error_code_zip(error) == ZIP_ER_OK ? "its length is not the one it names"
                                                                      : zip_file_strerror(entry);
    return badInput(name + ", byte " + std::to_string(at), "the archive is damaged: " + reason, {},
                    "copy or write the file again");
}

/// What an entry holds beyond its array is not unpacked.
Status checkEntryLength(std::span<const std::byte> start, std::uintmax_t size, const std::string& name) {
    const auto header = parseNpyHeader(start.first(std::min(start.size(), kMaxNpyHeaderBytes)), name);
    return header ? checkNpyLength(*header, size, name) : Status(header.error());
}

Result<std::vector<std::byte>> readEntry(zip_t* archive, zip_uint64_t index, const zip_stat_t& about,
                                         const std::string& name, HeldMemory& held) {
    if (about.size > kMaxEntryBytes)
        return badInput(name, "the array has " + formatBytes(static_cast<double>(about.size)),
                        "at most " + formatBytes(static_cast<double>(kMaxEntryBytes)));
    const Entry entry(zip_fopen_index(archive, index, 0));
    if (!entry)
        return badInput(name, std::string("cannot be read: ") + zip_strerror(archive), {},
                        "copy or write the file again");
    if (const Status status = held.set(static_cast<std::int64_t>(about.size), "the array's bytes", name);
        !status)
        return status.error();
    std::vector<std::byte> bytes;
    bytes.reserve(static_cast<std::size_t>(about.size)); // pages that nothing is written to take no memory
    constexpr std::size_t kEntryPiece = 1u << 20;
    static_assert(kEntryPiece >= kMaxNpyHeaderBytes);
    bool lengthKnown = false;
    while (bytes.size() < about.size) { // grows with what is there, not with what the entry claims
        const std::size_t have = bytes.size();
        bytes.resize(std::min<std::size_t>(have + kEntryPiece, about.size));
        const zip_int64_t got = zip_fread(entry.get(), bytes.data() + have, bytes.size() - have);
        if (got <= 0)
            return damaged(entry.get(), name, have);
        bytes.resize(have + static_cast<std::size_t>(got));
        if (lengthKnown || (bytes.size() < kMaxNpyHeaderBytes && bytes.size() < about.size))
            continue;
        if (const Status status = checkEntryLength(bytes, about.size, name); !status)
            return status.error();
        lengthKnown = true;
    }
    std::byte beyond{};
    if (zip_fread(entry.get(), &beyond, 1) != 0) // libzip compares the checksum when it meets the end
        return damaged(entry.get(), name, bytes.size());
    return bytes;
}

std::string arrayName(std::string entry) {
    if (entry.ends_with(".npy"))
        entry.resize(entry.size() - 4);
    return entry;
}

/// `header` and the array's values are read when the archive is closed.
Status addArray(zip_t* archive, const std::string& name, const std::string& header, const NpyArray& array) {
    const zip_buffer_fragment_t parts[] = {
        {reinterpret_cast<zip_uint8_t*>(const_cast<char*>(header.data())), header.size()},
        {reinterpret_cast<zip_uint8_t*>(const_cast<float*>(array.values.data())),
         array.values.size() * sizeof(float)}};
    zip_source_t* source = zip_source_buffer_fragment(archive, parts, std::size(parts), 0);
    const zip_int64_t index =
        source ? zip_file_add(archive, (name + ".npy").c_str(), source, ZIP_FL_OVERWRITE | ZIP_FL_ENC_UTF_8)
               : -1;
    const auto entry = static_cast<zip_uint64_t>(index);
    if (index >= 0 && zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0) == 0 &&
        zip_file_set_dostime(archive, entry, 0, kFirstDosDate, 0) == 0)
        return {};
    if (source && index < 0)
        zip_source_free(source);
    return Error{ErrorCode::Io, std::string("cannot be added: ") + zip_strerror(archive), name, {}, {}};
}

/// Needs no memory for the arrays beside their own.
Status writeArchive(const std::string& file, const NpzArrays& arrays, ArchiveSink& sink) {
    Status failure;
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* const source = makeOutputSource(sink, &failure);
    Archive archive(source ? zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error) : nullptr);
    const auto cannotWrite = [&](const std::string& reason) {
        if (!failure)
            return failure;
        return Status(Error{ErrorCode::Io, "cannot be written: " + reason, file, {}, {}});
    };
    if (!archive) {
        if (source)
            zip_source_free(source);
        return cannotWrite(zip_error_strerror(&error));
    }
    std::vector<std::string> headers;
    headers.reserve(arrays.size());
    for (const auto& [name, array] : arrays) {
        headers.push_back(npyHeaderFor(array.shape));
        if (const Status status = addArray(archive.get(), name, headers.back(), array); !status)
            return status;
    }
    if (zip_close(archive.get()) != 0)
        return cannotWrite(zip_strerror(archive.get()));
    static_cast<void>(archive.release());
    return {};
}

/// libzip reads the whole table of contents when it opens an archive.
Status chargeContents(const std::filesystem::path& file, HeldMemory& held) {
    constexpr std::int64_t kBytesPerByte = 12; // of its records for those of the file, names included
    return held.set(zipContentsBytes(file) * kBytesPerByte, "the archive's table of contents", file.string());
}

/// All arrays, or those of one name. `only` empty: all.
Result<NpzArrays> readArrays(const std::filesystem::path& file, const std::string& only,
                             MemoryBudget& budget) {
    if (const Status status = requireRegularFile(file, "an .npz archive"); !status)
        return status.error();
    HeldMemory contents(budget), bytesHeld(budget);
    if (const Status status = chargeContents(file, contents); !status)
        return status.error();
    int code = 0;
    const Archive archive(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
    if (!archive)
        return cannotOpenNpz(file, code);
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    if (count > kMaxEntries)
        return badInput(file.string(), "the archive has " + std::to_string(count) + " arrays",
                        "at most " + std::to_string(kMaxEntries));
    NpzArrays arrays;
    for (zip_uint64_t index = 0; index < static_cast<zip_uint64_t>(count); ++index) {
        zip_stat_t about;
        if (zip_stat_index(archive.get(), index, 0, &about) != 0)
            return badInput(file.string(), std::string("damaged: ") + zip_strerror(archive.get()), {},
                            "copy or write the file again");
        if (!only.empty() && about.name != only && about.name != only + ".npy")
            continue;
        const std::string name = file.string() + ", " + about.name;
        const auto bytes = readEntry(archive.get(), index, about, name, bytesHeld);
        if (!bytes)
            return bytes.error();
        auto array = parseNpy(*bytes, name, budget);
        if (!array)
            return array.error();
        if (!arrays.emplace(arrayName(about.name), std::move(*array)).second)
            return badInput(name, "the archive has an array \"" + arrayName(about.name) + "\" already",
                            "each name once, with \".npy\" or without");
    }
    return arrays;
}

} // namespace

Result<NpzArrays> readNpz(const std::filesystem::path& file) {
    MemoryBudget budget;
    return readNpz(file, budget);
}

Result<NpzArrays> readNpz(const std::filesystem::path& file, MemoryBudget& budget) {
    return readArrays(file, {}, budget);
}

Result<NpyArray> readNpzArray(const std::filesystem::path& file, const std::string& name,
                              MemoryBudget& budget) {
    auto arrays = readArrays(file, name, budget);
    if (!arrays)
        return arrays.error();
    if (!arrays->empty())
        return std::move(arrays->begin()->second);
    const auto header = readNpzHeader(file, name); // its error names the arrays that there are
    return header ? badInput(file.string(), "the file was changed while it was read") : header.error();
}

Status writeNpz(const std::filesystem::path& file, const NpzArrays& arrays, const OutputRules& rules,
                FileSystem& files) {
    if (arrays.empty()) // libzip writes no archive without entries
        return Error{ErrorCode::Usage, "there is no array to write", file.string(), "one array or more", {}};
    const auto output = OutputFile::open(file.string(), rules, files);
    if (!output)
        return output.error();
    if (!(*output)->onlyAppends()) {
        FileSink sink(**output);
        return writeArchive(file.string(), arrays, sink);
    }
    DryRunSink dryRun;
    if (const Status status = writeArchive(file.string(), arrays, dryRun); !status)
        return status;
    PipeSink sink(**output, dryRun.rewritten());
    return writeArchive(file.string(), arrays, sink);
}

} // namespace heteroscope::compute
