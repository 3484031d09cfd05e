# %% [markdown] {"slug": "title"}
# # Know your machine
#
# *On the Right Device*, lesson 01 · [Glossary](glossary.md)
#
# You have an account on *porto*, a server with four GPUs. Li, Chen and Mei work there, too. Tonight you want to
# train a network. Your first program fails, because its GPU is almost full. The other three have enough free
# memory. At the end, it runs on the GPU that you chose.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** which GPUs of a server are full, and which are busy;
# - **choose** a GPU, and name it in a program;
# - **predict** where a program fails if its GPU does not exist;
# - **write** a program that finds a device on any computer.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** Python (functions, `try`); what a tensor is. You need no GPU.
#
# ## Before we start · 3 min
#
# This cell takes some seconds. It logs in to porto, and creates a tensor there.

# %% {"concepts": ["C036"], "slug": "imports"}
import torch

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson01 import card_chart, cards_now, log_in, memory_map, train_on_server

log_in("porto")
print(torch.ones(2, device="cuda:1"))

# %% [markdown] {"slug": "before-from-memory"}
# The last line shows a tensor on the second GPU, `cuda:1`. Indices start at 0.
#
# The server is [virtual](glossary.md#virtual-gpu): your computer's CPU does the work. Devices and error
# messages are those of real GPUs. The speed is not, and CUDA's own memory is missing.

# %% {"concepts": ["C022"], "slug": "before-1-quiz"}
quiz("01.before.tensor")

# %% [markdown] {"slug": "no-room"}
# ## 1. Not enough memory · 12 min
#
# Your program keeps its images on the GPU: 20,000 images of 3 × 224 × 224 bytes, 2.8 GiB. In
# PyTorch, `"cuda"` names a GPU from NVIDIA or AMD. The program does not say which one.


# %% {"concepts": ["C015"], "slug": "room-shown"}
def store(count, name):
    """Memory for `count` images, on the device with this name."""
    return torch.empty(count, 3, 224, 224, dtype=torch.uint8, device=name)


try:
    images = store(20_000, "cuda")
except RuntimeError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "room-read"}
# The program requested 2.80 GiB, but only 1.56 of the 39.56 GiB of GPU 0 are free. Another process uses
# 38 GiB. 48213 is its PID, the number of a running process.
#
# Why GPU 0? `"cuda"` means the [current GPU](glossary.md#current-device), and this is GPU 0 unless a program
# changes it. PyTorch never looks for a GPU with enough free memory.
#
# ### Fix it here
#
# The function below also uses GPU 0 in every call. An index in the name, as in `"cuda:1"`, selects a GPU.
# Change the function so that the tensor is on GPU number `card`. (A *card* is a GPU that is built into the
# machine.) Run the cell, and then the next two.

# %% {"concepts": ["C031"], "slug": "load-program"}
import torch


def load(numbers, card):
    return torch.tensor(numbers, device="cuda")


# %% [markdown] {"slug": "load-drawn-text"}
# The machine has five memories, and a tensor is in one of them. `mine` should be on `cuda:2`. Draw it before and after
# your change.

# %% {"slug": "load-drawn"}
ones = torch.ones(2)
mine = load([1.0, 1.0], 2)
print(ones.device, mine.device)
memory_map({"ones": ones, "mine": mine})

# %% [markdown] {"slug": "load-check-text"}
# The check has six cases, at least one for each GPU.

# %% {"slug": "load-check"}
check("machine.load", load)

# %% [markdown] {"slug": "table-text"}
# ## 2. Which GPU do you choose? · 8 min
#
# `nvidia-smi` is NVIDIA's command for looking at the GPUs. In a notebook, `!` runs a command as a terminal does.

# %% {"concepts": ["C005", "C006", "C018", "C020"], "slug": "table"}
# !nvidia-smi

# %% [markdown] {"slug": "table-read"}
# The table shows one moment: the GPUs above, the processes below. Your notebook is a process on each GPU that it used.
# Two fields matter for your choice. Here they are for GPU 1:
#
# ```text
# |           Memory-Usage | GPU-Util  Compute M. |
# |    9302MiB /  40960MiB |      0%      Default |
# ```
#
# - `Memory-Usage`: the memory that all processes use, and the total. The driver reserves some of it, so PyTorch
#   reports a smaller total.
# - `GPU-Util`: the percentage of the last second, or less, in which the GPU computed, however little.
#
# The [reference](reference.md) explains the others. In a program, `torch.cuda.mem_get_info(1)` returns the free
# and total bytes. A process is listed by its PID:
# `ps -o user= -p 51877` prints its owner. (On porto, the owner is in the path.)
#
# **Recorded** on a real server, 16 February 2020: of four Tesla V100, GPU 0 had 15,514 of 16,130 MiB in use,
# the others 0. A program started with `--device 0` ended with `CUDA error: out of memory`
# ([the report](https://github.com/yangjianxin1/GPT2-chitchat/issues/19)).
#
# GPU 1 has the most free memory, and its `GPU-Util` is 0 %: in that second, Chen's process computed nothing. You
# store 250,000 images there, 35 of the 40 GiB.

# %% {"slug": "idle-predict"}
predict("01.idle")

# %% {"concepts": ["C016", "C021"], "slug": "idle-shown"}
try:
    store(250_000, "cuda:1")
    outcome = "they are stored"
