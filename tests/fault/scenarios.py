# SPDX-License-Identifier: Apache-2.0
"""What is done while calls fail, in which places, and what has to hold afterwards."""

import dataclasses
import json
import re
import shutil

import experiments
import judge
import program
import run_stream

WRITES = ("fail", "fail+", "EIO", "EINTR", "short", "kill", "torn", "kill-after")
FILES = (("open", ("fail", "EACCES", "kill")), ("write", WRITES), ("fsync", ("fail", "kill")),
         ("rename", ("fail", "kill", "kill-after")))
MEMORY = (("malloc", ("fail", "fail+", "kill")),)
# Programs, threads, mapped memory and libraries: a scenario that has none of these today is stepped as soon as it has one.
STARTS = tuple((kind, ("fail", "kill")) for kind in ("fork", "thread", "mmap", "dlopen"))


# The files of a training's states (compute/exec/checkpoint_files.h) when none is being written.
STATES = ("states/run_[0-9].[0-9]*.npz", "states/run_[0-9].checkpoint.json", "states/run_[0-9].lock")


@dataclasses.dataclass
class Place:
    """One row of the table: calls of `kind` in `process` end with `action`; "fail+": that one and all later ones."""
    process: str
    kind: str
    action: str

    def __str__(self):
        return f"{self.process} {self.kind} {self.action}"

    def settings(self, number, folder):
        """For the library. A disk that stays full is one for files; the words on stderr still come out."""
        lasts = self.action.endswith("+")
        settings = {"HETEROSCOPE_FAULT": f"{self.kind}:{number}{'+' * lasts}:{self.action.rstrip('+')}",
                    "HETEROSCOPE_FAULT_PROCESS": self.process}
        return settings | ({"HETEROSCOPE_FAULT_PATH": folder} if lasts and self.kind == "write" else {})


def places(process, *groups):
    return [Place(process, kind, action) for group in groups for kind, actions in group for action in actions]


class Scenario:
    """A folder that is made once and copied for each fault; a command; what holds after it."""

    name = ""
    places = places("parent", FILES, MEMORY, STARTS)
    outputs = ()  # files that the command may make
    signals_without_memory = False  # whether a program without memory may end as a crash
    ci_step = 1  # CI takes every ci_step-th of its sample
    dies = False  # whether it ends in a kill without a fault

    def __init__(self, cli):
        self.cli = cli

    def environment(self, folder):
        """Beside what the fault needs."""
        return {}

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.pooling())

    def prepare_run(self, folder):
        """The experiment's own run file."""
        Scenario.prepare(self, folder)
        self.without_faults(["run", "experiment.json", "--out", "kept.hscope"], folder)

    def command(self):
        raise NotImplementedError

    def learn(self, folder, ending):
        """After a run without faults."""

    def findings(self, folder, ending):
        return ()

    def inspect(self, path):
        return program.run([self.cli, "trace", "info", "--json", path], path.parent)

    def without_faults(self, words, folder):
        ending = program.run([self.cli, *words], folder)
        if ending.exit_code != 0:
            raise RuntimeError(f"{ending.command}: exit code {ending.exit_code}: {ending.err}")
        return ending


class Run(Scenario):
    """A study in this process, with all its files."""
    name = "run"
    outputs = ("out.hscope", "out.json", "out.csv", "out.npz")

    def command(self):
        return [self.cli, "run", "experiment.json", "--stream", "--out", "out.hscope", "--json", "out.json", "--csv",
                "out.csv", "--save-output", "out.npz"]

    def learn(self, folder, ending):
        self.wanted = run_stream.timed(run_stream.samples((folder / "out.hscope").read_bytes()))

    def findings(self, folder, ending):
        yield from judge.run_file(folder / "out.hscope", ending, self.wanted, self.inspect)
        yield from judge.json_file(folder / "out.json", ending, True)
        yield from judge.csv_file(folder / "out.csv", ending, self.samples_in(folder / "out.hscope"))
        yield from judge.archive_file(folder / "out.npz", ending)

    @staticmethod
    def samples_in(file):
        """0 of a damaged file, which judge.run_file tells."""
        try:
            return len(run_stream.samples(file.read_bytes())) if file.exists() else 0
        except run_stream.Damaged:
            return 0


class Merge(Run):
    """A study of three processes started afresh, whose streams are joined."""
    name = "merge"
    ci_step = 3
    places = Run.places + places("child:1", FILES, MEMORY, STARTS) + places(
        "child:3", (("write", ("kill", "torn")), ("malloc", ("fail",)), ("thread", ("fail",))))

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.pooling(preset="thesis"))


