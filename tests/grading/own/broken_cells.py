# Broken: what students do to cells: deleted, edited, copied, moved, merged, retyped without marks, turned
# into text, points changed; and a syntax error. Compare nbgrader's issues 92, 108, 424, 1083 and 1682.
# %% locked given
offset = 1
# %% solution plus
def plus(x):
    ### BEGIN SOLUTION
    return x + offset
    ### END SOLUTION
# %% test plus_test 2
assert plus(1) == 2
### BEGIN HIDDEN TESTS
assert plus(-1) == 0
### END HIDDEN TESTS
# %% solution minus
def minus(x):
    ### BEGIN SOLUTION
    return x - offset
    ### END SOLUTION
# %% test minus_test 2
assert minus(1) == 0
# %% manual why 3 [markdown]
# YOUR ANSWER HERE
# %% manual code 2
# YOUR CODE HERE
# %% task own_task 2 [markdown]
# Add a cell of your own.

# ==== right
# %% plus
def plus(x):
    return 1 + x
# %% minus
def minus(x):
    return x - 1
# %% why [markdown]
# Because.
# %% code
print(plus(2))

# ==== deletes what a person grades
# %% plus
def plus(x):
    return x + 1
# %% minus
def minus(x):
    return x - 1
# %% why -
# %% code -
# %% own_task -

# ==== deletes tests
# %% plus
def plus(x):
    return x + 1
# %% minus
def minus(x):
    return x
# %% plus_test -
# %% minus_test -

# ==== edits tests and what is given
# %% given
offset = 100
# %% plus
def plus(x):
    return x + offset
# %% plus_test
pass
# %% minus
def minus(x):
    return 0
# %% minus_test points=50 locked=false
2

# ==== has a syntax error
# %% plus
def plus(x)
    return x + 1
# %% minus
def minus(x):
    return x - 1
# %% code
for i in range(3) print(i)

# ==== copies cells
# %% plus =
# %% plus
def plus(x):
    return x + 1
# %% minus
def minus(x):
    return x - 1
# %% minus_test =
# %% why [markdown]
# One answer.
# %% why =

# ==== moves and merges
# %% plus > minus_test
# %% plus
def plus(x):
    return x + 1
def minus(x):
    return x - 1
# %% minus
# see above

# ==== deletes solutions
# %% plus -
# %% + plus_test
def plus(x):
    return x + 1
# %% minus -
# %% + given
def minus(x):
    return x - 1

# ==== retypes without marks
# %% + given
def plus(x):
    return x + 1
# %% plus -
# %% + minus
def minus(x):
    return x - 1
# %% minus -
# %% + why [markdown]
# My answer lost its marks.
# %% why -

# ==== turns cells into text
# %% plus [markdown]
# def plus(x): return x + 1
# %% minus_test [markdown]
# assert minus(1) == 0
# %% minus
def minus(x):
    return x - 1
# %% why
print("an answer in code")

# ==== untouched
