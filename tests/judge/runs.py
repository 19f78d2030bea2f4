"""Single runs of a recommended configuration: how they end, and how far their outputs swing."""

import math
import os

import numpy as np

from common import setting
from program import run_program

RUN_TIMEOUT_S = setting("RUN_TIMEOUT", 120.0)
BYTES_AT_ONCE = 8_000_000

np.seterr(all="ignore")  # runs that grow without bounds


def pieces(path, wanted):
    """The wanted columns of a trace, in arrays of bounded size."""
    with open(path) as file:
        names = file.readline().strip().split(",")
        pick = [names.index(w) for w in wanted]
        while lines := file.readlines(BYTES_AT_ONCE):
            yield np.array([line.split(",") for line in lines])[:, pick].astype(float)


def swing(path, wanted):
    """Root mean square about the mean of each output; of as much as can be read."""
    n, total, square, shift = 0, 0.0, 0.0, None
    try:
        for data in pieces(path, wanted):
            if shift is None:
                shift = data[0]
            data = data - shift
            n += len(data)
            total, square = total + data.sum(axis=0), square + (data * data).sum(axis=0)
    except ValueError:
        pass
    if n == 0:
        return {}
    spread = np.sqrt(np.maximum(0, square / n - (total / n) ** 2))
    return dict(zip(wanted, spread.tolist()))


def apart_in_time(coarse_path, fine_path, wanted):
    """NRMSE of the runs at H/32 and H/64, the largest over the outputs: near 1 in chaos."""
    try:
        coarse = np.concatenate(list(pieces(coarse_path, wanted)))
        fine = np.concatenate(list(pieces(fine_path, wanted)))[::2]
    except (ValueError, OSError):
        return None
    n = min(len(coarse), len(fine))
    spread = fine[:n].std(axis=0)
    error = np.sqrt(((coarse[:n] - fine[:n]) ** 2).mean(axis=0))
    return float((error / np.where(spread > 0, spread, np.inf)).max())


class Runner:
    """Runs one recommended configuration with other macro-steps; `outputs` are those exchanged."""

    def __init__(self, folder, recommendation, outputs):
        self.outputs = outputs
        self._trace = f"{folder}/trace_{os.getpid()}.csv"
        c = recommendation
        self._options = ["--extrapolation", c["extrapolation"], "--coupling", c["coupling"]]
        self._options += ["--scheme", c["scheme"], "--correction", c["correction"]]
        for group, name in c["integrators"].items():
            self._options += ["--integrator", f"{group}={name}"]
        for subsystem, n in c["substeps"].items():
            self._options += ["--substeps", f"{subsystem}={n}"]
        if c.get("order"):
            self._options += ["--order", ",".join(c["order"])]

    def trace_path(self, divisor):
        """Where to keep the trace of the run at H/divisor."""
        return self._trace.replace(".csv", f"_{divisor}.csv")

    def run(self, job_path, h, duration_s, kept_trace=None):
        """One run of the test `unseen`: {status, reason, swing, time_s}."""
        trace = kept_trace or self._trace
        args = ["run", job_path, "--test", "unseen", "--macro-step", repr(h)]
        args += ["--until", repr(duration_s), "--no-reference", "--json", "--csv", trace]
        answer = run_program(args + self._options, timeout=RUN_TIMEOUT_S)
        has_trace = os.path.exists(trace)
        swings = swing(trace, self.outputs) if has_trace and answer.data is not None else {}
        if has_trace and not kept_trace:
            os.remove(trace)
        if answer.data is None:
            status = "timed_out" if answer.timed_out else "failed"
            return {"status": status, "reason": answer.err.strip()[-300:], "swing": {}}
        return {
            "status": answer.data["status"],
            "reason": answer.data.get("reason"),
            "swing": swings,
            "time_s": answer.data.get("final_time_s"),
        }


def parts(coarse, fine, floor):
    """Why `coarse` is not what `fine` is; None where no output swings more than twice as far.

    `floor`: by how much an output must swing farther, at least. A run that takes too long or that
    the program refuses says nothing.
    """
    status = coarse["status"]
    if status in ("timed_out", "failed"):
        return None
    if status != "complete":
        return f"{status} at {coarse.get('time_s') or 0:.4g} s: {(coarse['reason'] or '')[:120]}"
    worst = None
    for name, s in coarse["swing"].items():
        f = fine["swing"].get(name, 0)
        if s > 2 * f and s - f > floor.get(name, 0):
            ratio = s / f if f > 0 else math.inf
            if worst is None or ratio > worst[0]:
                worst = (ratio, name, s, f)
    if worst is None:
        return None
    ratio, name, s, f = worst
    return f"{name} swings {ratio:.3g} times as far ({s:.4g} for {f:.4g})"


def first_row(job_path, h):
    """What a trace of the drawn problem begins with, by column."""
    trace = job_path + ".csv"
    args = ["run", job_path, "--test", "none", "--until", repr(10 * h), "--macro-step", repr(h)]
    args += ["--extrapolation", "0", "--no-reference", "--csv", trace, "--json"]
    run_program(args, timeout=RUN_TIMEOUT_S)
    with open(trace) as file:
        names, values = (file.readline().strip().split(",") for _ in range(2))
    os.remove(trace)
    return dict(zip(names, values))


def ranges(job_path, h, model):
    """The external inputs: where they start depends on the parameters, and their range with it."""
    first = first_row(job_path, h)
    externals = []
    for e in model["external_inputs"]:
        e, start = dict(e), float(first[e["to"]])
        if e["initial"] and start != e["initial"]:
            share = start / e["initial"]
            e.update(initial=start, minimum=e["minimum"] * share, maximum=e["maximum"] * share)
            if e["to"] == "hydraulics.kappa":
                e["maximum"] = min(1.0, e["maximum"])
        externals.append(e)
    return externals
