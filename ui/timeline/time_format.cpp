// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of times and durations, and the ticks of a time ruler.
#include "ui/timeline/time_format.h"

#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscope::ui {

namespace {

struct Unit {
    double ns;
    const char* text;
};
constexpr std::array<Unit, 4> kUnits{{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1.0, "ns"}}};

const Unit& unitFor(double ns) {
    for (const Unit& unit : kUnits)
        if (std::abs(ns) >= unit.ns)
            return unit;
    return kUnits.back();
}

QString withUnit(double value, int decimals, const Unit& unit) {
    return QStringLiteral("%1 %2").arg(QLocale::c().toString(value, 'f', decimals),
                                       QString::fromUtf8(unit.text));
}

int decimalsFor(double stepInUnit) {
    return stepInUnit >= 1.0 ? 0 : static_cast<int>(std::ceil(-std::log10(stepInUnit) - 1e-9));
}

bool isBinary(const QString& unit) {
    return unit == QLatin1String("B") || unit == QLatin1String("bytes");
}

/// Steps of whole minutes and hours do not follow 1-2-5.
double majorStep(double minimumNs) {
    constexpr std::array<double, 9> kMinutes{30e9,   60e9,   120e9,  300e9,  600e9,
                                             1800e9, 3600e9, 7200e9, 21600e9};
    if (minimumNs > 10e9) {
        for (const double step : kMinutes)
            if (step >= minimumNs)
                return step;
    }
    return std::max(1.0, niceCeiling(minimumNs));
}

double minorStep(double major) {
    const double lead = major / std::pow(10.0, std::floor(std::log10(major)));
    const double minor = std::abs(lead - 2.0) < 0.01 ? major / 4.0 : major / 5.0;
    return minor >= 1.0 ? minor : major;
}

} // namespace

double niceCeiling(double value) {
    if (!(value > 0.0))
        return 1.0;
    const double decade = std::pow(10.0, std::floor(std::log10(value) + 1e-12));
    for (const double lead : {1.0, 2.0, 5.0})
        if (lead * decade >= value * (1.0 - 1e-12))
            return lead * decade;
    return 10.0 * decade;
}

double scaleCeiling(double value, const QString& unit) {
    if (!(value > 0.0))
        return 1.0;
    double base = 1.0;
    if (isBinary(unit)) // bytes are written with binary prefixes
        while (value >= base * 1024.0)
            base *= 1024.0;
    const double decade = std::pow(10.0, std::floor(std::log10(value / base) + 1e-12)) * base;
    for (const double lead : {1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (lead * decade >= value * (1.0 - 1e-12))
            return lead * decade;
    return 10.0 * decade;
}

QString formatDuration(double ns) {
    if (std::abs(ns) >= 120e9) {
        const double minutes = std::floor(ns / 60e9);
        return QStringLiteral("%1 min %2 s")
            .arg(minutes, 0, 'f', 0)
            .arg((ns - minutes * 60e9) / 1e9, 0, 'f', 1);
    }
    const Unit& unit = unitFor(ns);
    const double value = ns / unit.ns;
    if (unit.ns == 1.0)
        return withUnit(value, value == std::floor(value) ? 0 : 1, unit);
    const double size = std::abs(value);
    return withUnit(value, size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3, unit);
}

QString formatTime(std::int64_t ns, double stepNs) {
    const Unit& unit = unitFor(static_cast<double>(ns));
    const int decimals = decimalsFor(std::max(1.0, stepNs) / unit.ns);
    QString text = QLocale::c().toString(static_cast<double>(ns) / unit.ns, 'f', decimals);
    const auto point = text.indexOf(QLatin1Char('.'));
    for (auto i = point + 4; point >= 0 && i < text.size(); i += 4)
        text.insert(i, QChar(0x2009)); // thin space between groups of three decimals
    return text + QLatin1Char(' ') + QString::fromUtf8(unit.text);
}

namespace {

/// Of units that have a prefix already a second one would be wrong: "1980 MHz" and no "1.98 kMHz".
bool takesPrefix(const QString& unit) {
    static const QStringList kFixed{QString(), QStringLiteral("%"), QStringLiteral("MHz"),
                                    QStringLiteral("\u00b0C")};
    return !kFixed.contains(unit);
}

} // namespace

QString formatValue(double value, const QString& unit) {
    const bool binary = isBinary(unit);
    const double base = binary ? 1024.0 : 1000.0;
    static const std::array<const char*, 5> kPrefix{"", "k", "M", "G", "T"};
    static const std::array<const char*, 5> kBinary{"", "Ki", "Mi", "Gi", "Ti"};
    std::size_t step = 0;
    double size = std::abs(value);
    const bool scaled = takesPrefix(unit);
    for (; scaled && size >= base && step + 1 < kPrefix.size(); ++step)
        size /= base;
    const int decimals = size >= 100.0 || size == std::floor(size) ? 0 : size >= 10.0 ? 1 : 2;
    const QString number = QLocale::c().toString(value < 0 ? -size : size, 'f', decimals);
    const QString prefix = QString::fromLatin1((binary ? kBinary : kPrefix)[step]);
    const QString suffix = prefix + (binary ? QStringLiteral("B") : unit);
    return suffix.isEmpty() ? number : number + QLatin1Char(' ') + suffix;
}

TickSet ticksFor(const TimeAxis& axis, double minPixels) {
    TickSet set;
    const double step = majorStep(minPixels * axis.nsPerPixel());
    const double minor = minorStep(step);
    const double first = static_cast<double>(axis.startNs() - axis.limitStartNs());
    const double last = static_cast<double>(axis.endNs() - axis.limitStartNs());
    const Unit& unit = unitFor(std::max(std::abs(last), step));
    const int digits =
        decimalsFor(step / unit.ns) + static_cast<int>(std::log10(std::max(1.0, last / unit.ns)));
    const Unit& stepUnit = unitFor(step);
    double base = 0.0;
    if (digits > 5) {
        base = std::floor(first / (1000.0 * stepUnit.ns)) * 1000.0 * stepUnit.ns;
        set.base = formatTime(static_cast<std::int64_t>(base), 1000.0 * stepUnit.ns);
    }
    const double ratio = std::round(step / minor);
    for (double index = std::floor(first / minor); index * minor <= last; index += 1.0) {
        const double at = index * minor;
        if (at < -0.5)
            continue;
        TimeTick tick{axis.limitStartNs() + static_cast<std::int64_t>(std::llround(at)), false, {}};
        tick.major = std::fmod(std::abs(index), ratio) < 0.5;
        if (tick.major)
            tick.label = set.base.isEmpty()
                             ? withUnit(at / unit.ns, decimalsFor(step / unit.ns), unit)
                             : QLatin1Char('+') + withUnit((at - base) / stepUnit.ns, 0, stepUnit);
        set.ticks.push_back(std::move(tick));
    }
    return set;
}

} // namespace heteroscope::ui
