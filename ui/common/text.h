// SPDX-License-Identifier: GPL-3.0-or-later
// Translation of texts outside classes. Any thread.
#pragma once

#include <QCoreApplication>
#include <QString>

namespace heteroscope::ui {

/// For free functions; the members of a QObject have their own tr. The context is the one under which lupdate
/// files such texts.
inline QString tr(const char* text) {
    return QCoreApplication::translate("heteroscope::ui", text);
}

} // namespace heteroscope::ui
