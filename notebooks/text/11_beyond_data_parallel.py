# %% [markdown] {"slug": "title"}
# # Beyond DataParallel
#
# *On the Right Device*, lesson 11 · previous lesson: [10, *Saving and
# loading*](10_saving_and_loading.ipynb) · [Glossary](glossary.md)
#
# In lesson 07, `DistributedDataParallel` (DDP) trained one model in two processes, and hid how it did
# so. Start the same program twice without it, and you get two models. Here you write what
# is missing yourself: a line that exchanges gradients. Then you open the wrapper, find out what it
# adds, and learn what to use where DDP ends.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **exchange** tensors between processes, and train one model in several of them by hand;
# - **compute** what each GPU sends in a step;
# - **tell** which samples each rank gets, and which are used twice;
# - **skip** exchanges with `no_sync`, and **share** the statistics of BatchNorm;
# - **order** work on two streams, and see where a wait is missing;
# - **choose** between DDP, FSDP and other ways for a model of your own;
# - **read** five errors of distributed programs, and cure them.
#
# **Time:** about 2 hours
#
# **Prerequisites:** lessons 07 to 10.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 5 min
#
# The imports of the whole lesson:

# %% {"slug": "imports"}
from ast import literal_eval

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DistributedSampler

# %% [markdown] {"slug": "imports-course"}
# And those of the course:

# %% {"slug": "imports-ours"}
from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import commands_use_lab
from course_utils.experiments.copies import count_copies
from course_utils.experiments.ranks import meet_locally
from lesson_parts import project
from lesson_parts.lesson11 import Choice, by_a_ring, decision_chart, exchange_chart, order_lanes
from lesson_parts.lesson11 import record_order, ring_map, shard_map, stream_lanes, through_one

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about earlier lessons. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("11.before.rank")

# %% {"slug": "before-2-quiz"}
quiz("11.before.accumulate")

# %% {"slug": "before-3-quiz"}
quiz("11.before.stream")

# %% [markdown] {"slug": "collective"}
# ## 1. One model in two processes, by hand · 16 min
#
# We take four GPUs, real or virtual, and make them visible to commands started with `!`.
# `meet_locally` lets processes on this computer find each other without a network.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0 = devices[0]
commands_use_lab()
meet_locally()

# %% [markdown] {"slug": "group-about"}
# A call in which all processes of a [process group](glossary.md#process-group) take part is a
# **collective**. This file opens a group, and has a function that collects a Python object from
# each [rank](glossary.md#rank), so that rank 0 can print them all.

# %% {"slug": "group-script"}
# %%writefile group.py
import os
import torch
import torch.distributed as dist

gpu = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
torch.cuda.set_device(gpu)  # for calls that name no GPU
dist.init_process_group("nccl", device_id=gpu)
rank, ranks = dist.get_rank(), dist.get_world_size()


def tell(what, value):
    values = [None] * ranks
    dist.all_gather_object(values, value)
    if rank == 0:
        print(f"{what}: {values}")


# %% [markdown] {"slug": "average-about"}
# The program has two more collectives: [`all_reduce`](https://docs.pytorch.org/docs/stable/distributed.html)
# adds up the ranks' tensors, and `broadcast` gives all ranks the tensor of one. Every rank has data
# of its own: rank 0 can learn the weight 1 from them, rank 1 the weight 2. `train` returns the first
# weight and the last.

# %% {"slug": "average-script"}
# %%writefile average.py
import torch
import torch.distributed as dist
from torch import nn
from group import gpu, rank, ranks, tell


