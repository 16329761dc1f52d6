// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/network/heat_chooser.h"

#include "ui/common/format.h"

#include <QEvent>
#include <QSignalBlocker>
#include <QWheelEvent>

namespace heteroscope::ui {
namespace {

using profiling::LayerPhase;
using profiling::RunLayerTimes;

constexpr double kBytesOfFloat = 4;
const QString kOutputs = QStringLiteral("outputs"), kParameters = QStringLiteral("parameters");

/// "3 backward": run and phase as an item's data.
QString keyOf(const RunLayerTimes& run, LayerPhase phase) {
    return QStringLiteral("%1 %2").arg(run.run).arg(QLatin1String(profiling::layerPhaseName(phase)));
}

QString nameOf(const RunLayerTimes& run, LayerPhase phase) {
    const QString target = run.point.empty()
                               ? fromStd(run.target)
                               : fromStd(run.target) + QStringLiteral(", ") + fromStd(run.point);
    return phase == LayerPhase::Forward ? HeatChooser::tr("Forward time on %1").arg(target)
                                        : HeatChooser::tr("Backward time on %1").arg(target);
}

bool hasPhase(const RunLayerTimes& run, LayerPhase phase) {
    for (const profiling::LayerTime& layer : run.layers)
        if (layer.isLayer && layer[phase].measured())
            return true;
    return false;
}

} // namespace

HeatChooser::HeatChooser(QWidget& canvas) : QComboBox(&canvas) {
    setObjectName(QStringLiteral("network-heat"));
    setAccessibleName(tr("What the layers are coloured by"));
    setToolTip(tr("Colour the layers by memory, or by their time in the run that is open"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setFocusPolicy(Qt::StrongFocus);
    fill();
    connect(this, &QComboBox::currentIndexChanged, this, [this] { emit heatChanged(heat()); });
    canvas.installEventFilter(this);
}

bool HeatChooser::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        place();
    return QComboBox::eventFilter(watched, event);
}

/// The wheel moves the picture, also above this.
void HeatChooser::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

void HeatChooser::place() {
    resize(sizeHint());
    move(kHeatMargin, parentWidget()->height() - height() - kHeatMargin);
}

void HeatChooser::setLayerTimes(LayerTimesPtr times) {
    m_times = std::move(times);
    fill();
    emit heatChanged(heat());
}

void HeatChooser::setGraph(const NetworkGraph& graph) {
    m_outputBytes.clear();
    m_parameterBytes.clear();
    for (const GraphNode& node : graph.layers) {
        if (node.output)
            m_outputBytes[node.name] = static_cast<double>(node.output->bytes().value_or(0));
        if (node.parameters > 0)
            m_parameterBytes[node.name] = kBytesOfFloat * static_cast<double>(node.parameters);
    }
    emit heatChanged(heat());
}

/// The choice stays while it is still there.
void HeatChooser::fill() {
    const QSignalBlocker blocker(this);
    const QString kept = currentData().toString();
    clear();
    addItem(tr("No colours"), QString());
    addItem(tr("Memory of outputs"), kOutputs);
    addItem(tr("Memory of parameters"), kParameters);
    if (m_times)
        for (const RunLayerTimes& run : *m_times)
            for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward})
                if (hasPhase(run, phase))
                    addItem(nameOf(run, phase), keyOf(run, phase));
    setCurrentIndex(std::max(0, findData(kept)));
    place();
}

NetworkHeat HeatChooser::timeHeat(const RunLayerTimes& run, LayerPhase phase) const {
    NetworkHeat heat;
    heat.title = nameOf(run, phase);
    for (const profiling::LayerTime& layer : run.layers)
        if (layer.isLayer && layer[phase].measured())
            heat.values[layer.name] = layer[phase].ms.median;
    return heat;
}

NetworkHeat HeatChooser::heat() const {
    const QString key = currentData().toString();
    if (key == kOutputs)
        return {currentText(), m_outputBytes, HeatUnit::Bytes};
    if (key == kParameters)
        return {currentText(), m_parameterBytes, HeatUnit::Bytes};
    if (m_times)
        for (const RunLayerTimes& run : *m_times)
            for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward})
                if (key == keyOf(run, phase))
                    return timeHeat(run, phase);
    return {};
}

} // namespace heteroscope::ui
