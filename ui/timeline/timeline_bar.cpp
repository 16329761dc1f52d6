// SPDX-License-Identifier: GPL-3.0-or-later
// The bar above a timeline: search with hits, the range's chip, data quality, follow, fit and export.
#include "ui/timeline/timeline_bar.h"

#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"
#include "ui/timeline/time_format.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace heteroscope::ui {

TimelineBar::TimelineBar(TimelineState* state, QWidget* parent)
    : QFrame(parent), m_state(state), m_search(new QLineEdit(this)), m_hits(makeLabel({}, "muted", this)) {
    setRole(this, "bar");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Theme::kSpacing, Theme::kSpacing / 2, Theme::kSpacing, Theme::kSpacing / 2);
    row->setSpacing(Theme::kSpacing / 2);
    buildSearch();
    row->addSpacing(Theme::kSpacing);
    m_range = addButton(QStringLiteral("rangeChip"), QStringLiteral("close"), {},
                        tr("Statistics count this range only. Click to take it away (Esc)."));
    m_range->setLayoutDirection(Qt::RightToLeft); // the cross stands after the text
    connect(m_range, &QToolButton::clicked, this, [this] { m_state->setRange(std::nullopt); });
    m_transfers = addButton(QStringLiteral("rangeTransfers"), {}, tr("Transfers Here"),
                            tr("Transfers in this selection (Ctrl+T)"));
    connect(m_transfers, &QToolButton::clicked, this, &TimelineBar::transfersRequested);
    row->addStretch(1);
    buildActions();
    connect(state, &TimelineState::searchChanged, this, &TimelineBar::updateHits);
    connect(state, &TimelineState::rangeChanged, this, &TimelineBar::updateRange);
    connect(state, &TimelineState::rowsChanged, this, &TimelineBar::updateRange);
    connect(state, &TimelineState::traceChanged, this, &TimelineBar::updateQuality);
    connect(state, &TimelineState::dataChanged, this, &TimelineBar::updateQuality);
    connect(state, &TimelineState::followChanged, this, &TimelineBar::updateFollow);
    updateHits();
    updateRange();
    updateQuality();
    updateFollow();
}

QToolButton* TimelineBar::addButton(const QString& name, const QString& iconName, const QString& text,
                                    const QString& tip) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setToolTip(tip);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    button->setText(text);
    if (!iconName.isEmpty())
        button->setIcon(icon(iconName));
    button->setToolButtonStyle(iconName.isEmpty() ? Qt::ToolButtonTextOnly
                               : text.isEmpty()   ? Qt::ToolButtonIconOnly
                                                  : Qt::ToolButtonTextBesideIcon);
    layout()->addWidget(button);
    return button;
}

void TimelineBar::buildSearch() {
    m_search->setObjectName(QStringLiteral("searchField"));
    m_search->setAccessibleName(tr("Search spans by name"));
    m_search->setPlaceholderText(tr("Search spans (Ctrl+F)"));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(icon(QStringLiteral("search"), IconTone::Muted), QLineEdit::LeadingPosition);
    m_search->setFixedWidth(240);
    m_search->installEventFilter(this);
    layout()->addWidget(m_search);
    m_previous = addButton(QStringLiteral("previousHit"), QStringLiteral("caret-up"), {},
                           tr("Previous hit (Shift+F3)"));
    m_next = addButton(QStringLiteral("nextHit"), QStringLiteral("caret-down"), {}, tr("Next hit (F3)"));
    m_hits->setObjectName(QStringLiteral("hitCount"));
    layout()->addWidget(m_hits);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) { m_state->search(text); });
    connect(m_previous, &QToolButton::clicked, this, [this] { m_state->stepHit(-1); });
    connect(m_next, &QToolButton::clicked, this, [this] { m_state->stepHit(1); });
}

