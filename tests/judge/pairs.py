"""Pairs of linear units, as they stand in a job and as matrices; the recipe of the two masses."""

import math
from dataclasses import dataclass

import numpy as np

from common import log_uniform
from matrices import Coupled, Unit


@dataclass
class Pair:
    variant: str
    units: list  # (A, B, C, D) of each; the external input w is the last one of the driven unit
    names: list  # (inputs, outputs) of each
    wires: list  # (unit, output, unit, input)
    bond: tuple  # (unit, output) of the effort and of the flow
    nominal: list  # usual sizes of the outputs of each
    driven: int = 0
    largest: float = 10.0  # w goes from -largest to largest

    def coupled(self):
        parts = []
        for k, (a, b, c, d) in enumerate(self.units):
            inputs = len(self.names[k][0]) - (1 if self.driven == k else 0)
            b, d = np.atleast_2d(np.array(b, float)), np.atleast_2d(np.array(d, float))
            parts.append(Unit(a, b[:, :inputs], c, d[:, :inputs]))
        return Coupled(parts, self.wires)


@dataclass
class Masses:
    """Two masses, each with a spring and a damper to the ground, and those between them."""

    m1: float
    m2: float
    k1: float
    k2: float
    kc: float
    c1: float
    c2: float
    cc: float


def damper(r, k, m):
    """2 zeta sqrt(k m)"""
    return 2 * log_uniform(r, 0.002, 0.05) * math.sqrt(k * m)


def recipe(r, damped):
    """The recipe of README.md here."""
    m1, m2 = log_uniform(r, 0.5, 50), log_uniform(r, 0.5, 50)
    f1, f2, fc = (log_uniform(r, 0.5, 5) for _ in range(3))
    k1, k2 = m1 * (2 * math.pi * f1) ** 2, m2 * (2 * math.pi * f2) ** 2
    kc = min(m1, m2) * (2 * math.pi * fc) ** 2
    if not damped:
        return Masses(m1, m2, k1, k2, kc, 0.0, 0.0, 0.0)
    c1, c2, cc = damper(r, k1, m1), damper(r, k2, m2), damper(r, kc, min(m1, m2))
    return Masses(m1, m2, k1, k2, kc, c1, c2, cc)


def force_displacement(variant, m, swap):
    """The first unit owns the coupling spring and is driven; swapped, it stands second."""
    owner = (
        [[0, 1], [-(m.k1 + m.kc) / m.m1, -(m.c1 + m.cc) / m.m1]],
        [[0, 0, 0], [m.kc / m.m1, m.cc / m.m1, 1 / m.m1]],
        [[m.kc, m.cc]],
        [[-m.kc, -m.cc, 0]],
    )
    other = (
        [[0, 1], [-m.k2 / m.m2, -m.c2 / m.m2]],
        [[0], [1 / m.m2]],
        [[1, 0], [0, 1]],
        [[0], [0]],
    )
    if m.k2 == 0:
        # Free: a twentieth of what would stretch the spring by 1, or it drifts off at once.
        largest = 0.05 * m.kc
        nominal = [[largest], [1.0, math.sqrt(m.kc / min(m.m1, m.m2))]]
    else:
        largest = 10.0
        nominal = [[10.0], [10.0 / m.k2, 10.0 / math.sqrt(m.k2 * m.m2)]]
    pair = Pair(
        variant,
        units=[owner, other],
        names=[(["x", "v", "w"], ["f"]), (["f"], ["x", "v"])],
        wires=[(1, 0, 0, 0), (1, 1, 0, 1), (0, 0, 1, 0)],
        bond=((0, 0), (1, 1)),
        nominal=nominal,
        largest=largest,
    )
    if swap:
        pair.variant += "/swapped"
        for of_units in (pair.units, pair.names, pair.nominal):
            of_units.reverse()
        pair.wires = [(1 - a, out, 1 - b, inp) for a, out, b, inp in pair.wires]
        pair.bond, pair.driven = ((1, 0), (0, 1)), 1
    return pair


def force_velocity(variant, owner, other, velocity):
    """The first unit gives a force for a velocity, of the usual size `velocity`, and is driven."""
    return Pair(
        variant,
        units=[owner, other],
        names=[(["v", "w"], ["f"]), (["f"], ["v"])],
        wires=[(1, 0, 0, 0), (0, 0, 1, 0)],
        bond=((0, 0), (1, 0)),
        nominal=[[10.0], [velocity]],
    )


def hung(m):
    """A mass without a spring to the ground, on a spring of its own that integrates v - v_2."""
    owner = (
        [[-(m.c1 + m.cc) / m.m1, -m.kc / m.m1], [1, 0]],
        [[m.cc / m.m1, 1 / m.m1], [-1, 0]],
        [[m.cc, m.kc]],
        [[-m.cc, 0]],
    )
    other = ([[0, 1], [-m.k2 / m.m2, -m.c2 / m.m2]], [[0], [1 / m.m2]], [[0, 1]], [[0]])
    return force_velocity("hung", owner, other, 10.0 / math.sqrt(m.k2 * m.m2))


def draw_masses(r, damped):
    masses = recipe(r, damped)
    kind = r.random()
    if kind < 0.75:
        return force_displacement("force_displacement", masses, swap=kind > 0.4)
    masses.c1 = damper(r, masses.kc, masses.m1) if damped else 0.0
    return hung(masses)
