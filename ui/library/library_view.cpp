// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Library.
#include "ui/library/library_view.h"

#include "profiling/analysis/study_pairs.h"
#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/message_bar.h"
#include "ui/common/paths.h"
#include "ui/common/placeholder.h"
#include "ui/common/table_header.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"
#include "ui/library/library_model.h"
#include "ui/library/library_trash.h"
#include "ui/library/library_worker.h"

#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <vector>

namespace heteroscope::ui {

namespace {

constexpr int kMostHint = 320;   ///< pixels
constexpr int kLeastNotes = 120; ///< pixels

/// Every word of the search must occur somewhere in the row.
class SearchProxy : public QSortFilterProxyModel {
  public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void setWords(const QString& text) {
        m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
        invalidateFilter();
    }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const QString hay = sourceModel()->index(row, 0, parent).data(LibraryModel::SearchRole).toString();
        return std::all_of(m_words.begin(), m_words.end(),
                           [&hay](const QString& word) { return hay.contains(word, Qt::CaseInsensitive); });
    }

  private:
    QStringList m_words;
};

} // namespace

struct LibraryView::Impl {
    LibraryView* self = nullptr;
    QThread thread;
    LibraryWorker* worker = nullptr; ///< owned by `thread`
    LibraryModel* model = nullptr;
    SearchProxy* shown = nullptr;
    QTableView* table = nullptr;
    QLineEdit* search = nullptr;
    QPushButton* open = nullptr;
    QPushButton* compare = nullptr;
    QPushButton* edit = nullptr;
    QPushButton* remove = nullptr;
    QLabel* count = nullptr;
    QLabel* hint = nullptr; ///< what a selection is good for
    MessageBar* message = nullptr;
    QStackedWidget* pages = nullptr;
    Placeholder* empty = nullptr;
    int scans = 0;
    std::vector<int> widths;   ///< the least of each column but the last
    bool sharesWidth = false;  ///< now
    bool widthsAreSet = false; ///< by the user

    void makeWorker();
    QWidget* makeBar();
    QTableView* makeTable();
    void shareWidth();
    void connectParts();
    QStringList selectedPaths() const;
    void updateButtons();
    void updatePage();
    void compareSelected();
    void removeSelected();
    void undoRemove(const std::vector<TrashedRun>& runs);
    void onScanned(const std::vector<LibraryEntry>& entries);
};

void LibraryView::Impl::makeWorker() {
    worker = new LibraryWorker(dataDirectory() + QStringLiteral("/library-index.sqlite"));
    worker->moveToThread(&thread);
    connect(&thread, &QThread::finished, worker, &QObject::deleteLater);
    connect(worker, &LibraryWorker::scanned, self,
            [this](const std::vector<LibraryEntry>& entries) { onScanned(entries); });
    connect(worker, &LibraryWorker::problem, self,
            [this](const QString& sentence) { message->showMessage(MessageBar::Tone::Warning, sentence); });
    connect(worker, &LibraryWorker::progress, self, [this](int done, int total) {
        if (scans > 0)
            count->setText(tr("Reading %1 of %2\u2026").arg(countText(done), countText(total)));
    });
    thread.setObjectName(QStringLiteral("library"));
    thread.start(QThread::LowPriority);
}

