# Source: courses in numerical methods (root finding, quadrature, Monte Carlo), in nbgrader's form:
# float comparison with tolerances, seeds, a test that counts calls and replaces a student's function.
# %% plain setup
import math
import random

import numpy as np
# %% solution newton
def newton(f, df, x, steps=50, tolerance=1e-12):
    """A root of f near x. Raise ValueError if there is none after `steps` steps."""
    ### BEGIN SOLUTION
    for _ in range(steps):
        if abs(f(x)) < tolerance:
            return x
        x = x - f(x) / df(x)
    raise ValueError("no convergence")
    ### END SOLUTION
# %% test newton_test 6
cases = [
    (lambda x: x**2 - 2, lambda x: 2 * x, 1.0, math.sqrt(2)),
    (math.sin, math.cos, 3.0, math.pi),
    (lambda x: x**3, lambda x: 3 * x**2, 0.0, 0.0),
]
2 * sum(math.isclose(newton(f, df, x), root, abs_tol=1e-9) for f, df, x, root in cases)
# %% test newton_gives_up 2
try:
    newton(lambda x: x**2 + 1, lambda x: 2 * x, 0.5)
except ValueError as problem:
    print("raised", problem)
except ZeroDivisionError:
    assert False, "divided by zero"
else:
    assert False, "should raise ValueError"
# %% solution integrate
def trapezoid(f, a, b, n):
    """The integral of f from a to b with n trapezoids."""
    ### BEGIN SOLUTION
    x = np.linspace(a, b, n + 1)
    y = f(x)
    return (b - a) / n * (y[0] / 2 + y[1:-1].sum() + y[-1] / 2)
    ### END SOLUTION
# %% test integrate_test 3
np.testing.assert_allclose(trapezoid(np.sin, 0, np.pi, 1000), 2, rtol=1e-5)
np.testing.assert_allclose(trapezoid(lambda x: 3 * x, 0, 2, 3), 6)
# %% test integrate_order 2
errors = [abs(trapezoid(np.exp, 0, 1, n) - (math.e - 1)) for n in (10, 20)]
ratio = errors[0] / errors[1]
assert 3.9 < ratio < 4.1, f"the error should fall by four, but fell by {ratio:.3f}"
# %% solution pi
def estimate_pi(n):
    """Pi from n random points."""
    ### BEGIN SOLUTION
    x, y = np.random.random(n), np.random.random(n)
    return 4 * float(np.mean(x**2 + y**2 < 1))
    ### END SOLUTION
# %% test pi_test 2
np.random.seed(0)
random.seed(0)
assert abs(estimate_pi(20_000) - math.pi) < 0.05
# %% test pi_reproducible 2
np.random.seed(1); random.seed(1)
first = estimate_pi(100)
np.random.seed(1); random.seed(1)
assert first == estimate_pi(100)
# %% test pi_exact 1
np.random.seed(42)
assert estimate_pi(1000) == 3.112 or abs(estimate_pi(1000) - 3.14) < 0.4
# %% solution mean_pi
def mean_pi(n, times):
    """The mean of several estimates."""
    ### BEGIN SOLUTION
    return sum(estimate_pi(n) for _ in range(times)) / times
    ### END SOLUTION
# %% test uses_estimate 2
calls, kept = [], estimate_pi
def estimate_pi(n):
    calls.append(n)
    return 3.0
assert mean_pi(10, 4) == 3.0 and calls == [10] * 4
estimate_pi = kept
# %% manual error 2 [markdown]
# YOUR ANSWER HERE

# ==== right
# %% newton
def newton(f, df, x, steps=50, tolerance=1e-12):
    y = f(x)
    while abs(y) >= tolerance:
        steps -= 1
        if steps < 0:
            raise ValueError
        x -= y / df(x)
        y = f(x)
    return x
# %% integrate
def trapezoid(f, a, b, n):
    x = np.linspace(a, b, n + 1)
    return np.trapezoid(f(x), x)
# %% pi
def estimate_pi(n):
    return 4 * sum(random.random() ** 2 + random.random() ** 2 < 1 for _ in range(n)) / n
# %% mean_pi
def mean_pi(n, times):
    return float(np.mean([estimate_pi(n) for _ in range(times)]))
# %% error [markdown]
# It falls like $1/\sqrt{n}$.

# ==== partly
# %% newton
def newton(f, df, x, steps=50, tolerance=1e-12):
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x
# %% integrate
def trapezoid(f, a, b, n):
    h = (b - a) / n
    return h * sum(f(a + i * h) for i in range(n))
# %% pi
rng = np.random.default_rng()
def estimate_pi(n):
    return 4 * np.mean((rng.random((n, 2)) ** 2).sum(1) < 1)
# %% mean_pi
def mean_pi(n, times):
    return estimate_pi(n * times)

# ==== in single precision
# %% newton
def newton(f, df, x, steps=50, tolerance=1e-12):
    x = np.float32(x)
    for _ in range(steps):
        x = np.float32(x - f(x) / df(x)) if df(x) else x
    return x
# %% integrate
def trapezoid(f, a, b, n):
    x = np.linspace(a, b, n + 1, dtype="float32")
    return float(((f(x[1:]) + f(x[:-1])) / 2 * np.diff(x)).sum())
# %% pi
def estimate_pi(n):
    np.random.seed(0)
    return 4 * float((np.random.rand(2, n) ** 2).sum(0).__lt__(1).mean())

# ==== recursion without end
# %% newton
def newton(f, df, x, steps=50, tolerance=1e-12):
    return newton(f, df, x - f(x) / df(x))
# %% integrate
def trapezoid(f, a, b, n):
    return 2.0
# %% error [markdown]
# I do not know

# ==== untouched
