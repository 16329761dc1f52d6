// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/op_repetitions.h"

#include "profiling/analysis/traced_ranges.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <tuple>

namespace heteroscope::profiling {
namespace {

class RepetitionFinder {
  public:
    RepetitionFinder(const Trace& trace, const Study& study, const DeviceWork& work, NsRange window)
        : m_trace(trace), m_study(study), m_work(work), m_ranges(tracedRanges(study, window)) {}

    OpRepetitions find() {
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            if (m_trace.track(id).kind == TrackKind::Thread)
                m_trace.forEachSpanByStart(id, [&](SpanRef ref, const Span& span) {
                    take(ref, span);
                    return true;
                });
        std::stable_sort(
            m_found.repetitions.begin(), m_found.repetitions.end(),
            [](const OpRepetition& a, const OpRepetition& b) { return a.time.startNs < b.time.startNs; });
        joinKernels();
        return std::move(m_found);
    }

  private:
    bool isOp(StringId category) {
        const auto [entry, isNew] = m_isOp.try_emplace(category, false);
        if (isNew)
            entry->second = m_trace.string(category) == "op";
        return entry->second;
    }

    /// Spans of the same name and args say the same of their op.
    std::uint32_t factsOf(const Span& span) {
        const auto [entry, isNew] =
            m_factsOf.try_emplace({span.name, span.args}, static_cast<std::uint32_t>(m_factsOf.size()));
        if (!isNew)
            return entry->second;
        OpFacts& facts = m_found.facts[entry->second];
        facts.op = m_trace.string(span.name);
        for (const auto& [key, value] : m_trace.args(span.args)) {
            if (key == "detail")
                facts.detail = value;
            else if (key == "implementation")
                facts.implementation = value;
            else if (key == "minimum bytes")
                facts.bytes = numberOf(value);
            else if (key == "operations")
                facts.flops = numberOf(value);
        }
        return entry->second;
    }

    void take(SpanRef ref, const Span& span) {
        if (!isOp(span.category))
            return;
        const auto run = runAt(m_ranges, span.startNs);
        if (!run)
            return;
        OpRepetition repetition;
        repetition.time = {span.startNs, span.startNs + span.durationNs};
        repetition.track = ref.track;
        repetition.facts = factsOf(span);
        repetition.run = static_cast<int>(*run);
        repetition.onDevice = onDevice(m_study.runs[*run].target);
        m_found.repetitions.push_back(repetition);
    }

    /// The shape that a kernel was submitted for.
    const std::string& shapeOf(std::uint32_t args) {
        const auto [entry, isNew] = m_shapes.try_emplace(args);
        if (isNew)
            for (const auto& [key, value] : m_trace.args(args))
                if (key == "shape")
                    entry->second = value;
        return entry->second;
    }

    OpRepetition* repetitionOf(const DeviceKernel& kernel) {
        if (!kernel.launchEndNs)
            return nullptr;
        OpRepetition* found = lastBefore(m_found.repetitions, *kernel.launchEndNs,
                                         [](const OpRepetition& r) { return r.time.startNs; });
        if (found == nullptr || *kernel.launchEndNs > found->time.endNs + kClockSlackNs)
            return nullptr;
        const OpFacts& facts = m_found.facts.at(found->facts);
        const bool same = facts.op == m_work.ops[kernel.op] && facts.detail == shapeOf(kernel.args);
        return same ? found : nullptr;
    }

    void joinKernels() {
        std::map<OpRepetition*, std::vector<NsRange>> times;
        for (const DeviceKernel& kernel : m_work.kernels) {
            if (kernel.op == 0)
                continue;
            OpRepetition* repetition = repetitionOf(kernel);
            if (repetition == nullptr) {
                m_found.kernelsWithout += runAt(m_ranges, kernel.time.startNs) ? 1 : 0;
                continue;
            }
            std::vector<NsRange>& own = times[repetition];
            if (own.empty()) // kernels come by start
                repetition->kernels = {kernel.time, kernel.span.track};
            own.push_back(kernel.time);
        }
        for (auto& [repetition, own] : times) {
            const TimeSet together = unionOf(std::move(own));
            repetition->kernelNs = lengthNs(together);
            repetition->kernels.range.endNs =
                together.empty() ? repetition->kernels.range.startNs : together.back().endNs;
        }
    }

    const Trace& m_trace;
    const Study& m_study;
    const DeviceWork& m_work;
    std::vector<TracedRange> m_ranges;
    OpRepetitions m_found;
    std::map<StringId, bool> m_isOp;
    std::map<std::pair<StringId, std::uint32_t>, std::uint32_t> m_factsOf;
    std::map<std::uint32_t, std::string> m_shapes;
};

} // namespace

bool onDevice(const std::string& target) {
    return target.starts_with("cuda:");
}

double numberOf(const std::string& text) {
    std::string digits, unit;
    for (const char c : text) {
        if ((c >= '0' && c <= '9') || c == '.')
            digits += c;
        else if (c >= 'A' && c <= 'z')
            unit += c; // blanks between groups are no ASCII
    }
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        return 0;
    static constexpr std::array<std::string_view, 7> kUnits{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    for (std::size_t power = 0; power < kUnits.size(); ++power, value *= 1024)
        if (unit.empty() || unit == kUnits[power])
            return value;
    return 0;
}

OpRepetitions opRepetitions(const Trace& trace, const Study& study, const DeviceWork& work, NsRange window) {
    return RepetitionFinder(trace, study, work, window).find();
}

} // namespace heteroscope::profiling
