// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/confusion_matrix.h"

#include "compute/base/cell_table.h"
#include "ui/common/class_names.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPainter>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace heteroscope::ui {
namespace {

constexpr int kLeastWidth = 28, kMostWidth = 72, kRowHeight = 23;

QColor mixed(const QColor& from, const QColor& to, double share) {
    const auto mix = [share](int a, int b) { return static_cast<int>(std::lround(a + (b - a) * share)); };
    return QColor(mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue()));
}

/// Relative luminance as WCAG 2.1 defines it.
double luminance(const QColor& color) {
    const auto linear = [](double value) {
        return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

} // namespace

void ConfusionModel::setCounts(const std::vector<std::string>& classes,
                               const std::vector<std::int64_t>& counts) {
    beginResetModel();
    m_classes.clear();
    const bool whole = counts.size() == classes.size() * classes.size();
    for (const std::string& name : classes)
        if (whole)
            m_classes << fromStd(name);
    m_shown = whole ? shownClassNames(classes) : QStringList();
    m_counts = whole ? counts : std::vector<std::int64_t>();
    m_sums.assign(static_cast<std::size_t>(m_classes.size()), 0);
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        m_sums[i / m_sums.size()] += m_counts[i];
    endResetModel();
}

void ConfusionModel::setPercent(bool percent) {
    m_percent = percent;
    if (!m_classes.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

std::int64_t ConfusionModel::count(int actual, int predicted) const {
    return m_counts[static_cast<std::size_t>(actual) * m_sums.size() + static_cast<std::size_t>(predicted)];
}

int ConfusionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_classes.size());
}

int ConfusionModel::columnCount(const QModelIndex& parent) const {
    return rowCount(parent);
}

QString ConfusionModel::describe(int actual, int predicted) const {
    return actual == predicted ? tr("%1: %2 of %3 recognised")
                                     .arg(m_shown[actual])
                                     .arg(countText(count(actual, predicted)))
                                     .arg(countText(rowSum(actual)))
                               : tr("%1 taken for %2: %3 of %4")
                                     .arg(m_shown[actual], m_shown[predicted])
                                     .arg(countText(count(actual, predicted)))
                                     .arg(countText(rowSum(actual)));
}

QVariant ConfusionModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const std::int64_t cell = count(index.row(), index.column()), all = rowSum(index.row());
    const double share = all > 0 ? static_cast<double>(cell) / static_cast<double>(all) : 0;
    switch (role) {
    case Qt::DisplayRole:
        return m_percent ? QString::number(100 * share, 'f', 1) : countText(cell);
    case Qt::TextAlignmentRole:
        return Qt::AlignCenter;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return describe(index.row(), index.column());
    case kShareRole:
        return share;
    default:
        return {};
    }
}

QVariant ConfusionModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role == Qt::DisplayRole)
        return m_shown[section];
    if (role == Qt::ToolTipRole)
        return orientation == Qt::Vertical ? tr("True class: %1").arg(m_shown[section])
                                           : tr("Predicted as: %1").arg(m_shown[section]);
    return {};
}

QByteArray ConfusionModel::toCsv() const {
    CellTable table;
    table.line({"actual", "predicted", "count", "share"});
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column) {
            const double share = data(index(row, column), kShareRole).toDouble();
            table.cell(m_classes[row].toStdString()).cell(m_classes[column].toStdString());
            table.cell(count(row, column)).cell(QString::number(share, 'g', 6).toStdString());
            table.endLine();
        }
    return QByteArray::fromStdString(table.text());
}

void ConfusionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                              const QModelIndex& index) const {
    const ThemeColors& colors = Theme::instance().colors();
    const double share = index.data(ConfusionModel::kShareRole).toDouble();
    const QColor full = index.row() == index.column() ? colors.accent : colors.error;
    const QColor fill = share > 0 ? mixed(colors.surface, full, 0.06 + 0.84 * share) : colors.surface;
    painter->fillRect(option.rect, fill);
    const bool dark = luminance(fill) < 0.18; // where black and white stand out alike
    painter->setPen(share > 0 ? (dark ? QColor(Qt::white) : QColor(Qt::black)) : colors.mutedText);
    painter->drawText(option.rect, Qt::AlignCenter, index.data().toString());
    if (option.state & QStyle::State_Selected) {
        painter->setPen(QPen(colors.text, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option.rect.adjusted(1, 1, -2, -2));
    }
}

/// Names of classes without the room that other tables' titles take: upright over columns, so that these can
/// be as narrow as their numbers, and on the right beside rows.
class ClassHeader : public QHeaderView {
  public:
    using QHeaderView::QHeaderView;

  protected:
    QString title(int section) const { return model()->headerData(section, orientation()).toString(); }
    QSize sectionSizeFromContents(int section) const override {
        const QSize text = fontMetrics().size(0, title(section));
        const int length = std::min(text.width(), kMostLength) + 2 * Theme::kSpacing;
        return orientation() == Qt::Horizontal ? QSize(text.height() + Theme::kSpacing, length)
                                               : QSize(length, text.height() + Theme::kSpacing);
    }
    void paintSection(QPainter* painter, const QRect& rect, int section) const override {
        const bool columns = orientation() == Qt::Horizontal;
        painter->save();
        painter->fillRect(rect, Theme::instance().colors().surface);
        painter->setPen(Theme::instance().colors().text);
        painter->translate(columns ? rect.bottomLeft() - QPoint(0, Theme::kSpacing) : rect.topLeft());
        painter->rotate(columns ? -90 : 0);
        const int length = (columns ? rect.height() - Theme::kSpacing : rect.width()) - Theme::kSpacing;
        painter->drawText(QRect(0, 0, length, columns ? rect.width() : rect.height()),
                          (columns ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter,
                          fontMetrics().elidedText(title(section), Qt::ElideRight, length));
        painter->restore();
    }

  private:
    static constexpr int kMostLength = 110;
};

ConfusionMatrix::ConfusionMatrix(QWidget* parent)
    : QWidget(parent),
      m_table(new QTableView),
      m_model(new ConfusionModel(this)),
      m_percent(new QCheckBox(tr("Per cent of the true class"))) {
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("confusionMatrix"));
    m_table->setAccessibleName(tr("Confusion matrix: rows are true classes, columns predicted ones"));
    m_table->setItemDelegate(new ConfusionDelegate(m_table));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setCornerButtonEnabled(false);
    m_table->setHorizontalHeader(new ClassHeader(Qt::Horizontal, m_table));
    m_table->setVerticalHeader(new ClassHeader(Qt::Vertical, m_table));
    m_table->horizontalHeader()->setMinimumSectionSize(kLeastWidth);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_percent->setObjectName(QStringLiteral("confusionPercent"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, Theme::kSpacing, 0, 0);
    layout->setSpacing(Theme::kSpacing / 2);
    auto* bar = new QHBoxLayout;
    bar->addWidget(makeLabel(tr("Predicted class →, true class ↓"), "muted"), 1);
    bar->addWidget(m_percent);
    layout->addLayout(bar);
    layout->addWidget(m_table, 1);
    const auto choose = [this](const QModelIndex& index) { emit cellChosen(index.row(), index.column()); };
    connect(m_table, &QTableView::clicked, this, choose);
    connect(m_table, &QTableView::activated, this, choose);
    connect(m_percent, &QCheckBox::toggled, m_model, &ConfusionModel::setPercent);
    connect(m_percent, &QCheckBox::toggled, this, &ConfusionMatrix::fit);
    auto* copy = new QShortcut(QKeySequence::Copy, m_table, nullptr, nullptr, Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this,
            [this] { QApplication::clipboard()->setText(QString::fromUtf8(m_model->toCsv())); });
}

void ConfusionMatrix::setEvaluation(const TrainingEvaluation& evaluation) {
    const QModelIndex current = m_table->currentIndex();
    const int row = current.row(), column = current.column();
    m_model->setCounts(evaluation.classes, evaluation.counts);
    if (row >= 0 && row < m_model->rowCount())
        m_table->setCurrentIndex(m_model->index(row, column));
    fit();
}

/// Columns are equally wide: they share the room where it is enough for their numbers.
void ConfusionMatrix::fit() {
    const int columns = m_model->columnCount();
    if (columns == 0)
        return;
    int widest = kLeastWidth;
    for (int row = 0; row < columns; ++row)
        for (int column = 0; column < columns; ++column)
            widest = std::max(widest, m_table->fontMetrics().horizontalAdvance(
                                          m_model->index(row, column).data().toString()) +
                                          Theme::kSpacing);
    const int share = std::min(m_table->viewport()->width() / columns, kMostWidth);
    for (int column = 0; column < columns; ++column)
        m_table->setColumnWidth(column, std::max(widest, share));
}

void ConfusionMatrix::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

} // namespace heteroscope::ui

#include "moc_confusion_matrix.cpp"
