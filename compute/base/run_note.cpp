// SPDX-License-Identifier: Apache-2.0
#include "compute/base/run_note.h"

#include "compute/base/json_fields.h"
#include "compute/base/run_words.h"
#include "compute/base/units.h"

#include <utility>

namespace heteroscope {
namespace {

constexpr const char *kNoteCode = "code", *kNoteGovernor = "governor", *kNoteLoadAverage = "load_average",
                     *kNoteCores = "cores", *kNoteOtherThreads = "other_threads",
                     *kNoteProcesses = "processes", *kNoteNeeded = "processes_needed", *kNoteCause = "cause";

Phrase loadPhrase(const Json& note) {
    const auto load = numberField(note, kNoteLoadAverage);
    const auto cores = countField(note, kNoteCores);
    return load && cores ? say(run_words::kLoad, {formatFixed(*load, 2), std::to_string(*cores)}) : Phrase();
}

Phrase waitingPhrase(const Json& note) {
    const auto others = numberField(note, kNoteOtherThreads);
    return others ? say(run_words::kPassiveWaiting, {formatFixed(*others, 1)}) : Phrase();
}

Phrase causePhrase(const std::string& cause, const std::string& needed) {
    if (cause == few_processes::kSamplesAsked)
        return say(run_words::kSamplesAsked, {needed});
    if (cause == few_processes::kProcessesAsked)
        return say(run_words::kProcessesAsked, {needed});
    if (cause == few_processes::kTrainedOnce)
        return say(run_words::kTrainedOnce, {needed, needed});
    return {};
}

Phrase processesPhrase(const Json& note) {
    const auto processes = countField(note, kNoteProcesses), needed = countField(note, kNoteNeeded);
    if (!processes || !needed)
        return {};
    Phrase cause = causePhrase(textField(note, kNoteCause), std::to_string(*needed));
    if (cause.empty())
        return {};
    return *processes == 1 ? say(run_words::kOneProcess, {std::move(cause)})
                           : say(run_words::kProcesses, {std::to_string(*processes), std::move(cause)});
}

} // namespace

Json debugBuildNote() {
    return {{kNoteCode, note_code::kDebugBuild}};
}

Json governorNote(const std::string& governor) {
    return {{kNoteCode, note_code::kCpuGovernor}, {kNoteGovernor, governor}};
}

Json loadAverageNote(double loadAverage, std::int64_t cores) {
    return {{kNoteCode, note_code::kLoadAverage}, {kNoteLoadAverage, loadAverage}, {kNoteCores, cores}};
}

Json passiveWaitingNote(double otherThreads) {
    return {{kNoteCode, note_code::kPassiveWaiting}, {kNoteOtherThreads, otherThreads}};
}

Json fewProcessesNote(std::int64_t processes, std::int64_t needed, std::string_view cause) {
    return {{kNoteCode, note_code::kFewProcesses},
            {kNoteProcesses, processes},
            {kNoteNeeded, needed},
            {kNoteCause, cause}};
}

Phrase notePhrase(const Json& note) {
    const std::string code = textField(note, kNoteCode);
    if (code == note_code::kDebugBuild)
        return say(run_words::kDebugBuild);
    if (code == note_code::kCpuGovernor) {
        const std::string governor = textField(note, kNoteGovernor);
        return governor.empty() ? Phrase() : say(run_words::kGovernor, {governor});
    }
    if (code == note_code::kLoadAverage)
        return loadPhrase(note);
    if (code == note_code::kPassiveWaiting)
        return waitingPhrase(note);
    return code == note_code::kFewProcesses ? processesPhrase(note) : Phrase();
}

void addNote(Json& environment, Json note) {
    environment["notes"].push_back(notePhrase(note).text());
    environment["note_codes"].push_back(std::move(note));
}

} // namespace heteroscope
