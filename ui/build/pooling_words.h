// SPDX-License-Identifier: GPL-3.0-or-later
// The words beside the pooling picture. Pure functions; GUI thread.
#pragma once

#include "compute/experiment/spec/estimate.h"
#include "ui/build/facts_panel.h"
#include "ui/build/pooling_preview.h"

#include <QString>

#include <vector>

namespace heteroscope::ui {

/// "Each 2 × 2 window keeps its largest number; the window moves by 2. 1024 × 1024 becomes 512 × 512."
QString poolingSentence(const PoolingPreview& preview);
/// "Window 3 of 4".
QString windowCaption(const PoolingPreview& preview, std::int64_t outRow, std::int64_t outColumn,
                      bool cropped);
/// "Rows 0 to 1, columns 2 to 3:  2  7  3  4  → maximum 7", the winner marked.
QString windowLine(const PoolingPreview& preview, const PooledWindow& window);
std::vector<FactsPanel::Fact> sizeFacts(const compute::PoolParams& params,
                                        const compute::PointEstimate& estimate);
std::vector<FactsPanel::Fact> memoryFacts(const compute::ExperimentSpec& spec,
                                          const compute::PointEstimate& estimate);

} // namespace heteroscope::ui
