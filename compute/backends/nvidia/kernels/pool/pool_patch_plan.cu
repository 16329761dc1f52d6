// SPDX-License-Identifier: Apache-2.0
// How large patches are: of a few sizes, that whose expected cycles are least. Instructions are counted as
// the kernels' loops have them.
#include "compute/backends/nvidia/kernels/pool/pool_patch_plan.h"
#include "compute/base/ceil_div.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::int64_t kMostPatchSide = 1 << 28; ///< sums of a few extents must fit 31 bits
constexpr std::int64_t kMostElements = 0xFFFF;   ///< of the result in a patch: targets are 16 bits
constexpr int kShortRow = 64;                    ///< columns; of longer rows a warp is better used
// Fitted to 480 drawn poolings that pool_kernel_times timed on an H100.
constexpr double kWarpInstructions = 2.2; ///< that a multiprocessor issues a cycle
constexpr double kBytes = 16;             ///< that it reads and writes of device memory a cycle
constexpr double kLatency = 900;          ///< cycles from a patch's begin until its input is there
constexpr double kDependent = 7.6;        ///< cycles between two instructions of a lone warp
constexpr double kStart = 3100;           ///< cycles until any patch begins

/// Lanes that share a row: the power of two that holds it, at most a warp.
int lanesFor(int columns) {
    return std::min(5, static_cast<int>(std::bit_width(static_cast<unsigned>(std::max(columns, 1) - 1))));
}

void fillShape(PatchPlan& plan, const PoolParams& params, const Shape4& src, const Shape4& out) {
    const auto narrow = [](std::int64_t value) { return static_cast<int>(value); };
    plan.allPlanes = src.n * src.c;
    plan.height = narrow(src.h), plan.width = narrow(src.w);
    plan.outHeight = narrow(out.h), plan.outWidth = narrow(out.w);
    plan.kernelH = narrow(params.kernel.h), plan.kernelW = narrow(params.kernel.w);
    plan.strideH = narrow(std::min(params.stride.h, src.h + params.kernel.h)); // a longer one changes nothing
    plan.strideW = narrow(std::min(params.stride.w, src.w + params.kernel.w));
    plan.padTop = narrow(params.padding.top), plan.padLeft = narrow(params.padding.left);
    plan.average = params.mode == PoolMode::Average;
    plan.zeroPad = params.padValue == PadValue::Zero;
    plan.countPad = params.countIncludePad;
    plan.stepRows = std::min(plan.strideH, plan.kernelH);
    plan.stepColumns = std::min(plan.strideW, plan.kernelW);
    plan.overlap = ceilDiv(plan.kernelH, plan.stepRows);
    plan.lastRows = plan.kernelH - (plan.overlap - 1) * plan.stepRows;
}

/// Windows that reach `elements` neighbours along one axis, at most.
int windowsOf(std::int64_t elements, std::int64_t kernel, std::int64_t stride, std::int64_t out) {
    return static_cast<int>(std::min((elements + kernel - 2) / stride + 1, out));
}

/// Pieces of a column of windows: as many as occupy a block's threads, of an odd number of windows where
/// lanes of a warp walk in several and would otherwise meet in the same banks.
void cutBands(PatchPlan& plan) {
    const int across = plan.planes * plan.windowColumns;
    plan.bands = std::clamp(kPatchBlock / across, 1, plan.windowRows);
    plan.bandRows = ceilDiv(plan.windowRows, plan.bands);
    if (plan.bands > 1 && plan.bandRows % 2 == 0 && plan.windowColumns < 32)
        ++plan.bandRows;
    plan.bands = ceilDiv(plan.windowRows, plan.bandRows);
}

