# %% [markdown] {"slug": "title"}
# # Know your machine
#
# *On the Right Device*, lesson 01 · [Glossary](glossary.md)
#
# You have an account on a server with three GPUs, and so do others. Which GPU does your program
# get, and will it have room there? This lesson teaches you to see what a machine has and who uses
# it, to name its devices in PyTorch, and to say which work suits a GPU at all.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** every field of `nvidia-smi`, on Linux and on Windows;
# - **choose** a card with room, and find out who uses the others;
# - **tell** the driver's CUDA, PyTorch's CUDA and the toolkit apart;
# - **name** a device, and know when PyTorch checks whether it exists;
# - **predict** where a new tensor is created;
# - **estimate** whether a task suits a GPU;
# - **read** five errors, and cure them.
#
# **Minutes:** 58
#
# **Prerequisites:** Python (functions, `try`); what a tensor is. No GPU and no knowledge of GPUs.
#
# Before a surprising cell you are asked for a prediction, or whether a claim is true. Choose an
# answer even if you have to guess: a wrong guess helps you remember. Every cell runs with or
# without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The course in one breath: find the machine's GPUs (this lesson), move tensors and models to them
# (02, 03), choose among several (04 to 06), use several at once (07, 11), measure (08), feed them
# with data (09), save and load (10), and put everything together (12).
#
# The imports of this lesson take a few seconds.

# %% {"concepts": ["C004"], "slug": "imports"}
import os
import re
import shutil
from timeit import repeat

import torch

# %% [markdown] {"slug": "before-tools"}
# And the tools of the course:
# %% {"slug": "imports-course"}
from course_utils import claim, explore, lab, predict, quiz, reveal, verdict
from course_utils.experiments import project
from course_utils.experiments.children import commands_use_lab, run_bare_child
from course_utils.experiments.processors import CPU, GPU, Work
from course_utils.experiments.servers import on_server, python_on_server
from course_utils.figures import learning_curve, processors_map, work_chart

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about what you may know already.

# %% {"slug": "before-1-quiz"}
quiz("01.before.process")

# %% {"slug": "before-2-quiz"}
quiz("01.before.mebibytes")

# %% {"slug": "before-3-quiz"}
quiz("01.before.product")

# %% [markdown] {"slug": "no-room"}
# ## 1. A program on a shared server · 4 min
#
# A server that several people share has three graphics cards. `nvidia-smi`, NVIDIA's tool for the
# command line, lists them. (The server is *virtual*: a process on this computer plays it, so that
# everybody sees the same cards. `on_server` runs a command there.)

# %% {"concepts": ["C005", "C009"], "slug": "cards"}
print(on_server("nvidia-smi -L"))

# %% [markdown] {"slug": "program"}
# Each line is a card: its index, its name, and a [UUID](glossary.md#uuid), a string that no other
# card has. Now a program that needs 3 GiB. `"cuda"` is PyTorch's word for an NVIDIA GPU.

# %% {"slug": "program-shown"}
program = """
import torch
x = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")
print("3 GiB on", x.device)
"""

# %% [markdown] {"slug": "program-question"}
# The program names no card. The first card has 1.6 GiB of free memory, the second 30 GiB, the third
# 11 GiB.

# %% {"slug": "room-predict"}
predict("01.room")

# %% {"concepts": ["C015"], "slug": "room-shown"}
printed = python_on_server(program)
print(printed.split(" Including")[0])
reveal("01.room", "an error" if "Error" in printed else printed.removeprefix("3 GiB on "))

# %% [markdown] {"slug": "room-read"}
# Read the message from left to right: what did not fit, how large card 0 is, what is free there,
# and who has the rest, *Process 48213*. (We cut it off there: the rest is about this process
# itself.) Whose process is that, and which card has room? The next section asks the machine.
#
# ## 2. Read nvidia-smi · 15 min
#
# Without options, `nvidia-smi` prints a table. (In a notebook, a line that begins with `!` runs a
# command as a terminal does: `!nvidia-smi`.)

# %% {"concepts": ["C005", "C006", "C007", "C009", "C018"], "slug": "table"}
print(on_server("nvidia-smi"))

