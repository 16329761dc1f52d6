// SPDX-License-Identifier: Apache-2.0
#include "compute/model/fuse_steps.h"

#include "compute/model/network_plan.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace heteroscope::compute {
namespace {

void addOnce(std::vector<int>& numbers, int number) {
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end())
        numbers.push_back(number);
}

/// Of each tensor the steps that name it, in order, each once.
class StepsOfTensor {
  public:
    void add(const std::vector<int>& tensors, std::size_t step) {
        for (const int tensor : tensors) {
            std::vector<std::size_t>& steps = m_steps[tensor];
            if (steps.empty() || steps.back() != step)
                steps.push_back(step);
        }
    }
    const std::vector<std::size_t>& of(int tensor) const {
        static const std::vector<std::size_t> kNone;
        const auto found = m_steps.find(tensor);
        return found == m_steps.end() ? kNone : found->second;
    }
    /// Any of the steps from `first` on and before `last`.
    bool anyBetween(int tensor, std::size_t first, std::size_t last) const {
        const auto& steps = of(tensor);
        const auto found = std::lower_bound(steps.begin(), steps.end(), first);
        return found != steps.end() && *found < last;
    }

  private:
    std::unordered_map<int, std::vector<std::size_t>> m_steps;
};

class Fuser {
  public:
    Fuser(std::vector<PlanStep> steps, const std::function<int(int)>& memoryOf, const std::vector<int>& kept,
          const FusesChain& fuses)
        : m_steps(std::move(steps)), m_fuses(fuses), m_chainOf(m_steps.size()) {
        for (const PlanStep& step : m_steps) {
            LinkedOp linked{step.op, {}, {}};
            for (const int tensor : step.src)
                linked.src.push_back(memoryOf(tensor));
            for (const int tensor : step.dst)
                linked.dst.push_back(memoryOf(tensor));
            m_readers.add(linked.src, m_linked.size());
            m_writers.add(linked.dst, m_linked.size());
            m_linked.push_back(std::move(linked));
        }
        for (const int tensor : kept)
            m_kept.insert(memoryOf(tensor));
    }

    std::vector<PlanStep> fused() {
        std::vector<PlanStep> result;
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            if (m_chainOf[i])
                continue; // part of an earlier one
            std::vector<std::size_t> members{i};
            m_chainOf[i] = i;
            grow(members);
            result.push_back(members.size() == 1 ? m_steps[i] : joined(members));
        }
        return result;
    }

  private:
    void grow(std::vector<std::size_t>& members) {
        while (const auto next = reader(members)) {
            members.push_back(*next);
            const PlanStep step = joined(members);
            if (!m_fuses(step.chain, step.dst)) {
                members.pop_back();
                return;
            }
            m_chainOf[*next] = members.front();
        }
    }

    /// The first step that reads the result of the last member, when it can run where the first member does.
    std::optional<std::size_t> reader(const std::vector<std::size_t>& members) const {
        const int result = m_linked[members.back()].dst.front();
        if (m_writers.of(result).size() != 1)
            return std::nullopt;
        for (const std::size_t j : m_readers.of(result))
            if (j > members.back() && !m_chainOf[j])
                return canMove(j, members) ? std::optional(j) : std::nullopt;
        return std::nullopt;
    }

    bool canMove(std::size_t j, const std::vector<std::size_t>& members) const {
        if (m_steps[j].phase != m_steps[members.front()].phase)
            return false;
        for (const int tensor : m_linked[j].dst)
            if (m_writers.of(tensor).size() != 1 || m_readers.anyBetween(tensor, members.front(), j) ||
                m_writers.anyBetween(tensor, members.front(), j))
                return false;
        return std::all_of(m_linked[j].src.begin(), m_linked[j].src.end(), [&](int tensor) {
            return writtenBy(tensor, members) || !m_writers.anyBetween(tensor, members.front(), j);
        });
    }

    bool writtenBy(int tensor, const std::vector<std::size_t>& members) const {
        const auto& writers = m_writers.of(tensor);
        return std::any_of(members.begin(), members.end(), [&](std::size_t k) {
            return std::binary_search(writers.begin(), writers.end(), k);
        });
    }

    bool isWanted(int tensor, const std::vector<std::size_t>& members) const {
        const auto& readers = m_readers.of(tensor);
        return m_kept.count(tensor) != 0 || std::any_of(readers.begin(), readers.end(), [&](std::size_t k) {
                   return std::find(members.begin(), members.end(), k) == members.end();
               });
    }

    PlanStep joined(const std::vector<std::size_t>& members) const {
        PlanStep step = m_steps[members.front()];
        step.src.clear();
        step.dst.clear();
        for (const std::size_t k : members) {
            step.chain.push_back(m_linked[k]);
            for (const int tensor : m_linked[k].src)
                if (!writtenBy(tensor, members))
                    addOnce(step.src, tensor);
            for (const int tensor : m_linked[k].dst)
                if (k == members.back() || isWanted(tensor, members))
                    addOnce(step.dst, tensor);
        }
        return step;
    }

    std::vector<PlanStep> m_steps;
    std::vector<LinkedOp> m_linked;
    StepsOfTensor m_readers, m_writers;
    std::unordered_set<int> m_kept;
    const FusesChain& m_fuses;
    std::vector<std::optional<std::size_t>> m_chainOf; ///< of each step: the first of its chain, once decided
};

} // namespace

std::vector<PlanStep> fuseSteps(std::vector<PlanStep> steps, const std::function<int(int)>& memoryOf,
                                const std::vector<int>& kept, const FusesChain& fuses) {
    return Fuser(std::move(steps), memoryOf, kept, fuses).fused();
}

} // namespace heteroscope::compute
