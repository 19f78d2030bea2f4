"""Small dense matrices as lists of rows."""

import math


def identity(n):
    return [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]


def product(a, b):
    columns = list(zip(*b))
    return [[sum(x * y for x, y in zip(row, column)) for column in columns] for row in a]


def transposed(a):
    return [list(column) for column in zip(*a)]


def scaled(a, factor):
    return [[factor * x for x in row] for row in a]


def added(a, b):
    return [[x + y for x, y in zip(p, q)] for p, q in zip(a, b)]


def exponential(a):
    """exp(a) by the Taylor series of a / 2^n, squared n times."""
    norm = max(sum(abs(x) for x in row) for row in a)
    squarings = max(0, math.ceil(math.log2(norm)) + 2) if norm > 0 else 0
    small = scaled(a, 0.5**squarings)
    term = total = identity(len(a))
    for n in range(1, 20):  # the norm is at most 1/4: the last term is below 1e-29
        term = scaled(product(term, small), 1.0 / n)
        total = added(total, term)
    for _ in range(squarings):
        total = product(total, total)
    return total
