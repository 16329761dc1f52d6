// SPDX-License-Identifier: Apache-2.0
// Every kind of operation on problems drawn at random, on every implementation on the CPU, alone and with the
// layouts that networks keep, against the plain loops; in memory with guard pages where no sanitizer stands.
// HETEROSCOPE_TEST_SEED draws others, HETEROSCOPE_TEST_DRAWS more of them.
#include "compute/backends/builtin.h"
#include "tests/cases/drawn_cases.h"
#include "tests/cases/network_bounds.h"
#include "tests/support/sequence_runner.h"
#include "tests/support/tensor_match.h"
#include "tests/support/time_factor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <vector>
#if HETEROSCOPE_GUARD_PAGES
#include "tests/support/guard_pages/guard_pages.h"
#endif

namespace heteroscope::compute {
namespace {

const BackendRegistry& registry() {
    static const BackendRegistry builtin = makeBuiltinRegistry();
    return builtin;
}

std::uint32_t fromEnvironment(const char* name, std::uint32_t otherwise) {
    const char* const given = std::getenv(name);
    return given != nullptr ? static_cast<std::uint32_t>(std::strtoul(given, nullptr, 10)) : otherwise;
}

std::uint32_t seedOfDraws() {
    return fromEnvironment("HETEROSCOPE_TEST_SEED", 1);
}

/// Problems that run, an implementation and kind of operation.
std::uint32_t wantedDraws() {
    return fromEnvironment("HETEROSCOPE_TEST_DRAWS", repetitions(500, 100));
}

/// What is done is known when the program ends by a signal.
void announce(const std::string& doing) {
#if HETEROSCOPE_GUARD_PAGES
    guardPagesAre(doing);
#else
    static_cast<void>(doing);
#endif
}

struct Surroundings {
    const char* name;
    bool layouts, training;
};

constexpr Surroundings kSurroundings[] = {
    {"alone", false, false}, {"in a network", true, false}, {"in a training", true, true}};

/// With every option that changes how it computes. Under a sanitizer one number of threads: clang's OpenMP
/// keeps the teams of others, which is told as a leak.
std::vector<std::string> targetsOf(const std::string& implementation) {
    std::vector<std::string> all;
    const std::vector<std::string> options =
        kTimeFactor > 1 ? std::vector<std::string>{"threads=2"}
        : implementation == "openmp"
            ? std::vector<std::string>{"threads=1", "threads=2", "threads=5", "simd=baseline&threads=2",
                                       "simd=avx2&threads=2"}
            : std::vector<std::string>{"threads=1", "threads=2", "threads=3"};
    for (const std::string& option : options)
        if (registry().open(*parseTarget("cpu/" + implementation + "?" + option)))
            all.push_back("cpu/" + implementation + "?" + option);
    return all;
}

/// A network around an operation: its first steps are what runs, others say what the network does beside.
struct Around {
    OpSequence sequence;
    std::size_t step = 0;      ///< of the operation
    std::vector<int> src, dst; ///< its own operands
};

/// Adds an operation on memory of its own.
SequenceStep& addStep(OpSequence& sequence, const Op& op, MemoryUse srcUse, MemoryUse dstUse) {
    const auto sizes = operandElements(op);
    SequenceStep step;
    const auto add = [&](std::int64_t elements, MemoryUse use) {
        const std::size_t number = sequence.memory.size();
        sequence.memory.push_back({"operand" + std::to_string(number), elements, use});
        return static_cast<int>(number);
    };
    for (std::size_t i = 0; sizes && i < sizes->src.size(); ++i)
        step.src.push_back(add(sizes->src[i], srcUse));
    for (std::size_t i = 0; sizes && i < sizes->dst.size(); ++i)
        step.dst.push_back(add(sizes->dst[i], dstUse));
    step.chain = {{op, step.src, step.dst}};
    return sequence.steps.emplace_back(std::move(step));
}

/// What it reads was written from outside, what it writes may lie in any layout.
Around around(const Op& op, const Surroundings& surroundings) {
    Around made;
    OpSequence& sequence = made.sequence;
    const auto* pool = std::get_if<PoolBackward>(&op);
    if (pool != nullptr && surroundings.training) { // whose indices are kept for the gradient
        const SequenceStep forward =
            addStep(sequence, PoolForward{pool->params, pool->src}, MemoryUse::Constant, MemoryUse::Inner);
        SequenceStep& backward = addStep(sequence, op, MemoryUse::Constant, MemoryUse::Inner);
        backward.src[0] = forward.src[0];
        made.src = backward.src;
        backward.src.push_back(forward.dst[0]);
        backward.chain.front().src = backward.src;
        made.step = 1;
    } else {
        made.src = addStep(sequence, op, MemoryUse::Constant, MemoryUse::Inner).src;
    }
    made.dst = sequence.steps[made.step].dst;
    if (const auto* data = std::get_if<ConvBackwardData>(&op)) // by which layouts are chosen
        addStep(sequence, ConvForward{data->params, data->src}, MemoryUse::Constant, MemoryUse::Inner);
    if (const auto* weights = std::get_if<ConvBackwardWeights>(&op))
        addStep(sequence, ConvForward{weights->params, weights->src}, MemoryUse::Constant, MemoryUse::Inner);
    if (surroundings.training) // any gradient makes a network one that trains
        addStep(sequence, DenseBackwardData{{1, 1, false}, 1}, MemoryUse::Constant, MemoryUse::Inner);
    return made;
}

std::unique_ptr<Session> opened(const std::string& target) {
    return std::move(registry().open(*parseTarget(target))).value();
}

std::vector<ImplementationRow> implementationsIn(Session& session, const Op& op,
                                                 const Surroundings& surroundings) {
    if (!surroundings.layouts)
        return session.implementations(op);
    const Around made = around(op, surroundings);
    SequenceRunner runner(session, made.sequence);
    return runner.plan().implementations(runner.opOf(made.step));
}

/// All outputs of the second of two runs.
Result<Tensors> runIn(Session& session, const Op& op, const Surroundings& surroundings,
                      const Tensors& inputs) {
    if (!surroundings.layouts)
        return runOpAll(session, op, inputs);
    const Around made = around(op, surroundings);
    SequenceRunner runner(session, made.sequence);
    if (const Status status = runner.prepare(made.step + 1); !status)
        return status.error();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const Status status = runner.write(made.src[i], inputs[i]); !status)
            return status.error();
    for (int time = 0; time < 2; ++time) {
        for (const int number : made.dst)
            if (const Status status =
                    runner.write(number, std::vector<float>(runner.memory(number).bytes() / sizeof(float),
                                                            std::numeric_limits<float>::quiet_NaN()));
                !status)
                return status.error();
        if (const Status status = runner.runAll(); !status)
            return status.error();
    }
    Tensors results;
    for (const int number : made.dst) {
        auto values = runner.read(number);
        if (!values)
            return values.error();
        results.push_back(std::move(*values));
    }
    return results;
}

/// Whether something computes it; where not, there is a reason.
bool isComputed(Session& session, const Op& op, const Surroundings& surroundings) {
    const auto rows = implementationsIn(session, op, surroundings);
    const bool taken =
        std::any_of(rows.begin(), rows.end(), [](const ImplementationRow& row) { return row.taken; });
    const Support support = session.supports(op);
    if (!surroundings.layouts) { // in a network's layouts the library has other implementations
        EXPECT_EQ(support.supported, taken) << support.reason;
    }
    EXPECT_TRUE(support.supported || !support.reason.empty());
    for (const ImplementationRow& row : rows)
        EXPECT_TRUE(taken || !row.reason.empty()) << row.name;
    return taken;
}

struct Draw {
    NetworkCase one;
    std::string target;
    Surroundings around;
    Data data;
};

/// The target with one of the implementations that accept the operation asked for, also those that others are
/// preferred to.
std::string withImplementation(const std::string& target, const Op& op, const Surroundings& surroundings,
                               std::uint32_t number) {
    std::vector<std::string> names;
    const auto session = opened(target);
    for (const ImplementationRow& row : implementationsIn(*session, op, surroundings))
        if (row.accepts && std::find(names.begin(), names.end(), row.name) == names.end())
            names.push_back(row.name);
    return names.empty() ? target : target + "&impl=" + names[number % names.size()];
}

class Drawn : public testing::TestWithParam<std::tuple<std::string, std::size_t>> {
  protected:
    void SetUp() override {
        m_targets = targetsOf(std::get<0>(GetParam()));
        ASSERT_FALSE(m_targets.empty());
    }

