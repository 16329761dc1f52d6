// SPDX-License-Identifier: GPL-3.0-or-later
// Composition of mode Analyze: gallery, chart or table, options and export.
#include "ui/analyze/analyze_view.h"

#include "profiling/analysis/device_roofs.h"
#include "ui/analyze/chart_page.h"
#include "ui/analyze/column_scroll.h"
#include "ui/analyze/device_page.h"
#include "ui/analyze/export_panel.h"
#include "ui/analyze/layer_table.h"
#include "ui/analyze/options_panel.h"
#include "ui/analyze/run_table_page.h"
#include "ui/analyze/study_analyzer.h"
#include "ui/analyze/training_view.h"
#include "ui/charts/chart_registry.h"
#include "ui/common/placeholder.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QHBoxLayout>
#include <QListWidget>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr char kRunsId[] = "runs", kDeviceId[] = "device", kTrainingId[] = "training",
               kRooflineId[] = "roofline", kLayersId[] = "layers";

QString idOf(const QListWidgetItem* item) {
    return item ? item->data(Qt::UserRole).toString() : QString();
}

} // namespace

struct AnalyzeView::Impl {
    AnalyzeView& view;
    std::vector<std::shared_ptr<StudySession>> sessions;
    std::vector<QMetaObject::Connection> connections;
    StudyAnalyzer* analyzer = nullptr;
    QStackedWidget* stack = nullptr;
    Placeholder* placeholder = nullptr;
    QLabel* headline = nullptr;
    QListWidget* gallery = nullptr;
    QStackedWidget* middle = nullptr;
    ChartPage* page = nullptr;
    PeaksBar* peaks = nullptr; ///< under a roofline of this machine's processors that has no roofs
    Json machine;              ///< the device record of this machine's processors; null: not known
    QSplitter* chartAndTable = nullptr;
    LayerTable* layerTable = nullptr; ///< under the chart of layers
    RunTablePage* runs = nullptr;
    DevicePage* device = nullptr;
    TrainingView* training = nullptr; ///< made when it is chosen
    OptionsPanel* options = nullptr;
    ExportPanel* exporter = nullptr;
    QWidget* side = nullptr; ///< export and options
    ChartInput input;
    DeviceReadingPtr reading; ///< of the first session's timeline; null until it is known
    ChartData chart;
    bool expecting = false; ///< results were asked for and have not come
    bool opening = false;   ///< the next results are a study's first

    explicit Impl(AnalyzeView& owner) : view(owner) {}

    void build() {
        analyzer = new StudyAnalyzer(&view);
        QObject::connect(analyzer, &StudyAnalyzer::ready, &view,
                         [this](const ChartInput& fresh) { show(fresh); });
        placeholder = new Placeholder;
        auto* splitter = new QSplitter;
        splitter->setChildrenCollapsible(false);
        splitter->addWidget(buildGallery());
        splitter->addWidget(buildMiddle());
        splitter->addWidget(buildSide());
        splitter->setStretchFactor(1, 1);
        splitter->setSizes({190, 800, 250});
        stack = new QStackedWidget(&view);
        stack->addWidget(placeholder);
        stack->addWidget(buildPage(splitter));
        auto* layout = new QHBoxLayout(&view);
        layout->setContentsMargins(Theme::kSpacing, Theme::kSpacing, Theme::kSpacing, Theme::kSpacing);
        layout->addWidget(stack);
        connectParts();
    }

    // The result in one sentence above everything that explains it.
    QWidget* buildPage(QWidget* parts) {
        headline = makeLabel({}, "heading");
        headline->setObjectName(QStringLiteral("analyzeHeadline"));
        headline->setAccessibleName(AnalyzeView::tr("Result of the study"));
        headline->setWordWrap(true);
        headline->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        auto* whole = new QWidget;
        auto* layout = new QVBoxLayout(whole);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(Theme::kSpacing);
        layout->addWidget(headline);
        layout->addWidget(parts, 1);
        return whole;
    }

    QWidget* buildGallery() {
        gallery = new QListWidget;
        gallery->setObjectName(QStringLiteral("chartList"));
        gallery->setAccessibleName(AnalyzeView::tr("Charts"));
        setRole(gallery, "navigation");
        gallery->setMinimumWidth(150);
        gallery->setWordWrap(true);
        for (const ChartKind& kind : chartKinds())
            addItem(chartTitle(kind), QString::fromLatin1(kind.id));
        addItem(AnalyzeView::tr("Table of all runs"), QString::fromLatin1(kRunsId));
        addItem(AnalyzeView::tr("Transfers and advice"), QString::fromLatin1(kDeviceId));
        addItem(AnalyzeView::tr("Training and its results"), QString::fromLatin1(kTrainingId));
        return gallery;
    }

