// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

int main() {
    std::puts("heteroscope-cli " HETEROSCOPE_VERSION);
    return 0;
}
