// SPDX-License-Identifier: Apache-2.0
// All parameters of pooling and matrix-multiplication experiments, with their limits and explanations.
#include "compute/model/parameter_schema.h"

#include "compute/base/statistics.h"
#include "compute/model/data_schema.h"
#include "compute/model/parameter_make.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace heteroscope::compute {
namespace {

constexpr double kExactInteger = 16777216; // 2^24: every whole number up to here is a float32
constexpr double kMaxSeed = 4294967295;    // NumPy's legacy generator takes 32 bits

Parameter padding() {
    Parameter parameter =
        extent({"padding", "Padding",
                "Rows and columns added around the input: one number for all sides, [height, "
                "width], or [top, bottom, left, right]. It must be smaller than the kernel."},
               0, 0, kMaxWindow);
    parameter.type = ParameterType::Padding;
    return parameter;
}

ParameterGroup poolingGroup() {
    return {
        "/pooling",
        "Pooling",
        {choice({"mode", "Mode", "What each window becomes: its largest element or its average."},
                {"max", "average"}),
         extent({"kernel", "Kernel", "Size of the window: one number, or [height, width]."}, 2, 1,
                kMaxWindow),
         extent({"stride", "Stride", "Step from one window to the next: one number, or [height, width]."}, 2,
                1, kMaxWindow),
         padding(),
         when(choice({"paddingValue", "Padding counts as",
                      "Minus infinity lets padding never win a maximum, as neural networks do; zero is the "
                      "method of some studies."},
                     {"-inf", "zero"}),
              "/pooling/mode", {"max"}),
         when(
             boolean(
                 {"countIncludePad", "Average over padding",
                  "Divide by the whole kernel area (true) or only by the elements inside the input (false)."},
                 true),
             "/pooling/mode", {"average"}),
         choice({"strategy", "Strategy",
                 "image: the whole input is pooled at once. window: every window is copied to the device, "
                 "multiplied there with an identity filter and copied back; slow on purpose, it shows what "
                 "transfers cost."},
                {"image", "window"}),
         when(boolean({"backward", "Backward pass",
                       "Also compute the gradient of the input, as training a network needs it."},
                      false),
              "/pooling/strategy", {"image"})}};
}

ParameterGroup windowGroup() {
    const std::vector<std::string> active{"window"};
    return {
        "/pooling/window",
        "Window strategy",
        {when(choice({"multiply", "Product kernel",
                      "How a CUDA device multiplies each window; a processor has one way and ignores it."},
                     {"guarded", "loops", "tiled"}),
              "/pooling/strategy", active),
         when(choice(
                  {"filter", "Identity filter",
                   "transferred: copied with every window; constant: copied once, one copy less per window."},
                  {"transferred", "constant"}),
              "/pooling/strategy", active)}};
}

std::vector<Parameter> fileParameters(const std::string& source) {
    return {
        when({"values",
              ParameterType::Matrix,
              "Matrix",
              {},
              Json(nullptr),
              std::nullopt,
              std::nullopt,
              {},
              "The input typed in: a list of rows, each a list of numbers, all of one length.",
              false,
              {}},
             source, {"manual"}),
        when({"path",
              ParameterType::Text,
              "File",
              {},
              Json(""),
              std::nullopt,
              std::nullopt,
              {},
              "Image (PNG, JPEG, BMP, PGM, PPM) or .npy file; relative to the experiment file.",
              false,
              {}},
             source, {"image", "npy"}),
        when(choice({"color", "Colour", "Read an image as one grey channel or as three: red, green, blue."},
                    {"grey", "rgb"}),
             source, {"image"})};
}

ParameterGroup inputGroup() {
    const std::string source = "/pooling/input/source";
    const std::vector<std::string> random{"random"};
    ParameterGroup group{
        "/pooling/input",
        "Input",
        {choice(
             {"source", "Source", "Seeded random integers, a typed matrix, an image file or a NumPy file."},
             {"random", "manual", "image", "npy"}),
         when(extent({"size", "Size", "Height and width of the input: one number, or [height, width]."}, 1024,
                     1, kMaxSide),
              source, random),
         when(integer({"channels", "Channels", "Planes of each image; each is pooled on its own."}, 1, 1,
                      kMaxPlanes),
              source, random),
         when(integer({"batch", "Batch", "Images pooled together."}, 1, 1, kMaxPlanes), source, random),
         when(
             integer({"low", "Smallest value", "Smallest random integer."}, 0, -kExactInteger, kExactInteger),
             source, random),
         when(integer({"high", "Largest value", "Largest random integer, itself included."}, 9,
                      -kExactInteger, kExactInteger),
              source, random),
         integer(
             {"seed", "Seed",
              "The same seed gives the same numbers as numpy.random.seed(seed) and numpy.random.randint(low, "
              "high + 1). It also seeds the weights of the backward pass."},
             35, 0, kMaxSeed)}};
    for (Parameter& parameter : fileParameters(source))
        group.parameters.push_back(std::move(parameter));
    return group;
}

ParameterGroup matmulGroup() {
    return {
        "/matmul",
        "Matrix multiplication",
        {integer({"m", "Rows of A (m)", "Rows of the left matrix and of the result."}, 512, 1, kMaxSide,
                 "elements"),
         integer({"n", "Columns of B (n)", "Columns of the right matrix and of the result."}, 512, 1,
                 kMaxSide, "elements"),
         integer({"k", "Inner size (k)", "Columns of the left matrix, which are the rows of the right one."},
                 512, 1, kMaxSide, "elements"),
         choice({"right", "Right matrix",
                 "Random numbers, or the identity matrix, with which the result must equal the left matrix."},
                {"random", "identity"}),
         integer({"seed", "Seed", "Seed of the random integers from 0 to 9 in both matrices."}, 35, 0,
                 kMaxSeed)}};
}

ParameterGroup samplingGroup() {
    Parameter samples =
        integer({"samples", "Samples",
                 "Timed samples of each run; left out, the preset decides when there are enough."},
                0, 1, 100000);
    samples.defaultValue = nullptr;
    Parameter limit =
        number({"time_limit_s", "Time limit per run",
                "Sampling of a run ends after this time even when its interval is still wide. "
                "Fresh processes share it. Left out: 10 s at quick, 6 s at standard, none at thesis."},
               10, 0.01, 86400, "s");
    limit.defaultValue = nullptr;
    Parameter preset =
        choice({"preset", "Preset",
                "quick: 5 samples in one process. standard: at least 15 in 3 fresh processes, until the 95 % "
                "interval of the median is narrower than 1 % or the time limit is reached. thesis: 30 in 3 "
                "fresh processes."},
               {"quick", "standard", "thesis"});
    preset.defaultValue = "standard";
    Parameter processes = integer(
        {"processes", "Fresh processes",
         "Processes that take the samples, one after the other; left out, the preset decides. With fewer "
         "than 3 only runs whose medians differ by a quarter are told to be FASTER or SLOWER, and more than "
         "3 find smaller differences. They share samples and time limit; a training on a dataset is trained "
         "anew in each."},
        0, 1, kMostProcesses);
    processes.defaultValue = nullptr;
    Parameter warmUp = number(
        {"warmup_limit_s", "Time limit of the warm-up",
         "Each process warms a run up until none of three repetitions in a row is faster than those before "
         "by 5 %, at an equal clock of the GPU (within 1 %), or until this time. 0: no longer than it takes "
         "to find how many repetitions fill a sample. Left out: 1 s."},
        1, 0, 600, "s");
    warmUp.defaultValue = nullptr;
    const Parameter cache =
        choice({"cache", "Caches",
                "warm: repetitions follow one another and find in the caches what the one before left there. "
                "flush: before each sample, and outside of its time, a buffer larger than the caches (L2 of "
                "a GPU, all of a processor) is written; a sample is then one repetition."},
               {"warm", "flush"});
    const Parameter quiet = integer(
        {"quiet_wait_s", "Wait for a quiet machine",
         "After a sample or a warm-up that was disturbed a run waits until other programs have left the "
         "processors alone for a second, and is warmed up again. At most so many seconds in all, of each run "
         "in "
         "each process. 0: it does not wait."},
        0, 0, 86400, "s");
    return {"/sampling", "Sampling", {preset, samples, limit, processes, warmUp, cache, quiet}};
}

ParameterGroup taskGroup() {
    return {{},
            "Task",
            {choice({"task", "Task",
                     "train: forward, loss, backward and update of the weights. infer: forward only."},
                    {"train", "infer"})}};
}

ParameterGroup networkGroup() {
    Parameter layers{"layers",
                     ParameterType::Layers,
                     "Layers",
                     {},
                     Json(nullptr),
                     std::nullopt,
                     std::nullopt,
                     {},
                     "The layers in order, each after the ones that it reads; the last one is the output.",
                     true,
                     {}};
    const Parameter weights{
        "weights",
        ParameterType::Text,
        "Weights",
        {},
        Json(""),
        std::nullopt,
        std::nullopt,
        {},
        "File whose tensors are the first weights, by name: .npz or .onnx, relative to the experiment file. "
        "What it does not hold is drawn from the seed.",
        false,
        {}};
    return {"/network", "Network", {layers, weights}};
}

ParameterGroup networkInputGroup() {
    Parameter shape{"shape",
                    ParameterType::Shape,
                    "Input shape",
                    "elements",
                    Json(nullptr),
                    1,
                    kMaxSide,
                    {},
                    "Of one image: [channels, height, width], or [features] for a row of numbers.",
                    true,
                    {}};
    return {"/network/input",
            "Input",
            {shape, when(integer({"batch", "Batch", "Images of one inference."}, 1, 1, kMaxPlanes), "/task",
                         {"infer"})}};
}

/// Of a training on a dataset alone.
Parameter whenTraining(Parameter parameter) {
    return when(when(std::move(parameter), "/task", {"train"}), "/data/source", datasetSources());
}

std::vector<ParameterGroup> trainingGroups() {
    const std::string type = "/training/optimizer/type";
    const std::vector<std::string> train{"train"};
    return {
        {"/training",
         "Training",
         {when(choice({"loss", "Loss",
                       "softmax_cross_entropy: classes, from the outputs before a softmax. "
                       "binary_cross_entropy: yes or no, from the outputs before a sigmoid. "
                       "mean_squared_error: numbers."},
                      {"softmax_cross_entropy", "binary_cross_entropy", "mean_squared_error"}),
               "/task", train),
          when(integer({"batch", "Batch", "Images of one step; the gradient is their mean."}, 32, 1,
                       kMaxPlanes),
               "/task", train),
          whenTraining(
              integer({"epochs", "Epochs", "How often all training images are seen."}, 5, 1, 100000)),
          whenTraining(integer(
              {"patience", "Patience",
               "Epochs without a better validation loss after which the training ends early; 0: never."},
              0, 0, 100000)),
          whenTraining(
              boolean({"find_learning_rate", "Find the learning rate",
                       "Instead of a training: 100 steps with rates that grow from 1e-7 to 10, and the rate "
                       "at which the loss falls most steeply."},
                      false)),
          whenTraining(boolean(
              {"gradient_norm", "Norm of the gradient",
               "Tell the L2 norm of the gradient of all parameters at each step, before weight decay; "
               "it takes one more operation."},
              false)),
          choice({"initialization", "Initial weights",
                  "He: for layers followed by ReLU. Xavier: for sigmoid and tanh."},
                 {"he_normal", "he_uniform", "xavier_normal", "xavier_uniform", "constant"}),
          when(number({"constant", "Constant", "The value of every weight."}, 0.01, -100, 100, ""),
               "/training/initialization", {"constant"}),
          integer({"seed", "Seed", "Of the weights, the dropout and the order of the images."}, 1, 0,
                  kMaxSeed)}},
        {"/training/optimizer",
         "Optimiser",
         {when(choice({"type", "Optimiser", "Stochastic gradient descent, or Adam."}, {"sgd", "adam"}),
               "/task", train),
          when(number({"learning_rate", "Learning rate", "Size of a step against the gradient."}, 0.01, 0,
                      1000, ""),
               "/task", train),
          when(number({"momentum", "Momentum", "Share of the last step that is taken again."}, 0, 0, 0.9999,
                      ""),
               type, {"sgd"}),
          when(boolean({"nesterov", "Nesterov", "Look ahead along the momentum."}, false), type, {"sgd"}),
          when(number({"weight_decay", "Weight decay", "Pulls the weights towards zero."}, 0, 0, 10, ""),
               "/task", train),
          when(number({"beta1", "Beta 1", "Decay of the mean gradient."}, 0.9, 0, 0.99999, ""), type,
               {"adam"}),
          when(number({"beta2", "Beta 2", "Decay of the mean squared gradient."}, 0.999, 0, 0.9999999, ""),
               type, {"adam"}),
          when(number({"epsilon", "Epsilon", "Added to the root of the squared gradient."}, 1e-8, 1e-12, 1,
                      ""),
               type, {"adam"})}}};
}

/// How the learning rate changes: ScheduleSpec.
ParameterGroup scheduleGroup() {
    const std::string type = "/training/schedule/type";
    return {"/training/schedule",
            "Learning-rate schedule",
            {whenTraining(choice(
                 {"type", "Schedule",
                  "How the learning rate changes from step to step; the optimiser's is the one it begins "
                  "with, and with one_cycle the largest."},
                 {"constant", "step", "exponential", "cosine", "one_cycle", "plateau"})),
             when(number({"gamma", "Factor", "What the rate is multiplied by."}, 0.5, 1e-6, 1, ""), type,
                  {"step", "exponential", "plateau"}),
             when(integer({"every", "Every", "Epochs between two changes."}, 5, 1, 100000, "epochs"), type,
                  {"step"}),
             when(integer({"warmup_steps", "Warm-up", "Steps in which the rate rises from zero."}, 100, 0,
                          1e9, "steps"),
                  type, {"cosine"}),
             when(number({"minimum", "Lowest rate", "The rate does not fall below it."}, 0, 0, 1000, ""),
                  type, {"cosine", "plateau"}),
             when(number({"rising", "Rising share", "Share of all steps in which the rate rises."}, 0.3, 0, 1,
                         ""),
                  type, {"one_cycle"}),
             when(integer({"patience", "Patience",
                           "Epochs without a better validation loss that are waited before the rate falls."},
                          2, 0, 100000, "epochs"),
                  type, {"plateau"})}};
}

std::vector<ParameterGroup> networkGroups() {
    std::vector<ParameterGroup> groups{taskGroup(), networkGroup(), networkInputGroup()};
    for (ParameterGroup& group : trainingGroups())
        groups.push_back(std::move(group));
    groups.push_back(scheduleGroup());
    groups.push_back(dataGroup());
    groups.push_back(samplingGroup());
    return groups;
}

std::string decimal(double value) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    if (value == std::floor(value) && std::abs(value) < 1e15)
        return std::to_string(static_cast<std::int64_t>(value));
    return {buffer.data(), end.ptr};
}

