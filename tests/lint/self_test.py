#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lint's own test: a clean tree gives nothing, and each planted violation is found in its file."""

import json
import pathlib
import shutil
import tempfile
import unittest

import check_headers
import check_sources
import check_tidy
import check_tree

APACHE = "// SPDX-License-Identifier: Apache-2.0\n"
GPL = "// SPDX-License-Identifier: GPL-3.0-or-later\n"
HEADER = APACHE + "#pragma once\n"

CLEAN = {
    "compute/base/error.h": HEADER + "struct Error { int code() const { return 1; } };\n",
    "compute/core/op.h": HEADER + '#include "compute/base/error.h"\n',
    "compute/backends/openmp/pool.h": HEADER + '#include "compute/core/op.h"\n',
    "profiling/trace/trace.h": HEADER + '#include "compute/base/error.h"\n',
    "app/cli/main.cpp": APACHE + '#include "compute/core/op.h"\n#include "profiling/trace/trace.h"\nint main() {}\n',
    "ui/build/view.h": GPL + '#pragma once\n#include "compute/core/op.h"\n#include <QWidget>\n',
    "ui/build/dialog.h": GPL + "#pragma once\nclass D {\n    Q_OBJECT\n};\n",
    "ui/build/dialog.cpp": GPL + '#include "ui/build/dialog.h"\n\n#include "moc_dialog.cpp"\n',
    "tests/bench/paint.cpp": GPL + '#include "ui/build/view.h"\n',
    "tests/unit/table.cpp": APACHE + "Table f() {\n    return {\n" + "        {1, 2},\n" * 100 + "    };\n}\n",
    "tests/unit/files.cpp": APACHE + 'auto p = testing::TempDir() + "a-" +\n    std::to_string(::getpid());\nf(TempDir());\n',
    "tests/support/require/skip.h": HEADER + "#define SKIP_WITHOUT(words, reason) GTEST_SKIP() << (reason)\n",
    "tests/ui/skip.h": GPL + "#pragma once\n#define QSKIP_WITHOUT(words, reason) QSKIP(reason)\n",
    "tests/unit/skips.cpp": APACHE + 'void f() {\n    SKIP_WITHOUT("gpu", "no GPU");\n}\n',
    "packaging/run.sh": "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n",
}
LONG = "\n".join(["int f(int x) {"] + ["    x += 1;"] * 61 + ["    return x;", "}\n"])
IN_CLASS = "\n".join(["struct S {", "    int f() {"] + ["        g(\"}\");"] * 60 + ["    }", "};\n"])

PLANTED = [
    ("no licence", "compute/base/a.cpp", "int a;\n", "first line"),
    ("wrong licence", "ui/build/a.cpp", APACHE, "GPL-3.0-or-later"),
    ("window code under Apache", "tests/bench/b.cpp", APACHE + "#include <QImage>\n", "GPL-3.0-or-later"),
    ("script without licence", "packaging/a.sh", "#!/bin/sh\necho\n", "first line"),
    ("long file", "compute/base/a.cpp", APACHE + "int a;\n" * 600, "601 lines"),
    ("long function", "compute/base/a.cpp", APACHE + LONG, "function of 64 lines"),
    ("long member function", "compute/base/a.cpp", APACHE + IN_CLASS, "function of 62 lines"),
    ("no pragma once", "compute/base/a.h", APACHE, "pragma once"),
    ("compute includes profiling", "compute/core/a.cpp", APACHE + '#include "profiling/trace/trace.h"\n', "may include"),
    ("profiling includes compute", "profiling/trace/a.cpp", APACHE + '#include "compute/core/op.h"\n', "may include"),
    ("backend includes another", "compute/backends/onednn/a.cpp",
     APACHE + '#include "compute/backends/openmp/pool.h"\n', "may include"),
    ("base includes core", "compute/base/a.cpp", APACHE + '#include "compute/core/op.h"\n', "may include"),
    ("compute includes Qt", "compute/core/a.cpp", APACHE + "#include <QString>\n", "include Qt"),
    ("command line includes Qt", "app/cli/a.cpp", APACHE + "#include <QtCore/QString>\n", "include Qt"),
    ("charts outside ui/charts", "ui/build/a.cpp", GPL + "#include <QChartView>\n", "Qt Charts"),
    ("window includes a backend", "ui/build/a.cpp", GPL + '#include "compute/backends/openmp/pool.h"\n', "may include"),
    ("oneDNN elsewhere", "compute/core/a.cpp", APACHE + "#include <oneapi/dnnl/dnnl.hpp>\n", "oneDNN"),
    ("a socket", "app/cli/a.cpp", APACHE + "#include <sys/socket.h>\n", "no connection"),
    ("a socket of Qt", "ui/build/a.cpp", GPL + "#include <QTcpSocket>\n", "no connection"),
    ("own header in angle brackets", "compute/core/a.cpp", APACHE + "#include <compute/core/op.h>\n", "quotes"),
    ("missing header", "compute/core/a.cpp", APACHE + '#include "compute/core/none.h"\n', "does not exist"),
    ("a temporary path of all", "tests/unit/a.cpp",
     APACHE + 'const fs::path p = fs::path(testing::TempDir()) /\n    "name";\n', "getpid()"),
    ("another", "tests/unit/a.cpp", APACHE + 'f(std::filesystem::temp_directory_path() / "name");\n', "getpid()"),
    ("a line of CSV by hand", "app/cli/a.cpp", APACHE + 'auto toCsv() { return name + "," + type; }\n', "CellTable"),
    ("its header line", "app/cli/a.cpp", APACHE + 'std::string layersCsv() { return "layer,type,share\\n"; }\n', "CellTable"),
    ("cells joined", "ui/build/a.cpp", GPL + "QString toCsv() { return cells.join(QLatin1Char(',')); }\n", "CellTable"),
    ("a copied table", "ui/build/a.cpp", GPL + "clipboard()->setText(cells.join(QLatin1Char('\\t')));\n", "CellTable"),
    ("a cell without its table", "app/cli/a.cpp", APACHE + "text += csvCell(name);\n", "CellTable"),
    ("a bare skip", "tests/unit/a.cpp", APACHE + 'void f() {\n    GTEST_SKIP() << "no GPU";\n}\n', "SKIP_WITHOUT"),
    ("a bare skip of Qt", "tests/ui/a.cpp", GPL + 'void f() {\n    QSKIP("no GPU");\n}\n', "QSKIP_WITHOUT"),
    ("a bare skip in a macro", "tests/unit/a.h", HEADER + "#define SKIP() GTEST_SKIP()\n", "SKIP_WITHOUT"),
    ("no moc include", "ui/build/dialog.cpp", GPL, "moc_dialog.cpp"),
    ("another's moc include", "ui/build/b.cpp", GPL + '#include "moc_dialog.cpp"\n', "root of the tree"),
    ("path not from the root", "compute/core/a.cpp", APACHE + '#include "base/error.h"\n', "root of the tree"),
]


