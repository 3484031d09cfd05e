# %% [markdown] {"slug": "title"}
# # Modules on devices
#
# *On the Right Device*, lesson 03 · previous lesson: [02, *Tensors on
# devices*](02_tensors_on_devices.ipynb) · [Glossary](glossary.md)
#
# Nearly every training script has the line `model.to(device)`. It looks like the `to` of a tensor,
# but it follows other rules: it changes the module itself, and it moves only what the module knows
# about. This lesson shows what that is, and what is left behind.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a module which devices all of its tensors are on;
# - **build** a module on the device where it is needed;
# - **predict** which objects stay the same in a move or a cast, and which are replaced;
# - **spot** what a module leaves behind: plain attributes, lists, dicts, optimizer states;
# - **repair** such a module with buffers and a `ModuleList`;
# - **run** a module on a batch from anywhere, with the fewest copies;
# - **move** an optimizer in the middle of training;
# - **read** six errors of modules, a device-side assert among them, and cure them.
#
# **Time:** about 1¼ hours
#
# **Prerequisites:** lesson 02; classes in Python; what a `Linear` layer computes, and what
# `backward()` and an optimizer's `step()` are for.
#
# Every cell runs with or without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 4 min
#
# The imports of the whole lesson. `module_map` is new: it draws where everything in a module is.

# %% {"slug": "imports"}
from itertools import chain

import torch
from torch import nn

from course_utils import claim, lab, predict, quiz, reveal, verdict
from course_utils.experiments.children import run_child
from course_utils.experiments.copies import count_copies
from lesson_parts.waiting import waiting
from lesson_parts.lesson03 import module_map

# %% [markdown] {"slug": "before-from-memory"}
# Three questions about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("03.before.to")

# %% {"slug": "before-2-quiz"}
quiz("03.before.result")

# %% {"slug": "before-3-quiz"}
quiz("03.before.id")

# %% [markdown] {"slug": "what-hurts"}
# ## 1. A model that was moved, and fails · 7 min
#
# We ask for four GPUs, real or virtual, and name two of them.

# %% {"slug": "lab"}
devices = lab(gpus=4)
cpu = torch.device("cpu")
gpu0, gpu1 = devices[0], devices[1]

# %% [markdown] {"slug": "tangled-text"}
# As in lesson 02: if they are *virtual*, then devices and error messages are CUDA's, and so are
# results, up to rounding.
#
# Here is a model as one might write it on a laptop. It has five parts: a layer, a norm, a mask, a
# list with another layer, and a dict with a factor.


# %% {"concepts": ["C073"], "slug": "tangled"}
class Tangled(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.mask = torch.ones(3)
        self.more = [nn.Linear(3, 1)]
        self.cache = {"scale": torch.ones(1)}


# %% [markdown] {"slug": "tangled-fails-text"}
# It is moved to a GPU and given a batch that is there as well. We let the first layer run and apply
# the mask.

# %% {"concepts": ["C073", "C076"], "slug": "tangled-fails"}
model = Tangled()
model.to(gpu0)
batch = torch.ones(2, 3, device=gpu0)
try:
    model.first(batch) * model.mask
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "tangled-question"}
# Two devices, although both model and batch were moved. So where *is* the model? For a tensor you
# would look at `x.device`.

# %% {"slug": "no-device-predict"}
predict("03.no-device")

# %% {"concepts": ["C070"], "slug": "no-device-shown"}
try:
    answer = model.device
except AttributeError as error:
    answer = type(error).__name__
    print(error)
reveal("03.no-device", answer)

# %% [markdown] {"slug": "ask-first"}
# Many programs look at one tensor instead: the first parameter.

# %% {"slug": "first-parameter-claim"}
claim("03.claim.first-parameter")

# %% {"concepts": ["C070", "C077"], "errata": ["E28"], "slug": "first-parameter-shown"}
partly = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
partly[0].to(gpu0)
print("asked:", next(partly.parameters()).device)
print("all:  ", {str(t.device) for t in chain(partly.parameters(), partly.buffers())})
verdict("03.claim.first-parameter")