    void addItem(const QString& title, const QString& id) {
        auto* item = new QListWidgetItem(title, gallery);
        item->setData(Qt::UserRole, id);
        item->setSizeHint({0, 34});
    }

    QWidget* buildMiddle() {
        middle = new QStackedWidget;
        page = new ChartPage;
        runs = new RunTablePage;
        layerTable = new LayerTable;
        chartAndTable = new QSplitter(Qt::Vertical);
        chartAndTable->setChildrenCollapsible(false);
        chartAndTable->addWidget(buildChartPage());
        chartAndTable->addWidget(layerTable);
        chartAndTable->setStretchFactor(0, 3);
        chartAndTable->setStretchFactor(1, 2);
        middle->addWidget(chartAndTable);
        middle->addWidget(runs);
        device = new DevicePage;
        middle->addWidget(device);
        return middle;
    }

    QWidget* buildChartPage() {
        peaks = new PeaksBar;
        peaks->hide();
        auto* whole = new QWidget;
        auto* column = new QVBoxLayout(whole);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(Theme::kSpacing);
        column->addWidget(page, 1);
        column->addWidget(peaks);
        return whole;
    }

    QWidget* buildSide() {
        options = new OptionsPanel;
        exporter = new ExportPanel;
        auto* parts = new QWidget;
        auto* layout = new QVBoxLayout(parts);
        layout->setContentsMargins(Theme::kSpacing, 0, Theme::kSpacing, 0);
        layout->setSpacing(Theme::kSpacing * 2);
        layout->addWidget(exporter);
        layout->addWidget(options);
        layout->addStretch(1);
        side = new ColumnScroll(parts);
        return side;
    }

    void connectParts() {
        QObject::connect(gallery, &QListWidget::currentRowChanged, &view, [this] { showChart(); });
        QObject::connect(&Theme::instance(), &Theme::changed, &view, [this] { markGallery(); });
        QObject::connect(options, &OptionsPanel::optionsChanged, &view, [this] { showChart(); });
        QObject::connect(options, &OptionsPanel::referenceChanged, &view,
                         [this] { analyzer->setReference(options->reference()); });
        QObject::connect(options, &OptionsPanel::tableToggled, page, &ChartPage::setTableShown);
        QObject::connect(page, &ChartPage::statusMessage, &view, &AnalyzeView::statusMessage);
        QObject::connect(device, &DevicePage::readingReady, &view,
                         [this](const DeviceReadingPtr& fresh) { takeReading(fresh); });
        QObject::connect(device, &DevicePage::busyChanged, &view, &AnalyzeView::busyChanged);
        QObject::connect(device, &DevicePage::showTimelineRequested, &view,
                         &AnalyzeView::showTimelineRequested);
        QObject::connect(peaks, &PeaksBar::measureRequested, &view, &AnalyzeView::measurePeaksRequested);
        QObject::connect(peaks, &PeaksBar::cancelRequested, &view, &AnalyzeView::measurePeaksCancelled);
        QObject::connect(runs, &RunTablePage::statusMessage, &view, &AnalyzeView::statusMessage);
        QObject::connect(exporter, &ExportPanel::statusMessage, &view, &AnalyzeView::statusMessage);
        QObject::connect(exporter, &ExportPanel::greyPreviewToggled, page, &ChartPage::setGreyPreview);
        QObject::connect(page, &ChartPage::hiddenSeriesChanged, &view,
                         [this] { exporter->setHiddenSeries(page->hiddenSeries()); });
        QObject::connect(runs, &RunTablePage::exportRequested, exporter,
                         [this](const QByteArray& bytes, const QString& suffix) {
                             exporter->exportBytes(bytes, fileName(QString::fromLatin1(kRunsId)), suffix);
                         });
        exporter->setSource([this] { return chart; }, [this] { return fileName(chart.kind); });
        gallery->setCurrentRow(0);
    }

    QString fileName(const QString& kind) const {
        return defaultFileName(input.a ? QString::fromStdString(input.a->study.name()) : QString(), kind);
    }

