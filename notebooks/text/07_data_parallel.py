# %% [markdown] {"slug": "title"}
# # DataParallel
#
# *On the Right Device*, lesson 07 · previous lesson: [06, *Finding the freest
# GPU*](06_finding_the_freest_gpu.ipynb) · [Glossary](glossary.md)
#
# A colleague's training script names no GPU, and on porto it dies on Li's. You find out how it shares a batch among
# GPUs, and what this costs. At the end, two processes do the same training, and you compare what they send.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **predict** which GPUs a wrapped model uses, and how it splits a batch;
# - **run** the four phases of `DataParallel` by hand;
# - **judge** from the time of a step whether a second GPU helps;
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
from lesson_parts.lesson07 import data_flow, log_in, project, step_lanes, step_time

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 05:

# %% {"slug": "before-1-quiz"}
quiz("07.before.logical")

# %% [markdown] {"slug": "script"}
# ## 1. It takes every GPU · 8 min
#
# The colleague's model is called FooNet:

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
# The script trains for 40 steps of 16 samples. We have added the hook: it notes on which GPU each `forward` ran, and with
# how many samples.

# %% {"concepts": ["C141", "C142", "C150", "C154"], "slug": "finetune"}
# %%writefile finetune.py
import torch
from foonet import FooNet
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(*torch.rand(2, 640, 256))
model, ran = FooNet(256).cuda(), []
model.register_forward_hook(lambda module, inputs, out: ran.append((out.device.index, len(out))))
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
others = sum(device > 0 for device, _ in ran)
print(f"(GPU, samples): {sorted(set(ran))}; forwards by replicas: {others}; weights {norm:.4f}")

# %% [markdown] {"slug": "run-text"}
# On porto, GPU 0 is nearly full (10 seconds):

# %% {"slug": "run"}
log_in("porto")
# !nvidia-smi --query-gpu=index,name,memory.free,utilization.gpu --format=csv,noheader
# !python finetune.py 2>&1 | grep -o -e 'You.*GPU .' -e '.*OutOfMemory.* is free'

# %% [markdown] {"slug": "run-read"}
# The script names no GPU, so `nn.DataParallel` takes all that are visible. The first of them is the **main GPU**, here
# Li's. It has the model, and 3 GiB of features, too. The first line is a warning: GPU 3 is smaller.
#
# This is not only old code: `Trainer` of Transformers 5.24 does the same if one process sees several GPUs.
#
# Chen and Mei lend you GPUs 1 and 2. The first variable makes CUDA count as nvidia-smi does (10 seconds):

# %% {"concepts": ["C143", "C151", "C153"], "errata": ["E68"], "slug": "run-again"}
# !CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1,2 python finetune.py

# %% [markdown] {"slug": "phases"}
# Each GPU ran `forward` with 8 of the 16 samples. (As a program sees only the lent GPUs, it calls them 0 and 1.) And in
# each of the 40 steps, `forward` also ran on a *copy* of the model, on the second GPU. Why a copy?
#
# ## 2. Four phases · 19 min
#
# With several GPUs, `forward` makes four calls:
#
# 1. [`scatter`](glossary.md#scatter) splits the batch, and sends each part to its GPU.
# 2. `replicate` copies the model to each GPU that has a part. The copies are [replicas](glossary.md#replica).
# 3. `parallel_apply` runs each replica on its part, in its own thread.
# 4. [`gather`](glossary.md#gather) joins the outputs on the main GPU, where your code computes the loss.
#
# First `scatter`:

# %% {"slug": "uneven-predict"}
predict("07.uneven")

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "uneven-shown"}
devices = [torch.device("cuda", index) for index in range(4)]
for size in (16, 10, 5):
    print(size, "samples:", [part.tolist() for part in scatter(torch.arange(size), devices)])
reveal("07.uneven", [len(part) for part in scatter(torch.arange(10), devices)])

# %% [markdown] {"slug": "by-hand-text"}
# `scatter` splits as `torch.chunk` does: parts of 10/4, rounded up, until nothing is left. With 5 samples, the fourth GPU
# has nothing to do. So choose a batch that is a multiple of the number of GPUs.
#
# Now all four calls by hand. Is the gradient that of the whole batch?

