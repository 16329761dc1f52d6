// SPDX-License-Identifier: GPL-3.0-or-later
// Names of spans, cut to the room they have and kept as masks.
#include "ui/timeline/label_cache.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {
constexpr qsizetype kLongest = 160;      // letters; longer names are never readable in a bar
constexpr std::size_t kMostMasks = 8192; // about 30 MB at worst
const QChar kEllipsis(0x2026);
} // namespace

LabelCache::LabelCache(const profiling::Trace& trace, const QFont& font, double devicePixelRatio)
    : m_trace(trace),
      m_font(font),
      m_ratio(devicePixelRatio),
      m_ellipsis(QFontMetricsF(font).horizontalAdvance(kEllipsis)) {}

const LabelCache::Name& LabelCache::name(profiling::StringId id) {
    const auto [found, added] = m_names.try_emplace(id);
    if (added) {
        const QFontMetricsF metrics(m_font);
        Name& entry = found->second;
        entry.text = QString::fromStdString(m_trace.string(id)).left(kLongest).simplified();
        float end = 0.0f;
        for (const QChar letter : std::as_const(entry.text)) {
            end += static_cast<float>(metrics.horizontalAdvance(letter));
            entry.ends.push_back(end);
        }
    }
    return found->second;
}

std::size_t LabelCache::letters(const Name& entry, double pixels) const {
    if (entry.ends.empty())
        return 0;
    if (entry.ends.back() <= pixels)
        return entry.ends.size();
    const auto room = static_cast<float>(pixels - m_ellipsis);
    auto count = static_cast<std::size_t>(std::upper_bound(entry.ends.begin(), entry.ends.end(), room) -
                                          entry.ends.begin());
    if (count > 0 && entry.text[static_cast<qsizetype>(count) - 1].isHighSurrogate())
        --count;
    return count < 2 ? 0 : count;
}

QString LabelCache::fitted(profiling::StringId id, double pixels) {
    const Name& entry = name(id);
    const std::size_t count = letters(entry, pixels);
    if (count == 0 || count == entry.ends.size())
        return count == 0 ? QString() : entry.text;
    return entry.text.left(static_cast<qsizetype>(count)) + kEllipsis;
}

double LabelCache::width(profiling::StringId id) {
    const Name& entry = name(id);
    return entry.ends.empty() ? 0.0 : static_cast<double>(entry.ends.back());
}

const QImage* LabelCache::mask(profiling::StringId id, double pixels) {
    const Name& entry = name(id);
    const std::size_t count = letters(entry, pixels);
    if (count == 0)
        return nullptr;
    if (m_masks.size() >= kMostMasks)
        m_masks.clear();
    const auto [found, added] = m_masks.try_emplace((std::uint64_t{id} << 16) | count);
    if (added)
        found->second =
            render(count == entry.ends.size() ? entry.text
                                              : entry.text.left(static_cast<qsizetype>(count)) + kEllipsis);
    return &found->second;
}

QImage LabelCache::render(const QString& text) const {
    const QFontMetricsF metrics(m_font);
    const int width = static_cast<int>(std::ceil((metrics.horizontalAdvance(text) + 1.0) * m_ratio));
    const int height = static_cast<int>(std::ceil(metrics.height() * m_ratio));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(m_ratio);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setFont(m_font);
    painter.setPen(Qt::white);
    painter.drawText(QPointF(0.0, metrics.ascent()), text);
    painter.end();
    return image.convertToFormat(QImage::Format_Alpha8);
}

} // namespace heteroscope::ui
