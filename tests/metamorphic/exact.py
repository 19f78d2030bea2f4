"""The exact outputs of a job's problem under constant inputs, written anew for the selftest.

With the states x of all subsystems and the external inputs at their maximum w, dx/dt = A x + b w.
A and b are found column by column, by asking for the slopes at unit states.
"""

from matrices import exponential, product, scaled, transposed


def outputs(job, time_s):
    """By name, `time_s` after the external inputs have jumped to their maximum."""
    system = Coupled(job)
    start = [x for space in system.parts.values() for x in space.get("x0", [])]
    n = len(start)
    columns = [system.at(unit(n, k), 0.0)[0] for k in range(n)]
    column = system.at([0.0] * n, 1.0)[0]
    # w is a last state, in pieces that move the others about as much as these move each other.
    piece = largest(columns) / largest([column])
    columns = [c + [0.0] for c in columns] + [[x * piece for x in column] + [0.0]]
    matrix = transposed(columns)
    end = product(exponential(scaled(matrix, time_s)), [[x] for x in start + [1.0 / piece]])
    return system.at([row[0] for row in end[:n]], 1.0)[1]


class Coupled:
    """Subsystems with their inputs connected; none of the problems has a loop of feedthrough."""

    def __init__(self, job):
        problem = job["problem"]
        self.parts = {part["name"]: part["state_space"] for part in problem["subsystems"]}
        self.source = {c["to"]: c["from"] for c in problem["connections"]}
        self.driven = {e["to"]: e["maximum"] for e in problem["external_inputs"]}

    def at(self, state, share):
        """(dx/dt of all states in a row, outputs by name) where `share` of w acts."""
        x, rest = {}, list(state)
        for name, space in self.parts.items():
            count = len(space.get("x0", []))
            x[name], rest = rest[:count], rest[count:]
        y = {}
        for _ in range(len(self.parts) + 1):  # feedthrough hands values on as often as this
            u = {name: self.inputs(name, y, share) for name in self.parts}
            for name, space in self.parts.items():
                for k, port in enumerate(space["outputs"]):
                    y[f"{name}.{port['name']}"] = row_of(space, "CD", k, x[name], u[name])
        slopes = [
            row_of(space, "AB", k, x[name], u[name])
            for name, space in self.parts.items()
            for k in range(len(x[name]))
        ]
        return slopes, y

    def inputs(self, name, y, share):
        ports = [f"{name}.{port['name']}" for port in self.parts[name]["inputs"]]
        return [share * self.driven.get(p, 0.0) + y.get(self.source.get(p), 0.0) for p in ports]


def row_of(space, matrices, k, x, u):
    """Row k of A x + B u or of C x + D u."""
    of_states, of_inputs = matrices
    total = sum(c * value for c, value in zip(space[of_states][k], x)) if x else 0.0
    return total + sum(d * value for d, value in zip(space[of_inputs][k], u))


def unit(n, k):
    return [float(i == k) for i in range(n)]


def largest(columns):
    return max(abs(x) for column in columns for x in column)
