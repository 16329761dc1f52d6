// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of the theme's colours, colours of targets, and that every icon draws.
#include "tests/ui/program/ui_test.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"

#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPlainTextEdit>

#include <cmath>
#include <heteroscope_paths.h>

using namespace heteroscope::ui;

namespace {

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& c) {
    return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
}

/// WCAG 2 contrast ratio.
double contrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT
  private slots:
    void textMeetsTheContrastOfWcagAa_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }
    void textMeetsTheContrastOfWcagAa() {
        QFETCH(bool, dark);
        const ThemeColors c = Theme::colorsFor(dark);
        for (const QColor& ground : {c.surface, c.window, c.raised})
            for (const QColor& text : {c.text, c.mutedText, c.good, c.warning, c.error, c.info})
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + " on " + ground.name()));
        for (const QColor& ground : {c.selection, c.hover})
            QVERIFY(contrast(c.text, ground) >= 4.5);
        QVERIFY(contrast(c.accentText, c.accent) >= 4.5);
    }

    void placeholdersAreNotFaint() {
        for (const auto scheme : {ColorScheme::Dark, ColorScheme::Light}) {
            Theme::instance().apply(scheme);
            QLineEdit edit;
            QPlainTextEdit lines;
            edit.ensurePolished();
            lines.ensurePolished();
            const ThemeColors& c = Theme::instance().colors();
            for (const QWidget* widget : std::initializer_list<QWidget*>{&edit, &lines}) {
                const QColor text = widget->palette().color(QPalette::PlaceholderText);
                QCOMPARE(text.alpha(), 255);
                QVERIFY(contrast(text, c.surface) >= 4.5);
            }
        }
    }

    void optionsOfOneImplementationDifferAndStayTheSame() {
        const QColor plain = Theme::targetColor("cpu/openmp");
        QVERIFY(plain != Theme::targetColor("cpu/openmp?threads=2"));
        QCOMPARE(Theme::targetColor("cpu/openmp?threads=2"), Theme::targetColor("cpu/openmp?threads=2"));
        QVERIFY(plain != Theme::targetColor("cpu/sequential"));
        QCOMPARE(Theme::seriesColor(0), Theme::seriesColor(8));
    }

    void everyIconDraws() {
        const QStringList files = QDir(HETEROSCOPE_SOURCE_DIR "/resources/icons").entryList({"*.svg"});
        QVERIFY(files.size() > 20);
        Theme::instance().apply(ColorScheme::Dark);
        for (const QString& file : files) {
            const QImage image =
                icon(QFileInfo(file).completeBaseName()).pixmap(QSize(24, 24), 1.0).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    inked += image.pixelColor(x, y).alpha() > 100;
            QVERIFY2(inked > 10, qPrintable(file));
        }
    }
};

HETEROSCOPE_UI_TEST(ThemeTest)
#include "theme_test.moc"
