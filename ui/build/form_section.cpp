// SPDX-License-Identifier: GPL-3.0-or-later
// Cards of the form.
#include "ui/build/form_section.h"

#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCoreApplication>

#include <algorithm>

namespace heteroscope::ui {

FormSection::FormSection(const QString& title, QWidget* parent)
    : QFrame(parent), m_body(new QVBoxLayout(this)) {
    setRole(this, "card");
    m_body->setContentsMargins(12, 10, 12, 12);
    m_body->setSpacing(Theme::kSpacing);
    if (!title.isEmpty())
        m_body->addWidget(makeLabel(title, "heading"));
}

void FormSection::addGroup(Document& document, const compute::ParameterGroup& group,
                           const std::vector<std::string>& without) {
    for (const compute::Parameter& parameter : group.parameters) {
        if (std::find(without.begin(), without.end(), parameter.key) != without.end())
            continue;
        if (ValueEditor* editor = makeValueEditor(parameter, nullptr))
            addField(new FormField(document, QString::fromStdString(group.pointer + "/" + parameter.key),
                                   parameter, editor));
    }
}

void FormSection::addField(FormField* field) {
    m_fields.push_back(field);
    m_body->addWidget(field);
    field->refresh();
}

} // namespace heteroscope::ui

#include "moc_form_section.cpp"
