// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as LaTeX with pgfplots, data inline.
#include "ui/charts/figure_marks.h"
#include "ui/charts/text_export.h"
#include "ui/common/format.h"

#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace heteroscope::ui {

namespace {

QString number(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString markName(MarkerShape marker) {
    switch (marker) {
    case MarkerShape::Circle:
        return QStringLiteral("*");
    case MarkerShape::Square:
        return QStringLiteral("square*");
    case MarkerShape::Triangle:
        return QStringLiteral("triangle*");
    case MarkerShape::TriangleDown:
        return QStringLiteral("triangle*, mark options={rotate=180}");
    case MarkerShape::Diamond:
        return QStringLiteral("diamond*");
    case MarkerShape::Cross:
        return QStringLiteral("x");
    case MarkerShape::Plus:
        return QStringLiteral("+");
    case MarkerShape::Star:
        return QStringLiteral("star");
    case MarkerShape::None:
        break;
    }
    return QStringLiteral("none");
}

QString dashName(DashStyle dash) {
    switch (dash) {
    case DashStyle::Dash:
        return QStringLiteral("dashed");
    case DashStyle::Dot:
        return QStringLiteral("densely dotted");
    case DashStyle::DashDot:
        return QStringLiteral("dashdotted");
    case DashStyle::LongDash:
        return QStringLiteral("loosely dashed");
    case DashStyle::Solid:
        break;
    }
    return QStringLiteral("solid");
}

QString colorName(int series) {
    return QStringLiteral("hs%1").arg(QChar(u'a' + series % 26)) +
           (series >= 26 ? QString::number(series) : QString());
}

QString colorDefinitions(const ChartData& chart) {
    QString text;
    for (int i = 0; i < static_cast<int>(chart.series.size()); ++i)
        text +=
            QStringLiteral("\\definecolor{%1}{HTML}{%2}\n")
                .arg(colorName(i), chart.series[static_cast<std::size_t>(i)].color.name().mid(1).toUpper());
    return text;
}

double spanOfX(const ChartData& chart) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            low = std::min(low, point.x);
            high = std::max(high, point.x);
        }
    return high - low;
}

void addScale(QStringList& options, const ChartAxis& axis, const QString& letter, double span) {
    if (axis.scale == AxisScale::Log2 || axis.scale == AxisScale::Log10)
        options << letter + QStringLiteral("mode=log");
    if (axis.scale == AxisScale::Log2)
        options << QStringLiteral("log basis %1=2").arg(letter);
    constexpr double kMostWholeTicks = 12;
    if (axis.wholeNumbers && axis.scale == AxisScale::Linear && span <= kMostWholeTicks)
        options << letter + QStringLiteral("tick distance=1");
    if (axis.fromZero)
        options << letter + QStringLiteral("min=0");
    options << QStringLiteral("%1label={%2}").arg(letter, latexText(axis.title));
}

/// Measured powers of two as plain numbers, at most `kMost` of them: "16" reads better than 2^4.
void addPowersOfTwo(QStringList& options, const ChartData& chart) {
    constexpr std::size_t kMost = 9;
    std::set<double> values;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            values.insert(point.x);
    if (chart.x.scale != AxisScale::Log2 || values.empty())
        return;
    const std::size_t step = (values.size() + kMost - 1) / kMost;
    QStringList ticks, labels;
    std::size_t index = 0;
    for (const double value : values)
        if (index++ % step == 0) {
            ticks << number(value);
            labels << latexText(numberText(value));
        }
    options << QStringLiteral("xtick={%1}").arg(ticks.join(QLatin1Char(',')))
            << QStringLiteral("xticklabels={%1}").arg(labels.join(QLatin1Char(',')));
}

constexpr double kTickLetterMm = 1.5; ///< about, at footnote size

