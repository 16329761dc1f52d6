// SPDX-License-Identifier: Apache-2.0
// Who computes an op: a backend's implementations of it in the order of preference. The first that accepts
// the op is taken, unless the target names others (?impl=). One thread at a time, as backend.h says.
#pragma once

#include "compute/core/backend.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
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

/// A session whose backend lists its implementations of an op; which is taken is decided here.
class CandidateSession : public Session {
  public:
    /// `backend`: its id. `asked`: what the target's option "impl" names.
    CandidateSession(std::string backend, std::vector<std::string> asked)
        : m_backend(std::move(backend)), m_asked(std::move(asked)) {}
    Support supports(const Op& op) const override;
    std::vector<ImplementationRow> implementations(const Op& op) const override;
    std::span<const std::string> askedImplementations() const override { return m_asked; }
    std::size_t workspaceBytes(const Op& op) const override;
    Result<std::unique_ptr<PreparedOp>> prepare(const Op& op) override;

  protected:
    /// Calls visit(candidate) for each implementation of the op, the preferred one first, until it returns
    /// false; none for an op that the backend does not have. The op's operands are valid. Candidates are used
    /// before the op and the session go.
    virtual void visitCandidates(const Op& op, const CandidateVisitor& visit) const = 0;
    /// The candidate that is taken; without a `prepare`, and with the reason, when there is none.
    Candidate choose(const Op& op) const;

  private:
    std::string m_backend;
    std::vector<std::string> m_asked;
};

} // namespace heteroscope::compute
