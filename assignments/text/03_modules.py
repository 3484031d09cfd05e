# %% [markdown] {"slug": "title"}
# # Assignment 03: Modules on devices
#
# Seven small tasks about modules: where their tensors are, what `to` moves and what it leaves
# behind, where to run, and what becomes of the optimizer. All of them come from lesson 03. You
# write a function for each; the cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("modules.module_devices")` gives a hint, and a further one each time.
#   `solution("modules.module_devices")` shows a solution with its reasons, where the course comes
#   with them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch
from torch import nn

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "module_devices_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. Where is this module?
#
# *Implement, 3 points.* A module has no `.device`: its tensors have one each, and they need not
# agree.
#
# Write `module_devices(module)`. It returns the set of the devices on which the module's parameters
# and buffers live, as texts.
#
# - All parameters and all buffers count, those of submodules included. Nothing else counts.
# - A module that holds no tensor is on no device: the set is empty.
# - The module stays as it is.
#
# ```python
# net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
# net[1].to(devices[1])
# module_devices(net)         # {'cpu', 'cuda:1'}
# module_devices(nn.ReLU())   # set()
# ```
#
# *Checked:* the set, for modules of many kinds, and the module afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "module_devices", "locked": false, "schema_version": 3, "solution": true, "task": false}}
from itertools import chain


def module_devices(module):
    """Return the devices of all parameters and buffers of `module`, as a set of texts."""
    ### BEGIN SOLUTION
    # Both methods go into the submodules. For a module without tensors there is nothing to go
    # through, and the set comes out empty by itself.
    return {str(tensor.device) for tensor in chain(module.parameters(), module.buffers())}
    ### END SOLUTION

# %% {"slug": "module_devices_try"}
# Try it out here: remove the # signs and run.
# norm = nn.BatchNorm1d(2).to(devices[2])
# norm.running_mean = norm.running_mean.cpu()
# module_devices(norm)

# %% {"nbgrader": {"grade": true, "grade_id": "module_devices_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("modules.module_devices", module_devices)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "assert_on_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. All in one place, or an error
#
# *Implement, 4 points.* A set of devices tells that something is wrong. To repair it one has to
# know which tensor it is.
#
# Write `assert_on(module, device)`. It raises a `ValueError` if any parameter or buffer of the
# module is not on `device`, and else does nothing.
#
# - The message contains the full name of the *first* such tensor and of no other, as
#   `named_parameters()` and `named_buffers()` give it: parameters come first, then buffers.
# - `device` is a `torch.device`. `torch.device("cuda")`, without a number, means the current GPU,
#   as everywhere in torch; `torch.cuda.current_device()` is its number.
# - Nothing else counts, and the module stays as it is.
#
# ```python
# net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
# net[0].to(devices[1])
# assert_on(net, devices[1])
# # ValueError: 1.weight is on cpu, not on cuda:1        (your words, but this name)
# ```
#
# *Checked:* whether the error is raised, the name in its message, and the module afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "assert_on", "locked": false, "schema_version": 3, "solution": true, "task": false}}
from itertools import chain

import torch


def assert_on(module, device):
    """Raise a ValueError that names the first parameter or buffer that is not on `device`."""
    ### BEGIN SOLUTION
    # A tensor's device always has its number, and torch.device("cuda") is not equal to any of
    # them. So the number is put in first.
    if device.type == "cuda" and device.index is None:
        device = torch.device("cuda", torch.cuda.current_device())
    for name, tensor in chain(module.named_parameters(), module.named_buffers()):
        if tensor.device != device:
            raise ValueError(f"{name} is on {tensor.device}, not on {device}")
    ### END SOLUTION

# %% {"slug": "assert_on_try"}
# Try it out here: remove the # signs and run.
# net = nn.Linear(2, 2).to(devices[0])
# assert_on(net, torch.device("cuda"))      # nothing happens
# assert_on(net, devices[1])                # ValueError

