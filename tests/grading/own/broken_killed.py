# Broken: answers and tests after which there is no kernel: os._exit, a signal, a fault of memory, a stack
# that overflows in C, memory without end; and threads and processes that stay.
# %% solution first
def first(values):
    ### BEGIN SOLUTION
    return values[0]
    ### END SOLUTION
# %% test first_test 2
assert first([3, 1]) == 3
# %% solution second
def second(values):
    ### BEGIN SOLUTION
    return values[1]
    ### END SOLUTION
# %% test second_test 2
assert second([3, 1]) == 1
# %% test dies_without_first 1
import os

if first([4]) is None:
    os._exit(1)
# %% manual why 2 [markdown]
# YOUR ANSWER HERE

# ==== right
# %% first
def first(values):
    return values[0]
# %% second
def second(values):
    return values[1]
# %% why [markdown]
# Because.

# ==== exits in the cell
# %% first
import os
def first(values):
    return values[0]
os._exit(0)
# %% second
def second(values):
    return values[1]
# %% why [markdown]
# My words must be kept.

# ==== exits in the test
# %% first
def first(values):
    return values[0]
# %% second
def second(values):
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)

# ==== makes the test exit
# %% first
def first(values):
    return values[0] if len(values) > 1 else None
# %% second
def second(values):
    return values[1]

# ==== reads address zero
# %% first
def first(values):
    import ctypes
    return ctypes.string_at(0)
# %% second
def second(values):
    return values[1]

# ==== wants all memory
# %% first
def first(values):
    return values[0]
everything = [0] * 10**12
# %% second
def second(values):
    kept = []
    while len(kept) < 30_000:
        kept.append(b"x" * 10**8)
    return 1

# ==== leaves threads and processes
# %% first
import subprocess, threading, time
def first(values):
    return values[0]
threading.Thread(target=time.sleep, args=(300,)).start()
left = subprocess.Popen(["sleep", "300"])
# %% second
import os
def second(values):
    if os.fork() == 0:
        time.sleep(300)
        os._exit(0)
    return values[1]

# ==== untouched
