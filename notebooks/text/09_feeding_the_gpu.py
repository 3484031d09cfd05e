# %% [markdown] {"slug": "title"}
# # Feeding the GPU
#
# *On the Right Device*, lesson 09
#
# A GPU computes quickly and waits often. Before it can work on a batch, somebody has to read files,
# decode them, put samples together and copy them over. This lesson is about the way there, in the
# four words of the course: **choose**, **move**, **run**, **bring back**.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **tell** which process loads a batch, and what `num_workers` really counts;
# - **predict** which copies make the program wait, and what pinned memory changes;
# - **build** a training loop that copies the next batch while the GPU computes;
# - **measure** a loader on your own computer, and judge which differences are more than noise;
# - **explain** a utilisation that jumps between 0 % and 95 %;
# - **repair** datasets that cannot be sent to workers, or that repeat their random numbers;
# - **read** six errors of loaders and workers, and cure them.
#
# **Minutes:** 90
#
# **Prerequisites:** lesson 02; `Dataset` and `DataLoader`, and what a process is.
#
# Before a cell with a surprise you are asked for a prediction. Choose an answer even if you have
# to guess. Every cell runs with or without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need.

# %% {"slug": "imports"}
import tempfile

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info

# %% [markdown] {"slug": "before-tools"}
# Datasets, measuring and drawing come from the course, since workers must be able to import a
# dataset, and a notebook's cell cannot be imported.
# %% {"slug": "imports-course"}
from course_utils import lab, predict, quiz, reveal
from course_utils.experiments import datasets, loader_sweep
from course_utils.experiments.recording import host_held, host_works, record, utilisation_readings
from course_utils.figures import loop_timelines, sweep_chart, utilisation_chart

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. All three are about lesson 02.

# %% {"slug": "before-1-quiz"}
quiz("09.before.launch")

# %% {"slug": "before-2-quiz"}
quiz("09.before.wait")

# %% {"slug": "before-3-quiz"}
quiz("09.before.batch")

# %% [markdown] {"slug": "choose"}
# ## 1. Choose: who loads?
#
# One GPU is enough for this lesson.

# %% {"slug": "lab"}
devices = lab(gpus=1)
gpu = devices[0]
print(gpu, "and", loader_sweep.usable_cpus(), "CPUs for the loader")

# %% [markdown] {"slug": "loop"}
# If it is *virtual*, devices, values and error messages are those of CUDA. Times of the GPU are
# then *modelled*: computed from the speed of a typical card, and not measured. Loading is always
# real.
#
# This is the loop that every training has. Data begins on the CPU and goes **from the CPU to the
# GPU**, batch by batch:

# %% {"concepts": ["C168", "C170"], "slug": "loop-shown"}
data = [(torch.ones(3) * n, n) for n in range(4)]
for inputs, labels in DataLoader(data, batch_size=2):
    print(inputs.device, end=" → ")
    inputs, labels = inputs.to(gpu), labels.to(gpu)
    print(inputs.device, labels.device)

# %% [markdown] {"slug": "who-loads"}
# There are two copies in each step: inputs and labels. Both are made anew for every batch, so it is
# here that time can be lost. But who made the batch? The items of `WhoLoads` tell: each is the pid
# of the process that made it, and the index of the worker, -1 for none.

# %% {"slug": "workers-predict"}
predict("09.workers")

# %% [markdown] {"slug": "claim-one-cpu"}
# > **Claim in circulation.** “By default `num_workers` uses one CPU”, or “one thread”.

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "claim-one-cpu-shown"}
who = datasets.WhoLoads(4)
default = torch.cat(list(DataLoader(who, batch_size=2)))
one = torch.cat(list(DataLoader(who, batch_size=2, num_workers=1)))
print("default:", default.tolist(), "\n1 worker:", one.tolist())
reveal("09.workers", "0" if (default[:, 1] == -1).all() else "1")

# %% [markdown] {"slug": "claim-one-cpu-fact"}
# > **The fact.** The number counts neither CPUs nor threads. `num_workers=n` starts n
# > **processes**, which load while the main process trains; without any, the main process loads a
# > batch, then trains on it, then loads the next one. No worker and one worker are very different
# > things.
#
# A process has memory of its own. The dataset is copied into each worker, and batches come back
# through shared memory. With two workers, the batches are shared out in turn:

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "two-workers"}
for batch in DataLoader(who, batch_size=1, num_workers=2):
    pid, worker = batch[0].tolist()
    print(f"process {pid} worker {worker}")

