// SPDX-License-Identifier: Apache-2.0
#include "profiling/analysis/scaling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

namespace heteroscope::profiling {

namespace {

constexpr int kResamples = 1000;
constexpr std::string_view kThreadsOption = "threads=";

struct TimePoint {
    double threads, timeMs;
};

struct PointsFit {
    AmdahlFit fit;
    double freeFraction; ///< where a part may be below 0: what intervals are taken of, to be cut at the end
};

/// T(p) = serial + parallel / p by weighted least squares, in `fit` both parts at least 0.
std::optional<PointsFit> fitPoints(const std::vector<TimePoint>& points) {
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
    for (const TimePoint& point : points) {
        if (!(point.timeMs > 0) || !(point.threads >= 1))
            return std::nullopt;
        const double weight = 1 / (point.timeMs * point.timeMs), x = 1 / point.threads;
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
        wy += weight * point.timeMs;
        wxy += weight * x * point.timeMs;
    }
    const double determinant = w * wxx - wx * wx;
    if (!(determinant > 1e-12 * w * wxx))
        return std::nullopt;
    double parallel = (w * wxy - wx * wy) / determinant;
    double serial = (wy - parallel * wx) / w;
    const double freeFraction = serial / (serial + parallel);
    if (serial < 0) {
        serial = 0;
        parallel = wxy / wxx;
    } else if (parallel < 0) {
        parallel = 0;
        serial = wy / w;
    }
    AmdahlFit fit;
    fit.oneThreadMs = serial + parallel;
    fit.serialFraction = serial / fit.oneThreadMs;
    return PointsFit{fit, freeFraction};
}

double explainedShare(const AmdahlFit& fit, const std::vector<TimePoint>& points) {
    double mean = 0, residual = 0, total = 0;
    for (const TimePoint& point : points)
        mean += point.timeMs / static_cast<double>(points.size());
    for (const TimePoint& point : points) {
        residual += std::pow(point.timeMs - fit.timeMs(point.threads), 2);
        total += std::pow(point.timeMs - mean, 2);
    }
    return total > 0 ? 1 - residual / total : 1;
}

std::vector<TimePoint> pointsOf(const std::vector<ThreadSamples>& samples) {
    std::vector<TimePoint> points;
    for (const ThreadSamples& group : samples)
        points.push_back({static_cast<double>(group.threads), group.timeMs()});
    return points;
}

/// Percentile interval of the serial fraction over resampled samples, each within its process.
Interval bootstrapFraction(const std::vector<ThreadSamples>& samples, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<double> fractions;
    for (int i = 0; i < kResamples; ++i) {
        std::vector<ThreadSamples> drawn = samples;
        for (std::size_t group = 0; group < samples.size(); ++group)
            for (std::size_t process = 0; process < samples[group].timesMs.size(); ++process) {
                const std::vector<double>& from = samples[group].timesMs[process];
                for (double& time : drawn[group].timesMs[process])
                    time = from[random() % from.size()];
            }
        if (const auto drawnFit = fitPoints(pointsOf(drawn)))
            fractions.push_back(drawnFit->fit.serialFraction);
    }
    std::sort(fractions.begin(), fractions.end());
    return {quantileSorted(fractions, 0.025), quantileSorted(fractions, 0.975)};
}

/// Serial fractions fitted freely to each process by itself; empty where the numbers of threads ran in
/// different processes, or these are too few.
std::vector<double> fractionsOfProcesses(const std::vector<ThreadSamples>& samples) {
    const std::size_t processes = samples.front().timesMs.size();
    std::vector<double> fractions;
    for (std::size_t process = 0; process < processes; ++process) {
        std::vector<TimePoint> points;
        for (const ThreadSamples& group : samples) {
            if (group.timesMs.size() != processes)
                return {};
            points.push_back({static_cast<double>(group.threads), centralTime({group.timesMs[process]})});
        }
        const auto fit = fitPoints(points);
        if (!fit)
            return {};
        fractions.push_back(fit->freeFraction);
    }
    return processes < kProcessesForVerdict ? std::vector<double>() : fractions;
}

void addInterval(AmdahlFit& fit, double freeFraction, const std::vector<ThreadSamples>& samples,
                 std::uint64_t seed) {
    fit.ci95 = {fit.serialFraction, fit.serialFraction};
    if (const std::vector<double> fractions = fractionsOfProcesses(samples); !fractions.empty()) {
        const double half = studentHalfWidth95(fractions);
        fit.ci95 = {std::clamp(freeFraction - half, 0.0, 1.0), std::clamp(freeFraction + half, 0.0, 1.0)};
        fit.hasInterval = fit.overProcesses = true;
        return;
    }
    fit.hasInterval = std::all_of(samples.begin(), samples.end(), [](const ThreadSamples& group) {
        std::size_t count = 0;
        for (const auto& process : group.timesMs)
            count += process.size();
        return count >= kSamplesForInterval;
    });
    if (fit.hasInterval)
        fit.ci95 = bootstrapFraction(samples, seed);
}

/// Position and length of the option in the target's text, the value included.
std::optional<std::pair<std::size_t, std::size_t>> findThreads(std::string_view target) {
    std::size_t at = target.find('?');
    while (at != std::string_view::npos) {
        const std::size_t end = std::min(target.find('&', at + 1), target.size());
        if (target.substr(at + 1).starts_with(kThreadsOption))
            return std::pair(at, end - at);
        at = end == target.size() ? std::string_view::npos : end;
    }
    return std::nullopt;
}

} // namespace

double AmdahlFit::timeMs(double threads) const {
    return oneThreadMs * (serialFraction + (1 - serialFraction) / threads);
}
double AmdahlFit::speedup(double threads) const {
    return 1 / (serialFraction + (1 - serialFraction) / threads);
}
double AmdahlFit::limit() const {
    return serialFraction > 0 ? 1 / serialFraction : std::numeric_limits<double>::infinity();
}

std::optional<AmdahlFit> fitAmdahl(const std::vector<ThreadSamples>& samples, std::uint64_t seed) {
    const std::vector<TimePoint> points = pointsOf(samples);
    auto fitted = fitPoints(points);
    if (!fitted)
        return std::nullopt;
    AmdahlFit& fit = fitted->fit;
    fit.rSquared = explainedShare(fit, points);
    addInterval(fit, fitted->freeFraction, samples, seed);
    return fit;
}

double efficiency(double oneThreadMs, double timeMs, int threads) {
    return oneThreadMs / (timeMs * threads);
}

std::optional<double> karpFlatt(double speedup, int threads) {
    if (threads <= 1 || !(speedup > 0))
        return std::nullopt;
    const double inverse = 1.0 / threads;
    return (1 / speedup - inverse) / (1 - inverse);
}

std::optional<int> threadsOfTarget(std::string_view target) {
    const auto found = findThreads(target);
    if (!found)
        return std::nullopt;
    const std::string_view value =
        target.substr(found->first + 1 + kThreadsOption.size(), found->second - 1 - kThreadsOption.size());
    int threads = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), threads);
    if (error != std::errc() || end != value.data() + value.size() || threads < 1)
        return std::nullopt;
    return threads;
}

std::string targetWithoutThreads(std::string_view target) {
    std::string text(target);
    const auto found = findThreads(target);
    if (!found)
        return text;
    text.erase(found->first, found->second);
    if (text.size() > found->first && target[found->first] == '?')
        text[found->first] = '?'; // the next option comes first now
    return text;
}

std::vector<ThreadSamples> threadSamples(const Study& study, const Json& point, const std::string& target) {
    std::vector<ThreadSamples> samples;
    const std::string wanted = targetWithoutThreads(target);
    for (const StudyRun& run : study.runs) {
        const auto threads = threadsOfTarget(run.target);
        if (!threads || run.point != point || targetWithoutThreads(run.target) != wanted)
            continue;
        if (speedupRatio(run, run))
            samples.push_back({*threads, run.processTimesMs(), &run});
    }
    std::stable_sort(samples.begin(), samples.end(),
                     [](const ThreadSamples& a, const ThreadSamples& b) { return a.threads < b.threads; });
    return samples;
}

} // namespace heteroscope::profiling
