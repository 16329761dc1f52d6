// SPDX-License-Identifier: Apache-2.0
#include "app/cli/trace_roofline.h"

#include "app/cli/output.h"
#include "compute/base/units.h"

namespace heteroscope::cli {
namespace {

using Rows = std::vector<std::vector<std::string>>;
using profiling::RoofKind;

std::string percent(double share) {
    return formatFixed(100 * share, 1) + " %";
}

std::string roofsText(const profiling::Roofline& roofline) {
    std::string text = "Roofs\n";
    for (const auto& roofs : roofline.devices) {
        text += "- " + roofs.device + (roofs.name.empty() ? "" : ", " + roofs.name) + ": ";
        text += roofs.memory
                    ? "memory " + formatBandwidth(roofs.memory->perSecond) + " (" + roofs.memory->source + ")"
                    : "no memory roof: " + roofs.whyNoMemory;
        text += roofs.fp32 ? "; fp32 " + formatFlops(roofs.fp32->perSecond) + " (" + roofs.fp32->source + ")"
                           : "; no fp32 roof: " + roofs.whyNoFp32;
        if (const auto ridge = roofs.ridge())
            text += "; memory binds below " + formatFixed(*ridge, 2) + " operations a byte";
        text += "\n";
    }
    return text;
}

Rows opRows(const profiling::Roofline& roofline) {
    Rows rows{{"target", "op", "shape", "implementation", "times", "median", "quartiles", "op/byte", "FLOP/s",
               "bytes/s", "bound by", "of roof"}};
    for (const auto& op : roofline.ops) {
        const bool bound = op.bound != RoofKind::None;
        rows.push_back({op.target, op.op, op.detail, op.implementation,
                        formatCount(static_cast<std::int64_t>(op.time.count)),
                        formatDurationNs(op.time.medianNs),
                        formatDurationNs(op.time.q1Ns) + " to " + formatDurationNs(op.time.q3Ns),
                        formatFixed(op.intensity(), 3), formatFlops(op.flopsPerS(op.time.medianNs)),
                        formatBandwidth(op.bytesPerS(op.time.medianNs)), bound ? roofName(op.bound) : "-",
                        bound ? percent(op.share) : "-"});
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
    for (const std::string& note : roofline.notes)
        text += "Note on the roofline: " + note + "\n";
    return text;
}

} // namespace heteroscope::cli