def train(average, same_start):
    torch.manual_seed(rank)
    model = nn.Linear(1, 1, bias=False).to(gpu)
    if same_start:
        dist.broadcast(model.weight.detach(), src=0)
    first = round(model.weight.item(), 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    for _ in range(100):
        batch = torch.randn(8, 1, device=gpu)
        optimizer.zero_grad()
        nn.functional.mse_loss(model(batch), (rank + 1) * batch).backward()
        if average:
            dist.all_reduce(model.weight.grad)
            model.weight.grad /= ranks
        optimizer.step()
    return first, round(model.weight.item(), 4)


number = torch.tensor([rank + 1.0], device=gpu)
dist.all_reduce(number)
tell("after all_reduce", number.item())
tell("alone", train(average=False, same_start=True))
tell("averaged", train(average=True, same_start=True))
tell("averaged, two starts", train(average=True, same_start=False))
dist.destroy_process_group()

# %% [markdown] {"slug": "average-run"}
# We run it in two processes and keep what it prints. (On virtual GPUs, the name `nccl` is accepted,
# and the work is done by `gloo`.) The cell takes about 20 seconds.

# %% {"slug": "average-run-shown"}
# output = !python -m torch.distributed.run --standalone --nproc-per-node 2 average.py
print(len(output), "lines")

# %% [markdown] {"slug": "sum-ask"}
# First, rank 0 had the number 1 and rank 1 the number 2. Both called `all_reduce`.

# %% {"slug": "sum-predict"}
predict("11.sum")

# %% {"slug": "sum-shown"}
(line,) = output.grep("all_reduce")
print(line)
reveal("11.sum", "3 on rank 0" if "[3.0, 3.0]" not in line else "3 on both")

# %% [markdown] {"slug": "trained"}
# Then they trained, from the same first weight:

# %% {"slug": "trained-shown"}
print(*output.grep("alone|averaged:"), sep="\n")

# %% [markdown] {"slug": "starts"}
# *Alone*, they became two models. With averaged gradients they stayed one, which learned from the
# data of both ranks.
#
# Last, each rank drew a first weight of its own. The gradients were averaged as
# before.

# %% {"slug": "starts-predict"}
predict("11.starts")

# %% {"slug": "starts-shown"}
(line,) = output.grep("two starts")
print(line)
firsts, lasts = zip(*literal_eval(line.split(": ")[1]), strict=True)
before, after = abs(firsts[0] - firsts[1]), abs(lasts[0] - lasts[1])
print(f"apart: {before:.2f} before, {after:.2f} after")
more = round(after - before, 3)
reveal("11.starts", "it shrinks" if more < 0 else "it grows" if more > 0 else "it stays the same")

# %% [markdown] {"slug": "ddp-does"}
# So the core of DDP is: `broadcast` once, then average the gradients in every step. Under
# [`torchrun`](https://docs.pytorch.org/docs/stable/elastic/run.html), a process finds its numbers,
# and the address where all meet, in its environment: `RANK`, counted over all machines, `LOCAL_RANK` on
# this one (it names the GPU), `WORLD_SIZE`, `MASTER_ADDR` and `MASTER_PORT`. For two machines, run
# the same line on both, with `--nnodes 2 --rdzv-backend c10d --rdzv-endpoint HOST:29500` in place
# of `--standalone`; on both, HOST is the name of the first.
#
# ## 2. What is sent around · 18 min
#
# How does `all_reduce` work? A simple way would be to send everything to one GPU and back. A better
# one is a **ring**: each of the n GPUs cuts its tensor into n pieces. In each round, every GPU sends
# *one* piece to the next GPU, which adds it to its own. After n − 1 rounds, each piece is complete
# on one GPU. In another n − 1 rounds, the complete pieces go round.


# %% {"slug": "ring"}
def ring_all_reduce(tensors, rounds=6):  # 2 (n - 1), for four GPUs
    gpus = len(tensors)
    pieces = [tensor.chunk(gpus) for tensor in tensors]
    for step in range(rounds):
        for gpu in range(gpus):
            sent = pieces[gpu][(gpu - step) % gpus]
            target = pieces[(gpu + 1) % gpus][(gpu - step) % gpus]
            target.copy_(sent if step >= gpus - 1 else target + sent.to(target.device))


# %% [markdown] {"slug": "ring-ask"}
# We run it on four GPUs, with gradients of 4 MiB on each, and count the bytes that leave one GPU.

# %% {"slug": "ring-predict"}
predict("11.ring")

# %% {"slug": "ring-shown"}
gradients = [torch.full((2**20,), gpu.index + 1.0, device=gpu) for gpu in devices]
with count_copies() as copies:
    ring_all_reduce(gradients)
print("complete:", all(bool((gradient == 10).all()) for gradient in gradients))
sent = sum(size for (source, _), size in copies.bytes_by_route.items() if source == "cuda:0")
reveal("11.ring", f"{sent / 2**20:.0f} MiB")

# %% [markdown] {"slug": "ring-draw"}
# The same function again, stopped after some of its rounds. Each GPU begins with four ones, so each
# number says how many GPUs have contributed to that piece:


# %% {"slug": "ring-drawn"}
def after(rounds):
    ones = [torch.ones(4, device=gpu) for gpu in devices]
    ring_all_reduce(ones, rounds)
    return [each.tolist() for each in ones]


moments = {"at the start": after(0)} | {f"after round {n}": after(n) for n in (1, 3, 6)}
ring_map(moments, title="Sums grow on their way round the ring")

# %% [markdown] {"slug": "traffic"}
# In a ring of n, each GPU sends `2 (n − 1) / n` times the size of the gradients. NCCL takes the fastest way: on
# eight H200 a ring up to 1 MiB; beyond, their switch adds up. `DataParallel` sends the parameters out and
# collects the gradients in every step:

# %% {"slug": "traffic-drawn"}
size = 16 * 2**20
exchange_chart(
    {
        "DataParallel, with plain copies": through_one(size, 4),
        "DDP, with a ring": by_a_ring(size, 4),
    },
    title="Sent in a step, 16 MiB of weights",
)

# %% [markdown] {"slug": "traffic-read"}
# In total, both ways send the same amount. But with `DataParallel` one GPU sends half of it and
# receives the other half, and all others wait for its link. In a ring of 64 GPUs, each one still
# sends no more than twice the size of the gradients.
#
# ### When is it sent?
#
# DDP collects gradients in **buckets**, and exchanges one bucket at a time. To watch when, one
# process is enough: a group of one.

# %% {"slug": "group-of-one"}
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers = nn.Sequential(*[nn.Linear(512, 512, bias=False) for _ in range(3)])
model = DDP(layers, bucket_cap_mb=1)  # one layer fills a bucket
log, batch = [], torch.ones(8, 512)

# %% [markdown] {"slug": "hook"}
# A communication hook replaces the exchange. Ours notes it and leaves the gradients as they are.


# %% {"slug": "hook-written"}
def note(state, bucket):
    log.append("exchange")
    finished = torch.futures.Future()
    finished.set_result(bucket.buffer())
    return finished


model.register_comm_hook(None, note)
for index, layer in enumerate(layers):
    layer.weight.register_hook(lambda gradient, index=index: log.append(f"gradient {index}"))

# %% [markdown] {"slug": "buckets-ask"}
# Three layers, 0 to 2. In which order do their gradients and the exchanges come?

# %% {"slug": "buckets-predict"}
predict("11.buckets")

# %% {"slug": "buckets-shown"}
model(batch).sum().backward()  # in the first step, DDP arranges its buckets
log.clear()
model(batch).sum().backward()
print(log)
reveal("11.buckets", ", ".join(log[:4]) + ", …")

# %% [markdown] {"slug": "buckets-read"}
# The backward pass begins with the last layer. While its gradient is on the way, the GPU computes
# the next one: communication and computation [overlap](glossary.md#overlap). Where links are fast
# enough, it looks like this:

# %% {"slug": "buckets-drawn"}
order_lanes(
    {
        "backward": [("layer 2", 0, 2), ("layer 1", 2, 4), ("layer 0", 4, 6)],
        "exchange": [("gradient 2", 2, 3.5), ("gradient 1", 4, 5.5), ("gradient 0", 6, 7.5)],
    },
    title="Exchanges begin during the backward pass",
)

# %% [markdown] {"slug": "buckets-why"}
# That is why DDP hooks into `backward()`. An exchange in a line after it, as in `average.py`, takes
# extra time. (Over slow links, exchanges queue up and end later. By default, a bucket has 25 MiB, the
# first one 1 MiB, so small layers share one.)
#
# ## 3. Who gets which samples? · 8 min
#
# All ranks have to take the same number of steps. Otherwise one of them waits in a collective for a
# partner that never comes. Now share 10 samples among 4 ranks.

# %% {"slug": "padding-predict"}
predict("11.padding")


# %% {"slug": "padding-shown"}
def shards(drop_last):
    return [
        list(DistributedSampler(range(10), 4, rank, shuffle=False, drop_last=drop_last))
        for rank in range(4)
    ]


reveal("11.padding", shards(drop_last=False)[3])

# %% [markdown] {"slug": "padding-draw"}
# Samples are dealt out like cards, and [`DistributedSampler`](https://docs.pytorch.org/docs/stable/data.html)
# takes the missing ones from the start:

# %% {"slug": "padding-drawn"}
shard_map(shards(drop_last=False), 10, title="10 samples for 4 ranks")

# %% [markdown] {"slug": "once"}
# With `drop_last=True`, it leaves out the last ones instead. Now we test the model. Suppose that it
# is right about samples 0 and 1, and wrong about the other eight.

# %% {"slug": "accuracy-claim"}
claim("11.claim.accuracy")

# %% {"slug": "accuracy-shown"}
print(f"all samples: {2 / 10:.0%} right")
for drop_last in (False, True):
    scores = [sum(index < 2 for index in shard) / len(shard) for shard in shards(drop_last)]
    print(f"drop_last={drop_last}: {sum(scores) / len(scores):.0%}, the mean of the ranks")
verdict("11.claim.accuracy")

# %% [markdown] {"slug": "metrics"}
# In training, two extra samples hardly matter. For a test, let one rank test everything, or let each
# rank take `range(rank, n, ranks)`, without padding. Then reduce **sums**, the number of hits and
# the number of samples, and divide at the end. A mean of means is wrong when the shards differ in
# size, and so is a plain mean of gradients.
#
# Test the model inside, `model.module`. The wrapper may send buffers before a forward pass, and a rank
# that tests alone would wait for the others.
#
# Where some ranks have more batches than others, `with model.join():` around the loop lets those that
# have finished take part in DDP's exchanges, though not in those of SyncBatchNorm or your own.
#
# ## 4. Fewer exchanges, shared statistics · 16 min
#
# Lesson 08 trained a batch in parts. With DDP, each `backward()` would exchange gradients, though
# only the last sum is used. `with model.no_sync():` leaves the exchange out. We count in the log.


# %% {"slug": "exchanges"}
def exchanges(work):
    log.clear()
    work()
    return log.count("exchange")


def step():
    model(batch).sum().backward()


# %% [markdown] {"slug": "no-sync-ask"}
# One way is to put only the `backward()` inside:


# %% {"slug": "no-sync-around-backward"}
def quiet_backward():
    loss = model(batch).sum()
    with model.no_sync():
        loss.backward()


# %% [markdown] {"slug": "no-sync-believe"}
# Somebody says:

# %% {"slug": "no-sync-claim"}
claim("11.claim.no-sync")


# %% {"slug": "no-sync-shown"}
def quiet_step():
    with model.no_sync():
        step()


for work in (step, quiet_backward, quiet_step):
    print(f"{work.__name__:15} {exchanges(work)} exchanges")
verdict("11.claim.no-sync")

# %% [markdown] {"slug": "no-sync-read"}
# So all parts but the last run inside `no_sync`, forward and backward. The exchange of the last one
# carries the sum of all parts.
#
# The **global batch** is what goes into one update: the samples of a part × parts × ranks. DDP
# averages over *ranks*: scale the loss of each part by its share of the rank's batch, as in lesson
# 08. What lesson 07 found about the learning rate holds for the global batch.
#
# ### Statistics
#
# A second program looks at three things: BatchNorm, memory (for section 7), and two mistakes (for
# the clinic). For BatchNorm, the batch is four zeros on rank 0 and four tens on rank 1.
# `momentum=1` makes the running mean that of the last batch.

# %% {"slug": "together-script"}
# %%writefile together.py
import torch
import torch.distributed as dist
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel as DDP
from group import gpu, rank, tell

plain = nn.BatchNorm1d(1, momentum=1.0).to(gpu)
for norm in (plain, nn.SyncBatchNorm.convert_sync_batchnorm(plain)):
    DDP(norm, device_ids=[gpu])(torch.full((4, 1), 10.0 * rank, device=gpu))
    tell(f"mean, {type(norm).__name__}", norm.running_mean.item())
square = torch.ones(8, 8, device=gpu, requires_grad=True)
(square @ square).sum().backward()  # cuBLAS takes its workspace, before we count
for wrap in (DDP, fully_shard):
    before = torch.cuda.memory_allocated()
    model = wrap(nn.Linear(1024, 1024, bias=False, device=gpu))
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(8, 1024, device=gpu)).sum().backward()
    optimizer.step()
    tell(f"MiB, {wrap.__name__}", round((torch.cuda.memory_allocated() - before) / 2**20))
    del model, optimizer
