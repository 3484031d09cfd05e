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
# - **measure** a loader on your own computer and read the best setting off the result;
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
# If it is *virtual*, places, values and error messages are those of CUDA. Times of the GPU are then
# *modelled*: computed from the speed of a typical card, and not measured. Loading is always real.
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
# Two copies per step: inputs and labels. Both are made anew for every batch, so it is here that
# time can be lost. But who made the batch? The items of `WhoLoads` tell: each is the pid of the
# process that made it, and the number of the worker, -1 for none.

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
# With the default, all four items were made by no worker: the pid is the one of this notebook. With
# `num_workers=1` there is another pid.
#
# > **The fact.** The default is **0**: the main process loads a batch, then trains on it, then
# > loads the next one. `num_workers=n` starts n **processes**, not threads, which load while the
# > main process trains. One worker and the default are very different things.
#
# A process has memory of its own. The dataset is copied into each worker, and batches come back
# through shared memory. With two workers, batches are dealt out in turn:

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "two-workers"}
for batch in DataLoader(who, batch_size=1, num_workers=2):
    pid, worker = batch[0].tolist()
    print(f"process {pid} worker {worker}")

# %% [markdown] {"slug": "start-methods"}
# Worker 0, worker 1, worker 0, worker 1; two processes.
#
# How does a process come into being? There are three **start methods**:
#
# | method | what it does | default |
# |---|---|---|
# | `fork` | copies the running process | Linux, before Python 3.14 |
# | `forkserver` | copies a small clean process, sends it the dataset | Linux, from Python 3.14 |
# | `spawn` | starts a new Python, then sends it the dataset | Windows, macOS |
#
# *Sending* means pickling: the dataset is turned into bytes and built again on the other side, out
# of a class that is imported there. `multiprocessing_context` chooses the method for one loader.

# %% {"concepts": ["C173"], "errata": ["E85"], "slug": "spawned"}
spawned = loader_sweep.measure_loader(who, num_workers=1, multiprocessing_context="spawn")
forked = loader_sweep.measure_loader(who, num_workers=1, multiprocessing_context="fork")
print(f"until the first batch: spawn takes {spawned.first / forked.first:.0f} times as long")

# %% [markdown] {"slug": "move"}
# Measured, on this computer. `spawn` starts a Python that imports torch first, and this happens at
# the beginning of *every epoch*, unless `persistent_workers=True` keeps the workers alive.
#
# ## 2. Move: pinned memory, and copies that do not wait
#
# The operating system may move ordinary memory about, or to the disk. Such memory is called
# **pageable**. A GPU cannot fetch from it by itself: the driver first copies piece by piece into a
# buffer of its own, on the host, and the GPU fetches from there. **Pinned** (page-locked) memory
# stays where it is, and the GPU fetches directly.

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
# > **The fact.** Pinning makes a **copy in the host's memory**, which is locked there. Nothing is
# > on the GPU yet. It costs time and RAM, and it makes the later copy to the GPU faster and able to
# > run by itself.
#
# Four ways to write one copy of 4 MiB. How long is the program held up by each?

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
# On a *virtual* GPU the numbers are modelled. From pageable memory the flag changes nothing: the
# host has to help. From pinned memory the copy is several times as fast; but without the flag the
# program still waits for it. Only both together let it go on.
#
# > **Claim in circulation.** “With `pin_memory=True`, `inputs.to(device)` overlaps with training.”
#
# So pinned memory without the flag is worth half. And pinning in the loop, by hand?

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "claim-pin-shown"}
by_hand = host_held(lambda: p.to(gpu)) / held["pinned", True]
print(f"{devices.kind}: pinned but blocking holds the host {by_hand:.0f} times as long as both")

# %% [markdown] {"slug": "claim-pin-fact"}
# > **The fact.** It takes two: `pin_memory=True` in the loader **and** `non_blocking=True` in `to`.
# > Do not write `batch.pin_memory().to(gpu, non_blocking=True)` in the loop: pinning is itself a
# > copy that the main process waits for, often longer than the plain `to` would have taken. The
# > loader pins in a thread of its own.
#
# What does the loader pin? Tensors, and those inside of tuples, lists and dicts. A class of your
# own it does not know:

# %% {"concepts": ["C174", "C175"], "errata": ["E90"], "slug": "custom-batch"}
class Pair:
    def __init__(self, samples):
        self.x = torch.stack(samples)

