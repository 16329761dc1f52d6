// SPDX-License-Identifier: GPL-3.0-or-later
// Docks and the layout that is kept between starts.
#include "ui/common/icons.h"
#include "ui/common/widgets.h"
#include "ui/main_window/window_impl.h"

#include <QHBoxLayout>
#include <QToolButton>

namespace heteroscope::ui {

namespace {

constexpr int kBottomHeight = 160;
constexpr int kDockWidth = 300;

QWidget* makeTitle(QDockWidget* dock, const QString& title) {
    auto* bar = new QFrame;
    setRole(bar, "bar");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 3, 4, 3);
    row->addWidget(makeLabel(title, "strong", bar), 1);
    auto* close = new QToolButton(bar);
    close->setIcon(icon(QStringLiteral("close"), IconTone::Muted));
    close->setIconSize(QSize(14, 14));
    close->setAccessibleName(MainWindow::tr("Close %1").arg(title));
    close->setToolTip(MainWindow::tr("Close"));
    QObject::connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    row->addWidget(close);
    return bar;
}

} // namespace

QDockWidget* MainWindow::Impl::makeDock(const QString& title, const QString& name, QWidget* content,
                                        Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, &self);
    dock->setObjectName(name);
    dock->setTitleBarWidget(makeTitle(dock, title));
    dock->setWidget(content);
    self.addDockWidget(area, dock);
    dock->hide();
    return dock;
}

void MainWindow::Impl::makeDocks() {
    inspector = new InspectorPanel;
    problems = new ProblemsPanel;
    log = new LogList;
    inspectorDock =
        makeDock(tr("Inspector"), QStringLiteral("inspectorDock"), inspector, Qt::RightDockWidgetArea);
    problemsDock =
        makeDock(tr("Problems"), QStringLiteral("problemsDock"), problems, Qt::BottomDockWidgetArea);
    logDock = makeDock(tr("Log"), QStringLiteral("logDock"), log, Qt::BottomDockWidgetArea);
    self.setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    self.resizeDocks({problemsDock, logDock}, {kBottomHeight, kBottomHeight}, Qt::Vertical);
    self.resizeDocks({inspectorDock}, {kDockWidth}, Qt::Horizontal);
    connect(problems, &ProblemsPanel::pointerActivated, &self, [this](const QString& pointer) {
        self.setMode(Mode::Build);
        build->focusPointer(pointer);
    });
    defaultState = self.saveState();
}

void MainWindow::Impl::resetLayout() {
    self.restoreState(defaultState);
}

void MainWindow::Impl::restoreLayout() {
    const QByteArray geometry = settings.windowGeometry();
    if (!geometry.isEmpty())
        self.restoreGeometry(geometry);
    const QByteArray state = settings.windowState();
    if (!state.isEmpty())
        self.restoreState(state);
}

void MainWindow::Impl::revealDock(QDockWidget* dock) {
    dock->show();
    dock->raise();
    dock->widget()->setFocus();
}

} // namespace heteroscope::ui
