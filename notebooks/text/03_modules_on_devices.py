# %% [markdown] {"slug": "title"}
# # Modules on devices
#
# *On the Right Device*, lesson 03
#
# A module is a bag of tensors with a recipe. Moving a module looks like moving a tensor, but
# different rules apply: only what is registered moves. This lesson keeps to the four words of the
# course: **choose**, **move**, **run**, **bring back**.

# %% [markdown] {"slug": "goals"}
# ## What you will be able to do
#
# - **ask** a module on which devices its tensors are, all of them;
# - **predict** which objects stay the same in a move or a cast, and which are replaced;
# - **spot** what a module leaves behind: plain attributes, lists, dicts, optimizer states;
# - **repair** such a module with buffers and a `ModuleList`;
# - **run** a module on an input from anywhere, with the fewest copies;
# - **move** an optimizer in the middle of training;
# - **read** six errors of modules word by word, and cure them.
#
# **Minutes:** 75
#
# **Prerequisites:** lesson 02; classes in Python; what a `Linear` layer computes, and what
# `backward()` and an optimizer's `step()` are for.
#
# Before a cell with a surprise you are asked for a prediction. Choose an answer even if you have
# to guess. Every cell runs with or without a GPU.

# %% [markdown] {"slug": "before-we-start"}
# ## Before we start: three questions
#
# First the names we need. `module_map` is new: it draws where everything in a module is.

# %% {"slug": "imports"}
import torch
from torch import nn

from course_utils import lab, predict, quiz, reveal
from course_utils.experiments.copies import count_copies
from course_utils.figures import module_map

# %% [markdown] {"slug": "before-from-memory"}
# Now answer from memory, without looking anything up. All three are about lesson 02.

# %% {"slug": "before-1-quiz"}
quiz("03.before.to")

# %% {"slug": "before-2-quiz"}
quiz("03.before.result")

# %% {"slug": "before-3-quiz"}
quiz("03.before.id")

# %% [markdown] {"slug": "choose"}
# ## 1. Choose: where is a module?
#
# We ask for four GPUs, real or virtual, and name two of them.

# %% {"slug": "lab"}
devices = lab(gpus=4)
cpu = torch.device("cpu")
gpu, second = devices[0], devices[1]
gpu, second

# %% [markdown] {"slug": "birth"}
# As in lesson 02: if they are *virtual*, then values, devices and error messages are those of CUDA,
# and the speed is not.
#
# A new layer is made of tensors. Let us see which, and where they are.

# %% {"concepts": ["C070"], "slug": "birth-shown"}
layer = nn.Linear(3, 1)
for name, parameter in layer.named_parameters():
    print(name, tuple(parameter.shape), parameter.device)

# %% [markdown] {"slug": "birth-explained"}
# A weight and a bias, both on the CPU: PyTorch's default holds for modules as well. A tensor's
# device is `x.device`. And a module's?

# %% {"slug": "no-device-predict"}
predict("03.no-device")

# %% {"concepts": ["C070"], "slug": "no-device-shown"}
try:
    answer = layer.device
except AttributeError as error:
    answer = type(error).__name__
    print(error)
reveal("03.no-device", answer)

# %% [markdown] {"slug": "ask-tensors"}
# Many programs look at the first parameter:

# %% {"concepts": ["C070"], "slug": "ask-first"}
next(layer.parameters()).is_cuda, next(layer.parameters()).device

# %% [markdown] {"slug": "claim-one-is-enough"}
# For a module with one layer that is fine.
#
# > **Claim in circulation.** “`net[0].weight.data.device` confirms that the model's parameters are
# > on the GPU.”
#
# Here is a network in which two parts were moved and one was forgotten.

# %% {"concepts": ["C077"], "errata": ["E28"], "slug": "claim-one-is-enough-shown"}
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
net[0].to(gpu)
net[2].to(gpu)
print("asked:", net[0].weight.device)
for name, tensor in [*net.named_parameters(), *net.named_buffers()]:
    print(f"{name:24} {tensor.device}")

