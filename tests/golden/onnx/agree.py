# SPDX-License-Identifier: Apache-2.0
"""Agreement of ONNX files in both directions with onnxruntime and PyTorch; prints one line a model.

usage: agree.py HETEROSCOPE-CLI EXAMPLES
Every network experiment in the folder EXAMPLES is exported, checked, and computed by this program, onnxruntime and
PyTorch's functions (on the GPU where there is one). PyTorch's own exports of the full-size networks in models.py are
imported, compared with PyTorch's output, and exported again for onnxruntime. Agreement: 1e-4 of the largest output.
"""
import glob, json, os, subprocess, sys, tempfile
import numpy as np, torch, onnx, onnxruntime
from onnx import numpy_helper
import torch.nn.functional as F
here = os.path.dirname(os.path.abspath(__file__))
tmp = tempfile.mkdtemp()
torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
dev = "cuda" if torch.cuda.is_available() else "cpu"
bad = 0

def cli(*words):
    r = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    if r.returncode:
        raise RuntimeError(r.stderr[-400:])

def err(a, b):
    global bad
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    e = abs(a.reshape(b.shape) - b).max() / max(1.0, abs(b).max())
    bad += not e < 1e-4
    return "%.1e" % e

def ours(model, x, target="cpu/openmp"):
    np.savez(tmp + "/in.npz", input=x)
    cli("evaluate", model, "--tensors", tmp + "/in.npz", "--out", tmp + "/out.npz", "--target", target)
    return np.load(tmp + "/out.npz")["output"]

def ort(model, x):
    s = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return s.run(None, {s.get_inputs()[0].name: x})[0]

def rebuilt(path, x):
    """The graph once more, with PyTorch's own functions."""
    g = onnx.load(path).graph
    v = {t.name: torch.from_numpy(numpy_helper.to_array(t).copy()).to(dev) for t in g.initializer}
    v[g.input[0].name] = torch.from_numpy(x).to(dev)
    for n in g.node:
        a = {t.name: onnx.helper.get_attribute_value(t) for t in n.attribute}
        i = [v[name] for name in n.input]
        op = n.op_type
        if op in ("Conv", "MaxPool", "AveragePool"):
            t, l, b, r = a.get("pads", [0] * 4)
        if op == "Conv":
            y = F.conv2d(F.pad(i[0], (l, r, t, b)), i[1], i[2] if len(i) > 2 else None, a["strides"], 0, a["dilations"], a["group"])
        elif op == "MaxPool":
            y = F.max_pool2d(F.pad(i[0], (l, r, t, b), value=float("-inf")), a["kernel_shape"], a["strides"])
        elif op == "AveragePool":
            assert (t, l) == (b, r)
            y = F.avg_pool2d(i[0], a["kernel_shape"], a["strides"], (t, l), False, bool(a.get("count_include_pad", 0)))
        elif op == "GlobalAveragePool": y = i[0].mean((2, 3), keepdim=True)
        elif op == "Gemm": y = F.linear(i[0], i[1], i[2] if len(i) > 2 else None)
        elif op == "BatchNormalization": y = F.batch_norm(i[0], i[3], i[4], i[1], i[2], False, 0.0, a["epsilon"])
        elif op == "Relu": y = F.relu(i[0])
        elif op == "Clip": y = torch.clamp(i[0], i[1].item(), i[2].item())
        elif op == "LeakyRelu": y = F.leaky_relu(i[0], a["alpha"])
        elif op == "Sigmoid": y = torch.sigmoid(i[0])
        elif op == "Tanh": y = torch.tanh(i[0])
        elif op == "Softmax": y = F.softmax(i[0], a["axis"])
        elif op in ("Dropout", "Identity"): y = i[0]
        elif op == "Flatten": y = torch.flatten(i[0], 1)
        elif op == "Unsqueeze": y = i[0][:, :, None, None]
        elif op in ("Add", "Sum"): y = sum(i[1:], i[0])
        elif op == "Concat": y = torch.cat(i, a["axis"])
        else: raise RuntimeError(op)
        v[n.output[0]] = y
    return v[g.output[0].name].cpu().numpy()

def templates():
    global bad
    for f in sorted(glob.glob(sys.argv[2] + "/network_*.json")):
        name = os.path.basename(f)[:-5]
        try:
            cli("export", f, "--onnx", tmp + "/t.onnx")
            onnx.checker.check_model(tmp + "/t.onnx", full_check=True)
            shape = [d.dim_value for d in onnx.load(tmp + "/t.onnx").graph.input[0].type.tensor_type.shape.dim[1:]]
            x = np.random.default_rng(1).standard_normal((2, *shape)).astype(np.float32)
            want = ort(tmp + "/t.onnx", x)
            print("export", name, "checker ok, ours-ort", err(ours(tmp + "/t.onnx", x), want),
                  "ours-torch/" + dev, err(ours(tmp + "/t.onnx", x), rebuilt(tmp + "/t.onnx", x)), flush=True)
        except Exception as e:
            bad += 1
            print("export", name, "FAILED", str(e)[-500:], flush=True)

def begin():
    started = []
    for label, options in [("legacy17", ["opset_version=17", "dynamo=0"]), ("legacy-bn-dynamic", ["opset_version=13", "dynamo=0", "fold=0", "dynamic=1"]),
                           ("dynamo18", ["opset_version=18", "dynamo=1"])]:
        folder = tmp + "/" + label
        os.makedirs(folder)
        started.append((label, folder, subprocess.Popen([sys.executable, here + "/generate.py", folder, "full", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)))
    return started

def imports(started):
    global bad
    for label, folder, process in started:
        out, errors = process.communicate()
        if process.returncode:
            print("generate", label, "FAILED", errors[-600:], flush=True)
            bad += 1
        for m in sorted(glob.glob(folder + "/*.onnx")):
            d = np.load(m[:-5] + ".npz") if os.path.exists(m[:-5] + ".npz") else None
            try:
                print("import", label, os.path.basename(m), "ours-torch", err(ours(m, d["input"]), d["output"]),
                      "again through our export in ort", end=" ")
                cli("export", m, "--onnx", tmp + "/e.onnx")
                print(err(ort(tmp + "/e.onnx", d["input"]), d["output"]), flush=True)
            except Exception as e:
                bad += 1
                print("import", label, os.path.basename(m), "FAILED", str(e)[-500:], flush=True)

print("torch", torch.__version__, "onnx", onnx.__version__, "onnxruntime", onnxruntime.__version__, dev)
started = begin()
templates()
imports(started)
print("ALL AGREE within 1e-4" if bad == 0 else "%d FAILED" % bad)
sys.exit(bad != 0)