/// Shared memory, in the order in which PatchMemory has it; false where there is not so much.
bool layOut(PatchPlan& plan, bool backward) {
    const std::int64_t planes = plan.planes, elements = planes * plan.rows * plan.columns;
    const std::int64_t windows = planes * plan.windowRows * plan.windowColumns;
    std::int64_t bytes = 0;
    const auto put = [&bytes](std::int64_t size) {
        const auto at = static_cast<int>(std::min<std::int64_t>(bytes, kPatchBytes));
        bytes += (size + 15) / 16 * 16;
        return at;
    };
    if (!backward || !plan.average)
        put(std::max(4 * planes * plan.planePitch, plan.listed ? 2 * elements : 0));
    if (backward) {
        plan.gradientsAt = put(4 * windows);
        plan.targetsAt = put(plan.average ? 0 : 2 * windows);
        plan.rangesAt = put(4 * (1 + std::int64_t{plan.rows} + plan.columns));
        plan.chosenAt = put(plan.listed ? elements : 0);
    }
    plan.sharedBytes = static_cast<int>(std::min<std::int64_t>(bytes, kPatchBytes + 1));
    return bytes <= kPatchBytes && elements < kMostElements;
}

/// A thread's instructions for one row of one window, for each window that the row belongs to, and for a
/// window.
struct WalkCost {
    double line, slot, emit;
};

WalkCost walkCost(const PatchPlan& plan, bool backward) {
    const double take = plan.average ? 0.8 : backward ? 4.8 : 3.2;
    const auto slots =
        *std::find_if(kPatchSlots.begin(), kPatchSlots.end(), [&](int most) { return plan.overlap <= most; });
    const double ask = slots <= 3 && plan.kernelW <= 4 ? 9 : 19;
    return {ask + plan.kernelW + take * (plan.kernelW - 1), take * slots,
            backward       ? 29.0
            : plan.average ? 19.0
                           : 2.0};
}

constexpr double kWarps = kPatchBlock / 32.0;

/// Instructions of a block's warps for `lines` rows of so many columns that 2 to the power of `lanes` threads
/// share: `line` for each, `each` for a thread's column.
double byRows(double lines, int columns, int lanes, double line, double each) {
    const double steps = std::ceil(static_cast<double>(columns) / (1 << lanes));
    return std::ceil(lines * (1 << lanes) / kPatchBlock) * kWarps * (line + steps * each);
}

/// The same where threads share out elements.
double byElements(double elements, double each) {
    return std::ceil(elements / kPatchBlock) * kWarps * each;
}

double copyInstructions(const PatchPlan& plan) {
    const bool disjoint = plan.strideH > plan.kernelH || plan.strideW > plan.kernelW;
    if (plan.linear)
        return byElements(double(plan.planes) * std::min(plan.inputRows, plan.height) * plan.width, 22) +
               byElements(double(plan.planes) * plan.planePitch / 4, 8);
    return byRows(double(plan.planes) * plan.inputRows, plan.inputColumns, plan.inputLanes, 47,
                  disjoint ? 16 : 10);
}

double walkInstructions(const PatchPlan& plan, bool backward) {
    const WalkCost cost = walkCost(plan, backward);
    const double items = static_cast<double>(plan.planes) * plan.bands * plan.windowColumns;
    const double rows = (plan.bandRows - 1.0) * plan.stepRows + plan.kernelH;
    return std::ceil(items / 32) * (8 + rows * (cost.line + cost.slot) + plan.bandRows * cost.emit);
}

/// Of the gradients of windows, and the elements that collect them.
double collectInstructions(const PatchPlan& plan) {
    const double down = std::ceil(double(plan.kernelH) / plan.strideH);
    const double covering = down * std::ceil(double(plan.kernelW) / plan.strideW);
    const double collects = 15 + down * 6 + covering * (plan.average ? 2.1 : 2.7);
    const double each = plan.listed ? 12 + 0.02 * (20 + collects) : collects,
                 lines = double(plan.planes) * plan.rows;
    return byRows(double(plan.planes) * plan.windowRows, plan.windowColumns, plan.windowLanes, 47,
                  plan.average ? 24 : 6) +
           (plan.linear ? byElements(lines * plan.columns, 12 + each)
                        : byRows(lines, plan.columns, plan.resultLanes, 47, each));
}

