"""Problems whose subsystems are FMUs: matrices compiled into unit.c of tests/judge."""

import copy
import hashlib
import json
import os
import sys

from answers import OUT
from parts import spaces

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "judge"))

TOLERANCE = 1e-9  # relative, of the FMUs' own solver
NOMINAL = 1.0


def job_of(job, factor):
    """The problem alone, with its subsystems as FMUs whose rates are `factor` times as fast."""
    job = {"problem": copy.deepcopy(job["problem"])}
    for part in job["problem"]["subsystems"]:
        part["fmu"] = file_of(part["name"], part.pop("state_space"), factor)
    for bond in job["problem"]["power_bonds"]:
        bond.setdefault("factor", 1)
    return job


def file_of(name, space, factor):
    """The FMU of a subsystem, compiled unless it is there."""
    from make_fmu import make_fmu  # needs numpy and gcc, which other relations do not

    a, b = ([[factor * x for x in row] for row in space[matrix]] for matrix in "AB")
    unit = (a, b, space["C"], space["D"])
    ports = tuple([port["name"] for port in space[side]] for side in ("inputs", "outputs"))
    digest = hashlib.sha256(json.dumps([name, unit, ports, TOLERANCE]).encode()).hexdigest()[:16]
    folder = OUT + "/fmus"
    os.makedirs(folder, exist_ok=True)
    path = f"{folder}/{name}_{digest}.fmu"
    if not os.path.exists(path):
        make_fmu(path, name, unit, ports, [NOMINAL] * len(ports[1]), TOLERANCE, True)
    return path
