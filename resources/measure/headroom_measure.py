#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times this machine's GPU and writes runs that `headroom-cli validate` and `calibrate` read.

Needs Python 3.9, PyTorch and the two files beside it. Llama-shaped models with random weights decode and train:
one run line each (OUT, JSON Lines). Matmul, attention, copy and all-reduce have no place in a run line: one row each
in OUT's `.kernels.csv`. What is written is kept, whatever happens later.
"""
import argparse
import csv
import datetime
import gc
import json
import os
import statistics
import sys
import tempfile
import time

import headroom_cases as cases

try:
    import torch
    from headroom_llama import ELEMENTWISE, Llama, attend
except ImportError as error:  # told by main()
    torch, missing = None, error


def say(text):
    print(text, flush=True)


class Session:
    """One run of the script: the device, the clock, the two files."""

    def __init__(self, options):
        self.options, self.cuda = options, options.device != "cpu"
        self.device = torch.device("cuda", options.index) if self.cuda else torch.device("cpu")
        self.flash = hasattr(torch.nn.functional, "scaled_dot_product_attention")
        self.deadline = time.monotonic() + 60 * options.minutes
        self.lines, self.rows, self.flush = 0, 0, None
        name, memory, self.dtype_name = "CPU", 16e9, "bf16"
        if self.cuda:
            torch.cuda.set_device(self.device)
            self.properties = torch.cuda.get_device_properties(self.device)
            name, memory = self.properties.name, self.properties.total_memory
            if not torch.version.hip and self.properties.major < 8:
                self.dtype_name = "fp16"  # no bf16 tensor cores before Ampere
        self.dtype = torch.float16 if self.dtype_name == "fp16" else torch.bfloat16
        self.models = cases.MODELS if self.cuda else cases.TINY
        self.accelerator = cases.accelerator_of(name, memory, options.accelerator)
        toolkit = f"ROCm {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
        self.source = f"headroom_measure.py on {name}, PyTorch {torch.__version__}, {toolkit}"
        self.plain()
        say(f"{name}: {memory / 1e9:.1f} GB, PyTorch {torch.__version__}, {toolkit}")
        if isinstance(self.accelerator, dict):
            say("Headroom's catalogue lists no accelerator of this name. Give --accelerator ID (`headroom-cli "
                "accelerators` lists them), or add its memory_bandwidth_gbps_bytes and peak_tflops to every line.")

    def plain(self):
        self.operations, self.fused = ELEMENTWISE, False

    def fuse(self):
        """One kernel for the work between two matmuls, as in stacks that people use, where torch.compile can."""
        try:
            import torch._dynamo  # as a name of torch it is there from 2.1 only
            for key in ("cache_size_limit", "recompile_limit"):  # one variant a model, batch and mode is wanted here
                if hasattr(torch._dynamo.config, key):
                    setattr(torch._dynamo.config, key, 128)
            self.operations = tuple(torch.compile(f, dynamic=True) for f in ELEMENTWISE)
            model = Llama(cases.TINY["tiny"], self.device, self.dtype, self.operations)
            model.next_token(torch.zeros((2, 8), dtype=torch.long, device=self.device))
            self.fused = True
        except Exception as error:  # no torch.compile, no Triton, no C compiler: models can do without
            self.plain()
            say(f"torch.compile does not work here ({reason(error)}): models run eager, kernel by kernel")

    def cold(self):
        """A buffer larger than the last-level cache: written before a kernel is timed, so that it reads memory."""
        if self.cuda and self.flush is None:
            size = max(2 ** 29, 4 * getattr(self.properties, "L2_cache_size", 0))
            self.flush = torch.empty(size, dtype=torch.int8, device=self.device)

    def free(self):
        """Bytes that a case may plan to use."""
        gc.collect()
        if not self.cuda:
            return 8e9
        torch.cuda.empty_cache()
        return cases.FILL * torch.cuda.mem_get_info(self.device)[0]

    def attempt(self, label, action, *arguments):
        """Runs one case; true if it went well. One that fails is skipped, after a try without fused kernels."""
        while True:
            if time.monotonic() > self.deadline:
                say(f"  {label}: left out, --minutes {self.options.minutes:g} are over")
                return False
            self.free()
            try:
                if self.cuda:
                    torch.cuda.reset_peak_memory_stats(self.device)
                say(f"  {label}: {action(self, *arguments)}")
                return True
            except Exception as error:  # whatever happened to this case, the next one is worth trying
                failure = reason(error)
            if "out of memory" in failure.lower() or not self.fused or action not in (decode_case, training_case):
                say(f"  {label}: skipped, {failure}")
                return False
            self.plain()
            say(f"  {label}: {failure}. Once more, and from now on, without fused kernels and graphs")

    def timing(self, action):
        """Median seconds of an action on the device, and the number of samples; before each the caches are emptied,
        where there is a buffer for it."""
        def once():
            if not self.cuda:
                start = time.perf_counter()
                action()
                seconds = time.perf_counter() - start
                return lambda: seconds
            if self.flush is not None:
                self.flush.zero_()
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            action()
            end.record()
            return lambda: start.elapsed_time(end) / 1e3

        def batch(count):
            pending = [once() for _ in range(count)]
            if self.cuda:
                torch.cuda.synchronize(self.device)
            return [read() for read in pending]

        batch(2)  # warm-up: libraries choose kernels, optimizers make their states
        count = cases.repetitions(statistics.median(batch(2)), self.options.seconds)
        return statistics.median(batch(count)), count

    def write_line(self, model, shape, workload, measured, notes, memory):
        """`memory`: the case did all that the workload says, so that its peak is the workload's."""
        self.lines += 1
        if self.cuda and memory:
            measured = dict(measured, peak_memory_bytes=torch.cuda.max_memory_allocated(self.device),
                            peak_memory_kind="allocated")
        line = cases.run_line(self.lines, model, shape, self.accelerator, workload, measured, self.source, notes)
        with open(self.options.out, "a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def write_kernel(self, kernel, dtype, timing, **facts):
        self.rows += 1
        row = cases.kernel_row(kernel, dtype, self.accelerator, timing, self.source, facts)
        with open(cases.kernels_path(self.options.out), "a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, cases.KERNEL_COLUMNS, restval="")
            if self.rows == 1:
                writer.writeheader()
            writer.writerow(row)
        rate = f"{facts['flop'] / timing[0] / 1e12:.1f} TFLOP/s, " if "flop" in facts else ""
        return f"{timing[0] * 1e6:.1f} us, {rate}{facts['bytes'] / timing[0] / 1e9:.0f} GB/s"


def reason(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0][:160]}"


def copy_case(session, size):
    source = torch.ones(size, dtype=torch.int8, device=session.device)
    target = torch.empty_like(source)
    return session.write_kernel("copy", "int8", session.timing(lambda: target.copy_(source)), bytes=2 * size)


def matmul_case(session, dtype, m, n, k):
    a = torch.randn(m, k, device=session.device, dtype=session.dtype)  # random: zeros draw less power and run faster
    b = torch.randn(n, k, device=session.device, dtype=session.dtype)
    if dtype == "fp8":
        hip = torch.version.hip and "gfx94" in getattr(session.properties, "gcnArchName", "")
        fp8 = torch.float8_e4m3fnuz if hip else torch.float8_e4m3fn  # CDNA3 has the other bias
        a, b, one = a.to(fp8), b.to(fp8), torch.ones((), device=session.device)
        timing = session.timing(lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=session.dtype,
                                                         use_fast_accum=True))
    else:
        timing = session.timing(lambda: torch.matmul(a, b.t()))
    flop, size = cases.matmul_work(m, n, k, 1 if dtype == "fp8" else 2)
    return session.write_kernel("matmul", dtype, timing, m=m, n=n, k=k, flop=flop, bytes=size)


