// SPDX-License-Identifier: GPL-3.0-or-later
// The self-test of the window.
#include "app/desktop/self_test.h"

#include "app/desktop/printed.h"
#include "app/desktop/self_test_checks.h"
#include "compute/base/exit_code.h"
#include "ui/run/worker_process.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryDir>

#include <filesystem>
#include <system_error>

namespace heteroscope {

namespace {

constexpr int kCommandLineLimitMs = 240000; ///< it ends each study that hangs by itself
constexpr int kDisplayLimitMs = 60000;
constexpr const char* kPlatformVariable = "QT_QPA_PLATFORM";

QString platformAsked; ///< the variable as the user has it

struct ChildEnd {
    bool ended = false;
    int code = -1;
    QByteArray out;
    QString words; ///< why it could not be started, or the last line of its stderr
};

ChildEnd runChild(const QString& program, const QStringList& arguments, int limitMs) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (platformAsked.isEmpty())
        environment.remove(kPlatformVariable);
    else
        environment.insert(kPlatformVariable, platformAsked);
    process.setProcessEnvironment(environment);
    process.start(program, arguments);
    ChildEnd end;
    if (!process.waitForStarted() || !process.waitForFinished(limitMs)) {
        end.words = QStringLiteral("%1: %2").arg(program, process.errorString());
        process.kill();
        process.waitForFinished();
        return end;
    }
    end.ended = process.exitStatus() == QProcess::NormalExit;
    end.code = end.ended ? process.exitCode() : -1;
    end.out = process.readAllStandardOutput();
    end.words = QString::fromLocal8Bit(process.readAllStandardError()).trimmed().section('\n', -1);
    if (!end.ended)
        end.words.prepend(QStringLiteral("it was ended by signal %1; ").arg(process.exitCode()));
    return end;
}

/// What the command line found; the run files are in `folder` then.
Json commandLineTest(const QString& folder) {
    const ChildEnd end = runChild(ui::WorkerProcess::programPath(), {"self-test", "--json", "--keep", folder},
                                  kCommandLineLimitMs);
    Json record = Json::parse(end.out.begin(), end.out.end(), nullptr, false);
    if (record.is_object() && record.contains("checks") && record.at("checks").is_array())
        return record;
    record = {{"checks", Json::array()}};
    addCheck(record, "command line", WindowCheck::Fail,
             end.words.isEmpty() ? QStringLiteral("it gave no answer (exit code %1)").arg(end.code)
                                 : end.words);
    return record;
}

/// The program itself, with the user's display.
void checkDisplay(Json& record, const QString& folder) {
    QStringList known;
    for (const char* name : {kPlatformVariable, "WAYLAND_DISPLAY", "DISPLAY"}) {
        const QString value = name == kPlatformVariable ? platformAsked : qEnvironmentVariable(name);
        if (!value.isEmpty())
            known << QStringLiteral("%1=%2").arg(QLatin1String(name), value);
    }
    if (known.isEmpty()) {
        addCheck(
            record, "display", WindowCheck::Missing,
            QStringLiteral(
                "neither DISPLAY nor WAYLAND_DISPLAY is set; pictures, figures and reports can be made"));
        return;
    }
    const ChildEnd end = runChild(
        QCoreApplication::applicationFilePath(),
        {"--measure-startup", "--screenshot", folder + QStringLiteral("/display.png")}, kDisplayLimitMs);
    const bool good = end.ended && end.code == int(ExitCode::Done);
    const QString place = known.join(QStringLiteral(", "));
    addCheck(record, "display", good ? WindowCheck::Pass : WindowCheck::Fail,
             QStringLiteral("%1: %2").arg(place, good ? QString::fromUtf8(end.out).trimmed() : end.words));
}

QString recordText(const Json& record, bool json) {
    return json ? QString::fromStdString(record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n")
                : checkTable(record);
}

} // namespace

void prepareSelfTest() {
    platformAsked = qEnvironmentVariable(kPlatformVariable);
    qputenv(kPlatformVariable, "offscreen");
}

int runSelfTest(bool json) {
    QElapsedTimer elapsed;
    elapsed.start();
    // Qt would take another folder for one that TMPDIR names and that is not there.
    std::error_code failure;
    const std::filesystem::path place = std::filesystem::temp_directory_path(failure);
    const QTemporaryDir folder(QString::fromStdString((place / "heteroscope-XXXXXX").string()));
    Json record;
    if (!failure && folder.isValid()) {
        record = commandLineTest(folder.path());
        checkDisplay(record, folder.path());
        checkWindow(record, folder.path());
    } else {
        record = {{"checks", Json::array()}};
        addCheck(record, "temporary folder", WindowCheck::Fail,
                 failure ? QStringLiteral("%1: %2").arg(qEnvironmentVariable("TMPDIR"),
                                                        QString::fromStdString(failure.message()))
                         : folder.errorString());
    }
    record["program"] = "heteroscope";
    record["version"] = HETEROSCOPE_VERSION;
    record["seconds"] = double(elapsed.elapsed()) / 1000.0;
    record["passed"] = allPassed(record);
    return printAndEnd(recordText(record, json),
                       int(allPassed(record) ? ExitCode::Done : ExitCode::RunFailed));
}

} // namespace heteroscope
