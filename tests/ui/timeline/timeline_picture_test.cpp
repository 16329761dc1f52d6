// SPDX-License-Identifier: GPL-3.0-or-later
// Exported files, and pictures of the view for people to look at (HETEROSCOPE_PICTURES names a folder).
#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/timeline/sample_trace.h"
#include "ui/common/theme.h"
#include "ui/timeline/mini_timeline.h"
#include "ui/timeline/timeline_state.h"
#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QTabWidget>
#include <QTemporaryDir>

using namespace heteroscope::ui;
using heteroscope::ui::test::StudyTrace;

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TimelinePictureTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().apply(ColorScheme::Dark); }

    void exportsEachFormat_data() {
        QTest::addColumn<QString>("suffix");
        QTest::addColumn<QByteArray>("magic");
        QTest::newRow("png") << "png" << QByteArray("\x89PNG");
        QTest::newRow("svg") << "svg" << QByteArray("<?xml");
        QTest::newRow("pdf") << "pdf" << QByteArray("%PDF-");
    }
    void exportsEachFormat() {
        QFETCH(QString, suffix);
        QFETCH(QByteArray, magic);
        StudyTrace study;
        TimelineView view;
        view.resize(1200, 700);
        view.setTrace(study.trace, QStringLiteral("Max pooling, size sweep"));
        view.show();
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("timeline.") + suffix);
        QString error;
        QVERIFY2(view.exportPicture(path, &error), qPrintable(error));
        const QByteArray bytes = contentOf(path);
        QVERIFY(bytes.startsWith(magic));
        QVERIFY(bytes.size() > 5000);
        if (suffix == QLatin1String("svg")) {
            QVERIFY(bytes.contains("<text"));
            for (const char* text :
                 {"Max pooling, size sweep", "Main thread", "Thread 3", "maxpool2d forward", " ms"})
                QVERIFY2(bytes.contains(text), text);
        }
        keep(path);
    }

    void refusesWhatItCannotDo() {
        StudyTrace study;
        TimelineView view;
        QString error;
        QVERIFY(!view.exportPicture(QStringLiteral("x.png"), &error));
        QVERIFY2(error.contains(QLatin1String("empty")), qPrintable(error));
        view.setTrace(study.trace, {});
        QVERIFY(!view.exportPicture(QStringLiteral("picture.gif"), &error));
        QVERIFY2(error.contains(QLatin1String(".svg")), qPrintable(error));
        QVERIFY(!view.exportPicture(QStringLiteral("/nowhere/at/all.png"), &error));
        QVERIFY2(error.contains(QLatin1String("cannot be created")), qPrintable(error));
    }

    void aPictureReplacesPicturesOnly_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("a recording") << QByteArray("HSCOPE\r\n\x01\0\0\0", 12);
        QTest::newRow("a table") << QByteArray("name,age\nx,1\n");
    }
    void aPictureReplacesPicturesOnly() {
        QFETCH(QByteArray, content);
        StudyTrace study;
        TimelineView view;
        view.resize(600, 300);
        view.setTrace(study.trace, {});
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("mine.pdf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        QString error;
        QVERIFY(!view.exportPicture(path, &error));
        QVERIFY2(error.contains("is not a PDF") && error.contains("choose another name"), qPrintable(error));
        QCOMPARE(contentOf(path), content);
        QVERIFY(QFile::remove(path));
        for (int i = 0; i < 2; ++i) // the second one over the first
            QVERIFY2(view.exportPicture(path, &error), qPrintable(error));
    }

    void exportOfAMillionSpansIsQuick() {
        auto trace = std::make_shared<heteroscope::profiling::Trace>();
        std::vector<heteroscope::profiling::Span> batch;
        const auto name = trace->intern("step");
        for (int row = 0; row < 32; ++row) {
            const auto track =
                trace->addTrack({0, heteroscope::profiling::kNoTrack, {}, trace->intern("row"), 0, row});
            batch.clear();
            for (int i = 0; i < 31'250; ++i)
                batch.push_back({track, i * 1000LL, 400 + (i * 37) % 500, name, 0, 0, 0});
            trace->appendBatch(batch.data(), batch.size());
        }
        trace->publish();
        TimelineView view;
        view.resize(1600, 1100);
        view.setTrace(trace, QStringLiteral("a million"));
        view.show();
        QTemporaryDir folder;
        QElapsedTimer timer;
        for (const char* suffix : {"svg", "pdf"}) {
            timer.start();
            QString error;
            QVERIFY(
                view.exportPicture(folder.filePath(QStringLiteral("m.") + QLatin1String(suffix)), &error));
            qInfo("%s of 1 M visible spans: %lld ms", suffix, timer.elapsed());
            QVERIFY2(timer.elapsed() < 20'000 * kTimeFactor,
                     "an unoptimised build on a busy machine still takes less");
        }
    }

    void pictures_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<QString>("scene");
        for (const bool dark : {true, false})
            for (const char* scene :
                 {"whole", "zoomed", "search", "range", "collapsed", "empty", "quality", "mini"})
                QTest::addRow("%s-%s", scene, dark ? "dark" : "light") << dark << QString::fromLatin1(scene);
    }
    void pictures() {
        QFETCH(bool, dark);
        QFETCH(QString, scene);
        Theme::instance().apply(dark ? ColorScheme::Dark : ColorScheme::Light);
        const QImage image = scene == QLatin1String("mini") ? miniature() : picture(scene);
        Theme::instance().apply(ColorScheme::Dark);
        QVERIFY(colorsIn(image) > 8);
        const QString folder = qEnvironmentVariable("HETEROSCOPE_PICTURES");
        if (!folder.isEmpty())
            QVERIFY(image.save(QStringLiteral("%1/timeline-%2.png")
                                   .arg(folder, QString::fromLatin1(QTest::currentDataTag()))));
    }

  private:
    static int colorsIn(const QImage& image) {
        QSet<QRgb> colors;
        for (int y = 0; y < image.height(); y += 3)
            for (int x = 0; x < image.width(); x += 3)
                colors.insert(image.pixel(x, y));
        return static_cast<int>(colors.size());
    }

    static void keep(const QString& path) {
        const QString folder = qEnvironmentVariable("HETEROSCOPE_PICTURES");
        if (!folder.isEmpty())
            QFile::copy(path, folder + QLatin1Char('/') + QFileInfo(path).fileName());
    }

    QImage picture(const QString& scene) {
        StudyTrace study;
        TimelineView view;
        view.resize(1280, 800);
        if (scene == QLatin1String("quality")) {
            heteroscope::profiling::DataQuality quality;
            quality.droppedEvents = 1234;
            quality.notes = {"The recording stopped early: the process was killed."};
            study.trace->setQuality(quality);
            study.trace->publish();
        }
        view.show();
        if (scene != QLatin1String("empty"))
            view.setTrace(study.trace, QStringLiteral("Max pooling, size sweep"));
        auto* state = view.findChild<TimelineState*>();
        if (scene == QLatin1String("zoomed")) {
            const auto span = *study.trace->span(study.launch);
            state->select(study.launch, true);
            state->showRange({span.startNs - 400'000, span.startNs + 3 * span.durationNs});
            state->putNote(span.startNs + span.durationNs, QStringLiteral("first parallel sample"));
        } else if (scene == QLatin1String("search")) {
            view.findChild<QLineEdit*>(QStringLiteral("searchField"))->setText(QStringLiteral("barrier"));
            [[maybe_unused]] const bool found = QTest::qWaitFor([&] { return !state->isSearching(); });
            state->stepHit(1);
        } else if (scene == QLatin1String("range")) {
            state->setRange(TimeRange{20'000'000, 44'000'000});
        } else if (scene == QLatin1String("collapsed")) {
            state->editLayout([&](TrackLayout& layout) {
                layout.setCollapsed(2, true);
                layout.setPinned(study.bandwidth, true);
            });
            view.findChild<QTabWidget*>(QStringLiteral("timelinePanels"))->setCurrentIndex(2);
        }
        QTest::qWait(400); // the statistics come from another thread; a picture without them is no failure
        return view.grab().toImage();
    }

    QImage miniature() {
        StudyTrace study;
        MiniTimeline mini;
        mini.resize(640, 260);
        mini.setTrace(study.trace);
        mini.show();
        return mini.grab().toImage();
    }
};

HETEROSCOPE_UI_TEST(TimelinePictureTest)
#include "timeline_picture_test.moc"