# %% {"nbgrader": {"grade": true, "grade_id": "assert_on_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("modules.assert_on", assert_on)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "after_to_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Predict what a move leaves the same
#
# *Predict, 4 points.* All tensors of `net` are on one device. Its parameter `net.weight` and its
# buffer `net.mean` hold numbers of a floating-point dtype, its buffer `net.counter` whole numbers.
# An optimizer was made from `net.parameters()`. Then `net.to(...)` is called. What is the same as
# before?
#
# Write `after_to(device, dtype, arguments, flag)`. It returns a dict with six keys, each `True` for
# the same and `False` for another one:
#
# | key | the question |
# |---|---|
# | `"net"` | Is what the call returns the very object `net`? |
# | `"weight"` | Is `net.weight` the same object as before? |
# | `"memory"` | Does `net.weight` use the same memory as before? |
# | `"mean"` | Is `net.mean` the same object as before? |
# | `"counter"` | Is `net.counter` the same object as before? |
# | `"optimizer"` | Is the parameter that the optimizer holds the object `net.weight`? |
#
# If the call raises, the result is the text `"TypeError"` instead.
#
# - `device` and `dtype` are those of weight and mean before, as texts (`"cuda:1"`, `"float32"`).
# - `arguments` may hold `"device"` and `"dtype"`, as texts, for `net.to(device, dtype)`.
# - `flag` is `None`; or `"overwrite"` or `"swap"`, if
#   `torch.__future__.set_overwrite_module_params_on_conversion(True)` or
#   `set_swap_module_params_on_conversion(True)` was called before.
#
# ```python
# after_to("cuda:1", "float32", {"device": "cuda:1"}, None)   # there already
# # {"net": True, "weight": True, "memory": True, "mean": True, "counter": True, "optimizer": True}
# ```
#
# *Checked:* your prediction against what torch does, with devices and dtypes drawn at random.

# %% {"nbgrader": {"grade": false, "grade_id": "after_to", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def after_to(device, dtype, arguments, flag):
    """Return what is the same after net.to(**arguments), as a dict of six truth values.

    device, dtype: those of the net before, as texts such as "cuda:1" and "float32".
    flag: None, "overwrite" or "swap".
    """
    ### BEGIN SOLUTION
    # Two questions decide: is there another device, is there another dtype? Parameter objects are
    # kept, whatever happens to their numbers, except that the overwrite flag makes new ones in
    # each call. Buffers are replaced by what Tensor.to returns for them; the counter is not cast.
    wanted = arguments.get("dtype", dtype)
    if "int" in wanted:
        return "TypeError"
    stays = arguments.get("device", device) == device
    kept = flag != "overwrite"
    unchanged = stays and wanted == dtype
    return {
        "net": True,
        "weight": kept,
        "memory": unchanged,
        "mean": unchanged,
        "counter": stays,
        "optimizer": kept,
    }
    ### END SOLUTION

# %% {"slug": "after_to_try"}
# Try it out here: remove the # signs and run.
# net = nn.BatchNorm1d(2)
# weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
# net.to(torch.float64)
# print(net.weight is weight, net.running_mean is mean, net.num_batches_tracked is counter)

# %% {"nbgrader": {"grade": true, "grade_id": "after_to_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("modules.after_to", after_to)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "make_movable_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Make it movable
#
# *Repair, 5 points.* This module works, as long as nobody moves it:
#
# ```python
# class Stuck(nn.Module):
#     def __init__(self, size, depth):
#         super().__init__()
#         self.mask = torch.tril(torch.ones(size, size))
#         self.layers = [nn.Linear(size, size, bias=False) for _ in range(depth)]
#         self.cache = {"scale": torch.full((size,), 0.5)}
#
#     def forward(self, x):
#         for layer in self.layers:
#             x = torch.relu(layer(x))
#         return x @ self.mask * self.cache["scale"]
# ```
#
# Write `make_movable(size, depth)`. It defines a repaired class and returns a new module of it.
#
# - Wherever the module is moved, alone or as part of a larger one, and to whatever dtype it is
#   cast, everything comes along. The forward pass computes the same as above, and copies nothing
#   between devices.
# - The parameters are the weights of the layers and nothing else. Mask and scale are not trained.
# - Layers and scale are saved: the keys of `state_dict()` are `layers.0.weight`, `layers.1.weight`,
#   …, and `scale`. The mask can be computed again and is *not* saved.
# - A new module is on the CPU, and its scale is 0.5 everywhere. `depth` may be 0.
#
# ```python
# net = make_movable(3, 2).to(devices[1])
# net(torch.ones(1, 3, device=devices[1])).device   # device(type='cuda', index=1)
# list(net.state_dict())                            # the keys, in any order
# ```
#
# *Checked:* parameters, keys, places, and the result after moves and casts of several kinds, with
# weights and scale loaded from a checkpoint; copies in the forward pass.

