// SPDX-License-Identifier: Apache-2.0
// Words of the sentences that profiling/analysis makes (phrase.h), listed for lupdate. Never compiled; a test
// compares the list with the sources.

QT_TRANSLATE_NOOP("Phrase", "not told")
QT_TRANSLATE_NOOP("Phrase", "%1 to %2 MHz")
QT_TRANSLATE_NOOP("Phrase", "%1 (they changed: look at the samples' clocks in the CSV)")
QT_TRANSLATE_NOOP("Phrase", "memory %1")
QT_TRANSLATE_NOOP("Phrase", "held back in %1 of %2 samples (%3)")
QT_TRANSLATE_NOOP("Phrase", "still called idle in %1 of %2 samples")
QT_TRANSLATE_NOOP("Phrase", "GPU clocks after each sample: %1")
QT_TRANSLATE_NOOP("Phrase", "%1: %2 of %3")
QT_TRANSLATE_NOOP("Phrase", "%1; and %2 more runs")
QT_TRANSLATE_NOOP("Phrase", "disturbed samples: none of %1")
QT_TRANSLATE_NOOP("Phrase",
                  "disturbed samples: %1 of %2 (%3): something else ran on processors that they needed")
QT_TRANSLATE_NOOP("Phrase", "other programs took %1 % of a processor")
QT_TRANSLATE_NOOP("Phrase", "the hypervisor took %1 % of a processor")
QT_TRANSLATE_NOOP("Phrase", "of %1 it is not known whether their threads waited for others")
QT_TRANSLATE_NOOP("Phrase", "wait until the machine is quiet, and repeat")
QT_TRANSLATE_NOOP("Phrase", "clock: frequency not readable")
QT_TRANSLATE_NOOP("Phrase", "clock: %1 to %2 MHz")
QT_TRANSLATE_NOOP("Phrase", "a calibration loop after each sample took %1 to %2")
QT_TRANSLATE_NOOP("Phrase", " at %1")
QT_TRANSLATE_NOOP("Phrase", "95 % interval %1 to %2")
QT_TRANSLATE_NOOP("Phrase", "%1 looks %2 faster than %3%4, but 1 sample is too few for an interval (n < 5)")
QT_TRANSLATE_NOOP("Phrase",
                  "%1 looks %2 faster than %3%4, but %5 samples are too few for an interval (n < 5)")
QT_TRANSLATE_NOOP("Phrase", "%1 and %2 are equally fast%3 (%4 and %5)")
QT_TRANSLATE_NOOP("Phrase", "%1 is %2 faster than %3%4 (%5)")
QT_TRANSLATE_NOOP("Phrase", "it is unclear whether %1 is faster than %2%3 (%4, %5)")
QT_TRANSLATE_NOOP("Phrase", "; which is faster changes near %1, not clearly")
QT_TRANSLATE_NOOP("Phrase", "; up to %1 %2 is faster")
QT_TRANSLATE_NOOP("Phrase", "; just below, at %1 %2 is faster")
QT_TRANSLATE_NOOP("Phrase", " %1 of %2 runs have no complete result (%3: %4).")
QT_TRANSLATE_NOOP("Phrase", "1 sample, no interval: n < 5")
QT_TRANSLATE_NOOP("Phrase", "%1 samples, no interval: n < 5")
QT_TRANSLATE_NOOP("Phrase", "%1 takes %2%3 (%4)")
QT_TRANSLATE_NOOP("Phrase", "the reference %1 has no result to compare with")
QT_TRANSLATE_NOOP("Phrase", "a second target would give a comparison")
QT_TRANSLATE_NOOP("Phrase",
                  " The training of %1 had ended before it was resumed%2: nothing was left to train.")
QT_TRANSLATE_NOOP("Phrase", "No run has a result.")
QT_TRANSLATE_NOOP("Phrase", "No run has a result yet.")
QT_TRANSLATE_NOOP("Phrase", "; but the outputs differ: not equal work")
QT_TRANSLATE_NOOP("Phrase", "So far: %1.")
QT_TRANSLATE_NOOP("Phrase", "The two studies share no run that can be compared.")
QT_TRANSLATE_NOOP("Phrase", "B against A, of %1 runs: %2 faster, %3 slower, %4 the same, %5 unclear")
QT_TRANSLATE_NOOP("Phrase", "; largest change: %1%2 is %3 faster (%4).")
QT_TRANSLATE_NOOP("Phrase", "; largest change: %1%2 is %3 slower (%4).")
QT_TRANSLATE_NOOP("Phrase", "A / B: geometric mean of %1 pairs of studies that took turns.")
QT_TRANSLATE_NOOP("Phrase",
                  "A / B: geometric mean of %1 pairs of studies. They did not take turns: each pair has to "
                  "end before the next starts, and a difference below a factor of 2 may be one of moments.")
QT_TRANSLATE_NOOP("Phrase",
                  "%1 and %2 are the same recording; each study of a pair is a run of its own. Leave "
                  "one out and select another run.")
QT_TRANSLATE_NOOP("Phrase", "%1 does not say when it started, which pairs are made by. Compare these runs on "
                            "the command line, which takes pairs as they are given.")
