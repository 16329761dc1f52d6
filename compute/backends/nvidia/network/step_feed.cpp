// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/network/step_feed.h"

#include "compute/backends/nvidia/device/cuda_status.h"
#include "compute/base/clock.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace heteroscope::compute::nvidia {
namespace {

constexpr std::size_t kSlots = 2; ///< batches on their way, when streamed

/// One slot of a streamed feed.
struct Slot {
    float* host = nullptr;         ///< page-locked: images of a batch, then targets
    cudaEvent_t copied = nullptr;  ///< the last copy from it
    cudaEvent_t fetched = nullptr; ///< the last step that read what was copied
};

class CudaStepFeed : public StepFeed {
  public:
    CudaStepFeed(CudaSession& session, const StepFeedPlan& plan)
        : m_session(session),
          m_plan(plan),
          m_image(plan.images.size() / static_cast<std::size_t>(plan.examples)),
          m_target(plan.targets.size() / static_cast<std::size_t>(plan.examples)) {}

    Status fetch(OpObserver* observer) override {
        const MemoryRange reads[] = {rangeOf(*m_rows), rangeOf(*m_labels), rangeOf(*m_order),
                                     rangeOf(*m_values), rangeOf(*m_cursor)};
        std::vector<MemoryRange> writes{rangeOf(*m_plan.input), rangeOf(*m_plan.target),
                                        rangeOf(*m_plan.step)};
        if (m_plan.hyper != nullptr)
            writes.push_back(rangeOf(*m_plan.hyper));
        const double bytes =
            8.0 * static_cast<double>(m_plan.batch) * static_cast<double>(m_image + m_target);
        return submit("batch.fetch", bytes, reads, writes, observer,
                      [this] { return launchFetch(arrays(), m_session.stream()); });
    }

    Status keep(OpObserver* observer) override {
        DeviceBuffer* const squares = m_plan.gradientSquares;
        std::vector<MemoryRange> reads{rangeOf(*m_plan.figures)};
        if (squares != nullptr)
            reads.push_back(rangeOf(*squares));
        const MemoryRange writes[] = {rangeOf(*m_figures), rangeOf(*m_cursor)};
        const double bytes = 8.0 * static_cast<double>(m_plan.figuresPerStep());
        return submit("figures.keep", bytes, reads, writes, observer, [this, squares] {
            return launchKeep(floats(*m_plan.figures), squares == nullptr ? nullptr : floats(*squares),
                              floats(*m_figures), cursor(), m_session.stream());
        });
    }

    Status figures(std::int64_t first, std::span<float> into, OpObserver* observer) override {
        const std::size_t row = m_plan.figuresPerStep() * sizeof(float);
        BufferPart part(*m_figures, static_cast<std::size_t>(first) * row, into.size_bytes());
        if (const Status status = m_session.download(into.data(), part, into.size_bytes(), observer); !status)
            return status;
        return m_session.synchronize();
    }

  protected:
    /// Part of a buffer, for copies.
    class BufferPart final : public DeviceBuffer {
      public:
        BufferPart(DeviceBuffer& base, std::size_t offset, std::size_t bytes)
            : m_base(base), m_offset(offset), m_bytes(bytes) {}
        std::size_t bytes() const override { return m_bytes; }
        void* hostPointer() override { return nullptr; }
        void* devicePointer() override { return static_cast<char*>(m_base.devicePointer()) + m_offset; }

      private:
        DeviceBuffer& m_base;
        std::size_t m_offset, m_bytes;
    };

    static MemoryRange rangeOf(DeviceBuffer& buffer) {
        return {static_cast<const char*>(buffer.devicePointer()), buffer.bytes()};
    }
    static float* floats(DeviceBuffer& buffer) { return static_cast<float*>(buffer.devicePointer()); }
    unsigned* cursor() const { return static_cast<unsigned*>(m_cursor->devicePointer()); }
    std::size_t batch() const { return static_cast<std::size_t>(m_plan.batch); }

    /// `rows`: of images and targets that lie on the device.
    Status allocate(std::size_t rows) {
        const auto steps = static_cast<std::size_t>(m_plan.steps);
        const std::array<std::pair<std::unique_ptr<DeviceBuffer>*, std::size_t>, 6> wanted{
            {{&m_rows, rows * m_image},
             {&m_labels, rows * m_target},
             {&m_order, steps * batch()},
             {&m_values, steps * kStepValues},
             {&m_figures, steps * m_plan.figuresPerStep()},
             {&m_cursor, 1}}};
        for (const auto& [into, elements] : wanted) {
            auto buffer = m_session.allocateFor(elements * sizeof(float), "a training's data");
            if (!buffer)
                return buffer.error();
            *into = std::move(*buffer);
        }
        return {};
    }

