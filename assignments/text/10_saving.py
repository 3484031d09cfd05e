# %% [markdown] {"slug": "title"}
# # Assignment 10: Saving and loading
#
# Six small tasks about files of weights: what is in them, where it goes when it is loaded, and why
# it sometimes does not fit. All of them come from lesson 10. You write a function for each; the cell
# below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("saving.load_anywhere")` gives a hint, and a further one each time.
#   `solution("saving.load_anywhere")` shows a solution with its reasons, where the course comes with
#   them. Failing a few times is how this normally goes.
# - **Devices.** The cells run with and without a GPU. Where there are fewer than four, virtual ones
#   take their place; the first cell says which you have.
# - **Files.** The checks write into temporary folders and clean up after themselves.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.

# %% {"slug": "setup"}
import torch

from course_utils import check, hint, lab, solution

devices = lab(gpus=4)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "load_anywhere_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. Load anywhere
#
# *Implement, 4 points.* A state dict was saved on some machine, and is to be loaded on yours: other
# GPUs, fewer of them, or none.
#
# Write `load_anywhere(path, model, device)`. It loads the state dict in the file `path` into `model`,
# brings the model to `device`, and returns the model.
#
# - It works whatever the file's location tags say, and no GPU but `device` is used on the way. (The
#   model may wait on a GPU of its own.)
# - The model's parameters stay the same objects, so that an optimizer made before still trains them.
#   They keep their dtype.
# - What does not fit raises, with torch's own error: a file with other keys, or with more in it than
#   tensors. Nothing from the file is run.
# - The file stays as it is.
#
# ```python
# net = load_anywhere("weights.pt", torch.nn.Linear(2, 2), devices[1])
# net.weight.device
# # device(type='cuda', index=1)
# ```
#
# *Checked:* values, device, dtype and identity of the parameters, copies to other GPUs, the file, and
# which errors reach the caller; some cases let torch find fewer GPUs, or none.

# %% {"nbgrader": {"grade": false, "grade_id": "load_anywhere", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch


def load_anywhere(path, model, device):
    """Load the state dict in the file `path` into `model`, on `device`, and return the model."""
    ### BEGIN SOLUTION
    # Three steps. Every machine has a CPU, and it costs no GPU memory: no tag is followed.
    # `load_state_dict` copies into the parameters that are there, wherever and of whatever dtype
    # they are. `Module.to` brings them to the device, in place. All defaults are the safe ones:
    # `weights_only=True`, `strict=True`, `assign=False`.
    state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict)
    return model.to(device)
    ### END SOLUTION

# %% {"slug": "load_anywhere_try"}
# Try it out here: remove the # signs and run.
# import tempfile
#
# with tempfile.TemporaryDirectory() as folder:
#     torch.save(torch.nn.Linear(2, 2, device=devices[3]).state_dict(), f"{folder}/weights.pt")
#     net = load_anywhere(f"{folder}/weights.pt", torch.nn.Linear(2, 2), devices[1])
# print(net.weight.device)

