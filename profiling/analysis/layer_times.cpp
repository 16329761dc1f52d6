// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/layer_times.h"

#include "compute/base/axis_name.h"
#include "compute/base/checked_math.h"
#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/op_repetitions.h"
#include "profiling/analysis/traced_ranges.h"

#include <algorithm>
#include <map>

namespace heteroscope::profiling {
namespace {

constexpr std::string_view kLayerCategory = "layer ", kReorder = "reorder";

std::optional<LayerPhase> phaseOf(std::string_view name) {
    for (std::size_t i = 0; i < kLayerPhases; ++i)
        if (name == layerPhaseName(static_cast<LayerPhase>(i)))
            return static_cast<LayerPhase>(i);
    return std::nullopt;
}

/// A layer's span, that of an operation outside of layers, or that of a reorder.
struct Pass {
    NsRange time;
    std::size_t run = 0; ///< of the study
    std::string_view name;
    LayerPhase phase = LayerPhase::Forward;
    bool isLayer = true, isReorder = false;
    std::int64_t reorderNs = 0; ///< of a layer's span: what reorders took of it
    std::vector<NsRange> kernels{};
};

/// What a category says, looked up once.
struct CategoryNames {
    bool op = false, reorder = false;
    std::optional<LayerPhase> layer;
};

class LayerFinder {
  public:
    LayerFinder(const Trace& trace, const Study& study, const DeviceWork& work, NsRange window)
        : m_trace(trace), m_study(study), m_work(work), m_ranges(tracedRanges(study, window)) {}

    std::vector<RunLayerTimes> find() {
        for (TrackId id = 0; id < m_trace.trackCount(); ++id)
            if (m_trace.track(id).kind == TrackKind::Thread)
                readTrack(id);
        std::stable_sort(m_passes.begin(), m_passes.end(),
                         [](const Pass& a, const Pass& b) { return a.time.startNs < b.time.startNs; });
        joinKernels();
        return runs();
    }

  private:
    const CategoryNames& categoryOf(StringId id) {
        const auto [entry, isNew] = m_categories.try_emplace(id);
        if (isNew) {
            const std::string text = m_trace.string(id);
            entry->second.op = text == "op";
            entry->second.reorder = text == kReorder;
            if (text.starts_with(kLayerCategory))
                entry->second.layer = phaseOf(std::string_view(text).substr(kLayerCategory.size()));
        }
        return entry->second;
    }

    std::string_view nameOf(StringId id) {
        const auto [entry, isNew] = m_names.try_emplace(id);
        if (isNew)
            entry->second = m_trace.string(id);
        return entry->second;
    }

    /// Spans come by start, and an enclosing one before what it encloses.
    void readTrack(TrackId track) {
        NsRange layer{0, 0};
        std::string_view name;
        LayerPhase before = LayerPhase::Forward;
        std::optional<std::size_t> layerPass; ///< of the last layer; none before the first
        m_trace.forEachSpanByStart(track, [&](SpanRef, const Span& span) {
            const CategoryNames& category = categoryOf(span.category);
            if (!category.op && !category.layer && !category.reorder)
                return true;
            const auto run = runAt(m_ranges, span.startNs);
            if (!run)
                return true;
            const NsRange time{span.startNs, span.startNs + span.durationNs};
            const bool isInside = layerPass && span.startNs >= layer.startNs && time.endNs <= layer.endNs;
            if (category.layer) {
                layer = time;
                layerPass = m_passes.size();
                name = nameOf(span.name);
                before = *category.layer;
                m_passes.push_back({time, *run, name, before});
            } else if (isInside && category.reorder) {
                std::int64_t& reorderNs = m_passes[*layerPass].reorderNs;
                reorderNs = saturatingAdd(reorderNs, span.durationNs);
                m_passes.push_back({time, *run, nameOf(span.name), before, false, true});
            } else if (isInside) {
                noteType(*run, name, nameOf(span.name));
            } else {
                m_passes.push_back(
                    {time, *run, nameOf(span.name), outsideAfter(before), false, category.reorder});
            }
            return true;
        });
    }

    /// What runs outside of layers.
    static LayerPhase outsideAfter(LayerPhase before) {
        return before == LayerPhase::Backward ? LayerPhase::Update : LayerPhase::Loss;
    }

    /// "conv2d.forward" -> "conv2d".
    void noteType(std::size_t run, std::string_view layer, std::string_view op) {
        m_types.try_emplace({run, layer}, op.substr(0, op.find('.')));
    }

    void joinKernels() {
        for (const DeviceKernel& kernel : m_work.kernels) {
            if (Pass* pass = passOf(kernel))
                pass->kernels.push_back(kernel.time);
            else if (const auto run = runAt(m_ranges, kernel.time.startNs))
                ++m_outside[*run];
        }
    }

    Pass* passOf(const DeviceKernel& kernel) {
        if (!kernel.launchEndNs)
            return nullptr;
        Pass* found =
            lastBefore(m_passes, *kernel.launchEndNs, [](const Pass& pass) { return pass.time.startNs; });
        return found != nullptr && *kernel.launchEndNs <= found->time.endNs + kClockSlackNs ? found : nullptr;
    }