# %% {"concepts": ["C147"], "slug": "by-hand-shown"}
# %run foonet.py
model, batch = FooNet(256).to(devices[0]), torch.rand(10, 256)
parts = scatter(batch, devices)
replicas = replicate(model, devices[: len(parts)])
outputs = gather(parallel_apply(replicas, parts), devices[0])
ways = [outputs, model(batch.to(devices[0]))]
grads = [torch.autograd.grad(out.square().mean(), model.linears[0].weight)[0] for out in ways]
print(f"gradients differ by {(grads[0] - grads[1]).abs().max():.0e}, of {grads[1].abs().max():.0e}")

# %% [markdown] {"slug": "by-hand-read"}
# Yes, apart from rounding. Autograd *adds* the gradients of all replicas on the main GPU. The loss is a mean over 10
# samples, so each sample already counts a tenth. The whole step, on two GPUs:

# %% {"concepts": ["C147"], "slug": "flow-drawn"}
data_flow()

# %% [markdown] {"slug": "counter"}
# ### What the wrapper hides
#
# This model counts its samples:


# %% {"slug": "counter-made"}
class Counter(nn.Sequential):
    seen = 0

    def forward(self, x):
        self.seen += len(x)
        return super().forward(x)


# %% [markdown] {"slug": "counter-text"}
# Its one layer is BatchNorm. It gets four samples, on GPU 0 (`device_ids=[0]`), then on two GPUs.

# %% {"slug": "counter-predict"}
predict("07.counter")

# %% {"concepts": ["C142", "C143"], "slug": "counter-shown"}
for gpus in ([0], [0, 1]):
    model = Counter(nn.BatchNorm1d(1, momentum=1)).to(devices[0])  # 1: the mean of the last batch
    wrapped = nn.DataParallel(model, device_ids=gpus)
    wrapped(torch.tensor([[0.0], [2.0], [10.0], [30.0]]))
    print(f"GPUs {gpus}: seen {model.seen}, running mean {model[0].running_mean.item()}")
print("the wrapper has an attribute `seen`:", hasattr(wrapped, "seen"))
reveal("07.counter", model.seen)

# %% [markdown] {"slug": "by-hand"}
# For one GPU, the wrapper calls the model itself. With two, the replicas are thrown away, with what they counted. Only the
# replica on the main GPU shares the model's buffers: so BatchNorm's statistics are those of the first part.
#
# `wrapped.seen` is an `AttributeError`: write `wrapped.module.seen`. And save `wrapped.module.state_dict()`, or each key
# begins with `module.`. ([More](reference.md#dataparallel))
#
# The optimizer changes the model on the main GPU only, so each step needs a new replica: 40 in 40 steps.
#
# ### Fix it here
#
# This function takes the mean of the losses of all GPUs. Its result should be the loss of the whole batch, also for 5
# samples on 4 GPUs.

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
# ## 3. Does it pay? · 4 min
#
# `DataParallel` hands out and collects in *each step*. `step_time` returns the modelled time of a training step, here for eight layers of 512 units.

# %% {"slug": "pay-predict"}
predict("07.pay")

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "pay-shown"}
busy = nn.Sequential(*[nn.Linear(512, 512) for _ in range(8)]).to(devices[1])
small, middle, large = pairs = [torch.rand(2, size, 512) for size in (32, 1024, 8192)]
for pair in pairs:
    one, two = (step_time(busy, pair, devices[1:last]) for last in (2, 3))
    print(f"batch {len(pair[0]):4}: {one:5.0f} µs on one GPU, {two:5.0f} µs on two, modelled")
display(step_lanes(busy, [small, large], devices[1:3]))
one, two = (step_time(busy, small, devices[1:last]) for last in (2, 3))
reveal("07.pay", "faster" if two < one else "slower")

# %% [markdown] {"slug": "pay-read"}
# 8 MiB of weights go to the second GPU, and 8 MiB of gradients come back. This takes the same time for each batch. With 32
# samples, it is most of the step. With 8,192, both GPUs compute for most of it, and the second GPU pays a little.
#
# ## 4. DDP: a process for each GPU · 8 min
#
# PyTorch's documentation recommends
# [`DistributedDataParallel`](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html)
# (DDP) instead, even on one machine. Each GPU has its own process, with a number: its [rank](glossary.md#rank). The process
# launches the work of its GPU, and keeps a model and an optimizer there, so no step copies weights. All processes run the
# same script:

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
# New are:
#
# - `torchrun` starts the processes. It gives each its `LOCAL_RANK`, here the index of its GPU.
# - `init_process_group` lets the processes find each other.
# - `DistributedDataParallel` sends the weights of rank 0 to the other ranks, once.
# - `DistributedSampler` gives each rank its own samples: 8 of the 16 in a step of `finetune.py`.

