// SPDX-License-Identifier: Apache-2.0
#include "profiling/stream/study.h"

#include "compute/base/failure_words.h"
#include "compute/base/units.h"

#include <map>
#include <utility>

namespace heteroscope::profiling {

std::vector<double> StudyRun::timesMs() const {
    std::vector<double> times;
    for (const StudySample& sample : samples)
        if (!sample.warmup && !sample.traced)
            times.push_back(sample.wallMs);
    return times;
}

ProcessSamples StudyRun::processTimesMs() const {
    std::map<int, std::vector<double>> byProcess;
    for (const StudySample& sample : samples)
        if (!sample.warmup && !sample.traced)
            byProcess[sample.process].push_back(sample.wallMs);
    ProcessSamples all;
    for (auto& [process, times] : byProcess)
        all.push_back(std::move(times));
    return all;
}

std::string StudyActivity::sentence() const {
    std::string text = "run " + std::to_string(run); // failure_words::kRunDoing
    for (const std::string& part : {target, step})
        text += part.empty() ? "" : ", " + part;
    if (forecastBytes <= 0)
        return text;
    const std::string forecast = formatBytes(static_cast<double>(forecastBytes));
    return text + "; " +
           (freeBytes <= 0 ? say(failure_words::kForecast, {forecast})
                           : say(failure_words::kForecastOfFree,
                                 {forecast, formatBytes(static_cast<double>(freeBytes))}))
               .text();
}

std::string Study::name() const {
    for (const char* key : {"name", "kind"})
        if (const auto found = experiment.find(key); found != experiment.end() && found->is_string())
            if (const auto text = found->get<std::string>(); !text.empty())
                return text;
    return {};
}

} // namespace heteroscope::profiling
