// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the window's program to its end, without a display.
#pragma once

#include "tests/support/time_factor.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <heteroscope_paths.h>

namespace heteroscope::ui {

struct Ended {
    int code = -1;
    bool byItself = false; ///< not killed after the limit
    QString out, err;
};

inline QProcessEnvironment environmentWith(const QString& data) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HETEROSCOPE_DATA", data);
    environment.insert("XDG_RUNTIME_DIR", data);
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    return environment;
}

inline Ended runProgram(const QStringList& arguments, const QString& data) {
    QProcess process;
    process.setProcessEnvironment(environmentWith(data));
    process.start(HETEROSCOPE_BINARY_DIR "/heteroscope", arguments);
    const bool byItself = process.waitForFinished(90000 * kTimeFactor);
    if (!byItself) {
        process.kill();
        process.waitForFinished();
    }
    return {process.exitCode(), byItself, QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace heteroscope::ui
