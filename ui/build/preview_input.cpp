// SPDX-License-Identifier: GPL-3.0-or-later
// Makes or reads the numbers of the picture.
#include "ui/build/preview_input.h"

#include "compute/base/file_kind.h"
#include "compute/base/npy.h"
#include "compute/base/numpy_random.h"
#include "ui/common/text.h"

#include <QFileInfo>
#include <QImageReader>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr std::int64_t kMostPreviewValues = 16 << 20; ///< numbers held for a picture
constexpr std::int64_t kMostImagePixels = 64 << 20;   ///< larger ones are not decoded for a picture
constexpr int kImageMegabytes = 512;

Error fileError(const QString& file, const QString& message) {
    return badInput("/pooling/input/path",
                    (file.isEmpty() ? message : QFileInfo(file).fileName() + QStringLiteral(": ") + message)
                        .toStdString());
}

PreviewInput randomInput(const compute::InputSpec& input) {
    PreviewInput preview;
    preview.shape = {input.batch, input.channels, input.height, input.width};
    preview.knownRows =
        std::min({input.height, kPreviewRows, std::max<std::int64_t>(kMostPreviewValues / input.width, 1)});
    compute::NumpyRandom random(input.seed);
    preview.values.resize(static_cast<std::size_t>(preview.knownRows * input.width));
    for (float& value : preview.values)
        value = static_cast<float>(random.integer(input.low, input.high));
    return preview;
}

PreviewInput manualInput(const compute::InputSpec& input) {
    PreviewInput preview;
    preview.knownRows = static_cast<std::int64_t>(input.values.size());
    const std::size_t width = input.values.empty() ? 0 : input.values.front().size();
    preview.shape = {1, 1, preview.knownRows, static_cast<std::int64_t>(width)};
    for (const auto& row : input.values)
        for (const double value : row)
            preview.values.push_back(static_cast<float>(value));
    return preview;
}

/// One grey level as the computation reads it.
float greyOf(QRgb pixel) {
    return static_cast<float>((qRed(pixel) * 77 + qGreen(pixel) * 150 + qBlue(pixel) * 29) >> 8);
}

Result<PreviewInput> imageInput(const QString& file, bool grey) {
    if (file.isEmpty())
        return fileError(file, tr("choose an image"));
    if (const Status regular = requireRegularFile(file.toStdString()); !regular) // a FIFO would be waited for
        return regular.error();
    QImageReader reader(file);
    reader.setAutoTransform(false); // the computation reads pixels as they are stored
    QImageReader::setAllocationLimit(kImageMegabytes);
    const QSize size = reader.size();
    if (size.isValid() && std::int64_t(size.width()) * size.height() > kMostImagePixels)
        return fileError(file, tr("the image is too large for a picture"));
    const QImage image = reader.read().convertToFormat(QImage::Format_RGB32);
    if (image.isNull())
        return fileError(file, reader.errorString());
    PreviewInput preview;
    preview.shape = {1, grey ? 1 : 3, image.height(), image.width()};
    preview.knownRows =
        std::min<std::int64_t>(image.height(), std::max<std::int64_t>(kMostPreviewValues / image.width(), 1));
    preview.values.reserve(static_cast<std::size_t>(preview.knownRows * image.width()));
    for (int y = 0; y < preview.knownRows; ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(image.constScanLine(y));
        for (int x = 0; x < image.width(); ++x)
            preview.values.push_back(grey ? greyOf(line[x]) : static_cast<float>(qRed(line[x])));
    }
    preview.image = grey ? image.convertToFormat(QImage::Format_Grayscale8) : image;
    return preview;
}

compute::Shape4 shapeOf(const std::vector<std::int64_t>& sizes) {
    compute::Shape4 shape;
    const std::size_t n = sizes.size();
    shape.w = n > 0 ? sizes[n - 1] : 1;
    shape.h = n > 1 ? sizes[n - 2] : 1;
    shape.c = n > 2 ? sizes[n - 3] : 1;
    shape.n = n > 3 ? sizes[n - 4] : 1;
    return shape;
}

Result<PreviewInput> npyInput(const QString& file) {
    if (file.isEmpty())
        return fileError(file, tr("choose a .npy file"));
    auto header = compute::readNpyHeader(file.toStdString());
    if (!header)
        return header.error();
    if (header->elements > kMostPreviewValues) { // its size still counts; its numbers are not shown
        PreviewInput preview;
        preview.shape = shapeOf(header->shape);
        return preview;
    }
    auto array = compute::readNpy(file.toStdString());
    if (!array)
        return array.error();
    PreviewInput preview;
    preview.shape = shapeOf(array->shape);
    preview.knownRows = preview.shape.h;
    array->values.resize(static_cast<std::size_t>(preview.shape.h * preview.shape.w));
    preview.values = std::move(array->values);
    return preview;
}

} // namespace

Result<PreviewInput> loadPreviewInput(const compute::InputSpec& input, const QString& file) {
    switch (input.source) {
    case compute::InputSource::Random:
        return randomInput(input);
    case compute::InputSource::Manual:
        return manualInput(input);
    case compute::InputSource::Image:
        return imageInput(file, input.grey);
    case compute::InputSource::Npy:
        break;
    }
    return npyInput(file);
}

} // namespace heteroscope::ui
