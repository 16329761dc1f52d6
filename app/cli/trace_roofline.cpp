// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_roofline.h"

#include "app/cli/figure_table.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/stream/kernel_counters.h"

namespace heteroscope::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using profiling::RoofKind;

std::string roofsText(const profiling::Roofline& roofline) {
    std::string text = "Roofs\n";
    for (const auto& roofs : roofline.devices) {
        text += "- " + roofs.device + (roofs.name.empty() ? "" : ", " + roofs.name) + ": ";
        text += roofs.memory
                    ? "memory " + formatBandwidth(roofs.memory->perSecond) + " (" + roofs.memory->source + ")"
                    : "no memory roof: " + roofs.whyNoMemory.text();
        text += roofs.fp32 ? "; fp32 " + formatFlops(roofs.fp32->perSecond) + " (" + roofs.fp32->source + ")"
                           : "; no fp32 roof: " + roofs.whyNoFp32.text();
        if (const auto ridge = roofs.ridge())
            text += "; memory binds below " + profiling::significantText(*ridge) + " operations a byte";
        text += "\n";
    }
    return text;
}

std::string countedIntensity(const profiling::RooflineOp& op) {
    const auto intensity = op.measuredIntensity();
    return intensity ? profiling::significantText(*intensity) : "-";
}

std::string countedBytes(const profiling::RooflineOp& op) {
    return op.measured && op.bytes > 0 ? profiling::significantText(op.measured->dramBytes / op.bytes) : "-";
}

Rows opRows(const profiling::Roofline& roofline) {
    Rows rows{headings({"target", "op_name", "op_shape", "op_implementation", "op_count", "op_median",
                        "op_quartiles", "intensity", "op_operations_rate", "op_bytes_rate", "op_bound",
                        "roof_share", "counted_intensity", "counted_bytes_share"})};
    for (const auto& op : roofline.ops) {
        const bool bound = op.bound != RoofKind::None;
        rows.push_back(
            {op.target, op.op, op.detail, op.implementation,
             formatCount(static_cast<std::int64_t>(op.time.count)), formatDurationNs(op.time.medianNs),
             formatDurationNs(op.time.q1Ns) + " to " + formatDurationNs(op.time.q3Ns),
             profiling::significantText(op.intensity()), formatFlops(op.flopsPerS(op.time.medianNs)),
             formatBandwidth(op.bytesPerS(op.time.medianNs)), bound ? roofName(op.bound) : "-",
             bound ? profiling::shareText(op.share) : "-", countedIntensity(op), countedBytes(op)});
    }
    return rows;
}

} // namespace

std::string rooflineText(const profiling::Roofline& roofline) {
    std::string text;
    if (!roofline.ops.empty())
        text = "\nRoofline of ops: bytes and operations are what the op declares, times are those of its "
               "kernels on a GPU and of\nits span on a processor; more than 100 % of memory means that "
               "caches served it\n" +
               textTable(opRows(roofline)) + roofsText(roofline);
    for (const profiling::Phrase& note : roofline.notes)
        text += "Note on the roofline: " + note.text() + "\n";
    return text;
}

std::string countersText(const profiling::Study& study) {
    Rows rows{headings({"target", "op_name", "op_shape", "kernel_name", "counted_time", "achieved_occupancy",
                        "dram_read", "dram_written", "dram_rate", "counted_operations", "counted_rate"})};
    for (const auto& run : study.runs)
        for (const auto& op : profiling::opCountersOf(run.metrics))
            for (const auto& kernel : op.kernels) {
                const double perS = kernel.timeNs > 0 ? 1e9 / kernel.timeNs : 0;
                rows.push_back({run.target, op.op, op.detail, kernel.kernel, formatDurationNs(kernel.timeNs),
                                profiling::shareText(kernel.occupancy), formatBytes(kernel.dramReadBytes),
                                formatBytes(kernel.dramWriteBytes),
                                formatBandwidth((kernel.dramReadBytes + kernel.dramWriteBytes) * perS),
                                formatCount(static_cast<std::int64_t>(kernel.flops)),
                                formatFlops(kernel.flops * perS)});
            }
    if (rows.size() == 1)
        return {};
    return "\nCounters of the device, one repetition of each op: each kernel was replayed alone, so its time "
           "here "
           "is no timing\n" +
           textTable(rows);
}

Json countersJson(const profiling::Study& study) {
    Json list = Json::array();
    for (const auto& run : study.runs) {
        Json ops = Json::array();
        for (const auto& op : profiling::opCountersOf(run.metrics))
            ops.push_back(profiling::toJson(op));
        if (!ops.empty())
            list.push_back({{"run", run.run}, {"target", run.target}, {"counters", ops}});
    }
    return list;
}

} // namespace heteroscope::cli
