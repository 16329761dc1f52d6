// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/onednn/reorder_op.h"

#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;

OpFacts factsOf(const Reordering& reordering, const std::string& name) {
    OpFacts facts =
        plainFacts("reorder " + name, "", {floatsOf(reordering.from)}, {floatsOf(reordering.to)}, 0);
    for (const std::int64_t extent : reordering.from.dims())
        facts.detail += (facts.detail.empty() ? "" : "x") + std::to_string(extent);
    facts.isReorder = true;
    return facts;
}

dnnl::reorder::primitive_desc describe(Context& context, const Reordering& reordering) {
    return {context.engine, reordering.from, context.engine, reordering.to, userScratchpad()};
}

class ReorderOp final : public HostOp {
  public:
    ReorderOp(Context& context, const OpFacts& facts, const Reordering& reordering)
        : HostOp(facts, reorderImplementation(reordering)),
          m_context(context),
          m_name(facts.name),
          m_threads(floatsOf(reordering.from) < kTeamElements ? 1 : context.threads),
          m_from(reordering.from, context.engine, nullptr),
          m_to(reordering.to, context.engine, nullptr) {
        const ThreadScope threads(m_threads);
        const auto description = describe(context, reordering);
        m_reorder = dnnl::reorder(description);
        m_call = {{DNNL_ARG_FROM, m_from},
                  {DNNL_ARG_TO, m_to},
                  {DNNL_ARG_SCRATCHPAD, memory(description.scratchpad_desc(), context.engine)}};
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_threads);
            m_from.set_data_handle(writable(operands.src[0]));
            m_to.set_data_handle(operands.dst[0]);
            m_reorder.execute(m_context.stream, m_call);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

  private:
    Context& m_context;
    std::string m_name;
    int m_threads; ///< a second one would take longer to hear of a few elements than the first for all of
                   ///< them
    memory m_from, m_to;
    dnnl::reorder m_reorder;
    std::unordered_map<int, memory> m_call;
};

} // namespace

std::string reorderImplementation(const Reordering& reordering) {
    return "onednn:reorder " + reordering.layouts();
}

std::size_t reorderWorkspaceBytes(Context& context, const Reordering& reordering) {
    const ThreadScope threads(context.threads);
    return describe(context, reordering).scratchpad_desc().get_size();
}

std::unique_ptr<PreparedOp> makeReorder(Context& context, const Reordering& reordering,
                                        const std::string& name) {
    return std::make_unique<ReorderOp>(context, factsOf(reordering, name), reordering);
}

} // namespace heteroscope::compute::onednn
