// SPDX-License-Identifier: GPL-3.0-or-later
// Mapping between nanoseconds of a recording and pixels of the timeline.
#include "ui/timeline/time_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscope::ui {

namespace {

constexpr double kMarginShare = 0.02; ///< of the recording, on each side of the widest window

double distance(std::int64_t from, std::int64_t to) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(to, from, &difference))
        return static_cast<double>(to) - static_cast<double>(from);
    return static_cast<double>(difference);
}

std::int64_t advance(std::int64_t from, double by) {
    constexpr double kLargest = 9.2e18;
    std::int64_t result = 0;
    const auto step = static_cast<std::int64_t>(std::clamp(std::floor(by), -kLargest, kLargest));
    if (__builtin_add_overflow(from, step, &result))
        return by < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
    return result;
}

} // namespace

void TimeAxis::setLimits(std::int64_t startNs, std::int64_t endNs) {
    const double absolute = distance(startNs, m_origin);
    m_offsetNs += absolute;
    m_origin = startNs;
    m_lengthNs = endNs > startNs ? distance(startNs, endNs) : 1e6;
    clamp();
}

void TimeAxis::setWidth(double pixels) {
    m_width = std::max(1.0, pixels);
    clamp();
}

void TimeAxis::setRange(std::int64_t startNs, std::int64_t endNs) {
    if (endNs < startNs)
        std::swap(startNs, endNs);
    const double wanted = std::max(1.0, distance(startNs, endNs));
    m_nsPerPixel = std::clamp(wanted / m_width, kMinNsPerPixel, maxNsPerPixel());
    m_offsetNs = distance(m_origin, startNs) + (wanted - rangeNs()) / 2.0;
    clamp();
}

void TimeAxis::fit() {
    m_nsPerPixel = maxNsPerPixel();
    clamp();
}

void TimeAxis::zoomAt(double pixel, double factor) {
    if (!(factor > 0.0))
        return;
    const double anchor = m_offsetNs + pixel * m_nsPerPixel;
    m_nsPerPixel = std::clamp(m_nsPerPixel / factor, kMinNsPerPixel, maxNsPerPixel());
    m_offsetNs = anchor - pixel * m_nsPerPixel;
    clamp();
}

void TimeAxis::panBy(double pixels) {
    m_offsetNs += pixels * m_nsPerPixel;
    clamp();
}

void TimeAxis::place(std::int64_t ns, double pixel) {
    m_offsetNs = distance(m_origin, ns) - pixel * m_nsPerPixel;
    clamp();
}

double TimeAxis::toPixel(std::int64_t ns) const {
    return (distance(m_origin, ns) - m_offsetNs) / m_nsPerPixel;
}

std::int64_t TimeAxis::toNs(double pixel) const {
    return advance(m_origin, m_offsetNs + pixel * m_nsPerPixel);
}

std::int64_t TimeAxis::limitEndNs() const {
    return advance(m_origin, m_lengthNs);
}

double TimeAxis::maxNsPerPixel() const {
    return std::max(kMinNsPerPixel, m_lengthNs * (1.0 + 2.0 * kMarginShare) / m_width);
}

void TimeAxis::clamp() {
    const double widest = maxNsPerPixel();
    m_nsPerPixel = std::clamp(m_nsPerPixel, kMinNsPerPixel, widest);
    if (m_nsPerPixel >= widest) {
        m_offsetNs = (m_lengthNs - rangeNs()) / 2.0;
        return;
    }
    // Half a window may hang over either end, so that a span at the edge can be looked at in the middle.
    const double overhang = rangeNs() / 2.0;
    m_offsetNs = std::clamp(m_offsetNs, -overhang, m_lengthNs - overhang);
}

} // namespace heteroscope::ui