# %% [markdown] {"slug": "claim-one-is-enough-fact"}
# `net[0].weight` is on `cuda:0`, and everything whose name begins with `1` is on the CPU.
#
# > **The fact.** One parameter says nothing about the others, and parameters say nothing about
# > **buffers**, the tensors that a module keeps without training them (`running_mean` is one).
# > Ask all of both. `.data` is not needed for that.

# %% {"concepts": ["C077"], "errata": ["E28"], "slug": "ask-all"}
from itertools import chain

{str(tensor.device) for tensor in chain(net.parameters(), net.buffers())}

# %% [markdown] {"slug": "born-there"}
# Two devices: this network would not run. A set with one element is what you want to see.
#
# Layers take `device=`, like all functions that make tensors. Then nothing has to be moved.

# %% {"concepts": ["C070"], "slug": "born-there-shown"}
with count_copies() as copies:
    born_there = nn.Linear(3, 1, device=gpu)
born_there.weight.device, copies.total

# %% [markdown] {"slug": "move"}
# Born on `cuda:0`, with no copy between devices.
#
# ## 2. Move: what `to` does to a module
#
# You know that `x.to(gpu)` alone moves nothing if `x` is a tensor. We write the same line for a
# module.

# %% {"slug": "in-place-predict"}
predict("03.in-place")

# %% {"concepts": ["C071"], "slug": "in-place-shown"}
layer = nn.Linear(3, 1)
layer.to(gpu)
reveal("03.in-place", layer.weight.device)

# %% [markdown] {"slug": "returns-self"}
# The method also returns something, so that you can write `net = Net().to(gpu)`. What is it?

# %% {"concepts": ["C071"], "slug": "returns-self-shown"}
layer.to(second) is layer, layer.weight.device

# %% [markdown] {"slug": "parameter-question"}
# It returns the module itself, now on `cuda:1`. So there is only one `layer`, and it is on one
# device at a time.
#
# Are its parameters the same objects as before, too? We keep names for a parameter and for its
# memory, and look again after a move.

# %% {"slug": "parameter-predict"}
predict("03.parameter")

# %% {"concepts": ["C071"], "slug": "parameter-shown"}
layer = nn.Linear(3, 1)
weight, memory = layer.weight, layer.weight.untyped_storage()
layer.to(gpu)
now = layer.weight.untyped_storage()
stayed = now.device == memory.device and now.data_ptr() == memory.data_ptr()
kind = f"same object, {'same' if stayed else 'other'} memory"
reveal("03.parameter", kind if layer.weight is weight else "another object")

# %% [markdown] {"slug": "claim-address"}
# > **Claim in circulation.** “`module.to()` is in place: the memory address does not change, as
# > `id(net)` shows.”
#
# We print three things before and after a move: the id of the module, the id of its parameter, and
# the address of its numbers.

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "claim-address-shown"}
net = nn.Linear(3, 1)
before = id(net), id(net.weight), (net.weight.device, net.weight.data_ptr())
net.to(gpu)
after = id(net), id(net.weight), (net.weight.device, net.weight.data_ptr())
for what, old, new in zip(["module", "parameter", "numbers"], before, after, strict=True):
    print(what, "same" if old == new else "changed")

# %% [markdown] {"slug": "claim-address-fact"}
# > **The fact.** `id(net)` says that `net` is the same Python object, and nothing about memory. The
# > second and the third line answer two more questions, and neither follows from the first.
#
# Everything that holds on to a parameter, such as an optimizer, depends on the second line. And
# what about buffers?

# %% {"slug": "buffer-predict"}
predict("03.buffer")

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "buffer-shown"}
norm = nn.BatchNorm1d(3)
mean, counter = norm.running_mean, norm.num_batches_tracked
norm.to(gpu)
print("old:", mean.device, " new:", norm.running_mean.device)
reveal("03.buffer", "the same object" if norm.running_mean is mean else "another object")

# %% [markdown] {"slug": "buffers-replaced"}
# Now gradients. They belong to their parameters; do they go with them?

