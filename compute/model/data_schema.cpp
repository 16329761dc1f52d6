// SPDX-License-Identifier: Apache-2.0
#include "compute/model/data_schema.h"

#include "compute/model/parameter_make.h"

namespace heteroscope::compute {
namespace {

using Sources = std::vector<std::string>;

constexpr const char* kSource = "/data/source";
constexpr double kMostExamples = 1e9;

/// A parameter of some sources only.
Parameter of(const Sources& sources, Parameter parameter) {
    return when(std::move(parameter), kSource, sources);
}

Parameter file(const Sources& sources, ParameterText text) {
    return of(sources, plain(ParameterType::File, text, ""));
}

Parameter folder(const Sources& sources, ParameterText text) {
    return of(sources, plain(ParameterType::Folder, text, ""));
}

Parameter sourceChoice() {
    std::vector<std::string> choices{"synthetic"};
    choices.insert(choices.end(), datasetSources().begin(), datasetSources().end());
    return choice({"source", "Source",
                   "synthetic: one made-up batch from the seed, for timing steps. idx: files of the MNIST "
                   "family. cifar10, cifar100: their binary files. image_folder: one folder a class. csv: a "
                   "table. npy: NumPy arrays. shapes, brain_slices, irradiance_maps, irradiance_table: "
                   "examples drawn from the seed."},
                  std::move(choices));
}

std::vector<Parameter> fileParameters() {
    const Sources pairs{"idx", "npy"};
    return {
        file(pairs, {"images", "Training images",
                     "IDX file, may be compressed with gzip; or .npy array, examples first, or "
                     "\"file.npz:name\". Relative to the experiment file."}),
        file(pairs, {"labels", "Training labels",
                     "IDX file with one byte an image; or .npy array with a number or row an example."}),
        file(pairs, {"test_images", "Test images", "Never trained on; a share of the others when empty."}),
        file(pairs, {"test_labels", "Test labels", "As the training labels, for the test images."}),
        folder({"cifar10", "cifar100", "image_folder"},
               {"folder", "Folder",
                "CIFAR: data_batch_1.bin and so on, or train.bin. image_folder: one folder a class, in "
                "order of their names, with PNG, JPEG, BMP or PGM files."}),
        folder({"image_folder"},
               {"test_folder", "Test folder", "The same classes; a share of the others when empty."}),
        file({"csv"}, {"file", "Table", "Text with one example a line; relative to the experiment file."}),
        file({"csv"}, {"test_file", "Test table", "The same columns; a share of the others when empty."})};
}

std::vector<Parameter> tableParameters() {
    const Sources csv{"csv"};
    return {
        of(csv, choice({"separator", "Separator", "What stands between the cells of a line."},
                       {"comma", "semicolon", "tab", "space"})),
        of(csv, boolean({"header", "Header line", "The first line names the columns."}, true)),
        of(csv, plain(ParameterType::Text,
                      {"features", "Feature columns",
                       "Names or numbers from 1, with commas; 2-5 is a range. Empty: all but the target."},
                      "")),
        of(csv, plain(ParameterType::Text,
                      {"target", "Target column", "Name or number from 1. Empty: the last column."}, "")),
        of({"csv", "npy"},
           choice({"targets", "Targets", "classes: each different value is a class. numbers: a regression."},
                  {"classes", "numbers"}))};
}

std::vector<Parameter> drawnParameters() {
    const Sources drawn{"shapes", "brain_slices", "irradiance_maps", "irradiance_table"};
    return {of(drawn, integer({"count", "Examples", "How many are drawn to train and validate with."}, 1000,
                              2, 1e7)),
            of(drawn, integer({"test_count", "Test examples", "How many more are drawn to test with."}, 200,
                              0, 1e7)),
            of({"shapes"}, integer({"classes", "Classes", "How many different shapes there are."}, 4, 2, 10)),
            of(datasetSources(),
               integer({"seed", "Seed of the data", "Of drawn examples and of a shuffled split."}, 1, 0,
                       4294967295.0))};
}

std::vector<Parameter> splitParameters() {
    return {
        of({"idx", "cifar10", "cifar100", "csv", "npy"},
           choice({"split", "Split",
                   "end: validation and test examples are the last ones of the files, as a forecast needs "
                   "it. shuffled: drawn from the seed. Folders of images are always shuffled."},
                  {"end", "shuffled"})),
        of(datasetSources(),
           number({"validation_share", "Validation share",
                   "Share of the training images, from their end, that is kept apart to watch the training."},
                  0.1, 0, 0.9, "")),
        of({"image_folder", "csv", "npy", "idx", "cifar10", "cifar100"},
           number({"test_share", "Test share",
                   "Share of the training images that is kept to test with when no test files are given."},
                  0, 0, 0.9, "")),
        of(datasetSources(), integer({"training_limit", "Training images used",
                                      "The first so many; 0 for all. Validation takes its share of them."},
                                     0, 0, kMostExamples)),
        of(datasetSources(), integer({"test_limit", "Test images used", "The first so many; 0 for all."}, 0,
                                     0, kMostExamples))};
}

std::vector<Parameter> valueParameters() {
    return {
        of(datasetSources(),
           number({"mean", "Mean",
                   "Taken off all values. Pixels of files lie between 0 and 1 before, numbers are as given."},
                  0, -1e6, 1e6, "")),
        of(datasetSources(), number({"deviation", "Deviation", "What all values are divided by after that."},
                                    1, 1e-3, 1e6, "")),
        of(datasetSources(),
           plain(ParameterType::Transforms,
                 {"transforms", "Transforms",
                  "What happens to each image, in this order. Random ones change training images in every "
                  "epoch anew and leave validation and test images alone."},
                 Json::array()))};
}

} // namespace

const std::vector<std::string>& datasetSources() {
    static const Sources sources{"idx", "cifar10", "cifar100",     "image_folder",    "csv",
                                 "npy", "shapes",  "brain_slices", "irradiance_maps", "irradiance_table"};
    return sources;
}

ParameterGroup dataGroup() {
    ParameterGroup group{"/data", "Data", {sourceChoice()}};
    for (auto* part :
         {&fileParameters, &tableParameters, &drawnParameters, &splitParameters, &valueParameters})
        for (Parameter& parameter : part())
            group.parameters.push_back(std::move(parameter));
    return group;
}

} // namespace heteroscope::compute
