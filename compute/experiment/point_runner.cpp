// SPDX-License-Identifier: Apache-2.0
// The runs of a point: memory, data, reference, interleaved sampling.
#include "compute/experiment/point_runner.h"

#include "compute/base/activity.h"
#include "compute/base/failure_words.h"
#include "compute/data/input.h"
#include "compute/experiment/memory_check.h"

#include <algorithm>
#include <map>
#include <new>
#include <string>

namespace heteroscope::compute {

PointRunner::PointRunner(const ExperimentPoint& point, std::span<const RunDefinition> definitions,
                         StudyContext& context, std::function<void(const TargetRun&)> progress)
    : m_point(point),
      m_definitions(definitions),
      m_context(context),
      m_progress(std::move(progress)),
      m_reference(point.spec, context) {}

Result<PointEstimate> PointRunner::estimate() const {
    std::optional<Shape4> shape;
    if (m_point.spec.kind == ExperimentKind::Pooling) {
        const auto found = inputShape(m_point.spec.pooling.input, m_point.spec.directory);
        if (!found)
            return found.error();
        shape = *found;
    }
    auto estimate = estimatePoint(m_point.spec, shape);
    if (estimate)
        addDataset(*estimate, m_point.spec);
    return estimate;
}

void PointRunner::openAll() {
    const auto estimated = estimate();
    if (estimated)
        m_estimate = *estimated;
    for (std::size_t i = 0; i < m_definitions.size(); ++i) {
        m_runs.push_back(std::make_unique<TargetRun>(m_definitions[i], m_point.spec, m_point.spec.targets[i],
                                                     m_estimate, m_context));
        if (!estimated)
            m_runs.back()->fail(estimated.error());
        else if (m_context.stopped())
            m_runs.back()->fail(stoppedError());
        else
            m_runs.back()->open();
    }
}

/// Packs the runs in order into groups whose operands fit together; a run that does not fit alone is skipped.
std::vector<PointRunner::Group> PointRunner::groups() {
    std::vector<Group> groups;
    std::map<std::string, std::int64_t> used; // of each device, by the runs of the last group
    const std::int64_t limit = m_context.options.memoryLimitBytes;
    Group order; // the run that gives the reference is in the first group: no other computes it for itself
    for (const auto& run : m_runs)
        order.push_back(run.get());
    std::stable_partition(order.begin(), order.end(),
                          [this](const TargetRun* run) { return m_reference.comesFrom(run->target()); });
    for (TargetRun* const run : order) {
        if (!run->active())
            continue;
        const bool onHost = run->device().kind == "cpu";
        const MemoryNeed& need = run->memoryNeed();
        const std::int64_t allowed = allowedBytes(onHost ? run->device() : describeCpu(), limit);
        run->notePlanning(); // other sizes are planned where this one does not fit
        std::string refusal; // of a dataset that may not be read loadPointData() says what helps there
        if (mayRead(m_estimate))
            refusal = memoryRefusal(m_point.spec, need.ofHost(), allowed, run->hostNeed());
        if (refusal.empty() && !onHost)
            refusal = memoryRefusal(m_point.spec, need.deviceBytes, allowedBytes(run->device(), limit),
                                    run->deviceNeed());
        setActivity({});
        if (!refusal.empty()) {
            run->skip(refusal);
            continue;
        }
        const std::int64_t room = onHost ? allowed - need.hostBytes : allowedBytes(run->device(), limit);
        if (groups.empty() || used[run->device().id] + need.deviceBytes > room) {
            groups.emplace_back();
            used.clear();
        }
        used[run->device().id] += need.deviceBytes;
        groups.back().push_back(run);
    }
    for (Group& group : groups)
        std::sort(group.begin(), group.end(), [](const TargetRun* a, const TargetRun* b) {
            return a->definition().run < b->definition().run;
        });
    return groups;
}

/// What a reference may take while `m_started` hold their memory, of which `run` is the last.
std::int64_t PointRunner::roomBeside(const TargetRun& run) const {
    const std::int64_t limit = m_context.options.memoryLimitBytes;
    std::int64_t room = allowedBytes(describeCpu(), limit);
    if (limit <= 0)
        return room; // of what is free now
    room -= run.memoryNeed().heldHostBytes;
    for (const TargetRun* started : m_started)
        room -= started->device().kind == "cpu" ? started->memoryNeed().deviceBytes : 0;
    return room;
}

void PointRunner::check(TargetRun& run) {
    if (!run.active() || !m_reference.wanted())
        return;
    const bool isReference = m_reference.comesFrom(run.target()) && !m_reference.outputs();
    if (isReference)
        m_reference.take(std::move(run.outputs()));
    run.noteCheck();
    m_reference.compute(m_data, referenceBytes(m_point.spec, m_estimate), roomBeside(run));
    if (m_reference.outputs())
        run.setError(
            outputError(isReference ? *m_reference.outputs() : run.outputs(), *m_reference.outputs()));
    else
        run.setNotChecked(m_reference.whyNot());
    run.outputs().clear();
    run.outputs().shrink_to_fit();
}

void PointRunner::sampleInTurns(const Group& group) {
    bool again = true;
    while (again) {
        again = false;
        for (TargetRun* run : group) {
            if (!run->wantsSample())
                continue;
            if (m_context.stopped()) {
                run->fail(stoppedError());
                continue;
            }
            run->takeSample();
            m_progress(*run);
            again = again || run->wantsSample();
        }
    }
}

/// Points are not to be compared whose inputs are not the same.
void PointRunner::failIfInputsChanged(const Group& group) {
    if (!m_context.options.inputsUnchanged)
        return;
    const Status same = m_context.options.inputsUnchanged();
    for (TargetRun* run : group)
        if (!same && run->active())
            run->fail(same.error());
}

void PointRunner::runGroup(const Group& group) {
    Group order = group; // the reference's own run first, so that the others can be compared at once
    std::stable_partition(order.begin(), order.end(),
                          [this](const TargetRun* run) { return m_reference.comesFrom(run->target()); });
    m_started.clear();
    for (TargetRun* run : order) {
        if (m_context.stopped())
            run->fail(stoppedError());
        else
            run->start(m_data);
        m_started.push_back(run);
        check(*run);
        m_progress(*run);
    }
    failIfInputsChanged(group);
    for (TargetRun* run : group)
        if (run->active())
            run->warmUp();
    sampleInTurns(group);
    for (TargetRun* run : group) {
        if (run->active())
            run->measureExtras();
        m_finished[static_cast<std::size_t>(run->definition().run - m_definitions.front().run)] = true;
        run->finish();
        m_progress(*run);
    }
}

void PointRunner::finishAll() {
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        if (!m_finished[i])
            m_runs[i]->finish();
}

void PointRunner::run() {
    m_finished.assign(m_definitions.size(), false);
    try {
        openAll();
        const std::vector<Group> packed = groups();
        if (!packed.empty()) {
            packed.front().front()->noteInputs();
            auto data = loadPointData(m_point.spec);
            if (data)
                m_data = std::move(*data);
            for (const Group& group : packed) {
                for (TargetRun* run : group)
                    if (!data)
                        run->fail(data.error());
                if (data)
                    runGroup(group);
            }
        }
    } catch (const std::bad_alloc&) {
        for (const auto& run : m_runs)
            if (run->active())
                run->fail(
                    {ErrorCode::OutOfMemory, failure_words::kRanOut, {}, {}, failure_words::kSmallerSize});
    }
    finishAll();
}

} // namespace heteroscope::compute
