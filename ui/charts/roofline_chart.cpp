// SPDX-License-Identifier: GPL-3.0-or-later
// Roofline of the ops of a recording: rate against arithmetic intensity below the roofs of the devices.
#include "compute/base/units.h"
#include "profiling/analysis/recorded_phrase.h"
#include "ui/charts/chart_kinds.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/target_style.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace heteroscope::ui {

namespace {

using profiling::RoofKind;
using profiling::RooflineOp;

bool drawable(const RooflineOp& op) {
    return op.intensity() > 0 && op.time.medianNs > 0;
}

QString rate(double flopsPerS) {
    return QString::fromStdString(formatFlops(flopsPerS));
}

QString roofShare(const RooflineOp& op) {
    if (op.bound == RoofKind::None)
        return {};
    const QString text = op.bound == RoofKind::Memory ? ChartText::tr(", %1 % of the memory's roof")
                                                      : ChartText::tr(", %1 % of the fp32 roof");
    return text.arg(100 * op.share, 0, 'f', op.share < 0.1 ? 1 : 0);
}

ChartPoint pointOf(const RooflineOp& op) {
    ChartPoint point;
    point.x = op.intensity();
    point.y = op.flopsPerS(op.time.medianNs);
    point.n = op.time.count;
    if (op.time.count >= 5 && op.time.q1Ns > 0)
        point.quartiles = Interval{op.flopsPerS(op.time.q3Ns), op.flopsPerS(op.time.q1Ns)};
    else
        for (const double ns : {op.time.minNs, op.time.medianNs, op.time.maxNs})
            point.samples.push_back(op.flopsPerS(ns));
    point.detail = ChartText::tr("%1, %2: %3 at %4 FLOP a byte%5, n = %6")
                       .arg(QString::fromStdString(op.op), QString::fromStdString(op.detail), rate(point.y),
                            significant(point.x), roofShare(op))
                       .arg(countText(static_cast<std::int64_t>(op.time.count)));
    return point;
}

/// What tells an op from the others of the chart.
enum class OpName {
    None,      ///< one op only
    Direction, ///< "forward" of "maxpool.forward", where all are of one kind
    Whole,
};

OpName opNamesFor(const std::vector<const RooflineOp*>& ops) {
    const auto kind = [](const RooflineOp* op) { return op->op.substr(0, op->op.find('.')); };
    OpName names = OpName::None;
    for (const RooflineOp* op : ops) {
        if (kind(op) != kind(ops.front()))
            return OpName::Whole;
        if (op->op != ops.front()->op)
            names = OpName::Direction;
    }
    return names;
}

QString labelOf(const QString& target, const std::string& op, OpName names) {
    if (names == OpName::None)
        return target;
    const std::size_t start = names == OpName::Whole ? 0 : op.rfind('.') + 1;
    return QStringLiteral("%1, %2").arg(target, QString::fromStdString(op.substr(start)));
}

/// The name of each target once for each of its ops, at the highest rate.
void nameTargets(ChartSeries& series, const std::vector<const RooflineOp*>& ops, OpName names) {
    std::map<std::string, std::size_t> best;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const auto [entry, isNew] = best.try_emplace(ops[i]->op, i);
        if (!isNew && series.points[i].y > series.points[entry->second].y)
            entry->second = i;
    }
    for (const auto& [op, index] : best)
        series.points[index].label = labelOf(series.name, op, names);
}

struct Bounds {
    double lowX = INFINITY, highX = 0;
};

/// A roof is a line of its own, so that it can be told from the other and hidden.
ChartSeries roofLine(const QString& id, const QString& name, const QString& label, double x0, double x1,
                     const std::function<double(double)>& y) {
    ChartSeries series;
    series.id = id;
    series.name = name;
    series.color = QColor(0x77, 0x77, 0x77);
    series.marker = MarkerShape::None;
    series.derived = series.directLabels = true;
    for (const double share : {0.0, 0.5, 1.0}) {
        ChartPoint point;
        point.x = x0 * std::pow(x1 / x0, share);
        point.y = y(point.x);
        point.label = share == 0.5 ? label : QString();
        series.points.push_back(point);
    }
    return series;
}

