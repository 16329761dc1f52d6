// SPDX-License-Identifier: GPL-3.0-or-later
// The Spanish window: every entry translated, chosen by the settings, and its placeholders intact.
#include "compute/model/layer_type.h"
#include "compute/model/parameter_schema.h"
#include "ui/common/format.h"
#include "ui/common/language.h"
#include "ui/common/settings.h"
#include "ui/main_window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace heteroscope;
using namespace heteroscope::ui;

namespace {

struct Message {
    QString context, source, type;
    QStringList texts;
};

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
            messages.push_back({context, {}, {}, {}});
        else if (xml.name() == QLatin1String("source"))
            messages.back().source = xml.readElementText();
        else if (xml.name() == QLatin1String("numerusform"))
            messages.back().texts << xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            messages.back().type = xml.attributes().value("type").toString();
            const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            messages.back().texts << text.trimmed();
        }
    }
    return messages;
}

/// "%1", "%n" ... in order of their names.
QStringList placeholders(const QString& text) {
    static const QRegularExpression kPlace("%(\\d|n)");
    QStringList found;
    for (auto match = kPlace.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    found.sort();
    found.removeDuplicates();
    return found;
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
        for (const Message& message : messages)
            QVERIFY2(message.type.isEmpty() && !message.texts.last().isEmpty(),
                     qPrintable(message.context + ": " + message.source));
    }

    void placeholdersSurvive() {
        for (const Message& message : readTranslation())
            for (const QString& text : message.texts)
                if (message.type.isEmpty())
                    QVERIFY2(placeholders(text) == placeholders(message.source), qPrintable(text));
    }

    void everyTextOfTheParameterSchemaIsListed() {
        QStringList listed;
        for (const Message& message : readTranslation())
            if (message.context == "Parameter")
                listed << message.source;
        for (const char* kind : {"pooling", "matmul", "network"})
            for (const compute::ParameterGroup& group : compute::parameterGroups(kind)) {
                QVERIFY2(listed.contains(fromStd(group.title)), group.title.c_str());
                for (const compute::Parameter& parameter : group.parameters) {
                    QVERIFY2(listed.contains(fromStd(parameter.label)), parameter.label.c_str());
                    QVERIFY2(listed.contains(fromStd(parameter.help)), parameter.help.c_str());
                }
            }
    }

    void everyTextOfTheLayersIsListed() {
        QStringList layers, parameters;
        for (const Message& message : readTranslation())
            (message.context == "Layer" ? layers : parameters) << message.source;
        for (const compute::LayerType& type : compute::layerTypes()) {
            for (const std::string& text : {type.label, type.group, type.help})
                QVERIFY2(layers.contains(fromStd(text)), text.c_str());
            for (const compute::Parameter& parameter : type.parameters)
                for (const std::string& text : {parameter.label, parameter.help})
                    QVERIFY2(parameters.contains(fromStd(text)), text.c_str());
        }
    }

    void theChosenLanguageIsSpokenAfterAStart() {
        if (!languages().contains("es"))
            QSKIP("built without Qt's LinguistTools");
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

    void anUnknownLanguageIsTheSystems() {
        applyLanguage("xx");
        QVERIFY(languages().contains(systemLanguage()));
    }

  private:
    QTemporaryDir m_data;
};

QTEST_MAIN(LanguageTest)
#include "language_test.moc"
