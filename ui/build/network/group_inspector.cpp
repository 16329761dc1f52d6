// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the group's values; each is one undo step.
#include "ui/build/network/group_inspector.h"

#include "compute/experiment/spec/network_view.h"
#include "ui/build/network/layer_list.h"
#include "ui/build/network/network_groups.h"
#include "ui/build/undo_routing.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace heteroscope::ui {

GroupInspector::GroupInspector(Document& document, QWidget* parent)
    : FormSection(tr("Group of layers"), parent),
      m_document(document),
      m_name(new QLineEdit),
      m_layers(makeLabel({}, "muted")),
      m_collapsed(new QCheckBox(tr("Show as one box"))) {
    m_name->setObjectName(QStringLiteral("group-name"));
    m_name->setAccessibleName(tr("Name of the group"));
    m_name->setMaxLength(static_cast<int>(compute::kMaxGroupName / 4)); // at most four bytes a letter
    m_layers->setWordWrap(true);
    m_collapsed->setObjectName(QStringLiteral("group-collapsed"));
    auto* ungroup = new QPushButton(tr("Take the group apart"));
    ungroup->setObjectName(QStringLiteral("group-remove"));
    ungroup->setToolTip(tr("Its layers stay (Ctrl+Shift+G)"));
    body()->addWidget(m_name);
    body()->addWidget(m_layers);
    body()->addWidget(m_collapsed);
    body()->addWidget(ungroup, 0, Qt::AlignLeft);
    routeUndo(m_name, m_document.undoStack());
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString& text) {
        if (m_group < 0)
            return;
        const auto groups = compute::readLayerGroups(m_document.json());
        const auto entry = groups.at(static_cast<std::size_t>(m_group)).entry;
        m_document.setValue(QStringLiteral("/network/view/groups/%1/name").arg(entry), text.toStdString(),
                            tr("Rename group to %1").arg(text));
    });
    connect(m_collapsed, &QCheckBox::clicked, this, [this](bool on) {
        m_document.replaceAll(
            collapseGroup(m_document.json(), static_cast<std::size_t>(m_group), on).document,
            on ? tr("Collapse group") : tr("Open group"));
    });
    connect(ungroup, &QPushButton::clicked, this, [this] {
        const auto groups = compute::readLayerGroups(m_document.json());
        const int first = groups.at(static_cast<std::size_t>(m_group)).first;
        m_document.replaceAll(ungroupLayers(m_document.json(), {first}).document, tr("Take group apart"));
    });
}

void GroupInspector::showGroup(int group) {
    m_group = group;
    refresh();
}

void GroupInspector::refresh() {
    const auto groups = compute::readLayerGroups(m_document.json());
    if (m_group >= static_cast<int>(groups.size()))
        m_group = -1;
    setVisible(m_group >= 0);
    if (m_group < 0)
        return;
    const compute::LayerGroup& group = groups[static_cast<std::size_t>(m_group)];
    if (m_name->text() != fromStd(group.name))
        m_name->setText(fromStd(group.name));
    const LayerList list(m_document.json());
    QStringList names;
    for (int layer = group.first; layer <= group.last; ++layer)
        names << fromStd(list.name(layer));
    m_layers->setText(names.join(QStringLiteral(", ")));
    m_collapsed->setChecked(group.collapsed);
}

void GroupInspector::focusName() {
    m_name->setFocus(Qt::ShortcutFocusReason);
    m_name->selectAll();
}

} // namespace heteroscope::ui

#include "moc_group_inspector.cpp"