# %% {"nbgrader": {"grade": false, "grade_id": "make_movable", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch
from torch import nn


def make_movable(size, depth):
    """Return a new module, as above, that can be moved."""
    ### BEGIN SOLUTION
    class Movable(nn.Module):
        def __init__(self):
            super().__init__()
            # `to` reaches what is registered, and nothing else. A ModuleList registers its
            # layers; a buffer is a registered tensor that is not trained.
            layers = [nn.Linear(size, size, bias=False) for _ in range(depth)]
            self.layers = nn.ModuleList(layers)
            self.register_buffer("mask", torch.tril(torch.ones(size, size)), persistent=False)
            self.register_buffer("scale", torch.full((size,), 0.5))

        def forward(self, x):
            for layer in self.layers:
                x = torch.relu(layer(x))
            return x @ self.mask * self.scale

    return Movable()
    ### END SOLUTION

# %% {"slug": "make_movable_try"}
# Try it out here: remove the # signs and run.
# net = make_movable(3, 2).to(devices[1])
# print(list(net.state_dict()), [name for name, _ in net.named_parameters()])
# net(torch.ones(1, 3, device=devices[1]))

# %% {"nbgrader": {"grade": true, "grade_id": "make_movable_check", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}}
check("modules.make_movable", make_movable)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "forward_from_anywhere_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Run a module on an input from anywhere
#
# *Implement, 4 points.* Choose, move, run, bring back: all four in one function.
#
# Write `forward_from_anywhere(module, x, back)`. It returns the module's output for the tensor `x`,
# which may be on another device than the module.
#
# - All tensors of the module are on one device, and the module runs there. It is not moved. A module
#   may have buffers and no parameters; one that holds no tensor at all runs where `x` is.
# - With `back=True` the result is on the device on which `x` was; with `back=False` it stays where
#   it was computed.
# - Only what has to be copied between devices is copied. `x` stays as it is, and gradients find
#   their way back to it.
#
# ```python
# net = nn.Linear(2, 1).to(devices[1])
# forward_from_anywhere(net, torch.ones(3, 2), back=False).device   # cuda:1
# forward_from_anywhere(net, torch.ones(3, 2), back=True).device    # cpu
# ```
#
# *Checked:* the result and its device, every copy between devices, `x` and the module afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "forward_from_anywhere", "locked": false, "schema_version": 3, "solution": true, "task": false}}
from itertools import chain


def forward_from_anywhere(module, x, back):
    """Return module(x), computed where the module is.

    back: whether the result is wanted on the device of x.
    """
    ### BEGIN SOLUTION
    # Choose: any tensor of the module tells where it is, and x stands in where there is none.
    device = next(chain(module.parameters(), module.buffers(), [x])).device
    # Move and run. `to` does nothing, and copies nothing, where x is there already.
    result = module(x.to(device))
    # Bring back.
    return result.to(x.device) if back else result
    ### END SOLUTION

# %% {"slug": "forward_from_anywhere_try"}
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# net = nn.Linear(2, 1).to(devices[1])
# with count_copies() as copies:
#     y = forward_from_anywhere(net, torch.ones(3, 2, device=devices[2]), back=True)
# print(y.device, copies.by_route)

# %% {"nbgrader": {"grade": true, "grade_id": "forward_from_anywhere_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("modules.forward_from_anywhere", forward_from_anywhere)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_module_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Read the error of a module
#
# *Read the error, 4 points.* A module and its input are on two devices. Depending on the module,
# torch says so in one of these ways:
#
# ```text
# Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)
#
# Input type (torch.FloatTensor) and weight type (torch.cuda.FloatTensor) should be the same or input should be a MKLDNN tensor and weight is a dense tensor
#
# Input type (torch.cuda.FloatTensor) and weight type (torch.FloatTensor) should be the same
# ```
#
# The first names an argument, its device, and that of the others. Whose argument is it?
#
# | argument | operation | module | it is |
# |---|---|---|---|
# | `mat1` | `addmm` | `Linear` | the input |
# | `index` | `_index_select` | `Embedding` | the input |
# | `mat2` | `mm` | `Linear` without bias | the module's weight |
# | `weight` | `_native_layer_norm` | `LayerNorm` | the module's weight |
#
# Convolutions use the other two. They name no devices, but types: one with `cuda` in its name is
# that of a GPU.
#
# Write `read_module_error(message)`. For each of these messages it returns a dict of three texts:
#
# - `"input"` and `"module"`: the devices of the two sides, or `"cuda"`, without a number, for the
#   GPU of a convolution's message;
# - `"move"`: `"input"` or `"module"`, the side that should be moved. If one side is on the CPU, it
#   is that one, since the work belongs on the GPU. If both are on GPUs, it is the input.
#
# For every other message it returns `None`. A message may begin with the name of the error, as in
# `RuntimeError: Expected all …`.
#
# ```python
# message = (
#     "Expected all tensors to be on the same device, but got mat1 is on cpu, different from other "
#     "tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)"
# )
# read_module_error(message)   # {"input": "cpu", "module": "cuda:0", "move": "input"}
# ```
#
# *Checked:* messages of all these wordings, and other messages that name devices.

