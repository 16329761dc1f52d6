// SPDX-License-Identifier: GPL-3.0-or-later
// Contrast of the theme's colours, colours of targets, and that every icon draws.
#include "tests/ui/program/ui_test.h"
#include "ui/common/icons.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QDialog>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVBoxLayout>

#include <cmath>
#include <heteroscope_paths.h>
#include <memory>

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

/// How often a widget got another style.
class StyleChanges : public QObject {
  public:
    explicit StyleChanges(QWidget* widget) { widget->installEventFilter(this); }
    int count = 0;

    bool eventFilter(QObject*, QEvent* event) override {
        count += event->type() == QEvent::StyleChange;
        return false;
    }
};

/// In as many widgets as levels, from the inside out, as forms are built.
QWidget* nested(QWidget* inner, int levels) {
    for (; levels > 0; --levels) {
        auto* outer = new QWidget;
        (new QVBoxLayout(outer))->addWidget(inner);
        inner = outer;
    }
    return inner;
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

    void widgetsAreStyledOnceHoweverDeepTheyLie() {
        Theme::instance().apply(ColorScheme::Light);
        auto* label = makeLabel(QStringLiteral("Pooling"), "heading");
        StyleChanges changes(label);
        const std::unique_ptr<QWidget> window(nested(label, 12));
        QCOMPARE(changes.count, 0);
        window->show();
        QVERIFY2(changes.count <= 2, qPrintable(QString::number(changes.count)));
        QCOMPARE(label->font().weight(), int(QFont::DemiBold));
        QVERIFY(label->styleSheet().isEmpty());
    }

    void whatComesIntoAWindowOrLeavesItIsStyled() {
        Theme::instance().apply(ColorScheme::Light);
        const std::unique_ptr<QWidget> window(nested(new QLabel, 2));
        window->show();
        auto* label = makeLabel(QStringLiteral("Pooling"), "heading");
        const int plain = label->sizeHint().height(); // before it has a window
        window->layout()->addWidget(label);
        label->show();
        QCOMPARE(label->font().weight(), int(QFont::DemiBold));
        QVERIFY(label->sizeHint().height() > plain);

        QDialog dialog(window.get());
        auto* title = makeLabel(QStringLiteral("Title"), "heading", &dialog);
        dialog.show();
        QCOMPARE(title->font().weight(), int(QFont::DemiBold));
        QVERIFY2(dialog.styleSheet().isEmpty(), "it has the style of the window that it belongs to");

        label->setParent(nullptr);
        label->show();
        QCOMPARE(label->font().weight(), int(QFont::DemiBold));
        delete label;
    }

    void anotherThemeReachesEveryWindow() {
        Theme::instance().apply(ColorScheme::Light);
        QWidget shown, hidden;
        QDialog dialog(&shown);
        shown.show();
        dialog.show();
        Theme::instance().apply(ColorScheme::Dark);
        hidden.show();
        QVERIFY(!shown.styleSheet().isEmpty());
        QCOMPARE(hidden.styleSheet(), shown.styleSheet());
        Theme::instance().apply(ColorScheme::Light);
        QCOMPARE(hidden.styleSheet(), shown.styleSheet());
        QVERIFY(dialog.styleSheet().isEmpty());
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
