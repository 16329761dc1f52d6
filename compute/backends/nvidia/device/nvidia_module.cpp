// SPDX-License-Identifier: Apache-2.0
#include "compute/backends/nvidia/device/nvidia_module.h"

#include "compute/backends/nvidia/device/gpu_info.h"
#include "compute/core/target_options.h"

#include <utility>

namespace heteroscope::compute::nvidia {
namespace {

class NvidiaBackend final : public Backend {
  public:
    NvidiaBackend(DeviceInfo device, ImplementationInfo info, OpenSession open)
        : m_device(std::move(device)), m_info(std::move(info)), m_open(std::move(open)) {}
    std::string_view id() const override { return m_info.id; }
    std::string_view deviceId() const override { return m_device.id; }
    ImplementationInfo describe() const override { return m_info; }
    Result<std::unique_ptr<Session>> open(const Target& target) override {
        if (!m_info.unavailableReason.empty())
            return Error{ErrorCode::TargetUnavailable,
                         m_info.unavailableReason,
                         "target '" + target.text() + "'",
                         {},
                         {}};
        if (const Status status = checkOptionNames(target, m_info.options); !status)
            return status.error();
        return m_open(target, m_device);
    }

  private:
    DeviceInfo m_device;
    ImplementationInfo m_info;
    OpenSession m_open;
};

class NvidiaModule final : public BackendModule {
  public:
    NvidiaModule(ImplementationInfo info, OpenSession open)
        : m_info(std::move(info)), m_open(std::move(open)), m_devices(queryDevices()) {}
    std::vector<DeviceInfo> devices() override { return m_devices; }
    std::vector<std::unique_ptr<Backend>> backends() override {
        std::vector<std::unique_ptr<Backend>> backends;
        for (const DeviceInfo& device : m_devices) {
            ImplementationInfo info = m_info;
            if (info.unavailableReason.empty())
                info.unavailableReason = device.unavailableReason;
            backends.push_back(std::make_unique<NvidiaBackend>(device, std::move(info), m_open));
        }
        return backends;
    }

  private:
    ImplementationInfo m_info;
    OpenSession m_open;
    std::vector<DeviceInfo> m_devices;
};

} // namespace

std::unique_ptr<BackendModule> makeModule(ImplementationInfo info, OpenSession open) {
    return std::make_unique<NvidiaModule>(std::move(info), std::move(open));
}

} // namespace heteroscope::compute::nvidia
