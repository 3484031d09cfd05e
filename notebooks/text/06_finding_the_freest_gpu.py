# %% [markdown] {"slug": "title"}
# # Finding the freest GPU
#
# *On the Right Device*, lesson 06 · previous lesson: [05, *Physical and logical
# GPUs*](05_visible_devices.ipynb) · [Glossary](glossary.md)
#
# Several people share a machine, and your program should take the card with the most memory left.
# Many old tutorials have a dozen lines for this, and they worked on their author's machine. On four
# other machines we see what breaks, write the lines anew, and find out what free memory does not
# tell.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a machine how much memory is free on each card, in three ways;
# - **notice** when nvidia-smi gives no answer: it is missing, fails, hangs, or prints something
#   else;
# - **rank** cards so that equal ones keep their order;
# - **choose** cards for a program before CUDA starts;
# - **explain** what no ranking can solve: two users at the same moment, and busy cards;
# - **read** three errors of programs that ask `nvidia-smi`, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 05. Some lines are for a shell (`|` hands the output of one command to
# the next); they are explained where they occur.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 5 min
#
# The names we need from Python itself:

# %% {"slug": "imports"}
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp

# %% [markdown] {"slug": "before-tools"}
# And from other packages. `pynvml` comes with the package `nvidia-ml-py`.
# %% {"slug": "imports-course"}
import numpy as np
import pynvml
import torch

from course_utils import claim, predict, quiz, reveal, verdict
from lesson_parts.hosts import cards_now, log_in, rush
from lesson_parts import project
from lesson_parts.lesson06 import card_chart, rush_chart

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons, from memory.

# %% {"slug": "before-1-quiz"}
quiz("06.before.numbers")

# %% {"slug": "before-2-quiz"}
quiz("06.before.moment")

# %% {"slug": "before-3-quiz"}
quiz("06.before.uuid")

# %% [markdown] {"slug": "worked"}
# ## 1. It worked on the old machine · 10 min
#
# This lesson needs other people's processes. So its machines are always virtual, even if yours has
# a GPU. The first is called oslo and has an older driver.
#
# `nvidia-smi -q` prints everything about the cards; `-d MEMORY` leaves only what is about memory.
# `grep -A4 GPU` keeps each line that contains *GPU*, and the **four lines after** it.

# %% {"concepts": ["C121", "C122"], "slug": "query-shown"}
log_in("oslo")
# !nvidia-smi -q -d MEMORY | grep -A4 GPU

# %% [markdown] {"slug": "pipeline"}
# A second `grep Free` leaves one line for each card. The function writes these lines to a file,
# reads them, and takes the third word of each. This is how the old tutorials do it:


# %% {"concepts": ["C123", "C124", "C126"], "errata": ["E56"], "slug": "pipeline-function"}
def old_free_memory():
    os.system("nvidia-smi -q -d MEMORY | grep -A4 GPU | grep Free > free.txt")
    with open("free.txt") as lines:
        free = [int(line.split()[2]) for line in lines]
    os.remove("free.txt")
    return free


# %% [markdown] {"slug": "pipeline-runs"}
# Without an argument, `split` cuts at any run of spaces, so word number 2, counted from 0, is the amount:

# %% {"concepts": ["C123", "C126"], "slug": "pipeline-shown"}
line = "        Free                              : 23375 MiB"
print(line.split())
print("oslo:", old_free_memory())

# %% [markdown] {"slug": "newer"}
# It works: card 1 has more free memory. The next machine is lima, with four cards and today's
# driver. Its report has some more lines.

# %% {"slug": "newer-predict"}
predict("06.newer")

# %% {"concepts": ["C122"], "slug": "newer-shown"}
log_in("lima")
free = old_free_memory()
print(free)
reveal("06.newer", "an empty list" if not free else "four numbers")

# %% [markdown] {"slug": "reserved"}
# No error, and no numbers. What does this driver print for one card?

# %% {"concepts": ["C121", "C122"], "errata": ["E53"], "slug": "reserved-shown"}
# !nvidia-smi -q -d MEMORY -i 2 | grep -A20 GPU

# %% [markdown] {"slug": "reserved-read"}
# A new line, *Reserved*, stands between *Total* and *Used*: what the driver keeps for itself. (So
# 24,576 less 317 MiB, or 24,259, are for programs.) Now *Free* is the fifth line after
# *GPU*, and `-A4` cuts it off. NVIDIA says in the manual of nvidia-smi that this text may change
# from version to version. It is for people.
#
# What does a program make of the empty list? The old script joins the numbers of the ranked cards
# with commas, and puts the result into `CUDA_VISIBLE_DEVICES`.

# %% {"slug": "empty-predict"}
predict("06.empty")

# %% {"concepts": ["C129"], "errata": ["E52"], "slug": "empty-shown"}
value = ",".join(map(str, np.argsort(free)[::-1]))
count = "import torch; print(torch.cuda.device_count())"
# printed = !CUDA_VISIBLE_DEVICES="$value" python -c "$count"
print(f"value {value!r}, devices {printed[-1]}")
reveal("06.empty", "no GPU" if printed[-1] == "0" else "all four cards")

# %% [markdown] {"slug": "more"}
# So a line that moved in a report turned into training on the CPU, silently.
#
# ## 2. Five more ways to fail · 8 min
#
# Before we write the function anew, we should know what else it must not do.
#
# **Without the first `grep`.** "Then keep every line with *Free*." Look at the report above: how
# many would that be on lima?

# %% {"slug": "lines-predict"}
predict("06.lines")

# %% {"concepts": ["C123"], "errata": ["E55"], "slug": "lines-shown"}
# lines = !nvidia-smi -q -d MEMORY | grep Free
print(*lines[:3], sep="\n")
reveal("06.lines", str(len(lines)))

# %% [markdown] {"slug": "typo"}
# (*BAR1* is a window through which the CPU reaches the card's memory; *Conf Compute* belongs to
# confidential computing.)
#
# **A typo.** One of the tutorials has a space too many: `nvidia -smi`. The shell finds no command
# called `nvidia`. `$?` is the exit status of the command before it; 0 means success.

# %% {"slug": "status-claim"}
claim("06.claim.status")

# %% {"concepts": ["C125"], "errata": ["E51", "E56"], "slug": "status-shown"}
# !nvidia -smi -q -d MEMORY | wc -l; echo "exit status: $?"
verdict("06.claim.status")

# %% [markdown] {"slug": "file"}
# (`grep` returns 1 if it finds nothing. But the old function drops what `os.system` returns.)
#
# **The file.** Two programs that start in the same folder write the same `free.txt`, and one may
# read what the other has half written. In a read-only folder, nothing can be written at all.
#
# **A guard.** Some versions return `False` on Windows, and test the answer before they choose. The
# next loop uses the same test:

# %% {"slug": "guard-predict"}
predict("06.guard")

# %% {"concepts": ["C131", "C132"], "errata": ["E52"], "slug": "guard-shown"}
chose = []
for memory in ([23375, 24167], [], False):
    if not memory:
        chose.append(memory)
        print(f"{memory!s:6} ranked: {np.argsort(memory)[::-1]}")
reveal("06.guard", "with [] and False" if [23375, 24167] not in chose else "with the two numbers")

# %% [markdown] {"slug": "guard-read"}
# So it ranks exactly what is no answer, and `False` even becomes card 0. Without the `not`, the
# guard would be right. Still, one value for *no answer* is enough. Ours will be `None`.
#
# **Windows.** The same versions print that Windows is not supported. But nvidia-smi comes with the
# driver for Windows. What is missing there is `grep`.
#
# ## 3. Ask for columns · 11 min
#
# Now the first half of the function, the asking. nvidia-smi has a second kind of output, which is
# for programs (lesson 01): you name the columns, and get one line for each card.