std::string rangeText(const Parameter& parameter) {
    std::string text;
    if (parameter.min)
        text += " from " + decimal(*parameter.min);
    if (parameter.max)
        text += " to " + decimal(*parameter.max);
    return text;
}

std::string choicesText(const std::vector<std::string>& choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0)
            text += i + 1 == choices.size() ? " or " : ", ";
        text += '"' + choices[i] + '"';
    }
    return text;
}

} // namespace

std::span<const std::string> experimentKinds() {
    static const std::vector<std::string> kinds{"pooling", "matmul", "network"};
    return kinds;
}

std::span<const ParameterGroup> parameterGroups(const std::string& kind) {
    static const std::vector<ParameterGroup> pooling{poolingGroup(), windowGroup(), inputGroup(),
                                                     samplingGroup()};
    static const std::vector<ParameterGroup> matmul{matmulGroup(), samplingGroup()};
    static const std::vector<ParameterGroup> network = networkGroups();
    if (kind == "pooling")
        return pooling;
    if (kind == "matmul")
        return matmul;
    if (kind == "network")
        return network;
    return {};
}

const Parameter* findParameter(const std::string& kind, const std::string& pointer) {
    for (const ParameterGroup& group : parameterGroups(kind))
        for (const Parameter& parameter : group.parameters)
            if (pointer.size() == group.pointer.size() + 1 + parameter.key.size() &&
                pointer.starts_with(group.pointer + "/") && pointer.ends_with(parameter.key))
                return &parameter;
    return nullptr;
}

