// SPDX-License-Identifier: GPL-3.0-or-later
// Reads and writes lists and ranges of sweep values.
#include "ui/build/axis_syntax.h"

#include "compute/experiment/spec/spec_json.h"
#include "ui/build/value_editors.h"
#include "ui/common/format.h"
#include "ui/common/text.h"

#include <QRegularExpression>

#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr std::size_t kMostValues = compute::SpecLimits::kMaxPoints;
constexpr std::size_t kShortestRange = 3; ///< fewer values are listed

Json numberOf(double value) {
    if (value == std::floor(value) && std::abs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return value;
}

Error wrong(const QString& message) {
    return badInput({}, message.toStdString(),
                    tr("4..4096 *2, 1..8, 10..50 +10 or a list such as 1, 2, 4").toStdString());
}

Result<std::vector<Json>> expandRange(double from, double to, QChar step, double by) {
    if (step == QLatin1Char('*') ? by <= 1 || from <= 0 : by <= 0)
        return wrong(step == QLatin1Char('*')
                         ? tr("a factor must be greater than 1, and the range start above 0")
                         : tr("a step must be greater than 0"));
    if (to < from)
        return wrong(tr("the range ends before it starts"));
    std::vector<Json> values;
    const double tolerance = std::abs(to) * 1e-12;
    for (std::size_t i = 0;; ++i) {
        const auto n = static_cast<double>(i);
        const double value = step == QLatin1Char('*') ? from * std::pow(by, n) : from + n * by;
        if (value > to + tolerance)
            return values;
        if (values.size() == kMostValues)
            return wrong(tr("more than %1 values").arg(countText(kMostValues)));
        values.push_back(numberOf(value));
    }
}

Result<std::vector<Json>> parseRange(const QRegularExpressionMatch& match) {
    const QString step = match.captured(3);
    const double by = step.isEmpty() ? 1.0 : match.captured(4).toDouble();
    return expandRange(match.captured(1).toDouble(), match.captured(2).toDouble(),
                       step.isEmpty() ? QLatin1Char('+') : step.at(0), by);
}

/// Splits at commas and semicolons that are not inside brackets.
QStringList splitList(const QString& text) {
    QStringList parts(QString{});
    int depth = 0;
    for (const QChar c : text) {
        depth += c == QLatin1Char('[') ? 1 : c == QLatin1Char(']') ? -1 : 0;
        if (depth == 0 && (c == QLatin1Char(',') || c == QLatin1Char(';')))
            parts << QString();
        else
            parts.last() += c;
    }
    return parts;
}

Json itemOf(const QString& part) {
    const std::string text = part.toStdString();
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

/// As it is typed: without groups, which are for reading.
QString typed(const Json& value) {
    return QString::fromStdString(value.dump());
}

bool isProgression(const std::vector<Json>& values, bool geometric) {
    const auto at = [&](std::size_t i) { return values[i].get<double>(); };
    if (geometric && (at(0) <= 0 || at(1) <= at(0) || std::fmod(at(1), at(0)) != 0))
        return false;
    for (std::size_t i = 1; i < values.size(); ++i)
        if (geometric ? at(i) * at(0) != at(i - 1) * at(1) : at(i) - at(i - 1) != at(1) - at(0))
            return false;
    return at(1) > at(0);
}

} // namespace

Result<std::vector<Json>> parseAxisValues(const QString& text) {
    static const QRegularExpression kRange(QStringLiteral(
        R"(^\s*(-?[0-9.]*[0-9])\s*(?:\.\.|…|-)\s*(-?[0-9][0-9.]*)\s*(?:([*x×+])\s*([0-9.]+))?\s*$)"));
    std::vector<Json> values;
    for (const QString& part : splitList(QString(text).remove(QChar::Nbsp))) { // of a number that was copied
        const QString trimmed = part.trimmed();
        if (trimmed.isEmpty())
            return wrong(values.empty() && text.trimmed().isEmpty()
                             ? tr("no values yet")
                             : tr("a value is missing between two commas"));
        QRegularExpressionMatch match = kRange.match(trimmed);
        if (!match.hasMatch() && trimmed.contains(QStringLiteral("..")))
            return wrong(tr("\"%1\" is not a whole range").arg(trimmed));
        if (!match.hasMatch()) {
            values.push_back(itemOf(trimmed));
            continue;
        }
        auto range = parseRange(match);
        if (!range)
            return range.error();
        values.insert(values.end(), range->begin(), range->end());
        if (values.size() > kMostValues)
            return wrong(tr("more than %1 values").arg(countText(kMostValues)));
    }
    return values;
}

QString axisValuesText(const std::vector<Json>& values) {
    const bool numbers =
        std::all_of(values.begin(), values.end(), [](const Json& v) { return v.is_number(); });
    if (numbers && values.size() > kShortestRange) {
        const QString range = typed(values.front()) + QStringLiteral("..") + typed(values.back());
        const double difference = values[1].get<double>() - values[0].get<double>();
        if (isProgression(values, false))
            return difference == 1 ? range : range + QStringLiteral(" +") + typed(numberOf(difference));
        if (isProgression(values, true))
            return range + QStringLiteral(" *") +
                   typed(numberOf(values[1].get<double>() / values[0].get<double>()));
    }
    QStringList parts;
    for (const Json& value : values)
        parts << (value.is_string() ? QString::fromStdString(value.get<std::string>()) : typed(value));
    return parts.join(QStringLiteral(", "));
}

QString counted(std::size_t count, const QString& one, const QString& many) {
    return count == 1
               ? one
               : QString(many).replace(QStringLiteral("%n"), countText(static_cast<std::int64_t>(count)));
}

QString axisPreview(const std::vector<Json>& values) {
    QStringList parts;
    const bool cut = values.size() > 6;
    const auto shown = [](const Json& value) { // the numbers of a shape belong together
        return valueText(value).replace(QStringLiteral(", "),
                                        value.is_array() ? QStringLiteral("×") : QStringLiteral(", "));
    };
    for (std::size_t i = 0; i < (cut ? 4 : values.size()); ++i)
        parts << shown(values[i]);
    QString text = parts.join(QStringLiteral(", "));
    return cut ? text + QStringLiteral(" … ") + shown(values.back()) : text;
}

} // namespace heteroscope::ui
