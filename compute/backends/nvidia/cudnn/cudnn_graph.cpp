// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_graph.h"

#include "compute/backends/nvidia/cudnn/backend_descriptor.h"
#include "compute/backends/nvidia/cudnn/cudnn_op.h"
#include "compute/backends/nvidia/device/candidate_timer.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

using Type = cudnnBackendDescriptorType_t;

constexpr std::int64_t kAlignment = 16; ///< of every operand, in bytes
enum Uid : std::int64_t { kSrc = 1, kWeights, kDst, kBias, kSum, kBiased };

BackendDescriptor tensor(const std::array<std::int64_t, 4>& dims, std::int64_t uid) {
    const std::array<std::int64_t, 4> strides{dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
    BackendDescriptor made(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    made.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_TENSOR_DIMENSIONS, std::span<const std::int64_t>(dims))
        .set(CUDNN_ATTR_TENSOR_STRIDES, std::span<const std::int64_t>(strides))
        .set(CUDNN_ATTR_TENSOR_UNIQUE_ID, uid)
        .set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, kAlignment)
        .set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, uid >= kSum)
        .finalize();
    return made;
}

std::array<std::int64_t, 4> dimsOf(const Shape4& s) {
    return {s.n, s.c, s.h, s.w};
}

BackendDescriptor convolution(const ConvParams& p) {
    using Pair = std::array<std::int64_t, 2>;
    const Pair before{p.padding.top, p.padding.left}, after{p.padding.bottom, p.padding.right};
    const Pair dilation{p.dilation.h, p.dilation.w}, stride{p.stride.h, p.stride.w};
    BackendDescriptor made(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    made.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, std::int64_t{2})
        .set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_DATA_FLOAT)
        .set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_CROSS_CORRELATION)
        .set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, std::span<const std::int64_t>(before))
        .set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, std::span<const std::int64_t>(after))
        .set(CUDNN_ATTR_CONVOLUTION_DILATIONS, std::span<const std::int64_t>(dilation))
        .set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, std::span<const std::int64_t>(stride))
        .finalize();
    return made;
}

/// The attributes of one direction: alpha, beta, convolution, src, weights, dst.
struct DirectionNames {
    Type operation;
    cudnnBackendAttributeName_t alpha, beta, convolution, src, weights, dst;
};

DirectionNames namesOf(ConvDirection direction) {
    switch (direction) {
    case ConvDirection::Forward:
        break;
    case ConvDirection::BackwardData:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY};
    case ConvDirection::BackwardWeights:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY};
    }
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y};
}

