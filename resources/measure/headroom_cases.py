# SPDX-License-Identifier: GPL-3.0-or-later
"""What headroom_measure.py measures and how it writes it down: shapes, FLOP, bytes, lines. Needs no PyTorch."""
import datetime
import os
from collections import namedtuple

Shape = namedtuple("Shape", "layers hidden heads kv_heads head_dim ffn vocab tied")
MODELS = {  # ids and shapes of Headroom's catalogue, smallest first
    "llama-3.2-1b": Shape(16, 2048, 32, 8, 64, 8192, 128256, True),
    "llama-3.2-3b": Shape(28, 3072, 24, 8, 128, 8192, 128256, True),
    "llama-3.1-8b": Shape(32, 4096, 32, 8, 128, 14336, 128256, False),
}
TINY = {"tiny": Shape(2, 64, 4, 2, 16, 128, 512, False)}  # for --device cpu: tries the code, measures nothing
ACCELERATORS = {  # what PyTorch calls a device: its catalogue id
    "NVIDIA A10": "a10", "NVIDIA A10G": "a10g", "NVIDIA A30": "a30", "NVIDIA A40": "a40",
    "NVIDIA A100-PCIE-40GB": "a100-pcie-40gb", "NVIDIA A100 80GB PCIe": "a100-pcie-80gb",
    "NVIDIA A100-SXM4-40GB": "a100-sxm-40gb", "NVIDIA A100-SXM4-80GB": "a100-sxm-80gb",
    "NVIDIA A800-SXM4-80GB": "a800-sxm-80gb", "NVIDIA H100 80GB HBM3": "h100-sxm-80gb",
    "NVIDIA H100 PCIe": "h100-pcie-80gb", "NVIDIA H100 NVL": "h100-nvl-94gb", "NVIDIA H200": "h200-sxm-141gb",
    "NVIDIA H200 NVL": "h200-nvl-141gb", "NVIDIA H20": "h20-96gb", "NVIDIA H800": "h800-sxm-80gb",
    "NVIDIA GH200 480GB": "gh200-96gb", "NVIDIA GH200 144G HBM3e": "gh200-144gb", "NVIDIA B200": "b200-sxm",
    "NVIDIA B300 SXM6 AC": "b300-sxm", "NVIDIA GB200": "gb200", "NVIDIA GB300": "gb300", "NVIDIA GB10": "gb10",
    "NVIDIA L4": "l4", "NVIDIA L40": "l40", "NVIDIA L40S": "l40s", "Tesla T4": "t4",
    "Tesla V100-SXM2-16GB": "v100-sxm2-16gb", "Tesla V100-SXM2-32GB": "v100-sxm2-32gb",
    "Tesla V100-PCIE-16GB": "v100-pcie-16gb", "Tesla V100-PCIE-32GB": "v100-pcie-32gb",
    "NVIDIA GeForce RTX 3090": "rtx-3090", "NVIDIA GeForce RTX 4090": "rtx-4090", "NVIDIA RTX A6000": "rtx-a6000",
    "NVIDIA GeForce RTX 5090": "rtx-5090", "NVIDIA RTX 6000 Ada Generation": "rtx-6000-ada",
    "AMD Instinct MI210": "mi210", "AMD Instinct MI300A": "mi300a", "AMD Instinct MI300X": "mi300x",
    "AMD Instinct MI300X OAM": "mi300x", "AMD Instinct MI325X": "mi325x", "AMD Instinct MI350X": "mi350x",
    "AMD Instinct MI355X": "mi355x", "AMD Radeon RX 7900 XTX": "rx-7900-xtx",
}
SECTIONS = ("copy", "matmul", "attention", "allreduce", "decode", "training")
KERNEL_COLUMNS = ("accelerator", "kernel", "dtype", "gpus", "m", "n", "k", "batch", "heads", "kv_heads", "head_dim",
                  "queries", "keys", "causal", "flop", "bytes", "seconds", "samples", "source")
PROMPT, OUTPUT = 1024, 256  # tokens of a request in the decode runs
PREFILL = 16384  # tokens: a longer prefill is not timed
FILL = 0.92  # share of the free memory a case may plan to use: the allocator's fragments need the rest


