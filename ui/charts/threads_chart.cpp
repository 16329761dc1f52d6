// SPDX-License-Identifier: GPL-3.0-or-later
// Speedup and efficiency against threads, with Amdahl's law fitted, when targets differ by ?threads=.
#include "profiling/analysis/figures.h"
#include "profiling/analysis/scaling.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/figure_text.h"
#include "ui/common/format.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace heteroscope::ui {

namespace {

using profiling::AmdahlFit;
using profiling::ThreadSamples;

/// One implementation at one point with several thread counts.
struct Scaling {
    std::string target; ///< without the option
    std::vector<ThreadSamples> samples;
    std::optional<AmdahlFit> fit;
    const profiling::StudyRun* oneThread = nullptr; ///< nullptr: one thread was not measured
};

std::vector<Scaling> scalingsOf(const ChartInput& input) {
    std::vector<Scaling> all;
    const Json point = Json::parse(chosenPoint(input), nullptr, false);
    for (const auto* result : drawableRuns(input)) {
        const std::string& target = result->run->target;
        if (!profiling::threadsOfTarget(target))
            continue;
        const std::string base = profiling::targetWithoutThreads(target);
        if (std::any_of(all.begin(), all.end(), [&](const Scaling& s) { return s.target == base; }))
            continue;
        Scaling scaling{base, profiling::threadSamples(input.a->study, point, base), {}, nullptr};
        if (scaling.samples.size() < 2)
            continue;
        scaling.fit = profiling::fitAmdahl(scaling.samples);
        if (scaling.samples.front().threads == 1)
            scaling.oneThread = scaling.samples.front().run;
        all.push_back(std::move(scaling));
    }
    return all;
}

/// Speedup over one thread, or over the fitted time of one thread when that was not measured.
std::optional<ChartPoint> speedupAt(const Scaling& scaling, const ThreadSamples& samples) {
    ChartPoint point;
    point.x = samples.threads;
    point.n = samples.run->timesMs().size();
    const double ms = samples.timeMs();
    if (scaling.oneThread) {
        const auto comparison = profiling::speedupOver(*scaling.oneThread, *samples.run);
        if (!comparison)
            return std::nullopt;
        point.y = comparison->ratio;
        if (comparison->hasInterval && samples.threads > 1)
            point.interval = comparison->ci95;
    } else if (scaling.fit && ms > 0) {
        point.y = scaling.fit->oneThreadMs / ms;
    }
    if (point.y <= 0)
        return std::nullopt;
    point.detail = ChartText::tr("%1× with %2 threads, %3, n = %4")
                       .arg(significant(point.y))
                       .arg(samples.threads)
                       .arg(millisecondsText(ms))
                       .arg(countText(static_cast<std::int64_t>(point.n)));
    return point;
}

void divideByThreads(ChartPoint& point) {
    point.y /= point.x;
    if (point.interval)
        point.interval = Interval{point.interval->low / point.x, point.interval->high / point.x};
    point.detail = ChartText::tr("efficiency %1 %, %2").arg(significant(point.y * 100), point.detail);
}

ChartSeries curve(const QString& id, const QString& name, const QColor& color, DashStyle dash, int most,
                  const std::function<double(double)>& value) {
    ChartSeries series;
    series.id = id;
    series.name = name;
    series.color = color;
    series.dash = dash;
    series.marker = MarkerShape::None;
    series.derived = true;
    const int steps = std::clamp(most * 8, 16, 256);
    for (int i = 0; i <= steps; ++i) {
        ChartPoint point;
        point.x = 1 + (most - 1) * static_cast<double>(i) / steps;
        point.y = value(point.x);
        series.points.push_back(point);
    }
    return series;
}

QString percent(double share) {
    return significant(share * 100, 2);
}

QString fitSentence(const QString& name, const AmdahlFit& fit) {
    QString text = ChartText::tr("%1: serial fraction %2 %").arg(name, percent(fit.serialFraction));
    if (fit.hasInterval)
        text += ChartText::tr(" [%1, %2]").arg(percent(fit.ci95.low), percent(fit.ci95.high));
    if (std::isfinite(fit.limit()))
        text += ChartText::tr(", at most %1× with any number of threads").arg(significant(fit.limit(), 2));
    return text;
}

int mostThreads(const std::vector<Scaling>& scalings) {
    int most = 2;
    for (const Scaling& scaling : scalings)
        most = std::max(most, scaling.samples.back().threads);
    return most;
}

void addScaling(ChartData& chart, const Scaling& scaling, const ChartInput& input, int most,
                bool efficiency) {
    ChartSeries measured;
    styleSeries(measured, scaling.target, studyTargets(input.a->study));
    measured.marker = markerShape(static_cast<int>(chart.series.size()));
    measured.dash = DashStyle::Solid;
    for (const ThreadSamples& samples : scaling.samples) {
        auto point = speedupAt(scaling, samples);
        if (!point)
            continue;
        if (efficiency)
            divideByThreads(*point);
        measured.points.push_back(*point);
    }
    if (scaling.fit) {
        const AmdahlFit fit = *scaling.fit;
        chart.findings << fitSentence(measured.name, fit);
        chart.series.push_back(curve(
            measured.id + QStringLiteral("/amdahl"), ChartText::tr("%1, Amdahl fit").arg(measured.name),
            measured.color, DashStyle::Dash, most,
            [fit, efficiency](double threads) { return fit.speedup(threads) / (efficiency ? threads : 1); }));
    }
    chart.series.push_back(std::move(measured));
}

std::optional<double> coreCount(const profiling::Study& study) {
    for (const Json& device : study.devices) {
        if (textField(device, "id") != "cpu" || !device.contains("properties"))
            continue;
        const Json& properties = device.at("properties");
        for (const char* key : {"cores", "processors"})
            if (properties.is_object() && properties.contains(key) && properties.at(key).is_number())
                return properties.at(key).get<double>();
    }
    return std::nullopt;
}

ChartData buildScaling(const ChartInput& input, bool efficiency) {
    if (drawableRuns(input).empty())
        return noResults(input);
    const std::vector<Scaling> scalings = scalingsOf(input);
    if (scalings.empty())
        return notDrawable(
            ChartText::tr("No target ran with two or more numbers of threads."),
            ChartText::tr("Add targets such as cpu/openmp?threads=1 and cpu/openmp?threads=2 in Build."));
    ChartData chart;
    const int most = mostThreads(scalings);
    const QColor grey(0x77, 0x77, 0x77);
    chart.series.push_back(curve(QStringLiteral("ideal"), ChartText::tr("ideal"), grey, DashStyle::Dot, most,
                                 [efficiency](double threads) { return efficiency ? 1.0 : threads; }));
    for (const Scaling& scaling : scalings)
        addScaling(chart, scaling, input, most, efficiency);
    const auto cores = coreCount(input.a->study);
    if (cores && *cores <= most && *cores > 1)
        chart.references.push_back({Qt::Vertical, *cores, ChartText::tr("%1 cores").arg(*cores)});
    const QString where = pointText(Json::parse(chosenPoint(input), nullptr, false));
    chart.x.title = where.isEmpty() ? ChartText::tr("Threads") : ChartText::tr("Threads, at %1").arg(where);
    chart.x.wholeNumbers = true;
    chart.y.fromZero = true;
    chart.y.title = efficiency ? QStringLiteral("%1 (%2)").arg(figureTitle(profiling::figure("efficiency")),
                                                               figureMeaning(profiling::figure("efficiency")))
                               : ChartText::tr("Speedup over one thread");
    chart.caption = ChartText::tr("%1 against threads: ratios of medians with 95 % intervals; the dashed "
                                  "line is Amdahl's law fitted to the medians. %2.")
                        .arg(efficiency ? figureTitle(profiling::figure("efficiency"))
                                        : ChartText::tr("Speedup over one thread"),
                             chart.findings.join(QStringLiteral("; "))) +
                    overProcessesSentence(input);
    return chart;
}

} // namespace

ChartData buildThreadSpeedupChart(const ChartInput& input) {
    return buildScaling(input, false);
}

ChartData buildEfficiencyChart(const ChartInput& input) {
    return buildScaling(input, true);
}

} // namespace heteroscope::ui
