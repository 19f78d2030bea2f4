"""Judges the verdict by runs alone (`identified`) on pairs of FMUs whose solvers are inexact."""

import math
import os
import random
import re
import sys
import time
from dataclasses import dataclass, field

from common import arguments, log_uniform, median, numbers_within, say, say_flagged, setting, shown
from linear_problems import UNITS, Problem, draw, test_duration_s
from make_fmu import make_fmu
from program import has_result, made_folder, search, slim, write_json

HELP = """
Each pair is two FMUs of FMI 2.0 for co-simulation, compiled from unit.c, with a Dormand-Prince
solver of relative tolerance 5e-7 to 2e-6; half of the pairs can restore states. What they compute
is drawn as in linear.py. The order (0, 1 or 2) is drawn among those that have a limit, the smallest
H that grows by own matrices. The verdict is asked at H with 1.1 H = 0.5, 0.9, 0.985, 1.015 and 1.1
of it: a search with allowed_macro_steps_s [H], stability_check identified, and a linear region so
wide (tolerance 10) that the residual seldom speaks first.

OUTDIR    default build/judge/fmu_pairs-SEED; what was judged wrong stays there with its FMUs

Environment:
  MACROSTEP_BINARY  the program (the release build)
  SKIP      number of the first pair (0); SEED and number make the pair
  TIMEOUT   s for one search (600)
  BUDGET_S  no new pair after so many seconds (none)
  KIND      damped, integrators, undamped, or mixed (default: 70, 15 and 15 %)
  FACTORS   of 1.1 H to the limit (0.5,0.9,0.985,1.015,1.1)
  NEAR      rates within NEAR / (slowest period) of the bound are near: there the solvers
            themselves decide (2e-5)
  KEEP      all: keeps every job, result and FMU

Verdicts:
  stable    recommended, the check growth agrees
  unstable  nothing recommended, the check growth has failed
  unknown   growth has no verdict (also where the check swing then objects)
  other     nothing recommended for another reason, which the line tells
  failed    no result

Flags:
  WRONG-STABLE    stable, but a motion grows at H by own matrices
  margin          stable, but a motion grows at 1.1 H, though not at H
  WRONG-UNSTABLE  unstable, but from H/8 to 1.1 H no motion grows
  near            would be wrong, but the rate is near the bound
  RATE            unstable: the rate told of 1.1 H is none of the own ones, by more than its
                  uncertainty, 0.2 % and what is near; stable: the bound told is below the own rate
  FAILED          no result
Exit code 1 where something is WRONG-STABLE, WRONG-UNSTABLE or FAILED.
"""

LARGEST_TRIES = 50
GROWTH_FAILED = "fails the check of growth"
SWING_FAILED = "fails the check of swing"
TOLD_RATE = re.compile(r"\(([0-9.eE+-]+) ± ([0-9.eE+-]+) per s\)")


@dataclass
class FmuPair:
    kind: str
    problem: Problem
    order: int
    limit_s: float
    session_s: float  # None but for undamped pairs
    tolerance: float
    states: bool
    files: list = field(default_factory=list)


def draw_pair(seed, number):
    r = random.Random(f"fmu {seed} {number}")
    kind = setting("KIND", "mixed")
    if kind == "mixed":
        kind = r.choices(["damped", "integrators", "undamped"], [70, 15, 15])[0]
    for attempt in range(LARGEST_TRIES):
        problem = draw(seed * 1000 + attempt, number, kind, ["0"], "identified")
        truth = problem.truth
        session_s = 1000 * truth.slowest_time_s if kind == "undamped" else None
        limits = {}
        for order in (0, 1, 2):
            limit = truth.limit(order, problem.first_s, 1.1 * problem.last_s, session_s)
            if limit is not None and limit > 4 * problem.first_s:
                limits[order] = refined(truth, order, limit, session_s)
        if limits:
            problem.job["name"] = f"pair {number} {problem.pair.variant}"
            order = r.choice(sorted(limits))
            tolerance, states = log_uniform(r, 5e-7, 2e-6), r.random() < 0.5
            return FmuPair(kind, problem, order, limits[order], session_s, tolerance, states)
    raise RuntimeError("no pair with a limit")


