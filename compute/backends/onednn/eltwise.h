// SPDX-License-Identifier: Apache-2.0
// Activations as the library's functions of one element.
#pragma once

#include "compute/backends/onednn/onednn_ops.h"

#include <optional>

namespace heteroscope::compute::onednn {

struct Eltwise {
    dnnl::algorithm algorithm;
    float alpha = 0, beta = 0;
};

/// `backward`: the derivative from the result, or from the input where derivativeReadsInput(). Nothing for
/// what the library does not have.
std::optional<Eltwise> eltwiseOf(ActivationKind kind, double slope, bool backward);

/// Whether the library has it.
bool isEltwise(ActivationKind kind);

/// Throw dnnl::error.
PrimitiveList<dnnl::eltwise_forward> eltwiseForward(Context& context, const Eltwise& eltwise,
                                                    const dnnl::memory::desc& data,
                                                    const dnnl::primitive_attr& attributes = {});
PrimitiveList<dnnl::eltwise_backward> eltwiseBackward(Context& context, const ActivationBackward& op,
                                                      const dnnl::memory::desc& data,
                                                      const dnnl::primitive_attr& attributes = {});

} // namespace heteroscope::compute::onednn