    /// Calls each(draw) until it has returned true `wanted` times, four times as often at most, or failed.
    template <class Each>
    void forDraws(std::uint32_t wanted, const Each& each) {
        const std::uint32_t seed = seedOfDraws();
        std::printf("seed %u (set HETEROSCOPE_TEST_SEED to draw others)\n", seed);
        std::uint32_t ran = 0, drawn = 0;
        for (; ran < wanted && drawn < 4 * wanted && !HasFailure(); ++drawn) {
            std::mt19937 random(seed * 1000003U + drawn);
            const NetworkCase one = drawnCase(std::get<1>(GetParam()), random);
            Draw draw{one, m_targets[random() % m_targets.size()],
                      kSurroundings[random() % std::size(kSurroundings)],
                      random() % 2 == 0 ? Data::Integers : Data::Reals};
            if (random() % 2 == 0)
                draw.target = withImplementation(draw.target, one.op, draw.around, random());
            const std::string what = "seed " + std::to_string(seed) + ", draw " + std::to_string(drawn) +
                                     ": " + draw.target + " " + draw.around.name + ", " + caseTitle(one);
            SCOPED_TRACE(what);
            announce(what);
            ran += each(draw) ? 1 : 0;
        }
        EXPECT_GE(ran, wanted) << "of " << drawn << " that were drawn";
        std::printf("%u drawn, %u of them ran\n", drawn, ran);
#if HETEROSCOPE_GUARD_PAGES
        EXPECT_GT(guardedBlocks(), ran) << "another allocator stands";
#endif
    }

