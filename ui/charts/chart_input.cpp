// SPDX-License-Identifier: GPL-3.0-or-later
// Readings of a study that every chart kind shares.
#include "ui/charts/chart_input.h"

#include "profiling/analysis/figure_text.h"
#include "profiling/analysis/headline.h"
#include "profiling/analysis/main_result.h"
#include "profiling/analysis/study_pairs.h"
#include "ui/charts/chart_text.h"
#include "ui/common/axis_text.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

bool isPowerOfTwo(double value) {
    return value >= 1 && value == std::floor(value) && std::exp2(std::round(std::log2(value))) == value;
}

void describeAxis(StudyAxis& axis) {
    axis.title = axisTitle(axis.pointer);
    axis.shortName = axisShortName(axis.pointer);
    axis.numeric = !axis.values.empty();
    axis.powersOfTwo = axis.values.size() > 1;
    for (const Json& value : axis.values) {
        const auto number = axisNumber(value);
        axis.numeric = axis.numeric && number;
        axis.powersOfTwo = axis.powersOfTwo && number && isPowerOfTwo(*number);
    }
}

} // namespace

AnalyzedStudyPtr analyzeStudy(profiling::Study study, const std::string& reference) {
    auto analyzed = std::make_shared<AnalyzedStudy>();
    analyzed->study = std::move(study);
    analyzed->results = profiling::summarizeStudy(analyzed->study, reference);
    analyzed->caption = phraseText(profiling::machineCaption(analyzed->study, analyzed->results));
    return analyzed;
}

namespace {

ChartInput analyzePairs(std::vector<profiling::Study> studies, const std::string& reference) {
    ChartInput input;
    if (studies.size() % 2 != 0) {
        input.refusal = ChartText::tr("%n runs are neither two nor whole pairs of A and B. Select an even "
                                      "number of runs that alternate: A B A B A B.",
                                      nullptr, static_cast<int>(studies.size()));
        return input;
    }
    std::vector<AnalyzedStudyPtr> all;
    std::vector<const profiling::Study*> given;
    for (const profiling::Study& study : studies)
        given.push_back(&study);
    const profiling::StudyPairing pairing = profiling::pairsByStart(given);
    input.refusal = phraseText(pairing.refusal);
    if (!pairing.refusal.empty())
        return input;
    std::vector<profiling::StudyPair> pairs;
    for (const auto& [a, b] : pairing.pairs) {
        for (const profiling::Study* side : {a, b})
            all.push_back(
                analyzeStudy(std::move(studies[static_cast<std::size_t>(side - studies.data())]), reference));
        pairs.push_back({&all[all.size() - 2]->study, &all.back()->study});
    }
    input.comparison = std::make_shared<const profiling::StudyComparison>(profiling::compareStudies(pairs));
    input.a = all[0];
    input.b = all[1];
    input.furtherPairs.assign(all.begin() + 2, all.end());
    return input;
}

profiling::Phrase headlineOf(const ChartInput& input, const profiling::StudyComparison& comparison) {
    profiling::Phrase said = profiling::headline(comparison);
    if (input.furtherPairs.empty())
        return said;
    return profiling::joined(
        {said, profiling::pairsSentence(1 + input.furtherPairs.size() / 2, comparison.tookTurns)}, " ");
}

ChartInput withHeadline(ChartInput input) {
    if (input.a)
        input.headline = phraseText(input.comparison ? headlineOf(input, *input.comparison)
                                                     : profiling::headline(input.a->study, input.a->results));
    return input;
}

} // namespace

ChartInput analyzeStudies(std::vector<profiling::Study> studies, const std::string& reference) {
    if (studies.size() > 2)
        return withHeadline(analyzePairs(std::move(studies), reference));
    ChartInput input;
    if (!studies.empty())
        input.a = analyzeStudy(std::move(studies[0]), reference);
    if (studies.size() > 1) {
        input.b = analyzeStudy(std::move(studies[1]), reference);
        input.comparison = std::make_shared<const profiling::StudyComparison>(
            profiling::compareStudies(input.a->study, input.b->study));
    }
    return withHeadline(std::move(input));
}