# %% {"concepts": ["C121"], "slug": "columns-shown"}
# !nvidia-smi --query-gpu=index,uuid,memory.free --format=csv

# %% [markdown] {"slug": "module"}
# `noheader,nounits` leaves out the first line and the *MiB*. `--query-compute-apps=pid,used_memory`
# does the same for processes: one line for each. Python can start the command itself, from a list
# of words. Then there is no shell, no `grep` and no file, and it runs on Windows too.
#
# Here is the function, as a module of its own. It uses the cards' [UUIDs](glossary.md#uuid), which
# mean the same to nvidia-smi and to CUDA. (Indices do not: lesson 05.)

# %% {"concepts": ["C124", "C126", "C131"], "errata": ["E56", "E57"], "slug": "module-written"}
# %%writefile free_gpus.py
import subprocess

QUERY = ["nvidia-smi", "--query-gpu=uuid,memory.free", "--format=csv,noheader,nounits"]


def free_memory(command=QUERY, timeout=10):
    """Return the free MiB of each card by UUID, or None if nvidia-smi gives no answer."""
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout, check=True
        )
        rows = [line.split(", ") for line in answer.stdout.splitlines()]
        return {uuid: int(mib) for uuid, mib in rows}
    except (OSError, subprocess.SubprocessError, ValueError):
        return None


# %% [markdown] {"slug": "module-read"}
# Each part prevents something that we have seen, or will see:
#
# - `check=True` turns an exit status other than 0 into an exception, a `SubprocessError`;
# - `timeout` ends a command that hangs. On machines with a failing card, nvidia-smi sometimes does
#   (if it is stuck inside the driver, it may be impossible to end, and then we wait with it);
# - `OSError` covers a command that does not exist;
# - `ValueError` covers a text that this function cannot read.
#
# The third machine, quito, has nvidia-smi, but its driver is not running. We also try a command
# that does not exist, and one that hangs (a Python that sleeps for a minute):

# %% {"concepts": ["C132"], "slug": "no-answer-shown"}
from free_gpus import QUERY, free_memory

log_in("quito")
print("fails:  ", free_memory())
print("missing:", free_memory(["nvidia-smi-of-another-machine"]))
print("hangs:  ", free_memory([sys.executable, "-c", "import time; time.sleep(60)"], timeout=1))

# %% [markdown] {"slug": "nvml"}
# Three times `None`: nobody knows. A machine without a card gives `None` as well, since nvidia-smi
# prints a sentence or fails there.
#
# ### Without a command: NVML
#
# nvidia-smi gets its numbers from a library, [NVML](glossary.md#nvml). From Python you can ask it
# directly. No program has to be started, and an error is an exception, not a text. NVIDIA's manual
# recommends it for tools that must survive new drivers. But NVML has no timeout: if it hangs, your
# program hangs. We go back to lima:

# %% {"concepts": ["C134"], "slug": "nvml-shown"}
log_in("lima")
pynvml.nvmlInit()
for index in range(pynvml.nvmlDeviceGetCount()):
    card = pynvml.nvmlDeviceGetHandleByIndex(index)
    memory, uuid = pynvml.nvmlDeviceGetMemoryInfo(card), pynvml.nvmlDeviceGetUUID(card)
    print(uuid[:12], pynvml.nvmlDeviceGetName(card), memory.free // 2**20, "MiB free")
pynvml.nvmlShutdown()

# %% [markdown] {"slug": "mem-get-info"}
# ### From PyTorch: `mem_get_info`
#
# [`torch.cuda.mem_get_info(0)`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.memory.mem_get_info.html)
# returns two amounts in bytes: free, and total. Its 0 means `cuda:0`. On lima, card 0 is a T4, and
# cards 1 to 3 are RTX 3090s. No variable is set.

# %% {"slug": "zero-predict"}
predict("06.zero")

# %% {"concepts": ["C134"], "errata": ["E61"], "slug": "zero-shown"}
free, total = torch.cuda.mem_get_info(0)
print(f"{free // 2**20} of {total // 2**20} MiB free on the {torch.cuda.get_device_name(0)}")
reveal("06.zero", f"card {list(free_memory().values()).index(free // 2**20)}")

# %% [markdown] {"slug": "zero-read"}
# CUDA counts the fastest card first. (NVIDIA does not say how it compares. An RTX 3090 beats a T4
# in everything that counts.)
#
# Is `mem_get_info` all you need to choose cards for a program?

# %% {"slug": "enough-claim"}
claim("06.claim.enough")

# %% {"concepts": ["C134"], "errata": ["E61"], "slug": "enough-shown"}
log_in("lima")  # a fresh machine
print("CUDA has started:", torch.cuda.is_initialized())
torch.cuda.mem_get_info(0)
print("and now:", torch.cuda.is_initialized())
verdict("06.claim.enough")

# %% [markdown] {"slug": "three-ways"}
# On a real GPU, the question also creates a CUDA context on every card that it is asked about. That
# takes several hundred MB of the memory that you wanted to save. (Virtual GPUs do not count contexts.)
#
# | | nvidia-smi, columns | NVML | `mem_get_info` |
# |---|---|---|---|
# | counts | all cards | all cards | visible devices |
# | numbers cards | by the PCI bus | by the PCI bus | as CUDA does |
# | starts CUDA | no | no | yes |
# | use it to | choose cards, in any language | choose cards, in Python | see what fits, later on |

# %% [markdown] {"slug": "rank"}
# ## 4. Rank the cards · 10 min
#
# The second half of the function puts the cards in order. Columns are read as strings. Do we have
# to convert them before we sort?

# %% {"slug": "strings-predict"}
predict("06.strings")

# %% {"concepts": ["C127"], "errata": ["E59"], "slug": "strings-shown"}
reveal("06.strings", max(["10362", "9990", "845"]))

# %% [markdown] {"slug": "strings-read"}
# With numbers of equal length nobody notices. Our `free_memory` calls `int`.
#
# `np.argsort` returns the indices that would sort a list, smallest first. `[::-1]` walks through
# the result from its end. (Some scripts want the best three by `[0:3:-1]`, and get none: a slice
# goes *from start to stop*, and there is no way down from 0 to 3.) The fourth machine, cairo, has
# two cards with the same amount.

# %% {"slug": "argsort-claim"}
claim("06.claim.argsort")

# %% {"concepts": ["C127", "C128", "C130"], "errata": ["E58", "E60"], "slug": "argsort-shown"}
log_in("cairo")
free = free_memory()
amounts = list(free.values())
print(amounts)
print("NumPy's default:", np.argsort(amounts)[::-1])
print("a stable sort:  ", np.argsort(amounts, kind="stable")[::-1])
verdict("06.claim.argsort")

# %% [markdown] {"slug": "argsort-read"}
# (If the first order looks right on your computer, that is luck: NumPy's default differs between
# computers.) A sort is **stable** if
# equal items keep their order. Reversed, a stable result has equal cards in *falling* order.
#
# Python's own sort needs neither indices nor `[::-1]`:

# %% {"slug": "reverse-claim"}
claim("06.claim.reverse")

# %% {"concepts": ["C130"], "slug": "reverse-shown"}
ranked = sorted(free, key=free.get, reverse=True)
uuids = list(free)
print("cards:", [uuids.index(uuid) for uuid in ranked])
verdict("06.claim.reverse")

# %% [markdown] {"slug": "lima-ranked"}
# Back to lima. The picture will show who holds how much of each card, and in what share of the time
# it is busy (`GPU-Util`).

# %% {"slug": "freest-claim"}
claim("06.claim.freest")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "freest-shown"}
log_in("lima")
free = free_memory()
ranked = sorted(free, key=free.get, reverse=True)
order = [list(free).index(uuid) for uuid in ranked]
display(card_chart(cards_now(), order, title="Lima's cards, ranked by free memory"))
verdict("06.claim.freest")

