// SPDX-License-Identifier: Apache-2.0
// A network as a list of operations on tensors that lie in a few blocks of memory. Pure data: what runs, what
// it needs, before anything is allocated. Any thread.
#pragma once

#include "compute/model/fuse_steps.h"
#include "compute/model/network.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class Phase { Forward, Loss, Backward, Update };
/// In the order of a step.
inline constexpr Phase kPhases[] = {Phase::Forward, Phase::Loss, Phase::Backward, Phase::Update};
const char* phaseName(Phase phase); ///< "forward", "loss", "backward", "update"

/// The blocks of memory. Parameters, their gradients and the optimiser's moments have the same layout, so
/// that one operation updates all of them.
enum class Block { Activations, Parameters, Gradients, FirstMoment, SecondMoment, States, Fixed };
inline constexpr std::size_t kBlocks = 7;

struct PlanTensor {
    std::string name; ///< "conv1.output", "conv1.weight.grad"
    std::vector<std::int64_t> dims;
    std::int64_t elements = 0;
    Block block = Block::Activations;
    std::int64_t offset = 0; ///< in elements, a multiple of kTensorAlignment
    int memory = -1;         ///< number of the tensor whose memory it is: its own but for views
};

/// 256 bytes: what vector loads and library kernels like best on every device.
inline constexpr std::int64_t kTensorAlignment = 64;

struct PlanStep {
    Op op;
    std::vector<int> src, dst; ///< numbers of tensors
    int layer = -1;            ///< -1: none
    Phase phase = Phase::Forward;
    OpChain chain{}; ///< of operations computed as one, `op` the first of them; empty: `op` alone
};

struct OptimizerSpec {
    enum class Kind { Sgd, Adam };
    Kind kind = Kind::Sgd;
    double momentum = 0;
    bool nesterov = false;
    double weightDecay = 0;
    double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
};

struct PlanOptions {
    NetworkMode mode = NetworkMode::Infer;
    bool backward = false;        ///< gradients of the parameters
    bool inputGradient = false;   ///< and of the input
    bool gradientNorm = false;    ///< with `backward`: the sum of the squares of the parameters' ones
    bool keepEverything = false;  ///< no tensor's memory is used again: all of them can be read afterwards
    std::optional<LossKind> loss; ///< without one, the output's gradient is given from outside
    std::optional<OptimizerSpec> optimizer;
    FusesChain fuses{}; ///< what is computed as one; nothing when keepEverything
};

struct NetworkPlan {
    Network network;
    std::vector<PlanTensor> tensors;
    std::vector<PlanStep> steps; ///< in order; the phases one after the other
    std::vector<std::int64_t> blockElements = std::vector<std::int64_t>(kBlocks);
    // Numbers of tensors; -1: not part of the plan.
    int input = -1, target = -1, output = -1, outputGrad = -1, inputGrad = -1;
    int figures = -1;         ///< of the loss, two elements
    int gradientSquares = -1; ///< sum of the squares of all gradients of the parameters, one element
    int hyper = -1;           ///< of the optimiser, kHyperElements
    int step = -1;            ///< one element
    std::vector<std::vector<int>> parameters, parameterGrads, states; ///< of each layer
    std::vector<int> outputs;                                         ///< of each layer

    std::int64_t elementsOf(Block block) const { return blockElements[static_cast<std::size_t>(block)]; }
    std::int64_t bytes() const; ///< of all blocks
};

/// Error: what is wrong with the network, or blocks beyond 63 bits of bytes.
Result<NetworkPlan> planNetwork(const NetworkSpec& spec, const NetworkRequest& request,
                                const PlanOptions& options);

} // namespace heteroscope::compute
