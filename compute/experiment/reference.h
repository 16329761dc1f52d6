// SPDX-License-Identifier: Apache-2.0
// The outputs that all implementations of a point are compared with: those of cpu/sequential. One thread.
#pragma once

#include "compute/experiment/target_run.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscope::compute {

/// Whether a point computes on whole images, not window by window.
bool onWholeImages(const ExperimentSpec& pointSpec);

class Reference {
  public:
    /// Longer than this nobody waits for a check.
    static constexpr double kLimitS = 20.0;

    Reference(const ExperimentSpec& pointSpec, StudyContext& context);

    /// Whether outputs are compared with one at all, by this process.
    static bool isWanted(const RunOptions& options);
    /// Whether the target's own outputs are the reference of such a point: cpu/sequential on whole images.
    static bool isComputedBy(const Target& target, const ExperimentSpec& pointSpec);
    /// The target whose first outputs are the reference, when it is among the targets.
    bool comesFrom(const Target& target) const;
    void take(std::vector<OutputTensor> outputs) { m_outputs = std::move(outputs); }
    /// Computes it unless it is there, is not wanted, would take too long, or needs more memory than there is
    /// room for.
    void compute(const PointData& data, std::int64_t needBytes, std::int64_t roomBytes);

    const std::optional<std::vector<OutputTensor>>& outputs() const { return m_outputs; }
    /// Empty when there is a reference.
    const std::string& whyNot() const { return m_noRoom.empty() ? m_whyNot : m_noRoom; }
    bool wanted() const { return m_wanted; }

  private:
    double predictedS(const PointData& data) const;

    ExperimentSpec m_spec; ///< the point with whole images: the window strategy is checked against it, too
    StudyContext& m_context;
    std::optional<std::vector<OutputTensor>> m_outputs;
    std::string m_whyNot;
    std::string m_noRoom; ///< beside the run that was compared last
    bool m_wanted;
    bool m_sameWork; ///< the point itself is computed on whole images
};

} // namespace heteroscope::compute
