# %% [markdown] {"slug": "title"}
# # DDP from inside
#
# *On the Right Device*, lesson 11 · previous lesson: [10, *Saving and
# loading*](10_saving_and_loading.ipynb) · [Glossary](glossary.md)
#
# `DistributedDataParallel` (DDP) trains one model with several processes. What must they tell each other, and when? A wrong
# run often does not crash, and its loss falls, too.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **train** one model in several processes by hand;
# - **compare** a run on several GPUs with a run on one;
# - **reduce** the number of exchanges in a step;
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
from lesson_parts.lesson11 import distance_chart, exchange_lanes, log_in

log_in("porto")
# !nvidia-smi --query-gpu=index,name,memory.free --format=csv,noheader

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 07.

# %% {"slug": "before-1-quiz"}
quiz("11.before.rank")

# %% [markdown] {"slug": "alone"}
# ## 1. Started together · 6 min
#
# In this loop, each rank begins with its own random weights, and trains on its share of 11 samples. The ranks tell each
# other nothing.

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
# We start it on two GPUs, for up to half a minute. `apart` is the largest difference of a weight, after each step.

# %% {"slug": "alone-run"}
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 loop.py


def apart(first, second):
    return [(one - other).abs().max().item() for one, other in zip(first, second, strict=True)]


alone = apart(torch.load("alone0.pt"), torch.load("alone1.pt"))
title = "Do two ranks have equal weights?"
distance_chart({"alone": alone}, title=title)

# %% [markdown] {"slug": "starts-text"}
# Two processes train two models. Their losses do not show it.
#
# ## 2. Once, and in each step · 16 min
#
# A **collective** is a call in which all processes of a [group](glossary.md#process-group) take part. An
# [`all_reduce`](https://docs.pytorch.org/docs/stable/distributed.html) adds up a tensor over all ranks, and each gets the sum.
#
# Suppose that both ranks use their mean gradient in each step. Here, one process plays both:

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
# Both models began with their own random weights.

# %% {"slug": "starts-predict"}
predict("11.starts")

# %% {"slug": "starts-shown"}
after = (models[0].weight - models[1].weight).abs().max().item()
print(f"the models are apart by {before:.5f} before, and {after:.5f} after 100 steps")
more = round(after - before, 5)
reveal("11.starts", "it shrinks" if more < 0 else "it grows" if more > 0 else "it stays the same")

# %% [markdown] {"slug": "together-text"}
# So one model needs two exchanges: once a `broadcast` of rank 0's weights to all ranks, and in each step an `all_reduce` of
# the gradients. DDP makes both. (It also sends rank 0's *buffers*, at the start and before each forward pass.)
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
# DDP divides the sum of the gradients by the number of ranks. Suppose that your loss is already divided by the size of the
# whole batch. Then multiply it by the number of ranks. If you forget this on four GPUs, each gradient is a quarter of the
# right one:


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
# We compare the last losses, for some seconds.

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
# AdamW divides each gradient by its own average size, so a factor cancels out, unless gradients are clipped. To find such a
# mistake, compare steps of SGD with one process.
#
# ## 4. When is it sent? · 14 min
#
# DDP collects gradients in **buckets**, and exchanges one bucket at a time. Instead, it can call a *hook*. Ours notes the call,
# then exchanges the bucket. A group of one process is enough:

# %% {"slug": "buckets"}
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook


def noted(_, bucket):
    log.append("exchange")
    return allreduce_hook(None, bucket)  # what DDP does without a hook


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
layers, log = [nn.Linear(512, 512, bias=False) for _ in range(3)], []
model = nn.parallel.DistributedDataParallel(nn.Sequential(*layers), bucket_cap_mb=1)
model.register_comm_hook(None, noted)

# %% [markdown] {"slug": "buckets-text"}
# Each of three layers has 1 MiB, and fills a bucket. We note each gradient, too.

# %% {"slug": "buckets-predict"}
predict("11.buckets")

# %% {"slug": "buckets-shown"}
for index, layer in enumerate(layers):
    layer.weight.register_hook(lambda _, index=index: log.append(f"gradient {index}"))
