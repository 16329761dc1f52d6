// SPDX-License-Identifier: GPL-3.0-or-later
// A window with a folder of data of its own, whose runs a fake worker computes. GUI thread.
#pragma once

#include "tests/support/time_factor.h"
#include "tests/ui/program/ui_test.h"
#include "tests/ui/shell/files.h"
#include "ui/build/document.h"
#include "ui/common/message_bar.h"
#include "ui/main_window/main_window.h"
#include "ui/models/study_session.h"
#include "ui/run/run_controller.h"

#include <QAbstractButton>
#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QTemporaryDir>
#include <QTimer>
#include <QUrl>

#include <algorithm>
#include <heteroscope_paths.h>
#include <memory>

namespace heteroscope::ui {

using Mode = MainWindow::Mode;

struct Fixture {
    QTemporaryDir data;
    std::unique_ptr<MainWindow> window;

    Fixture() {
        qputenv("HETEROSCOPE_DATA", data.path().toUtf8());
        window = std::make_unique<MainWindow>();
        window->runController().setProgram(QStringLiteral(HETEROSCOPE_BINARY_DIR "/fake_worker"));
        window->show();
    }
    /// Runs the demo's document on the fake worker.
    void start(const char* behaviour) {
        window->openDemo();
        Json document = window->document().json();
        document["fake"] = behaviour;
        window->setMode(Mode::Run);
        window->runController().start(document, {});
    }
    bool waitForSamples() {
        return QTest::qWaitFor([this] {
            const auto session = window->session();
            return session && !session->study().runs.empty() && session->study().runs[0].samples.size() > 1;
        });
    }
    template <class T>
    T* find(const char* name) {
        return window->findChild<T*>(QString::fromLatin1(name));
    }
    MessageBar* message() { return find<MessageBar>("windowMessage"); }
    void open(const QString& path) {
        window->openPath(path);
        QTRY_COMPARE(window->session()->filePath(), path);
        QTRY_VERIFY(window->session()->state() != StudySession::State::Loading);
    }
    /// File > Export as a person does it who answers that the file may be replaced.
    void exportTo(const QString& action, const QString& path) {
        const auto actions = window->findChildren<QAction*>();
        const auto found = std::find_if(actions.begin(), actions.end(), [&](const QAction* candidate) {
            return candidate->text().remove('&') == action;
        });
        QVERIFY(found != actions.end());
        QTimer answer;
        QObject::connect(&answer, &QTimer::timeout, [&] {
            auto* modal = QApplication::activeModalWidget();
            if (auto* box = qobject_cast<QMessageBox*>(modal))
                return box->button(QMessageBox::Yes)->click();
            if (auto* dialog = qobject_cast<QFileDialog*>(modal)) {
                dialog->findChild<QLineEdit*>("fileNameEdit")->setText(path);
                QMetaObject::invokeMethod(dialog, "accept", Qt::QueuedConnection);
            }
        });
        answer.start(20);
        (*found)->trigger();
    }
    void drop(const QString& path) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(200, 200), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(window.get(), &event);
    }
};

inline Json contentOf(const QString& path) {
    return Json::parse(bytesOf(path).toStdString());
}

inline void save(MainWindow& window) {
    for (auto* action : window.findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QKeySequence::Save))
            action->trigger();
}

} // namespace heteroscope::ui
