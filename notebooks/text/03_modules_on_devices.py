# %% [markdown] {"slug": "title"}
# # Modules on devices
#
# *On the Right Device*, lesson 03 · previous lesson: [02, *Tensors on
# devices*](02_tensors_on_devices.ipynb) · [Glossary](glossary.md)
#
# Your classifier works on your laptop. On the server porto you move model and batch to a GPU, and the first call
# fails. You repair the model, then the training step. At the end, an old checkpoint must load.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **list** the devices of a module's tensors;
# - **predict** what a move does to a parameter, and what to a buffer;
# - **fix** a module that leaves tensors behind, and **load** its old checkpoint;
# - **create** tensors in `forward` on the right device;
# - **repair** a training step: net, loss function and optimizer.
#
# **Time:** about 1 hour
#
# **Prerequisites:** lesson 02; classes in Python; a training step with an optimizer.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start · 3 min
#
# You log in to porto. `nvidia-smi` lists the free memory of its GPUs.

# %% {"slug": "imports"}
import torch
from torch import nn

from course_utils import check, predict, quiz, reveal
from lesson_parts import project
from lesson_parts.hosts import log_in
from lesson_parts.lesson03 import module_map, name_map

log_in("porto")
# !nvidia-smi --query-gpu=index,memory.free,utilization.gpu --format=csv

# %% [markdown] {"slug": "before-from-memory"}
# A question about lesson 02, from memory.

# %% {"slug": "before-1-quiz"}
quiz("03.before.keep")

# %% [markdown] {"slug": "what-hurts"}
# ## 1. A model that was moved, and fails · 5 min
#
# The model subtracts a mean from each row of a batch, and has two layers.


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
# Model and batch go to GPU 1, which is idle.

# %% {"concepts": ["C073", "C076"], "slug": "classifier-fails"}
gpu1, gpu3 = torch.device("cuda:1"), torch.device("cuda:3")
model = Classifier(mean=torch.full((3,), 0.5))
model.to(gpu1)
batch = torch.ones(4, 3, device=gpu1)
try:
    model(batch)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "where"}
# So where *is* the model? There is no `model.device`, because the tensors of a module can be on several
# devices. Many programs read only the first parameter. This function reads all
# [parameters](glossary.md#parameter) and [buffers](glossary.md#buffer). A buffer is a tensor that a module keeps
# but does not train, such as the running mean of a `BatchNorm1d`.


# %% {"concepts": ["C070", "C077"], "errata": ["E28"], "slug": "first-parameter-shown"}
def where(module):
    return sorted({str(tensor.device) for tensor in [*module.parameters(), *module.buffers()]})


partly = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
partly[0].to(gpu1)
for name, module in {"partly": partly, "model": model}.items():
    print(f"{name}: first parameter on {next(module.parameters()).device}, all on {where(module)}")

# %% [markdown] {"slug": "ask-all-read"}
# The first parameter of `partly` does not show that the `BatchNorm1d` is still on the CPU. In `model`, even
# `where` finds no tensor on the CPU. So the CPU tensor in the error is neither a parameter nor a buffer.
#
# ## 2. What `to` does to a module · 5 min
#
# [`Module.to`](https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html) changes the module
# itself, [in place](glossary.md#in-place), and returns it. So `model.to(gpu1)` needs no equals sign.
#
# What happens to its tensors? A `BatchNorm1d` called `norm` has parameters and buffers. We keep a reference to
# one parameter and to one buffer, `weight = norm.weight` and `mean = norm.running_mean`. Then we move `norm`.

# %% {"slug": "same-predict"}
predict("03.same")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "same-shown"}
norm = nn.BatchNorm1d(3)
weight, mean = norm.weight, norm.running_mean
norm.to(gpu1)
print("parameter:", norm.weight is weight, weight.device)
print("buffer:   ", norm.running_mean is mean, mean.device)
answers = {(True, True): "both", (False, False): "neither"}
answers |= {(True, False): "only the parameter", (False, True): "only the buffer"}
reveal("03.same", answers[norm.weight is weight, norm.running_mean is mean])

# %% [markdown] {"slug": "same-read"}
# Before the move, `weight` and `norm.weight` were two names of one object, and so were `mean` and
# `norm.running_mean`. In the picture, a dashed arrow is from before the move.

