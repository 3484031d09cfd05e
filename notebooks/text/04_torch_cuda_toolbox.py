# %% [markdown] {"slug": "title"}
# # The torch.cuda toolbox
#
# *On the Right Device*, lesson 04 · previous lesson:
# [03, *Modules on devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# Your model trains on the shared server. During validation, its memory grows with every batch,
# until the card that you share with Li is full. You mend that. The next day, Chen cannot repeat
# your result: the same program, the same seed, other numbers. This lesson is about both: what holds
# memory on a GPU, and what a run needs to repeat.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **tell** the calls that only ask from those that start CUDA;
# - **find** what holds memory, and the line that allocated it;
# - **mend** a loop whose memory grows;
# - **explain** what the allocator keeps, and when it gives it back;
# - **repeat** a run, with the seeds and states of every device;
# - **read** two errors that surprise.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson.

# %% {"slug": "imports"}
import os
from collections import Counter

import torch
from torch import nn

from course_utils import check, claim, lab, predict, quiz, reveal, verdict
from lesson_parts import project
from lesson_parts.lesson04 import draw_map, segment_map, trace_chart

# %% [markdown] {"slug": "before-from-memory"}
# Two questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("04.before.item")

# %% {"slug": "before-2-quiz"}
quiz("04.before.buffer")

# %% [markdown] {"slug": "lab-text"}
# ## 1. Ask first · 5 min
#
# We ask for four GPUs, real or virtual, and name two of them.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu3 = devices[0], devices[3]

# %% [markdown] {"slug": "starts"}
# A program begins by asking what there is. Some calls only answer. Others make PyTorch start CUDA
# in this process. `torch.cuda.is_initialized()` says whether it has been started.

# %% {"slug": "starts-predict"}
predict("04.starts")

# %% {"concepts": ["C080", "C081", "C082", "C083"], "errata": ["E35", "E36"], "slug": "starts-shown"}
asking = torch.cuda.is_available, torch.cuda.device_count, torch.cuda.memory_allocated
starter = "none of them"
for call in (*asking, torch.cuda.get_device_name, torch.cuda.current_device):
    off, answer = not torch.cuda.is_initialized(), call()
    print(f"CUDA started: {torch.cuda.is_initialized()!s:6} {call.__name__:17} {answer}")
    starter = call.__name__ if off and torch.cuda.is_initialized() else starter
reveal("04.starts", starter)

# %% [markdown] {"slug": "starts-read"}
# Starting CUDA takes time, and on a real GPU several hundred MiB. Afterwards the process can no
# longer choose which GPUs it sees (lesson 05), and children that it forks cannot use CUDA (lesson
# 09).
#
# Begin with `device_count()` or `is_available()`. They have an answer on every machine:
# `device_count` counts the GPUs that this process may use, and without any it is 0. The last two
# calls raise an error there. `device_count()` is the more careful one: `is_available()` wakes the
# driver, which is enough for both consequences above, even though PyTorch has not started CUDA.
#
# `memory_allocated()` is 0 so far: it counts the tensors of this process, and nobody else's.
#
# ## 2. A loop that grows · 9 min
#
# Here are a model and eight batches on `gpu0`. For each batch, the hidden layer has 256 × 4096
# numbers: 4 MiB.

# %% {"slug": "model"}
model = nn.Sequential(nn.Linear(256, 4096), nn.ReLU(), nn.Linear(4096, 1)).to(gpu0)
batches = [torch.rand(256, 256, device=gpu0) for _ in range(8)]
print(f"in use: {torch.cuda.memory_allocated(gpu0) / 2**20:.1f} MiB")

# %% [markdown] {"slug": "keep-losses-text"}
# The function below keeps the loss of each batch in a list, and notes after each how many MiB are
# in use. It can call `backward()`, as training does, or leave it out, as validation does.


# %% {"slug": "keep-losses"}
def keep_losses(batches, backward):
    losses, used = [], []
    for batch in batches:
        losses.append(model(batch).square().mean())
        if backward:
            losses[-1].backward()
        used.append(torch.cuda.memory_allocated(gpu0) / 2**20)
    return losses, used


