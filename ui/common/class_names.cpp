// SPDX-License-Identifier: GPL-3.0-or-later
// Classes of drawn images are told by their names, which are recorded without what they come from.
#include "ui/common/class_names.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>
#include <string_view>

namespace heteroscope::ui {

namespace {

constexpr const char* kContext = "ClassName";

/// As compute/data/drawn_images.h has them, whose lists a test compares with these.
constexpr std::string_view kShapes[] = {
    QT_TRANSLATE_NOOP("ClassName", "disc"),      QT_TRANSLATE_NOOP("ClassName", "square"),
    QT_TRANSLATE_NOOP("ClassName", "triangle"),  QT_TRANSLATE_NOOP("ClassName", "ring"),
    QT_TRANSLATE_NOOP("ClassName", "cross"),     QT_TRANSLATE_NOOP("ClassName", "bar"),
    QT_TRANSLATE_NOOP("ClassName", "frame"),     QT_TRANSLATE_NOOP("ClassName", "half disc"),
    QT_TRANSLATE_NOOP("ClassName", "two discs"), QT_TRANSLATE_NOOP("ClassName", "star")};
constexpr std::string_view kSlices[] = {QT_TRANSLATE_NOOP("ClassName", "plain"),
                                        QT_TRANSLATE_NOOP("ClassName", "bright spot"),
                                        QT_TRANSLATE_NOOP("ClassName", "wide ventricles")};

bool beginsWith(std::span<const std::string_view> drawn, const std::vector<std::string>& names) {
    return names.size() <= drawn.size() && std::equal(names.begin(), names.end(), drawn.begin());
}

} // namespace

QStringList shownClassNames(const std::vector<std::string>& names) {
    const bool drawn = beginsWith(kShapes, names) || beginsWith(kSlices, names);
    QStringList shown;
    for (const std::string& name : names)
        shown << (drawn ? QCoreApplication::translate(kContext, name.c_str())
                        : QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    return shown;
}

} // namespace heteroscope::ui
