# %% [markdown] {"slug": "title"}
# # DataParallel
#
# *On the Right Device*, lesson 07 · previous lesson: [06, *Finding the freest
# GPU*](06_finding_the_freest_gpu.ipynb) · [Glossary](glossary.md)
#
# One GPU trains your model while the others idle. One line, `nn.DataParallel`, puts them all to
# work, but **PyTorch discourages it** and recommends `DistributedDataParallel` (DDP). It is still
# worth knowing: old programs are full of it, you can take it apart in four calls, and each of its
# weaknesses explains a part of DDP. You will wrap a model, take the wrapper apart, measure it, and
# then replace it.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **predict** how a batch is split, even when its size is not divisible by the number of GPUs;
# - **choose** the main GPU, and put model, inputs and targets where the wrapper expects them;
# - **run** the four phases of a forward pass by hand;
# - **judge** when several GPUs are faster than one;
# - **foresee** what wrapping changes: keys, attributes, counters;
# - **write** a DDP script, start it with `torchrun`, and show that it trains like one process.
#
# **Time:** about 1½ hours
#
# **Prerequisites:** lessons 03 and 05; what a batch is, and what a training step does.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions · 4 min
#
# First the names that we need.

# %% {"slug": "imports"}
import copy
import re
import warnings

import torch
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter
from torch.utils.data import DataLoader, TensorDataset

print("torch", torch.__version__)

# %% [markdown] {"slug": "imports-course"}
# And those of the course:

# %% {"slug": "imports-ours"}
from course_utils import claim, explore, lab, predict, quiz, reveal, verdict
from course_utils.experiments.ranks import meet_locally
from lesson_parts.waiting import steps
from lesson_parts import project
from lesson_parts.lesson07 import batch_split, data_flow, run_phases, schedule, speedup_curve
from lesson_parts.lesson07 import step_time

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory. Lessons 02, 03 and 05 have the answers.

# %% {"slug": "before-1-quiz"}
quiz("07.before.side")

# %% {"slug": "before-2-quiz"}
quiz("07.before.list")

# %% {"slug": "before-3-quiz"}
quiz("07.before.logical")

# %% [markdown] {"slug": "idle"}
# ## 1. Three GPUs do nothing · 6 min
#
# We take four GPUs, real or virtual.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0 = devices[0]

# %% [markdown] {"slug": "foonet"}
# And a small net. Its layers are in an `nn.ModuleList`: what a plain list holds would not be copied
# to the GPUs.


# %% {"concepts": ["C152"], "slug": "foonet-shown"}
class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))

    def forward(self, x):
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


# %% [markdown] {"slug": "idle-ask"}
# We run it forward and backward once, and look at the memory of each GPU.

# %% {"concepts": ["C150"], "slug": "idle-shown"}
model = FooNet(256).to(gpu0)
model(torch.randn(64, 256, device=gpu0)).mean().backward()
for device in devices:
    print(device, f"{torch.cuda.memory_allocated(device) / 2**20:.2f} MiB")

# %% [markdown] {"slug": "homework"}
# One GPU works, and three hold nothing. How much faster could four be? Think of four tasks of
# homework, one hour each. Alone you need 240 minutes. With three friends, finding them takes
# 3 minutes, all work at the same time, and collecting the results takes another 3.

# %% {"slug": "homework-predict"}
predict("07.homework")

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "homework-shown"}
day = {name: [("work", 3, 63)] for name in ["you", "friend 1", "friend 2", "friend 3"]}
day["you"] = [("find friends", 0, 3), ("work", 3, 63), ("collect", 63, 66)]
display(schedule(day, title="Four tasks, four workers", unit="min"))
reveal("07.homework", day["you"][-1][2])

# %% [markdown] {"slug": "speedup"}
# The **speed-up** is the time alone divided by the time together: 240/66, about 3.6, and not 4.
# Finding and collecting are **overhead**. With `nn.DataParallel` you pay it in *every step*.
#
# ## 2. One line: the wrapper · 13 min
#
# [`nn.DataParallel`](https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html) is
# a module around your module.

# %% {"concepts": ["C141", "C142", "C143", "C144", "C145"], "slug": "wrap-shown"}
parallel = nn.DataParallel(model, device_ids=list(devices))
print("holds the model itself:", parallel.module is model)
print("device_ids:", parallel.device_ids, "· output_device:", parallel.output_device)
print("dim:", parallel.dim)

