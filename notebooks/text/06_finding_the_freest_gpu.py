# %% [markdown] {"slug": "title"}
# # Finding the freest GPU
#
# *On the Right Device*, lesson 06 · previous lesson: [05, *Physical and logical
# GPUs*](05_visible_devices.ipynb) · [Glossary](glossary.md)
#
# In lesson 05 you named a card by hand. Now Emil, Fay and Gil start your program on the server *lima*, within five
# seconds. Each of them takes the freest card, and one of three trains. At the end of this lesson, all three do.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a server for the free memory and the load of each card;
# - **rank** cards, and say what a ranking cannot know;
# - **handle** an `nvidia-smi` that gives no answer;
# - **reserve** a card in one step, so that only one program gets it.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lesson 05. A scheduler such as Slurm does all this for you, if it assigns the GPUs.
#
# ## Before we start · 3 min
#
# The server is virtual on every computer, because it needs other people's processes.

# %% {"slug": "imports"}
import fcntl
import subprocess
from pathlib import Path
from tempfile import mkdtemp

import torch

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson06 import card_chart, cards_now, log_in, rush, rush_chart

log_in("lima")

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 05.

# %% {"slug": "before-1-quiz"}
quiz("06.before.uuid")

# %% [markdown] {"slug": "ask"}
# ## 1. Ask for columns · 3 min
#
# The table of `nvidia-smi` is for people, and changes from driver to driver. Programs ask for columns:

# %% {"concepts": ["C121", "C134"], "slug": "columns"}
# !nvidia-smi --query-gpu=uuid,name,memory.free,utilization.gpu --format=csv
free, total = torch.cuda.mem_get_info(0)
print(f"PyTorch, cuda:0: {free // 2**20} MiB free on the {torch.cuda.get_device_name(0)}")

# %% [markdown] {"slug": "columns-read"}
# `cuda:0` is CUDA's first card, and not the card of the first line. And `mem_get_info` starts CUDA: then it is too
# late to choose by `CUDA_VISIBLE_DEVICES`. On a real GPU, CUDA itself also takes memory; on a virtual one, none.
#
# **Recorded** on a Tesla V100-SXM2-16GB, January 2022: after a first tensor of one element, 1,343 MB were in use
# ([Hugging Face](https://huggingface.co/docs/transformers/model_memory_anatomy)).
#
# In a shell, one line finds the card with the most free memory:

# %% {"concepts": ["C129"], "slug": "one-line"}
# !nvidia-smi --query-gpu=memory.free,uuid --format=csv,noheader,nounits | sort -nr | head -n 1

# %% [markdown] {"slug": "rank"}
# ## 2. Free is not idle · 4 min
#
# You would like to train for some hours. Which card of lima do you take: always the one with the most free memory?

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
# Card 2 is the freest, and Dina's small program keeps it busy for 97 % of the time. Cards 0 and 3 are idle. So rank
# idle cards first, for example those below 10 %, and then by free memory. `sorted` keeps the order of equal
# items, also with `reverse=True`.
#
# A ranking has limits. `GPU-Util` describes at most the last second, so ask several times. And cards 0 and 3 have the
# same amount, but card 0 is a T4, the slowest.
#
# ## 3. No answer · 9 min
#
# Sometimes nobody can tell what is free. On the server *quito*, the command prints a sentence in place of rows, and its
# exit status is 9: *NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.*
#
# If the program goes on without a list, it sees all cards; with an empty list, none. *No answer* is not *no cards*:
# `if not free` is true for both, `if free is None` only for the first.
#
# ### Fix it here
#
# Make the docstring true. A command can be missing (`OSError`), fail (its exit status is not 0), hang, or print
# something else. An answer without lines gives `{}`; a card whose amount is `[N/A]` is left out. With `check=True` and `timeout=timeout`,
# `subprocess.run` raises a `subprocess.SubprocessError` if the command fails or hangs.

# %% {"concepts": ["C124", "C132"], "errata": ["E52"], "slug": "free-program"}
import subprocess


def free_memory(command, timeout=10):
    """Return the free MiB of each card by UUID, or None if `command` gives no answer."""
    answer = subprocess.run(command, capture_output=True, text=True)
    rows = [line.split(", ") for line in answer.stdout.splitlines()]
    return {uuid: int(mib) for uuid, mib in rows}


