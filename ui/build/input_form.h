// SPDX-License-Identifier: GPL-3.0-or-later
// Where the input of a pooling experiment comes from: random numbers, a typed matrix, an image, a NumPy file.
// Accepts dropped files. GUI thread.
#pragma once

#include "ui/build/form_section.h"

#include <QButtonGroup>
#include <QLabel>

#include <map>

namespace heteroscope::ui {

class InputForm : public FormSection {
    Q_OBJECT
  public:
    InputForm(Document& document, const compute::ParameterGroup& group, QWidget* parent = nullptr);

    void refresh();
    /// Takes an image or .npy file as the input; false when it is neither.
    bool takeFile(const QString& path);

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void addSourceButtons(const compute::Parameter& source);
    void addPathField(const compute::Parameter& path);
    void chooseSource(const std::string& source);
    Json inputFor(const std::string& source) const;
    std::string source() const;
    void chooseFile();

    Document& m_document;
    compute::ParameterGroup m_group;
    QButtonGroup* m_buttons;
    QLabel* m_manualNote;
    std::map<std::string, Json> m_remembered; ///< the input of each source when it was left
};

/// A path as the experiment stores it: relative to its file where the input lies below it.
std::string storedPath(const Document& document, const QString& file);
/// The file a stored path means.
QString resolvedPath(const Document& document, const std::string& stored);

} // namespace heteroscope::ui
