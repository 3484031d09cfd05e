# %% [markdown] {"slug": "title"}
# # Tensors on devices
#
# *On the Right Device*, lesson 02 · previous lesson: [01, *Know your
# machine*](01_know_your_machine.ipynb) · [Glossary](glossary.md)
#
# You have a place on a shared server with four GPUs, and a training step that runs on the CPU. You
# move one tensor to a GPU, and the next line fails. You mend it, and the GPU is idle for a third of
# the time. This lesson explains both, and how to mend them. Every GPU program has four steps:
# **choose** a device, **move** what has to be there, **run** the work, **bring back** what you need.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **choose** a device once, and create tensors where you need them;
# - **predict** what `Tensor.to` returns: its device, its dtype, and whether it is a copy;
# - **mend** a mix of devices with the cheapest copy;
# - **find** the lines that make a program wait for the GPU, and get them out of a loop;
# - **read** three errors that surprise, out of memory among them.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 01; PyTorch tensors (shape, dtype, indexing); a training step (loss,
# `backward`); Python's dicts, functions and `try`.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson. They take a few seconds.

# %% {"slug": "imports"}
import warnings

import torch

from course_utils import check, claim, explore, lab, predict, quiz, reveal, verdict
from lesson_parts import project
from lesson_parts.lesson02 import device_map, storage_map

# %% [markdown] {"slug": "before-from-memory"}
# Two questions about devices and tensors. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("02.before.device")

# %% {"slug": "before-2-quiz"}
quiz("02.before.bytes")

# %% [markdown] {"slug": "failing-batch"}
# ## 1. A batch that fails · 5 min
#
# We ask for four GPUs. The sentence below says whether they are real or virtual.

# %% {"concepts": ["C053"], "slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]
torch.ones(2, device="cuda:3")

# %% [markdown] {"slug": "training-step"}
# The last line shows a tensor on the fourth GPU: `device='cuda:3'`. Now a training step: a batch as
# a data loader delivers it, and weights on a GPU.

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
# [device](glossary.md#device). The message does not say which of the two is in the wrong place. The
# next picture is drawn from the tensors themselves.

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

# %% [markdown] {"slug": "choose"}
# The step runs. Its result is where its inputs are.
#
# ## 2. Choose and create · 6 min
#
# `"cuda:0"` in a program is an error on a laptop without a GPU. PyTorch never swaps the device that
# you name for another one. Let it choose, once, at the top of the program, and pass `device` on:

# %% {"errata": ["E23"], "slug": "choose-once-shown"}
device = torch.accelerator.current_accelerator(check_available=True)
if device is None:
    device = torch.device("cpu")
print("device:", device)

# %% [markdown] {"slug": "create"}
# The same lines give `cuda` on NVIDIA's and AMD's GPUs, `xpu` on Intel's, `mps` on Apple's, and
# `cpu` where there is none.
#
# `cuda` without an index means the *current* GPU, `cuda:0` unless you change it. Do not compare the
# two with `==`: the device of a tensor always has its index, and `cuda:0` is not equal to `cuda`.
# In this lesson we write `gpu0` and `gpu1`, so that you can follow where things go.
#
# A new tensor is on the CPU, even if four GPUs are waiting, unless you say otherwise:

# %% {"concepts": ["C051", "C052", "C053"], "slug": "create-shown"}
images = moved["image"]
print("default:  ", torch.ones(8).device)
print("device=:  ", torch.ones(8, device=gpu0).device)
print("ones_like:", torch.ones_like(images).device)
print("new_ones: ", images.new_ones(8).device)

# %% [markdown] {"slug": "create-read"}
# Functions named `…_like` and methods named `new_…` take the device of a tensor that you have.
#
# `torch.ones(8).to(gpu0)` gives the same values, by a detour: it fills memory of the CPU, then copies
# all of it. So create on the device what can be created there.
#
# ## 3. Move: what `to` returns · 10 min
#
# Data that you load, from a file for instance, starts on the CPU and has to move.

# %% {"slug": "to-alone-predict"}
predict("02.to-alone")

