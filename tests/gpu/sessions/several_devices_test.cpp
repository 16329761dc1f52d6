// SPDX-License-Identifier: Apache-2.0
// Sessions of two GPUs that take turns on one thread: each call must go to its own session's device.
#include "tests/support/modules/gpu_targets.h"
#include "tests/support/op_runner.h"
#include "tests/support/require/skip.h"
#include "tests/support/tensor_match.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace heteroscope::compute {
namespace {

using Buffer = std::unique_ptr<DeviceBuffer>;

constexpr std::array kDevices{"cuda:0", "cuda:1"};
constexpr std::size_t kGiB = std::size_t{1} << 30;

/// One op with its operands on one device, taken step by step.
class Job {
  public:
    Job(std::unique_ptr<Session> session, const Op& op, std::uint32_t seed)
        : m_session(std::move(session)), m_op(op), m_inputs(makeInputs(Data::Integers, op, seed)) {}

    Status upload() {
        const OperandSizes sizes = operandElements(m_op).value();
        m_result.assign(static_cast<std::size_t>(sizes.dst[0]), -1.0F);
        for (const auto& input : m_inputs)
            if (const Status status = uploaded(input, m_src); !status)
                return status;
        if (const Status status = uploaded(m_result, m_dst); !status)
            return status;
        auto prepared = m_session->prepare(m_op);
        if (!prepared)
            return prepared.error();
        m_prepared = std::move(*prepared);
        return {};
    }
    Status run() { return m_prepared->run(pointers(m_src), pointers(m_dst), nullptr); }
    Status download() {
        return m_session->download(m_result.data(), *m_dst[0], m_result.size() * sizeof(float));
    }
    Session& session() { return *m_session; }
    void freeOperands() {
        m_src.clear();
        m_dst.clear();
    }

    testing::AssertionResult isRight() const {
        auto sequential = openTarget("cpu/sequential");
        const auto expected = runOp(**sequential, m_op, m_inputs);
        return expected ? sameTensor(*expected, m_result)
                        : testing::AssertionFailure() << expected.error().sentence();
    }

  private:
    Status uploaded(const std::vector<float>& values, std::vector<Buffer>& into) {
        auto buffer = m_session->allocate(values.size() * sizeof(float));
        if (!buffer)
            return buffer.error();
        into.push_back(std::move(*buffer));
        return m_session->upload(*into.back(), values.data(), values.size() * sizeof(float));
    }
    static std::vector<DeviceBuffer*> pointers(const std::vector<Buffer>& buffers) {
        std::vector<DeviceBuffer*> all;
        for (const Buffer& buffer : buffers)
            all.push_back(buffer.get());
        return all;
    }

    std::unique_ptr<Session> m_session;
    Op m_op;
    std::vector<std::vector<float>> m_inputs;
    std::vector<float> m_result;
    std::vector<Buffer> m_src, m_dst;
    std::unique_ptr<PreparedOp> m_prepared;
};

struct Subject {
    const char* implementation; ///< with its options
    Op op;
};

Op pooling() {
    PoolParams params;
    params.kernel = {3, 3};
    params.stride = {2, 2};
    params.padding = {1, 1, 1, 1};
    return PoolBackward{params, {2, 8, 120, 130}};
}

std::vector<Subject> subjects() {
    const Gemm product{150, 200, 130};
    return {{"cuda", pooling()}, {"cuda?host=pinned", pooling()}, {"cuda?kernel=tiled", product},
            {"cublas", product}, {"cublas?host=pinned", product}, {"cudnn", pooling()}};
}

class SeveralDevices : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* device : kDevices)
            if (const auto session = openTarget(std::string(device) + "/cuda"); !session)
                SKIP_WITHOUT("two-gpus", "needs two GPUs: " + session.error().sentence());
    }
    static void expectOk(const Status& status) { EXPECT_TRUE(status) << status.error().sentence(); }
    static std::unique_ptr<Session> opened(const std::string& target) {
        auto session = openTarget(target);
        EXPECT_TRUE(session) << session.error().sentence();
        return session ? std::move(*session) : nullptr;
    }
};