# %% [markdown] {"slug": "start-methods"}
# Worker 0, worker 1, worker 0, worker 1: two processes take turns.
#
# How does a process come into being? There are three **start methods**:
#
# | method | what it does | default |
# |---|---|---|
# | `fork` | copies the running process | Linux, before Python 3.14 |
# | `forkserver` | copies a small clean process, sends it the dataset | Linux, from Python 3.14 |
# | `spawn` | starts a new Python, then sends it the dataset | Windows, macOS |
#
# *Sending* means pickling: the dataset is turned into bytes and built again on the other side, from
# a class that is imported there. `multiprocessing_context` chooses the method for one loader.

# %% {"concepts": ["C173"], "errata": ["E85"], "slug": "spawned"}
spawned = loader_sweep.measure_loader(who, num_workers=1, multiprocessing_context="spawn")
forked = loader_sweep.measure_loader(who, num_workers=1, multiprocessing_context="fork")
print(f"until the first batch: spawn takes {spawned.first / forked.first:.0f} times as long")

# %% [markdown] {"slug": "move"}
# This was measured on your computer. `spawn` starts a Python that imports torch first, and this
# happens at the beginning of *every epoch*, unless `persistent_workers=True` keeps the workers
# alive.
#
# ## 2. Move: pinned memory, and copies that do not wait
#
# The operating system may move ordinary memory to another address, or to the disk. Such memory is
# called **pageable**. On ordinary machines, where the GPU is connected by PCIe, it cannot fetch
# from such memory by itself: the driver first copies piece by piece into a buffer of its own, on
# the host, and the GPU fetches from there. **Pinned** (page-locked) memory is not moved, and the
# GPU fetches from it directly.

# %% {"slug": "pinned-predict"}
predict("09.pinned")

# %% [markdown] {"slug": "claim-mapped"}
# > **Claim in circulation.** “`pin_memory=True` maps the data directly to the memory of the GPU.”

# %% {"concepts": ["C175"], "errata": ["E87"], "slug": "claim-mapped-shown"}
x = torch.ones(1024, 1024)
used = torch.cuda.memory_allocated(gpu)
p = x.pin_memory()
print("pinned:", p.is_pinned(), " same memory:", p.data_ptr() == x.data_ptr())
print("new bytes on the GPU:", torch.cuda.memory_allocated(gpu) - used)
reveal("09.pinned", p.device)

# %% [markdown] {"slug": "claim-mapped-fact"}
# > **The fact.** Pinning prepares a copy to the GPU, and does not replace it. It costs time and
# > RAM, and makes that later copy faster, and able to run by itself.
#
# Here are four ways to write one copy of 4 MiB. How long does each hold up the program?

# %% {"slug": "copies-predict"}
predict("09.copies")

# %% {"concepts": ["C168", "C174", "C176"], "errata": ["E88", "E89"], "slug": "copies-shown"}
held = {}
for name, source in (("pageable", x), ("pinned", p)):
    for flag in (False, True):
        held[name, flag] = host_held(lambda s=source, f=flag: s.to(gpu, non_blocking=f))
        print(f"{name:9} non_blocking={flag!s:5} {held[name, flag]:7.0f} µs", devices.kind)
free = [key for key, time in held.items() if time < 0.25 * held["pinned", False]]
reveal("09.copies", "only pinned and non-blocking" if free == [("pinned", True)] else str(free))

# %% [markdown] {"slug": "copies-explained"}
# On a *virtual* GPU these times come from a model.
#
# > **Claim in circulation.** “With `pin_memory=True`, `inputs.to(device)` overlaps with training.”
#
# In a training, the GPU has work to do when the copy comes. Here it multiplies two matrices first:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "claim-pin-shown"}
on_gpu = p.to(gpu)
for flag in (False, True):
    time = host_held(lambda f=flag: (on_gpu @ on_gpu, p.to(gpu, non_blocking=f)))
    print(f"behind a product, pinned, non_blocking={flag!s:5} {time:7.0f} µs", devices.kind)

