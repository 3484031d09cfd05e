# %% [markdown] {"slug": "title"}
# # Saving and loading
#
# *On the Right Device*, lesson 10 · previous lesson: [09, *Feeding the
# GPU*](09_feeding_the_gpu.ipynb) · [Glossary](glossary.md)
#
# A model is trained on a server with four GPUs, and its weights are saved. Can a laptop load the
# file? Do the names in it fit another copy of the model? And can a training run that was
# interrupted go on as if it had never stopped? This lesson opens such files and finds out.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **load** any file of weights on any machine;
# - **predict** where loaded tensors land, and where the model is afterwards;
# - **explain** missing and unexpected keys, and where a prefix comes from;
# - **save** models so that nobody has to clean the keys;
# - **recognise** files that can run code, and choose a format that cannot;
# - **resume** a training run as if it had never stopped;
# - **read** five errors of saving and loading, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lessons 02 and 03; what an optimizer is.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson. `safetensors` is a package of its own, used in section 6.

# %% {"slug": "imports"}
import os
import tempfile
import warnings
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present

# %% [markdown] {"slug": "before-tools"}
# And the tools of the course:
# %% {"slug": "imports-course"}
from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import run_child
from lesson_parts.waiting import waiting
from lesson_parts import project
from lesson_parts.lesson10 import key_map, load_map, tag_map

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about lessons 02 and 03, from memory.

# %% {"slug": "before-1-quiz"}
quiz("10.before.to")

# %% {"slug": "before-2-quiz"}
quiz("10.before.name")

# %% {"slug": "before-3-quiz"}
quiz("10.before.registered")

# %% [markdown] {"slug": "server"}
# ## 1. What a file of weights knows · 8 min
#
# First we play the server. It has four GPUs, real or virtual ones, and a folder for files.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu1, gpu2, gpu3 = devices[1:]
workspace = tempfile.TemporaryDirectory()
folder = Path(workspace.name)

# %% [markdown] {"slug": "net"}
# The model is small: two linear layers and a normalisation.


