// SPDX-License-Identifier: Apache-2.0
// Tables as text, one example a line: columns of features and one of targets. Cells may be quoted as RFC 4180
// says. Pure functions; any thread.
#pragma once

#include "compute/base/memory_budget.h"
#include "compute/base/result.h"
#include "compute/experiment/spec/data_spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

inline constexpr std::size_t kMostCsvColumns = 65536;
/// Of one cell, and of all cells of a line: no example has more.
inline constexpr std::size_t kMostCsvCellBytes = std::size_t{1} << 20,
                             kMostCsvLineBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMostCsvClasses = 65536;

struct CsvOptions {
    char separator = ',';
    bool header = true;
    std::string features, target;          ///< as DataSpec
    bool classes = true;                   ///< the target's texts are classes; else it is a number
    std::vector<std::string> knownClasses; ///< of the training table; empty: found in this one
};

CsvOptions csvOptions(const DataSpec& data, const std::vector<std::string>& knownClasses);

struct CsvTable {
    std::int64_t rows = 0, features = 0;
    std::vector<float> values;  ///< rows x features
    std::vector<float> targets; ///< rows; numbers of classes in `classNames`, or numbers
    /// Sorted: as numbers where all are, else as texts.
    std::vector<std::string> classNames;
};

/// Which columns, counted from 0: "name", "3", "2-5" with commas between. Errors list what there is.
Result<std::vector<std::size_t>> csvColumns(const std::string& text, const std::vector<std::string>& names,
                                            const std::string& pointer);

/// `name` stands in messages; errors carry "name, line L, column C" where a cell is missing, too many, no
/// number or an unknown class. Empty lines are skipped.
Result<CsvTable> parseCsv(std::string_view text, const CsvOptions& options, const std::string& name);
/// The table stays charged to `budget`; without one each table has its own.
Result<CsvTable> parseCsv(std::string_view text, const CsvOptions& options, const std::string& name,
                          MemoryBudget& budget);

} // namespace heteroscope::compute
