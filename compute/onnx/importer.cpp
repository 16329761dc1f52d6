// SPDX-License-Identifier: Apache-2.0
#include "compute/onnx/importer.h"

#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/layers/layer_rules.h"
#include "compute/model/network.h"

#include <algorithm>
#include <set>

namespace heteroscope::compute {
namespace {

/// As layers may be called: exporters write "/layer1/layer1.0/conv1/Conv".
std::string cleanName(std::string text, const std::string& operatorType) {
    for (char& c : text)
        if (c == '/' || c == '\\' || c == ':' || static_cast<unsigned char>(c) < 0x20)
            c = '.';
    if (const std::size_t last = text.rfind('.');
        !operatorType.empty() && last != std::string::npos && last > 0 &&
        text.compare(last + 1, operatorType.size(), operatorType) == 0)
        text.resize(last);
    const std::size_t first = text.find_first_not_of('.');
    text = first == std::string::npos ? "" : text.substr(first);
    return text.size() <= kMaxLayerName / 2 ? text : "";
}

/// "conv1" of "conv1.weight": what the modules of a framework are called.
std::string moduleOf(const std::string& tensor) {
    const std::size_t end = tensor.size() < 8 ? std::string::npos : tensor.rfind(".weight");
    return end == std::string::npos || end + 7 != tensor.size() ? std::string() : tensor.substr(0, end);
}

std::vector<std::int64_t> inputSizes(const Activation& input) {
    if (input.row)
        return {input.shape.c};
    return {input.shape.c, input.shape.h, input.shape.w};
}

Status checkValues(const NodeView& node, const LayerType& type, const Json& values) {
    Findings findings;
    for (const Parameter& parameter : type.parameters)
        if (!values.at(parameter.key).is_null())
            checkParameterValue(parameter, values.at(parameter.key), parameter.key, findings);
    if (!findings.hasErrors())
        return {};
    const Diagnostic& first = findings.all().front();
    return node.refuse("as a layer of the type " + type.id + ", " + first.pointer +
                           " is out of range: " + first.message,
                       first.allowed);
}

} // namespace

std::string imageText(const Shape4& shape) {
    return std::to_string(shape.c) + "x" + std::to_string(shape.h) + "x" + std::to_string(shape.w);
}

Result<OnnxModel> Importer::run() {
    countReaders();
    for (const auto step :
         {&Importer::takeInitializers, &Importer::takeInput, &Importer::takeNodes, &Importer::takeOutput})
        if (const Status status = (this->*step)(); !status)
            return status.error();
    return std::move(m_model);
}

void Importer::countReaders() {
    for (const onnx::NodeProto& node : m_graph.node())
        for (const std::string& input : node.input())
            ++m_readers[input];
    for (const onnx::ValueInfoProto& output : m_graph.output())
        ++m_readers[output.name()];
}

Status Importer::takeInitializers() {
    if (m_graph.sparse_initializer_size() > 0)
        return badInput(m_file, "the graph has sparse tensors", "dense tensors");
    for (const onnx::TensorProto& tensor : m_graph.initializer())
        if (!m_values.emplace(tensor.name(), Constant{&tensor}).second)
            return badInput(m_file, "two tensors are called '" + tensor.name().substr(0, 200) + "'");
    return {};
}

Status Importer::takeInput() {
    const onnx::ValueInfoProto* found = nullptr;
    for (const onnx::ValueInfoProto& input : m_graph.input()) {
        if (m_values.contains(input.name()))
            continue; // before version 4 of the format every initializer is listed as an input, too
        if (found != nullptr)
            return badInput(m_file, "the graph has more than one input", "one input");
        found = &input;
    }
    if (found == nullptr)
        return badInput(m_file, "the graph has no input", "one input");
    const std::string place = m_file + ", input '" + found->name().substr(0, 200) + "'";
    const auto& type = found->type().tensor_type();
    if (!found->type().has_tensor_type() || type.elem_type() != onnx::TensorProto::FLOAT)
        return badInput(place, "it is no tensor of float32 numbers", "float32");
    std::vector<std::int64_t> sizes = m_options.inputShape;
    if (type.shape().dim_size() > 0)
        m_model.batch = std::max<std::int64_t>(type.shape().dim(0).dim_value(), 0);
    for (int i = 1; m_options.inputShape.empty() && i < type.shape().dim_size(); ++i) {
        const std::int64_t size = type.shape().dim(i).dim_value();
        if (size < 1)
            return badInput(place, "size " + std::to_string(i + 1) + " is not fixed",
                            "sizes that are fixed, but for the batch",
                            "give the shape of one image as /network/input/shape");
        sizes.push_back(size);
    }
    if (sizes.size() != 1 && sizes.size() != 3)
        return badInput(place, "it has " + std::to_string(sizes.size() + 1) + " dimensions",
                        "[batch, channels, height, width] or [batch, features]");
    constexpr auto kMost = static_cast<std::int64_t>(1) << 20;
    if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 1 || size > kMost; }))
        return badInput(place, "its shape is " + listText(sizes), "sizes from 1 to " + std::to_string(kMost));
    Activation input{kInputName, {1, sizes[0], 1, 1}, {}, sizes.size() == 1};
    if (!input.row)
        input.shape = {1, sizes[0], sizes[1], sizes[2]};
    m_model.network.input = inputSizes(input);
    m_values[found->name()] = input;
    return {};
}

