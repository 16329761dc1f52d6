// SPDX-License-Identifier: GPL-3.0-or-later
// Layers coloured by a figure of a run, such as the time of their backward pass: values, scale and how they
// are painted. GUI thread.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>

#include <map>
#include <optional>
#include <string>

class QPainter;

namespace heteroscope::ui {

enum class HeatUnit { Milliseconds, Bytes };

struct NetworkHeat {
    QString title;                        ///< "Backward on cpu/openmp"
    std::map<std::string, double> values; ///< of layers, by name; none negative
    HeatUnit unit = HeatUnit::Milliseconds;
    double others = 0; ///< of layers that are not here but count in the sum

    bool shown() const { return !values.empty(); }
    std::optional<double> valueOf(const std::string& layer) const;
    double most() const; ///< the hot end of the scale; its cold end is 0
    double sum() const;  ///< with the others
    /// "3.20 ms, 41 %": with its share of the sum.
    QString text(double value) const;
};

/// The colour of a share of the hottest value, 0 to 1: one hue, from the surface's colour to full.
QColor heatColor(double share);
/// What a node is filled with, so that its texts stay readable.
QColor heatFill(double share);

/// A strip along a node's left edge and its value on the lower one.
void paintHeatOfNode(QPainter& painter, const QRectF& node, const NetworkHeat& heat, double value);
constexpr int kHeatMargin = 12; ///< of the legend from the corner

/// Title and scale in the lower left corner of a picture of this size.
void paintHeatLegend(QPainter& painter, const QRectF& picture, const NetworkHeat& heat);

} // namespace heteroscope::ui
