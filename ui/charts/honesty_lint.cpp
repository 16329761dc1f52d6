// SPDX-License-Identifier: GPL-3.0-or-later
// Honesty notes.
#include "ui/charts/honesty_lint.h"

#include "compute/base/run_words.h"
#include "compute/base/statistics.h"
#include "compute/core/target.h"
#include "profiling/analysis/device_clocks.h"
#include "profiling/analysis/disturbed.h"
#include "profiling/analysis/recorded_phrase.h"
#include "profiling/analysis/settling.h"
#include "profiling/analysis/study_notes.h"
#include "profiling/analysis/warm_up.h"
#include "ui/charts/chart_text.h"
#include "ui/common/phrase_text.h"

#include <algorithm>
#include <map>
#include <utility>

namespace heteroscope::ui {

namespace {

using Notes = std::vector<ChartNote>;

void warn(Notes& notes, const QString& text) {
    notes.push_back({NoteLevel::Warning, text});
}

void fewSamples(Notes& notes, const ChartInput& input) {
    int few = 0;
    for (const auto* result : drawableRuns(input))
        few += result->timeMs.hasInterval ? 0 : 1;
    if (few > 0)
        warn(notes, ChartText::tr("Runs with fewer than 5 samples: %1. They are drawn as dots without an "
                                  "interval. Run again with preset standard.")
                        .arg(few));
}

/// A warning where a run's times are also those of other programs; less stands among the notes.
bool anyTooDisturbed(const profiling::Study& study) {
    return std::any_of(study.runs.begin(), study.runs.end(), [](const profiling::StudyRun& run) {
        return profiling::isTooDisturbed(profiling::disturbedSamples(run));
    });
}

void disturbed(Notes& notes, const profiling::Study& study) {
    if (const auto found = profiling::disturbedSamples(study); anyTooDisturbed(study))
        warn(notes, ChartText::tr("Disturbed samples: %1 of %2. Something else ran on processors that they "
                                  "needed. Wait until the machine is quiet, and run again.")
                        .arg(found.disturbed)
                        .arg(found.known));
}

void outputs(Notes& notes, const ChartInput& input) {
    int differ = 0, unchecked = 0;
    for (const auto* result : drawableRuns(input)) {
        differ += result->equalWork == "differs";
        unchecked += result->equalWork == "not checked";
    }
    if (differ > 0)
        warn(notes, ChartText::tr(
                        "Runs whose output differs from sequential's: %1. Their times are not of equal work.")
                        .arg(differ));
    else if (unchecked > 0)
        notes.push_back(
            {NoteLevel::Info, ChartText::tr("Runs whose output was not checked: %1.").arg(unchecked)});
}

bool saysDebug(const Json& environment) {
    const Json::json_pointer debug("/compiler/debug");
    return environment.contains(debug) && environment.at(debug) == true;
}

void machine(Notes& notes, const profiling::Study& study, bool traced) {
    if (saysDebug(study.environment))
        warn(notes,
             ChartText::tr(
                 "Measured with a debug build: do not print these times. Build release and run again."));
    const auto inform = [&notes](const profiling::Phrase& phrase) {
        QString sentence = phraseText(phrase);
        if (sentence.isEmpty())
            return;
        sentence[0] = sentence[0].toUpper();
        if (!sentence.endsWith(QLatin1Char('.')))
            sentence += QLatin1Char('.');
        notes.push_back({NoteLevel::Info, sentence});
    };
    if (!traced)
        inform(profiling::tracingOverheadNote(study));
    inform(profiling::timeLimitNote(study));
    inform(profiling::launchedNote(study));
    inform(profiling::stepTimesNote(study));
    inform(profiling::fullTeamNote(study));
    if (!anyTooDisturbed(study))
        inform(profiling::disturbedNote(study));
    inform(profiling::warmUpNote(study));
    inform(profiling::cacheNote(study));
    inform(profiling::clockNote(study));
    inform(profiling::deviceClockNote(study));
    inform(profiling::machineStateNote(study));
    for (const profiling::Phrase& note : profiling::environmentNotes(study))
        if (note.format != run_words::kDebugBuild) // the warning above says it
            inform(note);
}

QString cpuName(const profiling::Study& study) {
    for (const Json& device : study.devices)
        if (textField(device, "id") == "cpu")
            return QString::fromStdString(textField(device, "name"));
    return {};
}

bool isParallelOnOneThread(const std::string& target) {
    const auto parsed = compute::parseTarget(target);
    if (!parsed)
        return false;
    const auto threads = parsed->options.find("threads");
    return threads != parsed->options.end() && threads->second == "1";
}

void reference(Notes& notes, const ChartInput& input, const ChartData& chart) {
    if (chart.kind != QLatin1String("speedup"))
        return;
    const auto& results = input.a->results;
    const bool measured = std::any_of(results.runs.begin(), results.runs.end(), [&](const auto& result) {
        return result.run && result.run->target == results.reference && result.timeMs.n > 0;
    });
    if (!measured)
        warn(notes,
             ChartText::tr("The reference %1 has no result.").arg(QString::fromStdString(results.reference)));
    if (isParallelOnOneThread(results.reference))
        notes.push_back(
            {NoteLevel::Info, ChartText::tr("The reference is parallel code on one thread; the best serial "
                                            "implementation is the fairer one.")});
}

/// What standardPresetText() and settlingText() say, in the window's language.
QString settlingSentences(const std::vector<profiling::Doubt>& doubts,
                          const std::vector<Comparison>& comparisons, const profiling::Study& study) {
    const auto timeText = [](double seconds) {
        return QString::fromStdString(profiling::settlingTimeText(seconds));
    };
    QStringList sentences;
    if (const auto standard = profiling::standardPreset(doubts, study))
        sentences << (standard->waits
                          ? ChartText::tr("Preset standard takes about %1 at most, beside waiting "
                                          "for a quiet machine.")
                          : ChartText::tr("Preset standard takes about %1 at most."))
                         .arg(timeText(standard->seconds));
    const auto settling = profiling::settlingOf(comparisons, profiling::secondsPerProcess(study));
    if (settling.settled > 0)
        sentences << ChartText::tr(
                         "As many as %1 processes (sampling, processes) would settle %2 of them, if "
                         "all are like those that there are, in about %3.")
                         .arg(QString::number(settling.processes), QString::number(settling.settled),
                              timeText(settling.seconds));
    if (settling.open > 0)
        sentences
            << ChartText::tr("Of %1, not even %2 processes would.").arg(settling.open).arg(kMostProcesses);
    return sentences.join(QLatin1Char(' '));
}

/// What unclearAdvice() says, in the window's language, and of a single study what would settle it.
void unclear(Notes& notes, const ChartData& chart, const profiling::Study* study) {
    std::map<profiling::Doubt, int> counts;
    std::vector<profiling::Doubt> doubts;
    std::vector<Comparison> comparisons;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            if (point.doubt != profiling::Doubt::None) {
                ++counts[point.doubt];
                doubts.push_back(point.doubt);
                if (point.comparison)
                    comparisons.push_back(*point.comparison);
            }
    if (doubts.empty())
        return;
    QString text = ChartText::tr("UNCLEAR comparisons: %1.").arg(doubts.size());
    for (const auto& [doubt, count] : counts)
        text += QLatin1Char(' ') + ChartText::tr("Of %1: %2; %3.")
                                       .arg(QString::number(count),
                                            ChartText::tr(profiling::doubtText(doubt).c_str()),
                                            ChartText::tr(profiling::doubtAdvice(doubt).c_str()));
    if (study != nullptr)
        if (const QString settling = settlingSentences(doubts, comparisons, *study); !settling.isEmpty())
            text += QLatin1Char(' ') + settling;
    notes.push_back({NoteLevel::Info, text});
}

bool lacksRuns(const profiling::Study& study) {
    return std::any_of(study.runs.begin(), study.runs.end(), [](const profiling::StudyRun& run) {
        return run.status == profiling::StudyRunStatus::Planned ||
               run.status == profiling::StudyRunStatus::Running ||
               run.status == profiling::StudyRunStatus::Cancelled;
    });
}

/// Of the presets that take several: samples of some run come from fewer processes than they should.
bool lacksProcesses(const profiling::Study& study) {
    const Json::json_pointer preset("/sampling/preset");
    if (!study.experiment.contains(preset) || study.experiment.at(preset) == "quick")
        return false;
    return std::any_of(study.runs.begin(), study.runs.end(), [](const profiling::StudyRun& run) {
        const std::size_t processes = run.processTimesMs().size();
        return run.status == profiling::StudyRunStatus::Ok && processes > 0 &&
               processes < kProcessesForVerdict;
    });
}

void interrupted(Notes& notes, const profiling::Study& study) {
    if (!study.ended || study.endStatus == "done")
        return;
    QString text = ChartText::tr("The study ended as \"%1\".");
    if (lacksRuns(study))
        text = ChartText::tr("The study ended as \"%1\": later runs are missing.");
    else if (lacksProcesses(study))
        text = ChartText::tr("The study ended as \"%1\": no run is missing, but samples of later processes "
                             "are.");
    const QString status = study.endStatus == "failed"      ? ChartText::tr("failed", "a study")
                           : study.endStatus == "cancelled" ? ChartText::tr("cancelled", "a study")
                                                            : QString::fromStdString(study.endStatus);
    warn(notes, text.arg(status));
}

/// On what chart.kind draws of input.a.
Notes notesOnA(const ChartInput& input, const ChartData& chart) {
    Notes notes;
    if (!chart.ofTracedSamples)
        fewSamples(notes, input);
    disturbed(notes, input.a->study);
    outputs(notes, input);
    machine(notes, input.a->study, chart.ofTracedSamples);
    interrupted(notes, input.a->study);
    reference(notes, input, chart);
    return notes;
}

struct LetteredNote {
    ChartNote note;
    QStringList letters; ///< of the studies that it is true of
};

/// One note of each study for all that is true of it alone, warnings apart; behind what is true of several.
Notes groupedByStudies(std::vector<LetteredNote> lettered, std::size_t studies) {
    std::stable_sort(lettered.begin(), lettered.end(), [](const LetteredNote& a, const LetteredNote& b) {
        return a.letters.size() > b.letters.size();
    });
    Notes notes;
    std::map<std::pair<QString, NoteLevel>, std::size_t> own; // where it is among the notes
    for (const LetteredNote& each : lettered) {
        const QString text = lettersText(each.letters, studies) + QStringLiteral(": ") + each.note.text;
        const auto [place, isNew] =
            own.try_emplace({each.letters.join(QLatin1Char(' ')), each.note.level}, notes.size());
        if (each.letters.size() > 1 || studies == 2 || isNew)
            notes.push_back({each.note.level, text});
        else
            notes[place->second].text += QLatin1Char(' ') + each.note.text;
    }
    return notes;
}

/// All studies of a comparison by their letters; what is true of several is said once.
Notes notesOnEach(const ChartInput& input, const ChartData& chart) {
    std::vector<LetteredNote> all;
    const std::vector<ComparedStudy> studies = comparedStudies(input);
    for (const ComparedStudy& one : studies) {
        ChartInput alone = input;
        alone.a = one.study;
        for (const ChartNote& note : notesOnA(alone, chart)) {
            const auto known = std::find_if(all.begin(), all.end(), [&](const LetteredNote& other) {
                return other.note.text == note.text;
            });
            if (known != all.end())
                known->letters << one.letter;
            else
                all.push_back({note, {one.letter}});
        }
    }
    return groupedByStudies(std::move(all), studies.size());
}

void outputsOfBoth(Notes& notes, const profiling::StudyComparison& comparison) {
    const auto differ = std::count_if(
        comparison.runs.begin(), comparison.runs.end(),
        [](const profiling::RunComparison& run) { return run.comparison && run.outputsDiffer; });
    if (differ > 0)
        warn(notes, ChartText::tr(
                        "Runs whose output differs between A and B: %1. Their times are not of equal work.")
                        .arg(differ));
}

} // namespace

std::vector<ChartNote> honestyNotes(const ChartInput& input, const ChartData& chart) {
    if (!input.comparison || chart.kind != QLatin1String("ratio")) {
        Notes notes = notesOnA(input, chart);
        if (!chart.ofTracedSamples)
            unclear(notes, chart, &input.a->study);
        return notes;
    }
    Notes notes;
    outputsOfBoth(notes, shownComparison(input));
    const std::vector<ComparedStudy> compared = comparedStudies(input);
    if (std::any_of(compared.begin(), compared.end(), [&](const ComparedStudy& one) {
            return cpuName(one.study->study) != cpuName(input.a->study);
        }))
        warn(notes, compared.size() == 2 ? ChartText::tr("The two studies ran on different machines.")
                                         : ChartText::tr("The studies ran on different machines."));
    unclear(notes, chart, nullptr);
    const Notes studies = notesOnEach(input, chart);
    notes.insert(notes.end(), studies.begin(), studies.end());
    std::stable_partition(notes.begin(), notes.end(),
                          [](const ChartNote& note) { return note.level == NoteLevel::Warning; });
    return notes;
}

} // namespace heteroscope::ui