cpu_group = dist.new_group(backend="gloo")
for group in (None, cpu_group):
    try:
        if rank == 0:
            dist.all_reduce(torch.ones(1), group=group)
    except RuntimeError as error:
        print("error:", str(error).split(". ")[0])
dist.destroy_process_group()

# %% [markdown] {"slug": "together-run"}
# This takes about 20 seconds. What will the means be?

# %% {"slug": "norm-claim"}
claim("11.claim.batchnorm")

# %% {"slug": "norm-shown"}
# output = !python -m torch.distributed.run --standalone --nproc-per-node 2 together.py
print(*output.grep("mean, "), sep="\n")
verdict("11.claim.batchnorm")

# %% [markdown] {"slug": "norm-read"}
# [`SyncBatchNorm`](https://docs.pytorch.org/docs/stable/generated/torch.nn.SyncBatchNorm.html)
# costs an exchange in every BatchNorm layer, forward and backward. It pays where the batch of one
# GPU is small. Convert the model before you wrap it.
#
# ### Who logs, who saves?
#
# Only rank 0 prints and saves. Three rules keep this safe:
#
# - Call collectives *outside* `if rank == 0:`. A loss to be logged is reduced by all ranks,
#   then printed by one.
# - After rank 0 has saved, `dist.barrier()` makes the others wait before they load the file.
# - Each rank loads with `map_location` set to its own GPU or the CPU. Otherwise all ranks load onto
#   the GPU that wrote the file, `cuda:0`.
#
# ## 5. Stream order · 16 min
#
# The exchange of a bucket runs alongside the backward pass, in a [stream](glossary.md#stream) of
# its own. Lesson 09 used a second stream by recipe. Now the rule behind it. Work in *one* stream
# runs in the order in which it was queued. And in two?
#
# Here, `numbers` are zeros. A side stream sets them to 1, after some other work. The default stream
# adds them up.

