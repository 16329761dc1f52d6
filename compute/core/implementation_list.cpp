// SPDX-License-Identifier: Apache-2.0
#include "compute/core/implementation_list.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heteroscope::compute {
namespace {

constexpr char kSeparator = '+';

bool contains(std::span<const std::string> names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::string joined(const std::set<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string joined(std::span<const std::string> names, char separator) {
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : std::string(1, separator)) + name;
    return text;
}

/// Names where there are several, or where they were asked for.
std::string refusalText(const std::vector<Candidate>& refused, bool isAsked) {
    std::string text;
    for (const Candidate& one : refused) {
        const std::string name = isAsked              ? "?impl=" + one.name + ": "
                                 : refused.size() > 1 ? one.name + ": "
                                                      : "";
        text += (text.empty() ? "" : "; ") + name + one.refusal;
    }
    return text;
}

} // namespace

Result<std::vector<std::string>> implementationOption(const Target& target) {
    std::vector<std::string> names;
    const auto option = target.options.find("impl");
    if (option == target.options.end())
        return names;
    const std::string& text = option->second;
    const auto refusal = [&](const std::string& found) {
        return badInput("target '" + target.text() + "'", "impl is '" + text + "': " + found,
                        "names of implementations joined by '+', as `check --implementations` lists them");
    };
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(kSeparator, begin), text.size());
        std::string name = text.substr(begin, end - begin);
        if (name.empty())
            return refusal("a name is empty");
        if (contains(names, name))
            return refusal("'" + name + "' is there twice");
        names.push_back(std::move(name));
        begin = end + 1;
    }
    return names;
}

Candidate chooseCandidate(const Candidates& candidates, std::span<const std::string> asked) {
    Candidate first, wanted;
    std::vector<Candidate> refused;
    bool isOffered = false; // what was asked for
    candidates([&](Candidate one) {
        const bool isAsked = contains(asked, one.name);
        isOffered = isOffered || isAsked;
        if (!one.refusal.empty())
            refused.push_back(std::move(one));
        else if (isAsked)
            wanted = std::move(one);
        else if (!first.prepare)
            first = std::move(one);
        return !wanted.prepare && !(first.prepare && asked.empty());
    });
    if (wanted.prepare)
        return wanted;
    if (!isOffered && first.prepare)
        return first;
    if (isOffered)
        std::erase_if(refused, [&](const Candidate& one) { return !contains(asked, one.name); });
    std::string refusal = refusalText(refused, isOffered);
    if (first.prepare) // only where others were asked for
        refusal += "; add one that can: ?impl=" + joined(asked, kSeparator) + kSeparator + first.name;
    return {{}, {}, std::move(refusal), {}, {}};
}

std::vector<ImplementationRow> implementationRows(const Candidates& candidates,
                                                  std::span<const std::string> asked) {
    const Candidate taken = chooseCandidate(candidates, asked);
    std::vector<ImplementationRow> rows;
    bool found = false;
    candidates([&](const Candidate& one) {
        ImplementationRow row{one.name, one.implementation, one.refusal, false, one.refusal.empty()};
        if (one.refusal.empty() && taken.prepare && !found && one.name == taken.name) {
            row.taken = found = true;
            if (contains(asked, one.name))
                row.reason = "asked for by ?impl=";
        } else if (one.refusal.empty()) {
            row.reason = found ? "comes after " + taken.name : "?impl= asks for another";
        }
        rows.push_back(std::move(row));
        return true;
    });
    return rows;
}

Status checkAskedImplementations(std::span<const std::string> asked, std::span<const ImplementationRow> rows,
                                 const std::string& place) {
    std::set<std::string> missing(asked.begin(), asked.end()), found;
    for (const ImplementationRow& row : rows) {
        missing.erase(row.name);
        found.insert(row.name);
    }
    if (missing.empty())
        return {};
    return badInput(place, "no operation here has an implementation '" + joined(missing) + "'",
                    joined(found));
}

Candidate CandidateSession::choose(const Op& op) const {
    if (const auto sizes = operandElements(op); !sizes)
        return {{}, {}, sizes.error().sentence(), {}, {}};
    Candidate chosen =
        chooseCandidate([&](const CandidateVisitor& visit) { visitCandidates(op, visit); }, m_asked);
    if (!chosen.prepare && chosen.refusal.empty())
        chosen.refusal = Support::missing(m_backend, op).reason;
    return chosen;
}

Support CandidateSession::supports(const Op& op) const {
    Candidate chosen = choose(op);
    return chosen.prepare ? Support::yes(std::move(chosen.implementation))
                          : Support::no(std::move(chosen.refusal));
}

std::vector<ImplementationRow> CandidateSession::implementations(const Op& op) const {
    if (!operandElements(op))
        return {};
    return implementationRows([&](const CandidateVisitor& visit) { visitCandidates(op, visit); }, m_asked);
}

Result<std::unique_ptr<PreparedOp>> CandidateSession::prepare(const Op& op) {
    const Candidate chosen = choose(op);
    if (!chosen.prepare)
        return Error{ErrorCode::TargetUnavailable, chosen.refusal, m_backend + " " + opName(op), {}, {}};
    return chosen.prepare();
}

std::size_t CandidateSession::workspaceBytes(const Op& op) const {
    const Candidate chosen = choose(op);
    return chosen.workspaceBytes ? chosen.workspaceBytes() : 0;
}

} // namespace heteroscope::compute
