# %% [markdown] {"slug": "title"}
# # Physical and logical GPUs
#
# *On the Right Device*, lesson 05
#
# `cuda:0` is not a card. It is an entry in a list that each process makes for itself, when it first
# uses CUDA. Once you know how this list is made, you can choose cards without changing a program,
# and you understand why card 2 of nvidia-smi is `cuda:0` here and `cuda:1` there. The lesson
# follows the four words of the course: **choose**, **move**, **run**, **bring back**.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **tell** physical cards from logical devices, and find the card behind each device;
# - **write** a value for `CUDA_VISIBLE_DEVICES` that means what you mean;
# - **predict** when a change of it comes too late;
# - **name** a card so that it is the right one in a machine with different cards;
# - **start** a program on chosen cards, from a shell and from Python;
# - **separate** three ideas that are all called "the main GPU";
# - **read** four errors about devices that do not exist, and cure them.
#
# **Minutes:** 75
#
# **Prerequisites:** lesson 02; what a process is. An *environment variable* is a string with a name
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
# These are devices. Cards are something else: they are what is plugged into the machine.
# `nvidia-smi -L` lists them. We run it in a **child process**, which `run_child` starts; it returns
# what the child printed. If the lab uses real GPUs and `CUDA_VISIBLE_DEVICES` is not set, the child
# sees this computer's cards. In every other case it has four virtual ones.

# %% {"concepts": ["C100"], "slug": "cards-listed"}
print(run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])"))

# %% [markdown] {"slug": "cards-explained"}
# There is one line for each card: its number, its name, which says whether it is virtual, and a
# UUID, a string that no other card in the world has. These cards are the **physical** GPUs, and the
# numbers are those of nvidia-smi.
#
# A process need not see all of them. The environment variable `CUDA_VISIBLE_DEVICES` says which
# ones it sees. Is it set in this process?

# %% {"concepts": ["C111"], "errata": ["E49"], "slug": "asked"}
try:
    print(os.environ["CUDA_VISIBLE_DEVICES"])
except KeyError as error:
    print("KeyError:", error)
print(os.environ.get("CUDA_VISIBLE_DEVICES"))

# %% [markdown] {"slug": "asked-explained"}
# If it is not set, square brackets raise a `KeyError`, and `get` returns `None`. So a program that
# only wants to *print* the variable uses `get`. (If you see a value twice, it was set for you, by a
# scheduler or in the shell.)
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
# If your own script sets the variable, let it print both lines: they show at once whether the value
# was understood.
#
# The devices of a process are its **logical** GPUs: `cuda:0`, `cuda:1`, and so on. Which card is
# behind which device? `look` starts a child process for each setting and compares UUIDs, and
# `visible_map` draws the result.

# %% {"concepts": ["C100", "C102", "C103"], "errata": ["E45"], "slug": "map-shown"}
two, three = {"CUDA_VISIBLE_DEVICES": "2,3"}, {"CUDA_VISIBLE_DEVICES": "0,3,2"}
visible_map(*look({}, two, three), title="Three settings of one machine")

# %% [markdown] {"slug": "map-explained"}
# Two rules are in this picture.
#
# 1. **The devices are numbered from 0 again.** With `2,3`, `cuda:0` is card 2 and `cuda:1` is card
#    3. Cards 0 and 1 do not exist for this process.
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
# Making the device succeeds, using it does not.
#
# > **The fact.** A `torch.device` is a label, and nothing checks it. The first *use* needs a device
# > with this index. There is a mapping, and it is exact: an index in the list, or an error. Nothing
# > falls back to another GPU, or to the CPU.
#
# The same happens with a card that exists but is hidden: under `2,3` there is no `cuda:2`. The
# error clinic has the message in full.
#
# Does nvidia-smi obey the variable?

# %% {"slug": "smi-predict"}
predict("05.smi")

