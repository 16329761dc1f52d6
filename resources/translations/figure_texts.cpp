// SPDX-License-Identifier: Apache-2.0
// Names and meanings of the figures that the window shows (profiling/analysis/figures.h), listed for lupdate
// like those of parameter_texts.cpp. Never compiled; a test compares the list with shownFigures().

QT_TRANSLATE_NOOP("FigureText", "run")
QT_TRANSLATE_NOOP("FigureText", "number of the run: from 0 on, in the table of runs from 1 on")
QT_TRANSLATE_NOOP("FigureText", "target")
QT_TRANSLATE_NOOP("FigureText", "device, implementation and options")
QT_TRANSLATE_NOOP("FigureText", "status")
QT_TRANSLATE_NOOP("FigureText", "ok, failed, skipped, cancelled, planned or unfinished")
QT_TRANSLATE_NOOP("FigureText", "median")
QT_TRANSLATE_NOOP(
    "FigureText",
    "median of the times of a repetition; of three processes or more the geometric mean of their medians")
QT_TRANSLATE_NOOP("FigureText", "95 % interval")
QT_TRANSLATE_NOOP("FigureText", "95 % interval of the median: Student's over three processes or more, else a "
                                "percentile bootstrap, none from fewer than 5 samples")
QT_TRANSLATE_NOOP("FigureText", "speedup")
QT_TRANSLATE_NOOP("FigureText", "median of the reference at the same point")
QT_TRANSLATE_NOOP("FigureText", "median of the run")
QT_TRANSLATE_NOOP(
    "FigureText",
    "95 % interval of the speedup: Student's over three processes or more, whose speedup is the geometric "
    "mean of theirs, else by bootstrapping both sides; none from fewer than 5 samples")
QT_TRANSLATE_NOOP("FigureText", "verdict")
QT_TRANSLATE_NOOP(
    "FigureText",
    "whether the run is FASTER or SLOWER than the reference, the SAME, or UNCLEAR; rules: page Statistics")
QT_TRANSLATE_NOOP("FigureText", "equal work")
QT_TRANSLATE_NOOP(
    "FigureText",
    "whether the output equals that of cpu/sequential: equal, within a power of ten, differs, not checked")
QT_TRANSLATE_NOOP("FigureText", "n")
QT_TRANSLATE_NOOP("FigureText", "samples that count")
QT_TRANSLATE_NOOP("FigureText", "outliers")
QT_TRANSLATE_NOOP("FigureText", "samples beyond 1.5 interquartile ranges from the quartiles; kept")
QT_TRANSLATE_NOOP("FigureText", "min")
QT_TRANSLATE_NOOP("FigureText", "smallest time of a repetition")
QT_TRANSLATE_NOOP("FigureText", "Q1")
QT_TRANSLATE_NOOP("FigureText", "first quartile of the times of a repetition")
QT_TRANSLATE_NOOP("FigureText", "Q3")
QT_TRANSLATE_NOOP("FigureText", "third quartile of the times of a repetition")
QT_TRANSLATE_NOOP("FigureText", "max")
QT_TRANSLATE_NOOP("FigureText", "largest time of a repetition")
QT_TRANSLATE_NOOP("FigureText", "mean")
QT_TRANSLATE_NOOP("FigureText", "arithmetic mean of the times of a repetition")
QT_TRANSLATE_NOOP("FigureText", "std. dev.")
QT_TRANSLATE_NOOP("FigureText", "standard deviation of the times of a repetition, with n - 1")
QT_TRANSLATE_NOOP("FigureText", "first use")
QT_TRANSLATE_NOOP("FigureText", "opening the device, preparing and the first execution")
QT_TRANSLATE_NOOP("FigureText", "stopped by")
QT_TRANSLATE_NOOP("FigureText", "rule that ended the sampling")
QT_TRANSLATE_NOOP("FigureText", "warm-up")
QT_TRANSLATE_NOOP("FigureText", "what came before a run's samples, in each process until none of three "
                                "repetitions in a row was faster than those before by 5 % and the clock of "
                                "its GPU agreed within 1 %, or the time limit of the warm-up; null: not told")
QT_TRANSLATE_NOOP("FigureText", "what ran")
QT_TRANSLATE_NOOP("FigureText", "kernel or algorithm that computed it")
QT_TRANSLATE_NOOP("FigureText", "reason")
QT_TRANSLATE_NOOP("FigureText", "why a run has no result, or a list has no entry")
QT_TRANSLATE_NOOP("FigureText", "median of A")
QT_TRANSLATE_NOOP("FigureText", "median of the run in study A, of pairs of studies the geometric mean")
QT_TRANSLATE_NOOP("FigureText", "median of B")
QT_TRANSLATE_NOOP("FigureText", "median of the run in study B, of pairs of studies the geometric mean")
QT_TRANSLATE_NOOP("FigureText", "note")
QT_TRANSLATE_NOOP("FigureText", "98 % interval")
QT_TRANSLATE_NOOP("FigureText",
                  "98 % interval of A / B, which FASTER and SLOWER have to exclude 1 from; null "
                  "where the verdict is not of three processes or pairs")
QT_TRANSLATE_NOOP("FigureText", "pairs")
QT_TRANSLATE_NOOP("FigureText", "pairs of studies whose ratios the verdict is of")
QT_TRANSLATE_NOOP("FigureText", "what keeps two runs from being compared, or their verdict unclear")
QT_TRANSLATE_NOOP("FigureText", "wall time")
QT_TRANSLATE_NOOP(
    "FigureText",
    "wall time of the traced samples: in results of one repetition, in statistics of all together")
