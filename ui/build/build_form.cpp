// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the forms together and leads findings and the keyboard to them.
#include "ui/build/build_form.h"

#include "ui/build/axes_editor.h"
#include "ui/build/axis_syntax.h"
#include "ui/build/data/data_form.h"
#include "ui/build/hint_panel.h"
#include "ui/build/input_form.h"
#include "ui/build/json_text.h"
#include "ui/build/network/group_inspector.h"
#include "ui/build/network/layer_inspector.h"
#include "ui/build/target_chooser.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/quiet_combo_box.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QApplication>
#include <QFormLayout>

#include <algorithm>
#include <map>

namespace heteroscope::ui {

namespace {

bool isError(const compute::Diagnostic& finding) {
    return finding.severity == compute::Diagnostic::Severity::Error;
}

QString groupTitle(const compute::ParameterGroup& group) {
    return QCoreApplication::translate("Parameter", group.title.c_str());
}

/// Layers have their own canvas.
bool hasFields(const compute::ParameterGroup& group) {
    return std::any_of(group.parameters.begin(), group.parameters.end(), [](const auto& parameter) {
        return parameter.type != compute::ParameterType::Layers;
    });
}

/// A group without a field that has any effect on the present document is left out.
void showActive(FormSection* section) {
    const auto& fields = section->fields();
    if (!fields.empty())
        section->setVisible(std::any_of(fields.begin(), fields.end(),
                                        [](const FormField* field) { return field->isActive(); }));
}

} // namespace

BuildForm::BuildForm(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_column(new QVBoxLayout(this)),
      m_scroll(new QScrollArea),
      m_name(new QLineEdit),
      m_kindBox(new QuietComboBox),
      m_hint(new HintPanel),
      m_run(new QPushButton),
      m_problem(new QPushButton),
      m_rest(new FindingLine) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    buildHeader();
    m_scroll->setObjectName(QStringLiteral("form-scroll"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_column->addWidget(m_scroll, 1);
    m_column->addWidget(m_hint);
    buildFooter();
    buildSections();
    connect(&document, &Document::changed, this, &BuildForm::refresh);
    connect(&document, &Document::diagnosticsChanged, this, &BuildForm::showFindings);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { followFocus(now); });
    connect(&Theme::instance(), &Theme::changed, this, &BuildForm::showFindings);
    showFindings();
}

/// The fields lose the focus while they go, after this.
BuildForm::~BuildForm() {
    disconnect(qApp, nullptr, this, nullptr);
}

void BuildForm::buildHeader() {
    auto* header = new QFrame;
    setRole(header, "bar");
    auto* form = new QFormLayout(header);
    form->setContentsMargins(12, 10, 12, 10);
    form->setSpacing(Theme::kSpacing);
    m_kindBox->addItem(icon(QStringLiteral("build")), experimentKindText(QStringLiteral("pooling")),
                       QStringLiteral("pooling"));
    m_kindBox->addItem(icon(QStringLiteral("matmul")), experimentKindText(QStringLiteral("matmul")),
                       QStringLiteral("matmul"));
    m_kindBox->addItem(icon(QStringLiteral("network")), experimentKindText(QStringLiteral("network")),
                       QStringLiteral("network"));
    m_kindBox->setObjectName(QStringLiteral("kind"));
    m_kindBox->setAccessibleName(tr("Kind of experiment"));
    m_name->setObjectName(QStringLiteral("/name"));
    m_name->setAccessibleName(tr("Name of the experiment"));
    m_name->setPlaceholderText(tr("Untitled experiment"));
    form->addRow(tr("&Experiment"), m_kindBox);
    form->addRow(tr("&Name"), m_name);
    form->addRow(m_rest);
    routeUndo(m_name, m_document.undoStack());
    m_column->addWidget(header);
    connect(m_kindBox, &QComboBox::activated, this,
            [this] { changeKind(m_kindBox->currentData().toString().toStdString()); });
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        m_document.setValue(QStringLiteral("/name"), text.toStdString(), tr("Rename to %1").arg(text));
    });
}

