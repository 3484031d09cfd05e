# %% [markdown] {"slug": "title"}
# # Modules on devices
#
# *On the Right Device*, lesson 03 · previous lesson: [02, *Tensors on
# devices*](02_tensors_on_devices.ipynb) · [Glossary](glossary.md)
#
# Your model works on your laptop. On the shared server you write `model.to(gpu0)`, and it fails: one
# of its tensors is still on the CPU. You mend that, and the next tensor fails, and then the loss
# function. This lesson shows why, and how to write a model that moves as a whole.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a module which devices its tensors are on;
# - **predict** which objects stay the same when a module moves, and which are replaced;
# - **mend** a module that leaves a tensor behind;
# - **create** tensors in `forward` on the right device;
# - **move** the loss function, and **continue** training on another GPU;
# - **read** two errors that surprise, a device-side assert among them.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 02; classes in Python; what a `Linear` layer computes, and what
# `backward()` and an optimizer's `step()` are for.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson.

# %% {"slug": "imports"}
from itertools import chain

import torch
from torch import nn

from course_utils import check, claim, lab, predict, quiz, reveal, verdict
from lesson_parts import project
from lesson_parts.lesson03 import module_map

# %% [markdown] {"slug": "before-from-memory"}
# Two questions about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("03.before.to")

# %% {"slug": "before-2-quiz"}
quiz("03.before.result")

# %% [markdown] {"slug": "what-hurts"}
# ## 1. A model that was moved, and fails · 6 min
#
# We ask for four GPUs, real or virtual, and name two of them.

# %% {"slug": "lab"}
devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]

# %% [markdown] {"slug": "classifier-text"}
# Here is the model, small enough to read at once. It subtracts a mean from each row of a batch, and
# has two layers.


# %% {"concepts": ["C073"], "slug": "classifier"}
class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


# %% [markdown] {"slug": "classifier-fails-text"}
# It moves to a GPU, and so does the batch.

# %% {"concepts": ["C073", "C076"], "slug": "classifier-fails"}
model = Classifier(mean=torch.full((3,), 0.5))
model.to(gpu0)
batch = torch.ones(4, 3, device=gpu0)
try:
    model(batch)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "where"}
# Two devices meet, although model and batch were moved. So where *is* the model? A tensor has
# `x.device`. `model.device` is an `AttributeError`, because the tensors of a module need not be in one
# place. Many programs ask the first parameter instead.

# %% {"slug": "first-parameter-claim"}
claim("03.claim.first-parameter")

# %% {"concepts": ["C070", "C077"], "errata": ["E28"], "slug": "first-parameter-shown"}
partly = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
partly[0].to(gpu0)
for net in (partly, model):
    found = {str(tensor.device) for tensor in chain(net.parameters(), net.buffers())}
    print("first parameter:", next(net.parameters()).device)
    print("all of them:    ", sorted(found))
verdict("03.claim.first-parameter")

# %% [markdown] {"slug": "ask-all-read"}
# So ask all [parameters](glossary.md#parameter) and all [buffers](glossary.md#buffer). A buffer is a
# tensor that a module keeps without training it, such as the running mean of a `BatchNorm1d`.
#
# The last two lines are about the model that failed: all that it lists is on `cuda:0`. What is still
# on the CPU is not in these lists. Before we look for it, we have to know what `to` does.
#
# ## 2. What `to` does to a module · 8 min
#
# `x.to(gpu0)` leaves a tensor `x` as it is, and you have to keep the result.
# [`Module.to`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html) changes the module
# itself, [in place](glossary.md#in-place). It also returns the module, so that you can write
# `net = Net().to(gpu0)`. There is no second `net`.
#
# What happens to its parameters? We keep a second name for one of them.

# %% {"slug": "parameter-predict"}
predict("03.parameter")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "parameter-shown"}
layer = nn.Linear(3, 1)
weight = layer.weight
layer.to(gpu0)
print("same object:", layer.weight is weight)
print("kept name:  ", weight.device)
objects = "same object" if layer.weight is weight else "another object"
reveal("03.parameter", f"{objects}, on {weight.device}")

# %% [markdown] {"slug": "buffer-question"}
# Everything that holds a parameter relies on this answer, above all an optimizer. And buffers?

# %% {"slug": "buffer-predict"}
predict("03.buffer")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "buffer-shown"}
norm = nn.BatchNorm1d(3)
mean = norm.running_mean
norm.to(gpu0)
print("kept name:   ", mean.device)
print("running_mean:", norm.running_mean.device)
reveal("03.buffer", "the same object" if norm.running_mean is mean else "another object")

