// SPDX-License-Identifier: GPL-3.0-or-later
// A button as large as a card: icon, name, one sentence. GUI thread.
#pragma once

#include <QPushButton>
#include <QString>

class QLabel;

namespace heteroscope::ui {

class TemplateCard : public QPushButton {
    Q_OBJECT
  public:
    TemplateCard(const QString& iconName, const QString& title, const QString& sentence,
                 QWidget* parent = nullptr);
    /// Makes it the card that a newcomer should click: a coloured edge, and `call` as on a button.
    void setFeatured(const QString& call);
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

  private:
    void showIcon();

    QLabel* m_icon;
    QLabel* m_call;
    QString m_iconName;
};

} // namespace heteroscope::ui
