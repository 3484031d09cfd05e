# %% [markdown] {"slug": "title"}
# # Assignment 02: Tensors on devices
#
# Nine small tasks about where tensors live, when they move, what a move costs, and how to time work
# on a GPU. All of them come from lesson 02. You write a function for each; the cell below it checks
# what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("tensors.move_batch")` gives a hint, and a further one each time.
#   `solution("tensors.move_batch")` shows a solution with its reasons, where the course comes with
#   them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "move_batch_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. Move a batch
#
# *Implement, 4 points.* Data loaders deliver batches: a tensor, or tensors packed in tuples, lists,
# dicts and namedtuples, inside one another to any depth, with plain values between them.
#
# Write `move_batch(batch, device)`. It returns the batch with every tensor on `device`.
#
# - Containers keep their types: a tuple stays a tuple, a namedtuple the same namedtuple.
# - Plain values (`None`, numbers, texts, …) stay what they are.
# - A tensor that is on `device` already is returned itself, not a copy of it.
# - The batch that was passed in is not changed.
#
# ```python
# move_batch((torch.ones(2), {"name": "cat"}), devices[1])
# # (tensor([1., 1.], device='cuda:1'), {'name': 'cat'})
# ```
#
# *Checked:* types, values, devices, which tensors are the very same objects, and your input
# afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "move_batch", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch


def move_batch(batch, device):
    """Return `batch` with every tensor in it on `device`.

    batch: a tensor, or any nesting of tuples, lists, dicts and namedtuples of tensors and plain
        values. It is not changed.
    device: a torch.device.
    """
    ### BEGIN SOLUTION
    # A container is rebuilt from its moved items, so that the caller's own stays as it was, and
    # tuples, which cannot be written into, need nothing special.
    if isinstance(batch, torch.Tensor):
        # No test of the device is needed: `to` returns the tensor itself if it is there.
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(value, device) for value in batch]
        # A namedtuple takes one argument per field; tuple and list take one iterable.
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch
    ### END SOLUTION

# %% {"slug": "move_batch_try"}
# Try it out here: remove the # signs and run.
# batch = [torch.ones(2), (torch.zeros(1), "cat")]
# move_batch(batch, devices[2])

# %% {"nbgrader": {"grade": true, "grade_id": "move_batch_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("tensors.move_batch", move_batch)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "positional_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. Create it where it is needed
#
# *Repair, 3 points.* This function gives each position `p` a row of sines and cosines, as language
# models use them. It is right on a CPU. On a GPU it builds the whole table on the CPU and then
# copies it over:
#
# ```python
# def positional(n, d, device):
#     position = torch.arange(n).unsqueeze(1)
#     angle = position / 10000 ** (torch.arange(0, d, 2) / d)
#     table = torch.empty(n, d)
#     table[:, 0::2] = angle.sin()
#     table[:, 1::2] = angle.cos()
#     return table.to(device)
# ```
#
# Write `positional(n, d, device)` so that it returns the same float32 table of shape `(n, d)` and
# no tensor is copied from one device to another on the way. `d` is even, and `device` may be a GPU
# or the CPU.
#
# ```python
# positional(2, 4, devices[1])
# # tensor([[0.0000, 1.0000, 0.0000, 1.0000],
# #         [0.8415, 0.5403, 0.0100, 0.9999]], device='cuda:1')
# ```
#
# *Checked:* device, shape, dtype and values of the table, the number of copies between devices
# (none), and that the default device is what it was before.

# %% {"nbgrader": {"grade": false, "grade_id": "positional", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch


def positional(n, d, device):
    """Return a float32 table of shape (n, d) on `device`, made there.

    Column 2i of row p holds sin(p / 10000 ** (2i / d)), column 2i + 1 the cosine of the same.
    """
    ### BEGIN SOLUTION
    # Three tensors are created here, and each is told the device. The others are results: they
    # are born where their operands live, so nothing is left to copy.
    position = torch.arange(n, device=device).unsqueeze(1)
    angle = position / 10000 ** (torch.arange(0, d, 2, device=device) / d)
    table = torch.empty(n, d, device=device)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()
    return table
    ### END SOLUTION

# %% {"slug": "positional_try"}
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# with count_copies() as copies:
#     table = positional(4, 6, devices[1])
# print(table.device, copies.by_route)

