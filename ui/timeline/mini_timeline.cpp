// SPDX-License-Identifier: GPL-3.0-or-later
// The small live timeline of mode Run: names and rows only, following the end.
#include "ui/timeline/mini_timeline.h"

#include "ui/common/widgets.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/timeline_canvas.h"
#include "ui/timeline/track_header.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QStackedLayout>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {
constexpr int kNamesWidth = 140;
}

struct MiniTimeline::Impl : QObject {
    explicit Impl(MiniTimeline* owner) : view(owner) {}

    /// A double click opens what is shown in mode Timeline instead of zooming here.
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::MouseButtonDblClick || state.isEmpty())
            return false;
        emit view->rangeActivated(state.axis().startNs(), state.axis().endNs());
        return true;
    }

    MiniTimeline* view;
    TimelineState state;
    TimelineCanvas* canvas = nullptr;
    QStackedLayout* stack = nullptr;
};

MiniTimeline::MiniTimeline(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this)) {
    setObjectName(QStringLiteral("miniTimeline"));
    m_impl->stack = new QStackedLayout(this);
    QLabel* hint = makeLabel(tr("Events appear here while an experiment runs."), "muted", this);
    hint->setAlignment(Qt::AlignCenter);
    auto* page = new QWidget(this);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* names = new QVBoxLayout;
    names->setSpacing(0);
    auto* corner = new QFrame(page);
    setRole(corner, "bar");
    corner->setFixedHeight(kRulerHeight);
    auto* header = new TrackHeader(&m_impl->state, page);
    header->setFixedWidth(kNamesWidth);
    corner->setFixedWidth(kNamesWidth);
    names->addWidget(corner);
    names->addWidget(header, 1);
    m_impl->canvas = new TimelineCanvas(&m_impl->state, page);
    m_impl->canvas->installEventFilter(m_impl.get());
    row->addLayout(names);
    row->addWidget(m_impl->canvas, 1);
    m_impl->stack->addWidget(hint);
    m_impl->stack->addWidget(page);
    m_impl->state.setLive(true);
}

MiniTimeline::~MiniTimeline() {
    // The parts listen to the state, so they go first.
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
}

void MiniTimeline::setTrace(std::shared_ptr<const profiling::Trace> trace) {
    m_impl->state.setTrace(std::move(trace));
    m_impl->state.setFollowing(true);
    m_impl->stack->setCurrentIndex(m_impl->state.isEmpty() ? 0 : 1);
}

void MiniTimeline::traceGrew() {
    m_impl->state.refresh();
    m_impl->stack->setCurrentIndex(m_impl->state.isEmpty() ? 0 : 1);
}

} // namespace heteroscope::ui

#include "moc_mini_timeline.cpp"