def refined(truth, order, limit, session_s):
    """The limit itself within the 2 % of the grid, by 20 halvings."""
    low, high = limit / 1.02, limit
    for _ in range(20):
        middle = 0.5 * (low + high)
        if truth.grows(order, middle, session_s):
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def make_files(path, pair):
    """The FMUs of a pair, put into its job in place of the matrices."""
    job, units = pair.problem.job, pair.problem.pair
    for k, name in enumerate(UNITS):
        file = f"{path}_{name}.fmu"
        unit, ports, nominal = units.units[k], units.names[k], units.nominal[k]
        make_fmu(file, name, unit, ports, nominal, pair.tolerance, pair.states)
        job["problem"]["subsystems"][k] = {"name": name, "fmu": file}
        pair.files.append(file)
    job["search"].pop("integrators")


def ask(path, pair, h):
    job, first = pair.problem.job, h / 20
    job["search"]["extrapolation"] = [str(pair.order)]
    job["search"]["allowed_macro_steps_s"] = [h]
    job["search"]["macro_step"] = {"initial_s": first, "increment_s": first, "maximum_s": 1.2 * h}
    job["search"]["linear_region"] = {"scan": "geometric", "tolerance": 10}
    duration_s = max(test_duration_s(pair.problem.truth), 45 * h)
    job["tests"] = [{"name": "step", "kind": "step", "duration_s": duration_s}]
    write_json(path, job)
    return search(path)


@dataclass
class Verdict:
    name: str
    rate: float = None  # told of 1.1 H
    uncertainty: float = None
    macro_step_s: float = None  # recommended
    words: str = ""


def verdict_of(answer):
    if not has_result(answer):
        return Verdict("failed", words=f"exit {answer.code} {answer.err.strip()[-300:]}")
    recommendation = answer.data["recommendation"]
    if recommendation:
        h = recommendation["macro_step_s"]
        check = next((c for c in recommendation["checks"] if c["check"] == "growth"), {})
        if recommendation.get("verified") and check.get("verdict") == "agrees":
            uncertainty = (recommendation.get("growth") or {}).get("uncertainty_per_s")
            return Verdict("stable", check["value"], uncertainty, h)
        words = check.get("detail") or "no check of growth"
        return Verdict("unknown", macro_step_s=h, words=words)
    reason = answer.data.get("reason") or ""
    curves = answer.data["curves"]
    if GROWTH_FAILED in reason or any("failed_growth" in c["flags"] for c in curves):
        found = TOLD_RATE.search(reason)
        told = [float(x) for x in found.groups()] if found else [None, None]
        return Verdict("unstable", *told, words=reason)
    if SWING_FAILED in reason:
        words = "growth had no verdict, then swing objects: " + reason[-160:]
        return Verdict("unknown", words=words)
    return Verdict("other", words=reason)


def judge(pair, h, near, verdict):
    """Flags and own rates of one verdict."""
    truth, order, session_s = pair.problem.truth, pair.order, pair.session_s
    at, margin = truth.excess(order, h, session_s), truth.excess(order, 1.1 * h, session_s)
    grid = [h / 8 * 1.02**k for k in range(110)]
    below = [x for x in grid if x < 1.1 * h] + [1.1 * h]
    if session_s:
        worst = max(truth.excess(order, x, session_s) for x in below)
    else:
        worst = max(truth.moving(order, x) for x in below)
    flags = []
    if verdict.name == "stable":
        if at > 0 and truth.grows(order, h, session_s):
            flags.append("WRONG-STABLE" if at > near else "near")
        elif margin > 0 and truth.grows(order, 1.1 * h, session_s):
            flags.append("margin" if margin > near else "near")
    elif verdict.name == "unstable":
        if not any(truth.grows(order, x, session_s) for x in below):
            # The session of undamped ones is the program's own: it may be twice as long.
            loose = -near - (0.5 * math.log(1.1) / session_s if session_s else 0)
            flags.append("WRONG-UNSTABLE" if worst < loose else "near")
    elif verdict.name == "failed":
        flags.append("FAILED")
    if verdict.rate is not None and rate_off(truth, order, h, verdict) > near:
        flags.append("RATE")
    return {"excess": at, "excess_margin": margin, "worst": worst, "flags": flags}


def rate_off(truth, order, h, verdict):
    """By how much the rate told of 1.1 H is wrong; of what is stable it is a bound."""
    rate = verdict.rate
    if verdict.name == "stable":
        return truth.moving(order, 1.1 * h) - rate
    rates, _ = truth.rates(order, 1.1 * h)
    return min(abs(rate - x) for x in rates) - (verdict.uncertainty or 0) - 2e-3 * abs(rate)


