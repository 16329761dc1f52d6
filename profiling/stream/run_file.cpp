// SPDX-License-Identifier: Apache-2.0
// Reads a run file from beginning to end.
#include "profiling/stream/stream_reader.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace heteroscope::profiling {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Applies every whole frame that the reader holds; false after damage.
bool drain(StreamReader& reader, const std::string& path, StudyBuilder& study, TraceBuilder& trace,
           RunFile& file) {
    while (true) {
        auto frame = reader.next();
        if (!frame) {
            file.damage = frame.error();
            return false;
        }
        if (!*frame)
            return true;
        Status status = study.apply(**frame);
        if (status)
            status = trace.apply(**frame);
        if (!status) {
            file.damage = status.error();
            file.damage->where = path + ", " + file.damage->where;
            return false;
        }
    }
}

} // namespace

Result<RunFile> readRunFile(const std::string& path) {
    const std::unique_ptr<std::FILE, Close> input(std::fopen(path.c_str(), "rb"));
    const auto systemError = [&] {
        return Error{ErrorCode::Io, std::string("cannot be read: ") + std::strerror(errno), path, {}, {}};
    };
    if (!input)
        return systemError();
    RunFile file;
    file.trace = std::make_shared<Trace>();
    StreamReader reader(path);
    StudyBuilder study;
    TraceBuilder trace(*file.trace);
    std::vector<std::uint8_t> bytes(1 << 20);
    while (true) {
        const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), input.get());
        if (got == 0)
            break;
        file.bytesRead += got;
        reader.feed({bytes.data(), got});
        if (!drain(reader, path, study, trace, file))
            break;
    }
    if (std::ferror(input.get()))
        return systemError();
    if (file.damage && reader.offset() == 0)
        return *file.damage;
    if (reader.offset() < kFileHeaderBytes)
        return badInput(path + ", byte " + std::to_string(file.bytesRead),
                        "expected a file header of " + std::to_string(kFileHeaderBytes) +
                            " bytes, found the end",
                        {}, "the run was stopped before it wrote anything");
    file.study = std::move(study.study());
    file.trace->publish();
    return file;
}

} // namespace heteroscope::profiling