# %% [markdown] {"slug": "ask-all"}
# The line that prints *all* is worth keeping: it asks all [parameters](glossary.md#parameter) and
# all [buffers](glossary.md#buffer), the tensors that a module keeps without training them (a
# running mean is one). A set with one element is what you want to see.
#
# For the model that failed, it gives `cuda:0` and nothing else. So something in that model is
# neither a parameter nor a buffer. Section 4 draws what.

# %% [markdown] {"slug": "born"}
# ## 2. Build it where you need it · 5 min
#
# Layers take `device=`, like all functions that make tensors. For a whole model, write a block:
# [`with torch.device(gpu0):`](https://docs.pytorch.org/docs/stable/tensor_attributes.html) sets the
# default device of factory functions such as `torch.empty`, and layers make their tensors with
# those.

# %% {"concepts": ["C070"], "slug": "born-there"}
with count_copies() as copies, torch.device(gpu0):
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
print("device:", net[2].weight.device, "| copies between devices:", copies.total)

# %% [markdown] {"slug": "meta"}
# The net was made on `cuda:0`, with no copy.
#
# You may skip the rest of this section on a first reading. If the weights come from a file, there
# is no need to fill them with random numbers first. On the device `meta` a tensor has a shape and a
# dtype, but no numbers; `to_empty` gives it memory that you still have to fill. The parameters are
# new objects then, so make the optimizer afterwards.

# %% {"concepts": ["C070"], "slug": "meta-shown"}
with torch.device("meta"):
    huge = nn.Linear(100_000, 100_000)
print(f"{huge.weight.nbytes / 1e9:.0f} GB of weights, on {huge.weight.device}")
small = nn.Linear(3, 1, device="meta").to_empty(device=gpu0)
print("to_empty:", small.weight.device)

# %% [markdown] {"slug": "move"}
# The first layer would need 40 GB, and took none.
#
# ## 3. Move: what `to` does to a module · 11 min
#
# The line `x.to(gpu0)` alone has no effect if `x` is a tensor: you have to keep the result. A
# module is different:
# [`Module.to`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html) changes it in
# place, as `model.to(gpu0)` did in section 1. It also returns the module, so that you can write
# `net = Net().to(gpu0)`. There is no second `net`.
#
# Are its parameters the same objects as before, too? We keep names for a parameter and for its
# memory, and look again after a move.

# %% {"slug": "parameter-predict"}
predict("03.parameter")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "parameter-shown"}
layer = nn.Linear(3, 1)
weight, memory = layer.weight, layer.weight.untyped_storage()
layer.to(gpu0)
same_memory = layer.weight.untyped_storage().device == memory.device
kind = f"same object, {'same' if same_memory else 'other'} memory"
reveal("03.parameter", kind if layer.weight is weight else "another object")

# %% [markdown] {"slug": "buffer-question"}
# Everything that holds on to a parameter depends on that answer, an optimizer above all. And what
# about buffers?

# %% {"slug": "buffer-predict"}
predict("03.buffer")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "buffer-shown"}
norm = nn.BatchNorm1d(3)
mean = norm.running_mean
norm.to(gpu0)
print("old:", mean.device, "| new:", norm.running_mean.device)
reveal("03.buffer", "the same object" if norm.running_mean is mean else "another object")

# %% [markdown] {"slug": "swap"}
# (Gradients belong to their parameters, and go with them.)
#
# Two rare flags in `torch.__future__` change what stays the same: with one, `to` replaces the
# parameters; with the other, it swaps what the tensors contain. Think of the first if an optimizer
# trains parameters that no module uses any more.
#
# ### A cast
#
# `Module.to` takes a dtype as well as a device. `norm` has floating-point tensors, and a counter of
# whole numbers. We cast all of it.

# %% {"slug": "cast-predict"}
predict("03.cast")

