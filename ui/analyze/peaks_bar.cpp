// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/peaks_bar.h"

#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace heteroscope::ui {

PeaksBar::PeaksBar(QWidget* parent)
    : QWidget(parent),
      m_measure(new QPushButton(tr("Measure this machine's peaks…"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)),
      m_bar(new QProgressBar(this)),
      m_text(makeLabel({}, "muted", this)) {
    m_measure->setObjectName(QStringLiteral("measurePeaks"));
    m_cancel->setObjectName(QStringLiteral("cancelPeaks"));
    m_bar->setObjectName(QStringLiteral("peaksProgress"));
    m_bar->setAccessibleName(tr("Measurement of the peaks"));
    m_bar->setTextVisible(false);
    m_text->setObjectName(QStringLiteral("peaksText"));
    m_text->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(Theme::kSpacing, 0, Theme::kSpacing, 0);
    row->setSpacing(Theme::kSpacing);
    row->addWidget(m_measure);
    row->addWidget(m_bar);
    row->addWidget(m_cancel);
    row->addWidget(m_text, 1);
    connect(m_measure, &QPushButton::clicked, this, &PeaksBar::measureRequested);
    connect(m_cancel, &QPushButton::clicked, this, &PeaksBar::cancelRequested);
    setProgress({});
}

void PeaksBar::setProgress(const PeaksProgress& progress) {
    m_measure->setVisible(!progress.running);
    m_measure->setEnabled(progress.possible);
    m_bar->setVisible(progress.running);
    m_cancel->setVisible(progress.running);
    m_bar->setRange(0, progress.steps); // both 0: a bar that only moves
    m_bar->setValue(std::max(progress.step - 1, 0));
    if (progress.running)
        m_text->setText(progress.steps > 0
                            ? tr("Measuring, step %1 of %2: nothing else ought to run meanwhile.")
                                  .arg(progress.step)
                                  .arg(progress.steps)
                            : tr("Measuring: nothing else ought to run meanwhile."));
    else if (!progress.possible)
        m_text->setText(tr("A study is running: both would disturb each other."));
    else if (!progress.sentence.isEmpty())
        m_text->setText(progress.sentence);
    else
        m_text->setText(tr("Memory and fp32 rate of the processors, for the roofs of this and of later "
                           "studies: some seconds, in which nothing else ought to run."));
}

} // namespace heteroscope::ui

#include "moc_peaks_bar.cpp"
