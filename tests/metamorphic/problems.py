"""Linear problems of one's own, drawn by a seed and a number, as jobs that name nothing else.

Numbers are rounded to four digits, so that every machine draws the same ones. README.md says what
is drawn.
"""

import math
import random
from dataclasses import dataclass


@dataclass
class Problem:
    number: int
    family: str
    rate_per_s: float  # the size of its fastest rates
    job: dict


def drawn(r, low, high):
    """Log-uniform."""
    return float(f"{math.exp(r.uniform(math.log(low), math.log(high))):.4g}")


def ports(words):
    """Ports from words such as "x:m, t:N m"."""
    return [dict(zip(("name", "unit"), word.split(":"))) for word in words.split(", ")]


def subsystem(name, a, b, c, d, inputs, outputs):
    space = {"A": a, "B": b, "C": c, "D": d, "x0": [0.0] * len(a)}
    space |= {"inputs": ports(inputs), "outputs": ports(outputs)}
    return {"name": name, "state_space": space}


def coupled(subsystems, wires, bonds, driven, largest):
    """A problem; wires are words such as "a.f>b.f", the input `driven` goes to ± `largest`."""
    return {
        "subsystems": subsystems,
        "connections": [dict(zip(("from", "to"), wire.split(">"))) for wire in wires.split()],
        "power_bonds": bonds,
        "external_inputs": [
            {"to": driven, "initial": 0.0, "minimum": -largest, "maximum": largest}
        ],
    }


def bond(effort, flow, factor=1.0):
    return {"effort": effort, "flow": flow, "factor": factor}


def spring(r, mass):
    """Stiffness and damping that a mass of that size swings on."""
    omega = 2 * math.pi * drawn(r, 10, 60)
    return mass * omega**2, 2 * drawn(r, 0.01, 0.1) * mass * omega


def owner_of_spring(name, mass, to_ground, between, driven):
    """A mass that owns the spring to its neighbour: motion of the neighbour in, force out."""
    (k, c), (kc, cc) = to_ground, between
    a = [[0.0, 1.0], [-(k + kc) / mass, -(c + cc) / mass]]
    b = [[0.0, 0.0], [kc / mass, cc / mass]]
    d = [[-kc, -cc]]
    if driven:
        b, d = [b[0] + [0.0], b[1] + [1 / mass]], [d[0] + [0.0]]
    inputs = "x:m, v:m/s" + (", w:N" if driven else "")
    return subsystem(name, a, b, [[kc, cc]], d, inputs, "f:N")


def moved_mass(name, mass, to_ground, forces):
    """A mass that is moved by forces and tells its motion."""
    k, c = to_ground
    b = [[0.0] * len(forces), [1 / mass] * len(forces)]
    a, d = [[0.0, 1.0], [-k / mass, -c / mass]], [[0.0] * len(forces)] * 2
    inputs = ", ".join(f"{force}:N" for force in forces)
    return subsystem(name, a, b, [[1.0, 0.0], [0.0, 1.0]], d, inputs, "x:m, v:m/s")


def masses(r):
    """Two masses on springs, coupled by force and displacement; a force acts on the first."""
    m1, m2 = drawn(r, 0.5, 50), drawn(r, 0.5, 50)
    to_ground, other, between = spring(r, m1), spring(r, m2), spring(r, min(m1, m2))
    parts = [
        owner_of_spring("m1", m1, to_ground, between, driven=True),
        moved_mass("m2", m2, other, ["f"]),
    ]
    wires = "m2.x>m1.x m2.v>m1.v m1.f>m2.f"
    return coupled(parts, wires, [bond("m1.f", "m2.v")], "m1.w", 10.0), rate_of(between, m1, m2)


def chain(r):
    """Three masses; the outer ones own the springs to the one in the middle."""
    sizes = [drawn(r, 0.5, 50) for _ in range(3)]
    grounds = [spring(r, size) for size in sizes]
    left, right = spring(r, min(sizes[:2])), spring(r, min(sizes[1:]))
    parts = [
        owner_of_spring("m1", sizes[0], grounds[0], left, driven=True),
        moved_mass("m2", sizes[1], grounds[1], ["f1", "f3"]),
        owner_of_spring("m3", sizes[2], grounds[2], right, driven=False),
    ]
    wires = "m2.x>m1.x m2.v>m1.v m1.f>m2.f1 m2.x>m3.x m2.v>m3.v m3.f>m2.f3"
    bonds = [bond("m1.f", "m2.v"), bond("m3.f", "m2.v")]
    rate = max(rate_of(left, *sizes[:2]), rate_of(right, *sizes[1:]))
    return coupled(parts, wires, bonds, "m1.w", 10.0), rate


def rate_of(between, m1, m2):
    return math.sqrt(between[0] / min(m1, m2))


