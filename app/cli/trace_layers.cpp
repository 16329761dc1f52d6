// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_layers.h"

#include "app/cli/figure_table.h"
#include "compute/base/cell_table.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"

namespace heteroscope::cli {
namespace {

using profiling::kLayerPhases;
using profiling::LayerPhase;
using profiling::LayerPhaseTime;
using profiling::LayerTime;
using profiling::RunLayerTimes;

std::string timeText(const LayerPhaseTime& time) {
    if (!time.measured())
        return "-";
    const auto text = [](double ms) { return formatDurationNs(ms * 1e6); };
    return text(time.ms.median) + (time.ms.hasInterval
                                       ? " [" + text(time.ms.ci95.low) + ", " + text(time.ms.ci95.high) + "]"
                                       : " (n < 5)");
}

std::string tableOf(const RunLayerTimes& run) {
    static_assert(kLayerPhases == 4, "a heading for each phase, in their order");
    std::vector<std::vector<std::string>> rows{
        headings({"layer_name", "layer_type", "layer_forward", "layer_loss", "layer_backward", "layer_update",
                  "layer_passes", "layer_share"})};
    for (const LayerTime& layer : run.layers) {
        std::vector<std::string> row{layer.isLayer ? layer.name : "(" + layer.name + ")", layer.type};
        std::uint64_t passes = 0;
        for (const LayerPhaseTime& time : layer.phases) {
            row.push_back(timeText(time));
            passes = std::max(passes, time.passes);
        }
        row.push_back(formatCount(static_cast<std::int64_t>(passes)));
        row.push_back(profiling::shareText(layer.share()));
        rows.push_back(std::move(row));
    }
    return textTable(rows);
}

std::string nameOf(const RunLayerTimes& run) {
    return run.target + (run.point.empty() ? "" : ", " + run.point);
}

template <typename Use>
void eachTime(const RunLayerTimes& run, const Use& use) {
    for (const LayerTime& layer : run.layers)
        for (std::size_t i = 0; i < kLayerPhases; ++i)
            if (layer.phases[i].measured())
                use(layer, profiling::layerPhaseName(static_cast<LayerPhase>(i)), layer.phases[i]);
}

const char* sourceOf(const RunLayerTimes& run) {
    return run.device ? "kernels" : "host";
}

} // namespace

std::string layerTimesText(const std::vector<RunLayerTimes>& runs) {
    if (runs.empty())
        return "no traced sample holds layers of a network\n";
    std::string text =
        "Layers: median of the passes of traced samples with its 95 % interval; on a GPU the time "
        "of the kernels,\nelse of the span on the host; in brackets what runs outside of layers, and "
        "reorders between layouts\n";
    for (const RunLayerTimes& run : runs) {
        text += "\n" + nameOf(run) + "\n";
        if (!run.reason.empty())
            text += "no times: " + run.reason.text() + "\n";
        else
            text += tableOf(run) + "sum of the medians " + formatDurationNs(run.totalMs * 1e6) + "; " +
                    tracingCostText(run).text() + "\n";
        if (run.kernelsOutside > 0)
            text += formatCount(static_cast<std::int64_t>(run.kernelsOutside)) +
                    " kernels belong to no layer that was recorded\n";
    }
    return text;
}

std::string layerTimesCsv(const std::vector<RunLayerTimes>& runs) {
    CellTable table;
    table.line({"run", "target", "point", "layer", "type", "is_layer", "is_reorder", "phase", "source",
                "passes", "median_ms", "low_ms", "high_ms", "q1_ms", "q3_ms", "share",
                "tracing_overhead_percent"});
    for (const RunLayerTimes& run : runs)
        eachTime(run, [&](const LayerTime& layer, const char* phase, const LayerPhaseTime& time) {
            table.cell(run.run).cells({run.target, run.point, layer.name, layer.type});
            table.cells({layer.isLayer ? "1" : "0", layer.isReorder ? "1" : "0", phase, sourceOf(run)})
                .cell(time.passes);
            table.cell(Json(time.ms.median).dump());
            for (const double bound : {time.ms.ci95.low, time.ms.ci95.high}) // none from fewer than 5 passes
                table.cell(time.ms.hasInterval ? Json(bound).dump() : "");
            for (const double value : {time.ms.q1, time.ms.q3, time.share})
                table.cell(Json(value).dump());
            table.cell(run.tracingOverheadPercent ? Json(*run.tracingOverheadPercent).dump() : "");
            table.endLine();
        });
    return table.text();
}

Json layerTimesJson(const std::vector<RunLayerTimes>& runs) {
    Json list = Json::array();
    for (const RunLayerTimes& run : runs) {
        Json times = Json::array();
        eachTime(run, [&](const LayerTime& layer, const char* phase, const LayerPhaseTime& time) {
            times.push_back(
                {{"layer", layer.name},
                 {"type", layer.type},
                 {"is_layer", layer.isLayer},
                 {"is_reorder", layer.isReorder},
                 {"phase", phase},
                 {"passes", time.passes},
                 {"median_ms", time.ms.median},
                 {"ci95_ms",
                  time.ms.hasInterval ? Json::array({time.ms.ci95.low, time.ms.ci95.high}) : Json()},
                 {"share", time.share}});
        });
        list.push_back({{"run", run.run},
                        {"target", run.target},
                        {"point", run.point},
                        {"source", sourceOf(run)},
                        {"reason", run.reason.text()},
                        {"tracing_overhead_percent",
                         run.tracingOverheadPercent ? Json(*run.tracingOverheadPercent) : Json()},
                        {"times", std::move(times)}});
    }
    return list;
}

} // namespace heteroscope::cli
