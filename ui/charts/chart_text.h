// SPDX-License-Identifier: GPL-3.0-or-later
// Translation context of the texts inside charts, which have no QObject of their own.
#pragma once

#include <QCoreApplication>

namespace heteroscope::ui {

struct ChartText {
    Q_DECLARE_TR_FUNCTIONS(ChartText)
};

} // namespace heteroscope::ui
