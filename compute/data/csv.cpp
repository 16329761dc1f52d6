// SPDX-License-Identifier: Apache-2.0
#include "compute/data/csv.h"

#include "compute/base/json.h"
#include "compute/base/printable.h"
#include "compute/data/csv_lines.h"
#include "compute/data/example_set.h"
#include "compute/data/file_bytes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace heteroscope::compute {
namespace {

template <class Number>
std::optional<Number> parsed(std::string_view text) {
    Number value{};
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || text.empty())
        return std::nullopt;
    return value;
}

bool isUtf8(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::ignore)) == text;
}

/// The decimal exponent of a number's first digit that is not 0 decides whether it is too large or too small.
bool isTiny(std::string_view text) {
    const std::size_t mark = text.find_first_of("eE");
    const std::string_view digits = text.substr(0, mark);
    std::int64_t exponent = 0;
    if (mark != std::string_view::npos) {
        const std::string_view power = text.substr(mark + 1);
        const auto number = parsed<std::int64_t>(power);
        if (!number)
            return power.starts_with('-');
        exponent = *number;
    }
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t first = digits.find_first_of("123456789");
    const auto place = static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
    return exponent < -place; // the file has fewer characters than an exponent needs to overflow here
}

/// As strtod() reads it, in the C locale: what is too small for a double is 0. Infinite where it is too
/// large.
std::optional<double> decimalNumber(std::string_view text) {
    double value = 0;
    if (text.starts_with('+'))
        text.remove_prefix(1);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size() || failure == std::errc::invalid_argument)
        return std::nullopt;
    if (failure == std::errc::result_out_of_range)
        return isTiny(text) ? 0.0 : std::numeric_limits<double>::infinity();
    return value;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> parts(std::string_view text) {
    std::vector<std::string_view> found;
    for (;;) {
        const std::size_t comma = text.find(',');
        found.push_back(trimmed(text.substr(0, comma)));
        if (comma == std::string_view::npos)
            return found;
        text.remove_prefix(comma + 1);
    }
}

/// A number from 1 to `most`, as an index.
std::optional<std::size_t> columnNumber(std::string_view text, std::size_t most) {
    const auto number = parsed<std::size_t>(text);
    return number && *number >= 1 && *number <= most ? std::optional(*number - 1) : std::nullopt;
}

/// A name, a number or a range.
std::optional<std::pair<std::size_t, std::size_t>> columnRange(std::string_view text,
                                                               const std::vector<std::string>& names) {
    if (const auto name = std::find(names.begin(), names.end(), text); name != names.end())
        return std::pair{static_cast<std::size_t>(name - names.begin()),
                         static_cast<std::size_t>(name - names.begin())};
    const std::size_t dash = text.find('-');
    const auto first = columnNumber(trimmed(text.substr(0, dash)), names.size());
    const auto last =
        dash == std::string_view::npos ? first : columnNumber(trimmed(text.substr(dash + 1)), names.size());
    return first && last && *first <= *last ? std::optional(std::pair{*first, *last}) : std::nullopt;
}

std::vector<std::size_t> columnsOfName(std::string_view name, const std::vector<std::string>& names) {
    std::vector<std::size_t> columns;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == name)
            columns.push_back(i);
    return columns;
}

std::string columnsText(const std::vector<std::string>& names) {
    constexpr std::size_t kShown = 12;
    std::string text = "a column from 1 to " + std::to_string(names.size()) + " or a name:";
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
        text += (i > 0 ? ", \"" : " \"") + shortened(names[i], 40) + '"';
    return names.size() > kShown ? text + " ..." : text;
}

class TableReader {
  public:
    TableReader(std::string_view text, const CsvOptions& options, const std::string& name,
                MemoryBudget& budget)
        : m_options(options), m_name(name), m_lines(text, options.separator, name), m_held(budget) {
        for (std::size_t i = 0; i < options.knownClasses.size(); ++i)
            m_classes.emplace(options.knownClasses[i], i);
    }

    Result<CsvTable> read() {
        if (const Status status = readHeader(); !status)
            return status.error();
        for (bool more = m_firstIsData; more;) {
            if (const Status status = addRow(); !status)
                return status.error();
            const auto next = m_lines.next(m_cells);
            if (!next)
                return next.error();
            more = *next;
        }
        if (m_table.rows == 0)
            return badInput(m_name, "the table has no lines of values", "at least one");
        nameClasses();
        m_held.keep();
        return std::move(m_table);
    }

