// SPDX-License-Identifier: Apache-2.0
// Reorders between layouts are steps of their own: operations leave what they read as it was, a trace has a
// span for each reorder, and what is repeated finds what it finds within a step.
#include "compute/backends/builtin.h"
#include "compute/exec/network_executor.h"
#include "compute/exec/network_sequence.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/chosen_implementations.h"
#include "compute/experiment/memory_check.h"
#include "compute/experiment/spec/estimate.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/sequence_runner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace heteroscope::compute::reorder_test {
namespace {

Json convOf(const char* name, int filters, const char* from, int kernel = 3) {
    return {{"name", name},
            {"type", "conv2d"},
            {"filters", filters},
            {"bias", false},
            {"padding", (kernel - 1) / 2},
            {"kernel", kernel},
            {"inputs", {from}}};
}

/// A residual network of few layers; dropout, joined channels and the fully connected layer read plain
/// memory.
Json smallResNet(const char* task, int filters) {
    const Json layers = {
        convOf("stem", filters, "input"),
        {{"name", "n0"}, {"type", "batchnorm"}},
        {{"name", "r0"}, {"type", "relu"}},
        {{"name", "p0"}, {"type", "maxpool2d"}, {"kernel", 3}, {"stride", 2}, {"padding", 1}},
        convOf("a", filters, "p0"),
        {{"name", "n1"}, {"type", "batchnorm"}},
        {{"name", "r1"}, {"type", "relu"}},
        convOf("b", filters, "r1"),
        {{"name", "n2"}, {"type", "batchnorm"}},
        {{"name", "sum"}, {"type", "add"}, {"inputs", {"n2", "p0"}}},
        {{"name", "r2"}, {"type", "relu"}},
        {{"name", "p1"}, {"type", "maxpool2d"}},
        convOf("c", filters, "p1", 1),
        {{"name", "joined"}, {"type", "concat"}, {"inputs", {"c", "p1"}}},
        convOf("e", filters, "joined"),
        {{"name", "d"}, {"type", "dropout"}},
        convOf("f", filters, "d"),
        {{"type", "flatten"}},
        {{"name", "fc"}, {"type", "dense"}, {"units", 5}}};
    return {{"heteroscope", 1},
            {"kind", "network"},
            {"task", task},
            {"network", {{"input", {{"shape", {3, 20, 16}}, {"batch", 2}}}, {"layers", layers}}},
            {"training", {{"batch", 2}}},
            {"targets", {"cpu/onednn"}}};
}

/// What was told of the operations, in order.
class Events final : public OpObserver {
  public:
    struct Event {
        std::string op, implementation;
        bool isReorder;
    };
    void opBegin(const OpEvent& event) override {
        EXPECT_EQ(m_open++, 0) << event.op << " is a part of another operation";
        all.push_back({std::string(event.op), std::string(event.implementation), event.isReorder});
    }
    void opEnd() override { --m_open; }

    std::vector<std::string> reorders() const {
        std::vector<std::string> names;
        for (const Event& event : all)
            if (event.isReorder)
                names.push_back(event.op);
        return names;
    }
    std::vector<Event> all;

  private:
    int m_open = 0;
};

bool hasPart(const std::vector<std::string>& names, const std::string& part) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name.find(part) != std::string::npos; });
}

struct Net {
    const char* task;
    int filters;
};

void PrintTo(const Net& net, std::ostream* out) {
    *out << net.task << " with " << net.filters << " filters";
}

class ReorderSteps : public testing::TestWithParam<Net> {
  protected:
    void SetUp() override {
        auto spec = specFromJson(smallResNet(GetParam().task, GetParam().filters));
        ASSERT_TRUE(spec.ok()) << spec.error().sentence();
        m_spec = std::move(*spec);
        auto session = makeBuiltinRegistry().open({"cpu", "onednn", {{"threads", "2"}}});
        if (!session)
            SKIP_WITHOUT("onednn", session.error().sentence());
        m_session = std::move(*session);
    }

    NetworkPlan plan(bool everything = false) const {
        PlanOptions options = planOptions(m_spec.network);
        options.keepEverything = everything;
        options.fuses = fusionOf(*m_session);
        return planNetwork(m_spec.network.network, networkRequest(m_spec.network), options).value();
    }

