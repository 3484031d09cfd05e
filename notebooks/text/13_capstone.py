# %% [markdown] {"slug": "title"}
# # Capstone
#
# *On the Right Device*, lesson 13 · previous lesson: [11, *DDP from
# inside*](11_ddp_from_inside.ipynb) · [Glossary](glossary.md)
#
# You have all the parts. First you take apart the script that this course grew from: 60 lines for
# several GPUs, which run, but do not do what they seem to do. Then you run your own `train.py` on no
# GPU, on one and on four. You kill it when you like, and resume it where you like.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** a multi-GPU script that you have not written, line by line;
# - **make** a run repeatable on any number of devices, and say what stays different;
# - **compare** runs on no, one and four devices, and explain the differences;
# - **resume** a killed run on another machine, and check that nothing else has changed;
# - **cure** three errors of long runs.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 05 to 07, 10 and 11.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The names that we need.

# %% {"slug": "imports"}
from pathlib import Path
from types import SimpleNamespace

import torch
import torch.distributed as dist
from torch import nn

# %% [markdown] {"slug": "before-tools"}
# And those of the course:

# %% {"slug": "imports-course"}
from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import commands_use_lab, watch
from course_utils.experiments.recording import record
from lesson_parts import project
from lesson_parts.lesson13 import moment_map, moved_run

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons, from memory.

# %% {"slug": "before-1-quiz"}
quiz("13.before.freest")

# %% {"slug": "before-2-quiz"}
quiz("13.before.ranks")

# %% {"slug": "before-3-quiz"}
quiz("13.before.checkpoint")

# %% [markdown] {"slug": "script"}
# ## 1. The script, line by line · 16 min
#
# The old notes behind this course end with a script for several GPUs. Here it is, shortened, with
# every idea in its place. Read it as you would review a colleague's program: which cards does it
# use, what travels where, and what does it learn? Note at least three lines that you would change.

# %% {"slug": "script-written"}
# %%writefile old_script.py
import os

import numpy as np
import torch
from torch import nn

# Cards by hand
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0,1,2,3")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# Cards by free memory, the freest first
os.system("nvidia-smi -q -d MEMORY | grep -A4 GPU | grep Free > free.txt")
with open("free.txt") as lines:
    free = [int(line.split()[2]) for line in lines]
if not free:
    print("free memory:", free)
    ranked = np.argsort(free)[::-1]
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", ",".join(map(str, ranked)))


class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))

    def forward(self, x):
        print("batch size in forward:", len(x))
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


inputs, labels = torch.randn(16, 3).to(device), torch.randn(16, 3).to(device)
net = nn.DataParallel(FooNet(3)).to(device)
for _ in range(1):
    print("outputs:", tuple(net(inputs).shape))
print("CUDA_VISIBLE_DEVICES:", repr(os.environ["CUDA_VISIBLE_DEVICES"]))

# %% [markdown] {"slug": "script-run"}
# We take four GPUs, real or virtual; what we start with `!` gets them as well. `env -u` removes
# `CUDA_VISIBLE_DEVICES` from the environment. Each run of the script takes about 5 seconds.

# %% {"slug": "order-predict"}
predict("13.order")

# %% {"slug": "order-shown"}
devices = lab(gpus=4)
gpu0 = devices[0]
commands_use_lab()
# output = !env -u CUDA_VISIBLE_DEVICES python old_script.py
print(output.n)
reveal("13.order", output[-1].split("'")[1] or "an empty string")

# %% [markdown] {"slug": "order-read"}
# It runs, on four cards, with four samples on each, as the notes show.
#
# If the first line says `free memory: []`, `grep` has found nothing (lesson 06). The condition
# `not free` is then true, so the block that should rank the cards runs when there are none to rank.
#
# Suppose that `grep` finds numbers, and that somebody "repairs" the block: `if free`, and an
# assignment in place of `setdefault`. `watch` runs single lines in a child process with four virtual
# GPUs, and notes after each which cards CUDA would use.

