// SPDX-License-Identifier: Apache-2.0
// Any archive as the checkpoint of a small training, and as given weights: what is taken is what was in the
// archive; arrays are mutated inside it, and those of a right checkpoint are put in.
#include "compute/backends/sequential/sequential_backend.h"
#include "compute/exec/checkpoint.h"
#include "compute/exec/network_state.h"
#include "compute/experiment/spec/spec_json.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/zip_mutation.h"

#include <cstring>

using namespace heteroscope;
using namespace heteroscope::compute;
using heteroscope::fuzz::require;

namespace {

ExperimentSpec smallTraining() {
    const Json document = Json::parse(R"({"heteroscope": 1, "kind": "network", "task": "train",
        "network": {"input": {"shape": [1, 4, 4]}, "layers": [
            {"name": "conv", "type": "conv2d", "filters": 2}, {"name": "norm", "type": "batchnorm"},
            {"name": "flat", "type": "flatten"}, {"name": "dense", "type": "dense", "units": 3}]},
        "training": {"batch": 2, "optimizer": {"type": "adam"}}, "targets": ["cpu/sequential"]})");
    auto spec = specFromJson(document);
    require(spec.ok(), "the experiment of the harness is right");
    return std::move(*spec);
}

/// The training that every archive is offered to.
struct Harness {
    Harness() : spec(smallTraining()), backend(makeSequentialBackend()) {
        session = std::move(*backend->open(*parseTarget("cpu/sequential")));
        auto plan =
            planNetwork(spec.network.network, networkRequest(spec.network), planOptions(spec.network));
        executor = std::make_unique<NetworkExecutor>(*session, std::move(*plan));
        require(executor->allocate().ok() && executor->prepare().ok(), "the small network runs");
        require(writeInitialState(*executor, spec.network.training).ok(), "the small network begins");
        require(executor->clear(Block::FirstMoment).ok() && executor->clear(Block::SecondMoment).ok(),
                "moments begin at zero");
        right = std::move(*trainingState(*executor, {2, 6, {{1.0, 0.5}, {0.25, 0.75}}}));
        for (const auto& [name, array] : right)
            names.push_back(name + ".npy");
    }

    ExperimentSpec spec;
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Session> session;
    std::unique_ptr<NetworkExecutor> executor;
    NpzArrays right;
    std::vector<std::string> names;
    fuzz::MemoryFile file;
};

Harness& harness() {
    static Harness one;
    return one;
}

bool sameBits(const NpyArray& a, const NpyArray& b) {
    return a.shape == b.shape && a.values.size() == b.values.size() &&
           std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(float)) == 0;
}

void useAsCheckpoint(const NpzArrays& arrays) {
    const auto progress = restoreTrainingState(*harness().executor, arrays);
    if (!progress)
        return fuzz::requireGoodError(progress.error());
    require(progress->epoch >= 0 && progress->step >= progress->epoch, "a training stands somewhere");
    for (const auto& series : progress->series)
        require(static_cast<std::int64_t>(series.size()) == progress->epoch, "one number an epoch");
    const auto again = trainingState(*harness().executor, *progress);
    require(again.ok(), "a state that was taken can be written");
    for (const auto& [name, array] : *again)
        require(arrays.contains(name) && sameBits(array, arrays.at(name)), "the state is the archive's");
}

void useAsWeights(const NpzArrays& arrays) {
    TrainingSpec training = harness().spec.network.training;
    training.weights = std::make_shared<const NamedArrays>(arrays);
    const Status status =
        forInitialState(harness().executor->plan().network, training, [&](const InitialTensor& tensor) {
            require(!tensor.given || arrays.at(tensor.name).values == tensor.values ||
                        !(arrays.at(tensor.name).values == arrays.at(tensor.name).values),
                    "given weights are those of the archive");
            return Status();
        });
    if (!status)
        fuzz::requireGoodError(status.error());
}

/// An entry as in a right checkpoint, so that the archive gets further.
void repairEntry(std::vector<fuzz::ZipEntry>& entries, fuzz::Random& random) {
    const std::string name = random.of(harness().names);
    const NpyArray& array = harness().right.at(name.substr(0, name.size() - 4));
    const auto bytes = writeNpy(array.shape, array.values);
    std::erase_if(entries, [&](const auto& entry) { return entry.name == name; });
    entries.push_back({name, fuzz::Bytes(bytes.size()), random.oneIn(2)});
    std::memcpy(entries.back().bytes.data(), bytes.data(), bytes.size());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    harness().file.set({data, size});
    const auto arrays = readNpz(harness().file.path());
    if (!arrays)
        return 0; // the target npz has looked at this
    useAsCheckpoint(*arrays);
    useAsWeights(*arrays);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    fuzz::Random random(seed);
    if (random.oneIn(4)) {
        auto entries = fuzz::unpackZip({data, size}, mostBytes).value_or(std::vector<fuzz::ZipEntry>());
        for (std::size_t count = 1 + random.below(harness().names.size()); count > 0; --count)
            repairEntry(entries, random);
        const fuzz::Bytes packed = fuzz::packZip(entries);
        if (!packed.empty() && packed.size() <= mostBytes) {
            std::memcpy(data, packed.data(), packed.size());
            return packed.size();
        }
    }
    return fuzz::mutateZip(data, size, mostBytes, seed, harness().names);
}
