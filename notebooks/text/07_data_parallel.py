# %% [markdown] {"slug": "title"}
# # DataParallel
#
# *On the Right Device*, lesson 07
#
# One module, one batch, several GPUs: who gets what, who waits for whom, and what does it cost?
# `nn.DataParallel` answers in one line, and hides four phases behind it. PyTorch recommends another
# tool today; by taking this one apart you will see why (section 6). The four words of the course
# are **choose**, **move**, **run**, **bring back**; with several GPUs the wrapper does the last
# three in every step.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **compute** what several workers gain, and what working together costs;
# - **predict** how a batch is split, even when its size is not divisible by the number of GPUs;
# - **name** the four phases of a forward pass, and show them with their times;
# - **wrap** a module so that the wrapper accepts it, with a main GPU of your choice;
# - **foresee** what wrapping changes: keys, attributes, counters, results that are numbers;
# - **read** six errors of the wrapper and its replicas, and cure them;
# - **decide** when `DistributedDataParallel` is the better choice, and say why.
#
# **Minutes:** 90
#
# **Prerequisites:** lessons 03 and 05; what a batch is, and what a training step does.
#
# Before a cell with a surprise you are asked for a prediction. Choose an answer even if you have
# to guess. Every cell runs with or without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need. Three are new: `batch_split` and `schedule` draw, `run_phases` takes a
# forward pass apart.

# %% {"slug": "imports"}
import torch
from torch import nn

from course_utils import lab, predict, quiz, reveal
from course_utils.experiments.phases import run_phases
from course_utils.figures import batch_split, schedule

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. Lessons 02, 03 and 05 have the answers.

# %% {"slug": "before-1-quiz"}
quiz("07.before.side")

# %% {"slug": "before-2-quiz"}
quiz("07.before.list")

# %% {"slug": "before-3-quiz"}
quiz("07.before.logical")

# %% [markdown] {"slug": "choose"}
# ## 1. Choose: is it worth working together?
#
# Before any GPU, a story. Four tasks of homework take an hour each. Alone that is 240 minutes.
# Finding three friends takes 3 minutes; then all four work at the same time; collecting the four
# results takes 3 minutes again.

# %% {"slug": "homework-predict"}
predict("07.homework")

# %% [markdown] {"slug": "homework-draw"}
# We write down who does what, from when, until when.

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "homework-shown"}
find, work, collect = 3, 60, 3
begin, done = find, find + work
day = {name: [("work", begin, done)] for name in ["you", "friend 1", "friend 2", "friend 3"]}
day["you"] = [("find friends", 0, begin), *day["you"], ("collect", done, done + collect)]
end = max(end for spans in day.values() for _, _, end in spans)
reveal("07.homework", end)

# %% [markdown] {"slug": "homework-drawn-text"}
# Now we draw it: one row for each person.

# %% {"concepts": ["C140"], "slug": "homework-drawn"}
schedule(day, title="Four tasks, four workers", unit="min")

# %% [markdown] {"slug": "speedup"}
# How many times as fast is that? The **speed-up** is the time alone, divided by the time together.

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "speedup-shown"}
alone, together = 4 * work, end
round(alone / together, 2)

# %% [markdown] {"slug": "five-tasks"}
# It is 3.64, and not 4. Now a fifth task comes along. A task cannot be divided.

# %% {"slug": "five-predict"}
predict("07.five")

# %% {"concepts": ["C140"], "slug": "five-shown"}
later = done + work
day["friend 1"].append(("work", done, later))
day["you"] = [("find friends", 0, begin), ("work", begin, done)]
day["you"].append(("collect", later, later + collect))
reveal("07.five", day["you"][-1][2])

# %% [markdown] {"slug": "five-drawn-text"}
# And the picture of that day:

# %% {"concepts": ["C140"], "slug": "five-drawn"}
schedule(day, title="Five tasks, four workers", unit="min")

# %% [markdown] {"slug": "every-day"}
# The story leaves one thing open: is finding friends paid for once, or every day? With
# `DataParallel` it is every day, in every training step. Keep that in mind until section 4.
#
# ## 2. Move: the wrapper splits the batch
#
# Now the GPUs. We ask for four, real or virtual.

# %% {"slug": "lab"}
devices = lab(gpus=4)
cpu = torch.device("cpu")
gpu = devices[0]
torch.cuda.device_count()

# %% [markdown] {"slug": "foonet"}
# As always: if they are *virtual*, then values, devices and error messages are those of CUDA, and
# the speed is not.
#
# The module is a small net of linear layers without bias. They are in a `ModuleList`, because what
# is in a plain list would not be copied to the GPUs either.

# %% {"concepts": ["C152"], "slug": "foonet-shown"}
class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))
    def forward(self, x):
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x

# %% [markdown] {"slug": "telling"}
# To see who runs, a version of it that says how much it was given.

