# %% [markdown] {"slug": "title"}
# # How busy, how full, how fast
#
# *On the Right Device*, lesson 08 · previous lesson: [07, *DataParallel*](07_data_parallel.ipynb) ·
# [Glossary](glossary.md)
#
# You train beside Chen again, with 64 MiB. A note advises to fill the memory: take the largest batch that fits. Your
# batch of 480 images does not fit. At the end you train with 480 images, and know what this costs.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **count** what fills the memory of a training step;
# - **time** work on a GPU with the GPU's own clock;
# - **tell** how a larger batch changes speed and memory;
# - **explain** what `GPU-Util` says;
# - **train** with a batch that does not fit, in parts.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lesson 02. Lesson 04 explains the memory limit of section 1.
#
# ## Before we start · 3 min
#
# The server is virtual on every computer. The memory of tensors is counted as on a real GPU, without the
# workspaces of its libraries. Times come from the model of an A100.

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
# A question about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("08.before.fetch")

# %% [markdown] {"slug": "lab-text"}
# ## 1. It does not fit · 4 min
#
# Chen's process is on GPU 1. From now on, this is the current GPU. Here is the network of `train.py`, with 480 images:

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
# With the limit of 64 MiB for PyTorch's allocator, as in lesson 04:

# %% {"concepts": ["C163"], "slug": "fails"}
torch.cuda.set_per_process_memory_fraction(64 * MiB / whole, gpu)
try:
    step(480)
except torch.OutOfMemoryError as error:
    print(str(error).split(" GPU")[0])

# %% [markdown] {"slug": "full"}
# ## 2. What fills the memory? · 6 min
#
# At lunch, Chen lets you have the whole GPU, to measure. Training keeps four things: **parameters**, **gradients**, the
# **states** of the optimizer, and [activations](glossary.md#activation), the outputs that `backward` needs. Your
# optimizer is Adam, and the parameters are float32.

# %% {"slug": "budget-predict"}
predict("08.budget")

# %% {"concepts": ["C161"], "slug": "budget-shown"}
torch.cuda.set_per_process_memory_fraction(1.0, gpu)
optimizer = torch.optim.Adam(net.parameters())
step(30)
optimizer.step()
states = [s for of in optimizer.state.values() for s in of.values() if s.is_cuda]
groups = net.parameters(), (each.grad for each in net.parameters()), states
kept = [sum(each.nbytes for each in group) for group in groups]
reveal("08.budget", f"{sum(kept) / kept[0]:.0f} times")

# %% [markdown] {"slug": "budget-read"}
# A larger model has more of all four, but only activations grow with the
# batch. We measure the peak of a step:


# %% {"concepts": ["C161", "C162"], "slug": "memory-drawn"}
def peak(work):
    torch.cuda.reset_peak_memory_stats()
    work()
    return torch.cuda.max_memory_allocated()


peaks = {count: peak(partial(step, count)) for count in (30, 120, 480)}
bars = {f"{n} images": (sum(kept), top - sum(kept)) for n, top in peaks.items()}
memory_chart(bars, limit=64 * MiB)

# %% [markdown] {"slug": "memory-read"}
# In this small network, activations are nearly everything, and each image adds the same amount. So you can estimate the
# peak of a large batch from two small ones. (Of each bar, the 480 images are
# 3 MiB. And `backward` uses some memory for a moment: 8 MiB with 480 images.)
#
# `nvidia-smi` also counts memory that PyTorch keeps, CUDA's own, and other processes.
#
# ## 3. How long does a step take? · 13 min
#
# We time a step with Python's clock:

# %% {"concepts": ["C054"], "errata": ["E22"], "slug": "naive"}
begin = perf_counter()
step(480)
print(f"{(perf_counter() - begin) * 1e3:.2f} ms")

# %% [markdown] {"slug": "asynchronous"}
# On a virtual GPU, this is the time of your CPU, which does all the work. On a real GPU, it is false, too: a call
# returns when its work is queued. Each [launch](glossary.md#launch) takes the CPU some µs.

# %% {"concepts": ["C054"], "slug": "lanes"}
clock_lanes(partial(step, 480))

# %% [markdown] {"slug": "events"}
# The clock stops too early. With `torch.cuda.synchronize()` before each reading, it covers the work of the GPU.
#
# The GPU has a clock, too. A pair of [events](glossary.md#event) reads it. `record()` queues a mark behind the work that is
# queued already. When the GPU reaches the mark, it notes the time.

# %% {"concepts": ["C054"], "slug": "events-shown"}
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
start.record()
step(480)
end.record()
print("reached:", end.query())
torch.cuda.synchronize()
print(f"reached: {end.query()}, {start.elapsed_time(end):.3f} ms")

