# Broken: loops without end: in an answer's cell, in a function that a test calls, in a test that waits,
# with every exception caught, and one that ends late. Compare nbgrader's issues 70, 77, 427 and 1033.
# %% solution collatz
def steps(n):
    """The number of steps of Collatz' sequence from n to 1."""
    ### BEGIN SOLUTION
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
    ### END SOLUTION
# %% test collatz_test 2
assert steps(6) == 8
# %% solution ready
def ready():
    """Whether the result is there."""
    ### BEGIN SOLUTION
    return True
    ### END SOLUTION
# %% test ready_test 1
while not ready():
    pass
# %% solution other
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
# %% test other_test 1
assert double(2) == 4
# %% manual why 2 [markdown]
# YOUR ANSWER HERE

# ==== right
# %% collatz
def steps(n):
    return 0 if n == 1 else 1 + steps(3 * n + 1 if n % 2 else n // 2)
# %% ready
def ready():
    return True
# %% other
def double(x):
    return x + x
# %% why [markdown]
# Nobody knows.

# ==== loops in the cell
# %% collatz
def steps(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count
n = 6
while n != 1:
    print("", end="")
# %% ready
def ready():
    return True
# %% other
def double(x):
    return x + x

# ==== loops in the test
# %% collatz
def steps(n):
    while n != 1:
        n / 2
# %% ready
def ready():
    return True
# %% other
def double(x):
    return x + x
# %% why [markdown]
# It ends.

# ==== is never ready
# %% collatz
def steps(n):
    return 8
# %% ready
def ready():
    return False
# %% other
def double(x):
    return x + x

# ==== catches everything
# %% collatz
def steps(n):
    while True:
        try:
            while n != 1:
                pass
        except BaseException:
            pass
# %% ready
def ready():
    return True
# %% other
def double(x):
    return x + x

# ==== untouched