# %% {"concepts": ["C152"], "slug": "telling-shown"}
class Telling(FooNet):
    def forward(self, x):
        print("batch size in forward:", len(x))
        return super().forward(x)

# %% [markdown] {"slug": "wrap"}
# The wrapper is a module around a module. Here is the whole of it:
#
# ```python
# nn.DataParallel(module, device_ids=None, output_device=None, dim=0)
# ```
#
# - `module` is your module. It stays what it is, and is kept under the name `module`.
# - `device_ids` are the GPUs that share the work, as logical indices. `None` means all visible.
# - `output_device` is where the result is brought. `None` means the first of `device_ids`.
# - `dim` is the dimension along which the batch is cut, and the results are joined.

# %% {"concepts": ["C141", "C142", "C143", "C144"], "slug": "wrap-shown"}
net = Telling(width=3).to(gpu)
wrapped = nn.DataParallel(net, device_ids=devices)
print(type(wrapped).__name__, wrapped.module is net)
print(wrapped.device_ids, wrapped.output_device, wrapped.dim)

# %% [markdown] {"slug": "default-ids"}
# The wrapper holds the module `net` itself, works on the GPUs 0 to 3, and brings results to 0. We
# gave it the four devices of the lab; it keeps their indices. And without `device_ids`?

# %% {"concepts": ["C143"], "slug": "default-ids-shown"}
print(nn.DataParallel(net).device_ids, "of", torch.cuda.device_count())

# %% [markdown] {"slug": "forward"}
# It takes all GPUs that are visible. (We name them in this lesson, so that the results are the same
# on a computer with eight.)
#
# Now 16 samples of 3 numbers, on the four GPUs.

# %% {"slug": "forward-predict"}
predict("07.forward")

# %% {"concepts": ["C150", "C153"], "errata": ["E75"], "slug": "forward-shown"}
from contextlib import redirect_stdout
from io import StringIO

inputs = torch.randn(16, 3).to(gpu)
with redirect_stdout(StringIO()) as said:
    outputs = wrapped(inputs)
reveal("07.forward", f"{len(said.getvalue().splitlines())} times")

# %% [markdown] {"slug": "forward-lines"}
# What did `forward` print, and what came back?

# %% {"concepts": ["C150", "C153"], "slug": "forward-lines-shown"}
print(said.getvalue())
print(outputs.shape, outputs.device)

# %% [markdown] {"slug": "claim-one-line"}
# There is one result for all 16 samples, on `cuda:0`. The lines are not in a fixed order: on real
# GPUs, each thread prints when it gets there.
#
# > **Claim in circulation.** “With `batch_size` 2 and two GPUs, each GPU gets 8 samples, and the
# > program prints `batch size in forward: 8`.”
#
# There are two slips in this sentence. We give the wrapper two GPUs.

# %% {"concepts": ["C143", "C151", "C153"], "errata": ["E67", "E68"], "slug": "one-line-shown"}
for batch_size in (16, 2):
    outputs = nn.DataParallel(net, device_ids=[0, 1])(torch.randn(batch_size, 3))
    print("gathered:", outputs.shape, "\n")

# %% [markdown] {"slug": "claim-one-line-fact"}
# > **The fact.** Each replica prints, so two GPUs give *two* lines. It is 16 samples that become 8
# > and 8; 2 samples become 1 and 1. The gathered result always has as many rows as the batch.
#
# You may have noticed that these inputs were on the CPU. We come to that.
#
# ### When the batch cannot be divided evenly
#
# > **Claim in circulation.** “The data are distributed evenly: each GPU gets
# > `batch_size / number of GPUs` samples.”
#
# 10 divided by 4 is 2.5. `scatter` is the function with which the wrapper cuts. We give it the
# numbers 0 to 9, so that we see who gets which.

# %% {"slug": "uneven-predict"}
predict("07.uneven")

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "uneven-shown"}
from torch.nn.parallel import scatter

parts = scatter(torch.arange(10), devices)
reveal("07.uneven", [len(part) for part in parts])

# %% [markdown] {"slug": "uneven-drawn-text"}
# As a picture, with the numbers that each GPU gets:

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "uneven-drawn"}
batch_split(parts, devices)

# %% [markdown] {"slug": "five-samples"}
# The same with 5 samples:

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "five-samples-drawn"}
batch_split(scatter(torch.arange(5), devices), devices)

# %% [markdown] {"slug": "claim-even-fact"}
# The fourth GPU gets nothing at all, though there would have been enough samples for it. It is the
# same with 9, which become 3, 3 and 3.
#
# > **The fact.** The cut is that of `torch.chunk`: parts of one length, a shorter last one, and
# > fewer parts than GPUs where the samples run out. “Approximately equal”, say the docs. A batch
# > size that is a multiple of the number of GPUs leaves nobody waiting.

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "chunk-shown"}
for batch_size in (16, 10, 9, 5, 3):
    sizes = [len(part) for part in torch.arange(batch_size).chunk(4)]
    print(f"{batch_size:2} samples: {sizes}")

