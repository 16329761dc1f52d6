// SPDX-License-Identifier: Apache-2.0
// The tracer module under many small launches: every kernel must be told once, with the call that launched
// it.
#include "app/cli/module_loader.h"
#include "compute/base/clock.h"
#include "profiling/collectors/gpu/gpu_tracer.h"
#include "tests/gpu/cupti/tiny_kernels.h"
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/require/skip.h"

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heteroscope::tests {
namespace {

using profiling::GpuApiCall;
using profiling::GpuExternalId;
using profiling::GpuKernel;
using profiling::GpuRecord;
using profiling::GpuTracer;
using profiling::GpuTracerEntry;

constexpr int kSteps = 50;
constexpr int kKernelsPerStep = 2000;
constexpr int kGraphKernels = 200;

/// The tracer, loaded and started as a worker does it: before anything looks at a device, once in a process.
class Recording final : public testing::Environment, public profiling::GpuRecordSink {
  public:
    void SetUp() override {
        const auto entry = cli::loadEntry<GpuTracerEntry>("cupti", profiling::kGpuTracerEntryName);
        if (!entry) {
            m_started = entry.error();
            return;
        }
        m_tracer.reset((*entry)->create());
        m_started = m_tracer->start(*this);
    }

    void TearDown() override {
        if (!m_tracer || !m_started)
            return;
        const profiling::GpuTraceQuality quality = m_tracer->stop();
        EXPECT_EQ(quality.dropped, 0u);
        EXPECT_EQ(quality.undecodable, 0u);
        EXPECT_EQ(quality.zeroTimestamps, 0u);
        std::cout << "[ RECORDS ] " << quality.delivered << " delivered, " << quality.dropped << " dropped\n";
        for (const std::string& note : quality.notes)
            std::cout << "[ NOTE ] " << note << "\n";
    }

    void gpuRecords(std::span<const GpuRecord> records) override {
        const std::lock_guard lock(m_mutex);
        m_records.insert(m_records.end(), records.begin(), records.end());
    }

    const Status& started() const { return m_started; }
    GpuTracer& tracer() { return *m_tracer; }

    /// What arrived since the last call; the device is idle.
    std::vector<GpuRecord> take() {
        m_tracer->flush();
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_records, {});
    }

  private:
    std::unique_ptr<GpuTracer> m_tracer;
    Status m_started;
    std::mutex m_mutex;
    std::vector<GpuRecord> m_records;
};

Recording* const recording = [] {
    auto* environment = new Recording; // GoogleTest owns it
    testing::AddGlobalTestEnvironment(environment);
    return environment;
}();

/// Records by what they are.
struct Sorted {
    std::vector<std::pair<std::uint32_t, GpuKernel>> kernels;     ///< with their correlation
    std::unordered_map<std::uint32_t, std::string> runtimeCalls;  ///< name by correlation
    std::unordered_map<std::uint32_t, std::uint64_t> externalIds; ///< by correlation
    std::size_t badTimes = 0;
};

Sorted sorted(const std::vector<GpuRecord>& records) {
    Sorted result;
    for (const GpuRecord& record : records) {
        if (const auto* kernel = std::get_if<GpuKernel>(&record.what)) {
            result.kernels.emplace_back(record.correlation, *kernel);
            result.badTimes += record.startNs <= 0 || record.endNs <= record.startNs;
        } else if (const auto* call = std::get_if<GpuApiCall>(&record.what)) {
            if (!call->driver)
                result.runtimeCalls[record.correlation] = call->name;
        } else if (const auto* id = std::get_if<GpuExternalId>(&record.what)) {
            result.externalIds[record.correlation] = id->id;
        }
    }
    return result;
}

class CuptiRecords : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto session = compute::openTarget("cuda:0/cuda"); !session)
            SKIP_WITHOUT("gpu,cupti", session.error().sentence());
        ASSERT_TRUE(recording->started()) << recording->started().error().sentence();
        void* memory = nullptr;
        ASSERT_EQ(cudaMalloc(&memory, sizeof(unsigned)), cudaSuccess);
        m_counter = static_cast<unsigned*>(memory);
        ASSERT_EQ(cudaMemset(m_counter, 0, sizeof(unsigned)), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        recording->take();
    }
    void TearDown() override {
        cudaFree(m_counter);
        if (m_stream != nullptr)
            cudaStreamDestroy(m_stream);
    }

    /// Runs the steps, each under its own id, and waits after each.
    template <class Step>
    void runSteps(const Step& step) {
        const std::int64_t start = steadyNowNs();
        for (int i = 1; i <= kSteps; ++i) {
            recording->tracer().push(static_cast<std::uint64_t>(i));
            ASSERT_EQ(step(), cudaSuccess);
            recording->tracer().pop();
            ASSERT_EQ(cudaStreamSynchronize(m_stream), cudaSuccess);
        }
        m_stepMs = static_cast<double>(steadyNowNs() - start) * 1e-6 / kSteps;
    }

    unsigned counted() const {
        unsigned count = 0;
        EXPECT_EQ(cudaMemcpy(&count, m_counter, sizeof(count), cudaMemcpyDeviceToHost), cudaSuccess);
        return count;
    }

    /// Every step's kernels are there, and each leads to a call named `call` and through it to its step.
    void expectWhole(const Sorted& records, const std::string& call, int perStep) {
        EXPECT_EQ(records.kernels.size(),
                  static_cast<std::size_t>(kSteps) * static_cast<std::size_t>(perStep));
        EXPECT_EQ(records.badTimes, 0u);
        std::map<std::uint64_t, int> perId;
        std::size_t withoutCall = 0, withoutStep = 0;
        for (const auto& [correlation, kernel] : records.kernels) {
            const auto launch = records.runtimeCalls.find(correlation);
            withoutCall += launch == records.runtimeCalls.end() || launch->second.rfind(call, 0) != 0;
            const auto id = records.externalIds.find(correlation);
            withoutStep += id == records.externalIds.end();
            if (id != records.externalIds.end())
                ++perId[id->second];
        }
        EXPECT_EQ(withoutCall, 0u);
        EXPECT_EQ(withoutStep, 0u);
        EXPECT_EQ(perId.size(), static_cast<std::size_t>(kSteps));
        for (const auto& [id, count] : perId)
            EXPECT_EQ(count, perStep) << "step " << id;
        std::cout << "[ FIGURES ] " << records.kernels.size() << " kernels, " << m_stepMs << " ms a step\n";
    }

    unsigned* m_counter = nullptr;
    cudaStream_t m_stream = nullptr;
    double m_stepMs = 0;
};

