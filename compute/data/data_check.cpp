// SPDX-License-Identifier: Apache-2.0
#include "compute/data/data_check.h"

#include "compute/data/data_headers.h"
#include "compute/data/dataset.h"
#include "compute/data/fixed_transforms.h"
#include "compute/data/input.h"
#include "compute/data/named_files.h"
#include "compute/data/split.h"

#include <limits>

namespace heteroscope::compute {
namespace {

Diagnostic faultAt(std::string pointer, const Error& error) {
    const std::string place = error.where.empty() || error.where == pointer ? "" : error.where + ": ";
    return {Diagnostic::Severity::Error,
            std::move(pointer),
            place + error.message,
            error.allowed,
            error.wholeAdvice(),
            error.code == ErrorCode::OutOfMemory ? ErrorCode::OutOfMemory : ErrorCode::BadInput};
}

class DataCheck {
  public:
    DataCheck(const NetworkExperiment& experiment, const std::string& directory)
        : m_experiment(experiment),
          m_input(resolveNetwork(experiment.network, networkRequest(experiment)).input),
          m_request{experiment.data, directory, {1, m_input.c, m_input.h, m_input.w}, false, {}, {}} {}

    std::vector<Diagnostic> look() {
        const bool testFiles = hasTestFiles(m_experiment.data, m_request.directory);
        const auto training = part();
        if (training)
            fit(*training, testFiles);
        if (training)
            hold(*training, testFiles);
        if (testFiles) {
            m_request.test = true;
            if (training)
                m_request.classNames = training->classNames;
            const auto test = part();
            if (training && test && !(test->image == training->image))
                add("/data", badInput({}, "the test examples have another shape than those for training"));
            if (test)
                charge(test->count.value_or(0), test->image);
        }
        return std::move(m_faults);
    }

  private:
    std::optional<ExamplesHeader> part() {
        std::optional<HeaderError> fault;
        auto header = readExamplesHeader(m_request, fault);
        if (fault)
            add(fault->pointer, fault->error);
        return header;
    }

    /// What reading holds at a time: all examples as they are read, and those of the parts beside them.
    void hold(const ExamplesHeader& training, bool testFiles) {
        if (!training.count)
            return;
        const SplitSizes sizes = splitSizes(m_experiment.data, *training.count, testFiles);
        for (const std::int64_t count : {*training.count, sizes.training + sizes.validation + sizes.test})
            charge(count, training.image);
    }

    void charge(std::int64_t count, const Shape4& image) {
        if (!m_faults.empty())
            return;
        const auto elements = image.elements().value_or(std::numeric_limits<std::int64_t>::max());
        if (const Status status = chargeExamples(*m_request.budget, count, elements); !status)
            add(status.error().where, status.error());
    }

    void fit(const ExamplesHeader& training, bool testFiles) {
        const Shape4 image = transformedShape(training.image, m_experiment.data.transforms);
        if (const Status status = checkImageFits(m_input, image); !status)
            add(status.error().where, status.error());
        if (m_experiment.task != Task::Train || !training.count)
            return;
        const SplitSizes sizes = splitSizes(m_experiment.data, *training.count, testFiles);
        if (const Status status = checkBatchFits(sizes.training, m_experiment.training.batch); !status)
            add(status.error().where, status.error());
    }

    void add(const std::string& pointer, const Error& error) { m_faults.push_back(faultAt(pointer, error)); }

    const NetworkExperiment& m_experiment;
    Shape4 m_input;
    ReadRequest m_request;
    std::vector<Diagnostic> m_faults;
};

/// The header of an image or array that is pooled.
std::vector<Diagnostic> checkInputFile(const InputSpec& input, const std::string& directory) {
    if (input.source != InputSource::Image && input.source != InputSource::Npy)
        return {};
    const auto shape = inputShape(input, directory);
    if (shape)
        return {};
    Error error = shape.error();
    error.where = placedFile(directory, input.path).string();
    return {faultAt("/pooling/input/path", error)};
}

} // namespace

std::vector<Diagnostic> checkDataFiles(const ExperimentSpec& pointSpec) {
    if (pointSpec.kind == ExperimentKind::Pooling)
        return checkInputFile(pointSpec.pooling.input, pointSpec.directory);
    const NetworkExperiment& experiment = pointSpec.network;
    const bool hasFiles = pointSpec.kind == ExperimentKind::Network && experiment.data.isDataset() &&
                          !experiment.data.isDrawn();
    return hasFiles ? DataCheck(experiment, pointSpec.directory).look() : std::vector<Diagnostic>();
}

} // namespace heteroscope::compute
