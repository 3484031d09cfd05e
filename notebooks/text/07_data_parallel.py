# %% [markdown] {"slug": "title"}
# # DataParallel
#
# *On the Right Device*, lesson 07 · previous lesson: [06, *Finding the freest
# GPU*](06_finding_the_freest_gpu.ipynb) · [Glossary](glossary.md)
#
# A colleague's training script names no GPU, and on porto it dies on Li's. You find out how it shares a batch among
# GPUs, and what this costs. At the end, two processes do the same training, and you compare what is sent.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **predict** which GPUs a wrapped model uses, and how it splits a batch;
# - **run** the four phases of `DataParallel` by hand;
# - **judge** from the time of a step whether a second GPU helps;
# - **foresee** what the wrapper changes: names, attributes, statistics;
# - **start** a training with `DistributedDataParallel`, one process for each GPU.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 03 and 05.
#
# ## Before we start · 2 min

# %% {"slug": "imports"}
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel, gather, parallel_apply, replicate, scatter
from torch.utils.data import DataLoader, DistributedSampler

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson07 import data_flow, log_in, project, step_time

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 05:

# %% {"slug": "before-1-quiz"}
quiz("07.before.logical")

# %% [markdown] {"slug": "script"}
# ## 1. It takes every GPU · 10 min
#
# Its model:

# %% {"concepts": ["C152"], "slug": "foonet"}
# %%writefile foonet.py
import torch
from torch import nn


class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))

    def forward(self, x):
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


# %% [markdown] {"slug": "finetune-text"}
# This is the training: 40 steps of 16 samples. The hook, which is ours, notes where each `forward` ran.

# %% {"concepts": ["C141", "C150", "C154"], "slug": "finetune"}
# %%writefile finetune.py
import torch
from foonet import FooNet
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(*torch.rand(2, 640, 256))
model, ran = FooNet(256).cuda(), []
model.register_forward_hook(lambda module, inputs, output: ran.append(output.device.index))
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
features = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")  # of a frozen encoder
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch, targets in DataLoader(data, batch_size=16):
    loss = nn.functional.mse_loss(model(batch), targets.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
norm = sum(parameter.norm() for parameter in model.parameters())
print(f"40 steps; copies of the model sent: {len(ran) - ran.count(0)}; weights {norm:.4f}")

# %% [markdown] {"slug": "run-text"}
# It runs on porto, where GPU 0 is full (10 seconds):

# %% {"slug": "run"}
log_in("porto")
# !nvidia-smi --query-gpu=index,name,memory.free,utilization.gpu --format=csv,noheader
# !python finetune.py 2>&1 | grep -e exclude -e OutOfMemory

# %% [markdown] {"slug": "run-read"}
# The script names no GPU, so `nn.DataParallel` takes all that are visible. The first of them is the **main GPU**: it
# has the model, and here the 3 GiB of features. That is Li's. The warning is about GPU 3, which is smaller.
#
# `Trainer` of Transformers 5.24 does the same if one process sees several GPUs. Chen and Mei lend
# you GPUs 1 and 2 (10 seconds):

# %% {"concepts": ["C143"], "slug": "run-again"}
# !CUDA_VISIBLE_DEVICES=1,2 python finetune.py

# %% [markdown] {"slug": "wrap"}
# It survives, and the model was copied 40 times. To see why, we use all four GPUs. `device_ids`
# are logical indices; the outputs go to `output_device`. How do two GPUs share 16 samples, and how do four?

# %% {"concepts": ["C106", "C142", "C143", "C144", "C151", "C153"], "errata": ["E68"], "slug": "wrap-shown"}
# %run foonet.py
import warnings

warnings.filterwarnings("ignore", "(?s).*imbalance")  # we have read it
net, calls = FooNet(3).cuda(), []
net.register_forward_hook(lambda module, inputs, out: calls.append((str(out.device), len(out))))
for device_ids in ([0, 1], [0, 1, 2, 3]):
    outputs = nn.DataParallel(net, device_ids, output_device=1)(torch.rand(16, 3))
    print(sorted(calls[-len(device_ids) :]), "→", tuple(outputs.shape), outputs.device)

# %% [markdown] {"slug": "phases"}
# The hook runs once on each GPU, and the outputs come back as one tensor. Three things are called *main
# GPU*: `device_ids[0]`, where the model must be ([or else](errors.md)); `output_device`, by default
# the same GPU; and the current device, which the wrapper ignores. The inputs may be anywhere. The targets belong
# on the output device.
#
# ## 2. Four phases · 14 min
#
# With several GPUs, `forward` makes four calls. The first, [`scatter`](glossary.md#scatter), splits the batch and sends each
# part to its GPU. How does it split 10 samples for 4 GPUs?

# %% {"slug": "uneven-predict"}
predict("07.uneven")

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "uneven-shown"}
devices = [torch.device("cuda", index) for index in range(4)]
for size in (10, 5):
    print(size, "samples:", [part.tolist() for part in scatter(torch.arange(size), devices)])
