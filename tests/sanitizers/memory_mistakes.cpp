// SPDX-License-Identifier: Apache-2.0
// Mistakes with memory and numbers made on purpose: the address and undefined-behaviour sanitizers must
// report each.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <string>

namespace {

int useAfterFree() {
    volatile int* value = new int(1);
    delete value;
    return *value;
}

int leak() {
    int* volatile lost = new int[1000];
    lost = nullptr;
    return lost == nullptr ? 0 : 1;
}

int overflow() {
    volatile int most = std::numeric_limits<int>::max();
    most = most + 1;
    return most < 0 ? 1 : 0;
}

} // namespace

int main(int count, char** arguments) {
    const std::map<std::string, std::function<int()>> mistakes = {
        {"use_after_free", useAfterFree}, {"leak", leak}, {"overflow", overflow}};
    const auto mistake = mistakes.find(count == 2 ? arguments[1] : "");
    if (mistake == mistakes.end()) {
        std::fprintf(stderr, "name one mistake\n");
        return 64;
    }
    return mistake->second();
}
