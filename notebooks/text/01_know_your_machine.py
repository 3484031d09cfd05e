# %% [markdown] {"slug": "title"}
# # Know your machine
#
# *On the Right Device*, lesson 01 · [Glossary](glossary.md)
#
# You have an account on a server with four GPUs, and so do Li, Chen and Mei. Tonight you want to train a
# network there. Your first program fails, although three cards have room. By the end of this lesson,
# a training program runs on the card that you chose.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **choose** a card with room;
# - **name** a device, and make sure that it exists;
# - **cure** a PyTorch that sees no GPU;
# - **run** a training program on a GPU.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** Python (functions, `try`); what a tensor is. You can do everything here without
# a GPU.
#
# ## Before we start · 5 min
#
# This cell takes some seconds: it logs in to the server *porto*, and creates a tensor there.

# %% {"concepts": ["C036"], "slug": "imports"}
import torch

from course_utils import check, quiz
from lesson_parts.lesson01 import log_in, train_on_server

log_in("porto")
torch.ones(2, device="cuda:1")

# %% [markdown] {"slug": "before-from-memory"}
# The last line shows a tensor on the second card: `device='cuda:1'`. Indices start at 0.
#
# The server is [virtual](glossary.md#virtual-gpu): your computer's CPU does the work. Devices and error messages
# are those of real GPUs. The speed is not, and a real process takes a few hundred MiB more, for CUDA itself.
#
# Two questions first.

# %% {"slug": "before-1-quiz"}
quiz("01.before.process")

# %% {"slug": "before-2-quiz"}
quiz("01.before.mebibytes")

# %% [markdown] {"slug": "no-room"}
# ## 1. No room · 8 min
#
# `"cuda"` is PyTorch's word for an NVIDIA GPU. The next program asks for 3 GiB there, and names no card.
# Card 0 is nearly full. The other three have room.

# %% {"concepts": ["C015"], "slug": "room-shown"}
try:
    torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")
except RuntimeError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "room-read"}
# The message says how much was asked for, how large card 0 is, and how much of it is free. `"cuda"` means the
# first card unless the program changes that. PyTorch does not look for one with room.
#
# ### Fix it here
#
# This function also takes card 0 every time: it ignores the number `card`. An index in the name, as in
# `"cuda:1"`, says which card you mean. Change one line, run the cell, and then the check.

# %% {"concepts": ["C031"], "slug": "load-program"}
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda")


# %% [markdown] {"slug": "load-check-text"}
# The check tries all four cards.

# %% {"slug": "load-check"}
check("machine.load", load)

# %% [markdown] {"slug": "table-text"}
# ## 2. Which card has room? · 5 min
#
# `nvidia-smi`, NVIDIA's tool for the command line, tells you. In a notebook, a line that begins with `!`
# runs a command as a terminal does.

# %% {"concepts": ["C005", "C006", "C018", "C020"], "slug": "table"}
# !nvidia-smi

# %% [markdown] {"slug": "table-read"}
# This is a snapshot: the cards above, the processes below, this notebook among them. Two fields matter before
# you take a card.
#
# - `Memory-Usage` is what all processes use, and the total.
# - `GPU-Util` is the share of the last moments in which anything ran on the GPU.
#
# Here they are for card 1. The other fields are [for reference](reference.md).
#
# ```text
# |           Memory-Usage | GPU-Util  Compute M. |
# |    9302MiB /  40960MiB |      0%      Default |
# ```
#
# Your next job needs 25 GiB. Which card do you take? Decide, then open the answer.
#
# <details><summary>Answer</summary>
#
# Card 1: of 40,960 MiB, about 9,300 are in use. Nearly 31 GiB are left, and PyTorch counts a little less. Card 2
# has 19 GiB left.
#
# </details>
#
# Here, card 1 is also `cuda:1`. Lesson 05 tells when it is not.
#
# Chen's process sits on card 1, with `GPU-Util` at 0 %. Is the whole card yours, then? You ask for 35 of
# its 40 GiB.

# %% {"concepts": ["C016", "C021"], "slug": "idle-shown"}
try:
    torch.empty(35 * 2**30, dtype=torch.uint8, device="cuda:1")
except RuntimeError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "no-gpu"}
# No. An idle process, such as a notebook that is left open, keeps its memory, and it may go on
# computing at any moment.
#
# ## 3. PyTorch sees no GPU · 4 min
#
# You copy your program to a laptop with an NVIDIA card: `Torch not compiled with CUDA enabled`. Can
# `nvidia-smi` list a card that PyTorch does not see? Decide, then run the next cell.
#
# `collect_env` asks both, for some seconds. Here it runs in a process from which porto's cards are hidden;
# lesson 05 shows how.

# %% {"concepts": ["C005"], "slug": "sees-shown"}
# !CUDA_VISIBLE_DEVICES="" python -m torch.utils.collect_env 2>/dev/null | grep -E "Is CUDA|GPU|driver"