    std::unique_ptr<NetworkExecutor> executor(bool everything = false) const {
        auto made = std::make_unique<NetworkExecutor>(*m_session, plan(everything));
        EXPECT_TRUE(made->allocate().ok());
        const Status prepared = made->prepare();
        EXPECT_TRUE(prepared) << prepared.error().sentence();
        EXPECT_TRUE(writeInitialState(*made, m_spec.network.training).ok());
        EXPECT_TRUE(writeSyntheticBatch(*made, m_spec.network.training).ok());
        if (training()) {
            EXPECT_TRUE(writeStep(*made, m_spec.network.training, 0, 0.01).ok());
        }
        return made;
    }

    bool training() const { return m_spec.network.task == Task::Train; }

    ExperimentSpec m_spec;
    std::unique_ptr<Session> m_session;
};

TEST_P(ReorderSteps, OperationsLeaveWhatTheyReadAsItWas) {
    SequenceRunner runner(*m_session, sequenceOf(plan()));
    const auto& memory = runner.plan().sequence().memory;
    ASSERT_TRUE(runner.prepare(runner.plan().sequence().steps.size()).ok());
    for (std::size_t i = 0; i < memory.size(); ++i)
        if (memory[i].use != MemoryUse::Inner) {
            const auto values = makeData(Data::Integers, memory[i].elements, 3);
            ASSERT_TRUE(runner.write(static_cast<int>(i), values).ok());
        }
    for (std::size_t i = 0; i < runner.plan().ops().size(); ++i) {
        const PlannedOp& op = runner.plan().ops()[i];
        std::vector<std::vector<char>> before;
        for (const int number : op.src) {
            DeviceBuffer& buffer = runner.memory(number);
            const char* const bytes = static_cast<const char*>(buffer.hostPointer());
            before.emplace_back(bytes, bytes + buffer.bytes());
        }
        const Status status = runner.run(i);
        ASSERT_TRUE(status) << status.error().sentence();
        for (std::size_t k = 0; k < op.src.size(); ++k) {
            if (std::find(op.dst.begin(), op.dst.end(), op.src[k]) != op.dst.end())
                continue; // an optimiser's, in place
            const void* const after = runner.memory(op.src[k]).hostPointer();
            EXPECT_EQ(std::memcmp(before[k].data(), after, before[k].size()), 0)
                << "operand " << k << " of step " << op.step << " " << op.reorder;
        }
    }
}

TEST_P(ReorderSteps, HaveNamesAndSpansOfTheirOwn) {
    const auto network = executor();
    Events events;
    for (const Phase phase : kPhases)
        ASSERT_TRUE(network->run(phase, &events).ok());
    for (const Events::Event& event : events.all) {
        EXPECT_EQ(event.implementation.find("+reorder") != std::string::npos ||
                      event.implementation.find("onednn:reorder ") == 0,
                  event.isReorder)
            << event.implementation;
        if (event.isReorder) {
            EXPECT_EQ(event.op.find("reorder "), 0u) << event.op;
            EXPECT_NE(event.op.find("->"), std::string::npos) << event.op;
        }
    }
    const std::vector<std::string> reorders = events.reorders();
    EXPECT_TRUE(hasPart(reorders, "reorder c.output nhwc->nchw")) << "to be joined";
    EXPECT_EQ(hasPart(reorders, "reorder d.output nchw->nhwc"), training()) << "behind dropout";
    EXPECT_TRUE(hasPart(reorders, "a.weight"));
    EXPECT_EQ(hasPart(reorders, "a.weight.grad"), training());
}

TEST_P(ReorderSteps, AreListedAsTheyRun) {
    const auto network = executor();
    Events events;
    for (const Phase phase : kPhases)
        ASSERT_TRUE(network->run(phase, &events).ok());
    std::vector<std::string> listed, ran = events.reorders();
    for (const OperationImplementations& one : chosenImplementations(m_spec, {}, *m_session))
        if (one.operation == "reorder") {
            listed.push_back("reorder " + one.detail);
            ASSERT_NE(one.taken(), nullptr);
            EXPECT_FALSE(one.taken()->implementation.empty());
        }
    EXPECT_EQ(listed, ran);
}

