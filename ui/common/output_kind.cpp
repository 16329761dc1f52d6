// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/output_kind.h"

#include <string>

namespace heteroscope::ui {

namespace {

/// The kind of a file that was written here: `beginning` tells tables and LaTeX apart.
struct FileSort {
    std::string name, beginning{};
    bool operator==(const FileSort&) const = default;
};

/// Of JSON, by the key that says what it is.
FileSort sortOfJson(std::string_view head) {
    const auto has = [head](std::string_view key) { return head.find(key) != std::string_view::npos; };
    if (has("\"traceEvents\""))
        return {"a Chrome trace"};
    if (has("\"heteroscope-results\""))
        return {"results as JSON"};
    return {"JSON"};
}

FileSort sortOf(std::string_view head) {
    if (head.starts_with("\x89PNG"))
        return {"a PNG picture"};
    if (head.starts_with("%PDF-"))
        return {"a PDF"};
    if (head.find("name=\"generator\" content=\"Heteroscope\"") != std::string_view::npos)
        return {"a report of Heteroscope"};
    if (head.starts_with("<?xml") && head.find("<svg") != std::string_view::npos)
        return {"an SVG picture"};
    const auto first = head.find_first_not_of(" \t\r\n");
    if (first != std::string_view::npos && (head[first] == '{' || head[first] == '['))
        return sortOfJson(head);
    const std::string_view line = head.substr(0, head.find('\n'));
    return {"a table or figure that this program wrote", std::string(line.substr(0, line.find(',')))};
}

} // namespace

OutputRules overItsKind(std::string_view bytes) {
    OutputRules rules;
    const FileSort sort = sortOf(bytes);
    rules.kind = sort.name;
    rules.isKind = [sort](std::string_view head) { return sortOf(head) == sort; };
    rules.forceAdvice = "choose another name";
    return rules;
}

} // namespace heteroscope::ui