# %% [markdown] {"slug": "graph-question"}
# Both ways keep eight losses, of one number each.

# %% {"slug": "graph-predict"}
predict("04.graph")

# %% {"slug": "graph-shown"}
runs = {}
for name, backward in (("training", True), ("validation", False)):
    losses, used = keep_losses(batches, backward)
    print(f"{name:10}", *(f"{mib:.1f}" for mib in used), "MiB")
    runs[name] = used
    model.zero_grad()
reveal("04.graph", " and ".join(name for name, used in runs.items() if used[-1] - used[1] > 1))

# %% [markdown] {"slug": "graph-read"}
# A loss is one number with an autograd **graph** behind it: the operations that made it, and the
# tensors that `backward()` needs. `backward()` lets go of these tensors as it uses them. In
# training, only the first step takes more, for the gradients. In validation nobody calls
# `backward()`, so every loss in the list still holds the 4 MiB of its batch.
#
# A tensor is freed as soon as nothing refers to it: no name, no list, no graph. Afterwards you do
# not see how high the memory was. PyTorch remembers the peak:

# %% {"slug": "peak-shown"}
losses = None
print(f"now:  {torch.cuda.memory_allocated(gpu0) / 2**20:.1f} MiB")
print(f"peak: {torch.cuda.max_memory_allocated(gpu0) / 2**20:.1f} MiB")
torch.cuda.reset_peak_memory_stats(gpu0)
print(f"peak: {torch.cuda.max_memory_allocated(gpu0) / 2**20:.1f} MiB, from now on")

# %% [markdown] {"slug": "history"}
# ## 3. Which line allocated it? · 12 min
#
# In a real program you see that memory grows, and not why. PyTorch can record every allocation,
# together with the lines of Python that led to it. We record the validation.

# %% {"slug": "history-recorded"}
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
losses, used = keep_losses(batches, backward=False)
snapshot = torch.cuda.memory._snapshot()
torch.cuda.memory._record_memory_history(enabled=None)
events = Counter(event["action"] for event in snapshot["device_traces"][gpu0.index])
print(events["alloc"], "tensors allocated,", events["free_completed"], "freed")

# %% [markdown] {"slug": "history-read"}
# A snapshot has two parts. `device_traces` is the story so far: for each GPU, every allocation and
# every release. `segments` is what there is now. It consists of **blocks**. A block is the
# memory of one tensor, or is free. `frames` are the lines that were running when the block was allocated, the
# innermost first. We want the first one that is not inside PyTorch.


# %% {"slug": "line-of"}
def line_of(block):
    for frame in block["frames"]:
        if f"{os.sep}torch{os.sep}" not in frame["filename"]:
            return f"{frame['name']}, line {frame['line']}"
    return "before the recording"


# %% [markdown] {"slug": "held-text"}
# Now we add up what is in use, by the line that allocated it:

# %% {"slug": "held-shown"}
held = Counter()
for segment in snapshot["segments"]:
    for block in segment["blocks"]:
        if block["state"] == "active_allocated":
            held[line_of(block)] += block["size"]
for line, size in held.most_common():
    print(f"{size / 2**20:5.1f} MiB  {line}")

# %% [markdown] {"slug": "held-read"}
# Line 4 of the cell with `keep_losses` is `losses.append(model(batch)…)`. It allocated 32 MiB that
# are still in use. Here the same line keeps them. Often it is another line, further down: the
# snapshot names who *allocated*, and you look for who still *holds*.
#
# The functions begin with `_`, so they may change; they are
# [documented](https://docs.pytorch.org/docs/stable/torch_cuda_memory.html) nevertheless. For a
# large program, write `torch.cuda.memory._dump_snapshot("memory.pickle")`, and drop the file on
# [the viewer](https://pytorch.org/memory_viz). It draws the memory over time.
#
# ### Mend it here
#
# This is your validation. Change it so that memory does not grow with the number of batches. One
# line is enough.


# %% {"slug": "validate-program"}
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()


