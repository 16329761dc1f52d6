// SPDX-License-Identifier: Apache-2.0
// Why an implementation does not compute an operation, as backends say it (Candidate::refusal) and
// profiling/analysis/recorded_phrase makes it again, to be said in the window's language. Values; any thread.
#pragma once

#include "compute/base/phrase.h"

namespace heteroscope::refusal_words {

// Of every backend.
inline constexpr const char *kAfter = words("comes after %1"), *kAsked = words("asked for by ?impl="),
                            *kOtherAsked = words("?impl= asks for another");

// Of devices.
inline constexpr const char
    *kNoDriver = words("no NVIDIA driver found (libcuda.so.1 is not there)"),
    *kOldDriver =
        words("the NVIDIA driver supports CUDA %1, this program needs %2 or newer: update the driver"),
    *kDriverAlone = words("the NVIDIA driver finds no device (look at nvidia-smi and CUDA_VISIBLE_DEVICES)");

// Of pooling.
inline constexpr const char *
    kPool2x2 = words("it computes maxima of windows 2x2 with stride 2 alone"),
   *kPool2x2NoPadding = words("it computes maxima of windows 2x2 with stride 2 and without padding alone"),
   *kPool3x3 = words("it computes maxima of windows 3x3 with stride 1 or 2 alone"),
   *kPadsOne = words("it pads with at most 1, by minus infinity"),
   *kWindowsLeave = words("windows leave the input"),
   *kShortRows = words("rows have %1 windows, fewer than a vector of %2"),
   *kRowsMultiple = words("rows have %1 windows, not a multiple of %2 below %3"),
   *kInCache = words("input and output fit into the last-level cache"),
   *kBlocksAlone = words("it computes images in blocks of 16 channels alone, which trainings keep where all "
                         "convolutions fill them"),
   *kOneDnnPads = words("oneDNN pads max pooling with minus infinity only, not with zero"),
   *kCudnnPadsAlike = words("cuDNN pads both sides alike; give equal padding left and right, top and bottom"),
   *kCudnnPadsInfinity =
       words("cuDNN pads maxima with minus infinity; zero padding is for the other implementations");

// Of convolutions and products.
inline constexpr const char *kGroups = words("it takes as many groups as channels"),
                            *kOneFilter = words("it takes the gradient of a single filter for each channel"),
                            *kStrideOne = words("it takes gradients of strides of 1"),
                            *kDirectFaster = words("conv_direct is expected to take %1 of its time"),
                            *kTransposedA = words("it reads rows of A, which is transposed"),
                            *kDepths = words("it is for depths of %1 and more"),
                            *kFewColumns = words(
                                "it is for %1 columns and fewer, or %2 rows and fewer by a transposed B"),
                            *kPointwiseUnpadded = words("it takes 1x1 kernels, strides of 1 and no padding"),
                            *kPointwise = words("it takes 1x1 kernels"),
                            *kKernelElements = words("it takes kernels of at most 256 elements"),
                            *kSmallWindows = words("it takes 3x3 and 5x5 kernels, strides and dilations of 1 "
                                                   "and one group"),
                            *kTransforms = words("it rounds more than sums of products do: ?transforms=on "
                                                 "admits it"),
                            *kSmallDense = words("it takes batches of at most %1, %2 inputs and %3 units");

// Of several operations computed as one.
inline constexpr const char *kNotAsOne = words("it does not compute these operations as one"),
                            *kResultWanted = words("a result in between is wanted"),
                            *kOtherFaster = words("another kernel, with the pooling after it, is faster"),
                            *kOnlyRelu = words("it computes only a ReLU after this operation as one with it"),
                            *kOnlyConvRelu =
                                words("it computes only a convolution with a ReLU after it as one");

} // namespace heteroscope::refusal_words
