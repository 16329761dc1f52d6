// SPDX-License-Identifier: Apache-2.0
#include "profiling/collectors/cupti/launch_names.h"

#include "profiling/collectors/cupti/cupti_error.h"

#include <array>
#include <utility>

namespace heteroscope::profiling {
namespace {

/// All that launch one kernel through the runtime, which our kernels and NVIDIA's libraries do.
constexpr std::array kLaunches{CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                               CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_ptsz_v7000,
                               CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_v11060,
                               CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernelExC_ptsz_v11060};

} // namespace

LaunchNames::~LaunchNames() {
    if (m_subscriber != nullptr)
        cuptiUnsubscribe(m_subscriber);
}

Status LaunchNames::start() {
    if (const Status status =
            cuptiStatus(cuptiSubscribe(&m_subscriber, called, this), "watching kernel launches");
        !status) {
        m_subscriber = nullptr;
        return status;
    }
    for (const auto launch : kLaunches)
        if (const Status status =
                cuptiStatus(cuptiEnableCallback(1, m_subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, launch),
                            "watching launches");
            !status)
            return status;
    return {};
}

std::vector<std::string> LaunchNames::take() {
    return std::exchange(m_names, {});
}

void CUPTIAPI LaunchNames::called(void* self, CUpti_CallbackDomain, CUpti_CallbackId, const void* data) {
    const auto* call = static_cast<const CUpti_CallbackData*>(data);
    if (call->callbackSite == CUPTI_API_ENTER)
        static_cast<LaunchNames*>(self)->m_names.emplace_back(call->symbolName == nullptr ? ""
                                                                                          : call->symbolName);
}

} // namespace heteroscope::profiling
