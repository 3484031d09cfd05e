# %% [markdown] {"slug": "title"}
# # Feeding the GPU
#
# *On the Right Device*, lesson 09 · previous lesson: [08, *How busy, how full, how
# fast*](08_how_busy_how_full_how_fast.ipynb) · [Glossary](glossary.md)
#
# A GPU often has nothing to do. Files have to be read and decoded, samples collected in a batch,
# and the batch copied over; all of that can take longer than the training step. This lesson shows
# where the time goes, and how to get it back.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **measure** how long a training loop waits for its data;
# - **explain** what a worker is, and which batches it prepares;
# - **choose** a number of workers from measurements that vary;
# - **predict** which copies hold up the program (make it wait), and what pinned memory changes;
# - **build** a loop that copies the next batch while the GPU computes;
# - **repair** datasets that go wrong as soon as there are workers;
# - **read** five errors of loaders, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 02; `Dataset` and `DataLoader`; what a process is.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The names we need. The datasets come from a module of the course, because a worker must be able to
# import them.

# %% {"slug": "imports"}
import tempfile
import warnings
from itertools import islice
from time import perf_counter

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, DistributedSampler, IterableDataset

# %% [markdown] {"slug": "before-tools"}
# And the tools of the course:
# %% {"slug": "imports-course"}
from course_utils import claim, explore, lab, predict, quiz, reveal, verdict
from course_utils.experiments import datasets
from course_utils.experiments.recording import host_held, host_works, late_copies, record
from lesson_parts.waiting import waiting
from lesson_parts.lesson09 import copy_paths, first_batch, loader_map, loop_timelines, sweep
from lesson_parts.lesson09 import sweep_chart, usable_cpus

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about lesson 02, from memory.

# %% {"slug": "before-1-quiz"}
quiz("09.before.batch")

# %% {"slug": "before-2-quiz"}
quiz("09.before.list")

# %% {"slug": "before-3-quiz"}
quiz("09.before.again")

# %% [markdown] {"slug": "waits"}
# ## 1. A loop that waits for its data · 8 min
#
# One GPU is enough for this lesson. If it is *virtual*, its times are *modelled*; loading is real,
# but for section 5, which sets its time.

# %% {"slug": "lab"}
devices = lab(gpus=1)
gpu0 = devices[0]
label = "modelled" if devices.kind == "virtual" else "measured"
print("CPUs for the loader:", usable_cpus())

# %% [markdown] {"slug": "pictures"}
# We draw 64 JPEG files. The dataset opens one when it is asked for it, decodes it with Pillow,
# shrinks it to 64 × 64 and returns a tensor of bytes, **on the CPU**.

# %% {"slug": "pictures-made"}
folder = tempfile.TemporaryDirectory()
pictures = datasets.Pictures(datasets.make_pictures(folder.name))
print(len(pictures), pictures[0].shape, pictures[0].dtype, pictures[0].device)

# %% [markdown] {"slug": "model"}
# A small model, and one step of its training:

# %% {"slug": "model-made"}
model = nn.Sequential(nn.Flatten(), nn.Linear(12288, 32), nn.ReLU(), nn.Linear(32, 1)).to(gpu0)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)


def train_step(batch):
    model(batch.float() / 255).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad()


train_step(pictures[0][None].to(gpu0))

# %% [markdown] {"slug": "share"}
# The first step is slower, so we have already run it. Now the loop of every training run: take a
# batch from the loader, copy it to the GPU, train. We time how long the loop waits for each batch.

# %% {"slug": "share-predict"}
predict("09.share")

# %% {"concepts": ["C168", "C170", "C177"], "slug": "share-shown"}
waited, begun = 0.0, perf_counter()
asked = begun
for batch in DataLoader(pictures, batch_size=16):
    waited += perf_counter() - asked
    train_step(batch.to(gpu0))
    asked = perf_counter()
ranges = ["less than a third", "between a third and two thirds", "more than two thirds"]
reveal("09.share", ranges[int(3 * waited / (asked - begun))])

# %% [markdown] {"slug": "share-read"}
# A training run like this is [input-bound](glossary.md#input-bound), and a faster GPU would not
# help. (With a virtual GPU your CPU computes the step, too. A real GPU would finish it sooner, and
# would wait for a larger share of the epoch.)
#
# Would smaller batches help? Loading costs the same **per sample**:

# %% {"concepts": ["C177"], "slug": "per-sample"}
print(f"waited for {waited / (asked - begun):.0%} of the epoch, measured")
for size in (8, 32):
    seconds = first_batch(DataLoader(pictures, batch_size=size))
    print(f"batch size {size}: {1e3 * seconds / size:.1f} ms per sample, measured")

# %% [markdown] {"slug": "per-sample-read"}
# The two are about equal, apart from noise: half the batch takes half the time to load and gives
# the GPU half the work. Three things help: make loading cheaper, load in parallel, and load
# **while** the GPU computes.
#
# ## 2. Workers · 11 min
#
# [`num_workers`](https://docs.pytorch.org/docs/stable/data.html) is the setting for that. What does
# it count? We ask a dataset, `WhoLoads`, whose items show who made them: the id of the process, the
# index of the worker (-1 for none), and the number of threads that PyTorch computes with there.

# %% {"slug": "threads-claim"}
claim("09.claim.threads")

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "threads-shown"}
who = datasets.WhoLoads(4)
print("default:  ", torch.cat(list(DataLoader(who))).tolist())
print("2 workers:", torch.cat(list(DataLoader(who, num_workers=2))).tolist())
verdict("09.claim.threads")

# %% [markdown] {"slug": "map"}
# A [worker](glossary.md#worker) is a process, so Python's global lock (GIL) does not slow it down.
# It gets one thread so that workers do not compete for the CPUs. Libraries with threads of their
# own need their own limit, such as `cv2.setNumThreads(0)`.
#
# The worker has a copy of the dataset. It receives lists of indices, and its batches come back
# through shared memory:

# %% {"concepts": ["C171", "C172", "C178"], "errata": ["E86"], "slug": "map-shown"}
loader = DataLoader(pictures, batch_size=16, num_workers=2, prefetch_factor=2, pin_memory=True)
loader_map(loader)

# %% [markdown] {"slug": "ahead"}
# The small boxes are batches that are loaded ahead ([prefetching](glossary.md#prefetching)): up to
# `prefetch_factor` for each worker, 2 by default. They help if some batches take longer than
# others; they do not make a worker faster. Section 4 explains the pin thread.
#
# Try it. Loading takes longer than the step: how many workers are enough, and what does the first
# batch always cost? When does `prefetch_factor` matter?

# %% {"concepts": ["C171", "C178"], "slug": "epoch-explored"}
explore("epoch")

# %% [markdown] {"slug": "start-methods"}
# The picture is computed. It assumes that every worker has a CPU and is already running. In
# reality each has to be started first, by one of three **start methods**:
#
# | method | what it does | default |
# |---|---|---|
# | `fork` | copies the running process | Linux, before Python 3.14 |
# | `forkserver` | copies a small clean process, sends it the dataset | Linux, from Python 3.14 |
# | `spawn` | starts a new Python, sends it the dataset | Windows, macOS |
#
# *Sending* means pickling. The next cell takes about 5 seconds.

# %% {"concepts": ["C172", "C173"], "errata": ["E86"], "slug": "start-methods-shown"}
with waiting("Starting one worker by each method", seconds=5):
    for method in ("fork", "spawn"):
        seconds = first_batch(DataLoader(who, num_workers=1, multiprocessing_context=method))
        print(f"{method}: first batch after {seconds:.2f} s, measured")

# %% [markdown] {"slug": "persistent"}
# `spawn` imports torch again in each worker. By default workers end with the epoch, so this cost
# comes back in every epoch. `persistent_workers=True` keeps them:

# %% {"concepts": ["C172", "C178"], "errata": ["E86"], "slug": "persistent-shown"}
for keep in (False, True):
    loader = DataLoader(who, num_workers=2, persistent_workers=keep)
    first, second = ({int(item[0, 0]) for item in loader} for epoch in range(2))
    print(f"persistent_workers={keep}: same processes in epoch 2: {first == second}")
    del loader

# %% [markdown] {"slug": "sweep"}
# ## 3. How many workers? · 8 min
#
# “4 per GPU”, “as many as CPUs”, “8 or 16”: such rules fit somebody else's machine. Measure your
# own loader, several times, since other programs use the CPUs as well. Our rule: of all settings
# that are **as fast as the fastest, within the noise**, take the one with the fewest workers.
#
# We measure three epochs for each number, in rounds: all numbers once, then all of them again. It
# takes about 10 seconds.

