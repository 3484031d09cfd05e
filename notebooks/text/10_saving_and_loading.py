# %% [markdown] {"slug": "title"}
# # Saving and loading
#
# *On the Right Device*, lesson 10
#
# A trained model is worth something only if it can be loaded again: tomorrow, on another machine,
# by somebody else. A file of weights remembers two things that can go wrong there: the *devices*
# its tensors came from, and the *names* they had. This lesson opens such files and looks. Its four
# words are those of the whole course: **choose** where the tensors go, **move** the model there,
# **run** it, **bring back** what you need.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **read** the location tags in a file, and say where its tensors will land;
# - **predict** what each form of `map_location` does, and which ones raise;
# - **tell** placing the loaded tensors from moving the model;
# - **explain** missing and unexpected keys, and where a prefix comes from;
# - **clean** keys without damaging them, and save them so that nothing needs cleaning;
# - **recognise** files that could run code, and save files that ask for little trust;
# - **cure** seven errors of saving and loading.
#
# **Minutes:** 75
#
# **Prerequisites:** tensors on devices, as in lesson 02; what a module and an optimizer are.
#
# Every cell runs with or without a GPU, and every file is written to a temporary folder. Choose an
# answer before a surprising cell, even if you have to guess.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need. Two new figures are among them: `tag_map` looks into a file, `key_map`
# compares names.

# %% {"slug": "imports"}
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from course_utils import lab, predict, quiz, reveal
from course_utils.figures import key_map, tag_map

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. Each answer comes with its reason.

# %% {"slug": "before-1-quiz"}
quiz("10.before.to")

# %% {"slug": "before-2-quiz"}
quiz("10.before.last")

# %% {"slug": "before-3-quiz"}
quiz("10.before.name")

# %% [markdown] {"slug": "run-and-save"}
# ## 1. Run and save: what is in the file
#
# We take four GPUs, real or virtual ones, and a folder that will be gone when you close the
# notebook.

# %% {"slug": "lab"}
devices = lab(gpus=4)
cpu = torch.device("cpu")
workshop = tempfile.TemporaryDirectory()
folder = Path(workshop.name)

# %% [markdown] {"slug": "net"}
# If the sentence says *virtual*, the CPU computes behind the scenes: devices and errors are CUDA's,
# speed is not. Our network is small: two linear layers and a normalisation.