# %% [markdown] {"slug": "cast"}
# `Module.to` also takes a dtype. It casts floating-point and complex tensors only. The counter of
# `norm` holds whole numbers, and keeps its dtype:

# %% {"concepts": ["C072"], "errata": ["E08"], "slug": "cast-shown"}
norm.to(torch.float64)
print("weight:             ", norm.weight.dtype)
print("running_mean:       ", norm.running_mean.dtype)
print("num_batches_tracked:", norm.num_batches_tracked.dtype)

# %% [markdown] {"slug": "born"}
# A large model need not be made on the CPU and then moved. In a block `with torch.device(gpu0):`, its
# tensors are created on that GPU:

# %% {"concepts": ["C070"], "slug": "born-there"}
with torch.device(gpu0):
    net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
print(net[0].weight.device, net[2].weight.device)

# %% [markdown] {"slug": "bring-back"}
# ### Bring back
#
# After training, somebody wants the weights on the CPU, to plot them. For a tensor you would write
# `y.cpu()`. But `net.cpu()` is `to` once more: it moves the net itself. To leave it where it is, copy
# the tensors of its [state dict](glossary.md#state-dict):

# %% {"concepts": ["C071"], "slug": "bring-back-shown"}
weights = {name: tensor.cpu() for name, tensor in net.state_dict().items()}
print("copy:", weights["0.weight"].device)
print("net: ", net[0].weight.device)
saved = net.cpu()
print("net after net.cpu():", net[0].weight.device)
print("the same object:    ", saved is net)

# %% [markdown] {"slug": "left-behind"}
# Where the net itself is on the CPU, write `tensor.cpu().clone()`, or the copy is no copy.
#
# ## 3. What `to` leaves behind · 12 min
#
# Back to the model that failed. We print its state dict, and draw the model from its objects.

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "classifier-map"}
print(list(model.state_dict()))
module_map(model, title="The model after model.to(gpu0)")

# %% [markdown] {"slug": "registered-read"}
# The mean and the layer in the list stayed behind. A module keeps lists of its parameters, buffers and
# submodules. A parameter or a module that you assign to an attribute is entered there: it is
# **registered**. A plain tensor is not, and neither is what is inside a Python list or dict.
#
# What is not registered does not move. It is not saved, because the state dict is made from the same
# lists. And an optimizer that gets `model.parameters()` never trains it. On the CPU, nobody would notice.
#
# ### How to register
#
# A tensor that is not trained becomes a buffer:
# [`register_buffer(name, tensor)`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html).
# Modules in a list go into an
# [`nn.ModuleList`](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleList.html). Here is
# another model with both.


# %% {"concepts": ["C073"], "slug": "windowed"}
class Windowed(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("window", torch.hann_window(3), persistent=False)
        self.parts = nn.ModuleList([nn.Linear(3, 1), nn.Linear(3, 1)])


windowed = Windowed().to(gpu0)
print(windowed.window.device, list(windowed.state_dict()))

# %% [markdown] {"slug": "persistent"}
# It moved as a whole. The list shows what is saved. You read `self.window` and `self.parts[0]` as you
# would read any attribute. `persistent=False` is for what the model can compute again, such as a
# window: it moves, and is not saved.
#
# Why not an `nn.Parameter`? It would move as well. But an optimizer would train it, and with
# `requires_grad=False` it would still be counted among the parameters.
#
# ### Mend it here
#
# The model of section 1 again, with a function that makes one. Change two lines so that all of it
# moves and is saved.

# %% {"concepts": ["C073"], "slug": "classifier-program"}
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)


# %% [markdown] {"slug": "classifier-redrawn-text"}
# The map of your model. When you have mended it, nothing has a dotted frame.

# %% {"concepts": ["C073"], "slug": "classifier-redrawn"}
mine = classifier(torch.full((3,), 0.5)).to(gpu0)
module_map(mine, title="Your model after the move")

# %% [markdown] {"slug": "classifier-check-text"}
# The check moves your model from device to device and calls it on each.

# %% {"slug": "classifier-check"}
check("modules.classifier", classifier)

# %% [markdown] {"slug": "forward"}
# ## 4. Tensors made in `forward` · 8 min
#
# Some tensors are not registered, because their size depends on the batch. `forward` makes them
# anew in each call. This module adds to each step of a sequence its number, times a factor.

# %% {"slug": "positions-program"}
import torch
from torch import nn


class Positions(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, batch):
        steps = torch.arange(batch.shape[1])
        return batch + self.factor * steps


def positions(factor):
    return Positions(factor)


# %% [markdown] {"slug": "positions-fails-text"}
# We move it and call it. It holds no tensor at all.

# %% {"concepts": ["C073", "C076"], "slug": "positions-fails"}
module = positions(0.5).to(gpu0)
print("tensors:", list(module.state_dict()))
try:
    print(module(batch))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "forward-copies-text"}
