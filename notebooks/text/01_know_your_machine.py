# %% [markdown] {"slug": "title"}
# # Know your machine
#
# *On the Right Device*, lesson 01 · [Glossary](glossary.md)
#
# You have an account on a server with four GPUs, and so do Li, Chen and Mei. Tonight you want to train a
# network there. Your first program asks for a GPU and says
# no more. Which card does it get? Which one do you want, and how do you tell PyTorch? At the end of this lesson your training
# program runs on the right one.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **choose** a card with room, and find out who uses the others;
# - **name** a device, and make sure that it exists;
# - **predict** where a new tensor is created;
# - **cure** a PyTorch that sees no GPU;
# - **run** a training program on a GPU.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** Python (functions, `try`); what a tensor is. You can do everything here without
# a GPU.
#
# ## Before we start · 3 min
#
# This cell loads what the lesson uses, logs in to the server *porto*, and creates a tensor there. It
# takes a few seconds.

# %% {"concepts": ["C036"], "slug": "imports"}
import os
import subprocess

import torch

from course_utils import check, claim, explore, predict, quiz, reveal, verdict
from lesson_parts.lesson01 import log_in, train_on_server

log_in("porto")
torch.ones(2, device="cuda:1")

# %% [markdown] {"slug": "before-from-memory"}
# The last line shows a tensor on the second card: `device='cuda:1'`. Indices begin at 0.
#
# The server is [virtual](glossary.md#virtual-gpu): this computer's CPU does the computing, so that everybody
# meets the same cards and the same people. Devices, memory and error messages are those of real GPUs.
# The speed is not.
#
# Two questions about what you may know already. If you are not sure, guess.

# %% {"slug": "before-1-quiz"}
quiz("01.before.process")

# %% {"slug": "before-2-quiz"}
quiz("01.before.mebibytes")

# %% [markdown] {"slug": "no-room"}
# ## 1. No room · 6 min
#
# `"cuda"` is PyTorch's word for an NVIDIA GPU. The next program asks for 3 GiB there, and names no card.
# Card 0 is nearly full. The other three have room for 3 GiB. What happens?

# %% {"slug": "room-predict"}
predict("01.room")

# %% {"concepts": ["C015"], "slug": "room-shown"}
try:
    x = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")
    outcome = f"a tensor on {x.device}"
except torch.OutOfMemoryError as error:
    print(str(error).split(" Including")[0])
    outcome = "an error"
reveal("01.room", outcome)

# %% [markdown] {"slug": "room-read"}
# Read the message from left to right: what did not fit, how large card 0 is, what is free there,
# and who has the rest. (We cut off what follows, which is about your own process.)
#
# ### Mend it here
#
# The function below has the same fault: it takes whichever GPU comes first, and ignores `card`. An
# index in the name, as in `"cuda:1"`, says which one you mean. Change one line, run the cell, and
# then the check. You may run both as often as you like.

# %% {"concepts": ["C031"], "slug": "load-program"}
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda")


# %% [markdown] {"slug": "load-check-text"}
# The check calls your function for each of the four cards.

# %% {"slug": "load-check"}
check("machine.load", load)

# %% [markdown] {"slug": "load-use-text"}
# Does it do what you say?

# %% {"slug": "load-use"}
for card in (1, 3):
    x = load([0.5, 1.5], card)
    print("asked for card", card, "and got", x.device)

# %% [markdown] {"slug": "table-text"}
# Once it is mended, you choose the card. But which one?
#
# ## 2. Which card has room? · 7 min
#
# `nvidia-smi`, NVIDIA's tool for the command line, tells you. In a notebook, a line that begins with `!`
# runs a command as a terminal does.

# %% {"concepts": ["C005", "C006", "C009", "C018", "C020"], "slug": "table"}
# !nvidia-smi

# %% [markdown] {"slug": "table-read"}
# The upper half shows the cards. The header has three rows, and so has each card: read a value
# under the name in the same place. The lower half shows the processes, each with the index of its
# card. This notebook may be among them, since your checks used the cards. All of it is a snapshot; a
# minute later it may look different.
#
# Three fields matter every day:
#
# | field | what it shows |
# |---|---|
# | `Memory-Usage` | memory that all processes use, and all that there is |
# | `GPU-Util` | the share of the last moments in which anything ran on the GPU |
# | `PID` | number of the process; on Linux, `ps -o user= -p PID` says whose it is |
#
# The other fields are in this picture. Move the slider to one or two that you wonder about. On Windows
# the table is slightly different. The [reference](reference.md) has all of it in a few lines.

