// SPDX-License-Identifier: Apache-2.0
// The plain loops against what PyTorch computed in double precision (generate.py, versions.json). The same
// bounds as between implementations hold: both sides are float32 of sums in double precision.
#include "compute/data/npz.h"
#include "tests/cases/network_bounds.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <heteroscope_paths.h>
#include <set>

namespace heteroscope::compute {
namespace {

struct TorchCase {
    std::string name;
    Op op;
};

/// The recorded arrays of one file, of which each must be asked for.
class Recorded {
  public:
    explicit Recorded(const std::string& file) {
        auto arrays = readNpz(HETEROSCOPE_SOURCE_DIR "/tests/golden/torch/" + file);
        EXPECT_TRUE(arrays.ok());
        if (arrays)
            m_arrays = std::move(*arrays);
    }

    /// CASE.src0, CASE.src1 ... as many as there are.
    Tensors operands(const std::string& name, const char* side) {
        Tensors tensors;
        for (;;) {
            const auto found = m_arrays.find(name + "." + side + std::to_string(tensors.size()));
            if (found == m_arrays.end())
                return tensors;
            tensors.push_back(found->second.values);
            m_taken.insert(found->first);
        }
    }
    std::size_t left() const { return m_arrays.size() - m_taken.size(); }

  private:
    NpzArrays m_arrays;
    std::set<std::string> m_taken;
};

void expectSizes(const OperandSizes& sizes, const Tensors& src, const Tensors& dst) {
    ASSERT_EQ(src.size(), sizes.src.size());
    ASSERT_EQ(dst.size(), sizes.dst.size());
    for (std::size_t i = 0; i < src.size(); ++i)
        ASSERT_EQ(static_cast<std::int64_t>(src[i].size()), sizes.src[i]) << "input " << i;
    for (std::size_t i = 0; i < dst.size(); ++i)
        ASSERT_EQ(static_cast<std::int64_t>(dst[i].size()), sizes.dst[i]) << "output " << i;
}

void check(Recorded& recorded, const TorchCase& one) {
    SCOPED_TRACE(one.name + ": " + opName(one.op) + " " + opDetail(one.op));
    const Tensors src = recorded.operands(one.name, "src"), dst = recorded.operands(one.name, "dst");
    ASSERT_NO_FATAL_FAILURE(expectSizes(*operandElements(one.op), src, dst));
    const Tensors actual = specification(one.op, src);
    const Bounds bounds = networkBounds(one.op, src, dst);
    for (std::size_t i = 0; i < dst.size(); ++i)
        EXPECT_TRUE(nearTensor(dst[i], actual[i], [&](std::size_t at) { return bounds[i][at]; }))
            << "output " << i;
}

void checkFile(const std::string& file, const std::vector<TorchCase>& cases) {
    Recorded recorded(file);
    for (const TorchCase& one : cases)
        check(recorded, one);
    EXPECT_EQ(recorded.left(), 0U) << "arrays of " << file << " that no case reads";
}

void addConvolution(std::vector<TorchCase>& cases, const std::string& name, const ConvParams& params,
                    const Shape4& src) {
    cases.push_back({name + ".forward", ConvForward{params, src}});
    cases.push_back({name + ".data", ConvBackwardData{params, src}});
    cases.push_back({name + ".weights", ConvBackwardWeights{params, src}});
}

TEST(TorchValues, OfLayersWithWeights) {
    std::vector<TorchCase> cases;
    addConvolution(cases, "k3p1", {5, {3, 3}, {1, 1}, {1, 1, 1, 1}}, {2, 4, 7, 9});
    addConvolution(cases, "k1s2", {4, {1, 1}, {2, 2}, {}}, {2, 3, 6, 7});
    addConvolution(cases, "k7s2p3", {6, {7, 7}, {2, 2}, {3, 3, 3, 3}}, {1, 3, 15, 17});
    addConvolution(cases, "sides", {3, {2, 3}, {2, 1}, {1, 0, 0, 2}}, {1, 2, 8, 9});
    addConvolution(cases, "gaps", {3, {2, 2}, {3, 3}, {}}, {1, 2, 9, 9});
    addConvolution(cases, "dilated", {3, {3, 3}, {1, 1}, {2, 2, 2, 2}, {2, 3}}, {1, 2, 9, 11});
    addConvolution(cases, "groups", {9, {3, 3}, {1, 1}, {1, 1, 1, 1}, {1, 1}, 3}, {2, 6, 6, 5});
    addConvolution(cases, "depthwise", {5, {3, 3}, {2, 2}, {1, 1, 1, 1}, {1, 1}, 5, false}, {1, 5, 8, 8});
    const DenseParams dense{13, 7};
    cases.push_back({"dense.forward", DenseForward{dense, 6}});
    cases.push_back({"dense.data", DenseBackwardData{dense, 6}});
    cases.push_back({"dense.weights", DenseBackwardWeights{dense, 6}});
    checkFile("weights.npz", cases);
}

TEST(TorchValues, OfOtherLayers) {
    using enum ActivationKind;
    std::vector<TorchCase> cases;
    for (const ActivationKind kind : {Relu, Relu6, LeakyRelu, Sigmoid, Tanh}) {
        const std::string name = activationName(kind);
        cases.push_back({name + ".forward", ActivationForward{kind, 65, 0.1}});
        cases.push_back({name + ".backward", ActivationBackward{kind, 65, 0.1}});
    }
    cases.push_back({"softmax.forward", SoftmaxForward{{2, 6, 3, 4}}});
    cases.push_back({"softmax.backward", SoftmaxBackward{{2, 6, 3, 4}}});
    const auto pooling = [&cases](const std::string& name, const Shape4& src, const Extent2d& output) {
        cases.push_back({name + ".forward", AdaptivePoolForward{src, output}});
        cases.push_back({name + ".backward", AdaptivePoolBackward{src, output}});
    };
    pooling("adaptive", {1, 2, 10, 9}, {3, 4});
    pooling("global", {2, 3, 7, 5}, {1, 1});
    pooling("wider", {1, 2, 3, 4}, {5, 7});
    const auto norm = [&cases](const std::string& name, const Shape4& src, double epsilon, double momentum) {
        cases.push_back({name + ".train", BatchNormTrain{src, epsilon, momentum}});
        cases.push_back({name + ".infer", BatchNormInfer{src, epsilon}});
        cases.push_back({name + ".backward", BatchNormBackward{src}});
    };
    norm("norm", {4, 3, 5, 6}, 1e-5, 0.1);
    norm("norm1", {1, 2, 4, 4}, 1e-3, 0.01);
    norm("rows", {9, 6, 1, 1}, 1e-5, 0.3);
    checkFile("layers.npz", cases);
}

TEST(TorchValues, OfFurtherActivations) {
    using enum ActivationKind;
    std::vector<TorchCase> cases;
    for (const ActivationKind kind : {Gelu, HardSwish, HardSigmoid}) {
        const std::string name = activationName(kind);
        cases.push_back({name + ".forward", ActivationForward{kind, 65}});
        cases.push_back({name + ".backward", ActivationBackward{kind, 65}});
    }
    checkFile("activations.npz", cases);
}

TEST(TorchValues, OfLayerNormalisation) {
    std::vector<TorchCase> cases;
    const auto norm = [&cases](const std::string& name, const Shape4& src, double epsilon) {
        cases.push_back({name + ".forward", LayerNormForward{src, epsilon}});
        cases.push_back({name + ".backward", LayerNormBackward{src}});
    };
    norm("sample", {3, 4 * 5 * 7, 1, 1}, 1e-5);
    norm("features", {6, 37, 1, 1}, 1e-5);
    norm("epsilon", {2, 3 * 2 * 2, 1, 1}, 1e-2);
    norm("pixels", {2, 6, 3, 5}, 1e-6);
    checkFile("layer_norm.npz", cases);
}

TEST(TorchValues, OfProductsThatBroadcast) {
    std::vector<TorchCase> cases;
    const auto product = [&cases](const std::string& name, const Shape4& a, const Shape4& b) {
        cases.push_back({name + ".forward", Multiply{a, b}});
        cases.push_back({name + ".first", MultiplyBackward{a, b}});
        cases.push_back({name + ".second", MultiplyBackward{b, a}});
    };
    product("same", {2, 3, 4, 5}, {2, 3, 4, 5});
    product("channels", {2, 5, 4, 7}, {2, 5, 1, 1});
    product("one", {2, 1, 1, 1}, {2, 5, 4, 7});
    product("planes", {2, 5, 4, 7}, {2, 1, 4, 7});
    product("rows", {2, 3, 4, 7}, {2, 3, 4, 1});
    product("both", {2, 5, 1, 7}, {2, 1, 4, 1});
    product("features", {4, 33, 1, 1}, {4, 1, 1, 1});
    checkFile("mul.npz", cases);
}

TEST(TorchValues, OfTraining) {
    std::vector<TorchCase> cases;
    for (const std::string range : {"near", "far"}) {
        cases.push_back({"classes_" + range, Loss{LossKind::SoftmaxCrossEntropy, 8, 10}});
        cases.push_back({"binary_" + range, Loss{LossKind::BinaryCrossEntropy, 8, 10}});
        cases.push_back({"squares_" + range, Loss{LossKind::MeanSquaredError, 8, 10}});
    }
    for (int step = 1; step <= 4; ++step) {
        const std::string number = "." + std::to_string(step);
        cases.push_back({"sgd" + number, Sgd{41}});
        cases.push_back({"sgd_decay" + number, Sgd{41, 0, false, 0.01}});
        cases.push_back({"momentum" + number, Sgd{41, 0.9}});
        cases.push_back({"nesterov" + number, Sgd{41, 0.9, true, 0.01}});
        cases.push_back({"adam" + number, Adam{41}});
        cases.push_back({"adam_decay" + number, Adam{41, 0.8, 0.99, 1e-6, 0.01}});
    }
    checkFile("training.npz", cases);
}

} // namespace
} // namespace heteroscope::compute
