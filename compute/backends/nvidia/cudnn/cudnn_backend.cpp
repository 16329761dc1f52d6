// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cudnn/cudnn_backend.h"

#include "compute/backends/nvidia/cudnn/cudnn_pool.h"
#include "compute/backends/nvidia/device/nvidia_module.h"

#include <heteroscope_module_build.h>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class CudnnSession final : public CudaSession {
  public:
    CudnnSession(DeviceInfo device, HostMemory hostMemory) : CudaSession(std::move(device), hostMemory) {}
    ~CudnnSession() override {
        if (m_handle != nullptr && select()) // the handle is of this session's device
            cudnnDestroy(m_handle);
    }

    Status start() {
        if (const Status status = initialize(); !status)
            return status;
        for (const cudnnStatus_t code : {cudnnCreate(&m_handle), cudnnSetStream(m_handle, stream())})
            if (const Status status = cudnnStatus(code, "starting cuDNN", where()); !status)
                return status;
        return {};
    }

    Support supports(const Op& op) const override {
        if (const auto sizes = operandElements(op); !sizes)
            return Support::no(sizes.error().sentence());
        std::string reason = std::holds_alternative<Gemm>(op)
                                 ? "cuDNN has no plain matrix product; use cublas or cuda"
                                 : Support::missing("cudnn", op).reason;
        if (const auto* forward = std::get_if<PoolForward>(&op))
            reason = cudnnPoolRefusal(forward->params, forward->src);
        else if (const auto* backward = std::get_if<PoolBackward>(&op))
            reason = cudnnPoolRefusal(backward->params, backward->src);
        return reason.empty() ? Support::yes("cudnn:pool") : Support::no(std::move(reason));
    }

    /// The forward's result, which cuDNN's gradient reads, when nobody gives it.
    std::size_t workspaceBytes(const Op& op) const override {
        const auto* backward = std::get_if<PoolBackward>(&op);
        if (backward == nullptr)
            return 0;
        const auto dst = poolOutputShape(backward->params, backward->src);
        return dst ? static_cast<std::size_t>(dst->bytes().value_or(0)) : 0;
    }

    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        if (const Support support = supports(op); !support.supported)
            return Error{ErrorCode::TargetUnavailable, support.reason, "cudnn " + opName(op), {}, {}};
        return prepareCudnnPool(*this, m_handle, op);
    }

  private:
    cudnnHandle_t m_handle = nullptr;
};

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto host = hostMemoryOption(target);
    if (!host)
        return host.error();
    auto session = std::make_unique<CudnnSession>(device, *host);
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
        {"cudnn", versionText(), {}, {"host"}, "NVIDIA's library for neural networks: pooling."},
        openSession);
}

} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeCudnnModule);
