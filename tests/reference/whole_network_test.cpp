// SPDX-License-Identifier: Apache-2.0
// Whole networks against the sequential implementation, every tensor of both directions, before and after
// their parameters changed: what an implementation keeps between operations, such as other layouts of images
// or weights laid out once, is on trial here.
#include "compute/backends/builtin.h"
#include "compute/exec/network_executor.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/require/skip.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

/// Of the largest value of a tensor: rounding goes through a few layers, where a wrong layout gives another
/// value.
constexpr double kBound = 1e-4;

struct Case {
    const char* name;
    Json layers;
    bool backward;
    NetworkMode mode = NetworkMode::Infer;
    std::int64_t batch = 3;
    Json shape = {3, 13, 10};
};

/// One of cases(). Not a copy: GoogleTest copies each parameter some ten times before the first test runs.
struct Chosen {
    const Case* one;
};

void PrintTo(const Chosen& chosen, std::ostream* out) {
    *out << chosen.one->name;
}

Json conv(const char* name, int filters, const char* from, int groups = 1) {
    return {{"name", name}, {"type", "conv2d"}, {"filters", filters},
            {"padding", 1}, {"groups", groups}, {"inputs", {from}}};
}

Json with(Json layer, const Json& more) {
    layer.update(more);
    return layer;
}

/// Convolutions between whole blocks of 16 channels, with windows that overlap and do not fit.
Json blocks() {
    return {conv("a", 16, "input"),
            {{"type", "relu"}},
            {{"name", "p"}, {"type", "maxpool2d"}, {"kernel", 3}, {"stride", 2}, {"padding", 1}},
            conv("b", 48, "p"),
            {{"type", "tanh"}},
            {{"name", "q"}, {"type", "maxpool2d"}},
            with(conv("c", 32, "q"), {{"kernel", {1, 3}}, {"stride", {2, 1}}, {"bias", false}}),
            {{"type", "leaky_relu"}},
            {{"type", "avgpool2d"}},
            {{"type", "flatten"}},
            {{"type", "dense"}, {"units", 11}},
            {{"type", "relu"}},
            {{"type", "dense"}, {"units", 5}, {"bias", false}}};
}

/// Normalisation, sums, joined channels, depthwise and dilated windows, dropout: all a layer may do in
/// training.
Json everyKind(int filters) {
    const Json plain = {{"bias", false}}; // its gradient before a normalisation is 0 but for rounding
    return {with(conv("a", filters, "input"), plain),
            {{"name", "n"}, {"type", "batchnorm"}},
            {{"name", "r"}, {"type", "relu"}},
            with(conv("b", filters, "r", filters), plain),
            {{"name", "m"}, {"type", "batchnorm"}},
            {{"name", "sum"}, {"type", "add"}, {"inputs", {"m", "r"}}},
            {{"name", "s"}, {"type", "relu6"}},
            with(conv("c", 2 * filters, "s", 2), {{"dilation", 2}, {"padding", 2}}),
            {{"name", "joined"}, {"type", "concat"}, {"inputs", {"c", "s"}}},
            with(conv("d", filters, "joined"), {{"kernel", 1}, {"padding", 0}, {"stride", 2}}),
            {{"type", "maxpool2d"}, {"kernel", {2, 3}}, {"stride", 1}},
            {{"type", "dropout"}, {"rate", 0.3}},
            {{"type", "global_avgpool2d"}},
            {{"type", "dense"}, {"units", 7}},
            {{"type", "sigmoid"}},
            {{"type", "dropout"}},
            {{"type", "dense"}, {"units", 3}}};
}

/// Channels scaled by what their means become, images by a single channel, and all that normalises layers.
Json excitation(int filters) {
    const Json point = {{"kernel", 1}, {"padding", 0}};
    return {conv("a", filters, "input"),
            {{"name", "n"}, {"type", "layernorm"}, {"over", "channels"}},
            {{"name", "g"}, {"type", "global_avgpool2d"}},
            with(conv("down", 4, "g"), point),
            {{"name", "e"}, {"type", "relu"}},
            with(conv("up", filters, "e"), point),
            {{"name", "h"}, {"type", "hard_sigmoid"}},
            {{"name", "scaled"}, {"type", "mul"}, {"inputs", {"n", "h"}}},
            conv("b", filters, "scaled"),
            {{"name", "l"}, {"type", "layernorm"}},
            {{"name", "s"}, {"type", "hard_sigmoid"}}, // of whole images
            {{"name", "gated"}, {"type", "mul"}, {"inputs", {"l", "s"}}},
            with(conv("map", 1, "gated"), point),
            {{"name", "where"}, {"type", "sigmoid"}},
            {{"name", "seen"}, {"type", "mul"}, {"inputs", {"where", "gated"}}},
            conv("c", filters, "seen"),
            {{"name", "f"}, {"type", "flatten"}},
            {{"type", "layernorm"}},
            {{"type", "dense"}, {"units", 5}}};
}

