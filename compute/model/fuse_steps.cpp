// SPDX-License-Identifier: Apache-2.0
#include "compute/model/fuse_steps.h"

#include "compute/model/network_plan.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace heteroscope::compute {
namespace {

bool contains(const std::vector<int>& numbers, int number) {
    return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

void addOnce(std::vector<int>& numbers, int number) {
    if (!contains(numbers, number))
        numbers.push_back(number);
}

class Fuser {
  public:
    Fuser(std::vector<PlanStep> steps, const std::function<int(int)>& memoryOf, const std::vector<int>& kept,
          const FusesChain& fuses)
        : m_steps(std::move(steps)), m_kept(kept), m_fuses(fuses), m_chainOf(m_steps.size()) {
        for (const PlanStep& step : m_steps) {
            LinkedOp linked{step.op, {}, {}};
            for (const int tensor : step.src)
                linked.src.push_back(memoryOf(tensor));
            for (const int tensor : step.dst)
                linked.dst.push_back(memoryOf(tensor));
            m_linked.push_back(std::move(linked));
        }
        for (int& tensor : m_kept)
            tensor = memoryOf(tensor);
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
        if (writers(result) != 1)
            return std::nullopt;
        for (std::size_t j = members.back() + 1; j < m_steps.size(); ++j)
            if (!m_chainOf[j] && contains(m_linked[j].src, result))
                return canMove(j, members) ? std::optional(j) : std::nullopt;
        return std::nullopt;
    }

    bool canMove(std::size_t j, const std::vector<std::size_t>& members) const {
        if (m_steps[j].phase != m_steps[members.front()].phase)
            return false;
        for (const int tensor : m_linked[j].dst)
            if (writers(tensor) != 1 || usedBetween(tensor, members.front(), j))
                return false;
        return std::all_of(m_linked[j].src.begin(), m_linked[j].src.end(), [&](int tensor) {
            return writtenBy(tensor, members) || !writtenFrom(tensor, members.front(), j);
        });
    }

    int writers(int tensor) const {
        return static_cast<int>(std::count_if(m_linked.begin(), m_linked.end(), [&](const LinkedOp& one) {
            return contains(one.dst, tensor);
        }));
    }
    bool usedBetween(int tensor, std::size_t first, std::size_t last) const {
        for (std::size_t k = first; k < last; ++k)
            if (contains(m_linked[k].src, tensor) || contains(m_linked[k].dst, tensor))
                return true;
        return false;
    }
    bool writtenFrom(int tensor, std::size_t first, std::size_t last) const {
        for (std::size_t k = first; k < last; ++k)
            if (contains(m_linked[k].dst, tensor))
                return true;
        return false;
    }
    bool writtenBy(int tensor, const std::vector<std::size_t>& members) const {
        return std::any_of(members.begin(), members.end(),
                           [&](std::size_t k) { return contains(m_linked[k].dst, tensor); });
    }

    bool isWanted(int tensor, const std::vector<std::size_t>& members) const {
        if (contains(m_kept, tensor))
            return true;
        for (std::size_t k = 0; k < m_linked.size(); ++k)
            if (contains(m_linked[k].src, tensor) &&
                std::find(members.begin(), members.end(), k) == members.end())
                return true;
        return false;
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
    std::vector<int> m_kept;
    const FusesChain& m_fuses;
    std::vector<std::optional<std::size_t>> m_chainOf; ///< of each step: the first of its chain, once decided
};

} // namespace

std::vector<PlanStep> fuseSteps(std::vector<PlanStep> steps, const std::function<int(int)>& memoryOf,
                                const std::vector<int>& kept, const FusesChain& fuses) {
    return Fuser(std::move(steps), memoryOf, kept, fuses).fused();
}

} // namespace heteroscope::compute
