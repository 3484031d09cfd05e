# %% [markdown] {"slug": "title"}
# # Finding the freest GPU
#
# *On the Right Device*, lesson 06 · previous lesson: [05, *Physical and logical
# GPUs*](05_visible_devices.ipynb) · [Glossary](glossary.md)
#
# In lesson 05 you named a card by hand. Now Emil, Fay and Gil start your program on the server *lima*, within five
# seconds. Which card should each program take, and can it be sure to get it?

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
# **Prerequisites:** lesson 05. If a scheduler such as Slurm assigns the GPUs, it does all this for you.
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
# `CUDA_VISIBLE_DEVICES`, and on a real GPU, CUDA itself takes memory.
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
# You would like to train for some hours on lima.

# %% {"slug": "freest-predict"}
predict("06.freest")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "freest-shown"}
QUERY = "nvidia-smi --query-gpu=memory.free,utilization.gpu --format=csv,noheader,nounits"
answer = subprocess.check_output(QUERY.split(), text=True)
rows = [line.split(", ") for line in answer.splitlines()]
free, busy = max(rows, key=lambda row: int(row[0]))
title = f"The card with the most free memory is busy for {busy} % of the time"
display(card_chart(cards_now(), title=title))
reveal("06.freest", "another one" if int(busy) > 50 else "the one with the most free memory")

# %% [markdown] {"slug": "freest-read"}
# Dina's small program keeps this card busy. So rank idle cards first, for example those below 10 %, and among them by
# free memory.
#
# This has limits. GPU-Util describes at most the last second. And neither column says that card 0, a T4, is the slowest.
#
# ## 3. No answer · 9 min
#
# On the server *quito*, nvidia-smi prints *NVIDIA-SMI has failed …* and no rows. This does not mean that no card is free.
# So a function should return `None` for *no answer*, and an empty dict for *no card with a number*.
#
# ### Fix it here
#
# Make the docstring true. Leave out a card whose amount is `[N/A]`. There is no answer in these cases:
#
# - The command is missing: `subprocess.run` raises an `OSError`.
# - It fails or hangs: with `check=True` and `timeout=timeout`, `subprocess.run` raises a `subprocess.SubprocessError`.
# - It prints something else.

# %% {"concepts": ["C124", "C132"], "errata": ["E52"], "slug": "free-program"}
import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    answer = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}


# %% [markdown] {"slug": "free-check-text"}
# The check runs commands that answer, and commands that do not.

# %% {"slug": "free-check"}
check("freest.free_memory", free_memory)

# %% [markdown] {"slug": "race"}
# ## 4. Three programs · 15 min
#
# Your program ranks the cards as section 2 says. (`free_memory` reads the load, too: it is a number for each UUID.)

# %% {"concepts": ["C120", "C129"], "slug": "ranked"}
fields = "nvidia-smi --format=csv,noheader,nounits --query-gpu=uuid,"


def ranked():
    free = free_memory(f"{fields}memory.free".split())
    busy = free_memory(f"{fields}utilization.gpu".split())
    if free is None or busy is None:
        raise SystemExit("nvidia-smi gives no answer: choose a card yourself.")
    return sorted(free, key=lambda uuid: (busy.get(uuid, 100) >= 10, -free[uuid]))


# %% [markdown] {"slug": "start-all-text"}
# Emil starts the program, Fay 3 seconds after him, and Gil 5 seconds after him:


# %% {"concepts": ["C120"], "slug": "start-all"}
def start_all(choose, what):
    users = {"Emil": 0, "Fay": 3, "Gil": 5}
    needs, startup = 12_000, 8  # MiB, seconds
    turns = rush(choose, users, needs=needs, startup=startup)
    trains = sum(turn.fits for turn in turns)
    display(rush_chart(turns, title=f"{what}: {trains} of {len(turns)} programs train"))
    return turns


# %% [markdown] {"slug": "rush-question"}
# Each program takes the first card that `ranked` returns: now card 0, with 12,695 MiB free. It loads data for 8 seconds.
# Then it allocates 12,000 MiB.

# %% {"slug": "rush-predict"}
predict("06.rush")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "rush-shown"}
turns = start_all(lambda: ranked()[0], "Look, then take")
fay = turns[1]
card = "on card 0, beside Emil" if fay.card == 0 else "on another card"
reveal("06.rush", card if fay.fits else "nowhere: out of memory")

# %% [markdown] {"slug": "race-read"}
# All three looked before the first one took its memory. This is a [race condition](glossary.md#race-condition). Looking
# later makes it rarer, but does not prevent it. One step that looks *and* takes does.
#
# ### Fix it here
#
# `locks` is a folder in which all users can create files. A file there, named by a UUID, means that this card is reserved. Make the
# docstring true.
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
# In the check, a second program works at the same time.

# %% {"slug": "reserve-check"}
check("freest.reserve", reserve)

# %% [markdown] {"slug": "again"}
# Now each program reserves the best card that is left. The ranking and the times are as before:

# %% {"concepts": ["C120", "C129"], "slug": "rush-again"}
locks = Path(mkdtemp())  # on a server, a folder that all users share
turns = start_all(lambda: reserve(ranked(), locks), "Reserve, then take")
print("reserved:", *(path.name[:8] for path in locks.iterdir()))

# %% [markdown] {"slug": "again-read"}
# Only two cards are idle, so Gil shares card 2 with Dina. A reservation has limits, too:
#
# - It helps only if **everybody** reserves.
# - `ranked` does not ask whether the free memory is enough.
# - After a crash, the file stays until somebody deletes it. (On Linux, a lock of `fcntl.flock` ends with the last process
#   that inherited it.)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `python train.py --gpus 2`, your program will take the two best cards. But it must respect `CUDA_VISIBLE_DEVICES` if
# a person or a scheduler has set it, also to an empty list. Which test is right?

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
# A question, without looking back.

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
# 2. Whether the card is busy, how fast it is, and who looks at the same time.
# 3. `path.open("x")` fails if the file exists.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 06: Finding the freest GPU](../assignments/06_freest/06_freest.ipynb).**
# You will predict who gets which card, write `take_cards` for `train.py`, and find out whose memory it is.
#
# **Next lesson:** [07, *DataParallel*](07_data_parallel.ipynb): how several GPUs work on one batch.
