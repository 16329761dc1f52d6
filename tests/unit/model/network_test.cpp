// SPDX-License-Identifier: Apache-2.0
// Shapes, parameters, errors and memory of networks; counts of published models.
#include "compute/experiment/spec/spec_json.h"
#include "compute/layers/layer_rules.h"
#include "compute/model/layer_type.h"
#include "compute/model/memory_plan.h"
#include "compute/model/network_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace heteroscope::compute {
namespace {

Json document(Json shape, Json layers) {
    return {{"heteroscope", 1},
            {"kind", "network"},
            {"name", "test"},
            {"network", {{"input", {{"shape", std::move(shape)}}}, {"layers", std::move(layers)}}},
            {"targets", {"cpu/sequential"}}};
}

/// Layers by and by; each call adds one and gives its name.
class Builder {
  public:
    std::string add(Json layer) {
        const std::string name = layer.at("type").get<std::string>() + std::to_string(m_layers.size());
        layer["name"] = name;
        m_layers.push_back(std::move(layer));
        return name;
    }
    std::string conv(std::int64_t filters, int kernel, int stride, std::int64_t groups = 1,
                     std::string from = {}) {
        Json layer = {{"type", "conv2d"},      {"filters", filters}, {"kernel", kernel}, {"stride", stride},
                      {"padding", kernel / 2}, {"groups", groups},   {"bias", false}};
        if (!from.empty())
            layer["inputs"] = {from};
        add(layer);
        return add({{"type", "batchnorm"}});
    }
    const Json& layers() const { return m_layers; }

