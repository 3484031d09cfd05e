# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02 · previous lesson: [01, *Know your
# machine*](01_know_your_machine.ipynb) · [Glossary](glossary.md)
#
# Your `train.py` runs on a GPU of *porto*. To compare models, you write a function that computes the mean loss
# of a hundred batches. It fails, because its tensors are on different devices. You repair it, and it works, but the
# GPU is often idle. So you find out why, and remove the idle time.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **repair** a device mismatch, and decide which tensor moves;
# - **move** a tensor with `to`, and bring a result to NumPy;
# - **create** a tensor where it is needed;
# - **find** the lines that make a program wait for the GPU, and move them out of a loop;
# - **keep** a loss on the GPU without its graph.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lesson 01; tensors in PyTorch; a training step with `backward`.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# You log in to porto, and look at its GPUs.

# %% {"slug": "imports"}
import warnings

import torch

from course_utils import check, explore, predict, quiz, reveal
from lesson_parts.lesson02 import device_map, epoch_waits, log_in, loop_lanes

log_in("porto")
# !nvidia-smi --query-gpu=index,memory.used,memory.total,utilization.gpu --format=csv
gpu = torch.device("cuda:3")

# %% [markdown] {"slug": "before-from-memory"}
# Nobody computes on GPU 3, so you take it. A question about lesson 01, from memory:

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% [markdown] {"slug": "failing-batch"}
# ## 1. A function that fails · 5 min
#
# The weights of the model are on the GPU, and the batches on the CPU, as from a data loader.


# %% {"concepts": ["C063"], "slug": "batch-fails"}
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.item()
    return total / len(batches)


batches = [torch.rand(16, 3) for _ in range(100)]
weight = torch.ones(3, device=gpu, requires_grad=True)
try:
    mean_loss(batches, weight)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "batch-read"}
# This is the **same-device rule**: the inputs of one operation must be on one [device](glossary.md#device).
# ([Exceptions](errors.md) are CPU tensors of the shape `()`, and indices on the CPU.) The message calls the matrix
# `batch` *mat*. It does not say which tensor should move. The picture shows where each input is.

# %% {"concepts": ["C052"], "slug": "batch-map"}
device_map({"batch": batches[0], "weight": weight}, "batch @ weight")

# %% [markdown] {"slug": "batch-cure"}
# **The rule:** decide which device computes, and move the other tensors there. Here the GPU computes, because all
# batches use the weights in its memory. So the batches move, although they are larger.

# %% {"concepts": ["C050", "C055", "C064"], "slug": "batch-cured"}
batches = [batch.to(gpu) for batch in batches]
before = mean_loss  # for the last cell
print("mean loss:", mean_loss(batches, weight))
print("scores are on", (batches[0] @ weight).device)

# %% [markdown] {"slug": "move"}
# ## 2. What `to` returns · 3 min
#
# One tensor moves to a GPU, and then to the same GPU again.

# %% {"concepts": ["C055", "C056", "C059"], "errata": ["E02"], "slug": "to-shown"}
x = torch.arange(6.0).reshape(2, 3)
y = x.to(gpu)
again = y.to(gpu)
print("x is on", x.device, "and y on", y.device)
print("again is y:", again is y)

# %% [markdown] {"slug": "to-read"}
# [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) leaves `x` where it was, and
# returns a copy. So give the copy a name, as in `x = x.to(gpu)`. If the tensor is on this device already, `to`
# returns the tensor itself.
#
# NumPy, pandas and matplotlib read only the CPU's memory:

# %% {"slug": "numpy-shown"}
try:
    y.numpy()
except TypeError as error:
    print(error)
print(y.cpu().numpy())

# %% [markdown] {"slug": "numpy-read"}
# `y.cpu()` is `y.to("cpu")`. A tensor with gradients needs `detach` first: `weight.detach().cpu().numpy()`.
#
# ## 3. Copy as little as possible · 8 min
#
# Copies between devices are slow. If either device may compute, move the tensor with fewer bytes.
#
# ### Fix it here
#
# The result of this function is needed on the device of `images`. The function works, but it copies all images
# to the CPU, where the small `mean` is, and back. It also copies `ones`. Change it so that it copies as little as
# possible.