std::vector<Case> trainingCases() {
    const NetworkMode train = NetworkMode::Train;
    return {{"a loop of ours between convolutions",
             {conv("a", 16, "input"), {{"name", "h"}, {"type", "hard_sigmoid"}}, conv("b", 16, "h")},
             true,
             train},
            {"squeeze and excitation in blocks", excitation(16), true, train},
            {"squeeze and excitation in two blocks", excitation(32), true, train, 2, {2, 9, 11}},
            {"squeeze and excitation, odd channels", excitation(10), true, train, 3, {5, 8, 7}},
            {"squeeze and excitation, one image", excitation(16), true, train, 1},
            {"squeeze and excitation, inference", excitation(16), false},
            {"blocks of channels", blocks(), true, train},
            {"blocks of channels, one image", blocks(), true, train, 1, {2, 17, 9}},
            {"blocks of channels, a grey image", blocks(), true, train, 4, {1, 12, 12}},
            {"blocks of channels, inference", blocks(), false},
            {"every kind of layer in blocks", everyKind(16), true, train},
            {"every kind of layer in two blocks", everyKind(32), true, train, 2},
            {"every kind of layer, odd channels", everyKind(10), true, train, 2, {5, 11, 14}},
            {"pools that halve",
             {conv("a", 16, "input"),
              {{"type", "relu"}},
              {{"name", "p"}, {"type", "maxpool2d"}},
              conv("b", 32, "p"),
              {{"name", "q"}, {"type", "maxpool2d"}},
              conv("c", 32, "q"),
              {{"type", "sigmoid"}},
              {{"type", "maxpool2d"}},
              {{"type", "flatten"}},
              {{"type", "dense"}, {"units", 5}}},
             true,
             train,
             5,
             {3, 22, 19}},
            {"five by five",
             {with(conv("a", 6, "input"), {{"kernel", 5}, {"padding", 0}}),
              {{"type", "relu"}},
              {{"type", "maxpool2d"}},
              {{"type", "conv2d"}, {"filters", 16}, {"kernel", 3}},
              {{"type", "relu"}},
              {{"type", "maxpool2d"}},
              {{"type", "flatten"}},
              {{"type", "dense"}, {"units", 20}},
              {{"type", "relu"}},
              {{"type", "dense"}, {"units", 10}}},
             true,
             train,
             2,
             {1, 20, 16}}};
}