# %% {"slug": "sweep-predict"}
predict("09.sweep")

# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "sweep-run"}
decoding = sweep(pictures, "decoding pictures", seconds=10)
for workers, rates in decoding.rates.items():
    print(f"{workers} workers:", *(f"{rate:5.0f}" for rate in rates), "samples per s, measured")
reveal("09.sweep", decoding.choice)

# %% [markdown] {"slug": "cores"}
# If you run the cell again, another number may be the fastest. This is why we compare medians, and
# look at the spread: a median is within the noise if it is no slower than the slowest run of the
# fastest number. (In the assignment, a given tolerance takes the place of the spread.)
#
# For comparison, `Waiting` is a dataset on a slow disk: each item arrives after 5 ms, without any
# work. We measure it up to 16 workers, which takes about 6 seconds, and draw both. A point is the
# median; the bar through it reaches from the slowest to the fastest run; a ring marks the fewest
# workers within the noise.

# %% {"slug": "cores-claim"}
claim("09.claim.cores")

# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "cores-shown"}
slow_disk = sweep(
    datasets.Waiting(64, 0.005), "waiting for a disk", workers=(0, 1, 2, 4, 8, 16), seconds=6
)
display(sweep_chart(decoding, slow_disk, title="How many workers?"))
verdict("09.claim.cores")

# %% [markdown] {"slug": "costs"}
# What a worker costs: its start, RAM for its copy of the dataset (a forked copy grows while it is
# used), the transfer of each batch through shared memory, and CPU time that others need. Stop where
# the line gets flat. (That of the slow disk does at 8: an epoch has 8 batches, so more workers find
# none. If a ring is at the end of its line, measure more workers.)
#
# If the CPUs are the limit, make loading cheaper: store smaller pictures, cache what is decoded, or
# decode on the GPU (torchvision's `decode_jpeg(device="cuda")`, NVIDIA DALI).
#
# ## 4. Pinned memory · 12 min
#
# Suppose that the loader is fast enough. Next comes the copy to the GPU.
#
# Work for a GPU is [asynchronous](glossary.md#asynchronous). A line such as `y = x @ x` only puts
# work into a queue, the [stream](glossary.md#stream), and the program goes on; the GPU works
# through the queue in order. Some copies let the program go on as well, and some do not.
#
# The operating system may move ordinary memory to another address, or to the disk: it is
# [pageable](glossary.md#pageable-memory). Memory that it may not move is
# [pinned](glossary.md#pinned-memory), or page-locked.
# [`Tensor.pin_memory`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.pin_memory.html)
# does for one tensor what `pin_memory=True` lets the loader do for each batch.

# %% {"slug": "mapped-claim"}
claim("09.claim.mapped")

# %% {"concepts": ["C175"], "errata": ["E87"], "slug": "mapped-shown"}
x = torch.ones(1024, 1024)
used = torch.cuda.memory_allocated(gpu0)
pinned = x.pin_memory()
print("device:", pinned.device, " pinned:", pinned.is_pinned())
print("new bytes on the GPU:", torch.cuda.memory_allocated(gpu0) - used)
verdict("09.claim.mapped")

# %% [markdown] {"slug": "buffer"}
# So what does it change? We draw how `x` and `pinned` get to a GPU that is connected by PCIe.

# %% {"slug": "buffer-claim"}
claim("09.claim.buffer")

# %% {"concepts": ["C176"], "errata": ["E89"], "slug": "buffer-shown"}
display(copy_paths(x=x, pinned=pinned))
verdict("09.claim.buffer")

# %% [markdown] {"slug": "copies"}
# The direct path is faster. For a virtual GPU we *assume* 25 GB per second from pinned memory, and
# 6 from pageable memory. *Measured elsewhere*: NVIDIA's CUDA C++ Best Practices Guide gives roughly
# 12 GB per second from pinned memory over PCIe 3.0 × 16. (Machines on which CPU and GPU share their
# address space in hardware, such as NVIDIA's GH200, can do without the buffer.)
#
# By default [`to`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.to.html) waits until
# the copy is done. `non_blocking=True` leaves out that wait. We copy 4 MiB in four ways, and read
# how long each line holds up the program.