    Status beginWith(std::span<const unsigned> rows, std::span<const float> values, OpObserver* observer) {
        if (rows.size() > static_cast<std::size_t>(m_plan.steps) * batch())
            return Error{
                ErrorCode::RunFailed, "more steps than the feed was made for", m_session.where(), {}, {}};
        const unsigned zero = 0;
        if (const Status status = m_session.upload(*m_cursor, &zero, sizeof zero, observer); !status)
            return status;
        if (const Status status = m_session.upload(*m_order, rows.data(), rows.size_bytes(), observer);
            !status)
            return status;
        return m_session.upload(*m_values, values.data(), values.size_bytes(), observer);
    }

    Status check(cudaError_t code) const { return cudaStatus(code, "feeding a training", m_session.where()); }

    CudaSession& m_session;
    StepFeedPlan m_plan;
    std::size_t m_image, m_target; ///< elements
    std::unique_ptr<DeviceBuffer> m_rows, m_labels, m_order, m_values, m_figures, m_cursor;

  private:
    FeedArrays arrays() const {
        return {floats(*m_rows),
                floats(*m_labels),
                floats(*m_values),
                static_cast<const unsigned*>(m_order->devicePointer()),
                cursor(),
                floats(*m_plan.input),
                floats(*m_plan.target),
                floats(*m_plan.step),
                m_plan.hyper == nullptr ? nullptr : floats(*m_plan.hyper),
                static_cast<unsigned>(m_plan.batch),
                static_cast<unsigned>(m_image),
                static_cast<unsigned>(m_target),
                FastDivision(static_cast<std::int64_t>(m_image))};
    }

    template <class Launch>
    Status submit(const char* name, double bytes, std::span<const MemoryRange> reads,
                  std::span<const MemoryRange> writes, OpObserver* observer, Launch launch) {
        if (const Status status = m_session.select(); !status)
            return status;
        if (const Status status = m_session.submitsTo(reads, writes); !status)
            return status;
        const std::string detail = "batch " + std::to_string(m_plan.batch);
        if (observer != nullptr)
            observer->opBegin({name, detail, "cuda:feed", bytes, 0});
        const Status status = check(launch());
        if (observer != nullptr)
            observer->opEnd();
        return status;
    }
};

/// All images on the device.
class ResidentFeed final : public CudaStepFeed {
  public:
    using CudaStepFeed::CudaStepFeed;

    Status start() {
        if (const Status status = allocate(static_cast<std::size_t>(m_plan.examples)); !status)
            return status;
        if (const Status status =
                m_session.upload(*m_rows, m_plan.images.data(), m_plan.images.size_bytes(), nullptr);
            !status)
            return status;
        return m_session.upload(*m_labels, m_plan.targets.data(), m_plan.targets.size_bytes(), nullptr);
    }
    std::string description() const override { return "data:resident"; }
    Status begin(std::span<const std::int64_t> order, std::span<const float> values,
                 OpObserver* observer) override {
        const std::vector<unsigned> rows(order.begin(), order.end());
        return beginWith(rows, values, observer);
    }
    Status arrive(OpObserver*) override { return {}; }
    Status leave() override { return {}; }
};

/// The next batch is copied while this one is computed.
class StreamedFeed final : public CudaStepFeed {
  public:
    using CudaStepFeed::CudaStepFeed;
    StreamedFeed(const StreamedFeed&) = delete;
    StreamedFeed& operator=(const StreamedFeed&) = delete;
    ~StreamedFeed() override {
        if (m_copies != nullptr)
            cudaStreamSynchronize(m_copies);
        for (const Slot& slot : m_slots) {
            if (slot.copied != nullptr)
                cudaEventDestroy(slot.copied);
            if (slot.fetched != nullptr)
                cudaEventDestroy(slot.fetched);
            if (slot.host != nullptr)
                cudaFreeHost(slot.host);
        }
        if (m_copies != nullptr)
            cudaStreamDestroy(m_copies);
    }

