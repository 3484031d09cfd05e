# %% [markdown] {"slug": "title"}
# # Physical and logical GPUs
#
# *On the Right Device*, lesson 05 · previous lesson: [04, *The torch.cuda
# toolbox*](04_torch_cuda_toolbox.ipynb) · [Glossary](glossary.md)
#
# A program uses `cuda:2` and works. Someone else starts it, on cards 2 and 3 of the same machine,
# and it stops: there is no `cuda:2`. This lesson explains what `cuda:2` means, who decides it and
# when, and how to write programs that run on any cards.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **find** the physical card behind each `cuda:N`;
# - **write** a value for `CUDA_VISIBLE_DEVICES` that means what you mean;
# - **name** a card safely in a machine with different cards;
# - **predict** when a change of the variable comes too late;
# - **start** a program on chosen cards: from a shell, from Python, under Slurm and in Docker;
# - **give** each process of a parallel job its own GPU;
# - **read** three errors about devices that do not exist, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 02. An *environment variable* is a string with a name, which a process
# hands on to the processes it starts. In Python, `os.environ` holds them.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The names we need:

# %% {"slug": "imports"}
import os
import subprocess
import sys

import torch

# %% [markdown] {"slug": "before-tools"}
# And the tools of the course:
# %% {"slug": "imports-course"}
from course_utils import claim, explore, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import commands_use_lab, family, look, watch
from lesson_parts.waiting import waiting
from lesson_parts import project
from lesson_parts.lesson05 import family_map, moment_map, visible_map

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about lessons 01 and 02, from memory.

# %% {"slug": "before-1-quiz"}
quiz("05.before.current")

# %% {"slug": "before-2-quiz"}
quiz("05.before.two")

# %% {"slug": "before-3-quiz"}
quiz("05.before.second")

# %% [markdown] {"slug": "stops"}
# ## 1. A program that stops · 5 min
#
# We ask for four GPUs. `commands_use_lab` makes sure that commands which we start with `!`, as in a
# terminal, find the same GPUs.

# %% {"slug": "lab"}
devices = lab(gpus=4)
commands_use_lab()

# %% [markdown] {"slug": "cards"}
# In a terminal, `nvidia-smi -L` lists the cards that are plugged into the machine. (With virtual
# GPUs, this `nvidia-smi` is a stand-in of ours.)

# %% {"concepts": ["C100"], "slug": "cards-listed"}
# !nvidia-smi -L

# %% [markdown] {"slug": "cards-explained"}
# Each line is one card: its number, its name, and its [UUID](glossary.md#uuid), a string that no
# other card in the world has. These are the **physical** GPUs, or *cards*. The number is the card's
# [physical index](glossary.md#physical-index).
#
# Here is a small program. Its argument names a device. It creates a tensor there, and prints which
# card that is, or the error.

# %% {"concepts": ["C111"], "slug": "job"}
# %%writefile job.py
import os
import sys

import torch

print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))
try:
    x = torch.ones(2, device=sys.argv[1])
    print(f"{x.device} is card GPU-{torch.cuda.get_device_properties(x.device).uuid}")
except (AssertionError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "job-runs"}
# You have run `python job.py cuda:2`, and it used card 2. Now a colleague runs your program. She
# has been given cards 2 and 3. The line below is what she types in a terminal. A variable in front
# of a command is set for this command alone. (Each such command starts a new Python, and takes a
# few seconds.)

# %% {"concepts": ["C104", "C107"], "errata": ["E20"], "slug": "job-stops"}
# !CUDA_VISIBLE_DEVICES=2,3 python job.py cuda:2

# %% [markdown] {"slug": "job-read"}
# *Invalid device ordinal*: no device has this index. Yet card 2 exists, and this process may use
# it. So `cuda:2` cannot mean card 2.
#
# ## 2. Cards and devices · 9 min
#
# `CUDA_VISIBLE_DEVICES` is a list of cards. How does a process number the cards that it gets? The
# function `look` starts one process for each setting, and asks it for the UUIDs of its devices.
# This takes about five seconds.

# %% {"slug": "second-predict"}
predict("05.second")

# %% {"concepts": ["C102", "C103"], "slug": "second"}
two, three = {"CUDA_VISIBLE_DEVICES": "2,3"}, {"CUDA_VISIBLE_DEVICES": "0,3,2"}
with waiting("Starting three processes", seconds=5):
    sights = look({}, two, three)
