// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/peaks_measurement.h"

#include "ui/run/worker_process.h"
#include "ui/run/worker_sentences.h"

#include <QByteArray>
#include <QProcess>

namespace heteroscope::ui {

namespace {
constexpr int kEndMs = 300; ///< after a kill
}

struct PeaksMeasurement::Impl {
    PeaksMeasurement& self;
    QProcess process;
    QString program = WorkerProcess::programPath();
    QByteArray said;  ///< on stderr, but for its steps
    QByteArray begun; ///< a line without its end
    bool isCancelled = false;

    explicit Impl(PeaksMeasurement& owner) : self(owner) {}

    void takeLines() {
        begun += process.readAllStandardError();
        for (qsizetype end = begun.indexOf('\n'); end >= 0; end = begun.indexOf('\n')) {
            const QByteArray line = begun.left(end + 1);
            begun.remove(0, end + 1);
            const Json step = Json::parse(line.begin(), line.end(), nullptr, false);
            if (step.is_object() && step.value("step", Json()).is_number_integer() &&
                step.value("steps", Json()).is_number_integer())
                emit self.stepped(step.at("step").get<int>(), step.at("steps").get<int>());
            else
                said += line;
        }
    }

    /// Of a worker that was killed there are no last words, often not even a whole line.
    QString failure(int code, QProcess::ExitStatus status) const {
        const QString words = lastMeaningfulLine(said + begun);
        if (status == QProcess::CrashExit)
            return tr("The peaks were not measured: the worker was ended by %1. What was measured before "
                      "stays; measure again.")
                .arg(signalName(code));
        if (words.isEmpty())
            return tr("The peaks were not measured: the worker ended with the exit code %1 and said nothing.")
                .arg(code);
        return tr("The peaks were not measured: %1").arg(words);
    }

    void finish(int code, QProcess::ExitStatus status) {
        takeLines();
        const QByteArray text = process.readAllStandardOutput();
        const Json devices = Json::parse(text.begin(), text.end(), nullptr, false);
        if (isCancelled)
            emit self.cancelled();
        else if (status == QProcess::NormalExit && code == 0 && devices.is_object())
            emit self.measured(devices);
        else
            emit self.failed(failure(code, status));
    }
};

PeaksMeasurement::PeaksMeasurement(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>(*this)) {
    QProcess& process = m_impl->process;
    connect(&process, &QProcess::readyReadStandardError, this, [this] { m_impl->takeLines(); });
    connect(&process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failed(
                tr("%1 could not be started: %2.").arg(m_impl->program, m_impl->process.errorString()));
    });
    connect(&process, &QProcess::finished, this,
            [this](int code, QProcess::ExitStatus status) { m_impl->finish(code, status); });
}

PeaksMeasurement::~PeaksMeasurement() {
    m_impl->process.disconnect(this);
    if (isRunning()) {
        m_impl->process.kill();
        m_impl->process.waitForFinished(kEndMs);
    }
}

void PeaksMeasurement::setProgram(const QString& path) {
    m_impl->program = path;
}

bool PeaksMeasurement::isRunning() const {
    return m_impl->process.state() != QProcess::NotRunning;
}

void PeaksMeasurement::start() {
    if (isRunning())
        return;
    m_impl->said.clear();
    m_impl->begun.clear();
    m_impl->isCancelled = false;
    m_impl->process.start(m_impl->program,
                          {QStringLiteral("devices"), QStringLiteral("--measure"), QStringLiteral("--json")});
    m_impl->process.closeWriteChannel();
}

/// It has nothing to put away: its lock ends with it, and what it kept before stays.
void PeaksMeasurement::cancel() {
    if (!isRunning())
        return;
    m_impl->isCancelled = true;
    m_impl->process.kill();
}

} // namespace heteroscope::ui

#include "moc_peaks_measurement.cpp"
