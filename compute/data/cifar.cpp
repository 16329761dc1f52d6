// SPDX-License-Identifier: Apache-2.0
#include "compute/data/cifar.h"

#include "compute/base/units.h"
#include "compute/data/example_set.h"
#include "compute/data/file_bytes.h"

#include <algorithm>
#include <iterator>

namespace heteroscope::compute {
namespace {

constexpr int kMostBatches = 5; ///< of CIFAR-10

/// The lines of the file beside the batches that names the classes; empty where there is none.
std::vector<std::string> classNames(const std::filesystem::path& folder, CifarKind kind) {
    constexpr std::int64_t kMostNameBytes = 1 << 16;
    MemoryBudget budget(kMostNameBytes);
    const auto bytes =
        readFileBytes(folder / (kind == CifarKind::Ten ? "batches.meta.txt" : "fine_label_names.txt"),
                      kMostNameBytes, budget);
    std::vector<std::string> names;
    if (!bytes)
        return names;
    std::string name;
    for (const std::uint8_t byte : *bytes) {
        if (byte != '\n' && byte != '\r')
            name += static_cast<char>(byte);
        else if (!name.empty())
            names.push_back(std::exchange(name, {}));
    }
    if (!name.empty())
        names.push_back(name);
    if (names.size() != (kind == CifarKind::Ten ? 10 : 100))
        names.clear();
    return names;
}

Status addFile(const std::filesystem::path& file, CifarKind kind, CifarImages& all, HeldMemory& held,
               MemoryBudget& budget) {
    const auto bytes = readFileBytes(file, kMostFileBytes, budget);
    if (!bytes)
        return bytes.error();
    const auto size = static_cast<std::int64_t>(bytes->size());
    constexpr std::int64_t kCopies = 4; // the records of this file, and all so far while their memory grows
    if (const Status status = held.add(size * kCopies, "its records", file.string()); !status)
        return status;
    const auto images = parseCifar(*bytes, kind, file.string());
    if (!images)
        return images.error();
    all.labels.insert(all.labels.end(), images->labels.begin(), images->labels.end());
    all.pixels.insert(all.pixels.end(), images->pixels.begin(), images->pixels.end());
    budget.release(size);
    return {};
}

} // namespace

std::vector<std::filesystem::path> cifarFiles(const std::filesystem::path& folder, CifarKind kind,
                                              bool test) {
    if (kind == CifarKind::Hundred)
        return {folder / (test ? "test.bin" : "train.bin")};
    if (test)
        return {folder / "test_batch.bin"};
    std::vector<std::filesystem::path> files;
    std::error_code failure;
    for (int i = 1; i <= kMostBatches; ++i) {
        auto file = folder / ("data_batch_" + std::to_string(i) + ".bin");
        if (i == 1 || std::filesystem::exists(file, failure)) // the first one is missed by its name
            files.push_back(std::move(file));
    }
    return files;
}

Result<CifarImages> parseCifar(std::span<const std::uint8_t> bytes, CifarKind kind, const std::string& name) {
    const std::size_t labelBytes = kind == CifarKind::Ten ? 1 : 2, record = labelBytes + kCifarPixels;
    const int classes = kind == CifarKind::Ten ? 10 : 100;
    const std::size_t count = bytes.size() / record;
    if (count * record != bytes.size() || count == 0)
        return badInput(name + ", byte " + std::to_string(bytes.size()),
                        "the file ends inside record " + std::to_string(count + 1),
                        "whole records of " + std::to_string(record) + " bytes");
    CifarImages images;
    images.labels.reserve(count);
    images.pixels.reserve(count * kCifarPixels);
    for (std::size_t i = 0; i < count; ++i) {
        const auto one = bytes.subspan(i * record, record);
        const std::uint8_t label = one[labelBytes - 1];
        if (label >= classes)
            return badInput(name + ", byte " + std::to_string(i * record + labelBytes - 1),
                            "the label of record " + std::to_string(i + 1) + " is " + std::to_string(label),
                            "0 to " + std::to_string(classes - 1));
        images.labels.push_back(label);
        images.pixels.insert(images.pixels.end(), one.begin() + static_cast<std::ptrdiff_t>(labelBytes),
                             one.end());
    }
    return images;
}

Result<ExampleSet> readCifarSet(const ReadRequest& request) {
    const CifarKind kind = request.data.source == DataSource::Cifar10 ? CifarKind::Ten : CifarKind::Hundred;
    const std::filesystem::path folder = request.directory / request.data.folder;
    CifarImages all;
    HeldMemory held(*request.budget); // of all files, as bytes
    for (const auto& file : cifarFiles(folder, kind, request.test))
        if (const Status status = addFile(file, kind, all, held, *request.budget); !status)
            return status.error();
    const auto chosen = request.chosenOf(static_cast<std::int64_t>(all.labels.size()));
    const auto kept = static_cast<std::int64_t>(chosen.size());
    if (const Status status = chargeExamples(*request.budget, kept, kCifarPixels); !status)
        return status.error();
    ExampleSet set{{1, 3, 32, 32}, 1, {kept, {}, {}}, classNames(folder, kind)};
    const Scaling scaled(request.data, 255);
    set.examples.images.reserve(chosen.size() * kCifarPixels);
    for (const std::int64_t i : chosen) {
        const auto image = all.pixels.begin() + i * static_cast<std::ptrdiff_t>(kCifarPixels);
        std::transform(image, image + kCifarPixels, std::back_inserter(set.examples.images), scaled);
        set.examples.targets.push_back(all.labels[static_cast<std::size_t>(i)]);
    }
    return set;
}

} // namespace heteroscope::compute