# %% [markdown] {"slug": "free-check-text"}
# The check runs commands that answer, and others.

# %% {"slug": "free-check"}
check("freest.free_memory", free_memory)

# %% [markdown] {"slug": "race"}
# ## 4. Three want the same card · 16 min
#
# Your program chooses the freest card, loads data for 8 seconds, and then needs 12,000 MiB. Emil starts
# it, Fay 3 seconds later, Gil 5. Card 2 has 20,859 MiB free.

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
# (`rush` moves a modelled clock. Your function reads the server as it is at that moment.) This is a
# [race condition](glossary.md#race-condition): between looking and taking, others look, too. Looking later makes the
# gap smaller, but does not close it. What helps is one step that both looks and takes.
#
# ### Fix it here
#
# All users can write to the folder `locks`. A file there means that its card is reserved. Two programs can still get
# the same card, if they look at the same moment. For a path, `path.open("x")` creates the file, or raises a
# `FileExistsError` if it exists, in one step. Make the docstring true.


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


def choose():
    free = free_memory(query.split())
    assert free is not None, "nvidia-smi gives no answer: choose a card yourself"
    busy = free_memory(query.replace("memory.free", "utilization.gpu").split())  # in %
    return reserve(sorted(free, key=lambda uuid: (busy[uuid] >= 10, -free[uuid])), locks)


# %% [markdown] {"slug": "rush-again-text"}
# The three start as before:

# %% {"concepts": ["C120"], "slug": "rush-again"}
picture = rush_chart(turns := rush(choose, users, needs=12_000, startup=8), title="Reserved")
print(f"{sum(turn.fits for turn in turns)} of {len(turns)} programs train")
picture

# %% [markdown] {"slug": "again-read"}
# All three train; Gil slowly, beside Dina's program, because only two cards are idle. And it works only if
# **everybody** reserves. A file stays until somebody deletes it. On Linux, a lock of the
# operating system ends with its program. Here two open files stand for two programs. The last line raises no error:

# %% {"concepts": ["C120"], "slug": "flock"}
first, second = (open(locks / "GPU-demo", "a") for _ in range(2))
fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
try:
    fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError as error:
    print("the second program:", error)
first.close()  # as when its program ends
fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# With `python train.py --gpus 2`, your program will take the two best cards itself, before CUDA starts. In the
# assignment you write its `take_cards`. It first respects a choice that was made outside, by a person or a scheduler.
# An empty list is a choice, too. Which of these tests is right?

# %% {"concepts": ["C133"], "slug": "given"}
for given in ({}, {"CUDA_VISIBLE_DEVICES": ""}, {"CUDA_VISIBLE_DEVICES": "3"}):
    chosen = bool(given.get("CUDA_VISIBLE_DEVICES"))
    print(given, "| get:", chosen, "| in:", "CUDA_VISIBLE_DEVICES" in given)

# %% [markdown] {"slug": "recap"}
# `in` is right: `get` takes the empty list for no choice.
#
# | on lima | programs that train |
# |---|--:|
# | each takes the freest card | 1 of 3 |
# | each reserves first | 3 of 3 |
#
# ## What you learned · 4 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("06.after.race")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. Why do programs ask for columns, and for UUIDs?
# 2. What does free memory not tell?
# 3. In which four ways can nvidia-smi give no answer?
# 4. How do you look and take in one step?
#
# <details><summary>Answers</summary>
#
# 1. The table may change with the driver. A UUID means the same card to nvidia-smi and to CUDA.
# 2. Whether the card is busy, how fast it is, and who looks at the same time.
# 3. It is missing, it fails, it hangs, or it prints something else.
# 4. `path.open("x")` fails if the file exists. Or leave it to a scheduler.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 06: Finding the freest GPU](../assignments/06_freest/06_freest.ipynb).**
# You will predict who gets which card, write `take_cards` for `train.py`, and find out whose memory it is.
#
# **Next lesson:** [07, *DataParallel*](07_data_parallel.ipynb): how several GPUs work on one batch,
# and when that is faster.
