// SPDX-License-Identifier: GPL-3.0-or-later
// Names of classes in the window's language: those of images that are drawn here are words of ours, those of
// files stay as they are. Any thread.
#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

namespace heteroscope::ui {

/// Of a dataset with all of these classes, in their order. Files keep the names that are given.
QStringList shownClassNames(const std::vector<std::string>& names);

} // namespace heteroscope::ui
