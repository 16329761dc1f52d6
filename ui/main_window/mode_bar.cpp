// SPDX-License-Identifier: GPL-3.0-or-later
// The mode bar.
#include "ui/main_window/mode_bar.h"

#include "ui/common/icons.h"

#include <QButtonGroup>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscope::ui {

namespace {

constexpr int kLeastWidth = 78, kAroundText = 12;
constexpr int kHeight = 62;
constexpr int kIcon = 26;

const char* const kIcons[] = {"home", "build", "run", "timeline", "analyze", "library"};

/// The longest name of this language fits, in the bold of the chosen mode.
int widthFor(const QFont& font) {
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    int widest = kLeastWidth;
    for (int i = 0; i < int(std::size(kIcons)); ++i) {
        const QString name = ModeBar::modeName(MainWindow::Mode(i));
        widest = std::max(widest, QFontMetrics(bold).horizontalAdvance(name) + kAroundText);
    }
    return widest;
}

} // namespace

QString ModeBar::modeName(MainWindow::Mode mode) {
    switch (mode) {
    case MainWindow::Mode::Start:
        return tr("Start");
    case MainWindow::Mode::Build:
        return tr("Build");
    case MainWindow::Mode::Run:
        return tr("Run");
    case MainWindow::Mode::Timeline:
        return tr("Timeline");
    case MainWindow::Mode::Analyze:
        return tr("Analyze");
    case MainWindow::Mode::Library:
        return tr("Library");
    }
    return {};
}

ModeBar::ModeBar(QWidget* parent) : QFrame(parent), m_buttons(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("modeBar"));
    const int width = widthFor(font());
    setFixedWidth(width);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (int i = 0; i < int(std::size(kIcons)); ++i) {
        const QString name = modeName(MainWindow::Mode(i));
        auto* button = new QToolButton(this);
        button->setObjectName(QStringLiteral("mode%1").arg(i));
        button->setText(name);
        button->setAccessibleName(tr("Mode %1").arg(name));
        button->setToolTip(tr("%1 (Ctrl+%2)").arg(name).arg(i + 1));
        button->setIcon(icon(QString::fromLatin1(kIcons[i])));
        button->setIconSize(QSize(kIcon, kIcon));
        button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
        button->setCheckable(true);
        button->setFixedSize(width - 1, kHeight);
        m_buttons->addButton(button, i);
        column->addWidget(button);
    }
    column->addStretch(1);
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int id) { emit modeRequested(MainWindow::Mode(id)); });
}

void ModeBar::setMode(MainWindow::Mode mode) {
    m_buttons->button(int(mode))->setChecked(true);
}

} // namespace heteroscope::ui

#include "moc_mode_bar.cpp"
