// SPDX-License-Identifier: GPL-3.0-or-later
// Rows made from the layer's type.
#include "ui/build/network/layer_inspector.h"

#include "compute/experiment/spec/network_json.h"
#include "ui/build/json_text.h"
#include "ui/build/network/layer_list.h"
#include "ui/build/network/network_edits.h"
#include "ui/build/network/network_fix.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/quiet_combo_box.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCoreApplication>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>

namespace heteroscope::ui {

LayerInspector::LayerInspector(Document& document, QWidget* parent)
    : FormSection(tr("Layer"), parent),
      m_document(document),
      m_rows(new QVBoxLayout),
      m_finding(new FindingLine) {
    m_rows->setSpacing(Theme::kSpacing);
    body()->addLayout(m_rows);
    body()->addWidget(m_finding);
    connect(m_finding, &FindingLine::fixRequested, this, [this] {
        const NetworkGraph graph = readGraph(m_document.json(), m_document.diagnostics());
        if (const auto fix = networkFix(m_document.json(), graph, m_layer))
            m_document.replaceAll(fix->document, fix->text);
    });
    rebuild();
}

std::string LayerInspector::place() const {
    return "/network/layers/" + std::to_string(m_layer);
}

std::string LayerInspector::typeId() const {
    const Json* type = m_layer >= 0 ? valueAt(m_document.json(), place() + "/type") : nullptr;
    return type && type->is_string() ? type->get<std::string>() : std::string();
}

/// Rows are made anew when this changes: another layer, type, or number and choice of inputs.
std::string LayerInspector::signature() const {
    if (m_layer < 0)
        return std::to_string(m_layer);
    const LayerList list(m_document.json());
    std::string text = std::to_string(m_layer) + typeId();
    for (int i = 0; i < m_layer && i < list.size(); ++i)
        text += "|" + list.name(i);
    return text + "#" + std::to_string(m_layer < list.size() ? list.inputs(m_layer).size() : 0);
}

void LayerInspector::showLayer(int layer) {
    m_layer = layer;
    refresh();
}

void LayerInspector::refresh() {
    const LayerList list(m_document.json());
    if (m_layer >= list.size())
        m_layer = -2;
    if (signature() != m_signature)
        rebuild();
    if (m_layer < 0)
        return;
    if (m_name && m_name->text() != fromStd(list.name(m_layer)))
        m_name->setText(fromStd(list.name(m_layer)));
    const auto inputs = list.inputs(m_layer);
    for (std::size_t i = 0; i < m_inputs.size() && i < inputs.size(); ++i) {
        if (m_inputs[i]->findText(fromStd(inputs[i])) < 0)
            m_inputs[i]->addItem(fromStd(inputs[i]));
        m_inputs[i]->setCurrentText(fromStd(inputs[i]));
    }
    for (FormField* field : m_fields)
        field->refresh();
}

void LayerInspector::clearRows() {
    for (QObject* child : findChildren<QWidget*>())
        if (child != m_finding && !m_finding->isAncestorOf(static_cast<QWidget*>(child)))
            child->setObjectName({}); // nobody finds what is about to go
    m_name = nullptr;                 // before it is hidden: that ends its editing
    deleteChildren(m_rows);
    m_inputs.clear();
    m_fields.clear();
}

void LayerInspector::rebuild() {
    clearRows();
    m_signature = signature();
    if (m_layer < 0) {
        auto* advice =
            makeLabel(m_layer == -1 ? tr("The input's shape is set below.")
                                    : tr("Click a layer of the network to see and change its values."),
                      "muted");
        advice->setWordWrap(true);
        m_rows->addWidget(advice);
        m_finding->showFindings({});
        return;
    }
    const compute::LayerType* type = compute::findLayerType(typeId());
    const LayerList list(m_document.json());
    auto* title = makeLabel(
        type ? QCoreApplication::translate("Layer", type->label.c_str()) : fromStd(typeId()), "strong");
    if (type)
        title->setToolTip(QCoreApplication::translate("Layer", type->help.c_str()));
    m_rows->addWidget(title);
    addName();
    addInputs(list.inputs(m_layer), type ? type->maxInputs : 1);
    addParameters();
    refresh();
    showFindings(m_shown);
}

QWidget* LayerInspector::addRow(const QString& label, QWidget* widget) {
    auto* row = new QWidget;
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(Theme::kSpacing);
    auto* caption = new QLabel(label);
    caption->setBuddy(widget);
    caption->setFixedWidth(FormField::kLabelWidth);
    caption->setWordWrap(true);
    grid->addWidget(caption, 0, 0);
    grid->addWidget(widget, 0, 1);
    grid->setColumnMinimumWidth(0, FormField::kLabelWidth);
    grid->setColumnStretch(1, 1);
    routeUndo(row, m_document.undoStack());
    m_rows->addWidget(row);
    return row;
}

void LayerInspector::addName() {
    m_name = new QLineEdit;
    m_name->setObjectName(QStringLiteral("layer-name"));
    m_name->setAccessibleName(tr("Name of the layer"));
    m_name->setMaxLength(static_cast<int>(compute::kMaxLayerName));
    addRow(tr("Name"), m_name);
    connect(m_name, &QLineEdit::editingFinished, this, [this, name = m_name] {
        const std::string wanted = name->text().toStdString();
        if (name != m_name || m_layer < 0 || LayerList(m_document.json()).name(m_layer) == wanted)
            return;
        m_document.replaceAll(renameLayer(m_document.json(), m_layer, wanted).document,
                              tr("Rename layer to %1").arg(name->text()));
    });
}

void LayerInspector::changeInputs(const std::vector<std::string>& inputs, const QString& label) {
    m_document.replaceAll(setInputs(m_document.json(), m_layer, inputs).document, label);
}

void LayerInspector::addInputs(const std::vector<std::string>& inputs, std::size_t most) {
    const LayerList list(m_document.json());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto* combo = new QuietComboBox;
        for (int j = -1; j < m_layer; ++j)
            combo->addItem(fromStd(list.name(j)));
        combo->setObjectName(QStringLiteral("layer-input-%1").arg(i));
        combo->setAccessibleName(tr("Layer that input %1 reads").arg(i + 1));
        combo->setFocusPolicy(Qt::StrongFocus);
        addRow(inputs.size() > 1 ? tr("Reads (%1)").arg(i + 1) : tr("Reads"), combo);
        m_inputs.push_back(combo);
        connect(combo, &QComboBox::activated, this, [this, i, combo] {
            auto changed = LayerList(m_document.json()).inputs(m_layer);
            changed.at(i) = combo->currentText().toStdString();
            changeInputs(changed, tr("Read %1").arg(combo->currentText()));
        });
    }
    if (most < 2)
        return;
    auto* more = new QPushButton(tr("Add an input"));
    more->setObjectName(QStringLiteral("layer-more-inputs"));
    more->setEnabled(inputs.size() < most);
    connect(more, &QPushButton::clicked, this, [this] {
        const LayerList present(m_document.json());
        auto changed = present.inputs(m_layer);
        changed.push_back(present.name(m_layer - 1));
        changeInputs(changed, tr("Add an input"));
    });
    auto* fewer = new QPushButton(tr("Remove the last input"));
    fewer->setObjectName(QStringLiteral("layer-fewer-inputs"));
    fewer->setEnabled(inputs.size() > 2);
    connect(fewer, &QPushButton::clicked, this, [this] {
        auto changed = LayerList(m_document.json()).inputs(m_layer);
        changed.pop_back();
        changeInputs(changed, tr("Remove an input"));
    });
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(more);
    line->addWidget(fewer);
    line->addStretch(1);
    m_rows->addWidget(row);
}

