# SPDX-License-Identifier: Apache-2.0
"""What the window keeps on disk while calls fail: window/fault_window.cpp does one thing a run."""

import json

import judge
import program
from scenarios import FILES, INPUTS, STARTS, Scenario, places

MEMORY = (("malloc", ("fail", "kill")),)


class WindowScenario(Scenario):
    """Qt ends a program that gets no memory; what was promised before has to hold all the same."""
    places = places("parent", FILES, MEMORY, STARTS)
    signals_without_memory = True
    verb = ""
    of = "experiment.json"

    def __init__(self, cli, window):
        super().__init__(cli)
        self.window = window

    def environment(self, folder):
        return {"QT_QPA_PLATFORM": "offscreen", "HETEROSCOPE_DATA": folder / "data", "HETEROSCOPE_FAULT_FROM": "mark"}

    def command(self):
        return [self.window, self.verb, self.of]

    def again(self, folder, verb, of):
        """Without faults."""
        return program.run([self.window, verb, of], folder, environment=self.environment(folder))


class Replacing(WindowScenario):
    """A JSON file gives way to another one: `key` has the value `earlier`, then `later`, and the program says `word`."""
    key = earlier = later = word = ""

    def findings(self, folder, ending):
        file = self.outputs[0]
        try:
            value = json.loads((folder / file).read_bytes())[self.key]
        except (OSError, ValueError) as failure:
            yield f"{file} is gone or half: {failure}"
            return
        said = self.word.encode() in ending.out
        if value not in (self.earlier, self.later) or (said and value != self.later):
            yield f"{self.key} of {file} is {value!r} after {ending.out!r}"
        if ending.exit_code == 0 and not said:
            yield f"exit code 0 and not {self.word}"
        if ending.signal:  # the next one that writes there removes what this one left
            yield from judge.left_over(folder, (*INPUTS, *self.outputs), self.again(folder, self.verb, self.of))


class Save(Replacing):
    """An experiment is saved over the earlier one."""
    name = "window-save"
    verb = "save"
    outputs = ("experiment.json", "data/recovery/*.journal")  # of a kill before it was saved
    key, earlier, later, word = "name", "pooling", "changed", "saved"


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
        self.prepare_run(folder)
        self.again(folder, "note", "kept.hscope")

    def findings(self, folder, ending):
        back = self.again(folder, "index", ".")
        if back.out != b"kept.hscope: done, a later note\n":
            yield f"the next look at the library: {back.out!r} {back.err[-200:]!r}"


class Note(Replacing):
    """Notes on a run replace earlier ones."""
    name = "library-note"
    verb = "note"
    of = "kept.hscope"
    outputs = ("kept.hscope.notes.json",)
    key, earlier, later, word = "notes", "earlier", "a later note", "noted"

    def prepare(self, folder):
        self.prepare_run(folder)
        (folder / self.outputs[0]).write_text('{"tags": ["x"], "notes": "earlier"}\n')


class Open(WindowScenario):
    """A run file is opened: read on a thread of its own."""
    name = "window-open"
    verb = "open"
    of = "kept.hscope"

    def prepare(self, folder):
        self.prepare_run(folder)

    def learn(self, folder, ending):
        self.whole = ending.out

    def findings(self, folder, ending):
        if ending.exit_code == 0 and ending.out != self.whole:
            yield f"exit code 0 and {ending.out!r}, where the file has {self.whole!r}"
        if ending.exit_code > 0 and ending.out.endswith(b"\n"):  # a part of a line promises nothing
            yield f"exit code {ending.exit_code} after {ending.out!r}"


ALL = (Save, Autosave, Recover, Index, Note, Open)
