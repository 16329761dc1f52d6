// SPDX-License-Identifier: Apache-2.0
// Tables of figures on the terminal: their headings are names of the dictionary of figures.
#pragma once

#include "app/cli/output.h"
#include "profiling/analysis/figures.h"

#include <initializer_list>
#include <string>
#include <vector>

namespace heteroscope::cli {

/// Name of a figure; an id that the dictionary does not have does not compile.
struct Heading {
    consteval Heading(const char* id) : figure(&profiling::figure(id)) {}
    const profiling::Figure* figure;
};

/// The first row of a textTable().
inline std::vector<std::string> headings(std::initializer_list<Heading> all) {
    std::vector<std::string> row;
    for (const Heading& heading : all)
        row.emplace_back(heading.figure->name);
    return row;
}

} // namespace heteroscope::cli
