// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program from the outside: arguments, pictures, exit codes, time to the first paint.
#include "tests/support/time_factor.h"

#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Ended {
    int code = -1;
    QString out, err;
};

Ended runProgram(const QStringList& arguments, const QString& data) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("HETEROSCOPE_DATA", data);
    environment.insert("XDG_RUNTIME_DIR", data);
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    process.setProcessEnvironment(environment);
    process.start(HETEROSCOPE_BINARY_DIR "/heteroscope", arguments);
    if (!process.waitForFinished(90000 * kTimeFactor))
        process.kill();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace

class ProgramTest : public QObject {
    Q_OBJECT
  private slots:
    void helpAndVersion() {
        QCOMPARE(runProgram({"--version"}, m_data.path()).code, 0);
        const Ended help = runProgram({"--help"}, m_data.path());
        QCOMPARE(help.code, 0);
        for (const char* option :
             {"--demo", "--mode", "--scheme", "--size", "--screenshot", "--screenshot-all", "--report"})
            QVERIFY2(help.out.contains(option), option);
    }

    void wrongArgumentsAreUsageErrors_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("unknown option") << QStringList{"--nonsense"};
        QTest::newRow("unknown mode") << QStringList{"--mode", "paint"};
        QTest::newRow("size") << QStringList{"--size", "12by7"};
        QTest::newRow("huge size") << QStringList{"--size", "99999x99999"};
        QTest::newRow("missing value") << QStringList{"--screenshot"};
        QTest::newRow("two files") << QStringList{"a.json", "b.json"};
        QTest::newRow("report without runs") << QStringList{"--report", "folder"};
    }
    void wrongArgumentsAreUsageErrors() {
        QFETCH(QStringList, arguments);
        const Ended ended = runProgram(arguments, m_data.path());
        QCOMPARE(ended.code, 64);
        QVERIFY(ended.err.startsWith("heteroscope: "));
    }

    void takesAPictureOfTheSizeAskedFor() {
        const QString file = m_data.filePath("build.png");
        const Ended ended = runProgram(
            {"--demo", "--mode", "build", "--scheme", "dark", "--size", "1200x800", "--screenshot", file},
            m_data.path());
        QCOMPARE(ended.err, QString());
        QCOMPARE(ended.code, 0);
        const QImage image(file);
        QCOMPARE(image.size(), QSize(1200, 800));
        QVERIFY(qGray(image.pixel(image.width() / 2, 3)) < 100); // dark
    }

    void aPictureThatCannotBeWrittenIsAFailure() {
        const Ended ended = runProgram({"--screenshot", "/proc/nowhere/x.png"}, m_data.path());
        QCOMPARE(ended.code, 1);
        QVERIFY(ended.err.contains("/proc/nowhere/x.png"));
    }

    void measuresTheStart() {
        const Ended ended =
            runProgram({"--measure-startup", "--screenshot", m_data.filePath("x.png")}, m_data.path());
        static const QRegularExpression line("^first paint after \\d+ ms\n$");
        QVERIFY2(line.match(ended.out).hasMatch(), qPrintable(ended.out));
    }

  private:
    QTemporaryDir m_data;
};

QTEST_MAIN(ProgramTest)
#include "heteroscope_paths.h"
#include "program_test.moc"