# %% [markdown] {"slug": "wrap-read"}
# - `device_ids` are the GPUs that share the work, by
#   [logical index](glossary.md#logical-index). Without them it takes all that are visible.
# - `output_device` is, by default, the first of `device_ids`. You will soon see what it is for.
# - `dim` is the dimension that holds the samples: 1 for a recurrent net without `batch_first`.
#
# We call a wrapper once, with 16 samples. A hook, which torch calls after each `forward` of the
# model inside, notes the GPU and the number of samples.

# %% {"slug": "forward-predict"}
predict("07.forward")

# %% {"concepts": ["C151", "C152", "C153"], "errata": ["E68"], "slug": "forward-shown"}
calls = []
small = FooNet(3).to(gpu0)
small.register_forward_hook(lambda module, inputs, output: calls.append(output))
outputs = nn.DataParallel(small, list(devices))(torch.randn(16, 3))
print(*sorted(f"{part.device}: {len(part)} samples" for part in calls), sep="\n")
print("outputs:", tuple(outputs.shape), "on", outputs.device)
reveal("07.forward", f"{len(calls)} times")

# %% [markdown] {"slug": "uneven"}
# ### When the batch cannot be divided evenly
#
# 10 divided by 4 is 2.5. `scatter` is the function with which the wrapper splits. We give it the
# numbers 0 to 9, so that we see who gets which.

# %% {"slug": "uneven-predict"}
predict("07.uneven")

# %% {"concepts": ["C146"], "errata": ["E66"], "slug": "uneven-shown"}
parts = scatter(torch.arange(10), devices)
display(batch_split(parts, devices))
reveal("07.uneven", [len(part) for part in parts])

# %% [markdown] {"slug": "chunk"}
# So choose a batch size that is a multiple of the number of GPUs: then all parts are equal. In the
# `DataLoader`, `drop_last=True` removes the smaller last batch. (With five samples, one of the four
# GPUs gets nothing at all.)
#
# ### Which GPU is the main GPU?
#
# People mean one of three: the *current device*, the first of `device_ids`, or `output_device`.
# Here all three differ.

# %% {"slug": "main-predict"}
predict("07.main")

# %% {"concepts": ["C106", "C143", "C144"], "slug": "main-shown"}
wrapped = nn.DataParallel(FooNet(3).to("cuda:1"), device_ids=[1, 2], output_device=3)
outputs = wrapped(torch.randn(4, 3))
print("current device:", torch.cuda.current_device(), "· device_ids[0]:", wrapped.device_ids[0])
reveal("07.main", outputs.device)

# %% [markdown] {"slug": "main-read"}
# In this lesson, **main GPU** means `device_ids[0]`. The model must be there, complete, when
# `forward` is called. Whether you wrap or move first does not matter. And the inputs?

# %% {"slug": "inputs-claim"}
claim("07.claim.inputs")

# %% {"concepts": ["C150"], "errata": ["E70"], "slug": "inputs-shown"}
batch = torch.randn(10, 256)
for device in ("cpu", "cuda:0", "cuda:3"):
    print("inputs on", device, "→ outputs on", parallel(batch.to(device)).device)
verdict("07.claim.inputs")

# %% [markdown] {"slug": "phases"}
# The targets belong on the device of the *outputs*, because your own code computes the loss.
#
# ## 3. Inside: four phases · 13 min
#
# The wrapper's `forward` has four phases, and torch has a function for each:
#
# 1. [**scatter**](glossary.md#scatter) splits the batch and sends a part to each GPU;
# 2. **replicate** copies the model to each GPU that has a part: these are the
#    [replicas](glossary.md#replica);
# 3. **apply** runs each replica on its part, in a thread of its own;
# 4. [**gather**](glossary.md#gather) joins the outputs on the output device.

# %% {"concepts": ["C147"], "slug": "by-hand"}
parts = scatter(batch, devices)
replicas = replicate(model, devices[: len(parts)])
part_outputs = parallel_apply(replicas, parts)
outputs = gather(part_outputs, gpu0)
for part, replica in zip(parts, replicas, strict=True):
    print("samples:", len(part), "· replica on", replica.linears[0].weight.device)
print("equal to the wrapper's outputs:", torch.equal(outputs, parallel(batch)))