QT_TRANSLATE_NOOP("Phrase", "In the order of their start runs %1 and %2 are of one experiment: %3 and %4. "
                            "Pairs alternate: A B A B A B. Select runs that do, or measure A and B again by "
                            "turns.")
QT_TRANSLATE_NOOP("Phrase",
                  "The %1 runs are of %2 experiments; pairs are of two, A and B. Select runs of two "
                  "experiments that alternate: A B A B A B.")
QT_TRANSLATE_NOOP("Phrase", "nothing")
QT_TRANSLATE_NOOP("Phrase", "Heteroscope: %1 against %2")
QT_TRANSLATE_NOOP("Phrase", "environment %1: %2 against %3")
QT_TRANSLATE_NOOP("Phrase", "experiment %1: %2 against %3")
QT_TRANSLATE_NOOP("Phrase", "A of pairs 1 and %1: %2")
QT_TRANSLATE_NOOP("Phrase", "B of pairs 1 and %1: %2")
QT_TRANSLATE_NOOP("Phrase", "what tracing cost was not measured")
QT_TRANSLATE_NOOP("Phrase", "traced samples took %1 less than untraced ones")
QT_TRANSLATE_NOOP("Phrase", "traced samples took %1 more than untraced ones")
QT_TRANSLATE_NOOP("Phrase", ", the largest of %1 points")
QT_TRANSLATE_NOOP("Phrase", ", the first of %1 points")
QT_TRANSLATE_NOOP("Phrase", "%1, %2 cores")
QT_TRANSLATE_NOOP("Phrase", "%1 to %2")
QT_TRANSLATE_NOOP(
    "Phrase", " in %1 processes (geometric mean of their medians, Student's 95 % interval over processes)")
QT_TRANSLATE_NOOP("Phrase", ", of some runs in %1 processes (geometric mean of their medians, Student's 95 % "
                            "interval over processes)")
QT_TRANSLATE_NOOP("Phrase", "No samples")
QT_TRANSLATE_NOOP("Phrase", " (no interval: n < 5)")
QT_TRANSLATE_NOOP("Phrase", " (95 % interval from 5 samples on)")
QT_TRANSLATE_NOOP("Phrase", " (95 % interval)")
QT_TRANSLATE_NOOP("Phrase", "Median of 1 sample")
QT_TRANSLATE_NOOP("Phrase", "Median of %1 samples")
QT_TRANSLATE_NOOP("Phrase", "reference %1")
QT_TRANSLATE_NOOP("Phrase", "load average %1")
QT_TRANSLATE_NOOP("Phrase", "load average %1 on %2 cores")
QT_TRANSLATE_NOOP("Phrase", "tracing overhead: not measured; times are from untraced samples")
QT_TRANSLATE_NOOP("Phrase", "tracing overhead: %1 in one run; times are from untraced samples")
QT_TRANSLATE_NOOP(
    "Phrase",
    "tracing overhead: median %1, %2 to %3 over %4 runs (most: %5); times are from untraced samples")
QT_TRANSLATE_NOOP("Phrase", "governor %1")
QT_TRANSLATE_NOOP("Phrase", "frequency governor unknown")
QT_TRANSLATE_NOOP("Phrase", "%1 build")
QT_TRANSLATE_NOOP("Phrase", "machine: %1")
QT_TRANSLATE_NOOP("Phrase", "sampling ended before its rule: %1")
QT_TRANSLATE_NOOP("Phrase", "%1 %2 for %3")
QT_TRANSLATE_NOOP("Phrase", "repetitions from a CUDA graph, without their launches; launched one by one: %1")
QT_TRANSLATE_NOOP("Phrase", "%1, and %2 more (launched_ms in the JSON results)")
QT_TRANSLATE_NOOP("Phrase", "steps were timed one by one and do not add up to a repetition: %1")
QT_TRANSLATE_NOOP("Phrase", "%1, and %2 more (..._ms in the metrics of the JSON results)")
QT_TRANSLATE_NOOP("Phrase", "%1 (%2, %3 to %4)")
QT_TRANSLATE_NOOP("Phrase",
                  "a team on all %1 processors waits whenever something else runs: %2; try threads=%3")
QT_TRANSLATE_NOOP("Phrase", "stable")
QT_TRANSLATE_NOOP("Phrase", "not stable")
QT_TRANSLATE_NOOP("Phrase", "stable in %1 of %2 processes")
QT_TRANSLATE_NOOP("Phrase", "1 repetition in %1")
QT_TRANSLATE_NOOP("Phrase", "%1 repetitions in %2")
QT_TRANSLATE_NOOP("Phrase", "SM clock %1 MHz")
QT_TRANSLATE_NOOP("Phrase", "%1 (%2)")
QT_TRANSLATE_NOOP(
    "Phrase",
    "warmed up until no repetition of %1 in a row was faster by %2, the GPU's clock within %3: %4 a process")
