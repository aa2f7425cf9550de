# SPDX-License-Identifier: GPL-3.0-or-later
"""Random scenarios, and what the built command line (HEADROOM_CLI) answers to them."""
import copy
import json
import os
import pathlib
import subprocess
import tempfile

PROGRAM = os.environ["HEADROOM_CLI"]
EXCEPTIONS = pathlib.Path(__file__).resolve().parent.parent / "physics_exceptions.json"
ROUNDING = 1e-7


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False)


def listed(command):
    return json.loads(run(command, "--format", "json").stdout)


def not_finite(word):
    raise ValueError(word + " in a result")


def evaluate(scenarios):
    """One result each; of a refused scenario an object with the key error."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "scenarios.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(s) + "\n" for s in scenarios)
        answer = run("evaluate", "--format", "jsonl", path)
    results = [json.loads(line, parse_constant=not_finite) for line in answer.stdout.splitlines() if line.strip()]
    if len(results) != len(scenarios):
        raise SystemExit(f"{len(scenarios)} scenarios, {len(results)} results: {answer.stderr[:500]}")
    return results


def allowed_badness():
    """Relation -> how far it may be broken (tests/physics_exceptions.json)."""
    rows = json.loads(EXCEPTIONS.read_text(encoding="utf-8"))["exceptions"]
    return {row["relation"]: row.get("in_flight", row["bound"]) for row in rows}


def changed(scenario, **values):
    """A copy with values set by path, parts joined by two underscores; None takes one out."""
    result = copy.deepcopy(scenario)
    for path, value in values.items():
        *parts, last = path.split("__")
        place = result
        for part in parts:
            place = place.setdefault(part, {})
        if value is None:
            place.pop(last, None)
        else:
            place[last] = value
    return result


class Draw:
    """Draws scenarios over the whole catalogue; equal seeds give equal scenarios."""

    def __init__(self, random):
        self.random = random
        self.models = listed("models")
        self.devices = [d for d in listed("accelerators") if usable(d)]
        self.facts = {d["id"]: d for d in self.devices}

    def some(self, share, value):
        return value if self.random.random() < share else None

    def frame(self, count, workload, layout):
        pick = self.random.choice
        hardware = {
            "accelerator": pick(self.devices)["id"],
            "count": count,
            "per_node": self.some(0.3, pick((1, 2, 8, 72))),
            "scale_out_gbit_per_s": self.some(0.3, pick((25, 200, 400, 1600))),
            "price_per_gpu_hour": self.some(0.6, pick((0.4, 2, 11))),
        }
        scenario = {
            "format": "headroom-scenario", "version": 1, "model": pick(self.models)["id"],
            "hardware": stated(hardware), "workload": stated(workload), "parallelism": stated(layout),
            "accounting": pick(("standard", "six_n", "palm", "causal", "megatron", "megatron_causal", "sc21", "matmul",
                                "palm_4_3", "exact", "exact", "exact")),
        }
        return scenario

    def training(self):
        pick, some = self.random.choice, self.some
        tensor, stages, context = pick((1, 1, 2, 4, 8)), pick((1, 1, 1, 2, 4, 6)), pick((1, 1, 1, 2))
        data = pick((1, 1, 2, 3, 8, 32, 128))
        micro = pick((1, 1, 2, 4))
        method = pick(("full", "full", "full", "lora", "qlora"))
        workload = {
            "task": "training", "sequence_length": pick((128, 1024, 4096, 16384, 65536)), "micro_batch": micro,
            "global_batch": micro * data * pick((1, 1, 2, 6, 16)), "method": method,
            "lora": some(0.7, {"rank": pick((2, 16, 128)), "targets": pick(("all-linear", "attention", "qv"))})
            if method != "full" else None,
            "checkpointing": pick(("none", "selective_op", "attention_only", "full",
                                   {"mode": "selective_layer", "every": pick((1, 2, 4))})),
            "precision": pick(("fp32", "tf32", "fp16", "bf16", "bf16", "fp8", "mxfp8", "fp4")),
            "master_weights": some(0.2, pick(("fp32", "none"))), "gradients": some(0.3, pick(("fp32", "bf16"))),
            "optimizer": pick(("adamw", "adamw8bit", "sgd", "sgd_momentum", "adafactor", "muon")),
            "flash_attention": some(0.4, pick((True, False, 2, 3))),
            "packed_sample_tokens": some(0.15, pick((32, 512))), "chunked_loss": some(0.3, pick((True, False))),
            "offload": some(0.2, pick(("optimizer", "parameters"))),
            "expert_imbalance": some(0.2, pick((1.1, 1.7))),
            "overlap": some(0.2, {"data_parallel": round(self.random.random(), 3),
                                  "tensor": round(self.random.random(), 3)}),
            "software": pick(("tuned", "tuned", "tuned", "megatron", "torch-fsdp", "torch-ddp", "composer", "deepspeed",
                              "transformers", "unsloth", "litgpt", "nanotron", "internevo", "jax", "jax-eager")),
            "training_tokens": some(0.3, 3e11),
        }
        workload["reliability"] = some(0.3, stated({
            "gpu_mtbf_hours": pick((1000, 25000, 80000)), "restart_s": some(0.5, pick((60, 1800))),
            "checkpoint_s": some(0.3, pick((2, 120))), "checkpoint_gb_per_s": some(0.2, pick((0.5, 500))),
            "checkpoint_interval_s": some(0.3, pick((60, 7200))), "spares": some(0.3, pick((1, 64))),
            "maintenance": some(0.2, 0.03), "straggler_sigma": some(0.2, 0.05),
        }))
        layout = {
            "tensor": tensor, "pipeline": stages, "context": context,
            "virtual_pipeline": some(0.4, 2) if stages > 1 else None,
            "sharding": some(0.7, pick(("none", "zero1", "zero2", "fsdp"))),
            "sequence_parallel": some(0.3, pick((True, False))), "expert": some(0.4, pick((2, 4, 8))),
            "replicas": some(0.2, 2) if data % 2 == 0 else None,
        }
        return self.frame(tensor * stages * context * data, workload, layout)

    def serving(self):
        pick, some = self.random.choice, self.some
        tensor, stages, context = pick((1, 1, 2, 4, 8)), pick((1, 1, 1, 2, 4)), pick((1, 1, 1, 1, 2))
        ranks, replicas = pick((1, 1, 1, 4)), pick((1, 1, 2, 5))
        prompt = pick((1, 64, 700, 2048, 16384, 100000))
        workload = {
            "task": "inference", "batch": pick((1, 3, 16, 64, 256, "max")), "prompt_tokens": prompt,
            "output_tokens": pick((1, 8, 128, 500, 2048)),
            "prompt_tokens_p95": some(0.2, prompt * 2),
            "requests_per_s": some(0.3, pick((0.01, 0.5, 5, 200))),
            "weights": pick(("fp32", "bf16", "bf16", "fp16", "fp8", "int8", "int4", "fp4", "mxfp4", "native")),
            "weight_bits": some(0.1, pick((3, 5.5))),
            "compute": some(0.3, pick(("fp32", "tf32", "fp16", "bf16", "fp8", "int8"))),
            "kv_cache": pick(("fp32", "bf16", "bf16", "fp8", "int8", "int4")),
            "scheduling": pick(("static", "continuous", "continuous", "disaggregated")),
            "arrival": some(0.3, pick(("steady", "burst"))),
            "prefix_cached_tokens": some(0.2, self.random.randrange(prompt + 1)),
            "memory_utilization": some(0.2, pick((0.6, 0.92))),
            "flash_attention": some(0.2, pick((True, False))), "expert_imbalance": some(0.2, 1.4),
            "software": pick(("tuned", "tuned", "tuned", "vllm", "vllm-sync", "vllm-2024", "sglang", "trt-llm", "trt-llm-2024",
                              "trt-llm-2023", "llama.cpp", "llama.cpp-2024", "gpt-fast", "exllama", "mlc", "tgi",
                              "deepspeed", "fastertransformer", "megatron", "transformers")),
        }
        layout = {
            "tensor": tensor, "pipeline": stages, "context": context, "attention_data": ranks,
            "replicas": some(0.5, replicas), "expert": some(0.4, pick((2, 8, 16))),
        }
        return self.frame(tensor * stages * context * ranks * replicas, workload, layout)


def usable(device):
    peaks = device.get("peak_tflops") or {}
    return bool(device.get("memory_gb") and device.get("memory_bandwidth_gbps_bytes")
                and any(peaks.get(key) for key in ("bf16", "fp16", "tf32", "fp32")))


def stated(values):
    return {key: value for key, value in values.items() if value is not None}
