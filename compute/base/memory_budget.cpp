// SPDX-License-Identifier: Apache-2.0
#include "compute/base/memory_budget.h"

#include "compute/base/checked_math.h"
#include "compute/base/free_memory.h"
#include "compute/base/units.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <utility>

namespace heteroscope {
namespace {

constexpr std::int64_t kShareOfFree = 4; ///< a quarter
constexpr std::int64_t kMebibyte = std::int64_t{1} << 20;
constexpr std::int64_t kLeastDefault = 64 * kMebibyte; ///< small files open on a full machine, too

std::atomic<std::int64_t> processLimit{0};

std::int64_t freeNow() {
    return readMemory().freeBytes;
}

std::string sizeText(std::int64_t bytes) {
    return formatBytes(static_cast<double>(bytes));
}

Error refusal(std::optional<std::int64_t> wanted, std::int64_t allowed, std::string_view what,
              std::string_view where) {
    const std::string need = wanted ? sizeText(*wanted) : "more than 8 EiB";
    const std::int64_t least = wanted ? (*wanted / kMebibyte + 1) : 0;
    return Error{ErrorCode::OutOfMemory,
                 std::string(what) + " would take at least " + need + " of memory in all", std::string(where),
                 sizeText(allowed),
                 wanted ? "give --memory-limit " + std::to_string(least) +
                              "MiB, more where what is behind this place needs it, or a smaller file"
                        : "give a smaller file"};
}

Error noLimit(std::string_view text) {
    return Error{
        ErrorCode::Usage, "'" + std::string(text.substr(0, 40)) + "' is no memory limit", "--memory-limit",
        "a whole number from 1, in bytes or with KiB, MiB, GiB or TiB (KB, MB, GB and TB are the same)",
        "for example 512MiB"};
}

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// Bytes of "", "b", "k", "kb", "kib" ...; 0 for another unit.
std::int64_t unitBytes(const std::string& unit) {
    constexpr std::string_view kPrefixes = "kmgt";
    if (unit.empty() || unit == "b")
        return 1;
    const std::size_t place = kPrefixes.find(unit.front());
    const std::string rest = unit.substr(1);
    const bool known = place != std::string_view::npos && (rest.empty() || rest == "b" || rest == "ib");
    return known ? std::int64_t{1} << (10 * (place + 1)) : 0;
}

} // namespace

void setMemoryLimit(std::int64_t bytes) {
    processLimit.store(bytes);
}

std::int64_t memoryLimit() {
    return processLimit.load();
}

Result<std::int64_t> parseMemoryLimit(std::string_view text) {
    std::int64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data(), last, number);
    if (failure != std::errc() || number <= 0)
        return noLimit(text);
    std::string_view rest(end, static_cast<std::size_t>(last - end));
    while (rest.starts_with(' '))
        rest.remove_prefix(1);
    const std::int64_t unit = unitBytes(lowerCase(rest));
    const auto bytes = checkedMul(number, unit);
    if (unit == 0 || !bytes)
        return noLimit(text);
    return *bytes;
}

MemoryBudget::MemoryBudget() : m_allowed(memoryLimit()) {
    if (m_allowed == 0)
        *this = ofFree(freeNow);
}

MemoryBudget MemoryBudget::ofFree(std::int64_t (*freeBytes)()) {
    MemoryBudget budget(kLeastDefault);
    budget.m_freeBytes = freeBytes;
    return budget;
}

std::int64_t MemoryBudget::allowedBytes() const {
    if (m_freeBytes)
        m_allowed = std::max(std::exchange(m_freeBytes, nullptr)() / kShareOfFree, m_allowed);
    return m_allowed;
}

bool MemoryBudget::allows(std::int64_t bytes) const {
    return bytes <= m_allowed || bytes <= allowedBytes();
}

Status MemoryBudget::charge(std::int64_t bytes, std::string_view what, std::string_view where) {
    const auto wanted = checkedAdd(m_held, bytes);
    if (!wanted || !allows(*wanted))
        return refusal(wanted, allowedBytes(), what, where);
    m_held = *wanted;
    return {};
}

Status MemoryBudget::charge(std::int64_t count, std::int64_t itemBytes, std::string_view what,
                            std::string_view where) {
    const auto bytes = checkedMul(count, itemBytes);
    return bytes ? charge(*bytes, what, where) : Status(refusal(std::nullopt, allowedBytes(), what, where));
}

void MemoryBudget::release(std::int64_t bytes) {
    m_held = std::max<std::int64_t>(m_held - bytes, 0);
}

Status HeldMemory::add(std::int64_t bytes, std::string_view what, std::string_view where) {
    const Status status = m_budget.charge(bytes, what, where);
    if (status)
        m_bytes += bytes;
    return status;
}

Status HeldMemory::set(std::int64_t bytes, std::string_view what, std::string_view where) {
    if (bytes > m_bytes)
        return add(bytes - m_bytes, what, where);
    m_budget.release(m_bytes - bytes);
    m_bytes = bytes;
    return {};
}

} // namespace heteroscope
