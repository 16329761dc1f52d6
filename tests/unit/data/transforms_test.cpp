// SPDX-License-Identifier: Apache-2.0
// Transforms of images against values worked out by hand, and what random ones depend on.
#include "compute/data/image_filters.h"
#include "compute/data/transforms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace heteroscope::compute {
namespace {

constexpr Shape4 kSquare{1, 1, 3, 3};
const std::vector<float> kCounting{1, 2, 3, 4, 5, 6, 7, 8, 9};

void expectNear(const std::vector<float>& found, const std::vector<float>& expected) {
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], expected[i], 1e-5) << i;
}

TransformSpec transform(TransformKind kind) {
    TransformSpec spec;
    spec.kind = kind;
    return spec;
}

} // namespace

/// Four pixels to two: the filter reaches two pixels either side of the new centre at 1, so that pixels 0 to
/// 2 weigh 0.75, 0.75, 0.25; and mirrored.
TEST(Resize, ShrinksByATriangleFilter) {
    const std::vector<float> row{7, 14, 21, 28};
    expectNear(resized(row, {1, 1, 1, 4}, {1, 2}), {12, 23});
    expectNear(resized(row, {1, 1, 4, 1}, {2, 1}), {12, 23});
}

/// Two pixels to four: new centres at .25, .75, 1.25, 1.75 of the old row, whose centres are at .5 and 1.5.
TEST(Resize, GrowsLinearly) {
    expectNear(resized(std::vector<float>{0, 8}, {1, 1, 1, 2}, {1, 4}), {0, 2, 6, 8});
    expectNear(resized(std::vector<float>{0, 8, 1, 1}, {1, 2, 1, 2}, {1, 4}), {0, 2, 6, 8, 1, 1, 1, 1});
    expectNear(resized(kCounting, kSquare, {3, 3}), kCounting);
}

TEST(Normalize, TakesOneNumberOrOneAChannel) {
    std::vector<float> image{1, 3, 10, 20};
    const double mean[] = {2, 10}, deviation[] = {0.5, 5};
    normalizeChannels(image, {1, 2, 1, 2}, mean, deviation);
    expectNear(image, {-2, 2, 0, 2});
    const double one[] = {1}, two[] = {2};
    normalizeChannels(image, {1, 2, 1, 2}, one, two);
    expectNear(image, {-1.5, 0.5, -0.5, 0.5});
}

TEST(Flip, TurnsRowsAround) {
    std::vector<float> image{1, 2, 3, 4, 5, 6};
    flipColumns(image, {1, 2, 1, 3});
    EXPECT_EQ(image, (std::vector<float>{3, 2, 1, 6, 5, 4}));
}

TEST(Rotate, AQuarterTurnMovesEachPixel) {
    std::vector<float> image = kCounting;
    rotateImage(image, kSquare, 90); // to the left
    expectNear(image, {3, 6, 9, 2, 5, 8, 1, 4, 7});
    rotateImage(image, kSquare, -90);
    expectNear(image, kCounting);
    rotateImage(image, kSquare, 180);
    expectNear(image, {9, 8, 7, 6, 5, 4, 3, 2, 1});
}

/// By 45 degrees the corner comes from (0, sqrt 2) off the middle: outside by 0.414 of a pixel.
TEST(Rotate, WhatComesInIsZero) {
    std::vector<float> image(9, 1.0F);
    rotateImage(image, kSquare, 45);
    EXPECT_NEAR(image[4], 1, 1e-6);
    EXPECT_NEAR(image[0], 2 - std::sqrt(2.0), 1e-5);
}

TEST(Crop, MovesAndFillsWithZeros) {
    std::vector<float> image = kCounting;
    shiftImage(image, kSquare, 1, -1);
    EXPECT_EQ(image, (std::vector<float>{0, 0, 0, 2, 3, 0, 5, 6, 0}));
}

TEST(Transforms, AreFunctionsOfSeedEpochAndExample) {
    std::vector<TransformSpec> all{transform(TransformKind::Crop), transform(TransformKind::Flip),
                                   transform(TransformKind::Rotate)};
    const auto run = [&](DrawKey key) {
        std::vector<float> image = kCounting;
        applyTransforms(all, kSquare, key, image);
        return image;
    };
    EXPECT_EQ(run({1, 2, 3}), run({1, 2, 3}));
    int different = 0;
    for (std::int64_t i = 0; i < 20; ++i) {
        different += run({1, 2, i}) != run({2, 2, i}) ? 1 : 0;
        different += run({1, 2, i}) != run({1, 3, i}) ? 1 : 0;
        different += run({1, 2, i}) != run({1, 2, i + 20}) ? 1 : 0;
    }
    EXPECT_GT(different, 50);
}

TEST(Transforms, FlipsTheAskedShareAndCropsToEveryPlace) {
    std::vector<TransformSpec> flip{transform(TransformKind::Flip)}, crop{transform(TransformKind::Crop)};
    flip[0].probability = 0.25;
    crop[0].padding = 1;
    int flipped = 0;
    std::set<std::vector<float>> places;
    for (std::int64_t i = 0; i < 2000; ++i) {
        std::vector<float> image = kCounting;
        applyTransforms(flip, kSquare, {5, 0, i}, image);
        flipped += image != kCounting ? 1 : 0;
        image = kCounting;
        applyTransforms(crop, kSquare, {5, 0, i}, image);
        places.insert(image);
    }
    EXPECT_NEAR(flipped, 500, 100); // five deviations
    EXPECT_EQ(places.size(), 9u);
}

/// In the middle of 1 to 9: (3 + 12 + 9) - (1 + 8 + 7) = 8 to the right, (7 + 16 + 9) - (1 + 4 + 3) = 24
/// down.
TEST(Filters, SobelAndPooling) {
    EXPECT_NEAR(sobel(kCounting, kSquare)[4], std::hypot(8.0, 24.0), 1e-4);
    EXPECT_EQ(sobel(std::vector<float>(9, 4.0F), kSquare), std::vector<float>(9, 0.0F));
    Shape4 shape{1, 2, 2, 3};
    EXPECT_EQ(pooledByTwo(std::vector<float>{1, 5, 9, 3, 2, 8, 0, 0, 7, -1, -2, 6}, shape),
              (std::vector<float>{5, 0}));
    EXPECT_EQ(shape, (Shape4{1, 2, 1, 1}));
}

} // namespace heteroscope::compute
