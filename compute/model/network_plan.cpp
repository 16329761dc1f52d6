// SPDX-License-Identifier: Apache-2.0
#include "compute/model/network_plan.h"

#include "compute/base/activity.h"
#include "compute/base/checked_math.h"
#include "compute/model/memory_plan.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heteroscope::compute {

namespace {

constexpr int kNone = -1;

std::vector<std::int64_t> dimsOf(const Shape4& shape) {
    return {shape.n, shape.c, shape.h, shape.w};
}

/// Builds the steps, and remembers which tensors share memory and how long each is needed.
class Planner {
  public:
    Planner(NetworkPlan& plan, const PlanOptions& options) : m_plan(plan), m_options(options) {}

    void build() {
        addFixed();
        addParameters();
        for (std::size_t i = 0; i < layers().size(); ++i)
            addForward(i);
        m_plan.output = m_plan.outputs.empty() ? m_plan.input : m_plan.outputs.back();
        if (m_options.loss)
            addLoss();
        if (m_options.backward)
            addBackward();
        if (m_options.backward && m_options.gradientNorm)
            addGradientNorm();
        if (m_options.optimizer)
            addUpdate();
        if (m_options.fuses && !m_options.keepEverything)
            fuse();
        placeAll();
    }

  private:
    const std::vector<NetworkLayer>& layers() const { return m_plan.network.layers; }
    const LayerLowering& lowering(std::size_t layer) const { return *layers()[layer].lowering; }

    int addTensor(std::string name, std::vector<std::int64_t> dims, Block block) {
        const std::int64_t elements = compute::elementsOf(dims);
        m_plan.tensors.push_back({std::move(name), std::move(dims), elements, block, 0});
        m_viewOf.push_back(kNone);
        return static_cast<int>(m_plan.tensors.size()) - 1;
    }

    int addView(std::string name, std::vector<std::int64_t> dims, int of) {
        const int tensor = addTensor(std::move(name), std::move(dims), m_plan.tensors[at(of)].block);
        m_viewOf.back() = of;
        return tensor;
    }

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

    void addFixed() {
        const Network& network = m_plan.network;
        m_plan.input = addTensor("input", dimsOf(network.input), Block::Fixed);
        m_plan.step = addTensor("step", {1}, Block::Fixed);
        const Shape4 output = network.output();
        if (m_options.loss) {
            const std::int64_t units = output.c * output.h * output.w;
            const bool classes = *m_options.loss == LossKind::SoftmaxCrossEntropy;
            m_plan.target = addTensor("target",
                                      classes ? std::vector<std::int64_t>{output.n}
                                              : std::vector<std::int64_t>{output.n, units},
                                      Block::Fixed);
            m_plan.figures = addTensor("loss", {2}, Block::Fixed);
        }
        if (m_options.optimizer)
            m_plan.hyper = addTensor("hyper", {kHyperElements}, Block::Fixed);
    }

    void addParameters() {
        for (std::size_t i = 0; i < layers().size(); ++i) {
            std::vector<int> values, gradients, states;
            const std::string prefix = layers()[i].spec.name + ".";
            for (const ParameterTensor& parameter : lowering(i).parameters) {
                values.push_back(addTensor(prefix + parameter.name, parameter.dims, Block::Parameters));
                if (m_options.backward)
                    gradients.push_back(
                        addTensor(prefix + parameter.name + ".grad", parameter.dims, Block::Gradients));
            }
            for (const StateTensor& state : lowering(i).states)
                states.push_back(addTensor(prefix + state.name, state.dims, Block::States));
            m_plan.parameters.push_back(std::move(values));
            m_plan.parameterGrads.push_back(std::move(gradients));
            m_plan.states.push_back(std::move(states));
        }
        m_parameterElements = std::max<std::int64_t>(1, blockSize(Block::Parameters));
    }

    int inputTensor(std::size_t layer, std::size_t index) const {
        const int from = layers()[layer].inputs[index];
        return from == kNetworkInput ? m_plan.input : m_plan.outputs[at(from)];
    }

    void addForward(std::size_t layer) {
        const LayerLowering& lowered = lowering(layer);
        const std::string name = layers()[layer].spec.name;
        m_plan.outputs.push_back(
            lowered.viewsInput ? addView(name + ".output", dimsOf(lowered.output), inputTensor(layer, 0))
                               : addTensor(name + ".output", dimsOf(lowered.output), Block::Activations));
        m_saved.emplace_back();
        for (std::size_t i = 0; i < lowered.saved.size(); ++i)
            m_saved.back().push_back(
                addTensor(name + ".saved" + std::to_string(i), {lowered.saved[i]}, Block::Activations));
        for (const LoweredOp& op : lowered.forward)
            addStep(op, layer, Phase::Forward, {});
    }

