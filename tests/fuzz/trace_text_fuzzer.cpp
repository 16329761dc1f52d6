// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of a Chrome trace, plain or gzip: what is packed says the same as when it is not.
#include "profiling/io/chrome_json.h"
#include "tests/fuzz/support/gzip_mutation.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

constexpr std::size_t kMostText = 1 << 20;

void compareWithText(const Result<profiling::ImportReport>& report, const profiling::Trace& trace,
                     std::span<const std::uint8_t> text) {
    profiling::Trace other;
    const auto again =
        profiling::importChromeJsonText({reinterpret_cast<const char*>(text.data()), text.size()}, other);
    other.publish();
    require(again.ok() == report.ok(), "a file and its text are both good or both bad");
    if (!again)
        return;
    require(again->events == report->events && again->skipped == report->skipped,
            "a file and its text have the same events");
    require(other.spanCount() == trace.spanCount() && other.counterCount() == trace.counterCount() &&
                other.flowCount() == trace.flowCount() && other.trackCount() == trace.trackCount(),
            "a file and its text give the same trace");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fuzz::MemoryFile file;
    const std::span<const std::uint8_t> given(data, size);
    file.set(given);
    profiling::Trace trace;
    const auto report = profiling::importChromeJson(file.path(), trace);
    trace.publish();
    if (!report)
        fuzz::requireGoodError(report.error());
    if (!fuzz::looksLikeGzip(given))
        compareWithText(report, trace, given);
    else if (const auto text = fuzz::unpackGzip(given, kMostText);
             text && fuzz::packGzip(*text, 9).size() > 0)
        if (report) // bytes behind the packed text are no part of it
            compareWithText(report, trace, *text);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    return fuzz::mutateMaybeGzip(data, size, mostBytes, seed);
}
