#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of scenarios that differ in one thing, asked of the command line: metamorphic.py [SCENARIOS [SEED]]."""
import json
import random
import sys

from asking import ROUNDING, Draw, allowed_badness, changed, evaluate

WORK = "workload__"


def value(*path):
    def read(result):
        for key in path:
            result = result[key]
        return result
    return read


STEP, RATE, USED = value("step_time_s"), value("tokens_per_s"), value("memory", "used_bytes")
TOKEN, FIRST, MOST = value("tpot_s"), value("ttft_s"), value("max_batch")


def grows(of):
    """Bad where the second has more."""
    return lambda a, b: of(b) / of(a) if of(a) else None


def falls(of):
    """Bad where the second has less."""
    return lambda a, b: of(a) / of(b) if of(b) else None


def differs(of, factor=1):
    return lambda a, b: 1 + abs(of(b) / of(a) / factor - 1)


def fitting(badness):
    return lambda a, b: badness(a, b) if a["fits"] and b["fits"] else None


def set_to(path, first, second):
    """The same thing set to one value and to another."""
    return lambda s: (changed(s, **{path: first}), changed(s, **{path: second}))


def times(path, factor=2):
    def change(scenario):
        place = scenario
        for part in path.split("__"):
            place = place[part]
        return scenario, changed(scenario, **{path: place * factor})
    return change


def doubled_devices(scenario):
    replicas = scenario["parallelism"].get("replicas")
    return changed(scenario, hardware__count=scenario["hardware"]["count"] * 2,
                   parallelism__replicas=replicas and replicas * 2)


def doubled_data(scenario):
    return scenario, changed(scenario, hardware__count=scenario["hardware"]["count"] * 2,
                             workload__global_batch=scenario["workload"]["global_batch"] * 2)