# %% [markdown] {"slug": "claim-pin-fact"}
# > **The fact.** Without the flag, `to` hands over the copy and then waits: for this copy, and for
# > **all work that was queued before it**. If the program is to go on during the copy, it needs
# > both: `pin_memory=True` in the loader **and** `non_blocking=True` in `to`.
#
# Leave pinning to the loader, which does it in a thread of its own. In the loop,
# `batch.pin_memory().to(gpu, non_blocking=True)` makes the main process wait for the pinning; the
# PyTorch tutorial [on pinned
# memory](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html) found it up to twice
# as slow as plain `to`. And from *pageable* memory? The host has to help with the copy itself, but
# the flag leaves out the wait after it. With many small tensors the tutorial measured a clear gain;
# our model counts none.
#
# What does the loader pin? Tensors, and those inside tuples, lists and dicts. It does not know a
# class of your own:

# %% {"concepts": ["C174", "C175"], "errata": ["E90"], "slug": "custom-batch"}
class Pair:
    def __init__(self, samples):
        self.x = torch.stack(samples)

pairs = DataLoader(torch.ones(2, 3), batch_size=2, collate_fn=Pair, pin_memory=True)
plain = DataLoader(torch.ones(2, 3), batch_size=2, pin_memory=True)
print(next(iter(plain)).is_pinned(), next(iter(pairs)).x.is_pinned())

# %% [markdown] {"slug": "custom-batch-cure"}
# It is `True` for the tensor and `False` for the class, without a warning. If the class has a
# method `pin_memory`, the loader calls it.

# %% {"concepts": ["C174"], "errata": ["E90"], "slug": "custom-batch-cured"}
def pin_memory(self):
    self.x = self.x.pin_memory()
    return self

Pair.pin_memory = pin_memory
next(iter(pairs)).x.is_pinned()

# %% [markdown] {"slug": "ram"}
# Now the batch is pinned.
#
# > **Claim in circulation.** “Set `pin_memory=True` if the memory is large.”
#
# Whose memory? Each worker prepares up to `prefetch_factor` batches ahead, and pinned ones are in
# RAM that the operating system cannot use for anything else.

# %% {"concepts": ["C174"], "errata": ["E90"], "slug": "ram-shown"}
batch = torch.empty(64, 3, 224, 224)
workers, prefetch_factor = 8, 2
print(f"{workers * prefetch_factor * batch.nbytes / 2**20:.0f} MiB of the host for 16 batches")

# %% [markdown] {"slug": "ram-fact"}
# > **The fact.** It is the **host's** RAM that is locked. A few batches are harmless; locking much
# > of it slows the whole computer down. Without an accelerator PyTorch warns and pins nothing; and
# > `pin_memory_device` is deprecated, since the current accelerator is used.
#
# ## 3. Run: a loop without gaps
#
# Now the whole loop: load, copy, compute. For a fair comparison, loading takes a fixed time here,
# `host_works(300)`, 300 µs. The rest is a small net and five batches.

# %% {"concepts": ["C168", "C170"], "slug": "net"}
net = nn.Sequential(nn.Linear(1024, 1024), nn.ReLU(), nn.Linear(1024, 1024)).to(gpu)
batches = [torch.zeros(1024, 1024) for _ in range(5)]
pinned = [batch.pin_memory() for batch in batches]

def step(x):
    net(x).square().mean().backward()

step(batches[0].to(gpu))

# %% [markdown] {"slug": "plain-loop"}
# That was the warm-up. First the loop as it is in most programs:

# %% {"concepts": ["C168", "C170"], "slug": "plain-loop-run"}
with record(gpu) as plain:
    for batch in batches:
        host_works(300)
        step(batch.to(gpu))

# %% [markdown] {"slug": "pinned-loop"}
# Then we change one thing at a time. The same loop, with pinned batches:

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "pinned-loop-run"}
with record(gpu) as from_pinned:
    for batch in pinned:
        host_works(300)
        step(batch.to(gpu))

# %% [markdown] {"slug": "non-blocking-loop"}
# Next, the copy with `non_blocking=True` as well:

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "non-blocking-loop-run"}
with record(gpu) as non_blocking:
    for batch in pinned:
        host_works(300)
        step(batch.to(gpu, non_blocking=True))

# %% [markdown] {"slug": "own-stream"}
# Here the *host* runs ahead. The GPU still copies and computes in turn, because both are in one
# **stream**: a queue in which one piece of work follows the other. With a second stream, the GPU
# may copy batch n + 1 while it computes on batch n.

# %% {"concepts": ["C168", "C175"], "errata": ["E88"], "slug": "fetch"}
copying = torch.cuda.Stream(gpu)

def fetch(batch):
    host_works(300)
    with torch.cuda.stream(copying):
        return batch.to(gpu, non_blocking=True)