Json valueOrDefault(const std::string& kind, const Json& document, const std::string& pointer) {
    const Json::json_pointer place(pointer);
    if (document.contains(place))
        return document.at(place);
    const Parameter* const parameter = findParameter(kind, pointer);
    return parameter == nullptr ? Json() : parameter->defaultValue;
}

std::optional<ParameterCondition> inactiveBecause(const std::string& kind, const Json& document,
                                                  const Parameter& parameter, const AxisValues& axisValues) {
    for (const ParameterCondition& condition : parameter.activeWhen) {
        if (const Parameter* const other = findParameter(kind, condition.pointer))
            if (auto why = inactiveBecause(kind, document, *other, axisValues))
                return why;
        std::vector<Json> values = axisValues ? axisValues(condition.pointer) : std::vector<Json>();
        if (values.empty())
            values.push_back(valueOrDefault(kind, document, condition.pointer));
        const auto allows = [&condition](const Json& value) {
            return value.is_null() || std::any_of(condition.values.begin(), condition.values.end(),
                                                  [&value](const std::string& one) {
                                                      return value == one || value.dump() == one;
                                                  });
        };
        if (std::none_of(values.begin(), values.end(), allows))
            return condition;
    }
    return std::nullopt;
}

std::string allowedText(const Parameter& parameter) {
    switch (parameter.type) {
    case ParameterType::Integer:
        return "a whole number" + rangeText(parameter);
    case ParameterType::Number:
        return "a number" + rangeText(parameter);
    case ParameterType::Boolean:
        return "true or false";
    case ParameterType::Choice:
        return choicesText(parameter.choices);
    case ParameterType::Text:
        return "a text";
    case ParameterType::File:
        return "the path of a file";
    case ParameterType::Folder:
        return "the path of a folder";
    case ParameterType::Numbers:
        return "a number" + rangeText(parameter) + ", or a list of such, one a channel";
    case ParameterType::Transforms:
        return "a list of transforms such as {\"type\": \"resize\", \"size\": 32}";
    case ParameterType::Extent:
        return "a whole number" + rangeText(parameter) + ", or two as [height, width]";
    case ParameterType::Padding:
        return "a whole number" + rangeText(parameter) +
               ", or [height, width], or [top, bottom, left, right]";
    case ParameterType::Shape:
        return "[channels, height, width] or [features], whole numbers" + rangeText(parameter);
    case ParameterType::Layers:
        return "a list of layers such as {\"name\": \"conv1\", \"type\": \"conv2d\", \"filters\": 16}";
    case ParameterType::Matrix:
        break;
    }
    return "a list of rows of numbers, all rows of one length";
}

} // namespace heteroscope::compute