def thermal(r):
    """Two heat capacities; the second owns the resistance between them. The bond is in W per K."""
    c1, c2, g = drawn(r, 1, 100), drawn(r, 1, 100), drawn(r, 100, 1000)
    conductance, loss1, loss2 = g * min(c1, c2), drawn(r, 5, 50) * c1, drawn(r, 5, 50) * c2
    parts = [
        subsystem("room", [[-loss1 / c1]], [[1 / c1, -1 / c1]], [[1.0]], [[0.0, 0.0]],
                  "p:W, q:W", "T:K"),
        subsystem("wall", [[-(conductance + loss2) / c2]], [[conductance / c2]],
                  [[-conductance]], [[conductance]], "T:K", "q:W"),
    ]
    bonds = [bond("room.T", "wall.q", 1 / 300)]
    return coupled(parts, "room.T>wall.T wall.q>room.q", bonds, "room.p", 1000.0), g


def electrical(r):
    """A coil on a voltage, and a capacitor with a second coil beside it."""
    coil, coil2, omega = drawn(r, 1e-3, 0.1), drawn(r, 1e-3, 0.1), 2 * math.pi * drawn(r, 5, 50)
    capacity = 1 / (coil * omega**2)
    loss, loss2 = drawn(r, 0.05, 0.5) * omega, drawn(r, 0.05, 0.5) * omega
    parts = [
        subsystem("coil", [[-loss]], [[1 / coil, -1 / coil]], [[1.0]], [[0.0, 0.0]],
                  "e:V, v:V", "i:A"),
        subsystem("filter", [[-loss, -1 / capacity], [1 / coil2, -loss2]], [[1 / capacity], [0.0]],
                  [[1.0, 0.0]], [[0.0]], "i:A", "v:V"),
    ]
    bonds = [bond("filter.v", "coil.i")]
    return coupled(parts, "coil.i>filter.i filter.v>coil.v", bonds, "coil.e", 24.0), omega


def tanks(r):
    """Two tanks; the second owns the pipe between them, with the inertia of its water."""
    k1, k2 = (9810 / drawn(r, 0.01, 1) for _ in range(2))  # Pa per m3: density, gravity, area
    omega = 2 * math.pi * drawn(r, 3, 30)
    inertia = k1 / omega**2
    leak1, leak2, friction = (drawn(r, 0.1, 1) * omega for _ in range(3))
    parts = [
        subsystem("tank", [[-leak1]], [[k1, -k1]], [[1.0]], [[0.0, 0.0]],
                  "w:m^3/s, q:m^3/s", "p:Pa"),
        subsystem("pipe", [[-friction, -1 / inertia], [k2, -leak2]], [[1 / inertia], [0.0]],
                  [[1.0, 0.0]], [[0.0]], "p:Pa", "q:m^3/s"),
    ]
    bonds = [bond("tank.p", "pipe.q")]
    return coupled(parts, "tank.p>pipe.p pipe.q>tank.q", bonds, "tank.w", 0.01), omega


def motor(r):
    """A motor on a voltage, and a load on an elastic shaft that belongs to the load."""
    j1, j2, omega = drawn(r, 1e-3, 0.1), drawn(r, 1e-3, 0.1), 2 * math.pi * drawn(r, 10, 60)
    shaft = min(j1, j2) * omega**2
    damping = 2 * drawn(r, 0.02, 0.2) * min(j1, j2) * omega
    electric, friction = drawn(r, 0.3, 3) * omega, drawn(r, 0.05, 0.5) * omega
    constant = drawn(r, 0.1, 1)  # N m per A and V s
    coil = constant**2 / (j1 * omega**2)
    parts = [
        subsystem("motor", [[-electric, -constant / coil], [constant / j1, -friction]],
                  [[1 / coil, 0.0], [0.0, -1 / j1]], [[0.0, 1.0]], [[0.0, 0.0]],
                  "e:V, t:N m", "w:rad/s"),
        subsystem("load", [[0.0, -1.0], [shaft / j2, -damping / j2 - friction]],
                  [[1.0], [damping / j2]], [[shaft, -damping]], [[damping]],
                  "w:rad/s", "t:N m"),
    ]
    bonds = [bond("load.t", "motor.w")]
    return coupled(parts, "motor.w>load.w load.t>motor.t", bonds, "motor.e", 24.0), omega


FAMILIES = [masses, thermal, electrical, tanks, motor, chain]


def draw(seed, number):
    """Every second problem of every family starts in motion."""
    r = random.Random(f"metamorphic {seed} {number}")
    family = FAMILIES[number % len(FAMILIES)]
    problem, rate_per_s = family(r)
    if (number + number // len(FAMILIES)) % 2 == 1:
        stir(r, problem, rate_per_s)
    job = {"name": f"{family.__name__} {number}", "problem": problem}
    return Problem(number, family.__name__, rate_per_s, job)


def stir(r, problem, rate_per_s):
    """An initial state of about the size that the external input moves it to."""
    external = problem["external_inputs"][0]
    name, port = external["to"].split(".")
    for part in problem["subsystems"]:
        if part["name"] == name:
            space = part["state_space"]
            column = [p["name"] for p in space["inputs"]].index(port)
            size = external["maximum"] / rate_per_s
            space["x0"] = [r.uniform(-1, 1) * size * row[column] for row in space["B"]]
