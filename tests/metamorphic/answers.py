"""Answers of `macrostep search`: asked for once each, read, and compared."""

import hashlib
import json
import os
import resource
import signal
import subprocess
import time
from dataclasses import dataclass, replace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OUT = ROOT + "/build/metamorphic"
PROGRAM = os.environ.get("MACROSTEP_BINARY", ROOT + "/build/release/server/macrostep")

RATIO = 1.02  # of two H that count as the same
ERROR_RATIO = 1.05  # of two errors that do
ERROR_FLOOR = 1e-6  # smaller errors are rounding
SLACK = 1 + 1e-9  # for the rounding of a ratio that is just that large


class OutOfBudget(Exception):
    """The time for all searches together is used up."""


@dataclass
class Answer:
    """What a search said; a search that failed has nothing but its failure.

    failure        why there is no result; None where the search came to its end
    macro_step_s   H; None where nothing is recommended
    configuration  the recommended one, as the program tells it
    ties           other configurations with the same H
    error          NRMSE; None where it is not told
    reason         why this is the answer
    """

    failure: str | None = None
    macro_step_s: float | None = None
    configuration: dict | None = None
    ties: list | None = None
    error: float | None = None
    reason: str = ""

    def __str__(self):
        if self.failure:
            return self.failure
        if self.macro_step_s is None:
            return f"none: {self.reason}"
        error = "-" if self.error is None else f"{self.error:.3g}"
        return f"H {self.macro_step_s:.6g} s, {words_of(self.configuration)}, error {error}"


def words_of(configuration):
    integrators = " ".join(f"{n}={i}" for n, i in configuration["integrators"].items())
    return f"{configuration['scheme']} {configuration['extrapolation']} {integrators}"


CONFIGURATION = ("coupling", "scheme", "extrapolation", "integrators", "substeps", "correction")


def answer_of(result):
    """The document that `macrostep search --json` prints."""
    recommendation = result["recommendation"]
    if recommendation is None:
        return Answer(reason=result["reason"])
    return Answer(
        macro_step_s=recommendation["macro_step_s"],
        configuration={name: recommendation[name] for name in CONFIGURATION},
        ties=[{name: tie[name] for name in CONFIGURATION} for tie in recommendation["ties"]],
        error=(recommendation["error"] or {}).get("nrmse"),
        reason=recommendation["reason"],
    )


class Program:
    """Searches one job after the other, each of them once: answers are kept in build/metamorphic.

    timeout_s  processor time of one search, which does not depend on what else the machine does
    budget_s   time of all searches together
    """

    def __init__(self, timeout_s, budget_s):
        self.timeout_s = timeout_s
        self.too_long = f"no answer within {timeout_s} s of processor time"
        self.end = time.monotonic() + budget_s
        with open(PROGRAM, "rb") as file:
            self.identity = hashlib.sha256(file.read()).hexdigest()
        self.folder = OUT + "/answers"
        os.makedirs(self.folder, exist_ok=True)

    def answer(self, job):
        text = json.dumps(job, sort_keys=True)
        key = hashlib.sha256(f"{self.identity} {text}".encode()).hexdigest()
        path = f"{self.folder}/{key[:32]}.json"
        if os.path.exists(path):
            with open(path) as file:
                kept = Answer(**json.load(file))
            if kept.failure in (None, self.too_long):
                return kept
        answer = self.searched(text)
        write_json(path + ".part", vars(answer))
        os.replace(path + ".part", path)
        return answer

    def searched(self, text):
        limit = (self.timeout_s, self.timeout_s + 5)
        try:
            process = subprocess.run(
                [PROGRAM, "search", "-", "--json", "--threads", "1"],
                input=text,
                capture_output=True,
                text=True,
                timeout=max(0.0, self.end - time.monotonic()),
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit),
            )
        except subprocess.TimeoutExpired as error:
            raise OutOfBudget from error
        if process.returncode == -signal.SIGXCPU:
            return Answer(failure=self.too_long)
        try:
            return answer_of(json.loads(process.stdout))
        except (ValueError, KeyError):
            return Answer(failure=f"exit {process.returncode}: {process.stderr.strip()[-300:]}")


def write_json(path, value):
    with open(path, "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")


def undone(answer, change):
    """The answer to a change's job as one to its base: the H and the names of that one."""
    if answer.macro_step_s is None:
        return answer
    known = [part["name"] for part in change.base["problem"]["subsystems"]]

    def renamed(configuration):
        integrators = {change.names.get(n, n): i for n, i in configuration["integrators"].items()}
        return configuration | {"integrators": {n: integrators[n] for n in known}}

    return replace(
        answer,
        macro_step_s=answer.macro_step_s * change.time,
        configuration=renamed(answer.configuration),
        ties=[renamed(tie) for tie in answer.ties],
        error=answer.error if change.same_error else None,
    )


def fault(first, second, not_larger):
    """What is wrong with the second of two answers to the same question; None: nothing."""
    if second.failure:
        return "no result"
    if not_larger:
        larger = (second.macro_step_s or 0.0) > RATIO * SLACK * (first.macro_step_s or 0.0)
        return "larger H" if larger else None
    if first.macro_step_s is None and second.macro_step_s is None:
        return None
    if first.macro_step_s is None or second.macro_step_s is None:
        return "an answer only once"
    if apart(first.macro_step_s, second.macro_step_s, RATIO):
        return f"H is {second.macro_step_s / first.macro_step_s:.3g} times as large"
    if first.configuration == second.configuration:
        return error_fault(first.error, second.error)
    tied = first.configuration in second.ties or second.configuration in first.ties
    return None if tied else "another configuration"


def error_fault(first, second):
    if first is None or second is None:
        return None
    if max(first, second) > ERROR_FLOOR and apart(first, second, ERROR_RATIO):
        return f"error {second:.3g} for {first:.3g}"
    return None


def apart(first, second, ratio):
    return max(first, second) > ratio * SLACK * min(first, second)
