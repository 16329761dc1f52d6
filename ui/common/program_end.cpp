// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/program_end.h"

#include <QThreadPool>

#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace heteroscope::ui {

int endProgram(int code) {
    QThreadPool::globalInstance()->waitForDone();
    std::cout.flush();
    std::fflush(nullptr);
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    ::_exit(code);
#endif
    return code;
}

} // namespace heteroscope::ui
