// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Timeline: composition of bar, minimap, names, rows and panels.
#include "ui/timeline/timeline_view.h"

#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"
#include "ui/timeline/details_panel.h"
#include "ui/timeline/key_help.h"
#include "ui/timeline/minimap.h"
#include "ui/timeline/notes_file.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/picture_export.h"
#include "ui/timeline/statistics_panel.h"
#include "ui/timeline/timeline_bar.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/track_header.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHash>
#include <QLineEdit>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace heteroscope::ui {

struct TimelineView::Impl {
    explicit Impl(TimelineView* owner) : view(owner), state(owner) {}

    TimelineView* view;
    TimelineState state;
    QString title, emptyMessage, notesFile;
    QHash<QString, std::vector<Note>> notes; ///< by title, of traces without a file
    bool showingNotes = false;
    QStackedWidget* stack = nullptr;
    Placeholder* placeholder = nullptr;
    TimelineBar* bar = nullptr;
    TimelineCanvas* canvas = nullptr;
    TrackHeader* header = nullptr;
    QLineEdit* filter = nullptr;
    QLabel* trackCount = nullptr;
    QScrollBar* scroll = nullptr;
    QTabWidget* tabs = nullptr;
    std::array<StatisticsPanel*, 2> statistics{};
    KeyHelp* help = nullptr;

    void build();
    QWidget* buildNames();
    QWidget* buildRows();
    QWidget* buildPanels();
    void connectParts();
    void addShortcuts();
    void updateEmpty();
    void updateScroll();
    void updateTrackCount();
    void askAndExport(const QString& suffix);
    void search(const QString& text);
    void askForTransfers();
    void keepNotes();
    std::vector<Note> notesToShow();
};

QWidget* TimelineView::Impl::buildNames() {
    auto* pane = new QWidget(view);
    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* top = new QFrame(pane);
    setRole(top, "bar");
    auto* topColumn = new QVBoxLayout(top);
    topColumn->setContentsMargins(Theme::kSpacing, 6, Theme::kSpacing, 6);
    topColumn->setSpacing(4);
    filter = new QLineEdit(top);
    filter->setObjectName(QStringLiteral("trackFilter"));
    filter->setAccessibleName(tr("Filter tracks by name"));
    filter->setPlaceholderText(tr("Filter tracks"));
    filter->setClearButtonEnabled(true);
    trackCount = makeLabel({}, "muted", top);
    topColumn->addWidget(filter);
    topColumn->addWidget(trackCount);
    header = new TrackHeader(&state, pane);
    column->addWidget(top);
    column->addWidget(header, 1);
    return pane;
}

QWidget* TimelineView::Impl::buildRows() {
    auto* pane = new QWidget(view);
    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* minimap = new Minimap(&state, pane);
    canvas = new TimelineCanvas(&state, pane);
    scroll = new QScrollBar(Qt::Vertical, pane);
    scroll->setAccessibleName(tr("Scroll the rows"));
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(canvas, 1);
    row->addWidget(scroll);
    auto* mapRow = new QHBoxLayout;
    mapRow->setSpacing(0);
    mapRow->addWidget(minimap, 1);
    auto* beside = new QSpacerItem(0, 0);
    mapRow->addSpacerItem(beside);
    whenStyled(scroll, [mapRow, beside, bar = scroll] { // the strip lines up with the rows
        beside->changeSize(bar->sizeHint().width(), 0, QSizePolicy::Fixed, QSizePolicy::Minimum);
        mapRow->invalidate();
    });
    column->addLayout(mapRow);
    column->addLayout(row, 1);
    header->parentWidget()->findChild<QFrame*>()->setFixedHeight(minimap->sizeHint().height() + kRulerHeight);
    return pane;
}

QWidget* TimelineView::Impl::buildPanels() {
    tabs = new QTabWidget(view);
    tabs->setDocumentMode(true);
    tabs->setObjectName(QStringLiteral("timelinePanels"));
    auto* names = new StatisticsPanel(&state, StatisticsPanel::Kind::Names, tabs);
    auto* tracks = new StatisticsPanel(&state, StatisticsPanel::Kind::Tracks, tabs);
    statistics = {names, tracks};
    for (StatisticsPanel* panel : statistics)
        QObject::connect(panel, &StatisticsPanel::ready, view, &TimelineView::busyChanged);
    tabs->addTab(new DetailsPanel(&state, tabs), tr("Selection"));
    tabs->addTab(names, tr("Statistics by name"));
    tabs->addTab(tracks, tr("Statistics by track"));
    tabs->setCurrentWidget(names);
    QObject::connect(names, &StatisticsPanel::searchRequested, view,
                     [this](const QString& text) { search(text); });
    return tabs;
}