# %% {"slug": "fill"}
numbers = torch.zeros(4_000_000, device=gpu0)
side, default = torch.cuda.Stream(gpu0), torch.cuda.current_stream(gpu0)
print("the sum:", numbers.sum().item())


def fill(tensor, cycles=200_000):
    side.wait_stream(default)  # not before the tensor is there
    with torch.cuda.stream(side):
        torch.cuda._sleep(cycles)  # other work, in clock cycles
        tensor.fill_(1)


# %% [markdown] {"slug": "fill-ask"}
# We put the steps together:


# %% {"slug": "add-up"}
def add_up():
    numbers.zero_()
    fill(numbers)
    return numbers.sum()


# %% [markdown] {"slug": "fill-record"}
# We run it, and `record_order` notes what runs in which stream.

# %% {"slug": "fill-predict"}
predict("11.unordered")

# %% {"slug": "fill-shown"}
orders = {}
with record_order(gpu0) as orders["without the wait"]:
    total = add_up()
found = orders["without the wait"].unordered
print(f"the sum: {total.item():,.0f}", *found, sep="\n")
certain = total == 4e6 and not found
reveal("11.unordered", "only 4,000,000" if certain else "either, or anything between")

# %% [markdown] {"slug": "fill-why"}
# **Between two streams there is no order, unless you ask for it.**
#
# On virtual GPUs values are computed at once, so the sum is right by accident; the record shows the
# danger. (A real GPU does not report the order. Here it mostly gives 0, since `side` has other work
# first.) And with the wait?

