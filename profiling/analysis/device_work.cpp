// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_work.h"

#include "profiling/analysis/phrase.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>

namespace heteroscope::profiling {
namespace {

constexpr std::array<const char*, kCopyRoutes> kRouteNames{words("host to device"), words("device to host"),
                                                           words("on the device"),  words("between devices"),
                                                           words("host to host"),   words("other")};

std::optional<std::int64_t> number(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole && value >= 0 ? std::optional(value) : std::nullopt;
}

std::string_view argument(const ArgList& args, std::string_view name) {
    for (const auto& [key, value] : args)
        if (key == name)
            return value;
    return {};
}

/// "16 x 16 x 1", each below 2^31: the largest a launch may have.
std::optional<std::array<std::int64_t, 3>> dimensions(std::string_view text) {
    constexpr std::int64_t kLargest = (std::int64_t{1} << 31) - 1;
    constexpr std::string_view kBetween = " x ";
    std::array<std::int64_t, 3> size{};
    for (std::size_t i = 0; i < size.size(); ++i) {
        const std::size_t cut = i + 1 < size.size() ? text.find(kBetween) : text.size();
        if (cut == std::string_view::npos)
            return std::nullopt;
        const auto value = number(text.substr(0, cut));
        if (!value || *value < 1 || *value > kLargest)
            return std::nullopt;
        size[i] = *value;
        text.remove_prefix(std::min(text.size(), cut + kBetween.size()));
    }
    return size;
}

enum class What { None, Kernel, Copy, MemorySet, Call, Wait, Overhead, Held, Idle };

struct Category {
    What what = What::None;
    CopyRoute route = CopyRoute::Other;
    std::uint32_t memory = 0;
};

/// Position of `text` in `list`, which grows when it is new.
std::uint32_t positionIn(std::vector<std::string>& list, std::string_view text) {
    const auto found = std::find(list.begin(), list.end(), text);
    if (found != list.end())
        return static_cast<std::uint32_t>(found - list.begin());
    list.emplace_back(text);
    return static_cast<std::uint32_t>(list.size() - 1);
}

Category categoryOf(const std::string& text, std::vector<std::string>& memories) {
    static constexpr std::array<std::pair<std::string_view, What>, 7> kPlain{{{"kernel", What::Kernel},
                                                                              {"memory set", What::MemorySet},
                                                                              {"call", What::Call},
                                                                              {"wait", What::Wait},
                                                                              {"overhead", What::Overhead},
                                                                              {"throttling", What::Held},
                                                                              {"idle clocks", What::Idle}}};
    for (const auto& [name, what] : kPlain)
        if (text == name)
            return {what, CopyRoute::Other, 0};
    if (const auto copy = copyCategory(text))
        return {What::Copy, copy->route, positionIn(memories, copy->memory)};
    return {};
}

/// Identity of a span whichever lane it lies in.
std::uint64_t keyOf(SpanRef span) {
    return (std::uint64_t{span.track} << 32) | span.index;
}

class Gatherer {
  public:
    explicit Gatherer(const Trace& trace) : m_trace(trace) {}

    DeviceWork gather() {
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            if (mayHoldWork(m_trace.track(id).kind))
                m_trace.forEachSpanByStart(id, [&](SpanRef ref, const Span& span) {
                    take(ref, span);
                    return true;
                });
        sortByStart();
        joinLaunches();
        return std::move(m_work);
    }

  private:
    struct Facts {
        std::int64_t bytes = 0;
        std::uint32_t op = 0, phase = 0;
    };

    static bool mayHoldWork(TrackKind kind) { return kind != TrackKind::Group && kind != TrackKind::Counter; }

    const Category& category(StringId id) {
        const auto [entry, isNew] = m_categories.try_emplace(id);
        if (isNew)
            entry->second = categoryOf(m_trace.string(id), m_work.memories);
        return entry->second;
    }

    const Facts& facts(std::uint32_t args) {
        const auto [entry, isNew] = m_facts.try_emplace(args);
        if (isNew) {
            const ArgList list = m_trace.args(args);
            entry->second.bytes = copyBytes(list);
            entry->second.op = positionIn(m_work.ops, argument(list, "op"));
            entry->second.phase = positionIn(m_work.phases, argument(list, "phase"));
        }
        return entry->second;
    }

    std::optional<CallKind> kindOfCall(StringId name) {
        const auto [entry, isNew] = m_calls.try_emplace(name);
        if (isNew)
            entry->second = callKind(m_trace.string(name));
        return entry->second;
    }

    void take(SpanRef ref, const Span& span) {
        const Category& category = this->category(span.category);
        const NsRange time{span.startNs, span.startNs + span.durationNs};
        if (category.what == What::Kernel)
            m_work.kernels.push_back({time, ref, span.name, facts(span.args).op, span.args, {}});
        else if (category.what == What::Copy)
            m_work.copies.push_back({time,
                                     ref,
                                     facts(span.args).bytes,
                                     category.route,
                                     category.memory,
                                     facts(span.args).op,
                                     facts(span.args).phase,
                                     {}});
        else if (category.what == What::MemorySet)
            m_work.memorySets.push_back(time);
        else if (category.what == What::Wait)
            m_work.calls.push_back({time, ref, CallKind::Wait});
        else if (category.what == What::Call)
            takeCall(ref, span, time);
        else if (category.what == What::Overhead)
            takeOverhead(ref, time);
        else if (category.what == What::Held || category.what == What::Idle)
            m_work.clocks.push_back(
                {time, ref, deviceOf(ref.track), m_trace.string(span.name), category.what == What::Idle});
    }