class Relations:
    """The table; device facts come from the catalogue."""

    def __init__(self, facts):
        self.facts = facts
        self.training = list(self.devices("T", (("slows", grows(STEP)),)) + self.train())
        self.serving = list(self.devices("I", (("slows tpot", grows(TOKEN)), ("slows ttft", grows(FIRST)),
                                               ("lowers tput", falls(RATE)))) + self.serve())

    def device(self, **change):
        """A pair whose second runs on the same device with other facts."""
        def pair(scenario):
            known = self.facts[scenario["hardware"]["accelerator"]]
            own = {"id": known["id"], **{key: of(known) for key, of in change.items()}}
            return scenario, changed(scenario, hardware__accelerator=own)
        return pair

    def devices(self, letter, judged):
        bandwidth = self.device(memory_bandwidth_gbps_bytes=lambda d: d["memory_bandwidth_gbps_bytes"] * 2)
        peak = self.device(peak_tflops=lambda d: {k: v * 2 for k, v in d["peak_tflops"].items()
                                                  if isinstance(v, (int, float))})
        return [(f"{letter} {what} x2 {how}", pair, badness) for what, pair in
                (("bandwidth", bandwidth), ("peak", peak)) for how, badness in judged]

    @property
    def roomier(self):
        def usable(device):
            return (device.get("memory_usable_gib") or device["memory_gb"] / 1.0737) * 2
        return self.device(memory_gb=lambda d: d["memory_gb"] * 2, memory_usable_gib=usable)

    def train(self):
        rows = [
            ("T mem x2 slows", self.roomier, grows(STEP)),
            ("T nic x4 slows", set_to("hardware__scale_out_gbit_per_s", 100, 400), grows(STEP)),
            ("T per_node 8->16 slows", set_to("hardware__per_node", 8, 16), grows(STEP)),
            ("T DPx2 more mem/GPU", doubled_data, grows(USED), several),
            ("T DPx2 (weak) higher tok/s/GPU >1%", doubled_data,
             lambda a, b: b["tokens_per_s_per_gpu"] / a["tokens_per_s_per_gpu"] / 1.01, several),
            ("T DPx2 (weak) lower total tok/s", doubled_data, falls(RATE), several),
            ("T global x2 lowers tput", times(WORK + "global_batch"), falls(RATE)),
            ("T lora slower than full", set_to(WORK + "method", "full", "lora"), grows(STEP)),
            ("T lora more mem than full", set_to(WORK + "method", "full", "lora"), grows(USED)),
            ("T qlora more mem than lora", set_to(WORK + "method", "lora", "qlora"), grows(USED)),
            ("T qlora faster than lora", set_to(WORK + "method", "lora", "qlora"), falls(STEP)),
            ("T fp32->bf16 more mem", set_to(WORK + "precision", "fp32", "bf16"), grows(USED)),
            ("T flash off faster", set_to(WORK + "flash_attention", True, False), falls(STEP)),
            ("T flash off less mem", set_to(WORK + "flash_attention", True, False), falls(USED)),
            ("T imbalance 1->2 faster", set_to(WORK + "expert_imbalance", 1, 2), falls(STEP)),
            ("T offload opt faster", set_to(WORK + "offload", "none", "optimizer"), falls(STEP)),
            ("T offload opt more mem", set_to(WORK + "offload", "none", "optimizer"), grows(USED)),
        ]
        for wide, narrow in (("fp32", "tf32"), ("tf32", "bf16"), ("bf16", "fp8"), ("fp8", "fp4")):
            rows.append((f"T {wide}->{narrow} slower", set_to(WORK + "precision", wide, narrow), grows(STEP)))
        for less, more in (("none", "selective_op"), ("none", "attention_only"), ("selective_op", "full"),
                           ("attention_only", "full")):
            def pair(scenario, less=less, more=more):
                return set_to(WORK + "checkpointing", less, more)(changed(scenario, workload__chunked_loss=True))
            rows += [(f"T mem(used) rises {less}->{more}", pair, grows(USED)),
                     (f"T time falls {less}->{more}", pair, falls(STEP))]
        for less, more in (("none", "zero1"), ("zero1", "zero2")):
            rows.append((f"T mem rises {less}->{more}", set_to("parallelism__sharding", less, more), grows(USED)))
        return rows

    def serve(self):
        rows = [
            ("I mem x2 lowers tput (fixed batch)", self.roomier, falls(RATE), stated),
            ("I mem x2 lowers max_batch", self.roomier, falls(MOST)),
            ("I nic x4 slows tpot", set_to("hardware__scale_out_gbit_per_s", 100, 400), grows(TOKEN)),
            ("I per_node 8->16 slows tpot", set_to("hardware__per_node", 8, 16), grows(TOKEN)),
            ("I prompt x2 lower ttft", times(WORK + "prompt_tokens"), fitting(falls(FIRST)), uncached),
            ("I prompt x2 lower tpot", times(WORK + "prompt_tokens"), fitting(falls(TOKEN)), both(stated, uncached)),
            ("I batch x2 lower tpot", times(WORK + "batch"), fitting(falls(TOKEN)), stated),
            ("I batch x2 lower tput", times(WORK + "batch"), fitting(falls(RATE)), stated),
            ("I output x2 lower latency", times(WORK + "output_tokens"), fitting(falls(value("request_latency_s"))),
             stated),
            ("I static tpot > continuous", set_to(WORK + "scheduling", "continuous", "static"), grows(TOKEN), stated),
            ("I disagg tpot > continuous", set_to(WORK + "scheduling", "continuous", "disaggregated"), grows(TOKEN),
             stated),
            ("I replicas x2 lowers tput or more than doubles it", lambda s: (s, doubled_devices(s)),
             lambda a, b: max(RATE(a) / RATE(b), RATE(b) / RATE(a) / 2), stated),
            ("I replicas x2 slows tpot", lambda s: (s, doubled_devices(s)), both_keep_up(grows(TOKEN)), stated),
            ("I cost/Mtok falls with price x2", set_to("hardware__price_per_gpu_hour", 1, 2),
             differs(value("cost", "per_million_tokens"), 2), stated),
        ]
        for wide, narrow in (("fp32", "bf16"), ("bf16", "fp8"), ("bf16", "int8"), ("int8", "int4"), ("fp8", "fp4")):
            def pair(scenario, wide=wide, narrow=narrow):
                open_format = changed(scenario, workload__weight_bits=None, workload__compute=None)
                return set_to(WORK + "weights", wide, narrow)(open_format)
            rows += [(f"I {wide}->{narrow} slower tpot", pair,
                      beyond_more_in_flight(both_keep_up(both_interrupted(grows(TOKEN)))), stated),
                     (f"I {wide}->{narrow} slower tpot, equal batches", pair, alike(grows(TOKEN)), stated),
                     (f"I {wide}->{narrow} more mem", pair, grows(USED), stated)]
        for wide, narrow in (("fp32", "bf16"), ("bf16", "fp8"), ("fp8", "int4")):
            pair = set_to(WORK + "kv_cache", wide, narrow)
            rows += [(f"I kv {wide}->{narrow} slower tpot", pair, fitting(grows(TOKEN)), stated),
                     (f"I kv {wide}->{narrow} more mem", pair, grows(USED), stated),
                     (f"I kv {wide}->{narrow} lower max_batch", pair, falls(MOST), stated)]
        return rows


