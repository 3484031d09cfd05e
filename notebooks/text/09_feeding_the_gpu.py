# %% [markdown] {"slug": "title"}
# # Feeding the GPU
#
# *On the Right Device*, lesson 09 · previous lesson: [08, *How busy, how full, how
# fast*](08_how_busy_how_full_how_fast.ipynb) · [Glossary](glossary.md)
#
# Your training on porto has GPU 1 for itself. `nvidia-smi` shows 0 % in one second, and 80 % in the next. Whom does the
# GPU wait for?
#
# ## What you will be able to do
#
# - **measure** how fast a loop could train, and how fast it does;
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
# The imports take some seconds. Then comes a question about lesson 02.

# %% {"slug": "imports"}
import os
from time import perf_counter, sleep

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset

import virtual_cuda
from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson09 import RECORDED, fed_loop, log_in, loop_timelines, project, record
from lesson_parts.lesson09 import smallest_gain, sweep, sweep_chart, utilisation_chart

# %% [markdown] {"slug": "before-from-memory"}
# Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("09.before.batch")

# %% [markdown] {"slug": "waits"}
# ## 1. Whom does the GPU wait for? · 9 min
#
# First, the card while nothing runs. (With `-l 1`, `nvidia-smi` prints again each second.) Your CPU plays the GPU, with
# one thread.

# %% {"concepts": ["C167"], "errata": ["E92"], "slug": "lab"}
log_in("porto")
gpu = torch.device("cuda:1")
# !nvidia-smi -i 1 --query-gpu=utilization.gpu --format=csv
torch.set_num_threads(1)
torch.multiprocessing.set_start_method("fork", force=True)  # workers get this notebook's classes

# %% [markdown] {"slug": "loops-text"}
# `GPU-Util` is the share of the last second or less in which a kernel ran. We draw it for three training loops, on a
# modelled clock. While the GPU computes, the loader prepares the next batch.

# %% {"concepts": ["C165", "C166"], "errata": ["E91"], "slug": "loops-drawn"}
loops = {
    "loader 2.2 s, GPU 0.9 s": {"load": 2.2, "compute": 0.9},
    "half the batch": {"load": 1.1, "compute": 0.45, "batches": 10},
    "a loader 4 times as fast": {"load": 0.55, "compute": 0.9},
}
runs = {name: fed_loop(gpu, **times) for name, times in loops.items()}
utilisation_chart(runs, title="GPU-Util, and the batches that cause it")

# %% [markdown] {"slug": "loops-read"}
# The first loop is [input-bound](glossary.md#input-bound): the GPU waits for batches, so the readings jump. With half
# the batch, they are calm, but the loop takes nearly as long. Only the faster loader helps.
#
# `GPU-Util` does not show for whom the GPU waits. Two rates do: the images per second of your loop, and your **ceiling**.
# This is the rate of the same loop on *one batch, again and again*, which loads nothing.
#
# The images of `train.py` come from a server. Each request takes 5 ms, for one image or for many. Here, `sleep` plays the
# server.

# %% {"concepts": ["C177"], "slug": "disk"}
shapes = project.names("09").Shapes(project.pictures() / "train")


def read(indices):
    sleep(0.005)
    return [shapes[index] for index in indices]  # decodes each file


class OneByOne(Dataset):
    def __getitem__(self, index):
        return read([index])[0]


# %% [markdown] {"slug": "rate-text"}
# `rate` trains the network of `train.py` on batches of 30 images.

# %% {"concepts": ["C168", "C170"], "slug": "rate"}
net = project.names("09").ShapeNet(6).to(gpu)


def rate(batches):
    begun = perf_counter()
    for images, targets in batches:
        scores = net(images.to(gpu))
        torch.nn.functional.cross_entropy(scores, targets.to(gpu)).backward()
    torch.cuda.synchronize(gpu)
    return 30 * len(batches) / (perf_counter() - begun)


# %% [markdown] {"slug": "share-text"}
# We measure both rates, for some seconds.

# %% {"slug": "share-predict"}
predict("09.share")

