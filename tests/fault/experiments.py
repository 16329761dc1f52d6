# SPDX-License-Identifier: Apache-2.0
"""Small experiments of every kind: a run of each takes a few hundredths of a second."""

TARGETS = ["cpu/sequential", "cpu/openmp"]


def pooling(samples=3, size=8, preset="quick"):
    return {"heteroscope": 1, "kind": "pooling", "name": "pooling",
            "pooling": {"mode": "max", "kernel": 2, "stride": 2,
                        "input": {"source": "random", "size": size, "seed": 35}},
            "targets": TARGETS, "sampling": {"preset": preset, "samples": samples, "time_limit_s": 600, "warmup_limit_s": 0}}


def matmul(samples=3, size=8, preset="quick"):
    return {"heteroscope": 1, "kind": "matmul", "name": "matmul",
            "matmul": {"m": size, "k": size, "n": size},
            "targets": TARGETS, "sampling": {"preset": preset, "samples": samples, "time_limit_s": 600, "warmup_limit_s": 0}}


def _network(task, samples, preset):
    layers = [{"name": "hidden", "type": "dense", "units": 4}, {"name": "relu", "type": "relu"},
              {"name": "output", "type": "dense", "units": 1}]
    return {"heteroscope": 1, "kind": "network", "name": task, "task": task,
            "network": {"input": {"shape": [50]}, "layers": layers}, "targets": TARGETS,
            "sampling": {"preset": preset, "samples": samples, "time_limit_s": 600, "warmup_limit_s": 0}}


def inference(samples=3, preset="quick"):
    document = _network("infer", samples, preset)
    document["network"]["input"]["batch"] = 2
    return document


def training(epochs=2, preset="quick", examples=40):
    document = _network("train", 3, preset)
    del document["sampling"]["samples"]
    document["training"] = {"loss": "mean_squared_error", "batch": 20, "epochs": epochs,
                            "optimizer": {"type": "adam", "learning_rate": 0.001}}
    document["data"] = {"source": "irradiance_table", "count": examples, "test_count": 20}
    return document


def inference_over_data(examples=6):
    """Of a drawn regression: what is predicted can be written."""
    document = inference()
    document["targets"] = TARGETS[:1]
    document["data"] = {"source": "irradiance_table", "count": 20, "test_count": examples}
    return document
