// SPDX-License-Identifier: Apache-2.0
#include "profiling/io/chrome_text.h"

#include "profiling/io/utf8.h"

#include <array>
#include <charconv>
#include <cstdlib>

namespace heteroscope::profiling {

namespace {

constexpr std::size_t kFlushFrom = 1 << 20;

template <class T>
void appendNumber(std::string& text, T value) {
    std::array<char, 32> digits{};
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
}

} // namespace

void ChromeText::beginEvent(const char* phase) {
    m_text.append(m_first ? "\n{\"ph\":\"" : ",\n{\"ph\":\"").append(phase).append("\"");
    m_first = false;
}

void ChromeText::number(std::string_view key, std::int64_t value) {
    m_text += key;
    appendNumber(m_text, value);
}

void ChromeText::number(std::string_view key, double value) {
    m_text += key;
    appendNumber(m_text, value);
}

void ChromeText::text(std::string_view key, std::string_view value) {
    m_text += key;
    appendJsonString(m_text, value);
}

void ChromeText::microseconds(std::string_view key, std::int64_t ns) {
    m_text += key;
    if (ns < 0)
        m_text += '-';
    const std::int64_t size = std::abs(ns);
    appendNumber(m_text, size / 1000);
    m_text += '.';
    for (const std::int64_t place : {100, 10, 1})
        m_text += static_cast<char>('0' + size / place % 10);
}

void ChromeText::escaped(std::string_view value) {
    appendJsonString(m_text, value);
}

bool ChromeText::flushIfLong() {
    return m_text.size() < kFlushFrom || flush();
}

bool ChromeText::flush() {
    m_good = m_good && m_write(m_text);
    m_text.clear();
    return m_good;
}

} // namespace heteroscope::profiling
