"""Random inputs that a search has not seen, as recorded tests of a job."""

import math
import random
from dataclasses import dataclass

from common import log_uniform

LARGEST_COUNT = 20000  # points of one record
POINTS_PER_PERIOD = 24


@dataclass
class Span:
    """How fast and how far one input goes."""

    shortest_s: float
    longest_s: float
    duration_s: float
    low: float
    high: float
    start: float

    def time(self, r):
        return log_uniform(r, self.shortest_s, self.longest_s)

    def value(self, r):
        return r.uniform(self.low, self.high)


def levels(r, span, ends_only=False):
    """Random levels, or from one end of the range to the other."""
    t, points = r.uniform(0, 1) * span.shortest_s, [(0.0, span.start)]
    up = r.random() < 0.5
    while t < span.duration_s and len(points) < LARGEST_COUNT:
        up = not up
        end = span.high if up else span.low
        points.append((t, end if ends_only else span.value(r)))
        t += span.time(r)
    return points


def switching(r, span):
    return levels(r, span, ends_only=True)


def ramps(r, span):
    t, points = 0.0, [(0.0, span.start)]
    while t < span.duration_s and len(points) < LARGEST_COUNT:
        t += span.time(r)
        points.append((t, span.value(r)))
    return points


def joystick(r, span):
    """To a deflection within a given time, hold it, often back to rest, pause."""
    t, points = 0.0, [(0.0, span.start)]
    shortest, longest = span.shortest_s, span.longest_s
    while t < span.duration_s and len(points) < LARGEST_COUNT - 4:
        rise = log_uniform(r, shortest, max(2 * shortest, longest / 5))
        target = r.choice([span.low, span.high, span.value(r), span.value(r)])
        pause = r.uniform(0, 1) * shortest + 1e-9
        for dt, value in ((pause, points[-1][1]), (rise, target), (span.time(r), target)):
            t += dt
            points.append((t, value))
        if r.random() < 0.6:
            t += log_uniform(r, shortest, longest / 3) if longest > 3 * shortest else shortest
            points.append((t, span.start))
    return points


def sine(r, span, chirp=False):
    """Over the whole range; a chirp ends with another frequency. At last it stays where it is."""
    centre, reach = 0.5 * (span.low + span.high), 0.5 * (span.high - span.low)
    f0 = log_uniform(r, 0.25 / span.longest_s, 0.25 / span.shortest_s)
    f1 = log_uniform(r, 0.25 / span.longest_s, 0.25 / span.shortest_s) if chirp else f0
    rate = POINTS_PER_PERIOD * max(f0, f1)
    count = int(min(LARGEST_COUNT, max(200, rate * span.duration_s)))
    moving_s = min(span.duration_s, count / rate)
    points = [(0.0, span.start)]
    for k in range(1, count + 1):
        t = moving_s * k / count
        phase = 2 * math.pi * (f0 * t + 0.5 * (f1 - f0) * t * t / moving_s)
        points.append((t, min(max(centre + reach * math.sin(phase), span.low), span.high)))
    return points


def chirp(r, span):
    return sine(r, span, chirp=True)


KINDS = [levels, ramps, sine, chirp, switching, joystick]


def unseen(r, number, externals, shortest_s, longest_s, duration_s, share):
    """(kind, test) of a number: the kinds take turns, over a share of the range of each input.

    All external inputs move, each on its own, or in three of ten tests one alone.
    """
    kind = KINDS[number % len(KINDS)]
    alone = r.randrange(len(externals)) if len(externals) > 1 and r.random() < 0.3 else None
    records = {}
    for k, e in enumerate(externals):
        state = random.Random(r.random())  # the same signal whatever the share
        if alone is not None and k != alone:
            continue
        start = e["initial"]
        low, high = (start + share * (e[side] - start) for side in ("minimum", "maximum"))
        points = kind(state, Span(shortest_s, longest_s, duration_s, low, high, start))
        times, values = zip(*points)
        records[e["to"]] = {
            "time_s": times,
            "value": values,
            "interpolation": "held" if kind in (levels, switching) else "linear",
        }
    name = kind.__name__ + ("" if alone is None else " of " + externals[alone]["to"])
    test = {"name": "unseen", "kind": "recorded", "records": records, "duration_s": duration_s}
    return name, test