def parameters(shape):
    """Weights that multiply, and all weights."""
    qkv = (shape.heads + 2 * shape.kv_heads) * shape.head_dim * shape.hidden
    layer = qkv + shape.heads * shape.head_dim * shape.hidden + 3 * shape.hidden * shape.ffn
    matmul = shape.layers * layer + shape.vocab * shape.hidden
    norms = (2 * shape.layers + 1) * shape.hidden
    return matmul, matmul + norms + (0 if shape.tied else shape.vocab * shape.hidden)


def cache_bytes(shape, tokens):
    return 2 * shape.layers * shape.kv_heads * shape.head_dim * 2 * tokens


def training_flop(shape, sequence, batch):
    """Model FLOP of a step, causal attention counted exactly (Headroom's convention `exact`)."""
    core = 4 * shape.layers * shape.heads * shape.head_dim * (sequence + 1) / 2  # forward, a token
    return batch * sequence * (6 * parameters(shape)[0] + 3 * core)


def training_bytes(shape, tokens, full, fused):
    """Peak of a training step: what this file's model keeps, counted tensor by tensor."""
    states = 18 * parameters(shape)[1]  # fp32 weight, gradient, two moments; the 16-bit copy that autocast makes
    layer = 2 * tokens * (4 * shape.hidden + 5 * shape.heads * shape.head_dim + 3 * shape.ffn) * (1 if fused else 1.8)
    kept = 2 * tokens * shape.hidden * shape.layers + 2 * layer if full else shape.layers * layer
    return states + kept + 16 * tokens * shape.vocab + 1.5e9  # logits in both precisions and their gradients


def decode_bytes(shape, batch, tokens):
    prefill = 2 * min(batch * tokens, PREFILL) * (4 * shape.hidden + 3 * shape.ffn)
    return 2 * parameters(shape)[1] + batch * cache_bytes(shape, tokens) + prefill + 1.5e9


