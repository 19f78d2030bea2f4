"""The same problem said differently must get the same answer (README.md).

Exit code 0: no violation but the known ones; 1: others, or fewer than are listed.
"""

import argparse
import collections
import json
import os
import random
import sys
from dataclasses import dataclass

from answers import OUT, Answer, OutOfBudget, Program, fault, undone, write_json
from problems import draw
from relations import RELATIONS, Change

LIST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "known_violations.json")

HELP = """
RELATION  one or more of: {relations}; default: all

Environment:
  MACROSTEP_BINARY  the program (the release build)
  TIMEOUT           s of processor time for one search (40)
  BUDGET_S          s for all searches together (3600); answers that came are kept for the next run

A line per violation: what is wrong, and both answers. A table counts by relation. The jobs of a
violation stay in build/metamorphic.
"""


@dataclass
class Comparison:
    """Two answers to the same question; `wrong` says what violates the relation, None: nothing."""

    change: Change
    first: Answer
    second: Answer
    wrong: str | None


def changes_of(seed, problem, names):
    """Random numbers of a relation depend on the problem alone, not on what else is compared."""
    for name in names:
        r = random.Random(f"{seed} {problem.number} {name}")
        yield from RELATIONS[name](problem, r)


def compared(change, ask):
    """`ask` answers a job. None where the job to compare with has no result itself."""
    first = ask(change.base)
    if first.failure:
        return None
    second = undone(ask(change.job), change)
    wrong = fault(first, second, change.not_larger)
    return Comparison(change, first, second, wrong)


def say(text):
    print(text, flush=True)


def title(problem, change):
    return f"{problem.number:3d} {problem.family:10s} {change.label:14s}"


def tell(seed, problem, violation):
    """Prints a violation, and writes its jobs."""
    c = violation
    say(f"{title(problem, c.change)} {c.wrong}\n      {c.first}\n      {c.second}")
    stem = f"{OUT}/{seed}-{problem.number:03d}-{c.change.label.replace(' k=', '_k')}"
    write_json(stem + ".base.json", c.change.base)
    write_json(stem + ".changed.json", c.change.job)


def run(seed, count, names, program):
    """Comparisons by label, and whether the budget was enough for all."""
    by_label = collections.defaultdict(list)
    try:
        for number in range(count):
            problem = draw(seed, number)
            for change in changes_of(seed, problem, names):
                comparison = compared(change, program.answer)
                if comparison is None:
                    say(f"{title(problem, change)} not compared: no result as drawn")
                    continue
                by_label[change.label].append(comparison)
                if comparison.wrong:
                    tell(seed, problem, comparison)
    except OutOfBudget:
        say(f"the budget is used up in problem {number} of {count}")
        return by_label, False
    return by_label, True


def place(label):
    """Labels in the order of the relations, then of the powers of ten."""
    name, _, power = label.partition(" k=")
    return list(RELATIONS).index(name), int(power or 0)


def say_table(by_label, known):
    say(f"\n{'relation':16s} compared  violations  known")
    for label in sorted(by_label, key=place):
        listed = "-" if known is None else known.get(label, 0)
        say(f"{label:16s} {len(by_label[label]):8d} {violations(by_label, label):11d} {listed:>6}")


def violations(by_label, label):
    return sum(comparison.wrong is not None for comparison in by_label.get(label, []))


def against_list(by_label, known):
    """Of the run that the list is of: sentences on what is more or less than it says."""
    for label in sorted(set(by_label) | set(known), key=place):
        seen, listed = violations(by_label, label), known.get(label, 0)
        if seen > listed:
            yield f"{label}: {seen} violations, and the list knows {listed}"
        if seen < listed:
            yield f"{label}: {seen} violations; lower the {listed} of the list (--write)"


def beyond_list(by_label, known):
    """Of any other run: sentences on relations of which the list knows no violation."""
    for label in sorted(by_label, key=place):
        if violations(by_label, label) and not known.get(label):
            yield f"{label}: violations, and the list knows none"


def lowered(by_label, known):
    """The list with the numbers seen where they are smaller."""
    numbers = {label: min(listed, violations(by_label, label)) for label, listed in known.items()}
    return {label: number for label, number in numbers.items() if number}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog=HELP.format(relations=" ".join(RELATIONS)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("seed", metavar="SEED", type=int)
    parser.add_argument("count", metavar="COUNT", type=int)
    parser.add_argument("relations", metavar="RELATION", nargs="*")
    parser.add_argument("--write", action="store_true", help="lower the numbers of the list")
    options = parser.parse_args()
    for name in options.relations:
        if name not in RELATIONS:
            parser.error(f"{name} is not one of {' '.join(RELATIONS)}")
    return options


def main():
    options = arguments()
    names = options.relations or list(RELATIONS)
    with open(LIST) as file:
        listed = json.load(file)
    known = {k: v for k, v in listed["violations"].items() if k.split()[0] in names}
    of_list = (options.seed, options.count) == (listed["seed"], listed["problems"])
    program = Program(setting("TIMEOUT", 40), setting("BUDGET_S", 3600))
    by_label, complete = run(options.seed, options.count, names, program)
    say_table(by_label, known if of_list else None)
    if of_list and not complete:
        say("incomplete, so that it says nothing of the list: run it again")
        return 1
    if of_list and options.write:
        others = {label: n for label, n in listed["violations"].items() if label not in known}
        known = lowered(by_label, known)
        write_json(LIST, listed | {"violations": others | known})
    check = against_list if of_list else beyond_list
    complaints = list(check(by_label, known))
    say("\n".join(complaints) or "no violation but the known ones")
    return 1 if complaints else 0


def setting(name, default):
    return int(os.environ.get(name, default))


if __name__ == "__main__":
    sys.exit(main())