# %% {"concepts": ["C100"], "errata": ["E41"], "slug": "smi"}
listed = run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])",
                   CUDA_VISIBLE_DEVICES="2")
reveal("05.smi", "1" if len(listed.splitlines()) == 1 else "all of them")

# %% [markdown] {"slug": "smi-explained"}
# The distinction between physical and logical GPUs comes from CUDA, not from PyTorch.
#
# ## 2. Write the value
#
# The value is **one string**, with commas between the numbers. That sounds harmless.
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
# A number is not a string either:

# %% {"concepts": ["C101"], "errata": ["E37"], "slug": "number"}
try:
    os.environ["CUDA_VISIBLE_DEVICES"] = 2
except TypeError as error:
    print("TypeError:", error)

# %% [markdown] {"slug": "comma"}
# `str expected, not int`. Code that was copied from a web page holds another trap: a full-width
# comma, or curly quotation marks. Python's message gives the code of the character.

# %% {"concepts": ["C101"], "errata": ["E38"], "slug": "comma-shown"}
try:
    compile('os.environ.setdefault("CUDA_VISIBLE_DEVICES"，"2,3")', "copied", "eval")
except SyntaxError as error:
    print("SyntaxError:", error.msg)

# %% [markdown] {"slug": "build"}
# `U+FF0C` is the full-width comma: type it again as an ordinary one. *Inside* the quotation marks
# it is worse, because no error is raised: torch reads `"2，3"` as far as the digits go, and sees
# card 2 alone.
#
# Often the cards are in a Python list. What happens if we turn it into a string?

# %% {"slug": "build-predict"}
predict("05.list")

# %% {"concepts": ["C110"], "slug": "build-shown"}
gpus = [2, 3]
brackets = run_child(tell, CUDA_VISIBLE_DEVICES=str(gpus))
print(brackets)
print(run_child(tell, CUDA_VISIBLE_DEVICES=",".join(map(str, gpus))))
reveal("05.list", brackets[-1])

# %% [markdown] {"slug": "bad-lists"}
# Here are more values. Before CUDA has started, `device_count()` reads the variable again at each
# call, so one child process is enough to try them.

# %% {"concepts": ["C101"], "errata": ["E43", "E44"], "slug": "bad-lists-shown"}
print(run_child("""
import os, torch
for value in ("2,3", "2, 3", "0,2,-1,1", "0,99,1", "1,1", "-1", ""):
    os.environ["CUDA_VISIBLE_DEVICES"] = value
    print(f"{value!r:12} {torch.cuda.device_count()}")
"""))

# %% [markdown] {"slug": "bad-lists-explained"}
# Here torch itself reads the variable, so these are torch's rules:
#
# - `"2, 3"`: torch strips spaces from the entries. The driver reads the variable too, so write
#   none.
# - `"0,2,-1,1"`, `"0,99,1"`: the first entry that is not a card **ends** the list. It is not
#   skipped: the 1 after it is not read any more.
# - `"1,1"`: if a card is named twice, torch counts no device at all. (The course has not checked
#   what the driver itself does with such a value. Do not write one.)
# - `"-1"` and the empty string hide every card. That is how to run a program on the CPU.
#
# That is the pattern: a bad value raises no error, it silently hides cards. And a variable that is
# *not set* hides none: that is the opposite of the empty string.

# %% {"concepts": ["C103"], "errata": ["E44"], "slug": "bad-lists-map"}
visible_map(*look({"CUDA_VISIBLE_DEVICES": "0,2,-1,1"}, {"CUDA_VISIBLE_DEVICES": "1,1"}),
            title="Lists that end early")

# %% [markdown] {"slug": "claim-setdefault"}
# Of the first list, cards 0 and 2 are left, and of the second none.
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
# (`os.environ` behaves like this dict. We leave the one of this process as it is.)
#
# And where nothing was set before?