# %% {"slug": "ddp-predict"}
predict("07.ddp")

# %% {"concepts": ["C155"], "slug": "ddp-shown"}
chosen = "CUDA_DEVICE_ORDER=PCI_BUS_ID CUDA_VISIBLE_DEVICES=1,2"
# output = !env $chosen torchrun --standalone --nproc-per-node 2 ddp.py
print(output.n)
first, second = (line.replace(",", "").split() for line in output.grep("rank"))
same = {"loss": first[3] == second[3], "gradient": first[5] == second[5]}
reveal("07.ddp", " and ".join(name for name in same if same[name]) or "nothing")

# %% [markdown] {"slug": "flow"}
# Each rank has the loss of its own samples, but both have the same gradient, and the same weights as one process
# with `finetune.py`: 27.7778.
#
# ## 5. What the ranks send · 10 min
#
# The ranks exchange their gradients by an [all-reduce](glossary.md#all-reduce), and each gets the mean: *gradient
# synchronization*. DDP does not wait for the end of `backward`: when a group of gradients is ready, a *bucket*, it is sent
# while the GPU computes the next one. (Lesson 11 shows this. FooNet fits into one bucket.)

# %% {"concepts": ["C147", "C155"], "slug": "ddp-drawn"}
data_flow(ddp=True)

# %% [markdown] {"slug": "two-ranks"}
# With DDP, no GPU is the main one.
#
# **Recorded** on two TITAN RTX, connected by NVLink, in 2021: 200 steps of GPT-2 took 110.6 s with `DataParallel`, and
# 101.9 s with DDP. Without NVLink, DDP took 131.4 s ([Hugging Face](https://huggingface.co/docs/transformers/v4.49.0/perf_train_gpu_many)).
#
# ### Fix it here
#
# This function is called on each of two ranks, with the same model and dataset. As in `ddp.py`, each rank should use
# its own GPU, and each sample should be used by one rank only.


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
# The check starts two processes, and takes about 10 seconds.

# %% {"slug": "two-ranks-check"}
check("parallel.two_ranks", two_ranks)

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# Should `train.py` use `DataParallel`? Then its weights would travel to each other GPU in each step:

# %% {"slug": "project-copied"}
net = project.network("07").to(devices[1])
weights = 4 * sum(parameter.numel() for parameter in net.parameters())
pair = torch.zeros(30, 3, 48, 48, dtype=torch.uint8), torch.rand(30, 2)
one, two = (step_time(net, pair, devices[1:last]) for last in (2, 3))
print(f"weights: {weights // 1024} KiB; a batch of 30 images: {pair[0].nbytes // 1024} KiB")
print(f"a step: {one:.0f} µs on one GPU, {two:.0f} µs on two, modelled")

# %% [markdown] {"slug": "recap"}
# No: with 30 images, the step would take more than twice as long. In lesson 11, `train.py` gets DDP instead.
#
# What your colleague's script sends:
#
# | 40 steps on GPUs 1 and 2 | processes | weights | gradients |
# |---|--:|--:|--:|
# | `DataParallel` | 1 | 40 times | 40 times, to the main GPU |
# | DDP | 2 | once | 40 times, each to the other |
#
# Gradients are as large as weights. So DDP sends as much, but from two GPUs at once.
#
# With DDP, save on rank 0 only. If each rank keeps its batch size, more ranks mean a larger batch.
#
# ## What you learned · 3 min
#
# A question:

# %% {"slug": "recap-1-quiz"}
quiz("07.after.ddp")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What are the four phases?
# 2. Why does `DataParallel` copy the model in each step?
# 3. What does DDP exchange in each step?
#
# <details><summary>Answers</summary>
#
# 1. Scatter, replicate, apply, gather.
# 2. The optimizer changes the model on the main GPU only, so all replicas are old.
# 3. Gradients. (If the model has buffers, those of rank 0, too.) Weights are sent once, at the start.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 07: DataParallel](../assignments/07_parallel/07_parallel.ipynb).**
# You will predict how a batch is split, fix a program, find out why two ranks do not train like one
# process, and write a step as DDP does it.
#
# **Next lesson:** [08, *How busy, how full, how fast*](08_how_busy_how_full_how_fast.ipynb): what
# fills the GPU's memory, and does it wait?
