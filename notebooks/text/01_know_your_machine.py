# %% [markdown] {"slug": "title"}
# # Know your machine
#
# *On the Right Device*, lesson 01 · [Glossary](glossary.md)
#
# You have an account on a server with three GPUs, and so do others. Which GPU does your program
# get, and will it have room there? This lesson teaches you to see what a machine has and who uses
# it, to name its devices in PyTorch, and to tell which work suits a GPU at all.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** the table that `nvidia-smi` prints, on Linux and on Windows;
# - **choose** a card with room, and find out who uses the others;
# - **say** which version of CUDA matters for what;
# - **name** a device, and make sure that it exists;
# - **predict** where a new tensor is created;
# - **estimate** whether a task suits a GPU;
# - **read** the errors that wrong names cause, and cure them.
#
# **Time:** about 1½ hours
#
# **Prerequisites:** Python (functions, `try`); what a tensor is. No GPU and no knowledge of GPUs.
#
# Before a surprising cell you are asked for a prediction, or whether a claim is true. Choose an
# answer even if you have to guess: a wrong guess helps you remember. Every cell runs with or
# without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 6 min
#
# In this course you find a machine's GPUs (this lesson), move tensors and models to them (02, 03),
# choose among several (04 to 06), use several at once (07, 11), measure (08), feed them with data
# (09), save and load (10), and put everything together (12).
#
# The imports of this lesson take a few seconds.

# %% {"concepts": ["C004"], "slug": "imports"}
import os
import re
from timeit import repeat

import torch

# %% [markdown] {"slug": "before-tools"}
# These are tools of the course:

# %% {"slug": "imports-course"}
from course_utils import claim, explore, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import commands_use_lab, run_bare_child
from lesson_parts import project
from lesson_parts.lesson01 import CPU, GPU, Work, on_server, processors_map, python_on_server
from lesson_parts.lesson01 import work_chart

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about what you may know already.

# %% {"slug": "before-1-quiz"}
quiz("01.before.process")

# %% {"slug": "before-2-quiz"}
quiz("01.before.mebibytes")

# %% {"slug": "before-3-quiz"}
quiz("01.before.product")

# %% [markdown] {"slug": "no-room"}
# ## 1. A program on a shared server · 6 min
#
# A server that several people share has three graphics cards. `nvidia-smi`, NVIDIA's tool for the
# command line, lists them. (The server is *virtual*: a process on this computer plays it, so that
# everybody sees the same cards. `on_server` runs a command there.)

# %% {"concepts": ["C005", "C009"], "slug": "cards"}
print(on_server("nvidia-smi -L"))

# %% [markdown] {"slug": "program"}
# Each line is a card: its index, its name, and a [UUID](glossary.md#uuid), a string that no other
# card has. Here is a program that needs 3 GiB. `"cuda"` is PyTorch's word for an NVIDIA GPU.

# %% {"slug": "program-shown"}
program = """
import torch
x = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")
print("3 GiB on", x.device)
"""

# %% [markdown] {"slug": "program-question"}
# The program names no card. At the moment, somebody else's program nearly fills card 0. The other
# two have room for 3 GiB.

# %% {"slug": "room-predict"}
predict("01.room")

# %% {"concepts": ["C015"], "slug": "room-shown"}
printed = python_on_server(program)
print(printed.split(" Including")[0])
reveal("01.room", "an error" if "Error" in printed else printed.replace("3 GiB", "a tensor"))

# %% [markdown] {"slug": "room-read"}
# Read the message from left to right: what did not fit, how large card 0 is, what is free there,
# and who has the rest, *Process 48213*. (We cut off what follows, which is about this process
# itself.) Whose process is that, and which card has how much room? The next section asks the
# machine.
#
# ## 2. Read nvidia-smi · 18 min
#
# Without options, `nvidia-smi` prints a table. (In a notebook, a line that begins with `!` runs a
# command as a terminal does: `!nvidia-smi`.)