# %% {"nbgrader": {"grade": true, "grade_id": "load_anywhere_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("saving.load_anywhere", load_anywhere)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "clean_keys_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. Clean the keys
#
# *Implement, 4 points.* A wrapper puts its name before every key of a state dict: `DataParallel` and
# `DistributedDataParallel` put `module.`, `torch.compile` puts `_orig_mod.`. A wrapped model may be
# wrapped again.
#
# Write `clean_keys(state_dict, prefixes)`. It returns a new dict, with the keys that the bare model
# has.
#
# - A prefix is a wrapper's if **every** key begins with it. It is taken away, and what is left is
#   looked at in the same way, until no prefix stands before every key.
# - `prefixes` has these two as its default, and may hold others.
# - Anything else stays: a part of the model that is really called `module`, and whatever stands
#   inside of a key.
# - The values are the same tensors, in the same order.
# - If `state_dict` has `_metadata`, so has the result, with names cleaned like the keys: with the
#   prefix `module.`, the entry of `module.norm` becomes that of `norm`, the entry of `module` becomes
#   that of the empty name, and the wrapper's own, which had the empty name, goes.
# - The state dict that was passed in is not changed, nor is its `_metadata`.
#
# ```python
# wrapped = torch.nn.DataParallel(torch.nn.Linear(2, 2)).state_dict()
# list(wrapped), list(wrapped._metadata)                             # ['module.weight', 'module.bias'], ['', 'module']
# list(clean_keys(wrapped)), list(clean_keys(wrapped)._metadata)     # ['weight', 'bias'], ['']
# ```
#
# `_metadata` is a dict of names and versions, and an attribute of the OrderedDict that `state_dict()`
# returns: `{"": {"version": 1}, "module": {"version": 1}}` in the example.
#
# *Checked:* keys, values, order and `_metadata`, and your input afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "clean_keys", "locked": false, "schema_version": 3, "solution": true, "task": false}}
from collections import OrderedDict


def clean_keys(state_dict, prefixes=("module.", "_orig_mod.")):
    """Return `state_dict` with the keys of the bare model; what was passed in stays as it was."""
    ### BEGIN SOLUTION
    # A dict of its own from the start. `_metadata` is an attribute, so it is carried over by hand.
    clean = OrderedDict(state_dict)
    names = getattr(state_dict, "_metadata", None)
    for prefix in prefixes:
        # Only what stands before *every* key is a wrapper's. An empty dict has nothing to clean.
        if clean and all(key.startswith(prefix) for key in clean):
            clean = OrderedDict((key[len(prefix):], clean[key]) for key in clean)
            if names is not None:
                # With a dot at its end each module's name is treated like a key. The wrapper's own
                # entry, the empty name, does not begin with the prefix, and goes.
                clean._metadata = OrderedDict(
                    (f"{name}."[len(prefix):-1], names[name])
                    for name in names
                    if f"{name}.".startswith(prefix)
                )
            # There may be another wrapper inside.
            return clean_keys(clean, prefixes)
    if names is not None:
        clean._metadata = OrderedDict(names)
    return clean
    ### END SOLUTION

# %% {"slug": "clean_keys_try"}
# Try it out here: remove the # signs and run.
# net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
# twice = torch.nn.DataParallel(torch.nn.DataParallel(net)).state_dict()
# print(list(twice))
# print(list(clean_keys(twice)))

# %% {"nbgrader": {"grade": true, "grade_id": "clean_keys_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("saving.clean_keys", clean_keys)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "explain_load_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Explain why it does not fit
#
# *Implement, 4 points.* `load_state_dict` says what does not fit, but it has changed the model when
# it says so, and it does not say what to do.
#
# Write `explain_load_error(model, state_dict)`. It loads nothing, changes nothing, and returns a dict:
#
# - `"missing"`: the keys that the model has and the file lacks, in the order of the model;
# - `"unexpected"`: the keys that the file has and the model does not know, in the order of the file;
# - `"size"`: the keys that both have with different shapes, in the order of the model;
# - `"advice"`: the first row of this table that holds.
#
# | if | `"advice"` |
# |---|---|
# | all three lists are empty | `"load it"` |
# | without wrappers' prefixes, the *file* has the keys and shapes of the model | `"clean the keys"` |
# | without wrappers' prefixes, the *model* has the keys and shapes of the file | `"load into model.module"` |
# | no size differs, and the missing keys have, in order, the shapes of the unexpected ones | `"rename the keys"` |
# | otherwise | `"use the model it was saved from"` |
#
# A wrapper's prefix is `module.` or `_orig_mod.` at the front of every key; there may be several.
#
# ```python
# explain_load_error(torch.nn.Linear(2, 1), {"weight": torch.ones(3, 2)})
# # {"missing": ["bias"], "unexpected": [], "size": ["weight"], "advice": "use the model it was saved from"}
# ```
#
# *Checked:* the three lists, the advice, and that model and state dict are what they were.