void TimelineBar::buildActions() {
    m_quality = addButton(QStringLiteral("qualityBadge"), QStringLiteral("warning"), {}, {});
    m_quality->setIcon(icon(QStringLiteral("warning"), IconTone::Warning));
    m_quality->setPopupMode(QToolButton::InstantPopup);
    m_follow =
        addButton(QStringLiteral("follow"), {}, tr("Follow"), tr("Keep the newest events in view (End)"));
    m_follow->setCheckable(true);
    connect(m_follow, &QToolButton::toggled, this, [this](bool on) { m_state->setFollowing(on); });
    QToolButton* fit =
        addButton(QStringLiteral("fit"), {}, tr("Fit all"), tr("Show the whole recording (Home)"));
    connect(fit, &QToolButton::clicked, m_state, &TimelineState::fitAll);
    QToolButton* keys = addButton(QStringLiteral("keys"), QStringLiteral("keyboard"), {}, tr("Keys (?)"));
    connect(keys, &QToolButton::clicked, this, &TimelineBar::keysRequested);
    QToolButton* save = addButton(QStringLiteral("export"), QStringLiteral("export"), tr("Export"),
                                  tr("Save what is shown as a picture"));
    save->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(save);
    for (const char* suffix : {"png", "svg", "pdf"})
        menu->addAction(tr("%1 …").arg(QString::fromLatin1(suffix).toUpper()), this,
                        [this, suffix] { emit exportRequested(QString::fromLatin1(suffix)); });
    save->setMenu(menu);
}

void TimelineBar::focusSearch() {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void TimelineBar::setSearchText(const QString& text) {
    m_search->setText(text);
}

void TimelineBar::updateHits() {
    const auto count = static_cast<qlonglong>(m_state->hits().size());
    const bool some = count > 0;
    m_previous->setEnabled(some);
    m_next->setEnabled(some);
    const bool capped = m_state->hits().size() == TimelineState::kMostHits;
    const QString total = countText(count) + (capped ? QStringLiteral("+") : QString());
    if (m_state->searchText().isEmpty())
        m_hits->clear();
    else if (m_state->isSearching())
        m_hits->setText(tr("Searching …"));
    else if (!some)
        m_hits->setText(tr("No hits"));
    else if (m_state->currentHit() < 0)
        m_hits->setText(tr("%1 hits").arg(total));
    else
        m_hits->setText(tr("%1 of %2").arg(countText(m_state->currentHit() + 1), total));
}

void TimelineBar::updateRange() {
    m_range->setVisible(m_state->range().has_value());
    m_transfers->setVisible(m_state->range() && m_state->hasCopies());
    if (m_state->range()) {
        m_range->setText(tr("Range %1").arg(formatDuration(m_state->range()->lengthNs())));
        m_range->setAccessibleName(tr("Clear %1").arg(m_range->text()));
        m_range->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    }
}

void TimelineBar::updateQuality() {
    const profiling::DataQuality quality =
        m_state->trace() ? m_state->trace()->quality() : profiling::DataQuality{};
    m_quality->setVisible(!quality.clean());
    if (quality.clean())
        return;
    QStringList lines;
    const auto count = [&](std::uint64_t number, const QString& text) {
        if (number > 0)
            lines << text.arg(countText(static_cast<std::int64_t>(number)));
    };
    count(quality.droppedEvents, tr("%1 events were dropped while recording"));
    count(quality.zeroTimestamps, tr("%1 records carried no time"));
    count(quality.outOfOrder, tr("%1 events arrived out of order"));
    count(quality.clipped, tr("%1 spans were cut to fit"));
    count(quality.causalViolations, tr("%1 pieces of device work lie before their cause, by the clocks"));
    for (const std::string& note : quality.notes)
        lines << QString::fromStdString(note);
    m_quality->setText(lines.size() == 1 ? lines.front() : tr("Data quality: %1 notes").arg(lines.size()));
    m_quality->setToolTip(lines.join(QLatin1Char('\n')));
    m_quality->setAccessibleName(m_quality->toolTip());
    m_quality->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    delete m_quality->menu();
    auto* menu = new QMenu(m_quality);
    for (const QString& line : lines)
        menu->addAction(line);
    m_quality->setMenu(menu);
}

void TimelineBar::updateFollow() {
    m_follow->setVisible(m_state->isLive());
    m_follow->setChecked(m_state->isFollowing());
}

bool TimelineBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* press = static_cast<QKeyEvent*>(event);
        if (press->key() == Qt::Key_Return || press->key() == Qt::Key_Enter) {
            m_state->stepHit(press->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
        if (press->key() == Qt::Key_Escape) {
            m_search->clear();
            emit leaveRequested();
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscope::ui

#include "moc_timeline_bar.cpp"
