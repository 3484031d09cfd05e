# %% [markdown] {"slug": "title"}
# # Assignment 07: DataParallel
#
# Seven small tasks about one module on several GPUs: what working together costs, how a batch is
# split, when the wrapper refuses, what it does inside, and what it changes about your module. All
# of them come from lesson 07. You write a function for each; the cell below it checks what you
# wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("parallel.finish_time")` gives a hint, and a further one each time.
#   `solution("parallel.finish_time")` shows a solution with its reasons, where the course comes
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

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "finish_time_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. When is the homework done?
#
# *Implement, 4 points.* Homework comes every day: `jobs` tasks, each of which takes `t_work`
# minutes. With friends it goes like this: finding them takes `t_find` minutes; then everybody works
# at the same time; when the last one is done, collecting the results takes `t_collect` minutes.
#
# Write `finish_time(jobs, workers, t_find, t_work, t_collect, days)`. It returns after how many
# minutes the homework of all days is done, if each day begins when the one before is over.
#
# - `workers` is the number of people who work, you among them. The tasks are dealt out as evenly as
#   possible, and nobody does a part of a task.
# - With `workers=1` you are alone: there is nobody to find and nothing to collect.
# - With two workers or more, finding and collecting take place every day, even if some of the
#   workers get no task.
#
# ```python
# finish_time(4, 4, 3, 60, 3, 1)   # 66
# finish_time(4, 1, 3, 60, 3, 1)   # 240
# finish_time(5, 4, 3, 60, 3, 1)   # 126: somebody has two tasks
# ```
#
# *Checked:* the number of minutes.

# %% {"nbgrader": {"grade": false, "grade_id": "finish_time", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import math


def finish_time(jobs, workers, t_find, t_work, t_collect, days):
    """Return after how many minutes the homework of all days is done."""
    ### BEGIN SOLUTION
    # A day is over when the busiest person is done, so what counts is the largest number of tasks
    # that anybody has. Alone that is all of them, and nothing has to be organised.
    work = math.ceil(jobs / workers) * t_work
    if workers == 1:
        return days * work
    # Like DataParallel, which scatters, replicates and gathers in every step, friends pay for
    # working together every day anew.
    return days * (t_find + work + t_collect)
    ### END SOLUTION

# %% {"slug": "finish_time_try"}
# Try it out here: remove the # signs and run.
# for workers in range(1, 9):
#     print(workers, finish_time(8, workers, 3, 60, 3, 1))

# %% {"nbgrader": {"grade": true, "grade_id": "finish_time_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("parallel.finish_time", finish_time)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "split_sizes_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. Split a batch
#
# *Predict, 4 points.* `DataParallel` cuts a batch with `torch.chunk`. How long are the parts?
#
# Write `split_sizes(shape, gpus, dim)`. It returns a list: how long each part is along dimension
# `dim`, in the order of the GPUs, with an entry for each GPU that gets a part.
#
# - `shape` is the shape of the batch, a tuple, and `gpus` the number of GPUs. `dim` is the dimension
#   that is cut, as in `nn.DataParallel(net, dim=1)`, and not negative.
# - Try to do it with plain numbers. What your function says is compared with torch itself.
#
# ```python
# split_sizes((16, 3), 2, 0)    # [8, 8]
# split_sizes((10, 3), 4, 0)    # [3, 3, 3, 1]
# ```
#
# *Checked:* your prediction, for shapes and numbers drawn at random.