# %% [markdown] {"slug": "dim"}
# Any batch size can be tried this way, without a GPU.
#
# ### Which dimension is the batch?
#
# Recurrent nets often take tensors of the shape (time, batch, features). Cutting them along the
# first dimension would cut every sequence into pieces. That is what `dim` is for.

# %% {"concepts": ["C145"], "errata": ["E76"], "slug": "dim-shown"}
sequences = torch.zeros(7, 6, 3)
for dim in (0, 1):
    with redirect_stdout(StringIO()):
        result = nn.DataParallel(net, devices, dim=dim)(sequences)
    shapes = [tuple(part.shape) for part in scatter(sequences, devices, dim=dim)]
    print(f"dim={dim}: {shapes}, gathered {tuple(result.shape)}")

# %% [markdown] {"slug": "dim-explained"}
# With `dim=0` the seven time steps are cut, with `dim=1` the six samples; those are used up after
# three parts. The results are joined along the same dimension, so the gathered shape never tells
# you that the wrong one was cut.
#
# ## 3. Run: four phases
#
# The wrapper's `forward` is short. These are its four phases, and torch has a function for each:
#
# 1. **scatter** cuts the batch and sends a part to each GPU;
# 2. **replicate** copies the module to each GPU that has a part;
# 3. **apply** runs each replica on its part, in a thread of its own;
# 4. **gather** joins the outputs on the output device.
#
# We do by hand what the wrapper does.

# %% {"concepts": ["C147"], "slug": "by-hand"}
from torch.nn.parallel import gather, parallel_apply, replicate

net, x = FooNet(width=3).to(gpu), torch.randn(10, 3)
parts = scatter(x, devices)
replicas = replicate(net, devices[:len(parts)])
outputs = parallel_apply(replicas, parts)
result = gather(outputs, gpu)
torch.equal(result, nn.DataParallel(net, devices)(x))

# %% [markdown] {"slug": "by-hand-places"}
# The same numbers as the wrapper's. Where was each piece?

# %% {"concepts": ["C147"], "slug": "by-hand-places-shown"}
for part, replica, output in zip(parts, replicas, outputs, strict=True):
    weight = replica.linears[0].weight
    print(part.device, weight.device, output.device, len(output))

# %% [markdown] {"slug": "phases-time"}
# Each GPU has a part, a replica and an output; only the result is on `cuda:0` alone.
#
# And when does each phase run? `run_phases` goes through the same four calls with a clock. With
# virtual GPUs the times are *modelled*: computed from the sizes of copies and operations, not
# measured. The model sends a tensor to several GPUs in the simplest way: by one copy after another.

# %% {"slug": "phases-predict"}
predict("07.phases")

# %% {"concepts": ["C147"], "slug": "phases-shown"}
ran = run_phases(FooNet(width=256).to(gpu), torch.randn(10, 256), devices)
sending = [device for device, spans in ran.lanes.items()
           if any(phase == "replicate" for phase, *_ in spans)]
reveal("07.phases", sending[0] if len(sending) == 1 else "all of them")

# %% [markdown] {"slug": "phases-drawn-text"}
# The picture is drawn from what just ran. In brackets: how many samples each GPU has.

# %% {"concepts": ["C146", "C147"], "slug": "phases-drawn"}
sized = {f"{part.device} ({len(part)})": ran.lanes[str(part.device)] for part in ran.parts}
schedule(sized, title="One forward pass, 10 samples", modelled=ran.kind == "modelled")

# %% [markdown] {"slug": "phases-read"}
# Read it from left to right. The parts arrive one after another. Then comes *replicate*: in the
# model, with three layers of 256 × 256 numbers, it takes about half of the time. A GPU begins with
# *apply* as soon as its own copy of the module is there, so the phases overlap; the work itself is
# short here. Finally, the outputs come back to `cuda:0`. (With real GPUs you see the phases one
# after another, because each is measured as a whole. There *replicate* is not a series of copies
# where torch has **NCCL**, a library in which GPUs exchange tensors together: section 6.)
#
# `cuda:0` takes part in everything. It is the **main GPU**: the module is on it, and the results
# are collected there. The others help.
#
# ### And the way back?
#
# So far nothing was trained. Here is a whole step, with loss, backward pass and optimizer.

# %% {"concepts": ["C147", "C150"], "errata": ["E75"], "slug": "training-step"}
labels = torch.randn(10, 3, device=gpu)
wrapped = nn.DataParallel(net, devices)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = nn.functional.mse_loss(wrapped(x), labels)
loss.backward()
net.linears[0].weight.grad.device, loss.device

