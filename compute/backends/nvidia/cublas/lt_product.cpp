// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cublas/lt_product.h"

#include "compute/backends/nvidia/device/candidate_timer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cublasLt.h>
#include <utility>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::uint32_t kAlignment = 16; ///< of every operand, in bytes

/// Destroys what cuBLASLt creates.
template <class Handle, cublasStatus_t (*destroy)(Handle)>
class Owned {
  public:
    Owned() = default;
    ~Owned() {
        if (m_handle != nullptr)
            destroy(m_handle);
    }
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Handle get() const { return m_handle; }
    Handle* put() { return &m_handle; }

  private:
    Handle m_handle = nullptr;
};

using MatmulDesc = Owned<cublasLtMatmulDesc_t, cublasLtMatmulDescDestroy>;
using MatrixLayout = Owned<cublasLtMatrixLayout_t, cublasLtMatrixLayoutDestroy>;
using Preference = Owned<cublasLtMatmulPreference_t, cublasLtMatmulPreferenceDestroy>;

cublasLtEpilogue_t epilogueOf(LtEpilogue epilogue) {
    switch (epilogue) {
    case LtEpilogue::None:
        break;
    case LtEpilogue::Relu:
        return CUBLASLT_EPILOGUE_RELU;
    case LtEpilogue::Bias:
        return CUBLASLT_EPILOGUE_BIAS;
    case LtEpilogue::BiasRelu:
        return CUBLASLT_EPILOGUE_RELU_BIAS;
    case LtEpilogue::BiasGradient:
        return CUBLASLT_EPILOGUE_BGRADB;
    }
    return CUBLASLT_EPILOGUE_DEFAULT;
}

bool hasBias(LtEpilogue epilogue) {
    return epilogue != LtEpilogue::None && epilogue != LtEpilogue::Relu;
}

/// The first of several calls that failed, or success.
cublasStatus_t firstFailure(std::initializer_list<cublasStatus_t> codes) {
    const auto failed = std::find_if(codes.begin(), codes.end(),
                                     [](cublasStatus_t code) { return code != CUBLAS_STATUS_SUCCESS; });
    return failed == codes.end() ? CUBLAS_STATUS_SUCCESS : *failed;
}

bool isAligned(const void* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % kAlignment == 0;
}

using Algorithm = cublasLtMatmulHeuristicResult_t;

/// cuBLASLt counts columns first: C' = B' A' of the same memory.
class PreparedLtProduct final : public LtProduct {
  public:
    PreparedLtProduct(const CublasHandle& handle, const LtSpec& spec, std::string where)
        : m_handle(handle), m_spec(spec), m_where(std::move(where)) {}

