// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/data_form.h"

#include "ui/build/data/samples_view.h"
#include "ui/build/data/transforms_editor.h"
#include "ui/build/input_form.h"
#include "ui/build/json_text.h"
#include "ui/build/path_editor.h"
#include "ui/common/settings.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>

namespace heteroscope::ui {

namespace {

using compute::ParameterType;

bool isPath(const compute::Parameter& parameter) {
    return parameter.type == ParameterType::File || parameter.type == ParameterType::Folder;
}

} // namespace

DataForm::DataForm(Document& document, const compute::ParameterGroup& group, QWidget* parent)
    : FormSection(QCoreApplication::translate("Parameter", group.title.c_str()), parent),
      m_document(document),
      m_show(new QPushButton(tr("Show &samples"))) {
    setObjectName(QStringLiteral("data"));
    for (const compute::Parameter& parameter : group.parameters) {
        const QString pointer = QString::fromStdString(group.pointer + "/" + parameter.key);
        if (isPath(parameter))
            addPathField(group, parameter);
        else if (parameter.type == ParameterType::Transforms)
            addField(new FormField(document, pointer, parameter, new TransformsEditor));
        else if (ValueEditor* editor = makeValueEditor(parameter, nullptr))
            addField(new FormField(document, pointer, parameter, editor));
    }
    m_show->setObjectName(QStringLiteral("show-samples"));
    m_show->setToolTip(tr("Read the data and show some examples, as they are and transformed"));
    body()->addWidget(m_show);
    connect(m_show, &QPushButton::clicked, this, &DataForm::showSamples);
    connect(&document, &Document::changed, this, &DataForm::refresh);
    refresh();
}

DataForm::~DataForm() {
    delete m_samples;
}

void DataForm::addPathField(const compute::ParameterGroup& group, const compute::Parameter& parameter) {
    auto* editor = new PathEditor;
    const QString pointer = QString::fromStdString(group.pointer + "/" + parameter.key);
    addField(new FormField(m_document, pointer, parameter, editor));
    connect(editor, &PathEditor::browseRequested, this,
            [this, pointer, parameter] { choosePath(pointer, parameter); });
}

void DataForm::choosePath(const QString& pointer, const compute::Parameter& parameter) {
    Settings settings;
    const QString title = QCoreApplication::translate("Parameter", parameter.label.c_str());
    const QString path = parameter.type == ParameterType::Folder
                             ? QFileDialog::getExistingDirectory(this, title, settings.lastFolder())
                             : QFileDialog::getOpenFileName(this, title, settings.lastFolder());
    if (path.isEmpty())
        return;
    settings.setLastFolder(QFileInfo(path).absolutePath());
    m_document.setValue(pointer, storedPath(m_document, path), tr("Use %1").arg(QFileInfo(path).fileName()));
}

SamplesView* DataForm::samples() const {
    return m_samples;
}

void DataForm::refresh() {
    const Json* source = valueAt(m_document.json(), "/data/source");
    m_show->setVisible(source != nullptr && *source != "synthetic");
}

void DataForm::showSamples() {
    if (!m_samples) {
        m_samples = new SamplesView(m_document, window());
        m_samples->setWindowFlag(Qt::Window);
        m_samples->resize(940, 620);
    }
    m_samples->show();
    m_samples->raise();
    m_samples->activateWindow();
    m_samples->reload();
}

} // namespace heteroscope::ui

#include "moc_data_form.cpp"
