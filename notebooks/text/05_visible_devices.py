# %% [markdown] {"slug": "title"}
# # Physical and logical GPUs
#
# *On the Right Device*, lesson 05 · previous lesson: [04, *The torch.cuda
# toolbox*](04_torch_cuda_toolbox.ipynb) · [Glossary](glossary.md)
#
# Over the weekend, somebody moved the RTX 2080 Ti of porto into the first slot. On Monday you start your job on an
# idle card, as `nvidia-smi` shows it. It fails, because Mei's card is full. At the end of this lesson, the job is
# on the card that you mean, and you can prove it.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **prove** on which card a program computes;
# - **predict** which card `cuda:0` is;
# - **choose** cards for a program, from outside;
# - **find** the line that makes a choice come too late.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lesson 02. An *environment variable* is a string with a name. A process passes a copy of its
# variables on to the processes that it starts.
#
# ## Before we start · 3 min
#
# The machine of this lesson is virtual on every computer, so that everybody sees the same cards.

# %% {"slug": "imports"}
import os
import subprocess

import torch

from course_utils import check, explore, predict, quiz, reveal
from lesson_parts.lesson05 import RECORDED, log_in, moment_map, on_server, visible_map, watch

log_in("porto on Monday")

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 01.

# %% {"slug": "before-1-quiz"}
quiz("05.before.current")

# %% [markdown] {"slug": "wrong-card"}
# ## 1. The wrong card · 5 min
#
# Your job needs 25 GiB. Which card has so much free memory, and is idle?

# %% {"concepts": ["C100"], "slug": "table"}
# !nvidia-smi

# %% [markdown] {"slug": "table-read"}
# Card 2: 31,207 MiB are free for programs (the driver reserves some), and nobody computes there. Here is your job. It prints the
# [UUID](glossary.md#uuid) of the card that it got. No other card in the world has this string.

# %% {"concepts": ["C111"], "slug": "job"}
# %%writefile job.py
import sys

import torch

device, gib = sys.argv[1], int(sys.argv[2]) if sys.argv[2:] else 1
card = torch.cuda.get_device_properties(device)
free, total = torch.cuda.mem_get_info(device)
print(f"{device} is {card.name}, GPU-{card.uuid}: {free // 2**20:,} MiB free")
try:
    data = torch.empty(gib * 2**30, dtype=torch.uint8, device=device)
except torch.OutOfMemoryError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "job-text"}
# A `!` line starts it as a terminal does, in a new process. This takes a few seconds.

# %% {"concepts": ["C104"], "slug": "job-fails"}
# !python job.py cuda:2 25

# %% [markdown] {"slug": "job-read"}
# Whose process is 50112? Mei's, on card 3, says the table. So `cuda:2` is not card 2. nvidia-smi prints the
# [physical index](glossary.md#physical-index) of a card. The 2 in `cuda:2` is a
# [logical index](glossary.md#logical-index): it counts the devices of this process. A job on the wrong card can also
# stop a colleague's program, or run on a slow card for days.
#
# ## 2. Two orders · 6 min
#
# nvidia-smi numbers the cards by their place on the PCI bus. Which card is `cuda:0`, if no variable is set?

# %% {"slug": "first-predict"}
predict("05.first")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "first-shown"}
# !nvidia-smi -L
for index in range(torch.cuda.device_count()):
    print(f"cuda:{index} is GPU-{torch.cuda.get_device_properties(index).uuid}")
found = torch.cuda.get_device_name(0)
reveal("05.first", "card 0, the RTX 2080 Ti" if "2080" in found else "card 1, an A100")

# %% [markdown] {"slug": "first-read"}
# By default, CUDA counts the fastest card first: `CUDA_DEVICE_ORDER` is `FASTEST_FIRST`. Its other value,
# `PCI_BUS_ID`, is nvidia-smi's order. How CUDA compares cards is not documented. Our virtual machine uses data sheets.
#
# **Recorded** on a real server, 5 July 2022: `nvidia-smi -L` listed RTX 3090, RTX 3090, TITAN RTX, Quadro GV100,
# RTX A6000, TITAN RTX, RTX A6000. For CUDA, both A6000 came first
# ([the report](https://github.com/pytorch/pytorch/issues/80876)): the program set its variables too late (section 4).
# The last part of the picture shows this server. The report does not say which of two equal cards came first.

