// SPDX-License-Identifier: Apache-2.0
// Who computes an op: a backend's implementations of it in the order of preference. The first that accepts
// the op is taken, unless the target names others (?impl=). One thread at a time, as backend.h says.
#pragma once

#include "compute/core/backend.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// One way to compute an op, or why it does not compute this one.
struct Candidate {
    std::string name;                            ///< as ?impl= takes it: "pool_2x2"
    std::string implementation;                  ///< as spans and results name it: "openmp:pool_2x2:avx512"
    std::string refusal;                         ///< a clause; empty: it computes the op
    std::function<std::size_t()> workspaceBytes; ///< none: 0
    std::function<Result<std::unique_ptr<PreparedOp>>()> prepare; ///< always there where nothing is refused
};

/// Returns false when no more candidates are wanted.
using CandidateVisitor = std::function<bool(Candidate)>;
/// Calls its argument with each candidate, the preferred one first, until that returns false.
using Candidates = std::function<void(const CandidateVisitor&)>;

/// The option "impl": names joined by "+", none twice. Errors (BadInput): an empty name, or one that is there
/// twice.
Result<std::vector<std::string>> implementationOption(const Target& target);

/// The candidate that is taken; without a `prepare` when there is none, and `refusal` then says why. `asked`:
/// where an op has candidates of these names, one of them is taken or none.
Candidate chooseCandidate(const Candidates& candidates, std::span<const std::string> asked);

/// All of them with the reason why each is taken or not.
std::vector<ImplementationRow> implementationRows(const Candidates& candidates,
                                                  std::span<const std::string> asked);

/// An option that has no effect is refused: a name that ?impl= asks for and none of the rows has. Error:
/// BadInput with the names that there are. `place`: the target.
Status checkAskedImplementations(std::span<const std::string> asked, std::span<const ImplementationRow> rows,
                                 const std::string& place);

} // namespace heteroscope::compute
