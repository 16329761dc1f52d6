// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses what the layers of the canvas are coloured by: nothing, the memory that they need, or the time that
// they took in a run, on a target, forward or backward. GUI thread.
#pragma once

#include "ui/build/network/network_graph.h"
#include "ui/build/network/network_heat.h"
#include "ui/models/measured_layers.h"

#include <QComboBox>

#include <memory>
#include <vector>

namespace heteroscope::ui {

class HeatChooser : public QComboBox {
    Q_OBJECT
  public:
    explicit HeatChooser(QWidget* parent = nullptr);
    /// Of the study that is open; null for none. Offered are runs that measured a layer of the graph: of the
    /// same name, and computing the same.
    void setLayerTimes(MeasuredLayersPtr times);
    void setGraph(const NetworkGraph& graph);

  signals:
    void heatChanged(const heteroscope::ui::NetworkHeat& heat); ///< without values: none

  private:
    void wheelEvent(QWheelEvent* event) override;
    void fill();
    QString explanation() const;
    NetworkHeat heat() const;
    bool isInGraph(const MeasuredRun& run, const profiling::LayerTime& layer) const;
    NetworkHeat timeHeat(const MeasuredRun& run, profiling::LayerPhase phase) const;

    MeasuredLayersPtr m_times;
    std::map<std::string, std::string> m_identities; ///< of the graph's layers, by name
    std::map<std::string, double> m_outputBytes, m_parameterBytes;
};

} // namespace heteroscope::ui
