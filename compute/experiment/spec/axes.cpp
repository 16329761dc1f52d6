// SPDX-License-Identifier: Apache-2.0
// Checks of axes and of the points they span.
#include "compute/experiment/spec/axes.h"

#include "compute/experiment/spec/network_json.h"
#include "compute/experiment/spec/parameter_check.h"
#include "compute/experiment/spec/pointer.h"
#include "compute/experiment/spec/read_spec.h"
#include "compute/experiment/spec/semantic_check.h"

#include <algorithm>
#include <map>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMaxAxes = 8;
constexpr std::size_t kMaxCellsOfAllPoints = 100u << 20; // manual matrices are read once per point

std::string axisPointer(const std::string& axis) {
    return childPointer("/axes", axis);
}

bool canVary(const Parameter& parameter) {
    return parameter.type != ParameterType::Matrix && parameter.type != ParameterType::Layers &&
           parameter.type != ParameterType::Transforms;
}

/// A parameter of the kind, or of one of the document's layers.
const Parameter* parameterAt(const Json& expanded, const std::string& pointer) {
    const Parameter* parameter = findParameter(kindText(expanded), pointer);
    return parameter != nullptr ? parameter : findLayerParameter(expanded, pointer);
}

/// All pointers that an axis of this kind may name: parameters, but not how samples are taken.
std::vector<std::string> axisCandidates(const Json& expanded) {
    std::vector<std::string> pointers;
    for (const ParameterGroup& group : parameterGroups(kindText(expanded)))
        for (const Parameter& parameter : group.parameters)
            if (group.pointer != "/sampling" && canVary(parameter))
                pointers.push_back(childPointer(group.pointer, parameter.key));
    for (std::string& pointer : layerPointers(expanded))
        pointers.push_back(std::move(pointer));
    return pointers;
}

/// What an axis pointer names: a parameter, whole or one number of an [h, w] list that the document gives, or
/// the network, whose values are names in /networks.
struct AxisTarget {
    const Parameter* parameter = nullptr;
    bool element = false;
    bool network = false;
    explicit operator bool() const { return parameter != nullptr || network; }
};

AxisTarget findAxisTarget(const Json& expanded, const std::string& pointer) {
    if (pointer.starts_with("/sampling"))
        return {};
    if (pointer == kNetwork && valueAt(expanded, kNetworks))
        return {nullptr, false, true};
    if (const Parameter* parameter = parameterAt(expanded, pointer))
        return {canVary(*parameter) ? parameter : nullptr, false};
    const std::size_t slash = pointer.rfind('/');
    if (slash == std::string::npos || slash == 0 || !valueAt(expanded, pointer))
        return {};
    const Parameter* parameter = parameterAt(expanded, pointer.substr(0, slash));
    const bool isList =
        parameter && (parameter->type == ParameterType::Extent || parameter->type == ParameterType::Padding ||
                      parameter->type == ParameterType::Shape);
    return {isList ? parameter : nullptr, true};
}

void refusePointer(const Json& expanded, const std::string& axis, const std::string& pointer,
                   Findings& findings) {
    const std::string allowed = "pointers to parameters, such as " + axisCandidates(expanded).at(1);
    if (pointersOverlap(pointer, "/axes"))
        return findings.error(axisPointer(axis), "an axis cannot vary the axes themselves", allowed);
    if (pointersOverlap(pointer, "/targets") || pointersOverlap(pointer, "/sampling"))
        return findings.error(axisPointer(axis), "an axis cannot vary \"" + pointer + "\"", allowed,
                              "list several targets in \"targets\"; sampling is one for the whole study");
    findings.error(axisPointer(axis), "\"" + pointer + "\" names no parameter of this experiment", allowed,
                   suggestion(pointer, axisCandidates(expanded)));
}

void checkNetworkName(const Json& expanded, const Json& value, const std::string& place, Findings& findings) {
    std::vector<std::string> names;
    for (const auto& [name, network] : expanded.at(std::string(kNetworks).substr(1)).items())
        names.push_back(name);
    if (!value.is_string())
        findings.error(place, foundText(value), quotedList(names));
    else if (const auto& name = value.get_ref<const std::string&>();
             std::find(names.begin(), names.end(), name) == names.end())
        findings.error(place, foundText(value), quotedList(names), suggestion(name, names));
}

void checkAxisValue(const Json& expanded, const AxisTarget& target, const Json& value,
                    const std::string& place, Findings& findings) {
    if (target.network)
        return checkNetworkName(expanded, value, place, findings);
    if (!target.element)
        return checkParameterValue(*target.parameter, value, place, findings);
    Parameter single = *target.parameter;
    single.type = ParameterType::Integer;
    checkParameterValue(single, value, place, findings);
}

