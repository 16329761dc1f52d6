// SPDX-License-Identifier: Apache-2.0
#include "app/cli/data_faults.h"

#include "compute/data/data_check.h"

#include <array>
#include <set>
#include <string>

namespace heteroscope::cli {
namespace {

/// The values of a point that its data depend on; points that agree in them need one look.
std::string dataKey(const Json& values) {
    constexpr std::array kParts = {"/data", "/network", "/training", "/task", "/pooling/input"};
    Json kept = Json::object();
    for (const auto& [pointers, value] : values.items())
        for (const char* part : kParts)
            if (pointers.find(part) != std::string::npos)
                kept[pointers] = value;
    return kept.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace

Result<std::vector<compute::Diagnostic>> dataFaults(const compute::ExperimentSpec& spec) {
    std::vector<compute::Diagnostic> faults;
    const auto points = compute::expandPoints(spec);
    if (!points)
        return points.error();
    std::set<std::string> looked, said;
    for (const compute::ExperimentPoint& point : *points) {
        if (!looked.insert(dataKey(point.values)).second)
            continue;
        for (compute::Diagnostic& fault : compute::checkDataFiles(point.spec))
            if (said.insert(fault.pointer + fault.message).second)
                faults.push_back(std::move(fault));
    }
    return faults;
}

} // namespace heteroscope::cli
