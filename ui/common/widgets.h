// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers for widgets that take their looks from the theme's style sheet. GUI thread.
#pragma once

#include <QLabel>
#include <QWidget>

#include <functional>

class QLayout;

namespace heteroscope::ui {

/// Sets the dynamic property "role" that the style sheet knows (theme_style.h).
void setRole(QWidget* widget, const char* role);
/// Applies the style sheet again after a dynamic property changed.
void restyle(QWidget* widget);
/// Calls `measure` now and whenever the widget, which keeps it, gets another style or font or is shown: a
/// size hint taken before it is in its window is not the theme's (window_style.h).
void whenStyled(QWidget* widget, std::function<void()> measure);
QLabel* makeLabel(const QString& text, const char* role, QWidget* parent = nullptr);
/// Removes every item of a layout; widgets are deleted later.
void deleteChildren(QLayout* layout);

} // namespace heteroscope::ui