# %% {"concepts": ["C180"], "slug": "net-defined"}
class Net(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.linears = nn.ModuleList([nn.Linear(4, width), nn.Linear(width, 4)])
        self.norm = nn.BatchNorm1d(width)

    def forward(self, batch):
        return self.linears[1](self.norm(self.linears[0](batch)).relu())


# %% [markdown] {"slug": "state-dict"}
# You rarely save the model itself. You save its [state dict](glossary.md#state-dict), which has a
# name for each [parameter](glossary.md#parameter) and each [buffer](glossary.md#buffer), except
# buffers that were registered with `persistent=False`. Our model is on `cuda:1`, its last layer on
# `cuda:3`.

# %% {"concepts": ["C180"], "slug": "state-dict-shown"}
model = Net().to(gpu1)
model.linears[1].to(gpu3)
path = folder / "weights.pt"
torch.save(model.state_dict(), path)
for key, tensor in model.state_dict().items():
    print(f"{key:24} {tuple(tensor.shape)!s:7} {tensor.device}")

# %% [markdown] {"slug": "laptop"}
# A name, or **key**, is a path: `linears.0.weight` is the weight of the first of the linears.
#
# Now we play the laptop: a second Python that sees no GPU loads the file. This takes about
# 5 seconds.

# %% {"slug": "laptop-predict"}
predict("10.laptop")

# %% {"concepts": ["C181", "C182"], "slug": "laptop-shown"}
program = f"import torch; print(torch.load(r'{path}')['norm.weight'].device)"
with waiting("Starting a Python without a GPU", seconds=5):
    printed = run_child(program, CUDA_VISIBLE_DEVICES="")
print(printed)
reveal("10.laptop", "an error" if "Error" in printed else f"tensors on {printed}")

# %% [markdown] {"slug": "laptop-read"}
# - *deserialize object*: turn what is in the file into a tensor again.
# - *on a CUDA device*: what the file says. We look into it below.
# - *is_available() is False*: about this machine, not about the file.
# - *CPU-only machine*: a guess. The machine may have a GPU that is hidden, or a PyTorch that was
#   installed without CUDA.
#
# `tag_map` draws what the file says, and loads nothing.

# %% {"concepts": ["C180", "C182"], "slug": "tags-shown"}
tag_map(path, title="weights.pt, as the server saved it")

# %% [markdown] {"slug": "tags-read"}
# [`torch.save`](https://docs.pytorch.org/docs/stable/generated/torch.save.html) writes a zip
# archive: a small pickle with the structure, and one entry for each
# [storage](glossary.md#storage). Each storage has a **location tag**, a string that names the
# device it was saved from.
# [`torch.load`](https://docs.pytorch.org/docs/stable/generated/torch.load.html) follows the tags,
# unless you tell it where to put the storages.
#
# (The name of a file says nothing about devices. By convention it ends in `.pt` or `.pth`.)
#
# ## 2. Choose where it lands: `map_location` · 5 min
#
# `map_location` has four forms:
#
# | form | example | a storage with the tag `cuda:3` goes to |
# |---|---|---|
# | string | `"cpu"` | the CPU, and so does every other |
# | device | `torch.device("cuda:0")` | `cuda:0`, and so does every other |
# | dict | `{"cuda:3": "cuda:0"}` | `cuda:0` |
# | function | `lambda storage, tag: storage` | where the function puts it |
#
# A function gets each storage, on the CPU, and its tag; where it returns `None`, the tag decides.
# An index, as in `map_location=1`, raises a `TypeError`: it is called as if it were a function.
#
# First no `map_location` at all, then three of the four forms:


# %% {"concepts": ["C183", "C184"], "errata": ["E109"], "slug": "forms-simple"}
def landing(place):
    state_dict = torch.load(path, map_location=place)
    return sorted({str(tensor.device) for tensor in state_dict.values()})


print("none:    ", landing(None))
print("string:  ", landing("cpu"))
print("device:  ", landing(gpu2))
print("function:", landing(lambda storage, tag: storage if tag == "cuda:3" else None))

# %% [markdown] {"slug": "forms-dict"}
# The fourth form: this dict knows only one of the two tags.

# %% {"slug": "forms-dict-predict"}
predict("10.dict")

# %% {"concepts": ["C183"], "slug": "forms-dict-shown"}
reveal("10.dict", " and ".join(landing({"cuda:3": "cpu"})))

# %% [markdown] {"slug": "into-model"}
# ## 3. From the loaded tensors to the model · 7 min
#
# The tensors are loaded. Now they go into a model.

# %% {"slug": "moves-model-claim"}
claim("10.claim.moves-model")

# %% {"concepts": ["C183", "C188"], "errata": ["E109"], "slug": "moves-model-shown"}
model = Net()
state_dict = torch.load(path, map_location=gpu1)
model.load_state_dict(state_dict)
print("loaded tensors:", state_dict["norm.weight"].device)
print("model:         ", model.norm.weight.device)
verdict("10.claim.moves-model")

# %% [markdown] {"slug": "three-lines"}
# So `cuda:1` held a second set of weights, for nothing, and perhaps on a card that somebody else is
# using. The CPU is the best place for tensors in transit, on a machine with GPUs as well. These
# lines work on any machine:

# %% {"concepts": ["C183", "C188"], "errata": ["E109"], "slug": "three-lines-shown"}
model = Net()
state_dict = torch.load(path, map_location="cpu")
model.load_state_dict(state_dict)
display(load_map(path, state_dict, model, gpu2, title="Load, copy, move"))
model = model.to(gpu2)

# %% [markdown] {"slug": "assign"}
# Read, copy, move. The picture also shows the price: until the model moves, the CPU's memory holds
# two sets of weights, the loaded ones and the model's. For a model of many gigabytes that matters,
# and there are two ways out:
#
# - `torch.load(…, mmap=True)` leaves the numbers in the file until they are used.
# - `load_state_dict(…, assign=True)` lets the model *take over* the loaded tensors, instead of
#   copying their values. Then their device and dtype count, not the model's.
#
# Someone has made an optimizer already, and loads with `assign=True`.

# %% {"slug": "assign-predict"}
predict("10.assign")

# %% {"concepts": ["C191"], "slug": "assign-shown"}
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
state_dict = torch.load(path, map_location="cpu", mmap=True)
model.load_state_dict(state_dict, assign=True)
trained = optimizer.param_groups[0]["params"]
same = sum(old is new for old, new in zip(trained, model.parameters(), strict=True))
reveal("10.assign", f"{same} of {len(trained)}")

# %% [markdown] {"slug": "names"}
# ## 4. Keys, and where a prefix comes from · 10 min
#
# The second family of errors is about names. Lesson 07 wraps a model in
# [`DataParallel`](https://docs.pytorch.org/docs/stable/generated/torch.nn.DataParallel.html). Here
# nothing is trained, and no GPU is used: we only wrap, twice.

# %% {"slug": "prefix-predict"}
predict("10.prefix")

# %% {"concepts": ["C185"], "errata": ["E105"], "slug": "prefix-shown"}
bare = Net()
wrapped = nn.DataParallel(bare)
reveal("10.prefix", next(iter(nn.DataParallel(wrapped).state_dict())))

# %% [markdown] {"slug": "compiled"}
# `DistributedDataParallel` adds the same prefix. What about
# [`torch.compile`](https://docs.pytorch.org/docs/stable/generated/torch.compile.html)?

# %% {"slug": "compiled-claim"}
claim("10.claim.compiled")

# %% {"concepts": ["C185", "C191"], "errata": ["E100"], "slug": "compiled-shown"}
compiled = torch.compile(Net())
in_place = Net()
in_place.compile()
for name, model in (("torch.compile(model)", compiled), ("model.compile()", in_place)):
    print(f"{name:21} {next(iter(model.state_dict()))}")
verdict("10.claim.compiled")

# %% [markdown] {"slug": "two-lists"}
# If only a *part* of a model is wrapped, the prefix is inside the key, as in `0.module.weight`. It
# belongs to the model, and has to stay.
#
# ### Two lists that do not fit
#
# `load_state_dict` compares the model's keys with the file's. Here they are, for a bare model and
# the state dict of a wrapped one:

# %% {"concepts": ["C186"], "slug": "two-lists-shown"}
key_map(bare, wrapped.state_dict(), title="A bare model, the file of a wrapped one")

# %% [markdown] {"slug": "two-lists-read"}
# No two keys are equal. Both words of the error look at the **file**: a key is *missing* if the
# model has it and the file does not; it is *unexpected* if the file has it and the model does not.

# %% {"concepts": ["C185", "C186", "C189"], "slug": "two-lists-error"}
try:
    bare.load_state_dict(wrapped.state_dict())
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "read-both"}
# Always read both lists. Here each missing key has a partner behind `module.`: the file is sound,
# and only the names are in the way. Unrelated names would mean that it is the file of another
# model.
#
# (The lists have 8 and 9 keys. PyTorch forgives the absence of `num_batches_tracked` here, because
# old files do not have it.)
#
# Many people then try `strict=False`. In the state dict below every number is 7, so that we see
# what is loaded.