Status Importer::takeNodes() {
    for (int i = 0; i < m_graph.node_size(); ++i) {
        NodeView node(m_graph.node(i), static_cast<std::size_t>(i), m_file, m_opset);
        if (const Status status = importNode(*this, node); !status)
            return status;
    }
    return {};
}

Status Importer::takeOutput() {
    if (m_graph.output_size() != 1)
        return badInput(m_file, "the graph has " + std::to_string(m_graph.output_size()) + " outputs",
                        "one output", "export the model without its other outputs");
    const std::string& name = m_graph.output(0).name();
    const auto found = m_values.find(name);
    const auto* output = found == m_values.end() ? nullptr : std::get_if<Activation>(&found->second);
    const std::string place = placeOfValue(name), shown = "the output '" + name.substr(0, 200) + "'";
    if (found == m_values.end())
        return badInput(place, "no node computes it, and it is " + shown, "the output of a node");
    if (output == nullptr)
        return badInput(place, shown + " does not depend on the model's input", "the output of a layer");
    if (!(output->padding == Padding2d{}))
        return badInput(place, shown + " is what a Pad put zeros around",
                        "a Conv or AveragePool behind a Pad");
    if (output->channelsLast)
        return badInput(place, shown + " is an image whose channels a Transpose put last",
                        "a Transpose [0, 3, 1, 2] behind it");
    if (output->layer == kInputName)
        return badInput(place, shown + " is the model's input: nothing is computed", "the output of a layer");
    if (!output->row && m_rows.contains(output->layer))
        m_model.notes.push_back(shown + " has the shape [batch, " + std::to_string(output->shape.c) +
                                "] here: it is not spread to four dimensions");
    if (const Status status = checkDeclaredShape(place, *output); !status)
        return status;
    dropUnread(output->layer);
    Findings findings;
    checkLayers(networkJson(m_model.network).at("layers"), "/network/layers", findings);
    if (findings.hasErrors()) {
        const Diagnostic& first = findings.all().front();
        return badInput(m_file, "as a network, " + first.pointer + ": " + first.message, first.allowed);
    }
    const Network network = resolveNetwork(m_model.network, {});
    if (const Error* error = network.firstError())
        return badInput(m_file, "as a network, " + error->where + ": " + error->message, error->allowed);
    return {};
}

/// A shape that the file gives its output, where it does, is the one that the layers give it.
Status Importer::checkDeclaredShape(const std::string& place, const Activation& output) const {
    const auto& type = m_graph.output(0).type().tensor_type();
    if (!m_graph.output(0).type().has_tensor_type() || !type.has_shape() || type.shape().dim_size() == 0)
        return {};
    std::vector<std::int64_t> computed{output.shape.c};
    if (!output.row)
        computed.insert(computed.end(), {output.shape.h, output.shape.w});
    const auto& declared = type.shape();
    bool same = declared.dim_size() == static_cast<int>(computed.size()) + 1;
    for (int i = 1; same && i < declared.dim_size(); ++i)
        same = !declared.dim(i).has_dim_value() || !m_options.inputShape.empty() ||
               declared.dim(i).dim_value() == computed[static_cast<std::size_t>(i) - 1];
    if (same)
        return {};
    std::vector<std::int64_t> shown;
    for (int i = 1; i < declared.dim_size(); ++i)
        shown.push_back(declared.dim(i).dim_value());
    return badInput(place,
                    "the file says that an image gives " + listText(shown) + ", its operators give " +
                        listText(computed),
                    "the shape that the operators give", "export the model again");
}

