// SPDX-License-Identifier: Apache-2.0
// Pooling by oneDNN on images as the policy keeps them. Its max-pooling backward needs the indices of the
// maxima that the forward pass wrote: in a sequence with both directions they are an operand of both.
// Elsewhere our op is given only input and gradient, so the backward op runs oneDNN's forward first, inside
// the timed run, and says so in its name. In networks of blocked images the most usual windows have loops of
// their own (pool_2x2.h).
#include "compute/backends/onednn/eltwise.h"
#include "compute/backends/onednn/pool_2x2.h"
#include "compute/core/team.h"

#include <optional>
#include <unordered_map>
#include <utility>

namespace heteroscope::compute::onednn {
namespace {

using dnnl::memory;
using PoolingForward = dnnl::pooling_forward;
using PoolingBackward = dnnl::pooling_backward;

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

Geometry geometryOf(const PoolParams& p, const Shape4& src, Order order) {
    return {imageDesc(src, order),
            imageDesc(*poolOutputShape(p, src), order),
            {p.stride.h, p.stride.w},
            {p.kernel.h, p.kernel.w},
            {p.padding.top, p.padding.left},
            {p.padding.bottom, p.padding.right},
            algorithmOf(p)};
}

std::int64_t elementsOf(const Shape4& s) {
    return s.n * s.c * s.h * s.w;
}

/// One pooling: what it computes, and how.
struct Pooling {
    PoolParams params;
    Shape4 src;
    Order order;
    bool backward;
    bool ownLoop = false;
    bool keepsIndices; ///< an operand, written forward and read backward

    bool isMax() const { return params.mode == PoolMode::Max; }
    Shape4 dst() const { return *poolOutputShape(params, src); }
    bool poolsAgain() const { return backward && isMax() && !keepsIndices; }
    /// Whether the library's forward primitive runs, or only says what its backward one needs to know.
    bool runsForward() const { return !ownLoop && (!backward || poolsAgain()); }
};

Pooling poolingOf(const Problem& problem) {
    const Op& op = problem.step.chain.front().op;
    const auto* forward = std::get_if<PoolForward>(&op);
    const PoolParams& params = forward != nullptr ? forward->params : std::get<PoolBackward>(op).params;
    const Shape4& src = forward != nullptr ? forward->src : std::get<PoolBackward>(op).src;
    return {params,
            src,
            problem.policy.orderOf(src),
            forward == nullptr,
            false,
            problem.keepsIndices && params.mode == PoolMode::Max};
}

/// The primitives of a pooling; empty ones when oneDNN has no implementation.
struct Primitives {
    PrimitiveList<PoolingForward> forward;
    PrimitiveList<PoolingBackward> backward; ///< only when asked for

    memory::desc indices() const { return forward->workspace_desc(); }
    /// As an operand: of whole floats.
    std::size_t indexBytes() const {
        return (indices().get_size() + sizeof(float) - 1) / sizeof(float) * sizeof(float);
    }
};

/// May throw dnnl::error.
Primitives describe(Context& context, const Pooling& pooling) {
    const ThreadScope threads(context.threads);
    const Geometry g = geometryOf(pooling.params, pooling.src, pooling.order);
    const auto kind = pooling.backward || pooling.keepsIndices ? dnnl::prop_kind::forward_training
                                                               : dnnl::prop_kind::forward_inference;
    Primitives result;
    result.forward = {{kind, g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after},
                      userScratchpad(),
                      context.engine,
                      true};
    if (pooling.backward && result.forward)
        result.backward = {{g.algorithm, g.src, g.dst, g.stride, g.kernel, g.before, g.after},
                           userScratchpad(),
                           context.engine,
                           result.forward,
                           true};
    return result;
}

/// Why our own loops do not pool it.
std::string refusalOfOwnLoop(const Pooling& pooling) {
    if (!pooling.isMax() || pooling.params.kernel != Extent2d{2, 2} ||
        pooling.params.stride != Extent2d{2, 2} || pooling.params.padding != Padding2d{})
        return "it computes maxima of windows 2x2 with stride 2 and without padding alone";
    if (!pooling.keepsIndices || pooling.order != Order::Blocked)
        return "it computes images in blocks of 16 channels alone, which trainings keep where all "
               "convolutions fill them";
    return {};
}

std::string implementationName(const Pooling& pooling, const Primitives& primitives) {
    const char* const kept = orderName(pooling.order);
    if (pooling.ownLoop)
        return std::string(ownLoopName()) + kept;
    if (!pooling.backward)
        return std::string("onednn:") + primitives.forward->impl_info_str() + kept;
    const std::string name = std::string("onednn:") + primitives.backward->impl_info_str() + kept;
    return pooling.poolsAgain() ? name + "+forward" : name;
}

/// The operation's facts with the operand of the indices behind all others.
OpFacts factsWith(OpFacts facts, const Pooling& pooling, const Primitives& primitives) {
    if (!pooling.keepsIndices || !facts.sizes)
        return facts;
    OperandSizes& sizes = *facts.sizes;
    const auto elements = static_cast<std::int64_t>(primitives.indexBytes() / sizeof(float));
    if (!pooling.backward) {
        sizes.dst.push_back(elements);
        return facts;
    }
    sizes.src.insert(sizes.src.end(), sizes.optionalSrc.begin(), sizes.optionalSrc.end());
    sizes.optionalSrc.clear();
    sizes.src.push_back(elements);
    return facts;
}

/// An operation's images and primitives.
class PoolOp : public HostOp {
  public:
    PoolOp(Context& context, const OpFacts& facts, const Pooling& pooling, const Primitives& primitives,
           std::string implementation)
        : HostOp(factsWith(facts, pooling, primitives), std::move(implementation)),
          m_context(context),
          m_pooling(pooling),
          m_name(facts.name),
          m_forward(*primitives.forward),
          m_src(primitives.forward->src_desc(), context.engine, nullptr),
          m_dst(primitives.forward->dst_desc(), context.engine, nullptr) {
        if (pooling.runsForward())
            m_forwardScratch = memory(primitives.forward->scratchpad_desc(), context.engine);
        if (pooling.keepsIndices)
            m_indices = memory(primitives.indices(), context.engine, nullptr);
        else if (pooling.poolsAgain())
            m_indices = memory(primitives.indices(), context.engine);
    }

