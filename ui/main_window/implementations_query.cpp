// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window/implementations_query.h"

#include <utility>

namespace heteroscope::ui {

ImplementationsQuery::ImplementationsQuery(QObject* parent) : QObject(parent) {
    connect(&m_query, &JsonQuery::answered, this, [this](const Json& report) {
        if (!goesOn())
            emit arrived(report);
    });
    connect(&m_query, &JsonQuery::refused, this, [this](const QString& line) {
        if (!goesOn())
            emit failed(line);
    });
    connect(&m_query, &JsonQuery::notStarted, this, [this](const QString& reason) {
        m_next.reset();
        emit failed(tr("%1 could not be started: %2.").arg(m_query.program(), reason));
    });
}

void ImplementationsQuery::setProgram(const QString& path) {
    m_query.setProgram(path);
}

void ImplementationsQuery::ask(const Json& experiment, const QString& directory) {
    if (m_query.isRunning())
        m_next = Question{experiment, directory};
    else
        start({experiment, directory});
}

void ImplementationsQuery::start(const Question& question) {
    QStringList arguments{QStringLiteral("check"), QStringLiteral("--json"),
                          QStringLiteral("--implementations")};
    if (!question.directory.isEmpty())
        arguments += {QStringLiteral("--directory"), question.directory};
    arguments += QStringLiteral("-");
    m_query.ask(arguments, QByteArray::fromStdString(
                               question.experiment.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

bool ImplementationsQuery::goesOn() {
    if (!m_next)
        return false;
    start(*std::exchange(m_next, std::nullopt));
    return true;
}

} // namespace heteroscope::ui

#include "moc_implementations_query.cpp"
