# %% [markdown] {"slug": "title"}
# # How busy, how full, how fast
#
# *On the Right Device*, lesson 08 · previous lesson: [07, *DataParallel*](07_data_parallel.ipynb) ·
# [Glossary](glossary.md)
#
# A training run is too slow, or it does not fit. Before you change anything, ask three questions:
# how long does a step take, how busy is the GPU meanwhile, and what fills its memory? For each
# there is a right way to measure, and a tempting wrong one.

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
# - **read** three errors, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 03; lesson 02's rules about copies.
#
# Every cell runs with or without a GPU. Virtual GPUs count bytes as CUDA does. Their times are the
# CPU's own speed, or come from a **modelled clock**; the text or the picture says which.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson:

# %% {"slug": "imports"}
from time import perf_counter

import torch
from torch import nn
from torch.utils import benchmark, checkpoint

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.recording import fed_loop, record
from lesson_parts.lesson08 import memory_chart, profile_chart, step_memory, timeline
from lesson_parts.lesson08 import utilisation_chart

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("08.before.fetch")

# %% {"slug": "before-2-quiz"}
quiz("08.before.parameters")

# %% {"slug": "before-3-quiz"}
quiz("08.before.batch")

# %% [markdown] {"slug": "fast"}
# ## 1. How fast? · 15 min
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
# What was measured? On virtual GPUs, the time that the CPU takes for the product, and for what a
# first call has to set up. On a real GPU, something else. Starting an operation there is called a
# [launch](glossary.md#launch).
#
# Suppose that a launch keeps the CPU busy for 5 µs, and that the GPU then needs 100 µs for the
# product. These numbers are *modelled*. A program reads the clock, launches three products, and
# reads the clock again.

# %% {"slug": "launch-predict"}
predict("08.launch-only")

# %% {"concepts": ["C054"], "slug": "launch-drawn"}
launches = [("launch", 0, 5), ("launch", 5, 10), ("launch", 10, 15)]
products = [("product", 5, 105), ("product", 105, 205), ("product", 205, 305)]
marks = {"start": 0, "stop": launches[-1][2]}
title = "Three launches, and the two readings"
display(timeline(host=launches, device=products, marks=marks, title=title))
reveal("08.launch-only", f"{marks['stop']} µs")

# %% [markdown] {"slug": "wait-draw"}
# CUDA works [asynchronously](glossary.md#asynchronous): a call returns when its work is in the
# GPU's queue, and the [host](glossary.md#host), which runs the program, goes on at once.
#
# [`torch.cuda.synchronize()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.synchronize.html)
# makes the host wait until the current GPU has done everything. With that wait before the last
# reading:

# %% {"concepts": ["C054"], "slug": "wait-drawn"}
waiting = [*launches, ("synchronize", 15, 305)]
timeline(
    host=waiting,
    device=products,
    marks={"start": 0, "stop": 305},
    title="The host waits, then reads the clock",
)

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
# for you: `timeit(20)` gives the mean of 20 runs, `blocked_autorange()` a median. It uses one CPU
# thread unless you name a number. (A pair of [events](glossary.md#event) reads the GPU's own
# clock.)

# %% {"concepts": ["C054"], "slug": "benchmark-shown"}
timer = benchmark.Timer(
    "square @ square", globals={"square": square}, num_threads=torch.get_num_threads()
)
timer.timeit(20)

# %% [markdown] {"slug": "benchmark-read"}
# On virtual GPUs, this is the CPU's speed again, and says nothing about a GPU. The steps are the
# same on a real one.
#
# How does the time grow with the size? We add six numbers, and then a million times as many. This
# runs on the CPU, which every machine has.

# %% {"slug": "size-predict"}
predict("08.size")

# %% {"concepts": ["C054"], "errata": ["E22"], "slug": "size-shown"}
times = []
for count in (6, 6_000_000):
    numbers = torch.ones(count)
    timer = benchmark.Timer("numbers + numbers", globals={"numbers": numbers})
    times.append(timer.blocked_autorange(min_run_time=0.2).median)
