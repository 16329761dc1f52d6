// SPDX-License-Identifier: GPL-3.0-or-later
// Writes experiment files in a stable, readable order.
#include "ui/build/json_text.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace heteroscope::ui {

namespace {

constexpr std::array<std::string_view, 50> kKeyOrder = {"heteroscope", "kind",
                                                        "name",        "type",
                                                        "inputs",      "notes",
                                                        "task",        "pooling",
                                                        "matmul",      "network",
                                                        "networks",    "training",
                                                        "filters",     "units",
                                                        "output",      "mode",
                                                        "kernel",      "stride",
                                                        "padding",     "pad",
                                                        "strategy",    "window",
                                                        "multiply",    "filter",
                                                        "backward",    "m",
                                                        "n",           "k",
                                                        "right",       "input",
                                                        "source",      "path",
                                                        "color",       "values",
                                                        "size",        "channels",
                                                        "batch",       "low",
                                                        "high",        "seed",
                                                        "targets",     "axes",
                                                        "sampling",    "preset",
                                                        "samples",     "time_limit_s",
                                                        "processes",   "warmup_limit_s",
                                                        "cache",       "quiet_wait_s"};

std::size_t rankOf(std::string_view key) {
    return static_cast<std::size_t>(std::find(kKeyOrder.begin(), kKeyOrder.end(), key) - kKeyOrder.begin());
}

bool isScalarList(const Json& value) {
    return std::all_of(value.begin(), value.end(), [](const Json& item) { return item.is_primitive(); });
}

void writeValue(std::string& out, const Json& value, int indent, bool sortKeys);

void writeObject(std::string& out, const Json& object, int indent, bool sortKeys) {
    std::vector<std::string> keys;
    for (const auto& item : object.items())
        keys.push_back(item.key());
    if (sortKeys)
        std::stable_sort(keys.begin(), keys.end(),
                         [](const std::string& a, const std::string& b) { return rankOf(a) < rankOf(b); });
    const std::string pad(static_cast<std::size_t>(indent) + 2, ' ');
    out += "{";
    for (std::size_t i = 0; i < keys.size(); ++i) {
        out += (i == 0 ? "\n" : ",\n") + pad + Json(keys[i]).dump() + ": ";
        writeValue(out, object.at(keys[i]), indent + 2, sortKeys && keys[i] != "axes");
    }
    out += "\n" + std::string(static_cast<std::size_t>(indent), ' ') + "}";
}

void writeList(std::string& out, const Json& list, int indent, bool sortKeys) {
    const bool oneLine = isScalarList(list);
    const std::string pad(static_cast<std::size_t>(indent) + 2, ' ');
    out += "[";
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (oneLine)
            out += i == 0 ? "" : ", ";
        else
            out += (i == 0 ? "\n" : ",\n") + pad;
        writeValue(out, list[i], indent + 2, sortKeys);
    }
    out += oneLine ? "]" : "\n" + std::string(static_cast<std::size_t>(indent), ' ') + "]";
}

void writeValue(std::string& out, const Json& value, int indent, bool sortKeys) {
    if (value.is_object() && !value.empty())
        writeObject(out, value, indent, sortKeys);
    else if (value.is_array() && !value.empty())
        writeList(out, value, indent, sortKeys);
    else
        out += value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string experimentText(const Json& document) {
    std::string out;
    writeValue(out, document, 0, true);
    return out + "\n";
}

const Json* valueAt(const Json& document, const std::string& pointer) {
    try {
        const Json::json_pointer path(pointer);
        return document.contains(path) ? &document.at(path) : nullptr;
    } catch (const Json::exception&) {
        return nullptr;
    }
}

std::string parentPointer(const std::string& pointer) {
    const std::size_t slash = pointer.find_last_of('/');
    return slash == std::string::npos ? std::string() : pointer.substr(0, slash);
}

} // namespace heteroscope::ui