# %% {"concepts": ["C180"], "slug": "net-defined"}
class FooNet(torch.nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.linears = torch.nn.ModuleList(torch.nn.Linear(4, 4) for _ in range(2))
        self.norm = torch.nn.BatchNorm1d(width)

# %% [markdown] {"slug": "state-dict"}
# You rarely save the network itself. You save its **state dict**: a dict with a name for each
# tensor that the network needs in order to be what it is.

# %% {"concepts": ["C180"], "slug": "state-dict-shown"}
net = FooNet()
for key, tensor in net.state_dict().items():
    print(f"{key:26} {tuple(tensor.shape)!s:8} {tensor.device}")

# %% [markdown] {"slug": "state-dict-explained"}
# Nine names. A name is a path: `linears.0.weight` is the weight of the first of the linears. The
# last three belong to *buffers*, which are not parameters but are saved all the same.
#
# ### A file says where it comes from
#
# The next line is from a well-known set of notes, with the file name as it is there.
#
# > **Claim in circulation.** “After `torch.save(net.state_dict(), "model_in_gpu_0.pkl")` the file
# > holds a model of the GPU; loading it on a laptop raises an error.”
#
# There are GPUs here. What does the file say?

# %% {"slug": "claim-gpu-file-predict"}
predict("10.gpu-file")

# %% [markdown] {"slug": "claim-gpu-file-look"}
# `tag_map` draws what is written in the file. It loads nothing.

# %% {"concepts": ["C180", "C184"], "errata": ["E97"], "slug": "claim-gpu-file-shown"}
torch.save(net.state_dict(), folder / "model_in_gpu_0.pkl")
picture = tag_map(folder / "model_in_gpu_0.pkl", title="model_in_gpu_0.pkl")
picture

# %% [markdown] {"slug": "claim-gpu-file-answer"}
# The right-hand column says it for each tensor. To compare it with your prediction:

# %% {"errata": ["E97"], "slug": "claim-gpu-file-reveal"}
reveal("10.gpu-file", "cpu" if "Tagged cpu" in picture.alt else "cuda:0")

# %% [markdown] {"slug": "claim-gpu-file-fact"}
# > **The fact.** What counts is where the tensors *are* when you save: neither the name of the file
# > nor the GPUs of the machine decide it.

# %% [markdown] {"slug": "tagged"}
# Now with two GPUs. We put one layer on the last GPU and the rest on `cuda:1`, and save again.

# %% {"concepts": ["C180", "C182"], "slug": "tagged-shown"}
net.to(devices[1])
net.linears[1].to(devices[3])
torch.save(net.state_dict(), folder / "foonet.pt")
tag_map(folder / "foonet.pt", title="foonet.pt")

# %% [markdown] {"slug": "tagged-explained"}
# Each **storage**, the block of memory behind a tensor, has a **location tag**: two of them
# `cuda:3`, seven `cuda:1`. The tag is a string and nothing else. Section 2 shows what it is for.
#
# What kind of file is it, and does its name matter?

# %% {"concepts": ["C180"], "slug": "zip-shown"}
import zipfile

for name in ("model_in_gpu_0.pkl", "foonet.pt"):
    print(name, zipfile.is_zipfile(folder / name))

# %% [markdown] {"slug": "zip-explained"}
# Both are zip archives, with a small pickle for the structure and one entry for each storage. The
# ending changes nothing for `torch.load`. By convention it is `.pt` or `.pth`: `.pkl` suggests that
# `pickle.load` could read it, which it cannot.
#
# ## 2. Load: what the tags do
#
# Tensors were saved from `cuda:1` and `cuda:3`. We load the file and give nothing but its path.

# %% {"slug": "follow-predict"}
predict("10.follow")

# %% {"concepts": ["C182", "C184"], "slug": "follow-shown"}
path = folder / "foonet.pt"
loaded = torch.load(path)
print(sorted({str(tensor.device) for tensor in loaded.values()}))
reveal("10.follow", loaded["linears.1.weight"].device)

# %% [markdown] {"slug": "elsewhere"}
# On the machine where a file was made, every device that it names is there. What happens on another
# machine? We use a stand-in: a second Python, to which fewer GPUs are visible.

# %% {"concepts": ["C181"], "slug": "elsewhere-defined"}
def elsewhere(program, gpus):
    start = "import torch\n" + (f"import course_utils\ncourse_utils.lab({gpus})\n" if gpus else "")
    place = {**os.environ, "CUDA_VISIBLE_DEVICES": ",".join(map(str, range(gpus)))}
    ran = subprocess.run([sys.executable, "-c", start + program], env=place,
                         capture_output=True, text=True)
    return (ran.stdout + ran.stderr).strip().splitlines()[-1]

# %% [markdown] {"slug": "laptop"}
# The function runs a program with the given number of GPUs and returns the last line of its output.
# First, a laptop with no GPU at all. It takes a few seconds.

# %% {"slug": "laptop-predict"}
predict("10.laptop")

# %% [markdown] {"slug": "laptop-run"}
# The program is one line:

# %% {"concepts": ["C181", "C182"], "slug": "laptop-shown"}
program = f"print(torch.load(r'{path}')['norm.weight'].device)"
said = elsewhere(program, gpus=0)
print(said)
reveal("10.laptop", said.partition(":")[0] if "Error" in said else f"tensors on {said}")

# %% [markdown] {"slug": "laptop-explained"}
# Next, a machine with one GPU:

# %% {"concepts": ["C181", "C182"], "slug": "one-gpu-shown"}
print(elsewhere(program, gpus=1))

# %% [markdown] {"slug": "one-gpu-explained"}
# `Attempting to deserialize object on CUDA device 1 but torch.cuda.device_count() is 1`. With one
# GPU there is only index 0. Without any GPU the message is a different one, and the one that most
# notes quote; this one you meet on a server.
#
# Both messages name the same cure: `map_location`.

# %% {"concepts": ["C183"], "slug": "laptop-cured"}
program = f"print(torch.load(r'{path}', map_location='cpu')['norm.weight'].device)"
print(elsewhere(program, gpus=0))

# %% [markdown] {"slug": "count-first"}
# It loads, on the CPU. One more thing about other machines. Some scripts ask how many GPUs
# there are before they set `CUDA_VISIBLE_DEVICES`.
#
# > **Claim in circulation.** “`torch.cuda.device_count()` only counts; you may always call it
# > before you set `CUDA_VISIBLE_DEVICES`.”

# %% {"concepts": ["C190"], "errata": ["E104"], "slug": "count-first-shown"}
program = "torch.cuda.device_count(); print('started:', torch.cuda.is_initialized())"
print(elsewhere(program, gpus=1))

# %% [markdown] {"slug": "count-first-fact"}
# `started: False`: here, counting did not start CUDA.
#
# > **The fact.** *Usually.* PyTorch asks the driver's management library first, which starts
# > nothing. Where that library cannot answer, for example on a card that is divided by MIG, it asks
# > CUDA itself, and then it is too late for the variable. Set it before anything else, best outside
# > of Python.

# %% [markdown] {"slug": "count-exit"}
# The same script wants to stop if there are too few GPUs. It begins like this:
#
# > **Claim in circulation.** “`if torch.cuda.device_count() < 2: import sys` ends the script on a
# > machine with one GPU.”
#
# We put the number in by hand, and add the way that does stop.

# %% {"concepts": ["C190"], "errata": ["E103"], "slug": "count-exit-shown"}
count = 1
if count < 2:
    import sys
print("still running")
try:
    raise SystemExit(f"2 GPUs needed, {count} found")
except SystemExit as stop:
    print("stopped:", stop)

# %% [markdown] {"slug": "count-exit-fact"}
# `still running`, then `stopped: 2 GPUs needed, 1 found`. (The `try` only keeps this notebook
# alive.)
#
# > **The fact.** The call of `sys.exit()` got lost when the notes were copied, and an import ends
# > nothing. The script goes on, and fails later, far from the cause.

# %% [markdown] {"slug": "choose"}
# ## 3. Choose: `map_location`
#
# With `map_location` **you** choose where the loaded tensors go. It has four forms:
#
# | form | example | a storage with tag `cuda:3` goes to |
# |---|---|---|
# | a string | `"cpu"` | the CPU, and so does every other |
# | a device | `torch.device("cuda:0")` | `cuda:0`, and so does every other |
# | a dict | `{"cuda:3": "cuda:0"}` | `cuda:0` |
# | a function | `lambda storage, tag: storage` | where the function puts it |
#
# A string and a device first:

# %% {"concepts": ["C183"], "slug": "forms-simple"}
def landing(place):
    loaded = torch.load(path, map_location=place)
    return sorted({str(tensor.device) for tensor in loaded.values()})

print(landing("cpu"), landing("cuda"), landing(devices[2]))

# %% [markdown] {"slug": "forms-dict"}
# The CPU; `cuda:0`, since `cuda` without an index means the current GPU; and `cuda:2`. Now a dict
# that knows only one of the two tags in the file.

# %% {"slug": "forms-dict-predict"}
predict("10.dict")

# %% {"concepts": ["C183"], "slug": "forms-dict-shown"}
places = landing({"cuda:3": "cpu"})
reveal("10.dict", " and ".join(places))

# %% [markdown] {"slug": "forms-function"}
# A function gets each storage, on the CPU, together with its tag. What it returns is used; if it
# returns `None`, the tag decides.

# %% {"concepts": ["C183"], "slug": "forms-function-shown"}
print(landing(lambda storage, tag: storage))
print(landing(lambda storage, tag: storage.cuda(2) if tag == "cuda:3" else None))

# %% [markdown] {"slug": "number"}
# All on the CPU; then `cuda:1` and `cuda:2`. What about a plain index, which `x.cuda(1)` accepts?

# %% {"slug": "number-predict"}
predict("10.number")

# %% {"concepts": ["C183"], "errata": ["E109"], "slug": "number-shown"}
try:
    outcome = f"tensors on {landing(1)}"
except TypeError as error:
    outcome = type(error).__name__
    print(error)
reveal("10.number", outcome)

# %% [markdown] {"slug": "claim-moves-model"}
# ### From the loaded tensors to the model
#
# > **Claim in circulation.** “`map_location` is the fix: with `map_location="cuda:1"` the model is
# > on `cuda:1`.”

# %% {"slug": "claim-moves-model-predict"}
predict("10.moves-model")

# %% [markdown] {"slug": "claim-moves-model-run"}
# We load in two steps, as always: first the file, then the model.

# %% {"concepts": ["C183", "C188"], "errata": ["E109"], "slug": "claim-moves-model-shown"}
model = FooNet()
loaded = torch.load(path, map_location="cuda:1")
model.load_state_dict(loaded)
print("loaded:", loaded["norm.weight"].device)
reveal("10.moves-model", model.norm.weight.device)

# %% [markdown] {"slug": "claim-moves-model-fact"}
# The tensors in `loaded` are only in transit. On a GPU they would take memory twice, perhaps on a
# card that somebody else is using. The CPU is the best place for them, also on a machine with GPUs:

# %% {"concepts": ["C183", "C188"], "slug": "three-lines"}
def load_onto(device):
    model = FooNet()
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)