# %% {"slug": "copies-predict"}
predict("09.copies")

# %% {"concepts": ["C174", "C176"], "errata": ["E88"], "slug": "copies-shown"}
held = {}
for name, source in (("pageable", x), ("pinned", pinned)):
    for flag in (False, True):
        held[name, flag] = host_held(source.to, gpu0, non_blocking=flag)
        print(f"{name:9} non_blocking={flag!s:5} {held[name, flag]:5.0f} µs", label)
early = [name for (name, flag), time in held.items() if time < held["pinned", False] / 4]
reveal("09.copies", "only pinned with non_blocking=True" if early == ["pinned"] else str(early))

# %% [markdown] {"slug": "elsewhere"}
# With a virtual GPU these are times on the modelled clock. One thing is missing there: on a real
# GPU, the flag leaves out the wait at the end of a copy from *pageable* memory, too: the program
# goes on when the driver's buffer has everything. This saves time if the tensors are many and small.
# *Measured elsewhere*: V. Moens, [A guide on good usage of `non_blocking` and
# `pin_memory()`](https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html), 2024. The
# same guide found `x.pin_memory().to(gpu0, non_blocking=True)` up to twice as slow as `x.to(gpu0)`:
# the program waits for the pinning. So let the loader pin, in its thread.
#
# What exactly does a blocking copy wait for? We queue a product of matrices before it:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "behind"}
on_gpu = pinned.to(gpu0)


def multiply_and_copy(non_blocking):
    on_gpu @ on_gpu
    pinned.to(gpu0, non_blocking=non_blocking)


for flag in (False, True):
    time = host_held(multiply_and_copy, flag)
    print(f"product, then copy, non_blocking={flag!s:5} {time:5.0f} µs", label)

# %% [markdown] {"slug": "behind-read"}
# The copy alone took less time. A blocking copy waits for **everything queued before it**, so each
# one stops the program until the stream is empty.
#
# The flag is safe on the way to the GPU, as long as you do not write to the batch: whatever uses
# the copy is queued after it.
#
# The loader pins tensors in tuples, lists and dicts. A class of your own?


# %% {"concepts": ["C174"], "errata": ["E90"], "slug": "custom-batch"}
class Pair:
    def __init__(self, samples):
        self.inputs = torch.stack(samples)


loader = DataLoader(torch.ones(2, 3), batch_size=2, collate_fn=Pair, pin_memory=True)
print("pinned:", next(iter(loader)).inputs.is_pinned())

# %% [markdown] {"slug": "ram"}
# It is skipped silently, unless it has a method `pin_memory` that pins its tensors and returns the
# batch.
#
# Pinned memory is RAM of the **host** that nothing else can use. With 8 workers, two batches ahead
# and 64 float32 pictures of 3 × 224 × 224 in a batch, the data take up to 588 MiB. PyTorch rounds
# each batch up to a power of two (36.75 to 64 MiB), so up to 1 GiB is pinned. Pin batches, not
# datasets.
#
# ## 5. Copy the next batch while the GPU computes · 11 min
#
# Now the whole loop: load, copy, compute. Loading takes 200 µs here, a number that we set with
# `host_works`; `record` notes what the host, the copy engine and the GPU do.

# %% {"concepts": ["C168", "C170"], "slug": "net"}
net = nn.Linear(1024, 1024).to(gpu0)
pageable = [torch.zeros(1024, 1024) for _ in range(5)]
locked = [batch.pin_memory() for batch in pageable]


def step(batch):
    net(batch).square().mean().backward()


step(pageable[0].to(gpu0))

# %% [markdown] {"slug": "loop"}
# That was the warm-up. The loop itself, with two settings to change:


# %% {"concepts": ["C168", "C170"], "slug": "loop-written"}
def run_loop(batches, non_blocking):
    with record(gpu0) as recording:
        for batch in batches:
            host_works(200)
            step(batch.to(gpu0, non_blocking=non_blocking))
    return recording


# %% [markdown] {"slug": "overlap"}
# We run it three times and ask each recording for its *overlap*: the time in which a copy and a
# [kernel](glossary.md#kernel) run at once.