print(f"6 numbers: {times[0] * 1e6:.1f} µs, 6,000,000 numbers: {times[1] * 1e6:,.0f} µs")
small = times[1] < 1e5 * times[0]
reveal("08.size", f"{'between 100 and 100,000' if small else 'about a million'} times as long")

# %% [markdown] {"slug": "transfer"}
# ### There and back
#
# The data has to get to the GPU, and the result back. A *modelled* example: copy 24 MB of numbers to
# a GPU, add 1 to them, and copy them back. The bandwidths are those of data sheets:
# 31.5 GB/s over PCIe and 1,555 GB/s in the GPU's memory. The addition reads 24 MB and writes 24 MB.

# %% {"slug": "transfer-predict"}
predict("08.transfer")

# %% {"concepts": ["C054"], "slug": "transfer-shown"}
copy, add = 24e6 / 31.5e9 * 1e3, 48e6 / 1555e9 * 1e3
print(f"modelled: {copy:.2f} ms there, {add:.3f} ms to add, {copy:.2f} ms back")
reveal("08.transfer", f"about {round(2 * copy / add, -1):.0f} times as long")

# %% [markdown] {"slug": "profile"}
# So move data once, run as much as you can where it is, and bring back little.
#
# ## 2. Where does the time go? · 5 min
#
# A step is slow; which operation? [`torch.profiler`](https://docs.pytorch.org/docs/stable/profiler.html)
# records every operation. This small network runs on the CPU, and the times are the CPU's.

# %% {"slug": "profiled"}
model = nn.Sequential(nn.Conv2d(3, 16, 5), nn.ReLU(), nn.Flatten(), nn.LazyLinear(10))
images = torch.rand(64, 3, 32, 32)
model(images)
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
    start = perf_counter()
    model(images).square().mean().backward()
    run = perf_counter() - start

# %% [markdown] {"slug": "profile-question"}
# (If lines beginning with `USDT` appear, they only say that the profiler starts and stops.)
#
# Each operation has two times. The **total** time contains that of the operations it calls; the
# **self** time does not. Suppose that you add up all total times.

# %% {"slug": "profile-predict"}
predict("08.totals")

# %% {"slug": "profile-shown"}
entries = profile.key_averages()
selves = sum(entry.self_cpu_time_total for entry in entries) / 1e6
totals = sum(entry.cpu_time_total for entry in entries) / 1e6
display(profile_chart(entries, title="The operations with the largest total times"))
print(f"all self times: {selves * 1e3:.1f} ms, all total times: {totals * 1e3:.1f} ms")
print(f"the run: {run * 1e3:.1f} ms")
reveal("08.totals", f"{'more' if totals > run else 'less'} than the run took")

# %% [markdown] {"slug": "profile-read"}
# (`aten::` marks PyTorch's own operations.) Bars of nearly equal length are mostly one call inside
# another: `aten::conv2d` calls `aten::convolution`, and so on, and only the innermost one works.
# So begin with the largest self time. `entries.table(sort_by="self_cpu_time_total")` returns the
# same numbers as a table. With `ProfilerActivity.CUDA`, a profile has the kernels of a real GPU as well,
# and `profile.export_chrome_trace(…)` writes a file for `ui.perfetto.dev`, where you see the gaps in
# which nothing runs.
#
# ## 3. How busy? · 14 min
#
# `nvidia-smi` has a field `GPU-Util`. (*Volatile*, in the row above it, belongs to *Uncorr. ECC*.)
# The same number comes from
# [`torch.cuda.utilization`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.utilization.html).
# You will hear this about it:

# %% {"slug": "util-claim"}
claim("08.claim.util")

# %% [markdown] {"slug": "util-try"}
# PyTorch's own tests use a function `_sleep`: **one** thread of the GPU counts clock cycles, and
# nothing else happens. We let it count for about two seconds, which virtual GPUs only model.

