// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/implementations_query.h"

#include "ui/run/worker_process.h"
#include "ui/run/worker_sentences.h"

#include <QProcess>

#include <optional>
#include <utility>

namespace heteroscope::ui {

namespace {

constexpr int kLastChanceMs = 300;

struct Question {
    Json experiment;
    QString directory;
};

} // namespace

struct ImplementationsQuery::Impl {
    QProcess process;
    QString program = WorkerProcess::programPath();
    std::optional<Question> next; ///< asked while the child answers another

    void start(const Question& question) {
        QStringList arguments{QStringLiteral("check"), QStringLiteral("--json"),
                              QStringLiteral("--implementations")};
        if (!question.directory.isEmpty())
            arguments += {QStringLiteral("--directory"), question.directory};
        arguments += QStringLiteral("-");
        process.start(program, arguments, QIODevice::ReadWrite);
        process.write(QByteArray::fromStdString(
            question.experiment.dump(-1, ' ', false, Json::error_handler_t::replace)));
        process.closeWriteChannel();
    }

    /// Whether the answer that came was to an older question; the next one is on its way then.
    bool goesOn() {
        if (!next)
            return false;
        start(*std::exchange(next, std::nullopt));
        return true;
    }
};

ImplementationsQuery::ImplementationsQuery(QObject* parent)
    : QObject(parent), m_impl(std::make_unique<Impl>()) {
    connect(&m_impl->process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit failed(
                tr("%1 could not be started: %2.").arg(m_impl->program, m_impl->process.errorString()));
    });
    connect(&m_impl->process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const QByteArray text = m_impl->process.readAllStandardOutput();
        const QString last = lastMeaningfulLine(m_impl->process.readAllStandardError());
        if (m_impl->goesOn())
            return;
        const Json report = Json::parse(text.begin(), text.end(), nullptr, false);
        if (status == QProcess::NormalExit && code == 0 && !report.is_discarded())
            emit arrived(report);
        else
            emit failed(last);
    });
}

ImplementationsQuery::~ImplementationsQuery() {
    m_impl->process.disconnect(this);
    if (m_impl->process.state() != QProcess::NotRunning) {
        m_impl->process.kill();
        m_impl->process.waitForFinished(kLastChanceMs);
    }
}

void ImplementationsQuery::setProgram(const QString& path) {
    m_impl->program = path;
}

void ImplementationsQuery::ask(const Json& experiment, const QString& directory) {
    if (m_impl->process.state() == QProcess::NotRunning)
        m_impl->start({experiment, directory});
    else
        m_impl->next = Question{experiment, directory};
}

} // namespace heteroscope::ui
