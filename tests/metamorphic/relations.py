"""The same problem said differently: for each relation the changed job, and how its answer is read.

A relation takes a problem and its random numbers and gives changes, or none where it has none.
"""

import copy
import math
from dataclasses import dataclass, field

import fmus
from matrices import identity, product, scaled, transposed
from parts import give_unit, output_names, reorder_ports, scale_range, spaces, unit_of

FMU_POWERS = 3  # times of FMUs
POWERS = 6  # times and inputs change by up to so many powers of ten


@dataclass
class Change:
    """`job` must get the answer of `base`, once what was changed is undone.

    label        the relation, and the power of ten where it counts apart
    time         rates of `job` are those of `base` times this, so its H must be H / time
    names        of subsystems and outputs (as "a.f") in `job`: their names in `base`
    sizes        of outputs of `base`: their values in `job` are those in `base` times this
    same_error   whether the error is of the same outputs, each as often
    not_larger   the answer need not be the same, but H must not be larger
    """

    label: str
    base: dict
    job: dict
    time: float = 1.0
    names: dict = field(default_factory=dict)
    sizes: dict = field(default_factory=dict)
    same_error: bool = True
    not_larger: bool = False


def power_of_ten(k):
    return float(f"1e{k}")


def powers_of(problem):
    """A negative and a positive power; the next problem, and the next of its family, has others."""
    shift = problem.number + problem.number // POWERS
    return [-1 - shift % POWERS, 1 + (shift + POWERS // 2) % POWERS]


def time(problem, _):
    """All rates times 10^k: H must be H / 10^k."""
    for k in powers_of(problem):
        factor, job = power_of_ten(k), copy.deepcopy(problem.job)
        for space in spaces(job).values():
            space["A"], space["B"] = scaled(space["A"], factor), scaled(space["B"], factor)
        yield Change(f"time k={k}", problem.job, job, time=factor)


def inputs(problem, _):
    """Ranges of the external inputs and initial states times 10^k."""
    for k in powers_of(problem):
        factor, job = power_of_ten(k), copy.deepcopy(problem.job)
        for space in spaces(job).values():
            space["x0"] = [factor * x for x in space["x0"]]
        for external in job["problem"]["external_inputs"]:
            scale_range(external, factor)
        sizes = {name: factor for name in output_names(job)}
        yield Change(f"inputs k={k}", problem.job, job, sizes=sizes)


# The factor of a value that is given in the new unit.
UNITS = {
    "m": [("mm", 1e3), ("cm", 100.0)],
    "m/s": [("mm/s", 1e3)],
    "N": [("kN", 1e-3), ("MN", 1e-6)],
    "Pa": [("bar", 1e-5), ("MPa", 1e-6)],
    "V": [("mV", 1e3)],
    "A": [("mA", 1e3)],
    "W": [("kW", 1e-3)],
}


def new_unit(r, unit):
    """One of the units above, or any other one, which has no name; and its factor."""
    return r.choice(UNITS.get(unit, []) + [("", power_of_ten(r.randint(-6, 6)) * r.randint(1, 9))])


def units(problem, r):
    """Every output, and the external input, in another unit; factors of bonds are adjusted."""
    job = copy.deepcopy(problem.job)
    own, parts, sizes = job["problem"], spaces(job), {}
    for output in output_names(job):
        readers = [c["to"] for c in own["connections"] if c["from"] == output]
        unit, sizes[output] = new_unit(r, unit_of(job, "outputs", output))
        give_unit(parts, "outputs", output, unit, sizes[output])
        for reader in readers:
            give_unit(parts, "inputs", reader, unit, 1 / sizes[output])
    for external in own["external_inputs"]:
        unit, factor = new_unit(r, unit_of(job, "inputs", external["to"]))
        give_unit(parts, "inputs", external["to"], unit, 1 / factor)
        scale_range(external, factor)
    for bond in own["power_bonds"]:
        bond["factor"] /= sizes[bond["effort"]] * sizes[bond["flow"]]
    yield Change("units", problem.job, job, sizes=sizes)


def shuffled(r, items):
    return r.sample(items, len(items))


def order(problem, r):
    """Subsystems, ports, connections, bonds and external inputs in another order and renamed."""
    job = copy.deepcopy(problem.job)
    own, new = job["problem"], {}
    for space in spaces(job).values():
        rows, columns = (shuffled(r, range(len(space[side]))) for side in ("outputs", "inputs"))
        reorder_ports(space, rows, columns)
    for key in ("subsystems", "connections", "power_bonds", "external_inputs"):
        own[key] = shuffled(r, own[key])
    for number, part in enumerate(own["subsystems"]):
        old, part["name"] = part["name"], f"part_{r.randint(100, 999)}_{number}"
        new[old] = part["name"]
        for side in ("inputs", "outputs"):
            for place, port in enumerate(part["state_space"][side]):
                full = f"{old}.{port['name']}"
                port["name"] = f"{side[:-1]}{place}"
                new[full] = f"{part['name']}.{port['name']}"
    for connection in own["connections"]:
        connection.update({end: new[connection[end]] for end in ("from", "to")})
    for bond in own["power_bonds"]:
        bond.update({side: new[bond[side]] for side in ("effort", "flow")})
    for external in own["external_inputs"]:
        external["to"] = new[external["to"]]
    yield Change("order", problem.job, job, names={value: key for key, value in new.items()})


def bonds(problem, r):
    """The other sign of all bonds in common, and effort and flow of some of them swapped."""
    job = copy.deepcopy(problem.job)
    for place, bond in enumerate(job["problem"]["power_bonds"]):
        bond["factor"] *= -1
        if place == 0 or r.random() < 0.5:
            bond["effort"], bond["flow"] = bond["flow"], bond["effort"]
    yield Change("bonds", problem.job, job)


def states(problem, r):
    """x = T z in every subsystem: T turns each pair of states, and scales them by 0.5 to 2."""
    job = copy.deepcopy(problem.job)
    for space in spaces(job).values():
        turn = rotation(r, len(space["A"]))
        sizes = [r.uniform(0.5, 2.0) for _ in turn]
        t = [[x * size for x, size in zip(row, sizes)] for row in turn]
        inverse = [[x / size for x in row] for row, size in zip(transposed(turn), sizes)]
        space["A"] = product(inverse, product(space["A"], t))
        space["B"] = product(inverse, space["B"])
        space["C"] = product(space["C"], t)
        space["x0"] = [row[0] for row in product(inverse, [[x] for x in space["x0"]])]
    yield Change("states", problem.job, job)


def rotation(r, n):
    """A product of turns by random angles; the half-angle formula needs no sine."""
    total = identity(n)
    for i in range(n):
        for j in range(i + 1, n):
            tangent = r.uniform(-1.0, 1.0)
            cosine = (1 - tangent**2) / (1 + tangent**2)
            sine = 2 * tangent / (1 + tangent**2)
            turn = identity(n)
            turn[i][i], turn[i][j], turn[j][i], turn[j][j] = cosine, -sine, sine, cosine
            total = product(total, turn)
    return total


def pass_through(problem, r):
    """A static gain of 1 on a connection of no bond, stepped by Gauss-Seidel behind its source."""
    base = problem.job | {"search": {"schemes": ["gauss_seidel"]}}
    of_bonds = {b[side] for b in base["problem"]["power_bonds"] for side in ("effort", "flow")}
    free = [c for c in base["problem"]["connections"] if c["from"] not in of_bonds]
    if not free:
        return
    wire, job = r.choice(free), copy.deepcopy(base)
    own = job["problem"]
    port = {"unit": unit_of(base, "outputs", wire["from"])}
    gain = {"D": [[1.0]], "inputs": [{"name": "u"} | port], "outputs": [{"name": "y"} | port]}
    source = wire["from"].split(".")[0]
    place = [part["name"] for part in own["subsystems"]].index(source)
    own["subsystems"].insert(place + 1, {"name": "gain", "state_space": gain})
    own["connections"].remove(wire)
    own["connections"] += [
        {"from": wire["from"], "to": "gain.u"},
        {"from": "gain.y", "to": wire["to"]},
    ]
    yield Change("pass_through", base, job, same_error=False)


def unread_output(problem, r):
    """One more output that nothing reads, of a size from 1e-9 to 1e9."""
    job = copy.deepcopy(problem.job)
    space = r.choice(list(spaces(job).values()))
    size = 10 ** r.randint(-9, 9)
    space["C"].append([size * r.uniform(-1, 1) for _ in space["A"]])
    space["D"].append([0.0 for _ in space["inputs"]])
    space["outputs"].append({"name": "unread"})
    yield Change("unread_output", problem.job, job)


def beside(problem, r):
    """A stable subsystem that nothing reads; its rate is within a decade of the problem's own."""
    job = copy.deepcopy(problem.job)
    own = job["problem"]
    rate = problem.rate_per_s * math.sqrt(10) ** r.uniform(-1, 1)
    damping = r.uniform(0.2, 1.0)
    space = {
        "A": [[0.0, 1.0], [-(rate**2), -2 * damping * rate]],
        "B": [[0.0], [rate]],
        "C": [[1.0, 0.0]],
        "D": [[0.0]],
        "x0": [0.0, 0.0],
        "inputs": [{"name": "u"}],
        "outputs": [{"name": "y"}],
    }
    source = r.choice(own["connections"])["from"]
    receives = r.random() < 0.5
    if receives:
        own["connections"].append({"from": source, "to": "beside.u"})
        space["inputs"][0]["unit"] = unit_of(job, "outputs", source)
    else:
        space["x0"] = [r.uniform(-1, 1), rate * r.uniform(-1, 1)]
        space |= {"B": [[], []], "D": [[]], "inputs": []}
    own["subsystems"].insert(
        r.randint(0, len(own["subsystems"])), {"name": "beside", "state_space": space}
    )
    yield Change("beside", problem.job, job)


def tests_of(problem):
    """Three tests, as long as some ten of its fast periods."""
    duration_s = 60 / problem.rate_per_s
    return [
        {"name": "step", "kind": "step", "duration_s": duration_s},
        {"name": "impulse", "kind": "impulse", "duration_s": duration_s},
        {"name": "ramp", "kind": "ramp", "duration_s": duration_s},
    ]


def test_twice(problem, r):
    """A test listed once more under another name."""
    base = problem.job | {"tests": tests_of(problem)}
    again = r.choice(base["tests"]) | {"name": "again"}
    yield Change("test_twice", base, base | {"tests": base["tests"] + [again]})


def one_configuration(problem, r):
    """The job with one configuration, so that answers differ in H alone."""
    names = [part["name"] for part in problem.job["problem"]["subsystems"]]
    search = {
        "extrapolation": [r.choice("012")],
        "integrators": {name: ["exact"] for name in names},
    }
    return problem.job | {"search": search, "tests": tests_of(problem)}


def tighter(problem, r):
    """Of one configuration a tighter accuracy never gives a larger H."""
    wide = one_configuration(problem, r)
    limits = [None, 0.2, 0.1, 0.05, 0.02, 0.01]
    at = r.randrange(len(limits) - 1)
    base, job = (wide | {"search": wide["search"] | {"accuracy": a}} for a in limits[at : at + 2])
    yield Change("tighter", base, job, not_larger=True)


def one_more_test(problem, r):
    """Of one configuration one test more never gives a larger H."""
    job = one_configuration(problem, r)
    left_out = r.randrange(len(job["tests"]))
    fewer = [test for k, test in enumerate(job["tests"]) if k != left_out]
    yield Change("one_more_test", job | {"tests": fewer}, job, not_larger=True)


def fmu_time(problem, _):
    """All rates of a pair of FMUs times 10^k, k from −3 to 3. FMUs that start in motion have none."""
    if any(any(space["x0"]) for space in spaces(problem.job).values()):
        return
    base = fmus.job_of(problem.job, 1.0)
    for k in powers_of(problem):
        k = math.copysign(1 + (abs(k) - 1) % FMU_POWERS, k)
        factor = power_of_ten(int(k))
        yield Change(f"fmu_time k={k:.0f}", base, fmus.job_of(problem.job, factor), time=factor)


RELATIONS = {
    relation.__name__: relation
    for relation in (
        time,
        units,
        inputs,
        order,
        bonds,
        states,
        pass_through,
        unread_output,
        beside,
        test_twice,
        tighter,
        one_more_test,
        fmu_time,
    )
}
