// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cuda/cuda_backend.h"

#include "compute/backends/nvidia/cuda/gemm_kernels.h"
#include "compute/backends/nvidia/cuda/pool_kernels.h"
#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
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

Launch poolForward(const PoolForward& pool) {
    return [pool](const DeviceOperands& operands, cudaStream_t stream) {
        return launchPoolForward(pool.params, pool.src, operands.src[0], operands.dst[0], stream);
    };
}

Launch poolBackward(const PoolBackward& pool) {
    return [pool](const DeviceOperands& operands, cudaStream_t stream) {
        return launchPoolBackward(pool.params, pool.src, operands.src[0], operands.src[1], operands.dst[0],
                                  stream);
    };
}

Launch product(const Gemm& gemm, GemmKernel kernel) {
    return [gemm, kernel](const DeviceOperands& operands, cudaStream_t stream) {
        return launchGemm(kernel, gemm.m, gemm.n, gemm.k, operands.src[0], operands.src[1], operands.dst[0],
                          stream);
    };
}

class KernelSession final : public CudaSession {
  public:
    /// `kernel`: what the target asked for; nothing: the op's wish, else the fast one.
    KernelSession(DeviceInfo device, HostMemory hostMemory, std::optional<GemmKernel> kernel)
        : CudaSession(std::move(device), hostMemory), m_kernel(kernel) {}

    Status start() { return initialize(); }

    Support supports(const Op& op) const override {
        if (const auto sizes = operandElements(op); !sizes)
            return Support::no(sizes.error().sentence());
        if (const auto* forward = std::get_if<PoolForward>(&op))
            return Support::yes(poolKernelName(forward->params, forward->src, false));
        if (const auto* backward = std::get_if<PoolBackward>(&op))
            return Support::yes(poolKernelName(backward->params, backward->src, true));
        const auto* gemm = std::get_if<Gemm>(&op);
        if (gemm == nullptr)
            return Support::missing("cuda", op);
        const GemmKernel kernel = kernelFor(*gemm);
        std::string refusal = gemmRefusal(kernel, gemm->m, gemm->n, gemm->k);
        return refusal.empty() ? Support::yes("cuda:gemm:" + std::string(gemmKernelName(kernel)))
                               : Support::no(std::move(refusal));
    }

    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        Support support = supports(op);
        if (!support.supported)
            return Error{ErrorCode::TargetUnavailable, support.reason, "cuda " + opName(op), {}, {}};
        Launch launch;
        if (const auto* forward = std::get_if<PoolForward>(&op))
            launch = poolForward(*forward);
        else if (const auto* backward = std::get_if<PoolBackward>(&op))
            launch = poolBackward(*backward);
        else
            launch = product(std::get<Gemm>(op), kernelFor(std::get<Gemm>(op)));
        return std::unique_ptr<PreparedOp>(
            std::make_unique<KernelOp>(*this, op, std::move(support.implementation), std::move(launch)));
    }

  private:
    GemmKernel kernelFor(const Gemm& gemm) const {
        if (m_kernel)
            return *m_kernel;
        return gemmKernelFromName(gemm.kernel).value_or(GemmKernel::Register);
    }

    std::optional<GemmKernel> m_kernel;
};

std::vector<std::string> kernelNames() {
    std::vector<std::string> names;
    for (const GemmKernel kernel : {GemmKernel::Guarded, GemmKernel::Loops, GemmKernel::Tiled,
                                    GemmKernel::Block, GemmKernel::BlockShared, GemmKernel::Register})
        names.emplace_back(gemmKernelName(kernel));
    return names;
}

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto host = hostMemoryOption(target);
    if (!host)
        return host.error();
    const auto name = choiceOption(target, "kernel", kernelNames(), "");
    if (!name)
        return name.error();
    auto session = std::make_unique<KernelSession>(device, *host, gemmKernelFromName(*name));
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

} // namespace

std::unique_ptr<BackendModule> makeCudaModule() {
    return makeModule({"cuda",
                       {},
                       {},
                       {"kernel", "host"},
                       "Own CUDA kernels: pooling, and matrix products from plain to fast (?kernel=)."},
                      openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCudaModule);