# %% [markdown] {"slug": "validate-drawn-text"}
# We record it again, and draw its trace. Run the next cell before and after your change.

# %% {"slug": "validate-drawn"}
losses = None
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
print(f"loss: {validate(model, batches):.4f}")
trace = torch.cuda.memory._snapshot()["device_traces"][gpu0.index]
torch.cuda.memory._record_memory_history(enabled=None)
trace_chart(trace, title="validate() on eight batches")

# %% [markdown] {"slug": "validate-check-text"}
# As it was, memory climbs like stairs, to 36 MiB for eight batches and 68 for sixteen. Mended, it
# rises and falls, up to 8 or 12 MiB for any number of batches. The check has a model of its own.

# %% {"slug": "validate-check"}
check("toolbox.validate", validate)

# %% [markdown] {"slug": "allocator"}
# ## 4. What the allocator keeps · 9 min
#
# Li still complains: your losses are gone, and `nvidia-smi` shows as much memory as before. We look
# at a GPU that this program has not used yet, and put a single number there.

# %% {"slug": "small-shown"}
one = torch.zeros(1, device=gpu3)
print("allocated:", torch.cuda.memory_allocated(gpu3), "bytes")
del one
print("allocated:", torch.cuda.memory_allocated(gpu3), "bytes")
print("reserved: ", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB")
torch.cuda.empty_cache()
print("reserved: ", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB after empty_cache()")

# %% [markdown] {"slug": "small-read"}
# Asking the driver for memory is slow. So PyTorch has a caching
# [memory allocator](glossary.md#memory-allocator). It takes large **segments**, cuts blocks out of
# them, and keeps what becomes free for your next tensors. `memory_reserved` counts the segments.
# They, and CUDA itself, are what others see in `nvidia-smi`.
#
# Small blocks come from segments of 2 MiB. Those between 1 and 10 MiB come from segments of 20 MiB.
# We make five tensors of 4 MiB, then delete all but the one in the middle:

# %% {"slug": "segments-made"}
five = [torch.empty(2**20, device=gpu3) for _ in range(5)]
moments = {"five tensors of 4 MiB": torch.cuda.memory_snapshot()}
middle = five[2]
del five
moments["one is left"] = torch.cuda.memory_snapshot()

# %% [markdown] {"slug": "nine-question"}
# Now 16 MiB of the segment are free. We ask for a tensor of 9 MiB.

# %% {"slug": "nine-predict"}
predict("04.nine")

# %% {"slug": "nine-shown"}
before = torch.cuda.memory_reserved(gpu3)
nine = torch.empty(9 * 2**18, device=gpu3)
moments["and one of 9 MiB"] = torch.cuda.memory_snapshot()
more = (torch.cuda.memory_reserved(gpu3) - before) // 2**20
reveal("04.nine", f"{more} MiB" if more else "nothing")

# %% [markdown] {"slug": "nine-draw"}
# The three moments, drawn from the snapshots:

# %% {"slug": "nine-drawn"}
segment_map(moments, gpu3, title="A small tensor holds a large segment")

# %% [markdown] {"slug": "nine-read"}
# This is [**fragmentation**](glossary.md#fragmentation): enough is free, but no single piece is
# large enough. And `empty_cache` gives back whole segments only:

# %% {"slug": "empty-shown"}
del nine
torch.cuda.empty_cache()
print("one small tensor left:", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB reserved")
del middle
torch.cuda.empty_cache()
print("nothing left:         ", torch.cuda.memory_reserved(gpu3) // 2**20, "MiB reserved")

# %% [markdown] {"slug": "empty-read"}
# `empty_cache()` helps Li. It rarely helps you: PyTorch gives its free segments back by itself
# before it says *out of memory*. Where fragmentation hurts, try
# `PYTORCH_ALLOC_CONF=expandable_segments:True` in the environment, set before CUDA starts: segments
# can then grow. The name `PYTORCH_CUDA_ALLOC_CONF` works too.
#
# ## 5. A run that cannot be repeated · 11 min
#
# The memory is fine now. But Chen gets other numbers. Your program calls `torch.manual_seed(0)`, and
# you tell Chen:

# %% {"slug": "both-claim"}
claim("04.claim.both")


# %% {"concepts": ["C086", "C087"], "errata": ["E32"], "slug": "both-shown"}
def draws():
    return {str(device): torch.rand(3, device=device).tolist() for device in ("cpu", *devices)}


torch.manual_seed(0)
first = draws()
torch.manual_seed(0)
print("all repeated:", draws() == first)
verdict("04.claim.both")

# %% [markdown] {"slug": "rows-text"}
# The CPU has a random [generator](glossary.md#generator), and so has every GPU. Do they give
# different numbers?

# %% {"concepts": ["C086", "C087"], "slug": "rows-shown"}
for name, numbers in first.items():
    print(f"{name:7}", *(f"{number:.3f}" for number in numbers))

# %% [markdown] {"slug": "rows-read"}
# On virtual GPUs the numbers differ from a real GPU's. Which rows are equal does not: GPUs of one
# kind start from the same seed, and draw the same. For noise or dropout, you rarely want that. So
# give process `i` the seed `seed + i`, once all of them have the same weights.
#
# `torch.cuda.manual_seed` has nearly the same name, and seeds the
# [current](glossary.md#current-device) GPU alone.
#
# So the seed was not the reason. But Chen's version has one more layer, and its weights are drawn
# before everything else. In the next cell, one number stands for these weights.

# %% {"slug": "extra-predict"}
predict("04.extra")

# %% {"concepts": ["C087"], "slug": "extra-drawn"}
runs = {}
for name, extra in (("your version", 0), ("Chen's version", 1)):
    torch.manual_seed(0)
    torch.rand(extra)
    runs[name] = torch.rand(5).tolist()
display(draw_map(runs, title="The same seed, with and without a draw before"))
reveal("04.extra", sum(number in runs["Chen's version"] for number in runs["your version"]))

# %% [markdown] {"slug": "state"}
# A seed leads to the beginning of a sequence. A **state** is a place in it. `torch.get_rng_state()`
# returns the state of the CPU's generator, and `torch.set_rng_state(state)` goes back there. So
# with states you can repeat a step in the middle of a run, or continue a run from a checkpoint.
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
# A step that draws on the CPU and on two GPUs. Run the cell before and after your change.


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

# %% [markdown] {"slug": "generator"}
# Save the same states in a checkpoint if a run has to continue (lesson 10). Python's `random` and
# NumPy have generators of their own.
#
# `with torch.random.fork_rng(devices=…)` sets back what you name at the end of its block. For some
# extra noise, a generator of your own is simpler: the others do not notice it.

# %% {"concepts": ["C087"], "slug": "generator-shown"}
before = torch.cuda.get_rng_state_all()
own = torch.Generator(device=gpu0).manual_seed(7)
print(torch.randn(3, generator=own, device=gpu0))
after = torch.cuda.get_rng_state_all()
print("states changed:", any(not old.equal(new) for old, new in zip(before, after, strict=True)))

# %% [markdown] {"slug": "rerun-read"}
# With all states restored, is everything the same? Not always. On a real GPU, some kernels add
# numbers in the order in which threads finish, so the last digits may vary from run to run. Virtual
# GPUs compute on the CPU, and show no such variation.
# [`use_deterministic_algorithms(True)`](https://docs.pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html)
# chooses kernels that do not, and raises an error where there is none. PyTorch's page on
# [reproducibility](https://docs.pytorch.org/docs/stable/notes/randomness.html) lists what else is
# needed.

# %% [markdown] {"slug": "clinic"}
# ## 6. Error clinic · 5 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** `fill` runs out of memory. We catch the error and want to go on with a smaller batch.


# %% {"slug": "clinic-held-shown"}
def fill(free):
    kept = torch.empty(free // 2, dtype=torch.uint8, device=gpu3)
    return kept, torch.empty(free, dtype=torch.uint8, device=gpu3)


try:
    fill(torch.cuda.mem_get_info(gpu3)[0])
except torch.OutOfMemoryError:
    print("in the except block:", torch.cuda.memory_allocated(gpu3) // 2**20, "MiB in use")
print("after it:           ", torch.cuda.memory_allocated(gpu3) // 2**20, "MiB in use")

# %% [markdown] {"slug": "clinic-held-read"}
# `fill` is over, but its tensor is still there in the `except` block. An exception refers to the
# functions that it came from, with all their local names, and Python keeps it until the block ends.
# A second attempt *inside* the block lacks the memory of the first. In a notebook, an error that nobody
# catches is kept even longer, and so are the results that `Out` shows.
#
# **Cure:** only set a flag in the block, such as `retry = True`, and try again after it.
#
# **Case 2.** A program that insists on determinism adds up weights by label.

# %% {"slug": "clinic-deterministic-shown"}
labels, weights = torch.tensor([0, 2, 2], device=gpu0), torch.rand(3, device=gpu0)
torch.use_deterministic_algorithms(True)
try:
    torch.bincount(labels, weights)
except RuntimeError as error:
    print(str(error).split(". ")[0])
finally:
    torch.use_deterministic_algorithms(False)

# %% [markdown] {"slug": "clinic-deterministic-read"}
# The message names the operation: *_bincount_cuda*. On the CPU it would be deterministic.
#
# **Cure:** an operation that has a deterministic version, here
# `torch.zeros(3, device=gpu0).index_add(0, labels, weights)`, or the CPU. Where last digits do not
# matter, `use_deterministic_algorithms(True, warn_only=True)` only warns.

# %% [markdown] {"slug": "project"}
# ## The project · 3 min
#
# Does `train.py` give the same model again, to the last bit? From now on you can ask it to:

# %% {"slug": "project-changes"}
project.changes("04")

# %% [markdown] {"slug": "project-run"}
# The **fingerprint** is a hash of the state dict: change one bit, and it is different. cuBLAS,
# NVIDIA's library for matrix products, reads `CUBLAS_WORKSPACE_CONFIG` when it starts, so
# `use_repeatable_algorithms` has to run before CUDA is used. We train twice; it takes about 20
# seconds.

# %% {"slug": "project-runs"}
first = project.train("04", "--repeatable", gpus=1, epochs=1, out="04-first")
again = project.train("04", "--repeatable", gpus=1, epochs=1, out="04-again")

# %% [markdown] {"slug": "project-limits"}
# The last lines are equal. Chen can now compare two fingerprints in place of two curves. On virtual
# GPUs this proves little, since the CPU computes. Do not expect the same fingerprint on another
# kind of GPU, or with another version of PyTorch.
#
# **Try:** `train_epoch` keeps `loss.detach()`. What would grow without `detach()`?
#
# <details><summary>Answer</summary>
#
# Next to nothing: `backward()` has let go of the large tensors. But nobody needs the rest of the
# graph, and in a function without `backward()` the same line would fill the GPU.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 3 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.reserved")

# %% {"slug": "recap-2-quiz"}
quiz("04.after.seed")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which call comes first in a program that may run without a GPU?
# 2. Memory grows from step to step. How do you find out why?
# 3. What does `memory_reserved` count that `memory_allocated` does not?
# 4. What does a run on two GPUs need to continue with the same random numbers?
#
# <details><summary>Answers</summary>
#
# 1. `device_count()`, which wakes nothing. Many others raise an error without a GPU.
# 2. Record the memory history, add up the blocks of a snapshot by line, and look for what still
#    holds them: a name, a list, a graph.
# 3. What the allocator keeps: the free blocks in its segments.
# 4. The states of three generators: the CPU's, and one for each GPU.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`04_toolbox`](../assignments/04_toolbox/04_toolbox.ipynb). You will find out what
# grows in a training loop, draw noise on several GPUs that repeats and leaves no trace, and mend a
# script. The last task looks ahead to lesson 09: [streams](glossary.md#stream) and
# [events](glossary.md#event).
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which of the
# machine's cards is `cuda:0`, and who decides.