# %% {"concepts": ["C071"], "slug": "same-drawn"}
old = {"norm.running_mean": mean, "norm.weight": weight}
new = {"norm.running_mean": norm.running_mean, "norm.weight": norm.weight}
names = {"mean": mean, **new, "weight": weight}
name_map(names, before=old, title="After norm.to(gpu1): what each name refers to")

# %% [markdown] {"slug": "same-rule"}
# So write `norm.running_mean` each time: after a move, `mean` is still the old tensor
# ([a user's report, August 2020](https://github.com/pytorch/pytorch/issues/43815)).
#
# ## 3. What `to` leaves behind · 12 min
#
# A checkpoint saves the [state dict](glossary.md#state-dict) of `model`. We print its names, and draw all tensors.

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "classifier-map"}
print(list(model.state_dict()))
module_map(model)

# %% [markdown] {"slug": "registered-read"}
# The mean and the layer in the list stayed on the CPU. A module keeps dicts of its parameters, buffers and submodules.
# If you assign a parameter or a module to an attribute, it goes into such a dict: it is **registered**. A plain
# tensor is not registered, and neither is the content of a Python list or dict. `to` does not find these tensors, a
# checkpoint lacks them, and an optimizer that gets `model.parameters()` never trains them.
#
# torchaudio had this mistake, too: a tensor of `TimeStretch` was a plain attribute. On a GPU, a call raised
# *expected device cuda:0 but got device cpu*. A buffer repaired it
# ([5 March 2020](https://github.com/pytorch/audio/pull/457)).
#
# For a tensor that is not trained, call `register_buffer(name, tensor)`. A list of modules becomes
# an [`nn.ModuleList`](https://docs.pytorch.org/docs/stable/generated/torch.nn.ModuleList.html).
#
# ### Fix it here
#
# After your change, `to` moves the whole model, and its state dict contains all its tensors.

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
# The next cell draws what your change moves. Run it before and after.

# %% {"concepts": ["C073"], "slug": "classifier-redrawn"}
mine = classifier(torch.full((3,), 0.5)).to(gpu1)
module_map(mine, before=model)

# %% [markdown] {"slug": "classifier-check-text"}
# The check moves your model from device to device and calls it on each.

# %% {"slug": "classifier-check"}
check("modules.classifier", classifier)

# %% [markdown] {"slug": "forward"}
# ## 4. Tensors made in `forward` · 10 min
#
# Some tensors depend on the size of the batch, so `forward` creates them in each call. Now each row of
# `batch` is a sequence. The module adds `factor * i` to element `i` of each sequence.

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
# We move and call it.

# %% {"concepts": ["C073", "C075", "C076"], "slug": "positions-fails"}
try:
    print(positions(0.5).to(gpu1)(batch))
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "positions-mend"}
# Without `device=`, `arange` creates its tensor on the default device, the CPU. With `.to(gpu1)` after it, the error
# disappears. But then every call copies the tensor, and waits for the copy.
#
# ### Fix it here
#
# After your change, `Positions` works on any device, and a call copies nothing. The module has no parameter whose
# device you could read. What else does `forward` have?

# %% {"slug": "positions-check"}
check("modules.positions", positions)

# %% [markdown] {"slug": "step"}
# ## 5. The whole training step · 15 min
#
# The second of two classes is rare, so a mistake on it should count three times.

# %% {"concepts": ["C073", "C074", "C076"], "slug": "loss-fails"}
net = nn.Linear(3, 2).to(gpu1)
labels = torch.tensor([0, 1, 0, 0], device=gpu1)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
try:
    criterion(net(batch), labels)
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "loss-read"}
# *got weight is on cpu*: this is not a weight of the net. `CrossEntropyLoss` is a module, too. The class weights
# are its buffer, so `criterion.to(gpu1)` moves them.
#
# The third part of a step is the optimizer. This function makes the optimizer first, and then moves the net.


# %% {"concepts": ["C078"], "slug": "first-step"}
def first_step(kind):
    net = nn.Linear(3, 2)
    optimizer = kind(net.parameters(), lr=0.1)
    net.to(gpu1)
    net(batch).sum().backward()
    optimizer.step()


# %% [markdown] {"slug": "state-ask"}
# We try it with `SGD`, `Adam` and `Adagrad`.

# %% {"slug": "state-predict"}
predict("03.state")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "state-shown"}
failed = []
for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.Adagrad):
    try:
        first_step(kind)
    except RuntimeError as error:
        print(f"{kind.__name__}: {error}")
        failed.append(kind.__name__)
reveal("03.state", " and ".join(failed) or "none")