  private:
    Json m_layers = Json::array();
};

Network resolved(const Json& experiment) {
    const auto spec = specFromJson(experiment);
    EXPECT_TRUE(spec.ok()) << spec.error().sentence();
    return resolveNetwork(spec->network.network, networkRequest(spec->network));
}

std::int64_t parametersOf(const Json& shape, const Json& layers) {
    return resolved(document(shape, layers)).parameterElements();
}

Json mlp(const std::vector<int>& hidden) {
    Json layers = Json::array();
    for (const int units : hidden) {
        layers.push_back({{"type", "dense"}, {"units", units}});
        layers.push_back({{"type", "relu"}});
    }
    layers.push_back({{"type", "dense"}, {"units", 1}});
    return layers;
}

void residualBlock(Builder& net, std::int64_t filters, int stride, bool project, std::string& last) {
    const std::string from = last;
    net.conv(filters, 3, stride, 1, from);
    net.add({{"type", "relu"}});
    const std::string main = net.conv(filters, 3, 1);
    const std::string shortcut = project ? net.conv(filters, 1, stride, 1, from) : from;
    net.add({{"type", "add"}, {"inputs", {main, shortcut}}});
    last = net.add({{"type", "relu"}});
}

Json resnet18() {
    Builder net;
    net.conv(64, 7, 2);
    net.add({{"type", "relu"}});
    std::string last = net.add({{"type", "maxpool2d"}, {"kernel", 3}, {"stride", 2}, {"padding", 1}});
    for (const int filters : {64, 128, 256, 512}) {
        residualBlock(net, filters, filters == 64 ? 1 : 2, filters != 64, last);
        residualBlock(net, filters, 1, false, last);
    }
    net.add({{"type", "global_avgpool2d"}});
    net.add({{"type", "flatten"}});
    net.add({{"type", "dense"}, {"units", 1000}});
    return net.layers();
}

void invertedResidual(Builder& net, std::int64_t in, std::int64_t out, int stride, int expansion,
                      std::string& last) {
    const std::string from = last;
    if (expansion != 1) {
        net.conv(in * expansion, 1, 1);
        net.add({{"type", "relu6"}});
    }
    net.conv(in * expansion, 3, stride, in * expansion);
    net.add({{"type", "relu6"}});
    last = net.conv(out, 1, 1);
    if (stride == 1 && in == out)
        last = net.add({{"type", "add"}, {"inputs", {last, from}}});
}

/// Sandler et al. 2018, table 2.
Json mobilenetV2() {
    struct Row {
        int expansion, channels, repeats, stride;
    };
    Builder net;
    net.conv(32, 3, 2);
    std::string last = net.add({{"type", "relu6"}});
    std::int64_t channels = 32;
    for (const Row& row : {Row{1, 16, 1, 1}, Row{6, 24, 2, 2}, Row{6, 32, 3, 2}, Row{6, 64, 4, 2},
                           Row{6, 96, 3, 1}, Row{6, 160, 3, 2}, Row{6, 320, 1, 1}})
        for (int i = 0; i < row.repeats; ++i) {
            invertedResidual(net, channels, row.channels, i == 0 ? row.stride : 1, row.expansion, last);
            channels = row.channels;
        }
    net.conv(1280, 1, 1);
    net.add({{"type", "relu6"}});
    net.add({{"type", "global_avgpool2d"}});
    net.add({{"type", "dropout"}, {"rate", 0.2}});
    net.add({{"type", "dense"}, {"units", 1000}});
    return net.layers();
}

TEST(LayerTypes, EachHasARuleAndParametersWithHelp) {
    for (const LayerType& type : layerTypes()) {
        EXPECT_NE(findLayerRule(type.id), nullptr) << type.id;
        EXPECT_FALSE(type.label.empty() || type.help.empty() || type.group.empty()) << type.id;
        EXPECT_EQ(findLayerType(type.id), &type);
        for (const Parameter& parameter : type.parameters)
            EXPECT_FALSE(parameter.help.empty()) << type.id << " " << parameter.key;
    }
    EXPECT_EQ(findLayerType("lstm"), nullptr);
    EXPECT_EQ(findLayerRule("lstm"), nullptr);
}

TEST(NetworkCounts, AreThoseOfThePublishedModels) {
    EXPECT_EQ(parametersOf({50}, mlp({800, 400, 208})), 444817);
    EXPECT_EQ(parametersOf({50}, mlp({1600, 800, 416})), 1696033);
    const Json irradiance = {{{"type", "conv2d"}, {"filters", 32}},
                             {{"type", "relu"}},
                             {{"type", "conv2d"}, {"filters", 64}},
                             {{"type", "relu"}},
                             {{"type", "maxpool2d"}},
                             {{"type", "dropout"}, {"rate", 0.25}},
                             {{"type", "flatten"}},
                             {{"type", "dense"}, {"units", 128}},
                             {{"type", "relu"}},
                             {{"type", "dropout"}},
                             {{"type", "dense"}, {"units", 1}}};
    EXPECT_EQ(parametersOf({1, 50, 50}, irradiance), 4352641);
    EXPECT_EQ(parametersOf({3, 224, 224}, resnet18()), 11689512);
    EXPECT_EQ(parametersOf({3, 224, 224}, mobilenetV2()), 3504872);
}

TEST(NetworkShapes, FollowThroughTheLayers) {
    const Network network =
        resolved(document({3, 32, 32}, {{{"type", "conv2d"}, {"filters", 16}, {"padding", 1}},
                                        {{"type", "maxpool2d"}},
                                        {{"type", "flatten"}},
                                        {{"type", "dense"}, {"units", 10}}}));
    ASSERT_EQ(network.firstError(), nullptr);
    EXPECT_EQ(network.layers[0].lowering->output, (Shape4{32, 16, 32, 32}));
    EXPECT_EQ(network.layers[1].lowering->output, (Shape4{32, 16, 16, 16}));
    EXPECT_EQ(network.layers[2].lowering->output, (Shape4{32, 4096, 1, 1}));
    EXPECT_EQ(network.output(), (Shape4{32, 10, 1, 1}));
    EXPECT_EQ(network.layers[3].spec.name, "dense4");
    EXPECT_DOUBLE_EQ(network.multiplyAdds(), 32.0 * (16 * 32 * 32 * 27 + 4096 * 10));
}

TEST(NetworkShapes, RoundingUpAddsAWindowThatBeginsInside) {
    const auto height = [](int in, int kernel, int stride, int padding) {
        const Json layer = {{"type", "maxpool2d"},
                            {"kernel", kernel},
                            {"stride", stride},
                            {"padding", padding},
                            {"ceil", true}};
        return resolved(document({1, in, in}, Json::array({layer}))).output().h;
    };
    EXPECT_EQ(height(5, 2, 2, 0), 3);
    EXPECT_EQ(height(6, 2, 2, 0), 3);
    EXPECT_EQ(height(5, 2, 3, 0), 2);
    EXPECT_EQ(height(4, 2, 3, 1), 2); // a third window would begin behind the input
    EXPECT_EQ(height(7, 3, 2, 1), 4);
}

struct Mistake {
    const char* what;
    Json layers;
    std::string pointer;
};

TEST(NetworkMistakes, AreNamedByTheirPointer) {
    const Json dense = {{"type", "dense"}, {"units", 4}};
    const std::vector<Mistake> mistakes{
        {"no layers", Json::array(), "/network/layers"},
        {"no type", {{{"units", 4}}}, "/network/layers/0/type"},
        {"unknown type", {{{"type", "konv2d"}}}, "/network/layers/0/type"},
        {"no filters", {{{"type", "conv2d"}}}, "/network/layers/0/filters"},
        {"unknown key", {{{"type", "dense"}, {"units", 4}, {"unit", 4}}}, "/network/layers/0/unit"},
        {"window too large", {{{"type", "maxpool2d"}, {"kernel", 9}}}, "/network/layers/0/kernel"},
        {"groups", {{{"type", "conv2d"}, {"filters", 4}, {"groups", 3}}}, "/network/layers/0/groups"},
        {"two of one name",
         {{{"type", "relu"}, {"name", "a"}}, {{"type", "relu"}, {"name", "a"}}},
         "/network/layers/1/name"},
        {"later layer",
         {{{"type", "relu"}, {"name", "a"}, {"inputs", {"b"}}}, {{"type", "relu"}, {"name", "b"}}},
         "/network/layers/0/inputs/0"},
        {"itself", {{{"type", "relu"}, {"name", "a"}, {"inputs", {"a"}}}}, "/network/layers/0/inputs/0"},
        {"one input of add", {{{"type", "add"}, {"inputs", {"input"}}}}, "/network/layers/0/inputs"},
        {"shapes of add",
         {dense, {{"type", "add"}, {"inputs", {"input", "dense1"}}}},
         "/network/layers/1/inputs"},
        {"one input of mul", {{{"type", "mul"}, {"inputs", {"input"}}}}, "/network/layers/0/inputs"},
        {"three inputs of mul",
         {{{"type", "mul"}, {"inputs", {"input", "input", "input"}}}},
         "/network/layers/0/inputs"},
        {"shapes of mul",
         {dense, {{"type", "mul"}, {"inputs", {"input", "dense1"}}}},
         "/network/layers/1/inputs"},
        {"over of layernorm", {{{"type", "layernorm"}, {"over", "batch"}}}, "/network/layers/0/over"},
        {"epsilon of layernorm", {{{"type", "layernorm"}, {"epsilon", 0}}}, "/network/layers/0/epsilon"},
        {"rate", {{{"type", "dropout"}, {"rate", 1.5}}}, "/network/layers/0/rate"},
        {"slash in a name", {{{"type", "relu"}, {"name", "a/b"}}}, "/network/layers/0/name"},
        {"called input", {{{"type", "relu"}, {"name", "input"}}}, "/network/layers/0/name"},
        {"not an object", {4}, "/network/layers/0"}};
    for (const Mistake& mistake : mistakes) {
        const auto findings = checkExperiment(document({2, 8, 8}, mistake.layers));
        ASSERT_FALSE(findings.empty()) << mistake.what;
        EXPECT_EQ(findings.front().pointer, mistake.pointer)
            << mistake.what << ": " << findings.front().message;
        EXPECT_FALSE(findings.front().message.empty());
    }
    EXPECT_EQ(checkExperiment(document({2, 8}, Json::array({dense}))).front().pointer,
              "/network/input/shape");
    Json withoutShape = document({8}, Json::array({dense}));
    withoutShape["network"].erase("input");
    EXPECT_EQ(checkExperiment(withoutShape).front().pointer, "/network/input/shape");
}

TEST(NetworkMistakes, OfAProductSayWhichShapesGoTogether) {
    const Json layers = {{{"type", "maxpool2d"}}, {{"type", "mul"}, {"inputs", {"input", "maxpool2d1"}}}};
    const auto findings = checkExperiment(document({2, 8, 6}, layers));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings.front().pointer, "/network/layers/1/inputs");
    const std::string told =
        findings.front().message + " " + findings.front().allowed + " " + findings.front().advice;
    for (const char* part : {"2x8x6", "2x4x3", "or 1 in one of the two", "2x1x1"})
        EXPECT_NE(told.find(part), std::string::npos) << part;
}

