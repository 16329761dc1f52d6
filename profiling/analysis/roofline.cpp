// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/roofline.h"

#include "compute/base/statistics.h"
#include "profiling/analysis/device_records.h"
#include "profiling/analysis/op_repetitions.h"
#include "profiling/stream/kernel_counters.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace heteroscope::profiling {
namespace {

bool usesTensorCores(const std::string& target) {
    return target.find("tf32=on") != std::string::npos;
}

TimeSpread spreadOf(std::vector<double> timesNs) {
    TimeSpread spread;
    if (timesNs.empty())
        return spread;
    std::sort(timesNs.begin(), timesNs.end());
    spread.count = timesNs.size();
    spread.minNs = timesNs.front();
    spread.q1Ns = quantileSorted(timesNs, 0.25);
    spread.medianNs = quantileSorted(timesNs, 0.5);
    spread.q3Ns = quantileSorted(timesNs, 0.75);
    spread.maxNs = timesNs.back();
    return spread;
}

/// What the repetitions of one op gather.
struct GatheredOp {
    const OpFacts* facts = nullptr;
    std::set<int> runs;
    std::vector<double> timesNs;
    Place first;
    std::uint64_t withoutKernels = 0;

    void add(const OpRepetition& repetition) {
        runs.insert(repetition.run);
        const Place place =
            repetition.onDevice ? repetition.kernels : Place{repetition.time, repetition.track};
        const std::int64_t time = repetition.onDevice ? repetition.kernelNs : repetition.time.lengthNs();
        if (time == 0) {
            ++withoutKernels;
            return;
        }
        if (timesNs.empty())
            first = place;
        timesNs.push_back(static_cast<double>(time));
    }
};

/// Repetitions of the same name, detail, implementation and target.
using OpKey = std::tuple<std::string, std::string, double, std::string, std::string>;

std::map<OpKey, GatheredOp> gather(const OpRepetitions& found, const Study& study) {
    std::map<OpKey, GatheredOp> all;
    for (const OpRepetition& repetition : found.repetitions) {
        const OpFacts& facts = found.facts.at(repetition.facts);
        GatheredOp& gathered = all[{study.runs[static_cast<std::size_t>(repetition.run)].target, facts.op,
                                    facts.bytes, facts.detail, facts.implementation}];
        gathered.facts = &facts;
        gathered.add(repetition);
    }
    return all;
}

RooflineOp opOf(const std::string& target, const GatheredOp& gathered) {
    RooflineOp op;
    op.op = gathered.facts->op;
    op.detail = gathered.facts->detail;
    op.implementation = gathered.facts->implementation;
    op.target = target;
    op.runs.assign(gathered.runs.begin(), gathered.runs.end());
    op.flops = gathered.facts->flops;
    op.bytes = gathered.facts->bytes;
    op.time = spreadOf(gathered.timesNs);
    op.onDevice = onDevice(target);
    op.first = gathered.first;
    return op;
}

/// Of the first run that has counters of this op.
std::optional<MeasuredWork> measuredWork(const RooflineOp& op, const Study& study) {
    for (const int run : op.runs)
        for (const OpCounters& counted : opCountersOf(study.runs[static_cast<std::size_t>(run)].metrics)) {
            const bool same = counted.op == op.op && counted.detail == op.detail &&
                              counted.implementation == op.implementation;
            if (!same || counted.kernels.empty())
                continue;
            MeasuredWork work;
            for (const KernelCounters& kernel : counted.kernels) {
                work.dramBytes += kernel.dramReadBytes + kernel.dramWriteBytes;
                work.flops += kernel.flops;
                work.timeNs += kernel.timeNs;
                work.occupancy += kernel.occupancy * kernel.timeNs;
            }
            work.occupancy = work.timeNs > 0 ? work.occupancy / work.timeNs : 0;
            return work;
        }
    return std::nullopt;
}

DeviceRoofs unknownRoofs(const std::string& device) {
    DeviceRoofs roofs;
    roofs.device = device;
    roofs.whyNoMemory = roofs.whyNoFp32 = say("the recording has no record of this device");
    return roofs;
}

void noteKernelsWithoutRepetition(const OpRepetitions& found, std::vector<Phrase>& notes) {
    if (found.kernelsWithout > 0)
        notes.push_back(say("%1 kernels belong to repetitions whose own spans were not kept; their times are "
                            "not in the roofline",
                            {std::to_string(found.kernelsWithout)}));
}

} // namespace

const char* roofName(RoofKind kind) {
    switch (kind) {
    case RoofKind::Memory:
        return "memory";
    case RoofKind::Fp32:
        return "fp32";
    case RoofKind::None:
        break;
    }
    return "none";
}

double RooflineOp::intensity() const {
    return bytes > 0 ? flops / bytes : 0.0;
}

double RooflineOp::flopsPerS(double timeNs) const {
    return timeNs > 0 ? flops / timeNs * 1e9 : 0.0;
}

double RooflineOp::bytesPerS(double timeNs) const {
    return timeNs > 0 ? bytes / timeNs * 1e9 : 0.0;
}

std::optional<double> RooflineOp::measuredIntensity() const {
    if (!measured || measured->dramBytes <= 0)
        return std::nullopt;
    return measured->flops / measured->dramBytes;
}

void placeUnderRoofs(RooflineOp& op, const DeviceRoofs& roofs) {
    op.bound = RoofKind::None;
    op.share = 0;
    op.whyNoRoof = {};
    const auto ridge = roofs.ridge();
    if (!ridge) {
        op.whyNoRoof = !roofs.memory ? roofs.whyNoMemory : roofs.whyNoFp32;
        return;
    }
    if (op.intensity() >= *ridge && usesTensorCores(op.target)) {
        op.whyNoRoof =
            say("TF32 goes beyond the fp32 roof, and the rate of the tensor cores is not recorded");
        return;
    }
    op.bound = op.intensity() < *ridge ? RoofKind::Memory : RoofKind::Fp32;
    op.share = op.bound == RoofKind::Memory ? op.bytesPerS(op.time.medianNs) / roofs.memory->perSecond
                                            : op.flopsPerS(op.time.medianNs) / roofs.fp32->perSecond;
}

Roofline roofline(const Trace& trace, const Study& study, const DeviceWork& work, NsRange window) {
    Roofline result;
    const OpRepetitions found = opRepetitions(trace, study, work, window);
    const std::map<std::string, DeviceRoofs> known = roofsOfStudy(study);
    std::map<std::string, DeviceRoofs> used;
    for (const auto& [key, gathered] : gather(found, study)) {
        const std::string& target = std::get<0>(key);
        RooflineOp op = opOf(target, gathered);
        if (gathered.withoutKernels > 0)
            result.notes.push_back(
                say("%1 repetitions of %2 on %3 have no time: none of their kernels was recorded",
                    {std::to_string(gathered.withoutKernels), op.op + " " + op.detail, target}));
        if (op.time.count == 0)
            continue;
        const std::string device = deviceOfTarget(target);
        const auto roofs = known.find(device);
        const auto& entry =
            *used.try_emplace(device, roofs == known.end() ? unknownRoofs(device) : roofs->second).first;
        placeUnderRoofs(op, entry.second);
        op.measured = measuredWork(op, study);
        result.ops.push_back(std::move(op));
    }
    noteKernelsWithoutRepetition(found, result.notes);
    for (const auto& [id, roofs] : used)
        result.devices.push_back(roofs);
    return result;
}

} // namespace heteroscope::profiling
