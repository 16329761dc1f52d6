// SPDX-License-Identifier: GPL-3.0-or-later
// A number field whose limits are soft: arrows stay inside them, typing may leave them and the form then says
// what is wrong. GUI thread.
#pragma once

#include <QDoubleSpinBox>

#include <optional>

namespace heteroscope::ui {

class SoftSpinBox : public QDoubleSpinBox {
    Q_OBJECT
  public:
    /// `automatic` (when not empty) is the text of the lowest value, which means "not given".
    SoftSpinBox(bool whole, std::optional<double> low, std::optional<double> high, const QString& automatic,
                QWidget* parent = nullptr);

    bool isAutomatic() const;
    void setAutomatic();

    QString textFromValue(double value) const override;
    double valueFromText(const QString& text) const override;
    QValidator::State validate(QString& text, int& position) const override;
    void stepBy(int steps) override;

  protected:
    void wheelEvent(QWheelEvent* event) override; ///< scrolls the form unless the field has the keyboard
    StepEnabled stepEnabled() const override;

  private:
    double stepFrom(double value, bool up) const;
    double lowest() const;
    double highest() const;

    bool m_whole, m_hasAutomatic;
    std::optional<double> m_low, m_high;
};

} // namespace heteroscope::ui