def plant(root, files):
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


class TreeTest(unittest.TestCase):
    def findings(self, extra):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            plant(root, {**CLEAN, **extra})
            return check_tree.check_tree(root)

    def test_clean_tree_is_clean(self):
        count, findings = self.findings({})
        self.assertEqual(count, len(CLEAN))
        self.assertEqual(findings, [])

    def test_large_files_are_found_also_at_the_root(self):
        for path in ("core", "resources/recorded/a.hscope"):
            self.assertEqual([f[0] for f in self.findings({path: "x" * (4 << 20)})[1]], [])
            self.assertEqual([f[0] for f in self.findings({path: "x" * ((4 << 20) + 1)})[1]], [path])

    def test_each_planted_violation_is_found(self):
        for what, path, text, words in PLANTED:
            with self.subTest(what):
                _, findings = self.findings({path: text})
                self.assertEqual([f[0] for f in findings], [path], findings)
                self.assertIn(words, findings[0][2])


def compile_commands(root, build, flags):
    """A compilation database in `build`; `flags`: of each source, named from the root."""
    compiler = shutil.which("c++") or shutil.which("g++")
    entries = [{"directory": str(build), "file": str(root / file),
                "command": f"{compiler} -std=c++20 -I{root} {more} -o x.o -c {root / file}"} for file, more in flags.items()]
    (build / "compile_commands.json").write_text(json.dumps(entries))