reveal("07.uneven", [len(part) for part in scatter(torch.arange(10), devices)])

# %% [markdown] {"slug": "by-hand-text"}
# It is the rule of `torch.chunk`: parts of 10/4, rounded up, until nothing is left. With 5 samples, one GPU has
# nothing to do. So choose a multiple of the number of GPUs.
#
# Then `replicate` copies the model to each GPU that has a part: these are the [replicas](glossary.md#replica).
# `parallel_apply` runs each replica on its part, in its own thread. [`gather`](glossary.md#gather) joins the outputs on
# one GPU, where your code computes the loss. Is the gradient that of the whole batch?

# %% {"concepts": ["C147"], "slug": "by-hand-shown"}
model, batch = FooNet(256).to(devices[0]), torch.rand(10, 256)
parts = scatter(batch, devices)
replicas = replicate(model, devices[: len(parts)])
outputs = gather(parallel_apply(replicas, parts), devices[0])
ways = [outputs, model(batch.to(devices[0]))]
grads = [torch.autograd.grad(out.square().mean(), model.linears[0].weight)[0] for out in ways]
print(f"gradients differ by {(grads[0] - grads[1]).abs().max():.0e}, of {grads[1].abs().max():.0e}")

# %% [markdown] {"slug": "by-hand-read"}
# It is. Autograd *adds* the gradients of all replicas on the main GPU. The loss is a mean over 10 samples, so each
# sample counts a tenth already. Then the optimizer changes the model on the main GPU alone. The replicas are thrown away,
# and the next step copies the model again: hence the 40 copies.
#
# ### Fix it here
#
# This function takes the mean of a loss on each GPU. Its result should be the loss of the whole batch, for 5 samples on
# 4 GPUs, too.

# %% {"concepts": ["C147"], "slug": "by-hand-program"}
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    """Return the mean squared error of the whole batch, computed in parts on `devices`."""
    parts, wanted = scatter(batch, devices), scatter(targets, devices)
    outputs = parallel_apply(replicate(model, devices), parts)
    losses = [nn.functional.mse_loss(*pair) for pair in zip(outputs, wanted, strict=True)]
    return gather(losses, devices[0]).mean()


# %% [markdown] {"slug": "by-hand-check-text"}
# The check also compares the gradients.

# %% {"slug": "by-hand-check"}
check("parallel.by_hand", by_hand)

# %% [markdown] {"slug": "pay"}
# ## 3. Does it pay? · 3 min
#
# `step_time` returns the modelled time of a training step, here for eight layers of 512 units. Is a batch of 32 faster on
# two GPUs?

