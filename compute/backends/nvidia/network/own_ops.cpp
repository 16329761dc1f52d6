// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/network/own_ops.h"

#include "compute/backends/nvidia/cuda/pool_kernels.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/network/network_kernels.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

struct Name {
    const Op& op;
    const DeviceLimits& device;

    std::string operator()(const PoolForward& pool) const {
        return poolKernelName(pool.params, pool.src, false);
    }
    std::string operator()(const PoolBackward& pool) const {
        return poolKernelName(pool.params, pool.src, true);
    }
    template <class Other>
    std::string operator()(const Other& other) const {
        const std::string name = opName(op), first = "cuda:" + name.substr(0, name.find('.'));
        if constexpr (requires { other.params.groups; })
            return first + ":" + convKernelName(op, device);
        else
            return first;
    }
};

struct Workspace {
    const DeviceLimits& device;

    template <class Any>
    std::size_t operator()(const Any& op) const {
        if constexpr (requires { workspaceOf(op, device); })
            return workspaceOf(op, device);
        else
            return 0;
    }
};

template <class Any>
constexpr bool kHasKernel = requires(const Any& op, const KernelOperands& o) {
    nvidia::launch(op, o);
};

/// Whether there are kernels of the operation; pooling has its own.
struct HasKernel {
    bool operator()(const PoolForward&) const { return true; }
    bool operator()(const PoolBackward&) const { return true; }
    template <class Other>
    bool operator()(const Other&) const {
        return kHasKernel<Other>;
    }
};

struct Launch {
    const KernelOperands& o;

    cudaError_t operator()(const PoolForward& op) const {
        return launchPoolForward(op.params, op.src, o.src[0], o.dst[0], o.stream);
    }
    cudaError_t operator()(const PoolBackward& op) const {
        return launchPoolBackward(op.params, op.src, o.src[0], o.src[1], o.dst[0], o.stream);
    }
    cudaError_t operator()(const Gemm&) const { return cudaErrorNotSupported; }
    template <class Other>
    cudaError_t operator()(const Other& op) const {
        if constexpr (kHasKernel<Other>)
            return nvidia::launch(op, o);
        else
            return cudaErrorNotSupported;
    }
};

class OwnOp final : public CudaOp {
  public:
    OwnOp(const CudaSession& session, const SharedWorkspace& workspace, const Op& op, std::string name)
        : CudaOp(session, op, std::move(name)), m_workspace(workspace), m_op(op) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        KernelOperands o;
        std::copy(operands.src.begin(), operands.src.end(), o.src.begin());
        std::copy(operands.dst.begin(), operands.dst.end(), o.dst.begin());
        o.workspace = m_workspace.memory(session());
        o.device = session().limits();
        o.stream = session().stream();
        return cudaStatus(std::visit(Launch{o}, m_op), "launching " + implementation(), where());
    }

  private:
    const SharedWorkspace& m_workspace;
    Op m_op;
};

} // namespace

Support ownSupport(const Op& op, const DeviceLimits& device) {
    if (const auto sizes = operandElements(op); !sizes)
        return Support::no(sizes.error().sentence());
    if (!std::visit(HasKernel{}, op))
        return Support::missing("cuda", op);
    const bool pooling = std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op);
    if (std::string refusal = pooling ? std::string() : networkRefusal(op); !refusal.empty())
        return Support::no(std::move(refusal));
    return Support::yes(std::visit(Name{op, device}, op));
}

std::size_t ownWorkspaceBytes(const Op& op, const DeviceLimits& device) {
    return ownSupport(op, device).supported ? std::visit(Workspace{device}, op) : 0;
}

Result<std::unique_ptr<PreparedOp>> prepareOwn(CudaSession& session, SharedWorkspace& workspace,
                                               const Op& op) {
    Support support = ownSupport(op, session.limits());
    if (!support.supported)
        return Error{ErrorCode::TargetUnavailable, support.reason, "cuda " + opName(op), {}, {}};
    const std::size_t bytes = ownWorkspaceBytes(op, session.limits());
    if (const Status status = workspace.reserve(session, bytes); !status)
        return status.error();
    return std::unique_ptr<PreparedOp>(
        std::make_unique<OwnOp>(session, workspace, op, std::move(support.implementation)));
}

} // namespace heteroscope::compute::nvidia
