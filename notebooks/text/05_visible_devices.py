# %% [markdown] {"slug": "title"}
# # Physical and logical GPUs
#
# *On the Right Device*, lesson 05 · previous lesson: [04, *GPU memory*](04_torch_cuda_toolbox.ipynb) ·
# [Glossary](glossary.md)
#
# Over the weekend, somebody moved the RTX 2080 Ti of porto into the first slot. On Monday, `nvidia-smi` shows an idle
# card. You start your job on it, and the job fails.

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
# **Prerequisites:** lesson 02, and *environment variables*: strings with a name. Each process has its own, and gives a
# copy to every process that it starts.
#
# ## Before we start · 3 min
#
# The server porto is virtual, even if your computer has GPUs.

# %% {"slug": "imports"}
import torch

from course_utils import check, explore, predict, quiz, reveal
from lesson_parts.lesson05 import log_in, moment_map, on_server, visible_map, watch

log_in("porto on Monday")

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 01:

# %% {"slug": "before-1-quiz"}
quiz("05.before.current")

# %% [markdown] {"slug": "wrong-card"}
# ## 1. The wrong card · 5 min
#
# Your job needs 25 GiB. Which idle card has so much free memory?

# %% {"concepts": ["C100"], "slug": "table"}
# !nvidia-smi

# %% [markdown] {"slug": "table-read"}
# Card 2: its `GPU-Util` is 0 %, and about 31,000 MiB are free.
#
# The job has two arguments: a device, and the GiB to allocate there. First it prints the [UUID](glossary.md#uuid) of the
# card, a string that no other card has:

# %% {"concepts": ["C111"], "slug": "job"}
# %%writefile job.py
import sys

import torch

device = sys.argv[1]
gib = int(sys.argv[2]) if len(sys.argv) > 2 else 1
card = torch.cuda.get_device_properties(device)
free, total = torch.cuda.mem_get_info(device)
print(f"{device} is {card.name}, GPU-{card.uuid}")
print(f"{free // 2**20:,} MiB are free")
try:
    data = torch.empty(gib * 2**30, dtype=torch.uint8, device=device)
except torch.OutOfMemoryError as error:
    print(str(error).split(" Including")[0])

# %% [markdown] {"slug": "job-text"}
# It runs in a new process:

# %% {"concepts": ["C104"], "slug": "job-fails"}
# !python job.py cuda:2 25

# %% [markdown] {"slug": "job-read"}
# Whose process is 50112? The table says: Mei's, on card 3. So `cuda:2` is not card 2. A job on the wrong card can also
# stop a colleague's program.
#
# nvidia-smi prints the [physical index](glossary.md#physical-index) of a card. The 2 in `cuda:2` is a [logical
# index](glossary.md#logical-index): it counts the cards that this process sees.
#
# ## 2. How CUDA counts · 6 min
#
# nvidia-smi counts the cards in the order of their addresses on the PCI bus, `Bus-Id`.

# %% {"slug": "first-predict"}
predict("05.first")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "first-shown"}
# !nvidia-smi -L
for index in range(torch.cuda.device_count()):
    card = torch.cuda.get_device_properties(index)
    print(f"cuda:{index} is {card.name}, GPU-{card.uuid}")
found = torch.cuda.get_device_name(0)
reveal("05.first", "card 0, the RTX 2080 Ti" if "2080" in found else "card 1, an A100")

# %% [markdown] {"slug": "first-read"}
# The variable `CUDA_DEVICE_ORDER` decides. Its default is `FASTEST_FIRST`, by the driver's estimate. Its other value,
# `PCI_BUS_ID`, is nvidia-smi's order.
#
# **Recorded** on a real server with seven cards, 5 July 2022: nvidia-smi's cards 4 and 6, both RTX A6000, were `cuda:0`
# and `cuda:1` ([the report](https://github.com/pytorch/pytorch/issues/80876)).
#
# A second variable, `CUDA_VISIBLE_DEVICES`, names the cards of a process. Follow card 2, which is blue:

# %% {"concepts": ["C102", "C112"], "errata": ["E42"], "slug": "orders-drawn"}
porto = ("", "CUDA_DEVICE_ORDER=PCI_BUS_ID", "CUDA_VISIBLE_DEVICES=GPU-2c05")
visible_map(*porto, follow=2, title="The settings decide which device card 2 is")

# %% [markdown] {"slug": "orders-read"}
# So there are two safe ways to reach card 2. (The job now takes 1 GiB: a virtual GPU uses your computer's memory.)

# %% {"concepts": ["C107", "C112"], "errata": ["E42"], "slug": "ways"}
# !CUDA_DEVICE_ORDER=PCI_BUS_ID python job.py cuda:2
# !CUDA_VISIBLE_DEVICES=GPU-2c05 python job.py cuda:0
# !CUDA_VISIBLE_DEVICES=GPU-2c05 nvidia-smi -L