    std::vector<RunLayerTimes> runs() {
        std::map<std::size_t, std::vector<const Pass*>> passesOf;
        for (const Pass& pass : m_passes)
            passesOf[pass.run].push_back(&pass);
        std::vector<RunLayerTimes> all;
        for (const auto& [run, passes] : passesOf)
            if (std::any_of(passes.begin(), passes.end(), [](const Pass* pass) { return pass->isLayer; }))
                all.push_back(timesOf(run, passes));
        return all;
    }

    RunLayerTimes timesOf(std::size_t index, const std::vector<const Pass*>& passes) {
        const StudyRun& run = m_study.runs[index];
        RunLayerTimes times;
        times.run = static_cast<int>(index);
        times.target = run.target;
        times.point = pointName(run.point, ", ");
        times.device = onDevice(run.target);
        times.kernelsOutside = m_outside[index];
        if (const auto cost = run.metrics.find("tracing_overhead_percent");
            cost != run.metrics.end() && cost->is_number())
            times.tracingOverheadPercent = cost->get<double>();
        if (times.device &&
            std::all_of(passes.begin(), passes.end(), [](const Pass* pass) { return pass->kernels.empty(); }))
            times.reason =
                say("the recording holds no kernels that its layers launched, and the host's spans tell "
                    "only of submitting work");
        else
            addLayers(index, passes, times);
        return times;
    }

    void addLayers(std::size_t index, const std::vector<const Pass*>& passes, RunLayerTimes& times) {
        std::map<std::pair<bool, std::string_view>, std::size_t> rowOf;
        std::vector<std::array<std::vector<double>, kLayerPhases>> samples;
        for (const Pass* pass : passes) {
            const auto [entry, isNew] = rowOf.try_emplace({pass->isLayer, pass->name}, times.layers.size());
            if (isNew) {
                LayerTime& row = times.layers.emplace_back();
                row.name = pass->name;
                row.isLayer = pass->isLayer;
                row.isReorder = pass->isReorder;
                row.type = pass->isLayer     ? m_types[{index, pass->name}]
                           : pass->isReorder ? std::string(kReorder)
                                             : row.name.substr(0, row.name.find('.'));
                samples.emplace_back();
            }
            const std::int64_t ns = times.device
                                        ? lengthNs(unionOf(pass->kernels))
                                        : std::max<std::int64_t>(pass->time.lengthNs() - pass->reorderNs, 0);
            samples[entry->second][static_cast<std::size_t>(pass->phase)].push_back(static_cast<double>(ns) *
                                                                                    1e-6);
        }
        summarizeRows(samples, times);
    }

    static std::vector<double> thinned(const std::vector<double>& all) {
        if (all.size() <= kPassesKept)
            return all;
        std::vector<double> kept;
        for (std::size_t i = 0; i < kPassesKept; ++i)
            kept.push_back(all[i * all.size() / kPassesKept]);
        return kept;
    }

    static void summarizeRows(const std::vector<std::array<std::vector<double>, kLayerPhases>>& samples,
                              RunLayerTimes& times) {
        for (std::size_t row = 0; row < samples.size(); ++row)
            for (std::size_t phase = 0; phase < kLayerPhases; ++phase) {
                LayerPhaseTime& time = times.layers[row].phases[phase];
                time.passes = samples[row][phase].size();
                time.ms = summarize(thinned(samples[row][phase]));
                times.totalMs += time.ms.median;
            }
        if (times.totalMs > 0)
            for (LayerTime& layer : times.layers)
                for (LayerPhaseTime& time : layer.phases)
                    time.share = time.ms.median / times.totalMs;
    }

    const Trace& m_trace;
    const Study& m_study;
    const DeviceWork& m_work;
    const std::vector<TracedRange> m_ranges;
    std::vector<Pass> m_passes; ///< by start once all are found
    std::map<StringId, CategoryNames> m_categories;
    std::map<StringId, std::string> m_names;
    std::map<std::pair<std::size_t, std::string_view>, std::string> m_types;
    std::map<std::size_t, std::uint64_t> m_outside;
};

} // namespace

const char* layerPhaseName(LayerPhase phase) {
    static constexpr std::array<const char*, kLayerPhases> kNames{"forward", "loss", "backward", "update"};
    return kNames[static_cast<std::size_t>(phase)];
}

double LayerTime::totalMs() const {
    double sum = 0;
    for (const LayerPhaseTime& time : phases)
        sum += time.ms.median;
    return sum;
}

double LayerTime::share() const {
    double sum = 0;
    for (const LayerPhaseTime& time : phases)
        sum += time.share;
    return sum;
}

const LayerTime* RunLayerTimes::find(std::string_view name) const {
    const auto found = std::find_if(layers.begin(), layers.end(), [&](const LayerTime& time) {
        return (time.isLayer || time.isReorder) && time.name == name;
    });
    return found == layers.end() ? nullptr : &*found;
}

std::vector<RunLayerTimes> layerTimes(const Trace& trace, const Study& study, const DeviceWork& work,
                                      NsRange window) {
    return LayerFinder(trace, study, work, window).find();
}

Phrase tracingCostText(const RunLayerTimes& run) {
    if (!run.tracingOverheadPercent)
        return say("what tracing cost was not measured");
    const double percent = *run.tracingOverheadPercent;
    return say(percent < 0 ? words("traced samples took %1 less than untraced ones")
                           : words("traced samples took %1 more than untraced ones"),
               {shareText(std::abs(percent) / 100)});
}

} // namespace heteroscope::profiling