# %% {"slug": "share-shown"}
loader = DataLoader(OneByOne(), batch_size=30, sampler=range(600))
batch = next(iter(loader))
rate([batch])  # the first step is slower: it is not measured
ceiling, before = rate([batch] * 20), rate(loader)
print(f"{before:.0f} images/s, with one batch again and again {ceiling:.0f}, measured")
thirds = ["less than a third", "between one and two thirds", "more than two thirds"]
reveal("09.share", thirds[min(int(3 * before / ceiling), 2)])

# %% [markdown] {"slug": "workers"}
# So the GPU waits for the loader. A real GPU is faster, and waits for a larger share of the time.
#
# ## 2. Workers · 11 min
#
# What does `num_workers` count? In place of a batch, these loaders return the number (PID) of the process that loads it.
# Each loader runs for two epochs.


# %% {"concepts": ["C171", "C173", "C178"], "errata": ["E85", "E86"], "slug": "workers-shown"}
def loaded_by(samples):
    return os.getpid()


print("this process:", os.getpid())
for settings in ({}, {"num_workers": 2}, {"num_workers": 2, "persistent_workers": True}):
    loader = DataLoader(range(4), collate_fn=loaded_by, **settings)
    print(settings, [sorted(set(loader)) for epoch in range(2)])  # set(loader): an epoch
    del loader

# %% [markdown] {"slug": "workers-read"}
# The default is **0**: your process loads a batch and trains on it, in turn. With 1, another *process* (not a thread)
# loads while yours trains. This [worker](glossary.md#worker) has its own copy of the dataset. It loads up to
# `prefetch_factor` batches ahead, by default two. It ends with the epoch, unless `persistent_workers=True`.
#
# **Recorded** on an RTX 3090, March 2026: a training made 3 steps per second with two workers, and 13 with more, which
# load further ahead ([geti #5958](https://github.com/open-edge-platform/geti/pull/5958)).
#
# A dataset can also wait *less often*. If it has a method `__getitems__(self, indices)`, the loader calls it once for each
# batch. The method returns a list of samples. This helps if the store answers one request for many samples, as our server
# does. Thirty separate files still need thirty reads.
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
# The check counts processes and requests over two epochs.

# %% {"slug": "steady-check"}
check("feeding.steady", steady)

# %% [markdown] {"slug": "sweep"}
# ## 3. How many workers? · 2 min
#
# Measure, in three rounds, since other programs use the cores, too. Then take the fewest workers whose median time is at
# most 10 % longer than the best. One dataset decodes large JPEG files. The other waits 5 ms for each sample.

# %% {"concepts": ["C172"], "errata": ["E86"], "slug": "sweep-shown"}
sweep_chart(sweep("decoding", workers=(0, 1, 2, 4)), sweep("waiting", workers=(0, 1, 2, 4, 8, 16)))

# %% [markdown] {"slug": "sweep-read"}
# The ring marks this number. A worker that decodes keeps a core busy; one that waits hardly needs one. Each can cost RAM
# for its copy, too. (Errors in workers: the [error index](errors.md).)
#
# ## 4. What a copy waits for · 3 min
#
# Ordinary memory is [pageable](glossary.md#pageable-memory): the operating system may move it. So the driver first copies a
# batch into its own buffer, which the GPU reads. [Pinned memory](glossary.md#pinned-memory) of the **host** stays where it
# is, so the GPU reads it directly. With `pin_memory=True`, the loader pins each batch.
#
# For how long does the program wait in `to`? In three cases, the GPU still has a product to compute.

# %% {"concepts": ["C174", "C175", "C176"], "errata": ["E87", "E88", "E89"], "slug": "behind"}
pageable = torch.ones(1024, 1024)
pinned, matrix = pageable.pin_memory(), pageable.to(gpu)
for batch, flag, products in (pinned, 0, 0), (pinned, 0, 1), (pinned, 1, 1), (pageable, 1, 1):
    torch.cuda.synchronize(gpu)  # nothing is left of the case before
    waiting, begun = [matrix @ matrix for _ in range(products)], virtual_cuda.now()
    batch.to(gpu, non_blocking=bool(flag))
    kind = f"{'pinned' if batch.is_pinned() else 'pageable':8} non_blocking={flag} {products=}"
    print(f"{kind}: {virtual_cuda.now() - begun:4.0f} µs, modelled")