# %% [markdown] {"slug": "freest-read"}
# Dina's program is small and never stops computing. On her card, each of you would get about half
# the time. Second comes a T4, the slowest of the four. Card 3 has as much room, is fast, and
# Carla's program there is idle. So ask for `name` and `utilization.gpu` as well, the latter several
# times over a minute.

# %% [markdown] {"slug": "before-cuda"}
# ## 5. Before CUDA starts · 7 min
#
# The choice goes into `CUDA_VISIBLE_DEVICES`, and CUDA reads that once, when it starts. So this
# module does without torch, and can be imported first:

# %% {"concepts": ["C120", "C129", "C132"], "errata": ["E52", "E62"], "slug": "choose-written"}
# %%writefile choose_gpus.py
import os

from free_gpus import free_memory


def choose(count=1):
    """Let this process use the freest cards, unless somebody has chosen already."""
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        return
    free = free_memory()
    if free is None:
        print("nvidia-smi gives no answer: no card is chosen")
        return
    ranked = sorted(free, key=free.get, reverse=True)
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(ranked[:count])


# %% [markdown] {"slug": "score"}
# (It asks neither whether the freest card is busy, nor whether it has *enough*. In the assignment,
# your function will ask the second.)
#
# Here is a program that uses it. `device` gets a value whether a card was chosen or not. (Old scripts
# set it only where they choose, and die of a `NameError` where they do not.)

# %% {"concepts": ["C120"], "errata": ["E62"], "slug": "score-written"}
# %%writefile score.py
from choose_gpus import choose

choose()

import torch

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
x = torch.ones(2, device=device)
if x.is_cuda:
    print(f"{x.device} is card GPU-{torch.cuda.get_device_properties(x.device).uuid}")
else:
    print("no GPU: running on the CPU")

# %% [markdown] {"slug": "score-runs"}
# We run it on lima, and look up the card:

# %% {"concepts": ["C120"], "slug": "score-shown"}
# printed = !python score.py
print(printed[-1])
print("nvidia-smi's card", list(free).index(printed[-1].split()[-1]))

# %% [markdown] {"slug": "precedence"}
# Somebody else may have set the variable: you, in the command; Slurm, for the job; a script that
# started this one. Here the command sets it to nothing: `CUDA_VISIBLE_DEVICES= python score.py`.

# %% {"slug": "given-predict"}
predict("06.given")

# %% {"concepts": ["C133"], "slug": "given-shown"}
# printed = !CUDA_VISIBLE_DEVICES= python score.py
print(printed[-1])
reveal("06.given", "on the CPU" if "CPU" in printed[-1] else "on card 2")

# %% [markdown] {"slug": "blocks"}
# Old scripts often choose twice:

# %% {"concepts": ["C133"], "slug": "blocks-quiz"}
quiz("06.blocks")

# %% [markdown] {"slug": "limits"}
# ## 6. What no ranking can do · 10 min
#
# Emil and Fay start the same program on lima, Fay 3 seconds after Emil. The program looks for the
# freest card, then imports libraries and loads data for 8 seconds. Only then does it take its
# 12,000 MiB. Card 2 has 20,859 MiB free.

# %% {"slug": "rush-predict"}
predict("06.rush")


# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "rush-shown"}
def freest():
    free = free_memory()
    return max(free, key=free.get) if free else None


turns = rush(freest, {"Emil": 0, "Fay": 3}, needs=12_000, startup=8)
where = f"on card {turns[1].card}, beside Emil" if turns[1].fits else "nowhere: out of memory"
display(rush_chart(turns, title="Two users, one freest card"))
reveal("06.rush", where)

