// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/measured_layers.h"

#include "compute/experiment/spec/axes.h"
#include "compute/experiment/spec/spec_json.h"
#include "compute/model/network.h"

namespace heteroscope::ui {
namespace {

std::map<std::string, std::string> identitiesAt(const Json& experiment, const Json& point) {
    std::map<std::string, std::string> identities;
    const auto spec = compute::specFromJson(compute::experimentAt(experiment, point));
    if (!spec || spec->kind != compute::ExperimentKind::Network)
        return identities;
    const compute::Network network =
        compute::resolveNetwork(spec->network.network, compute::networkRequest(spec->network));
    for (std::size_t i = 0; i < network.layers.size(); ++i)
        identities[network.layers[i].spec.name] = compute::layerIdentity(network, i);
    return identities;
}

} // namespace

MeasuredLayersPtr measuredLayers(const profiling::Study& study,
                                 const std::vector<profiling::RunLayerTimes>& times) {
    auto runs = std::make_shared<std::vector<MeasuredRun>>();
    std::map<std::string, std::map<std::string, std::string>> known; // by point: each takes a parse
    for (const profiling::RunLayerTimes& run : times) {
        MeasuredRun measured{run, {}};
        if (run.run >= 0 && run.run < static_cast<int>(study.runs.size())) {
            const Json& point = study.runs[static_cast<std::size_t>(run.run)].point;
            const auto [entry, isNew] = known.try_emplace(point.dump());
            if (isNew)
                entry->second = identitiesAt(study.experiment, point);
            measured.identities = entry->second;
        }
        runs->push_back(std::move(measured));
    }
    return runs;
}

} // namespace heteroscope::ui
