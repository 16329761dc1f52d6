// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_json.h"

namespace heteroscope::profiling {
namespace {

Json groupJson(const TransferGroup& group, const TransferBreakdown& transfers) {
    Json sizes = Json::array();
    for (const SizeBin& bin : group.sizes)
        sizes.push_back({{"from_bytes", bin.lowBytes}, {"count", bin.count}, {"bytes", bin.bytes}});
    const auto& peak = transfers.peaks[static_cast<std::size_t>(group.route)];
    return {{"direction", copyRouteName(group.route)},
            {"memory", group.memory},
            {"count", group.count},
            {"bytes", group.bytes},
            {"busy_ns", group.busyNs},
            {"under_kernels_ns", group.underKernelsNs},
            {"share_of_wall", group.shareOf(transfers.wallNs)},
            {"gb_s", group.gbPerS()},
            {"link_peak_gb_s", peak ? Json(peak->gbPerS) : Json(nullptr)},
            {"sizes", sizes}};
}

} // namespace

Json deviceTimeJson(const DeviceTimeSplit& split) {
    Json json = {{"wall_ns", split.wallNs}};
    for (std::size_t i = 0; i < kTimeParts; ++i)
        json[std::string(timePartName(static_cast<TimePart>(i))) + "_ns"] = split.partNs[i];
    json["kernels"] = split.kernels;
    json["copies"] = split.copies;
    json["without_launch"] = split.withoutLaunch;
    return json;
}

Json transfersJson(const TransferBreakdown& transfers) {
    Json groups = Json::array(), ops = Json::array();
    for (const TransferGroup& group : transfers.groups)
        groups.push_back(groupJson(group, transfers));
    for (const OpTransfers& op : transfers.ops)
        ops.push_back({{"op", op.op}, {"count", op.count}, {"bytes", op.bytes}, {"busy_ns", op.busyNs}});
    return {{"wall_ns", transfers.wallNs},
            {"busy_ns", transfers.busyNs},
            {"under_kernels_ns", transfers.underKernelsNs},
            {"groups", groups},
            {"ops", ops}};
}

Json adviceJson(const Advice& advice) {
    return {{"rule", advice.rule},
            {"text", advice.text},
            {"basis", advice.basis},
            {"run", advice.run < 0 ? Json(nullptr) : Json(advice.run)},
            {"share", advice.share},
            {"start_ns", advice.place.range.startNs},
            {"end_ns", advice.place.range.endNs},
            {"track", advice.place.track == kNoTrack ? Json(nullptr) : Json(advice.place.track)}};
}

Json deviceReportJson(const DeviceReport& report) {
    Json runs = Json::array(), advice = Json::array();
    for (std::size_t i = 0; i < report.times.size(); ++i)
        runs.push_back({{"run", report.times[i].run->run},
                        {"target", report.times[i].run->target},
                        {"point", report.times[i].run->point},
                        {"samples", report.times[i].samples.size()},
                        {"time", deviceTimeJson(report.times[i].total)},
                        {"transfers", transfersJson(report.figures[i].transfers)}});
    for (const Advice& one : report.advice)
        advice.push_back(adviceJson(one));
    return {{"transfers", transfersJson(report.transfers)}, {"runs", runs}, {"advice", advice}};
}

} // namespace heteroscope::profiling