std::vector<ComparedStudy> comparedStudies(const ChartInput& input) {
    if (!input.comparison)
        return {};
    const bool pairs = !input.furtherPairs.empty();
    std::vector<ComparedStudy> all;
    const auto add = [&](const AnalyzedStudyPtr& study) {
        const QString letter = all.size() % 2 == 0 ? QStringLiteral("A") : QStringLiteral("B");
        all.push_back({pairs ? letter + QString::number(all.size() / 2 + 1) : letter, study});
    };
    add(input.a);
    add(input.b);
    for (const AnalyzedStudyPtr& study : input.furtherPairs)
        add(study);
    return all;
}

QString lettersText(const QStringList& letters, std::size_t studies) {
    return studies > 2 && static_cast<std::size_t>(letters.size()) == studies
               ? ChartText::tr("All %n studies", nullptr, static_cast<int>(studies))
               : letters.join(QStringLiteral(", "));
}

bool isShown(const ChartInput& input, const std::string& target) {
    return !input.options.hiddenTargets.contains(QString::fromStdString(target));
}

profiling::StudyComparison shownComparison(const ChartInput& input) {
    profiling::StudyComparison shown = *input.comparison;
    std::erase_if(shown.runs,
                  [&](const profiling::RunComparison& run) { return !isShown(input, run.target); });
    return shown;
}

QString headlineText(const ChartInput& input) {
    if (!input.comparison)
        return input.headline;
    const profiling::StudyComparison shown = shownComparison(input);
    if (shown.runs.size() == input.comparison->runs.size())
        return input.headline;
    if (shown.runs.empty())
        return ChartText::tr("Every target is hidden.");
    return phraseText(headlineOf(input, shown)) + QLatin1Char(' ') +
           ChartText::tr("Hidden targets are left out.");
}

bool isNetworkStudy(const profiling::Study& study) {
    return textField(study.experiment, "kind") == "network";
}

std::optional<double> axisNumber(const Json& value) {
    if (value.is_number())
        return value.get<double>();
    if (value.is_array() && value.size() == 2 && value[0].is_number() && value[0] == value[1])
        return value[0].get<double>();
    return std::nullopt;
}

std::vector<StudyAxis> studyAxes(const profiling::Study& study) {
    std::vector<StudyAxis> axes;
    for (const auto& run : study.runs) {
        for (const auto& item : run.point.items()) {
            const std::string& pointer = item.key();
            const Json& value = item.value();
            auto found = std::find_if(axes.begin(), axes.end(),
                                      [&](const StudyAxis& axis) { return axis.pointer == pointer; });
            if (found == axes.end())
                found = axes.insert(axes.end(), StudyAxis{pointer, {}, {}, {}, false, false});
            if (std::find(found->values.begin(), found->values.end(), value) == found->values.end())
                found->values.push_back(value);
        }
    }
    for (StudyAxis& axis : axes)
        describeAxis(axis);
    return axes;
}

std::optional<StudyAxis> mainAxis(const ChartInput& input) {
    std::optional<StudyAxis> best;
    for (const StudyAxis& axis : studyAxes(input.a->study)) {
        if (!axis.numeric || axis.values.size() < 2)
            continue;
        if (axis.pointer == input.options.xPointer)
            return axis;
        if (!best || axis.values.size() > best->values.size())
            best = axis;
    }
    return best;
}

QString pointTextWithout(const Json& point, const std::string& pointer) {
    QStringList parts;
    for (const auto& [key, value] : point.items())
        if (key != pointer)
            parts << QStringLiteral("%1 = %2").arg(axisShortName(key), formatJsonValue(value));
    return parts.join(QStringLiteral(", "));
}

QString pointText(const Json& point) {
    return pointTextWithout(point, {});
}

std::vector<const profiling::RunResult*> drawableRuns(const ChartInput& input) {
    std::vector<const profiling::RunResult*> runs;
    for (const auto& result : input.a->results.runs) {
        if (result.run && result.timeMs.n > 0 && isShown(input, result.run->target))
            runs.push_back(&result);
    }
    return runs;
}

