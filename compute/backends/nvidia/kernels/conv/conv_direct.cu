// SPDX-License-Identifier: Apache-2.0
// Convolutions, and gradients of their input, whose groups have few results (depthwise ones above all): the
// tiles of a matrix product would be mostly empty. How the work is cut, what it is expected to take, and the
// start of the kernel. Limited by its reads where a group has one channel, else by fp32 issue.
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"
#include "compute/backends/nvidia/kernels/conv/conv_direct_kernel.cuh"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kRows = 4, kManyRows = 8; ///< of a thread; many with one filter
constexpr int kStagedBytes = 16 * 1024; ///< weights in shared memory, unless those of one channel are more
constexpr int kMostShared = 48 * 1024;
constexpr std::int64_t kThreadsPerMultiprocessor = 1024; ///< wanted

struct DirectCut {
    int filters, rows;
    dim3 threads;
    std::int64_t blocks;
    int sharedBytes;
};

std::int64_t parts(std::int64_t whole, std::int64_t part) {
    return (whole + part - 1) / part;
}

int filtersOfThread(int groupFilters) {
    return groupFilters > 4 ? 8 : groupFilters > 2 ? 4 : groupFilters;
}

/// What correlate() is compiled for.
struct CompiledTaps {
    int taps = 0, stride = 0;
};

CompiledTaps compiledTaps(const DirectProblem& p, int filters, int rows) {
    if (p.y.mostTaps() == 1 && p.x.mostTaps() == 1)
        return {1, 0};
    if (p.y.count() > 1)
        return {};
    const CorrelationAxis& y = p.y.only().axis;
    if (y.taps != 3 && y.taps != 5 && y.taps != 7)
        return {};
    const int stride = y.dilation == 1 && y.stride <= 2 ? y.stride : 0;
    if (rows == 1)
        return y.taps <= 5 ? CompiledTaps{y.taps, 0} : CompiledTaps{};
    if (stride == 1)
        return {y.taps, 1};
    return rows == kRows && filters <= 2 && (stride == 2 || y.taps <= 5) ? CompiledTaps{y.taps, stride}
                                                                         : CompiledTaps{};
}

/// Fewer rows a thread, and several threads for one place of the result, where there are few results.
DirectCut cut(DirectProblem& p, const DeviceLimits& device) {
    DirectCut c{};
    const std::int64_t wanted = device.multiprocessors * kThreadsPerMultiprocessor;
    const std::int64_t taps = std::int64_t{p.y.mostTaps()} * p.x.mostTaps();
    const std::int64_t phases = std::int64_t{p.y.count()} * p.x.count();
    c.filters = filtersOfThread(p.groupFilters);
    while (c.filters > 1 && taps * c.filters * std::int64_t{sizeof(float)} > kMostShared)
        c.filters /= 2;
    const std::int64_t chunks = parts(p.groupFilters, c.filters);
    const auto itemsOf = [&](int rows) {
        return std::int64_t{p.batch} * parts(p.y.mostOutputs(), rows) * p.x.mostOutputs();
    };
    const std::int64_t others = p.groups() * chunks * phases;
    c.rows = p.y.mostOutputs() >= kRows - 1 && itemsOf(kRows) * others >= wanted / 2 ? kRows : 1;
    const auto computed = [&](int rows) { return parts(p.y.mostOutputs(), rows) * rows; };
    const CompiledTaps compiled = compiledTaps(p, c.filters, c.rows);
    const bool strided = compiled.taps > 1 && compiled.stride != 1;
    if (c.filters == 1 && c.rows == kRows && !strided && itemsOf(kManyRows) * others >= wanted &&
        8 * computed(kManyRows) <= 9 * computed(kRows))
        c.rows = kManyRows;
    const std::int64_t items = itemsOf(c.rows);
    int wide = int(std::min<std::int64_t>(kThreads / 2, parts(items, 32) * 32)), split = 1;
    while (parts(items, wide) * wide * others * split < wanted && p.groupChannels >= 4 * split && split < 8) {
        split *= 2;
        wide = std::min(wide, kThreads / split / 32 * 32);
    }
    c.threads = dim3(unsigned(wide), unsigned(split));
    const std::int64_t ofChannel = taps * c.filters * std::int64_t{sizeof(float)};
    p.staged = int(
        std::clamp<std::int64_t>(kStagedBytes / std::max<std::int64_t>(ofChannel, 1), 1, p.groupChannels));
    const std::int64_t summed = split > 1 ? std::int64_t{wide} * split * c.rows * c.filters * 4 : 0;
    c.sharedBytes = int(std::max(c.filters > 1 ? p.staged * ofChannel : 0, summed));
    p.items = unsigned(items);
    const std::int64_t itemBlocks = parts(items, wide);
    c.blocks = itemBlocks * others;
    p.overColumns = FastDivision(p.x.mostOutputs());
    p.overRows = FastDivision(parts(p.y.mostOutputs(), c.rows));
    p.overPhases = FastDivision(phases);
    p.overItemBlocks = FastDivision(itemBlocks);
    p.overGroupChunks = FastDivision(chunks);
    p.overPhasesX = FastDivision(p.x.count());
    return c;
}