QT_TRANSLATE_NOOP("Phrase", "warmed up until no repetition of %1 in a row was faster by %2: %3 a process")
QT_TRANSLATE_NOOP("Phrase", "not stable at its time limit: %1")
QT_TRANSLATE_NOOP("Phrase", "warmed up until stable")
QT_TRANSLATE_NOOP("Phrase", "%1 of %2 runs not stable after their warm-up")
QT_TRANSLATE_NOOP("Phrase", "caches flushed before each sample")
QT_TRANSLATE_NOOP("Phrase", "caches kept")
QT_TRANSLATE_NOOP("Phrase", "%1 written on %2")
QT_TRANSLATE_NOOP("Phrase", "caches are flushed before each sample, which is one repetition")
QT_TRANSLATE_NOOP("Phrase", "%1, and %2 more")
QT_TRANSLATE_NOOP("Phrase", "recorded part of a repetition: %1, %2 of it; untraced repetition: %3")
QT_TRANSLATE_NOOP("Phrase", "recorded sample: %1, untraced %2 from a CUDA graph, %3 launched one by one")
QT_TRANSLATE_NOOP("Phrase", "recorded sample: %1, untraced %2")
QT_TRANSLATE_NOOP("Phrase", "process %1 of %2: %3")
QT_TRANSLATE_NOOP("Phrase", "process %1 of %2")
QT_TRANSLATE_NOOP("Phrase", "%1; after this study")
QT_TRANSLATE_NOOP(
    "Phrase", "measured: %1 threads on three arrays of %2 beside a cache of %3, best of %4; the faster of "
              "reading, "
              "%5, and a triad, %6")
QT_TRANSLATE_NOOP(
    "Phrase",
    "measured: 1 thread on three arrays of %1 beside a cache of %2, best of %3; the faster of reading, "
    "%4, and a triad, %5")
QT_TRANSLATE_NOOP("Phrase", "measured: fused multiply-adds in registers (%1), %2 threads, best of %3")
QT_TRANSLATE_NOOP("Phrase", "measured: fused multiply-adds in registers (%1), 1 thread, best of %2")
QT_TRANSLATE_NOOP("Phrase", "This is a debug build: timings are not those of a release build.")
QT_TRANSLATE_NOOP("Phrase", "The processor's frequency governor is \"%1\": timings may vary with its clock.")
QT_TRANSLATE_NOOP("Phrase", "Other programs were busy: the load average was %1 on %2 cores.")
QT_TRANSLATE_NOOP(
    "Phrase",
    "Other programs were running when this began (%1 threads on average): threads that wait for each "
    "other sleep instead of spinning (OMP_WAIT_POLICY=passive). Set OMP_WAIT_POLICY to decide it "
    "yourself.")
QT_TRANSLATE_NOOP("Phrase", "%1 (incomplete)")
QT_TRANSLATE_NOOP("Phrase", "%1 (cancelled before the last)")
QT_TRANSLATE_NOOP("Phrase", "%1, not to the end in %2 of them")
QT_TRANSLATE_NOOP("Phrase", "%1, in each of %2 processes")
QT_TRANSLATE_NOOP("Phrase", "%1, in %2 of %3 processes")
QT_TRANSLATE_NOOP("Phrase", "%1, in %2 processes")
QT_TRANSLATE_NOOP("Phrase", "The samples come from 1 process: %1.")
QT_TRANSLATE_NOOP("Phrase", "The samples come from %1 processes: %2.")
QT_TRANSLATE_NOOP("Phrase", "fewer samples were asked for than the %1 processes that a verdict needs; ask "
                            "for more, or leave their number out")
QT_TRANSLATE_NOOP("Phrase", "so many were asked for, and a verdict needs %1")
QT_TRANSLATE_NOOP("Phrase", "a training on a dataset is trained once, and a verdict needs %1 trainings: "
                            "preset thesis, or processes %2")
QT_TRANSLATE_NOOP("Phrase", "all %1 epochs")
QT_TRANSLATE_NOOP("Phrase", "%1 epochs, and %2 are asked for")
QT_TRANSLATE_NOOP("Phrase", "validation loss no better for %1 epochs")
QT_TRANSLATE_NOOP("Phrase", "all %1 learning rates")
QT_TRANSLATE_NOOP("Phrase", "the loss grew out of bounds")
QT_TRANSLATE_NOOP("Phrase", "95 % interval within %1 % after %2 samples")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s of %2 s after %3 of %4 samples")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s of %2 s after %3 samples")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s of %2 s after 1 sample")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s after %2 of %3 samples")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s after %2 samples")
QT_TRANSLATE_NOOP("Phrase", "time limit %1 s after 1 sample")
QT_TRANSLATE_NOOP("Phrase", "%1 samples")
QT_TRANSLATE_NOOP("Phrase", "1 sample")
QT_TRANSLATE_NOOP("Phrase", "equal")
QT_TRANSLATE_NOOP("Phrase", "differs")
QT_TRANSLATE_NOOP("Phrase", "not checked")
QT_TRANSLATE_NOOP("Phrase", "within %1")
QT_TRANSLATE_NOOP("Phrase", "power limit")
QT_TRANSLATE_NOOP("Phrase", "hardware slowdown")
QT_TRANSLATE_NOOP("Phrase", "another device's clocks")
QT_TRANSLATE_NOOP("Phrase", "heat")
QT_TRANSLATE_NOOP("Phrase", "heat (hardware)")
QT_TRANSLATE_NOOP("Phrase", "power brake")
QT_TRANSLATE_NOOP("Phrase", "%1: transfers take %2: copies %3 and the host's calls for them %4 (%5 on "
                            "average). Move more data in fewer copies, or keep it on the device.")
