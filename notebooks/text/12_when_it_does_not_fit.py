# %% [markdown] {"slug": "title"}
# # When it does not fit
#
# *On the Right Device*, lesson 12 · previous lesson: [11, *DDP from
# inside*](11_ddp_from_inside.ipynb) · [Glossary](glossary.md)
#
# A small GPT does not fit into your share of a GPU. What do you make smaller first? You measure one remedy after the
# other.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** what fills the memory at each moment of a training step;
# - **choose** the remedy for what is at the peak;
# - **recompute** activations block by block;
# - **shard** a model over several ranks, and measure it on one;
# - **save** a sharded model so that it also loads on one computer.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 08 and 11.
#
# ## Before we start · 3 min
#
# Chen, Li and Mei work on porto. Today, 32 MiB of GPU 1 are yours.

# %% {"slug": "imports"}
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from course_utils import check, predict, quiz, reveal
from lesson_parts.lesson12 import log_in, memory_of, step_chart

log_in("porto")
# !nvidia-smi -i 1 --query-gpu=name,memory.free --format=csv,noheader

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 08.

# %% {"slug": "before-1-quiz"}
quiz("12.before.grows")

# %% [markdown] {"slug": "model"}
# ## 1. It does not fit · 9 min
#
# The model predicts the next byte of a text. A `Block` is a layer of a transformer: attention, then two linear layers.

