// SPDX-License-Identifier: GPL-3.0-or-later
// The Spanish window: every entry translated, chosen by the settings, and its placeholders intact.
#include "compute/data/drawn_images.h"
#include "compute/model/layer_type.h"
#include "compute/model/parameter_schema.h"
#include "compute/model/transform_type.h"
#include "profiling/analysis/device_roofs.h"
#include "profiling/analysis/unclear.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/skip.h"
#include "ui/analyze/options_panel.h"
#include "ui/build/value_editors.h"
#include "ui/common/class_names.h"
#include "ui/common/figure_text.h"
#include "ui/common/format.h"
#include "ui/common/language.h"
#include "ui/common/phrase_text.h"
#include "ui/common/settings.h"
#include "ui/main_window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>

#include <heteroscope_paths.h>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

struct Message {
    QString context, source, type;
    bool counted = false;
    QStringList texts; ///< one, or the forms of a counted message
};

/// What stands in a <translation>: its text, or the texts of its forms.
QStringList readTexts(QXmlStreamReader& xml) {
    QString text;
    QStringList forms;
    while (xml.readNext() != QXmlStreamReader::EndElement && !xml.atEnd()) {
        if (xml.isStartElement())
            forms << xml.readElementText();
        else
            text += xml.text();
    }
    return forms.isEmpty() ? QStringList{text} : forms;
}

std::vector<Message> readTranslation() {
    QFile file(HETEROSCOPE_SOURCE_DIR "/resources/translations/heteroscope_es.ts");
    std::vector<Message> messages;
    if (!file.open(QIODevice::ReadOnly))
        return messages;
    QXmlStreamReader xml(&file);
    QString context;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (xml.name() == QLatin1String("name"))
            context = xml.readElementText();
        else if (xml.name() == QLatin1String("message"))
            messages.push_back(
                {context, {}, {}, xml.attributes().value("numerus") == QLatin1String("yes"), {}});
        else if (xml.name() == QLatin1String("source"))
            messages.back().source = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            messages.back().type = xml.attributes().value("type").toString();
            messages.back().texts = readTexts(xml);
        }
    }
    return messages;
}

QStringList textsOf(const QString& context) {
    QStringList listed;
    for (const Message& message : readTranslation())
        if (message.context == context)
            listed << message.source;
    return listed;
}

/// "%1", "%n" ... in order of their names.
QStringList placeholders(const QString& text) {
    static const QRegularExpression kPlace("%L?(\\d+|n)");
    QStringList found;
    for (auto match = kPlace.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    found.sort();
    found.removeDuplicates();
    return found;
}

/// Letters that the keyboard reaches with Alt: "&Open".
qsizetype mnemonics(const QString& text) {
    static const QRegularExpression kMnemonic("&[^&\\s]");
    return text.count(kMnemonic);
}

} // namespace

class LanguageTest : public QObject {
    Q_OBJECT
  private slots:
    void init() { qputenv("HETEROSCOPE_DATA", m_data.path().toUtf8()); }
    void cleanup() { applyLanguage("en"); }

    void everyEntryIsTranslated() {
        const auto messages = readTranslation();
        QVERIFY(messages.size() > 700);
        constexpr int kSpanishForms = 2; // one, and more
        for (const Message& message : messages) {
            const QByteArray what = qPrintable(message.context + ": " + message.source);
            QVERIFY2(message.type.isEmpty(), what); // neither unfinished nor of a text that is gone
            QVERIFY2(message.texts.size() == (message.counted ? kSpanishForms : 1), what);
            for (const QString& text : message.texts)
                QVERIFY2(!text.trimmed().isEmpty(), what);
        }
    }

    void classesOfDrawnImagesAreWordsOfTheWindow() {
        const std::vector<std::string>& shapes = compute::shapeNames();
        const std::vector<std::string> two(shapes.begin(), shapes.begin() + 2), own{"square", "disc", "cat"};
        QCOMPARE(shownClassNames(two), QStringList({"disc", "square"}));
        const QStringList all = shownClassNames(shapes) + shownClassNames(compute::brainSliceNames());
        const QStringList listed = textsOf("ClassName");
        for (const QString& name : all)
            QVERIFY2(listed.contains(name), qPrintable(name));
        applyLanguage("es");
        const QStringList spanish = shownClassNames(shapes) + shownClassNames(compute::brainSliceNames());
        for (qsizetype i = 0; i < all.size(); ++i)
            QVERIFY2(spanish[i] != all[i], qPrintable(all[i])); // each is known to be a word of ours
        QCOMPARE(shownClassNames(two), QStringList({"disco", "cuadrado"}));
        QCOMPARE(shownClassNames(own), QStringList({"square", "disc", "cat"})); // of files: as they are
    }