def alike(badness):
    """Where both serve what is asked: nothing cut by memory, no load that decides."""
    return lambda a, b: badness(a, b) if a["fits"] and b["fits"] and not a.get("queue") else None


def both_interrupted(badness):
    """Where both or neither meet others' prompts: an answer that is interrupted may wait for one of 131,072 tokens."""
    def interrupted(result):
        return any(part["what"] == "prefill_interference" and part["s"] > 0 for part in result["time"])
    return lambda a, b: badness(a, b) if interrupted(a) == interrupted(b) else None


def both_keep_up(badness):
    """Where both or neither are asked for more than they serve."""
    def keeps_up(result):
        return not result.get("queue") or result["queue"]["utilization"] < 1
    return lambda a, b: badness(a, b) if keeps_up(a) == keeps_up(b) else None


def beyond_more_in_flight(badness):
    """Beyond what more sequences in flight explain: narrower weights leave room for them, a load brings them."""
    def judged(a, b):
        ratio = badness(a, b)
        return ratio and ratio / max(1, b["batch"] / a["batch"])
    return judged


def several(scenario):
    return scenario["hardware"]["count"] > 1


def stated(scenario):
    return scenario["workload"]["batch"] != "max"


def uncached(scenario):
    return not {"prefix_cached_tokens", "prompt_tokens_p95"} & scenario["workload"].keys()


def both(*conditions):
    return lambda scenario: all(condition(scenario) for condition in conditions)


def judge(name, pairs, badness, allowed):
    """Counts, the worst, and the first pair beyond the bound."""
    firsts, seconds = evaluate([a for a, _ in pairs]), evaluate([b for _, b in pairs])
    count = broken = 0
    worst, bad = 1.0, None
    for pair, first, second in zip(pairs, firsts, seconds):
        ratio = None if "error" in first or "error" in second else badness(first, second)
        if ratio is None:
            continue
        count += 1
        broken += ratio > 1 + ROUNDING
        worst = max(worst, ratio)
        if ratio > max(1 + ROUNDING, allowed) and bad is None:
            bad = pair
    mark = "BAD " if bad else "    "
    if broken:
        print(f"{mark}{name:<52} {count:>6} pairs, {broken:>5} broken, worst {worst:.4g} of {allowed:.4g}")
    if bad:
        print("     ", json.dumps(bad[0]), "\n     ", json.dumps(bad[1]))
    return count, broken, bad is not None


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20261123
    draw = Draw(random.Random(seed))
    allowed = allowed_badness()
    relations = Relations(draw.facts)
    pairs, failed, asked, needed = 0, 0, set(), set()
    for make, rows in ((draw.training, relations.training), (draw.serving, relations.serving)):
        scenarios = [make() for _ in range(count)]
        for name, pair, badness, *applies in rows:
            chosen = [pair(s) for s in scenarios if not applies or applies[0](s)]
            compared, broken, bad = judge(name, chosen, badness, allowed.get(name, 1))
            pairs += compared
            failed += bad
            asked.add(name)
            if broken:
                needed.add(name)
    for name in sorted(asked & allowed.keys() - needed):
        print("no pair of this run needed the exception of", name)
    print(f"{pairs} pairs of {len(asked)} relations compared, seed {seed}, {failed} relations broken beyond a bound")
    return 1 if failed or pairs < count else 0


if __name__ == "__main__":
    sys.exit(main())