# %% {"concepts": ["C051", "C053", "C062", "C065"], "slug": "prepare-program"}
import torch


def prepare(images, mean):
    ones = torch.ones(len(images), 1).to(images.device)
    centred = (images.cpu() - mean).to(images.device)
    return torch.cat([centred, ones], dim=1)


# %% [markdown] {"slug": "prepare-check-text"}
# The check calls your function with tensors on several devices, and counts the bytes that it copies.

# %% {"slug": "prepare-check"}
check("tensors.prepare", prepare)

# %% [markdown] {"slug": "asynchronous"}
# ## 4. The GPU works while the program continues · 3 min
#
# A line such as `scores = batch @ weight` does not wait for its result. It puts the work into the
# GPU's queue and returns. This is called [asynchronous](glossary.md#asynchronous). The program waits, or
# *synchronizes*, when it needs a number from the GPU, for example in `item()`. By default, it also waits when
# `to` copies from the CPU to the GPU.
#
# The picture shows two loops of six steps over one clock. The first reads its loss in every step. The slider sets
# how often the second does. Times are modelled for this GPU.

# %% {"slug": "waits-explored"}
explore("waits")

# %% [markdown] {"slug": "waits-read"}
# After each `item()`, the queue is empty. The GPU is idle for 10 µs until the program has the loss, and for 5 µs until
# new work arrives. Without the wait, the program queues the next steps while the GPU computes. So if you want
# to print the loss, read it in every hundredth step only.
#
# The lower bars compare a step of this loop with steps of two real programs. **Recorded**: on an RTX 3090, a step
# took 1.97 ms with a wait for the loss, and 1.89 without
# ([13 August 2026](https://github.com/lnccbrown/LANfactory/pull/120)). In real training, writes the author, the gain is
# under 1 %. On eight B200, a step took 152.2 ms with all waits, and 144.6 without those of the losses
# ([18 September 2026](https://github.com/facebookresearch/fairchem/pull/2203)). So measure what you gain.
#
# ## 5. Find the waits · 10 min
#
# PyTorch can warn of waits. The warning below is part of the lesson.

# %% {"slug": "sync-warned"}
torch.cuda.set_sync_debug_mode("warn")
print("sum:", y.sum().item())
torch.cuda.set_sync_debug_mode("default")

# %% [markdown] {"slug": "sync-read"}
# The warning names the line. This mode is experimental, and misses some waits: `synchronize()`, which waits for all
# queued work, and operations of `torch.distributed`. This function counts the warnings:


# %% {"slug": "count-waits"}
def count_waits(function, *inputs):
    torch.cuda.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True, action="always") as waits:
            function(*inputs)
    finally:
        torch.cuda.set_sync_debug_mode("default")
    return len(waits)


# %% [markdown] {"slug": "reads"}
# This function computes a hundred losses and remembers the lowest one. It does not call `item()`.


