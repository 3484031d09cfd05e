# %% [markdown] {"slug": "title"}
# # The torch.cuda toolbox
#
# *On the Right Device*, lesson 04 · previous lesson:
# [03, *Modules on devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# Last night your run on porto died: out of memory, on a card that you share with Li. In this lesson you
# find the line that fills the card, and fix it. At the end you make sure that the run can be repeated.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **find** what holds memory on a GPU, and the line that allocated it;
# - **fix** a loop whose memory grows;
# - **tell** what your tensors use from what PyTorch keeps;
# - **repeat** a training step, with the same random numbers.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson. They take some seconds.

# %% {"slug": "imports"}
from collections import Counter

import torch
from torch import nn

from course_utils import check, lab, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.lesson04 import trace_chart

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("04.before.item")

# %% [markdown] {"slug": "lab-text"}
# ## 1. Which loop fills the card? · 9 min
#
# We ask for four GPUs, real or virtual, in place of porto's. Li's job needs most of `gpu0`, so you have
# agreed to take no more than 192 MiB there. The last line sets this limit, as a share of the card:

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0 = devices[0]
card = torch.cuda.get_device_properties(gpu0).total_memory
torch.cuda.set_per_process_memory_fraction(192 * 2**20 / card, gpu0)

# %% [markdown] {"slug": "model-text"}
# Here are a small model and sixteen batches. For one batch, the output of the hidden layer has
# 1024 × 4096 numbers: 16 MiB.

# %% {"slug": "model"}
model = nn.Sequential(nn.Linear(256, 4096), nn.ReLU(), nn.Linear(4096, 1)).to(gpu0)
batches = [torch.rand(1024, 256, device=gpu0) for _ in range(16)]
losses, used = [], []
print(f"in use: {torch.cuda.memory_allocated(gpu0) // 2**20} MiB")

# %% [markdown] {"slug": "epoch-text"}
# Training and validation go through the batches in the same way, and keep the loss of each. Only
# training calls `backward()`. After each batch, we note how many MiB are in use.


