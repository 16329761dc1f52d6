// SPDX-License-Identifier: GPL-3.0-or-later
// Stop rules and notes on the environment are said in Spanish, from their codes and from the sentences of
// earlier versions.
#include "profiling/analysis/recorded_phrase.h"
#include "tests/support/run_sentences.h"
#include "tests/ui/program/ui_test.h"
#include "ui/common/language.h"
#include "ui/common/phrase_text.h"

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
};

HETEROSCOPE_UI_TEST(RunSentencesTest)
#include "run_sentences_test.moc"
