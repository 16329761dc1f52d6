// SPDX-License-Identifier: Apache-2.0
#include "compute/model/network.h"

#include "compute/base/checked_math.h"
#include "compute/core/ops/window_extent.h"
#include "compute/layers/layer_rules.h"

#include <map>
#include <string>
#include <utility>

namespace heteroscope::compute {

namespace {

std::string layerPointer(std::size_t index) {
    return "/network/layers/" + std::to_string(index);
}

Result<Shape4> inputShape(const NetworkSpec& spec, std::int64_t batch) {
    Shape4 shape{batch, 1, 1, 1};
    if (spec.input.size() == 3)
        shape = {batch, spec.input[0], spec.input[1], spec.input[2]};
    else if (spec.input.size() == 1)
        shape.c = spec.input[0];
    else
        return badInput("/network/input/shape", "found " + std::to_string(spec.input.size()) + " sizes",
                        "[channels, height, width] or [features]");
    if (!shape.bytes() || *shape.elements() < 1)
        return badInput("/network/input/shape", "the input is empty or does not fit 63 bits of bytes");
    return shape;
}

/// Resolves one layer after the other; later ones see the earlier ones.
class Resolver {
  public:
    Resolver(const NetworkRequest& request, Network& network) : m_request(request), m_network(network) {}

    void add(const LayerSpec& spec) {
        const std::size_t index = m_network.layers.size();
        m_network.layers.push_back({spec, {}, {}, {}});
        NetworkLayer& layer = m_network.layers.back();
        auto inputs = findInputs(spec, index);
        if (!inputs) {
            layer.error = inputs.error();
        } else {
            layer.inputs = std::move(*inputs);
            lower(layer, index);
        }
        m_numbers.emplace(spec.name, static_cast<int>(index));
    }

    void findUnused() {
        std::vector<bool> read(m_network.layers.size());
        for (const NetworkLayer& layer : m_network.layers)
            for (const int input : layer.inputs)
                if (input != kNetworkInput)
                    read[static_cast<std::size_t>(input)] = true;
        for (std::size_t i = 0; i + 1 < read.size(); ++i)
            if (!read[i])
                m_network.unused.push_back(i);
    }

  private:
    Result<std::vector<int>> findInputs(const LayerSpec& spec, std::size_t index) const {
        std::vector<int> inputs;
        for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
            const std::string& name = spec.inputs[i];
            const auto found = m_numbers.find(name);
            if (name == kInputName)
                inputs.push_back(kNetworkInput);
            else if (found != m_numbers.end())
                inputs.push_back(found->second);
            else
                return badInput(layerPointer(index) + "/inputs/" + std::to_string(i),
                                "no layer before this one is called \"" + name + "\"",
                                "\"input\" or the name of an earlier layer",
                                "list a layer after the ones that it reads; a network has no cycles");
        }
        return inputs;
    }

    /// Nothing where an input is unknown: the fault lies there.
    std::optional<std::vector<Shape4>> shapesOf(const std::vector<int>& inputs) const {
        std::vector<Shape4> shapes;
        for (const int input : inputs) {
            if (input == kNetworkInput && !m_network.inputError)
                shapes.push_back(m_network.input);
            else if (input != kNetworkInput && m_network.layers[static_cast<std::size_t>(input)].lowering)
                shapes.push_back(m_network.layers[static_cast<std::size_t>(input)].lowering->output);
            else
                return std::nullopt;
        }
        return shapes;
    }

    void lower(NetworkLayer& layer, std::size_t index) const {
        const auto shapes = shapesOf(layer.inputs);
        const LayerRule rule = findLayerRule(layer.spec.type);
        if (!shapes || rule == nullptr)
            return;
        auto lowering = rule({layer.spec.type, LayerValues(layer.spec.values), *shapes, m_request.mode,
                              m_request.seed, static_cast<std::uint32_t>(index)});
        if (!lowering) {
            Error error = lowering.error();
            error.where = layerPointer(index) + "/" + error.where;
            error.message = "layer \"" + layer.spec.name + "\": " + error.message;
            layer.error = std::move(error);
        } else if (!lowering->output.bytes()) {
            layer.error = badInput(layerPointer(index), "the output does not fit 63 bits of bytes");
        } else {
            layer.lowering = std::move(*lowering);
        }
    }

    const NetworkRequest& m_request;
    Network& m_network;
    std::map<std::string, int> m_numbers;
};

} // namespace

std::int64_t elementsOf(const std::vector<std::int64_t>& dims) {
    std::int64_t product = 1;
    for (const std::int64_t dim : dims)
        product *= dim;
    return product;
}

std::int64_t NetworkLayer::parameterElements() const {
    std::int64_t sum = 0;
    if (lowering)
        for (const ParameterTensor& parameter : lowering->parameters)
            sum += elementsOf(parameter.dims);
    return sum;
}

const Error* Network::firstError() const {
    if (inputError)
        return &*inputError;
    for (const NetworkLayer& layer : layers)
        if (layer.error)
            return &*layer.error;
    return nullptr;
}

Shape4 Network::output() const {
    return layers.empty() || !layers.back().lowering ? input : layers.back().lowering->output;
}

std::int64_t Network::parameterElements() const {
    std::int64_t sum = 0;
    for (const NetworkLayer& layer : layers)
        sum += layer.parameterElements();
    return sum;
}

double Network::multiplyAdds() const {
    double sum = 0;
    for (const NetworkLayer& layer : layers)
        sum += layer.lowering ? layer.lowering->multiplyAdds : 0.0;
    return sum;
}

std::string layerIdentity(const Network& network, std::size_t layer) {
    const NetworkLayer& one = network.layers[layer];
    if (!one.lowering)
        return {};
    std::string text = one.spec.type + one.spec.values.dump();
    for (const int input : one.inputs)
        text += " " + shapeText(input == kNetworkInput
                                    ? network.input
                                    : network.layers[static_cast<std::size_t>(input)].lowering->output);
    return text + " -> " + shapeText(one.lowering->output);
}

Network resolveNetwork(const NetworkSpec& spec, const NetworkRequest& request) {
    Network network;
    const auto shape = inputShape(spec, request.batch);
    if (shape)
        network.input = *shape;
    else
        network.inputError = shape.error();
    Resolver resolver(request, network);
    for (const LayerSpec& layer : spec.layers)
        resolver.add(layer);
    resolver.findUnused();
    return network;
}

} // namespace heteroscope::compute
