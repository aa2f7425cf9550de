#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""packaging/bench: what the programs print becomes the tables of docs/speed.md, whole or not at all.

Usage: bench_page.py [PROGRAM…]   (programs of tests/bench that are quick enough to be asked for their real lines)
"""
import importlib.machinery
import importlib.util
import os
import socket
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
LOADER = importlib.machinery.SourceFileLoader("bench", str(ROOT / "packaging/bench"))
bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(bench)
PROGRAMS = []

SAMPLE = """\
dense training, TP 8 × PP 4 × FSDP       250000 evaluations a second, 4.00 µs each
time   3226944 configurations in 0.500 s: {speed} million decided a second; first result after 1.5 ms
       10 evaluated, 20 excluded by memory, 30 by time; 4 on the front
       best: TP 8
loading              30.1 ms, 29.9 of processor time, 80 accelerators, 250 models
both searches        0.10 ms median, 0.90 ms at worst, 840 key strokes
memory, every page visited                    90.5 MB resident
picker, Model         2.1 ms median, 3.0 ms at worst, of processor time; 2.2 ms median on the wall
start               350.0 ms from main to a settled window
micro_batch              4 charts: {median} ms at the median, 6.0 ms at the 95th percentile, 7.0 ms at most, 1.00 paints a chart and step; processor 4.0 ms, 5.0 ms
  A-C, count             8 charts: 9.0 ms at the median, 11.0 ms at the 95th percentile, 14.0 ms at most, 1.00 paints a chart and step; processor 8.0 ms, 9.0 ms
heat map           64 by 64 cells
                   processor: 3.0 ms to evaluate at the median (3.5 at the 95th percentile), 4.0 ms with its painting (4.5)
"""


def sample(median="5.0", speed="6.45"):
    return SAMPLE.format(median=median, speed=speed)


class BenchPage(unittest.TestCase):
    def test_every_table_and_the_middle_of_the_runs(self):
        text = bench.page([sample("9.0", "1.00"), sample("5.5", "7.00"), sample("4.0", "3.25")], "On a machine.")
        self.assertIn("Written by `packaging/bench`; do not edit. On a machine. Each figure is the middle one of 3", text)
        self.assertIn("| micro_batch | 4 | 5.5 | 6.0 | 7.0 | 1.00 | 4.0 | 5.0 |\n", text)
        self.assertIn("| A-C, count | 8 | 9.0 | 11.0 |", text)
        self.assertIn("| time | 3226944 | 0.500 | 3.25 | 1.5 |\n", text)
        self.assertIn("| dense training, TP 8 × PP 4 × FSDP | 250000 | 4.00 |\n", text)
        self.assertIn("| every page visited | 90.5 |\n", text)
        for heading, *_ in bench.TABLES:
            self.assertIn(f"\n## {heading}\n", text)

    def test_what_is_missing_or_new_is_an_error(self):
        with self.assertRaises(ValueError):
            bench.page([sample() + "a line that nobody knows\n"], "")
        with self.assertRaises(ValueError):
            bench.page([sample().replace("loading", "       best: ")], "")
        with self.assertRaises(ValueError):
            bench.page([sample(), sample().replace("micro_batch", "macro_batch")], "")

    def test_the_machine_has_no_name(self):
        words = bench.machine_words(0.0, 4)
        self.assertRegex(words, r"^Measured with a release build on 4 cores of .+\.$")
        self.assertNotIn(socket.gethostname(), words)
        self.assertIn("busy (load 9.0 on 4 cores)", bench.machine_words(9.0, 4))

    def test_real_lines_are_known(self):
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
        for program in PROGRAMS:
            if Path(program).exists():
                out = subprocess.run([program], env=environment, check=True, stdout=subprocess.PIPE, encoding="utf-8")
                self.assertTrue(bench.rows_of(out.stdout), program)

    def test_the_page_is_the_command_s(self):
        page = ROOT / "docs/speed.md"
        if not page.exists():
            self.skipTest("docs/speed.md has not been written yet")
        text = page.read_text(encoding="utf-8")
        self.assertIn("Written by `packaging/bench`; do not edit.", text)
        for heading, *_ in bench.TABLES:
            self.assertIn(f"\n## {heading}\n", text)


if __name__ == "__main__":
    PROGRAMS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