# %% {"concepts": ["C160"], "errata": ["E80", "E81"], "slug": "util-shown"}
with torch.cuda.device(gpu0):
    for _ in range(30):
        torch.cuda._sleep(100_000_000)
    torch.cuda.synchronize()
print("one thread counts, GPU-Util:", torch.cuda.utilization(gpu0), "%")
verdict("08.claim.util")

# %% [markdown] {"slug": "jump"}
# `GPU-Util` is a share of time: for which part of a short window did **any**
# [kernel](glossary.md#kernel) run? The window is one second on our modelled clock, and between
# 1/6 s and one second on a real card.
#
# Now a training loop. The loader needs 2.2 s for a batch, the GPU 0.9 s, and the loader prepares
# the next batch while the GPU computes. We read the [utilisation](glossary.md#utilisation) after
# each second. On a real GPU, the cell takes about 12 seconds.

# %% {"slug": "jump-predict"}
predict("08.jump")

# %% {"concepts": ["C165", "C166"], "errata": ["E81"], "slug": "jump-shown"}
slow = fed_loop(gpu0, load=2.2, compute=0.9)
print(slow.readings, "modelled" if slow.modelled else "measured")
reveal("08.jump", slow.looks)

# %% [markdown] {"slug": "half-batch"}
# Can we do better? We try two changes, one at a time. Half the batch: half the loading, half the
# computing, twice as many batches. And a loader that is four times as fast. (On a real GPU, about
# 18 seconds.)

# %% {"slug": "half-batch-claim"}
claim("08.claim.smaller-batch")

# %% {"concepts": ["C165", "C166"], "errata": ["E91"], "slug": "half-batch-shown"}
loops = {
    "the loader takes 2.2 s, the GPU 0.9 s": slow,
    "half the batch": fed_loop(gpu0, load=1.1, compute=0.45, batches=10),
    "a loader 4 times as fast": fed_loop(gpu0, load=0.55, compute=0.9),
}
display(utilisation_chart(loops, title="One loop and two changes"))
verdict("08.claim.smaller-batch")

# %% [markdown] {"slug": "half-batch-read"}
# The first loop is [input-bound](glossary.md#input-bound): the GPU waits for its input. With half
# the batch, each second holds some work and some waiting, so the readings look calm, but the loop
# takes nearly as long. And the calm comes from our window of one second: with a window of 1/6 s,
# the readings of both loops would jump between 0 and 100. Only the faster loader helps: the same
# work takes less than half the time, and the GPU hardly waits any more.
#
# A low or jumping utilisation says that the GPU waits, but not for what. Two rates say more:
# samples per second of the loader alone, and of training alone, on a batch that is already on the
# GPU. **The slower one sets the pace.** Lesson 09 makes the loader faster.
#
# To watch the utilisation while a program runs:
#
# | what you want | command |
# |---|---|
# | the whole table again each second, on Linux | `watch -n 1 nvidia-smi` |
# | the same on any system | `nvidia-smi -l 1` |
# | one line per card and second, for a log with date and time | `nvidia-smi dmon -o DT` |
# | one column, for a program | `nvidia-smi --query-gpu=utilization.gpu --format=csv -l 1` |

# %% {"concepts": ["C167"], "errata": ["E92"], "slug": "watch-quiz"}
quiz("08.watch")

# %% [markdown] {"slug": "full"}
# ## 4. How full? · 12 min
#
# Four things fill the memory of a training step: parameters, gradients, the optimizer's states, and
# [activations](glossary.md#activation), the outputs that the backward pass needs. Take a network
# with 8.4 million parameters in float32, trained with Adam.

# %% {"slug": "budget-predict"}
predict("08.budget")


# %% {"concepts": ["C161"], "slug": "budget-shown"}
def make():
    layers = [nn.Linear(1024, 1024) if n % 2 == 0 else nn.ReLU() for n in range(16)]
    return nn.Sequential(*layers)


