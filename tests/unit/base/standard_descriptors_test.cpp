// SPDX-License-Identifier: Apache-2.0
// Standard descriptors that nobody opened get /dev/null, so that no file gets their numbers.
#include "compute/base/standard_descriptors.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope {
namespace {

bool isNull(int fd) {
    struct stat opened {};
    struct stat null {};
    return ::fstat(fd, &opened) == 0 && ::stat("/dev/null", &null) == 0 && opened.st_rdev == null.st_rdev;
}

int nextAfterFilling(int closed) {
    int ends[2];
    if (::pipe(ends) != 0)
        return 100;
    for (int fd = 0; fd < 3; ++fd)
        ::dup2(ends[1], fd);
    ::close(closed);
    fillStandardDescriptors();
    for (int fd = 0; fd < 3; ++fd)
        if (isNull(fd) != (fd == closed))
            return 10 + fd;
    return 0;
}

TEST(StandardDescriptors, ThatAreClosedAreFilledAndOthersStay) {
    for (int closed = 0; closed < 3; ++closed)
        EXPECT_EXIT(::_exit(nextAfterFilling(closed)), testing::ExitedWithCode(0), "") << closed;
    EXPECT_EXIT(::_exit(nextAfterFilling(1000)), testing::ExitedWithCode(0), "");
}

int allFilled() {
    const int third = ::fcntl(3, F_GETFD); // open where whoever runs this left it so
    for (int fd = 0; fd < 3; ++fd)
        ::close(fd);
    fillStandardDescriptors();
    return isNull(0) && isNull(1) && isNull(2) && ::fcntl(3, F_GETFD) == third ? 0 : 1;
}

TEST(StandardDescriptors, AreFilledAllThree) {
    EXPECT_EXIT(::_exit(allFilled()), testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace heteroscope
