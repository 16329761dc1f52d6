// SPDX-License-Identifier: Apache-2.0
// Batches filled ahead of their steps: the same as filled in place, in order, also when begun anew half-way.
#include "compute/data/transforms.h"
#include "compute/exec/batch_feeder.h"

#include <gtest/gtest.h>

#include <numeric>

namespace heteroscope::compute {
namespace {

Dataset smallDataset(std::int64_t count) {
    Dataset dataset;
    dataset.image = {1, 1, 4, 4};
    dataset.training.count = count;
    dataset.training.images.resize(static_cast<std::size_t>(count) * 16);
    std::iota(dataset.training.images.begin(), dataset.training.images.end(), 0.0F);
    dataset.training.targets.resize(static_cast<std::size_t>(count));
    std::iota(dataset.training.targets.begin(), dataset.training.targets.end(), 0.0F);
    TransformSpec crop;
    crop.kind = TransformKind::Crop;
    dataset.augmentations = {crop};
    dataset.seed = 9;
    return dataset;
}

struct Waits : OpObserver {
    int begun = 0, ended = 0;
    void opBegin(const OpEvent& event) override { begun += event.op == "wait for data" ? 1 : 0; }
    void opEnd() override { ++ended; }
};

} // namespace

TEST(BatchFeeder, GivesTheBatchesOfEachEpochInOrder) {
    const Dataset dataset = smallDataset(50);
    BatchFeeder feeder(dataset, 8);
    Waits waits;
    for (std::int64_t epoch = 0; epoch < 5; ++epoch) {
        const auto order = shuffledOrder(50, 1, epoch);
        feeder.begin(order, epoch);
        const std::size_t taken = epoch % 2 == 0 ? 6 : 2; // some epochs are given up
        for (std::size_t i = 0; i < taken; ++i) {
            Batch expected;
            fillBatch(dataset, std::span(order).subspan(i * 8, 8), epoch, expected);
            const Batch& batch = feeder.next(&waits);
            EXPECT_EQ(batch.images, expected.images) << epoch << " " << i;
            EXPECT_EQ(batch.targets, expected.targets);
        }
    }
    EXPECT_EQ(waits.begun, waits.ended);
}

/// The first batch of a large order is asked for at once: nobody can have filled it by then.
TEST(BatchFeeder, WaitingIsSeen) {
    Dataset dataset = smallDataset(20000);
    dataset.augmentations.resize(16, dataset.augmentations.front());
    BatchFeeder feeder(dataset, 20000);
    std::vector<std::int64_t> order(20000);
    std::iota(order.begin(), order.end(), std::int64_t{0});
    Waits waits;
    feeder.begin(order, 0);
    feeder.next(&waits);
    EXPECT_EQ(waits.begun, 1);
    EXPECT_EQ(waits.ended, 1);
}

TEST(BatchFeeder, EndsWhileFilling) {
    const Dataset dataset = smallDataset(1000);
    const auto order = shuffledOrder(1000, 1, 0);
    for (int i = 0; i < 20; ++i) {
        BatchFeeder feeder(dataset, 100);
        feeder.begin(order, 0);
    }
}

} // namespace heteroscope::compute