# %% {"slug": "model-file"}
# %%writefile gpt.py
from torch import nn
from torch.nn.functional import gelu, scaled_dot_product_attention


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        parts = self.qkv(self.norm1(x)).unflatten(2, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        seen = scaled_dot_product_attention(*parts, is_causal=True)
        x = x + self.out(seen.transpose(1, 2).flatten(2))
        return x + self.down(gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self, layers=6, width=192, heads=4, context=64):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(256, width), nn.Embedding(context, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 256, bias=False)

    def forward(self, text, run=lambda block, x: block(x)):
        x = self.tokens(text) + self.positions.weight[: text.shape[1]]
        for block in self.blocks:
            x = run(block, x)
        return self.head(self.norm(x))


# %% [markdown] {"slug": "measure-text"}
# It trains on eight pieces of its own text. `peaks` measures the second step, because the first makes the optimizer's
# states. It returns two peaks: of forward and backward, and of `optimizer.step()`. `place` moves the model to the GPU.

# %% {"slug": "measure"}
# %%writefile measure.py
import gc

import torch
from gpt import GPT
from torch import nn

text = torch.tensor(list(open("gpt.py", "rb").read()[:520])).view(8, 65)


def loss_of(model, **options):
    pieces = text.cuda()
    scores = model(pieces[:, :-1], **options)
    return nn.functional.cross_entropy(scores.flatten(0, 1).float(), pieces[:, 1:].flatten())


def made(place=nn.Module.cuda, **options):
    gc.collect()  # nothing of an earlier model shall count
    torch.manual_seed(0)
    model = place(GPT())
    return model, torch.optim.AdamW(model.parameters(), **options)


def peaks(model, optimizer, loss_of):
    for _ in range(2):
        torch.cuda.reset_peak_memory_stats()
        loss_of(model).backward()
        before = torch.cuda.max_memory_allocated() / 2**20
        torch.cuda.reset_peak_memory_stats()
        optimizer.step(), optimizer.zero_grad()
    return before, torch.cuda.max_memory_allocated() / 2**20


# %% [markdown] {"slug": "fails-text"}
# With your limit:

# %% {"slug": "fails"}
from measure import loss_of, made, peaks

torch.set_num_threads(1)  # of the CPU, which plays the GPUs
torch.cuda.set_device(1)
torch.cuda.set_per_process_memory_fraction(32 * 2**20 / torch.cuda.mem_get_info()[1])
try:
    peaks(*made(), loss_of)
except torch.OutOfMemoryError as error:
    print(str(error).split(" GPU")[0])

# %% [markdown] {"slug": "fails-read"}
# The line that raises only came last, and needed a *segment* of 20 MiB (lesson 04). What fills the memory?
#
# ## 2. One step, in five colours · 2 min
#
# At lunch, Chen lends you the whole GPU. We draw the second step:

# %% {"slug": "colours"}
torch.cuda.set_per_process_memory_fraction(1.0)
steps = {"float32": memory_of(loss_of, *made())}
step_chart(steps, title="At the peak, activations lie on top of what stays")

# %% [markdown] {"slug": "colours-read"}
# - Parameters and states **stay**: 12 bytes for each of 2.8 million parameters, 32 MiB.
# - [Activations](glossary.md#activation) grow in the forward pass. `backward` frees them, and leaves gradients.
# - So the **peak** is where `backward` begins.
# - `optimizer.step()` makes temporaries, and soon frees them.
#
# ## 3. Fewer bytes on one GPU · 17 min
#
# The first remedy is one line. [`autocast`](glossary.md#autocast) computes matrix products in bfloat16, with two
# bytes for a number:


# %% {"slug": "autocast"}
def bfloat16(model, **options):
    with torch.autocast("cuda", torch.bfloat16):
        return loss_of(model, **options)


# %% [markdown] {"slug": "autocast-ask"}
# Which areas of the picture become smaller?

# %% {"slug": "autocast-predict"}
predict("12.autocast")

# %% {"slug": "autocast-shown"}
steps["autocast"] = memory_of(bfloat16, *made())
display(step_chart(steps, title="Autocast makes the activations smaller"))
before, after = peaks(*made(), loss_of), peaks(*made(), bfloat16)
stays = abs(before[1] - after[1]) < 0.5  # MiB, in optimizer.step
reveal("12.autocast", "activations alone" if stays else "all, to about a half")

# %% [markdown] {"slug": "autocast-read"}
# Weights, gradients and states stay in float32. (*Activations* here include autocast's copies of weights.)
# `model.bfloat16()` makes all of them smaller, but bfloat16 has no number between 0.996 and 1: a weight of 1 loses each
# update of 0.001.
#
# The second remedy is [activation checkpointing](glossary.md#activation-checkpointing). `checkpoint(f, x)` computes
# `f(x)`, and keeps only `x` for `backward`, which computes `f(x)` again. The gradients are the same, and the price is one
# more forward pass. We try it around the whole model, then around each block:

# %% {"slug": "recomputed"}
from functools import partial

by_block = partial(checkpoint, use_reentrant=False)  # the form that PyTorch advises
ways = {"whole model": partial(by_block, bfloat16), "each block": partial(bfloat16, run=by_block)}
for name, way in ways.items():
    print(f"checkpoint around {name}: {peaks(*made(), way)[0]:.1f} MiB in forward and backward")

# %% [markdown] {"slug": "recomputed-read"}
# Around the whole model, it saves nothing: at the start of `backward`, all activations are in memory again.

# %% {"slug": "peak-predict"}
predict("12.peak")

# %% {"slug": "peak-shown"}
way = ways["each block"]
steps["checkpoints"] = memory_of(way, *made())
display(step_chart(steps, title="With checkpoints, the peak is in optimizer.step"))
before, step = peaks(*made(), way)
reveal("12.peak", "in optimizer.step" if step > before else "in backward")

# %% [markdown] {"slug": "peak-read"}
# The peak has moved. On a GPU, AdamW by default updates all parameters together, with temporaries as large as they are. The
# third remedy, `fused=True`, works without these:

# %% {"slug": "fused"}
steps["fused"] = memory_of(way, *made(fused=True))
print("fused=True: {:.1f} MiB, in optimizer.step {:.1f} MiB".format(*peaks(*made(fused=True), way)))

# %% [markdown] {"slug": "recompute-text"}
# ### Fix it here
#
# A colleague combines both remedies. Make the docstring true.

# %% {"slug": "recompute-program"}
from torch import nn
from torch.utils.checkpoint import checkpoint


def recompute(model, text):
    """Return the loss. Computes in bfloat16, keeps float32 weights and few activations."""
    model.bfloat16()
    scores = checkpoint(model, text[:, :-1], use_reentrant=False)
    return nn.functional.cross_entropy(scores.flatten(0, 1).float(), text[:, 1:].flatten())


# %% [markdown] {"slug": "recompute-check-text"}
# The check looks at weights, loss and peak.

# %% {"slug": "recompute-check"}
check("fit.recompute", recompute)

# %% [markdown] {"slug": "shards"}
# ## 4. A quarter each · 17 min
#
# Parameters, gradients and states are left. DDP keeps all of them on each rank. With `fully_shard`
# ([FSDP2](glossary.md#fsdp)), each of four ranks keeps a **shard**, a quarter of each tensor.
#
# - *Forward:* before a block runs, the ranks **gather** its parameters. Afterwards they free them. (The last
#   group stays gathered until `backward`.)
# - *Backward:* they gather them again. While one block computes, they gather the next: two at a time. Then they average
#   the gradients, and each rank keeps its quarter (*reduce-scatter*).
# - *Optimizer:* each rank updates its quarter.
#
# Each call of `fully_shard` makes one group, whose parameters are gathered together. In `whole`, this is the whole model. In
# `shard`, each block is a group, and the last call takes the rest. `half` replaces autocast.
#
# To measure memory, one rank is enough. In a *fake* group, the other ranks do not exist: a collective returns at once, with
# arbitrary values. (This group is not public.)

# %% {"slug": "shard-file"}
# %%writefile shards.py
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from torch.testing._internal.distributed.fake_pg import FakeStore

half = MixedPrecisionPolicy(param_dtype=torch.bfloat16, reduce_dtype=torch.float32)


def whole(model):
    return fully_shard(model, mp_policy=half)


def shard(model):
    for block in model.blocks:
        fully_shard(block, mp_policy=half)
    return fully_shard(model, mp_policy=half)


@contextmanager
def one_of(ranks):
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=ranks)
    yield
    dist.destroy_process_group()


