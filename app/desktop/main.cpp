// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program.
#include "app/desktop/completion.h"
#include "app/desktop/last_words.h"
#include "app/desktop/options.h"
#include "app/desktop/printed.h"
#include "app/desktop/self_test.h"
#include "app/desktop/unattended.h"
#include "compute/base/exit_code.h"
#include "compute/base/memory_budget.h"
#include "compute/base/standard_descriptors.h"
#include "ui/common/language.h"
#include "ui/common/program_end.h"
#include "ui/common/settings.h"
#include "ui/main_window/dropped_files.h"
#include "ui/main_window/main_window.h"
#include "ui/report/report.h"

#include <QApplication>
#include <QTimer>

#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace heteroscope {

namespace {

/// Milliseconds since the program was started: since the kernel made the process, not since main.
double millisecondsSinceStart() {
    std::FILE* file = std::fopen("/proc/self/stat", "r");
    unsigned long long startTicks = 0;
    const char* format =
        "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu";
    const bool known = file != nullptr && std::fscanf(file, format, &startTicks) == 1;
    if (file != nullptr)
        std::fclose(file);
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    const double start = double(startTicks) * 1000.0 / double(sysconf(_SC_CLK_TCK));
    return known ? double(now.tv_sec) * 1000.0 + double(now.tv_nsec) / 1e6 - start : 0.0;
}

/// Qt gives up without a reason where it cannot open its plugins.
bool mayOpenFiles() {
    constexpr std::size_t kAtOnce = 3;
    std::vector<int> opened;
    while (opened.size() < kAtOnce) {
        opened.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
        if (opened.back() < 0)
            break;
    }
    const bool all = opened.back() >= 0;
    for (const int descriptor : opened)
        if (descriptor >= 0)
            ::close(descriptor);
    return all;
}

int writeTheReport(const Options& options) {
    QString error;
    ErrorCode code = ErrorCode::BadInput;
    OutputRules rules;
    rules.force = options.force;
    const bool written = ui::writeReport(options.report, options.runs, &error, &code, rules);
    if (error.isEmpty())
        return int(written ? ExitCode::Done : ExitCode::RunFailed);
    printErr(QStringLiteral("heteroscope: %1%2\n").arg(written ? "warning: " : "", error));
    return int(exitCodeOf(code));
}

bool wantsRun(const Options& options) {
    return options.run || options.repeat > 0 || (options.demo && !options.screenshotAll.isEmpty());
}

/// A recording has no experiment in Build: another one would run in its place.
bool isRecording(const QString& file) {
    const ui::FileKind kind = file.isEmpty() ? ui::FileKind::Unknown : ui::kindOfFile(file);
    return kind == ui::FileKind::RunFile || kind == ui::FileKind::Trace;
}

/// Opens what the arguments name; false when that was refused, or cannot run where it should.
bool openAsAsked(ui::MainWindow& window, const Options& options) {
    bool refused = false;
    const auto watch =
        QObject::connect(&window, &ui::MainWindow::refused, qApp, [&refused] { refused = true; });
    if (options.demo)
        window.openDemo();
    if (!options.file.isEmpty())
        window.openPath(options.file);
    if (wantsRun(options) && isRecording(options.file))
        window.refuseToRun(options.file);
    QObject::disconnect(watch);
    return !refused;
}

/// What the arguments ask for, once the window is there.
void carryOut(ui::MainWindow& window, const Options& options) {
    auto* unattended = Unattended::isAsked(options) ? new Unattended(window, options) : nullptr;
    if (unattended)
        window.setUnattended();
    const bool opened = openAsAsked(window, options) && (!unattended || unattended->mayWrite());
    if (opened && wantsRun(options))
        window.run();
    if (options.mode)
        window.setMode(*options.mode);
    if (!options.chart.isEmpty())
        window.showChart(options.chart);
    if (unattended)
        unattended->start();
}

/// The platform without a display warns of each size hint; nobody can act on it.
void dropSizeHintNoise(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (!text.contains(QLatin1String("propagateSizeHints")))
        printErr(qFormatLogMessage(type, context, text) + '\n');
}

int runWindow(const Options& options) {
    ui::Theme::instance().apply(options.scheme.value_or(ui::Settings().colorScheme()));
    ui::MainWindow window;
    if (options.size)
        window.resize(*options.size);
    int printed = int(ExitCode::Done);
    QObject::connect(&window, &ui::MainWindow::firstPainted, qApp, [&options, &printed] {
        if (options.measureStartup)
            printed = printAndEnd(
                QStringLiteral("first paint after %1 ms\n").arg(millisecondsSinceStart(), 0, 'f', 0),
                printed);
    });
    window.show();
    QTimer::singleShot(0, &window, [&window, &options] { carryOut(window, options); });
    const int code = QApplication::exec();
    return code == int(ExitCode::Done) ? printed : code;
}

} // namespace

} // namespace heteroscope

int main(int argc, char** argv) {
    using namespace heteroscope;
    fillStandardDescriptors();
    ignoreSignalsOfWriting();
    installLastWords();
    QStringList arguments;
    for (int i = 1; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    QString error;
    const auto options = parseOptions(arguments, &error);
    if (!options) {
        printErr(QStringLiteral("heteroscope: %1\n").arg(error));
        return int(ExitCode::Usage);
    }
    if (options->help || options->version)
        return printAndEnd(options->help ? usageText()
                                         : QStringLiteral("heteroscope %1\n").arg(HETEROSCOPE_VERSION),
                           int(ExitCode::Done));
    if (!options->completion.isEmpty())
        return printAndEnd(completionScript(options->completion), int(ExitCode::Done));
    QCoreApplication::setApplicationName(QStringLiteral("heteroscope"));
    QCoreApplication::setApplicationVersion(QStringLiteral(HETEROSCOPE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("io.github.heteroscope"));
    qInstallMessageHandler(dropSizeHintNoise);
    setMemoryLimit(options->memoryLimitBytes);
    if (!mayOpenFiles()) {
        printErr(QStringLiteral("heteroscope: too few files can be opened at once: raise the limit of this "
                                "process (ulimit -n)\n"));
        return int(ExitCode::RunFailed);
    }
    if (options->selfTest)
        prepareSelfTest();
    int noArguments = 1;
    QApplication application(noArguments, argv);
    ui::applyLanguage(ui::Settings().language());
    if (options->selfTest)
        return ui::endProgram(runSelfTest(options->json));
    return ui::endProgram(options->report.isEmpty() ? runWindow(*options) : writeTheReport(*options));
}
