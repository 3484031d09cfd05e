# %% [markdown] {"slug": "title"}
# # How busy, how full, how fast
#
# *On the Right Device*, lesson 08 · previous lesson: [07, *DataParallel*](07_data_parallel.ipynb) ·
# [Glossary](glossary.md)
#
# A training run is too slow, or it does not fit. What now? Three questions come before every
# change: how long does a step take, how busy is the GPU meanwhile, and what fills its memory? Each
# has a right way to be measured, and a tempting wrong one.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **time** work on a GPU so that the clock covers the work;
# - **compute** what a copy costs, and compare it with the work;
# - **read** a profile: self time and total time;
# - **explain** what `GPU-Util` says, and find out who waits for whom;
# - **predict** what fills the memory of a training step, and count it;
# - **train** with a batch that does not fit, by accumulation or checkpointing;
# - **choose** a batch size by measuring;
# - **read** three errors and a memory leak, and cure them.
#
# **Minutes:** 60
#
# **Prerequisites:** lesson 03; lesson 02's rules about copies.
#
# Every cell runs with or without a GPU. On virtual GPUs, bytes are counted as CUDA counts them, and
# times come from a **modelled clock**: the sentence or the picture says so.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson:

# %% {"slug": "imports"}
from time import perf_counter

import torch
from torch import nn
from torch.utils import benchmark, checkpoint

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.memory import step_memory
from course_utils.experiments.recording import record, utilisation_readings
from course_utils.figures import memory_chart, timeline, utilisation_chart

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("08.before.fetch")

# %% {"slug": "before-2-quiz"}
quiz("08.before.parameters")

# %% {"slug": "before-3-quiz"}
quiz("08.before.batch")

# %% [markdown] {"slug": "fast"}
# ## 1. How fast? · 12 min
#
# We time a matrix product the way one times anything in Python.

# %% {"concepts": ["C054"], "slug": "naive"}
devices = lab(gpus=4)
gpu0 = devices[0]
square = torch.rand(300, 300, device=gpu0)
start = perf_counter()
square @ square
print(f"{(perf_counter() - start) * 1e6:.0f} µs; GPUs are {devices.kind}")

# %% [markdown] {"slug": "asynchronous"}
# What was measured? On virtual GPUs, the product on the CPU. On a real GPU, something else: CUDA
# works [asynchronously](glossary.md#asynchronous). `square @ square` only puts the work into the
# GPU's queue, a [launch](glossary.md#launch), and the program goes on at once. It runs on the
# [host](glossary.md#host) while the device computes.
#
# Suppose that a launch takes 5 µs and a matrix product 100 µs. These numbers are *modelled*. A
# program reads the clock, launches three products, and reads the clock again.

# %% {"slug": "launch-predict"}
predict("08.launch-only")

# %% {"concepts": ["C054"], "slug": "launch-shown"}
launches = [("launch", 0, 5), ("launch", 5, 10), ("launch", 10, 15)]
products = [("product", 5, 105), ("product", 105, 205), ("product", 205, 305)]
stop = launches[-1][2]
reveal("08.launch-only", f"{stop} µs")

# %% [markdown] {"slug": "launch-draw"}
# The picture shows the two lanes, and the two moments at which the clock is read.

# %% {"concepts": ["C054"], "slug": "launch-drawn"}
timeline(host=launches, device=products, marks={"start": 0, "stop": stop},
         title="Three launches, and the two readings")

# %% [markdown] {"slug": "wait-draw"}
# [`torch.cuda.synchronize()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html)
# makes the host wait until the current GPU has done everything. (For another one, name it in the
# brackets.) With that wait before the last reading:

# %% {"concepts": ["C054"], "slug": "wait-drawn"}
waiting = [*launches, ("synchronize", 15, 305)]
timeline(host=waiting, device=products, marks={"start": 0, "stop": 305},
         title="The host waits, then reads the clock")

# %% [markdown] {"slug": "protocol"}
# Now the clock covers the work. A sound measurement has six steps, each with its reason:
#
# 1. **Warm up**: run it once without a clock. The first CUDA call of a program initialises the GPU
#    and loads libraries.
# 2. **Synchronize**: earlier work must not run inside your measurement.
# 3. **Start** the clock.
# 4. **Run**, preferably several times, and take the median.
# 5. **Synchronize**: the work has to be finished, not only launched.
# 6. **Stop** the clock.
#
# [`benchmark.Timer`](https://docs.pytorch.org/docs/stable/benchmark_utils.html) takes these steps
# for you: `timeit(20)` gives the mean of 20 runs, `blocked_autorange()` a median. It also sets the
# number of CPU threads, to **one** unless you name another.

