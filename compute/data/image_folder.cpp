// SPDX-License-Identifier: Apache-2.0
// One folder a class, in the order of their names; files in the order of theirs.
#include "compute/base/checked_math.h"
#include "compute/data/example_set.h"
#include "compute/data/image.h"
#include "compute/data/transforms.h"

#include <algorithm>
#include <limits>

namespace heteroscope::compute {
namespace {

constexpr std::size_t kMostClasses = 10000, kMostFiles = 10000000;

struct LabelledFile {
    std::filesystem::path path;
    std::size_t label;
};

bool isImage(const std::filesystem::path& file) {
    std::string suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    static const std::string kKnown[] = {".png", ".jpg", ".jpeg", ".bmp", ".pgm", ".ppm"};
    return std::find(std::begin(kKnown), std::end(kKnown), suffix) != std::end(kKnown);
}

/// A path and its parts, twice: in the list of its folder and in that of all, while these grow.
std::int64_t bytesOfPath(const std::filesystem::path& path) {
    constexpr std::int64_t kBytes = 512, kBytesPerCharacter = 4;
    return kBytes + kBytesPerCharacter * static_cast<std::int64_t>(path.native().size());
}

/// Folders, or whatever has an image's name, sorted by name; hidden ones are left out. What turns out to be
/// no file is refused where it is read, not passed over.
Result<std::vector<std::filesystem::path>> entries(const std::filesystem::path& folder, bool folders,
                                                   std::size_t most, MemoryBudget& budget) {
    std::vector<std::filesystem::path> found;
    std::error_code failure;
    std::filesystem::directory_iterator at(folder, failure);
    for (; !failure && at != std::filesystem::directory_iterator(); at.increment(failure)) {
        if (at->path().filename().string().starts_with('.'))
            continue;
        std::error_code ignored;
        if (folders == at->is_directory(ignored) && (folders || isImage(at->path())))
            found.push_back(at->path());
        else
            continue;
        if (const Status status =
                budget.charge(bytesOfPath(found.back()), "the list of its files", folder.string());
            !status)
            return status.error();
        if (found.size() > most)
            return badInput(folder.string(), "there are too many entries", "at most " + std::to_string(most));
    }
    if (failure)
        return systemRefusal(ErrorCode::BadInput, folder.string(), "the folder cannot be read",
                             failure.value(), {}, "check the path");
    std::sort(found.begin(), found.end());
    return found;
}

std::size_t classOf(const std::string& name, std::vector<std::string>& names, bool known) {
    const auto place = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (place == names.size() && !known)
        names.push_back(name);
    return place;
}

Result<std::vector<LabelledFile>> listFiles(const std::filesystem::path& folder,
                                            std::vector<std::string>& names, MemoryBudget& budget) {
    const bool known = !names.empty();
    const auto classes = entries(folder, true, kMostClasses, budget);
    if (!classes)
        return classes.error();
    if (classes->empty())
        return badInput(folder.string(), "there are no folders in it", "one folder a class");
    std::vector<LabelledFile> all;
    for (const auto& each : *classes) {
        const std::size_t label = classOf(each.filename().string(), names, known);
        if (label >= names.size())
            return badInput(each.string(), "the training folder has no such class", names.front() + " ...");
        const auto files = entries(each, false, kMostFiles, budget);
        if (!files)
            return files.error();
        if (files->empty())
            return badInput(each.string(), "there are no images in it", "PNG, JPEG, BMP, PGM or PPM files");
        for (const auto& file : *files)
            all.push_back({file, label});
    }
    return all;
}

Result<bool> isGrey(const ReadRequest& request) {
    if (request.input.c == 1 || request.input.c == 3)
        return request.input.c == 1;
    return badInput("/network/input/shape",
                    "images of files have no " + std::to_string(request.input.c) + " channels",
                    "1 channel, grey, or 3: red, green, blue");
}

/// The file as values, resized when that comes first.
Result<ImagePlanes> readScaled(const std::filesystem::path& file, bool grey, const DataSpec& data,
                               MemoryBudget& budget) {
    auto image = readImage(file, grey, budget);
    if (!image)
        return image.error();
    const Scaling scaled(data, image->largest);
    for (float& value : image->values)
        value = scaled(value);
    if (data.transforms.empty() || data.transforms.front().kind != TransformKind::Resize)
        return image;
    const Extent2d size = data.transforms.front().size;
    HeldMemory smaller(budget);
    const auto bytes = checkedProduct({image->shape.c, size.h, size.w, std::int64_t{sizeof(float)}});
    if (const Status status = smaller.add(bytes.value_or(std::numeric_limits<std::int64_t>::max()),
                                          "a resized image", file.string());
        !status)
        return status.error();
    image->values = resized(image->values, image->shape, size);
    image->shape.h = size.h;
    image->shape.w = size.w;
    return image;
}

} // namespace

Result<ExampleSet> readImageFolder(const ReadRequest& request) {
    const DataSpec& data = request.data;
    const auto folder = request.directory / (request.test ? data.testFolder : data.folder);
    ExampleSet set{{}, 1, {}, request.classNames};
    const auto grey = isGrey(request);
    if (!grey)
        return grey.error();
    const auto files = listFiles(folder, set.classNames, *request.budget);
    if (!files)
        return files.error();
    const auto chosen = request.chosenOf(static_cast<std::int64_t>(files->size()));
    for (const std::int64_t number : chosen) {
        const LabelledFile& file = (*files)[static_cast<std::size_t>(number)];
        const std::int64_t before = request.budget->heldBytes();
        const auto image = readScaled(file.path, *grey, data, *request.budget);
        if (!image)
            return image.error();
        const std::int64_t asRead = request.budget->heldBytes() - before;
        if (set.examples.count++ == 0) {
            set.image = image->shape;
            const Status status = chargeExamples(*request.budget, static_cast<std::int64_t>(chosen.size()),
                                                 *image->shape.elements());
            if (!status)
                return status.error();
            set.examples.images.reserve(chosen.size() * static_cast<std::size_t>(*image->shape.elements()));
        }
        if (!(image->shape == set.image))
            return badInput(file.path.string(),
                            "the image has " + std::to_string(image->shape.w) + " x " +
                                std::to_string(image->shape.h) + " pixels, the first one " +
                                std::to_string(set.image.w) + " x " + std::to_string(set.image.h),
                            "images of one size, or a resize as the first of /data/transforms");
        set.examples.images.insert(set.examples.images.end(), image->values.begin(), image->values.end());
        set.examples.targets.push_back(static_cast<float>(file.label));
        request.budget->release(asRead);
    }
    return set;
}

} // namespace heteroscope::compute