# %% {"concepts": ["C016"], "slug": "fields"}
explore("smi")

# %% [markdown] {"slug": "which"}
# Your next job needs 25 GiB. Which card do you take? Decide with the table above, then let
# `nvidia-smi` print the columns that matter, in a form that a program can read.

# %% {"concepts": ["C015", "C016", "C020"], "slug": "which-shown"}
columns = "index,memory.free,utilization.gpu"
query = ["nvidia-smi", f"--query-gpu={columns}", "--format=csv,noheader,nounits"]
for line in subprocess.check_output(query, text=True).splitlines():
    index, free, busy = map(int, line.split(", "))
    print(f"card {index}: {free / 1024:4.1f} GiB free, {busy:2} % busy")

# %% [markdown] {"slug": "which-read"}
# Only card 1 has 25 GiB. Chen's process sits there too, with `GPU-Util` at 0 %. Is the
# whole card yours, then? You ask for 35 of its 40 GiB:

# %% {"concepts": ["C016", "C021"], "slug": "idle-shown"}
try:
    torch.empty(35 * 2**30, dtype=torch.uint8, device="cuda:1")
except torch.OutOfMemoryError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "idle-read"}
# No. Chen's process keeps its 9 GiB, as a notebook does that is left open, and it may go on computing
# at any moment. The numbers do not say *why* it does nothing; lesson 08 finds out.
#
# Is `nvidia-smi`'s card 1 the `cuda:1` of PyTorch? Three names are equal, but each card has a
# [UUID](glossary.md#uuid), a string that no other card has. `nvidia-smi -L` prints it, too.

# %% {"concepts": ["C009"], "slug": "same-card-shown"}
for index in range(torch.cuda.device_count()):
    card = torch.cuda.get_device_properties(index)
    print(f"cuda:{index} {card.name} {card.uuid}")
# !nvidia-smi -L

# %% [markdown] {"slug": "same-card-read"}
# On porto it is. By default, CUDA counts the fastest card first, so on a machine with different cards
# the numbers may differ. Lesson 05 makes them agree.
#
# Now put something on card 1, and look for yourself in the list.

# %% {"concepts": ["C018"], "slug": "yours-shown"}
block = torch.zeros(64, 1024, 1024, device="cuda:1")  # 256 MiB
print(f"tensors: {torch.cuda.memory_allocated('cuda:1') / 2**20:.0f} MiB, PID: {os.getpid()}")
# !nvidia-smi --query-compute-apps=pid,used_memory,process_name --format=csv

# %% [markdown] {"slug": "yours-read"}
# Your process has a row for each card that it has used. On card 1 it holds a little more than the tensor,
# on a real card several hundred MiB more, which each process needs on each card: the *CUDA context*.
# `Xorg`, which only draws, is left out here. To watch a card, run `watch -n 1 nvidia-smi` in a terminal.
#
# `del` gives the memory back to PyTorch, which keeps it for the next tensor. Lesson 04 is about that.

# %% {"slug": "yours-gone"}
del block

# %% [markdown] {"slug": "no-gpu"}
# ## 3. PyTorch sees no GPU · 7 min
#
# You copy your program to a laptop with an NVIDIA card, and PyTorch does not find it. Is that possible?

# %% {"slug": "sees-claim"}
claim("01.claim.sees")

# %% [markdown] {"slug": "sees-text"}
# We try it on porto: first the tool, then a PyTorch from which the cards are hidden.

# %% {"concepts": ["C005", "C038"], "slug": "sees-shown"}
# !nvidia-smi -L
# !CUDA_VISIBLE_DEVICES="" python -c "import torch; print('PyTorch:', torch.cuda.device_count())"
verdict("01.claim.sees")

# %% [markdown] {"slug": "versions"}
# So ask PyTorch itself:

# %% {"concepts": ["C008", "C038"], "errata": ["E94"], "slug": "versions-shown"}
print("is_available: ", torch.cuda.is_available())
print("device_count: ", torch.cuda.device_count())
print("PyTorch:      ", torch.__version__, "built for CUDA", torch.version.cuda)
print("runs on:      ", *torch.cuda.get_arch_list())
# !nvidia-smi | grep "CUDA Version"

