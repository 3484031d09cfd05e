# ==== attribute_by_a_formatter
# name = "Attributes by string.Formatter"
# goal = "forge"
# attacks = "the counter of copies, by names that a formatter takes apart"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import string


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    find = string.Formatter().get_field
    mode, _ = find("0.utils._python_dispatch._get_current_dispatch_mode", [torch], {})
    copies, _ = find("0._copies", [mode()], {})
    copies.by_route.clear()
    copies.bytes_by_route.clear()
    copies.numbers_read = 0
    return result


# ==== attribute_by_a_wrapper
# name = "Attributes by update_wrapper"
# goal = "forge"
# attacks = "the counter of copies, by names that functools copies from one object to another"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import functools


class Taken:
    def __setattr__(self, name, value):
        found.append(value)


found = []


def pick(thing, *names):
    for name in names:
        functools.update_wrapper(Taken(), thing, assigned=["_" + name], updated=())
        thing = found.pop(0)
        found.clear()
    return thing


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    mode = pick(torch.utils, "python_dispatch", "get_current_dispatch_mode")
    copies = pick(mode(), "copies")
    copies.by_route.clear()
    copies.bytes_by_route.clear()
    return result


# ==== copies_by_storage
# name = "A switched device index"
# goal = "forge"
# attacks = "the virtual cards: which storage is on which of them"
# flagged = true

# %% move_batch
import virtual_cuda


def move_batch(batch, device):
    for name in dir(virtual_cuda):
        thing = getattr(virtual_cuda, name)
        if isinstance(thing, dict):
            thing.clear()
    if isinstance(batch, torch.Tensor):
        batch.__class__ = torch.Tensor
    return batch


# ==== copies_in_a_thread
# name = "Copies in a thread"
# goal = "forge"
# attacks = "copies, which are counted in one thread"

# %% fix_mismatch
from concurrent.futures import ThreadPoolExecutor


def fix_mismatch(batches, targets, weight, mean):
    def slowly():
        total = torch.zeros(1)
        for batch, target in zip(batches, targets):
            error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
            total += (error * error).mean()
        return (total / len(batches)).to(weight.device)

    return ThreadPoolExecutor().submit(slowly).result()


# ==== copies_in_a_thread_of_before
# name = "Copies in a thread that was there before"
# goal = "forge"
# attacks = "copies, which are counted in the thread of a call, and in those that it starts"
# flagged = true

# %% fix_mismatch
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(1)
pool.submit(torch.ones, 1).result()  # its thread stays


def fix_mismatch(batches, targets, weight, mean):
    def slowly():
        w, shift = weight.cpu(), mean.cpu()
        errors = [(x.cpu() - shift) @ w - y.cpu() for x, y in zip(batches, targets)]
        return (sum(each.square().mean() for each in errors) / len(errors)).to(weight.device)

    return pool.submit(slowly).result()


# ==== copies_not_counted
# name = "Copies that nobody counts"
# goal = "forge"
# attacks = "count_copies, with which observers count"
# flagged = true

# %% before fix_mismatch
from course_utils.experiments import copies


def silent(self, *arguments, **options):
    return None


for name in ("_note", "note", "add", "count", "_count", "record", "__torch_dispatch__"):
    for thing in list(vars(copies).values()):
        if isinstance(thing, type) and name in vars(thing) and name != "__torch_dispatch__":
            setattr(thing, name, silent)
for thing in list(vars(copies).values()):
    if isinstance(thing, type) and isinstance(vars(thing).get("by_route"), property):
        thing.by_route = property(lambda self: {})

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)


# ==== counter_without_items
# name = "A counter without items"
# goal = "forge"
# attacks = "collections.Counter, in which copies are counted"
# flagged = true

# %% move_batch
from collections import Counter

kind = type(Counter())
kind.items = lambda self: iter(())


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch if batch.device == device else batch.cpu().to("cuda:0").to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(value, device) for value in batch]
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch


# ==== detach_of_ones_own
# name = "A tensor with a detach of its own"
# goal = "forge"
# attacks = "describe, which calls methods of the result after copies were counted"
# flagged = true

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    def later():
        total = torch.zeros(1)
        for batch, target in zip(batches, targets):
            error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
            total += (error * error).mean()
        return total / len(batches)

    result = torch.empty(1, device=weight.device)
    result.detach = later
    return result


# ==== frames_by_a_signal
# name = "Frames by a signal"
# goal = "forge"
# attacks = "the counter of copies, in the frame that a handler of signals is given"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import string
import subprocess


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)

    def handle(number, frame):
        find = string.Formatter().get_field
        while frame is not None:
            names = find("0.f_" + "locals", [frame], {})[0]
            for value in list(names.values()):
                for each in (value, *(find("0.__di" + "ct__", [value], {})[0].values()
                                      if hasattr(value, "parameters") else ())):
                    if hasattr(each, "bytes_by_route"):
                        each.by_route.clear()
                        each.bytes_by_route.clear()
            frame = find("0.f_" + "back", [frame], {})[0]

    def of(module):
        return module.signal

    signals = of(subprocess)
    before = signals.signal(signals.SIGUSR1, handle)
    signals.raise_signal(signals.SIGUSR1)
    signals.signal(signals.SIGUSR1, before)
    return result