except torch.OutOfMemoryError as error:
    print(str(error).split(" Including")[0])
    outcome = "out of memory"
reveal("01.idle", outcome)

# %% [markdown] {"slug": "idle-read"}
# An idle process, such as an open notebook, keeps its memory. And Chen may come back.
#
# Now choose a GPU for your 20,000 images, and for a training of some hours. Run the next cell with several
# indices, compare the pictures, and keep one index.

# %% {"slug": "choice"}
index = 3
images = store(20_000, f"cuda:{index}")
title = f"porto, with your images on GPU {index}"
card_chart(cards_now(), title=title)

# %% [markdown] {"slug": "choice-read"}
# On GPU 0, you get the first error again. The others have enough memory. Which one do you keep?
#
# <details><summary>Answer</summary>
#
# GPU 3, if the 7.8 GiB that remain are enough for the network. Nobody trains there: Xorg only draws the
# screen. An A100 is faster, but Mei's program computes on GPU 2, so both programs may become slower. On GPU 1,
# this may happen when Chen comes back, and one of you may run out of memory. A program that needs 25 GiB fits
# on GPU 1 only: ask Chen first.
#
# </details>
#
# On porto, number 1 in `nvidia-smi` is also `cuda:1`. Lesson 05 shows when this is not so.
#
# ## 3. A device for any computer · 13 min
#
# Your program contains a name such as `"cuda:3"`. Then somebody runs it on a computer with fewer GPUs. A
# [`torch.device`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) has a type, such as `cuda`, and
# an index. If the name has no number, the index is `None`. The next cell runs two lines, and porto has four GPUs:
#
# ```python
# device = torch.device("cuda:100")
# torch.ones(2, device=device)
# ```

# %% {"slug": "label-predict"}
predict("01.label")

# %% {"concepts": ["C030", "C041", "C044"], "errata": ["E20"], "slug": "label-shown"}
device = None
try:
    device = torch.device("cuda:100")
    torch.ones(2, device=device)
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
reveal("01.label", "the second" if device else "the first")

# %% [markdown] {"slug": "label-read"}
# *Ordinal* is CUDA's word for the index. The traceback ends at the line that
# uses the device. The mistake may be in an earlier line, which names it.
#
# A program that other people run needs a device that exists. From PyTorch 2.7 on, this line finds one:

# %% {"concepts": ["C033", "C037", "C043"], "slug": "accelerator"}
device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
print(f"{device}, {torch.accelerator.device_count()} of them")

# %% [markdown] {"slug": "accelerator-read"}
# An [accelerator](https://docs.pytorch.org/docs/stable/accelerator.html) is, for example, `cuda` for GPUs from NVIDIA
# and AMD, `xpu` for Intel, `mps` for Apple. Without one, `current_accelerator` returns `None`, and you get the CPU.
# Older programs contain `"cuda" if torch.cuda.is_available() else "cpu"`. That line does not find GPUs from
# Intel or Apple. Neither line checks how full a GPU is.
#
# ### Fix it here
#
# The docstring of this function promises a GPU that exists. But the function only tests whether PyTorch sees
# *any* GPU. Make the docstring true.

# %% {"concepts": ["C038", "C039", "C042"], "errata": ["E19", "E21"], "slug": "try-gpu-program"}
import torch


def try_gpu(i=0):
    """Return GPU number i if it exists, and the CPU otherwise."""
    if torch.cuda.device_count() >= 1:
        return torch.device("cuda", i)
    return torch.device("cpu")


# %% [markdown] {"slug": "try-gpu-check-text"}
# The check tries several `i`, on several machines.

# %% {"slug": "try-gpu-check"}
check("machine.try_gpu", try_gpu)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# In this course you improve one program, `train.py`, which learns to recognise drawn shapes.
# So far it runs on the CPU only, because its function `pick_device` refuses other devices. The next cell
# replaces this function, draws 1,500 images, and runs the program on your GPU. This can take two minutes. At its
# end, the program prints the processes of the server.


# %% {"concepts": ["C030"], "slug": "project-run"}
def pick_device(wanted):
    return torch.device(wanted)


name = f"cuda:{index}"
train_on_server(f"--device {name}", pick_device)
stored = len(images) if images.device.index == index else 0
print(f"{stored:,} of 20,000 images are on {name}")

# %% [markdown] {"slug": "recap"}
# In section 1, 0 of your 20,000 images were stored. Now they are on the GPU that you chose, and
# `train.py` computed there, with the PID that it printed. (A real server would list your notebook's process, too.)
#
# You can also choose outside the program: `CUDA_VISIBLE_DEVICES=3 python train.py --device cuda` (lesson
# 05).
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("01.after.row")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Which two fields do you read before you choose a GPU?
# 2. When does PyTorch find out that `cuda:7` does not exist?
# 3. Which line finds a device on any computer?
#
# <details><summary>Answers</summary>
#
# 1. `Memory-Usage`, for free memory, and `GPU-Util`, for programs that compute.
# 2. When a tensor is created there, or moved there.
# 3. `torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")`.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 01: Know your machine](../assignments/01_machine/01_machine.ipynb).**
# You will write the `pick_device` that stays, fix a program, find out why PyTorch sees no GPU on other
# machines, and say where new tensors are.
#
# **Next lesson:** [02, *Tensors on devices*](02_tensors_on_devices.ipynb): how tensors get to a
# GPU.