# %% {"slug": "moments-drawn"}
steps = watch(
    [
        'os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0,1,2,3")',
        "import torch; torch.cuda.is_available()",
        'os.environ["CUDA_VISIBLE_DEVICES"] = "3,2,1,0"',
    ]
)
moment_map(steps, title="Two choices, one after the other")

# %% [markdown] {"slug": "moments-read"}
# The assignment changes the variable and nothing else: the line before it has let CUDA read the
# variable for good (lesson 05). A program should choose once, and first.
#
# Next, the script on a machine where somebody has hidden all cards:

# %% {"slug": "hidden-predict"}
predict("13.hidden")

# %% {"slug": "hidden-shown"}
# output = !CUDA_VISIBLE_DEVICES= python old_script.py
print(output.n)
sizes = [line.split()[-1] for line in output if line.startswith("batch size")]
reveal("13.hidden", "16, once" if sizes == ["16"] else ", ".join(sizes))

# %% [markdown] {"slug": "trains-ask"}
# So the script also runs without a GPU, and does not say so. One more thing: above the loop at the
# end, the notes have the comment *training*.

# %% {"slug": "trains-claim"}
claim("13.claim.trains")

# %% {"slug": "trains-shown"}
script = Path("old_script.py").read_text(encoding="utf-8")
for word in ("loss", "backward", "optim", "labels"):
    print(f"lines with {word!r}:", sum(word in line for line in script.splitlines()))
verdict("13.claim.trains")

# %% [markdown] {"slug": "lines"}
# Which lines did you note? Compare them with ours:
#
# <details><summary>The whole script, idea by idea</summary>
#
# | line | what it does here | better | lesson |
# |---|---|---|---|
# | `setdefault(…, "0,1,2,3")` | chooses, if nobody has chosen | the same, or from outside | 05 |
# | `is_available()` | looks at the GPUs, so the choice is over | choose before | 05 |
# | `device = "cuda" if …` | the main GPU, or silently the CPU | say which | 02 |
# | `os.system("nvidia-smi …")` | depends on a report whose layout changes with the driver | `--query-gpu`, or NVML | 06 |
# | `int(line.split()[2])` | one number for each line that `grep` found, without saying whose | `memory.free` with the UUID | 06 |
# | `if not free` | ranks cards only if there are none to rank | `if free:`, else say so | 06 |
# | `argsort(…)[::-1]` | ranks by free memory, and of two equal cards the last first | `sorted(…, key=…)` | 06 |
# | second `setdefault` | nothing | one choice only | 05 |
# | `ModuleList` | registers the layers: they are moved and replicated | keep it | 03, 07 |
# | `inputs.to(device)` | the batch goes to `cuda:0`, most of it then further | used once: leave it on the CPU | 07 |
# | `labels.to(device)` | moves what nobody uses | compute a loss | 07 |
# | `DataParallel(…).to(device)` | wraps, then moves: the order is free | DDP | 07, 11 |
# | `print` in `forward` | shows the parts: 4, 4, 4, 4 | a hook | 07 |
# | `range(1)` | one forward pass | loss, `backward`, `step` | 08 |
# | `os.environ[…]` | works, because the first `setdefault` has set it; else a `KeyError` | `.get` | 05 |
#
# </details>
#
# Fifteen ideas. Only a few are wrong; most are right on one machine, in one order. In the
# assignment you will fix this script. Keep the habit: for each line, ask what it does *on the
# other machine*.

# %% [markdown] {"slug": "clinic"}
# ## 2. Error clinic · 7 min
#
# Three errors that come hours after the start, or on a machine that is not yours alone.
#
# **Case 1.** The model grew by a layer, and the run is resumed. The weights were loaded with
# `strict=False`. Then:

# %% {"slug": "clinic-groups-shown"}
saved = torch.optim.AdamW(nn.Linear(8, 4).parameters()).state_dict()
grown = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 4))
try:
    torch.optim.AdamW(grown.parameters()).load_state_dict(saved)
except ValueError as error:
    print(error)

# %% [markdown] {"slug": "clinic-groups-read"}
# - *a parameter group … the size*: an optimizer knows its parameters by number, and not by name.
#   The file has two of them, the model four.
#
# **Cure:** a changed model is a new run: load its weights, and begin with a new optimizer. Loading
# only compares *how many* parameters there are. If their order has changed, it says nothing, and
# each gets the [state](glossary.md#optimizer-state) of another. Only if the shapes differ does the
# next step fail.
#
# **Case 2.** After six hours, while a checkpoint is written. (`/dev/full` is a file of Linux on a
# disk that is always full.)

# %% {"slug": "clinic-full-shown"}
try:
    torch.save(nn.Linear(300, 300).state_dict(), "/dev/full")
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-full-read"}
# - *inline_container*: the part of PyTorch that writes zip archives.
# - *unexpected pos … vs …*: two counts of how many bytes the file has. They differ, because some
#   bytes could not be written. The message says nothing about the disk.
#
# **Cure:** free space on the disk, and resume from the checkpoint before. It is still whole if the program writes
# under another name and then renames ([atomic write](glossary.md#atomic-write), lesson 10). A program
# that writes over its only checkpoint has nothing left. To know the cause at once, save into an
# `io.BytesIO`, and write its bytes: Python then says `No space left on device`. `train.py` does both.
#
# **Case 3.** The processes of a run meet at a port. Two people start `torchrun` on one machine, both
# with the port of the tutorials, `--master-port 29500`.

# %% {"slug": "clinic-port-shown"}
first = dist.TCPStore("127.0.0.1", 0, is_master=True, wait_for_workers=False)
try:
    dist.TCPStore("127.0.0.1", first.port, is_master=True, wait_for_workers=False)
except dist.DistNetworkError as error:
    print(error)

# %% [markdown] {"slug": "clinic-port-read"}
# - *failed to listen*: the second program wanted to open the port.
# - *EADDRINUSE*: somebody has it already, perhaps an older run of yours that is still running.
#
# **Cure:** `--standalone`, which takes a free port. (Current versions of `torchrun` also do so on one
# machine if no port is given; many scripts still take 29500.) Look for processes of yours that were
# left over, and end only those.

# %% [markdown] {"slug": "same-run"}
# ## 3. The same run on any machine · 7 min
#
# Now your own program. It should do the same on every machine, as far as that is possible. What
# does one seed promise? Here is a training step:


# %% {"slug": "step-defined"}
def step(model, optimizer, batch):
    loss = (model(batch) - 1).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return f"{loss.item():.4f}"


# %% [markdown] {"slug": "losses-why"}
# And three of them, with a new model. Its weights are drawn on the CPU. The samples are drawn on
# the device `where` or, if none is given, on the model's device, as in many programs.


# %% {"slug": "losses-defined"}
def losses(gpus, where=None):
    torch.manual_seed(0)
    model = nn.Linear(8, 1).to(gpus[0] if gpus else "cpu")
    place = model.weight.device
    shared = nn.DataParallel(model, gpus) if len(gpus) > 1 else model
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    drawn = (torch.randn(16, 8, device=where or place).to(place) for _ in range(3))
    return [step(shared, optimizer, batch) for batch in drawn]


# %% [markdown] {"slug": "seed-ask"}
# We run it on no, one and four GPUs.

# %% {"slug": "seed-claim"}
claim("13.claim.seed")

# %% {"slug": "seed-shown"}
for gpus in ([], [gpu0], list(devices)):
    on_cpu, at_model = (" ".join(losses(gpus, where)) for where in ("cpu", None))
    print(f"{len(gpus)} GPUs · drawn on the CPU: {on_cpu} · at the model: {at_model}")
