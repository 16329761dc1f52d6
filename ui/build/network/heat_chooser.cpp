// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/network/heat_chooser.h"

#include "ui/common/format.h"

#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>

namespace heteroscope::ui {
namespace {

using profiling::LayerPhase;
using profiling::RunLayerTimes;

constexpr double kBytesOfFloat = 4;
constexpr int kWithoutTimes = 3; ///< items: none, outputs, parameters
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

} // namespace

HeatChooser::HeatChooser(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("network-heat"));
    setAccessibleName(tr("What the layers are coloured by"));
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    setFocusPolicy(Qt::StrongFocus);
    fill();
    connect(this, &QComboBox::currentIndexChanged, this, [this] { emit heatChanged(heat()); });
}

/// Who turns the wheel means the picture above.
void HeatChooser::wheelEvent(QWheelEvent* event) {
    event->ignore();
}

void HeatChooser::setLayerTimes(MeasuredLayersPtr times) {
    m_times = std::move(times);
    fill();
    emit heatChanged(heat());
}

void HeatChooser::setGraph(const NetworkGraph& graph) {
    m_outputBytes.clear();
    m_parameterBytes.clear();
    std::map<std::string, std::string> identities;
    for (const GraphNode& node : graph.layers) {
        if (node.output)
            m_outputBytes[node.name] = static_cast<double>(node.output->bytes().value_or(0));
        if (node.parameters > 0)
            m_parameterBytes[node.name] = kBytesOfFloat * static_cast<double>(node.parameters);
        if (!node.identity.empty())
            identities[node.name] = node.identity;
    }
    if (m_identities != identities) {
        m_identities = std::move(identities);
        fill();
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
        for (const MeasuredRun& run : *m_times)
            for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward})
                if (!timeHeat(run, phase).values.empty())
                    addItem(nameOf(run.times, phase), keyOf(run.times, phase));
    setCurrentIndex(std::max(0, findData(kept)));
    setToolTip(explanation());
}

/// What is offered, or why no times are.
QString HeatChooser::explanation() const {
    const auto hasTimes = [](const MeasuredRun& run) { return !run.times.layers.empty(); };
    if (count() > kWithoutTimes)
        return tr("Colour the layers by memory, or by their time in the run that is open");
    if (m_times && std::any_of(m_times->begin(), m_times->end(), hasTimes))
        return tr(
            "Colour the layers by memory. No layer here computes what one of the open run did: run this "
            "network to colour it by times.");
    return tr("Colour the layers by memory. Run the network, or open a run of it, to colour it by times.");
}

bool HeatChooser::isInGraph(const MeasuredRun& run, const profiling::LayerTime& layer) const {
    const auto here = m_identities.find(layer.name), there = run.identities.find(layer.name);
    return here != m_identities.end() && there != run.identities.end() && here->second == there->second;
}

NetworkHeat HeatChooser::timeHeat(const MeasuredRun& run, LayerPhase phase) const {
    NetworkHeat heat;
    heat.title = nameOf(run.times, phase);
    for (const profiling::LayerTime& layer : run.times.layers) {
        if (!layer.isLayer || !layer[phase].measured())
            continue;
        if (isInGraph(run, layer))
            heat.values[layer.name] = layer[phase].ms.median;
        else
            heat.others += layer[phase].ms.median; // shares stay those of the run
    }
    return heat;
}

NetworkHeat HeatChooser::heat() const {
    const QString key = currentData().toString();
    if (key == kOutputs)
        return {currentText(), m_outputBytes, HeatUnit::Bytes};
    if (key == kParameters)
        return {currentText(), m_parameterBytes, HeatUnit::Bytes};
    if (m_times)
        for (const MeasuredRun& run : *m_times)
            for (const LayerPhase phase : {LayerPhase::Forward, LayerPhase::Backward})
                if (key == keyOf(run.times, phase))
                    return timeHeat(run, phase);
    return {};
}

} // namespace heteroscope::ui

#include "moc_heat_chooser.cpp"