# %% {"nbgrader": {"grade": false, "grade_id": "explain_load_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def explain_load_error(model, state_dict):
    """Return what keeps `state_dict` from fitting `model`, and what to do, without loading it."""
    ### BEGIN SOLUTION
    def shapes(entries):
        return {key: tuple(value.shape) for key, value in entries.items()}

    def bare(entries):
        while entries and all(key.startswith(("module.", "_orig_mod.")) for key in entries):
            entries = {key.partition(".")[2]: shape for key, shape in entries.items()}
        return entries

    # `state_dict()` is what counts: parameters and persistent buffers, and no other buffers.
    wanted, found = shapes(model.state_dict()), shapes(state_dict)
    missing = [key for key in wanted if key not in found]
    unexpected = [key for key in found if key not in wanted]
    size = [key for key in wanted if key in found and wanted[key] != found[key]]
    # Dicts are equal if names and shapes are, in whatever order: no need to compare key by key.
    if wanted == found:
        advice = "load it"
    elif bare(found) == wanted:
        advice = "clean the keys"
    elif bare(wanted) == found:
        advice = "load into model.module"
    elif not size and [wanted[key] for key in missing] == [found[key] for key in unexpected]:
        advice = "rename the keys"
    else:
        advice = "use the model it was saved from"
    return {"missing": missing, "unexpected": unexpected, "size": size, "advice": advice}
    ### END SOLUTION

# %% {"slug": "explain_load_error_try"}
# Try it out here: remove the # signs and run.
# from course_utils.figures import key_map
#
# net = torch.nn.Linear(2, 1)
# wrapped = torch.nn.DataParallel(torch.nn.Linear(2, 1)).state_dict()
# print(explain_load_error(net, wrapped))
# key_map(net, wrapped)

# %% {"nbgrader": {"grade": true, "grade_id": "explain_load_error_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("saving.explain_load_error", explain_load_error)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "save_checkpoint_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Save it right
#
# *Implement, 4 points.* A checkpoint is what you need to go on with training: the weights, and the
# optimizer's memory. It should not matter how the net was wrapped when it was saved.
#
# Write `save_checkpoint(net, optimizer, path)`. It saves a dict with two entries at `path`:
# `"model"`, the state dict of the bare net, and `"optimizer"`, that of the optimizer.
#
# - `net` may be wrapped, also several times: in `torch.nn.DataParallel`, in
#   `torch.nn.parallel.DistributedDataParallel` (both keep the net in `module`), or by
#   `torch.compile` (which keeps it in `_orig_mod`). A net that is not wrapped may have a real part
#   called `module`.
# - The file can be loaded with `weights_only=True`.
# - Training goes on afterwards: net and optimizer stay as and where they are.
#
# ```python
# net = torch.nn.DataParallel(torch.nn.Linear(2, 2))
# save_checkpoint(net, torch.optim.Adam(net.parameters()), "checkpoint.pt")
# list(torch.load("checkpoint.pt")["model"])
# # ['weight', 'bias']
# ```
#
# *Checked:* what is in the file, read with `weights_only=True` and `map_location="cpu"`, and the net
# afterwards.

# %% {"nbgrader": {"grade": false, "grade_id": "save_checkpoint", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import torch


def save_checkpoint(net, optimizer, path):
    """Save the state dicts of the bare net and of the optimizer at `path`, as one dict."""
    ### BEGIN SOLUTION
    # The type tells a wrapper from a net with a part called `module`. No net has a part called
    # `_orig_mod`, so there the name is enough.
    parallel = (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)
    while isinstance(net, parallel) or hasattr(net, "_orig_mod"):
        net = net.module if isinstance(net, parallel) else net._orig_mod
    # State dicts are tensors, numbers and texts: nothing that would have to be run on loading.
    torch.save({"model": net.state_dict(), "optimizer": optimizer.state_dict()}, path)
    ### END SOLUTION