class Train(Scenario):
    """A training that keeps checkpoints."""
    name = "train"
    outputs = ("out.hscope", *STATES)

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.training())

    def command(self):
        return [self.cli, "run", "experiment.json", "--stream", "--out", "out.hscope", "--checkpoints", "states"]

    def learn(self, folder, ending):
        self.wanted = run_stream.timed(run_stream.samples((folder / "out.hscope").read_bytes()))

    def findings(self, folder, ending):
        yield from judge.run_file(folder / "out.hscope", ending, self.wanted, self.inspect)
        again = program.run([*self.command(), *(["--resume"] if "--resume" not in self.command() else [])], folder)
        if again.exit_code != 0:
            yield f"--resume afterwards: exit code {again.exit_code}: {again.err[-300:].strip()}"
        yield from judge.left_over(folder, (*INPUTS, *self.outputs), again)


class Resume(Train):
    """The same from the states of two epochs on."""
    name = "resume"

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.training(epochs=2))
        self.without_faults(["run", "experiment.json", "--checkpoints", "states"], folder)
        write_json(folder / "experiment.json", experiments.training(epochs=4))

    def command(self):
        return [*super().command(), "--resume"]


class Import(Scenario):
    """A Chrome trace becomes a run file."""
    name = "import"
    outputs = ("out.hscope",)

    def prepare(self, folder):
        self.prepare_run(folder)
        self.without_faults(["trace", "export", "kept.hscope", "trace.json"], folder)

    def command(self):
        return [self.cli, "trace", "import", "trace.json", "out.hscope"]

    def findings(self, folder, ending):
        path = folder / "out.hscope"
        if ending.exit_code == 0 and not path.exists():
            yield "exit code 0 without a run file"
        if path.exists() and path.stat().st_size >= 16:
            yield from judge.opens(self.inspect(path), path)


class ImportOver(Import):
    """A Chrome trace becomes a run file, in place of an earlier one."""
    name = "import-over"

    def prepare(self, folder):
        super().prepare(folder)
        self.without_faults(["run", "experiment.json", "--out", "out.hscope"], folder)
        self.earlier = (folder / "out.hscope").read_bytes()

    def findings(self, folder, ending):
        yield from super().findings(folder, ending)
        path = folder / "out.hscope"
        if not path.exists():
            yield "the earlier file is gone"
        elif path.read_bytes() == self.earlier:
            if ending.exit_code == 0:
                yield "exit code 0 and the file is the earlier one"
        elif json.loads(self.inspect(path).out or b"{}").get("state") != "whole":
            yield "the earlier file gave way to one that is not whole"
        if ending.signal:
            self.without_faults(self.command()[1:], folder)
            yield from judge.left_over(folder, (*INPUTS, *self.outputs), dataclasses.replace(ending, signal=0))


class Export(Scenario):
    """A run file becomes a Chrome trace, in place of an earlier one."""
    name = "export-chrome"
    outputs = ("out.json",)
    form = "chrome"
    earlier = '{"traceEvents": [], "earlier": true}\n'

    def prepare(self, folder):
        self.prepare_run(folder)
        (folder / "out.json").write_text(self.earlier)

    def command(self):
        return [self.cli, "trace", "export", "kept.hscope", "out.json", "--format", self.form]

    def findings(self, folder, ending):
        yield from judge.json_file(folder / "out.json", ending, True)
        earlier = (folder / "out.json").exists() and b'"earlier"' in (folder / "out.json").read_bytes()
        if not (folder / "out.json").exists():
            yield "the earlier file is gone"
        if ending.exit_code == 0 and earlier:
            yield "exit code 0 and the file is the earlier one"
        if ending.signal:
            self.without_faults(self.command()[1:], folder)
            yield from judge.left_over(folder, (*INPUTS, *self.outputs, "kept.hscope"),
                                       dataclasses.replace(ending, signal=0))


class ExportResults(Export):
    """A run file becomes results in JSON, in place of an earlier one."""
    name = "export-results"
    form = "results"
    earlier = '{"format": "heteroscope-results", "earlier": true}\n'


class ExportCsv(Export):
    """A run file becomes a table of samples, in place of an earlier one."""
    name = "export-csv"
    outputs = ("out.csv",)
    earlier = "run,target,process,sample,warmup,traced,earlier\n"  # recognised as a table of samples, and none of ours

    def prepare(self, folder):
        super().prepare(folder)
        (folder / "out.json").unlink()
        (folder / "out.csv").write_text(self.earlier)

    def learn(self, folder, ending):
        self.rows = (folder / "out.csv").read_bytes().count(b"\n") - 1

    def command(self):
        return [self.cli, "trace", "export", "kept.hscope", "out.csv", "--format", "csv"]

    def findings(self, folder, ending):
        path = folder / "out.csv"
        if not path.exists():
            yield "the earlier file is gone"
        elif path.read_bytes() != self.earlier.encode():
            yield from judge.csv_file(path, ending, self.rows)
        elif ending.exit_code == 0:
            yield "exit code 0 and the file is the earlier one"


