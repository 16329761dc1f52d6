// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the pictures: a mode counts as settled when the window says so and two drawings in a row are equal.
#include "ui/main_window/screenshots.h"

#include "ui/models/study_session.h"

#include <QDir>
#include <QFileInfo>
#include <QPixmap>

namespace heteroscope::ui {

namespace {
constexpr double kLivePart = 0.6; ///< of the study
constexpr int kLookMs = 60;       ///< between two drawings that are compared
const char* const kNames[] = {"start", "build", "run", "timeline", "analyze", "library"};
} // namespace

Screenshots::Screenshots(MainWindow& window, std::vector<Shot> shots, QObject* parent)
    : QObject(parent), m_window(window), m_shots(std::move(shots)) {
    m_look.setInterval(kLookMs);
    connect(&m_look, &QTimer::timeout, this, &Screenshots::take);
}

std::vector<Shot> Screenshots::ofAllModes(const QString& folder, bool live) {
    std::vector<Shot> shots;
    if (live)
        shots.push_back({MainWindow::Mode::Run, QDir(folder).filePath(QStringLiteral("run-live.png")), true});
    for (int i = 0; i < int(std::size(kNames)); ++i)
        shots.push_back(
            {MainWindow::Mode(i), QDir(folder).filePath(QString::fromLatin1(kNames[i]) + ".png")});
    return shots;
}

bool Screenshots::readyLive() {
    const auto session = m_window.session();
    if (!session)
        return false;
    const bool running = session->state() == StudySession::State::Live;
    if (running && session->study().progress.fraction < kLivePart)
        return false;
    if (session->state() == StudySession::State::Empty || session->state() == StudySession::State::Loading)
        return false;
    m_previous = m_window.grab().toImage(); // a study that was over too soon is shown as it ended
    return true;
}

bool Screenshots::ready(const Shot& shot) {
    if (shot.live)
        return readyLive();
    if (!m_window.isSettled())
        return false;
    const QImage picture = m_window.grab().toImage();
    const bool resting = picture == m_previous;
    m_previous = picture;
    return resting;
}

void Screenshots::start() {
    m_elapsed.start();
    m_window.setMode(m_shots.front().mode);
    m_look.start();
}

void Screenshots::take() {
    const Shot& shot = m_shots[m_next];
    if (m_elapsed.elapsed() > kTimeoutMs) {
        fail(tr("no picture %1: the window did not come to rest within %2 s")
                 .arg(shot.file)
                 .arg(kTimeoutMs / 1000));
        return;
    }
    if (!ready(shot))
        return;
    const QImage picture = m_previous;
    QDir().mkpath(QFileInfo(shot.file).absolutePath());
    if (!picture.save(shot.file, "PNG")) {
        fail(tr("%1 could not be written").arg(shot.file));
        return;
    }
    m_previous = QImage();
    if (++m_next < m_shots.size()) {
        m_window.setMode(m_shots[m_next].mode);
        return;
    }
    m_look.stop();
    emit finished(true, {});
}

void Screenshots::fail(const QString& sentence) {
    m_look.stop();
    emit finished(false, sentence);
}

} // namespace heteroscope::ui