  private:
    Status readHeader() {
        auto found = m_lines.next(m_cells);
        if (!found)
            return found.error();
        if (!*found)
            return badInput(m_name, "the file is empty", "a table");
        m_names = m_cells;
        if (!m_options.header)
            for (std::size_t i = 0; i < m_names.size(); ++i)
                m_names[i] = "column " + std::to_string(i + 1);
        if (const Status status = chooseColumns(); !status)
            return status;
        m_firstIsData = true;
        if (m_options.header) {
            found = m_lines.next(m_cells);
            if (!found)
                return found.error();
            m_firstIsData = *found;
        }
        return {};
    }

    Status chooseColumns() {
        const auto target =
            csvColumns(m_options.target.empty() ? std::to_string(m_names.size()) : m_options.target, m_names,
                       "/data/target");
        if (!target)
            return target.error();
        if (target->size() != 1)
            return badInput("/data/target", "it names several columns", "one column");
        m_target = target->front();
        if (m_options.features.empty()) {
            for (std::size_t i = 0; i < m_names.size(); ++i)
                if (i != m_target)
                    m_features.push_back(i);
        } else {
            auto features = csvColumns(m_options.features, m_names, "/data/features");
            if (!features)
                return features.error();
            m_features = std::move(*features);
            if (std::find(m_features.begin(), m_features.end(), m_target) != m_features.end())
                return badInput("/data/features",
                                "column " + std::to_string(m_target + 1) + ", in line 1 \"" +
                                    shortened(m_names[m_target], 40) + "\", is the target as well",
                                "columns beside the target",
                                "leave it out, or name another column in /data/target");
        }
        if (m_features.empty())
            return badInput(m_name + ", line 1", "there is no column beside the target",
                            "at least two columns", "check /data/separator");
        m_table.features = static_cast<std::int64_t>(m_features.size());
        return {};
    }

    Result<float> number(std::size_t column) const {
        const std::string& cell = m_cells[column];
        if (cell.empty())
            return m_lines.errorAt(column, "the cell of \"" + shortened(m_names[column], 40) + "\" is empty",
                                   "a number");
        const auto value = decimalNumber(cell);
        if (value && std::abs(*value) <= std::numeric_limits<float>::max())
            return static_cast<float>(*value);
        const bool large = value && !std::isnan(*value);
        return m_lines.errorAt(column,
                               "\"" + shortened(cell, 40) + "\" of \"" + shortened(m_names[column], 40) +
                                   (large ? "\" is too large" : "\" is no number"),
                               "a number of at most 3.4e38 in size, with a decimal point");
    }

    Result<float> classNumber() {
        const std::string& cell = m_cells[m_target];
        if (cell.empty())
            return m_lines.errorAt(m_target, "the class is missing", "a text");
        if (const auto known = m_classes.find(cell); known != m_classes.end())
            return static_cast<float>(known->second);
        if (!m_options.knownClasses.empty())
            return m_lines.errorAt(m_target,
                                   "the training table has no class \"" + shortened(cell, 40) + '"');
        if (withoutControls(cell, "\t\r\n") != cell || !isUtf8(cell))
            return m_lines.errorAt(m_target,
                                   "the class \"" + printable(shortened(cell, 40)) +
                                       "\" holds control characters or is no UTF-8",
                                   "a text", "save the table as UTF-8, or mend the cell");
        if (m_classes.size() == kMostCsvClasses)
            return m_lines.errorAt(m_target, "the table has too many classes",
                                   "at most " + std::to_string(kMostCsvClasses),
                                   "for numbers set /data/targets to \"numbers\"");
        constexpr std::int64_t kClassBytes = 128; // a node of the map, and its name again in the table
        if (const Status status = m_held.add(kClassBytes + 2 * static_cast<std::int64_t>(cell.size()),
                                             "the names of the classes", m_name);
            !status)
            return status.error();
        const std::size_t number = m_classes.size();
        m_classes.emplace(cell, number);
        return static_cast<float>(number);
    }

    /// Of one more row: its numbers, old and new while their memory grows.
    Status chargeRow() {
        constexpr std::int64_t kWhileGrowing = 3;
        const auto numbers = static_cast<std::int64_t>(m_features.size()) + 1;
        return m_held.add(numbers * static_cast<std::int64_t>(sizeof(float)) * kWhileGrowing, "the table",
                          m_name);
    }