reveal("05.second", f"card {sights[2].visible[1]}")

# %% [markdown] {"slug": "map"}
# The picture shows all three settings: above, the cards of the machine; below, the devices of the
# process.

# %% {"concepts": ["C100", "C102", "C103"], "errata": ["E45"], "slug": "map-shown"}
visible_map(*sights, title="Three settings of one machine")

# %% [markdown] {"slug": "map-explained"}
# The devices of a process are its **logical** GPUs, and N in `cuda:N` is a
# [logical index](glossary.md#logical-index). Two rules:
#
# 1. **Each process numbers its devices from 0**, without gaps. Under `2,3` there are `cuda:0` and
#    `cuda:1`. That is why `cuda:2` failed.
# 2. **The order of the list counts.** Under `0,3,2`, `cuda:1` is card 3.
#
# So a process has at most as many devices as the machine has cards. (The exception is *MIG*, which
# splits a data-centre card into several instances. Each can be named like a card of its own.)
#
# Try it. How do you hide card 0 alone? How do you make card 3 `cuda:0`, and keep all the others?

# %% {"concepts": ["C101", "C103"], "errata": ["E43", "E44"], "slug": "map-explored"}
explore("visible")

# %% [markdown] {"slug": "smi"}
# The variable is NVIDIA's. PyTorch did not invent it, and every program that computes with CUDA
# obeys it. Is `nvidia-smi` such a program? (Our stand-in does what NVIDIA's does.)

# %% {"slug": "smi-claim"}
claim("05.claim.smi")

# %% {"concepts": ["C100"], "errata": ["E41"], "slug": "smi-shown"}
# listed = !CUDA_VISIBLE_DEVICES=2 nvidia-smi -L
print("cards that nvidia-smi lists:", len(listed))
verdict("05.claim.smi")

# %% [markdown] {"slug": "asked"}
# What should a program print, then, so that its log shows which cards it had? The variable, and the
# UUIDs of its devices, as `job.py` does. Read the variable with `get`:

# %% {"concepts": ["C111"], "errata": ["E49"], "slug": "asked-shown"}
print("get:", os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))
try:
    print("[ ]:", os.environ["CUDA_VISIBLE_DEVICES"])
except KeyError as error:
    print("[ ]: KeyError:", error)

# %% [markdown] {"slug": "write"}
# Where the variable is not set, square brackets raise an error.
#
# ## 3. A value that means what you mean · 7 min
#
# The value is **one string**: card numbers with commas between them, and no spaces. A bad value
# raises no error. What does it do? `watch` runs lines one by one in a new process with four
# *virtual* GPUs. After each line it notes the value, and the cards that CUDA would use.

# %% {"slug": "ends-predict"}
predict("05.ends")

# %% {"concepts": ["C101"], "errata": ["E43", "E44"], "slug": "ends-shown"}
values = ["2,3", "2, 3", "0,2,-1,1", "0,9,1", "1,1", "[2,3]", "-1", ""]
steps = watch(f"os.environ['CUDA_VISIBLE_DEVICES'] = {value!r}" for value in values)
for step in steps:
    print(f"{step.value!r:12} cards: {', '.join(map(str, step.cards)) or 'none'}")
reveal("05.ends", ", ".join(map(str, steps[2].cards)) or "none")

# %% [markdown] {"slug": "ends-explained"}
# - The first entry that is not a card **ends** the list, as `-1`, `9` and a bracket show. (NVIDIA
#   documents the rule for indices that do not exist.)
# - `-1` and the empty string hide every card. That is how you run a program on the CPU. *Not set*
#   is the opposite: nothing is hidden.
# - Spaces around numbers are ignored, and a card that is named twice leaves no device. These two are
#   rules of **torch's** own parser, which `device_count()` uses. (In a list of UUIDs, a space ends
#   the list.) The driver reads the value as well, and we have not tested how. Write neither.
#
# The map of section 2 follows the same rules. Type a few bad values there.
#
# ### Set it, or set it by default
#
# Scripts often contain `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2,3")`. Suppose the shell
# has set it to `0` already. (A plain dict behaves like `os.environ` here.)

# %% {"slug": "default-predict"}
predict("05.default")

