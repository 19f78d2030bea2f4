"""Judges searches of problems that are not linear: unseen inputs at the recommended macro-step."""

import copy
import json
import math
import os
import random
import sys
import time

from common import arguments, median, numbers_within, say, say_flagged, setting, shown
from nonlinear_problems import PROBLEM, draw
from program import has_result, made_folder, run_program, search, slim, write_json
from runs import Runner, apart_in_time, parts, ranges
from unseen_inputs import unseen

HELP = """
Draws problems (families in turn, parameters at random), asks for the default search, and runs the
recommendation, its order and configuration kept, under INPUTS random inputs (levels, ramps, sines,
chirps, switching, joystick) at H and at H/8.

An input refutes where the run at H does not complete, or an exchanged output swings (root mean
square about its mean) more than twice as far, while the run at H/8 completes. The first 5 that
refute run again at H/16, H/32 and H/64. Where these part from each other or from H/8 in the same
way, the input is inconclusive. The NRMSE of H/32 to H/64 is told: near 1 the motion is chaotic,
and a swing twice as far may be chance. So from 0.5 on H/8 runs again under inputs that differ by 1
to 8 millionths, and where one of them swings at least half as far as H the input is inconclusive.

An input under which H/8 does not complete goes over a half or a quarter of the range, then lasts
three tests and one, then goes over an eighth and a twentieth; where H/8 completes none of these, it
is not usable.

BUDGET_S  no new problem after so many seconds; the last one is finished
OUTDIR    jobs, answers, what was judged, and the inputs that refute as jobs; default
          build/judge/nonlinear-SEED

Environment:
  MACROSTEP_BINARY  the program (the release build)
  SKIP         number of the first problem (0); SEED, number and family make the problem
  COUNT        problems at most (1000)
  TIMEOUT      s for one search (600)
  RUN_TIMEOUT  s for one run (120); a run at H that takes longer refutes nothing
  THREADS      of a search (1)
  FAMILIES     end_stops,relief_valve,pendula,single_crane,backlash,nonlinear_oscillator,
               manipulator,double_crane
  INPUTS       inputs of a problem (20)
  STEPS        macro-steps of H/8 in one input, at most (150000)
  TESTS_LONG   an input lasts at most so many of the longest test (50), and no longer than the
               session of the answer; half of the inputs last three tests
  FACTOR       judges this multiple of the recommended H (1): with 2 or 4 the judge itself must bite

Flags of a problem:
  REFUTED       an input refutes, and finer macro-steps agree among themselves
  inconclusive  inputs refute, but none that finer macro-steps confirm
  unknown       not verified, or the checks growth and swing both without a verdict
  swing-only    growth has no verdict, swing agrees
  none          no recommendation
  FAILED        no result
Exit code 1 where something is REFUTED or FAILED.
"""

FINER_LIMIT = 5  # inputs of a problem that run again at finer macro-steps
NOT_RUN_AGAIN = ["not run again"]
LARGEST_TRIES = 10
CHAOTIC_NRMSE = 0.5
NEARBY_INPUTS = 8
NEARBY_SHARE = 1e-6


