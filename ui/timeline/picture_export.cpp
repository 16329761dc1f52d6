// SPDX-License-Identifier: GPL-3.0-or-later
// A timeline as PNG, SVG or PDF for reports: light colours, title, time axis, row names, legend.
#include "ui/timeline/picture_export.h"

#include "compute/base/output_file.h"
#include "ui/common/format.h"
#include "ui/common/output_kind.h"
#include "ui/common/text.h"
#include "ui/common/transfer_text.h"
#include "ui/timeline/overlay.h"
#include "ui/timeline/vector_painter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr double kMargin = 16.0;
constexpr double kNames = 170.0;
constexpr double kTitle = 46.0;
constexpr int kTallest = 4000;
constexpr std::size_t kLegendEntries = 10;
constexpr double kPngScale = 2.0;

class Picture {
    Q_DECLARE_TR_FUNCTIONS(heteroscope::ui::Picture)

  public:
    Picture(const TimelineState& state, const QString& title) : m_title(title) {
        m_state.mirror(state);
        m_font = QFont(QStringLiteral("DejaVu Sans"));
        m_font.setPixelSize(12);
        // Every row that is not hidden or filtered out; only a very tall picture is cut to what is in view.
        const int all = m_state.layout().height() + scrollTop(m_state.layout());
        m_rowsHeight =
            std::max(40, all <= kTallest ? all : std::min(m_state.viewHeight(), all - m_state.scrollY()));
        m_state.setViewHeight(m_rowsHeight);
        collectLegend();
    }

    QSizeF size() const {
        return {kNames + m_state.axis().width() + 2.0 * kMargin,
                kTitle + kRulerHeight + m_rowsHeight + legendHeight() + 2.0 * kMargin};
    }
    const QString& title() const { return m_title; }

    void paint(QPainter& painter, double step) {
        painter.fillRect(QRectF(QPointF(), size()), m_colors.surface);
        painter.translate(kMargin, kMargin);
        paintTitle(painter);
        painter.save();
        painter.translate(kNames, kTitle + kRulerHeight);
        paintRows(painter, step);
        painter.restore();
        painter.save();
        painter.translate(0.0, kTitle + kRulerHeight);
        paintNames(painter);
        painter.restore();
        painter.translate(kNames, kTitle + kRulerHeight + m_rowsHeight + kMargin);
        paintLegend(painter);
    }

  private:
    void collectLegend() {
        const TimeAxis& axis = m_state.axis();
        m_legend = m_state.trace()->statistics(axis.startNs(), axis.endNs(), m_state.layout().shownTracks());
        if (m_legend.size() > kLegendEntries)
            m_legend.resize(kLegendEntries);
    }

    double legendHeight() const {
        return m_legend.empty() ? 0.0 : kMargin + 20.0 * std::ceil(double(m_legend.size()) / legendColumns());
    }
    double legendColumns() const { return std::clamp(std::floor(m_state.axis().width() / 260.0), 1.0, 5.0); }

    void paintTitle(QPainter& painter) const {
        QFont font = m_font;
        font.setPixelSize(17);
        font.setBold(true);
        painter.setFont(font);
        painter.setPen(m_colors.text);
        const double room = size().width() - 2.0 * kMargin;
        painter.drawText(QPointF(0.0, 16.0), QFontMetricsF(font).elidedText(m_title, Qt::ElideRight, room));
        painter.setFont(m_font);
        painter.setPen(m_colors.mutedText);
        const profiling::Trace& trace = *m_state.trace();
        QString line =
            tr("%1 of a recording of %2; %3 spans")
                .arg(formatDuration(std::min(m_state.axis().rangeNs(),
                                             static_cast<double>(trace.endNs() - trace.startNs()))),
                     formatDuration(static_cast<double>(trace.endNs() - trace.startNs())),
                     countText(static_cast<std::int64_t>(trace.spanCount())));
        if (!trace.quality().clean())
            line += tr("; data quality: events were lost or changed");
        painter.drawText(QPointF(0.0, 35.0), line);
    }

