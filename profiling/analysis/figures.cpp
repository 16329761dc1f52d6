// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/figures.h"

namespace heteroscope::profiling {

namespace {

std::vector<std::string_view> partsOf(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        if (end > 0)
            parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// Where a part of the pattern has a `*`, any text without a point stands for it.
bool partMatches(std::string_view pattern, std::string_view part) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos)
        return pattern == part;
    const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
    return part.size() >= before.size() + after.size() && part.starts_with(before) && part.ends_with(after);
}

bool keyMatches(std::string_view pattern, std::string_view key) {
    const auto patterns = partsOf(pattern, '.'), parts = partsOf(key, '.');
    if (patterns.size() != parts.size())
        return false;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (!partMatches(patterns[i], parts[i]))
            return false;
    return true;
}

/// The keys by file, in the order of kFigureFiles.
std::string keysText(const Figure& figure, std::string_view quote) {
    std::string text;
    for (const FigureFile& file : kFigureFiles) {
        std::string keys;
        for (const auto& [id, key] : keysOf(figure))
            if (id == file.id)
                keys +=
                    (keys.empty() ? "" : ", ") + std::string(quote) + std::string(key) + std::string(quote);
        if (!keys.empty())
            text += (text.empty() ? "" : "; ") + std::string(file.id) + ": " + keys;
    }
    return text;
}

std::string measuredText(const Figure& figure) {
    const std::string source(sourceName(figure.source));
    return figure.samples == FigureSamples::None ? source
                                                 : source + ", " + std::string(samplesName(figure.samples));
}

/// A `|` would end a cell.
std::string cell(std::string text) {
    for (std::size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at + 2))
        text.replace(at, 1, "\\|");
    return text;
}

std::string rowOf(const Figure& figure) {
    const std::string formula = figure.isRatio() ? "**" + std::string(figure.numerator) + "** / **" +
                                                       std::string(figure.denominator) + "**"
                                                 : std::string(figure.definition);
    return "| `" + std::string(figure.id) + "` | " + cell(std::string(figure.name)) + " | " +
           std::string(figure.unit) + " | " + cell(formula) + " | " + measuredText(figure) + " | " +
           keysText(figure, "`") + " |\n";
}

Json figureJson(const Figure& figure) {
    Json keys = Json::object();
    for (const auto& [file, key] : keysOf(figure))
        keys[std::string(file)].push_back(key);
    const bool ratio = figure.isRatio();
    return {{"id", figure.id},
            {"name", figure.name},
            {"unit", figure.unit},
            {"formula", formulaOf(figure)},
            {"numerator", ratio ? Json(figure.numerator) : Json(nullptr)},
            {"denominator", ratio ? Json(figure.denominator) : Json(nullptr)},
            {"source", sourceName(figure.source)},
            {"samples",
             figure.samples == FigureSamples::None ? Json(nullptr) : Json(samplesName(figure.samples))},
            {"keys", std::move(keys)}};
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> keysOf(const Figure& figure) {
    std::vector<std::pair<std::string_view, std::string_view>> keys;
    for (const std::string_view place : partsOf(figure.keys, ' ')) {
        const std::size_t colon = std::min(place.find(':'), place.size());
        keys.emplace_back(place.substr(0, colon), place.substr(std::min(colon + 1, place.size())));
    }
    return keys;
}

const Figure* figureOfKey(std::string_view file, std::string_view key) {
    const Figure* like = nullptr;
    for (const FigureChapter& chapter : kFigureChapters)
        for (const Figure& one : chapter.figures)
            for (const auto& [id, pattern] : keysOf(one)) {
                if (id != file)
                    continue;
                if (pattern == key)
                    return &one;
                if (!like && keyMatches(pattern, key))
                    like = &one;
            }
    return like;
}

std::string formulaOf(const Figure& figure) {
    return figure.isRatio() ? std::string(figure.numerator) + " / " + std::string(figure.denominator)
                            : std::string(figure.definition);
}

std::string_view sourceName(FigureSource source) {
    switch (source) {
    case FigureSource::HostClock:
        return "host clock";
    case FigureSource::HostSpans:
        return "spans of the host";
    case FigureSource::DeviceRecords:
        return "device records";
    case FigureSource::HostOrDevice:
        return "host or device, as said beside it";
    case FigureSource::Counters:
        return "hardware counters";
    case FigureSource::Outputs:
        return "computed values";
    case FigureSource::Experiment:
        return "experiment";
    case FigureSource::Study:
        break;
    }
    return "study";
}

std::string_view samplesName(FigureSamples samples) {
    switch (samples) {
    case FigureSamples::Untraced:
        return "untraced samples";
    case FigureSamples::Traced:
        return "traced samples";
    case FigureSamples::Every:
        return "every sample";
    case FigureSamples::None:
        break;
    }
    return {};
}

Json figuresToJson() {
    Json files = Json::object(), figures = Json::array();
    for (const FigureFile& file : kFigureFiles)
        files[std::string(file.id)] = file.title;
    for (const FigureChapter& chapter : kFigureChapters)
        for (const Figure& one : chapter.figures)
            figures.push_back(figureJson(one));
    return {{"format", "heteroscope-figures"},
            {"version", 1},
            {"files", std::move(files)},
            {"figures", std::move(figures)}};
}

std::string figuresToText() {
    std::string text = "Figures: what each number in tables, charts, files and advice is. A ratio is its "
                       "numerator over its\ndenominator. Files and their keys:\n";
    for (const FigureFile& file : kFigureFiles)
        text += "    " + std::string(file.id) + ": " + std::string(file.title) + "\n";
    for (const FigureChapter& chapter : kFigureChapters) {
        text += "\n" + std::string(chapter.title) + "\n";
        for (const Figure& one : chapter.figures) {
            text += "\n    " + std::string(one.id) + ": " + std::string(one.name) + " (" +
                    std::string(one.unit) + "; " + measuredText(one) + ")\n        " + formulaOf(one) + "\n";
            if (const std::string keys = keysText(one, ""); !keys.empty())
                text += "        " + keys + "\n";
        }
    }
    return text;
}

std::string figuresToMarkdown() {
    std::string text =
        "# Figures\n\n"
        "What each number in tables, charts, files and advice is. `heteroscope-cli help figures` prints this "
        "page, and\n`heteroscope-cli help figures --json` gives it to programs. A ratio is given as "
        "**numerator** / "
        "**denominator**. Where a figure has two\nunits, the ending of the key tells which. Times of traced "
        "samples hold what recording costs: compare them with each other, not with\nthose of untraced "
        "samples "
        "(*tracing overhead* is the difference).\n\n"
        "Keys of nested objects are joined by points, elements of lists have no number, `*` stands for a "
        "name. "
        "The files:\n\n| file | what it is |\n|---|---|\n";
    for (const FigureFile& file : kFigureFiles)
        text += "| " + std::string(file.id) + " | " + std::string(file.title) + " |\n";
    for (const FigureChapter& chapter : kFigureChapters) {
        text += "\n## " + std::string(chapter.title) +
                "\n\n| id | name | unit | formula | measured by | keys |\n|---|---|---|---|---|---|\n";
        for (const Figure& one : chapter.figures)
            text += rowOf(one);
    }
    return text;
}

} // namespace heteroscope::profiling
