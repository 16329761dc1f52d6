// SPDX-License-Identifier: GPL-3.0-or-later
// Experiments for tests/support/fake_worker.
#pragma once

#include "compute/base/json.h"

namespace heteroscope::ui {

/// What the fake worker does is told by its behaviour's name.
inline Json fake(const char* behaviour) {
    return {{"heteroscope", 1}, {"name", "Fake run"}, {"fake", behaviour}};
}

} // namespace heteroscope::ui