# %% {"concepts": ["C005", "C006", "C007", "C009", "C018"], "slug": "table"}
print(on_server("nvidia-smi"))

# %% [markdown] {"slug": "table-read"}
# The upper half shows the cards. The header has three rows, and so has each card: read a value
# under the name in the same place. The lower half shows processes, each with the index of its card.
# All of it is a snapshot; a minute later it may look different.
#
# Three fields matter every day:
#
# | field | what it shows |
# |---|---|
# | `Memory-Usage` | memory that all processes use, and all that there is; the driver keeps a little |
# | `GPU-Util` | the share of the last moments in which anything ran on the GPU |
# | `PID` | number of the process; on Linux, `ps -o user= -p PID` says whose it is |
#
# For the others, there is a picture to come back to. Move the slider to a few fields that you
# wonder about, then switch to Windows, where the same tool prints a slightly different table.

# %% {"concepts": ["C010", "C011", "C012", "C013", "C014", "C016", "C017"], "slug": "fields"}
explore("smi")

# %% [markdown] {"slug": "fields-windows"}
# `N/A` means *not available*, and its reason differs from field to field. One case confuses
# many readers.

# %% {"concepts": ["C010", "C019"], "errata": ["E93"], "slug": "windows-quiz"}
quiz("01.windows")

# %% [markdown] {"slug": "which"}
# Back to the server: your next job needs 25 GiB. Which card do you take? Use the table above.

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
# Somebody's program sits on card 1, with `GPU-Util` at 0 %. (Card 1 is `cuda:1` here. By default,
# CUDA counts the fastest card first, so elsewhere it may not be: lesson 05.) You will hear this
# rule:

# %% {"slug": "idle-claim"}
claim("01.claim.idle")

# %% {"concepts": ["C016", "C020", "C021"], "slug": "idle-shown"}
code = 'import torch; torch.empty(35 * 2**30, dtype=torch.uint8, device="cuda:1")'
print(python_on_server(code).split(" Including")[0])
verdict("01.claim.idle")

# %% [markdown] {"slug": "yours"}
# Low numbers in the table do not say *why* a program uses little of its GPU. Lesson 08 finds out.
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
# Put something on the second GPU, and look for your PID in the table.

# %% {"concepts": ["C005", "C018"], "slug": "yours-shown"}
block = torch.zeros(64, 1024, 1024, device=gpu1)  # 256 MiB
print("my PID:", os.getpid())
# !nvidia-smi

# %% [markdown] {"slug": "yours-read"}
# The tensor takes 256 MiB, and the load is about 0 %: nothing computes. (On virtual GPUs, load,
# temperature and watts come from a model.) A real card shows several hundred MiB more, which each
# process needs on each card that it uses: the *CUDA context*. In a container the list of processes
# may be empty, or show other numbers.
#
# ## 3. Versions of CUDA · 10 min
#
# CUDA is NVIDIA's platform for computing on GPUs, and its version is a frequent cause of trouble.
# The server's table shows one in its first line.

# %% {"slug": "cuda-claim"}
claim("01.claim.cuda")

# %% {"concepts": ["C008"], "errata": ["E94"], "slug": "cuda-shown"}
header = re.search(r"CUDA Version: (\S+)", on_server("nvidia-smi"))
print("nvidia-smi on the server:", header[1])
print("PyTorch on the server:   ", python_on_server("import torch; print(torch.version.cuda)"))
verdict("01.claim.cuda")

