// SPDX-License-Identifier: Apache-2.0
// Any bytes as a table; the first one chooses the options. What is read has the sizes it says.
#include "compute/data/csv.h"

#include <cmath>
#include <cstdlib>

using namespace heteroscope::compute;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    CsvOptions options;
    options.separator = ",;\t "[data[0] & 3];
    options.header = (data[0] & 4) != 0;
    options.classes = (data[0] & 8) != 0;
    options.target = (data[0] & 16) != 0 ? "1" : "";
    const auto table = parseCsv({reinterpret_cast<const char*>(data) + 1, size - 1}, options, "fuzz");
    if (!table)
        return table.error().where.empty() ? (std::abort(), 0) : 0;
    if (table->rows < 1 || static_cast<std::int64_t>(table->targets.size()) != table->rows ||
        static_cast<std::int64_t>(table->values.size()) != table->rows * table->features)
        std::abort();
    for (const float target : table->targets)
        if (!std::isfinite(target) ||
            (options.classes && !(target >= 0 && target < static_cast<float>(table->classNames.size()))))
            std::abort();
    return 0;
}
