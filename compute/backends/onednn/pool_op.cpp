// SPDX-License-Identifier: Apache-2.0
// Pooling by oneDNN on plain NCHW, or channels last where layouts are kept. Its max-pooling backward needs
// the places that the forward pass recorded; our op is given only input and gradient, so the backward op runs
// oneDNN's forward first, inside the timed run, and says so in its name.
#include "compute/backends/onednn/onednn_ops.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using Forward = dnnl::pooling_forward;
using Backward = dnnl::pooling_backward;

struct Geometry {
    memory::desc src, dst;
    memory::dims stride, kernel, before, after;
    dnnl::algorithm algorithm;
};

dnnl::algorithm algorithmOf(const PoolParams& params) {
    if (params.mode == PoolMode::Max)
        return dnnl::algorithm::pooling_max;
    return params.countIncludePad ? dnnl::algorithm::pooling_avg_include_padding
                                  : dnnl::algorithm::pooling_avg_exclude_padding;
}

Geometry geometryOf(const PoolParams& p, const Shape4& src, bool last) {
    return {imageDesc(src, last),
            imageDesc(*poolOutputShape(p, src), last),
            {p.stride.h, p.stride.w},
            {p.kernel.h, p.kernel.w},
            {p.padding.top, p.padding.left},
            {p.padding.bottom, p.padding.right},
            algorithmOf(p)};
}

/// The primitives of an op; empty ones when oneDNN has no implementation. May throw dnnl::error.
struct Primitives {
    Forward::primitive_desc forward;
    Backward::primitive_desc backward; ///< only when asked for
};

Primitives describe(Context& context, const PoolParams& params, const Shape4& src, bool backward) {
    const ThreadScope threads(context.threads);
    const Geometry g = geometryOf(params, src, context.layouts.keeps());
    const auto kind = backward ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    Primitives result;
    result.forward = Forward::primitive_desc(
        {kind, g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after}, context.engine, true);
    if (backward && result.forward.get(true) != nullptr)
        result.backward =
            Backward::primitive_desc({g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after},
                                     context.engine, result.forward, true);
    return result;
}

bool needsForward(const PoolParams& params) {
    return params.mode == PoolMode::Max;
}

std::string implementationName(const Context& context, const Primitives& primitives, const PoolParams& params,
                               bool backward) {
    const std::string kept = context.layouts.keeps() ? ":nhwc" : "";
    if (!backward)
        return "onednn:" + std::string(primitives.forward.impl_info_str()) + kept;
    const std::string name = "onednn:" + std::string(primitives.backward.impl_info_str()) + kept;
    return needsForward(params) ? name + "+forward" : name;
}

class PoolOp final : public HostOp {
  public:
    PoolOp(Context& context, const Op& op, const PoolParams& params, const Shape4& src,
           const Primitives& primitives, bool backward)
        : HostOp(op, implementationName(context, primitives, params, backward)),
          m_context(context),
          m_input(src),
          m_output(*poolOutputShape(params, src)),
          m_name(opName(op)) {
        const dnnl::engine& engine = context.engine;
        if (!backward || needsForward(params))
            m_forward = Forward(primitives.forward);
        if (backward)
            m_backward = Backward(primitives.backward);
        m_src = memory(primitives.forward.src_desc(), engine, nullptr);
        m_dst = memory(primitives.forward.dst_desc(), engine, nullptr);
        if (backward && needsForward(params)) {
            m_workspace = memory(primitives.forward.workspace_desc(), engine);
            m_scratch = memory(primitives.forward.dst_desc(), engine);
        }
        m_srcGrad = memory(primitives.forward.src_desc(), engine, nullptr);
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver*) override {
        try {
            const ThreadScope threads(m_context.threads);
            m_context.layouts.makeChannelsLast(operands.src[0], m_input);
            if (m_backward)
                m_context.layouts.makeChannelsLast(operands.src[1], m_output);
            if (m_backward)
                runBackward(operands);
            else
                runForward(operands);
            m_context.stream.wait();
            const Shape4& written = m_backward ? m_input : m_output;
            m_context.layouts.wrote(operands.dst[0], written.n * written.c * written.h * written.w, written);
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }

  private:
    void runForward(const HostOperands& operands) {
        m_src.set_data_handle(writable(operands.src[0]));
        m_dst.set_data_handle(operands.dst[0]);
        m_forward->execute(m_context.stream, {{DNNL_ARG_SRC, m_src}, {DNNL_ARG_DST, m_dst}});
    }

    void runBackward(const HostOperands& operands) {
        m_src.set_data_handle(writable(operands.src[0]));
        m_dst.set_data_handle(writable(operands.src[1]));
        m_srcGrad.set_data_handle(operands.dst[0]);
        std::unordered_map<int, memory> arguments{{DNNL_ARG_DIFF_DST, m_dst}, {DNNL_ARG_DIFF_SRC, m_srcGrad}};
        if (m_forward) {
            m_forward->execute(
                m_context.stream,
                {{DNNL_ARG_SRC, m_src}, {DNNL_ARG_DST, m_scratch}, {DNNL_ARG_WORKSPACE, m_workspace}});
            arguments.emplace(DNNL_ARG_WORKSPACE, m_workspace);
        }
        m_backward->execute(m_context.stream, arguments);
    }

    Context& m_context;
    std::string m_name;
    Shape4 m_input, m_output;
    std::optional<Forward> m_forward;
    std::optional<Backward> m_backward;
    memory m_src, m_dst, m_srcGrad, m_workspace, m_scratch;
};

struct Problem {
    const PoolParams& params;
    const Shape4& src;
    bool backward;
};

Problem problemOf(const Op& op) {
    if (const auto* forward = std::get_if<PoolForward>(&op))
        return {forward->params, forward->src, false};
    const auto& backward = std::get<PoolBackward>(op);
    return {backward.params, backward.src, true};
}

} // namespace

Support supportsPool(Context& context, const PoolParams& params, const Shape4& src, bool backward) {
    if (params.mode == PoolMode::Max && params.padValue == PadValue::Zero && params.padding != Padding2d{})
        return Support::no("oneDNN pads max pooling with minus infinity only, not with zero");
    try {
        const Primitives primitives = describe(context, params, src, backward);
        const bool found =
            backward ? primitives.backward.get(true) != nullptr : primitives.forward.get(true) != nullptr;
        if (!found)
            return Support::no("oneDNN has no pooling for this window, stride and padding");
        return Support::yes(implementationName(context, primitives, params, backward));
    } catch (const dnnl::error& error) {
        return Support::no("oneDNN refuses this window, stride and padding (" + std::string(error.what()) +
                           ")");
    }
}

std::size_t poolWorkspaceBytes(Context& context, const PoolParams& params, const Shape4& src, bool backward) {
    if (!backward || !needsForward(params))
        return 0;
    const Primitives primitives = describe(context, params, src, true);
    return primitives.forward.workspace_desc().get_size() + primitives.forward.dst_desc().get_size();
}

Result<std::unique_ptr<PreparedOp>> preparePool(Context& context, const Op& op) {
    const Problem problem = problemOf(op);
    try {
        const ThreadScope threads(context.threads);
        const Primitives primitives = describe(context, problem.params, problem.src, problem.backward);
        return std::unique_ptr<PreparedOp>(
            std::make_unique<PoolOp>(context, op, problem.params, problem.src, primitives, problem.backward));
    } catch (const dnnl::error& error) {
        return failure(opName(op), error);
    }
}

} // namespace heteroscope::compute::onednn
