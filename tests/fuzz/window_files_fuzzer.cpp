// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as one of the files that only the window reads; the first byte says which: n notes of a timeline,
// r notes and tags of a run, j a journal of unsaved work. What is taken survives writing and reading.
#include "tests/fuzz/support/require.h"
#include "tests/fuzz/support/temporary_folder.h"
#include "ui/build/recovery_journal.h"
#include "ui/library/library_entry.h"
#include "ui/timeline/notes_file.h"

#include <fstream>

using namespace heteroscope;
using namespace heteroscope::ui;
using heteroscope::fuzz::require;

namespace {

fuzz::TemporaryFolder& folder() {
    static fuzz::TemporaryFolder one;
    return one;
}

QString put(const char* name, std::span<const std::uint8_t> bytes) {
    const std::filesystem::path path = folder().file(name);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return QString::fromStdString(path.string());
}

void readAsNotes(std::span<const std::uint8_t> bytes) {
    const auto notes = loadNotes(put("notes.json", bytes));
    if (!notes)
        return fuzz::requireGoodError(notes.error());
    const QString written = QString::fromStdString(folder().file("again.json").string());
    require(saveNotes(written, *notes).ok(), "notes that were read can be written");
    const auto again = loadNotes(written);
    require(again.ok() && *again == *notes, "notes survive writing and reading");
}

void readAsNotesOfARun(std::span<const std::uint8_t> bytes) {
    LibraryEntry entry;
    entry.path = QString::fromStdString(folder().file("run.hscope").string());
    (void)put("run.hscope.notes.json", bytes);
    readSidecar(entry);
    if (const Status status = writeSidecar(entry); !status)
        return fuzz::requireGoodError(status.error());
    LibraryEntry again;
    again.path = entry.path;
    readSidecar(again);
    require(again.notes == entry.notes && again.tags == entry.tags,
            "notes and tags survive writing and reading");
}

void readAsJournal(std::span<const std::uint8_t> bytes) {
    const auto content = RecoveryJournal::read(put("work.journal", bytes));
    if (!content)
        return fuzz::requireGoodError(content.error());
    for (const Json* document : {&content->clean, &content->edited})
        require(Json::parse(document->dump()) == *document, "what is offered can be saved");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::span<const std::uint8_t> bytes(data + 1, size - 1);
    switch (data[0]) {
    case 'n':
        readAsNotes(bytes);
        break;
    case 'r':
        readAsNotesOfARun(bytes);
        break;
    case 'j':
        readAsJournal(bytes);
        break;
    default:
        break;
    }
    return 0;
}