/// Shapes, parameters and what is learned, as PyTorch's LayerNorm has them.
TEST(NetworkShapes, OfLayerNormalisationAndProducts) {
    NetworkSpec spec;
    spec.input = {3, 4, 5};
    const auto add = [&spec](const char* name, const char* type, Json values,
                             std::vector<std::string> inputs) {
        spec.layers.push_back({name, type, std::move(values), std::move(inputs)});
    };
    add("n", "layernorm", {{"over", "sample"}, {"epsilon", 1e-5}}, {"input"});
    add("p", "layernorm", {{"over", "channels"}, {"epsilon", 1e-5}}, {"n"});
    add("g", "global_avgpool2d", Json::object(), {"p"});
    add("l", "layernorm", {{"over", "sample"}, {"epsilon", 1e-5}}, {"g"});
    add("m", "mul", Json::object(), {"l", "p"});
    const Network network = resolveNetwork(spec, {2, NetworkMode::Train, 0});
    ASSERT_EQ(network.firstError(), nullptr);
    EXPECT_EQ(network.layers[0].lowering->parameters[0].dims, (std::vector<std::int64_t>{3, 4, 5}));
    EXPECT_EQ(network.layers[1].lowering->parameters[1].dims, (std::vector<std::int64_t>{3}));
    EXPECT_EQ(network.layers[3].lowering->parameters[0].dims, (std::vector<std::int64_t>{3}));
    EXPECT_EQ(network.parameterElements(), 2 * 60 + 2 * 3 + 2 * 3);
    EXPECT_EQ(network.output(), (Shape4{2, 3, 4, 5}));
}

