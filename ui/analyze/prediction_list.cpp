// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/prediction_list.h"

#include "ui/analyze/example_card.h"
#include "ui/analyze/example_pictures.h"
#include "ui/analyze/report_table.h"
#include "ui/common/class_names.h"
#include "ui/common/format.h"
#include "ui/common/sample_image.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

enum Column { kResult, kActual, kPredicted, kProbability, kExample };
constexpr int kIndexRole = Qt::UserRole + 1;   ///< in the evaluation's samples
constexpr int kPictureRole = Qt::UserRole + 2; ///< whether the row has its picture
constexpr int kAskAfterMs = 60;
constexpr std::size_t kAskedAtOnce = 64; ///< rows: the files are opened once for so many

/// The chosen row's picture keeps its colours.
QIcon iconOf(const QPixmap& pixmap) {
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);
    return icon;
}

QIcon iconOf(const QImage& image, double ratio) {
    QPixmap pixmap =
        QPixmap::fromImage(fittedImage(image, static_cast<int>(PredictionList::kPicture * ratio)));
    pixmap.setDevicePixelRatio(ratio);
    return iconOf(pixmap);
}

/// Keeps the place of a picture that is on its way.
QIcon emptyIcon() {
    QPixmap pixmap(PredictionList::kPicture, PredictionList::kPicture);
    pixmap.fill(Qt::transparent);
    return iconOf(pixmap);
}

} // namespace

PredictionList::PredictionList(QWidget* parent)
    : QWidget(parent),
      m_pictures(new ExamplePictures(this)),
      m_what(makeLabel({}, "muted")),
      m_problem(makeLabel({}, "muted")),
      m_all(new QPushButton(tr("Show All"))),
      m_list(makeReportTable("predictionList", tr("Examples and what was predicted for them"),
                             {tr("Result"), tr("True"), tr("Predicted"), tr("Probability"), tr("Example")},
                             kProbability)),
      m_card(new ExampleCard) {
    m_what->setObjectName(QStringLiteral("predictionWhat"));
    m_problem->setObjectName(QStringLiteral("predictionProblem"));
    m_all->setObjectName(QStringLiteral("predictionAll"));
    for (QLabel* label : {m_what, m_problem})
        label->setWordWrap(true);
    buildLayout();
    m_asking.setSingleShot(true);
    m_asking.setInterval(kAskAfterMs);
    const auto ask = qOverload<>(&QTimer::start);
    connect(&m_asking, &QTimer::timeout, this, &PredictionList::askForPictures);
    connect(m_list->verticalScrollBar(), &QScrollBar::valueChanged, &m_asking, ask);
    connect(m_list, &QTreeWidget::currentItemChanged, this, &PredictionList::showChosen);
    connect(m_pictures, &ExamplePictures::changed, this, &PredictionList::showPictures);
    connect(&Theme::instance(), &Theme::changed, this, &PredictionList::fill);
    connect(m_all, &QPushButton::clicked, this, &PredictionList::showAll);
}

void PredictionList::buildLayout() {
    auto* bar = new QHBoxLayout;
    bar->addWidget(m_what, 1);
    bar->addWidget(m_all);
    auto* examples = new QHBoxLayout;
    examples->setSpacing(Theme::kSpacing);
    examples->addWidget(m_list, 1);
    examples->addWidget(m_card);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Theme::kSpacing, 0, 0);
    layout->setSpacing(Theme::kSpacing / 2);
    layout->addLayout(bar);
    layout->addWidget(m_problem);
    layout->addLayout(examples, 1);
}

void PredictionList::setEvaluation(const TrainingEvaluation& evaluation, const Json& experiment,
                                   const std::string& directory) {
    if (!m_pictures->setSource(experiment, directory) && isShown(evaluation))
        return; // a training that runs says much between its evaluations
    m_evaluation.part = evaluation.part;
    m_evaluation.epoch = evaluation.epoch;
    m_evaluation.classes = evaluation.classes;
    m_shownClasses = shownClassNames(evaluation.classes);
    m_evaluation.counts = evaluation.counts;
    m_evaluation.samples = m_received = evaluation.samples;
    std::stable_sort(m_evaluation.samples.begin(), m_evaluation.samples.end(),
                     [](const PredictionSample& a, const PredictionSample& b) {
                         return (a.actual != a.predicted) > (b.actual != b.predicted);
                     });
    fill();
}

bool PredictionList::isShown(const TrainingEvaluation& evaluation) const {
    const auto same = [](const PredictionSample& a, const PredictionSample& b) {
        return a.example == b.example && a.predicted == b.predicted && a.probability == b.probability;
    };
    return evaluation.part == m_evaluation.part && evaluation.epoch == m_evaluation.epoch &&
           evaluation.classes == m_evaluation.classes &&
           std::equal(m_received.begin(), m_received.end(), evaluation.samples.begin(),
                      evaluation.samples.end(), same);
}

void PredictionList::showCell(int actual, int predicted) {
    m_cell = {actual, predicted};
    fill();
}

void PredictionList::showAll() {
    m_cell.reset();
    fill();
}

QString PredictionList::className(std::int64_t index) const {
    return index >= 0 && index < static_cast<std::int64_t>(m_evaluation.classes.size())
               ? m_shownClasses[index]
               : QString::number(index);
}

QString PredictionList::partName() const {
    return m_evaluation.part == "test" ? tr("the test part") : tr("the validation part");
}

