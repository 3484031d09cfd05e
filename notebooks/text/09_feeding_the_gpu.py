# %% [markdown] {"slug": "title"}
# # Feeding the GPU
#
# *On the Right Device*, lesson 09 · previous lesson: [08, *How busy, how full, how
# fast*](08_how_busy_how_full_how_fast.ipynb) · [Glossary](glossary.md)
#
# Your training on porto has GPU 1 for itself. `nvidia-smi` shows 0 % in one second, and 80 % in the next. What does the
# GPU wait for?
#
# ## What you will be able to do
#
# - **measure** how fast your loop trains, and how fast it could train;
# - **choose** a number of workers from measurements that vary;
# - **predict** for which copies the program waits;
# - **overlap** a copy with computing, without a race;
# - **share** out samples among workers and ranks.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lessons 02 and 08; what a process is.
#
# ## Before we start · 2 min
#
# The imports take some seconds.

# %% {"slug": "imports"}
import os
from time import perf_counter, sleep

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset

import virtual_cuda
from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson09 import RECORDED, fed_by, fed_loop, least_gain, log_in, project, record
from lesson_parts.lesson09 import speed_bars, sweep, sweep_chart, timelines, util_bars, worker_lanes

# %% [markdown] {"slug": "before-from-memory"}
# Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("09.before.batch")

# %% [markdown] {"slug": "waits"}
# ## 1. What does the GPU wait for? · 9 min
#
# The GPU while nothing runs (with `-l 1`, `nvidia-smi` prints again each second):

# %% {"concepts": ["C167"], "errata": ["E92"], "slug": "lab"}
log_in("porto")
gpu = torch.device("cuda:1")
# !nvidia-smi -i 1 --query-gpu=utilization.gpu --format=csv
torch.multiprocessing.set_start_method("fork", force=True)  # workers get this notebook's classes
torch.set_num_threads(1)  # one core of your CPU plays the GPU

# %% [markdown] {"slug": "loops-text"}
# `GPU-Util` is the share of the last second (or less) in which a kernel ran. Here are three training loops, on a modelled
# clock. In each, the loader prepares the next batch while the GPU computes.

# %% {"concepts": ["C165", "C166"], "errata": ["E91"], "slug": "loops-drawn"}
loops = {
    "loader 2.2 s, GPU 0.9 s": {"load": 2.2, "compute": 0.9},
    "half the batch": {"load": 1.1, "compute": 0.45, "batches": 10},
    "a loader 4 times as fast": {"load": 0.55, "compute": 0.9},
}
util_bars({name: fed_loop(gpu, **times) for name, times in loops.items()})

# %% [markdown] {"slug": "loops-read"}
# The first loop is [input-bound](glossary.md#input-bound): the GPU waits for batches, so the readings jump. With half
# the batch, the readings are calm, but the loop takes nearly as long. Only the faster loader helps.
#
# So `GPU-Util` does not show what the GPU waits for. Two rates do: the images per second of your loop, and its
# **ceiling**. This is the rate of the same loop on *one batch, again and again*, which loads nothing.
#
# The images of `train.py` come from a server. Each request takes 5 ms, for one image or for many. Here, `sleep` plays the
# server.

# %% {"concepts": ["C177"], "slug": "disk"}
net = project.names("09").ShapeNet(6).to(gpu)
shapes = project.names("09").Shapes(project.pictures() / "train")


def read(indices):
    sleep(0.005)  # one request
    return [shapes[index] for index in indices]  # decodes each file


class OneByOne(Dataset):
    def __getitem__(self, index):
        return read([index])[0]


# %% [markdown] {"slug": "rate-text"}
# `rate` trains on batches of 30 images. The first step is slower, so the clock starts after it.


# %% {"concepts": ["C168", "C170"], "slug": "rate"}
def rate(batches):
    ends = []
    for images, targets in batches:
        scores = net(images.to(gpu))
        torch.nn.functional.cross_entropy(scores, targets.to(gpu)).backward()
        torch.cuda.synchronize(gpu)
        ends.append(perf_counter())
    return 30 * (len(ends) - 1) / (ends[-1] - ends[0])


# %% [markdown] {"slug": "share-text"}
# We measure both rates (some seconds).

# %% {"slug": "share-predict"}
predict("09.share")

# %% {"slug": "share-shown"}
loader = DataLoader(OneByOne(), batch_size=30, sampler=range(300))
batch = next(iter(loader))
ceiling, before = rate([batch] * 20), rate(loader)
print(f"{before:.0f} images/s, with one batch again and again {ceiling:.0f}, measured")
thirds = ["less than a third", "between one and two thirds", "more than two thirds"]
reveal("09.share", thirds[min(int(3 * before / ceiling), 2)])

