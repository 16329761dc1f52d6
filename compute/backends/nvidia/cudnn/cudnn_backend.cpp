// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_backend.h"

#include "compute/backends/nvidia/cudnn/cudnn_network.h"
#include "compute/backends/nvidia/cudnn/cudnn_pool.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
#include "compute/backends/nvidia/network/own_ops.h"
#include "compute/backends/nvidia/network/step_feed.h"
#include "compute/core/target_options.h"

#include <heteroscope_module_build.h>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class CudnnSession final : public CudaSession {
  public:
    CudnnSession(DeviceInfo device, const SessionOptions& options, const EngineChoice& choice)
        : CudaSession("cudnn", std::move(device), options), m_choice(choice) {}
    ~CudnnSession() override {
        if (m_handle != nullptr && select()) // the handle is of this session's device
            cudnnDestroy(m_handle);
    }

    Status start() {
        if (const Status status = initialize(); !status)
            return status;
        const Status status = cudnnStatus(cudnnCreate(&m_handle), "starting cuDNN", where());
        if (status)
            readFreeMemory();
        return status;
    }

    /// Poolings have memory of their own, which no lane but one uses.
    std::size_t workspaceBytes(const Op& op) const override {
        const std::size_t bytes = CudaSession::workspaceBytes(op);
        return isPooling(op) ? bytes / lanes() : bytes;
    }

    Result<std::unique_ptr<StepFeed>> makeStepFeed(const StepFeedPlan& plan) override {
        return makeCudaStepFeed(*this, plan);
    }

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        const bool pooling = isPooling(op);
        const std::string name = pooling ? "pool" : cudnnOpName(op);
        if (std::holds_alternative<Gemm>(op)) {
            visit({"gemm", {}, "cuDNN has no plain matrix product; use cublas or cuda", {}, {}});
            return;
        }
        if (name.empty())
            return visitOwnCandidates(*this, m_workspace, op, Transforms::Refuse, visit);
        Candidate made{name, "cudnn:" + name, pooling ? poolRefusal(op) : cudnnOpRefusal(op), {}, {}};
        if (made.refusal.empty()) {
            made.workspaceBytes = [&, pooling] {
                return pooling ? poolWorkspaceBytes(op) : networkWorkspaceBytes(op);
            };
            made.prepare = [&, this, pooling] {
                return pooling ? prepareCudnnPool(*this, m_handle, op)
                               : prepareCudnnOp(*this, m_handle, m_workspace, op, m_choice);
            };
        }
        visit(std::move(made));
    }

    void visitChains(const OpChain& chain, std::span<const int> src, std::span<const int> dst,
                     const CandidateVisitor& visit) const override {
        const std::string name = cudnnOpName(chain.front().op);
        if (name.empty())
            return;
        Candidate made{name, "cudnn:" + name + "+relu", cudnnChainRefusal(chain, dst), {}, {}};
        if (made.refusal.empty()) {
            made.workspaceBytes = [&chain] { return networkWorkspaceBytes(chain.front().op); };
            made.prepare = [this, &chain, src, dst] {
                return prepareCudnnChain(*this, m_handle, m_workspace, chain, src, dst, m_choice);
            };
        }
        visit(std::move(made));
    }

  private:
    static bool isPooling(const Op& op) {
        return std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op);
    }
    static std::string poolRefusal(const Op& op) {
        if (const auto* forward = std::get_if<PoolForward>(&op))
            return cudnnPoolRefusal(forward->params, forward->src);
        const auto& backward = std::get<PoolBackward>(op);
        return cudnnPoolRefusal(backward.params, backward.src);
    }
    /// The forward's result, which cuDNN's gradient reads, when nobody gives it.
    static std::size_t poolWorkspaceBytes(const Op& op) {
        const auto* backward = std::get_if<PoolBackward>(&op);
        if (backward == nullptr)
            return 0;
        const auto dst = poolOutputShape(backward->params, backward->src);
        return dst ? static_cast<std::size_t>(dst->bytes().value_or(0)) : 0;
    }
    /// Convolutions choose among algorithms that need at most so much.
    static std::size_t networkWorkspaceBytes(const Op& op) {
        return cudnnOpName(op) == "conv2d" ? kConvWorkspaceBytes : 0;
    }

    EngineChoice m_choice;
    mutable SharedWorkspace m_workspace; ///< grows as operations are prepared
    cudnnHandle_t m_handle = nullptr;
};

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto options = sessionOptions(target);
    if (!options)
        return options.error();
    const auto tf32 = choiceOption(target, "tf32", {"off", "on"}, "off");
    const auto transforms = choiceOption(target, "transforms", {"off", "on"}, "off");
    const auto deterministic = choiceOption(target, "deterministic", {"on", "off"}, "on");
    for (const auto* option : {&tf32, &transforms, &deterministic})
        if (!option->ok())
            return option->error();
    // The fastest of several engines is not the same each time, and the bits of another engine may be others.
    const auto benchmark =
        choiceOption(target, "benchmark", {"on", "off"}, *deterministic == "on" ? "off" : "on");
    if (!benchmark)
        return benchmark.error();
    const EngineChoice choice{*tf32 == "on", *transforms == "on", *deterministic == "on", *benchmark == "on"};
    auto session = std::make_unique<CudnnSession>(device, *options, choice);
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

std::string versionText() {
    const std::size_t version = cudnnGetVersion(); // 91900: 9.19.0
    return std::to_string(version / 10000) + "." + std::to_string(version % 10000 / 100) + "." +
           std::to_string(version % 100);
}

} // namespace

std::unique_ptr<BackendModule> makeCudnnModule() {
    return makeModule(
        {"cudnn",
         versionText(),
         {},
         optionNames({"benchmark", "deterministic", "tf32", "transforms"}),
         "NVIDIA's library for neural networks; own kernels for what it lacks. ?tf32=on trades precision for "
         "tensor "
         "cores, ?deterministic=off the same bits each time for speed; ?benchmark=on times a convolution's "
         "engines "
         "instead of trusting cuDNN's heuristics, ?transforms=on admits those of Fourier and Winograd."},
        openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCudnnModule);
