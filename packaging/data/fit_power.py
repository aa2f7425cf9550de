#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits what a board draws while passes run to data/power/ml_energy.csv: the shares of /energy in calibration.json.

    packaging/data/fit_power.py HEADROOM_CLI

Each row is served as it was measured (`measured.tokens_per_s`), so that no error of a predicted time enters: FLOP and
bytes are counted, the time is the measured one. Minimised is the sum of |watts ÷ measured watts − 1|. Printed are the
shares, the error of the fit, and the error with each model left out in turn.
"""
import csv
import json
import pathlib
import subprocess
import sys

ROWS = pathlib.Path(__file__).resolve().parent.parent.parent / "data" / "power" / "ml_energy.csv"
TDP = {"h100-sxm-80gb": 700, "b200-sxm": 1000}  # W, the catalogue's
PROMPT = 300  # tokens of a question of these benchmarks: not published by row, an estimate


def scenario(row):
    gpus = int(row["gpus"])
    return {
        "format": "headroom-scenario", "version": 1, "model": row["model"], "accounting": "exact",
        "hardware": {"accelerator": row["accelerator"], "count": gpus},
        "workload": {"task": "inference", "batch": max(1, round(float(row["batch"]))), "prompt_tokens": PROMPT,
                     "output_tokens": max(1, round(float(row["output_tokens"]))), "weights": row["weights"],
                     "software": "vllm"},
        "parallelism": {"tensor": gpus} | ({"expert": gpus} if row["expert_parallel"] == "1" else {}),
        "measured": {"tokens_per_s": float(row["tokens_per_s"])},
    }


def points(cli):
    """(model, [1, bytes over the bandwidth, FLOP over the peak], watts over TDP) of each row that can have been."""
    rows = list(csv.DictReader(ROWS.open()))
    text = "\n".join(json.dumps(scenario(row)) for row in rows)
    lines = subprocess.run([cli, "evaluate", "-", "--format", "jsonl"], input=text, capture_output=True, text=True,
                           check=True).stdout.splitlines()
    for row, line in zip(rows, lines):
        seen = json.loads(line)["observed"]
        if seen["impossible"] or seen["mfu"] is None:
            continue
        flop = seen["mfu"] * (1 + PROMPT / float(row["output_tokens"]))
        moved = min(1, 1 if seen["mbu"] is None else seen["mbu"])
        yield row["model"], [1, moved, flop], float(row["watts_per_gpu"]) / TDP[row["accelerator"]]


def solve(matrix, right):
    """Gauss and Jordan, with pivots."""
    rows = [line + [value] for line, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(len(rows)):
            if j != i:
                factor = rows[j][i] / rows[i][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    return [rows[i][-1] / rows[i][i] for i in range(len(rows))]


def drawn(shares, activity):
    return min(1, sum(a * b for a, b in zip(shares, activity)))


def fit(found):
    """Least absolute relative errors, by least squares that are weighted anew."""
    weights, shares = [1.0] * len(found), []
    for _ in range(60):
        matrix, right = [[0.0] * 3 for _ in range(3)], [0.0] * 3
        for (_, activity, measured), weight in zip(found, weights):
            for i in range(3):
                right[i] += weight * activity[i] / measured
                for j in range(3):
                    matrix[i][j] += weight * activity[i] * activity[j] / measured**2
        shares = solve(matrix, right)
        weights = [1 / max(0.02, abs(sum(a * b for a, b in zip(shares, activity)) / measured - 1))
                   for _, activity, measured in found]
    return shares


def errors(shares, found):
    return [abs(drawn(shares, activity) / measured - 1) for _, activity, measured in found]


def said(values):
    ordered = sorted(values)
    return f"median {ordered[len(ordered) // 2]:.1%}, 90th percentile {ordered[int(len(ordered) * 0.9)]:.1%}"


def main():
    found = list(points(sys.argv[1]))
    shares = fit(found)
    print(f"{len(found)} runs: running {shares[0]:.3f}, memory {shares[1]:.3f}, compute {shares[2]:.3f}")
    print("fitted:", said(errors(shares, found)))
    left_out = []
    for model in sorted({name for name, _, _ in found}):
        others = fit([point for point in found if point[0] != model])
        left_out += errors(others, [point for point in found if point[0] == model])
    print("its model left out:", said(left_out))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