void addCategories(QStringList& options, const ChartAxis& axis, double widthMm) {
    if (axis.scale != AxisScale::Category)
        return;
    qsizetype longest = 0;
    for (const QStringList* texts : {&axis.categories, &axis.categoryNotes})
        for (const QString& text : *texts)
            for (const QString& word : text.split(QLatin1Char(' ')))
                longest = std::max(longest, word.size());
    const bool upright = kTickLetterMm * static_cast<double>(longest * axis.categories.size()) > widthMm;
    QStringList positions, labels;
    for (int i = 0; i < axis.categories.size(); ++i) {
        positions << QString::number(i);
        QString label = latexText(axis.categories[i]);
        if (i < axis.categoryNotes.size())
            label +=
                (upright ? QStringLiteral(" ") : QStringLiteral("\\\\ ")) + latexText(axis.categoryNotes[i]);
        labels << QLatin1Char('{') + label + QLatin1Char('}');
    }
    options << QStringLiteral("xtick={%1}").arg(positions.join(QLatin1Char(',')))
            << QStringLiteral("xticklabels={%1}").arg(labels.join(QLatin1Char(',')))
            << (upright ? QStringLiteral("xticklabel style={rotate=90, anchor=east}")
                        : QStringLiteral("xticklabel style={align=center}"))
            << QStringLiteral("xmin=-0.5, xmax=%1").arg(axis.categories.size() - 0.5);
}

/// Names beside one another above the plot, as many as its width takes.
int legendColumns(const ChartData& chart, double widthMm) {
    constexpr double kSymbolMm = 13, kLetterMm = 1.6;
    qsizetype longest = 1;
    for (const ChartSeries& series : chart.series)
        if (series.partOf.isEmpty())
            longest = std::max(longest, series.name.size());
    return std::max(
        1, static_cast<int>((widthMm - 15) / (kSymbolMm + static_cast<double>(longest) * kLetterMm)));
}

QString axisOptions(const ChartData& chart, QSizeF millimetres) {
    QStringList options{QStringLiteral("width=%1mm, height=%2mm")
                            .arg(number(millimetres.width()), number(millimetres.height())),
                        QStringLiteral("scale only axis=false"),
                        QStringLiteral("grid=major"),
                        QStringLiteral("clip mode=individual"),
                        QStringLiteral("legend style={at={(0,1.03)}, anchor=south west, draw=none, "
                                       "font=\\footnotesize, cells={anchor=west}, legend columns=%1, "
                                       "/tikz/every even column/.append style={column sep=2mm}}")
                            .arg(legendColumns(chart, millimetres.width())),
                        QStringLiteral("label style={font=\\small}"),
                        QStringLiteral("tick label style={font=\\footnotesize}"),
                        QStringLiteral("scaled ticks=false"),
                        QStringLiteral("/pgf/number format/1000 sep={~}")};
    const double none = std::numeric_limits<double>::infinity();
    addScale(options, chart.x, QStringLiteral("x"), spanOfX(chart));
    addScale(options, chart.y, QStringLiteral("y"), none);
    addPowersOfTwo(options, chart);
    addCategories(options, chart.x, millimetres.width());
    return QStringLiteral("  ") + options.join(QStringLiteral(",\n  "));
}

QString tableOf(const QString& rows) {
    return QStringLiteral("  table[x=x, y=y, y error plus=plus, y error minus=minus, row sep=\\\\] {\n"
                          "    x y plus minus \\\\\n") +
           rows + QStringLiteral("  };\n");
}

QString dataRow(double x, double y, const std::optional<Interval>& interval) {
    const double plus = interval ? std::max(0.0, interval->high - y) : 0;
    const double minus = interval ? std::max(0.0, y - interval->low) : 0;
    return QStringLiteral("    %1 %2 %3 %4 \\\\\n").arg(number(x), number(y), number(plus), number(minus));
}

QString styleOf(const ChartSeries& series, int index) {
    const QString color = colorName(index) + (series.faint ? QStringLiteral("!35") : QString());
    if (series.kind == SeriesKind::Bars) {
        const bool unclear = !series.points.empty() && series.points.front().unclear;
        return QStringLiteral("%1, ybar, bar width=%2, bar shift=0pt, %3")
            .arg(color, number(series.barWidth),
                 unclear ? QStringLiteral("pattern=north east lines, pattern color=%1").arg(color)
                         : QStringLiteral("fill=%1").arg(color));
    }
    const QString mark =
        series.derived ? QStringLiteral("no marks") : QStringLiteral("mark=") + markName(series.marker);
    const QString line = series.kind == SeriesKind::Line ? dashName(series.dash) + QStringLiteral(", thick")
                                                         : QStringLiteral("only marks");
    return QStringLiteral("%1, %2, %3, mark options={solid, fill=%1}").arg(color, line, mark);
}