# %% {"nbgrader": {"grade": true, "grade_id": "positional_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("tensors.positional", positional)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "predict_to_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Predict what `to` returns
#
# *Predict, 4 points.* You know a tensor's device and dtype, and the call that is made on it. What
# comes out?
#
# Write `predict_to(device, dtype, method, arguments)`. It returns a tuple of three: the device of
# the result as a text, its dtype as a text, and `True` if the result is the very same object as the
# tensor, else `False`.
#
# - `method` is `"to"`, `"cuda"` or `"cpu"`.
# - `arguments` is a dict with what the call is given. For `to` it may hold `"device"`, `"dtype"`,
#   `"copy"` and `"non_blocking"`, or `"other"`: another tensor, given as a pair of its device and
#   dtype. For `cuda` it may hold `"device"`, the number of a GPU. `cpu` is given nothing.
# - The current GPU is `cuda:0`.
#
# ```python
# predict_to("cpu", "float32", "to", {"device": "cuda:1"})                # x.to("cuda:1")
# # ("cuda:1", "float32", False)
# predict_to("cuda:1", "float16", "to", {"other": ("cpu", "float64")})    # x.to(other)
# # ("cpu", "float64", False)
# ```
#
# *Checked:* your prediction against what torch does, with devices and dtypes drawn at random.

# %% {"nbgrader": {"grade": false, "grade_id": "predict_to", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def predict_to(device, dtype, method, arguments):
    """Return (device, dtype, same object) of the result of x.method(**arguments).

    device, dtype: those of x, as texts such as "cuda:1" and "float32".
    """
    ### BEGIN SOLUTION
    # What the call does not name stays as it is. The same object comes back exactly if nothing
    # changes and nobody asked for a copy; `non_blocking` is about time, not about the result.
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    if method == "cpu":
        target = "cpu"
    if method == "cuda":
        target = f"cuda:{arguments.get('device', 0)}"
    if target == "cuda":
        target = "cuda:0"
    unchanged = (target, wanted) == (device, dtype)
    return target, wanted, unchanged and not arguments.get("copy", False)
    ### END SOLUTION

# %% {"slug": "predict_to_try"}
# Try it out here: remove the # signs and run.
# x = torch.ones(2, device=devices[1])
# y = x.to("cuda")
# print(y.device, y.dtype, y is x)

# %% {"nbgrader": {"grade": true, "grade_id": "predict_to_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("tensors.predict_to", predict_to)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "shares_storage_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Same data, or a copy?
#
# *Implement, 4 points.* Two tensors share their storage if they look into the same block of
# memory: what is written through one may then be seen through the other. They need not look at the
# same part of it, nor have the same shape or dtype.
#
# Write `shares_storage(a, b)`. It returns `True` if the two tensors look into the same storage on
# the same device, else `False`. It leaves both as they are.
#
# ```python
# x = torch.ones(3, device=devices[1])
# shares_storage(x, x[1:])       # True: a part of the same memory
# shares_storage(x, x.clone())   # False: equal numbers, in memory of their own
# ```
#
# *Checked:* the answer for views, parts and copies, on the CPU and on GPUs, and both tensors
# afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "shares_storage", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def shares_storage(a, b):
    """Return True if tensors `a` and `b` look into the same storage on the same device."""
    ### BEGIN SOLUTION
    # The address of the *storage* is where the whole block begins. `a.data_ptr()` would be where
    # the part begins that `a` looks at, and `id(a)` belongs to the Python object.
    # An address counts only on its device: empty tensors all have address 0, for example.
    same_address = a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()
    return same_address and a.device == b.device
    ### END SOLUTION

# %% {"slug": "shares_storage_try"}
# Try it out here: remove the # signs and run.
# x = torch.arange(6.0, device=devices[1]).reshape(2, 3)
# print(x.data_ptr(), x[1].data_ptr())
# print(shares_storage(x, x.t()), shares_storage(x, x.to(devices[2])))

# %% {"nbgrader": {"grade": true, "grade_id": "shares_storage_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("tensors.shares_storage", shares_storage)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "add_on_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Add on a chosen device
#
# *Repair, 3 points.* Somebody met the same-device error and made it go away like this:
#
# ```python
# def add_on(a, b, where):
#     place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]
#     return (a.cpu() + b.cpu()).to(place)
# ```
#
# The result is right, but it travels too much. Write `add_on(a, b, where)` so that `a + b` is
# computed on the device that `where` names, and only what has to move is moved, once and directly.
#
# - `where` is `"a"` (the device of `a`), `"b"` (the device of `b`) or `"cpu"`.
# - The result lives on that device. `a` and `b` stay as they are.
# - A CPU tensor *without dimensions* joins tensors on a GPU as it is: there it is not to be moved.
#
# ```python
# a, b = torch.ones(2), torch.ones(2, device=devices[1])
# add_on(a, b, "b")    # one copy, cpu → cuda:1
# # tensor([2., 2.], device='cuda:1')
# ```
#
# *Checked:* the result, its device, every copy between devices, and both operands afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "add_on", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def add_on(a, b, where):
    """Return a + b, computed on the device that `where` names: "a", "b" or "cpu"."""
    ### BEGIN SOLUTION
    # Where the operands meet, the result is born: with the operands there, nothing else moves.
    place = {"a": a.device, "b": b.device, "cpu": "cpu"}[where]

    def bring(operand):
        # The one exemption from the same-device rule. `to` does nothing if it is there already.
        if operand.dim() == 0 and not operand.is_cuda:
            return operand
        return operand.to(place)

    return bring(a) + bring(b)
    ### END SOLUTION

