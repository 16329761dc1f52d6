# SPDX-License-Identifier: Apache-2.0
"""What the window keeps on disk while calls fail: window/fault_window.cpp does one thing a run."""

import json

import program
from scenarios import FILES, Scenario, places

DIES_WITHOUT_MEMORY = (("malloc", ("fail", "kill")),)


class WindowScenario(Scenario):
    """Qt ends a program that gets no memory; what was promised before has to hold all the same."""
    places = places("parent", FILES, DIES_WITHOUT_MEMORY)
    signals_without_memory = True
    left_by_a_kill = ("*.json.??????",)  # Qt's own, between two calls in a row that name the file and put it in its place
    verb = ""
    of = "experiment.json"

    def __init__(self, cli, window):
        super().__init__(cli)
        self.window = window

    def environment(self, folder):
        return {"QT_QPA_PLATFORM": "offscreen", "HETEROSCOPE_DATA": folder / "data"}

    def command(self):
        return [self.window, self.verb, self.of]

    def again(self, folder, verb, of):
        """Without faults."""
        return program.run([self.window, verb, of], folder, environment=self.environment(folder))


class Save(WindowScenario):
    """An experiment is saved over the earlier one."""
    name = "window-save"
    verb = "save"
    outputs = ("experiment.json", "data/recovery/*.journal")  # of a kill before it was saved

    def findings(self, folder, ending):
        try:
            name = json.loads((folder / "experiment.json").read_bytes())["name"]
        except (OSError, ValueError) as failure:
            yield f"the experiment is gone or half: {failure}"
            return
        if name not in ("pooling", "changed") or (b"saved" in ending.out and name != "changed"):
            yield f"the experiment's name is {name!r} after {ending.out!r}"
        if ending.exit_code == 0 and b"saved" not in ending.out:
            yield "exit code 0 and not saved"


class Autosave(WindowScenario):
    """The window dies with unsaved edits; the next start brings them back."""
    name = "window-autosave"
    verb = "edit-and-die"
    outputs = ("data/recovery/*.journal",)
    dies = True

    def findings(self, folder, ending):
        words = ending.out.decode("utf-8", "replace").split("\n")[:-1]
        protected = [word for place, word in enumerate(words)
                     if word.startswith("edit") and words[place - 1:place] != ["unprotected"]]
        back = self.again(folder, "recover", self.of)
        recovered = back.out.decode().strip()
        least = protected[-1] if protected and words[-1] == protected[-1] else None
        if back.exit_code != 0:
            yield f"the next start: exit code {back.exit_code}: {back.err.strip()}"
        elif "unprotected" not in words and least and recovered < least:
            yield f"{least!r} was promised, {recovered!r} came back"


class Recover(WindowScenario):
    """The start after a crash fails half-way; the one after that still has the work."""
    name = "window-recover"
    verb = "recover"
    outputs = ("data/recovery/*.journal",)

    def prepare(self, folder):
        super().prepare(folder)
        self.again(folder, "edit-and-die", self.of)

    def findings(self, folder, ending):
        if b"edit 5" in self.again(folder, "recover", self.of).out:
            return
        yield f"the unsaved work is gone after {ending.out!r} {ending.err[-200:]!r}"


class Index(WindowScenario):
    """The library looks at its folder and keeps an index."""
    name = "library-index"
    verb = "index"
    of = "."
    outputs = ("index.sqlite*",)

    def prepare(self, folder):
        super().prepare(folder)
        self.without_faults(["run", "experiment.json", "--out", "kept.hscope"], folder)
        self.again(folder, "note", "kept.hscope")

    def findings(self, folder, ending):
        back = self.again(folder, "index", ".")
        if back.out != b"kept.hscope: done, a later note\n":
            yield f"the next look at the library: {back.out!r} {back.err[-200:]!r}"


class Note(WindowScenario):
    """Notes on a run replace earlier ones."""
    name = "library-note"
    verb = "note"
    of = "kept.hscope"
    outputs = ("kept.hscope.notes.json",)

    def prepare(self, folder):
        super().prepare(folder)
        self.without_faults(["run", "experiment.json", "--out", "kept.hscope"], folder)
        (folder / "kept.hscope.notes.json").write_text('{"tags": ["x"], "notes": "earlier"}\n')

    def findings(self, folder, ending):
        try:
            notes = json.loads((folder / "kept.hscope.notes.json").read_bytes())["notes"]
        except (OSError, ValueError) as failure:
            yield f"the notes are gone or half: {failure}"
            return
        if notes not in ("earlier", "a later note") or (b"noted" in ending.out and notes != "a later note"):
            yield f"the notes are {notes!r} after {ending.out!r}"


ALL = (Save, Autosave, Recover, Index, Note)
