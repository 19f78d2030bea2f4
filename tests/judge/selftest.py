"""Tests the matrices of the judges, against a simulation that shares nothing with them and against
the outputs of `macrostep run`. COUNT problems of the kinds damped and integrators each (4)."""

import argparse
import csv
import os
import random
import sys

import numpy as np

from common import say
from linear_problems import UNITS, draw
from matrices import expm
from program import made_folder, run_program, write_json

STEPS = 60  # macro-steps of a run
SMALL_STEPS = 400  # steps of the simulation within a macro-step
INTEGRATORS = ["exact", "trapezoidal", "rk4"]
# All compute the same up to rounding, which 60 macro-steps raise to 3e-13 at most.
TOLERANCE = 1e-9


def exponential_error():
    """Of expm, against the eigenvectors of a random matrix."""
    a = 5 * np.random.default_rng(1).normal(size=(6, 6))
    w, v = np.linalg.eig(a)
    return abs(expm(a) - (v * np.exp(w)) @ np.linalg.inv(v)).max() / abs(expm(a)).max()


def stepped(coupled, x, h, order, integrators, micros, steps):
    """Outputs by Phi; the order rises at the start as far as values go back."""
    nx, ny = coupled.x0[-1], coupled.y0[-1]
    past = [coupled.outputs_at_rest(x)]
    for n in range(steps):
        m = min(order, n)
        phi = coupled.phi(h, m, integrators, micros)
        z = phi @ np.concatenate([x] + past[: m + 1])
        x = z[:nx]
        past.insert(0, z[nx : nx + ny])
    return np.array(past[::-1])


def extrapolated(points, s):
    """The Lagrange polynomial through points[k] at s = -k."""
    total = 0
    for k in range(len(points)):
        weight = 1.0
        for other in range(len(points)):
            if other != k:
                weight *= (s + other) / (other - k)
        total = total + weight * points[k]
    return total


def simulated(coupled, x, h, order, steps):
    """Outputs by a loop over macro-steps and small steps of the classical Runge-Kutta method."""
    past, dt = [coupled.outputs_at_rest(x)], h / SMALL_STEPS
    for _ in range(steps):
        points = [coupled.link @ y for y in past[: order + 1]]

        def slope(x, s):
            return coupled.a @ x + coupled.b @ extrapolated(points, s)

        for i in range(SMALL_STEPS):
            s0, sm, s1 = (k / SMALL_STEPS for k in (i, i + 0.5, i + 1))
            k1 = slope(x, s0)
            k2 = slope(x + dt / 2 * k1, sm)
            k3 = slope(x + dt / 2 * k2, sm)
            k4 = slope(x + dt * k3, s1)
            x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        past.insert(0, coupled.c @ x + coupled.d @ extrapolated(points, 1.0))
    return np.array(past[::-1])


def run(folder, job, names, h, order):
    """Outputs by the program; of a run that diverges as far as it gets."""
    job_path, trace = folder + "/job.json", folder + "/run.csv"
    write_json(job_path, job)
    args = ["run", job_path, "--macro-step", repr(h), "--extrapolation", str(order)]
    answer = run_program(args + ["--no-reference", "--json", "--csv", trace])
    if answer.data is None:
        raise RuntimeError(f"macrostep run ended with {answer.code}: {answer.err.strip()}")
    with open(trace) as file:
        rows = np.array([[float(row[n]) for n in names] for row in csv.DictReader(file)])
    os.remove(trace)
    return rows


def difference(one, two):
    return abs(one - two).max() / abs(two).max()


def compared(folder, number, kind):
    """The largest difference of one problem."""
    r = random.Random(number)
    problem = draw(77, number, kind, ["0", "1", "2"], "default")
    job, coupled, outputs = problem.job, problem.truth.coupled, []
    h = float(problem.truth.fastest_s * 0.04)
    x = np.array([r.uniform(-1, 1) for _ in range(coupled.x0[-1])])
    for k, name in enumerate(UNITS):
        start = list(x[coupled.x0[k] : coupled.x0[k + 1]])
        job["problem"]["subsystems"][k]["state_space"]["x0"] = start
        outputs += [f"{name}.{output}" for output in problem.pair.names[k][1]]
    job["tests"] = [{"name": "none", "kind": "none", "duration_s": STEPS * h}]
    worst = 0
    for order in (0, 1, 2):
        exact = stepped(coupled, x, h, order, ["exact"] * 2, [None] * 2, STEPS)
        own = difference(exact, simulated(coupled, x, h, order, STEPS))
        worst, texts = max(worst, own), []
        for integrator in INTEGRATORS:
            micro = None if integrator == "exact" else h / 3.5
            job["search"]["integrators"] = {name: [integrator] for name in UNITS}
            job["micro_steps"] = {name: micro for name in UNITS} if micro else {}
            rows = run(folder, job, outputs, h, order)
            steps = len(rows) - 1
            by_phi = stepped(coupled, x, h, order, [integrator] * 2, [micro] * 2, steps)
            off = difference(rows, by_phi)
            worst = max(worst, off)
            texts.append(f"{integrator} {off:.2g}")
        say(
            f"{problem.pair.variant:34s} order {order}: "
            f"matrix against own simulation {own:.2g}; against run: {', '.join(texts)}"
        )
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", metavar="COUNT", type=int, nargs="?", default=4)
    count = parser.parse_args().count
    folder = made_folder(None, "selftest")
    worst = exponential_error()
    say(f"expm: {worst:.2g}")
    for number in range(count):
        for kind in ("damped", "integrators"):
            worst = max(worst, compared(folder, number, kind))
    say(f"worst {worst:.2g}, at most {TOLERANCE:g}")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())