# %% [markdown] {"slug": "behind-read"}
# An ordinary copy also waits for the work that is queued before it. With pinned memory and `non_blocking=True`, the
# program does not wait. With pageable memory, it waits at least for the driver's buffer.
#
# ## 5. A second stream · 8 min
#
# Now a whole loop, for five batches: 200 µs to load, the copy, two products.


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
# not wait. Two calls make this safe. With `wait_stream`, kernels of the main stream wait for the copy. With
# `record_stream`, no other batch gets this memory while they read it.

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
loop_timelines("modelled", runs)

# %% [markdown] {"slug": "race-text"}
# `non_blocking` frees the program, but not the GPU. With the second stream, the GPU copies and computes at the same time.
#
# What if `wait_stream` is missing? CUDA then allows several orders. `races` plays one for each seed. The sum should be
# 1,048,576:

# %% {"concepts": ["C174"], "errata": ["E88"], "slug": "race"}
for waits in (False, True):
    for seed in range(6):
        with virtual_cuda.races(seed):
            with torch.cuda.stream(side):
                batch = pinned.to(gpu, non_blocking=True)
            if waits:
                main.wait_stream(side)
            print(batch.sum().item(), end="  " if seed < 5 else f"  {waits=}\n")

# %% [markdown] {"slug": "early-text"}
# Without it, a kernel may read the batch too early. (NaN marks this here; a real GPU reads old numbers.)
#
# PyTorch's tutorial
# [*Data Loading Optimization*](https://docs.pytorch.org/tutorials/intermediate/intermediate_data_loading_tutorial.html)
# (May 2026) measured each change on a real GPU, which it does not name. Its samples wait for 5 ms.

# %% {"slug": "recorded-predict"}
predict("09.recorded")

# %% {"slug": "recorded"}
display(loop_timelines("recorded", RECORDED))
reveal("09.recorded", smallest_gain(RECORDED))

# %% [markdown] {"slug": "noise-text"}
# Each row keeps the changes above it, but the last one has no second stream. While loading is the slowest part, a faster
# copy gains little. Repair the slowest part first.
#
# ## 6. Copies of the dataset · 11 min
#
# Each worker has its own copy. A random generator of the dataset is copied with its state:


# %% {"concepts": ["C173", "C178"], "slug": "noise"}
class Noise(Dataset):
    own = torch.Generator().manual_seed(0)

    def __getitem__(self, index):
        return torch.randn((), generator=self.own).item(), torch.randn(()).item()


single = {"batch_size": None, "sampler": range(4)}  # four samples, not in batches
for its_own, global_one in DataLoader(Noise(), num_workers=2, **single):
    print(f"its own generator: {its_own:.3f}, PyTorch's: {global_one:.3f}")

# %% [markdown] {"slug": "noise-read"}
# So draw from a *global* generator, of PyTorch, `random` or NumPy. In each worker, PyTorch gives these other seeds.
#
# An `IterableDataset` is read in order, such as the lines of a file, and has no indices to share out. Below, each of the
# `ranks` processes of torchrun reads its share, but each *worker* of a rank reads all of it.
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
# The check collects what they read.

# %% {"slug": "shards-check"}
check("feeding.shards", shards)

# %% [markdown] {"slug": "project"}
# ## The project: your loop again · 1 min
#
# The loop of section 1, with your `steady`, in its second epoch.

# %% {"concepts": ["C177"], "slug": "project-after"}
loader = steady(read, 600)
rate(loader)
after = rate(loader)
print(f"of {ceiling:.0f} images/s: {before / ceiling:.0%} before, {after / ceiling:.0%} after")
loop_timelines("mine", {"before": 600 / before, "after": 600 / after, "ceiling": 600 / ceiling})

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
# 2. 0: your process loads and trains in turn. 1: another process loads while yours trains.
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
