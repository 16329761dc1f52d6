// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli(1) in the macros of man(7).
#include "app/cli/help_formats.h"

#include <sstream>

namespace heteroscope::cli {
namespace {

/// Text that roff prints as it is.
std::string roffText(std::string_view text) {
    std::string result;
    bool lineStart = true;
    for (const char c : text) {
        if (lineStart && (c == '.' || c == '\''))
            result += "\\&";
        if (c == '\\')
            result += "\\e";
        else if (c == '-')
            result += "\\-";
        else
            result += c;
        lineStart = c == '\n';
    }
    return result;
}

/// Paragraphs: an empty line parts them.
std::string roffParagraphs(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line, result;
    while (std::getline(lines, line))
        result += line.empty() ? ".PP\n" : roffText(line) + "\n";
    return result;
}

std::string roffVerbatim(std::string_view text) {
    return ".PP\n.RS 4\n.nf\n" + roffText(text) + "\n.fi\n.RE\n";
}

std::string roffOptions(const std::vector<OptionWords>& options) {
    std::string text;
    for (const OptionWords& option : options) {
        const bool named = !option.flags.empty() && !option.valueName.empty();
        text += ".TP\n\\fB" + roffText(option.names) + "\\fR" +
                (named ? " \\fI" + roffText(option.valueName) + "\\fR" : "") + "\n" +
                roffText(option.description) + "\n";
    }
    return text;
}

std::string roffVerb(const VerbWords& verb) {
    std::string text = ".SS " + roffText(verb.name) + "\n" + roffText(verb.summary) + ".\n.PP\n" +
                       roffParagraphs(verb.description) + roffOptions(verb.options);
    for (const VerbWords& sub : verb.subcommands)
        text += ".PP\n\\fB" + roffText(verb.name + " " + sub.name) + "\\fR: " + roffText(sub.summary) + "\n" +
                ".RS 4\n" + roffOptions(sub.options) + ".RE\n";
    return text + ".PP\nExamples:\n" + roffVerbatim(verb.examples);
}

} // namespace

std::string manPage(const std::vector<VerbWords>& verbs) {
    std::string text =
        ".TH HETEROSCOPE\\-CLI 1 \"\" \"Heteroscope " HETEROSCOPE_VERSION "\" \"User Commands\"\n"
        ".SH NAME\nheteroscope\\-cli \\- run and profile heterogeneous computing experiments\n"
        ".SH SYNOPSIS\n.B heteroscope\\-cli\n\\fIVERB\\fR [\\fIoptions\\fR]\n"
        ".SH DESCRIPTION\nDoes everything that the window of\n.BR heteroscope (1)\ndoes, from the "
        "same experiment files, without a display. Answers go to standard output, progress and "
        "errors to standard error.\n.SH VERBS\n";
    for (const VerbWords& verb : verbs)
        text += roffVerb(verb);
    return text + ".SH EXIT STATUS\n" + roffVerbatim(exitCodeLines()) +
           ".SH ENVIRONMENT\n.TP\n\\fBHETEROSCOPE_MODULES\\fR\nfolder of the modules for NVIDIA GPUs, "
           "instead of "
           "lib/heteroscope beside the program's folder\n"
           ".SH FILES\n.TP\n\\fI/usr/share/heteroscope/examples\\fR\nexperiments, those of the examples "
           "above "
           "among them; in an archive share/heteroscope/examples\n.SH SEE ALSO\n.BR heteroscope (1)\n";
}

} // namespace heteroscope::cli