# %% [markdown] {"slug": "state-read"}
# Most optimizers keep [states](glossary.md#optimizer-state): tensors for each parameter, such as a momentum. `net.to`
# does not move them.
#
# One rule is right for all: **move the net, then make the optimizer.** If you change the GPU during training, the
# states exist already. In the assignment, you write a function that moves them.
#
# ### Fix it here
#
# `train` should train a net on any `device`, with batches from the CPU. It has two mistakes: one
# in the loss function, and one in the optimizer.

# %% {"concepts": ["C075", "C078"], "slug": "train-program"}
import torch
from torch import nn


def train(net, batches, device):
    criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 3.0]))
    optimizer = torch.optim.Adagrad(net.parameters(), lr=0.1)
    net.to(device)
    for batch, labels in batches:
        optimizer.zero_grad()
        loss = criterion(net(batch.to(device)), labels.to(device))
        loss.backward()
        optimizer.step()
    return loss.item()


# %% [markdown] {"slug": "train-check-text"}
# The check compares the weights after a training on a GPU and on the CPU.

# %% {"slug": "train-check"}
check("modules.train", train)

# %% [markdown] {"slug": "project"}
# ## The project: an old checkpoint · 5 min
#
# The `ShapeNet` of `train.py` copies its mean and standard deviation to the GPU in every call, and waits.
# In version 03, both are buffers. Your old checkpoint is a file of version 02, saved on GPU 3.
# `map_location` is the new device of its tensors.

# %% {"concepts": ["C073"], "slug": "project-loaded"}
torch.save(project.network("02").to(gpu3).state_dict(), "old.pt")
net, saved = project.network("03").to(gpu1), torch.load("old.pt", map_location=gpu1)
try:
    net.load_state_dict(saved)
except RuntimeError as error:
    print(error)
keys = net.load_state_dict(saved, strict=False)
assert set(keys.missing_keys) <= {"mean", "std"} and not keys.unexpected_keys, keys

# %% [markdown] {"slug": "project-read"}
# `strict=False` loads what fits. It returns `missing_keys`, which the file lacks, and `unexpected_keys`, which the
# network lacks. **Compare both with what you expect**, as in the last line. The new network already has the right
# `mean` and `std`. But a layer with another name in the file would keep its random weights, without any error. (A wrong
# shape still raises one.)
#
# With `register_buffer(name, tensor, persistent=False)`, a buffer moves but is not saved. Then old checkpoints
# load as before.
#
# The next cell counts waits, as in lesson 02, and the tensors in the state dict of your classifier.

# %% {"concepts": ["C075"], "slug": "project-counted"}
import warnings

for net in (project.network("02").to(gpu1), project.network("03").to(gpu1)):
    torch.cuda.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True, action="always") as waits:
        net(torch.zeros(16, 3, 48, 48, dtype=torch.uint8, device=gpu1))
    torch.cuda.set_sync_debug_mode("default")
    print("mean is a buffer:", "mean" in net.state_dict(), "waits in a call:", len(waits))
print("tensors found, of 5:", len(model.state_dict()), "before,", len(mine.state_dict()), "now")

# %% [markdown] {"slug": "recap"}
# ## What you learned · 4 min
#
# A question, without looking back.

# %% {"slug": "recap-1-quiz"}
quiz("03.after.order")

# %% [markdown] {"slug": "recap-aloud"}
# Answer aloud, then open the answers.
#
# 1. What does `net.to(gpu1)` return, and what does it keep?
# 2. Which tensors of a model does `to` not find?
# 3. What has to be moved, besides net and batch?
# 4. An old checkpoint lacks keys. When is `strict=False` right?
#
# <details><summary>Answers</summary>
#
# 1. It returns `net` itself. By default, parameters stay the same objects. Buffers on another device are replaced.
# 2. Tensors in plain attributes, and the content of plain lists and dicts.
# 3. The labels, a loss function with class weights, and the states of an optimizer that has them already.
# 4. When the new model already has the right value for each missing key, and no key is unexpected.
#
# </details>

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Now: [Assignment 03: Modules on devices](../assignments/03_modules/03_modules.ipynb).**
# You will write the `ShapeNet` of your own `train.py`, fix a model, move an optimizer during training, and find
# the tensor on the wrong device. More about modules: [For reference](reference.md).
#
# **Next lesson:** [04, *GPU memory*](04_torch_cuda_toolbox.ipynb): which line fills it.