# %% [markdown] {"slug": "phases-time"}
# That is all the wrapper does. When does each phase run? `run_phases` makes these four calls with a
# clock. On virtual GPUs the times are *modelled*: computed from the sizes of copies and operations.
# The model sends parameters by plain copies, as PyTorch does where **NCCL** is missing, NVIDIA's
# library for exchange between GPUs.

# %% {"concepts": ["C147"], "slug": "phases-drawn"}
ran = run_phases(model, batch, devices)
schedule(ran.lanes, title="One forward pass, 10 samples", modelled=ran.kind == "modelled")

# %% [markdown] {"slug": "phases-read"}
# Begin with the lane of the [host](glossary.md#host). One Python process starts every copy and
# every [kernel](glossary.md#kernel), so the host works nearly all the time. In the model, `cuda:0`
# sends the parameters to one GPU after another, and each GPU begins as soon as its own copy has
# arrived. A narrow stripe is one operation: between two of them the GPU waits for the next
# [launch](glossary.md#launch). A wide bar of *apply* is several operations without a pause: some
# had been launched before the parameters arrived.
#
# Virtual GPUs cannot show two things:
#
# - The usual builds for CUDA on Linux have NCCL. There, *replicate* is a broadcast in which all GPUs
#   take part, and the copies that you see are missing.
# - The model lets the threads of *apply* launch one after another. Real threads overlap in part:
#   torch releases Python's lock (the *GIL*) inside its operators, but Python code itself runs in
#   one thread at a time.
#
# On real GPUs, `run_phases` measures each phase as a whole.
#
# ### The way back
#
# Now a loss and a backward pass. We keep a copy of the model, to compare.

# %% {"concepts": ["C147", "C150"], "slug": "training-step"}
single = copy.deepcopy(model).cpu()
targets = torch.randn(10, 256)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
optimizer.zero_grad()
loss = nn.functional.mse_loss(parallel(batch), targets.to(gpu0))
loss.backward()
print("loss on", loss.device, "· gradients on", model.linears[0].weight.grad.device)

# %% [markdown] {"slug": "gradients"}
# The replicas have sent their gradients to the main GPU. What happened to them there? We compare
# with the copy, which takes the whole batch in one piece.

# %% {"slug": "gradients-claim"}
claim("07.claim.average")

# %% {"concepts": ["C147"], "slug": "gradients-shown"}
single.zero_grad()
nn.functional.mse_loss(single(batch), targets).backward()
ratio = model.linears[0].weight.grad.norm().item() / single.linears[0].weight.grad.norm().item()
print(f"gradient on four GPUs / gradient in one piece: {ratio:.4f}")
verdict("07.claim.average")

# %% [markdown] {"slug": "replicas"}
# `optimizer.step()` would now change the model. It knows only the parameters on the main GPU. Do
# the replicas notice? We make a change that is easy to recognise: there, we set the weights of the
# last layer to zero.

# %% {"slug": "replicas-predict"}
predict("07.replicas")

# %% {"concepts": ["C147"], "errata": ["E74"], "slug": "replicas-shown"}
with torch.no_grad():
    model.linears[-1].weight.zero_()
    zero_rows = (parallel(batch) == 0).all(dim=1).sum().item()
reveal("07.replicas", "zeros only" if zero_rows == 10 else "zeros for the first part")

# %% [markdown] {"slug": "cost"}
# ## 4. Is it faster? · 10 min
#
# We choose a model that suits the wrapper: few parameters and much work, one layer used 16 times.
# `step_time` gives the time of one training step, with forward, backward and optimizer.

# %% {"concepts": ["C140"], "slug": "speedup-function"}
layer = nn.Linear(512, 512, bias=False)
busy = nn.Sequential(*[layer] * 16).to(gpu0)


def speedup(batch_size):
    batch, targets = torch.randn(2, batch_size, 512)
    alone, together = (step_time(busy, batch, targets, devices[:n]) for n in (1, 4))
    return alone / together


# %% [markdown] {"slug": "speedup-ask"}
# Do you believe the next sentence? The cell that answers takes about 10 seconds.

# %% {"slug": "faster-claim"}
claim("07.claim.faster")

# %% {"concepts": ["C140"], "errata": ["E74"], "slug": "faster-shown"}
sizes = steps([8, 128, 1024, 4096], "Training with four batch sizes", seconds=10)
speedups = {batch_size: speedup(batch_size) for batch_size in sizes}
source = "modelled" if devices.kind == "virtual" else "measured"
display(speedup_curve({4: speedups}, title="A training step on four GPUs", source=source))
verdict("07.claim.faster")

