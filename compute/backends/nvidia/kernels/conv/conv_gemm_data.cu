// SPDX-License-Identifier: Apache-2.0
// Gradients of the input of convolutions as implicit matrix products: flipped weights times the gradient over
// the pixels. With a stride each phase of the pixels (conv_axis.h) is a product of its own.
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"
#include "compute/backends/nvidia/kernels/conv/conv_phases.cuh"
#include "compute/backends/nvidia/kernels/conv/unroll.h"

#include <cmath>
#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

/// The matrix of columnsBackwardData() is to be worth its memory.
constexpr double kColumnsMargin = 1.1;

/// A step of k: filter and tap of the phase, as WindowSteps says of filters and taps.
struct Tap {
    unsigned filter;
    int i, j;

    template <WindowSteps Steps>
    static __device__ Tap of(const Phase& phase, unsigned k) {
        constexpr bool kTiled = WindowOrder<Steps>::kTiled;
        unsigned place = kTiled ? k / kTileSteps : k;
        unsigned row = phase.x.overTaps.split(place);
        const unsigned filter = phase.y.overTaps.split(row) * (kTiled ? kTileSteps : 1);
        return {filter, int(row), int(place)};
    }
};

/// rows: channels; k: filter and tap.
template <WindowSteps Steps>
struct WeightsOfChannel {
    static constexpr bool kTiled = WindowOrder<Steps>::kTiled;
    static constexpr bool kFast = true, kWhole = false, kEnds = !kTiled, kCheap = false;
    using Row = unsigned;
    ConvGeometry g;
    const float* weights;
    Phase phase;

    __device__ Row row(unsigned channel) const { return channel * g.window.divisor; }
    __device__ unsigned step(unsigned k) const {
        const Tap tap = Tap::of<Steps>(phase, k);
        const unsigned filter = tap.filter + (kTiled ? k % kTileSteps : 0);
        if (Steps == WindowSteps::Padded && filter >= unsigned(g.groupFilters))
            return kNowhere;
        const CorrelationAxis &y = phase.y.axis, &x = phase.x.axis;
        const int place = (y.firstTap + tap.i * y.tapStep) * g.kernelW + x.firstTap + tap.j * x.tapStep;
        return filter * unsigned(g.groupChannels) * g.window.divisor + unsigned(place);
    }
    __device__ Source at(Row row, unsigned step) const {
        return {weights + (row + step), Steps != WindowSteps::Padded || step != kNowhere};
    }
};

/// rows: pixels of the phase; k: filter and tap.
template <WindowSteps Steps>
struct GradientOverPixels {
    static constexpr bool kTiled = WindowOrder<Steps>::kTiled;
    static constexpr bool kFast = false, kWhole = kTiled, kEnds = !kTiled, kCheap = false;
    using Row = Place;
    ConvGeometry g;
    const float* dstGrad;
    Phase phase;

    __device__ Row row(unsigned pixel) const {
        unsigned y = phase.x.overOutputs.split(pixel);
        const unsigned image = phase.y.overOutputs.split(y);
        return {int(image) * g.filters * int(g.outPlane.divisor), int(y) + phase.y.axis.offset,
                int(pixel) + phase.x.axis.offset};
    }
    __device__ Tap step(unsigned k) const { return Tap::of<Steps>(phase, k); }
    __device__ Tap tile(unsigned k) const { return Tap::of<Steps>(phase, k); }
    __device__ unsigned stepsOf(const Tap& tile) const requires(Steps == WindowSteps::Padded) {
        return unsigned(g.groupFilters) - tile.filter;
    }
    __device__ std::size_t stride() const { return g.outPlane.divisor; }
    __device__ Source at(const Row& row, const Tap& tap) const {
        const int y = row.y + tap.i * phase.y.axis.dilation, x = row.x + tap.j * phase.x.axis.dilation;
        return {dstGrad + (row.offset + int(tap.filter * g.outPlane.divisor) + y * g.outWidth + x),
                unsigned(y) < unsigned(g.outHeight) && unsigned(x) < unsigned(g.outWidth)};
    }
};

/// Phases follow each other in the grid: what they write lies between what the others do.
template <WindowSteps Steps, class Store>
struct DataProduct {
    static constexpr bool kHasParts = std::is_same_v<Store, PixelsOfPhase>;
    unsigned m, n, k, groups;
    WeightsOfChannel<Steps> a;
    GradientOverPixels<Steps> b;
    Store store;
    Phases phases;
    unsigned parts, busyParts, filters; ///< filters: that k goes through

