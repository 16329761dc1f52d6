// SPDX-License-Identifier: Apache-2.0
// The oneDNN implementation's options and op table.
#include "compute/backends/onednn/onednn_backend.h"

#include "compute/backends/onednn/onednn_ops.h"
#include "compute/core/target_options.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {
namespace {

class OnednnSession final : public HostSession {
  public:
    explicit OnednnSession(int threads) : HostSession(threads) { m_context.threads = threads; }

    Support supports(const Op& op) const override {
        if (const auto sizes = operandElements(op); !sizes)
            return Support::no(sizes.error().sentence());
        if (const auto* forward = std::get_if<PoolForward>(&op))
            return onednn::supportsPool(m_context, forward->params, forward->src, false);
        if (const auto* backward = std::get_if<PoolBackward>(&op))
            return onednn::supportsPool(m_context, backward->params, backward->src, true);
        if (const auto* gemm = std::get_if<Gemm>(&op))
            return onednn::supportsGemm(m_context, *gemm);
        if (onednn::isTrainingBatchNorm(op))
            return onednn::supportsBatchNorm(m_context, op);
        if (onednn::hasOwnLoop(op))
            return Support::yes(onednn::ownLoopName());
        return onednn::supportsLayer(m_context, op);
    }

    std::size_t workspaceBytes(const Op& op) const override {
        if (!supports(op).supported)
            return 0;
        if (const auto* forward = std::get_if<PoolForward>(&op))
            return onednn::poolWorkspaceBytes(m_context, forward->params, forward->src, false);
        if (const auto* backward = std::get_if<PoolBackward>(&op))
            return onednn::poolWorkspaceBytes(m_context, backward->params, backward->src, true);
        if (const auto* gemm = std::get_if<Gemm>(&op))
            return onednn::gemmWorkspaceBytes(m_context, *gemm);
        if (onednn::isTrainingBatchNorm(op))
            return onednn::batchNormWorkspaceBytes(m_context, op);
        return onednn::hasOwnLoop(op) ? 0 : onednn::layerWorkspaceBytes(m_context, op);
    }

    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        if (const Support support = supports(op); !support.supported)
            return Error{ErrorCode::TargetUnavailable, support.reason, "onednn " + opName(op), {}, {}};
        auto made = make(op);
        if (made && !onednn::minds(op))
            made = onednn::onPlainMemory(m_context.layouts, std::move(*made));
        if (onednn::hasOwnLoop(op)) // NaN stays NaN; what optimisers and dropout are given may be any bits
            return made;
        return checked(std::move(made), opName(op), onednn::lossOfNan(op));
    }

    Support supportsChain(const OpChain& chain, std::span<const int> results) const override {
        return onednn::supportsChain(m_context, chain, results);
    }

    Result<std::unique_ptr<PreparedOp>> prepareChain(const OpChain& chain, std::span<const int> src,
                                                     std::span<const int> dst) override {
        const char* loss = nullptr;
        for (const LinkedOp& one : chain)
            loss = loss != nullptr ? loss : onednn::lossOfNan(one.op);
        return checked(onednn::prepareChain(m_context, chain, src, dst), opName(chain.front().op), loss);
    }

    void keepLayouts(const std::vector<Op>& operations) override {
        const bool trains = onednn::trains(operations);
        const bool blocks = trains && onednn::fillsBlocks(operations);
        m_context.layouts.keep(blocks ? onednn::Keeps::Blocked : onednn::Keeps::ChannelsLast, trains,
                               m_context.threads);
    }

    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override {
        auto buffer = HostSession::allocate(bytes);
        if (buffer)
            m_context.finite.computed(noteWritten(**buffer, bytes), elementsOf(**buffer, bytes));
        return buffer;
    }

    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override {
        if (bytes < dst.bytes())
            if (const Status status = layPlainly(dst); !status)
                return status;
        m_context.finite.uploaded(noteWritten(dst, bytes), elementsOf(dst, bytes));
        return HostSession::upload(dst, src, bytes, observer);
    }

    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override {
        if (const Status status = layPlainly(src); !status)
            return status;
        return HostSession::download(dst, src, bytes, observer);
    }

  private:
    Result<std::unique_ptr<PreparedOp>> make(const Op& op) {
        if (const auto* gemm = std::get_if<Gemm>(&op))
            return onednn::prepareGemm(m_context, *gemm);
        if (std::holds_alternative<PoolForward>(op) || std::holds_alternative<PoolBackward>(op))
            return onednn::preparePool(m_context, op, opFacts(op));
        if (onednn::isTrainingBatchNorm(op))
            return onednn::prepareBatchNorm(m_context, op);
        if (auto loop = onednn::makeOwnLoop(m_context, op))
            return loop;
        return onednn::prepareLayer(m_context, op, opFacts(op));
    }

    /// `loss`: what the operation does to NaN, if anything. In a network one such operation is enough for
    /// all to look at what they are given.
    Result<std::unique_ptr<PreparedOp>> checked(Result<std::unique_ptr<PreparedOp>> made,
                                                const std::string& name, const char* loss) {
        if (!made || (loss == nullptr && !m_context.layouts.keeps()))
            return made;
        if (loss != nullptr)
            m_context.finite.require(loss);
        return onednn::withFiniteOperands(m_context.finite, name, std::move(*made));
    }

    static std::int64_t elementsOf(const DeviceBuffer& buffer, std::size_t bytes) {
        return static_cast<std::int64_t>(std::min(bytes, buffer.bytes()) / sizeof(float));
    }

    /// Where the buffer begins.
    const float* noteWritten(DeviceBuffer& buffer, std::size_t bytes) {
        const auto* const begin = static_cast<const float*>(buffer.hostPointer());
        m_context.layouts.wrote(begin, elementsOf(buffer, bytes));
        return begin;
    }

    Status layPlainly(DeviceBuffer& buffer) {
        try {
            m_context.layouts.makePlain(static_cast<const float*>(buffer.hostPointer()),
                                        static_cast<std::int64_t>(buffer.bytes() / sizeof(float)));
        } catch (const dnnl::error& error) {
            return onednn::failure("layout", error);
        }
        return {};
    }

    mutable onednn::Context m_context; ///< oneDNN's engine is asked, never changed, by the const functions
};

std::string versionText() {
    const dnnl_version_t* version = dnnl_version();
    return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
           std::to_string(version->patch);
}

class OnednnBackend final : public Backend {
  public:
    std::string_view id() const override { return "onednn"; }
    std::string_view deviceId() const override { return "cpu"; }

    ImplementationInfo describe() const override {
        return {
            "onednn",
            versionText(),
            {},
            {"threads"},
            "oneDNN on plain NCHW, as frameworks use it, and within networks in the order that it is "
            "fastest with; where its ReLU or max pooling would hide NaN, operands that are not finite are "
            "refused."};
    }

    Result<std::unique_ptr<Session>> open(const Target& target) override {
        if (const Status status = checkOptionNames(target, describe().options); !status)
            return status.error();
        const auto threads = threadOption(target);
        if (!threads)
            return threads.error();
        try {
            return std::unique_ptr<Session>(std::make_unique<OnednnSession>(*threads));
        } catch (const dnnl::error& error) {
            return Error{ErrorCode::TargetUnavailable,
                         "oneDNN: " + std::string(error.what()),
                         "target '" + target.text() + "'",
                         {},
                         {}};
        }
    }
};

} // namespace

std::unique_ptr<Backend> makeOnednnBackend() {
    return std::make_unique<OnednnBackend>();
}

} // namespace heteroscope::compute
