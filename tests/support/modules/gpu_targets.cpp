// SPDX-License-Identifier: Apache-2.0
#include "tests/support/modules/gpu_targets.h"

#include "app/cli/module_loader.h"

namespace heteroscope::compute {

const BackendRegistry& registryWithModules() {
    static const BackendRegistry all = cli::makeRegistry();
    return all;
}

Result<std::unique_ptr<Session>> openTarget(const std::string& target) {
    const auto parsed = parseTarget(target);
    if (!parsed)
        return parsed.error();
    return registryWithModules().open(*parsed);
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
