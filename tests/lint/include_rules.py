# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the arrows of the architecture as a table. The first matching row decides."""

import re

UI = ["ui/", "compute/base/", "compute/model/", "compute/experiment/spec/", "compute/core/(op|shape|target|device)\\.h",
      "compute/data/(dataset|example_set|image_filters|named_files|part_examples|transforms)\\.h",
      "profiling/(trace|stream|io|analysis)/"]

# (folder of the including file, what project headers it may include)
PROJECT = [
    (r"compute/base/", ["compute/base/"]),
    (r"compute/core/", ["compute/(base|core)/"]),
    (r"compute/(model|layers)/", ["compute/(base|core|model|layers)/"]),
    (r"compute/experiment/spec/", ["compute/(base|core|model|layers|experiment/spec)/"]),
    (r"compute/backends/nvidia/kernels/", ["compute/(base|core)/", r"compute/backends/nvidia/(kernels/|device/device_limits\.h)"]),
    (r"compute/backends/nvidia/([^/]+)/", ["compute/(base|core)/", r"compute/backends/nvidia/(device|kernels|network|{0})/"]),
    (r"compute/backends/([^/]+)/", ["compute/(base|core)/", r"compute/backends/{0}/"]),
    (r"compute/onnx/", ["compute/(base|core|model|layers|experiment/spec|onnx)/"]),
    (r"compute/", ["compute/"]),
    (r"profiling/trace/", ["profiling/trace/", "compute/base/"]),
    (r"profiling/stream/", ["profiling/(trace|stream)/", "compute/base/"]),
    (r"profiling/", ["profiling/", "compute/base/"]),
    (r"ui/", UI),
    (r"app/desktop/", ["app/desktop/"] + UI),
    (r"app/cli/", ["app/cli/", "compute/", "profiling/"]),
    (r"tests/", [""]),
]

QT = re.compile(r"^(Q[A-Z]\w*|Qt\w+/.*|q[a-z]+\.h)$")
CHARTS = re.compile(r"^(QtCharts(/.*)?|Q\w*(Chart|Chart\w*|Series|BarSet|ValueAxis|LogValueAxis|CategoryAxis|Legend\w*))$")

# (header, folders where it is allowed, why)
LIBRARIES = [
    (re.compile(r"^(sys/(socket|un)\.h|netinet/|arpa/|netdb\.h|curl/|Q(Tcp|Udp|Ssl|Local)(Server|Socket)|QNetwork\w*|QtNetwork/)"), r"^tests/",
     "the programs open no connection (resources/help/security.md)"),
    (CHARTS, r"^(ui/charts/|tests/ui/)", "only ui/charts may include Qt Charts"),
    (QT, r"^(ui/|app/desktop/|tests/)", "only the window and its tests may include Qt"),
    (re.compile(r"^(cuda|cublas|cudnn|nvml|cupti)\w*(\.h|/.*)$"), r"^(compute/backends/nvidia/|profiling/collectors/|tests/gpu/|tests/bench/gpu_)",
     "only the NVIDIA parts may include NVIDIA's headers"),
    (re.compile(r"^(oneapi/dnnl/.*|dnnl.*)$"), r"^(compute/backends/onednn/|tests/)",
     "only compute/backends/onednn may include oneDNN"),
    (re.compile(r"^(onnx|google/protobuf)/"), r"^(compute/onnx/|tests/unit/onnx/)", "only compute/onnx may include libonnx and protobuf"),
    (re.compile(r"^CLI/"), r"^(app/|tests/)", "only the programs parse command lines"),
]

_PROJECT_HEADER = re.compile(r"^(app|ui|compute|profiling|tests)/")


def check_project(path, name):
    """Why `path` may not include the project header `name`; nothing when it may."""
    for folder, allowed in PROJECT:
        match = re.match(folder, path)
        if not match:
            continue
        patterns = [rule.format(*match.groups()) for rule in allowed]
        if any(re.match(pattern, name) for pattern in patterns):
            return None
        return f"includes {name}; {folder} may include only {', '.join(patterns)}"
    return None


def check_library(path, name):
    for header, folders, why in LIBRARIES:
        if header.match(name):
            return None if re.match(folders, path) else f"includes <{name}>; {why}"
    return None


def is_window_header(name):
    """Headers that make a file part of the GPL side."""
    return bool(QT.match(name) or CHARTS.match(name) or name.startswith("ui/"))


def is_project_header(name):
    return bool(_PROJECT_HEADER.match(name))
