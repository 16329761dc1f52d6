// SPDX-License-Identifier: GPL-3.0-or-later
// How targets look in charts.
#include "ui/charts/target_style.h"

#include "compute/core/target.h"
#include "ui/charts/chart_text.h"
#include "ui/common/theme.h"

#include <algorithm>
#include <set>

namespace heteroscope::ui {

namespace {

QString optionText(const std::string& name, const std::string& value) {
    const QString text = QString::fromStdString(value);
    if (name == "threads")
        return text == QLatin1String("1") ? ChartText::tr("1 thread") : ChartText::tr("%1 threads").arg(text);
    return QStringLiteral("%1 %2").arg(QString::fromStdString(name), text);
}

bool severalDevices(const std::vector<std::string>& targets) {
    std::set<std::string> devices;
    for (const std::string& text : targets)
        devices.insert(text.substr(0, text.find('/')));
    return devices.size() > 1;
}

int indexOf(const std::string& target, const std::vector<std::string>& targets) {
    const auto found = std::find(targets.begin(), targets.end(), target);
    return static_cast<int>(found - targets.begin());
}

// How many targets before this one have the same colour: variants of one implementation.
int variantIndex(const std::string& target, const std::vector<std::string>& targets) {
    const QColor color = Theme::targetColor(QString::fromStdString(target));
    int variant = 0;
    for (const std::string& other : targets) {
        if (other == target)
            break;
        variant += Theme::targetColor(QString::fromStdString(other)) == color;
    }
    return variant;
}

} // namespace

QString targetLabel(const std::string& target, const std::vector<std::string>& targets) {
    const auto parsed = compute::parseTarget(target);
    if (!parsed)
        return QString::fromStdString(target);
    QString label = QString::fromStdString(parsed->implementation);
    if (severalDevices(targets))
        label = QStringLiteral("%1 %2").arg(QString::fromStdString(parsed->device), label);
    for (const auto& [name, value] : parsed->options)
        label += QStringLiteral(", ") + optionText(name, value);
    return label;
}

MarkerShape markerShape(int index) {
    constexpr MarkerShape shapes[] = {MarkerShape::Circle,       MarkerShape::Square, MarkerShape::Triangle,
                                      MarkerShape::Diamond,      MarkerShape::Cross,  MarkerShape::Plus,
                                      MarkerShape::TriangleDown, MarkerShape::Star};
    return shapes[static_cast<std::size_t>(index) % std::size(shapes)];
}

DashStyle dashStyle(int index) {
    constexpr DashStyle styles[] = {DashStyle::Solid, DashStyle::Dash, DashStyle::Dot, DashStyle::DashDot,
                                    DashStyle::LongDash};
    return styles[static_cast<std::size_t>(index) % std::size(styles)];
}

void styleSeries(ChartSeries& series, const std::string& target, const std::vector<std::string>& targets) {
    series.id = QString::fromStdString(target);
    series.name = targetLabel(target, targets);
    const int index = indexOf(target, targets);
    const int variant = variantIndex(target, targets);
    const QColor base = Theme::targetColor(series.id);
    constexpr int kDarker[] = {100, 150, 70, 200};
    series.color = variant == 0 ? base : base.darker(kDarker[variant % 4]);
    series.marker = markerShape(index);
    series.dash = dashStyle(index);
}

} // namespace heteroscope::ui