# %% {"concepts": ["C055", "C056"], "slug": "to-alone-shown"}
x = torch.arange(6.0).reshape(2, 3)
x.to(gpu0)
reveal("02.to-alone", x.device)

# %% [markdown] {"slug": "to-kept"}
# Most programs say `x = x.to(gpu0)`. Here the result of
# [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) gets a name of its own,
# so that we can look at both. What if `y` has to "move" to the device where it is already?

# %% {"concepts": ["C056", "C059"], "errata": ["E02"], "slug": "already-there-shown"}
y = x.to(gpu0)
again = y.to(gpu0)
fresh = y.to(gpu0, copy=True)
print("again is y:", again is y)
print("fresh is y:", fresh is y)
storage_map(x=x, y=y, fresh=fresh)

# %% [markdown] {"slug": "identity"}
# Where device and dtype match, `to` returns the tensor itself, and copies nothing. So the line is
# safe wherever a tensor may or may not be in place. `copy=True` makes a copy in any case. In the
# picture, the boxes on the right are the memory that holds the numbers.
#
# `is` and `id` compare Python objects. They say nothing about memory: a [view](glossary.md#view), such
# as a row, is an object of its own that uses the memory of another tensor. `data_ptr()` is the
# address of the first element.

# %% {"concepts": ["C060"], "errata": ["E04"], "slug": "identity-shown"}
row = y[0]
print("same object: ", id(row) == id(y))
print("same address:", row.data_ptr() == y.data_ptr())
print("same device: ", row.device == y.device)

# %% [markdown] {"slug": "to-forms"}
# The same address on another device means other memory, so compare the device too.
#
# `to` also changes the dtype, which is called a *cast*:

# %% {"concepts": ["C057", "C058", "C061"], "slug": "to-forms-shown"}
print(x.to(torch.float64).dtype)
print(x.to(gpu1, torch.float16).device)
print(x.cuda(1).device)
print(y.cpu().device)

# %% [markdown] {"slug": "other"}
# `x.cuda(1)` is short for `x.to("cuda:1")`, and raises an error where there is no CUDA GPU;
# `to(device)` goes where you want. `y.cpu()` is short for `y.to("cpu")`.
#
# `to` accepts a tensor as well. Here `counts` holds whole numbers on `cuda:0`.

# %% {"slug": "other-predict"}
predict("02.other")

# %% {"concepts": ["C057", "C058"], "slug": "other-shown"}
counts = torch.tensor([1, 2, 3], device=gpu0)
shares = torch.tensor([0.2, 0.5, 0.3])
taken = shares.to(counts)
print(taken)
reveal("02.other", f"{str(taken.dtype).removeprefix('torch.')} on {taken.device}")

# %% [markdown] {"slug": "run"}
# ## 4. Run: let the cheapest tensor travel · 10 min
#
# `images * 2` works, and Python's `2` is on no device. What about a number in a tensor?

# %% {"slug": "number-claim"}
claim("02.claim.number")

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "number-shown"}
for number in (torch.tensor(2.0), torch.tensor([2.0])):
    try:
        print("shape", tuple(number.shape), "gives a result on", (y * number).device)
    except RuntimeError as error:
        print("shape", tuple(number.shape), "gives an error:", error)
verdict("02.claim.number")

# %% [markdown] {"slug": "exceptions"}
# Three exceptions to the rule will meet you:
#
# - a number in a CPU tensor, as above, in an element-wise operation;
# - a CPU index into a GPU tensor: PyTorch copies it silently, each time;
# - operations that copy, such as `to` and `copy_`.
#
# Two GPUs are as different as CPU and GPU. To add tensors on two GPUs, one of them has to travel:

# %% {"concepts": ["C062", "C065"], "slug": "two-gpus-shown"}
matrix = torch.ones(1000, 1000, device=gpu0)
bias = torch.ones(1000, device=gpu1)
total = matrix + bias.to(gpu0)
print("the bias:  ", f"{bias.nbytes:>9,} bytes")
print("the matrix:", f"{matrix.nbytes:>9,} bytes")
print("the sum is on", total.device)

