// SPDX-License-Identifier: GPL-3.0-or-later
// The application's style sheet: one text with names of colours, which are put in.
#include "ui/common/theme_style.h"

namespace heteroscope::ui {

namespace {

/// Fields of text name no colour for it: Qt would make that of their placeholder half transparent, too faint
/// to read.
constexpr const char* kStyle = R"(
QToolTip { color: @text; background: @raised; border: 1px solid @border; padding: 4px; }
QLabel[role="title"] { font-size: 20pt; font-weight: 600; color: @text; }
QLabel[role="heading"] { font-size: 12pt; font-weight: 600; color: @text; }
QLabel[role="strong"] { font-weight: 600; color: @text; }
QLabel[role="muted"] { color: @mutedText; }
QLabel[role="error"] { color: @error; }
QLabel[role="warning"] { color: @warning; }
QLabel[role="chip"] { background: @raised; color: @text; border: 1px solid @border; border-radius: 10px; padding: 2px 9px; }
QLabel[role="badge"] { border-radius: 8px; padding: 1px 7px; border: 1px solid @border; color: @mutedText; }
QLabel[role="badge"][tone="good"] { color: @good; border-color: @good; }
QLabel[role="badge"][tone="warning"] { color: @warning; border-color: @warning; }
QLabel[role="badge"][tone="error"] { color: @error; border-color: @error; }
QFrame[role="card"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QFrame[role="bar"] { background: @surface; border: none; border-bottom: 1px solid @border; }
QFrame[role="panel"] { background: @surface; border: none; }
QAbstractButton[role="card"] { background: @surface; border: 1px solid @border; border-radius: 8px; }
QAbstractButton[role="card"][featured="true"] { border: 2px solid @accent; }
QLabel[role="call"] { background: @accent; color: @accentText; border-radius: 5px; padding: 6px 16px; font-weight: 600; }
QAbstractButton[role="card"]:hover { border-color: @accent; background: @hover; }
QAbstractButton[role="card"]:focus { border: 2px solid @accent; }
QAbstractButton[role="card"][featured="true"]:focus { border: 2px solid @text; }

QPushButton { background: @raised; color: @text; border: 1px solid @border; border-radius: 5px; padding: 5px 12px; min-height: 18px; }
QPushButton:hover { background: @hover; border-color: @mutedText; }
QPushButton:pressed { background: @selection; }
QPushButton:checked { background: @selection; border-color: @accent; }
QPushButton:focus { border: 1px solid @accent; }
QPushButton:disabled { color: @mutedText; background: @window; }
QPushButton[role="primary"] { background: @accent; color: @accentText; border: 1px solid @accent; font-weight: 600; }
QPushButton[role="primary"]:hover { border-color: @text; }
QPushButton[role="primary"]:focus { border: 1px solid @text; }
QPushButton[role="primary"]:disabled { background: @raised; color: @mutedText; border-color: @border; }
QPushButton[role="link"] { background: transparent; border: 1px solid transparent; color: @accent; padding: 3px 6px; text-align: left; }
QPushButton[role="flat"] { background: transparent; border: 1px solid transparent; color: @mutedText; padding: 1px 6px; min-height: 16px; }
QPushButton[role="flat"]:hover { background: @hover; color: @text; }
QPushButton[role="flat"]:focus { border-color: @accent; }
QPushButton[role="link"]:hover { background: @hover; }
QPushButton[role="link"]:focus { border-color: @accent; }
QToolButton { color: @text; background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: @hover; }
QToolButton:checked { background: @selection; }
QToolButton:focus { border-color: @accent; }
QToolButton:disabled { color: @mutedText; }

QFrame#modeBar { background: @surface; border: none; border-right: 1px solid @border; }
QFrame#modeBar QToolButton { border: none; border-left: 3px solid transparent; border-radius: 0; padding: 7px 2px 5px 0; color: @mutedText; }
QFrame#modeBar QToolButton:hover { background: @hover; color: @text; }
QFrame#modeBar QToolButton:checked { background: @hover; color: @text; border-left: 3px solid @accent; font-weight: 600; }
QFrame#modeBar QToolButton:focus { color: @text; border-left: 3px solid @mutedText; }
QFrame#modeBar QToolButton:checked:focus { border-left: 3px solid @accent; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit, QTextEdit {
  background: @surface; border: 1px solid @border; border-radius: 4px; selection-background-color: @selection; selection-color: @text; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { padding: 3px 6px; min-height: 18px; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus, QTextEdit:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: @mutedText; background: @window; }
QComboBox::drop-down { subcontrol-origin: border; subcontrol-position: center right; width: 22px; border: none; }
QComboBox::down-arrow { image: url(:/icons/caret-down-@scheme.svg); width: 11px; height: 11px; }
QSpinBox, QDoubleSpinBox { padding-left: 4px; padding-right: 16px; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 16px; border: none; margin: 1px 1px 0 0; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 16px; border: none; margin: 0 1px 1px 0; }
QSpinBox::up-button:hover, QDoubleSpinBox::up-button:hover, QSpinBox::down-button:hover, QDoubleSpinBox::down-button:hover { background: @hover; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/icons/caret-up-@scheme.svg); width: 9px; height: 9px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/icons/caret-down-@scheme.svg); width: 9px; height: 9px; }
QComboBox QAbstractItemView { background: @surface; color: @text; border: 1px solid @border; selection-background-color: @selection; selection-color: @text; }

QCheckBox { spacing: 7px; }
QCheckBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @mutedText; border-radius: 3px; background: @surface; }
QCheckBox::indicator:hover, QCheckBox::indicator:focus { border-color: @accent; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/icons/check-@scheme.svg); }
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled { border-color: @border; background: @window; }
QCheckBox::indicator:checked:disabled { background: @border; border-color: @border; image: url(:/icons/check-@scheme.svg); }

