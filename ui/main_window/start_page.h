// SPDX-License-Identifier: GPL-3.0-or-later
// The first page: templates as cards, recent files, what this machine can compute on. GUI thread.
#pragma once

#include "compute/base/json.h"

#include <QScrollArea>
#include <QString>
#include <QStringList>

#include <vector>

class QVBoxLayout;

namespace heteroscope::ui {

class TemplateCard;
struct Example;

class StartPage : public QScrollArea {
    Q_OBJECT
  public:
    explicit StartPage(QWidget* parent = nullptr);
    void setRecentFiles(const QStringList& files);
    void setDevices(const Json& devices);
    void setDevicesProblem(const QString& sentence);

  signals:
    void templateRequested(const QString& path); ///< a copy of an example, as a new experiment
    void openFileRequested();
    void openRecordedRequested();
    void newPoolingRequested();
    void newMatmulRequested();
    void newNetworkRequested();
    void recentRequested(const QString& path);

  private:
    QWidget* makeHeader();
    void addCards(QVBoxLayout* column, const QString& heading, const std::vector<Example>& examples);
    QWidget* makeTemplates();
    QWidget* makeRecorded();
    TemplateCard* makeCard(const Example& example, const QString& sentence);
    QWidget* makeFirst(const Example& example);
    QWidget* makeSide();

    QVBoxLayout* m_recent = nullptr;
    QVBoxLayout* m_machine = nullptr;
};

} // namespace heteroscope::ui