# %% [markdown] {"slug": "race"}
# (`rush` moves a made-up clock. What `freest` reads is the machine as it is at that moment.)
#
# Between looking and taking, the world changes. This is a [race
# condition](glossary.md#race-condition). Suppose that the program first loads its data, and looks
# only half a second before it needs the memory.

# %% {"slug": "later-claim"}
claim("06.claim.later")

# %% {"concepts": ["C120"], "errata": ["E61"], "slug": "later-shown"}
turns = rush(freest, {"Emil": 0, "Fay": 0.3}, needs=12_000, startup=0.5)
for turn in turns:
    print(f"{turn.user}: card {turn.card},", "trains" if turn.fits else "out of memory")
verdict("06.claim.later")

# %% [markdown] {"slug": "reserve"}
# What helps is to look and take in **one** step that only one of them can do. Creating a file in
# the mode `"x"` is such a step: if the file is there already, it fails.

# %% {"concepts": ["C120"], "slug": "reserve-function"}
locks = Path(mkdtemp())


def freest_reserved():
    free = free_memory() or {}
    for uuid in sorted(free, key=free.get, reverse=True):
        with suppress(FileExistsError):
            (locks / uuid).open("x").close()
            return uuid


# %% [markdown] {"slug": "reserve-runs"}
# If the file is there, the loop goes on to the next card. (To ask `exists()` first would be another
# look before taking. On a real machine, `locks` is a folder that all users can write to.) Emil and
# Fay again:

# %% {"concepts": ["C120"], "slug": "reserve-drawn"}
turns = rush(freest_reserved, {"Emil": 0, "Fay": 3}, needs=12_000, startup=8)
rush_chart(turns, title="The same, with reservations")

# %% [markdown] {"slug": "scheduler"}
# Fay's program finds card 2 reserved, and takes card 0, the next in rank.
#
# Reservations work if **everybody** makes them. A program that is killed leaves its file behind, so
# somebody has to clear up. (A lock of the operating system, such as the package `filelock` takes,
# ends with its process.) Others have thought of this, too:
#
# | | who keeps others off your card? | what does `choose` do? |
# |---|---|---|
# | Slurm, `--gres=gpu:1` | Slurm: a job starts when a card is free | nothing: the variable is set |
# | Docker, `--gpus '"device=2"'` | nobody | it ranks the cards of the container |
# | `nvidia-smi -c EXCLUSIVE_PROCESS`, by the administrator | the driver: a second program gets an error | it ranks taken cards, too |
#
# So under a scheduler like Slurm you need none of this. Taking the freest card is for small
# machines without one, where people talk to each other.

# %% [markdown] {"slug": "clinic"}
# ## 7. Error clinic · 4 min
#
# Three errors that `free_memory` catches.
#
# **Case 1.** The command is not found.

# %% {"concepts": ["C125"], "slug": "clinic-missing-shown"}
try:
    subprocess.run(["nvidia -smi", "-q"])
except FileNotFoundError as error:
    print("FileNotFoundError:", error)

# %% [markdown] {"slug": "clinic-missing-read"}
# - Python looked for a program of exactly this name. Here it is the typo; on another machine, no
#   driver is installed, or `PATH` does not lead to it.
#
# **Cure:** write the name correctly. For machines without one, catch `OSError`, and go on without a
# choice.
#
# **Case 2.** The program is there, and says no.

# %% {"concepts": ["C125"], "errata": ["E56"], "slug": "clinic-status-shown"}
log_in("quito")
try:
    subprocess.run(QUERY, capture_output=True, text=True, check=True)
except subprocess.CalledProcessError as error:
    print("CalledProcessError:", error)
    print(error.stdout.strip())

# %% [markdown] {"slug": "clinic-status-read"}
# - *Non-zero exit status*: the reason is not in the message, but in the command's own output.
# - Without `check=True`, the program goes on with this sentence as if it were an answer.
#
# **Cure:** `check=True`, and print `error.stdout` and `error.stderr`. Here the driver has to be
# started or installed.
#
# **Case 3.** A column without a number.

