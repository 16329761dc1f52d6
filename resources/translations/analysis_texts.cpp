// SPDX-License-Identifier: Apache-2.0
// Texts of profiling/analysis that the window says in its language, listed for lupdate. Never compiled; a
// test compares the list with what is said.

QT_TRANSLATE_NOOP("ChartText", "fewer than 5 samples, which give no interval")
QT_TRANSLATE_NOOP("ChartText", "fewer than 30 samples")
QT_TRANSLATE_NOOP("ChartText", "repeat both sides with 30 samples (preset thesis)")
QT_TRANSLATE_NOOP("ChartText", "the ranges of the times are less than 0.5 % apart")
QT_TRANSLATE_NOOP("ChartText",
                  "the difference is smaller than the times spread; a quieter machine may show it, "
                  "more samples hardly")
QT_TRANSLATE_NOOP("ChartText", "the interval of the ratio contains 1")
QT_TRANSLATE_NOOP("ChartText", "no difference shows in so many samples; a quieter machine may show one, more "
                               "samples hardly")
