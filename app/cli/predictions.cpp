// SPDX-License-Identifier: Apache-2.0
#include "app/cli/predictions.h"

#include "app/cli/output.h"
#include "compute/base/csv_cell.h"
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

std::string header(const std::vector<std::string>& classes, std::size_t targets) {
    std::string line = "index";
    if (!classes.empty()) {
        line += ",actual,predicted";
        for (const std::string& name : classes)
            line += "," + csvCell("p(" + name + ")");
        return line + "\n";
    }
    for (const char* what : {",actual", ",predicted"})
        for (std::size_t i = 0; i < targets; ++i)
            line += what + (targets > 1 ? "_" + std::to_string(i + 1) : std::string());
    return line + "\n";
}

std::string classCells(std::span<const float> outputs, float actual,
                       const std::vector<std::string>& classes) {
    const auto nameOf = [&](std::size_t number) {
        return csvCell(number < classes.size() ? classes[number] : std::to_string(number));
    };
    std::string line =
        "," + nameOf(static_cast<std::size_t>(actual)) + "," + nameOf(compute::predictedClass(outputs));
    for (const double probability : compute::classProbabilities(outputs))
        line += "," + numberCell(probability);
    return line;
}

std::string numberCells(std::span<const float> values) {
    std::string line;
    for (const float value : values)
        line += "," + numberCell(static_cast<double>(value));
    return line;
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
    std::string text;
    const bool several = m_runs.size() > 1;
    for (const auto& [run, rows] : m_runs) {
        if (rows.outputs.empty() || rows.actual.empty())
            return badInput("--predictions", "the experiment infers no dataset", {},
                            "set /task to \"infer\" and give /data a source");
        const auto classes = classNames(study, run);
        if (text.empty())
            text = (several ? "run," : "") + header(classes, rows.targets);
        for (std::size_t i = 0; i < rows.examples; ++i) {
            const auto outputs = std::span(rows.outputs).subspan(i * rows.units, rows.units);
            const auto actual = std::span(rows.actual).subspan(i * rows.targets, rows.targets);
            text += (several ? std::to_string(run) + "," : "") + std::to_string(i);
            text += classes.empty() ? numberCells(actual) + numberCells(outputs)
                                    : classCells(outputs, actual[0], classes);
            text += '\n';
        }
    }
    if (text.empty())
        return badInput("--predictions", "no run made predictions");
    return writeOutput(path, text, rules);
}

} // namespace heteroscope::cli
