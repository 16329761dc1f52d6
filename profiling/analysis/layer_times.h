// SPDX-License-Identifier: Apache-2.0
// How long each layer of a network took, from the spans that a network's executor leaves in a trace. Times in
// ms of one pass. Pure functions; any thread.
//
// The rule: a layer's span on a host thread (category "layer forward", "layer backward") is one pass of that
// layer in that direction. In a run on a GPU the pass takes the union of the kernels whose launching call
// ended inside the span (0 for a layer that launches none); in any other run it takes the span itself. What
// runs outside of every layer (loss, norm of the gradient, optimiser) is a row of its own under the name of
// its operation: after a backward pass it is an update, else the loss. A reorder of operands between layouts
// (category "reorder") inside a layer's span is a row of its own, of the layer's direction, and is taken off
// the layer's pass.
//
// Only traced samples count that are no warm-ups: single layers have no times of their own in untraced ones.
// What tracing cost the whole run stands beside its layers. The interval of a median takes the passes as
// independent; those of one sample follow each other and may be less spread than passes of several runs.
#pragma once

#include "compute/base/statistics.h"
#include "profiling/analysis/device_work.h"
#include "profiling/analysis/phrase.h"
#include "profiling/stream/study.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::profiling {

enum class LayerPhase : std::uint8_t { Forward, Loss, Backward, Update };
constexpr std::size_t kLayerPhases = 4;
const char* layerPhaseName(LayerPhase phase); ///< "forward", "loss", "backward", "update"

struct LayerPhaseTime {
    std::uint64_t passes = 0; ///< recorded
    Summary ms;               ///< of at most kPassesKept of them, evenly spread over the recording
    double share = 0;         ///< of the median in the sum of all medians of the run, 0 to 1
    bool measured() const { return ms.n > 0; }
};

/// Passes that a median and its interval are worked out from at most.
constexpr std::size_t kPassesKept = 400;

struct LayerTime {
    std::string name; ///< of the layer, or of the operation outside of layers
    std::string type; ///< what its first operation computes: "conv2d", "maxpool", "dense" ...; may be empty
    bool isLayer = true; ///< false: runs outside of every layer, or between what layers compute
    bool isReorder = false;
    std::array<LayerPhaseTime, kLayerPhases> phases;

    const LayerPhaseTime& operator[](LayerPhase phase) const {
        return phases[static_cast<std::size_t>(phase)];
    }
    double totalMs() const; ///< sum of the medians
    double share() const;
};

struct RunLayerTimes {
    int run = -1;
    std::string target, point;                    ///< point: "size=64"; empty without axes
    bool device = false;                          ///< times are those of kernels
    std::vector<LayerTime> layers;                ///< in the order in which they first ran
    double totalMs = 0;                           ///< sum of all medians
    std::optional<double> tracingOverheadPercent; ///< traced against untraced samples, as the run measured it
    std::uint64_t kernelsOutside = 0; ///< kernels in its traced samples that no layer or operation launched
    Phrase reason;                    ///< why there are no layers; empty when there are

    /// Of a layer or reorder; nullptr without one.
    const LayerTime* find(std::string_view name) const;
};

/// The runs whose traced samples hold layers, in the study's order. `work` is that of the trace.
std::vector<RunLayerTimes> layerTimes(const Trace& trace, const Study& study, const DeviceWork& work,
                                      NsRange window = kAllTime);

/// "tracing added 1.2 %" or that it was not measured: what stands beside times of layers.
Phrase tracingCostText(const RunLayerTimes& run);

} // namespace heteroscope::profiling
