// SPDX-License-Identifier: GPL-3.0-or-later
// Path field.
#include "ui/build/path_editor.h"

#include <QHBoxLayout>

namespace heteroscope::ui {

PathEditor::PathEditor(QWidget* parent)
    : ValueEditor(parent), m_edit(new QLineEdit), m_browse(new QPushButton(tr("C&hoose…"))) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_edit, 1);
    row->addWidget(m_browse);
    m_edit->setPlaceholderText(tr("Drop a file here"));
    m_edit->setAcceptDrops(false); // the form takes the file, not the text of its address
    m_browse->setAccessibleName(tr("Choose the input file"));
    connect(m_edit, &QLineEdit::textEdited, this, [this] { emit edited(value()); });
    connect(m_browse, &QPushButton::clicked, this, &PathEditor::browseRequested);
}

Json PathEditor::value() const {
    return m_edit->text().toStdString();
}

void PathEditor::setValue(const Json& value) {
    const QString text = value.is_string() ? QString::fromStdString(value.get<std::string>()) : QString();
    if (text != m_edit->text())
        m_edit->setText(text);
}

} // namespace heteroscope::ui

#include "moc_path_editor.cpp"
