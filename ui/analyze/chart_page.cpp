// SPDX-License-Identifier: GPL-3.0-or-later
// Chart, table of its points, findings, notes and caption.
#include "ui/analyze/chart_page.h"

#include "ui/charts/chart_table_model.h"
#include "ui/charts/figure_view.h"
#include "ui/charts/sample_view.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

QString noteText(const std::vector<ChartNote>& notes) {
    QStringList lines;
    for (const ChartNote& note : notes)
        lines << (note.level == NoteLevel::Warning ? QStringLiteral("⚠ ") : QStringLiteral("ℹ ")) + note.text;
    return lines.join(QLatin1Char('\n'));
}

QLabel* wrappedLabel(const char* role, const char* name, QWidget* parent) {
    QLabel* label = makeLabel({}, role, parent);
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setContentsMargins(Theme::kSpacing, 0, Theme::kSpacing, 0);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->hide();
    return label;
}

void setOptionalText(QLabel* label, const QString& text) {
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace

ChartPage::ChartPage(QWidget* parent)
    : QWidget(parent),
      m_stack(new QStackedWidget(this)),
      m_figure(new FigureView),
      m_samples(new SampleView),
      m_table(new QTableView),
      m_model(new ChartTableModel(this)),
      m_placeholder(new Placeholder),
      m_texts(new QScrollArea(this)),
      m_findings(wrappedLabel("plain", "chartFindings", this)),
      m_notes(wrappedLabel("plain", "chartNotes", this)),
      m_caption(wrappedLabel("muted", "chartCaption", this)) {
    QFont bold = m_findings->font();
    bold.setBold(true);
    m_findings->setFont(bold);
    m_table->setModel(m_model);
    m_table->setObjectName(QStringLiteral("chartTable"));
    m_table->setAccessibleName(tr("Points of the chart"));
    m_table->setAlternatingRowColors(true);
    m_stack->addWidget(m_figure);
    m_stack->addWidget(m_samples);
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_placeholder);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSpacing);
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_texts);
    auto* texts = new QWidget;
    auto* lines = new QVBoxLayout(texts);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(Theme::kSpacing);
    for (QLabel* label : {m_findings, m_notes, m_caption})
        lines->addWidget(label);
    lines->addStretch(1);
    m_texts->setWidget(texts);
    m_texts->setWidgetResizable(true);
    m_texts->setFrameShape(QFrame::NoFrame);
    m_texts->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_texts->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    whenStyled(this, [this] { fitTexts(); });
    connect(m_figure, &FigureView::pointDescribed, this, &ChartPage::statusMessage);
    connect(m_samples, &SampleView::pointDescribed, this, &ChartPage::statusMessage);
    connect(m_figure, &FigureView::hiddenSeriesChanged, this, &ChartPage::hiddenSeriesChanged);
    connect(m_samples, &SampleView::hiddenSeriesChanged, this, &ChartPage::hiddenSeriesChanged);
}

QSet<QString> ChartPage::hiddenSeries() const {
    return m_raw ? m_samples->hiddenSeries() : m_figure->hiddenSeries();
}

void ChartPage::setGreyPreview(bool on) {
    m_figure->setGreyPreview(on);
    m_samples->setGreyPreview(on);
}

void ChartPage::setChart(const ChartData& chart) {
    m_drawable = chart.drawable();
    setOptionalText(m_findings, chart.findings.join(QLatin1Char('\n')));
    setOptionalText(m_notes, m_drawable ? noteText(chart.notes) : QString());
    setOptionalText(m_caption, chart.caption);
    if (m_drawable) {
        m_raw = SampleView::canShow(chart);
        if (m_raw)
            m_samples->setChart(chart);
        else
            m_figure->setChart(chart);
        m_model->setChart(chart);
        m_table->resizeColumnsToContents();
    } else {
        m_placeholder->setContent(QStringLiteral("analyze"), chart.reason, chart.advice);
    }
    setTableShown(m_tableShown);
    fitTexts();
}

void ChartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitTexts();
}

/// As high as they are, but the chart keeps more than half of the page: the rest is scrolled to.
void ChartPage::fitTexts() {
    constexpr double kMostOfPage = 0.4;
    const int wanted = m_texts->widget()->heightForWidth(width());
    const int most = static_cast<int>(kMostOfPage * height());
    // A bar that was there makes lines narrower and so more, which then want the bar.
    m_texts->setVerticalScrollBarPolicy(wanted > most ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
    m_texts->setFixedHeight(std::max(0, std::min(wanted, most)));
}

void ChartPage::setTableShown(bool shown) {
    m_tableShown = shown;
    if (!m_drawable)
        m_stack->setCurrentWidget(m_placeholder);
    else
        m_stack->setCurrentWidget(shown   ? static_cast<QWidget*>(m_table)
                                  : m_raw ? static_cast<QWidget*>(m_samples)
                                          : m_figure);
}

} // namespace heteroscope::ui

#include "moc_chart_page.cpp"
