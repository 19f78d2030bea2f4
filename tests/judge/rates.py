"""What grows: the rates of a coupled problem at a macro-step against those of the exact system.

With the eigenvalues mu_i of Phi and the real parts sigma_i of the eigenvalues of the exact system,
both the largest first, a motion grows at H where lambda_i = ln|mu_i| / H > max(0, sigma_i) for some
i. README.md here says why.
"""

import math

import numpy as np

# Eigenvalues of the exact system below this share of the largest count as 0: a double 0, as of a
# free pair, is off by the root of the rounding.
ZERO = 1e-6
# Real parts below this share of the eigenvalue are none.
UNDAMPED = 1e-10
# A singular value of Phi - 1 up to this share of the largest is an eigenvalue 1 of Phi.
KEPT = 2e-13
LARGEST_GRID = 2000


def balanced(m):
    """A similar matrix by powers of two, with rows and columns of like size."""
    m = m.copy()
    n = len(m)
    for _ in range(30):
        done = True
        for i in range(n):
            c = np.abs(m[:, i]).sum() - abs(m[i, i])
            r = np.abs(m[i, :]).sum() - abs(m[i, i])
            if c == 0 or r == 0:
                continue
            f = 2.0 ** round(0.5 * math.log2(r / c))
            if f != 1:
                m[:, i] *= f
                m[i, :] /= f
                done = False
        if done:
            break
    return m


def deflated(m, most):
    """m without up to `most` motions that it keeps as they are, and how many these were."""
    m = balanced(m)
    taken = 0
    for _ in range(most):
        n = len(m)
        _, s, right = np.linalg.svd(m - np.eye(n))
        if s[-1] > KEPT * max(1.0, s[0]):
            break
        q, _ = np.linalg.qr(np.column_stack([right[-1], np.eye(n)]))
        m = (q.T @ m @ q)[1:, 1:]
        taken += 1
    return m, taken


class Truth:
    """Own verdict on one coupled problem with given integrators.

    sigma           real parts of the exact system's eigenvalues, largest first
    zeros           how many of its eigenvalues are 0
    undamped        how many swing without decaying
    fastest_s       period 2 pi / |sigma| of the fastest and slowest eigenvalue that is not 0
    slowest_s
    slowest_time_s  the slowest time: a period of what swings, a time constant of what does not
    """

    def __init__(self, coupled, integrators, micros):
        self.coupled, self.integrators, self.micros = coupled, integrators, micros
        eigenvalues = np.linalg.eigvals(balanced(coupled.exact()))
        scale = max(abs(eigenvalues).max(), 1e-300)
        rest = eigenvalues[abs(eigenvalues) >= ZERO * scale]
        self.zeros = len(eigenvalues) - len(rest)
        swings = abs(rest.imag) > 1e-6 * abs(rest)
        lossless = abs(rest.real) < UNDAMPED * abs(rest)
        self.undamped = int((swings & lossless).sum())
        real = np.where(lossless, 0.0, rest.real)
        self.sigma = np.sort(np.concatenate([real, np.zeros(self.zeros)]))[::-1]
        self.fastest_s = 2 * math.pi / abs(rest).max()
        self.slowest_s = 2 * math.pi / abs(rest).min()
        self.slowest_time_s = max(np.where(swings, 2 * math.pi, 1.0) / abs(rest))
        self._known = {}

    def rates(self, order, h):
        """lambda_i in 1/s, largest first, and how many kept motions count among them as 0."""
        key = (order, h)
        if key not in self._known:
            phi = self.coupled.phi(h, order, self.integrators, self.micros)
            rest, taken = deflated(phi, self.zeros) if self.zeros else (phi, 0)
            mu = abs(np.linalg.eigvals(rest))
            rates = np.log(np.maximum(mu, 1e-300)) / h
            rates = np.sort(np.concatenate([rates, np.zeros(taken)]))[::-1]
            self._known[key] = (rates, taken)
        return self._known[key]

    def excess(self, order, h, session_s=None):
        """The largest lambda_i - max(0, sigma_i); what is undamped may grow by 1.1 in a session."""
        rates, _ = self.rates(order, h)
        bound = np.zeros(len(rates))
        n = min(len(self.sigma), len(rates))
        bound[:n] = np.maximum(0.0, self.sigma[:n])
        if session_s:
            bound[: self.undamped] = np.maximum(bound[: self.undamped], math.log(1.1) / session_s)
        return float((rates - bound).max())

    def moving(self, order, h):
        """The largest rate of the motions that are not kept as they are."""
        rates, taken = self.rates(order, h)
        rates = list(rates)
        for _ in range(taken):
            rates.remove(0.0)
        return max(rates)

    def grows(self, order, h, session_s=None):
        """Whether a motion grows, by more than eigenvalues are exact.

        |mu| may be too large by 1e-9. At small H it may be so by less: growth by a thousandth in
        1000 of the slowest periods counts, unless it is below the error of eigenvalues, 1e-12.
        """
        tolerance = min(1e-9, max(1e-12, h * 1e-6 / self.slowest_s))
        return self.excess(order, h, session_s) * h > tolerance

    def limit(self, order, low, high, session_s=None, ratio=1.02):
        """The smallest H of a grid from `low` to `high` that grows; None where none does."""
        count = int(math.ceil(math.log(high / low) / math.log(ratio))) + 1
        for k in range(min(count, LARGEST_GRID)):
            h = min(low * ratio**k, high)
            if self.grows(order, h, session_s):
                return h
        return None
