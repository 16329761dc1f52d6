// SPDX-License-Identifier: GPL-3.0-or-later
// Text for LaTeX, and files that compile by themselves and can be \input into a paper.
#include "ui/charts/text_export.h"

#include <algorithm>
#include <iterator>

namespace heteroscope::ui {

namespace {

struct Replacement {
    char32_t character;
    const char* latex;
};

constexpr Replacement kReplacements[] = {
    {U'#', "\\#"},
    {U'$', "\\$"},
    {U'%', "\\%"},
    {U'&', "\\&"},
    {U'_', "\\_"},
    {U'{', "\\{"},
    {U'}', "\\}"},
    {U'\\', "\\textbackslash{}"},
    {U'^', "\\textasciicircum{}"},
    {U'~', "\\textasciitilde{}"},
    {U'<', "$<$"},
    {U'>', "$>$"},
    {U'|', "$|$"},
    {U'"', "\\textquotedbl{}"},
    {U'\n', " "},
    {U'\u00a0', "~"},
    {U'\u2009', "\\,"},
    {U'\u202f', "\\,"},
    {U'\u2010', "-"},
    {U'\u2011', "-"},
    {U'–', "--"},
    {U'—', "---"},
    {U'−', "$-$"},
    {U'…', "\\dots{}"},
    {U'‘', "`"},
    {U'’', "'"},
    {U'“', "``"},
    {U'”', "''"},
    {U'•', "\\textbullet{}"},
    {U'×', "$\\times$"},
    {U'·', "$\\cdot$"},
    {U'±', "$\\pm$"},
    {U'≥', "$\\geq$"},
    {U'≤', "$\\leq$"},
    {U'≠', "$\\neq$"},
    {U'≈', "$\\approx$"},
    {U'∞', "$\\infty$"},
    {U'→', "$\\rightarrow$"},
    {U'←', "$\\leftarrow$"},
    {U'√', "$\\surd$"},
    {U'°', "\\textdegree{}"},
    {U'µ', "\\textmu{}"},
    {U'μ', "\\textmu{}"},
    {U'α', "$\\alpha$"},
    {U'β', "$\\beta$"},
    {U'γ', "$\\gamma$"},
    {U'δ', "$\\delta$"},
    {U'λ', "$\\lambda$"},
    {U'π', "$\\pi$"},
    {U'σ', "$\\sigma$"},
    {U'Δ', "$\\Delta$"},
    {U'Σ', "$\\Sigma$"},
    {U'Ω', "$\\Omega$"},
    {U'¹', "$^1$"},
    {U'²', "$^2$"},
    {U'³', "$^3$"},
    {U'€', "\\texteuro{}"},
    {U'®', "\\textregistered{}"},
    {U'™', "\\texttrademark{}"},
    {U'©', "\\textcopyright{}"},
};

const char* replacementOf(char32_t character) {
    const auto found = std::find_if(std::begin(kReplacements), std::end(kReplacements),
                                    [&](const Replacement& one) { return one.character == character; });
    return found == std::end(kReplacements) ? nullptr : found->latex;
}

/// ASCII and the Latin-1 letters, which utf8 input and T1 fonts know.
bool printsAsItIs(char32_t c) {
    return (c >= 0x20 && c < 0x7f) || (c >= 0xc0 && c <= 0xff);
}

} // namespace

QString latexText(const QString& text) {
    QString result;
    for (const char32_t c : text.toUcs4()) {
        if (const char* const latex = replacementOf(c))
            result += QLatin1String(latex);
        else if (printsAsItIs(c))
            result += QChar(static_cast<char16_t>(c));
        else // nothing that a plain LaTeX can print: named rather than lost, and never an error
            result += QStringLiteral("[U+%1]").arg(QString::number(c, 16).toUpper(), 4, QLatin1Char('0'));
    }
    return result;
}

QString latexDocument(const QStringList& preamble, QSizeF pageMillimetres, const QString& body) {
    const QString lines = preamble.join(QLatin1Char('\n'));
    QString text = QStringLiteral("% Compiles by itself with pdflatex. In a paper, put these lines into the "
                                  "preamble and \\input this file:\n%   ") +
                   preamble.join(QStringLiteral("\n%   ")) + QLatin1Char('\n');
    // \@nodocument is \relax from \begin{document} on: then this file is being read by a paper.
    text +=
        QStringLiteral("\\def\\heteroscopeEnd{}%\n"
                       "\\expandafter\\ifx\\csname @nodocument\\endcsname\\relax\\else\n"
                       "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
                       "\\usepackage[paperwidth=%1mm,paperheight=%2mm,margin=8mm]{geometry}\n")
            .arg(pageMillimetres.width(), 0, 'f', 0)
            .arg(pageMillimetres.height(), 0, 'f', 0);
    text += lines + QStringLiteral("\n\\pagestyle{empty}\n\\def\\heteroscopeEnd{\\end{document}}\n"
                                   "\\begin{document}\n\\fi\n");
    return text + body + QStringLiteral("\\heteroscopeEnd\n");
}

} // namespace heteroscope::ui