QProgressBar { background: @raised; border: none; border-radius: 3px; text-align: center; color: @text; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }

QTableView, QTreeView, QListView { background: @surface; alternate-background-color: @window; color: @text; border: 1px solid @border;
  gridline-color: @grid; selection-background-color: @selection; selection-color: @text; outline: none; }
QTableView[role="plain"], QTreeView[role="plain"], QListView[role="plain"], QPlainTextEdit[role="plain"] { border: none; border-radius: 0; }
QListView[role="navigation"]::item { padding: 0 8px; border: none; }
QListView[role="navigation"]::item:selected { padding: 0 8px; border: none; }
QTableView::item { padding: 0 8px; border: none; }
QTreeView::item { padding: 3px 6px; border: none; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: @selection; color: @text; }
QHeaderView { background: @surface; }
QHeaderView::section { background: @surface; color: @mutedText; border: none; border-bottom: 1px solid @border; padding: 5px 8px; font-weight: 600; }
QHeaderView::up-arrow { image: url(:/icons/caret-up-@scheme.svg); width: 11px; height: 9px; subcontrol-origin: margin; subcontrol-position: top center; }
QHeaderView::down-arrow { image: url(:/icons/caret-down-@scheme.svg); width: 11px; height: 9px; subcontrol-origin: margin; subcontrol-position: top center; }
QTableCornerButton::section { background: @surface; border: none; }

QMenuBar { background: @surface; color: @text; border-bottom: 1px solid @border; }
QMenuBar::item { padding: 4px 9px; background: transparent; }
QMenuBar::item:selected { background: @hover; }
QMenu { background: @surface; color: @text; border: 1px solid @border; padding: 4px 0; }
QMenu::item { padding: 5px 28px 5px 24px; }
QMenu::item:selected { background: @selection; color: @text; }
QMenu::item:disabled { color: @mutedText; }
QMenu::separator { height: 1px; background: @border; margin: 4px 8px; }

QStatusBar { background: @surface; color: @mutedText; border-top: 1px solid @border; }
QStatusBar::item { border: none; }
QDockWidget { color: @text; titlebar-close-icon: none; }
QDockWidget::title { background: @surface; padding: 6px 8px; border-bottom: 1px solid @border; text-align: left; }
QMainWindow::separator { background: @border; width: 1px; height: 1px; }
QSplitter::handle { background: @border; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QTabBar::tab { background: transparent; color: @mutedText; padding: 6px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text; }
QTabBar::tab:focus { color: @accent; }
QTabWidget::pane { border: none; border-top: 1px solid @border; }
QGroupBox { border: 1px solid @border; border-radius: 6px; margin-top: 18px; padding: 8px; color: @text; }
QGroupBox::title { subcontrol-origin: margin; left: 2px; top: 0; color: @text; font-weight: 600; }

QScrollArea { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle { background: @border; border-radius: 4px; margin: 2px; }
QScrollBar::handle:hover { background: @mutedText; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QFrame[role="message"] { border-radius: 6px; border: 1px solid @border; background: @raised; }
QFrame[role="message"][banner="true"] { border-radius: 0; border-left: none; border-right: none; border-top: none; }
QFrame[role="message"][tone="good"] { border-color: @good; }
QFrame[role="message"][tone="warning"] { border-color: @warning; }
QFrame[role="message"][tone="error"] { border-color: @error; }
QFrame[role="message"][tone="info"] { border-color: @info; }
)";

} // namespace

QString themeStyleSheet(const ThemeColors& colors) {
    const struct {
        const char* name;
        QColor color;
    } names[] = {{"@accentText", colors.accentText},
                 {"@accent", colors.accent},
                 {"@mutedText", colors.mutedText},
                 {"@text", colors.text},
                 {"@window", colors.window},
                 {"@surface", colors.surface},
                 {"@raised", colors.raised},
                 {"@border", colors.border},
                 {"@good", colors.good},
                 {"@warning", colors.warning},
                 {"@error", colors.error},
                 {"@info", colors.info},
                 {"@grid", colors.grid},
                 {"@selection", colors.selection},
                 {"@hover", colors.hover}};
    QString sheet = QString::fromLatin1(kStyle);
    sheet.replace(QLatin1String("@scheme"),
                  QLatin1String(colors.window.lightness() < 128 ? "dark" : "light"));
    for (const auto& entry : names)
        sheet.replace(QLatin1String(entry.name), entry.color.name());
    return sheet;
}

} // namespace heteroscope::ui
