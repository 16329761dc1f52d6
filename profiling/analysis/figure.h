// SPDX-License-Identifier: Apache-2.0
// What the dictionary of figures says of one figure. Values; any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace heteroscope::profiling {

/// Who measured it.
enum class FigureSource : std::uint8_t {
    HostClock,     ///< the host's monotonic clock around work
    HostSpans,     ///< spans that the host recorded in the trace
    DeviceRecords, ///< what the device recorded of its kernels, copies and calls
    HostOrDevice,  ///< one of the two above; a key beside it, or the target, says which
    Counters,      ///< hardware counters, by a pass of their own
    Outputs,       ///< computed values
    Experiment,    ///< follows from what the experiment asks for; not measured
    Study          ///< how the study was carried out
};

/// Of which samples it is. Times of traced and of untraced samples differ by what recording costs.
enum class FigureSamples : std::uint8_t { None, Untraced, Traced, Every };

/// A ratio has a numerator and a denominator; anything else has a definition.
struct Figure {
    std::string_view id;   ///< lower case and underscores; unique
    std::string_view name; ///< as a column or a sentence calls it, beginning with a small letter
    std::string_view
        unit; ///< "ms", "ns", "B", "GB/s"; "1" of a ratio from 0 on, "%"; "count", "word", "object"
    std::string_view definition;
    std::string_view numerator, denominator;
    FigureSource source = FigureSource::Study;
    FigureSamples samples = FigureSamples::None;
    /// Where it stands in files, "FILE:KEY" with a space between: keys of nested objects are joined by
    /// points, arrays are passed over, and a `*` stands for a name of the study. FILE is one of kFigureFiles.
    std::string_view keys;

    constexpr bool isRatio() const { return !denominator.empty(); }
};

/// What shares of a run's traced samples are of, and what those of a whole recording are of: the same words
/// in tables, advice and help.
inline constexpr std::string_view kWallOfTracedSamples = "wall time of the traced samples";
inline constexpr std::string_view kWallOfRecording = "wall time of the recording";

/// A kind of file whose keys the dictionary explains.
struct FigureFile {
    std::string_view id, title;
};

inline constexpr FigureFile kFigureFiles[] = {
    {"results", "results JSON (run --json, trace export --format results)"},
    {"samples", "CSV of samples (run --csv, trace export FILE.csv)"},
    {"runs", "CSV of the table of runs (window and report)"},
    {"layers", "times of layers (trace stats --layers --csv, --json)"},
    {"spans", "sums of spans (trace stats --csv)"},
    {"stats", "statistics of a recording (trace stats --json)"},
    {"compare", "comparison of two studies (compare --json)"},
};

} // namespace heteroscope::profiling