load_onto(devices[2]).norm.weight.device

# %% [markdown] {"slug": "assign"}
# On `cuda:2`. Read, copy, move: these lines are right on every machine.
#
# > **The fact.** `map_location` places the *loaded tensors*. `load_state_dict` then **copies**
# > their values into the parameters that the model has, wherever and of whatever dtype they are.
# > The model itself you **move** with `to`.
#
# ### Two variations
#
# `assign=True` lets the model *take* the loaded tensors instead of copying their values. Then their
# device and dtype count, not the model's.

# %% {"concepts": ["C191"], "slug": "assign-shown"}
model = FooNet()
before = model.norm.weight
model.load_state_dict(torch.load(path, map_location="cuda:1"), assign=True)
print(model.norm.weight.device, " same parameter:", model.norm.weight is before)

# %% [markdown] {"slug": "assign-explained"}
# The model is on `cuda:1` now, and its parameters are **other objects**. An optimizer that was made
# before would go on training the old ones: with `assign=True`, make the optimizer afterwards.
#
# `mmap=True` leaves the numbers in the file until they are used. It saves memory with large files,
# and needs a path, not an open file.

# %% {"concepts": ["C191"], "slug": "mmap-shown"}
lazy = torch.load(path, map_location="cpu", mmap=True)
print(torch.equal(lazy["norm.bias"], net.norm.bias.cpu()))
try:
    torch.load(path.open("rb"), map_location="cpu", mmap=True)
