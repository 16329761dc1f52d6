// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/transfer_text.h"

#include "compute/base/units.h"
#include "profiling/analysis/figure_text.h"
#include "ui/common/phrase_text.h"

#include <QCoreApplication>

namespace heteroscope::ui {

namespace {

struct TransferText {
    Q_DECLARE_TR_FUNCTIONS(TransferText)
};

} // namespace

QString routeText(profiling::CopyRoute route) {
    return phraseText(profiling::say(profiling::copyRouteName(route)));
}

QString hostMemoryText(const std::string& memory) {
    if (memory.empty())
        return QStringLiteral("\u2013");
    const std::pair<const char*, QString> known[] = {{"pageable", TransferText::tr("pageable")},
                                                     {"pinned", TransferText::tr("pinned")},
                                                     {"managed", TransferText::tr("managed")},
                                                     {"unknown", TransferText::tr("unknown")}};
    for (const auto& [name, text] : known)
        if (memory == name)
            return text;
    return QString::fromStdString(memory);
}

QString shareText(double share) {
    return QString::fromStdString(profiling::shareText(share));
}

QString byteText(double bytes) {
    return QString::fromStdString(formatBytes(bytes));
}

QString spanTimeText(std::int64_t ns) {
    return QString::fromStdString(formatDurationNs(static_cast<double>(ns)));
}

QString rateText(double gbPerS) {
    return QString::fromStdString(formatBandwidth(gbPerS * 1e9));
}

} // namespace heteroscope::ui
