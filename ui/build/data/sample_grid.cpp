// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/build/data/sample_grid.h"

#include "compute/data/image_filters.h"
#include "compute/data/transforms.h"
#include "ui/common/class_names.h"
#include "ui/common/sample_image.h"
#include "ui/common/theme.h"

#include <QPainter>
#include <QResizeEvent>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kPicture = 84, kGap = 8, kMargin = 12;

int cellWidth() {
    return static_cast<int>(SampleGrid::pictureNames().size()) * (kPicture + kGap) + kGap;
}

int cellHeight(const QFontMetrics& metrics) {
    return 2 * metrics.height() + kPicture + 3 * kGap;
}

} // namespace

static QString shownClass(const compute::Dataset& dataset, std::int64_t number) {
    const QString name = QString::fromStdString(dataset.className(number));
    const QStringList shown = shownClassNames(dataset.classNames);
    return number >= 0 && number < shown.size() ? shown[number] : name;
}

SampleCell sampleCell(const compute::Dataset& dataset, std::int64_t example) {
    const auto size = static_cast<std::size_t>(*dataset.image.elements());
    const auto at = static_cast<std::size_t>(example);
    const auto values = std::span(dataset.training.images).subspan(at * size, size);
    std::vector<float> transformed(values.begin(), values.end());
    compute::applyTransforms(dataset.augmentations, dataset.image, {dataset.seed, 0, example}, transformed);
    const float target = dataset.training.targets[at * static_cast<std::size_t>(dataset.targetElements)];
    SampleCell cell;
    cell.caption = dataset.classNames.empty() ? QString::number(static_cast<double>(target), 'g', 4)
                                              : shownClass(dataset, static_cast<std::int64_t>(target));
    cell.pictures = {sampleImage(values, dataset.image), sampleImage(transformed, dataset.image)};
    if (dataset.image.h < 2 || dataset.image.w < 2)
        return cell;
    compute::Shape4 pooled = dataset.image;
    const auto small = compute::pooledByTwo(values, pooled);
    cell.pictures.push_back(sampleImage(compute::sobel(values, dataset.image), dataset.image));
    cell.pictures.push_back(sampleImage(small, pooled));
    return cell;
}

SampleGrid::SampleGrid(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sample-grid"));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&SampleGrid::update));
}

QStringList SampleGrid::pictureNames() {
    return {tr("Image"), tr("Transformed"), tr("Sobel"), tr("Pooled")};
}

void SampleGrid::setCells(std::vector<SampleCell> cells) {
    m_cells = std::move(cells);
    QStringList captions;
    for (const SampleCell& cell : m_cells)
        captions << cell.caption;
    setAccessibleName(tr("Samples: %1").arg(captions.join(QStringLiteral(", "))));
    setMinimumHeight(heightForWidth(width()));
    updateGeometry();
    update();
}

int SampleGrid::columns(int width) const {
    return std::max(1, (width - kMargin) / (cellWidth() + kMargin));
}

int SampleGrid::heightForWidth(int width) const {
    const int count = static_cast<int>(m_cells.size()), across = columns(width);
    return kMargin + (count + across - 1) / across * (cellHeight(fontMetrics()) + kMargin);
}

QSize SampleGrid::sizeHint() const {
    return {2 * (cellWidth() + kMargin) + kMargin, heightForWidth(2 * (cellWidth() + kMargin) + kMargin)};
}

void SampleGrid::resizeEvent(QResizeEvent* event) {
    setMinimumHeight(heightForWidth(event->size().width()));
}

void SampleGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    const QStringList names = pictureNames();
    const int across = columns(width()), line = fontMetrics().height();
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const int column = static_cast<int>(i) % across, row = static_cast<int>(i) / across;
        const QRect cell(kMargin + column * (cellWidth() + kMargin),
                         kMargin + row * (cellHeight(fontMetrics()) + kMargin), cellWidth(),
                         cellHeight(fontMetrics()));
        painter.setPen(colors.border);
        painter.setBrush(colors.surface);
        painter.drawRoundedRect(cell, 4, 4);
        painter.setPen(colors.text);
        painter.drawText(
            QRect(cell.left() + kGap, cell.top() + kGap / 2, cell.width() - 2 * kGap, line),
            Qt::AlignLeft | Qt::AlignVCenter,
            fontMetrics().elidedText(m_cells[i].caption, Qt::ElideRight, cell.width() - 2 * kGap));
        for (std::size_t k = 0; k < m_cells[i].pictures.size(); ++k) {
            const QImage& picture = m_cells[i].pictures[k];
            const QRect place(cell.left() + kGap + static_cast<int>(k) * (kPicture + kGap),
                              cell.top() + kGap + line, kPicture, kPicture);
            QRect fitted({}, picture.size().scaled(place.size(), Qt::KeepAspectRatio));
            fitted.setHeight(std::max(fitted.height(), kPicture / 6)); // a row of a table
            fitted.moveCenter(place.center());
            painter.drawImage(fitted, picture);
            painter.setPen(colors.mutedText);
            painter.drawText(QRect(place.left(), place.bottom() + kGap / 2, kPicture, line), Qt::AlignCenter,
                             names[static_cast<qsizetype>(k)]);
        }
    }
}

} // namespace heteroscope::ui

#include "moc_sample_grid.cpp"