void BuildForm::buildFooter() {
    auto* footer = new QFrame;
    setRole(footer, "panel");
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(12, 8, 12, 10);
    m_run->setProperty("role", "primary");
    m_run->setIcon(icon(QStringLiteral("run"), IconTone::AccentText));
    m_run->setObjectName(QStringLiteral("run"));
    m_problem->setProperty("role", "link");
    m_problem->setObjectName(QStringLiteral("first-problem"));
    row->addWidget(m_run);
    row->addWidget(m_problem, 1);
    m_column->addWidget(footer);
    connect(m_run, &QPushButton::clicked, this, &BuildForm::runRequested);
    connect(m_problem, &QPushButton::clicked, this, [this] {
        const auto& all = m_document.diagnostics();
        const auto first = std::find_if(all.begin(), all.end(), isError);
        if (first != all.end())
            focusPointer(fromStd(first->pointer));
    });
}

std::string BuildForm::kind() const {
    const Json* kind = valueAt(m_document.json(), "/kind");
    return kind && kind->is_string() ? kind->get<std::string>() : std::string();
}

void BuildForm::buildSections() {
    m_kind = kind();
    m_groups.clear();
    m_items.clear();
    m_input = nullptr;
    m_layer = nullptr;
    m_group = nullptr;
    m_sections = new QWidget;
    auto* column = new QVBoxLayout(m_sections);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(12);
    m_targets = new TargetChooser(m_document);
    connect(m_targets, &TargetChooser::implementationsRequested, this, &BuildForm::implementationsRequested);
    m_axes = new AxesEditor(m_document);
    std::vector<FormSection*> parameters, last;
    for (const compute::ParameterGroup& group : compute::parameterGroups(m_kind)) {
        if (group.pointer == "/pooling/input") {
            m_input = new InputForm(m_document, group);
            parameters.insert(parameters.begin(), m_input);
            continue;
        }
        if (group.pointer == "/pooling/window" && !parameters.empty()) { // belongs under its strategy
            parameters.back()->addGroup(m_document, group);
            continue;
        }
        if (!hasFields(group))
            continue;
        if (group.pointer == "/data") {
            parameters.push_back(new DataForm(m_document, group));
            continue;
        }
        auto* section = new FormSection(groupTitle(group));
        section->addGroup(m_document, group);
        (group.pointer == "/sampling" ? last : parameters).push_back(section);
    }
    if (m_kind == "network") {
        m_layer = new LayerInspector(m_document);
        m_group = new GroupInspector(m_document);
        m_group->hide();
        m_items.push_back(m_layer);
        parameters.insert(parameters.begin(), {m_group, m_layer});
        connect(m_layer, &LayerInspector::layerRequested, this, &BuildForm::layerRequested);
    }
    m_groups = parameters;
    m_groups.insert(m_groups.end(), {m_targets, m_axes});
    m_groups.insert(m_groups.end(), last.begin(), last.end());
    for (FormSection* section : m_groups) {
        column->addWidget(section);
        for (FormField* field : section->fields())
            m_items.push_back(field);
    }
    m_items.insert(m_items.end(), {m_targets, m_axes});
    m_items.insert(m_items.end(), m_foreignItems.begin(), m_foreignItems.end());
    column->addStretch(1);
    m_scroll->setWidget(m_sections); // deletes the former one
    if (!m_devices.is_null())
        m_targets->setDevices(m_devices);
    refresh();
}

void BuildForm::addItem(FormItem* item) {
    m_foreignItems.push_back(item);
    m_items.push_back(item);
}

void BuildForm::showLayer(int layer) {
    if (!m_layer)
        return;
    m_group->showGroup(-1);
    m_layer->show();
    m_layer->showLayer(layer);
    m_scroll->ensureVisible(0, 0);
    showFindings();
}

void BuildForm::showGroup(int group) {
    if (!m_group)
        return;
    m_layer->hide();
    m_group->showGroup(group);
    m_scroll->ensureVisible(0, 0);
}

void BuildForm::editLayer() {
    if (m_group && m_group->isVisible())
        m_group->focusName();
    else if (m_layer)
        m_layer->focusFirst();
}

