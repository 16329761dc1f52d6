// SPDX-License-Identifier: Apache-2.0
// The names of the kernels that this process launches, from CUPTI's callbacks: the range profiler numbers the
// kernels it counts and does not name them. One at a time.
#pragma once

#include "compute/base/result.h"

#include <cupti.h>
#include <string>
#include <vector>

namespace heteroscope::profiling {

class LaunchNames {
  public:
    ~LaunchNames();
    Status start(); ///< Error: another profiler is attached
    /// Those since the last call, in order, mangled.
    std::vector<std::string> take();

  private:
    static void CUPTIAPI called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);

    CUpti_SubscriberHandle m_subscriber = nullptr;
    std::vector<std::string> m_names;
};

} // namespace heteroscope::profiling