std::string Importer::placeOfValue(const std::string& value) const {
    for (int i = 0; i < m_graph.node_size(); ++i)
        for (const std::string& output : m_graph.node(i).output())
            if (output == value)
                return NodeView(m_graph.node(i), static_cast<std::size_t>(i), m_file, m_opset).where();
    return m_file + ", value '" + value.substr(0, 200) + "'";
}

/// Layers that the output does not need; the others stay in their order, so that the output is the last.
void Importer::dropUnread(const std::string& output) {
    std::set<std::string> needed{output};
    auto& layers = m_model.network.layers;
    for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        if (needed.contains(layer->name))
            needed.insert(layer->inputs.begin(), layer->inputs.end());
    const auto unread = [&](const LayerSpec& layer) { return !needed.contains(layer.name); };
    for (const LayerSpec& layer : layers) {
        if (!unread(layer))
            continue;
        m_model.notes.push_back("the output does not depend on \"" + layer.name + "\", which is left out");
        std::erase_if(m_model.weights,
                      [&](const auto& entry) { return entry.first.starts_with(layer.name + "."); });
    }
    std::erase_if(layers, unread);
}

Result<GraphValue> Importer::value(const NodeView& node, std::size_t input) const {
    if (!node.hasInput(input))
        return node.refuse("input " + std::to_string(input + 1) + " is missing");
    const auto found = m_values.find(node.input(input));
    if (found == m_values.end())
        return node.refuse("it reads '" + node.input(input).substr(0, 200) +
                           "', which no earlier node computes");
    return found->second;
}

bool Importer::isActivation(const NodeView& node, std::size_t input) const {
    const auto found = value(node, input);
    return found && std::holds_alternative<Activation>(*found);
}

Result<Activation> Importer::activation(const NodeView& node, std::size_t input) const {
    auto found = paddedActivation(node, input);
    if (found && !(found->padding == Padding2d{}))
        return node.refuse("it reads what a Pad put zeros around", "a Conv or AveragePool behind a Pad");
    return found;
}

Result<Activation> Importer::paddedActivation(const NodeView& node, std::size_t input) const {
    auto found = laidOutActivation(node, input);
    if (found && found->channelsLast)
        return node.refuse("it reads an image whose channels a Transpose put last",
                           "a LayerNormalization of axis -1, and a Transpose [0, 3, 1, 2] behind it");
    return found;
}

Result<Activation> Importer::laidOutActivation(const NodeView& node, std::size_t input) const {
    const auto found = value(node, input);
    if (!found)
        return found.error();
    if (const auto* activation = std::get_if<Activation>(&*found))
        return *activation;
    return node.refuse("input " + std::to_string(input + 1) + " is a constant", "the output of a layer");
}

Result<NpyArray> Importer::floats(const NodeView& node, std::size_t input) const {
    const auto found = value(node, input);
    if (!found)
        return found.error();
    if (const auto* constant = std::get_if<Constant>(&*found))
        return readFloats(*constant, m_file);
    return node.refuse("input " + std::to_string(input + 1) + " depends on the model's input",
                       "numbers that the file fixes: an initializer or a Constant");
}

Result<std::vector<std::int64_t>> Importer::wholes(const NodeView& node, std::size_t input) const {
    const auto found = value(node, input);
    if (!found)
        return found.error();
    if (const auto* wholes = std::get_if<Wholes>(&*found))
        return wholes->values;
    if (const auto* constant = std::get_if<Constant>(&*found))
        return readWholes(*constant->tensor, m_file);
    return node.refuse("input " + std::to_string(input + 1) + " depends on the model's input",
                       "whole numbers that the file fixes, or that come from a Shape");
}

Status Importer::setOutput(const NodeView& node, GraphValue value) {
    if (node.outputs() == 0 || node.output(0).empty())
        return node.refuse("it has no output");
    if (!m_values.emplace(node.output(0), std::move(value)).second)
        return node.refuse("its output '" + node.output(0).substr(0, 200) + "' is already there");
    return {};
}

std::string Importer::freeName(const std::string& wanted, const char* type) {
    const std::string stem = wanted.empty() || wanted == kInputName
                                 ? std::string(type) + std::to_string(m_layers.size() + 1)
                                 : wanted;
    std::string name = stem;
    for (int number = 2; m_layers.contains(name); ++number)
        name = stem + "_" + std::to_string(number);
    return name;
}

