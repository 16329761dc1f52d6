// SPDX-License-Identifier: Apache-2.0
// JSON pointers: splitting, escaping, looking up and setting.
#include "compute/experiment/spec/pointer.h"

#include <charconv>

namespace heteroscope::compute {
namespace {

std::optional<std::string> unescape(std::string_view part) {
    std::string text;
    for (std::size_t i = 0; i < part.size(); ++i) {
        if (part[i] != '~') {
            text += part[i];
            continue;
        }
        ++i;
        if (i == part.size() || (part[i] != '0' && part[i] != '1'))
            return std::nullopt;
        text += part[i] == '0' ? '~' : '/';
    }
    return text;
}

std::optional<std::size_t> arrayIndex(std::string_view part, std::size_t size) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), index);
    const bool leadingZero = part.size() > 1 && part.front() == '0';
    if (error != std::errc{} || end != part.data() + part.size() || leadingZero || index >= size)
        return std::nullopt;
    return index;
}

Json* child(Json& parent, const std::string& part, bool create) {
    if (parent.is_array()) {
        const auto index = arrayIndex(part, parent.size());
        return index ? &parent[*index] : nullptr;
    }
    if (parent.is_null() && create)
        parent = Json::object();
    if (!parent.is_object())
        return nullptr;
    const auto found = parent.find(part);
    if (found != parent.end())
        return &*found;
    return create ? &parent[part] : nullptr;
}

} // namespace

std::optional<std::vector<std::string>> pointerParts(std::string_view pointer) {
    std::vector<std::string> parts;
    while (!pointer.empty()) {
        if (pointer.front() != '/')
            return std::nullopt;
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        auto part = unescape(pointer.substr(1, end - 1));
        if (!part)
            return std::nullopt;
        parts.push_back(std::move(*part));
        pointer.remove_prefix(end);
    }
    return parts;
}

std::string escapePointerPart(std::string_view part) {
    std::string text;
    for (const char c : part)
        text += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    return text;
}

std::string childPointer(const std::string& parent, std::string_view key) {
    return parent + "/" + escapePointerPart(key);
}

std::string childPointer(const std::string& parent, std::size_t index) {
    return parent + "/" + std::to_string(index);
}

const Json* valueAt(const Json& document, std::string_view pointer) {
    const auto parts = pointerParts(pointer);
    if (!parts)
        return nullptr;
    auto* value = const_cast<Json*>(&document); // child() changes nothing unless asked to create
    for (const std::string& part : *parts) {
        value = child(*value, part, false);
        if (!value)
            return nullptr;
    }
    return value;
}

bool setValueAt(Json& document, std::string_view pointer, const Json& value) {
    const auto parts = pointerParts(pointer);
    if (!parts || parts->empty())
        return false;
    Json* place = &document;
    for (const std::string& part : *parts) {
        place = child(*place, part, true);
        if (!place)
            return false;
    }
    *place = value;
    return true;
}

bool pointersOverlap(std::string_view a, std::string_view b) {
    if (a.size() > b.size())
        std::swap(a, b);
    return b.starts_with(a) && (b.size() == a.size() || b[a.size()] == '/');
}

} // namespace heteroscope::compute
