// SPDX-License-Identifier: Apache-2.0
// Operations at the largest size that our kernels admit, 2^31 - 1 elements, with outputs poisoned before:
// what counts threads, warps or bytes in too few bits leaves the poison standing or overwrites what is right.
// Needs 40 GiB of device memory and 8 GiB of the host's that can be page-locked.
#include "compute/core/op.h"
#include "compute/core/target.h"
#include "tests/gpu/network/gpu_target_test.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <functional>
#include <limits>
#include <span>
#include <thread>
#include <vector>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t kSide = 46340; // its square is the largest below 2^31
constexpr std::int64_t kHalfSide = 32767;
constexpr std::size_t kMemoryBytes = std::size_t{40} << 30;

/// The value of element i; called by many threads.
using Values = std::function<float(std::size_t)>;

struct LimitCase {
    std::string name;
    Op op;
    std::vector<Values> inputs, outputs;
    double tolerance = 0; ///< absolute
};

/// -3 to 3
float whole(std::size_t i) {
    return static_cast<float>(i % 7) - 3.0F;
}

Values constant(float value) {
    return [value](std::size_t) { return value; };
}

Values times(float factor) {
    return [factor](std::size_t i) { return factor * whole(i); };
}

/// Calls work(first, last) for parts of [0, count), on as many threads as there are processors.
template <class Work>
void forParts(std::size_t count, const Work& work) {
    const std::size_t parts = std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> threads;
    for (std::size_t part = 0; part < parts; ++part)
        threads.emplace_back([&, part] {
            work(count / parts * part, part + 1 == parts ? count : count / parts * (part + 1));
        });
}

void fill(std::span<float> data, const Values& values) {
    forParts(data.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i)
            data[i] = values(i);
    });
}

/// The first element that is wrong, or the count.
std::size_t firstWrong(std::span<const float> actual, const Values& expected, double tolerance) {
    std::atomic<std::size_t> found = actual.size();
    forParts(actual.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            if (std::fabs(static_cast<double>(actual[i]) - static_cast<double>(expected(i))) <= tolerance)
                continue; // not of NaN, the poison
            std::size_t earlier = found.load();
            while (i < earlier && !found.compare_exchange_weak(earlier, i)) {
            }
            return;
        }
    });
    return found;
}

std::vector<LimitCase> elementwiseCases() {
    const auto positive = [](std::size_t i) { return std::max(whole(i), 0.0F); };
    std::vector<LimitCase> cases;
    cases.push_back({"relu", ActivationForward{ActivationKind::Relu, kMost}, {whole}, {positive}});
    cases.push_back({"relu gradient",
                     ActivationBackward{ActivationKind::Relu, kMost},
                     {whole, constant(2)},
                     {[](std::size_t i) { return whole(i) > 0 ? 2.0F : 0.0F; }}});
    cases.push_back({"add", Add{kMost}, {whole, constant(1)}, {[](std::size_t i) { return whole(i) + 1; }}});
    cases.push_back({"dropout of nothing", Dropout{kMost, 0.0}, {whole, constant(0)}, {whole}});
    cases.push_back({"sum of squares",
                     SumOfSquares{kMost},
                     {[](std::size_t i) { return float(i % 2); }},
                     {constant(float(kMost / 2))}});
    cases.push_back({"sgd", Sgd{kMost}, {whole, constant(2), constant(0.5F)}, {[](std::size_t i) {
                         return whole(i) - 1;
                     }}});
    constexpr std::int64_t kPlane = 20724 * 20724; // of five channels
    cases.push_back(
        {"copied channels", CopyChannels{{1, 5, 20724, 20724}, 4, 1, 0, 4}, {whole}, {[](std::size_t i) {
             return whole(i + kPlane);
         }}});
    return cases;
}