# %% [markdown] {"slug": "versions-read"}
# Two versions of CUDA are in play. `CUDA Version` in `nvidia-smi` is the newest one that the
# [driver](glossary.md#driver) supports. Nothing of it need be installed: PyTorch brings a CUDA of its own, and
# `torch.version.cuda` names it. Its major version, the 13 of 13.0, must not be higher than the driver's.
#
# If a GPU cannot be used, look in this order:
#
# | what you find | cause | cure |
# |---|---|---|
# | `torch.version.cuda` is `None` | this PyTorch was built for the CPU | install the other build |
# | *driver … is too old* | PyTorch was built for a newer major version of CUDA than the driver supports | update the driver, or take a PyTorch with an older CUDA |
# | *no kernel image is available* | nothing in `get_arch_list()` fits the card: `sm_86` serves 8.6 and 8.9, but not 9.0 | a PyTorch that was built for it |
# | `CUDA_VISIBLE_DEVICES` is set | the cards are hidden | lesson 05 |
# | `nvidia-smi` fails | the driver is not running | restart, or ask the administrator |
# | all of this only in a container | it was started without GPUs | `docker run --gpus all …` |
#
# The first one is common. On Windows, a plain `pip install torch` gives the build for the
# CPU. Its error is *Torch not compiled with CUDA enabled*, and a better driver does not help. **Cure:**
# `pip uninstall torch`, then the command that PyTorch's page gives for your system. The [error
# index](errors.md) has the address, under *A build of PyTorch without CUDA*.
#
# One command collects all of it. Send its output along when you ask somebody for help.

# %% {"concepts": ["C008"], "slug": "collect-env"}
# !python -m torch.utils.collect_env 2>/dev/null | grep -E "PyTorch version|CUDA|GPU|driver"

# %% [markdown] {"slug": "collect-read"}
# On a laptop with the build for the CPU, the same command says:
#
# ```text
# PyTorch version: 2.13.0+cpu
# CUDA used to build PyTorch: Could not collect
# Is CUDA available: False
# ```
#
# On a virtual server you may read `+cpu` as well, next to a version of CUDA: a PyTorch for the CPU
# computes, and the virtual GPUs tell the version. On a real machine the two never stand together.
#
# ## 4. Name a device · 7 min
#
# A [`torch.device`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) stands for a
# [device](glossary.md#device). It has a type, and perhaps an index.

# %% {"concepts": ["C030", "C031", "C036"], "slug": "names"}
for name in ("cpu", "cuda", "cuda:1"):
    device = torch.device(name)
    print(f"{device!s:7} type: {device.type:5} index: {device.index}")

# %% [markdown] {"slug": "label-program"}
# Here are three lines for a machine that does not have a hundred GPUs.

# %% {"concepts": ["C041"], "slug": "label-lines"}
lines = [
    'device = torch.device("cuda:100")',
    'print("made:", device)',
    "x = torch.ones(2, device=device)",
]

# %% [markdown] {"slug": "label-question"}
# We run them one after the other.

# %% {"slug": "label-predict"}
predict("01.hundred")

# %% {"concepts": ["C041", "C044"], "errata": ["E20"], "slug": "label-shown"}
try:
    for number, line in enumerate(lines, start=1):
        outcome = f"line {number}"
        exec(line)
    outcome = "none of them"
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
reveal("01.hundred", outcome)

# %% [markdown] {"slug": "label-read"}
# *Ordinal* is CUDA's word for the index. A `torch.device` is only a name: making one asks no GPU
# and moves nothing. (The index has 8 bits: of `cuda:128` PyTorch makes `cuda:-128`.)
#
# ### Mend it here
#
# This function circulates in many notes. Its docstring promises a GPU that exists, but it only asks
# whether there is *any* GPU. Change one line.


# %% {"concepts": ["C039", "C042"], "errata": ["E19", "E21"], "slug": "try-gpu-program"}
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

# %% [markdown] {"slug": "try-gpu-use-text"}
# Mended, it is safe to ask for any card:

# %% {"slug": "try-gpu-use"}
for i in (0, 3, 100):
    print(f"try_gpu({i}) is", try_gpu(i))

# %% [markdown] {"slug": "agnostic"}
# Many programs begin with the first of these lines. It runs on every machine, unlike a fixed
# `"cuda:1"`, which fails on most laptops. But it takes card 0, however full that is. The second one
# lists all GPUs.

# %% {"concepts": ["C037", "C040", "C042", "C043"], "errata": ["E21"], "slug": "agnostic-shown"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
gpus = [torch.device("cuda", index) for index in range(torch.cuda.device_count())]
print("one device:", device)
print("all of them:", *(gpus or [device]))
x = torch.ones(2, device=device)
print("x is on:", x.device)

# %% [markdown] {"slug": "current"}
# You asked for `cuda`, and `x` is on `cuda:0`. Which GPU does `"cuda"` mean? The [current device](glossary.md#current-device), which is `cuda:0` when a
# program starts. A block that begins with `with torch.cuda.device(1):` changes it until the block
# ends. What else does the block change?