# %% [markdown] {"slug": "table-read"}
# The upper half shows the cards. The header has three rows, and so has each card: read a value
# under the name in the same place. The lower half shows processes, and for each the index of its
# card. This is a snapshot; a minute later it may look different.
#
# The fields that you will look at every day:
#
# | field | what it shows |
# |---|---|
# | `Memory-Usage` | memory that all processes use, and all that there is; the driver keeps a little |
# | `GPU-Util` | share of the last moments in which anything ran on the GPU |
# | `Perf`, `Pwr:Usage/Cap` | P0 is the fastest state, P12 the slowest; watts now, and at most |
# | `PID` | number of the process; on Linux, `ps -o user= -p PID` says whose it is |
# | `Type` | C computes, G draws (graphics), C+G both |
#
# What about the others? Move the slider from field to field, then switch to Windows, where the same
# tool prints a slightly different table.

# %% {"concepts": ["C010", "C011", "C012", "C013", "C014", "C016", "C017"], "slug": "fields"}
explore("smi")

# %% [markdown] {"slug": "fields-windows"}
# `N/A` means *not available*, and its reason differs from field to field. One case confuses
# many readers.

# %% {"concepts": ["C010", "C019"], "errata": ["E93"], "slug": "windows-quiz"}
quiz("01.windows")

# %% [markdown] {"slug": "which"}
# Back to the server. Your next job needs 25 GiB for an hour, and nobody else should suffer from it.
# Which card do you take? Use the table above.

# %% {"slug": "which-predict"}
predict("01.which")

# %% {"concepts": ["C015", "C020"], "slug": "which-shown"}
columns = "index,memory.free,memory.total,utilization.gpu"
printed = on_server(f"nvidia-smi --query-gpu={columns} --format=csv,noheader,nounits")
rows = [[int(number) for number in line.split(", ")] for line in printed.splitlines()]
for index, free, total, busy in rows:
    print(f"card {index}: {free / 1024:4.1f} of {total / 1024:.0f} GiB free, {busy} % busy")
reveal("01.which", f"card {next(index for index, free, *_ in rows if free >= 25 * 1024)}")

# %% [markdown] {"slug": "which-read"}
# `--query-gpu` prints chosen columns for a program to read; lesson 06 builds on it.
#
# Somebody's program sits on card 1, with `GPU-Util` at 0 %. You will hear this rule:

# %% {"slug": "idle-claim"}
claim("01.claim.idle")

# %% {"concepts": ["C016", "C020", "C021"], "slug": "idle-shown"}
code = 'import torch; torch.empty(35 * 2**30, dtype=torch.uint8, device="cuda:1")'
print(python_on_server(code).split(" Including")[0])
verdict("01.claim.idle")

# %% [markdown] {"slug": "yours"}
# Low memory and low utilisation do not say *why* a program uses little of its GPU. Lesson 08 finds
# that out.
#
# ### Your own machine
#
# Now the machine in front of you. `lab` takes four real GPUs if the machine has that many, and
# virtual ones otherwise. It says which.

# %% {"concepts": ["C038"], "slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]
commands_use_lab()  # what we start with ! finds them, too
print("GPUs that PyTorch sees:", torch.cuda.device_count())

# %% [markdown] {"slug": "yours-virtual"}
# If it says *virtual*, the CPU does the computing behind the scenes. Devices, error messages and
# counted memory are those of a real GPU; **the speed is not**.
#
# Which line of the table is yours? Put something on the second GPU, and look for your PID.

# %% {"concepts": ["C005", "C018"], "slug": "yours-shown"}
block = torch.zeros(256, 1024, 1024, device=gpu1)  # 1 GiB
print("my PID:", os.getpid())
# !nvidia-smi

# %% [markdown] {"slug": "yours-read"}
# On virtual GPUs load, temperature and watts are modelled; a real card that only holds a tensor
# shows a load of about 0 %. It also shows some hundred MiB more than 1 GiB: the CUDA context, which
# each process needs on each card that it uses. In a container the list of processes may be empty,
# or have other numbers.

# %% {"slug": "yours-freed"}
del block

# %% [markdown] {"slug": "versions"}
# ## 3. Three versions of CUDA · 6 min
#
# CUDA is NVIDIA's platform for computing on GPUs, and its version is a frequent cause of trouble.
# The server's table shows one in its first line.

# %% {"slug": "cuda-claim"}
claim("01.claim.cuda")

