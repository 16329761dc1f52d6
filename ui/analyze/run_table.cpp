// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the table of runs.
#include "ui/analyze/run_table.h"

#include "profiling/analysis/figures.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/warm_up.h"
#include "profiling/stream/study_codec.h"
#include "ui/charts/chart_text.h"
#include "ui/common/figure_text.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"

#include <algorithm>

namespace heteroscope::ui {

namespace {

RunCell textCell(const QString& text, CellTone tone = CellTone::Plain) {
    return {text, text, tone};
}

/// A word of ours: the one that is shown, and the code that files hold in every language.
RunCell wordCell(std::string_view code, const QString& shown, CellTone tone) {
    return {shown, QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size())), tone};
}

RunCell ratioCell(double ratio) {
    return {formatSpeedup(ratio), ratio, CellTone::Plain};
}

RunCell countCell(std::size_t value) {
    return {countText(static_cast<std::int64_t>(value)), static_cast<qlonglong>(value), CellTone::Plain};
}

/// A key of the table's CSV that the dictionary of figures has: others do not compile.
struct RunKey {
    consteval RunKey(const char* key) : text(key), figure(&profiling::figureAt("runs", key)) {}
    const char* text;
    const profiling::Figure* figure;
};
/// One of an interval, whose ends are two columns of the CSV.
struct IntervalKey {
    consteval IntervalKey(const char* key) : text(key), figure(&profiling::figureAt("runs", key, "_low")) {}
    const char* text;
    const profiling::Figure* figure;
};

template <typename Key>
RunColumn columnOf(const Key& key, bool numeric, bool print, bool interval) {
    return {QLatin1String(key.text),   figureTitle(*key.figure), numeric, print, interval,
            figureMeaning(*key.figure)};
}

/// Collects a row and, with the first one, the columns.
class RowBuilder {
  public:
    RowBuilder(RunTable& table) : m_table(table), m_first(table.rows.empty()) {}
    ~RowBuilder() { m_table.rows.push_back(std::move(m_cells)); }
    void add(RunKey key, RunCell cell, bool numeric = true, bool print = false) {
        if (m_first)
            m_table.columns.push_back(columnOf(key, numeric, print, false));
        m_cells.push_back(std::move(cell));
    }
    void addAxis(const QString& key, const QString& title, RunCell cell, bool numeric) {
        if (m_first)
            m_table.columns.push_back({key, title, numeric, true, false, key});
        m_cells.push_back(std::move(cell));
    }

    void addInterval(IntervalKey key, RunCell cell, bool print) {
        if (m_first)
            m_table.columns.push_back(columnOf(key, false, print, true));
        m_cells.push_back(std::move(cell));
    }

  private:
    RunTable& m_table;
    bool m_first;
    std::vector<RunCell> m_cells;
};

void addPoint(RowBuilder& row, const std::vector<StudyAxis>& axes, const Json& point) {
    for (const StudyAxis& axis : axes) {
        RunCell cell;
        const auto found = point.find(axis.pointer);
        if (found != point.end()) {
            const auto number = axisNumber(*found);
            cell = number ? RunCell{numberText(*number, 10), *number, CellTone::Plain}
                          : textCell(formatJsonValue(*found));
        }
        row.addAxis(QString::fromStdString(axis.pointer), axis.shortName, cell, axis.numeric);
    }
}

QString statusWord(profiling::StudyRunStatus status) {
    using Status = profiling::StudyRunStatus;
    switch (status) {
    case Status::Planned:
        return ChartText::tr("planned");
    case Status::Running:
        return ChartText::tr("running");
    case Status::Ok:
        return ChartText::tr("ok");
    case Status::Failed:
        return ChartText::tr("failed");
    case Status::Skipped:
        return ChartText::tr("skipped");
    case Status::Cancelled:
        return ChartText::tr("cancelled");
    }
    return {};
}

CellTone statusTone(profiling::StudyRunStatus status) {
    using Status = profiling::StudyRunStatus;
    if (status == Status::Ok)
        return CellTone::Plain;
    if (status == Status::Failed)
        return CellTone::Bad;
    return status == Status::Skipped ? CellTone::Unclear : CellTone::Muted;
}

RunCell statusCell(profiling::StudyRunStatus status) {
    return wordCell(profiling::runStatusName(status), statusWord(status), statusTone(status));
}

/// A sentence of the run file: shown in the window's language, exported in English.
RunCell sentenceCell(const profiling::Phrase& sentence, CellTone tone = CellTone::Plain) {
    return {phraseText(sentence), QString::fromStdString(sentence.text()), tone};
}

RunCell equalWorkCell(const std::string& text) {
    const CellTone tone = text == "differs"       ? CellTone::Bad
                          : text == "not checked" ? CellTone::Muted
                                                  : CellTone::Plain;
    return sentenceCell(profiling::recordedPhrase(text), tone);
}

RunCell fewSamplesCell() {
    return {ChartText::tr("n < 5"), {}, CellTone::Muted};
}

RunCell intervalCell(const Interval& interval, bool known) {
    if (!known)
        return fewSamplesCell();
    return {QStringLiteral("[%1, %2]").arg(significant(interval.low), significant(interval.high)),
            interval.low, CellTone::Plain, interval.high};
}

/// What verdicts over processes and pairs look at.
bool hasInterval98(const Comparison& comparison) {
    return comparison.overProcesses || comparison.overPairs;
}

