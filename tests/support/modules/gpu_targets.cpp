// SPDX-License-Identifier: Apache-2.0
#include "tests/support/modules/gpu_targets.h"

#include "app/cli/module_loader.h"

#include <map>

namespace heteroscope::compute {

Result<std::unique_ptr<Session>> openTarget(const std::string& target) {
    static std::map<std::string, BackendRegistry> registries;
    const auto parsed = parseTarget(target);
    if (!parsed)
        return parsed.error();
    const auto known = registries.find(parsed->implementation);
    if (known != registries.end())
        return known->second.open(*parsed);
    const cli::ModuleWish wish{false, {*parsed}};
    return registries.emplace(parsed->implementation, cli::makeRegistry(wish)).first->second.open(*parsed);
}

std::string gpuWords(const std::string& target) {
    return "gpu," + parseTarget(target)->implementation;
}

bool mayTransform(const std::string& target, const Op& op) {
    const auto* conv = std::get_if<ConvBackwardWeights>(&op);
    return conv != nullptr && conv->params.kernel == Extent2d{3, 3} &&
           parseTarget(target)->implementation == "cudnn";
}

} // namespace heteroscope::compute
