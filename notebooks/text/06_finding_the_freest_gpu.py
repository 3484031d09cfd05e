# %% [markdown] {"slug": "title"}
# # Finding the freest GPU
#
# *On the Right Device*, lesson 06 · previous lesson: [05, *Physical and logical
# GPUs*](05_visible_devices.ipynb) · [Glossary](glossary.md)
#
# In lesson 05 you named a card by hand. Now Emil, Fay and Gil start your program on the server *lima*, within five
# seconds. Which card should a program take, and can it be sure to get it?

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a server for the free memory and the load of each card;
# - **rank** cards, and say what a ranking cannot know;
# - **handle** an `nvidia-smi` that gives no answer;
# - **reserve** a card, so that only one program gets it.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lesson 05. If a scheduler such as Slurm assigns the GPUs, it does all this for you.
#
# ## Before we start · 3 min
#
# The server is virtual on every computer.

# %% {"slug": "imports"}
import fcntl
import subprocess
from pathlib import Path
from tempfile import mkdtemp

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson06 import card_chart, cards_now, log_in, rush, rush_chart

log_in("lima")

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 05.

# %% {"slug": "before-1-quiz"}
quiz("06.before.uuid")

# %% [markdown] {"slug": "ask"}
# ## 1. Ask for columns · 2 min
#
# The table of `nvidia-smi` is for people, and changes from driver to driver. Programs ask for columns:

# %% {"concepts": ["C121"], "slug": "columns"}
# !nvidia-smi --query-gpu=uuid,name,memory.free --format=csv

# %% [markdown] {"slug": "columns-read"}
# `torch.cuda.mem_get_info()` also returns the free memory of a card. But it starts CUDA: then it is too late to choose
# cards, and on a real GPU, CUDA itself takes memory.
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
QUERY = "nvidia-smi --query-gpu=memory.free,utilization.gpu,name --format=csv,noheader,nounits"
answer = subprocess.check_output(QUERY.split(), text=True)
rows = [line.split(", ") for line in answer.splitlines()]
free, busy, name = max(rows, key=lambda row: int(row[0]))
print(f"The freest: {free} MiB, busy for {busy} % of the time, {name}")
display(card_chart(cards_now(), title="Lima's cards"))
reveal("06.freest", "another one" if int(busy) > 50 else "the one with the most free memory")

# %% [markdown] {"slug": "freest-read"}
# Dina's small program keeps the freest card busy. So rank idle cards first, for example those below 10 %, and then by
# free memory. A ranking has limits: `utilization.gpu` (GPU-Util) describes at most the last second, and this ranking
# does not know that card 0, a T4, is the slowest.
#
# ## 3. No answer · 9 min
#
# On the server *quito*, nvidia-smi prints a sentence in place of rows, *NVIDIA-SMI has failed …*, and its exit status is
# 9. Your program must not take this for a server without cards. So `None` means *no answer*, and `{}` means *no card
# with a number*: `if not free` is true for both, `if free is None` only for the first.
#
# ### Fix it here
#
# Make the docstring true. There is no answer if the command is missing (`OSError`), fails (its exit status is not 0),
# hangs, or prints something else. A card whose amount is `[N/A]` is left out. With `check=True` and `timeout=timeout`, `subprocess.run`
# raises a `subprocess.SubprocessError` if the command fails or hangs.

# %% {"concepts": ["C124", "C132"], "errata": ["E52"], "slug": "free-program"}
import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    answer = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}


# %% [markdown] {"slug": "free-check-text"}
# The check runs commands that answer, and some that do not.

# %% {"slug": "free-check"}
check("freest.free_memory", free_memory)

# %% [markdown] {"slug": "race"}
# ## 4. Three programs · 16 min
#
# Your program chooses the freest card, loads data for 8 seconds, and then needs 12,000 MiB. Emil starts it, 3 seconds
# later Fay, and 2 seconds later Gil. Card 2 has 20,859 MiB free.

# %% {"slug": "rush-predict"}
predict("06.rush")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "rush-shown"}
query = "nvidia-smi --query-gpu=uuid,memory.free --format=csv,noheader,nounits"


def freest():
    free = free_memory(query.split())
    return max(free, key=free.get)


users = {"Emil": 0, "Fay": 3, "Gil": 5}
display(rush_chart(turns := rush(freest, users, needs=12_000, startup=8), title="One for all"))
reveal("06.rush", "on card 2, beside Emil" if turns[1].fits else "nowhere: out of memory")

# %% [markdown] {"slug": "race-read"}
# One of three programs trains. This is a [race condition](glossary.md#race-condition): between looking
# and taking, others look, too. Looking later does not close the gap. What helps is one step that
# both looks and takes.
#
# ### Fix it here
#
# All users can write to the folder `locks`. A file there, named by a UUID, means that this card is reserved. In
# one step, `path.open("x")` creates a file, or raises a `FileExistsError` if it
# exists. Make the docstring true.


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
# Now the three programs use your two functions. `choose` puts idle cards first:

# %% {"concepts": ["C120", "C129"], "slug": "choose"}
locks = Path(mkdtemp())
load = "nvidia-smi --query-gpu=uuid,utilization.gpu --format=csv,noheader,nounits"


def choose():
    free = free_memory(query.split())
    busy = free_memory(load.split())  # reads any amount: here a percentage
    assert None not in (free, busy), "nvidia-smi gives no answer: choose a card yourself"
    return reserve(sorted(free, key=lambda uuid: (busy.get(uuid, 100) >= 10, -free[uuid])), locks)


# %% [markdown] {"slug": "rush-again-text"}
# The three start as before:

# %% {"concepts": ["C120"], "slug": "rush-again"}
picture = rush_chart(turns := rush(choose, users, needs=12_000, startup=8), title="Reserved")
print(f"{sum(turn.fits for turn in turns)} of {len(turns)} programs train")
picture

# %% [markdown] {"slug": "again-read"}
# Gil shares a busy card with Dina, because only two cards are idle. `choose` never asks whether the memory is
# enough. And this works only if **everybody** reserves.
# A file stays until somebody deletes it, also after a crash. On Linux, a lock of the operating system ends with
# the last process that holds it open. Here two open files stand for two programs:

# %% {"concepts": ["C120"], "slug": "flock"}
first, second = (open(locks / "GPU-demo", "a") for _ in range(2))
fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
try:
    fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError as error:
    print("the second program:", error)
first.close()  # as when its last process ends
fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)  # no error

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `python train.py --gpus 2`, your program will take the two best cards itself, before CUDA starts. First it
# respects a choice that a person or a scheduler made outside. An empty list is a choice, too. Which of these tests is
# right?

# %% {"concepts": ["C133"], "slug": "given"}
for given in ({}, {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "3"}):
    chosen = bool(given.get("CUDA_VISIBLE_DEVICES"))
    print(given, "| get:", chosen, "| in:", "CUDA_VISIBLE_DEVICES" in given)

# %% [markdown] {"slug": "recap"}
# `in` is right: `get` takes the empty list for no choice.
#
# | on lima, 12,000 MiB each | programs that train |
# |---|--:|
# | each takes the freest card | 1 of 3 |
# | each reserves first | 3 of 3 |
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("06.after.race")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Why do programs ask for columns, and for UUIDs?
# 2. What does free memory not tell you?
# 3. How do you look and take in one step?
#
# <details><summary>Answers</summary>
#
# 1. The table may change with the driver. A UUID means the same card to nvidia-smi and to CUDA.
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