# %% {"slug": "save_checkpoint_try"}
# Try it out here: remove the # signs and run.
# import tempfile
#
# from course_utils.figures import tag_map
#
# net = torch.nn.DataParallel(torch.nn.Linear(2, 2, device=devices[0]))
# with tempfile.TemporaryDirectory() as folder:
#     save_checkpoint(net, torch.optim.SGD(net.parameters(), lr=0.1), f"{folder}/checkpoint.pt")
#     picture = tag_map(f"{folder}/checkpoint.pt")
# picture

# %% {"nbgrader": {"grade": true, "grade_id": "save_checkpoint_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("saving.save_checkpoint", save_checkpoint)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_load_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Read a loading error
#
# *Read the error, 3 points.* Write `read_load_error(message)`. For the messages of this table it
# returns a dict with three texts, `"problem"`, `"cause"` and `"cure"`:
#
# | the message says | `"problem"` | `"cause"` | `"cure"` |
# |---|---|---|---|
# | `Attempting to deserialize object on a CUDA device but …` | `"no GPU"` | `"cuda"` | `"map_location"` |
# | `Attempting to deserialize object on CUDA device 3 but …` | `"too few GPUs"` | the tag, `"cuda:3"` | `"map_location"` |
# | `size mismatch for head.weight: …` | `"sizes"` | the key, `"head.weight"` | `"use the model it was saved from"` |
# | `Missing key(s) …`, `Unexpected key(s) …`, and the unexpected ones are the missing ones behind a prefix | `"keys"` | the prefix, `"module."` | `"clean the keys"` |
# | the same, and the missing ones are the unexpected ones behind a prefix | `"keys"` | the prefix | `"load into model.module"` |
# | `Missing key(s) …`, `Unexpected key(s) …`, or one of the two, otherwise | `"keys"` | `"other names"` | `"use the model it was saved from"` |
# | `Weights only load failed. …` | `"pickled objects"` | the class, behind `GLOBAL` | `"save a state_dict"` |
#
# For every other message it returns `None`. A message has either sizes or keys. The prefix is whatever
# stands before every key of one line; it may have several parts, as in `module._orig_mod.`.
#
# ```python
# message = (
#     "Error(s) in loading state_dict for Net:\n"
#     '\tMissing key(s) in state_dict: "weight", "bias". \n'
#     '\tUnexpected key(s) in state_dict: "module.weight", "module.bias". '
# )
# read_load_error(message)
# # {"problem": "keys", "cause": "module.", "cure": "clean the keys"}
# ```
#
# The sentence about a class is in the middle of its message: `WeightsUnpickler error: Unsupported
# global: GLOBAL __main__.Net was not an allowed global by default.`
#
# *Checked:* messages of every row, and other messages.

# %% {"nbgrader": {"grade": false, "grade_id": "read_load_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import re


def read_load_error(message):
    """Return problem, cause and cure of a loading error as a dict; None for any other message."""
    ### BEGIN SOLUTION
    def row(problem, cause, cure):
        return {"problem": problem, "cause": cause, "cure": cure}

    def keys(line):
        # The keys in quotation marks, on the line that begins with this word. No line, no keys.
        found = re.search(rf"{line} key\(s\) in state_dict: (.*)", message)
        return re.findall(r'"([^"]+)"', found[1]) if found else []

    def prefix(short, long):
        # What stands before the first key has to stand before each of them.
        front = long[0].removesuffix(short[0]) if short and long else ""
        return front if long == [front + key for key in short] else ""

    if "Attempting to deserialize" in message:
        number = re.search(r"CUDA device (\d+)", message)
        if number:
            return row("too few GPUs", f"cuda:{number[1]}", "map_location")
        return row("no GPU", "cuda", "map_location")
    if "Weights only load failed" in message:
        return row("pickled objects", re.search(r"GLOBAL (\S+)", message)[1], "save a state_dict")
    size = re.search(r"size mismatch for (\S+):", message)
    if size:
        return row("sizes", size[1], "use the model it was saved from")
    missing, unexpected = keys("Missing"), keys("Unexpected")
    if prefix(missing, unexpected):
        return row("keys", prefix(missing, unexpected), "clean the keys")
    if prefix(unexpected, missing):
        return row("keys", prefix(unexpected, missing), "load into model.module")
    if missing or unexpected:
        return row("keys", "other names", "use the model it was saved from")
    ### END SOLUTION