# %% {"concepts": ["C071"], "slug": "gradient-moves"}
layer = nn.Linear(3, 1)
layer(torch.ones(2, 3)).sum().backward()
layer.to(gpu)
layer.weight.grad.device

# %% [markdown] {"slug": "claim-cast"}
# The gradient is on `cuda:0`, beside its parameter.
#
# ### A cast
#
# > **Claim in circulation.** “The `to` of data can also convert the dtype”, as if that of a module
# > could not.
#
# `norm` has floating-point tensors, and a counter of whole numbers. We cast the whole module.

# %% {"slug": "cast-predict"}
predict("03.cast")

# %% {"concepts": ["C072"], "errata": ["E08"], "slug": "cast-shown"}
norm.to(torch.float64)
dtypes = [str(t.dtype).removeprefix("torch.")
          for t in (norm.running_mean, norm.num_batches_tracked)]
print("parameter:", norm.weight.dtype, norm.weight.device)
reveal("03.cast", " and ".join(dtypes))

# %% [markdown] {"slug": "claim-cast-fact"}
# > **The fact.** `Module.to` takes a dtype as well as a device. An integer dtype is refused: the
# > error clinic has the message.
#
# Device and dtype may also be given together.

# %% {"concepts": ["C072"], "slug": "cast-and-move"}
linear = nn.Linear(2, 2).to(second, torch.float16)
linear.weight.device, linear.weight.dtype

# %% [markdown] {"slug": "flags"}
# ### Two flags, and a swap
#
# PyTorch can do it in other ways, if you ask for them. The first flag makes new `Parameter`
# objects. An optimizer that was made before then trains parameters that nobody uses any more,
# without an error.

# %% {"concepts": ["C071"], "errata": ["E06"], "slug": "flag-overwrite"}
torch.__future__.set_overwrite_module_params_on_conversion(True)
layer = nn.Linear(3, 1)
weight = layer.weight
layer.to(gpu)
print("same object:", layer.weight is weight, " the old one is on", weight.device)
torch.__future__.set_overwrite_module_params_on_conversion(False)

# %% [markdown] {"slug": "swap"}
# Another object, and the old one stayed on the CPU. The second flag,
# `set_swap_module_params_on_conversion(True)`, keeps the objects by means of a tool that you can
# use yourself: `swap_tensors` exchanges what two tensor objects contain.

# %% {"concepts": ["C071"], "slug": "swap-shown"}
a, b = torch.zeros(2), torch.ones(2, device=gpu)
name_of_a = a
torch.utils.swap_tensors(a, b)
print(a, name_of_a is a)

# %% [markdown] {"slug": "what-moves"}
# `a` is the same object as before, with the numbers and the device of `b`. Both flags are rare; it
# is enough to know that they exist.
#
# ## 3. What moves, and what stays behind
#
# “`to` moves what it finds”: what does it find? This module holds tensors in five different ways.

# %% {"concepts": ["C073"], "slug": "tangled"}
class Tangled(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.norm = nn.BatchNorm1d(3)
        self.mask = torch.ones(3)
        self.more = [nn.Linear(3, 1)]
        self.cache = {"scale": torch.ones(1)}

# %% [markdown] {"slug": "tangled-train"}
# A layer, a norm with buffers, a plain attribute, a layer in a list, and a tensor in a dict. To
# have an optimizer with states as well, we make one step with momentum. (`foreach=False` updates
# one parameter after another, which makes errors easier to read.)

# %% {"concepts": ["C073", "C078"], "slug": "tangled-trained"}
net = Tangled()
optimizer = torch.optim.SGD(net.first.parameters(), lr=0.1, momentum=0.9, foreach=False)
net.first(torch.ones(2, 3)).sum().backward()
optimizer.step()
module_map(net, optimizer, title="Before the move", devices=[gpu])

# %% [markdown] {"slug": "tangled-predict-text"}
# The picture is drawn from the objects themselves. Everything is on the CPU, and now the net moves.

# %% {"slug": "tangled-predict"}
predict("03.tangled")

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "tangled-moved"}
net.to(gpu)
reveal("03.tangled", net.mask.device)

