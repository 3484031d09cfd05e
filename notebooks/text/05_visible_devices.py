# %% [markdown] {"slug": "title"}
# # Physical and logical GPUs
#
# *On the Right Device*, lesson 05
#
# `cuda:0` is not a card. It is a place in a list that each process makes for itself, when it first
# uses CUDA. Whoever knows how this list comes about can choose cards without touching a program,
# and understands why card 2 of nvidia-smi is `cuda:0` here and `cuda:1` there. The lesson keeps to
# the four words of the course: **choose**, **move**, **run**, **bring back**.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **tell** physical cards from logical devices, and find the card behind each device;
# - **write** a value for `CUDA_VISIBLE_DEVICES` that means what you mean;
# - **predict** from which moment on a change of it no longer counts;
# - **name** a card so that it is the right one in a machine with different cards;
# - **start** a program on chosen cards, from a shell and from Python;
# - **separate** three ideas that are all called "the main GPU";
# - **read** four errors about devices that are not there, and cure them.
#
# **Minutes:** 75
#
# **Prerequisites:** lesson 02; what a process is. An *environment variable* is a text with a name
# that a process hands on to the processes it starts; in Python, `os.environ` holds them.
#
# Before a cell with a surprise you are asked for a prediction. Choose an answer even if you have
# to guess. Every cell runs with or without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need. `run_child`, `look` and `watch` are new: they start other processes, and
# you will soon see why. So are the two drawings.

# %% {"slug": "imports"}
import os
import subprocess
import sys

import torch
from torch import nn

from course_utils import lab, predict, quiz, reveal
from course_utils.experiments.children import look, run_bare_child, run_child, watch
from course_utils.figures import moment_map, visible_map

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. All three are about lesson 02.

# %% {"slug": "before-1-quiz"}
quiz("05.before.current")

# %% {"slug": "before-2-quiz"}
quiz("05.before.two")

# %% {"slug": "before-3-quiz"}
quiz("05.before.second")

# %% [markdown] {"slug": "choose"}
# ## 1. Choose: cards and devices
#
# We ask for four GPUs, real or virtual.

# %% {"slug": "lab"}
devices = lab(gpus=4)
devices[0], devices[3]

# %% [markdown] {"slug": "cards"}
# As in lesson 02: if they are *virtual*, then numbers, names and error messages are those of CUDA,
# and the speed is not.
#
# These are devices. The cards are another thing: they are what is plugged into the machine.
# `nvidia-smi -L` lists them. We let it run in a **child process**, which `run_child` starts; it
# returns what the child printed. The child has four cards too. They are this computer's where the
# lab has real ones and nobody has chosen among them for you; otherwise they are virtual.

# %% {"concepts": ["C100"], "slug": "cards-listed"}
print(run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])"))

# %% [markdown] {"slug": "cards-explained"}
# One line for each card: its number, its name, which says whether it is virtual, and a UUID, a text
# that no other card in the world has. These cards are the **physical** GPUs, and the numbers those
# of nvidia-smi.
#
# A process need not see all of them. Which ones it sees is told by the environment variable
# `CUDA_VISIBLE_DEVICES`. Does this process have one?

# %% {"concepts": ["C111"], "errata": ["E49"], "slug": "asked"}
try:
    print(os.environ["CUDA_VISIBLE_DEVICES"])
except KeyError as error:
    print("KeyError:", error)
print(os.environ.get("CUDA_VISIBLE_DEVICES"))

# %% [markdown] {"slug": "asked-explained"}
# If nobody has set it, square brackets raise a `KeyError`, and `get` returns `None`. So a program
# that only wants to *print* the variable uses `get`. (If you see a value twice, somebody has set
# it for you: a scheduler, or the shell.)
#
# Here is a small program that prints the variable and counts the devices. We run it in a child
# process whose environment says `2,3`.

# %% {"slug": "two-of-four-predict"}
predict("05.count")

# %% {"concepts": ["C101", "C111"], "slug": "two-of-four"}
tell = """
import os, torch
print("CUDA_VISIBLE_DEVICES:", os.environ.get("CUDA_VISIBLE_DEVICES"))
print("device_count:", torch.cuda.device_count())
"""
told = run_child(tell, CUDA_VISIBLE_DEVICES="2,3")
print(told)
reveal("05.count", told[-1])

