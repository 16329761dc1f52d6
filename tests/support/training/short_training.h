// SPDX-License-Identifier: Apache-2.0
// A training that is over in moments, for comparing implementations step by step.
#pragma once

#include "compute/base/json.h"
#include "compute/core/backend.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Three epochs of six batches of eight made-up images of 2 x 13 x 14; two examples are left over.
inline constexpr std::int64_t kShortSteps = 18;

/// Two convolutions of so many filters with a pooling between them, dropout, two fully connected layers.
Json shortNetwork(int filters);

/// Squeeze and excitation of a convolution's 16 channels, between normalisations of layers.
Json excitedNetwork();

struct ShortTraining {
    std::vector<double> losses; ///< of each step, then that of the test examples
    std::vector<double> norms;  ///< of the gradient of each step, where asked
    std::string implementation;
};

/// `optimizer`: "sgd" or "adam". The same seeds each time.
Result<ShortTraining> trainShortly(Session& session, const Json& layers, const std::string& optimizer,
                                   bool norm = false);

} // namespace heteroscope::compute