  protected:
    Status execute(const HostOperands& operands, OpObserver* observer) override {
        try {
            const ThreadScope threads(m_context.threads);
            m_observer = observer;
            compute(operands);
            m_context.stream.wait();
        } catch (const dnnl::error& error) {
            return failure(m_name, error);
        }
        return {};
    }
    virtual void compute(const HostOperands& operands) = 0;

    /// Writes the indices as it pools.
    void pool(const float* src, float* dst) {
        if (m_pooling.ownLoop) {
            auto* const indices = static_cast<std::uint8_t*>(m_indices.get_data_handle());
            forPlanes([&](const Pool2x2Planes& planes, Share share) {
                pool2x2Forward(planes, share.begin, share.end, src, dst, indices);
            });
            return;
        }
        m_src.set_data_handle(writable(src));
        m_dst.set_data_handle(dst);
        std::unordered_map<int, memory> arguments{
            {DNNL_ARG_SRC, m_src}, {DNNL_ARG_DST, m_dst}, {DNNL_ARG_SCRATCHPAD, m_forwardScratch}};
        if (m_indices)
            arguments.emplace(DNNL_ARG_WORKSPACE, m_indices);
        m_forward.execute(m_context.stream, arguments);
    }

    /// Calls compute(planes, share) on each thread.
    template <class Compute>
    void forPlanes(const Compute& compute) const {
        const Shape4& s = m_pooling.src;
        const Pool2x2Planes planes{s.h, s.w};
        runTeam(m_context.threads, m_observer,
                [&](Member member) { compute(planes, shareOf(s.n * s.c / kBlock, member)); });
    }

    Context& m_context;
    Pooling m_pooling;
    OpObserver* m_observer = nullptr; ///< of the run
    std::string m_name;
    PoolingForward m_forward;
    memory m_src, m_dst, m_forwardScratch;
    memory m_indices; ///< of max pooling where gradients are computed
};

class PoolForwardOp final : public PoolOp {
  public:
    using PoolOp::PoolOp;

  protected:
    void compute(const HostOperands& operands) override {
        if (m_pooling.keepsIndices)
            m_indices.set_data_handle(operands.dst.back());
        pool(operands.src[0], operands.dst[0]);
    }
};

/// Whether the derivative is taken by the library, in a pass of its own: our loop takes that of a ReLU.
bool needsSlope(const Pooling& pooling, const ActivationBackward* activation) {
    return activation != nullptr && !(pooling.ownLoop && activation->kind == ActivationKind::Relu);
}

class PoolBackwardOp final : public PoolOp {
  public:
    PoolBackwardOp(Context& context, const OpFacts& facts, const Pooling& pooling,
                   const Primitives& primitives, std::string implementation,
                   const ActivationBackward* activation)
        : PoolOp(context, facts, pooling, primitives, std::move(implementation)),
          m_backward(*primitives.backward),
          m_srcGrad(primitives.forward->src_desc(), context.engine, nullptr),
          m_dstGrad(primitives.forward->dst_desc(), context.engine, nullptr),
          m_backwardScratch(primitives.backward->scratchpad_desc(), context.engine) {
        const bool slopes = needsSlope(pooling, activation);
        m_relu = activation != nullptr && !slopes;
        if (pooling.poolsAgain() || slopes)
            m_scratch = memory(primitives.forward->dst_desc(), context.engine);
        if (slopes)
            describeSlope(*activation);
    }