# %% [markdown] {"slug": "prefetch-loop"}
# Two streams have to be told about each other. `wait_stream` makes the computing wait until the
# copy is there; `record_stream` says that the other stream uses this memory as well. The host waits
# for nothing.

# %% {"concepts": ["C168", "C170"], "errata": ["E88"], "slug": "prefetch-loop-run"}
with record(gpu) as prefetched:
    upcoming = fetch(pinned[0])
    for following in [*pinned[1:], None]:
        x, current = upcoming, torch.cuda.current_stream(gpu)
        current.wait_stream(copying)
        x.record_stream(current)
        upcoming = None if following is None else fetch(following)
        step(x)

# %% [markdown] {"slug": "gains"}
# We have four recordings of the same training. From each to the next, one thing changed: pinned
# memory, `non_blocking=True`, and a second stream.

# %% {"slug": "overlap-predict"}
predict("09.overlap")

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "gains-shown"}
loops = {"plain": plain, "pinned": from_pinned, "non-blocking": non_blocking,
         "prefetched": prefetched}
saved = -np.diff([loop.end for loop in loops.values()])
changes = ["pinned memory", "non_blocking=True", "the second stream"]
reveal("09.overlap", changes[saved.argmax()])

# %% [markdown] {"slug": "timelines"}
# All four, drawn against one clock. In the rows of the host, blue bars are loading, and white bars
# are waiting.

# %% {"concepts": ["C168", "C170", "C174"], "errata": ["E88"], "slug": "timelines-shown"}
loop_timelines(loops, title="One training, four loops")

# %% [markdown] {"slug": "timelines-read"}
# This is what the model shows. **Plain**: between two groups of kernels the GPU waits for a copy,
# and the host waits for the GPU. **Pinned**: the copies are shorter; the host still waits for each.
# **Non-blocking**: the host no longer waits before the end, but the GPU has the same gaps.
# **Prefetched**: the copies are hidden: they run at the same time as the kernels. The same as
# numbers, in µs:

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "timelines-numbers"}
for name, loop in loops.items():
    print(f"{name:13} end {loop.end:6.0f}  gaps {loop.gaps():6.0f}  overlap {loop.overlap():5.0f}",
          "modelled" if loop.modelled else "measured")

# %% [markdown] {"slug": "measure"}
# In the model, the GPU is the slow side: it has work left whenever the host comes back, so a host
# that no longer waits gains little. On a real GPU the bars have other lengths. Where the net is
# small, launching its kernels can take longer than running them; then the host is the slow side,
# and each of its waits counts.
#
# ## 4. Measure: how many workers?
#
# So far, loading was just a number. Now we take real files: we draw JPEG pictures into a temporary
# folder, and a dataset decodes them when they are asked for. It is a class of the course:
#
# ```python
# class Pictures(Dataset):
#     def __init__(self, paths, side=64):
#         self.paths, self.side = paths, side
#
#     def __getitem__(self, number):
#         with Image.open(self.paths[number]) as picture:
#             small = picture.convert("RGB").resize((self.side, self.side))
#         return torch.from_numpy(np.array(small)).permute(2, 0, 1).contiguous()
# ```

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "pictures"}
folder = tempfile.TemporaryDirectory()
pictures = datasets.Pictures(datasets.make_pictures(folder.name))
len(pictures), tuple(pictures[0].shape), pictures[0].dtype

# %% [markdown] {"slug": "per-sample"}
# 160 pictures, each a small tensor of bytes. The cost of loading is a cost **per sample**: reading,
# decoding, shrinking. A large batch takes longer because it has more samples in it, and the GPU has
# more to do with it, too. We measure loading with two batch sizes, without workers:

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "per-sample-shown"}
for size in (16, 64):
    one = loader_sweep.measure_loader(pictures, batch_size=size)
    print(f"batch size {size}: {1e3 / one.rate:.2f} ms per sample, measured")

# %% [markdown] {"slug": "sweep"}
# The time per sample is roughly the same. (Measurements vary from run to run: other programs use
# the CPUs as well.)
#
# > **Claim in circulation.** “Set `num_workers` to 4, 8 or 16; more threads are faster.”
#
# Now the sweep: 0, 1, 2 and 4 workers, pinned or not, two batch sizes, one epoch each. A bar shows
# the progress.

# %% {"slug": "sweep-predict"}
predict("09.sweep")

