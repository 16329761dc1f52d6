// SPDX-License-Identifier: Apache-2.0
// Matrix multiplication by oneDNN's matmul primitive on plain row-major matrices.
#include "compute/backends/onednn/onednn_ops.h"

#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::matmul;
using dnnl::memory;

memory::desc matrix(std::int64_t rows, std::int64_t columns) {
    return {{rows, columns}, memory::data_type::f32, memory::format_tag::ab};
}

/// May throw dnnl::error.
PrimitiveList<matmul> describe(Context& context, const Gemm& op) {
    const ThreadScope threads(context.threads);
    return {{matrix(op.m, op.k), matrix(op.k, op.n), matrix(op.m, op.n)}, userScratchpad(), context.engine};
}

std::string implementationName(const matmul::primitive_desc& description) {
    return std::string("onednn:") + description.impl_info_str();
}

class GemmOp final : public HostOp {
  public:
    GemmOp(Context& context, const Gemm& op, const matmul::primitive_desc& description)
        : HostOp(op, implementationName(description)),
          m_context(context),
          m_matmul(description),
          m_a(description.src_desc(), context.engine, nullptr),
          m_b(description.weights_desc(), context.engine, nullptr),
          m_c(description.dst_desc(), context.engine, nullptr),
          m_scratch(description.scratchpad_desc(), context.engine) {}

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_context.threads);
            m_a.set_data_handle(writable(operands.src[0]));
            m_b.set_data_handle(writable(operands.src[1]));
            m_c.set_data_handle(operands.dst[0]);
            m_matmul.execute(m_context.stream, {{DNNL_ARG_SRC, m_a},
                                                {DNNL_ARG_WEIGHTS, m_b},
                                                {DNNL_ARG_DST, m_c},
                                                {DNNL_ARG_SCRATCHPAD, m_scratch}});
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure("gemm", error);
        }
        return {};
    }

  private:
    Context& m_context;
    matmul m_matmul;
    memory m_a, m_b, m_c, m_scratch;
};

} // namespace

void visitGemm(Context& context, const Gemm& op, const RecordVisitor& visit) {
    try {
        bool more = true;
        for (auto description = describe(context, op); more; more = more && description.next()) {
            Candidate candidate{description->impl_info_str(), implementationName(*description), {}, {}, {}};
            candidate.workspaceBytes = [bytes = description->scratchpad_desc().get_size()] { return bytes; };
            candidate.prepare = [&context, &op, description = *description] {
                return prepared(context, "gemm",
                                [&] { return std::make_unique<GemmOp>(context, op, description); });
            };
            more = visit({std::move(candidate)});
        }
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this multiplication (" + std::string(error.what()) + ")"));
    }
}

} // namespace heteroscope::compute::onednn
