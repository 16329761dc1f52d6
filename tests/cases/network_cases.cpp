// SPDX-License-Identifier: Apache-2.0
// The lists of layers with weights are in weight_cases.cpp; here are the others, and all put together.
#include "tests/cases/network_cases.h"

#include "tests/cases/weight_cases.h"

namespace heteroscope::compute {
namespace {

using Cases = std::vector<NetworkCase>;

void addActivations(Cases& cases) {
    using enum ActivationKind;
    for (const ActivationTraits& traits : kActivations)
        for (const std::int64_t elements : {1, 7, 64, 1003, 50021}) {
            const std::string name = std::to_string(elements);
            cases.push_back({name, ActivationForward{traits.kind, elements}, 4});
            cases.push_back({name, ActivationBackward{traits.kind, elements}, 4});
        }
    cases.push_back({"slope 0.2", ActivationForward{LeakyRelu, 100, 0.2}});
    cases.push_back({"slope 0.2", ActivationBackward{LeakyRelu, 100, 0.2}});
    for (const ActivationTraits& traits : kActivations) {
        cases.push_back({"far from zero", ActivationForward{traits.kind, 501}, 80});
        cases.push_back({"far from zero", ActivationBackward{traits.kind, 501}, 80});
    }
}

void addSoftmax(Cases& cases) {
    const std::pair<const char*, Shape4> shapes[] = {
        {"one", {1, 1, 1, 1}},    {"rows", {3, 10, 1, 1}},          {"thousand", {64, 1000, 1, 1}},
        {"pixels", {2, 5, 4, 7}}, {"many channels", {1, 70, 3, 3}}, {"threads", {2, 19, 33, 35}}};
    for (const auto& [name, shape] : shapes) {
        cases.push_back({name, SoftmaxForward{shape}, 3});
        cases.push_back({name, SoftmaxBackward{shape}, 3});
    }
    cases.push_back({"far from zero", SoftmaxForward{{5, 12, 1, 1}}, 80});
    cases.push_back({"far from zero", SoftmaxBackward{{5, 12, 1, 1}}, 80});
}

void addBatchNorm(Cases& cases) {
    const std::pair<const char*, Shape4> shapes[] = {
        {"planes", {4, 3, 5, 7}},       {"batch 1", {1, 2, 6, 5}},     {"two values", {2, 3, 1, 1}},
        {"rows", {32, 33, 1, 1}},       {"one channel", {3, 1, 9, 4}}, {"threads", {5, 40, 15, 14}},
        {"large plane", {1, 2, 70, 71}}};
    for (const auto& [name, shape] : shapes) {
        cases.push_back({name, BatchNormTrain{shape}});
        cases.push_back({name, BatchNormInfer{shape}});
        cases.push_back({name, BatchNormBackward{shape}});
    }
    cases.push_back({"epsilon and momentum", BatchNormTrain{{4, 3, 2, 2}, 1e-3, 0.01}});
    cases.push_back({"far from zero", BatchNormTrain{{4, 3, 6, 2}}, 80});
    cases.push_back({"far from zero", BatchNormBackward{{4, 3, 6, 2}}, 80});
}

void addLayerNorm(Cases& cases) {
    const std::pair<const char*, Shape4> shapes[] = {
        {"one value", {1, 1, 1, 1}},        {"rows", {3, 10, 1, 1}},
        {"many rows", {64, 1000, 1, 1}},    {"long rows", {2, 20011, 1, 1}},
        {"one long row", {1, 30720, 1, 1}}, {"pixels", {2, 5, 4, 7}},
        {"many channels", {1, 70, 3, 3}},   {"one channel", {3, 1, 5, 2}},
        {"threads", {2, 19, 33, 35}}};
    for (const auto& [name, shape] : shapes) {
        cases.push_back({name, LayerNormForward{shape}});
        cases.push_back({name, LayerNormBackward{shape}});
    }
    cases.push_back({"epsilon", LayerNormForward{{4, 30, 1, 1}, 1e-3}});
    for (const Shape4& shape : {Shape4{4, 36, 1, 1}, Shape4{2, 9, 4, 3}}) {
        const std::string kind = shape.h == 1 ? "rows " : "pixels ";
        cases.push_back({kind + "far from zero", LayerNormForward{shape}, 80});
        cases.push_back({kind + "far from zero", LayerNormBackward{shape}, 80});
        cases.push_back({kind + "of little variance", LayerNormForward{shape}, 1, 1, 30000});
        cases.push_back({kind + "of little variance", LayerNormBackward{shape}, 1, 1, 30000});
    }
}

void addMultiply(Cases& cases) {
    struct Problem {
        const char* name;
        Shape4 a, b;
    };
    const Problem problems[] = {{"one", {1, 1, 1, 1}, {1, 1, 1, 1}},
                                {"one shape", {2, 3, 5, 7}, {2, 3, 5, 7}},
                                {"channels", {2, 5, 4, 7}, {2, 5, 1, 1}},
                                {"samples", {3, 5, 4, 7}, {3, 1, 1, 1}},
                                {"planes", {2, 5, 4, 7}, {2, 1, 4, 7}},
                                {"rows", {2, 3, 4, 7}, {2, 3, 4, 1}},
                                {"columns", {2, 3, 4, 7}, {2, 1, 1, 7}},
                                {"channels by planes", {2, 5, 1, 1}, {2, 1, 4, 7}},
                                {"rows by columns", {2, 3, 1, 6}, {2, 3, 5, 1}},
                                {"units", {4, 33, 1, 1}, {4, 1, 1, 1}},
                                {"images", {1, 3, 5, 4}, {6, 3, 1, 4}},
                                {"threads", {4, 40, 31, 33}, {4, 40, 1, 1}},
                                {"threads planes", {2, 40, 31, 33}, {2, 1, 31, 33}},
                                {"threads one shape", {2, 9, 61, 67}, {2, 9, 61, 67}}};
    for (const auto& [name, a, b] : problems) {
        cases.push_back({name, Multiply{a, b}});
        cases.push_back({name, MultiplyBackward{a, b}});
        if (a == b)
            continue;
        cases.push_back({std::string(name) + " first", Multiply{b, a}});
        cases.push_back({std::string(name) + " first", MultiplyBackward{b, a}});
    }
}

void addDropout(Cases& cases) {
    cases.push_back({"one", Dropout{1, 0.5, 1, 0}});
    cases.push_back({"nothing dropped", Dropout{77, 0.0, 2, 1}});
    cases.push_back({"half", Dropout{4096, 0.5, 3, 2}});
    cases.push_back({"nine tenths", Dropout{5003, 0.9, 0xffffffffffffffff, 0xffffffff, true}});
    cases.push_back({"threads", Dropout{200002, 0.2, 5, 4}});
}

void addElementwise(Cases& cases) {
    for (const std::int64_t elements : {1, 17, 100003}) {
        const std::string name = std::to_string(elements);
        cases.push_back({name, Add{elements}});
        cases.push_back({name, SumOfSquares{elements}});
    }
    cases.push_back({"whole", CopyChannels{{2, 3, 4, 5}, 3, 0, 0, 3}});
    cases.push_back({"into the middle", CopyChannels{{2, 3, 4, 5}, 9, 0, 2, 3}});
    cases.push_back({"out of the middle", CopyChannels{{3, 9, 3, 7}, 2, 4, 0, 2}});
    cases.push_back({"one pixel", CopyChannels{{5, 8, 1, 1}, 6, 7, 5, 1}});
    cases.push_back({"threads", CopyChannels{{4, 20, 31, 33}, 50, 3, 30, 16}});
}

void addAdaptivePooling(Cases& cases) {
    struct Problem {
        const char* name;
        Shape4 src;
        Extent2d output;
    };
    const Problem problems[] = {
        {"global", {2, 3, 7, 7}, {1, 1}},           {"does not divide", {1, 2, 10, 9}, {3, 4}},
        {"same size", {2, 2, 6, 5}, {6, 5}},        {"larger than the input", {1, 2, 3, 4}, {5, 7}},
        {"rows only", {1, 3, 11, 4}, {4, 1}},       {"global threads", {4, 64, 28, 28}, {1, 1}},
        {"threads", {2, 20, 32, 33}, {6, 7}},       {"a large plane", {1, 2, 90, 101}, {1, 1}},
        {"large windows", {1, 1, 190, 203}, {2, 2}}};
    for (const Problem& one : problems) {
        cases.push_back({one.name, AdaptivePoolForward{one.src, one.output}});
        cases.push_back({one.name, AdaptivePoolBackward{one.src, one.output}});
    }
}

void addLosses(Cases& cases) {
    using enum LossKind;
    for (const LossKind kind : {SoftmaxCrossEntropy, BinaryCrossEntropy, MeanSquaredError}) {
        cases.push_back({"one", Loss{kind, 1, 1}});
        cases.push_back({"few", Loss{kind, 7, 10}, 3});
        cases.push_back({"many", Loss{kind, 129, 1000}, 3});
        cases.push_back({"without gradient", Loss{kind, 5, 3, false}, 2});
        cases.push_back({"far from zero", Loss{kind, 9, 6}, 80});
    }
}

void addOptimizers(Cases& cases) {
    for (const std::int64_t elements : {1, 37, 100003}) {
        const std::string name = std::to_string(elements);
        cases.push_back({name, Sgd{elements}});
        cases.push_back({name + " momentum", Sgd{elements, 0.9}});
        cases.push_back({name + " nesterov", Sgd{elements, 0.9, true}});
        cases.push_back({name, Adam{elements}});
    }
    cases.push_back({"decay", Sgd{130, 0, false, 0.01}});
    cases.push_back({"momentum and decay", Sgd{130, 0.5, false, 0.01}});
    cases.push_back({"nesterov and decay", Sgd{130, 0.5, true, 0.01}});
    cases.push_back({"step 1000", Adam{130}, 1, 1000});
    cases.push_back({"decay", Adam{130, 0.8, 0.99, 1e-6, 0.01}, 1, 3});
}

Cases makeCases() {
    Cases cases = weightCases();
    addActivations(cases);
    addSoftmax(cases);
    addBatchNorm(cases);
    addLayerNorm(cases);
    addDropout(cases);
    addElementwise(cases);
    addMultiply(cases);
    addAdaptivePooling(cases);
    addLosses(cases);
    addOptimizers(cases);
    return cases;
}

struct Sharing {
    std::vector<int> operator()(const ActivationForward&) const { return {0}; }
    std::vector<int> operator()(const ActivationBackward&) const { return {1}; }
    std::vector<int> operator()(const SoftmaxForward&) const { return {0}; }
    std::vector<int> operator()(const SoftmaxBackward&) const { return {1}; }
    std::vector<int> operator()(const BatchNormTrain&) const { return {-1, -1, -1, 3, 4}; }
    std::vector<int> operator()(const BatchNormInfer&) const { return {0}; }
    std::vector<int> operator()(const LayerNormForward&) const { return {0, -1, -1}; }
    std::vector<int> operator()(const Dropout&) const { return {0}; }
    std::vector<int> operator()(const Add&) const { return {1}; }
    std::vector<int> operator()(const Multiply& op) const {
        const auto dst = broadcastShape(op.a, op.b);
        return dst == op.a ? std::vector<int>{0} : dst == op.b ? std::vector<int>{1} : std::vector<int>{};
    }
    std::vector<int> operator()(const MultiplyBackward& op) const {
        return broadcastShape(op.factor, op.other) == op.factor ? std::vector<int>{0} : std::vector<int>{};
    }
    std::vector<int> operator()(const Sgd& op) const {
        return op.momentum == 0 ? std::vector<int>{0} : std::vector<int>{0, 3};
    }
    std::vector<int> operator()(const Adam&) const { return {0, 3, 4}; }
    template <class Other>
    std::vector<int> operator()(const Other&) const {
        return {};
    }
};

} // namespace

const std::vector<NetworkCase>& networkCases() {
    static const Cases cases = makeCases();
    return cases;
}

std::string caseTitle(const NetworkCase& one) {
    return opName(one.op) + ": " + one.name;
}

std::vector<int> sharedOperands(const Op& op) {
    return std::visit(Sharing{}, op);
}

} // namespace heteroscope::compute