    Status start() {
        if (const Status status = allocate(kSlots * batch()); !status)
            return status;
        if (const Status status = check(cudaStreamCreateWithFlags(&m_copies, cudaStreamNonBlocking)); !status)
            return status;
        for (Slot& slot : m_slots)
            for (const cudaError_t code : {cudaMallocHost(reinterpret_cast<void**>(&slot.host), slotBytes()),
                                           cudaEventCreateWithFlags(&slot.copied, cudaEventDisableTiming),
                                           cudaEventCreateWithFlags(&slot.fetched, cudaEventDisableTiming)})
                if (const Status status = check(code); !status)
                    return status;
        return {};
    }
    std::string description() const override { return "data:streamed"; }

    Status begin(std::span<const std::int64_t> order, std::span<const float> values,
                 OpObserver* observer) override {
        m_examples.assign(order.begin(), order.end());
        m_next = 0;
        std::vector<unsigned> rows(order.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = static_cast<unsigned>(i % (kSlots * batch()));
        return beginWith(rows, values, observer);
    }

    Status arrive(OpObserver* observer) override {
        Slot& slot = m_slots[m_next % kSlots];
        if (const Status status = check(cudaEventSynchronize(slot.copied)); !status)
            return status; // its host memory may be filled again
        gather(slot);
        const std::int64_t start = observer != nullptr ? steadyNowNs() : 0;
        if (const Status status = copy(slot); !status)
            return status;
        if (observer != nullptr)
            observer->copied(CopyDirection::HostToDevice, static_cast<std::int64_t>(slotBytes()), start,
                             steadyNowNs());
        return check(cudaStreamWaitEvent(m_session.stream(), slot.copied));
    }

    Status leave() override {
        const Slot& slot = m_slots[m_next++ % kSlots];
        return check(cudaEventRecord(slot.fetched, m_session.stream()));
    }

  private:
    std::size_t slotBytes() const { return batch() * (m_image + m_target) * sizeof(float); }

    void gather(const Slot& slot) {
        float *image = slot.host, *target = slot.host + batch() * m_image;
        for (std::size_t i = 0; i < batch(); ++i, image += m_image, target += m_target) {
            const auto example = static_cast<std::size_t>(m_examples[m_next * batch() + i]);
            std::memcpy(image, m_plan.images.data() + example * m_image, m_image * sizeof(float));
            std::memcpy(target, m_plan.targets.data() + example * m_target, m_target * sizeof(float));
        }
    }

    /// After the step that read this slot last.
    Status copy(const Slot& slot) {
        const std::size_t row = m_next % kSlots * batch();
        const float* targets = slot.host + batch() * m_image;
        for (const cudaError_t code :
             {cudaStreamWaitEvent(m_copies, slot.fetched),
              cudaMemcpyAsync(floats(*m_rows) + row * m_image, slot.host, batch() * m_image * sizeof(float),
                              cudaMemcpyHostToDevice, m_copies),
              cudaMemcpyAsync(floats(*m_labels) + row * m_target, targets, batch() * m_target * sizeof(float),
                              cudaMemcpyHostToDevice, m_copies),
              cudaEventRecord(slot.copied, m_copies)})
            if (const Status status = check(code); !status)
                return status;
        return {};
    }

    cudaStream_t m_copies = nullptr;
    std::array<Slot, kSlots> m_slots;
    std::vector<std::int64_t> m_examples;
    std::size_t m_next = 0;
};

template <class Feed>
Result<std::unique_ptr<StepFeed>> started(CudaSession& session, const StepFeedPlan& plan) {
    auto feed = std::make_unique<Feed>(session, plan);
    if (const Status status = feed->start(); !status)
        return status.error();
    return std::unique_ptr<StepFeed>(std::move(feed));
}

/// Rows are counted in 31 bits by the kernels.
bool fitsKernels(const StepFeedPlan& plan) {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
    const std::size_t most = std::max(plan.images.size(), plan.targets.size()) /
                             static_cast<std::size_t>(plan.examples) * static_cast<std::size_t>(plan.batch);
    return most < kMost && static_cast<std::size_t>(plan.examples) < kMost;
}

} // namespace

Result<std::unique_ptr<StepFeed>> makeCudaStepFeed(CudaSession& session, const StepFeedPlan& plan) {
    if (plan.steps < 1 || plan.target == nullptr || !fitsKernels(plan))
        return std::unique_ptr<StepFeed>();
    if (const Status status = session.select(); !status)
        return status.error();
    if (!session.options().streamed) {
        auto feed = started<ResidentFeed>(session, plan);
        if (feed.ok() || feed.error().code != ErrorCode::OutOfMemory)
            return feed;
    }
    return started<StreamedFeed>(session, plan);
}

} // namespace heteroscope::compute::nvidia