# %% {"concepts": ["C102", "C112"], "errata": ["E42"], "slug": "orders-drawn"}
porto = ("", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_VISIBLE_DEVICES=GPU-2c05")
visible_map(*porto, RECORDED, title="Cards of nvidia-smi, devices of CUDA")

# %% [markdown] {"slug": "orders-read"}
# (NVIDIA's [guide](https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html)
# says that the indices are those of nvidia-smi. On the recorded server, they were not.)
#
# The picture shows two ways to your card. Try both. From here on the job stores 1 GiB, because a virtual GPU uses
# the memory of your computer.

# %% {"concepts": ["C107", "C112"], "errata": ["E42"], "slug": "ways"}
# !CUDA_DEVICE_ORDER=PCI_BUS_ID python job.py cuda:2
# !CUDA_VISIBLE_DEVICES=GPU-2c05 python job.py cuda:0

# %% [markdown] {"slug": "ways-read"}
# A variable in front of a command is set for this command alone. The beginning of a UUID is enough, if only one
# card begins with it. A UUID needs no order, and stays the same when somebody moves the card.
#
# ## 3. The list · 12 min
#
# `CUDA_VISIBLE_DEVICES` is one string: a list of cards, with commas. The process numbers them from 0, in the order of
# the list, and sees no others. Here all cards are equal. How do you hide card 0 alone? What does `0,2,-1,1` do, and
# what an empty list?

# %% {"concepts": ["C101", "C102", "C103"], "errata": ["E44"], "slug": "list-explored"}
explore("visible")

# %% [markdown] {"slug": "list-read"}
# <details><summary>Answers</summary>
#
# `1,2,3` hides card 0. The first entry that names no card ends the list, without an error: of `0,2,-1,1`, the cards 0
# and 2 are left. An empty list hides all cards. If the variable is not set, nothing is hidden.
#
# </details>
#
# PyTorch's parser, a private function, shows how it reads a list:

# %% {"concepts": ["C101"], "errata": ["E44"], "slug": "parsed"}
for value in ("0,3,2", "0,2,-1,1", "1,1", "GPU-2c05,GPU-c24b", "GPU-2c05, GPU-c24b"):
    os.environ["CUDA_VISIBLE_DEVICES"] = value
    print(f"{value!r:20}", torch.cuda._parse_visible_devices())
del os.environ["CUDA_VISIBLE_DEVICES"]

# %% [markdown] {"slug": "parsed-read"}
# For this parser, a space ends a list of UUIDs. If a card is named twice, no card is left. So write neither.
#
# ### Fix it here
#
# This function starts a program on one card. On porto, `launch("job.py", 2)` returns an empty string: the job ends
# with *invalid device ordinal*. Make the docstring true.

# %% {"concepts": ["C104", "C107"], "errata": ["E20"], "slug": "launch-program"}
import os
import subprocess


def launch(program, card):
    """Run `program` on nvidia-smi's GPU number `card` alone; return what it prints."""
    order = {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": str(card),
    }
    command = ["python", program, f"cuda:{card}"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout


# %% [markdown] {"slug": "launch-check-text"}
# The check reads the UUID in the new process.

# %% {"slug": "launch-check"}
check("visible.launch", launch)

# %% [markdown] {"slug": "moment"}
# ## 4. The moment · 12 min
#
# A program can also set the variable itself. This one does it twice:

# %% {"concepts": ["C112"], "slug": "late"}
late = """import os, torch
os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
torch.cuda.device_count()
torch.cuda.is_available()
os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"
x = torch.ones(1, device="cuda")"""

# %% [markdown] {"slug": "force-question"}
# It runs in a new process with four equal cards.

# %% {"slug": "force-predict"}
predict("05.force")

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "force-shown"}
display(moment_map(steps := watch(late.splitlines())))
reveal("05.force", ", ".join(map(str, steps[-1].cards)))

# %% [markdown] {"slug": "moment-read"}
# CUDA reads the variable **once in a process**, when something first reaches the [driver](glossary.md#driver):
# `is_available()` (unless `PYTORCH_NVML_BASED_CUDA_CHECK=1` is set), or a tensor on a GPU. `import torch` and
# `device_count()` usually do not. In this notebook, CUDA has started: a change has no effect.
#
# ### Fix it here
#
# This function asks before it sets. Make the docstring true.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "early-program"}
import os

import torch


def early(cards):
    """Let this process use only the GPUs of `cards`, such as "2,3"; return its first one."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0")


# %% [markdown] {"slug": "early-check-text"}
# The check calls it in new processes.

# %% {"slug": "early-check"}
check("visible.early", early)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# The best place for the variable is outside the program, where it is always set in time. So `train.py` is right as it
# is. The person or the scheduler that starts it chooses the card. First, your own `launch` starts the job. Then
# `on_server` runs `train.py` on porto, and nvidia-smi lists the processes before it ends. This takes half a minute.

# %% {"concepts": ["C105", "C107"], "errata": ["E41"], "slug": "project-run"}
print(launch("job.py", 2))
on_server("CUDA_VISIBLE_DEVICES=GPU-2c05 python train.py --device cuda:0")

# %% [markdown] {"slug": "project-read"}
# | | free memory on its card | how the card was named |
# |---|--:|---|
# | the job of section 1 | 19,007 MiB | `cuda:2` |
# | now | 31,207 MiB | `CUDA_VISIBLE_DEVICES=GPU-2c05`, `cuda:0` |
#
# The process is listed with the UUID of card 2. Every CUDA program obeys the variable, and nvidia-smi ignores it. It
# is no lock: a program can change its own list before it uses CUDA. For other shells, Slurm and Docker, see
# [the reference](reference.md#starting-a-program-on-chosen-cards).
#
# ## What you learned · 4 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("05.after.ids")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Why can nvidia-smi's card 2 be another card than `cuda:2`?
# 2. What does `CUDA_VISIBLE_DEVICES=3,9,1` leave, on a server with four cards?
# 3. When is it too late to set the variable?
# 4. How do you prove which card a program used?
#
# <details><summary>Answers</summary>
#
# 1. nvidia-smi counts along the PCI bus, CUDA the fastest first. And a list gives the cards new numbers.
# 2. Card 3, as `cuda:0`. Entry 9 ends the list.
# 3. When anything in the process has reached the driver, such as `is_available()`.
# 4. By its UUID: in the program, or with `nvidia-smi --query-compute-apps=pid,gpu_uuid --format=csv`.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 05: Physical and logical GPUs](../assignments/05_visible/05_visible.ipynb).**
# You will fix a job that uses the wrong GPUs, find out why jobs are on the wrong card, and run two jobs on two
# cards.
#
# **Next lesson:** [06, *Finding the freest GPU*](06_finding_the_freest_gpu.ipynb): which card to
# take when others want it, too.