# %% {"concepts": ["C172", "C177"], "errata": ["E86"], "slug": "sweep-run"}
found = loader_sweep.sweep(pictures)
best = max(found, key=lambda one: one.rate)
reveal("09.sweep", "yes" if best.workers == 4 else "no")

# %% [markdown] {"slug": "sweep-drawn"}
# The result, drawn from these measurements. (With a virtual GPU, `pin_memory` only makes a copy and
# marks it as pinned. There the bars do not tell you what real pinning would cost.)

# %% {"concepts": ["C172", "C174"], "errata": ["E86"], "slug": "sweep-chart"}
sweep_chart(found, title="One epoch of 160 JPEG pictures, samples per second")

# %% [markdown] {"slug": "sweep-fact"}
# The longest bar is the fastest setting of this one sweep. On another computer, or with other
# files, it may be another one.
#
# > **The fact.** Workers cost something: each process has to be **started, in every epoch**; every
# > batch is handed over through shared memory; every worker has a dataset of its own in RAM; and
# > they share the CPUs. Above the number of CPUs that the process may use, PyTorch warns. Measure
# > with your own data, and stop where it gets no faster.
#
# Each bar is a single run. How much is it worth? We measure the fastest setting three times more:

# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "sweep-again"}
settings = {"num_workers": best.workers, "batch_size": best.batch_size, "pin_memory": best.pinned}
again = [loader_sweep.measure_loader(pictures, **settings).rate for _ in range(3)]
print(f"{best}: {best.rate:.0f} in the sweep, then", *(f"{rate:.0f}" for rate in again))

# %% [markdown] {"slug": "sweep-noise"}
# The numbers differ, although nothing was changed. Two settings that are no further apart than
# these runs are equally good, and a new sweep may find another one fastest. So measure each setting
# several times, compare medians, and of those that are about equal take the one with the fewest
# workers.
#
# How much of an epoch passes before the first batch is there?

# %% {"concepts": ["C172", "C178"], "errata": ["E86"], "slug": "first-batch"}
for one in found[:4]:
    print(f"{one}: the first batch after {one.first / one.total:4.0%} of the epoch, measured")

# %% [markdown] {"slug": "persistent"}
# Our epoch is short, so the start is a large part of it. With `persistent_workers=True` it happens
# only once. Two epochs, without and with it:

# %% {"concepts": ["C172", "C178"], "errata": ["E86"], "slug": "persistent-shown"}
for keep in (False, True):
    loader = DataLoader(who, num_workers=2, persistent_workers=keep)
    pids = [{int(item[0, 0]) for item in loader} for epoch in range(2)]
    print(f"persistent_workers={keep}: same processes in epoch 2:", pids[0] == pids[1])
    del loader

# %% [markdown] {"slug": "more-settings"}
# Without it, each epoch has new processes. The other settings of this family:
#
# | setting | what it does | note |
# |---|---|---|
# | `prefetch_factor` | batches that each worker prepares ahead, 2 by default | needs workers |
# | `persistent_workers` | keeps workers for the next epoch | needs workers |
# | `multiprocessing_context` | start method | needs workers |
# | `in_order=False` | hands out what is ready first | no longer repeatable |
# | `timeout` | seconds to wait for a batch of the workers | 0: for ever |

# %% {"concepts": ["C178"], "errata": ["E86"], "slug": "prefetch-factor"}
loader = DataLoader(who, num_workers=2, prefetch_factor=4)
print(loader.prefetch_factor * loader.num_workers, "batches ahead")
print(DataLoader(who).prefetch_factor, "without workers")

# %% [markdown] {"slug": "utilisation"}
# Eight batches; and `None` without workers, where nobody can fetch ahead.
#
# ## 5. What does utilisation tell you?
#
# `torch.cuda.utilization` returns in which share of a short time window, up to a second, any kernel
# ran at all. Suppose that the GPU needs 0.9 s for a batch and the loader 2 s. We read it every
# 0.4 s.

# %% {"slug": "jump-predict"}
predict("09.jump")

# %% [markdown] {"slug": "claim-batch-size"}
# > **Claim in circulation.** “If the batch size is large, the CPU is slow with each batch, and the
# > GPU waits. Use a smaller batch.”

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "claim-batch-size-shown"}
slow = utilisation_readings(gpu, load=2.0, compute=0.9)
print(slow, "virtual: modelled" if devices.kind == "virtual" else "measured")
reveal("09.jump", "up and down" if max(slow) - min(slow) > 30 else f"{max(slow)} % all the time")

