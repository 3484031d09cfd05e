# %% [markdown] {"slug": "title"}
# # Finding the freest GPU
#
# *On the Right Device*, lesson 06 · previous lesson: [05, *Physical and logical
# GPUs*](05_visible_devices.ipynb) · [Glossary](glossary.md)
#
# Emil, Fay and Gil start your program on the server *lima*, within five seconds. Which card should each program take,
# and can it be sure to get it?

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a server for the free memory and the load of each card;
# - **rank** cards;
# - **handle** an `nvidia-smi` that gives no answer;
# - **reserve** a card, so that only one program gets it.
#
# **Time:** about ½ hour, or a little more
#
# **Prerequisites:** lesson 05. (A scheduler such as Slurm does all this for you.)
#
# ## Before we start · 3 min

# %% {"slug": "imports"}
import subprocess
from pathlib import Path
from tempfile import mkdtemp

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson06 import card_chart, cards_now, log_in, rush, rush_chart

log_in("lima")

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 05:

# %% {"slug": "before-1-quiz"}
quiz("06.before.uuid")

# %% [markdown] {"slug": "ask"}
# ## 1. Ask for columns · 2 min
#
# The table of `nvidia-smi` is for people, and changes from driver to driver. Programs ask for columns:

# %% {"concepts": ["C121"], "slug": "columns"}
# !nvidia-smi --query-gpu=uuid,name,memory.free --format=csv

# %% [markdown] {"slug": "columns-read"}
# PyTorch also knows the free memory: `torch.cuda.mem_get_info()`. But this starts CUDA. Then it is too late to set
# `CUDA_VISIBLE_DEVICES`. And on a real GPU, CUDA itself takes memory.
#
# **Recorded** on a Tesla V100-SXM2-16GB, January 2022: after a first tensor of one element, 1,343 MB were in use
# ([Hugging Face](https://huggingface.co/docs/transformers/model_memory_anatomy)).
#
# In a shell, one line finds the card with the most free memory:

# %% {"concepts": ["C129"], "slug": "one-line"}
# !nvidia-smi --query-gpu=memory.free,uuid --format=csv,noheader,nounits | sort -nr | head -n 1

# %% [markdown] {"slug": "rank"}
# ## 2. The best card · 3 min
#
# You want to train:

# %% {"slug": "freest-predict"}
predict("06.freest")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "freest-shown"}
QUERY = "nvidia-smi --query-gpu=memory.free,utilization.gpu --format=csv,noheader,nounits"
answer = subprocess.check_output(QUERY.split(), text=True)
rows = [line.split(", ") for line in answer.splitlines()]
free, busy = max(rows, key=lambda row: int(row[0]))
title = f"The card with the most free memory has a GPU-Util of {busy} %"
display(card_chart(cards_now(), title=title))
reveal("06.freest", "another one" if int(busy) > 50 else "the one with the most free memory")

# %% [markdown] {"slug": "freest-read"}
# Dina's kernels ran there for 97 % of the last second. So rank idle cards first (GPU-Util below 10 %), then by free
# memory.
#
# A limit: no column says that card 0, a T4, is the slowest.
#
# ## 3. No answer · 9 min
#
# On the server *quito*, nvidia-smi prints only *NVIDIA-SMI has failed …*. Perhaps cards are free: nobody knows. So a
# function should return `None` for *no answer*, and an empty dict for *no card*.
#
# ### Fix it here
#
# Make the docstring true. Leave out a card whose amount is `[N/A]`. There is no answer in these cases:
#
# - The command is missing: `subprocess.run` raises an `OSError`.
# - It fails or hangs: with `check=True` and `timeout=timeout`, `subprocess.run` raises a `subprocess.SubprocessError`.
# - A line cannot be read.

# %% {"concepts": ["C124", "C132"], "errata": ["E52"], "slug": "free-program"}
import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    answer = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}


# %% [markdown] {"slug": "free-check-text"}
# The check runs commands with and without an answer.

# %% {"slug": "free-check"}
check("freest.free_memory", free_memory)

# %% [markdown] {"slug": "race"}
# ## 4. Three programs · 15 min
#
# Your program ranks the cards as section 2 says:

# %% {"concepts": ["C120", "C129"], "slug": "ranked"}
fields = "nvidia-smi --format=csv,noheader,nounits --query-gpu=uuid,"
column = free_memory  # it reads any column of numbers, so also the load


