// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/zip_mutation.h"

#include <zip.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace heteroscope::fuzz {
namespace {

constexpr zip_int64_t kMostEntries = 64;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};

std::optional<ZipEntry> unpackEntry(zip_t* archive, zip_uint64_t index, std::size_t mostBytes) {
    zip_stat_t about;
    if (zip_stat_index(archive, index, 0, &about) != 0 || about.size > mostBytes)
        return std::nullopt;
    const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(archive, index, 0));
    if (!file)
        return std::nullopt;
    ZipEntry entry{about.name, Bytes(about.size), about.comp_method != ZIP_CM_STORE};
    if (zip_fread(file.get(), entry.bytes.data(), about.size) != static_cast<zip_int64_t>(about.size))
        return std::nullopt;
    return entry;
}

Bytes bytesOf(zip_source_t* source) {
    Bytes bytes;
    zip_stat_t about;
    if (zip_source_open(source) != 0)
        return bytes;
    if (zip_source_stat(source, &about) == 0 && about.size > 0) {
        bytes.resize(about.size);
        if (zip_source_read(source, bytes.data(), bytes.size()) != static_cast<zip_int64_t>(bytes.size()))
            bytes.clear();
    }
    zip_source_close(source);
    return bytes;
}

void changeEntries(std::vector<ZipEntry>& entries, Random& random, std::size_t mostBytes,
                   const std::vector<std::string>& names) {
    ZipEntry& entry = entries[random.below(entries.size())];
    switch (random.below(8)) {
    case 0:
        entries.erase(entries.begin() + (&entry - entries.data()));
        return;
    case 1: {
        ZipEntry copy = entry;
        copy.name = random.oneIn(2) ? copy.name + "_" : random.of(names);
        entries.push_back(std::move(copy));
        return;
    }
    case 2:
        entry.name = random.of(names);
        return;
    case 3:
        entry.packed = !entry.packed;
        return;
    case 4:
        entry.bytes = random.of(entries).bytes;
        return;
    default:
        entry.bytes = mutatedBytes(std::move(entry.bytes), mostBytes);
    }
}

} // namespace

std::optional<std::vector<ZipEntry>> unpackZip(std::span<const std::uint8_t> bytes, std::size_t mostBytes) {
    zip_source_t* const source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
    if (!source)
        return std::nullopt;
    const std::unique_ptr<zip_t, Discard> archive(zip_open_from_source(source, ZIP_RDONLY, nullptr));
    if (!archive) {
        zip_source_free(source);
        return std::nullopt;
    }
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    if (count > kMostEntries)
        return std::nullopt;
    std::vector<ZipEntry> entries;
    for (zip_int64_t index = 0; index < count; ++index) {
        auto entry = unpackEntry(archive.get(), static_cast<zip_uint64_t>(index), mostBytes);
        if (!entry)
            return std::nullopt;
        entries.push_back(std::move(*entry));
    }
    return entries;
}

Bytes packZip(const std::vector<ZipEntry>& entries) {
    zip_source_t* const target = zip_source_buffer_create(nullptr, 0, 0, nullptr);
    if (!target)
        return {};
    zip_source_keep(target);
    zip_t* const archive = zip_open_from_source(target, ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    if (!archive) {
        zip_source_free(target);
        zip_source_free(target);
        return {};
    }
    for (const ZipEntry& entry : entries) {
        zip_source_t* const source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
        const zip_int64_t index = source ? zip_file_add(archive, entry.name.c_str(), source, 0) : -1;
        if (source && index < 0)
            zip_source_free(source);
        if (index >= 0)
            zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                                     entry.packed ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    }
    Bytes bytes;
    if (zip_close(archive) == 0)
        bytes = bytesOf(target);
    else
        zip_discard(archive);
    zip_source_free(target);
    return bytes;
}

std::size_t mutateZip(std::uint8_t* data, std::size_t size, std::size_t mostBytes, unsigned seed,
                      const std::vector<std::string>& names) {
    Random random(seed);
    auto entries = unpackZip({data, size}, mostBytes);
    if (!entries || entries->empty() || random.oneIn(5))
        return LLVMFuzzerMutate(data, size, mostBytes);
    changeEntries(*entries, random, mostBytes / 2, names);
    const Bytes packed = packZip(*entries);
    if (packed.empty() || packed.size() > mostBytes)
        return LLVMFuzzerMutate(data, size, mostBytes);
    std::memcpy(data, packed.data(), packed.size());
    return packed.size();
}

} // namespace heteroscope::fuzz
