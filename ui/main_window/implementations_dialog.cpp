// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/implementations_dialog.h"

#include "compute/base/axis_name.h"
#include "compute/base/cell_table.h"
#include "compute/core/target.h"
#include "ui/build/json_text.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace heteroscope::ui {

namespace {

constexpr int kEditMs = 300;
constexpr QSize kDialogSize(1120, 600);
constexpr int kWidestColumn = 640;
constexpr auto kReorder = "reorder";    ///< the operation of a copy between layouts
constexpr int kNameRole = Qt::UserRole; ///< of a cell: the candidate that can be asked for

QString textOf(const Json& object, const char* key) {
    return fromStd(object.value(key, std::string()));
}

/// "size = 64, kernel = 3"
QString pointTitle(const Json& point) {
    QStringList parts;
    for (const auto& [axis, value] : point.items())
        parts << QStringLiteral("%1 = %2").arg(phraseText(axisPhrase(axis)), formatJsonValue(value));
    return parts.join(QStringLiteral(", "));
}

/// The names that "impl" lists, with this one added, or taken out when it was there.
std::string toggled(const std::string& names, const std::string& name) {
    QStringList all = fromStd(names).split(QLatin1Char('+'), Qt::SkipEmptyParts);
    if (all.removeAll(fromStd(name)) == 0)
        all << fromStd(name);
    return all.join(QLatin1Char('+')).toStdString();
}

} // namespace

