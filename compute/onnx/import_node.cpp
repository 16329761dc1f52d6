// SPDX-License-Identifier: Apache-2.0
// The sorted table of operators.
#include "compute/core/ops/activation.h"
#include "compute/onnx/importer.h"

#include <array>
#include <set>
#include <string>
#include <string_view>

namespace heteroscope::compute {
namespace {

struct Operator {
    std::string_view type;
    NodeImport import;
};

/// Besides those that an activation names (ActivationTraits::onnxOperator).
constexpr std::array kOperators{
    Operator{"Add", importAdd},
    Operator{"AveragePool", importAveragePool},
    Operator{"BatchNormalization", importBatchNormalization},
    Operator{"Cast", importCast},
    Operator{"Clip", importClip},
    Operator{"Concat", importConcat},
    Operator{"Constant", importConstant},
    Operator{"Conv", importConv},
    Operator{"Dropout", importDropout},
    Operator{"Flatten", importFlatten},
    Operator{"Gather", importGather},
    Operator{"Gelu", importGelu},
    Operator{"Gemm", importGemm},
    Operator{"GlobalAveragePool", importGlobalAveragePool},
    Operator{"HardSigmoid", importHardSigmoid},
    Operator{"Identity", importIdentity},
    Operator{"LayerNormalization", importLayerNormalization},
    Operator{"LeakyRelu", importLeakyRelu},
    Operator{"MatMul", importMatMul},
    Operator{"MaxPool", importMaxPool},
    Operator{"Mul", importMul},
    Operator{"Pad", importPad},
    Operator{"ReduceMean", importReduceMean},
    Operator{"Reshape", importReshape},
    Operator{"Shape", importShape},
    Operator{"Softmax", importSoftmax},
    Operator{"Squeeze", importSqueeze},
    Operator{"Sum", importAdd},
    Operator{"Transpose", importTranspose},
    Operator{"Unsqueeze", importSqueeze},
};

NodeImport importOf(std::string_view type) {
    for (const Operator& known : kOperators)
        if (known.type == type)
            return known.import;
    for (const ActivationTraits& traits : kActivations)
        if (traits.onnxOperator == type)
            return importPlainActivation;
    return nullptr;
}

std::string knownOperators() {
    std::set<std::string_view> types;
    for (const Operator& known : kOperators)
        types.insert(known.type);
    for (const ActivationTraits& traits : kActivations)
        if (*traits.onnxOperator != '\0')
            types.insert(traits.onnxOperator);
    std::string text;
    for (const std::string_view type : types)
        text += (text.empty() ? "" : ", ") + std::string(type);
    return text;
}

/// Of what exporters make of functions that newer sets have operators for.
std::string adviceFor(std::string_view type) {
    const bool isPart = type == "Erf" || type == "Div" || type == "Pow" || type == "Sub" || type == "Sqrt";
    return isPart
               ? "part of a GELU, hard swish or layer normalisation? Export again with an operator set that "
                 "has them: 20, 14 or 17"
               : "";
}

} // namespace

Status importNode(Importer& importer, NodeView& node) {
    const NodeImport import = importOf(node.type());
    if (import == nullptr || !node.isStandard())
        return node.refuse("no layer does what this operator does", knownOperators(), adviceFor(node.type()));
    if (node.inputs() == 0 && node.type() != "Constant")
        return node.refuse("it has no input");
    return import(importer, node);
}

} // namespace heteroscope::compute