# %% {"concepts": ["C008"], "errata": ["E94"], "slug": "cuda-shown"}
header = re.search(r"CUDA Version: \S+", on_server("nvidia-smi")).group()
print("the server's driver: ", header)
print("the server's PyTorch:", python_on_server("import torch; print(torch.version.cuda)"))
print("your own toolkit:    ", shutil.which("nvcc") or "none: there is no nvcc")
verdict("01.claim.cuda")

# %% [markdown] {"slug": "versions-read"}
# Three parts of a machine have a CUDA version:
#
# | part | where it says so | what it is for |
# |---|---|---|
# | [driver](glossary.md#driver) | `nvidia-smi`, first line | the newest CUDA that may be used |
# | PyTorch | `torch.version.cuda` | the libraries in PyTorch; `None` in a build for the CPU |
# | [CUDA toolkit](glossary.md#cuda-toolkit) | `nvcc --version` | compiling CUDA code of your own |
#
# (With virtual GPUs, `torch.version.cuda` is 13.0 even in a build for the CPU.)
#
# To **run** a model you need the first two. The driver must support PyTorch's CUDA; since CUDA 11
# the same major version is enough, and a higher one is fine. Most drivers that report 12.2 run a
# PyTorch built with 12.6; none runs one built with 13.0 (unless NVIDIA's compatibility package for
# data-centre cards is installed). PyTorch then says: *The NVIDIA driver on your system is too old*.
#
# To **compile** extensions you need the toolkit as well, with the major version of
# `torch.version.cuda`. The driver's CUDA version plays no part in compiling.

# %% {"concepts": ["C008"], "slug": "compile-quiz"}
quiz("01.compile")

# %% [markdown] {"slug": "sees"}
# One more sentence to judge:

# %% {"slug": "sees-claim"}
claim("01.claim.sees")

# %% {"concepts": ["C005", "C038"], "slug": "sees-shown"}
hidden = 'import os; os.environ["CUDA_VISIBLE_DEVICES"] = ""\n'
ask = "import torch; print('PyTorch sees', torch.cuda.device_count(), 'GPUs')"
print("nvidia-smi lists", len(on_server("nvidia-smi -L").splitlines()), "cards")
print(python_on_server(hidden + ask))
verdict("01.claim.sees")

# %% [markdown] {"slug": "sees-read"}
# The usual reasons, in the order in which to check them: a PyTorch for the CPU (its error: *Torch
# not compiled with CUDA enabled*), cards that are hidden (lesson 05), a container that was started
# without GPUs, a driver that is too old. So ask PyTorch itself:
# [`torch.cuda.is_available()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_available.html).
#
# ## 4. Name a device · 10 min
#
# [`torch.device`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) gives a
# [device](glossary.md#device) a name: a type, and perhaps an index. Indices begin at 0, so
# `cuda:1` is the *second* GPU.

# %% {"concepts": ["C030", "C031", "C036"], "slug": "names"}
for name in ("cpu", "cuda", "cuda:1"):
    device = torch.device(name)
    print(f"{device!s:7} {device!r:33} type: {device.type}, index: {device.index}")

# %% [markdown] {"slug": "type-read"}
# `cuda` is a type, not a synonym of *GPU*: PyTorch for AMD's GPUs uses the same word, Intel's are
# `xpu` and Apple's `mps`.
#
# Every tensor has a device, `x.device`, and its index is always filled in for a GPU. So how do you
# ask whether a tensor is on the first GPU?

# %% {"slug": "equal-predict"}
predict("01.equal")

# %% {"concepts": ["C031"], "errata": ["E16"], "slug": "equal-shown"}
x = torch.ones(2, device="cuda:0")
print("type:", x.device.type == "cuda", "| with its index:", x.device == torch.device("cuda:0"))
reveal("01.equal", x.device == torch.device("cuda"))

# %% [markdown] {"slug": "current"}
# Then which GPU does `"cuda"` mean? The [current device](glossary.md#current-device), which is
# `cuda:0` when a program starts. In many programs you will find blocks that begin with
# `with torch.cuda.device(1):`. What do they change?

# %% {"slug": "block-predict"}
predict("01.block")

# %% {"concepts": ["C034"], "errata": ["E15", "E16"], "slug": "block-shown"}
with torch.cuda.device(1):
    plain, named = torch.ones(2), torch.ones(2, device="cuda")
    print("an index of its own:", torch.ones(2, device="cuda:3").device)
print("after the block:    ", torch.ones(2, device="cuda").device)
reveal("01.block", f"{plain.device} and {named.device}")

