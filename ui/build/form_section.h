// SPDX-License-Identifier: GPL-3.0-or-later
// A card of the form with a heading, and the fields of one parameter group. GUI thread.
#pragma once

#include "ui/build/form_field.h"

#include <QFrame>
#include <QVBoxLayout>

#include <vector>

namespace heteroscope::ui {

class FormSection : public QFrame {
    Q_OBJECT
  public:
    explicit FormSection(const QString& title, QWidget* parent = nullptr);
    QVBoxLayout* body() const { return m_body; }

    /// Adds a field for each parameter of the group that a form can edit, but for the keys in `without`.
    void addGroup(Document& document, const compute::ParameterGroup& group,
                  const std::vector<std::string>& without = {});
    const std::vector<FormField*>& fields() const { return m_fields; }
    void addField(FormField* field);

  private:
    QVBoxLayout* m_body;
    std::vector<FormField*> m_fields;
};

} // namespace heteroscope::ui
