// SPDX-License-Identifier: GPL-3.0-or-later
// Throttled device reports on a worker thread.
#include "ui/analyze/device_reporter.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace heteroscope::ui {

namespace {

DeviceReadingPtr readDevice(profiling::Study study, std::shared_ptr<const profiling::Trace> trace) {
    auto reading = std::make_shared<DeviceReading>();
    reading->study = std::move(study);
    reading->trace = std::move(trace);
    reading->report = profiling::deviceReport(*reading->trace, reading->study);
    return reading;
}

} // namespace

DeviceReporter::DeviceReporter(QObject* parent) : QObject(parent) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kIntervalMs);
    connect(&m_timer, &QTimer::timeout, this, &DeviceReporter::start);
}

void DeviceReporter::setSession(std::shared_ptr<StudySession> session) {
    if (m_session)
        m_session->disconnect(this);
    m_session = std::move(session);
    ++m_ticket;
    m_stale = false;
    m_timer.stop();
    if (!m_session)
        return;
    connect(m_session.get(), &StudySession::traceGrew, this, &DeviceReporter::changed);
    connect(m_session.get(), &StudySession::stateChanged, this, &DeviceReporter::changed);
    changed();
}

void DeviceReporter::setWanted(bool wanted) {
    m_wanted = wanted;
    if (wanted && m_stale && !m_running)
        start();
}

void DeviceReporter::changed() {
    m_stale = true;
    if (m_wanted && !m_running && !m_timer.isActive())
        m_timer.start();
}

void DeviceReporter::start() {
    m_timer.stop();
    if (!m_session)
        return;
    m_running = true;
    m_stale = false;
    const QPointer<DeviceReporter> self(this);
    QThreadPool::globalInstance()->start(
        [self, ticket = m_ticket, study = m_session->study(), trace = m_session->trace()]() mutable {
            const DeviceReadingPtr reading = readDevice(std::move(study), std::move(trace));
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, reading, ticket] {
                    if (self)
                        self->finish(reading, ticket);
                },
                Qt::QueuedConnection);
        });
}

void DeviceReporter::finish(const DeviceReadingPtr& reading, quint64 ticket) {
    m_running = false;
    if (m_stale && m_wanted)
        m_timer.start();
    if (ticket == m_ticket)
        emit ready(reading);
}

} // namespace heteroscope::ui
