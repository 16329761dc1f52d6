// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas and the palette want becomes an edit of the document.
#include "ui/build/network/network_view.h"

#include "compute/core/op.h"
#include "compute/model/layer_type.h"
#include "ui/build/network/layer_palette.h"
#include "ui/build/network/network_find_bar.h"
#include "ui/build/network/network_fix.h"
#include "ui/build/network/network_groups.h"
#include "ui/build/network/network_minimap.h"
#include "ui/build/network/network_totals.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kPaletteWidth = 214;
constexpr double kZoomStep = 1.25;

QString labelOf(const QString& type) {
    const compute::LayerType* known = compute::findLayerType(type.toStdString());
    return known ? QCoreApplication::translate("Layer", known->label.c_str()) : type;
}

} // namespace

NetworkView::NetworkView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_palette(new LayerPalette),
      m_canvas(new NetworkCanvas),
      m_totals(new NetworkTotals),
      m_find(new NetworkFindBar(m_canvas)) {
    new NetworkMinimap(m_canvas);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_palette->setFixedWidth(kPaletteWidth);
    row->addWidget(m_palette);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    QWidget *bar = makeBar(), *colours = makeColours();
    for (QWidget* wide :
         {bar, colours, static_cast<QWidget*>(m_totals)}) // beside docks the canvas gives way, not the window
        wide->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->addWidget(bar);
    column->addWidget(m_canvas, 1);
    column->addWidget(colours);
    column->addWidget(m_totals);
    row->addLayout(column, 1);
    connect(m_palette, &LayerPalette::layerChosen, this,
            [this](const QString& type) { insertLayer(type, m_canvas->insertionPlace()); });
    connect(m_palette, &LayerPalette::escaped, m_canvas,
            [this] { m_canvas->setFocus(Qt::ShortcutFocusReason); });
    connectCanvas();
    connectView();
    connect(&document, &Document::diagnosticsChanged, this, &NetworkView::refresh);
}

QToolButton* NetworkView::addTool(QWidget* bar, const QString& name, const QString& text,
                                  const QString& toolTip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    button->setFocusPolicy(Qt::TabFocus);
    bar->layout()->addWidget(button);
    return button;
}

QWidget* NetworkView::makeBar() {
    auto* bar = new QFrame;
    setRole(bar, "bar");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 12, 6);
    m_duplicate = addTool(bar, QStringLiteral("network-duplicate"), tr("Duplicate"),
                          tr("Duplicate the selected layers (Ctrl+D)"));
    m_remove = addTool(bar, QStringLiteral("network-remove"), tr("Remove"),
                       tr("Remove the selected layers and join their neighbours (Delete)"));
    m_group = addTool(bar, QStringLiteral("network-group"), tr("Group"),
                      tr("Show the selected layers as one box (Ctrl+G)"));
    m_arrange = addTool(bar, QStringLiteral("network-arrange"), tr("Arrange"),
                        tr("Lay out everything automatically again (L)"));
    auto* find = addTool(bar, QStringLiteral("network-find-open"), {}, tr("Find layers (Ctrl+F)"));
    find->setIcon(icon(QStringLiteral("search")));
    connect(m_group, &QToolButton::clicked, this, &NetworkView::group);
    connect(m_arrange, &QToolButton::clicked, this, &NetworkView::arrange);
    connect(find, &QToolButton::clicked, m_find, &NetworkFindBar::open);
    row->addStretch(1);
    auto* smaller = addTool(bar, QStringLiteral("network-smaller"), QStringLiteral("−"), tr("Smaller (−)"));
    auto* fit = addTool(bar, QStringLiteral("network-fit"), tr("Fit"), tr("Show the whole network (0)"));
    auto* larger = addTool(bar, QStringLiteral("network-larger"), QStringLiteral("+"), tr("Larger (+)"));
    connect(m_duplicate, &QToolButton::clicked, this, &NetworkView::duplicate);
    connect(m_remove, &QToolButton::clicked, this, [this] { remove(tr("Remove layers")); });
    connect(smaller, &QToolButton::clicked, this, [this] { m_canvas->zoomBy(1 / kZoomStep); });
    connect(larger, &QToolButton::clicked, this, [this] { m_canvas->zoomBy(kZoomStep); });
    connect(fit, &QToolButton::clicked, m_canvas, &NetworkCanvas::fit);
    return bar;
}