# %% [markdown] {"slug": "prepare"}
# Four thousand bytes travelled. The other way it would have been four million.
#
# Copies between CPU and GPU cross PCIe. In data sheets, an A100's memory delivers 1,555 GB/s, and PCIe
# 4.0 with 16 lanes 31.5 GB/s: a fiftieth. So it is good that, but for the exceptions above,
# PyTorch raises an error and leaves the choice to you.
#
# ### Mend it here
#
# A colleague cured a mix of devices in the first way that worked. All images travel to the CPU and
# back, for the sake of a small mean. The ones take a detour, too. Change two lines so that as
# little as possible travels, then run the check. You may run both cells as often as you like.

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
# ## 5. The GPU works while the program goes on · 13 min
#
# A line such as `scores = images @ weight` does not wait for its result. It puts the work into the
# GPU's queue and returns. This is called [asynchronous](glossary.md#asynchronous). The program waits
# only when it needs a number, for example in
# [`item()`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.item.html).
#
# The picture has two lanes: *host* is the program, *device* the GPU. It is a model: to queue a step
# takes 30 µs. The loop reads its loss in every step. Move the first slider to the right, and watch
# the gaps.

# %% {"slug": "waits-explored"}
explore("waits")

# %% [markdown] {"slug": "waits-read"}
# After each `item()`, the queue is empty. The GPU has nothing to do until the program has queued the
# next step: 30 of every 80 µs. Without the wait, the program runs ahead, and the GPU always has
# work. Now set the second slider to 10 µs: the GPU is faster than the program can queue
# work, so it is idle even without a wait.
#
# You will meet the same picture again. A clock that is stopped without a wait measures the
# queueing (lesson 08), and an error on the GPU may be reported at a later line (lesson 03).
#
# ### Find the waits
#
# PyTorch can warn of waits. The warning below is part of the lesson.

# %% {"slug": "sync-warned"}
torch.cuda.set_sync_debug_mode("warn")
print("sum:", y.sum().item())
torch.cuda.set_sync_debug_mode("default")

# %% [markdown] {"slug": "sync-read"}
# With `"error"` in place of `"warn"`, the program stops there, and the traceback names the line. The
# mode does not know every wait: those of `torch.distributed`, for example, are missing. Virtual GPUs
# do not run ahead, but warn where a real one would be waited for.
#
# We want to count, so we collect the warnings:


# %% {"slug": "count-waits"}
def count_waits(function, *inputs):
    torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True) as waits:
        warnings.simplefilter("always")
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

# %% [markdown] {"slug": "reads-cure"}
# `torch.minimum` compares on the GPU:


# %% {"slug": "reads-cured"}
def lowest_loss_on_gpu(values):
    lowest = torch.full((), 1e9, device=values.device)
    for step in range(100):
        loss = (values - step).square().mean()
        lowest = torch.minimum(lowest, loss)
    return lowest


print("waits:", count_waits(lowest_loss_on_gpu, y))

# %% [markdown] {"slug": "mask"}
# Some operations wait although no number seems to be read. Read `select` below, and think of the
# shape of each result.

# %% {"slug": "mask-predict"}
predict("02.mask")


# %% {"slug": "mask-shown"}
def select(values):
    large = values[values > 2]
    places = values.nonzero()
    clipped = torch.where(values > 2, values, 0.0)
    return large, places, clipped


for result in select(y):
    print(tuple(result.shape))
reveal("02.mask", count_waits(select, y))

# %% [markdown] {"slug": "mean-loss"}
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
# How many waits are there in a hundred steps? Run the next cell before and after your change.

# %% {"slug": "mean-loss-waits"}
steps = [torch.ones(16, 3, device=gpu0)] * 100
ones = torch.ones(3, device=gpu0)
print("waits in", len(steps), "steps:", count_waits(mean_loss, steps, ones))

# %% [markdown] {"slug": "mean-loss-check-text"}
# As it was, it waits 100 times in 100 steps; mended, once. The check looks at the result, too.

# %% {"slug": "mean-loss-check"}
check("tensors.mean_loss", mean_loss)

# %% [markdown] {"slug": "clinic"}
# ## 6. Error clinic · 6 min
#
# Three cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** Labels on the CPU, a mask on the GPU.

