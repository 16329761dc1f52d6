// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/network/own_chain.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/gemm/dense_kernels.h"
#include "compute/backends/nvidia/kernels/pool/unpool.h"
#include "compute/backends/nvidia/network/own_ops.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

constexpr int kNone = -1;

/// A chain as our kernels compute it. Numbers are those of the chain's memory.
struct Shape {
    Epilogue epilogue; ///< without its pointers
    int normalisation = kNone, sum = kNone, mask = kNone;
    int unpooled = kNone; ///< what the maxima were taken of whose gradient the first operation computes
    int result = kNone;   ///< of the last operation but a pooling
    int pooled = kNone;
    std::string name; ///< "+relu"

    bool pools() const { return pooled != kNone || unpooled != kNone; }
};

const ActivationForward* clampOf(const Op& op) {
    const auto* activation = std::get_if<ActivationForward>(&op);
    const bool clamps = activation != nullptr && (activation->kind == ActivationKind::Relu ||
                                                  activation->kind == ActivationKind::Relu6);
    return clamps ? activation : nullptr;
}

/// The gradient of 2x2 maxima with that of the ReLU before, which no operation alone has.
constexpr const char* kUnpool = "unpool";

/// What computes the first operation of a chain: of a convolution, of a dense layer, of a pooling.
struct FirstKernel {
    std::optional<ConvKernel> conv;
    std::optional<DenseKernel> dense;
    bool unpool = false;

    FirstKernel(const Op& op, std::string_view name) {
        if (std::holds_alternative<ConvForward>(op) || std::holds_alternative<ConvBackwardData>(op))
            conv = convKernelFromName(name);
        else if (std::holds_alternative<PoolBackward>(op))
            unpool = name == kUnpool;
        else
            dense = denseKernelFromName(name);
    }
};

/// Whether the kernel of `first` passes a gradient of 2x2 maxima on to `pooled`, what they were taken of.
bool unpoolsAfter(const Op& first, const FirstKernel& kernel, const Shape4& pooled) {
    if (const auto* conv = std::get_if<ConvBackwardData>(&first))
        return kernel.conv == ConvKernel::Window &&
               conv->src == Shape4{pooled.n, pooled.c, pooled.h / 2, pooled.w / 2};
    const auto* dense = std::get_if<DenseBackwardData>(&first);
    return dense != nullptr && kernel.dense == DenseKernel::SmallBatch && dense->batch == pooled.n &&
           dense->params.inputs == pooled.c * (pooled.h / 2) * (pooled.w / 2);
}

bool is2x2Stride2(const PoolParams& pool) {
    return pool.mode == PoolMode::Max && pool.kernel == Extent2d{2, 2} && pool.stride == Extent2d{2, 2} &&
           pool.padding == Padding2d{};
}

/// Adds one operation after the first to what is fused; false where our kernels cannot.
class Matcher {
  public:
    Matcher(const OpChain& chain, const FirstKernel& kernel) : m_chain(chain), m_kernel(kernel) {
        m_shape.result = chain.front().dst.front();
    }

    std::optional<Shape> match() {
        const Op& first = m_chain.front().op;
        const bool forward =
            std::holds_alternative<ConvForward>(first) || std::holds_alternative<DenseForward>(first);
        const bool backward = std::holds_alternative<ConvBackwardData>(first) ||
                              std::holds_alternative<DenseBackwardData>(first);
        const auto* unpool = std::get_if<PoolBackward>(&first);
        for (std::size_t i = 1; i < m_chain.size(); ++i) {
            const bool fused = forward ? addForward(m_chain[i])
                               : backward
                                   ? addBackward(m_chain[i])
                                   : unpool != nullptr && m_kernel.unpool && addUnpool(*unpool, m_chain[i]);
            if (!fused)
                return std::nullopt;
        }
        return m_shape;
    }

  private:
    bool addForward(const LinkedOp& next) {
        if (m_shape.pooled != kNone)
            return false;
        if (const auto* pool = std::get_if<PoolForward>(&next.op))
            return addPool(*pool, next);
        if (m_shape.epilogue.clamp != Clamp::None)
            return false;
        if (const ActivationForward* activation = clampOf(next.op)) {
            m_shape.epilogue.clamp = activation->kind == ActivationKind::Relu ? Clamp::Relu : Clamp::Relu6;
            return extend(next, activation->kind == ActivationKind::Relu ? "relu" : "relu6");
        }
        if (m_shape.sum != kNone)
            return false;
        if (std::holds_alternative<Add>(next.op)) {
            m_shape.sum = next.src[0] == m_shape.result ? next.src[1] : next.src[0];
            return m_shape.sum != m_shape.result && extend(next, "add");
        }
        const auto* normal = std::get_if<BatchNormInfer>(&next.op);
        if (normal == nullptr || m_shape.normalisation != kNone || !isConvolution())
            return false;
        m_shape.normalisation = static_cast<int>(&next - m_chain.data());
        m_shape.epilogue.epsilon = static_cast<float>(normal->epsilon);
        return extend(next, "batchnorm");
    }

