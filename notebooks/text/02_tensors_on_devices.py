# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02 · previous lesson: [01, *Know your
# machine*](01_know_your_machine.ipynb) · [Glossary](glossary.md)
#
# Your `train.py` runs on a GPU of the server *porto* now. Beside it you write a training step of your
# own, and it fails: two of its tensors are on different devices. You mend it, and it runs. But between
# its steps the GPU has nothing to do, while Mei waits for a card. This lesson explains both.
# Now `train_epoch` waits for the GPU in each of 40 steps. You will write one that waits once.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **mend** a mix of devices, and let the smallest tensor travel;
# - **predict** what `Tensor.to` returns;
# - **create** a tensor where it is needed;
# - **find** the lines that make a program wait for the GPU, and get them out of a loop.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 01; PyTorch tensors (shape, dtype, indexing); a training step (loss,
# `backward`); Python's dicts, functions and `try`.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson. They take a few seconds.

# %% {"slug": "imports"}
import warnings

import torch

from course_utils import check, claim, explore, lab, predict, quiz, reveal, verdict
from lesson_parts.lesson02 import device_map, epoch_waits, loop_lanes

# %% [markdown] {"slug": "before-from-memory"}
# Two questions about devices and tensors. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% {"slug": "before-2-quiz"}
quiz("02.before.bytes")

# %% [markdown] {"slug": "failing-batch"}
# ## 1. A batch that fails · 7 min
#
# We ask for four GPUs. The sentence below says whether they are real or virtual.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]
torch.ones(2, device="cuda:3")

# %% [markdown] {"slug": "training-step"}
# The last line shows a tensor on the fourth GPU: `device='cuda:3'`. Now the training step: a batch as a
# data loader delivers it, and weights on a GPU.

# %% {"concepts": ["C063"], "slug": "batch-fails"}
image, label = torch.rand(8, 3, 32, 32), torch.arange(8)
batch = {"image": image, "label": label, "split": "train"}
weight = torch.randn(3 * 32 * 32, 10, device=gpu0)
try:
    scores = batch["image"].flatten(1) @ weight
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "batch-read"}
# This is the **same-device rule**: the inputs of one operation must be on one
# [device](glossary.md#device). The message does not say which of the two is in the wrong place. Each
# tensor knows its own, as `x.device`; the picture asks all of them.

# %% {"concepts": ["C052"], "slug": "batch-map"}
device_map({**batch, "weight": weight}, title="Where the training step finds its tensors")

# %% [markdown] {"slug": "batch-cure"}
# Every batch needs the weights, so the weights stay on the GPU and the batch moves. A dict has no
# method `to`. You move what is in it: tensors move, and other values stay as they are.

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
# The step runs, and the scores are where the inputs are.
#
# ## 2. What `to` returns · 5 min
#
# The loop keeps what `to` returns, in `moved`. What if nothing keeps it?

# %% {"concepts": ["C055", "C056"], "slug": "to-alone-shown"}
x = torch.arange(6.0).reshape(2, 3)
x.to(gpu0)
x.device

# %% [markdown] {"slug": "to-kept"}
# `x` is where it was: a copy was made and thrown away. So most programs say `x = x.to(gpu0)`. Here the
# result of
# [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) gets a name of its own,
# `y`, so that we can look at both. And what if `y` has to move to the device where it is already?

# %% {"concepts": ["C056", "C059"], "errata": ["E02"], "slug": "already-there-shown"}
y = x.to(gpu0)
again = y.to(gpu0)
print("y is x:    ", y is x)
print("again is y:", again is y)

# %% [markdown] {"slug": "create"}
# Where a tensor is in place already, `to` returns the tensor itself and copies nothing. So the line is
# safe wherever a tensor may or may not be in place.
#
# No move is better still. A new tensor is on the CPU, even if four GPUs are waiting. With `device=` it
# is created where you need it:

# %% {"concepts": ["C051", "C052", "C053"], "slug": "create-shown"}
print("default:     ", torch.ones(8).device)
print("device=gpu0: ", torch.ones(8, device=gpu0).device)

