// SPDX-License-Identifier: Apache-2.0
#include "app/cli/predictions.h"

#include "app/cli/output.h"
#include "compute/base/cell_table.h"
#include "compute/exec/prediction.h"

#include <cstdio>
#include <span>

namespace heteroscope::cli {
namespace {

std::string numberCell(double value) {
    char text[40];
    std::snprintf(text, sizeof text, "%.9g", value);
    return text;
}

/// Of a classification; empty of a regression.
std::vector<std::string> classNames(const profiling::Study& study, int run) {
    for (const profiling::StudyRun& record : study.runs)
        if (record.run == run)
            if (const auto names = record.metrics.find("class_names"); names != record.metrics.end())
                return names->get<std::vector<std::string>>();
    return {};
}

void putHeader(CellTable& table, const std::vector<std::string>& classes, std::size_t targets, bool several) {
    if (several)
        table.cell("run");
    table.cell("index");
    if (!classes.empty()) {
        table.cells({"actual", "predicted"});
        for (const std::string& name : classes)
            table.cell("p(" + name + ")");
        return table.endLine();
    }
    for (const std::string what : {"actual", "predicted"})
        for (std::size_t i = 0; i < targets; ++i)
            table.cell(what + (targets > 1 ? "_" + std::to_string(i + 1) : std::string()));
    table.endLine();
}

void putClass(CellTable& table, std::span<const float> outputs, float actual,
              const std::vector<std::string>& classes) {
    const auto nameOf = [&](std::size_t number) {
        return number < classes.size() ? classes[number] : std::to_string(number);
    };
    table.cell(nameOf(static_cast<std::size_t>(actual))).cell(nameOf(compute::predictedClass(outputs)));
    for (const double probability : compute::classProbabilities(outputs))
        table.cell(numberCell(probability));
}

void putNumbers(CellTable& table, std::span<const float> values) {
    for (const float value : values)
        table.cell(numberCell(static_cast<double>(value)));
}

} // namespace

void Predictions::take(int run, const std::string& name, const compute::Shape4& shape, const float* data) {
    if (name != "output" && name != "target")
        return;
    const auto count = static_cast<std::size_t>(shape.elements().value_or(0));
    Rows& rows = m_runs[run];
    rows.examples = static_cast<std::size_t>(shape.n);
    (name == "output" ? rows.units : rows.targets) = static_cast<std::size_t>(shape.c);
    (name == "output" ? rows.outputs : rows.actual).assign(data, data + count);
}

Status Predictions::write(const std::string& path, const profiling::Study& study,
                          const OutputRules& rules) const {
    CellTable table;
    const bool several = m_runs.size() > 1;
    for (const auto& [run, rows] : m_runs) {
        if (rows.outputs.empty() || rows.actual.empty())
            return badInput("--predictions", "the experiment infers no dataset", {},
                            "set /task to \"infer\" and give /data a source");
        const auto classes = classNames(study, run);
        if (table.text().empty())
            putHeader(table, classes, rows.targets, several);
        for (std::size_t i = 0; i < rows.examples; ++i) {
            const auto outputs = std::span(rows.outputs).subspan(i * rows.units, rows.units);
            const auto actual = std::span(rows.actual).subspan(i * rows.targets, rows.targets);
            if (several)
                table.cell(run);
            table.cell(i);
            if (classes.empty()) {
                putNumbers(table, actual);
                putNumbers(table, outputs);
            } else {
                putClass(table, outputs, actual[0], classes);
            }
            table.endLine();
        }
    }
    if (table.text().empty())
        return badInput("--predictions", "no run made predictions");
    return writeOutput(path, table.text(), rules);
}

} // namespace heteroscope::cli
