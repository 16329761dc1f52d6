// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_conv.h"

#include "compute/backends/nvidia/cudnn/cudnn_descriptors.h"
#include "compute/backends/nvidia/cudnn/cudnn_network.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/norm/channel_sums.h"
#include "compute/backends/nvidia/network/relu_chain.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

/// A convolution as cuDNN computes it: all in one graph, or the bias and the ReLU by themselves where no
/// engine has them.
struct Parts {
    std::unique_ptr<ConvGraph> graph;
    bool addsBias = false, clamps = false; ///< after the graph
    TensorDescriptor dst;
    ActivationDescriptor relu;
};

Result<std::unique_ptr<ConvGraph>> fused(const CudaSession& session, cudnnHandle_t handle, ConvGraphSpec spec,
                                         const EngineChoice& choice, const std::string& where) {
    if (!spec.bias && !spec.relu)
        return std::unique_ptr<ConvGraph>();
    return makeConvGraph(session, handle, spec, choice, where);
}

Result<Parts> makeParts(const CudaSession& session, cudnnHandle_t handle, const ConvGraphSpec& spec,
                        const EngineChoice& choice, const std::string& where) {
    Parts parts;
    auto whole = fused(session, handle, spec, choice, where);
    if (!whole)
        return whole.error();
    if (*whole != nullptr) {
        parts.graph = std::move(*whole);
        return parts;
    }
    ConvGraphSpec plain = spec;
    plain.bias = plain.relu = false;
    auto graph = makeConvGraph(session, handle, plain, choice, where);
    if (!graph)
        return graph.error();
    if (*graph == nullptr)
        return Error{ErrorCode::TargetUnavailable,
                     std::string("cuDNN offers no engine that sums in fp32") +
                         (choice.deterministic ? " and gives the same bits each time" : "") + cudnnReason(),
                     where,
                     {},
                     "use cublas or cuda"};
    parts.graph = std::move(*graph);
    parts.addsBias = spec.bias;
    parts.clamps = spec.relu;
    if (const Status status = parts.dst.set(spec.dst); !status)
        return status.error();
    if (const Status status = parts.relu.set(CUDNN_ACTIVATION_RELU); !status)
        return status.error();
    return parts;
}

class Convolution final : public CudnnOp {
  public:
    /// `order`: which of the operands read are those of the convolution.
    Convolution(const CudaSession& session, cudnnHandle_t handle, const SharedWorkspace& workspace,
                OpFacts facts, std::string name, const ConvGraphSpec& spec, std::vector<std::size_t> order,
                Parts parts)
        : CudnnOp(session, handle, std::move(facts), std::move(name)),
          m_workspace(workspace),
          m_spec(spec),
          m_order(std::move(order)),
          m_parts(std::move(parts)) {}

  protected:
    Status submit(const DeviceOperands& o) override {
        void* const workspace = m_workspace.memory(session());
        if (const Status status = m_parts.graph->run(operands(o), workspace); !status)
            return status;
        if (m_spec.direction == ConvDirection::BackwardWeights && m_spec.params.bias)
            return cudaStatus(launchChannelSums(m_spec.dst, source(o, 1), o.dst[1], workspace,
                                                session().limits(), session().stream()),
                              "summing the bias' gradient", where());
        return m_spec.direction == ConvDirection::Forward ? finish(o) : Status{};
    }

  private:
    const float* source(const DeviceOperands& o, std::size_t i) const { return o.src[m_order[i]]; }
    ConvGraphOperands operands(const DeviceOperands& o) const {
        switch (m_spec.direction) {
        case ConvDirection::Forward:
            return {source(o, 0), source(o, 1), o.dst[0], m_spec.bias ? source(o, 2) : nullptr};
        case ConvDirection::BackwardData:
            return {o.dst[0], source(o, 1), source(o, 0), nullptr};
        case ConvDirection::BackwardWeights:
            break;
        }
        return {source(o, 0), o.dst[0], source(o, 1), nullptr};
    }

    Status finish(const DeviceOperands& o) const {
        if (m_parts.addsBias)
            if (const Status status =
                    cudaStatus(launchAddBias(m_spec.dst, source(o, 2), o.dst[0], session().stream()),
                               "adding the bias", where());
                !status)
                return status;
        if (!m_parts.clamps)
            return {};
        const float one = 1.0F, zero = 0.0F;
        return cudnnStatus(cudnnActivationForward(handle(), m_parts.relu.get(), &one, m_parts.dst.get(),
                                                  o.dst[0], &zero, m_parts.dst.get(), o.dst[0]),
                           "cudnnActivationForward", where());
    }