void LayerInspector::addParameters() {
    const compute::LayerType* type = compute::findLayerType(typeId());
    if (!type)
        return;
    for (const compute::Parameter& parameter : type->parameters)
        if (ValueEditor* editor = makeValueEditor(parameter, nullptr)) {
            auto* field =
                new FormField(m_document, fromStd(place() + "/" + parameter.key), parameter, editor);
            m_fields.push_back(field);
            m_rows->addWidget(field);
        }
}

void LayerInspector::showFindings(const Findings& findings) {
    m_shown = findings;
    Findings rest;
    std::vector<Findings> own(m_fields.size());
    const std::string here = place();
    for (const auto& finding : findings) {
        std::size_t at = m_fields.size();
        for (std::size_t i = 0; i < m_fields.size(); ++i)
            if ((fromStd(finding.pointer) + QLatin1Char('/'))
                    .startsWith(m_fields[i]->pointer() + QLatin1Char('/')))
                at = i;
        if (at < m_fields.size())
            own[at].push_back(finding);
        else if (m_layer >= 0 && (finding.pointer == here || finding.pointer.starts_with(here + "/")))
            rest.push_back(finding);
    }
    for (std::size_t i = 0; i < m_fields.size(); ++i)
        m_fields[i]->showFindings(own[i]);
    m_finding->showFindings(rest);
    if (m_layer < 0 || m_layer >= LayerList(m_document.json()).size())
        return;
    const NetworkGraph graph = readGraph(m_document.json(), m_document.diagnostics());
    const auto fix = networkFix(m_document.json(), graph, m_layer);
    m_finding->offerFix(fix ? fix->text : QString());
    m_finding->setVisible(!rest.empty() || fix.has_value());
}

void LayerInspector::focusFirst() {
    if (!m_fields.empty())
        m_fields.front()->focusOn({});
    else if (m_name)
        m_name->setFocus(Qt::ShortcutFocusReason);
}

void LayerInspector::focusOn(const QString& pointer) {
    const QStringList parts = pointer.split(QLatin1Char('/')); // "", network, layers, number, key
    bool isNumber = false;
    const int layer = parts.size() > 3 ? parts[3].toInt(&isNumber) : -2;
    if (!isNumber) {
        emit layerRequested(-1);
        return;
    }
    emit layerRequested(layer);
    if (m_layer != layer)
        showLayer(layer);
    for (FormField* field : m_fields)
        if ((pointer + QLatin1Char('/')).startsWith(field->pointer() + QLatin1Char('/'))) {
            field->focusOn(pointer);
            return;
        }
    if (parts.value(4) == QStringLiteral("inputs") && !m_inputs.empty())
        m_inputs[std::min(static_cast<std::size_t>(parts.value(5).toUInt()), m_inputs.size() - 1)]->setFocus(
            Qt::ShortcutFocusReason);
    else
        focusFirst();
}

} // namespace heteroscope::ui

#include "moc_layer_inspector.cpp"