# %% {"slug": "read_load_error_try"}
# Try it out here: remove the # signs and run.
# net = torch.nn.Linear(2, 1)
# try:
#     net.load_state_dict(torch.nn.DataParallel(net).state_dict())
# except RuntimeError as error:
#     print(error)
#     print(read_load_error(str(error)))

# %% {"nbgrader": {"grade": true, "grade_id": "read_load_error_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("saving.read_load_error", read_load_error)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "predict_map_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Predict where it lands
#
# *Predict, 4 points.* A file holds one tensor. You know its location tag, the `map_location` that
# `torch.load` is given, and how many GPUs the machine has. Where does the tensor land?
#
# Write `predict_map(tag, form, value, gpus)`. It returns the device of the loaded tensor as a text,
# such as `"cuda:1"`, or the name of the error as a text: `"RuntimeError"` or `"TypeError"`.
#
# | `form` | `value` | the call |
# |---|---|---|
# | `"nothing"` | `None` | `torch.load(path)` |
# | `"string"` | `"cpu"`, `"cuda"`, `"cuda:1"`, … | `torch.load(path, map_location="cuda:1")` |
# | `"device"` | the same | `torch.load(path, map_location=torch.device("cuda:1"))` |
# | `"dict"` | a dict of such texts | `torch.load(path, map_location={"cuda:3": "cuda:0"})` |
# | `"function"` | where it puts the storage that it returns, or `None` if it returns `None` | `torch.load(path, map_location=lambda storage, tag: storage.cuda(1))` |
# | `"number"` | a whole number | `torch.load(path, map_location=1)` |
#
# The tag is `"cpu"` or a GPU with its number. The current GPU is `cuda:0`. A function is only asked to
# use GPUs that are there.
#
# ```python
# predict_map("cuda:1", "nothing", None, gpus=4)                       # "cuda:1"
# predict_map("cuda:3", "dict", {"cuda:3": "cuda:0"}, gpus=1)          # "cuda:0"
# ```
#
# *Checked:* your prediction against what torch does. For that a second Python loads such files, with
# different numbers of GPUs; the first check takes a few seconds.

# %% {"nbgrader": {"grade": false, "grade_id": "predict_map", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def predict_map(tag, form, value, gpus):
    """Return the device of the loaded tensor, or the name of the error, as a text."""
    ### BEGIN SOLUTION
    # What is no text, no device and no dict is called as a function, and a number is none.
    if form == "number":
        return "TypeError"
    # First: where is it to go? The tag decides wherever `map_location` says nothing about it.
    place = value
    if form == "dict":
        place = value.get(tag, tag)
    if place is None:
        place = tag
    # Second: is that place there?
    if place == "cuda":
        place = "cuda:0"
    if place != "cpu" and int(place.removeprefix("cuda:")) >= gpus:
        return "RuntimeError"
    return place
    ### END SOLUTION

# %% {"slug": "predict_map_try"}
# Try it out here: remove the # signs and run.
# import tempfile
#
# with tempfile.TemporaryDirectory() as folder:
#     torch.save(torch.ones(1, device=devices[3]), f"{folder}/one.pt")
#     print(torch.load(f"{folder}/one.pt", map_location={"cuda:3": "cuda:1"}).device)

# %% {"nbgrader": {"grade": true, "grade_id": "predict_map_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("saving.predict_map", predict_map)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
