// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as plain values: what the screen, the vector and raster figures, the CSV and the pgfplots file are
// all made of. Nothing here draws. Any thread.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/unclear.h"

#include <QColor>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace heteroscope::ui {

enum class AxisScale { Linear, Log2, Log10, Category };

struct ChartAxis {
    QString title; ///< with the unit in brackets; "(log scale)" is added by the builder where it applies
    AxisScale scale = AxisScale::Linear;
    std::optional<double> min, max; ///< fixed ends; else from the data
    bool fromZero = false;          ///< linear axes of bars and of ratios
    bool wholeNumbers = false;      ///< ticks at whole numbers only (threads, run order)
    QStringList categories;         ///< Category: one per whole number from 0
    QStringList categoryNotes;      ///< small second line under each category; empty or as many
};

enum class MarkerShape { None, Circle, Square, Triangle, Diamond, TriangleDown, Cross, Plus, Star };
enum class DashStyle { Solid, Dash, Dot, DashDot, LongDash };

struct ChartPoint {
    double x = 0, y = 0;
    std::optional<Interval> interval;  ///< 95 % interval of y
    std::optional<Interval> quartiles; ///< first and third
    std::vector<double> samples;       ///< every sample behind y, in y's unit; may be empty
    std::vector<OutlierKind> outliers; ///< one per sample, or empty
    std::size_t n = 0;                 ///< samples behind y; 0: not a measurement (a fitted or ideal line)
    QString label;  ///< printed at the point: under a bar, beside a point of a series with direct labels
    QString detail; ///< for the tooltip and the table
    bool unclear = false; ///< drawn hatched or hollow: the evidence does not settle it
    profiling::Doubt doubt = profiling::Doubt::None; ///< of a comparison: why it is unclear
    std::optional<Comparison> comparison = {};       ///< that the doubt is of, in charts of one study
    std::optional<std::size_t> nOfA = {}; ///< of a comparison: samples of A, and `n` are those of B
    /// Nothing is joined and no interval is claimed: the samples themselves are shown.
    bool hasFewSamples() const { return n > 0 && n < kSamplesForInterval && !samples.empty(); }
};

enum class SeriesKind {
    Line,   ///< line with markers, interval bars, optional quartile band
    Points, ///< markers only, with the quartiles of those that have no interval
    Bars,   ///< from zero, whiskers, label under the axis
    Boxes   ///< quartile box, median line, all samples as dots; x is a category
};

struct ChartSeries {
    QString id;   ///< target text, or a name for a fitted line; stable while the study grows
    QString name; ///< in the legend
    /// Id of the series that this one says more of: hidden with it, and not in the legend. Empty: none.
    QString partOf;
    SeriesKind kind = SeriesKind::Line;
    QColor color;
    MarkerShape marker = MarkerShape::Circle;
    DashStyle dash = DashStyle::Solid;
    bool band = false;         ///< shade between the quartiles
    bool faint = false;        ///< Line: behind another of the same colour
    bool derived = false;      ///< fitted or ideal: thin, without markers
    bool directLabels = false; ///< Line, Points: labels of points are printed where they cover nothing
    double barWidth = 0.56;    ///< Bars: share of a category's slot
    bool barGroup = false;     ///< Bars: beside those of other series (groupBars), so that a legend names it
    std::vector<ChartPoint> points;
};

/// Which category a point belongs to: bars of a group stand beside its middle.
inline int categoryOf(const ChartPoint& point) {
    return static_cast<int>(point.x + 0.5);
}

struct ReferenceLine {
    Qt::Orientation orientation = Qt::Horizontal;
    double value = 0;
    QString label;
};

/// A sentence about a place in the chart, with a mark at it.
struct ChartAnnotation {
    double x = 0, y = 0;
    QString text;
};

enum class NoteLevel { Info, Warning };

/// Something a reader should know before using the chart: shown beside it and before export.
struct ChartNote {
    NoteLevel level = NoteLevel::Info;
    QString text;
};

struct ChartData {
    QString kind;  ///< id in the registry: "time", "speedup"
    QString title; ///< on screen and in the report; printed figures leave it to the caption
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    std::vector<ReferenceLine> references;
    std::vector<ChartAnnotation> annotations;
    QString caption;              ///< what is drawn, how it was measured, on which machine
    QStringList findings;         ///< sentences that a reader takes away: "openmp is faster from N = 512"
    std::vector<ChartNote> notes; ///< honesty notes
    bool ofTracedSamples =
        false;      ///< times are from the timeline: what is said of untraced samples does not fit
    QString reason; ///< why it cannot be drawn; empty when it can
    QString advice; ///< what to do about it
    /// The same chart with English texts, which data files take theirs from; null: these are English.
    std::shared_ptr<const ChartData> inEnglish;

    bool drawable() const { return reason.isEmpty(); }
};

} // namespace heteroscope::ui