# %% [markdown] {"slug": "explore"}
# On virtual GPUs this curve comes from a model: only its shape means anything. Measure whole steps
# on your own machine. Three costs decide where the curve crosses 1. Change them below and watch the
# curve. (It is computed from the three costs alone. The curve above also counts the copies of
# samples, targets and outputs, and so rises less.)

# %% {"concepts": ["C140"], "slug": "explore-speedup"}
explore("speedup")

# %% [markdown] {"slug": "elsewhere"}
# *Measured elsewhere:* Hugging Face trained GPT-2 for 200 steps on two TITAN RTX. (*Efficient
# Training on Multiple GPUs*, documentation of Transformers; PyTorch 1.8, 2021.)
#
# | | time |
# |---|---|
# | DataParallel, GPUs joined by NVLink | 110 s |
# | DDP, GPUs joined by NVLink | 101 s |
# | DDP without NVLink | 131 s |
#
# So DDP wins here, but the connection between the GPUs mattered more than the wrapper.
#
# The main GPU also needs more *memory*. What does a forward pass add on each?

# %% {"concepts": ["C144", "C147"], "errata": ["E76"], "slug": "memory"}
before = [torch.cuda.memory_allocated(device) for device in devices]
outputs = parallel(torch.randn(2048, 256))
for device, used in zip(devices, before, strict=True):
    print(device, f"+{(torch.cuda.memory_allocated(device) - used) / 2**20:.2f} MiB")

# %% [markdown] {"slug": "memory-read"}
# All hold what the backward pass will need of their part; the others also hold the replica's
# weights. `cuda:0` holds the gathered outputs of all GPUs as well, here 2 MiB, and later the
# gradients and the optimizer's state. A batch may fit on the others and not on the main GPU.
#
# ## 5. What wrapping changes · 7 min
#
# The wrapper is a module with your module inside. What does that do to names?

# %% {"slug": "keys-predict"}
predict("07.keys")

# %% {"concepts": ["C142", "C155"], "errata": ["E77"], "slug": "keys-shown"}
print("parallel has linears:", hasattr(parallel, "linears"))
print("parallel.module has linears:", hasattr(parallel.module, "linears"))
reveal("07.keys", next(iter(parallel.state_dict())))

# %% [markdown] {"slug": "counter"}
# Without a GPU the wrapper just calls the model, but the keys are the same as here.
#
# And what about things that a model *changes* in `forward`? This one counts its calls, in an
# attribute and in a [buffer](glossary.md#buffer).