void checkAxisValues(const Json& expanded, const std::string& axis, const Json& values, Findings& findings) {
    const std::string place = axisPointer(axis);
    if (!values.is_array() || values.empty())
        return findings.error(place, foundText(values), "a list of at least one value");
    if (values.size() > SpecLimits::kMaxPoints)
        return findings.error(place, "the axis has " + std::to_string(values.size()) + " values",
                              "at most " + std::to_string(SpecLimits::kMaxPoints));
    for (const std::string& pointer : axisPointers(axis)) {
        const AxisTarget target = findAxisTarget(expanded, pointer);
        for (std::size_t i = 0; i < values.size() && !findings.full(); ++i)
            checkAxisValue(expanded, target, values[i], childPointer(place, i), findings);
    }
}

/// 2 and 2.0 are one whole number; what is none stays as it is.
Json wholeForm(const Json& value) {
    const auto whole = wholeNumber(value);
    return whole ? Json(*whole) : value;
}

/// A list of so many whole numbers, of which a single one stands for all and two of four for both sides each.
Json wholeListForm(const Json& value, std::size_t size) {
    if (!value.is_array())
        return Json(Json::array_t(size, wholeForm(value)));
    Json list = Json::array();
    const std::size_t each = std::max<std::size_t>(1, size / std::max<std::size_t>(1, value.size()));
    for (const Json& item : value)
        for (std::size_t i = 0; i < each; ++i)
            list.push_back(wholeForm(item));
    return list;
}

/// -0 is 0, and 1 is 1.0.
Json numberForm(const Json& value) {
    return value.is_number() ? Json(value.get<double>() + 0.0) : value;
}

Json numbersForm(const Json& value) {
    if (!value.is_array())
        return Json::array({numberForm(value)});
    Json list = Json::array();
    for (const Json& item : value)
        list.push_back(numberForm(item));
    return list;
}

/// The one way to write what a checked value means there: equal exactly when the meanings are.
Json normalForm(const AxisTarget& target, const Json& value) {
    if (target.network || value.is_null())
        return value;
    if (target.element)
        return wholeForm(value);
    switch (target.parameter->type) {
    case ParameterType::Integer:
        return wholeForm(value);
    case ParameterType::Number:
        return numberForm(value);
    case ParameterType::Extent:
        return wholeListForm(value, 2);
    case ParameterType::Padding:
        return wholeListForm(value, 4);
    case ParameterType::Shape:
        return wholeListForm(value, value.size());
    case ParameterType::Numbers:
        return numbersForm(value);
    default:
        return value;
    }
}

/// Points of one meaning would be taken for one another when their runs are compared.
void checkRepeats(const Json& expanded, const std::string& axis, const Json& values, Findings& findings) {
    std::map<std::string, std::size_t> seen;
    for (std::size_t i = 0; i < values.size() && !findings.full(); ++i) {
        std::string meaning;
        for (const std::string& pointer : axisPointers(axis))
            meaning += normalForm(findAxisTarget(expanded, pointer), values[i]).dump() + '\n';
        const auto [before, isNew] = seen.emplace(std::move(meaning), i);
        if (isNew)
            continue;
        const Json& first = values[before->second];
        const std::string text = shortText(values[i]);
        findings.error(childPointer(axisPointer(axis), i),
                       first == values[i] && first.dump() == values[i].dump()
                           ? "the value " + text + " is listed twice"
                           : "the value " + text + " means the same as " + shortText(first) + ", value " +
                                 std::to_string(before->second) + " of the list",
                       "each value once", "remove one of the two");
    }
}

void checkOverlaps(const std::vector<std::pair<std::string, std::string>>& pointers, Findings& findings) {
    for (std::size_t i = 0; i < pointers.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (pointersOverlap(pointers[i].first, pointers[j].first))
                findings.error(axisPointer(pointers[i].second),
                               "\"" + pointers[i].first + "\" is already set by the axis \"" +
                                   pointers[j].second + "\"",
                               "each parameter in one axis at most", "remove one of the two axes");
}

bool checkAxisPointers(const Json& expanded, Findings& findings) {
    std::vector<std::pair<std::string, std::string>> known;
    bool good = true;
    for (const auto& [axis, values] : expanded.at("axes").items())
        for (const std::string& pointer : axisPointers(axis)) {
            if (findAxisTarget(expanded, pointer)) {
                known.emplace_back(pointer, axis);
            } else {
                refusePointer(expanded, axis, pointer, findings);
                good = false;
            }
        }
    checkOverlaps(known, findings);
    return good;
}

void checkPointCount(const Json& expanded, Findings& findings) {
    std::size_t points = 1;
    for (const auto& [axis, values] : expanded.at("axes").items())
        points = std::min(points * values.size(),
                          SpecLimits::kMaxPoints + 1); // each factor is bounded: no overflow
    if (points > SpecLimits::kMaxPoints)
        findings.error("/axes",
                       "the axes span more than " + std::to_string(SpecLimits::kMaxPoints) + " points",
                       "at most " + std::to_string(SpecLimits::kMaxPoints) + " points", "list fewer values");
    const Json* rows = valueAt(expanded, "/pooling/input/values");
    if (rows && rows->is_array() && !rows->empty() &&
        points * rows->size() * (*rows)[0].size() > kMaxCellsOfAllPoints)
        findings.error("/axes",
                       "the axes span " + std::to_string(points) + " points of a large typed-in matrix",
                       "fewer points, or a smaller matrix", "store the matrix in a .npy file");
}

/// A finding at a point is about the axis value that made it, when an axis set that parameter.
void reportAtPoint(const Diagnostic& finding, const std::vector<Axis>& axes, const AxisCounter& counter,
                   Findings& findings) {
    std::string where;
    std::string pointer = finding.pointer;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        where += (where.empty() ? "at " : ", ") + axes[i].pointer + " = " +
                 shortText(axes[i].values[counter.at(i)]);
        for (const std::string& part : axisPointers(axes[i].pointer))
            if (pointersOverlap(part, finding.pointer))
                pointer = childPointer(axisPointer(axes[i].pointer), counter.at(i));
    }
    const std::string message = where.empty() ? finding.message : finding.message + " (" + where + ")";
    findings.error(pointer, message, finding.allowed, finding.advice);
}

} // namespace

