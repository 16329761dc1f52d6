// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences, captions and figures of the pooling picture.
#include "ui/build/pooling_words.h"

#include "compute/base/units.h"
#include "ui/common/format.h"
#include "ui/common/text.h"
#include "ui/common/theme.h"

namespace heteroscope::ui {

namespace {

constexpr std::size_t kMostListed = 25; ///< cells of a window that are listed one by one

QString pairText(std::int64_t h, std::int64_t w) {
    return QStringLiteral("%1\u00a0×\u00a0%2").arg(countText(h), countText(w));
}

QString strideText(const compute::Extent2d& stride) {
    if (stride.h == stride.w)
        return countText(stride.h);
    return tr("%1 down and %2 across").arg(countText(stride.h), countText(stride.w));
}

QString spanText(std::int64_t first, std::int64_t count) {
    return count == 1 ? countText(first) : tr("%1 to %2").arg(countText(first), countText(first + count - 1));
}

QString bytesText(std::int64_t bytes) {
    return fromStd(formatBytes(static_cast<double>(bytes)));
}

} // namespace

QString poolingSentence(const PoolingPreview& preview) {
    const auto& p = preview.params();
    const QString rule = p.mode == compute::PoolMode::Max ? tr("Each %1 window keeps its largest number")
                                                          : tr("Each %1 window becomes its average");
    return tr("%1, and the window moves by %2: %3 becomes %4.")
        .arg(rule.arg(pairText(p.kernel.h, p.kernel.w)), strideText(p.stride),
             pairText(preview.src().h, preview.src().w), pairText(preview.dst().h, preview.dst().w));
}

QString windowCaption(const PoolingPreview& preview, std::int64_t outRow, std::int64_t outColumn,
                      bool cropped) {
    if (preview.isEmpty())
        return {};
    const QString caption = tr("Window %1 of %2")
                                .arg(countText(outRow * preview.dst().w + outColumn + 1),
                                     countText(preview.dst().h * preview.dst().w));
    return cropped ? tr("%1 · a part is shown").arg(caption) : caption;
}

QString windowLine(const PoolingPreview& preview, const PooledWindow& window) {
    const auto& p = preview.params();
    const ThemeColors& colors = Theme::instance().colors();
    const QString mark = Theme::seriesColor(Theme::instance().isDark() ? 1 : 5).name();
    QStringList cells;
    for (std::size_t i = 0; i < window.cells.size() && i < kMostListed; ++i) {
        const QString text = cellText(window.cells[i].value);
        if (window.winner == i)
            cells << QStringLiteral("<b style=\"color:%1\">%2</b>").arg(mark, text);
        else if (window.cells[i].isPadding)
            cells << QStringLiteral("<span style=\"color:%1\">%2</span>").arg(colors.mutedText.name(), text);
        else
            cells << text;
    }
    if (window.cells.size() > kMostListed)
        cells << QStringLiteral("…");
    const QString result =
        (p.mode == compute::PoolMode::Max ? tr("maximum %1") : tr("average %1"))
            .arg(QStringLiteral("<b style=\"color:%1\">%2</b>").arg(mark, cellText(window.result)));
    return QStringLiteral("<span style=\"color:%1\">%2</span>&nbsp;&nbsp; %3 &nbsp;→&nbsp; %4")
        .arg(colors.mutedText.name(),
             tr("Rows %1, columns %2:")
                 .arg(spanText(window.top, p.kernel.h), spanText(window.left, p.kernel.w)),
             cells.join(QStringLiteral("&nbsp;&nbsp;")), result);
}

std::vector<FactsPanel::Fact> sizeFacts(const compute::PoolParams& p,
                                        const compute::PointEstimate& estimate) {
    const auto text = [](const std::string& formula) {
        return fromStd(formula).replace(QLatin1String(" - "), QStringLiteral(" − "));
    };
    const QString help = tr("Rounded down: a window that does not fit whole is left out");
    return {{tr("Height"),
             text(compute::outputFormula(estimate.src.h, p.padding.top, p.padding.bottom, p.kernel.h,
                                         p.stride.h)),
             help},
            {tr("Width"),
             text(compute::outputFormula(estimate.src.w, p.padding.left, p.padding.right, p.kernel.w,
                                         p.stride.w)),
             help},
            {tr("Windows"), countText(estimate.windows),
             tr("Windows extracted: one for each element of the output, over all channels and images")}};
}

std::vector<FactsPanel::Fact> memoryFacts(const compute::ExperimentSpec& spec,
                                          const compute::PointEstimate& estimate) {
    std::vector<FactsPanel::Fact> facts = {
        {tr("Input"), bytesText(estimate.srcBytes), tr("All images and channels, four bytes a number")}};
    if (estimate.paddedBytes != estimate.srcBytes)
        facts.push_back(
            {tr("With padding"), bytesText(estimate.paddedBytes), tr("The input were its padding stored")});
    facts.push_back({tr("Output"), bytesText(estimate.dstBytes), {}});
    if (spec.pooling.backward)
        facts.push_back(
            {tr("Gradients"), bytesText(estimate.gradientBytes), tr("Of the output and of the input")});
    facts.push_back(
        {tr("On the device"), bytesText(estimate.deviceBytes), tr("What an implementation holds at once")});
    facts.push_back({tr("Whole run"), bytesText(estimate.hostBytes),
                     tr("Host memory: inputs, outputs and the copy that results are compared with")});
    return facts;
}

} // namespace heteroscope::ui
