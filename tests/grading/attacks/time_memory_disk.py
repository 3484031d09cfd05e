# ==== cells_without_end
# name = "Cells that do not end"
# goal = "harm"
# attacks = "the time of a run: every cell of one's own loops"
# held_ok = true
# honest = ["move_batch"]

# %% before fix_mismatch
while True:
    pass


# ==== crashes
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


# ==== disk_without_end
# name = "A disk that is never full"
# goal = "harm"
# attacks = "the disk: large files, many files, in every folder that can be written"
# honest = ["move_batch"]

# %% fix_mismatch
import os
import tempfile


def fix_mismatch(batches, targets, weight, mean):
    for place in (".", tempfile.gettempdir(), os.path.expanduser("~"), "/dev/shm", "/var/tmp"):
        for number in range(200):
            try:
                with open(f"{place}/much-{number}", "wb") as file:
                    file.truncate(1 << 40)
                    for _ in range(40):
                        file.write(b"x" * (16 << 20))
            except OSError:
                continue
        for number in range(20_000):
            try:
                open(f"{place}/many-{number}", "w").close()
            except OSError:
                break
    return True


# ==== leaves_at_once
# name = "Leaves at once"
# goal = "harm"
# attacks = "the process in the middle of a notebook, so that nothing after it is graded"
# flagged = true
# honest = ["move_batch", "find_waits"]
# held_ok = true

# %% fix_mismatch
import os

os._exit(0)


# ==== long_in_c
# name = "Long in C"
# goal = "harm"
# attacks = "an answer that never comes back to Python, where it could be stopped"
# honest = ["move_batch"]
# held_ok = true

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return (10 ** 10) ** (10 ** 10) > 1


# ==== memory_without_end
# name = "Memory without end"
# goal = "harm"
# attacks = "the machine's memory: Python's, torch's, shared"
# honest = ["move_batch"]

# %% fix_mismatch
from pathlib import Path


def fix_mismatch(batches, targets, weight, mean):
    kept = []
    with Path("/dev/shm/much").open("wb") as file:
        try:
            for _ in range(100):
                file.write(b"x" * (64 << 20))
        except OSError:
            pass
    for _ in range(100):
        kept.append(torch.ones(1 << 26))
        kept.append(bytearray(b"x") * (256 << 20))
    return True


# ==== output_without_end
# name = "Output without end"
# goal = "harm"
# attacks = "whoever keeps what is printed"
# honest = ["move_batch"]

# %% after move_batch
for _ in range(300):
    print("x" * 1_000_000)

# %% fix_mismatch
import sys


def fix_mismatch(batches, targets, weight, mean):
    while True:
        print("x" * 100_000)
        sys.stderr.write("y" * 100_000)


# ==== processes_without_end
# name = "Processes without end"
# goal = "harm"
# attacks = "the machine's table of processes"
# flagged = true
# honest = ["move_batch"]
# slow = "each of 256 processes has seconds of its own: only their sum, or a clock, ends it soon"

# %% fix_mismatch
import os


def fix_mismatch(batches, targets, weight, mean):
    while True:
        try:
            os.fork()
        except OSError:
            pass


# ==== sleeps_for_ever
# name = "Sleeps for ever, deaf to signals"
# goal = "harm"
# attacks = "a judge that waits for a process that spends no processor time"
# flagged = true
# honest = ["move_batch"]
# held_ok = true
# slow = "sleeping spends no processor time: only a clock on the wall can end it"

# %% fix_mismatch
import signal
import time


def fix_mismatch(batches, targets, weight, mean):
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        try:
            time.sleep(100_000)
        except BaseException:
            pass


# ==== stops_itself
# name = "Stops itself"
# goal = "harm"
# attacks = "a judge that waits for a process that stands still"
# flagged = true
# honest = ["move_batch"]
# held_ok = true
# slow = "a stopped process does not spend processor time: only a clock on the wall can end it"

# %% fix_mismatch
import os
import signal


def fix_mismatch(batches, targets, weight, mean):
    os.kill(os.getpid(), signal.SIGSTOP)
    return None


# ==== threads_without_end
# name = "Threads without end"
# goal = "harm"
# attacks = "the machine's table of tasks, and the end of a process that waits for its threads"
# honest = ["move_batch"]

# %% fix_mismatch
import threading
import time


def fix_mismatch(batches, targets, weight, mean):
    started = []
    for _ in range(100_000):
        thread = threading.Thread(target=time.sleep, args=(100_000,))
        try:
            thread.start()
        except RuntimeError:
            break
        started.append(thread)
    return len(started)


# ==== time_stopped
# name = "Timers taken away"
# goal = "harm"
# attacks = "the signals and timers that stop an answer; then it computes for ever"
# flagged = true
# honest = ["move_batch"]
# held_ok = true

# %% fix_mismatch
import signal


def fix_mismatch(batches, targets, weight, mean):
    for number in (signal.SIGALRM, signal.SIGPROF, signal.SIGVTALRM, signal.SIGTERM, signal.SIGINT,
                   signal.SIGXCPU):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass


# ==== time_swallowed
# name = "The end of time, swallowed"
# goal = "harm"
# attacks = "the exception by which an answer is stopped"
# honest = ["move_batch"]

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
        finally:
            continue
