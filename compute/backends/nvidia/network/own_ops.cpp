// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/network/own_ops.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/kernels/conv/conv_kernels.h"
#include "compute/backends/nvidia/kernels/gemm/dense_kernels.h"
#include "compute/backends/nvidia/kernels/gemm/dense_small.h"
#include "compute/backends/nvidia/kernels/pool/pool_kernels.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

using KernelVisitor = std::function<bool(OwnKernel)>;

template <class T>
concept Convolution = requires(const T& op, const DeviceLimits& device) {
    convCandidates(op, device);
};
template <class T>
concept DenseLayer = requires(const T& op, const DeviceLimits& device) {
    denseWorkspace(op, DenseKernel::Gemm, device);
};
template <class T>
concept HasKernel = requires(const T& op, const KernelOperands& o) {
    nvidia::launch(op, o);
};

cudaError_t startKernel(const ConvForward& op, ConvKernel kernel, const KernelOperands& o) {
    Epilogue epilogue;
    epilogue.bias = op.params.bias ? o.src[2] : nullptr;
    return convForward(op, kernel, epilogue, nullptr, o);
}
cudaError_t startKernel(const ConvBackwardData& op, ConvKernel kernel, const KernelOperands& o) {
    return convBackwardData(op, kernel, {}, o);
}
cudaError_t startKernel(const ConvBackwardWeights& op, ConvKernel kernel, const KernelOperands& o) {
    return convBackwardWeights(op, kernel, o);
}
cudaError_t startKernel(const DenseForward& op, DenseKernel kernel, const KernelOperands& o) {
    Epilogue epilogue;
    epilogue.bias = op.params.bias ? o.src[2] : nullptr;
    return denseForward(op, kernel, epilogue, o);
}
cudaError_t startKernel(const DenseBackwardData& op, DenseKernel kernel, const KernelOperands& o) {
    return denseBackwardData(op, kernel, {}, o);
}
cudaError_t startKernel(const DenseBackwardWeights& op, DenseKernel kernel, const KernelOperands& o) {
    return denseBackwardWeights(op, kernel, o);
}

/// "cuda:conv2d"
std::string prefixOf(const Op& op) {
    const std::string name = opName(op);
    return "cuda:" + name.substr(0, name.find('.'));
}

/// As ?impl= takes it.
std::string lastWord(const std::string& implementation) {
    return implementation.substr(implementation.rfind(':') + 1);
}

/// The kernel that takes most: what refuses an operation that none of ours takes.
struct MostGeneral {
    const Op& op;

    template <Convolution T>
    std::string operator()(const T&) const {
        return std::string(convKernelName(ConvKernel::Direct));
    }
    template <DenseLayer T>
    std::string operator()(const T&) const {
        return std::string(denseKernelName(DenseKernel::Gemm));
    }
    template <class T>
    std::string operator()(const T&) const {
        return lastWord(prefixOf(op));
    }
};

/// Visits the kernels of one type of operation.
struct Kernels {
    const Op& op;
    const DeviceLimits& device;
    Transforms admitted;
    const KernelVisitor& visit;

    template <Convolution T>
    void operator()(const T& conv) const {
        for (const ConvCandidate& candidate : convCandidates(conv, device)) {
            const ConvKernel kernel = candidate.kernel;
            OwnKernel made{std::string(convKernelName(kernel)),
                           {},
                           std::string(candidate.refusal),
                           candidate.cycles,
                           {},
                           {}};
            if (made.refusal.empty() && transforms(kernel) && admitted == Transforms::Refuse)
                made.refusal = "it rounds more than sums of products do: ?transforms=on admits it";
            made.implementation = prefixOf(op) + ":" + made.name;
            made.workspaceBytes = [&conv, kernel, &device = device] {
                return convWorkspace(conv, kernel, device);
            };
            made.launch = [conv, kernel](const KernelOperands& o) { return startKernel(conv, kernel, o); };
            if (!visit(std::move(made)))
                return;
        }
    }