std::vector<LimitCase> reductionCases() {
    std::vector<LimitCase> cases;
    cases.push_back({"softmax of rows", SoftmaxForward{{kMost, 1, 1, 1}}, {whole}, {constant(1)}});
    cases.push_back({"softmax of pixels",
                     SoftmaxForward{{1, 2, kHalfSide, kHalfSide}},
                     {[](std::size_t i) { return whole(i % (kHalfSide * kHalfSide)); }},
                     {constant(0.5F)}});
    cases.push_back(
        {"softmax gradient", SoftmaxBackward{{1, 1, kSide, kSide}}, {constant(1), whole}, {constant(0)}});
    cases.push_back({"adaptive average", AdaptivePoolForward{{kMost, 1, 1, 1}, {1, 1}}, {whole}, {whole}});
    cases.push_back(
        {"adaptive average gradient", AdaptivePoolBackward{{kMost, 1, 1, 1}, {1, 1}}, {whole}, {whole}});
    const auto figures = [](float loss, float count) {
        return [=](std::size_t i) { return i == 0 ? loss : count; };
    };
    cases.push_back({"cross entropy",
                     Loss{LossKind::SoftmaxCrossEntropy, kMost, 1},
                     {whole, constant(0)},
                     {figures(0, float(kMost)), constant(0)}});
    cases.push_back({"binary cross entropy",
                     Loss{LossKind::BinaryCrossEntropy, kMost, 1},
                     {constant(0), constant(0.5F)},
                     {figures(std::log(2.0F), float(kMost)), constant(0)},
                     1e-6});
    cases.push_back({"squared error",
                     Loss{LossKind::MeanSquaredError, kMost, 1},
                     {constant(3), constant(1)},
                     {figures(4, 2), constant(float(4.0 / double(kMost)))},
                     1e-15});
    cases.push_back({"batch normalisation",
                     BatchNormInfer{{1, 1, kSide, kSide}, 1e-5},
                     {whole, constant(2), constant(1), constant(0), constant(1)},
                     {[](std::size_t i) { return 2 * whole(i) + 1; }},
                     1e-4});
    return cases;
}

/// Rows of one value have no variance, and one row has the variance of the values -3 to 3, which is 4.
std::vector<LimitCase> layerNormCases() {
    constexpr float kLone = 316.227766F; // 1 / sqrt(epsilon)
    constexpr std::int64_t kPlane = kHalfSide * kHalfSide;
    const auto twice = [](std::size_t i) { return whole(i % kPlane); };
    std::vector<LimitCase> cases;
    cases.push_back({"layer normalisation of rows",
                     LayerNormForward{{kMost, 1, 1, 1}},
                     {whole, constant(2), constant(1)},
                     {constant(1), whole, constant(kLone)},
                     1e-3});
    cases.push_back({"layer normalisation of one row",
                     LayerNormForward{{1, kMost, 1, 1}},
                     {whole, constant(2), constant(1)},
                     {[](std::size_t i) { return whole(i) + 1; }, constant(0), constant(0.5F)},
                     1e-4});
    cases.push_back({"layer normalisation of pixels",
                     LayerNormForward{{1, 2, kHalfSide, kHalfSide}},
                     {twice, constant(2), constant(1)},
                     {constant(1), twice, constant(kLone)},
                     1e-3});
    cases.push_back({"layer normalisation gradient of pixels",
                     LayerNormBackward{{1, 2, kHalfSide, kHalfSide}},
                     {twice, constant(1), constant(1), whole, constant(1)},
                     {constant(0), constant(0), constant(float(kPlane))}});
    cases.push_back({"layer normalisation gradient of a row",
                     LayerNormBackward{{1, kMost / 2, 1, 1}}, // six tensors
                     {constant(0), constant(3), constant(1), constant(0), constant(1)},
                     {constant(0), constant(0), constant(3)}});
    return cases;
}