pairs = DataLoader(torch.ones(2, 3), batch_size=2, collate_fn=Pair, pin_memory=True)
plain = DataLoader(torch.ones(2, 3), batch_size=2, pin_memory=True)
print(next(iter(plain)).is_pinned(), next(iter(pairs)).x.is_pinned())

# %% [markdown] {"slug": "custom-batch-cure"}
# `True` for the tensor, `False` for the class, and no word about it. If the class has a method
# `pin_memory`, the loader calls it.

# %% {"concepts": ["C174"], "errata": ["E90"], "slug": "custom-batch-cured"}
def pin_memory(self):
    self.x = self.x.pin_memory()
    return self

Pair.pin_memory = pin_memory
next(iter(pairs)).x.is_pinned()

# %% [markdown] {"slug": "ram"}
# `True`.
#
# > **Claim in circulation.** “Set `pin_memory=True` if the memory is large.”
#
# Whose memory? Each worker has `prefetch_factor` batches on their way, and the pinned ones are in
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
# That was the warm-up. First the loop as it stands in most programs:

# %% {"concepts": ["C168", "C170"], "slug": "plain-loop-run"}
with record(gpu) as plain:
    for batch in batches:
        host_works(300)
        step(batch.to(gpu))

# %% [markdown] {"slug": "non-blocking-loop"}
# Then out of pinned memory, without waiting. One word more.

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "non-blocking-loop-run"}
with record(gpu) as non_blocking:
    for batch in pinned:
        host_works(300)
        step(batch.to(gpu, non_blocking=True))

# %% [markdown] {"slug": "own-stream"}
# Here the *host* runs ahead. The GPU still copies and computes in turn, because both are in one
# **stream**: a queue in which one piece of work follows the other. A second stream makes it
# possible to copy batch n + 1 while batch n is computed.

# %% {"concepts": ["C168", "C175"], "errata": ["E88"], "slug": "fetch"}
copying = torch.cuda.Stream(gpu)

def fetch(batch):
    host_works(300)
    with torch.cuda.stream(copying):
        return batch.to(gpu, non_blocking=True)

# %% [markdown] {"slug": "prefetch-loop"}
# Two streams have to be told about each other. `wait_stream` holds the computing until the copy is
# there; `record_stream` says that the memory is in use there as well. The host waits for nothing.

# %% {"slug": "overlap-predict"}
predict("09.overlap")

# %% {"concepts": ["C168", "C170"], "errata": ["E88"], "slug": "prefetch-loop-run"}
with record(gpu) as prefetched:
    upcoming = fetch(pinned[0])
    for following in [*pinned[1:], None]:
        x, current = upcoming, torch.cuda.current_stream(gpu)
        current.wait_stream(copying)
        x.record_stream(current)
        upcoming = None if following is None else fetch(following)
        step(x)

# %% [markdown] {"slug": "timelines"}
# Three recordings of the same training, drawn against one clock. White bars: the host waits.

# %% {"concepts": ["C168", "C170", "C174"], "errata": ["E88"], "slug": "timelines-shown"}
loops = {"plain": plain, "non-blocking": non_blocking, "prefetched": prefetched}
reveal("09.overlap", min(loops, key=lambda name: loops[name].gaps()))
loop_timelines(loops, title="One training, three loops")

# %% [markdown] {"slug": "timelines-read"}
# Read it row by row. **Plain**: load, copy, compute, one after the other; between two groups of
# kernels the GPU waits for loading *and* copying. **Non-blocking**: the host is through early; the
# copies are shorter, and only they are left between the kernels. **Prefetched**: the copies lie
# *behind* the kernels, and the gaps are gone. The same as numbers, in µs:

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "timelines-numbers"}
for name, loop in loops.items():
    print(f"{name:13} end {loop.end:6.0f}  gaps {loop.gaps():6.0f}  overlap {loop.overlap():5.0f}",
          "modelled" if loop.modelled else "measured")

# %% [markdown] {"slug": "measure"}
# On a virtual GPU, copying overlaps with computing only in the last loop. On a real one the bars
# have other lengths: where the net is small, launching its kernels takes longer than running them.
#
# ## 4. Measure: how many workers?
#
# Loading was a number so far. Now real files: we draw JPEG pictures into a temporary folder, and a
# dataset decodes them when they are asked for. It is a class of the course:
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
# Roughly the same per sample. (What is measured trembles: other programs use the CPUs as well.)
#
# > **Claim in circulation.** “Set `num_workers` to 4, 8 or 16; more threads are faster.”
#
# Now the sweep: 0, 1, 2 and 4 workers, pinned or not, two batch sizes, one epoch each. The bar
# shows how far it is.

