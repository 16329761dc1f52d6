// SPDX-License-Identifier: Apache-2.0
#include "compute/data/fixed_transforms.h"

#include "compute/data/transforms.h"

#include <algorithm>
#include <cmath>

namespace heteroscope::compute {
namespace {

std::string placeOf(std::size_t transform) {
    return "/data/transforms/" + std::to_string(transform);
}

Status resizeAll(Examples& examples, const Shape4& shape, Extent2d to, MemoryBudget& budget) {
    const auto before = static_cast<std::size_t>(*shape.elements());
    if (const Status status = chargeExamples(budget, examples.count, shape.c * to.h * to.w); !status)
        return status;
    std::vector<float> images;
    images.reserve(static_cast<std::size_t>(examples.count * shape.c * to.h * to.w));
    for (std::size_t i = 0; i < static_cast<std::size_t>(examples.count); ++i) {
        const auto one = resized(std::span(examples.images).subspan(i * before, before), shape, to);
        images.insert(images.end(), one.begin(), one.end());
    }
    const std::int64_t old = bytesOf(examples);
    examples.images = std::move(images);
    budget.release(old);
    return {};
}

/// Puts in mean and deviation of each channel over `examples` where they were not given.
void measure(const Examples& examples, const Shape4& shape, TransformSpec& transform) {
    if (!transform.mean.empty() && !transform.deviation.empty())
        return;
    const auto plane = static_cast<std::size_t>(shape.h * shape.w),
               channels = static_cast<std::size_t>(shape.c);
    const double values = static_cast<double>(examples.count) * static_cast<double>(plane);
    std::vector<double> mean(channels), deviation(channels);
    const auto forEach = [&](const auto& add) {
        for (std::size_t i = 0; i < examples.images.size(); ++i)
            add(i / plane % channels, static_cast<double>(examples.images[i]));
    };
    forEach([&](std::size_t channel, double value) { mean[channel] += value / values; });
    forEach([&](std::size_t channel, double value) {
        deviation[channel] += (value - mean[channel]) * (value - mean[channel]) / values;
    });
    for (double& each : deviation) // a channel without any difference stays as it is
        each = each > 0 ? std::sqrt(each) : 1;
    if (transform.mean.empty())
        transform.mean = std::move(mean);
    if (transform.deviation.empty())
        transform.deviation = std::move(deviation);
}

Status checkChannels(const TransformSpec& transform, const Shape4& shape, const std::string& place) {
    for (const auto& [values, key] :
         {std::pair{&transform.mean, "/mean"}, {&transform.deviation, "/deviation"}})
        if (values->size() != 1 && static_cast<std::int64_t>(values->size()) != shape.c)
            return badInput(place + key, "there are " + std::to_string(values->size()) + " numbers",
                            "one for all channels, or " + std::to_string(shape.c));
    return {};
}

void normalizeAll(Examples& examples, const Shape4& shape, const TransformSpec& transform) {
    const auto size = static_cast<std::size_t>(*shape.elements());
    for (std::size_t i = 0; i < static_cast<std::size_t>(examples.count); ++i)
        normalizeChannels(std::span(examples.images).subspan(i * size, size), shape, transform.mean,
                          transform.deviation);
}

} // namespace

Status applyFixedTransforms(const DataSpec& data, Dataset& dataset, MemoryBudget& budget) {
    for (std::size_t i = 0; i < data.transforms.size(); ++i) {
        TransformSpec transform = data.transforms[i];
        const bool later = !dataset.augmentations.empty() || transform.isRandom();
        if (transform.kind == TransformKind::Resize) {
            const bool done = i == 0 && data.source == DataSource::ImageFolder;
            for (Examples* part : {&dataset.training, &dataset.validation, &dataset.test})
                if (!done)
                    if (const Status status = resizeAll(*part, dataset.image, transform.size, budget);
                        !status)
                        return status;
            dataset.image.h = transform.size.h;
            dataset.image.w = transform.size.w;
            continue;
        }
        if (transform.kind == TransformKind::Normalize) {
            measure(dataset.training.count > 0 ? dataset.training : dataset.test, dataset.image, transform);
            if (const Status status = checkChannels(transform, dataset.image, placeOf(i)); !status)
                return status;
            if (!later)
                normalizeAll(dataset.training, dataset.image, transform);
            normalizeAll(dataset.validation, dataset.image, transform);
            normalizeAll(dataset.test, dataset.image, transform);
        }
        if (later)
            dataset.augmentations.push_back(std::move(transform));
    }
    return {};
}

Shape4 transformedShape(Shape4 image, const std::vector<TransformSpec>& transforms) {
    for (const TransformSpec& transform : transforms)
        if (transform.kind == TransformKind::Resize) {
            image.h = transform.size.h;
            image.w = transform.size.w;
        }
    return image;
}

} // namespace heteroscope::compute
