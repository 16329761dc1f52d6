// SPDX-License-Identifier: GPL-3.0-or-later
// The query for devices.
#include "ui/devices/devices_query.h"

#include "ui/run/worker_process.h"
#include "ui/run/worker_sentences.h"

#include <QProcess>

namespace heteroscope::ui {

namespace {
constexpr int kLastChanceMs = 300;
}

struct DevicesQuery::Impl {
    QProcess process;
    QString program = WorkerProcess::programPath();
};

DevicesQuery::DevicesQuery(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>()) {
    connect(&m_impl->process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failed(tr("%1 could not be started: %2. Experiments can be edited but not run.")
                            .arg(m_impl->program, m_impl->process.errorString()));
    });
    connect(&m_impl->process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const QByteArray text = m_impl->process.readAllStandardOutput();
        const Json devices = Json::parse(text.begin(), text.end(), nullptr, false);
        if (status == QProcess::NormalExit && code == 0 && !devices.is_discarded())
            emit arrived(devices);
        else
            emit failed(tr("The devices of this machine could not be listed: %1")
                            .arg(lastMeaningfulLine(m_impl->process.readAllStandardError())));
    });
}

DevicesQuery::~DevicesQuery() {
    m_impl->process.disconnect(this);
    if (m_impl->process.state() != QProcess::NotRunning) {
        m_impl->process.kill();
        m_impl->process.waitForFinished(kLastChanceMs);
    }
}

void DevicesQuery::setProgram(const QString& path) {
    m_impl->program = path;
}

void DevicesQuery::start() {
    if (m_impl->process.state() == QProcess::NotRunning)
        m_impl->process.start(m_impl->program, {QStringLiteral("devices"), QStringLiteral("--json")},
                              QIODevice::ReadOnly);
}

} // namespace heteroscope::ui
