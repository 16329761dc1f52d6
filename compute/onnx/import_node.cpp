// SPDX-License-Identifier: Apache-2.0
// The sorted table of operators.
#include "compute/onnx/importer.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace heteroscope::compute {
namespace {

struct Operator {
    std::string_view type;
    NodeImport import;
};

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
    Operator{"HardSwish", importPlainActivation},
    Operator{"Identity", importIdentity},
    Operator{"LayerNormalization", importLayerNormalization},
    Operator{"LeakyRelu", importLeakyRelu},
    Operator{"MatMul", importMatMul},
    Operator{"MaxPool", importMaxPool},
    Operator{"Mul", importMul},
    Operator{"Pad", importPad},
    Operator{"ReduceMean", importReduceMean},
    Operator{"Relu", importPlainActivation},
    Operator{"Reshape", importReshape},
    Operator{"Shape", importShape},
    Operator{"Sigmoid", importPlainActivation},
    Operator{"Softmax", importSoftmax},
    Operator{"Squeeze", importSqueeze},
    Operator{"Sum", importAdd},
    Operator{"Tanh", importPlainActivation},
    Operator{"Transpose", importTranspose},
    Operator{"Unsqueeze", importSqueeze},
};

std::string knownOperators() {
    std::string text;
    for (const Operator& known : kOperators)
        text += (text.empty() ? "" : ", ") + std::string(known.type);
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
    const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                    [&](const Operator& known) { return known.type == node.type(); });
    if (found == kOperators.end() || !node.isStandard())
        return node.refuse("no layer does what this operator does", knownOperators(), adviceFor(node.type()));
    if (node.inputs() == 0 && node.type() != "Constant")
        return node.refuse("it has no input");
    return found->import(importer, node);
}

} // namespace heteroscope::compute