# %% {"concepts": ["C054"], "slug": "benchmark-shown"}
timer = benchmark.Timer("square @ square", globals={"square": square},
                        num_threads=torch.get_num_threads())
timer.timeit(20)

# %% [markdown] {"slug": "benchmark-read"}
# On virtual GPUs this number is the CPU's and says nothing about a GPU; on a real one it is the
# GPU's. The steps are the same.
#
# How does the time grow with the size? We add numbers, few and many, on the CPU, which every
# machine has.

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
# ### There and back
#
# A copy can cost more than the work. A *modelled* example: add 1 to 24 MB of numbers on a GPU, with
# the bandwidths that lesson 02 took from data sheets, 31.5 GB/s over PCIe and 1,555 GB/s in the
# GPU's memory. The addition reads 24 MB and writes 24 MB.

# %% {"slug": "transfer-predict"}
predict("08.transfer")

# %% {"concepts": ["C054"], "slug": "transfer-shown"}
copy, add = 24e6 / 31.5e9 * 1e3, 48e6 / 1555e9 * 1e3
print(f"modelled: {copy:.2f} ms there, {add:.3f} ms to add, {copy:.2f} ms back")
reveal("08.transfer", f"about {round(2 * copy / add, -1):.0f} times as long")

# %% [markdown] {"slug": "transfer-draw"}
# The same numbers, drawn. The addition is the thin bar in the middle.

# %% {"concepts": ["C054"], "slug": "transfer-drawn"}
back = (copy + add, 2 * copy + add)
timeline(host=[("wait", 0, back[1])], copies=[("copy there", 0, copy), ("copy back", *back)],
         device=[("add", copy, copy + add)], unit="ms", title="One addition and two copies")

# %% [markdown] {"slug": "profile"}
# So move data once, run as much as you can where it is, and bring back little.
#
# ## 2. Where does the time go? · 5 min
#
# A step is slow; which operation? [`torch.profiler`](https://docs.pytorch.org/docs/stable/profiler.html)
# records every operation. This small network runs on the CPU, so that the times are measured on
# every machine.

# %% {"concepts": ["C161"], "slug": "profiled"}
model = nn.Sequential(nn.Conv2d(3, 16, 5), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10))
images = torch.rand(64, 3, 32, 32)
model(images)
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    model(images).square().mean().backward()

# %% [markdown] {"slug": "profile-question"}
# (If there are lines with a coloured background, they are the profiler's own: it says that it
# starts and stops.)
#
# Each entry has two times. The **total** time of an operation contains that of the operations it
# calls; its **self** time does not. Which of the two shows you where to look?

# %% {"slug": "profile-predict"}
predict("08.self-or-total")

# %% {"concepts": ["C161"], "slug": "profile-shown"}
entries = sorted(profile.key_averages(), key=lambda entry: -entry.cpu_time_total)[:8]
for entry in entries:
    print(f"{entry.key[:44]:44} self {entry.self_cpu_time_total:8.0f} µs, "
          f"total {entry.cpu_time_total:8.0f} µs")
outer = sum(entry.self_cpu_time_total < 0.1 * entry.cpu_time_total for entry in entries) > 2
reveal("08.self-or-total", "self time" if outer else "total time")

# %% [markdown] {"slug": "profile-read"}
# Begin with the largest self time. `profile.key_averages().table(sort_by="self_cpu_time_total")` is
# such a table, ready to print. With `ProfilerActivity.CUDA` it has the kernels of a real GPU as
# well, and `profile.export_chrome_trace(…)` writes a file for a browser, at `chrome://tracing` or
# `ui.perfetto.dev`. Two things to look for: one operation that takes most
# of the time, and gaps in which nothing runs.
#
# ## 3. How busy? · 10 min
#
# `nvidia-smi` has a column `GPU-Util`. (Its header has two rows: *Volatile* in the row above
# belongs to *Uncorr. ECC*.) The same number comes from
# [`torch.cuda.utilization`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.utilization.html).
# It answers one question: in which share of a short window, up to a second, did **any**
# [kernel](glossary.md#kernel) run?

# %% {"slug": "util-claim"}
claim("08.claim.util")

