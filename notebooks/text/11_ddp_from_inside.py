# %% [markdown] {"slug": "title"}
# # DDP from inside
#
# *On the Right Device*, lesson 11 · previous lesson: [10, *Saving and
# loading*](10_saving_and_loading.ipynb) · [Glossary](glossary.md)
#
# `DistributedDataParallel` (DDP) trains one model with several processes. What must they tell each other, and when? A
# wrong run on several GPUs does not crash: its loss falls, too.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **train** one model in several processes by hand;
# - **compare** a run on several GPUs with a run on one;
# - **reduce** the number of exchanges in a step;
# - **share** samples among ranks, and test with all of them;
# - **find** the line at fault in a run that does not go on.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 07 and 08.
#
# ## Before we start · 3 min
#
# Chen, Li and Mei lend you their GPUs for an hour.

# %% {"slug": "imports"}
import torch
import torch.distributed as dist
from torch import nn
from torch.utils.data import DistributedSampler

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson11 import log_in, order_lanes, shard_map

log_in("porto")
# !nvidia-smi --query-gpu=index,name,memory.free --format=csv,noheader

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 07.

# %% {"slug": "before-1-quiz"}
quiz("11.before.rank")

# %% [markdown] {"slug": "alone"}
# ## 1. Started together · 5 min
#
# In this loop, each batch has 11 samples, of which a rank takes its share. Nothing else is about several processes.

# %% {"slug": "alone-script"}
# %%writefile loop.py
import os

import torch
from torch import nn

rank, ranks = int(os.environ.get("RANK", 0)), int(os.environ.get("WORLD_SIZE", 1))


def step(model, optimizer, batch, targets):
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def train(step, start=lambda model: None):
    """The weights of this rank's model after each step."""
    batches = torch.randn(100, 11, 8, generator=torch.Generator().manual_seed(0)).cuda()
    torch.manual_seed(rank)
    model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1)).cuda()
    start(model)
    optimizer, weights = torch.optim.SGD(model.parameters(), lr=0.1), []
    for mine in batches[:, rank::ranks]:
        step(model, optimizer, mine, mine.sin().sum(dim=1, keepdim=True))
        weights.append(nn.utils.parameters_to_vector(model.parameters()).detach().cpu())
    loss = nn.functional.mse_loss(model(batches), batches.sin().sum(dim=2, keepdim=True))
    print(f"rank {rank}: loss {loss.item():.3f} after 100 steps\n", end="")
    return weights


if __name__ == "__main__":
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.save(train(step), f"alone{rank}.pt")

# %% [markdown] {"slug": "alone-text"}
# We start it on two GPUs, and compare the weights of both ranks. (The cell takes about 10 seconds.)

# %% {"slug": "alone-run"}
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 loop.py


def apart(first, second):
    return [f"{(first[n] - second[n]).abs().max():.0e}" for n in (0, 9, 99)]


print("after 1, 10 and 100 steps:", apart(torch.load("alone0.pt"), torch.load("alone1.pt")))

# %% [markdown] {"slug": "starts-text"}
# Two processes, two models. The losses do not show it.
#
# ## 2. Once, and in each step · 16 min
#
# A call in which all processes of a [group](glossary.md#process-group) take part is a **collective**.
# [`all_reduce`](https://docs.pytorch.org/docs/stable/distributed.html) adds up a tensor over all ranks, and each gets the sum.
# Suppose that the ranks share their mean gradient in each step. Here one process plays both:

# %% {"slug": "starts"}
models = [nn.Linear(8, 1, bias=False) for _ in range(2)]
before = (models[0].weight - models[1].weight).abs().max().item()
for batches in torch.randn(100, 2, 16, 8):
    pairs = zip(models, batches, strict=True)
    losses = [(model(x) - x.sum(1)[:, None]).square().mean() for model, x in pairs]
    mean = sum(torch.autograd.grad(sum(losses), [model.weight for model in models])) / 2
    for model in models:
        model.weight.data -= 0.1 * mean

# %% [markdown] {"slug": "starts-ask"}
# Both began with random weights of their own.

# %% {"slug": "starts-predict"}
predict("11.starts")

