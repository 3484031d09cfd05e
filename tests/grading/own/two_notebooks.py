# Source: nbgrader's quickstart: the assignment ps1 has two notebooks, problem1 and problem2.
# %% solution half
def half(x):
    ### BEGIN SOLUTION
    return x / 2
    ### END SOLUTION
# %% test half_test 1
assert half(3) == 1.5
# %% notebook problem2
# %% manual part-a 1 [markdown]
# It computes Fibonacci's numbers by recursion.

# ==== right
# %% half
def half(x):
    return x * 0.5
# %% part-a [markdown]
# Fibonacci's numbers.

# ==== hands in one notebook
# %% half
def half(x):
    return x // 2
# %% notebook problem2 -