void TimelineView::Impl::build() {
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    stack = new QStackedWidget(view);
    column->addWidget(stack);
    placeholder = new Placeholder(stack);
    auto* page = new QWidget(stack);
    auto* pageColumn = new QVBoxLayout(page);
    pageColumn->setContentsMargins(0, 0, 0, 0);
    pageColumn->setSpacing(0);
    bar = new TimelineBar(&state, page);
    auto* across = new QSplitter(Qt::Horizontal, page);
    across->addWidget(buildNames());
    across->addWidget(buildRows());
    across->setStretchFactor(1, 1);
    across->setSizes({220, 1000});
    across->setHandleWidth(3);
    across->setChildrenCollapsible(false);
    auto* down = new QSplitter(Qt::Vertical, page);
    down->addWidget(across);
    down->addWidget(buildPanels());
    down->setStretchFactor(0, 1);
    down->setSizes({600, 220});
    down->setHandleWidth(3);
    pageColumn->addWidget(bar);
    pageColumn->addWidget(down, 1);
    stack->addWidget(placeholder);
    stack->addWidget(page);
    help = new KeyHelp(view);
}

void TimelineView::Impl::connectParts() {
    QObject::connect(filter, &QLineEdit::textChanged, view, [this](const QString& text) {
        state.editLayout([&](TrackLayout& layout) { layout.setFilter(text); });
    });
    QObject::connect(scroll, &QScrollBar::valueChanged, view, [this](int y) { state.setScrollY(y); });
    QObject::connect(&state, &TimelineState::rowsChanged, view, [this] {
        updateScroll();
        updateTrackCount();
    });
    QObject::connect(&state, &TimelineState::selectionChanged, view, [this] {
        if (state.selected().valid())
            tabs->setCurrentIndex(0);
    });
    QObject::connect(&state, &TimelineState::rangeChanged, view, [this] {
        if (state.range() && tabs->currentIndex() == 0)
            tabs->setCurrentIndex(1);
    });
    QObject::connect(&state, &TimelineState::notesChanged, view, [this] { keepNotes(); });
    QObject::connect(canvas, &TimelineCanvas::searchRequested, view,
                     [this](const QString& text) { search(text); });
    QObject::connect(canvas, &TimelineCanvas::spanActivated, view, [this] { tabs->setCurrentIndex(0); });
    QObject::connect(bar, &TimelineBar::leaveRequested, view, [this] { canvas->setFocus(); });
    QObject::connect(bar, &TimelineBar::keysRequested, view, [this] { help->toggle(); });
    QObject::connect(bar, &TimelineBar::transfersRequested, view, [this] { askForTransfers(); });
    QObject::connect(bar, &TimelineBar::exportRequested, view, [this](const QString& s) { askAndExport(s); });
}

void TimelineView::Impl::addShortcuts() {
    const auto add = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, view);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        QObject::connect(shortcut, &QShortcut::activated, view, action);
    };
    add(QKeySequence::Find, [this] { bar->focusSearch(); });
    add(QKeySequence(Qt::Key_F3), [this] { state.stepHit(1); });
    add(QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { state.stepHit(-1); });
    add(QKeySequence(Qt::CTRL | Qt::Key_P), [this] { filter->setFocus(); });
    add(QKeySequence(Qt::CTRL | Qt::Key_T), [this] { askForTransfers(); });
    add(QKeySequence(Qt::Key_Question), [this] { help->toggle(); });
}

void TimelineView::Impl::search(const QString& text) {
    bar->setSearchText(text);
}

void TimelineView::Impl::askForTransfers() {
    if (!state.hasCopies())
        emit view->statusMessage(tr("This recording has no copies between host and device."));
    else if (!state.range())
        emit view->statusMessage(tr("Choose a range first: drag in the ruler, or press M on a span."));
    else
        emit view->transfersRequested(static_cast<qint64>(state.range()->startNs),
                                      static_cast<qint64>(state.range()->endNs));
}

void TimelineView::Impl::keepNotes() {
    if (showingNotes)
        return;
    if (notesFile.isEmpty()) {
        notes[title] = state.notes();
        return;
    }
    const Status written = saveNotes(notesFile, state.notes());
    if (!written)
        emit view->statusMessage(fromStd(written.error().sentence()));
}

std::vector<Note> TimelineView::Impl::notesToShow() {
    if (notesFile.isEmpty())
        return notes.value(title);
    auto read = loadNotes(notesFile);
    if (read)
        return *read;
    emit view->statusMessage(fromStd(read.error().sentence()));
    notesFile.clear(); // somebody else's file is not overwritten
    return {};
}

