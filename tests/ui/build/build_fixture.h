// SPDX-License-Identifier: GPL-3.0-or-later
// A build view on screen (offscreen) and short ways to its fields.
#pragma once

#include "ui/build/build_view.h"
#include "ui/build/form_field.h"
#include "ui/build/soft_spin_box.h"
#include "ui/common/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QTest>

namespace heteroscope::ui {

inline Json testDevices() {
    return Json::parse(R"({"devices":[
      {"id":"cpu","name":"Test CPU","available":true,"reason":"","implementations":[
        {"id":"sequential","reason":"","options":[],"summary":"plain loops"},
        {"id":"openmp","reason":"","options":["threads"],"summary":"all cores"},
        {"id":"onednn","reason":"","options":["threads"],"summary":"library"}]},
      {"id":"cuda:0","name":"","available":false,"reason":"CUDA driver not found","implementations":[
        {"id":"cuda","reason":"","options":["kernel"],"summary":""}]}]})");
}

struct BuildFixture {
    Document document;
    BuildView view{document};

    explicit BuildFixture(const Json& json = compute::defaultPoolingDocument()) {
        Theme::instance().apply(ColorScheme::Dark);
        document.newExperiment(json, QStringLiteral("test"));
        view.resize(1180, 700);
        view.show();
        view.setDevices(testDevices());
        QApplication::setActiveWindow(&view);
        (void)QTest::qWaitForWindowActive(&view);
    }

    template <class T>
    T* find(const QString& name) {
        T* found = view.findChild<T*>(name);
        if (!found)
            qFatal("no widget %s", qPrintable(name));
        return found;
    }
    FormField* field(const QString& pointer) { return find<FormField>(pointer); }
    SoftSpinBox* spin(const QString& pointer, int index = 0) {
        return field(pointer)->findChildren<SoftSpinBox*>().at(index);
    }
    Json at(const char* pointer) const { return document.json().at(Json::json_pointer(pointer)); }

    /// A click into the field as a person makes it, then the text.
    void clickAndType(QWidget* editor, const QString& text) {
        QWidget* target = editor->findChild<QLineEdit*>() ? editor->findChild<QLineEdit*>() : editor;
        QTest::mouseClick(target, Qt::LeftButton);
        QTest::keyClick(target, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(target, text);
    }
};

} // namespace heteroscope::ui
