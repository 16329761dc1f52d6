// SPDX-License-Identifier: Apache-2.0
#include "compute/experiment/spec/data_json.h"

#include "compute/experiment/spec/enum_text.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/model/data_schema.h"
#include "compute/model/transform_type.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

std::vector<std::string> transformNames() {
    std::vector<std::string> names;
    for (const TransformType& type : transformTypes())
        names.push_back(type.id);
    return names;
}

/// nullptr, and a finding, when it names no type.
const TransformType* checkedType(const Json& transform, const std::string& pointer, Findings& findings) {
    const std::string allowed = quotedList(transformNames());
    if (!transform.is_object()) {
        findings.error(pointer, foundText(transform), "an object with a \"type\"");
        return nullptr;
    }
    const auto type = transform.find("type");
    const std::string place = childPointer(pointer, "type");
    if (type == transform.end())
        findings.error(place, "the transform's type is missing", allowed);
    else if (!type->is_string())
        findings.error(place, foundText(*type), allowed);
    else if (const TransformType* known = findTransformType(type->get_ref<const std::string&>()))
        return known;
    else
        findings.error(place, foundText(*type), allowed,
                       suggestion(type->get<std::string>(), transformNames()));
    return nullptr;
}

void checkValues(const Json& transform, const TransformType& type, const std::string& pointer,
                 Findings& findings) {
    std::vector<std::string> known{"type"};
    for (const Parameter& parameter : type.parameters)
        known.push_back(parameter.key);
    for (const auto& [key, value] : transform.items())
        if (std::find(known.begin(), known.end(), key) == known.end())
            findings.error(childPointer(pointer, key), "unknown key of a " + type.id, quotedList(known),
                           suggestion(key, known));
    for (const Parameter& parameter : type.parameters)
        if (const auto value = transform.find(parameter.key); value != transform.end())
            checkParameterValue(parameter, *value, childPointer(pointer, parameter.key), findings);
}

std::vector<double> numbers(const Json& value) {
    if (value.is_null())
        return {};
    return value.is_array() ? value.get<std::vector<double>>() : std::vector{value.get<double>()};
}

Json numbersJson(const std::vector<double>& values) {
    if (values.size() == 1)
        return numberJson(values.front());
    Json list = Json::array();
    for (const double value : values)
        list.push_back(numberJson(value));
    return list;
}

TransformSpec readTransform(const Json& object) {
    TransformSpec transform;
    transform.kind = enumFromText<TransformKind>(object.at("type").get_ref<const std::string&>(), 5);
    const auto size = object.find("size");
    if (size != object.end())
        transform.size = size->is_array() ? Extent2d{wholeOrZero((*size)[0]), wholeOrZero((*size)[1])}
                                          : Extent2d{wholeOrZero(*size), wholeOrZero(*size)};
    transform.mean = numbers(object.value("mean", Json()));
    transform.deviation = numbers(object.value("deviation", Json()));
    transform.probability = object.value("probability", transform.probability);
    transform.degrees = object.value("degrees", transform.degrees);
    if (const auto padding = object.find("padding"); padding != object.end())
        transform.padding = wholeOrZero(*padding);
    return transform;
}

Json transformJson(const TransformSpec& transform) {
    Json object = {{"type", enumText(transform.kind)}};
    switch (transform.kind) {
    case TransformKind::Resize:
        if (transform.size.h == transform.size.w)
            object["size"] = transform.size.h;
        else
            object["size"] = {transform.size.h, transform.size.w};
        break;
    case TransformKind::Normalize:
        if (!transform.mean.empty())
            object["mean"] = numbersJson(transform.mean);
        if (!transform.deviation.empty())
            object["deviation"] = numbersJson(transform.deviation);
        break;
    case TransformKind::Flip:
        object["probability"] = numberJson(transform.probability);
        break;
    case TransformKind::Rotate:
        object["degrees"] = numberJson(transform.degrees);
        break;
    case TransformKind::Crop:
        object["padding"] = transform.padding;
        break;
    }
    return object;
}