TEST(NetworkMistakes, AreFoundInSeveralBranchesAtOnce) {
    const Json layers = {{{"type", "maxpool2d"}, {"kernel", 9}},
                         {{"type", "conv2d"}, {"filters", 3}, {"groups", 2}, {"inputs", {"input"}}},
                         {{"type", "relu"}}};
    const auto findings = checkExperiment(document({2, 8, 8}, layers));
    EXPECT_EQ(findings.size(), 2u); // and none of the layer behind
}

TEST(NetworkJson, GoesThroughTypedValuesUnchanged) {
    Json given = defaultNetworkDocument();
    given["network"]["layers"].push_back({{"name", "sum"}, {"type", "add"}, {"inputs", {"dense", "dense"}}});
    given["axes"] = {{"/network/layers/0/filters", {4, 8}}, {"/training/batch", {8, 16}}};
    const auto spec = specFromJson(given);
    ASSERT_TRUE(spec.ok()) << spec.error().sentence();
    const Json written = specToJson(*spec);
    const auto again = specFromJson(written);
    ASSERT_TRUE(again.ok()) << again.error().sentence();
    EXPECT_EQ(specToJson(*again), written);
    EXPECT_EQ(expandPoints(*again)->size(), 4u);
    EXPECT_EQ(expandPoints(*again)->back().spec.network.network.layers[0].values.at("filters"), 8);
    EXPECT_EQ(expandPoints(*again)->back().spec.network.training.batch, 16);
}

Result<NetworkPlan> planOf(const Json& experiment, bool keepEverything = false) {
    const auto spec = specFromJson(experiment);
    EXPECT_TRUE(spec.ok()) << spec.error().sentence();
    PlanOptions options = planOptions(spec->network);
    options.keepEverything = keepEverything;
    return planNetwork(spec->network.network, networkRequest(spec->network), options);
}

bool overlap(const PlanTensor& a, const PlanTensor& b) {
    return a.block == b.block && a.offset < b.offset + b.elements && b.offset < a.offset + a.elements;
}

TEST(NetworkPlan, EveryOperandHasTheSizeThatItsOperationWants) {
    for (const char* task : {"train", "infer"})
        for (const Json& layers : {resnet18(), mobilenetV2()}) {
            Json experiment = document({3, 64, 64}, layers);
            experiment["task"] = task;
            const auto plan = planOf(experiment);
            ASSERT_TRUE(plan.ok()) << plan.error().sentence();
            for (const PlanStep& step : plan->steps) {
                const auto sizes = operandElements(step.op);
                ASSERT_TRUE(sizes.ok()) << sizes.error().sentence();
                ASSERT_GE(step.src.size(), sizes->src.size());
                ASSERT_EQ(step.dst.size(), sizes->dst.size());
                for (std::size_t i = 0; i < sizes->src.size(); ++i)
                    EXPECT_EQ(plan->tensors[static_cast<std::size_t>(step.src[i])].elements, sizes->src[i])
                        << opName(step.op) << " source " << i;
                for (std::size_t i = 0; i < sizes->dst.size(); ++i)
                    EXPECT_EQ(plan->tensors[static_cast<std::size_t>(step.dst[i])].elements, sizes->dst[i])
                        << opName(step.op) << " result " << i;
            }
        }
}

