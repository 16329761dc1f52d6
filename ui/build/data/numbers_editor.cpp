// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/numbers_editor.h"

#include <QHBoxLayout>
#include <QLocale>

namespace heteroscope::ui {

namespace {

QString numberText(const Json& value) {
    return QString::number(value.get<double>(), 'g', 9);
}

} // namespace

NumbersEditor::NumbersEditor(QWidget* parent) : ValueEditor(parent), m_edit(new QLineEdit) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_edit);
    m_edit->setPlaceholderText(tr("measured"));
    connect(m_edit, &QLineEdit::textEdited, this, [this] { emit edited(value()); });
}

Json NumbersEditor::value() const {
    const QString text = m_edit->text().trimmed();
    if (text.isEmpty())
        return nullptr;
    Json list = Json::array();
    for (const QString& part : text.split(QLatin1Char(','))) {
        bool good = false;
        const double number = QLocale::c().toDouble(part.trimmed(), &good);
        if (!good)
            return text.toStdString();
        list.push_back(number);
    }
    return list.size() == 1 ? list.front() : list;
}

void NumbersEditor::setValue(const Json& value) {
    if (value == this->value())
        return;
    QStringList parts;
    if (value.is_number())
        parts << numberText(value);
    else if (value.is_array())
        for (const Json& each : value)
            parts << (each.is_number() ? numberText(each) : QString::fromStdString(each.dump()));
    else if (value.is_string())
        parts << QString::fromStdString(value.get<std::string>());
    m_edit->setText(parts.join(QStringLiteral(", ")));
}

} // namespace heteroscope::ui

#include "moc_numbers_editor.cpp"
