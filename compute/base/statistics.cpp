// SPDX-License-Identifier: Apache-2.0
// Summaries, bootstrap intervals and verdicts of timing samples.
#include "compute/base/statistics.h"

#include <algorithm>
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

Verdict judge(const Range& reference, const Range& candidate, const Comparison& comparison) {
    const bool excludesOne = comparison.ci95.low > 1.0 || comparison.ci95.high < 1.0;
    if (excludesOne && apart(reference, candidate))
        return comparison.ratio > 1.0 ? Verdict::Faster : Verdict::Slower;
    const bool equalMedians = std::abs(comparison.ratio - 1.0) <= kSmallestGap;
    if (equalMedians && overlapByHalf(reference, candidate) && narrow(reference) && narrow(candidate))
        return Verdict::Same;
    return Verdict::Unclear;
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
    comparison.verdict = judge(fastRange(sortedReference), fastRange(sortedCandidate), comparison);
    return comparison;
}

} // namespace heteroscope
