// SPDX-License-Identifier: GPL-3.0-or-later
// Values as the interface writes them. GUI thread (translated texts).
#pragma once

#include "compute/base/json.h"

#include <QDateTime>
#include <QString>

#include <cstdint>

namespace heteroscope::ui {

QString formatMs(double ms);                ///< "12.4 us" with the micro sign, "3.20 ms", "1.05 s"
QString formatRemaining(double seconds);    ///< "about 2 min left"; empty when negative (unknown)
QString formatSpeedup(double ratio);        ///< "3.20×"
QString formatWhen(const QDateTime& local); ///< "today 14:03:05", "yesterday 09:10:00", "2026-11-21 14:03:05"
QString formatPoint(const Json& point);     ///< "N = 1 024, k = 2"; "single point" when there is no axis
/// Strings without quotes, numbers in groups as countText() makes them, the rest as JSON.
QString formatJsonValue(const Json& value);
QString countText(std::int64_t count);             ///< "1 048 576": groups of three digits
QString numberText(double value, int digits = 15); ///< "12 000.5", "1e+16": up to `digits` significant digits
/// "Matrix multiplication" of "matmul", an experiment's kind; other words as they are.
QString experimentKindText(const QString& kind);
QString fromStd(const std::string& text); ///< UTF-8
/// As much of a text of somebody's as a view lays out: one of megabytes keeps it for minutes.
QString shownText(const QString& text);

} // namespace heteroscope::ui
