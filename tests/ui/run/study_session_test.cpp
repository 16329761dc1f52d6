// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions from files: states, messages, and that an earlier file's results never show up.
#include "profiling/stream/run_file_state.h"
#include "profiling/stream/stream_writer.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/language.h"
#include "ui/models/session_decoder.h"
#include "ui/models/study_session.h"
#include "ui/run/run_view.h"
#include "ui/run/runs_model.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QSignalSpy>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;
using State = StudySession::State;

namespace {

/// A run file with one run, `samples` of it, that its writer still has.
std::unique_ptr<profiling::StreamWriter> beginRun(const QString& path, const char* name, int samples) {
    std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
    sinks.push_back(std::move(*profiling::openFileSink(path.toStdString())));
    auto writer = std::make_unique<profiling::StreamWriter>(std::move(sinks));
    profiling::Study header;
    header.id = name;
    header.startedUtc = "2026-11-21T02:36:22Z";
    (void)writer->begin(header);
    (void)writer->experiment({{"name", name}});
    profiling::StudyRun run;
    run.target = "cpu/sequential";
    (void)writer->run(run);
    for (int i = 0; i < samples; ++i) {
        profiling::StudySample sample;
        sample.sample = i;
        sample.wallMs = 1.0 + i;
        (void)writer->sample(sample);
    }
    (void)writer->flush();
    return writer;
}

/// With that end, or none.
QString writeRun(const QString& path, const char* name, int samples, const char* end) {
    const auto writer = beginRun(path, name, samples);
    if (end != nullptr)
        (void)writer->end(end, "");
    (void)writer->flush();
    return path;
}

/// What the table of runs says of the first one.
QString runOutcome(RunsModel& runs) {
    return runs.index(0, RunsModel::Outcome).data().toString();
}

bool waitLoaded(StudySession& session) {
    return QTest::qWaitFor([&session] { return session.state() != State::Loading; }, 10000);
}

} // namespace