# %% {"slug": "overlap-claim"}
claim("09.claim.overlap")

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "overlap-shown"}
loops = {
    "pageable": run_loop(pageable, non_blocking=False),
    "pinned": run_loop(locked, non_blocking=False),
    "pinned, non_blocking": run_loop(locked, non_blocking=True),
}
for name, loop in loops.items():
    print(f"{name:21} overlap {loop.overlap():.0f} µs")
verdict("09.claim.overlap")

# %% [markdown] {"slug": "recipe"}
# The cure is a second stream, used here as a recipe; lesson 11 explains why each line is needed.
# First, queue the copy in a stream of its own:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "recipe-ahead"}
copy_stream = torch.cuda.Stream(gpu0)


def copy_ahead(batch):
    host_works(200)
    with torch.cuda.stream(copy_stream):
        return batch.to(gpu0, non_blocking=True)


# %% [markdown] {"slug": "recipe-loop"}
# Then, in the loop: let the computing wait for that copy
# ([`wait_stream`](https://docs.pytorch.org/docs/stable/notes/cuda.html)), and tell the [memory
# allocator](glossary.md#memory-allocator) that it uses the memory (`record_stream`). The host waits
# for nothing.

# %% {"concepts": ["C168", "C170"], "errata": ["E88"], "slug": "recipe-run"}
with record(gpu0) as loops["second stream"]:
    upcoming = copy_ahead(locked[0])
    for following in [*locked[1:], None]:
        batch, computing = upcoming, torch.cuda.current_stream(gpu0)
        computing.wait_stream(copy_stream)
        batch.record_stream(computing)
        upcoming = None if following is None else copy_ahead(following)
        step(batch)

# %% [markdown] {"slug": "gains"}
# We have four recordings of the same training. From each to the next, one thing changes. We draw
# them on one clock.

# %% {"slug": "gains-predict"}
predict("09.overlap")

# %% {"concepts": ["C168", "C174"], "errata": ["E88"], "slug": "gains-shown"}
saved = -np.diff([loop.end for loop in loops.values()])
changes = ["pinned memory", "non_blocking=True", "the second stream"]
display(loop_timelines(loops, title="One training run, four loops"))
reveal("09.overlap", changes[saved.argmax()])

# %% [markdown] {"slug": "timelines-read"}
# On the modelled clock, most of the gain is pinning. With `non_blocking=True` the host runs ahead,
# but the GPU has the same gaps. With the second stream the gaps are gone: the copies run at the
# same time as the kernels.
#
# On a real GPU the bars have other lengths. Where launching takes longer than the kernels, the host
# sets the pace, and the flag alone gains more.
#
# ## 6. Random numbers and shards · 8 min
#
# Each worker has its own copy of the dataset. What follows from that? First, for random numbers, as
# in augmentation. (Other processes cannot import a notebook's classes, so we choose `fork`, which
# needs no import.)


# %% {"concepts": ["C173", "C178"], "slug": "noise"}
class Noise(Dataset):
    def __init__(self, draw):
        self.draw = draw

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return round(self.draw(), 3)


# %% [markdown] {"slug": "seeds"}
# Two workers will make two items each: once from a generator in the dataset, once from NumPy's
# global one.

# %% {"slug": "seeds-claim"}
claim("09.claim.seeds")

# %% {"concepts": ["C178"], "slug": "seeds-shown"}
settings = {"batch_size": None, "num_workers": 2, "multiprocessing_context": "fork"}
print("own:   ", list(DataLoader(Noise(np.random.default_rng(0).normal), **settings)))
print("global:", list(DataLoader(Noise(np.random.normal), **settings)))
verdict("09.claim.seeds")

# %% [markdown] {"slug": "seeds-cure"}
# The simple cure is to draw from torch's generator (`torch.randn`): its seeds differ from worker to
# worker and from epoch to epoch, and follow `torch.manual_seed`. A generator of your own has to be
# made in the worker: in `worker_init_fn`, with `torch.initial_seed()` as its seed.
#
# Second, for data that are read in order, such as the lines of a large file. They are an
# [`IterableDataset`](https://docs.pytorch.org/docs/stable/data.html):


# %% {"concepts": ["C178"], "slug": "lines"}
class Lines(IterableDataset):
    def __iter__(self):
        return iter(["a", "b", "c", "d"])


