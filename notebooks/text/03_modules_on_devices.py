# %% [markdown] {"slug": "title"}
# # Modules on devices
#
# *On the Right Device*, lesson 03 · previous lesson: [02, *Tensors on
# devices*](02_tensors_on_devices.ipynb) · [Glossary](glossary.md)
#
# Your model works on your laptop. On the shared server porto you write `model.to(gpu0)`, and it fails:
# part of it is still on the CPU. You fix that, and then the loss function fails. This lesson
# shows why, and how to write a model that moves as a whole.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a module which devices its tensors are on;
# - **predict** what a move does to a parameter, and what to a buffer;
# - **fix** a module that leaves a tensor behind;
# - **create** tensors in `forward` on the right device;
# - **move** the loss function, and **make** the optimizer after the move.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 02; classes in Python; a training step with an optimizer.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# The imports of the whole lesson, which take some seconds, and four GPUs.

# %% {"slug": "imports"}
import warnings

import torch
from torch import nn

from course_utils import check, claim, lab, predict, quiz, reveal, verdict
from lesson_parts import project
from lesson_parts.lesson03 import module_map

devices = lab(gpus=4)
gpu0, gpu1 = devices[0], devices[1]

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 02. Answer from memory.

# %% {"slug": "before-1-quiz"}
quiz("03.before.keep")

# %% [markdown] {"slug": "what-hurts"}
# ## 1. A model that was moved, and fails · 7 min
#
# Here is the model. It subtracts a mean from each row of a batch, and has two layers.


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
# Two devices meet, although model and batch were moved. So where *is* the model? There is no
# `model.device`, because the tensors of a module need not be in one place. Many programs ask the first
# parameter instead.

# %% {"slug": "first-parameter-claim"}
claim("03.claim.first-parameter")

# %% {"concepts": ["C070", "C077"], "errata": ["E28"], "slug": "first-parameter-shown"}
partly = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
partly[0].to(gpu0)
for net in (partly, model):
    found = {str(tensor.device) for tensor in [*net.parameters(), *net.buffers()]}
    print(type(net).__name__, "first:", next(net.parameters()).device, "all:", sorted(found))
verdict("03.claim.first-parameter")

# %% [markdown] {"slug": "ask-all-read"}
# So ask all [parameters](glossary.md#parameter) and all [buffers](glossary.md#buffer). A buffer is a
# tensor that a module keeps without training it, such as the running mean of a `BatchNorm1d`.
#
# The second line is about the model that failed. All its parameters and buffers are on `cuda:0`. So the
# tensors on the CPU must be something else.
#
# ## 2. What `to` does to a module · 5 min
#
# [`Module.to`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html) changes the module
# itself, [in place](glossary.md#in-place), and returns it. So `model.to(gpu0)` needs no equals sign.
#
# What happens to its tensors? A `BatchNorm1d` called `norm` has parameters and buffers. We give a second
# name to one of each, `weight = norm.weight` and `mean = norm.running_mean`, and move `norm`.

# %% {"slug": "same-predict"}
predict("03.same")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "same-shown"}
norm = nn.BatchNorm1d(3)
weight, mean = norm.weight, norm.running_mean
norm.to(gpu0)
print("parameter:", norm.weight is weight, weight.device)
print("buffer:   ", norm.running_mean is mean, mean.device)
answers = {(True, True): "both", (False, False): "neither"}
answers |= {(True, False): "only the parameter", (False, True): "only the buffer"}
reveal("03.same", answers[norm.weight is weight, norm.running_mean is mean])

# %% [markdown] {"slug": "same-read"}
# The parameter is the same object, with new memory on the GPU. So an optimizer that was made before
# the move still trains the parameters of the module. The buffer was replaced: `mean` is still the old
# one, on the CPU.
#
# ## 3. What `to` leaves behind · 14 min
#
# Back to the model that failed. We print the names in its [state dict](glossary.md#state-dict), which is
# what a checkpoint saves, and draw all its tensors.

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "classifier-map"}
print(list(model.state_dict()))
module_map(model, title="The model after model.to(gpu0)")

# %% [markdown] {"slug": "registered-read"}
# The mean and the layer in the list stayed behind. A module keeps lists of its parameters, buffers and
# submodules. If you assign a parameter or a module to an attribute, it is put into these lists: it is
# **registered**. A plain tensor is not, and neither is what is inside a Python list or dict.
#
# What is not registered does not move. It is not saved, either. And an optimizer that gets `model.parameters()`
# never trains it.
#
# For a tensor that is not trained, call `register_buffer(name, tensor)`. A list of modules becomes
# an [`nn.ModuleList`](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleList.html).
# The next model has both:


# %% {"concepts": ["C073"], "slug": "counting"}
class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(1))
        self.parts = nn.ModuleList([nn.Linear(3, 1), nn.Linear(3, 1)])


counting = Counting().to(gpu0)
print(counting.count.device, list(counting.state_dict()))

# %% [markdown] {"slug": "classifier-mend"}
# All of it moved, and all of it is saved. In the class, you use `self.count` and `self.parts[0]` as before.
#
# ### Fix it here
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
# The next cell draws your model. Once you have fixed it, nothing has a dotted frame.

# %% {"concepts": ["C073"], "slug": "classifier-redrawn"}
mine = classifier(torch.full((3,), 0.5)).to(gpu0)
module_map(mine, title="Your model after the move")