# %% [markdown] {"slug": "versions-read"}
# (With virtual GPUs, `torch.version.cuda` is 13.0 even in a PyTorch built for the CPU.)
#
# Three parts of a machine have a CUDA version:
#
# | part | where it says so | what it tells |
# |---|---|---|
# | [driver](glossary.md#driver) | `nvidia-smi`, first line | the newest CUDA that it supports |
# | PyTorch | `torch.version.cuda` | the CUDA that came with PyTorch; `None` in a build for the CPU |
# | [CUDA toolkit](glossary.md#cuda-toolkit) | `nvcc --version` | what compiles CUDA code of your own |
#
# To **run** a model you need the first two. The driver's *major* version must not be lower than
# PyTorch's. A driver that reports 12.2 runs a PyTorch built with 12.6. With one built with 13.0,
# PyTorch says: *The NVIDIA driver on your system is too old*. (For cards of data centres, NVIDIA
# has a compatibility package.)
#
# To **compile** extensions you need the toolkit as well, with the major version of
# `torch.version.cuda`. The driver's CUDA version plays no part in compiling.
#
# The card has to fit, too. `torch.cuda.get_arch_list()` lists the generations of GPUs that this
# PyTorch was built for. On a card that is too old or too new for it, the first computation
# usually fails with *no kernel image is available for execution on the device*.

# %% {"concepts": ["C008"], "slug": "compile-quiz"}
quiz("01.compile")

# %% [markdown] {"slug": "sees"}
# One more claim, about the lists of cards:

# %% {"slug": "sees-claim"}
claim("01.claim.sees")

# %% {"concepts": ["C005", "C038"], "slug": "sees-shown"}
hidden = 'import os; os.environ["CUDA_VISIBLE_DEVICES"] = ""\n'
ask = "import torch; print('PyTorch sees', torch.cuda.device_count(), 'GPUs')"
print("nvidia-smi lists", len(on_server("nvidia-smi -L").splitlines()), "cards")
print(python_on_server(hidden + ask))
verdict("01.claim.sees")

# %% [markdown] {"slug": "sees-read"}
# So ask PyTorch itself:
# [`torch.cuda.is_available()`](https://docs.pytorch.org/docs/stable/generated/torch.cuda.is_available.html).
# If the answer is `False`, look in this order for a PyTorch built for the CPU (its error: *Torch not
# compiled with CUDA enabled*), hidden cards (lesson 05), a container that was started without GPUs,
# and a driver that is too old.
#
# ## 4. Name a device · 14 min
#
# A [`torch.device`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) stands for a
# [device](glossary.md#device): it has a type, and perhaps an index. Indices begin at 0, so `cuda:1`
# is the *second* GPU.

# %% {"concepts": ["C030", "C031", "C036"], "slug": "names"}
for name in ("cpu", "cuda", "cuda:1"):
    device = torch.device(name)
    print(f"{device!s:7} {device!r:33} type: {device.type}, index: {device.index}")

# %% [markdown] {"slug": "label-program"}
# Here are three lines for a machine that does not have a hundred GPUs.

# %% {"concepts": ["C041"], "slug": "label-lines"}
lines = [
    'device = torch.device("cuda:100")',
    'print("made:", device)',
    "x = torch.ones(2, device=device)",
]

# %% [markdown] {"slug": "label-question"}
# We run them one after the other.

# %% {"slug": "label-predict"}
predict("01.hundred")

# %% {"concepts": ["C041", "C044"], "errata": ["E20"], "slug": "label-shown"}
try:
    for number, line in enumerate(lines, start=1):
        outcome = f"line {number}"
        exec(line)
    outcome = "none of them"
except RuntimeError as error:
    print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
reveal("01.hundred", outcome)

# %% [markdown] {"slug": "label-read"}
# *Ordinal* is CUDA's word for the index. A `torch.device` is only a name: making one asks no GPU
# and moves nothing. (The index has 8 bits: of `cuda:128` PyTorch makes `cuda:-128`.) That is why
# this function, which circulates in several notes, does not do what its docstring says:


# %% {"concepts": ["C039", "C041", "C042"], "errata": ["E19", "E20", "E21"], "slug": "try-gpu"}
def try_gpu(i=0):
    """Return GPU number i if it exists, and the CPU otherwise."""
    if torch.cuda.device_count() >= 1:
        return torch.device("cuda", i)
    return torch.device("cpu")


