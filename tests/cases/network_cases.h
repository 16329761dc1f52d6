// SPDX-License-Identifier: Apache-2.0
// The one list of problems of networks' operations that every implementation is tried on.
#pragma once

#include "compute/core/op.h"

#include <string>
#include <vector>

namespace heteroscope::compute {

struct NetworkCase {
    std::string name; ///< with the operation's name unique; tables of exceptions refer to it
    Op op;
    float scale = 1; ///< the first operand's values are multiplied by it
    int step = 1;    ///< Adam: whose corrections are given
    float shift = 0; ///< added to the first operand's values
};

/// Every operation of networks but pooling and the matrix product, which have lists of their own.
const std::vector<NetworkCase>& networkCases();

/// "conv2d.forward: k3 p1"
std::string caseTitle(const NetworkCase& one);

/// For each output the input whose memory it may be, or -1; empty when no output may share.
std::vector<int> sharedOperands(const Op& op);

} // namespace heteroscope::compute