verdict("13.claim.seed")

# %% [markdown] {"slug": "seed-read"}
# (On real GPUs the last digits may differ, since sums are added up in another order.)
#
# Your `train.py` draws everything on the CPU: its weights, and the order of the images. A step takes the
# same 30 images on any number of GPUs, and no layer mixes them.

# %% [markdown] {"slug": "project"}
# ## The project · 18 min
#
# The program is whole. Three runs of it follow, of three epochs each. The first finds no GPU. It takes
# about 10 seconds.

# %% {"slug": "project-cpu"}
on_cpu = project.train("13", epochs=3)

# %% [markdown] {"slug": "project-one-text"}
# The second finds one GPU, and takes about 10 seconds too:

# %% {"slug": "project-one"}
on_one = project.train("13", epochs=3, gpus=1)

# %% [markdown] {"slug": "project-four-text"}
# The third finds four. It takes about 20 seconds, since four processes have to start.

# %% {"slug": "four-claim"}
claim("13.claim.four")

# %% {"slug": "project-four"}
on_four = project.train("13", epochs=3, gpus=4)
wanted = on_cpu.weights
for gpus, run in {0: on_cpu, 1: on_one, 4: on_four}.items():
    apart = max((run.weights[name] - wanted[name]).abs().max().item() for name in wanted)
    size = run.checkpoint.stat().st_size / 1024
    print(f"GPUs: {gpus}, weights differ by at most {apart:.1e}, checkpoint {size:.0f} KiB")
verdict("13.claim.four")

# %% [markdown] {"slug": "project-same"}
# On one virtual GPU nothing differs, because the same processor computes. On four, a gradient is the
# sum of four parts. How large a difference is too large? Another seed moves weights ten times as far. The
# checkpoints are about equally large, since [rank](glossary.md#rank) 0 saves the bare model, once.
#
# ### Does it pay?
#
# Virtual GPUs share the processor of your computer, so the seconds of these runs say nothing about
# GPUs. Let us record one step of the program: forward, backward, optimizer. Its time is modelled on
# virtual GPUs, and measured on real ones.

# %% {"slug": "pays-defined"}
train_batch, net = project.names("13").train_batch, project.network("13").to(gpu0)
optimizer = torch.optim.AdamW(net.parameters())


def step_with(images):
    batch = torch.zeros(images, 3, 48, 48, dtype=torch.uint8, device=gpu0)
    targets = torch.zeros(images, dtype=torch.long, device=gpu0)
    train_batch(net, batch, targets, SimpleNamespace(batch=images, parts=1, bf16=False))
    optimizer.step()


# %% [markdown] {"slug": "pays-recorded-text"}
# The first step of a size is slower, so we record the second one.


# %% {"slug": "pays-recorded"}
def recorded_step(images):
    step_with(images)
    with record(gpu0) as recorded:
        step_with(images)
    return recorded


# %% [markdown] {"slug": "pays-step-text"}
# First with the 30 images that one GPU takes:

# %% {"slug": "pays-step"}
recorded = recorded_step(30)
label = "modelled" if recorded.modelled else "measured"
print(f"a step: {recorded.end:.0f} µs, {label}")

# %% [markdown] {"slug": "fuller-ask"}
# And with 120:

# %% {"slug": "fuller-predict"}
predict("13.fuller")

# %% {"slug": "fuller-shown"}
fuller = recorded_step(120)
print(f"a step: {fuller.end:.0f} µs, with {120e6 / fuller.end:,.0f} images in a second, {label}")
growth = fuller.end / recorded.end
answers = {1.5: "hardly longer", 3: "about twice as long", float("inf"): "about four times as long"}
reveal("13.fuller", next(answer for most, answer in answers.items() if growth < most))

