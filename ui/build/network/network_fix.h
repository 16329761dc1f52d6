// SPDX-License-Identifier: GPL-3.0-or-later
// The obvious cure of a wrong layer, where there is one. Pure; GUI thread (translated texts).
#pragma once

#include "ui/build/network/network_graph.h"

#include <QString>

#include <optional>

namespace heteroscope::ui {

struct NetworkFix {
    QString text; ///< "Set groups to 1": of the button and of the undo step
    Json document;
};

std::optional<NetworkFix> networkFix(const Json& document, const NetworkGraph& graph, int layer);

} // namespace heteroscope::ui