def ranked():
    free = column(f"{fields}memory.free".split())
    busy = column(f"{fields}utilization.gpu".split())
    if free is None or busy is None:
        raise SystemExit("nvidia-smi gives no answer: choose a card yourself.")
    return sorted(free, key=lambda uuid: (busy.get(uuid, 100) >= 10, -free[uuid]))


# %% [markdown] {"slug": "start-all-text"}
# Emil and Fay start it at the same moment, and Gil 5 seconds later. Each program chooses a card, and loads data for 8
# seconds. Then it allocates 12,000 MiB:


# %% {"concepts": ["C120"], "slug": "start-all"}
def start_all(choose, what):
    users = {"Emil": 0, "Fay": 0, "Gil": 5}  # seconds
    needs, startup = 12_000, 8  # MiB, seconds
    turns = rush(choose, users, needs=needs, startup=startup)
    trains = sum(turn.fits for turn in turns)
    display(rush_chart(turns, title=f"{what}: {trains} of {len(turns)} programs train"))
    return turns


# %% [markdown] {"slug": "rush-question"}
# Each takes the first card that `ranked` returns: now card 0, with 12,695 MiB free. (Card 3 has as much, but
# comes later.)

# %% {"slug": "rush-predict"}
predict("06.rush")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "rush-shown"}
*_, gil = start_all(lambda: ranked()[0], "Look, then take")
card = "on card 0, beside another program" if gil.card == 0 else "on another card"
reveal("06.rush", card if gil.fits else "nowhere: out of memory")

# %% [markdown] {"slug": "race-read"}
# All three looked before the first one took its memory. This is a [race condition](glossary.md#race-condition). One
# step that looks *and* takes prevents it.
#
# ### Fix it here
#
# `locks` is a folder in which all users can create files. A file with the name of a UUID means: this card is reserved.
# Make the docstring true.
#
# `path.open("x")` is one step: it creates the file, or raises a `FileExistsError` if the file exists.


# %% {"concepts": ["C120"], "slug": "reserve-program"}
def reserve(uuids, locks):
    """Reserve the first free card of `uuids` for one program; return its UUID, or None."""
    for uuid in uuids:
        if not (locks / uuid).exists():
            (locks / uuid).open("w").close()
            return uuid


# %% [markdown] {"slug": "reserve-check-text"}
# A second program works during the check.

# %% {"slug": "reserve-check"}
check("freest.reserve", reserve)

# %% [markdown] {"slug": "again"}
# Now each program reserves the best card that is left.

# %% {"concepts": ["C120", "C129"], "slug": "rush-again"}
locks = Path(mkdtemp())  # on a server, a folder that all users share
turns = start_all(lambda: reserve(ranked(), locks), "Reserve, then take")
print("reserved:", *(path.name[:8] for path in locks.iterdir()))

# %% [markdown] {"slug": "again-read"}
# Only two cards are idle, so Gil shares card 2 with Dina. Reservations have limits, too:
#
# - They help only if **everybody** reserves.
# - `ranked` does not ask whether the free memory is enough.
# - The file stays, also after a crash, until somebody deletes it.

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `--gpus 2`, your `train.py` will take the two best cards, without a reservation. It must leave
# `CUDA_VISIBLE_DEVICES` as it is if a person or a scheduler has set it, even to an empty list. Which test is right?

# %% {"concepts": ["C133"], "slug": "given"}
for given in ({}, {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "3"}):
    with_get = bool(given.get("CUDA_VISIBLE_DEVICES"))
    with_in = "CUDA_VISIBLE_DEVICES" in given
    print(given, "| get:", with_get, "| in:", with_in)

# %% [markdown] {"slug": "recap"}
# The test with `in`: the other one misses the empty list.
#
# | on lima, 12,000 MiB each | programs that train |
# |---|--:|
# | each takes the best card | 1 of 3 |
# | each reserves the best card that is left | 3 of 3 |
#
# ## What you learned · 3 min
#
# Without looking back:

# %% {"slug": "recap-1-quiz"}
quiz("06.after.race")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Why do programs ask for columns?
# 2. What does free memory not tell you?
# 3. How do you look and take in one step?
#
# <details><summary>Answers</summary>
#
# 1. The table may change with the driver.
# 2. Whether the card is busy, how fast it is, and who else looks now.
# 3. `path.open("x")` fails if the file exists.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 06: Finding the freest GPU](../assignments/06_freest/06_freest.ipynb).**
# You will predict who gets which card, choose cards in `train.py`, and find out whose memory it is.
#
# **Next lesson:** [07, *DataParallel*](07_data_parallel.ipynb): several GPUs work on one batch.
