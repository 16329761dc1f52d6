// SPDX-License-Identifier: GPL-3.0-or-later
// The HTML page of a report.
#include "ui/report/html_report.h"

#include "compute/base/printable.h"
#include "compute/base/units.h"
#include "ui/analyze/run_table.h"
#include "ui/charts/chart_text.h"
#include "ui/common/format.h"

#include <QUrl>

#include <algorithm>
#include <string_view>

namespace heteroscope::ui {

namespace {

constexpr char kStyle[] = R"css(
:root { color-scheme: light dark; --page: #ffffff; --text: #1a1c20; --muted: #5a6069; --line: #d7dae0; --card: #f6f7f9;
  --good: #1b6e3c; --bad: #b3261e; --unclear: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --page: #16181c; --text: #e6e8ec; --muted: #a4abb6; --line: #343942;
  --card: #1e2126; --good: #6fd39a; --bad: #ff8f86; --unclear: #f0b95a; } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.5rem; background: var(--page); color: var(--text);
  font: 16px/1.55 Inter, "Liberation Sans", "DejaVu Sans", sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { margin: 2.4rem 0 .6rem; border-bottom: 1px solid var(--line); }
h3 { margin: 1.8rem 0 .5rem; } .muted, figcaption, .files { color: var(--muted); font-size: .88rem; }
figure { margin: 1rem 0 2rem; } figure .sheet { background: #fff; border: 1px solid var(--line); border-radius: 6px;
  padding: .6rem; } figure svg { width: 100%; height: auto; display: block; }
figcaption { margin-top: .5rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .84rem; width: 100%; }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.headline { font-size: 1.15rem; font-weight: 600; }
.good { color: var(--good); font-weight: 600; } .bad { color: var(--bad); font-weight: 600; }
.unclear { color: var(--unclear); font-weight: 600; } .note { background: var(--card); border-radius: 6px;
  padding: .5rem .8rem; margin: .4rem 0; } pre { background: var(--card); padding: .8rem; border-radius: 6px;
  overflow-x: auto; font-size: .8rem; } dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dt { color: var(--muted); } dd { margin: 0; overflow-wrap: anywhere; }
@media print { body { max-width: none; } figure, table { break-inside: avoid; } }
)css";

/// As the command line shows it on a terminal.
QString visible(const std::string& text) {
    return QString::fromStdString(printable(text, "\n\t"));
}

QString escaped(const std::string& text) {
    return visible(text).toHtmlEscaped();
}

QString escaped(const QString& text) {
    return escaped(text.toStdString());
}

QString toneClass(CellTone tone) {
    switch (tone) {
    case CellTone::Good:
        return QStringLiteral("good");
    case CellTone::Bad:
        return QStringLiteral("bad");
    case CellTone::Unclear:
        return QStringLiteral("unclear");
    case CellTone::Muted:
        return QStringLiteral("muted");
    case CellTone::Plain:
        break;
    }
    return {};
}

// The drawing alone, without the XML declaration and document type that HTML does not allow.
QString inlineSvg(const QByteArray& svg, const QString& name) {
    QString text = visible(svg.toStdString());
    text = text.mid(std::max<qsizetype>(0, text.indexOf(QLatin1String("<svg"))));
    text.insert(4, QStringLiteral(" role=\"img\" aria-label=\"%1\"").arg(escaped(name)));
    return text;
}

QString fileLinks(const QStringList& files) {
    QStringList links;
    for (const QString& file : files)
        links << QStringLiteral("<a href=\"%1\">%2</a>")
                     .arg(QString::fromLatin1(QUrl::toPercentEncoding(file)),
                          escaped(file.mid(file.lastIndexOf('.') + 1).toUpper()));
    return QStringLiteral("<p class=\"files\">%1</p>\n").arg(links.join(QStringLiteral(" · ")));
}

QString figureHtml(const ReportFigure& figure) {
    QString html =
        QStringLiteral("<figure id=\"%1\"><h3>%2</h3>\n").arg(figure.chart.kind, escaped(figure.chart.title));
    for (const QString& finding : figure.chart.findings)
        html += QStringLiteral("<p><strong>%1.</strong></p>\n").arg(escaped(finding));
    html += QStringLiteral("<div class=\"sheet\">%1</div>\n<figcaption>%2</figcaption>\n")
                .arg(inlineSvg(figure.svg, figure.chart.title), escaped(figure.chart.caption));
    return html + fileLinks(figure.files) + QStringLiteral("</figure>\n");
}

QString tableHtml(const RunTable& table) {
    QString html = QStringLiteral("<div class=\"scroll\"><table><thead><tr>");
    for (const RunColumn& column : table.columns)
        html += QStringLiteral("<th%1 title=\"%2\">%3</th>")
                    .arg(column.numeric ? QStringLiteral(" class=\"number\"") : QString(),
                         escaped(column.meaning), escaped(column.title));
    html += QStringLiteral("</tr></thead>\n<tbody>\n");
    for (const auto& row : table.rows) {
        html += QStringLiteral("<tr>");
        for (std::size_t i = 0; i < row.size(); ++i)
            html += QStringLiteral("<td class=\"%1%2\">%3</td>")
                        .arg(table.columns[i].numeric ? QStringLiteral("number ") : QString(),
                             toneClass(row[i].tone), escaped(row[i].text));
        html += QStringLiteral("</tr>\n");
    }
    return html + QStringLiteral("</tbody></table></div>\n");
}

/// "memory_total_bytes" -> "memory total"; units stand at the value.
QString entryLabel(std::string key) {
    if (key == "bytes")
        return QStringLiteral("size");
    for (const char* unit : {"_bytes", "_mhz", "_gb_s", "_w"})
        if (key.ends_with(unit)) {
            key.resize(key.size() - std::string_view(unit).size());
            break;
        }
    return QString::fromStdString(key).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString numberEntry(const std::string& key, const Json& value) {
    const double number = value.get<double>();
    if (key.starts_with("memory_") && number == 0) // of a device that cannot be used
        return ChartText::tr("not known");
    if (key == "bytes" || key.ends_with("_bytes"))
        return QString::fromStdString(formatBytes(number));
    const QString text = value.is_number_float() ? numberText(number, 4) : numberText(number);
    return text + (key.ends_with("_mhz")    ? QStringLiteral(" MHz")
                   : key.ends_with("_gb_s") ? QStringLiteral(" GB/s")
                   : key.ends_with("_w")    ? QStringLiteral(" W")
                                            : QString());
}

QString valueEntry(const std::string& key, const Json& value) {
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (value.is_boolean())
        return value.get<bool>() ? ChartText::tr("yes") : ChartText::tr("no");
    if (value.is_number())
        return numberEntry(key, value);
    if (!value.is_structured())
        return ChartText::tr("not known");
    QStringList parts;
    for (const auto& [inner, one] : value.items())
        parts << (value.is_object() ? entryLabel(inner) + QLatin1Char(' ') : QString()) +
                     valueEntry(value.is_object() ? inner : key, one);
    return parts.isEmpty() ? ChartText::tr("none")
                           : parts.join(value.is_object() ? QStringLiteral(", ") : QStringLiteral("; "));
}

// Objects become "kernel / release" rows, and devices rows of their own; long texts stay out of the page and
// in the run file.
void addEntries(QString& html, const QString& name, const std::string& key, const Json& value, int depth) {
    const auto below = [&](const QString& part) {
        return name.isEmpty() ? part : name + QStringLiteral(" / ") + part;
    };
    const bool devices = value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& one) {
                             return one.is_object() && one.contains("id") && one["id"].is_string();
                         });
    if (value.is_object() && depth < 4) {
        for (const auto& [inner, one] : value.items())
            addEntries(html, below(entryLabel(inner)), inner, one, depth + 1);
        return;
    }
    if (devices && !value.empty() && depth < 4) {
        for (const Json& one : value)
            addEntries(html, QString::fromStdString(one["id"].get<std::string>()), key, one, depth + 1);
        return;
    }
    QString text = valueEntry(key, value);
    constexpr qsizetype kMost = 300;
    if (text.size() > kMost) // no half of a surrogate pair is left
        text = text.left(text.at(kMost - 1).isHighSurrogate() ? kMost - 1 : kMost) + QStringLiteral("…");
    html += QStringLiteral("<dt>%1</dt><dd>%2</dd>\n").arg(escaped(name), escaped(text));
}

QString notesHtml(const ReportSection& section) {
    QStringList seen;
    QString html;
    for (const ReportFigure& figure : section.figures)
        for (const ChartNote& note : figure.chart.notes) {
            if (seen.contains(note.text))
                continue;
            seen << note.text;
            html += QStringLiteral("<p class=\"note%1\">%2</p>\n")
                        .arg(note.level == NoteLevel::Warning ? QStringLiteral(" unclear") : QString(),
                             escaped(note.text));
        }
    for (const QString& left : section.left)
        html += QStringLiteral("<p class=\"muted\">%1</p>\n").arg(escaped(left));
    return html;
}

QString methodHtml(const AnalyzedStudy& analyzed) {
    return QStringLiteral("<p>%1</p><p class=\"muted\">%2</p>\n")
        .arg(escaped(ChartText::tr(
                         "Medians of samples taken after a warm-up, targets interleaved; intervals are "
                         "95 % intervals of the median, over processes where three or more took the samples, "
                         "else bootstrap intervals; outliers are marked and never dropped. A speedup is the "
                         "ratio of "
                         "medians against the "
                         "named reference, %1; UNCLEAR means that the samples do not settle which is faster.")
                         .arg(QString::fromStdString(analyzed.results.reference))),
             escaped(analyzed.caption));
}

QString sectionHtml(const ReportSection& section) {
    const profiling::Study& study = section.input.a->study;
    QString html = QStringLiteral("<section>\n<h2>%1</h2>\n<p class=\"muted\">%2 · %3 · %4 %5</p>\n")
                       .arg(escaped(study.name()), escaped(section.file), escaped(study.startedUtc),
                            escaped(study.program), escaped(study.version));
    if (!section.state.whole())
        html += QStringLiteral("<p class=\"note bad\">%1</p>\n").arg(escaped(section.state.sentence()));
    html += QStringLiteral("<p class=\"headline\">%1</p>\n").arg(escaped(section.input.headline));
    html += notesHtml(section);
    for (const ReportFigure& figure : section.figures)
        html += figureHtml(figure);
    html += QStringLiteral("<h3>%1</h3>\n").arg(escaped(ChartText::tr("All runs"))) +
            tableHtml(buildRunTable(section.input)) + fileLinks(section.tableFiles);
    html +=
        QStringLiteral("<h3>%1</h3>\n").arg(escaped(ChartText::tr("Method"))) + methodHtml(*section.input.a);
    html += QStringLiteral("<h3>%1</h3>\n<dl>\n").arg(escaped(ChartText::tr("Environment")));
    addEntries(html, {}, {}, study.environment, 0);
    html += QStringLiteral("</dl>\n<h3>%1</h3>\n<pre>%2</pre>\n</section>\n")
                .arg(escaped(ChartText::tr("Experiment")), escaped(study.experiment.dump(2)));
    return html;
}

} // namespace

QByteArray htmlReport(const std::vector<ReportSection>& sections) {
    const QString title = ChartText::tr("Heteroscope report");
    QString html = QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                  "<meta name=\"generator\" content=\"Heteroscope\">\n"
                                  "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                  "<title>%1</title>\n<style>%2</style>\n</head>\n<body>\n<h1>%1</h1>\n")
                       .arg(escaped(title), QLatin1String(kStyle));
    for (const ReportSection& section : sections)
        html += sectionHtml(section);
    return (html + QStringLiteral("</body>\n</html>\n")).toUtf8();
}

} // namespace heteroscope::ui