step = step_memory(make, gpu0, batch=(64, 1024))
kept = step.parameters + step.gradients + step.states
print(f"parameters: {step.parameters / 2**20:.0f} MiB, all three: {kept / 2**20:.0f} MiB")
reveal("08.budget", f"{round(kept / step.parameters)} times")

# %% [markdown] {"slug": "budget-read"}
# This factor is known before anything runs. Activations depend on the batch. We count a whole
# training step for four batch sizes, with
# [`torch.cuda.max_memory_allocated`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.max_memory_allocated.html),
# which returns the peak.

# %% {"concepts": ["C161", "C163"], "slug": "memory-drawn"}
sizes = (64, 512, 2048, 4096)
steps = {f"batch of {size}": step_memory(make, gpu0, batch=(size, 1024)) for size in sizes}
memory_chart(steps, title="At the fullest moment of a training step")

# %% [markdown] {"slug": "memory-read"}
# With a small batch, the fullest moment is in the optimizer's step: all gradients are there, and
# Adam's default version on GPUs takes as much as the parameters once more, for a moment. With a
# large batch, it comes earlier: where forward turns into backward, all activations are there, and
# no gradients of parameters yet, since `zero_grad()` has removed the old ones. The dotted part is
# about two thirds of the largest bar.
#
# What do your colleagues see in `nvidia-smi`? We make a tensor of 256 MiB and delete it.

# %% {"slug": "reserved-predict"}
predict("08.reserved")

# %% {"concepts": ["C160"], "errata": ["E82", "E95"], "slug": "reserved-shown"}
torch.cuda.empty_cache()
before, _ = torch.cuda.mem_get_info(gpu0)  # what is free, for everybody
block = torch.ones(64, 1024, 1024, device=gpu0)
del block
after, _ = torch.cuda.mem_get_info(gpu0)
print(f"my tensors: {torch.cuda.memory_allocated(gpu0) / 2**20:.1f} MiB")
reveal("08.reserved", f"{(before - after) / 2**20:.0f} MiB")

# %% [markdown] {"slug": "reserved-read"}
# (What is left is `square`, and on a real GPU some memory of the library that multiplies matrices.)
# So read `Memory-Usage` as *what nobody else can have*: it counts all processes, what they keep in
# reserve, and their CUDA contexts. If a row shows `16555MiB / 24220MiB`, 68.4 % is taken in this
# sense.

# %% [markdown] {"slug": "batch-size"}
# ### Which batch size?
#
# Should a batch fill the memory? We take the same network and measure samples per second for
# growing batches. On virtual GPUs they are those of the modelled clock: look at the growth only.

# %% {"slug": "batch-claim"}
claim("08.claim.batch")

# %% {"concepts": ["C162", "C163", "C164"], "errata": ["E83", "E84"], "slug": "batch-shown"}
net = make().to(gpu0)
for size in (8, 32, 128, 512, 2048):
    batch = torch.rand(size, 1024, device=gpu0)
    net(batch).square().mean().backward()
    with record(gpu0) as recorded:
        net(batch).square().mean().backward()
    print(f"batch of {size:4}: {size / recorded.end * 1e6:9,.0f} samples per s")
verdict("08.claim.batch")

# %% [markdown] {"slug": "batch-read"}
# With small batches, launches take most of the time, and twice the batch is nearly twice the
# [throughput](glossary.md#throughput). Later the GPU is **saturated**: a larger batch takes more
# memory and saves hardly any time. (The same holds for a larger model: as long as launches take most
# of the time, wider layers cost almost nothing.)
#
# A larger batch also means fewer updates in an epoch. It usually needs another learning rate, and the
# model may generalise worse. So measure samples per second, and stop where they no longer grow.
#
# ## 5. A batch that does not fit · 9 min
#
# Gradients add up until somebody clears them. So a large batch can be trained in parts: one
# `backward()` for each part, one step at the end. This is [gradient
# accumulation](glossary.md#gradient-accumulation). Each part's loss is a mean over the part, so it
# is weighted by the part's share of the batch.