QWidget* LibraryView::Impl::makeBar() {
    auto* bar = new QFrame;
    setRole(bar, "bar");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(16, 10, 16, 10);
    row->setSpacing(Theme::kSpacing);
    search = new QLineEdit;
    search->setObjectName(QStringLiteral("librarySearch"));
    search->setPlaceholderText(tr("Search names, targets, tags, notes"));
    search->setAccessibleName(tr("Search the library"));
    search->setClearButtonEnabled(true);
    search->addAction(icon(QStringLiteral("search"), IconTone::Muted), QLineEdit::LeadingPosition);
    search->setMinimumWidth(270);
    search->setMaximumWidth(320);
    count = makeLabel({}, "muted");
    const auto button = [row](const QString& text, const char* iconName, const char* name) {
        auto* made = new QPushButton(text);
        made->setIcon(icon(QString::fromLatin1(iconName)));
        made->setObjectName(QString::fromLatin1(name));
        row->addWidget(made);
        return made;
    };
    row->addWidget(search, 1);
    row->addWidget(count);
    row->addStretch(1);
    hint = new ElidedLabel(kMostHint);
    setRole(hint, "muted");
    hint->setObjectName(QStringLiteral("libraryHint"));
    row->addWidget(hint);
    open = button(tr("Open"), "open", "libraryOpen");
    compare = button(tr("Compare"), "compare", "libraryCompare");
    compare->setToolTip(tr("Compare two selected runs, or pairs of runs that took turns: A B A B A B"));
    edit = button(tr("Edit Experiment"), "edit", "libraryEdit");
    edit->setToolTip(tr("Start a new experiment from the one that this run holds"));
    remove = button(tr("Delete"), "trash", "libraryDelete");
    return bar;
}

QTableView* LibraryView::Impl::makeTable() {
    table = new QTableView;
    table->setHorizontalHeader(new TableHeader(table));
    model = new LibraryModel(self);
    shown = new SearchProxy(self);
    shown->setSourceModel(model);
    shown->setSortRole(LibraryModel::SortRole);
    shown->setSortCaseSensitivity(Qt::CaseInsensitive);
    setRole(table, "plain");
    table->setObjectName(QStringLiteral("libraryTable"));
    table->setAccessibleName(tr("Stored runs"));
    table->setModel(shown);
    table->setSortingEnabled(true);
    table->sortByColumn(LibraryModel::Started, Qt::DescendingOrder);
    table->setShowGrid(false);
    table->setAlternatingRowColors(true);
    table->setWordWrap(false);
    table->setTabKeyNavigation(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->setEditTriggers(QAbstractItemView::EditKeyPressed | QAbstractItemView::DoubleClicked);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(32);
    QHeaderView* header = table->horizontalHeader();
    const int kind = table->fontMetrics().horizontalAdvance(experimentKindText(QStringLiteral("matmul"))) +
                     2 * TableHeader::kCellMargin + 4; // the longest of the words
    const int least[] = {180, 130, 130, kind, 150, 70, 122, 96, 80};
    for (int column = 0; column < LibraryModel::Notes; ++column)
        widths.push_back(std::max(least[column], header->sectionSizeHint(column)));
    header->setStretchLastSection(true);
    shareWidth();
    return table;
}

/// What is wider than all columns goes to those whose texts are cut, notes last, until somebody sets a width.
void LibraryView::Impl::shareWidth() {
    if (widthsAreSet || sharesWidth)
        return;
    sharesWidth = true;
    int left = table->viewport()->width() - std::accumulate(widths.begin(), widths.end(), kLeastNotes);
    for (int column = 0; column < LibraryModel::Notes; ++column)
        table->setColumnWidth(column, widths[static_cast<std::size_t>(column)]);
    for (const int column :
         {LibraryModel::Targets, LibraryModel::Name, LibraryModel::Machine, LibraryModel::File}) {
        const int width = widths[static_cast<std::size_t>(column)];
        const int wanted = static_cast<QAbstractItemView*>(table)->sizeHintForColumn(column);
        const int more = std::clamp(wanted - width, 0, std::max(left, 0));
        table->setColumnWidth(column, width + more);
        left -= more;
    }
    sharesWidth = false;
}

void LibraryView::Impl::connectParts() {
    connect(search, &QLineEdit::textChanged, self, [this](const QString& text) {
        shown->setWords(text);
        updatePage();
    });
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, self,
            [this] { updateButtons(); });
    QHeaderView* header = table->horizontalHeader();
    connect(header, &QHeaderView::geometriesChanged, self, [this] { shareWidth(); });
    connect(header, &QHeaderView::sectionResized, self, [this](int column, int before, int after) {
        widthsAreSet |= !sharesWidth && column != LibraryModel::Notes && before != after;
    });
    const auto openFirst = [this] {
        const QStringList paths = selectedPaths();
        if (paths.size() == 1)
            emit self->openRequested(paths.first());
    };
    connect(open, &QPushButton::clicked, self, openFirst);
    connect(table, &QTableView::doubleClicked, self, [this](const QModelIndex& index) {
        if (index.column() != LibraryModel::Tags && index.column() != LibraryModel::Notes)
            emit self->openRequested(index.data(LibraryModel::PathRole).toString());
    });
    const auto onKey = [this](const QKeySequence& key, auto work) {
        auto* shortcut = new QShortcut(key, table);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, self, work);
    };
    onKey(Qt::Key_Return, openFirst);
    onKey(Qt::Key_Enter, openFirst);
    onKey(Qt::Key_Delete, [this] { removeSelected(); });
    connect(compare, &QPushButton::clicked, self, [this] { compareSelected(); });
    connect(edit, &QPushButton::clicked, self, [this] {
        const QStringList paths = selectedPaths();
        if (paths.size() == 1)
            emit self->experimentRequested(paths.first());
    });
    connect(remove, &QPushButton::clicked, self, [this] { removeSelected(); });
    connect(model, &LibraryModel::edited, self, [this](const LibraryEntry& entry) {
        QMetaObject::invokeMethod(worker, [w = worker, entry] { w->store(entry); });
    });
    connect(model, &LibraryModel::failed, self,
            [this](const QString& sentence) { message->showMessage(MessageBar::Tone::Error, sentence); });
}