# %% [markdown] {"slug": "gradients"}
# The loss is computed on the main GPU, from the gathered outputs. The gradients went out to the
# replicas and came back: those of all replicas are **added up** on the main GPU.
#
# Is it the gradient of the whole batch? We compute that one on the CPU, with a copy.

# %% {"slug": "gradients-predict"}
predict("07.gradients")

# %% {"concepts": ["C147"], "slug": "gradients-shown"}
import copy

single = copy.deepcopy(net).to(cpu)
single.zero_grad()
nn.functional.mse_loss(single(x), labels.to(cpu)).backward()
same = torch.allclose(single.linears[0].weight.grad, net.linears[0].weight.grad.cpu(), atol=1e-6)
reveal("07.gradients", "yes" if same else "no, it is 4 times that")

# %% [markdown] {"slug": "gradients-explained"}
# The optimizer changes the parameters on the main GPU only. What do the replicas know of that?

# %% {"slug": "replicas-predict"}
predict("07.replicas")

# %% {"concepts": ["C147"], "errata": ["E74"], "slug": "replicas-shown"}
with torch.no_grad():
    net.linears[-1].weight.zero_()
zero_rows = (wrapped(x) == 0).all(dim=1).sum().item()
reveal("07.replicas", "zeros only" if zero_rows == 10 else "zeros for the first part")

# %% [markdown] {"slug": "replicas-explained"}
# ### The main GPU
#
# Which one is it? The first of `device_ids`, whichever index it has. The module has to be there.

# %% {"concepts": ["C143", "C144"], "errata": ["E69"], "slug": "main-gpu"}
other = nn.DataParallel(FooNet(3).to("cuda:2"), device_ids=[2, 1])
elsewhere = nn.DataParallel(FooNet(3).to("cuda:2"), device_ids=[2, 1], output_device=3)
other(x).device, elsewhere(x).device

# %% [markdown] {"slug": "main-gpu-explained"}
# Without `output_device` the result is on `cuda:2`, the first of the ids; with it, the result is
# where you asked for it, and the loss will be computed there.
#
# > **Claim in circulation.** “A main GPU has to be given, or the data are distributed directly and
# > the computation goes wrong.”
#
# We give none: neither ids nor an index in the device's name.

# %% {"concepts": ["C147"], "errata": ["E69"], "slug": "claim-main-gpu-shown"}
unnamed = nn.DataParallel(FooNet(3).to("cuda"))
result = unnamed(x)
print(unnamed.device_ids, result.device, tuple(result.shape))

# %% [markdown] {"slug": "claim-main-gpu-fact"}
# > **The fact.** There is always a main GPU: `device_ids[0]`, which is 0 unless you choose another.
# > `cuda` without an index is the current GPU, which is also `cuda:0` here. The error that the
# > claim speaks of has a single cause: some parameter or buffer is *not on the main GPU* when
# > `forward` is called. The error clinic shows it.
#
# ### Where may the inputs be?
#
# > **Claim in circulation.** “Inputs, labels and module have to be moved to the main GPU first.”

# %% {"concepts": ["C150"], "errata": ["E70"], "slug": "claim-inputs-shown"}
for device in ("cpu", "cuda:0", "cuda:3"):
    print(device, "→", wrapped(x.to(device)).device)

# %% [markdown] {"slug": "claim-inputs-fact"}
# > **The fact.** Only the module has to be on the main GPU. Inputs may be on any device, because
# > `scatter` moves them; from the CPU, each part goes straight to its own GPU. Labels belong on the
# > device of the gathered output, because your own code computes the loss.
#
# Does it matter whether you wrap or move first? The wrapper's `to` moves the module inside.

# %% {"concepts": ["C150"], "slug": "wrap-or-move"}
first_wrapped = nn.DataParallel(FooNet(3), devices).to(gpu)
first_moved = nn.DataParallel(FooNet(3).to(gpu), devices)
print(first_wrapped(x).device, first_moved(x).device)

# %% [markdown] {"slug": "price"}
# Both are fine. What counts is where the module is when `forward` runs.
#
# ## 4. What does it cost?
#
# > **Claim in circulation.** “Four GPUs are four times as fast.”
#
# Finding friends and collecting results is paid for in every step. We take a module with a lot of
# work and few parameters, the best case for the wrapper: one layer, used 32 times.

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "busy-module"}
class Busy(FooNet):
    def forward(self, x):
        for _ in range(32):
            x = self.linears[0](x)
        return x

# %% [markdown] {"slug": "claim-speed"}
# We let one GPU compute a batch, then four, and divide the times.

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "speedup-function"}
busy = Busy(512, layers=1).to(gpu)

def speedup(batch_size):
    batch = torch.randn(batch_size, 512, device=gpu)
    with torch.no_grad():
        alone, together = (run_phases(busy, batch, devices[:n]) for n in (1, 4))
    return alone.time / together.time

