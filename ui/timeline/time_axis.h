// SPDX-License-Identifier: GPL-3.0-or-later
// Mapping between nanoseconds of a recording and pixels of the timeline. A value type without widgets.
#pragma once

#include <cstdint>

namespace heteroscope::ui {

/// The visible window of time. Positions are kept as an offset from the recording's start, so that recordings
/// with wall-clock times (1e18 ns) zoom to a nanosecond without rounding.
class TimeAxis {
  public:
    /// Whole recording; an empty one counts as 1 ms. Keeps the window where it is.
    void setLimits(std::int64_t startNs, std::int64_t endNs);
    /// Drawing width in device-independent pixels; the scale stays, the end of the window moves.
    void setWidth(double pixels);
    /// Shows [startNs, endNs), within the limits of zoom.
    void setRange(std::int64_t startNs, std::int64_t endNs);
    /// The whole recording with a small margin.
    void fit();
    /// factor > 1 zooms in. The time under `pixel` stays there unless the window meets its limits.
    void zoomAt(double pixel, double factor);
    /// Positive: later times come into view.
    void panBy(double pixels);
    /// Same scale, with `ns` at `pixel`.
    void place(std::int64_t ns, double pixel);

    double toPixel(std::int64_t ns) const;
    std::int64_t toNs(double pixel) const;

    std::int64_t startNs() const { return toNs(0.0); }
    std::int64_t endNs() const { return toNs(m_width); }
    double nsPerPixel() const { return m_nsPerPixel; }
    double rangeNs() const { return m_nsPerPixel * m_width; }
    double width() const { return m_width; }
    std::int64_t limitStartNs() const { return m_origin; }
    std::int64_t limitEndNs() const;
    double limitNs() const { return m_lengthNs; }

    bool operator==(const TimeAxis&) const = default;

    static constexpr double kMinNsPerPixel = 0.02; ///< 50 pixels a nanosecond

  private:
    double maxNsPerPixel() const;
    void clamp();

    std::int64_t m_origin = 0;
    double m_lengthNs = 1e6;
    double m_offsetNs = 0.0; ///< of the left edge, from m_origin
    double m_nsPerPixel = 1e3;
    double m_width = 1000.0;
};

} // namespace heteroscope::ui