# %% {"concepts": ["C101"], "errata": ["E39"], "slug": "default-shown"}
environ = {"CUDA_VISIBLE_DEVICES": "0"}
environ.setdefault("CUDA_VISIBLE_DEVICES", "2,3")
reveal("05.default", environ["CUDA_VISIBLE_DEVICES"])

# %% [markdown] {"slug": "default-explained"}
# An assignment, `environ["CUDA_VISIBLE_DEVICES"] = "2,3"`, overrides whatever was there. So
# `setdefault` means "these cards, unless I was told something else", and `=` means "these cards,
# whatever I was told". In scripts for others, write the first.
#
# ## 4. Which card is number 2? · 7 min
#
# So far all cards were of the same kind. Here is a machine with three different ones. It is always
# virtual, so that everybody sees the same. Starting it takes a few seconds.

# %% {"concepts": ["C112"], "slug": "mixed"}
mixed = ["T4", "A100", "H100"]
(machine,) = look({}, cards=mixed)
for number, name in enumerate(machine.cards):
    print(f"nvidia-smi's number {number}: {name}")

# %% [markdown] {"slug": "mixed-question"}
# nvidia-smi numbers the cards by their addresses on the PCI bus, that is, by slot.

# %% {"slug": "first-predict"}
predict("05.first")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "first-shown"}
reveal("05.first", mixed[machine.visible[0]])

# %% [markdown] {"slug": "order"}
# Who is right when you write a number into the variable? We write `2`, then the same with a second
# variable, `CUDA_DEVICE_ORDER`, and finally the beginning of a UUID. This takes about five seconds.

# %% {"slug": "order-claim"}
claim("05.claim.order")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "order-shown"}
number, uuid = {"CUDA_VISIBLE_DEVICES": "2"}, {"CUDA_VISIBLE_DEVICES": machine.uuids[2][:12]}
by_bus = {**number, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
with waiting("Starting three processes", seconds=5):
    named = look(number, by_bus, uuid, cards=mixed)
for sight in named:
    print(f"{sight.cards[sight.visible[0]]:24} by {sight.setting}")
verdict("05.claim.order")

# %% [markdown] {"slug": "order-drawn"}
# As a picture:

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "order-map"}
visible_map(*named, title="Three ways to ask for nvidia-smi's card 2")

# %% [markdown] {"slug": "order-explained"}
# Only the last two chose nvidia-smi's card 2. In a machine with different cards, always set
# `CUDA_DEVICE_ORDER=PCI_BUS_ID`. Or use UUIDs: they
# depend on no order, and stay the same when a card is added or moved. The beginning of a UUID is
# enough, as long as only one card begins with it.
#
# (NVIDIA's [guide](https://docs.nvidia.com/cuda/cuda-programming-guide/05-appendices/environment-variables.html)
# says that the numbers are nvidia-smi's, and that the fastest card comes first. On a real machine,
# [the second was seen](https://github.com/anderskm/gputil/issues/18). How CUDA compares cards, the
# guide does not say: our virtual machine goes by the data sheets.)
#
# ## 5. When CUDA reads the variable · 8 min
#
# A process can change its own environment at any time. When is that too late? First a short
# program:

# %% {"slug": "import-claim"}
claim("05.claim.import")

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "import-shown"}
short = ["import torch", "os.environ['CUDA_VISIBLE_DEVICES'] = '3'", "torch.cuda.init()"]
for step in watch(short):
    print(f"{step.line:45} cards: {', '.join(map(str, step.cards))}")
verdict("05.claim.import")

# %% [markdown] {"slug": "force"}
# Now one that changes the variable twice:

# %% {"concepts": ["C112"], "slug": "program"}
program = [
    "import torch",
    'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"',
    "torch.cuda.device_count()",
    "torch.cuda.is_available()",
    'os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"',
    'x = torch.ones(1, device="cuda")',
]

# %% [markdown] {"slug": "force-question"}
# Lines 2 and 5 set the variable. Lines 3 and 4 only ask about GPUs, and line 6 uses one.

# %% {"slug": "force-predict"}
predict("05.force")

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "force-shown"}
steps = watch(program)
reveal("05.force", ", ".join(map(str, steps[-1].cards)))

# %% [markdown] {"slug": "moment"}
# Line by line:

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "moment-shown"}
moment_map(steps)

