// SPDX-License-Identifier: GPL-3.0-or-later
// Size, folder and buttons of the export.
#include "ui/analyze/export_panel.h"

#include "ui/charts/chart_text.h"
#include "ui/common/icons.h"
#include "ui/common/message_bar.h"
#include "ui/common/output_kind.h"
#include "ui/common/settings.h"
#include "ui/common/theme.h"
#include "ui/common/widgets.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QStandardPaths>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr char kFolderKey[] = "analyze/exportFolder";

QString defaultFolder() {
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return documents.isEmpty() ? QDir::homePath() : documents;
}

QSettings exportSettings() {
    return QSettings(Settings().filePath(), QSettings::IniFormat);
}

// "name.pdf", or "name-2.pdf" when that is taken.
QString freePath(const QString& folder, const QString& base, const QString& suffix) {
    QString path = QStringLiteral("%1/%2.%3").arg(folder, base, suffix);
    for (int number = 2; QFileInfo::exists(path); ++number)
        path = QStringLiteral("%1/%2-%3.%4").arg(folder, base).arg(number).arg(suffix);
    return path;
}

QDoubleSpinBox* millimetreBox(const QString& name) {
    auto* box = new QDoubleSpinBox;
    box->setRange(30, 600);
    box->setDecimals(1);
    box->setSuffix(QStringLiteral(" mm"));
    box->setAccessibleName(name);
    return box;
}

} // namespace

ExportPanel::ExportPanel(QWidget* parent)
    : QWidget(parent),
      m_form(new QFormLayout),
      m_size(new QComboBox),
      m_width(millimetreBox(tr("Width of the figure"))),
      m_height(millimetreBox(tr("Height of the figure"))),
      m_dpi(new QSpinBox),
      m_caption(new QCheckBox(tr("Caption in the figure"))),
      m_grey(new QCheckBox(tr("Print in grey"))),
      m_folder(new QLineEdit),
      m_export(new QPushButton),
      m_result(new MessageBar) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(Theme::kSpacing);
    layout->addWidget(makeLabel(tr("Export"), "heading"));
    buildForm();
    buildButtons();
    layout->addWidget(m_result);
    restore();
}

void ExportPanel::buildForm() {
    for (const FigureSize& size : figureSizes())
        m_size->addItem(ChartText::tr(size.title), QString::fromLatin1(size.id));
    m_size->addItem(tr("Custom size"), QStringLiteral("custom"));
    m_size->setAccessibleName(tr("Size of the figure"));
    m_size->setObjectName(QStringLiteral("exportSize"));
    m_size->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_dpi->setRange(72, 1200);
    m_dpi->setSingleStep(300);
    m_dpi->setSuffix(tr(" dpi"));
    m_dpi->setAccessibleName(tr("Resolution of PNG files"));
    m_folder->setObjectName(QStringLiteral("exportFolder"));
    m_folder->setAccessibleName(tr("Folder for exported files"));
    auto* browse = new QToolButton;
    browse->setIcon(icon(QStringLiteral("folder")));
    browse->setToolTip(tr("Choose the folder"));
    browse->setAccessibleName(browse->toolTip());
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder);
    folderRow->addWidget(browse);
    QFormLayout* form = m_form;
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(tr("Size"), m_size);
    form->addRow(tr("Width"), m_width);
    form->addRow(tr("Height"), m_height);
    form->addRow(tr("PNG"), m_dpi);
    form->addRow(tr("Folder"), folderRow);
    form->addRow(m_caption);
    form->addRow(m_grey);
    static_cast<QVBoxLayout*>(layout())->addLayout(form);
    connect(m_size, &QComboBox::currentIndexChanged, this, &ExportPanel::updateSizeFields);
    connect(browse, &QToolButton::clicked, this, &ExportPanel::chooseFolder);
    connect(m_grey, &QCheckBox::toggled, this, &ExportPanel::greyPreviewToggled);
}

void ExportPanel::buildButtons() {
    auto* menu = new QMenu(this);
    for (const ExportFormatInfo& info : exportFormats()) {
        QAction* action = menu->addAction(ChartText::tr(info.title));
        action->setObjectName(QStringLiteral("export_%1").arg(QLatin1String(info.suffix)));
        connect(action, &QAction::triggered, this, [this, format = info.format] { exportAs(format); });
    }
    menu->addSeparator();
    QAction* all = menu->addAction(tr("All formats"));
    connect(all, &QAction::triggered, this, [this] {
        const ExportFormat kept = m_format;
        for (const ExportFormatInfo& info : exportFormats())
            if (!exportAs(info.format))
                break;
        m_format = kept;
        updateButton();
    });
    m_export->setObjectName(QStringLiteral("exportButton"));
    m_export->setIcon(icon(QStringLiteral("export"), IconTone::AccentText));
    m_export->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+E")));
    setRole(m_export, "primary");
    auto* more = new QPushButton(tr("Other format"));
    more->setObjectName(QStringLiteral("exportFormats"));
    more->setMenu(menu);
    auto* row = new QHBoxLayout;
    row->addWidget(m_export, 1);
    row->addWidget(more);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_export, &QPushButton::clicked, this, [this] { exportAs(m_format); });
}