    __device__ void select(unsigned group, unsigned part) {
        const ConvGeometry& g = a.g;
        a.weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
        b.dstGrad += std::size_t(group) * g.groupFilters * g.outPlane.divisor;
        if constexpr (kHasParts) {
            const Phase phase = phases.at(part);
            n = unsigned(g.batch) * unsigned(phase.y.axis.outputs) * unsigned(phase.x.axis.outputs);
            k = filters * unsigned(phase.y.axis.taps) * unsigned(phase.x.axis.taps);
            a.phase = b.phase = store.phase = phase;
        } else {
            a.phase = b.phase = phases.only();
        }
        store.select(group);
    }
};

ProductSize dataSize(const ConvGeometry& g, WindowSteps steps) {
    const Phases phases(g);
    return {g.groupChannels,
            std::int64_t{g.batch} * phases.y.mostOutputs() * phases.x.mostOutputs(),
            channelsOfSteps(steps, g.groupFilters) * phases.y.mostTaps() * phases.x.mostTaps(),
            g.groups,
            steps == WindowSteps::AsWeights,
            phases.count(),
            phases.busyCount()};
}

double productCycles(const ConvGeometry& g, WindowSteps steps, const DeviceLimits& device) {
    const ProductSize size = dataSize(g, steps);
    const std::int64_t taps =
        channelsOfSteps(steps, g.groupFilters) * g.windowElements(); // each in one of the phases
    const double share = double(taps) / double(size.k) / double(size.busyParts);
    const ProductPlan plan = planProduct(size, device);
    if (size.parts == 1)
        return plan.cycles * share * (size.small ? 1.06 : 0.957) + 313 * plan.blocks;
    // Phases have more and fewer taps; empty ones are written too.
    return plan.cycles * share * (size.busyParts == 1 ? 1.13 : 0.957) + 811 * plan.blocks +
           0.255 * plan.empty;
}

WindowSteps stepsOf(const ConvGeometry& g, const DeviceLimits& device) {
    return soonestSteps(g.groupFilters, [&](WindowSteps steps) { return productCycles(g, steps, device); });
}

template <WindowSteps Steps, class Store>
cudaError_t launchData(const ConvGeometry& g, const Store& store, const KernelOperands& o) {
    const ProductSize size = dataSize(g, Steps);
    const DataProduct<Steps, Store> product{unsigned(size.m),
                                            unsigned(size.n),
                                            unsigned(size.k),
                                            unsigned(size.groups),
                                            {g, o.src[1], {}},
                                            {g, o.src[0], {}},
                                            store,
                                            Phases(g),
                                            unsigned(size.parts),
                                            unsigned(size.busyParts),
                                            unsigned(channelsOfSteps(Steps, g.groupFilters))};
    return launchProduct<Steps == WindowSteps::AsWeights>(product, o.workspace, o.device, o.stream);
}

template <WindowSteps Steps>
cudaError_t launchData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    if (!Phases(g).isWhole())
        return launchData<Steps>(g,
                                 PixelsOfPhase{o.dst[0], epilogue, g.plane.divisor, unsigned(g.width),
                                               unsigned(g.channels), unsigned(g.groupChannels)},
                                 o);
    return launchData<Steps>(g,
                             PlanesOfBatch{o.dst[0], epilogue, g.plane,
                                           unsigned(g.channels) * g.plane.divisor, unsigned(g.groupChannels)},
                             o);
}

ProductSize columnsSize(const ConvGeometry& g) {
    ProductSize size{g.groupChannels * g.windowElements(), g.outPixels(), g.groupFilters, g.groups};
    size.half = true;
    return size;
}

std::size_t columnsBytes(const ConvGeometry& g) {
    return scratchMatrixBytes(g.channels * g.windowElements(), g.outPixels());
}

/// How many images' columns are computed at a time.
int imagesOfColumns(const ConvGeometry& g) {
    return imagesAtOnce(g, double(g.channels) * double(g.windowElements()) * g.outHeight * g.outWidth);
}

