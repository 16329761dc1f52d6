// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/program/ui_test.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace heteroscope::ui::test {
namespace {

std::vector<Entry>& entries() {
    static std::vector<Entry> all; // filled before main() by objects of other sources
    return all;
}

const Entry* find(std::string_view name) {
    const auto found = std::ranges::find(entries(), name, &Entry::name);
    return found == entries().end() ? nullptr : &*found;
}

int usage(const char* program) {
    std::fprintf(stderr, "usage: %s TEST [QtTest's arguments]; TEST is one of:\n", program);
    std::ranges::sort(entries(), {}, &Entry::name);
    for (const Entry& entry : entries())
        std::fprintf(stderr, "  %.*s\n", int(entry.name.size()), entry.name.data());
    return 2;
}

} // namespace

bool add(const Entry& entry) {
    if (find(entry.name) != nullptr) {
        std::fprintf(stderr, "two tests are named %.*s\n", int(entry.name.size()), entry.name.data());
        std::abort();
    }
    entries().push_back(entry);
    return true;
}

} // namespace heteroscope::ui::test

int main(int argc, char** argv) {
    using namespace heteroscope::ui::test;
    const Entry* entry = argc > 1 ? find(argv[1]) : nullptr;
    if (entry == nullptr)
        return usage(argv[0]);
    std::vector<char*> rest(argv, argv + argc);
    rest.erase(rest.begin() + 1);
    int count = int(rest.size());
    rest.push_back(nullptr);
    const QApplication application(count, rest.data());
    QTest::setMainSourcePath(__FILE__);
    return entry->run(count, rest.data());
}
