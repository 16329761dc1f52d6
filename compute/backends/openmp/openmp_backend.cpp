// SPDX-License-Identifier: Apache-2.0
// The OpenMP implementation's options and op table.
#include "compute/backends/openmp/openmp_backend.h"

#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"
#include "compute/core/target_options.h"

namespace heteroscope::compute {
namespace {

using openmp::Settings;

bool isDirectConv(const Op& op) {
    return std::holds_alternative<ConvForward>(op) || std::holds_alternative<ConvBackwardData>(op);
}

class OpenmpSession final : public HostSession {
  public:
    explicit OpenmpSession(const Settings& settings) : HostSession(settings.threads), m_settings(settings) {}

    Support supports(const Op& op) const override {
        if (const auto sizes = operandElements(op); !sizes)
            return Support::no(sizes.error().sentence());
        if (const auto* forward = std::get_if<PoolForward>(&op))
            return openmp::supportsPool(forward->params, forward->src, m_settings);
        if (const auto* backward = std::get_if<PoolBackward>(&op))
            return openmp::supportsPool(backward->params, backward->src, m_settings);
        if (openmp::isProduct(op))
            return Support::yes(openmp::productName(m_settings));
        if (isDirectConv(op) || std::holds_alternative<ConvBackwardWeights>(op))
            return Support::yes(openmp::convName(m_settings.simd));
        if (openmp::isLoop(op))
            return Support::yes(openmp::loopName(op, m_settings));
        return Support::missing("openmp", op);
    }

    std::size_t workspaceBytes(const Op& op) const override {
        if (!supports(op).supported)
            return 0;
        if (openmp::isProduct(op))
            return openmp::productWorkspaceBytes(op, m_settings);
        if (isDirectConv(op))
            return openmp::convDirectWorkspaceBytes(op, m_settings);
        if (const auto* weights = std::get_if<ConvBackwardWeights>(&op))
            return openmp::convWeightsWorkspaceBytes(*weights, m_settings);
        if (openmp::isLoop(op))
            return 0;
        return openmp::poolWorkspaceBytes(op, m_settings);
    }

    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        if (const Support support = supports(op); !support.supported)
            return Error{ErrorCode::TargetUnavailable, support.reason, "openmp " + opName(op), {}, {}};
        if (openmp::isProduct(op))
            return openmp::prepareProduct(op, m_settings);
        if (isDirectConv(op))
            return openmp::prepareConvDirect(op, m_settings);
        if (const auto* weights = std::get_if<ConvBackwardWeights>(&op))
            return openmp::prepareConvWeights(*weights, m_settings);
        if (openmp::isLoop(op))
            return openmp::prepareLoop(op, m_settings);
        return openmp::preparePool(op, m_settings);
    }

  private:
    Settings m_settings;
};

/// The option "simd": the best level of this processor, or a lesser one.
Result<SimdLevel> simdOption(const Target& target) {
    const SimdLevel best = detectSimd();
    std::vector<std::string> allowed;
    for (const SimdLevel level : {SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512}) {
        if (level <= best)
            allowed.emplace_back(simdName(level));
    }
    const auto choice = choiceOption(target, "simd", allowed, allowed.back());
    if (!choice)
        return choice.error();
    for (const SimdLevel level : {SimdLevel::Baseline, SimdLevel::Avx2}) {
        if (*choice == simdName(level))
            return level;
    }
    return SimdLevel::Avx512;
}

class OpenmpBackend final : public Backend {
  public:
    std::string_view id() const override { return "openmp"; }
    std::string_view deviceId() const override { return "cpu"; }

    ImplementationInfo describe() const override {
        return {
            "openmp", {}, {}, {"threads", "simd"}, "Vector instructions on all cores; ?threads=N for fewer."};
    }

    Result<std::unique_ptr<Session>> open(const Target& target) override {
        if (const Status status = checkOptionNames(target, describe().options); !status)
            return status.error();
        const auto threads = threadOption(target);
        if (!threads)
            return threads.error();
        const auto simd = simdOption(target);
        if (!simd)
            return simd.error();
        return std::unique_ptr<Session>(std::make_unique<OpenmpSession>(Settings{*threads, *simd}));
    }
};

} // namespace

std::unique_ptr<Backend> makeOpenmpBackend() {
    return std::make_unique<OpenmpBackend>();
}

} // namespace heteroscope::compute
