// SPDX-License-Identifier: Apache-2.0
// Summaries, bootstrap intervals and verdicts of timing samples.
#include "compute/base/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace heteroscope {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): small, seedable, the same everywhere.
class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    /// Uniform in [0, bound) by the multiply-shift method; the bias of at most bound / 2^32 does not matter
    /// here.
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32);
    }

  private:
    std::uint64_t next() {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t mixed = m_state;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31);
    }

    std::uint64_t m_state;
};

/// Draws resamples of sorted samples and gives the median of each. Counting how often each rank was drawn
/// replaces sorting the resample.
class MedianResampler {
  public:
    MedianResampler(std::span<const double> sorted, std::uint64_t seed)
        : m_sorted(sorted), m_counts(sorted.size()), m_random(seed) {}

    double draw() {
        const std::size_t n = m_sorted.size();
        std::fill(m_counts.begin(), m_counts.end(), 0u);
        for (std::size_t i = 0; i < n; ++i)
            ++m_counts[m_random.below(n)];
        return 0.5 * (atRank((n - 1) / 2) + atRank(n / 2));
    }

  private:
    double atRank(std::size_t rank) const {
        std::size_t seen = 0;
        for (std::size_t i = 0; i < m_counts.size(); ++i) {
            seen += m_counts[i];
            if (seen > rank)
                return m_sorted[i];
        }
        return m_sorted.back();
    }

    std::span<const double> m_sorted;
    std::vector<std::uint32_t> m_counts;
    Random m_random;
};

constexpr int kRatioResamples = 2000;
constexpr double kSmallestGap = 0.005;
constexpr double kLargestSpread = 0.02;

