// SPDX-License-Identifier: Apache-2.0
#include "app/cli/given_tensors.h"

namespace heteroscope::cli {

using compute::NpyArray;
using compute::NpzArrays;

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t size : shape)
        text += (text.empty() ? "" : "x") + std::to_string(size);
    return text.empty() ? "a single number" : text;
}

Result<const NpyArray*> tensor(const NpzArrays& tensors, const std::string& name) {
    const auto found = tensors.find(name);
    if (found != tensors.end())
        return &found->second;
    std::string given;
    for (const auto& [key, array] : tensors)
        given += (given.empty() ? "" : ", ") + key;
    return badInput("--tensors", "there is no tensor '" + name + "'", {}, "the file holds: " + given);
}

Result<const NpyArray*> tensorOfShape(const NpzArrays& tensors, const std::string& name,
                                      const std::vector<std::int64_t>& shape) {
    auto found = tensor(tensors, name);
    if (found && (*found)->shape != shape)
        return badInput("tensor '" + name + "'", "its shape is " + shapeText((*found)->shape),
                        shapeText(shape));
    return found;
}

} // namespace heteroscope::cli
