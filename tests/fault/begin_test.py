#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No memory before a verb begins: where the environment leaves it open how threads wait, the verbs that compute look at the
machine first. The scenarios set it (program.py), so that their calls come in the same order each time."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

import experiments

FIRST = 40  # requests for memory, of which those before the verb are a part


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    arguments = parser.parse_args()
    open_settings = {key: value for key, value in os.environ.items()
                     if not key.startswith(("OMP_", "GOMP_", "KMP_", "HETEROSCOPE_"))}
    wrong = sentences = 0
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/experiment.json", "w", encoding="utf-8") as file:
            json.dump(experiments.matmul(), file)
        for number in range(1, FIRST + 1):
            settings = {"LD_PRELOAD": arguments.library, "HETEROSCOPE_FAULT": f"malloc:{number}:fail",
                        "HETEROSCOPE_FAULT_FROM": "main"}
            done = subprocess.run([arguments.program, "run", "experiment.json", "--samples", "1", "--no-trace"], cwd=folder,
                                  env=open_settings | settings, capture_output=True, text=True, timeout=60, check=False)
            told = "heteroscope-cli: error: " in done.stderr
            sentences += told
            if done.returncode < 0 or (done.returncode != 0 and not told):
                wrong += 1
                print(f"WRONG request {number}: exit code {done.returncode}, {done.stderr[-300:]!r}")
    print(f"{FIRST} requests for memory that failed, {sentences} ended with a sentence, {wrong} without one")
    return 1 if wrong or not sentences else 0


if __name__ == "__main__":
    sys.exit(main())