# %% {"slug": "add_on_try"}
# Try it out here: remove the # signs and run.
# from course_utils.experiments.copies import count_copies
#
# with count_copies() as copies:
#     total = add_on(torch.tensor(2.0), torch.ones(3, device=devices[1]), "b")
# print(total, copies.by_route)

# %% {"nbgrader": {"grade": true, "grade_id": "add_on_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("tensors.add_on", add_on)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "cheapest_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Move the cheaper operand
#
# *Implement, 4 points.* Two operands live on two devices, so one has to move. What it costs is
# bytes.
#
# Write `cheapest(a, b)`. It returns `a + b`, computed on the device of `a` or on that of `b`, such
# that as few bytes as possible are moved.
#
# - With equal sizes the addition takes place on the device of `a`.
# - A CPU tensor *without dimensions* is not moved to a GPU: it costs nothing there.
# - The result stays where it was computed. `a` and `b` stay as they are.
#
# ```python
# cheapest(torch.ones(1000, 3), torch.ones(3, device=devices[1])).device
# # device(type='cpu'): 12 bytes travel instead of 12000
# ```
#
# *Checked:* the result, its device, every copy between devices, and both operands afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "cheapest", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def cheapest(a, b):
    """Return a + b, computed on the device of a or b where fewer bytes have to move."""
    ### BEGIN SOLUTION
    def stays(x):
        return x.dim() == 0 and not x.is_cuda

    def weight(x):
        # Elements alone do not tell: one float64 weighs as much as eight uint8.
        return 0 if stays(x) else x.numel() * x.element_size()

    # The lighter one goes to the heavier one; `>=` keeps ties on the device of a.
    here, there = (a, b) if weight(a) >= weight(b) else (b, a)
    return here + (there if stays(there) else there.to(here.device))
    ### END SOLUTION

# %% {"slug": "cheapest_try"}
# Try it out here: remove the # signs and run.
# a = torch.ones(4, dtype=torch.float64, device=devices[1])
# b = torch.ones(8, 4, dtype=torch.uint8, device=devices[2])
# print(a.numel() * a.element_size(), b.numel() * b.element_size(), cheapest(a, b).device)

# %% {"nbgrader": {"grade": true, "grade_id": "cheapest_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("tensors.cheapest", cheapest)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 7. Read a device-mismatch error
#
# *Read the error, 3 points.* When tensors of two devices meet, torch says so in one of three ways:
#
# ```text
# Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!
#
# Expected all tensors to be on the same device, but got mat1 is on cpu, different from other tensors on cuda:0 (when checking argument in method wrapper_CUDA_addmm)
#
# Expected all tensors to be on the same device, but found at least two devices, cpu and cuda:0! (when checking argument for argument mat1 in method wrapper_CUDA_addmm)
# ```
#
# `+` and its like use the first. Other operations use the second; in older versions of torch, and
# in many answers on the web, it is the third. What is called `wrapper_CUDA_addmm` is the wrapper
# that torch generates around the operation `addmm`. Some wrappers have further underscores before
# the operation (`wrapper_CUDA__index_select`), and old ones no `CUDA_` (`wrapper_addmm`).
#
# Write `read_error(message)`. For each of these wordings it returns a dict:
#
# - `"devices"`: a list of the two devices, in the order of the message;
# - `"argument"`: the argument that was checked, or `None` if the message names none;
# - `"operation"`: the operation without its wrapper, or `None` if the message names none.
#
# For every other message it returns `None`. A message may begin with the name of the error, as in
# `RuntimeError: Expected all …`.
#
# ```python
# message = (
#     "Expected all tensors to be on the same device, "
#     "but found at least two devices, cuda:0 and cpu!"
# )
# read_error(message)
# # {"devices": ["cuda:0", "cpu"], "argument": None, "operation": None}
# ```
#
# *Checked:* messages of all three wordings, and other messages that name devices.

# %% {"nbgrader": {"grade": false, "grade_id": "read_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import re


def read_error(message):
    """Return the devices, the argument and the operation of a device-mismatch message.

    A dict with the keys "devices", "argument" and "operation"; None for any other message.
    """
    ### BEGIN SOLUTION
    # Other messages name devices too, so the beginning decides, not the devices.
    if "Expected all tensors to be on the same device" not in message:
        return None
    # The newer wording says "NAME is on", the older one "NAME in method"; the first match counts,
    # since the newer one goes on with "argument in method".
    argument = re.search(r"(\w+) (?:is on|in method)", message)
    operation = re.search(r"wrapper_(?:CUDA)?_*(\w+)", message)
    return {
        "devices": re.findall(r"cpu|cuda:\d+", message),
        "argument": argument.group(1) if argument else None,
        "operation": operation.group(1) if operation else None,
    }
    ### END SOLUTION