    int tensorOf(const Operand& operand, std::size_t layer, const std::vector<int>& inputGrads) const {
        switch (operand.kind) {
        case OperandKind::Input:
            return inputTensor(layer, operand.index);
        case OperandKind::Output:
            return m_plan.outputs[layer];
        case OperandKind::Parameter:
            return m_plan.parameters[layer][operand.index];
        case OperandKind::State:
            return m_plan.states[layer][operand.index];
        case OperandKind::Saved:
            return m_saved[layer][operand.index];
        case OperandKind::OutputGrad:
            return m_gradients.at(static_cast<int>(layer)).current;
        case OperandKind::InputGrad:
            return inputGrads[operand.index];
        case OperandKind::ParameterGrad:
            return m_plan.parameterGrads[layer][operand.index];
        case OperandKind::Step:
            return m_plan.step;
        }
        return kNone;
    }

    void addStep(const LoweredOp& op, std::size_t layer, Phase phase, const std::vector<int>& inputGrads) {
        PlanStep step{op.op, {}, {}, static_cast<int>(layer), phase};
        for (const Operand& operand : op.src)
            step.src.push_back(tensorOf(operand, layer, inputGrads));
        for (const Operand& operand : op.dst)
            step.dst.push_back(tensorOf(operand, layer, inputGrads));
        m_plan.steps.push_back(std::move(step));
    }

    void addLoss() {
        const Shape4 output = m_plan.network.output();
        PlanStep step{Loss{*m_options.loss, output.n, output.c * output.h * output.w, m_options.backward},
                      {m_plan.output, m_plan.target},
                      {m_plan.figures},
                      kNone,
                      Phase::Loss};
        if (m_options.backward) {
            m_plan.outputGrad = addTensor("output.grad", dimsOf(output), Block::Activations);
            step.dst.push_back(m_plan.outputGrad);
        }
        m_plan.steps.push_back(std::move(step));
    }

    /// The gradient of a layer's output (or of the network's input) while its readers add to it.
    struct Gradient {
        int current = kNone; ///< where the sum so far lies
        int own = kNone;     ///< memory of its own, where there is some
    };

    bool wanted(int layer) const { return layer != kNetworkInput || m_options.inputGradient; }

    std::string gradientName(int layer) const {
        return layer == kNetworkInput ? "input.grad" : layers()[at(layer)].spec.name + ".output.grad";
    }

    std::vector<std::int64_t> shapeOf(int layer) const {
        return m_plan.tensors[at(layer == kNetworkInput ? m_plan.input : m_plan.outputs[at(layer)])].dims;
    }

    int ownOf(int layer) {
        Gradient& gradient = m_gradients[layer];
        if (gradient.own == kNone)
            gradient.own = addTensor(gradientName(layer), shapeOf(layer), Block::Activations);
        return gradient.own;
    }

    /// Adds what lies in `part` to the gradient of a layer; the first part is taken as it lies.
    void contribute(int layer, int part, int reader) {
        Gradient& gradient = m_gradients[layer];
        if (gradient.current == kNone) {
            gradient.current = part;
            return;
        }
        const int own = ownOf(layer);
        m_plan.steps.push_back({Add{m_plan.tensors[at(own)].elements},
                                {m_gradients[layer].current, part},
                                {own},
                                reader,
                                Phase::Backward});
        m_gradients[layer].current = own;
    }

    /// Where a backward operation writes the gradient of one input: its own memory, or beside what is there
    /// already.
    int partFor(int layer, std::size_t reader, std::size_t index) {
        if (wanted(layer) && m_gradients[layer].current == kNone)
            return ownOf(layer);
        return addTensor(layers()[reader].spec.name + ".input" + std::to_string(index) + ".grad",
                         shapeOf(layer), Block::Activations);
    }

    static bool onlyInputGradients(const LoweredOp& op) {
        return std::all_of(op.dst.begin(), op.dst.end(),
                           [](const Operand& operand) { return operand.kind == OperandKind::InputGrad; });
    }

    void addBackward() {
        if (m_plan.outputGrad == kNone)
            m_plan.outputGrad = addTensor("output.grad", dimsOf(m_plan.network.output()), Block::Fixed);
        m_gradients[static_cast<int>(layers().size()) - 1].current = m_plan.outputGrad;
        for (std::size_t i = layers().size(); i-- > 0;)
            if (m_gradients.contains(static_cast<int>(i)) &&
                m_gradients[static_cast<int>(i)].current != kNone)
                addBackwardOf(i);
        if (m_options.inputGradient)
            m_plan.inputGrad = m_gradients[kNetworkInput].current;
    }

