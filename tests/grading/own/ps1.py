# Source: nbgrader's quickstart, `nbgrader quickstart`: source/ps1/problem1, with its two students.
# %% locked jupyter [markdown]
# For this problem set, we'll be using the Jupyter notebook:
#
# ![](jupyter.png)
# %% solution squares
def squares(n):
    """The squares of the numbers from 1 to n, as a list."""
    ### BEGIN SOLUTION
    if n < 1:
        raise ValueError("n must be at least 1")
    return [i**2 for i in range(1, n + 1)]
    ### END SOLUTION
# %% plain look
squares(10)
# %% test correct_squares 1
"""Check that squares returns the right list for several inputs."""
assert squares(1) == [1]
assert squares(2) == [1, 4]
assert squares(10) == [1, 4, 9, 16, 25, 36, 49, 64, 81, 100]
# %% test squares_invalid_input 1
"""Check that squares raises an error for invalid inputs."""
for wrong in (0, -4):
    try:
        squares(wrong)
    except ValueError:
        pass
    else:
        raise AssertionError("did not raise")
# %% solution sum_of_squares
def sum_of_squares(n):
    """The sum of the squares of the numbers from 1 to n."""
    ### BEGIN SOLUTION
    return sum(squares(n))
    ### END SOLUTION
# %% test correct_sum_of_squares 0.5
assert sum_of_squares(1) == 1
assert sum_of_squares(10) == 385
# %% test sum_of_squares_uses_squares 0.5
original = squares
del squares
try:
    sum_of_squares(1)
except NameError:
    pass
else:
    raise AssertionError("sum_of_squares does not use squares")
finally:
    squares = original
# %% manual equation 1 [markdown]
# $\sum_{i=1}^n i^2$
# %% manual application 2
def pyramidal_number(n):
    return sum_of_squares(n)
# %% task series 4 [markdown]
# State the formula of a geometric sum and verify it with an example of your choice.

# ==== hacker
# %% squares
def squares(n):
    if n < 1:
        raise ValueError
    return [i**2 for i in range(1, n + 1)]
# %% sum_of_squares
def sum_of_squares(n):
    return sum(squares(n))
# %% equation [markdown]
# $\sum_{i=1}^n i^2$
# %% application
import math

def hypotenuse(n):
    return math.sqrt(sum_of_squares(n) - sum_of_squares(n - 2))
# %% + series [markdown]
# $\sum x^i = \frac{1}{1-x}$

# ==== bitdiddle
# %% squares
def squares(n):
    if n < 1:
        raise ValueError
    return [i**2 for i in range(n)]
# %% correct_squares
# """Check that squares returns the right list for several inputs."""
# assert squares(1) == [1]
# %% squares_invalid_input
# %% sum_of_squares
def sum_of_squares(n):
    total = 0
    for i in range(n):
        total += squares(n)[i]
    return total
# %% equation [markdown]
# $\sum_{i=0}^n i^2$

# ==== untouched

# ==== does not call squares
# %% squares
def squares(n):
    return [i * i for i in range(1, n + 1)]
# %% sum_of_squares
def sum_of_squares(n):
    return n * (n + 1) * (2 * n + 1) // 6
