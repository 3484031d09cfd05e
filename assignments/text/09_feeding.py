# %% [markdown] {"slug": "title"}
# # Assignment 09: Feeding the GPU
#
# Seven small tasks about what happens before a batch reaches the GPU: the settings of a loader, the
# time that workers save, copies that nobody waits for, datasets that can be sent to other
# processes, and their errors. All of them come from lesson 09. You write a function for each; the
# cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("feeding.check_loader")` gives a hint, and a further one each time.
#   `solution("feeding.check_loader")` shows a solution with its reasons, where the course comes
#   with them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have. No time is measured: where times matter,
#   they are given.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch
from torch.utils.data import DataLoader, Dataset

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "check_loader_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. Check the settings of a loader
#
# *Implement, 4 points.* `DataLoader` refuses settings that contradict each other, one at a time. You
# would rather know all problems at once.
#
# Write `check_loader(settings, cpus)`. `settings` is a dict of what would be given to `DataLoader`
# beside the dataset; `cpus` is the number of CPUs of the machine. It returns a list of the problems,
# by these names, in any order:
#
# | name | the problem |
# |---|---|
# | `"num_workers"` | negative |
# | `"timeout"` | negative |
# | `"prefetch_factor"` | given although there are no workers; or negative |
# | `"persistent_workers"` | `True` although there are no workers |
# | `"multiprocessing_context"` | given although there are no workers |
# | `"too many workers"` | there are more workers than CPUs (`DataLoader` only warns) |
# | `"sampler"` | given together with `shuffle=True` |
# | `"batch_sampler"` | given together with a `batch_size` other than 1, `shuffle=True`, a `sampler`, or `drop_last=True` |
# | `"drop_last"` | `True` together with `batch_size=None`, without a batch sampler |
#
# - What is left out has the default of `DataLoader`: 0 workers, a `batch_size` of 1, `False`, or
#   `None`. `None` means "not given".
# - Other settings may be there as well. They are fine.
#
# ```python
# check_loader({"batch_size": 32, "prefetch_factor": 4}, cpus=8)        # ['prefetch_factor']
# check_loader({"num_workers": 16, "persistent_workers": True}, cpus=8) # ['too many workers']
# check_loader({"num_workers": 4, "timeout": 30}, cpus=8)               # []
# ```
#
# *Checked:* your list against what `DataLoader` itself refuses, and `settings` afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "check_loader", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def check_loader(settings, cpus):
    """Return the names of all problems in `settings`, the arguments of a DataLoader."""
    ### BEGIN SOLUTION
    # `get` makes no difference between a setting that is left out and one that is written out
    # with its default. Without `num_workers` there are no workers: the main process loads.
    get = settings.get
    workers, factor = get("num_workers", 0), get("prefetch_factor")
    problems = {
        "num_workers": workers < 0,
        "timeout": get("timeout", 0) < 0,
        # 0 is given as well, so the comparison is with None.
        "prefetch_factor": factor is not None and (workers == 0 or factor < 0),
        "persistent_workers": workers == 0 and get("persistent_workers"),
        "multiprocessing_context": workers == 0 and get("multiprocessing_context"),
        "too many workers": workers > cpus,
        "sampler": get("sampler") and get("shuffle"),
        "batch_sampler": get("batch_sampler")
        and (get("batch_size", 1) != 1 or get("shuffle") or get("sampler") or get("drop_last")),
        "drop_last": get("batch_size", 1) is None and get("drop_last"),
    }
    return [name for name, found in problems.items() if found]
    ### END SOLUTION

# %% {"slug": "check_loader_try"}
# Try it out here: remove the # signs and run.
# try:
#     DataLoader(range(8), prefetch_factor=4)
# except ValueError as error:
#     print(error)
# check_loader({"prefetch_factor": 4}, cpus=8)

