// SPDX-License-Identifier: GPL-3.0-or-later
// Export of the shown chart or table: one click writes the file into the remembered folder; size and format
// are remembered too. An existing file is never replaced: the name gets a number. GUI thread.
#pragma once

#include "ui/charts/figure_export.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;
class QPushButton;

namespace heteroscope::ui {

class MessageBar;

class ExportPanel : public QWidget {
    Q_OBJECT
  public:
    explicit ExportPanel(QWidget* parent = nullptr);

    /// The chart to export and the base name of its files; asked at the moment of export.
    void setSource(std::function<ChartData()> chart, std::function<QString()> baseName);
    void setHiddenSeries(const QSet<QString>& hidden) { m_hidden = hidden; }
    void clearResult(); ///< what the last export said: another study is shown
    ExportSettings settings() const;
    QString folder() const;
    /// Writes the file and says where; false when it could not.
    bool exportAs(ExportFormat format);
    /// The same for bytes made elsewhere (the table of runs).
    bool exportBytes(const QByteArray& bytes, const QString& baseName, const QString& suffix);

  signals:
    void statusMessage(const QString& text);
    void greyPreviewToggled(bool on);

  private:
    void buildForm();
    void buildButtons();
    void restore();
    void remember();
    void updateSizeFields();
    void updateButton();
    void chooseFolder();
    void report(const QString& path);

    std::function<ChartData()> m_chart;
    std::function<QString()> m_baseName;
    QSet<QString> m_hidden;
    ExportFormat m_format = ExportFormat::Pdf;
    QFormLayout* m_form;
    QComboBox* m_size;
    QDoubleSpinBox* m_width;
    QDoubleSpinBox* m_height;
    QSpinBox* m_dpi;
    QCheckBox* m_caption;
    QCheckBox* m_grey;
    QLineEdit* m_folder;
    QPushButton* m_export;
    MessageBar* m_result;
};

} // namespace heteroscope::ui