    bool addPool(const PoolForward& pool, const LinkedOp& next) {
        if (m_kernel.conv != ConvKernel::Window || !is2x2Stride2(pool.params))
            return false;
        m_shape.pooled = next.dst.front();
        m_shape.name += "+maxpool";
        return true;
    }

    bool addBackward(const LinkedOp& next) {
        if (const auto* pool = std::get_if<PoolBackward>(&next.op))
            return addPoolBackward(*pool, next);
        const auto* activation = std::get_if<ActivationBackward>(&next.op);
        if (activation == nullptr || activation->kind != ActivationKind::Relu || m_shape.mask != kNone ||
            m_shape.epilogue.unpooling.relu || next.src[1] != m_shape.result || next.src[0] == m_shape.result)
            return false;
        if (m_shape.unpooled != kNone) { // of that very ReLU's result
            if (next.src[0] != m_shape.unpooled)
                return false;
            m_shape.epilogue.unpooling.relu = true;
            return extend(next, "relu");
        }
        m_shape.mask = next.src[0];
        return extend(next, "relu");
    }

    /// The gradient that was computed is that of maxima.
    bool addPoolBackward(const PoolBackward& pool, const LinkedOp& next) {
        if (m_shape.mask != kNone || m_shape.unpooled != kNone || !is2x2Stride2(pool.params) ||
            next.src[1] != m_shape.result || next.src[0] == m_shape.result ||
            !unpoolsAfter(m_chain.front().op, m_kernel, pool.src))
            return false;
        m_shape.unpooled = next.src[0];
        m_shape.epilogue.unpooling.height = static_cast<int>(pool.src.h);
        m_shape.epilogue.unpooling.width = static_cast<int>(pool.src.w);
        return extend(next, "maxpool");
    }

    /// The maxima were taken of that very ReLU's result.
    bool addUnpool(const PoolBackward& pool, const LinkedOp& next) {
        const bool same = is2x2Stride2(pool.params) && next.src.front() == m_chain.front().src.front();
        return same && addBackward(next);
    }

    bool isConvolution() const { return std::holds_alternative<ConvForward>(m_chain.front().op); }
    bool extend(const LinkedOp& next, const char* name) {
        m_shape.result = next.dst.front();
        m_shape.name += std::string("+") + name;
        return true;
    }

    const OpChain& m_chain;
    FirstKernel m_kernel;
    Shape m_shape;
};

class ChainOp final : public CudaOp {
  public:
    ChainOp(const CudaSession& session, const SharedWorkspace& workspace, OpChain chain, FirstKernel kernel,
            Shape shape, std::span<const int> src, std::span<const int> dst, std::string implementation)
        : CudaOp(session, chainFacts(chain, shape.name, src, dst), std::move(implementation)),
          m_workspace(workspace),
          m_chain(std::move(chain)),
          m_kernel(kernel),
          m_shape(std::move(shape)),
          m_src(src.begin(), src.end()),
          m_dst(dst.begin(), dst.end()) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        m_operands = &operands;
        KernelOperands o;
        o.workspace = m_workspace.memory(session());
        o.device = session().limits();
        o.stream = session().stream();
        const LinkedOp& first = m_chain.front();
        for (std::size_t i = 0; i < first.src.size(); ++i)
            o.src[i] = input(first.src[i]);
        o.dst[0] = output(m_shape.result);
        const cudaError_t code = std::visit([&](const auto& op) { return start(op, o); }, first.op);
        return cudaStatus(code, "launching " + implementation(), where());
    }

  private:
    const float* input(int number) const {
        const auto at = std::find(m_src.begin(), m_src.end(), number);
        return at == m_src.end() ? nullptr : m_operands->src[static_cast<std::size_t>(at - m_src.begin())];
    }
    float* output(int number) const {
        const auto at = std::find(m_dst.begin(), m_dst.end(), number);
        return at == m_dst.end() ? nullptr : m_operands->dst[static_cast<std::size_t>(at - m_dst.begin())];
    }

    Epilogue epilogue(const float* bias) const {
        Epilogue result = m_shape.epilogue;
        result.bias = bias;
        if (m_shape.normalisation != kNone) {
            const std::vector<int>& from = m_chain[static_cast<std::size_t>(m_shape.normalisation)].src;
            result.gamma = input(from[1]), result.beta = input(from[2]);
            result.mean = input(from[3]), result.variance = input(from[4]);
        }
        if (m_shape.sum != kNone)
            result.sum = input(m_shape.sum);
        if (m_shape.mask != kNone)
            result.mask = input(m_shape.mask);
        if (m_shape.unpooled != kNone)
            result.unpooling.values = input(m_shape.unpooled);
        return result;
    }

    cudaError_t start(const ConvForward& op, const KernelOperands& o) const {
        const float* bias = op.params.bias ? o.src[2] : nullptr;
        return convForward(op, *m_kernel.conv, epilogue(bias),
                           m_shape.pooled == kNone ? nullptr : output(m_shape.pooled), o);
    }
    cudaError_t start(const DenseForward& op, const KernelOperands& o) const {
        return denseForward(op, *m_kernel.dense, epilogue(op.params.bias ? o.src[2] : nullptr), o);
    }
    cudaError_t start(const ConvBackwardData& op, const KernelOperands& o) const {
        return convBackwardData(op, *m_kernel.conv, epilogue(nullptr), o);
    }
    cudaError_t start(const DenseBackwardData& op, const KernelOperands& o) const {
        return denseBackwardData(op, *m_kernel.dense, epilogue(nullptr), o);
    }
    cudaError_t start(const PoolBackward& op, const KernelOperands& o) const {
        return launchUnpoolRelu(op.src, o.src[0], o.src[1], o.dst[0], o.stream);
    }
    template <class Other>
    cudaError_t start(const Other&, const KernelOperands&) const {
        return cudaErrorNotSupported;
    }

    const SharedWorkspace& m_workspace;
    OpChain m_chain;
    FirstKernel m_kernel;
    Shape m_shape;
    std::vector<int> m_src, m_dst;
    const DeviceOperands* m_operands = nullptr; ///< of the launch under way
};