print(try_gpu(), "|", try_gpu(100))

# %% [markdown] {"slug": "try-gpu-read"}
# It asks whether there is *any* GPU, not whether there is a number `i`. (In the assignment you will
# write a function that does.) These two choices are safe on every machine, unlike a fixed
# `"cuda:1"`, which fails on many laptops:

# %% {"concepts": ["C033", "C037", "C038", "C040", "C042", "C043"], "errata": ["E21"], "slug": "agnostic-shown"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
gpus = [torch.device("cuda", index) for index in range(torch.cuda.device_count())]
print("one device:", device)
print("all of them:", *(gpus or [device]))

# %% [markdown] {"slug": "agnostic-read"}
# You will find the first line at the top of many programs.
#
# Every tensor knows its device, `x.device`. To ask whether a tensor is on a GPU, can you compare that
# with `torch.device("cuda")`?

# %% {"slug": "equal-predict"}
predict("01.equal")

# %% {"concepts": ["C031"], "errata": ["E16"], "slug": "equal-shown"}
x = torch.ones(2, device="cuda:0")
reveal("01.equal", x.device == torch.device("cuda"))

# %% [markdown] {"slug": "current"}
# Then which GPU does `"cuda"` mean? The [current device](glossary.md#current-device), which is
# `cuda:0` when a program starts. `torch.cuda.set_device(2)` changes it until the next such call. (Each
# thread has its own.) A block that begins with `with torch.cuda.device(1):` changes it until the
# block ends. What else does the block change?

# %% {"slug": "block-predict"}
predict("01.block")

# %% {"concepts": ["C034"], "errata": ["E15", "E16"], "slug": "block-shown"}
torch.cuda.set_device(2)
with torch.cuda.device(1):
    plain, named = torch.ones(2), torch.ones(2, device="cuda")
    print("with its own index:", torch.ones(2, device="cuda:3").device)
print("after the block:   ", torch.ones(2, device="cuda").device)
torch.cuda.set_device(0)
reveal("01.block", f"{plain.device} and {named.device}")

# %% [markdown] {"slug": "suits"}
# So `torch.device("cuda:1")` is a name, and `torch.cuda.device(1)`, which looks so similar, is a
# context manager.
#
# ## 5. What suits a GPU · 15 min
#
# A CPU has few cores, from a handful to a few hundred. Much of each is *control*: it fetches
# instructions early, guesses what comes next and reorders it, so that a single chain of steps runs
# as fast as possible. A GPU has less control and many more arithmetic units.

# %% {"concepts": ["C001", "C002", "C003"], "slug": "processors"}
processors_map()

# %% [markdown] {"slug": "processors-read"}
# (NVIDIA calls a unit a *core*, and a group a *streaming multiprocessor*, SM. Its *tensor cores*,
# which multiply matrices in lower precision much faster, are left out.)
#
# So a GPU needs thousands of operations that do not wait for each other. Adding two long vectors is
# such work. A chain, where each step needs the result of the one before, is not: one unit works,
# and 6,911 wait.
#
# Is independence enough? Here are two tasks without a chain. The sum `a + b` of two n × n matrices
# needs n² operations. Their product `a @ b` needs 2n³: n multiplications and n additions for each
# number of the result. Does your own CPU do as many operations *in a second* in both?

# %% {"slug": "rates-predict"}
predict("01.rates")

# %% {"concepts": ["C001"], "slug": "rates-shown"}
n, rates = 2048, []
a, b, out = torch.rand(3, n, n)
for name, operations in (("add", n * n), ("matmul", 2 * n**3)):
    seconds = min(repeat(f"torch.{name}(a, b, out=out)", globals=globals(), number=1, repeat=5))
    rates.append(operations / seconds / 1e9)
ratio = rates[1] / rates[0]
print(f"10⁹ operations a second: sum {rates[0]:.2g}, product {rates[1]:.3g}; {ratio:.0f} times")
reveal("01.rates", "above 30" if ratio > 30 else "from 3 to 30" if ratio > 3 else "below 3")

