# %% [markdown] {"slug": "title"}
# # GPU memory
#
# *On the Right Device*, lesson 04 · previous lesson:
# [03, *Modules on devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# Last night your run on porto died: out of memory, on a GPU with 30 GiB free. You read the error message, measure the
# memory, and find the line that fills it. At the end the run survives.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** an out-of-memory message, number by number;
# - **measure** the peak of a step;
# - **find** the line that allocated memory, and what still holds it;
# - **fix** a loop whose memory grows.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 2 min
#
# The imports take some seconds.

# %% {"slug": "imports"}
from collections import Counter

import torch
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson04 import segment_chart, trace_chart

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 02, from memory:

# %% {"slug": "before-1-quiz"}
quiz("04.before.item")

# %% [markdown] {"slug": "lab-text"}
# ## 1. The whole message · 6 min
#
# You share GPU 1 with Chen, and may use 192 MiB. This cell sets the limit, and makes a model and sixteen batches.

# %% {"slug": "lab"}
log_in("porto")
gpu, MiB = torch.device("cuda:1"), 2**20
limit, total = 192 * MiB, torch.cuda.get_device_properties(gpu).total_memory
torch.cuda.set_per_process_memory_fraction(limit / total, gpu)
model = nn.Sequential(nn.Linear(256, 4096), nn.ReLU(), nn.Linear(4096, 1)).to(gpu)
batches = [torch.rand(1024, 256, device=gpu) for _ in range(16)]
print("output of the hidden layer:", 1024 * 4096 * 4 // MiB, "MiB for one batch")
used = []

# %% [markdown] {"slug": "epoch-text"}
# Both loops keep the loss of each batch in a list. Only training calls `backward()`. `used` gets the MiB in use after
# each batch.


# %% {"slug": "epoch"}
def epoch(name):
    used.clear()
    losses = []
    for batch in batches:
        losses.append(model(batch).square().mean())
        if name == "training":
            losses[-1].backward()
        used.append(torch.cuda.memory_allocated(gpu) // MiB)


# %% [markdown] {"slug": "message-text"}
# Last night's run: one epoch of training, then one of validation. It takes some seconds.

# %% {"slug": "message"}
try:
    epoch("training")
    epoch("validation")
except torch.OutOfMemoryError as error:
    message = str(error)
print(message.replace(". ", ".\n"))

# %% [markdown] {"slug": "message-read"}
# | the message says | what it means |
# |---|---|
# | Tried to allocate | what the failing line asked for |
# | total capacity, free | the whole GPU, with all users |
# | Process … has | Chen's process |
# | this process has | yours: PyTorch's memory and, on a real GPU, CUDA's |
# | allowed | your limit for PyTorch's memory |
# | allocated by PyTorch | your tensors |
# | reserved … but unallocated | what PyTorch keeps for later tensors |

# %% {"slug": "message-quiz"}
quiz("04.message")

# %% [markdown] {"slug": "cuda-read"}
# ## 2. Which loop fills the memory? · 13 min
#
# A traceback names the line that asked last. Another line may have filled the memory. So run each loop alone:

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
# A loss is one number with an autograd **graph** behind it: the operations that made it, and the tensors that
# `backward()` needs.
#
# In training, `used` is read *after* `backward()`. How much does a batch need before that?
# `torch.cuda.max_memory_allocated(gpu)` returns the highest value so far, the **peak**.
# `torch.cuda.reset_peak_memory_stats(gpu)` starts again from the memory in use.
#
# ### Fix it here
#
# `peak` should return how far the memory in use rises during `step()`. Earlier steps must not change the result.

# %% {"slug": "peak-program"}
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    return torch.cuda.max_memory_allocated(device) - before


# %% [markdown] {"slug": "peak-run-text"}
# We measure a batch of each loop. Before your change, both results are an earlier peak:

# %% {"slug": "peak-run"}
batch = batches[0]
print("validation:", peak(lambda: model(batch).square().mean(), gpu) // MiB, "MiB")
print("training:  ", peak(lambda: model(batch).square().mean().backward(), gpu) // MiB, "MiB")

# %% [markdown] {"slug": "peak-check-text"}
# The check calls `peak` with several steps.

# %% {"slug": "peak-check"}
check("toolbox.peak", peak)

# %% [markdown] {"slug": "history"}
# ## 3. Which line allocated it? · 15 min
#
# PyTorch can record each allocation, with the lines of Python that led to it. We record the validation, and take a
# **snapshot** when it dies.

# %% {"slug": "history-recorded"}
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
try:
    epoch("validation")
except torch.OutOfMemoryError:
    snapshot = torch.cuda.memory._snapshot()
    torch.cuda.memory._dump_snapshot("memory.pickle")
torch.cuda.memory._record_memory_history(enabled=None)

# %% [markdown] {"slug": "segments-text"}
# PyTorch takes memory from the driver in **segments** of 2 MiB or more, and cuts them into **blocks**. The picture shows
# the segments, and the request that failed.

# %% {"slug": "segments-shown"}
segment_chart(snapshot, gpu, allowed=limit)

# %% [markdown] {"slug": "history-read"}
# 13.9 MiB are free in segments, and 10 MiB are left below the limit, but no piece has 16 MiB. This is
# [fragmentation](glossary.md#fragmentation). `expandable_segments` reduces it. (`PYTORCH_CUDA_ALLOC_CONF` in the message
# is the older name of `PYTORCH_ALLOC_CONF`. Both work.) But even one piece of 23.9 MiB would hold only one more output.
#
# So what fills the other 168 MiB? The `frames` of a block are its lines of Python. We add up the blocks in use, by the
# line of `epoch`:

# %% {"slug": "held-shown"}
blocks = [block for segment in snapshot["segments"] for block in segment["blocks"]]
in_use = [block for block in blocks if block["state"] == "active_allocated"]
held = Counter()
for block in in_use:
    lines = [frame["line"] for frame in block["frames"] if frame["name"] == "epoch"]
    held[f"epoch, line {lines[0]}" if lines else "before the recording"] += block["size"]
for line, size in held.most_common():
    print(f"{size / MiB:5.0f} MiB  {line}")

# %% [markdown] {"slug": "held-read"}
# Line 5 calls the model. It *allocated* nine outputs of the hidden layer. A snapshot does not say what *holds* them. Here
# it is the list, through the graphs of its losses. Elsewhere it can be a name, or an exception. In an `except`
# block, the error still holds the variables of `epoch`.
#
# In a large program, open `memory.pickle` in [PyTorch's viewer](https://pytorch.org/memory_viz).
#
# ### Fix it here
#
# After your change, the memory in use does not grow with the number of batches.

# %% {"slug": "validate-program"}
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()


# %% [markdown] {"slug": "validate-drawn-text"}
# The picture shows the memory at each allocation and release. Draw it before and after your change.

# %% {"slug": "validate-drawn"}
trace_chart(gpu, validate, model, batches, allowed=limit)

# %% [markdown] {"slug": "validate-check-text"}
# The check compares the result, too.

# %% {"slug": "validate-check"}
check("toolbox.validate", validate)

# %% [markdown] {"slug": "validate-read"}
# Three changes are usual:
#
# - `with torch.no_grad():` makes no graph;
# - `loss.detach()` returns a tensor without the graph;
# - `loss.item()` returns a number, and waits for the GPU.
#
# With the last two, `loss` may hold a graph during the next call of the model. Then the peak is one hidden layer higher.
#
# ## 4. Why does Chen still see it? · 5 min
#
# The validation dies once more. Then the error is handled, and all losses are gone:


# %% {"slug": "last-night"}
def last_night():
    try:
        epoch("validation")
    except torch.OutOfMemoryError as error:
        print(str(error).split(" GPU")[0])


# %% [markdown] {"slug": "smi-text"}
# Chen writes: “`nvidia-smi` still shows your process. How much do you use?”

# %% {"slug": "smi-predict"}
predict("04.smi")

# %% {"slug": "smi-shown"}
display(trace_chart(gpu, last_night, allowed=limit))
# !nvidia-smi -i 1 --query-compute-apps=pid,used_memory --format=csv
live, reserved = torch.cuda.memory_allocated(gpu), torch.cuda.memory_reserved(gpu)
print(f"allocated {live / MiB:.0f} MiB, reserved {reserved / MiB:.0f} MiB")
much = reserved > 0.9 * torch.cuda.max_memory_reserved(gpu)
reveal("04.smi", "about as much as when it died" if much else "about what the tensors need")

# %% [markdown] {"slug": "reserved-read"}
# A request to the driver is slow, so PyTorch's [memory allocator](glossary.md#memory-allocator) keeps its segments. On a
# real GPU, `nvidia-smi` also shows CUDA and its libraries, which no limit of PyTorch includes.
#
# **Recorded** on an A100, January 2025: 14.25 GiB in the process, 12.87 GiB allocated, 912.01 MiB reserved but
# unallocated ([CoSeR #10](https://github.com/TianheWu/CoSeR/issues/10)). About 500 MiB are left for CUDA.
#
# `empty_cache()` returns the segments in which no block is in use. This helps Chen, but rarely you: PyTorch does the same
# before it raises *out of memory*.

# %% {"slug": "emptied"}
torch.cuda.empty_cache()
print(f"reserved {torch.cuda.memory_reserved(gpu) / MiB:.0f} MiB")
# !nvidia-smi -i 1 --query-compute-apps=pid,used_memory --format=csv

# %% [markdown] {"slug": "project"}
# ## The project: does train.py fit? · 3 min
#
# `train.py` validates 256 images at a time, without graphs. Would it fit with graphs, too?

# %% {"slug": "project-peaks"}
net = project.network("04").to(gpu)
images = torch.zeros(256, 3, 48, 48, dtype=torch.uint8, device=gpu)
for graph in (False, True):
    with torch.set_grad_enabled(graph):
        print("graph:", graph, peak(lambda: net(images), gpu) // MiB, "MiB at the peak")

# %% [markdown] {"slug": "project-text"}
# Both fit. A graph matters only if the loop keeps it.
#
# Finally, last night's validation, with your two functions:

# %% {"slug": "project-after"}
print(f"last night: out of memory in batch {len(used) + 1} of {len(batches)}")
try:
    print(f"now: {peak(lambda: validate(model, batches), gpu) // MiB} MiB for all {len(batches)}")
except torch.OutOfMemoryError:
    print("now: out of memory again. Change `validate` in section 3, and run this cell once more.")

# %% [markdown] {"slug": "recap"}
# A correct `validate` needs 32 or 48 MiB, for any number of batches. (On a real GPU,
# [cuBLAS](reference.md) takes some, too.)
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.reserved")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. 30 GiB are free. Why can an allocation of 16 MiB fail?
# 2. Why can a loop without `backward()` need more memory than one with it?
# 3. Memory grows from step to step. How do you find out why?
#
# <details><summary>Answers</summary>
#
# 1. The process has a limit. Or another process took the memory. Or it is free only in small pieces.
# 2. `backward()` frees the tensors that the graph has saved for it.
# 3. Add up the blocks of a snapshot by line. Then look for what still holds them.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 04: GPU memory](../assignments/04_toolbox/04_toolbox.ipynb).**
# You will find what grows in a training loop, add up a snapshot by line, and fix a function that tries again when
# memory runs out.
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which card is `cuda:0`, and who decides.