except ValueError as error:
    print(error)

# %% [markdown] {"slug": "prefix"}
# The values are those of `net`, and the open file was refused: `f must be a file path`.
#
# ## 4. Names: where a prefix comes from
#
# The second family of errors has nothing to do with devices. Lesson 07 wraps a model in
# `DataParallel`, so that several GPUs share a batch. Notes on loading say:
#
# > **Claim in circulation.** “After training on several GPUs, the keys have one `module.` more.”
#
# Here nothing is trained, on no GPU at all.

# %% {"slug": "prefix-predict"}
predict("10.prefix")

# %% [markdown] {"slug": "prefix-run"}
# We wrap and look, and wrap again.

# %% {"concepts": ["C185"], "errata": ["E105"], "slug": "prefix-shown"}
bare = FooNet()
wrapped = torch.nn.DataParallel(bare)
print(next(iter(torch.nn.DataParallel(wrapped).state_dict())))
reveal("10.prefix", next(iter(wrapped.state_dict())))

# %% [markdown] {"slug": "prefix-fact"}
# > **The fact.** A key is the path to a tensor, through all the modules around it. It says how a
# > model is put together, and nothing about training or GPUs.

# %% [markdown] {"slug": "only-dp"}
# > **Claim in circulation.** “Prefixes come from `nn.DataParallel` only.”
#
# We try `torch.compile` and `DistributedDataParallel`. The latter is for several processes and has
# to know the others; the first line tells it that it is alone. Last, we wrap only a part.

# %% {"concepts": ["C185", "C191"], "errata": ["E100"], "slug": "only-dp-shown"}
alone = torch.distributed.HashStore()
torch.distributed.init_process_group("gloo", store=alone, rank=0, world_size=1)
distributed = torch.nn.parallel.DistributedDataParallel(FooNet())
torch.distributed.destroy_process_group()
inside = torch.nn.Sequential(torch.nn.DataParallel(torch.nn.Linear(2, 2)))
for model in (distributed, torch.compile(FooNet()), inside):
    print(type(model).__name__, next(iter(model.state_dict())))

# %% [markdown] {"slug": "only-dp-fact"}
# `module.` for the parallel wrapper, `_orig_mod.`, and a `module.` in the middle of
# `0.module.weight`.
#
# > **The fact.** A wrapper that is a module adds the name under which it keeps the model: `module.`
# > for both parallel wrappers, `_orig_mod.` for `torch.compile`. If only a part is wrapped, the
# > prefix is inside the keys, and there it belongs to the model.
#
# Not everything that prepares a model wraps it. `net.compile()` compiles a module in place:

# %% {"concepts": ["C185"], "slug": "compiled-in-place"}
in_place = FooNet()
in_place.compile()
next(iter(in_place.state_dict()))

# %% [markdown] {"slug": "two-lists"}
# No prefix: there is no wrapper.
#
# ### Two lists that do not fit
#
# `load_state_dict` compares two lists of names. We draw them for a bare model and the state dict of
# a wrapped one.

# %% {"concepts": ["C186"], "slug": "two-lists-shown"}
key_map(bare, wrapped.state_dict(), title="A bare model, the file of a wrapped one")