# %% [markdown] {"slug": "moment-explained"}
# CUDA reads the variable **once in a process**, when the process initialises the
# [driver](glossary.md#driver).
# [`is_available()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_available.html)
# does that (unless `PYTORCH_NVML_BASED_CUDA_CHECK=1` is set), and so does everything that uses a GPU.
# On ordinary systems
# [`device_count()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.device_count.html)
# does not: it asks NVML, the library behind nvidia-smi.
#
# Safe places for the variable, best first:
#
# 1. outside the program: in the command, the job script, the scheduler;
# 2. in the program's first lines, before any import that might use CUDA;
# 3. in the first cell of a notebook. Later, only a restart of the kernel helps.
#
# In this notebook it is too late:

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "too-late"}
x = torch.ones(1, device=devices[0])
print("CUDA has started:", torch.cuda.is_initialized())

# %% [markdown] {"slug": "start"}
# (`False` would not prove that it is still early enough. After `is_available()` alone, torch
# reports `False`, although CUDA has read the variable.)
#
# ## 6. Start programs on chosen cards · 10 min
#
# The best place is outside, because each process starts with a **copy** of its parent's
# environment. Real processes again: a shell starts `train.py` with `2,3`, and `train.py` starts a
# child, which changes the variable. Then we ask all three once more.

# %% {"concepts": ["C105", "C107"], "slug": "inheritance"}
names = ["shell", "train.py", "its child"]
family_map(family(names, given="2,3", changed="3"))

# %% [markdown] {"slug": "shells"}
# Values are handed down, and changes never travel up. In other shells the command looks different:
#
# | where | what to write |
# |---|---|
# | Linux, macOS | `CUDA_VISIBLE_DEVICES=2 python train.py` |
# | Windows, PowerShell | `$env:CUDA_VISIBLE_DEVICES='2'; python train.py` |
# | Windows, cmd | `set CUDA_VISIBLE_DEVICES=2&& python train.py` |
#
# The first applies to one command. The other two change the shell, as `export` does on Linux. (In
# cmd, a space before `&&` would become part of the value.)
#
# From Python, give the child a copy with one change. The cards are often in a list:

# %% {"concepts": ["C107", "C110"], "errata": ["E48"], "slug": "from-python"}
cards = [2, 3]
environ = {**os.environ, "CUDA_VISIBLE_DEVICES": ",".join(map(str, cards))}
program = "import os; print('child:', os.environ['CUDA_VISIBLE_DEVICES'])"
child = subprocess.run([sys.executable, "-c", program], env=environ, capture_output=True, text=True)
print(child.stdout.strip())
print("here: ", os.environ.get("CUDA_VISIBLE_DEVICES", "not set"))

# %% [markdown] {"slug": "portable"}
# How should your colleague have called `job.py`? Does she have to know which cards she was given?

# %% {"slug": "portable-claim"}
claim("05.claim.portable")

# %% {"concepts": ["C102", "C105"], "slug": "portable-shown"}
# !CUDA_VISIBLE_DEVICES=2 python job.py cuda:0
# !CUDA_VISIBLE_DEVICES=3 python job.py cuda:0
verdict("05.claim.portable")

# %% [markdown] {"slug": "schedulers"}
# The person who starts a program chooses the cards, and the program uses what it is given. Physical
# indices do not belong in a program. Often the "person" is a scheduler or a container:
#
# | where | what you write | what the program finds |
# |---|---|---|
# | Slurm | `srun --gres=gpu:2 python train.py` | two cards; Slurm has set the variable |
# | Docker | `docker run --gpus '"device=2,3"' …` | a container that has only these cards |
# | the same, older | `docker run --runtime=nvidia -e NVIDIA_VISIBLE_DEVICES=2,3 …` | the same |
#
# `NVIDIA_VISIBLE_DEVICES` is read when the container starts. Changing it inside has no effect. In a
# container nvidia-smi, too, lists only the container's cards, counted from 0, and
# `CUDA_VISIBLE_DEVICES` chooses among them.
#
# GPUs from other vendors have variables of their own:
#
# - AMD (ROCm): `HIP_VISIBLE_DEVICES`, with the same numbering; the devices are `cuda:N` here, too.
# - Intel (XPU): `ZE_AFFINITY_MASK`; the devices are called `xpu:N`.
#
# ### Sharing a machine
#
# Does the variable keep a program away from other people's cards?