std::vector<std::string> studyTargets(const profiling::Study& study) {
    std::vector<std::string> measured, all;
    const auto add = [](std::vector<std::string>& targets, const std::string& target) {
        if (std::find(targets.begin(), targets.end(), target) == targets.end())
            targets.push_back(target);
    };
    for (const auto& run : study.runs) {
        add(all, run.target);
        if (!run.samples.empty())
            add(measured, run.target);
    }
    return measured.empty() ? all : measured;
}

std::vector<std::string> studyPoints(const profiling::Study& study) {
    std::vector<std::string> points;
    for (const auto& run : study.runs) {
        const std::string text = run.point.dump();
        if (std::find(points.begin(), points.end(), text) == points.end())
            points.push_back(text);
    }
    return points;
}

std::string chosenPoint(const ChartInput& input) {
    if (!input.options.point.empty())
        return input.options.point;
    const auto main = profiling::mainResult(input.a->study, input.a->results);
    std::string last;
    for (const auto* result : drawableRuns(input)) {
        if (main && result->run->point == main->point())
            return result->run->point.dump();
        last = result->run->point.dump();
    }
    return last;
}

ChartPoint timePoint(const profiling::RunResult& result, double x, double factor) {
    ChartPoint point;
    const Summary& time = result.timeMs;
    point.x = x;
    point.y = time.median * factor;
    point.n = time.n;
    if (time.hasInterval)
        point.interval = Interval{time.ci95.low * factor, time.ci95.high * factor};
    if (time.n >= 5)
        point.quartiles = Interval{time.q1 * factor, time.q3 * factor};
    for (const double sample : result.run->timesMs())
        point.samples.push_back(sample * factor);
    point.outliers = time.outliers;
    return point;
}

QString verdictWord(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return ChartText::tr("FASTER");
    case Verdict::Slower:
        return ChartText::tr("SLOWER");
    case Verdict::Same:
        return ChartText::tr("SAME");
    case Verdict::Unclear:
        return ChartText::tr("UNCLEAR");
    case Verdict::NoResult:
        break;
    }
    return ChartText::tr("NO RESULT");
}

QString comparisonText(const Comparison& comparison) {
    const QString interval =
        comparison.hasInterval ? QStringLiteral("[%1, %2]")
                                     .arg(significant(comparison.ci95.low), significant(comparison.ci95.high))
                               : ChartText::tr("(n < 5)");
    return QStringLiteral("%1 %2, %3")
        .arg(formatSpeedup(comparison.ratio), interval, verdictWord(comparison.verdict));
}

QString overProcessesSentence(const ChartInput& input) {
    const auto runs = drawableRuns(input);
    const bool any = std::any_of(runs.begin(), runs.end(),
                                 [](const auto* result) { return result->timeMs.overProcesses; });
    return any ? QLatin1Char(' ') +
                     ChartText::tr("Of runs in three processes or more the median is the geometric mean of "
                                   "the processes' medians, and intervals are Student's over the processes.")
               : QString();
}

QString significant(double value, int digits) {
    return QString::fromStdString(profiling::significantText(value, digits));
}

QString intervalText(const Interval& ms) {
    const double scale = ms.high >= 1000 ? 1e-3 : ms.high >= 1 ? 1 : ms.high >= 1e-3 ? 1e3 : 1e6;
    const QString unit = millisecondsText(ms.high).section(QLatin1Char(' '), 1);
    return QStringLiteral("[%1, %2] %3").arg(significant(ms.low * scale), significant(ms.high * scale), unit);
}

QString millisecondsText(double ms) {
    if (ms >= 1000)
        return significant(ms / 1000) + QStringLiteral(" s");
    if (ms >= 1)
        return significant(ms) + QStringLiteral(" ms");
    if (ms >= 1e-3)
        return significant(ms * 1e3) + QStringLiteral(" µs");
    return significant(ms * 1e6) + QStringLiteral(" ns");
}

} // namespace heteroscope::ui
