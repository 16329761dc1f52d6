// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the command line of the window.
#include "app/desktop/options.h"

#include "app/desktop/completion.h"
#include "compute/base/memory_budget.h"
#include "ui/analyze/analyze_view.h"

#include <QHash>

#include <algorithm>
#include <vector>

namespace heteroscope {

namespace {

using ui::ColorScheme;
using Mode = ui::MainWindow::Mode;

std::optional<Mode> modeFrom(const QString& name) {
    static const QHash<QString, Mode> kModes = {{"start", Mode::Start},     {"build", Mode::Build},
                                                {"run", Mode::Run},         {"timeline", Mode::Timeline},
                                                {"analyze", Mode::Analyze}, {"library", Mode::Library}};
    const auto found = kModes.find(name);
    return found == kModes.end() ? std::nullopt : std::optional(*found);
}

std::optional<QSize> sizeFrom(const QString& text) {
    constexpr int kMin = 320, kMax = 16384;
    const QStringList parts = text.toLower().split('x');
    const QSize size(parts.value(0).toInt(), parts.value(1).toInt());
    const bool sane = parts.size() == 2 && size.width() >= kMin && size.height() >= kMin &&
                      size.width() <= kMax && size.height() <= kMax;
    return sane ? std::optional(size) : std::nullopt;
}

bool takeMemoryLimit(Options& options, const QString& value) {
    const auto bytes = parseMemoryLimit(value.toStdString());
    options.memoryLimitBytes = bytes ? *bytes : 0;
    return bytes.ok();
}

/// Takes the value of an option that needs one; false when it is missing or wrong.
bool takeValue(Options& options, const QString& name, const QString& value) {
    if (name == "--screenshot")
        options.screenshot = value;
    else if (name == "--screenshot-all")
        options.screenshotAll = value;
    else if (name == "--report")
        options.report = value;
    else if (name == "--chart" && ui::AnalyzeView::pageIds().contains(value))
        options.chart = value;
    else if (name == "--completion" && completionShells().contains(value))
        options.completion = value;
    else if (name == "--repeat")
        return (options.repeat = value.toInt()) > 0;
    else if (name == "--memory-limit")
        return takeMemoryLimit(options, value);
    else if (name == "--mode")
        return (options.mode = modeFrom(value)).has_value();
    else if (name == "--size")
        return (options.size = sizeFrom(value)).has_value();
    else if (name == "--scheme" && (value == "dark" || value == "light"))
        options.scheme = value == "dark" ? ColorScheme::Dark : ColorScheme::Light;
    else
        return false;
    return true;
}

const OptionWords* wordsOf(const QString& name) {
    static const std::vector<OptionWords> kOptions = optionWords();
    const auto found = std::find_if(kOptions.begin(), kOptions.end(),
                                    [&](const OptionWords& option) { return option.name == name; });
    return found == kOptions.end() ? nullptr : &*found;
}

QString allowedFor(const QString& name) {
    const OptionWords* const words = wordsOf(name);
    return words && !words->choices.isEmpty() ? "allowed: " + words->choices.join(", ")
                                              : QStringLiteral("see --help");
}

bool takesValue(const QString& name) {
    const OptionWords* const words = wordsOf(name);
    return words && words->takes != OptionWords::Takes::Nothing && name != "--runs";
}

bool takeFlag(Options& options, const QString& name) {
    const QHash<QString, bool*> flags = {{"--demo", &options.demo},
                                         {"--run", &options.run},
                                         {"--measure-startup", &options.measureStartup},
                                         {"--force", &options.force},
                                         {"--help", &options.help},
                                         {"-h", &options.help},
                                         {"--version", &options.version},
                                         {"--self-test", &options.selfTest},
                                         {"--json", &options.json}};
    const auto found = flags.find(name);
    if (found == flags.end())
        return false;
    **found = true;
    return true;
}

} // namespace

std::optional<Options> parseOptions(const QStringList& arguments, QString* error) {
    Options options;
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        const QString name = arguments[i].section('=', 0, 0);
        const bool joined = arguments[i].startsWith("--") && arguments[i].contains('=');
        if (takesValue(name)) {
            const QString value = joined ? arguments[i].section('=', 1) : arguments.value(++i);
            if (value.isEmpty() || !takeValue(options, name, value)) {
                *error = QStringLiteral("%1 does not take '%2'; %3").arg(name, value, allowedFor(name));
                return std::nullopt;
            }
        } else if (name == "--runs") {
            while (i + 1 < arguments.size() && !arguments[i + 1].startsWith("--"))
                options.runs.append(arguments[++i]);
        } else if (!takeFlag(options, arguments[i])) {
            if (arguments[i].startsWith('-') || !options.file.isEmpty()) {
                *error = QStringLiteral("unexpected argument '%1'; see --help").arg(arguments[i]);
                return std::nullopt;
            }
            options.file = arguments[i];
        }
    }
    if (!options.report.isEmpty() && options.runs.isEmpty()) {
        *error = QStringLiteral("--report needs --runs FILE...");
        return std::nullopt;
    }
    if (options.json && !options.selfTest) {
        *error = QStringLiteral("--json is for --self-test alone");
        return std::nullopt;
    }
    return options;
}

QString usageText() {
    return QStringLiteral(R"(Usage: heteroscope [FILE] [options]

Opens the window, with FILE when given: an experiment (.json), a run file (.hscope),
a Chrome trace (.json, .json.gz), an image or a .npy array.

  --demo                   open the demo experiment, ready to run
  --run                    press Run once FILE or the demo is open
  --mode MODE              start, build, run, timeline, analyze or library
  --chart ID               page of mode analyze: time, speedup, roofline, ..., runs for the
                           table, device for transfers and advice
  --scheme dark|light      colours of this start; the default follows the settings
  --size WxH               size of the window
  --screenshot FILE.png    write a picture of the mode when it has settled, and end
  --screenshot-all FOLDER  write a picture of every mode and end; with --run also one
                           while the experiment runs (run-live.png), the others when
                           it has ended; --demo runs the demo
  --repeat N               run FILE or the demo N times, one after the other, look at each
                           in another mode, print a line for each, and end
  --memory-limit BYTES     refuse files that need more memory than this to be read, e.g.
                           512MiB; default: a quarter of what is free
  --report FOLDER --runs FILE...
                           write every figure of stored runs and report.html, and end
  --force                  let pictures and reports replace files that are there and are of
                           another kind; what is read is never written over
  --self-test [--json]     test this installation: short studies on every implementation,
                           run files, fonts, library, a figure, the display; exit code 0
                           when nothing failed
  --measure-startup        print the time from the start to the first painted window
  --completion SHELL       print the completion script for bash, fish or zsh, and end
  --help, --version

With --screenshot, --screenshot-all and --repeat the window always ends: what cannot be
opened or run is said on stderr, and so is a damaged recording, of which the pictures show
what could be read (exit code 2).

Exit codes: 0 done, 1 failed, 2 bad input, 3 target not available, 4 cancelled,
64 wrong arguments. Experiments run without a window
through heteroscope-cli.
)");
}

} // namespace heteroscope