std::vector<double> sortedCopy(std::span<const double> samples) {
    std::vector<double> sorted(samples.begin(), samples.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

Interval percentileInterval(std::vector<double>& estimates) {
    std::sort(estimates.begin(), estimates.end());
    return {quantileSorted(estimates, 0.025), quantileSorted(estimates, 0.975)};
}

OutlierKind classify(double sample, double q1, double q3) {
    const double range = q3 - q1;
    const double outside = std::max(q1 - sample, sample - q3);
    if (outside <= 0.0 || outside <= 1.5 * range)
        return OutlierKind::None;
    return outside > 3.0 * range ? OutlierKind::Severe : OutlierKind::Mild;
}

double standardDeviation(std::span<const double> samples, double mean) {
    if (samples.size() < 2)
        return 0.0;
    double squares = 0.0;
    for (const double sample : samples)
        squares += (sample - mean) * (sample - mean);
    return std::sqrt(squares / static_cast<double>(samples.size() - 1));
}

/// The fast side of a distribution of times: from the quickest sample to the upper quartile.
struct Range {
    double low = 0.0, high = 0.0, median = 0.0;
    double width() const { return high - low; }
};

Range fastRange(std::span<const double> sorted) {
    return {sorted.front(), quantileSorted(sorted, 0.75), quantileSorted(sorted, 0.5)};
}

bool apart(const Range& a, const Range& b) {
    const double gap = std::max(a.low - b.high, b.low - a.high);
    return gap >= kSmallestGap * std::min(a.median, b.median);
}

bool overlapByHalf(const Range& a, const Range& b) {
    const double shared = std::min(a.high, b.high) - std::max(a.low, b.low);
    return shared >= 0.5 * std::min(a.width(), b.width());
}

bool narrow(const Range& range) {
    return range.width() <= kLargestSpread * range.median;
}

constexpr std::size_t kFewSamples = 10;

bool isClear(double ratio) {
    return std::max(ratio, 1 / ratio) >= kClearInOneProcess;
}

/// No sample of one side is as fast as any of the other, and the medians differ clearly.
bool disjoint(std::span<const double> sortedA, std::span<const double> sortedB, double ratio) {
    const bool separate = sortedA.back() < sortedB.front() || sortedB.back() < sortedA.front();
    return separate && isClear(ratio);
}

Verdict judge(const Range& reference, const Range& candidate, const Comparison& comparison, bool separated) {
    const bool excludesOne = comparison.ci95.low > 1.0 || comparison.ci95.high < 1.0;
    if (excludesOne && separated)
        return comparison.ratio > 1.0 ? Verdict::Faster : Verdict::Slower;
    const bool equalMedians = std::abs(comparison.ratio - 1.0) <= kSmallestGap;
    if (equalMedians && overlapByHalf(reference, candidate) && narrow(reference) && narrow(candidate))
        return Verdict::Same;
    return Verdict::Unclear;
}

std::vector<double> joined(const ProcessSamples& processes) {
    std::vector<double> all;
    for (const auto& samples : processes)
        all.insert(all.end(), samples.begin(), samples.end());
    return all;
}

double medianOf(std::span<const double> samples) {
    return quantileSorted(sortedCopy(samples), 0.5);
}

/// Empty where a median has no logarithm, or the processes are too few to tell their spread.
std::vector<double> logMedians(const ProcessSamples& processes) {
    std::vector<double> logs;
    if (processes.size() < kProcessesForVerdict)
        return logs;
    for (const auto& samples : processes)
        logs.push_back(std::log(medianOf(samples)));
    if (!std::all_of(logs.begin(), logs.end(), [](double log) { return std::isfinite(log); }))
        logs.clear();
    return logs;
}

/// Draws resamples of the samples of each process, or of all where processes are too few, and gives the
/// central time of each.
class CenterResampler {
  public:
    CenterResampler(const ProcessSamples& processes, std::uint64_t seed) {
        if (logMedians(processes).empty())
            m_sorted.push_back(sortedCopy(joined(processes)));
        else
            for (const auto& samples : processes)
                m_sorted.push_back(sortedCopy(samples));
        for (const auto& sorted : m_sorted)
            m_medians.emplace_back(sorted, seed + m_medians.size());
    }

    double draw() {
        if (m_medians.size() == 1)
            return m_medians.front().draw();
        double logs = 0;
        for (MedianResampler& median : m_medians)
            logs += std::log(median.draw());
        return std::exp(logs / static_cast<double>(m_medians.size()));
    }

  private:
    std::vector<std::vector<double>> m_sorted;
    std::vector<MedianResampler> m_medians;
};

Interval bootstrapCenters(const ProcessSamples& reference, const ProcessSamples& candidate,
                          std::uint64_t seed) {
    CenterResampler drawReference(reference, seed), drawCandidate(candidate, seed ^ 0x5851f42d4c957f2du);
    std::vector<double> ratios(kRatioResamples);
    for (double& ratio : ratios)
        ratio = drawReference.draw() / drawCandidate.draw();
    return percentileInterval(ratios);
}

/// Quantiles 0.975 and 0.99 of Student's distribution by degrees of freedom from 1 on; beyond the table the
/// last row holds, which is on the safe side.
constexpr std::array kStudent975{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
constexpr std::array kStudent990{31.821, 6.965, 4.541, 3.747, 3.365, 3.143, 2.998, 2.896, 2.821, 2.764};

double studentQuantile(const std::array<double, 10>& table, double degrees) {
    return table[std::clamp<std::size_t>(static_cast<std::size_t>(degrees), 1, table.size()) - 1];
}

struct MeanOfProcesses {
    double mean = 0, error = 0, degrees = 1; ///< of logarithms mostly; standard error
};

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

MeanOfProcesses meanWithError(std::span<const double> values) {
    const double mean = meanOf(values), count = static_cast<double>(values.size());
    return {mean, standardDeviation(values, mean) / std::sqrt(count), count - 1};
}

MeanOfProcesses paired(std::span<const double> a, std::span<const double> b) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i)
        differences.push_back(a[i] - b[i]);
    return meanWithError(differences);
}

MeanOfProcesses unpaired(std::span<const double> a, std::span<const double> b) {
    const auto part = [](std::span<const double> values) {
        const double sd = standardDeviation(values, meanOf(values));
        return sd * sd / static_cast<double>(values.size());
    };
    const double partA = part(a), partB = part(b), variance = partA + partB;
    const double freedom =
        partA * partA / static_cast<double>(a.size() - 1) + partB * partB / static_cast<double>(b.size() - 1);
    const double degrees =
        freedom > 0 ? variance * variance / freedom : static_cast<double>(std::min(a.size(), b.size()) - 1);
    return {meanOf(a) - meanOf(b), std::sqrt(variance), degrees};
}

Interval studentInterval(const MeanOfProcesses& mean, const std::array<double, 10>& quantiles = kStudent975) {
    const double half = mean.error * studentQuantile(quantiles, mean.degrees);
    return {std::exp(mean.mean - half), std::exp(mean.mean + half)};
}

Verdict judge(const MeanOfProcesses& mean) {
    const double size = std::abs(mean.mean), least = std::log1p(kSmallestEffect);
    if (size >= std::max(mean.error * studentQuantile(kStudent990, mean.degrees), least))
        return mean.mean > 0 ? Verdict::Faster : Verdict::Slower;
    const bool same = size + mean.error * studentQuantile(kStudent975, mean.degrees) <= least;
    return same ? Verdict::Same : Verdict::Unclear;
}

bool isDifference(Verdict verdict) {
    return verdict == Verdict::Faster || verdict == Verdict::Slower;
}

/// Told apart, but by no more than two moments may differ.
bool mayBeTheMoment(const MeanOfProcesses& mean, Pairing pairing) {
    constexpr double kRounding = 1e-12;
    return pairing == Pairing::TwoStudies && isDifference(judge(mean)) &&
           std::abs(mean.mean) < std::log(kClearBetweenMoments) - kRounding;
}

/// So many a side, where `had` are there, if mean and deviation stayed as they are.
int processesThatSettle(const MeanOfProcesses& mean, std::size_t had, Pairing pairing) {
    for (int count = static_cast<int>(had) + 1; count <= kMostProcesses; ++count) {
        const double growth = static_cast<double>(count) / static_cast<double>(had);
        const MeanOfProcesses more{mean.mean, mean.error / std::sqrt(growth), mean.degrees * growth};
        if (judge(more) != Verdict::Unclear && !mayBeTheMoment(more, pairing))
            return count;
    }
    return 0;
}

/// Where one side has too few processes: no verdict, but for a clear one in one process.
void judgeFewProcesses(Comparison& comparison, const ProcessSamples& reference,
                       const ProcessSamples& candidate, Pairing pairing, std::uint64_t seed) {
    bool settled =
        isDifference(comparison.verdict) && pairing == Pairing::OneStudy && isClear(comparison.ratio);
    if (!logMedians(reference).empty() || !logMedians(candidate).empty()) {
        comparison.ratio = centralTime(reference) / centralTime(candidate);
        comparison.ci95 = comparison.hasInterval ? bootstrapCenters(reference, candidate, seed)
                                                 : Interval{comparison.ratio, comparison.ratio};
        settled =
            settled && (comparison.verdict == Verdict::Faster ? comparison.ratio >= kClearInOneProcess
                                                              : 1 / comparison.ratio >= kClearInOneProcess);
    }
    comparison.needsProcesses = !settled;
    if (!settled)
        comparison.verdict = Verdict::Unclear;
}

} // namespace

