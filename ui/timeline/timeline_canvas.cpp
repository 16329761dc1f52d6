// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a timeline under their ruler: construction, caches and painting.
#include "ui/timeline/timeline_canvas.h"

#include "ui/timeline/overlay.h"
#include "ui/timeline/raster_painter.h"

#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QResizeEvent>

#include <cmath>

namespace heteroscope::ui {

TimelineCanvas::TimelineCanvas(TimelineState* state, QWidget* parent) : QWidget(parent), m_state(state) {
    setObjectName(QStringLiteral("timelineCanvas"));
    setAccessibleName(tr("Timeline rows"));
    setAccessibleDescription(
        tr("Arrow keys move, W and S zoom, comma and full stop step from span to span."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto repaintSoon = [this] { update(); };
    connect(state, &TimelineState::traceChanged, this, &TimelineCanvas::dropCaches);
    for (const auto signal :
         {&TimelineState::dataChanged, &TimelineState::viewChanged, &TimelineState::rowsChanged,
          &TimelineState::selectionChanged, &TimelineState::rangeChanged, &TimelineState::searchChanged,
          &TimelineState::notesChanged, &TimelineState::hoverChanged})
        connect(state, signal, this, repaintSoon);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineCanvas::dropCaches);
}

TimelineCanvas::~TimelineCanvas() = default;

void TimelineCanvas::dropCaches() {
    m_palette.reset();
    m_labels.reset();
    m_key = {};
    update();
}

TimelineCanvas::Key TimelineCanvas::key() const {
    const auto& trace = m_state->trace();
    return {m_state->axis(), m_state->layout().version(), trace ? trace->revision() : 0, m_state->scrollY(),
            size(),          devicePixelRatioF(),         m_state->searchText()};
}

bool TimelineCanvas::isStale() const {
    return !(m_key == key());
}

void TimelineCanvas::rebuild() {
    const Key now = key();
    const auto& trace = m_state->trace();
    const bool dark = Theme::instance().isDark();
    if (!m_labels || m_labels->devicePixelRatio() != now.ratio) {
        QFont small = font();
        small.setPointSizeF(std::max(7.0, small.pointSizeF() - 0.5));
        m_labels = std::make_unique<LabelCache>(*trace, small, now.ratio);
    }
    if (!m_palette)
        m_palette = std::make_unique<SpanPalette>(*trace, dark);
    const int rowsHeight = std::max(1, height() - kRulerHeight);
    DrawOptions options;
    options.axis = m_state->axis();
    options.step = 1.0 / now.ratio;
    options.scrollY = m_state->scrollY();
    options.height = rowsHeight;
    const RowColors colors = rowColors(dark);
    options.background = colors.background;
    options.counterColor = Theme::instance().colors().accent.rgb();
    if (!m_state->searchText().isEmpty())
        options.wanted = [this](profiling::StringId name) { return m_state->matchesSearch(name); };
    m_list = buildDrawList(*trace, m_state->layout(), options, *m_palette);
    m_ticks = ticksFor(m_state->axis());
    const QSize pixels(static_cast<int>(std::ceil(width() * now.ratio)),
                       static_cast<int>(std::ceil(rowsHeight * now.ratio)));
    if (m_image.size() != pixels || m_image.devicePixelRatio() != now.ratio) {
        m_image = QImage(pixels, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(now.ratio);
    }
    paintRaster(m_image, m_list, m_ticks, colors, *m_labels);
    m_key = now;
}

const DrawList& TimelineCanvas::drawList() {
    if (m_state->trace() && isStale())
        rebuild();
    return m_list;
}

Hit TimelineCanvas::hitAt(const QPointF& position) {
    if (!m_state->trace() || position.y() < kRulerHeight)
        return {};
    return hitTest(drawList(), position.x(), position.y() - kRulerHeight);
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    if (!m_state->trace()) {
        painter.fillRect(rect(), colors.surface);
        return;
    }
    if (isStale())
        rebuild();
    painter.drawImage(QPointF(0.0, kRulerHeight), m_image);
    painter.translate(0.0, kRulerHeight);
    const Overlay overlay(painter, *m_state, colors, font(), height() - kRulerHeight);
    overlay.paintCounterScales(m_list);
    overlay.paintHits();
    overlay.paintRuler(m_ticks);
    overlay.paintRange();
    overlay.paintNotes();
    overlay.paintFlows();
    overlay.paintSelection();
    if (m_state->hoverNs())
        overlay.paintCursor(*m_state->hoverNs());
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1.0));
        painter.drawLine(QPointF(0.0, -0.5), QPointF(width(), -0.5));
    }
}

void TimelineCanvas::resizeEvent(QResizeEvent*) {
    m_state->setWidth(width());
    m_state->setViewHeight(height() - kRulerHeight);
}

void TimelineCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        dropCaches();
    QWidget::changeEvent(event);
}

void TimelineCanvas::editNote(std::int64_t timeNs) {
    delete m_noteEdit;
    m_noteEdit = new QLineEdit(this);
    m_noteEdit->setObjectName(QStringLiteral("noteEdit"));
    m_noteEdit->setAccessibleName(tr("Text of the note"));
    m_noteEdit->setPlaceholderText(tr("Note at this time"));
    for (const Note& note : m_state->notes())
        if (note.timeNs == timeNs)
            m_noteEdit->setText(note.text);
    const int x =
        std::clamp(static_cast<int>(m_state->axis().toPixel(timeNs)), 0, std::max(0, width() - 200));
    m_noteEdit->setGeometry(x, 0, 200, m_noteEdit->sizeHint().height());
    connect(m_noteEdit, &QLineEdit::editingFinished, this, [this, timeNs, edit = m_noteEdit] {
        if (!edit || edit->isHidden())
            return;
        edit->hide();
        m_state->putNote(timeNs, edit->text());
        edit->deleteLater();
        setFocus();
    });
    m_noteEdit->show();
    m_noteEdit->setFocus();
}

} // namespace heteroscope::ui

#include "moc_timeline_canvas.cpp"
