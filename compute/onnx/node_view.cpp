// SPDX-License-Identifier: Apache-2.0
#include "compute/onnx/node_view.h"

#include <charconv>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMostShown = 100; // bytes of a name, numbers of a list

std::string shown(const std::string& text) {
    return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

} // namespace

double asWritten(float value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, value);
    double number = value;
    std::from_chars(text, end.ptr, number);
    return number;
}

std::string listText(const std::vector<std::int64_t>& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size() && i < kMostShown; ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
    return text + (values.size() > kMostShown ? ", ...]" : "]");
}

const onnx::AttributeProto* NodeView::find(const char* key) const {
    for (const onnx::AttributeProto& attribute : m_node.attribute())
        if (attribute.name() == key)
            return &attribute;
    return nullptr;
}

const onnx::AttributeProto* NodeView::ask(const char* key, onnx::AttributeProto::AttributeType type) {
    m_asked.insert(key);
    const onnx::AttributeProto* attribute = find(key);
    if (attribute == nullptr || attribute->type() == type)
        return attribute;
    if (!m_error)
        m_error = refuseAttribute(key, onnx::AttributeProto::AttributeType_Name(attribute->type()),
                                  onnx::AttributeProto::AttributeType_Name(type));
    return nullptr;
}

std::int64_t NodeView::whole(const char* key, std::int64_t otherwise) {
    const auto* attribute = ask(key, onnx::AttributeProto::INT);
    return attribute == nullptr ? otherwise : attribute->i();
}

double NodeView::number(const char* key, double otherwise) {
    const auto* attribute = ask(key, onnx::AttributeProto::FLOAT);
    return attribute == nullptr ? otherwise : asWritten(attribute->f());
}

std::string NodeView::text(const char* key, const std::string& otherwise) {
    const auto* attribute = ask(key, onnx::AttributeProto::STRING);
    return attribute == nullptr ? otherwise : attribute->s();
}

std::vector<std::int64_t> NodeView::wholes(const char* key, std::vector<std::int64_t> otherwise) {
    const auto* attribute = ask(key, onnx::AttributeProto::INTS);
    if (attribute == nullptr)
        return otherwise;
    return {attribute->ints().begin(), attribute->ints().end()};
}

const onnx::TensorProto* NodeView::tensor(const char* key) {
    const auto* attribute = ask(key, onnx::AttributeProto::TENSOR);
    return attribute == nullptr ? nullptr : &attribute->t();
}

void NodeView::mustBe(const char* key, std::int64_t value) {
    const std::int64_t found = whole(key, value);
    if (found != value && !m_error)
        m_error = refuseAttribute(key, std::to_string(found), std::to_string(value));
}

Status NodeView::finish() const {
    if (m_error)
        return *m_error;
    std::set<std::string> given;
    for (const onnx::AttributeProto& attribute : m_node.attribute())
        if (!given.insert(attribute.name()).second)
            return refuse("it has the attribute '" + shown(attribute.name()) + "' twice", "each once");
    for (const onnx::AttributeProto& attribute : m_node.attribute())
        if (!m_asked.contains(attribute.name())) {
            std::string known;
            for (const std::string& key : m_asked)
                known += (known.empty() ? "" : ", ") + key;
            return refuse("attribute '" + shown(attribute.name()) + "' is not known here",
                          known.empty() ? "no attribute" : known);
        }
    return {};
}

std::string NodeView::where() const {
    const std::string which = name().empty() ? std::to_string(m_index + 1) : "'" + shown(name()) + "'";
    return m_file + ", node " + which + " (" + shown(type()) + ")";
}

Error NodeView::refuse(std::string message, std::string allowed, std::string advice) const {
    return badInput(where(), std::move(message), std::move(allowed), std::move(advice));
}

Error NodeView::refuseAttribute(const char* key, const std::string& found, std::string allowed) const {
    return refuse(std::string("attribute '") + key + "' is " + shown(found), std::move(allowed));
}

} // namespace heteroscope::compute