# %% [markdown] {"slug": "build"}
# It can. The list of GPUs comes from `nvidia-smi`, which asks the driver, and the line `Is CUDA available` from
# PyTorch. On your laptop, `collect_env` shows a more frequent cause:
#
# ```text
# PyTorch version: 2.13.0+cpu
# CUDA used to build PyTorch: Could not collect
# Is CUDA available: False
# GPU models and configuration: GPU 0: NVIDIA GeForce RTX 4060 Laptop GPU
# ```
#
# This PyTorch was built for the CPU, so a newer driver does not help. On Windows, a plain `pip install
# torch` gives such a build. **Cure:** `pip uninstall torch`, then the command that [PyTorch's
# page](https://pytorch.org/get-started/locally/) gives for your system.
#
# When you ask for help, include the output of `collect_env`.
#
# ## 4. Name a device · 10 min
#
# A [`torch.device`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) has a type, such as
# `cuda`, and perhaps an index. One line below raises an error. Which one?
# Decide, then run the cell.

# %% {"concepts": ["C030", "C041", "C044"], "errata": ["E20"], "slug": "label-shown"}
try:
    device = torch.device("cuda:100")
    print(f"{device}: type {device.type}, index {device.index}")
    torch.ones(2, device=device)
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")

# %% [markdown] {"slug": "label-read"}
# *Ordinal* is CUDA's word for the index. The last line raised the error: a `torch.device` is only a name, and
# making one asks no GPU. PyTorch asks for the GPU when a tensor is created or moved there, which may be
# many lines later. So look for the line that made the name.
#
# Without a number, as in `torch.device("cuda")`, its index is `None`. A string that is not
# the name of a device, such as `"gpu"`, raises a `RuntimeError` at once.
#
# ### Fix it here
#
# The docstring of this function promises a GPU that exists. `device_count()` says how many PyTorch sees, but
# the function only asks whether there is *any*. Change one line.


# %% {"concepts": ["C037", "C038", "C039", "C042", "C043"], "errata": ["E19", "E21"], "slug": "try-gpu-program"}
import torch


def try_gpu(i=0):
    """Return GPU number i if it exists, and the CPU otherwise."""
    if torch.cuda.device_count() >= 1:
        return torch.device("cuda", i)
    return torch.device("cpu")


# %% [markdown] {"slug": "try-gpu-check-text"}
# The check asks for several `i`, on machines with 0 to 4 GPUs.

# %% {"slug": "try-gpu-check"}
check("machine.try_gpu", try_gpu)

# %% [markdown] {"slug": "clinic"}
# Many programs begin with `torch.device("cuda" if torch.cuda.is_available() else "cpu")` instead. It runs
# on every machine, unlike a fixed `"cuda:1"`. But on a shared server it takes card 0, however full that is.
#
# ## 5. Error clinic · 3 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** Two things are called `device`.

# %% {"concepts": ["C034"], "errata": ["E15"], "slug": "clinic-context-shown"}
try:
    torch.ones(2, device=torch.cuda.device("cuda:1"))
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-context-read"}
# *must be torch.device, not device*: the second *device* is `torch.cuda.device`, which is no name. **Cure:**
# `torch.device("cuda:1")`. The other one is for `with`:

# %% {"slug": "clinic-context-block"}
with torch.cuda.device("cuda:1"):
    print("device='cuda':", torch.ones(2, device="cuda").device)
    print("no device:    ", torch.ones(2).device)

# %% [markdown] {"slug": "clinic-context-meaning"}
# Inside the block, `"cuda"` means card 1, the [current device](glossary.md#current-device). A tensor
# without `device=` is on the CPU even there.
#
# **Case 2.** A name that works in one place, and not in another.

# %% {"concepts": ["C030"], "slug": "clinic-string-shown"}
device = "cuda:1"
x = torch.ones(2, device=device)
try:
    print(device.type)
except AttributeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-string-read"}
# PyTorch takes a string wherever it takes a device. But a string has no type and no index, and `x.device == "cuda:1"`
# is false. **Cure:** make a device of it once, where the program begins.

# %% {"slug": "clinic-string-cured"}
device = torch.device(device)
print(device.type, device.index)

# %% [markdown] {"slug": "project"}
# ## The project · 3 min
#
# Throughout the course you improve one program, `train.py`, which learns to recognise drawn shapes.
# So far it runs only on the CPU: its function `pick_device` refuses any other device. This one
# takes the name as it is.


# %% {"concepts": ["C030"], "slug": "project-pick"}
def pick_device(wanted):
    return torch.device(wanted)


# %% [markdown] {"slug": "project-run-text"}
# Now train on card 1, with your function in `train.py`. Before the program ends, `nvidia-smi` lists who
# is computing on the server. It takes about a minute, longer the first time.

# %% {"concepts": ["C022"], "slug": "project-after"}
train_on_server("--device cuda:1", pick_device)

# %% [markdown] {"slug": "recap"}
# Your notebook is left out of this table. Below Chen's process on GPU 1 there is a new one: `train.py`, with
# the PID that it printed.
#
# ## What you learned · 3 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("01.after.row")

# %% {"slug": "recap-2-quiz"}
quiz("01.after.build")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Which two fields do you look at before you take a card?
# 2. When does PyTorch find out that `cuda:7` does not exist?
# 3. May you fill an idle card?
#
# <details><summary>Answers</summary>
#
# 1. `Memory-Usage`, for the room, and `GPU-Util`, for whether anything is computing.
# 2. When a tensor is created there, or moved there.
# 3. No. Its process keeps its memory.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 01: Know your machine](../assignments/01_machine/01_machine.ipynb).**
# You will write the `pick_device` that stays, fix a program, and find out why PyTorch sees no GPU on other
# machines.
#
# **Next lesson:** [02, *Tensors on devices*](02_tensors_on_devices.ipynb): how tensors get to a
# GPU.