/// Older first, so that a comparison reads "what changed since".
QStringList LibraryView::Impl::selectedPaths() const {
    std::vector<std::pair<QDateTime, QString>> chosen;
    for (const QModelIndex& index : table->selectionModel()->selectedRows()) {
        const QModelIndex when = index.siblingAtColumn(LibraryModel::Started);
        chosen.emplace_back(when.data(LibraryModel::SortRole).toDateTime(),
                            index.data(LibraryModel::PathRole).toString());
    }
    std::sort(chosen.begin(), chosen.end());
    QStringList paths;
    for (const auto& [when, path] : chosen)
        paths.append(path);
    return paths;
}

void LibraryView::Impl::updateButtons() {
    const auto selected = table->selectionModel()->selectedRows().size();
    open->setEnabled(selected == 1);
    edit->setEnabled(selected == 1);
    compare->setEnabled(selected >= 2);
    remove->setEnabled(selected >= 1);
    hint->setText(shown->rowCount() == 0 ? QString()
                  : selected == 0        ? tr("Select two runs to compare")
                  : selected == 1        ? tr("Ctrl+click a second run to compare")
                  : selected > 2         ? tr("Pairs: A B A B A B")
                                         : QString());
}

void LibraryView::Impl::updatePage() {
    const bool none = model->rowCount() == 0;
    const bool noHit = !none && shown->rowCount() == 0;
    if (none && scans > 0)
        empty->setContent(QStringLiteral("library"), tr("Reading the library\u2026"), {});
    else if (none)
        empty->setContent(
            QStringLiteral("library"), tr("No stored runs yet"),
            tr("Every run is stored in %1 and appears here.").arg(QDir::toNativeSeparators(runsDirectory())));
    else if (noHit)
        empty->setContent(QStringLiteral("search"), tr("Nothing matches"),
                          tr("No stored run contains all words of \u201c%1\u201d.").arg(search->text()));
    empty->setBusy(none && scans > 0);
    empty->setButtonsVisible(none && scans == 0);
    pages->setCurrentIndex(none || noHit ? 0 : 1);
    if (scans == 0)
        count->setText(none                     ? QString()
                       : noHit                  ? tr("0 of %1 runs").arg(model->rowCount())
                       : shown->rowCount() == 1 ? tr("1 run")
                                                : tr("%1 runs").arg(shown->rowCount()));
    updateButtons();
}

