// SPDX-License-Identifier: Apache-2.0
#include "compute/model/transform_type.h"

#include "compute/model/parameter_make.h"

namespace heteroscope::compute {
namespace {

constexpr double kMostPixels = 8192; ///< a side of an image that a network takes

std::vector<TransformType> allTypes() {
    Parameter mean = plain(ParameterType::Numbers,
                           {"mean", "Mean", "Of each channel; left out, that of the training images."}, {});
    Parameter deviation =
        plain(ParameterType::Numbers,
              {"deviation", "Deviation", "Of each channel; left out, that of the training images."}, {});
    deviation.min = 1e-6;
    return {
        {"resize",
         "Resize",
         "To a height and width, by a triangle filter that averages where images shrink.",
         false,
         {extent({"size", "Size", "Of the new image: one number, or [height, width]."}, 32, 1, kMostPixels)}},
        {"normalize",
         "Normalise",
         "Each channel less its mean, divided by its deviation.",
         false,
         {std::move(mean), std::move(deviation)}},
        {"flip",
         "Flip",
         "Left and right change places in some images.",
         true,
         {number({"probability", "Probability", "Share of the images that are flipped."}, 0.5, 0, 1, "")}},
        {"rotate",
         "Rotate",
         "About the middle by a random angle; corners that come in are 0.",
         true,
         {number({"degrees", "Largest angle", "Angles are drawn from minus this to this."}, 5, 0, 180,
                 "degrees")}},
        {"crop",
         "Padded crop",
         "Zeros are put around the image, and a part of its size is cut out at a random place.",
         true,
         {integer({"padding", "Padding", "Rows and columns of zeros on each side."}, 2, 0, kMostPixels,
                  "elements")}}};
}

} // namespace

std::span<const TransformType> transformTypes() {
    static const std::vector<TransformType> types = allTypes();
    return types;
}

const TransformType* findTransformType(std::string_view id) {
    for (const TransformType& type : transformTypes())
        if (type.id == id)
            return &type;
    return nullptr;
}

} // namespace heteroscope::compute
