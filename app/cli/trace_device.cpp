// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_device.h"

#include "app/cli/output.h"
#include "compute/base/units.h"

#include <map>

namespace heteroscope::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using profiling::TimePart;

std::string bytesText(double bytes) {
    return formatBytes(bytes);
}

std::string durationText(std::int64_t ns) {
    return formatDurationNs(static_cast<double>(ns));
}

std::string peakText(const profiling::TransferBreakdown& transfers, profiling::CopyRoute route) {
    const auto& peak = transfers.peaks[static_cast<std::size_t>(route)];
    if (!peak)
        return "unknown";
    return formatFixed(peak->gbPerS, 2) + " GB/s" + (peak->memory.empty() ? "" : " (" + peak->memory + ")");
}

std::string peakShareText(const profiling::TransferBreakdown& transfers,
                          const profiling::TransferGroup& group) {
    const auto& peak = transfers.peaks[static_cast<std::size_t>(group.route)];
    return peak ? percentText(group.gbPerS() / peak->gbPerS) : "-";
}

std::string groupsText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{"direction", "host memory", "count", "bytes", "mean", "time", "of wall", "under kernels",
               "rate", "of peak", "link's peak"}};
    for (const auto& group : transfers.groups)
        rows.push_back({copyRouteName(group.route), group.memory.empty() ? "-" : group.memory,
                        formatCount(group.count), bytesText(static_cast<double>(group.bytes)),
                        bytesText(group.meanBytes()), durationText(group.busyNs),
                        percentText(group.shareOf(transfers.wallNs)), percentText(group.overlapShare()),
                        formatFixed(group.gbPerS(), 3) + " GB/s", peakShareText(transfers, group),
                        peakText(transfers, group.route)});
    return textTable(rows);
}

std::string sizesText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{"direction", "host memory", "copy size from", "count", "bytes", "time"}};
    for (const auto& group : transfers.groups)
        for (const auto& bin : group.sizes)
            rows.push_back({copyRouteName(group.route), group.memory.empty() ? "-" : group.memory,
                            bytesText(static_cast<double>(bin.lowBytes)), formatCount(bin.count),
                            bytesText(static_cast<double>(bin.bytes)), durationText(bin.busyNs)});
    return textTable(rows);
}

std::string opsText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{"op", "phase", "count", "bytes", "time", "of wall"}};
    for (const auto& op : transfers.phases)
        rows.push_back(
            {op.op.empty() ? "(not known)" : op.op, op.phase.empty() ? "-" : op.phase, formatCount(op.count),
             bytesText(static_cast<double>(op.bytes)), durationText(op.busyNs),
             percentText(transfers.wallNs > 0
                             ? static_cast<double>(op.busyNs) / static_cast<double>(transfers.wallNs)
                             : 0.0)});
    return textTable(rows);
}

std::string transfersText(const profiling::TransferBreakdown& transfers) {
    if (transfers.groups.empty())
        return {};
    return "\nTransfers: time is that with at least one such copy; of wall is of " +
           durationText(transfers.wallNs) + ", under kernels is of the time of the row\n" +
           groupsText(transfers) + "(link's peak: the fastest copy of at least " +
           bytesText(profiling::kLargeCopyBytes) +
           " in this direction, the recorder's own included)\n\nTransfers by size\n" + sizesText(transfers) +
           "\nTransfers by op and phase\n" + opsText(transfers);
}

std::string timesText(const profiling::DeviceReport& report) {
    if (report.times.empty())
        return {};
    Rows rows{{"run", "samples", "wall"}};
    for (std::size_t i = 0; i < profiling::kTimeParts; ++i)
        rows[0].emplace_back(timePartName(static_cast<TimePart>(i)));
    for (std::size_t run = 0; run < report.times.size(); ++run) {
        const auto& split = report.times[run].total;
        rows.push_back({report.figures[run].name, std::to_string(report.times[run].samples.size()),
                        durationText(split.wallNs)});
        for (std::size_t i = 0; i < profiling::kTimeParts; ++i)
            rows.back().push_back(percentText(split.share(static_cast<TimePart>(i))));
    }
    return "\nDevice time of the traced samples: each moment is in the first part that holds, so the parts "
           "add "
           "up to the wall time\n"
           "(execute: a kernel runs; copy: a copy runs; the device is idle in the rest. launch: the host is "
           "in a "
           "call that gives it work;\n"
           "queue: work was given and has not started; synchronise: the host waits; other: none of these)\n" +
           textTable(rows);
}

std::string kernelsText(const profiling::DeviceReport& report) {
    constexpr std::size_t kKernelsOfARun = 3, kLongestName = 60;
    Rows rows{{"run", "kernel", "count", "time", "grid", "block", "registers", "theoretical occupancy"}};
    const auto sizeText = [](const auto& size) {
        return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
    };
    for (const auto& run : report.figures)
        for (std::size_t i = 0; i < run.kernels.size() && i < kKernelsOfARun; ++i) {
            const auto& kernel = run.kernels[i];
            const auto occupancy =
                run.device ? theoreticalOccupancy(kernel.shape, *run.device) : std::nullopt;
            rows.push_back({run.name,
                            kernel.name.size() > kLongestName ? kernel.name.substr(0, kLongestName) + "..."
                                                              : kernel.name,
                            formatCount(kernel.count), durationText(kernel.busyNs),
                            sizeText(kernel.shape.grid), sizeText(kernel.shape.block),
                            std::to_string(kernel.shape.registersPerThread),
                            occupancy ? occupancy->sentence() : "unknown"});
        }
    return rows.size() > 1 ? "\nKernels with the most time, at most 3 a run\n" + textTable(rows)
                           : std::string();
}

std::string adviceText(const profiling::Trace& trace, const profiling::DeviceReport& report) {
    std::string text = "\nAdvice\n";
    if (report.advice.empty())
        return text + "none: no rule found anything\n";
    std::map<std::string, std::string> rules;
    for (const auto& advice : report.advice) {
        text += "- " + advice.rule + ": " + advice.text + "\n";
        rules.emplace(advice.rule, advice.basis);
        if (advice.place.range.lengthNs() > 0)
            text += "  From " + durationText(advice.place.range.startNs - trace.startNs()) + " on, for " +
                    durationText(advice.place.range.lengthNs()) +
                    (advice.place.track < trace.trackCount()
                         ? ", row '" + trace.string(trace.track(advice.place.track).name) + "'"
                         : std::string()) +
                    "\n";
    }
    text += "\nRules of the advice\n";
    for (const auto& [rule, basis] : rules)
        text += "- " + rule + ": " + basis + "\n";
    return text;
}

} // namespace

std::string deviceReportText(const profiling::Trace& trace, const profiling::DeviceReport& report) {
    if (!report.work.any())
        return {};
    return transfersText(report.transfers) + timesText(report) + kernelsText(report) +
           adviceText(trace, report);
}

} // namespace heteroscope::cli
