// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/transfers.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace heteroscope::profiling {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

/// What a group or op gathers before its union is made.
struct GatheredCopies {
    std::int64_t count = 0, bytes = 0;
    std::vector<NsRange> times;
    std::map<std::int64_t, SizeBin> sizes;
    std::map<std::int64_t, std::vector<NsRange>> sizeTimes;

    void add(const DeviceCopy& copy, std::int64_t insideBytes) {
        ++count;
        bytes += insideBytes;
        times.push_back(copy.time);
        const auto low = static_cast<std::int64_t>(
            std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, copy.bytes))));
        SizeBin& bin = sizes[low];
        bin.lowBytes = low;
        ++bin.count;
        bin.bytes += insideBytes;
        sizeTimes[low].push_back(copy.time);
    }
};

bool isIn(std::int64_t timeNs, const TimeSet& set) {
    return overlapNs({timeNs, timeNs + 1}, set) > 0;
}

/// Bytes of the copy that count for the range; nothing when it does not touch the range.
std::optional<std::int64_t> bytesInside(const DeviceCopy& copy, const TimeSet& range) {
    const std::int64_t whole = copy.time.lengthNs(), inside = overlapNs(copy.time, range);
    if (whole == 0)
        return isIn(copy.time.startNs, range) ? std::optional(copy.bytes) : std::nullopt;
    if (inside == 0)
        return std::nullopt;
    if (inside == whole)
        return copy.bytes;
    return std::llround(static_cast<double>(copy.bytes) * ratio(inside, whole));
}

/// Position in the list; its length when it is not there.
std::uint32_t indexOf(const std::vector<std::string>& list, const char* text) {
    return static_cast<std::uint32_t>(std::find(list.begin(), list.end(), text) - list.begin());
}

TransferGroup groupOf(CopyRoute route, const std::string& memory, GatheredCopies&& gathered,
                      const TimeSet& range, const TimeSet& kernels) {
    TransferGroup group;
    group.route = route;
    group.memory = memory;
    group.count = gathered.count;
    group.bytes = gathered.bytes;
    const TimeSet busy = intersection(unionOf(std::move(gathered.times)), range);
    group.busyNs = lengthNs(busy);
    group.underKernelsNs = lengthNs(intersection(busy, kernels));
    for (auto& [low, bin] : gathered.sizes) {
        bin.busyNs = lengthNs(intersection(unionOf(std::move(gathered.sizeTimes[low])), range));
        group.sizes.push_back(bin);
    }
    return group;
}

/// By op and phase (0: all of the op); largest time first.
using OpGroups = std::map<std::pair<std::uint32_t, std::uint32_t>, GatheredCopies>;

std::vector<OpTransfers> opsOf(const DeviceWork& work, OpGroups&& groups, const TimeSet& range) {
    std::vector<OpTransfers> list;
    for (auto& [key, gathered] : groups)
        list.push_back({work.ops[key.first], work.phases[key.second], gathered.count, gathered.bytes,
                        lengthNs(intersection(unionOf(std::move(gathered.times)), range))});
    std::stable_sort(list.begin(), list.end(),
                     [](const auto& a, const auto& b) { return a.busyNs > b.busyNs; });
    return list;
}

std::array<std::optional<LinkPeak>, kCopyRoutes> peaksOf(const DeviceWork& work) {
    std::array<std::optional<LinkPeak>, kCopyRoutes> peaks;
    for (const DeviceCopy& copy : work.copies) {
        if (copy.bytes < kLargeCopyBytes || copy.time.lengthNs() == 0)
            continue;
        const double rate = ratio(copy.bytes, copy.time.lengthNs());
        auto& peak = peaks[static_cast<std::size_t>(copy.route)];
        if (!peak || rate > peak->gbPerS)
            peak = LinkPeak{rate, copy.bytes, work.memories[copy.memory], copy.span};
    }
    return peaks;
}

} // namespace

double TransferGroup::meanBytes() const {
    return ratio(bytes, count);
}

double TransferGroup::gbPerS() const {
    return ratio(bytes, busyNs); // bytes per ns are GB/s
}

double TransferGroup::overlapShare() const {
    return ratio(underKernelsNs, busyNs);
}

double TransferGroup::shareOf(std::int64_t wallNs) const {
    return ratio(busyNs, wallNs);
}

double OpTransfers::shareOf(std::int64_t wallNs) const {
    return ratio(busyNs, wallNs);
}

TransferBreakdown transferBreakdown(const DeviceWork& work, const TimeSet& range) {
    std::map<std::pair<CopyRoute, std::uint32_t>, GatheredCopies> groups;
    OpGroups ops, phases;
    std::vector<NsRange> all;
    const std::uint32_t probe = indexOf(work.ops, kLinkProbeOp);
    for (const DeviceCopy& copy : work.copies)
        if (const auto bytes = copy.op == probe ? std::nullopt : bytesInside(copy, range)) {
            groups[{copy.route, copy.memory}].add(copy, *bytes);
            ops[{copy.op, 0}].add(copy, *bytes);
            phases[{copy.op, copy.phase}].add(copy, *bytes);
            all.push_back(copy.time);
        }
    TransferBreakdown breakdown;
    breakdown.wallNs = lengthNs(range);
    const TimeSet busy = intersection(unionOf(std::move(all)), range), kernels = work.kernelTime();
    breakdown.busyNs = lengthNs(busy);
    breakdown.underKernelsNs = lengthNs(intersection(busy, kernels));
    for (auto& [key, gathered] : groups)
        breakdown.groups.push_back(
            groupOf(key.first, work.memories[key.second], std::move(gathered), range, kernels));
    std::stable_sort(breakdown.groups.begin(), breakdown.groups.end(), [](const auto& a, const auto& b) {
        return a.route != b.route ? a.route < b.route : a.busyNs > b.busyNs;
    });
    breakdown.ops = opsOf(work, std::move(ops), range);
    breakdown.phases = opsOf(work, std::move(phases), range);
    breakdown.peaks = peaksOf(work);
    return breakdown;
}

} // namespace heteroscope::profiling