# %% [markdown] {"slug": "ways-read"}
# Both jobs print card 2's UUID. The second way is safer: a UUID stays the same when somebody moves the card. Its
# beginning is enough, if no other UUID begins like this. nvidia-smi does not read the variable, and lists all cards.
#
# A variable in front of a command is set for this command only.
#
# ## 3. The list · 11 min
#
# `CUDA_VISIBLE_DEVICES` is a list of cards, with commas. The process sees only these cards, and numbers them from 0, in
# the order of the list. You can write UUIDs, or numbers in CUDA's order. (NVIDIA's
# [guide](https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html) calls them
# nvidia-smi's. On a mixed server, this is true only with `PCI_BUS_ID`.)
#
# Try it on four equal cards. How do you hide card 0 alone? What do `0,2,-1,1`, `1,1` and an empty list do?

# %% {"concepts": ["C101", "C102", "C103"], "errata": ["E44"], "slug": "list-explored"}
explore("visible")

# %% [markdown] {"slug": "list-read"}
# <details><summary>Answers</summary>
#
# - `1,2,3` hides card 0.
# - `0,2,-1,1` leaves cards 0 and 2: the first entry that names no card ends the list, without an error.
# - `1,1` leaves no card, because one card is named twice.
# - An empty list hides all cards. A variable that is not set hides none.
#
# </details>
#
# ### Fix it here
#
# `launch` should start a program on one card. But `launch("job.py", 2)` returns an empty string: the job ends with
# *Invalid device id*. Make the docstring true, for a number and for a UUID.

# %% {"concepts": ["C104", "C107"], "errata": ["E20"], "slug": "launch-program"}
import os
import subprocess


def launch(program, card):
    """Run `program` on one GPU, which nvidia-smi calls `card`; return what it prints."""
    order = {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "CUDA_VISIBLE_DEVICES": str(card),
    }
    command = ["python", program, f"cuda:{card}"]
    done = subprocess.run(command, env={**os.environ, **order}, capture_output=True, text=True)
    return done.stdout


# %% [markdown] {"slug": "launch-check-text"}
# The check reads the UUID of the program's card.

# %% {"slug": "launch-check"}
check("visible.launch", launch)

# %% [markdown] {"slug": "moment"}
# ## 4. The moment · 12 min
#
# A program can also set the variable itself. This one sets it twice:

# %% {"concepts": ["C112"], "slug": "late"}
late = """import os
import torch
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
# CUDA reads the variable **once in a process**, at the first call that reaches the [driver](glossary.md#driver). Such
# calls are `is_available()`, and the first tensor on a GPU.
#
# `import torch` and `device_count()` usually do not reach it.
#
# In a notebook, the process is the kernel. If a cell has used a GPU, restart the kernel before you set the variable.
#
# ### Fix it here
#
# This function sets the list, but all cards stay visible. Make the docstring true.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "early-program"}
import os

import torch


def early(cards):
    """Let this process use only the GPUs of `cards`, as "2,3"; return the first, or the CPU."""
    if not torch.cuda.is_available():
        return torch.device("cpu")
    os.environ["CUDA_VISIBLE_DEVICES"] = cards
    return torch.device("cuda:0")


# %% [markdown] {"slug": "early-check-text"}
# The check calls your function in new processes.

# %% {"slug": "early-check"}
check("visible.early", early)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# Set the variable outside the program: there it is never too late, and `train.py` needs no change.
#
# Your `launch` starts the job. Then `on_server` runs `train.py` on porto (up to a minute), and nvidia-smi lists the
# processes that compute. (Inside a container, it may list none.)

# %% {"concepts": ["C105", "C107"], "errata": ["E41"], "slug": "project-run"}
print(launch("job.py", "GPU-2c05"))
on_server("CUDA_VISIBLE_DEVICES=GPU-2c05 python train.py --device cuda:0")

# %% [markdown] {"slug": "project-read"}
# | | how the card was named | free memory on it |
# |---|---|--:|
# | the job of section 1 | `cuda:2` | 19,007 MiB |
# | now | `CUDA_VISIBLE_DEVICES=GPU-2c05`, `cuda:0` | 31,207 MiB |
#
# `train.py` is on card 2: see its UUID. [The
# reference](reference.md#starting-a-program-on-chosen-cards) has other shells, Slurm and Docker.
#
# ## What you learned · 3 min
#
# Without looking back:

# %% {"slug": "recap-1-quiz"}
quiz("05.after.ids")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Why can nvidia-smi's card 2 be another card than `cuda:2`?
# 2. What does `CUDA_VISIBLE_DEVICES=3,9,1` leave of four equal cards?
# 3. How do you prove which card a program used?
#
# <details><summary>Answers</summary>
#
# 1. nvidia-smi counts by PCI address. CUDA counts the fastest card first, or as the list says.
# 2. Card 3, as `cuda:0`. Entry 9 ends the list.
# 3. By its UUID: in the program, or with `nvidia-smi --query-compute-apps=pid,gpu_uuid --format=csv`.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 05: Physical and logical GPUs](../assignments/05_visible/05_visible.ipynb).**
# You will fix a job, find out why jobs are on the wrong card, and run two jobs on two cards.
#
# **Next lesson:** [06, *Finding the freest GPU*](06_finding_the_freest_gpu.ipynb): which card to
# take when others want it, too.
