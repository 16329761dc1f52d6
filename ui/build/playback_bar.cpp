// SPDX-License-Identifier: GPL-3.0-or-later
// Player of the moving window.
#include "ui/build/playback_bar.h"

#include "ui/common/widgets.h"

#include <QHBoxLayout>

namespace heteroscope::ui {

namespace {
constexpr int kStepMs = 650;
}

PlaybackBar::PlaybackBar(QWidget* parent) : QWidget(parent), m_slider(new QSlider(Qt::Horizontal)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    auto* first = addButton(QStringLiteral("|◀"), tr("First window"));
    auto* back = addButton(QStringLiteral("◀"), tr("Window before"));
    m_play = addButton(QStringLiteral("▶"), tr("Play"));
    m_play->setObjectName(QStringLiteral("play"));
    auto* next = addButton(QStringLiteral("▶"), tr("Next window"));
    next->setObjectName(QStringLiteral("next-window"));
    auto* last = addButton(QStringLiteral("▶|"), tr("Last window"));
    m_play->setToolButtonStyle(Qt::ToolButtonTextOnly);
    m_slider->setAccessibleName(tr("Position of the window"));
    m_slider->setObjectName(QStringLiteral("window-slider"));
    m_slider->setToolTip(tr("Move the window over the input"));
    m_caption = makeLabel({}, "muted");
    row->addSpacing(8);
    row->addWidget(m_slider, 1);
    row->addSpacing(8);
    row->addWidget(m_caption);
    m_timer.setInterval(kStepMs);
    connect(&m_timer, &QTimer::timeout, this, &PlaybackBar::advance);
    connect(first, &QToolButton::clicked, this, [this] { m_slider->setValue(0); });
    connect(back, &QToolButton::clicked, this, [this] { m_slider->setValue(step() - 1); });
    connect(next, &QToolButton::clicked, this, [this] { m_slider->setValue(step() + 1); });
    connect(last, &QToolButton::clicked, this, [this] { m_slider->setValue(m_slider->maximum()); });
    connect(m_play, &QToolButton::clicked, this, &PlaybackBar::togglePlay);
    connect(m_slider, &QSlider::valueChanged, this, &PlaybackBar::stepChosen);
    showState();
}

QToolButton* PlaybackBar::addButton(const QString& text, const QString& name) {
    auto* button = new QToolButton;
    button->setText(text);
    button->setAccessibleName(name);
    button->setToolTip(name);
    button->setFocusPolicy(Qt::StrongFocus);
    layout()->addWidget(button);
    return button;
}

void PlaybackBar::setCount(int count) {
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, std::max(count - 1, 0));
    m_slider->setPageStep(std::max(count / 8, 1));
    setEnabled(count > 1);
    if (count <= 1)
        pause();
}

void PlaybackBar::setStep(int step) {
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(step);
}

void PlaybackBar::setCaption(const QString& caption) {
    m_caption->setText(caption);
}

void PlaybackBar::togglePlay() {
    if (isPlaying()) {
        pause();
        return;
    }
    if (step() == m_slider->maximum())
        m_slider->setValue(0);
    m_timer.start();
    showState();
}

void PlaybackBar::pause() {
    m_timer.stop();
    showState();
}

void PlaybackBar::advance() {
    if (step() == m_slider->maximum())
        pause();
    else
        m_slider->setValue(step() + 1);
}

void PlaybackBar::showState() {
    m_play->setText(isPlaying() ? tr("Pause") : tr("Play"));
    m_play->setAccessibleName(isPlaying() ? tr("Pause") : tr("Play"));
}

} // namespace heteroscope::ui

#include "moc_playback_bar.cpp"