# %% [markdown] {"slug": "intensity"}
# (The best of five runs on a computer that also does other things: only the order of magnitude
# counts.)
#
# How many operations a task does for each byte that travels between memory and processor is its
# [arithmetic intensity](glossary.md#arithmetic-intensity). Both read at least two float32 matrices
# and write one: 12n² bytes. That makes 1/12 operation for each byte in the sum, and n/6 in the
# product.
#
# A processor fetches bytes and computes at the same time. So it needs at least the longer of two
# times: bytes divided by [bandwidth](glossary.md#bandwidth), and operations divided by its rate. In
# the picture, the GPU has about 8 times the bandwidth of the CPU, and 4 times its rate. (It is a
# server's CPU at its base clock, and a GPU at its boost clock, without tensor cores: other pairs
# differ widely.)

# %% {"slug": "pace-predict"}
predict("01.pace")

# %% {"concepts": ["C002"], "slug": "pace-shown"}
n = 8192
traffic = 3 * n * n * 4  # 805 MB: more than the caches of the two processors hold
tasks = {"sum": Work(traffic, n * n), "product": Work(traffic, 2 * n**3)}
display(work_chart(tasks))
gains = [f"{name} {CPU.seconds(work) / GPU.seconds(work):.0f}" for name, work in tasks.items()]
reveal("01.pace", ", ".join(gains))

# %% [markdown] {"slug": "intensity-read"}
# The sum waits for memory on both processors: twice as many units would change nothing. The product
# keeps the units busy. Where is the border? At rate divided by bandwidth: 22.5 operations for each
# byte on this CPU, 12.5 on this GPU. A task with fewer waits for memory.
#
# Everybody has heard that a GPU is faster. Here is another claim. The times below it are *nominal*:
# those of the two data sheets, and a modelled launch. What Python takes for each call is left out.

# %% {"slug": "faster-claim"}
claim("01.claim.faster")

# %% {"concepts": ["C002"], "slug": "faster-shown"}
launch = 5e-6  # seconds to start work on a GPU, modelled
for size in (32, 256, 2048):
    work = Work(bytes=3 * size * size * 4, operations=2 * size**3)
    times = CPU.seconds(work), launch + GPU.seconds(work)
    on_cpu, on_gpu = (f"{seconds * 1e6:7.1f} µs" for seconds in times)
    print(f"product, {size:4} × {size:4}, nominal: CPU {on_cpu}, GPU {on_gpu}")
verdict("01.claim.faster")

# %% [markdown] {"slug": "clinic"}
# ## 6. Error clinic · 5 min
#
# Wrong names for a device, and a tool that fails.
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
# **Case 2.** The obvious word, and two GPUs at once.

# %% {"concepts": ["C033", "C035"], "errata": ["E14", "E18"], "slug": "clinic-string-shown"}
for name in ("gpu", "cuda:[0,1]"):
    try:
        torch.device(name)
    except RuntimeError as error:
        print(f"{type(error).__name__}: {error}\n")

# %% [markdown] {"slug": "clinic-string-read"}
# - *Expected one of*: the types that PyTorch knows. `gpu` is not among them, and neither is `CUDA`
#   in capitals. `cuda` also stands for AMD's GPUs; Intel's are `xpu`, Apple's `mps`.
# - *Invalid device string*: the type is right, and what follows the colon is no index.
#
# **Cure:** write `"cuda"`, or let [`torch.accelerator`](glossary.md#accelerator) find the type
# (lesson 02). And name one device: a tensor is on one. Which GPUs a *process* may use is set
# outside it (lesson 05); which GPUs a *model* uses is set by lists such as `device_ids=[0, 1]`
# (lesson 07).
#
# **Case 3.** The context manager in place of the name.