    Status addRow() {
        if (m_cells.size() != m_names.size())
            return m_lines.errorAt(std::min(m_cells.size(), m_names.size()),
                                   "the line has " + std::to_string(m_cells.size()) + " cells",
                                   std::to_string(m_names.size()) + ", as the first line");
        if (const Status status = chargeRow(); !status)
            return status;
        for (const std::size_t column : m_features) {
            const auto value = number(column);
            if (!value)
                return value.error();
            m_table.values.push_back(*value);
        }
        const auto target = m_options.classes ? classNumber() : number(m_target);
        if (!target)
            return target.error();
        m_table.targets.push_back(*target);
        ++m_table.rows;
        return {};
    }

    /// Classes get their numbers in the order of their names, whatever the order of the lines.
    void nameClasses() {
        if (!m_options.classes)
            return;
        m_table.classNames = m_options.knownClasses;
        if (!m_table.classNames.empty())
            return;
        for (const auto& [name, number] : m_classes)
            m_table.classNames.push_back(name);
        auto& names = m_table.classNames;
        if (std::all_of(names.begin(), names.end(), [](const std::string& name) {
                const auto value = parsed<double>(name);
                return value && !std::isnan(*value);
            }))
            std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
                return *parsed<double>(a) < *parsed<double>(b);
            });
        std::vector<float> sorted(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            sorted[m_classes.at(names[i])] = static_cast<float>(i);
        for (float& target : m_table.targets)
            target = sorted[static_cast<std::size_t>(target)];
    }

    const CsvOptions& m_options;
    const std::string& m_name;
    CsvLines m_lines;
    std::vector<std::string> m_names, m_cells;
    std::vector<std::size_t> m_features;
    std::size_t m_target = 0;
    bool m_firstIsData = false;
    std::map<std::string, std::size_t> m_classes;
    CsvTable m_table;
    HeldMemory m_held;
};

} // namespace

Result<std::vector<std::size_t>> csvColumns(const std::string& text, const std::vector<std::string>& names,
                                            const std::string& pointer) {
    std::vector<std::size_t> columns;
    for (const std::string_view part : parts(text)) {
        if (const auto twins = columnsOfName(part, names); twins.size() > 1)
            return badInput(pointer,
                            "line 1 calls both column " + std::to_string(twins[0] + 1) + " and column " +
                                std::to_string(twins[1] + 1) + " \"" + shortened(part, 40) + '"',
                            "a name of one column", "give the number of the column that is meant");
        const auto range = columnRange(part, names);
        if (!range)
            return badInput(pointer, "the table has no column \"" + std::string(part.substr(0, 40)) + '"',
                            columnsText(names));
        for (std::size_t column = range->first; column <= range->second; ++column) {
            if (std::find(columns.begin(), columns.end(), column) != columns.end())
                return badInput(pointer, "column " + std::to_string(column + 1) + " is named twice",
                                "each column once");
            columns.push_back(column);
        }
    }
    return columns;
}

Result<CsvTable> parseCsv(std::string_view text, const CsvOptions& options, const std::string& name) {
    MemoryBudget budget;
    return parseCsv(text, options, name, budget);
}

Result<CsvTable> parseCsv(std::string_view text, const CsvOptions& options, const std::string& name,
                          MemoryBudget& budget) {
    return TableReader(text, options, name, budget).read();
}

CsvOptions csvOptions(const DataSpec& data, const std::vector<std::string>& knownClasses) {
    constexpr char kSeparators[] = {',', ';', '\t', ' '};
    return {kSeparators[static_cast<int>(data.separator)], data.header, data.features, data.target,
            data.targets == TargetKind::Classes,           knownClasses};
}

Result<ExampleSet> readCsvSet(const ReadRequest& request) {
    const DataSpec& data = request.data;
    const auto file = request.directory / (request.test ? data.testFile : data.file);
    const auto bytes = readFileBytes(file, kMostFileBytes, *request.budget);
    if (!bytes)
        return bytes.error();
    auto table = parseCsv({reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                          csvOptions(data, request.classNames), file.string(), *request.budget);
    if (!table)
        return table.error();
    ExampleSet set{{1, table->features, 1, 1},
                   1,
                   {table->rows, std::move(table->values), std::move(table->targets)},
                   std::move(table->classNames)};
    request.budget->release(static_cast<std::int64_t>(bytes->size()));
    const Scaling scaled(data, 1);
    for (float& value : set.examples.images)
        value = scaled(value);
    return set;
}

} // namespace heteroscope::compute
