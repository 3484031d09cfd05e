# %% [markdown] {"slug": "title"}
# # DDP from inside
#
# *On the Right Device*, lesson 11 · previous lesson: [10, *Saving and
# loading*](10_saving_and_loading.ipynb) · [Glossary](glossary.md)
#
# `DistributedDataParallel` (DDP) trains one model with several processes. What must they tell each other, and when? A wrong
# run often does not crash, and even its loss falls.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **train** one model in several processes by hand;
# - **compare** a run on several GPUs with a run on one;
# - **reduce** the number of exchanges in a step;
# - **find** the line at fault in a run that hangs.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 07 and 08.
#
# ## Before we start · 3 min
#
# Chen, Li and Mei lend you their GPUs.

# %% {"slug": "imports"}
import inspect

import torch
import torch.distributed as dist
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson11 import distance_chart, exchange_lanes, log_in, two_means, weight_chart

log_in("porto")
# !nvidia-smi --query-gpu=index,name,memory.free --format=csv,noheader

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 07.

# %% {"slug": "before-1-quiz"}
quiz("11.before.rank")

# %% [markdown] {"slug": "alone"}
# ## 1. Started together · 5 min
#
# Two processes run this loop. In each step, they share 11 samples. Each process begins with its own random weights, and they
# tell each other nothing.

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
    for mine in batches[:, rank::ranks]:  # of two ranks, rank 0 takes the samples 0, 2, …, 10
        step(model, optimizer, mine, mine.sin().sum(dim=1, keepdim=True))
        weights.append(nn.utils.parameters_to_vector(model.parameters()).detach().cpu())
    loss = nn.functional.mse_loss(model(batches), batches.sin().sum(dim=2, keepdim=True))
    if ranks > 1:
        print(f"rank {rank}: loss {loss.item():.3f} after 100 steps\n", end="")
    return weights


if __name__ == "__main__":
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    torch.save(train(step), f"alone{rank}.pt")

# %% [markdown] {"slug": "alone-text"}
# On two GPUs, for up to half a minute:

# %% {"slug": "alone-run"}
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 loop.py
alone = [torch.load(f"alone{rank}.pt") for rank in range(2)]
weight_chart(alone, title="Two ranks alone")

# %% [markdown] {"slug": "starts-text"}
# Two processes train two models. Their losses do not show it.
#
# ## 2. Once, and in each step · 16 min
#
# A **collective** is a call in which all processes of a [group](glossary.md#process-group) take part. An
# [`all_reduce`](https://docs.pytorch.org/docs/stable/distributed.html) adds up a tensor over all ranks, and each gets the sum.
#
# Suppose that both ranks use their mean gradient in each step. Here, one process plays both ranks:

# %% {"slug": "starts"}
weights, path = [torch.randn(8, 1, requires_grad=True) for _ in range(2)], []
for batches in torch.randn(100, 2, 16, 8):
    pairs = zip(batches, weights, strict=True)
    losses = [(x @ weight - x.sum(dim=1, keepdim=True)).square().mean() for x, weight in pairs]
    mean = sum(torch.autograd.grad(sum(losses), weights)) / 2
    for weight in weights:
        weight.data -= 0.1 * mean
    path.append([weight.detach().clone() for weight in weights])

# %% [markdown] {"slug": "starts-ask"}
# Both models began with their own random weights.

# %% {"slug": "starts-predict"}
predict("11.starts")

# %% {"slug": "starts-shown"}
ranks = list(zip(*path, strict=True))
display(weight_chart(ranks, title="Two ranks with their mean gradient"))
before, after = ((one - other).abs().max().item() for one, other in (path[0], path[-1]))
more = round(after - before, 4)
reveal("11.starts", "it shrinks" if more < 0 else "it grows" if more > 0 else "it stays the same")

# %% [markdown] {"slug": "together-text"}
# So one model needs two exchanges: once a `broadcast` of rank 0's weights to all ranks, and in each step an `all_reduce` of
# the gradients. DDP makes both.
#
# This script makes the broadcast, and takes `step` from you:

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
# Of 11 samples, one rank has 6, and the other has 5. So the mean of both means is not the mean over all samples.
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
# DDP takes the mean over the ranks. But if your loss is divided by the size of the *whole* batch, the gradients must
# be added up. So multiply this loss by the number of ranks. Without the factor, four GPUs use a quarter of the right
# gradient:


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
# We compare the last losses.

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
# To find such a mistake, compare steps of SGD with one process.
#
# ## 4. When is it sent? · 14 min
#
# DDP collects gradients in **buckets**. When a bucket is full, DDP starts an `all_reduce`, or calls your *hook*
# instead. Ours notes the call first. A group of one process is enough:

# %% {"slug": "buckets"}
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook


def noted(_, bucket):
    log.append(f"bucket {bucket.index()}")
    return allreduce_hook(None, bucket)  # what DDP does without a hook


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers, logs = [nn.Linear(512, 512, bias=False) for _ in range(3)], {1: [], 3: []}
for index, layer in enumerate(layers):
    layer.weight.register_hook(lambda _, index=index: log.append(f"gradient {index}"))

# %% [markdown] {"slug": "buckets-text"}
# Each of three layers has 1 MiB. Buckets have 1 MiB in a first run, and 3 in a second. We note each gradient, and each bucket
# with its number.

# %% {"slug": "buckets-predict"}
predict("11.buckets")

# %% {"slug": "buckets-shown"}
for cap, log in logs.items():
    model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers), bucket_cap_mb=cap)
    model.register_comm_hook(None, noted)
    for _ in range(2):  # in the first step, DDP learns the order of the gradients
        log.clear()
        model(torch.ones(8, 512)).sum().backward()
display(exchange_lanes(logs))
reveal("11.buckets", ", ".join(logs[1][:4]) + ", …")

# %% [markdown] {"slug": "parts-text"}
# While one gradient is exchanged, the GPU computes the next: the two [overlap](glossary.md#overlap). In one large bucket, all gradients wait for the last one, as in your `step`.
#
# In its first step, DDP learns the order of the gradients. Later, it fills and exchanges its buckets in this order.
#
# If a batch is trained in parts (lesson 08), only the sum of all gradients is needed. Inside `with model.no_sync():`, DDP does
# not exchange. It decides this in the *forward* pass.
#
# ### Fix it here
#
# This step has parts of the same size. It should exchange gradients once, in the last part.

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
# ## 5. What it costs · 2 min
#
# In a **ring**, each of n GPUs cuts its tensor into n pieces. In each round, it sends one piece to the next GPU. Follow the bold
# piece:

# %% {"slug": "ring-drawn"}
from lesson_parts.lesson11 import ring_rounds

ring_rounds(3)

# %% [markdown] {"slug": "ring-read"}
# After n − 1 rounds, each GPU has one full sum, and after n − 1 more, all sums. So each sends `2 (n − 1) / n` times the size
# of its tensor. These bytes, divided by the time, are the **bus bandwidth**.
#
# **Recorded** with NCCL on 8 H200 with NVLink, 4 August 2026
# ([ML Engineering](https://github.com/stas00/ml-engineering/blob/master/network/benchmarks/results/all-reduce-8xH200.md)):
#
# | `all_reduce` of | 32 KiB | 1 MiB | 16 MiB | 256 MiB |
# |---|--:|--:|--:|--:|
# | bus bandwidth in GB/s | 1.4 | 40 | 220 | 436 |
#
# Small tensors hardly use the links. So a bucket has 25 MiB by default, and the first one 1 MiB, to begin early.
#
# ## 6. Who gets which samples? · 2 min
#
# All ranks must make equally many steps, so a `DistributedSampler` gives each equally many samples. Here are 10 for 4 ranks:

# %% {"slug": "shards-shown"}
from torch.utils.data import DistributedSampler

for rank in range(4):
    sampler = DistributedSampler(range(10), num_replicas=4, rank=rank, shuffle=False)
    print(f"rank {rank}: {list(sampler)}")

# %% [markdown] {"slug": "epochs"}
# The samples 0 and 1 come twice. This makes a test wrong: if the model is right about these two alone, each rank has one hit
# in three, 33 % in place of 20 %. In a test, give each rank `range(rank, n, ranks)`, add up the hits of all ranks, and divide
# at the end. Call `model.module` there: a forward pass of DDP can exchange buffers, on all ranks.
#
# In training, the sampler shuffles. Without `sampler.set_epoch(epoch)`, each epoch has the same order.
#
# ## 7. No message · 9 min
#
# Four ranks train. After each epoch, the number of hits is added up for the log.

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
# It prints nothing, and does not end. After 2 seconds, Python's `faulthandler` writes each rank's stack into a file, and
# ends the rank. (For a process that hangs already: `py-spy dump --pid`.) The next two cells take up to half a minute.