# %% {"nbgrader": {"grade": false, "grade_id": "read_module_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import re


def read_module_error(message):
    """Return the devices of input and module, and which of them to move.

    A dict with the keys "input", "module" and "move"; None for any other message.
    """
    ### BEGIN SOLUTION
    device = r"(cpu|cuda:\d+)"
    product = re.search(rf"got (\w+) is on {device}, different from other tensors on {device}", message)
    types = re.search(r"Input type \((.+?)\) and weight type \((.+?)\)", message)
    if product:
        argument, own, others = product.groups()
        # The first device is that of the argument, which may belong to either side.
        source, module = (own, others) if argument in ("mat1", "index") else (others, own)
    elif types:
        source, module = ("cuda" if "cuda" in kind else "cpu" for kind in types.groups())
    else:
        return None
    return {"input": source, "module": module, "move": "module" if module == "cpu" else "input"}
    ### END SOLUTION

# %% {"slug": "read_module_error_try"}
# Try it out here: remove the # signs and run.
# try:
#     nn.Linear(2, 1, bias=False)(torch.ones(3, 2, device=devices[1]))
# except RuntimeError as error:
#     print(error)
#     print(read_module_error(str(error)))

# %% {"nbgrader": {"grade": true, "grade_id": "read_module_error_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("modules.read_module_error", read_module_error)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "move_optimizer_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 7. Move an optimizer
#
# *Implement, 4 points.* Training has begun on one device and is to go on on another. The net can be
# moved with `to`; its optimizer has no such method, and a new one would have forgotten what the old
# one knows.
#
# Write `move_optimizer(net, optimizer, device)`. Afterwards `net` and the states of `optimizer` are
# on `device`, and training goes on as it would have without the move. It returns nothing.
#
# - Net and optimizer are the same objects as before, and so are the parameters.
# - `optimizer.state` is a dict of dicts: for each parameter that has made a step, the names of its
#   states and the states themselves. All of them are tensors here.
# - A state without dimensions, such as Adam's `step`, stays where it is: the optimizer reads it on
#   the CPU.
#
# ```python
# net = nn.Linear(2, 1)
# optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
# net(torch.ones(1, 2)).sum().backward()
# optimizer.step()
# move_optimizer(net, optimizer, devices[1])
# optimizer.state[net.weight]   # {'momentum_buffer': tensor([[1., 1.]], device='cuda:1')}
# ```
#
# *Checked:* the places of net and states, the values of the states, which parameters the optimizer
# holds, and the weights after further steps.

# %% {"nbgrader": {"grade": false, "grade_id": "move_optimizer", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def move_optimizer(net, optimizer, device):
    """Move `net`, and the states of its `optimizer`, to `device`, in place."""
    ### BEGIN SOLUTION
    # The parameters stay the same objects, so the optimizer still holds the right ones, and its
    # states are still found under them.
    net.to(device)
    for states in optimizer.state.values():
        for name, state in states.items():
            # What `to` returns has to be kept: here, under the name that is there already.
            if state.dim() > 0:
                states[name] = state.to(device)
    ### END SOLUTION

# %% {"slug": "move_optimizer_try"}
# Try it out here: remove the # signs and run.
# net = nn.Linear(2, 1)
# optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
# net(torch.ones(1, 2)).sum().backward()
# optimizer.step()
# move_optimizer(net, optimizer, devices[1])
# print(optimizer.state[net.weight])

# %% {"nbgrader": {"grade": true, "grade_id": "move_optimizer_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("modules.move_optimizer", move_optimizer)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