# %% [markdown] {"slug": "half-batch"}
# Now two changes. Half the batch: half the loading, half the computing. And a loader that is four
# times as fast, with the same batch.

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "half-batch-shown"}
half = utilisation_readings(gpu, load=1.0, compute=0.45, batches=8)
cured = utilisation_readings(gpu, load=0.5, compute=0.9)
readings = {"loader 2 s, GPU 0.9 s": slow, "half the batch": half}
readings["a loader 4 times as fast"] = cured
utilisation_chart(readings, title="Readings of the utilisation, in %, every 0.4 s",
                  modelled=devices.kind == "virtual")

# %% [markdown] {"slug": "claim-batch-size-fact"}
# With half the batch, work and waiting follow each other more quickly, so that each window holds
# some of both and the readings are closer together. The GPU is idle for the same share of the time.
# With the fast loader, readings are near 100 % once the first batch is there.
#
# > **The fact.** The GPU waits because the loader delivers fewer **samples per second** than the
# > GPU could take, whatever the batch size is. The cure is a faster pipeline: cheaper decoding,
# > smaller files, prefetching, and more workers as long as they help.
#
# The test is simple. Measure the loader alone, without training, as we did in section 4, and the
# training alone, with batches that are already there. The slower of the two sets the pace. Here is
# the rate of our small net:

# %% {"concepts": ["C177", "C172"], "errata": ["E91"], "slug": "which-side"}
with record(gpu) as training:
    for batch in pinned:
        step(batch.to(gpu, non_blocking=True))
gpu_rate = sum(len(batch) for batch in pinned) / training.end * 1e6
print(f"loader {best.rate:.0f} samples per second, measured")
print(f"training {gpu_rate:.0f}, {'modelled' if training.modelled else 'measured'}")
print("input-bound" if best.rate < gpu_rate else "the GPU is the slow side")

# %% [markdown] {"slug": "seeds"}
# Its samples are much easier to compute on than pictures are to decode, so this pair says little.
# Put your own training step and your own loader here; then the last line tells you which side to
# improve.
#
# ## 6. Random numbers in workers
#
# A dataset that adds noise, or crops at random, draws its random numbers in a worker. This one
# keeps a generator of its own. (We choose `fork` for classes of this notebook, since no other
# process could import them.)

# %% {"concepts": ["C178", "C173"], "slug": "kept-generator"}
class Kept(Dataset):
    def __init__(self):
        self.generator = np.random.default_rng(0)
    def __len__(self):
        return 4
    def __getitem__(self, number):
        return get_worker_info().id, self.generator.normal()

# %% [markdown] {"slug": "kept-generator-text"}
# Each item says which worker made it, and its noise.

# %% {"slug": "seeds-predict"}
predict("09.seeds")

# %% {"concepts": ["C178"], "slug": "kept-generator-shown"}
settings = {"batch_size": None, "num_workers": 2, "multiprocessing_context": "fork"}
items = [(worker, round(noise, 3)) for worker, noise in DataLoader(Kept(), **settings)]
print(items)
reveal("09.seeds", len({noise for _, noise in items}))

# %% [markdown] {"slug": "seeded"}
# In each worker, `DataLoader` seeds the *global* generators: those of torch and `random` with
# `base_seed + worker`, and, since PyTorch 1.9, NumPy's as well. Older advice to repair NumPy in a
# `worker_init_fn` is from the time before that. The main process draws a new `base_seed` for every
# epoch, so that `torch.manual_seed` makes all of it repeatable. This dataset uses global
# generators:

# %% {"concepts": ["C178"], "slug": "seeded-shown"}
class Seeded(Kept):
    def __getitem__(self, number):
        return round(torch.randn(()).item(), 3), round(np.random.normal(), 3)

torch.manual_seed(1)
for _ in range(2):
    print([pair for pair in DataLoader(Seeded(), **settings)])

# %% [markdown] {"slug": "bring-back"}
# There are eight different pairs, and the same ones in every run. With **0 workers** there is a
# difference: `torch.manual_seed` seeds torch's generator and not NumPy's, and nothing else does.
# Draw from torch's generator, and the problem does not arise.
#
# ## 7. Bring back: results that are not there yet
#
# The way back has the same flag. `to("cpu", non_blocking=True)` takes pinned memory for the result,
# so that the GPU can write it by itself.

