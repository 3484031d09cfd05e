# %% [markdown] {"slug": "title"}
# # How busy, how full, how fast
#
# *On the Right Device*, lesson 08 · previous lesson: [07, *DataParallel*](07_data_parallel.ipynb) ·
# [Glossary](glossary.md)
#
# You train beside Chen again, and may use 64 MiB. Many guides advise the largest batch that fits. Yours has 480 images,
# and does not fit. At the end, you train with them, and know what this costs.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **count** what fills the memory of a training step;
# - **time** work on a GPU with the GPU's own clock;
# - **tell** how a larger batch changes speed and memory;
# - **train** with a batch that does not fit, in parts.
#
# **Time:** about ¾ hour, or a little more
#
# **Prerequisites:** lesson 02. Lesson 04 explains the memory limit of section 1.
#
# ## Before we start · 3 min
#
# The server's GPUs are virtual on every computer. They count the memory of tensors as real ones do, but not the workspaces
# of libraries. Times are modelled, for an A100.

# %% {"slug": "imports"}
from functools import partial
from time import perf_counter

import torch
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.lesson08 import clock_lanes, log_in, memory_chart, speed_chart

log_in("porto")

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 02:

# %% {"slug": "before-1-quiz"}
quiz("08.before.fetch")

# %% [markdown] {"slug": "lab-text"}
# ## 1. It does not fit · 4 min
#
# Chen's process is on GPU 1. You make it the current GPU, and put the network of `train.py` and 480 images there:

# %% {"slug": "lab"}
# !nvidia-smi -i 1 --query-gpu=name,memory.used,utilization.gpu --format=csv
gpu, MiB = torch.device("cuda:1"), 2**20
torch.cuda.set_device(gpu)
whole = torch.cuda.get_device_properties(gpu).total_memory
net = project.network("08").to(gpu)
images = torch.randint(256, (480, 3, 48, 48), dtype=torch.uint8, device=gpu)
targets = torch.randint(2, (480,), device=gpu)

# %% [markdown] {"slug": "step-text"}
# `step` computes the gradient of the mean loss of the first `count` images.


# %% {"slug": "step"}
def step(count):
    net.zero_grad()
    loss = nn.functional.cross_entropy(net(images[:count]), targets[:count])
    loss.backward()


# %% [markdown] {"slug": "fails-text"}
# You set the limit of 64 MiB, as in lesson 04:

# %% {"concepts": ["C163"], "slug": "fails"}
torch.cuda.set_per_process_memory_fraction(64 * MiB / whole, gpu)
try:
    step(480)
except torch.OutOfMemoryError as error:
    print(str(error).split(" GPU")[0])

# %% [markdown] {"slug": "full"}
# ## 2. What fills the memory? · 6 min
#
# Training keeps four things: **parameters**, **gradients**, the **states** of the optimizer, and
# [activations](glossary.md#activation), the outputs that `backward` needs. Your optimizer is Adam, and the parameters are
# float32.
#
# At lunch, you may use the whole GPU, to measure.

# %% {"slug": "budget-predict"}
predict("08.budget")

# %% {"concepts": ["C161"], "slug": "budget-shown"}
torch.cuda.set_per_process_memory_fraction(1.0, gpu)
optimizer = torch.optim.Adam(net.parameters())
step(30)
optimizer.step()
states = [s for each in optimizer.state.values() for s in each.values() if s.is_cuda]
groups = net.parameters(), (each.grad for each in net.parameters()), states
kept = [sum(each.nbytes for each in group) for group in groups]
reveal("08.budget", f"{sum(kept) / kept[0]:.0f} times")

# %% [markdown] {"slug": "budget-read"}
# Of the four, only the activations grow with the batch. `peak` returns the memory at the highest moment of `work`, in bytes:


# %% {"concepts": ["C161"], "slug": "peak"}
def peak(work):
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    work()
    return torch.cuda.max_memory_allocated(), torch.cuda.max_memory_reserved()


# %% [markdown] {"slug": "memory-text"}
# The limit counts *reserved* memory: the whole segments that PyTorch takes from the driver (lesson 04).

# %% {"concepts": ["C161", "C162"], "slug": "memory-drawn"}
bars = {}
for count in (30, 120, 480):
    allocated, reserved = peak(partial(step, count))
    bars[f"{count} images"] = sum(kept), allocated - sum(kept), reserved - allocated
memory_chart(bars, limit=64 * MiB)

# %% [markdown] {"slug": "memory-read"}
# Each image adds the same amount to the tensors. So from two small batches, you can compute it for a large one. (*The rest*
# is the images, 3 MiB, and what `backward` needs for a moment.) Reserved memory grows by whole segments. `nvidia-smi` shows it, and CUDA's own memory in addition.
#
# ## 3. How long does a step take? · 13 min
#
# We time a step with Python's clock:

# %% {"concepts": ["C054"], "errata": ["E22"], "slug": "naive"}
begin = perf_counter()
step(480)
print(f"{(perf_counter() - begin) * 1e3:.2f} ms")

# %% [markdown] {"slug": "asynchronous"}
# This is how long your CPU needs for the work of a virtual GPU. On a real GPU, this clock would stop too early. A call
# only queues its kernels, with a [launch](glossary.md#launch) of a few µs for each, and returns:

# %% {"concepts": ["C054"], "slug": "lanes"}
clock_lanes(partial(step, 480))

# %% [markdown] {"slug": "events"}
# With `torch.cuda.synchronize()` before each reading, Python's clock covers the work of the GPU.
#
# The GPU has a clock of its own, and a pair of [events](glossary.md#event) reads it. `record()` queues a mark, behind all
# work queued in the same stream. When the GPU reaches the mark, it notes the time.

# %% {"concepts": ["C054"], "slug": "events-shown"}
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
start.record()
step(480)
end.record()
print("reached:", end.query())
torch.cuda.synchronize()
print(f"reached: {end.query()}, {start.elapsed_time(end):.3f} ms")

# %% [markdown] {"slug": "events-read"}
# Without the wait, `elapsed_time` would raise an error: the GPU has not reached the second mark.
#
# ### Fix it here
#
# Make the docstring true. Two things are missing:
#
# - The first call of `work` can be much slower than the others ([warm-up](glossary.md#warm-up)).
# - `record()` and `synchronize()` use the *current* GPU, which need not be `device`.

# %% {"concepts": ["C054"], "slug": "timed-program"}
import torch