# %% [markdown] {"slug": "map"}
# Two. Whoever sets the variable in a script should print both lines: they show at once whether the
# value was understood.
#
# The devices of a process are its **logical** GPUs: `cuda:0`, `cuda:1`, and so on. Which card is
# behind which device? `look` asks a child process for each setting, by means of the UUIDs, and
# `visible_map` draws what they answered.

# %% {"concepts": ["C100", "C102", "C103"], "errata": ["E45"], "slug": "map-shown"}
two, three = {"CUDA_VISIBLE_DEVICES": "2,3"}, {"CUDA_VISIBLE_DEVICES": "0,3,2"}
visible_map(*look({}, two, three), title="Three settings of one machine")

# %% [markdown] {"slug": "map-explained"}
# Two rules are in this picture.
#
# 1. **The devices are counted anew.** With `2,3`, `cuda:0` is card 2 and `cuda:1` is card 3. Cards
#    0 and 1 do not exist for this process.
# 2. **The order of the list counts.** With `0,3,2`, `cuda:0` is card 0, `cuda:1` is card 3, and
#    `cuda:2` is card 2.
#
# So there are at most as many devices as cards. (One exception: data-centre cards can be split
# into *MIG instances*, parts that are used like cards of their own. Then a process uses one part of
# a card.)
#
# Now read such a list yourself.

# %% {"slug": "second-predict"}
predict("05.second")

# %% {"concepts": ["C109"], "slug": "second"}
(seen,) = look({"CUDA_VISIBLE_DEVICES": "1,2,3"})
reveal("05.second", seen.visible[1])

# %% [markdown] {"slug": "claim-names"}
# Card 2: the second one of the list.
#
# > **Claim in circulation.** “There is a mapping between the device numbers of a program and the
# > physical cards, so the numbers need not be taken too seriously: `torch.device("cuda:10")` works
# > on a machine with one GPU.”
#
# We make such a device, and then use it.

# %% {"concepts": ["C104"], "errata": ["E20"], "slug": "claim-names-shown"}
far = torch.device("cuda:10")
print(far)
try:
    torch.ones(1, device=far)
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")

# %% [markdown] {"slug": "claim-names-fact"}
# The first line succeeds, the second does not.
#
# > **The fact.** A `torch.device` is a label, and nobody checks it. The first *use* needs a device
# > with this number. There is a mapping, and it is exact: a place in the list, or an error. Nothing
# > falls back to another GPU, or to the CPU.
#
# It is the same with a card that is there and hidden: under `2,3` there is no `cuda:2`. The error
# clinic has the message in full.
#
# Does the variable bind nvidia-smi as well?

# %% {"slug": "smi-predict"}
predict("05.smi")

# %% {"concepts": ["C100"], "errata": ["E41"], "slug": "smi"}
listed = run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])",
                   CUDA_VISIBLE_DEVICES="2")
reveal("05.smi", "1" if len(listed.splitlines()) == 1 else "all of them")

# %% [markdown] {"slug": "smi-explained"}
# All of them: it is the tool that shows the *machine*. `CUDA_VISIBLE_DEVICES` belongs to CUDA.
# Every program that computes with CUDA obeys it, with or without PyTorch: physical and logical GPUs
# are no invention of torch.
#
# ## 2. Write the value
#
# The value is **one text**, with commas between the numbers. That sounds harmless.
#
# > **Claim in circulation.** `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2", "3")` makes cards
# > 2 and 3 visible.

# %% {"concepts": ["C101"], "errata": ["E37"], "slug": "claim-three-arguments"}
try:
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2", "3")
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] {"slug": "claim-three-arguments-fact"}
# > **The fact.** There is one name and one value: `"2,3"`. The message counts `self` as well, which
# > is why it speaks of three arguments and of four.
#
# A number is no text either:

# %% {"concepts": ["C101"], "errata": ["E37"], "slug": "number"}
try:
    os.environ["CUDA_VISIBLE_DEVICES"] = 2
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] {"slug": "comma"}
# `str expected, not int`. Texts that were copied from a web page bring another trap: a full-width
# comma, or curly quotation marks. Python says so, and gives the number of the character.

# %% {"concepts": ["C101"], "errata": ["E38"], "slug": "comma-shown"}
try:
    compile('os.environ.setdefault("CUDA_VISIBLE_DEVICES"，"2,3")', "copied", "eval")
except SyntaxError as error:
    print("SyntaxError:", error.msg)