# %% {"concepts": ["C160"], "errata": ["E80", "E81"], "slug": "util-shown"}
numbers = torch.ones(4_000_000, device=gpu0)
for _ in range(300 if devices.kind == "virtual" else 50_000):  # real: about a second
    numbers.add_(1)
print("one addition for each number, GPU-Util:", torch.cuda.utilization(gpu0), "%")
verdict("08.claim.util")

# %% [markdown] {"slug": "jump"}
# (On virtual GPUs the window lies on the modelled clock.)
#
# Now a training loop. Suppose that the loader needs 2 s for a batch and the GPU 0.9 s. The loader
# prepares the next batch while the GPU computes. We read the [utilisation](glossary.md#utilisation)
# every 0.4 s. With a real
# GPU the cell takes about 10 seconds.

# %% {"slug": "jump-predict"}
predict("08.jump")

# %% {"concepts": ["C165", "C166"], "errata": ["E81"], "slug": "jump-shown"}
slow = utilisation_readings(gpu0, load=2.0, compute=0.9)
print(slow, "modelled" if devices.kind == "virtual" else "measured")
reveal("08.jump", "up and down" if max(slow) - min(slow) > 30 else f"{max(slow)} % all the time")

# %% [markdown] {"slug": "half-batch"}
# The GPU waits for its input: it is **input-bound**. We compare two changes, one at a time. Half
# the batch: half the loading, half the computing, twice as many batches. And a loader that is four
# times as fast.

# %% {"slug": "half-batch-claim"}
claim("08.claim.smaller-batch")

# %% {"concepts": ["C165", "C166"], "errata": ["E91"], "slug": "half-batch-shown"}
readings = {"the loader takes 2 s, the GPU 0.9 s": slow,
            "half the batch": utilisation_readings(gpu0, load=1.0, compute=0.45, batches=8),
            "a loader 4 times as fast": utilisation_readings(gpu0, load=0.5, compute=0.9)}
display(utilisation_chart(readings, title="Readings of the utilisation, in %",
                          modelled=devices.kind == "virtual"))
verdict("08.claim.smaller-batch")

# %% [markdown] {"slug": "half-batch-read"}
# With half the batch, work and waiting follow each other more quickly. Each window holds some of
# both, so the readings jump less, and the epoch takes nearly as long. With the fast loader the same
# work is done in 40 % of the time.
#
# A low or jumping utilisation says that the GPU waits. It does not say for what. Two rates say
# more: samples per second of the loader alone, and of training alone, on a batch that is already
# there. **The slower one sets the pace.** Lesson 09 makes the loader faster.
#
# To watch it while a program runs:
#
# | where | command |
# |---|---|
# | Linux | `watch -n 1 nvidia-smi` |
# | anywhere | `nvidia-smi -l 1` |
# | one line a second, for a log | `nvidia-smi dmon` |
# | columns for a program | `nvidia-smi --query-gpu=utilization.gpu --format=csv -l 1` |

# %% {"concepts": ["C167"], "errata": ["E92"], "slug": "watch-quiz"}
quiz("08.watch")

# %% [markdown] {"slug": "full"}
# ## 4. How full? · 11 min
#
# During the forward and backward pass, four things fill the memory: parameters, gradients, the
# optimizer's states, and [activations](glossary.md#activation), the outputs that the backward pass
# needs. Take a network with 8.4 million parameters in float32, trained with Adam.

# %% {"slug": "budget-predict"}
predict("08.budget")

# %% {"concepts": ["C161"], "slug": "budget-shown"}
def make():
    layers = [nn.Linear(1024, 1024) if n % 2 == 0 else nn.ReLU() for n in range(16)]
    return nn.Sequential(*layers)

step = step_memory(make, gpu0, batch=(64, 1024))
weights = step.parameters
reveal("08.budget", f"{round((weights + step.gradients + step.states) / weights)} times")

# %% [markdown] {"slug": "budget-read"}
# This factor is known before anything runs. Activations depend on the batch. We count each kind for
# four batch sizes; `torch.cuda.max_memory_allocated` returns the peak.

# %% {"concepts": ["C161", "C163"], "slug": "memory-drawn"}
sizes = (64, 512, 2048, 8192)
steps = {f"batch of {size}": step_memory(make, gpu0, batch=(size, 1024)) for size in sizes}
memory_chart(steps, title="In the forward and backward pass")

