// SPDX-License-Identifier: GPL-3.0-or-later
// The list of problems.
#include "ui/main_window/problems_panel.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/widgets.h"

#include <QHeaderView>
#include <QRegularExpression>

namespace heteroscope::ui {

namespace {
constexpr int kPointerRole = Qt::UserRole;
constexpr int kPlaceWidth = 240;
} // namespace

ProblemsPanel::ProblemsPanel(QWidget* parent) : QTreeWidget(parent) {
    setRole(this, "plain");
    setObjectName(QStringLiteral("problems"));
    setAccessibleName(tr("Problems of the experiment"));
    setHeaderLabels({tr("Problem"), tr("Where"), tr("What is allowed, what to do")});
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    header()->setStretchLastSection(true);
    header()->resizeSection(0, 420);
    header()->resizeSection(1, kPlaceWidth);
    const auto activate = [this](QTreeWidgetItem* item) {
        if (item->flags() & Qt::ItemIsSelectable)
            emit pointerActivated(item->data(0, kPointerRole).toString());
    };
    connect(this, &QTreeWidget::itemClicked, this, activate);
    connect(this, &QTreeWidget::itemActivated, this, activate);
    setDiagnostics({});
}

void ProblemsPanel::setDiagnostics(const std::vector<compute::Diagnostic>& diagnostics) {
    clear();
    for (const compute::Diagnostic& finding : diagnostics) {
        const bool error = finding.severity == compute::Diagnostic::Severity::Error;
        const QString help = QStringList({fromStd(finding.allowed), fromStd(finding.advice)})
                                 .filter(QRegularExpression(QStringLiteral(".")))
                                 .join(QStringLiteral("; "));
        auto* item = new QTreeWidgetItem(this, {fromStd(finding.message), fromStd(finding.pointer), help});
        item->setIcon(0, error ? icon(QStringLiteral("error"), IconTone::Error)
                               : icon(QStringLiteral("warning"), IconTone::Warning));
        item->setData(0, kPointerRole, fromStd(finding.pointer));
        item->setToolTip(0, fromStd(finding.message));
        item->setToolTip(2, help);
        item->setData(0, Qt::AccessibleTextRole,
                      (error ? tr("Error: %1") : tr("Warning: %1")).arg(fromStd(finding.message)));
    }
    if (diagnostics.empty()) {
        auto* item = new QTreeWidgetItem(this, {tr("No problems: the experiment can run.")});
        item->setIcon(0, icon(QStringLiteral("good"), IconTone::Good));
        item->setFlags(Qt::ItemIsEnabled);
    }
}

} // namespace heteroscope::ui

#include "moc_problems_panel.cpp"