def attention_case(session, kind, batch, kv_heads, head_dim, queries, keys):
    """`kind`: forward, backward (causal, kv_heads query heads too), decode (`queries` heads share a key head)."""
    def new(tokens):
        return torch.randn(batch, kv_heads, tokens, head_dim, device=session.device, dtype=session.dtype,
                           requires_grad=kind == "backward")
    query, key, value = new(queries), new(keys), new(keys)
    if kind == "backward":
        output = attend(query, key, value, True)
        gradient = torch.randn_like(output)
        timing = session.timing(lambda: torch.autograd.grad(output, (query, key, value), gradient, retain_graph=True))
    else:
        timing = session.timing(lambda: attend(query, key, value, kind == "forward"))
    facts = cases.attention_facts(kind, batch, kv_heads, head_dim, queries, keys)
    return session.write_kernel("attention_" + kind, session.dtype_name, timing, **facts)


def all_reduce_process(rank, count, folder):
    """One process of many; rank 0 leaves lines of [bytes, seconds, samples] in the folder's `times`."""
    distributed = torch.distributed
    torch.cuda.set_device(rank)
    distributed.init_process_group("nccl", init_method=f"file://{folder}/rendezvous", rank=rank, world_size=count,
                                   timeout=datetime.timedelta(seconds=60))
    for power in (14, 17, 20, 22, 24, 26, 28, 30):
        data, times = torch.ones(2 ** power // 2, dtype=torch.float16, device=f"cuda:{rank}"), []
        for _ in range(25):  # a fixed number, because every rank must call equally often
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            start.record()
            distributed.all_reduce(data)
            end.record()
            end.synchronize()
            times.append(start.elapsed_time(end) / 1e3)
        if rank == 0:
            with open(os.path.join(folder, "times"), "a", encoding="utf-8") as file:
                file.write(json.dumps([2 ** power, statistics.median(times[5:]), 20]) + "\n")
    distributed.destroy_process_group()


def all_reduce_case(session, count):
    import torch.multiprocessing as multiprocessing  # only where there are several GPUs
    with tempfile.TemporaryDirectory() as folder:
        processes = multiprocessing.spawn(all_reduce_process, (count, folder), nprocs=count, join=False)
        end = time.monotonic() + 120
        while not processes.join(1):
            if time.monotonic() > end:
                for process in processes.processes:
                    process.kill()
                raise RuntimeError("it did not end within two minutes")
        with open(os.path.join(folder, "times"), encoding="utf-8") as file:
            for size, seconds, samples in map(json.loads, file):
                text = session.write_kernel("all_reduce", "fp16", (seconds, samples), gpus=count, bytes=size)
    return text


def decode_case(session, name, shape, batch, prompt):
    """A decode step half-way through the output, where the cache has its mean length; and the prefill before it."""
    model = Llama(shape, session.device, session.dtype, session.operations)
    total, middle = prompt + cases.OUTPUT, prompt + cases.OUTPUT // 2 - 1
    caches = [torch.randn(2, batch, shape.kv_heads, total, shape.head_dim, device=session.device, dtype=session.dtype)
              for _ in range(shape.layers)]
    tokens = torch.randint(shape.vocab, (batch, prompt), device=session.device)
    measured, here = {}, model.angles(middle, 1)

    def step():
        return model.next_token(tokens[:, :1], caches, middle, here)

    with torch.no_grad():
        if batch * prompt <= cases.PREFILL:
            measured["ttft_s"] = session.timing(lambda: model.next_token(tokens, caches))[0]
        if session.fused and session.cuda:
            session.timing(step)  # compiles before the capture
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                step()
            measured["tpot_s"] = session.timing(graph.replay)[0]
        else:
            measured["tpot_s"] = session.timing(step)[0]
    workload = cases.decode_workload(batch, prompt, session.dtype_name, session.fused, session.flash)
    session.write_line(name, shape, workload, measured, cases.notes("inference", session.fused),
                       memory="ttft_s" in measured)
    size = 2 * cases.parameters(shape)[0] + batch * cases.cache_bytes(shape, middle + 1)
    return f"{measured['tpot_s'] * 1e3:.3f} ms a step, {size / measured['tpot_s'] / 1e9:.0f} GB/s"


def training_case(session, name, shape, sequence, batch, full):
    model = Llama(shape, session.device, session.dtype, session.operations, train=True)
    try:
        optimizer = torch.optim.AdamW(model.parameters, lr=1e-5, fused=session.cuda)
    except (TypeError, RuntimeError):  # before PyTorch 2.0
        optimizer = torch.optim.AdamW(model.parameters, lr=1e-5)
    tokens = torch.randint(shape.vocab, (batch, sequence + 1), device=session.device)

    def step():
        with torch.autocast(session.device.type, session.dtype):
            hidden = model.hidden(tokens[:, :-1], checkpoint=full)
            logits = torch.nn.functional.linear(hidden, model.head).float().flatten(0, 1)
            loss = torch.nn.functional.cross_entropy(logits, tokens[:, 1:].flatten())
        del hidden, logits
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)

    seconds = session.timing(step)[0]
    workload = cases.training_workload(sequence, batch, full, session.dtype_name, session.fused, session.flash)
    session.write_line(name, shape, workload, {"step_time_s": seconds}, cases.notes("training", session.fused),
                       memory=True)
    rate = cases.training_flop(shape, sequence, batch) / seconds / 1e12
    return f"{seconds * 1e3:.1f} ms a step, {batch * sequence / seconds:.0f} tokens/s, {rate:.1f} model TFLOP/s"


