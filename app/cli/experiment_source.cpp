// SPDX-License-Identifier: Apache-2.0
#include "app/cli/experiment_source.h"

#include "app/cli/confinement.h"
#include "app/cli/network_files.h"
#include "app/cli/output_streams.h"
#include "compute/base/file_kind.h"
#include "compute/base/printable.h"
#include "compute/experiment/spec/spec_json.h"
#include "profiling/io/utf8.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

namespace heteroscope::cli {
namespace {

using compute::SpecLimits;

Error tooLarge(const std::string& name) {
    return badInput(name, "larger than an experiment may be",
                    "at most " + std::to_string(SpecLimits::kMaxFileBytes) + " bytes");
}

Error cannotRead(const std::string& name) {
    return systemRefusal(ErrorCode::BadInput, name, "cannot be read", errno, "a readable JSON file");
}

struct Descriptor {
    int fd;
    ~Descriptor() {
        if (fd >= 0)
            ::close(fd);
    }
};

Result<std::string> readAll(int fd, const std::string& name) {
    std::string text;
    std::string block(1 << 16, '\0');
    while (true) {
        const ssize_t count = ::read(fd, block.data(), block.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return cannotRead(name);
        if (count == 0)
            return text;
        text.append(block, 0, static_cast<std::size_t>(count));
        if (text.size() > SpecLimits::kMaxFileBytes)
            return tooLarge(name);
    }
}

Result<std::string> readExperimentFile(const std::string& path) {
    if (const Status status = requireRegularFile(path, "a readable JSON file, or - for standard input");
        !status)
        return status.error();
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.fd < 0)
        return cannotRead(path);
    struct stat info {};
    if (::fstat(file.fd, &info) == 0 && S_ISREG(info.st_mode) &&
        static_cast<std::size_t>(info.st_size) > SpecLimits::kMaxFileBytes)
        return tooLarge(path);
    return readAll(file.fd, path);
}

Status applyTargets(Json& document, const std::vector<std::string>& targets) {
    Json list = Json::array();
    for (const std::string& text : targets) {
        const auto target = compute::parseTarget(text);
        if (!target)
            return target.error();
        list.push_back(target->text());
    }
    if (!list.empty())
        document["targets"] = list;
    return {};
}

/// A preset on the command line brings its own numbers of samples and processes with it.
void applySampling(Json& document, const ExperimentSource& source) {
    if (source.preset.empty() && source.samples == 0 && source.processes == 0)
        return;
    if (!document.contains("sampling") || !document["sampling"].is_object())
        document["sampling"] = Json::object();
    Json& sampling = document["sampling"];
    if (!source.preset.empty()) {
        sampling["preset"] = source.preset;
        sampling.erase("samples");
        sampling.erase("processes");
    }
    if (source.samples > 0)
        sampling["samples"] = source.samples;
    if (source.processes > 0)
        sampling["processes"] = source.processes;
}

Error at(const std::string& name, Error error) {
    error.where = error.where.empty() ? name : name + ": " + error.where;
    return error;
}

std::string displayName(const ExperimentSource& source) {
    return source.path == "-" ? "standard input" : source.path;
}

/// Which one it is; an argument may be of any length.
std::string nameOfSet(const std::string& assignment) {
    constexpr std::size_t kMostOfArgument = 200;
    return "--set " + shortened(assignment, kMostOfArgument);
}

Status applyChanges(Json& document, const ExperimentSource& source) {
    if (const Status status = applyTargets(document, source.targets); !status)
        return at("--target", status.error());
    applySampling(document, source);
    for (const std::string& given : source.overrides) {
        const std::string assignment = profiling::validUtf8(given); // as a text it goes into files and tables
        if (const Status status = compute::applyOverride(document, assignment); !status)
            return at(nameOfSet(assignment), status.error());
    }
    for (const std::string& given : source.everyTask ? std::vector<std::string>() : source.overrides) {
        const std::string assignment = profiling::validUtf8(given);
        if (const Status status = compute::checkOverrideEffect(document, assignment); !status)
            return at(nameOfSet(assignment), status.error());
    }
    return {};
}

Result<StdinText> readText(const ExperimentSource& source) {
    if (source.path == "-")
        return readStdin(!source.inputStaysOpen);
    auto text = readExperimentFile(source.path);
    if (!text)
        return text.error();
    return StdinText{std::move(*text), {}, {}};
}

Result<ExperimentDocument> readJsonDocument(const ExperimentSource& source) {
    const std::string name = displayName(source);
    auto text = readText(source);
    if (!text)
        return text.error();
    auto document = compute::parseJsonText(text->experiment);
    if (!document)
        return at(name, document.error());
    if (!text->rest)
        return text->rest.error();
    if (const Status status = confineOnnx(source, *document); !status)
        return at(name, status.error());
    auto onnx = expandOnnx(*document, experimentDirectory(source));
    if (!onnx)
        return at(name, onnx.error());
    return ExperimentDocument{std::move(*document), std::move(*onnx), text->place};
}

Result<ExperimentDocument> readNetworkDocument(const ExperimentSource& source) {
    auto document = onnxDocument(source);
    if (!document)
        return document.error();
    return ExperimentDocument{std::move(*document), {}, {}}; // the source itself is the file
}

} // namespace

Result<ExperimentDocument> readDocument(const ExperimentSource& source) {
    if (const Status status = keepStreamsOff({source.path == "-" ? "/dev/stdin" : source.path}); !status)
        return status.error();
    if (!source.directory.empty() && !source.directoryMayBeGone)
        if (const auto folder = givenFolder("--directory", source.directory); !folder)
            return folder.error();
    auto document = isOnnxFile(source.path) ? readNetworkDocument(source) : readJsonDocument(source);
    if (!document ||
        !document->json.is_object()) // the check of experiments says what is wrong with the latter
        return document;
    if (const Status status = applyChanges(document->json, source); !status)
        return status.error();
    return document;
}

Result<std::filesystem::path> givenFolder(const std::string& option, const std::string& folder) {
    std::error_code failure;
    auto real = std::filesystem::canonical(folder, failure);
    const std::string message = "'" + folder + "' is no folder", allowed = "a folder that is there",
                      advice = "name another one, or leave the option out";
    const bool isFolder = !failure && std::filesystem::is_directory(real, failure);
    if (failure)
        return systemRefusal(ErrorCode::BadInput, option, message, failure.value(), allowed, advice);
    if (!isFolder)
        return badInput(option, message, allowed, advice);
    return real;
}

std::string experimentDirectory(const ExperimentSource& source) {
    if (!source.directory.empty() || source.path == "-")
        return source.directory;
    return std::filesystem::path(source.path).parent_path().string();
}

Result<compute::ExperimentSpec> documentSpec(const ExperimentDocument& document,
                                             const ExperimentSource& source) {
    auto spec = compute::specFromJson(document.json, experimentDirectory(source));
    if (!spec)
        return spec;
    spec->network.onnx = document.onnx;
    if (const Status status = confineExperiment(source, *spec); !status)
        return status.error();
    return spec;
}

Result<compute::ExperimentSpec> readExperiment(const ExperimentSource& source, RestOfStdin* rest) {
    const auto document = readDocument(source);
    if (!document)
        return document.error();
    if (rest != nullptr)
        *rest = document->rest;
    auto spec = documentSpec(*document, source);
    if (!spec)
        return at(displayName(source), spec.error());
    if (const Status status = readWeights(*spec); !status)
        return status.error();
    return spec;
}

} // namespace heteroscope::cli
