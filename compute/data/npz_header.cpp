// SPDX-License-Identifier: Apache-2.0
#include "compute/data/npz_header.h"

#include "compute/base/file_kind.h"

#include <zip.h>

#include <algorithm>
#include <memory>

namespace heteroscope::compute {
namespace {

constexpr zip_int64_t kMostNamesShown = 12;

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};

struct CloseHeaderEntry {
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

std::string namesIn(zip_t* archive) {
    std::string names;
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < std::min(count, kMostNamesShown); ++i) {
        std::string name = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
        if (name.ends_with(".npy"))
            name.resize(name.size() - 4);
        names += (i > 0 ? ", " : "") + name;
    }
    return names + (count > kMostNamesShown ? " ..." : "");
}

} // namespace

Error cannotOpenNpz(const std::filesystem::path& file, int code) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    const bool system = zip_error_system_type(&error) == ZIP_ET_SYS;
    const int number = system ? zip_error_code_system(&error) : 0; // libzip has taken errno
    zip_error_fini(&error);
    if (number != 0)
        return systemRefusal(ErrorCode::BadInput, file.string(), "cannot be read", number,
                             "a readable .npz archive", "check the permissions of the file");
    return badInput(file.string(), "cannot be opened as an .npz archive: " + reason,
                    "a whole archive, as numpy.savez() writes it",
                    "the file is cut off, damaged or of another kind: copy or write it again");
}

Result<NpyHeader> readNpzHeader(const std::filesystem::path& file, const std::string& array) {
    if (const Status status = requireRegularFile(file, "an .npz archive"); !status)
        return status.error();
    int code = 0;
    const std::unique_ptr<zip_t, DiscardArchive> archive(zip_open(file.c_str(), ZIP_RDONLY, &code));
    if (!archive)
        return cannotOpenNpz(file, code);
    zip_stat_t about;
    if (zip_stat(archive.get(), (array + ".npy").c_str(), 0, &about) != 0 &&
        zip_stat(archive.get(), array.c_str(), 0, &about) != 0)
        return badInput(file.string(), "the archive has no array \"" + array + '"',
                        "\"" + file.filename().string() + ":NAME\" with one of " + namesIn(archive.get()));
    const std::string name = file.string() + ", " + about.name;
    const std::unique_ptr<zip_file_t, CloseHeaderEntry> entry(zip_fopen_index(archive.get(), about.index, 0));
    std::vector<std::byte> start(std::min<zip_uint64_t>(about.size, kMaxNpyHeaderBytes));
    std::size_t have = 0;
    while (entry && have < start.size()) {
        const zip_int64_t got = zip_fread(entry.get(), start.data() + have, start.size() - have);
        if (got <= 0)
            return badInput(name + ", byte " + std::to_string(have), "the archive is damaged", {},
                            "write the file again");
        have += static_cast<std::size_t>(got);
    }
    if (!entry)
        return badInput(name, std::string("cannot be read: ") + zip_strerror(archive.get()), {},
                        "copy or write the file again");
    auto header = parseNpyHeader(start, name);
    if (!header)
        return header;
    if (const Status status = checkNpyLength(*header, about.size, name); !status)
        return status.error();
    return header;
}

} // namespace heteroscope::compute
