// SPDX-License-Identifier: Apache-2.0
// Convolutions, and gradients of their input, whose groups have few results (depthwise ones above all): the
// tiles of a matrix product would be mostly empty. A thread computes a few rows of one column for several
// channels of the result; the block's weights lie in shared memory, the operand is read through the
// first-level cache. Limited by those reads where a group has one channel, else by fp32 issue.
#include "compute/backends/nvidia/kernels/conv/conv_axis.h"
#include "compute/backends/nvidia/kernels/conv/conv_direct.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kThreads = 256;
constexpr int kRows = 4, kManyRows = 8; ///< of a thread; many with one filter
constexpr int kStagedBytes = 16 * 1024; ///< weights in shared memory, unless those of one channel are more
constexpr int kMostShared = 48 * 1024;
constexpr std::int64_t kThreadsPerMultiprocessor = 1024; ///< wanted

/// "Channels" are the operand's, "filters" the result's.
struct DirectProblem {
    PhasedAxis y, x;
    int channels, height, width;
    int filters, resultHeight, resultWidth;
    int groupChannels, groupFilters, batch;
    unsigned filterStride, channelStride; ///< in the weights
    int kernelW;
    unsigned window; ///< weights of a channel and a filter
    /// Of a window of one place: only rows and columns that these divide are there, see dataProblem().
    FastDivision everyRow, everyColumn;
    // The cut, see cut().
    int staged;     ///< channels whose weights lie in shared memory at a time
    unsigned items; ///< columns of as many rows as a thread has
    FastDivision overColumns, overRows, overPhases, overPhasesX, overItemBlocks, overGroupChunks;

    std::int64_t groups() const { return channels / groupChannels; }
};

/// What a block works at.
struct BlockWork {
    int group, firstFilter;
    unsigned firstItem;
    AxisPhase phaseY, phaseX;
    CorrelationAxis y, x;

    /// Phases follow each other in the grid: what they write lies between what the others do.
    __device__ BlockWork(const DirectProblem& p, int filters) {
        unsigned phase = blockIdx.x;
        unsigned items = p.overPhases.split(phase);
        unsigned chunk = p.overItemBlocks.split(items);
        firstItem = items * blockDim.x;
        group = int(p.overGroupChunks.split(chunk));
        firstFilter = int(chunk) * filters;
        phaseY = p.y.at(int(p.overPhasesX.split(phase)));
        phaseX = p.x.at(int(phase));
        y = phaseY.axis, x = phaseX.axis;
    }
};

