// SPDX-License-Identifier: Apache-2.0
// A network with everything that follows from it: who feeds whom, shapes, parameters, multiply-adds. Pure;
// any thread.
#pragma once

#include "compute/base/error.h"
#include "compute/model/layer_lowering.h"
#include "compute/model/network_spec.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace heteroscope::compute {

struct NetworkLayer {
    LayerSpec spec;
    std::vector<int> inputs;               ///< numbers of layers; kNetworkInput for the network's own
    std::optional<LayerLowering> lowering; ///< nothing where this layer or one before it is wrong
    std::optional<Error> error;            ///< `where` is a JSON pointer from the document's root
    std::int64_t parameterElements() const;
};

inline constexpr int kNetworkInput = -1;

struct NetworkRequest {
    std::int64_t batch = 1;
    NetworkMode mode = NetworkMode::Infer;
    std::uint64_t seed = 0;
};

struct Network {
    Shape4 input;
    std::vector<NetworkLayer> layers;
    std::optional<Error> inputError;
    std::vector<std::size_t> unused; ///< layers whose output nobody reads, the last one excepted

    const Error* firstError() const; ///< nullptr: the network is sound
    Shape4 output() const;           ///< of a sound network
    std::int64_t parameterElements() const;
    double multiplyAdds() const; ///< of the whole batch, forward
};

/// What a layer computes, whatever it is called: its type, its values, the shapes that it reads and writes.
/// Equal for layers whose times can stand for each other. Empty where a layer is wrong.
std::string layerIdentity(const Network& network, std::size_t layer);

/// Works out every layer that can be, so that each wrong one has its own sentence. The layers' types and
/// values have been checked.
Network resolveNetwork(const NetworkSpec& spec, const NetworkRequest& request);

/// The elements of a parameter or state.
std::int64_t elementsOf(const std::vector<std::int64_t>& dims);

} // namespace heteroscope::compute
