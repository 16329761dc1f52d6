// SPDX-License-Identifier: Apache-2.0
// Steps between operations: an operand copied into another layout.
#pragma once

#include "compute/backends/onednn/onednn_ops.h"

#include <memory>
#include <string>

namespace heteroscope::compute::onednn {

struct Reordering {
    dnnl::memory::desc from, to; ///< of the same dimensions
    std::string letters;         ///< of these

    /// "nhwc->nchw"
    std::string layouts() const { return layoutName(from, letters) + "->" + layoutName(to, letters); }
};

/// "onednn:reorder nhwc->nchw"
std::string reorderImplementation(const Reordering& reordering);
std::size_t reorderWorkspaceBytes(Context& context, const Reordering& reordering);

/// Reads its operand and writes another. `name`: as PlannedOp::reorder. Throws dnnl::error.
std::unique_ptr<PreparedOp> makeReorder(Context& context, const Reordering& reordering,
                                        const std::string& name);

} // namespace heteroscope::compute::onednn
