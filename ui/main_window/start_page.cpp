// SPDX-License-Identifier: GPL-3.0-or-later
// The start page.
#include "ui/main_window/start_page.h"

#include "compute/base/units.h"
#include "ui/common/format.h"
#include "ui/common/icons.h"
#include "ui/common/phrase_text.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"
#include "ui/main_window/examples.h"
#include "ui/main_window/template_card.h"

#include <QDateTime>
#include <QFileInfo>
#include <QGridLayout>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

namespace heteroscope::ui {

namespace {

constexpr int kColumns = 2;
constexpr int kStartSideWidth = 320;
constexpr int kRecentWidth = kStartSideWidth - 80; ///< of a file's text
constexpr int kRecentShown = 6;

QPushButton* makeAction(const QString& text, const QString& iconName, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setIcon(icon(iconName));
    return button;
}

QFrame* makePanel(const QString& title, QVBoxLayout*& body) {
    auto* panel = new QFrame;
    setRole(panel, "card");
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(16, 12, 16, 12);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(makeLabel(title, "strong", panel));
    body = new QVBoxLayout;
    body->setSpacing(2);
    column->addLayout(body);
    return panel;
}

QString deviceText(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? fromStd(found->get<std::string>()) : QString();
}

/// Why a device or an implementation cannot be used; empty when it can.
QString reasonText(const Json& object) {
    return recordedText(deviceText(object, "reason").toStdString());
}

QString deviceSummary(const Json& device) {
    QString text = deviceText(device, "name");
    if (text.isEmpty())
        text = deviceText(device, "id");
    const auto memory = device.find("memory_total_bytes");
    if (memory != device.end() && memory->is_number() && memory->get<double>() > 0)
        text += QStringLiteral(", ") + fromStd(formatBytes(memory->get<double>()));
    return text;
}

/// A run file by the words and the time in its name, which the window gave it; any other file by its name.
QString recentText(const QString& path, const QFontMetrics& metrics) {
    static const QRegularExpression kRun(
        QStringLiteral("^(\\d{4}-\\d\\d-\\d\\d_\\d\\d-\\d\\d-\\d\\d)(?:-[0-9a-f]{6})?_(.+)\\.hscope$"));
    const QString name = QFileInfo(path).fileName();
    const auto match = kRun.match(name);
    const QDateTime when = QDateTime::fromString(match.captured(1), QStringLiteral("yyyy-MM-dd_HH-mm-ss"));
    if (!when.isValid())
        return metrics.elidedText(name, Qt::ElideMiddle, kRecentWidth);
    const QString tail = QStringLiteral(" \u00b7 ") + formatWhen(when);
    const QString words = match.captured(2).replace(QLatin1Char('-'), QLatin1Char(' '));
    return metrics.elidedText(words, Qt::ElideRight, kRecentWidth - metrics.horizontalAdvance(tail)) + tail;
}

QWidget* makeImplementationRow(const QString& name, const QString& detail, bool available) {
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 1, 0, 1);
    line->setSpacing(Theme::kSpacing);
    auto* mark = new QLabel(row);
    mark->setPixmap(icon(available ? QStringLiteral("good") : QStringLiteral("skipped"),
                         available ? IconTone::Good : IconTone::Muted)
                        .pixmap(QSize(16, 16), row->devicePixelRatioF()));
    line->addWidget(mark, 0, Qt::AlignTop);
    auto* text = makeLabel(detail.isEmpty() ? name : QStringLiteral("%1 \u2013 %2").arg(name, detail),
                           available ? "" : "muted", row);
    text->setWordWrap(true);
    line->addWidget(text, 1);
    return row;
}

} // namespace

StartPage::StartPage(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(32, 20, 32, 12);
    column->setSpacing(12);
    column->addWidget(makeHeader());
    auto* row = new QHBoxLayout;
    row->setSpacing(24);
    row->addWidget(makeTemplates(), 1);
    row->addWidget(makeSide(), 0, Qt::AlignTop);
    column->addLayout(row);
    column->addStretch(1);
    setWidget(page);
    setRecentFiles({});
    setDevicesProblem({});
}