    void addBackwardOf(std::size_t layer) {
        const LayerLowering& lowered = lowering(layer);
        const std::vector<int>& from = layers()[layer].inputs;
        if (lowered.viewsInput || lowered.passesGradient) {
            for (std::size_t i = 0; i < from.size(); ++i)
                passGradient(layer, i);
            return;
        }
        for (const LoweredOp& op : lowered.backward)
            if (!onlyInputGradients(op) || wanted(from[op.dst.front().index]))
                addBackwardStep(op, layer);
    }

    /// An input may be given twice: its parts are added one after the other.
    void addBackwardStep(const LoweredOp& op, std::size_t layer) {
        const std::vector<int>& from = layers()[layer].inputs;
        std::vector<int> parts(from.size(), kNone);
        for (const Operand& operand : op.dst)
            if (operand.kind == OperandKind::InputGrad)
                parts[operand.index] = partFor(from[operand.index], layer, operand.index);
        addStep(op, layer, Phase::Backward, parts);
        for (std::size_t i = 0; i < from.size(); ++i)
            if (parts[i] != kNone && wanted(from[i]))
                contribute(from[i], parts[i], static_cast<int>(layer));
    }

    void passGradient(std::size_t layer, std::size_t index) {
        const int from = layers()[layer].inputs[index];
        const int gradient = m_gradients[static_cast<int>(layer)].current;
        if (wanted(from))
            contribute(from, addView(gradientName(from), shapeOf(from), gradient), static_cast<int>(layer));
    }

    /// The tensor that spans a block of the parameters' layout, gaps between its tensors included.
    int whole(const char* name, Block block) {
        for (const int tensor : m_whole)
            if (m_plan.tensors[at(tensor)].block == block)
                return tensor;
        m_whole.push_back(addTensor(name, {m_parameterElements}, block));
        return m_whole.back();
    }

    /// Gaps are zeros: blocks begin as zeros, and operations write to their own tensors only.
    void addGradientNorm() {
        m_plan.gradientSquares = addTensor("gradient_squares", {1}, Block::Fixed);
        m_plan.steps.push_back({SumOfSquares{m_parameterElements},
                                {whole("gradients", Block::Gradients)},
                                {m_plan.gradientSquares},
                                kNone,
                                Phase::Backward});
    }

    void addUpdate() {
        const OptimizerSpec& optimizer = *m_options.optimizer;
        const std::int64_t all = m_parameterElements;
        const int values = whole("parameters", Block::Parameters);
        const int gradients = whole("gradients", Block::Gradients);
        PlanStep step{Sgd{all, optimizer.momentum, optimizer.nesterov, optimizer.weightDecay},
                      {values, gradients, m_plan.hyper},
                      {values},
                      kNone,
                      Phase::Update};
        const bool adam = optimizer.kind == OptimizerSpec::Kind::Adam;
        if (adam)
            step.op = Adam{all, optimizer.beta1, optimizer.beta2, optimizer.epsilon, optimizer.weightDecay};
        std::vector<Block> moments;
        if (adam || optimizer.momentum != 0)
            moments.push_back(Block::FirstMoment);
        if (adam)
            moments.push_back(Block::SecondMoment);
        for (const Block block : moments) {
            const int tensor = whole(block == Block::FirstMoment ? "first_moment" : "second_moment", block);
            step.src.push_back(tensor);
            step.dst.push_back(tensor);
        }
        m_plan.steps.push_back(std::move(step));
    }

    void fuse() {
        std::vector<int> kept;
        for (const int tensor : {m_plan.output, m_plan.inputGrad, m_plan.outputGrad, m_plan.figures})
            if (tensor != kNone)
                kept.push_back(tensor);
        for (std::size_t i = 0; i < m_plan.tensors.size(); ++i)
            if (m_plan.tensors[i].block != Block::Activations)
                kept.push_back(static_cast<int>(i));
        m_plan.steps = fuseSteps(
            std::move(m_plan.steps), [this](int tensor) { return memoryOf(tensor); }, kept, m_options.fuses);
    }

