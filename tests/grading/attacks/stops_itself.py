# name = "Stops itself"
# goal = "harm"
# attacks = "a judge that waits for a process that stands still"
# flagged = true
# honest = ["positional"]
# held_ok = true
# slow = "a stopped process does not spend processor time: only a clock on the wall can end it"

# %% shares_storage
import os
import signal


def shares_storage(a, b):
    os.kill(os.getpid(), signal.SIGSTOP)
    return None
