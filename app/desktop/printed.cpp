// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/printed.h"

#include "compute/base/exit_code.h"

#include <cerrno>
#include <cstdio>

namespace heteroscope {

Status printOut(const QString& text) {
    const QByteArray bytes = text.toLocal8Bit();
    const bool written =
        std::fwrite(bytes.constData(), 1, std::size_t(bytes.size()), stdout) == std::size_t(bytes.size());
    if (written && std::fflush(stdout) == 0)
        return {};
    return systemRefusal(ErrorCode::Io, "standard output", "cannot write", errno);
}

void printErr(const QString& text) {
    std::fputs(text.toLocal8Bit().constData(), stderr);
    std::fflush(stderr);
}

int printAndEnd(const QString& text, int exitCode) {
    const Status printed = printOut(text);
    if (printed)
        return exitCode;
    printErr(QStringLiteral("heteroscope: %1\n").arg(QString::fromStdString(printed.error().sentence())));
    return int(ExitCode::RunFailed);
}

} // namespace heteroscope