QT_TRANSLATE_NOOP("Phrase", "1 copy of %1")
QT_TRANSLATE_NOOP("Phrase", "%1 copies of %2")
QT_TRANSLATE_NOOP("Phrase",
                  "It counts the part copy (memory sets too) and, of launch, the calls for copies: no kernel "
                  "runs then. Source: CUDA C++ Best Practices Guide, data transfer between host and device.")
QT_TRANSLATE_NOOP("Phrase", "copies between the kernels come first")
QT_TRANSLATE_NOOP(
    "Phrase", "%1: the device waits for launches of kernels for %2 (launch: %3): the median kernel takes %4, "
              "its launch %5. Give each kernel more work, join kernels, or launch them as a CUDA graph.")
QT_TRANSLATE_NOOP(
    "Phrase",
    "It counts, of launch, the calls that launch kernels; the median kernel has to be shorter than the "
    "median of these, and the estimated gain as large. Source: CUDA C++ Programming Guide, CUDA graphs.")
QT_TRANSLATE_NOOP(
    "Phrase",
    "%1: copies %2 from or to pageable memory take %3%4 at %5%6. Let the data be made in pinned memory.")
QT_TRANSLATE_NOOP("Phrase", ", %1 while no kernel runs,")
QT_TRANSLATE_NOOP("Phrase", ", where a pinned copy reached %1")
QT_TRANSLATE_NOOP("Phrase", "a copy into pinned memory first takes the host as long as the driver's staging "
                            "does, and whether it can be left out is not known")
QT_TRANSLATE_NOOP(
    "Phrase",
    "Copies have to be of %1 or more on average: up to that size the runtime may stage them at once. Source: "
    "CUDA C++ Best Practices Guide, pinned memory; CUDA runtime reference, synchronization behavior.")
QT_TRANSLATE_NOOP("Phrase", "%1: for %2 the device has nothing to do and the host launches nothing: "
                            "synchronise %3 and other %4; the longest gap takes %5. Queue work ahead instead "
                            "of waiting after each step, and move the host's work beside the device's.")
QT_TRANSLATE_NOOP("Phrase",
                  "how much of it waits for the device's results is not known; it is at most the share above")
QT_TRANSLATE_NOOP("Phrase", "It counts the parts synchronise and other. Source: CUDA C++ Best Practices "
                            "Guide, asynchronous and overlapping transfers with computation.")
QT_TRANSLATE_NOOP("Phrase", "%1: recording disturbs what is seen here: the profiler's own work takes %2%3. "
                            "Compare times of untraced samples; read shares here with care.")
QT_TRANSLATE_NOOP("Phrase", ", and these take %1 longer than untraced ones")
QT_TRANSLATE_NOOP(
    "Phrase",
    "Shown from %1, the most that recording may cost for kernels of 50 us and more by this program's goals.")
QT_TRANSLATE_NOOP(
    "Phrase", "%1: kernel %2 can reach %3. Few warps hide little latency; use fewer registers or less shared "
              "memory a block, or another block size, unless each thread has enough independent work.")
QT_TRANSLATE_NOOP("Phrase", "kernels with few warps and much independent work are among the fastest")
QT_TRANSLATE_NOOP("Phrase", "Shown below %1 for kernels with at least %2. Source: CUDA C++ Best Practices "
                            "Guide, occupancy; formula of NVIDIA's occupancy calculator.")
QT_TRANSLATE_NOOP("Phrase",
                  "%1: kernel %2 has %3 blocks for %4 multiprocessors, so part of the device is idle while "
                  "it runs. Split the work into more blocks, or run several kernels at once on streams.")
QT_TRANSLATE_NOOP("Phrase", "the device waits for launches anyway")
QT_TRANSLATE_NOOP("Phrase",
                  "Shown for kernels with at least %1 and fewer blocks than half the multiprocessors. "
                  "Source: CUDA C++ Best Practices Guide, thread and block heuristics.")
QT_TRANSLATE_NOOP("Phrase", "The recording is not complete: %1 records were dropped and %2 have no time. "
                            "Counts and times here are too small; record fewer repetitions.")
QT_TRANSLATE_NOOP("Phrase", "Shown from the first lost record.")
QT_TRANSLATE_NOOP("Phrase", "%1 of %2 kernels and copies have no link to the call that launched them: how "
                            "long they queued is not known and counts as synchronise or other.")
QT_TRANSLATE_NOOP("Phrase", "Shown from the first piece of work without a link.")
QT_TRANSLATE_NOOP("Phrase", "The driver is asked ten times a second, so a short sample may lie between two "
                            "looks. Source: NVML reference, clocks event reasons.")
QT_TRANSLATE_NOOP(
    "Phrase",
    "what computes follows the clock and what waits for memory does not, and which of the two it is decides")
QT_TRANSLATE_NOOP(
    "Phrase", "%1: the device's clocks were held back for %2: %3. These times are not those of the device at "
              "its full clock: let it cool down, look at its cooling and power supply, and repeat the run.")