# %% [markdown] {"slug": "teeth-text"}
# We measure rank 0 of four, first with one group, then by block. (Up to half a minute.)

# %% {"slug": "teeth"}
from shards import one_of, shard, whole

way, groups = partial(loss_of, run=by_block), {}
with one_of(4):
    for name, place in {"one group": whole, "by block": shard}.items():
        groups[name] = memory_of(way, *made(place, fused=True))
step_chart(groups, title="By block, a rank gathers less at a time")

# %% [markdown] {"slug": "ranks-ask"}
# Mind the scale. The rank's own quarter is always there. *Gathered* includes the buffers for what a rank
# receives. At both peaks, the largest temporaries are the gradients of a whole group in float32, before
# each rank gets its quarter.
#
# Now compare 8 ranks with 64, each with a batch of the same size.

# %% {"slug": "ranks-predict"}
predict("12.ranks")

# %% {"slug": "ranks-shown"}
found = {}
for ranks in (8, 64):
    with one_of(ranks):
        found[ranks] = max(peaks(*made(shard, fused=True), way))
    print(f"{ranks} ranks: {found[ranks]:.1f} MiB")
share = found[64] / found[8]
reveal("12.ranks", "to about three quarters" if share > 0.6 else "to about an eighth")

# %% [markdown] {"slug": "ranks-read"}
# **Recorded** for Llama 3.1 with 8 billion parameters on H100 GPUs of 96 GB, December 2024
# ([torchtitan](https://github.com/pytorch/torchtitan/blob/main/benchmarks/llama3_h100_202412_torchtitan.md)): 82.4 GiB on each of
# 8 GPUs, and 67.0 GiB on each of 128.
#
# ### Fix it here
#
# A colleague prepares a model for several ranks. No error is raised, but the model learns nothing. Make the docstring true.

# %% {"slug": "sharded-program"}
import torch
from torch.distributed.fsdp import fully_shard


