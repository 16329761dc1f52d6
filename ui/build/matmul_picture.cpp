// SPDX-License-Identifier: GPL-3.0-or-later
// Sentence and figures of the matrix multiplication.
#include "ui/build/matmul_picture.h"

#include "compute/base/units.h"
#include "compute/experiment/spec/estimate.h"
#include "ui/build/axes_editor.h"
#include "ui/build/facts_panel.h"
#include "ui/build/matmul_canvas.h"
#include "ui/build/preview_spec.h"
#include "ui/common/format.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <cmath>

namespace heteroscope::ui {

namespace {

QString bytesText(double bytes) {
    return fromStd(formatBytes(bytes));
}

} // namespace

MatmulPicture::MatmulPicture(Document& document, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_sentence(makeLabel({}, "heading")),
      m_problem(new QLabel),
      m_canvas(new MatmulCanvas),
      m_work(new FactsPanel(tr("Work"))),
      m_memory(new FactsPanel(tr("Memory"))) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(Theme::kSpacing);
    m_sentence->setWordWrap(true);
    m_problem->setWordWrap(true);
    m_problem->hide();
    column->addWidget(m_sentence);
    column->addWidget(m_problem);
    column->addWidget(m_canvas, 1);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(12);
    cards->addWidget(m_work, 1);
    cards->addWidget(m_memory, 1);
    column->addLayout(cards);
    refresh();
}

void MatmulPicture::refresh() {
    const auto spec = previewSpec(m_document.json());
    if (spec && spec->kind != compute::ExperimentKind::Matmul)
        return;
    auto estimate = spec ? compute::estimatePoint(*spec) : Result<compute::PointEstimate>(spec.error());
    m_problem->setVisible(!estimate);
    if (!estimate) {
        QPalette tinted = palette();
        tinted.setColor(QPalette::WindowText, Theme::instance().colors().error);
        m_problem->setPalette(tinted);
        m_problem->setText(tr("The picture shows the last experiment that could be drawn: %1.")
                               .arg(parameterLabel(m_document.json(), estimate.error().where) +
                                    QStringLiteral(": ") + fromStd(estimate.error().message)));
        return;
    }
    const compute::MatmulSpec& m = spec->matmul;
    m_canvas->setSpec(m);
    m_sentence->setText(
        tr("Each element of C is a row of A times a column of B: %1 products added up, %2 times.")
            .arg(countText(m.k), countText(m.m * m.n)));
    m_work->setFacts(
        {{tr("Operations"),
          tr("2 · %1 · %2 · %3 = %4")
              .arg(countText(m.m), countText(m.n), countText(m.k), countText(std::llround(estimate->flops))),
          tr("A multiplication and an addition count as two")},
         {tr("Bytes moved"), bytesText(estimate->minimumBytes),
          tr("Each input read once, the result written once: the fewest possible")},
         {tr("Arithmetic intensity"),
          tr("%1 operations a byte").arg(estimate->flops / estimate->minimumBytes, 0, 'f', 1),
          tr("High: the arithmetic limits the speed. Low: the memory does.")}});
    m_memory->setFacts({{tr("A and B"), bytesText(double(estimate->srcBytes)), {}},
                        {tr("C"), bytesText(double(estimate->dstBytes)), {}},
                        {tr("On the device"), bytesText(double(estimate->deviceBytes)),
                         tr("What an implementation holds at once")},
                        {tr("Whole run"), bytesText(double(estimate->hostBytes)),
                         tr("Host memory: inputs, result and the copy that results are compared with")}});
}

} // namespace heteroscope::ui

#include "moc_matmul_picture.cpp"