/// Instructions of a block's warps for one patch.
double patchInstructions(const PatchPlan& plan, bool backward) {
    const bool reads = !backward || !plan.average;
    return 60 * kWarps + (reads ? copyInstructions(plan) + walkInstructions(plan, backward) : 0) +
           (backward ? collectInstructions(plan) : 0);
}

double expectedCycles(const PatchPlan& plan, bool backward, const DeviceLimits& device) {
    const double instructions = patchInstructions(plan, backward);
    const double resident = std::clamp(std::floor(device.sharedPerBlock / (plan.sharedBytes + 1024.0)), 1.0,
                                       double(device.threadsPerMultiprocessor) / kPatchBlock);
    const double patches = std::ceil(double(plan.patches) / device.multiprocessors);
    const double lone = kLatency + instructions / kWarps * kDependent;
    const double result = double(plan.planes) * plan.rows * plan.columns;
    const double touched =
        std::clamp(double(plan.strideW) / plan.kernelW, 1.0, 8.0 / std::min(plan.kernelW, 8));
    const double input = double(plan.planes) * plan.inputRows * plan.inputColumns * touched;
    const double windows = double(plan.planes) * plan.windowRows * plan.windowColumns;
    const double bytes = 4 * (result + (plan.average && backward ? 0 : input) + (backward ? windows : 0));
    const double busy = std::max(instructions / kWarpInstructions, bytes / kBytes);
    return std::max(patches * busy, std::ceil(patches / resident) * lone) + 0.2 * lone + kStart;
}

/// Fills in what follows from the size of a patch; false where it does not fit.
bool complete(PatchPlan& plan, bool backward) {
    plan.down = ceilDiv(backward ? plan.height : plan.outHeight, plan.rows);
    plan.across = ceilDiv(backward ? plan.width : plan.outWidth, plan.columns);
    plan.patches = ceilDiv<std::int64_t>(plan.allPlanes, plan.planes) * plan.down * plan.across;
    plan.windowRows = backward ? windowsOf(plan.rows, plan.kernelH, plan.strideH, plan.outHeight) : plan.rows;
    plan.windowColumns =
        backward ? windowsOf(plan.columns, plan.kernelW, plan.strideW, plan.outWidth) : plan.columns;
    const std::int64_t inputRows = (plan.windowRows - std::int64_t{1}) * plan.stepRows + plan.kernelH;
    const std::int64_t inputColumns =
        (plan.windowColumns - std::int64_t{1}) * plan.stepColumns + plan.kernelW;
    if (std::max(inputRows, inputColumns) * 4 > kPatchBytes || inputRows * inputColumns * 4 > kPatchBytes)
        return false;
    plan.inputRows = static_cast<int>(inputRows), plan.inputColumns = static_cast<int>(inputColumns);
    // Windows of 2, 4 or 8 columns side by side begin in few banks; none of them spans 32 columns' end.
    plan.skew = plan.stepColumns == plan.kernelW && plan.inputColumns > 32 &&
                        (plan.kernelW == 2 || plan.kernelW == 4 || plan.kernelW == 8)
                    ? 1
                    : 0;
    plan.pitch = (plan.inputColumns + plan.skew * (plan.inputColumns >> 5)) | 1;
    plan.planePitch = plan.inputRows * plan.pitch | 1;
    if (!layOut(plan, backward))
        return false;
    cutBands(plan);
    plan.linear = plan.across == 1 && plan.width <= kShortRow && plan.strideW <= plan.kernelW &&
                  plan.strideH <= plan.kernelH;
    plan.inputLanes = lanesFor(plan.inputColumns);
    plan.windowLanes = lanesFor(plan.windowColumns);
    plan.resultLanes = lanesFor(plan.columns);
    return true;
}

