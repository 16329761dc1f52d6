// SPDX-License-Identifier: GPL-3.0-or-later
// What the canvas and the palette want becomes an edit of the document.
#include "ui/build/network/network_view.h"

#include "compute/model/layer_type.h"
#include "ui/build/network/layer_palette.h"
#include "ui/build/network/network_fix.h"
#include "ui/build/network/network_totals.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kPaletteWidth = 196;
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
      m_totals(new NetworkTotals) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_palette->setFixedWidth(kPaletteWidth);
    row->addWidget(m_palette);
    auto* column = new QVBoxLayout;
    column->setSpacing(0);
    QWidget* bar = makeBar();
    for (QWidget* wide :
         {bar, static_cast<QWidget*>(m_totals)}) // beside docks the canvas gives way, not the window
        wide->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->addWidget(bar);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_totals);
    row->addLayout(column, 1);
    connect(m_palette, &LayerPalette::layerChosen, this,
            [this](const QString& type) { insertLayer(type, m_canvas->insertionPlace()); });
    connect(m_palette, &LayerPalette::escaped, m_canvas,
            [this] { m_canvas->setFocus(Qt::ShortcutFocusReason); });
    connectCanvas();
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
    m_heat = new HeatChooser;
    row->addWidget(m_heat);
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

void NetworkView::connectCanvas() {
    connect(m_heat, &HeatChooser::heatChanged, m_canvas, &NetworkCanvas::setHeat);
    connect(m_canvas, &NetworkCanvas::selectionChanged, this, [this] {
        const bool any = !m_canvas->selectedLayers().empty();
        m_remove->setEnabled(any);
        m_duplicate->setEnabled(any);
        if (m_told != m_canvas->current()) {
            m_told = m_canvas->current();
            emit layerSelected(m_told);
        }
    });
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
    for (int i = std::min(before, static_cast<int>(graph.layers.size())) - 1; shape && i >= kInputNode; --i) {
        const auto other = graph.outputOf(i);
        const bool direct = i == source || (graph.sourcesOf(source) == std::vector<int>{i} && type == "add");
        if (direct || !other || other->h != shape->h || other->w != shape->w)
            continue;
        if (type == "concat" || *other == *shape)
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

} // namespace heteroscope::ui
