// SPDX-License-Identifier: GPL-3.0-or-later
// The window's program with any file: it ends when told, and what it cannot open or run it says; within its
// memory limit.
#include "compute/base/npy.h"
#include "tests/support/hostile/hostile_files.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/files.h"
#include "tests/ui/shell/program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QTemporaryDir>

#include <filesystem>
#include <sys/resource.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

enum class What { Picture, CutPicture, Array, CutArray, Recording, Device, Folder };

QString picture(const QString& path, bool whole) {
    QImage image(64, 64, QImage::Format_Grayscale8);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            image.scanLine(y)[x] = uchar((x * 31 + y * 17) % 251); // enough for the cut to lie in the pixels
    if (!image.save(path))
        return {};
    if (!whole) {
        const QByteArray bytes = bytesOf(path);
        writeFile(path, bytes.left(bytes.size() / 2));
    }
    return path;
}

QString array(const QString& path, bool whole) {
    const std::vector<std::int64_t> shape{1, 1, 16, 16};
    const auto bytes = compute::writeNpy(shape, std::vector<float>(256, 2.0F));
    const auto size = qsizetype(whole ? bytes.size() : bytes.size() - 100);
    writeFile(path, QByteArray(reinterpret_cast<const char*>(bytes.data()), size));
    return path;
}

QString pathOf(What what, const QTemporaryDir& folder) {
    switch (what) {
    case What::Picture:
    case What::CutPicture:
        return picture(folder.filePath("in.png"), what == What::Picture);
    case What::Array:
    case What::CutArray:
        return array(folder.filePath("in.npy"), what == What::Array);
    case What::Recording:
        QFile::copy(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope",
                    folder.filePath("r.hscope"));
        return folder.filePath("r.hscope");
    case What::Device:
        return QStringLiteral("/dev/zero");
    case What::Folder:
        break;
    }
    return folder.path();
}

} // namespace