    const SharedWorkspace& m_workspace;
    ConvGraphSpec m_spec;
    std::vector<std::size_t> m_order;
    Parts m_parts;
};

Result<ConvGraphSpec> specOf(const Op& op) {
    return std::visit(
        []<class T>(const T& one) -> Result<ConvGraphSpec> {
            if constexpr (requires { one.params.groups; }) {
                const auto dst = convOutputShape(one.params, one.src);
                if (!dst)
                    return dst.error();
                ConvGraphSpec spec;
                spec.direction = std::is_same_v<T, ConvForward>        ? ConvDirection::Forward
                                 : std::is_same_v<T, ConvBackwardData> ? ConvDirection::BackwardData
                                                                       : ConvDirection::BackwardWeights;
                spec.params = one.params, spec.src = one.src, spec.dst = *dst;
                spec.bias = std::is_same_v<T, ConvForward> && one.params.bias;
                return spec;
            } else {
                return Error{ErrorCode::TargetUnavailable, "no convolution", "cudnn", {}, {}};
            }
        },
        op);
}

Result<std::unique_ptr<PreparedOp>> prepare(const CudaSession& session, cudnnHandle_t handle,
                                            SharedWorkspace& workspace, const Op& op, OpFacts facts,
                                            std::vector<std::size_t> order, bool relu,
                                            const EngineChoice& choice) {
    auto spec = specOf(op);
    if (!spec)
        return spec.error();
    spec->relu = relu;
    if (const Status status = useStream(handle, session); !status)
        return status.error();
    auto parts = makeParts(session, handle, *spec, choice, "cudnn " + opName(op));
    if (!parts)
        return parts.error();
    const bool sums = spec->direction == ConvDirection::BackwardWeights && spec->params.bias;
    const std::size_t bytes =
        std::max(parts->graph->workspaceBytes(),
                 sums ? channelSumsWorkspace(spec->dst, session.limits()) : std::size_t{0});
    if (const Status status = workspace.reserve(session, bytes); !status)
        return status.error();
    // "+relu": the engine has the ReLU in it. "+separate-relu": a kernel of its own follows.
    const char* const after = !relu ? "" : parts->clamps ? "+separate-relu" : "+relu";
    const std::string name = "cudnn:conv2d:" + parts->graph->engine() + (choice.tf32 ? ":tf32" : "") + after;
    return std::unique_ptr<PreparedOp>(std::make_unique<Convolution>(
        session, handle, workspace, std::move(facts), name, *spec, std::move(order), std::move(*parts)));
}

} // namespace

Result<std::unique_ptr<PreparedOp>> prepareCudnnConv(const CudaSession& session, cudnnHandle_t handle,
                                                     SharedWorkspace& workspace, const Op& op,
                                                     const EngineChoice& choice) {
    return prepare(session, handle, workspace, op, opFacts(op), {0, 1, 2}, false, choice);
}

std::string cudnnChainRefusal(const OpChain& chain, std::span<const int> results) {
    if (!std::holds_alternative<ConvForward>(chain.front().op))
        return "it computes only a convolution with a ReLU after it as one";
    if (std::string refusal = cudnnOpRefusal(chain.front().op); !refusal.empty())
        return refusal;
    if (std::string refusal = reluChainRefusal(chain, results); !refusal.empty())
        return refusal;
    return std::get<ActivationForward>(chain[1].op).elements > kMostActivationElements
               ? "cuDNN takes so large a ReLU in parts"
               : "";
}

Result<std::unique_ptr<PreparedOp>> prepareCudnnChain(const CudaSession& session, cudnnHandle_t handle,
                                                      SharedWorkspace& workspace, const OpChain& chain,
                                                      std::span<const int> src, std::span<const int> dst,
                                                      const EngineChoice& choice) {
    return prepare(session, handle, workspace, chain.front().op, chainFacts(chain, "+relu", src, dst),
                   firstOperands(chain, src), true, choice);
}

} // namespace heteroscope::compute::nvidia