# %% {"slug": "starts-shown"}
print("after 100 steps:", distance := (models[0].weight - models[1].weight).abs().max().item())
more = round(distance - before, 5)
reveal("11.starts", "it shrinks" if more < 0 else "it grows" if more > 0 else "it stays the same")

# %% [markdown] {"slug": "together-text"}
# So two exchanges make one model: a `broadcast` of rank 0's weights, once, and an `all_reduce` of the gradients in each
# step. This is the core of DDP. This script adds the first, and gets `step` from you:

# %% {"slug": "together-script"}
# %%writefile together.py
import os

import torch
import torch.distributed as dist
from loop import rank, train
from step import step


def start(model):
    for parameter in model.parameters():
        dist.broadcast(parameter.detach(), src=0)


torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
torch.save(train(step, start), f"together{rank}.pt")
dist.destroy_process_group()

# %% [markdown] {"slug": "step-text"}
# With 2 ranks, 11 samples are 6 and 5. The mean over all is not the mean of two means. With text, each rank has
# another number of tokens.
#
# ### Fix it here
#
# Each rank calls this function with its share. The step should be that of one process with all samples.


# %% {"slug": "step-program"}
def step(model, optimizer, batch, targets):
    """Make one step on all ranks with the mean loss over all samples of all ranks."""
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    for parameter in model.parameters():
        dist.all_reduce(parameter.grad)
        parameter.grad /= dist.get_world_size()
    optimizer.step()


# %% [markdown] {"slug": "step-check-text"}
# The check starts two processes, with other shares.

# %% {"slug": "step-check"}
check("ranks.step", step)

# %% [markdown] {"slug": "scale-text"}
# ## 3. A wrong factor · 4 min
#
# DDP divides the sum of the gradients by the number of ranks. So a loss that is already divided by the size of the whole
# batch must be multiplied by the number of ranks. If this is forgotten on four GPUs, each gradient is a quarter of
# the right one:


# %% {"slug": "scale"}
def last_loss(kind, factor):
    torch.manual_seed(0)
    model = nn.Linear(8, 1, bias=False)
    optimizer = kind(model.parameters(), lr=0.01)
    for batch in torch.randn(100, 16, 8):
        loss = (model(batch) - batch.sum(dim=1, keepdim=True)).square().mean()
        optimizer.zero_grad(), (factor * loss).backward(), optimizer.step()
    return loss.item()


# %% [markdown] {"slug": "scale-ask"}
# We compare the last loss with factor 1 and with a quarter.

# %% {"slug": "scale-predict"}
predict("11.scale")

# %% {"slug": "scale-shown"}
kinds, losses = (torch.optim.SGD, torch.optim.AdamW), {}
for kind in kinds:
    losses[kind] = [last_loss(kind, factor) for factor in (1, 1 / 4)]
    print(f"{kind.__name__:6} {losses[kind][0]:.6f} and {losses[kind][1]:.6f}")
differ = [kind.__name__ for kind in kinds if abs(losses[kind][0] - losses[kind][1]) > 0.01]
reveal("11.scale", f"{differ[0]} alone" if len(differ) == 1 else "both" if differ else "neither")

# %% [markdown] {"slug": "scale-read"}
# AdamW divides each gradient by its own size, so a constant factor cancels out, until somebody clips gradients.
# So compare a few steps of SGD with one process.
#
# ## 4. When is it sent? · 14 min
#
# DDP collects gradients in **buckets**, and exchanges one bucket at a time. A communication hook gets each bucket. Ours
# notes it, and exchanges it as usual. A group of one process is enough:

# %% {"slug": "buckets"}
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers, log = [nn.Linear(512, 512, bias=False) for _ in range(3)], []
model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers), bucket_cap_mb=1)
model.register_comm_hook(
    None, lambda _, bucket: log.append("exchange") or allreduce_hook(None, bucket)
)

# %% [markdown] {"slug": "buckets-ask"}
# One layer, of 1 MiB, fills a bucket. We note each gradient, too.

# %% {"slug": "buckets-predict"}
predict("11.buckets")

