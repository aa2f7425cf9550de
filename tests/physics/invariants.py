#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds for every scenario, asked of the command line: invariants.py [SCENARIOS [SEED]]."""
import collections
import json
import random
import sys

from asking import Draw, changed, evaluate

NEAR = 1e-9
# Conventions that count attention over the full square: more FLOP than are done, so that a use above 100 % is possible.
COUNTS_TOO_MUCH = ("standard", "palm", "megatron", "sc21", "palm_4_3")


def numbers(value, path=""):
    """Every number of a result with its place; a quarter that lies around zero by nature is not among them."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from numbers(part, f"{path}/{key}")
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


def same(a, b):
    return abs(a - b) <= NEAR * max(abs(a), abs(b))


def common(scenario, result, seconds):
    """Yields what is wrong, of either task."""
    for path, value in numbers(result):
        if value < 0:
            yield f"negative {path}: {value}"
    if not same(sum(part["s"] for part in result["time"]), seconds):
        yield "times do not add up"
    memory = result["memory"]
    parts = ("weights", "gradients", "optimizer", "activations", "logits", "kv_cache", "overhead")
    if not same(sum(memory[part] for part in parts), memory["used_bytes"]):
        yield "memory does not add up"
    if result["step_fits"] != (memory["used_bytes"] <= memory["capacity_bytes"] * (1 + NEAR)):
        yield "step_fits, and used against capacity, disagree"
    if result["mfu"] is None or result["hfu"] < result["mfu"] * (1 - 1e-12):
        yield "HFU below MFU"
    if result["mbu"] > 1 + NEAR:
        yield f"MBU {result['mbu']}"
    said = any(w["code"] == "mfu-over-one" for w in result["warnings"])
    for key in ("mfu", "hfu"):
        if result[key] > 1 + NEAR and not (scenario["accounting"] in COUNTS_TOO_MUCH and said):
            yield f"{key} {result[key]} under {scenario['accounting']}, " + ("said" if said else "not said")
    if result["conventions"]["exact"] > 1 + NEAR:
        yield "exact MFU above 1"
    if result["flops"]["hardware"] < result["flops"]["model"] * (1 - 1e-12):
        yield "fewer FLOP done than needed"
    of = dict(result["interval"])
    memory = of.pop("memory")["used_bytes"]
    for key, value, bounds in [(key, result[key], of[key]) for key in of] + [
        ("memory", result["memory"]["used_bytes"], memory)
    ]:
        if bounds and not bounds[0] * (1 - NEAR) <= value <= bounds[1] * (1 + NEAR):
            yield f"the interval of {key} leaves it out"
    yield from money(scenario, result)


def money(scenario, result):
    energy, cost = result["energy"], result["cost"]
    if energy["watts"] and energy["joules_per_token"]:
        if not same(energy["watts"] / result["tokens_per_s"], energy["joules_per_token"]):
            yield "watts, rate and joules disagree"
    price = scenario["hardware"].get("price_per_gpu_hour")
    if price:
        goodput = result["goodput"]
        spares = scenario["workload"]["reliability"].get("spares", 0) if goodput else 0
        overall = (goodput or result)["tokens_per_s"]
        if not same(cost["per_hour"], price * (scenario["hardware"]["count"] + spares)):
            yield "cost an hour is not price times devices"
        if not same(cost["per_million_tokens"], cost["per_hour"] / 3600 * 1e6 / overall):
            yield "cost of tokens is not cost an hour over tokens an hour"


def training(scenario, result):
    yield from common(scenario, result, result["step_time_s"])
    flops, work = result["flops"], scenario["workload"]
    if not same(flops["forward"] + flops["backward_activation"] + flops["backward_weight"], flops["model"]):
        yield "passes do not add up to the model's FLOP"
    if not same(flops["model"] + flops["recompute"], flops["hardware"]):
        yield "recomputation does not add up"
    if not same(work["global_batch"] * work["sequence_length"] / result["step_time_s"], result["tokens_per_s"]):
        yield "tokens a second"
    yield from failures(result)


def failures(result):
    goodput = result["goodput"]
    if not goodput:
        return
    if not 0 < goodput["ettr_low"] <= goodput["ettr"] <= 1:
        yield "ETTR is no share"
    if not same(goodput["share"] + sum(goodput["losses"].values()), 1):
        yield "losses and share do not add up to the calendar"
    if not same(goodput["tokens_per_s"], result["tokens_per_s"] * goodput["share"]):
        yield "effective tokens a second"


def serving(scenario, result):
    yield from common(scenario, result, result["tpot_s"])
    out = scenario["workload"]["output_tokens"]
    if not same(result["request_latency_s"], result["ttft_s"] + (out - 1) * result["tpot_s"]):
        yield "latency is not TTFT and the further tokens"
    prefill = result["prefill"]["mfu"]
    if prefill and prefill > 1 + NEAR and scenario["accounting"] not in COUNTS_TOO_MUCH:
        yield f"prefill MFU {prefill}"


def against_light(task, scenario, result, light):
    """The speed of light is a bound."""
    load = "requests_per_s" in scenario["workload"]  # keeps another batch in flight where answers are faster
    for key in ("step_time_s",) if task == "training" else () if load else ("tpot_s", "ttft_s"):
        if light[key] > result[key] * (1 + NEAR):
            yield f"ideal {key} is slower: {light[key]} against {result[key]}"
    if light["mbu"] > 1 + NEAR or light["conventions"]["exact"] > 1 + NEAR:
        yield "ideal use above 1"


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261123
    draw = Draw(random.Random(seed))
    found = collections.defaultdict(list)
    for task, make, check in (("training", draw.training, training), ("inference", draw.serving, serving)):
        scenarios = [make() for _ in range(count)]
        answered = 0
        lights = evaluate([changed(s, efficiency="ideal") for s in scenarios])
        for scenario, result, light in zip(scenarios, evaluate(scenarios), lights):
            if "error" in result:
                continue
            answered += 1
            for wrong in check(scenario, result):
                found[wrong.split(":")[0]].append((wrong, scenario))
            for wrong in against_light(task, scenario, result, light):
                found[wrong.split(":")[0]].append((wrong, scenario))
        print(f"{task}: {answered} of {count} scenarios answered, seed {seed}")
        if answered < count / 2:
            found["most scenarios are refused"].append(("", {}))
    for kind, cases in sorted(found.items()):
        print("BAD", kind, len(cases))
        for wrong, scenario in cases[:2]:
            print("    ", wrong, json.dumps(scenario))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
