// SPDX-License-Identifier: Apache-2.0
// Host buffers and ops: alignment, copies, operand checks, what the observer hears.
#include "compute/backends/builtin.h"
#include "compute/core/host_session.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

namespace heteroscope::compute {
namespace {

struct Listener : OpObserver {
    void opBegin(const OpEvent& event) override { text += "begin " + std::string(event.op) + ";"; }
    void opEnd() override { text += "end;"; }
    void threadShare(int thread, std::int64_t start, std::int64_t end) override {
        text += "share " + std::to_string(thread) + ";";
        EXPECT_LE(start, end);
    }
    void copied(CopyDirection direction, std::int64_t bytes, std::int64_t, std::int64_t) override {
        text += (direction == CopyDirection::HostToDevice ? "up " : "down ") + std::to_string(bytes) + ";";
    }
    std::string text;
};

std::unique_ptr<Session> openSequential() {
    const BackendRegistry registry = makeBuiltinRegistry();
    return std::move(registry.open(*parseTarget("cpu/sequential"))).value();
}

TEST(HostBuffer, IsAlignedAndZeroed) {
    for (const std::size_t bytes : {std::size_t{0}, std::size_t{4}, std::size_t{100}, std::size_t{3} << 20}) {
        const auto buffer = allocateHostBuffer(bytes);
        ASSERT_TRUE(buffer.ok());
        EXPECT_EQ((*buffer)->bytes(), bytes);
        const auto* memory = static_cast<const unsigned char*>((*buffer)->hostPointer());
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
        for (std::size_t i = 0; i < bytes; i += 97)
            ASSERT_EQ(memory[i], 0);
    }
}

TEST(HostBuffer, RefusesWhatCannotFitWithTheFigures) {
    const auto buffer = allocateHostBuffer(std::numeric_limits<std::size_t>::max() / 2);
    ASSERT_FALSE(buffer.ok());
    EXPECT_EQ(buffer.error().code, ErrorCode::OutOfMemory);
    EXPECT_NE(buffer.error().allowed.find("bytes are free"), std::string::npos);
}

TEST(HostSession, CopiesAndTellsTheObserver) {
    const auto session = openSequential();
    auto buffer = std::move(session->allocate(8)).value();
    const std::array<float, 2> in{1.5F, -2.0F};
    std::array<float, 2> out{};
    Listener listener;
    ASSERT_TRUE(session->upload(*buffer, in.data(), 8, &listener).ok());
    ASSERT_TRUE(session->download(out.data(), *buffer, 8, &listener).ok());
    EXPECT_EQ(in, out);
    EXPECT_EQ(listener.text, "up 8;down 8;");
    EXPECT_FALSE(session->upload(*buffer, in.data(), 9).ok());
    EXPECT_FALSE(session->download(out.data(), *buffer, 9).ok());
}

TEST(HostOp, RunsBetweenBeginAndEnd) {
    const auto session = openSequential();
    const Op op = PoolForward{{}, {1, 1, 4, 4}};
    const std::array<float, 16> input{9, 5, 2, 7, 3, 1, 3, 4, 2, 6, 5, 9, 8, 3, 7, 4};
    auto src = std::move(session->allocate(64)).value();
    auto dst = std::move(session->allocate(16)).value();
    ASSERT_TRUE(session->upload(*src, input.data(), 64).ok());
    auto prepared = std::move(session->prepare(op)).value();
    EXPECT_EQ(prepared->implementation(), "sequential:pool");
    const std::array<DeviceBuffer*, 1> srcs{src.get()}, dsts{dst.get()};
    Listener listener;
    ASSERT_TRUE(prepared->run(srcs, dsts, &listener).ok());
    EXPECT_EQ(listener.text, "begin maxpool.forward;share 0;end;");
    std::array<float, 4> out{};
    ASSERT_TRUE(session->download(out.data(), *dst, 16).ok());
    EXPECT_EQ(out, (std::array<float, 4>{9, 7, 8, 9}));
}

TEST(HostOp, RefusesWrongOperands) {
    const auto session = openSequential();
    auto prepared = std::move(session->prepare(Gemm{2, 2, 2})).value();
    auto full = std::move(session->allocate(16)).value();
    auto small = std::move(session->allocate(12)).value();
    DeviceBuffer* const good = full.get();
    const std::array<DeviceBuffer*, 2> two{good, good}, shortOne{good, small.get()}, null{good, nullptr};
    const std::array<DeviceBuffer*, 1> one{good};
    EXPECT_TRUE(prepared->run(two, one, nullptr).ok());
    EXPECT_FALSE(prepared->run(one, one, nullptr).ok());
    EXPECT_FALSE(prepared->run(two, two, nullptr).ok());
    EXPECT_FALSE(prepared->run(shortOne, one, nullptr).ok());
    EXPECT_FALSE(prepared->run(null, one, nullptr).ok());
}

TEST(Sequential, RefusesImpossibleShapesWithTheReason) {
    const auto session = openSequential();
    PoolParams params;
    params.kernel = {9, 9};
    const Op op = PoolForward{params, {1, 1, 4, 4}};
    const Support support = session->supports(op);
    EXPECT_FALSE(support.supported);
    EXPECT_NE(support.reason.find("larger than the padded"), std::string::npos);
    EXPECT_FALSE(session->prepare(op).ok());
}

} // namespace
} // namespace heteroscope::compute
