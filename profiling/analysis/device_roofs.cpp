// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/device_roofs.h"

#include "compute/base/units.h"
#include "profiling/analysis/device_records.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heteroscope::profiling {
namespace {

std::string textOf(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A number above 0 and below 1e12: no property of a device is larger; a damaged record may hold anything.
std::optional<double> positive(const Json& properties, const char* key) {
    const auto found = properties.find(key);
    if (found == properties.end() || !found->is_number())
        return std::nullopt;
    const double value = found->get<double>();
    return value > 0 && value < 1e12 ? std::optional(value) : std::nullopt;
}

/// fp32 lanes of a multiprocessor; nothing for a compute capability that the guide's table did not have.
std::optional<int> fp32Lanes(const std::string& capability) {
    struct Known {
        std::string_view capability;
        int lanes;
    };
    static constexpr std::array kKnown{Known{"7.5", 64},   Known{"8.0", 64},   Known{"8.6", 128},
                                       Known{"8.7", 128},  Known{"8.9", 128},  Known{"9.0", 128},
                                       Known{"10.0", 128}, Known{"10.3", 128}, Known{"12.0", 128}};
    for (const Known& known : kKnown)
        if (capability == known.capability)
            return known.lanes;
    return std::nullopt;
}

void addMemoryRoof(const Json& properties, DeviceRoofs& roofs) {
    const auto clock = positive(properties, "memory_clock_mhz"),
               bits = positive(properties, "memory_bus_bits");
    if (!clock || !bits) {
        roofs.whyNoMemory = say("the driver does not tell the memory's clock and width");
        return;
    }
    const double bytes = *bits / 8;
    roofs.memory = Roof{2 * *clock * 1e6 * bytes,
                        "2 x " + formatFixed(*clock, 0) + " MHz x " + formatFixed(bytes, 0) + " bytes"};
}

void addFp32Roof(const Json& properties, DeviceRoofs& roofs) {
    const std::string capability = textOf(properties, "compute_capability");
    const auto count = positive(properties, "multiprocessors"), clock = positive(properties, "clock_mhz");
    const auto lanes = fp32Lanes(capability);
    if (!count || !clock) {
        roofs.whyNoFp32 = say("the driver does not tell the number of multiprocessors and their clock");
        return;
    }
    if (!lanes) {
        roofs.whyNoFp32 =
            say("how many operations a clock a multiprocessor of compute capability %1 does is not "
                "known here",
                {capability.empty() ? std::string("(none)") : capability});
        return;
    }
    roofs.fp32 = Roof{2 * *count * *lanes * *clock * 1e6, "2 x " + formatFixed(*count, 0) +
                                                              " multiprocessors x " + std::to_string(*lanes) +
                                                              " lanes x " + formatFixed(*clock, 0) + " MHz"};
}

std::optional<Roof> measuredRoof(const Json& properties, const std::string& key) {
    constexpr double kMost = 1e18; // no processor does more; a damaged record may hold anything
    const auto found = properties.find(key);
    if (found == properties.end() || !found->is_number())
        return std::nullopt;
    const double value = found->get<double>();
    return value > 0 && value < kMost
               ? std::optional(Roof{value, textOf(properties, (key + "_source").c_str())})
               : std::nullopt;
}

/// Measured on the machine before the study.
void addMeasuredRoofs(const Json& properties, DeviceRoofs& roofs) {
    const Phrase advice = say("not measured on this machine before the study; \"heteroscope-cli devices "
                              "--measure\" does it once");
    roofs.memory = measuredRoof(properties, "memory_bytes_s");
    roofs.fp32 = measuredRoof(properties, "fp32_flop_s");
    roofs.whyNoMemory = roofs.memory ? Phrase() : advice;
    roofs.whyNoFp32 = roofs.fp32 ? Phrase() : advice;
}

} // namespace

std::optional<double> DeviceRoofs::ridge() const {
    if (!memory || !fp32)
        return std::nullopt;
    return fp32->perSecond / memory->perSecond;
}

DeviceRoofs deviceRoofs(const Json& record) {
    DeviceRoofs roofs;
    roofs.device = textOf(record, "id");
    roofs.name = textOf(record, "name");
    const auto properties = record.find("properties");
    if (textOf(record, "kind") == "cpu" && properties != record.end() && properties->is_object()) {
        addMeasuredRoofs(*properties, roofs);
        return roofs;
    }
    if (textOf(record, "kind") != "gpu" || properties == record.end() || !properties->is_object()) {
        roofs.whyNoMemory = say("no peak bandwidth of this device is recorded");
        roofs.whyNoFp32 = say("no peak rate of this device is recorded");
        return roofs;
    }
    addMemoryRoof(*properties, roofs);
    addFp32Roof(*properties, roofs);
    return roofs;
}

namespace {

constexpr std::array kPeaks{"memory_bytes_s", "fp32_flop_s"};

const Json& propertiesOf(const Json& record) {
    static const Json none = Json::object();
    const auto found = record.is_object() ? record.find("properties") : record.end();
    return record.is_object() && found != record.end() && found->is_object() ? *found : none;
}

/// What a measurement holds for.
bool isSameProcessor(const Json& a, const Json& b) {
    const Json &left = propertiesOf(a), &right = propertiesOf(b);
    if (left.empty() || right.empty() || textOf(a, "kind") != "cpu" || textOf(b, "kind") != "cpu" ||
        textOf(a, "name") != textOf(b, "name"))
        return false;
    const std::array keys{"cores", "processors", "simd", "cpu_quota"};
    return std::all_of(keys.begin(), keys.end(),
                       [&](const char* key) { return left.value(key, Json()) == right.value(key, Json()); });
}

bool hasPeaks(const Json& record) {
    return std::any_of(kPeaks.begin(), kPeaks.end(),
                       [&](const char* key) { return measuredRoof(propertiesOf(record), key).has_value(); });
}

} // namespace

bool lacksPeaksOf(const Json& machine, const Study& study) {
    return std::any_of(study.devices.begin(), study.devices.end(), [&](const Json& record) {
        return isSameProcessor(record, machine) && !hasPeaks(record);
    });
}

bool addPeaksOf(const Json& machine, Study& study) {
    bool any = false;
    for (Json& record : study.devices) {
        if (!isSameProcessor(record, machine) || hasPeaks(record))
            continue;
        for (const std::string key : kPeaks)
            if (const auto roof = measuredRoof(propertiesOf(machine), key)) {
                const std::string when = textOf(propertiesOf(machine), "peaks_measured_utc");
                record["properties"][key] = roof->perSecond;
                record["properties"][key + "_source"] =
                    roof->source + (when > study.startedUtc ? "; after this study" : "");
                any = true;
            }
    }
    return any;
}

std::map<std::string, DeviceRoofs> roofsOfStudy(const Study& study) {
    std::map<std::string, DeviceRoofs> all;
    for (const auto& [id, record] : deviceRecords(study))
        all.emplace(id, deviceRoofs(record));
    return all;
}

} // namespace heteroscope::profiling