/// What the host wrote and no operation changes is laid out once.
TEST_P(ReorderSteps, OfWhatStaysAreDoneAgainOnlyAfterItWasWritten) {
    const auto network = executor();
    Events first, second, third;
    ASSERT_TRUE(network->run(Phase::Forward, &first).ok());
    ASSERT_TRUE(network->run(Phase::Forward, &second).ok());
    EXPECT_TRUE(hasPart(first.reorders(), "a.weight"));
    EXPECT_EQ(hasPart(second.reorders(), "a.weight"), training()) << "weights that a step changes";
    const int weight = network->plan().parameters[4].front();
    ASSERT_EQ(network->plan().tensors[static_cast<std::size_t>(weight)].name, "a.weight");
    const auto values = network->read(weight);
    ASSERT_TRUE(values.ok());
    ASSERT_TRUE(network->write(weight, *values).ok());
    ASSERT_TRUE(network->run(Phase::Forward, &third).ok());
    EXPECT_TRUE(hasPart(third.reorders(), "a.weight"));
    EXPECT_FALSE(hasPart(second.reorders(), "reorder input "));
}

TEST_P(ReorderSteps, ARepeatedBackwardPassFindsWhatItFindsWithinAStep) {
    if (!training())
        return;
    const auto network = executor(true);
    for (const Phase phase : {Phase::Forward, Phase::Loss})
        ASSERT_TRUE(network->run(phase, nullptr).ok());
    std::vector<std::vector<float>> gradients[2];
    Events events[2];
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(network->run(Phase::Backward, &events[i]).ok());
        for (const auto& layer : network->plan().parameterGrads)
            for (const int gradient : layer)
                gradients[i].push_back(network->read(gradient).value());
    }
    EXPECT_EQ(gradients[0], gradients[1]);
    EXPECT_EQ(events[0].reorders(), events[1].reorders());
    EXPECT_EQ(events[0].all.size(), events[1].all.size());
}

TEST_P(ReorderSteps, PoolingIndicesAreAnOperandOfBothDirections) {
    const auto sequence = m_session->planSequence(sequenceOf(plan()));
    std::vector<int> indices, read;
    const auto own = static_cast<int>(sequence->sequence().memory.size());
    for (const PlannedOp& op : sequence->ops()) {
        const Op& first = sequence->sequence().steps[op.step].chain.front().op;
        if (!op.reorder.empty())
            continue;
        if (std::holds_alternative<PoolForward>(first) && op.dst.size() > 1)
            indices.push_back(op.dst.back());
        if (std::holds_alternative<PoolBackward>(first))
            read.push_back(op.src.back());
    }
    std::reverse(read.begin(), read.end());
    EXPECT_EQ(indices, read);
    EXPECT_EQ(indices.size(), training() ? 2u : 0u);
    for (const int number : indices)
        EXPECT_GE(number, own);
    for (std::size_t i = 0; i < sequence->ops().size(); ++i)
        for (const ImplementationRow& row : sequence->implementations(i))
            EXPECT_FALSE(row.taken && row.implementation.find("+forward") != std::string::npos)
                << row.implementation;
}

TEST_P(ReorderSteps, CountInTheForecastOfMemory) {
    const auto sequence = m_session->planSequence(sequenceOf(plan()));
    const AddedPlaces places = placeAddedMemory(plan(), *sequence);
    ASSERT_EQ(places.offsets.size(), sequence->addedBytes().size());
    EXPECT_GT(places.elements, 0);
    const auto estimate = estimatePoint(m_spec);
    ASSERT_TRUE(estimate.ok());
    EXPECT_GE(estimate->deviceBytes + implementationMemory(m_spec, {}, *m_session).tensors,
              plan().bytes() + 4 * places.elements);
    for (std::size_t i = 0; i < places.offsets.size(); ++i)
        EXPECT_LE(static_cast<std::int64_t>(sequence->addedBytes()[i]) + 4 * places.offsets[i],
                  4 * places.elements);
}

INSTANTIATE_TEST_SUITE_P(Onednn, ReorderSteps,
                         testing::Values(Net{"infer", 16}, Net{"infer", 10}, Net{"train", 16},
                                         Net{"train", 10}));

} // namespace
} // namespace heteroscope::compute::reorder_test