QT_TRANSLATE_NOOP(
    "Phrase", "%1: note: for %2 the device ran at its power limit and below its highest clock, and nothing "
              "else held it back. That is normal under full load; compare with runs under the same limit.")
QT_TRANSLATE_NOOP("Phrase",
                  "%1: note: for %2 the driver still called the device idle, with its clocks below what they "
                  "reach under load. Longer samples or a longer warm-up measure it at speed.")
QT_TRANSLATE_NOOP("Phrase", "the study has no untraced samples")
QT_TRANSLATE_NOOP("Phrase", "No gain is estimated: %1.")
QT_TRANSLATE_NOOP("Phrase", "No gain is estimated: less than %1 of the time of %2.")
QT_TRANSLATE_NOOP("Phrase", "Estimated gain: %1 of the time of %2.")
QT_TRANSLATE_NOOP("Phrase", "an untraced repetition: its kernels one right after the other, gradients of "
                            "weights beside those of inputs")
QT_TRANSLATE_NOOP("Phrase", "the link's rate is unknown, the recording has no large copy")
QT_TRANSLATE_NOOP(
    "Phrase",
    "an untraced repetition: what the host takes for copies, less the same bytes at the best rate seen")
QT_TRANSLATE_NOOP("Phrase", "an untraced repetition: copies and their calls without what recording adds, "
                            "less the same bytes at the best rate seen")
QT_TRANSLATE_NOOP("Phrase", "the kernel's time or the device is not known")
QT_TRANSLATE_NOOP("Phrase", "an untraced repetition: a block on each multiprocessor, and a second kernel "
                            "that joins them; neither takes less than its launch")
QT_TRANSLATE_NOOP("Phrase", "a traced repetition, without recording")
QT_TRANSLATE_NOOP("Phrase", "%1 of the wall time of the traced samples")
QT_TRANSLATE_NOOP("Phrase", "Shown from %1.")
QT_TRANSLATE_NOOP("Phrase", "it is about the recording")
QT_TRANSLATE_NOOP("Phrase", "host to device")
QT_TRANSLATE_NOOP("Phrase", "device to host")
QT_TRANSLATE_NOOP("Phrase", "on the device")
QT_TRANSLATE_NOOP("Phrase", "between devices")
QT_TRANSLATE_NOOP("Phrase", "host to host")
QT_TRANSLATE_NOOP("Phrase", "other")
QT_TRANSLATE_NOOP("Phrase", "warps")
QT_TRANSLATE_NOOP("Phrase", "blocks")
QT_TRANSLATE_NOOP("Phrase", "registers")
QT_TRANSLATE_NOOP("Phrase", "shared memory")
QT_TRANSLATE_NOOP("Phrase", "%1, %2 of %3 warps, limited by %4")
QT_TRANSLATE_NOOP("Phrase", "inputs")
QT_TRANSLATE_NOOP("Phrase", "operands")
QT_TRANSLATE_NOOP("Phrase", "check against cpu/sequential")
QT_TRANSLATE_NOOP("Phrase", "first use")
QT_TRANSLATE_NOOP("Phrase", "warm-up")
QT_TRANSLATE_NOOP("Phrase", "timed samples")
QT_TRANSLATE_NOOP("Phrase", "traced samples")
QT_TRANSLATE_NOOP("Phrase", "stopped before it began")
QT_TRANSLATE_NOOP("Phrase", "stopped before its end")
QT_TRANSLATE_NOOP("Phrase", "stopped on request (%1)")
QT_TRANSLATE_NOOP("Phrase", "no run finished: %1")
QT_TRANSLATE_NOOP("Phrase", "%1 cannot do %2: %3")
QT_TRANSLATE_NOOP("Phrase", "needs %1 of memory, %2 may be used")
QT_TRANSLATE_NOOP("Phrase", "choose smaller layers")
QT_TRANSLATE_NOOP("Phrase", "choose a smaller input")
QT_TRANSLATE_NOOP("Phrase", "a batch of %1 would fit")
QT_TRANSLATE_NOOP("Phrase", "m = n = k = %1 would fit")
QT_TRANSLATE_NOOP("Phrase", "a size of %1 x %2 would fit")
QT_TRANSLATE_NOOP("Phrase", "memory ran out")
QT_TRANSLATE_NOOP("Phrase", "no room for %1 bytes")
QT_TRANSLATE_NOOP("Phrase", "%1 bytes are free")
QT_TRANSLATE_NOOP("Phrase", "no room for %1 on the device")
QT_TRANSLATE_NOOP("Phrase", "%1 are free")
QT_TRANSLATE_NOOP("Phrase", "choose a smaller size")
QT_TRANSLATE_NOOP("Phrase", "choose a smaller size, or close other programs that hold memory of this device")
QT_TRANSLATE_NOOP("Phrase", "target '%1'")
QT_TRANSLATE_NOOP("Phrase", "there is no device '%1'")
QT_TRANSLATE_NOOP("Phrase", "device '%1' cannot be used: %2")
QT_TRANSLATE_NOOP("Phrase", "'%1' cannot be used: %2")
QT_TRANSLATE_NOOP("Phrase", "device '%1' has no implementation '%2'")
QT_TRANSLATE_NOOP("Phrase", "'heteroscope-cli devices' lists what there is")
QT_TRANSLATE_NOOP("Phrase", "this build has no %1 part (built without CUDA, or the module is not at %2)")
QT_TRANSLATE_NOOP("Phrase", "it cannot be loaded: %1")
QT_TRANSLATE_NOOP("Phrase", "process %1")
QT_TRANSLATE_NOOP("Phrase", "run %1, %2")
QT_TRANSLATE_NOOP("Phrase", "forecast %1")
QT_TRANSLATE_NOOP("Phrase", "forecast %1, %2 were free")
QT_TRANSLATE_NOOP("Phrase", "a worker process was ended by signal %1 (%2)")
QT_TRANSLATE_NOOP("Phrase", "a worker process was stopped")
QT_TRANSLATE_NOOP("Phrase", "a worker process ended with exit code %1")
QT_TRANSLATE_NOOP("Phrase", "a worker process ended before its stream did")
QT_TRANSLATE_NOOP("Phrase", "%1 while computing %2")
QT_TRANSLATE_NOOP("Phrase", "%1 and not by this program: %2")
QT_TRANSLATE_NOOP("Phrase", "its own words are above")
QT_TRANSLATE_NOOP("Phrase",
                  "run again; to end a study, signal the process that was started, which stops its workers")
