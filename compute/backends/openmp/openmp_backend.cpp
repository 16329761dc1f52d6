// SPDX-License-Identifier: Apache-2.0
// The OpenMP implementation's options and op table.
#include "compute/backends/openmp/openmp_backend.h"

#include "compute/backends/openmp/openmp_ops.h"
#include "compute/core/host_session.h"
#include "compute/core/target_options.h"
#include "compute/core/team.h"

#include <utility>
#include <vector>

namespace heteroscope::compute {
namespace {

using openmp::Settings;

/// One implementation of some ops.
struct Record {
    std::string (*name)(const Op&);
    bool (*computes)(const Op&);
    std::string (*refusal)(const Op&, const Settings&); ///< nullptr: none
    SimdLevel (*level)(const Op&, const Settings&);
    std::size_t (*workspaceBytes)(const Op&, const Settings&); ///< nullptr: 0
    Result<std::unique_ptr<PreparedOp>> (*prepare)(const Op&, const Settings&);
};

SimdLevel bestLevel(const Op&, const Settings& settings) {
    return settings.simd;
}

template <openmp::PoolKernel kernel>
constexpr Record kPool{
    [](const Op&) { return std::string(openmp::poolKernelName(kernel)); },
    openmp::isPool,
    [](const Op& op, const Settings& settings) { return openmp::poolRefusal(kernel, op, settings); },
    openmp::poolLevel,
    [](const Op& op, const Settings& settings) { return openmp::poolWorkspaceBytes(kernel, op, settings); },
    [](const Op& op, const Settings& settings) { return openmp::preparePool(kernel, op, settings); }};

template <openmp::ProductKernel kernel>
constexpr Record kProduct{
    [](const Op&) { return std::string(openmp::productKernelName(kernel)); },
    openmp::isProduct,
    [](const Op& op, const Settings&) { return openmp::productRefusal(kernel, op); },
    bestLevel,
    [](const Op& op, const Settings& settings) {
        return openmp::productWorkspaceBytes(kernel, op, settings);
    },
    [](const Op& op, const Settings& settings) { return openmp::prepareProduct(kernel, op, settings); }};

/// Of one op the preferred one first.
constexpr Record kRecords[] = {
    kPool<openmp::PoolKernel::Windows2x2>,
    kPool<openmp::PoolKernel::Windows3x3>,
    kPool<openmp::PoolKernel::Rows>,
    kProduct<openmp::ProductKernel::Dots>,
    kProduct<openmp::ProductKernel::Tiles>,
    {[](const Op&) { return std::string(openmp::kConvDepthwiseName); }, openmp::isConvDirect,
     [](const Op& op, const Settings&) { return openmp::convDepthwiseRefusal(op); }, bestLevel,
     openmp::convDepthwiseWorkspaceBytes, openmp::prepareConvDepthwise},
    {[](const Op&) { return std::string(openmp::kConvBlockedName); }, openmp::isConvForward,
     openmp::convBlockedRefusal, bestLevel, openmp::convBlockedWorkspaceBytes, openmp::prepareConvBlocked},
    {[](const Op&) { return std::string(openmp::kConvDirectName); }, openmp::isConvDirect, nullptr, bestLevel,
     openmp::convDirectWorkspaceBytes, openmp::prepareConvDirect},
    {[](const Op&) { return std::string(openmp::kConvWeightsName); }, openmp::isConvWeights, nullptr,
     bestLevel, openmp::convWeightsWorkspaceBytes, openmp::prepareConvWeights},
    {openmp::loopName, openmp::isLoop, nullptr, bestLevel, nullptr, openmp::prepareLoop}};

class OpenmpSession final : public HostSession {
  public:
    OpenmpSession(const Settings& settings, std::vector<std::string> asked)
        : HostSession("openmp", settings.threads, std::move(asked)), m_settings(settings) {}
    std::size_t workspaceBytes(const Op& op) const override {
        const std::size_t bytes = HostSession::workspaceBytes(op);
        return bytes > 0 ? hostBufferBytes(bytes) : 0;
    }

  protected:
    void wakeThreads() override {
        runTeam(m_settings.threads, nullptr, [](Member) {});
    }
    void visitCandidates(const Op& op, const CandidateVisitor& visit) const override {
        for (const Record& record : kRecords)
            if (record.computes(op) && !visit(candidate(record, op)))
                return;
    }

  private:
    Candidate candidate(const Record& record, const Op& op) const {
        Candidate made{record.name(op), {}, {}, {}, {}};
        if (record.refusal != nullptr)
            made.refusal = record.refusal(op, m_settings);
        if (!made.refusal.empty())
            return made;
        made.implementation = openmp::implementationName(made.name, record.level(op, m_settings));
        if (record.workspaceBytes != nullptr)
            made.workspaceBytes = [&] { return record.workspaceBytes(op, m_settings); };
        made.prepare = [&] { return record.prepare(op, m_settings); };
        return made;
    }

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
        return {"openmp",
                {},
                {},
                {"threads", "simd", "impl"},
                "Vector instructions on all cores; ?threads=N for fewer."};
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
        auto asked = implementationOption(target);
        if (!asked)
            return asked.error();
        return std::unique_ptr<Session>(
            std::make_unique<OpenmpSession>(Settings{*threads, *simd}, std::move(*asked)));
    }
};

} // namespace

std::string openmp::implementationName(std::string_view name, SimdLevel simd) {
    return "openmp:" + std::string(name) + ":" + std::string(simdName(simd));
}

std::unique_ptr<Backend> makeOpenmpBackend() {
    return std::make_unique<OpenmpBackend>();
}

} // namespace heteroscope::compute
