// SPDX-License-Identifier: Apache-2.0
// How planes are cut into strips.
#include "compute/backends/nvidia/kernels/pool/pool_strip_launch.cuh"
#include "compute/base/ceil_div.h"

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kLargestSide = 1 << 30; ///< sums of two columns must fit 31 bits

/// Lanes of one row of quads: one strip where 32 lanes suffice, else several that overlap by the lanes that
/// only help.
void cutColumns(StripPlan& plan, const StripCut& cut) {
    const int left = cut.kernel - 1 - cut.end;
    const int lastEnd = (plan.outWidth - 1) * cut.stride - plan.padLeft + cut.kernel - 1;
    int quads = lastEnd / 4 + 1; // that windows end in
    if (cut.backward)
        quads = std::max(quads, (plan.width + 3) / 4);
    plan.cutColumns = lastEnd >= plan.width;
    // One lane more where vectors may lie across two quads and the last quad holds more than one element.
    const bool tail = (!cut.aligned && plan.width - 4 * (quads - 1) > 1) ||
                      (cut.stride == 1 && lastEnd - 4 * (quads - 1) > 0);
    plan.lanes = plan.quads = quads + (tail ? 1 : 0);
    if (plan.lanes <= 32) {
        plan.together = 32 / plan.lanes;
        return;
    }
    const bool shifted = !cut.aligned || cut.stride == 1;
    plan.lanes = 32;
    plan.lanesBefore = left > 0 ? 1 : 0;
    plan.cutColumns = plan.cutColumns || left > 0;
    const int most = 32 - plan.lanesBefore - (shifted ? 1 : 0) - (cut.backward && left > 0 ? 1 : 0);
    plan.columnStrips = (quads + most - 1) / most;
    const int even = (quads + plan.columnStrips - 1) / plan.columnStrips;
    plan.quads = std::min(most, even + even % 2); // pairs of quads: whole sectors of 32 bytes
}

/// Rows of dst in a band where there is enough to do, as measured on an H200: as few as keep what bands share
/// small.
int bestBand(const StripCut& cut) {
    if (cut.stride == 1)
        return cut.backward ? 56 : 28;
    if (cut.kernel == cut.stride)
        return (cut.backward ? 2 : 4) * (cut.aligned ? 1 : 3);
    return cut.aligned ? (cut.backward ? 4 : 8) : 28;
}

/// Smaller bands where they would not fill the device.
void cutRows(StripPlan& plan, const StripCut& cut, int bandSteps) {
    constexpr std::int64_t kLanesWanted = 1 << 18;
    const std::int64_t across = plan.planes * plan.columnStrips * plan.lanes;
    std::int64_t band = bandSteps;
    if (band == 0)
        band = std::clamp<std::int64_t>(plan.steps * across / kLanesWanted, 2, bestBand(cut));
    plan.bands = static_cast<int>(ceilDiv(plan.steps, std::min<std::int64_t>(band, plan.steps)));
    plan.bandSteps = static_cast<int>(ceilDiv(ceilDiv(plan.steps, plan.bands), cut.together) * cut.together);
    plan.bands = static_cast<int>(ceilDiv(plan.steps, plan.bandSteps));
}

} // namespace

bool hasStripKernel(const PoolParams& params, const Shape4& src) {
    const Extent2d kernel = params.kernel, stride = params.stride;
    if (kernel.h != kernel.w || stride.h != stride.w || src.h > kLargestSide || src.w > kLargestSide)
        return false;
    const auto is = [&](int k, int s) { return kernel.w == k && stride.w == s; };
    return is(2, 1) || is(3, 1) || is(5, 1) || is(2, 2) || is(3, 2);
}

StripPlan planStrips(const PoolParams& params, const Shape4& src, const StripCut& cut, int bandSteps) {
    const Shape4 out = *poolOutputShape(params, src);
    StripPlan plan;
    plan.planes = src.n * src.c;
    plan.height = static_cast<int>(src.h);
    plan.width = static_cast<int>(src.w);
    plan.outHeight = static_cast<int>(out.h);
    plan.outWidth = static_cast<int>(out.w);
    plan.padTop = static_cast<int>(params.padding.top);
    plan.padLeft = static_cast<int>(params.padding.left);
    plan.zeroPad = params.padValue == PadValue::Zero;
    plan.countPad = params.countIncludePad;
    plan.pairAligned = out.w % 2 == 0 && (cut.end + plan.padLeft - cut.kernel + 1) / cut.stride % 2 == 0;
    plan.steps = cut.backward ? static_cast<int>(ceilDiv(src.h + plan.padTop, cut.stride)) : plan.outHeight;
    cutColumns(plan, cut);
    cutRows(plan, cut, bandSteps);
    plan.strips = plan.planes * plan.columnStrips * plan.bands;
    plan.blocks = ceilDiv(plan.strips, kStripBlock / 32 * plan.together);
    return plan;
}

} // namespace heteroscope::compute::nvidia
