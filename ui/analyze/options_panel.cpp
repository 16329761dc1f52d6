// SPDX-License-Identifier: GPL-3.0-or-later
// Reference, axis, point and targets of the charts.
#include "ui/analyze/options_panel.h"

#include "ui/charts/layer_rows.h"
#include "ui/charts/target_style.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QListWidget>
#include <QPixmap>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kTargetHeight = 24; ///< of a row in the list of targets

struct Choice {
    QString text;
    QString value;
};

// Replaces the items only when they changed, so that an open list stays open while a study is live.
void fill(QComboBox* box, const std::vector<Choice>& choices) {
    bool same = box->count() == static_cast<int>(choices.size());
    for (int i = 0; same && i < box->count(); ++i)
        same = box->itemData(i).toString() == choices[static_cast<std::size_t>(i)].value;
    if (same)
        return;
    const QSignalBlocker blocker(box);
    const QString kept = box->currentData().toString();
    box->clear();
    for (const Choice& choice : choices)
        box->addItem(choice.text, choice.value);
    box->setCurrentIndex(std::max(0, box->findData(kept)));
    box->setEnabled(box->count() > 1);
}

QComboBox* choiceBox(const QString& name, const QString& none, const char* objectName) {
    auto* box = new QComboBox;
    box->setAccessibleName(name);
    box->setObjectName(QLatin1String(objectName));
    box->setPlaceholderText(none);
    box->setEnabled(false);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    return box;
}

QIcon colorIcon(const QColor& color) {
    QPixmap pixmap(12, 12);
    pixmap.fill(color);
    return QIcon(pixmap);
}

} // namespace

OptionsPanel::OptionsPanel(QWidget* parent)
    : QWidget(parent),
      m_reference(choiceBox(tr("Reference of the speedup"), tr("none", "reference"), "referenceChoice")),
      m_axis(choiceBox(tr("Axis along x"), tr("none", "axis"), "axisChoice")),
      m_point(choiceBox(tr("Point"), tr("none", "point"), "pointChoice")),
      m_layerType(choiceBox(tr("Layers shown"), tr("none", "layer"), "layerTypeChoice")),
      m_layerPhase(choiceBox(tr("Directions shown"), tr("none", "direction"), "layerPhaseChoice")),
      m_layerChoices(buildLayerChoices()),
      m_targets(new QListWidget),
      m_table(new QCheckBox(tr("View as table"))) {
    m_targets->setAccessibleName(tr("Targets shown"));
    m_targets->setObjectName(QStringLiteral("targetList"));
    m_targets->setSizeAdjustPolicy(QAbstractScrollArea::AdjustToContents);
    m_targets->setMaximumHeight(150);
    m_table->setObjectName(QStringLiteral("viewAsTable"));
    auto* form = new QFormLayout;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Reference"), m_reference);
    form->addRow(tr("x axis"), m_axis);
    form->addRow(tr("Point"), m_point);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSpacing);
    layout->addWidget(makeLabel(tr("Chart"), "heading"));
    layout->addLayout(form);
    layout->addWidget(m_layerChoices);
    layout->addWidget(makeLabel(tr("Targets"), "muted"));
    layout->addWidget(m_targets);
    layout->addWidget(m_table);
    connect(m_reference, &QComboBox::activated, this, &OptionsPanel::referenceChanged);
    for (QComboBox* box : {m_axis, m_point, m_layerType, m_layerPhase})
        connect(box, &QComboBox::activated, this, &OptionsPanel::optionsChanged);
    connect(m_targets, &QListWidget::itemChanged, this, &OptionsPanel::optionsChanged);
    connect(m_table, &QCheckBox::toggled, this, &OptionsPanel::tableToggled);
}

QWidget* OptionsPanel::buildLayerChoices() {
    auto* choices = new QWidget;
    auto* form = new QFormLayout(choices);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Layers"), m_layerType);
    form->addRow(tr("Direction"), m_layerPhase);
    choices->hide();
    return choices;
}

