// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/axis_text.h"

#include "compute/base/axis_name.h"
#include "ui/common/phrase_text.h"

#include <QCoreApplication>
#include <QStringList>

namespace heteroscope::ui {

namespace {

struct AxisName {
    const char* suffix;
    const char* title;
    const char* shortName;
};

// Known axes; any other is named by the last part of its pointer.
constexpr AxisName kAxisNames[] = {
    {"/input/size", QT_TRANSLATE_NOOP("AxisText", "Input size N (elements per side)"), "N"},
    {"/input/channels", QT_TRANSLATE_NOOP("AxisText", "Channels"), QT_TRANSLATE_NOOP("AxisText", "channels")},
    {"/batch", QT_TRANSLATE_NOOP("AxisText", "Batch size"), QT_TRANSLATE_NOOP("AxisText", "batch")},
    {"/kernel", QT_TRANSLATE_NOOP("AxisText", "Kernel size k (elements per side)"), "k"},
    {"/stride", QT_TRANSLATE_NOOP("AxisText", "Stride s (elements)"), "s"},
    {"/padding", QT_TRANSLATE_NOOP("AxisText", "Padding p (elements per side)"), "p"},
    {"/matmul/m", QT_TRANSLATE_NOOP("AxisText", "Rows of A, m"), "m"},
    {"/matmul/n", QT_TRANSLATE_NOOP("AxisText", "Columns of B, n"), "n"},
    {"/matmul/k", QT_TRANSLATE_NOOP("AxisText", "Columns of A, k"), "k"},
    {"/matmul/size", QT_TRANSLATE_NOOP("AxisText", "Matrix order N"), "N"},
    {"/network", QT_TRANSLATE_NOOP("AxisText", "Network"), QT_TRANSLATE_NOOP("AxisText", "network")},
};

constexpr const char* kSquareMatrices = "/matmul/m,/matmul/n,/matmul/k";

const AxisName* knownAxis(const std::string& pointer) {
    for (const AxisName& name : kAxisNames)
        if (QString::fromStdString(pointer).endsWith(QLatin1String(name.suffix)))
            return &name;
    return nullptr;
}

QString translated(const char* text) {
    return QCoreApplication::translate("AxisText", text);
}

} // namespace

QString axisShortName(const std::string& axis) {
    QStringList names;
    for (const std::string& pointer : axisPointers(axis)) {
        const AxisName* const name = knownAxis(pointer);
        names << (name ? translated(name->shortName) : phraseText(axisPhrase(pointer)));
    }
    return names.join(QStringLiteral(" = "));
}

QString axisTitle(const std::string& pointer) {
    if (pointer == kSquareMatrices)
        return translated(QT_TRANSLATE_NOOP("AxisText", "Matrix order, m = n = k"));
    if (axisPointers(pointer).size() > 1)
        return axisShortName(pointer);
    if (const AxisName* name = knownAxis(pointer))
        return translated(name->title);
    return phraseText(axisPhrase(pointer));
}

} // namespace heteroscope::ui
