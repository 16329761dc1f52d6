// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication, and the fully connected layer with its gradients as products of transposed operands.
#include "compute/backends/openmp/dot_gemm.h"
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
    bool addBias = false;                ///< operand 2 is added to each row of the result
    std::int64_t biasRows = 0, bias = 0; ///< operand b's (rows x bias) column sums are output 1, when not 0
};

MatrixStrides dense(std::int64_t columns) {
    return {columns, 1};
}

MatrixStrides transposed(std::int64_t columns) {
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

std::unique_ptr<TeamProduct> makeProduct(ProductKernel kernel, const Product& product,
                                         const Settings& settings) {
    if (kernel == ProductKernel::Dots)
        return std::make_unique<DotGemm>(product, settings);
    return std::make_unique<PackedGemm>(product, settings);
}

class GemmOp final : public HostOp {
  public:
    GemmOp(const Op& op, const GemmPlan& plan, std::unique_ptr<TeamProduct> product, std::string name,
           std::unique_ptr<DeviceBuffer> workspace)
        : HostOp(op, std::move(name)),
          m_plan(plan),
          m_product(std::move(product)),
          m_workspace(std::move(workspace)) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        auto* workspace = static_cast<float*>(m_workspace->hostPointer());
        const ProductOperands factors{operands.src[m_plan.a], operands.src[m_plan.b], operands.dst[0],
                                      m_plan.addBias ? operands.src[2] : nullptr};
        runTeam(m_product->threads(), observer, [&](Member member) {
            if (m_plan.bias > 0)
                sumBias(operands.src[1], operands.dst[1], member);
            m_product->run(factors, workspace, member);
        });
        return {};
    }

  private:
    void sumBias(const float* gradient, float* to, Member member) const {
        const Share columns = shareOf(m_plan.bias, member);
        std::fill(to + columns.begin, to + columns.end, 0.0F);
        for (std::int64_t n = 0; n < m_plan.biasRows; ++n)
            for (std::int64_t u = columns.begin; u < columns.end; ++u)
                to[u] += gradient[n * m_plan.bias + u];
    }

    GemmPlan m_plan;
    std::unique_ptr<TeamProduct> m_product;
    std::unique_ptr<DeviceBuffer> m_workspace;
};

} // namespace

const char* productKernelName(ProductKernel kernel) {
    return kernel == ProductKernel::Dots ? "gemm_dot" : "gemm_packed";
}

bool isProduct(const Op& op) {
    return std::visit(Planner{}, op).has_value();
}

std::string productRefusal(ProductKernel kernel, const Op& op) {
    return kernel == ProductKernel::Dots ? DotGemm::refusal(std::visit(Planner{}, op)->product)
                                         : std::string();
}

std::size_t productWorkspaceBytes(ProductKernel kernel, const Op& op, const Settings& settings) {
    return makeProduct(kernel, std::visit(Planner{}, op)->product, settings)->workspaceBytes();
}

Result<std::unique_ptr<PreparedOp>> prepareProduct(ProductKernel kernel, const Op& op,
                                                   const Settings& settings) {
    const GemmPlan plan = *std::visit(Planner{}, op);
    auto product = makeProduct(kernel, plan.product, settings);
    auto workspace = allocateHostBuffer(product->workspaceBytes());
    if (!workspace)
        return workspace.error();
    return std::unique_ptr<PreparedOp>(std::make_unique<GemmOp>(
        op, plan, std::move(product), implementationName(productKernelName(kernel), settings.simd),
        std::move(*workspace)));
}

} // namespace heteroscope::compute::openmp