double quantileSorted(std::span<const double> sorted, double q) {
    const double position = std::clamp(q, 0.0, 1.0) * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 >= sorted.size())
        return sorted.back();
    const double share = position - static_cast<double>(below);
    return sorted[below] + share * (sorted[below + 1] - sorted[below]);
}

Summary summarize(std::span<const double> samples, std::uint64_t seed) {
    Summary summary;
    summary.n = samples.size();
    if (samples.empty())
        return summary;
    const std::vector<double> sorted = sortedCopy(samples);
    summary.min = sorted.front();
    summary.q1 = quantileSorted(sorted, 0.25);
    summary.median = quantileSorted(sorted, 0.5);
    summary.q3 = quantileSorted(sorted, 0.75);
    summary.max = sorted.back();
    summary.mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
    summary.sd = standardDeviation(samples, summary.mean);
    summary.hasInterval = samples.size() >= kSamplesForInterval;
    summary.ci95 =
        summary.hasInterval ? bootstrapMedian(samples, seed) : Interval{summary.median, summary.median};
    for (const double sample : samples) {
        summary.outliers.push_back(classify(sample, summary.q1, summary.q3));
        summary.outlierCount += summary.outliers.back() != OutlierKind::None;
    }
    return summary;
}

std::optional<CenterOfProcesses> centerOfProcesses(const ProcessSamples& processes) {
    const std::vector<double> logs = logMedians(processes);
    if (logs.empty())
        return std::nullopt;
    const MeanOfProcesses mean = meanWithError(logs);
    return CenterOfProcesses{std::exp(mean.mean), studentInterval(mean)};
}

double studentHalfWidth95(std::span<const double> values) {
    const MeanOfProcesses mean = meanWithError(values);
    return mean.error * studentQuantile(kStudent975, mean.degrees);
}

double centralTime(const ProcessSamples& processes) {
    if (const auto center = centerOfProcesses(processes))
        return center->time;
    const std::vector<double> all = joined(processes);
    return all.empty() ? 0.0 : medianOf(all);
}