  protected:
    void compute(const HostOperands& operands) override {
        if (m_pooling.keepsIndices)
            m_indices.set_data_handle(writable(operands.src.back()));
        else if (m_pooling.isMax())
            pool(operands.src[0], static_cast<float*>(m_scratch.get_data_handle()));
        if (m_pooling.ownLoop)
            pool2x2(operands);
        else
            runPrimitives(operands);
    }

  private:
    void runPrimitives(const HostOperands& operands) {
        m_srcGrad.set_data_handle(operands.dst[0]);
        std::unordered_map<int, memory> arguments{{DNNL_ARG_DIFF_SRC, m_srcGrad},
                                                  {DNNL_ARG_SCRATCHPAD, m_backwardScratch}};
        if (m_indices)
            arguments.emplace(DNNL_ARG_WORKSPACE, m_indices);
        m_dstGrad.set_data_handle(m_slope ? throughActivation(operands) : writable(operands.src[1]));
        arguments.emplace(DNNL_ARG_DIFF_DST, m_dstGrad);
        m_backward.execute(m_context.stream, arguments);
    }

    void pool2x2(const HostOperands& operands) {
        const auto* const indices = static_cast<const std::uint8_t*>(m_indices.get_data_handle());
        const float* const pooled = m_relu ? operands.src[2] : nullptr;
        const float* const gradient =
            m_slope ? static_cast<const float*>(throughActivation(operands)) : operands.src[1];
        forPlanes([&](const Pool2x2Planes& planes, Share share) {
            pool2x2Backward(planes, share.begin, share.end, pooled, gradient, indices, operands.dst[0]);
        });
    }

    void describeSlope(const ActivationBackward& op) {
        const memory::desc values({elementsOf(m_pooling.dst())}, memory::data_type::f32,
                                  memory::format_tag::a);
        m_slope.emplace(*eltwiseBackward(m_context, op, values));
        m_values = memory(values, m_context.engine, nullptr);
        m_given = memory(values, m_context.engine, nullptr);
        m_passed = memory(values, m_context.engine, m_scratch.get_data_handle());
    }

    /// The activation's derivative follows from its value, and the maximum is its value: it is taken where
    /// the values are fewer.
    void* throughActivation(const HostOperands& operands) {
        m_values.set_data_handle(writable(operands.src[2]));
        m_given.set_data_handle(writable(operands.src[1]));
        m_slope->execute(
            m_context.stream,
            {{DNNL_ARG_DST, m_values}, {DNNL_ARG_DIFF_DST, m_given}, {DNNL_ARG_DIFF_SRC, m_passed}});
        return m_scratch.get_data_handle();
    }

    PoolingBackward m_backward;
    memory m_srcGrad, m_dstGrad, m_backwardScratch;
    memory m_scratch;    ///< results that are pooled again, or a gradient behind an activation
    bool m_relu = false; ///< its derivative is taken by our own loop
    std::optional<dnnl::eltwise_backward> m_slope;
    memory m_values, m_given, m_passed; ///< of the output, in any order
};

/// Of a gradient beside the library's scratch memory: what it pools again, and its gradient behind an
/// activation that is not our own loop's.
std::size_t bytesBeside(const Pooling& pooling, const Primitives& primitives,
                        const ActivationBackward* activation) {
    if (!pooling.backward)
        return 0;
    const bool indices = pooling.poolsAgain();
    const bool results = indices || needsSlope(pooling, activation);
    return (indices ? primitives.indices().get_size() : 0) +
           (results ? primitives.forward->dst_desc().get_size() : 0);
}

/// Of the scratch memory that a primitive asks for, what it writes. Images as they are documented are copied
/// into blocks of channels, and room is asked for the images, the results and 4 bytes of an index for each
/// result: also where there are no indices, or smaller ones (`jit_uni_pool_kernel.cpp` of oneDNN 2.6). What
/// is never written takes no memory. Any other size is taken as it is.
std::size_t writtenScratch(std::size_t asked, const Pooling& pooling, std::size_t indexBytes) {
    constexpr std::size_t kMostForAlignment = 1024;
    const Shape4 dst = pooling.dst();
    const auto images = static_cast<std::size_t>(pooling.src.h * pooling.src.w),
               results = static_cast<std::size_t>(dst.h * dst.w);
    const std::size_t asCopied = sizeof(float) * images + (sizeof(float) + sizeof(std::uint32_t)) * results;
    const std::size_t copies = asked / asCopied; // channels of a block x threads
    if (pooling.order != Order::Plain || indexBytes > sizeof(std::uint32_t) ||
        asked % asCopied > kMostForAlignment)
        return asked;
    return asked - copies * results * (sizeof(std::uint32_t) - indexBytes);
}

/// A gradient needs the input where it pools again, and the output for a derivative.
OpLayouts layoutsOf(const Pooling& pooling, const ActivationBackward* activation) {
    const OperandLayout src = imagesIn(pooling.src, pooling.order),
                        dst = imagesIn(pooling.dst(), pooling.order);
    if (!pooling.backward)
        return {{src}, {dst}};
    OperandLayout unread;
    unread.kind = OperandLayout::Kind::Unread;
    return {{pooling.poolsAgain() ? src : unread, dst, activation != nullptr ? dst : unread}, {src}};
}

struct PoolVisit {
    Context& context;
    const Problem& problem;
    Facts facts;
    const ActivationBackward* activation;
    const RecordVisitor& visit;

