// SPDX-License-Identifier: GPL-3.0-or-later
// Figures to PNG, SVG and PDF bytes, and the saving of every format.
#include "ui/charts/figure_export.h"

#include "compute/base/output_file.h"
#include "ui/charts/chart_text.h"
#include "ui/charts/figure_renderer.h"
#include "ui/charts/text_export.h"
#include "ui/common/format.h"
#include "ui/common/output_kind.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>
#include <filesystem>
#include <string>
#include <system_error>

namespace heteroscope::ui {

namespace {

constexpr double kMmPerInch = 25.4;
constexpr double kVectorDpi = 1200; ///< fine enough that rounding of font sizes does not show

constexpr ExportFormatInfo kFormats[] = {
    {ExportFormat::Pdf, "pdf", QT_TRANSLATE_NOOP("ChartText", "PDF (vector)")},
    {ExportFormat::Svg, "svg", QT_TRANSLATE_NOOP("ChartText", "SVG (vector)")},
    {ExportFormat::Png, "png", QT_TRANSLATE_NOOP("ChartText", "PNG (pixels)")},
    {ExportFormat::Csv, "csv", QT_TRANSLATE_NOOP("ChartText", "CSV (plotted points)")},
    {ExportFormat::Tex, "tex", QT_TRANSLATE_NOOP("ChartText", "LaTeX (pgfplots)")},
};

const FigureSize kSizes[] = {
    {"column", QT_TRANSLATE_NOOP("ChartText", "Text column, 84 × 60 mm"), {84, 60}},
    {"page", QT_TRANSLATE_NOOP("ChartText", "Page width, 174 × 100 mm"), {174, 100}},
    {"slide", QT_TRANSLATE_NOOP("ChartText", "Slide 16:9, 254 × 143 mm"), {254, 142.9}},
};

FigureRequest requestFor(const ExportSettings& settings, double dpi) {
    FigureRequest request;
    request.size = settings.millimetres / kMmPerInch * dpi;
    request.style = FigureStyle::print(dpi);
    request.style.showCaption = settings.caption;
    request.style.grey = settings.grey;
    request.hiddenSeries = settings.hiddenSeries;
    return request;
}

void paintOn(QPaintDevice& device, const ChartData& chart, const FigureRequest& request) {
    QPainter painter(&device);
    paintFigure(painter, chart, request, layoutFigure(chart, request));
}

QByteArray toPdf(const ChartData& chart, const ExportSettings& settings) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(static_cast<int>(kVectorDpi));
        writer.setPageSize(QPageSize(settings.millimetres, QPageSize::Millimeter, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setTitle(chart.title);
        writer.setCreator(QStringLiteral("Heteroscope"));
        paintOn(writer, chart, requestFor(settings, kVectorDpi));
    }
    return buffer.data();
}

// A reader without our font gets a similar one instead of a browser's serif.
QByteArray withFallbackFonts(QByteArray svg) {
    const QByteArray named = "font-family=\"" + figureFontFamily().toUtf8();
    svg.replace(named + '"', named + ", Liberation Sans, Arial, Helvetica, sans-serif\"");
    return svg;
}

QByteArray toSvg(const ChartData& chart, const ExportSettings& settings) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    const FigureRequest request = requestFor(settings, kVectorDpi);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(static_cast<int>(kVectorDpi));
    generator.setSize(request.size.toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), request.size));
    generator.setTitle(chart.title);
    generator.setDescription(chart.caption);
    paintOn(generator, chart, request);
    return withFallbackFonts(buffer.data());
}

QByteArray toPng(const ChartData& chart, const ExportSettings& settings) {
    const FigureRequest request = requestFor(settings, settings.pngDpi);
    QImage image(request.size.toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return {};
    const int dotsPerMetre = static_cast<int>(std::lround(settings.pngDpi * 1000 / kMmPerInch));
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    image.fill(Qt::white);
    paintOn(image, chart, request);
    image.setText(QStringLiteral("Title"), chart.title);
    image.setText(QStringLiteral("Description"), chart.caption);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

bool fail(QString* error, const QString& text) {
    if (error)
        *error = text;
    return false;
}

} // namespace

std::span<const ExportFormatInfo> exportFormats() {
    return kFormats;
}

std::span<const FigureSize> figureSizes() {
    return kSizes;
}

QString formatSuffix(ExportFormat format) {
    for (const ExportFormatInfo& info : kFormats)
        if (info.format == format)
            return QLatin1String(info.suffix);
    return {};
}

QByteArray renderChart(const ChartData& chart, ExportFormat format, const ExportSettings& settings,
                       QString* error) {
    if (!chart.drawable()) {
        fail(error, chart.reason + QLatin1Char(' ') + chart.advice);
        return {};
    }
    switch (format) {
    case ExportFormat::Pdf:
        return toPdf(chart, settings);
    case ExportFormat::Svg:
        return toSvg(chart, settings);
    case ExportFormat::Png: {
        const QByteArray bytes = toPng(chart, settings);
        if (bytes.isEmpty())
            fail(error,
                 ChartText::tr("The picture is too large for memory; choose a smaller size or fewer dpi."));
        return bytes;
    }
    case ExportFormat::Csv:
        return chartToCsv(chart);
    case ExportFormat::Tex:
        break;
    }
    return chartToPgfplots(chart, settings.millimetres, settings.hiddenSeries);
}

bool saveBytes(const QString& path, const QByteArray& bytes, QString* error, const OutputRules& rules) {
    const QString folder = QFileInfo(path).absolutePath();
    std::error_code failure;
    std::filesystem::create_directories(folder.toStdString(), failure);
    if (failure)
        return fail(error, ChartText::tr("%1: its folder cannot be made: %2; choose another one.")
                               .arg(path, QString::fromStdString(failure.message())));
    const Status written =
        writeOutput(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())}, rules);
    return written || fail(error, fromStd(written.error().sentence()));
}

bool exportChart(const ChartData& chart, ExportFormat format, const ExportSettings& settings,
                 const QString& path, QString* error) {
    const QByteArray bytes = renderChart(chart, format, settings, error);
    return !bytes.isEmpty() &&
           saveBytes(path, bytes, error, overItsKind({bytes.constData(), std::size_t(bytes.size())}));
}

QString defaultFileName(const QString& studyName, const QString& chartKind) {
    QString name;
    for (const QChar c : studyName.toLower()) {
        if (c.isLetterOrNumber())
            name += c;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    }
    name = name.left(60);
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return (name.isEmpty() ? QStringLiteral("study") : name) + QLatin1Char('-') + chartKind;
}

} // namespace heteroscope::ui