# %% [markdown] {"slug": "tangled-map"}
# Here is the whole net after the move, with its optimizer:

# %% {"concepts": ["C073", "C078"], "errata": ["E06"], "slug": "tangled-map-shown"}
module_map(net, optimizer, title="After net.to(gpu)")

# %% [markdown] {"slug": "claim-everything"}
# Compare the two pictures, frame by frame.
#
# > **Claim in circulation.** “`net.to(device)` moves the whole model.”
#
# The module's own list of what it holds is its `state_dict`. Is the layer in the list there?

# %% {"concepts": ["C073"], "errata": ["E06"], "slug": "claim-everything-shown"}
print(list(net.state_dict()))
print("parameters:", sum(1 for _ in net.parameters()))

# %% [markdown] {"slug": "claim-everything-fact"}
# No name begins with `more`, `mask` or `cache`, and of the three layers' parameters only four are
# counted.
#
# > **The fact.** A module **registers** a parameter or a module that is assigned to an attribute.
# > Other tensors, and what is inside lists and dicts, it does not know: it neither moves them, nor
# > trains them, nor saves them.
#
# ### Repair: register it
#
# A tensor that is not trained becomes a **buffer**: `register_buffer(name, tensor)`. A list of
# modules becomes an `nn.ModuleList`.

