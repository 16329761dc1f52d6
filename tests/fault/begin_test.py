#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No memory before a verb begins: where the environment leaves it open how threads wait, the verbs that compute look at the
machine first. The scenarios set it (program.py), so that their calls come in the same order each time."""

import argparse
import pathlib
import sys
import tempfile

import experiments
import program
import scenarios

FIRST = 40  # requests for memory, of which those before the verb are a part


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True)
    parser.add_argument("--library", required=True)
    arguments = parser.parse_args()
    left_open = {name: "" for name in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME", "HETEROSCOPE_OTHERS_RUNNING")}
    wrong = sentences = 0
    with tempfile.TemporaryDirectory() as folder:
        scenarios.write_json(pathlib.Path(folder, "experiment.json"), experiments.matmul())
        for number in range(1, FIRST + 1):
            ending = program.run([arguments.program, "run", "experiment.json", "--samples", "1", "--no-trace"], folder,
                                 environment={**left_open, "LD_PRELOAD": arguments.library, "HETEROSCOPE_FAULT_FROM": "main",
                                              "HETEROSCOPE_FAULT": f"malloc:{number}:fail"})
            told = "heteroscope-cli: error: " in ending.err
            sentences += told
            if ending.exit_code < 0 or ending.hung or (ending.exit_code != 0 and not told):
                wrong += 1
                print(f"WRONG request {number}: exit code {ending.exit_code}, {ending.err[-300:]!r}")
    print(f"{FIRST} requests for memory that failed, {sentences} ended with a sentence, {wrong} without one")
    return 1 if wrong or not sentences else 0


if __name__ == "__main__":
    sys.exit(main())
