// SPDX-License-Identifier: Apache-2.0
// Convolutions as implicit matrix products: weights times the input under the windows. With few filters and
// large windows: the weights of each place of the window times the input as it lies, whose results are added
// where they belong (kn2row; Anderson, Vasudevan, Keane, Gregg, "Low-memory GEMM-based convolution algorithms
// for deep neural networks", 2017).
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/conv/conv_operands.cuh"
#include "compute/backends/nvidia/kernels/conv/unroll.h"

#include <limits>

namespace heteroscope::compute::nvidia {
namespace {

/// rows: filters; k: channel and place in the window.
template <WindowSteps Steps>
struct WeightsOfFilter {
    static constexpr bool kTiled = WindowOrder<Steps>::kTiled;
    static constexpr bool kFast = true, kWhole = false, kEnds = !kTiled, kCheap = false;
    using Row = unsigned;
    ConvGeometry g;
    const float* weights;

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
    }
    __device__ Row row(unsigned filter) const {
        return filter * unsigned(g.groupChannels) * g.window.divisor;
    }
    __device__ unsigned step(unsigned k) const {
        if constexpr (!kTiled)
            return k;
        unsigned place = k / kTileSteps;
        const unsigned channel = g.window.split(place) * kTileSteps + k % kTileSteps;
        return Steps == WindowSteps::Padded && channel >= unsigned(g.groupChannels)
                   ? kNowhere
                   : channel * g.window.divisor + place;
    }
    __device__ Source at(Row row, unsigned step) const {
        return {weights + (row + step), Steps != WindowSteps::Padded || step != kNowhere};
    }
};

/// rows: output pixels of the batch; k: channel and place in the window.
template <WindowSteps Steps>
struct InputUnderPixels {
    static constexpr bool kTiled = WindowOrder<Steps>::kTiled;
    static constexpr bool kFast = false, kWhole = kTiled, kEnds = !kTiled, kCheap = false;
    using Row = Place;
    using Step = typename WindowOrder<Steps>::Step;
    ConvGeometry g;
    const float* src;

    __device__ void select(unsigned group) { src += std::size_t(group) * g.groupChannels * g.plane.divisor; }
    __device__ Row row(unsigned pixel) const {
        const unsigned image = g.outPlane.split(pixel), y = g.outRow.split(pixel);
        const int top = int(y) * g.strideH - g.top, left = int(pixel) * g.strideW - g.left;
        return {int(image) * g.channels * int(g.plane.divisor) + top * g.width + left, top, left};
    }
    __device__ Step step(unsigned k) const { return WindowOrder<Steps>::of(g, k); }
    __device__ Step tile(unsigned k) const { return WindowOrder<Steps>::of(g, k); }
    __device__ unsigned stepsOf(const Step& tile) const requires(Steps == WindowSteps::Padded) {
        return unsigned(g.groupChannels) - tile.channel;
    }
    __device__ std::size_t stride() const { return g.plane.divisor; }
    __device__ Source at(const Row& row, const Step& step) const {
        const int down = step.i * g.dilationH, right = step.j * g.dilationW;
        const bool inside =
            unsigned(row.y + down) < unsigned(g.height) && unsigned(row.x + right) < unsigned(g.width);
        return {src + (row.offset + int(step.channel * g.plane.divisor) + down * g.width + right), inside};
    }
};

ProductSize forwardSize(const ConvGeometry& g, WindowSteps steps) {
    return {g.groupFilters, g.outPixels(), channelsOfSteps(steps, g.groupChannels) * g.windowElements(),
            g.groups, steps == WindowSteps::AsWeights};
}

/// Where k is tiled, neighbouring weights lie as far apart as the window is large: with large windows the
/// first-level cache does not hold what a tile's next places will read.
double farWeightsCycles(const ConvGeometry& g, const ProductSize& size, const ProductPlan& plan,
                        const DeviceLimits& device) {
    if (g.windowElements() <= 9)
        return 0;
    const double columns = double(plan.cut.tilesN) * double(size.groups) / device.multiprocessors;
    return 0.179 * columns * double(plan.cut.tilesM) * rowsOfTile(plan.tile) * double(size.k);
}

double productCycles(const ConvGeometry& g, WindowSteps steps, const DeviceLimits& device) {
    const ProductSize size = forwardSize(g, steps);
    const ProductPlan plan = planProduct(size, device);
    if (steps == WindowSteps::AsWeights)
        return 0.949 * plan.cycles + 396 * plan.blocks;
    return 0.879 * plan.cycles + 396 * plan.blocks + farWeightsCycles(g, size, plan, device);
}

WindowSteps stepsOf(const ConvGeometry& g, const DeviceLimits& device) {
    return soonestSteps(g.groupChannels, [&](WindowSteps steps) { return productCycles(g, steps, device); });
}

template <WindowSteps Steps>
cudaError_t launchForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    const PlanesOfBatch store{o.dst[0], epilogue, g.outPlane, unsigned(g.filters) * g.outPlane.divisor,
                              unsigned(g.groupFilters)};
    return launchSized<Steps == WindowSteps::AsWeights>(forwardSize(g, Steps),
                                                        WeightsOfFilter<Steps>{g, o.src[1]},
                                                        InputUnderPixels<Steps>{g, o.src[0]}, store, o);
}