# %% [markdown] {"slug": "two-lists-explained"}
# No name is on both sides. **Missing** and **unexpected** both look at the file: a key is *missing*
# if the model has it and the file lacks it, and *unexpected* if the file has it and the model does
# not know it.
#
# The picture compares names and nothing else, and counts nine of each. The error lists them in two
# lines, but only eight as missing. It leaves out `norm.num_batches_tracked`, which PyTorch forgives
# here; section 5 says why.

# %% {"concepts": ["C185", "C186", "C189"], "slug": "two-lists-error"}
try:
    bare.load_state_dict(wrapped.state_dict())
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "read-both"}
# Always read both lines. Here each unexpected key is a missing one behind `module.`: the file is
# sound, and only the names are in the way. If the names were unrelated, it would be the file of
# another model.
#
# > **Claim in circulation.** “If keys do not match, load with `strict=False`.”

# %% {"slug": "strict-predict"}
predict("10.strict")

# %% [markdown] {"slug": "strict-run"}
# We fill the wrapped model with sevens, so that every number that is loaded is seen.

# %% {"concepts": ["C186"], "errata": ["E107"], "slug": "strict-shown"}
sevens = {key: torch.full_like(tensor, 7) for key, tensor in wrapped.state_dict().items()}
fresh = FooNet()
result = fresh.load_state_dict(sevens, strict=False)
print(type(result).__name__, len(result.missing_keys), "missing")
reveal("10.strict", sum(bool((tensor == 7).all()) for tensor in fresh.state_dict().values()))

# %% [markdown] {"slug": "strict-fact"}
# > **The fact.** `strict=False` does not make keys fit: it loads those that do, and is silent about
# > the rest. Use it only if you want a part of a file, and then read the two lists that it returns.

# %% [markdown] {"slug": "clean"}
# ## 5. Clean the keys, or better: save them clean
#
# All notes contain these lines, in one form or another:
#
# > **Claim in circulation.** “`{k[7:] if k.startswith("module.") else k: v for k, v in …}` repairs
# > the keys.”
#
# We try it on three state dicts: wrapped once, wrapped twice, and a model with a real part that is
# called `module`.

# %% {"concepts": ["C187"], "errata": ["E101"], "slug": "clean-shown"}
def seven(state_dict):
    return {k[7:] if k.startswith("module.") else k: v for k, v in state_dict.items()}

real = torch.nn.ModuleDict({"module": torch.nn.Linear(2, 2), "head": torch.nn.Linear(2, 1)})
for model in (wrapped, torch.nn.DataParallel(wrapped), real):
    state_dict = model.state_dict()
    print(next(iter(state_dict)), "→", next(iter(seven(state_dict))))

# %% [markdown] {"slug": "clean-relatives"}
# The first is right. The second still has a prefix, and the third lost a name that it needs. Two
# relatives of these lines are worse:

# %% {"concepts": ["C187"], "errata": ["E101"], "slug": "clean-relatives-shown"}
print("module.decoder.weight".lstrip("module."))
print("module.submodule.weight".replace("module.", ""))
print("_orig_mod.linears.0.weight"[7:])

# %% [markdown] {"slug": "clean-metadata"}
# `coder.weight`: `lstrip` takes away *letters*, not a word. `subweight`: `replace` finds the string
# anywhere. `od.linears.0.weight`: seven letters are the length of `module.` only.
#
# Something else gets lost, and you cannot see it in the keys:

# %% {"concepts": ["C187", "C191"], "errata": ["E101"], "slug": "clean-metadata-shown"}
state_dict = wrapped.state_dict()
print(dict(state_dict._metadata))
print(hasattr(seven(state_dict), "_metadata"))

# %% [markdown] {"slug": "clean-metadata-used"}
# `_metadata` holds a **version** for each part of the model. The normalisation is at version 2:
# since then it counts its batches. If the version is not known, an old file is assumed, and the
# missing counter is forgiven:

# %% {"concepts": ["C191"], "errata": ["E101"], "slug": "clean-metadata-effect"}
state_dict = bare.state_dict()
del state_dict["norm.num_batches_tracked"]
try:
    bare.load_state_dict(state_dict)
except RuntimeError as error:
    print(error)
print(bare.load_state_dict(dict(state_dict)))

# %% [markdown] {"slug": "clean-consume"}
# With its metadata, the incomplete state dict is refused. As a plain dict it is accepted: `All keys
# matched successfully`. That is also why the counter was not among the missing keys above.
#
# PyTorch has a function for this. It works in place, and returns `None`:

# %% {"concepts": ["C187", "C188", "C191"], "errata": ["E101"], "slug": "clean-consumed"}
from torch.nn.modules.utils import consume_prefix_in_state_dict_if_present as consume

state_dict = wrapped.state_dict()
print(consume(state_dict, "module."), next(iter(state_dict)), list(state_dict._metadata))
FooNet().load_state_dict(state_dict)

