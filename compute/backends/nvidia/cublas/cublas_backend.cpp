// SPDX-License-Identifier: Apache-2.0
// cuBLAS counts columns first: the row-major product C = A B is its product C' = B' A' of the same memory.
#include "compute/backends/nvidia/cublas/cublas_backend.h"

#include "compute/backends/nvidia/cublas/cublas_network.h"
#include "compute/backends/nvidia/cublas/lt_op.h"
#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
#include "compute/backends/nvidia/kernels/network_kernels.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "compute/backends/nvidia/network/relu_chain.h"
#include "compute/backends/nvidia/network/step_feed.h"
#include "compute/core/target_options.h"

#include <cublas_v2.h>
#include <heteroscope_module_build.h>
#include <optional>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class CublasGemm final : public CudaOp {
  public:
    CublasGemm(const CudaSession& session, const CublasHandle& handle, const Gemm& gemm,
               std::string implementation)
        : CudaOp(session, gemm, std::move(implementation)), m_handle(handle), m_gemm(gemm) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        const auto handle = m_handle.use();
        if (!handle)
            return handle.error();
        return cublasStatus(multiplyOne(*handle, {false, false, m_gemm.m, m_gemm.n, m_gemm.k, operands.src[0],
                                                  operands.src[1], operands.dst[0]}),
                            "cublasSgemm", where());
    }

  private:
    const CublasHandle& m_handle;
    Gemm m_gemm;
};

class CublasSession final : public CudaSession {
  public:
    /// `benchmark`: cuBLASLt's algorithms are timed and the fastest taken.
    CublasSession(DeviceInfo device, const SessionOptions& options, bool tf32, bool benchmark)
        : CudaSession("cublas", std::move(device), options), m_tf32(tf32), m_benchmark(benchmark) {}

    Status start() {
        Status status = initialize();
        if (status)
            status = m_handle.start(m_tf32);
        if (status)
            readFreeMemory();
        return status;
    }

    Result<std::unique_ptr<StepFeed>> makeStepFeed(const StepFeedPlan& plan) override {
        return makeCudaStepFeed(*this, plan);
    }

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const std::string kind = cublasProductName(op);
        if (kind.empty())
            return visitOwnCandidates(*this, m_scratch, op, Transforms::Refuse, visit);
        if (std::holds_alternative<Gemm>(op)) {
            if (m_benchmark && !visit(throughLt(op, kind, "")))
                return;
            visit(plainGemm(op));
            return;
        }
        const std::string refusal = networkRefusal(op);
        if (ltSpecOf(op, false) && !visit(throughLt(op, kind, refusal)))
            return;
        Candidate made{kind, name(kind), refusal, {}, {}};
        if (refusal.empty()) {
            made.workspaceBytes = [&] { return cublasProductWorkspace(op, limits()); };
            made.prepare = [this, &op, name = made.implementation] {
                return prepareCublasProduct(*this, m_handle, m_scratch, op, name);
            };
        }
        visit(std::move(made));
    }

    void visitChains(const OpChain& chain, std::span<const int> src, std::span<const int> dst,
                     const CandidateVisitor& visit) const override {
        const Op& dense = chain.front().op;
        if (!std::holds_alternative<DenseForward>(dense))
            return;
        std::string refusal = networkRefusal(dense);
        if (refusal.empty())
            refusal = reluChainRefusal(chain, dst);
        Candidate made = throughLt(dense, cublasProductName(dense), refusal);
        made.implementation += "+relu";
        if (made.prepare)
            made.prepare = [this, &chain, src, dst, name = made.implementation] {
                const Op& first = chain.front().op;
                return prepareLt(*this, m_handle, first, chainFacts(chain, "+relu", src, dst),
                                 firstOperands(chain, src), *wanted(first, true), name);
            };
        visit(std::move(made));
    }

  private:
    std::string name(const std::string& kind) const { return "cublas:" + kind + (m_tf32 ? ":tf32" : ""); }

    std::optional<LtSpec> wanted(const Op& op, bool relu) const {
        std::optional<LtSpec> spec = ltSpecOf(op, relu);
        if (spec)
            spec->tf32 = m_tf32, spec->benchmark = m_benchmark;
        return spec;
    }

    /// `refusal`: why it is refused whoever computes it.
    Candidate throughLt(const Op& op, const std::string& kind, const std::string& refusal) const {
        Candidate made{kind + ":lt", name(kind + ":lt"), refusal, {}, {}};
        if (refusal.empty())
            made.refusal = ltRefusal(wanted(op, false)->product);
        if (made.refusal.empty())
            made.prepare = [this, &op, name = made.implementation] {
                return prepareLt(*this, m_handle, op, opFacts(op), {0, 1, 2}, *wanted(op, false), name);
            };
        return made;
    }

    Candidate plainGemm(const Op& op) const {
        Candidate made{"sgemm", name("sgemm"), {}, {}, {}};
        made.prepare = [this, &op, name = made.implementation]() -> Result<std::unique_ptr<PreparedOp>> {
            return std::unique_ptr<PreparedOp>(
                std::make_unique<CublasGemm>(*this, m_handle, std::get<Gemm>(op), name));
        };
        return made;
    }

    bool m_tf32, m_benchmark;
    mutable SharedWorkspace m_scratch; ///< grows as operations are prepared
    CublasHandle m_handle{*this};
};

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto options = sessionOptions(target);
    if (!options)
        return options.error();
    const auto tf32 = choiceOption(target, "tf32", {"off", "on"}, "off");
    if (!tf32)
        return tf32.error();
    const auto benchmark = choiceOption(target, "benchmark", {"on", "off"}, "off");
    if (!benchmark)
        return benchmark.error();
    auto session = std::make_unique<CublasSession>(device, *options, *tf32 == "on", *benchmark == "on");
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

std::string versionText() {
    int major = 0, minor = 0, patch = 0;
    cublasGetProperty(MAJOR_VERSION, &major);
    cublasGetProperty(MINOR_VERSION, &minor);
    cublasGetProperty(PATCH_LEVEL, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

} // namespace

std::unique_ptr<BackendModule> makeCublasModule() {
    return makeModule(
        {"cublas",
         versionText(),
         {},
         optionNames({"benchmark", "tf32"}),
         "NVIDIA's matrix products, also for convolutions of unrolled inputs; own kernels for "
         "the rest of a network. ?tf32=on trades precision for tensor cores; ?benchmark=on times "
         "cuBLASLt's algorithms for matrix products and dense layers instead of trusting its "
         "heuristics, and may give other bits each time."},
        openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCublasModule);