# %% [markdown] {"slug": "memory-read"}
# (Gradients are kept between the steps here. Adam's own step takes some memory more for a moment:
# with small batches the peak lies there.) The first three parts do not depend on the batch.
# Activations grow with it: of the largest bar, they are three quarters.
#
# And what does `nvidia-smi` show? PyTorch counts memory in two ways: **allocated** is what tensors
# take, **reserved** is what PyTorch has taken from the GPU.

# %% {"slug": "reserved-predict"}
predict("08.reserved")

# %% {"concepts": ["C160"], "errata": ["E82"], "slug": "reserved-shown"}
torch.cuda.empty_cache()
block = torch.ones(64, 1024, 1024, device=gpu0)
del block
allocated, reserved = torch.cuda.memory_allocated(gpu0), torch.cuda.memory_reserved(gpu0)
print(f"allocated: {allocated / 2**20:.0f} MiB, reserved: {reserved / 2**20:.0f} MiB")
reveal("08.reserved", "reserved is 256 MiB more" if reserved - allocated > 200 * 2**20
       else "they are the same")

# %% [markdown] {"slug": "reserved-read"}
# `nvidia-smi` counts what is reserved, by all processes, and their CUDA contexts. So read
# `Memory-Usage` as *what nobody else can have*, and `memory_allocated` as *what my tensors take*.
#
# A card that shows `16555MiB / 24220MiB` is this full:

# %% {"concepts": ["C160"], "errata": ["E95"], "slug": "percent"}
print(f"{16555 / 24220:.1%}, by all processes, cached memory included")

# %% [markdown] {"slug": "batch-size"}
# ### Which batch size?
#
# Should a batch fill the memory? We take the same network and measure samples per second for
# growing batches.

# %% {"slug": "batch-claim"}
claim("08.claim.batch")

# %% {"concepts": ["C163", "C164"], "errata": ["E84"], "slug": "batch-shown"}
net = make().to(gpu0)
for size in (8, 32, 128, 512, 2048):
    batch = torch.rand(size, 1024, device=gpu0)
    net(batch).square().mean().backward()
    with record(gpu0) as recorded:
        net(batch).square().mean().backward()
    print(f"batch of {size:4}: {size / recorded.end * 1e6:9,.0f} samples per s")
verdict("08.claim.batch")

# %% [markdown] {"slug": "batch-read"}
# (On virtual GPUs, the modelled clock, here and in the next cell: only the growth means anything.)
#
# At first, twice the batch is twice the [throughput](glossary.md#throughput), because launches take
# most of the time. Later the GPU is **saturated**: a larger batch takes more memory and saves
# hardly any time. A larger batch also means fewer updates in an epoch. It needs another learning
# rate, and the model may generalise worse. Measure samples per second, and stop where the number no
# longer grows.

# %% {"slug": "width-claim"}
claim("08.claim.larger-model")

# %% {"concepts": ["C162"], "errata": ["E83"], "slug": "width-shown"}
for width in (64, 256, 1024, 4096):
    wide = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width)).to(gpu0)
    batch = torch.rand(64, width, device=gpu0)
    wide(batch).square().mean().backward()
    with record(gpu0) as recorded:
        wide(batch).square().mean().backward()
    print(f"width {width:4}: {recorded.end:5.0f} µs for a step")
verdict("08.claim.larger-model")

# %% [markdown] {"slug": "no-fit"}
# ## 5. A batch that does not fit · 8 min
#
# Gradients add up until somebody clears them. So a large batch can be trained in parts: one
# `backward()` for each part, one step at the end. This is [gradient
# accumulation](glossary.md#gradient-accumulation).

# %% {"concepts": ["C164"], "slug": "accumulate"}
def accumulate(model, optimizer, batch, parts):
    optimizer.zero_grad()
    for part in batch.chunk(parts):
        loss = model(part).square().mean() * len(part) / len(batch)
        loss.backward()  # frees what this part has kept
    optimizer.step()

# %% [markdown] {"slug": "peak-of-why"}
# How much memory does some work take at its peak, on top of what was in use before?

# %% {"concepts": ["C164"], "slug": "peak-of"}
def peak_of(work, *arguments):
    net.zero_grad()
    before = torch.cuda.memory_allocated(gpu0)
    torch.cuda.reset_peak_memory_stats(gpu0)
    work(*arguments)
    return (torch.cuda.max_memory_allocated(gpu0) - before) / 2**20

