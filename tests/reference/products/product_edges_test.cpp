// SPDX-License-Identifier: Apache-2.0
// The products of openmp by their parts: sizes around tiles, vectors, panels, blocks and splits, every order
// of operands in memory, in memory with guard pages where no sanitizer stands. Whole numbers come out
// exactly.
#include "compute/backends/openmp/dot_gemm.h"
#include "compute/backends/openmp/packed_gemm.h"
#include "tests/support/op_runner.h"
#include "tests/support/tensor_match.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <vector>
#if HETEROSCOPE_GUARD_PAGES
#include "tests/support/guard_pages/guard_pages.h"
#endif

namespace heteroscope::compute::openmp {
namespace {

/// Ends where the asked size ends, on boundaries of 64 bytes only when asked.
class Memory {
  public:
    Memory(std::size_t bytes, std::size_t alignment) {
        void* memory = nullptr;
        if (posix_memalign(&memory, alignment, std::max<std::size_t>(bytes, 1)) != 0)
            std::abort();
        m_floats.reset(static_cast<float*>(memory));
        std::fill_n(m_floats.get(), bytes / sizeof(float), std::numeric_limits<float>::quiet_NaN());
    }
    explicit Memory(const std::vector<float>& values) : Memory(values.size() * sizeof(float), 8) {
        std::copy(values.begin(), values.end(), m_floats.get());
    }
    float* get() const { return m_floats.get(); }

  private:
    struct Free {
        void operator()(float* memory) const { std::free(memory); }
    };
    std::unique_ptr<float, Free> m_floats;
};

enum class Order { Plain, TransposedB, TransposedA, TransposedBoth };
constexpr Order kOrders[] = {Order::Plain, Order::TransposedB, Order::TransposedA, Order::TransposedBoth};

Product productOf(std::int64_t m, std::int64_t n, std::int64_t k, Order order) {
    const bool a = order == Order::TransposedA || order == Order::TransposedBoth;
    const bool b = order == Order::TransposedB || order == Order::TransposedBoth;
    return {m, n, k, a ? MatrixStrides{1, m} : MatrixStrides{k, 1},
            b ? MatrixStrides{1, k} : MatrixStrides{n, 1}};
}

std::string text(const Product& p) {
    return std::to_string(p.m) + " x " + std::to_string(p.n) + " x " + std::to_string(p.k) + ", A " +
           std::to_string(p.a.row) + " " + std::to_string(p.a.column) + ", B " + std::to_string(p.b.row) +
           " " + std::to_string(p.b.column);
}

std::vector<float> plainProduct(const Product& p, const std::vector<float>& a, const std::vector<float>& b,
                                const std::vector<float>& bias) {
    std::vector<float> c;
    for (std::int64_t i = 0; i < p.m; ++i)
        for (std::int64_t j = 0; j < p.n; ++j) {
            double sum = bias.empty() ? 0.0 : static_cast<double>(bias[static_cast<std::size_t>(j)]);
            for (std::int64_t q = 0; q < p.k; ++q)
                sum += static_cast<double>(a[static_cast<std::size_t>(i * p.a.row + q * p.a.column)]) *
                       static_cast<double>(b[static_cast<std::size_t>(q * p.b.row + j * p.b.column)]);
            c.push_back(static_cast<float>(sum));
        }
    return c;
}

std::vector<float> runProduct(const TeamProduct& product, std::int64_t elements, const std::vector<float>& a,
                              const std::vector<float>& b, const std::vector<float>& bias) {
    const Memory left(a), right(b), added(bias), c(static_cast<std::size_t>(elements) * sizeof(float), 8);
    const Memory workspace(product.workspaceBytes(), 64);
    const ProductOperands operands{left.get(), right.get(), c.get(), bias.empty() ? nullptr : added.get()};
    runTeam(product.threads(), nullptr,
            [&](Member member) { product.run(operands, workspace.get(), member); });
    return {c.get(), c.get() + elements};
}

void expectExact(const TeamProduct& product, const Product& p, bool withBias) {
    SCOPED_TRACE(text(p) + ", " + std::to_string(product.threads()) + " threads");
#if HETEROSCOPE_GUARD_PAGES
    guardPagesAre(text(p));
#endif
    const auto a = makeData(Data::Integers, p.m * p.k, 1), b = makeData(Data::Integers, p.k * p.n, 2);
    const auto bias = withBias ? makeData(Data::Integers, p.n, 3) : std::vector<float>();
    EXPECT_TRUE(sameTensor(plainProduct(p, a, b, bias), runProduct(product, p.m * p.n, a, b, bias)));
}

class ProductEdges : public testing::TestWithParam<SimdLevel> {
  protected:
    const GemmKernels& kernels() const { return kernelsFor(GetParam()).gemm; }
    Settings settings(int threads) const { return {threads, GetParam()}; }
};

TEST_P(ProductEdges, TilesOfEveryHeightAndWidth) {
    const std::int64_t width = kernels().width;
    int number = 0;
    for (std::int64_t m = 1; m <= 2 * kernels().rows + 1; ++m)
        for (const std::int64_t n : {std::int64_t{1}, width - 1, width, width + 1, 2 * width, 2 * width + 1,
                                     5 * width - 1, 16 * width, 17 * width + 3})
            for (const Order order : kOrders) {
                const std::int64_t k = 1 + number++ % 9;
                const Product p = productOf(m, n, k, order);
                expectExact(PackedGemm(p, settings(1)), p, number % 2 == 0);
            }
}

TEST_P(ProductEdges, BlocksOfEveryKind) {
    const std::int64_t rows = kernels().rows, panel = 2 * kernels().width;
    const GemmBlocking blockings[] = {{5, rows, panel},
                                      {8, 3 * rows, 3 * panel},
                                      {64, 2 * rows, 2 * panel},
                                      {8, rows, panel, 8 * 7 * panel}};
    int number = 0;
    for (const GemmBlocking& blocking : blockings)
        for (const std::int64_t m : {2 * rows + 1, 3 * rows, 7 * rows - 1})
            for (const std::int64_t n : {panel - 1, 4 * panel, 7 * panel + 5})
                for (const std::int64_t k : {5, 17, 64, 65})
                    for (const Order order : kOrders) {
                        const Product p = productOf(m, n, k, order);
                        expectExact(PackedGemm(p, settings(1 + number % 3), blocking), p, number % 2 == 0);
                        ++number;
                    }
}

TEST_P(ProductEdges, BlocksOfThisMachine) {
    const GemmBlocking blocking = gemmBlocking(kernels().rows, 2 * kernels().width);
    for (const Order order : kOrders) {
        const Product p = productOf(37, blocking.columns + 9, blocking.depth + 1, order);
        expectExact(PackedGemm(p, settings(1)), p, false);
        expectExact(PackedGemm(p, settings(4)), p, true);
    }
}

TEST_P(ProductEdges, BlocksOfOtherCachesGiveTheSameBits) {
    const std::int64_t rows = kernels().rows, panel = 2 * kernels().width;
    const std::int64_t depth = gemmBlocking(rows, panel).depth;
    for (const Order order : kOrders) {
        const Product p = productOf(5 * rows + 2, 5 * panel, depth + 100, order);
        const auto a = makeData(Data::Reals, p.m * p.k, 1), b = makeData(Data::Reals, p.k * p.n, 2);
        const auto expected = runProduct(PackedGemm(p, settings(1)), p.m * p.n, a, b, {});
        for (const GemmBlocking& blocking :
             {GemmBlocking{depth, rows, panel}, GemmBlocking{depth, 3 * rows, 2 * panel},
              GemmBlocking{depth, rows, 64 * panel, depth * p.n}})
            EXPECT_TRUE(
                sameTensor(expected, runProduct(PackedGemm(p, settings(2), blocking), p.m * p.n, a, b, {})))
                << text(p) << ", blocks of " << blocking.rows << " rows, " << blocking.columns << " columns";
    }
}

/// Large teams not under a sanitizer: clang's OpenMP keeps the teams of other numbers, which is told as a
/// leak.
std::vector<int> teams() {
    return kTimeFactor > 1 ? std::vector<int>{1, 3} : std::vector<int>{1, 3, 16};
}

TEST_P(ProductEdges, SplitsOfTheDepth) {
    for (const int threads : teams())
        for (const Order order : kOrders)
            for (const bool bias : {false, true})
                for (const auto& [m, n, k] :
                     {std::array<std::int64_t, 3>{30, 35, 2100}, {1, 70, 31000}, {70, 17, 2049}}) {
                    const Product p = productOf(m, n, k, order);
                    const PackedGemm product(p, settings(threads));
                    EXPECT_GT(product.splits(), 1) << text(p);
                    expectExact(product, p, bias);
                }
}

TEST_P(ProductEdges, DotsOfEveryShape) {
    for (const std::int64_t k : {64, 65, 79, 200})
        for (std::int64_t m = 1; m <= 17; ++m)
            for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 70})
                for (const Order order : {Order::Plain, Order::TransposedB}) {
                    const Product p = productOf(m, n, k, order);
                    if (DotGemm::refusal(p).empty())
                        expectExact(DotGemm(p, settings(1 + static_cast<int>(m) % 3)), p, m % 2 == 0);
                }
}