/// Below five samples nothing is joined and no interval is claimed: hollowOf() shows the samples themselves.
QString plotOf(const ChartSeries& series, int index) {
    QString rows;
    bool intervals = false;
    for (const ChartPoint& point : series.points) {
        const auto spread = shownSpread(series, point);
        rows += point.hasFewSamples() ? QString() : dataRow(point.x, point.y, spread);
        intervals = intervals || spread;
    }
    if (rows.isEmpty())
        return {};
    return QStringLiteral("  \\addplot+[%1, forget plot%2]\n")
               .arg(styleOf(series, index),
                    intervals
                        ? QStringLiteral(", error bars/.cd, y dir=both, y explicit, "
                                         "error bar style={solid, thin%1}")
                              .arg(series.kind == SeriesKind::Bars ? QStringLiteral(", black") : QString())
                        : QString()) +
           tableOf(rows);
}

/// Samples that stand for themselves, and points that the evidence does not settle: hollow marks.
QString hollowOf(const ChartSeries& series, int index) {
    QString rows;
    for (const ChartPoint& point : series.points) {
        if (point.hasFewSamples())
            for (const double sample : point.samples)
                rows += dataRow(point.x, sample, std::nullopt);
        else if (point.unclear && series.kind != SeriesKind::Bars)
            rows += dataRow(point.x, point.y, std::nullopt);
    }
    if (rows.isEmpty())
        return {};
    return QStringLiteral(
               "  \\addplot[%1, only marks, mark=%2, mark options={solid, fill=white}, forget plot]\n")
               .arg(colorName(index), markName(series.marker)) +
           tableOf(rows);
}

QString legendOf(const ChartSeries& series, int index) {
    const bool named =
        series.kind == SeriesKind::Line || series.kind == SeriesKind::Points || series.barGroup;
    if (!named || !series.partOf.isEmpty())
        return {};
    return QStringLiteral("  \\addlegendimage{%1}\n  \\addlegendentry{%2}\n")
        .arg(styleOf(series, index), latexText(series.name));
}

QString barLabels(const ChartSeries& series) {
    QString text;
    for (const ChartPoint& point : series.points) {
        const double top = point.interval ? std::max(point.y, point.interval->high) : point.y;
        text += QStringLiteral("  \\node[above, align=center, font=\\scriptsize] at (axis cs:%1,%2) {%3};\n")
                    .arg(number(point.x), number(top), latexText(point.label.section(QLatin1Char('\n'), -1)));
    }
    return text;
}

QString directLabels(const ChartSeries& series) {
    QString text;
    for (const ChartPoint& point : series.points)
        if (!point.label.isEmpty())
            text += QStringLiteral("  \\node[above right, font=\\scriptsize] at (axis cs:%1,%2) {%3};\n")
                        .arg(number(point.x), number(point.y), latexText(point.label));
    return text;
}

QString samplesOf(const QString& rows, const QString& color, const char* mark) {
    if (rows.isEmpty())
        return {};
    return QStringLiteral("  \\addplot+[%1, only marks, %2, mark options={solid, fill=%1}, forget plot]\n")
               .arg(color, QLatin1String(mark)) +
           tableOf(rows);
}

/// Quartile box, median and every sample, spread sideways so that equal times can be told apart; outliers as
/// the caption says.
QString boxesOf(const ChartSeries& series, int index) {
    QString text, rows, mild, severe;
    const QString color = colorName(index);
    for (const ChartPoint& point : series.points) {
        const QString left = number(point.x - kBoxShare / 2), right = number(point.x + kBoxShare / 2);
        if (point.quartiles)
            text += QStringLiteral("  \\draw[%1, fill=%1!22] (axis cs:%2,%3) rectangle (axis cs:%4,%5);\n"
                                   "  \\draw[very thick] (axis cs:%2,%6) -- (axis cs:%4,%6);\n")
                        .arg(color, left, number(point.quartiles->low), right, number(point.quartiles->high),
                             number(point.y));
        for (std::size_t i = 0; i < point.samples.size(); ++i) {
            const double golden = std::fmod(static_cast<double>(i) * 0.6180339887, 1.0);
            const OutlierKind kind = i < point.outliers.size() ? point.outliers[i] : OutlierKind::None;
            QString& place = kind == OutlierKind::None ? rows : kind == OutlierKind::Mild ? mild : severe;
            place += dataRow(point.x + (golden - 0.5) * kBoxShare * 0.8, point.samples[i], std::nullopt);
        }
    }
    return text + samplesOf(rows, color, "mark=*, mark size=0.9pt") +
           samplesOf(mild, QStringLiteral("black"), "mark=diamond") +
           samplesOf(severe, QStringLiteral("black"), "mark=star");
}

