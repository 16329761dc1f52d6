// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers that the picture shows: the first plane of an experiment's input, or its upper rows when it is
// large. GUI thread.
#pragma once

#include "compute/base/result.h"
#include "compute/core/shape.h"
#include "compute/experiment/spec/spec.h"

#include <QImage>
#include <QString>

#include <vector>

namespace heteroscope::ui {

struct PreviewInput {
    compute::Shape4 shape;      ///< of the whole input
    std::int64_t knownRows = 0; ///< rows of the first plane in `values`
    std::vector<float> values;  ///< knownRows x shape.w
    QImage image;               ///< image inputs: the picture
};

/// Rows of a random input that the picture makes: enough for what can be shown.
inline constexpr std::int64_t kPreviewRows = 64;

/// `file` is the resolved path of an image or npy input. Errors name the file.
Result<PreviewInput> loadPreviewInput(const compute::InputSpec& input, const QString& file);

} // namespace heteroscope::ui
