// SPDX-License-Identifier: GPL-3.0-or-later
// Image before and after pooling.
#include "ui/build/image_pair.h"

#include "ui/common/format.h"
#include "ui/common/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscope::ui {

namespace {
constexpr double kCaption = 24, kGap = 24;
}

ImagePair::ImagePair(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("The image and its pooled result"));
    setToolTip(tr("Click to see the pixels there"));
}

void ImagePair::setInput(const QImage& input, const QSize& pooledSize) {
    m_input = input;
    m_pooled = QImage();
    m_pooledSize = pooledSize;
    update();
}

void ImagePair::setPooled(const QImage& pooled) {
    m_pooled = pooled;
    update();
}

void ImagePair::setMarked(const QRectF& part) {
    m_marked = part;
    update();
}

double ImagePair::scale() const {
    if (m_input.isNull())
        return 1;
    const double width = m_input.width() + m_pooledSize.width();
    const double height = std::max(m_input.height(), m_pooledSize.height());
    return std::max(std::min((this->width() - kGap - 4) / width, (this->height() - kCaption - 4) / height),
                    0.001);
}

QRectF ImagePair::inputRect() const {
    const double total = scale() * (m_input.width() + m_pooledSize.width()) + kGap;
    return QRectF((width() - total) / 2, kCaption, m_input.width() * scale(), m_input.height() * scale());
}

QRectF ImagePair::pooledRect() const {
    return QRectF(inputRect().right() + kGap, kCaption, m_pooledSize.width() * scale(),
                  m_pooledSize.height() * scale());
}

void ImagePair::paintEvent(QPaintEvent*) {
    if (m_input.isNull())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto draw = [&](const QRectF& rect, const QImage& image, const QSize& size, const QString& name) {
        const QSize pixels = (rect.size() * devicePixelRatioF()).toSize();
        painter.setPen(colors.mutedText);
        if (image.isNull())
            painter.drawText(rect, Qt::AlignCenter | Qt::TextWordWrap, tr("Pooling\u2026"));
        else
            painter.drawImage(rect, image.scaled(pixels, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
        painter.setPen(colors.border);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
        painter.setPen(colors.mutedText);
        painter.drawText(
            QRectF(rect.left(), 0, std::max(rect.width(), 220.0), kCaption - 4),
            Qt::AlignLeft | Qt::AlignBottom,
            QStringLiteral("%1  %2 × %3").arg(name, countText(size.height()), countText(size.width())));
    };
    draw(inputRect(), m_input, m_input.size(), tr("Input"));
    draw(pooledRect(), m_pooled, m_pooledSize, tr("Pooled"));
    if (m_marked.isEmpty())
        return;
    const QRectF marked(inputRect().topLeft() + m_marked.topLeft() * scale(), m_marked.size() * scale());
    painter.setPen(QPen(Theme::seriesColor(Theme::instance().isDark() ? 1 : 5), 2));
    painter.drawRect(marked.adjusted(-2, -2, 2, 2));
}

void ImagePair::mousePressEvent(QMouseEvent* event) {
    if (inputRect().contains(event->position()))
        emit placeChosen((event->position() - inputRect().topLeft()) / scale());
}

} // namespace heteroscope::ui

#include "moc_image_pair.cpp"