template <int Filters>
__device__ void loadWeights(const float* from, float (&w)[Filters]) {
    if constexpr (Filters % 4 == 0) {
#pragma unroll
        for (int f = 0; f < Filters; f += 4) {
            const float4 four = *reinterpret_cast<const float4*>(from + f);
            w[f] = four.x, w[f + 1] = four.y, w[f + 2] = four.z, w[f + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int f = 0; f < Filters; ++f)
            w[f] = from[f];
    }
}

/// Where weights of the block's filters lie: of the first tap of a channel, and the strides to the
/// next channel, the next row of taps and the next column of taps.
struct WeightsAt {
    const float* first;
    std::ptrdiff_t channelStride;
    int rowStride, columnStride;
};

/// Whether a block's weights go to shared memory; those of a single filter are read where they are, by all
/// threads at once.
template <int Filters>
constexpr bool kStaged = Filters > 1;

/// Of `count` channels: channel, tap's column, tap's row, then filter; zeros beyond the group's last filter.
template <int Filters>
__device__ void stageWeights(const DirectProblem& p, const BlockWork& work, const float* weights, int count,
                             float* shared) {
    const unsigned taps = unsigned(work.y.taps * work.x.taps), all = unsigned(count) * taps * Filters;
    const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (unsigned i = thread; i < all; i += threads) {
        const unsigned filter = i % Filters, place = i / Filters;
        const unsigned channel = place / taps, tap = place % taps;
        const int column = int(tap / unsigned(work.y.taps)), row = int(tap % unsigned(work.y.taps));
        const int inWindow =
            (work.y.firstTap + row * work.y.tapStep) * p.kernelW + work.x.firstTap + column * work.x.tapStep;
        const bool there = work.firstFilter + int(filter) < p.groupFilters;
        shared[i] = there ? weights[std::size_t(filter) * p.filterStride +
                                    std::size_t(channel) * p.channelStride + inWindow]
                          : 0.0F;
    }
}

/// Whether all columns of a window are read before they are added: not where that takes too many registers.
template <int Filters, int Taps>
constexpr bool kUnrollsColumns = Filters <= 2 && Taps > 1 && Taps <= 5;

/// What a thread works at: `Rows` rows of a column of the result, counted in outputs of the axes.
template <int Filters, int Rows>
struct ThreadWork {
    unsigned image;
    int column, row;
    int left, top; ///< of the first tap in the operand
    bool active;
    float sums[Rows][Filters] = {};

    __device__ ThreadWork(const DirectProblem& p, const BlockWork& work) {
        const unsigned item = work.firstItem + threadIdx.x;
        unsigned inRow = item;
        unsigned rows = p.overColumns.split(inRow);
        image = p.overRows.split(rows);
        column = int(inRow), row = int(rows) * Rows;
        active = item < p.items && column < work.x.outputs && row < work.y.outputs;
        left = column * work.x.stride + work.x.offset;
        top = row * work.y.stride + work.y.offset;
    }

    /// Adds a plane of the operand; `weights` of its channel. Taps and Stride as correlate() says.
    template <int Taps, int Stride>
    __device__ void add(const DirectProblem& p, const BlockWork& work, const float* plane,
                        WeightsAt weights) {
        const auto at = [&](int y, int x, bool inside) {
            return inside && unsigned(y) < unsigned(p.height) ? plane[y * p.width + x] : 0.0F;
        };
        constexpr int kColumns = kUnrollsColumns<Filters, Taps> ? Taps : 1; // whose reads wait together
#pragma unroll kColumns
        for (int j = 0; j < work.x.taps; ++j, weights.first += weights.columnStride) {
            const int x = left + j * work.x.dilation;
            const bool inside = unsigned(x) < unsigned(p.width);
            if constexpr (Taps > 0 && Stride > 0) {
                constexpr int kRead = (Rows - 1) * Stride + Taps;
                float in[kRead];
#pragma unroll
                for (int i = 0; i < kRead; ++i)
                    in[i] = at(top + i, x, inside);
#pragma unroll
                for (int i = 0; i < Taps; ++i) {
                    float ofTap[Rows];
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        ofTap[r] = in[r * Stride + i];
                    multiplyAdd(ofTap, weights.first + i * weights.rowStride);
                }
            } else if constexpr (Taps > 0) {
                float in[Taps][Rows];
#pragma unroll
                for (int i = 0; i < Taps; ++i)
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        in[i][r] = at(top + r * work.y.stride + i * work.y.dilation, x, inside);
#pragma unroll
                for (int i = 0; i < Taps; ++i)
                    multiplyAdd(in[i], weights.first + i * weights.rowStride);
            } else {
#pragma unroll 2
                for (int i = 0; i < work.y.taps; ++i) {
                    float in[Rows];
#pragma unroll
                    for (int r = 0; r < Rows; ++r)
                        in[r] = at(top + r * work.y.stride + i * work.y.dilation, x, inside);
                    multiplyAdd(in, weights.first + i * weights.rowStride);
                }
            }
        }
    }

    /// The same of `count` planes, every blockDim.y-th, where the window is a single place.
    __device__ void addPlaces(const DirectProblem& p, const BlockWork& work, const float* planes, int count,
                              const WeightsAt& weights) {
        const int planeStride = p.height * p.width;
        int offsets[Rows];
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            unsigned restY = unsigned(top + r * work.y.stride), restX = unsigned(left);
            const unsigned y = p.everyRow.split(restY), x = p.everyColumn.split(restX);
            const bool inside = (restX | restY) == 0 && x < unsigned(p.width) && y < unsigned(p.height);
            offsets[r] = inside ? int(y) * p.width + int(x) : -1;
        }
        planes += std::ptrdiff_t(threadIdx.y) * planeStride;
#pragma unroll 4
        for (int c = int(threadIdx.y); c < count; c += int(blockDim.y)) {
            float in[Rows];
#pragma unroll
            for (int r = 0; r < Rows; ++r)
                in[r] = offsets[r] >= 0 ? planes[offsets[r]] : 0.0F;
            multiplyAdd(in, weights.first + c * weights.channelStride);
            planes += std::ptrdiff_t(blockDim.y) * planeStride;
        }
    }

    /// Threads of one place of the result share the channels; the first one adds their sums in order.
    __device__ void addParts(float* shared) {
        constexpr int kSums = Rows * Filters;
        const int sumStride = int(blockDim.x);
        float* const mine = shared + threadIdx.x;
#pragma unroll
        for (int i = 0; i < kSums; ++i)
            mine[(int(threadIdx.y) * kSums + i) * sumStride] = sums[i / Filters][i % Filters];
        __syncthreads();
        for (int other = 1; threadIdx.y == 0 && other < int(blockDim.y); ++other)
#pragma unroll
            for (int i = 0; i < kSums; ++i)
                sums[i / Filters][i % Filters] += mine[(other * kSums + i) * sumStride];
    }

    __device__ void store(const DirectProblem& p, const BlockWork& work, const Epilogue& epilogue,
                          float* dst) const {
        const unsigned plane = unsigned(p.resultHeight) * unsigned(p.resultWidth);
        const unsigned filter = unsigned(work.group * p.groupFilters + work.firstFilter);
        const unsigned first = image * unsigned(p.filters) + filter;
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int f = 0; f < Filters; ++f)
                if (row + r < work.y.outputs && work.firstFilter + f < p.groupFilters) {
                    const std::size_t index =
                        std::size_t(first + f) * plane +
                        unsigned((work.y.first + (row + r) * work.y.step) * p.resultWidth + work.x.first +
                                 column * work.x.step);
                    dst[index] = epilogue.of(sums[r][f], filter + f, index);
                }
    }

  private:
    __device__ void multiplyAdd(const float* in, const float* staged) {
        float w[Filters];
        loadWeights(staged, w);
#pragma unroll
        for (int r = 0; r < Rows; ++r)
#pragma unroll
            for (int f = 0; f < Filters; ++f)
                sums[r][f] = fmaf(in[r], w[f], sums[r][f]);
    }
};