# %% {"slug": "hang-predict"}
predict("11.hang")

# %% {"slug": "hang-shown"}
from pathlib import Path

# output = !torchrun --standalone --nproc-per-node 4 hang.py
# stacks = !grep -h "hang.py" stack0.txt stack1.txt stack2.txt stack3.txt
lines = Path("hang.py").read_text().splitlines()
waits = [lines[int(stack.split("line ")[1].split()[0]) - 1].strip() for stack in stacks]
print(*(f"rank {rank}: {line}" for rank, line in enumerate(waits)), sep="\n")
reveal("11.hang", waits[1])

# %% [markdown] {"slug": "hang-read"}
# Look for the rank that is elsewhere, and
# for an `if` above its line: *all* ranks must call a collective. Or one rank has a batch more.
#
# With NCCL on real GPUs, a collective only enters a queue of the GPU. So a stack can show a *later* line, in which the program
# needs a result, such as `hits.item()`. And if a `reduce` meets an `all_reduce`, the run can also crash, or go on with wrong
# data ([NCCL](https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/collectives.html)). If it hangs for ten minutes,
# PyTorch's watchdog ends it:
# [*Watchdog caught collective operation timeout*](https://github.com/NVIDIA/Megatron-LM/issues/1207).
#
# For the search, PyTorch can compare the calls of all ranks. This costs time:

# %% {"slug": "detail-shown"}
import re

# output = !TORCH_DISTRIBUTED_DEBUG=DETAIL torchrun --standalone --nproc-per-node 2 hang.py 2>&1
error = output.grep("RuntimeError: Detected")[0]
pattern = r"Rank (\d) is running .*?OpType=(\w+), TensorShape=(\[\d+\])"
for rank, call, shape in re.findall(pattern, error):
    print(f"rank {rank}: {call} of a tensor with the shape {shape}")

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# In `train.py`, the loss is a sum, multiplied by `RANKS` and divided by the size of the whole batch (section 3).
# It still runs as one process: in assignment 11, you write its `start_ranks` and `batches_of`.
#
# Now the loop of section 1 with the broadcast and your `step`: how far is it from one process? `two_means` plays the step
# before your repair.

# %% {"slug": "together-shown"}
import loop

imports = "import torch\nimport torch.distributed as dist\nfrom torch import nn\n\n\n"
Path("step.py").write_text(imports + inspect.getsource(step))
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 together.py
yours, other = (torch.load(f"together{rank}.pt") for rank in range(2))
print("equal weights on both ranks:", torch.equal(yours[-1], other[-1]))
runs = {"alone": alone[0], "mean of two means": loop.train(two_means), "your step": yours}
distance_chart(runs, loop.train(loop.step), title="How far is rank 0 from one process?")

# %% [markdown] {"slug": "recap"}
# With a correct `step`, rank 0 is less than 1e-05 from one process: only the order of the sums differs.
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("11.after.log")

# %% [markdown] {"slug": "assignment-and-next"}
# Answer aloud, then open the answers.
#
# 1. Which two exchanges make one model out of several processes?
# 2. What must be inside `no_sync`, and what outside?
# 3. Four ranks hang. What do you compare?
#
# <details><summary>Answers</summary>
#
# 1. A broadcast of the weights at the start, and an `all_reduce` of the gradients in each step.
# 2. Forward and backward of all parts but the last, which runs outside.
# 3. The lines in which they wait. One rank is elsewhere.
#
# </details>
#
# ## The assignment, and the next lesson
#
# **Now: [Assignment 11: DDP from inside](../assignments/11_ranks/11_ranks.ipynb).**
# You will start ranks and share batches, compute what GPUs send, average gradients of uneven shards, fix a program, and find out why ranks wait.
#
# **Next lesson:** [12, *When it does not fit*](12_when_it_does_not_fit.ipynb): a model too large for a GPU.
