# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02 · previous lesson: [01, *Know your
# machine*](01_know_your_machine.ipynb) · [Glossary](glossary.md)
#
# Your `train.py` now runs on a GPU of the server *porto*. You write a training step of your own, and it
# fails: its tensors are on different devices. You fix it. But between its steps the GPU has nothing
# to do, while Mei waits for a card. This lesson explains both.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **fix** a mix of devices, and let the smallest tensor travel;
# - **predict** what `Tensor.to` returns;
# - **create** a tensor where it is needed;
# - **find** the lines that make a program wait for the GPU, and get them out of a loop.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 01; tensors in PyTorch; a training step with `backward`; Python's dicts.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson. They take some seconds.

# %% {"slug": "imports"}
import warnings

import torch

from course_utils import check, explore, lab, quiz
from lesson_parts.lesson02 import device_map, epoch_waits, loop_lanes

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 01. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% [markdown] {"slug": "failing-batch"}
# ## 1. A batch that fails · 7 min
#
# We ask for four GPUs. The output says whether they are real or virtual.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]
torch.ones(2, device="cuda:3")

# %% [markdown] {"slug": "training-step"}
# The last line shows a tensor on the fourth GPU. Now the training step: a batch as a data loader
# delivers it, and weights on a GPU.

# %% {"concepts": ["C063"], "slug": "batch-fails"}
image, label = torch.rand(8, 3, 32, 32), torch.arange(8)
batch = {"image": image, "label": label, "split": "train"}
weight = torch.randn(3 * 32 * 32, 10, device=gpu0)
try:
    scores = batch["image"].flatten(1) @ weight
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "batch-read"}
# This is the **same-device rule**: with [few exceptions](errors.md), the inputs of one operation must be on
# one [device](glossary.md#device). *mat2* is the right operand, but the message does not say which of the
# two is in the wrong place. Each tensor knows its own device, as `x.device`. The picture asks all of them.

# %% {"concepts": ["C052"], "slug": "batch-map"}
device_map({**batch, "weight": weight}, title="Where the training step finds its tensors")

# %% [markdown] {"slug": "batch-cure"}
# Every batch needs the weights, so the weights stay on the GPU and the batch moves. A dict has no
# method `to`: you move the tensors in it.

# %% {"concepts": ["C050", "C055", "C064"], "slug": "batch-cured"}
moved = {}
for key, value in batch.items():
    if isinstance(value, torch.Tensor):
        moved[key] = value.to(gpu0)
    else:
        moved[key] = value
scores = moved["image"].flatten(1) @ weight
print("scores are on", scores.device)

# %% [markdown] {"slug": "move"}
# ## 2. What `to` returns · 4 min
#
# The loop kept what `to` returned, in `moved`. Now one tensor moves to a GPU, and then to the device where
# it is already.

# %% {"concepts": ["C055", "C056", "C059"], "errata": ["E02"], "slug": "to-shown"}
x = torch.arange(6.0).reshape(2, 3)
y = x.to(gpu0)
again = y.to(gpu0)
print("x is on", x.device, "and y on", y.device)
print("again is y:", again is y)

# %% [markdown] {"slug": "two-gpus"}
# [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) leaves `x` where it was, and
# returns a copy. If nobody keeps the copy, it is lost, so most programs say `x = x.to(gpu0)`. If a tensor
# is already there, `to` returns the tensor itself and copies nothing.
#
# ## 3. Let the smallest tensor travel · 10 min
#
# You choose which tensor travels. A matrix of 4,000,000 bytes is on `gpu0`, and a bias of 4,000
# bytes on `gpu1`. Then `matrix + bias.to(gpu0)` copies a thousandth of what `matrix.to(gpu1) + bias` would.
#
# ### Fix it here
#
# A colleague cured a mix of devices in the first way that worked. All images travel to the CPU and
# back, because a small mean is there. `ones` travels, too, though it could be created where it is needed.
# Change two lines so that as little as possible travels, then run the check.

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
# ## 4. The GPU works while the program goes on · 22 min
#
# A line such as `scores = images @ weight` does not wait for its result. It puts the work into the
# GPU's queue and returns. This is called [asynchronous](glossary.md#asynchronous). The program waits, or
# *synchronizes*, when it needs a number from the GPU, for example in `item()`. It also waits when `to` copies
# from the CPU to the GPU; lesson 09 shows how to avoid this.
#
# The picture has two lanes: *host* is the program, *device* the GPU. It is a model in which a step takes
# 30 µs to queue and 50 µs to compute. The loop reads its loss in every step. Move the slider to the right,
# and watch the gaps.

# %% {"slug": "waits-explored"}
explore("waits")