# %% {"slug": "strict-predict"}
predict("10.strict")

# %% {"concepts": ["C186"], "errata": ["E107"], "slug": "strict-shown"}
sevens = {key: torch.full_like(tensor, 7) for key, tensor in wrapped.state_dict().items()}
model = Net()
with warnings.catch_warnings(record=True) as caught:
    result = model.load_state_dict(sevens, strict=False)
print(len(result.missing_keys), "missing,", len(result.unexpected_keys), "unexpected")
loaded = sum(bool((tensor == 7).all()) for tensor in model.state_dict().values())
reveal("10.strict", f"{loaded} tensors, {'with a warning' if caught else 'silently'}")

# %% [markdown] {"slug": "clean"}
# Use `strict=False` only if you want a part of a file, such as a backbone without its head. Then
# read the two lists that it returns.
#
# ## 5. Save it clean, or clean it · 5 min
#
# The best file needs no cleaning. The bare model is inside its wrapper:

# %% {"concepts": ["C185", "C188"], "slug": "save-clean-shown"}
torch.save(wrapped.module.state_dict(), folder / "clean.pt")
Net().load_state_dict(torch.load(folder / "clean.pt", map_location="cpu"))

# %% [markdown] {"slug": "clean-tutorials"}
# Anyone can load this file, whether they wrap the model or not. If their model is wrapped, they
# call `wrapped.module.load_state_dict(…)`.
#
# For files that have a prefix, many tutorials cut it off in one of three ways. The key below has
# two: the whole model is wrapped, and so is its decoder. Only the first has to go.

