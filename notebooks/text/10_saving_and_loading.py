# %% [markdown] {"slug": "title"}
# # Saving and loading
#
# *On the Right Device*, lesson 10 · previous lesson: [09, *Feeding the
# GPU*](09_feeding_the_gpu.ipynb) · [Glossary](glossary.md)
#
# Last night, porto lost its power while your model was training. You have a checkpoint, and a laptop without a GPU.
# What must be in the file, and in which order do you load it, so that the run goes on as if nothing had happened?
#
# ## What you will be able to do
#
# - **load** a checkpoint on any machine;
# - **explain** missing and unexpected keys, and where a prefix comes from;
# - **recognise** a file that can run code, and a file that is no checkpoint;
# - **restart** a run as if it had never stopped.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lessons 02 and 03; what an optimizer is.
#
# ## Before we start · 3 min
#
# The imports take some seconds.

# %% {"slug": "imports"}
from pathlib import Path

import torch
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.lesson10 import file_map, load_map, log_in, restart_chart

log_in("porto")
# !nvidia-smi --query-gpu=index,name,utilization.gpu --format=csv

# %% [markdown] {"slug": "before-from-memory"}
# About lesson 03:

# %% {"slug": "before-1-quiz"}
quiz("10.before.to")

# %% [markdown] {"slug": "night"}
# ## 1. What a file contains · 9 min
#
# Here is last night's program. After each epoch it saves a [checkpoint](glossary.md#checkpoint): a dict of
# [state dicts](glossary.md#state-dict), with a few numbers. It still wraps the model in `DataParallel` (lesson 07).
# SIGKILL plays the power failure: no program can catch it.

# %% {"concepts": ["C180"], "slug": "night-program"}
# %%writefile night.py
import os
import sys
from collections import OrderedDict

import torch
from torch import nn


def build():
    body, norm, head = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Linear(16, 1)
    return nn.Sequential(OrderedDict(body=body, norm=norm, head=head))


def start(device):
    torch.manual_seed(0)
    model = build().to(device)
    return model, torch.optim.AdamW(model.parameters(), lr=0.01)


