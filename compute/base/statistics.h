// SPDX-License-Identifier: Apache-2.0
// Statistics of timing samples, in the unit of the samples. Pure functions; any thread.
// Quantiles are type 7 of Hyndman and Fan (1996), NumPy's default. Intervals are percentile bootstraps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heteroscope {

/// From how many samples on an interval is given.
inline constexpr std::size_t kSamplesForInterval = 5;

struct Interval {
    double low = 0.0;
    double high = 0.0;
};

/// How far a sample lies outside the quartiles (Tukey's fences: 1.5 and 3 interquartile ranges).
enum class OutlierKind { None, Mild, Severe };

struct Summary {
    std::size_t n = 0;
    double min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0;
    double sd = 0;                     ///< with n - 1; 0 when n < 2
    Interval ci95;                     ///< of the median; equal to the median when n < 5 (hasInterval false)
    bool hasInterval = false;          ///< n >= 5
    std::vector<OutlierKind> outliers; ///< one per sample, in the given order; nothing is dropped
    std::size_t outlierCount = 0;
    bool overProcesses = false; ///< median and ci95 are those of CenterOfProcesses
};

/// q in [0, 1]; sorted ascending and not empty.
double quantileSorted(std::span<const double> sorted, double q);

/// All figures of one run. Same seed, same interval. Empty input gives n = 0.
Summary summarize(std::span<const double> samples, std::uint64_t seed = 1);

/// 95 % bootstrap interval of the median.
Interval bootstrapMedian(std::span<const double> samples, std::uint64_t seed = 1, int resamples = 2000);

enum class Verdict { Faster, Slower, Same, Unclear, NoResult };
std::string_view verdictName(Verdict verdict); ///< "FASTER", "SLOWER", "SAME", "UNCLEAR", "NO RESULT"

/// Speedup of `candidate` over `reference`: median(reference) / median(candidate), above 1 is faster; over
/// processes the geometric mean of what each process gives, so that it lies in the middle of its interval.
struct Comparison {
    double ratio = 0.0;
    Interval ci95; ///< of the ratio; equal to the ratio when hasInterval is false
    Verdict verdict = Verdict::NoResult;
    bool hasInterval = false; ///< both sides have at least 5 samples, and times above 0
    /// UNCLEAR because one side has fewer than kProcessesForVerdict processes.
    bool needsProcesses = false;
    bool overProcesses = false; ///< interval and verdict are of processes, not of the samples of one
    /// UNCLEAR because other programs took processors that a side's samples needed. Set by who knows (two
    /// studies).
    bool disturbed = false;
    /// UNCLEAR because other programs did so during one study, whose sides differ by too little for that. Set
    /// by who knows.
    bool belowDisturbance = false;
    /// UNCLEAR over processes: as many would settle it if they were like these; 0: none up to
    /// kMostProcesses.
    int processesThatSettle = 0;
    /// UNCLEAR because each side is of one moment: two studies, or pairs that took no turns, that differ, but
    /// by less than kClearBetweenMoments.
    bool oneMoment = false;
    bool overPairs = false; ///< interval and verdict are of pairs of studies
    Interval ci98 = {};     ///< of the ratio, which verdicts over processes or pairs look at; else 0 to 0
};

/// Of samples that took turns in one process. FASTER or SLOWER when the interval of the ratio excludes 1 and
/// the sides lie apart: with fewer than 10 samples no sample of one side is as fast as one of the other and
/// the medians differ by a quarter, else [min, q3] of the two are at least 0.5 % apart. SAME when the medians
/// differ by at most 0.5 %, the ranges overlap by half and both spreads are at most 2 %; else UNCLEAR.
Comparison compare(std::span<const double> reference, std::span<const double> candidate,
                   std::uint64_t seed = 1);

/// Samples of a side by the fresh process that took them, in the order of the processes; none is empty.
using ProcessSamples = std::vector<std::vector<double>>;
/// Whether the two sides' samples took turns in the same processes, or are of studies that ran at other
/// times.
enum class Pairing { OneStudy, TwoStudies };
/// From how many processes on their spread is estimated.
inline constexpr std::size_t kProcessesForVerdict = 3;

/// The time of a run whose processes are what varies.
struct CenterOfProcesses {
    double time = 0; ///< geometric mean of the processes' medians
    Interval ci95;   ///< Student's, of the mean of their logarithms
};
/// Nothing with fewer than kProcessesForVerdict processes, or with a median that is not above 0. The quotient
/// of two of them is the ratio that compare() gives of the same processes.
std::optional<CenterOfProcesses> centerOfProcesses(const ProcessSamples& processes);
/// Its time, else the median of all samples; 0 without any.
double centralTime(const ProcessSamples& processes);
/// Of the mean of two values or more, one a process: Student's 95 % interval is the mean plus or minus this.
double studentHalfWidth95(std::span<const double> values);

/// Smaller differences, as a share, are no result where processes are compared.
inline constexpr double kSmallestEffect = 0.02;
/// What a study may be asked to take.
inline constexpr int kMostProcesses = 100;
/// With fewer processes, the ratio from which on one is told to be faster than the other in one study.
inline constexpr double kClearInOneProcess = 1.25;

/// The ratio from which on one of two studies is told to be faster than the other. What lasts a whole study
/// its processes do not show: where the virtual processors of a machine lie, which changes from one tenth of
/// a second to the next or stays for minutes. Two that share a core take up to 1.9 times as long as two that
/// do not (tests/bench/verdicts).
inline constexpr double kClearBetweenMoments = 2;

/// With kProcessesForVerdict processes a side, processes are what varies: the interval is Student's of the
/// mean logarithm of the ratio of medians, process by process in one study, else of two independent means
/// with Welch's degrees of freedom (Welch 1947). FASTER or SLOWER when the 98 % interval excludes 1 and the
/// mean differs by kSmallestEffect, of two studies by kClearBetweenMoments; SAME when the 95 % interval lies
/// within it; else UNCLEAR. With fewer processes there is no verdict, since times of one process to the next
/// vary more than the samples of one (tests/bench/verdicts), but one: in one study FASTER or SLOWER as above,
/// when the medians differ by kClearInOneProcess as well. The ratio is that of the two central times in each
/// case.
Comparison compare(const ProcessSamples& reference, const ProcessSamples& candidate, Pairing pairing,
                   std::uint64_t seed = 1);

/// From how many pairs on their spread is estimated.
inline constexpr std::size_t kPairsForVerdict = 3;

/// Of pairs of studies that took turns, one of A and one of B each: central times by pair, all above 0, of
/// both sides as many. What lasts a whole study differs from pair to pair and so is in their spread: the
/// interval is Student's of the mean logarithm of the ratio, pair by pair, and the verdict is that of
/// processes of one study. NO RESULT with fewer than kPairsForVerdict, or a time that is not above 0.
Comparison comparePairs(std::span<const double> reference, std::span<const double> candidate);

} // namespace heteroscope
