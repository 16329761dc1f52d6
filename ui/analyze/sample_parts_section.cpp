// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/sample_parts_section.h"

#include "compute/base/units.h"
#include "profiling/analysis/figures.h"
#include "ui/analyze/report_table.h"
#include "ui/common/figure_text.h"
#include "ui/common/phrase_text.h"
#include "ui/common/share_bar.h"
#include "ui/common/theme.h"
#include "ui/common/transfer_text.h"
#include "ui/common/widgets.h"

#include <QHeaderView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace heteroscope::ui {

namespace {

using profiling::figure;
using profiling::SampleParts;

enum PartsColumn { Run, Recorded, Parts, Operations, Copies, Rest, Untraced };
constexpr int kMostPartsRuns = 8;

/// In the order of their columns, from Operations on.
const std::array<const profiling::Figure*, 3>& partFigures() {
    static const std::array all{&figure("operations_time"), &figure("host_copies_time"),
                                &figure("rest_time")};
    return all;
}

QStringList titles() {
    QStringList all{figureTitle(figure("run_number")), figureTitle(figure("recorded_wall")),
                    SamplePartsSection::tr("Parts")};
    for (const profiling::Figure* part : partFigures())
        all << figureTitle(*part);
    return all << figureTitle(figure("untraced_time"));
}

/// Of a repetition.
QString timeText(double ns, const SampleParts& parts) {
    return QString::fromStdString(
        formatDurationNs(ns / static_cast<double>(std::max<std::int64_t>(parts.repetitions, 1))));
}

double shareOf(std::int64_t ns, const SampleParts& parts) {
    return parts.wallNs > 0 ? static_cast<double>(ns) / static_cast<double>(parts.wallNs) : 0;
}

} // namespace

SamplePartsSection::SamplePartsSection(QWidget* parent)
    : QWidget(parent),
      m_table(makeReportTable("sampleParts", tr("Where the wall time of each run on a processor went"),
                              titles(), Operations)),
      m_meaning(makeLabel({}, "muted")) {
    m_table->setItemDelegateForColumn(Parts, new ShareBarDelegate(m_table));
    m_table->header()->resizeSection(Parts, 120);
    m_table->headerItem()->setToolTip(Recorded, figureMeaning(figure("recorded_wall")));
    m_table->headerItem()->setToolTip(Untraced, figureMeaning(figure("untraced_time")));
    for (std::size_t i = 0; i < partFigures().size(); ++i) {
        const int column = Operations + static_cast<int>(i);
        m_table->headerItem()->setToolTip(column, figureMeaning(*partFigures()[i]));
        m_table->headerItem()->setIcon(column, shareIcon(static_cast<int>(i)));
    }
    m_meaning->setObjectName(QStringLiteral("samplePartsMeaning"));
    m_meaning->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(makeLabel(tr("Wall time of the traced samples on processors"), "heading"));
    column->addWidget(m_table);
    column->addWidget(m_meaning);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

void SamplePartsSection::setParts(const std::vector<SampleParts>& parts) {
    m_table->clear();
    QStringList partial;
    bool leftOut = false;
    for (const SampleParts& one : parts) {
        const QString name = phraseText(profiling::joined({one.target, one.point}, ", "));
        QStringList cells{name, timeText(static_cast<double>(one.wallNs), one), QString()};
        QList<QVariant> shares;
        for (const std::int64_t ns : {one.operationsNs, one.copiesNs, one.restNs}) {
            shares << shareOf(ns, one);
            cells << QStringLiteral("%1 (%2)").arg(timeText(static_cast<double>(ns), one),
                                                   shareText(shareOf(ns, one)));
        }
        cells << (one.untracedMs > 0 ? QString::fromStdString(formatDurationNs(one.untracedMs * 1e6))
                                     : QString());
        addReportRow(m_table, cells)->setData(Parts, ShareBarDelegate::kSharesRole, shares);
        if (one.recordedShare < 1)
            partial << tr("%1: %2 of a repetition was recorded").arg(name, shareText(one.recordedShare));
        leftOut = leftOut || one.spansLeftOut;
    }
    fitReportTable(m_table, kMostPartsRuns, Parts);
    QStringList meaning{
        tr("Times of a repetition. Operations, copies outside of them and the rest add up to it; "
           "the rest is between operations, and what recording takes there.")};
    if (leftOut)
        meaning << tr("Of many operations those beyond a limit have no span: the rest holds them.");
    m_meaning->setText((meaning + partial).join(QLatin1Char('\n')));
    setVisible(!parts.empty());
}

} // namespace heteroscope::ui

#include "moc_sample_parts_section.cpp"