const PredictionSample& PredictionList::sampleOf(const QTreeWidgetItem* row) const {
    return m_evaluation.samples[row->data(kResult, kIndexRole).toULongLong()];
}

QString PredictionList::whatIsListed(int shown) const {
    const auto all = m_evaluation.samples.size();
    if (!m_cell)
        return all > 0 ? tr("%1 examples of %2 after epoch %3")
                             .arg(countText(static_cast<std::int64_t>(all)), partName(),
                                  countText(m_evaluation.epoch))
                       : tr("No predictions were recorded yet.");
    const std::size_t classes = m_evaluation.classes.size(),
                      at = static_cast<std::size_t>(m_cell->first) * classes +
                           static_cast<std::size_t>(m_cell->second);
    return tr("%1 predicted as %2: %3 of %4 examples were recorded")
        .arg(className(m_cell->first), className(m_cell->second))
        .arg(countText(shown))
        .arg(countText(at < m_evaluation.counts.size() ? m_evaluation.counts[at] : 0));
}

void PredictionList::fill() {
    const QTreeWidgetItem* before = m_list->currentItem(); // of another evaluation, perhaps
    const std::int64_t chosen = before == nullptr ? -1 : before->text(kExample).toLongLong();
    {
        const QSignalBlocker blocker(m_list);
        m_list->clear();
        m_list->setIconSize(m_pictures->arePictures() ? QSize(kPicture, kPicture) : QSize());
        for (std::size_t i = 0; i < m_evaluation.samples.size(); ++i) {
            const PredictionSample& sample = m_evaluation.samples[i];
            if (!m_cell || (sample.actual == m_cell->first && sample.predicted == m_cell->second))
                addRow(i);
        }
    }
    m_what->setText(whatIsListed(m_list->topLevelItemCount()));
    m_all->setVisible(m_cell.has_value());
    showPictures();
    choose(chosen);
}

void PredictionList::addRow(std::size_t index) {
    const PredictionSample& sample = m_evaluation.samples[index];
    const bool right = sample.actual == sample.predicted;
    auto* row = addReportRow(m_list, {right ? tr("right") : tr("wrong"), className(sample.actual),
                                      className(sample.predicted), shareText(sample.probability),
                                      QString::number(sample.example)});
    row->setData(kResult, kIndexRole, static_cast<qulonglong>(index));
    const ThemeColors& colors = Theme::instance().colors();
    row->setForeground(kResult, right ? colors.good : colors.error);
}

/// Columns as wide as their texts; beside pictures the place of the example is on the card.
void PredictionList::fitColumns() {
    m_list->setColumnHidden(kExample, !m_card->isHidden());
    for (int column = 0; column < m_list->columnCount(); ++column) {
        m_list->resizeColumnToContents(column);
        m_list->setColumnWidth(column, m_list->columnWidth(column) + Theme::kSpacing);
    }
}

/// The same example again where it is still listed, else the first.
void PredictionList::choose(std::int64_t example) {
    QTreeWidgetItem* chosen = m_list->topLevelItem(0);
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (sampleOf(m_list->topLevelItem(i)).example == example)
            chosen = m_list->topLevelItem(i);
    m_list->setCurrentItem(chosen);
    showChosen();
}

/// Those that are there, and what keeps the others away.
void PredictionList::showPictures() {
    const QString problem = m_pictures->problem();
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    const bool pictures = m_pictures->arePictures() && problem.isEmpty();
    m_card->setVisible(pictures);
    static const QIcon empty = emptyIcon();
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        QTreeWidgetItem* row = m_list->topLevelItem(i);
        const QImage* image = pictures ? m_pictures->find(m_evaluation.part, sampleOf(row).example) : nullptr;
        if (image == nullptr)
            row->setIcon(kResult, pictures ? empty : QIcon());
        else if (!row->data(kResult, kPictureRole).toBool())
            row->setIcon(kResult, iconOf(*image, devicePixelRatioF()));
        row->setData(kResult, kPictureRole, image != nullptr);
    }
    fitColumns();
    showChosen();
    m_asking.start();
}

void PredictionList::showChosen() {
    const QTreeWidgetItem* row = m_list->currentItem();
    if (row == nullptr)
        return m_card->clear();
    const PredictionSample& sample = sampleOf(row);
    const QImage* image = m_pictures->find(m_evaluation.part, sample.example);
    m_card->setExample({className(sample.actual), className(sample.predicted), partName(), sample.example,
                        sample.probability},
                       image == nullptr ? QImage() : *image);
    if (image == nullptr)
        m_asking.start();
}

/// Of the chosen row and those from the first one on screen on: reading all that were recorded would take
/// long for large pictures.
void PredictionList::askForPictures() {
    if (!isVisible())
        return;
    std::vector<PredictionSample> wanted;
    if (m_list->currentItem() != nullptr)
        wanted.push_back(sampleOf(m_list->currentItem()));
    const QTreeWidgetItem* row = m_list->itemAt(0, 0);
    for (; row != nullptr && wanted.size() < kAskedAtOnce; row = m_list->itemBelow(row))
        wanted.push_back(sampleOf(row));
    m_pictures->request(m_evaluation.part, wanted);
}

void PredictionList::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_asking.start();
}

void PredictionList::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_asking.start();
}

} // namespace heteroscope::ui

#include "moc_prediction_list.cpp"
