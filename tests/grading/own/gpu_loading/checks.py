"""Helpers of the tests in week 4."""

import torch


class Tally:
    """Points for named checks; an error is a check that failed."""

    def __init__(self):
        self.points = 0

    def check(self, points, name, function):
        try:
            good = bool(function())
        except Exception as problem:
            good = False
            name = f"{name} ({type(problem).__name__}: {problem})"
        self.points += points * good
        print(f"{'+' if good else '-'} {name}")
        return good


def equal(a, b):
    return torch.equal(torch.as_tensor(a), torch.as_tensor(b))