# %% [markdown] {"slug": "waits-read"}
# After each `item()`, the queue is empty. The GPU has nothing to do until the program has queued the
# next step: 30 of every 80 µs. Without the wait, the program runs ahead, since it queues a step faster than
# the GPU computes one, and the gaps are gone.
#
# ### Find the waits
#
# PyTorch can warn of waits. The warning below is part of the lesson; `y` is the tensor of section 2.

# %% {"slug": "sync-warned"}
torch.cuda.set_sync_debug_mode("warn")
print("sum:", y.sum().item())
torch.cuda.set_sync_debug_mode("default")

# %% [markdown] {"slug": "sync-read"}
# The warning names the line. With virtual GPUs, it comes where it would come on a real one.
# `torch.cuda.synchronize()`, which waits on purpose, gives none. This function counts the warnings:


# %% {"slug": "count-waits"}
def count_waits(function, *inputs):
    torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True, action="always") as waits:
        function(*inputs)
    torch.cuda.set_sync_debug_mode("default")
    return len(waits)


# %% [markdown] {"slug": "reads"}
# The function `lowest_loss` below computes a hundred losses and remembers the lowest one. It does not
# call `item()`. How often does it wait: never, once, or a hundred times? Decide, then run it.


# %% {"slug": "reads-shown"}
def lowest_loss(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        loss = (values - step).square().mean()
        if loss < lowest:
            lowest = loss
    return lowest


print("waits:", count_waits(lowest_loss, y))

# %% [markdown] {"slug": "reads-read"}
# `if` needs Python's `True` or `False`, so in every round the program waits for the answer. `while`,
# `float()`, `int()`, f-strings and `print` wait, too. `torch.minimum` compares on the GPU:


# %% {"slug": "reads-cured"}
def lowest_loss(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        lowest = torch.minimum(lowest, (values - step).square().mean())
    return lowest


print("waits:", count_waits(lowest_loss, y))

# %% [markdown] {"slug": "mask"}
# Neither of the two lines below seems to read a number, but one of them waits. Think of the shape of each result.


# %% {"slug": "mask-shown"}
def select(values):
    large = values[values > 2]
    clipped = torch.where(values > 2, values, 0.0)
    return large, clipped


large, clipped = select(y)
print("shapes:", tuple(large.shape), tuple(clipped.shape))
print("waits: ", count_waits(select, y))

# %% [markdown] {"slug": "mean-loss"}
# The first one waits: the GPU has to count the elements greater than 2 before the program knows the
# shape of `large`. `torch.where` keeps the shape.
#
# ### Fix it here
#
# This function calls `item()` in every step. Change it so that it waits once, however many batches
# there are.


# %% {"slug": "mean-loss-program"}
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.item()
    return total / len(batches)


# %% [markdown] {"slug": "mean-loss-count"}
# The next cell counts the waits in a hundred steps, and draws four. Run it before and after your change.

# %% {"slug": "mean-loss-waits"}
steps = [torch.ones(16, 3, device=gpu0)] * 100
ones = torch.ones(3, device=gpu0)
print("waits in", len(steps), "steps:", count_waits(mean_loss, steps, ones))
loop_lanes(mean_loss)

# %% [markdown] {"slug": "mean-loss-check-text"}
# As it was, there is a gap before each step. Fixed, the loop waits once, and the gaps are gone. The check
# looks at the result, too.

# %% {"slug": "mean-loss-check"}
check("tensors.mean_loss", mean_loss)

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# In your `train.py`, the function `train_epoch` runs `loss += train_batch(…).item()` for each of 40
# batches. Two more batches are for the test. We count the waits of one epoch: *before*, in your program,
# and *after*, with a `train_epoch` that waits once. This takes about a minute.

# %% {"slug": "project-waits"}
epoch_waits()

# %% [markdown] {"slug": "recap"}
# Each row is a part of the program. In `train_epoch`, 40 waits became one. You will write this
# `train_epoch` in the assignment. `batches_ahead` and `ShapeNet`, the network, still wait twice for each
# of the 42 batches, since `to` from the CPU waits. Lesson 03 cures `ShapeNet`, and lesson 09 the
# other.
#
# ## What you learned · 5 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("02.after.waits")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. When does `x.to(device)` return `x` itself?
# 2. Two tensors are on different devices. Which one travels?
# 3. Why does a GPU idle if the loop reads its loss in every step?
#
# <details><summary>Answers</summary>
#
# 1. When `x` is on that device already.
# 2. The one with fewer bytes. Weights that every batch needs stay where they are.
# 3. During the wait the program queues nothing, so the queue is empty afterwards.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 02: Tensors on devices](../assignments/02_tensors/02_tensors.ipynb).**
# You will fix a mix of devices, move whole batches, find the line that waits, and write `train_epoch` for
# your own `train.py`.
#
# **Next lesson:** [03, *Modules on devices*](03_modules_on_devices.ipynb): why `model.to(device)`
# works without an equals sign, and what it leaves behind.