ImplementationsDialog::ImplementationsDialog(Document& document, std::function<QString()> directory,
                                             QWidget* parent)
    : QDialog(parent),
      m_document(document),
      m_directory(std::move(directory)),
      m_points(new QComboBox),
      m_note(makeLabel({}, "muted")),
      m_rows(new QTreeWidget) {
    setWindowTitle(tr("Implementations"));
    setAttribute(Qt::WA_DeleteOnClose);
    resize(kDialogSize);
    auto* column = new QVBoxLayout(this);
    auto* intro =
        makeLabel(tr("What computes each operation. Open a row for what else could and why it is not "
                     "taken; double-click an implementation to ask for it, again to leave it out."),
                  "muted");
    intro->setWordWrap(true);
    column->addWidget(intro);
    m_points->setObjectName(QStringLiteral("implementationPoints"));
    m_points->setAccessibleName(tr("Point of the sweep"));
    column->addWidget(m_points, 0, Qt::AlignLeft);
    m_rows->setObjectName(QStringLiteral("implementationRows"));
    m_rows->setAccessibleName(tr("Operations and their implementations"));
    m_rows->setAlternatingRowColors(true);
    m_rows->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_rows->header()->setStretchLastSection(false);
    connect(m_rows, &QTreeWidget::itemExpanded, this, &ImplementationsDialog::fitColumns);
    m_note->setWordWrap(true);
    column->addWidget(m_note);
    column->addWidget(m_rows, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    auto* copy = buttons->addButton(tr("Copy as Text"), QDialogButtonBox::ActionRole);
    connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    column->addWidget(buttons);

    showNothing();

    m_wait.setSingleShot(true);
    m_wait.setInterval(kEditMs);
    connect(&m_wait, &QTimer::timeout, this, &ImplementationsDialog::ask);
    connect(&m_document, &Document::changed, &m_wait, qOverload<>(&QTimer::start));
    connect(m_points, &QComboBox::activated, this, &ImplementationsDialog::showPoint);
    connect(m_rows, &QTreeWidget::itemDoubleClicked, this, &ImplementationsDialog::choose);
    connect(&m_query, &ImplementationsQuery::arrived, this, &ImplementationsDialog::showReport);
    connect(&m_query, &ImplementationsQuery::failed, this, [this](const QString& sentence) {
        showNothing();
        sayNote(tr("As the experiment is, nothing can be said: %1").arg(sentence), true);
        emit settled();
    });
    m_wait.start();
}

/// Before the first answer, and where there is none.
void ImplementationsDialog::showNothing() {
    m_rows->clear();
    m_rows->setHeaderHidden(true);
    m_points->clear();
    m_points->hide();
}

void ImplementationsDialog::sayNote(const QString& text, bool isError) {
    setRole(m_note, isError ? "error" : "muted");
    restyle(m_note);
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

void ImplementationsDialog::ask() {
    sayNote(tr("Asking\u2026"), false);
    m_query.ask(m_document.json(), m_directory());
}

void ImplementationsDialog::showReport(const Json& report) {
    m_report = report;
    m_isNetwork = report.value("kind", std::string()) == "network";
    const int before = std::max(m_points->currentIndex(), 0);
    m_points->clear();
    for (const Json& point : report.value("points", Json::array()))
        m_points->addItem(pointTitle(point.value("point", Json::object())));
    m_points->setVisible(m_points->count() > 1);
    m_points->setCurrentIndex(std::min(before, m_points->count() - 1));
    QStringList titles{tr("Operation")};
    if (m_isNetwork)
        titles = QStringList{tr("Layer"), tr("Phase"), tr("Operation")};
    QStringList missing;
    for (const Json& target : report.value("targets", Json::array())) {
        titles << textOf(target, "target");
        if (!target.value("available", true))
            missing << QStringLiteral("%1: %2").arg(textOf(target, "target"),
                                                    recordedText(target.value("reason", std::string())));
    }
    m_rows->setColumnCount(static_cast<int>(titles.size()));
    m_rows->setHeaderLabels(titles);
    m_rows->setHeaderHidden(false);
    sayNote(missing.join(QLatin1Char('\n')), false);
    showPoint();
    emit settled();
}

std::vector<ImplementationsDialog::Operation> ImplementationsDialog::operations() const {
    const auto point = static_cast<std::size_t>(std::max(m_points->currentIndex(), 0));
    const Json& targets = m_report["targets"];
    std::vector<Operation> all;
    for (std::size_t target = 0; target < targets.size(); ++target) {
        const Json& points = targets[target]["implementations"];
        if (point >= points.size())
            continue;
        std::map<std::string, int> seen; // a layer may have several operations of one name
        std::size_t place = 0;
        for (const Json& record : points[point]["operations"]) {
            const std::string name = record.value("operation", std::string());
            std::string key = record.value("layer", std::string()) + '\n' +
                              record.value("phase", std::string()) + '\n' + name.substr(0, name.find(" + "));
            key += '\n' + std::to_string(seen[key]++);
            auto found =
                std::find_if(all.begin(), all.end(), [&](const Operation& one) { return one.key == key; });
            if (found == all.end())
                found = all.insert(all.begin() + static_cast<std::ptrdiff_t>(place),
                                   {key, std::vector<const Json*>(targets.size())});
            found->records[target] = &record;
            place = static_cast<std::size_t>(found - all.begin()) + 1;
        }
    }
    return all;
}

void ImplementationsDialog::showPoint() {
    QSet<int> open;
    for (int i = 0; i < m_rows->topLevelItemCount(); ++i)
        if (m_rows->topLevelItem(i)->isExpanded())
            open.insert(i);
    const int scrolled = m_rows->verticalScrollBar()->value();
    m_rows->clear();
    for (const Operation& operation : operations())
        addOperation(operation);
    for (const int i : open)
        if (i < m_rows->topLevelItemCount())
            m_rows->topLevelItem(i)->setExpanded(true);
    fitColumns();
    m_rows->verticalScrollBar()->setValue(scrolled);
}

/// Wide enough for what is open.
void ImplementationsDialog::fitColumns() {
    for (int i = 0; i < m_rows->columnCount(); ++i) {
        m_rows->resizeColumnToContents(i);
        m_rows->setColumnWidth(i, std::min(m_rows->columnWidth(i) + Theme::kSpacing, kWidestColumn));
    }
}

void ImplementationsDialog::addOperation(const Operation& operation) {
    const auto known = std::find_if(operation.records.begin(), operation.records.end(),
                                    [](const Json* record) { return record != nullptr; });
    QStringList cells{textOf(**known, "operation")};
    if (m_isNetwork)
        cells = QStringList{textOf(**known, "layer"),
                            phraseText(say((*known)->value("phase", std::string()).c_str())), cells.front()};
    const bool isReorder = textOf(**known, "operation") == kReorder; // follows from what computes the others
    auto* row = new QTreeWidgetItem(m_rows, cells);
    row->setToolTip(static_cast<int>(cells.size()) - 1, textOf(**known, "detail"));
    for (std::size_t target = 0; target < operation.records.size(); ++target) {
        const int column = firstTargetColumn() + static_cast<int>(target);
        const Json* const record = operation.records[target];
        if (record == nullptr) {
            const bool available = m_report["targets"][target].value("available", true);
            row->setText(column, !available  ? tr("not available")
                                 : isReorder ? tr("no copy")
                                             : tr("as part of another"));
            row->setForeground(column, palette().color(QPalette::Disabled, QPalette::Text));
            continue;
        }
        const QString taken = textOf(*record, "implementation");
        row->setText(column, taken.isEmpty() ? tr("none") : taken);
        if (taken.isEmpty()) {
            row->setForeground(column, Theme::instance().colors().error);
            row->setToolTip(column, tr("Nothing that the target asks for can compute this. Open the row and "
                                       "double-click one that can, beside it."));
        }
        int place = 0;
        for (const Json& candidate : (*record)["candidates"]) {
            while (row->childCount() <= place)
                new QTreeWidgetItem(row);
            QTreeWidgetItem* const child = row->child(place++);
            const QString name = textOf(candidate, "name"),
                          reason = recordedText(candidate.value("reason", std::string()));
            const bool isTaken = candidate.value("taken", false), accepts = candidate.value("accepts", false);
            const QString mark = isTaken ? QStringLiteral("\u2713 ") : QString();
            child->setText(column, mark + (reason.isEmpty() ? name : tr("%1: %2").arg(name, reason)));
            child->setToolTip(column, child->text(column));
            if (accepts && !isReorder)
                child->setData(column, kNameRole, name);
            else if (!accepts)
                child->setForeground(column, palette().color(QPalette::Disabled, QPalette::Text));
        }
    }
}

void ImplementationsDialog::choose(QTreeWidgetItem* item, int column) {
    const QString name = item->data(column, kNameRole).toString();
    const Json* const targets = valueAt(m_document.json(), "/targets");
    const auto place = static_cast<std::size_t>(column - firstTargetColumn());
    if (name.isEmpty() || targets == nullptr || place >= targets->size() || !(*targets)[place].is_string())
        return;
    auto target = compute::parseTarget((*targets)[place].get<std::string>());
    if (!target || target->text() != m_report["targets"][place].value("target", std::string()))
        return; // the targets were changed, and the answer is on its way
    const std::string names = toggled(target->options["impl"], name.toStdString());
    if (names.empty())
        target->options.erase("impl");
    else
        target->options["impl"] = names;
    m_document.setValue(QStringLiteral("/targets/%1").arg(place), target->text(),
                        tr("Set impl of %1 to %2")
                            .arg(fromStd(target->device + "/" + target->implementation),
                                 names.empty() ? tr("default") : fromStd(names)));
}

QString ImplementationsDialog::text() const {
    CellTable table(CellTable::Form::Tsv);
    const auto putLine = [this, &table](const QTreeWidgetItem* item) {
        for (int i = 0; i < m_rows->columnCount(); ++i)
            table.cell(item->text(i).toStdString());
        table.endLine();
    };
    putLine(m_rows->headerItem());
    for (int i = 0; i < m_rows->topLevelItemCount(); ++i) {
        const QTreeWidgetItem* const row = m_rows->topLevelItem(i);
        putLine(row);
        for (int child = 0; row->isExpanded() && child < row->childCount(); ++child)
            putLine(row->child(child));
    }
    return QString::fromStdString(table.text());
}

} // namespace heteroscope::ui

#include "moc_implementations_dialog.cpp"