DirectProblem forwardProblem(const ConvGeometry& g) {
    DirectProblem p{};
    p.y = PhasedAxis(forwardAxis(g.outHeight, g.kernelH, g.strideH, g.top, g.dilationH));
    p.x = PhasedAxis(forwardAxis(g.outWidth, g.kernelW, g.strideW, g.left, g.dilationW));
    p.channels = g.channels, p.height = g.height, p.width = g.width;
    p.filters = g.filters, p.resultHeight = g.outHeight, p.resultWidth = g.outWidth;
    p.groupChannels = g.groupChannels, p.groupFilters = g.groupFilters;
    p.filterStride = unsigned(g.groupChannels) * g.window.divisor, p.channelStride = g.window.divisor;
    p.batch = g.batch, p.kernelW = g.kernelW, p.window = g.window.divisor;
    return p;
}

DirectProblem dataProblem(const ConvGeometry& g) {
    DirectProblem p{};
    if (g.windowElements() == 1) { // a single phase has it: rather zeros between than rows written in parts
        p.y = PhasedAxis(CorrelationAxis{g.height, 0, 1, 1, g.top, 1, 1, 0, 1});
        p.x = PhasedAxis(CorrelationAxis{g.width, 0, 1, 1, g.left, 1, 1, 0, 1});
        p.everyRow = FastDivision(g.strideH), p.everyColumn = FastDivision(g.strideW);
    } else {
        p.y = PhasedAxis(GradientAxis(g.height, g.kernelH, g.strideH, g.top, g.dilationH));
        p.x = PhasedAxis(GradientAxis(g.width, g.kernelW, g.strideW, g.left, g.dilationW));
    }
    p.channels = g.filters, p.height = g.outHeight, p.width = g.outWidth;
    p.filters = g.channels, p.resultHeight = g.height, p.resultWidth = g.width;
    p.groupChannels = g.groupFilters, p.groupFilters = g.groupChannels;
    p.filterStride = g.window.divisor, p.channelStride = unsigned(g.groupChannels) * g.window.divisor;
    p.batch = g.batch, p.kernelW = g.kernelW, p.window = g.window.divisor;
    return p;
}

template <int Value>
using Int = std::integral_constant<int, Value>;

