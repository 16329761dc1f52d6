// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cuda/cuda_backend.h"

#include "compute/backends/nvidia/cuda/gemm_kernels.h"
#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
#include "compute/backends/nvidia/network/own_chain.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "compute/backends/nvidia/network/step_feed.h"
#include "compute/core/target_options.h"

#include <functional>
#include <heteroscope_module_build.h>
#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// Starts one of our kernels on the stream.
using Launch = std::function<cudaError_t(const DeviceOperands&, cudaStream_t)>;

class KernelOp final : public CudaOp {
  public:
    KernelOp(const CudaSession& session, const Op& op, std::string implementation, Launch launch)
        : CudaOp(session, op, std::move(implementation)), m_launch(std::move(launch)) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        return cudaStatus(m_launch(operands, session().stream()), "launching " + implementation(), where());
    }

  private:
    Launch m_launch;
};

Launch product(const Gemm& gemm, GemmKernel kernel) {
    return [gemm, kernel](const DeviceOperands& operands, cudaStream_t stream) {
        return launchGemm(kernel, gemm.m, gemm.n, gemm.k, operands.src[0], operands.src[1], operands.dst[0],
                          stream);
    };
}

/// Streams of a recording: gradients of weights run beside those of inputs.
constexpr int kLanes = 4;

class KernelSession final : public CudaSession {
  public:
    /// `kernel`: what the target asked for; nothing: the op's wish, else the fast one. `fuse`: operations of
    /// networks are computed as one where that pays.
    KernelSession(DeviceInfo device, const SessionOptions& options, std::optional<GemmKernel> kernel,
                  bool fuse)
        : CudaSession(std::move(device), options), m_kernel(kernel), m_fuse(fuse) {}

    Status start() { return initialize(); }
    int lanes() const override { return kLanes; }

    Support supports(const Op& op) const override {
        const auto* gemm = std::get_if<Gemm>(&op);
        if (gemm == nullptr)
            return ownSupport(op);
        if (const auto sizes = operandElements(op); !sizes)
            return Support::no(sizes.error().sentence());
        const GemmKernel kernel = kernelFor(*gemm);
        std::string refusal = gemmRefusal(kernel, gemm->m, gemm->n, gemm->k);
        return refusal.empty() ? Support::yes("cuda:gemm:" + std::string(gemmKernelName(kernel)))
                               : Support::no(std::move(refusal));
    }

    std::size_t workspaceBytes(const Op& op) const override {
        return kLanes * ownWorkspaceBytes(op, limits());
    }

    Support supportsChain(const OpChain& chain, std::span<const int> results) const override {
        return m_fuse ? ownChainSupport(chain, results) : Support::no("the target says fuse=off");
    }

    Result<std::unique_ptr<PreparedOp>> prepareChain(const OpChain& chain, std::span<const int> src,
                                                     std::span<const int> dst) override {
        return prepareOwnChain(*this, m_workspace, chain, src, dst);
    }

    Result<std::unique_ptr<StepFeed>> makeStepFeed(const StepFeedPlan& plan) override {
        return makeCudaStepFeed(*this, plan);
    }

    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        const auto* gemm = std::get_if<Gemm>(&op);
        if (gemm == nullptr)
            return prepareOwn(*this, m_workspace, op);
        Support support = supports(op);
        if (!support.supported)
            return Error{ErrorCode::TargetUnavailable, support.reason, "cuda " + opName(op), {}, {}};
        return std::unique_ptr<PreparedOp>(std::make_unique<KernelOp>(
            *this, op, std::move(support.implementation), product(*gemm, kernelFor(*gemm))));
    }

  private:
    GemmKernel kernelFor(const Gemm& gemm) const {
        if (m_kernel)
            return *m_kernel;
        return gemmKernelFromName(gemm.kernel).value_or(GemmKernel::Register);
    }

    std::optional<GemmKernel> m_kernel;
    bool m_fuse;
    SharedWorkspace m_workspace;
};

std::vector<std::string> kernelNames() {
    std::vector<std::string> names;
    for (const GemmKernel kernel : {GemmKernel::Guarded, GemmKernel::Loops, GemmKernel::Tiled,
                                    GemmKernel::Block, GemmKernel::BlockShared, GemmKernel::Register})
        names.emplace_back(gemmKernelName(kernel));
    return names;
}

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto options = sessionOptions(target);
    if (!options)
        return options.error();
    const auto name = choiceOption(target, "kernel", kernelNames(), "");
    if (!name)
        return name.error();
    const auto fuse = choiceOption(target, "fuse", {"on", "off"}, "on");
    if (!fuse)
        return fuse.error();
    auto session =
        std::make_unique<KernelSession>(device, *options, gemmKernelFromName(*name), *fuse == "on");
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

} // namespace

std::unique_ptr<BackendModule> makeCudaModule() {
    return makeModule(
        {"cuda",
         {},
         {},
         optionNames({"fuse", "kernel"}),
         "Own CUDA kernels: networks, pooling, and matrix products from plain to fast (?kernel=)."},
        openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCudaModule);
