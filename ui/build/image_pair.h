// SPDX-License-Identifier: GPL-3.0-or-later
// An image input beside its pooled result, drawn to one scale. A click chooses the place whose pixels the
// picture shows. GUI thread.
#pragma once

#include <QImage>
#include <QRectF>
#include <QWidget>

namespace heteroscope::ui {

class ImagePair : public QWidget {
    Q_OBJECT
  public:
    explicit ImagePair(QWidget* parent = nullptr);

    /// The input, and the size in pixels of a result that is still being made.
    void setInput(const QImage& input, const QSize& pooledSize);
    void setPooled(const QImage& pooled);
    const QImage& pooled() const { return m_pooled; } ///< null while it is being made
    /// The part whose pixels are shown, in pixels of the input.
    void setMarked(const QRectF& part);
    QSize minimumSizeHint() const override { return {240, 130}; }
    QSize sizeHint() const override { return minimumSizeHint(); }

  signals:
    void placeChosen(const QPointF& pixel); ///< in pixels of the input

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

  private:
    QRectF inputRect() const;
    QRectF pooledRect() const;
    double scale() const;

    QImage m_input, m_pooled;
    QSize m_pooledSize;
    QRectF m_marked;
};

} // namespace heteroscope::ui
