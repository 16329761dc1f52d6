// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/output_kind.h"

#include "compute/base/output_kind.h"

#include <optional>
#include <string>

namespace heteroscope::ui {
namespace {

/// Tables and LaTeX: an earlier one has the same first cell.
std::string_view beginningOf(std::string_view head) {
    const std::string_view line = head.substr(0, head.find('\n'));
    return line.substr(0, line.find(','));
}

/// Nothing where only the beginning tells tables apart.
std::optional<OutputKind> kindOf(std::string_view head) {
    const auto kind = outputKindOf(head);
    return kind == OutputKind::Csv || kind == OutputKind::Summary ? std::nullopt : kind;
}

} // namespace

OutputRules overItsKind(std::string_view bytes) {
    OutputRules rules;
    if (const auto kind = kindOf(bytes)) {
        rules = rulesOfKind(*kind);
    } else {
        rules.kind = "a table or figure that this program wrote";
        rules.isKind = [beginning = std::string(beginningOf(bytes))](std::string_view head) {
            return !kindOf(head) && beginningOf(head) == beginning;
        };
    }
    rules.forceAdvice = "choose another name";
    return rules;
}

} // namespace heteroscope::ui