# %% [markdown] {"slug": "build"}
# `U+FF0C` is the full-width comma: type it anew. *Inside* the quotation marks it would be no error,
# and worse: torch would read `"2，3"` as far as the digits go, and see card 2 alone.
#
# Often the cards are in a Python list. What becomes of it as a text?

# %% {"slug": "build-predict"}
predict("05.list")

# %% {"concepts": ["C110"], "slug": "build-shown"}
gpus = [2, 3]
brackets = run_child(tell, CUDA_VISIBLE_DEVICES=str(gpus))
print(brackets)
print(run_child(tell, CUDA_VISIBLE_DEVICES=",".join(map(str, gpus))))
reveal("05.list", brackets[-1])

# %% [markdown] {"slug": "bad-lists"}
# A bracket is no number, so the list ends before it has begun: no device at all, and no error.
# `",".join(map(str, gpus))` is the right way.
#
# That is the pattern: a bad value raises nothing, it hides cards. Before CUDA has started,
# `device_count()` reads the variable anew each time, so one child process is enough to try a few.

# %% {"concepts": ["C101"], "errata": ["E43", "E44"], "slug": "bad-lists-shown"}
print(run_child("""
import os, torch
for value in ("2,3", "2, 3", "0,2,-1,1", "0,99,1", "1,1", "-1", ""):
    os.environ["CUDA_VISIBLE_DEVICES"] = value
    print(f"{value!r:12} {torch.cuda.device_count()}")
"""))

# %% [markdown] {"slug": "bad-lists-explained"}
# Line by line:
#
# - `"2, 3"`: torch strips spaces from its entries. It is not the only one who reads the variable,
#   so write none.
# - `"0,2,-1,1"`, `"0,99,1"`: the first entry that is no card **ends** the list. It is not passed
#   over: the 1 behind it is not read any more.
# - `"1,1"`: a card that is named twice leaves no device at all.
# - `"-1"` and the empty text hide every card. That is how one runs a program on the CPU.
#
# And a variable that is *not set* hides none: that is the opposite of the empty text.

# %% {"concepts": ["C103"], "errata": ["E44"], "slug": "bad-lists-map"}
visible_map(*look({"CUDA_VISIBLE_DEVICES": "0,2,-1,1"}, {"CUDA_VISIBLE_DEVICES": "1,1"}),
            title="Lists that end early")

# %% [markdown] {"slug": "claim-setdefault"}
# Cards 0 and 2 are left of the first list, and nothing of the second.
#
# ### Setting, and setting by default
#
# > **Claim in circulation.** “`os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2,3")` sets the
# > GPUs.”
#
# A program is started where the shell has set card 0. It calls `setdefault`, and then assigns.

# %% {"slug": "claim-setdefault-predict"}
predict("05.default")

# %% {"concepts": ["C101", "C110"], "errata": ["E39"], "slug": "claim-setdefault-shown"}
environment = {"CUDA_VISIBLE_DEVICES": "0"}
after_setdefault = environment.setdefault("CUDA_VISIBLE_DEVICES", "2,3")
environment["CUDA_VISIBLE_DEVICES"] = "2,3"
print("after the assignment:", environment["CUDA_VISIBLE_DEVICES"])
reveal("05.default", after_setdefault)

# %% [markdown] {"slug": "claim-setdefault-fact"}
# > **The fact.** `setdefault` sets a variable that is missing, and never overrides one. That is a
# > good thing where it is meant: “card 2 and 3, unless I was told otherwise”. An assignment means
# > “these, whatever I was told”, and on a shared machine that takes somebody else's cards.
#
# (`os.environ` behaves as this dict does. We leave that of this process as it is.)
#
# ## 3. Which numbers are these?
#
# So far all cards were the same. Here is a machine with four different ones. It is always virtual,
# whatever your own machine has, so that we all see the same.

# %% {"concepts": ["C112"], "slug": "mixed"}
mixed = ["RTX 4060 Laptop", "A100", "RTX 3090", "T4"]
listed = run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])", cards=mixed)
print(listed)

# %% [markdown] {"slug": "mixed-question"}
# nvidia-smi counts along the **PCI bus**, that is, by slots, and a slow card may well be in the
# first slot. We set nothing, and let a child process tell its devices in order.

# %% {"slug": "mixed-predict"}
predict("05.first")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "mixed-first"}
(seen,) = look({}, cards=mixed)
print([seen.cards[number] for number in seen.visible])
reveal("05.first", mixed[seen.visible[0]])

