// SPDX-License-Identifier: Apache-2.0
// Applies the frames of a study to a Study value.
#include "profiling/stream/stream_reader.h"
#include "profiling/stream/study_codec.h"
#include "profiling/stream/training_codec.h"

#include <algorithm>
#include <optional>

namespace heteroscope::profiling {

namespace {

/// The run that a payload's field "run" names, or null with the error set in `status`.
StudyRun* runOf(Study& study, Payload& payload, Status& status) {
    const auto index = static_cast<std::size_t>(payload.whole("run", 0, std::numeric_limits<int>::max()));
    status = payload.status();
    if (!status)
        return nullptr;
    if (index < study.runs.size())
        return &study.runs[index];
    status = payload.wrong("run", "one of the " + std::to_string(study.runs.size()) + " runs defined before",
                           std::to_string(index));
    return nullptr;
}

Status addRun(Study& study, Payload& payload) {
    StudyRun run = decodeRun(payload);
    if (payload.error())
        return *payload.error();
    if (run.run != static_cast<int>(study.runs.size()))
        return payload.wrong("run", "the next run, " + std::to_string(study.runs.size()),
                             std::to_string(run.run));
    study.runs.push_back(std::move(run));
    return {};
}

/// The number of the last sample of the same sort: warm-ups, traced and timed ones are numbered apart.
std::optional<int> lastNumber(const StudyRun& run, const StudySample& sample) {
    const auto last = std::find_if(run.samples.rbegin(), run.samples.rend(), [&](const StudySample& other) {
        return other.warmup == sample.warmup && other.traced == sample.traced;
    });
    return last == run.samples.rend() ? std::nullopt : std::optional(last->sample);
}

Status addSample(Study& study, Payload& payload, StudyBuilder::Repeated repeated) {
    Status status;
    StudyRun* const run = runOf(study, payload, status);
    if (!run)
        return status;
    StudySample sample = decodeSample(payload);
    if (payload.error())
        return *payload.error();
    if (const auto last = lastNumber(*run, sample);
        repeated == StudyBuilder::Repeated::Refused && last && sample.sample <= *last)
        return payload.wrong("sample",
                             "a number above " + std::to_string(*last) + ", the one before in run " +
                                 std::to_string(sample.run),
                             std::to_string(sample.sample));
    if (run->status == StudyRunStatus::Planned)
        run->status = StudyRunStatus::Running;
    run->samples.push_back(sample);
    return {};
}

Status endRun(Study& study, Payload& payload) {
    Status status;
    StudyRun* const run = runOf(study, payload, status);
    if (!run)
        return status;
    StudyRun outcome = *run;
    decodeRunEnd(payload, outcome);
    if (payload.error())
        return *payload.error();
    if (runStatusName(outcome.status) != payload.text("status"))
        return payload.wrong("status", "planned, running, ok, failed, skipped or cancelled",
                             payload.text("status"));
    *run = std::move(outcome);
    if (study.activity && study.activity->run == run->run)
        study.activity.reset();
    return {};
}

Status addMetric(Study& study, Payload& payload) {
    Status status;
    StudyRun* const run = runOf(study, payload, status);
    if (!run)
        return status;
    const std::string name = payload.text("name");
    const auto value = payload.json().find("value");
    if (payload.error())
        return *payload.error();
    if (value == payload.json().end())
        return payload.wrong("value", "a value", "nothing");
    run->metrics[name] = *value;
    return {};
}

Status addTraining(Study& study, Payload& payload) {
    Status status;
    StudyRun* const run = runOf(study, payload, status);
    if (!run)
        return status;
    auto event = decodeTraining(payload);
    if (!event)
        return event.error();
    const Status added = run->training.add(std::move(*event));
    return added ? added : Status(payload.wrong(added.error()));
}

Status endStudy(Study& study, Payload& payload) {
    const std::string status = payload.text("status"), reason = payload.text("reason", "");
    if (payload.error())
        return *payload.error();
    study.ended = true;
    study.activity.reset();
    study.endStatus = status;
    study.endReason = reason;
    return {};
}

/// Decodes into a value and keeps it only when every field was right.
template <class T, class Keep>
Status keepIfRight(Payload& payload, T value, Keep keep) {
    if (payload.error())
        return *payload.error();
    keep(std::move(value));
    return {};
}

Status applyPayload(Study& study, FrameKind kind, Payload& payload, StudyBuilder::Repeated repeated) {
    switch (kind) {
    case FrameKind::Header: {
        Study header = study;
        decodeHeader(payload, header);
        return keepIfRight(payload, std::move(header), [&](Study&& value) { study = std::move(value); });
    }
    case FrameKind::Environment:
        study.environment = payload.takeJson();
        return {};
    case FrameKind::Experiment:
        study.experiment = payload.takeJson();
        return {};
    case FrameKind::Device:
        study.devices.push_back(payload.takeJson());
        return {};
    case FrameKind::Run:
        return addRun(study, payload);
    case FrameKind::Sample:
        return addSample(study, payload, repeated);
    case FrameKind::RunEnd:
        return endRun(study, payload);
    case FrameKind::Metric:
        return addMetric(study, payload);
    case FrameKind::Training:
        return addTraining(study, payload);
    case FrameKind::Log:
        return keepIfRight(payload, decodeLog(payload),
                           [&](StudyLog&& entry) { study.log.push_back(std::move(entry)); });
    case FrameKind::Progress:
        return keepIfRight(payload, decodeProgress(payload),
                           [&](StudyProgress&& progress) { study.progress = std::move(progress); });
    case FrameKind::Activity:
        return keepIfRight(payload, decodeActivity(payload),
                           [&](StudyActivity&& activity) { study.activity = std::move(activity); });
    case FrameKind::End:
        return endStudy(study, payload);
    default:
        return {};
    }
}

} // namespace

Status StudyBuilder::apply(const Frame& frame) {
    if (isTraceFrame(frame.kind))
        return {};
    Result<Payload> payload = Payload::parse(frame);
    if (!payload)
        return payload.error();
    return applyPayload(m_study, frame.kind, *payload, m_repeated);
}

} // namespace heteroscope::profiling