net = nn.Sequential(*[nn.Linear(256, 256) for _ in range(32)]).to(gpu0)

# %% [markdown] {"slug": "accumulate-why"}
# (The network has 32 layers this time, so that activations are most of its memory.)
#
# Each part's loss is a mean over the part, so it is weighted by the part's share of the batch. Is
# the result that of the whole batch, and what does it save?

# %% {"slug": "accumulate-predict"}
predict("08.accumulate")

# %% {"concepts": ["C164"], "slug": "accumulate-shown"}
batch = torch.rand(16384, 256, device=gpu0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
peaks = {}
for parts in (1, 8):
    peaks[parts] = peak_of(accumulate, net, optimizer, batch, parts)
print({parts: f"{peak:.0f} MiB" for parts, peak in peaks.items()})

# %% [markdown] {"slug": "accumulate-equal"}
# And the gradients?

# %% {"concepts": ["C164"], "slug": "accumulate-equal-shown"}
gradients = []
for parts in (1, 8):
    accumulate(net, torch.optim.SGD(net.parameters(), lr=0), batch, parts)  # changes no weight
    gradients.append(net[-1].weight.grad.clone())
off = (gradients[0] - gradients[1]).abs().max() / gradients[0].abs().max()
print(f"largest difference: {off:.1e} of the largest gradient")
reveal("08.accumulate", f"{'equal' if off < 1e-3 else 'different'}, "
                        f"with {'less' if peaks[8] < peaks[1] else 'as much'} memory")

# %% [markdown] {"slug": "checkpointing"}
# (A model with BatchNorm computes its statistics for each part, and so gives other results.)
#
# The second way, [activation checkpointing](glossary.md#activation-checkpointing), is to forget
# activations and compute them again in the backward pass:
# [`torch.utils.checkpoint`](https://docs.pytorch.org/docs/stable/checkpoint.html). We cut the
# network into eight segments, and keep only what goes into each.

# %% {"concepts": ["C164"], "slug": "checkpointing-shown"}
def recompute():
    checkpoint.checkpoint_sequential(net, 8, batch, use_reentrant=False).square().mean().backward()

print(f"without: {peaks[1]:.0f} MiB, with checkpointing: {peak_of(recompute):.0f} MiB")

# %% [markdown] {"slug": "bits"}
# It costs about one forward pass more.
#
# ### Fewer bits
#
# Lesson 03 showed [`autocast`](https://docs.pytorch.org/docs/stable/amp.html). Activations in
# bfloat16 have two bytes instead of four:

# %% {"concepts": ["C164"], "slug": "bits-shown"}
def in_bfloat16():
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = net(batch).square().mean()
    loss.backward()

print(f"without: {peaks[1]:.0f} MiB, with autocast: {peak_of(in_bfloat16):.0f} MiB")

# %% [markdown] {"slug": "clinic"}
# That is more than half, because `autocast` computes the square in float32, and the gradients of
# the parameters stay in float32.
#
# On recent GPUs fewer bits are faster as well. `torch.set_float32_matmul_precision("high")` lets
# matrix products of float32 numbers use **TF32**, which rounds their inputs to a mantissa of 10
# bits and leaves memory as it is. The gain depends on the GPU: measure it on yours.
#
# ## 6. Error clinic · 5 min
#
# Three errors, and a leak that becomes one.
#
# **Case 1.** Too much for the card.

# %% {"concepts": ["C163"], "slug": "clinic-oom-shown"}
free, _ = torch.cuda.mem_get_info(gpu0)
try:
    torch.empty(free + 2**30, dtype=torch.uint8, device=gpu0)
except torch.OutOfMemoryError as error:
    print(str(error).split(". ")[0] + ".")
print("nothing lost:", torch.cuda.mem_get_info(gpu0)[0] >= free)

# %% [markdown] {"slug": "clinic-oom-read"}
# - Lesson 02 read the rest of this message. Here, the point is what comes after: nothing was
#   allocated, and the program may go on.
#
# **Cure:** catch `torch.OutOfMemoryError`, and nothing wider. Leave the `except` block before you
# try again, since the exception holds on to the tensors of the failed try. Then take a smaller
# batch, accumulate, or checkpoint.
#
# **Case 2.** Accumulating, but with one loss for two backward passes.

# %% {"concepts": ["C164"], "slug": "clinic-twice-shown"}
loss = net(batch[:64]).square().mean()
loss.backward()
try:
    loss.backward()
except RuntimeError as error:
    print(str(error).split(". ")[0] + ".")

# %% [markdown] {"slug": "clinic-twice-read"}
# - *a second time*: the first `backward()` has freed what this part had kept. That is what makes
#   accumulation cheap.
#
# **Cure:** run the model once for each `backward()`.
#
# **Case 3.** Checkpointing a function that does something else the second time.

# %% {"concepts": ["C164"], "slug": "clinic-checkpoint-shown"}
rows = iter((64, 32))
try:
    result = checkpoint.checkpoint(lambda x: net(x[:next(rows)]), batch, use_reentrant=False)
    result.square().mean().backward()
except RuntimeError as error:
    print(str(error).split("\n")[0])

# %% [markdown] {"slug": "clinic-checkpoint-read"}
# - *Recomputed values … have different metadata*: in the backward pass the function ran again, and
#   its tensors had other shapes than at first.
#
# **Cure:** checkpoint only what depends on nothing but its inputs. (Dropout is taken care of: the
# state of the random generators is kept.)
#
# **No error yet.** Somebody wants the mean loss of an epoch:

# %% {"concepts": ["C161"], "slug": "clinic-grow-shown"}
total, used = 0, []
for _ in range(4):
    total = total + net(batch[:1024]).square().mean()
    used.append(round(torch.cuda.memory_allocated(gpu0) / 2**20))
print("MiB after each step:", used)
del total

# %% [markdown] {"slug": "clinic-grow-read"}
# Memory grows with every step, until an `OutOfMemoryError` comes in the middle of an epoch: `total`
# holds on to everything that it was computed from, all activations included. **Cure:** add up
# `loss.detach()`, or `loss.item()` if you can afford to wait in each step.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# Our `train.py` says nothing about speed and memory, and its batch has to fit. Now it can cut a
# batch into parts:

# %% {"slug": "project-changes"}
from course_utils.experiments import project
from course_utils.figures import learning_curve

project.changes("08")

# %% [markdown] {"slug": "project-run"}
# It needs no `synchronize`: `item()` waits until the epoch's work is done, and only then is the
# clock read.
#
# We run it on one GPU with whole batches of 64 pictures. This takes about 15 seconds.

# %% {"slug": "project-runs"}
whole = project.train("08", "--batch", "64", gpus=1, out="08-whole")

# %% [markdown] {"slug": "project-run-parts"}
# And each batch in four parts, as long again:

# %% {"slug": "project-runs-parts"}
parts = project.train("08", "--batch", "64", "--accumulate", "4", gpus=1, out="08-parts")

# %% [markdown] {"slug": "project-curve-text"}
# Compare the peaks in the printed lines, and then the curves. The losses nearly agree. They are not
# equal, because BatchNorm takes its statistics from each part.

# %% {"slug": "project-curve"}
learning_curve(whole, parts)

# %% [markdown] {"slug": "recap"}
# **Try:** a batch of 1,200 is the whole training set. What does it do to the curve?
#
# ## What you learned · 2 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("08.after.clock")

# %% {"slug": "recap-2-quiz"}
quiz("08.after.util")

# %% {"slug": "recap-3-quiz"}
quiz("08.after.accumulate")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which two waits do you need when you time work on a GPU, and why?
# 2. What does a `GPU-Util` of 100 % tell you, and what does it not?
# 3. Which parts of a training step's memory grow with the batch?
# 4. Why does `nvidia-smi` show more than your tensors take?
# 5. How do you train with a batch that does not fit?
#
# <details><summary>Answers</summary>
#
# 1. One before the start, so that earlier work is done; one before the stop, so that yours is.
# 2. Some kernel was running all the time. Not how much of the GPU it used.
# 3. The activations, and the batch itself.
# 4. It counts reserved memory, CUDA contexts, and all processes.
# 5. In parts whose losses are weighted by their share, with one step at the end; or with
#    activations computed again; or in bfloat16.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`08_busy`](../assignments/08_busy/08_busy.ipynb). You will compute how busy a GPU
# was, count what fills its memory, predict what a clock shows, time work correctly, train a large
# batch in parts, read a profile, and find the largest batch that fits.
#
# **Next lesson:** [09, *Feeding the GPU*](09_feeding_the_gpu.ipynb): what to do if the GPU waits
# for its data.
