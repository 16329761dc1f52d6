// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_records.h"

#include <algorithm>

namespace heteroscope::profiling {

std::map<std::string, Json> deviceRecords(const Study& study) {
    std::map<std::string, Json> records;
    const auto add = [&](const Json& record) {
        if (record.is_object() && record.contains("id") && record.at("id").is_string() &&
            record.contains("properties") && record.at("properties").is_object())
            records.emplace(record.at("id").get<std::string>(), record);
    };
    std::for_each(study.devices.begin(), study.devices.end(), add);
    if (study.environment.is_object() && study.environment.contains("devices"))
        for (const Json& record : study.environment.at("devices"))
            add(record);
    return records;
}

std::string deviceOfTarget(const std::string& target) {
    return target.substr(0, target.find('/'));
}

} // namespace heteroscope::profiling
