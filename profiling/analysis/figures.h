// SPDX-License-Identifier: Apache-2.0
// The dictionary of figures: what each number that tables, charts, files, advice and help show is, defined
// once. Pure functions; any thread.
#pragma once

#include "compute/base/json.h"
#include "profiling/analysis/figures_device.h"
#include "profiling/analysis/figures_recording.h"
#include "profiling/analysis/figures_times.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

/// A chapter of the dictionary.
struct FigureChapter {
    std::string_view title;
    std::span<const Figure> figures;
};

inline constexpr std::array<FigureChapter, 3> kFigureChapters{
    {{"Times, comparisons and rates of runs", kTimeFigures},
     {"Where the time went on a GPU, transfers and advice", kDeviceFigures},
     {"Layers, spans, rooflines, counters, trainings, and what names a row", kRecordingFigures}}};

/// The figure with this id; an id that the dictionary does not have does not compile.
consteval const Figure& figure(std::string_view id) {
    for (const FigureChapter& chapter : kFigureChapters)
        for (const Figure& one : chapter.figures)
            if (one.id == id)
                return one;
    throw "the dictionary of figures has no such id";
}

/// Whether it stands under `key` and `ending`, joined, in the file; patterns are not looked at.
constexpr bool holdsKey(const Figure& one, std::string_view file, std::string_view key,
                        std::string_view ending) {
    for (std::string_view rest = one.keys; !rest.empty();) {
        const std::string_view place = rest.substr(0, rest.find(' '));
        if (place.size() == file.size() + 1 + key.size() + ending.size() && place.starts_with(file) &&
            place[file.size()] == ':' && place.substr(file.size() + 1).starts_with(key) &&
            place.ends_with(ending))
            return true;
        rest.remove_prefix(place.size() < rest.size() ? place.size() + 1 : rest.size());
    }
    return false;
}

/// The figure of a key that a file is written with; a key that the dictionary does not have does not compile.
consteval const Figure& figureAt(std::string_view file, std::string_view key, std::string_view ending = {}) {
    for (const FigureChapter& chapter : kFigureChapters)
        for (const Figure& one : chapter.figures)
            if (holdsKey(one, file, key, ending))
                return one;
    throw "the dictionary of figures has no such key";
}

/// The figure that a key of a file holds: one that names the key exactly before one with a `*`; nullptr
/// without one. `file` is the id of one of kFigureFiles; of nested objects the keys are joined by points.
const Figure* figureOfKey(std::string_view file, std::string_view key);

/// The keys of a figure as (file, key).
std::vector<std::pair<std::string_view, std::string_view>> keysOf(const Figure& figure);

/// "median of the reference at the same point / median of the run", or the definition.
std::string formulaOf(const Figure& figure);
std::string_view sourceName(FigureSource source);    ///< "host clock"
std::string_view samplesName(FigureSamples samples); ///< "untraced samples"; empty for None

/// The dictionary as JSON: {"format": "heteroscope-figures", "version": 1, "files": {ID: TITLE}, "figures":
/// [{"id", "name", "unit", "formula", "numerator", "denominator" (null unless a ratio), "source", "samples"
/// (null: none), "keys": {FILE: [KEY]}}]}.
Json figuresToJson();
/// As text for a terminal.
std::string figuresToText();
/// As the help page Figures (resources/help/figures.md).
std::string figuresToMarkdown();

} // namespace heteroscope::profiling
