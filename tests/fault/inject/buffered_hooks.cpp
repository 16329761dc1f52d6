// SPDX-License-Identifier: Apache-2.0
// Files of stdio. Its own calls of write() stay inside the C library, so that what a full disk does to a
// buffered file is done here: fwrite, fputs, fflush and fclose count as writes and leave the file's error
// flag set.
#include "tests/fault/inject/fault_plan.h"
#include "tests/fault/inject/real_functions.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>

#define HETEROSCOPE_HOOK extern "C" __attribute__((visibility("default")))

using namespace heteroscope::fault;

namespace {

constexpr int kErrorSeen = 0x20; // _IO_ERR_SEEN of the C library: what ferror() looks at

/// What the call gives when the plan lets it pass, `failed` otherwise.
template <typename Result, typename Call>
Result counted(std::FILE* file, Result failed, Call call) {
    const Verdict verdict = countCall(Kind::Write, nullptr, file != nullptr ? ::fileno(file) : -1);
    if (verdict.action == Action::Kill || verdict.action == Action::Torn)
        killHere();
    if (verdict.action == Action::Fail) {
        if (file != nullptr)
            file->_flags |= kErrorSeen;
        errno = verdict.error;
        return failed;
    }
    const Result result = call(); // a short write is one that the C library repeats
    if (verdict.action == Action::KillAfter)
        killHere();
    return result;
}

int makeTemporary(char* pattern, int suffix, int flags) {
    return failsHere(Kind::Open, pattern) ? -1 : real().mkostemps(pattern, suffix, flags);
}

} // namespace

HETEROSCOPE_HOOK std::FILE* fopen(const char* path, const char* mode) {
    return failsHere(Kind::Open, path) ? nullptr : real().fopen(path, mode);
}

HETEROSCOPE_HOOK std::FILE* fopen64(const char* path, const char* mode) {
    return ::fopen(path, mode);
}

HETEROSCOPE_HOOK std::FILE* freopen(const char* path, const char* mode, std::FILE* file) {
    return failsHere(Kind::Open, path) ? nullptr : real().freopen(path, mode, file);
}

HETEROSCOPE_HOOK std::size_t fwrite(const void* block, std::size_t bytes, std::size_t count,
                                    std::FILE* file) {
    return counted(file, std::size_t{0}, [&] { return real().fwrite(block, bytes, count, file); });
}

HETEROSCOPE_HOOK int fputs(const char* text, std::FILE* file) {
    return counted(file, EOF, [&] { return real().fputs(text, file); });
}

HETEROSCOPE_HOOK int fflush(std::FILE* file) {
    return counted(file, EOF, [&] { return real().fflush(file); });
}

/// A file that was read only has nothing to write.
HETEROSCOPE_HOOK int fclose(std::FILE* file) {
    const bool reads = (::fcntl(::fileno(file), F_GETFL) & O_ACCMODE) == O_RDONLY;
    if (reads)
        return real().fclose(file);
    const Verdict verdict = countCall(Kind::Write, nullptr, ::fileno(file));
    if (verdict.action == Action::Kill || verdict.action == Action::Torn)
        killHere();
    const int closed = real().fclose(file); // the file is gone either way
    if (verdict.action == Action::KillAfter)
        killHere();
    if (verdict.action != Action::Fail)
        return closed;
    errno = verdict.error;
    return EOF;
}

HETEROSCOPE_HOOK int mkstemp(char* pattern) {
    return makeTemporary(pattern, 0, 0);
}

HETEROSCOPE_HOOK int mkstemp64(char* pattern) {
    return makeTemporary(pattern, 0, 0);
}

HETEROSCOPE_HOOK int mkostemp(char* pattern, int flags) {
    return makeTemporary(pattern, 0, flags);
}

HETEROSCOPE_HOOK int mkstemps(char* pattern, int suffix) {
    return makeTemporary(pattern, suffix, 0);
}

HETEROSCOPE_HOOK int mkostemps(char* pattern, int suffix, int flags) {
    return makeTemporary(pattern, suffix, flags);
}