# %% [markdown] {"slug": "two-devices"}
# Two names that differ by a few letters, and by what they are:
#
# | | what it is | what it does |
# |---|---|---|
# | `torch.device("cuda:1")` | a name | nothing by itself; functions take it as `device=`, and `with` makes it the default (lesson 02) |
# | `torch.cuda.device(1)` | a context manager | changes what `"cuda"` means, in its block |
#
# In PyTorch, new tensors are on the CPU until you say otherwise. (Not every framework does so:
# TensorFlow and JAX choose a GPU by themselves.)
#
# ### Does it exist?
#
# Here are three lines for a machine that does not have a hundred GPUs.

# %% {"concepts": ["C041"], "slug": "label-program"}
lines = [
    'device = torch.device("cuda:100")',
    'print("the name:", device)',
    "x = torch.ones(2, device=device)",
]

# %% [markdown] {"slug": "label-question"}
# We run them one after the other until one of them raises an error.

# %% {"slug": "label-predict"}
predict("01.label")

# %% {"concepts": ["C041", "C044"], "errata": ["E20"], "slug": "label-shown"}
try:
    for number, line in enumerate(lines, start=1):
        outcome = f"line {number}"
        exec(line)
    outcome = "none"
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
reveal("01.label", outcome)

# %% [markdown] {"slug": "label-read"}
# To name is not to move, and not to check. Nothing happens before a tensor is created there or
# moved there.
#
# That is why this function, which circulates in several notes, does not keep its promise:

# %% {"concepts": ["C039", "C041", "C042"], "errata": ["E19", "E20", "E21"], "slug": "try-gpu"}
def try_gpu(i=0):
    """Return GPU number i if it exists, and the CPU otherwise."""
    if torch.cuda.device_count() >= 1:
        return torch.device("cuda", i)
    return torch.device("cpu")

print(try_gpu(), "|", try_gpu(100))

# %% [markdown] {"slug": "try-gpu-read"}
# The machine has no `cuda:100`, and the function returns its name all the same. It tests whether
# there is *any* GPU; whether number `i` exists is another question. The assignment asks you to
# answer it.
#
# Its companion, which returns all GPUs, is right. It asks for the count once, and its list is never
# empty:

# %% {"concepts": ["C038", "C040", "C042"], "errata": ["E21"], "slug": "all-gpus"}
def all_gpus():
    """Return every GPU, or the CPU alone where there is none."""
    gpus = [torch.device("cuda", index) for index in range(torch.cuda.device_count())]
    return gpus or [torch.device("cpu")]

print(all_gpus())

# %% [markdown] {"slug": "agnostic"}
# Most programs need one device, and choose it in one line at the top. You will find the first line
# below everywhere. The second uses
# [`torch.accelerator`](https://docs.pytorch.org/docs/stable/accelerator.html), and does the same
# for whatever kind of GPU this PyTorch was built for.

# %% {"concepts": ["C022", "C033", "C037", "C043"], "slug": "agnostic-shown"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("torch.cuda:       ", device)
device = torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
print("torch.accelerator:", device, "| devices of this type:", torch.accelerator.device_count())

# %% [markdown] {"slug": "suits"}
# ## 5. What suits a GPU · 9 min
#
# A CPU has few cores. Each is fast by itself: a high clock, large caches, much circuitry that
# guesses what comes next. A GPU has thousands of simple ones, in groups. Within a group, 32 of them
# at a time run the same instruction on different numbers.

# %% {"concepts": ["C001", "C002", "C003"], "slug": "processors"}
processors_map()

# %% [markdown] {"slug": "processors-read"}
# (What NVIDIA calls a *core* is one arithmetic unit. Each core of the CPU above has 16 of them for
# float32.)
#
# So a GPU needs thousands of operations that do not wait for each other. To add two long vectors is
# such work. To follow a chain, where each step needs the result of the one before, is not: there
# one GPU core would work, more slowly than one of the CPU.
#
# The second number to look at is how many bytes an operation needs. Take two matrices of 4096 ×
# 4096 numbers, and compare their sum with their product. Both read two matrices and write one. (A
# product that makes poor use of the caches reads them many times.)

# %% {"slug": "operations-predict"}
predict("01.operations")

