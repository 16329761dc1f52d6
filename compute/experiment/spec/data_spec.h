// SPDX-License-Identifier: Apache-2.0
// /data of an experiment as typed values: where a network's examples come from and what happens to them.
// Plain values; any thread.
#pragma once

#include "compute/core/op.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heteroscope::compute {

enum class DataSource {
    Synthetic, ///< one made-up batch: no dataset
    Idx,
    Cifar10,
    Cifar100,
    ImageFolder,
    Csv,
    Npy,
    Shapes,
    BrainSlices,
    IrradianceMaps,
    IrradianceTable
};

enum class TargetKind { Classes, Numbers };
enum class SplitOrder { End, Shuffled };
enum class Separator { Comma, Semicolon, Tab, Space };

/// As transform_type.h lists them.
enum class TransformKind { Resize, Normalize, Flip, Rotate, Crop };

/// Batches of a training that are filled anew in each epoch, by random transforms, are so many: one in use,
/// the others ahead of it.
inline constexpr std::size_t kBatchesAhead = 3;

struct TransformSpec {
    TransformKind kind = TransformKind::Resize;
    Extent2d size{32, 32};               ///< Resize
    std::vector<double> mean, deviation; ///< Normalize: one for all channels, or one each; empty: measured
    double probability = 0.5;            ///< Flip
    double degrees = 5;                  ///< Rotate
    std::int64_t padding = 2;            ///< Crop

    bool isRandom() const { return kind >= TransformKind::Flip; }
    bool operator==(const TransformSpec&) const = default;
};

/// Paths are relative to the experiment file.
struct DataSpec {
    DataSource source = DataSource::Synthetic;
    std::string images, labels, testImages, testLabels; ///< Idx, Npy
    std::string folder, testFolder;                     ///< Cifar10, Cifar100, ImageFolder
    std::string file, testFile;                         ///< Csv, as the next five
    Separator separator = Separator::Comma;
    bool header = true;
    std::string features, target;               ///< columns; empty: all but the target, and the last one
    TargetKind targets = TargetKind::Classes;   ///< Csv, Npy
    std::int64_t count = 1000, testCount = 200; ///< of examples that are drawn
    std::int64_t classes = 4;                   ///< Shapes
    std::uint32_t seed = 1;
    SplitOrder split = SplitOrder::End;
    double validationShare = 0.1, testShare = 0.0;
    std::int64_t trainingLimit = 0, testLimit = 0; ///< 0: all
    double mean = 0.0, deviation = 1.0; ///< of pixels of files between 0 and 1, of numbers as given
    std::vector<TransformSpec> transforms;

    bool isDataset() const { return source != DataSource::Synthetic; }
    bool isDrawn() const { return source >= DataSource::Shapes; }
    /// Whether targets are numbers to come close to, not classes.
    bool isRegression() const {
        if (source == DataSource::Csv || source == DataSource::Npy)
            return targets == TargetKind::Numbers;
        return source >= DataSource::IrradianceMaps;
    }
};

} // namespace heteroscope::compute
