// SPDX-License-Identifier: Apache-2.0
// The option --memory-limit of the verbs that read files.
#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace heteroscope::cli {

/// What the option means to verbs that only read.
inline constexpr const char* kReadingLimit = "refuse files that need more memory than this to be read, e.g. "
                                             "512MiB; default: a quarter of what is free";

/// Adds --memory-limit: bytes, or with KiB, MiB, GiB, TiB, also written KB ... TB. Given, it is the limit of
/// every MemoryBudget and it is written to `*bytes`, which outlives `app` and may be null. Anything else is
/// refused as wrong usage.
void addMemoryLimit(CLI::App& app, const std::string& description, std::int64_t* bytes = nullptr);

} // namespace heteroscope::cli
