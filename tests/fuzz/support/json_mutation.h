// SPDX-License-Identifier: Apache-2.0
// Changes one place of a JSON document, whatever it means: numbers to the edges of their types, other values
// and keys, pieces of the document elsewhere, doubled and dropped parts, columns of numbers. One thread.
#pragma once

#include "compute/base/json.h"
#include "tests/fuzz/support/random_choice.h"

#include <string>
#include <vector>

namespace heteroscope::fuzz {

/// What is put in: keys and values that mean something to the reader.
struct JsonWords {
    std::vector<std::string> keys;
    std::vector<Json> values;
};

void mutateJson(Json& document, const JsonWords& words, Random& random);

/// Puts a piece of another document into this one.
void spliceJson(Json& document, const Json& other, Random& random);

/// A number at the edge of what some type holds, or a small one.
Json edgeNumber(Random& random);

/// How many values a document has, itself and all inside.
std::size_t countValues(const Json& document);

} // namespace heteroscope::fuzz
