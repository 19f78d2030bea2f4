"""Linear units as matrices: the coupled system, and the matrix Phi of one macro-step of size H.

A unit is dx/dt = A x + B u, y = C x + D u, and u = L y couples the units. A macro-step of the
scheme Jacobi extrapolates every input from the outputs of the last m + 1 communication points (m is
the order) and integrates every unit by itself: z = (x_n, y_n, ..., y_(n-m)) becomes Phi z. All of
this is written independently of the program.
"""

import math

import numpy as np

# Pade approximant of degree 13 of exp: N. Higham, SIAM J. Matrix Anal. Appl. 26 (2005), p. 1179.
PADE_13 = [
    64764752532480000.0,
    32382376266240000.0,
    7771770303897600.0,
    1187353796428800.0,
    129060195264000.0,
    10559470521600.0,
    670442572800.0,
    33522128640.0,
    1323241920.0,
    40840800.0,
    960960.0,
    16380.0,
    182.0,
    1.0,
]


def expm(a):
    """exp(a) by the approximant, with scaling and squaring."""
    a = np.asarray(a, float)
    norm = np.linalg.norm(a, 1)
    squarings = 0 if norm <= 4 else int(math.ceil(math.log2(norm / 4)))
    a = a / 2.0**squarings
    b = PADE_13
    i = np.eye(len(a))
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a2 @ a4
    u = a @ (
        a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * i
    )
    v = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * i
    r = np.linalg.solve(v - u, v + u)
    for _ in range(squarings):
        r = r @ r
    return r


def lagrange_monomials(order):
    """c[k, j]: the input of k macro-steps ago has the weight sum_j c[k, j] s^j, s = (t - t_n)/H."""
    c = np.zeros((order + 1, order + 1))
    nodes = -np.arange(order + 1.0)
    for k in range(order + 1):
        p = np.array([1.0])
        for other in range(order + 1):
            if other != k:
                p = np.convolve(p, np.array([-nodes[other], 1.0])) / (nodes[k] - nodes[other])
        c[k, : len(p)] = p
    return c


def block_diagonal(parts):
    rows = sum(p.shape[0] for p in parts)
    m = np.zeros((rows, sum(p.shape[1] for p in parts)))
    r = c = 0
    for p in parts:
        m[r : r + p.shape[0], c : c + p.shape[1]] = p
        r, c = r + p.shape[0], c + p.shape[1]
    return m


class Unit:
    """A linear subsystem; only the coupled inputs stand in b and d."""

    def __init__(self, a, b, c, d):
        self.a, self.b, self.c, self.d = (np.atleast_2d(np.array(m, float)) for m in (a, b, c, d))

    def macro_step(self, h, order, integrator, micro):
        """(ad, g) of x+ = ad x + sum_j g[j] p_j, where u = sum_j p_j s^j within the macro-step."""
        powers = range(order + 1)
        if integrator == "exact":
            return self._exact_step(h, powers)
        count = 1 if micro is None else max(1, int(math.ceil(h / micro - 1e-9)))
        one, start, middle, end = self._micro_step(h / count, integrator)
        ad = np.eye(len(self.a))
        g = [np.zeros(self.b.shape) for _ in powers]
        for step in range(count):
            s0, s1 = step / count, (step + 1) / count
            sm = 0.5 * (s0 + s1)
            ad = one @ ad
            g = [one @ g[j] + start * s0**j + middle * sm**j + end * s1**j for j in powers]
        return ad, g

    def _exact_step(self, h, powers):
        """By one exponential: the derivatives of u are states that feed each other."""
        n, m = self.b.shape
        big = np.zeros((n + len(powers) * m, n + len(powers) * m))
        big[:n, :n] = self.a * h
        big[:n, n : n + m] = self.b * h
        for j in powers[:-1]:
            big[n + j * m : n + (j + 1) * m, n + (j + 1) * m : n + (j + 2) * m] = np.eye(m)
        e = expm(big)
        return e[:n, :n], [e[:n, n + j * m : n + (j + 1) * m] * math.factorial(j) for j in powers]

    def _micro_step(self, dt, integrator):
        """What x and the input at the start, the middle and the end of a micro-step give to x+."""
        i, z = np.eye(len(self.a)), self.a * dt
        if integrator == "trapezoidal":
            left = np.linalg.inv(i - 0.5 * z)
            half = left @ self.b * (0.5 * dt)
            return left @ (i + 0.5 * z), half, 0 * half, half
        if integrator == "rk4":
            z2, z3 = z @ z, z @ z @ z
            one = i + z + z2 / 2 + z3 / 6 + z3 @ z / 24
            start = (dt / 6) * (i + z + z2 / 2 + z3 / 4) @ self.b
            middle = (dt / 6) * (4 * i + 2 * z + z2 / 2) @ self.b
            return one, start, middle, (dt / 6) * self.b
        raise ValueError(integrator)


class Coupled:
    """Units with u = L y; `wires` are (unit, output, unit, input)."""

    def __init__(self, units, wires):
        self.units = units
        self.x0 = np.cumsum([0] + [len(u.a) for u in units])
        self.y0 = np.cumsum([0] + [len(u.c) for u in units])
        self.u0 = np.cumsum([0] + [u.b.shape[1] for u in units])
        self.a, self.b, self.c, self.d = (
            block_diagonal([getattr(u, name) for u in units]) for name in "abcd"
        )
        self.link = np.zeros((self.u0[-1], self.y0[-1]))
        for a, out, b, inp in wires:
            self.link[self.u0[b] + inp, self.y0[a] + out] = 1
        assert self.link.any(axis=0).all(), "an output that no unit reads"

    def outputs_at_rest(self, x):
        """y where the inputs are those of the same time."""
        return np.linalg.solve(np.eye(len(self.c)) - self.d @ self.link, self.c @ x)

    def exact(self):
        """The matrix of dx/dt = ... of the units coupled without delay."""
        through = np.eye(len(self.c)) - self.d @ self.link
        return self.a + self.b @ self.link @ np.linalg.solve(through, self.c)

    def phi(self, h, order, integrators, micros):
        """Phi; feedthrough takes the inputs as they are applied at the end of the macro-step."""
        nx, ny = self.x0[-1], self.y0[-1]
        weights = lagrange_monomials(order)
        powers = range(order + 1)
        ad = np.zeros((nx, nx))
        gains = [np.zeros((nx, self.u0[-1])) for _ in powers]
        for k, (unit, integrator, micro) in enumerate(zip(self.units, integrators, micros)):
            xs = slice(self.x0[k], self.x0[k + 1])
            ad[xs, xs], g = unit.macro_step(h, order, integrator, micro)
            for j in powers:
                gains[j][xs, self.u0[k] : self.u0[k + 1]] = g[j]
        size = nx + (order + 1) * ny
        phi = np.zeros((size, size))
        phi[:nx, :nx] = ad
        phi[nx : nx + ny, :nx] = self.c @ ad
        for k in powers:
            past = slice(nx + k * ny, nx + (k + 1) * ny)
            x_part = sum(gains[j] * weights[k, j] for j in powers) @ self.link
            phi[:nx, past] = x_part
            phi[nx : nx + ny, past] = self.c @ x_part + self.d @ self.link * weights[k].sum()
        for k in powers[:-1]:
            phi[nx + (k + 1) * ny : nx + (k + 2) * ny, nx + k * ny : nx + (k + 1) * ny] = np.eye(ny)
        return phi
