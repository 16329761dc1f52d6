// SPDX-License-Identifier: Apache-2.0
// Any text as the file of kept peaks of processors: what a device gets from it are rates with their sources,
// and a measurement that is kept can be read. "$HERE" in the input becomes what this machine is called.
#include "app/cli/known_peaks.h"
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/temporary_folder.h"

#include <fstream>
#include <string>

using namespace heteroscope;
using heteroscope::fuzz::require;

namespace {

constexpr std::string_view kHere = "$HERE";

/// The file where the program looks for it.
class PeaksPlace {
  public:
    PeaksPlace() {
        require(::setenv("XDG_CACHE_HOME", m_folder.path().c_str(), 1) == 0, "the environment can be set");
        const auto file = cli::peaksFile();
        require(file.ok(), "there is a place for peaks");
        m_file = *file;
        std::filesystem::create_directories(std::filesystem::path(m_file).parent_path());
    }
    const std::string& file() const { return m_file; }

    void put(std::string text) const {
        const std::string here = Json(compute::processorIdentity()).dump();
        for (std::size_t at = text.find(kHere); at != std::string::npos;
             at = text.find(kHere, at + here.size()))
            text.replace(at, kHere.size(), here.substr(1, here.size() - 2));
        std::ofstream(m_file, std::ios::binary) << text;
    }

  private:
    fuzz::TemporaryFolder m_folder;
    std::string m_file;
};

/// What the processor is said to reach.
Json rates() {
    std::vector<compute::DeviceInfo> devices(1);
    devices[0].id = "cpu";
    devices[0].properties = Json::object();
    cli::addKnownPeaks(devices);
    const Json& found = devices[0].properties;
    for (const char* rate : {"memory_bytes_s", "fp32_flop_s"}) {
        require(found.contains(rate) == found.contains(std::string(rate) + "_source"), "a rate has a source");
        require(!found.contains(rate) || found.at(rate).get<double>() > 0, "a rate is a positive number");
    }
    return found;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const PeaksPlace place;
    place.put({reinterpret_cast<const char*>(data), size});
    (void)rates();
    auto kept = cli::KeptPeaks::open(place.file());
    if (!kept) {
        fuzz::requireGoodError(kept.error());
        return 0;
    }
    compute::ProcessorPeaks peaks;
    peaks.readBytesPerS = 2e10;
    peaks.fp32FlopPerS = 1e11;
    require(kept->keep(peaks).ok(), "a measurement can be kept");
    require(rates().at("fp32_flop_s") == 1e11, "what was kept is what is known");
    return 0;
}