# %% {"concepts": ["C072"], "errata": ["E08"], "slug": "cast-shown"}
norm.to(torch.float64)
dtypes = [
    str(t.dtype).removeprefix("torch.") for t in (norm.running_mean, norm.num_batches_tracked)
]
print("weight:", norm.weight.dtype, "on", norm.weight.device)
reveal("03.cast", " and ".join(dtypes))

# %% [markdown] {"slug": "integer"}
# (An integer dtype is refused: `nn.Module.to only accepts floating point or complex dtypes`.)
#
# A cast saves memory: float16 and bfloat16 take two bytes per number, float32 takes four. Is it the
# way to train, too?

# %% {"slug": "half-claim"}
claim("03.claim.half")

# %% {"concepts": ["C072"], "slug": "half-shown"}
with torch.autocast("cuda", dtype=torch.float16):
    print("weights:", model.first.weight.dtype, "| computed in:", model.first(batch).dtype)
half, full = (torch.ones(1, dtype=dtype, device=gpu0) for dtype in (torch.float16, torch.float32))
for _ in range(100):  # small updates, such as an optimizer makes
    half += 0.0004
    full += 0.0004
print("1 after 100 updates: float16", half.item(), "| float32", full.item())
verdict("03.claim.half")

# %% [markdown] {"slug": "autocast"}
# [`torch.autocast`](https://docs.pytorch.org/docs/stable/amp.html) casts inputs and weights for
# each operation that gains by it, and leaves the weights themselves alone. With float16, add a
# `torch.amp.GradScaler`, which keeps small gradients from becoming zero.
#
# ## 4. What moves, and what stays behind · 11 min
#
# Back to the model that failed. We make a new one and move it. The message in section 1 was about
# one operation; now we ask about the whole model.

# %% {"slug": "tangled-predict"}
predict("03.tangled")

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "tangled-moved"}
model = Tangled().to(gpu0)
places = {"mask": model.mask, "more": model.more[0].weight, "cache": model.cache["scale"]}
left = [name for name, tensor in places.items() if tensor.device == cpu]
reveal("03.tangled", " and ".join(left) or "nothing")

# %% [markdown] {"slug": "tangled-map"}
# The whole model, drawn from the objects themselves:

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "tangled-map-shown"}
module_map(model, title="The model after model.to(gpu0)")

# %% [markdown] {"slug": "registered"}
# A module keeps lists of its parameters, its buffers and its submodules. A parameter or a module
# that you assign to an attribute is entered there: it is **registered**. The [state
# dict](glossary.md#state-dict) is made from these lists:

# %% {"concepts": ["C073"], "slug": "registered-shown"}
print(list(model.state_dict()))

# %% [markdown] {"slug": "repair"}
# Nothing of `mask`, `more` or `cache` is there. The module does not know of them: it does not move
# them, does not save them, and does not show them to the optimizer, which therefore cannot train
# them.
#
# ### Repair: register it
#
# A tensor that is not trained becomes a buffer: [`register_buffer(name,
# tensor)`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html). A list of modules
# becomes an
# [`nn.ModuleList`](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleList.html). (A
# dict of modules becomes an `nn.ModuleDict`; there are such containers for parameters, too.)