# %% [markdown] {"slug": "lines-asked"}
# We go through it with two workers.

# %% {"slug": "lines-predict"}
predict("09.iterable")

# %% {"concepts": ["C178"], "slug": "lines-shown"}
lines = list(DataLoader(Lines(), **settings))
print(lines)
reveal("09.iterable", len(lines))

# %% [markdown] {"slug": "shards"}
# No error, and a wrong epoch. Each worker has to take its own share, its *shard*, and
# `get_worker_info` tells it which:


# %% {"concepts": ["C178"], "slug": "shards-shown"}
class ShardedLines(Lines):
    def __iter__(self):
        info = torch.utils.data.get_worker_info()
        first, every = (info.id, info.num_workers) if info else (0, 1)
        return islice(super().__iter__(), first, None, every)


print(list(DataLoader(ShardedLines(), **settings)))

# %% [markdown] {"slug": "set-epoch"}
# Third, in DDP (lesson 07) each [rank](glossary.md#rank) gets its share from a
# `DistributedSampler`, which shuffles by a seed and the number of the epoch. You have to tell it
# that number:

# %% {"concepts": ["C178"], "slug": "set-epoch-shown"}
sampler = DistributedSampler(range(8), num_replicas=2, rank=0)
print("epoch 0:", list(sampler), " epoch 1, not told:", list(sampler))
sampler.set_epoch(1)
print("epoch 1, told:", list(sampler))

# %% [markdown] {"slug": "back"}
# Without `set_epoch` every epoch has the same order.
#
# ## 7. Back to the CPU · 3 min
#
# A copy to the CPU has the same flag: `to("cpu", non_blocking=True)` takes pinned memory for the
# result. We read its sum twice: at once, and after waiting for the GPU.

# %% {"slug": "early-predict"}
predict("09.early")

# %% {"concepts": ["C176", "C168"], "errata": ["E88"], "slug": "early-shown"}
result = torch.ones(1024, 1024, device=gpu0)
with late_copies():
    on_cpu = result.to("cpu", non_blocking=True)
    before = on_cpu.sum().item()
    torch.cuda.synchronize(gpu0)
print("before waiting:", before, " after:", on_cpu.sum().item())
reveal("09.early", "the right sum" if before == on_cpu.sum().item() else "another number")

# %% [markdown] {"slug": "clinic"}
# Wait before you read, or just leave out the flag. (With a virtual GPU, `late_copies` makes the
# copy as late as CUDA allows, so that the mistake shows.)
#
# ## 8. Error clinic · 7 min
#
# Errors from a worker come in a wrapper. The last line says what happened there. (PyTorch can need
# 5 seconds to end the worker of a loader that failed. The cell after it may wait for that.)
#
# **Case 1.** An error in the dataset's own code.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-own-shown"}
try:
    list(DataLoader(datasets.Failing("own mistake"), num_workers=1))
except ValueError as error:
    lines = str(error).strip().splitlines()
    print(lines[0], "…", lines[-1], sep="\n")

# %% [markdown] {"slug": "clinic-own-read"}
# - *Caught ValueError in DataLoader worker process 0*: the wrapper, which says where.
# - *row 0 of the file is empty*: what happened. In between is the worker's traceback.
#
# **Cure:** ask for the item itself, `dataset[0]`, or use `num_workers=0`. Then the debugger works,
# too.
#
# **Case 2.** A dataset moves its items to the GPU, and the worker was forked.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-cuda-shown"}
torch.cuda.init()
try:
    list(DataLoader(datasets.Failing("cuda"), num_workers=1, multiprocessing_context="fork"))
except RuntimeError as error:
    print(str(error).strip().splitlines()[-1])

# %% [markdown] {"slug": "clinic-cuda-read"}
# - *in forked subprocess*: the worker is a copy of a process that uses CUDA. The copy cannot use
#   it.
# - *you must use the 'spawn' start method*: true, and seldom what you want: every worker would
#   take memory on the GPU.
#
# **Cure:** leave the GPU out of the dataset. Items stay on the CPU; the loop moves whole batches.
#
# **Case 3.** A worker is gone, without a traceback.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-exit-shown"}
try:
    list(DataLoader(datasets.Failing("exit"), num_workers=1))
