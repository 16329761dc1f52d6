// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers for widgets that take their looks from the theme's style sheet. GUI thread.
#pragma once

#include <QLabel>
#include <QWidget>

class QLayout;

namespace heteroscope::ui {

/// Sets the dynamic property "role" that the style sheet knows (theme_style.h).
void setRole(QWidget* widget, const char* role);
/// Applies the style sheet again after a dynamic property changed.
void restyle(QWidget* widget);
QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);
/// Removes every item of a layout; widgets are deleted later.
void deleteChildren(QLayout* layout);

} // namespace heteroscope::ui