std::vector<LimitCase> broadcastCases() {
    const auto outer = [](std::size_t i) { return whole(i / kSide) * whole(i % kSide); };
    constexpr std::int64_t kHalf = kMost / 2;
    const auto odd = [](std::size_t i) { return float(i % 2); };
    const auto twice = [](std::size_t i) { return whole(i % kHalf); };
    std::vector<LimitCase> cases;
    const Shape4 one{1, 1, 1, 1}, all{1, kMost, 1, 1}, row{1, 1, 1, kSide}, column{1, 1, kSide, 1};
    cases.push_back({"product of tensors", Multiply{all, all}, {whole, constant(2)}, {times(2)}});
    cases.push_back({"product with a number", Multiply{all, one}, {whole, constant(2)}, {times(2)}});
    cases.push_back({"product of a column and a row", Multiply{column, row}, {whole, whole}, {outer}});
    cases.push_back({"product with a row",
                     Multiply{{1, 1, kSide, kSide}, row},
                     {[](std::size_t i) { return whole(i / kSide); }, whole},
                     {outer}});
    cases.push_back(
        {"gradient of a number", MultiplyBackward{one, all}, {odd, constant(1)}, {constant(float(kHalf))}});
    cases.push_back({"gradient of rows",
                     MultiplyBackward{{1, 1, 1, kHalf}, {1, 2, 1, kHalf}},
                     {twice, constant(1)},
                     {times(2)}});
    cases.push_back({"gradient of pairs",
                     MultiplyBackward{{1, kHalf, 1, 1}, {1, kHalf, 1, 2}},
                     {[](std::size_t i) { return whole(i / 2); }, constant(1)},
                     {times(2)}});
    return cases;
}

/// Pooling takes the largest of four, which have consecutive values in each of two rows.
float largestOfWindow(std::size_t i) {
    const std::size_t corner = i / (kSide / 2) * 2 * kSide + i % (kSide / 2) * 2;
    return std::max({whole(corner), whole(corner + 1), whole(corner + kSide), whole(corner + kSide + 1)});
}

std::vector<LimitCase> windowCases() {
    ConvParams one;
    one.kernel = {1, 1};
    one.bias = false;
    ConvParams depthwise{2, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 2, false};
    const auto centre = [](std::size_t i) { return i % 9 == 4 ? 2.0F : 0.0F; };
    const auto sparse = [](std::size_t i) { return i % 1024 == 0 ? 1.0F : 0.0F; };
    const Shape4 image{1, 1, kSide, kSide}, two{1, 2, kHalfSide, kHalfSide}, many{kMost, 1, 1, 1};
    constexpr auto kOnes = float((kSide * kSide + 1023) / 1024);
    std::vector<LimitCase> cases;
    cases.push_back({"convolution", ConvForward{one, image}, {whole, constant(2)}, {times(2)}});
    cases.push_back({"convolution of a batch", ConvForward{one, many}, {whole, constant(2)}, {times(2)}});
    cases.push_back({"convolution, data", ConvBackwardData{one, image}, {whole, constant(2)}, {times(2)}});
    cases.push_back(
        {"convolution, weights", ConvBackwardWeights{one, image}, {sparse, constant(1)}, {constant(kOnes)}});
    cases.push_back({"depthwise", ConvForward{depthwise, two}, {whole, centre}, {times(2)}});
    cases.push_back({"depthwise, data", ConvBackwardData{depthwise, two}, {whole, centre}, {times(2)}});
    cases.push_back({"pooling", PoolForward{{}, image}, {whole}, {largestOfWindow}});
    return cases;
}

/// Windows of one pixel, of which all but the centre see padding; the last image counts.
std::vector<LimitCase> batchCases() {
    const auto some = [](std::size_t i) { return i % 1024 == 1022 ? 1.0F : 0.0F; };
    const ConvParams padded{1, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 1, false};
    return {{"convolution of a batch, weights",
             ConvBackwardWeights{padded, {kMost, 1, 1, 1}},
             {some, constant(1)},
             {[](std::size_t i) { return i == 4 ? float(1 << 21) : 0.0F; }}}};
}