# %% [markdown] {"slug": "claim-speed-ask"}
# We try a small batch, a medium-sized one and a large one. (The cell takes a few seconds.)

# %% {"slug": "speed-predict"}
predict("07.speed")

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "claim-speed-shown"}
speedups = {batch_size: round(speedup(batch_size), 2) for batch_size in (8, 512, 4096)}
print(f"speed-up by batch size, {ran.kind}: {speedups}")
small = speedups[8]
words = "slower" if small < 1 else "a little faster" if small < 3 else "about four times as fast"
reveal("07.speed", words)

# %% [markdown] {"slug": "claim-speed-fact"}
# > **The fact.** The speed-up depends on how much work a step has to set against its overhead: on
# > the batch, the module, the GPUs and the connection between them. Measure one GPU first.
#
# These are forward passes without gradients, and with virtual GPUs their times come from a model.
# Measure whole training steps on your own machine: they also bring the gradients back.
#
# The picture for the small batch shows where the time goes:

# %% {"concepts": ["C140"], "slug": "small-drawn"}
with torch.no_grad():
    ran = run_phases(busy, torch.randn(8, 512), devices)
schedule(ran.lanes, title="One forward pass, 8 samples", modelled=ran.kind == "modelled")

# %% [markdown] {"slug": "small-read"}
# In the model, the replicas hardly overlap. One Python process has to launch the work of all four
# GPUs, one operation after another, and with two samples on each GPU an operation is over before
# the next one is launched. Threads help little: Python runs the code of only one thread at a time
# (the *GIL*), and torch releases it only inside its operators. The model is stricter than a real
# system: it lets the threads launch strictly one after the other, which is why the GPUs form a
# staircase. On real GPUs they can overlap more.
#
# The main GPU also needs more *memory*. We look at how much a forward pass adds on each GPU.

# %% {"concepts": ["C144", "C147"], "errata": ["E76"], "slug": "memory"}
large = nn.DataParallel(FooNet(256).to(gpu), devices)
before = [torch.cuda.memory_allocated(device) for device in devices]
result = large(torch.randn(2048, 256))
for device, used in zip(devices, before, strict=True):
    print(device, f"+{(torch.cuda.memory_allocated(device) - used) / 2**20:.2f} MiB")

# %% [markdown] {"slug": "memory-explained"}
# `cuda:0` takes more than any other: in addition to its part it holds the gathered outputs of all.
# The module, its gradients and the optimizer's states are there as well. So a batch may fit on the
# others and not on the main GPU.
#
# ## 5. Bring back: what wrapping changes
#
# The wrapper is a module of its own, with your module inside. What does that do to names?

# %% {"slug": "keys-predict"}
predict("07.keys")

# %% {"concepts": ["C142", "C155"], "errata": ["E77"], "slug": "keys-shown"}
reveal("07.keys", next(iter(wrapped.state_dict())))

# %% [markdown] {"slug": "keys-explained"}
# To save, ask the module, not the wrapper: `wrapped.module.state_dict()`. (Lesson 10 is about
# checkpoints that were saved the other way.)
#
# On a computer without a GPU the wrapper passes every call on to the module. What are the keys
# there? Our lab has GPUs, so we ask in a fresh process that sees none.

# %% {"concepts": ["C155"], "slug": "cpu-script"}
import os
import subprocess
import sys

script = """import torch; net = torch.nn.DataParallel(torch.nn.Linear(1, 1))
print(net.device_ids, next(iter(net.state_dict())), tuple(net(torch.ones(2, 1)).shape))"""
no_gpu = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}

# %% [markdown] {"slug": "cpu-run"}
# This short program wraps a layer, and prints the ids, the first key, and a result's shape.

# %% {"slug": "cpu-predict"}
predict("07.cpu")

# %% {"concepts": ["C155"], "errata": ["E77"], "slug": "cpu-shown"}
command = [sys.executable, "-c", script]
done = subprocess.run(command, capture_output=True, text=True, env=no_gpu)
print(done.stdout)
reveal("07.cpu", done.stdout.split()[1])

# %% [markdown] {"slug": "attributes"}
# And the attributes of your module? We ask for one, first the wrapper, then the module inside.

# %% {"concepts": ["C142", "C155"], "errata": ["E77"], "slug": "attributes-shown"}
print(hasattr(wrapped, "linears"), hasattr(wrapped.module, "linears"))

# %% [markdown] {"slug": "counter"}
# What you could reach before is now one name further away: `wrapped.module.linears`.
#
# ### What replicas forget
#
# This module counts its calls, once in a plain attribute and once in a buffer.

# %% {"concepts": ["C155"], "slug": "counter-module"}
class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))
    def forward(self, x):
        self.calls += 1
        return x + self.seen.add_(1)

