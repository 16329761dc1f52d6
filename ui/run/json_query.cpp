// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/json_query.h"

#include "ui/run/worker_process.h"
#include "ui/run/worker_sentences.h"

#include <QProcess>

namespace heteroscope::ui {

namespace {
constexpr int kEndMs = 300; ///< after a kill
}

struct JsonQuery::Impl {
    QProcess process;
    QString program = WorkerProcess::programPath();
};

JsonQuery::JsonQuery(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>()) {
    connect(&m_impl->process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit notStarted(m_impl->process.errorString());
    });
    connect(&m_impl->process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const QByteArray text = m_impl->process.readAllStandardOutput();
        const QString line = lastMeaningfulLine(m_impl->process.readAllStandardError());
        const Json answer = Json::parse(text.begin(), text.end(), nullptr, false);
        if (status == QProcess::NormalExit && code == 0 && !answer.is_discarded())
            emit answered(answer);
        else
            emit refused(line);
    });
}

JsonQuery::~JsonQuery() {
    m_impl->process.disconnect(this);
    if (isRunning()) {
        m_impl->process.kill();
        m_impl->process.waitForFinished(kEndMs);
    }
}

void JsonQuery::setProgram(const QString& path) {
    m_impl->program = path;
}

QString JsonQuery::program() const {
    return m_impl->program;
}

bool JsonQuery::isRunning() const {
    return m_impl->process.state() != QProcess::NotRunning;
}

void JsonQuery::ask(const QStringList& arguments, const QByteArray& input) {
    if (isRunning())
        return;
    m_impl->process.start(m_impl->program, arguments, QIODevice::ReadWrite);
    if (!input.isEmpty())
        m_impl->process.write(input);
    m_impl->process.closeWriteChannel();
}

} // namespace heteroscope::ui

#include "moc_json_query.cpp"
