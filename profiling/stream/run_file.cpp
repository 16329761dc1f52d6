// SPDX-License-Identifier: Apache-2.0
// Reads a run file from beginning to end.
#include "compute/base/file_kind.h"
#include "compute/base/output_lock.h"
#include "profiling/stream/frame_memory.h"
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace heteroscope::profiling {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Applies every whole frame that the reader holds; false after damage, which a lack of memory is as well
/// here.
bool drain(StreamReader& reader, const std::string& path, StudyBuilder& study, TraceBuilder& trace,
           FrameMemory& memory, RunFile& file) {
    while (true) {
        auto frame = reader.next();
        if (!frame) {
            file.damage = frame.error();
            return false;
        }
        if (!*frame)
            return true;
        if (Status admitted = memory.admit(**frame); !admitted) {
            file.damage = admitted.error();
            return false;
        }
        Status status = study.apply(**frame);
        if (status)
            status = trace.apply(**frame);
        if (!status) {
            file.damage = status.error();
            file.damage->where = path + ", " + file.damage->where;
            return false;
        }
        if (status = memory.applied(**frame); !status) {
            file.damage = status.error();
            return false;
        }
    }
}

} // namespace

Result<RunFile> readRunFile(const std::string& path) {
    MemoryBudget budget;
    return readRunFile(path, budget);
}

Result<RunFile> readRunFile(const std::string& path, MemoryBudget& budget) {
    if (const Status status = requireRegularFile(path, "a run file (.hscope)"); !status)
        return status.error();
    const std::unique_ptr<std::FILE, Close> input(std::fopen(path.c_str(), "rb"));
    const auto systemError = [&] { return systemRefusal(ErrorCode::Io, path, "cannot be read", errno); };
    if (!input)
        return systemError();
    const bool hadWriter = !requireNoWriter(path, path); // it may be done by the time all is read
    RunFile file;
    file.trace = std::make_shared<Trace>();
    StreamReader reader(path, &budget);
    StudyBuilder study;
    TraceBuilder trace(*file.trace);
    FrameMemory memory(budget, *file.trace, path);
    std::vector<std::uint8_t> bytes(1 << 20);
    while (true) {
        const std::size_t got = std::fread(bytes.data(), 1, bytes.size(), input.get());
        if (got == 0)
            break;
        file.bytesRead += got;
        reader.feed({bytes.data(), got});
        if (!drain(reader, path, study, trace, memory, file))
            break;
    }
    if (std::ferror(input.get()))
        return systemError();
    if (!file.damage)
        if (const Status whole = reader.finish(); !whole)
            file.damage = whole.error();
    std::error_code unknown;
    const auto size = std::filesystem::file_size(path, unknown);
    file.path = path;
    file.fileBytes = unknown || !file.damage ? file.bytesRead : std::max<std::uint64_t>(size, file.bytesRead);
    file.wholeBytes = reader.offset();
    file.damage = damageOf({path, study.study(), file.damage, file.wholeBytes, file.fileBytes});
    if (file.damage && (reader.offset() == 0 || file.damage->code == ErrorCode::OutOfMemory))
        return *file.damage;
    if (const auto missing = missingStart(path, file.bytesRead))
        return *missing;
    file.study = std::move(study.study());
    file.study.file = path;
    file.beingWritten = !file.study.ended && (hadWriter || !requireNoWriter(path, path));
    memory.keep();
    file.trace->publish();
    return file;
}

} // namespace heteroscope::profiling