    Status describe() {
        const RowMajor& p = m_spec.product;
        const auto compute = m_spec.tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
        const auto first = p.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N;
        const auto second = p.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N;
        const cublasLtEpilogue_t epilogue = epilogueOf(m_spec.epilogue);
        if (const Status status = called(cublasLtMatmulDescCreate(m_operation.put(), compute, CUDA_R_32F));
            !status)
            return status;
        return called(firstFailure(
            {set(CUBLASLT_MATMUL_DESC_TRANSA, first), set(CUBLASLT_MATMUL_DESC_TRANSB, second),
             set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue),
             layout(m_b, p.transposeB ? p.k : p.n, p.transposeB ? p.n : p.k),
             layout(m_a, p.transposeA ? p.m : p.k, p.transposeA ? p.k : p.m), layout(m_c, p.n, p.m)}));
    }

    /// What the heuristics propose, the best first: at most `most`.
    Result<std::vector<Algorithm>> proposals(int most) const {
        Preference preference;
        const std::size_t workspace = CublasHandle::kWorkspaceBytes;
        const auto set = [&](cublasLtMatmulPreferenceAttributes_t name, const auto& value) {
            return cublasLtMatmulPreferenceSetAttribute(preference.get(), name, &value, sizeof value);
        };
        std::vector<Algorithm> found(static_cast<std::size_t>(most));
        int count = 0;
        if (const Status status = called(cublasLtMatmulPreferenceCreate(preference.put())); !status)
            return status.error();
        const cublasStatus_t code =
            firstFailure({set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
                          set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, kAlignment),
                          set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, kAlignment),
                          set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, kAlignment),
                          set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, kAlignment)});
        if (const Status status = called(code); !status)
            return status.error();
        const cublasStatus_t asked =
            cublasLtMatmulAlgoGetHeuristic(m_handle.lt(), m_operation.get(), m_b.get(), m_a.get(), m_c.get(),
                                           m_c.get(), preference.get(), most, found.data(), &count);
        if (asked != CUBLAS_STATUS_SUCCESS || count == 0)
            return Error{ErrorCode::TargetUnavailable,
                         std::string("cuBLASLt offers no algorithm: ") + cublasGetStatusString(asked),
                         m_where,
                         {},
                         "take another implementation with ?impl="};
        found.resize(static_cast<std::size_t>(count));
        return found;
    }

    void choose(const Algorithm& algorithm) { m_algorithm = algorithm; }

    Status run(const float* a, const float* b, float* c, float* bias) const override {
        if (!isAligned(a) || !isAligned(b) || !isAligned(c) || !isAligned(bias))
            return Error{ErrorCode::RunFailed,
                         "an operand of cuBLASLt is not aligned to " + std::to_string(kAlignment) + " bytes",
                         m_where,
                         {},
                         {}};
        if (hasBias(m_spec.epilogue))
            if (const Status status = called(set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias)); !status)
                return status;
        const float one = 1.0F, zero = 0.0F;
        return called(cublasLtMatmul(m_handle.lt(), m_operation.get(), &one, b, m_b.get(), a, m_a.get(),
                                     &zero, c, m_c.get(), c, m_c.get(), &m_algorithm.algo,
                                     m_handle.workspace(), CublasHandle::kWorkspaceBytes, m_handle.stream()));
    }

  private:
    template <class T>
    cublasStatus_t set(cublasLtMatmulDescAttributes_t name, const T& value) const {
        return cublasLtMatmulDescSetAttribute(m_operation.get(), name, &value, sizeof value);
    }
    static cublasStatus_t layout(MatrixLayout& made, std::int64_t rows, std::int64_t columns) {
        return cublasLtMatrixLayoutCreate(made.put(), CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                          static_cast<std::uint64_t>(columns), rows);
    }
    Status called(cublasStatus_t code) const { return cublasStatus(code, "cublasLtMatmul", m_where); }

    const CublasHandle& m_handle;
    LtSpec m_spec;
    std::string m_where;
    MatmulDesc m_operation;
    MatrixLayout m_a, m_b, m_c;
    Algorithm m_algorithm{};
};

/// Leaves the fastest of `algorithms` chosen; OutOfMemory where the operands have no room a second time.
Status chooseFastest(const CudaSession& session, const LtSpec& spec, PreparedLtProduct& product,
                     std::span<const Algorithm> algorithms) {
    const RowMajor& p = spec.product;
    const auto bytes = [](std::int64_t floats) { return static_cast<std::size_t>(floats) * sizeof(float); };
    CandidateTimer timer(session, "cuBLASLt's algorithms");
    if (const Status status = timer.start(
            std::array{bytes(p.m * p.k), bytes(p.k * p.n), bytes(p.m * p.n), bytes(std::max(p.m, p.n))});
        !status)
        return status;
    const auto matrix = [&](std::size_t i) { return static_cast<float*>(timer.memory(i)); };
    const Algorithm* best = nullptr;
    double leastMs = 0;
    for (const Algorithm& algorithm : algorithms) {
        product.choose(algorithm);
        const auto ms =
            timer.leastMs([&] { return bool(product.run(matrix(0), matrix(1), matrix(2), matrix(3))); });
        if (!ms)
            return ms.error();
        if (ms->has_value() && (best == nullptr || **ms < leastMs)) {
            leastMs = **ms;
            best = &algorithm;
        }
    }
    product.choose(best == nullptr ? algorithms.front() : *best);
    return {};
}

} // namespace

std::string ltRefusal(const RowMajor& product) {
    if (std::max({product.m, product.n, product.k}) <= kMostCublasExtent)
        return {};
    return "an extent is larger than 2^28, which cuBLAS is given in parts";
}

Result<std::unique_ptr<LtProduct>> makeLtProduct(const CudaSession& session, const CublasHandle& handle,
                                                 const LtSpec& spec, const std::string& where) {
    constexpr int kMostTimed = 8;
    auto product = std::make_unique<PreparedLtProduct>(handle, spec, where);
    if (const Status status = product->describe(); !status)
        return status.error();
    const auto algorithms = product->proposals(spec.benchmark ? kMostTimed : 1);
    if (!algorithms)
        return algorithms.error();
    product->choose(algorithms->front());
    if (algorithms->size() > 1)
        if (const Status status = chooseFastest(session, spec, *product, *algorithms);
            !status && status.error().code != ErrorCode::OutOfMemory)
            return status.error();
    return std::unique_ptr<LtProduct>(std::move(product));
}

} // namespace heteroscope::compute::nvidia