def timed(work, device):
    """Return the ms of work() on `device`, from mark to mark, after one call to warm up."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    work()
    end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)


# %% [markdown] {"slug": "timed-check-text"}
# The check has slow first calls, and GPUs that are not the current one.

# %% {"slug": "timed-check"}
check("busy.timed", timed)

# %% [markdown] {"slug": "pays"}
# ## 4. Does a fuller GPU pay? · 5 min
#
# We double the batch four times, from 30 images to 480. The last time, memory nearly doubles, too. Does the speed?
#
# (One call is enough for a modelled clock. On a real GPU, take the median of ten.)

# %% {"slug": "twice-predict"}
predict("08.twice")

# %% {"concepts": ["C163", "C164"], "errata": ["E83", "E84"], "slug": "twice-shown"}
speeds = {}
for count in (30, 60, 120, 240, 480):
    speeds[count] = count / timed(partial(step, count), gpu) * 1000
    print(f"{count:3} images: {speeds[count]:9,.0f} images/s, modelled")
gain = speeds[480] / speeds[240]
more = "about half more" if gain < 1.75 else "twice as many"
reveal("08.twice", "hardly more" if gain < 1.25 else more)

# %% [markdown] {"slug": "twice-read"}
# With few images, launching the kernels takes longer than running them. So twice the batch brings nearly
# twice the [throughput](glossary.md#throughput). With many images, the GPU is **saturated**: a larger batch fills memory,
# but hardly saves time. For speed, 240 images are enough here.
#
# Does `GPU-Util` show that a GPU is saturated? In the next cell, one thread counts clock cycles for two seconds
# (modelled):

# %% {"concepts": ["C160"], "errata": ["E81", "E82"], "slug": "util-shown"}
for _ in range(30):
    torch.cuda._sleep(100_000_000)
torch.cuda.synchronize()
print("GPU-Util:", torch.cuda.utilization(gpu), "%")

# %% [markdown] {"slug": "util-read"}
# No. `GPU-Util` is a share of **time**: for which part of the last moments did *any* [kernel](glossary.md#kernel) run? So
# compare images per second. (`torch.cuda.utilization` assumes that CUDA counts as nvidia-smi does: set
# `CUDA_DEVICE_ORDER=PCI_BUS_ID`, as in lesson 05.)
#
# ## 5. In parts · 14 min
#
# Sometimes you need the large batch, for example to repeat a published result. Then compute its gradient in parts, or
# *micro-batches*: [gradient accumulation](glossary.md#gradient-accumulation). `backward()` runs for one part after the other, and each time
# frees the activations of the part. The gradients add up. At the end, the optimizer steps once.
#
# ### Fix it here
#
# After your change, the function adds the gradient of the mean loss of all images to `.grad`, for every batch and every
# number of parts. (`chunk` cuts 10 images into parts of 3, 3, 3 and 1. With `BatchNorm`, which mixes images, this would
# be impossible.)

# %% {"concepts": ["C164"], "slug": "parts-program"}
from torch import nn


def in_parts(model, images, targets, parts):
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts), strict=True):
        loss = nn.functional.cross_entropy(model(some), wanted)
        (loss / parts).backward()


# %% [markdown] {"slug": "parts-check-text"}
# The check compares the gradients, and how many images are in memory at a time.

# %% {"slug": "parts-check"}
check("busy.in_parts", in_parts)

# %% [markdown] {"slug": "ways"}
# A second way uses fewer bits: [`autocast`](glossary.md#autocast) computes in bfloat16, with two bytes for a number,
# where this is safe.


# %% {"slug": "ways-made"}
def bfloat16(count):
    net.zero_grad()
    with torch.autocast("cuda", torch.bfloat16):
        loss = nn.functional.cross_entropy(net(images[:count]), targets[:count])
    loss.backward()


def parts(count):
    net.zero_grad()
    in_parts(net, images, targets, count)


# %% [markdown] {"slug": "measured-text"}
# Before you measure:

# %% {"slug": "fits-predict"}
predict("08.fits")

# %% [markdown] {"slug": "ways-text"}
# Their memory and speed, below those of the batches (up to half a minute):

# %% {"concepts": ["C163", "C164"], "slug": "fits-shown"}
ways = {"480 in bfloat16": partial(bfloat16, 480)}
ways |= {f"480 in {count} parts": partial(parts, count) for count in (2, 4)}
found = {f"{n} images": (peak(partial(step, n))[1] / MiB, speeds[n]) for n in speeds}
for name, way in ways.items():
    found[name] = peak(way)[1] / MiB, 480 / timed(way, gpu) * 1000
fits = sum(found[name][0] <= 64 for name in ways)
display(speed_chart(found, limit=64))
reveal("08.fits", {1: "only 4 parts", 2: "2 parts and 4 parts"}.get(fits, "all three"))

# %% [markdown] {"slug": "fits-read"}
# In 2 parts, 480 images need the memory of 240, and lose some speed. In 4 parts, they lose more: parts of 120 do not
# saturate the GPU. So take as few parts as fit.
#
# bfloat16 does **not** help here: it needs no less memory than float32. Autocast keeps group normalisation in float32, and the
# copies in bfloat16 come in addition. In the model, they also take longer than the small convolutions save. Large products can be
# [much faster](https://docs.pytorch.org/docs/stable/amp.html) on real tensor cores.
#
# **Recorded** on a Tesla V100 with 16 GB in January 2022: BERT-large, 4 texts in a step ([Hugging
# Face](https://huggingface.co/docs/transformers/v4.27.2/en/perf_train_gpu_one)):
#
# | | MB, with CUDA's own | texts/s |
# |---|--:|--:|
# | at once | 14,949 | 8.86 |
# | in 4 parts | 8,681 | 7.75 |
# | in float16, mixed precision | 13,939 | 18.64 |
#
# There, fewer bits bring speed, but hardly save memory.

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `python train.py --batch 480 --parts 2`, your program will do the same: you write its `train_batch` in the
# assignment. Chen is back, so the limit is 64 MiB again:

# %% {"concepts": ["C164"], "slug": "project-after"}
step(480)
once = [each.grad.clone() for each in net.parameters()]
torch.cuda.empty_cache()
torch.cuda.set_per_process_memory_fraction(64 * MiB / whole, gpu)
parts(2)
off = max((one - each.grad).abs().max() for one, each in zip(once, net.parameters(), strict=True))
print(f"2 parts fit. Their gradients are those of 480 at once, within {off:.0e}")

# %% [markdown] {"slug": "recap"}
# The price is some speed. A large batch has another price: fewer updates. With `train.py`'s 1,200 images, an epoch has 40 steps of 30 images, but
# only 2 of 480. So you may need more epochs, or another learning rate.
#
# ## What you learned · 4 min
#
# A question:

# %% {"slug": "recap-1-quiz"}
quiz("08.after.parts")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What fills the memory of a step, and what of it grows with the batch?
# 2. Why does a clock on the CPU need a wait before each reading?
# 3. What does a `GPU-Util` of 100 % not tell?
# 4. What does a batch in parts cost?
#
# <details><summary>Answers</summary>
#
# 1. Parameters, gradients, states of the optimizer and activations. Of these, only activations grow with the batch.
# 2. A launch returns before its work is done, and earlier work may still run.
# 3. How much of the GPU is used. It is a share of time.
# 4. Time, if the parts are too small to keep the GPU busy.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 08: How busy, how full, how fast](../assignments/08_busy/08_busy.ipynb).**
# You will count the bytes of a training, time work with a clock of the CPU, find what a loop waits for, and write
# `train_batch` for `train.py`.
#
# **Next lesson:** [09, *Feeding the GPU*](09_feeding_the_gpu.ipynb): what to do if the GPU waits
# for its data.
