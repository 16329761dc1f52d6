// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the folder of examples.
#include "ui/main_window/examples.h"

#include "compute/base/json.h"
#include "ui/common/format.h"
#include "ui/common/paths.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr qint64 kMaxBytes = 1 << 20;

QString iconFor(const Json& document) {
    if (document.value("kind", std::string()) == "matmul")
        return QStringLiteral("matmul");
    if (document.value("kind", std::string()) == "network")
        return QStringLiteral("network");
    const Json pooling = document.value("pooling", Json::object());
    if (pooling.is_object() && pooling.value("strategy", std::string()) == "window")
        return QStringLiteral("window-strategy");
    const Json input = pooling.is_object() ? pooling.value("input", Json::object()) : Json::object();
    if (input.is_object() && input.value("source", std::string()) == "image")
        return QStringLiteral("photo");
    return document.contains("axes") ? QStringLiteral("sweep") : QStringLiteral("build");
}

QString firstSentence(const QString& text) {
    const auto end = text.indexOf(QStringLiteral(". "));
    return end < 0 ? text : text.left(end + 1);
}

/// The file as JSON; discarded when it cannot be read or is too large.
Json readJson(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMaxBytes)
        return Json(Json::value_t::discarded);
    const QByteArray text = file.readAll();
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

QString exampleText(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? fromStd(found->get<std::string>()) : QString();
}

bool readExample(const QString& path, Example& example) {
    const Json document = readJson(path);
    if (!document.is_object() || !document.contains("heteroscope"))
        return false;
    example = {path, exampleText(document, "name"), firstSentence(exampleText(document, "notes")),
               iconFor(document)};
    if (example.name.isEmpty())
        example.name = QFileInfo(path).completeBaseName();
    return true;
}

} // namespace

std::vector<Example> listExamples() {
    std::vector<Example> examples;
    const QDir folder(resourcesDirectory() + QStringLiteral("/examples"));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
        Example example;
        if (readExample(folder.filePath(name), example))
            examples.push_back(example);
    }
    const auto nameOf = [](const Example& example) { return QFileInfo(example.path).completeBaseName(); };
    std::stable_partition(examples.begin(), examples.end(),
                          [&](const Example& example) { return nameOf(example) == QLatin1String("demo"); });
    std::stable_partition(examples.begin(), examples.end(), [&](const Example& example) {
        return !nameOf(example).startsWith(QLatin1String("gpu_")); // not every machine has one
    });
    return examples;
}

std::vector<Example> listRecordedRuns() {
    std::vector<Example> runs;
    const QDir folder(resourcesDirectory() + QStringLiteral("/recorded"));
    const Json index = readJson(folder.filePath(QStringLiteral("recorded.json")));
    if (!index.is_object() || !index.contains("runs") || !index.at("runs").is_array())
        return runs;
    for (const Json& run : index.at("runs")) {
        if (!run.is_object())
            continue;
        const QString path =
            folder.filePath(QFileInfo(exampleText(run, "file")).fileName()); // nowhere but here
        if (QFileInfo(path).isFile())
            runs.push_back(
                {path, exampleText(run, "name"), exampleText(run, "shows"), QStringLiteral("timeline")});
    }
    return runs;
}

QString demoExample() {
    const QString path = resourcesDirectory() + QStringLiteral("/examples/demo.json");
    return QFileInfo::exists(path) ? path : QString();
}

} // namespace heteroscope::ui
