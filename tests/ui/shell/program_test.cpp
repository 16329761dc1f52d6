// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program from the outside: arguments, pictures, exit codes, time to the first paint.
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/files.h"
#include "tests/ui/shell/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <sys/stat.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

const QString kRecording =
    QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope");
constexpr char kImageExperiment[] =
    R"({"heteroscope": 1, "kind": "pooling", "name": "image",
        "pooling": {"mode": "max", "kernel": 2, "stride": 2,
                    "input": {"source": "image", "path": "in.png"}},
        "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "samples": 1}})";

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
        QTest::newRow("unknown chart") << QStringList{"--demo", "--chart", "nope"};
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
        if (arguments.contains("--chart"))
            QVERIFY2(ended.err.contains("'nope'; allowed: time, speedup,"), qPrintable(ended.err));
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

    void neverWritesOverWhatItReads_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<QString>("output");
        QTest::newRow("experiment") << QStringLiteral("e.json") << QStringLiteral("e.json");
        QTest::newRow("through a link") << QStringLiteral("e.json") << QStringLiteral("link.png");
        QTest::newRow("recording") << QStringLiteral("r.hscope") << QStringLiteral("r.hscope");
        QTest::newRow("image of the experiment") << QStringLiteral("e.json") << QStringLiteral("in.png");
    }
    void neverWritesOverWhatItReads() {
        QFETCH(QString, input);
        QFETCH(QString, output);
        const QTemporaryDir folder;
        QImage image(8, 8, QImage::Format_Grayscale8);
        image.fill(7);
        QVERIFY(image.save(folder.filePath("in.png")));
        writeFile(folder.filePath("e.json"), kImageExperiment);
        QVERIFY(QFile::copy(kRecording, folder.filePath("r.hscope")));
        QVERIFY(QFile::link(folder.filePath("e.json"), folder.filePath("link.png")));
        const QByteArray before = bytesOf(folder.filePath(output));
        for (const QStringList& force : {QStringList(), QStringList{"--force"}}) {
            const Ended ended = runProgram(
                QStringList{folder.filePath(input), "--screenshot", folder.filePath(output)} + force,
                m_data.path());
            QCOMPARE(ended.code, 2);
            QVERIFY2(ended.err.contains("is read here"), qPrintable(ended.err));
            QVERIFY(bytesOf(folder.filePath(output)) == before);
        }
    }

    void picturesReplaceForeignFilesOnlyWhenForced() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("thesis.txt");
        writeFile(path, "years of work");
        Ended ended = runProgram({"--screenshot", path}, m_data.path());
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.err.contains("--force"), qPrintable(ended.err));
        QCOMPARE(bytesOf(path), QByteArray("years of work"));
        ended = runProgram({"--screenshot", path, "--force"}, m_data.path());
        QVERIFY2(ended.code == 0, qPrintable(ended.err));
        QVERIFY(!QImage(path).isNull());
        QCOMPARE(runProgram({"--screenshot", path}, m_data.path()).code, 0); // over an earlier picture
    }

    void aPictureThatDoesNotFitLeavesNothing() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("s.png");
        QProcess shell;
        shell.setProcessEnvironment(environmentWith(m_data.path()));
        shell.start("/bin/sh",
                    {"-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" --demo --mode build --screenshot \"$1\"",
                     HETEROSCOPE_BINARY_DIR "/heteroscope", path});
        QVERIFY(shell.waitForFinished(90000 * kTimeFactor));
        QCOMPARE(shell.exitCode(), 1);
        const QString said = QString::fromUtf8(shell.readAllStandardError());
        QVERIFY2(said.contains("File too large") && said.contains(path), qPrintable(said));
        QVERIFY2(!said.contains("libpng"), qPrintable(said));
        QVERIFY(!QFile::exists(path));
    }

    /// A table of the report lies where a link leads to what it is made of; other people's files stay as
    /// well.
    void aReportLeavesWhatIsNotItsOwn() {
        const QTemporaryDir folder;
        const QString run = folder.filePath("r.hscope");
        QVERIFY(QFile::copy(kRecording, run));
        const QByteArray recording = bytesOf(run);
        for (const char* name : {"runs.csv", "samples.csv", "report.html"}) {
            const QTemporaryDir out;
            const QString taken = out.filePath(QString::fromLatin1(name));
            QVERIFY(QFile::link(run, taken));
            Ended ended = runProgram({"--report", out.path(), "--force", "--runs", run}, m_data.path());
            QVERIFY2(ended.code == 2 && ended.err.contains("is read here"), qPrintable(ended.err));
            QVERIFY(bytesOf(run) == recording);
            QVERIFY(QFile::remove(taken));
            writeFile(taken, "somebody's own");
            ended = runProgram({"--report", out.path(), "--runs", run}, m_data.path());
            QVERIFY2(ended.code == 2 && ended.err.contains("--force"), qPrintable(ended.err));
            QCOMPARE(bytesOf(taken), QByteArray("somebody's own"));
            QCOMPARE(QDir(out.path()).entryList(QDir::Files).size(), 1); // nothing beside it
            ended = runProgram({"--report", out.path(), "--force", "--runs", run}, m_data.path());
            QVERIFY2(ended.code == 0, qPrintable(ended.err));
            ended = runProgram({"--report", out.path(), "--runs", run}, m_data.path()); // over an earlier one
            QVERIFY2(ended.code == 0, qPrintable(ended.err));
        }
    }

    /// Nobody edits in it.
    void anUnattendedWindowLeavesNoJournal() {
        const QTemporaryDir folder;
        QImage image(8, 8, QImage::Format_Grayscale8);
        image.fill(7);
        QVERIFY(image.save(folder.filePath("in.png")));
        QProcess process;
        process.setProcessEnvironment(environmentWith(folder.path()));
        process.start(HETEROSCOPE_BINARY_DIR "/heteroscope",
                      {folder.filePath("in.png"), "--screenshot-all", folder.filePath("shots")});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(folder.filePath("shots/start.png")), 60000 * kTimeFactor);
        process.terminate();
        QVERIFY(process.waitForFinished(90000 * kTimeFactor));
        QCOMPARE(QDir(folder.filePath("recovery")).entryList({"*.journal"}, QDir::Files), QStringList());
        QFile settings(folder.filePath("settings.ini")); // nor is it among the recent files
        const bool isThere = settings.open(QIODevice::ReadOnly);
        QVERIFY(!isThere || !settings.readAll().contains("in.png"));
    }

    void tooFewDescriptorsAreSaid() {
        QProcess limited;
        limited.setProcessEnvironment(environmentWith(m_data.path()));
        limited.start(
            "bash",
            {"-c",
             "for one in {3..30}; do eval \"exec $one>&-\"; done; exec prlimit --nofile=4 -- \"$0\" \"$@\"",
             HETEROSCOPE_BINARY_DIR "/heteroscope", "--screenshot", m_data.filePath("x.png")});
        QVERIFY(limited.waitForFinished(90000 * kTimeFactor));
        const QString said = QString::fromUtf8(limited.readAllStandardError());
        QVERIFY2(limited.exitStatus() == QProcess::NormalExit && limited.exitCode() == 1 &&
                     said.contains("ulimit -n"),
                 qPrintable(QString::number(limited.exitCode()) + ' ' + said));
    }

    /// Wherever the memory ends, the window has a last word: its own, or the loader's that never started it.
    void whereMemoryEndsItSaysSo() {
        if (kTimeFactor > 1)
            return; // a sanitizer needs more address space than any limit here
        int own = 0, done = 0;
        for (const int mebibytes : {60, 95, 100, 105, 2000}) {
            QProcess shell;
            shell.setProcessEnvironment(environmentWith(m_data.path()));
            shell.start(
                "bash",
                {"-c", "ulimit -c 0; ulimit -v " + QString::number(mebibytes * 1024) + "; exec \"$0\" \"$@\"",
                 HETEROSCOPE_BINARY_DIR "/heteroscope", "--demo", "--force", "--screenshot",
                 m_data.filePath("x.png")});
            QVERIFY(shell.waitForFinished(150000)); // an end of its own, where Qt would wait without one
            const QString said = QString::fromUtf8(shell.readAllStandardError());
            if (shell.exitStatus() == QProcess::NormalExit && shell.exitCode() == 0) {
                ++done;
                continue;
            }
            const bool ofLoader = said.contains("error while loading shared libraries") ||
                                  said.contains("libgomp: Out of memory");
            own += said.contains("heteroscope: error: ") ? 1 : 0;
            QVERIFY2(ofLoader || said.contains("heteroscope: "),
                     qPrintable(QString::number(mebibytes) + " MiB: " + QString::number(shell.exitCode()) +
                                ' ' + said));
        }
        QVERIFY(done > 0);
        QVERIFY(own > 0);
    }

    /// As trace info and the report do: what could be read is shown, and that it is not all is told.
    void aDamagedRecordingIsBadInput() {
        const QTemporaryDir folder;
        const QByteArray whole = bytesOf(kRecording);
        const QString damaged = folder.filePath("damaged.hscope"), early = folder.filePath("early.hscope");
        writeFile(damaged, whole + "more");
        writeFile(early, whole.chopped(1));
        const QString picture = folder.filePath("s.png");
        for (const QStringList& asked : {QStringList{"--screenshot", picture, "--mode", "analyze"},
                                         QStringList{"--screenshot-all", folder.filePath("shots")}}) {
            const Ended ended = runProgram(QStringList{damaged} + asked, m_data.path());
            QVERIFY2(ended.code == 2, qPrintable(ended.err));
            QVERIFY2(ended.err.contains("damaged.hscope") && ended.err.contains("behind the end"),
                     qPrintable(ended.err));
        }
        QVERIFY(!QImage(picture).isNull());
        QVERIFY(!QImage(folder.filePath("shots/analyze.png")).isNull());
        QCOMPARE(runProgram({early, "--screenshot", picture}, m_data.path()).code, 0);
    }

    void alwaysEndsWithASentence_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("sentence");
        const QString bad = QStringLiteral(
            R"({"heteroscope": 1, "kind": "pooling", "pooling": {"kernel": -3}, "targets": ["cpu/sequential"]})");
        QTest::newRow("bad value") << bad << "/pooling/kernel";
        QTest::newRow("no JSON") << QStringLiteral("{\"heteroscope\": 1, ") << "bad.json";
        QTest::newRow("one brace") << QStringLiteral("{") << "bad.json is not an experiment";
        QTest::newRow("another object") << QStringLiteral("{\"a\":1}") << "with \"kind\" was expected";
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
            shell.setProcessEnvironment(environmentWith(m_data.path()));
            shell.start("/bin/sh", {"-c", QStringLiteral("exec \"$0\" \"$@\" ") + closed,
                                    HETEROSCOPE_BINARY_DIR "/heteroscope", "--demo", "--mode", "build",
                                    "--screenshot", file});
            QVERIFY(shell.waitForFinished(90000 * kTimeFactor));
            QCOMPARE(shell.exitCode(), 0);
            QVERIFY2(!QImage(file).isNull(), closed);
        }
    }

    void outputThatIsLostIsAFailure() {
        const QString file = m_data.filePath("once.json");
        writeFile(file, R"({"heteroscope": 1, "kind": "pooling", "name": "once",
                            "pooling": {"mode": "max", "kernel": 2, "stride": 2,
                                        "input": {"source": "random", "size": 32, "seed": 1}},
                            "targets": ["cpu/sequential"], "sampling": {"preset": "quick", "samples": 2}})");
        for (const QStringList& arguments :
             {QStringList{"--help"}, QStringList{"--version"}, QStringList{"--completion", "bash"},
              QStringList{"--self-test"}, QStringList{"--self-test", "--json"},
              QStringList{file, "--repeat", "1"},
              QStringList{"--measure-startup", "--screenshot", m_data.filePath("x.png")}}) {
            QProcess program;
            program.setProcessEnvironment(environmentWith(m_data.path()));
            program.setStandardOutputFile("/dev/full");
            program.start(HETEROSCOPE_BINARY_DIR "/heteroscope", arguments);
            QVERIFY(program.waitForFinished(90000 * kTimeFactor));
            const QString said = QString::fromUtf8(program.readAllStandardError());
            QVERIFY2(program.exitCode() == 1, qPrintable(arguments.join(' ') + ": " + said));
            QVERIFY2(said.contains("heteroscope: standard output: cannot write: No space left on device\n"),
                     qPrintable(arguments.join(' ') + ": " + said));
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

HETEROSCOPE_UI_TEST(ProgramTest)
#include "program_test.moc"