except (RuntimeError, ConnectionError) as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-exit-read"}
# - *exited unexpectedly*: the process ended without saying why. The number is its pid.
#   (Sometimes a `ConnectionResetError` shows instead.)
# - With *Killed*, the system was out of RAM. With *Bus error*, shared memory was full; containers
#   have little of it.
#
# **Cure:** run with `num_workers=0` to see the real error; else fewer workers, smaller batches, or
# `docker run --shm-size=8g`.
#
# **Case 4.** A dataset keeps a lambda, and workers start by `spawn`. Under `fork` it works, until
# somebody takes it to another system.

# %% {"concepts": ["C173", "C178"], "slug": "clinic-pickle-shown"}
try:
    with warnings.catch_warnings(action="ignore"):  # PyTorch warns, too
        list(DataLoader(datasets.Scaled(2), num_workers=1, multiprocessing_context="spawn"))
except Exception as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-pickle-read"}
# - *Can't pickle local object*: the dataset cannot be sent.
# - *Scaled.\_\_init\_\_.\<locals\>.\<lambda\>*: the culprit, a lambda made in `__init__`.
#
# Open files and locks fail in the same way.
#
# **Cure:** keep plain values, work in methods, open files on first use, and put the class in a
# module. `pickle.dumps(dataset)` is the quick test.
#
# **Case 5.** The loader hangs. By default it waits for ever; a `timeout` turns that into an error.
# This takes about 3 seconds.

# %% {"concepts": ["C178"], "slug": "clinic-hang-shown"}
try:
    list(DataLoader(datasets.Failing("hangs"), num_workers=1, timeout=1))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-hang-read"}
# - *timed out after 1 seconds*: no batch came in that time. It does not say why.
#
# **Cure:** find what a worker waits for: `py-spy dump --pid …` shows its stack. Often it is a lock
# that was held when the process was forked. `multiprocessing_context="forkserver"` avoids that.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# `train.py` decodes each image when its batch is due, in `--workers` processes: two, unless it is told
# otherwise. The dataset can be sent to a worker, since it holds paths and numbers, and its class is in
# a file. Does the number of workers change what the program learns? Both runs together take about 15
# seconds.

# %% {"slug": "project-runs"}
from lesson_parts import project

without = project.train("09", "--workers", "0", out="09-without")
helped = project.train("09", "--workers", "2", out="09-helped")
print("the same losses:", without.log == helped.log)

# %% [markdown] {"slug": "project-try"}
# They are the same to the last digit: the order of the images is drawn in the main process, and the
# workers draw nothing. Suppose that every image was mirrored at random, in `__getitem__`. Would the
# losses still agree?
#
# <details><summary>Answer</summary>
#
# No. Each worker draws from a generator of its own, seeded with the base seed plus its number, so
# another number of workers mirrors other images.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("09.after.waits")

# %% {"slug": "recap-2-quiz"}
quiz("09.after.pace")

# %% {"slug": "recap-3-quiz"}
quiz("09.after.lambda")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. What is the difference between `num_workers=0` and `num_workers=1`?
# 2. How do you choose the number of workers?
# 3. Where is a pinned tensor, and what is it good for?
# 4. What does a blocking copy wait for?
# 5. What does it take to copy one batch while the GPU computes on another?
# 6. What do workers repeat, and how do you stop them?
#
# <details><summary>Answers</summary>
#
# 1. 0: the main process loads, in turn with training. 1: another process loads meanwhile.
# 2. Measure several times. Take the fewest workers that are as fast as the fastest, within the
#    noise.
# 3. In the host's RAM, locked. The GPU can fetch from it directly, and by itself.
# 4. For the copy, and for all work queued before it in the stream.
# 5. Pinned memory, `non_blocking=True`, and a second stream.
# 6. Random numbers of a generator that the dataset keeps, and all samples of an `IterableDataset`.
#    Draw from torch's generator; shard with `get_worker_info`.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 09: Feeding the GPU](../assignments/09_feeding/09_feeding.ipynb).**
# You will choose workers from measurements that vary, fix a loader that dies in its workers, repair a
# dataset whose noise repeats, and write the part of `train.py` that copies the next batch while the GPU
# computes on the present one.
#
# **Next lesson:** [10, *Saving and loading*](10_saving_and_loading.ipynb): what a file records
# about devices, and how to load it on a machine that has different ones.
