// SPDX-License-Identifier: GPL-3.0-or-later
// Throttled device reports on a worker thread.
#include "ui/analyze/device_reporter.h"

#include "profiling/analysis/device_roofs.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

#include <utility>

namespace heteroscope::ui {

namespace {

DeviceReadingPtr readDevice(profiling::Study study, std::shared_ptr<const profiling::Trace> trace,
                            const Json& machine, bool ended) {
    auto reading = std::make_shared<DeviceReading>();
    profiling::addPeaksOf(machine, study);
    reading->study = std::move(study);
    reading->trace = std::move(trace);
    reading->report = profiling::deviceReport(*reading->trace, reading->study);
    reading->layers = std::make_shared<const std::vector<profiling::RunLayerTimes>>(
        profiling::layerTimes(*reading->trace, reading->study, reading->report.work));
    reading->measuredLayers = measuredLayers(reading->study, *reading->layers);
    reading->parts = profiling::sampleParts(*reading->trace, reading->study);
    if (ended)
        reading->roofline = std::make_shared<const profiling::Roofline>(
            profiling::roofline(*reading->trace, reading->study, reading->report.work));
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
    m_last.reset();
    setRange(std::nullopt); // it was of the study before
    m_timer.stop();
    if (!m_session)
        return;
    connect(m_session.get(), &StudySession::traceGrew, this, &DeviceReporter::changed);
    connect(m_session.get(), &StudySession::stateChanged, this, &DeviceReporter::changed);
    changed();
}

void DeviceReporter::setMachine(const Json& cpu) {
    if (m_machine == cpu)
        return;
    m_machine = cpu;
    if (m_session && (m_last || m_running))
        changed();
}

void DeviceReporter::setWanted(bool wanted) {
    m_wanted = wanted;
    if (wanted && m_stale && !m_running)
        start();
}

void DeviceReporter::changed() {
    m_stale = true;
    if ((m_wanted || ended()) && !m_running && !m_timer.isActive())
        m_timer.start();
}

bool DeviceReporter::ended() const {
    return m_session && m_session->state() != StudySession::State::Live &&
           m_session->state() != StudySession::State::Loading;
}

void DeviceReporter::start() {
    m_timer.stop();
    if (!m_session)
        return;
    m_running = true;
    m_stale = false;
    const QPointer<DeviceReporter> self(this);
    QThreadPool::globalInstance()->start([self, ticket = m_ticket, study = m_session->study(),
                                          trace = m_session->trace(), machine = m_machine,
                                          over = ended()]() mutable {
        const DeviceReadingPtr reading = readDevice(std::move(study), std::move(trace), machine, over);
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
    if (m_stale && (m_wanted || ended()))
        m_timer.start();
    if (ticket != m_ticket)
        return;
    m_last = reading;
    emit ready(reading);
    if (m_range)
        countRange();
}

void DeviceReporter::setRange(std::optional<profiling::NsRange> range) {
    m_range = range;
    ++m_rangeTicket;
    m_counting = false;
    if (!m_range)
        emit rangeReady(nullptr);
    else if (m_last)
        countRange(); // else when the recording has been read
}

void DeviceReporter::countRange() {
    m_counting = true;
    const QPointer<DeviceReporter> self(this);
    QThreadPool::globalInstance()->start([self, ticket = m_rangeTicket, reading = m_last, range = *m_range] {
        const auto transfers = std::make_shared<const profiling::TransferBreakdown>(
            profiling::transferBreakdown(reading->report.work, profiling::unionOf({range})));
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, transfers, ticket] {
                if (self)
                    self->finishRange(transfers, ticket);
            },
            Qt::QueuedConnection);
    });
}

void DeviceReporter::finishRange(const RangeTransfersPtr& transfers, quint64 ticket) {
    if (ticket != m_rangeTicket)
        return;
    m_counting = false;
    emit rangeReady(transfers);
}

} // namespace heteroscope::ui

#include "moc_device_reporter.cpp"