TEST(NetworkPlan, NormOfTheGradientIsOneStepMoreAtTheEndOfTheBackwardPass) {
    const auto spec = specFromJson(document({3, 64, 64}, resnet18()));
    PlanOptions options = planOptions(spec->network);
    const FusesChain everything = [](const OpChain&, const std::vector<int>&) { return true; };
    for (const FusesChain& fuses : {FusesChain{}, everything}) {
        options.fuses = fuses;
        options.gradientNorm = false;
        const auto without = planNetwork(spec->network.network, networkRequest(spec->network), options);
        options.gradientNorm = true;
        auto plan = planNetwork(spec->network.network, networkRequest(spec->network), options);
        ASSERT_TRUE(without.ok() && plan.ok());
        EXPECT_EQ(without->gradientSquares, -1);
        const auto norm = std::find_if(plan->steps.begin(), plan->steps.end(), [](const PlanStep& step) {
            return std::holds_alternative<SumOfSquares>(step.op);
        });
        ASSERT_NE(norm, plan->steps.end());
        EXPECT_EQ(norm->layer, -1);
        EXPECT_EQ(norm->phase, Phase::Backward);
        EXPECT_TRUE(norm->chain.empty());
        EXPECT_EQ(norm->dst, std::vector<int>{plan->gradientSquares});
        const PlanTensor& all = plan->tensors[static_cast<std::size_t>(norm->src.at(0))];
        EXPECT_EQ(all.block, Block::Gradients);
        EXPECT_EQ(all.offset, 0);
        EXPECT_EQ(all.elements, plan->elementsOf(Block::Gradients));
        ASSERT_NE(norm + 1, plan->steps.end());
        EXPECT_EQ(norm[1].phase, Phase::Update);
        EXPECT_EQ(norm[1].src.at(1), norm->src.at(0));
        plan->steps.erase(norm);
        ASSERT_EQ(plan->steps.size(), without->steps.size());
        for (std::size_t i = 0; i < plan->steps.size(); ++i)
            EXPECT_EQ(opName(plan->steps[i].op), opName(without->steps[i].op));
        EXPECT_EQ(plan->bytes(), without->bytes() + 4 * kTensorAlignment);
    }
}

TEST(NetworkPlan, MemoryIsUsedAgainAndMuchLessThanWithoutThat) {
    Json experiment = document({3, 64, 64}, resnet18());
    experiment["task"] = "infer";
    const auto tight = planOf(experiment), loose = planOf(experiment, true);
    ASSERT_TRUE(tight.ok() && loose.ok());
    EXPECT_LT(tight->elementsOf(Block::Activations) * 4, loose->elementsOf(Block::Activations));
    EXPECT_EQ(tight->elementsOf(Block::Parameters), loose->elementsOf(Block::Parameters));
}

TEST(NetworkPlan, KeptTensorsDoNotOverlapUnlessOneIsAViewOfTheOther) {
    const auto plan = planOf(document({3, 64, 64}, resnet18()), true);
    ASSERT_TRUE(plan.ok());
    std::size_t overlaps = 0;
    for (std::size_t i = 0; i < plan->tensors.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (plan->tensors[i].block == Block::Activations && overlap(plan->tensors[i], plan->tensors[j]))
                overlaps += plan->tensors[i].offset == plan->tensors[j].offset &&
                                    plan->tensors[i].elements == plan->tensors[j].elements
                                ? 0
                                : 1;
    EXPECT_EQ(overlaps, 0u);
}

TEST(MemoryPlan, PlacesRandomTensorsWithoutOverlap) {
    std::mt19937 random(5);
    for (int round = 0; round < 200; ++round) {
        std::vector<Lifetime> tensors(1 + random() % 60);
        std::int64_t sum = 0;
        for (Lifetime& tensor : tensors) {
            tensor.elements = 1 + static_cast<std::int64_t>(random() % 1000);
            tensor.first = static_cast<int>(random() % 50);
            tensor.last = tensor.first + static_cast<int>(random() % 10);
            sum += (tensor.elements + 63) / 64 * 64;
        }
        const std::int64_t size = placeTensors(tensors, 64);
        EXPECT_LE(size, sum);
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            EXPECT_EQ(tensors[i].offset % 64, 0);
            EXPECT_LE(tensors[i].offset + tensors[i].elements, size);
            for (std::size_t j = 0; j < i; ++j)
                if (tensors[i].first <= tensors[j].last && tensors[j].first <= tensors[i].last) {
                    EXPECT_TRUE(tensors[i].offset >= tensors[j].offset + tensors[j].elements ||
                                tensors[j].offset >= tensors[i].offset + tensors[i].elements);
                }
        }
    }
}

} // namespace
} // namespace heteroscope::compute
