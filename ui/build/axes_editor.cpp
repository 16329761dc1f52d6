// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the sweep editor.
#include "ui/build/axes_editor.h"

#include "compute/experiment/spec/network_json.h"
#include "ui/build/axis_syntax.h"
#include "ui/build/json_text.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/quiet_combo_box.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QGridLayout>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace heteroscope::ui {

namespace {

std::string escaped(const std::string& part) {
    std::string text;
    for (const char c : part)
        text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

QString axisPointer(const std::string& axis) {
    return QStringLiteral("/axes/") + fromStd(escaped(axis));
}

std::string kindOf(const Json& document) {
    const Json* kind = valueAt(document, "/kind");
    return kind && kind->is_string() ? kind->get<std::string>() : std::string();
}

const Json* axisValue(const Json& document, const std::string& axis) {
    const Json* axes = valueAt(document, "/axes");
    if (!axes || !axes->is_object() || !axes->contains(axis))
        return nullptr;
    return &axes->at(axis);
}

const char* const kSquareMatmul = "/matmul/m,/matmul/n,/matmul/k";
const char* const kKernelAndStride = "/pooling/kernel,/pooling/stride";

bool isSweepable(const compute::ParameterGroup& group, const compute::Parameter& parameter) {
    using compute::ParameterType;
    constexpr ParameterType kSingle[] = {ParameterType::Integer, ParameterType::Number,
                                         ParameterType::Boolean, ParameterType::Choice,
                                         ParameterType::Extent,  ParameterType::Padding};
    return group.pointer != "/sampling" && parameter.key != "source" &&
           std::find(std::begin(kSingle), std::end(kSingle), parameter.type) != std::end(kSingle);
}

/// Of the kind, or of a layer of the network.
const compute::Parameter* parameterAt(const Json& document, const std::string& pointer) {
    const compute::Parameter* parameter = compute::findParameter(kindOf(document), pointer);
    return parameter ? parameter : compute::findLayerParameter(document, pointer);
}

/// "conv1: Filters" of a layer's parameter, else its own label.
QString labelAt(const Json& document, const std::string& pointer, const compute::Parameter& parameter) {
    const QString label = fromStd(parameter.label);
    const Json* name = pointer.starts_with("/network/layers/")
                           ? valueAt(document, parentPointer(pointer) + "/name")
                           : nullptr;
    return name && name->is_string() ? QStringLiteral("%1: %2").arg(fromStd(name->get<std::string>()), label)
                                     : label;
}

/// What a new sweep varies, the most telling first; "/a,/b" varies both together.
std::vector<std::string> sweepOrder(const Json& document) {
    if (kindOf(document) == "matmul")
        return {kSquareMatmul, "/matmul/m", "/matmul/n", "/matmul/k"};
    if (kindOf(document) == "network") {
        const Json* task = valueAt(document, "/task");
        std::vector<std::string> order{task && *task == "infer" ? "/network/input/batch" : "/training/batch"};
        for (const std::string& pointer : compute::layerPointers(document))
            if (const Json* value = valueAt(document, pointer); value && value->is_number())
                order.push_back(pointer);
        return order;
    }
    const Json* source = valueAt(document, "/pooling/input/source");
    if (!source || *source == "random")
        return {"/pooling/input/size", "/pooling/kernel", "/pooling/stride", "/pooling/padding"};
    return {"/pooling/kernel", "/pooling/stride", "/pooling/padding"};
}

/// The first of a count; else the present value in the middle.
std::vector<Json> valuesAround(const compute::Parameter& parameter, const Json& present) {
    const double low = parameter.min.value_or(1.0);
    if (parameter.type == compute::ParameterType::Number && present.is_number()) {
        const double value = present.get<double>();
        std::vector<Json> values;
        for (const double near : {value / 2, value, value * 2})
            if (value != 0 && near >= low && near <= parameter.max.value_or(near))
                values.push_back(near);
        return values.empty() ? std::vector<Json>{value} : values;
    }
    auto first = static_cast<std::int64_t>(low);
    if (low < 0 && present.is_number_integer())
        first = std::max(first, present.get<std::int64_t>() - 1);
    return {first, first + 1, first + 2};
}

} // namespace

QString parameterLabel(const Json& document, const std::string& pointer) {
    if (pointer == kSquareMatmul)
        return AxesEditor::tr("Size (m = n = k)");
    QStringList labels;
    for (const QString& part : fromStd(pointer).split(QLatin1Char(','))) { // linked: "/a,/b"
        std::string own = part.toStdString();
        const compute::Parameter* parameter = parameterAt(document, own);
        if (!parameter) { // an element of it, such as /pooling/kernel/0
            own = parentPointer(own);
            parameter = parameterAt(document, own);
        }
        labels << (parameter ? labelAt(document, own, *parameter) : part);
    }
    return labels.join(QStringLiteral(" + "));
}

AxesEditor::AxesEditor(Document& document, QWidget* parent)
    : FormSection(tr("Sweep"), parent),
      m_document(document),
      m_list(new QVBoxLayout),
      m_summary(makeLabel({}, "muted")),
      m_finding(new FindingLine) {
    m_list->setSpacing(Theme::kSpacing);
    body()->addLayout(m_list);
    body()->addWidget(m_finding);
    auto* add = new QPushButton(icon(QStringLiteral("sweep")), tr("&Add a sweep"));
    add->setObjectName(QStringLiteral("add-axis"));
    add->setToolTip(tr("Repeat the experiment for several values of a parameter"));
    connect(add, &QPushButton::clicked, this, &AxesEditor::addAxis);
    body()->addWidget(add, 0, Qt::AlignLeft);
    m_summary->setWordWrap(true);
    m_summary->setObjectName(QStringLiteral("run-count"));
    body()->addWidget(m_summary);
    refresh();
}

std::vector<std::string> AxesEditor::presentAxes() const {
    std::vector<std::string> axes;
    const Json* object = valueAt(m_document.json(), "/axes");
    if (object && object->is_object())
        for (const auto& item : object->items())
            axes.push_back(item.key());
    return axes;
}

void AxesEditor::refresh() {
    const auto axes = presentAxes();
    const bool same = std::equal(axes.begin(), axes.end(), m_rows.begin(), m_rows.end(),
                                 [](const std::string& axis, const Row& row) { return axis == row.axis; });
    if (!same)
        rebuild();
    for (Row& row : m_rows)
        showValues(row);
    m_summary->setText(summary());
}

void AxesEditor::rebuild() {
    const QString focused = focusWidget() ? focusWidget()->objectName() : QString();
    for (Row& row : m_rows) {
        for (QWidget* child : row.frame->findChildren<QWidget*>())
            child->setObjectName({});
        row.frame->hide();
        m_list->removeWidget(row.frame);
        row.frame->deleteLater();
    }
    m_rows.clear();
    for (const std::string& axis : presentAxes())
        addRow(axis);
    showFindings(m_shown);
    if (auto* again = focused.isEmpty() ? nullptr : findChild<QWidget*>(focused))
        again->setFocus();
}

void AxesEditor::addRow(const std::string& axis) {
    const QString number = QString::number(m_rows.size());
    Row row{axis, new QWidget, new QuietComboBox, new QLineEdit, makeLabel({}, "muted"), new FindingLine};
    auto* grid = new QGridLayout(row.frame);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(2);
    fillParameters(row.parameter, axis);
    row.parameter->setObjectName(QStringLiteral("axis-parameter-") + number);
    row.parameter->setAccessibleName(tr("Swept parameter %1").arg(m_rows.size() + 1));
    row.parameter->setToolTip(row.parameter->currentText());
    row.parameter->setFocusPolicy(Qt::StrongFocus);
    row.parameter->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.parameter->setMinimumContentsLength(14);
    row.values->setObjectName(QStringLiteral("axis-values-") + number);
    row.values->setAccessibleName(tr("Values of %1").arg(parameterLabel(m_document.json(), axis)));
    row.values->setPlaceholderText(tr("4..4096 *2  or  1, 2, 4"));
    row.values->setToolTip(
        tr("A list (1, 2, 4), a range (1..8), a range with a step (10..50 +10) or a factor "
           "(4..4096 *2)"));
    auto* remove = new QToolButton;
    remove->setIcon(icon(QStringLiteral("close")));
    remove->setToolTip(tr("Remove this sweep"));
    remove->setAccessibleName(tr("Remove the sweep of %1").arg(parameterLabel(m_document.json(), axis)));
    row.preview->setWordWrap(true);
    grid->addWidget(row.parameter, 0, 0);
    grid->addWidget(row.values, 0, 1);
    grid->addWidget(remove, 0, 2);
    grid->addWidget(row.preview, 1, 1, 1, 2);
    grid->addWidget(row.finding, 2, 0, 1, 3);
    grid->setColumnMinimumWidth(0, FormField::kLabelWidth);
    grid->setColumnStretch(1, 1);
    connect(row.parameter, &QComboBox::activated, this, [this, axis, combo = row.parameter] {
        renameAxis(axis, combo->currentData().toString().toStdString());
    });
    connect(row.values, &QLineEdit::textEdited, this,
            [this, row](const QString& text) { editValues(row, text); });
    connect(remove, &QToolButton::clicked, this, [this, axis] {
        m_document.removeValue(axisPointer(axis),
                               tr("Remove sweep of %1").arg(parameterLabel(m_document.json(), axis)));
    });
    routeUndo(row.frame, m_document.undoStack());
    m_list->addWidget(row.frame);
    m_rows.push_back(row);
}

void AxesEditor::fillParameters(QComboBox* combo, const std::string& axis) const {
    const auto used = presentAxes();
    for (const compute::ParameterGroup& group : compute::parameterGroups(kindOf(m_document.json())))
        for (const compute::Parameter& parameter : group.parameters) {
            const std::string pointer = group.pointer + "/" + parameter.key;
            const bool taken = pointer != axis && std::find(used.begin(), used.end(), pointer) != used.end();
            if (isSweepable(group, parameter) && !taken)
                combo->addItem(fromStd(parameter.label), fromStd(pointer));
        }
    for (const std::string& pointer : compute::layerPointers(m_document.json()))
        if (pointer == axis || std::find(used.begin(), used.end(), pointer) == used.end())
            combo->addItem(parameterLabel(m_document.json(), pointer), fromStd(pointer));
    const std::string kind = kindOf(m_document.json());
    const char* linked = kind == "matmul" ? kSquareMatmul : kKernelAndStride;
    if (kind != "network" && (std::find(used.begin(), used.end(), linked) == used.end() || axis == linked))
        combo->insertItem(0, parameterLabel(m_document.json(), linked), fromStd(linked));
    if (combo->findData(fromStd(axis)) < 0)
        combo->addItem(parameterLabel(m_document.json(), axis), fromStd(axis));
    combo->setCurrentIndex(combo->findData(fromStd(axis)));
}

void AxesEditor::showValues(Row& row) {
    const Json* value = axisValue(m_document.json(), row.axis);
    if (!value)
        return;
    const QString present = row.values->text();
    if (value->is_string()) { // typed, but no list yet
        const QString text = fromStd(value->get<std::string>());
        if (present != text)
            row.values->setText(text);
        row.preview->setText(QString());
        showFindings(m_shown);
        return;
    }
    if (!value->is_array())
        return;
    const std::vector<Json> values(value->begin(), value->end());
    const auto shown = parseAxisValues(present);
    if (!shown || *shown != values)
        row.values->setText(axisValuesText(values));
    row.preview->setText(QStringLiteral("%1: %2").arg(counted(values.size(), tr("1 value"), tr("%n values")),
                                                      axisPreview(values)));
}

void AxesEditor::editValues(const Row& row, const QString& text) {
    const QString label = tr("Sweep %1 over %2").arg(parameterLabel(m_document.json(), row.axis), text);
    auto values = parseAxisValues(text);
    // What cannot be read stays in the document as text: it is a finding there, so nothing runs with old
    // values.
    m_document.setValue(axisPointer(row.axis), values ? Json(*values) : Json(text.toStdString()), label);
}

std::vector<Json> AxesEditor::suggestion(const std::string& axis) const {
    const std::string first = axis.substr(0, axis.find(','));
    const compute::Parameter* parameter = parameterAt(m_document.json(), first);
    if (!parameter)
        return {};
    if (!parameter->choices.empty())
        return {parameter->choices.begin(), parameter->choices.end()};
    if (parameter->type == compute::ParameterType::Boolean)
        return {false, true};
    const Json* present = valueAt(m_document.json(), first);
    const Json& value = present ? *present : parameter->defaultValue;
    if (value.is_number_integer() && value.get<std::int64_t>() >= 64)
        return {64, 128, 256, 512, 1024};
    return valuesAround(*parameter, value);
}

void AxesEditor::addAxis() {
    const auto used = presentAxes();
    for (const std::string& axis : sweepOrder(m_document.json())) {
        if (std::find(used.begin(), used.end(), axis) != used.end())
            continue;
        m_document.setValue(axisPointer(axis), Json(suggestion(axis)),
                            tr("Sweep %1").arg(parameterLabel(m_document.json(), axis)));
        focusOn(axisPointer(axis));
        return;
    }
}

void AxesEditor::renameAxis(const std::string& from, const std::string& to) {
    if (from == to)
        return;
    const Json* present = valueAt(m_document.json(), "/axes");
    if (!present || !present->is_object())
        return;
    Json axes = Json::object();
    for (const auto& item : present->items())
        axes[item.key() == from ? to : item.key()] = item.key() == from ? Json(suggestion(to)) : item.value();
    m_document.setValue(QStringLiteral("/axes"), axes,
                        tr("Sweep %1 instead").arg(parameterLabel(m_document.json(), to)));
}

double AxesEditor::runCount() const {
    const Json* targets = valueAt(m_document.json(), "/targets");
    double runs = targets && targets->is_array() ? static_cast<double>(targets->size()) : 0.0;
    for (const std::string& axis : presentAxes()) {
        const Json* values = axisValue(m_document.json(), axis);
        runs *= values && values->is_array() ? static_cast<double>(values->size()) : 0.0;
    }
    return runs;
}

QString AxesEditor::summary() const {
    const Json& document = m_document.json();
    QStringList factors;
    for (const std::string& axis : presentAxes()) {
        const Json* values = axisValue(document, axis);
        const std::size_t count = values && values->is_array() ? values->size() : 0;
        factors
            << counted(count, tr("1 value of %1"), tr("%n values of %1")).arg(parameterLabel(document, axis));
    }
    const Json* targets = valueAt(document, "/targets");
    factors << counted(targets && targets->is_array() ? targets->size() : 0, tr("1 target"),
                       tr("%n targets"));
    return QStringLiteral("%1 = %2").arg(
        factors.join(QStringLiteral(" × ")),
        counted(static_cast<std::size_t>(runCount()), tr("1 run"), tr("%n runs")));
}

void AxesEditor::showFindings(const Findings& findings) {
    m_shown = findings;
    Findings rest;
    std::vector<Findings> own(m_rows.size());
    for (const auto& finding : findings) {
        std::size_t place = m_rows.size();
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const std::string prefix = axisPointer(m_rows[i].axis).toStdString();
            if (finding.pointer == prefix || finding.pointer.starts_with(prefix + "/"))
                place = i;
        }
        (place < m_rows.size() ? own[place] : rest).push_back(finding);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Json* value = axisValue(m_document.json(), m_rows[i].axis);
        const auto parsed = parseAxisValues(value && value->is_string() ? fromStd(value->get<std::string>())
                                                                        : QStringLiteral("1"));
        if (!parsed) // typed, but no list: says more than that a list is missing
            own[i] = {{compute::Diagnostic::Severity::Error,
                       {},
                       parsed.error().message,
                       parsed.error().allowed,
                       {}}};
        m_rows[i].finding->showFindings(own[i]);
    }
    m_finding->showFindings(rest);
}

void AxesEditor::focusOn(const QString& pointer) {
    for (const Row& row : m_rows)
        if (pointer.startsWith(axisPointer(row.axis))) {
            row.values->setFocus(Qt::ShortcutFocusReason);
            row.values->selectAll();
            return;
        }
    if (auto* add = findChild<QPushButton*>(QStringLiteral("add-axis")))
        add->setFocus(Qt::ShortcutFocusReason);
}

} // namespace heteroscope::ui

#include "moc_axes_editor.cpp"