# %% [markdown] {"slug": "clean-fact"}
# The keys and the names in `_metadata` are clean, and everything fits.
#
# > **The fact.** Cutting at the front is right only if *every* key has the prefix, as often as
# > there are wrappers, and with `_metadata`. `consume_prefix_in_state_dict_if_present` removes one
# > level, and takes care of `_metadata`; whether the prefix is a wrapper's, you have to know.

# %% [markdown] {"slug": "save-clean"}
# Best of all is a file that needs no cleaning. The bare network is inside its wrapper:

# %% {"concepts": ["C185", "C188"], "slug": "save-clean-shown"}
torch.save(wrapped.module.state_dict(), folder / "clean.pt")
FooNet().load_state_dict(torch.load(folder / "clean.pt", map_location="cpu"))

# %% [markdown] {"slug": "last-step"}
# Save `net.module.state_dict()`, and whoever loads it needs to know nothing about your wrappers.
# The other way round, if your model is wrapped and the file is not:
# `net.module.load_state_dict(…)`.
#
# ### The last step
#
# > **Claim in circulation.** “Build `new_state_dict` with the clean keys, and the model is
# > restored.”
#
# In one of the notes, this is where the program ends.

# %% {"concepts": ["C188", "C190"], "errata": ["E102"], "slug": "last-step-shown"}
fresh = FooNet()
new_state_dict = {key.removeprefix("module."): tensor for key, tensor in sevens.items()}
print("loaded:", bool((fresh.norm.bias == 7).all()))
fresh.load_state_dict(new_state_dict)
print("loaded:", bool((fresh.norm.bias == 7).all()))

# %% [markdown] {"slug": "last-step-fact"}
# `False`, then `True`.
#
# > **The fact.** A dict with clean keys is a dict. The last step, `load_state_dict`, brings the
# > values into the model, and without it the program runs to its end with random weights. Test what
# > you loaded: compare one tensor, or the accuracy.

# %% [markdown] {"slug": "trust"}
# ## 6. Trust: what a file may do
#
# > **Claim in circulation.** “Save the whole model with `torch.save(net, path)`; `torch.load(path)`
# > gives it back.”

# %% {"slug": "trust-predict"}
predict("10.trust")

# %% [markdown] {"slug": "trust-run"}
# If there is an error, we print its first sentence.

# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "trust-shown"}
torch.save(FooNet(), folder / "whole.pt")
try:
    outcome = f"a {type(torch.load(folder / 'whole.pt')).__name__}"
except Exception as error:
    outcome = type(error).__name__
    print(str(error).split(".")[0])
reveal("10.trust", outcome)

# %% [markdown] {"slug": "trust-why"}
# What else can a file hold, besides tensors? A pickled object may bring a function that is called
# *while the file is read*. With `weights_only=False`, that happens:

# %% {"concepts": ["C191"], "errata": ["E98"], "slug": "trust-note"}
class Note:
    def __reduce__(self):
        return print, ("this line was printed by the file",)

torch.save({"weight": torch.ones(1), "note": Note()}, folder / "stranger.pt")
torch.load(folder / "stranger.pt", weights_only=False)

# %% [markdown] {"slug": "trust-fact"}
# It was only `print`. It could have been anything that your account may do.
#
# > **The fact.** With `weights_only=False`, loading a file means running it. A whole model also
# > needs its class, under the same name, in the same module, on every machine that loads it. So
# > save state dicts, which need neither that flag nor a class. Even then, the documentation of
# > `torch.load` says: “Never load data from an untrusted source.” `weights_only=True` leaves a
# > hostile file far fewer ways to do harm, but it is no guarantee: before version 2.6 there was a
# > way around it (CVE-2025-32434).

# %% [markdown] {"slug": "trust-tags"}
# The format *safetensors*, with a package of its own, does without a pickle: its files hold tensors
# and their names, and no objects that could bring a function.
#
# ## 7. Bring back: a checkpoint
#
# To go on with training, you need more than weights: the optimizer has states too. A
# **checkpoint** is a dict of state dicts. First, one step of training on `cuda:1`:

# %% {"concepts": ["C191"], "slug": "train"}
net = torch.nn.DataParallel(torch.nn.Linear(3, 1, device=devices[1]), [1])
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net(torch.ones(4, 3, device=devices[1])).sum().backward()
optimizer.step()

# %% [markdown] {"slug": "checkpoint"}
# Then we save, with the bare network's names:

# %% {"concepts": ["C180", "C191"], "slug": "checkpoint-saved"}
checkpoint = {"model": net.module.state_dict(), "optimizer": optimizer.state_dict()}
torch.save(checkpoint, folder / "checkpoint.pt")
tag_map(folder / "checkpoint.pt", title="checkpoint.pt")

# %% [markdown] {"slug": "checkpoint-explained"}
# Weight, bias, and the optimizer's momentum for each of them, all from `cuda:1`. They can be
# brought back anywhere. Here they come back on the CPU:

# %% {"concepts": ["C188", "C191"], "slug": "checkpoint-loaded"}
restored = torch.nn.Linear(3, 1)
again = torch.optim.SGD(restored.parameters(), lr=0.5)
checkpoint = torch.load(folder / "checkpoint.pt", map_location="cpu")
restored.load_state_dict(checkpoint["model"])
again.load_state_dict(checkpoint["optimizer"])
print(again.param_groups[0]["lr"], again.state[restored.bias]["momentum_buffer"])

# %% [markdown] {"slug": "checkpoint-done"}
# The learning rate is 0.1 again, and the momentum of the bias is 4, the gradient of four samples.
# An optimizer loads its states onto the devices of its parameters. So the order is: make the model,
# move it, make the optimizer, then load both.

# %% [markdown] {"slug": "clinic"}
# ## 8. Error clinic
#
# Seven messages. Read each from left to right, and ask first: is it about a *device*, about
# *names*, or about *trust*?

# %% [markdown] {"slug": "clinic-none"}
# **Case 1.** A device: there is no GPU. We kept what the other Python said in section 2.

# %% {"concepts": ["C181"], "slug": "clinic-none-shown"}
print(said)

# %% [markdown] {"slug": "clinic-none-read"}
# - *deserialize object*: turn what is in the file into a tensor again.
# - *on a CUDA device*: the tag. The message does not say which one; `tag_map` does.
# - *is_available() is False*: about this machine, not about the file.
# - *CPU-only machine*: the message guesses. With a GPU in the machine, PyTorch may have been
#   installed without CUDA, or the GPU may be hidden.
#
# **Cure:** `map_location="cpu"`.

# %% {"concepts": ["C183"], "slug": "clinic-none-cured"}
len(torch.load(path, map_location="cpu"))

# %% [markdown] {"slug": "clinic-few"}
# Nine tensors, here and, as we saw, elsewhere.
#
# **Case 2.** A device: there are GPUs, but not enough of them.

# %% {"concepts": ["C181"], "slug": "clinic-few-shown"}
torch.save(torch.ones(1, device=devices[3]), folder / "three.pt")
print(elsewhere(f"torch.load(r'{folder / 'three.pt'}')", gpus=1))

# %% [markdown] {"slug": "clinic-few-read"}
# - *CUDA device 3*: the tag, `cuda:3`.
# - *device_count() is 1*: the machine has one GPU, with index 0.
# - *map your storages to an existing device*: the cure.
#
# **Cure:** the same, or a dict if you know the tags.

# %% {"concepts": ["C183"], "slug": "clinic-few-cured"}
program = f"torch.load(r'{folder / 'three.pt'}', map_location={{'cuda:3': 'cuda:0'}})"
print(elsewhere(f"print({program}.device)", gpus=1))

# %% [markdown] {"slug": "clinic-keys"}
# On `cuda:0`.
#
# **Case 3.** Names: the model is wrapped and the file is not.

# %% {"concepts": ["C186", "C189"], "slug": "clinic-keys-shown"}
try:
    net.load_state_dict(restored.state_dict())
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-keys-read"}
# - *in loading state_dict for DataParallel*: the class of the model that should take the values. It
#   is a wrapper: a first hint.
# - *Missing key(s)*: `module.weight`, which the model has and the file lacks.
# - *Unexpected key(s)*: `weight`, which the file has and the model does not know.
#
# **Cure:** the prefix is on the model's side, so there is nothing to clean in the file. Load into
# the network inside.

# %% {"concepts": ["C188"], "slug": "clinic-keys-cured"}
net.module.load_state_dict(restored.state_dict())

# %% [markdown] {"slug": "clinic-size"}
# `All keys matched successfully`.
#
# **Case 4.** Names fit, shapes do not.

# %% {"concepts": ["C186", "C189"], "slug": "clinic-size-shown"}
wider = FooNet(width=6)
try:
    wider.load_state_dict(bare.state_dict())
except RuntimeError as error:
    print(str(error)[:190], "…")
key_map(wider, bare.state_dict(), title="Same names, other shapes")