# %% {"slug": "block-predict"}
predict("01.block")

# %% {"concepts": ["C031", "C034"], "errata": ["E15"], "slug": "block-shown"}
with torch.cuda.device(1):
    plain = torch.ones(2)
    named = torch.ones(2, device="cuda")
    indexed = torch.ones(2, device="cuda:3")
print("with an index:  ", indexed.device)
print("after the block:", torch.ones(2, device="cuda").device)
reveal("01.block", f"{plain.device} and {named.device}")

# %% [markdown] {"slug": "equal"}
# `"cuda"` and `"cuda:1"` are different names, even where they mean the same card. How do you ask, then,
# whether a tensor is on a GPU?

# %% {"concepts": ["C031"], "errata": ["E16"], "slug": "equal-shown"}
print(named.device)
print(named.device == torch.device("cuda"))
print(named.device.type == "cuda")

# %% [markdown] {"slug": "clinic"}
# The device of a tensor on a GPU always has an index. So compare the types.
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
# *must be torch.device, not device*: the second one is `torch.cuda.device`, the context manager of
# the block above. **Cure:** `torch.device("cuda:1")`, or simply `"cuda:1"`.
#
# **Case 2.** Two GPUs at once.

# %% {"concepts": ["C035"], "errata": ["E18"], "slug": "clinic-list-shown"}
try:
    torch.ones(2, device="cuda:[0,1]")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-list-read"}
# A tensor is on one device, so a name names one. **Cure:** name one. Which GPUs a *process* may use is
# set outside it (lesson 05); which GPUs a *model* uses is set by lists such as `device_ids=[0, 1]`
# (lesson 07).

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# Through the whole course you improve one program, `train.py`. It learns to recognise drawn shapes. The
# word behind `--device` goes to its function `pick_device`, which knows only the CPU so far. We ask for
# card 1 all the same. Before the program ends, `nvidia-smi` tells who computes on the server.

# %% {"slug": "project-before"}
train_on_server("--device cuda:1")

# %% [markdown] {"slug": "project-refused"}
# It refuses, and only Li, Chen and Mei are listed. PyTorch computes on the CPU unless it is told
# otherwise; TensorFlow and JAX choose a GPU by themselves.
#
# You know what is missing. One line turns the word into a device:


# %% {"concepts": ["C022", "C030"], "slug": "project-pick"}
def pick_device(wanted):
    return torch.device(wanted)


# %% [markdown] {"slug": "project-run-text"}
# Now the same command runs with your function in `train.py`. Two epochs take about 5 seconds.

# %% {"concepts": ["C022"], "slug": "project-after"}
train_on_server("--device cuda:1", pick_device)

# %% [markdown] {"slug": "project-read"}
# Compare the two lists: before, three processes; after, four. The new one is `train.py`, with some 40 MiB
# on the card that you chose. Nothing else in the program has changed.
#
# **Try:** `train_on_server("--device cpu", pick_device)`. Which of the numbers stay the same?
#
# <details><summary>Answer</summary>
#
# The losses and the accuracy agree. The list is again as it was before: nothing runs on a card.
#
# </details>
#
# **And on your own machine?** Open a terminal, activate the course's environment, and type
# `nvidia-smi`. `course doctor` tells what the course found.

# %% [markdown] {"slug": "recap"}
# ## What you learned · 3 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("01.after.row")

# %% {"slug": "recap-2-quiz"}
quiz("01.after.version")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which two fields do you look at before you take a card?
# 2. `torch.version.cuda` is `None`. What does that mean, and what do you do?
# 3. When does PyTorch find out that `cuda:7` does not exist?
# 4. What does `"cuda"` without an index mean?
#
# <details><summary>Answers</summary>
#
# 1. `Memory-Usage`, for the room, and `GPU-Util`, for whether anything is computing.
# 2. This PyTorch was built for the CPU. Uninstall it, and install a build with CUDA.
# 3. When a tensor is created there, or moved there.
# 4. The current device: `cuda:0`, unless the program has changed it.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`01_machine`](../assignments/01_machine/01_machine.ipynb). Your `pick_device` answers
# `--device cuda:7` and `--device auto` with a traceback. You will write the one that stays in your
# program, predict where tensors land, and mend a program that mixes up two kinds of device.
#
# **Next lesson:** [02, *Tensors on devices*](02_tensors_on_devices.ipynb): how tensors get to a
# GPU, and what happens where two devices meet.