# %% [markdown] {"slug": "counter-ask"}
# It is called once, with 8 samples on four GPUs.

# %% {"slug": "counter-predict"}
predict("07.counter")

# %% {"concepts": ["C155"], "errata": ["E77"], "slug": "counter-shown"}
counting = Counting().to(gpu)
nn.DataParallel(counting, devices)(torch.zeros(8, 1))
reveal("07.counter", f"{counting.calls} and {counting.seen.item()}")

# %% [markdown] {"slug": "counter-explained"}
# ### When the result is a number
#
# The next module returns the mean of its input.

# %% {"concepts": ["C155"], "slug": "scalar-module"}
class Mean(nn.Module):
    def forward(self, x):
        return x.mean()

# %% [markdown] {"slug": "scalar-ask"}
# The result of the bare module has no dimensions. We give the wrapped one ten samples, on four
# GPUs.

# %% {"slug": "scalar-predict"}
predict("07.scalar")

# %% {"concepts": ["C155"], "errata": ["E76"], "slug": "scalar-shown"}
import warnings

with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    means = nn.DataParallel(Mean(), devices)(torch.arange(10.0))
print(*[warning.message for warning in warned])
reveal("07.scalar", list(means.shape))

# %% [markdown] {"slug": "scalar-explained"}
# If we want one number, taking the mean of the result is tempting:

# %% {"concepts": ["C155"], "errata": ["E76"], "slug": "scalar-mean"}
means.tolist(), means.mean().item(), torch.arange(10.0).mean().item()

# %% [markdown] {"slug": "scalar-mean-explained"}
# But 5.25 is not 4.5: the last part has a single sample, and counts as much as the others with
# three. A loss that is computed inside the module has the same fault. Return outputs, and compute
# the loss from the gathered result.
#
# ### A guard for one GPU
#
# Programs for several GPUs should run where there are fewer. Some old scripts ask
# `device_count() < 2` and then do nothing about it. Let the answer decide:

# %% {"concepts": ["C154"], "slug": "guard"}
def parallel_if_possible(module):
    if torch.cuda.device_count() < 2:
        return module
    return nn.DataParallel(module)

type(parallel_if_possible(FooNet(3))).__name__

# %% [markdown] {"slug": "guard-explained"}
# With the GPUs of the lab it is wrapped. With a single GPU the wrapper would do no harm: it moves
# the module there itself and replicates nothing. But the prefix and the hidden attributes would
# still be there.
#
# ## 6. What is recommended today
#
# > **Claim in circulation.** “`DataParallel` is deprecated and will disappear.”
#
# We look at what torch itself says when we use it, and in its documentation.

# %% {"concepts": ["C155"], "errata": ["E72"], "slug": "claim-deprecated-shown"}
with warnings.catch_warnings(record=True) as warned:
    warnings.simplefilter("always")
    nn.DataParallel(net, devices)(x)
text = " ".join(nn.DataParallel.__doc__.split())
print(len(warned), "warnings")
print(text[text.index("It is recommended"):].split(" See:")[0])

# %% [markdown] {"slug": "claim-deprecated-fact"}
# > **The fact.** It is *discouraged*, not deprecated: there is no warning at run time. The
# > documentation recommends `DistributedDataParallel`, even on a single computer.
#
# You know the reasons by now: one Python process launches everything, the module is sent out in
# every step, and one GPU collects it all. `DistributedDataParallel`, or **DDP**, works differently:
#
# | | DataParallel | DDP |
# |---|---|---|
# | processes | one, with a thread for each GPU | one for each GPU |
# | parameters | sent out in every step | sent once, at the start; each process has its own |
# | buffers | sent out in every step | by default, sent by process 0 before each forward pass |
# | the batch | cut up and sent to the GPUs | each process loads its own part |
# | gradients | added up on the main GPU | exchanged by all, during the backward pass |
# | the optimizer | on the main GPU | the same step in every process |
#
# DDP also runs on the CPU. `run_ranks` starts two processes, each of them a **rank**, and returns
# what they return. (It also does what your own program would have to: it imports `nn` and `DDP`,
# and joins the processes in a group.) Each rank has a sample of its own.

# %% {"slug": "ddp-predict"}
predict("07.ddp")

# %% {"concepts": ["C155"], "errata": ["E72"], "slug": "ddp-shown"}
from course_utils.experiments.ranks import run_ranks


def gradient(rank):
    net = DDP(nn.Linear(1, 1, bias=False))
    net(torch.tensor([[1.0 + rank]])).sum().backward()
    return {"rank": rank, "gradient": net.module.weight.grad.item(), "keys": [*net.state_dict()]}

ranks = run_ranks(gradient)
reveal("07.ddp", ranks[0]["gradient"])

# %% [markdown] {"slug": "ddp-both"}
# And what do the two ranks return in full?