# %% {"concepts": ["C176", "C168"], "errata": ["E88"], "slug": "bring-back-shown"}
y = torch.ones(1024, 1024, device=gpu)
blocking, going_on = y.to("cpu"), y.to("cpu", non_blocking=True)
torch.cuda.synchronize(gpu)
print(blocking.is_pinned(), going_on.is_pinned(), going_on.sum().item())

# %% [markdown] {"slug": "bring-back-wait"}
# The line that matters is `synchronize`. On the way to the GPU, whatever uses the batch is queued
# after its copy: nothing can go wrong as long as you leave the batch as it is. On the way **back**,
# the host reads its own memory without asking the GPU: before the copy is done it may find old
# numbers there, and no error is raised. So *bring back* without waiting only if you wait later,
# before you read.
#
# ## 8. Error clinic
#
# Six messages. Where does it fail: when the loader is made, when a worker is started, or in a
# worker? Errors from a worker come in a wrapper; the last line says what happened there.

# %% [markdown] {"slug": "clinic-settings"}
# **Case 1.** A loader that should prefetch.

# %% {"concepts": ["C178"], "slug": "clinic-settings-shown"}
try:
    DataLoader(who, prefetch_factor=4)
except ValueError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-settings-read"}
# - *could only be specified in multiprocessing*: with the default of 0 workers nobody can run
#   ahead.
# - *let num_workers > 0*: one way out. (PyTorch itself leaves out a space in this message.)
#
# `persistent_workers` and `multiprocessing_context` have messages of the same kind.
#
# **Cure:** give it workers, or leave the setting out.

# %% {"concepts": ["C178"], "slug": "clinic-settings-cured"}
DataLoader(who, num_workers=2, prefetch_factor=4).prefetch_factor

# %% [markdown] {"slug": "clinic-own"}
# Now the loader is made.
#
# **Case 2.** An error in the dataset's own code, inside a worker.

# %% {"concepts": ["C178", "C173"], "slug": "clinic-own-shown"}
try:
    list(DataLoader(datasets.Failing("own mistake"), num_workers=1))
except ValueError as error:
    lines = str(error).strip().splitlines()
    print(lines[0], "…", lines[-1], sep="\n")

# %% [markdown] {"slug": "clinic-own-read"}
# - *Caught ValueError in DataLoader worker process 0*: the wrapper. It says where.
# - *ValueError: row 0 of the file is empty*: the last line says what. In between is the traceback
#   of the worker, with the line of your dataset.
#
# **Cure:** try it with `num_workers=0`, where the debugger works as well, or ask for the item
# itself.

# %% {"concepts": ["C178"], "slug": "clinic-own-cured"}
try:
    datasets.Failing("own mistake")[0]
except ValueError as error:
    print(error)

# %% [markdown] {"slug": "clinic-cuda"}
# It is the same error, without the wrapper. Here you would fix the file.
#
# **Case 3.** A dataset moves its items to the GPU, and the worker was forked.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-cuda-shown"}
torch.cuda.init()
try:
    list(DataLoader(datasets.Failing("cuda"), num_workers=1, multiprocessing_context="fork"))
except RuntimeError as error:
    print(str(error).strip().splitlines()[-1])

# %% [markdown] {"slug": "clinic-cuda-read"}
# - *in forked subprocess*: the worker is a copy of a process that uses CUDA. The copy cannot use
#   it.
# - *you must use the 'spawn' start method*: true, and seldom what you want: every worker would then
#   have a CUDA of its own, with its memory on the GPU.
#
# **Cure:** leave the GPU out of the dataset. Items stay on the CPU; the loop moves whole batches.

# %% {"concepts": ["C170", "C178"], "slug": "clinic-cuda-cured"}
[batch.to(gpu).device for batch in DataLoader(torch.ones(2, 3), num_workers=1)]

# %% [markdown] {"slug": "clinic-exit"}
# Both batches arrive.
#
# **Case 4.** A worker is gone, without a traceback.

# %% {"concepts": ["C178", "C173"], "slug": "clinic-exit-shown"}
try:
    list(DataLoader(datasets.Failing("exit"), num_workers=1))
except (RuntimeError, ConnectionError) as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-exit-read"}
# - *exited unexpectedly*: the process ended without saying why. The number is its pid, and not the
#   index of the worker.
#   (Sometimes it shows as `ConnectionResetError` instead, if it died while handing over a batch.)
# - Often the system has ended it: out of RAM (*killed by signal: Killed*), or out of shared memory
#   (*Bus error … out of shared memory*), which is small in containers.
#
# **Cure:** run it with `num_workers=0` to see the real error; else fewer workers, smaller batches,
# or more shared memory (`--shm-size` of the container).