    /// El eje, el punto; la referencia.
    void noneAgreesWithWhatIsMissing() {
        applyLanguage("es");
        const OptionsPanel panel;
        const auto none = [&](const char* name) {
            return panel.findChild<QComboBox*>(QLatin1String(name))->placeholderText();
        };
        QCOMPARE(none("axisChoice"), QString("ninguno"));
        QCOMPARE(none("pointChoice"), QString("ninguno"));
        QCOMPARE(none("referenceChoice"), QString("ninguna"));
    }

    void kindsOfExperimentsAreTheBuildersWords() {
        QCOMPARE(experimentKindText("matmul"), QString("Matrix multiplication"));
        applyLanguage("es");
        QCOMPARE(experimentKindText("matmul"), QString("Multiplicación de matrices"));
        QCOMPARE(experimentKindText("of another version"), QString("of another version"));
    }

    void placeholdersSurvive() {
        for (const Message& message : readTranslation())
            for (const QString& text : message.texts)
                QVERIFY2(placeholders(text) == placeholders(message.source), qPrintable(text));
    }

    void mnemonicsAndLinesSurvive() {
        for (const Message& message : readTranslation())
            for (const QString& text : message.texts) {
                QVERIFY2(mnemonics(text) == mnemonics(message.source), qPrintable(text));
                QVERIFY2(text.count('\n') == message.source.count('\n'), qPrintable(text));
            }
    }