/// Below the picture: on it, it would cover a layer.
QWidget* NetworkView::makeColours() {
    auto* strip = new QFrame;
    setRole(strip, "bar");
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(12, 4, 12, 4);
    m_heat = new HeatChooser(strip);
    row->addWidget(m_heat);
    row->addStretch(1);
    return strip;
}

void NetworkView::connectCanvas() {
    connect(m_heat, &HeatChooser::heatChanged, m_canvas, &NetworkCanvas::setHeat);
    connect(m_canvas, &NetworkCanvas::selectionChanged, this, &NetworkView::tellSelection);
    connect(m_canvas, &NetworkCanvas::insertRequested, this, &NetworkView::insertLayer);
    connect(m_canvas, &NetworkCanvas::insertOnEdgeRequested, this, &NetworkView::insertInto);
    connect(m_canvas, &NetworkCanvas::removeRequested, this, [this] { remove(tr("Remove layers")); });
    connect(m_canvas, &NetworkCanvas::duplicateRequested, this, &NetworkView::duplicate);
    connect(m_canvas, &NetworkCanvas::copyRequested, this, &NetworkView::copy);
    connect(m_canvas, &NetworkCanvas::cutRequested, this, [this] {
        copy();
        remove(tr("Cut layers"));
    });
    connect(m_canvas, &NetworkCanvas::pasteRequested, this,
            [this] { paste(QGuiApplication::clipboard()->text().toStdString(), tr("Paste layers")); });
    connect(m_canvas, &NetworkCanvas::paletteRequested, m_palette, &LayerPalette::focusSearch);
    connect(m_canvas, &NetworkCanvas::editRequested, this, &NetworkView::editRequested);
    connect(m_canvas, &NetworkCanvas::fixRequested, this, &NetworkView::fixLayer);
}

void NetworkView::tellSelection() {
    const bool any = !m_canvas->selectedLayers().empty();
    for (QToolButton* button : {m_remove, m_duplicate, m_group})
        button->setEnabled(any);
    const int group = m_canvas->selectedGroup(), layer = m_canvas->current();
    if (m_told == layer && m_toldGroup == group)
        return;
    m_told = layer;
    m_toldGroup = group;
    if (group >= 0)
        emit groupSelected(group);
    else
        emit layerSelected(layer);
}

void NetworkView::connectView() {
    connect(m_canvas, &NetworkCanvas::groupRequested, this, &NetworkView::group);
    connect(m_canvas, &NetworkCanvas::ungroupRequested, this, &NetworkView::ungroup);
    connect(m_canvas, &NetworkCanvas::collapseRequested, this, &NetworkView::collapse);
    connect(m_canvas, &NetworkCanvas::arrangeRequested, this, &NetworkView::arrange);
    connect(m_canvas, &NetworkCanvas::moveOntoEdgeRequested, this, &NetworkView::moveLayer);
    connect(m_canvas, &NetworkCanvas::menuRequested, this, &NetworkView::showMenu);
    connect(m_canvas, &NetworkCanvas::moved, this, [this](const std::map<int, QPointF>& places) {
        m_document.replaceAll(placeNodes(m_document.json(), places), tr("Move layers"));
    });
    const auto add = [this](const QKeySequence& keys, auto action) {
        connect(new QShortcut(keys, this), &QShortcut::activated, m_find, action);
    };
    add(QKeySequence::Find, [this] { m_find->open(); });
    add(QKeySequence(Qt::Key_F3), [this] { m_find->step(1); });
    add(QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { m_find->step(-1); });
}

