// SPDX-License-Identifier: GPL-3.0-or-later
// The inspector.
#include "ui/main_window/inspector_panel.h"

#include "ui/common/format.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QHeaderView>

namespace heteroscope::ui {

namespace {

constexpr int kMaxDepth = 4;
constexpr int kMaxChildren = 200;

void addJson(QTreeWidgetItem* parent, const QString& key, const Json& value, int depth) {
    auto* item = new QTreeWidgetItem(parent, {key});
    item->setToolTip(0, key);
    if (!value.is_structured() || depth >= kMaxDepth) {
        item->setText(1, formatJsonValue(value));
        item->setToolTip(1, item->text(1));
        return;
    }
    int shown = 0;
    if (value.is_object()) {
        for (const auto& [name, child] : value.items())
            if (shown++ < kMaxChildren)
                addJson(item, fromStd(name), child, depth + 1);
        return;
    }
    item->setText(1, formatJsonValue(value));
    item->setToolTip(1, item->text(1));
}

QTreeWidgetItem* addGroup(QTreeWidget* tree, const QString& title) {
    auto* group = new QTreeWidgetItem(tree, {title});
    QFont bold = tree->font();
    bold.setBold(true);
    group->setFont(0, bold);
    group->setFirstColumnSpanned(true);
    group->setExpanded(true);
    return group;
}

void addLine(QTreeWidgetItem* group, const QString& key, const QString& value) {
    auto* item = new QTreeWidgetItem(group, {key, value});
    item->setToolTip(0, key);
    item->setToolTip(1, value);
}

} // namespace

InspectorPanel::InspectorPanel(QWidget* parent) : QTreeWidget(parent) {
    setRole(this, "plain");
    setAccessibleName(tr("Details of the study"));
    setColumnCount(2);
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(12);
    header()->resizeSection(0, 150);
    setMinimumWidth(240);
    fill();
}

void InspectorPanel::setSession(std::shared_ptr<StudySession> session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = std::move(session);
    if (m_session)
        connect(m_session.get(), &StudySession::stateChanged, this, &InspectorPanel::fill);
    fill();
}

void InspectorPanel::fill() {
    clear();
    if (!m_session) {
        auto* group = addGroup(this, tr("Study"));
        auto* hint = new QTreeWidgetItem(group, {tr("Run an experiment or open a run file.")});
        hint->setFirstColumnSpanned(true);
        return;
    }
    const profiling::Study& study = m_session->study();
    auto* general = addGroup(this, tr("Study"));
    addLine(general, tr("Name"), m_session->title());
    addLine(general, tr("File"), m_session->filePath());
    addLine(general, tr("Started"), fromStd(study.startedUtc));
    addLine(general, tr("Program"), fromStd(study.program + " " + study.version));
    addLine(general, tr("Runs"), countText(static_cast<std::int64_t>(study.runs.size())));
    addLine(general, tr("Spans"), countText(static_cast<std::int64_t>(m_session->trace()->spanCount())));
    const profiling::DataQuality quality = m_session->trace()->quality();
    auto* complete = addGroup(this, tr("Data quality"));
    if (!m_session->message().isEmpty())
        addLine(complete, tr("Recording"), m_session->message());
    addLine(complete, tr("Dropped events"), countText(static_cast<std::int64_t>(quality.droppedEvents)));
    addLine(complete, tr("Without time"), countText(static_cast<std::int64_t>(quality.zeroTimestamps)));
    addLine(complete, tr("Out of order"), countText(static_cast<std::int64_t>(quality.outOfOrder)));
    addLine(complete, tr("Clipped"), countText(static_cast<std::int64_t>(quality.clipped)));
    if (quality.causalPairs > 0)
        addLine(complete, tr("Before their cause"),
                tr("%1 of %2 pairs")
                    .arg(countText(static_cast<std::int64_t>(quality.causalViolations)),
                         countText(static_cast<std::int64_t>(quality.causalPairs))));
    for (const std::string& note : quality.notes)
        addLine(complete, tr("Note"), fromStd(note));
    auto* machine = addGroup(this, tr("Environment"));
    for (const auto& [key, value] : study.environment.items())
        addJson(machine, fromStd(key), value, 1);
    auto* experiment = addGroup(this, tr("Experiment"));
    for (const auto& [key, value] : study.experiment.items())
        addJson(experiment, fromStd(key), value, 1);
}

} // namespace heteroscope::ui

#include "moc_inspector_panel.cpp"
