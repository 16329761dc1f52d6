// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_device.h"

#include "app/cli/figure_table.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/figures.h"

#include <map>

namespace heteroscope::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using profiling::figure;
using profiling::shareText;
using profiling::TimePart;

std::string bytesText(double bytes) {
    return formatBytes(bytes);
}

std::string durationText(std::int64_t ns) {
    return formatDurationNs(static_cast<double>(ns));
}

std::string nameOf(const profiling::Figure& one) {
    return std::string(one.name);
}

/// "    time: time in which such a copy ran ...", a line.
std::string meaningText(const profiling::Figure& one) {
    return "    " + nameOf(one) + ": " + formulaOf(one) + "\n";
}

std::string rateText(double gbPerS) {
    return formatBandwidth(gbPerS * 1e9);
}

std::string peakText(const profiling::TransferBreakdown& transfers, profiling::CopyRoute route) {
    const auto& peak = transfers.peaks[static_cast<std::size_t>(route)];
    if (!peak)
        return "unknown";
    return rateText(peak->gbPerS) + (peak->memory.empty() ? "" : " (" + peak->memory + ")");
}

std::string peakShareText(const profiling::TransferBreakdown& transfers,
                          const profiling::TransferGroup& group) {
    const auto& peak = transfers.peaks[static_cast<std::size_t>(group.route)];
    return peak ? shareText(group.gbPerS() / peak->gbPerS) : "-";
}

std::string groupsText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{nameOf(figure("transfer_direction")), nameOf(figure("transfer_memory")),
               nameOf(figure("transfer_count")), nameOf(figure("transfer_bytes")),
               nameOf(figure("transfer_mean_size")), nameOf(figure("transfer_time")),
               nameOf(figure("transfer_share")), nameOf(figure("transfer_overlap")),
               nameOf(figure("transfer_rate")), nameOf(figure("share_of_link_peak")),
               nameOf(figure("link_peak"))}};
    for (const auto& group : transfers.groups)
        rows.push_back({copyRouteName(group.route), group.memory.empty() ? "-" : group.memory,
                        formatCount(group.count), bytesText(static_cast<double>(group.bytes)),
                        bytesText(group.meanBytes()), durationText(group.busyNs),
                        shareText(group.shareOf(transfers.wallNs)), shareText(group.overlapShare()),
                        rateText(group.gbPerS()), peakShareText(transfers, group),
                        peakText(transfers, group.route)});
    return textTable(rows);
}

std::string sizesText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{nameOf(figure("transfer_direction")), nameOf(figure("transfer_memory")),
               nameOf(figure("copy_size_from")), nameOf(figure("transfer_count")),
               nameOf(figure("transfer_bytes")), nameOf(figure("transfer_time"))}};
    for (const auto& group : transfers.groups)
        for (const auto& bin : group.sizes)
            rows.push_back({copyRouteName(group.route), group.memory.empty() ? "-" : group.memory,
                            bytesText(static_cast<double>(bin.lowBytes)), formatCount(bin.count),
                            bytesText(static_cast<double>(bin.bytes)), durationText(bin.busyNs)});
    return textTable(rows);
}

std::string opsText(const profiling::TransferBreakdown& transfers) {
    Rows rows{{nameOf(figure("transfer_operation")), nameOf(figure("transfer_phase")),
               nameOf(figure("transfer_count")), nameOf(figure("transfer_bytes")),
               nameOf(figure("transfer_time")), nameOf(figure("transfer_share"))}};
    for (const auto& op : transfers.phases)
        rows.push_back({op.op.empty() ? "(not known)" : op.op, op.phase.empty() ? "-" : op.phase,
                        formatCount(op.count), bytesText(static_cast<double>(op.bytes)),
                        durationText(op.busyNs), shareText(op.shareOf(transfers.wallNs))});
    return textTable(rows);
}

std::string transfersText(const profiling::TransferBreakdown& transfers) {
    if (transfers.groups.empty())
        return {};
    return "\nTransfers; " + nameOf(figure("transfer_share")) + " is of the " +
           durationText(transfers.wallNs) + " that are looked at\n" + meaningText(figure("transfer_time")) +
           meaningText(figure("transfer_overlap")) + meaningText(figure("link_peak")) +
           groupsText(transfers) + "\nTransfers by size\n" + sizesText(transfers) +
           "\nTransfers by operation and phase\n" + opsText(transfers);
}

/// A row of shares: the parts, and after launch what of it is for copies.
std::vector<std::string> partShares(const profiling::DeviceTimeSplit& split) {
    std::vector<std::string> shares;
    for (std::size_t i = 0; i < profiling::kTimeParts; ++i) {
        shares.push_back(shareText(split.share(static_cast<TimePart>(i))));
        if (static_cast<TimePart>(i) == TimePart::Launch)
            shares.push_back(shareText(split.shareOf(split.launchOfCopiesNs)));
    }
    return shares;
}

std::vector<const profiling::Figure*> partFigures() {
    return {&figure("execute"), &figure("copy"),        &figure("launch"), &figure("launch_of_copies"),
            &figure("queue"),   &figure("synchronise"), &figure("other")};
}

std::string timesText(const profiling::DeviceReport& report) {
    if (report.times.empty())
        return {};
    Rows rows{
        {nameOf(figure("run_number")), nameOf(figure("traced_samples")), nameOf(figure("traced_wall"))}};
    std::string meanings, scales;
    for (const profiling::Figure* part : partFigures()) {
        rows[0].push_back(nameOf(*part));
        meanings += meaningText(*part);
    }
    for (std::size_t run = 0; run < report.times.size(); ++run) {
        const auto& split = report.times[run].total;
        std::vector<std::string> row{report.figures[run].name.text(),
                                     std::to_string(report.times[run].samples.size()),
                                     durationText(split.wallNs)};
        const std::vector<std::string> shares = partShares(split);
        row.insert(row.end(), shares.begin(), shares.end());
        rows.push_back(std::move(row));
        if (const std::string scale = report.figures[run].sampleTimesText().text(); !scale.empty())
            scales += report.figures[run].name.text() + ": " + scale + "\n";
    }
    return "\nParts of the " + std::string(profiling::kWallOfTracedSamples) +
           ": each moment is in the first part that holds, so that the parts add up to it\n" + meanings +
           textTable(rows) + scales;
}

std::string kernelsText(const profiling::DeviceReport& report) {
    constexpr std::size_t kKernelsOfARun = 3, kLongestName = 60;
    Rows rows{headings({"run_number", "kernel_name", "kernel_uses", "kernel_time", "kernel_grid",
                        "kernel_block", "kernel_registers", "occupancy"})};
    const auto sizeText = [](const auto& size) {
        return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
    };
    for (const auto& run : report.figures)
        for (std::size_t i = 0; i < run.kernels.size() && i < kKernelsOfARun; ++i) {
            const auto& kernel = run.kernels[i];
            const auto occupancy =
                run.device ? theoreticalOccupancy(kernel.shape, *run.device) : std::nullopt;
            rows.push_back({run.name.text(),
                            kernel.name.size() > kLongestName ? kernel.name.substr(0, kLongestName) + "..."
                                                              : kernel.name,
                            formatCount(kernel.count), durationText(kernel.busyNs),
                            sizeText(kernel.shape.grid), sizeText(kernel.shape.block),
                            std::to_string(kernel.shape.registersPerThread),
                            occupancy ? occupancy->sentence().text() : "unknown"});
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
        text += "- " + advice.rule + ": " + advice.sentences.text() + "\n";
        rules.emplace(advice.rule, advice.basis.text());
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