void OptionsPanel::setLayersShown(bool shown) {
    m_layerChoices->setVisible(shown);
}

void OptionsPanel::setLayers(const std::vector<profiling::RunLayerTimes>* layers) {
    std::vector<Choice> types{{tr("All layers"), QString()}};
    const std::vector<Choice> groups{{tr("Convolution"), QStringLiteral("convolution")},
                                     {tr("Pooling"), QStringLiteral("pooling")},
                                     {tr("Dense"), QStringLiteral("dense")}};
    for (const Choice& group : groups) {
        const auto has = [&](const profiling::RunLayerTimes& run) {
            return std::any_of(run.layers.begin(), run.layers.end(), [&](const profiling::LayerTime& layer) {
                return layer.isLayer && isLayerOfType(layer, group.value);
            });
        };
        if (layers != nullptr && std::any_of(layers->begin(), layers->end(), has))
            types.push_back(group);
    }
    fill(m_layerType, types);
    fill(m_layerPhase, {{tr("Forward and backward"), QString()},
                        {tr("Forward"), QStringLiteral("forward")},
                        {tr("Backward"), QStringLiteral("backward")}});
}

void OptionsPanel::setStudy(const AnalyzedStudy& study) {
    const std::vector<std::string> targets = studyTargets(study.study);
    std::vector<Choice> references, axes, points;
    for (const std::string& target : targets)
        references.push_back({targetLabel(target, targets), QString::fromStdString(target)});
    for (const StudyAxis& axis : studyAxes(study.study))
        if (axis.numeric && axis.values.size() > 1)
            axes.push_back(
                {axis.title.section(QStringLiteral(" ("), 0, 0), QString::fromStdString(axis.pointer)});
    points.push_back({tr("All, or the headline's"), QString()});
    for (const std::string& point : studyPoints(study.study))
        points.push_back({pointText(Json::parse(point, nullptr, false)), QString::fromStdString(point)});
    if (points.size() == 2)
        points.erase(points.begin() + 1);
    const bool first = m_reference->count() == 0;
    fill(m_reference, references);
    fill(m_axis, axes);
    fill(m_point, points);
    if (first)
        m_reference->setCurrentIndex(
            std::max(0, m_reference->findData(QString::fromStdString(study.results.reference))));
    fillTargets(targets);
}

void OptionsPanel::fillTargets(const std::vector<std::string>& targets) {
    if (m_targets->count() == static_cast<int>(targets.size()))
        return;
    const QSignalBlocker blocker(m_targets);
    m_targets->clear();
    for (const std::string& target : targets) {
        ChartSeries series;
        styleSeries(series, target, targets);
        auto* item = new QListWidgetItem(colorIcon(series.color), series.name, m_targets);
        item->setData(Qt::UserRole, series.id);
        item->setToolTip(series.id);
        item->setSizeHint({0, kTargetHeight});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(Qt::Checked);
    }
}

ChartOptions OptionsPanel::options() const {
    ChartOptions options;
    options.xPointer = m_axis->currentData().toString().toStdString();
    options.point = m_point->currentData().toString().toStdString();
    options.layerType = m_layerType->currentData().toString();
    const QString phase = m_layerPhase->currentData().toString();
    if (!phase.isEmpty())
        options.layerPhase = phase == QLatin1String("forward") ? profiling::LayerPhase::Forward
                                                               : profiling::LayerPhase::Backward;
    for (int i = 0; i < m_targets->count(); ++i)
        if (m_targets->item(i)->checkState() != Qt::Checked)
            options.hiddenTargets.insert(m_targets->item(i)->data(Qt::UserRole).toString());
    return options;
}

std::string OptionsPanel::reference() const {
    return m_reference->currentData().toString().toStdString();
}

} // namespace heteroscope::ui

#include "moc_options_panel.cpp"