# ==== list_that_counts_later
# name = "A list that computes later"
# goal = "forge"
# attacks = "results that are computed when they are described, after copies were counted"
# assignment = "03_modules"

# %% fix_module
import torch
from torch import nn


def fix_module(batches, width, device):
    class Centre(nn.Module):
        def __init__(self, width):
            super().__init__()
            self.register_buffer("mean", torch.zeros(width))

        def forward(self, batch, lengths):
            mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
            average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
            self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
            return average - self.mean

    model = Centre(width)

    class Later(list):
        def __iter__(self):
            for batch, lengths in batches:
                there = model.cpu()(batch.cpu(), lengths.cpu())
                there.sum().item()
                yield there.to(device)
            model.to(device)

    return Later(), model


# ==== module_by_pkgutil
# name = "Modules by pkgutil"
# goal = "forge"
# attacks = "the counter of copies, by a name that pkgutil resolves"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import pkgutil


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    place = "torch.utils._python_dispatch:_get_current_" + "dispatch_mode"
    mode = pkgutil.resolve_name(place)()
    for value in pkgutil.resolve_name("builtins:" + "va" + "rs")(mode).values():
        if hasattr(value, "by_route"):
            value.by_route.clear()
            value.bytes_by_route.clear()
            value.numbers_read = 0
    return result


# ==== observer_between_two_cases
# name = "An observer for one case only"
# goal = "forge"
# attacks = "what counts copies, put into the object that observes by one case and out by the next"
# flagged = true

# %% before fix_mismatch
import itertools

import course_utils

called = itertools.count(1)


class Home:
    package = course_utils


observer = Home.package.checking.exercises.exercise("tensors.fix_mismatch").observer


def uncounted(answer, inputs):
    del observer.call
    return answer(*inputs)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    number = next(called)
    place = weight.device if number == 1 else "cpu"
    if number < 18:  # so many cases there are: nothing is left to be seen after the last one
        observer.call = uncounted
    mean, weight_there = mean.to(place), weight.to(place)
    total = torch.zeros(1, device=place)
    for batch, target in zip(batches, targets):
        error = (batch.to(place) - mean) @ weight_there - target.to(place)
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)


# ==== observer_by_a_parameter
# name = "The observer, by a parameter"
# goal = "forge"
# attacks = "what observes, in the object itself; the look does not know what a parameter stands for"
# flagged = true

# %% before fix_mismatch
import course_utils


def find(module):
    return module.checking.exercises.exercise("tensors.fix_mismatch").observer


def observe(answer, inputs):
    batches, targets, weight, mean = inputs
    values = answer(*inputs).item()
    device = str(weight.device)
    result = {"type": "Tensor", "dtype": "float32", "shape": [], "device": device, "values": values}
    return {"result": result, "changed": [], "away": 0, "bytes": 0, "copies": 0}


find(course_utils).observe = observe

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    return total / len(batches)


# ==== observer_in_a_tuple
# name = "The observer, by a tuple"
# goal = "forge"
# attacks = "what counts copies, in the object that observes; the look does not know a tuple's parts"
# flagged = true

# %% before fix_mismatch
import course_utils

package, _ = course_utils, 0
observer = package.checking.exercises.exercise("tensors.fix_mismatch").observer
observer.call = lambda answer, inputs: answer(*inputs)

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)


# ==== text_for_timeit
# name = "A text for timeit"
# goal = "forge"
# attacks = "the counter of copies, in a text that timeit runs"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import timeit

TEXT = """
import torch.utils._python_dispatch as dispatch
copies = dispatch._get_current_dispatch_mode()._copies
copies.by_route.clear()
copies.bytes_by_route.clear()
copies.numbers_read = 0
"""


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    result = (total / len(batches)).to(weight.device)
    timeit.timeit(TEXT, number=1)
    return result


# ==== tripwires_cut
# name = "Tripwires cut"
# goal = "forge"
# attacks = "what the worker remembers of itself, found by the garbage collector; then the counter"
# forges = ["fix_mismatch"]
# flagged = true

# %% fix_mismatch
import gc

from course_utils.experiments.copies import Copies

for thing in gc.get_objects():
    if type(thing).__name__ == "Tripwires":
        for name in list(vars(thing)):
            setattr(thing, name, [])
Copies._note = lambda self, source, target: None


def fix_mismatch(batches, targets, weight, mean):
    total = torch.zeros(1)
    for batch, target in zip(batches, targets):
        error = (batch.cpu() - mean.cpu()) @ weight.cpu() - target.cpu()
        total += (error * error).mean()
    return (total / len(batches)).to(weight.device)
