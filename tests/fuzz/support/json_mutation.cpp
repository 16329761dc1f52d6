// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/json_mutation.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace heteroscope::fuzz {
namespace {

constexpr std::size_t kMostValues = 4000; ///< beyond that a document only shrinks

Json* valueAt(Json& value, std::size_t& place) {
    if (place == 0)
        return &value;
    --place;
    if (value.is_structured())
        for (Json& inner : value)
            if (Json* const found = valueAt(inner, place))
                return found;
    return nullptr;
}

Json& randomValue(Json& document, Random& random) {
    std::size_t place = random.below(countValues(document));
    Json* const found = valueAt(document, place);
    return found ? *found : document;
}

Json wordOrEdge(const JsonWords& words, Random& random) {
    return words.values.empty() || random.oneIn(3) ? edgeNumber(random) : random.of(words.values);
}

void changeNumber(Json& value, Random& random) {
    const double number = value.get<double>();
    if (random.oneIn(2) || !(std::abs(number) < 1e15))
        value = edgeNumber(random);
    else if (value.is_number_integer())
        value = value.get<std::int64_t>() + static_cast<std::int64_t>(random.below(5)) - 2;
    else
        value = number * (random.oneIn(2) ? 2.0 : -0.5);
}

void changeText(Json& value, Random& random) {
    auto text = value.get<std::string>();
    switch (random.below(5)) {
    case 0:
        text.resize(random.below(text.size() + 1));
        break;
    case 1:
        text += random.oneIn(2) ? "=1" : "/0";
        break;
    case 2:
        text.append(1 + random.below(300), 'x');
        break;
    case 3:
        if (!text.empty())
            text[random.below(text.size())] = static_cast<char>(' ' + random.below(95));
        break;
    default:
        text += text;
        text.resize(std::min<std::size_t>(text.size(), 4096));
    }
    value = text;
}

void changeList(Json& value, const JsonWords& words, Random& random) {
    auto& list = value.get_ref<Json::array_t&>();
    if (list.empty() || random.oneIn(6)) {
        list.push_back(wordOrEdge(words, random));
        return;
    }
    const auto place = list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size()));
    switch (random.below(4)) {
    case 0:
        list.erase(place);
        break;
    case 1:
        std::iter_swap(place, list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size())));
        break;
    case 2: {
        const Json copy = *place;
        list.insert(place, copy);
        break;
    }
    default: {
        const Json copy = *place;
        if (countValues(copy) < 40)
            list.insert(place, 1 + random.below(20), copy);
    }
    }
}

void changeMap(Json& value, const JsonWords& words, Random& random) {
    if (!value.empty() && random.oneIn(2)) {
        auto place = value.begin();
        std::advance(place, static_cast<std::ptrdiff_t>(random.below(value.size())));
        const Json moved = place.value();
        value.erase(place);
        if (!words.keys.empty() && random.oneIn(3))
            value[random.of(words.keys)] = moved;
    } else if (!words.keys.empty()) {
        value[random.of(words.keys)] = wordOrEdge(words, random);
    }
}

/// A column of numbers: one of them to an edge of its type, or another length.
void changeColumn(Json& value, Random& random) {
    auto& bytes = value.get_binary();
    const std::size_t width = std::size_t{1} << random.below(4);
    if (bytes.size() < width || random.oneIn(6)) {
        bytes.resize(std::min<std::size_t>(bytes.size() + width * random.below(4), 1 << 16));
        if (random.oneIn(2))
            bytes.resize(bytes.size() / 2);
        return;
    }
    static constexpr std::uint64_t kEdges[] = {0,
                                               1,
                                               2,
                                               0x7f,
                                               0x7fff,
                                               0x7fffffff,
                                               0x7fffffffffffffff,
                                               0x8000000000000000,
                                               0xffffffffffffffff,
                                               0xfffffffffffffffe,
                                               0x4000000000000000,
                                               0x7ff0000000000000,
                                               0x7ff8000000000000,
                                               0xffffffff00000000,
                                               1000,
                                               1000000000};
    std::uint64_t number = kEdges[random.below(std::size(kEdges))];
    std::uint8_t* const at = bytes.data() + random.below(bytes.size() / width) * width;
    if (random.oneIn(3)) {
        number = 0;
        std::memcpy(&number, at, width);
        number += random.below(65) - 32;
    }
    std::memcpy(at, &number, width);
}

void changeValue(Json& value, const JsonWords& words, Random& random) {
    if (value.is_number())
        return changeNumber(value, random);
    if (value.is_string())
        return changeText(value, random);
    if (value.is_array())
        return changeList(value, words, random);
    if (value.is_object())
        return changeMap(value, words, random);
    if (value.is_binary())
        return changeColumn(value, random);
    if (value.is_boolean())
        value = !value.get<bool>();
    else
        value = wordOrEdge(words, random);
}

} // namespace

std::size_t countValues(const Json& document) {
    std::size_t count = 1;
    if (document.is_structured())
        for (const Json& inner : document)
            count += countValues(inner);
    return count;
}

Json edgeNumber(Random& random) {
    static const std::vector<Json> kEdges = {0,
                                             1,
                                             2,
                                             3,
                                             -1,
                                             7,
                                             64,
                                             255,
                                             256,
                                             65535,
                                             65536,
                                             65537,
                                             1048576,
                                             1048577,
                                             2147483647,
                                             2147483648,
                                             -2147483648,
                                             4294967295,
                                             4294967296,
                                             9007199254740993,
                                             std::numeric_limits<std::int64_t>::max(),
                                             std::numeric_limits<std::int64_t>::min(),
                                             std::numeric_limits<std::uint64_t>::max(),
                                             0.5,
                                             -0.0,
                                             1e-310,
                                             1e308,
                                             -1e308,
                                             1.0000000001,
                                             std::numeric_limits<double>::infinity(),
                                             std::numeric_limits<double>::quiet_NaN()};
    return random.of(kEdges);
}

void mutateJson(Json& document, const JsonWords& words, Random& random) {
    Json& value = randomValue(document, random);
    if (countValues(document) > kMostValues && value.is_structured() && !value.empty())
        value.erase(value.begin());
    else if (random.oneIn(8))
        value = wordOrEdge(words, random);
    else if (random.oneIn(8))
        spliceJson(document, Json(document), random);
    else
        changeValue(value, words, random);
}

void spliceJson(Json& document, const Json& other, Random& random) {
    Json source = other;
    const Json piece = randomValue(source, random);
    if (countValues(piece) + countValues(document) <= kMostValues)
        randomValue(document, random) = piece;
}

} // namespace heteroscope::fuzz
