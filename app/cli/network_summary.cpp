// SPDX-License-Identifier: Apache-2.0
#include "app/cli/network_summary.h"

#include "app/cli/network_report.h"
#include "compute/base/cell_table.h"
#include "compute/base/units.h"

#include <charconv>
#include <filesystem>

namespace heteroscope::cli {
namespace {

using compute::NetworkLayer;
using compute::NetworkPlan;

struct Row {
    std::string layer, type, shape;
    std::int64_t parameters = 0;
    double multiplyAdds = 0;
    std::int64_t activationBytes = 0;
};

Result<std::vector<Row>> rowsOf(const compute::NetworkExperiment& experiment) {
    const compute::Network network =
        compute::resolveNetwork(experiment.network, compute::networkRequest(experiment));
    if (const Error* error = network.firstError())
        return *error;
    std::vector<Row> rows;
    Row total{"total", "", "", 0, 0, 0};
    for (const NetworkLayer& layer : network.layers) {
        const compute::Shape4& s = layer.lowering->output;
        const std::string shape = std::to_string(s.c) + "x" + std::to_string(s.h) + "x" + std::to_string(s.w);
        rows.push_back({layer.spec.name, layer.spec.type, shape, layer.parameterElements(),
                        layer.lowering->multiplyAdds,
                        layer.lowering->viewsInput ? 0 : s.bytes().value_or(0)});
        total.parameters += rows.back().parameters;
        total.multiplyAdds += rows.back().multiplyAdds;
        total.activationBytes += rows.back().activationBytes;
    }
    rows.push_back(total);
    return rows;
}

/// Whole in all but absurd cases, and exact in any locale.
std::string wholeNumberText(double value) {
    char buffer[400];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 0);
    return {buffer, end.ptr};
}

std::string texText(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\')
            escaped += "\\textbackslash{}";
        else if (c == '~' || c == '^')
            escaped += std::string("\\") + c + "{}";
        else
            escaped += std::string("_%&#${}").find(c) == std::string::npos ? std::string(1, c)
                                                                           : std::string("\\") + c;
    }
    return escaped;
}

std::string texCount(double value) {
    std::string digits = wholeNumberText(value);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > 0; place -= 3)
        digits.insert(static_cast<std::size_t>(place), "\\,");
    return digits;
}

Result<std::string> summaryText(const std::string& file, const compute::ExperimentSpec& spec) {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".csv")
        return networkSummaryCsv(spec.network);
    if (ending == ".tex")
        return networkSummaryTex(spec.network);
    if (ending == ".txt")
        return spec.name + "\n\n" + networkReportText(spec.network);
    return badInput(file, "its ending says no form of a summary", ".csv, .tex or .txt");
}

} // namespace

Result<std::string> networkSummaryCsv(const compute::NetworkExperiment& experiment) {
    const auto rows = rowsOf(experiment);
    if (!rows)
        return rows.error();
    CellTable table;
    table.line({"layer", "type", "output_shape", "parameters", "multiply_adds", "activation_bytes"});
    for (const Row& row : *rows) {
        table.cells({row.layer, row.type, row.shape}).cell(row.parameters);
        table.cell(wholeNumberText(row.multiplyAdds)).cell(row.activationBytes);
        table.endLine();
    }
    return table.text();
}

Result<std::string> networkSummaryTex(const compute::NetworkExperiment& experiment) {
    const auto rows = rowsOf(experiment);
    if (!rows)
        return rows.error();
    std::string text = "% needs \\usepackage{booktabs}; multiply-adds and activations for a batch of " +
                       std::to_string(experiment.batch()) +
                       "\n\\begin{tabular}{lllrrr}\n\\toprule\nLayer & Type & Output & Parameters & "
                       "Multiply-adds & Activations \\\\\n\\midrule\n";
    for (const Row& row : *rows) {
        if (&row == &rows->back())
            text += "\\midrule\n";
        std::string shape = row.shape;
        for (std::size_t at = 0; (at = shape.find('x', at)) != std::string::npos; at += 8)
            shape.replace(at, 1, "$\\times$");
        text += texText(row.layer) + " & " + texText(row.type) + " & " + shape + " & " +
                texCount(static_cast<double>(row.parameters)) + " & " + texCount(row.multiplyAdds) + " & " +
                formatBytes(static_cast<double>(row.activationBytes)) + " \\\\\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

Status writeNetworkSummary(const std::string& file, const compute::ExperimentSpec& spec,
                           const OutputRules& rules) {
    if (spec.kind != compute::ExperimentKind::Network)
        return badInput("--summary", "the experiment has no network", "an experiment of the kind network");
    const auto text = summaryText(file, spec);
    if (!text)
        return text.error();
    return writeOutput(file, *text, rules);
}

} // namespace heteroscope::cli
