// SPDX-License-Identifier: Apache-2.0
// The library's ReLU turns NaN into 0, and its max pooling passes over NaN and minus infinity: a result would
// hide that the data or weights are no numbers any more. Where a session has such an operation, memory that
// was written from outside is looked at once before it is read, and optimisers look at the weights that they
// write. What follows from finite operands within a layer (an overflow) is not looked at.
#pragma once

#include "compute/core/backend.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace heteroscope::compute::onednn {

/// What the library does to NaN in this operation: "ReLU turns NaN into 0"; nullptr when NaN stays NaN.
/// `implementation`: the one that is taken.
const char* lossOfNan(const Op& op, std::string_view implementation);

/// The first NaN or infinity in [0, elements), or -1.
std::int64_t firstNonFinite(const float* values, std::int64_t elements);

/// One thread at a time.
class FiniteOperands {
  public:
    /// From here on `what` ("ReLU turns NaN into 0") is what values that are not finite are refused for.
    void require(std::string what);
    bool required() const { return !m_why.empty(); }

    /// Written from outside: to be looked at.
    void uploaded(const float* at, std::int64_t elements);
    /// Written by an operation or zeroed.
    void computed(const float* at, std::int64_t elements);
    /// Looks at what was uploaded there and not looked at yet. `reader`: the operation's name.
    Status check(const float* at, std::int64_t elements, const std::string& reader);
    /// RunFailed: element `index` of what the operation reads or writes (`values`, a plural) is not finite.
    Error refusal(const std::string& operation, const std::string& values, std::int64_t index) const;

  private:
    std::string m_why;
    std::map<const float*, const float*> m_uploaded; ///< begin and end; they do not overlap
};

/// The operation, which looks at its operands first. `loss`: what it does to NaN, or nullptr; one such
/// operation is enough for all of a session to look at what they are given.
Result<std::unique_ptr<PreparedOp>> checkedOp(FiniteOperands& operands, std::string name, const char* loss,
                                              Result<std::unique_ptr<PreparedOp>> op);

} // namespace heteroscope::compute::onednn
