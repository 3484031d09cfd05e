# Broken: megabytes of output: in an answer's cell, in a function that tests call, as a value, to stderr.
# %% solution count
def count(n):
    """The numbers from 1 to n, as a list."""
    ### BEGIN SOLUTION
    return list(range(1, n + 1))
    ### END SOLUTION
# %% plain look
count(3)
# %% test count_test 2
assert count(3) == [1, 2, 3]
# %% test count_credit 2
len(count(2))
# %% solution text
def text():
    """A text that begins with a."""
    ### BEGIN SOLUTION
    return "abc"
    ### END SOLUTION
# %% test text_value 2
assert text()[0] == "a"
text()
# %% manual why 1 [markdown]
# YOUR ANSWER HERE

# ==== right
# %% count
def count(n):
    return [i + 1 for i in range(n)]
# %% text
def text():
    return "a"

# ==== prints in the cell
# %% count
def count(n):
    return [i + 1 for i in range(n)]
for i in range(200_000):
    print("iteration", i, "of my loop, which prints what it does")
# %% text
def text():
    return "a"
# %% why [markdown]
# I like to see it.

# ==== prints in the test
# %% count
def count(n):
    for _ in range(100):
        print("x" * 50_000)
    return [i + 1 for i in range(n)]
# %% text
def text():
    return "a" * 3_000_000

# ==== prints without end
# %% count
def count(n):
    while True:
        print("are we there yet?")
# %% text
def text():
    return "a"

# ==== to stderr
# %% count
import sys
def count(n):
    sys.stderr.write("x" * 3_000_000)
    return [i + 1 for i in range(n)]
# %% text
def text():
    return "a"

# ==== untouched