# %% {"concepts": ["C164"], "slug": "accumulate"}
def accumulate(model, optimizer, batch, parts):
    optimizer.zero_grad()
    for part in batch.chunk(parts):
        loss = model(part).square().mean() * len(part) / len(batch)
        loss.backward()
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


# %% [markdown] {"slug": "accumulate-why"}
# We train a network with 32 layers, so that activations are most of its memory.

# %% {"concepts": ["C164"], "slug": "accumulate-set-up"}
net = nn.Sequential(*[nn.Linear(128, 128) for _ in range(32)]).to(gpu0)
optimizer = torch.optim.SGD(net.parameters(), lr=0)
batch = torch.rand(8192, 128, device=gpu0)

# %% [markdown] {"slug": "accumulate-compare"}
# The learning rate is 0: no weight changes, so the gradients of two runs can be compared later.

# %% {"slug": "accumulate-predict"}
predict("08.accumulate")

# %% {"concepts": ["C164"], "slug": "accumulate-shown"}
peaks, gradients = {}, {}
for parts in (1, 8):
    peaks[parts] = peak_of(accumulate, net, optimizer, batch, parts)
    gradients[parts] = net[-1].weight.grad.clone()
print(f"peaks: {peaks[1]:.0f} and {peaks[8]:.0f} MiB")
share = peaks[8] / peaks[1]
more = "about half" if share < 0.75 else "as high as before"
reveal("08.accumulate", "about an eighth" if share < 0.25 else more)

# %% [markdown] {"slug": "gradients-compare"}
# And are the gradients the same?

# %% {"concepts": ["C164"], "slug": "gradients-compared"}
off = (gradients[1] - gradients[8]).abs().max() / gradients[1].abs().max()
print(f"largest relative difference: {off:.0e}")

# %% [markdown] {"slug": "checkpointing"}
# Apart from rounding, they are: the weighted parts add up to the gradient of the whole mean. (BatchNorm
# computes its statistics for each part, so with it the results differ.)
#
# The second way is [activation checkpointing](glossary.md#activation-checkpointing), with
# [`torch.utils.checkpoint`](https://docs.pytorch.org/docs/stable/checkpoint.html): activations are
# dropped, and computed again in the backward pass. We cut the network into eight segments, and keep
# only what goes into each; the last one keeps everything, since it is needed first.


# %% {"concepts": ["C164"], "slug": "checkpointing-shown"}
def recompute():
    checkpoint.checkpoint_sequential(net, 8, batch, use_reentrant=False).square().mean().backward()


print(f"without: {peaks[1]:.0f} MiB, with checkpointing: {peak_of(recompute):.0f} MiB")

# %% [markdown] {"slug": "bits"}
# The price is about one more forward pass.
#
# ### Fewer bits
#
# [`torch.autocast`](https://docs.pytorch.org/docs/stable/amp.html) casts inputs and weights for each
# operation that gains by it, and leaves the weights themselves alone. Activations in bfloat16 have
# two bytes instead of four:


# %% {"concepts": ["C164"], "slug": "bits-shown"}
def in_bfloat16():
    with torch.autocast("cuda", dtype=torch.bfloat16):
        loss = net(batch).square().mean()
    loss.backward()


print(f"without: {peaks[1]:.0f} MiB, with autocast: {peak_of(in_bfloat16):.0f} MiB")

# %% [markdown] {"slug": "clinic"}
# It saves less than half, because `autocast` computes the square in float32, and the gradients of
# the parameters stay in float32. On recent GPUs, fewer bits are also faster. For models in float32,
# `torch.set_float32_matmul_precision("high")` allows **TF32**: matrix products round their inputs,
# which is faster on many GPUs, and takes as much memory as before.
#
# ## 6. Error clinic · 7 min
#
# **Case 1.** Too much for the card.