# %% [markdown] {"slug": "two-gpus"}
# ## 3. Let the smallest tensor travel · 10 min
#
# PyTorch does not move tensors for you: copies between devices are slow, and you would not see them.
# But you can choose which tensor travels. Here are two, on two GPUs:

# %% {"concepts": ["C062", "C065"], "slug": "two-gpus-shown"}
matrix = torch.ones(1000, 1000, device=gpu0)
bias = torch.ones(1000, device=gpu1)
total = matrix + bias.to(gpu0)
print("the bias:  ", f"{bias.nbytes:>9,} bytes")
print("the matrix:", f"{matrix.nbytes:>9,} bytes")
print("the sum is on", total.device)

# %% [markdown] {"slug": "prepare"}
# Four thousand bytes travelled. The other way, it would have been four million.
#
# ### Mend it here
#
# A colleague cured a mix of devices in the first way that worked. All images travel to the CPU and
# back, for the sake of a small mean. The ones travel, too, though they could be created in place. Change
# two lines so that as little as possible travels, then run the check. You may run both cells as often
# as you like.

# %% {"concepts": ["C065", "C066"], "slug": "prepare-program"}
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
# ## 4. The GPU works while the program goes on · 19 min
#
# A line such as `scores = images @ weight` does not wait for its result. It puts the work into the
# GPU's queue and returns. This is called [asynchronous](glossary.md#asynchronous). The program waits
# when it needs a number from the GPU, for example in
# [`item()`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.item.html). It also waits when it
# copies from ordinary memory to the GPU, as `to` and `torch.tensor([1.0, 2.0], device=gpu0)` do.
#
# The picture has two lanes: *host* is the program, *device* the GPU. It is a model: to queue a step
# takes 30 µs, to compute it 50 µs. The loop reads its loss in every step. Move the slider to the
# right, and watch the gaps.

# %% {"slug": "waits-explored"}
explore("waits")

# %% [markdown] {"slug": "waits-read"}
# After each `item()`, the queue is empty. The GPU has nothing to do until the program has queued the
# next step: 30 of every 80 µs. Without the wait, the program runs ahead, and the GPU always has work.
#
# ### Find the waits
#
# PyTorch can warn of waits. The warning below is part of the lesson.

# %% {"slug": "sync-warned"}
torch.cuda.set_sync_debug_mode("warn")
print("sum:", y.sum().item())
torch.cuda.set_sync_debug_mode("default")

# %% [markdown] {"slug": "sync-read"}
# The warning names the line; in a loop, Python prints it once for each line. Virtual GPUs warn where a
# program would wait for a real one.
#
# This function collects the warnings instead, and counts them:


# %% {"slug": "count-waits"}
def count_waits(function, *inputs):
    torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True, action="always") as waits:
        function(*inputs)
    torch.cuda.set_sync_debug_mode("default")
    return len(waits)


# %% [markdown] {"slug": "reads"}
# The function `lowest_loss` below computes a hundred losses and remembers the lowest one. It calls no
# `item()`. Read it, answer, then run it.

# %% {"slug": "reads-predict"}
predict("02.reads")


