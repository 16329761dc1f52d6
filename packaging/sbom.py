#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the bill of materials of an installed tree (CycloneDX 1.5 JSON) and copies the copyright files of what the
tree brings along. Versions and licences are those of the Debian packages that the files come from."""

import argparse
import datetime
import json
import pathlib
import re
import shutil
import subprocess
import uuid

# Header-only, or linked into the programs whole: nothing in the files tells of them.
COMPILED_IN = ("nlohmann-json3-dev", "libcli11-dev", "libstb-dev")


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def is_elf(path):
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def needed(path):
    return re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", str(path)))


def system_libraries():
    """Name -> path of what the loader of this machine finds."""
    table = {}
    for name, path in re.findall(r"^\s+(\S+) \(.*x86-64.*\) => (\S+)$", output("ldconfig", "-p"), re.M):
        table.setdefault(name, path)
    return table


def owner(path):
    """The Debian package of a file; /lib may be a link to /usr/lib, and dpkg knows either."""
    real = str(pathlib.Path(path).resolve())
    for candidate in (path, real, real.removeprefix("/usr")):
        done = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(": ")[0].split(",")[0]
    return None


def linked_libraries(elfs, table):
    """Names of every library that the files load, and that those load."""
    found, waiting = set(), [name for path in elfs for name in needed(path)]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            if name in table:
                waiting += needed(table[name])
    return found


def copyright_file(package):
    return pathlib.Path("/usr/share/doc", package.split(":")[0], "copyright")


def licences(package):
    """Short names as the copyright file has them; none when it has no such lines."""
    file = copyright_file(package)
    text = file.read_text(errors="replace") if file.exists() else ""
    names = re.findall(r"^License:[ \t]*(\S[^\n]*)$", text, re.M)
    return sorted({name.strip() for name in names})


def component(package, use):
    version, source = output("dpkg-query", "-W", "-f", "${Version}\n${source:Package}", package).split("\n")
    name = package.split(":")[0]
    record = {"type": "library", "name": name, "version": version, "purl": f"pkg:deb/debian/{name}@{version}",
              "bom-ref": name,
              "properties": [{"name": "heteroscope:use", "value": use},
                             {"name": "heteroscope:source-package", "value": source}]}
    names = licences(package)
    if names:
        record["licenses"] = [{"license": {"name": licence}} for licence in names]
    else:
        record["properties"].append({"name": "heteroscope:licence", "value": f"see {copyright_file(name)}"})
    return record


def nvidia_component(version):
    return {"type": "library", "name": "CUDA runtime (cudart_static)", "version": version, "bom-ref": "cudart_static",
            "licenses": [{"license": {"name": "NVIDIA CUDA Toolkit End User License Agreement"}}],
            "properties": [{"name": "heteroscope:use", "value": "compiled into the modules for GPUs"}]}


def packages_of(root, table):
    """Debian package -> how the tree uses it."""
    elfs = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink() and is_elf(path))
    carried = {path.name for path in elfs}
    uses = {package: "compiled in" for package in COMPILED_IN}
    # A plugin's name does not lead to its package, the library's of the same name does.
    for name in sorted(linked_libraries(elfs, table)):
        package = owner(table[name]) if name in table else None
        if package and uses.get(package) != "brought along":
            uses[package] = "brought along" if name in carried else "linked, from the system"
    for path in elfs:
        plugin = next(pathlib.Path("/usr/lib/x86_64-linux-gnu/qt6").glob(f"plugins/*/{path.name}"), None)
        package = owner(str(plugin)) if plugin else None
        if package:
            uses[package] = "brought along"
    if any(root.rglob("DejaVu*.ttf")):
        uses["fonts-dejavu-core"] = "brought along"
    return uses


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True, help="the installed tree")
    parser.add_argument("--docs", type=pathlib.Path, required=True, help="its folder of documents")
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--epoch", type=int, required=True, help="time of the commit, seconds")
    parser.add_argument("--cuda", default="", help="version of the CUDA toolkit, where modules for GPUs are in")
    options = parser.parse_args()
    uses = packages_of(options.root, system_libraries())
    components = [component(package, use) for package, use in sorted(uses.items())]
    if options.cuda:
        components.append(nvidia_component(options.cuda))
    program = {"type": "application", "name": "heteroscope", "version": options.version, "bom-ref": "heteroscope",
               "licenses": [{"expression": "GPL-3.0-or-later AND Apache-2.0"}],
               "properties": [{"name": "heteroscope:commit", "value": options.commit}]}
    stamp = datetime.datetime.fromtimestamp(options.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    listing = json.dumps(components, sort_keys=True)
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, options.commit + listing)),
            "metadata": {"timestamp": stamp, "component": program}, "components": components,
            "dependencies": [{"ref": "heteroscope", "dependsOn": [entry["bom-ref"] for entry in components]}]}
    licence_folder = options.docs / "licenses"
    licence_folder.mkdir(parents=True, exist_ok=True)
    for package, use in uses.items():
        if use in ("brought along", "compiled in") and copyright_file(package).exists():
            shutil.copyfile(copyright_file(package), licence_folder / package.split(":")[0])
    (options.docs / "sbom.cdx.json").write_text(json.dumps(bill, indent=2) + "\n")


if __name__ == "__main__":
    main()