    bool offer(const Primitives& primitives, const Pooling& pooling) const {
        std::string implementation = implementationName(pooling, primitives);
        const char* const primitive =
            pooling.backward ? primitives.backward->impl_info_str() : primitives.forward->impl_info_str();
        Record record{
            {pooling.ownLoop ? kOwnLoop : primitive + std::string(orderName(pooling.order)), {}, {}, {}, {}},
            layoutsOf(pooling, activation)};
        if (activation != nullptr)
            implementation += std::string("+") + activationName(activation->kind);
        record.candidate.implementation = implementation;
        const std::size_t indexBytes = // of a result, 0 without indices
            primitives.indices().get_size() / static_cast<std::size_t>(elementsOf(pooling.dst()));
        const auto written = [&](const memory::desc& scratch) {
            return writtenScratch(scratch.get_size(), pooling, pooling.isMax() ? indexBytes : 0);
        };
        std::size_t bytes = pooling.runsForward() ? written(primitives.forward->scratchpad_desc()) : 0;
        if (pooling.backward)
            bytes += written(primitives.backward->scratchpad_desc());
        bytes += bytesBeside(pooling, primitives, activation);
        if (pooling.keepsIndices)
            record.indices = {primitives.indexBytes(), pooling.ownLoop ? kOwnLoop : "primitive"};
        record.candidate.workspaceBytes = [bytes] { return bytes; };
        record.candidate.prepare = [&one = context, made = facts, activation = activation, primitives,
                                    pooling, implementation] {
            return make(one, made(), activation, primitives, pooling, implementation);
        };
        return visit(std::move(record));
    }

    static Result<std::unique_ptr<PreparedOp>> make(Context& context, const OpFacts& made,
                                                    const ActivationBackward* activation,
                                                    const Primitives& primitives, const Pooling& pooling,
                                                    const std::string& name) {
        return prepared(context, made.name, [&]() -> std::unique_ptr<PreparedOp> {
            if (!pooling.backward)
                return std::make_unique<PoolForwardOp>(context, made, pooling, primitives, name);
            return std::make_unique<PoolBackwardOp>(context, made, pooling, primitives, name, activation);
        });
    }
};

} // namespace

void visitPool(Context& context, const Problem& problem, const Facts& facts,
               const ActivationBackward* activation, const RecordVisitor& visit) {
    Pooling pooling = poolingOf(problem);
    const PoolParams& params = pooling.params;
    if (params.mode == PoolMode::Max && params.padValue == PadValue::Zero && params.padding != Padding2d{}) {
        visit(refused("oneDNN pads max pooling with minus infinity only, not with zero"));
        return;
    }
    try {
        const ThreadScope threads(context.threads);
        Primitives primitives = describe(context, pooling);
        if (pooling.backward ? !primitives.backward : !primitives.forward) {
            visit(refused("oneDNN has no pooling for this window, stride and padding"));
            return;
        }
        const PoolVisit offers{context, problem, facts, activation, visit};
        const std::string refusal = refusalOfOwnLoop(pooling);
        pooling.ownLoop = refusal.empty();
        if (!(pooling.ownLoop ? offers.offer(primitives, pooling) : visit({{kOwnLoop, {}, refusal, {}, {}}})))
            return;
        pooling.ownLoop = false;
        while (offers.offer(primitives, pooling) &&
               (pooling.backward ? primitives.backward.next() : primitives.forward.next())) {
        }
    } catch (const dnnl::error& error) {
        visit(refused("oneDNN refuses this window, stride and padding (" + std::string(error.what()) + ")"));
    }
}

} // namespace heteroscope::compute::onednn
