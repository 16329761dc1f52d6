// SPDX-License-Identifier: Apache-2.0
// The catalogue of transforms of images: forms, JSON checks and documentation come from it. Any thread.
#pragma once

#include "compute/model/parameter_schema.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::compute {

struct TransformType {
    std::string id;    ///< "rotate": the JSON "type"
    std::string label; ///< "Rotate"
    std::string help;
    bool random = false; ///< changes training images in every epoch anew; others are done once
    std::vector<Parameter> parameters;
};

/// In the order of TransformKind.
std::span<const TransformType> transformTypes();
/// nullptr when there is none.
const TransformType* findTransformType(std::string_view id);

} // namespace heteroscope::compute