# %% {"slug": "sweep-predict"}
predict("09.sweep")

# %% {"concepts": ["C172", "C177"], "errata": ["E86"], "slug": "sweep-run"}
found = loader_sweep.sweep(pictures)
best = max(found, key=lambda one: one.rate)
reveal("09.sweep", "yes" if best.workers == 4 else "no")

# %% [markdown] {"slug": "sweep-drawn"}
# The result, drawn from the measurements of just now:

# %% {"concepts": ["C172", "C174"], "errata": ["E86"], "slug": "sweep-chart"}
sweep_chart(found, title="One epoch of 160 JPEG pictures, samples per second")

# %% [markdown] {"slug": "sweep-fact"}
# Read the fastest setting off the picture. It need not be the one with the most workers, and on
# another computer, or with other files, it may well be another one.
#
# > **The fact.** Workers cost something: each process has to be **started, in every epoch**; every
# > batch is handed over through shared memory; every worker has a dataset of its own in RAM; and
# > they share the CPUs. Above the number of CPUs that the process may use, PyTorch warns. Measure
# > with your own data, and stop where it gets no faster.
#
# How much of an epoch passes before the first batch is there?

# %% {"concepts": ["C172", "C178"], "errata": ["E86"], "slug": "first-batch"}
for one in found[:4]:
    print(f"{one}: the first batch after {one.first / one.total:4.0%} of the epoch, measured")

# %% [markdown] {"slug": "persistent"}
# Our epoch is short, so that the start weighs heavily. `persistent_workers=True` pays it once. Two
# epochs, with and without:

# %% {"concepts": ["C172", "C178"], "errata": ["E86"], "slug": "persistent-shown"}
for keep in (False, True):
    loader = DataLoader(who, num_workers=2, persistent_workers=keep)
    pids = [{int(item[0, 0]) for item in loader} for epoch in range(2)]
    print(f"persistent_workers={keep}: same processes in epoch 2:", pids[0] == pids[1])
    del loader

# %% [markdown] {"slug": "more-settings"}
# New processes in every epoch, or the same ones. The other settings of this family:
#
# | setting | what it does | note |
# |---|---|---|
# | `prefetch_factor` | batches that each worker has on their way, 2 by default | needs workers |
# | `persistent_workers` | keeps workers for the next epoch | needs workers |
# | `multiprocessing_context` | start method | needs workers |
# | `in_order=False` | hands out what is ready first | no longer repeatable |
# | `timeout` | seconds to wait for a batch of the workers | 0: for ever |

# %% {"concepts": ["C178"], "errata": ["E86"], "slug": "prefetch-factor"}
loader = DataLoader(who, num_workers=2, prefetch_factor=4)
print(loader.prefetch_factor * loader.num_workers, "batches on their way")
print(DataLoader(who).prefetch_factor, "without workers")

# %% [markdown] {"slug": "utilisation"}
# Eight batches; and `None` without workers, where nobody could fetch ahead.
#
# ## 5. Why does utilisation jump?
#
# `torch.cuda.utilization` tells in which share of a short time window, up to a second, any kernel
# ran at all. Suppose that the GPU needs 0.9 s for a batch and the loader 2 s. We read every 0.4 s.

# %% {"slug": "jump-predict"}
predict("09.jump")

# %% [markdown] {"slug": "claim-batch-size"}
# > **Claim in circulation.** “If the batch size is large, the CPU is slow with each batch, and one
# > sees 0 %, 20 %, 70 %, 95 %, 0 %. Use a smaller batch.”

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "claim-batch-size-shown"}
slow = utilisation_readings(gpu, load=2.0, compute=0.9)
print(slow, "virtual: modelled" if devices.kind == "virtual" else "measured")
reveal("09.jump", "up and down" if max(slow) - min(slow) > 30 else f"{max(slow)} % all the time")

# %% [markdown] {"slug": "half-batch"}
# Up and down: the window sometimes holds a piece of work and sometimes the waiting. Now half the
# batch: half the loading, half the computing.

# %% {"concepts": ["C177"], "errata": ["E91"], "slug": "half-batch-shown"}
half = utilisation_readings(gpu, load=1.0, compute=0.45, batches=8)
cured = utilisation_readings(gpu, load=0.5, compute=0.9)
readings = {"loader 2 s, GPU 0.9 s": slow, "half the batch": half, "four times the workers": cured}
utilisation_chart(readings, title="Readings of the utilisation, in %, every 0.4 s",
                  modelled=devices.kind == "virtual")