void fillDivisions(PatchPlan& plan) {
    plan.byKernelH = FastDivision(plan.kernelH), plan.byKernelW = FastDivision(plan.kernelW);
    plan.byStrideH = FastDivision(plan.strideH), plan.byStrideW = FastDivision(plan.strideW);
    plan.byWidth = FastDivision(plan.width), plan.byInputRows = FastDivision(plan.inputRows);
    plan.byCopiedRows = FastDivision(std::clamp(plan.inputRows - plan.padTop, 1, plan.height));
    plan.byWindowRows = FastDivision(plan.windowRows),
    plan.byWindowColumns = FastDivision(plan.windowColumns);
    plan.byRows = FastDivision(plan.rows), plan.byColumns = FastDivision(plan.columns);
    plan.byBands = FastDivision(plan.bands);
}

/// Sizes of pieces along one axis, even ones.
template <class Use>
void forPieces(int all, int least, const Use& use) {
    int last = 0;
    for (int pieces = 1; pieces <= all; pieces += std::max(1, pieces / 2)) {
        const int size = ceilDiv(all, pieces);
        if (pieces > 1 && size < least)
            return;
        if (size != last)
            use(size);
        last = size;
    }
}

/// Without the size of a patch; nothing where there is no kernel.
std::optional<PatchPlan> planWithoutSize(const PoolParams& params, const Shape4& src, const Shape4& out,
                                         bool backward) {
    if (std::max({src.h, src.w, params.kernel.h, params.kernel.w}) >= kMostPatchSide)
        return {};
    PatchPlan plan;
    fillShape(plan, params, src, out);
    if (plan.overlap > kPatchSlots.back())
        return {};
    const std::int64_t covering =
        ceilDiv<std::int64_t>(plan.kernelW, plan.strideW) * ceilDiv<std::int64_t>(plan.kernelH, plan.strideH);
    plan.listed = backward && !plan.average && covering >= 8;
    return plan;
}

} // namespace

std::optional<PatchPlan> planPatches(const PoolParams& params, const Shape4& src, bool backward,
                                     const DeviceLimits& device, const PatchSize& size) {
    auto plan = planWithoutSize(params, src, *poolOutputShape(params, src), backward);
    if (!plan)
        return {};
    plan->planes = size.planes, plan->rows = size.rows, plan->columns = size.columns;
    if (!complete(*plan, backward) || (size.planes > 1 && plan->down * plan->across > 1))
        return {};
    plan->cycles = expectedCycles(*plan, backward, device);
    fillDivisions(*plan);
    return plan;
}

std::optional<PatchPlan> planPatches(const PoolParams& params, const Shape4& src, bool backward,
                                     const DeviceLimits& device) {
    const Shape4 out = *poolOutputShape(params, src);
    auto shape = planWithoutSize(params, src, out, backward);
    if (!shape)
        return {};
    PatchPlan& plan = *shape;
    std::optional<PatchPlan> best;
    const auto consider = [&] {
        if (!complete(plan, backward))
            return false;
        plan.cycles = expectedCycles(plan, backward, device);
        if (!best || plan.cycles < best->cycles)
            best = plan;
        return true;
    };
    const int rows = static_cast<int>(backward ? src.h : out.h);
    const int columns = static_cast<int>(backward ? src.w : out.w);
    forPieces(columns, 16, [&](int across) {
        plan.columns = across;
        if (across > 1024)
            return;
        forPieces(rows, 1, [&](int down) {
            plan.rows = down;
            plan.planes = 1;
            bool fits = consider();
            for (int planes = 2;
                 fits && down == rows && across == columns && planes <= plan.allPlanes && planes <= 512;
                 planes += std::max(1, planes / 2)) {
                plan.planes = planes;
                fits = consider();
            }
        });
    });
    if (best)
        fillDivisions(*best);
    return best;
}

} // namespace heteroscope::compute::nvidia
