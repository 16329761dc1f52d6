// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU in the status bar: the last recorded values while a run is on, nothing before and after.
#include "profiling/stream/stream_writer.h"
#include "tests/ui/program/ui_test.h"
#include "ui/main_window/gpu_status.h"

#include <QFile>
#include <QTemporaryDir>

using namespace heteroscope;
using namespace heteroscope::ui;
using State = StudySession::State;

namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

/// What a worker writes that watches devices: each piece is what came since the piece before.
class Worker {
  public:
    Worker() {
        std::vector<std::unique_ptr<profiling::FrameSink>> sinks;
        sinks.push_back(std::move(*profiling::openFileSink(path().toStdString())));
        m_writer = std::make_unique<profiling::StreamWriter>(std::move(sinks));
        profiling::Study header;
        header.id = "a";
        (void)m_writer->begin(header);
        (void)m_writer->environment(
            {{"devices", {{{"id", "cuda:0"}, {"memory_total_bytes", 140 * kGiB}}, {{"id", "cuda:1"}}}}});
        (void)m_writer->strings({1,
                                 {"cuda:0", "busy", "memory in use", "power", "cpu", "cuda:1",
                                  "clocks held back", "power limit", "throttling", "held back now"}});
    }

    void group(profiling::TrackId id, profiling::StringId name) {
        track(id, profiling::kNoTrack, profiling::TrackKind::Group, name);
    }
    void counter(profiling::TrackId id, profiling::TrackId parent, profiling::StringId name) {
        track(id, parent, profiling::TrackKind::Counter, name);
    }
    void value(profiling::TrackId id, std::int64_t timeNs, double value) {
        const profiling::CounterPoint point{timeNs, value};
        (void)m_writer->counters(id, {&point, 1});
    }
    void hold(profiling::TrackId id, std::int64_t startNs, std::int64_t lengthNs) {
        const profiling::Span span{id, startNs, lengthNs, 8, 9, 0, -1};
        (void)m_writer->spans({&span, 1});
    }
    void heldBackRow(profiling::TrackId id, profiling::TrackId parent) {
        track(id, parent, profiling::TrackKind::Overhead, 7);
    }
    QByteArray piece() {
        (void)m_writer->flush();
        QFile file(path());
        if (!file.open(QIODevice::ReadOnly) || !file.seek(m_read))
            qFatal("cannot read the worker's file");
        const QByteArray bytes = file.readAll();
        m_read += bytes.size();
        return bytes;
    }

  private:
    QString path() const { return m_folder.filePath("a.hscope"); }
    void track(profiling::TrackId id, profiling::TrackId parent, profiling::TrackKind kind,
               profiling::StringId name) {
        profiling::Track track;
        track.id = id;
        track.parent = parent;
        track.kind = kind;
        track.name = name;
        (void)m_writer->tracks({track});
    }

    QTemporaryDir m_folder;
    std::unique_ptr<profiling::StreamWriter> m_writer;
    qint64 m_read = 0;
};

struct Watched {
    GpuStatus status;
    std::shared_ptr<StudySession> session = std::make_shared<StudySession>();
    Watched() {
        status.setSession(session);
        session->beginLive({}, "test");
    }
};

} // namespace

class GpuStatusTest : public QObject {
    Q_OBJECT
  private slots:
    void showsLoadAndMemoryWhileTheRunIsOn() {
        Worker worker;
        Watched watched;
        QVERIFY(!watched.status.isVisible());
        worker.group(0, 1);
        for (const profiling::TrackId row : {1, 2, 3})
            worker.counter(row, 0, row + 1);
        worker.value(1, 1000, 12);
        worker.value(1, 2000, 87);
        worker.value(2, 2000, 12.5 * kGiB);
        worker.value(3, 2000, 412);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("GPU 87 %, 12.5 GiB of 140.0 GiB"));
        QVERIFY(watched.status.isVisible());
        QVERIFY(watched.status.toolTip().contains("cuda:0\na kernel runs 87 % of the time"));
        QVERIFY(watched.status.toolTip().contains("power: 412 W"));
        QVERIFY(!watched.status.toolTip().contains("temperature")); // the device did not tell
        QCOMPARE(watched.status.accessibleDescription(), watched.status.toolTip());
        worker.value(1, 3000, 3);
        watched.session->feed(worker.piece());
        QTRY_VERIFY(watched.status.text().startsWith("GPU 3 %"));
        watched.session->endLive(false, "it is gone");
        QTRY_VERIFY(!watched.status.isVisible());
    }

    void valuesThatStopComingAreGreyed() {
        Worker worker;
        Watched watched;
        worker.group(0, 1);
        worker.counter(1, 0, 2);
        worker.value(1, 1000, 50);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.property("tone").toString(), QStringLiteral("good"));
        QTRY_COMPARE(watched.status.property("tone").toString(), QString());
        QVERIFY(watched.status.toolTip().contains("no new ones came"));
        worker.value(1, 2000, 51);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.property("tone").toString(), QStringLiteral("good"));
    }

    void clocksThatWereHeldBackAreMarkedForAWhile() {
        Worker worker;
        Watched watched;
        worker.group(0, 1);
        worker.counter(1, 0, 2);
        worker.heldBackRow(2, 0);
        worker.value(1, 1'000'000'000, 99);
        worker.hold(2, 500'000'000, 400'000'000);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("GPU 99 %, held back"));
        QCOMPARE(watched.status.property("tone").toString(), QStringLiteral("warning"));
        QVERIFY(watched.status.toolTip().contains("held back for 400 ms so far, last by: power limit"));
        worker.value(1, 9'000'000'000, 98);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("GPU 98 %"));
        QCOMPARE(watched.status.property("tone").toString(), QStringLiteral("good"));
        QVERIFY(watched.status.toolTip().contains("last by: power limit")); // it is still said
    }

    void clocksThatAreHeldBackAreMarkedBeforeTheyAreFree() {
        Worker worker;
        Watched watched;
        worker.group(0, 1);
        worker.counter(1, 0, 2);
        worker.counter(2, 0, 10);
        worker.value(1, 1'000'000'000, 99);
        worker.value(2, 900'000'000, 1);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("GPU 99 %, held back"));
        QCOMPARE(watched.status.property("tone").toString(), QStringLiteral("warning"));
        QVERIFY(watched.status.toolTip().contains("held back now"));
        worker.value(2, 1'100'000'000, 0);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("GPU 99 %"));
    }

    void theBusiestOfSeveralIsNamed() {
        Worker worker;
        Watched watched;
        worker.group(0, 1);
        worker.counter(1, 0, 2);
        worker.group(2, 6);
        worker.counter(3, 2, 2);
        worker.value(1, 1000, 10);
        worker.value(3, 1000, 90);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.status.text(), QStringLiteral("cuda:1 90 %"));
        QVERIFY(watched.status.toolTip().contains("cuda:0"));
    }

    void countersOfTheHostAreNoGpu() {
        Worker worker;
        Watched watched;
        worker.group(0, 5);
        worker.counter(1, 0, 2);
        worker.value(1, 1000, 10);
        watched.session->feed(worker.piece());
        QTRY_COMPARE(watched.session->trace()->counterCount(), std::uint64_t(1));
        QVERIFY(!QTest::qWaitFor([&] { return watched.status.isVisible(); }, 2 * GpuStatus::kIntervalMs));
    }
};

HETEROSCOPE_UI_TEST(GpuStatusTest)
#include "gpu_status_test.moc"