/// Cycles that a pooling of its own is expected to take: it starts, and reads what was written.
constexpr double kPoolingCycles = 4000, kPoolingMegabyteCycles = 1000;

double poolingCycles(const OpChain& chain) {
    const auto sizes = operandElements(chain.front().op);
    return kPoolingCycles +
           kPoolingMegabyteCycles * double(sizes ? sizes->dst.front() : 0) * sizeof(float) * 1e-6;
}

/// The kernels that may begin a chain, as visitOwnKernels().
void visitFirstKernels(const Op& first, const DeviceLimits& device, Transforms transforms,
                       const std::function<bool(OwnKernel)>& visit) {
    const bool unpools = std::holds_alternative<PoolBackward>(first);
    if (!unpools || visit({kUnpool, std::string("cuda:pool:") + kUnpool, {}, 0, {}, {}}))
        visitOwnKernels(first, device, transforms, visit);
}

} // namespace

void visitOwnChains(const CudaSession& session, SharedWorkspace& workspace, const OpChain& chain,
                    std::span<const int> src, std::span<const int> dst, Transforms transforms,
                    const CandidateVisitor& visit) {
    std::string refusal;
    for (const LinkedOp& one : chain)
        if (refusal.empty())
            refusal = networkRefusal(one.op);
    const Op& first = chain.front().op;
    double fastest = -1;
    visitFirstKernels(first, session.limits(), transforms, [&](const OwnKernel& kernel) {
        Candidate made{kernel.name, kernel.implementation, kernel.refusal, kernel.workspaceBytes, {}};
        if (made.refusal.empty())
            made.refusal = refusal;
        if (!made.refusal.empty())
            return visit(std::move(made));
        if (fastest < 0)
            fastest = kernel.cycles;
        const FirstKernel firstKernel(first, kernel.name);
        const auto shape = Matcher(chain, firstKernel).match();
        const auto isResult = [&](int number) { return number == shape->result || number == shape->pooled; };
        if (!shape)
            made.refusal = "it does not compute these operations as one";
        else if (!std::all_of(dst.begin(), dst.end(), isResult))
            made.refusal = "a result in between is wanted";
        else if (shape->pools() && kernel.cycles > fastest + poolingCycles(chain))
            made.refusal = "another kernel, with the pooling after it, is faster";
        if (!made.refusal.empty())
            return visit(std::move(made));
        made.implementation += shape->name;
        made.prepare = [&session, &workspace, &chain, src, dst, firstKernel, shape = *shape,
                        bytes = kernel.workspaceBytes ? kernel.workspaceBytes() : 0,
                        implementation = made.implementation]() -> Result<std::unique_ptr<PreparedOp>> {
            if (const Status status = workspace.reserve(session, bytes); !status)
                return status.error();
            return std::unique_ptr<PreparedOp>(std::make_unique<ChainOp>(
                session, workspace, chain, firstKernel, shape, src, dst, implementation));
        };
        return visit(std::move(made));
    });
}

} // namespace heteroscope::compute::nvidia