# %% {"slug": "read_error_try"}
# Try it out here: remove the # signs and run.
# try:
#     torch.ones(2, 2) @ torch.ones(2, 2, device=devices[1])
# except RuntimeError as error:
#     print(error)
#     print(read_error(str(error)))

# %% {"nbgrader": {"grade": true, "grade_id": "read_error_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("tensors.read_error", read_error)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "timing_order_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 8. Put the timing steps in order
#
# *Order the lines, 3 points.* These are the steps of timing some work on a GPU:
#
# `"warm up"` · `"synchronize"` · `"start the clock"` · `"run"` · `"synchronize"` ·
# `"stop the clock"`
#
# The first use of anything on a GPU takes longer: `"warm up"` is work that is not to be timed.
# `"run"` launches the work that is to be timed, and returns before it is done. `"synchronize"`
# waits until the GPU has done everything.
#
# Write `timing_order(steps)`. It gets the steps shuffled and returns a list with the same steps in
# the order in which they measure the work, all of it and nothing else. `"warm up"` and `"run"` may
# occur several times, `"synchronize"` occurs twice, the clock is started and stopped once. The list
# `steps` itself stays as it is.
#
# A similar case, with paint: from `["dry", "paint", "sand", "paint"]` to
# `["sand", "paint", "paint", "dry"]`.
#
# *Checked:* the order, for several numbers of warm-ups and runs. The first line that is wrong is
# explained.

# %% {"nbgrader": {"grade": false, "grade_id": "timing_order", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def timing_order(steps):
    """Return the steps in the order that times all runs, and nothing but them."""
    ### BEGIN SOLUTION
    # Launches return at once. So the GPU is made idle before the clock starts, or the rest of the
    # warm-up is timed too, and again before it stops, or only the launches are timed. Between the
    # runs nothing waits: that would time the waiting as well.
    warm_up = ["warm up"] * steps.count("warm up") + ["synchronize"]
    work = ["run"] * steps.count("run") + ["synchronize"]
    return [*warm_up, "start the clock", *work, "stop the clock"]
    ### END SOLUTION

# %% {"slug": "timing_order_try"}
# Try it out here: remove the # signs and run.
# steps = ["run", "stop the clock", "synchronize", "warm up", "start the clock", "synchronize"]
# timing_order(steps)

# %% {"nbgrader": {"grade": true, "grade_id": "timing_order_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("tensors.timing_order", timing_order)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "measured_time_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 9. Predict the measured time
#
# *Predict, 4 points.* A program and a GPU work side by side. In a simple model:
#
# - `"run"` launches a kernel. The launch holds the program for `launch` µs. The kernel begins when
#   its launch is over *and* the kernel before it has ended, and then takes `kernel` µs. Meanwhile
#   the program goes on.
# - `"synchronize"` holds the program until the last kernel has ended. If the GPU is idle, it takes
#   no time.
# - `"start"` and `"stop"` look at the clock. They take no time and wait for nothing.
#
# Write `measured_time(program, launch, kernel)`. `program` is a list of these steps, with one
# `"start"` and a later `"stop"`. It returns the time between the two, in whole µs. There may be
# work before the start and after the stop.
#
# ```python
# measured_time(["start", "run", "run", "synchronize", "stop"], launch=5, kernel=100)
# # 205: the first kernel begins at 5, the second at 105, and ends at 205
# ```
#
# *Checked:* programs with and without waiting, with quick and with slow launches.

# %% {"nbgrader": {"grade": false, "grade_id": "measured_time", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def measured_time(program, launch, kernel):
    """Return what the clock shows between "start" and "stop", in µs.

    program: steps "run", "synchronize", "start" and "stop".
    launch, kernel: how long a launch holds the program and a kernel the GPU, in µs.
    """
    ### BEGIN SOLUTION
    # Two times are kept: when the program goes on, and when the GPU has done all it was given.
    # Only `synchronize` joins them.
    now = idle = started = 0
    for step in program:
        if step == "run":
            now = now + launch
            idle = max(idle, now) + kernel
        if step == "synchronize":
            now = max(now, idle)
        if step == "start":
            started = now
        if step == "stop":
            return now - started
    ### END SOLUTION

# %% {"slug": "measured_time_try"}
# Try it out here: remove the # signs and run.
# for program in (["start", "run", "stop"], ["start", "run", "synchronize", "stop"]):
#     print(program, measured_time(program, launch=5, kernel=100))

# %% {"nbgrader": {"grade": true, "grade_id": "measured_time_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("tensors.measured_time", measured_time)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