# %% {"concepts": ["C073"], "slug": "tidy"}
class Tidy(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.more = nn.ModuleList([nn.Linear(3, 1)])
        self.register_buffer("mask", torch.ones(3), persistent=False)
        self.register_buffer("scale", torch.ones(1))


# %% [markdown] {"slug": "tidy-map"}
# You read `self.mask` and `self.more[0]` as before, and the factor is now `self.scale`. (The norm
# was never a problem and is left out.) We move it:

# %% {"concepts": ["C073"], "slug": "tidy-map-shown"}
tidy = Tidy().to(gpu0)
module_map(tidy, title="The repaired module, after the move", devices=[cpu])

# %% [markdown] {"slug": "persistent"}
# All of it is on `cuda:0`. The two buffers differ in one respect: `persistent`.

# %% {"slug": "persistent-predict"}
predict("03.persistent")

# %% {"concepts": ["C073"], "slug": "persistent-shown"}
saved = [name for name in ("mask", "scale") if name in tidy.state_dict()]
reveal("03.persistent", "both" if len(saved) == 2 else f"only {saved[0]}")

# %% [markdown] {"slug": "parameter-or-buffer"}
# For what is not trained we took buffers. A `Parameter` would move as well.

# %% {"slug": "buffer-claim"}
claim("03.claim.buffer")

# %% {"concepts": ["C073"], "slug": "buffer-or-parameter"}
masked = nn.Linear(3, 1)
masked.mask = nn.Parameter(torch.ones(3))
masked.fixed = nn.Parameter(torch.ones(3), requires_grad=False)
print("trained:", {name: p.requires_grad for name, p in masked.named_parameters()})
verdict("03.claim.buffer")

# %% [markdown] {"slug": "run"}
# ## 5. Run: the module and its batch · 9 min
#
# An operation needs its inputs on one device, and a layer's weights and its batch are such inputs.
# Batches come from files, and so from the CPU. Which of the two should move? Here are the bytes of
# a medium-sized layer and of a batch for it:

# %% {"concepts": ["C075"], "slug": "which-side-shown"}
big = nn.Linear(1000, 1000, device=gpu0)
images = torch.ones(32, 1000)
print("layer:", sum(p.nbytes for p in big.parameters()), "bytes | batch:", images.nbytes, "bytes")

# %% [markdown] {"slug": "input-moves"}
# A model is usually larger, and it stays; a batch is new each time. So the model moves **once**,
# and each batch goes to wherever the model is:

# %% {"concepts": ["C074", "C075", "C076"], "slug": "input-moves-shown"}
device = next(big.parameters()).device
with count_copies() as copies:
    result = big(images.to(device))
print("result on", result.device, "| copies:", dict(copies.by_route))
print("equal rows in, equal rows out:", torch.equal(result[0], result[1]))

# %% [markdown] {"slug": "one-device"}
# One copy. (All images are equal, and so are the results: a layer treats each row of a batch in the
# same way.)
#
# So the batch goes to the model. This model was on one device. Does it have to be?

# %% {"slug": "one-device-claim"}
claim("03.claim.one-device")


# %% {"concepts": ["C075"], "errata": ["E26"], "slug": "split"}
class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.tail = nn.Linear(3, 4).to(gpu0), nn.Linear(4, 1).to(gpu1)

    def forward(self, x):
        hidden = self.head(x.to(self.head.weight.device))
        return self.tail(hidden.to(self.tail.weight.device))


# %% [markdown] {"slug": "split-run-text"}
# We run it on a batch from the CPU, and let a gradient go all the way back.

# %% {"concepts": ["C075"], "errata": ["E26"], "slug": "split-run"}
split = Split()
output = split(torch.ones(2, 3))
output.sum().backward()
print("output:", output.device, "| gradient of head:", split.head.weight.grad.device)
verdict("03.claim.one-device")

# %% [markdown] {"slug": "forward-copies-text"}
# What does *not* belong in `forward` is the move of something that never changes. Over five batches
# we count the copies of a mask that stayed on the CPU, and those of the mask that `tidy` has
# registered.

# %% {"concepts": ["C073", "C075"], "slug": "forward-copies"}
mask = torch.ones(3)
with count_copies() as each_time:
    for _ in range(5):
        batch * mask.to(gpu0)
with count_copies() as registered:
    for _ in range(5):
        batch * tidy.mask
print("moved in forward:", each_time.total, "| registered:", registered.total)

# %% [markdown] {"slug": "optimizer"}
# A `to` in `forward` makes the error go away and leaves its cause.
#
# ## 6. The optimizer: before or after the move? · 10 min
#
# An [optimizer](https://docs.pytorch.org/docs/stable/optim.html) is given the parameters of a net.
# We make one *before* the move, and train on the GPU.

# %% {"slug": "order-claim"}
claim("03.claim.order")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "order-shown"}
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net.to(gpu0)
before = net.weight.detach().clone()
net(batch).sum().backward()
optimizer.step()
print("weights changed:", not torch.equal(before, net.weight))
verdict("03.claim.order")