# %% {"slug": "fill-drawn"}
with record_order(gpu0) as orders["with wait_stream"]:
    numbers.zero_()
    fill(numbers)
    default.wait_stream(side)
    numbers.sum()
stream_lanes(orders, title="One GPU, two streams")

# %% [markdown] {"slug": "wait-read"}
# [`default.wait_stream(side)`](https://docs.pytorch.org/docs/stable/notes/cuda.html) holds back what
# is queued in `default` *from now on*, until all that is in `side` *so far* is done. The host does
# not wait. It works in one direction: if the side stream must not overwrite what is still being
# read, it has to wait as well.
#
# Somebody writes that second wait:


# %% {"slug": "current-written"}
def overwrite():
    doubled = numbers * 2
    with torch.cuda.stream(side):
        current = torch.cuda.current_stream(gpu0)
        side.wait_stream(current)
        numbers.fill_(7)
    return doubled, current


# %% [markdown] {"slug": "current-ask"}
# The program gets no error.

# %% {"slug": "current-predict"}
predict("11.current")

# %% {"slug": "current-shown"}
with record_order(gpu0) as order:
    doubled, current = overwrite()
print(*order.unordered, sep="\n")
reveal("11.current", "the default stream" if current != side else "itself")

# %% [markdown] {"slug": "memory-between"}
# Take the current stream *before* the block.
#
# Streams also share memory. Here, the side stream will write into a tensor after some long work.
# Meanwhile, Python drops that tensor and asks for a new one of the same size.