class HeaderTest(unittest.TestCase):
    def failures(self, header, share=1, turn=0):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            plant(root, {"compute/a.h": header, "compute/b.cpp": APACHE + "int b;\n"})
            build = root / "build"
            build.mkdir()
            compile_commands(root, build, {"compute/b.cpp": ""})
            return check_headers.check_headers(root, build, share, turn)

    def test_whole_header_passes(self):
        self.assertEqual(self.failures(HEADER + "#include <string>\nstd::string f();\n"), (1, 1, []))

    def test_header_that_needs_another_fails(self):
        _, _, failures = self.failures(HEADER + "std::string f();\n")
        self.assertEqual([f[0] for f in failures], ["compute/a.h"])

    def test_a_header_has_the_flags_of_the_unity_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            build, unit = root / "build", root / "build/unity_0_cxx.cxx"
            plant(root, {"compute/inner/a.h": HEADER + "#include <made.h>\n", "compute/inner/a.cpp": APACHE + "int a;\n",
                         "compute/b.cpp": APACHE + "int b;\n", "build/made/made.h": "", "build/before.h": "",
                         str(unit.relative_to(root)): f'#include "{root}/compute/inner/a.cpp"\n'})
            compile_commands(root, build, {"compute/b.cpp": "", "build/unity_0_cxx.cxx": "-Imade -include before.h"})
            self.assertEqual(check_headers.check_headers(root, build), (1, 1, []))

    def test_a_header_has_the_flags_of_a_source_that_includes_it(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            build = root / "build"
            plant(root, {"compute/inner/a.h": HEADER + "#ifndef FLAG\n#error no FLAG\n#endif\n",
                         "compute/inner/a.cpp": APACHE + "int a;\n", "build/made.h": "",
                         "compute/outer/b.cpp": APACHE + '#include "made.h"\n#include "compute/inner/a.h"\n'})
            compile_commands(root, build, {"compute/inner/a.cpp": "", "compute/outer/b.cpp": "-DFLAG"})
            self.assertEqual(check_headers.check_headers(root, build), (1, 1, []))

    def test_the_parts_of_a_share_are_all(self):
        found = [len(self.failures(HEADER + "std::string f();\n", 3, turn)[2]) for turn in range(3)]
        self.assertEqual(sorted(found), [0, 0, 1])


class SourceTest(unittest.TestCase):
    """Two sources in one unit, of which the second may need what the first includes."""

    def check(self, second, share=1, turn=0, options=""):
        compiler = shutil.which("c++") or shutil.which("g++")
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            build, unit = root / "build", root / "build/compute/Unity/unity_x_0_cxx.cxx"
            plant(root, {"compute/a.cpp": APACHE + "#include <string>\nconstinit int one = 1;\nstd::string a;\n",
                         "compute/b.cpp": APACHE + second,
                         "compute/alone.cpp": APACHE + "int alone;\n", "build/before.h": "#include <string>\n",
                         str(unit.relative_to(root)): "".join(f'#include "{root}/compute/{name}.cpp"\n' for name in "ab")})
            entries = [{"directory": str(build), "file": str(file),
                        "command": f"{compiler} {options} -I{root} -std=c++20 -o x.o -c {file}"}
                       for file in (unit, root / "compute/alone.cpp")]
            (build / "compile_commands.json").write_text(json.dumps(entries))
            return check_sources.check_sources(root, build, share, turn)

    def test_sources_with_all_that_they_include_pass(self):
        self.assertEqual(self.check("#include <string>\nstd::string b;\n"), (2, 2, []))

    def test_a_source_that_lives_on_another_fails(self):
        for options in ("", "-include before.h"):
            with self.subTest(options):
                self.assertEqual([source for source, _ in self.check("std::string b;\n", options=options)[2]],
                                 ["compute/b.cpp"])

    def test_the_parts_of_a_share_are_all(self):
        found = [self.check("std::string b;\n", 2, turn) for turn in range(2)]
        self.assertEqual([(seen, alone, len(failures)) for seen, alone, failures in found], [(2, 1, 0), (2, 1, 1)])


class TidyTest(unittest.TestCase):
    """Two sources compiled as one and one alone; the header is in both."""

    UNITY = "// unity\n#include \"{root}/compute/a.cpp\"\n#include \"{root}/compute/b.cpp\"\n"

    def setUp(self):
        if not shutil.which(check_tidy.PROGRAM):
            check_tidy.required.skip_without(self, ["clang-tidy"], f"{check_tidy.PROGRAM} is not installed")

    def check(self, share=1, turn=0, **sources):
        files = {"a": "int a;\n", "b": "int b;\n", "c": "int c;\n"} | sources
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            build = root / "build"
            plant(root, {f"compute/{name}.cpp": APACHE + text for name, text in files.items()})
            plant(root, {"compute/h.h": HEADER + "struct lower { int f() const { return 1; } };\n",
                         "build/compute/unity_0_cxx.cxx": self.UNITY.format(root=root),
                         ".clang-tidy": "Checks: '-*,bugprone-suspicious-include,bugprone-use-after-move,"
                                        "readability-identifier-naming'\nCheckOptions:\n"
                                        "  - { key: readability-identifier-naming.StructCase, value: CamelCase }\n"})
            entries = [{"directory": str(build), "file": str(file), "command": f"c++ -std=c++20 -I{root} -c {file}"}
                       for file in (build / "compute/unity_0_cxx.cxx", root / "compute/c.cpp")]
            (build / "compile_commands.json").write_text(json.dumps(entries))
            return check_tidy.check(root, build, share, turn)

    def test_clean_sources_have_no_warning(self):
        self.assertEqual(self.check(), (2, 2, [], []))

    def test_what_a_source_of_a_unity_does_is_told_with_its_file(self):
        _, _, warnings, broken = self.check(b="struct lower_case {};\n")
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("compute/b.cpp:2:8: warning: invalid case style for struct 'lower_case'", warnings[0])
        self.assertEqual(broken, [])

    def test_a_header_of_two_units_is_told_once(self):
        use = '#include "compute/h.h"\n'
        _, _, warnings, _ = self.check(a=use, c=use)
        self.assertEqual(len(warnings), 1, warnings)
        self.assertIn("compute/h.h", warnings[0])

    def test_a_source_that_does_not_compile_is_told(self):
        _, _, warnings, broken = self.check(c="int c = d;\n")
        self.assertEqual((len(warnings), broken), (1, []))
        self.assertIn("compute/c.cpp:2:9: error: ", warnings[0])

    def test_the_parts_of_a_share_are_all(self):
        found = [self.check(2, turn, c="struct lower_case {};\n") for turn in range(2)]
        self.assertEqual(sorted((checked, len(warnings)) for _, checked, warnings, _ in found), [(1, 0), (1, 1)])


if __name__ == "__main__":
    unittest.main()