# %% [markdown] {"slug": "state-question"}
# “First move, then make the optimizer” is still the better habit, because an optimizer has tensors
# of its own. This one has taken its first step, and keeps a momentum for each parameter. Now net
# and training go on to the second GPU.

# %% {"slug": "state-predict"}
predict("03.state")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "state-shown"}
net.to(gpu1)
state = optimizer.state[net.weight]
reveal("03.state", state["momentum_buffer"].device)

# %% [markdown] {"slug": "state-raises"}
# The net and its optimizer, drawn in one picture:

# %% {"concepts": ["C078"], "slug": "state-map-shown"}
module_map(net, optimizer, title="The net and its optimizer after net.to(gpu1)")

# %% [markdown] {"slug": "state-step"}
# We take the next step. Does the message tell you what is wrong?

# %% {"concepts": ["C078"], "slug": "state-raised"}
optimizer.zero_grad()
net(batch.to(gpu1)).sum().backward()
try:
    optimizer.step()
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "state-cure"}
# It does not say which tensors or which devices. But only an optimizer has `step` tensors and
# *optimizer states*. The *tensors of the same index* are a parameter, its gradient and its
# momentum.
#
# A new optimizer would work, but it would have forgotten the momentum. To keep it, move the states.
# The shortest way is to let the optimizer load its own state dict, since loading gives a momentum
# the device and the dtype of its parameter.

# %% {"concepts": ["C078"], "slug": "state-cured"}
optimizer.load_state_dict(optimizer.state_dict())
optimizer.step()
print("momentum on", optimizer.state[net.weight]["momentum_buffer"].device)

# %% [markdown] {"slug": "step-counter"}
# The step succeeds. The message allowed one exception, `step` tensors on the CPU. Adam has one: it
# counts its steps in a tensor.

# %% {"concepts": ["C078"], "slug": "step-counter-shown"}
adam = torch.optim.Adam(net.parameters(), lr=0.1)
adam.step()
{name: str(value.device) for name, value in adam.state[net.weight].items()}

# %% [markdown] {"slug": "bring-back"}
# By default `step` is on the CPU on purpose: the optimizer's Python code reads it, and to read a
# number from a GPU it would have to wait. With `fused=True` or `capturable=True` the GPU reads it,
# and `step` is there.
#
# ### Bring back the weights
#
# After training somebody wants the weights on the CPU, to plot them, say. For a tensor you would
# write `y.cpu()`. And for a module?

# %% {"slug": "bring-back-predict"}
predict("03.bring-back")

# %% {"concepts": ["C071"], "slug": "bring-back-shown"}
saved = net.cpu()
reveal("03.bring-back", net.weight.device)

# %% [markdown] {"slug": "bring-back-explained"}
# To copy the weights alone, copy the tensors of the state dict. (For a second module, write
# `copy.deepcopy(net).cpu()`.)

# %% {"concepts": ["C071"], "slug": "bring-back-tensors"}
net.to(gpu0)
weights = {name: tensor.cpu() for name, tensor in net.state_dict().items()}
print("net:", net.weight.device, "| copy:", weights["weight"].device)

# %% [markdown] {"slug": "clinic"}
# Where the net itself is on the CPU, write `tensor.cpu().clone()`: `cpu()` alone would return the
# net's own tensor, which changes with the next step.
#
# ## 7. Error clinic · 9 min
#
# Six messages. First read each one yourself: what is on which device, and what should move?
#
# **Case 1.** A layer without a bias is on the GPU, and its input is on the CPU.

# %% {"concepts": ["C076"], "errata": ["E27"], "slug": "clinic-mm-shown"}
layer, x = nn.Linear(3, 1, bias=False).to(gpu0), torch.ones(2, 3)
try:
    layer(x)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-mm-read"}