# %% {"slug": "lock-claim"}
claim("05.claim.lock")

# %% {"concepts": ["C105"], "errata": ["E39"], "slug": "lock-shown"}
taking = ['os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,3"', 'x = torch.ones(1, device="cuda")']
steps = watch(["import torch", *taking], start="2")
print("started on card 2, and uses cards", *steps[-1].cards)
verdict("05.claim.lock")

# %% [markdown] {"slug": "manners"}
# So a machine without a scheduler needs manners. An example: four people share four cards, and you
# want to try something.
#
# 1. `nvidia-smi`: who uses which card, and how much memory?
# 2. Take one free card, and say so in the command: `CUDA_VISIBLE_DEVICES=3 python train.py`.
# 3. In scripts that others start, let the default be small, and respect what was given:
#    `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "3")`, before `import torch`.
# 4. End what you no longer need. An idle notebook keeps its memory on the card.
#
# ## 7. One GPU for each process · 5 min
#
# In the usual kind of parallel training (lesson 07), a launcher starts one process per GPU. As a
# rule, all of them have the *same* `CUDA_VISIBLE_DEVICES`.
# [`torchrun`](https://docs.pytorch.org/docs/stable/elastic/run.html) tells each which one it is on
# its machine: `LOCAL_RANK` is 0, 1, 2, and so on. (The [rank](glossary.md#rank) counts across all
# machines.) A script uses it like this:

# %% {"concepts": ["C102"], "slug": "rank-script"}
# %%writefile rank.py
import os

import torch

local_rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(local_rank)
x = torch.ones(2, device="cuda")
print(f"{x.device} is card GPU-{torch.cuda.get_device_properties(x.device).uuid}")

# %% [markdown] {"slug": "rank-question"}
# [`set_device`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.set_device.html) makes
# a device the *current* one, which `cuda` without an index stands for. Here we play torchrun's
# part, and start the second process of a job that was given cards 2 and 3:

# %% {"slug": "local-predict"}
predict("05.local")

# %% {"concepts": ["C084", "C102"], "errata": ["E31"], "slug": "local-shown"}
# printed = !CUDA_VISIBLE_DEVICES=2,3 LOCAL_RANK=1 python rank.py
print(printed.n)
reveal("05.local", f"card {sights[0].uuids.index(printed[-1].split()[-1])}")

# %% [markdown] {"slug": "set-device"}
# So `LOCAL_RANK` serves as a logical index. This is right as long as each process sees all cards of
# the job. Some launchers hide the others (Slurm's `--gpu-bind` can do that). Then each process has
# one device, `cuda:0`, and `set_device(1)` fails.
#
# Can `set_device` replace the variable?

# %% {"slug": "set-device-claim"}
claim("05.claim.set-device")

# %% {"concepts": ["C102"], "slug": "set-device-shown"}
torch.cuda.set_device(2)
print("cuda:             ", torch.ones(1, device="cuda").device)
print("visible devices:  ", torch.cuda.device_count())
print("cuda:0 still works:", torch.ones(1, device="cuda:0").device)
torch.cuda.set_device(0)
verdict("05.claim.set-device")

# %% [markdown] {"slug": "clinic"}
# ## 8. Error clinic · 7 min
#
# Three messages about devices that are not there. The question is always: is it the index, the
# value, or the installation?
#
# **Case 1.** An index that is too large, in a line that only asks for a name.

# %% {"concepts": ["C104"], "errata": ["E20"], "slug": "clinic-id-shown"}
beyond = torch.device("cuda", torch.cuda.device_count())
try:
    torch.cuda.get_device_name(beyond)
except AssertionError as error:
    print(f"AssertionError: {error} ({beyond})")

# %% [markdown] {"slug": "clinic-id-read"}
# - The first line ran: a `torch.device` is a label, and no GPU is asked until it is used.
# - *Invalid device id*: the same mistake as *invalid device ordinal* in section 1. Here torch found
#   it before CUDA was asked.
#
# There is a mapping from indices to cards, and it is exact: a card, or an error. Nothing falls back
# to another GPU or to the CPU. **Cure:** count the *visible* devices, and use logical indices:

# %% {"concepts": ["C104"], "slug": "clinic-id-cured"}
for index in range(torch.cuda.device_count()):
    print(f"cuda:{index}: {torch.cuda.get_device_name(index)}")