# %% {"slug": "freed-claim"}
claim("11.claim.freed")

# %% {"slug": "freed-shown"}
old = torch.zeros(16, 1024, 1024, device=gpu0)
address = old.data_ptr()
fill(old, cycles=100_000_000)
del old
new = torch.zeros(16, 1024, 1024, device=gpu0)
print("same memory:", new.data_ptr() == address, "· side stream done:", side.query())
verdict("11.claim.freed")

# %% [markdown] {"slug": "record-stream"}
# The new tensor got the memory of the old one. By the clock (the modelled one on virtual GPUs), the
# side stream has not written yet: on a real GPU, the ones will land in `new`. [`old.record_stream(side)`](https://docs.pytorch.org/docs/stable/generated/torch.Tensor.record_stream.html)
# tells the [memory allocator](glossary.md#memory-allocator) to keep the memory until `side` is done.
# That is what lesson 09's recipe did. (Virtual GPUs show neither the damage nor the cure.)
#
# ## 6. Compile it · 3 min
#
# [`torch.compile`](https://docs.pytorch.org/docs/stable/generated/torch.compile.html) traces a model
# into graphs, and makes fewer and larger kernels of them. Lesson 10 met its key prefix,
# `_orig_mod.`. Together with DDP there are two prefixes, in the order in which you wrapped:


# %% {"slug": "prefixes"}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, batch):
        return self.layer(batch).relu()


for wrapped in (torch.compile(DDP(Net())), DDP(torch.compile(Net()))):
    print(next(iter(wrapped.state_dict())))

# %% [markdown] {"slug": "prefixes-read"}
# A model compiled in place, by `net.compile()`, gets no prefix. Whatever the order, with DDP the graph
# is cut (a [graph break](glossary.md#graph-break)) where a bucket ends, so exchanges still overlap.
# (A model that is itself a plain `nn.Sequential` is left uncompiled by `net.compile()`, and by
# `torch.compile(DDP(net))`. Nothing says so.)
#
# ## 7. If the model does not fit · 11 min
#
# DDP keeps everything on every GPU: 4 × 4 bytes for each float32 parameter with Adam (lesson 08),
# and four for its buckets. (`gradient_as_bucket_view=True` saves those.) With DDP, `together.py`
# counted 20 MiB for 4 MiB of parameters, on each of two ranks.
#
# The other wrapper in the script,
# [`fully_shard`](https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html), is
# **FSDP2** (fully sharded data parallel): each rank keeps a [shard](glossary.md#shard) of the
# parameters, gradients and optimizer states.

# %% {"slug": "shard-predict"}
predict("11.shard")

# %% {"slug": "shard-shown"}
print(f"counted on {devices.kind} GPUs:", *output.grep("MiB, "), sep="\n")
(line,) = output.grep("fully_shard")
reveal("11.shard", f"{line.split('[')[1].split(',')[0]} MiB")