    void paintRows(QPainter& painter, double step) {
        const RowColors rows = rowColors(false);
        const profiling::Trace& trace = *m_state.trace();
        QFont small = m_font;
        small.setPixelSize(11);
        LabelCache labels(trace, small, 1.0);
        SpanPalette palette(trace, false);
        DrawOptions options;
        options.axis = m_state.axis();
        options.step = step;
        options.scrollY = m_state.scrollY();
        options.height = m_rowsHeight;
        options.background = rows.background;
        options.counterColor = m_colors.accent.rgb();
        if (!m_state.searchText().isEmpty())
            options.wanted = [this](profiling::StringId name) { return m_state.matchesSearch(name); };
        const DrawList list = buildDrawList(trace, m_state.layout(), options, palette);
        const TickSet ticks = ticksFor(m_state.axis());
        painter.save();
        painter.setClipRect(QRectF(0.0, -kRulerHeight, m_state.axis().width(), m_rowsHeight + kRulerHeight));
        paintVector(painter, list, ticks, rows, labels);
        const Overlay overlay(painter, m_state, m_colors, m_font, m_rowsHeight);
        overlay.paintCounterScales(list);
        overlay.paintHits();
        overlay.paintRuler(ticks);
        overlay.paintRange();
        overlay.paintNotes();
        overlay.paintFlows();
        overlay.paintSelection();
        painter.restore();
        painter.setPen(QPen(m_colors.border, 1.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(0.0, 0.0, m_state.axis().width(), m_rowsHeight));
        m_bands = list.bands;
        m_top = list.top;
    }

    void paintNames(QPainter& painter) const {
        const QFontMetricsF metrics(m_font);
        painter.setFont(m_font);
        for (const RowBand& band : m_bands) {
            const double top = std::max<double>(band.y, band.pinned ? 0 : m_top);
            const double line = std::min<double>(band.y + band.height, m_rowsHeight) - top;
            const TrackInfo* info = m_state.layout().track(band.track);
            if (line < metrics.height() || !info)
                continue;
            const Row* row = m_state.layout().rowOf(band.track);
            const double indent = row && !row->pinned ? row->level * 10.0 : 0.0;
            painter.setPen(m_colors.text);
            painter.drawText(
                QPointF(indent, top + (std::min(line, 26.0) - metrics.height()) / 2.0 + metrics.ascent()),
                metrics.elidedText(info->name, Qt::ElideMiddle, kNames - indent - 8.0));
        }
    }

    void paintLegend(QPainter& painter) const {
        const QFontMetricsF metrics(m_font);
        const double column = m_state.axis().width() / legendColumns();
        const int columns = static_cast<int>(legendColumns());
        const profiling::Trace& trace = *m_state.trace();
        painter.setFont(m_font);
        for (std::size_t i = 0; i < m_legend.size(); ++i) {
            const int row = static_cast<int>(i) / columns;
            const double x = column * static_cast<double>(static_cast<int>(i) % columns);
            const double y = 20.0 * static_cast<double>(row);
            const QString name = QString::fromStdString(trace.string(m_legend[i].name));
            const QString category = QString::fromStdString(trace.string(m_legend[i].category));
            painter.fillRect(QRectF(x, y + 2.0, 12.0, 12.0), Theme::spanColor(category, name, false));
            painter.setPen(m_colors.text);
            const QString entry =
                QStringLiteral("%1 · %2").arg(name.left(120), formatDuration(double(m_legend[i].totalNs)));
            painter.drawText(QPointF(x + 18.0, y + 2.0 + metrics.ascent()),
                             metrics.elidedText(entry, Qt::ElideMiddle, column - 30.0));
        }
    }

    TimelineState m_state;
    QString m_title;
    ThemeColors m_colors = Theme::colorsFor(false);
    QFont m_font;
    int m_rowsHeight = 0;
    int m_top = 0;
    std::vector<profiling::SpanStats> m_legend;
    std::vector<RowBand> m_bands;
};

bool paintPng(Picture& picture, QIODevice& file) {
    QImage image((picture.size() * kPngScale).toSize(), QImage::Format_RGB32);
    if (image.isNull())
        return false;
    QPainter painter(&image);
    painter.scale(kPngScale, kPngScale);
    picture.paint(painter, 1.0 / kPngScale);
    painter.end();
    image.setText(QStringLiteral("Title"), picture.title());
    return image.save(&file, "PNG");
}

bool paintSvg(Picture& picture, QIODevice& file) {
    QSvgGenerator generator;
    generator.setOutputDevice(&file);
    generator.setTitle(picture.title());
    generator.setResolution(96);
    generator.setSize(picture.size().toSize());
    generator.setViewBox(QRectF(QPointF(), picture.size()));
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    picture.paint(painter, 1.0);
    return painter.end();
}

bool paintPdf(Picture& picture, QIODevice& file) {
    QPdfWriter writer(&file);
    writer.setTitle(picture.title());
    writer.setCreator(QStringLiteral("Heteroscope"));
    writer.setResolution(96);
    constexpr double kPointsPerPixel = 72.0 / 96.0;
    writer.setPageSize(
        QPageSize(picture.size() * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    picture.paint(painter, 1.0);
    return painter.end();
}

} // namespace

bool exportTimeline(const TimelineState& state, const QString& title, const QString& path, QString* error) {
    const auto fail = [error](const QString& sentence) {
        if (error)
            *error = sentence;
        return false;
    };
    if (state.isEmpty())
        return fail(tr("There is nothing to export: the timeline is empty."));
    const QString suffix = QFileInfo(path).suffix().toLower();
    bool (*const paint)(Picture&, QIODevice&) = suffix == QLatin1String("png")   ? paintPng
                                                : suffix == QLatin1String("svg") ? paintSvg
                                                : suffix == QLatin1String("pdf") ? paintPdf
                                                                                 : nullptr;
    if (!paint)
        return fail(tr("%1: the file's name must end in .png, .svg or .pdf.").arg(path));
    Picture picture(state, title);
    QBuffer buffer; // the generators close the device they are given
    buffer.open(QIODevice::WriteOnly);
    if (!paint(picture, buffer))
        return fail(tr("%1: the picture could not be drawn.").arg(path));
    const QByteArray& bytes = buffer.data();
    const std::string_view content{bytes.constData(), static_cast<std::size_t>(bytes.size())};
    const Status written = writeOutput(path.toStdString(), content, overItsKind(content));
    return written || fail(fromStd(written.error().sentence()));
}

} // namespace heteroscope::ui
