// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/support/experiment_grammar.h"

#include "compute/model/layer_type.h"
#include "compute/model/transform_type.h"

#include <cmath>

namespace heteroscope::fuzz {
namespace {

using namespace heteroscope::compute;

/// A choice is a JSON text, or a text that needs no quotes.
Json choiceValue(const std::string& text) {
    Json value = Json::parse(text, nullptr, false);
    return value.is_discarded() ? Json(text) : value;
}

void addParameter(JsonWords& words, const Parameter& parameter) {
    words.keys.push_back(parameter.key);
    words.values.push_back(parameter.defaultValue);
    for (const std::string& text : parameter.choices)
        words.values.push_back(choiceValue(text));
    for (const auto& limit : {parameter.min, parameter.max})
        if (limit)
            for (const double beyond : {-1.0, 0.0, 1.0})
                words.values.push_back(parameter.type == ParameterType::Number
                                           ? Json(*limit + beyond)
                                           : Json(static_cast<std::int64_t>(*limit + beyond)));
}

JsonWords collectWords() {
    JsonWords words;
    words.keys = {"heteroscope", "kind",    "name",    "notes", "targets", "axes",     "sampling",
                  "networks",    "network", "weights", "view",  "type",    "inputs",   "data",
                  "groups",      "0",       "places",  "first", "last",    "collapsed"};
    words.values = {Json(nullptr), true, false, "", Json::array(), Json::object(), "input", "cpu/sequential"};
    for (const std::string& kind : experimentKinds())
        for (const ParameterGroup& group : parameterGroups(kind))
            for (const Parameter& parameter : group.parameters)
                addParameter(words, parameter);
    for (const LayerType& type : layerTypes()) {
        words.values.push_back(type.id);
        words.values.push_back(Json{{"name", type.id}, {"type", type.id}});
        for (const Parameter& parameter : type.parameters)
            addParameter(words, parameter);
    }
    for (const TransformType& type : transformTypes()) {
        words.values.push_back(Json{{"type", type.id}});
        for (const Parameter& parameter : type.parameters)
            addParameter(words, parameter);
    }
    return words;
}

/// Small sizes mostly: nothing is computed, but shapes have to fit each other.
std::int64_t wholeIn(const Parameter& parameter, Random& random) {
    const double low = parameter.min.value_or(0), high = parameter.max.value_or(1e6);
    if (random.oneIn(12))
        return static_cast<std::int64_t>(random.oneIn(2) ? low : high);
    const double room = std::min(high - low, random.oneIn(4) ? 300.0 : 7.0);
    return static_cast<std::int64_t>(low) +
           static_cast<std::int64_t>(random.below(static_cast<std::size_t>(std::max(room, 0.0)) + 1));
}

double numberIn(const Parameter& parameter, Random& random) {
    const double low = parameter.min.value_or(-10), high = parameter.max.value_or(10);
    return low + (std::min(high, low + 100) - low) * static_cast<double>(random.below(1001)) / 1000.0;
}

Json wholeList(const Parameter& parameter, std::size_t count, Random& random) {
    Json list = Json::array();
    for (std::size_t i = 0; i < count; ++i)
        list.push_back(wholeIn(parameter, random));
    return list;
}

Json randomMatrix(Random& random) {
    const std::size_t rows = 1 + random.below(5), columns = 1 + random.below(5);
    Json matrix = Json::array();
    for (std::size_t row = 0; row < rows; ++row) {
        matrix.push_back(Json::array());
        for (std::size_t column = 0; column < columns; ++column)
            matrix.back().push_back(random.below(10));
    }
    return matrix;
}

Json randomShape(Random& random) {
    Json shape = Json::array();
    const std::size_t count = random.oneIn(4) ? 1 : 3;
    for (std::size_t i = 0; i < count; ++i)
        shape.push_back(i == 0 ? 1 + random.below(4) : 1 + random.below(48));
    return shape;
}

Json valueOf(const Parameter& parameter, Random& random);

Json randomTransforms(Random& random) {
    Json list = Json::array();
    for (std::size_t count = random.below(4); count > 0; --count) {
        const TransformType& type = transformTypes()[random.below(transformTypes().size())];
        Json transform = {{"type", type.id}};
        for (const Parameter& parameter : type.parameters)
            if (random.oneIn(2))
                transform[parameter.key] = valueOf(parameter, random);
        list.push_back(std::move(transform));
    }
    return list;
}

Json randomLayers(Random& random) {
    Json layers = Json::array();
    std::vector<std::string> names;
    for (std::size_t count = 1 + random.below(9); count > 0; --count) {
        layers.push_back(randomLayer(random, names, names.size()));
        names.push_back(layers.back()["name"].get<std::string>());
    }
    return layers;
}

Json valueOf(const Parameter& parameter, Random& random) {
    switch (parameter.type) {
    case ParameterType::Integer:
        return wholeIn(parameter, random);
    case ParameterType::Number:
        return numberIn(parameter, random);
    case ParameterType::Boolean:
        return random.oneIn(2);
    case ParameterType::Choice:
        return choiceValue(random.of(parameter.choices));
    case ParameterType::Extent:
        return random.oneIn(2) ? Json(wholeIn(parameter, random)) : wholeList(parameter, 2, random);
    case ParameterType::Padding:
        return random.oneIn(2) ? Json(wholeIn(parameter, random))
                               : wholeList(parameter, random.oneIn(2) ? 2 : 4, random);
    case ParameterType::Matrix:
        return randomMatrix(random);
    case ParameterType::Shape:
        return randomShape(random);
    case ParameterType::Layers:
        return randomLayers(random);
    case ParameterType::Numbers:
        return random.oneIn(2) ? Json(numberIn(parameter, random)) : wholeList(parameter, 3, random);
    case ParameterType::Transforms:
        return randomTransforms(random);
    case ParameterType::Text:
    case ParameterType::File:
    case ParameterType::Folder:
        break;
    }
    return parameter.defaultValue.is_string() && random.oneIn(2) ? parameter.defaultValue : Json("a-file");
}

/// How a builder shows the network: groups and places by the names of its layers.
void addView(Json& network, Random& random) {
    std::vector<std::string> names{"input", "nowhere"};
    if (network.contains("layers"))
        for (const Json& layer : network["layers"])
            names.push_back(layer["name"].get<std::string>());
    Json groups = Json::array(), places = Json::object();
    for (std::size_t count = random.below(3); count > 0; --count) {
        const std::size_t first = random.below(names.size());
        groups.push_back({{"name", "group " + std::to_string(count)},
                          {"first", names[first]},
                          {"last", names[first + random.below(names.size() - first)]}});
        if (random.oneIn(2))
            groups.back()["collapsed"] = random.oneIn(2);
    }
    for (std::size_t count = random.below(3); count > 0; --count)
        places[random.of(names)] = {random.below(1000), 0.5};
    network["view"] = {{"groups", groups}, {"places", places}};
}

/// /networks: others of the same network's form, which an axis chooses from.
void addNetworks(Json& document, Random& random) {
    Json networks = Json::object(), names = Json::array();
    for (std::size_t count = 1 + random.below(3); count > 0; --count) {
        const std::string name = "Model " + std::to_string(count);
        networks[name] = {{"input", {{"shape", randomShape(random)}}}, {"layers", randomLayers(random)}};
        names.push_back(name);
    }
    document["networks"] = networks;
    document["axes"]["/network"] = names;
}

void addAxis(Json& document, const std::string& kind, Random& random) {
    const auto groups = parameterGroups(kind);
    const ParameterGroup& group = groups[random.below(groups.size())];
    if (group.parameters.empty())
        return;
    const Parameter& parameter = random.of(group.parameters);
    Json values = Json::array();
    for (std::size_t count = 1 + random.below(4); count > 0; --count)
        values.push_back(valueOf(parameter, random));
    document["axes"][group.pointer + "/" + parameter.key] = values;
}

} // namespace

const JsonWords& experimentWords() {
    static const JsonWords words = collectWords();
    return words;
}

Json randomLayer(Random& random, const std::vector<std::string>& earlier, std::size_t number) {
    const LayerType& type = layerTypes()[random.below(layerTypes().size())];
    Json layer = {{"name", type.id + std::to_string(number)}, {"type", type.id}};
    for (const Parameter& parameter : type.parameters)
        if (parameter.required || random.oneIn(2))
            layer[parameter.key] = valueOf(parameter, random);
    if (type.maxInputs > 1 || random.oneIn(6)) {
        Json inputs = Json::array();
        const std::size_t most = std::min<std::size_t>(type.maxInputs, 3);
        for (std::size_t count = std::max(type.minInputs, 1 + random.below(most)); count > 0; --count)
            inputs.push_back(earlier.empty() || random.oneIn(6) ? "input" : random.of(earlier));
        layer["inputs"] = inputs;
    }
    return layer;
}

Json randomExperiment(Random& random) {
    const auto kinds = experimentKinds();
    const std::string kind = random.oneIn(2) ? "network" : kinds[random.below(kinds.size())];
    Json document = {{"heteroscope", 1}, {"kind", kind}, {"name", "drawn"}};
    for (const ParameterGroup& group : parameterGroups(kind))
        for (const Parameter& parameter : group.parameters)
            if (parameter.required || random.oneIn(3))
                document[Json::json_pointer(group.pointer + "/" + parameter.key)] =
                    valueOf(parameter, random);
    document["targets"] = Json::array({"cpu/sequential"});
    if (random.oneIn(2))
        document["targets"].push_back("cuda:0/cudnn?threads=" + std::to_string(random.below(5)));
    if (random.oneIn(2))
        addAxis(document, kind, random);
    if (kind == "network" && random.oneIn(3))
        addView(document["network"], random);
    if (kind == "network" && random.oneIn(4))
        addNetworks(document, random);
    return document;
}

} // namespace heteroscope::fuzz
