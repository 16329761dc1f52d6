// SPDX-License-Identifier: Apache-2.0
// A primitive of a network's layer with its arguments, each in the layout that the primitive asks for.
#pragma once

#include "compute/backends/onednn/onednn_ops.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute::onednn {

/// One argument of a primitive: which operand of ours it is, and how it lies.
struct Argument {
    int id = 0; ///< DNNL_ARG_...
    bool output = false;
    std::size_t operand = 0;
    dnnl::memory::desc wanted; ///< as the primitive takes it
    OperandLayout layout;
};

struct LayerPlan {
    dnnl::primitive primitive;
    std::string name;           ///< of the candidate: the library's, with the images' order
    std::string implementation; ///< with all that is computed
    std::vector<Argument> arguments;
    dnnl::memory::desc scratch;
    std::optional<Folding> folding;

    OpLayouts layouts() const;
};

/// Gets each plan of an operation and why it must not be used (empty: it may), until it returns false.
using PlanVisitor = std::function<bool(LayerPlan, std::string)>;

/// The plans of an operation and what is behind it, the preferred one first; none for an operation that is no
/// layer's. Throws dnnl::error.
void visitPlans(Context& context, const LayoutPolicy& policy, const Op& op, const PostOps& postOps,
                const PlanVisitor& visit);

} // namespace heteroscope::compute::onednn