cudaError_t launchDirect(DirectProblem p, const Epilogue& epilogue, const KernelOperands& o) {
    const DirectCut c = cut(p, o.device);
    if (c.blocks > std::numeric_limits<int>::max() || c.sharedBytes > kMostShared)
        return cudaErrorInvalidConfiguration;
    const auto start = [&](auto filters, auto rows, auto taps, auto stride) {
        correlate<filters(), rows(), taps(), stride()>
            <<<unsigned(c.blocks), c.threads, std::size_t(c.sharedBytes), o.stream>>>(p, o.src[0], o.src[1],
                                                                                      epilogue, o.dst[0]);
        return cudaGetLastError();
    };
    const CompiledTaps compiled = compiledTaps(p, c.filters, c.rows);
    const auto withStride = [&](auto filters, auto rows, auto taps) {
        if constexpr (filters() <= 2 && rows() == kRows) {
            if (compiled.stride == 2)
                return start(filters, rows, taps, Int<2>());
            if constexpr (taps() <= 5)
                if (compiled.stride == 0)
                    return start(filters, rows, taps, Int<0>());
        }
        return start(filters, rows, taps, Int<1>());
    };
    const auto withRows = [&](auto filters, auto rows) {
        switch (compiled.taps) {
        case 1:
            return start(filters, rows, Int<1>(), Int<0>());
        case 3:
            return withStride(filters, rows, Int<3>());
        case 5:
            return withStride(filters, rows, Int<5>());
        case 7:
            return withStride(filters, rows, Int<7>());
        default:
            return start(filters, rows, Int<0>(), Int<0>());
        }
    };
    const auto withFilters = [&](auto filters) {
        if (c.rows == 1)
            return compiled.taps == 1   ? start(filters, Int<1>(), Int<1>(), Int<0>())
                   : compiled.taps == 3 ? start(filters, Int<1>(), Int<3>(), Int<0>())
                   : compiled.taps == 5 ? start(filters, Int<1>(), Int<5>(), Int<0>())
                                        : start(filters, Int<1>(), Int<0>(), Int<0>());
        if constexpr (filters() == 1)
            if (c.rows == kManyRows)
                return withRows(filters, Int<kManyRows>());
        return withRows(filters, Int<kRows>());
    };
    switch (c.filters) {
    case 1:
        return withFilters(Int<1>());
    case 2:
        return withFilters(Int<2>());
    case 4:
        return withFilters(Int<4>());
    default:
        return withFilters(Int<8>());
    }
}

std::string_view refusalOf(DirectProblem p, const DeviceLimits& device) {
    const DirectCut c = cut(p, device);
    return c.sharedBytes > kMostShared                  ? kNoSharedMemory
           : c.blocks > std::numeric_limits<int>::max() ? kMoreThanAGrid
                                                        : std::string_view();
}

/// Fitted to 220 convolutions and gradients drawn at random on an H100 (root mean square of the logarithm of
/// the ratio 0.25): what the threads of a multiprocessor issue, and the wait of each for its channels and
/// taps.
double expectedCycles(DirectProblem p, double megabytes, const DeviceLimits& device) {
    if (!refusalOf(p, device).empty())
        return std::numeric_limits<double>::infinity();
    const DirectCut c = cut(p, device);
    const double threads =
        double(c.blocks) * c.threads.x * c.threads.y / 128 / device.multiprocessors; // in warps a scheduler
    const double channels = double(p.groupChannels) / c.threads.y;
    // Each tap of the window belongs to one phase.
    const double phases = double(p.y.busyCount()) * double(p.x.busyCount());
    const double busy = threads * phases / double(p.y.count()) / double(p.x.count());
    const double taps = double(p.window) / phases, steps = channels * taps;
    const double issued = busy * steps * (c.rows * (1.57 * c.filters + 5.68) + 3) +
                          threads * 72.2 * c.rows * c.filters + busy * 26 * channels;
    const double waited = taps <= 1 ? 277 * channels : 1050 * channels + 175 * steps;
    const double many = taps <= 1 && p.groupChannels >= 128 ? 1.3 : 1; // the ratio of 5 others with so many
    const bool compiled = compiledTaps(p, c.filters, c.rows).taps > 1;
    const double known = !compiled ? 1 : c.filters <= 2 && p.groupChannels > 1 ? 0.68 : 0.85;
    // Of gradients with strides; many reads of one result, most of which are zeros.
    const bool zeros = p.everyRow.divisor > 1 && p.groupFilters == 1 && p.groupChannels > 1;
    const double spread = zeros ? 1.9 : p.y.count() > 1 || p.everyRow.divisor > 1 ? 1.12 : 1;
    return many * known * spread * (issued + waited) + 313 * megabytes + 3140;
}

} // namespace

std::string_view directForwardRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    return refusalOf(forwardProblem(g), device);
}

std::string_view directDataRefusal(const ConvGeometry& g, const DeviceLimits& device) {
    return refusalOf(dataProblem(g), device);
}

double directForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(forwardProblem(g), g.operandMegabytes(), device);
}

double directDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    return expectedCycles(dataProblem(g), g.operandMegabytes(), device);
}

cudaError_t directForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchDirect(forwardProblem(g), epilogue, o);
}

cudaError_t directBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchDirect(dataProblem(g), epilogue, o);
}

} // namespace heteroscope::compute::nvidia
