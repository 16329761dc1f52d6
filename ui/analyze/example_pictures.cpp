// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/analyze/example_pictures.h"

#include "compute/data/part_examples.h"
#include "compute/experiment/spec/spec_json.h"
#include "ui/common/format.h"
#include "ui/common/in_background.h"
#include "ui/common/sample_image.h"

#include <algorithm>
#include <filesystem>
#include <span>

namespace heteroscope::ui {

namespace {

/// More are not kept: those of one evaluation, and of some before it while a training runs. 128 MiB at most.
constexpr std::size_t kMostKept = 2048;

/// The first file or folder that the data are read from; empty where they are drawn.
const std::string& sourcePath(const compute::DataSpec& data) {
    static const std::string none;
    switch (data.source) {
    case compute::DataSource::Idx:
    case compute::DataSource::Npy:
        return data.images;
    case compute::DataSource::Cifar10:
    case compute::DataSource::Cifar100:
    case compute::DataSource::ImageFolder:
        return data.folder;
    default:
        return none;
    }
}

/// Rows of tables are given to networks of one dimension, or of one pixel.
bool drawsPictures(const compute::NetworkExperiment& experiment) {
    const std::vector<std::int64_t>& input = experiment.network.input;
    return experiment.data.isDataset() && experiment.data.source != compute::DataSource::Csv &&
           input.size() == 3 && (input[1] > 1 || input[2] > 1);
}

} // namespace

struct ExamplePictures::Answer {
    std::vector<QImage> images; ///< of each sample that was asked for; empty where there is a problem
    QString problem;
};

bool ExamplePictures::setSource(const Json& experiment, const std::string& directory) {
    if (m_source > 0 && experiment == m_experiment && directory == m_directory)
        return false;
    ++m_source;
    m_experiment = experiment;
    m_directory = directory;
    m_images.clear();
    m_problem.clear();
    m_network.reset();
    m_pictures = false;
    const auto spec = compute::specFromJson(experiment, directory);
    if (!spec || spec->kind != compute::ExperimentKind::Network)
        return true; // such a run has no examples
    m_network = std::make_shared<const compute::NetworkExperiment>(spec->network);
    m_pictures = drawsPictures(*m_network);
    m_problem = m_pictures ? missingFolder() : QString();
    return true;
}

QString ExamplePictures::missingFolder() const {
    const std::string& path = sourcePath(m_network->data);
    if (!m_directory.empty() || path.empty() || std::filesystem::path(path).is_absolute())
        return {};
    return tr("No pictures: the run does not say which folder %1 was in.").arg(fromStd(path));
}

const QImage* ExamplePictures::find(const std::string& part, std::int64_t example) const {
    const auto found = m_images.find({part, example});
    return found == m_images.end() ? nullptr : &found->second;
}

void ExamplePictures::request(const std::string& part, const std::vector<PredictionSample>& samples) {
    if (!m_pictures || m_busy || !m_problem.isEmpty())
        return;
    std::vector<PredictionSample> missing;
    for (const PredictionSample& sample : samples)
        if (find(part, sample.example) == nullptr)
            missing.push_back(sample);
    if (missing.empty())
        return;
    m_busy = true;
    inBackground(
        this,
        [network = m_network, directory = m_directory, part, missing] {
            return read(*network, directory, part, missing);
        },
        [this, source = m_source, part, missing](Answer answer) {
            m_busy = false;
            if (source == m_source)
                take(part, missing, std::move(answer));
            emit changed();
        });
}

/// Pictures are what the network was given, so resized, but with the values of the files: in what normalising
/// leaves nobody recognises colours. Classes are compared so that data that have changed are not taken for
/// those of the run.
ExamplePictures::Answer ExamplePictures::read(const compute::NetworkExperiment& experiment,
                                              const std::string& directory, const std::string& part,
                                              const std::vector<PredictionSample>& samples) {
    std::vector<std::int64_t> places;
    for (const PredictionSample& sample : samples)
        places.push_back(sample.example);
    const std::vector<std::int64_t>& shape = experiment.network.input;
    const compute::Shape4 input{1, shape[0], shape[1], shape[2]};
    const auto set = compute::loadPartExamples(
        experiment.data, input, directory,
        part == "test" ? compute::DataPart::Test : compute::DataPart::Validation, places);
    if (!set)
        return {{}, tr("No pictures: %1.").arg(fromStd(set.error().sentence()))};
    Answer answer;
    const auto size = static_cast<std::size_t>(*set->image.elements());
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (static_cast<std::int64_t>(set->examples.targets[i]) != samples[i].actual)
            return {{},
                    tr("No pictures: the data have changed since the run; example %1 was of another class.")
                        .arg(samples[i].example)};
        const QImage image = sampleImage(std::span(set->examples.images).subspan(i * size, size), set->image);
        const bool large = std::max(image.width(), image.height()) > kMostPixels;
        answer.images.push_back(large ? fittedImage(image, kMostPixels) : image);
    }
    return answer;
}

void ExamplePictures::take(const std::string& part, const std::vector<PredictionSample>& samples,
                           Answer answer) {
    m_problem = answer.problem;
    if (m_images.size() + answer.images.size() > kMostKept)
        m_images.clear();
    for (std::size_t i = 0; i < answer.images.size(); ++i)
        m_images[{part, samples[i].example}] = std::move(answer.images[i]);
}

} // namespace heteroscope::ui

#include "moc_example_pictures.cpp"