class ProgramFilesTest : public QObject {
    Q_OBJECT
  private slots:
    void alwaysEndsWithWhateverIsOpened_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<int>("whenRun"); ///< the exit code with --run and --repeat
        QTest::addColumn<int>("whenShown");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("picture") << int(What::Picture) << 0 << 0 << QString();
        QTest::newRow("cut picture") << int(What::CutPicture) << 2 << 0 << "in.png";
        QTest::newRow("array") << int(What::Array) << 0 << 0 << QString();
        QTest::newRow("cut array") << int(What::CutArray) << 2 << 0 << "in.npy";
        QTest::newRow("recording") << int(What::Recording) << 2 << 0 << "r.hscope";
        QTest::newRow("device") << int(What::Device) << 2 << 2 << "is a character device";
        QTest::newRow("folder") << int(What::Folder) << 2 << 2 << "is a folder";
    }
    void alwaysEndsWithWhateverIsOpened() {
        QFETCH(int, what);
        QFETCH(int, whenRun);
        QFETCH(int, whenShown);
        QFETCH(QString, sentence);
        const QTemporaryDir folder, out;
        const QString path = pathOf(What(what), folder);
        QVERIFY(QFileInfo::exists(path));
        for (const QStringList& asked :
             {QStringList{"--run", "--screenshot-all", out.filePath("shots")},
              QStringList{"--screenshot-all", out.filePath("quiet")},
              QStringList{"--screenshot", out.filePath("x.png")}, QStringList{"--repeat", "1"}}) {
            const bool runs = asked.front() == "--run" || asked.front() == "--repeat";
            if (runs && whenRun == 0 && (What(what) == What::Array || asked.front() == "--repeat"))
                continue; // each runs until its intervals are narrow: once is enough for what does not depend
                          // on the file
            QElapsedTimer elapsed;
            elapsed.start();
            const Ended ended = runProgram(QStringList{path} + asked, m_data.path());
            QVERIFY2(ended.byItself, qPrintable(asked.front()));
            QVERIFY2(ended.code == (runs ? whenRun : whenShown),
                     qPrintable(asked.front() + ": " + QString::number(ended.code) + ' ' + ended.err));
            if (ended.code != 0)
                QVERIFY2(ended.err.contains("heteroscope: ") && ended.err.contains(sentence),
                         qPrintable(ended.err));
            QVERIFY2(elapsed.elapsed() < 60000 * kTimeFactor, qPrintable(asked.front()));
        }
    }

    /// Linux takes any bytes as a name; texts cannot hold them, which is said rather than that there is no
    /// file.
    void saysThatANameIsNoText() {
        const QTemporaryDir folder;
        const QByteArray name = QFile::encodeName(folder.path()) + "/\xff.hscope";
        const QString known =
            QStringLiteral(HETEROSCOPE_SOURCE_DIR "/resources/recorded/window_strategy_h100.hscope");
        std::filesystem::copy_file(known.toStdString(), name.toStdString());
        for (const char* asked :
             {"--screenshot x.png $'\\xff.hscope'", "--report r --runs $'\\xff.hscope'"}) {
            QProcess shell; // QProcess takes texts, too
            shell.setProcessEnvironment(environmentWith(m_data.path()));
            shell.setWorkingDirectory(folder.path());
            shell.start("bash",
                        {"-c", "exec \"$0\" " + QString(asked), HETEROSCOPE_BINARY_DIR "/heteroscope"});
            QVERIFY(shell.waitForFinished(90000 * kTimeFactor));
            const QString said = QString::fromUtf8(shell.readAllStandardError());
            QVERIFY2(shell.exitCode() == 2, qPrintable(QString::number(shell.exitCode()) + ' ' + said));
            QVERIFY2(said.contains("no UTF-8 text") && said.contains("ln -s"), qPrintable(said));
        }
    }

    void staysWithinItsMemoryLimit_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("run file") << "r.hscope";
        QTest::newRow("Chrome trace") << "t.json.gz";
        QTest::newRow("values of an experiment") << "e.json";
    }
    void staysWithinItsMemoryLimit() {
        QFETCH(QString, name);
        const QTemporaryDir folder;
        const QString path = folder.filePath(name);
        if (name.endsWith("hscope")) {
            hostile::writeSwollenRunFile(path.toStdString(), 100000000);
        } else if (name.endsWith("gz")) {
            hostile::writeManyTracks(path.toStdString(), 300000);
        } else {
            QByteArray text = R"({"heteroscope": 1, "kind": "pooling", "x": [)";
            for (int i = 0; i < 1000000; ++i)
                text += "[],";
            writeFile(path, text + "1]}");
        }
        const Ended ended = runProgram(
            {path, "--memory-limit", "64MiB", "--screenshot", folder.filePath("x.png")}, m_data.path());
        QVERIFY(ended.byItself);
        QVERIFY2(ended.code == 1, qPrintable(QString::number(ended.code) + ' ' + ended.err)); // no bad input
        QVERIFY2(ended.err.contains(name) && ended.err.contains("of memory in all; allowed: 64.0 MiB"),
                 qPrintable(ended.err));
        QVERIFY2(!ended.err.contains("damaged"), qPrintable(ended.err));
        if (name.endsWith("hscope")) {
            const Ended report =
                runProgram({"--report", folder.filePath("out"), "--memory-limit", "64MiB", "--runs", path},
                           m_data.path());
            QVERIFY2(report.code == 1 && report.err.contains(name), qPrintable(report.err));
        }
        rusage children{};
        QCOMPARE(getrusage(RUSAGE_CHILDREN, &children), 0);
        const long mostKiB = (64 + 384) * 1024 * (kTimeFactor > 1 ? 3 : 1); // the window itself, too
        QVERIFY2(children.ru_maxrss < mostKiB, qPrintable(QString::number(children.ru_maxrss)));
    }

  private:
    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(ProgramFilesTest)
#include "program_files_test.moc"