# %% {"concepts": ["C073"], "slug": "tidy"}
class Tidy(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.more = nn.ModuleList([nn.Linear(3, 1)])
        self.register_buffer("mask", torch.ones(3), persistent=False)
        self.register_buffer("scale", torch.ones(1))

# %% [markdown] {"slug": "tidy-map"}
# You read `self.mask` and `self.more[0]` as before. We move it:

# %% {"concepts": ["C073"], "slug": "tidy-map-shown"}
tidy = Tidy().to(gpu)
module_map(tidy, title="The repaired module, after the move", devices=[cpu])

# %% [markdown] {"slug": "persistent"}
# All of it is on `cuda:0`. The two buffers differ in one respect: `persistent`.

# %% {"slug": "persistent-predict"}
predict("03.persistent")

# %% {"concepts": ["C073"], "slug": "persistent-shown"}
saved = [name for name in ("mask", "scale") if name in tidy.state_dict()]
reveal("03.persistent", "both" if len(saved) == 2 else f"only {saved[0]}")

# %% [markdown] {"slug": "persistent-explained"}
# A `Parameter` would move too. But it would also be trained:

# %% {"concepts": ["C073"], "slug": "parameter-instead"}
wrong = nn.Linear(3, 1)
wrong.mask = nn.Parameter(torch.ones(3))
[name for name, _ in wrong.named_parameters()], [name for name, _ in tidy.named_buffers()]

# %% [markdown] {"slug": "run"}
# The optimizer would be given `mask` with the rest, and change it. Buffers are in no such list.
#
# ## 4. Run: the module and its input
#
# A module computes with its own tensors and an input. First, all of them on one GPU:

# %% {"concepts": ["C074", "C075"], "errata": ["E27"], "slug": "forward-shown"}
net = nn.Sequential(nn.Linear(3, 1)).to(gpu)
X = torch.ones(2, 3, device=gpu)
output = net(X)
print(output.device, output.is_cuda, type(output.grad_fn).__name__)
print("equal rows:", torch.equal(output[0], output[1]))

# %% [markdown] {"slug": "forward-explained"}
# The result is on `cuda:0`, where the module is. Its rows are equal because those of `X` are.
# `AddmmBackward0` names the operation that made it, a matrix product with a bias; old notes print
# it without the `0`. (A `Linear` without bias gives `MmBackward0`.)
#
# Data come from files, and so from the CPU. What happens to such an input in the module?

# %% {"slug": "cpu-input-predict"}
predict("03.cpu-input")

# %% {"concepts": ["C075", "C076"], "slug": "cpu-input-shown"}
try:
    outcome = f"a tensor on {net(torch.ones(2, 3)).device}"
except RuntimeError as error:
    outcome = type(error).__name__
reveal("03.cpu-input", outcome)

# %% [markdown] {"slug": "which-side"}
# Suppose that a module is on a GPU, and its batch comes from the CPU. Which of the two is cheaper
# to move? A batch is small and new each time; a network is large and stays. Here are the bytes of a
# medium-sized layer and of a batch for it:

# %% {"concepts": ["C075"], "slug": "which-side-shown"}
big = nn.Linear(1000, 1000, device=gpu)
batch = torch.ones(32, 1000)
sum(p.nbytes for p in big.parameters()), batch.nbytes

# %% [markdown] {"slug": "input-moves"}
# Four megabytes against 128 kilobytes. So the module moves **once**, and the input moves with every
# batch, to wherever the module is:

# %% {"concepts": ["C075", "C076"], "slug": "input-moves-shown"}
place = next(big.parameters()).device
with count_copies() as copies:
    result = big(batch.to(place))
result.device, copies.by_route

# %% [markdown] {"slug": "claim-one-device"}
# One copy, of the batch, and the result on `cuda:0`.
#
# > **Claim in circulation.** “A model has to be on one device as a whole, or it raises an error.”
#
# Here is a module whose parts are on two GPUs. Its `forward` moves what passes between them.

# %% {"concepts": ["C075"], "errata": ["E26"], "slug": "split"}
class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.tail = nn.Linear(3, 4).to(gpu), nn.Linear(4, 1).to(second)

    def forward(self, x):
        hidden = self.head(x.to(self.head.weight.device))
        return self.tail(hidden.to(self.tail.weight.device))

# %% [markdown] {"slug": "split-run-text"}
# We run it on an input from the CPU, and let a gradient go all the way back.

# %% {"concepts": ["C075"], "errata": ["E26"], "slug": "split-run"}
split = Split()
output = split(torch.ones(2, 3))
output.sum().backward()
output.device, split.head.weight.grad.device, split.tail.weight.grad.device

# %% [markdown] {"slug": "claim-one-device-fact"}
# It runs, on `cuda:0` first and then on `cuda:1`, and each gradient is beside its parameter.
#
# > **The fact.** The rule is about one operation and its inputs. A module may be spread over
# > devices if its `forward` moves the data. Just do not call `split.to(gpu)` afterwards: that
# > would put all of it on one GPU.
#
# What does *not* belong in `forward` is the move of something that never changes. We count the
# copies of a module whose mask stayed behind, over five batches.

# %% {"concepts": ["C073", "C075"], "slug": "forward-copies"}
mask, mask_there = torch.ones(3), torch.ones(3, device=gpu)
with count_copies() as each_time:
    for _ in range(5):
        X * mask.to(gpu)
with count_copies() as registered:
    for _ in range(5):
        X * mask_there
each_time.total, registered.total

# %% [markdown] {"slug": "optimizer"}
# Five copies against none. A `to` in `forward` makes the error go away and leaves its cause.
#
# ## 5. The optimizer: before or after the move?
#
# An optimizer is given parameters, and holds these very objects. We make one *before* the move,
# and train on the GPU.

# %% {"slug": "order-predict"}
predict("03.order")

# %% [markdown] {"slug": "claim-order"}
# > **Claim in circulation.** “The optimizer has to be created after `net.to(device)`, or it trains
# > the old parameters on the CPU.”

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "claim-order-shown"}
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, foreach=False)
net.to(gpu)
before = net.weight.detach().clone()
net(X).sum().backward()
optimizer.step()
print("holds net.weight:", optimizer.param_groups[0]["params"][0] is net.weight)
reveal("03.order", "no, silently" if torch.equal(before, net.weight) else "yes")

# %% [markdown] {"slug": "claim-order-fact"}
# > **The fact.** What counts is whether the optimizer holds the parameter objects that the net
# > uses, and section 2 showed what a move does to these. “First move, then make the optimizer” is
# > still the better habit: it is right in every case.
#
# The order does matter with the overwrite flag of section 2, or if you replace parameters yourself.
# And an optimizer has tensors of its own: this one has just made its first step, and keeps a
# momentum for each parameter. Now net and training go on to the second GPU.