# %% [markdown] {"slug": "claim-batch-size-fact"}
# Half the batch: work and waiting follow each other more quickly, so that each window holds some of
# both and the readings lie closer together. The GPU is idle for as long as before. A loader that is
# faster than the GPU: nearly 100 % once the first batch is there.
#
# > **The fact.** The cause is that the loader gives fewer **samples per second** than the GPU could
# > take, whatever the batch size is. Each reading is the mean of a window. The cure is a faster
# > pipeline: more workers, cheaper decoding, smaller files, prefetching.
#
# The test is simple: go through the loader alone, without training, as we did in section 4. If that
# is no faster than the training, the loader is the slow side.

# %% {"concepts": ["C177", "C172"], "errata": ["E91"], "slug": "which-side"}
gpu_rate = 2000  # samples per second that the training would take
print(f"loader {best.rate:.0f}, training {gpu_rate} samples per second")
print("input-bound" if best.rate < gpu_rate else "the GPU is the slow side")

# %% [markdown] {"slug": "seeds"}
# With 2000 for your own training, this line says what to work on.
#
# ## 6. Random numbers in workers
#
# A dataset that adds noise, or crops at random, draws in its worker. This one keeps a generator of
# its own. (We choose `fork` for classes of this notebook, since no other process could import
# them.)

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
# Both workers make the same two numbers: each got a copy of the same generator. And in the next
# epoch they would make them again.
#
# What `DataLoader` seeds in each worker are the *global* generators: those of torch and `random`
# with `base_seed + worker`, and, since PyTorch 1.9, NumPy's as well. Older advice to repair NumPy
# in a `worker_init_fn` is about the time before that. `base_seed` is drawn anew in every epoch from
# the main process, so that `torch.manual_seed` makes all of it repeatable.

# %% {"concepts": ["C178"], "slug": "seeded-shown"}
class Seeded(Kept):
    def __getitem__(self, number):
        return round(torch.randn(()).item(), 3), round(np.random.normal(), 3)

torch.manual_seed(1)
for _ in range(2):
    print([pair for pair in DataLoader(Seeded(), **settings)])

# %% [markdown] {"slug": "bring-back"}
# Eight different pairs, and the same ones in every run. With **0 workers** there is a difference:
# `torch.manual_seed` reaches torch's numbers and not NumPy's, and nobody else seeds those. If you
# draw from torch, this is no question.
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
# behind its copy, and nothing can go wrong. On the way **back**, the host reads its own memory
# without asking anybody: before the copy is done it finds old numbers there, and no error is
# raised. So: *bring back* without waiting only if you wait later, before you read.
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
# - *let num_workers > 0*: one way out. (There is a blank missing in the message; it is theirs.)
#
# `persistent_workers` and `multiprocessing_context` have messages of the same kind.
#
# **Cure:** give it workers, or leave the setting out.

# %% {"concepts": ["C178"], "slug": "clinic-settings-cured"}
DataLoader(who, num_workers=2, prefetch_factor=4).prefetch_factor

# %% [markdown] {"slug": "clinic-own"}
# It is made.
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
# The same error, without the wrapper. Here the file would be mended.
#
# **Case 3.** A dataset moves its items to the GPU, and the worker was forked.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-cuda-shown"}
torch.cuda.init()
try:
    list(DataLoader(datasets.Failing("cuda"), num_workers=1, multiprocessing_context="fork"))
except RuntimeError as error:
    print(str(error).strip().splitlines()[-1])

# %% [markdown] {"slug": "clinic-cuda-read"}
# - *in forked subprocess*: a copy of a process that uses CUDA. The copy cannot.
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
# - *exited unexpectedly*: the process ended without saying why. The pid is no worker number.
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
# - *cannot pin 'torch.cuda.FloatTensor'*: that is a tensor of a GPU.
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
# The folder is gone.
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
# In four words: **choose** who loads, and how many. **Move** out of pinned memory, without waiting.
# **Run** one batch while the next one is on its way. **Bring back** results, and wait before you
# read them.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `09_feeding`. You will check the settings of a loader, compute what workers save,
# write a loop that is one batch ahead, predict which copies wait, repair two datasets, and read the
# errors of workers.
#
# **Next lesson:** 10, *Saving and loading*: what a file remembers of devices, and how to load it on
# a machine that has others.