Status Importer::addLayer(const NodeView& node, LayerRequested asked) {
    const auto output = makeLayer(node, std::move(asked));
    if (!output)
        return output.error();
    if (node.outputs() > 0)
        m_ownOutputs[output->layer] = node.output(0);
    return setOutput(node, *output);
}

Result<Activation> Importer::makeLayer(const NodeView& node, LayerRequested asked) {
    const LayerType& type = *findLayerType(asked.type);
    if (asked.inputs.size() < type.minInputs || asked.inputs.size() > type.maxInputs)
        return node.refuse("it has " + std::to_string(asked.inputs.size()) + " inputs",
                           std::to_string(type.minInputs) + " to " + std::to_string(type.maxInputs));
    if (m_model.network.layers.size() >= kMaxLayers)
        return node.refuse("the network has more layers than this program reads",
                           "at most " + std::to_string(kMaxLayers));
    const Json values = layerValues(asked.values, type);
    if (const Status status = checkValues(node, type, values); !status)
        return status.error();
    std::vector<Shape4> shapes;
    LayerSpec layer{{}, type.id, values, {}};
    for (const Activation& input : asked.inputs) {
        shapes.push_back(input.shape);
        layer.inputs.push_back(input.layer);
    }
    const auto lowering = findLayerRule(type.id)({type.id, LayerValues(layer.values), shapes});
    if (!lowering)
        return node.refuse(lowering.error().message, lowering.error().allowed, lowering.error().advice);
    if (!lowering->output.bytes())
        return node.refuse("its output does not fit 63 bits of bytes");
    std::string hint = cleanName(moduleOf(asked.nameHint), {});
    if (hint.empty() || m_layers.contains(hint))
        hint = cleanName(node.name(), node.type());
    layer.name = freeName(hint, type.id.c_str());
    if (const Status status = checkTensors(node, *lowering, asked.tensors); !status)
        return status.error();
    for (auto& [name, array] : asked.tensors)
        m_model.weights[layer.name + "." + name] = std::move(array);
    const bool row = asked.inputs.front().row || type.id == "flatten" || type.id == "dense";
    m_layers[layer.name] = m_model.network.layers.size();
    Activation output{layer.name, lowering->output, {}, row};
    if (row)
        m_rows.insert(layer.name);
    m_model.network.layers.push_back(std::move(layer));
    return output;
}

Status Importer::checkTensors(const NodeView& node, const LayerLowering& lowering,
                              const NamedTensors& tensors) {
    std::map<std::string, std::vector<std::int64_t>> wanted;
    for (const ParameterTensor& parameter : lowering.parameters)
        wanted[parameter.name] = parameter.dims;
    for (const StateTensor& state : lowering.states)
        wanted[state.name] = state.dims;
    for (const auto& [name, array] : tensors)
        if (array.shape != wanted[name])
            return node.refuse(name + " has the shape " + listText(array.shape), listText(wanted[name]));
    return {};
}

Status Importer::addBias(const NodeView& node, std::size_t layerInput, NpyArray bias) {
    const auto activation = this->activation(node, layerInput);
    if (!activation)
        return activation.error();
    const auto found = m_layers.find(activation->layer);
    const Error refusal = node.refuse(
        "it adds a constant that is no layer's bias",
        "the sum of layers, or a bias right after a Conv or MatMul without one, of one number a channel");
    if (found == m_layers.end())
        return refusal;
    LayerSpec& layer = m_model.network.layers[found->second];
    const auto own = m_ownOutputs.find(layer.name);
    const bool alone =
        own != m_ownOutputs.end() && own->second == node.input(layerInput) && m_readers.at(own->second) == 1;
    const bool takesBias =
        (layer.type == "dense" || layer.type == "conv2d") && layer.values.at("bias") == false;
    const std::int64_t channels = activation->shape.c;
    const std::size_t after = activation->row ? 0 : 2; // dimensions behind the channels
    std::vector<std::int64_t> shape = bias.shape;
    for (std::size_t i = 0; i < after && !shape.empty() && shape.back() == 1; ++i)
        shape.pop_back();
    const bool behind = bias.shape.size() == shape.size() + after;
    while (shape.size() > 1 && shape.front() == 1)
        shape.erase(shape.begin());
    if (!alone || !takesBias || !behind || shape != std::vector<std::int64_t>{channels})
        return refusal;
    bias.shape = {channels};
    layer.values["bias"] = true;
    m_model.weights[layer.name + ".bias"] = std::move(bias);
    return setOutput(node, *activation);
}

} // namespace heteroscope::compute
