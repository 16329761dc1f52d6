// SPDX-License-Identifier: GPL-3.0-or-later
// Stop rules and notes on the environment are said in Spanish, from their codes and from the sentences of
// earlier versions.
#include "profiling/analysis/recorded_phrase.h"
#include "tests/support/run_sentences.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/language.h"
#include "ui/common/phrase_text.h"

#include <QFile>
#include <QRegularExpression>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;

class RunSentencesTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { applyLanguage("es"); }

    void stopRules() {
        for (const heteroscope::test::RunSentence& each : heteroscope::test::stopSentences()) {
            profiling::StudyRun run;
            run.stoppedBy = each.codes;
            QCOMPARE(phraseText(profiling::stopRulePhrase(run)), QString::fromStdString(each.spanish));
            QCOMPARE(phraseText(profiling::recordedPhrase(each.english)),
                     QString::fromStdString(each.spanish));
        }
    }

    void notes() {
        for (const heteroscope::test::RunSentence& each : heteroscope::test::noteSentences()) {
            QCOMPARE(phraseText(notePhrase(each.codes)), QString::fromStdString(each.spanish));
            QCOMPARE(phraseText(profiling::recordedPhrase(each.english)),
                     QString::fromStdString(each.spanish));
        }
    }

    void failures() {
        for (const heteroscope::test::RunSentence& each : heteroscope::test::failureSentences()) {
            const QString said = recordedText(each.english);
            QVERIFY2(said == QString::fromStdString(each.spanish), qPrintable(said));
        }
    }

    /// Each of the words of failures is in one of the sentences above.
    void noWordsOfFailuresAreLeftOut() {
        QString all;
        for (const heteroscope::test::RunSentence& each : heteroscope::test::failureSentences())
            all += QString::fromStdString(each.english) + QLatin1Char('\n');
        QFile header(QStringLiteral(HETEROSCOPE_SOURCE_DIR "/compute/base/failure_words.h"));
        QVERIFY(header.open(QIODevice::ReadOnly));
        const QString source = QString::fromUtf8(header.readAll());
        static const QRegularExpression kWords("words\\(\\s*((?:\"[^\"]*\"\\s*)+)\\)"), kBetween("\"\\s*\""),
            kPlace("%\\d");
        int count = 0;
        for (auto match = kWords.globalMatch(source); match.hasNext(); ++count) {
            QString words = match.next().captured(1).trimmed();
            words = words.mid(1, words.size() - 2).remove(kBetween);
            QStringList fixed = words.split(kPlace);
            for (QString& part : fixed)
                part = QRegularExpression::escape(part);
            const QRegularExpression form(fixed.join(QStringLiteral(".+")));
            QVERIFY2(form.match(all).hasMatch(), qPrintable(words));
        }
        QVERIFY(count > 40);
    }
};

HETEROSCOPE_UI_TEST(RunSentencesTest)
#include "run_sentences_test.moc"
