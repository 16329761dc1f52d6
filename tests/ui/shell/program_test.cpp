// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program from the outside: arguments, pictures, exit codes, time to the first paint.
#include "tests/support/time_factor.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <heteroscope_paths.h>
#include <sys/stat.h>

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
        QTest::newRow("no limit") << QStringList{"--memory-limit", "0"};
        QTest::newRow("negative limit") << QStringList{"--memory-limit", "-1"};
        QTest::newRow("no repeats") << QStringList{"--repeat", "0"};
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

    void alwaysEndsWithASentence_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("sentence");
        const QString bad = QStringLiteral(
            R"({"heteroscope": 1, "kind": "pooling", "pooling": {"kernel": -3}, "targets": ["cpu/sequential"]})");
        QTest::newRow("bad value") << bad << "/pooling/kernel";
        QTest::newRow("no JSON") << QStringLiteral("{\"heteroscope\": 1, ") << "bad.json";
        QTest::newRow("another text") << QStringLiteral("hello") << "bad.json";
        QTest::newRow("empty") << QString() << "is empty";
        QTest::newRow("cut trace") << QStringLiteral("[{\"ph\": }, }") << "bad.json";
        QTest::newRow("missing") << QStringLiteral("-") << "does not exist";
        QTest::newRow("FIFO") << QStringLiteral("|") << "FIFO";
    }
    void alwaysEndsWithASentence() {
        QFETCH(QString, content);
        QFETCH(QString, sentence);
        QTemporaryDir folder;
        const QString path = folder.filePath("bad.json");
        if (content == "|") {
            QCOMPARE(::mkfifo(path.toLocal8Bit().constData(), 0600), 0);
        } else if (content != "-") {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(content.toUtf8());
        }
        for (const QStringList& asked :
             {QStringList{"--run", "--screenshot-all", folder.filePath("shots")},
              QStringList{"--screenshot", folder.filePath("x.png")}, QStringList{"--repeat", "2"}}) {
            QElapsedTimer elapsed;
            elapsed.start();
            const Ended ended = runProgram(QStringList{path} + asked, m_data.path());
            const bool pictureOfAMistake = asked.front() == "--screenshot" && sentence.startsWith('/');
            QCOMPARE(ended.code, pictureOfAMistake ? 0 : 2); // a form may be shown with its mistake
            if (!pictureOfAMistake)
                QVERIFY2(ended.err.startsWith("heteroscope: ") && ended.err.contains(sentence),
                         qPrintable(ended.err));
            QVERIFY2(elapsed.elapsed() < 30000 * kTimeFactor, qPrintable(asked.front()));
        }
    }

    void aRunThatFailsEndsWithItsSentence() {
        QTemporaryDir folder;
        QFile file(folder.filePath("e.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"heteroscope": 1, "kind": "pooling", "name": "no such target",
                       "pooling": {"mode": "max", "kernel": 2, "stride": 2,
                                   "input": {"source": "npy", "path": "nowhere.npy"}},
                       "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "samples": 1}})");
        file.close();
        const Ended ended = runProgram(
            {file.fileName(), "--run", "--screenshot-all", folder.filePath("shots")}, m_data.path());
        QVERIFY2(ended.code == 1 || ended.code == 2, qPrintable(QString::number(ended.code)));
        QVERIFY2(ended.err.contains("nowhere.npy"), qPrintable(ended.err));
    }

    void repeatsRunsAndEnds() {
        QTemporaryDir folder;
        QFile file(folder.filePath("e.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"heteroscope": 1, "kind": "pooling", "name": "again",
                       "pooling": {"mode": "max", "kernel": 2, "stride": 2,
                                   "input": {"source": "random", "size": 32, "seed": 1}},
                       "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "samples": 2}})");
        file.close();
        const Ended ended = runProgram({file.fileName(), "--repeat", "3"}, m_data.path());
        QCOMPARE(ended.err, QString());
        QCOMPARE(ended.code, 0);
        QCOMPARE(ended.out, QStringLiteral("run 1 ended\nrun 2 ended\nrun 3 ended\n"));
    }

    /// Otherwise a file that it opens gets the number of one of them, and messages go into it.
    void isStartedWithoutDescriptors() {
        for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
            const QString file = m_data.filePath("closed.png");
            QFile::remove(file);
            QProcess shell;
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("QT_QPA_PLATFORM", "offscreen");
            environment.insert("HETEROSCOPE_DATA", m_data.path());
            environment.insert("XDG_RUNTIME_DIR", m_data.path());
            shell.setProcessEnvironment(environment);
            shell.start("/bin/sh", {"-c", QStringLiteral("exec \"$0\" \"$@\" ") + closed,
                                    HETEROSCOPE_BINARY_DIR "/heteroscope", "--demo", "--mode", "build",
                                    "--screenshot", file});
            QVERIFY(shell.waitForFinished(90000 * kTimeFactor));
            QCOMPARE(shell.exitCode(), 0);
            QVERIFY2(!QImage(file).isNull(), closed);
        }
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
#include "program_test.moc"