class StudySessionTest : public QObject {
    Q_OBJECT
  private slots:
    void aWholeFileIsDone() {
        QTemporaryDir folder;
        StudySession session;
        session.openFile(writeRun(folder.filePath("a.hscope"), "whole", 4, "done"));
        QCOMPARE(session.state(), State::Loading);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::Done);
        QCOMPARE(session.title(), QStringLiteral("whole"));
        QCOMPARE(session.study().runs.at(0).samples.size(), std::size_t(4));
    }

    void aFileWithoutEndIsStoppedEarly() {
        QTemporaryDir folder;
        StudySession session;
        session.openFile(writeRun(folder.filePath("a.hscope"), "half", 3, nullptr));
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::StoppedEarly);
        QVERIFY(!session.message().isEmpty());
        QCOMPARE(session.study().runs.at(0).samples.size(), std::size_t(3));
    }

    /// The words are those of `trace info` and the library.
    void aCancelledRunIsCalledThat() {
        QTemporaryDir folder;
        const auto session = std::make_shared<StudySession>();
        session->openFile(writeRun(folder.filePath("a.hscope"), "ended by hand", 3, "cancelled"));
        RunView view;
        view.setSession(session);
        QVERIFY(waitLoaded(*session));
        QCOMPARE(session->recording().outcome(), std::string("cancelled"));
        QVERIFY(session->recording().whole());
        QVERIFY2(session->message().contains("cancelled"), qPrintable(session->message()));
        QCOMPARE(view.findChild<QLabel*>("runState")->text(), QString("cancelled"));
    }

    void aRunStillUnderWayIsNotCalledStopped() {
        QTemporaryDir folder;
        const QString path = folder.filePath("a.hscope");
        auto writer = beginRun(path, "live", 3);
        const auto session = std::make_shared<StudySession>();
        session->openFile(path);
        RunsModel runs;
        runs.setSession(session);
        QVERIFY(waitLoaded(*session));
        QCOMPARE(session->recording().outcome(), std::string("being written"));
        QVERIFY2(session->message().contains("being written"), qPrintable(session->message()));
        QVERIFY(!session->message().contains("stopped"));
        QCOMPARE(runOutcome(runs), QString("running"));
        writer.reset();
        session->openFile(path);
        QVERIFY(waitLoaded(*session));
        QCOMPARE(session->recording().outcome(), std::string("stopped early"));
        QCOMPARE(runOutcome(runs), QString("unfinished"));
    }

    void damageIsToldInTheLanguage() {
        applyLanguage(QStringLiteral("es"));
        QTemporaryDir folder;
        const QString path = writeRun(folder.filePath("a.hscope"), "damaged", 5, "done");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(file.size() - 45));
        const char byte = file.peek(1).at(0);
        QVERIFY(file.putChar(static_cast<char>(byte ^ 1)));
        file.close();
        StudySession session;
        session.openFile(path);
        QVERIFY(waitLoaded(session));
        const QString message = session.message().remove(folder.path());
        QVERIFY2(message.startsWith("La grabación está dañada: ") &&
                     message.contains("todo lo anterior se leyó"),
                 qPrintable(message));
        for (const char* english : {"expected", "found", "again", "damaged", "read"})
            QVERIFY2(!message.contains(QLatin1String(english)), qPrintable(message));
        applyLanguage(QStringLiteral("en"));
    }

    void aCutFileKeepsWhatIsWhole() {
        QTemporaryDir folder;
        const QString path = writeRun(folder.filePath("a.hscope"), "cut", 5, "done");
        QFile file(path);
        QVERIFY(file.resize(QFileInfo(path).size() - 40));
        StudySession session;
        session.openFile(path);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::StoppedEarly);
        QVERIFY(session.study().runs.at(0).samples.size() >= 3);
    }

    /// The words are those of the command line and the report.
    void whatIsNotWholeIsToldAsEverywhere_data() {
        QTest::addColumn<bool>("flipped");
        QTest::addColumn<int>("cut");
        QTest::newRow("a flipped byte in the middle") << true << 0;
        QTest::newRow("cut inside a record") << false << 40;
    }
    void whatIsNotWholeIsToldAsEverywhere() {
        QFETCH(bool, flipped);
        QFETCH(int, cut);
        QTemporaryDir folder;
        const QString path = writeRun(folder.filePath("a.hscope"), "damaged", 9, "done");
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QByteArray bytes = file.readAll();
        if (flipped)
            bytes[bytes.size() / 2] = char(bytes.at(bytes.size() / 2) ^ 0x40);
        file.seek(0);
        file.write(bytes);
        QVERIFY(file.resize(bytes.size() - cut));
        file.close();
        const auto read = profiling::readRunFile(path.toStdString());
        QVERIFY(read.ok());
        const QString sentence = QString::fromStdString(profiling::stateOf(*read).sentence());
        StudySession session;
        session.openFile(path);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::StoppedEarly);
        QVERIFY2(session.message().contains(sentence), qPrintable(session.message() + " / " + sentence));
    }

    void unreadableFilesFailWithASentence_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("not a stream") << QByteArray("hello, this is not a run file at all");
        QTest::newRow("cut in its header") << QByteArray("HSCOPE\r\n\1\0", 10);
        QTest::newRow("version") << QByteArray("HSCOPE\r\n\x63\0\0\0\0\0\0\0", 16);
    }
    void unreadableFilesFailWithASentence() {
        QFETCH(QByteArray, content);
        QTemporaryDir folder;
        const QString path = folder.filePath("bad.hscope");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.close();
        StudySession session;
        session.openFile(path);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::Failed);
        QVERIFY(session.message().size() > 10);
    }

    // What came until then is told when a batch is due, which it is where the thread was slow to start.
    void anUnreadableFileSaysWhyHoweverLateItsThreadStarts() {
        QTemporaryDir folder;
        QFile file(folder.filePath("late.hscope"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("hello, this is not a run file at all");
        file.close();
        SessionDecoder decoder(std::make_shared<profiling::Trace>());
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY(clock.elapsed() > SessionDecoder::kBatchMs);
        std::shared_ptr<DecodedBatch> last;
        connect(&decoder, &SessionDecoder::decoded, &decoder, [&last](const auto& batch) { last = batch; });
        decoder.openFile(file.fileName());
        QVERIFY(last && last->finished && last->unreadable);
        QVERIFY2(last->problem.contains("late.hscope"), qPrintable(last->problem));
    }

    void aTraceThatHoldsNothingFails() {
        QTemporaryDir folder;
        QFile file(folder.filePath("trace.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"ph":"E","ts":1,"pid":1,"tid":1}])");
        file.close();
        StudySession session;
        session.openFile(file.fileName());
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::Failed);
        QVERIFY2(session.message().contains("1 end without a begin was left out"),
                 qPrintable(session.message()));
    }

    void aMissingFileFails() {
        StudySession session;
        session.openFile("/nowhere/run.hscope");
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::Failed);
        QVERIFY(session.message().contains("/nowhere/run.hscope"));
    }

    void aChromeTraceOpens() {
        QTemporaryDir folder;
        const QString path = folder.filePath("trace.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"traceEvents":[{"name":"a","ph":"X","ts":1,"dur":5,"pid":1,"tid":1}]})");
        file.close();
        StudySession session;
        session.openFile(path);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.state(), State::Done);
        QCOMPARE(session.trace()->spanCount(), std::uint64_t(1));
        QCOMPARE(session.title(), QStringLiteral("trace.json"));
    }

    void onlyTheLastOpenedFileShows() {
        QTemporaryDir folder;
        const QString big = writeRun(folder.filePath("big.hscope"), "big", 20000, "done");
        const QString small = writeRun(folder.filePath("small.hscope"), "small", 1, "done");
        StudySession session;
        QStringList titles;
        connect(&session, &StudySession::studyChanged, &session, [&] { titles.append(session.title()); });
        session.openFile(big);
        session.openFile(small);
        QVERIFY(waitLoaded(session));
        QCOMPARE(session.title(), QStringLiteral("small"));
        QTest::qWait(100); // a late batch of the first file would come now
        QCOMPARE(titles, QStringList{"small"});
        QCOMPARE(session.study().runs.at(0).samples.size(), std::size_t(1));
    }

    void aSessionMayGoWhileItReads() {
        QTemporaryDir folder;
        const QString big = writeRun(folder.filePath("big.hscope"), "big", 20000, "done");
        for (int i = 0; i < 5; ++i) {
            StudySession session;
            session.openFile(big);
        }
    }
};

HETEROSCOPE_UI_TEST(StudySessionTest)
#include "study_session_test.moc"