bool AxisCounter::next() {
    for (std::size_t axis = m_sizes.size(); axis-- > 0;) {
        if (++m_index[axis] < m_sizes[axis])
            return true;
        m_index[axis] = 0;
    }
    return false;
}

void setAxisValue(Json& document, const std::string& axis, const Json& value) {
    for (const std::string& pointer : axisPointers(axis)) {
        const Json* named =
            pointer == kNetwork && value.is_string()
                ? valueAt(document, childPointer(kNetworks, value.get_ref<const std::string&>()))
                : nullptr;
        const Json copy = named ? *named : value;
        setValueAt(document, pointer, copy);
    }
}

Json experimentAt(const Json& experiment, const Json& point) {
    Json document = experiment;
    if (!document.is_object())
        return document;
    document.erase("axes");
    for (const auto& [axis, value] : point.items())
        setAxisValue(document, axis, value);
    return document;
}

namespace {

/// The pointers and values of "axes", in place: an axis may have a million values. Empty where it is none.
const Json& axesOf(const Json& document) {
    static const Json none = Json::object();
    const Json* object = valueAt(document, "/axes");
    return object && object->is_object() ? *object : none;
}

} // namespace

std::vector<Axis> readAxes(const Json& document) {
    std::vector<Axis> axes;
    for (const auto& [pointer, values] : axesOf(document).items())
        axes.push_back({pointer, std::vector<Json>(values.begin(), values.end())});
    return axes;
}

bool choosesNetwork(const Json& document) {
    for (const auto& [pointer, values] : axesOf(document).items())
        for (const std::string& part : axisPointers(pointer))
            if (part == kNetwork)
                return true;
    return false;
}

std::optional<Axis> axisOver(const Json& document, const std::string& pointer) {
    for (const auto& [axis, values] : axesOf(document).items())
        for (const std::string& part : axisPointers(axis))
            if (part == pointer || part.starts_with(pointer + "/"))
                return Axis{axis, std::vector<Json>(values.begin(), values.end())};
    return std::nullopt;
}

void checkAxes(const Json& expanded, Findings& findings) {
    const Json* axes = valueAt(expanded, "/axes");
    if (!axes)
        return;
    if (!axes->is_object())
        return findings.error("/axes", foundText(*axes), "an object: JSON pointer to list of values");
    if (axes->size() > kMaxAxes)
        return findings.error("/axes", "found " + std::to_string(axes->size()) + " axes",
                              "at most " + std::to_string(kMaxAxes));
    if (!checkAxisPointers(expanded, findings))
        return;
    for (const auto& [axis, values] : axes->items()) {
        const std::size_t before = findings.all().size();
        checkAxisValues(expanded, axis, values, findings);
        if (findings.all().size() == before)
            checkRepeats(expanded, axis, values, findings);
    }
    if (!findings.hasErrors())
        checkPointCount(expanded, findings);
}

void checkPoints(const Json& expanded, Findings& findings) {
    const std::vector<Axis> axes = readAxes(expanded);
    std::vector<std::size_t> sizes;
    sizes.reserve(axes.size());
    for (const Axis& axis : axes)
        sizes.push_back(axis.values.size());
    AxisCounter counter(sizes);
    Json document = expanded;
    std::set<std::pair<std::string, std::string>> said; // a mistake without the point at which it showed
    ExperimentSpec spec;
    do {
        for (std::size_t i = 0; i < axes.size(); ++i)
            setAxisValue(document, axes[i].pointer, axes[i].values[counter.at(i)]);
        readParameters(document, spec);
        Findings atPoint;
        checkCombination(spec, atPoint);
        for (const Diagnostic& finding : atPoint.all())
            if (said.emplace(finding.pointer, finding.message).second)
                reportAtPoint(finding, axes, counter, findings);
    } while (!findings.full() && counter.next());
}

} // namespace heteroscope::compute