def sharded(model):
    """Shard the model by block. Returns the AdamW that trains it."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    fully_shard(model)
    return optimizer


# %% [markdown] {"slug": "sharded-check-text"}
# The check trains with it, and measures one of four ranks.

# %% {"slug": "sharded-check"}
check("fit.sharded", sharded)

# %% [markdown] {"slug": "files"}
# ## 5. Four real ranks · 7 min
#
# This script trains on four ranks, each with 32 MiB. All begin with one seed, since `fully_shard` sends no weights. At the
# end, rank 0 saves all of them.

# %% {"slug": "ranks-file"}
# %%writefile ranks.py
import os
from functools import partial

import torch
import torch.distributed as dist
from gpt import GPT
from shards import shard
from torch.distributed.checkpoint.state_dict import StateDictOptions, get_model_state_dict
from torch.nn.functional import cross_entropy
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0), torch.cuda.set_device(rank := int(os.environ["LOCAL_RANK"]))
torch.cuda.set_per_process_memory_fraction(32 * 2**20 / torch.cuda.mem_get_info()[1])
dist.init_process_group("nccl")
model = shard(GPT())
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001, fused=True)
data = torch.tensor(list(open("gpt.py", "rb").read()[rank * 65 :][:520])).view(8, 65).cuda()
way, targets = partial(checkpoint, use_reentrant=False), data[:, 1:].flatten()
for _ in range(10):
    torch.cuda.reset_peak_memory_stats()
    loss = cross_entropy(model(data[:, :-1], way).flatten(0, 1).float(), targets)
    loss.backward(), optimizer.step(), optimizer.zero_grad()
peak = torch.cuda.max_memory_allocated() / 2**20
print(f"rank {rank}: loss {loss.item():.1f}, peak {peak:.1f} MiB\n", end="")
options = StateDictOptions(full_state_dict=True, cpu_offload=True)
full = get_model_state_dict(model, options=options)  # all ranks take part
if rank == 0:
    torch.save(full, "gpt.pt")
dist.destroy_process_group()

# %% [markdown] {"slug": "ranks-run-text"}
# (The cell takes up to a minute.)

# %% {"slug": "ranks-run"}
from gpt import GPT

# !torchrun --standalone --nproc-per-node 4 ranks.py 2>/dev/null
# !du -h --apparent-size gpt.pt
model = GPT()
model.load_state_dict(torch.load("gpt.pt"))
print(f"loss of the loaded model: {loss_of(model.cuda()).item():.1f}")
del model  # its memory shall not count in a later cell

# %% [markdown] {"slug": "files-read"}
# The fake rank was right. But rank 3 needs 1 MiB more: PyTorch has no fused attention in bfloat16 for its GPU, an RTX
# 2080 Ti, and stores the result of each step of the attention.
#
# The file is an ordinary state dict (lesson 10): it loads without a group. To gather it, all ranks call
# `get_model_state_dict`, and rank 0 needs CPU memory for the whole model. `torch.save(model.state_dict())` on rank 0 raises no
# error, but saves a quarter of each tensor. All ranks can also write their shards at once, each into its own file
# ([Reference](reference.md#a-model-that-does-not-fit-what-you-look-up)).

# %% [markdown] {"slug": "project"}
# ## The project · 2 min
#
# `train.py` has 24,000 parameters: 0.4 MiB, with gradients and states. Shards would save nothing. Its memory is activations,
# so `--parts` is right (lesson 08).
#
# | what fills your peak | remedy |
# |---|---|
# | activations | smaller parts, bfloat16, a checkpoint around each block |
# | scores of all tokens (*logits*), if the vocabulary is large | the loss in parts, with a checkpoint around each |
# | an earlier step, whose loss is kept with its graph | keep `loss.item()` (lesson 02) |
# | temporaries of the optimizer | `fused=True` |
# | parameters, gradients and states | shards |
# | parameters that are all gathered together | shards by block |
#
# All your steps, on one scale:

# %% {"slug": "project-after"}
step_chart(steps | groups, title="Remedy after remedy, the peak falls")

# %% [markdown] {"slug": "recap"}
# At each peak, something else is at the top. So look first, then choose. On each of four GPUs, all remedies together need a
# quarter of the first peak.
#
# ## What you learned · 3 min
#
# Without looking back:

# %% {"slug": "recap-1-quiz"}
quiz("12.after.first")

# %% [markdown] {"slug": "assignment-and-next"}
# Answer aloud, then open the answers.
#
# 1. What does autocast make smaller, and what not?
# 2. Why does a checkpoint around the whole model save nothing?
# 3. In which order do you shard blocks and model, and make the optimizer?
#
# <details><summary>Answers</summary>
#
# 1. Activations. Weights, gradients and states stay in float32.
# 2. At the start of `backward`, all activations are in memory at the same time.
# 3. Blocks, model, optimizer.
#
# </details>
#
# ## The assignment, and the next lesson
#
# **Now: [Assignment 12: When it does not fit](../assignments/12_fit/12_fit.ipynb).**
# You will shard a model, choose the fewest remedies for a budget, find out what fills a memory, and fix a sharded script.
#
# **Next lesson:** [13, *Capstone*](13_capstone.ipynb): another author's script, and your own program on any machine.