# %% {"concepts": ["C034"], "errata": ["E15"], "slug": "clinic-context-shown"}
try:
    torch.ones(2, device=torch.cuda.device("cuda:1"))
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-context-read"}
# - *must be torch.device, not device*: both types are called `device`. The second one is
#   `torch.cuda.device`, which prints as `<torch.cuda.device object at 0x…>`.
#
# **Cure:** `device=torch.device("cuda:1")`, or simply `device="cuda:1"`.
#
# **Case 4.** `nvidia-smi` itself fails. (We start it where there is no driver.)

# %% {"concepts": ["C005"], "slug": "clinic-driver-shown"}
print(
    run_bare_child(
        "import subprocess, virtual_cuda; virtual_cuda.install_nvidia_smi()\n"
        "subprocess.run('nvidia-smi')"
    )
)

# %% [markdown] {"slug": "clinic-driver-read"}
# - *couldn't communicate with the NVIDIA driver*: the tool is installed, and the driver is not
#   running, often after an update of the system.
# - *Driver/library version mismatch* instead: the driver was updated, and the old one still runs.
#
# **Cure:** restart the machine, or reinstall the driver; on a server, ask the administrator.
# Installing PyTorch again does not help.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# Every lesson ends with the same program, `train.py`, and makes it better. A small CNN learns to
# recognise drawn shapes. The first version names no device. We run it on a machine with four GPUs;
# it takes about 10 seconds.

# %% {"slug": "project-runs"}
first = project.train("start", gpus=4, epochs=3)
home = first.folder.parents[1]  # of the project

# %% [markdown] {"slug": "project-smi-text"}
# It learns. But what do the GPUs do? We run one epoch on the shared server, and before the program
# ends we ask `nvidia-smi` who computes there. This takes about 5 seconds.

# %% {"concepts": ["C022"], "slug": "project-smi"}
script = f"""
import os, runpy, subprocess, sys; os.chdir({str(home)!r})
sys.argv = "train.py --epochs 1 --out runs/01-on-the-server".split()
runpy.run_path({str(project.program_file("start"))!r}, run_name="__main__")
subprocess.run("nvidia-smi --query-compute-apps=pid,used_memory --format=csv", shell=True)
print("train.py has the PID", os.getpid())
"""
print(python_on_server(script))

# %% [markdown] {"slug": "recap"}
# Only the colleagues' processes are listed. (`Xorg` draws and does not compute, so this list leaves
# it out.) `train.py` never names a device, and PyTorch creates tensors on the CPU unless it is told
# otherwise. (TensorFlow and JAX choose a GPU by themselves.) In lesson 02 the program will use one.
#
# **Try:** the PID of this notebook is `os.getpid()`. Run `!nvidia-smi` in a cell of your own. Is the
# notebook in the list, and on which cards?
#
# <details><summary>Answer</summary>
#
# On all four, unless a container hides it: section 4 created a tensor on each. Most of these tensors
# are gone, but the process keeps some memory where it has ever used a card.
#
# </details>
#
# ## What you learned · 7 min
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
# 5. Which two numbers do you compare to see whether a task waits for memory?
#
# <details><summary>Answers</summary>
#
# 1. `Memory-Usage`, for the room, and `GPU-Util`, for whether anything is computing.
# 2. The newest CUDA that the driver supports. Not what is installed, nor what PyTorch has.
# 3. When a tensor is created there, or moved there.
# 4. The current device: `cuda:0`, unless the program has changed it.
# 5. The task's operations for each byte, and the processor's rate divided by its bandwidth: 22.5 on
#    the CPU of section 5, 12.5 on its GPU. If the first number is smaller, the task waits.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`01_machine`](../assignments/01_machine/01_machine.ipynb). You will predict
# where tensors land, write the part of `train.py` that chooses its device, and mend a program that
# mixes up two kinds of device.
#
# **Next lesson:** [02, *Tensors on devices*](02_tensors_on_devices.ipynb): how tensors get to a
# GPU, and what happens where two devices meet.