/// The graph of a spec with all descriptors it consists of.
class Graph {
  public:
    Graph(cudnnHandle_t handle, const ConvGraphSpec& spec) {
        const auto& p = spec.params;
        const BackendDescriptor& src = keep(tensor(dimsOf(spec.src), kSrc));
        const BackendDescriptor& weights =
            keep(tensor({p.filters, spec.src.c / p.groups, p.kernel.h, p.kernel.w}, kWeights));
        const BackendDescriptor& dst = keep(tensor(dimsOf(spec.dst), kDst));
        const BackendDescriptor* last = spec.bias || spec.relu ? &keep(tensor(dimsOf(spec.dst), kSum)) : &dst;
        const DirectionNames names = namesOf(spec.direction);
        operation(BackendDescriptor(names.operation)
                      .set(names.alpha, 1.0F)
                      .set(names.beta, 0.0F)
                      .set(names.convolution, keep(convolution(p)))
                      .set(names.src, src)
                      .set(names.weights, weights)
                      .set(names.dst, *last));
        if (spec.bias) {
            const BackendDescriptor& bias = keep(tensor({1, spec.dst.c, 1, 1}, kBias));
            const BackendDescriptor& biased = spec.relu ? keep(tensor(dimsOf(spec.dst), kBiased)) : dst;
            pointwise(CUDNN_POINTWISE_ADD, *last, &bias, biased);
            last = &biased;
        }
        if (spec.relu)
            pointwise(CUDNN_POINTWISE_RELU_FWD, *last, nullptr, dst);
        m_graph.setDescriptors(CUDNN_ATTR_OPERATIONGRAPH_OPS, m_operations)
            .set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle)
            .finalize();
    }

    const BackendDescriptor& get() const { return m_graph; }
    bool isSupported() const {
        return m_graph.status() == CUDNN_STATUS_SUCCESS &&
               std::all_of(m_parts.begin(), m_parts.end(),
                           [](const auto& part) { return part->status() == CUDNN_STATUS_SUCCESS; });
    }

  private:
    const BackendDescriptor& keep(BackendDescriptor&& part) {
        return *m_parts.emplace_back(std::make_unique<BackendDescriptor>(std::move(part)));
    }
    void operation(BackendDescriptor& made) {
        m_operations.push_back(keep(std::move(made.finalize())).get());
    }
    void pointwise(cudnnPointwiseMode_t mode, const BackendDescriptor& src, const BackendDescriptor* other,
                   const BackendDescriptor& dst) {
        BackendDescriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
        how.set(CUDNN_ATTR_POINTWISE_MODE, mode).set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_DATA_FLOAT);
        if (mode == CUDNN_POINTWISE_RELU_FWD)
            how.set(CUDNN_ATTR_POINTWISE_NAN_PROPAGATION, CUDNN_PROPAGATE_NAN);
        BackendDescriptor made(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
        made.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, keep(std::move(how.finalize())))
            .set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, src)
            .set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, dst);
        if (other != nullptr)
            made.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, *other);
        operation(made);
    }

    std::vector<std::unique_ptr<BackendDescriptor>> m_parts;
    std::vector<cudnnBackendDescriptor_t> m_operations;
    BackendDescriptor m_graph{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR};
};

/// What cuDNN's heuristics propose, the best first.
std::vector<BackendDescriptor> proposals(const Graph& graph, cudnnBackendHeurMode_t mode) {
    BackendDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.get())
        .set(CUDNN_ATTR_ENGINEHEUR_MODE, mode)
        .finalize();
    std::vector<BackendDescriptor> configs;
    if (heuristics.status() != CUDNN_STATUS_SUCCESS)
        return configs;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::size_t i = heuristics.descriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS); i > 0; --i)
        raw.push_back(configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).get());
    const std::size_t got = heuristics.getDescriptors(CUDNN_ATTR_ENGINEHEUR_RESULTS, raw);
    configs.erase(configs.begin() + static_cast<std::ptrdiff_t>(got), configs.end());
    return configs;
}

struct Engine {
    std::int64_t number = -1;
    bool tensorCores = false; ///< or anything else that rounds fp32 to fewer bits
    bool transforms = false;  ///< says to sum other products than those of the definition (FFT, Winograd)
    bool sameBits = true;
};

Engine engineOf(const BackendDescriptor& config) {
    const BackendDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t raw = engine.get();
    config.getDescriptors(CUDNN_ATTR_ENGINECFG_ENGINE, {&raw, 1});
    Engine found;
    if (const auto number = engine.get<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 1); !number.empty())
        found.number = number.front();
    for (const auto note : engine.get<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                                   CUDNN_NUMERICAL_NOTE_TYPE_COUNT))
        switch (note) {
        case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
        case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
        case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
            found.tensorCores = true;
            break;
        case CUDNN_NUMERICAL_NOTE_FFT:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
        case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
            found.transforms = true;
            break;
        case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
            found.sameBits = false;
            break;
        case CUDNN_NUMERICAL_NOTE_STRICT_NAN_PROP:
        case CUDNN_NUMERICAL_NOTE_TYPE_COUNT:
            break;
        }
    return found;
}