# %% {"slug": "epoch"}
def epoch(name):
    losses.clear()
    used.clear()
    for batch in batches:
        losses.append(model(batch).square().mean())
        if name == "training":
            losses[-1].backward()
        used.append(torch.cuda.memory_allocated(gpu0) // 2**20)


# %% [markdown] {"slug": "graph-question"}
# Both loops keep sixteen losses, of one number each.

# %% {"slug": "graph-predict"}
predict("04.graph")

# %% {"slug": "graph-shown"}
died = []
for name in ("training", "validation"):
    try:
        epoch(name)
    except torch.OutOfMemoryError:
        died.append(name)
    print(f"MiB in {name}:", *used, "out of memory" if name in died else "")
reveal("04.graph", " and ".join(died))

# %% [markdown] {"slug": "graph-read"}
# The loop that does less runs out of memory. A loss is one number with an autograd **graph** behind it: the
# operations that made it, and the tensors that `backward()` needs. `backward()` lets go of these
# tensors as it uses them. In validation nobody calls it, so every loss in the list still holds 16 MiB.
# Section 3 shows why 152 of 192 MiB were already too many.

# %% [markdown] {"slug": "history"}
# ## 2. Which line allocated it? · 16 min
#
# In a real program you see that memory grows, but not why. PyTorch can record every allocation,
# together with the lines of Python that led to it. We run the validation once more, and take a
# **snapshot** of the memory when it dies. With `enabled=None` the recording ends. The underscore means that
# these functions may change.

# %% {"slug": "history-recorded"}
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
try:
    epoch("validation")
except torch.OutOfMemoryError:
    print("out of memory")
    snapshot = torch.cuda.memory._snapshot()
torch.cuda.memory._record_memory_history(enabled=None)
losses.clear()

# %% [markdown] {"slug": "history-read"}
# The snapshot lists large **segments** that PyTorch took from the driver, and the **blocks** in them. A block was
# allocated for one tensor, or is free. Its `frames` are the lines that were running when it was allocated.
# We add up what is in use, by the line of `epoch`:

# %% {"slug": "held-shown"}
held = Counter()
for segment in snapshot["segments"]:
    for block in segment["blocks"]:
        if block["state"] == "active_allocated":
            lines = [frame["line"] for frame in block["frames"] if frame["name"] == "epoch"]
            held[f"epoch, line {lines[0]}" if lines else "before the recording"] += block["size"]
for line, size in held.most_common():
    print(f"{size / 2**20:5.0f} MiB  {line}")

# %% [markdown] {"slug": "held-read"}
# Nearly everything was allocated in line 5 of `epoch`, by `model(batch)`: 16 MiB for each of eight losses, and
# for the batch that was too much. Here the same line keeps it, in `losses`. In other programs these are two
# lines. The snapshot names the one that *allocated* the memory. You still have to find what *holds* it: a
# name, a list or a graph.
#
# ### Fix it here
#
# This is your validation. Change one line so that memory does not grow with the number of batches.


# %% {"slug": "validate-program"}
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()


# %% [markdown] {"slug": "validate-drawn-text"}
# The next cell draws the memory in use. Run it before and after your change.

# %% {"slug": "validate-drawn"}
trace_chart(gpu0, validate, model, batches)

# %% [markdown] {"slug": "validate-check-text"}
# As it was, the memory in use climbs like stairs, and is freed only when the function ends. Fixed, it rises
# and falls with each batch.

# %% {"slug": "validate-check"}
check("toolbox.validate", validate)

# %% [markdown] {"slug": "allocator"}
# `item()` returns a number, which has no graph, and `detach()` returns a tensor without one. With
# `torch.no_grad()` around the loop, no graph is made at all, and a batch needs 32 MiB instead of 48.
#
# ## 3. Why does Li still see it? · 5 min
#
# Li writes: “`nvidia-smi` says that you still use as much as before.” But your losses are gone.

# %% {"slug": "reserved-shown"}
for moment in ("now", "after empty_cache()"):
    allocated, reserved = torch.cuda.memory_allocated(gpu0), torch.cuda.memory_reserved(gpu0)
    print(f"allocated {allocated // 2**20} MiB, reserved {reserved // 2**20} MiB, {moment}")
    torch.cuda.empty_cache()

# %% [markdown] {"slug": "reserved-read"}
# Asking the driver for memory is slow. So PyTorch has a caching
# [memory allocator](glossary.md#memory-allocator): it cuts blocks out of its segments, and keeps what
# becomes free for your next tensors. `memory_reserved` counts the segments. These, and CUDA itself, are what
# Li sees in `nvidia-smi`. When your run died, 168 MiB were in use, but 182 reserved: one more segment was
# too much.
#
# `empty_cache()` gives back the segments in which nothing is in use. One small tensor is enough to
# hold its segment, so 38 MiB stay reserved for 24 in use.

# %% [markdown] {"slug": "project"}
# ## The project: does the run repeat? · 16 min
#
# Chen adds a layer to the fixed program, and all numbers are other than yours, in the old layers
# too. Your program draws on the CPU and on GPUs. Does `torch.manual_seed(0)` seed the GPUs as well, or must
# it call `torch.cuda.manual_seed_all(0)`? Decide, then run the next cell.


# %% {"concepts": ["C087"], "errata": ["E32"], "slug": "both-shown"}
def draws():
    return {str(device): torch.rand(3, device=device).tolist() for device in ("cpu", *devices)}


torch.manual_seed(0)
first = draws()
torch.manual_seed(0)
print("all repeated:", draws() == first)

# %% [markdown] {"slug": "both-read"}
# The CPU has a random [generator](glossary.md#generator), and so has every GPU. The one seed reached them all.
# It is the layer: its weights are drawn first, so all that follows gets other numbers.
#
# A seed leads to the beginning of a sequence, and every draw moves on. A **state** is a place in it.
# `torch.get_rng_state()` returns the state of the CPU's generator, `torch.cuda.get_rng_state()` that of
# the [current GPU](glossary.md#current-device). `torch.cuda.get_rng_state_all()` returns those of all GPUs. Each has its `set_…`.
#
# ### Fix it here
#
# Chen's `run_twice` runs a training step, goes back to the same states, and runs it again. It works on the
# CPU and on `cuda:0`. Change two lines so that it works for a step on any GPU.


# %% {"concepts": ["C087"], "slug": "run-twice-program"}
import torch


def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state(gpu)
    return first, step()


# %% [markdown] {"slug": "run-twice-check-text"}
# The check runs steps that draw on the CPU and on several GPUs.

# %% {"slug": "run-twice-check"}
check("toolbox.run_twice", run_twice)

# %% [markdown] {"slug": "project-text"}
# Does the course's `train.py` give the same weights twice, to the last bit? The next cell trains twice
# on one GPU, in half a minute, and compares the two checkpoints.

# %% {"slug": "project-runs"}
first, again = (project.train("04", gpus=1, epochs=1, out=out).weights for out in ("04-a", "04-b"))
print("the same to the last bit:", all(torch.equal(first[name], again[name]) for name in first))

# %% [markdown] {"slug": "project-limits"}
# They are the same. On a real GPU, some kernels add up in another order each time; a program can choose
# [algorithms that repeat](reference.md). Counted on virtual GPUs:
#
# | | last night | now |
# |---|---|---|
# | validation | out of memory after 8 of 16 batches | all of them, in at most 48 MiB more |
# | reserved, as Li sees it | 182 MiB | 38 MiB, given back with `empty_cache()` |
# | the same program, run twice | nobody could say | the same weights, to the last bit |

# %% [markdown] {"slug": "recap"}
# ## What you learned · 6 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.reserved")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Memory grows from step to step. How do you find out why?
# 2. Why can a loop without `backward()` need more memory than one with it?
# 3. A step draws on the CPU and on two GPUs. What do you need to repeat it in the middle of a run?
#
# <details><summary>Answers</summary>
#
# 1. Record the memory history, add up the blocks of a snapshot by line, and look for what still
#    holds them: a name, a list, a graph.
# 2. `backward()` lets go of the tensors that the graph has kept for it.
# 3. The states of three generators. The seed leads back to the beginning.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 04: The torch.cuda toolbox](../assignments/04_toolbox/04_toolbox.ipynb).**
# You will find out what grows in a training loop on a GPU, draw repeatable noise on several GPUs, and fix a
# script. The last task looks ahead to [streams](glossary.md#stream) and [events](glossary.md#event).
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which of the
# machine's cards is `cuda:0`, and who decides.
