// SPDX-License-Identifier: Apache-2.0
// Axes: what they may point at, and the points they span. Pure; any thread.
#pragma once

#include "compute/experiment/spec/findings.h"

#include <optional>
#include <string>

namespace heteroscope::compute {

/// Form of "/axes": pointers that exist, no overlap, values of the right type, not too many points.
/// `expanded` is the document with its defaults.
void checkAxes(const Json& expanded, Findings& findings);

/// Every point's combination of values; only for a document whose axes and parameters passed their checks.
void checkPoints(const Json& expanded, Findings& findings);

/// Walks the combinations of axis values, the first axis slowest.
class AxisCounter {
  public:
    explicit AxisCounter(std::vector<std::size_t> sizes)
        : m_sizes(std::move(sizes)), m_index(m_sizes.size(), 0) {}
    std::size_t at(std::size_t axis) const { return m_index[axis]; }
    /// False after the last combination.
    bool next();

  private:
    std::vector<std::size_t> m_sizes;
    std::vector<std::size_t> m_index;
};

/// The network of an experiment, and others by name, of which an axis over the first chooses.
inline constexpr const char* kNetwork = "/network";
inline constexpr const char* kNetworks = "/networks";

/// Puts a value of an axis into a document: at each of its pointers, and for the name of a network that
/// network.
void setAxisValue(Json& document, const std::string& axis, const Json& value);

/// An experiment without its axes, with the values of a point put in.
Json experimentAt(const Json& experiment, const Json& point);

/// The axes as listed in a document, in its order.
std::vector<Axis> readAxes(const Json& document);

/// Whether an axis chooses among the networks of a document.
bool choosesNetwork(const Json& document);

/// The axis that sets a parameter, or a number of its list; nothing without one.
std::optional<Axis> axisOver(const Json& document, const std::string& pointer);

} // namespace heteroscope::compute
