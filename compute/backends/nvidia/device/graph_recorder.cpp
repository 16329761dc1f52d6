// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/graph_recorder.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/core/backend.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class GraphRecording final : public Recording {
  public:
    GraphRecording(std::string where, cudaGraph_t graph, cudaGraphExec_t exec, cudaStream_t stream)
        : m_where(std::move(where)), m_graph(graph), m_exec(exec), m_stream(stream) {}
    GraphRecording(const GraphRecording&) = delete;
    GraphRecording& operator=(const GraphRecording&) = delete;
    ~GraphRecording() override {
        cudaGraphExecDestroy(m_exec); // waits for a launch under way
        cudaGraphDestroy(m_graph);
    }
    Status launch() override {
        return cudaStatus(cudaGraphLaunch(m_exec, m_stream), "launching a graph", m_where);
    }

  private:
    std::string m_where;
    cudaGraph_t m_graph;
    cudaGraphExec_t m_exec;
    cudaStream_t m_stream;
};

bool anyOverlap(const std::vector<MemoryRange>& a, const std::vector<MemoryRange>& b) {
    return std::any_of(a.begin(), a.end(), [&](const MemoryRange& one) {
        return std::any_of(b.begin(), b.end(), [&](const MemoryRange& two) { return one.overlaps(two); });
    });
}

} // namespace

GraphRecorder::GraphRecorder(std::string where, cudaStream_t origin)
    : m_where(std::move(where)), m_lanes{origin}, m_last{-1} {}

GraphRecorder::~GraphRecorder() {
    cudaGraph_t graph = nullptr;
    if (m_recording && cudaStreamEndCapture(m_lanes.front(), &graph) == cudaSuccess && graph != nullptr)
        cudaGraphDestroy(graph); // given up on the way
    for (const Work& work : m_work)
        if (work.done != nullptr)
            cudaEventDestroy(work.done);
    if (m_start != nullptr)
        cudaEventDestroy(m_start);
    for (std::size_t i = 1; i < m_lanes.size(); ++i)
        cudaStreamDestroy(m_lanes[i]);
}

Status GraphRecorder::check(cudaError_t code) const {
    return cudaStatus(code, "recording a graph", m_where);
}

Status GraphRecorder::begin(int lanes) {
    for (int i = 1; i < lanes; ++i) {
        cudaStream_t lane = nullptr;
        if (const Status status = check(cudaStreamCreateWithFlags(&lane, cudaStreamNonBlocking)); !status)
            return status;
        m_lanes.push_back(lane);
        m_last.push_back(-1);
    }
    if (const Status status = check(cudaEventCreateWithFlags(&m_start, cudaEventDisableTiming)); !status)
        return status;
    if (const Status status =
            check(cudaStreamBeginCapture(m_lanes.front(), cudaStreamCaptureModeThreadLocal));
        !status)
        return status;
    m_recording = true;
    return check(cudaEventRecord(m_start, m_lanes.front()));
}

Status GraphRecorder::mark() {
    if (m_work.empty() || m_work.back().done != nullptr)
        return {};
    Work& work = m_work.back();
    if (const Status status = check(cudaEventCreateWithFlags(&work.done, cudaEventDisableTiming)); !status)
        return status;
    return check(cudaEventRecord(work.done, m_lanes[static_cast<std::size_t>(work.lane)]));
}

bool GraphRecorder::needs(const Work& later, const Work& earlier) const {
    return anyOverlap(later.reads, earlier.writes) || anyOverlap(later.writes, earlier.writes) ||
           anyOverlap(later.writes, earlier.reads);
}

/// The lane that ends with the latest work this one needs; else the one that has been idle longest.
int GraphRecorder::chooseLane(const std::vector<int>& latest) const {
    int best = -1;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
        if (latest[lane] >= 0 && latest[lane] == m_last[lane] &&
            (best < 0 || latest[lane] > m_last[static_cast<std::size_t>(best)]))
            best = static_cast<int>(lane);
    if (best >= 0)
        return best;
    return static_cast<int>(std::min_element(m_last.begin(), m_last.end()) - m_last.begin());
}

Status GraphRecorder::next(std::span<const MemoryRange> reads, std::span<const MemoryRange> writes) {
    if (const Status status = mark(); !status)
        return status;
    Work work{{reads.begin(), reads.end()}, {writes.begin(), writes.end()}, 0, nullptr};
    std::vector<int> latest(m_lanes.size(), -1); // of each lane: what this work needs of it
    for (std::size_t i = 0; i < m_work.size(); ++i)
        if (needs(work, m_work[i]))
            latest[static_cast<std::size_t>(m_work[i].lane)] = static_cast<int>(i);
    m_lane = chooseLane(latest);
    const auto mine = static_cast<std::size_t>(m_lane);
    if (m_last[mine] < 0 && m_lane != 0)
        if (const Status status = check(cudaStreamWaitEvent(m_lanes[mine], m_start)); !status)
            return status;
    for (std::size_t lane = 0; lane < m_lanes.size(); ++lane)
        if (lane != mine && latest[lane] >= 0)
            if (const Status status = check(
                    cudaStreamWaitEvent(m_lanes[mine], m_work[static_cast<std::size_t>(latest[lane])].done));
                !status)
                return status;
    work.lane = m_lane;
    m_last[mine] = static_cast<int>(m_work.size());
    m_work.push_back(std::move(work));
    return {};
}

Result<std::unique_ptr<Recording>> GraphRecorder::end() {
    if (const Status status = mark(); !status)
        return status.error();
    for (std::size_t lane = 1; lane < m_lanes.size(); ++lane)
        if (m_last[lane] >= 0)
            if (const Status status = check(cudaStreamWaitEvent(
                    m_lanes.front(), m_work[static_cast<std::size_t>(m_last[lane])].done));
                !status)
                return status.error();
    cudaGraph_t graph = nullptr;
    m_recording = false;
    if (const Status status = check(cudaStreamEndCapture(m_lanes.front(), &graph)); !status)
        return status.error();
    cudaGraphExec_t exec = nullptr;
    if (const Status status = check(cudaGraphInstantiate(&exec, graph, 0)); !status) {
        cudaGraphDestroy(graph);
        return status.error();
    }
    return std::unique_ptr<Recording>(
        std::make_unique<GraphRecording>(m_where, graph, exec, m_lanes.front()));
}

} // namespace heteroscope::compute::nvidia