    std::vector<std::string> m_targets;
};

/// Each output's elements within the bounds, or exactly the same.
void expectNear(const NetworkCase& one, const Tensors& inputs, const Tensors& actual, bool exact) {
    const Tensors expected = specification(one.op, inputs);
    const Bounds bounds = networkBounds(one.op, inputs, expected);
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_TRUE(
            nearTensor(expected[i], actual[i], [&](std::size_t at) { return exact ? 0.0 : bounds[i][at]; }))
            << "output " << i;
}

TEST_P(Drawn, AgreesWithThePlainLoops) {
    forDraws(wantedDraws(), [](const Draw& draw) {
        const auto session = opened(draw.target);
        if (!isComputed(*session, draw.one.op, draw.around))
            return false;
        const Tensors inputs = networkInputs(draw.one, draw.data, 35);
        const auto actual = runIn(*session, draw.one.op, draw.around, inputs);
        EXPECT_TRUE(actual.ok()) << actual.error().sentence();
        if (actual.ok())
            expectNear(draw.one, inputs, *actual,
                       draw.data == Data::Integers && exactForIntegers(draw.one.op));
        return true;
    });
}

/// Whether its first input may be anything; the others are labels, statistics or states, or weights, whose
/// infinities times the zeros of a padding are for each implementation to avoid.
struct TakesAnything {
    bool operator()(const PoolForward&) const { return true; }
    bool operator()(const PoolBackward&) const { return true; }
    bool operator()(const Gemm&) const { return true; }
    bool operator()(const ConvForward&) const { return true; }
    bool operator()(const DenseForward&) const { return true; }
    bool operator()(const ActivationForward&) const { return true; }
    bool operator()(const ActivationBackward&) const { return true; }
    bool operator()(const BatchNormInfer&) const { return true; }
    bool operator()(const LayerNormForward&) const { return true; }
    bool operator()(const LayerNormBackward&) const { return true; }
    bool operator()(const Add&) const { return true; }
    bool operator()(const Multiply&) const { return true; }
    bool operator()(const MultiplyBackward&) const { return true; }
    bool operator()(const CopyChannels&) const { return true; }
    template <class Other>
    bool operator()(const Other&) const {
        return false;
    }
};

class DrawnSpecial : public Drawn {};

/// NaN and infinities are where the plain loops have them, or the operation is refused for them.
TEST_P(DrawnSpecial, KeepsNanAndInfinitiesOrRefusesThem) {
    int refused = 0;
    forDraws(wantedDraws() / 5, [&](const Draw& draw) {
        const auto session = opened(draw.target);
        if (!isComputed(*session, draw.one.op, draw.around))
            return false;
        Tensors inputs = networkInputs(draw.one, Data::Integers, 35);
        inputs[0] = makeData(Data::Special, static_cast<std::int64_t>(inputs[0].size()), 36);
        const auto actual = runIn(*session, draw.one.op, draw.around, inputs);
        if (actual.ok())
            expectNear(draw.one, inputs, *actual, false);
        else
            EXPECT_NE(actual.error().sentence().find(
                          "NaN or an infinity is among the values that it reads (element "),
                      std::string::npos)
                << actual.error().sentence();
        refused += actual.ok() ? 0 : 1;
        return true;
    });
    std::printf("%d of them were refused\n", refused);
    EXPECT_TRUE(refused == 0 || std::get<0>(GetParam()) == "onednn");
}

std::vector<std::string> implementations() {
    std::vector<std::string> all;
    const DeviceInfo cpu = registry().devices().at(0);
    for (const ImplementationInfo& info : cpu.implementations)
        if (info.unavailableReason.empty() && info.id != "sequential")
            all.push_back(info.id);
    return all;
}

std::string drawnName(const testing::TestParamInfo<std::tuple<std::string, std::size_t>>& info) {
    std::mt19937 random(1);
    std::string name = std::get<0>(info.param) + "_" + opName(drawnCase(std::get<1>(info.param), random).op) +
                       "_" + std::to_string(std::get<1>(info.param));
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

std::vector<std::size_t> kindsThatTakeAnything() {
    std::vector<std::size_t> kinds;
    std::mt19937 random(1);
    for (std::size_t kind = 0; kind < kOpKinds; ++kind)
        if (std::visit(TakesAnything{}, drawnCase(kind, random).op))
            kinds.push_back(kind);
    return kinds;
}

INSTANTIATE_TEST_SUITE_P(Cpu, DrawnSpecial,
                         testing::Combine(testing::ValuesIn(implementations()),
                                          testing::ValuesIn(kindsThatTakeAnything())),
                         drawnName);

INSTANTIATE_TEST_SUITE_P(Cpu, Drawn,
                         testing::Combine(testing::ValuesIn(implementations()),
                                          testing::Range(std::size_t{0}, kOpKinds)),
                         drawnName);

} // namespace
} // namespace heteroscope::compute
