// SPDX-License-Identifier: Apache-2.0
#include "compute/base/output_kind.h"

#include <algorithm>
#include <initializer_list>

namespace heteroscope {
namespace {

bool isText(std::string_view head) {
    return head.find('\0') == std::string_view::npos;
}

bool beginsWithAny(std::string_view head, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](std::string_view beginning) { return head.starts_with(beginning); });
}

bool has(std::string_view head, std::string_view words) {
    return head.find(words) != std::string_view::npos;
}

bool isJsonWith(std::string_view head, std::string_view key) {
    const auto first = head.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && (head[first] == '{' || head[first] == '[') && has(head, key);
}

/// Tables that this program writes; a table that a person made has other columns.
bool isOurCsv(std::string_view head) {
    const std::string_view columns = head.substr(0, head.find_first_of("\r\n"));
    return (columns.starts_with("run,target,") && has(columns, ",process,sample,warmup,traced,")) ||
           columns.starts_with("run,target,point,layer,type,is_layer,") ||
           beginsWithAny(columns, {"index,actual", "run,index,actual"});
}

bool isSummary(std::string_view head) {
    return isText(head) &&
           (beginsWithAny(head, {"layer,type,output_shape", "% needs \\usepackage{booktabs}"}) ||
            has(head, "multiply-adds forward for a batch of"));
}

struct KnownKind {
    OutputKind kind;
    const char* name;
    bool (*is)(std::string_view head);
};

/// A file is of the first kind that it fits.
constexpr KnownKind kKnown[] = {
    {OutputKind::Png, "a PNG picture", [](std::string_view head) { return head.starts_with("\x89PNG"); }},
    {OutputKind::Pdf, "a PDF", [](std::string_view head) { return head.starts_with("%PDF-"); }},
    {OutputKind::Report, "a report of Heteroscope",
     [](std::string_view head) { return has(head, "name=\"generator\" content=\"Heteroscope\""); }},
    {OutputKind::Svg, "an SVG picture",
     [](std::string_view head) { return head.starts_with("<?xml") && has(head, "<svg"); }},
    {OutputKind::ChromeTrace, "a Chrome trace",
     [](std::string_view head) { return isJsonWith(head, "\"traceEvents\""); }},
    {OutputKind::Results, "results as JSON",
     [](std::string_view head) { return isJsonWith(head, "\"heteroscope-results\""); }},
    {OutputKind::Experiment, "an experiment",
     [](std::string_view head) { return isJsonWith(head, "\"heteroscope\""); }},
    {OutputKind::Archive, "a NumPy archive",
     [](std::string_view head) {
         return beginsWithAny(head, {"PK\x03\x04", "PK\x05\x06"});
     }},
    {OutputKind::Csv, "a table that this program wrote", isOurCsv},
    {OutputKind::Summary, "a summary of a network", isSummary},
    {OutputKind::Onnx, "an ONNX file", [](std::string_view head) { return head.starts_with('\x08'); }}};

} // namespace

std::optional<OutputKind> outputKindOf(std::string_view head) {
    for (const KnownKind& known : kKnown)
        if (known.is(head))
            return known.kind;
    return {};
}

OutputRules rulesOfKind(OutputKind kind) {
    OutputRules rules;
    for (const KnownKind& known : kKnown)
        if (known.kind == kind) {
            rules.kind = known.name;
            rules.isKind = known.is;
        }
    return rules;
}

} // namespace heteroscope