# %% {"nbgrader": {"grade": false, "grade_id": "split_sizes", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def split_sizes(shape, gpus, dim):
    """Return how long each part is along `dim`, as a list of whole numbers."""
    ### BEGIN SOLUTION
    # All parts have the quotient, rounded up, as their length. The last one gets what remains, and
    # there is no part when nothing remains: that is why 5 samples need only 3 of 4 GPUs.
    length = shape[dim]
    part = -(-length // gpus)
    return [min(part, length - start) for start in range(0, length, part)]
    ### END SOLUTION

# %% {"slug": "split_sizes_try"}
# Try it out here: remove the # signs and run.
# for batch in range(1, 17):
#     print(batch, split_sizes((batch, 3), 4, 0))

# %% {"nbgrader": {"grade": true, "grade_id": "split_sizes_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("parallel.split_sizes", split_sizes)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "check_wrap_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Will the wrapper accept it?
#
# *Implement, 4 points.* `nn.DataParallel(module, device_ids)` has demands, and says so late: some
# in its constructor, some only in the forward pass. Say it beforehand.
#
# Write `check_wrap(param_devices, device_ids, n_visible)`. It returns `None` if wrapping the module
# and calling the wrapper works, and otherwise the text of torch's message:
#
# ```text
# Invalid device id
# module must have its parameters and buffers on device cuda:1 (device_ids[0]) but found one of them on device: cuda:2
# ```
#
# - `param_devices` are the devices of all parameters and buffers of the module, as texts, in the
#   order in which the wrapper goes through them. The second message names the first one that is
#   elsewhere.
# - `device_ids` is a list of numbers, or `None` for all visible GPUs. `n_visible` says how many GPUs
#   are visible. An id that does not belong to one of them gives the first message.
# - With a single GPU to use, the wrapper moves the module there itself. Without any visible GPU it
#   does nothing at all, and demands nothing.
#
# ```python
# check_wrap(["cuda:0", "cuda:0"], None, 2)      # None
# check_wrap(["cuda:2", "cuda:2"], [1, 2], 4)    # 'module must have … on device cuda:1 (device_ids[0]) but …: cuda:2'
# check_wrap(["cuda:0", "cuda:0"], [0, 5], 4)    # 'Invalid device id'
# ```
#
# *Checked:* `None` or the text, letter by letter.

# %% {"nbgrader": {"grade": false, "grade_id": "check_wrap", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def check_wrap(param_devices, device_ids, n_visible):
    """Return None if the wrapper works, else the text of torch's message."""
    ### BEGIN SOLUTION
    # The order of the questions is that of the wrapper.
    if n_visible == 0:
        return None
    if device_ids is None:
        device_ids = list(range(n_visible))
    if any(number >= n_visible for number in device_ids):
        return "Invalid device id"
    if len(device_ids) == 1:
        return None
    # The main GPU is the first of the ids, whichever number it has.
    wanted = f"cuda:{device_ids[0]}"
    for found in param_devices:
        if found != wanted:
            return (
                f"module must have its parameters and buffers on device {wanted} (device_ids[0]) "
                f"but found one of them on device: {found}"
            )
    return None
    ### END SOLUTION

# %% {"slug": "check_wrap_try"}
# Try it out here: remove the # signs and run.
# net = nn.Linear(3, 1).to(devices[2])
# try:
#     nn.DataParallel(net, device_ids=[1, 2])(torch.ones(4, 3))
# except RuntimeError as error:
#     print(str(error) == check_wrap(["cuda:2", "cuda:2"], [1, 2], 4))

# %% {"nbgrader": {"grade": true, "grade_id": "check_wrap_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("parallel.check_wrap", check_wrap)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "parallel_forward_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Build a small DataParallel
#
# *Implement, 6 points.* The wrapper's forward has four phases. Write them yourself.
#
# Write `parallel_forward(module, x, devices)`. It returns `module(x)` for the whole batch, computed
# on several GPUs:
#
# 1. **scatter:** cut `x` along its first dimension as `torch.chunk` does, and send part `i` to
#    `devices[i]`;
# 2. **replicate:** make a copy of the module on each of these devices;
# 3. **apply:** run every copy on its part;
# 4. **gather:** join the outputs, in the order of the samples, on `devices[0]`.
#
# - `module` is on `devices[0]`, with all its parameters and buffers, and stays as it is. `x` may be
#   on any device. `devices` is a list of GPUs, all different.
# - A small batch has fewer parts than there are devices. Those without a part run nothing.
# - Training has to work: after `backward()` on the result, the parameters of `module` itself have
#   the gradients of the whole batch. A replica made by `copy.deepcopy` keeps its gradients to
#   itself. Copies that autograd records come from `torch.nn.parallel.replicate`, or from
#   `parameter.to(device)` together with `torch.func.functional_call`.
# - `scatter`, `replicate`, `parallel_apply` and `gather` of `torch.nn.parallel` may be used;
#   `DataParallel` and `data_parallel` may not.
#
# ```python
# net = nn.Linear(3, 2).to(devices[0])
# parallel_forward(net, torch.ones(10, 3), list(devices)).shape   # torch.Size([10, 2])
# ```
#
# *Checked:* which part ran where, the result and its device, the gradients, the module and the
# inputs afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "parallel_forward", "locked": false, "schema_version": 3, "solution": true, "task": false}}
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def parallel_forward(module, x, devices):
    """Return module(x) on devices[0], computed in parts on all of `devices`."""
    ### BEGIN SOLUTION
    parts = scatter(x, devices)
    # The number of parts decides how many replicas are needed: never more, and perhaps fewer than
    # there are devices. `replicate` records the copies, so that gradients find their way back.
    replicas = replicate(module, devices[: len(parts)])
    outputs = parallel_apply(replicas, parts)
    # The outputs come in the order of the parts, whichever replica was done first.
    return gather(outputs, devices[0])
    ### END SOLUTION

# %% {"slug": "parallel_forward_try"}
# Try it out here: remove the # signs and run.
# net = nn.Linear(3, 2).to(devices[0])
# x = torch.arange(15.0).reshape(5, 3)
# result = parallel_forward(net, x, list(devices))
# result.sum().backward()
# print(torch.equal(result.cpu(), net(x.to(devices[0])).cpu()), net.weight.grad)

# %% {"nbgrader": {"grade": true, "grade_id": "parallel_forward_check", "locked": true, "points": 6, "schema_version": 3, "solution": false, "task": false}}
check("parallel.parallel_forward", parallel_forward)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "predict_wrap_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Predict what a wrapped module keeps
#
# *Predict, 4 points.* This module counts its own calls, in a plain attribute and in a buffer, and
# returns a single number:
#
# ```python
# class Counting(nn.Module):
#     def __init__(self, calls):
#         super().__init__()
#         self.scale = nn.Parameter(torch.ones(1))
#         self.register_buffer("seen", torch.zeros((), dtype=torch.int64))
#         self.calls = calls
#
#     def forward(self, x):
#         self.calls += 1
#         self.seen.add_(1)
#         return (x * self.scale).mean()
#
# counting = Counting(calls)       # moved to the main GPU, if there is one
# net = counting
# for _ in range(wraps):
#     net = nn.DataParallel(net)   # on all visible GPUs
# result = net(torch.ones(batch, 2))
# ```
#
# Write `predict_wrap(wraps, gpus, batch, calls)`. It returns a dict with five keys:
#
# | key | the question |
# |---|---|
# | `"keys"` | the keys of `net.state_dict()`, as a list in its order |
# | `"reach"` | the expression that leads from `net` to the parameter, such as `"net.scale"` |
# | `"calls"` | the value of `counting.calls` afterwards |
# | `"seen"` | the value of `counting.seen` afterwards, as an `int` |
# | `"shape"` | the shape of `result`, as a list |
#
# - `gpus` is the number of visible GPUs. It is 0 on a computer without any; the wrapper then passes
#   everything on to the module.
# - `wraps` is 0 for the bare module, and more than 1 only where there is no GPU or one.
#
# ```python
# predict_wrap(0, 2, 4, 5)
# # {"keys": ["scale", "seen"], "reach": "net.scale", "calls": 6, "seen": 1, "shape": []}
# ```
#
# *Checked:* your prediction against what torch does, with numbers drawn at random.

# %% {"nbgrader": {"grade": false, "grade_id": "predict_wrap", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def predict_wrap(wraps, gpus, batch, calls):
    """Return what is left after one call of the wrapped module, as a dict of five answers."""
    ### BEGIN SOLUTION
    # Names depend on the wrappers only: each holds what it wraps under the name `module`.
    prefix = "module." * wraps
    names = {"keys": [f"{prefix}scale", f"{prefix}seen"], "reach": f"net.{prefix}scale"}
    # The replica on the first GPU shares the module's buffers, so one call is counted there.
    if wraps == 0 or gpus < 2:
        # Nothing is replicated: forward runs on the module itself.
        return names | {"calls": calls + 1, "seen": 1, "shape": []}
    # Plain attributes of replicas are lost, and their numbers are gathered into a vector. There are
    # as many replicas as parts.
    part = -(-batch // gpus)
    return names | {"calls": calls, "seen": 1, "shape": [-(-batch // part)]}
    ### END SOLUTION

# %% {"slug": "predict_wrap_try"}
# Try it out here: remove the # signs and run. Four GPUs are visible here.
# net = nn.DataParallel(nn.BatchNorm1d(2).to(devices[0]))
# net(torch.ones(8, 2))
# print(list(net.state_dict()), net.module.num_batches_tracked)

# %% {"nbgrader": {"grade": true, "grade_id": "predict_wrap_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("parallel.predict_wrap", predict_wrap)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "step_order_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Put a training step in order
#
# *Put in order, 3 points.* These are the phases of one training step with `DataParallel` on two
# GPUs, shuffled:
#
# | phase | what happens |
# |---|---|
# | `"add gradients"` | the gradients of all replicas are added up on the main GPU |
# | `"apply on cuda:0"`, `"apply on cuda:1"` | a replica runs forward on its part |
# | `"backward on cuda:0"`, `"backward on cuda:1"` | a replica's gradients are computed |
# | `"gather"` | the outputs are joined on the main GPU |
# | `"loss"` | the loss of the whole batch is computed |
# | `"replicate"` | the module is copied: one replica for each part |
# | `"scatter"` | the batch is cut, and its parts are sent out |
# | `"update"` | the optimizer changes the parameters on the main GPU |
#
# Write `step_order(phases)`. It returns these phases as a new list, in the order of a training.
#
# - There may be other GPUs. What happens on different GPUs at the same time may come in any order.
# - `phases` may hold several training steps. Then each phase is there several times; one step comes
#   after the other.
#
# ```python
# step_order(["gather", "update", "loss", "scatter", "add gradients", "apply on cuda:0",
#             "backward on cuda:0", "replicate"])
# # ['scatter', 'replicate', …, 'update']
# ```
#
# *Checked:* the order; the first line that is not possible yet is named.

# %% {"nbgrader": {"grade": false, "grade_id": "step_order", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def step_order(phases):
    """Return the phases in the order of a training, as a new list of texts."""
    ### BEGIN SOLUTION
    # A step ends with its one update, so there are as many steps as updates.
    steps = phases.count("update")
    # Each GPU has one phase of either kind in every step; a dict drops those of further steps.
    forward = dict.fromkeys(phase for phase in phases if phase.startswith("apply on "))
    backward = dict.fromkeys(phase for phase in phases if phase.startswith("backward on "))
    # The replicas are made anew in each step: the update has only changed the main GPU's parameters.
    step = ["scatter", "replicate", *forward, "gather", "loss", *backward, "add gradients", "update"]
    return step * steps
    ### END SOLUTION

# %% {"slug": "step_order_try"}
# Try it out here: remove the # signs and run.
# step_order(["update", "loss", "gather", "replicate", "scatter", "add gradients",
#             "backward on cuda:3", "backward on cuda:1", "apply on cuda:1", "apply on cuda:3"])

# %% {"nbgrader": {"grade": true, "grade_id": "step_order_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("parallel.step_order", step_order)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_parallel_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 7. Read the main-GPU error
#
# *Read the error, 3 points.* Two messages belong to `DataParallel`. The first comes before anything
# runs, the second from a replica that failed. The three dots stand for more lines:
#
# ```text
# module must have its parameters and buffers on device cuda:1 (device_ids[0]) but found one of them on device: cuda:2
#
# Caught RuntimeError in replica 1 on device 3.
# Original Traceback (most recent call last):
#   ...
# RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:3 and cuda:0!
# ```
#
# Write `read_parallel_error(message)`. It returns a dict of texts:
#
# - for the first, `"wanted"`, the device on which everything has to be, and `"found"`, the device
#   of the tensor that is elsewhere;
# - for the second, `"gpu"`, the device on which the replica ran; `"error"`, the name of the error;
#   and `"cause"`, what the error says in the last line.
#
# For every other message it returns `None`. A message may begin with the name of the error, as in
# `RuntimeError: module must …`.
#
# ```python
# message = (
#     "Caught RuntimeError in replica 1 on device 3.\n"
#     "Original Traceback (most recent call last):\n"
#     '  File "train.py", line 9, in forward\n'
#     "    return x * self.scale\n"
#     "RuntimeError: Expected all tensors to be on the same device, but found at least two devices, "
#     "cuda:3 and cuda:0!\n"
# )
# read_parallel_error(message)
# # {"gpu": "cuda:3", "error": "RuntimeError", "cause": "Expected all tensors … cuda:3 and cuda:0!"}
# ```
#
# *Checked:* messages of both kinds, and other messages that name GPUs.

# %% {"nbgrader": {"grade": false, "grade_id": "read_parallel_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import re


def read_parallel_error(message):
    """Return what the message says, as a dict of texts; None for any other message."""
    ### BEGIN SOLUTION
    # A replica comes first: its traceback may contain the other message.
    caught = re.search(r"Caught (\w+) in replica \d+ on device (\d+)\.", message)
    if caught:
        error, number = caught.groups()
        # The cause stands in the last line, behind the first colon; it may contain further ones.
        cause = message.strip().splitlines()[-1].partition(": ")[2]
        return {"gpu": f"cuda:{number}", "error": error, "cause": cause}
    main = re.search(r"on device (\S+) \(device_ids\[0\]\) but found one of them on device: (\S+)", message)
    if main:
        return {"wanted": main.group(1), "found": main.group(2)}
    return None
    ### END SOLUTION

# %% {"slug": "read_parallel_error_try"}
# Try it out here: remove the # signs and run.
# net = nn.DataParallel(nn.Linear(3, 1).to(devices[1]), device_ids=[2, 1])
# try:
#     net(torch.ones(4, 3))
# except RuntimeError as error:
#     print(read_parallel_error(str(error)))

# %% {"nbgrader": {"grade": true, "grade_id": "read_parallel_error_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("parallel.read_parallel_error", read_parallel_error)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
