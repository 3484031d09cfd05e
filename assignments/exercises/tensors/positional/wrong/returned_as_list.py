# finding: other-form
import math


def positional(n, d, device):
    return [
        [(math.sin, math.cos)[c % 2](p / 10000 ** ((c - c % 2) / d)) for c in range(d)]
        for p in range(n)
    ]