/// With `wider` the 98 % interval, too.
void addSpeedup(RowBuilder& row, const std::optional<Comparison>& comparison, bool isReference = false,
                bool wider = false) {
    const bool has = comparison && comparison->ratio > 0;
    row.add("speedup", has ? ratioCell(comparison->ratio) : RunCell{}, true, true);
    row.addInterval("speedup_ci95",
                    has && !isReference ? intervalCell(comparison->ci95, comparison->hasInterval) : RunCell{},
                    false);
    if (wider)
        row.addInterval("speedup_ci98",
                        has && hasInterval98(*comparison) ? intervalCell(comparison->ci98, true) : RunCell{},
                        false);
    if (isReference && has)
        return row.add("verdict", wordCell("reference", ChartText::tr("reference"), CellTone::Muted), false,
                       true);
    const Verdict verdict = comparison ? comparison->verdict : Verdict::NoResult;
    row.add("verdict", wordCell(verdictName(verdict), verdictWord(verdict), verdictTone(verdict)), false,
            true);
}

RunCell timeCell(double ms) {
    return {millisecondsText(ms), ms, CellTone::Plain};
}

RunCell timeIntervalCell(const Summary& time) {
    if (time.n == 0)
        return {};
    if (!time.hasInterval)
        return fewSamplesCell();
    return {intervalText(time.ci95), time.ci95.low, CellTone::Plain, time.ci95.high};
}

void addMedian(RowBuilder& row, const Summary& time) {
    const bool any = time.n > 0;
    row.add("median_ms", any ? timeCell(time.median) : RunCell{}, true, true);
    row.addInterval("median_ci95_ms", timeIntervalCell(time), true);
}

void addStatistics(RowBuilder& row, const Summary& time) {
    const auto cell = [any = time.n > 0](double value) { return any ? timeCell(value) : RunCell{}; };
    row.add("n", countCell(time.n), true, true);
    row.add("outliers", countCell(time.outlierCount));
    row.add("min_ms", cell(time.min));
    row.add("q1_ms", cell(time.q1));
    row.add("q3_ms", cell(time.q3));
    row.add("max_ms", cell(time.max));
    row.add("mean_ms", cell(time.mean));
    row.add("sd_ms", cell(time.sd));
}

void addRun(RunTable& table, const profiling::RunResult& result, const std::vector<StudyAxis>& axes,
            const std::string& reference) {
    const profiling::StudyRun& run = *result.run;
    RowBuilder row(table);
    row.add("run", countCell(static_cast<std::size_t>(run.run) + 1));
    addPoint(row, axes, run.point);
    row.add("target", textCell(QString::fromStdString(run.target)), false, true);
    row.add("status", statusCell(run.status), false);
    addMedian(row, result.timeMs);
    addSpeedup(row, result.speedup, run.target == reference);
    row.add("equal_work", equalWorkCell(result.equalWork), false, true);
    addStatistics(row, result.timeMs);
    row.add("first_use_ms", run.firstUseMs > 0 ? timeCell(run.firstUseMs) : RunCell{});
    row.add("stop_rule", sentenceCell(profiling::stopRulePhrase(run)), false);
    const profiling::Phrase warmUp = profiling::warmUpText(run);
    row.add("warm_up", RunCell{phraseText(warmUp), QString::fromStdString(warmUp.text()), CellTone::Plain},
            false);
    row.add("implementation", textCell(QString::fromStdString(run.implementation)), false);
    row.add("reason", sentenceCell(profiling::recordedPhrase(run.reason), CellTone::Unclear), false);
}

RunTable comparisonTable(const ChartInput& input) {
    RunTable table;
    const auto axes = studyAxes(input.a->study);
    const auto runs = shownComparison(input).runs;
    const bool wider = std::any_of(runs.begin(), runs.end(), [](const profiling::RunComparison& run) {
        return run.comparison && hasInterval98(*run.comparison);
    });
    for (const auto& run : runs) {
        RowBuilder row(table);
        addPoint(row, axes, run.point);
        row.add("target", textCell(QString::fromStdString(run.target)), false, true);
        row.add("median_a_ms", run.medianAMs > 0 ? timeCell(run.medianAMs) : RunCell{}, true, true);
        row.add("median_b_ms", run.medianBMs > 0 ? timeCell(run.medianBMs) : RunCell{}, true, true);
        addSpeedup(row, run.comparison, false, wider);
        row.add("n_a", countCell(run.samplesA), true, true);
        row.add("n_b", countCell(run.samplesB), true, true);
        if (!input.furtherPairs.empty())
            row.add("pairs", countCell(run.pairRatios.size()), true, true);
        row.add("note", textCell(QString::fromStdString(run.note)), false);
    }
    return table;
}

} // namespace

int RunTable::column(const QString& key) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].key == key)
            return static_cast<int>(i);
    return -1;
}

RunTable buildRunTable(const ChartInput& input) {
    if (!input.a)
        return {};
    if (input.comparison)
        return comparisonTable(input);
    RunTable table;
    const auto axes = studyAxes(input.a->study);
    for (const auto& result : input.a->results.runs)
        if (result.run)
            addRun(table, result, axes, input.a->results.reference);
    return table;
}

CellTone verdictTone(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return CellTone::Good;
    case Verdict::Slower:
        return CellTone::Bad;
    case Verdict::Unclear:
        return CellTone::Unclear;
    case Verdict::Same:
    case Verdict::NoResult:
        break;
    }
    return CellTone::Muted;
}

} // namespace heteroscope::ui