QWidget* StartPage::makeHeader() {
    auto* header = new QWidget;
    auto* column = new QVBoxLayout(header);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::kSpacing);
    column->addWidget(makeLabel(tr("Heteroscope"), "title", header));
    auto* line = makeLabel(
        tr("Build an experiment, run it on every processor of this machine, and see where the time goes."),
        "muted", header);
    line->setWordWrap(true);
    column->addWidget(line);
    column->addSpacing(4);
    auto* actions = new QHBoxLayout;
    actions->setSpacing(Theme::kSpacing);
    auto* pooling = makeAction(tr("New Pooling Experiment"), QStringLiteral("build"), header);
    auto* matmul = makeAction(tr("New Matrix Multiplication"), QStringLiteral("matmul"), header);
    auto* network = makeAction(tr("New Network"), QStringLiteral("network"), header);
    network->setObjectName(QStringLiteral("newNetwork"));
    auto* open = makeAction(tr("Open\u2026"), QStringLiteral("open"), header);
    auto* recorded = makeAction(tr("Open a Recorded Run\u2026"), QStringLiteral("timeline"), header);
    for (auto* button : {pooling, matmul, network, open, recorded})
        actions->addWidget(button);
    actions->addStretch(1);
    column->addLayout(actions);
    connect(pooling, &QPushButton::clicked, this, &StartPage::newPoolingRequested);
    connect(matmul, &QPushButton::clicked, this, &StartPage::newMatmulRequested);
    connect(network, &QPushButton::clicked, this, &StartPage::newNetworkRequested);
    connect(open, &QPushButton::clicked, this, &StartPage::openFileRequested);
    connect(recorded, &QPushButton::clicked, this, &StartPage::openRecordedRequested);
    return header;
}

void StartPage::addCards(QVBoxLayout* column, const QString& heading, const std::vector<Example>& examples) {
    if (examples.empty())
        return;
    column->addWidget(makeLabel(heading, "heading", this));
    auto* grid = new QGridLayout;
    grid->setSpacing(10);
    for (int i = 0; i < static_cast<int>(examples.size()); ++i) {
        const Example& example = examples[static_cast<std::size_t>(i)];
        grid->addWidget(makeCard(example, example.sentence), i / kColumns, i % kColumns);
    }
    for (int i = 0; i < kColumns; ++i)
        grid->setColumnStretch(i, 1);
    column->addLayout(grid);
    column->addSpacing(Theme::kSpacing);
}

QWidget* StartPage::makeTemplates() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(Theme::kSpacing);
    std::vector<Example> operations, networks;
    for (const Example& example : listExamples()) {
        if (example.path == demoExample()) {
            column->addWidget(makeLabel(tr("New here? Start with this one"), "heading", box));
            column->addWidget(makeFirst(example));
            column->addSpacing(Theme::kSpacing);
            continue;
        }
        (example.iconName == QStringLiteral("network") ? networks : operations).push_back(example);
    }
    if (operations.empty() && networks.empty()) {
        column->addWidget(makeLabel(tr("Templates"), "heading", box));
        auto* missing =
            makeLabel(tr("The templates that come with the program were not found. Set HETEROSCOPE_RESOURCES "
                         "to the folder that holds them."),
                      "muted", box);
        missing->setWordWrap(true);
        column->addWidget(missing);
    }
    addCards(column, tr("Pooling and matrix products"), operations);
    addCards(column, tr("Neural networks"), networks);
    if (QWidget* recorded = makeRecorded()) {
        column->addWidget(recorded);
    }
    column->addStretch(1);
    return box;
}