# %% {"nbgrader": {"grade": true, "grade_id": "check_loader_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("feeding.check_loader", check_loader)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "epoch_time_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. How long is an epoch?
#
# *Implement, 5 points.* When do workers pay, and when do they not? A model of the loader answers
# without a stop watch.
#
# Write `epoch_time(loads, compute, workers, prefetch, startup)`. It returns the time, in ms, from
# the beginning of the epoch until the last training step is done. `loads[n]` is how long batch n
# takes to load, `compute` how long each training step takes; all times are whole numbers of ms.
#
# With `workers == 0`, the main process does everything: load a batch, train on it, and so on. With
# workers it goes like this:
#
# - The workers start at time 0, all at once, and are ready at `startup`.
# - Batch n is loaded by worker `n % workers`. A worker loads its batches one after the other, in
#   order.
# - The first `prefetch * workers` batches are ordered at time 0. After that, each time a batch is
#   taken, one more is ordered: when batch m is taken, batch `m + prefetch * workers` is. A worker
#   begins no batch that has not been ordered.
# - The training goes through the batches in order. It takes a batch as soon as that is loaded and
#   the step before it is done; the step follows at once and takes `compute`.
#
# ```python
# epoch_time([10, 10, 10], 5, workers=0, prefetch=2, startup=100)   # 45
# epoch_time([10, 10, 10], 5, workers=1, prefetch=2, startup=100)   # 135: 100 + 3 * 10 + 5
# epoch_time([10, 10, 10], 5, workers=3, prefetch=2, startup=0)     # 25: 10 + 3 * 5
# ```
#
# There is at least one batch, and `prefetch` is at least 1.
#
# *Checked:* your time against a simulation, and `loads` afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "epoch_time", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def epoch_time(loads, compute, workers, prefetch, startup):
    """Return when the last training step is done, in ms after the epoch began."""
    ### BEGIN SOLUTION
    if workers == 0:
        return sum(loads) + compute * len(loads)
    free = [startup] * workers  # when each worker can begin its next batch
    taken = []  # when each batch was taken
    done = 0  # when the last step so far is done
    for number, load in enumerate(loads):
        worker, before = number % workers, number - prefetch * workers
        ordered = taken[before] if before >= 0 else 0
        free[worker] = max(free[worker], ordered) + load
        # Whoever is later decides: the loading of this batch, or the training of the one before.
        taken.append(max(free[worker], done))
        done = taken[number] + compute
    return done
    ### END SOLUTION

# %% {"slug": "epoch_time_try"}
# Try it out here: remove the # signs and run.
# loads = [30] * 20
# for workers in range(5):
#     print(workers, epoch_time(loads, compute=10, workers=workers, prefetch=2, startup=200))

# %% {"nbgrader": {"grade": true, "grade_id": "epoch_time_check", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}}
check("feeding.epoch_time", epoch_time)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "prefetch_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Prefetch batches
#
# *Implement, 5 points.* A training loop gets its batches from a loader, moves each to the GPU and
# waits for the copy. It should be one batch ahead instead.
#
# Write the generator `prefetch(loader, device)`. It goes through `loader` once and yields every
# batch, in order, with all of its tensors on `device`.
#
# - A batch is a tensor, or any nesting of tuples, lists and dicts of tensors and plain values. It
#   comes out in the same form; plain values and tensors that are there already stay as they are.
#   The loader's own batches are not changed.
# - Nobody waits: copies are made with `non_blocking=True`, and nothing is pinned or synchronised.
#   Pinning is the loader's work.
# - When a batch is handed out, the *next* one has been taken from the loader and its copies have
#   been started; and not more than that one.
# - All that is known of `loader` is that a `for` loop can go through it. `device` is a
#   `torch.device`, the CPU or a GPU.
#
# ```python
# loader = DataLoader(range(4), batch_size=2, pin_memory=True)
# for batch in prefetch(loader, devices[1]):
#     print(batch)             # tensor([0, 1], device='cuda:1'), then tensor([2, 3], device='cuda:1')
# ```
#
# The current stream is fine for the copies. If you know streams and use one of your own, let the
# current stream of `device` wait for it before a batch is handed out.
#
# *Checked:* the batches, the loader's own batches afterwards, every copy, and what had been
# fetched when a batch was handed out.

# %% {"nbgrader": {"grade": false, "grade_id": "prefetch", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch


def prefetch(loader, device):
    """Yield the batches of `loader` on `device`, with the next one always on its way."""
    ### BEGIN SOLUTION
    def move(batch):
        if isinstance(batch, torch.Tensor):
            return batch.to(device, non_blocking=True)
        if isinstance(batch, dict):
            return {key: move(item) for key, item in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)(move(item) for item in batch)
        return batch

    # What has been fetched and not handed out: nothing at first, then one batch, for a moment
    # two. A list needs no special case for an empty loader.
    waiting = []
    for batch in loader:
        waiting.append(move(batch))
        if len(waiting) > 1:
            yield waiting.pop(0)
    yield from waiting
    ### END SOLUTION

# %% {"slug": "prefetch_try"}
# Try it out here: remove the # signs and run.
# loader = DataLoader(range(6), batch_size=2, pin_memory=True)
# for batch in prefetch(loader, devices[1]):
#     print(batch)

# %% {"nbgrader": {"grade": true, "grade_id": "prefetch_check", "locked": true, "points": 5, "schema_version": 3, "solution": false, "task": false}}
check("feeding.prefetch", prefetch)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "predict_copy_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Predict whether a copy waits
#
# *Predict, 4 points.* `x` is a large float32 tensor on `source`, and nothing else is going on. The
# program says
#
# ```python
# y = x.to(target, non_blocking=non_blocking)
# ```
#
# Write `predict_copy(source, pinned, target, non_blocking)`. It returns a dict with four keys:
#
# | key | the question |
# |---|---|
# | `"waits"` | Does the program wait in this line until something has been copied? |
# | `"device"` | On which device is `y`? A text such as `"cuda:1"` |
# | `"pinned"` | What is `y.is_pinned()`? |
# | `"risky"` | If the program reads the numbers of `y` in the next line, with `y.tolist()`, may they be wrong? |
#
# - `source` and `target` are texts: `"cpu"`, or a GPU with its number.
# - `pinned` says whether `x` is in pinned memory. It is `False` for every `x` on a GPU.
#
# ```python
# predict_copy("cuda:1", False, "cpu", False)
# # {"waits": True, "device": "cpu", "pinned": False, "risky": False}
# ```
#
# *Checked:* your prediction against the rules of CUDA and of `Tensor.to`, for copies of all kinds.

# %% {"nbgrader": {"grade": false, "grade_id": "predict_copy", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def predict_copy(source, pinned, target, non_blocking):
    """Return what y = x.to(target, non_blocking=non_blocking) does, as a dict of four keys.

    source, target: "cpu", or a GPU such as "cuda:1". pinned: whether x is in pinned memory.
    """
    ### BEGIN SOLUTION
    waits = pinned_result = risky = False
    if source == target:
        pinned_result = pinned  # y is x itself: there is nothing to copy and to wait for
    elif source == "cpu":
        # The GPU can fetch by itself only what is pinned, and `to` has to be told not to wait.
        waits = not (pinned and non_blocking)
    elif target == "cpu":
        # On the way back, `to` chooses pinned memory itself if it is not to wait. Then the host
        # can look at y before the GPU has written it.
        waits = not non_blocking
        pinned_result = risky = non_blocking
    # From GPU to GPU the host is never needed.
    return {"waits": waits, "device": target, "pinned": pinned_result, "risky": risky}
    ### END SOLUTION

# %% {"slug": "predict_copy_try"}
# Try it out here: remove the # signs and run.
# x = torch.zeros(1000, 1000).pin_memory()
# y = x.to(devices[1], non_blocking=True)
# y.device, y.is_pinned(), y.to("cpu", non_blocking=True).is_pinned()

