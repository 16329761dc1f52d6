// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and their shortcuts.
#include "ui/common/icons.h"
#include "ui/common/language.h"
#include "ui/main_window/help_dialogs.h"
#include "ui/main_window/window_impl.h"

#include <QActionGroup>
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QMenuBar>
#include <QStatusBar>

namespace heteroscope::ui {

QAction* MainWindow::Impl::addAction(QMenu* menu, const QString& text, const QKeySequence& keys,
                                     const std::function<void()>& work, const QString& iconName) {
    QAction* action = menu->addAction(text);
    action->setShortcut(keys);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    connect(action, &QAction::triggered, &self, work);
    return action;
}

void MainWindow::Impl::makeMenus() {
    makeFileMenu();
    makeEditMenu();
    makeViewMenu();
    makeRunMenu();
    makeHelpMenu();
}

void MainWindow::Impl::makeFileMenu() {
    QMenu* menu = self.menuBar()->addMenu(tr("&File"));
    addAction(
        menu, tr("&New Pooling Experiment"), QKeySequence::New,
        [this] { newExperiment(compute::defaultPoolingDocument(), tr("Untitled pooling")); },
        QStringLiteral("new"));
    addAction(
        menu, tr("New &Matrix Multiplication"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
        [this] { newExperiment(compute::defaultMatmulDocument(), tr("Untitled multiplication")); },
        QStringLiteral("matmul"));
    addAction(
        menu, tr("New Net&work"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N),
        [this] { newExperiment(compute::defaultNetworkDocument(), tr("Untitled network")); },
        QStringLiteral("network"));
    addAction(
        menu, tr("&Open\u2026"), QKeySequence::Open,
        [this] {
            openWithDialog(tr("Open"),
                           tr("Experiments, runs and traces (*.json *.hscope *.json.gz);;All files (*)"));
        },
        QStringLiteral("open"));
    recentMenu = menu->addMenu(tr("Open &Recent"));
    connect(recentMenu, &QMenu::aboutToShow, &self, [this] { fillRecentMenu(); });
    fillRecentMenu();
    menu->addSeparator();
    addAction(
        menu, tr("&Save"), QKeySequence::Save, [this] { save(); }, QStringLiteral("save"));
    addAction(menu, tr("Save &As\u2026"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S),
              [this] { saveAs(); });
    addAction(menu, tr("Recover &Unsaved Work"), {}, [this] {
        if (!offerRecovery())
            self.statusBar()->showMessage(tr("No unsaved work of an earlier start is left."), kStatusMs);
    })->setObjectName(QStringLiteral("recoverWork"));
    menu->addSeparator();
    addAction(
        menu, tr("&Import Trace\u2026"), {},
        [this] { openWithDialog(tr("Import Trace"), tr("Chrome traces (*.json *.json.gz);;All files (*)")); },
        QStringLiteral("import"));
    exportMenu = menu->addMenu(icon(QStringLiteral("export")), tr("&Export"));
    makeExportActions();
    menu->addSeparator();
    addAction(menu, tr("&Quit"), QKeySequence::Quit, [this] { self.close(); });
}

void MainWindow::Impl::makeExportActions() {
    QAction* json = addAction(exportMenu, tr("Results as &JSON\u2026"), {}, [this] { exportResultsJson(); });
    QAction* csv = addAction(exportMenu, tr("Results as &CSV\u2026"), {}, [this] { exportResultsCsv(); });
    QAction* report =
        addAction(exportMenu, tr("&Report with All Figures\u2026"), {}, [this] { exportReport(); });
    exportMenu->addSeparator();
    QAction* picture =
        addAction(exportMenu, tr("&Timeline as Picture\u2026"), {}, [this] { exportTimelinePicture(); });
    QAction* trace =
        addAction(exportMenu, tr("Timeline as Chrome &Trace\u2026"), {}, [this] { exportTraceJson(); });
    connect(exportMenu, &QMenu::aboutToShow, &self, [this, json, csv, report, picture, trace] {
        const bool any = !sessions.empty();
        const bool runsThere = any && !sessions.front()->study().runs.empty();
        for (QAction* action : {json, csv, report})
            action->setEnabled(runsThere);
        for (QAction* action : {picture, trace})
            action->setEnabled(any && sessions.front()->trace()->trackCount() > 0);
    });
}

void MainWindow::Impl::fillRecentMenu() {
    recentMenu->clear();
    const QStringList files = settings.recentFiles();
    for (const QString& path : files) {
        QString shown = path;
        if (shown.startsWith(QDir::homePath() + QLatin1Char('/')))
            shown.replace(0, QDir::homePath().size(), QStringLiteral("~"));
        connect(recentMenu->addAction(shown), &QAction::triggered, &self,
                [this, path] { self.openPath(path); });
    }
    recentMenu->addSeparator();
    QAction* clear = recentMenu->addAction(files.isEmpty() ? tr("No Recent Files") : tr("Clear This List"));
    clear->setEnabled(!files.isEmpty());
    connect(clear, &QAction::triggered, &self, [this] { settings.clearRecentFiles(); });
}

void MainWindow::Impl::makeEditMenu() {
    QMenu* menu = self.menuBar()->addMenu(tr("&Edit"));
    undo = document.undoStack().createUndoAction(&self, tr("&Undo"));
    undo->setShortcut(QKeySequence::Undo);
    undo->setIcon(icon(QStringLiteral("undo")));
    redo = document.undoStack().createRedoAction(&self, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    menu->addAction(undo);
    menu->addAction(redo);
}

void MainWindow::Impl::makeViewMenu() {
    QMenu* menu = self.menuBar()->addMenu(tr("&View"));
    for (int i = 0; i < 6; ++i) {
        const auto target = Mode(i);
        addAction(menu, ModeBar::modeName(target), QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + i)),
                  [this, target] { self.setMode(target); });
    }
    menu->addSeparator();
    QMenu* looks = menu->addMenu(icon(QStringLiteral("moon")), tr("&Colours"));
    auto* group = new QActionGroup(&self);
    const std::pair<ColorScheme, QString> schemes[] = {{ColorScheme::System, tr("Like the &System")},
                                                       {ColorScheme::Light, tr("&Light")},
                                                       {ColorScheme::Dark, tr("&Dark")}};
    for (const auto& [scheme, name] : schemes) {
        QAction* action = addAction(looks, name, {}, [this, scheme = scheme] {
            settings.setColorScheme(scheme);
            Theme::instance().apply(scheme);
        });
        action->setCheckable(true);
        action->setChecked(Theme::instance().scheme() == scheme);
        if (scheme == ColorScheme::System)
            action->setObjectName(QStringLiteral("colours-system"));
        group->addAction(action);
    }
    makeLanguageMenu(menu->addMenu(tr("L&anguage")));
    menu->addSeparator();
    for (QDockWidget* dock : {inspectorDock, problemsDock, logDock})
        menu->addAction(dock->toggleViewAction());
    addAction(menu, tr("&Reset Layout"), {}, [this] { resetLayout(); });
    menu->addSeparator();
    QAction* full = addAction(menu, tr("&Full Screen"), QKeySequence(Qt::Key_F11),
                              [this] { self.setWindowState(self.windowState() ^ Qt::WindowFullScreen); });
    full->setCheckable(true);
}

void MainWindow::Impl::makeLanguageMenu(QMenu* menu) {
    auto* group = new QActionGroup(&self);
    const auto add = [&](const QString& code, const QString& name) {
        QAction* action = addAction(menu, name, {}, [this, code] {
            settings.setLanguage(code);
            say(MessageBar::Tone::Info, tr("The language changes when Heteroscope is started again."));
        });
        action->setCheckable(true);
        action->setChecked(settings.language() == code);
        action->setObjectName(QStringLiteral("language-") + code);
        group->addAction(action);
    };
    add({}, tr("Like the &System"));
    for (const QString& code : languages())
        add(code, languageName(code));
}

void MainWindow::Impl::makeRunMenu() {
    QMenu* menu = self.menuBar()->addMenu(tr("&Run"));
    runAction = addAction(
        menu, tr("&Run Experiment"), QKeySequence(Qt::Key_F5), [this] { self.run(); }, QStringLiteral("run"));
    stopAction = addAction(
        menu, tr("&Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { self.stop(); },
        QStringLiteral("stop"));
    menu->addSeparator();
    countAction = addAction(menu, tr("&Count Kernels on the Device"), {}, [] {});
    countAction->setObjectName(QStringLiteral("countKernels"));
    countAction->setCheckable(true);
    countAction->setToolTip(
        tr("After a study on a GPU, each operation runs once more on the device's own counters: "
           "achieved occupancy, memory traffic and operations of each kernel"));
    menu->setToolTipsVisible(true);
    addAction(menu, tr("&Implementations\u2026"), {}, [this] {
        showImplementations();
    })->setToolTip(tr("What computes each operation of the experiment on each target"));
    addAction(menu, tr("Look for &Devices Again"), {}, [this] {
        devicesKnown = false;
        wasSettled = false;
        devices.start();
    });
}

void MainWindow::Impl::makeHelpMenu() {
    QMenu* menu = self.menuBar()->addMenu(tr("&Help"));
    addAction(
        menu, tr("&Keyboard and Mouse"), QKeySequence(Qt::Key_F1), [this] { showCheatSheet(&self); },
        QStringLiteral("keyboard"));
    addAction(
        menu, tr("&About Heteroscope"), {}, [this] { showAbout(&self); }, QStringLiteral("info"));
}

} // namespace heteroscope::ui