# %% {"concepts": ["C178"], "slug": "clinic-exit-cured"}
len(list(DataLoader(who, batch_size=2, num_workers=1)))

# %% [markdown] {"slug": "clinic-pickle"}
# A loader that works gives two batches.
#
# **Case 5.** A dataset with a lambda, started by `spawn`. Under `fork` it would work, on Linux,
# until somebody runs it on another system or with Python 3.14. (PyTorch adds a warning that says
# so; here it is left out.)

# %% {"concepts": ["C173", "C178"], "slug": "clinic-pickle-shown"}
import warnings

with warnings.catch_warnings(action="ignore"):
    try:
        list(DataLoader(datasets.Scaled(2), num_workers=1, multiprocessing_context="spawn"))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-pickle-read"}
# - *Can't pickle local object*: the dataset has to be sent to the worker, and something in it
#   cannot.
# - *Scaled.\_\_init\_\_.\<locals\>.\<lambda\>*: it even says what: a lambda made in `__init__`.
#
# Open files and locks fail in the same way (*cannot pickle '\_io.BufferedReader' object*); a class
# from a notebook's cell is sent, and not found on the other side.
#
# **Cure:** keep plain values, do the work in a method, and put the class into a file.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-pickle-cured"}
import pickle

print(len(pickle.dumps(datasets.WhoLoads(4))), "bytes")

# %% [markdown] {"slug": "clinic-pin"}
# This dataset can be sent: `pickle.dumps` is the quick test.
#
# **Case 6.** The dataset's tensors are on the GPU already, and the loader pins.

# %% {"concepts": ["C175", "C178"], "errata": ["E87"], "slug": "clinic-pin-shown"}
there = torch.ones(2, 3, device=gpu)
try:
    list(DataLoader(there, batch_size=2, pin_memory=True))
except RuntimeError as error:
    print(str(error).strip().splitlines()[-1])

# %% [markdown] {"slug": "clinic-pin-read"}
# - *cannot pin 'torch.cuda.FloatTensor'*: that is a tensor on a GPU.
# - *only dense CPU tensors can be pinned*: pinning is about the host's memory, once more.
#
# **Cure:** nothing has to be copied, so nothing has to be pinned.

# %% {"concepts": ["C175"], "errata": ["E87"], "slug": "clinic-pin-cured"}
next(iter(DataLoader(there, batch_size=2))).device

# %% [markdown] {"slug": "clean"}
# On `cuda:0`, without any copy. At the end we remove the pictures.

# %% {"slug": "clean-up"}
folder.cleanup()

# %% [markdown] {"slug": "recap"}
# The folder is removed.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("09.after.waits")

# %% {"slug": "recap-2-quiz"}
quiz("09.after.pace")

# %% {"slug": "recap-3-quiz"}
quiz("09.after.lambda")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. What does `num_workers=0` mean, and what `num_workers=1`?
# 2. Where is a pinned tensor, and what is it good for?
# 3. What does a copy to the GPU need so that the program does not wait?
# 4. How many workers are best?
# 5. Utilisation goes 0, 20, 70, 95, 0. What is wrong, and what is not?
# 6. Each worker makes the same random numbers. Why?
#
# <details><summary>Answers</summary>
#
# 1. 0: the main process loads, in turn with training. 1: a process of its own loads meanwhile.
# 2. In the host's memory, locked. The GPU can fetch from it by itself, and faster.
# 3. A source in pinned memory, and `non_blocking=True`.
# 4. That has to be measured: starting, handing over and sharing the CPUs cost something, too.
# 5. The loader gives fewer samples per second than the GPU takes. The batch size is not to blame.
# 6. The dataset keeps a generator that was copied into each of them.
#
# </details>
#
# In four words: **choose** who loads, and how many. **Move** from pinned memory, without waiting.
# **Run** one batch while the next one is on its way. **Bring back** results, and wait before you
# read them.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `09_feeding`. You will predict which copies wait, choose a number of workers from
# measurements that vary, mend a loader that dies in its workers, repair two datasets, compute how
# long an epoch takes, and write a generator that copies the next batch, in a stream of its own,
# while the GPU computes.
#
# **Next lesson:** 10, *Saving and loading*: what a file remembers of devices, and how to load it on
# a machine that has others.
