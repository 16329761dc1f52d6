// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/experiment/fake_device.h"

#include "compute/backends/builtin.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace heteroscope::compute {
namespace {

DeviceInfo describe(const FakeDevice& device) {
    DeviceInfo info;
    info.id = device.id;
    info.kind = "gpu";
    info.name = "a device of the test";
    info.memoryTotalBytes = info.memoryFreeBytes = device.freeBytes;
    return info;
}

class CountedBuffer final : public DeviceBuffer {
  public:
    CountedBuffer(std::unique_ptr<DeviceBuffer> inner, FakeDevice& device)
        : m_inner(std::move(inner)), m_device(device) {
        m_device.heldBytes += static_cast<std::int64_t>(m_inner->bytes());
        m_device.mostHeldBytes = std::max(m_device.mostHeldBytes, m_device.heldBytes);
    }
    CountedBuffer(const CountedBuffer&) = delete;
    CountedBuffer& operator=(const CountedBuffer&) = delete;
    ~CountedBuffer() override { m_device.heldBytes -= static_cast<std::int64_t>(m_inner->bytes()); }
    std::size_t bytes() const override { return m_inner->bytes(); }
    void* hostPointer() override { return m_inner->hostPointer(); }

  private:
    std::unique_ptr<DeviceBuffer> m_inner;
    FakeDevice& m_device;
};

using Recorded = std::vector<std::function<Status()>>;

class FakeRecording final : public Recording {
  public:
    FakeRecording(Recorded work, FakeDevice& device) : m_work(std::move(work)), m_device(device) {}
    Status launch() override {
        ++m_device.launches;
        for (const auto& run : m_work)
            if (const Status status = run(); !status)
                return status;
        return {};
    }

  private:
    Recorded m_work;
    FakeDevice& m_device;
};

/// Runs, or is noted by the session that records.
class RecordedOp final : public PreparedOp {
  public:
    RecordedOp(std::unique_ptr<PreparedOp> inner, std::unique_ptr<Recorded>& recording)
        : m_inner(std::move(inner)), m_recording(recording) {}
    const std::string& implementation() const override { return m_inner->implementation(); }
    Status run(std::span<DeviceBuffer* const> src, std::span<DeviceBuffer* const> dst,
               OpObserver* observer) override {
        if (m_recording == nullptr)
            return m_inner->run(src, dst, observer);
        m_recording->push_back(
            [this, from = std::vector(src.begin(), src.end()), to = std::vector(dst.begin(), dst.end())] {
                return m_inner->run(from, to, nullptr);
            });
        return {};
    }

  private:
    std::unique_ptr<PreparedOp> m_inner;
    std::unique_ptr<Recorded>& m_recording;
};

class FakeSession final : public Session {
  public:
    FakeSession(std::unique_ptr<Session> inner, FakeDevice& device)
        : m_inner(std::move(inner)), m_device(device), m_info(describe(device)) {}
    const DeviceInfo& device() const override { return m_info; }
    Result<std::unique_ptr<DeviceBuffer>> allocate(std::size_t bytes) override {
        auto buffer = m_inner->allocate(bytes);
        if (!buffer)
            return buffer;
        return std::unique_ptr<DeviceBuffer>(std::make_unique<CountedBuffer>(std::move(*buffer), m_device));
    }
    Status upload(DeviceBuffer& dst, const void* src, std::size_t bytes, OpObserver* observer) override {
        return m_inner->upload(dst, src, bytes, observer);
    }
    Status download(void* dst, DeviceBuffer& src, std::size_t bytes, OpObserver* observer) override {
        return m_inner->download(dst, src, bytes, observer);
    }
    Support supports(const Op& op) const override { return m_inner->supports(op); }
    std::size_t workspaceBytes(const Op&) const override { return m_device.workspaceBytes; }
    bool sharesWorkspace() const override { return m_device.sharesWorkspace; }
    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override {
        auto prepared = m_inner->prepare(op);
        if (!prepared)
            return prepared;
        return std::unique_ptr<PreparedOp>(std::make_unique<RecordedOp>(std::move(*prepared), m_recording));
    }
    bool recordsRepetitions() const override { return m_device.recordsRepetitions; }
    Status beginRecording() override {
        m_recording = std::make_unique<Recorded>();
        return {};
    }
    Result<std::unique_ptr<Recording>> endRecording() override {
        m_device.recorded += static_cast<std::int64_t>(m_recording->size());
        return std::unique_ptr<Recording>(
            std::make_unique<FakeRecording>(std::move(*std::exchange(m_recording, nullptr)), m_device));
    }
    Status synchronize() override { return m_inner->synchronize(); }
    int parallelism() const override { return 1; }

  private:
    std::unique_ptr<Session> m_inner;
    std::unique_ptr<Recorded> m_recording; ///< while it records
    FakeDevice& m_device;
    DeviceInfo m_info;
};

class FakeBackend final : public Backend {
  public:
    FakeBackend(FakeDevice& device, std::string id)
        : m_device(device), m_id(std::move(id)), m_builtin(makeBuiltinRegistry()) {}
    std::string_view id() const override { return m_id; }
    ImplementationInfo describe() const override { return {m_id, {}, {}, {}, "computes as sequential does"}; }
    std::string_view deviceId() const override { return m_device.id; }
    Result<std::unique_ptr<Session>> open(const Target&) override {
        auto inner = m_builtin.open(parseTarget("cpu/sequential").value());
        if (!inner)
            return inner;
        return std::unique_ptr<Session>(std::make_unique<FakeSession>(std::move(*inner), m_device));
    }

  private:
    FakeDevice& m_device;
    std::string m_id;
    BackendRegistry m_builtin;
};

} // namespace

BackendRegistry registryForFakes() {
    return makeBuiltinRegistry();
}

void addFake(BackendRegistry& registry, FakeDevice& device,
             std::initializer_list<const char*> implementations) {
    registry.addDevice(describe(device));
    for (const char* id : implementations)
        registry.add(std::make_unique<FakeBackend>(device, id));
}

} // namespace heteroscope::compute