# %% [markdown] {"slug": "shard-read"}
# The price: a block's parameters are gathered before it runs, in the forward and in the backward
# pass, and given up after it. So apply `fully_shard` to each block, then to the whole model. In one
# piece, the whole model would be gathered at once. And build the optimizer afterwards: an older one
# still has the whole parameters, and trains nothing. The keys have no prefix; the values are sharded
# tensors, and [distributed
# checkpoints](https://docs.pytorch.org/docs/stable/distributed.checkpoint.html) save them by shard.
#
# First try the cheaper cures of lesson 08: bfloat16, activation checkpointing, smaller parts. What
# has to fit are parameters, gradients, optimizer states and activations. Begin at the top:

# %% {"slug": "chart"}
choices = [
    Choice("Fits on one GPU, and fast enough?", "one process", "nothing to exchange"),
    Choice("Fits on one GPU?", "DDP", "only gradients are exchanged"),
    Choice("Each layer fits, and links are fast?", "FSDP2", "each layer gathered for its use"),
    Choice("Each layer fits?", "pipeline parallel", "activations and their gradients pass"),
]
last = Choice("A layer is too large", "tensor parallel", "each layer on several GPUs: fast links")
decision_chart(choices, last, title="Which parallelism?")

# %% [markdown] {"slug": "choose-ask"}
# Now choose for a model of 7 billion float32 parameters, to be trained with Adam on four GPUs. Each
# has 80 GB, and the links between them are fast.

# %% {"slug": "choose-predict"}
predict("11.choose")

# %% {"slug": "choose-shown"}
needed, room = 7e9 * 16, 80e9
print(f"in all: {needed / 1e9:.0f} GB, a quarter of it: {needed / 4 / 1e9:.0f} GB")
reveal("11.choose", "DDP" if needed < room else "FSDP2" if needed / 4 < room else "tensor parallel")

# %% [markdown] {"slug": "chart-read"}
# For FSDP2 and all below it, the GPUs together have to hold the whole. Large models combine ways:
# [tensor parallel](glossary.md#tensor-parallelism) inside a machine, and between machines FSDP2 if the
# network is fast, else [pipeline](glossary.md#pipeline-parallelism). PyTorch's pages:
# [DDP](https://docs.pytorch.org/docs/stable/notes/ddp.html),
# [FSDP2](https://docs.pytorch.org/docs/stable/distributed.fsdp.fully_shard.html),
# [pipeline parallel](https://docs.pytorch.org/docs/stable/distributed.pipelining.html),
# [tensor parallel](https://docs.pytorch.org/docs/stable/distributed.tensor.parallel.html).
#
# ## 8. Error clinic · 10 min
#
# **Case 1.** A model with two heads, of which only one is used so far.


# %% {"slug": "clinic-unused"}
class TwoHeads(nn.Module):
    def __init__(self):
        super().__init__()
        self.shape, self.colour = nn.Linear(4, 3), nn.Linear(4, 2)

    def forward(self, batch):
        return self.shape(batch)


# %% [markdown] {"slug": "clinic-unused-run"}
# The first step runs, the second does not:

# %% {"slug": "clinic-unused-shown"}
model = DDP(TwoHeads())
try:
    for _ in range(2):
        model(torch.ones(8, 4)).sum().backward()
except RuntimeError as error:
    print(str(error).split(". ")[0] + ".", str(error).split("\n")[3], sep="\n")

# %% [markdown] {"slug": "clinic-unused-read"}
# - *finished reduction in the prior iteration*: the bucket with the unused head never filled up, so
#   its exchange is still waiting, and none of its gradients were averaged, not even those of the used
#   head, which shares the bucket.
# - *Parameter indices which did not receive grad*: 2 and 3, counted among those that require one. With
#   `TORCH_DISTRIBUTED_DEBUG=INFO` in the environment, the message has their names.
#
# **Cure:** use all parameters in the loss, or set `requires_grad_(False)` for the unused ones before
# you wrap. `find_unused_parameters=True` searches the graph in every step; keep it for models whose
# unused part changes.
#
# **Case 2.** The script is started with `python`, and not with `torchrun`. A sampler asks for the
# group. So somebody adds the call that its message names:

# %% {"slug": "clinic-python-shown"}
dist.destroy_process_group()
for call in (lambda: DistributedSampler(range(10)), lambda: dist.init_process_group("gloo")):
    try:
        call()
    except ValueError as error:
        print(error)

# %% [markdown] {"slug": "clinic-python-read"}
# - *environment variable RANK expected*: nobody has told this process its number, nor where the
#   others are.
#
# **Cure:** start it with `torchrun`, and `--nproc-per-node 1` or more. A script that should also
# run alone asks `dist.is_torchelastic_launched()`.
#
# **Case 3.** `together.py` gave `all_reduce` a CPU tensor, first in the group that `"nccl"` opened,
# then in a `gloo` group, which takes such tensors. But only rank 0 made the call.

# %% {"slug": "clinic-peer-shown"}
print(*output.grep("error:"), sep="\n")

# %% [markdown] {"slug": "clinic-peer-read"}
# - *No backend type associated with device type cpu*: NCCL exchanges tensors of GPUs only. **Cure:**
#   move the tensor to the rank's GPU, or open the group for both with
#   `init_process_group("cpu:gloo,cuda:nccl")`.
# - *Connection closed by peer*: rank 1 was done, and left the group while rank 0 waited for it. With
#   NCCL there is often no message, and rank 0 hangs until a timeout: ten minutes, unless
#   `init_process_group(timeout=…)` says otherwise. **Cure:** the same collectives, in the same
#   order, on every rank. Look for an `if rank == 0:` around one, a `break`, and data of different
#   lengths. (Or the other rank crashed: read *its* output first.)

# %% [markdown] {"slug": "project"}
# ## The project · 12 min
#
# The same file now runs as `python train.py`, in one process, and as
# `torchrun --nproc-per-node 4 train.py`, with a process for each GPU. Each process joins the others,
# and takes its share of every batch:

# %% {"slug": "project-parts"}
print(project.part("11", "start_ranks"), project.part("11", "batches_of"), sep="\n\n\n")

# %% [markdown] {"slug": "project-run"}
# `--batch` is the number of images in a step, on all GPUs. All ranks draw the same order, and each
# takes every fourth image. We train with one process, and with four, in half a minute.

# %% {"slug": "project-runs-four"}
alone = project.train("11", epochs=2)
four = project.train("11", epochs=2, gpus=4)

# %% [markdown] {"slug": "recap"}
# The losses agree up to rounding: `DistributedDataParallel` takes the mean of the gradients, and each
# rank's loss is multiplied by the number of ranks, since it is divided by the whole batch. Rank 0 alone
# prints and saves, and each rank tests its share of the test images.
#
# ## What you learned · 7 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("11.after.batch")

# %% {"slug": "recap-2-quiz"}
quiz("11.after.save")

# %% {"slug": "recap-3-quiz"}
quiz("11.after.wait")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. Which two exchanges make one model out of several processes?
# 2. What does each of n GPUs send in a ring all-reduce?
# 3. What does `DistributedSampler` do if the samples cannot be shared evenly, and when does it matter?
# 4. What has to be inside `no_sync`, and which part has to be outside?
# 5. What do `a.wait_stream(b)` and `x.record_stream(b)` do?
# 6. The model fits on one GPU and needs a week. What do you use? And if it does not fit?
#
# <details><summary>Answers</summary>
#
# 1. A broadcast of the weights at the start, and the mean of the gradients in every step.
# 2. `2 (n − 1) / n` times the size of the gradients, so never more than twice their size.
# 3. It takes samples from the start again, or drops some with `drop_last=True`. It matters in a test.
# 4. Forward and backward of all parts but the last. The last part runs outside.
# 5. What is queued in `a` from now on waits for what is in `b`; the memory of `x` stays reserved
#    until `b` is done.
# 6. DDP. If it does not fit: fewer bytes by the cures of lesson 08, then FSDP2.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 11: Beyond DataParallel](../assignments/11_ranks/11_ranks.ipynb).**
# You will choose a rank's device, predict what each GPU sends, train in parts with one exchange, average
# gradients of uneven shards, and fix a program of several ranks.
#
# **Next lesson:** [13, *Capstone*](13_capstone.ipynb): one program, on any machine.