    static std::int64_t aligned(std::int64_t elements) {
        return (elements + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
    }

    std::int64_t blockSize(Block block) const {
        std::int64_t size = 0;
        for (const PlanTensor& tensor : m_plan.tensors)
            if (tensor.block == block)
                size += aligned(tensor.elements);
        return size;
    }

    bool isWhole(int tensor) const {
        return std::find(m_whole.begin(), m_whole.end(), tensor) != m_whole.end();
    }

    /// The tensor whose memory this one is.
    int memoryOf(int tensor) const {
        while (m_viewOf[at(tensor)] != kNone)
            tensor = m_viewOf[at(tensor)];
        return tensor;
    }

    void placeAll() {
        placeActivations();
        for (std::size_t i = 0; i < m_plan.tensors.size(); ++i) {
            PlanTensor& tensor = m_plan.tensors[i];
            std::int64_t& size = m_plan.blockElements[static_cast<std::size_t>(tensor.block)];
            if (tensor.block == Block::Activations || m_viewOf[i] != kNone)
                continue;
            if (isWhole(static_cast<int>(i))) {
                size = std::max(size, aligned(tensor.elements));
                continue; // offset 0
            }
            tensor.offset = size;
            size += aligned(tensor.elements);
        }
        for (std::size_t i = 0; i < m_plan.tensors.size(); ++i) {
            PlanTensor& tensor = m_plan.tensors[i];
            tensor.memory = memoryOf(static_cast<int>(i));
            tensor.offset = m_plan.tensors[at(tensor.memory)].offset;
        }
    }

    void placeActivations() {
        const int last = static_cast<int>(m_plan.steps.size());
        std::vector<Lifetime> lives(m_plan.tensors.size(), {0, last, -1, 0});
        for (int s = 0; s < last; ++s)
            for (const auto* side : {&m_plan.steps[at(s)].src, &m_plan.steps[at(s)].dst})
                for (const int tensor : *side)
                    touch(lives[at(memoryOf(tensor))], s);
        for (const int kept : {m_plan.output, m_plan.inputGrad})
            if (kept != kNone)
                touch(lives[at(memoryOf(kept))], last);
        std::vector<Lifetime> placed;
        std::vector<std::size_t> numbers;
        for (std::size_t i = 0; i < lives.size(); ++i) {
            if (m_plan.tensors[i].block != Block::Activations || m_viewOf[i] != kNone)
                continue;
            lives[i].elements = m_plan.tensors[i].elements;
            if (m_options.keepEverything)
                lives[i].first = 0, lives[i].last = last;
            placed.push_back(lives[i]);
            numbers.push_back(i);
        }
        m_plan.blockElements[static_cast<std::size_t>(Block::Activations)] =
            placeTensors(placed, kTensorAlignment);
        for (std::size_t i = 0; i < placed.size(); ++i)
            m_plan.tensors[numbers[i]].offset = placed[i].offset;
    }

    static void touch(Lifetime& life, int step) {
        life.first = std::min(life.first, step);
        life.last = std::max(life.last, step);
    }

    NetworkPlan& m_plan;
    const PlanOptions& m_options;
    std::vector<int> m_viewOf; ///< of each tensor: whose memory it is, or kNone
    std::vector<std::vector<int>> m_saved;
    std::map<int, Gradient> m_gradients;  ///< by layer; kNetworkInput for the input
    std::vector<int> m_whole;             ///< tensors that span their block
    std::int64_t m_parameterElements = 1; ///< of the block of parameters, gaps included
};

/// A bound on all sizes, taken before they are added up without checks.
Status checkSizes(const Network& network) {
    double bytes = static_cast<double>(network.input.bytes().value_or(0));
    for (const NetworkLayer& layer : network.layers)
        bytes += 8.0 * static_cast<double>(layer.lowering->output.bytes().value_or(0)) +
                 16.0 * static_cast<double>(layer.parameterElements());
    if (bytes > 4e18)
        return badInput("/network", "the tensors take more than 4 EiB", {},
                        "choose smaller layers or a smaller batch");
    return {};
}

} // namespace

const char* phaseName(Phase phase) {
    switch (phase) {
    case Phase::Forward:
        return activity_step::kForward;
    case Phase::Loss:
        return activity_step::kLoss;
    case Phase::Backward:
        return activity_step::kBackward;
    case Phase::Update:
        return activity_step::kUpdate;
    }
    return "";
}

std::int64_t NetworkPlan::bytes() const {
    std::int64_t elements = 0;
    for (const std::int64_t block : blockElements)
        elements += block;
    return 4 * elements;
}

Result<NetworkPlan> planNetwork(const NetworkSpec& spec, const NetworkRequest& request,
                                const PlanOptions& options) {
    NetworkPlan plan;
    NetworkRequest asked = request;
    asked.mode = options.mode;
    plan.network = resolveNetwork(spec, asked);
    if (const Error* error = plan.network.firstError())
        return *error;
    if (plan.network.layers.empty())
        return badInput("/network/layers", "the network has no layers", "one or more");
    if (const Status status = checkSizes(plan.network); !status)
        return status.error();
    Planner(plan, options).build();
    return plan;
}

} // namespace heteroscope::compute
