// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli version: the program's version, the stream's, and how it was built.
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "compute/onnx/onnx_model.h"
#include "profiling/stream/frame.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace heteroscope::cli {
namespace {

#ifdef NDEBUG
constexpr bool kAssertions = false;
#else
constexpr bool kAssertions = true;
#endif

std::string onnxText() {
    const std::string reason = compute::onnxUnavailableReason();
    return reason.empty() ? "operator sets " + std::to_string(compute::kOldestOnnxOpset) + " to " +
                                std::to_string(compute::kNewestOnnxOpset)
                          : "not available: " + reason;
}

Json versionRecord() {
    return {{"program", "heteroscope-cli"},
            {"version", HETEROSCOPE_VERSION},
            {"stream_format",
             std::to_string(profiling::kFormatMajor) + "." + std::to_string(profiling::kFormatMinor)},
            {"experiment_format", 1},
            {"onnx", onnxText()},
            {"compiler", __VERSION__},
            {"assertions", kAssertions}};
}

ExitCode printVersion(bool json) {
    const Json record = versionRecord();
    if (json)
        return reportStatus(printJson(record));
    return reportStatus(writeStdout("heteroscope-cli " + record["version"].get<std::string>() +
                                    "\nrun files: format " + record["stream_format"].get<std::string>() +
                                    "\nONNX files: " + record["onnx"].get<std::string>() +
                                    "\ncompiler: " + record["compiler"].get<std::string>() +
                                    (record["assertions"].get<bool>() ? ", assertions on" : "") + "\n"));
}

std::function<ExitCode()> defineVersion(CLI::App& app) {
    const auto json = std::make_shared<bool>(false);
    app.add_flag("--json", *json, "machine-readable");
    return [json] { return printVersion(*json); };
}

} // namespace

Verb versionVerb() {
    return {"version", "version of the program and of its file formats",
            "Prints the version of the program, of the run files it writes, and the compiler that built it.",
            "heteroscope-cli version\nheteroscope-cli version --json", defineVersion};
}

} // namespace heteroscope::cli