QT_TRANSLATE_NOOP(
    "Phrase",
    "the kernel's out-of-memory killer may have sent it: choose a smaller batch, size or fewer threads")
QT_TRANSLATE_NOOP("Phrase",
                  "SIGKILL comes from a person (kill -9), from a batch system or container at one of its "
                  "limits, or from the kernel when memory runs out, of which nothing is seen here")
QT_TRANSLATE_NOOP("Phrase", "cannot be written: %1")
QT_TRANSLATE_NOOP("Phrase", "free some space or choose another place")
QT_TRANSLATE_NOOP("Phrase", "this process may have %1 files open at a time: raise that limit (ulimit -n)")
QT_TRANSLATE_NOOP("Phrase", "close other programs, or raise the system's limit (sysctl fs.file-max)")
QT_TRANSLATE_NOOP("Phrase", "Too many open files")
QT_TRANSLATE_NOOP("Phrase", "No space left on device")
QT_TRANSLATE_NOOP("Phrase", "Disk quota exceeded")
QT_TRANSLATE_NOOP("Phrase", "allowed: %1")
QT_TRANSLATE_NOOP("Phrase", "forward")
QT_TRANSLATE_NOOP("Phrase", "loss")
QT_TRANSLATE_NOOP("Phrase", "backward")
QT_TRANSLATE_NOOP("Phrase", "update")
QT_TRANSLATE_NOOP("Phrase", "training")
QT_TRANSLATE_NOOP("Phrase", "inference")
QT_TRANSLATE_NOOP("Phrase", "layer \"%1\"")
QT_TRANSLATE_NOOP("Phrase", "run %1 on %2, forecast %3 of memory")
QT_TRANSLATE_NOOP("Phrase", "planning of run %1 on %2, operands of %3")
QT_TRANSLATE_NOOP("Phrase", "inputs of %1")
QT_TRANSLATE_NOOP("Phrase", "check against cpu/sequential of %1")
QT_TRANSLATE_NOOP("Phrase", "the computation was ended by SIGSEGV, an invalid memory access")
QT_TRANSLATE_NOOP("Phrase", "the computation was ended by SIGBUS, a memory error")
QT_TRANSLATE_NOOP("Phrase", "the computation was ended by SIGFPE, an arithmetic error")
QT_TRANSLATE_NOOP("Phrase", "the computation was ended by SIGILL, an instruction this processor lacks")
QT_TRANSLATE_NOOP("Phrase", "the computation was ended by SIGABRT, a library gave up")
QT_TRANSLATE_NOOP("Phrase", "an internal error that nobody caught")
QT_TRANSLATE_NOOP("Phrase", "the memory of this process ran out")
QT_TRANSLATE_NOOP("Phrase", "a library ended the program")
QT_TRANSLATE_NOOP("Phrase",
                  "memory that ends inside a library is the usual cause, or threads that it cannot start: "
                  "choose a smaller batch or fewer threads, or raise the limit of this process (ulimit -v, "
                  "ulimit -u, control group); what was measured before stays in the run file, where one is "
                  "written")
QT_TRANSLATE_NOOP("Phrase", "the recording holds no kernels that its layers launched, and the host's spans "
                            "tell only of submitting work")
QT_TRANSLATE_NOOP("Phrase", "the driver does not tell the memory's clock and width")
QT_TRANSLATE_NOOP("Phrase", "the driver does not tell the number of multiprocessors and their clock")
QT_TRANSLATE_NOOP(
    "Phrase", "how many operations a clock a multiprocessor of compute capability %1 does is not known here")
QT_TRANSLATE_NOOP(
    "Phrase",
    "not measured on this machine before the study; \"heteroscope-cli devices --measure\" does it once")
