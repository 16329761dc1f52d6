// SPDX-License-Identifier: GPL-3.0-or-later
// The data of a network: its source, files with a button that asks for them, split, transforms, and a button
// that shows samples. Made from the parameter schema. GUI thread.
#pragma once

#include "ui/build/form_section.h"

#include <QPointer>
#include <QPushButton>

namespace heteroscope::ui {

class SamplesView;

class DataForm : public FormSection {
    Q_OBJECT
  public:
    DataForm(Document& document, const compute::ParameterGroup& group, QWidget* parent = nullptr);
    ~DataForm() override;

    void refresh();               ///< the button; the fields are refreshed by the form that holds them
    SamplesView* samples() const; ///< nullptr until they were asked for
    void showSamples();

  private:
    void addPathField(const compute::ParameterGroup& group, const compute::Parameter& parameter);
    void choosePath(const QString& pointer, const compute::Parameter& parameter);

    Document& m_document;
    QPushButton* m_show;
    QPointer<SamplesView> m_samples;
};

} // namespace heteroscope::ui