# %% {"concepts": ["C002"], "slug": "operations-shown"}
n = 4096
traffic = 3 * n * n * 4  # two matrices read, one written, 4 bytes each number
addition = Work(bytes=traffic, operations=n * n)
product = Work(bytes=traffic, operations=2 * n**3)  # n multiplications and n additions per number
print(f"for each byte: {addition.intensity:.2f} and {product.intensity:,.0f} operations")
reveal("01.operations", f"about {round(product.operations / addition.operations, -3):,.0f} times")

# %% [markdown] {"slug": "intensity"}
# Operations for each byte: that is the [arithmetic intensity](glossary.md#arithmetic-intensity) of
# a task. A processor fetches bytes and computes at the same time, so it needs at least the longer
# of two times: bytes divided by [bandwidth](glossary.md#bandwidth), and operations divided by its
# rate.

# %% {"concepts": ["C002"], "slug": "intensity-drawn"}
work_chart({"addition": addition, "product": product})

# %% [markdown] {"slug": "intensity-read"}
# By these data sheets, the addition waits for memory on both processors: twice the arithmetic would
# change nothing. The product keeps the arithmetic busy. How large is the difference on your own
# CPU?

# %% {"slug": "rates-predict"}
predict("01.rates")

# %% {"concepts": ["C001"], "slug": "rates-shown"}
a, b, rates = torch.rand(1024, 1024), torch.rand(1024, 1024), []
for work, operations in ((lambda: a + b, 1024**2), (lambda: a @ b, 2 * 1024**3)):
    rates.append(operations / min(repeat(work, number=1, repeat=5)))
print(f"10⁹ operations a second: addition {rates[0] / 1e9:.2g}, product {rates[1] / 1e9:.3g}")
ratio = rates[1] / rates[0]
reveal("01.rates", "above 30" if ratio > 30 else "from 3 to 30" if ratio > 3 else "below 3")

# %% [markdown] {"slug": "faster"}
# (The best of five runs each, on a computer that also does other things: only the order of
# magnitude counts.)
#
# And now the sentence that everybody has heard:

# %% {"slug": "faster-claim"}
claim("01.claim.faster")

# %% {"concepts": ["C002"], "slug": "faster-shown"}
launch = 5e-6  # seconds to start work on a GPU, modelled
for size in (32, 256, 2048):
    work = Work(bytes=3 * size * size * 4, operations=2 * size**3)
    times = CPU.seconds(work), launch + GPU.seconds(work)
    on_cpu, on_gpu = (f"{seconds * 1e6:7.1f} µs" for seconds in times)
    print(f"product, {size:4} × {size:4}: CPU {on_cpu}, GPU {on_gpu}")
verdict("01.claim.faster")

# %% [markdown] {"slug": "clinic"}
# (Nominal times from the two data sheets, and a modelled launch; nothing here was measured. The
# microseconds that Python takes for each call are left out on both sides.)
#
# ## 6. Error clinic · 5 min
#
# Four wrong names for a device, and a tool that fails.
#
# **Case 1.** The quotation marks are missing.

# %% {"concepts": ["C032"], "errata": ["E01"], "slug": "clinic-name-shown"}
try:
    torch.device(cpu)
except NameError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-name-read"}
# - *NameError*: Python looked for a variable called `cpu`. PyTorch was never asked.
#
# **Cure:** a device is named by a string: `torch.device("cpu")`.
#
# **Case 2.** The obvious word.

# %% {"concepts": ["C033"], "errata": ["E14"], "slug": "clinic-gpu-shown"}
try:
    torch.device("gpu")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-gpu-read"}
# - *Expected one of*: all types that PyTorch knows. `gpu` is not among them, and neither is `CUDA`
#   in capitals.
#
# **Cure:** `"cuda"`, or `torch.accelerator`, which knows the word for your machine.
#
# **Case 3.** Two GPUs at once.

# %% {"concepts": ["C035"], "errata": ["E18"], "slug": "clinic-list-shown"}
try:
    torch.device("cuda:[0,1]")
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-list-read"}
# - *Invalid device string*: the type is right, and what follows the colon is no index.
#
# **Cure:** a tensor lives on one device. Which GPUs a *process* may use is set outside it (lesson
# 05); which GPUs a *model* uses is set by lists such as `device_ids=[0, 1]` (lesson 07).
#
# **Case 4.** The context manager in place of the name.

