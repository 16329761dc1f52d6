// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses what the layers of the canvas are coloured by: nothing, the memory that they need, or the time that
// they took in a run, on a target, forward or backward. GUI thread.
#pragma once

#include "profiling/analysis/layer_times.h"
#include "ui/build/network/network_graph.h"
#include "ui/build/network/network_heat.h"

#include <QComboBox>

#include <memory>
#include <vector>

namespace heteroscope::ui {

using LayerTimesPtr = std::shared_ptr<const std::vector<profiling::RunLayerTimes>>;

class HeatChooser : public QComboBox {
    Q_OBJECT
  public:
    /// In the lower left corner of the canvas, above which it shows what the colours mean.
    explicit HeatChooser(QWidget& canvas);
    /// Of the study that is open; null for none.
    void setLayerTimes(LayerTimesPtr times);
    void setGraph(const NetworkGraph& graph);

  signals:
    void heatChanged(const heteroscope::ui::NetworkHeat& heat); ///< without values: none

  private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void fill();
    void place();
    NetworkHeat heat() const;
    NetworkHeat timeHeat(const profiling::RunLayerTimes& run, profiling::LayerPhase phase) const;

    LayerTimesPtr m_times;
    std::map<std::string, double> m_outputBytes, m_parameterBytes;
};

} // namespace heteroscope::ui
