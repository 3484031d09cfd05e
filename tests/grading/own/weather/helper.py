"""What the tests of this assignment share."""


def close(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance
