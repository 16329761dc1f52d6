// SPDX-License-Identifier: GPL-3.0-or-later
// What a chart shows: reference, x axis, point, targets. GUI thread.
#pragma once

#include "ui/charts/chart_input.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QListWidget;

namespace heteroscope::ui {

class OptionsPanel : public QWidget {
    Q_OBJECT
  public:
    explicit OptionsPanel(QWidget* parent = nullptr);
    /// Offers what the study has; choices made stay while they still exist.
    void setStudy(const AnalyzedStudy& study);
    ChartOptions options() const;
    /// Offers the kinds of layers that were recorded; null for none.
    void setLayers(const std::vector<profiling::RunLayerTimes>* layers);
    void setLayersShown(bool shown); ///< whether the choices about layers are there
    std::string reference() const;   ///< empty: the study's default

  signals:
    void optionsChanged();
    void referenceChanged();
    void tableToggled(bool shown);

  private:
    QWidget* buildLayerChoices();
    void fillTargets(const std::vector<std::string>& targets);

    QComboBox* m_reference;
    QComboBox* m_axis;
    QComboBox* m_point;
    QComboBox* m_layerType;
    QComboBox* m_layerPhase;
    QWidget* m_layerChoices;
    QListWidget* m_targets;
    QCheckBox* m_table;
};

} // namespace heteroscope::ui