std::vector<Case> makeCases() {
    std::vector<Case> all = trainingCases();
    const std::vector<Case> more = {{"convolutions and pools",
                                     {conv("a", 16, "input"),
                                      {{"type", "relu"}},
                                      {{"name", "p"}, {"type", "maxpool2d"}},
                                      conv("b", 10, "p"),
                                      {{"type", "relu"}},
                                      {{"type", "maxpool2d"}},
                                      {{"type", "flatten"}},
                                      {{"type", "dense"}, {"units", 12}},
                                      {{"type", "tanh"}},
                                      {{"type", "dense"}, {"units", 5}}},
                                     true},
                                    {"sums of what lies alike and otherwise",
                                     {conv("a", 3, "input"),
                                      {{"name", "sum"}, {"type", "add"}, {"inputs", {"a", "input"}}},
                                      conv("b", 3, "sum"),
                                      {{"name", "t"}, {"type", "sigmoid"}},
                                      {{"name", "both"}, {"type", "add"}, {"inputs", {"t", "a", "input"}}},
                                      {{"type", "softmax"}},
                                      {{"type", "avgpool2d"}}},
                                     true},
                                    {"inference with groups and normalisation",
                                     {conv("a", 32, "input"),
                                      {{"type", "batchnorm"}},
                                      {{"name", "r"}, {"type", "relu6"}},
                                      conv("b", 32, "r", 32),
                                      {{"name", "n"}, {"type", "batchnorm"}},
                                      {{"name", "sum"}, {"type", "add"}, {"inputs", {"n", "r"}}},
                                      {{"type", "relu"}},
                                      {{"type", "global_avgpool2d"}},
                                      {{"type", "dense"}, {"units", 7}}},
                                     false},
                                    {"inference with normalisation and sums, odd channels",
                                     {with(conv("a", 24, "input"), {{"bias", false}}),
                                      {{"type", "batchnorm"}},
                                      {{"name", "r"}, {"type", "relu"}},
                                      with(conv("b", 24, "r"), {{"bias", false}}),
                                      {{"name", "n"}, {"type", "batchnorm"}},
                                      {{"name", "sum"}, {"type", "add"}, {"inputs", {"r", "n"}}},
                                      {{"name", "t"}, {"type", "relu"}},
                                      with(conv("c", 8, "t"), {{"kernel", 1}, {"padding", 0}, {"stride", 2}}),
                                      {{"type", "batchnorm"}},
                                      {{"name", "twice"}, {"type", "batchnorm"}}},
                                     false}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all = makeCases();
    return all;
}

std::vector<Chosen> chosenCases() {
    std::vector<Chosen> all;
    for (const Case& one : cases())
        all.push_back({&one});
    return all;
}

class NetworkComparison : public testing::Test {
  protected:
    /// `everything`: every tensor is kept and compared, and nothing is computed as one that would leave one
    /// out.
    void compare(const std::string& target, const Case& one, bool everything) {
        const Json document = {{"heteroscope", 1},
                               {"kind", "network"},
                               {"network", {{"input", {{"shape", one.shape}}}, {"layers", one.layers}}},
                               {"training", {{"loss", "mean_squared_error"}, {"batch", one.batch}}},
                               {"targets", {"cpu/sequential"}}};
        auto spec = specFromJson(document);
        ASSERT_TRUE(spec.ok()) << spec.error().sentence();
        m_expected.reset(), m_actual.reset(); // before their sessions
        m_options = {};
        m_training = spec->network.training;
        m_network = spec->network.network;
        m_options.backward = m_options.inputGradient = one.backward;
        m_options.keepEverything = everything;
        m_options.mode = one.mode;
        m_request = networkRequest(spec->network);
        ASSERT_NO_FATAL_FAILURE(open("cpu/sequential", m_expectedSession, m_expected));
        ASSERT_NO_FATAL_FAILURE(open(target, m_session, m_actual));
        compareWithOtherParameters();
    }

  private:
    void open(const std::string& target, std::unique_ptr<Session>& session,
              std::unique_ptr<NetworkExecutor>& executor) {
        auto opened = openTarget(target);
        ASSERT_TRUE(opened.ok()) << opened.error().sentence();
        session = std::move(*opened);
        PlanOptions options = m_options;
        options.fuses = fusionOf(*session);
        auto plan = planNetwork(m_network, m_request, options);
        ASSERT_TRUE(plan.ok()) << plan.error().sentence();
        executor = std::make_unique<NetworkExecutor>(*session, std::move(*plan));
        ASSERT_TRUE(executor->allocate().ok());
        const Status prepared = executor->prepare();
        ASSERT_TRUE(prepared.ok()) << prepared.error().sentence();
        ASSERT_TRUE(writeInitialState(*executor, m_training).ok());
        fill(*executor, executor->plan().input, 0.7);
        if (m_options.backward)
            fill(*executor, executor->plan().outputGrad, 1.3);
    }

    /// Values between -0.5 and 0.5, or of variances between 0.75 and 1.25.
    static void fill(NetworkExecutor& executor, int tensor, double pace) {
        std::vector<float> values(
            static_cast<std::size_t>(executor.plan().tensors[static_cast<std::size_t>(tensor)].elements));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = 0.5F * static_cast<float>(std::sin(pace * static_cast<double>(i + 1)));
        if (executor.plan().tensors[static_cast<std::size_t>(tensor)].name.ends_with(".running_var"))
            for (float& value : values)
                value = 1.0F + 0.5F * value;
        ASSERT_TRUE(executor.write(tensor, values).ok());
    }

    void expectSame(int tensor) {
        const auto expected = m_expected->read(tensor), actual = m_actual->read(tensor);
        ASSERT_TRUE(expected.ok() && actual.ok());
        float largest = 0.0F;
        for (const float value : *expected)
            largest = std::max(largest, std::fabs(value));
        EXPECT_TRUE(nearTensor(*expected, *actual, [&](std::size_t) {
            return kBound * static_cast<double>(largest);
        })) << m_actual->plan().tensors[static_cast<std::size_t>(tensor)].name;
    }

    void runAndCompare() {
        for (const auto& executor : {m_expected.get(), m_actual.get()})
            for (const Phase phase : {Phase::Forward, Phase::Backward})
                ASSERT_TRUE(executor->run(phase, nullptr).ok());
        const NetworkPlan& plan = m_actual->plan();
        expectSame(plan.output);
        for (const auto& gradients : plan.parameterGrads)
            for (const int gradient : gradients)
                expectSame(gradient);
        for (std::size_t i = 0; m_options.keepEverything && i < plan.tensors.size(); ++i)
            if (plan.tensors[i].block == Block::Activations)
                expectSame(static_cast<int>(i));
    }

    void compareWithOtherParameters() {
        runAndCompare();
        runAndCompare(); // with what was kept of the first time
        for (const auto& executor : {m_expected.get(), m_actual.get()}) {
            double pace = 0.1;
            for (const auto* tensors : {&executor->plan().parameters, &executor->plan().states})
                for (const auto& ofLayer : *tensors)
                    for (const int tensor : ofLayer)
                        fill(*executor, tensor, pace += 0.37);
            fill(*executor, executor->plan().input, 0.9);
        }
        runAndCompare();
    }

    TrainingSpec m_training;
    NetworkSpec m_network;
    NetworkRequest m_request;
    PlanOptions m_options;
    std::unique_ptr<Session> m_expectedSession, m_session;
    std::unique_ptr<NetworkExecutor> m_expected, m_actual;
};

class WholeNetwork : public NetworkComparison,
                     public testing::WithParamInterface<std::tuple<std::string, Chosen, bool>> {};

TEST_P(WholeNetwork, IsAsTheSequentialOne) {
    const auto& [target, chosen, everything] = GetParam();
    compare(target, *chosen.one, everything);
}

/// Those of the CPU that are there.
std::vector<std::string> targets() {
    std::vector<std::string> found;
    const BackendRegistry registry = makeBuiltinRegistry();
    for (const char* target : {"cpu/openmp", "cpu/onednn"})
        if (registry.open(*parseTarget(target)).ok())
            found.emplace_back(target);
    return found;
}

INSTANTIATE_TEST_SUITE_P(Cpu, WholeNetwork,
                         testing::Combine(testing::ValuesIn(targets()), testing::ValuesIn(chosenCases()),
                                          testing::Bool()));

class WholeNetworkOnGpu : public NetworkComparison, public testing::WithParamInterface<std::string> {};

TEST_P(WholeNetworkOnGpu, IsAsTheSequentialOne) {
    const auto session = openTarget(GetParam());
    if (!session)
        SKIP_WITHOUT(gpuWords(GetParam()), session.error().sentence());
    for (const Case& one : cases())
        for (const bool everything : {false, true}) {
            SCOPED_TRACE(one.name + std::string(everything ? ", everything kept" : ""));
            compare(GetParam(), one, everything);
        }
}

INSTANTIATE_TEST_SUITE_P(Gpu, WholeNetworkOnGpu,
                         testing::Values("cuda:0/cuda", "cuda:0/cuda?fuse=off", "cuda:0/cuda?graph=off",
                                         "cuda:0/cublas", "cuda:0/cublas?fuse=off", "cuda:0/cudnn",
                                         "cuda:0/cudnn?fuse=off", "cuda:0/cudnn?benchmark=on",
                                         "cuda:0/cudnn?transforms=on", "cuda:0/cuda?transforms=on",
                                         "cuda:0/cudnn?graph=off", "cuda:0/cudnn?deterministic=off"),
                         [](const auto& target) {
                             std::string name = target.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                             return name;
                         });

} // namespace
} // namespace heteroscope::compute
