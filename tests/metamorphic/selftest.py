"""Tests the judge itself, without the program: in a few seconds.

Every change of a problem must keep its exact solution, and a wrong one must not. What violates a
relation must be reported, and what does not must not.
"""

import copy
import random
import sys
from dataclasses import replace

import exact
from answers import Answer
from metamorphic import changes_of, compared
from matrices import scaled
from parts import spaces
from problems import draw
from relations import RELATIONS, time

PROBLEMS = 12
TIMES = (0.3, 2.0, 9.0)  # in time constants of the fastest rates
TOLERANCE = 1e-8  # turned states, of unlike sizes, are rounded by 1e-9


def difference(problem, change):
    """Of the exact outputs of both jobs, relative to the largest of each output."""
    largest, off = {}, {}
    for constants in TIMES:
        time_s = constants / problem.rate_per_s
        first = exact.outputs(change.base, time_s)
        second = exact.outputs(change.job, time_s / change.time)
        second = {change.names.get(name, name): value for name, value in second.items()}
        for name, value in first.items():
            size = change.sizes.get(name, 1.0)
            largest[name] = max(largest.get(name, 0.0), abs(value))
            off[name] = max(off.get(name, 0.0), abs(second[name] / size - value))
    return max(off[name] / largest[name] for name in off)


def solutions_kept():
    with_matrices = [name for name in RELATIONS if name != "fmu_time"]
    worst = 0.0
    for number in range(PROBLEMS):
        problem = draw(1, number)
        for change in changes_of(1, problem, with_matrices):
            worst = max(worst, difference(problem, change))
    print(f"exact solutions of changed problems: off by {worst:.2g}")
    return worst < TOLERANCE


def wrong_change_seen():
    """A to be scaled, but not B."""
    problem = draw(1, 0)
    change = next(time(problem, None))
    wrong = replace(change, job=copy.deepcopy(problem.job))
    for space in spaces(wrong.job).values():
        space["A"] = scaled(space["A"], change.time)
    return difference(problem, wrong) > 1000 * TOLERANCE


def right_answer(job):
    """What a program would say that goes by the rates of a problem: H = 0.1 / the largest one."""
    rate = max(abs(x) for space in spaces(job).values() for row in space["A"] for x in row)
    integrators = {name: "exact" for name in spaces(job)}
    configuration = {"scheme": "jacobi", "extrapolation": "1", "integrators": integrators}
    return Answer(macro_step_s=0.1 / rate, configuration=configuration, ties=[], error=0.03)


def longer(answer, factor):
    return replace(answer, macro_step_s=factor * answer.macro_step_s)


def less_accurate(answer, factor):
    return replace(answer, error=factor * answer.error)


def of_other_order(answer, ties):
    configuration = answer.configuration | {"extrapolation": "2"}
    return replace(answer, configuration=configuration, ties=ties)


def cases():
    """(name, change, what becomes of the right answer to the changed job, whether to report it)"""
    problem = draw(1, 0)
    faster = next(time(problem, None))
    renamed = next(RELATIONS["order"](problem, random.Random(1)))
    tighter = next(RELATIONS["tighter"](problem, random.Random(1)))
    return [
        ("the right answer", faster, lambda a: a, False),
        ("the scaling not undone", replace(faster, time=1.0), lambda a: a, True),
        ("H larger by 1.9 %", faster, lambda a: longer(a, 1.019), False),
        ("H larger by 3 %", faster, lambda a: longer(a, 1.03), True),
        ("an error larger by 4 %", faster, lambda a: less_accurate(a, 1.04), False),
        ("an error larger by 6 %", faster, lambda a: less_accurate(a, 1.06), True),
        ("other names", renamed, lambda a: a, False),
        ("another order", faster, lambda a: of_other_order(a, []), True),
        ("a tie", faster, lambda a: of_other_order(a, [a.configuration]), False),
        ("no answer", faster, lambda a: Answer(), True),
        ("no result", faster, lambda a: Answer(failure="exit 2"), True),
        ("a smaller H where that may be", tighter, lambda a: longer(a, 0.1), False),
        ("no answer where that may be", tighter, lambda a: Answer(), False),
        ("a larger H", tighter, lambda a: longer(a, 1.03), True),
    ]


def judge_bites():
    right = True
    for name, change, altered, must in cases():

        def ask(job):
            answer = right_answer(job)
            return altered(answer) if job is change.job else answer

        wrong = compared(change, ask).wrong
        if (wrong is not None) != must:
            print(f"{name}: {wrong or 'not reported'}")
            right = False
    return right


def main():
    right = [solutions_kept(), wrong_change_seen(), judge_bites()]
    print("the judge is right" if all(right) else "the judge is wrong")
    return 0 if all(right) else 1


if __name__ == "__main__":
    sys.exit(main())