class Plan final : public ConvGraph {
  public:
    Plan(cudnnHandle_t handle, const BackendDescriptor& config, Engine engine, bool bias, std::string where)
        : m_handle(handle), m_engine(engine), m_bias(bias), m_where(std::move(where)) {
        m_plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle)
            .set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config)
            .finalize();
        if (!isSupported())
            return;
        const auto bytes = m_plan.get<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, 1);
        m_bytes = bytes.empty() || bytes.front() < 0 ? std::numeric_limits<std::size_t>::max()
                                                     : static_cast<std::size_t>(bytes.front());
    }

    bool isSupported() const { return m_plan.status() == CUDNN_STATUS_SUCCESS; }
    std::size_t workspaceBytes() const override { return m_bytes; }
    std::string engine() const override { return "engine" + std::to_string(m_engine.number); }

    Status run(const ConvGraphOperands& o, void* workspace) override {
        // cuDNN does not write through what an operation reads.
        const std::array<void*, 4> pointers{const_cast<void*>(o.src), const_cast<void*>(o.weights),
                                            const_cast<void*>(o.dst), const_cast<void*>(o.bias)};
        const std::array<std::int64_t, 4> uids{kSrc, kWeights, kDst, kBias};
        const std::size_t count = m_bias ? 4 : 3;
        for (std::size_t i = 0; i < count; ++i)
            if (reinterpret_cast<std::uintptr_t>(pointers[i]) % kAlignment != 0)
                return Error{ErrorCode::RunFailed,
                             "an operand of cuDNN is not aligned to " + std::to_string(kAlignment) + " bytes",
                             m_where,
                             {},
                             {}};
        BackendDescriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
        pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, std::span<void* const>(pointers.data(), count))
            .set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, std::span<const std::int64_t>(uids.data(), count))
            .set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, workspace)
            .finalize();
        const cudnnStatus_t code = pack.status() == CUDNN_STATUS_SUCCESS
                                       ? cudnnBackendExecute(m_handle, m_plan.get(), pack.get())
                                       : pack.status();
        return cudnnStatus(code, "running " + engine(), m_where);
    }

  private:
    cudnnHandle_t m_handle;
    BackendDescriptor m_plan{CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR};
    Engine m_engine;
    bool m_bias;
    std::size_t m_bytes = 0;
    std::string m_where;
};

bool isForWeights(const ConvGraphSpec& spec, const Engine& engine, std::int64_t number) {
    return spec.direction == ConvDirection::BackwardWeights && engine.number == number;
}

/// Engines 1 and 20 for gradients of weights (cuDNN 9.14) take the padding of one side for that of the other:
/// where the size would be another one, gradients are wrong or not written. Found by 220 drawn convolutions
/// with each engine; other versions of cuDNN 9 are taken to number engines alike.
bool isWrong(const Engine& engine, const ConvGraphSpec& spec) {
    const Padding2d& padding = spec.params.padding;
    return (isForWeights(spec, engine, 1) || isForWeights(spec, engine, 20)) &&
           (padding.top != padding.bottom || padding.left != padding.right);
}

/// As cuDNN says, and engine 17 for gradients of weights (9.14), of which it says nothing: whole numbers come
/// out with fractions. With windows of 3x3 sums of 196 and of 280 products of whole numbers to 9 were off by
/// at most 0.0034 and 0.0052, within what fp32 may; with 5x5 one of 48 products by 1.8.
bool transforms(const Engine& engine, const ConvGraphSpec& spec) {
    return engine.transforms || (isForWeights(spec, engine, 17) && spec.params.kernel != Extent2d{3, 3});
}

using Plans = std::vector<std::unique_ptr<Plan>>;

/// Whether the heuristics of mode B may be asked. They choose better gradients than the rules of mode A,
/// whose first plans made training steps of Models 0 to 2 1.3 to 1.6 times as long (cuDNN 9.14, H100);
/// forward convolutions were as fast. But for gradients of weights whose window is larger than the unpadded
/// source (2x2 on 1x1, 3x3 on 2x2; paddings of 0 to 3) asking them ends in a segmentation fault: of drawn
/// convolutions one in some hundreds. With room for the window and equal padding none did.
bool mayAskModeB(const ConvGraphSpec& spec) {
    const auto& [kernel, dilation, padding] =
        std::tie(spec.params.kernel, spec.params.dilation, spec.params.padding);
    return spec.direction != ConvDirection::Forward && padding.top == padding.bottom &&
           padding.left == padding.right && (kernel.h - 1) * dilation.h < spec.src.h &&
           (kernel.w - 1) * dilation.w < spec.src.w;
}

