# %% [markdown] {"slug": "time"}
# ## How long does it take? · 16 min
#
# CUDA works **asynchronously**: a line such as `square @ square` only puts the work into the GPU's
# queue, which is called a [launch](glossary.md#launch), and the program goes on at once. It runs on
# the [host](glossary.md#host) while the device computes.

# %% {"slug": "time-imports"}
from time import perf_counter

import torch
from torch.utils import benchmark

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.figures import timeline

devices = lab(gpus=4)
gpu0 = devices[0]

# %% [markdown] {"slug": "launch"}
# Suppose that a launch takes 5 µs and a matrix product 100 µs. These numbers are *modelled*, not
# measured. A program reads the clock, launches three products, and reads the clock again. Each
# entry says what is done, from when, until when.

# %% {"slug": "launch-predict"}
predict("08.launch-only")

# %% {"concepts": ["C054"], "slug": "launch-shown"}
launches = [("launch", 0, 5), ("launch", 5, 10), ("launch", 10, 15)]
products = [("product", 5, 105), ("product", 105, 205), ("product", 205, 305)]
stop = launches[-1][2]
reveal("08.launch-only", f"{stop} µs")

# %% [markdown] {"slug": "launch-draw"}
# The drawing shows the two lanes, and the two moments at which the clock is read.

# %% {"concepts": ["C054"], "slug": "launch-drawn"}
timeline(host=launches, device=products, marks={"start": 0, "stop": stop},
         title="Three launches, and the two readings")

# %% [markdown] {"slug": "wait-draw"}
# [`torch.cuda.synchronize()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html)
# makes the host wait until the queue is empty. With that wait before the last reading:

# %% {"concepts": ["C054"], "slug": "wait-drawn"}
waiting = [*launches, ("synchronize", 15, 305)]
timeline(host=waiting, device=products, marks={"start": 0, "stop": 305},
         title="The host waits, then reads the clock")

# %% [markdown] {"slug": "protocol"}
# In the first drawing the clock missed nearly all of the work; now it covers it. To measure well
# takes six steps, each with its reason:
#
# 1. **Warm up**: run it once without a clock. The first CUDA call of a program initialises the GPU
#    and loads libraries, which is not what you want to measure.
# 2. **Synchronize**: earlier work must not run inside your measurement.
# 3. **Start** the clock.
# 4. **Run**, best several times.
# 5. **Synchronize**: the work has to be finished, not only launched.
# 6. **Stop** the clock.

# %% {"concepts": ["C054"], "slug": "protocol-shown"}
square = torch.rand(300, 300, device=gpu0)
square @ square
torch.cuda.synchronize()
start = perf_counter()
for _ in range(20):
    square @ square
torch.cuda.synchronize()
print(f"{(perf_counter() - start) / 20 * 1e6:.0f} µs for one product; GPUs are {devices.kind}")

# %% [markdown] {"slug": "benchmark"}
# On virtual GPUs this number is the CPU's and tells nothing about a GPU: there, a launch returns
# when the work is done. The six steps are the same.
#
# [`benchmark.Timer`](https://docs.pytorch.org/docs/stable/benchmark_utils.html) has them
# ready-made: it warms up, synchronizes and repeats. It also sets the number of CPU threads, to
# **one** unless you name another. Virtual GPUs compute on these threads, so we name the number that
# the cell above used.

# %% {"concepts": ["C054"], "slug": "benchmark-shown"}
timer = benchmark.Timer("square @ square", globals={"square": square},
                        num_threads=torch.get_num_threads())
timer.timeit(20)

# %% [markdown] {"slug": "benchmark-read"}
# Two measurements of one thing, under the same conditions: expect the same order of magnitude, not
# the same number. With `num_threads` left out, virtual GPUs would compute on one thread, and the
# two would not be comparable.

# %% {"slug": "slower-claim"}
claim("08.claim.proportional")

# %% {"concepts": ["C054"], "errata": ["E22"], "slug": "slower-shown"}
times = []
for count in (6, 6_000_000):
    numbers = torch.ones(count)
    timer = benchmark.Timer("numbers + numbers", globals={"numbers": numbers})
    times.append(timer.blocked_autorange(min_run_time=0.2).median)
print(f"1,000,000 times the numbers, {times[1] / times[0]:,.0f} times the time")
verdict("08.claim.proportional")

# %% [markdown] {"slug": "transfer"}
# We measured on the CPU, which every machine has. Starting an operation costs time there as well;
# on a GPU it is the launch. A program of many tiny operations measures mostly that.
#
# ### The way there and back
#
# A copy can cost more than the work. A *modelled* example: add 1 to 24 MB of numbers on a GPU, with
# the bandwidths that lesson 02 took from data sheets, 31.5 GB/s over PCIe and 1,555 GB/s in the
# GPU's memory. The addition reads 24 MB and writes 24 MB.

# %% {"slug": "transfer-predict"}
predict("08.transfer")

# %% {"concepts": ["C066"], "slug": "transfer-shown"}
copy, add = 24e6 / 31.5e9 * 1e3, 48e6 / 1555e9 * 1e3
print(f"modelled: {copy:.2f} ms there, {add:.3f} ms to add, {copy:.2f} ms back")
reveal("08.transfer", f"about {round(2 * copy / add, -1):.0f} times as long")

# %% [markdown] {"slug": "transfer-draw"}
# The same numbers, drawn:

# %% {"concepts": ["C066"], "slug": "transfer-drawn"}
back = (copy + add, 2 * copy + add)
timeline(host=[("wait", 0, back[1])], copies=[("copy there", 0, copy), ("copy back", *back)],
         device=[("add", copy, copy + add)], unit="ms", title="One addition and two copies")

# %% [markdown] {"slug": "transfer-read"}
# The addition is the thin bar in the middle. This is why you **move** data once, **run** as much as
# you can where it is, and **bring back** little.

# %% {"slug": "clock-quiz"}
quiz("08.after.clock")