Interval bootstrapMedian(std::span<const double> samples, std::uint64_t seed, int resamples) {
    if (samples.empty() || resamples < 1)
        return {};
    const std::vector<double> sorted = sortedCopy(samples);
    MedianResampler resampler(sorted, seed);
    std::vector<double> medians(static_cast<std::size_t>(resamples));
    for (double& median : medians)
        median = resampler.draw();
    return percentileInterval(medians);
}

std::string_view verdictName(Verdict verdict) {
    switch (verdict) {
    case Verdict::Faster:
        return "FASTER";
    case Verdict::Slower:
        return "SLOWER";
    case Verdict::Same:
        return "SAME";
    case Verdict::Unclear:
        return "UNCLEAR";
    case Verdict::NoResult:
        break;
    }
    return "NO RESULT";
}

Comparison compare(std::span<const double> reference, std::span<const double> candidate, std::uint64_t seed) {
    Comparison comparison;
    if (reference.empty() || candidate.empty())
        return comparison;
    const std::vector<double> sortedReference = sortedCopy(reference);
    const std::vector<double> sortedCandidate = sortedCopy(candidate);
    const double candidateMedian = quantileSorted(sortedCandidate, 0.5);
    if (!(candidateMedian > 0.0) || !(sortedReference.front() >= 0.0))
        return comparison;
    comparison.ratio = quantileSorted(sortedReference, 0.5) / candidateMedian;
    comparison.ci95 = {comparison.ratio, comparison.ratio};
    comparison.verdict = Verdict::Unclear;
    if (std::min(reference.size(), candidate.size()) < kSamplesForInterval ||
        !(sortedCandidate.front() > 0.0))
        return comparison;
    MedianResampler drawReference(sortedReference, seed);
    MedianResampler drawCandidate(sortedCandidate, seed ^ 0x5851f42d4c957f2du);
    std::vector<double> ratios(kRatioResamples);
    for (double& ratio : ratios)
        ratio = drawReference.draw() / drawCandidate.draw();
    comparison.ci95 = percentileInterval(ratios);
    comparison.hasInterval = true;
    const Range rangeA = fastRange(sortedReference), rangeB = fastRange(sortedCandidate);
    const bool separated = std::min(reference.size(), candidate.size()) < kFewSamples
                               ? disjoint(sortedReference, sortedCandidate, comparison.ratio)
                               : apart(rangeA, rangeB);
    comparison.verdict = judge(rangeA, rangeB, comparison, separated);
    return comparison;
}

Comparison compare(const ProcessSamples& reference, const ProcessSamples& candidate, Pairing pairing,
                   std::uint64_t seed) {
    const std::vector<double> a = logMedians(reference), b = logMedians(candidate);
    if (a.empty() || b.empty()) {
        Comparison comparison = compare(joined(reference), joined(candidate), seed);
        if (comparison.verdict != Verdict::NoResult)
            judgeFewProcesses(comparison, reference, candidate, pairing, seed);
        return comparison;
    }
    Comparison comparison;
    const MeanOfProcesses mean =
        pairing == Pairing::OneStudy && a.size() == b.size() ? paired(a, b) : unpaired(a, b);
    comparison.ratio = std::exp(mean.mean);
    comparison.ci95 = studentInterval(mean);
    comparison.ci98 = studentInterval(mean, kStudent990);
    comparison.hasInterval = comparison.overProcesses = true;
    comparison.oneMoment = mayBeTheMoment(mean, pairing);
    comparison.verdict = comparison.oneMoment ? Verdict::Unclear : judge(mean);
    if (comparison.verdict == Verdict::Unclear)
        comparison.processesThatSettle = processesThatSettle(mean, std::min(a.size(), b.size()), pairing);
    return comparison;
}

Comparison comparePairs(std::span<const double> reference, std::span<const double> candidate) {
    Comparison comparison;
    const auto positive = [](double time) { return std::isfinite(time) && time > 0; };
    if (reference.size() != candidate.size() || reference.size() < kPairsForVerdict ||
        !std::all_of(reference.begin(), reference.end(), positive) ||
        !std::all_of(candidate.begin(), candidate.end(), positive))
        return comparison;
    std::vector<double> differences;
    for (std::size_t i = 0; i < reference.size(); ++i)
        differences.push_back(std::log(reference[i]) - std::log(candidate[i]));
    const MeanOfProcesses mean = meanWithError(differences);
    comparison.ratio = std::exp(mean.mean);
    comparison.ci95 = studentInterval(mean);
    comparison.ci98 = studentInterval(mean, kStudent990);
    comparison.hasInterval = comparison.overPairs = true;
    comparison.verdict = judge(mean);
    return comparison;
}

} // namespace heteroscope