    /// The name of the innermost group around a row that is a device's.
    std::string deviceOf(TrackId row) const {
        for (TrackId id = m_trace.track(row).parent; id != kNoTrack; id = m_trace.track(id).parent)
            if (std::string name = m_trace.string(m_trace.track(id).name); name.starts_with("cuda:"))
                return name;
        return {};
    }

    void takeCall(SpanRef ref, const Span& span, NsRange time) {
        m_callEnds.emplace(keyOf(ref), time.endNs);
        if (const auto kind = kindOfCall(span.name))
            m_work.calls.push_back({time, ref, *kind});
    }

    void takeOverhead(SpanRef ref, NsRange time) {
        m_work.overhead.push_back(time);
        m_work.overheadTrack = ref.track;
    }

    void sortByStart() {
        const auto byTime = [](const auto& a, const auto& b) { return a.time.startNs < b.time.startNs; };
        std::stable_sort(m_work.kernels.begin(), m_work.kernels.end(), byTime);
        std::stable_sort(m_work.copies.begin(), m_work.copies.end(), byTime);
        std::stable_sort(m_work.calls.begin(), m_work.calls.end(), byTime);
        std::stable_sort(m_work.clocks.begin(), m_work.clocks.end(), byTime);
        const auto byStart = [](const NsRange& a, const NsRange& b) { return a.startNs < b.startNs; };
        std::stable_sort(m_work.memorySets.begin(), m_work.memorySets.end(), byStart);
        std::stable_sort(m_work.overhead.begin(), m_work.overhead.end(), byStart);
    }

    void joinLaunches() {
        std::unordered_map<std::uint64_t, std::int64_t> launchEnds;
        m_trace.forEachFlow([&](const Flow& flow) {
            if (const auto call = m_callEnds.find(keyOf(flow.from)); call != m_callEnds.end())
                launchEnds.emplace(keyOf(flow.to), call->second);
            return true;
        });
        const auto join = [&](auto& item) {
            const auto launch = launchEnds.find(keyOf(item.span));
            if (launch == launchEnds.end())
                ++m_work.withoutLaunch;
            else
                item.launchEndNs = launch->second;
        };
        std::for_each(m_work.kernels.begin(), m_work.kernels.end(), join);
        std::for_each(m_work.copies.begin(), m_work.copies.end(), join);
    }

    const Trace& m_trace;
    DeviceWork m_work;
    std::unordered_map<StringId, Category> m_categories;
    std::unordered_map<std::uint32_t, Facts> m_facts;
    std::unordered_map<StringId, std::optional<CallKind>> m_calls;
    std::unordered_map<std::uint64_t, std::int64_t> m_callEnds;
};

template <typename Items>
TimeSet timeOf(const Items& items) {
    std::vector<NsRange> ranges;
    ranges.reserve(items.size());
    for (const auto& item : items)
        ranges.push_back(item.time);
    return unionOf(std::move(ranges));
}

} // namespace

const char* copyRouteName(CopyRoute route) {
    return kRouteNames[static_cast<std::size_t>(route)];
}

std::optional<CopyCategory> copyCategory(std::string_view category) {
    constexpr std::string_view kCopy = "copy ", kBetween = ", ";
    if (!category.starts_with(kCopy))
        return std::nullopt;
    std::string_view rest = category.substr(kCopy.size());
    CopyCategory copy;
    if (const std::size_t comma = rest.find(kBetween); comma != std::string_view::npos) {
        copy.memory = rest.substr(comma + kBetween.size());
        rest = rest.substr(0, comma);
    }
    const auto name = std::find(kRouteNames.begin(), kRouteNames.end(), rest);
    if (name != kRouteNames.end())
        copy.route = static_cast<CopyRoute>(name - kRouteNames.begin());
    return copy;
}

std::int64_t copyBytes(const ArgList& args) {
    return number(argument(args, "bytes")).value_or(0);
}

std::optional<KernelShape> kernelShape(const ArgList& args) {
    const auto grid = dimensions(argument(args, "grid")), block = dimensions(argument(args, "block"));
    const auto registers = number(argument(args, "registers per thread"));
    constexpr std::int64_t kMostThreads = 1 << 16; // far more than any device takes
    constexpr std::int64_t kMostRows = 65535;      // of a grid, by CUDA's programming guide
    if (!grid || !block || !registers || *registers > kMostThreads ||
        std::max((*grid)[1], (*grid)[2]) > kMostRows ||
        std::max({(*block)[0], (*block)[1], (*block)[2]}) > kMostThreads)
        return std::nullopt;
    KernelShape shape{*grid, *block, *registers, 0, 0};
    if (shape.threadsPerBlock() > kMostThreads)
        return std::nullopt;
    shape.staticSharedBytes = number(argument(args, "static shared bytes")).value_or(0);
    shape.dynamicSharedBytes = number(argument(args, "dynamic shared bytes")).value_or(0);
    return shape;
}

std::optional<CallKind> callKind(const std::string& name) {
    const auto begins = [&](auto... texts) { return (name.starts_with(texts) || ...); };
    if (begins("cudaLaunch", "cuLaunch", "cudaGraphLaunch", "cuGraphLaunch"))
        return CallKind::Launch;
    if (begins("cudaMemcpy", "cuMemcpy", "cudaMemset", "cuMemset", "cudaMemPrefetch", "cuMemPrefetch"))
        return CallKind::Copy;
    if (name.find("Synchronize") != std::string::npos)
        return CallKind::Wait;
    return std::nullopt;
}

TimeSet DeviceWork::kernelTime() const {
    return timeOf(kernels);
}

TimeSet DeviceWork::copyTime() const {
    return unionOf(timeOf(copies), unionOf(memorySets));
}

DeviceWork deviceWork(const Trace& trace) {
    return Gatherer(trace).gather();
}

} // namespace heteroscope::profiling