double columnsRoundCycles(const ConvGeometry& g, const DeviceLimits& device) {
    const double inputs = double(g.pixels() * g.channels) * 1e-6;
    const double elements = double(g.channels) * double(g.windowElements()) * double(g.outPixels());
    const double window = double(g.windowElements());
    const double unit = g.strideH * g.strideW;
    const double rollUp = window == 1 ? 6020
                          : unit == 1 ? 12200 + 1290 * window
                                      : 12000 + 3420 * window / unit;
    const ProductPlan plan = planProduct(columnsSize(g), device);
    return 0.908 * plan.cycles + 322 * plan.blocks +
           (holdsVec4(g.outPlane) ? 609 : 790) * elements * sizeof(float) * 1e-6 + inputs * rollUp + 7540;
}

cudaError_t launchColumnsRound(const ConvGeometry& g, std::size_t first, const Epilogue& epilogue,
                               const KernelOperands& o) {
    const ProductSize size = columnsSize(g);
    auto* const columns = static_cast<float*>(o.workspace);
    KernelOperands rest = o;
    rest.workspace = static_cast<char*>(o.workspace) + columnsBytes(g);
    const std::size_t input = first * std::size_t(g.channels) * g.plane.divisor,
                      output = first * std::size_t(g.filters) * g.outPlane.divisor;
    const PlainOperand<false> weights{o.src[1], std::size_t(size.m), std::size_t(size.m * size.k)};
    const PlanesOfPixels gradient{o.src[0] + output, g.outPlane, unsigned(g.filters),
                                  unsigned(g.groupFilters)};
    const PlanesOfBatch store{columns,
                              {},
                              g.outPlane,
                              unsigned(g.channels) * g.window.divisor * g.outPlane.divisor,
                              unsigned(size.m)};
    if (const cudaError_t code = launchSized<false, true>(size, weights, gradient, store, rest);
        code != cudaSuccess)
        return code;
    return launchRollUp(g, epilogue.from(input), columns, o.dst[0] + input, o.stream);
}

} // namespace

std::string_view gemmDataRefusal(const ConvGeometry& g) {
    if (g.groups > kMostGroups)
        return kTooManyGroups;
    const ProductSize size = dataSize(g, WindowSteps::AsWeights);
    if (size.parts > kMostPhases)
        return "it takes strides of at most 65,535 phases";
    const double blocks = std::ceil(double(size.m) / SmallTile::BM) *
                          std::ceil(double(size.n) / SmallTile::BN) * double(size.parts);
    return blocks > std::numeric_limits<int>::max() ? kMoreThanAGrid : std::string_view();
}

std::string_view columnsDataRefusal(const ConvGeometry& g) {
    if (g.groups > kMostGroups)
        return kTooManyGroups;
    return imagesOfColumns(g) == 0 ? kTooLargeMatrix : std::string_view();
}

double gemmDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!gemmDataRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    const ProductSize size = dataSize(g, WindowSteps::AsWeights);
    const double inputs = size.parts > 1 ? 2340e-6 : holdsVec4(g.plane) ? 2240e-6 : 4180e-6;
    const double one = size.parts > 1 && g.windowElements() == 1 ? 1.6 : 1; // most phases are empty
    return one * (productCycles(g, stepsOf(g, device), device) + inputs * double(g.pixels() * g.channels) +
                  (size.parts > 1 ? 6150 : 3850));
}

double columnsDataCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!columnsDataRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return kColumnsMargin * cyclesOfRounds(g, imagesOfColumns(g), [&](const ConvGeometry& round) {
               return columnsRoundCycles(round, device);
           });
}

std::size_t columnsDataWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return bytesOfRounds(g, imagesOfColumns(g), [&](const ConvGeometry& round) {
        return columnsBytes(round) + productWorkspace(columnsSize(round), device);
    });
}

cudaError_t columnsBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchRounds(g, imagesOfColumns(g), [&](const ConvGeometry& round, std::size_t first) {
        return launchColumnsRound(round, first, epilogue, o);
    });
}

std::size_t gemmDataWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(dataSize(g, stepsOf(g, device)), device);
}

cudaError_t gemmBackwardData(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    switch (stepsOf(g, o.device)) {
    case WindowSteps::AsWeights:
        return launchData<WindowSteps::AsWeights>(g, epilogue, o);
    case WindowSteps::Tiled:
        return launchData<WindowSteps::Tiled>(g, epilogue, o);
    case WindowSteps::Padded:
        return launchData<WindowSteps::Padded>(g, epilogue, o);
    }
    return cudaErrorInvalidValue;
}

} // namespace heteroscope::compute::nvidia