# %% {"nbgrader": {"grade": true, "grade_id": "predict_copy_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("feeding.predict_copy", predict_copy)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "spawnable_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Make a dataset that workers can start with
#
# *Repair, 4 points.* A file holds records of `width` bytes each, one after the other. This dataset
# works with 0 workers. With workers that are started by `spawn` or `forkserver` it fails, for more
# than one reason:
#
# ```python
# class Records(Dataset):
#     def __init__(self, path, width, scale):
#         self.file = open(path, "rb")
#         self.length = os.path.getsize(path) // width
#         self.width = width
#         self.scaled = lambda numbers: torch.tensor(numbers, dtype=torch.float32).cuda() * scale
#
#     def __len__(self):
#         return self.length
#
#     def __getitem__(self, number):
#         self.file.seek(number * self.width)
#         return self.scaled(list(self.file.read(self.width)))
# ```
#
# Repair the class. `spawnable(path, width, scale)` returns a dataset of it.
#
# - The dataset can be pickled and sent to any number of workers, before *and after* the main process
#   has read items from it. Original and copies work side by side.
# - Items are on the CPU, and nothing else touches a GPU: the training moves whole batches.
# - The items are otherwise the same as above, and so is the length.
# - A record is read from the file when it is asked for. The file is not kept in memory.
# - The class stays at the top of the cell, where it can be found by its name.
#
# ```python
# dataset = spawnable("records.bin", width=3, scale=0.5)
# pickle.loads(pickle.dumps(dataset))[0]     # tensor([0.5, 1.0, 1.5]), if the file begins with 1, 2, 3
# ```
#
# *Checked:* the length and the items of the dataset and of its pickled copies, the size of the
# pickle, and that no GPU is used. No process is started.

# %% {"nbgrader": {"grade": false, "grade_id": "spawnable", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import os

import torch
from torch.utils.data import Dataset


class Records(Dataset):
    """Records of `width` bytes from a file, as float32 tensors, multiplied by `scale`."""

    def __init__(self, path, width, scale):
        ### BEGIN SOLUTION
        # Only what travels: plain values. The work of the lambda is done in __getitem__.
        self.path, self.width, self.scale = path, width, scale
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return os.path.getsize(self.path) // self.width
        ### END SOLUTION

    def __getitem__(self, number):
        ### BEGIN SOLUTION
        # Opened here, the file belongs to the process that reads, and nothing stays open. Moving
        # to a GPU is left to the training.
        with open(self.path, "rb") as file:
            file.seek(number * self.width)
            return torch.tensor(list(file.read(self.width)), dtype=torch.float32) * self.scale
        ### END SOLUTION


def spawnable(path, width, scale):
    """Return the dataset of the records in the file at `path`."""
    return Records(path, width, scale)

# %% {"slug": "spawnable_try"}
# Try it out here: remove the # signs and run.
# import pickle
# with open("records.bin", "wb") as file:
#     file.write(bytes([1, 2, 3, 4, 5, 6]))
# dataset = spawnable("records.bin", 3, 0.5)
# print(pickle.loads(pickle.dumps(dataset))[1])
# os.remove("records.bin")

# %% {"nbgrader": {"grade": true, "grade_id": "spawnable_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("feeding.spawnable", spawnable)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "varied_noise_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Different noise in every worker
#
# *Repair, 4 points.* This dataset adds noise to its values, so that the network never sees the same
# item twice. With several workers it does see the same noise again and again:
#
# ```python
# class Noisy(Dataset):
#     def __init__(self, values):
#         self.values = values
#         self.generator = np.random.default_rng(0)
#
#     def __len__(self):
#         return len(self.values)
#
#     def __getitem__(self, number):
#         return self.values[number] + self.generator.normal()
# ```
#
# Repair the class. `varied_noise(values)` returns a dataset of it; `values` is a tensor of one
# dimension, and is not changed.
#
# - Item n is `values[n]` plus normally distributed noise, with mean 0 and standard deviation 1.
# - The noise is different for every item, in every worker and in every epoch.
# - It is repeatable: after the same `torch.manual_seed`, the same loader gives the same noise,
#   whatever the seeds of other libraries are.
# - All this holds with any number of workers, 0 included, and also if the main process has read an
#   item before. The workers are made anew for each epoch.
#
# ```python
# dataset = varied_noise(torch.zeros(4))
# torch.manual_seed(1)
# list(DataLoader(dataset, num_workers=2))     # four different numbers, the same in every run
# ```
#
# *Checked:* the noise of two epochs and of a second run. The workers are played by copies of your
# dataset, one after the other, with the seeds that `DataLoader` gives its workers.

# %% {"nbgrader": {"grade": false, "grade_id": "varied_noise", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch
from torch.utils.data import Dataset