std::vector<LimitCase> productCases() {
    const auto outer = [](std::size_t i) { return whole(i / kSide) * (whole(i % kSide) + 1); };
    const auto moved = [](std::size_t i) { return whole(i) + 1; };
    std::vector<LimitCase> cases;
    cases.push_back({"product", Gemm{kSide, kSide, 1}, {whole, moved}, {outer}});
    cases.push_back({"dense", DenseForward{{1, kSide, false}, kSide}, {whole, moved}, {outer}});
    cases.push_back({"dense of a batch",
                     DenseForward{{1, 1, true}, kMost},
                     {whole, constant(2), constant(1)},
                     {[](std::size_t i) { return 2 * whole(i) + 1; }}});
    cases.push_back({"dense, data", DenseBackwardData{{kSide, 1, false}, kSide}, {whole, moved}, {outer}});
    const auto sparse = [](std::size_t i) { return i % 1024 == 0 ? 1.0F : 0.0F; };
    const auto ones = constant(float(kMost / 1024 + 1));
    cases.push_back({"product of a column", Gemm{kMost, 1, 1}, {whole, constant(2)}, {times(2)}});
    cases.push_back({"product of a row", Gemm{1, kMost, 1}, {constant(2), whole}, {times(2)}});
    cases.push_back({"product of a row and a column", Gemm{1, 1, kMost}, {sparse, constant(1)}, {ones}});
    cases.push_back(
        {"dense of many units", DenseForward{{1, kMost, false}, 1}, {constant(2), whole}, {times(2)}});
    cases.push_back({"dense of a batch, data",
                     DenseBackwardData{{1, 1, false}, kMost},
                     {whole, constant(2)},
                     {times(2)}});
    cases.push_back({"dense of a batch, weights",
                     DenseBackwardWeights{{1, 1, false}, kMost},
                     {sparse, constant(1)},
                     {ones}});
    cases.push_back(
        {"dense, weights", DenseBackwardWeights{{kSide, kSide, false}, 1}, {moved, whole}, {outer}});
    return cases;
}

/// Page-locked memory of the host for one tensor at a time: pages that are new each time, and copies from
/// pages that are not locked, would take most of these tests' time.
class Staging {
  public:
    ~Staging() { cudaFreeHost(m_data); }
    Staging() {
        void* data = nullptr;
        if (cudaHostAlloc(&data, kMost * sizeof(float), cudaHostAllocDefault) == cudaSuccess)
            m_data = static_cast<float*>(data);
    }
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    explicit operator bool() const { return m_data != nullptr; }
    std::span<float> first(std::int64_t elements) { return {m_data, static_cast<std::size_t>(elements)}; }

  private:
    float* m_data = nullptr;
};

class GpuLimits : public GpuTargetTest {
  protected:
    static void TearDownTestSuite() { s_staging.reset(); }

    void SetUp() override {
        GpuTargetTest::SetUp();
        if (IsSkipped() || HasFatalFailure())
            return;
        if (!m_session->allocate(kMemoryBytes))
            SKIP_WITHOUT("gpu-memory", "the device has less than 40 GiB of free memory");
        if (!s_staging)
            s_staging = std::make_unique<Staging>();
        if (!*s_staging)
            SKIP_WITHOUT("gpu-memory", "the host has less than 8 GiB of memory that can be page-locked");
    }

    void check(const std::vector<LimitCase>& cases) {
        int computed = 0;
        for (const LimitCase& one : cases) {
            SCOPED_TRACE(one.name + " " + opDetail(one.op));
            m_noRoom = false;
            if (const Support support = m_session->supports(one.op); !support.supported) {
                EXPECT_FALSE(support.reason.empty());
                continue;
            }
            run(one);
            computed += m_noRoom ? 0 : 1;
        }
        EXPECT_GT(computed, 0);
    }

  private:
    using Buffers = std::vector<std::unique_ptr<DeviceBuffer>>;