# %% {"concepts": ["C126"], "errata": ["E56"], "slug": "clinic-value-shown"}
log_in("lima")
fans = ["nvidia-smi", "--query-gpu=fan.speed", "--format=csv,noheader,nounits"]
answer = subprocess.run(fans, capture_output=True, text=True)
try:
    print([int(line) for line in answer.stdout.splitlines()])
except ValueError as error:
    print("ValueError:", error)

# %% [markdown] {"slug": "clinic-value-read"}
# - *[N/A]*: the card has no such number. A T4 has no fan of its own. Amounts of memory can be
#   missing, too, for instance for single processes on Windows.
#
# **Cure:** decide what a missing number means to you. `free_memory` gives no answer then.

# %% [markdown] {"slug": "project"}
# ## The project · 5 min
#
# So far, whoever starts `train.py` chooses its cards. With `--gpus 2`, it now looks for the two freest
# ones itself, once, before CUDA starts:

# %% {"slug": "project-part"}
print(project.part("06", "take_cards"))

# %% [markdown] {"slug": "project-run"}
# It writes UUIDs into the variable. If `nvidia-smi` is missing, fails, hangs or cannot be understood,
# the program says so and stops: going on without a choice, it would see all cards. If the variable is
# set already, somebody has chosen, and the program refuses.
#
# Here is lima once more:

# %% {"slug": "project-cards"}
log_in("lima")
# !nvidia-smi --query-gpu=index,uuid,memory.free --format=csv

# %% [markdown] {"slug": "project-run-text"}
# Two cards are asked for.

# %% {"slug": "project-predict"}
predict("06.two")

# %% {"slug": "project-order"}
project.names("06").take_cards(2)
taken = os.environ.pop("CUDA_VISIBLE_DEVICES").split(",")
first, second = (list(free_memory()).index(uuid) for uuid in taken)
reveal("06.two", f"card {first}, then card {second}")

# %% [markdown] {"slug": "project-order-read"}
# The program does not know that one of the two is a T4, or that the other is busy. It computes on one
# card until lesson 11, so for now we ask for one. This takes about 15 seconds, with four equal virtual
# cards.

# %% {"slug": "project-runs"}
project.train("06", "--gpus", "1", gpus=4)

# %% [markdown] {"slug": "project-try"}
# **Try:** ask for nine cards. And what happens with `"--gpus", "1"` and `gpus=0`?

# %% [markdown] {"slug": "recap"}
# ## What you learned · 5 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("06.after.none")

# %% {"slug": "recap-2-quiz"}
quiz("06.after.ties")

# %% {"slug": "recap-3-quiz"}
quiz("06.after.race")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Why does `grep -A4 GPU | grep Free` find nothing with newer drivers?
# 2. Which four things can go wrong when a program asks nvidia-smi?
# 3. Why do we choose cards by UUID?
# 4. When does `mem_get_info` come too late?
# 5. What can happen between looking for a free card and using it, and what helps?
#
# <details><summary>Answers</summary>
#
# 1. A line *Reserved* was added, and *Free* is now the fifth line after *GPU*. The report is for
#    people; programs ask for columns.
# 2. It is missing, it fails, it hangs, or its answer cannot be read.
# 3. nvidia-smi numbers the cards along the PCI bus. By default, CUDA puts the fastest first. A UUID
#    means the same to both.
# 4. When cards are to be chosen by the variable: the question starts CUDA, which then has read it.
# 5. Another program takes the memory. A reservation that everybody makes, or a scheduler.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 06: Finding the freest GPU](../assignments/06_freest/06_freest.ipynb).**
# You will plan the environment of a job, predict who gets which card, fix a program that chooses, and find
# out whose memory it is.
#
# **Next lesson:** [07, *DataParallel*](07_data_parallel.ipynb): how several GPUs work on one batch,
# and when that is faster.