QT_TRANSLATE_NOOP("Phrase", "no peak bandwidth of this device is recorded")
QT_TRANSLATE_NOOP("Phrase", "no peak rate of this device is recorded")
QT_TRANSLATE_NOOP("Phrase", "the recording has no record of this device")
QT_TRANSLATE_NOOP("Phrase",
                  "TF32 goes beyond the fp32 roof, and the rate of the tensor cores is not recorded")
QT_TRANSLATE_NOOP(
    "Phrase",
    "%1 kernels belong to repetitions whose own spans were not kept; their times are not in the roofline")
QT_TRANSLATE_NOOP("Phrase", "%1 repetitions of %2 on %3 have no time: none of their kernels was recorded")
QT_TRANSLATE_NOOP("Phrase", "damaged: %1")
QT_TRANSLATE_NOOP("Phrase", "everything before was read")
QT_TRANSLATE_NOOP("Phrase", "2 x %1 MHz x %2 bytes")
QT_TRANSLATE_NOOP("Phrase", "2 x %1 multiprocessors x %2 lanes x %3 MHz")
QT_TRANSLATE_NOOP("Phrase", "everything before was read, and the run had ended as done")
QT_TRANSLATE_NOOP("Phrase", "everything before was read, and the run had ended as %1")
QT_TRANSLATE_NOOP("Phrase", "%1, byte %2")
QT_TRANSLATE_NOOP("Phrase", "%1 bytes follow behind the end of the recording, which is complete")
QT_TRANSLATE_NOOP("Phrase", "1 byte follows behind the end of the recording, which is complete")
QT_TRANSLATE_NOOP("Phrase", "what follows is not read: keep the first %1 bytes of the file")
QT_TRANSLATE_NOOP("Phrase", "the file is empty")
QT_TRANSLATE_NOOP("Phrase", "a run file (.hscope)")
QT_TRANSLATE_NOOP("Phrase", "expected checksum %1, found %2")
QT_TRANSLATE_NOOP("Phrase", "expected a file header of %1 bytes, found the end")
QT_TRANSLATE_NOOP("Phrase", "expected a Heteroscope run file (it begins with \"HSCOPE\"), found other bytes")
QT_TRANSLATE_NOOP("Phrase", "expected format %1, found %2")
QT_TRANSLATE_NOOP("Phrase", "expected a frame of at most %1 bytes, found %2")
QT_TRANSLATE_NOOP(
    "Phrase", "expected a frame of %1 bytes, found a whole one %2 bytes further on: the length is damaged")
QT_TRANSLATE_NOOP("Phrase", "expected a kind of record, found 0, which is never written")
QT_TRANSLATE_NOOP("Phrase", "expected flags 0 or 1 and two zero bytes, found %1")
QT_TRANSLATE_NOOP("Phrase", "expected the header frame first, found %1")
QT_TRANSLATE_NOOP("Phrase", "expected one header frame, found a second one")
QT_TRANSLATE_NOOP("Phrase", "expected nothing behind the end frame, found more bytes")
QT_TRANSLATE_NOOP("Phrase", "copy the file again from where it was written, or run its experiment again")
QT_TRANSLATE_NOOP("Phrase", "copy the file again where there is another copy of it")
QT_TRANSLATE_NOOP("Phrase", "what was read can be used and exported")
QT_TRANSLATE_NOOP("Phrase", "a copy that failed, a full disk or a loss of power may have left it: copy it "
                            "again from where it was written, or run its experiment again")
QT_TRANSLATE_NOOP("Phrase", "a copy that failed, a full disk or a loss of power may have cut it: copy it "
                            "again from where it was written, or run its experiment again")
QT_TRANSLATE_NOOP("Phrase", "the file lost what had not reached the disk, or was written over")
QT_TRANSLATE_NOOP("Phrase", "choose a .hscope file")
QT_TRANSLATE_NOOP("Phrase", "open it with the version that wrote it")
QT_TRANSLATE_NOOP("Phrase", "what comes before them is the whole recording")
QT_TRANSLATE_NOOP("Phrase", "comes after %1")
QT_TRANSLATE_NOOP("Phrase", "asked for by ?impl=")
QT_TRANSLATE_NOOP("Phrase", "?impl= asks for another")
QT_TRANSLATE_NOOP("Phrase", "no NVIDIA driver found (libcuda.so.1 is not there)")
QT_TRANSLATE_NOOP("Phrase",
                  "the NVIDIA driver supports CUDA %1, this program needs %2 or newer: update the driver")
QT_TRANSLATE_NOOP("Phrase", "the NVIDIA driver finds no device (look at nvidia-smi and CUDA_VISIBLE_DEVICES)")
QT_TRANSLATE_NOOP("Phrase", "it computes maxima of windows 2x2 with stride 2 alone")
QT_TRANSLATE_NOOP("Phrase", "it computes maxima of windows 2x2 with stride 2 and without padding alone")
QT_TRANSLATE_NOOP("Phrase", "it computes maxima of windows 3x3 with stride 1 or 2 alone")
QT_TRANSLATE_NOOP("Phrase", "it pads with at most 1, by minus infinity")
QT_TRANSLATE_NOOP("Phrase", "windows leave the input")
QT_TRANSLATE_NOOP("Phrase", "rows have %1 windows, fewer than a vector of %2")
QT_TRANSLATE_NOOP("Phrase", "rows have %1 windows, not a multiple of %2 below %3")
QT_TRANSLATE_NOOP("Phrase", "input and output fit into the last-level cache")
QT_TRANSLATE_NOOP("Phrase", "it computes images in blocks of 16 channels alone, which trainings keep where "
                            "all convolutions fill them")
