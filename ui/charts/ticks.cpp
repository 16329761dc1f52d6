// SPDX-License-Identifier: GPL-3.0-or-later
// Ticks of linear, log2 and log10 axes.
#include "ui/charts/ticks.h"

#include "compute/base/units.h"
#include "ui/common/format.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {

namespace {

constexpr double kSlack = 1e-9;

double niceStep(double span, int maxLabels) {
    const double rough = span / std::max(1, maxLabels - 1);
    const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 2.5, 5.0, 10.0})
        if (factor * magnitude >= rough * (1 - kSlack))
            return factor * magnitude;
    return 10 * magnitude;
}

std::vector<Tick> linearTicks(double low, double high, int maxLabels, bool wholeNumbers) {
    std::vector<Tick> ticks;
    double step = niceStep(high - low, maxLabels);
    if (wholeNumbers)
        step = std::max(1.0, step == 2.5 ? 5.0 : std::ceil(step - kSlack));
    const double first = std::ceil(low / step - kSlack);
    for (double index = first; index * step <= high + step * kSlack; ++index)
        ticks.push_back({index * step, tickText(index * step, step)});
    return ticks;
}

int labelledCount(const std::vector<Tick>& ticks) {
    return static_cast<int>(
        std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.text.isEmpty(); }));
}

std::vector<Tick> powersOfTwo(double low, double high, int maxLabels) {
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::ceil(std::log2(low) - kSlack));
    const int last = static_cast<int>(std::floor(std::log2(high) + kSlack));
    const int step = std::max(1, (last - first + maxLabels) / std::max(1, maxLabels));
    for (int exponent = first; exponent <= last; ++exponent) {
        const double value = std::exp2(exponent);
        const bool labelled = (exponent - first) % step == 0;
        ticks.push_back({value, labelled ? logTickText(value) : QString()});
    }
    return ticks;
}

std::vector<Tick> decades(double low, double high, int maxLabels, const std::vector<int>& labelledDigits) {
    std::vector<Tick> ticks;
    const int first = static_cast<int>(std::floor(std::log10(low) + kSlack));
    const int last = static_cast<int>(std::floor(std::log10(high) + kSlack));
    const int step = std::max(1, (last - first + maxLabels) / std::max(1, maxLabels));
    for (int exponent = first; exponent <= last; ++exponent) {
        for (int digit = 1; digit <= 9; ++digit) {
            const double value = digit * std::pow(10.0, exponent);
            if (value < low * (1 - kSlack) || value > high * (1 + kSlack))
                continue;
            const bool wanted = std::count(labelledDigits.begin(), labelledDigits.end(), digit) > 0;
            const bool labelled = wanted && (digit != 1 || (exponent - first) % step == 0);
            if (labelled || step == 1 || digit == 1)
                ticks.push_back({value, labelled ? logTickText(value) : QString()});
        }
    }
    return ticks;
}

std::vector<Tick> logTenTicks(double low, double high, int maxLabels) {
    std::vector<Tick> ticks = decades(low, high, maxLabels, {1});
    if (labelledCount(ticks) < 3) {
        for (const std::vector<int>& digits : {std::vector<int>{1, 2, 5}, std::vector<int>{1, 3}}) {
            std::vector<Tick> finer = decades(low, high, maxLabels, digits);
            const int count = labelledCount(finer);
            if (count > labelledCount(ticks) && count <= maxLabels)
                return finer;
        }
    }
    return ticks;
}

QString superscript(int exponent) {
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text = exponent < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(exponent)))
        text += digits[digit.digitValue()];
    return text;
}

} // namespace

QString tickText(double value, double step) {
    if (std::fabs(value) < step * kSlack)
        return QStringLiteral("0");
    int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + kSlack)));
    const double scaled = step * std::pow(10.0, decimals);
    if (std::fabs(scaled - std::round(scaled)) > 1e-6)
        ++decimals;
    return fromStd(groupDigits(formatFixed(value, decimals)));
}

QString logTickText(double value) {
    if (value >= 1e-3 * (1 - kSlack) && value < 1e7)
        return numberText(value, 8);
    const int exponent = static_cast<int>(std::floor(std::log10(value) + kSlack));
    const double mantissa = value / std::pow(10.0, exponent);
    const QString power = QStringLiteral("10") + superscript(exponent);
    if (std::fabs(mantissa - 1) < 1e-6)
        return power;
    return QStringLiteral("%1·%2").arg(QString::number(mantissa, 'g', 3), power);
}

std::vector<Tick> axisTicks(AxisScale scale, double low, double high, int maxLabels, bool wholeNumbers) {
    maxLabels = std::max(2, maxLabels);
    if (!(high > low))
        return {{low, tickText(low, 1)}};
    const bool logarithmic = scale == AxisScale::Log2 || scale == AxisScale::Log10;
    if (logarithmic && low > 0) {
        std::vector<Tick> ticks =
            scale == AxisScale::Log2 ? powersOfTwo(low, high, maxLabels) : logTenTicks(low, high, maxLabels);
        if (labelledCount(ticks) >= 2)
            return ticks;
    }
    return linearTicks(low, high, maxLabels, wholeNumbers);
}

} // namespace heteroscope::ui
