// SPDX-License-Identifier: Apache-2.0
#include "tests/support/training/short_training.h"

#include "compute/exec/trainer.h"
#include "compute/experiment/spec/spec_json.h"

#include <random>

namespace heteroscope::compute {
namespace {

constexpr std::int64_t kExamples = 50;

Dataset dataset() {
    Dataset data;
    data.image = {1, 2, 13, 14};
    std::mt19937 draw(35);
    for (Examples* part : {&data.training, &data.test}) {
        part->count = kExamples;
        for (std::int64_t i = 0; i < kExamples * 2 * 13 * 14; ++i)
            part->images.push_back(static_cast<float>(draw() % 256) / 255.0F);
        for (std::int64_t i = 0; i < kExamples; ++i)
            part->targets.push_back(static_cast<float>(draw() % 4));
    }
    return data;
}

class Figures final : public StepListener {
  public:
    void stepDone(const TrainedStep& step) override {
        losses.push_back(step.loss);
        if (step.gradientNorm)
            norms.push_back(*step.gradientNorm);
    }
    std::vector<double> losses, norms;
};

} // namespace

Json shortNetwork(int filters) {
    const Json conv = {{"type", "conv2d"}, {"filters", filters}, {"padding", 1}};
    return {conv,
            {{"type", "relu"}},
            {{"type", "maxpool2d"}},
            conv,
            {{"type", "relu"}},
            {{"type", "flatten"}},
            {{"type", "dropout"}, {"rate", 0.25}},
            {{"type", "dense"}, {"units", 20}},
            {{"type", "relu"}},
            {{"type", "dense"}, {"units", 4}}};
}

Json excitedNetwork() {
    const Json conv = {{"type", "conv2d"}, {"filters", 16}, {"padding", 1}};
    const Json point = {{"type", "conv2d"}, {"filters", 4}, {"kernel", 1}};
    Json wide = point;
    wide["filters"] = 16;
    return {conv,
            {{"name", "n"}, {"type", "layernorm"}, {"over", "channels"}},
            {{"type", "global_avgpool2d"}},
            point,
            {{"type", "relu"}},
            wide,
            {{"name", "h"}, {"type", "hard_sigmoid"}},
            {{"type", "mul"}, {"inputs", {"n", "h"}}},
            conv,
            {{"type", "layernorm"}},
            {{"type", "relu"}},
            {{"type", "global_avgpool2d"}},
            {{"type", "layernorm"}},
            {{"type", "dense"}, {"units", 4}}};
}

Result<ShortTraining> trainShortly(Session& session, const Json& layers, const std::string& optimizer,
                                   bool norm) {
    auto spec = specFromJson(
        {{"heteroscope", 1},
         {"kind", "network"},
         {"name", "test"},
         {"task", "train"},
         {"network", {{"input", {{"shape", {2, 13, 14}}}}, {"layers", layers}}},
         {"training", {{"batch", 8}, {"optimizer", {{"type", optimizer}, {"learning_rate", 0.01}}}}},
         {"targets", {"cpu/sequential"}}});
    if (!spec)
        return spec.error();
    spec->network.data.source = DataSource::Npy; // norms are asked for with a dataset only
    spec->network.training.gradientNorm = norm;
    const Dataset data = dataset();
    Trainer trainer(spec->network, data, session);
    if (const Status status = trainer.prepare(); !status)
        return status.error();
    Figures figures;
    trainer.listen(&figures);
    for (std::int64_t done = 0; done < kShortSteps; done += trainer.stepsPerEpoch())
        if (const Status status = trainer.train(trainer.stepsPerEpoch(), nullptr, nullptr); !status)
            return status.error();
    const auto measured = trainer.measure(data.test, nullptr);
    if (!measured)
        return measured.error();
    figures.losses.push_back(measured->loss);
    return ShortTraining{figures.losses, figures.norms, trainer.implementation()};
}

} // namespace heteroscope::compute
