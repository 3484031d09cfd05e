# %% all_timings
# finding: other-form
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return timings

# %% as_a_string
# finding: other-form
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return f"{statistics.median(timings):.6f} s"

# %% as_a_tensor
# finding: other-form
import torch


def time_on_gpu(work, repeats, clock, synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return torch.tensor(timings).median()

# %% clock_before_the_first_wait
# finding: started-while-busy
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        start = clock()
        synchronize()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)

# %% fastest
# finding: other-summary
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return min(timings)

# %% middle_of_the_list
# finding: not-sorted
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return (timings[(repeats - 1) // 2] + timings[repeats // 2]) / 2

# %% one_go
# finding: timed-in-one-go
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    synchronize()
    start = clock()
    for _ in range(repeats):
        work()
    synchronize()
    return (clock() - start) / repeats

# %% own_clock
# finding: clock-not-used
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = time.perf_counter()
        work()
        synchronize()
        timings.append(time.perf_counter() - start)
    return statistics.median(timings)

# %% own_synchronize
# finding: launch-timed
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        torch.cuda.synchronize() if torch.cuda.is_available() else None
        start = clock()
        work()
        torch.cuda.synchronize() if torch.cuda.is_available() else None
        timings.append(clock() - start)
    return statistics.median(timings)

# %% printed
# finding: nothing-returned
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return print(statistics.median(timings))

# %% stop_before_start
# finding: other-time
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return clock() - statistics.median(timings)

# %% three_warm_ups
# finding: other-number-of-calls
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    for _ in range(3):
        work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)

# %% total
# finding: other-summary
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return sum(timings)

# %% upper_middle
# finding: middle-of-even
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return sorted(timings)[repeats // 2]

# %% waits_after_the_clock
# finding: launch-timed
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        stop = clock()
        synchronize()
        timings.append(stop - start)
    return statistics.median(timings)

# %% warm_up_each_time
# finding: other-number-of-calls
import statistics


def time_on_gpu(work, repeats, clock, synchronize):
    timings = []
    for _ in range(repeats):
        work()
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)

# %% warm_up_timed
# finding: warm-up-timed
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    timings = []
    for _ in range(repeats + 1):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median(timings)

# %% lower_middle
# finding: middle-of-even
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return statistics.median_low(timings)

# %% median_of_a_tensor
# finding: middle-of-even
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return torch.tensor(timings).median().item()

# %% milliseconds
# finding: other-unit
import statistics
import time

import torch


def time_on_gpu(work, repeats, clock=time.perf_counter, synchronize=torch.cuda.synchronize):
    work()
    timings = []
    for _ in range(repeats):
        synchronize()
        start = clock()
        work()
        synchronize()
        timings.append(clock() - start)
    return 1000 * statistics.median(timings)
