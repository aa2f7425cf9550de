#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the published runs that Headroom carries: resources/published_runs/{training,inference}.jsonl.

    packaging/data/select_published_runs.py [--runs 480] [--bytes 400000]

They are chosen from data/runs (packaging/data/runs.py). A run is a candidate when it says a time or a rate, and when a
run of what it states can have been that fast (resources/run_notes.json names those that cannot: "speed of light"). Runs
are dealt out like cards: every model on every accelerator gets its first run before any gets a second, and within one
of these groups the next run is the one farthest, in doublings, from those already chosen. So the selection is spread
over what people ask about, not over what happens to be published often. The result is the same for the same input.
"""
import argparse
import collections
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True  # compiled Python would stay in the sources
import runs as collection

TIMES = {"step_time_s", "tokens_per_s", "tokens_per_s_per_gpu", "model_tflops_per_gpu", "hardware_tflops_per_gpu",
         "mfu", "hfu", "tpot_s", "ttft_s"}
SIZES = ("sequence_length", "micro_batch", "global_batch", "batch", "prompt_tokens", "output_tokens")
NAMES = ("method", "precision", "weights", "checkpointing", "software", "scheduling")
DIFFERENT = 2.0  # doublings that two different names count
KEYS = ("format", "version", "name", "model", "hardware", "workload", "parallelism", "accounting", "measured",
        "source", "year")


NOTES = pathlib.Path(__file__).parents[2] / "resources" / "run_notes.json"
IMPOSSIBLE = {name for note in json.loads(NOTES.read_text())["notes"] if note["about"] == "speed of light"
              for name in note["runs"].split(", ")}


def named(value):
    """The id of a model or accelerator, or the name of one that is written out."""
    if isinstance(value, str):
        return value
    return value.get("id") or value.get("name") or value["architecture"]["name"]


def usable(run):
    measured = run.get("measured", {})
    return run["name"] not in IMPOSSIBLE and TIMES & measured.keys() and not measured.get("out_of_memory")


def distance(a, b):
    """Doublings between two runs of one group."""
    total = abs(math.log2(a["hardware"].get("count", 1) / b["hardware"].get("count", 1)))
    work_a, work_b = a["workload"], b["workload"]
    for key in SIZES:
        x, y = work_a.get(key), work_b.get(key)
        if isinstance(x, (int, float)) and isinstance(y, (int, float)):
            total += abs(math.log2(x / y))
        elif x != y:
            total += DIFFERENT
    total += sum(DIFFERENT for key in NAMES if work_a.get(key) != work_b.get(key))
    return total


def spread(runs):
    """The runs of one group, each the farthest from those before it."""
    rest = sorted(runs, key=lambda r: (-r.get("year", 0), r["name"]))
    chosen = [rest.pop(0)]
    nearest = [distance(chosen[0], r) for r in rest]
    while rest:
        best = max(range(len(rest)), key=lambda i: nearest[i])
        if nearest[best] == 0:
            break  # the same configuration again: another release or another day
        chosen.append(rest.pop(best))
        nearest.pop(best)
        nearest = [min(d, distance(chosen[-1], r)) for d, r in zip(nearest, rest)]
    return chosen


def tidy(run):
    """The line as it is kept: known key order, without what is the default."""
    kept = {key: run[key] for key in KEYS if key in run}
    kept["hardware"] = {k: v for k, v in run["hardware"].items() if not (k == "count" and v == 1)}
    kept["parallelism"] = {k: v for k, v in run.get("parallelism", {}).items() if v != 1}
    if not kept["parallelism"]:
        del kept["parallelism"]
    if kept.get("accounting") == "standard":
        del kept["accounting"]
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=480, help="most runs to keep")
    parser.add_argument("--bytes", type=int, default=400_000, help="most bytes to keep")
    options = parser.parse_args()

    groups = collections.defaultdict(list)
    for task in collection.TASKS:
        for run in collection.of_task(collection.RUNS, task):
            if usable(run):
                key = (task, run["workload"].get("method", ""), named(run["model"]),
                       named(run["hardware"]["accelerator"]))
                groups[key].append(run)
    hands = [spread(groups[key]) for key in sorted(groups)]
    lines = {"training": [], "inference": []}
    runs = size = 0
    for turn in range(max(map(len, hands))):
        for hand in hands:
            if turn >= len(hand):
                continue
            line = tidy(hand[turn])
            if runs == options.runs or size + len(line.encode()) + 1 > options.bytes:
                continue
            lines[hand[turn]["workload"]["task"]].append(line)
            runs, size = runs + 1, size + len(line.encode()) + 1

    target = pathlib.Path(__file__).resolve().parents[2] / "resources" / "published_runs"
    target.mkdir(parents=True, exist_ok=True)
    for task, kept in lines.items():
        kept.sort(key=lambda line: json.loads(line)["name"])
        (target / f"{task}.jsonl").write_text("\n".join(kept) + "\n", encoding="utf-8")
        print(f"{task}: {len(kept)} runs")
    print(f"{size} bytes of {sum(map(len, groups.values()))} candidates in {len(groups)} groups")


if __name__ == "__main__":
    main()
