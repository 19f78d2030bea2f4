"""Pairs of units whose exact system keeps a motion: eigenvalues 0, which let nothing else grow."""

import dataclasses
import math

import numpy as np

from common import log_uniform
from pairs import Masses, Pair, force_displacement, force_velocity, recipe

LARGEST_TRIES = 200


def free_pair(r, number, m):
    free = dataclasses.replace(m, k1=0, k2=0, c1=0, c2=0)
    return force_displacement("free_pair", free, swap=r.random() < 0.5)


def rotors(r, number, m):
    """Free, too; with drag at one rotor, at two of three pairs also at the other."""
    j1, j2 = log_uniform(r, 1e-3, 1), log_uniform(r, 1e-3, 1)
    kt = min(j1, j2) * (2 * math.pi * log_uniform(r, 0.5, 50)) ** 2
    ct = 2 * log_uniform(r, 0.002, 0.05) * math.sqrt(kt * min(j1, j2))
    c1 = log_uniform(r, 1e-3, 1) * ct
    c2 = ct * log_uniform(r, 1e-3, 1) * (number % 3 > 0)
    return force_displacement("rotors", Masses(j1, j2, 0, 0, kt, c1, c2, ct), r.random() < 0.5)


def integrating_spring(r, number, m):
    """The coupling spring integrates a velocity, which the other unit integrates as well."""
    owner = (
        [[0, 1, 0], [-m.k1 / m.m1, -(m.c1 + m.cc) / m.m1, -m.kc / m.m1], [0, 1, 0]],
        [[0, 0], [m.cc / m.m1, 1 / m.m1], [-1, 0]],
        [[0, m.cc, m.kc]],
        [[-m.cc, 0]],
    )
    other = ([[0, 1], [-m.k2 / m.m2, -m.c2 / m.m2]], [[0], [1 / m.m2]], [[0, 1]], [[0]])
    return force_velocity("integrating_spring", owner, other, 10 / math.sqrt(m.k2 * m.m2))


def pi_speed(r, number, m):
    """A rotor whose angle nobody reads, and a PI controller of its speed."""
    inertia, w0 = log_uniform(r, 1e-3, 10), 2 * math.pi * log_uniform(r, 0.3, 5)
    zeta = r.uniform(0.05, 0.8)
    drag = inertia * w0 * log_uniform(r, 1e-3, 0.1)
    ki, kp = inertia * w0 * w0, 2 * zeta * inertia * w0 - drag
    plant = (
        [[-drag / inertia, 0], [1, 0]],
        [[1 / inertia, 1 / inertia], [0, 0]],
        [[1, 0]],
        [[0, 0]],
    )
    control = ([[0]], [[-1]], [[ki]], [[-kp]])
    return Pair(
        "pi_speed",
        units=[plant, control],
        names=[(["f", "w"], ["v"]), (["v"], ["f"])],
        wires=[(0, 0, 1, 0), (1, 0, 0, 0)],
        bond=((1, 0), (0, 0)),
        nominal=[[1 / (inertia * w0)], [1.0]],
    )


def pid_position(r, number, m):
    w1 = math.sqrt(m.k1 / m.m1)
    kp, kd = m.k1 * log_uniform(r, 0.1, 3), 2 * r.uniform(0.05, 0.5) * math.sqrt(m.k1 * m.m1)
    ki = kp * w1 * log_uniform(r, 0.01, 0.5)
    plant = (
        [[0, 1], [-m.k1 / m.m1, -m.c1 / m.m1]],
        [[0, 0], [1 / m.m1, 1 / m.m1]],
        [[1, 0], [0, 1]],
        [[0, 0], [0, 0]],
    )
    control = ([[0]], [[1, 0]], [[-ki]], [[-kp, -kd]])
    return Pair(
        "pid_position",
        units=[plant, control],
        names=[(["f", "w"], ["x", "v"]), (["x", "v"], ["f"])],
        wires=[(0, 0, 1, 0), (0, 1, 1, 1), (1, 0, 0, 0)],
        bond=((1, 0), (0, 1)),
        nominal=[[10 / m.k1, 10 / math.sqrt(m.k1 * m.m1)], [10.0]],
    )


def filled(variant, names, first, second, effort):
    """The first unit gives an effort, of the usual size `effort`, for the flow that leaves it."""
    e, f = names
    return Pair(
        variant,
        units=[first, second],
        names=[([f, "w"], [e]), ([e], [f])],
        wires=[(0, 0, 1, 0), (1, 0, 0, 0)],
        bond=((0, 0), (1, 0)),
        nominal=[[effort], [10.0]],
    )


def tanks(r, number, m):
    """Two tanks; the pipe between them, with inertia and loss, belongs to the second."""
    c_1, c_2 = log_uniform(r, 0.1, 10), log_uniform(r, 0.1, 10)
    inertia = 1 / ((2 * math.pi * log_uniform(r, 0.05, 5)) ** 2 * min(c_1, c_2))
    loss = 2 * log_uniform(r, 0.002, 0.5) * math.sqrt(inertia / min(c_1, c_2))
    tank = ([[0]], [[-1 / c_1, 1 / c_1]], [[1]], [[0, 0]])
    pipe = (
        [[-loss / inertia, -1 / inertia], [1 / c_2, 0]],
        [[1 / inertia], [0]],
        [[1, 0]],
        [[0]],
    )
    return filled("tanks", "pq", tank, pipe, 10 / c_1)


def heat(r, number, m):
    """Two heat capacities and what conducts between them."""
    c_1, c_2 = log_uniform(r, 0.1, 10), log_uniform(r, 0.1, 10)
    conductance = log_uniform(r, 0.1, 10)
    first = ([[0]], [[-1 / c_1, 1 / c_1]], [[1]], [[0, 0]])
    second = ([[-conductance / c_2]], [[conductance / c_2]], [[-conductance]], [[conductance]])
    return filled("heat", "tq", first, second, 10 / c_1)


def mass_on_damper(r, number, m):
    """A free mass, pulled along by a damper: its place is a state that nobody reads."""
    c = 2 * log_uniform(r, 0.05, 1) * math.sqrt(m.k1 * min(m.m1, m.m2))
    owner = (
        [[0, 1], [-m.k1 / m.m1, -(m.c1 + c) / m.m1]],
        [[0, 0], [c / m.m1, 1 / m.m1]],
        [[0, c]],
        [[-c, 0]],
    )
    other = ([[0, 0], [1, 0]], [[1 / m.m2], [0]], [[1, 0]], [[0]])
    return force_velocity("mass_on_damper", owner, other, 10 / math.sqrt(m.k1 * m.m2))


KINDS = [
    free_pair,
    rotors,
    integrating_spring,
    pi_speed,
    pid_position,
    tanks,
    heat,
    mass_on_damper,
]


def decays(pair):
    """Whether all that the exact system does not keep decays, and not too slowly to be told."""
    sigma = np.linalg.eigvals(pair.coupled().exact())
    rest = sigma[abs(sigma) > 1e-6 * abs(sigma).max()]
    return (rest.real < -1e-4 * abs(rest).min()).all()


def draw_kept_motion(r, number):
    """The kinds in turn; some draw from the recipe's masses what they need."""
    kind = KINDS[number % len(KINDS)]
    for _ in range(LARGEST_TRIES):
        pair = kind(r, number, recipe(r, damped=True))
        if decays(pair):
            return pair
    raise RuntimeError(f"no {kind.__name__} decays")