class Inputs:
    """The unseen inputs of one problem, and the runs of the recommendation under them."""

    def __init__(self, folder, number, job, model, recommendation):
        self.path = f"{folder}/{number:04d}"
        self.base = {k: job[k] for k in ("problem", "parameters", "micro_steps") if k in job}
        outputs = model["connections_by_coupling"][recommendation["coupling"]]
        outputs = sorted({c["from"] for c in outputs})
        self.runner = Runner(folder, recommendation, outputs)
        self.h = recommendation["macro_step_s"] * setting("FACTOR", 1.0)
        self.session_s = (recommendation.get("growth") or {}).get("session_s") or math.inf
        tests = model["job"]["tests"]
        durations = [t.get("duration_s") or t.get("periods", 1) / t["frequency_hz"] for t in tests]
        frequencies = [t["frequency_hz"] for t in tests if t.get("frequency_hz")]
        self.test_s = max(durations)
        self.longest_s = min(
            self.session_s,
            setting("TESTS_LONG", 50.0) * self.test_s,
            setting("STEPS", 150000) * self.h / 8,
        )
        fastest_hz = max(frequencies or [20 / self.test_s])
        self.times_s = max(0.25 / fastest_hz, 2 * self.h), max(self.test_s, 4 * self.h)
        first_h = recommendation["macro_step_s"] / 8
        self.externals = ranges(self.path + "_job.json", first_h, model)

    def first_runs(self, r, k):
        """Input k at H/8 and at H, over as much of its range and time as H/8 completes."""
        duration_s = self.longest_s if k % 2 else min(self.longest_s, 3 * self.test_s)
        three_s, one_s = min(duration_s, 3 * self.test_s), min(duration_s, self.test_s)
        seed = r.random()
        path = f"{self.path}_input_{k:02d}.json"
        row = {"input": k, "path": path}
        for share, duration_s in (
            (1.0, duration_s),
            (0.5, duration_s),
            (0.25, duration_s),
            (0.25, three_s),
            (0.25, one_s),
            (0.125, one_s),
            (0.05, one_s),
        ):
            state = random.Random(seed)
            kind, test = unseen(state, k, self.externals, *self.times_s, duration_s, share)
            write_json(path, {**self.base, "tests": [test]})
            fine = self.runner.run(path, self.h / 8, duration_s)
            row.update(kind=kind, share=share, duration_s=duration_s, fine=fine)
            if fine["status"] == "complete":
                row["coarse"] = self.runner.run(path, self.h, duration_s)
                break
        return row

    def finer_runs(self, row, floor):
        """Runs again at H/16, H/32 and H/64: where these part from each other."""
        duration_s, fine = row["duration_s"], row["fine"]
        if row["coarse"]["status"] != "complete" and row["coarse"].get("time_s"):
            # What comes later says nothing of this end.
            shorter_s = 2 * row["coarse"]["time_s"] + 100 * self.h
            if shorter_s < duration_s:
                duration_s = shorter_s
                fine = self.runner.run(row["path"], self.h / 8, duration_s)
        traces = {divisor: self.runner.trace_path(divisor) for divisor in (32, 64)}
        runs, apart = [fine], []
        for divisor in (16, 32, 64):
            trace = traces.get(divisor)
            runs.append(self.runner.run(row["path"], self.h / divisor, duration_s, trace))
            one, two = runs[-2:]
            if two["status"] != "complete":
                apart.append(f"H/{divisor} {two['status']}")
            elif text := parts(one, two, floor) or parts(two, one, floor):
                apart.append(f"H/{divisor // 2} and H/{divisor}: {text}")
        nrmse = apart_in_time(traces[32], traces[64], self.runner.outputs)
        row.update(finer=runs[1:], finest_nrmse=nrmse, apart=apart)
        is_chaotic = nrmse is not None and nrmse >= CHAOTIC_NRMSE
        if is_chaotic and not apart and row["coarse"]["status"] == "complete":
            apart.extend(self.nearby_runs(row, floor))
        for trace in traces.values():
            if os.path.exists(trace):
                os.remove(trace)

    def nearby_runs(self, row, floor):
        """Why a nearby input says that the swing at H is chance; [] where none does."""
        with open(row["path"]) as file:
            job = json.load(file)
        row["nearby"] = []
        path = f"{self.path}_nearby.json"
        starts = {e["to"]: e["initial"] for e in self.externals}
        for k in range(1, NEARBY_INPUTS + 1):
            nearby = copy.deepcopy(job)
            for to, record in nearby["tests"][0]["records"].items():
                start, share = starts[to], 1 - k * NEARBY_SHARE
                record["value"] = [start + share * (v - start) for v in record["value"]]
            write_json(path, nearby)
            fine = self.runner.run(path, self.h / 8, row["duration_s"])
            row["nearby"].append(fine)
            if fine["status"] == "complete" and not parts(row["coarse"], fine, floor):
                os.remove(path)
                return [f"H/8 swings alike under an input that differs by {k} millionths"]
        os.remove(path)
        return []

    def judged(self, r):
        """A row per input; `refuted` says why, `apart` why not."""
        rows = [self.first_runs(r, k) for k in range(setting("INPUTS", 20))]
        usable = [row for row in rows if "coarse" in row]
        # What hardly moves under an input is no motion to be twice of.
        floor = {}
        for name in self.runner.outputs:
            usual = median([row["fine"]["swing"].get(name, 0) for row in usable])
            floor[name] = 0.1 * (usual or 0)
        run_again = 0
        for row in rows:
            is_usable = "coarse" in row
            row["refuted"] = parts(row["coarse"], row["fine"], floor) if is_usable else None
            if not row["refuted"]:
                os.remove(row.pop("path"))
            elif run_again < FINER_LIMIT:
                run_again += 1
                self.finer_runs(row, floor)
            else:
                row["apart"] = NOT_RUN_AGAIN
        return rows


def check_flags(recommendation, checks):
    growth, swing = (checks.get(name) == "agrees" for name in ("growth", "swing"))
    if not recommendation.get("verified") or not (growth or swing):
        return ["unknown"]
    return [] if growth else ["swing-only"]


def say_problem(entry, recommendation, inputs, not_run_again):
    checks, c = entry["checks"], recommendation
    inconclusive = entry["refuted"] - entry["clean"] - not_run_again
    say(
        f"{entry['number']:4d} {entry['family']:20s} {c['coupling']} order {c['extrapolation']} "
        f"{'/'.join(c['integrators'].values())} H {c['macro_step_s']:.4g}  "
        f"growth {checks.get('growth', '-')} swing {checks.get('swing', '-')}  "
        f"inputs {entry['usable']} of {len(entry['inputs'])} ({entry['reduced']} reduced), "
        f"up to {inputs.longest_s:.3g} s of {shown(inputs.session_s, 3)} s, "
        f"{entry['clean']} refute, {inconclusive} inconclusive, "
        f"{not_run_again} part and were not run again  "
        f"search {entry['search_s']:.0f} s, all {entry['seconds']:.0f} s  "
        f"{' '.join(entry['flags'])}"
    )
    for row in entry["inputs"]:
        if not row["refuted"]:
            continue
        if row["apart"]:
            more = "but " + "; ".join(row["apart"])
        else:
            nrmse = shown(row["finest_nrmse"], 2)
            more = f"H/8 to H/64 swing alike, NRMSE of H/32 to H/64 {nrmse}"
            more += f", {len(row['nearby'])} nearby inputs too" if "nearby" in row else ""
        say(
            f"       input {row['input']} {row['kind']} share {row['share']:g} "
            f"{row['duration_s']:.3g} s: {row['refuted']}; {more}"
        )