    template <DenseLayer T>
    void operator()(const T& dense) const {
        for (const DenseKernel kernel : {DenseKernel::SmallBatch, DenseKernel::Gemm}) {
            OwnKernel made{std::string(denseKernelName(kernel)), prefixOf(op), {}, 0, {}, {}};
            if (kernel == DenseKernel::SmallBatch)
                made.refusal = smallDenseRefusal(dense.params, dense.batch);
            made.implementation += ":" + made.name;
            made.workspaceBytes = [&dense, kernel, &device = device] {
                return denseWorkspace(dense, kernel, device);
            };
            made.launch = [dense, kernel](const KernelOperands& o) { return startKernel(dense, kernel, o); };
            if (!visit(std::move(made)))
                return;
        }
    }

    void operator()(const PoolForward& pool) const { visitPool(pool.params, pool.src, false); }
    void operator()(const PoolBackward& pool) const { visitPool(pool.params, pool.src, true); }

    template <HasKernel T>
    void operator()(const T& other) const {
        only(prefixOf(op), [other](const KernelOperands& o) { return nvidia::launch(other, o); });
    }

    template <class T>
    void operator()(const T&) const {} // no kernel

  private:
    void visitPool(const PoolParams& params, const Shape4& src, bool backward) const {
        visitPoolKernels(params, src, backward, device, [&](PoolKernel kernel) {
            OwnKernel made{std::move(kernel.name),
                           std::move(kernel.implementation),
                           std::move(kernel.refusal),
                           0,
                           {},
                           {}};
            made.launch = [launch = std::move(kernel.launch), backward](const KernelOperands& o) {
                return launch({o.src[0], backward ? o.src[1] : nullptr, o.dst[0]}, o.stream);
            };
            return visit(std::move(made));
        });
    }

    void only(std::string implementation, std::function<cudaError_t(const KernelOperands&)> launch) const {
        std::function<std::size_t()> workspaceBytes = [&op = op, &device = device] {
            return std::visit(
                [&](const auto& one) -> std::size_t {
                    if constexpr (requires { workspaceOf(one, device); })
                        return workspaceOf(one, device);
                    else
                        return 0;
                },
                op);
        };
        std::string name = lastWord(implementation);
        visit({std::move(name),
               std::move(implementation),
               {},
               0,
               std::move(workspaceBytes),
               std::move(launch)});
    }
};

class OwnOp final : public CudaOp {
  public:
    OwnOp(const CudaSession& session, const SharedWorkspace& workspace, const Op& op, OwnKernel kernel)
        : CudaOp(session, op, std::move(kernel.implementation)),
          m_workspace(workspace),
          m_launch(std::move(kernel.launch)) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        KernelOperands o;
        std::copy(operands.src.begin(), operands.src.end(), o.src.begin());
        std::copy(operands.dst.begin(), operands.dst.end(), o.dst.begin());
        o.workspace = m_workspace.memory(session());
        o.device = session().limits();
        o.stream = session().stream();
        return cudaStatus(m_launch(o), "launching " + implementation(), where());
    }

  private:
    const SharedWorkspace& m_workspace;
    std::function<cudaError_t(const KernelOperands&)> m_launch;
};

} // namespace

void visitOwnKernels(const Op& op, const DeviceLimits& device, Transforms transforms,
                     const KernelVisitor& visit) {
    const bool pooling = std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op);
    std::string refusal = pooling ? std::string() : networkRefusal(op);
    if (refusal.empty())
        return std::visit(Kernels{op, device, transforms, visit}, op);
    visit({std::visit(MostGeneral{op}, op), {}, std::move(refusal), 0, {}, {}});
}

void visitOwnCandidates(const CudaSession& session, SharedWorkspace& workspace, const Op& op,
                        Transforms transforms, const CandidateVisitor& visit) {
    visitOwnKernels(op, session.limits(), transforms, [&](OwnKernel kernel) {
        Candidate made{kernel.name, kernel.implementation, kernel.refusal, kernel.workspaceBytes, {}};
        if (made.refusal.empty())
            made.prepare = [&session, &workspace, &op,
                            kernel = std::move(kernel)]() -> Result<std::unique_ptr<PreparedOp>> {
                const std::size_t bytes = kernel.workspaceBytes ? kernel.workspaceBytes() : 0;
                if (const Status status = workspace.reserve(session, bytes); !status)
                    return status.error();
                return std::unique_ptr<PreparedOp>(std::make_unique<OwnOp>(session, workspace, op, kernel));
            };
        return visit(std::move(made));
    });
}

} // namespace heteroscope::compute::nvidia
