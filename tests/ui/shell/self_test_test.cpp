// SPDX-License-Identifier: GPL-3.0-or-later
// heteroscope --self-test from the outside: what it checks, that it can fail, and that it leaves nothing.
#include "compute/base/json.h"
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <heteroscope_paths.h>

namespace {

using heteroscope::Json;

struct SelfTestEnd {
    int code = -1;
    QString text, err;

    Json record() const { return Json::parse(text.toStdString(), nullptr, false); }
};

using Variables = QList<std::pair<QString, QString>>; ///< an empty value: not set

SelfTestEnd runSelfTest(const QTemporaryDir& data, const QStringList& arguments,
                        const Variables& variables = {}) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* display : {"DISPLAY", "WAYLAND_DISPLAY"})
        environment.remove(display);
    environment.insert("HETEROSCOPE_DATA", data.filePath("data"));
    environment.insert("XDG_RUNTIME_DIR", data.path());
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    for (const auto& [name, value] : variables)
        value.isEmpty() ? environment.remove(name) : environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(HETEROSCOPE_BINARY_DIR "/heteroscope", arguments);
    if (!process.waitForFinished(120000 * kTimeFactor))
        process.kill();
    return {process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// "pass: DETAIL" of a check; empty when there is none of this name.
QString outcome(const Json& record, const char* name) {
    for (const Json& check : record.value("checks", Json::array()))
        if (check.at("name") == name)
            return QString::fromStdString(check.at("result").get<std::string>() + ": " +
                                          check.at("detail").get<std::string>());
    return {};
}

} // namespace

class SelfTestTest : public QObject {
    Q_OBJECT
  private slots:
    void passesWithTheChecksOfBothPrograms() {
        const SelfTestEnd end = runSelfTest(m_data, {"--self-test", "--json"});
        QVERIFY2(end.code == 0, qPrintable(end.text + end.err));
        const Json record = end.record();
        QVERIFY(record.at("program") == "heteroscope");
        for (const char* name : {"cpu/openmp", "pooling on cpu/sequential", "run file of network", "display",
                                 "fonts", "resources", "SVG pictures", "library", "figures"})
            QVERIFY2(outcome(record, name).startsWith("pass: "), qPrintable(name + outcome(record, name)));
        QVERIFY(outcome(record, "display").contains("first paint after"));
        QVERIFY(outcome(record, "figures").contains("PDF, SVG, PNG"));
    }

    void isATableWithoutJson() {
        const SelfTestEnd end = runSelfTest(m_data, {"--self-test"});
        QCOMPARE(end.code, 0);
        QVERIFY(end.text.startsWith("pass "));
        QVERIFY(end.text.contains("\nSelf-test passed: "));
    }

    void leavesNothingInTheData() {
        const QTemporaryDir data;
        QCOMPARE(runSelfTest(data, {"--self-test", "--json"}).code, 0);
        const QStringList left = QDir(data.filePath("data")).entryList(QDir::Files | QDir::Hidden);
        QVERIFY2(left.isEmpty(), qPrintable(left.join(' ')));
    }

    void noDisplayIsMissingAndNoFailure() {
        const SelfTestEnd end = runSelfTest(m_data, {"--self-test", "--json"}, {{"QT_QPA_PLATFORM", {}}});
        QCOMPARE(end.code, 0);
        QVERIFY(outcome(end.record(), "display").startsWith("missing: neither DISPLAY"));
    }

    void failsNamingWhatDoesNotWork_data() {
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QByteArray>("check");
        QTest::addColumn<QString>("words");
        QTest::newRow("platform") << "QT_QPA_PLATFORM"
                                  << "nonsense" << QByteArray("display") << "nonsense";
        QTest::newRow("display") << "DISPLAY"
                                 << ":4711" << QByteArray("display") << "DISPLAY=:4711";
        QTest::newRow("resources") << "HETEROSCOPE_RESOURCES"
                                   << "/nowhere" << QByteArray("resources") << "/nowhere/examples/demo.json";
        QTest::newRow("data") << "HETEROSCOPE_DATA"
                              << "/proc/nowhere" << QByteArray("library") << "/proc/nowhere";
        QTest::newRow("temporary folder") << "TMPDIR"
                                          << "/proc/nowhere" << QByteArray("temporary folder") << "";
    }
    void failsNamingWhatDoesNotWork() {
        QFETCH(QString, variable);
        QFETCH(QString, value);
        QFETCH(QByteArray, check);
        QFETCH(QString, words);
        Variables variables{{variable, value}};
        if (variable == "DISPLAY")
            variables.append(std::pair<QString, QString>("QT_QPA_PLATFORM", "xcb"));
        const SelfTestEnd end = runSelfTest(m_data, {"--self-test", "--json"}, variables);
        QCOMPARE(end.code, 1);
        QVERIFY(!end.record().at("passed").get<bool>());
        const QString found = outcome(end.record(), check.constData());
        QVERIFY2(found.startsWith("fail: ") && found.contains(words), qPrintable(found));
    }

    void jsonAloneIsAUsageError() { QCOMPARE(runSelfTest(m_data, {"--json"}).code, 64); }

  private:
    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(SelfTestTest)
#include "self_test_test.moc"
