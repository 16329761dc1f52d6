// SPDX-License-Identifier: GPL-3.0-or-later
// The window's completion scripts: each is one that its shell reads, and bash offers what the options take.
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/program.h"
#include "tests/ui/skip.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;

class CompletionTest : public QObject {
    Q_OBJECT
  private slots:
    void init() {
        for (const char* shell : {"bash", "fish", "zsh"}) {
            const Ended ended = runProgram({"--completion", shell}, m_data.path());
            QCOMPARE(ended.code, 0);
            QFile script(m_data.filePath(shell));
            QVERIFY(script.open(QIODevice::WriteOnly) && script.write(ended.out.toUtf8()) > 0);
        }
    }

    void everyOptionOfTheHelpIsInEveryScript() {
        static const QRegularExpression option(QStringLiteral("(?:^|[\\s\\[,])(--[a-z-]+)"));
        const QString help = runProgram({"--help"}, m_data.path()).out;
        QStringList names;
        for (auto match = option.globalMatch(help); match.hasNext();)
            names.append(match.next().captured(1));
        QVERIFY(names.contains("--demo") && names.contains("--version") && names.contains("--json"));
        for (const QString& name : names) {
            QVERIFY2(scriptOf("bash").contains(name), qPrintable(name));
            QVERIFY2(scriptOf("fish").contains("-l " + name.mid(2) + ' '), qPrintable(name));
            QVERIFY2(scriptOf("zsh").contains("'*" + name), qPrintable(name));
        }
    }

    void bashOffersOptionsValuesAndFiles() {
        QCOMPARE(offered({"--sc"}), "--scheme --screenshot --screenshot-all ");
        QCOMPARE(offered({"--mode", "t"}), "timeline ");
        QCOMPARE(offered({"--mode", "=", "b"}), "build ");
        QCOMPARE(offered({"--mode", "="}), "start build run timeline analyze library ");
        QCOMPARE(offered({"--scheme", ""}), "dark light ");
        QCOMPARE(offered({"--completion", "f"}), "fish ");
        QVERIFY(offered({"--chart", ""}).contains("speedup "));
        QCOMPARE(offered({"--size", ""}), " ");
        const QString file = m_data.filePath("study.json"), folder = m_data.filePath("studies");
        QVERIFY(QFile(file).open(QIODevice::WriteOnly) && QDir().mkpath(folder));
        QCOMPARE(offered({m_data.filePath("study.")}), file + ' ');
        QCOMPARE(offered({"--report", m_data.filePath("stud")}), folder + ' ');
    }

    /// Each word that is offered is one that the program takes.
    void whatIsOfferedIsTaken() {
        const QString modes = offered({"--mode", ""});
        for (const QString& mode : modes.split(' ', Qt::SkipEmptyParts))
            QCOMPARE(runProgram({"--mode", mode, "--help"}, m_data.path()).code, 0);
        for (const QString& chart : offered({"--chart", ""}).split(' ', Qt::SkipEmptyParts))
            QCOMPARE(runProgram({"--chart", chart, "--help"}, m_data.path()).code, 0);
    }

    void isAScriptThatItsShellReads_data() {
        QTest::addColumn<QString>("shell");
        for (const char* shell : {"bash", "fish", "zsh"})
            QTest::newRow(shell) << QString::fromLatin1(shell);
    }
    void isAScriptThatItsShellReads() {
        QFETCH(QString, shell);
        if (shell == "fish" && QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP_WITHOUT("fish", "fish is not installed");
        if (shell == "zsh" && QStandardPaths::findExecutable(shell).isEmpty())
            QSKIP_WITHOUT("zsh", "zsh is not installed");
        QCOMPARE(printedBy(shell, {"-n", m_data.filePath(shell)}), QString());
    }

    void anotherShellIsAUsageError() {
        const Ended ended = runProgram({"--completion", "tcsh"}, m_data.path());
        QCOMPARE(ended.code, 64);
        QVERIFY2(ended.err.contains("allowed: bash, fish, zsh"), qPrintable(ended.err));
    }

  private:
    QString scriptOf(const char* shell) const {
        QFile file(m_data.filePath(shell));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    static QString printedBy(const QString& program, const QStringList& arguments) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(program, arguments);
        return process.waitForFinished(30000 * kTimeFactor) ? QString::fromUtf8(process.readAll())
                                                            : QStringLiteral("not over");
    }
    /// What bash offers behind "heteroscope" and these words, of which the last is being typed.
    QString offered(const QStringList& words) const {
        const QStringList shell{"-c",
                                "source \"$1\"; shift; COMP_WORDS=(heteroscope \"$@\"); COMP_CWORD=$#; "
                                "_heteroscope; printf '%s ' \"${COMPREPLY[@]}\"",
                                "bash", m_data.filePath("bash")};
        return printedBy("bash", shell + words);
    }

    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(CompletionTest)

#include "completion_test.moc"
