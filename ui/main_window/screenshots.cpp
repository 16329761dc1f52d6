// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the pictures: a mode counts as settled when the window says so and two drawings in a row are equal.
#include "ui/main_window/screenshots.h"

#include "ui/charts/figure_export.h"
#include "ui/common/output_kind.h"
#include "ui/models/study_session.h"

#include <QBuffer>
#include <QDir>
#include <QPixmap>

namespace heteroscope::ui {

namespace {
constexpr double kLivePart = 0.6; ///< of the study
constexpr int kLookMs = 60;       ///< between two drawings that are compared
const char* const kNames[] = {"start", "build", "run", "timeline", "analyze", "library"};
} // namespace

Screenshots::Screenshots(MainWindow& window, std::vector<Shot> shots, bool force, QObject* parent)
    : QObject(parent), m_window(window), m_shots(std::move(shots)), m_force(force) {
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

OutputRules Screenshots::rules() const {
    OutputRules rules = overItsKind("\x89PNG");
    for (const QString& path : m_window.inputFiles())
        rules.inputs.push_back(path.toStdString());
    rules.force = m_force;
    rules.forceAdvice = OutputRules().forceAdvice; // pictures are asked for on the command line
    return rules;
}

Status Screenshots::check() const {
    for (const Shot& shot : m_shots)
        if (Status status = checkOutput(shot.file.toStdString(), rules()); !status)
            return status;
    return {};
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
    QBuffer png;
    QString error = tr("%1: the picture cannot be put into PNG: not enough memory").arg(shot.file);
    if (!png.open(QIODevice::WriteOnly) || !m_previous.save(&png, "PNG") ||
        !saveBytes(shot.file, png.data(), &error, rules())) {
        fail(error);
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

#include "moc_screenshots.cpp"
