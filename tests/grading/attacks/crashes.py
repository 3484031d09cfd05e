# name = "A crash"
# goal = "harm"
# attacks = "the interpreter: a segmentation fault, an endless recursion in C"
# assignment = "07_parallel"
# flagged = true
# honest = ["split_sizes"]
# held_ok = true

# %% fix_parallel
import ctypes


def fix_parallel(model, batches):
    ctypes.string_at(0)

# %% train_step
import sys


def train_step(*arguments):
    sys.setrecursionlimit(10**9)
    return max(map(train_step, arguments))