# %% [markdown] {"slug": "claim-order"}
# CUDA counts otherwise: unless it is told not to, it puts the **fastest** card first. By which rule
# it compares them NVIDIA does not say; our virtual machine goes by the FLOP/s of the data sheets.
#
# > **Claim in circulation.** “The numbers in `CUDA_VISIBLE_DEVICES` are those of nvidia-smi.”
#
# We take number 2, twice. The second time there is another variable, `CUDA_DEVICE_ORDER`.

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "claim-order-shown"}
number_2 = {"CUDA_VISIBLE_DEVICES": "2"}
along_the_bus = {"CUDA_VISIBLE_DEVICES": "2", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
visible_map(*look(number_2, along_the_bus, cards=mixed), title="Number 2 of what?")

# %% [markdown] {"slug": "claim-order-fact"}
# > **The fact.** The numbers are places in *CUDA's* order, and its default is `FASTEST_FIRST`: here
# > `2` was the laptop card. With `CUDA_DEVICE_ORDER=PCI_BUS_ID` CUDA counts as nvidia-smi does. The
# > two differ only in machines with different cards; there, set it always.
#
# A UUID needs no order. It may be cut short as long as only one card begins with it.

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "uuid"}
uuid = listed.splitlines()[3].split("UUID: ")[1][:12]
by_uuid = {"CUDA_VISIBLE_DEVICES": uuid}
both = {"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
print(uuid, [seen.visible for seen in look(by_uuid, both, cards=mixed)])

# %% [markdown] {"slug": "when"}
# Card 3 both times, the T4. For a script that is to use one certain card for years, a UUID is the
# best name: it survives when a card is added or changes its slot.
#
# ## 4. When it counts
#
# The variable can be changed at any time. When is it read? Here is a program that changes it twice.
# `watch` runs it in a child process with four virtual GPUs and notes after each line what the
# environment says, and which cards CUDA would work with.

# %% {"concepts": ["C112"], "slug": "program"}
program = [
    "import torch",
    'os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"',
    "torch.cuda.device_count()",
    "torch.cuda.is_available()",
    'os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"',
    'torch.ones(1, device="cuda")',
]

# %% [markdown] {"slug": "claim-only-asks"}
# > **Claim in circulation.** “Set it in the script, before the first tensor is put on a GPU. Asking
# > `torch.cuda.is_available()` before that is harmless.”

# %% {"slug": "claim-only-asks-predict"}
predict("05.force")

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "claim-only-asks-shown"}
steps = watch(program)
reveal("05.force", ", ".join(map(str, steps[-1].cards)))

# %% [markdown] {"slug": "moment"}
# The second assignment came too late. The picture shows the line that made it so.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "moment-shown"}
moment_map(steps)

# %% [markdown] {"slug": "claim-only-asks-fact"}
# > **The fact.** CUDA reads the variable **once in a process**, at its first use, and keeps the
# > list for good. `is_available()` is such a use: it asks CUDA how many devices there are, and for
# > that the driver starts. Later changes reach the environment, and nobody looks at it any more.
#
# What is no use of CUDA: `import torch`, and, on ordinary systems, `device_count()`, which asks
# NVML, the library behind nvidia-smi. So the first assignment above still counted. (With
# `PYTORCH_NVML_BASED_CUDA_CHECK=1` in the environment `is_available()` asks NVML as well.)
#
# The safe places, best first:
#
# 1. outside the program, in the shell or the job script (section 5);
# 2. in the first lines of the program, before `import torch` and whatever else may use CUDA;
# 3. in a notebook, in its first cell. Later, only a restart of the kernel helps.
#
# Is it too late in this process? We use a GPU, and ask.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "too-late"}
torch.ones(1, device=devices[0])
torch.cuda.is_initialized()

# %% [markdown] {"slug": "two-defaults"}
# `True`: this kernel's list stands. (`False` would not prove the opposite: after `is_available()`
# torch has not started CUDA, and yet the list is read.)
#
# Many scripts have one block that chooses cards by hand, and another that chooses them
# automatically, both with `setdefault`. We let the second block follow the first.

# %% {"slug": "two-defaults-predict"}
predict("05.blocks")

# %% {"concepts": ["C110", "C112"], "errata": ["E39", "E40"], "slug": "two-defaults-shown"}
blocks = watch([
    "import torch",
    'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0")',
    "torch.cuda.is_available()",
    'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "3")',
])
reveal("05.blocks", ", ".join(map(str, blocks[-1].cards)))