# %% [markdown] {"slug": "events-read"}
# Before the wait, `elapsed_time` would raise an error: the GPU has not reached the second mark.
#
# ### Fix it here
#
# Make the docstring true. The first call of `work` can be much slower than the others ([warm-up](glossary.md#warm-up)).
# And `record()` marks the stream of the *current* GPU, which need not be `device`; `synchronize()` waits for this one,
# too.

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
# We go from 30 images to 480, each time with twice the batch. The last step, from 240 to 480, also takes twice the
# memory. How many images per second does it bring?

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
# With few images, the CPU needs longer to launch the kernels than the GPU to run them: twice the batch is nearly twice
# the [throughput](glossary.md#throughput). Later the GPU is **saturated**: a
# larger batch fills memory, but hardly saves time.
#
# A larger batch also means fewer updates in an epoch, and may need another learning rate. So stop growing where the
# images per second do.
#
# Does `GPU-Util` show when this is? One thread of the GPU counts clock cycles for about two seconds (modelled), and
# nothing else runs:

# %% {"concepts": ["C160"], "errata": ["E81", "E82"], "slug": "util-shown"}
for _ in range(30):
    torch.cuda._sleep(100_000_000)
torch.cuda.synchronize()
print("GPU-Util:", torch.cuda.utilization(gpu), "%")

# %% [markdown] {"slug": "util-read"}
# No. `GPU-Util` is a share of **time**: for which part of the last moments did *any* [kernel](glossary.md#kernel) run?
# Compare images per second.
#
# ## 5. In parts · 15 min
#
# To repeat a result, you need its batch: here 480 images in a step. Gradients add up until somebody clears them. So
# `backward()` can run for one part after the other, and the optimizer steps once at the end: [gradient
# accumulation](glossary.md#gradient-accumulation). Each `backward()` frees the activations of its part.
#
# ### Fix it here
#
# After your change, the function adds the gradient of the mean loss of all images to the gradients that are there, for
# every batch and every number of parts. 10 images in 4 parts are parts of 3, 3, 3 and 1. (The network treats each image
# alone. With `BatchNorm`, this could not be true.)

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


# %% [markdown] {"slug": "fits-text"}
# Which of the three new ways stay below 64 MiB? (Up to half a minute.)

# %% {"slug": "fits-predict"}
predict("08.fits")

# %% {"concepts": ["C163", "C164"], "slug": "fits-shown"}
ways = {"480": (step, 480), "bfloat16": (bfloat16, 480)}
ways |= {"2 parts": (parts, 2), "4 parts": (parts, 4)}
found = {}
for name, (way, count) in ways.items():
    found[name] = peak(partial(way, count)) / MiB, 480 / timed(partial(way, count), gpu) * 1000
    print(f"{name:8}: {found[name][0]:3.0f} MiB, {found[name][1]:7,.0f} images/s, modelled")
fits = sum(top < 64 for top, _ in found.values())
reveal("08.fits", {1: "only 4 parts", 2: "2 parts and 4 parts"}.get(fits, "all three"))

# %% [markdown] {"slug": "fits-drawn-text"}
# With the batches of section 4, which are smaller:

# %% {"slug": "fits-drawn"}
small = {str(n): (peak(partial(step, n)) / MiB, speeds[n]) for n in (30, 120, 240)}
speed_chart({**small, **found}, limit=64)

# %% [markdown] {"slug": "fits-read"}
# Four parts need what a batch of 120 needs. Two parts fit, too, and lose less.
#
# bfloat16 does **not** help this program, in the model's times. Autocast keeps group normalisation in float32, and the
# copies in bfloat16 come in addition. Networks of large matrix products differ.
#
# **Recorded** on a Tesla V100 with 16 GB, a large BERT, 4 texts in a step, in the documentation of March 2023 ([Hugging
# Face](https://huggingface.co/docs/transformers/v4.27.2/en/perf_train_gpu_one)): 14,949 MB and 8.86 texts/s; in 4
# parts 8,681 MB and 7.75; in float16 13,939 MB and 18.64. There, fewer bits bring speed, but hardly any memory.

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `python train.py --batch 480 --parts 2`, your program will do the same. In the assignment you write its
# `train_batch`. Chen is back, and the limit is 64 MiB again:

# %% {"concepts": ["C164"], "slug": "project-after"}
step(480)
once = [each.grad.clone() for each in net.parameters()]
torch.cuda.empty_cache()
torch.cuda.set_per_process_memory_fraction(64 * MiB / whole, gpu)
print(f"480 images in 2 parts: {peak(partial(parts, 2)) / MiB:.0f} MiB")
off = max((one - each.grad).abs().max() for one, each in zip(once, net.parameters(), strict=True))
print(f"gradients as at once, within {off:.0e}; images/s, modelled:")
print({name: f"{found[name][1]:,.0f}" for name in ("480", "2 parts")})

# %% [markdown] {"slug": "recap"}
# In parts, 480 images fit, with the same gradient.
#
# A large batch has another price, in any number of parts. With 480 of the 1,200 images, an epoch has 2 steps, with 30 it
# has 40. After six epochs, `train.py` has a test accuracy of 22 %, and not 99.7 %.
#
# ## What you learned · 4 min
#
# A question, without looking back.

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
