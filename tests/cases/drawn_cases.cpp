// SPDX-License-Identifier: Apache-2.0
#include "tests/cases/drawn_cases.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heteroscope::compute {
namespace {

using Random = std::mt19937;

/// From `low` to `high`, both included.
std::int64_t between(Random& random, std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
}

bool oneIn(Random& random, std::uint32_t times) {
    return random() % times == 0;
}

template <class T, std::size_t N>
T oneOf(Random& random, const std::array<T, N>& values) {
    return values[random() % N];
}

/// Around vectors, blocks of channels and their halves more often than between them.
std::int64_t channels(Random& random) {
    static constexpr std::array<std::int64_t, 12> usual{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 32, 33};
    return oneIn(random, 3) ? between(random, 1, 40) : oneOf(random, usual);
}

std::int64_t elements(Random& random) {
    return oneIn(random, 4) ? between(random, 1, 60000) : between(random, 1, 300);
}

Shape4 images(Random& random, std::int64_t largest) {
    const std::int64_t n = between(random, 1, 4), c = channels(random);
    const bool square = oneIn(random, 3);
    const std::int64_t h = between(random, 1, largest);
    return {n, c, h, square ? h : between(random, 1, largest)};
}

/// Of one side or of all, less than `most`.
Padding2d padding(Random& random, const Extent2d& most) {
    if (oneIn(random, 3))
        return {};
    const std::int64_t h = between(random, 0, most.h - 1), w = between(random, 0, most.w - 1);
    if (!oneIn(random, 4))
        return {h, h, w, w};
    return {between(random, 0, most.h - 1), h, w, between(random, 0, most.w - 1)};
}

Extent2d window(Random& random, std::int64_t largest) {
    const std::int64_t h = between(random, 1, largest);
    return {h, oneIn(random, 3) ? between(random, 1, largest) : h};
}

PoolParams pooling(Random& random) {
    PoolParams p;
    p.mode = oneIn(random, 3) ? PoolMode::Average : PoolMode::Max;
    p.kernel = window(random, 6);
    p.stride = window(random, 4);
    p.padding = padding(random, p.kernel);
    p.padValue = oneIn(random, 8) ? PadValue::Zero : PadValue::NegativeInfinity;
    p.countIncludePad = oneIn(random, 2);
    return p;
}

ConvParams convolution(Random& random, std::int64_t& channelsOfImages) {
    ConvParams p;
    p.stride = window(random, 3);
    p.filters = channels(random);
    p.bias = oneIn(random, 2);
    if (oneIn(random, 3)) { // pixel by pixel, which libraries compute otherwise
        p.kernel = {1, 1};
        return p;
    }
    const std::int64_t k = oneOf(random, std::array<std::int64_t, 6>{1, 2, 3, 3, 4, 5});
    p.kernel = {k, oneIn(random, 4) ? between(random, 1, 7) : k};
    if (oneIn(random, 5))
        p.dilation = window(random, 3);
    p.padding = padding(random, {p.kernel.h + 1, p.kernel.w + 1});
    if (oneIn(random, 4)) { // depthwise, once or with more filters than channels
        p.groups = channelsOfImages;
        p.filters = channelsOfImages * (oneIn(random, 3) ? 2 : 1);
    } else if (oneIn(random, 4)) {
        p.groups = between(random, 2, 4);
        channelsOfImages = std::max<std::int64_t>(1, channelsOfImages / 4) * p.groups;
        p.filters = std::max<std::int64_t>(1, p.filters / 4) * p.groups;
    }
    return p;
}

template <class T>
T drawPool(Random& random) {
    while (true) {
        const PoolParams params = pooling(random);
        const Shape4 src = images(random, 24);
        if (poolOutputShape(params, src))
            return {params, src};
    }
}

template <class T>
T drawConv(Random& random) {
    while (true) {
        Shape4 src = images(random, 14);
        const ConvParams params = convolution(random, src.c);
        if (convOutputShape(params, src))
            return {params, src};
    }
}

template <class T>
T drawDense(Random& random) {
    const std::int64_t batch = between(random, 1, 20), inputs = between(random, 1, 150);
    return {{inputs, between(random, 1, 70), oneIn(random, 2)}, batch};
}

template <class T>
T drawActivation(Random& random) {
    return {oneOf(random, std::to_array(kActivations)).kind, elements(random), oneIn(random, 2) ? 0.01 : 0.3};
}

// One a kind; the argument only chooses among them.
PoolForward draw(PoolForward, Random& random) {
    return drawPool<PoolForward>(random);
}
PoolBackward draw(PoolBackward, Random& random) {
    return drawPool<PoolBackward>(random);
}
Gemm draw(const Gemm&, Random& random) {
    const std::int64_t m = between(random, 1, 90), n = between(random, 1, 90);
    return {m, n, between(random, 1, oneIn(random, 5) ? 700 : 90), {}};
}
ConvForward draw(ConvForward, Random& random) {
    return drawConv<ConvForward>(random);
}
ConvBackwardData draw(ConvBackwardData, Random& random) {
    return drawConv<ConvBackwardData>(random);
}
ConvBackwardWeights draw(ConvBackwardWeights, Random& random) {
    return drawConv<ConvBackwardWeights>(random);
}
DenseForward draw(DenseForward, Random& random) {
    return drawDense<DenseForward>(random);
}
DenseBackwardData draw(DenseBackwardData, Random& random) {
    return drawDense<DenseBackwardData>(random);
}
DenseBackwardWeights draw(DenseBackwardWeights, Random& random) {
    return drawDense<DenseBackwardWeights>(random);
}
ActivationForward draw(ActivationForward, Random& random) {
    return drawActivation<ActivationForward>(random);
}
ActivationBackward draw(ActivationBackward, Random& random) {
    return drawActivation<ActivationBackward>(random);
}
SoftmaxForward draw(SoftmaxForward, Random& random) {
    return {images(random, 9)};
}
SoftmaxBackward draw(SoftmaxBackward, Random& random) {
    return {images(random, 9)};
}
/// At least two values a channel: with one, the variance is 0 and its root a matter of epsilon alone.
Shape4 normalised(Random& random) {
    Shape4 src = images(random, 12);
    src.n += src.n * src.h * src.w == 1 ? 1 : 0;
    return src;
}
BatchNormTrain draw(BatchNormTrain, Random& random) {
    return {normalised(random), oneIn(random, 2) ? 1e-5 : 1e-3, oneIn(random, 2) ? 0.1 : 0.5};
}
BatchNormInfer draw(BatchNormInfer, Random& random) {
    return {images(random, 12), oneIn(random, 2) ? 1e-5 : 1e-3};
}
BatchNormBackward draw(BatchNormBackward, Random& random) {
    return {normalised(random)};
}
/// Whole samples as often as pixels.
Shape4 layers(Random& random) {
    const Shape4 src = images(random, 9);
    return oneIn(random, 2) ? src : Shape4{src.n, src.c * src.h * src.w, 1, 1};
}
LayerNormForward draw(LayerNormForward, Random& random) {
    return {layers(random), oneIn(random, 2) ? 1e-5 : 1e-3};
}
LayerNormBackward draw(LayerNormBackward, Random& random) {
    return {layers(random)};
}
Dropout draw(Dropout, Random& random) {
    const std::int64_t count = elements(random);
    const double rate = oneOf(random, std::array{0.0, 0.1, 0.5, 0.9});
    const std::uint64_t seed = random();
    return {count, rate, seed, static_cast<std::uint32_t>(random()), oneIn(random, 2)};
}
Add draw(Add, Random& random) {
    return {elements(random)};
}
/// Each axis is there in both factors, or repeated in one of them.
std::pair<Shape4, Shape4> factors(Random& random) {
    Shape4 a = images(random, 12), b = a;
    for (const auto extent : {&Shape4::n, &Shape4::c, &Shape4::h, &Shape4::w})
        if (oneIn(random, 2))
            (oneIn(random, 3) ? a : b).*extent = 1;
    return oneIn(random, 2) ? std::pair(a, b) : std::pair(b, a);
}
Multiply draw(Multiply, Random& random) {
    const auto [a, b] = factors(random);
    return {a, b};
}
MultiplyBackward draw(MultiplyBackward, Random& random) {
    const auto [factor, other] = factors(random);
    return {factor, other};
}
CopyChannels draw(CopyChannels, Random& random) {
    const Shape4 src = images(random, 12);
    const std::int64_t count = between(random, 1, src.c), from = between(random, 0, src.c - count);
    const std::int64_t all = count + between(random, 0, 20);
    return {src, all, from, between(random, 0, all - count), count};
}
SumOfSquares draw(SumOfSquares, Random& random) {
    return {elements(random)};
}
AdaptivePoolForward draw(AdaptivePoolForward, Random& random) {
    return {images(random, 16), window(random, 7)};
}
AdaptivePoolBackward draw(AdaptivePoolBackward, Random& random) {
    return {images(random, 16), window(random, 7)};
}
Loss draw(Loss, Random& random) {
    using enum LossKind;
    const auto kind = oneOf(random, std::array{SoftmaxCrossEntropy, BinaryCrossEntropy, MeanSquaredError});
    const std::int64_t batch = between(random, 1, 40);
    return {kind, batch, between(random, 1, 60), !oneIn(random, 4)};
}
Sgd draw(Sgd, Random& random) {
    const std::int64_t count = elements(random);
    const double momentum = oneIn(random, 3) ? 0.0 : 0.9;
    const bool nesterov = momentum > 0 && oneIn(random, 2);
    return {count, momentum, nesterov, oneIn(random, 2) ? 0.0 : 0.01};
}
Adam draw(Adam, Random& random) {
    const std::int64_t count = elements(random);
    return {count, 0.9, oneIn(random, 2) ? 0.999 : 0.99, 1e-8, oneIn(random, 2) ? 0.0 : 0.01};
}

template <std::size_t... Kinds>
Op drawnOp(std::size_t kind, Random& random, std::index_sequence<Kinds...>) {
    Op op;
    static_cast<void>(
        ((kind == Kinds && (op = draw(std::variant_alternative_t<Kinds, Op>{}, random), true)) || ...));
    return op;
}

} // namespace

NetworkCase drawnCase(std::size_t kind, std::mt19937& random) {
    NetworkCase one;
    one.op = drawnOp(kind, random, std::make_index_sequence<kOpKinds>{});
    one.name = opDetail(one.op);
    one.step = static_cast<int>(between(random, 1, 50));
    return one;
}

} // namespace heteroscope::compute