# %% {"slug": "pay-predict"}
predict("07.pay")

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "pay-shown"}
busy = nn.Sequential(*[nn.Linear(512, 512) for _ in range(8)]).to(devices[1])
times = {}
for size in (32, 1024, 8192):
    times[size] = [step_time(busy, torch.rand(2, size, 512), devices[1:last]) for last in (2, 3)]
    print(
        f"batch {size:4}: {times[size][0]:5.0f} µs on one GPU, {times[size][1]:5.0f} on two, modelled"
    )
reveal("07.pay", "faster" if times[32][1] < times[32][0] else "slower")

# %% [markdown] {"slug": "pay-read"}
# One process launches the work of both GPUs and copies 8 MiB of weights. With 32 samples the GPUs mostly wait. With
# 8,192 the second one saves a little. (In the model, the two GPUs' threads do not overlap.)
#
# ## 4. What it hides · 4 min
#
# The wrapper's attribute `module` is your model. So each key of its `state_dict()` begins with `module.`, even without a
# GPU. Save `model.module.state_dict()` instead.
#
# This model counts the calls of `forward` in an attribute. `BatchNorm1d` counts them, too, in a
# [buffer](glossary.md#buffer). What are both after one call, with 8 samples on four GPUs?

# %% {"slug": "counter-predict"}
predict("07.counter")


# %% {"concepts": ["C142", "C155"], "errata": ["E77"], "slug": "counter-shown"}
class Counting(nn.BatchNorm1d):
    calls = 0

    def forward(self, x):
        self.calls += 1
        return super().forward(x)


nn.DataParallel(counting := Counting(1).cuda())(torch.arange(8.0).reshape(8, 1))
print(f"mean so far: {counting.running_mean.item():.2f}")
reveal("07.counter", f"{counting.calls} and {counting.num_batches_tracked.item()}")

# %% [markdown] {"slug": "ddp"}
# Attributes that `forward` sets are lost with the replica. The replica on the main GPU shares its buffers with the
# model. So the statistics are those of the first part alone: 0.1 times the mean of 0 and 1.
#
# ## 5. DDP: a process for each GPU · 18 min
#
# PyTorch's documentation recommends
# [`DistributedDataParallel`](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
# (DDP) instead, even on one machine. Each GPU has its own process, with a number: its [rank](glossary.md#rank). So each
# process launches the work of one GPU, and no step copies weights: the costs of section 3. All run the same script:

# %% {"concepts": ["C155"], "errata": ["E72"], "slug": "ddp-script"}
# %%writefile ddp.py
import os

import torch
import torch.distributed as dist
from foonet import FooNet
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))  # now "cuda" is this rank's own GPU
dist.init_process_group("nccl")
torch.manual_seed(0)
data = TensorDataset(*torch.rand(2, 640, 256))
model = DistributedDataParallel(FooNet(256).cuda())
features = torch.empty(3 * 2**30, dtype=torch.uint8, device="cuda")  # of a frozen encoder
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
sampler = DistributedSampler(data, shuffle=False)
for batch, targets in DataLoader(data, batch_size=8, sampler=sampler):
    loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
gradient = sum(parameter.grad.norm() for parameter in model.parameters())
norm = sum(parameter.norm() for parameter in model.parameters())
told = f"rank {dist.get_rank()}: loss {loss:.4f}, gradient {gradient:.6f}, weights {norm:.4f}\n"
print(told, end="")  # in one piece: two processes print at the same time
dist.destroy_process_group()

# %% [markdown] {"slug": "ddp-read"}
# `torchrun` gives each process its `LOCAL_RANK`, which the script uses as the index of its GPU. `init_process_group` lets the processes find each
# other. `DistributedDataParallel` copies the weights of rank 0 to the others, once, and its buffers before each `forward`. The
# `DistributedSampler` gives each rank its own samples: 8 of the 16 in a step of `finetune.py`. (With `shuffle=True`, also call `sampler.set_epoch(epoch)`, or
# the order never changes.) The cell takes about 20 seconds.

# %% {"slug": "ddp-predict"}
predict("07.ddp")

