// SPDX-License-Identifier: GPL-3.0-or-later
// Examples of a dataset as pictures. Any thread.
#pragma once

#include "compute/core/shape.h"

#include <QImage>

#include <span>

namespace heteroscope::ui {

/// An image with its own smallest value as black and its largest as white; a row of a table lies down. At
/// most 512 pixels a side.
QImage sampleImage(std::span<const float> values, const compute::Shape4& shape);

/// In a square of `side` device pixels: pixels that are enlarged stay squares, and where there are more
/// pixels than the square has they are averaged.
QImage fittedImage(const QImage& image, int side);

} // namespace heteroscope::ui
