// SPDX-License-Identifier: GPL-3.0-or-later
// Names of spans, cut to the room they have and kept as masks, so that a frame with a thousand labels shapes
// no text. GUI thread.
#pragma once

#include "profiling/trace/trace.h"

#include <QFont>
#include <QImage>
#include <QString>

#include <unordered_map>
#include <vector>

namespace heteroscope::ui {

class LabelCache {
  public:
    LabelCache(const profiling::Trace& trace, const QFont& font, double devicePixelRatio);

    /// The name in at most `pixels`, with an ellipsis where it is cut; empty when not even two letters fit.
    QString fitted(profiling::StringId name, double pixels);
    /// Coverage (8 bits) of the fitted name in device pixels; null when nothing fits.
    const QImage* mask(profiling::StringId name, double pixels);
    /// Width of the whole name in device-independent pixels.
    double width(profiling::StringId name);
    double devicePixelRatio() const { return m_ratio; }
    const QFont& font() const { return m_font; }

  private:
    struct Name {
        QString text;
        std::vector<float> ends; ///< right edge of each letter
    };
    const Name& name(profiling::StringId id);
    std::size_t letters(const Name& entry, double pixels) const;
    QImage render(const QString& text) const;

    const profiling::Trace& m_trace;
    QFont m_font;
    double m_ratio;
    double m_ellipsis = 0.0;
    std::unordered_map<profiling::StringId, Name> m_names;
    std::unordered_map<std::uint64_t, QImage> m_masks;
};

} // namespace heteroscope::ui
