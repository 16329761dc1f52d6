// SPDX-License-Identifier: GPL-3.0-or-later
// Everything known about the selected span: times, track, arguments, flows.
#include "ui/timeline/details_panel.h"

#include "compute/base/cell_table.h"
#include "compute/base/units.h"
#include "ui/common/format.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"
#include "ui/timeline/time_format.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QTreeWidget>

namespace heteroscope::ui {

namespace {
constexpr int kLinkRole = Qt::UserRole + 1;
constexpr int kWholeRole = Qt::UserRole + 2; ///< the text of a value that is shown in part
} // namespace

DetailsPanel::DetailsPanel(TimelineState* state, QWidget* parent)
    : QWidget(parent), m_state(state), m_stack(new QStackedLayout(this)), m_tree(new QTreeWidget(this)) {
    QLabel* hint = makeLabel(tr("Click a span, or press full stop in the rows, to see its details here."),
                             "muted", this);
    hint->setAlignment(Qt::AlignCenter);
    hint->setWordWrap(true);
    setRole(m_tree, "plain");
    m_tree->setObjectName(QStringLiteral("detailsTable"));
    m_tree->setAccessibleName(tr("Details of the selected span"));
    m_tree->setHeaderLabels({tr("Property"), tr("Value")});
    m_tree->setRootIsDecorated(false);
    m_tree->setUniformRowHeights(true);
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    m_tree->header()->setStretchLastSection(true);
    m_stack->addWidget(hint);
    m_stack->addWidget(m_tree);
    auto* copyAction = new QAction(tr("Copy all"), m_tree);
    copyAction->setShortcut(QKeySequence::Copy);
    copyAction->setShortcutContext(Qt::WidgetShortcut);
    m_tree->addAction(copyAction);
    m_tree->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copyAction, &QAction::triggered, this, &DetailsPanel::copy);
    connect(m_tree, &QTreeWidget::itemActivated, this, &DetailsPanel::activate);
    connect(state, &TimelineState::selectionChanged, this, &DetailsPanel::refresh);
    connect(state, &TimelineState::traceChanged, this, &DetailsPanel::refresh);
    connect(state, &TimelineState::devicesChanged, this, &DetailsPanel::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &DetailsPanel::refresh);
    refresh();
}

QTreeWidgetItem* DetailsPanel::add(const QString& name, const QString& value) {
    auto* item = new QTreeWidgetItem(m_tree, {shownText(name), shownText(value)});
    item->setToolTip(1, shownText(value));
    item->setData(1, kWholeRole, value);
    return item;
}

void DetailsPanel::refresh() {
    m_tree->clear();
    m_linked.clear();
    const auto span = m_state->selectedSpan();
    m_stack->setCurrentIndex(span ? 1 : 0);
    if (span)
        fill(*span);
}

void DetailsPanel::fill(const profiling::Span& span) {
    const profiling::Trace& trace = *m_state->trace();
    add(tr("Name"), QString::fromStdString(trace.string(span.name)));
    const QString category = QString::fromStdString(trace.string(span.category));
    if (!category.isEmpty())
        add(tr("Category"), category);
    add(tr("Track"), m_state->layout().path(span.track));
    add(tr("Duration"), formatDuration(static_cast<double>(span.durationNs)));
    add(tr("Start"), formatTime(span.startNs - trace.startNs(), 1.0));
    add(tr("End"), formatTime(span.startNs + span.durationNs - trace.startNs(), 1.0));
    const double whole = static_cast<double>(trace.endNs() - trace.startNs());
    if (whole > 0.0)
        add(tr("Share of the recording"),
            tr("%1 of %2")
                .arg(shareText(static_cast<double>(span.durationNs) / whole), formatDuration(whole)));
    if (trace.laneCount(span.track) > 1)
        add(tr("Lane"), QString::number(span.depth + 1));
    for (const auto& [name, value] : trace.args(span.args))
        add(QString::fromStdString(name), QString::fromStdString(value));
    if (category == QLatin1String("kernel"))
        addOccupancy(span);
    if (category == QLatin1String("kernel"))
        addCounters(span);
    addFlows();
}