TEST_P(ProductEdges, DotsOfSeveralBlocksAndSplits) {
    for (const int threads : teams())
        for (const Order order : {Order::Plain, Order::TransposedB})
            for (const auto& [m, n, k] :
                 {std::array<std::int64_t, 3>{1, 1, 4097}, {3, 3, 400000}, {2, 4, 290000}, {700, 1, 4100}}) {
                const Product p = productOf(m, n, k, order);
                ASSERT_EQ(DotGemm::refusal(p), "");
                expectExact(DotGemm(p, settings(threads)), p, threads == 3);
            }
}

/// Those of this processor.
std::vector<SimdLevel> levels() {
    std::vector<SimdLevel> all{SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512};
    std::erase_if(all, [](SimdLevel level) { return level > detectSimd(); });
    return all;
}

INSTANTIATE_TEST_SUITE_P(Openmp, ProductEdges, testing::ValuesIn(levels()),
                         [](const auto& one) { return std::string(simdName(one.param)); });

TEST(DotGemm, SaysWhyItRefuses) {
    EXPECT_EQ(DotGemm::refusal(productOf(8, 1, 100, Order::TransposedA)),
              "it reads rows of A, which is transposed");
    EXPECT_EQ(DotGemm::refusal(productOf(8, 1, 63, Order::Plain)), "it is for depths of 64 and more");
    EXPECT_EQ(DotGemm::refusal(productOf(8, 5, 64, Order::Plain)),
              "it is for 4 columns and fewer, or 16 rows and fewer by a transposed B");
    EXPECT_EQ(DotGemm::refusal(productOf(8, 4, 64, Order::Plain)), "");
    EXPECT_EQ(DotGemm::refusal(productOf(16, 5, 64, Order::TransposedB)), "");
    EXPECT_NE(DotGemm::refusal(productOf(17, 5, 64, Order::TransposedB)), "");
}

} // namespace
} // namespace heteroscope::compute::openmp