# %% [markdown] {"slug": "two-defaults-explained"}
# Card 0, for two reasons: the second `setdefault` found a value, and an assignment in its place
# would have been too late.
#
# ## 5. Run: a program on chosen cards
#
# A process hands its environment on to the processes that it starts. So the best place for the
# variable is the command that starts the program, and the program need not know of it:
#
# | where | what to write |
# |---|---|
# | Linux, macOS | `CUDA_VISIBLE_DEVICES=2 python training.py` |
# | Windows, cmd | `set CUDA_VISIBLE_DEVICES=2&& python training.py` |
# | Windows, PowerShell | `$env:CUDA_VISIBLE_DEVICES='2'; python training.py` |
#
# The first holds for this one command. The other two change the shell, and hold for all commands
# that follow in it, as `export CUDA_VISIBLE_DEVICES=2` does on Linux. (In cmd, a space before `&&`
# would become part of the value.)
#
# From Python, a child is given a **copy** of the environment with one change:

# %% {"concepts": ["C105", "C107"], "errata": ["E48"], "slug": "command"}
environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "2"}
program = "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"
done = subprocess.run([sys.executable, "-c", program], env=environment,
                      capture_output=True, text=True)
print("child:", done.stdout.strip())
print("here:", os.environ.get("CUDA_VISIBLE_DEVICES"))

# %% [markdown] {"slug": "portable"}
# The child has its value, and here nothing has changed. (`run_child` does just this.)
#
# ### Move: the program stays as it is
#
# What does the program have to change when it gets another card? It moves its data to `cuda:0`. We
# run it on card 0 and on card 3, and let it print the beginning of the UUID.

# %% {"slug": "portable-predict"}
predict("05.portable")

# %% {"concepts": ["C107", "C108"], "slug": "portable-shown"}
program = """
import torch
x = torch.ones(2).to("cuda:0")
print(str(torch.cuda.get_device_properties(x.device).uuid)[:8], x.device)
"""
answers = [run_child(program, CUDA_VISIBLE_DEVICES=card) for card in ("0", "3")]
print(*answers, sep="\n")
reveal("05.portable", answers[1].split()[-1])

# %% [markdown] {"slug": "portable-explained"}
# Two cards, and `cuda:0` both times. That is what the new counting is for: a program for one GPU
# says `cuda:0`, one for two says `cuda:0` and `cuda:1`, and whoever starts it chooses the cards.
# Physical numbers have no place in a program.
#
# It is also how people share a machine. Some set the variable by agreement, some have a scheduler
# that sets it for every job. Do you have to be afraid of the others?
#
# > **Claim in circulation.** “With `CUDA_VISIBLE_DEVICES` the administrator sees to it that a
# > program cannot use other cards.”
#
# A program is started on card 2, and helps itself.

# %% {"concepts": ["C105"], "slug": "claim-lock"}
helps_itself = 'import os; os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,3"'
print(run_child(helps_itself + "\n" + tell, CUDA_VISIBLE_DEVICES="2"))

# %% [markdown] {"slug": "claim-lock-fact"}
# Three devices, and none of them was given to it.
#
# > **The fact.** The variable is an agreement and no lock: every program can change its own
# > environment before it uses CUDA. Schedulers that must be sure take the card's device file away
# > from the process. So respect a value that is there: `setdefault` does, an assignment does not.
#
# ## 6. Three ideas called "the main GPU"
#
# Notes about several GPUs speak of *the main GPU*, "usually gpu0". Behind it are three different
# things, all of them with logical numbers. The first is the **current device** of the process: it
# is meant by `cuda` without a number.

# %% {"concepts": ["C106"], "slug": "current"}
with torch.cuda.device(1):
    inside = torch.ones(1, device="cuda")
outside = torch.ones(1, device="cuda")
inside.device, outside.device

# %% [markdown] {"slug": "parallel"}
# `cuda:1` inside, and `cuda:0` outside again. The other two belong to `nn.DataParallel`, which lets
# several GPUs work on one batch (lesson 07). It keeps the module on `device_ids[0]`, and gathers
# the results on `output_device`. By default these two are the same. They need not be:

# %% {"slug": "parallel-predict"}
predict("05.main")

