#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The published runs in data/runs, which the predictor is fitted to and validated on.

    packaging/data/runs.py [FOLDER]          prints every run as a scenario, one on a line: training, then inference
    packaging/data/runs.py --to FOLDER       writes FOLDER/training.jsonl and FOLDER/inference.jsonl
    packaging/data/runs.py --pack FILES…     stores scenario lines: one file for each source, in data/runs

In data/runs, a line {"shared": {…}} holds what the runs below it have in common. The scenario of a run is that object
merged with the run's own line. A new line "shared" replaces the one before it. --pack chooses the blocks so that the
files are as short as possible, drops what the program does not read, and refuses a run without "measured" or "source",
or whose source was not read ("recalled").
"""
import argparse
import json
import pathlib
import signal
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = ROOT / "data" / "runs"
TASKS = ("training", "inference")
KEYS = ("format", "version", "name", "model", "hardware", "workload", "parallelism", "efficiency", "accounting",
        "measured", "source", "year", "notes")
LONGEST_BLOCK = 400  # runs; bounds the search


def line_of(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def merged(shared, own):
    """A run's scenario: objects are merged, anything else of its own line wins."""
    whole = dict(shared)
    for key, value in own.items():
        both = isinstance(value, dict) and isinstance(whole.get(key), dict)
        whole[key] = merged(whole[key], value) if both else value
    return whole


def common(a, b):
    """What two objects have in common."""
    both = {}
    for key, value in a.items():
        if key in b and value == b[key]:
            both[key] = value
        elif isinstance(value, dict) and isinstance(b.get(key), dict) and (inner := common(value, b[key])):
            both[key] = inner
    return both


def rest(run, shared):
    """What merged() needs besides `shared` to give the run."""
    own = {}
    for key, value in run.items():
        if key not in shared:
            own[key] = value
        elif value != shared[key]:
            own[key] = rest(value, shared[key])
    return own


def blocks(runs):
    """The runs cut into blocks so that the text is shortest, each with what its runs share."""
    least, start = [0] + [float("inf")] * len(runs), [0] * (len(runs) + 1)
    lengths = [len(line_of(run)) for run in runs]
    for first in range(len(runs)):
        shared, length = runs[first], least[first] + len('{"shared":}\n')
        for last in range(first, min(first + LONGEST_BLOCK, len(runs))):
            shared = common(shared, runs[last])
            length += lengths[last]
            saved = (last - first) * len(line_of(shared))
            if length - saved < least[last + 1]:
                least[last + 1], start[last + 1] = length - saved, first
    cuts = [len(runs)]
    while cuts[-1] > 0:
        cuts.append(start[cuts[-1]])
    cuts.reverse()
    for first, last in zip(cuts, cuts[1:]):
        shared = runs[first]
        for run in runs[first:last]:
            shared = common(shared, run)
        yield shared, runs[first:last]


def unpacked(path):
    shared = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        value = json.loads(line)
        if value.keys() == {"shared"}:
            shared = value["shared"]
            continue
        run = merged(shared, value)
        if not {"name", "measured", "source"} <= run.keys():
            sys.exit(f"runs: {path}:{number}: a run needs a name, \"measured\" and \"source\"")
        yield run


def of_task(folder, task):
    files = sorted((folder / task).glob("*.jsonl"))
    if not files:
        sys.exit(f"runs: there are no runs in {folder / task}")
    return [run for path in files for run in unpacked(path)]


def tidy(run, path):
    """A run as it is kept: what the program reads, in the order of the format; its name without a description."""
    if not run.get("measured") or not run.get("source") or run["source"].lower().startswith("recalled"):
        sys.exit(f"runs: {path}: {run.get('name')}: nothing measured, or a source that was not read")
    if unknown := run.keys() - set(KEYS):
        sys.exit(f"runs: {path}: {run['name']}: unknown {', '.join(sorted(unknown))}")
    kept = {key: run[key] for key in KEYS if key in run}
    kept["name"] = kept["name"].split(":")[0]
    return kept


def pack(files):
    for path in files:
        runs = [tidy(json.loads(line), path) for line in path.read_text(encoding="utf-8").splitlines()]
        tasks = {run["workload"]["task"] for run in runs}
        if len(tasks) != 1:
            sys.exit(f"runs: {path} must hold runs of one task")
        target = RUNS / tasks.pop() / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("w", encoding="utf-8") as file:
            for shared, members in blocks(runs):
                print(line_of({"shared": shared}), file=file)
                for run in members:
                    print(line_of(rest(run, shared)), file=file)
        if list(unpacked(target)) != runs:
            sys.exit(f"runs: {target} does not hold what {path} does")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path, nargs="?", default=RUNS, help="read these (data/runs)")
    parser.add_argument("--to", type=pathlib.Path, metavar="FOLDER", help="write one file for each task here")
    parser.add_argument("--pack", type=pathlib.Path, nargs="+", metavar="FILE", help="store these scenario lines")
    options = parser.parse_args()
    if options.pack:
        pack(options.pack)
        return
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # a reader that has enough ends this quietly
    for task in TASKS:
        text = "".join(line_of(run) + "\n" for run in of_task(options.folder, task))
        if options.to:
            options.to.mkdir(parents=True, exist_ok=True)
            (options.to / f"{task}.jsonl").write_text(text, encoding="utf-8")
        else:
            sys.stdout.write(text)


if __name__ == "__main__":
    main()