# - *mm*: a matrix product. (With a bias it is *addmm*.)
# - *got mat2 is on cuda:0*: the second matrix is the module's **weight**.
# - *different from other tensors on cpu*: the other one is the input.
#
# The message names the first argument that differs, which need not be the one to move.
#
# **Cure:** bring the input to the module: `layer(x.to(layer.weight.device))`.
#
# **Case 2.** A convolution. First the input is on the CPU, then the module.

# %% {"concepts": ["C076"], "slug": "clinic-conv-shown"}
conv, image = nn.Conv2d(1, 1, 3), torch.ones(1, 1, 8, 8)
for module_on, image_on in ((gpu0, cpu), (cpu, gpu0)):
    try:
        conv.to(module_on)(image.to(image_on))
    except RuntimeError as error:
        print(error, "\n")

# %% [markdown] {"slug": "clinic-conv-read"}
# - No device is named here, but two *types*: `torch.FloatTensor` is a float32 tensor on the CPU,
#   `torch.cuda.FloatTensor` one on a GPU.
# - *Input type* is the input's, *weight type* the module's.
# - *or input should be a MKLDNN tensor …* is about a special format of the CPU. Ignore it.
#
# **Cure:** after the first message, move the input; after the second, move the module, which was
# forgotten.
#
# **Case 3.** Somebody moves a parameter by hand.

# %% {"concepts": ["C071", "C078"], "errata": ["E12"], "slug": "clinic-parameter-shown"}
layer = nn.Linear(3, 1)
try:
    layer.weight = layer.weight.to(gpu0)
except TypeError as error:
    print(error)

# %% [markdown] {"slug": "clinic-parameter-read"}
# - *cannot assign 'torch.cuda.FloatTensor'*: what `to` returned is a plain tensor on the GPU.
# - *as parameter 'weight' (torch.nn.Parameter or None expected)*: the module does not let a plain
#   tensor take the place of a parameter.
#
# **Cure:** `layer.to(gpu0)`. It keeps the `Parameter`, and with it every optimizer.
#
# **Case 4.** The same mistake without a module that would notice.

# %% {"concepts": ["C078"], "errata": ["E12"], "slug": "clinic-leaf-shown"}
scale = nn.Parameter(torch.ones(3)).to(gpu0)
try:
    torch.optim.SGD([scale], lr=0.1)
except ValueError as error:
    print(error)

# %% [markdown] {"slug": "clinic-leaf-read"}
# - *non-leaf Tensor*: autograd records the move as an operation, so its result is not a
#   [leaf](glossary.md#leaf).
#
# **Cure:** make the parameter on the device: `nn.Parameter(torch.ones(3, device=gpu0))`.
#
# **Case 5.** The states of an optimizer stayed behind: *Tensors of the same index …* in section 6.
# With `foreach=False` the message is *Expected all tensors to be on the same device* instead, and
# does not mention the optimizer. If such a message comes from `optimizer.step()`, look at the
# states. **Cure:** `optimizer.load_state_dict(optimizer.state_dict())`.
#
# **Case 6.** A label that does not exist: three classes have the labels 0, 1 and 2. On the CPU this
# is a plain `IndexError`. On a GPU no CUDA call works after it, so we run it in a second Python
# process.

# %% {"concepts": ["C076"], "slug": "clinic-assert-shown"}
program = """
import torch; from torch.nn.functional import cross_entropy
scores, labels = torch.zeros(4, 3).cuda(), torch.tensor([0, 1, 2, 3]).cuda()
print(cross_entropy(scores, labels).item())
"""
with waiting("Starting a second Python", seconds=5):
    printed = run_child(program)
print(printed)

