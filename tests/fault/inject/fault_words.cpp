// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/inject/fault_words.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace heteroscope::fault {
namespace {

struct KindWord {
    const char* word;
    Kind kind;
    int error; ///< what "fail" means
};

constexpr KindWord kKindWords[] = {
    {"malloc", Kind::Malloc, ENOMEM}, {"write", Kind::Write, ENOSPC},   {"fsync", Kind::Fsync, EIO},
    {"rename", Kind::Rename, EACCES}, {"open", Kind::Open, EMFILE},     {"fork", Kind::Fork, EAGAIN},
    {"mmap", Kind::Mmap, ENOMEM},     {"dlopen", Kind::Dlopen, ENOENT}, {"thread", Kind::Thread, EAGAIN}};
static_assert(sizeof kKindWords / sizeof kKindWords[0] == kKinds);

struct ActionWord {
    const char* word;
    Action action;
    int error; ///< 0: that of the kind
};

constexpr ActionWord kActionWords[] = {
    {"fail", Action::Fail, 0},        {"kill", Action::Kill, 0},        {"kill-after", Action::KillAfter, 0},
    {"short", Action::Short, 0},      {"torn", Action::Torn, 0},        {"ENOSPC", Action::Fail, ENOSPC},
    {"EIO", Action::Fail, EIO},       {"EDQUOT", Action::Fail, EDQUOT}, {"EFBIG", Action::Fail, EFBIG},
    {"EINTR", Action::Fail, EINTR},   {"EAGAIN", Action::Fail, EAGAIN}, {"ENOMEM", Action::Fail, ENOMEM},
    {"EMFILE", Action::Fail, EMFILE}, {"ENFILE", Action::Fail, ENFILE}, {"EACCES", Action::Fail, EACCES},
    {"EPERM", Action::Fail, EPERM},   {"EROFS", Action::Fail, EROFS},   {"ENOENT", Action::Fail, ENOENT},
    {"EXDEV", Action::Fail, EXDEV},   {"EPIPE", Action::Fail, EPIPE}};

bool isWord(const char* text, std::size_t length, const char* word) {
    return std::strlen(word) == length && std::strncmp(text, word, length) == 0;
}

/// The place of the colon that ends this part; the mistake is told with the whole fault.
const char* partEnd(const char* part, const char* fault) {
    const char* end = std::strchr(part, ':');
    if (end == nullptr)
        refuse("HETEROSCOPE_FAULT is KIND:N:ACTION[,...], not ", fault);
    return end;
}

const KindWord& kindOf(const char* text, std::size_t length) {
    for (const KindWord& entry : kKindWords)
        if (isWord(text, length, entry.word))
            return entry;
    refuse("HETEROSCOPE_FAULT: the kinds are malloc, write, fsync, rename, open, fork, mmap, dlopen and "
           "thread, not ",
           text);
}

Verdict verdictOf(const char* text, std::size_t length, const KindWord& kind) {
    for (const ActionWord& entry : kActionWords) {
        if (!isWord(text, length, entry.word))
            continue;
        const bool partial = entry.action == Action::Short || entry.action == Action::Torn;
        const bool after = entry.action == Action::KillAfter;
        if ((partial && kind.kind != Kind::Write) ||
            (after && kind.kind != Kind::Write && kind.kind != Kind::Rename && kind.kind != Kind::Fsync))
            refuse(
                "HETEROSCOPE_FAULT: short and torn are for write, kill-after for write, fsync and rename: ",
                text);
        return {entry.action, entry.error != 0 ? entry.error : kind.error};
    }
    refuse(
        "HETEROSCOPE_FAULT: an action is fail, kill, kill-after, short, torn or the name of an errno, not ",
        text);
}

} // namespace

const char* parseFault(const char* text, Fault& fault) {
    const char* kindEnd = partEnd(text, text);
    const KindWord& kind = kindOf(text, static_cast<std::size_t>(kindEnd - text));
    fault.kind = kind.kind;
    char* numberEnd = nullptr;
    fault.number = std::strtoull(kindEnd + 1, &numberEnd, 10);
    fault.onwards = *numberEnd == '+';
    const char* action = numberEnd + (fault.onwards ? 1 : 0);
    if (fault.number == 0 || *action != ':')
        refuse("HETEROSCOPE_FAULT: the number of a call is 1 or more, with + for all from there on: ", text);
    ++action;
    const char* comma = std::strchr(action, ',');
    const std::size_t length =
        comma != nullptr ? static_cast<std::size_t>(comma - action) : std::strlen(action);
    fault.verdict = verdictOf(action, length, kind);
    return comma != nullptr ? comma + 1 : nullptr;
}

bool meansProcess(const char* words, std::uint32_t number, bool hasReport) {
    if (words == nullptr || std::strcmp(words, "all") == 0)
        return true;
    if (!hasReport)
        refuse("HETEROSCOPE_FAULT_PROCESS needs a HETEROSCOPE_FAULT_REPORT, which numbers the processes: ",
               words);
    if (std::strcmp(words, "parent") == 0)
        return number == 0;
    if (std::strcmp(words, "children") == 0)
        return number != 0;
    if (std::strncmp(words, "child:", 6) != 0)
        refuse("HETEROSCOPE_FAULT_PROCESS is all, parent, children or child:K, not ", words);
    char* end = nullptr;
    const unsigned long wanted = std::strtoul(words + 6, &end, 10);
    if (wanted == 0 || *end != '\0')
        refuse("HETEROSCOPE_FAULT_PROCESS: the number of a child is 1 or more: ", words);
    return number == wanted;
}

} // namespace heteroscope::fault