class Answers(Scenario):
    """A command whose files, and whose answer on stdout, are the same each time: whole or not there, and with exit code
    0 all of them."""
    ci_step = 3

    def learn(self, folder, ending):
        self.wanted = {name: (folder / name).read_bytes() for name in self.outputs}
        self.answer = self.answered(ending)

    @staticmethod
    def answered(ending):
        """But for the memory that is free at the moment."""
        return re.sub(rb'"free_bytes": \d+', b"", ending.out)

    def findings(self, folder, ending):
        for name, content in self.wanted.items():
            path = folder / name
            if not path.exists():
                if ending.exit_code == 0:
                    yield f"exit code 0 without {name}"
            elif path.read_bytes() != content:
                yield f"{name} is half a file"
        if ending.exit_code == 0 and self.answered(ending) != self.answer:
            yield "exit code 0 after another answer"


class ExportNetwork(Answers):
    """A network becomes a file of every form."""
    name = "export-network"
    outputs = ("out.onnx", "out.npz", "out.json", "out.csv")

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.inference())

    def command(self):
        return [self.cli, "export", "experiment.json", "--onnx", "out.onnx", "--npz", "out.npz", "--experiment", "out.json",
                "--summary", "out.csv"]


class Check(Answers):
    """An experiment is checked, and the layers of its network are written."""
    name = "check"
    outputs = ("out.csv",)

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.inference_over_data())

    def command(self):
        return [self.cli, "check", "experiment.json", "--json", "--summary", "out.csv", "--memory-limit", "1GiB"]


class Compare(Answers):
    """Two run files are compared."""
    name = "compare"

    def prepare(self, folder):
        self.prepare_run(folder)
        self.without_faults(["run", "experiment.json", "--out", "first.hscope"], folder)

    def command(self):
        return [self.cli, "compare", "kept.hscope", "first.hscope", "--json"]


class Predict(Answers):
    """An inference over a dataset writes what it predicts."""
    name = "predict"
    outputs = ("out.csv",)

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.inference_over_data())

    def command(self):
        return [self.cli, "run", "experiment.json", "--predictions", "out.csv"]

    @staticmethod
    def answered(ending):
        """Times are others each time."""
        return b""


class Evaluate(Scenario):
    """An operation on tensors of an archive."""
    name = "evaluate"
    outputs = ("out.npz",)

    def prepare(self, folder):
        write_json(folder / "experiment.json", experiments.matmul())
        write_json(folder / "first.json", experiments.pooling())
        write_npz(folder / "in.npz", {"input": (8, 8), "right": (8, 8)})

    def command(self):
        return [self.cli, "evaluate", "experiment.json", "--tensors", "in.npz", "--out", "out.npz"]

    def findings(self, folder, ending):
        path = folder / "out.npz"
        if ending.exit_code == 0 and not path.exists():
            yield "exit code 0 without an archive"
        if path.exists():
            yield from whole_archive(path)


class Devices(Scenario):
    """What this machine has: every module for GPUs is loaded, and each loads libraries of its own."""
    name = "devices"

    def command(self):
        return [self.cli, "devices", "--json"]

    def learn(self, folder, ending):
        self.listed = self.listing(ending)

    @staticmethod
    def listing(ending):
        """Each device with its implementations; not which of them can be used."""
        return {device["id"]: [one["id"] for one in device["implementations"]]
                for device in json.loads(ending.out)["devices"]}

    def findings(self, folder, ending):
        if ending.exit_code != 0:
            return
        try:
            listed, devices = self.listing(ending), json.loads(ending.out)["devices"]
        except (ValueError, KeyError) as failure:
            yield f"exit code 0 after half an answer: {failure}"
            return
        if listed.get("cpu") != self.listed["cpu"]:
            yield f"of the processor {listed.get('cpu')} is listed, where it has {self.listed['cpu']}"
        for one in (one for device in devices for one in (device, *device["implementations"])):
            if not one["available"] and not one["reason"]:
                yield f"{one['id']} is not available without a reason"


INPUTS = ("experiment.json", "kept.hscope.notes.json", "first.json", "kept.hscope", "first.hscope", "trace.json", "in.npz",
          "report")
ALL = (Run, Merge, Train, Resume, Import, ImportOver, Export, ExportResults, ExportCsv, ExportNetwork, Check, Compare,
       Predict, Evaluate, Devices)


def write_json(path, document):
    path.write_text(json.dumps(document))


def write_npz(path, shapes):
    import struct
    import zipfile
    with zipfile.ZipFile(path, "w") as archive:
        for name, shape in shapes.items():
            head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
            head += " " * (63 - (10 + len(head)) % 64) + "\n"
            count = 1
            for extent in shape:
                count *= extent
            values = struct.pack(f"<{count}f", *(index % 7 - 3 for index in range(count)))
            archive.writestr(name + ".npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + values)


def whole_archive(path):
    import zipfile
    try:
        with zipfile.ZipFile(path) as archive:
            broken = archive.testzip()
    except (zipfile.BadZipFile, OSError) as error:
        yield f"{path.name} is half an archive: {error}"
        return
    if broken:
        yield f"{path.name}: {broken} is damaged"


def copy_of(template, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(template, folder)