    void follow(const std::shared_ptr<StudySession>& session) {
        StudySession* source = session.get();
        const auto refresh = [this] {
            analyzer->refresh();
            showState();
        };
        connections.push_back(QObject::connect(source, &StudySession::studyChanged, &view, refresh));
        connections.push_back(QObject::connect(source, &StudySession::samplesArrived, &view, refresh));
        connections.push_back(QObject::connect(source, &StudySession::stateChanged, &view, refresh));
    }

    void setSessions(std::vector<std::shared_ptr<StudySession>> all) {
        for (const auto& connection : connections)
            QObject::disconnect(connection);
        connections.clear();
        sessions = std::move(all);
        exporter->clearResult();
        reading.reset();
        device->setSession(sessions.empty() ? nullptr : sessions.front());
        for (const auto& session : sessions)
            follow(session);
        expect([this] {
            std::vector<profiling::Study> copies;
            if (sessions.size() > 1 && stillReads())
                return copies; // what they share, and which are pairs, is known when all are
            for (const auto& session : sessions)
                copies.push_back(session->study());
            return copies;
        });
        if (sessions.size() > 1)
            view.selectChart(QStringLiteral("ratio"));
    }

    bool stillReads() const {
        return std::any_of(sessions.begin(), sessions.end(), [](const auto& session) {
            return session->state() == StudySession::State::Loading;
        });
    }

    void expect(std::function<std::vector<profiling::Study>()> source) {
        input = {};
        expecting = opening = true;
        analyzer->setReference({});
        analyzer->setSource(std::move(source));
        showState();
    }

    void showState() {
        const bool any = input.a && !input.a->study.runs.empty();
        stack->setCurrentIndex(any ? 1 : 0);
        placeholder->setBusy(false);
        const StudySession* session = sessionToTellOf();
        if (!input.refusal.isEmpty())
            placeholder->setContent(QStringLiteral("warning"),
                                    AnalyzeView::tr("These runs cannot be compared"), input.refusal);
        else if (session && session->state() == StudySession::State::Failed)
            placeholder->setContent(QStringLiteral("error"), AnalyzeView::tr("The study cannot be read"),
                                    session->message());
        else if (session && session->state() == StudySession::State::Loading)
            showBusy(AnalyzeView::tr("Reading %1").arg(session->title()));
        else if (session || (expecting && analyzer->busy()))
            placeholder->setContent(QStringLiteral("analyze"), AnalyzeView::tr("No results yet"),
                                    AnalyzeView::tr("Charts appear with the first samples."));
        else
            placeholder->setContent(QStringLiteral("analyze"), AnalyzeView::tr("No study is open"),
                                    AnalyzeView::tr("Run an experiment, or open a stored run in Library."));
    }

    /// The first that is not read, else the first.
    const StudySession* sessionToTellOf() const {
        for (const auto state : {StudySession::State::Failed, StudySession::State::Loading})
            for (const auto& session : sessions)
                if (session->state() == state)
                    return session.get();
        return sessions.empty() ? nullptr : sessions.front().get();
    }

    void showBusy(const QString& title) {
        placeholder->setContent(QStringLiteral("analyze"), title,
                                AnalyzeView::tr("Charts appear when it is read."));
        placeholder->setBusy(true);
    }

    void takeReading(const DeviceReadingPtr& fresh) {
        reading = fresh;
        addReading();
        if (!input.a)
            return;
        markGallery();
        if (selectedKind() == QLatin1String(kRooflineId) || selectedKind() == QLatin1String(kLayersId))
            showChart();
    }

    void addReading() {
        input.roofline = reading ? reading->roofline : nullptr;
        input.layers = reading ? reading->layers : nullptr;
        input.live = isLive();
        options->setLayers(input.layers.get());
        input.whyNoRoofline =
            isLive() ? AnalyzeView::tr("The roofline is drawn when the study has ended.") : QString();
    }

    bool isLive() const {
        return !sessions.empty() && sessions.front()->state() == StudySession::State::Live;
    }

    QString selectedKind() const { return idOf(gallery->currentItem()); }

    void show(const ChartInput& fresh) {
        input = fresh;
        addReading();
        expecting = false;
        if (input.a)
            options->setStudy(*input.a);
        markGallery();
        leaveUndrawable();
        showChart();
        showState();
        emit view.busyChanged();
    }

    // Charts that cannot be drawn stay in the list, muted; choosing one says why.
    void markGallery() {
        for (int row = 0; row < gallery->count(); ++row) {
            QListWidgetItem* item = gallery->item(row);
            const ChartKind* kind = findChartKind(idOf(item));
            const ChartData built = kind && input.a ? buildChart(*kind, input) : ChartData();
            item->setForeground(built.drawable() ? QBrush() : QBrush(Theme::instance().colors().mutedText));
            item->setToolTip(built.reason);
            const bool networks = kind ? kind->networks : idOf(item) == QLatin1String(kTrainingId);
            item->setHidden(networks && input.a && !isNetworkStudy(input.a->study));
        }
    }

