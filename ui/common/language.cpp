// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and installs translations: the window's own, and Qt's for its standard buttons and dialogs.
#include "ui/common/language.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

#include <algorithm>
#include <atomic>

static void loadTranslationResources() {
    Q_INIT_RESOURCE(translations);
}

namespace heteroscope::ui {

namespace {

const QString kFolder = QStringLiteral(":/translations");
const QString kPrefix = QStringLiteral("heteroscope_");

thread_local int t_englishTexts = 0;

/// Texts of the window: English ones where they are asked for.
class WindowTranslator : public QTranslator {
  public:
    QString translate(const char* context, const char* source, const char* comment,
                      int count) const override {
        return t_englishTexts > 0 ? QString() : QTranslator::translate(context, source, comment, count);
    }
};

std::atomic<bool> s_translated = false;

/// Replaces what an earlier call installed; without a file in one of the folders the texts stay English.
void install(QTranslator& translator, const QString& name, const QStringList& folders) {
    QCoreApplication::removeTranslator(&translator);
    if (std::any_of(folders.begin(), folders.end(),
                    [&](const QString& folder) { return translator.load(name, folder); }))
        QCoreApplication::installTranslator(&translator);
}

} // namespace

QStringList languages() {
    loadTranslationResources();
    QStringList codes = {QStringLiteral("en")};
    for (const QString& file : QDir(kFolder).entryList({kPrefix + QStringLiteral("*.qm")}))
        codes.append(file.mid(kPrefix.size()).section(QLatin1Char('.'), 0, 0));
    return codes;
}

QString languageName(const QString& code) {
    QString name = QLocale(code).nativeLanguageName();
    if (code == QLatin1String("en"))
        return QStringLiteral("English"); // the locale's own answer names a country too
    if (!name.isEmpty())
        name[0] = name[0].toUpper();
    return name.section(QLatin1Char(' '), 0, 0);
}

QString systemLanguage() {
    const QStringList known = languages();
    for (const QString& wish : QLocale::system().uiLanguages()) {
        const QString code = wish.section(QLatin1Char('-'), 0, 0);
        if (known.contains(code))
            return code;
    }
    return known.first();
}

void applyLanguage(const QString& code) {
    static WindowTranslator own;
    static QTranslator qt;
    const QString wanted = languages().contains(code) ? code : systemLanguage();
    install(own, kPrefix + wanted, {kFolder});
    s_translated = !own.isEmpty() && wanted != QLatin1String("en");
    install(qt, QStringLiteral("qtbase_") + wanted,
            {kFolder, QLibraryInfo::path(QLibraryInfo::TranslationsPath)});
}

EnglishTexts::EnglishTexts() {
    ++t_englishTexts;
}

EnglishTexts::~EnglishTexts() {
    --t_englishTexts;
}

bool textsAreTranslated() {
    return s_translated && t_englishTexts == 0;
}

} // namespace heteroscope::ui
