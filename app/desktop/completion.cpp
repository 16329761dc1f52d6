// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/completion.h"

#include "ui/analyze/analyze_view.h"

namespace heteroscope {

namespace {

using Takes = OptionWords::Takes;

QString namesOf(const std::vector<OptionWords>& options) {
    QStringList names;
    for (const OptionWords& option : options)
        names.append(option.name);
    return names.join(QLatin1Char(' '));
}

/// In single quotes; `quote` is what the shell wants for one inside.
QString quoted(QString text, const QString& quote) {
    return QLatin1Char('\'') + text.replace(QLatin1Char('\''), quote) + QLatin1Char('\'');
}

/// A word after an option, also where "--mode=build" is three words to bash.
QString bashScript() {
    QString values;
    for (const OptionWords& option : optionWords()) {
        if (!option.choices.isEmpty())
            values +=
                QStringLiteral("        %1) words=\"%2\" ;;\n").arg(option.name, option.choices.join(' '));
        else if (option.takes == Takes::Folder)
            values += QStringLiteral("        %1) action=directory ;;\n").arg(option.name);
        else if (option.takes == Takes::Word)
            values += QStringLiteral("        %1) action=none ;;\n").arg(option.name);
    }
    return QStringLiteral(R"(# Completion of heteroscope for bash, made from its table of options.
_heteroscope() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words="" action=file
    if [ "$current" = "=" ]; then
        current=""
    elif [ "$before" = "=" ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    case "$before" in
%1    esac
    if [[ -z $words && $action == file && $current == -* ]]; then
        words="%2"
    fi
    COMPREPLY=()
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [ "$action" != none ]; then
        mapfile -t COMPREPLY < <(compgen -A "$action" -- "$current")
    fi
}
complete -o filenames -F _heteroscope heteroscope
)")
        .arg(values, namesOf(optionWords()));
}

QString fishScript() {
    QString text = QStringLiteral("# Completion of heteroscope for fish, made from its table of options.\n");
    for (const OptionWords& option : optionWords()) {
        text += option.name.startsWith(QLatin1String("--"))
                    ? QStringLiteral("complete -c heteroscope -l ") + option.name.mid(2)
                    : QStringLiteral("complete -c heteroscope -s ") + option.name.mid(1);
        if (!option.choices.isEmpty())
            text += QStringLiteral(" -x -a \"%1\"").arg(option.choices.join(' '));
        else if (option.takes == Takes::Folder)
            text += QStringLiteral(" -x -a \"(__fish_complete_directories)\"");
        else if (option.takes == Takes::File)
            text += QStringLiteral(" -r -F");
        else if (option.takes == Takes::Word)
            text += QStringLiteral(" -x");
        text += QStringLiteral(" -d %1\n").arg(quoted(option.description, QStringLiteral("\\'")));
    }
    return text;
}

QString zshValue(const OptionWords& option) {
    if (option.takes == Takes::Nothing)
        return {};
    QString values = option.takes == Takes::File     ? QStringLiteral("_files")
                     : option.takes == Takes::Folder ? QStringLiteral("_files -/")
                                                     : QStringLiteral(" ");
    if (!option.choices.isEmpty())
        values = QStringLiteral("(%1)").arg(option.choices.join(' '));
    return QStringLiteral(":%1:%2").arg(option.valueName, values);
}

/// _arguments takes ':' and '[' ']' as signs of its own.
QString zshText(QString text) {
    for (const QChar sign : {QLatin1Char('\\'), QLatin1Char(':'), QLatin1Char('['), QLatin1Char(']')})
        text.replace(sign, QStringLiteral("\\") + sign);
    return text;
}

QString zshScript() {
    QString text = QStringLiteral("#compdef heteroscope\n"
                                  "# Completion of heteroscope for zsh, made from its table of options.\n"
                                  "_arguments -S");
    for (const OptionWords& option : optionWords()) {
        const QString joins = option.takes == Takes::Nothing ? QString() : QStringLiteral("=");
        text += QStringLiteral(" \\\n    ") +
                quoted(QStringLiteral("*%1%2[%3]%4")
                           .arg(option.name, joins, zshText(option.description), zshValue(option)),
                       QStringLiteral("'\\''"));
    }
    return text + QStringLiteral(" \\\n    '*:file:_files'\n");
}

} // namespace

std::vector<OptionWords> optionWords() {
    return {
        {"--demo", Takes::Nothing, {}, {}, "open the demo experiment, ready to run"},
        {"--run", Takes::Nothing, {}, {}, "press Run once the file or the demo is open"},
        {"--mode",
         Takes::Word,
         "MODE",
         {"start", "build", "run", "timeline", "analyze", "library"},
         "the mode that is shown first"},
        {"--chart", Takes::Word, "ID", ui::AnalyzeView::pageIds(), "page of mode analyze"},
        {"--scheme", Takes::Word, "SCHEME", {"dark", "light"}, "colours of this start"},
        {"--size", Takes::Word, "WxH", {}, "size of the window"},
        {"--screenshot", Takes::File, "FILE.png", {}, "write a picture of the mode and end"},
        {"--screenshot-all", Takes::Folder, "FOLDER", {}, "write a picture of every mode and end"},
        {"--repeat", Takes::Word, "N", {}, "run the file or the demo N times and end"},
        {"--memory-limit", Takes::Word, "BYTES", {}, "refuse files that need more memory to be read"},
        {"--report", Takes::Folder, "FOLDER", {}, "write every figure of stored runs and end"},
        {"--runs", Takes::File, "FILE", {}, "the run files of the report"},
        {"--force", Takes::Nothing, {}, {}, "let pictures and reports replace files of another kind"},
        {"--self-test", Takes::Nothing, {}, {}, "test this installation and end"},
        {"--json", Takes::Nothing, {}, {}, "the self-test's result as JSON"},
        {"--measure-startup", Takes::Nothing, {}, {}, "print the time to the first painted window"},
        {"--completion", Takes::Word, "SHELL", completionShells(), "print a script for a shell and end"},
        {"--help", Takes::Nothing, {}, {}, "list the options and end"},
        {"-h", Takes::Nothing, {}, {}, "list the options and end"},
        {"--version", Takes::Nothing, {}, {}, "print the version and end"},
    };
}

QStringList completionShells() {
    return {"bash", "fish", "zsh"};
}

QString completionScript(const QString& shell) {
    if (shell == QLatin1String("bash"))
        return bashScript();
    return shell == QLatin1String("fish") ? fishScript() : zshScript();
}

} // namespace heteroscope
