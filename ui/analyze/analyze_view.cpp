// SPDX-License-Identifier: GPL-3.0-or-later
// Composition of mode Analyze: gallery, chart, options.
#include "ui/analyze/analyze_view.h"

#include "ui/analyze/chart_page.h"
#include "ui/analyze/study_analyzer.h"
#include "ui/charts/chart_registry.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QSplitter>
#include <QStackedWidget>

namespace heteroscope::ui {

struct AnalyzeView::Impl {
    AnalyzeView& view;
    std::vector<std::shared_ptr<StudySession>> sessions;
    std::vector<QMetaObject::Connection> connections;
    StudyAnalyzer* analyzer = nullptr;
    QStackedWidget* stack = nullptr;
    Placeholder* placeholder = nullptr;
    QListWidget* gallery = nullptr;
    ChartPage* page = nullptr;
    ChartInput input;

    explicit Impl(AnalyzeView& owner) : view(owner) {}

    void build() {
        analyzer = new StudyAnalyzer(&view);
        QObject::connect(analyzer, &StudyAnalyzer::ready, &view,
                         [this](const auto& studies) { show(studies); });
        stack = new QStackedWidget(&view);
        placeholder = new Placeholder;
        stack->addWidget(placeholder);
        stack->addWidget(buildCharts());
        auto* layout = new QHBoxLayout(&view);
        layout->setContentsMargins(Theme::kSpacing, Theme::kSpacing, Theme::kSpacing, Theme::kSpacing);
        layout->addWidget(stack);
    }

    QWidget* buildCharts() {
        gallery = new QListWidget;
        gallery->setObjectName(QStringLiteral("chartList"));
        gallery->setAccessibleName(AnalyzeView::tr("Charts"));
        page = new ChartPage;
        QObject::connect(page, &ChartPage::statusMessage, &view, &AnalyzeView::statusMessage);
        QObject::connect(gallery, &QListWidget::currentRowChanged, &view, [this] { showChart(); });
        auto* splitter = new QSplitter;
        splitter->setChildrenCollapsible(false);
        splitter->addWidget(gallery);
        splitter->addWidget(page);
        splitter->setStretchFactor(1, 1);
        splitter->setSizes({180, 900});
        return splitter;
    }

    std::vector<profiling::Study> studies() const {
        std::vector<profiling::Study> copies;
        for (const auto& session : sessions)
            copies.push_back(session->study());
        return copies;
    }

    void follow(const std::shared_ptr<StudySession>& session) {
        StudySession* source = session.get();
        const auto refresh = [this] { analyzer->refresh(); };
        connections.push_back(QObject::connect(source, &StudySession::studyChanged, &view, refresh));
        connections.push_back(QObject::connect(source, &StudySession::samplesArrived, &view, refresh));
        connections.push_back(QObject::connect(source, &StudySession::stateChanged, &view, refresh));
    }

    void setSessions(std::vector<std::shared_ptr<StudySession>> all) {
        for (const auto& connection : connections)
            QObject::disconnect(connection);
        connections.clear();
        sessions = std::move(all);
        for (const auto& session : sessions)
            follow(session);
        analyzer->setSource([this] { return studies(); });
        showState();
    }

    void showState() {
        const bool any = input.a && !input.a->study.runs.empty();
        stack->setCurrentIndex(any ? 1 : 0);
        if (sessions.empty())
            placeholder->setContent(QStringLiteral("analyze"), AnalyzeView::tr("No study is open"),
                                    AnalyzeView::tr("Run an experiment, or open a stored run in Library."));
        else
            placeholder->setContent(QStringLiteral("analyze"), AnalyzeView::tr("No results yet"),
                                    AnalyzeView::tr("Charts appear with the first samples."));
    }

    void show(const std::vector<AnalyzedStudyPtr>& analyzed) {
        input.a = analyzed.empty() ? nullptr : analyzed[0];
        input.b = analyzed.size() > 1 ? analyzed[1] : nullptr;
        fillGallery();
        showChart();
        showState();
    }

    void fillGallery() {
        if (gallery->count() > 0)
            return;
        for (const ChartKind& kind : chartKinds()) {
            auto* item = new QListWidgetItem(chartTitle(kind), gallery);
            item->setData(Qt::UserRole, QString::fromLatin1(kind.id));
        }
        gallery->setCurrentRow(0);
    }

    void showChart() {
        const QListWidgetItem* item = gallery->currentItem();
        const ChartKind* kind = item ? findChartKind(item->data(Qt::UserRole).toString()) : nullptr;
        if (kind && input.a)
            page->setChart(buildChart(*kind, input));
    }
};

AnalyzeView::AnalyzeView(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(*this)) {
    m_impl->build();
    m_impl->showState();
}

AnalyzeView::~AnalyzeView() = default;

void AnalyzeView::setSessions(std::vector<std::shared_ptr<StudySession>> sessions) {
    m_impl->setSessions(std::move(sessions));
}

} // namespace heteroscope::ui