# %% {"concepts": ["C155"], "errata": ["E77"], "slug": "ddp-both-shown"}
ranks

# %% [markdown] {"slug": "ddp-explained"}
# Both ranks have the same gradient, so both make the same step, and the two copies of the module
# stay equal although no parameter is sent. The keys have the prefix `module.`, as with
# DataParallel.
#
# In a real program `torchrun --nproc-per-node=4 train.py` starts the processes, and a
# `DistributedSampler` gives each its part of the data. Lesson 11 writes such a program.
#
# ### On which systems?
#
# Old tutorials advise against parallel work on Windows. `DataParallel` has no such restriction.
# What is missing there is NCCL. The processes of `torch.distributed` use **gloo** instead. We ask
# your own installation, in a child process that has no virtual GPUs: they would answer for it.

# %% {"concepts": ["C149"], "errata": ["E73"], "slug": "backends"}
from course_utils.experiments.children import run_bare_child

print(run_bare_child("""
import torch.distributed as dist
print("distributed:", dist.is_available())
if dist.is_available():
    print("gloo:", dist.is_gloo_available(), " nccl:", dist.is_nccl_available())
"""))

# %% [markdown] {"slug": "clinic"}
# The usual builds for all systems have gloo; those for CUDA on Linux have NCCL as well. (Builds for
# AMD's ROCm offer its own library, RCCL, under the same name.) NCCL works with GPUs alone, so our
# two ranks on the CPU used gloo. In a lab with virtual GPUs, programs that ask for NCCL run, too:
# gloo does the work there.
#
# ## 7. Error clinic
#
# Six messages. The first three come from the wrapper itself, the others out of a replica or from
# your own code around it.

# %% [markdown] {"slug": "clinic-main"}
# **Case 1.** The module is on a GPU that takes part, but not on the main one.

# %% {"concepts": ["C148"], "errata": ["E69"], "slug": "clinic-main-shown"}
wrong = nn.DataParallel(FooNet(3).to("cuda:2"), device_ids=[1, 2])
try:
    wrong(x)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-main-read"}
# - *must have its parameters and buffers*: the module is meant, not the inputs.
# - *on device cuda:1 (device_ids[0])*: the main GPU, and why it is this one.
# - *found one of them on device: cuda:2*: the device of the first parameter or buffer that is not
#   on the main GPU.
#
# **Cure:** move the module to the main GPU.

# %% {"concepts": ["C148"], "errata": ["E69"], "slug": "clinic-main-cured"}
wrong.to("cuda:1")(x).device

# %% [markdown] {"slug": "clinic-cpu"}
# It runs, and the result is on `cuda:1`. The other cure is `device_ids=[2, 1]`.
#
# **Case 2.** The module was never moved.

# %% {"concepts": ["C148"], "errata": ["E69"], "slug": "clinic-cpu-shown"}
never = nn.DataParallel(FooNet(3), devices)
try:
    never(x)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-cpu-read"}
# - *found one of them on device: cpu*: the same sentence, another device. With several GPUs the
#   wrapper moves inputs, but never the module.
#
# **Cure:** `to`, before or after wrapping.

# %% {"concepts": ["C148"], "slug": "clinic-cpu-cured"}
never.to(gpu)(x).device

# %% [markdown] {"slug": "clinic-id"}
# Now it is on `cuda:0`.
#
# **Case 3.** An index in `device_ids` that no visible GPU has.

# %% {"concepts": ["C143"], "slug": "clinic-id-shown"}
try:
    nn.DataParallel(FooNet(3), device_ids=[0, torch.cuda.device_count()])
except AssertionError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-id-read"}
# - *Invalid device id*: it does not say which. The ids are logical: they count the visible GPUs
#   from 0, whatever `nvidia-smi` calls the cards.
# - It is raised when wrapping, before any forward pass.
#
# **Cure:** take the indices from `device_count()`, or leave `device_ids` out.

# %% {"concepts": ["C143"], "slug": "clinic-id-cured"}
nn.DataParallel(FooNet(3), device_ids=list(range(torch.cuda.device_count()))).device_ids

# %% [markdown] {"slug": "clinic-replica"}
# The wrapper has all visible GPUs.
#
# **Case 4.** A layer in a plain list, moved by hand. On one GPU it worked.

# %% {"concepts": ["C152"], "slug": "clinic-replica-shown"}
class Listed(FooNet):
    def forward(self, x):
        return self.hidden[0](super().forward(x))

listed = Listed(3).to(gpu)
listed.hidden = [nn.Linear(3, 3).to(gpu)]
print(listed(x.to(gpu)).device)

# %% [markdown] {"slug": "clinic-replica-wrapped"}
# Wrapped, it fails. The message is long: the whole traceback of a thread is in it. Read the first
# line and the last.