# %% [markdown] {"slug": "workers"}
# So the GPU waits for the loader.
#
# **Recorded** on an RTX 3090, March 2026: a training made 3 steps per second, and the GPU was idle for 70 to 92 % of the
# time. With more workers, which load further ahead, the training made 13
# ([geti #5958](https://github.com/open-edge-platform/geti/pull/5958)).
#
# ## 2. Workers · 12 min
#
# A [worker](glossary.md#worker) is a *process* (not a thread) that loads batches. It has its own copy of the dataset.
# Below, loading a batch takes 0.2 s, and training on it 0.1 s.

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "workers-drawn"}
worker_lanes({number: fed_by(number) for number in (0, 1, 2)})

# %% [markdown] {"slug": "workers-read"}
# The default is **0**: your process loads and trains in turn. With 1, a worker loads while your process trains. With 2,
# your process hardly waits after the first batch. A worker loads up to `prefetch_factor` batches ahead, by default two.
#
# What happens after an epoch? In place of a batch, these loaders return the number (PID) of the process that loads it.


# %% {"concepts": ["C173", "C178"], "errata": ["E86"], "slug": "workers-shown"}
def loaded_by(samples):
    return os.getpid()


print("this process:", os.getpid())
for settings in ({}, {"num_workers": 2}, {"num_workers": 2, "persistent_workers": True}):
    loader = DataLoader(range(4), collate_fn=loaded_by, **settings)
    print(settings, [sorted(set(loader)) for epoch in range(2)])  # set(loader): an epoch
    del loader

# %% [markdown] {"slug": "requests"}
# Workers end with the epoch, unless `persistent_workers=True`.
#
# A dataset can also wait *less often*. The loader calls its method `__getitems__(self, indices)`, if there is one, once for
# each batch. The method returns a list of samples. This helps if one request can fetch many samples, as from our server.
#
#
# ### Fix it here
#
# After your change, two workers read the images, the same two in each epoch. Each batch is one request.

# %% {"concepts": ["C171", "C172", "C178"], "errata": ["E86"], "slug": "steady-program"}
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30)


# %% [markdown] {"slug": "steady-check-text"}
# The check counts processes and requests.

# %% {"slug": "steady-check"}
check("feeding.steady", steady)

# %% [markdown] {"slug": "sweep"}
# ## 3. How many workers? · 2 min
#
# Measure, in three rounds, since other programs use the cores, too. Then take the fewest workers whose median time is at
# most 10 % longer than the best.


# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "sweep-shown"}
def with_workers(number):
    return DataLoader(OneByOne(), batch_size=30, sampler=range(300), num_workers=number)


sweep_chart(sweep(rate, with_workers, (0, 1, 2, 4, 8), ceiling=[batch] * 20))

# %% [markdown] {"slug": "sweep-read"}
# Our workers mostly wait for the server, so many of them can share a core. A worker that decodes large files keeps a core
# busy: then more workers than cores gain little. Each worker can also cost RAM, for its copy. ([Errors in
# workers](errors.md))
#
# ## 4. What a copy waits for · 3 min
#
# Ordinary memory is [pageable](glossary.md#pageable-memory): the operating system may move it. So the driver first copies a
# batch into a buffer of its own, which the GPU reads. [Pinned memory](glossary.md#pinned-memory) of the **host** stays where
# it is, so the GPU reads it directly. With `pin_memory=True`, the loader pins each batch.
#
# For how long does the program wait in `to`?

# %% {"concepts": ["C174", "C175", "C176"], "errata": ["E87", "E88", "E89"], "slug": "behind"}
pageable = torch.ones(1024, 1024)
pinned, matrix = pageable.pin_memory(), pageable.to(gpu)


def waits(batch, behind=None, **settings):
    begun = virtual_cuda.now()
    batch.to(gpu, **settings)
    waited = virtual_cuda.now() - begun
    torch.cuda.synchronize(gpu)  # nothing is left for the next case
    return f"{waited:3.0f} µs, modelled"


# %% [markdown] {"slug": "waits-text"}
# In three cases, the GPU still computes a product (`behind`) when the copy begins.

# %% {"concepts": ["C174", "C176"], "slug": "waits-shown"}
print("pinned:  ", waits(pinned))
print("pinned, behind a product:  ", waits(pinned, behind=matrix @ matrix))
print("  with non_blocking:  ", waits(pinned, behind=matrix @ matrix, non_blocking=True))
print("  and pageable:  ", waits(pageable, behind=matrix @ matrix, non_blocking=True))

# %% [markdown] {"slug": "behind-read"}
# In an ordinary copy, the program also waits for the work that was queued before. With pinned memory and
# `non_blocking=True`, the program does not wait. With pageable memory, it waits at least for the driver's buffer.
#
# ## 5. A second stream · 6 min
#
# Now a whole loop. For each of five batches, it loads for 200 µs, copies, and computes two products.


# %% {"concepts": ["C168", "C170", "C174"], "errata": ["E88"], "slug": "loops-run"}
def run(copy):
    with record(gpu) as recording:
        for _ in range(5):
            virtual_cuda.clock().work(200, "load a batch")
            copy() @ matrix @ matrix
    return recording


runs = {"pageable": run(lambda: pageable.to(gpu)), "pinned": run(lambda: pinned.to(gpu))}
runs["non_blocking"] = run(lambda: pinned.to(gpu, non_blocking=True))