# %% [markdown] {"slug": "classifier-check-text"}
# The check moves your model from device to device and calls it on each.

# %% {"slug": "classifier-check"}
check("modules.classifier", classifier)

# %% [markdown] {"slug": "forward"}
# ## 4. Tensors made in `forward` · 10 min
#
# Some tensors depend on the size of the batch, so `forward` creates them in each call. In this batch, each
# row is a sequence. The module adds `factor * i` to its step `i`.

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

# %% {"concepts": ["C073", "C075", "C076"], "slug": "positions-fails"}
module = positions(0.5).to(gpu0)
print("tensors:", list(module.state_dict()))
try:
    print(module(batch))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "positions-mend"}
# `arange` creates a tensor, and without `device=` it does so on the CPU. Many people append `.to(gpu0)`
# to that line. The error is gone then, but every call copies the tensor and waits for the copy.
#
# ### Fix it here
#
# Change one line of `Positions` so that it works on any device, and a call copies nothing. There is no
# parameter to ask for the device. What else does `forward` know?

# %% {"slug": "positions-check"}
check("modules.positions", positions)

# %% [markdown] {"slug": "clinic"}
# ## 5. Error clinic · 9 min
#
# Two cases that surprise. The [error index](errors.md) has the others.
#
# **Case 1.** The second of two classes is rare, so mistakes on it should count three times. Net, batch and
# labels are on the GPU:

# %% {"concepts": ["C073", "C074", "C076"], "slug": "loss-fails"}
net = nn.Linear(3, 2).to(gpu0)
labels = torch.tensor([0, 1, 0, 0], device=gpu0)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
try:
    criterion(net(batch), labels)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "loss-read"}
# *got weight is on cpu*: this is not a weight of the net. The loss function is a module of its own, and
# the class weights are its buffer. **Cure:** move it, too.

# %% {"concepts": ["C073", "C075"], "slug": "loss-cured"}
print("buffers:", [name for name, buffer in criterion.named_buffers()])
criterion.to(gpu0)
print("loss:", criterion(net(batch), labels).device)

# %% [markdown] {"slug": "optimizer"}
# **Case 2.** A first training step on `cuda:0` succeeds. Then Li needs that card, and you move on to the
# second GPU.

# %% {"concepts": ["C078"], "slug": "state-moved"}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
criterion(net(batch), labels).backward()
optimizer.step()
net.to(gpu1)
criterion.to(gpu1)
optimizer.zero_grad()
criterion(net(batch.to(gpu1)), labels.to(gpu1)).backward()
print("gradient:", net.weight.grad.device)

# %% [markdown] {"slug": "state-ask"}
# `backward` runs on the second GPU. One line of this training step is left.

# %% {"slug": "state-predict"}
predict("03.state")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "state-shown"}
try:
    optimizer.step()
    outcome = "it goes on as before"
except RuntimeError as error:
    print(error)
    outcome = "it raises an error"
print("momentum:", optimizer.state[net.weight]["momentum_buffer"].device)
reveal("03.state", outcome)

# %% [markdown] {"slug": "state-cure"}
# The message names no tensor. Only the words *optimizer states*, near its end, are a clue. The optimizer
# keeps a momentum for each parameter: this is its [state](glossary.md#optimizer-state). It was made on
# `cuda:0` in the first step, and the net does not know it.
#
# The message depends on the optimizer and its state, but it always comes from `optimizer.step()`.
# **Cure:** move the net before the first step. In the middle of training, move the states too, with a
# function that you will write in the assignment.

# %% [markdown] {"slug": "project"}
# ## The project · 4 min
#
# The network of `train.py` copies `MEAN` and `STD` to the GPU for every batch, and waits for each copy: these
# are the 84 waits of `ShapeNet` in lesson 02. In the next version both are registered, as in the network that
# you will write in the assignment. We call each network with a batch on the GPU, and count the waits as in lesson 02.

# %% {"concepts": ["C075"], "slug": "project-counted"}
for version in ("02", "03"):
    net = project.network(version).to(gpu0)
    images = torch.zeros(16, 3, 64, 64, dtype=torch.uint8, device=gpu0)
    torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True, action="always") as waits:
        net(images)
    torch.cuda.set_sync_debug_mode("default")
    print(f"version {version}: {len(waits)} waits in a call")

# %% [markdown] {"slug": "recap"}
# In an epoch of 42 batches, 84 waits became none.
#
# ## What you learned · 6 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("03.after.order")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What does `net.to(gpu0)` return, and what does it keep?
# 2. Which tensors of a model does `to` not find?
# 3. On which device should `forward` create a tensor?
# 4. What else has to move, besides the model and the batch?
#
# <details><summary>Answers</summary>
#
# 1. It returns `net` itself. Parameters stay the same objects; buffers are replaced.
# 2. Tensors in plain attributes, and whatever is in plain lists and dicts.
# 3. On that of its input: `device=batch.device`.
# 4. A loss function with class weights, and the states of the optimizer.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 03: Modules on devices](../assignments/03_modules/03_modules.ipynb).**
# You will name the tensor that is on the wrong device, write the `ShapeNet` of your own `train.py`, fix a
# model that fails on the GPU, and move an optimizer in the middle of training. Other ways to register and to
# build are on the page [For reference](reference.md).
#
# **Next lesson:** [04, *The torch.cuda toolbox*](04_torch_cuda_toolbox.ipynb): which line
# fills a GPU's memory.