# %% {"concepts": ["C106", "C108"], "slug": "parallel-shown"}
net = nn.Linear(2, 1).to("cuda:1")
parallel = nn.DataParallel(net, device_ids=[1, 2], output_device=3)
output = parallel(torch.ones(4, 2, device="cuda:1"))
print("current device:", torch.cuda.current_device())
print("device_ids[0]:", parallel.device_ids[0])
reveal("05.main", output.device)

# %% [markdown] {"slug": "claim-main"}
# Current device 0, module on 1, result on 3: three answers to "which is the main GPU?". So say
# which one you mean.
#
# > **Claim in circulation.** “With `cuda:1` and `CUDA_VISIBLE_DEVICES="1,2,3"` the main card is
# > card 2: `nn.DataParallel(net).to("cuda:1")`.”
#
# That `cuda:1` is card 2 there, you know. The rest can be tried in this process as well.

# %% {"concepts": ["C106", "C109"], "errata": ["E46"], "slug": "claim-main-shown"}
parallel = nn.DataParallel(nn.Linear(2, 1)).to("cuda:1")
print("device_ids:", parallel.device_ids)
try:
    parallel(torch.ones(4, 2, device="cuda:1"))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "claim-main-fact"}
# > **The fact.** `DataParallel` takes all visible devices, beginning with 0, and expects the module
# > on `device_ids[0]`. To move the module is not enough: name the devices, the first one first.

# %% {"concepts": ["C106", "C108"], "errata": ["E46"], "slug": "claim-main-cured"}
parallel = nn.DataParallel(nn.Linear(2, 1).to("cuda:1"), device_ids=[1, 2, 3])
parallel(torch.ones(4, 2, device="cuda:1")).device

# %% [markdown] {"slug": "bring-back"}
# On `cuda:1`. Simpler still: name the card that you want first in `CUDA_VISIBLE_DEVICES`, and leave
# all numbers in the program as they are.
#
# **Bring back** is the last of the four words, and the easiest here: on the CPU there are no
# numbers. A result that other processes will read should be brought there. They may count their
# cards otherwise, and then `cuda:1` is another card for them, or none.

# %% {"concepts": ["C108"], "slug": "bring-back-shown"}
result = output.cpu()
output.device, result.device

# %% [markdown] {"slug": "clinic"}
# ## 7. Error clinic
#
# Four messages about devices that are not there. The question is always: is it the number, the
# variable, or the installation?

# %% [markdown] {"slug": "clinic-ordinal"}
# **Case 1.** Cards 2 and 3 are visible, and the program says `cuda:2`.

# %% {"concepts": ["C104"], "errata": ["E20"], "slug": "clinic-ordinal-shown"}
print(run_child('import torch; torch.ones(1, device="cuda:2")', CUDA_VISIBLE_DEVICES="2,3"))

# %% [markdown] {"slug": "clinic-ordinal-read"}
# - *invalid device ordinal*: an ordinal is a number in a row. There is no device with this one.
# - *GPU device may be out of range, do you have enough GPUs?*: count the **visible** ones. Older
#   versions of torch leave this line out; very old ones say `cuda runtime error (101) : invalid
#   device ordinal at …`.
# - *run with CUDA_LOG_FILE=stderr*: CUDA can write a log of its own. Older versions of torch say
#   *CUDA kernel errors might be asynchronously reported …* here, as under every CUDA error; for
#   this one the line in the traceback is right.
#
# **Cure:** use the logical number. The card that nvidia-smi calls 2 is `cuda:0` here.

# %% {"concepts": ["C104"], "slug": "clinic-ordinal-cured"}
print(run_child('import torch; print(torch.ones(1, device="cuda:0"))', CUDA_VISIBLE_DEVICES="2,3"))

# %% [markdown] {"slug": "clinic-hidden"}
# A tensor on `cuda:0`.
#
# **Case 2.** The machine has GPUs, the driver works, and still:

# %% {"concepts": ["C101"], "errata": ["E44"], "slug": "clinic-hidden-shown"}
print(run_child('import torch; torch.ones(1, device="cuda")', CUDA_VISIBLE_DEVICES="-1"))

# %% [markdown] {"slug": "clinic-hidden-read"}
# - *No CUDA GPUs are available*: torch can use CUDA, the driver answered, and there is no device.
#   Nothing is said about why.
# - The first suspect is the value: empty, `-1`, brackets, a card named twice, a number that is too
#   large.
#
# A relative of it is `CUDA unknown error - this may be due to an incorrectly set up environment,
# e.g. changing env variable CUDA_VISIBLE_DEVICES after program start`: then suspect the moment.
#
# **Cure:** print the variable with `repr`, in the process that fails, and repair its value.