# %% {"slug": "buckets-shown"}
for index, layer in enumerate(layers):
    layer.weight.register_hook(lambda gradient, index=index: log.append(f"gradient {index}"))
for _ in range(2):  # in the first step, DDP arranges its buckets
    log.clear()
    model(torch.ones(8, 512)).sum().backward()
lanes = [(what, time, time + 1) for time, what in enumerate(log)]
display(order_lanes({"gradient": lanes[::2], "exchange": lanes[1::2]}, title="One backward pass"))
reveal("11.buckets", ", ".join(log[:4]) + ", …")

# %% [markdown] {"slug": "parts-text"}
# The backward pass begins with the last layer. While its gradient is exchanged, the GPU computes the next one: the two
# [overlap](glossary.md#overlap). In your `step`, the exchange takes extra time.
#
# If a batch is trained in parts (lesson 08), only the sum of all gradients is needed. Inside `with model.no_sync():`, DDP
# leaves the exchange out. It decides this in the *forward* pass.
#
# ### Fix it here
#
# This step has several parts of one size. It should exchange gradients once, in the last part.

# %% {"slug": "parts-program"}
from contextlib import nullcontext

from torch import nn


def parts(model, optimizer, batches):
    """Make one step with the mean loss over all `batches`, pairs of inputs and targets."""
    optimizer.zero_grad()
    for number, (batch, targets) in enumerate(batches, start=1):
        loss = nn.functional.mse_loss(model(batch), targets) / len(batches)
        with model.no_sync() if number < len(batches) else nullcontext():
            loss.backward()
    optimizer.step()


# %% [markdown] {"slug": "parts-check-text"}
# The check counts the exchanges with a hook.

# %% {"slug": "parts-check"}
check("ranks.parts", parts)

# %% [markdown] {"slug": "costs"}
# ## 5. What it costs · 1 min
#
# In a **ring**, each of n GPUs cuts its tensor into n pieces, and passes one on in each round. After n − 1 rounds, each
# piece is complete on one GPU. After n − 1 more, all GPUs have all pieces. So each GPU sends `2 (n − 1) / n` times the size
# of the gradients.
#
# **Recorded** with NCCL on 8 H200 with NVLink, 4 August 2026
# ([ML Engineering](https://github.com/stas00/ml-engineering/blob/master/network/benchmarks/results/all-reduce-8xH200.md)):
#
# | `all_reduce` of | 32 KiB | 1 MiB | 16 MiB | 256 MiB |
# |---|--:|--:|--:|--:|
# | bus bandwidth in GB/s | 1.4 | 40 | 220 | 436 |
#
# Small tensors waste the links. So a bucket has 25 MiB by default; the first one has 1 MiB, to begin early. Up to 1 MiB,
# NCCL chose a ring here. From 2 MiB on, the switch between the GPUs did the addition.
#
# ## 6. Who gets which samples? · 2 min
#
# All ranks must take the same number of steps, or one of them waits until its timeout. So a `DistributedSampler`
# fills up the last round:


# %% {"slug": "shards-drawn"}
def shards(ranks):
    samplers = [DistributedSampler(range(10), ranks, rank, shuffle=False) for rank in range(ranks)]
    return [list(sampler) for sampler in samplers]


shard_map(shards(4), 10, title="10 samples for 4 ranks")

# %% [markdown] {"slug": "epochs"}
# In a test, this matters. If the model is right about the samples 0 and 1 alone, each rank has one hit among three. The mean
# of the ranks is 33 %, not 20 %. For a test, take `range(rank, n, ranks)`, reduce *sums*, and divide at the end.
#
# In training, the sampler shuffles by its seed and the epoch's number. Without `sampler.set_epoch(epoch)`, each epoch has
# the order of the first.
#
# ## 7. No message · 8 min
#
# Four ranks train, and after each epoch the number of hits is added up for the log.

