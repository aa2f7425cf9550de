#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The measuring script without a GPU: its arithmetic, the lines it writes, how it takes failures. HEADROOM_CLI names
the command line that must accept the lines; where PyTorch is installed, the model is checked on the processor."""
import contextlib
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import types
import unittest

sys.dont_write_bytecode = True  # nothing is left in the source tree
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "resources" / "measure" / "headroom_measure.py"
sys.path.insert(0, str(SCRIPT.parent))
import headroom_cases as cases  # noqa: E402
import headroom_measure as measure  # noqa: E402

CLI = os.environ.get("HEADROOM_CLI")


def catalog(kind, name):
    return json.loads((ROOT / "resources" / "catalog" / kind / f"{name}.json").read_text(encoding="utf-8"))


def lines(models, accelerator="h200-sxm-141gb", free=130e9, fused=True):
    """Every line of a whole run, with made-up times."""
    found = []
    for name, shape, batch, prompt in cases.decode_cases(models, free, False):
        found.append((name, shape, cases.decode_workload(batch, prompt, "bf16", fused, True),
                      {"tpot_s": 0.005, "ttft_s": 0.1, "peak_memory_bytes": 2 * 10 ** 10,
                       "peak_memory_kind": "allocated"}, cases.notes("inference", fused)))
    for name, shape, sequence, batch, full in cases.training_cases(models, free, False, fused):
        found.append((name, shape, cases.training_workload(sequence, batch, full, "bf16", fused, True),
                      {"step_time_s": 0.5}, cases.notes("training", fused)))
    return [cases.run_line(i + 1, name, shape, accelerator, workload, measured, "a test", note)
            for i, (name, shape, workload, measured, note) in enumerate(found)]


def headroom(command, entries):
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    return subprocess.run([CLI, command, "-", "--format", "json"], input=text, capture_output=True, text=True,
                          timeout=120, check=False)


class Arithmetic(unittest.TestCase):
    def test_models_are_those_of_the_catalogue(self):
        for name, shape in cases.MODELS.items():
            facts = catalog("models", name)
            self.assertEqual(shape._asdict(), {key: facts.get(key, False) for key in shape._fields}, name)

    def test_parameters_are_the_published_counts(self):
        totals = {name: cases.parameters(shape)[1] for name, shape in cases.MODELS.items()}
        self.assertEqual(totals, {"llama-3.2-1b": 1235814400, "llama-3.2-3b": 3212749824, "llama-3.1-8b": 8030261248})
        self.assertEqual(cases.parameters(cases.MODELS["llama-3.1-8b"])[0], 7504658432)

    def test_cache(self):
        self.assertEqual(cases.cache_bytes(cases.MODELS["llama-3.1-8b"], 1), 131072)  # 2 * 32 * 8 * 128 * 2 bytes

    def test_flop(self):
        self.assertEqual(cases.training_flop(cases.MODELS["llama-3.2-1b"], 4096, 1), 33669053939712)
        self.assertEqual(cases.matmul_work(2, 3, 5, 1), (60, 25 + 12))
        self.assertEqual(cases.matmul_work(2, 3, 5, 2), (60, 50 + 12))

    def test_attention(self):
        forward = cases.attention_facts("forward", 2, 3, 8, 4, 4)
        self.assertEqual((forward["flop"], forward["bytes"]), (4 * 2 * 3 * 8 * 10, 2 * 4 * 2 * 3 * 4 * 8))
        backward = cases.attention_facts("backward", 2, 3, 8, 4, 4)
        self.assertEqual((backward["flop"], backward["bytes"]), (5 * forward["flop"] // 2, 2 * forward["bytes"]))
        decode = cases.attention_facts("decode", 2, 3, 8, 4, 100)
        self.assertEqual((decode["heads"], decode["kv_heads"], decode["queries"], decode["causal"]), (12, 3, 1, 0))
        self.assertEqual(decode["flop"], 4 * 2 * 12 * 8 * 100)
        self.assertEqual(decode["bytes"], 2 * 2 * (2 * 12 * 8 + 2 * 3 * 100 * 8))

    def test_sizes_fit(self):
        for free in (1e9, 7e9, 11e9, 22e9, 73e9, 130e9, 260e9):
            for _, shape, batch, prompt in cases.decode_cases(cases.MODELS, free, False):
                self.assertLessEqual(cases.decode_bytes(shape, batch, prompt + cases.OUTPUT), free)
            for _, shape, sequence, batch, full in cases.training_cases(cases.MODELS, free, False, True):
                self.assertLessEqual(cases.training_bytes(shape, sequence * batch, full, True), free)
        self.assertEqual(cases.decode_cases(cases.MODELS, 1e9, False), [])
        self.assertEqual(cases.training_cases(cases.MODELS, 1e9, False, True), [])
        names = {case[0] for case in cases.decode_cases(cases.MODELS, 0.92 * 24e9, False)}
        self.assertIn("llama-3.1-8b", names)  # 16 GB of weights on a 24 GB card
        layers = {case[1].layers for case in cases.training_cases(cases.MODELS, 0.92 * 24e9, False, True)}
        self.assertIn(8, layers)  # of the 16 of the smallest: 18 bytes a parameter and the logits
        whole = [case[:2] for case in cases.training_cases(cases.MODELS, 0.92 * 141e9, False, True)]
        self.assertIn(("llama-3.2-3b", cases.MODELS["llama-3.2-3b"]), whole)

    def test_memory_grows_with_what_is_kept(self):
        shape = cases.MODELS["llama-3.2-1b"]
        self.assertLess(cases.training_bytes(shape, 4096, True, True), cases.training_bytes(shape, 4096, False, True))
        self.assertLess(cases.training_bytes(shape, 4096, False, True), cases.training_bytes(shape, 4096, False, False))

    def test_quick_is_a_part_of_the_whole(self):
        self.assertLess(len(cases.matmul_shapes(True)), len(cases.matmul_shapes(False)))
        self.assertTrue(set(cases.matmul_shapes(True)) <= set(cases.matmul_shapes(False)))
        self.assertTrue(set(cases.attention_cases(True)) <= set(cases.attention_cases(False)))
        self.assertEqual(len(set(cases.matmul_shapes(False))), len(cases.matmul_shapes(False)))

    def test_repetitions(self):
        self.assertEqual([cases.repetitions(t, 0.5) for t in (10, 0.01, 1e-5, 0)], [5, 50, 200, 200])


class Names(unittest.TestCase):
    def test_accelerators_are_aliases_of_the_catalogue(self):
        for name, key in cases.ACCELERATORS.items():
            facts = catalog("accelerators", key)
            self.assertIn(name, facts["aliases"] + [facts["name"]], key)

    def test_match(self):
        self.assertEqual(cases.accelerator_of("NVIDIA H200", 150e9), "h200-sxm-141gb")
        self.assertEqual(cases.accelerator_of("NVIDIA H200", 150e9, "h20-96gb"), "h20-96gb")
        part = cases.accelerator_of("NVIDIA H100 80GB HBM3 MIG 1g.10gb", 10.2e9)
        self.assertEqual((part["name"], part["memory_gb"]), ("NVIDIA H100 80GB HBM3 MIG 1g.10gb", 10.2))

    def test_kernels_stand_beside_the_runs(self):
        self.assertEqual(cases.kernels_path("a/run.jsonl"), "a/run.kernels.csv")
        facts = cases.attention_facts("forward", 1, 2, 64, 8, 8)
        row = cases.kernel_row("attention_forward", "bf16", "h200-sxm-141gb", (1.23456e-5, 7), "me", facts)
        self.assertLessEqual(set(row), set(cases.KERNEL_COLUMNS))
        self.assertEqual((row["seconds"], row["samples"], row["gpus"]), ("1.235e-05", 7, 1))
        self.assertEqual(cases.kernel_row("all_reduce", "fp16", "x", (1, 1), "me", {"gpus": 8})["gpus"], 8)


@unittest.skipUnless(CLI, "HEADROOM_CLI does not name the command line")
class Contract(unittest.TestCase):
    def test_validate_takes_every_line(self):
        for free in (22e9, 73e9, 130e9):
            for fused in (False, True):
                entries = lines(cases.MODELS, free=free, fused=fused)
                result = headroom("validate", entries)
                self.assertEqual(result.returncode, 0, result.stderr)
                runs = json.loads(result.stdout)["runs"]
                self.assertEqual(len(runs), len(entries))
                self.assertEqual({run["origin"] for run in runs}, {"measured"})  # one group, apart from published runs

    def test_headroom_counts_the_same_flop(self):
        entries = [line for line in lines(cases.MODELS) if line["workload"]["task"] == "training"]
        self.assertTrue(any(isinstance(line["model"], dict) for line in entries), "no model with fewer layers is tried")
        for line, result in zip(entries, json.loads(headroom("evaluate", entries).stdout)):
            model = line["model"] if isinstance(line["model"], dict) else {"id": line["model"]}
            shape = cases.MODELS[model["id"]]
            shape = shape._replace(layers=model.get("layers", shape.layers))
            work = line["workload"]
            self.assertEqual(result["parameters"]["total"], cases.parameters(shape)[1])
            ours = cases.training_flop(shape, work["sequence_length"], work["micro_batch"])
            self.assertAlmostEqual(result["flops"]["model"] / ours, 1, 9)

    def test_unknown_accelerator_is_refused_where_it_must_be_filled_in(self):
        line = lines(cases.MODELS, cases.accelerator_of("Some new GPU", 50e9))[0]
        result = headroom("validate", [line])
        self.assertEqual(result.returncode, 1)
        self.assertIn("/hardware/accelerator: the key 'memory_bandwidth_gbps_bytes' is missing", result.stderr)
        self.assertIn("/hardware/accelerator: the key 'peak_tflops' is missing", result.stderr)
        line["hardware"]["accelerator"].update(memory_bandwidth_gbps_bytes=2000, peak_tflops={"bf16": 500})
        result = headroom("validate", [line])
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_tiny_model_of_the_processor(self):
        accelerator = {"name": "CPU", "memory_gb": 16, "memory_bandwidth_gbps_bytes": 50, "peak_tflops": {"bf16": 1}}
        result = headroom("validate", lines(cases.TINY, accelerator, free=8e9, fused=False))
        self.assertEqual(result.returncode, 0, result.stderr)


class Failures(unittest.TestCase):
    """What a session does when a case fails, without PyTorch: only what a case needs is filled in."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.session = measure.Session.__new__(measure.Session)
        self.session.__dict__.update(
            options=types.SimpleNamespace(minutes=1, out=str(self.folder / "run.jsonl")), cuda=False, fused=False,
            deadline=time.monotonic() + 60, lines=0, rows=0, accelerator="h200-sxm-141gb", source="a test")
        self.session.plain = lambda: setattr(self.session, "fused", False)

    def attempt(self, action, *arguments):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            good = self.session.attempt("case", action, *arguments)
        return good, printed.getvalue()

    def test_out_of_memory_is_skipped(self):
        def action(_):
            raise RuntimeError("CUDA out of memory. Tried to allocate 2 GiB\nmore")
        good, text = self.attempt(action)
        self.assertFalse(good)
        self.assertEqual(text, "  case: skipped, RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\n")
        self.assertEqual(self.attempt(lambda _: "fine"), (True, "  case: fine\n"))

    def test_a_model_gets_a_second_try_without_fused_kernels(self):
        original, tries = measure.decode_case, []

        def action(session):
            tries.append(session.fused)
            if session.fused:
                raise ValueError("no compiler")
            return "fine"
        measure.decode_case = action
        self.addCleanup(setattr, measure, "decode_case", original)
        self.session.fused = True
        good, text = self.attempt(action)
        self.assertTrue(good)
        self.assertEqual(tries, [True, False])
        self.assertIn("no compiler", text)

    def test_no_case_begins_after_the_time(self):
        self.session.deadline = time.monotonic() - 1
        good, text = self.attempt(lambda _: self.fail("it began"))
        self.assertFalse(good)
        self.assertIn("left out", text)

    def test_what_was_measured_is_in_the_files_at_once(self):
        shape = cases.MODELS["llama-3.2-1b"]
        for batch in (1, 8):
            self.session.write_line("llama-3.2-1b", shape, cases.decode_workload(batch, 1024, "bf16", True, True),
                                    {"tpot_s": 0.001}, "", True)
        written = [json.loads(line) for line in (self.folder / "run.jsonl").read_text().splitlines()]
        self.assertEqual([line["name"] for line in written], ["measured-0001", "measured-0002"])
        self.assertEqual([line["workload"]["batch"] for line in written], [1, 8])
        for size in (8, 16):
            told = self.session.write_kernel("copy", "int8", (2e-6, 5), bytes=2 * size)
        self.assertEqual(told, "2.0 us, 0 GB/s")
        with open(self.folder / "run.kernels.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([row["bytes"] for row in rows], ["16", "32"])
        self.assertEqual(tuple(rows[0]), cases.KERNEL_COLUMNS)


class Program(unittest.TestCase):
    """The script as it is started, with a PyTorch made for the test."""

    def run_script(self, torch, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            package = pathlib.Path(folder) / "torch"
            (package / "utils").mkdir(parents=True)
            (package / "__init__.py").write_text(torch, encoding="utf-8")
            (package / "utils" / "__init__.py").touch()
            (package / "utils" / "checkpoint.py").touch()
            environment = dict(os.environ, PYTHONPATH=folder, PYTHONDONTWRITEBYTECODE="1")
            return subprocess.run([sys.executable, str(SCRIPT), "--out", str(pathlib.Path(folder) / "run.jsonl"),
                                   *arguments], env=environment, capture_output=True, text=True, timeout=60,
                                  check=False)

    def test_no_pytorch(self):
        result = self.run_script("raise ImportError('libfoo is missing')")
        self.assertEqual(result.returncode, 2)
        self.assertIn("PyTorch is needed and could not be loaded: libfoo is missing", result.stdout)

    def test_no_gpu(self):
        result = self.run_script("import types\ncuda = types.SimpleNamespace(is_available=lambda: False)")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("PyTorch finds no GPU", result.stdout)

    def test_no_second_gpu(self):
        torch = "import types\ncuda = types.SimpleNamespace(is_available=lambda: True, device_count=lambda: 1)"
        result = self.run_script(torch, "--device", "cuda:1")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("there is no cuda:1; PyTorch finds 1", result.stdout)

    def test_wrong_usage(self):
        for arguments, message in ((("--only", "matmul,decoding"), "'decoding'"), (("--seconds", "0"), "--seconds"),
                                   (("--device", "gpu"), "'gpu'"), (("--device", "cuda:x"), "'cuda:x'"),
                                   (("--out", str(SCRIPT)), "exists already")):
            result = self.run_script("", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)


@unittest.skipIf(measure.torch is None, "PyTorch is not installed")
class Model(unittest.TestCase):
    def test_a_step_with_the_cache_is_the_whole_pass(self):
        torch = measure.torch
        torch.manual_seed(1)
        model = measure.Llama(cases.TINY["tiny"], torch.device("cpu"), torch.float32, measure.ELEMENTWISE)
        for parameter in model.parameters:
            parameter.mul_(8 if parameter.dim() > 1 else 1)  # large enough that attention is not uniform
        tokens = torch.randint(512, (3, 9))
        caches = [torch.zeros(2, 3, 2, 12, 16) for _ in range(2)]
        whole = model.hidden(tokens)[:, -1]
        model.hidden(tokens[:, :8], caches)
        step = model.hidden(tokens[:, 8:], caches, 8)[:, 0]
        self.assertTrue(torch.allclose(whole, step, atol=1e-4), float((whole - step).abs().max()))
        moved = model.hidden(tokens[:, 8:], caches, 7)[:, 0]
        self.assertFalse(torch.allclose(whole, moved, atol=1e-2))

    def test_parameters_are_those_counted(self):
        torch = measure.torch
        for tied in (False, True):
            shape = cases.TINY["tiny"]._replace(tied=tied)
            model = measure.Llama(shape, torch.device("cpu"), torch.float32, measure.ELEMENTWISE)
            self.assertEqual(sum(p.numel() for p in model.parameters), cases.parameters(shape)[1])

    def test_checkpointing_changes_no_gradient(self):
        torch = measure.torch
        gradients = []
        for full in (False, True):
            torch.manual_seed(1)
            model = measure.Llama(cases.TINY["tiny"], torch.device("cpu"), torch.float32, measure.ELEMENTWISE, True)
            model.hidden(torch.randint(512, (2, 8)), checkpoint=full).pow(2).sum().backward()
            gradients.append(model.layers[0][1].grad)
        self.assertTrue(torch.allclose(*gradients))


if __name__ == "__main__":
    unittest.main()
