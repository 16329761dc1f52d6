// SPDX-License-Identifier: Apache-2.0
// Any text as a training's list of checkpoints: what is taken names files of its own stem in its own folder,
// and survives writing and reading; the archives that it names are opened, of which one is there.
#include "compute/exec/checkpoint_manifest.h"
#include "tests/fuzz/support/json_mutation.h"
#include "tests/fuzz/support/memory_file.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/zip_mutation.h"

#include <array>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace heteroscope;
using namespace heteroscope::compute;
using heteroscope::fuzz::require;

namespace {

constexpr std::string_view kStem = "run_0";
constexpr std::size_t kMostManifestBytes = 64 << 10; // longer ones are refused

/// A folder with a list of checkpoints, which is the input, and with one of the archives.
class KeptFolder {
  public:
    KeptFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "manifest-XXXXXX").string();
        require(::mkdtemp(name.data()) != nullptr, "there is a folder for the harness");
        m_folder = name;
        std::filesystem::create_symlink(m_bytes.path(), manifest());
        const auto archive = fuzz::packZip({{"training.epoch.npy", weights(), false}});
        std::ofstream(m_folder / generationFile(kStem, 1), std::ios::binary)
            .write(reinterpret_cast<const char*>(archive.data()),
                   static_cast<std::streamsize>(archive.size()));
    }
    ~KeptFolder() { std::filesystem::remove_all(m_folder); }

    std::filesystem::path manifest() const { return m_folder / (std::string(kStem) + kManifestEnding); }
    void set(std::string_view text) {
        m_bytes.set({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }

  private:
    static fuzz::Bytes weights() {
        const std::array<std::int64_t, 1> shape{2};
        const std::array<float, 2> values{1.0F, 2.0F};
        const auto bytes = writeNpy(shape, values);
        fuzz::Bytes copy(bytes.size());
        std::memcpy(copy.data(), bytes.data(), bytes.size());
        return copy;
    }

    std::filesystem::path m_folder;
    fuzz::MemoryFile m_bytes;
};

KeptFolder& folder() {
    static KeptFolder one;
    return one;
}

void checkState(const KeptState& state) {
    require(state.epoch > 0, "a state was kept after an epoch");
    require(isGeneration(state.file, kStem), "a state lies in a file of its training");
}

bool same(const KeptState& a, const KeptState& b) {
    return a.epoch == b.epoch && a.file == b.file;
}

void checkAgain(const CheckpointManifest& manifest) {
    const std::string text = manifestText(manifest);
    if (text.size() > kMostManifestBytes)
        return; // the indentation of what is nested
    folder().set(text);
    const auto again = readCheckpointManifest(folder().manifest());
    require(again.ok(), "what was read can be written and read again");
    require(again->generation == manifest.generation && same(again->latest, manifest.latest) &&
                again->best.has_value() == manifest.best.has_value() &&
                (!manifest.best || same(*again->best, *manifest.best)) &&
                again->superseded == manifest.superseded && again->run == manifest.run,
            "a list of checkpoints stays as it is");
}

void useArchives(const CheckpointManifest& manifest) {
    const auto archives = keptArchives(folder().manifest());
    require(archives.size() == (manifest.best ? 2U : 1U), "each state has an archive");
    for (const std::filesystem::path& archive : archives)
        require(archive.parent_path() == folder().manifest().parent_path(), "archives lie beside their list");
    const auto kept = readKeptWeights(folder().manifest());
    if (!kept)
        return fuzz::requireGoodError(kept.error());
    require(kept->isBest == manifest.best.has_value(), "the best state goes before the latest");
    require(!kept->arrays.empty(), "weights are those of the archive");
}

const fuzz::JsonWords& manifestWords() {
    static const fuzz::JsonWords words{
        {"heteroscope_checkpoint", "generation", "latest", "best", "superseded", "run", "epoch", "file"},
        {1, 2, "run_0.1.npz", "run_0.2.npz", "run_0..npz", "run_1.1.npz", "../run_0.1.npz", "run_0.1/.npz",
         Json::object(), Json::array({"run_0.3.npz"}), Json{{"epoch", 1}, {"file", "run_0.1.npz"}}}};
    return words;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    folder().set({reinterpret_cast<const char*>(data), size});
    const auto manifest = readCheckpointManifest(folder().manifest());
    if (!manifest) {
        fuzz::requireGoodError(manifest.error());
        require(keptArchives(folder().manifest()).empty(), "a damaged list names no archive");
        return 0;
    }
    require(manifest->generation > 0, "generations are counted from 1");
    checkState(manifest->latest);
    if (manifest->best)
        checkState(*manifest->best);
    for (const std::string& file : manifest->superseded)
        require(isGeneration(file, kStem), "only files of its training are superseded");
    useArchives(*manifest);
    checkAgain(*manifest);
    return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t mostBytes,
                                               unsigned seed) {
    fuzz::Random random(seed);
    Json document = Json::parse(data, data + size, nullptr, false);
    if (document.is_discarded() || random.oneIn(10))
        return LLVMFuzzerMutate(data, size, mostBytes);
    for (std::size_t count = 1 + random.below(3); count > 0; --count)
        fuzz::mutateJson(document, manifestWords(), random);
    const std::string text = document.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > mostBytes)
        return LLVMFuzzerMutate(data, size, mostBytes);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
