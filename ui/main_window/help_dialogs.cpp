// SPDX-License-Identifier: GPL-3.0-or-later
// Help windows.
#include "ui/main_window/help_dialogs.h"

#include "ui/common/icons.h"
#include "ui/common/settings.h"
#include "ui/common/text.h"
#include "ui/common/widgets.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

struct Line {
    const char* keys;
    const char* what; ///< nullptr: `keys` is a heading
};

const Line kSheet[] = {
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Everywhere"), nullptr},
    {"Ctrl+1 \u2026 Ctrl+6",
     QT_TRANSLATE_NOOP("heteroscope::ui", "Start, Build, Run, Timeline, Analyze, Library")},
    {"F5", QT_TRANSLATE_NOOP("heteroscope::ui", "Run the experiment")},
    {"Shift+F5", QT_TRANSLATE_NOOP("heteroscope::ui", "Stop; finished samples are kept")},
    {"Ctrl+N", QT_TRANSLATE_NOOP("heteroscope::ui", "New pooling experiment")},
    {"Ctrl+Shift+N", QT_TRANSLATE_NOOP("heteroscope::ui", "New matrix multiplication")},
    {"Ctrl+O, Ctrl+S, Ctrl+Shift+S", QT_TRANSLATE_NOOP("heteroscope::ui", "Open, save, save as")},
    {"Ctrl+Z, Ctrl+Shift+Z", QT_TRANSLATE_NOOP("heteroscope::ui", "Undo, redo")},
    {"F11", QT_TRANSLATE_NOOP("heteroscope::ui", "Full screen")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Drop a file"),
     QT_TRANSLATE_NOOP("heteroscope::ui",
                       "Opens experiments, runs, traces; an image or .npy becomes the pooling input")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Network builder"), nullptr},
    {"Insert", QT_TRANSLATE_NOOP("heteroscope::ui", "Add a layer after the selected one")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Arrow keys, Enter"),
     QT_TRANSLATE_NOOP("heteroscope::ui", "Go from layer to layer, edit its values")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Ctrl+Click, drag a frame"),
     QT_TRANSLATE_NOOP("heteroscope::ui", "Select several layers")},
    {"Ctrl+G, Ctrl+Shift+G, Space",
     QT_TRANSLATE_NOOP("heteroscope::ui", "Group layers, take a group apart, open or collapse it")},
    {"Ctrl+C, Ctrl+V, Ctrl+D", QT_TRANSLATE_NOOP("heteroscope::ui", "Copy, paste, duplicate layers")},
    {"Ctrl+F, F3", QT_TRANSLATE_NOOP("heteroscope::ui", "Find layers, next hit")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Wheel, Ctrl+Wheel"),
     QT_TRANSLATE_NOOP("heteroscope::ui", "Scroll, zoom")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Timeline"), nullptr},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Wheel, W, S"),
     QT_TRANSLATE_NOOP("heteroscope::ui", "Zoom at the pointer")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Drag, A, D"),
     QT_TRANSLATE_NOOP("heteroscope::ui", "Move left and right")},
    {"Ctrl+F", QT_TRANSLATE_NOOP("heteroscope::ui", "Search spans")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Analyze"), nullptr},
    {"Ctrl+Shift+E", QT_TRANSLATE_NOOP("heteroscope::ui", "Export the shown chart")},
    {QT_TRANSLATE_NOOP("heteroscope::ui", "Library"), nullptr},
    {"Enter", QT_TRANSLATE_NOOP("heteroscope::ui", "Open the selected run")},
    {"Delete",
     QT_TRANSLATE_NOOP("heteroscope::ui", "Move the selected run to the trash; Undo brings it back")},
};

QDialog* makeDialog(QWidget* parent, const QString& title) {
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    new QVBoxLayout(dialog);
    return dialog;
}

void addClose(QDialog* dialog) {
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    dialog->layout()->addWidget(buttons);
}

} // namespace

void showCheatSheet(QWidget* parent) {
    QDialog* dialog = makeDialog(parent, tr("Keyboard and Mouse"));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(24);
    grid->setVerticalSpacing(6);
    int row = 0;
    for (const Line& line : kSheet) {
        if (line.what == nullptr) {
            grid->addWidget(makeLabel(tr(line.keys), "heading", dialog), row++, 0, 1, 2);
            continue;
        }
        grid->addWidget(makeLabel(tr(line.keys), "strong", dialog), row, 0);
        grid->addWidget(makeLabel(tr(line.what), "", dialog), row++, 1);
    }
    static_cast<QVBoxLayout*>(dialog->layout())->addLayout(grid);
    addClose(dialog);
    dialog->show();
}

void showAbout(QWidget* parent) {
    QDialog* dialog = makeDialog(parent, tr("About Heteroscope"));
    auto* picture = new QLabel(dialog);
    picture->setPixmap(applicationIcon().pixmap(QSize(56, 56), parent->devicePixelRatioF()));
    dialog->layout()->addWidget(picture);
    dialog->layout()->addWidget(
        makeLabel(tr("Heteroscope %1").arg(QCoreApplication::applicationVersion()), "heading", dialog));
    auto* text = makeLabel(tr("Build, run and profile heterogeneous computing experiments.<br><br>The window "
                              "is free software under the GNU "
                              "General Public License 3 or later; the compute and profiling libraries and "
                              "the command line are under the Apache "
                              "License 2.0.<br><br>Made with Qt %1 (LGPL 3, Qt Charts GPL 3), nlohmann-json "
                              "(MIT), simdjson (Apache 2.0), zstd "
                              "(BSD), libzip (BSD), stb (public domain), CLI11 (BSD) and oneDNN (Apache "
                              "2.0).<br><br>Settings: %2")
                               .arg(QString::fromLatin1(qVersion()), Settings().filePath().toHtmlEscaped()),
                           "", dialog);
    text->setWordWrap(true);
    text->setMinimumWidth(460);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    dialog->layout()->addWidget(text);
    addClose(dialog);
    dialog->show();
}

} // namespace heteroscope::ui
