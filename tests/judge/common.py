"""Small helpers of all judges: settings, random numbers, and what is printed."""

import argparse
import math
import os
import statistics
import time


def setting(name, default):
    """The environment variable as a value of the default's type."""
    return type(default)(os.environ.get(name, default))


def arguments(description, epilog, own):
    """Of the command line: SEED, the judge's own by name with their options, OUTDIR."""
    parser = argparse.ArgumentParser(
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for name, options in {"seed": {"type": int}, **own}.items():
        parser.add_argument(name, metavar=name.upper(), **options)
    parser.add_argument("folder", metavar="OUTDIR", nargs="?")
    return parser.parse_args()


def log_uniform(r, low, high):
    return math.exp(r.uniform(math.log(low), math.log(high)))


def say(text):
    print(text, flush=True)


def shown(value, digits=4):
    return "-" if value is None else f"{value:.{digits}g}"


def median(values):
    """Of what is known; None where nothing is."""
    known = [v for v in values if v is not None]
    return statistics.median(known) if known else None


def numbers_within(count, budget_s):
    """Numbers of problems, from SKIP on, until the budget is used up."""
    begin = time.monotonic()
    skip = setting("SKIP", 0)
    for number in range(skip, skip + count):
        if time.monotonic() - begin > budget_s:
            say(f"the budget of {budget_s:g} s is used up")
            return
        yield number


def say_flagged(flagged, flags):
    """A line per flag that something has; `flagged` finds the names of what has one."""
    for flag in flags:
        names = flagged(flag)
        if names:
            say(f"  {flag}: {' '.join(map(str, names))}")