class Noisy(Dataset):
    """Values with noise."""

    def __init__(self, values):
        ### BEGIN SOLUTION
        # A generator that is made here would be copied into every worker, in one and the same
        # state. So none is kept.
        self.values = values
        ### END SOLUTION

    def __len__(self):
        ### BEGIN SOLUTION
        return len(self.values)
        ### END SOLUTION

    def __getitem__(self, number):
        ### BEGIN SOLUTION
        # Torch's own random numbers are seeded in each worker, from torch.manual_seed in the main
        # process, and with 0 workers they are those of the main process itself.
        return self.values[number] + torch.randn(())
        ### END SOLUTION


def varied_noise(values):
    """Return the dataset of `values` with noise."""
    return Noisy(values)

# %% {"slug": "varied_noise_try"}
# Try it out here: remove the # signs and run.
# dataset = varied_noise(torch.zeros(4))
# for epoch in range(2):
#     print([item.item() for item in DataLoader(dataset, num_workers=2)])

# %% {"nbgrader": {"grade": true, "grade_id": "varied_noise_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("feeding.varied_noise", varied_noise)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_worker_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 7. Read the error of a worker
#
# *Read the error, 3 points.* Workers fail in many ways, and some of their errors come in a wrapper:
#
# ```text
# Caught RuntimeError in DataLoader worker process 2.
# Original Traceback (most recent call last):
#   File "torch/utils/data/_utils/worker.py", line 52, in _worker_loop
#     data = fetcher.fetch(index)
#   ...
# RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
# ```
#
# The first line says where, the last one says what. Write `read_worker_error(message)`. It returns a
# dict of two entries:
#
# - `"cause"`: a name of the table below;
# - `"worker"`: the number of the worker as an `int`, if the message says `worker process` and a
#   number, else `None`.
#
# | cause | the message contains | what has happened |
# |---|---|---|
# | `"cuda"` | `Cannot re-initialize CUDA` | the dataset uses a GPU in a forked worker |
# | `"pin"` | `cannot pin '` | a loader that pins was given tensors of a GPU |
# | `"memory"` | `shared memory` | there is too little of it for the batches |
# | `"pickle"` | `pickle` | the dataset cannot be sent to a worker |
# | `"settings"` | `num_workers > 0` | a setting needs workers |
# | `"killed"` | `exited unexpectedly` or `is killed by signal`, and nothing of the rows above | a worker is gone |
# | `"own code"` | `in DataLoader worker process`, and nothing of the rows above | the dataset's code has a mistake |
#
# For every other message it returns `None`. A message may begin with the name of the error, as in
# `RuntimeError: DataLoader worker …`.
#
# ```python
# read_worker_error("DataLoader worker (pid(s) 14648) exited unexpectedly")
# # {"cause": "killed", "worker": None}
# ```
#
# For the message above it is `{"cause": "cuda", "worker": 2}`.
#
# *Checked:* messages of all these wordings, alone and in the wrapper, and other messages.

# %% {"nbgrader": {"grade": false, "grade_id": "read_worker_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import re


def read_worker_error(message):
    """Return the cause of a worker's error, and the worker's number if the message names it.

    A dict with the keys "cause" and "worker"; None for any other message.
    """
    ### BEGIN SOLUTION
    # In the order of the table: what is told more exactly comes first, the mere wrapper last.
    causes = {
        "Cannot re-initialize CUDA": "cuda",
        "cannot pin '": "pin",
        "shared memory": "memory",
        "pickle": "pickle",
        "num_workers > 0": "settings",
        "exited unexpectedly": "killed",
        "is killed by signal": "killed",
        "in DataLoader worker process": "own code",
    }
    # A pid is another number, so what stands before the number is part of the search.
    worker = re.search(r"worker process (\d+)", message)
    for words, cause in causes.items():
        if words in message:
            return {"cause": cause, "worker": int(worker.group(1)) if worker else None}
    return None
    ### END SOLUTION

# %% {"slug": "read_worker_error_try"}
# Try it out here: remove the # signs and run.
# class Broken(Dataset):
#     def __len__(self):
#         return 4
#
#     def __getitem__(self, number):
#         return 1 / 0
#
# try:
#     list(DataLoader(Broken(), num_workers=2))
# except ZeroDivisionError as error:
#     print(read_worker_error(str(error)))

# %% {"nbgrader": {"grade": true, "grade_id": "read_worker_error_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("feeding.read_worker_error", read_worker_error)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