# %% [markdown] {"slug": "pays-read"}
# So fill the first GPU before you ask for a second: in the model, one with 120 images does the work of
# four with 30, which would have to exchange their gradients as well. And what does this leave out?
#
# - Python's own time: the model's host only launches, in 5 µs each time.
# - A larger batch means fewer steps in an epoch. Compare the times to the same *accuracy*.
# - The workers have to deliver so many images in a second.
#
# ### Kill it yourself
#
# Now you decide: after which of the three epochs a run is killed, on how many GPUs it begins, and
# on how many it goes on. Begin with our numbers; later, come back and try your own (0, 1 or 4 GPUs).

# %% {"slug": "resume-choice"}
kill_after, begins_on, goes_on_with = 2, 1, 0
assert begins_on in (0, 1, 4), "There is no whole run to compare with: begin on 0, 1 or 4 GPUs."

# %% [markdown] {"slug": "resume-ask"}
# The two runs take about 15 seconds.

# %% {"slug": "resume-claim"}
claim("13.claim.resume")

# %% {"slug": "project-moved"}
killed = project.train("13", epochs=3, gpus=begins_on, out="13-moved", stop_after=kill_after)
moved = project.train("13", "--resume", epochs=3, gpus=goes_on_with, out="13-moved")

# %% [markdown] {"slug": "moved-compare-text"}
# We compare its last [checkpoint](glossary.md#checkpoint) with that of the run that never stopped,
# weight by weight.

# %% {"slug": "moved-compared"}
whole = {0: on_cpu, 1: on_one, 4: on_four}[begins_on]
print("in the checkpoint:", ", ".join(torch.load(moved.checkpoint, "cpu")))
apart = [(whole.weights[name] - moved.weights[name]).abs().max() for name in wanted]
print(f"largest difference of two weights: {max(apart).item():.1e}")
verdict("13.claim.resume")

# %% [markdown] {"slug": "moved-drawn-text"}
# With our numbers and virtual GPUs, the difference is exactly 0. Only the epoch that had begun is
# lost:

# %% {"slug": "moved-drawn"}
moved_run(whole, killed, moved)

# %% [markdown] {"slug": "project-cluster"}
# ### On a cluster
#
# At its time limit, Slurm ends a job with SIGTERM and, by default, kills what is left with SIGKILL
# 30 seconds later. On SIGTERM, `train.py` finishes the epoch that has begun, saves it, and ends with
# exit code 143 (128 + 15, the number of the signal). Where an epoch takes longer, save after the
# current step instead.
#
# If one process fails, `torchrun` ends all of them. It restarts them only if told to, and then
# `--resume` finds the last checkpoint:
# `torchrun --nproc-per-node 4 --max-restarts 3 train.py --device cuda --resume`.
#
# That is the program. In a terminal, `course project` tells which parts of yours are your own, and
# `course project --run` runs it.

# %% [markdown] {"slug": "recap"}
# **Your turn:** set the three numbers of *Kill it yourself* to 1, 4 and 1. Do the weights still agree?
#
# <details><summary>What we saw</summary>
#
# Up to rounding: two of the epochs were trained on one GPU, where sums are rounded otherwise.
#
# </details>
#
# ## What you learned · 11 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("13.after.draw")

# %% {"slug": "recap-2-quiz"}
quiz("13.after.batch")

# %% {"slug": "recap-3-quiz"}
quiz("13.after.disk")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Why did the script's choice by free memory never count?
# 2. What does one seed promise on another number of GPUs, and what does it not?
# 3. Which numbers change when a run goes from one GPU to four?
# 4. What has to be in a checkpoint so that any machine can go on?
# 5. Which questions about your program can virtual GPUs not answer?
#
# <details><summary>Answers</summary>
#
# 1. The choice by hand had set the variable, and `setdefault` never changes one that is set.
# 2. The same numbers from the CPU's generator; not from the GPUs' generators, nor the same batches.
# 3. How many images each process takes in a step. In `train.py`, `--batch` counts those of all GPUs, so the
#    steps and the result stay, up to rounding. Where it is counted per process, the global batch grows, and the
#    learning rate is to be reconsidered.
# 4. The bare model's state dict, the optimizer's state, the epoch, the scheduler's state or what the
#    learning rate is computed from, and, without a seed for each epoch, the states of the
#    generators. It is loaded onto the CPU first.
# 5. How fast it is, how much memory a card really has left, and what the last digits are. (What a missing
#    wait can do, `virtual_cuda.races` shows.)
#
# </details>

