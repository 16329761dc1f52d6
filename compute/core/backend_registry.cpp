// SPDX-License-Identifier: Apache-2.0
// Lookup of devices and implementations, with reasons for what is missing.
#include "compute/core/backend_registry.h"

#include "compute/base/failure_words.h"

#include <algorithm>
#include <utility>

namespace heteroscope::compute {
namespace {

void append(std::string& list, std::string_view item) {
    list += list.empty() ? "" : ", ";
    list += item;
}

Error unavailable(const Target& target, std::string message, std::string allowed, std::string advice) {
    return Error{ErrorCode::TargetUnavailable, std::move(message),
                 say(failure_words::kTarget, {target.text()}).text(), std::move(allowed), std::move(advice)};
}

Error unknownDevice(const Target& target, const std::vector<DeviceInfo>& devices) {
    std::string known;
    for (const DeviceInfo& device : devices)
        append(known, device.id);
    return unavailable(target, say(failure_words::kNoDevice, {target.device}).text(), known,
                       failure_words::kListsDevices);
}

} // namespace

void BackendRegistry::addDevice(DeviceInfo device) {
    device.implementations.clear();
    m_devices.push_back(std::move(device));
}

void BackendRegistry::add(std::unique_ptr<Backend> backend) {
    m_backends.push_back(std::move(backend));
}

std::vector<DeviceInfo> BackendRegistry::devices() const {
    std::vector<DeviceInfo> result = m_devices;
    for (const auto& backend : m_backends) {
        for (DeviceInfo& device : result) {
            if (device.id == backend->deviceId())
                device.implementations.push_back(backend->describe());
        }
    }
    return result;
}

Result<Backend*> BackendRegistry::find(const Target& target) const {
    const auto device = std::find_if(m_devices.begin(), m_devices.end(),
                                     [&](const DeviceInfo& d) { return d.id == target.device; });
    if (device == m_devices.end())
        return unknownDevice(target, m_devices);
    if (!device->unavailableReason.empty())
        return unavailable(
            target, say(failure_words::kDeviceUnusable, {device->id, device->unavailableReason}).text(), {},
            {});
    std::string known;
    for (const auto& backend : m_backends) {
        if (backend->deviceId() != target.device)
            continue;
        append(known, backend->id());
        if (backend->id() != target.implementation)
            continue;
        const std::string reason = backend->describe().unavailableReason;
        if (!reason.empty())
            return unavailable(target, say(failure_words::kUnusable, {target.implementation, reason}).text(),
                               {}, {});
        return backend.get();
    }
    return unavailable(target,
                       say(failure_words::kNoImplementation, {target.device, target.implementation}).text(),
                       known, failure_words::kListsDevices);
}

Result<std::unique_ptr<Session>> BackendRegistry::open(const Target& target) const {
    const Result<Backend*> backend = find(target);
    if (!backend)
        return backend.error();
    return (*backend)->open(target);
}

} // namespace heteroscope::compute
