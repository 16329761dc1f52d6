// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cuda/cuda_backend.h"

#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
#include "compute/backends/nvidia/kernels/gemm/gemm_kernels.h"
#include "compute/backends/nvidia/network/own_chain.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "compute/backends/nvidia/network/step_feed.h"
#include "compute/core/target_options.h"

#include <heteroscope_module_build.h>
#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class GemmOp final : public CudaOp {
  public:
    /// `workspace`: gemmWorkspaceBytes(); nullptr where that is 0.
    GemmOp(const CudaSession& session, std::unique_ptr<DeviceBuffer> workspace, const Op& op,
           const GemmPlan& plan)
        : CudaOp(session, op, implementationOf(plan)),
          m_workspace(std::move(workspace)),
          m_gemm(std::get<Gemm>(op)),
          m_plan(plan) {}

    static std::string implementationOf(const GemmPlan& plan) {
        return "cuda:gemm:" + std::string(gemmKernelName(plan.kernel));
    }

  protected:
    Status launch(const DeviceOperands& o) override {
        void* const workspace = m_workspace == nullptr ? nullptr : m_workspace->devicePointer();
        const GemmOperands operands{o.src[0], o.src[1], o.dst[0], workspace};
        return cudaStatus(launchGemm(m_plan, m_gemm.m, m_gemm.n, m_gemm.k, operands, session().stream()),
                          "launching " + implementation(), where());
    }

  private:
    std::unique_ptr<DeviceBuffer> m_workspace;
    Gemm m_gemm;
    GemmPlan m_plan;
};

class KernelSession final : public CudaSession {
  public:
    /// `kernel`: what the target asked for; nothing: the op's wish, else the fast one.
    KernelSession(DeviceInfo device, const SessionOptions& options, std::optional<GemmKernel> kernel,
                  Transforms transforms)
        : CudaSession("cuda", std::move(device), options), m_kernel(kernel), m_transforms(transforms) {}

    Status start() { return initialize(); }

    Result<std::unique_ptr<StepFeed>> makeStepFeed(const StepFeedPlan& plan) override {
        return makeCudaStepFeed(*this, plan);
    }

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const auto* gemm = std::get_if<Gemm>(&op);
        if (gemm == nullptr)
            return visitOwnCandidates(*this, m_workspace, op, m_transforms, visit);
        if (const auto kernel = kernelFor(*gemm)) {
            visit(candidate(op, *gemm, *kernel));
            return;
        }
        const bool isRefused = !gemmRefusal(GemmKernel::Register, gemm->m, gemm->n, gemm->k).empty();
        const GemmKernel fastest =
            isRefused ? GemmKernel::Register : planGemm(gemm->m, gemm->n, gemm->k, limits()).kernel;
        if (!visit(candidate(op, *gemm, fastest)))
            return;
        for (const GemmKernel kernel : gemmKernels())
            if (kernel != fastest && !visit(candidate(op, *gemm, kernel)))
                return;
    }

    void visitChains(const OpChain& chain, std::span<const int> src, std::span<const int> dst,
                     const CandidateVisitor& visit) const override {
        visitOwnChains(*this, m_workspace, chain, src, dst, m_transforms, visit);
    }

  private:
    /// The kernel that is asked for; nothing: whichever is expected to be the fastest.
    std::optional<GemmKernel> kernelFor(const Gemm& gemm) const {
        return m_kernel ? m_kernel : gemmKernelFromName(gemm.kernel);
    }

    Candidate candidate(const Op& op, const Gemm& gemm, GemmKernel kernel) const {
        Candidate made;
        made.name = gemmKernelName(kernel);
        made.refusal = gemmRefusal(kernel, gemm.m, gemm.n, gemm.k);
        if (!made.refusal.empty())
            return made;
        const GemmPlan plan = planGemm(kernel, gemm.m, gemm.n, gemm.k, limits());
        made.implementation = GemmOp::implementationOf(plan);
        const std::size_t bytes = gemmWorkspaceBytes(plan, gemm.m, gemm.n);
        made.workspaceBytes = [bytes] { return bytes; };
        made.prepare = [this, &op, plan, bytes]() -> Result<std::unique_ptr<PreparedOp>> {
            std::unique_ptr<DeviceBuffer> workspace;
            if (bytes > 0) {
                auto memory = allocateFor(bytes, "the slices of the product");
                if (!memory)
                    return memory.error();
                workspace = std::move(*memory);
            }
            return std::unique_ptr<PreparedOp>(
                std::make_unique<GemmOp>(*this, std::move(workspace), op, plan));
        };
        return made;
    }

    std::optional<GemmKernel> m_kernel;
    Transforms m_transforms;
    mutable SharedWorkspace m_workspace; ///< grows as operations are prepared
};

std::vector<std::string> kernelNames() {
    std::vector<std::string> names;
    for (const GemmKernel kernel : gemmKernels())
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
    const auto transforms = choiceOption(target, "transforms", {"off", "on"}, "off");
    if (!transforms)
        return transforms.error();
    auto session =
        std::make_unique<KernelSession>(device, *options, gemmKernelFromName(*name),
                                        *transforms == "on" ? Transforms::Admit : Transforms::Refuse);
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

} // namespace

std::unique_ptr<BackendModule> makeCudaModule() {
    return makeModule({"cuda",
                       {},
                       {},
                       optionNames({"kernel", "transforms"}),
                       "Own CUDA kernels: networks, pooling, and matrix products from plain to fast "
                       "(?kernel=). ?transforms=on "
                       "admits Winograd's for convolutions, which round more."},
                      openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCudaModule);