TEST_F(CuptiRecords, OfTwoThousandTinyKernelsAStepAreComplete) {
    runSteps([this] { return launchTiny(kKernelsPerStep, m_counter, m_stream); });
    EXPECT_EQ(counted(), static_cast<unsigned>(kSteps * kKernelsPerStep));
    const Sorted records = sorted(recording->take());
    expectWhole(records, "cudaLaunchKernel", kKernelsPerStep);
    std::set<std::uint32_t> launches;
    for (const auto& [correlation, kernel] : records.kernels)
        launches.insert(correlation);
    EXPECT_EQ(launches.size(), records.kernels.size()) << "each launch belongs to one kernel";
}

TEST_F(CuptiRecords, OfAGraphAreCompleteAndNameItsNodes) {
    cudaGraphExec_t graph = nullptr;
    ASSERT_EQ(captureTiny(kGraphKernels, m_counter, m_stream, &graph), cudaSuccess);
    recording->take();
    runSteps([&] { return cudaGraphLaunch(graph, m_stream); });
    EXPECT_EQ(counted(), static_cast<unsigned>(kSteps * kGraphKernels));
    const Sorted records = sorted(recording->take());
    expectWhole(records, "cudaGraphLaunch", kGraphKernels);
    std::map<std::uint64_t, int> perNode;
    for (const auto& [correlation, kernel] : records.kernels) {
        EXPECT_NE(kernel.graph, 0u);
        ++perNode[kernel.graphNode];
    }
    EXPECT_EQ(perNode.size(), static_cast<std::size_t>(kGraphKernels));
    for (const auto& [node, count] : perNode)
        EXPECT_EQ(count, kSteps) << "node " << node;
    EXPECT_EQ(cudaGraphExecDestroy(graph), cudaSuccess);
}

} // namespace
} // namespace heteroscope::tests