void NetworkView::refresh() {
    const Json& document = m_document.json();
    if (const auto kind = document.find("kind"); kind == document.end() || *kind != "network")
        return;
    NetworkGraph graph = readGraph(document, m_document.diagnostics());
    std::vector<QString> fixes(graph.layers.size());
    for (std::size_t i = 0; i < fixes.size(); ++i)
        if (graph.layers[i].isWrong())
            if (const auto fix = networkFix(document, graph, static_cast<int>(i)))
                fixes[i] = fix->text;
    m_heat->setGraph(graph);
    m_canvas->setGraph(std::move(graph), std::move(fixes));
    m_arrange->setEnabled(hasPlaces(document));
    m_find->searchAgain();
    m_totals->setSums(networkSums(document, m_devices));
}

void NetworkView::setDevices(const Json& devices) {
    m_devices = devices;
    refresh();
}

void NetworkView::selectLayer(int layer) {
    m_canvas->select(layer);
}

void NetworkView::commit(const NetworkEdit& edit, const QString& label) {
    m_document.replaceAll(edit.document, label); // shows the new graph
    m_canvas->selectAll(edit.selected);
}

/// What a layer that joins reads beside `source`: the nearest layer before it with a shape that goes with it.
std::string NetworkView::partnerFor(const std::string& type, int source, int before) const {
    const NetworkGraph& graph = m_canvas->scene().graph;
    const auto shape = source >= kInputNode ? graph.outputOf(source) : std::nullopt;
    const auto fits = [&](const compute::Shape4& other) {
        if (type == "mul")
            return other != *shape && compute::broadcastShape(other, *shape).has_value();
        return other.h == shape->h && other.w == shape->w && (type == "concat" || other == *shape);
    };
    for (int i = std::min(before, static_cast<int>(graph.layers.size())) - 1; shape && i >= kInputNode; --i) {
        const auto other = graph.outputOf(i);
        const bool direct =
            i == source || (graph.sourcesOf(source) == std::vector<int>{i} && type != "concat");
        if (!direct && other && fits(*other))
            return i == kInputNode ? "input" : graph.layers[static_cast<std::size_t>(i)].name;
    }
    return {};
}

void NetworkView::insertLayer(const QString& type, int after) {
    const std::string partner = partnerFor(type.toStdString(), after, after);
    commit(insertAfter(m_document.json(), after, type.toStdString(), partner),
           tr("Add %1").arg(labelOf(type)));
}

void NetworkView::insertInto(const QString& type, int to, int slot) {
    const auto place = static_cast<std::size_t>(slot);
    const NetworkGraph& graph = m_canvas->scene().graph;
    const int source = graph.indexOf(graph.layers.at(static_cast<std::size_t>(to)).inputs.at(place));
    const std::string partner = partnerFor(type.toStdString(), source, to);
    commit(insertOnEdge(m_document.json(), to, place, type.toStdString(), partner),
           tr("Insert %1").arg(labelOf(type)));
}

int NetworkView::lastSelected() const {
    const auto layers = m_canvas->selectedLayers();
    return layers.empty() ? m_canvas->insertionPlace() : layers.back();
}

void NetworkView::remove(const QString& label) {
    if (const auto layers = m_canvas->selectedLayers(); !layers.empty())
        commit(removeLayers(m_document.json(), layers), label);
}

void NetworkView::copy() {
    if (const auto layers = m_canvas->selectedLayers(); !layers.empty())
        QGuiApplication::clipboard()->setText(fromStd(copyLayers(m_document.json(), layers)));
}

void NetworkView::paste(const std::string& text, const QString& label) {
    if (const auto edit = pasteLayers(m_document.json(), lastSelected(), text))
        commit(*edit, label);
}

void NetworkView::duplicate() {
    if (const auto layers = m_canvas->selectedLayers(); !layers.empty())
        paste(copyLayers(m_document.json(), layers), tr("Duplicate layers"));
}

void NetworkView::fixLayer(int layer) {
    const NetworkGraph graph = readGraph(m_document.json(), m_document.diagnostics());
    if (layer < 0 || layer >= static_cast<int>(graph.layers.size()))
        return;
    if (const auto fix = networkFix(m_document.json(), graph, layer))
        m_document.replaceAll(fix->document, fix->text);
}

