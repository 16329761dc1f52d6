// SPDX-License-Identifier: GPL-3.0-or-later
// An icon engine that renders an SVG with `currentColor` replaced by the theme's colour.
#include "ui/common/icons.h"

#include "ui/common/theme.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

static void loadIconResources() {
    Q_INIT_RESOURCE(icons);
}

namespace heteroscope::ui {

namespace {

QColor toneColor(IconTone tone) {
    const ThemeColors& c = Theme::instance().colors();
    switch (tone) {
    case IconTone::Muted:
        return c.mutedText;
    case IconTone::Accent:
        return c.accent;
    case IconTone::AccentText:
        return c.accentText;
    case IconTone::Good:
        return c.good;
    case IconTone::Warning:
        return c.warning;
    case IconTone::Error:
        return c.error;
    case IconTone::Text:
        break;
    }
    return c.text;
}

QByteArray readIcon(const QString& name) {
    loadIconResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no icon named %s", qPrintable(name));
    return file.readAll();
}

class ThemedIconEngine : public QIconEngine {
  public:
    ThemedIconEngine(QByteArray svg, IconTone tone) : m_svg(std::move(svg)), m_tone(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const bool off = mode == QIcon::Disabled;
        QByteArray svg = m_svg;
        svg.replace("currentColor", toneColor(off ? IconTone::Muted : m_tone).name().toLatin1());
        QSvgRenderer renderer(svg);
        painter->setOpacity(off ? 0.6 : 1.0);
        renderer.render(painter, rect);
        painter->setOpacity(1.0);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State iconState) override {
        return scaledPixmap(size, mode, iconState, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State iconState, qreal) override {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(0, 0), size), mode, iconState);
        return picture;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_svg, m_tone); }

  private:
    QByteArray m_svg;
    IconTone m_tone;
};

} // namespace

QIcon icon(const QString& name, IconTone tone) {
    return QIcon(new ThemedIconEngine(readIcon(name), tone));
}

QIcon applicationIcon() {
    return icon(QStringLiteral("heteroscope"), IconTone::Accent);
}

} // namespace heteroscope::ui
