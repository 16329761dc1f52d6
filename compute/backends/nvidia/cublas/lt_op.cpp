// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/cublas/lt_op.h"

#include "compute/backends/nvidia/device/cuda_op.h"

#include <type_traits>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

/// With what cuBLASLt does to the product in its epilogue.
class LtOp final : public CudaOp {
  public:
    /// `order`: which of the operands read are those of the product.
    LtOp(const CudaSession& session, OpFacts facts, std::string implementation,
         std::unique_ptr<LtProduct> product, LtEpilogue epilogue, bool forWeights,
         std::vector<std::size_t> order)
        : CudaOp(session, std::move(facts), std::move(implementation)),
          m_product(std::move(product)),
          m_epilogue(epilogue),
          m_forWeights(forWeights),
          m_order(std::move(order)) {}

  protected:
    Status launch(const DeviceOperands& o) override {
        const auto src = [&](std::size_t i) { return o.src[m_order[i]]; };
        return m_product->run(src(m_forWeights ? 1 : 0), src(m_forWeights ? 0 : 1), o.dst[0], bias(o));
    }

  private:
    float* bias(const DeviceOperands& o) const {
        if (m_epilogue == LtEpilogue::BiasGradient)
            return o.dst[1];
        if (m_epilogue == LtEpilogue::Bias || m_epilogue == LtEpilogue::BiasRelu)
            return const_cast<float*>(o.src[m_order[2]]); // it is read
        return nullptr;
    }

    std::unique_ptr<LtProduct> m_product;
    LtEpilogue m_epilogue;
    bool m_forWeights;
    std::vector<std::size_t> m_order;
};

} // namespace

RowMajor denseProduct(const DenseForward& op) {
    return {false, true, op.batch, op.params.units, op.params.inputs};
}
RowMajor denseProduct(const DenseBackwardData& op) {
    return {false, false, op.batch, op.params.inputs, op.params.units};
}
RowMajor denseProduct(const DenseBackwardWeights& op) {
    return {true, false, op.params.units, op.params.inputs, op.batch};
}

std::optional<LtSpec> ltSpecOf(const Op& op, bool relu) {
    return std::visit(
        [&]<class T>(const T& one) -> std::optional<LtSpec> {
            if constexpr (std::is_same_v<T, Gemm>)
                return LtSpec{{false, false, one.m, one.n, one.k}, LtEpilogue::None};
            else if constexpr (std::is_same_v<T, DenseForward>)
                return LtSpec{denseProduct(one), one.params.bias
                                                     ? relu ? LtEpilogue::BiasRelu : LtEpilogue::Bias
                                                 : relu ? LtEpilogue::Relu
                                                        : LtEpilogue::None};
            else if constexpr (std::is_same_v<T, DenseBackwardData>)
                return LtSpec{denseProduct(one), LtEpilogue::None};
            else if constexpr (std::is_same_v<T, DenseBackwardWeights>)
                return LtSpec{denseProduct(one),
                              one.params.bias ? LtEpilogue::BiasGradient : LtEpilogue::None};
            else
                return std::nullopt;
        },
        op);
}

Result<std::unique_ptr<PreparedOp>> prepareLt(const CudaSession& session, const CublasHandle& handle,
                                              const Op& op, OpFacts facts, std::vector<std::size_t> order,
                                              const LtSpec& spec, const std::string& implementation) {
    auto product = makeLtProduct(session, handle, spec, "cublas " + opName(op));
    if (!product)
        return product.error();
    return std::unique_ptr<PreparedOp>(
        std::make_unique<LtOp>(session, std::move(facts), implementation, std::move(*product), spec.epilogue,
                               std::holds_alternative<DenseBackwardWeights>(op), std::move(order)));
}

} // namespace heteroscope::compute::nvidia