# %% {"concepts": ["C152"], "slug": "clinic-replica-raised"}
try:
    nn.DataParallel(listed, devices)(x)
except RuntimeError as error:
    lines = str(error).strip().splitlines()
print(lines[0], lines[-1], sep="\n...\n")

# %% [markdown] {"slug": "clinic-replica-read"}
# - *Caught RuntimeError in replica 1 on device 1*: replica 0 was fine, because it is where the
#   forgotten layer is.
# - the last line is the error itself, one of lesson 03: two devices in one operation.
#
# **Cure:** register the layer. Then it is replicated with the others.

# %% {"concepts": ["C152"], "slug": "clinic-replica-cured"}
listed.hidden = nn.ModuleList(listed.hidden)
nn.DataParallel(listed, devices)(x).shape

# %% [markdown] {"slug": "clinic-keyword"}
# The result has ten rows of three numbers.
#
# **Case 5.** Five samples on four GPUs, and an argument that is not a tensor.

# %% {"concepts": ["C150"], "errata": ["E70"], "slug": "clinic-keyword-module"}
class Scaled(nn.Module):
    def forward(self, x, factor=1):
        return x * factor

# %% [markdown] {"slug": "clinic-keyword-ask"}
# The samples become three parts; the number is copied for *every* GPU.

# %% {"concepts": ["C150"], "errata": ["E66", "E70"], "slug": "clinic-keyword-shown"}
scaled = nn.DataParallel(Scaled(), devices)
try:
    scaled(x[:5], factor=2)
except TypeError as error:
    lines = str(error).strip().splitlines()
print(lines[0], lines[-1], sep="\n...\n")

# %% [markdown] {"slug": "clinic-keyword-read"}
# - *in replica 3*: the fourth. There are only three parts, so it should not exist.
# - *missing 1 required positional argument: 'x'*: it was made for its `factor`, and has no samples.
#
# **Cure:** give the number to the module, not to the call; or make sure that every batch has a part
# for each GPU, for example with a suitable batch size and `drop_last=True` in the `DataLoader`.

# %% {"concepts": ["C150"], "errata": ["E70"], "slug": "clinic-keyword-cured"}
scaled(x[:8], factor=2).shape

# %% [markdown] {"slug": "clinic-attribute"}
# Eight samples give all four GPUs a part. (Nine would not, as you know.)
#
# **Case 6.** An attribute of the module, asked of the wrapper.

# %% {"concepts": ["C142"], "errata": ["E77"], "slug": "clinic-attribute-shown"}
try:
    wrapped.linears
except AttributeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-attribute-read"}
# - *'DataParallel' object*: the wrapper was asked. It passes on calls, but not attributes.
#
# **Cure:** go through `module`.

# %% {"concepts": ["C142"], "slug": "clinic-attribute-cured"}
len(wrapped.module.linears)

# %% [markdown] {"slug": "recap"}
# It has its three layers.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("07.after.split")

# %% {"slug": "recap-2-quiz"}
quiz("07.after.refused")

# %% {"slug": "recap-3-quiz"}
quiz("07.after.ddp")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. Four workers, tasks of 60 minutes, 3 to find and 3 to collect: what is the speed-up, and why is
#    it not 4?
# 2. How are 10 samples split on 4 GPUs, and how are 5?
# 3. What are the four phases, and which GPU takes part in all of them?
# 4. What has to be on the main GPU before `forward`, and what need not be?
# 5. After `forward`, what is left of an attribute that it set? Of a buffer that it changed in
#    place?
# 6. What does DDP do differently, in one sentence?
#
# <details><summary>Answers</summary>
#
# 1. 240/66, about 3.64: finding and collecting are not shared. A batch pays for them in every step.
# 2. 3, 3, 3, 1; and 2, 2, 1, so that one GPU has nothing to do.
# 3. Scatter, replicate, apply, gather; the main GPU, `device_ids[0]`.
# 4. All parameters and buffers. The inputs may be anywhere.
# 5. Nothing; and what the replica on the main GPU wrote.
# 6. Each GPU has a process with its own copy and its own part of the data, and only gradients are
#    exchanged.
#
# </details>
#
# In four words: **choose** several GPUs only if a step has enough work for them. **Move** the
# module to the main GPU. **Run** with a batch size that is a multiple of the number of GPUs.
# **Bring back** outputs, and compute the loss from all of them; save `wrapped.module`.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `07_parallel`. You will compute running times for several workers, predict how
# batches are split and what a wrapped module keeps, mend a program that trains on two GPUs, build a
# small DataParallel of your own, wrap a module with as few moves as possible, and write a training
# step for two GPUs by hand, as DDP makes it.
#
# **Next lesson:** 08, *Reading utilisation*: how busy a GPU really is, what fills its memory, and
# what the batch size has to do with it. If it is not in your copy of the course, it is still to
# come.
