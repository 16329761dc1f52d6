// SPDX-License-Identifier: GPL-3.0-or-later
// How the window writes what is known of copies between host and device. GUI thread (translated texts).
#pragma once

#include "profiling/analysis/device_work.h"
#include "ui/common/format.h"

#include <QString>

#include <cstdint>
#include <string>

namespace heteroscope::ui {

QString routeText(profiling::CopyRoute route);     ///< "host to device"
QString hostMemoryText(const std::string& memory); ///< "pageable"; a dash when no host memory takes part
QString shareText(double share);                   ///< "12.3 %"
QString byteText(double bytes);                    ///< "1.5 KiB"
QString spanTimeText(std::int64_t ns);             ///< "3.20 ms"
QString rateText(double gbPerS);                   ///< "13.0 MB/s", "27.9 GB/s": three digits

} // namespace heteroscope::ui