# `arange` is a function that creates a tensor, and without `device=` it does so on the CPU. Many
# people append `.to(gpu0)` to that line. Then the error is gone, but the tensor crosses from CPU to
# GPU in every call, and the program waits for it. In lesson 02, PyTorch warned of each wait. This
# time we let it raise an error:

# %% {"concepts": ["C075"], "slug": "forward-waits"}
torch.cuda.set_sync_debug_mode("error")
try:
    batch + 0.5 * torch.arange(3).to(gpu0)
except RuntimeError as error:
    print(error)
finally:
    torch.cuda.set_sync_debug_mode("default")

# %% [markdown] {"slug": "positions-mend"}
# ### Mend it here
#
# Change one line of `Positions` so that it works on any device, and copies nothing. There is no
# parameter to ask for the device. What else does `forward` know?

# %% {"slug": "positions-check"}
check("modules.positions", positions)

# %% [markdown] {"slug": "loss"}
# ## 5. The batch and the loss function · 5 min
#
# The model stays on its GPU. Each batch is new, usually smaller, and goes to the model:

# %% {"concepts": ["C074", "C075"], "slug": "batch-moves"}
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 2)).to(gpu0)
images, labels = torch.rand(4, 3), torch.tensor([0, 1, 0, 0])
device = next(model.parameters()).device
scores = model(images.to(device))
print("scores:", scores.device)

# %% [markdown] {"slug": "loss-text"}
# For a model whose tensors are all registered and moved together, the first parameter is good enough.
#
# The second class is rare, so its mistakes shall count three times. Model, scores and labels are
# all on the GPU:

# %% {"concepts": ["C073", "C076"], "slug": "loss-fails"}
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
try:
    criterion(scores, labels.to(device))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "loss-read"}
# *got weight is on cpu*: this weight is not one of the model's. The loss function is a module of its
# own, and the class weights are its buffer. `model.to` does not know it. **Cure:** move it too.

# %% {"concepts": ["C073", "C075"], "slug": "loss-cured"}
print("buffers:", [name for name, buffer in criterion.named_buffers()])
criterion.to(device)
loss = criterion(scores, labels.to(device))
print("loss:", loss.device)

# %% [markdown] {"slug": "optimizer"}
# A loss function without class weights has no tensors, so nothing fails without the move. That is why
# it is so often forgotten.
#
# ## 6. The optimizer · 7 min
#
# An [optimizer](https://docs.pytorch.org/docs/stable/optim.html) gets the parameters of a net. We make
# one *before* the move, and train on the GPU.

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
# The weights changed, on the GPU. Now somebody else needs `cuda:0`. In the middle of training, the net
# moves on to the second GPU. The next batch goes there, too, and `backward` runs without an error.

# %% {"concepts": ["C078"], "slug": "state-moved"}
net.to(gpu1)
optimizer.zero_grad()
net(batch.to(gpu1)).sum().backward()
print("gradient:", net.weight.grad.device)

# %% [markdown] {"slug": "state-ask"}
# One line is left of this training step.

# %% {"slug": "state-predict"}
predict("03.state")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "state-shown"}
outcome = "it goes on as before"
try:
    optimizer.step()
except RuntimeError as error:
    outcome = "it raises an error"
    print(error)
reveal("03.state", outcome)

# %% [markdown] {"slug": "state-read"}
# The message names no tensor and no device. But only an optimizer has `step` tensors and *optimizer
# states*. *Tensors of the same index* are a parameter, its gradient and its momentum. The picture shows
# both objects:

# %% {"concepts": ["C078"], "slug": "state-map-shown"}
module_map(net, optimizer, title="The net and its optimizer after net.to(gpu1)")

# %% [markdown] {"slug": "state-cure"}
# The momentum is the optimizer's [state](glossary.md#optimizer-state). It was made on `cuda:0` in the
# first step, and the net does not know it. A new optimizer would work, but without the momentum. To
# keep it, let the optimizer load its own state dict: loading gives a momentum the device and the
# dtype of its parameter.

# %% {"concepts": ["C078"], "slug": "state-cured"}
optimizer.load_state_dict(optimizer.state_dict())
optimizer.step()
print("momentum:", optimizer.state[net.weight]["momentum_buffer"].device)

# %% [markdown] {"slug": "clinic"}
# The step succeeds. The message allowed one exception: `step` tensors on the CPU. Adam counts its steps
# in such a tensor, and keeps it on the CPU, so that it can read the number without waiting for the GPU.
#
# A simple habit avoids most of this: first move the net, then make the optimizer.
#
# ## 7. Error clinic · 5 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** A convolution on the GPU, and an image on the CPU. Then the other way round.

