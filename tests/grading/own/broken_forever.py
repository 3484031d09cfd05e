# Broken: an instructor's own test that never ends, whatever the answer.
# %% solution double
def double(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION
# %% test before 1
assert double(1) == 2
# %% test forever 1
import threading

threading.Event().wait()
# %% test after 1
assert double(2) == 4

# ==== right
# %% double
def double(x):
    return 2 * x

# ==== wrong
# %% double
def double(x):
    return x
