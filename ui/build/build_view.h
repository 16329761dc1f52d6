// SPDX-License-Identifier: GPL-3.0-or-later
// Mode Build: forms and picture of the edited experiment. GUI thread.
#pragma once

#include "ui/build/document.h"
#include "ui/build/network/heat_chooser.h"

#include <QStringList>
#include <QWidget>

class QStackedWidget;

namespace heteroscope::ui {

class BuildForm;
class MatmulPicture;
class NetworkView;
class PoolingPicture;

class BuildView : public QWidget {
    Q_OBJECT
  public:
    explicit BuildView(Document& document, QWidget* parent = nullptr);
    /// Targets that can be chosen, from `heteroscope-cli devices --json` (its JSON text); greyed ones carry
    /// their reason.
    void setDevices(const Json& devices);
    /// Times of the layers of the study that is open, to colour a network by; null for none.
    void setLayerTimes(MeasuredLayersPtr times);
    /// Puts the keyboard on the field of a JSON pointer (from the Problems dock).
    void focusPointer(const QString& pointer);

  signals:
    void runRequested();
    void implementationsRequested(); ///< what computes each operation of the experiment

  private:
    void refresh();

    Document& m_document;
    BuildForm* m_form;
    PoolingPicture* m_pooling;
    MatmulPicture* m_matmul;
    NetworkView* m_network;
    QStackedWidget* m_pictures;
};

} // namespace heteroscope::ui