void DetailsPanel::addOccupancy(const profiling::Span& span) {
    const auto shape = profiling::kernelShape(m_state->trace()->args(span.args));
    if (!shape)
        return;
    add(tr("Blocks"), QString::number(shape->blocks()));
    add(tr("Threads per block"), QString::number(shape->threadsPerBlock()));
    const QString title = tr("Theoretical occupancy");
    const profiling::MultiprocessorLimits* device = m_state->deviceOf(span.track);
    if (!device) {
        add(title, tr("unknown: the recording does not say what the device can hold"));
        return;
    }
    const auto occupancy = profiling::theoreticalOccupancy(*shape, *device);
    if (!occupancy) {
        add(title, tr("unknown: by the device's limits no block fits"));
        return;
    }
    add(title, phraseText(occupancy->sentence()));
    add(tr("Blocks at once"), tr("%1 on a multiprocessor, %2 on the device")
                                  .arg(occupancy->blocks)
                                  .arg(occupancy->blocks * device->multiprocessors));
}

/// What the device counted in the same kernel of the same op, in a pass of its own.
void DetailsPanel::addCounters(const profiling::Span& span) {
    std::string op, shape;
    for (const auto& [name, value] : m_state->trace()->args(span.args)) {
        if (name == "op")
            op = value;
        if (name == "shape")
            shape = value;
    }
    const auto* counters = m_state->countersOf(op, shape, m_state->trace()->string(span.name));
    if (counters == nullptr) {
        add(tr("Achieved occupancy"),
            tr("not counted: check Run > Count Kernels on the Device, and run again"));
        return;
    }
    const auto perSecond = [&](double amount) {
        return counters->timeNs > 0 ? amount / counters->timeNs * 1e9 : 0.0;
    };
    const auto text = [](const std::string& utf8) { return QString::fromStdString(utf8); };
    const double bytes = counters->dramReadBytes + counters->dramWriteBytes;
    add(tr("Achieved occupancy"), tr("%1 of the warps, as counted").arg(shareText(counters->occupancy)));
    add(tr("Device memory"),
        tr("%1, %2 read and %3 written, as counted")
            .arg(text(formatBandwidth(perSecond(bytes))), text(formatBytes(counters->dramReadBytes)),
                 text(formatBytes(counters->dramWriteBytes))));
    add(tr("fp32 operations"), tr("%1, as counted").arg(text(formatFlops(perSecond(counters->flops)))));
}

void DetailsPanel::addFlows() {
    const profiling::Trace& trace = *m_state->trace();
    for (const profiling::Flow& flow : trace.flowsOf(m_state->selected())) {
        const bool outgoing = flow.from == m_state->selected();
        const profiling::SpanRef other = outgoing ? flow.to : flow.from;
        const auto from = trace.span(flow.from), to = trace.span(flow.to);
        const auto span = outgoing ? to : from;
        if (!span)
            continue;
        const QString name = QString::fromStdString(trace.string(span->name));
        const QString track = m_state->layout().path(span->track);
        const double wait = static_cast<double>(to->startNs - (from->startNs + from->durationNs));
        QTreeWidgetItem* item =
            add(outgoing ? tr("Leads to") : tr("Caused by"),
                tr("%1 on %2, %3 after the cause ended").arg(name, track, formatDuration(wait)));
        item->setData(0, kLinkRole, static_cast<int>(m_linked.size()));
        item->setForeground(1, Theme::instance().colors().accent);
        item->setToolTip(1, tr("Enter or double click goes there"));
        m_linked.push_back(other);
    }
}

void DetailsPanel::activate(QTreeWidgetItem* item) {
    const QVariant link = item->data(0, kLinkRole);
    if (link.isValid())
        m_state->select(m_linked[static_cast<std::size_t>(link.toInt())], true);
}

void DetailsPanel::copy() const {
    CellTable table(CellTable::Form::Tsv);
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        table.line({m_tree->topLevelItem(i)->text(0).toStdString(),
                    m_tree->topLevelItem(i)->data(1, kWholeRole).toString().toStdString()});
    QApplication::clipboard()->setText(QString::fromStdString(table.text()));
}

} // namespace heteroscope::ui

#include "moc_details_panel.cpp"