# %% {"slug": "reads-shown"}
def lowest_loss(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        loss = (values - step).square().mean()
        if loss < lowest:
            lowest = loss
    return lowest


# %% [markdown] {"slug": "reads-ask"}
# Predict, then run the cell after the question.

# %% {"slug": "reads-predict"}
predict("02.reads")

# %% {"slug": "reads-counted"}
reveal("02.reads", str(count_waits(lowest_loss, y)))

# %% [markdown] {"slug": "reads-read"}
# `while`, `float()`, `int()`, f-strings and `print` also wait if they read a tensor on the GPU. `torch.minimum`
# compares on the GPU:


# %% {"slug": "reads-cured"}
def lowest_loss(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        lowest = torch.minimum(lowest, (values - step).square().mean())
    return lowest


print("waits:", count_waits(lowest_loss, y))

# %% [markdown] {"slug": "mask"}
# The next two functions contain neither `if` nor `item()`.

# %% {"slug": "mask-predict"}
predict("02.mask")


# %% {"slug": "mask-shown"}
def large(values):
    return values[values > 2]


def clipped(values):
    return torch.where(values > 2, values, 0.0)


waiting = [function.__name__ for function in (large, clipped) if count_waits(function, y)]
reveal("02.mask", " and ".join(waiting) or "neither")

# %% [markdown] {"slug": "late"}
# The queue has one more consequence. A real GPU often reports an error at a later line, which waits: look up
# *device-side assert* in the [error index](errors.md).
#
# ## 6. Wait once · 12 min
#
# What if `mean_loss` adds up tensors instead of numbers? The weights below require gradients, as those of a model
# do. After each step, the cell prints the memory in use. Will it grow?

# %% {"slug": "graphs-shown"}
samples = torch.ones(2000, 1000, device=gpu)
weights = torch.ones(1000, 1000, device=gpu, requires_grad=True)
total = 0.0
for step in range(5):
    total = total + (samples @ weights).square().mean()
    print(f"step {step}: {torch.cuda.memory_allocated(gpu) // 2**20} MiB")
del total

# %% [markdown] {"slug": "graphs-read"}
# A loss keeps its *graph*, with the tensors that `backward` would need. The sum keeps the graphs of all
# steps, so memory grows until the GPU is full. `item()` returns a number without a graph, but waits.
# `loss.detach()` returns a tensor without a graph, and does not wait.
#
# ### Fix it here
#
# Change the function. It should wait once, and its memory should not grow with the number of batches.


# %% {"slug": "mean-loss-program"}
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.item()
    return total / len(batches)


# %% [markdown] {"slug": "mean-loss-count"}
# The next cell counts the waits of your function, and draws six of its steps. Run it before and after your change.
# Then the picture also shows the loop that reads each loss.

# %% {"slug": "mean-loss-waits"}
print("waits in", len(batches), "steps:", count_waits(mean_loss, batches, weight))
loop_lanes(mean_loss)

# %% [markdown] {"slug": "mean-loss-check-text"}
# Adding up the losses on the GPU takes a few µs more than the loop in section 4. The check looks at the result and the
# memory, too.

# %% {"slug": "mean-loss-check"}
check("tensors.mean_loss", mean_loss)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# Does `train.py` wait, too? The next cell trains for one epoch of 40 small batches, tests with one more, and
# counts the waits in each part of the program. Then it counts those of your function again.

# %% {"slug": "project-waits"}
epoch_waits()
counts = [count_waits(function, batches, weight) for function in (before, mean_loss)]
print(f"mean_loss, {len(batches)} batches: {counts[0]} waits before, {counts[1]} now")

# %% [markdown] {"slug": "recap"}
# The repaired `mean_loss` waits only once. `train_epoch` has the same `item()` in its loop, so it waits 40 times: you
# repair it in the assignment. `accuracy` and `main` wait only after the batches.
#
# `batches_ahead` and `ShapeNet`, the network, each copy two tensors from the CPU for each batch, and wait for each copy.
# Lesson 03 repairs `ShapeNet`, and lesson 09 `batches_ahead`.
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("02.after.loop")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. When does `x.to(device)` return `x` itself?
# 2. Why is a GPU idle if the loop reads its loss in every step?
# 3. What does `detach` save, if you keep a hundred losses?
#
# <details><summary>Answers</summary>
#
# 1. When `x` is on that device already.
# 2. While it waits, the program queues nothing, so the queue is empty afterwards.
# 3. The memory of a hundred graphs.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 02: Tensors on devices](../assignments/02_tensors/02_tensors.ipynb).**
# You will repair a device mismatch, move whole batches, find the line that waits, and write `train_epoch` for
# your own `train.py`.
#
# **Next lesson:** [03, *Modules on devices*](03_modules_on_devices.ipynb): why `model.to(device)`
# works without an equals sign, and what it leaves behind.