# %% {"slug": "reads-shown"}
def lowest_loss(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        loss = (values - step).square().mean()
        if loss < lowest:
            lowest = loss
    return lowest


reveal("02.reads", count_waits(lowest_loss, y))

# %% [markdown] {"slug": "mask"}
# Other operations wait although no number seems to be read. In the next cell, one of two lines does.
# Think of the shape of each result.


# %% {"slug": "mask-shown"}
def select(values):
    large = values[values > 2]
    clipped = torch.where(values > 2, values, 0.0)
    return large, clipped


large, clipped = select(y)
print("shapes:", tuple(large.shape), tuple(clipped.shape))
print("waits: ", count_waits(select, y))

# %% [markdown] {"slug": "mean-loss"}
# How many elements are greater than 2? The GPU has to count them before the program knows the shape of
# `large`. `torch.where` keeps the shape, and does not wait.
#
# ### Mend it here
#
# Our training program began like this function: with an `item()` in every step. Change it so that it
# waits once, however many batches there are.


# %% {"slug": "mean-loss-program"}
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.item()
    return total / len(batches)


# %% [markdown] {"slug": "mean-loss-count"}
# The next cell counts the waits in a hundred steps, and draws four steps of your function. Run it before
# and after your change.

# %% {"slug": "mean-loss-waits"}
steps = [torch.ones(16, 3, device=gpu0)] * 100
ones = torch.ones(3, device=gpu0)
print("waits in", len(steps), "steps:", count_waits(mean_loss, steps, ones))
loop_lanes(mean_loss)

# %% [markdown] {"slug": "mean-loss-check-text"}
# As it was, it waits 100 times in 100 steps, and there is a gap before each step. Mended, it waits once,
# and the gaps are gone. The check looks at the result, too.

# %% {"slug": "mean-loss-check"}
check("tensors.mean_loss", mean_loss)

# %% [markdown] {"slug": "clinic"}
# ## 5. Error clinic · 6 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** A number on the CPU, a tensor on the GPU. `y * 2` works: Python's `2` is on no device. What
# about a number in a tensor?

# %% {"slug": "number-claim"}
claim("02.claim.number")

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "number-shown"}
for number in (torch.tensor(2.0), torch.tensor([2.0])):
    try:
        print("shape", tuple(number.shape), "gives a result on", (y * number).device)
    except RuntimeError as error:
        print("shape", tuple(number.shape), "gives an error:", error)
verdict("02.claim.number")

# %% [markdown] {"slug": "clinic-leaf"}
# **Cure:** use Python's number, or create the tensor on the device.
#
# **Case 2.** Weights that never learn. (PyTorch prints a warning here.)

# %% {"errata": ["E12"], "slug": "clinic-leaf-shown"}
moved = torch.ones(3, requires_grad=True).to(gpu0)
created = torch.ones(3, requires_grad=True, device=gpu0)
(moved + created).sum().backward()
print("moved:  ", moved.grad)
print("created:", created.grad)

# %% [markdown] {"slug": "project"}
# Autograd records the move like any other operation. So `moved` is a result and no
# [leaf](glossary.md#leaf), and the gradient goes to the tensor on the CPU, for which we kept no name.
# **Cure:** create weights on the device.
#
# ## The project · 3 min
#
# The function `train_epoch` in your `train.py` says `loss += train_batch(…).item()` in each of 40 steps.
# How much does it matter? We train for one epoch with the warnings switched on: first with your
# program as it is now, then with a `train_epoch` that waits once. This takes about half a minute.

# %% {"slug": "project-waits"}
epoch_waits()

# %% [markdown] {"slug": "recap"}
# Each row is a function of `train.py`. In `train_epoch`, 40 waits became one. You will write this
# `train_epoch` in the assignment. `batches_ahead` still waits twice for each of 42 batches, since a
# plain `to` from the CPU waits. Lesson 09 cures that.
#
# ## What you learned · 4 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("02.after.keep")

# %% {"slug": "recap-2-quiz"}
quiz("02.after.waits")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. When does `x.to(device)` return `x` itself?
# 2. Two tensors are on different devices. Which one travels?
# 3. Why does a GPU idle if the loop reads its loss in every step?
#
# <details><summary>Answers</summary>
#
# 1. When `x` is on that device already.
# 2. The one with fewer bytes, unless it is needed again: then let the other come for good.
# 3. During the wait the program queues nothing, so the queue is empty afterwards.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`02_tensors`](../assignments/02_tensors/02_tensors.ipynb). You will mend a program
# that mixes devices, move whole batches, predict what `to` returns, find the line that waits, and write
# `train_epoch` for your own `train.py`.
#
# **Next lesson:** [03, *Modules on devices*](03_modules_on_devices.ipynb): why `model.to(device)`
# works without an equals sign, and what it leaves behind.