# %% {"slug": "hang-script"}
# %%writefile hang.py
import faulthandler
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl")
rank = dist.get_rank()
model = DistributedDataParallel(nn.Linear(4, 1).cuda())
batch, hits = torch.ones(8, 4).cuda(), torch.ones(1).cuda()
dist.barrier()  # then all ranks are here
faulthandler.dump_traceback_later(2, exit=True, file=open(f"stack{rank}.txt", "w"))
for _epoch in range(2):
    for _ in range(3):
        model(batch).sum().backward()
    if rank == 0:
        dist.reduce(hits, dst=0)
        print(hits.item())
dist.destroy_process_group()

# %% [markdown] {"slug": "hang-ask"}
# It prints nothing, and does not end. Python's `faulthandler` writes the stack of each rank into a file after 2 seconds, and
# ends it. (Of a process that hangs already, `py-spy dump --pid` prints the stack.)

# %% {"slug": "hang-predict"}
predict("11.hang")

# %% {"slug": "hang-shown"}
from pathlib import Path

# output = !torchrun --standalone --nproc-per-node 4 hang.py
# stacks = !grep -h "hang.py" stack0.txt stack1.txt stack2.txt stack3.txt
print(*stacks, sep="\n")
lines = Path("hang.py").read_text().splitlines()
reveal("11.hang", lines[int(stacks[1].split("line ")[1].split()[0]) - 1].strip())

# %% [markdown] {"slug": "hang-read"}
# Ranks 1 to 3 wait in a right line, for rank 0, which waits for a `reduce` that the others never call. So look for the
# rank that is elsewhere, and for an `if` above its line. Rank 0 alone may print or save, but *all* ranks call a
# collective. Other causes: one batch more on a rank, a `break`, another order, another shape.
#
# PyTorch can compare the calls itself:

# %% {"slug": "detail-shown"}
# output = !TORCH_DISTRIBUTED_DEBUG=DETAIL torchrun --standalone --nproc-per-node 2 hang.py 2>&1
error = output.grep("RuntimeError: Detected")[0]
print(error.split(" Rank 0 is")[0], error.split("Collectives differ")[1])

# %% [markdown] {"slug": "detail-read"}
# This costs time, so use it only for the search. Otherwise NCCL stops after ten minutes: *Watchdog caught collective
# operation timeout* ([an example](https://github.com/NVIDIA/Megatron-LM/issues/1207)).

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# In `train.py`, all ranks draw the same order, and each takes its share of every batch. The loss is a sum, multiplied by
# `RANKS` and divided by the whole batch (section 3). And `loop.py` with your `step`, compared between the ranks, and with
# one process:

# %% {"slug": "together-shown"}
import inspect

from loop import step as alone
from loop import train

imports = "import torch\nimport torch.distributed as dist\nfrom torch import nn\n\n\n"
Path("step.py").write_text(imports + inspect.getsource(step))
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 together.py
first, second = torch.load("together0.pt"), torch.load("together1.pt")
print("between the ranks:", apart(first, second), "to one process:", apart(first, train(alone)))

# %% [markdown] {"slug": "recap"}
# | largest distance of a weight after 100 steps | first | with a correct `step` |
# |---|--:|--:|
# | between the ranks | 1e+00 | 0e+00 |
# | to one process | | below 1e-05 |
#
# ## What you learned · 4 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("11.after.save")

# %% [markdown] {"slug": "assignment-and-next"}
# Answer aloud, then open the answers.
#
# 1. Which two exchanges make one model out of several processes?
# 2. Why does a wrong factor not show with AdamW?
# 3. What must be inside `no_sync`, and what outside?
# 4. Four ranks hang. What do you compare?
#
# <details><summary>Answers</summary>
#
# 1. A broadcast of the weights at the start, and the sum of the gradients in each step.
# 2. It divides each gradient by its own size.
# 3. Forward and backward of all parts but the last, which runs outside.
# 4. The lines in which they wait. One rank is elsewhere.
#
# </details>
#
# ## The assignment, and the next lesson
#
# **Now: [Assignment 11: DDP from inside](../assignments/11_ranks/11_ranks.ipynb).**
# You will compute what each GPU sends, average gradients of uneven shards, fix a program, and find out why two ranks wait.
#
# **Next lesson:** [12, *When it does not fit*](12_when_it_does_not_fit.ipynb): a model that is too large for a GPU.