void LibraryView::Impl::compareSelected() {
    const QStringList paths = selectedPaths();
    if (profiling::makesPairs(static_cast<std::size_t>(paths.size())))
        emit self->compareRequested(paths);
    else
        message->showMessage(MessageBar::Tone::Warning,
                             tr("%1 selected runs are neither two nor whole pairs, three or more. Select two "
                                "runs, or 6, 8, \u2026 runs in which A and B took turns.")
                                 .arg(paths.size()));
}

void LibraryView::Impl::removeSelected() {
    std::vector<TrashedRun> trashed;
    for (const QString& path : selectedPaths()) {
        QString error;
        const TrashedRun run = moveToTrash(path, &error);
        if (run.trashed.isEmpty()) {
            message->showMessage(MessageBar::Tone::Error, error);
            break;
        }
        model->removePath(path);
        trashed.push_back(run);
    }
    if (trashed.empty())
        return;
    message->showMessage(MessageBar::Tone::Info,
                         trashed.size() == 1 ? tr("1 run moved to the trash.")
                                             : tr("%1 runs moved to the trash.").arg(trashed.size()),
                         {{tr("Undo"), [this, trashed] { undoRemove(trashed); }}});
    updatePage();
}

void LibraryView::Impl::undoRemove(const std::vector<TrashedRun>& runs) {
    for (const TrashedRun& run : runs) {
        QString error;
        if (!restoreFromTrash(run, &error))
            message->showMessage(MessageBar::Tone::Error, error);
    }
    self->refresh();
}

void LibraryView::Impl::onScanned(const std::vector<LibraryEntry>& entries) {
    scans = std::max(0, scans - 1);
    if (scans > 0)
        return; // a newer look is under way
    const QStringList selected = selectedPaths();
    model->setEntries(entries);
    shareWidth();
    for (int row = 0; row < shown->rowCount(); ++row) {
        const QModelIndex index = shown->index(row, 0);
        if (selected.contains(index.data(LibraryModel::PathRole).toString()))
            table->selectionModel()->select(index, QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    updatePage();
    emit self->busyChanged();
}

LibraryView::LibraryView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>()) {
    qRegisterMetaType<std::vector<LibraryEntry>>();
    m_impl->self = this;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_impl->makeBar());
    m_impl->message = new MessageBar;
    column->addWidget(m_impl->message);
    m_impl->pages = new QStackedWidget;
    m_impl->empty = new Placeholder;
    connect(m_impl->empty->addButton(tr("Choose an Experiment"), QStringLiteral("home"), true),
            &QPushButton::clicked, this, &LibraryView::startRequested);
    m_impl->pages->addWidget(m_impl->empty);
    m_impl->pages->addWidget(m_impl->makeTable());
    column->addWidget(m_impl->pages, 1);
    m_impl->connectParts();
    m_impl->makeWorker();
    refresh();
}

LibraryView::~LibraryView() {
    m_impl->table->horizontalHeader()->disconnect(this); // hidden with the view, it says that it is resized
    m_impl->worker->disconnect(this);
    m_impl->worker->cancel();
    m_impl->thread.quit();
    m_impl->thread.wait();
}

QString LibraryView::runsDirectory() {
    const QString path = dataDirectory() + QStringLiteral("/runs");
    QDir().mkpath(path);
    return path;
}

void LibraryView::refresh() {
    ++m_impl->scans;
    m_impl->updatePage();
    QMetaObject::invokeMethod(m_impl->worker, [worker = m_impl->worker] { worker->scan(runsDirectory()); });
    emit busyChanged();
}

bool LibraryView::isBusy() const {
    return m_impl->scans > 0;
}

} // namespace heteroscope::ui

#include "moc_library_view.cpp"