# %% {"concepts": ["C101"], "errata": ["E39"], "slug": "setdefault-missing"}
{}.setdefault("CUDA_VISIBLE_DEVICES", "2,3")

# %% [markdown] {"slug": "setdefault-fact"}
# > **The fact.** `setdefault` sets a variable that is missing, and never overrides one. Use it if
# > you mean “cards 2 and 3, unless I was told something else”. An assignment means “these, whatever
# > I was told”, and on a shared machine that may take somebody else's cards.
#
#
# ## 3. Which numbers are these?
#
# So far all cards were of the same kind. Here is a machine with four different ones. It is always
# virtual, whatever your own machine has, so that everybody sees the same.

# %% {"concepts": ["C112"], "slug": "mixed"}
mixed = ["T4", "A100", "H100", "RTX 2080 Ti"]
listed = run_child("import subprocess; subprocess.run(['nvidia-smi', '-L'])", cards=mixed)
print(listed)

# %% [markdown] {"slug": "mixed-question"}
# nvidia-smi numbers them along the **PCI bus**, that is, by slots. We set nothing, and let a child
# process print the cards behind its devices, in order.

# %% {"slug": "mixed-predict"}
predict("05.first")

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "mixed-first"}
(seen,) = look({}, cards=mixed)
print([seen.cards[number] for number in seen.visible])
reveal("05.first", mixed[seen.visible[0]])

