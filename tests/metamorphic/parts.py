"""What a job's problem is made of: its subsystems by name, their ports and matrices."""


def spaces(job):
    return {part["name"]: part["state_space"] for part in job["problem"]["subsystems"]}


def port_index(space, side, port):
    return [p["name"] for p in space[side]].index(port)


def output_names(job):
    return [f"{n}.{p['name']}" for n, space in spaces(job).items() for p in space["outputs"]]


def unit_of(job, side, full_name):
    name, port = full_name.split(".")
    space = spaces(job)[name]
    return space[side][port_index(space, side, port)]["unit"]


def give_unit(parts, side, full_name, unit, factor):
    """A port's unit, and its row or column times `factor`; a unit without a name is left out."""
    name, port = full_name.split(".")
    space = parts[name]
    index = port_index(space, side, port)
    if side == "outputs":
        for matrix in "CD":
            space[matrix][index] = [factor * x for x in space[matrix][index]]
    else:
        for matrix in "BD":
            for row in space[matrix]:
                row[index] *= factor
    space[side][index] = {"name": port} | ({"unit": unit} if unit else {})


def scale_range(external, factor):
    for name in ("initial", "minimum", "maximum"):
        external[name] *= factor


def reorder_ports(space, rows, columns):
    """Outputs in the order `rows`, inputs in the order `columns`."""
    for matrix in "CD":
        space[matrix] = [space[matrix][k] for k in rows]
    for matrix in "BD":
        space[matrix] = [[row[k] for k in columns] for row in space[matrix]]
    space["outputs"] = [space["outputs"][k] for k in rows]
    space["inputs"] = [space["inputs"][k] for k in columns]
