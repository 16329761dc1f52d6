// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the window. Pure; any thread.
#pragma once

#include "ui/common/theme.h"
#include "ui/main_window/main_window.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>

namespace heteroscope {

struct Options {
    QString file;
    bool demo = false, run = false, measureStartup = false;
    QString screenshot, screenshotAll; ///< a PNG; a folder
    std::optional<ui::MainWindow::Mode> mode;
    QString chart; ///< page of mode Analyze
    std::optional<ui::ColorScheme> scheme;
    std::optional<QSize> size;
    int repeat = 0;                    ///< runs one after the other, then the end; 0: not asked for
    std::int64_t memoryLimitBytes = 0; ///< for reading files; 0: a quarter of what is free
    QString report;                    ///< a folder
    bool force = false;                ///< pictures and reports go over files of other kinds, too
    QStringList runs;
    bool help = false, version = false;
    QString completion;                  ///< a shell, whose script is printed
    bool selfTest = false, json = false; ///< json: of the self-test
};

/// Nothing, with a sentence in `error`, when the arguments are wrong.
std::optional<Options> parseOptions(const QStringList& arguments, QString* error);
QString usageText();

} // namespace heteroscope
