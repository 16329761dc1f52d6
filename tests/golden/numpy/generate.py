# SPDX-License-Identifier: Apache-2.0
"""Records random matrices and .npy files made by NumPy: python3 generate.py (in this folder)."""
import json
import pathlib

import numpy as np

here = pathlib.Path(__file__).resolve().parent

CASES = [
    # seed, low, high (included), shape
    (35, 0, 9, (4, 4)),
    (35, 0, 9, (64, 64)),
    (35, 0, 9, (2, 3, 5, 7)),
    (0, 0, 9, (8, 8)),
    (4294967295, -4, 4, (9, 9)),
    (1, 5, 5, (3, 3)),
    (7, 0, 255, (16, 16)),
    (12, -16777216, 16777216, (12, 5)),
]


def randoms():
    cases = []
    for seed, low, high, shape in CASES:
        np.random.seed(seed)
        values = np.random.randint(low, high + 1, size=shape)
        cases.append({"seed": seed, "low": low, "high": high, "shape": shape, "values": values.ravel().tolist()})
    document = {"numpy": np.__version__, "cases": cases}
    (here / "randint.json").write_text(json.dumps(document) + "\n")


def arrays():
    base = np.arange(2 * 3 * 4).reshape(2, 3, 4) - 5
    for kind in ("<f4", ">f4", "<f8", ">f8", "|i1", "<i2", ">i2", "<i4", ">i4", "<i8", ">i8"):
        np.save(here / ("a_" + kind.strip("<>|") + ("_big" if kind[0] == ">" else "") + ".npy"), base.astype(kind))
    for kind in ("|u1", "<u2", ">u2", "<u4", "<u8"):
        np.save(here / ("a_" + kind.strip("<>|") + ("_big" if kind[0] == ">" else "") + ".npy"), (base + 5).astype(kind))
    np.save(here / "bool.npy", (base % 2).astype(bool))
    np.save(here / "fortran.npy", np.asfortranarray(base.astype("<f4")))
    for version in ((2, 0), (3, 0)):
        with open(here / f"version{version[0]}.npy", "wb") as file:
            np.lib.format.write_array(file, base.astype("<f4"), version=version)
    np.savez(here / "stored.npz", first=base.astype("<f4"), second=np.float32([1.5, -2.0]))
    np.savez_compressed(here / "compressed.npz", first=base.astype("<f4"), second=np.float32([1.5, -2.0]))


randoms()
arrays()