# %% {"concepts": ["C076"], "slug": "clinic-conv-shown"}
conv, image = nn.Conv2d(1, 1, 3), torch.ones(1, 1, 8, 8)
for module_on, image_on in ((gpu0, "cpu"), ("cpu", gpu0)):
    try:
        conv.to(module_on)(image.to(image_on))
    except RuntimeError as error:
        print(error)

# %% [markdown] {"slug": "clinic-conv-read"}
# No device is named, but two *types*: `torch.FloatTensor` is a float32 tensor on the CPU,
# `torch.cuda.FloatTensor` one on a GPU. *Input type* is the image's, *weight type* the module's.
# Ignore *MKLDNN*, a special format of the CPU.
#
# **Cure:** move what is on the CPU: the image in the first message, the module in the second.
#
# **Case 2.** A label that does not exist: three classes have the labels 0, 1 and 2. On the CPU this is
# an `IndexError`. On a GPU it ends the work of the whole process, so we run it in a second one.

# %% {"concepts": ["C076"], "slug": "clinic-assert-shown"}
from course_utils.experiments.children import run_child

program = """
import torch
scores, labels = torch.zeros(4, 3).cuda(), torch.tensor([0, 1, 2, 3]).cuda()
loss = torch.nn.functional.cross_entropy(scores, labels)
print(loss.item())
"""
print(run_child(program))

# %% [markdown] {"slug": "clinic-assert-read"}
# - *device-side assert triggered*: a [kernel](glossary.md#kernel) found something impossible, most
#   often a label or an index out of range.
# - *asynchronously reported*: a real GPU may report it at a later, innocent line. Our virtual ones
#   report it at once.
#
# After it, every CUDA call of the process fails. In a notebook, restart the kernel.
#
# **Cure:** run the step on the CPU, where the message names the label, or start the program with
# `CUDA_LAUNCH_BLOCKING=1`, so that the error appears where it happens. Then correct the labels.

# %% [markdown] {"slug": "project"}
# ## The project · 3 min
#
# Our `train.py` copies `MEAN` and `STD` to the device for every batch, and moves the model after the
# optimizer was made. In the new version, everything is registered:

# %% {"slug": "project-changes"}
project.changes("03")

# %% [markdown] {"slug": "project-run"}
# Two buffers, a `ModuleList`, and one `.to(device)` before the optimizer is made. Nothing else may
# change, so we train both versions with the same seed for two epochs. This takes a few seconds.

# %% {"slug": "project-runs"}
old = project.train("02", gpus=4, epochs=2)
new = project.train("03", gpus=4, epochs=2)
print("same losses:", [e.loss for e in old.log] == [e.loss for e in new.log])

# %% [markdown] {"slug": "project-try"}
# On virtual GPUs, the losses are exactly the same. A real GPU may round differently from run to run.
# The old version copied two tensors in each call of the model: 150 copies in an epoch of 75 batches.
# The new one copies none of them.
#
# **Try:** suppose that the `ModuleList` was a plain `list`. Where would the program fail?
#
# <details><summary>Answer</summary>
#
# On a GPU, at the first convolution: its weights are still on the CPU. On the CPU it runs, but the
# optimizer never sees the blocks. Only the head is trained.
#
# </details>

# %% [markdown] {"slug": "recap"}
# ## What you learned · 3 min
#
# Two questions, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("03.after.list")

# %% {"slug": "recap-2-quiz"}
quiz("03.after.buffer")

# %% [markdown] {"slug": "recap-aloud"}
# Now without choices: answer aloud, then open the answers.
#
# 1. What does `net.to(gpu0)` return, and what does it keep?
# 2. Which tensors of a model does `to` not find?
# 3. On which device should `forward` create a tensor?
# 4. What else has to move, besides the model and the batch?
# 5. May the optimizer be made before the move?
#
# <details><summary>Answers</summary>
#
# 1. `net` itself. Parameters stay the same objects; buffers are replaced.
# 2. Tensors in plain attributes, and whatever is in plain lists and dicts.
# 3. On that of its input: `device=batch.device`.
# 4. A loss function with class weights, and the states of the optimizer.
# 5. Yes, as long as it has no states yet. Otherwise they have to be moved as well.
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
# module where it is needed, name the tensor that is on the wrong device, write the `ShapeNet` of your
# own `train.py` so that it moves whole, mend a model that fails on the GPU, and move an optimizer in
# the middle of training.
#
# **Next lesson:** [04, *The torch.cuda toolbox*](04_torch_cuda_toolbox.ipynb): what PyTorch reports
# about GPUs, how it keeps their memory, and how random numbers repeat.