# %% {"concepts": ["C063"], "errata": ["E24"], "slug": "clinic-index-shown"}
confident = scores.amax(dim=1) > 0
try:
    batch["label"][confident]
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-index-read"}
# A CPU index into a GPU tensor works, but not the other way round. *(cpu)* is the device of the
# labels. **Cure:** move the labels to the GPU before training: the mask is new in every step, they
# are not.
#
# **Case 2.** Weights that never learn. (PyTorch prints a warning here.)

# %% {"errata": ["E12"], "slug": "clinic-leaf-shown"}
moved = torch.ones(3, requires_grad=True).to(gpu0)
created = torch.ones(3, requires_grad=True, device=gpu0)
(moved + created).sum().backward()
print("moved:  ", moved.grad)
print("created:", created.grad)

# %% [markdown] {"slug": "clinic-memory"}
# Autograd records the move like any other operation. So `moved` is a result and no
# [leaf](glossary.md#leaf), and the gradient goes to the tensor on the CPU, for which we kept no name.
# **Cure:** create weights on the device, or move them first and call `requires_grad_()` on the result.
#
# **Case 3.** A large batch. We fill half of the free memory with images, and then ask for three
# quarters of it.

# %% {"slug": "clinic-memory-shown"}
capacity = torch.cuda.mem_get_info(gpu0)[0] // (3 * 224 * 224 * 4)
kept = torch.empty(capacity // 2, 3, 224, 224, device=gpu0)
try:
    torch.empty(capacity * 3 // 4, 3, 224, 224, device=gpu0)
except torch.OutOfMemoryError as error:
    print(error)
del kept

# %% [markdown] {"slug": "clinic-memory-read"}
# This is [out of memory](glossary.md#out-of-memory). What PyTorch *tried to allocate* need not be the
# cause: `kept` was there before. **Cures**, cheapest first: let go of tensors that you no longer need,
# and of lists of losses that keep their graphs (append `loss.detach()`, not `loss`); evaluate under
# `torch.no_grad()`; take a smaller batch. Lesson 04 shows what holds memory.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# These changes let `train.py` **choose**, **move**, **run** and **bring back**. Look for the
# `item()`: where was it, and where is it now?

# %% {"slug": "project-changes"}
project.changes("02")

# %% [markdown] {"slug": "project-run"}
# The losses stay on the device until the epoch is over. With 1,200 images in batches of 16, the old
# program fetched 75 losses per epoch, and waited for each; the new one fetches one number. The batches
# still wait: a plain `to` from the CPU does. Lesson 09 cures that.
#
# We draw the images and run the script where there are four GPUs. It uses one of them. This takes
# about 20 seconds.

# %% {"slug": "project-runs-on-gpus"}
on_gpu = project.train("02", gpus=4)

# %% [markdown] {"slug": "project-try"}
# **Try:** suppose that one of the calls of `to` was missing. Would a run on the CPU find the mistake?
#
# <details><summary>Answer</summary>
#
# No. On the CPU everything is in one place already. A run on a GPU says *Expected all tensors to be
# on the same device*.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 3 min
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
# 2. Name three exceptions to the same-device rule.
# 3. Why does a GPU idle if the loop reads its loss in every step?
# 4. How do you find the lines that wait?
#
# <details><summary>Answers</summary>
#
# 1. When device and dtype match already and `copy=True` is not given.
# 2. A 0-dimensional CPU tensor in element-wise work; a CPU index into a GPU tensor; operations
#    that copy.
# 3. During the wait the program queues nothing, so the queue is empty afterwards.
# 4. With `torch.cuda.set_sync_debug_mode("warn")`, or `"error"`.
#
# </details>
#
# **Choose** once, at the top. **Move** with `to`, and keep what it returns. **Run** where the
# inputs are; the result stays there. **Bring back** little, and rarely.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`02_tensors`](../assignments/02_tensors/02_tensors.ipynb). You will predict
# `to`, mend a program that mixes devices, move whole batches, find the line that waits, and write
# `train_epoch` for your own `train.py`.
#
# **Next lesson:** [03, *Modules on devices*](03_modules_on_devices.ipynb): why `model.to(device)`
# works without an equals sign, and what it leaves behind.