/// rows: filter and place in the window; k: channel.
struct WeightsOfPlace {
    static constexpr bool kFast = true, kWhole = false, kEnds = true, kCheap = true;
    using Row = unsigned;
    ConvGeometry g;
    const float* weights;

    __device__ void select(unsigned group) {
        weights += std::size_t(group) * g.groupFilters * g.groupChannels * g.window.divisor;
    }
    __device__ Row row(unsigned index) const {
        const unsigned filter = g.window.split(index);
        return filter * unsigned(g.groupChannels) * g.window.divisor + index;
    }
    __device__ unsigned step(unsigned channel) const { return channel * g.window.divisor; }
    __device__ Source at(Row row, unsigned step) const { return {weights + (row + step), true}; }
};

ProductSize placesSize(const ConvGeometry& g) {
    ProductSize size{g.groupFilters * g.windowElements(), g.pixels(), g.groupChannels, g.groups};
    size.half = true;
    return size;
}

std::size_t placesBytes(const ConvGeometry& g) {
    return scratchMatrixBytes(g.filters * g.windowElements(), g.pixels());
}

/// How many images' products are computed at a time.
int imagesOfPlaces(const ConvGeometry& g) {
    return imagesAtOnce(g, double(g.filters) * double(g.windowElements()) * g.height * g.width);
}

double placesRoundCycles(const ConvGeometry& g, const DeviceLimits& device) {
    const double outputs = double(g.outPixels() * g.filters) * 1e-6;
    const ProductPlan plan = planProduct(placesSize(g), device);
    return 0.967 * plan.cycles + 302 * plan.blocks +
           (holdsVec4(g.plane) ? 515 : 768) * double(placesBytes(g)) * 1e-6 +
           outputs * (5860 + 2330 * double(g.windowElements())) + 6920;
}

cudaError_t launchPlacesRound(const ConvGeometry& g, std::size_t first, const Epilogue& epilogue,
                              const KernelOperands& o) {
    const ProductSize size = placesSize(g);
    auto* const products = static_cast<float*>(o.workspace);
    KernelOperands rest = o;
    rest.workspace = static_cast<char*>(o.workspace) + placesBytes(g);
    const std::size_t in = first * std::size_t(g.channels) * g.plane.divisor,
                      out = first * std::size_t(g.filters) * g.outPlane.divisor;
    const PlanesOfPixels input{o.src[0] + in, g.plane, unsigned(g.channels), unsigned(g.groupChannels)};
    const PlanesOfBatch store{
        products, {}, g.plane, unsigned(g.filters) * g.window.divisor * g.plane.divisor, unsigned(size.m)};
    if (const cudaError_t code =
            launchSized<false, true>(size, WeightsOfPlace{g, o.src[1]}, input, store, rest);
        code != cudaSuccess)
        return code;
    return launchAddPlaces(g, epilogue.from(out), products, o.dst[0] + out, o.stream);
}

} // namespace

std::string_view gemmForwardRefusal(const ConvGeometry& g) {
    return g.groups > kMostGroups ? kTooManyGroups : std::string_view();
}

std::string_view placesForwardRefusal(const ConvGeometry& g) {
    if (g.groups > kMostGroups)
        return kTooManyGroups;
    return imagesOfPlaces(g) == 0 ? kTooLargeMatrix : std::string_view();
}

double placesForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!placesForwardRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return cyclesOfRounds(g, imagesOfPlaces(g),
                          [&](const ConvGeometry& round) { return placesRoundCycles(round, device); });
}

std::size_t placesForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return bytesOfRounds(g, imagesOfPlaces(g), [&](const ConvGeometry& round) {
        return placesBytes(round) + productWorkspace(placesSize(round), device);
    });
}

cudaError_t placesForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    return launchRounds(g, imagesOfPlaces(g), [&](const ConvGeometry& round, std::size_t first) {
        return launchPlacesRound(round, first, epilogue, o);
    });
}

double gemmForwardCycles(const ConvGeometry& g, const DeviceLimits& device) {
    if (!gemmForwardRefusal(g).empty())
        return std::numeric_limits<double>::infinity();
    return productCycles(g, stepsOf(g, device), device) + 31 * g.operandMegabytes() +
           (holdsVec4(g.outPlane) ? 2180e-6 : 3630e-6) * double(g.outPixels() * g.filters) + 3940;
}

std::size_t gemmForwardWorkspace(const ConvGeometry& g, const DeviceLimits& device) {
    return productWorkspace(forwardSize(g, stepsOf(g, device)), device);
}

cudaError_t gemmForward(const ConvGeometry& g, const Epilogue& epilogue, const KernelOperands& o) {
    switch (stepsOf(g, o.device)) {
    case WindowSteps::AsWeights:
        return launchForward<WindowSteps::AsWeights>(g, epilogue, o);
    case WindowSteps::Tiled:
        return launchForward<WindowSteps::Tiled>(g, epilogue, o);
    case WindowSteps::Padded:
        return launchForward<WindowSteps::Padded>(g, epilogue, o);
    }
    return cudaErrorInvalidValue;
}

} // namespace heteroscope::compute::nvidia
