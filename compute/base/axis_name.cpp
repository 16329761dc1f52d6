// SPDX-License-Identifier: Apache-2.0
#include "compute/base/axis_name.h"

#include <algorithm>
#include <iterator>

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

/// Names of parameters that are axes: words, and no symbols like those of a matrix product (m, n, k).
constexpr const char* kNames[] = {
    words("backward"),
    words("batch"),
    words("cache"),
    words("channels"),
    words("classes"),
    words("countIncludePad"),
    words("epochs"),
    words("features"),
    words("filter"),
    words("filters"),
    words("gamma"),
    words("high"),
    words("images"),
    words("initialization"),
    words("kernel"),
    words("learning_rate"),
    words("loss"),
    words("low"),
    words("mode"),
    words("momentum"),
    words("multiply"),
    words("nesterov"),
    words("network"),
    words("padding"),
    words("paddingValue"),
    words("patience"),
    words("preset"),
    words("processes"),
    words("rate"),
    words("samples"),
    words("seed"),
    words("shape"),
    words("size"),
    words("source"),
    words("strategy"),
    words("stride"),
    words("target"),
    words("task"),
    words("training_limit"),
    words("type"),
    words("units"),
    words("validation_share"),
    words("warmup_steps"),
    words("weight_decay"),
};

/// "kernel[0]" is a name with an index.
Phrase lastPartPhrase(const std::string& pointer) {
    const std::string part = lastPart(pointer), name = part.substr(0, part.find('['));
    const auto known =
        std::find_if(std::begin(kNames), std::end(kNames), [&](const char* one) { return name == one; });
    return known == std::end(kNames) ? Phrase(part) : together(say(*known), part.substr(name.size()));
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

Phrase axisPhrase(std::string_view axis) {
    std::vector<Phrase> parts;
    for (const std::string& pointer : axisPointers(axis))
        parts.push_back(lastPartPhrase(pointer));
    return joined(parts, "=");
}

std::string axisValueText(const Json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string pointName(const Json& point, std::string_view between) {
    return pointPhrase(point, between).text();
}

Phrase pointPhrase(const Json& point, std::string_view between) {
    std::vector<Phrase> parts;
    for (const auto& [axis, value] : point.items())
        parts.push_back(together(axisPhrase(axis), "=" + axisValueText(value)));
    return joined(parts, std::string(between));
}

} // namespace heteroscope
