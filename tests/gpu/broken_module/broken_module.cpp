// SPDX-License-Identifier: Apache-2.0
// The module `cuda` with a kernel that fails on the device: target cuda:0/cuda?fault=write or ?fault=trap.
// Sessions, operations and errors are the product's.
#include "compute/backends/nvidia/device/cuda_op.h"
#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/backends/nvidia/device/nvidia_module.h"
#include "compute/core/target_options.h"
#include "tests/gpu/broken_module/broken_kernel.h"

#include <heteroscope_module_build.h>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

constexpr const char* kImplementation = "cuda:gemm:broken";

class BrokenOp final : public CudaOp {
  public:
    BrokenOp(const CudaSession& session, const Gemm& gemm, Fault fault)
        : CudaOp(session, gemm, kImplementation), m_gemm(gemm), m_fault(fault) {}

  protected:
    Status launch(const DeviceOperands& operands) override {
        return cudaStatus(launchBrokenGemm(m_fault, m_gemm.m, m_gemm.n, m_gemm.k, operands.src[0],
                                           operands.src[1], operands.dst[0], session().stream()),
                          "launching the broken kernel", where());
    }

  private:
    Gemm m_gemm;
    Fault m_fault;
};

class BrokenSession final : public CudaSession {
  public:
    BrokenSession(DeviceInfo device, Fault fault)
        : CudaSession("cuda", std::move(device), HostMemory::Pageable), m_fault(fault) {}
    Status start() { return initialize(); }

  protected:
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        Candidate made{"broken", kImplementation, {}, {}, {}};
        if (!std::holds_alternative<Gemm>(op))
            made.refusal = "the broken module computes products only";
        else
            made.prepare = [&]() -> Result<std::unique_ptr<PreparedOp>> {
                return std::unique_ptr<PreparedOp>(
                    std::make_unique<BrokenOp>(*this, std::get<Gemm>(op), m_fault));
            };
        visit(std::move(made));
    }

  private:
    Fault m_fault;
};

Result<std::unique_ptr<Session>> openSession(const Target& target, const DeviceInfo& device) {
    const auto fault = choiceOption(target, "fault", {"write", "trap"}, "write");
    if (!fault)
        return fault.error();
    auto session = std::make_unique<BrokenSession>(device, *fault == "trap" ? Fault::Trap : Fault::Write);
    if (const Status status = session->start(); !status)
        return status.error();
    return std::unique_ptr<Session>(std::move(session));
}

std::unique_ptr<BackendModule> makeBrokenModule() {
    return makeModule({"cuda", {}, {}, {"fault"}, "A kernel that fails, for tests."}, openSession);
}

} // namespace
} // namespace heteroscope::compute::nvidia

HETEROSCOPE_EXPORT_MODULE(heteroscope::compute::nvidia::makeBrokenModule);