# %% {"concepts": ["C111"], "slug": "clinic-hidden-cured"}
print(run_child('import os, torch; print(repr(os.environ["CUDA_VISIBLE_DEVICES"])); '
                'print(torch.ones(1, device="cuda"))', CUDA_VISIBLE_DEVICES="1"))

# %% [markdown] {"slug": "clinic-id"}
# One visible card, and a tensor on it.
#
# **Case 3.** Somebody gives `DataParallel` one number more than there are devices.

# %% {"concepts": ["C108"], "errata": ["E47"], "slug": "clinic-id-shown"}
too_many = list(range(torch.cuda.device_count() + 1))
try:
    nn.DataParallel(nn.Linear(2, 1).to("cuda:0"), device_ids=too_many)
except (AssertionError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-id-read"}
# - *Invalid device id*: the same as in case 1, found by torch before CUDA was asked.
# - “Eight cards, so `device_ids=[0, 1, …, 7]`” is right only if this process sees all eight.
#
# **Cure:** let torch count, or leave `device_ids` out: its default is all visible devices.

# %% {"concepts": ["C108"], "errata": ["E47"], "slug": "clinic-id-cured"}
every = list(range(torch.cuda.device_count()))
parallel = nn.DataParallel(nn.Linear(2, 1).to("cuda:0"), device_ids=every)
parallel.device_ids

# %% [markdown] {"slug": "clinic-build"}
# All visible devices, from 0 on.
#
# **Case 4.** No virtual GPUs this time: a child process with nothing but what your computer has.

# %% {"concepts": ["C104"], "slug": "clinic-build-shown"}
print(run_bare_child("import torch; torch.cuda.init(); print('CUDA has started')"))

# %% [markdown] {"slug": "clinic-build-read"}
# What you see depends on your computer:
#
# - *CUDA has started*: there is a real GPU.
# - *Torch not compiled with CUDA enabled*: this torch is a build for the CPU alone.
# - *Found no NVIDIA driver on your system*: this torch can use CUDA, and the driver is missing.
# - *No CUDA GPUs are available*: both are there, and no card is visible. That is case 2.
#
# **Cure:** for the second, install a build of torch with CUDA; for the third, the driver. No value
# of `CUDA_VISIBLE_DEVICES` helps with either. And a program that should run everywhere asks before
# it chooses:

# %% {"concepts": ["C104"], "slug": "clinic-build-cured"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.ones(1, device=device).device

# %% [markdown] {"slug": "recap"}
# `cuda:0`, on the GPUs of this lesson.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("05.after.late")

# %% {"slug": "recap-2-quiz"}
quiz("05.after.ids")

# %% {"slug": "recap-3-quiz"}
quiz("05.after.hide")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. `CUDA_VISIBLE_DEVICES="3,1"`: which card is `cuda:0`, and which is `cuda:3`?
# 2. What do `""`, `"-1"` and a variable that is not set mean?
# 3. From which moment on does a change of the variable no longer count?
# 4. Why can number 2 of nvidia-smi be another card than number 2 of CUDA? What helps?
# 5. Which three things are called "the main GPU"?
#
# <details><summary>Answers</summary>
#
# 1. `cuda:0` is card 3. There is no `cuda:3`: two devices, `cuda:0` and `cuda:1`.
# 2. The first two hide every card, the last hides none.
# 3. From the first use of CUDA in the process, and `torch.cuda.is_available()` is one.
# 4. nvidia-smi counts along the bus, CUDA counts the fastest first.
#    `CUDA_DEVICE_ORDER=PCI_BUS_ID`, or UUIDs.
# 5. The current device; `device_ids[0]`, where `DataParallel` keeps the module; and
#    `output_device`, where it gathers the results.
#
# </details>
#
# In four words: **choose** cards in the environment, before CUDA starts. **Move** data to logical
# devices, which begin with `cuda:0` in every process. **Run** the same program on other cards by
# another value. **Bring back** what others will read, for they may count otherwise.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `05_visible`. You will read values as torch does, find the card behind a device,
# set the variable safely, predict what counts, count GPUs in a child process, find `cuda:0` in a
# machine with different cards, and read the errors.
#
# **Next lesson:** 06, *The freest GPU*: which card has the most free memory, and how a program
# chooses it by itself. If it is not in your copy of the course, it is still to come.