# %% {"concepts": ["C034"], "errata": ["E15"], "slug": "clinic-context-shown"}
try:
    torch.ones(2, device=torch.cuda.device("cuda:1"))
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-context-read"}
# - *must be torch.device, not device*: both types are called `device`, and only one has `cuda` in
#   front. If you print a `torch.cuda.device` you get `<torch.cuda.device object at 0x…>`, which is
#   not the name of a device.
#
# **Cure:** `device=torch.device("cuda:1")`, or simply `device="cuda:1"`.
#
# **Case 5.** `nvidia-smi` itself fails. (We start it where there is no driver.)

# %% {"concepts": ["C005"], "slug": "clinic-driver-shown"}
print(run_bare_child("import subprocess, virtual_cuda; virtual_cuda.install_nvidia_smi()\n"
                     "subprocess.run('nvidia-smi')"))

# %% [markdown] {"slug": "clinic-driver-read"}
# - *couldn't communicate with the NVIDIA driver*: the tool is installed, and the driver is not
#   running, often after an update of the system.
# - *Driver/library version mismatch* instead: the driver was updated, and the old one still runs.
# - *command not found* instead: neither is installed, or the container does not have them.
#
# **Cure:** restart the machine, or reinstall the driver; on a server, ask the administrator.
# Installing PyTorch again does not help.

# %% [markdown] {"slug": "project"}
# ## The project · 3 min
#
# Every lesson ends with the same program, `train.py`, and makes it better. A small CNN learns to
# recognise drawn shapes. The first version, in `project/start`, names no device. We run it on a
# machine with four GPUs; it takes about 10 seconds.

# %% {"slug": "project-runs"}
first = project.train("start", gpus=4, epochs=4)

# %% [markdown] {"slug": "project-curve-text"}
# It learns:

# %% {"slug": "project-curve"}
learning_curve(first)

# %% [markdown] {"slug": "project-smi-text"}
# And the GPUs? We run one epoch on the shared server. These are the script's arguments:

# %% {"slug": "project-arguments"}
home = first.folder.parent.parent
paths = ["--data", f"{home}/shapes", "--out", f"{home}/runs/01-on-the-server"]
arguments = ["train.py", "--epochs", "1", *paths]

# %% [markdown] {"slug": "project-smi-question"}
# While the program is still there, we ask `nvidia-smi` who computes. This takes about 5 seconds.

# %% {"concepts": ["C022"], "slug": "project-smi"}
script = f"""
import os, runpy, subprocess, sys, torch; torch.set_num_threads(1)
sys.argv = {arguments}
runpy.run_path("{home}/start/train.py", run_name="__main__")
subprocess.run("nvidia-smi --query-compute-apps=pid,used_memory --format=csv", shell=True)
print("train.py has the PID", os.getpid())
"""
print(python_on_server(script))

# %% [markdown] {"slug": "recap"}
# Only the colleagues' processes are listed. `train.py` does not use a GPU, because it never names
# one: new tensors are on the CPU. In lesson 02 it will.
#
# **Try:** does `!nvidia-smi` in a cell of your own list this notebook's process? Why? (`x` is still
# there.)
#
# ## What you learned · 3 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("01.after.row")

# %% {"slug": "recap-2-quiz"}
quiz("01.after.version")

# %% {"slug": "recap-3-quiz"}
quiz("01.after.suits")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which two fields do you look at before you take a card?
# 2. What does the CUDA version in `nvidia-smi` tell you, and what does it not?
# 3. When does PyTorch find out that `cuda:7` does not exist?
# 4. What does `"cuda"` without an index mean?
# 5. Which two numbers decide whether a task waits for memory?
#
# <details><summary>Answers</summary>
#
# 1. `Memory-Usage`, for the room, and `GPU-Util`, for who else is computing.
# 2. The newest CUDA that the driver supports. Not what is installed, nor what PyTorch has.
# 3. When a tensor is created there, or moved there.
# 4. The current device: `cuda:0`, unless the program has changed it.
# 5. Its operations for each byte, and the processor's rate divided by its bandwidth.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`01_machine`](../assignments/01_machine/01_machine.ipynb). You will read the
# processes out of `nvidia-smi`, predict which versions of CUDA go together and where tensors land,
# resolve device names, estimate which processor is faster, and mend a program that trusts a name.
#
# **Next lesson:** [02, *Tensors on devices*](02_tensors_on_devices.ipynb): how tensors get to a
# GPU, and what happens where two devices meet.