# %% {"slug": "clean-predict"}
predict("10.clean")

# %% {"concepts": ["C187"], "errata": ["E101"], "slug": "clean-shown"}
key = "module.decoder.module.weight"
cuts = {
    "key.replace('module.', '')": key.replace("module.", ""),
    "key.lstrip('module.')": key.lstrip("module."),
    "key.removeprefix('module.')": key.removeprefix("module."),
}
print("\n".join(f"{code:28} {cut}" for code, cut in cuts.items()))
reveal("10.clean", next(code for code, cut in cuts.items() if cut == "decoder.module.weight"))

# %% [markdown] {"slug": "clean-consume"}
# PyTorch has a function that does it right. It works in place, and also renames `_metadata`, where
# a state dict keeps the versions of its modules:

# %% {"concepts": ["C187", "C188", "C191"], "errata": ["E101"], "slug": "clean-consumed"}
state_dict = wrapped.state_dict()
consume_prefix_in_state_dict_if_present(state_dict, "module.")
print("versions of", list(state_dict._metadata))
Net().load_state_dict(state_dict)

# %% [markdown] {"slug": "clean-done"}
# It removes one level, and does not know whether `module.` is a wrapper's or a real part of the
# model: look at the keys first. And do not forget the last line. A dict with clean keys is only a
# dict; `load_state_dict` brings the values into the model.
#
# ## 6. Trust: what a file may do · 9 min
#
# Why save a state dict, and not simply the model? `torch.save(model, path)` works.

# %% {"slug": "trust-predict"}
predict("10.trust")

# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "trust-shown"}
torch.save(Net(), folder / "whole.pt")
try:
    outcome = f"a {type(torch.load(folder / 'whole.pt')).__name__}"
except Exception as error:
    outcome = type(error).__name__
    print(str(error).split(".")[0])
reveal("10.trust", outcome)

# %% [markdown] {"slug": "trust-flag"}
# The message offers a way out: `weights_only=False` reads the file with Python's full `pickle`. The
# next cell makes a file with a weight and a `Note`, loads it, and uses nothing of it.

# %% {"slug": "harmless-claim"}
claim("10.claim.harmless")


# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "harmless-shown"}
class Note:
    def __reduce__(self):
        return print, ("this line was printed by the file",)


torch.save({"weight": torch.ones(1), "note": Note()}, folder / "stranger.pt")
state_dict = torch.load(folder / "stranger.pt", weights_only=False)
verdict("10.claim.harmless")

# %% [markdown] {"slug": "trust-rules"}
# With `weights_only=False`, loading a file means running it. A whole model also depends on its
# class, under the same name in the same module, on every machine that loads it.
#
# `weights_only=True` leaves a hostile file far fewer ways to do harm, but it is no guarantee. One
# way around it was closed in version 2.6 (CVE-2025-32434), and the documentation of `torch.load`
# still says: “Never load data from an untrusted source.”
#
# ### safetensors
#
# The format *safetensors*, which is common on model hubs, has no pickle at all: names, shapes,
# dtypes, and numbers. We save the model of section 1, with parts on `cuda:1` and `cuda:3`.

# %% {"slug": "safetensors-claim"}
claim("10.claim.safetensors")

# %% {"concepts": ["C191"], "slug": "safetensors-shown"}
model = Net().to(gpu1)
model.linears[1].to(gpu3)
save_file(model.state_dict(), folder / "weights.safetensors")
print((folder / "weights.safetensors").read_bytes()[8:70], "…")
print("load_file:", {str(x.device) for x in load_file(folder / "weights.safetensors").values()})
verdict("10.claim.safetensors")

