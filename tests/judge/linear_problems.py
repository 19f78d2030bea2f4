"""Linear problems: what is drawn for a seed and a number, and the job that asks for it."""

import random
from dataclasses import dataclass

from common import setting
from kept_motions import draw_kept_motion
from pairs import Pair, draw_masses
from rates import Truth

UNITS = ["a", "b"]


@dataclass
class Problem:
    pair: Pair
    truth: Truth
    job: dict
    tests: str  # whose: default or scaled
    first_s: float  # the scan goes from here
    last_s: float  # ... to here


def draw(seed, number, kind, orders, verdict):
    """One problem; the settings INTEGRATOR, TESTS, FIRST and LAST are those of linear.py."""
    r = random.Random(f"linear {seed} {number} {kind}")
    pair = (
        draw_kept_motion(r, number) if kind == "integrators" else draw_masses(r, kind == "damped")
    )
    if kind == "undamped":
        pair.variant += "/undamped"
    coupled = pair.coupled()
    truth = Truth(coupled, ["exact", "exact"], [None, None])
    if setting("INTEGRATOR", "exact") == "mixed":
        truth = Truth(coupled, *draw_integrators(r, truth.fastest_s))
    drawn = r.choice(["default", "scaled"])
    tests = setting("TESTS", "drawn")
    tests = drawn if tests == "drawn" else tests
    first_s = setting("FIRST", 0.0005) * truth.fastest_s
    last_s = setting("LAST", 1.0) * truth.fastest_s
    job = {
        "name": f"judge {number} {pair.variant}",
        "problem": problem_of(pair),
        "search": search_of(truth, orders, verdict, first_s, last_s),
    }
    micro_steps = {n: micro for n, micro in zip(UNITS, truth.micros) if micro}
    if micro_steps:
        job["micro_steps"] = micro_steps
    if tests == "scaled":
        job["tests"] = scaled_tests(truth)
    return Problem(pair, truth, job, tests, first_s, last_s)


def draw_integrators(r, fastest_s):
    integrators, micros = [], []
    for _ in UNITS:
        integrators.append(r.choice(["exact", "trapezoidal", "rk4"]))
        steps = {"exact": None, "trapezoidal": 400, "rk4": 40}[integrators[-1]]
        micros.append(fastest_s / steps if steps else None)
    return integrators, micros


def problem_of(pair):
    def port(unit, output):
        return UNITS[unit] + "." + pair.names[unit][1][output]

    subsystems = []
    for name, (a, b, c, d), (inputs, outputs), nominal in zip(
        UNITS, pair.units, pair.names, pair.nominal
    ):
        matrices = {"A": a, "B": b, "C": c, "D": d}
        ports = {
            "inputs": [{"name": n} for n in inputs],
            "outputs": [{"name": n, "nominal": v} for n, v in zip(outputs, nominal)],
        }
        subsystems.append({"name": name, "state_space": {**matrices, **ports}})
    effort, flow = pair.bond
    return {
        "subsystems": subsystems,
        "connections": [
            {"from": port(a, out), "to": UNITS[b] + "." + pair.names[b][0][inp]}
            for a, out, b, inp in pair.wires
        ],
        "power_bonds": [{"effort": port(*effort), "flow": port(*flow), "factor": 1}],
        "external_inputs": [
            {
                "to": UNITS[pair.driven] + ".w",
                "initial": 0,
                "minimum": -pair.largest,
                "maximum": pair.largest,
            }
        ],
    }


def search_of(truth, orders, verdict, first_s, last_s):
    return {
        "extrapolation": orders,
        "schemes": ["jacobi"],
        "corrections": ["none"],
        "stability_check": "all" if verdict == "default" else verdict,
        "integrators": {n: [i] for n, i in zip(UNITS, truth.integrators)},
        "macro_step": {"initial_s": first_s, "increment_s": first_s, "maximum_s": last_s},
        "linear_region": {"scan": "geometric"},
    }


def scaled_tests(truth):
    """As long as the slowest motion needs, but no more than 80 periods of the fastest."""
    duration_s = test_duration_s(truth)
    return [
        {"name": "step", "kind": "step", "duration_s": duration_s},
        {"name": "ramp", "kind": "ramp", "duration_s": duration_s},
        {
            "name": "impulse",
            "kind": "impulse",
            "duration_s": duration_s,
            "width_s": 0.4 * duration_s,
        },
    ]


def test_duration_s(truth):
    return min(5 * truth.slowest_s, 80 * truth.fastest_s)