# %% [markdown] {"slug": "closing"}
# ### What you can do now
#
# - Look at a machine, and say which GPUs it has, which are busy, and which PyTorch can use (01).
# - Put tensors and modules where they belong, and read the error if one is elsewhere (02, 03).
# - Ask a GPU for its memory, its name and its random numbers, and know what each call starts (04).
# - Choose cards for a process, by number, by UUID or by free memory (05, 06).
# - Train on several GPUs, and say what is copied, exchanged and changed by it (07, 11).
# - Time, profile and fill a GPU, and feed it so that it does not wait (08, 09).
# - Save and load on any machine, and resume a run that was killed (10, 13).
#
# ### Errors that you can read
#
# Besides the three of this lesson:
#
# | when it says | think of | lesson |
# |---|---|---|
# | `Expected all tensors to be on the same device` | one operand stayed behind | [02](02_tensors_on_devices.ipynb) |
# | `Input type … and weight type … should be the same` | the input or the module did not move | [errors](errors.md) |
# | `device-side assert triggered` | an index or a label out of range; the process is lost | [errors](errors.md) |
# | `invalid device ordinal` | an index that no visible GPU has | [05](05_visible_devices.ipynb) |
# | `No CUDA GPUs are available` | all cards are hidden | [05](05_visible_devices.ipynb) |
# | `module must have its parameters and buffers on device cuda:0` | the model is not on the main GPU | [07](07_data_parallel.ipynb) |
# | `CUDA out of memory` | smaller batch, accumulation, activation checkpointing | [02](02_tensors_on_devices.ipynb), [08](08_how_busy_how_full_how_fast.ipynb) |
# | `backward through the graph a second time` | one loss for two backward passes | [08](08_how_busy_how_full_how_fast.ipynb) |
# | `Cannot re-initialize CUDA in forked subprocess` | no CUDA in a dataset | [09](09_feeding_the_gpu.ipynb) |
# | `DataLoader worker … exited unexpectedly` | memory, or a crash below Python | [09](09_feeding_the_gpu.ipynb) |
# | `Attempting to deserialize object on a CUDA device` | `map_location="cpu"` | [10](10_saving_and_loading.ipynb) |
# | `Missing key(s) … Unexpected key(s)` | a wrapper's prefix, or another model | [10](10_saving_and_loading.ipynb) |
# | `Weights only load failed` | a file with objects: do you trust it? | [10](10_saving_and_loading.ipynb) |
# | a run with several processes hangs | one rank left out a collective | [11](11_ddp_from_inside.ipynb) |
#
# [*Errors, and what to do*](errors.md) has more of them, each with lines that fail and lines that
# are cured.
#
# ### The first day on a real GPU
#
# Everything about *where* things are stays as you have seen it. Five things are new: the
# speed (time it as in lesson 08), the memory that other people leave you (06), the last digits,
# streams that do not wait (11), and processes that go on waiting for one that has left, where virtual
# GPUs give a message. (If a process runs but never arrives, both wait.) Begin
# with a run of two minutes, with `watch -n 1 nvidia-smi` next to it. Then kill it, and resume it.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 13: Capstone](../assignments/13_capstone/13_capstone.ipynb).**
# You will fix the script of section 1, train an epoch without a needless copy, and write the whole program
# (with `DataParallel`). It is then run with several numbers of GPUs and killed on the way.
#
# **Next lesson:** there is none. The next program is yours.
