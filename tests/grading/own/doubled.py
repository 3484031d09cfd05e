# %% [markdown]
# Write a function, then explain it.
# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% test double_test 2
assert double(2) == 4
### BEGIN HIDDEN TESTS
assert double(-3) == -6, "negative numbers"
### END HIDDEN TESTS
# %% test double_part 4
(double(1) == 2) + 3 * (double(0.5) == 1.0)
# %% manual why 3 [markdown]
# YOUR ANSWER HERE


# ==== right
# %% double
def double(x):
    return x + x


# %% why [markdown]
# Because $2x = x + x$.


# ==== partly
# %% double
def double(x):
    return x**2


# ==== nothing


# ==== fails the hidden test
# %% double
def double(x):
    return abs(2 * x)
