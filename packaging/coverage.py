#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Says how many lines of each room the tests ran, and fails where they are too few.

Usage: coverage.py EXPORT ROOM=PERCENT…   EXPORT is what `llvm-cov export -summary-only` wrote. Only files of the source
tree count: what a build writes (moc's and Qt's own) lies under its folder.
"""
import json
import os
import sys


def lines_of(export, room):
    """{path: (lines, lines run)} of the files below a folder of the source tree, paths relative to it."""
    files = {}
    for file in export["data"][0]["files"]:
        path = os.path.relpath(file["filename"])
        if path.startswith(room + "/"):
            summary = file["summary"]["lines"]
            files[path] = (summary["count"], summary["covered"])
    return files


def main(arguments):
    with open(arguments[0], encoding="utf-8") as text:
        export = json.load(text)
    failed = False
    for room, bound in (argument.split("=") for argument in arguments[1:]):
        files = lines_of(export, room)
        total = sum(count for count, _ in files.values())
        if total == 0:
            sys.exit(f"coverage: nothing of {room} was measured")
        share = 100 * sum(run for _, run in files.values()) / total
        enough = share >= float(bound)
        failed = failed or not enough
        print(f"{room}: {share:.2f} % of {total} lines ({'at least' if enough else 'TOO FEW, should be'} {bound} %)")
        for path, (count, run) in sorted(files.items(), key=lambda item: item[1][1] - item[1][0])[:8]:
            if run < count:
                print(f"  {count - run} of {count} lines never run: {path}")
    sys.exit(1 if failed else 0)


main(sys.argv[1:])