# %% {"concepts": ["C155"], "slug": "counter-module"}
class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.register_buffer("counted", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.calls += 1
        return x + self.counted.add_(1)


# %% [markdown] {"slug": "counter-ask"}
# We call it once, with 8 samples on four GPUs.

# %% {"slug": "counter-predict"}
predict("07.counter")

# %% {"concepts": ["C155"], "errata": ["E77"], "slug": "counter-shown"}
counting = Counting().to(gpu0)
nn.DataParallel(counting, list(devices))(torch.zeros(8, 1))
reveal("07.counter", f"{counting.calls} and {counting.counted.item()}")

# %% [markdown] {"slug": "scalar"}
# One more surprise: if `forward` returns a scalar, such as a loss, you get a vector with one number
# for each replica. If the parts differ in size, the mean of this vector is not the mean over the
# batch. So return outputs, and compute the loss outside.
#
# ## 6. DDP: one process for each GPU · 20 min
#
# You have met the weaknesses: one process launches everything, the model is sent out in every step,
# and the main GPU collects it all. Is it deprecated?

# %% {"slug": "deprecated-claim"}
claim("07.claim.deprecated")

# %% {"concepts": ["C155"], "errata": ["E72"], "slug": "deprecated-shown"}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    parallel(batch)
documented = " ".join(nn.DataParallel.__doc__.split())
print("warnings:", len(caught))
print(documented[documented.index("It is recommended") :].split(" See:")[0])
verdict("07.claim.deprecated")

# %% [markdown] {"slug": "ddp"}
# With
# [DDP](https://docs.pytorch.org/docs/stable/generated/torch.nn.parallel.DistributedDataParallel.html),
# each GPU has a process of its own. The processes form a
# [process group](glossary.md#process-group). Its size is the
# [world size](glossary.md#world-size); the number of a process in it is its
# [rank](glossary.md#rank). All processes run the same script. Here is a complete one. It uses the
# CPU, so that it runs everywhere; what changes for GPUs comes later.

# %% {"concepts": ["C149", "C155"], "errata": ["E72", "E73"], "slug": "ddp-script"}
# %%writefile ddp.py
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, DistributedSampler, TensorDataset

dist.init_process_group("gloo")
rank = dist.get_rank()

torch.manual_seed(0)
data = TensorDataset(torch.randn(64, 4), torch.randn(64, 1))
sampler = DistributedSampler(data, shuffle=False)
loader = DataLoader(data, batch_size=8, sampler=sampler)
model = DDP(nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

model.train()
for batch, targets in loader:
    loss = nn.functional.mse_loss(model(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

gradient = model.module.weight.grad.norm()
print(
    f"rank {rank} of {dist.get_world_size()}: loss {loss:.4f}, gradient {gradient:.4f}\n", end=""
)  # in one piece: two processes print at the same time
if rank == 0:
    torch.save(model.module.state_dict(), "ddp.pt")
del model  # freed after its group, it sometimes hangs with gloo: pytorch/pytorch#56297
dist.destroy_process_group()

# %% [markdown] {"slug": "ddp-read"}
# Four calls are new. `init_process_group` lets the processes find each other. The
# `DistributedSampler` gives each rank its own share of the samples. `DDP(…)` gives every rank the
# weights of rank 0. `destroy_process_group` closes the group. The training loop is the usual one.
#
# [`torchrun`](https://docs.pytorch.org/docs/stable/elastic/run.html) starts the processes. In a
# terminal you would write `torchrun --standalone --nproc-per-node 2 ddp.py`. The next cell does the
# same in a longer form, and takes about 20 seconds. (`meet_locally` makes sure that this works
# without a network. The warning in the output is from `torchrun`: each process gets one thread.)

# %% {"slug": "ddp-predict"}
predict("07.ddp")

# %% {"concepts": ["C155"], "errata": ["E72"], "slug": "ddp-shown"}
meet_locally()
# output = !python -m torch.distributed.run --standalone --nproc-per-node 2 ddp.py
print(output.n)
losses, gradients = zip(*re.findall(r"loss ([\d.]+), gradient ([\d.]+)", output.n), strict=True)
same = {"loss": losses[0] == losses[1], "gradient": gradients[0] == gradients[1]}
reveal("07.ddp", " and ".join(name for name, equal in same.items() if equal) or "nothing")

# %% [markdown] {"slug": "flow"}
# That exchange is called [all-reduce](glossary.md#all-reduce). Here are both wrappers side by side.
# The shaded column on the left is the main GPU. On the right there is none.

# %% {"concepts": ["C147", "C155"], "slug": "flow-drawn"}
data_flow(parallel.device_ids)

# %% [markdown] {"slug": "flow-read"}
# | in every step | DataParallel | DDP |
# |---|---|---|
# | parameters | sent to each GPU | stay; they were sent once, at the start |
# | buffers | sent to each GPU | sent from rank 0 before each forward pass, by default |
# | samples | cut up by the main process | loaded by each process |
# | gradients | added up on the main GPU | averaged by all, during the backward pass |
#
# ### Does it train like one process?
#
# `train` is an ordinary training loop, in one process.


# %% {"slug": "train"}
def train(model, loader, lr):
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for batch, targets in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(batch), targets).backward()
        optimizer.step()
    return model.weight.detach()


# %% [markdown] {"slug": "same-compare"}
# We give it the same data, and the same first weights, as `ddp.py`. Two ranks took 8 samples each,
# so the **global batch** has 16.

# %% {"slug": "same-claim"}
claim("07.claim.same")

# %% {"concepts": ["C155"], "slug": "same-shown"}
torch.manual_seed(0)
data, first = TensorDataset(torch.randn(64, 4), torch.randn(64, 1)), nn.Linear(4, 1)
alone = train(copy.deepcopy(first), DataLoader(data, batch_size=16), lr=0.1)
both = torch.load("ddp.pt")["weight"]
print(f"largest difference: {(alone - both).abs().max().item():.1e}")
verdict("07.claim.same")

# %% [markdown] {"slug": "rate"}
# With twice as many GPUs and 8 samples on each, the global batch doubles, and an epoch has half as
# many steps. What about the learning rate? We double the batch, with the old rate and with twice
# the rate, and compare the weights with those of the small batch.

# %% {"slug": "rate-claim"}
claim("07.claim.rate")

# %% {"slug": "rate-shown"}
reference = train(copy.deepcopy(first), DataLoader(data, batch_size=8), lr=0.05)
for lr in (0.05, 0.1):
    doubled = train(copy.deepcopy(first), DataLoader(data, batch_size=16), lr)
    print(f"twice the batch, rate {lr}: distance {(doubled - reference).norm().item():.3f}")
verdict("07.claim.rate")

# %% [markdown] {"slug": "on-gpus"}
# ### On real GPUs
#
# These lines are new or change. Each process takes *one* GPU, and `device_ids` of DDP names just
# that one:
#
# ```python
# import os
#
# local_rank = int(os.environ["LOCAL_RANK"])          # set by torchrun, as in lesson 05
# torch.cuda.set_device(local_rank)
# dist.init_process_group("nccl")
# model = DDP(model.to(local_rank), device_ids=[local_rank])
# batch, targets = batch.to(local_rank), targets.to(local_rank)
# ```
#
# Three more rules. Every rank runs every line, so let rank 0 alone print and save. If you shuffle,
# call `sampler.set_epoch(epoch)` before each epoch. And never let one rank skip an exchange: the
# others would wait for it. `no_sync` (for
# [gradient accumulation](glossary.md#gradient-accumulation)), `SyncBatchNorm` and models that do
# not fit on one GPU belong in lesson 11.
#
# NCCL works with GPUs only, and PyTorch for Windows comes without it. DDP uses `gloo` there, and
# `DataParallel` plain copies.

# %% [markdown] {"slug": "clinic"}
# ## 7. Error clinic · 8 min
#
# **Case 1.** Imagine that `CUDA_VISIBLE_DEVICES=1,2,3` is set, and that card 2 should be the main
# GPU. In this process it is `cuda:1`, so somebody moves the model there.

# %% {"concepts": ["C109", "C148"], "errata": ["E46", "E69"], "slug": "clinic-main-shown"}
wrong = nn.DataParallel(FooNet(3)).to("cuda:1")
try:
    wrong(torch.randn(6, 3))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-main-read"}
# - *must have its parameters and buffers*: the model is meant, not the inputs.
# - *on device cuda:0 (device_ids[0])*: you named no devices, so the main GPU is the first visible
#   one. Moving the model does not change that.
# - *found one of them on device: cuda:1*: the first parameter or buffer that is elsewhere. With
#   *cpu* here, the model was never moved.
#
# **Cure:** name the devices, the main one first. Or put its card first in the variable
# (`CUDA_VISIBLE_DEVICES=2,1,3`): then it is `cuda:0`, and you need no `device_ids`.

# %% {"concepts": ["C106", "C148"], "errata": ["E46", "E69"], "slug": "clinic-main-cured"}
cured = nn.DataParallel(FooNet(3).to("cuda:1"), device_ids=[1, 2, 3])
print("outputs on", cured(torch.randn(6, 3)).device)

# %% [markdown] {"slug": "clinic-id"}
# **Case 2.** A script written for a larger machine lists more indices than this process has GPUs.

# %% {"concepts": ["C108", "C143"], "errata": ["E47"], "slug": "clinic-id-shown"}
try:
    nn.DataParallel(FooNet(3), device_ids=range(torch.cuda.device_count() + 1))
except AssertionError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-id-read"}
# - *Invalid device id*: it does not say which. Indices count the *visible* GPUs from 0, whatever
#   `nvidia-smi` calls the cards.
#
# **Cure:** leave `device_ids` out, or use `range(torch.cuda.device_count())`.
#
# **Case 3.** A layer in a plain list, moved by hand. On one GPU it works.


# %% {"concepts": ["C152"], "slug": "clinic-replica-module"}
class Listed(FooNet):
    def forward(self, x):
        return self.hidden[0](super().forward(x))


listed = Listed(3).to(gpu0)
listed.hidden = [nn.Linear(3, 3).to(gpu0)]
print("alone:", listed(torch.randn(10, 3, device=gpu0)).device)

# %% [markdown] {"slug": "clinic-replica-wrapped"}
# Wrapped, it fails. The message holds the whole traceback of a thread: read the first line and the
# last.

# %% {"concepts": ["C152"], "slug": "clinic-replica-raised"}
try:
    nn.DataParallel(listed, list(devices))(torch.randn(10, 3))
except RuntimeError as error:
    print(re.sub(r"\n.*\n", "\n...\n", str(error).strip(), flags=re.DOTALL))

# %% [markdown] {"slug": "clinic-replica-read"}
# - *in replica 1 on device 1*: replica 0 was fine, because the forgotten layer is on its GPU.
# - The last line is the error itself: two devices in one operation.
#
# **Cure:** register the layer. Then it is replicated with the others.

# %% {"concepts": ["C152"], "slug": "clinic-replica-cured"}
listed.hidden = nn.ModuleList(listed.hidden)
print("wrapped:", nn.DataParallel(listed, list(devices))(torch.randn(10, 3)).device)

# %% [markdown] {"slug": "clinic-keyword"}
# **Case 4.** Five samples on four GPUs, and an argument that is not a tensor. The samples become
# three parts; the number is copied for *every* GPU.


# %% {"concepts": ["C150"], "errata": ["E66", "E70"], "slug": "clinic-keyword-shown"}
class Scaled(nn.Module):
    def forward(self, x, factor=1):
        return x * factor


try:
    nn.DataParallel(Scaled(), list(devices))(torch.randn(5, 3), factor=2)
except TypeError as error:
    print(re.sub(r"\n.*\n", "\n...\n", str(error).strip(), flags=re.DOTALL))

# %% [markdown] {"slug": "clinic-keyword-read"}
# - *in replica 3*: the fourth. There are only three parts, so it should not exist.
# - *missing 1 required positional argument: 'x'*: it was made for its `factor`, and has no samples.
#
# **Cure:** give every GPU a part (a multiple of the number of GPUs, and `drop_last=True`), or give
# the number to the module and not to the call.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# Should `train.py` use `DataParallel`? One line would do, with a guard for machines that have fewer
# than two GPUs:

# %% {"concepts": ["C154"], "slug": "project-wrapped"}
net = project.network("07").to(gpu0)
model = nn.DataParallel(net) if torch.cuda.device_count() > 1 else net
print([name for name in model.state_dict()][-2:])

# %% [markdown] {"slug": "project-keys"}
# A program with this line saves other names wherever the guard lets it through. So a checkpoint from
# four GPUs does not fit on one, unless the program saves `model.module`.
#
# The second reason is speed. In each step, the weights travel to three replicas, and one process
# launches the kernels of four GPUs:

# %% {"slug": "project-copied"}
size = 4 * sum(parameter.numel() for parameter in net.parameters())
images = 30 * 3 * 48 * 48
print(f"a step with 30 images: {3 * size / 1024:.0f} KiB of weights, {images / 1024:.0f} of images")

# %% [markdown] {"slug": "project-without"}
# So we leave it out. Until lesson 11, the program uses one GPU. There it gets
# `DistributedDataParallel`, which copies no weights in a step, and whose checkpoint has the plain
# names.

# %% [markdown] {"slug": "recap"}
# ## What you learned · 6 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("07.after.split")

# %% {"slug": "recap-2-quiz"}
quiz("07.after.slower")

# %% {"slug": "recap-3-quiz"}
quiz("07.after.ddp")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. What are the four phases, and what does only the main GPU do?
# 2. What must be on the main GPU before `forward`, and what need not be?
# 3. What is left of an attribute that `forward` set? Of a buffer that it changed in place?
# 4. What does DDP do differently, in one sentence?
# 5. Your model fits on one GPU, and you have four. What do you use? And if it does not fit?
#
# <details><summary>Answers</summary>
#
# 1. Scatter, replicate, apply, gather. It keeps the model, adds up the gradients, and (by default)
#    receives the outputs.
# 2. All parameters and buffers. The inputs may be anywhere.
# 3. Of the attribute, nothing. Of the buffer, what the replica on the main GPU wrote.
# 4. Each GPU has a process with its own copy of the model and its own samples, and only gradients
#    (and buffers) are exchanged.
# 5. DDP; `DataParallel` only where you cannot start several processes, and after measuring. A model
#    that does not fit has to be sharded (FSDP, lesson 11).
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 07: DataParallel](../assignments/07_parallel/07_parallel.ipynb).**
# You will predict how batches are split, fix a program that trains on two GPUs, build a small DataParallel,
# and write a training step for two GPUs by hand, as DDP does it.
#
# **Next lesson:** [08, *How busy, how full, how fast*](08_how_busy_how_full_how_fast.ipynb): does
# the GPU work or wait, and what fills its memory?