TEST_F(SeveralDevices, TakeTurnsCallByCall) {
    for (const Subject& subject : subjects()) {
        SCOPED_TRACE(subject.implementation);
        std::vector<Job> jobs;
        for (std::uint32_t i = 0; i < kDevices.size(); ++i) {
            auto session = opened(std::string(kDevices[i]) + "/" + subject.implementation);
            ASSERT_TRUE(session);
            jobs.emplace_back(std::move(session), subject.op, 35 + i);
        }
        for (Job& job : jobs)
            expectOk(job.upload());
        for (Job& job : jobs)
            expectOk(job.session().startDeviceTimer());
        for (int repetition = 0; repetition < 3; ++repetition)
            for (Job& job : jobs)
                expectOk(job.run());
        for (Job& job : jobs) {
            const auto ms = job.session().stopDeviceTimerMs();
            ASSERT_TRUE(ms) << ms.error().sentence();
            EXPECT_GT(ms->value_or(0.0), 0.0);
        }
        for (auto job = jobs.rbegin(); job != jobs.rend(); ++job)
            expectOk(job->session().synchronize());
        for (Job& job : jobs)
            expectOk(job.download());
        for (const Job& job : jobs)
            EXPECT_TRUE(job.isRight());
    }
}

TEST_F(SeveralDevices, KeepTheirPlaceWhenSessionsOfTheOtherEnd) {
    for (const Subject& subject : subjects()) {
        SCOPED_TRACE(subject.implementation);
        for (const auto& [kept, passing] :
             {std::pair(kDevices[0], kDevices[1]), std::pair(kDevices[1], kDevices[0])}) {
            Job job(opened(std::string(kept) + "/" + subject.implementation), subject.op, 35);
            expectOk(job.upload());
            for (int turn = 0; turn < 3; ++turn) {
                Job other(opened(std::string(passing) + "/" + subject.implementation), subject.op, 36);
                expectOk(other.upload());
                expectOk(job.run());
                expectOk(other.run());
                expectOk(other.download());
                EXPECT_TRUE(other.isRight());
            }
            expectOk(job.run());
            expectOk(job.download());
            EXPECT_TRUE(job.isRight());
        }
    }
}

TEST_F(SeveralDevices, WorkFromAnotherThreadThanTheOneThatOpenedThem) {
    for (const Subject& subject : subjects()) {
        SCOPED_TRACE(subject.implementation);
        Job job(opened(std::string(kDevices[1]) + "/" + subject.implementation), subject.op, 35);
        std::thread([&] {
            expectOk(job.upload());
            expectOk(job.run());
            expectOk(job.download());
            job.freeOperands();
        }).join();
        EXPECT_TRUE(job.isRight());
    }
}

/// Bytes that are free on a device, as a session sees them that is opened now.
std::int64_t freeBytes(const std::string& device) {
    const auto session = openTarget(device + "/cuda");
    return session ? (*session)->device().memoryFreeBytes : 0;
}

TEST_F(SeveralDevices, AllocateOnTheirOwnDevice) {
    const auto first = opened("cuda:0/cuda"), second = opened("cuda:1/cuda"); // the second was chosen last
    const std::array before{freeBytes("cuda:0"), freeBytes("cuda:1")};
    auto onFirst = first->allocate(3 * kGiB);
    auto onSecond = second->allocate(kGiB);
    ASSERT_TRUE(onFirst && onSecond);
    const auto half = static_cast<std::int64_t>(kGiB / 2);
    EXPECT_NEAR(before[0] - freeBytes("cuda:0"), 3 * kGiB, half);
    EXPECT_NEAR(before[1] - freeBytes("cuda:1"), kGiB, half);
    onFirst->reset();
    EXPECT_NEAR(before[0], freeBytes("cuda:0"), half);
    EXPECT_NEAR(before[1] - freeBytes("cuda:1"), kGiB, half);
    onSecond->reset();
    EXPECT_NEAR(before[1], freeBytes("cuda:1"), half);
}

} // namespace
} // namespace heteroscope::compute