# %% [markdown] {"slug": "clinic-assert-read"}
# - *device-side assert triggered*: a [kernel](glossary.md#kernel) found something impossible, most
#   often an index or a label out of range.
# - *asynchronously reported*: a real GPU may report it later than its cause, at a line that is
#   innocent. Our virtual ones report it at once.
# - A real GPU also prints lines that end with ``Assertion `t >= 0 && t < n_classes` failed``. They
#   say what was wrong: here the target `t`, a label.
# - Afterwards every CUDA call of the process fails. Restart it; in a notebook, restart the kernel.
#
# **Cure:** run the step on the CPU, where the message names the label, or start the program with
# `CUDA_LAUNCH_BLOCKING=1`, so that the error appears where it happens. Then correct the labels, or
# the number of classes.

# %% [markdown] {"slug": "project"}
# ## The project · 5 min
#
# Our `train.py` runs on any device. But it copies `MEAN` and `STD` to the device again for every
# batch, it always has three blocks, and it moves the model after the optimizer was made. In the new
# version, everything is registered:

# %% {"slug": "project-changes"}
from lesson_parts import project
from lesson_parts.lesson03 import learning_curve, sample_sheet

project.changes("03")

# %% [markdown] {"slug": "project-run"}
# Two buffers, a `ModuleList`, and one `.to(device)` before the optimizer is made.
#
# We run it without a GPU and on a computer with four. It uses one of them. Both runs together take
# about half a minute.

# %% {"slug": "project-runs"}
on_cpu, on_gpu = project.train("03"), project.train("03", gpus=4)

# %% [markdown] {"slug": "project-curve-text"}
# The learning curves, and some of the test pictures:

# %% {"slug": "project-curve"}
learning_curve(on_cpu, on_gpu)

# %% [markdown] {"slug": "project-samples-text"}
# On virtual GPUs the second curve lies on the first: same seed, same numbers. (A real GPU may round
# differently.) In the pictures, mistakes come first.

# %% {"slug": "project-samples"}
sample_sheet(on_gpu)

# %% [markdown] {"slug": "project-try"}
# **Try:** suppose that the `ModuleList` was a plain `list`. One of the two runs would fail. Would the
# other one train the blocks?
#
# <details><summary>Answer</summary>
#
# No. On a GPU, the first convolution fails: its weights are still on the CPU. On the CPU nothing
# fails, but the optimizer never sees the blocks. Only the head is trained, and the accuracy
# stays near 20 %.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
#
# Three questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("03.after.list")

# %% {"slug": "recap-2-quiz"}
quiz("03.after.states")

# %% {"slug": "recap-3-quiz"}
quiz("03.after.buffer")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. What does `net.to(gpu0)` return, and what does it keep?
# 2. Which tensors of a module does `to` not find?
# 3. When does a tensor belong in a buffer, and when is it `persistent=False`?
# 4. May the optimizer be made before the move?
# 5. A device-side assert: what do you do first?
#
# <details><summary>Answers</summary>
#
# 1. `net` itself. Parameters stay the same objects with new memory; buffers are replaced.
# 2. Tensors in plain attributes, and whatever is in plain lists and dicts; and the optimizer's
#    states, which are not the module's at all.
# 3. If it moves along and is not trained; `persistent=False` if it can be computed again.
# 4. Yes, as long as it has no states yet. Otherwise they have to be moved as well.
# 5. Run the step on the CPU, or with `CUDA_LAUNCH_BLOCKING=1`, to find the line and the label.
#
# </details>
#
# **Choose** one device for model and data. **Move** the model once, with all it needs registered.
# **Run** by bringing each batch to the model. **Bring back** tensors, and leave the model where it
# is.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** [`03_modules`](../assignments/03_modules/03_modules.ipynb). You will build a
# module where it is needed, name the tensor that is on the wrong device, repair a module that
# nobody could move, mend a model that fails on the GPU, and move an optimizer in the middle of
# training.
#
# **Next lesson:** [04, *The torch.cuda toolbox*](04_torch_cuda_toolbox.ipynb): what PyTorch reports
# about GPUs, how it keeps their memory, and how random numbers repeat.