QT_TRANSLATE_NOOP("FigureText", "execute")
QT_TRANSLATE_NOOP("FigureText", "part of the wall time in which a kernel runs on the device")
QT_TRANSLATE_NOOP("FigureText", "copy")
QT_TRANSLATE_NOOP("FigureText",
                  "part of the wall time in which a copy or memory set runs on the device, and no kernel")
QT_TRANSLATE_NOOP("FigureText", "launch")
QT_TRANSLATE_NOOP("FigureText", "part of the wall time in which the device is idle and the host is in a call "
                                "that gives it work: a kernel, a copy or a memory set")
QT_TRANSLATE_NOOP("FigureText", "of it for copies")
QT_TRANSLATE_NOOP("FigureText", "part of launch in which the call is one for a copy or memory set")
QT_TRANSLATE_NOOP("FigureText", "queue")
QT_TRANSLATE_NOOP(
    "FigureText",
    "part of the wall time in which the device is idle and work that was given to it has not started")
QT_TRANSLATE_NOOP("FigureText", "synchronise")
QT_TRANSLATE_NOOP("FigureText", "part of the wall time in which the device is idle and the host waits for it")
QT_TRANSLATE_NOOP("FigureText", "other")
QT_TRANSLATE_NOOP("FigureText",
                  "part of the wall time in which the device is idle and the host does something else")
QT_TRANSLATE_NOOP("FigureText", "recorded")
QT_TRANSLATE_NOOP("FigureText", "wall time of the traced samples that are no warm-ups, of all repetitions")
QT_TRANSLATE_NOOP("FigureText", "operations")
QT_TRANSLATE_NOOP("FigureText", "part of it in which an operation or a reorder is computed")
QT_TRANSLATE_NOOP("FigureText", "copies")
QT_TRANSLATE_NOOP("FigureText", "part of it in which a copy runs outside of operations")
QT_TRANSLATE_NOOP("FigureText", "rest")
QT_TRANSLATE_NOOP("FigureText",
                  "part of it without a span: between operations, and what recording takes there")
QT_TRANSLATE_NOOP("FigureText", "untraced")
QT_TRANSLATE_NOOP("FigureText", "median of the run, of its untraced samples")
QT_TRANSLATE_NOOP("FigureText", "direction")
QT_TRANSLATE_NOOP("FigureText", "from where to where, as host to device")
QT_TRANSLATE_NOOP("FigureText", "host memory")
QT_TRANSLATE_NOOP("FigureText", "pageable, pinned or managed; empty without host memory")
QT_TRANSLATE_NOOP("FigureText", "copies")
QT_TRANSLATE_NOOP("FigureText", "copies that touch what is looked at")
QT_TRANSLATE_NOOP("FigureText", "bytes")
QT_TRANSLATE_NOOP("FigureText", "bytes of these copies, of those that cross an edge in proportion")
QT_TRANSLATE_NOOP("FigureText", "mean size")
QT_TRANSLATE_NOOP("FigureText", "time")
QT_TRANSLATE_NOOP("FigureText", "time in which such a copy ran; copies that run at the same time count once")
QT_TRANSLATE_NOOP("FigureText", "of wall time")
QT_TRANSLATE_NOOP("FigureText", "time in which such a copy ran")
QT_TRANSLATE_NOOP("FigureText", "wall time of what is looked at: of a run that of its traced samples")
QT_TRANSLATE_NOOP("FigureText", "under kernels")
QT_TRANSLATE_NOOP("FigureText", "time in which such a copy and a kernel ran")
QT_TRANSLATE_NOOP("FigureText", "rate")
QT_TRANSLATE_NOOP("FigureText", "link's peak")
QT_TRANSLATE_NOOP("FigureText",
                  "best rate of one copy of at least 1 MiB in that direction, the recorder's own included")
QT_TRANSLATE_NOOP("FigureText", "operation")
QT_TRANSLATE_NOOP("FigureText", "operation that the copies were made for")
QT_TRANSLATE_NOOP("FigureText", "phase")
QT_TRANSLATE_NOOP("FigureText", "what of the operation they were made for, as operands or copy in")
QT_TRANSLATE_NOOP("FigureText", "layer")
QT_TRANSLATE_NOOP("FigureText", "name of the layer, or of the operation outside of layers")
QT_TRANSLATE_NOOP("FigureText", "type")
QT_TRANSLATE_NOOP("FigureText", "what the layer's first operation computes")
QT_TRANSLATE_NOOP("FigureText", "forward")
QT_TRANSLATE_NOOP("FigureText", "median of a layer, forward")
QT_TRANSLATE_NOOP("FigureText", "backward")
QT_TRANSLATE_NOOP("FigureText", "median of a layer, backward")
QT_TRANSLATE_NOOP("FigureText", "throughput")
QT_TRANSLATE_NOOP("FigureText", "bytes that have to move at least: inputs read once, outputs written once")
QT_TRANSLATE_NOOP(
    "FigureText",
    "operations that the definition asks for; a multiplication and an addition are two, a comparison is one")
QT_TRANSLATE_NOOP("FigureText", "efficiency")
QT_TRANSLATE_NOOP("FigureText", "speedup over one thread")
QT_TRANSLATE_NOOP("FigureText", "threads")
