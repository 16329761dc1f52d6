// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Build: the forms beside the picture.
#include "ui/build/build_view.h"

#include "ui/build/build_form.h"
#include "ui/build/json_text.h"
#include "ui/build/matmul_picture.h"
#include "ui/build/network/network_view.h"
#include "ui/build/pooling_picture.h"

#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

constexpr int kFormWidth = 412;

QScrollArea* scrolled(QWidget* widget) {
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(widget);
    return area;
}

} // namespace

BuildView::BuildView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_form(new BuildForm(document)),
      m_pooling(new PoolingPicture(document)),
      m_matmul(new MatmulPicture(document)),
      m_network(new NetworkView(document)),
      m_pictures(new QStackedWidget) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    m_form->setMinimumWidth(kFormWidth); // three sizes of four digits fit side by side
    m_pictures->addWidget(scrolled(m_pooling));
    m_pictures->addWidget(scrolled(m_matmul));
    m_pictures->addWidget(m_network);
    splitter->addWidget(m_form);
    splitter->addWidget(m_pictures);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kFormWidth, 3 * kFormWidth});
    row->addWidget(splitter);
    m_form->addItem(m_pooling);
    connect(m_form, &BuildForm::layerRequested, m_network, &NetworkView::selectLayer);
    connect(m_network, &NetworkView::layerSelected, m_form, &BuildForm::showLayer);
    connect(m_network, &NetworkView::groupSelected, m_form, &BuildForm::showGroup);
    connect(m_network, &NetworkView::editRequested, m_form, &BuildForm::editLayer);
    connect(m_form, &BuildForm::runRequested, this, &BuildView::runRequested);
    connect(m_form, &BuildForm::implementationsRequested, this, &BuildView::implementationsRequested);
    connect(&document, &Document::changed, this, &BuildView::refresh);
    refresh();
}

void BuildView::refresh() {
    const Json* kind = valueAt(m_document.json(), "/kind");
    const bool isMatmul = kind && *kind == "matmul";
    const bool isNetwork = kind && *kind == "network";
    m_pictures->setCurrentIndex(isNetwork ? 2 : isMatmul ? 1 : 0);
    if (isNetwork)
        m_network->refresh();
    else if (isMatmul)
        m_matmul->refresh();
    else
        m_pooling->refresh();
}

void BuildView::setDevices(const Json& devices) {
    m_form->setDevices(devices);
    m_network->setDevices(devices);
}

void BuildView::setLayerTimes(MeasuredLayersPtr times) {
    m_network->setLayerTimes(std::move(times));
}

void BuildView::focusPointer(const QString& pointer) {
    m_form->focusPointer(pointer);
}

} // namespace heteroscope::ui

#include "moc_build_view.cpp"
