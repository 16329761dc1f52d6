// SPDX-License-Identifier: GPL-3.0-or-later
// The checks of a self-test that need Qt, in the record that `heteroscope-cli self-test --json` prints. GUI
// thread.
#pragma once

#include "compute/base/json.h"

#include <QString>

namespace heteroscope {

enum class WindowCheck { Pass, Fail, Missing };

/// Adds a check of the group "window" to the record's "checks".
void addCheck(Json& record, const char* name, WindowCheck result, const QString& detail);
/// Fonts, resources, the library's index, the run files *.hscope in `folder`, and a figure of one, written
/// there.
void checkWindow(Json& record, const QString& folder);

bool allPassed(const Json& record);
QString checkTable(const Json& record); ///< one line a check, and last what it comes to

} // namespace heteroscope
