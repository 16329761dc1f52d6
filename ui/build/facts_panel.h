// SPDX-License-Identifier: GPL-3.0-or-later
// A card of facts: formulas with their numbers put in, and named figures. GUI thread.
#pragma once

#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QString>

#include <utility>
#include <vector>

namespace heteroscope::ui {

class FactsPanel : public QFrame {
    Q_OBJECT
  public:
    explicit FactsPanel(const QString& title, QWidget* parent = nullptr);

    struct Fact {
        QString name, value, help;
    };
    void setFacts(const std::vector<Fact>& facts);
    void setFootnote(const QString& text);
    QString valueOf(const QString& name) const; ///< empty when there is none

  private:
    struct Row {
        QLabel *name, *value;
    };
    std::vector<Row> m_rows;
    QGridLayout* m_grid;
    QLabel* m_footnote;
};

} // namespace heteroscope::ui