# %% {"concepts": ["C155"], "slug": "ddp-shown"}
# output = !CUDA_VISIBLE_DEVICES=1,2 torchrun --standalone --nproc-per-node 2 ddp.py
print(output.n)
first, second = (line.replace(",", "").split() for line in output.grep("rank"))
same = {"loss": first[3] == second[3], "gradient": first[5] == second[5]}
reveal("07.ddp", " and ".join(name for name in same if same[name]) or "nothing")

# %% [markdown] {"slug": "flow"}
# During the backward pass, the ranks exchange their gradients, and each gets the mean: an
# [all-reduce](glossary.md#all-reduce). So all take the same step.
#
# **Recorded** on two TITAN RTX with NVLink in 2021: 200 steps of GPT-2 took 110.6 s with `DataParallel`, and 101.9 s with
# DDP; without NVLink, DDP took 131.4 s
# ([Hugging Face](https://huggingface.co/docs/transformers/v4.49.0/perf_train_gpu_many)). On the left is `DataParallel`,
# with the main GPU shaded:

# %% {"concepts": ["C147", "C155"], "slug": "flow-drawn"}
data_flow([0, 1, 2])

# %% [markdown] {"slug": "two-ranks"}
# ### Fix it here
#
# This function is called on each of two ranks, with the same model and dataset. As in `ddp.py`, each rank should use
# its own GPU, and each sample should have one rank.


# %% {"concepts": ["C155"], "slug": "two-ranks-program"}
def two_ranks(model, dataset):
    """Train for an epoch, on this rank's GPU and with its samples; return the wrapped model."""
    dist.init_process_group("nccl")
    model = DistributedDataParallel(model.cuda())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch, targets in DataLoader(dataset, batch_size=4):
        loss = nn.functional.mse_loss(model(batch.cuda()), targets.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model


# %% [markdown] {"slug": "two-ranks-check-text"}
# The check starts two processes, and takes about 10 seconds. Of an odd number of samples, the sampler would give one to both.

# %% {"slug": "two-ranks-check"}
check("parallel.two_ranks", two_ranks)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# Should `train.py` use `DataParallel`? In each step, its weights would travel to each other GPU:

# %% {"slug": "project-copied"}
net = project.network("07")
weights = 4 * sum(parameter.numel() for parameter in net.parameters())
print(f"weights: {weights // 1024} KiB; a batch of 30 images: {30 * 3 * 48 * 48 // 1024} KiB")

# %% [markdown] {"slug": "recap"}
# Small batches do not pay, so we leave it out. In lesson 11, the program gets DDP. Your colleague's script:
#
# | 40 steps on GPUs 1 and 2 | processes | weights sent | gradients sent |
# |---|--:|--:|--:|
# | `DataParallel` | 1 | 40 times | 40 times, to the main GPU |
# | DDP | 2 | once | 40 times, by both |
#
# A gradient is as large as the weights. So DDP does not send 40 times less.
#
# With DDP, save on rank 0 only. A rank prints the loss of its own samples. More ranks mean a larger batch.
#
# ## What you learned · 3 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("07.after.ddp")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What are the four phases?
# 2. What must be on the main GPU before `forward`?
# 3. Why is a small batch slower on two GPUs?
# 4. What does DDP exchange in each step?
#
# <details><summary>Answers</summary>
#
# 1. Scatter, replicate, apply, gather.
# 2. All parameters and buffers.
# 3. Copies and launches cost the same for each batch, and one process makes them.
# 4. Gradients, and by default the buffers of rank 0. Weights are sent once.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 07: DataParallel](../assignments/07_parallel/07_parallel.ipynb).**
# You will predict how a batch is split, fix a program, find out why two ranks do not train like one
# process, and write a step as DDP does it.
#
# **Next lesson:** [08, *How busy, how full, how fast*](08_how_busy_how_full_how_fast.ipynb): does
# the GPU work or wait, and what fills its memory?
