# %% [markdown] {"slug": "title"}
# # GPU memory
#
# *On the Right Device*, lesson 04 · previous lesson:
# [03, *Modules on devices*](03_modules_on_devices.ipynb) · [Glossary](glossary.md)
#
# Last night your run on porto died: out of memory, on a GPU with 30 GiB free. You read the whole message, measure,
# and find the line that fills the memory. At the end the run survives.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** an out-of-memory message, number by number;
# - **measure** the memory of a step at its peak;
# - **find** the line that allocated memory, and the name that still holds it;
# - **fix** a loop whose memory grows;
# - **explain** why `nvidia-smi` shows more than your tensors need.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lessons 02 and 03.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 2 min
#
# The imports of the whole lesson take some seconds.

# %% {"slug": "imports"}
from collections import Counter

import torch
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson04 import segment_chart, trace_chart

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("04.before.item")

# %% [markdown] {"slug": "lab-text"}
# ## 1. The whole message · 7 min
#
# You share GPU 1 with Chen, and have agreed to use no more than 192 MiB. The fourth line sets this limit for
# PyTorch's allocator, as a fraction of the memory. Below it are a small model and sixteen batches.

# %% {"slug": "lab"}
log_in("porto")
gpu, MiB = torch.device("cuda:1"), 2**20
total = torch.cuda.get_device_properties(gpu).total_memory
torch.cuda.set_per_process_memory_fraction(192 * MiB / total, gpu)
model = nn.Sequential(nn.Linear(256, 4096), nn.ReLU(), nn.Linear(4096, 1)).to(gpu)
batches = [torch.rand(1024, 256, device=gpu) for _ in range(16)]
print("output of the hidden layer:", 1024 * 4096 * 4 // MiB, "MiB for one batch")
used = []

# %% [markdown] {"slug": "epoch-text"}
# Training and validation go through the batches in the same way, and keep the loss of each. Only
# training calls `backward()`. `used` gets the MiB in use after each batch.


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
# Last night's run was one epoch of training and one of validation. It takes some seconds:

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
# | Tried to allocate | the memory that the failing line asked for |
# | total capacity, free | the whole GPU, with the processes of all users |
# | Process … has | Chen's process |
# | this process has | your process: PyTorch's memory, and CUDA with its libraries |
# | allowed | your limit |
# | allocated by PyTorch | your tensors |
# | reserved … but unallocated | memory that PyTorch keeps for later tensors |

# %% {"slug": "message-quiz"}
quiz("04.message")

# %% [markdown] {"slug": "cuda-read"}
# The limit is for PyTorch's memory: the last two numbers together. With the request, they would be above it. The rest
# of *this process has* belongs to CUDA and its libraries (section 4). On a virtual GPU, it is 0.
#
# The message advises `expandable_segments` against **fragmentation**: free memory in pieces that are too small. Here, one
# piece would be enough for this batch, but not for the next.
#
# ## 2. Which loop fills the memory? · 13 min
#
# A traceback names only the line that asked last. Both loops keep sixteen losses, of one number each. They take some
# seconds.

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
# In training the numbers do not grow. But each was read *after* `backward()`. How much does a batch need in
# between? PyTorch remembers the highest value, the **peak**: `torch.cuda.max_memory_allocated(gpu)`. It begins again
# with `torch.cuda.reset_peak_memory_stats(gpu)`.
#
# ### Fix it here
#
# `peak` should return the highest memory in use during `step()`, less the memory in use before it. After your
# change, it measures each step alone.

# %% {"slug": "peak-program"}
import torch


def peak(step, device):
    before = torch.cuda.memory_allocated(device)
    step()
    return torch.cuda.max_memory_allocated(device) - before


# %% [markdown] {"slug": "peak-run-text"}
# One batch of validation, and one of training. Before your change, both get the peak of earlier runs:

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
# PyTorch can record every allocation, with the lines of Python that led to it. We record the validation, and take
# a **snapshot** when it dies. The underscores mean that these functions may change.

# %% {"slug": "history-recorded"}
torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
try:
    epoch("validation")
except torch.OutOfMemoryError:
    snapshot = torch.cuda.memory._snapshot()
    torch.cuda.memory._dump_snapshot("memory.pickle")
torch.cuda.memory._record_memory_history(enabled=None)

# %% [markdown] {"slug": "segments-text"}
# PyTorch takes large **segments** from the driver, and cuts them into **blocks** for tensors. Views share a block.
# Here are the segments of the snapshot, with a stroke at each end, and the request that failed. (*counted*: in this
# run.)

# %% {"slug": "segments-shown"}
segment_chart(snapshot, gpu, allowed=192 * MiB)

# %% [markdown] {"slug": "history-read"}
# Each block has `frames`: the lines of Python that were running when it was allocated. We add up the blocks in use,
# by the line of `epoch`:

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
# Line 5 of `epoch` calls the model, and appends the loss to a list. In other programs, these are two lines. The
# snapshot names only the line that *allocated* the memory. You still have to find what *holds* it: a name, a list, a
# graph, or an exception. (In an `except` block, the error still holds the variables of `epoch`. In a notebook, an
# uncaught error holds them until the next one.)
#
# In a large program, drop `memory.pickle` onto [PyTorch's viewer](https://pytorch.org/memory_viz). It runs in your
# browser, and uploads nothing.
#
# ### Fix it here
#
# This is your validation. After your change, the memory in use does not grow with the number of batches.

# %% {"slug": "validate-program"}
import torch


def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()


# %% [markdown] {"slug": "validate-drawn-text"}
# The next cell draws the memory in use while it runs. Run it before and after your change.

# %% {"slug": "validate-drawn"}
trace_chart(gpu, validate, model, batches)

# %% [markdown] {"slug": "validate-check-text"}
# Before your change, the memory in use climbs like stairs. Afterwards, it rises and falls with each batch.

# %% {"slug": "validate-check"}
check("toolbox.validate", validate)

# %% [markdown] {"slug": "validate-read"}
# Three changes are usual. `loss.detach()` returns the number without its graph, on the GPU, and does not wait.
# `loss.item()` waits for the GPU once for each batch. `with torch.no_grad():` makes no graph at all.
#
# With the first two, the name `loss` may still hold a graph while the model computes the next batch. Then the peak
# is one hidden layer higher.
#
# ## 4. Why does Chen still see it? · 5 min
#
# Last night's validation dies once more, and all losses are gone. Chen writes: “`nvidia-smi` still shows your
# process. How much do you use?”

# %% {"slug": "smi-predict"}
predict("04.smi")

# %% {"slug": "smi-shown"}
trace_chart(gpu, epoch, "validation")
# !nvidia-smi -i 1 --query-compute-apps=pid,used_memory --format=csv
live, reserved = torch.cuda.memory_allocated(gpu), torch.cuda.memory_reserved(gpu)
print(f"allocated {live / MiB:.0f} MiB, reserved {reserved / MiB:.0f} MiB")
much = reserved > 0.9 * torch.cuda.max_memory_reserved(gpu)
reveal("04.smi", "about as much as when it died" if much else "about what the tensors need")

# %% [markdown] {"slug": "reserved-read"}
# A request to the driver is slow. So PyTorch's caching [memory allocator](glossary.md#memory-allocator) keeps
# its segments for your next tensors. `memory_reserved` counts the segments. `nvidia-smi` shows them, and on a real
# GPU the memory of CUDA and its libraries, which no limit of PyTorch includes.
#
# **Recorded** on an A100 in January 2025: 14.25 GiB in the process, 12.87 GiB allocated, 912.01 MiB reserved but
# unallocated ([CoSeR #10](https://github.com/TianheWu/CoSeR/issues/10)). About 500 MiB are left for CUDA. cuBLAS, the library for matrix products, has a workspace in PyTorch's memory: 8,519,680 bytes
# [on an A10G in 2023](https://github.com/pytorch/pytorch/issues/95668).
#
# `empty_cache()` returns the segments in which nothing is in use. A segment with one small tensor is not returned.
# The call helps Chen, but rarely you: PyTorch does the same before it raises *out of memory*.

# %% {"slug": "emptied"}
torch.cuda.empty_cache()
print(f"reserved {torch.cuda.memory_reserved(gpu) / MiB:.0f} MiB")
# !nvidia-smi -i 1 --query-compute-apps=pid,used_memory --format=csv

# %% [markdown] {"slug": "project"}
# ## The project: does train.py fit? · 3 min
#
# `train.py` validates with 256 images at a time, under `torch.no_grad()`. Would a batch with a graph fit, too?

# %% {"slug": "project-peaks"}
net = project.network("04").to(gpu)
images = torch.zeros(256, 3, 48, 48, dtype=torch.uint8, device=gpu)
for graph in (False, True):
    with torch.set_grad_enabled(graph):
        print("graph:", graph, peak(lambda: net(images), gpu) // MiB, "MiB at the peak")

# %% [markdown] {"slug": "project-text"}
# With a correct `peak`: 24 and 40 MiB. Both fit, so the graph matters only if the loop keeps it.
#
# Finally, last night's validation, measured with your `peak` and your `validate`:

# %% {"slug": "project-after"}
print("last night: out of memory, with 192 MiB allowed")
try:
    print(f"now: {peak(lambda: validate(model, batches), gpu) // MiB} MiB more than before")
except torch.OutOfMemoryError:
    print("now: out of memory again")

# %% [markdown] {"slug": "recap"}
# These numbers are counted on virtual GPUs. A real GPU adds at least cuBLAS's workspace.
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("04.after.reserved")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. The message says that 30 GiB are free. Why can an allocation of 16 MiB fail?
# 2. Why can a loop without `backward()` need more memory than one with it?
# 3. Memory grows from step to step. How do you find out why?
#
# <details><summary>Answers</summary>
#
# 1. A limit of the process stops it. Or the free memory changed: other users have processes, too.
# 2. `backward()` frees the tensors that the graph has saved for it.
# 3. Record the memory history, add up the blocks of a snapshot by line, and look for what still
#    holds them: a name, a list, a graph, an exception.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 04: GPU memory](../assignments/04_toolbox/04_toolbox.ipynb).**
# You will find out what grows in a training loop, add up a snapshot by line, and fix a function that tries
# again when memory runs out.
#
# **Next lesson:** [05, *Physical and logical GPUs*](05_visible_devices.ipynb): which of the
# machine's cards is `cuda:0`, and who decides.