# %% [markdown] {"slug": "safetensors-limits"}
# The beginning of the file is readable text. `load_file(path, device="cuda:0")` loads onto a GPU
# directly, and PyTorch 2.13's `torch.load` reads files that end in `.safetensors` as well.
#
# The format holds tensors only: no optimizer, no epoch. And `save_file` refuses tensors that share
# memory, such as tied weights; `save_model(model, path)` takes care of them. So use safetensors for
# weights that you publish, and `torch.save` for your own checkpoints.
#
# ## 7. A checkpoint to resume from · 10 min
#
# A training run is interrupted. What does it take to go on as if nothing had happened? We build
# what a real training run has:


# %% {"concepts": ["C191"], "slug": "training-built"}
def build(device):
    model = Net().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    return {"model": model, "optimizer": optimizer, "scheduler": scheduler}


# %% [markdown] {"slug": "training-step"}
# The batches are random, like those of a loader that shuffles. (They are drawn on the CPU, so that
# every device gets the same ones.)


# %% {"concepts": ["C191"], "slug": "training-defined"}
def train(model, optimizer, scheduler, steps=3):
    for batch in torch.randn(steps, 8, 4).to(next(model.parameters()).device):
        loss = model(batch).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
    return loss.item()


# %% [markdown] {"slug": "checkpoint"}
# A [checkpoint](glossary.md#checkpoint) is a dict of state dicts, together with a few numbers:

# %% {"concepts": ["C180", "C191"], "slug": "checkpoint-built"}
torch.manual_seed(0)
training = build(gpu1)
train(**training)
ckpt = {name: part.state_dict() for name, part in training.items()}
ckpt |= {"random": torch.get_rng_state(), "step": 3}

# %% [markdown] {"slug": "atomic"}
# Save it before training goes on: a state dict holds the model's own tensors, not copies.
#
# What if the program is killed *while* the file is written? Then half a file is left, and the old
# one is gone. So write under another name first. `os.replace` then puts the new file in the place
# of the old one, in one step: there is always a whole one. (A power cut is another matter. Against
# that, the data must have reached the disk first, which is what `os.fsync` is for.)


# %% {"concepts": ["C190", "C191"], "slug": "atomic-shown"}
def save_checkpoint(ckpt, path):
    partial = path.with_suffix(".tmp")
    torch.save(ckpt, partial)
    os.replace(partial, path)


save_checkpoint(ckpt, folder / "checkpoint.pt")
expected = train(**training)
print("three more steps: ", expected)

# %% [markdown] {"slug": "resume"}
# With DDP (lesson 07) every process has the same weights, so only one saves:
# `if dist.get_rank() == 0: save_checkpoint(…)`. That is the process with
# [rank](glossary.md#rank) 0. All of them load, each into the model on its own GPU; if the file has
# just been written, they wait for it at `dist.barrier()`. (A model that is split over many GPUs, as
# with FSDP, is saved in parts: see `torch.distributed.checkpoint`.)
#
# Now the program starts again. It builds everything anew, and restores the checkpoint, except for
# one part if we say so.


# %% {"concepts": ["C188", "C190", "C191"], "slug": "resume-defined"}
def resume(without=None):
    training = build(gpu1)
    ckpt = torch.load(folder / "checkpoint.pt", map_location="cpu")
    for part in (part for part in training if part != without):
        training[part].load_state_dict(ckpt[part])
    if without != "random":
        torch.set_rng_state(ckpt["random"])
    return train(**training)


# %% [markdown] {"slug": "resume-asked"}
# The weights are always restored. Is everything else needed, too?

# %% {"slug": "resume-predict"}
predict("10.resume")

# %% {"concepts": ["C188", "C191"], "slug": "resume-shown"}
print(f"{'all restored':18} {resume()}")
losses = {part: resume(without=part) for part in ("optimizer", "scheduler", "random")}
for part, loss in losses.items():
    print(f"without {part:10} {loss}")
unneeded = [part for part, loss in losses.items() if loss == expected]
reveal("10.resume", " and ".join(unneeded) or "none of them")

