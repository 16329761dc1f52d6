// SPDX-License-Identifier: Apache-2.0
#include "app/cli/memory_limit.h"

#include "compute/base/memory_budget.h"

#include <CLI/CLI.hpp>

namespace heteroscope::cli {

void addMemoryLimit(CLI::App& app, const std::string& description, std::int64_t* bytes) {
    app.add_option_function<std::string>(
           "--memory-limit",
           [bytes](const std::string& text) {
               const auto limit = parseMemoryLimit(text);
               if (!limit)
                   return; // the check below has refused it
               setMemoryLimit(*limit);
               if (bytes)
                   *bytes = *limit;
           },
           description)
        ->type_name("BYTES")
        ->check([](const std::string& text) {
            const auto limit = parseMemoryLimit(text);
            if (limit)
                return std::string();
            Error error = limit.error();
            error.where.clear(); // the parser of the command line names the option itself
            return error.sentence();
        });
}

} // namespace heteroscope::cli