    void upload(std::int64_t elements, const Values& values, Buffers& buffers) {
        const std::span<float> data = s_staging->first(elements);
        fill(data, values);
        auto buffer = m_session->allocate(data.size_bytes());
        ASSERT_TRUE(buffer) << buffer.error().sentence();
        // Of page-locked memory the copy is not over when upload() returns.
        for (const Status& status :
             {m_session->upload(**buffer, data.data(), data.size_bytes()), m_session->synchronize()})
            ASSERT_TRUE(status) << status.error().sentence();
        buffers.push_back(std::move(*buffer));
    }

    void run(const LimitCase& one) {
        const auto sizes = operandElements(one.op);
        ASSERT_TRUE(sizes);
        ASSERT_EQ(sizes->src.size(), one.inputs.size());
        ASSERT_EQ(sizes->dst.size(), one.outputs.size());
        Buffers src, dst;
        for (std::size_t i = 0; i < one.inputs.size(); ++i)
            upload(sizes->src[i], one.inputs[i], src);
        for (const std::int64_t elements : sizes->dst)
            upload(elements, constant(std::numeric_limits<float>::quiet_NaN()), dst);
        if (HasFatalFailure())
            return;
        std::vector<DeviceBuffer*> from, to;
        for (const auto& buffer : src)
            from.push_back(buffer.get());
        for (const auto& buffer : dst)
            to.push_back(buffer.get());
        auto prepared = m_session->prepare(one.op);
        m_noRoom = !prepared && prepared.error().code == ErrorCode::OutOfMemory;
        if (m_noRoom) { // an unrolled image of one case takes 72 GiB
            std::printf("left out: %s: %s\n", one.name.c_str(), prepared.error().sentence().c_str());
            return;
        }
        ASSERT_TRUE(prepared) << prepared.error().sentence();
        for (const Status& status : {(*prepared)->run(from, to, nullptr), m_session->synchronize()})
            ASSERT_TRUE(status) << status.error().sentence();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const std::span<float> result = s_staging->first(sizes->dst[i]);
            const Status got = m_session->download(result.data(), *to[i], result.size_bytes());
            ASSERT_TRUE(got) << got.error().sentence();
            const std::size_t wrong = firstWrong(result, one.outputs[i], one.tolerance);
            EXPECT_EQ(wrong, result.size()) << (*prepared)->implementation() << ", output " << i << ": "
                                            << (wrong < result.size() ? result[wrong] : 0) << " for "
                                            << (wrong < result.size() ? one.outputs[i](wrong) : 0);
        }
    }

    static inline std::unique_ptr<Staging> s_staging;
    bool m_noRoom = false; ///< for the scratch memory of the last case
};

TEST_P(GpuLimits, Elementwise) {
    check(elementwiseCases());
}

TEST_P(GpuLimits, Reductions) {
    check(reductionCases());
}

TEST_P(GpuLimits, LayerNormalisation) {
    check(layerNormCases());
}

TEST_P(GpuLimits, Broadcasts) {
    check(broadcastCases());
}

TEST_P(GpuLimits, Windows) {
    check(windowCases());
}

TEST_P(GpuLimits, Products) {
    check(productCases());
}

/// By our kernels, the fastest and one that is asked for.
class OwnLimits : public GpuLimits {};

TEST_P(OwnLimits, Batches) {
    check(batchCases());
}

INSTANTIATE_TEST_SUITE_P(Gpu, OwnLimits, testing::Values("cuda:0/cuda", "cuda:0/cuda?impl=window"),
                         [](const testing::TestParamInfo<std::string>& one) {
                             return std::string(one.param.ends_with("window") ? "window" : "cuda");
                         });

INSTANTIATE_TEST_SUITE_P(Gpu, GpuLimits, testing::Values("cuda:0/cuda", "cuda:0/cublas", "cuda:0/cudnn"),
                         [](const testing::TestParamInfo<std::string>& one) {
                             return parseTarget(one.param)->implementation;
                         });

} // namespace
} // namespace heteroscope::compute