std::vector<cudnnBackendHeurMode_t> heuristicsFor(const ConvGraphSpec& spec) {
    if (mayAskModeB(spec))
        return {CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK};
    return {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK};
}

/// Plans that may be used, in the order of the heuristics: at most `most`.
Plans plansOf(cudnnHandle_t handle, const Graph& graph, const ConvGraphSpec& spec, const EngineChoice& choice,
              std::size_t most, const std::string& where) {
    Plans plans;
    for (const auto mode : heuristicsFor(spec)) {
        if (plans.size() == most)
            break;
        for (const BackendDescriptor& config : proposals(graph, mode)) {
            const Engine engine = engineOf(config);
            if (plans.size() == most || engine.number < 0 ||
                (transforms(engine, spec) && !choice.transforms) || (engine.tensorCores && !choice.tf32) ||
                (!engine.sameBits && choice.deterministic) || isWrong(engine, spec))
                continue;
            auto plan = std::make_unique<Plan>(handle, config, engine, spec.bias, where);
            if (plan->isSupported() && plan->workspaceBytes() <= kConvWorkspaceBytes)
                plans.push_back(std::move(plan));
        }
    }
    return plans;
}

/// Bytes of the operands and of the workspace that timing takes.
std::array<std::size_t, 5> timedBytes(const ConvGraphSpec& spec, std::size_t workspace) {
    const auto& p = spec.params;
    const std::int64_t weights = p.filters * (spec.src.c / p.groups) * p.kernel.h * p.kernel.w;
    const auto bytes = [](std::int64_t floats) { return static_cast<std::size_t>(floats) * sizeof(float); };
    return {bytes(spec.src.elements().value_or(0)), bytes(weights), bytes(spec.dst.elements().value_or(0)),
            bytes(spec.dst.c), workspace};
}

/// The plan of the fastest engine, taken out of `plans`; OutOfMemory where the operands have no room a second
/// time.
Result<std::unique_ptr<ConvGraph>> fastest(const CudaSession& session, const ConvGraphSpec& spec,
                                           Plans& plans) {
    std::size_t workspace = 0;
    for (const auto& plan : plans)
        workspace = std::max(workspace, plan->workspaceBytes());
    CandidateTimer timer(session, "cuDNN's engines");
    if (const Status status = timer.start(timedBytes(spec, workspace)); !status)
        return status.error();
    const ConvGraphOperands operands{timer.memory(0), timer.memory(1), timer.memory(2), timer.memory(3)};
    std::unique_ptr<ConvGraph> best;
    double leastMs = 0;
    for (auto& plan : plans) {
        const auto ms = timer.leastMs([&] { return bool(plan->run(operands, timer.memory(4))); });
        if (!ms)
            return ms.error();
        if (ms->has_value() && (best == nullptr || **ms < leastMs)) {
            leastMs = **ms;
            best = std::move(plan);
        }
    }
    return best;
}

} // namespace

Result<std::unique_ptr<ConvGraph>> makeConvGraph(const CudaSession& session, cudnnHandle_t handle,
                                                 const ConvGraphSpec& spec, const EngineChoice& choice,
                                                 const std::string& where) {
    constexpr std::size_t kMostTimed = 16;
    const Graph graph(handle, spec);
    if (!graph.isSupported())
        return std::unique_ptr<ConvGraph>();
    Plans plans = plansOf(handle, graph, spec, choice, choice.benchmark ? kMostTimed : 1, where);
    if (plans.size() > 1) {
        auto timed = fastest(session, spec, plans);
        if (timed.ok() || timed.error().code != ErrorCode::OutOfMemory)
            return timed;
    }
    return plans.empty() ? std::unique_ptr<ConvGraph>()
                         : std::unique_ptr<ConvGraph>(std::move(plans.front()));
}

} // namespace heteroscope::compute::nvidia
