// SPDX-License-Identifier: Apache-2.0
// A layer's checked JSON values as numbers. Plain; any thread.
#pragma once

#include "compute/base/json.h"
#include "compute/core/shape.h"

#include <cstdint>
#include <string>

namespace heteroscope::compute {

/// Values as the layer's type describes them; the caller has checked them and put the defaults in.
class LayerValues {
  public:
    explicit LayerValues(const Json& values) : m_values(values) {}

    bool given(const char* key) const { return m_values.contains(key) && !m_values.at(key).is_null(); }
    std::int64_t whole(const char* key) const { return wholeOf(m_values.at(key)); }
    double number(const char* key) const { return m_values.at(key).get<double>(); }
    bool boolean(const char* key) const { return m_values.at(key).get<bool>(); }
    const std::string& text(const char* key) const { return m_values.at(key).get_ref<const std::string&>(); }
    Extent2d extent(const char* key) const;
    Padding2d padding(const char* key) const;

  private:
    static std::int64_t wholeOf(const Json& value);
    const Json& m_values;
};

} // namespace heteroscope::compute
