// SPDX-License-Identifier: GPL-3.0-or-later
// The window's options as shells complete them. Pure; any thread.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace heteroscope {

struct OptionWords {
    enum class Takes { Nothing, Word, File, Folder };
    QString name; ///< "--mode"
    Takes takes = Takes::Nothing;
    QString valueName;   ///< "MODE"; empty when it takes nothing
    QStringList choices; ///< all the values it takes, where they can be listed
    QString description; ///< one line
};

/// Every option that --help names, in its order.
std::vector<OptionWords> optionWords();

QStringList completionShells(); ///< "bash", "fish", "zsh"
/// The script for one of completionShells().
QString completionScript(const QString& shell);

} // namespace heteroscope