// Shaded quartiles: two invisible paths and the area between them.
QString bandOf(const ChartSeries& series, int index) {
    QString low, high;
    for (const ChartPoint& point : series.points) {
        if (!point.quartiles)
            continue;
        low += QStringLiteral("(%1,%2) ").arg(number(point.x), number(point.quartiles->low));
        high += QStringLiteral("(%1,%2) ").arg(number(point.x), number(point.quartiles->high));
    }
    if (!series.band || low.isEmpty())
        return {};
    const QString name = colorName(index);
    return QStringLiteral(
               "  \\addplot[name path=%1low, draw=none, forget plot] coordinates { %2};\n"
               "  \\addplot[name path=%1high, draw=none, forget plot] coordinates { %3};\n"
               "  \\addplot[%1, fill opacity=0.22, forget plot] fill between[of=%1low and %1high];\n")
        .arg(name, low, high);
}

QString seriesOf(const ChartSeries& series, int index) {
    if (series.kind == SeriesKind::Boxes)
        return boxesOf(series, index);
    QString text = plotOf(series, index) + hollowOf(series, index);
    if (series.kind == SeriesKind::Bars)
        text += barLabels(series);
    if (series.directLabels)
        text += directLabels(series);
    return text + legendOf(series, index);
}

QString referenceOf(const ReferenceLine& line) {
    const QString value = number(line.value);
    const QString path =
        line.orientation == Qt::Horizontal
            ? QStringLiteral("({rel axis cs:0,0}|-{axis cs:1,%1}) -- ({rel axis cs:1,0}|-{axis cs:1,%1})")
            : QStringLiteral("({axis cs:%1,1}|-{rel axis cs:0,0}) -- ({axis cs:%1,1}|-{rel axis cs:0,1})");
    return QStringLiteral("  \\draw[dashed, gray] %1 node[pos=0.98, above left, font=\\scriptsize] {%2};\n")
        .arg(path.arg(value), latexText(line.label));
}

QString annotationOf(const ChartAnnotation& annotation) {
    return QStringLiteral("  \\node[pin={[font=\\scriptsize]above left:{%3}}, circle, draw, fill=white, "
                          "inner sep=1.5pt] at "
                          "(axis cs:%1,%2) {};\n")
        .arg(number(annotation.x), number(annotation.y), latexText(annotation.text));
}

} // namespace

QByteArray chartToPgfplots(const ChartData& chart, QSizeF millimetres, const QSet<QString>& hidden) {
    QString body = QStringLiteral("\\begin{figure}[htbp]\n\\centering\n") + colorDefinitions(chart) +
                   QStringLiteral("\\begin{tikzpicture}\n\\begin{axis}[\n") +
                   axisOptions(chart, millimetres) + QStringLiteral("\n]\n");
    QString bands, rest; // no band covers another's curve
    for (int i = 0; i < static_cast<int>(chart.series.size()); ++i) {
        const ChartSeries& series = chart.series[static_cast<std::size_t>(i)];
        if (hidden.contains(series.id) || hidden.contains(series.partOf))
            continue;
        if (series.kind != SeriesKind::Boxes)
            bands += bandOf(series, i);
        rest += seriesOf(series, i);
    }
    body += bands + rest;
    for (const ReferenceLine& line : chart.references)
        body += referenceOf(line);
    for (const ChartAnnotation& annotation : chart.annotations)
        body += annotationOf(annotation);
    body += QStringLiteral("\\end{axis}\n\\end{tikzpicture}\n\\caption{%1}\n\\end{figure}\n")
                .arg(latexText(chart.caption));
    const QStringList preamble{
        QStringLiteral("\\usepackage{pgfplots}"), QStringLiteral("\\usepackage{textcomp}"),
        QStringLiteral("\\pgfplotsset{compat=1.16}"), QStringLiteral("\\usepgfplotslibrary{fillbetween}"),
        QStringLiteral("\\usetikzlibrary{patterns}")};
    constexpr double kMarginMm = 20, kCaptionMm = 55;
    const QSizeF page(millimetres.width() + kMarginMm, millimetres.height() + kCaptionMm);
    return latexDocument(preamble, page, body).toUtf8();
}

} // namespace heteroscope::ui
