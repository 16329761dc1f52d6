// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a timeline under their ruler, with mouse and keyboard. GUI thread.
#pragma once

#include "ui/timeline/draw_list.h"
#include "ui/timeline/label_cache.h"
#include "ui/timeline/time_format.h"
#include "ui/timeline/timeline_state.h"

#include <QImage>
#include <QPointer>
#include <QWidget>

#include <memory>
#include <optional>

class QLineEdit;
class QMenu;

namespace heteroscope::ui {

class TimelineCanvas : public QWidget {
    Q_OBJECT
  public:
    /// `state` outlives the canvas.
    explicit TimelineCanvas(TimelineState* state, QWidget* parent = nullptr);
    ~TimelineCanvas() override;

    /// What is on screen, brought up to date first.
    const DrawList& drawList();
    /// The part of the row area at a widget position.
    Hit hitAt(const QPointF& position);
    /// Opens a line to type a note into at a time.
    void editNote(std::int64_t timeNs);
    QSize sizeHint() const override { return {900, 400}; }
    QSize minimumSizeHint() const override { return {200, 120}; }

  signals:
    void searchRequested(const QString& text);
    void spanActivated(); ///< Enter: show the details

  protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    enum class Drag { None, Press, Pan, Range, RangeStart, RangeEnd };

    bool isStale() const;
    void rebuild();
    void dropCaches();

    void beginDrag(QMouseEvent* event);
    void dragTo(const QPointF& position);
    Drag rangeEdgeAt(double x) const;
    void showTip(const QPointF& position, const QPoint& global);
    QString tipFor(const Hit& hit) const;
    void updateCursor(const QPointF& position, Qt::KeyboardModifiers modifiers);
    bool navigate(QKeyEvent* event);
    bool act(QKeyEvent* event);
    void cancelOne();
    double zoomPixel() const;
    std::int64_t noteTime() const;
    void fillSpanMenu(QMenu& menu, const Hit& hit);

    TimelineState* m_state;
    std::unique_ptr<SpanPalette> m_palette;
    std::unique_ptr<LabelCache> m_labels;
    DrawList m_list;
    TickSet m_ticks;
    QImage m_image;
    struct Key {
        TimeAxis axis;
        std::uint64_t layout = 0, revision = 0;
        int scrollY = 0;
        QSize size;
        double ratio = 0.0;
        QString search;
        bool operator==(const Key&) const = default;
    };
    Key key() const;
    Key m_key;

    Drag m_drag = Drag::None;
    QPointF m_pressed, m_last;
    std::int64_t m_pressedNs = 0;
    std::optional<QPointF> m_mouse;
    QPointer<QLineEdit> m_noteEdit;
};

} // namespace heteroscope::ui
