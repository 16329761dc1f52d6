// SPDX-License-Identifier: GPL-3.0-or-later
// Source buttons and the fields of the chosen source.
#include "ui/build/input_form.h"

#include "ui/build/json_text.h"
#include "ui/build/path_editor.h"
#include "ui/common/settings.h"
#include "ui/common/widgets.h"

#include <QDir>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QMimeData>
#include <QPushButton>

namespace heteroscope::ui {

namespace {

const QString kInput = QStringLiteral("/pooling/input");

/// The matrix that everyone learns pooling with: small enough to check by hand.
Json firstManualMatrix() {
    return Json::parse("[[9,5,2,7],[3,1,3,4],[2,6,5,9],[8,3,7,4]]");
}

QString sourceName(const std::string& source) {
    if (source == "random")
        return InputForm::tr("&Random");
    if (source == "manual")
        return InputForm::tr("&Typed");
    if (source == "image")
        return InputForm::tr("&Image");
    return source == "npy" ? InputForm::tr("N&umPy") : QString::fromStdString(source);
}

QString localFile(const QMimeData* data) {
    return data->hasUrls() && data->urls().size() == 1 ? data->urls().first().toLocalFile() : QString();
}

std::string sourceOfFile(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QStringLiteral("npy"))
        return "npy";
    static const QStringList kImages = {QStringLiteral("png"), QStringLiteral("jpg"), QStringLiteral("jpeg"),
                                        QStringLiteral("bmp"), QStringLiteral("pgm"), QStringLiteral("ppm")};
    return kImages.contains(suffix) ? "image" : "";
}

} // namespace

std::string storedPath(const Document& document, const QString& file) {
    if (document.path().isEmpty())
        return QFileInfo(file).absoluteFilePath().toStdString();
    const QString relative =
        QFileInfo(document.path()).dir().relativeFilePath(QFileInfo(file).absoluteFilePath());
    return (relative.startsWith(QStringLiteral("..")) ? QFileInfo(file).absoluteFilePath() : relative)
        .toStdString();
}

QString resolvedPath(const Document& document, const std::string& stored) {
    const QString text = QString::fromStdString(stored);
    if (text.isEmpty() || document.path().isEmpty())
        return text;
    return QFileInfo(document.path()).dir().absoluteFilePath(text);
}

InputForm::InputForm(Document& document, const compute::ParameterGroup& group, QWidget* parent)
    : FormSection(tr("Input"), parent),
      m_document(document),
      m_group(group),
      m_buttons(new QButtonGroup(this)),
      m_manualNote(
          makeLabel(tr("Click a cell in the picture and type. Paste fills a block; the buttons above "
                       "the matrix add and remove rows and columns."),
                    "muted")) {
    setAcceptDrops(true);
    m_manualNote->setWordWrap(true);
    for (const compute::Parameter& parameter : group.parameters) {
        if (parameter.key == "source")
            addSourceButtons(parameter);
        else if (parameter.key == "path")
            addPathField(parameter);
    }
    addGroup(document, group, {"source", "path"});
    body()->addWidget(m_manualNote);
    refresh();
}

void InputForm::addSourceButtons(const compute::Parameter& source) {
    auto* grid = new QGridLayout;
    grid->setSpacing(4);
    for (const std::string& choice : source.choices) {
        auto* button = new QPushButton(sourceName(choice));
        button->setCheckable(true);
        button->setMinimumWidth(0);
        button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        button->setObjectName(QStringLiteral("source-") + QString::fromStdString(choice));
        button->setProperty("source", QString::fromStdString(choice));
        button->setToolTip(QString::fromStdString(source.help));
        m_buttons->addButton(button);
        grid->setColumnStretch(grid->count(), 1);
        grid->addWidget(button, 0, grid->count());
    }
    body()->addLayout(grid);
    connect(m_buttons, &QButtonGroup::buttonClicked, this, [this](QAbstractButton* button) {
        chooseSource(button->property("source").toString().toStdString());
    });
}

void InputForm::addPathField(const compute::Parameter& path) {
    auto* editor = new PathEditor;
    addField(new FormField(m_document, kInput + QStringLiteral("/path"), path, editor));
    connect(editor, &PathEditor::browseRequested, this, &InputForm::chooseFile);
}

std::string InputForm::source() const {
    const Json* source = valueAt(m_document.json(), "/pooling/input/source");
    return source && source->is_string() ? source->get<std::string>() : "random";
}

Json InputForm::inputFor(const std::string& source) const {
    if (const auto known = m_remembered.find(source); known != m_remembered.end())
        return known->second;
    Json input = {{"source", source}};
    if (source == "random")
        for (const compute::Parameter& parameter : m_group.parameters)
            if (parameter.key != "source" && !parameter.activeWhen.empty() &&
                parameter.activeWhen.front().values == std::vector<std::string>{"random"})
                input[parameter.key] = parameter.defaultValue;
    if (source == "manual")
        input["values"] = firstManualMatrix();
    if (source == "image" || source == "npy")
        input["path"] = "";
    return input;
}

void InputForm::chooseSource(const std::string& chosen) {
    if (chosen == source())
        return;
    if (const Json* present = valueAt(m_document.json(), kInput.toStdString()))
        m_remembered[source()] = *present;
    m_document.setValue(kInput, inputFor(chosen),
                        tr("Change input to %1").arg(sourceName(chosen).remove(QLatin1Char('&')).toLower()));
}

bool InputForm::takeFile(const QString& path) {
    const std::string kind = sourceOfFile(path);
    if (kind.empty())
        return false;
    Json input = {{"source", kind}, {"path", storedPath(m_document, path)}};
    m_document.setValue(kInput, input, tr("Use file %1").arg(QFileInfo(path).fileName()));
    return true;
}

void InputForm::chooseFile() {
    const QString filter =
        source() == "npy" ? tr("NumPy arrays (*.npy)") : tr("Images (*.png *.jpg *.jpeg *.bmp *.pgm *.ppm)");
    Settings settings;
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Choose the input"), settings.lastFolder(), filter);
    if (path.isEmpty())
        return;
    settings.setLastFolder(QFileInfo(path).absolutePath());
    m_document.setValue(kInput + QStringLiteral("/path"), storedPath(m_document, path),
                        tr("Use file %1").arg(QFileInfo(path).fileName()));
}

void InputForm::refresh() {
    const std::string present = source();
    for (QAbstractButton* button : m_buttons->buttons())
        button->setChecked(button->property("source").toString().toStdString() == present);
    m_manualNote->setVisible(present == "manual");
    const Json* backward = valueAt(m_document.json(), "/pooling/backward");
    const bool usesSeed = present == "random" || (backward && *backward == true);
    for (FormField* field : fields()) {
        field->refresh();
        if (field->parameter().key == "seed")
            field->setVisible(usesSeed);
    }
}

void InputForm::dragEnterEvent(QDragEnterEvent* event) {
    if (!sourceOfFile(localFile(event->mimeData())).empty())
        event->acceptProposedAction();
}

void InputForm::dropEvent(QDropEvent* event) {
    if (takeFile(localFile(event->mimeData())))
        event->acceptProposedAction();
}

} // namespace heteroscope::ui

#include "moc_input_form.cpp"
