// SPDX-License-Identifier: Apache-2.0
// Numbers for what is worked on: ops, and phases of ops. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscope::cli {

/// An op (phase empty) or a phase of one.
struct NamedWork {
    std::string_view op, detail, phase;
};

class KnownWorks {
  public:
    /// Equal works have equal numbers: 0, 1, 2, ... in order of their first appearance. Repetitions do the
    /// same in the same order, so the search begins behind the last hit and mostly ends at its first look.
    std::size_t numberOf(const NamedWork& work) {
        for (std::size_t i = 0; i < m_known.size(); ++i) {
            const std::size_t at = (m_next + i) % m_known.size();
            if (!m_known[at].is(work))
                continue;
            m_next = at + 1;
            return at;
        }
        m_known.push_back({std::string(work.op), std::string(work.detail), std::string(work.phase)});
        m_next = 0;
        return m_known.size() - 1;
    }
    NamedWork work(std::size_t number) const {
        return {m_known[number].op, m_known[number].detail, m_known[number].phase};
    }

  private:
    struct Known {
        std::string op, detail, phase;
        bool is(const NamedWork& work) const {
            return op == work.op && detail == work.detail && phase == work.phase;
        }
    };

    std::vector<Known> m_known;
    std::size_t m_next = 0;
};

} // namespace heteroscope::cli