profiling::Phrase whyNoRoofs(const profiling::DeviceRoofs& roofs) {
    const bool isOne = roofs.whyNoMemory == roofs.whyNoFp32.text();
    return profiling::joined({roofs.whyNoMemory, isOne ? profiling::Phrase() : roofs.whyNoFp32}, "; ");
}

void addRoofs(ChartData& chart, const profiling::DeviceRoofs& roofs, Bounds bounds) {
    const QString device = QString::fromStdString(roofs.device);
    const auto ridge = roofs.ridge();
    if (roofs.memory) {
        const double perSecond = roofs.memory->perSecond;
        const QString figure = QString::fromStdString(formatBandwidth(perSecond));
        chart.series.push_back(
            roofLine(device + QStringLiteral("/memory roof"), ChartText::tr("%1, memory roof").arg(device),
                     ChartText::tr("memory %1").arg(figure), bounds.lowX, ridge.value_or(bounds.highX),
                     [perSecond](double x) { return perSecond * x; }));
        chart.series.back().dash = DashStyle::Dash;
        chart.findings << ChartText::tr("%1: memory %2 (%3)")
                              .arg(device, figure,
                                   phraseText(profiling::recordedPhrase(roofs.memory->source)));
    }
    if (roofs.fp32) {
        const double perSecond = roofs.fp32->perSecond;
        chart.series.push_back(
            roofLine(device + QStringLiteral("/fp32 roof"), ChartText::tr("%1, fp32 roof").arg(device),
                     ChartText::tr("fp32 %1").arg(rate(perSecond)), ridge.value_or(bounds.lowX), bounds.highX,
                     [perSecond](double) { return perSecond; }));
        chart.findings << ChartText::tr("%1: fp32 %2 (%3)")
                              .arg(device, rate(perSecond),
                                   phraseText(profiling::recordedPhrase(roofs.fp32->source)));
    }
    if (!roofs.memory || !roofs.fp32)
        chart.notes.push_back(
            {NoteLevel::Info,
             device == QLatin1String("cpu")
                 ? ChartText::tr("%1 has no roofs here: what it does at most was not measured. "
                                 "\"heteroscope-cli devices --measure\" does that once per machine, and so "
                                 "does Analyze, "
                                 "Roofline of operations, on that machine.")
                       .arg(device)
                 : ChartText::tr("%1 has no roofs here: %2.").arg(device, phraseText(whyNoRoofs(roofs)))});
}

/// Room on both sides of the ops, and of the place where the roofs meet.
Bounds boundsOf(const std::vector<const RooflineOp*>& ops, const profiling::Roofline& roofline) {
    Bounds bounds;
    for (const RooflineOp* op : ops) {
        bounds.lowX = std::min(bounds.lowX, op->intensity());
        bounds.highX = std::max(bounds.highX, op->intensity());
    }
    for (const profiling::DeviceRoofs& roofs : roofline.devices)
        if (const auto ridge = roofs.ridge()) {
            bounds.lowX = std::min(bounds.lowX, *ridge);
            bounds.highX = std::max(bounds.highX, *ridge);
        }
    constexpr double kRoom = 4;
    return {bounds.lowX / kRoom, bounds.highX * kRoom};
}

/// What the counters saw: the bytes that memory really moved, at the same rate.
void addMeasured(ChartData& chart, const ChartSeries& declared, const std::vector<const RooflineOp*>& ops) {
    ChartSeries series = declared;
    series.id += QStringLiteral("/counted");
    series.name = ChartText::tr("%1, as counted").arg(declared.name);
    series.partOf = declared.id;
    series.points.clear();
    for (const RooflineOp* op : ops) {
        const auto intensity = op->measuredIntensity();
        if (!intensity || *intensity <= 0)
            continue;
        ChartPoint point;
        point.x = *intensity;
        point.y = op->measured->timeNs > 0 ? op->measured->flops / op->measured->timeNs * 1e9 : 0;
        point.unclear = true; // hollow
        point.detail = ChartText::tr("%1, %2: %3 and %4 moved, as the device counted")
                           .arg(QString::fromStdString(op->op), QString::fromStdString(op->detail),
                                rate(point.y), QString::fromStdString(formatBytes(op->measured->dramBytes)));
        if (point.y > 0)
            series.points.push_back(point);
    }
    if (series.points.empty())
        return;
    chart.series.push_back(std::move(series));
    const QString meaning = ChartText::tr("hollow marks: as the device counted");
    if (!chart.findings.contains(meaning))
        chart.findings << meaning;
}