def train_epoch(model, optimizer, device):
    for batch in torch.randn(20, 32, 8).to(device):
        loss = (model(batch) - batch.prod(dim=1, keepdim=True)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


if __name__ == "__main__":
    path, fails, device = sys.argv[1], int(sys.argv[2]), "cuda:1"
    net, optimizer = start(device)
    model = nn.DataParallel(net, device_ids=[1])
    for epoch in range(1, 5):
        print(f"epoch {epoch}: last loss {train_epoch(model, optimizer, device):.4f}", flush=True)
        if epoch == fails:
            os.kill(os.getpid(), 9)  # SIGKILL
        state = {"model": model.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save({**state, "generator": torch.get_rng_state(), "epoch": epoch}, path)

# %% [markdown] {"slug": "night-text"}
# First a run without a stop, then last night's: the power fails before epoch 3 is saved. (Half a minute. Each loss is that
# of one batch, so it jumps.)

# %% {"concepts": ["C190"], "slug": "night-run"}
from night import build, start, train_epoch

# !python night.py whole.pt 0
# !python night.py night.pt 3

# %% [markdown] {"slug": "laptop"}
# The laptop sees no GPU, and opens the file.

# %% {"slug": "laptop-predict"}
predict("10.laptop")

# %% {"concepts": ["C181", "C184"], "slug": "laptop-shown"}
program = "import torch; print(torch.load('night.pt')['epoch'], 'epochs')"
# said = !CUDA_VISIBLE_DEVICES= python -c "{program}" 2>&1
print(said[-1])
display(file_map("night.pt"))
reveal("10.laptop", "an error" if "Error" in said[-1] else "a number of epochs")

# %% [markdown] {"slug": "laptop-read"}
# - *deserialize object*: make tensors from the contents of the file.
# - *on a CUDA device*: each [storage](glossary.md#storage) in the file has a **location tag**, the device from which it was
#   saved.
# - *CPU-only machine*: a guess. The GPU may be hidden.
#
# `torch.load` puts each tensor where its tag says, or where `map_location` says.
#
# ## 2. Names · 16 min
#
# The CPU exists on every machine, so read to the CPU. Then the weights go into a model:

# %% {"concepts": ["C182", "C183", "C185", "C186", "C189"], "slug": "names-error"}
checkpoint = torch.load("night.pt", map_location="cpu")
print(checkpoint["epoch"], "epochs, weights on", checkpoint["model"]["module.head.bias"].device)
model = build()
try:
    model.load_state_dict(checkpoint["model"])
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "names-read"}
# A key is the path to a tensor. Both words are about the **file**: a key is *missing* if only the model has it, and
# *unexpected* if only the file has it. Here, the unexpected keys are the keys of the model with a prefix: `DataParallel` and
# `DistributedDataParallel` keep the model under the name `module`.
#
# Many then try `strict=False`.

# %% {"slug": "strict-predict"}
predict("10.strict")

# %% {"concepts": ["C186"], "errata": ["E107"], "slug": "strict-shown"}
result = model.load_state_dict(checkpoint["model"], strict=False)
print(len(result.missing_keys), "missing,", len(result.unexpected_keys), "unexpected")
saved = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
loaded = [key for key, value in model.state_dict().items() if torch.equal(value, saved[key])]
reveal("10.strict", f"{len(loaded)} tensors, silently")

# %% [markdown] {"slug": "clean"}
# (Only 8 are missing: PyTorch adds `num_batches_tracked` to a file that seems to be old.)
#
# Use `strict=False` only for a part of a file, such as a backbone, and read both lists.
#
# Clean an old file once. A function of PyTorch removes the prefix, in place. Your own `key.replace("module.", "")` would
# also rename a real part `module`, and `key.lstrip("module.")` removes single letters.
#
# `torch.compile` is a wrapper, too, with another prefix:

# %% {"concepts": ["C185", "C187", "C188"], "errata": ["E100", "E101", "E105"], "slug": "cleaned"}
nn.modules.utils.consume_prefix_in_state_dict_if_present(checkpoint["model"], "module.")
print(model.load_state_dict(checkpoint["model"]))
torch.save(checkpoint, "clean.pt")
print(next(iter(torch.compile(build()).state_dict())))

# %% [markdown] {"slug": "weights-text"}
# `model.compile()` works in place, and adds no prefix.
#
# The best file needs no cleaning: save the model, not its wrapper. Load to the CPU on a computer with GPUs, too: otherwise,
# a GPU briefly holds two sets of weights. `load_state_dict` copies values, and the model stays where it is. Its mode is
# not in the file: call `eval()` before you predict.
#
# ### Fix it here
#
# This function saves and loads. Make its docstring true, on any machine. Keys in the file have no prefix.

# %% {"concepts": ["C180", "C183", "C188"], "errata": ["E109"], "slug": "weights-program"}
import torch
from torch import nn


def weights(trained, path, model, device):
    """Save the weights of `trained` to the file `path`; return `model` with them, on `device`."""
    torch.save(trained.state_dict(), path)
    state_dict = torch.load(path)
    model.load_state_dict(state_dict, strict=False)
    return model.to(device)


# %% [markdown] {"slug": "weights-check-text"}
# `trained` may be a `DataParallel`. The check also reads the keys.

# %% {"slug": "weights-check"}
check("saving.weights", weights)

# %% [markdown] {"slug": "weights-drawn-text"}
# The file of last night, and yours:

# %% {"concepts": ["C182", "C183"], "errata": ["E109"], "slug": "weights-drawn"}
gpu1, gpu2 = torch.device("cuda:1"), torch.device("cuda:2")
mine = weights(nn.DataParallel(build().to(gpu1), device_ids=[1]), "weights.pt", build(), gpu2)
load_map("night.pt", "weights.pt", mine)

# %% [markdown] {"slug": "trust"}
# ## 3. A file can run code · 2 min
#
# Why not save the whole model? `torch.save` writes a *pickle*. It names functions, and `torch.load` calls them.
# In a state dict, a few functions of PyTorch make tensors. In a whole model, they may be any functions. This file contains
# a weight and a `Note`:


# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "trust-shown"}
class Note:
    def __reduce__(self):
        return print, ("this line was printed by the file",)


torch.save({"weight": torch.ones(1), "note": Note()}, "stranger.pt")
stranger = torch.load("stranger.pt", weights_only=False)

# %% [markdown] {"slug": "trust-read"}
# The file could call any function, not only `print`. Since PyTorch 2.6, `weights_only=True` is the default, and refuses
# this. If you trust a class that the error names, allow this class alone:
# `with torch.serialization.safe_globals([PosixPath])`. For published weights, *safetensors* has neither code nor tags ([the reference](reference.md#files-of-weights)).
#
# ## 4. What decides the next step · 13 min
#
# Suppose that you restart after epoch 1, with the right weights, but forget one other part.

# %% {"slug": "resume-predict"}
predict("10.resume")


# %% {"concepts": ["C191"], "slug": "second-epoch"}
def second_epoch(forgotten=None):
    net, adam = start("cpu")
    train_epoch(net, adam, "cpu")
    if forgotten == "optimizer":
        adam = torch.optim.AdamW(net.parameters(), lr=0.01)
    if forgotten == "generator":
        torch.manual_seed(0)
    return train_epoch(net, adam, "cpu")


# %% [markdown] {"slug": "second-epoch-text"}
# The loss at the end of epoch 2:

# %% {"concepts": ["C191"], "slug": "resume-shown"}
whole = second_epoch()
losses = {part: second_epoch(part) for part in ("optimizer", "generator")}
print("without a stop:", whole, "| forgotten:", losses)
reveal("10.resume", "".join(part for part, loss in losses.items() if loss == whole) or "neither")

# %% [markdown] {"slug": "restart-text"}
# So compare a run with a stop and one without. Everything that has a state belongs in the file: also a scheduler, a
# `GradScaler`, and the generators of GPUs (`torch.cuda.get_rng_state_all()`), which dropout uses there. In the middle of
# an epoch, a data loader has a state, too.
#
# The order matters. AdamW puts the averages that it loads on the device of its parameters *at that moment*. `Module.to` does
# not move these averages later. And `build()` uses random numbers.
#
# ### Fix it here
#
# Chen's function restarts a run of `night.py`. Make its docstring true.

# %% {"concepts": ["C188", "C190", "C191"], "slug": "restart-program"}
import torch


def restart(build, path, device):
    """Return model, optimizer and number of finished epochs, as they were when `path` was saved."""
    checkpoint = torch.load(path, map_location=device)
    model = build()
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.to(device)
    return model, optimizer, checkpoint["epoch"]


# %% [markdown] {"slug": "restart-check-text"}
# The check trains another epoch, and compares the weights, to the last bit.

# %% {"slug": "restart-check"}
check("saving.restart", restart)

# %% [markdown] {"slug": "files"}
# ## 5. Files that are no checkpoints · 6 min
#
# A colleague sends you `weights.bin`, from a repository with Git LFS. Without LFS, a download has a pointer in place of each
# large file: three lines of text.

# %% {"slug": "advice-predict"}
predict("10.advice")

# %% {"concepts": ["C189"], "errata": ["E98"], "slug": "advice-shown"}
pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 1310720\n"
Path("weights.bin").write_text(pointer)
try:
    torch.load("weights.bin")
except Exception as error:
    print(said := str(error).splitlines()[0])
advised = "to load it with weights_only=False" if "weights_only" in said else "to use map_location"
reveal("10.advice", advised)

# %% [markdown] {"slug": "torn-text"}
# Never follow this advice for a file that you do not trust. Read its first bytes: since PyTorch 1.6, a file of
# `torch.save` begins with `PK`, as every zip archive. A web page begins with `<`.
#
# An archive has its table of contents at the *end*. So a file that was cut off begins as it should, and the error may not
# name the cause:

# %% {"concepts": ["C190"], "slug": "torn-shown"}
torch.save(nn.Linear(1000, 1000).state_dict(), "big.pt")
data = Path("big.pt").read_bytes()
for size in (len(data), 100_000, 20_000, 0):
    Path("torn.pt").write_bytes(data[:size])
    try:
        print(size, data[:size][:4], "loads:", len(torch.load("torn.pt")), "tensors")
    except Exception as error:
        print(size, data[:size][:4], f"{type(error).__name__}: {str(error)[:80] or '(no text)'}")

# %% [markdown] {"slug": "atomic"}
# (The `OSError`: PyTorch searches backwards, and here beyond the beginning.)
#
# The missing bytes are lost, so keep older checkpoints. To avoid torn files, write under another name in the *same folder*,
# then call `os.replace(new, path)`. This renames the file in one step: if the program is killed earlier, the old file is
# still complete. Against a power failure, also call `os.fsync`: for the file before this step, and for its folder after
# it.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# In the assignment, you write `save` and `resume` for `train.py`, which saves once per epoch: a kill costs at most one. Here,
# the course's version is killed on a GPU, and goes on without one (half a minute):

# %% {"concepts": ["C190"], "slug": "project-moved"}
project.train("10", gpus=1, epochs=4, out="moved", stop_after=2)
run = project.train("10", "--resume", epochs=4, out="moved")

# %% [markdown] {"slug": "night-again"}
# Your `restart` finishes last night's run on another GPU of the same kind:

# %% {"concepts": ["C188"], "slug": "night-finished"}
whole, kept, equal = torch.load("whole.pt", map_location=gpu2)["model"].values(), 0, False
try:
    net, adam, epoch = restart(build, "clean.pt", gpu2)
    losses = [train_epoch(net, adam, gpu2) for _ in range(epoch, 4)]
    kept, equal = epoch, all(map(torch.equal, net.state_dict().values(), whole))
except (RuntimeError, TypeError) as error:
    print("not restarted:", error)
restart_chart(saved=2, kept=kept, epochs=4, equal=equal, on="cuda:2")

# %% [markdown] {"slug": "recap"}
# With a correct `restart`, the weights equal those of the run without a stop, to the last bit. On another kind of device, digits and random numbers may differ; on a real GPU, even from run to run.
#
# **Recorded**, July 2024: on 16,384 H100, the training of Llama 3 was stopped unexpectedly 419 times in 54 days
# ([DCD](https://www.datacenterdynamics.com/en/news/meta-report-details-hundreds-of-gpu-and-hbm3-related-interruptions-to-llama-3-training-run/)).
#
# ## What you learned · 4 min
#
# A question:

# %% {"slug": "recap-1-quiz"}
quiz("10.after.stays")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What is a location tag, and when is it followed?
# 2. Where does `module.` come from, and how do you keep it out of a file?
# 3. Why is neither `strict=False` nor `weights_only=False` a cure?
# 4. In which order do you restart a run?

#
# <details><summary>Answers</summary>
#
# 1. The name of the device that a storage was saved from. `torch.load` follows it, unless `map_location` says where.
# 2. From a wrapper, which keeps the model under that name. Save `wrapped.module.state_dict()`.
# 3. The first can leave random weights, silently. The second runs the code in the file.
# 4. Build, move, make the optimizer, load both from the CPU, restore the generator.

#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 10: Saving and loading](../assignments/10_saving/10_saving.ipynb).**
# You will load any file, write `save` and `resume`, load what fits, and find out what is wrong with a file.
#
# **Next lesson:** [11, *DDP from inside*](11_ddp_from_inside.ipynb): one process for each
# GPU, and what they have to tell each other.
