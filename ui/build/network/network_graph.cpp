// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a document leniently and works out its shapes.
#include "ui/build/network/network_graph.h"

#include "compute/experiment/spec/network_json.h"
#include "ui/build/json_text.h"
#include "ui/common/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace heteroscope::ui {

namespace {

const char* const kLayers = "/network/layers";

std::string textAt(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool isError(const compute::Diagnostic& finding) {
    return finding.severity == compute::Diagnostic::Severity::Error;
}

/// Findings about the value at `pointer` or inside it.
std::vector<compute::Diagnostic> findingsAt(const std::string& pointer,
                                            const std::vector<compute::Diagnostic>& findings) {
    std::vector<compute::Diagnostic> own;
    for (const auto& finding : findings)
        if (finding.pointer == pointer || finding.pointer.starts_with(pointer + "/"))
            own.push_back(finding);
    return own;
}

std::vector<std::string> inputsOf(const Json& layer, const std::string& before) {
    const auto given = layer.find("inputs");
    if (given == layer.end())
        return {before};
    std::vector<std::string> inputs;
    if (given->is_array())
        for (const Json& input : *given)
            inputs.push_back(input.is_string() ? input.get<std::string>() : std::string());
    return inputs;
}

/// The values are as their parameters want them. An error of the whole layer stands at another pointer.
bool valuesAreGood(const Json& layer, const compute::LayerType& type) {
    compute::Findings findings;
    Json alone = Json::array({layer});
    alone[0].erase("inputs");
    alone[0]["name"] = "layer";
    if (type.minInputs > 1)
        alone[0]["inputs"] = std::vector<std::string>(type.minInputs, compute::kInputName);
    compute::checkLayers(alone, {}, findings);
    return !findings.hasErrors();
}

GraphNode readNode(const Json& layer, std::size_t index, const std::string& before) {
    GraphNode node;
    node.name = compute::layerName(layer, index);
    node.type = textAt(layer, "type");
    node.inputs = inputsOf(layer, before);
    const compute::LayerType* type = compute::findLayerType(node.type);
    node.typeLabel = type ? QCoreApplication::translate("Layer", type->label.c_str()) : fromStd(node.type);
    if (type) {
        node.group = fromStd(type->group);
        node.summary = layerSummary(node.type, compute::layerValues(layer, *type));
    }
    return node;
}

compute::LayerSpec specOf(const Json& layer, const GraphNode& node) {
    const compute::LayerType* type = compute::findLayerType(node.type);
    compute::LayerSpec spec{node.name, {}, Json::object(), node.inputs};
    if (type && valuesAreGood(layer, *type) && node.inputs.size() >= type->minInputs &&
        node.inputs.size() <= type->maxInputs) { // else its shape stays unknown
        spec.type = node.type;
        spec.values = compute::layerValues(layer, *type);
    }
    return spec;
}

compute::NetworkRequest requestOf(const Json& document) {
    const Json* task = valueAt(document, "/task");
    const bool infer = task && *task == "infer";
    const Json* batch = valueAt(document, infer ? "/network/input/batch" : "/training/batch");
    const std::int64_t fallback = infer ? 1 : compute::TrainingSpec().batch;
    compute::NetworkRequest request;
    request.batch = batch && batch->is_number_integer() ? batch->get<std::int64_t>() : fallback;
    request.mode = infer ? compute::NetworkMode::Infer : compute::NetworkMode::Train;
    return request;
}

std::vector<std::int64_t> inputSizes(const Json& document) {
    std::vector<std::int64_t> sizes;
    const Json* shape = valueAt(document, "/network/input/shape");
    if (shape && shape->is_array())
        for (const Json& size : *shape)
            sizes.push_back(size.is_number_integer() ? size.get<std::int64_t>() : 0);
    return sizes;
}

void addEdges(NetworkGraph& graph) {
    for (std::size_t i = 0; i < graph.layers.size(); ++i)
        for (std::size_t slot = 0; slot < graph.layers[i].inputs.size(); ++slot) {
            const int from = graph.indexOf(graph.layers[i].inputs[slot]);
            if (from >= kInputNode && from < static_cast<int>(i))
                graph.edges.push_back({from, static_cast<int>(i), slot});
        }
}

QString extentText(const Json& value) {
    if (!value.is_array())
        return value.is_number() ? QStringLiteral("%1×%1").arg(formatJsonValue(value)) : QString();
    QStringList parts;
    for (const Json& item : value)
        parts << formatJsonValue(item);
    return parts.join(QStringLiteral("×"));
}

QString shortText(const Json& value) {
    return value.is_array() ? extentText(value) : formatJsonValue(value);
}

} // namespace

bool GraphNode::isWrong() const {
    return std::any_of(findings.begin(), findings.end(), isError);
}

int NetworkGraph::indexOf(const std::string& name) const {
    if (name == compute::kInputName)
        return kInputNode;
    const auto found =
        std::find_if(layers.begin(), layers.end(), [&](const GraphNode& node) { return node.name == name; });
    return found == layers.end() ? -2 : static_cast<int>(found - layers.begin());
}

std::optional<compute::Shape4> NetworkGraph::outputOf(int node) const {
    return node == kInputNode ? input : layers[static_cast<std::size_t>(node)].output;
}

std::vector<int> NetworkGraph::readersOf(int node) const {
    std::vector<int> readers;
    for (const GraphEdge& edge : edges)
        if (edge.from == node && (readers.empty() || readers.back() != edge.to))
            readers.push_back(edge.to);
    return readers;
}

std::vector<int> NetworkGraph::sourcesOf(int node) const {
    std::vector<int> sources;
    for (const GraphEdge& edge : edges)
        if (edge.to == node)
            sources.push_back(edge.from);
    return sources;
}

NetworkGraph readGraph(const Json& document, const std::vector<compute::Diagnostic>& findings) {
    NetworkGraph graph;
    graph.inputFindings = findingsAt("/network/input", findings);
    compute::NetworkSpec spec;
    spec.input = inputSizes(document);
    const Json* layers = valueAt(document, kLayers);
    std::string before = compute::kInputName;
    for (std::size_t i = 0; layers && layers->is_array() && i < layers->size(); ++i) {
        const Json layer = (*layers)[i].is_object() ? (*layers)[i] : Json::object();
        graph.layers.push_back(readNode(layer, i, before));
        graph.layers.back().findings = findingsAt(std::string(kLayers) + "/" + std::to_string(i), findings);
        spec.layers.push_back(specOf(layer, graph.layers.back()));
        before = graph.layers.back().name;
    }
    const compute::Network network = compute::resolveNetwork(spec, requestOf(document));
    if (!network.inputError)
        graph.input = network.input;
    for (std::size_t i = 0; i < graph.layers.size(); ++i)
        if (const auto& lowering = network.layers[i].lowering) {
            graph.layers[i].output = lowering->output;
            graph.layers[i].identity = compute::layerIdentity(network, i);
            graph.layers[i].parameters = network.layers[i].parameterElements();
            graph.layers[i].multiplyAdds = lowering->multiplyAdds;
            graph.layers[i].outputBytes = static_cast<double>(lowering->output.bytes().value_or(0));
        }
    addEdges(graph);
    addBoxes(graph, document);
    return graph;
}

QString shapeText(const compute::Shape4& shape) {
    QStringList parts{countText(shape.n), countText(shape.c)};
    if (shape.h != 1 || shape.w != 1)
        parts << countText(shape.h) << countText(shape.w);
    return parts.join(QStringLiteral(" × "));
}

QString layerSummary(const std::string& type, const Json& values) {
    const auto has = [&](const char* key) { return values.contains(key) && !values.at(key).is_null(); };
    QStringList parts;
    if (has("filters"))
        parts << QCoreApplication::translate("Layer", "%1 filters").arg(shortText(values.at("filters")));
    if (has("units"))
        parts << QCoreApplication::translate("Layer", "%1 units").arg(shortText(values.at("units")));
    if (has("output"))
        parts << QCoreApplication::translate("Layer", "to %1").arg(extentText(values.at("output")));
    if (has("kernel"))
        parts << extentText(values.at("kernel"));
    if (has("kernel"))
        parts << QStringLiteral("s") + shortText(has("stride") ? values.at("stride") : values.at("kernel"));
    if (has("padding") && values.at("padding") != 0)
        parts << QStringLiteral("p") + shortText(values.at("padding"));
    if (has("dilation") && values.at("dilation") != 1)
        parts << QStringLiteral("d") + shortText(values.at("dilation"));
    if (has("groups") && values.at("groups") != 1)
        parts << QCoreApplication::translate("Layer", "%1 groups").arg(shortText(values.at("groups")));
    for (const char* key : {"rate", "slope"})
        if (has(key))
            parts << shortText(values.at(key));
    if (type == "conv2d" || type == "dense")
        if (has("bias") && values.at("bias") == false)
            parts << QCoreApplication::translate("Layer", "no bias");
    return parts.join(QStringLiteral(" "));
}

} // namespace heteroscope::ui