def kernels(session, section):
    """copy, matmul, attention, allreduce: every case that fits."""
    quick, free = session.options.quick, session.free()
    if section == "copy":
        for power in (20, 28) if quick else (20, 24, 26, 28, 30, 32):
            if 2 << power < free:
                session.attempt(f"copy of 2^{power} bytes", copy_case, 1 << power)
    elif section == "matmul":
        for dtype in [session.dtype_name] + ["fp8"] * (session.cuda and hasattr(torch, "_scaled_mm")):
            for index, (m, n, k) in enumerate(cases.matmul_shapes(quick)):
                if 4 * (m * n + m * k + n * k) < free:
                    good = session.attempt(f"matmul {dtype} {m} x {n} x {k}", matmul_case, dtype, m, n, k)
                    if dtype == "fp8" and index == 0 and not good:
                        break  # the chip has none
    elif section == "attention" and not session.flash:
        say("  this PyTorch has no scaled_dot_product_attention (it came with 2.0): left out")
    elif section == "attention":
        for case in cases.attention_cases(quick):
            session.attempt("attention {}: batch {}, kv_heads {}, head_dim {}, queries {}, keys {}".format(*case),
                            attention_case, *case)
    elif section == "allreduce":
        counts = [n for n in (2, 4, 8, 16) if session.cuda and n <= torch.cuda.device_count()]
        for count in counts:
            session.attempt(f"all-reduce over {count} GPUs", all_reduce_case, count)
        if not counts:
            say("  one GPU: nothing to reduce")