/// What a GPU does, for machines without one; nothing when no recorded run came with the program.
QWidget* StartPage::makeRecorded() {
    const std::vector<Example> runs = listRecordedRuns();
    if (runs.empty())
        return nullptr;
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(10);
    grid->addWidget(makeLabel(tr("Recorded on a GPU"), "heading", box), 0, 0, 1, kColumns);
    int position = kColumns; // below the heading
    for (const Example& run : runs) {
        auto* card = new TemplateCard(run.iconName, run.name, run.sentence);
        card->setObjectName(QStringLiteral("recorded_") + QFileInfo(run.path).completeBaseName());
        connect(card, &QPushButton::clicked, this, [this, path = run.path] { emit recentRequested(path); });
        grid->addWidget(card, position / kColumns, position % kColumns);
        ++position;
    }
    for (int i = 0; i < kColumns; ++i)
        grid->setColumnStretch(i, 1);
    return box;
}

TemplateCard* StartPage::makeCard(const Example& example, const QString& sentence) {
    auto* card = new TemplateCard(example.iconName, example.name, sentence);
    card->setObjectName(QStringLiteral("template_") + QFileInfo(example.path).completeBaseName());
    connect(card, &QPushButton::clicked, this, [this, path = example.path] { emit templateRequested(path); });
    return card;
}

/// The one card that a newcomer should click.
QWidget* StartPage::makeFirst(const Example& example) {
    TemplateCard* card =
        makeCard(example, tr("Open it, press Run, and see which implementation is fastest and by how much. "
                             "Everything is filled in; change what you like."));
    card->setFeatured(tr("Open"));
    return card;
}

QWidget* StartPage::makeSide() {
    auto* side = new QWidget;
    side->setFixedWidth(kStartSideWidth);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(16);
    column->addWidget(makePanel(tr("Recent files"), m_recent));
    column->addWidget(makePanel(tr("This machine"), m_machine));
    column->addStretch(1);
    return side;
}

void StartPage::setRecentFiles(const QStringList& files) {
    deleteChildren(m_recent);
    if (files.isEmpty())
        m_recent->addWidget(makeLabel(tr("Files that you open appear here."), "muted"));
    for (const QString& path : files.mid(0, kRecentShown)) {
        auto* button = new QPushButton;
        setRole(button, "link");
        button->setIcon(
            icon(path.endsWith(QStringLiteral(".json")) ? QStringLiteral("file") : QStringLiteral("timeline"),
                 IconTone::Muted));
        button->setText(recentText(path, fontMetrics()));
        button->setToolTip(path);
        button->setAccessibleName(tr("Open %1").arg(path));
        connect(button, &QPushButton::clicked, this, [this, path] { emit recentRequested(path); });
        m_recent->addWidget(button);
    }
}

void StartPage::setDevices(const Json& devices) {
    deleteChildren(m_machine);
    const auto list = devices.find("devices");
    if (list == devices.end() || !list->is_array())
        return;
    for (const Json& device : *list) {
        auto* name = makeLabel(deviceSummary(device), "", nullptr);
        name->setWordWrap(true);
        m_machine->addWidget(name);
        const QString id = deviceText(device, "id");
        if (!deviceText(device, "reason").isEmpty())
            m_machine->addWidget(makeImplementationRow(id, reasonText(device), false));
        for (const Json& implementation : device.value("implementations", Json::array())) {
            const QString reason = reasonText(implementation);
            const bool said = reason == reasonText(device); // beside the device
            m_machine->addWidget(
                makeImplementationRow(id + QLatin1Char('/') + deviceText(implementation, "id"),
                                      said ? QString() : reason, reason.isEmpty()));
        }
    }
}

void StartPage::setDevicesProblem(const QString& sentence) {
    deleteChildren(m_machine);
    auto* line = makeLabel(sentence.isEmpty() ? tr("Looking for devices\u2026") : sentence, "muted");
    line->setWordWrap(true);
    m_machine->addWidget(line);
}

} // namespace heteroscope::ui

#include "moc_start_page.cpp"