# %% [markdown] {"slug": "clinic-hidden"}
# **Case 2.** The machine has GPUs, the driver works, and still:

# %% {"concepts": ["C104", "C110"], "errata": ["E44"], "slug": "clinic-hidden-shown"}
value = str([2, 3])
# !CUDA_VISIBLE_DEVICES="$value" python job.py cuda

# %% [markdown] {"slug": "clinic-hidden-read"}
# - *No CUDA GPUs are available*: torch can use CUDA, the driver answered, and there is no device.
#   The message does not say why.
# - So look at the value, which `job.py` prints. The usual suspects are brackets, an empty string,
#   `-1`, and a number that is too large.
#
# A related message, *CUDA unknown error*, mentions *changing env variable CUDA_VISIBLE_DEVICES
# after program start*. Then suspect the moment (section 5). **Cure:** print the value in the
# process that fails. A list of cards becomes a value by `",".join(map(str, cards))`.
#
# **Case 3.** The program without virtual GPUs, with what your computer really has:

# %% {"concepts": ["C104"], "slug": "clinic-build-shown"}
# !VIRTUAL_CUDA=0 python job.py cuda

# %% [markdown] {"slug": "clinic-build-read"}
# What you see depends on your computer:
#
# - *cuda:0 is card …*: there is a real GPU.
# - *Torch not compiled with CUDA enabled*: this torch was built for the CPU only.
# - *Found no NVIDIA driver on your system*: this torch can use CUDA, but there is no driver.
# - *No CUDA GPUs are available*: there are both, and no card is visible. That is case 2.
#
# **Cure:** for the second, install a build of torch with CUDA; for the third, the driver. No value
# of the variable helps with these.

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# On a computer that we share, `train.py` must not take a card that somebody else is using. Which of
# its lines have to change for that? None. Whoever starts it sets the variable; here it sees cards 2
# and 3 of four, and is told to use its `cuda:1`. This takes about 10 seconds.

# %% {"slug": "project-runs"}
project.train("05", "--device", "cuda:1", gpus=4, visible="2,3")

# %% [markdown] {"slug": "project-try"}
# It computed on card 3. For this process, cards 0 and 1 are not there, so no mistake in it can take
# their memory.
#
# **Try:** `"cuda:2"`, with the same two cards.
#
# <details><summary>What it says, and why</summary>
#
# `--device cuda:2: PyTorch sees 2 devices of this kind`. The process has `cuda:0` and `cuda:1`. The
# sentence is your `pick_device`'s, if you have written one in lesson 01.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("05.after.ids")

# %% {"slug": "recap-2-quiz"}
quiz("05.after.late")

# %% {"slug": "recap-3-quiz"}
quiz("05.after.hide")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. `CUDA_VISIBLE_DEVICES="3,1"`: which card is `cuda:0`, and which is `cuda:3`?
# 2. What do `""`, `"-1"` and a variable that is not set mean?
# 3. Why can nvidia-smi's number 2 be another card than CUDA's number 2? What helps?
# 4. When is it too late to change the variable?
# 5. A script says `torch.cuda.set_device(local_rank)`. Which card does it use?
#
# <details><summary>Answers</summary>
#
# 1. `cuda:0` is card 3. There is no `cuda:3`, only `cuda:0` and `cuda:1`.
# 2. The first two hide every card, the last hides none.
# 3. nvidia-smi counts along the PCI bus, CUDA counts the fastest first.
#    `CUDA_DEVICE_ORDER=PCI_BUS_ID` helps, and so do UUIDs.
# 4. After the first use of CUDA in the process. `torch.cuda.is_available()` is one.
# 5. The one at that position in `CUDA_VISIBLE_DEVICES`, counted from 0.
#
# </details>
#
# The person who starts a program chooses the cards, in the environment and before CUDA starts. The
# program uses `cuda:0`, `cuda:1` and so on, and runs unchanged on any cards.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 05: Physical and logical GPUs](../assignments/05_visible/05_visible.ipynb).**
# You will read values as torch does, find the card behind a device, fix a job that uses the wrong GPUs, and
# run two jobs on two cards.
#
# **Next lesson:** [06, *Finding the freest GPU*](06_finding_the_freest_gpu.ipynb): which card to
# take on a machine that others use as well.