def models(session, section):
    """decode, training: every case whose memory is predicted to fit."""
    free, quick = session.free(), session.options.quick
    if section == "decode":
        for name, shape, batch, prompt in cases.decode_cases(session.models, free, quick):
            label = f"{name} decode, batch {batch}, context {prompt + cases.OUTPUT // 2}"
            session.attempt(label, decode_case, name, shape, batch, prompt)
    else:
        for name, shape, sequence, batch, full in cases.training_cases(session.models, free, quick, session.fused):
            label = f"{name} training, {shape.layers} layers, {batch} x {sequence} tokens, " \
                    f"{'full' if full else 'no'} checkpointing"
            session.attempt(label, training_case, name, shape, sequence, batch, full)


def options_of(arguments):
    parser = argparse.ArgumentParser(description="Time this GPU for Headroom: run lines in OUT, kernels beside it.")
    parser.add_argument("--out", default="measured.jsonl", help="the file of run lines (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="a few cases of each kind: a minute instead of several")
    parser.add_argument("--only", default=",".join(cases.SECTIONS), help="of these, with commas: %(default)s")
    parser.add_argument("--seconds", type=float, default=0.5, help="to spend on timing a case (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=6.5, help="no case begins after (default: %(default)s)")
    parser.add_argument("--device", default="cuda:0", help="cuda:0, cuda:1 ...; cpu tries the script on a tiny model")
    parser.add_argument("--accelerator", help="Headroom's id for this GPU, where its name does not tell")
    parser.add_argument("--eager", action="store_true", help="no torch.compile and no CUDA graphs in the models")
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    for section in options.only:
        if section not in cases.SECTIONS:
            parser.error(f"--only: there is no '{section}'; there are {', '.join(cases.SECTIONS)}")
    kind, _, index = options.device.partition(":")
    if options.device != "cpu" and (kind != "cuda" or not (index or "0").isdigit()):
        parser.error(f"--device: '{options.device}' is none of cuda:0, cuda:1 ... and cpu")
    options.index = int(index or 0)
    if not (options.seconds > 0 and options.minutes > 0):
        parser.error("--seconds and --minutes must be above 0")
    for path in (options.out, cases.kernels_path(options.out)):
        if os.path.exists(path):
            parser.error(f"{path} exists already and would mix with new figures: remove it or name another --out")
    return options


def main(arguments=None):
    options = options_of(arguments)
    if torch is None:
        say(f"headroom_measure: PyTorch is needed and could not be loaded: {missing}")
        return 2
    if options.device != "cpu" and not torch.cuda.is_available():
        say("headroom_measure: PyTorch finds no GPU (CUDA or ROCm). Is this PyTorch built for it, the driver loaded?")
        return 2
    if options.device != "cpu" and options.index >= torch.cuda.device_count():
        say(f"headroom_measure: there is no {options.device}; PyTorch finds {torch.cuda.device_count()}, from cuda:0")
        return 2
    session = Session(options)
    try:
        for section in (s for s in cases.SECTIONS if s in options.only):
            say(section)
            if section in ("decode", "training"):
                session.flush = None  # its memory is not the model's
                if session.cuda and not options.eager and not session.fused:
                    session.fuse()
                models(session, section)
            else:
                session.cold()
                kernels(session, section)
    except KeyboardInterrupt:
        say("interrupted: what was measured so far is kept")
    say(f"{session.lines} runs in {options.out}, {session.rows} kernels in {cases.kernels_path(options.out)}")
    if session.lines:
        say(f"next: headroom-cli validate {options.out}")
    return 0 if session.lines + session.rows else 1


if __name__ == "__main__":
    sys.exit(main())
