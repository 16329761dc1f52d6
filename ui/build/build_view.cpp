// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Build: the forms beside the picture.
#include "ui/build/build_view.h"

#include "ui/build/build_form.h"

#include <QHBoxLayout>

namespace heteroscope::ui {

BuildView::BuildView(Document& document, QWidget* parent) : QWidget(parent), m_form(new BuildForm(document)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_form);
    connect(m_form, &BuildForm::runRequested, this, &BuildView::runRequested);
}

void BuildView::setDevices(const Json& devices) {
    m_form->setDevices(devices);
}

void BuildView::focusPointer(const QString& pointer) {
    m_form->focusPointer(pointer);
}

} // namespace heteroscope::ui
