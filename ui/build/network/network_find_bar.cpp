// SPDX-License-Identifier: GPL-3.0-or-later
// Finds while typing; Return and F3 go on, Escape goes back to the canvas.
#include "ui/build/network/network_find_bar.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace heteroscope::ui {

namespace {
constexpr int kTextWidth = 170, kFindBarMargin = 10;
}

std::vector<int> findLayers(const NetworkGraph& graph, const QString& text) {
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<int> found;
    for (std::size_t i = 0; !words.isEmpty() && i < graph.layers.size(); ++i) {
        const GraphNode& layer = graph.layers[i];
        const QString all =
            QStringList{fromStd(layer.name), fromStd(layer.type), layer.typeLabel, layer.summary}.join(
                QLatin1Char(' '));
        if (std::all_of(words.begin(), words.end(),
                        [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); }))
            found.push_back(static_cast<int>(i));
    }
    return found;
}

NetworkFindBar::NetworkFindBar(NetworkCanvas* canvas)
    : QFrame(canvas), m_canvas(canvas), m_text(new QLineEdit), m_count(makeLabel({}, "muted")) {
    setObjectName(QStringLiteral("network-find"));
    setRole(this, "card");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 4, 6, 4);
    row->setSpacing(4);
    m_text->setObjectName(QStringLiteral("network-find-text"));
    m_text->setAccessibleName(tr("Find layers"));
    m_text->setPlaceholderText(tr("Find layers"));
    m_text->setToolTip(tr("Name, type or size: conv, relu, 3×3"));
    m_text->setFixedWidth(kTextWidth);
    m_text->addAction(icon(QStringLiteral("search"), IconTone::Muted), QLineEdit::LeadingPosition);
    row->addWidget(m_text);
    m_count->setObjectName(QStringLiteral("network-find-count"));
    row->addWidget(m_count);
    m_previous = addButton(QStringLiteral("network-find-previous"), QStringLiteral("caret-up"),
                           tr("Previous hit (Shift+F3)"));
    m_next =
        addButton(QStringLiteral("network-find-next"), QStringLiteral("caret-down"), tr("Next hit (F3)"));
    auto* closer =
        addButton(QStringLiteral("network-find-close"), QStringLiteral("close"), tr("Close (Esc)"));
    connect(m_text, &QLineEdit::textChanged, this, &NetworkFindBar::search);
    connect(m_previous, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { step(1); });
    connect(closer, &QToolButton::clicked, this, &NetworkFindBar::close);
    m_text->installEventFilter(this);
    canvas->installEventFilter(this);
    hide();
}

QToolButton* NetworkFindBar::addButton(const QString& name, const QString& iconName, const QString& toolTip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setIcon(icon(iconName));
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    layout()->addWidget(button);
    return button;
}

void NetworkFindBar::open() {
    QFrame::show();
    m_text->setFocus(Qt::ShortcutFocusReason);
    m_text->selectAll();
    search();
}

void NetworkFindBar::close() {
    hide();
    m_canvas->showHits({}, -2);
    m_canvas->setFocus(Qt::ShortcutFocusReason);
}

void NetworkFindBar::search() {
    m_hits = findLayers(m_canvas->scene().graph, m_text->text());
    show(m_hits.empty() ? -1 : 0);
}

void NetworkFindBar::searchAgain() {
    if (!isVisible())
        return;
    m_hits = findLayers(m_canvas->scene().graph, m_text->text());
    m_at = std::min(m_at, static_cast<int>(m_hits.size()) - 1);
    m_canvas->showHits(m_hits, -2);
}

void NetworkFindBar::step(int by) {
    const int count = static_cast<int>(m_hits.size());
    if (count > 0)
        show((m_at + by + count) % count);
}

void NetworkFindBar::show(int hit) {
    m_at = hit;
    const int count = static_cast<int>(m_hits.size());
    m_previous->setEnabled(count > 0);
    m_next->setEnabled(count > 0);
    m_count->setText(m_text->text().isEmpty() ? QString()
                     : count == 0             ? tr("No hits")
                                              : tr("%1 of %2").arg(hit + 1).arg(count));
    m_canvas->showHits(m_hits, hit < 0 ? -2 : m_hits[static_cast<std::size_t>(hit)]);
    place();
}

/// In the upper right corner.
void NetworkFindBar::place() {
    adjustSize();
    move(m_canvas->width() - width() - kFindBarMargin, kFindBarMargin);
    raise();
}

bool NetworkFindBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_canvas && event->type() == QEvent::Resize)
        place();
    if (watched != m_text || event->type() != QEvent::KeyPress)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool back = key->modifiers() & Qt::ShiftModifier;
    if (key->key() == Qt::Key_Escape)
        close();
    else if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_F3)
        step(back ? -1 : 1);
    else
        return QFrame::eventFilter(watched, event);
    return true;
}

} // namespace heteroscope::ui

#include "moc_network_find_bar.cpp"