def draw_job(r, family, model, path):
    """A job that the program accepts, written to `path`."""
    for _ in range(LARGEST_TRIES):
        job = draw(r, family, model)
        write_json(path, job)
        if run_program(["search", path, "--json", "--dry-run"], timeout=60).code == 0:
            break
    return job


def judged(seed, number, family, model, folder):
    """One problem: drawn, searched, judged, told and written down."""
    begin = time.monotonic()
    r = random.Random(f"nonlinear {seed} {number} {family}")
    path = f"{folder}/{number:04d}"
    job = draw_job(r, family, model, path + "_job.json")
    answer = search(path + "_job.json", threads=setting("THREADS", 1))
    entry = {"number": number, "family": family, "flags": [], "search_s": answer.seconds}
    name = f"{number:4d} {family:20s}"
    if not has_result(answer):
        entry["flags"].append("FAILED")
        why = f"exit {answer.code} {'timed out' if answer.timed_out else ''}"
        say(f"{name} FAILED {why} {answer.err.strip()[-200:]}")
        return entry
    write_json(path + "_result.json", slim(answer.data))
    recommendation = answer.data["recommendation"]
    if not recommendation:
        entry["flags"].append("none")
        say(f"{name} none: {(answer.data.get('reason') or '')[:160]}  {answer.seconds:.0f} s")
        return entry
    checks = {c["check"]: c["verdict"] for c in recommendation["checks"]}
    entry["flags"] += check_flags(recommendation, checks)
    inputs = Inputs(folder, number, job, model, recommendation)
    rows = inputs.judged(r)
    usable = [row for row in rows if "coarse" in row]
    refuted = [row for row in rows if row["refuted"]]
    clean = [row for row in refuted if not row["apart"]]
    if refuted:
        entry["flags"].append("REFUTED" if clean else "inconclusive")
    entry.update(
        checks=checks,
        refuted=len(refuted),
        clean=len(clean),
        usable=len(usable),
        reduced=sum(row["share"] < 1 for row in usable),
        inputs=rows,
        seconds=time.monotonic() - begin,
        macro_step_s=recommendation["macro_step_s"],
    )
    write_json(path + "_judged.json", entry)
    not_run_again = sum(row["apart"] == NOT_RUN_AGAIN for row in refuted)
    say_problem(entry, recommendation, inputs, not_run_again)
    return entry


def say_summary(title, entries, families):
    def flagged(flag, of_entries=entries):
        return [e["number"] for e in of_entries if flag in e["flags"]]

    def count(flag):
        return len(flagged(flag))

    answered = [e for e in entries if "usable" in e]
    say(
        f"SUMMARY {title}: {len(entries)} problems, {len(answered)} answers, "
        f"{count('REFUTED')} refuted, {count('inconclusive')} inconclusive, "
        f"{count('unknown')} unknown, {count('swing-only')} by swing only, "
        f"{count('none')} without an answer, {count('FAILED')} failed; unseen inputs: "
        f"{sum(e['usable'] for e in answered)} usable of "
        f"{sum(len(e['inputs']) for e in answered)}, "
        f"{sum(e['reduced'] for e in answered)} over less than their range; "
        f"median {shown(median([e['seconds'] for e in answered]), 3)} s a problem"
    )
    flags = ["REFUTED", "inconclusive", "unknown", "swing-only", "none", "FAILED"]
    for family in families:
        here = [e for e in entries if e["family"] == family]
        if here:
            counts = ", ".join(f"{len(flagged(flag, here))} {flag}" for flag in flags)
            say(f"  {family:20s} {len(here)} problems: {counts}")
    say_flagged(flagged, ["REFUTED", "inconclusive", "FAILED"])
    return 1 if flagged("REFUTED") or flagged("FAILED") else 0


def main():
    options = arguments(__doc__, HELP, {"budget_s": {"type": float}})
    folder = made_folder(options.folder, f"nonlinear-{options.seed}")
    families = setting("FAMILIES", ",".join(PROBLEM)).split(",")
    models = {p["name"]: p for p in run_program(["models", "--json"]).data["problems"]}
    entries = []
    for number in numbers_within(setting("COUNT", 1000), options.budget_s):
        family = families[number % len(families)]
        model = models[PROBLEM[family]]
        entries.append(judged(options.seed, number, family, model, folder))
    skip = setting("SKIP", 0)
    exit_code = say_summary(f"nonlinear seed {options.seed} from {skip}", entries, families)
    for entry in entries:
        entry.pop("inputs", None)
    write_json(f"{folder}/summary_{skip}.json", entries)
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