def say_pair(number, pair):
    states = "states" if pair.states else "no states"
    say(
        f"{number:4d} {pair.kind} {pair.problem.pair.variant} order {pair.order} "
        f"limit {pair.limit_s:.6g} tolerance {pair.tolerance:.1e} {states} "
        f"slowest {pair.problem.truth.slowest_s:.3g} s"
    )


def say_row(row, own_rate):
    words = ""
    if row["verdict"] in ("unknown", "other", "failed") or "WRONG-UNSTABLE" in row["flags"]:
        words = "  " + row["words"][-200:]
    say(
        f"     1.1 H = {row['factor']:5g} limit: {row['verdict']:8s} "
        f"told {shown(row['rate_told'], 6)} own {own_rate:.6g} at H {row['excess']:.3g}  "
        f"{row['seconds']:.1f} s  {' '.join(row['flags'])}{words}"
    )


def judged(seed, number, factors, folder):
    """One pair: drawn, compiled, searched at every H and judged; its rows."""
    pair = draw_pair(seed, number)
    truth = pair.problem.truth
    path = f"{folder}/{number:04d}"
    make_files(path, pair)
    near = setting("NEAR", 2e-5) / truth.slowest_s
    say_pair(number, pair)
    rows = []
    for factor in factors:
        h = pair.limit_s * factor / 1.1
        answer = ask(f"{path}_{factor:g}_job.json", pair, h)
        verdict = verdict_of(answer)
        row = {
            "number": number,
            "kind": pair.kind,
            "factor": factor,
            "h": h,
            "order": pair.order,
            "verdict": verdict.name,
            "rate_told": verdict.rate,
            "uncertainty": verdict.uncertainty,
            "told_h": verdict.macro_step_s,
            "words": verdict.words,
            "seconds": answer.seconds,
            **judge(pair, h, near, verdict),
        }
        rows.append(row)
        if is_kept(row):
            write_json(f"{path}_{factor:g}_result.json", slim(answer.data))
        else:
            os.remove(f"{path}_{factor:g}_job.json")
        say_row(row, truth.rates(pair.order, 1.1 * h)[0][0])
    if not any(is_kept(row) for row in rows):
        for file in pair.files:
            os.remove(file)
    return rows


def is_kept(row):
    return setting("KEEP", "") == "all" or any(flag.isupper() for flag in row["flags"])


def say_summary(title, rows, factors, seconds):
    verdicts = ["stable", "unstable", "unknown", "other", "failed"]
    flags = ["WRONG-STABLE", "WRONG-UNSTABLE", "margin", "near", "RATE", "FAILED"]

    def flagged(flag):
        return [f"{r['number']}@{r['factor']:g}" for r in rows if flag in r["flags"]]

    def counts(of_rows):
        return [(sum(r["verdict"] == v for r in of_rows), v) for v in verdicts]

    say(
        f"SUMMARY {title}: {len(seconds)} pairs, {len(rows)} verdicts asked: "
        + ", ".join(f"{n} {v}" for n, v in counts(rows))
        + "; "
        + ", ".join(f"{len(flagged(f))} {f}" for f in flags)
        + f"; median {shown(median(seconds), 3)} s a pair, "
        + f"longest {max(seconds, default=0):.1f} s"
    )
    for factor in factors:
        here = counts([r for r in rows if r["factor"] == factor])
        told = ", ".join(f"{n} {v}" for n, v in here if n > 0)
        say(f"  at 1.1 H = {factor:g} limit: {told}")
    say_flagged(flagged, [f for f in flags if f != "near"])
    return 1 if any(map(flagged, ["WRONG-STABLE", "WRONG-UNSTABLE", "FAILED"])) else 0


def main():
    options = arguments(__doc__, HELP, {"count": {"type": int}})
    folder = made_folder(options.folder, f"fmu_pairs-{options.seed}")
    factors = [float(f) for f in setting("FACTORS", "0.5,0.9,0.985,1.015,1.1").split(",")]
    rows, seconds = [], []
    for number in numbers_within(options.count, setting("BUDGET_S", math.inf)):
        begin = time.monotonic()
        rows += judged(options.seed, number, factors, folder)
        seconds.append(time.monotonic() - begin)
    skip = setting("SKIP", 0)
    write_json(f"{folder}/summary_{skip}.json", rows)
    return say_summary(f"fmu_pairs seed {options.seed} from {skip}", rows, factors, seconds)


if __name__ == "__main__":
    sys.exit(main())
