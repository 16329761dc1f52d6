// SPDX-License-Identifier: GPL-3.0-or-later
// The top bar.
#include "ui/main_window/top_bar.h"

#include "ui/common/elided_label.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

namespace heteroscope::ui {

namespace {
constexpr int kMaxChips = 4;
constexpr int kProgressWidth = 130;
constexpr int kMostTitle = 560;
constexpr int kTitleRoom = 80; ///< more than the least, before targets are shown
constexpr int kChipSpacing = 4;
constexpr int kMostRunName = 160;
} // namespace

TopBar::TopBar(QWidget* parent)
    : QFrame(parent),
      m_title(new ElidedLabel(kMostTitle, this)),
      m_chips(new QHBoxLayout),
      m_progress(new QProgressBar(this)),
      m_progressText(makeLabel({}, "muted", this)),
      m_run(new QPushButton(tr("Run"), this)),
      m_stop(new QPushButton(tr("Stop"), this)) {
    setRole(this, "bar");
    setObjectName(QStringLiteral("topBar"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 8, 12, 8);
    row->setSpacing(Theme::kSpacing);
    m_title->setObjectName(QStringLiteral("experimentTitle"));
    setRole(m_title, "heading");
    m_chips->setSpacing(kChipSpacing);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(kProgressWidth, 6);
    m_progress->setAccessibleName(tr("Progress of the run"));
    m_run->setObjectName(QStringLiteral("runButton"));
    m_run->setIcon(icon(QStringLiteral("run"), IconTone::AccentText));
    setRole(m_run, "primary");
    m_stop->setObjectName(QStringLiteral("stopButton"));
    m_stop->setIcon(icon(QStringLiteral("stop"), IconTone::Error));
    m_stop->setToolTip(tr("Stop the run; finished samples are kept (Shift+F5)"));
    row->addWidget(m_title);
    row->addSpacing(Theme::kSpacing);
    row->addLayout(m_chips);
    row->addStretch(1);
    row->addWidget(m_progressText);
    row->addWidget(m_progress);
    row->addSpacing(Theme::kSpacing);
    row->addWidget(m_run);
    row->addWidget(m_stop);
    connect(m_run, &QPushButton::clicked, this, &TopBar::runRequested);
    connect(m_stop, &QPushButton::clicked, this, &TopBar::stopRequested);
    setRunning(false, false);
}

void TopBar::setExperiment(const QString& title, const QStringList& targets) {
    m_title->setText(title);
    if (targets == m_targets)
        return;
    m_targets = targets;
    deleteChildren(m_chips);
    m_targetChips.clear();
    for (const QString& target : targets.mid(0, kMaxChips)) {
        auto* chip = makeLabel(QStringLiteral("<span style='color:%1'>\u25a0</span> %2")
                                   .arg(Theme::targetColor(target).name(), target.toHtmlEscaped()),
                               "chip", this);
        chip->setAccessibleName(tr("Target %1").arg(target));
        m_chips->addWidget(chip);
        m_targetChips.append(chip);
    }
    m_more = makeLabel({}, "chip", this);
    m_more->setObjectName(QStringLiteral("moreTargets"));
    m_chips->addWidget(m_more);
    fitTargets();
}

void TopBar::showTargets(qsizetype shown) {
    for (qsizetype i = 0; i < m_targetChips.size(); ++i)
        m_targetChips[i]->setVisible(i < shown);
    m_more->setVisible(shown < m_targets.size());
    m_more->setText(tr("+%1").arg(m_targets.size() - shown));
    m_more->setToolTip(m_targets.mid(shown).join(QLatin1Char('\n')));
    m_chips->invalidate(); // Qt would only do it once it gets round to laying out
    layout()->invalidate();
}

void TopBar::fitTargets() {
    if (m_more == nullptr)
        return;
    qsizetype shown = m_targetChips.size();
    for (showTargets(shown); shown > 0 && layout()->minimumSize().width() + kTitleRoom > width();
         showTargets(shown))
        --shown;
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fitTargets();
}

QSize TopBar::minimumSizeHint() const {
    const QSize whole = layout()->minimumSize();
    int targets = 0;
    for (const QLabel* chip : m_targetChips)
        if (!chip->isHidden())
            targets += chip->minimumSizeHint().width() + kChipSpacing;
    return {whole.width() - targets, whole.height()};
}

void TopBar::setRunnable(bool runnable, const QString& why) {
    m_runnable = runnable;
    m_whyNot = why;
    m_run->setEnabled(runnable);
    showRunTip();
}

void TopBar::setRuns(const QString& title, const QStringList& targets, bool isShown) {
    const QString name = m_run->fontMetrics().elidedText(title, Qt::ElideRight, kMostRunName);
    const QString label =
        isShown ? tr("Run") : tr("Run \u201c%1\u201d").arg(QString(name).replace('&', "&&"));
    const QString tip = tr("Run \u201c%1\u201d (F5)").arg(title);
    m_runs = targets.isEmpty() ? tip : tip + QLatin1Char('\n') + targets.join(QLatin1Char('\n'));
    showRunTip();
    if (label == m_run->text())
        return;
    m_run->setText(label);
    fitTargets();
}

void TopBar::showRunTip() {
    m_run->setToolTip(m_runnable ? m_runs : m_whyNot);
}

void TopBar::setRunning(bool running, bool stopping) {
    m_run->setVisible(!running);
    m_stop->setVisible(running);
    m_stop->setEnabled(!stopping);
    m_stop->setText(stopping ? tr("Stopping\u2026") : tr("Stop"));
    m_progress->setVisible(running);
    m_progressText->setVisible(running);
    if (!running) {
        m_progress->setValue(0);
        m_progressText->clear();
    }
    fitTargets();
}

void TopBar::setProgress(double fraction, double remainingS, const QString& what) {
    m_progress->setValue(int(fraction * 1000));
    m_progress->setToolTip(what);
    const QString remaining = formatRemaining(remainingS);
    const QString text = remaining.isEmpty() ? tr("%1 %").arg(int(fraction * 100)) : remaining;
    if (text == m_progressText->text())
        return;
    m_progressText->setText(text);
    fitTargets();
}

} // namespace heteroscope::ui

#include "moc_top_bar.cpp"
