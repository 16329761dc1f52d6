// SPDX-License-Identifier: Apache-2.0
// heteroscope-cli self-test: does this installation work, and what can this machine do.
#include "app/cli/module_loader.h"
#include "app/cli/output.h"
#include "app/cli/self_test.h"
#include "app/cli/verbs.h"
#include "compute/base/clock.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace heteroscope::cli {
namespace {

namespace fs = std::filesystem;

struct SelfTestArguments {
    bool json = false;
    std::string keep; ///< folder for the run files; empty: one that goes when the test is over
};

/// Where the run files are written.
class RunFolder {
  public:
    static Result<std::unique_ptr<RunFolder>> make(const std::string& keep) {
        std::error_code failure;
        if (!keep.empty()) {
            fs::create_directories(keep, failure);
            std::error_code ignored;
            const std::string message = "the folder '" + keep + "' cannot be made",
                              advice = "choose a folder that you may write to";
            if (failure && !fs::is_directory(keep, ignored))
                return systemRefusal(ErrorCode::BadInput, "--keep", message, failure.value(), {}, advice);
            if (!fs::is_directory(keep, ignored))
                return badInput("--keep", message + ": there is something else of that name", {}, advice);
            return std::unique_ptr<RunFolder>(new RunFolder(keep, false));
        }
        std::string name = (fs::temp_directory_path(failure) / "heteroscope-self-test-XXXXXX").string();
        if (failure || ::mkdtemp(name.data()) == nullptr)
            return systemRefusal(ErrorCode::Io, name, "no temporary folder can be made",
                                 failure ? failure.value() : errno, {},
                                 "set TMPDIR to a folder that you may write to");
        return std::unique_ptr<RunFolder>(new RunFolder(name, true));
    }
    ~RunFolder() {
        std::error_code ignored;
        if (m_temporary)
            fs::remove_all(m_path, ignored);
    }
    RunFolder(const RunFolder&) = delete;
    RunFolder& operator=(const RunFolder&) = delete;
    const fs::path& path() const { return m_path; }

  private:
    RunFolder(fs::path path, bool temporary) : m_path(std::move(path)), m_temporary(temporary) {}

    fs::path m_path;
    bool m_temporary;
};

ExitCode selfTest(const SelfTestArguments& arguments) {
    const std::int64_t start = steadyNowNs();
    const auto folder = RunFolder::make(arguments.keep);
    if (!folder)
        return reportError(folder.error());
    const auto devices = makeRegistry().devices();
    SelfTest test;
    checkMachine(devices, test);
    checkStudies(devices, (*folder)->path(), test);
    test.seconds = static_cast<double>(steadyNowNs() - start) * 1e-9;
    const ExitCode written =
        reportStatus(arguments.json ? printJson(selfTestJson(test)) : writeStdout(selfTestText(test)));
    return test.passed() ? written : ExitCode::RunFailed;
}

std::function<ExitCode()> defineSelfTest(CLI::App& app) {
    const auto arguments = std::make_shared<SelfTestArguments>();
    app.add_flag("--json", arguments->json, "machine-readable");
    app.add_option("--keep", arguments->keep, "leave the run files in this folder")->type_name("FOLDER");
    return [arguments] { return selfTest(*arguments); };
}

} // namespace

Verb selfTestVerb() {
    return {
        "self-test", "whether this installation works, and what this machine can do",
        "Says what this machine has: processor, devices, implementations, the right to record a GPU; what "
        "is\n"
        "missing is listed with the reason and is no failure. Runs a short study of each kind on every\n"
        "implementation that is there, each kind in a process of its own, compares the results with those "
        "of\n"
        "cpu/sequential, and reads the run files back. Takes less than 10 s on two cores.\n\n"
        "The exit code is 0 when nothing failed. heteroscope --self-test also tests the window.",
        "heteroscope-cli self-test\nheteroscope-cli self-test --json\nheteroscope-cli self-test --keep runs",
        defineSelfTest};
}

} // namespace heteroscope::cli
