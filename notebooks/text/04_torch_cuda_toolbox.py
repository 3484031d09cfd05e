# %% [markdown] {"slug": "title"}
# # The torch.cuda toolbox
#
# *On the Right Device*, lesson 04 · previous lesson:
# [03, *Modules on devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# Last night your run on porto died: out of memory, on a card that you share with Li. And Chen, who has
# tried your program too, gets other numbers than you, from the same seed. In this lesson you find the
# line that fills the card, and make the run repeat.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **find** what holds memory on a GPU, and the line that allocated it;
# - **mend** a loop whose memory grows;
# - **tell** what your tensors use from what PyTorch keeps;
# - **repeat** a training step, on whichever devices it draws random numbers;
# - **read** two errors that surprise.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 5 min
#
# The imports of the whole lesson.

# %% {"slug": "imports"}
from collections import Counter

import torch
from torch import nn

from course_utils import check, claim, lab, predict, quiz, reveal, verdict
from lesson_parts import project
from lesson_parts.lesson04 import trace_chart

# %% [markdown] {"slug": "before-from-memory"}
# Two questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("04.before.item")

# %% {"slug": "before-2-quiz"}
quiz("04.before.buffer")

# %% [markdown] {"slug": "lab-text"}
# ## 1. Which loop fills the card? · 8 min
#
# We ask for four GPUs, real or virtual, in place of porto's. Li's job needs most of `gpu0`, so you have
# agreed to take no more than 192 MiB there. PyTorch can hold you to it. The limit is given as a share
# of the card:

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
# tensors as it uses them, so training stays where it is. In validation nobody calls it, and every
# loss in the list still holds 16 MiB.

# %% [markdown] {"slug": "history"}
# ## 2. Which line allocated it? · 14 min
#
# In a real program you see that memory grows, and not why. PyTorch can record every allocation,
# together with the lines of Python that led to it. We run the validation once more, and take a
# **snapshot** of the memory when it dies. Then we let go of the losses. (The underscore means:
# this function may change.)

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
# The snapshot lists the memory of all GPUs: large **segments** that PyTorch took from the driver, and in
# them **blocks**, each the memory of one tensor, or free. A block's `frames` are the lines that were
# running when it was allocated, the innermost first. We add up what is in use, by the line of `epoch`:

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
# Nearly everything came from line 5 of `epoch`, the one with `model(batch)`. Here the same line
# kept it, in `losses`. Often another line does: the snapshot names who *allocated*, and you look for who
# still *holds*, be it a name, a list or a graph. (Section 3 tells why 16 MiB
# more were too much.)
#
# ### Mend it here
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
# The next cell draws the memory in use after each allocation and release. Run it before and after your
# change.

# %% {"slug": "validate-drawn"}
trace_chart(gpu0, validate, model, batches)

# %% [markdown] {"slug": "validate-check-text"}
# As it was, memory climbs like stairs, and is free when the function ends. Mended, it rises and falls,
# for any number of batches: by 32 MiB without a graph, by 48 with one.

# %% {"slug": "validate-check"}
check("toolbox.validate", validate)

# %% [markdown] {"slug": "allocator"}
# ## 3. Why does Li still see it? · 4 min
#
# Li writes: “`nvidia-smi` says that you have as much as before.” But your losses are gone.

# %% {"slug": "reserved-shown"}
for moment in ("now", "after empty_cache()"):
    allocated, reserved = torch.cuda.memory_allocated(gpu0), torch.cuda.memory_reserved(gpu0)
    print(f"allocated {allocated // 2**20} MiB, reserved {reserved // 2**20} MiB, {moment}")
    torch.cuda.empty_cache()

# %% [markdown] {"slug": "reserved-read"}
# Asking the driver for memory is slow. So PyTorch has a caching
# [memory allocator](glossary.md#memory-allocator): it cuts blocks out of its segments, and keeps what
# becomes free for your next tensors. `memory_reserved` counts the segments. They, and CUDA itself, are
# what Li sees in `nvidia-smi`. When your run died, 168 MiB were in use, but 182 reserved: one more segment
# was too much.
#
# `empty_cache()` gives back the segments in which nothing is in use. One small tensor is enough to
# hold its segment: that is the difference in the second line.
#
# It helps Li. It rarely helps you, since PyTorch gives its free segments back by itself before it
# says *out of memory*.
#
# ## 4. Why does Chen get other numbers? · 14 min
#
# Your program calls `torch.manual_seed(0)`. You tell Chen:

# %% {"slug": "both-claim"}
claim("04.claim.both")


# %% {"concepts": ["C087"], "errata": ["E32"], "slug": "both-shown"}
def draws():
    return {str(device): torch.rand(3, device=device).tolist() for device in ("cpu", *devices)}


torch.manual_seed(0)
first = draws()
torch.manual_seed(0)
print("all repeated:", draws() == first)
verdict("04.claim.both")

