// SPDX-License-Identifier: Apache-2.0
#include "compute/base/axis_name.h"

#include <algorithm>

namespace heteroscope {

namespace {

/// The last part of a pointer, with the part before it when the last is the index of a list.
std::string lastPart(const std::string& pointer) {
    const std::size_t slash = pointer.rfind('/');
    if (slash == std::string::npos)
        return pointer;
    const std::string last = pointer.substr(slash + 1);
    const bool index = !last.empty() && last.find_first_not_of("0123456789") == std::string::npos;
    return index && slash > 0 ? lastPart(pointer.substr(0, slash)) + "[" + last + "]" : last;
}

} // namespace

std::vector<std::string> axisPointers(std::string_view axis) {
    std::vector<std::string> pointers;
    while (true) {
        const std::size_t end = std::min(axis.find(','), axis.size());
        std::string_view one = axis.substr(0, end);
        while (!one.empty() && one.front() == ' ')
            one.remove_prefix(1);
        while (!one.empty() && one.back() == ' ')
            one.remove_suffix(1);
        pointers.emplace_back(one);
        if (end == axis.size())
            return pointers;
        axis.remove_prefix(end + 1);
    }
}

std::string axisName(std::string_view axis) {
    std::string name;
    for (const std::string& pointer : axisPointers(axis))
        name += (name.empty() ? "" : "=") + lastPart(pointer);
    return name;
}

std::string axisValueText(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string pointName(const Json& point, std::string_view between) {
    std::string text;
    for (const auto& [axis, value] : point.items()) {
        if (!text.empty())
            text += between;
        text += axisName(axis) + "=" + axisValueText(value);
    }
    return text;
}

} // namespace heteroscope