void addOps(ChartData& chart, const std::vector<const RooflineOp*>& ops,
            const std::vector<std::string>& targets) {
    std::map<std::string, std::vector<const RooflineOp*>> byTarget;
    for (const RooflineOp* op : ops)
        byTarget[op->target].push_back(op);
    const OpName names = opNamesFor(ops);
    std::vector<std::string> order; // the study's, as everywhere; then what it does not name
    for (const std::string& target : targets)
        if (byTarget.contains(target))
            order.push_back(target);
    for (const auto& [target, own] : byTarget)
        if (std::find(targets.begin(), targets.end(), target) == targets.end())
            order.push_back(target);
    for (const std::string& target : order) {
        const std::vector<const RooflineOp*>& own = byTarget.at(target);
        ChartSeries series;
        styleSeries(series, target, targets);
        series.kind = SeriesKind::Points;
        series.directLabels = true;
        for (const RooflineOp* op : own)
            series.points.push_back(pointOf(*op));
        nameTargets(series, own, names);
        chart.series.push_back(series);
        addMeasured(chart, series, own);
    }
}

QString captionOf(const ChartInput& input, const ChartData& chart) {
    QStringList machine;
    for (const profiling::DeviceRoofs& roofs : input.roofline->devices)
        machine << QString::fromStdString(roofs.name.empty() ? roofs.device : roofs.name);
    machine << QStringLiteral("Heteroscope %1").arg(QString::fromStdString(input.a->study.version)).trimmed()
            << QString::fromStdString(input.a->study.startedUtc.substr(0, 10));
    machine.removeAll(QString());
    return ChartText::tr(
               "Roofline: median rate of each operation against its arithmetic intensity, bars from the "
               "first to the third quartile. Bytes and operations are what the operation needs at "
               "least; times are from the timeline, those of its kernels on a GPU and of its span on a "
               "processor. Above the memory's roof, caches served it. %1.")
        .arg((chart.findings + machine).join(QStringLiteral("; ")));
}

ChartData nothingToDraw(const ChartInput& input) {
    if (!input.roofline)
        return notDrawable(input.whyNoRoofline.isEmpty()
                               ? ChartText::tr("The timeline of this study has not been read.")
                               : input.whyNoRoofline,
                           ChartText::tr("The roofline is made from the operations on the timeline."));
    if (input.roofline->ops.empty())
        return notDrawable(
            ChartText::tr("The timeline of this study holds no operation."),
            ChartText::tr("Run with tracing on: a roofline needs the time of each operation."));
    return notDrawable(
        ChartText::tr("No operation says both how many bytes it moves and how much it computes."),
        ChartText::tr("Record the study again with this version."));
}

} // namespace

ChartData buildRooflineChart(const ChartInput& input) {
    std::vector<const RooflineOp*> ops;
    if (input.roofline)
        for (const RooflineOp& op : input.roofline->ops)
            if (drawable(op) && !input.options.hiddenTargets.contains(QString::fromStdString(op.target)))
                ops.push_back(&op);
    if (ops.empty())
        return nothingToDraw(input);
    ChartData chart;
    chart.x.scale = chart.y.scale = AxisScale::Log10;
    chart.x.title = ChartText::tr("Arithmetic intensity (FLOP/byte), log scale");
    chart.y.title = ChartText::tr("Rate (FLOP/s), log scale");
    const Bounds bounds = boundsOf(ops, *input.roofline);
    for (const profiling::DeviceRoofs& roofs : input.roofline->devices)
        addRoofs(chart, roofs, bounds);
    const auto roofs = static_cast<std::ptrdiff_t>(chart.series.size());
    addOps(chart, ops, studyTargets(input.a->study));
    std::rotate(chart.series.begin(), chart.series.begin() + roofs, chart.series.end());
    for (const profiling::Phrase& note : input.roofline->notes)
        chart.notes.push_back({NoteLevel::Info, phraseText(note)});
    chart.ofTracedSamples = true;
    chart.caption = captionOf(input, chart);
    return chart;
}

} // namespace heteroscope::ui
