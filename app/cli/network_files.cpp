// SPDX-License-Identifier: Apache-2.0
#include "app/cli/network_files.h"

#include "app/cli/given_tensors.h"
#include "app/cli/output.h"
#include "compute/data/named_files.h"
#include "compute/data/npz.h"
#include "compute/exec/checkpoint_manifest.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/onnx/onnx_model.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

namespace heteroscope::cli {
namespace {

void say(const std::string& sentence) {
    writeStderr("heteroscope-cli: note: " + sentence + "\n");
}

void sayNotes(const compute::OnnxModel& model) {
    for (const std::string& note : model.notes)
        say(note);
}

/// What a training kept; a note says which of its states.
Result<compute::NamedArrays> readCheckpoint(const std::filesystem::path& file) {
    auto kept = compute::readKeptWeights(file);
    if (!kept)
        return kept.error();
    say("the weights are those of epoch " + std::to_string(kept->state.epoch) +
        (kept->isBest ? ", the best, " : ", the latest, ") + "in " + kept->state.file);
    return std::move(kept->arrays);
}

Result<compute::NamedArrays> readArrays(const std::filesystem::path& file) {
    if (compute::isCheckpointManifest(file.string()))
        return readCheckpoint(file);
    if (!isOnnxFile(file.string()))
        return compute::readNpz(file);
    auto model = compute::readOnnx(file);
    if (!model)
        return model.error();
    return std::move(model->weights);
}

std::vector<std::int64_t> shapeIn(const Json& network) {
    const auto input = network.find("input");
    if (input == network.end() || !input->is_object() || !input->contains("shape"))
        return {};
    std::vector<std::int64_t> shape;
    for (const Json& size : input->at("shape"))
        shape.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
    return shape;
}

} // namespace

bool isOnnxFile(const std::string& path) {
    return path.ends_with(".onnx");
}

Result<Json> onnxDocument(const ExperimentSource& source) {
    const auto model = compute::readOnnx(source.path);
    if (!model)
        return model.error();
    sayNotes(*model);
    const std::filesystem::path file(source.path);
    Json document = {{"heteroscope", 1},
                     {"kind", "network"},
                     {"name", file.stem().string()},
                     {"task", "infer"},
                     {"network", compute::networkJson(model->network)},
                     {"targets", {"cpu/sequential", "cpu/openmp", "cpu/onednn"}},
                     {"sampling", {{"preset", "standard"}}}};
    document["network"]["weights"] =
        source.directory.empty() ? file.filename().string() : std::filesystem::absolute(file).string();
    document["network"]["input"]["batch"] = std::max<std::int64_t>(model->batch, 1);
    return document;
}

Result<std::string> expandOnnx(Json& document, const std::string& directory) {
    const Json* found = document.is_object() && document.contains("network") ? &document["network"] : nullptr;
    if (found == nullptr || !found->is_object() || !found->contains("onnx"))
        return std::string();
    const Json file = found->at("onnx");
    if (!file.is_string())
        return badInput("/network/onnx", "found " + file.dump(-1, ' ', true, Json::error_handler_t::replace),
                        "the name of an ONNX file");
    if (found->contains("layers"))
        return badInput("/network/layers", "the layers are in the ONNX file as well", "one of the two",
                        "remove /network/layers, or give the file as /network/weights");
    const auto model =
        compute::readOnnx(compute::placedFile(directory, file.get<std::string>()), {shapeIn(*found)});
    if (!model) {
        Error error = model.error();
        error.where = "/network/onnx: " + error.where;
        return error;
    }
    sayNotes(*model);
    Json& network = document["network"];
    network.erase("onnx");
    Json read = compute::networkJson(model->network);
    network["layers"] = std::move(read["layers"]);
    if (!network.contains("input") || !network["input"].is_object())
        network["input"] = Json::object();
    network["input"]["shape"] = std::move(read["input"]["shape"]);
    if (!network.contains("weights"))
        network["weights"] = file;
    return file.get<std::string>();
}

namespace {

/// Of the experiment as it stands: an axis over the network's layers gives each point shapes of its own.
template <class Tensor>
Status checkShape(const compute::ExperimentSpec& spec, const std::string& layer, const Tensor& tensor) {
    const auto given = spec.network.training.weights->find(layer + "." + tensor.name);
    if (given == spec.network.training.weights->end() || given->second.shape == tensor.dims)
        return {};
    return badInput("/network/weights: " + spec.network.weights,
                    "its tensor '" + given->first + "' has the shape " + shapeText(given->second.shape),
                    shapeText(tensor.dims), "name the file that was made of this network");
}

Status checkShapes(const compute::ExperimentSpec& spec, const compute::Network& network) {
    for (const compute::NetworkLayer& layer : network.layers) {
        if (!layer.lowering)
            continue;
        for (const auto& parameter : layer.lowering->parameters)
            if (const Status status = checkShape(spec, layer.spec.name, parameter); !status)
                return status;
        for (const auto& state : layer.lowering->states)
            if (const Status status = checkShape(spec, layer.spec.name, state); !status)
                return status;
    }
    return {};
}

/// Over parts of it, over it as a whole, or over several (/networks).
bool hasAxisOverNetwork(const compute::ExperimentSpec& spec) {
    return std::any_of(spec.axes.begin(), spec.axes.end(), [](const compute::Axis& axis) {
        return axis.pointer.find("/network") != std::string::npos;
    });
}

} // namespace

Status readWeights(compute::ExperimentSpec& spec) {
    if (spec.kind != compute::ExperimentKind::Network || spec.network.weights.empty())
        return {};
    auto arrays = readArrays(compute::placedFile(spec.directory, spec.network.weights));
    if (!arrays) {
        Error error = arrays.error();
        error.where = "/network/weights: " + error.where;
        return error;
    }
    spec.network.training.weights = std::make_shared<const compute::NamedArrays>(std::move(*arrays));
    std::size_t given = 0, all = 0;
    const compute::Network network =
        compute::resolveNetwork(spec.network.network, compute::networkRequest(spec.network));
    for (const compute::NetworkLayer& layer : network.layers)
        for (std::size_t i = 0; layer.lowering && i < layer.lowering->parameters.size(); ++i, ++all)
            given += spec.network.training.weights->count(layer.spec.name + "." +
                                                          layer.lowering->parameters[i].name);
    if (given == 0 && all > 0)
        return badInput("/network/weights: " + spec.network.weights,
                        "it holds none of the network's " + std::to_string(all) + " weight tensors",
                        "arrays named as layers and their tensors, such as conv1.weight",
                        "name the file that was made of this network");
    if (!hasAxisOverNetwork(spec))
        if (const Status status = checkShapes(spec, network); !status)
            return status;
    if (given < all)
        say(std::to_string(all - given) + " of " + std::to_string(all) + " weight tensors are not in " +
            spec.network.weights + " and are drawn from the seed");
    return {};
}

Result<NetworkWeights> networkWeights(const compute::NetworkExperiment& experiment) {
    const compute::Network network =
        compute::resolveNetwork(experiment.network, compute::networkRequest(experiment));
    if (const Error* error = network.firstError())
        return *error;
    NetworkWeights weights;
    const Status status =
        compute::forInitialState(network, experiment.training, [&](compute::InitialTensor tensor) {
            weights.of += tensor.isState ? 0 : 1;
            weights.drawn += tensor.isState || tensor.given ? 0 : 1;
            weights.arrays[tensor.name] = {std::move(tensor.dims), std::move(tensor.values)};
            return Status();
        });
    if (!status)
        return status.error();
    return weights;
}

} // namespace heteroscope::cli
