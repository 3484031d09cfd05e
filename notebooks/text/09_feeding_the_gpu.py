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
# - **measure** whether the GPU waits for the loader;
# - **choose** a number of workers by measuring;
# - **share** out samples among workers and ranks;
# - **predict** for which copies the program waits;
# - **overlap** copies with computing.
#
# **Time:** about ¾ hour
#
# **Prerequisites:** lessons 02 and 08; what a process is.
#
# ## Before we start · 2 min
#
# The imports take some seconds.

# %% {"slug": "imports"}
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
# ## 1. What does the GPU wait for? · 10 min
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
# `rate` trains for an epoch. It waits for the GPU before it reads the clock.


# %% {"concepts": ["C168", "C170"], "slug": "rate"}
def rate(batches):
    begun, count = perf_counter(), 0
    for images, targets in batches:
        scores = net(images.to(gpu))
        torch.nn.functional.cross_entropy(scores, targets.to(gpu)).backward()
        count += len(images)
    torch.cuda.synchronize(gpu)
    return count / (perf_counter() - begun)


# %% [markdown] {"slug": "measure-text"}
# Other programs can only slow a loop down. So `measure` keeps the best of three rounds, of the ceiling, too.

# %% {"concepts": ["C168"], "slug": "measure"}
best = {}


def measure(name, batches):
    for _ in range(3):
        for what, source in ((name, batches), ("ceiling", [batch] * 20)):
            best[what] = max(best.get(what, 0), rate(source))
    print(f"{name}: {best[name]:.0f} images/s, {best[name] / best['ceiling']:.0%} of the ceiling")


# %% [markdown] {"slug": "share-text"}
# The loop as it is (some seconds):

# %% {"slug": "share-predict"}
predict("09.share")

# %% {"slug": "share-shown"}
settings = {"batch_size": 30, "sampler": range(300)}
loader = DataLoader(OneByOne(), **settings)
batch = next(iter(loader))
measure("0 workers", loader)
thirds = ["less than a third", "between one and two thirds", "more than two thirds"]
reveal("09.share", thirds[min(int(3 * best["0 workers"] / best["ceiling"]), 2)])

# %% [markdown] {"slug": "workers"}
# Far below the ceiling, the GPU waits for the loader.
#
# **Recorded** on an RTX 3090, March 2026: 3 training steps per second, and the GPU idle for 70 to 92 % of the time. With
# more workers, which load further ahead: 13 ([geti #5958](https://github.com/open-edge-platform/geti/pull/5958)).
#
# ## 2. Workers, and workers that stay · 3 min
#
# A [worker](glossary.md#worker) is a *process* (not a thread) that loads batches. It has its own copy of the dataset.
# Below, loading a batch takes 0.2 s, and training on it 0.1 s.

# %% {"concepts": ["C171", "C173"], "errata": ["E85"], "slug": "workers-drawn"}
worker_lanes({number: fed_by(number) for number in (0, 1, 2)})

# %% [markdown] {"slug": "workers-read"}
# The default is **0**: your process loads and trains in turn. With 1, a worker loads while your process trains. With 2,
# your process hardly waits after the first batch. A worker loads up to `prefetch_factor` batches ahead, by default two.
#
# Workers end with the epoch, unless `persistent_workers=True`: a gain if they start slowly. With two workers:

# %% {"concepts": ["C171", "C173"], "errata": ["E86"], "slug": "stay-measured"}
stay = {**settings, "persistent_workers": True}
measure("2 workers", DataLoader(OneByOne(), **settings, num_workers=2))
measure("workers stay", DataLoader(OneByOne(), **stay, num_workers=2))

# %% [markdown] {"slug": "requests"}
# ## 3. Wait less often · 9 min
#
# A worker still makes 30 requests for a batch. But if a dataset has a method `__getitems__(self, indices)`, the loader
# calls it once for each batch. It returns a list of samples, here from one request.
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
# ## 4. How many workers? · 2 min
#
# Workers of `OneByOne` mostly wait for the server. Those of `Photos` compute: they decode each file five times, which plays
# a larger photo.


# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "sweep-shown"}
class Photos(Dataset):
    def __getitem__(self, index):
        return [shapes[index] for _ in range(5)].pop()


def with_workers(images, number):
    return DataLoader(images, **stay, num_workers=number)


kinds = {"workers wait": OneByOne(), "workers compute": Photos()}
sweep_chart(sweep(rate, with_workers, kinds, (2, 4, 8), ceiling=[batch] * 20))

# %% [markdown] {"slug": "sweep-read"}
# Workers that wait can share a core. Workers that compute keep a core busy: more of them than cores gain little. Take the
# ring, since each worker can cost RAM, for its copy. If it is at the largest number, try more. ([Errors in
# workers](errors.md))
#
# ## 5. Copies of the dataset · 9 min
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

# %% [markdown] {"slug": "copies"}
# ## 6. What a copy waits for · 3 min
#
# Ordinary memory is [pageable](glossary.md#pageable-memory): the operating system may move it. So the driver first copies a
# batch into a buffer of its own, which the GPU reads. [Pinned memory](glossary.md#pinned-memory) of the **host** stays where
# it is, so the GPU reads it directly. With `pin_memory=True`, the loader pins each batch.
#
# For how long does the program wait in `to`? In each case, the GPU still computes a product when the copy is asked for.

# %% {"concepts": ["C174", "C175", "C176"], "errata": ["E87", "E88", "E89"], "slug": "waits-shown"}
pageable = torch.ones(1024, 1024)
pinned, matrix = pageable.pin_memory(), pageable.to(gpu)
for tensor, flag in ((pageable, False), (pageable, True), (pinned, False), (pinned, True)):
    product = matrix @ matrix
    begun = virtual_cuda.now()
    tensor.to(gpu, non_blocking=flag)
    print(f"pinned={tensor.is_pinned()}, non_blocking={flag}: {virtual_cuda.now() - begun:.0f} µs")
    torch.cuda.synchronize(gpu)  # nothing is left for the next case

# %% [markdown] {"slug": "behind-read"}
# (All numbers are modelled.) An ordinary copy begins after the product, and the program waits until it is complete. With
# pinned memory *and* `non_blocking=True`, the program does not wait. With pageable memory, it waits at least for the
# driver's buffer.
#
# ## 7. A second stream · 5 min
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
# These loops have one [stream](glossary.md#stream), a queue: each copy waits for the kernels before it. In a second stream,
# it need not wait. Two calls make this safe. After `main.wait_stream(side)`, later kernels of the main stream wait for the
# copy. After `on_gpu.record_stream(main)`, no other tensor gets the memory of `on_gpu` while these kernels read it.

# %% {"concepts": ["C168", "C170", "C174"], "errata": ["E88"], "slug": "stream-run"}
side, main = torch.cuda.Stream(gpu), torch.cuda.current_stream(gpu)


def second_stream():
    with torch.cuda.stream(side):
        on_gpu = pinned.to(gpu, non_blocking=True)
    main.wait_stream(side)
    on_gpu.record_stream(main)
    return on_gpu


timelines({**runs, "second stream": run(second_stream)})

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
# ## 8. Which change first? · 3 min
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
# Each row keeps the changes above it, but the last one has no second stream. Repair the slowest part first.

# %% [markdown] {"slug": "project"}
# ## The project: your loop again · 1 min
#
# Your loop, with your `steady`:

# %% {"concepts": ["C171", "C177"], "slug": "project-after"}
measure("one request", steady(read, 300))
speed_bars(best, "measured")

# %% [markdown] {"slug": "recap"}
# Near 100 %, the GPU hardly waits for the loader. Other programs make each measurement differ, the ceiling, too.
#
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
# You will find out why a GPU waits, choose workers, fix a loader, and write `batches_ahead` for `train.py`. It takes longer
# than this lesson.
#
# **Next lesson:** [10, *Saving and loading*](10_saving_and_loading.ipynb): what a file records
# about devices, and how to load it on a machine that has different ones.
