// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of widgets for people to look at, written where HETEROSCOPE_PICTURES names a folder.
#pragma once

#include "ui/common/theme.h"

#include <QCoreApplication>
#include <QDir>
#include <QString>
#include <QWidget>
#include <QtTest>

namespace heteroscope::ui {

/// Empty where nobody wants pictures.
inline QString pictureFolder() {
    return qEnvironmentVariable("HETEROSCOPE_PICTURES");
}

inline void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = pictureFolder();
    if (folder.isEmpty())
        return;
    QVERIFY(QDir().mkpath(folder));
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2.png").arg(folder, name)));
}

/// NAME-light and NAME-dark; the theme is light afterwards.
inline void keepLightAndDark(QWidget& widget, const QString& name) {
    if (pictureFolder().isEmpty())
        return;
    for (const auto scheme : {ColorScheme::Dark, ColorScheme::Light}) {
        Theme::instance().apply(scheme);
        QCoreApplication::processEvents(); // what the theme's change asked for
        keepPicture(widget, name + (scheme == ColorScheme::Dark ? QStringLiteral("-dark")
                                                                : QStringLiteral("-light")));
    }
}

} // namespace heteroscope::ui
