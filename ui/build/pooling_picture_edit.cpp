// SPDX-License-Identifier: GPL-3.0-or-later
// Editing the typed matrix in the picture.
#include "ui/build/json_text.h"
#include "ui/build/manual_matrix.h"
#include "ui/build/pooling_canvas.h"
#include "ui/build/pooling_picture.h"
#include "ui/common/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

namespace heteroscope::ui {

namespace {
const QString kValues = QStringLiteral("/pooling/input/values");
}

const Json* PoolingPicture::values() const {
    return valueAt(m_document.json(), kValues.toStdString());
}

void PoolingPicture::editCell(std::int64_t row, std::int64_t column, const QString& text) {
    const auto value = parseCell(text);
    if (!value || !values())
        return;
    hidePasteProblem();
    m_document.setValue(QStringLiteral("%1/%2/%3").arg(kValues).arg(row).arg(column), *value,
                        tr("Set cell %1, %2 to %3").arg(row + 1).arg(column + 1).arg(text.trimmed()));
}

void PoolingPicture::paste(std::int64_t row, std::int64_t column) {
    const auto block = parseBlock(QGuiApplication::clipboard()->text());
    if (!values())
        return;
    hidePasteProblem();
    if (!block) {
        showFindings({{compute::Diagnostic::Severity::Warning,
                       kValues.toStdString(),
                       tr("the clipboard holds no block of numbers").toStdString(),
                       tr("rows by line, numbers separated by tabs, spaces or commas").toStdString(),
                       {}}});
        m_pasteFailed = true;
        return;
    }
    m_document.setValue(
        kValues,
        withBlock(*values(), static_cast<std::size_t>(row), static_cast<std::size_t>(column), *block),
        tr("Paste %1 × %2 cells").arg(rowCount(*block)).arg(columnCount(*block)));
}

/// What the clipboard held is no matter once something was edited.
void PoolingPicture::hidePasteProblem() {
    if (m_pasteFailed)
        m_problem->hide();
    m_pasteFailed = false;
}

void PoolingPicture::resizeMatrix(int rows, int columns) {
    if (!values())
        return;
    const auto grown = [](std::size_t present, int by) {
        return by < 0 && present <= 1 ? present : present + static_cast<std::size_t>(by);
    };
    const QString label = rows > 0      ? tr("Add a row")
                          : rows < 0    ? tr("Remove a row")
                          : columns > 0 ? tr("Add a column")
                                        : tr("Remove a column");
    m_document.setValue(
        kValues, resized(*values(), grown(rowCount(*values()), rows), grown(columnCount(*values()), columns)),
        label);
}

void PoolingPicture::showFindings(const Findings& findings) {
    if (findings.empty())
        return; // the picture clears its own messages
    m_pasteFailed = false;
    const auto& finding = findings.front();
    QString text = QString::fromStdString(finding.message);
    if (!finding.allowed.empty())
        text += tr(". Allowed: %1").arg(QString::fromStdString(finding.allowed));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    m_problem->setText(text);
    setRole(m_problem, finding.severity == compute::Diagnostic::Severity::Error ? "error" : "warning");
    restyle(m_problem);
    m_problem->show();
}

void PoolingPicture::focusOn(const QString&) {
    m_canvas->setFocus(Qt::ShortcutFocusReason);
}

} // namespace heteroscope::ui
