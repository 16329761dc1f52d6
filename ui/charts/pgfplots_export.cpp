// SPDX-License-Identifier: GPL-3.0-or-later
// Charts as LaTeX with pgfplots, data inline.
#include "ui/charts/text_export.h"

#include <QLocale>

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

void addScale(QStringList& options, const ChartAxis& axis, const QString& letter) {
    if (axis.scale == AxisScale::Log2 || axis.scale == AxisScale::Log10)
        options << letter + QStringLiteral("mode=log");
    if (axis.scale == AxisScale::Log2)
        options << QStringLiteral("log basis %1=2").arg(letter);
    if (axis.fromZero)
        options << letter + QStringLiteral("min=0");
    options << QStringLiteral("%1label={%2}").arg(letter, latexText(axis.title));
}

void addCategories(QStringList& options, const ChartAxis& axis) {
    if (axis.scale != AxisScale::Category)
        return;
    QStringList positions, labels;
    for (int i = 0; i < axis.categories.size(); ++i) {
        positions << QString::number(i);
        QString label = latexText(axis.categories[i]);
        if (i < axis.categoryNotes.size())
            label += QStringLiteral("\\\\ ") + latexText(axis.categoryNotes[i]);
        labels << QLatin1Char('{') + label + QLatin1Char('}');
    }
    options << QStringLiteral("xtick={%1}").arg(positions.join(QLatin1Char(',')))
            << QStringLiteral("xticklabels={%1}").arg(labels.join(QLatin1Char(',')))
            << QStringLiteral("xticklabel style={align=center}")
            << QStringLiteral("xmin=-0.5, xmax=%1").arg(axis.categories.size() - 0.5);
}

QString axisOptions(const ChartData& chart, QSizeF millimetres) {
    QStringList options{QStringLiteral("width=%1mm, height=%2mm")
                            .arg(number(millimetres.width()), number(millimetres.height())),
                        QStringLiteral("scale only axis=false"),
                        QStringLiteral("grid=major"),
                        QStringLiteral("legend style={font=\\footnotesize, cells={anchor=west}}"),
                        QStringLiteral("legend pos=north west"),
                        QStringLiteral("label style={font=\\small}"),
                        QStringLiteral("tick label style={font=\\footnotesize}")};
    addScale(options, chart.x, QStringLiteral("x"));
    addScale(options, chart.y, QStringLiteral("y"));
    addCategories(options, chart.x);
    return QStringLiteral("  ") + options.join(QStringLiteral(",\n  "));
}

bool hasIntervals(const ChartSeries& series) {
    for (const ChartPoint& point : series.points)
        if (point.interval)
            return true;
    return false;
}

QString plotOptions(const ChartSeries& series, int index) {
    QStringList options{colorName(index)};
    if (series.kind == SeriesKind::Bars)
        options << QStringLiteral("ybar, bar width=8mm, bar shift=0pt, fill=%1").arg(colorName(index));
    else if (series.kind == SeriesKind::Line)
        options << dashName(series.dash) << QStringLiteral("thick");
    else
        options << QStringLiteral("only marks");
    if (series.kind != SeriesKind::Bars)
        options << (series.derived ? QStringLiteral("no marks")
                                   : QStringLiteral("mark=") + markName(series.marker));
    if (hasIntervals(series))
        options << QStringLiteral("error bars/.cd, y dir=both, y explicit");
    return options.join(QStringLiteral(", "));
}

QString dataRow(double x, double y, const std::optional<Interval>& interval) {
    const double plus = interval ? std::max(0.0, interval->high - y) : 0;
    const double minus = interval ? std::max(0.0, y - interval->low) : 0;
    return QStringLiteral("    %1 %2 %3 %4 \\\\\n").arg(number(x), number(y), number(plus), number(minus));
}

QString plotOf(const ChartSeries& series, int index) {
    QString text =
        QStringLiteral("  \\addplot+[%1]\n  table[x=x, y=y, y error plus=plus, y error minus=minus, "
                       "row sep=\\\\] {\n    x y plus minus \\\\\n")
            .arg(plotOptions(series, index));
    for (const ChartPoint& point : series.points) {
        if (series.kind == SeriesKind::Boxes)
            for (const double sample : point.samples)
                text += dataRow(point.x, sample, std::nullopt);
        else
            text += dataRow(point.x, point.y, point.interval);
    }
    text += QStringLiteral("  };\n");
    if (series.kind == SeriesKind::Line || series.kind == SeriesKind::Points)
        text += QStringLiteral("  \\addlegendentry{%1}\n").arg(latexText(series.name));
    return text;
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
    return QStringLiteral("  \\addplot[name path=%1low, draw=none, forget plot] coordinates { %2};\n"
                          "  \\addplot[name path=%1high, draw=none, forget plot] coordinates { %3};\n"
                          "  \\addplot[%1!22, forget plot] fill between[of=%1low and %1high];\n")
        .arg(name, low, high);
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
    return QStringLiteral(
               "  \\node[pin={[font=\\scriptsize]above left:{%3}}, circle, draw, inner sep=1.5pt] at "
               "(axis cs:%1,%2) {};\n")
        .arg(number(annotation.x), number(annotation.y), latexText(annotation.text));
}

} // namespace

QString latexText(const QString& text) {
    QString result;
    for (const QChar c : text) {
        if (QStringLiteral("#$%&_{}").contains(c))
            result += QLatin1Char('\\') + QString(c);
        else if (c == QLatin1Char('\\'))
            result += QStringLiteral("\\textbackslash{}");
        else if (c == QLatin1Char('^'))
            result += QStringLiteral("\\textasciicircum{}");
        else if (c == QLatin1Char('~'))
            result += QStringLiteral("\\textasciitilde{}");
        else if (c == QChar(u'×'))
            result += QStringLiteral("$\\times$");
        else if (c == QChar(u'µ'))
            result += QStringLiteral("$\\mu$");
        else
            result += c;
    }
    return result;
}

QByteArray chartToPgfplots(const ChartData& chart, QSizeF millimetres, const QSet<QString>& hidden) {
    QString text = QStringLiteral("\\documentclass[border=1mm]{standalone}\n\\usepackage[utf8]{inputenc}\n"
                                  "\\usepackage[T1]{fontenc}\n\\usepackage{pgfplots}\n"
                                  "\\pgfplotsset{compat=1.16}\n\\usepgfplotslibrary{fillbetween}\n");
    text += colorDefinitions(chart);
    text += QStringLiteral("\\begin{document}\n% ") +
            QString(chart.caption).replace(QLatin1Char('\n'), QLatin1Char(' ')) +
            QStringLiteral("\n\\begin{tikzpicture}\n\\begin{axis}[\n") + axisOptions(chart, millimetres) +
            QStringLiteral("\n]\n");
    for (int i = 0; i < static_cast<int>(chart.series.size()); ++i) {
        const ChartSeries& series = chart.series[static_cast<std::size_t>(i)];
        if (!hidden.contains(series.id))
            text += bandOf(series, i) + plotOf(series, i);
    }
    for (const ReferenceLine& line : chart.references)
        text += referenceOf(line);
    for (const ChartAnnotation& annotation : chart.annotations)
        text += annotationOf(annotation);
    text += QStringLiteral("\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n");
    return text.toUtf8();
}

} // namespace heteroscope::ui
