// SPDX-License-Identifier: Apache-2.0
// Any bytes as the files of a dataset: the first ones choose the source, the options, and where one file ends
// and the next begins. What is found out from the beginnings of the files (`check`) and what a run reads
// agree.
#include "compute/data/data_check.h"
#include "compute/data/data_headers.h"
#include "compute/data/dataset.h"
#include "compute/data/fixed_transforms.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/temporary_folder.h"
#include "tests/fuzz/support/zip_mutation.h"

#include <fstream>

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

constexpr std::size_t kControlBytes = 4;
constexpr std::int64_t kMostElements = 1 << 20; ///< of one example that a network is made for
constexpr std::uint8_t kArchive = 2, kSources = 5;

struct Choice {
    std::uint8_t source, options;
    std::span<const std::uint8_t> first, second;
};

Choice choose(std::span<const std::uint8_t> bytes) {
    const auto rest = bytes.subspan(kControlBytes);
    const std::size_t cut = rest.size() * (bytes[2] + 256u * bytes[3]) / 65536;
    return {static_cast<std::uint8_t>(bytes[0] % kSources), bytes[1], rest.first(cut), rest.subspan(cut)};
}

bool has(const Choice& choice, unsigned bit) {
    return (choice.options >> bit & 1u) != 0;
}

void write(const std::filesystem::path& file, std::span<const std::uint8_t> bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Writes the files and names them.
compute::DataSpec writtenData(const Choice& choice, const fuzz::TemporaryFolder& folder) {
    compute::DataSpec data;
    data.targets = has(choice, 0) ? compute::TargetKind::Numbers : compute::TargetKind::Classes;
    data.split = has(choice, 5) ? compute::SplitOrder::Shuffled : compute::SplitOrder::End;
    data.trainingLimit = has(choice, 6) ? 3 : 0;
    data.testShare = has(choice, 7) ? 0.3 : 0;
    write(folder.file("first"), choice.first);
    write(folder.file("second"), choice.second);
    data.images = "first";
    data.labels = "second";
    switch (choice.source) {
    case 0:
        data.source = compute::DataSource::Idx;
        break;
    case 1:
        data.source = compute::DataSource::Npy;
        break;
    case kArchive:
        write(folder.file("both.npz"), choice.second);
        data.source = compute::DataSource::Npy;
        data.images = "both.npz:x";
        data.labels = "both.npz:y";
        break;
    case 3:
        data.source = compute::DataSource::Csv;
        data.file = "first";
        data.testFile = has(choice, 1) ? "second" : "";
        data.header = has(choice, 2);
        data.separator = static_cast<compute::Separator>(choice.options >> 3 & 3);
        break;
    default:
        write(folder.file("set/a/1.png"), choice.first);
        write(folder.file("set/b/2.png"), choice.second);
        data.source = compute::DataSource::ImageFolder;
        data.folder = "set";
        break;
    }
    return data;
}

/// A training with a dense layer; whole documents are for fuzz_experiment_json.
compute::ExperimentSpec experiment() {
    Json document = compute::defaultNetworkDocument();
    document["network"] = {{"input", {{"shape", {1, 1, 1}}}},
                           {"layers", {{{"type", "flatten"}}, {{"type", "dense"}, {"units", 2}}}}};
    document["training"] = {{"batch", 1}};
    auto spec = compute::specFromJson(document);
    require(spec.ok(), "the experiment is one");
    return std::move(*spec);
}

/// Of all parts; what a limit leaves out is not known.
void compareCounts(const compute::Dataset& set, const compute::ExamplesHeader& header, bool testFiles) {
    const std::int64_t test = testFiles ? 0 : set.test.count;
    require(!header.count || *header.count == set.training.count + set.validation.count + test,
            "as many examples are read as the header said");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < kControlBytes)
        return 0;
    const Choice choice = choose({data, size});
    static fuzz::TemporaryFolder folder;
    static compute::ExperimentSpec spec = experiment();
    spec.directory = folder.path().string();
    spec.network.data = writtenData(choice, folder);
    std::optional<compute::HeaderError> fault;
    const compute::ReadRequest request{spec.network.data, folder.path(), {1, 1, 1, 1}, false, {}, {}};
    const auto header = compute::readExamplesHeader(request, fault);
    if (fault)
        require(fault->pointer[0] == '/' && !fault->error.message.empty(), "a fault has a place and words");
    compute::Shape4 image{1, 1, 1, 1};
    if (header && header->image.elements().value_or(kMostElements + 1) <= kMostElements)
        image = header->image;
    spec.network.network.input = {image.c, image.h, image.w};
    const auto found = compute::checkDataFiles(spec);
    for (const compute::Diagnostic& one : found)
        require(one.pointer.starts_with('/') && !one.message.empty(), "a finding has a place and words");
    const auto set = compute::loadDataset(spec.network, spec.directory);
    if (!set) {
        fuzz::requireGoodError(set.error());
        return 0;
    }
    require(found.empty(), "check refuses nothing that a run reads");
    require(header && set->image == compute::transformedShape(header->image, {}), "both say the same shape");
    if (spec.network.data.trainingLimit == 0)
        compareCounts(*set, *header, !spec.network.data.testFile.empty());
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t mostBytes);

/// Archives inside of themselves every other time, everything else by its bytes.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    const bool archive = size > kControlBytes && data[0] % kSources == kArchive && mostBytes > kControlBytes;
    if (!archive || seed % 2 == 0)
        return LLVMFuzzerMutate(data, size, mostBytes);
    data[2] = data[3] = 0; // all of it is the archive
    return kControlBytes + fuzz::mutateZip(data + kControlBytes, size - kControlBytes,
                                           mostBytes - kControlBytes, seed / 2,
                                           {"x.npy", "y.npy", "x", "z.npy"});
}