# %% [markdown] {"slug": "stream-text"}
# These loops have one [stream](glossary.md#stream): each copy waits for the kernels before it. In a second stream, it need
# not wait. Two calls make this safe. After `main.wait_stream(side)`, later kernels of the main stream wait for the copy.
# After `on_gpu.record_stream(main)`, no other tensor gets the memory of `on_gpu` while these kernels read it.

# %% {"concepts": ["C168", "C170"], "errata": ["E88"], "slug": "stream-run"}
side, main = torch.cuda.Stream(gpu), torch.cuda.current_stream(gpu)


def second_stream():
    with torch.cuda.stream(side):
        on_gpu = pinned.to(gpu, non_blocking=True)
    main.wait_stream(side)
    on_gpu.record_stream(main)
    return on_gpu


runs["second stream"] = run(second_stream)

# %% [markdown] {"slug": "modelled-text"}
# The four loops on one clock:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "modelled"}
timelines(runs)

# %% [markdown] {"slug": "race-text"}
# `non_blocking` frees the program, but not the GPU: it still copies *or* computes. With the second stream, the GPU does
# both at once.
#
# What if `wait_stream` is missing? CUDA then allows several orders. `races` plays one for each seed. The sum should be
# 1,048,576:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "race"}
for safe in (False, True):
    for seed in range(6):
        with virtual_cuda.races(seed):
            with torch.cuda.stream(side):
                on_gpu = pinned.to(gpu, non_blocking=True)
            if safe:
                main.wait_stream(side)
            print(on_gpu.sum().item(), end="  " if seed < 5 else f"  {safe=}\n")

# %% [markdown] {"slug": "early-text"}
# Without `wait_stream`, a kernel may read the batch too early. (Here, NaN marks this. A real GPU reads old numbers.)
#
# ## 6. Which change first? · 3 min
#
# PyTorch's tutorial
# [*Data Loading Optimization*](https://docs.pytorch.org/tutorials/intermediate/intermediate_data_loading_tutorial.html)
# (May 2026) measured each change on a real GPU, which it does not name. Its samples wait for 5 ms.

# %% {"slug": "recorded-predict"}
predict("09.recorded")

# %% {"slug": "recorded"}
display(speed_bars(RECORDED, "recorded"))
reveal("09.recorded", least_gain(RECORDED))

# %% [markdown] {"slug": "recorded-read"}
# Each row keeps the changes above it, but the last one has no second stream. While loading is the slowest part, a faster
# copy gains little. Repair the slowest part first.
#
# ## 7. Copies of the dataset · 9 min
#
# An `IterableDataset` has no indices to share out: it is read in order, as the lines of a file. Below, each process of
# torchrun (a *rank*) reads its share. But each worker of the rank has a copy of the dataset, and reads all of this share.
# (A random generator of a dataset is copied, too: [reference](reference.md).)
#
# In a worker, `torch.utils.data.get_worker_info()` has an `id` and `num_workers`. In the main process, it is `None`.
#
# ### Fix it here
#
# After your change, each line comes once, with any number of ranks and of workers, 0 included. If there are enough
# lines, each worker reads some.

# %% {"concepts": ["C178"], "slug": "shards-program"}
from torch.utils.data import IterableDataset


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        return iter(self.lines[self.rank :: self.ranks])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)


# %% [markdown] {"slug": "shards-check-text"}
# The check collects the lines.

# %% {"slug": "shards-check"}
check("feeding.shards", shards)

# %% [markdown] {"slug": "project"}
# ## The project: your loop again · 1 min
#
# The loop of section 1, with your `steady`, in its second epoch:

# %% {"concepts": ["C177"], "slug": "project-after"}
loader = steady(read, 300)
rate(loader)
after, ceiling_now = rate(loader), rate([batch] * 20)
print(f"of the ceiling: {before / ceiling:.0%} before, {after / ceiling_now:.0%} after")
speed_bars({"before": before, "after": after, "ceiling": ceiling_now}, "measured")

# %% [markdown] {"slug": "recap"}
# ## What you learned · 3 min
#
# From memory:

# %% {"slug": "recap-1-quiz"}
quiz("09.after.waits")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. How do you find out whether the GPU waits for data?
# 2. What is the difference between `num_workers=0` and `num_workers=1`?
# 3. What do you need to copy a batch while the GPU computes on another?

#
# <details><summary>Answers</summary>
#
# 1. Compare the rate of your loop with that of the same loop on one batch, again and again.
# 2. With 0, your process loads and trains in turn. With 1, another process loads meanwhile.
# 3. Pinned memory, `non_blocking=True`, a second stream, `wait_stream` and `record_stream`.

#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 09: Feeding the GPU](../assignments/09_feeding/09_feeding.ipynb).**
# You will find out why a GPU waits, choose workers, fix a loader, and write `batches_ahead` for `train.py`.
#
# **Next lesson:** [10, *Saving and loading*](10_saving_and_loading.ipynb): what a file records
# about devices, and how to load it on a machine that has different ones.