# %% {"slug": "state-predict"}
predict("03.state")

# %% {"concepts": ["C078"], "errata": ["E06"], "slug": "state-shown"}
net.to(second)
state = optimizer.state[net.weight]
reveal("03.state", state["momentum_buffer"].device)

# %% [markdown] {"slug": "state-map"}
# The net and its optimizer in one picture:

# %% {"concepts": ["C078"], "slug": "state-map-shown"}
module_map(net, optimizer, title="Net and optimizer, after the move")

# %% [markdown] {"slug": "state-raises"}
# We make the next step. Should there be an error, read its message: does it name the optimizer?

# %% {"concepts": ["C078"], "slug": "state-raised"}
optimizer.zero_grad()
net(X.to(second)).sum().backward()
try:
    optimizer.step()
except RuntimeError as error:
    print(error)

# %% [markdown] {"slug": "state-cure"}
# The message names two devices and no optimizer. A new optimizer would work, and would have
# forgotten the momentum. To keep it, move the states: for each parameter `optimizer.state` has a
# dict of tensors. The shortest way is to let the optimizer load its own checkpoint, since loading
# puts each state where its parameter is.

# %% {"concepts": ["C078"], "slug": "state-cured"}
optimizer.load_state_dict(optimizer.state_dict())
optimizer.step()
optimizer.state[net.weight]["momentum_buffer"].device

# %% [markdown] {"slug": "step-counter"}
# On `cuda:1`, and the step succeeds. One state is an exception. Adam counts its steps in a tensor
# without dimensions:

# %% {"concepts": ["C078"], "slug": "step-counter-shown"}
adam = torch.optim.Adam(net.parameters(), lr=0.1)
adam.step()
{name: str(value.device) for name, value in adam.state[net.weight].items()}

# %% [markdown] {"slug": "claim-leaf"}
# The averages are beside the parameter. By default `step` is on the CPU, *on purpose*: the
# optimizer reads it there, and on a GPU it would have to wait for it in every step. With
# `fused=True` or `capturable=True` the GPU itself reads it, and `step` is on the GPU.
#
# ### The trap of the non-leaf
#
# > **Claim in circulation.** “Anything that is trained can be moved with `x = x.to(device)`.”
#
# Lesson 02 showed that such an `x` gets no gradient. With an optimizer there is at least an error.

# %% {"concepts": ["C078"], "errata": ["E12"], "slug": "claim-leaf-shown"}
w = nn.Parameter(torch.ones(3)).to(gpu)
print(type(w).__name__, w.is_leaf)
try:
    torch.optim.SGD([w], lr=0.1)
except ValueError as error:
    print(error)

# %% [markdown] {"slug": "claim-leaf-fact"}
# What was moved is a plain tensor and no leaf, and the optimizer refuses it.
#
# > **The fact.** A move of a tensor is an operation that autograd records. Move *modules*, whose
# > parameters stay leaves; or make the parameter on the device.

# %% {"concepts": ["C078"], "errata": ["E12"], "slug": "leaf-cured"}
w = nn.Parameter(torch.ones(3, device=gpu))
torch.optim.SGD([w], lr=0.1)
w.is_leaf, w.device

# %% [markdown] {"slug": "bring-back"}
# ## 6. Bring back: the weights
#
# After training somebody wants the weights on the CPU, to plot them, say. For a tensor you would
# write `y.cpu()`. And for a module?

# %% {"slug": "bring-back-predict"}
predict("03.bring-back")

# %% {"concepts": ["C071"], "slug": "bring-back-shown"}
saved = net.cpu()
reveal("03.bring-back", net.weight.device)

# %% [markdown] {"slug": "bring-back-explained"}
# To **bring back** the weights alone, copy the tensors of the state dict:

# %% {"concepts": ["C071"], "slug": "bring-back-tensors"}
net.to(gpu)
weights = {name: tensor.cpu() for name, tensor in net.state_dict().items()}
net.weight.device, weights["weight"].device

# %% [markdown] {"slug": "clinic"}
# The copies are on the CPU, and the net is still on `cuda:0`. If you do want a second module, make
# one: `copy.deepcopy(net).cpu()`.
#
# ## 7. Error clinic
#
# Six messages. The question is always: which side is on which device, and which one should move?

# %% [markdown] {"slug": "clinic-addmm"}
# **Case 1.** A `Linear` on the GPU, its input on the CPU.

# %% {"concepts": ["C076"], "slug": "clinic-addmm-shown"}
layer = nn.Linear(3, 1).to(gpu)
x = torch.ones(2, 3)
try:
    layer(x)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-addmm-read"}
# - *got mat1 is on cpu*: `mat1` is the first matrix of the product, the **input**.
# - *different from other tensors on cuda:0*: weight and bias, the **module**.
# - *addmm*: **add** the bias to a **m**atrix **m**ultiplication. What stands before it is only a
#   wrapper.
#
# **Cure:** bring the input to the module.

# %% {"concepts": ["C075", "C076"], "slug": "clinic-addmm-cured"}
layer(x.to(layer.weight.device)).device

# %% [markdown] {"slug": "clinic-mm"}
# It runs on `cuda:0`.
#
# **Case 2.** The same layer without a bias.

# %% {"concepts": ["C076"], "slug": "clinic-mm-shown"}
no_bias = nn.Linear(3, 1, bias=False).to(gpu)
try:
    no_bias(x)
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-mm-read"}
# - *mm*: a product without anything to add.
# - *got mat2 is on cuda:0*: `mat2` is the second matrix, and that is the module's **weight**.
# - *different from other tensors on cpu*: the other one is the input.
#
# It is the mistake of case 1, reported from the other side. The message names the first argument
# that differs, which need not be the one to move.
#
# **Cure:** the same.

# %% {"concepts": ["C076"], "slug": "clinic-mm-cured"}
no_bias(x.to(no_bias.weight.device)).device

# %% [markdown] {"slug": "clinic-conv"}
# Again `cuda:0`.
#
# **Case 3.** A convolution: first the input is on the CPU, then the module.

# %% {"concepts": ["C076"], "slug": "clinic-conv-shown"}
conv, image = nn.Conv2d(1, 1, 3), torch.ones(1, 1, 8, 8)
for where_conv, where_image in ((gpu, cpu), (cpu, gpu)):
    try:
        conv.to(where_conv)(image.to(where_image))
    except RuntimeError as error:
        print(f"{type(error).__name__}: {error}\n")

# %% [markdown] {"slug": "clinic-conv-read"}
# - No device is named here, but two *types*: `torch.FloatTensor` is a float32 tensor on the CPU,
#   `torch.cuda.FloatTensor` one on a GPU.
# - *Input type* is the input's, *weight type* the module's.
# - *or input should be a MKLDNN tensor …*: about a special format of the CPU. Ignore it.
#
# **Cure:** in the first message the input moves; in the second the module was forgotten, and
# `conv.to(gpu)` is missing.

# %% {"concepts": ["C076"], "slug": "clinic-conv-cured"}
conv.to(gpu)(image.to(gpu)).device

# %% [markdown] {"slug": "clinic-left"}
# Both are on `cuda:0`.
#
# **Case 4.** Module and input were moved, and still there are two devices.

# %% {"concepts": ["C073", "C076"], "slug": "clinic-left-shown"}
tangled = Tangled().to(gpu)
try:
    tangled.first(X) * tangled.mask
except RuntimeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-left-read"}
# - *found at least two devices, cuda:0 and cpu*: an element-wise operation; it names no argument.
# - Input and parameters are on `cuda:0`. What else takes part? The mask, a plain attribute.
#
# **Cure:** register it. (An attribute of that name has to be deleted first.)

