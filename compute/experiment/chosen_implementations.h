// SPDX-License-Identifier: Apache-2.0
// What computes each operation of a point on a target, and why not something else.
#pragma once

#include "compute/core/backend.h"
#include "compute/experiment/spec/spec.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

/// The operation of a copy of operands into another layout, which cannot be asked for by name.
inline constexpr const char* kReorderOperation = "reorder";

/// An operation, or several that are computed as one.
struct OperationImplementations {
    std::string layer; ///< its name; empty where it belongs to none
    std::string phase; ///< of a network: "forward"; else empty
    std::string operation, detail;
    std::vector<ImplementationRow> candidates; ///< the preferred one first
    std::string refusal;                       ///< why nothing computes it; else empty

    /// nullptr where nothing computes it.
    const ImplementationRow* taken() const;
};

/// "cpu/openmp?impl=pool_2x2 cannot do maxpool.forward 4x4 ...: reason" of the first that nothing computes;
/// empty when all are computed. `target`: its text.
std::string firstRefusal(const std::vector<OperationImplementations>& operations, const std::string& target);

/// In the order in which they run. `session`: of the target, opened for this alone; networks set it up as
/// they do before they run.
std::vector<OperationImplementations> chosenImplementations(const ExperimentSpec& pointSpec,
                                                            const Shape4& srcShape, Session& session);

} // namespace heteroscope::compute
