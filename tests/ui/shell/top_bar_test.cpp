// SPDX-License-Identifier: GPL-3.0-or-later
// The top bar shows as many targets as there is room for, in every state, and never asks for a wider window.
#include "tests/ui/program/ui_test.h"
#include "ui/main_window/top_bar.h"

#include <QLabel>
#include <QtTest>

namespace heteroscope::ui {

class TopBarTest : public QObject {
    Q_OBJECT

    static QStringList longTargets() {
        QStringList targets;
        for (const char* kernel : {"guarded", "loops", "tiled", "block", "block-shared", "register"})
            targets << QStringLiteral("cuda:0/cuda?kernel=%1").arg(QLatin1String(kernel));
        return targets;
    }

    static qsizetype shownTargets(const TopBar& bar) {
        qsizetype shown = 0;
        for (const auto* label : bar.findChildren<QLabel*>())
            shown += label->isVisible() && label->accessibleName().contains(QLatin1String("cuda:0/cuda"));
        return shown;
    }

  private slots:
    void targetsTakeTheRoomThatIsLeft_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("running");
        for (const int width : {600, 900, 1202, 1900})
            for (const bool running : {false, true})
                QTest::addRow("%d %s", width, running ? "running" : "idle") << width << running;
    }
    void targetsTakeTheRoomThatIsLeft() {
        QFETCH(int, width);
        QFETCH(bool, running);
        QWidget window;
        TopBar bar(&window);
        bar.resize(width, 48);
        bar.setExperiment(QStringLiteral("Matrix multiplication on a GPU, the ladder"), longTargets());
        window.resize(width, 48);
        window.show();
        bar.setRunning(running, false);
        if (running)
            bar.setProgress(0.6, 754, QStringLiteral("cuda:0/cublas"));
        QVERIFY2(bar.minimumSizeHint().width() <= 600,
                 qPrintable(QString::number(bar.minimumSizeHint().width())));
        const auto* more = bar.findChild<QLabel*>(QStringLiteral("moreTargets"));
        const qsizetype shown = shownTargets(bar);
        QVERIFY(more->isVisible()); // six targets: never more than four are shown
        QCOMPARE(more->toolTip().count(QLatin1Char('\n')) + 1, longTargets().size() - shown);
        if (width >= 1900)
            QCOMPARE(shown, 4);
        QCoreApplication::processEvents();
        for (const auto* child : bar.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (child->isVisible())
                QVERIFY2(child->geometry().right() < width, child->metaObject()->className());
    }

    void allTargetsAreShownWhereTheyFit() {
        QWidget window;
        TopBar bar(&window);
        bar.resize(1202, 48);
        bar.setExperiment(QStringLiteral("Pooling"), longTargets().mid(0, 2));
        window.show();
        QCOMPARE(shownTargets(bar), 2);
        QVERIFY(!bar.findChild<QLabel*>(QStringLiteral("moreTargets"))->isVisible());
    }
};

} // namespace heteroscope::ui

HETEROSCOPE_UI_TEST(heteroscope::ui::TopBarTest)
#include "top_bar_test.moc"
