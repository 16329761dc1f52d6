// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication, and the fully connected layer with its gradients, as packed products.
#include "compute/backends/openmp/openmp_ops.h"
#include "compute/backends/openmp/packed_gemm.h"
#include "compute/core/host_session.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute::openmp {
namespace {

/// Which operands are multiplied how, and what is done with the bias.
struct GemmPlan {
    Product product;
    std::size_t a = 0, b = 1;
    bool addBias = false;                ///< each row of the result begins as operand 2
    std::int64_t biasRows = 0, bias = 0; ///< operand b's (rows x bias) column sums are output 1, when not 0
};

MatrixSteps dense(std::int64_t columns) {
    return {columns, 1};
}

MatrixSteps transposed(std::int64_t columns) {
    return {1, columns};
}

struct Planner {
    std::optional<GemmPlan> operator()(const Gemm& op) const {
        return GemmPlan{{op.m, op.n, op.k, dense(op.k), dense(op.n)}};
    }
    std::optional<GemmPlan> operator()(const DenseForward& op) const {
        const auto& p = op.params;
        return GemmPlan{{op.batch, p.units, p.inputs, dense(p.inputs), transposed(p.inputs)}, 0, 1, p.bias};
    }
    std::optional<GemmPlan> operator()(const DenseBackwardData& op) const {
        const auto& p = op.params;
        return GemmPlan{{op.batch, p.inputs, p.units, dense(p.units), dense(p.inputs)}};
    }
    std::optional<GemmPlan> operator()(const DenseBackwardWeights& op) const {
        const auto& p = op.params;
        return GemmPlan{{p.units, p.inputs, op.batch, transposed(p.units), dense(p.inputs)},
                        1,
                        0,
                        false,
                        op.batch,
                        p.bias ? p.units : 0};
    }
    template <class Other>
    std::optional<GemmPlan> operator()(const Other&) const {
        return std::nullopt;
    }
};

class GemmOp final : public HostOp {
  public:
    GemmOp(const Op& op, const GemmPlan& plan, const PackedGemm& product, std::string name,
           std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(op, std::move(name)), m_plan(plan), m_product(product), m_workspace(std::move(workspace)) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        auto* workspace = static_cast<float*>(m_workspace->hostPointer());
        runTeam(m_product.threads(), observer, [&](Member member) {
            if (m_plan.addBias)
                placeBias(operands.src[2], operands.dst[0], member);
            if (m_plan.bias > 0)
                sumBias(operands.src[1], operands.dst[1], member);
            // The product's members meet before the first of them writes.
            m_product.run(operands.src[m_plan.a], operands.src[m_plan.b], operands.dst[0], m_plan.addBias,
                          workspace, member);
        });
        return {};
    }

  private:
    void placeBias(const float* bias, float* to, Member member) const {
        const Share rows = shareOf(m_plan.product.m, member);
        for (std::int64_t row = rows.begin; row < rows.end; ++row)
            std::copy_n(bias, m_plan.product.n, to + row * m_plan.product.n);
    }

    void sumBias(const float* gradient, float* to, Member member) const {
        const Share columns = shareOf(m_plan.bias, member);
        std::fill(to + columns.begin, to + columns.end, 0.0F);
        for (std::int64_t n = 0; n < m_plan.biasRows; ++n)
            for (std::int64_t u = columns.begin; u < columns.end; ++u)
                to[u] += gradient[n * m_plan.bias + u];
    }

    GemmPlan m_plan;
    PackedGemm m_product;
    std::unique_ptr<DeviceBuffer> m_workspace;
};

} // namespace

bool isProduct(const Op& op) {
    return std::visit(Planner{}, op).has_value();
}

std::size_t productWorkspaceBytes(const Op& op, const Settings& settings) {
    return PackedGemm(std::visit(Planner{}, op)->product, settings).workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareProduct(const Op& op, const Settings& settings) {
    const GemmPlan plan = *std::visit(Planner{}, op);
    const PackedGemm product(plan.product, settings);
    auto workspace = allocateHostBuffer(product.workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<GemmOp>(
        op, plan, product, implementationName(kProductName, settings.simd), std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