void NetworkView::group() {
    if (const auto layers = m_canvas->selectedLayers(); !layers.empty())
        commit(groupLayers(m_document.json(), layers), tr("Group layers"));
}

void NetworkView::ungroup() {
    const auto edit = ungroupLayers(m_document.json(), m_canvas->selectedLayers());
    if (!edit.selected.empty())
        commit(edit, tr("Take group apart"));
}

void NetworkView::collapse(int group) {
    const auto& groups = m_canvas->scene().graph.groups;
    if (group < 0 || group >= static_cast<int>(groups.size()))
        return;
    const bool collapsed = !groups[static_cast<std::size_t>(group)].collapsed;
    m_document.replaceAll(
        collapseGroup(m_document.json(), static_cast<std::size_t>(group), collapsed).document,
        collapsed ? tr("Collapse group") : tr("Open group"));
    m_canvas->selectGroup(group);
}

void NetworkView::arrange() {
    if (hasPlaces(m_document.json()))
        m_document.replaceAll(arrangeNodes(m_document.json()), tr("Arrange layers"));
    m_canvas->fit();
}

void NetworkView::moveLayer(int layer, int to, int slot) {
    commit(moveOntoEdge(m_document.json(), layer, to, static_cast<std::size_t>(slot)), tr("Move layer"));
}

void NetworkView::showMenu(const QPoint& globalPoint) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("network-menu"));
    const auto layers = m_canvas->selectedLayers();
    const int current = m_canvas->current();
    const int group =
        m_canvas->selectedGroup() >= 0 ? m_canvas->selectedGroup() : m_canvas->scene().graph.groupOf(current);
    const auto add = [&](const QString& text, const QKeySequence& keys, bool enabled, auto action) {
        QAction* item = menu.addAction(text, this, action);
        item->setShortcut(keys);
        item->setShortcutVisibleInContextMenu(true);
        item->setEnabled(enabled);
    };
    const bool any = !layers.empty();
    add(tr("Edit values"), Qt::Key_Return, current >= kInputNode, [this] { emit editRequested(); });
    add(tr("Add a layer after it"), Qt::Key_Insert, true, [this] { m_palette->focusSearch(); });
    if (const auto& fixes = m_canvas->scene().fixes;
        current >= 0 && group < 0 && !fixes[static_cast<std::size_t>(current)].isEmpty())
        add(fixes[static_cast<std::size_t>(current)], {}, true, [this, current] { fixLayer(current); });
    menu.addSeparator();
    add(tr("Cut"), QKeySequence::Cut, any, [this] { emit m_canvas->cutRequested(); });
    add(tr("Copy"), QKeySequence::Copy, any, [this] { copy(); });
    add(tr("Paste"), QKeySequence::Paste, true, [this] { emit m_canvas->pasteRequested(); });
    add(tr("Duplicate"), Qt::CTRL | Qt::Key_D, any, [this] { duplicate(); });
    add(tr("Remove"), QKeySequence::Delete, any, [this] { remove(tr("Remove layers")); });
    menu.addSeparator();
    add(tr("Group"), Qt::CTRL | Qt::Key_G, any, [this] { this->group(); });
    const bool isOpen =
        group >= 0 && !m_canvas->scene().graph.groups[static_cast<std::size_t>(group)].collapsed;
    add(isOpen ? tr("Collapse group") : tr("Open group"), Qt::Key_Space, group >= 0,
        [this, group] { collapse(group); });
    add(tr("Take group apart"), Qt::CTRL | Qt::SHIFT | Qt::Key_G, group >= 0, [this] { ungroup(); });
    menu.addSeparator();
    add(tr("Arrange automatically"), Qt::Key_L, m_arrange->isEnabled(), [this] { arrange(); });
    add(tr("Find layers"), QKeySequence::Find, true, [this] { m_find->open(); });
    menu.exec(globalPoint);
}

} // namespace heteroscope::ui

#include "moc_network_view.cpp"