void ExportPanel::setSource(std::function<ChartData()> chart, std::function<QString()> baseName) {
    m_chart = std::move(chart);
    m_baseName = std::move(baseName);
}

void ExportPanel::clearResult() {
    m_result->clear();
}

void ExportPanel::updateSizeFields() {
    const auto sizes = figureSizes();
    const int index = m_size->currentIndex();
    const bool custom = index < 0 || index >= static_cast<int>(sizes.size());
    m_form->setRowVisible(m_width, custom);
    m_form->setRowVisible(m_height, custom);
    if (custom)
        return;
    m_width->setValue(sizes[static_cast<std::size_t>(index)].millimetres.width());
    m_height->setValue(sizes[static_cast<std::size_t>(index)].millimetres.height());
}

void ExportPanel::updateButton() {
    m_export->setText(tr("Export %1").arg(formatSuffix(m_format).toUpper()));
    m_export->setToolTip(
        tr("Write the chart to the folder; the arrow offers the other formats (Ctrl+Shift+E)"));
    m_export->setAccessibleName(m_export->text());
}

void ExportPanel::restore() {
    const QSettings stored = exportSettings();
    m_folder->setText(stored.value(QLatin1String(kFolderKey), defaultFolder()).toString());
    m_dpi->setValue(stored.value(QStringLiteral("analyze/pngDpi"), 300).toInt());
    m_caption->setChecked(stored.value(QStringLiteral("analyze/exportCaption"), false).toBool());
    m_width->setValue(stored.value(QStringLiteral("analyze/exportWidthMm"), 84).toDouble());
    m_height->setValue(stored.value(QStringLiteral("analyze/exportHeightMm"), 60).toDouble());
    m_size->setCurrentIndex(
        std::max(0, m_size->findData(stored.value(QStringLiteral("analyze/exportSize")))));
    const QString suffix =
        stored.value(QStringLiteral("analyze/exportFormat"), QStringLiteral("pdf")).toString();
    for (const ExportFormatInfo& info : exportFormats())
        if (suffix == QLatin1String(info.suffix))
            m_format = info.format;
    updateSizeFields();
    updateButton();
}

void ExportPanel::remember() {
    QSettings stored = exportSettings();
    stored.setValue(QLatin1String(kFolderKey), m_folder->text());
    stored.setValue(QStringLiteral("analyze/pngDpi"), m_dpi->value());
    stored.setValue(QStringLiteral("analyze/exportCaption"), m_caption->isChecked());
    stored.setValue(QStringLiteral("analyze/exportWidthMm"), m_width->value());
    stored.setValue(QStringLiteral("analyze/exportHeightMm"), m_height->value());
    stored.setValue(QStringLiteral("analyze/exportSize"), m_size->currentData());
    stored.setValue(QStringLiteral("analyze/exportFormat"), formatSuffix(m_format));
}

ExportSettings ExportPanel::settings() const {
    ExportSettings settings;
    settings.millimetres = {m_width->value(), m_height->value()};
    settings.pngDpi = m_dpi->value();
    settings.caption = m_caption->isChecked();
    settings.grey = m_grey->isChecked();
    settings.hiddenSeries = m_hidden;
    return settings;
}

QString ExportPanel::folder() const {
    return m_folder->text();
}

void ExportPanel::chooseFolder() {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder for exported files"), folder());
    if (chosen.isEmpty())
        return;
    m_folder->setText(chosen);
    remember();
}

bool ExportPanel::exportAs(ExportFormat format) {
    if (!m_chart)
        return false;
    QString error;
    const QByteArray bytes = renderChart(m_chart(), format, settings(), &error);
    if (bytes.isEmpty()) {
        m_result->showMessage(MessageBar::Tone::Error, error);
        return false;
    }
    m_format = format;
    updateButton();
    return exportBytes(bytes, m_baseName ? m_baseName() : QStringLiteral("chart"), formatSuffix(format));
}

bool ExportPanel::exportBytes(const QByteArray& bytes, const QString& baseName, const QString& suffix) {
    QString error;
    const QString path = freePath(folder(), baseName, suffix);
    // The name is free; what may have come there since is replaced only where it is of the kind.
    if (!saveBytes(path, bytes, &error, overItsKind({bytes.constData(), std::size_t(bytes.size())}))) {
        m_result->showMessage(MessageBar::Tone::Error, error);
        return false;
    }
    remember();
    report(path);
    return true;
}

void ExportPanel::report(const QString& path) {
    const QString folderPath = QFileInfo(path).absolutePath();
    m_result->showMessage(
        MessageBar::Tone::Good, tr("Saved %1").arg(QFileInfo(path).fileName()),
        {{tr("Open folder"), [folderPath] { QDesktopServices::openUrl(QUrl::fromLocalFile(folderPath)); }}});
    emit statusMessage(tr("Saved %1").arg(QDir::toNativeSeparators(path)));
}

} // namespace heteroscope::ui

#include "moc_export_panel.cpp"