/// Taps: rows of the window where known when compiled; 1: one place is the whole window, or all that a phase
/// has of it; 0: any. Stride: of the rows, whose taps lie together in the operand; 0: of any stride and
/// dilation.
template <int Filters, int Rows, int Taps, int Stride>
__global__ void __launch_bounds__(kThreads)
    correlate(const DirectProblem p, const float* src, const float* weights, Epilogue epilogue, float* dst) {
    extern __shared__ __align__(16) float shared[];
    const BlockWork work(p, Filters);
    ThreadWork<Filters, Rows> thread(p, work);
    const int plane = p.height * p.width, taps = work.y.taps * work.x.taps;
    const float* const input =
        src +
        std::size_t(thread.image * unsigned(p.channels) + unsigned(work.group * p.groupChannels)) * plane;
    weights += std::size_t(work.group) * p.groupChannels * p.groupFilters * p.window +
               std::size_t(work.firstFilter) * p.filterStride;
    const auto addPlanes = [&](const float* planes, int count, WeightsAt at) {
        if constexpr (Taps == 1) {
            if (thread.active && taps == 1)
                thread.addPlaces(p, work, planes, count, at);
        } else if (thread.active) {
            planes += std::ptrdiff_t(threadIdx.y) * plane;
            at.first += std::ptrdiff_t(threadIdx.y) * at.channelStride;
            for (int c = int(threadIdx.y); c < count; c += int(blockDim.y)) {
                thread.template add<Taps, Stride>(p, work, planes, at);
                planes += std::ptrdiff_t(blockDim.y) * plane;
                at.first += std::ptrdiff_t(blockDim.y) * at.channelStride;
            }
        }
    };
    if constexpr (kStaged<Filters>) {
        for (int first = 0; first < p.groupChannels; first += p.staged) {
            const int count = min(p.staged, p.groupChannels - first);
            stageWeights<Filters>(p, work, weights + std::size_t(first) * p.channelStride, count, shared);
            __syncthreads();
            addPlanes(input + std::ptrdiff_t(first) * plane, count,
                      {shared, taps * Filters, Filters, work.y.taps * Filters});
            __syncthreads();
        }
    } else {
        addPlanes(input, p.groupChannels,
                  {weights + work.y.firstTap * p.kernelW + work.x.firstTap, std::ptrdiff_t(p.channelStride),
                   work.y.tapStep * p.kernelW, work.x.tapStep});
    }
    if (blockDim.y > 1)
        thread.addParts(shared);
    if (thread.active && threadIdx.y == 0)
        thread.store(p, work, epilogue, dst);
}

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