# %% {"concepts": ["C163"], "slug": "clinic-oom-shown"}
free, _ = torch.cuda.mem_get_info(gpu0)
try:
    torch.empty(free + 2**30, dtype=torch.uint8, device=gpu0)
except torch.OutOfMemoryError as error:
    print(str(error).split(" GPU")[0])
print("nothing lost:", torch.cuda.mem_get_info(gpu0)[0] >= free)

# %% [markdown] {"slug": "clinic-oom-read"}
# - Lesson 01 read the rest of this message. Here, the point is what comes after: nothing was
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
# **Case 3.** Somebody wants the mean loss of an epoch. It works at first, and then this. To see it
# soon, we allow this process only 256 MiB on top of its tensors:

# %% {"concepts": ["C163"], "slug": "clinic-limit"}
torch.cuda.empty_cache()
room = torch.cuda.memory_allocated(gpu0) + 256 * 2**20
torch.cuda.set_per_process_memory_fraction(room / torch.cuda.mem_get_info(gpu0)[1], gpu0)

# %% [markdown] {"slug": "clinic-grow"}
# The batch is the same in each step, and so is the model.

# %% {"concepts": ["C161"], "slug": "clinic-grow-shown"}
total = step = 0
try:
    while (step := step + 1) <= 100:
        total = total + net(batch[:1024]).square().mean()
except torch.OutOfMemoryError as error:
    print(f"step {step}:", str(error).split(" GPU")[0])
del total
torch.cuda.set_per_process_memory_fraction(1.0, gpu0)

# %% [markdown] {"slug": "clinic-grow-read"}
# - *Tried to allocate*: very little, and not in the first step. So the memory filled up slowly.
# - `total` holds on to everything that it was computed from: the activations of all steps.
#
# **Cure:** add up `loss.detach()`, or `loss.item()` if you can afford to wait in each step.

# %% [markdown] {"slug": "project"}
# ## The project · 5 min
#
# Until now, a batch of `train.py` has to fit into memory at once. This part lets it go through the
# network in `--parts`, and with `--bf16`, the network computes in bfloat16 where that is safe:

# %% {"slug": "project-part"}
from types import SimpleNamespace

from lesson_parts import project

print(project.part("08", "train_batch"))

# %% [markdown] {"slug": "project-peak"}
# What does it spare? We call it with 480 images, in one part and in four:

# %% {"slug": "project-peaks"}
train_batch, net = project.names("08").train_batch, project.network("08").to(gpu0)
images = torch.zeros(480, 3, 48, 48, dtype=torch.uint8, device=gpu0)
targets = torch.zeros(480, dtype=torch.long, device=gpu0)
for parts in (1, 4):
    torch.cuda.reset_peak_memory_stats(gpu0)
    train_batch(net, images, targets, SimpleNamespace(parts=parts, batch=480, bf16=False))
    print(f"parts: {parts}, peak {torch.cuda.max_memory_allocated(gpu0) / 2**20:.0f} MiB")

# %% [markdown] {"slug": "project-run"}
# The peak falls to about a third: the batch itself stays whole. Does the program learn the same? Both
# runs together take about 20 seconds.

# %% {"slug": "project-runs"}
whole = project.train("08", "--batch", "60", gpus=1, out="08-whole")
parts = project.train("08", "--batch", "60", "--parts", "4", gpus=1, out="08-parts")

# %% [markdown] {"slug": "project-same"}
# The losses agree, up to rounding. They would not with BatchNorm, which takes its statistics from each
# part; that is why this network has GroupNorm, which looks at one image at a time.

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
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
# **Now: [Assignment 08: How busy, how full, how fast](../assignments/08_busy/08_busy.ipynb).**
# You will count what fills a GPU's memory, time work correctly, train a large batch in parts, and find the
# largest batch that fits: a limit, and not always the best choice.
#
# **Next lesson:** [09, *Feeding the GPU*](09_feeding_the_gpu.ipynb): what to do if the GPU waits
# for its data.