# %% [markdown] {"slug": "resume-read"}
# If your model draws random numbers on the GPU, as dropout does, save
# `torch.cuda.get_rng_state_all()` as well. Load a checkpoint to the CPU, too: `set_rng_state`
# refuses a state that `map_location` has put on a GPU. Whatever else has a state belongs in the
# checkpoint, such as the `GradScaler` of mixed precision or the generator that shuffles.
#
# That raises a question. The checkpoint is on the CPU, and the model on a GPU: where are the
# states of the optimizer?

# %% {"slug": "optimizer-claim"}
claim("10.claim.optimizer")

# %% {"concepts": ["C188", "C191"], "slug": "optimizer-shown"}
ckpt = torch.load(folder / "checkpoint.pt", map_location="cpu")
early, late = build("cpu"), build(gpu2)
for training in (early, late):
    training["optimizer"].load_state_dict(ckpt["optimizer"])
early["model"].to(gpu2)
for name, training in (("load, then move the model:", early), ("move, then load:", late)):
    print(name, *{state["exp_avg"].device for state in training["optimizer"].state.values()})
verdict("10.claim.optimizer")

# %% [markdown] {"slug": "clinic"}
# ## 8. Error clinic · 9 min
#
# Read each message from left to right, and ask first: is it about a *device*, about *names*, about
# *trust*, or about the *file*?
#
# **Case 1.** A device. The laptop has one GPU now. (This takes about 5 seconds.)

# %% {"concepts": ["C181"], "slug": "clinic-few-shown"}
program = f"import torch; torch.load(r'{path}')"
with waiting("Starting a Python with one GPU", seconds=5):
    printed = run_child(program, CUDA_VISIBLE_DEVICES="0")
print(printed)

# %% [markdown] {"slug": "clinic-few-read"}
# - *CUDA device 1*: the tag, `cuda:1`.
# - *device_count() is 1*: the machine has one GPU, with index 0.
# - *map your storages to an existing device*: the **cure**. Any existing device will do;
#   `map_location="cpu"` is right everywhere.
#
# **Case 2.** Names: this time the *model* is wrapped, and the file is not.

# %% {"concepts": ["C186", "C189"], "slug": "clinic-keys-shown"}
try:
    nn.DataParallel(nn.Linear(3, 1)).load_state_dict(nn.Linear(3, 1).state_dict())
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-keys-read"}
# - *in loading state_dict for DataParallel*: the class of the model, which is a wrapper. A first
#   hint.
# - *Missing key(s)*: `module.weight`. *Unexpected key(s)*: `weight`. The prefix is on the model's
#   side.
#
# **Cure:** nothing to clean in the file; load into `wrapped.module`.
#
# **Case 3.** Names fit, shapes do not. You might try `strict=False`:

# %% {"slug": "clinic-size-claim"}
claim("10.claim.strict")

# %% {"concepts": ["C186", "C189"], "slug": "clinic-size-shown"}
one_class = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 1))
two_classes = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
try:
    two_classes.load_state_dict(one_class.state_dict(), strict=False)
except RuntimeError as error:
    print(error)
verdict("10.claim.strict")

# %% [markdown] {"slug": "clinic-size-read"}
# - *size mismatch for 1.weight*: both have this key.
# - *from checkpoint*: the file. *in current model*: the model.
#
# Layer `0`, which fits, has been loaded when the message appears.
#
# **Cure:** build the model as it was when it was saved. For a new head, delete the old head's keys
# from the state dict, then load with `strict=False`.
#
# **Case 4.** Trust: a checkpoint with the arguments of the program, a path among them.

# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "clinic-trust-shown"}
torch.save({"weight": torch.ones(1), "data": folder}, folder / "arguments.pt")
try:
    torch.load(folder / "arguments.pt")
except Exception as error:
    print(next(line for line in str(error).splitlines() if "GLOBAL" in line).strip())

# %% [markdown] {"slug": "clinic-trust-read"}
# The whole message is long; this is the line to look for.
#
# - *Unsupported global: GLOBAL pathlib…*: the class that reading the file would need.
# - *add_safe_globals*, *safe_globals*: allow this one class, for good or in a block.
#
# **Cure:** save plain values, such as `str(path)`. If you trust the file, allow what it needs:

# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "clinic-trust-cured"}
with torch.serialization.safe_globals([type(folder)]):
    print(list(torch.load(folder / "arguments.pt")))