# %% {"concepts": ["C073"], "slug": "clinic-left-cured"}
mask = tangled.mask
del tangled.mask
tangled.register_buffer("mask", mask, persistent=False)
tangled.to(gpu)
(tangled.first(X) * tangled.mask).device

# %% [markdown] {"slug": "clinic-integer"}
# Now the mask came along.
#
# **Case 5.** Somebody wants a module that holds whole numbers.

# %% {"concepts": ["C072"], "errata": ["E08"], "slug": "clinic-integer-shown"}
try:
    nn.Linear(3, 1).to(torch.int32)
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-integer-read"}
# - *only accepts floating point or complex dtypes*: parameters are trained in small steps, and
#   whole numbers have none.
# - *got desired dtype=torch.int32*: what was asked for. Nothing was changed.
#
# **Cure:** to save memory, use a smaller floating-point dtype. Its name contains `float`.

# %% {"concepts": ["C072"], "slug": "clinic-integer-cured"}
nn.Linear(3, 1).to(torch.bfloat16).weight.dtype

# %% [markdown] {"slug": "clinic-parameter"}
# Two bytes for each number instead of four.
#
# **Case 6.** Somebody moves a parameter by hand.

# %% {"concepts": ["C071", "C078"], "errata": ["E12"], "slug": "clinic-parameter-shown"}
layer = nn.Linear(3, 1)
try:
    layer.weight = layer.weight.to(gpu)
except TypeError as error:
    print(f"{type(error).__name__}: {error}")

# %% [markdown] {"slug": "clinic-parameter-read"}
# - *cannot assign 'torch.cuda.FloatTensor'*: what `to` returned is a plain tensor on the GPU.
# - *as parameter 'weight' (torch.nn.Parameter or None expected)*: the module guards its parameters.
#
# **Cure:** let the module do it. It keeps the `Parameter`, and with it every optimizer.

# %% {"concepts": ["C071"], "slug": "clinic-parameter-cured"}
layer.to(gpu).weight.device

# %% [markdown] {"slug": "recap"}
# The weight is on `cuda:0`, and the bias with it.
#
# ## What you learned
#
# Three questions, without looking back. Each answer comes with its reason.

# %% {"slug": "recap-1-quiz"}
quiz("03.after.list")

# %% {"slug": "recap-2-quiz"}
quiz("03.after.states")

# %% {"slug": "recap-3-quiz"}
quiz("03.after.buffer")

# %% [markdown] {"slug": "recap-aloud"}
# And without choices: answer aloud, then open the answers.
#
# 1. What does `net.to(gpu)` return, and what does it keep?
# 2. Which tensors of a module does `to` not find?
# 3. When does a tensor belong in a buffer, and when is it `persistent=False`?
# 4. May the optimizer be made before the move?
# 5. `got mat2 is on cuda:0`: whose matrix is it?
#
# <details><summary>Answers</summary>
#
# 1. `net` itself. Parameters stay the same objects with new memory; buffers are replaced.
# 2. Plain attributes and whatever is in lists and dicts; and the optimizer's states, which are not
#    the module's at all.
# 3. If it moves along and is not trained; `persistent=False` if it can be computed again.
# 4. Yes, as long as it has made no step. After that its states have to be moved as well.
# 5. The module's weight, in a product without bias.
#
# </details>
#
# In four words: **choose** one device for module and data. **Move** the module once, in place, with
# all it needs registered. **Run** by bringing each batch to the module. **Bring back** tensors, and
# leave the module where it is.

# %% [markdown] {"slug": "assignment-and-next"}
# ## The assignment, and the next lesson
#
# **Assignment:** `03_modules`. You will ask modules where they are, build one where it is needed,
# predict what a move leaves the same, name the tensor that is on the wrong device, run a module on
# an input from anywhere, repair a module that nobody could move, mend a model that fails on the
# GPU, and move an optimizer in the middle of training.
#
# **Next lesson:** 04, *The torch.cuda toolbox*: what the functions of `torch.cuda` tell, and how
# random numbers are made on several GPUs. If it is not in your copy of the course, it is still to
# come.
