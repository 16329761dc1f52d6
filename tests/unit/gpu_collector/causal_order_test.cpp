// SPDX-License-Identifier: Apache-2.0
// Causes and effects on a device in any order of arrival.
#include "profiling/collectors/gpu/causal_order.h"

#include <gtest/gtest.h>

namespace heteroscope::profiling {
namespace causal_order_test {

constexpr GpuPlace kPlace{0, 1, 7};

GpuSynchronization waitFor(WaitsFor what, std::uint32_t stream = kPlace.stream) {
    return {"wait", kPlace.context, stream, what};
}

TEST(CausalOrder, HoldsForWorkBetweenItsCallAndTheEndOfTheWait) {
    CausalOrder order;
    order.work(kPlace, 10, 12, 14, 20);
    EXPECT_EQ(order.counts().pairs, 1u) << "no wait yet";
    order.wait(waitFor(WaitsFor::Stream), 13, 21);
    EXPECT_EQ(order.counts().pairs, 2u);
    EXPECT_EQ(order.counts().violations, 0u);
}

TEST(CausalOrder, WorkBeforeItsCallOrAfterTheWaitIsCountedWithHowFarItIsOff) {
    CausalOrder order;
    order.work(kPlace, 10, 12, 9, 20);
    order.wait(waitFor(WaitsFor::Device), 13, 15);
    EXPECT_EQ(order.counts().pairs, 2u);
    EXPECT_EQ(order.counts().violations, 2u);
    EXPECT_EQ(order.counts().largestByNs, 5);
}

TEST(CausalOrder, TheWaitMayBeKnownBeforeTheWork) {
    for (const WaitsFor what : {WaitsFor::Stream, WaitsFor::Device}) {
        CausalOrder order;
        order.wait(waitFor(what), 5, 8);
        order.wait(waitFor(what), 13, 15);
        order.wait(waitFor(what), 30, 50);
        order.work(kPlace, 10, 12, 11, 20);
        EXPECT_EQ(order.counts().pairs, 2u);
        EXPECT_EQ(order.counts().violations, 1u) << "the first wait after the call is the one";
    }
}

TEST(CausalOrder, AWaitIsForWhatWasLaunchedBeforeItAndOfItsStream) {
    CausalOrder order;
    order.work(kPlace, 10, 12, 14, 90);
    order.wait(waitFor(WaitsFor::Stream, 8), 13, 15);
    order.wait(waitFor(WaitsFor::Other), 13, 15);
    order.wait(waitFor(WaitsFor::Stream), 11, 15); // the call had not returned
    EXPECT_EQ(order.counts().pairs, 1u);
    order.wait(waitFor(WaitsFor::Stream), 20, 95);
    order.wait(waitFor(WaitsFor::Stream), 96, 97);
    EXPECT_EQ(order.counts().pairs, 2u) << "each piece of work has one wait";
    EXPECT_EQ(order.counts().violations, 0u);
}

TEST(CausalOrder, KeepsABoundedPart) {
    CausalOrder order;
    const auto most = static_cast<std::int64_t>(CausalOrder::kMostKept);
    for (std::int64_t i = 0; i < most + 10; ++i)
        order.work(kPlace, i, i, i, i + 1);
    order.wait(waitFor(WaitsFor::Stream), most + 20, most + 30);
    EXPECT_EQ(order.counts().pairs, static_cast<std::uint64_t>(2 * most + 10));
}

} // namespace causal_order_test
} // namespace heteroscope::profiling
