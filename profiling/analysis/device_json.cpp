// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_json.h"

namespace heteroscope::profiling {
namespace {

Json groupJson(const TransferGroup& group, const TransferBreakdown& transfers) {
    Json sizes = Json::array();
    for (const SizeBin& bin : group.sizes)
        sizes.push_back({{"from_bytes", bin.lowBytes},
                         {"count", bin.count},
                         {"bytes", bin.bytes},
                         {"busy_ns", bin.busyNs}});
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
            {"share_of_link_peak", peak ? Json(group.gbPerS() / peak->gbPerS) : Json(nullptr)},
            {"sizes", sizes}};
}

Json spreadJson(const TimeSpread& time) {
    return {{"count", time.count},     {"min", time.minNs}, {"q1", time.q1Ns},
            {"median", time.medianNs}, {"q3", time.q3Ns},   {"max", time.maxNs}};
}

Json measuredJson(const RooflineOp& op) {
    if (!op.measured)
        return nullptr;
    const auto intensity = op.measuredIntensity();
    return {{"dram_bytes", op.measured->dramBytes},
            {"flops", op.measured->flops},
            {"time_ns", op.measured->timeNs},
            {"occupancy", op.measured->occupancy},
            {"intensity", intensity ? Json(*intensity) : Json(nullptr)}};
}

Json roofsJson(const DeviceRoofs& roofs) {
    const auto ridge = roofs.ridge();
    return {{"device", roofs.device},
            {"name", roofs.name},
            {"memory_bytes_s", roofs.memory ? Json(roofs.memory->perSecond) : Json(nullptr)},
            {"memory_source", roofs.memory ? roofs.memory->source : roofs.whyNoMemory.text()},
            {"fp32_flop_s", roofs.fp32 ? Json(roofs.fp32->perSecond) : Json(nullptr)},
            {"fp32_source", roofs.fp32 ? roofs.fp32->source : roofs.whyNoFp32.text()},
            {"ridge_flop_byte", ridge ? Json(*ridge) : Json(nullptr)}};
}

Json opJson(const RooflineOp& op) {
    const bool bound = op.bound != RoofKind::None;
    return {{"op", op.op},
            {"detail", op.detail},
            {"implementation", op.implementation},
            {"target", op.target},
            {"runs", op.runs},
            {"bytes", op.bytes},
            {"flops", op.flops},
            {"on_device", op.onDevice},
            {"time_ns", spreadJson(op.time)},
            {"intensity", op.intensity()},
            {"flop_s", op.flopsPerS(op.time.medianNs)},
            {"bytes_s", op.bytesPerS(op.time.medianNs)},
            {"bound", roofName(op.bound)},
            {"share", bound ? Json(op.share) : Json(nullptr)},
            {"why_no_roof", bound ? Json(nullptr) : Json(op.whyNoRoof.text())},
            {"measured", measuredJson(op)}};
}

Json opsJson(const std::vector<OpTransfers>& list, bool phases) {
    Json json = Json::array();
    for (const OpTransfers& one : list) {
        json.push_back({{"op", one.op}, {"count", one.count}, {"bytes", one.bytes}, {"busy_ns", one.busyNs}});
        if (phases)
            json.back()["phase"] = one.phase;
    }
    return json;
}

} // namespace

Json deviceTimeJson(const DeviceTimeSplit& split) {
    Json json = {{"wall_ns", split.wallNs}};
    for (std::size_t i = 0; i < kTimeParts; ++i)
        json[std::string(figureOf(static_cast<TimePart>(i)).id) + "_ns"] = split.partNs[i];
    json["launch_of_copies_ns"] = split.launchOfCopiesNs;
    json["kernels"] = split.kernels;
    json["copies"] = split.copies;
    json["without_launch"] = split.withoutLaunch;
    return json;
}

Json transfersJson(const TransferBreakdown& transfers) {
    Json groups = Json::array();
    for (const TransferGroup& group : transfers.groups)
        groups.push_back(groupJson(group, transfers));
    return {{"wall_ns", transfers.wallNs},
            {"busy_ns", transfers.busyNs},
            {"under_kernels_ns", transfers.underKernelsNs},
            {"groups", groups},
            {"ops", opsJson(transfers.ops, false)},
            {"phases", opsJson(transfers.phases, true)}};
}

Json adviceJson(const Advice& advice) {
    return {{"rule", advice.rule},
            {"text", advice.sentences.text()},
            {"basis", advice.basis.text()},
            {"run", advice.run < 0 ? Json(nullptr) : Json(advice.run)},
            {"share", advice.share},
            {"estimated_gain", advice.gain.share ? Json(*advice.gain.share) : Json(nullptr)},
            {"gain_basis", advice.gain.why.text()},
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

Json rooflineJson(const Roofline& roofline) {
    Json devices = Json::array(), ops = Json::array();
    for (const DeviceRoofs& roofs : roofline.devices)
        devices.push_back(roofsJson(roofs));
    for (const RooflineOp& op : roofline.ops)
        ops.push_back(opJson(op));
    Json notes = Json::array();
    for (const Phrase& note : roofline.notes)
        notes.push_back(note.text());
    return {{"devices", devices}, {"ops", ops}, {"notes", notes}};
}

} // namespace heteroscope::profiling