for _ in range(2):  # in the first step, DDP arranges its buckets
    log.clear()
    model(torch.ones(8, 512)).sum().backward()
display(exchange_lanes(log))
reveal("11.buckets", ", ".join(log[:4]) + ", …")

# %% [markdown] {"slug": "parts-text"}
# The backward pass begins with the last layer. While its gradient is exchanged, the GPU computes the next one: the two
# [overlap](glossary.md#overlap). In your `step`, all exchanges come after the last gradient.
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
# ## 5. What it costs · 1 min
#
# In a **ring**, each of n GPUs cuts its tensor into n pieces, and sends one to the next GPU in each round. After n − 1 rounds,
# each piece is added up on one GPU. After n − 1 more, all GPUs have all sums. So each sends `2 (n − 1) / n` times the size of
# its tensor. These bytes, divided by the time, are the **bus bandwidth** (even without a ring).
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
# All ranks must make the same number of steps, so a `DistributedSampler` gives each the same number of samples. Here are 10
# samples for 4 ranks:

# %% {"slug": "shards-shown"}
for rank in range(4):
    sampler = DistributedSampler(range(10), num_replicas=4, rank=rank, shuffle=False)
    print(f"rank {rank}: {list(sampler)}")

# %% [markdown] {"slug": "epochs"}
# The samples 0 and 1 come twice. This makes a test wrong: if the model is right about these two alone, each rank has one hit
# in three, 33 % in place of 20 %. In a test, give each rank `range(rank, n, ranks)`, add up the hits of all ranks, and divide
# at the end.
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
# It prints nothing, and does not end. After 2 seconds, Python's `faulthandler` writes the stack of each rank into a file, and
# ends the rank. (`py-spy dump --pid` prints the stack of a process that hangs.) The next two cells take up to half a minute.

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
# Ranks 1 to 3 wait for rank 0, which waits for a `reduce` that they never call. So look for the rank that is elsewhere, and
# for an `if` above its line: *all* ranks must call a collective. Or a rank has one batch more, or another order.
#
# With NCCL on real GPUs, a stack can show a *later* line. There, a collective only enters a queue of the GPU, and the program
# continues, until it needs a result: in `hits.item()`, in `torch.cuda.synchronize()`, or at the end.
#
# PyTorch can also compare the calls of all ranks:

# %% {"slug": "detail-shown"}
import re

# output = !TORCH_DISTRIBUTED_DEBUG=DETAIL torchrun --standalone --nproc-per-node 2 hang.py 2>&1
error = output.grep("RuntimeError: Detected")[0]
pattern = r"Rank (\d) is running .*?OpType=(\w+), TensorShape=(\[\d+\])"
for rank, call, shape in re.findall(pattern, error):
    print(f"rank {rank}: {call} of a tensor with the shape {shape}")

# %% [markdown] {"slug": "detail-read"}
# This costs time, so use it only for the search. Without it, NCCL ends the run after ten minutes:
# [*Watchdog caught collective operation timeout*](https://github.com/NVIDIA/Megatron-LM/issues/1207).

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# In `train.py`, the loss is a sum, multiplied by `RANKS` and divided by the size of the whole batch (section 3).
#
# Now the loop of section 1, with the broadcast and your `step`. We compare both ranks, and rank 0 with one process:

# %% {"slug": "together-shown"}
import inspect

import loop

imports = "import torch\nimport torch.distributed as dist\nfrom torch import nn\n\n\n"
Path("step.py").write_text(imports + inspect.getsource(step))
# !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 together.py
first, second = torch.load("together0.pt"), torch.load("together1.pt")
print(f"rank 0 and one process: {max(apart(first, loop.train(loop.step))):.0e} apart")
distance_chart({"alone": alone, "with your step": apart(first, second)}, title=title)

# %% [markdown] {"slug": "recap"}
# With a correct `step`, the ranks are equal, and less than 1e-05 from one process, since sums have another order.
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
# You will compute what GPUs send, average gradients of uneven shards, fix a program, and find out why ranks wait.
#
# **Next lesson:** [12, *When it does not fit*](12_when_it_does_not_fit.ipynb): a model that is too large for a GPU.
