// SPDX-License-Identifier: Apache-2.0
#include "compute/data/named_files.h"

#include "compute/experiment/spec/spec_json.h"

#include <set>
#include <utility>

namespace heteroscope::compute {
namespace {

class FileList {
  public:
    explicit FileList(const std::string& directory) : m_directory(directory) {}
    void add(const char* pointer, const std::string& name, bool isFolder = false) {
        if (!name.empty())
            m_files.push_back({pointer, placedFile(m_directory, name), isFolder});
    }
    std::vector<NamedFile> take() { return std::move(m_files); }

  private:
    const std::string& m_directory;
    std::vector<NamedFile> m_files;
};

void addArrays(const DataSpec& data, FileList& files) {
    const bool npy = data.source == DataSource::Npy;
    const auto fileOf = [npy](const std::string& name) { return npy ? arrayPlace(name).file : name; };
    files.add("/data/images", fileOf(data.images));
    files.add("/data/labels", fileOf(data.labels));
    files.add("/data/test_images", fileOf(data.testImages));
    files.add("/data/test_labels", fileOf(data.testLabels));
}

void addData(const DataSpec& data, FileList& files) {
    switch (data.source) {
    case DataSource::Idx:
    case DataSource::Npy:
        return addArrays(data, files);
    case DataSource::Cifar10:
    case DataSource::Cifar100:
        return files.add("/data/folder", data.folder, true);
    case DataSource::ImageFolder:
        files.add("/data/folder", data.folder, true);
        return files.add("/data/test_folder", data.testFolder, true);
    case DataSource::Csv:
        files.add("/data/file", data.file);
        return files.add("/data/test_file", data.testFile);
    case DataSource::Synthetic:
    case DataSource::Shapes:
    case DataSource::BrainSlices:
    case DataSource::IrradianceMaps:
    case DataSource::IrradianceTable:
        return; // made, not read
    }
}

} // namespace

std::filesystem::path placedFile(const std::string& directory, const std::string& name) {
    return std::filesystem::path(directory) / name;
}

ArrayPlace arrayPlace(const std::string& name) {
    const std::size_t colon = name.rfind(".npz:");
    if (colon == std::string::npos)
        return {name, {}};
    return {name.substr(0, colon + 4), name.substr(colon + 5)};
}

std::vector<NamedFile> namedFiles(const ExperimentSpec& pointSpec) {
    FileList files(pointSpec.directory);
    const InputSpec& input = pointSpec.pooling.input;
    const bool fromFile = input.source == InputSource::Image || input.source == InputSource::Npy;
    if (pointSpec.kind == ExperimentKind::Pooling && fromFile)
        files.add("/pooling/input/path", input.path);
    if (pointSpec.kind == ExperimentKind::Network) {
        files.add("/network/onnx", pointSpec.network.onnx);
        files.add("/network/weights", pointSpec.network.weights);
        addData(pointSpec.network.data, files);
    }
    return files.take();
}

Result<std::vector<NamedFile>> namedFilesOfStudy(const ExperimentSpec& spec) {
    const auto points = expandPoints(spec);
    if (!points)
        return points.error();
    std::vector<NamedFile> all;
    std::set<std::pair<std::string, std::string>> seen;
    const auto add = [&](const ExperimentSpec& pointSpec) {
        for (NamedFile& file : namedFiles(pointSpec))
            if (seen.emplace(file.pointer, file.path.string()).second)
                all.push_back(std::move(file));
    };
    add(spec);
    for (const ExperimentPoint& point : *points)
        add(point.spec);
    return all;
}

} // namespace heteroscope::compute
