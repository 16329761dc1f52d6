// SPDX-License-Identifier: GPL-3.0-or-later
// Values as text.
#include "ui/common/format.h"

#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "ui/common/axis_text.h"
#include "ui/common/text.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

QString fromStd(const std::string& text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString shownText(const QString& text) {
    constexpr qsizetype kLongest = 4096;
    if (text.size() <= kLongest)
        return text;
    const bool halved = text.at(kLongest - 1).isHighSurrogate();
    return text.left(kLongest - (halved ? 1 : 0)) + QChar(0x2026);
}

QString formatMs(double ms) {
    return fromStd(formatDurationNs(ms * 1e6));
}

QString formatRemaining(double seconds) {
    if (!(seconds >= 0))
        return {};
    if (seconds < 1.5)
        return tr("a moment left");
    if (seconds < 90)
        return tr("about %1 s left").arg(std::lround(seconds));
    if (seconds < 5400)
        return tr("about %1 min left").arg(std::lround(seconds / 60));
    return tr("about %1 h left").arg(seconds / 3600, 0, 'f', 1);
}

QString formatSpeedup(double ratio) {
    return fromStd(profiling::ratioText(ratio));
}

QString formatWhen(const QDateTime& local) {
    const qint64 days = local.date().daysTo(QDate::currentDate());
    const QString time = local.toString(QStringLiteral("HH:mm:ss"));
    if (days == 0)
        return tr("today %1").arg(time);
    if (days == 1)
        return tr("yesterday %1").arg(time);
    return local.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

QString formatJsonValue(const Json& value) {
    if (value.is_string())
        return fromStd(value.get<std::string>());
    const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return fromStd(value.is_number() ? groupDigits(text) : text);
}

QString countText(std::int64_t count) {
    return fromStd(formatCount(count));
}

QString numberText(double value, int digits) {
    return fromStd(groupDigits(QString::number(value, 'g', digits).toStdString()));
}

QString experimentKindText(const QString& kind) {
    return kind == QLatin1String("pooling")   ? tr("Pooling")
           : kind == QLatin1String("matmul")  ? tr("Matrix multiplication")
           : kind == QLatin1String("network") ? tr("Network")
                                              : kind;
}

QString formatPoint(const Json& point) {
    if (!point.is_object() || point.empty())
        return tr("single point");
    QStringList parts;
    for (const auto& [pointer, value] : point.items())
        parts.append(QStringLiteral("%1 = %2").arg(axisShortName(pointer), formatJsonValue(value)));
    return parts.join(QStringLiteral(", "));
}

} // namespace heteroscope::ui
