// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/samples_view.h"

#include "ui/common/class_names.h"
#include "ui/common/format.h"
#include "ui/common/placeholder.h"
#include "ui/common/widgets.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <numeric>

namespace heteroscope::ui {

namespace {

constexpr std::uint64_t kShuffleSeed = 1;

enum Page { kGridPage, kPlaceholderPage };

} // namespace

SamplesView::SamplesView(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_class(new QComboBox),
      m_shuffled(new QCheckBox(tr("Sh&uffled"))),
      m_counts(makeLabel({}, "muted")),
      m_grid(new SampleGrid),
      m_placeholder(new Placeholder),
      m_pages(new QStackedWidget) {
    setObjectName(QStringLiteral("samples"));
    setWindowTitle(tr("Samples of the data"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeBar());
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_grid);
    m_pages->addWidget(scroll);
    m_pages->addWidget(m_placeholder);
    column->addWidget(m_pages, 1);
    connect(&m_job, &SampleJob::ready, this, &SamplesView::take);
    connect(&m_job, &SampleJob::failed, this, &SamplesView::fail);
    connect(m_class, &QComboBox::activated, this, &SamplesView::showSamples);
    connect(m_shuffled, &QCheckBox::toggled, this, &SamplesView::showSamples);
}

QWidget* SamplesView::makeBar() {
    auto* bar = new QFrame;
    setRole(bar, "bar");
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 12, 6);
    auto* caption = new QLabel(tr("&Class"));
    caption->setBuddy(m_class);
    m_class->setObjectName(QStringLiteral("sample-class"));
    m_class->setAccessibleName(tr("Class of the samples"));
    m_class->setMinimumWidth(140);
    m_shuffled->setObjectName(QStringLiteral("sample-shuffled"));
    auto* again = new QPushButton(tr("&Read again"));
    again->setObjectName(QStringLiteral("sample-reload"));
    again->setToolTip(tr("Read the data as the experiment says now"));
    row->addWidget(caption);
    row->addWidget(m_class);
    row->addWidget(m_shuffled);
    row->addWidget(m_counts, 1);
    row->addWidget(again);
    connect(again, &QPushButton::clicked, this, &SamplesView::reload);
    return bar;
}

void SamplesView::reload() {
    const QString folder =
        m_document.path().isEmpty() ? QString() : QFileInfo(m_document.path()).absolutePath();
    const auto spec = compute::specFromJson(m_document.json(), folder.toStdString());
    if (!spec)
        return fail(QString::fromStdString(spec.error().sentence()));
    m_problem.clear();
    m_placeholder->setContent(QStringLiteral("photo"), tr("Reading the data …"), {});
    m_placeholder->setBusy(true);
    m_pages->setCurrentIndex(kPlaceholderPage);
    m_job.start(*spec);
}

void SamplesView::fail(const QString& reason) {
    m_problem = reason;
    m_dataset.reset();
    m_grid->setCells({});
    m_counts->clear();
    m_placeholder->setBusy(false);
    m_placeholder->setContent(QStringLiteral("error"), tr("The data cannot be shown"), reason);
    m_pages->setCurrentIndex(kPlaceholderPage);
}

void SamplesView::take(const SharedDataset& dataset) {
    m_dataset = dataset;
    const QString before = m_class->currentText();
    m_class->clear();
    m_class->addItem(tr("All"), -1);
    for (const QString& name : shownClassNames(dataset->classNames))
        m_class->addItem(name, m_class->count() - 1);
    m_class->setCurrentIndex(std::max(0, m_class->findText(before)));
    m_class->setEnabled(m_class->count() > 1);
    m_counts->setText(tr("%1 for training, %2 for validation, %3 for testing")
                          .arg(countText(static_cast<std::int64_t>(dataset->training.count)))
                          .arg(countText(static_cast<std::int64_t>(dataset->validation.count)))
                          .arg(countText(static_cast<std::int64_t>(dataset->test.count))));
    m_placeholder->setBusy(false);
    m_pages->setCurrentIndex(kGridPage);
    showSamples();
}

void SamplesView::showSamples() {
    if (!m_dataset)
        return;
    const compute::Examples& examples = m_dataset->training;
    std::vector<std::int64_t> order(static_cast<std::size_t>(examples.count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    if (m_shuffled->isChecked())
        order = compute::shuffledOrder(examples.count, kShuffleSeed, 0);
    const int wanted = m_class->currentData().toInt();
    std::vector<SampleCell> cells;
    for (const std::int64_t i : order) {
        const bool fits =
            wanted < 0 || static_cast<int>(examples.targets[static_cast<std::size_t>(i)]) == wanted;
        if (fits && cells.size() < kShown)
            cells.push_back(sampleCell(*m_dataset, i));
    }
    m_grid->setCells(std::move(cells));
}

} // namespace heteroscope::ui

#include "moc_samples_view.cpp"
