# SPDX-License-Identifier: Apache-2.0
"""Starts the window with --repeat, samples what its process holds, and judges the trend over the runs."""
import argparse
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

RUNS_A_DAY = 24 * 60          # one a minute
MOST_GROWTH_MIB = 256         # of resident memory in a day
SETTLE_SHARE = 0.3            # of the runs, before which caches fill: each mode has been shown by then
FEWEST_RUNS = 20
SLACK = 4                     # files, threads: a worker that is just starting or ending

EXPERIMENT = {
    "heteroscope": 1, "kind": "pooling", "name": "soak",
    "pooling": {"mode": "max", "kernel": 2, "stride": 2, "input": {"source": "random", "size": 64, "seed": 1}},
    "targets": ["cpu/sequential", "cpu/openmp?threads=2"],
    "sampling": {"preset": "quick", "samples": 5},
}


def status(pid):
    fields = {}
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        name, _, value = line.partition(":")
        fields[name] = value.split()[0] if value.split() else ""
    return fields


def children_of(pid):
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if status(entry.name).get("PPid") == str(pid):
                    found.append(int(entry.name))
            except (OSError, IndexError):
                continue  # it has ended
    return found


def sample(pid, runs, started):
    fields = status(pid)
    return {"seconds": round(time.monotonic() - started, 1), "runs": runs, "rss_kib": int(fields["VmRSS"]),
            "files": len(os.listdir(f"/proc/{pid}/fd")), "threads": int(fields["Threads"]),
            "children": len(children_of(pid))}


def slope(points):
    """Least squares: y for each x."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def judge(samples, say):
    last = samples[-1]["runs"]
    settled = [s for s in samples if s["runs"] >= SETTLE_SHARE * last]
    if last < FEWEST_RUNS or len(settled) < FEWEST_RUNS:
        say(f"too few runs to judge: {last}; at least {FEWEST_RUNS} are wanted, give more minutes")
        return False
    per_run = slope([(s["runs"], s["rss_kib"]) for s in settled])
    day = per_run * RUNS_A_DAY / 1024
    say(f"{last} runs; resident memory {settled[0]['rss_kib'] / 1024:.1f} MiB after {settled[0]['runs']} runs, "
        f"{settled[-1]['rss_kib'] / 1024:.1f} MiB at the end, most {max(s['rss_kib'] for s in samples) / 1024:.1f} MiB")
    say(f"slope {per_run:+.3f} KiB a run: {day:+.1f} MiB in 24 h of one run a minute; allowed {MOST_GROWTH_MIB} MiB")
    good = day <= MOST_GROWTH_MIB
    quarter = max(len(settled) // 4, 1)
    for what in ("files", "threads", "children"):
        first = max(s[what] for s in settled[:quarter])
        end = max(s[what] for s in settled[-quarter:])
        say(f"{what}: at most {first} at first, {end} at the end")
        good = good and end <= first + SLACK
    return good


def run(arguments, say):
    folder = Path(arguments.folder)
    (folder / "soak.json").write_text(json.dumps(EXPERIMENT))
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", HETEROSCOPE_DATA=str(folder / "data"),
                       XDG_RUNTIME_DIR=str(folder))
    log = open(folder / "window.log", "wb")
    window = subprocess.Popen([arguments.window, str(folder / "soak.json"), "--repeat", "1000000"],
                              stdout=subprocess.PIPE, stderr=log, env=environment)
    os.set_blocking(window.stdout.fileno(), False)
    started, runs, samples, sampled = time.monotonic(), 0, [], 0.0
    while time.monotonic() - started < arguments.minutes * 60 and window.poll() is None:
        time.sleep(0.1)
        runs += (window.stdout.read() or b"").count(b"\n")
        if time.monotonic() - sampled >= arguments.every:
            sampled = time.monotonic()
            samples.append(sample(window.pid, runs, started))
    early = window.poll()
    ours = children_of(window.pid) if early is None else []
    window.send_signal(signal.SIGTERM)
    window.wait(30)
    (folder / "samples.csv").write_text("\n".join(
        [",".join(samples[0])] + [",".join(str(v) for v in s.values()) for s in samples]) + "\n")
    say(f"samples in {folder}/samples.csv")
    if early is not None:
        say(f"the window ended by itself with {early}: {(folder / 'window.log').read_text(errors='replace')[-500:]}")
        return False
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in ours) and time.monotonic() < deadline:
        time.sleep(0.1)
    left = [pid for pid in ours if Path(f"/proc/{pid}").exists()]
    say(f"processes left behind: {len(left)}")
    return judge(samples, say) and not left


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--window", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between samples")
    arguments = parser.parse_args()
    flat = run(arguments, lambda text: print(text, flush=True))
    print("flat" if flat else "NOT flat", flush=True)
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main())
