// SPDX-License-Identifier: Apache-2.0
// Texts of profiling/analysis that the window says in its language, listed for lupdate. Never compiled; a
// test compares the list with what is said.

QT_TRANSLATE_NOOP("ChartText", "fewer than 5 samples, which give no interval")
QT_TRANSLATE_NOOP("ChartText", "repeat in 3 fresh processes (preset standard)")
QT_TRANSLATE_NOOP("ChartText",
                  "fewer than 3 processes a side, and times of processes differ more than their samples")
QT_TRANSLATE_NOOP("ChartText",
                  "other programs ran while one of the two studies was taken, and not always the same")
QT_TRANSLATE_NOOP("ChartText",
                  "wait until the machine is quiet and repeat, or take both sides into one study")
QT_TRANSLATE_NOOP("ChartText",
                  "other programs ran meanwhile, and the 98 % interval contains a difference below a tenth")
QT_TRANSLATE_NOOP("ChartText", "wait until the machine is quiet and repeat")
QT_TRANSLATE_NOOP(
    "ChartText",
    "two studies of one moment each, which alone makes identical work differ by up to a factor of 2")
QT_TRANSLATE_NOOP("ChartText", "take both sides into one study, or run the two in turns, three times or "
                               "more, and compare the pairs "
                               "(heteroscope-cli compare A1 B1 A2 B2 A3 B3)")
QT_TRANSLATE_NOOP("ChartText", "over pairs of studies the 98 % interval contains 1 or a difference below 2 %")
QT_TRANSLATE_NOOP("ChartText", "more pairs of studies that take turns, or a quieter machine, narrow it")
QT_TRANSLATE_NOOP("ChartText", "over processes the 98 % interval contains 1 or a difference below 2 %")
QT_TRANSLATE_NOOP(
    "ChartText",
    "a quieter machine or more processes (/sampling/processes) narrow it, more samples of each hardly")