# %% [markdown] {"slug": "clinic-size-read"}
# - *size mismatch for norm.weight*: both have this key.
# - *shape torch.Size([4]) from checkpoint*: the file. *torch.Size([6])*: the model.
#
# Note that all keys that fit have been copied when this message appears. `strict=False` does not
# help: other shapes always raise.
#
# **Cure:** build the model as it was when it was saved.

# %% {"concepts": ["C188"], "slug": "clinic-size-cured"}
FooNet(width=4).load_state_dict(bare.state_dict())

# %% [markdown] {"slug": "clinic-trust"}
# It fits.
#
# **Case 5.** Trust: the file holds more than tensors.

# %% {"concepts": ["C191"], "slug": "clinic-trust-shown"}
try:
    torch.load(folder / "whole.pt")
except Exception as error:
    print(next(line for line in str(error).splitlines() if "GLOBAL" in line).strip()[:109])

# %% [markdown] {"slug": "clinic-trust-read"}
# The whole message is long. Its important part is in the middle:
#
# - *Unsupported global: GLOBAL \_\_main\_\_.FooNet*: the class that the file would need.
# - *add_safe_globals*: allows this one class. *weights_only=False*, which the message offers first,
#   allows everything.
#
# **Cure:** if the file is your own, load it once, on the machine where you made it, and save what
# it should have been: a state dict.

# %% {"concepts": ["C191"], "slug": "clinic-trust-cured"}
whole = torch.load(folder / "whole.pt", weights_only=False)
torch.save(whole.state_dict(), folder / "whole.pt")
len(torch.load(folder / "whole.pt"))

# %% [markdown] {"slug": "clinic-file"}
# Nine tensors, with the default.
#
# **Case 6.** The file is not there. A script has a block that saves, switched off by `flag = 0`,
# and a block that loads, switched on by `flag = 1`. It is run from the top.

# %% {"concepts": ["C190"], "errata": ["E102"], "slug": "clinic-file-shown"}
try:
    torch.load(folder / "model_in_multi_gpu.pkl")
except FileNotFoundError as error:
    print(f"{type(error).__name__}: {error.strerror}")

# %% [markdown] {"slug": "clinic-file-read"}
# - *No such file*: it is about neither devices nor names. The block that saves never ran.
#
# **Cure:** save first, in the same run, or ask whether the file is there.

# %% {"concepts": ["C190"], "slug": "clinic-file-cured"}
target = folder / "model_in_multi_gpu.pkl"
if not target.exists():
    torch.save(bare.state_dict(), target)
len(torch.load(target, map_location="cpu"))

# %% [markdown] {"slug": "clinic-number"}
# Nine tensors.
#
# **Case 7.** A number where a device should be.

# %% {"concepts": ["C183"], "errata": ["E109"], "slug": "clinic-number-shown"}
try:
    torch.load(path, map_location=0)
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-number-read"}
# - *'int' object is not callable*: something was called like a function, and it was your number.
#
# **Cure:** a string, or a device.

# %% {"concepts": ["C183"], "slug": "clinic-number-cured"}
torch.load(path, map_location=torch.device("cuda", 0))["norm.bias"].device

# %% [markdown] {"slug": "recap"}
# On `cuda:0`.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("10.after.tag")

# %% {"slug": "recap-2-quiz"}
quiz("10.after.stays")

# %% {"slug": "recap-3-quiz"}
quiz("10.after.clean")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. What is a location tag, and when is it followed?
# 2. Which two errors come from tags, and what is different between the two machines?
# 3. After `load_state_dict`, where is the model?
# 4. Where does `module.` come from, and when may it be cut off?
# 5. Why is neither `strict=False` nor `weights_only=False` a cure?
#
# <details><summary>Answers</summary>
#
# 1. The device that a storage was saved from, as a string in the file. `torch.load` follows it
#    unless `map_location` says something about it.
# 2. *On a CUDA device … is_available() is False*: no GPU. *On CUDA device 3 … device_count() is 1*:
#    too few.
# 3. Where it was. Values are copied into it (unless `assign=True`), and you move it with `to`.
# 4. From a wrapper, which keeps the model under that name. If every key has it, it may be cut
#    off, with the names in `_metadata`; it is better to save `net.module.state_dict()`.
# 5. The first silently leaves random weights; the second runs whatever the file says.
#
# </details>
#
# In four words: **choose** the CPU for what you load. **Move** the model yourself. **Run** nothing
# that comes out of a file. **Bring back** weights and optimizer together.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `10_saving`. You will predict where tensors land, load any file onto any device,
# save a checkpoint that does not depend on wrappers, mend a program that loads, load what fits and
# report the rest, and clean keys.
#
# **Next lesson:** 11, *Beyond data parallel*: one process for each GPU. If it is not in your copy
# of the course, it is still to come.
