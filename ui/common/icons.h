// SPDX-License-Identifier: GPL-3.0-or-later
// Icons from resources/icons, drawn in the theme's colours at any scale. GUI thread.
#pragma once

#include <QIcon>
#include <QString>

namespace heteroscope::ui {

enum class IconTone { Text, Muted, Accent, AccentText, Good, Warning, Error };

/// `name` is a file of resources/icons without suffix. The icon follows later changes of the theme.
QIcon icon(const QString& name, IconTone tone = IconTone::Text);
/// The program's own picture, in fixed colours.
QIcon applicationIcon();

} // namespace heteroscope::ui
