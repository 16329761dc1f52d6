// SPDX-License-Identifier: GPL-3.0-or-later
// The example experiments and recorded runs that come with the program. GUI thread.
#pragma once

#include <QString>

#include <vector>

namespace heteroscope::ui {

struct Example {
    QString path;
    QString name;     ///< of the experiment
    QString sentence; ///< what it shows: the first sentence of the experiment's notes
    QString iconName;
};

/// Those of resources/examples that can be read, the demo first, those for GPUs last, else by file name.
std::vector<Example> listExamples();
/// Runs recorded on other machines that come with the program, so that a machine without a GPU shows what one
/// does: those that resources/recorded/recorded.json lists and that are there.
std::vector<Example> listRecordedRuns();
/// Path of the demo experiment; empty when the resources are missing.
QString demoExample();

} // namespace heteroscope::ui
