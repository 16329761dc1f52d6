// SPDX-License-Identifier: Apache-2.0
// A primitive of a network's layer with its arguments: operands of ours as they are, or through a reorder
// into the layout that the primitive asks for.
#pragma once

#include "compute/backends/onednn/onednn_ops.h"

#include <array>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heteroscope::compute::onednn {

/// How an operand lies in our memory.
enum class Lies {
    Plainly,
    AsImages, ///< in `order`, where the session keeps layouts
    AsOthers  ///< in any order that all operands have
};

/// One argument of a primitive: which operand of ours it is, and its layout here and there.
struct Argument {
    int id = 0; ///< DNNL_ARG_...
    bool output = false;
    std::size_t operand = 0;
    dnnl::memory::desc plain, wanted;
    Lies lies = Lies::Plainly;
    Order order = Order::Plain;
    std::int64_t elements() const;
    Images images() const; ///< where it has four dimensions
    bool reordered() const { return plain != wanted; }
};

/// A normalisation that a convolution's weights and bias take in: which operands of ours they are made of,
/// and their layouts.
struct Folding {
    std::size_t weights = 1;
    std::optional<std::size_t> bias;
    std::array<std::size_t, 4> channels{}; ///< gamma, beta, mean, variance
    double epsilon = 0;
    std::int64_t filters = 0;
    dnnl::memory::desc plain, wanted; ///< of the weights
};

struct LayerPlan {
    dnnl::primitive primitive;
    std::string name;           ///< of the candidate: the library's, with the images' order
    std::string implementation; ///< with all that is computed
    std::vector<Argument> arguments;
    dnnl::memory::desc scratch;
    std::optional<Folding> folding;

    /// Bytes of the copies in other layouts and of the scratchpad.
    std::size_t workspaceBytes() const;
};

/// "onednn:" + name, "+reorder" where an operand is.
std::string layerName(const std::string& implementation, const std::vector<Argument>& arguments);

/// Gets each plan of an operation and why it must not be used (empty: it may), until it returns false.
using PlanVisitor = std::function<bool(LayerPlan, std::string)>;

/// The plans of an operation and what is behind it, the preferred one first; none for an operation that is no
/// layer's. Throws dnnl::error.
void visitPlans(Context& context, const Op& op, const Behind& behind, const PlanVisitor& visit);

} // namespace heteroscope::compute::onednn