void BuildForm::setDevices(const Json& devices) {
    m_devices = devices;
    m_targets->setDevices(devices);
}

void BuildForm::refresh() {
    if (kind() != m_kind) {
        buildSections();
        return;
    }
    for (FormSection* section : m_groups) {
        for (FormField* field : section->fields())
            field->refresh();
        showActive(section);
    }
    if (m_input)
        m_input->refresh();
    if (m_layer)
        m_layer->refresh();
    if (m_group && m_group->isVisible())
        m_group->refresh();
    m_targets->refresh();
    m_axes->refresh();
    m_kindBox->setCurrentIndex(m_kindBox->findData(fromStd(m_kind)));
    const Json* name = valueAt(m_document.json(), "/name");
    const QString text = name && name->is_string() ? fromStd(name->get<std::string>()) : QString();
    if (m_name->text() != text) {
        m_name->setText(text);
        m_name->setCursorPosition(0); // a long name shows its start
    }
}

FormItem* BuildForm::itemFor(const QString& pointer) const {
    FormItem* best = nullptr;
    for (FormItem* item : m_items) {
        const QString own = item->pointer();
        if ((pointer == own || pointer.startsWith(own + QLatin1Char('/'))) &&
            (!best || own.size() > best->pointer().size()))
            best = item;
    }
    return best;
}

void BuildForm::showFindings() {
    std::map<FormItem*, Findings> sorted;
    int errors = 0;
    for (const auto& finding : m_document.diagnostics()) {
        sorted[itemFor(fromStd(finding.pointer))].push_back(finding);
        errors += isError(finding) ? 1 : 0;
    }
    for (FormItem* item : m_items)
        item->showFindings(sorted[item]);
    m_rest->showFindings(sorted[nullptr]);
    m_run->setEnabled(errors == 0);
    m_run->setText(runText());
    m_problem->setVisible(errors > 0);
    m_problem->setText(
        counted(static_cast<std::size_t>(errors), tr("Fix 1 error first"), tr("Fix %n errors first")));
}

QString BuildForm::runText() const {
    const double runs = m_axes->runCount();
    return runs < 2 ? tr("&Run") : counted(static_cast<std::size_t>(runs), {}, tr("&Run all %n runs"));
}

void BuildForm::changeKind(const std::string& kind) {
    if (kind == m_kind)
        return;
    const Json document = kind == "matmul"    ? compute::defaultMatmulDocument()
                          : kind == "network" ? compute::defaultNetworkDocument()
                                              : compute::defaultPoolingDocument();
    m_document.replaceAll(document, tr("Change to %1").arg(m_kindBox->currentText().toLower()));
}

void BuildForm::followFocus(QWidget* now) {
    if (!now || !isAncestorOf(now))
        return;
    for (QWidget* at = now; at && at != this; at = at->parentWidget())
        if (auto* field = qobject_cast<FormField*>(at)) {
            m_hint->showHint(field->hint());
            return;
        }
    const QString text = now->property("text").toString().remove(QLatin1Char('&'));
    if (!now->toolTip().isEmpty())
        m_hint->showHint(
            {now->accessibleName().isEmpty() ? text : now->accessibleName(), {}, now->toolTip()});
}

void BuildForm::focusPointer(const QString& pointer) {
    if (pointer == QStringLiteral("/name")) {
        m_name->setFocus(Qt::ShortcutFocusReason);
        return;
    }
    QString at = pointer;
    FormItem* item = itemFor(at);
    while (!item && at.contains(QLatin1Char('/'))) { // a group: its first field
        for (FormItem* candidate : m_items)
            if (!item && candidate->pointer().startsWith(at))
                item = candidate;
        at.truncate(at.lastIndexOf(QLatin1Char('/')));
    }
    if (!item)
        return;
    item->focusOn(pointer);
    if (QWidget* focused = m_sections->focusWidget())
        m_scroll->ensureWidgetVisible(focused);
}

} // namespace heteroscope::ui

#include "moc_build_form.cpp"