    void everyPhraseOfTheAnalysisIsListed() {
        const QRegularExpression kWords("\\b(?:say|words)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)");
        const QRegularExpression kLiteral("\"((?:[^\"\\\\]|\\\\.)*)\"");
        QStringList said;
        QFileInfoList sources;
        for (const char* folder : {"/profiling/analysis", "/compute/base"})
            sources += QDir(QStringLiteral(HETEROSCOPE_SOURCE_DIR) + QLatin1String(folder))
                           .entryInfoList({QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files);
        for (const QFileInfo& source : sources) {
            QFile file(source.filePath());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QString text = QString::fromUtf8(file.readAll());
            for (auto match = kWords.globalMatch(text); match.hasNext();) {
                QString words;
                for (auto part = kLiteral.globalMatch(match.next().captured(1)); part.hasNext();)
                    words += part.next().captured(1);
                said << words.replace(QStringLiteral("\\\""), QStringLiteral("\""));
            }
        }
        said.removeDuplicates();
        said.sort();
        QVERIFY(said.size() > 80);
        QStringList listed = textsOf(QStringLiteral("Phrase"));
        listed.sort();
        QCOMPARE(listed, said);
    }

    void phrasesAreSaidInTheLanguageWithTheirNamesAsTheyAre() {
        const profiling::Phrase phrase =
            profiling::say("%1 is %2 faster than %3%4 (%5)",
                           {std::string("cpu/openmp"), std::string("2.0x"), std::string("100 %1"),
                            profiling::say(" at %1", {std::string("size 64")}), std::string("5 %")});
        QCOMPARE(phraseText(phrase),
                 QStringLiteral("cpu/openmp is 2.0x faster than 100 %1 at size 64 (5 %)"));
        QCOMPARE(phraseText(phrase).toStdString(), phrase.text());
        applyLanguage("es");
        QCOMPARE(phraseText(phrase),
                 QStringLiteral("cpu/openmp es 2.0x más rápido que 100 %1 con size 64 (5 %)"));
        profiling::Phrase sentence = profiling::say(
            "it is unclear whether %1 is faster than %2%3 (%4, %5)",
            {std::string("a"), std::string("b"), profiling::Phrase(), std::string("c"), std::string("d")});
        sentence.isSentence = true;
        QCOMPARE(phraseText(sentence), QStringLiteral("No está claro si a es más rápido que b (c, d)"));
    }

    void whyADeviceHasNoRoofsIsSaidInTheLanguage() {
        const auto why = [](Json properties) {
            return phraseText(profiling::deviceRoofs(
                                  {{"id", "cuda:0"}, {"kind", "gpu"}, {"properties", std::move(properties)}})
                                  .whyNoFp32);
        };
        applyLanguage("es");
        QCOMPARE(why(nullptr), QString("no está grabada la tasa máxima de este dispositivo"));
        QCOMPARE(why({{"multiprocessors", 4}, {"clock_mhz", 1000}, {"compute_capability", "99.0"}}),
                 QString("aquí no se sabe cuántas operaciones por ciclo hace un multiprocesador de capacidad "
                         "de cómputo 99.0"));
    }

    void everyTextOfTheFiguresIsListed() {
        const QStringList listed = textsOf(QStringLiteral("FigureText"));
        QVERIFY(shownFigures().size() > 40);
        for (const profiling::Figure* figure : shownFigures())
            for (const std::string_view text :
                 {figure->name, figure->definition, figure->numerator, figure->denominator})
                if (!text.empty())
                    QVERIFY2(listed.contains(fromStd(std::string(text))), std::string(text).c_str());
    }

    void everyTextOfTheParameterSchemaIsListed() {
        const QStringList listed = textsOf("Parameter");
        for (const std::string& kind : compute::experimentKinds())
            for (const compute::ParameterGroup& group : compute::parameterGroups(kind)) {
                QVERIFY2(listed.contains(fromStd(group.title)), group.title.c_str());
                requireTexts(listed, group.parameters);
            }
    }

    void everyChoiceOfTheParameterSchemaIsListed() {
        const QStringList listed = textsOf("Form");
        for (const std::string& kind : compute::experimentKinds())
            for (const compute::ParameterGroup& group : compute::parameterGroups(kind))
                for (const compute::Parameter& parameter : group.parameters)
                    for (const std::string& choice : parameter.choices)
                        QVERIFY2(listed.contains(choiceLabel(parameter.key, choice)), choice.c_str());
    }

    void everyTextOfTheLayersIsListed() {
        const QStringList layers = textsOf("Layer"), parameters = textsOf("Parameter");
        for (const compute::LayerType& type : compute::layerTypes()) {
            for (const std::string& text : {type.label, type.group, type.help})
                QVERIFY2(layers.contains(fromStd(text)), text.c_str());
            requireTexts(parameters, type.parameters);
        }
    }

    void everyTextOfTheTransformsIsListed() {
        const QStringList transforms = textsOf("Transform"), parameters = textsOf("Parameter");
        for (const compute::TransformType& type : compute::transformTypes()) {
            for (const std::string& text : {type.label, type.help})
                QVERIFY2(transforms.contains(fromStd(text)), text.c_str());
            requireTexts(parameters, type.parameters);
        }
    }

    void everyDoubtIsListed() {
        using profiling::Doubt;
        const QStringList listed = textsOf("ChartText");
        for (const Doubt doubt : {Doubt::NoInterval, Doubt::OneProcess, Doubt::Disturbed,
                                  Doubt::DisturbedStudy, Doubt::OneMoment, Doubt::Pairs, Doubt::Processes})
            for (const std::string& text : {profiling::doubtText(doubt), profiling::doubtAdvice(doubt)})
                QVERIFY2(!text.empty() && listed.contains(fromStd(text)), text.c_str());
    }

    void theChosenLanguageIsSpokenAfterAStart() {
        if (!languages().contains("es"))
            QSKIP_WITHOUT("translations", "built without Qt's LinguistTools");
        {
            MainWindow window;
            QCOMPARE(window.findChild<QAbstractButton*>("mode1")->text(), QString("Build"));
            auto* spanish = window.findChild<QAction*>("language-es");
            QVERIFY(spanish != nullptr);
            QCOMPARE(spanish->text(), QString("Espa\u00f1ol"));
            spanish->trigger();
        }
        QCOMPARE(Settings().language(), QString("es"));
        applyLanguage(Settings().language()); // as the program does at its start
        MainWindow window;
        QCOMPARE(window.findChild<QAbstractButton*>("mode1")->text(), QString("Construir"));
        QCOMPARE(formatRemaining(5), QString("quedan unos 5 s"));
    }

    /// Of Qt's own: compiled in, since a package may be missing where the window runs.
    void standardButtonsAreSaidInTheLanguage() {
        if (!languages().contains("es"))
            QSKIP_WITHOUT("translations", "built without Qt's LinguistTools");
        applyLanguage("es");
        const QDialogButtonBox buttons(QDialogButtonBox::Close | QDialogButtonBox::Cancel);
        QCOMPARE(buttons.button(QDialogButtonBox::Close)->text().remove('&'), QString("Cerrar"));
        QCOMPARE(buttons.button(QDialogButtonBox::Cancel)->text().remove('&'), QString("Cancelar"));
    }

    void anUnknownLanguageIsTheSystems() {
        applyLanguage("xx");
        QVERIFY(languages().contains(systemLanguage()));
    }

  private:
    static void requireTexts(const QStringList& listed, const std::vector<compute::Parameter>& parameters) {
        for (const compute::Parameter& parameter : parameters)
            for (const std::string& text : {parameter.label, parameter.help, parameter.unit})
                QVERIFY2(text.empty() || listed.contains(fromStd(text)), text.c_str());
    }

    QTemporaryDir m_data;
};

HETEROSCOPE_UI_TEST(LanguageTest)
#include "language_test.moc"