QT_TRANSLATE_NOOP("Phrase", "oneDNN pads max pooling with minus infinity only, not with zero")
QT_TRANSLATE_NOOP("Phrase", "cuDNN pads both sides alike; give equal padding left and right, top and bottom")
QT_TRANSLATE_NOOP("Phrase",
                  "cuDNN pads maxima with minus infinity; zero padding is for the other implementations")
QT_TRANSLATE_NOOP("Phrase", "it takes as many groups as channels")
QT_TRANSLATE_NOOP("Phrase", "it takes the gradient of a single filter for each channel")
QT_TRANSLATE_NOOP("Phrase", "it takes gradients of strides of 1")
QT_TRANSLATE_NOOP("Phrase", "conv_direct is expected to take %1 of its time")
QT_TRANSLATE_NOOP("Phrase", "it reads rows of A, which is transposed")
QT_TRANSLATE_NOOP("Phrase", "it is for depths of %1 and more")
QT_TRANSLATE_NOOP("Phrase", "it is for %1 columns and fewer, or %2 rows and fewer by a transposed B")
QT_TRANSLATE_NOOP("Phrase", "it takes 1x1 kernels, strides of 1 and no padding")
QT_TRANSLATE_NOOP("Phrase", "it takes 1x1 kernels")
QT_TRANSLATE_NOOP("Phrase", "it takes kernels of at most 256 elements")
QT_TRANSLATE_NOOP("Phrase", "it takes batches of at most %1, %2 inputs and %3 units")
QT_TRANSLATE_NOOP("Phrase", "it does not compute these operations as one")
QT_TRANSLATE_NOOP("Phrase", "a result in between is wanted")
QT_TRANSLATE_NOOP("Phrase", "another kernel, with the pooling after it, is faster")
QT_TRANSLATE_NOOP("Phrase", "it computes only a ReLU after this operation as one with it")
QT_TRANSLATE_NOOP("Phrase", "it computes only a convolution with a ReLU after it as one")
QT_TRANSLATE_NOOP("Phrase", "backward")
QT_TRANSLATE_NOOP("Phrase", "batch")
QT_TRANSLATE_NOOP("Phrase", "cache")
QT_TRANSLATE_NOOP("Phrase", "channels")
QT_TRANSLATE_NOOP("Phrase", "classes")
QT_TRANSLATE_NOOP("Phrase", "countIncludePad")
QT_TRANSLATE_NOOP("Phrase", "epochs")
QT_TRANSLATE_NOOP("Phrase", "features")
QT_TRANSLATE_NOOP("Phrase", "filter")
QT_TRANSLATE_NOOP("Phrase", "filters")
QT_TRANSLATE_NOOP("Phrase", "gamma")
QT_TRANSLATE_NOOP("Phrase", "high")
QT_TRANSLATE_NOOP("Phrase", "images")
QT_TRANSLATE_NOOP("Phrase", "initialization")
QT_TRANSLATE_NOOP("Phrase", "kernel")
QT_TRANSLATE_NOOP("Phrase", "learning_rate")
QT_TRANSLATE_NOOP("Phrase", "loss")
QT_TRANSLATE_NOOP("Phrase", "low")
QT_TRANSLATE_NOOP("Phrase", "mode")
QT_TRANSLATE_NOOP("Phrase", "momentum")
QT_TRANSLATE_NOOP("Phrase", "multiply")
QT_TRANSLATE_NOOP("Phrase", "nesterov")
QT_TRANSLATE_NOOP("Phrase", "network")
QT_TRANSLATE_NOOP("Phrase", "padding")
QT_TRANSLATE_NOOP("Phrase", "paddingValue")
QT_TRANSLATE_NOOP("Phrase", "patience")
QT_TRANSLATE_NOOP("Phrase", "preset")
QT_TRANSLATE_NOOP("Phrase", "processes")
QT_TRANSLATE_NOOP("Phrase", "rate")
QT_TRANSLATE_NOOP("Phrase", "samples")
QT_TRANSLATE_NOOP("Phrase", "seed")
QT_TRANSLATE_NOOP("Phrase", "size")
QT_TRANSLATE_NOOP("Phrase", "source")
QT_TRANSLATE_NOOP("Phrase", "strategy")
QT_TRANSLATE_NOOP("Phrase", "stride")
QT_TRANSLATE_NOOP("Phrase", "target")
QT_TRANSLATE_NOOP("Phrase", "task")
QT_TRANSLATE_NOOP("Phrase", "training_limit")
QT_TRANSLATE_NOOP("Phrase", "type")
QT_TRANSLATE_NOOP("Phrase", "units")
QT_TRANSLATE_NOOP("Phrase", "validation_share")
QT_TRANSLATE_NOOP("Phrase", "warmup_steps")
QT_TRANSLATE_NOOP("Phrase", "weight_decay")
