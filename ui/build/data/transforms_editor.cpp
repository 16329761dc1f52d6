// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/transforms_editor.h"

#include "compute/model/transform_type.h"
#include "ui/build/data/numbers_editor.h"
#include "ui/common/widgets.h"

#include <QCoreApplication>
#include <QFormLayout>
#include <QFrame>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

QString words(const std::string& text) {
    return QCoreApplication::translate("Transform", text.c_str());
}

const compute::TransformType* typeOf(const Json& transform) {
    const auto type = transform.is_object() ? transform.find("type") : transform.end();
    return !transform.is_object() || type == transform.end() || !type->is_string()
               ? nullptr
               : compute::findTransformType(type->get_ref<const std::string&>());
}

ValueEditor* editorFor(const compute::Parameter& parameter) {
    return parameter.type == compute::ParameterType::Numbers ? new NumbersEditor
                                                             : makeValueEditor(parameter, nullptr);
}

QToolButton* smallButton(const QString& text, const QString& name, const QString& help) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setObjectName(name);
    button->setToolTip(help);
    button->setAccessibleName(help);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

} // namespace

TransformsEditor::TransformsEditor(QWidget* parent)
    : ValueEditor(parent), m_rows(new QVBoxLayout), m_add(new QToolButton) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(6);
    column->addLayout(m_rows);
    m_add->setObjectName(QStringLiteral("transform-add"));
    m_add->setText(tr("Add transform"));
    m_add->setPopupMode(QToolButton::InstantPopup);
    m_add->setFocusPolicy(Qt::StrongFocus);
    auto* menu = new QMenu(m_add);
    for (const compute::TransformType& type : compute::transformTypes()) {
        QAction* action =
            menu->addAction(words(type.label), this, [this, id = type.id] { addTransform(id); });
        action->setObjectName(QStringLiteral("transform-add-") + QString::fromStdString(type.id));
        action->setToolTip(words(type.help));
    }
    menu->setToolTipsVisible(true);
    m_add->setMenu(menu);
    column->addWidget(m_add);
}

QWidget* TransformsEditor::focusTarget() const {
    return m_add;
}

void TransformsEditor::setValue(const Json& value) {
    const Json list = value.is_array() ? value : Json::array();
    if (list == m_list)
        return;
    m_list = list;
    rebuild();
}

void TransformsEditor::change(const Json& list, bool newRows) {
    m_list = list;
    if (newRows)
        rebuild();
    emit edited(m_list);
}

void TransformsEditor::addTransform(const std::string& type) {
    Json list = m_list;
    list.push_back({{"type", type}});
    change(list, true);
}

void TransformsEditor::move(std::size_t index, int by) {
    Json list = m_list;
    if (by == 0)
        list.erase(index);
    else
        std::swap(list[index], list[index + static_cast<std::size_t>(by)]);
    change(list, true);
}

QWidget* TransformsEditor::makeRow(std::size_t index) {
    auto* row = new QFrame;
    auto* form = new QFormLayout(row);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setContentsMargins(0, 0, 0, 0);
    const compute::TransformType* type = typeOf(m_list[index]);
    const QString title = type ? words(type->label) : tr("Unknown transform");
    const QString number = QString::number(index);
    auto* head = new QHBoxLayout;
    auto* label = makeLabel(title, "strong");
    label->setWordWrap(true);
    label->setToolTip(type ? words(type->help) : QString());
    head->addWidget(label, 1);
    auto* up = smallButton(QStringLiteral("↑"), QStringLiteral("transform-up-") + number,
                           tr("Move %1 up").arg(title));
    auto* down = smallButton(QStringLiteral("↓"), QStringLiteral("transform-down-") + number,
                             tr("Move %1 down").arg(title));
    auto* remove = smallButton(QStringLiteral("×"), QStringLiteral("transform-remove-") + number,
                               tr("Remove %1").arg(title));
    up->setEnabled(index > 0);
    down->setEnabled(index + 1 < m_list.size());
    for (QToolButton* button : {up, down, remove})
        head->addWidget(button);
    form->addRow(head);
    // Queued: the buttons go away with their rows.
    connect(
        up, &QToolButton::clicked, this, [this, index] { move(index, -1); }, Qt::QueuedConnection);
    connect(
        down, &QToolButton::clicked, this, [this, index] { move(index, 1); }, Qt::QueuedConnection);
    connect(
        remove, &QToolButton::clicked, this, [this, index] { move(index, 0); }, Qt::QueuedConnection);
    if (type == nullptr)
        return row;
    for (const compute::Parameter& parameter : type->parameters) {
        ValueEditor* editor = editorFor(parameter);
        editor->setObjectName(QStringLiteral("transform-") + number + QLatin1Char('-') +
                              QString::fromStdString(parameter.key));
        editor->setValue(m_list[index].value(parameter.key, parameter.defaultValue));
        const QString name = QCoreApplication::translate("Parameter", parameter.label.c_str());
        editor->setNames(title + QStringLiteral(": ") + name,
                         QCoreApplication::translate("Parameter", parameter.help.c_str()));
        form->addRow(name, editor);
        connect(editor, &ValueEditor::edited, this, [this, index, key = parameter.key](const Json& value) {
            Json list = m_list;
            if (value.is_null())
                list[index].erase(key);
            else
                list[index][key] = value;
            change(list, false);
        });
    }
    return row;
}

void TransformsEditor::rebuild() {
    deleteChildren(m_rows);
    for (std::size_t i = 0; i < m_list.size(); ++i)
        m_rows->addWidget(makeRow(i));
}

} // namespace heteroscope::ui

#include "moc_transforms_editor.cpp"