def most_layers(shape, fits):
    """The shape, cut to a half or a quarter of its layers where the whole does not fit; None where that does not."""
    for part in (1, 2, 4):
        cut = shape._replace(layers=shape.layers // part)
        if cut.layers and fits(cut):
            return cut
    return None


def matmul_shapes(quick):
    """(m, n, k): squares, then the weights of an 8B layer and its head under growing numbers of tokens."""
    squares = [(s, s, s) for s in ((1024, 4096) if quick else (1024, 2048, 4096, 8192, 16384))]
    weights = [(28672, 4096), (6144, 4096), (4096, 4096), (4096, 14336), (128256, 4096)]
    rows = (16, 1024) if quick else (1, 16, 64, 256, 1024, 4096, 16384)
    layers = [(m, n, k) for n, k in (weights[:1] if quick else weights) for m in rows if m * n <= 2 ** 30]
    return list(dict.fromkeys(squares + layers))  # one of them is square


def matmul_work(m, n, k, width):
    """FLOP, and bytes moved with inputs of `width` bytes and a 16-bit result."""
    return 2 * m * n * k, width * (m * k + n * k) + 2 * m * n


def attention_cases(quick):
    """(kind, batch, kv_heads, head_dim, queries, keys): 16k tokens in shorter and longer sequences; caches of an 8B."""
    lengths = (4096,) if quick else (1024, 2048, 4096, 8192, 16384)
    whole = [(kind, 16384 // s, 32, 128, s, s) for s in lengths for kind in ("forward", "backward")]
    if not quick:
        whole += [(kind, 4, 32, 64, 4096, 4096) for kind in ("forward", "backward")]
    caches = ((8, 1024),) if quick else ((1, 1024), (8, 1024), (64, 1024), (1, 8192), (8, 8192), (1, 65536))
    return whole + [("decode", batch, 8, 128, 4, keys) for batch, keys in caches]


def attention_facts(kind, batch, kv_heads, head_dim, queries, keys):
    """Columns of a row. Backward: 5 matmuls where forward has 2, and 8 tensors where it has 4."""
    decode, backward = kind == "decode", kind == "backward"
    heads = kv_heads * queries if decode else kv_heads
    pairs = keys if decode else queries * (queries + 1) / 2  # a query sees the keys up to its own
    size = 2 * batch * head_dim * (2 * heads * (1 if decode else queries) + 2 * kv_heads * keys)
    return {"batch": batch, "heads": heads, "kv_heads": kv_heads, "head_dim": head_dim,
            "queries": 1 if decode else queries, "keys": keys, "causal": int(not decode),
            "flop": int(4 * batch * heads * head_dim * pairs * (2.5 if backward else 1)),
            "bytes": size * (2 if backward else 1)}


def decode_cases(models, free, quick):
    """(id, shape, batch, prompt) of every model that fits whole."""
    points = ((1, PROMPT),) if quick else ((1, PROMPT), (8, PROMPT), (32, PROMPT), (128, PROMPT), (16, 8 * PROMPT))
    found = [(name, shape, batch, prompt) for name, shape in models.items() for batch, prompt in points
             if decode_bytes(shape, batch, prompt + OUTPUT) <= free]
    return found[:1] if quick else found


def training_cases(models, free, quick, fused):
    """(id, shape, sequence, batch, full checkpointing): with one sequence first, then with four."""
    sequence = 4096 if free > 36e9 else 2048
    found = []
    for batch in (1,) if quick else (1, 4):
        for name, shape in models.items():
            for full in (False, True):
                cut = most_layers(shape, lambda s: training_bytes(s, batch * sequence, full, fused) <= free)
                if cut:
                    found.append((name, cut, sequence, batch, full))
    return found[:2] if quick else found


def accelerator_of(name, memory_bytes, override=None):
    """A catalogue id, or an object with what is known: Headroom then says which figures are missing."""
    return override or ACCELERATORS.get(name, {"name": name, "memory_gb": round(memory_bytes / 1e9, 1)})


def software(task, fused):
    """The nearest of Headroom's profiles: fused kernels behave like compiled stacks, eager ones like transformers."""
    return ("torch-ddp" if task == "training" else "gpt-fast") if fused else "transformers"


def notes(task, fused):
    """What a reader of the line must know about how it came about."""
    how = "elementwise work fused by torch.compile" if fused else "eager PyTorch"
    if task == "training":
        return f"random weights; {how}; fp32 weights under autocast, AdamW, one GPU, no data loading"
    how += ", step replayed as a CUDA graph" if fused else ""
    return f"random weights; {how}; the step half-way through the output; no server, no tokenizer, no sampling"


def run_line(number, model, shape, accelerator, workload, measured, source, note):
    """One line of the scenario contract. A model of the catalogue goes by its id, with the layers that were run."""
    if model not in MODELS:
        reference = {"architecture": dict(zip(Shape._fields, shape), name=model)}
    else:
        reference = model if MODELS[model] == shape else {"id": model, "layers": shape.layers}
    line = {"format": "headroom-scenario", "version": 1, "name": f"measured-{number:04d}", "model": reference,
            "hardware": {"accelerator": accelerator, "count": 1}, "workload": workload, "measured": measured,
            "source": source, "year": datetime.date.today().year, "notes": note}
    if workload["task"] == "training":
        line["parallelism"] = {"sharding": "none"}
    return line


def kernel_row(kernel, dtype, accelerator, timing, source, facts):
    """One row of the kernels' table: KERNEL_COLUMNS."""
    name = accelerator if isinstance(accelerator, str) else accelerator["name"]
    return dict({"gpus": 1}, **facts, accelerator=name, kernel=kernel, dtype=dtype, seconds=f"{timing[0]:.4g}",
                samples=timing[1], source=source)


def decode_workload(batch, prompt, dtype, fused, flash):
    return {"task": "inference", "batch": batch, "prompt_tokens": prompt, "output_tokens": OUTPUT, "weights": dtype,
            "kv_cache": dtype, "scheduling": "static", "flash_attention": flash,
            "software": software("inference", fused)}


def training_workload(sequence, batch, full, dtype, fused, flash):
    return {"task": "training", "sequence_length": sequence, "micro_batch": batch, "global_batch": batch,
            "method": "full", "checkpointing": "full" if full else "none", "precision": dtype,
            "master_weights": "fp32", "gradients": "fp32", "optimizer": "adamw", "flash_attention": flash,
            "software": software("training", fused)}


def repetitions(one, seconds):
    """How often to time something that takes `one` second, so that its median is worth printing."""
    return max(5, min(200, int(seconds / max(one, 1e-6))))


def kernels_path(out):
    return os.path.splitext(out)[0] + ".kernels.csv"
