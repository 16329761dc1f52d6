// SPDX-License-Identifier: Apache-2.0
// The kinds of files that this program writes, told apart by how they begin. Pure; any thread.
#pragma once

#include "compute/base/output_file.h"

#include <optional>
#include <string_view>

namespace heteroscope {

/// RunFile is known to profiling/stream, which writes them: profiling::runFileRules().
enum class OutputKind {
    RunFile,
    Results,
    Csv,
    Archive,
    ChromeTrace,
    Onnx,
    Experiment,
    Summary,
    Png,
    Svg,
    Pdf,
    Report
};

/// The kind of a file that begins with `head` (kOutputHeadBytes of it); nothing when it may be anything.
std::optional<OutputKind> outputKindOf(std::string_view head);

/// "results as JSON": the kind, and how a file of it is known. For RunFile neither.
OutputRules rulesOfKind(OutputKind kind);

} // namespace heteroscope