# %% [markdown] {"slug": "both-read"}
# The CPU has a random [generator](glossary.md#generator), and so has every GPU. The seed reaches them
# all, so it was not the reason. But Chen's version has one more layer. Its weights are drawn before
# everything else, so all that follows gets other numbers than yours.
#
# A seed leads to the beginning of a sequence, and every draw moves on. A **state** is a place in it.
# `torch.get_rng_state()` returns the state of the CPU's generator, and `torch.set_rng_state(state)` goes
# back there. For GPUs there are `torch.cuda.get_rng_state()`, of the current one, and
# `torch.cuda.get_rng_state_all()`, of every one, each with its `set_…`. So you can repeat a step in the
# middle of a run, or continue from a checkpoint.
#
# ### Mend it here
#
# Chen wants to see whether one training step repeats, and writes `run_twice`. It works on the CPU
# and on `cuda:0`. Change two lines so that it works for a step on any GPU.


# %% {"concepts": ["C087"], "slug": "run-twice-program"}
import torch


def run_twice(step):
    cpu, gpu = torch.get_rng_state(), torch.cuda.get_rng_state()
    first = step()
    torch.set_rng_state(cpu)
    torch.cuda.set_rng_state(gpu)
    return first, step()


# %% [markdown] {"slug": "run-twice-tried-text"}
# This step draws on the CPU and on two GPUs. Run the cell before and after your change.


# %% {"concepts": ["C087"], "slug": "run-twice-tried"}
def step():
    return {name: torch.rand(2, device=name).tolist() for name in ("cpu", "cuda:0", "cuda:3")}


first, again = run_twice(step)
for name in first:
    print(f"{name:7} repeated: {first[name] == again[name]}")

# %% [markdown] {"slug": "run-twice-check-text"}
# When every line says `True`, run the check.

# %% {"slug": "run-twice-check"}
check("toolbox.run_twice", run_twice)

# %% [markdown] {"slug": "clinic"}
# ## 5. Error clinic · 5 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** `work` runs out of memory. We want to catch the error and go on with a smaller batch.


# %% {"slug": "clinic-held-shown"}
def work():
    kept = torch.empty(100 * 2**20, dtype=torch.uint8, device=gpu0)
    return kept, torch.empty(100 * 2**20, dtype=torch.uint8, device=gpu0)


try:
    work()
except torch.OutOfMemoryError:
    print("in the except block:", torch.cuda.memory_allocated(gpu0) // 2**20, "MiB in use")
print("after it:           ", torch.cuda.memory_allocated(gpu0) // 2**20, "MiB in use")

# %% [markdown] {"slug": "clinic-held-read"}
# `work` is over, but in the `except` block its 100 MiB are still there, with the 24 from before. An
# exception refers to the functions that it came from, with all their local names, and Python keeps it
# until the block ends. A second attempt *inside* the block lacks the memory of the first.
#
# **Cure:** only set a flag in the block, such as `retry = True`, and try again after it.
#
# **Case 2.** Every state is set back, and yet the last digits of two runs differ. A sum depends on its
# order:

# %% {"slug": "clinic-order-shown"}
print(0.1 + 0.2 + 0.3)
print(0.3 + 0.2 + 0.1)

# %% [markdown] {"slug": "clinic-order-read"}
# On a real GPU, some kernels add numbers in the order in which threads finish, and that changes from
# run to run. Virtual GPUs compute on the CPU, and show no such variation.
#
# **Cure:**
# [`torch.use_deterministic_algorithms(True)`](https://docs.pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html)
# chooses kernels with a fixed order, and raises an error where there is none.

# %% [markdown] {"slug": "project"}
# ## The project · 5 min
#
# Does `train.py` give the same model again, to the last bit? From now on you can ask it to. The next
# cell shows what changes, and trains twice, which takes about 20 seconds. The last line of each run is a
# short text made from all its weights. You need not learn the settings in `use_repeatable_algorithms`:
# they are [for reference](reference.md).

# %% {"slug": "project-runs"}
display(project.changes("04"))
for out in ("04-first", "04-again"):
    project.train("04", "--repeatable", gpus=1, epochs=1, out=out)

# %% [markdown] {"slug": "project-limits"}
# The two fingerprints are equal. On virtual GPUs they are so without `--repeatable`, too; real ones need it.
# When Chen runs your version, he can compare one line. Expect another fingerprint from another kind of GPU, or another version of PyTorch. Counted on
# virtual GPUs:
#
# | | last night | now |
# |---|---|---|
# | validation | out of memory after 8 of 16 batches | all of them, in at most 48 MiB more |
# | reserved on Li's card | 182 MiB | 38 MiB, after `empty_cache()` |
# | the same program, run twice | nobody could say | the same weights, to the last bit |

# %% [markdown] {"slug": "recap"}
# ## What you learned · 5 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.reserved")

# %% {"slug": "recap-2-quiz"}
quiz("04.after.state")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Memory grows from step to step. How do you find out why?
# 2. Why can a loop without `backward()` need more memory than one with it?
# 3. The seed is the same, and so are all states. Why may the last digits still differ?
#
# <details><summary>Answers</summary>
#
# 1. Record the memory history, add up the blocks of a snapshot by line, and look for what still
#    holds them: a name, a list, a graph.
# 2. `backward()` lets go of the tensors that the graph has kept for it.
# 3. Some kernels add numbers in an order that changes from run to run.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`04_toolbox`](../assignments/04_toolbox/04_toolbox.ipynb). You will find out what
# grows in a training loop on a GPU, draw noise on several GPUs that repeats and leaves no trace, and
# mend a script. The last task looks ahead to [streams](glossary.md#stream) and
# [events](glossary.md#event).
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which of the
# machine's cards is `cuda:0`, and who decides.