# %% [markdown] {"slug": "claim-order"}
# > **Claim in circulation.** “The numbers in `CUDA_VISIBLE_DEVICES` are those of nvidia-smi.”
#
# We take number 2, twice. The second time there is another variable, `CUDA_DEVICE_ORDER`.

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "claim-order-shown"}
number_2 = {"CUDA_VISIBLE_DEVICES": "2"}
along_the_bus = {"CUDA_VISIBLE_DEVICES": "2", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
visible_map(*look(number_2, along_the_bus, cards=mixed), title="Number 2 of what?")

# %% [markdown] {"slug": "claim-order-fact"}
# > **The fact.** The numbers are indices in *CUDA's* order, and its default is `FASTEST_FIRST`:
# > here `2` was the RTX 2080 Ti. With `CUDA_DEVICE_ORDER=PCI_BUS_ID` CUDA counts as nvidia-smi
# > does. The two differ only in machines with different cards; there, always set it.
#
# NVIDIA does not document how CUDA compares cards. Our virtual machine goes by the FLOP/s of the
# data sheets, and its cards were chosen so that newer, larger and faster agree about the first two.
#
# A UUID does not depend on any order. It may be shortened, as long as only one card begins with it.

# %% {"concepts": ["C112"], "errata": ["E42"], "slug": "uuid"}
uuid = listed.splitlines()[0].split("UUID: ")[1][:12]
by_uuid = {"CUDA_VISIBLE_DEVICES": uuid}
both = {"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}
print(uuid, [seen.visible for seen in look(by_uuid, both, cards=mixed)])

# %% [markdown] {"slug": "when"}
# It is card 0 both times, the T4. For a script that should use one particular card for years, a
# UUID is the best name: it stays the same when a card is added or moved to another slot.
#
# ## 4. When it counts
#
# The variable can be changed at any time. When is it read? Here is a program that changes it twice.
# `watch` runs it in a child process with four virtual GPUs. After each line it notes what the
# environment says, and which cards CUDA would use.

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
# The picture shows, for each line, what the environment said and which cards CUDA would have used.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "moment-shown"}
moment_map(steps)

# %% [markdown] {"slug": "claim-only-asks-fact"}
# > **The fact.** CUDA reads the variable **once in a process**, at its first use, and keeps the
# > list from then on. `is_available()` is such a use: it asks CUDA how many devices there are, and
# > for that the driver starts. Later changes reach the environment, but CUDA no longer reads it.
#
# Two lines do not use CUDA: `import torch`, and, on ordinary systems, `device_count()`, which asks
# NVML, the library behind nvidia-smi. So the first assignment above still counted. (With
# `PYTORCH_NVML_BASED_CUDA_CHECK=1` in the environment `is_available()` asks NVML as well.)
#
# The safe places, best first:
#
# 1. outside the program, in the shell or the job script (section 5);
# 2. in the first lines of the program, before `import torch` and anything else that may use CUDA;
# 3. in a notebook, in its first cell. Later, only a restart of the kernel helps.
#
# Is it too late in this process? We use a GPU, and ask.

# %% {"concepts": ["C112"], "errata": ["E40"], "slug": "too-late"}
torch.ones(1, device=devices[0])
torch.cuda.is_initialized()

# %% [markdown] {"slug": "two-defaults"}
# `True`: for this kernel it is too late. (`False` would not mean that it is still early enough:
# `is_available()` makes CUDA read the variable, although torch then reports that it is not
# initialised.)
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
# ## 5. Run: a program on chosen cards
#
# A process hands its environment on to the processes that it starts. So the best way to set the
# variable is in the command that starts the program, and the program need not know about it:
#
# | where | what to write |
# |---|---|
# | Linux, macOS | `CUDA_VISIBLE_DEVICES=2 python training.py` |
# | Windows, cmd | `set CUDA_VISIBLE_DEVICES=2&& python training.py` |
# | Windows, PowerShell | `$env:CUDA_VISIBLE_DEVICES='2'; python training.py` |
#
# The first applies to this one command. The other two change the shell, and apply to all commands
# that follow in it, as `export CUDA_VISIBLE_DEVICES=2` does on Linux. (In cmd, a space before `&&`
# would become part of the value.)
#
# From Python, we give a child a **copy** of the environment with one change:

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
# What does a program have to change when it gets another card? We run one on card 0 and on card 3,
# and let it print the beginning of the card's UUID, and the device of a tensor.

# %% {"slug": "portable-predict"}
predict("05.portable")

# %% {"concepts": ["C107", "C108"], "slug": "portable-shown"}
program = """
import torch
x = torch.ones(2).to("cuda")
print(str(torch.cuda.get_device_properties(x.device).uuid)[:8], x.device)
"""
answers = [run_child(program, CUDA_VISIBLE_DEVICES=card) for card in ("0", "3")]
print(*answers, sep="\n")
reveal("05.portable", answers[1].split()[-1])

# %% [markdown] {"slug": "portable-explained"}
# The person who starts a program chooses the cards, and the program uses what it is given. Physical
# numbers do not belong in a program.
#
# This is also how people share a machine. Some set the variable by agreement, some have a scheduler
# that sets it for every job. Does it keep a program away from other people's cards?
#
# > **Claim in circulation.** “With `CUDA_VISIBLE_DEVICES` the administrator sees to it that a
# > program cannot use other cards.”
#
# A program that was started on card 2 takes the other cards:

# %% {"concepts": ["C105"], "slug": "claim-lock"}
takes_others = 'import os; os.environ["CUDA_VISIBLE_DEVICES"] = "0,1,3"'
print(run_child(takes_others + "\n" + tell, CUDA_VISIBLE_DEVICES="2"))

# %% [markdown] {"slug": "claim-lock-fact"}
# It has three devices, and none of these cards was given to it.
#
# > **The fact.** The variable is an agreement and not a lock: every program can change its own
# > environment before it uses CUDA. Schedulers that must be sure hide the device files of the other
# > cards from the process. So respect a value that is set: `setdefault` does, an assignment does
# > not.
#
# ## 6. Three ideas called "the main GPU"
#
# Tutorials about several GPUs speak of *the main GPU*, "usually gpu0". They mean one of three
# different things, all of them with logical indices. The first is the **current device** of the
# process, the one that `cuda` without an index stands for.

# %% {"concepts": ["C106"], "slug": "current"}
with torch.cuda.device(1):
    inside = torch.ones(1, device="cuda")
outside = torch.ones(1, device="cuda")
inside.device, outside.device

# %% [markdown] {"slug": "parallel"}
# It is `cuda:1` inside, and `cuda:0` outside again. The other two are arguments of
# `nn.DataParallel`, which lets several GPUs work on one batch (lesson 07): `device_ids[0]`, where
# it keeps the module, and `output_device`. By default these two are the same. They need not be:

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
# So there are three answers to "which is the main GPU?". Always say which one you mean.
#
# > **Claim in circulation.** “With `cuda:1` and `CUDA_VISIBLE_DEVICES="1,2,3"` the main card is
# > card 2: `nn.DataParallel(net).to("cuda:1")`.”
#
# `cuda:1` is card 2 there, as you know. The rest we can try in this process.

# %% {"concepts": ["C106", "C109"], "errata": ["E46"], "slug": "claim-main-shown"}
parallel = nn.DataParallel(nn.Linear(2, 1)).to("cuda:1")
print("device_ids:", parallel.device_ids)
try:
    parallel(torch.ones(4, 2, device="cuda:1"))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "claim-main-fact"}
# > **The fact.** `DataParallel` takes all visible devices, beginning with 0, and expects the module
# > on `device_ids[0]`. Moving the module is not enough: name the devices, the main one first.

# %% {"concepts": ["C106", "C108"], "errata": ["E46"], "slug": "claim-main-cured"}
parallel = nn.DataParallel(nn.Linear(2, 1).to("cuda:1"), device_ids=[1, 2, 3])
parallel(torch.ones(4, 2, device="cuda:1")).device

# %% [markdown] {"slug": "bring-back"}
# The result is on `cuda:1`. There is a simpler way: put the card that you want first in
# `CUDA_VISIBLE_DEVICES`, and leave all indices in the program as they are.
#
# **Bring back** is the last of the four words, and the easiest here: `cpu` means the same in every
# process. Bring a result there if other processes will read it. They may number their cards
# differently, and then `cuda:1` is another card for them, or none.

# %% {"concepts": ["C108"], "slug": "bring-back-shown"}
result = output.cpu()
output.device, result.device

# %% [markdown] {"slug": "clinic"}
# ## 7. Error clinic
#
# Here are four messages about devices that do not exist. The question is always: is it the index,
# the variable, or the installation?

# %% [markdown] {"slug": "clinic-ordinal"}
# **Case 1.** Cards 2 and 3 are visible, and the program says `cuda:2`.

# %% {"concepts": ["C104"], "errata": ["E20"], "slug": "clinic-ordinal-shown"}
print(run_child('import torch; torch.ones(1, device="cuda:2")', CUDA_VISIBLE_DEVICES="2,3"))

# %% [markdown] {"slug": "clinic-ordinal-read"}
# - *invalid device ordinal*: an ordinal is an index. There is no device with this one.
# - *GPU device may be out of range, do you have enough GPUs?*: count the **visible** ones. Older
#   versions of torch leave this line out; very old ones say `cuda runtime error (101) : invalid
#   device ordinal at …`.
# - *run with CUDA_LOG_FILE=stderr*: CUDA can write a log of its own. Older versions of torch say
#   *CUDA kernel errors might be asynchronously reported …* here, as under every CUDA error; for
#   this one the line in the traceback is right.
#
# **Cure:** use the logical index. The card that nvidia-smi calls 2 is `cuda:0` here.

# %% {"concepts": ["C104"], "slug": "clinic-ordinal-cured"}
print(run_child('import torch; print(torch.ones(1, device="cuda:0"))', CUDA_VISIBLE_DEVICES="2,3"))

# %% [markdown] {"slug": "clinic-hidden"}
# Now there is a tensor on `cuda:0`.
#
# **Case 2.** The machine has GPUs, the driver works, and still:

# %% {"concepts": ["C101"], "errata": ["E44"], "slug": "clinic-hidden-shown"}
print(run_child('import torch; torch.ones(1, device="cuda")', CUDA_VISIBLE_DEVICES="-1"))

# %% [markdown] {"slug": "clinic-hidden-read"}
# - *No CUDA GPUs are available*: torch can use CUDA, the driver answered, and there is no device.
#   The message does not say why.
# - Suspect the value first: empty, `-1`, brackets, a card named twice, a number that is too large.
#
# A related message is `CUDA unknown error - this may be due to an incorrectly set up environment,
# e.g. changing env variable CUDA_VISIBLE_DEVICES after program start`: then suspect the moment.
#
# **Cure:** print the variable with `repr`, in the process that fails, and repair its value.

# %% {"concepts": ["C111"], "slug": "clinic-hidden-cured"}
print(run_child('import os, torch; print(repr(os.environ["CUDA_VISIBLE_DEVICES"])); '
                'print(torch.ones(1, device="cuda"))', CUDA_VISIBLE_DEVICES="1"))

# %% [markdown] {"slug": "clinic-id"}
# One card is visible, and the tensor is on it.
#
# **Case 3.** Somebody gives `DataParallel` one index more than there are devices.

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
# These are all visible devices, from 0 on.
#
# **Case 4.** This time without virtual GPUs: a child process that has only what your computer has.

# %% {"concepts": ["C104"], "slug": "clinic-build-shown"}
print(run_bare_child("import torch; torch.cuda.init(); print('CUDA has started')"))

# %% [markdown] {"slug": "clinic-build-read"}
# What you see depends on your computer:
#
# - *CUDA has started*: there is a real GPU.
# - *Torch not compiled with CUDA enabled*: this torch is a build for the CPU alone.
# - *Found no NVIDIA driver on your system*: this torch can use CUDA, but the driver is missing.
# - *No CUDA GPUs are available*: there are both, but no card is visible. That is case 2.
#
# **Cure:** for the second, install a build of torch with CUDA; for the third, the driver. No value
# of `CUDA_VISIBLE_DEVICES` helps with either. And a program that should run everywhere asks before
# it chooses:

# %% {"concepts": ["C104"], "slug": "clinic-build-cured"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
torch.ones(1, device=device).device

# %% [markdown] {"slug": "recap"}
# With the GPUs of this lesson it is `cuda:0`.
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
# 3. When does a change of the variable come too late?
# 4. Why can number 2 of nvidia-smi be another card than number 2 of CUDA? What helps?
# 5. Which three things are called "the main GPU"?
#
# <details><summary>Answers</summary>
#
# 1. `cuda:0` is card 3. There is no `cuda:3`: two devices, `cuda:0` and `cuda:1`.
# 2. The first two hide every card, the last hides none.
# 3. After the first use of CUDA in the process, and `torch.cuda.is_available()` is one.
# 4. nvidia-smi counts along the bus, CUDA counts the fastest first.
#    `CUDA_DEVICE_ORDER=PCI_BUS_ID`, or UUIDs.
# 5. The current device; `device_ids[0]`, where `DataParallel` keeps the module; and
#    `output_device`, where it gathers the results.
#
# </details>
#
# In four words: **choose** cards in the environment, before CUDA starts. **Move** data to logical
# devices, which begin with `cuda:0` in every process. **Run** the same program on other cards by
# setting another value. **Bring back** what other processes will read: they may number their cards
# differently.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `05_visible`. You will read values as torch does, find the card behind a device,
# mend a job that uses the wrong GPUs, predict which cards a program works with, count GPUs in a
# child process, find `cuda:0` in a machine with different cards, and run several jobs at the same
# time, each on cards of its own.
#
# **Next lesson:** 06, *Finding the freest GPU*: which card has the most free memory, and how a
# program chooses it by itself. If it is not in your copy of the course, it is still to come.
