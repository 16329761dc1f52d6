// SPDX-License-Identifier: Apache-2.0
// An implementation that this build or machine does not have: listed with its reason, never opened.
#pragma once

#include "compute/base/failure_words.h"
#include "compute/core/backend.h"

#include <string>
#include <utility>

namespace heteroscope::compute {

class MissingBackend final : public Backend {
  public:
    /// `info.unavailableReason` must say why.
    MissingBackend(std::string deviceId, ImplementationInfo info)
        : m_deviceId(std::move(deviceId)), m_info(std::move(info)) {}
    std::string_view id() const override { return m_info.id; }
    std::string_view deviceId() const override { return m_deviceId; }
    ImplementationInfo describe() const override { return m_info; }
    Result<std::unique_ptr<Session>> open(const Target& target) override {
        return Error{ErrorCode::TargetUnavailable,
                     m_info.unavailableReason,
                     say(failure_words::kTarget, {target.text()}).text(),
                     {},
                     {}};
    }

  private:
    std::string m_deviceId;
    ImplementationInfo m_info;
};

} // namespace heteroscope::compute