# %% [markdown] {"slug": "clinic-torn"}
# **Case 5.** The file: its writing was interrupted.

# %% {"concepts": ["C190"], "slug": "clinic-torn-shown"}
torch.save(nn.Linear(300, 300).state_dict(), folder / "torn.pt")
os.truncate(folder / "torn.pt", 100_000)
try:
    torch.load(folder / "torn.pt")
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-torn-read"}
# - *failed finding central directory*: a zip archive has its table of contents at the end. Without
#   it, nothing can be read.
#
# A full disk and a download that broke off look the same. (With a small file, you may see `OSError:
# Invalid argument`.)
#
# **Cure:** none for this file; take the checkpoint before it. Write the next ones under another
# name and rename them, as in section 7.

# %% [markdown] {"slug": "project"}
# ## The project · 6 min
#
# If our `train.py` is stopped before its end, all of its work is lost. In the assignment you write
# `save` and `resume`, so their lines are not shown here. This is what the course's version does: it
# saves after every epoch all that the next epoch depends on, and with `--resume` it goes on from there.
#
# Another `--batch`, `--lr` or `--seed` would be another run, and is refused. And on SIGTERM, the
# signal by which `kill` and clusters end a program, it finishes its epoch, and saves it.
#
# First a run that nobody disturbs. This takes about 10 seconds.

# %% {"slug": "project-runs"}
whole = project.train("10", epochs=4)

# %% [markdown] {"slug": "project-same-text"}
# Then one that is killed after epoch 2 and resumed. Watch the number of the epoch. Are the losses the
# same, to the last digit?

# %% {"slug": "project-same"}
project.train("10", epochs=4, out="killed", stop_after=2)
resumed = project.train("10", "--resume", epochs=4, out="killed")
print("the same losses:", whole.log == resumed.log)

# %% [markdown] {"slug": "project-elsewhere"}
# Finally, a run that begins on a GPU, is killed, and goes on where there is none.

# %% {"slug": "project-moved"}
project.train("10", epochs=4, gpus=1, out="moved", stop_after=2)
moved = project.train("10", "--resume", epochs=4, out="moved")
print("the same losses:", whole.log == moved.log)

# %% [markdown] {"slug": "project-try"}
# The checkpoint is loaded onto the CPU first, so it does not matter where it was saved. On a real GPU
# the last digits would differ, because it adds up in another order.
#
# **Try:** suppose that the checkpoint did not hold the state of the random generator. Which of these
# cells would notice?
#
# <details><summary>Answer</summary>
#
# Both that resume: after the restart the images would come in another order, so the losses of epoch 3
# would differ.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 5 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("10.after.tag")

# %% {"slug": "recap-2-quiz"}
quiz("10.after.stays")

# %% {"slug": "recap-3-quiz"}
quiz("10.after.clean")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. What is a location tag, and when is it followed?
# 2. After `load_state_dict`, where is the model?
# 3. Where does `module.` come from, and how do you avoid it in files?
# 4. Why is neither `strict=False` nor `weights_only=False` a cure?
# 5. What does a checkpoint hold, besides the weights?
# 6. In which order do you build, move and load?
#
# <details><summary>Answers</summary>
#
# 1. The name of the device that a storage was saved from. `torch.load` follows it unless
#    `map_location` says where to go.
# 2. Where it was: values are copied into it. With `assign=True` it takes over the loaded tensors.
# 3. From a wrapper, which keeps the model under that name. Save `wrapped.module.state_dict()`.
# 4. The first can leave random weights, silently; the second runs whatever the file says.
# 5. The states of optimizer and scheduler, those of the random generators, and the epoch.
# 6. Build the model, move it, make the optimizer, then load both, from tensors on the CPU.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 10: Saving and loading](../assignments/10_saving/10_saving.ipynb).**
# You will load any file onto any device, write the parts of `train.py` that save it and let it go on, fix a
# program that loads, and load what fits and report the rest.
#
# **Next lesson:** [11, *Beyond DataParallel*](11_beyond_data_parallel.ipynb): one process for each
# GPU, and what they have to tell each other.
