// SPDX-License-Identifier: GPL-3.0-or-later
// Throttled analysis on a worker thread.
#include "ui/analyze/study_analyzer.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace heteroscope::ui {

StudyAnalyzer::StudyAnalyzer(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &StudyAnalyzer::start);
}

void StudyAnalyzer::setSource(std::function<std::vector<profiling::Study>()> source) {
    m_source = std::move(source);
    refresh();
}

void StudyAnalyzer::setReference(const std::string& target) {
    if (target == m_reference)
        return;
    m_reference = target;
    refresh();
}

void StudyAnalyzer::refresh() {
    if (m_running)
        m_again = true;
    else if (!m_timer.isActive())
        m_timer.start();
}

void StudyAnalyzer::start() {
    if (!m_source)
        return;
    m_running = true;
    const QPointer<StudyAnalyzer> self(this);
    QThreadPool::globalInstance()->start([self, studies = m_source(), reference = m_reference]() mutable {
        const ChartInput input = analyzeStudies(std::move(studies), reference);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, input] {
                if (self)
                    self->finish(input);
            },
            Qt::QueuedConnection);
    });
}

void StudyAnalyzer::finish(const ChartInput& input) {
    m_running = false;
    emit ready(input);
    if (std::exchange(m_again, false))
        m_timer.start();
}

} // namespace heteroscope::ui

#include "moc_study_analyzer.cpp"