void TimelineView::Impl::updateEmpty() {
    const bool empty = state.isEmpty();
    stack->setCurrentIndex(empty ? 0 : 1);
    if (!empty)
        return;
    const QString advice = !emptyMessage.isEmpty() ? emptyMessage
                           : state.isLive()
                               ? tr("The run has started; its first events are on their way.")
                               : tr("Run an experiment, or open a run file (.hscope) or a Chrome "
                                    "trace (.json, .json.gz). Its events appear here.");
    placeholder->setContent(QStringLiteral("timeline"),
                            state.isLive() ? tr("Waiting for events") : tr("No trace yet"), advice);
    placeholder->setBusy(state.isLive());
    placeholder->setButtonsVisible(!state.isLive());
}

void TimelineView::Impl::updateScroll() {
    const QSignalBlocker blocker(scroll);
    scroll->setRange(0, state.maxScrollY());
    scroll->setPageStep(std::max(1, state.viewHeight() - scrollTop(state.layout())));
    scroll->setSingleStep(state.layout().metrics().lane);
    scroll->setValue(state.scrollY());
}

void TimelineView::Impl::updateTrackCount() {
    const auto shown = state.layout().rows().size() + state.layout().pinnedRows().size();
    const auto all = state.layout().tracks().size();
    trackCount->setText(shown != all ? tr("%1 rows of %2 tracks").arg(shown).arg(all)
                        : all == 1   ? tr("1 track")
                                     : tr("%n tracks", nullptr, static_cast<int>(all)));
}

void TimelineView::Impl::askAndExport(const QString& suffix) {
    const QString name = QFileInfo(title).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        view, tr("Save the timeline as %1").arg(suffix.toUpper()),
        (name.isEmpty() ? QStringLiteral("timeline") : name) + QLatin1Char('.') + suffix,
        tr("%1 picture (*.%2)").arg(suffix.toUpper(), suffix));
    if (path.isEmpty())
        return;
    QString error;
    const bool done = view->exportPicture(path, &error);
    emit view->statusMessage(done ? tr("Saved %1").arg(path) : error);
}

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {
    setObjectName(QStringLiteral("timelineView"));
    m_impl->build();
    m_impl->connectParts();
    m_impl->addShortcuts();
    m_impl->updateEmpty();
    setFocusProxy(m_impl->canvas);
    m_impl->canvas->setFocus(); // the keys of the rows work at once
}

TimelineView::~TimelineView() {
    // The parts listen to the state, so they go first.
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void TimelineView::setTrace(std::shared_ptr<const profiling::Trace> trace, const QString& title) {
    m_impl->title = title;
    m_impl->emptyMessage.clear();
    m_impl->showingNotes = true; // what is read back is no edit
    m_impl->state.setTrace(std::move(trace));
    m_impl->state.setNotes(m_impl->notesToShow());
    m_impl->showingNotes = false;
    m_impl->updateEmpty();
}

bool TimelineView::isBusy() const {
    return std::any_of(m_impl->statistics.begin(), m_impl->statistics.end(),
                       [](const StatisticsPanel* panel) { return panel->isVisible() && panel->isBusy(); });
}

void TimelineView::setNotesFile(const QString& path) {
    m_impl->notesFile = path;
}

void TimelineView::traceGrew() {
    const bool wasEmpty = m_impl->stack->currentIndex() == 0;
    m_impl->state.refresh();
    if (wasEmpty)
        m_impl->updateEmpty();
}

void TimelineView::setLive(bool live) {
    m_impl->state.setLive(live);
    m_impl->updateEmpty();
}

void TimelineView::showRange(qint64 startNs, qint64 endNs) {
    m_impl->state.showRange({startNs, endNs});
}

QPushButton* TimelineView::addEmptyButton(const QString& text, const QString& iconName, bool primary) {
    return m_impl->placeholder->addButton(text, iconName, primary);
}

void TimelineView::revealTrack(profiling::TrackId track) {
    m_impl->state.revealTrack(track);
}

void TimelineView::setDevices(std::map<std::string, profiling::MultiprocessorLimits> devices) {
    m_impl->state.setDevices(std::move(devices));
}

void TimelineView::setCounters(std::vector<profiling::OpCounters> counters) {
    m_impl->state.setCounters(std::move(counters));
}

void TimelineView::setEmptyMessage(const QString& text) {
    m_impl->emptyMessage = text;
    m_impl->updateEmpty();
}

bool TimelineView::exportPicture(const QString& path, QString* error) {
    return exportTimeline(m_impl->state, m_impl->title, path, error);
}

} // namespace heteroscope::ui

#include "moc_timeline_view.cpp"
