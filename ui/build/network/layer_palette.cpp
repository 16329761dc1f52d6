// SPDX-License-Identifier: GPL-3.0-or-later
// The catalogue of layers as a tree.
#include "ui/build/network/layer_palette.h"

#include "compute/model/layer_type.h"
#include "ui/build/network/network_canvas.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

constexpr int kTypeRole = Qt::UserRole;

class PaletteTree : public QTreeWidget {
  public:
    using QTreeWidget::QTreeWidget;

  protected:
    QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override {
        if (items.isEmpty() || items.front()->data(0, kTypeRole).isNull())
            return nullptr;
        auto* layer = new QMimeData;
        layer->setData(QLatin1String(NetworkCanvas::kLayerMime),
                       items.front()->data(0, kTypeRole).toString().toUtf8());
        return layer;
    }
};

/// The colour that the canvas draws layers of the type with.
QIcon swatch(const QColor& color) {
    constexpr int kSize = 12, kDetail = 4; // drawn finer than any screen shows it
    QPixmap picture(kSize * kDetail, kSize * kDetail);
    picture.setDevicePixelRatio(kDetail);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(QRectF(1, 1, kSize - 2, kSize - 2), 3, 3);
    return picture;
}

} // namespace

LayerPalette::LayerPalette(QWidget* parent)
    : QWidget(parent), m_search(new QLineEdit), m_tree(new PaletteTree) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(Theme::kSpacing, Theme::kSpacing, Theme::kSpacing, Theme::kSpacing);
    column->setSpacing(Theme::kSpacing);
    m_search->setObjectName(QStringLiteral("layer-search"));
    m_search->setAccessibleName(tr("Search layers"));
    m_search->setPlaceholderText(tr("Add a layer (Insert)"));
    m_search->setToolTip(
        tr("Type a part of a name; Return inserts the first match after the selected layer"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search"), IconTone::Muted), QLineEdit::LeadingPosition);
    m_search->installEventFilter(this);
    m_tree->setObjectName(QStringLiteral("layer-palette"));
    m_tree->setAccessibleName(tr("Layers that can be added"));
    m_tree->setHeaderHidden(true);
    m_tree->setIndentation(10);
    m_tree->setIconSize({12, 12});
    m_tree->setRootIsDecorated(false);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setDragEnabled(true);
    m_tree->setDragDropMode(QAbstractItemView::DragOnly);
    m_tree->installEventFilter(this);
    setRole(m_tree, "plain");
    column->addWidget(m_search);
    column->addWidget(m_tree, 1);
    fill();
    colorHeadings();
    connect(&Theme::instance(), &Theme::changed, this, &LayerPalette::colorHeadings);
    connect(m_search, &QLineEdit::textChanged, this, &LayerPalette::filter);
    connect(m_tree, &QTreeWidget::itemClicked, this, [this] { chooseCurrent(); });
}

void LayerPalette::fill() {
    QTreeWidgetItem* group = nullptr;
    QList<QTreeWidgetItem*> groups;
    for (const compute::LayerType& type : compute::layerTypes()) {
        const QString title = QCoreApplication::translate("Layer", type.group.c_str());
        group = nullptr;
        for (QTreeWidgetItem* known : groups)
            if (known->text(0) == title)
                group = known;
        if (!group) {
            group = new QTreeWidgetItem(m_tree, {title});
            group->setFlags(Qt::ItemIsEnabled);
            group->setExpanded(true);
            groups << group;
        }
        auto* item = new QTreeWidgetItem(group, {QCoreApplication::translate("Layer", type.label.c_str())});
        item->setIcon(0, swatch(layerColor(fromStd(type.group))));
        item->setData(0, kTypeRole, fromStd(type.id));
        item->setToolTip(0, QStringLiteral("%1: %2").arg(
                                item->text(0), QCoreApplication::translate("Layer", type.help.c_str())));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled);
    }
}

void LayerPalette::colorHeadings() {
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i)
        m_tree->topLevelItem(i)->setForeground(0, Theme::instance().colors().mutedText);
}

void LayerPalette::filter(const QString& text) {
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* group = m_tree->topLevelItem(i);
        bool any = false;
        for (int j = 0; j < group->childCount(); ++j) {
            QTreeWidgetItem* item = group->child(j);
            const bool fits = item->text(0).contains(text, Qt::CaseInsensitive) ||
                              item->data(0, kTypeRole).toString().contains(text, Qt::CaseInsensitive);
            item->setHidden(!fits);
            any = any || fits;
            const bool begins = item->text(0).startsWith(text, Qt::CaseInsensitive);
            if (fits && (!first || (begins && !first->text(0).startsWith(text, Qt::CaseInsensitive))))
                first = item;
        }
        group->setHidden(!any);
    }
    m_tree->setCurrentItem(text.isEmpty() ? nullptr : first);
}

void LayerPalette::chooseCurrent() {
    if (const QTreeWidgetItem* item = m_tree->currentItem();
        item && !item->isHidden() && !item->data(0, kTypeRole).isNull())
        emit layerChosen(item->data(0, kTypeRole).toString());
}

void LayerPalette::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

bool LayerPalette::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        chooseCurrent();
        m_search->selectAll(); // the next one is typed over it
        return true;
    }
    if (key == Qt::Key_Escape) {
        emit escaped();
        return true;
    }
    if (watched == m_search && key == Qt::Key_Down) {
        m_tree->setFocus(Qt::TabFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscope::ui

#include "moc_layer_palette.cpp"