    // A study of one point has no time against size: it opens with the first chart that it has. Afterwards
    // the choice is the user's.
    void leaveUndrawable() {
        const auto kinds = chartKinds();
        const auto first = std::find_if(kinds.begin(), kinds.end(), [this](const ChartKind& kind) {
            return opening && buildChart(kind, input).drawable();
        });
        if (first == kinds.end())
            return;
        opening = false;
        if (gallery->currentRow() == 0)
            view.selectChart(QString::fromLatin1(first->id));
    }

    QWidget* pageOf(const QString& id) {
        if (id == QLatin1String(kDeviceId))
            return device;
        if (id == QLatin1String(kTrainingId))
            return trainingPage();
        return findChartKind(id) ? static_cast<QWidget*>(chartAndTable) : runs;
    }

    TrainingView* trainingPage() {
        if (training == nullptr) {
            training = new TrainingView;
            middle->addWidget(training);
        }
        return training;
    }

    void showChart() {
        const QString id = idOf(gallery->currentItem());
        const ChartKind* kind = findChartKind(id);
        middle->setCurrentWidget(pageOf(id));
        const bool trains = id == QLatin1String(kTrainingId);
        side->setVisible(id != QLatin1String(kDeviceId) && !trains); // nothing in it is about those pages
        const bool layers = id == QLatin1String(kLayersId);
        options->setLayersShown(layers);
        device->setReadAlways(layers);
        if (!input.a)
            return;
        input.options = options->options();
        headline->setText(headlineText(input));
        if (trains)
            return training->setStudy(input.a->study, isLive());
        if (!kind)
            return runs->setInput(input);
        chart = buildChart(*kind, input);
        page->setChart(chart);
        layerTable->setVisible(layers && chart.drawable());
        peaks->setVisible(id == QLatin1String(kRooflineId) && chart.drawable() && reading &&
                          profiling::lacksPeaksOf(machine, reading->study));
        if (layers)
            layerTable->setInput(input);
        exporter->setHiddenSeries(page->hiddenSeries());
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

void AnalyzeView::showStudies(std::vector<profiling::Study> studies) {
    m_impl->setSessions({});
    const bool compare = studies.size() > 1;
    m_impl->expect([studies = std::move(studies)] { return studies; });
    if (compare)
        selectChart(QStringLiteral("ratio"));
}

QStringList AnalyzeView::pageIds() {
    QStringList ids;
    for (const ChartKind& kind : chartKinds())
        ids.append(QString::fromLatin1(kind.id));
    return ids << QString::fromLatin1(kRunsId) << QString::fromLatin1(kDeviceId)
               << QString::fromLatin1(kTrainingId);
}

void AnalyzeView::selectChart(const QString& id) {
    m_impl->opening = false; // a choice: one that cannot be drawn says why
    for (int row = 0; row < m_impl->gallery->count(); ++row)
        if (idOf(m_impl->gallery->item(row)) == id)
            m_impl->gallery->setCurrentRow(row);
}

void AnalyzeView::showTransfers(qint64 startNs, qint64 endNs) {
    selectChart(QLatin1String(kDeviceId));
    m_impl->device->setRange(profiling::NsRange{startNs, endNs});
}

bool AnalyzeView::isBusy() const {
    return m_impl->expecting || m_impl->analyzer->busy() || m_impl->device->busy();
}

void AnalyzeView::setDevices(const Json& devices) {
    const auto list = devices.is_object() ? devices.find("devices") : devices.end();
    if (!devices.is_object() || list == devices.end() || !list->is_array())
        return;
    for (const Json& device : *list)
        if (device.is_object() && device.value("id", Json()) == "cpu")
            m_impl->machine = device;
    m_impl->device->setMachine(m_impl->machine);
    if (m_impl->selectedKind() == QLatin1String(kRooflineId))
        m_impl->showChart();
}

void AnalyzeView::setPeaksProgress(const PeaksProgress& progress) {
    m_impl->peaks->setProgress(progress);
}

QString AnalyzeView::selectedChart() const {
    return m_impl->selectedKind();
}

} // namespace heteroscope::ui

#include "moc_analyze_view.cpp"
