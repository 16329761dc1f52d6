// SPDX-License-Identifier: GPL-3.0-or-later
// The query for devices.
#include "ui/devices/devices_query.h"

namespace heteroscope::ui {

DevicesQuery::DevicesQuery(QObject* parent) : QObject(parent) {
    connect(&m_query, &JsonQuery::answered, this, &DevicesQuery::arrived);
    connect(&m_query, &JsonQuery::notStarted, this, [this](const QString& reason) {
        emit failed(tr("%1 could not be started: %2. Experiments can be edited but not run.")
                        .arg(m_query.program(), reason));
    });
    connect(&m_query, &JsonQuery::refused, this, [this](const QString& line) {
        emit failed(tr("The devices of this machine could not be listed: %1").arg(line));
    });
}

void DevicesQuery::setProgram(const QString& path) {
    m_query.setProgram(path);
}

void DevicesQuery::start() {
    m_query.ask({QStringLiteral("devices"), QStringLiteral("--json")});
}

} // namespace heteroscope::ui

#include "moc_devices_query.cpp"