/// Every value, also those that the source has no use for.
Json allValues(const DataSpec& data) {
    Json transforms = Json::array();
    for (const TransformSpec& transform : data.transforms)
        transforms.push_back(transformJson(transform));
    return {{"source", enumText(data.source)},
            {"images", data.images},
            {"labels", data.labels},
            {"test_images", data.testImages},
            {"test_labels", data.testLabels},
            {"folder", data.folder},
            {"test_folder", data.testFolder},
            {"file", data.file},
            {"test_file", data.testFile},
            {"separator", enumText(data.separator)},
            {"header", data.header},
            {"features", data.features},
            {"target", data.target},
            {"targets", enumText(data.targets)},
            {"count", data.count},
            {"test_count", data.testCount},
            {"classes", data.classes},
            {"seed", data.seed},
            {"split", enumText(data.split)},
            {"validation_share", numberJson(data.validationShare)},
            {"test_share", numberJson(data.testShare)},
            {"training_limit", data.trainingLimit},
            {"test_limit", data.testLimit},
            {"mean", numberJson(data.mean)},
            {"deviation", numberJson(data.deviation)},
            {"transforms", std::move(transforms)}};
}

bool isOfSource(const Parameter& parameter, const std::string& source) {
    return std::all_of(
        parameter.activeWhen.begin(), parameter.activeWhen.end(), [&source](const ParameterCondition& when) {
            return when.pointer != "/data/source" ||
                   std::find(when.values.begin(), when.values.end(), source) != when.values.end();
        });
}

} // namespace

Json numberJson(double value) {
    if (value == std::floor(value) && std::abs(value) < 9007199254740992.0)
        return static_cast<std::int64_t>(value);
    return value;
}

void checkTransforms(const Json& transforms, const std::string& pointer, Findings& findings) {
    if (transforms.size() > kMaxTransforms)
        return findings.error(pointer, "found " + std::to_string(transforms.size()) + " transforms",
                              "at most " + std::to_string(kMaxTransforms));
    const TransformType* random = nullptr;
    for (std::size_t i = 0; i < transforms.size() && !findings.full(); ++i) {
        const std::string place = childPointer(pointer, i);
        const TransformType* type = checkedType(transforms[i], place, findings);
        if (type == nullptr)
            continue;
        checkValues(transforms[i], *type, place, findings);
        if (type->random)
            random = type;
        else if (random != nullptr && type->id == "resize")
            findings.error(place, "a resize after a random " + random->id,
                           "resizes before all random transforms", "move it up");
    }
}

/// What other sources read is left as it is by default: it has no effect.
DataSpec readData(const Json& given) {
    static const ParameterGroup group = dataGroup();
    Json object = given;
    for (const Parameter& parameter : group.parameters)
        if (!isOfSource(parameter, given.at("source").get<std::string>()))
            object[parameter.key] = parameter.defaultValue;
    const auto text = [&](const char* key) { return object.at(key).get<std::string>(); };
    DataSpec data;
    data.source = enumFromText<DataSource>(text("source"), 11);
    data.images = text("images");
    data.labels = text("labels");
    data.testImages = text("test_images");
    data.testLabels = text("test_labels");
    data.folder = text("folder");
    data.testFolder = text("test_folder");
    data.file = text("file");
    data.testFile = text("test_file");
    data.separator = enumFromText<Separator>(text("separator"), 4);
    data.header = object.at("header").get<bool>();
    data.features = text("features");
    data.target = text("target");
    data.targets = enumFromText<TargetKind>(text("targets"), 2);
    data.count = wholeOrZero(object.at("count"));
    data.testCount = wholeOrZero(object.at("test_count"));
    data.classes = wholeOrZero(object.at("classes"));
    data.seed = static_cast<std::uint32_t>(wholeOrZero(object.at("seed")));
    data.split = enumFromText<SplitOrder>(text("split"), 2);
    data.validationShare = object.at("validation_share").get<double>();
    data.testShare = object.at("test_share").get<double>();
    data.trainingLimit = wholeOrZero(object.at("training_limit"));
    data.testLimit = wholeOrZero(object.at("test_limit"));
    data.mean = object.at("mean").get<double>();
    data.deviation = object.at("deviation").get<double>();
    for (const Json& transform : object.at("transforms"))
        data.transforms.push_back(readTransform(transform));
    return data;
}

Json dataJson(const DataSpec& data) {
    const Json all = allValues(data);
    const std::string source = all.at("source");
    Json object = Json::object();
    for (const Parameter& parameter : dataGroup().parameters)
        if (isOfSource(parameter, source))
            object[parameter.key] = all.at(parameter.key);
    return object;
}

} // namespace heteroscope::compute
