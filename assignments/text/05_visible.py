# %% [markdown] {"slug": "title"}
# # Assignment 05: Physical and logical GPUs
#
# Seven small tasks about the cards that a process sees: which ones, in which order, from when on,
# and what the errors say if one is missing. All of them come from lesson 05. You write a function
# for each; the cell below it checks what you wrote.
#
# - **Checking.** `check(...)` calls your function with inputs of its own and says what it saw. You
#   may run it as often as you like. More cases of the same kind run at grading, so solve the task
#   rather than the examples.
# - **Being stuck.** `hint("visible.logical_to_physical")` gives a hint, and a further one each
#   time. `solution("visible.logical_to_physical")` shows a solution with its reasons, where the
#   course comes with them. Failing a few times is how this normally goes.
# - **Devices.** None of these tasks uses a GPU: they are about numbers and texts.
# - **Your own cells.** Add as many as you like. Leave the cells that say "check" and the task texts
#   as they are.
#
# In all tasks **the value** is that of the environment variable `CUDA_VISIBLE_DEVICES`: a text, or
# `None` where the variable is not set.

# %% {"slug": "setup"}
import os
import subprocess
import sys

from course_utils import check, hint, solution

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "logical_to_physical_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 1. Which cards are visible?
#
# *Implement, 4 points.* The value names physical cards, and the process counts them anew.
#
# Write `logical_to_physical(value, n_physical)`. It returns a list: at place 0 the number of the
# card behind `cuda:0`, at place 1 that of the card behind `cuda:1`, and so on. The machine has
# `n_physical` cards, numbered from 0.
#
# These are torch's rules:
#
# - No value (`None`): all cards are visible.
# - A value is read from left to right, entry by entry, with commas between the entries. Spaces
#   around an entry do not count.
# - The list **ends** at the first entry that is no card of the machine: a negative number, a number
#   that is too large, something that is no number, nothing at all. What follows is not read.
# - A card that is named twice hides all of them.
#
# ```python
# logical_to_physical("2,3", 4)     # [2, 3]
# logical_to_physical("0,3,2", 4)   # [0, 3, 2]
# logical_to_physical("1,7,0", 4)   # [1]
# logical_to_physical(None, 2)      # [0, 1]
# ```
#
# (Two things are left out here, and in the checks: UUIDs come in task 6, and entries that *begin*
# with digits, such as `2;3`, are read by torch as far as the digits go.)
#
# *Checked:* the list, for values of all these kinds.

# %% {"nbgrader": {"grade": false, "grade_id": "logical_to_physical", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def logical_to_physical(value, n_physical):
    """Return the physical numbers of the visible cards, in their logical order."""
    ### BEGIN SOLUTION
    if value is None:
        return list(range(n_physical))
    cards = []
    for entry in value.split(","):
        number = entry.strip()
        # Digits only: so neither "-1" nor "" nor "[2" is a number here. CUDA repairs nothing, and
        # passes over nothing: the first entry that is no card ends the list.
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    # A set has each number once. If it is smaller, a card was named twice.
    return cards if len(set(cards)) == len(cards) else []
    ### END SOLUTION

# %% {"slug": "logical_to_physical_try"}
# Try it out here: remove the # signs and run.
# for value in ("2,3", "2, 3", "-1", "", None):
#     print(repr(value), logical_to_physical(value, 4))

# %% {"nbgrader": {"grade": true, "grade_id": "logical_to_physical_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.logical_to_physical", logical_to_physical)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "physical_of_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 2. From a device to its card
#
# *Repair, 4 points.* Somebody wrote this function to find the card behind a device:
#
# ```python
# def physical_of(value, device, n_physical):
#     cards = sorted(value.split(","))
#     number = device[-1]
#     if number not in cards:
#         raise ValueError("no such card")
#     return number
# ```
#
# It mixes up the number of the device with that of the card, and does some other things wrong.
#
# Write `physical_of(value, device, n_physical)`, and make it right. `device` is a text such as
# `"cuda:1"`. It returns the number of the card behind the device, as a whole number.
#
# - Which cards are visible is decided by the rules of task 1. (You may call your function of task
#   1.)
# - `"cuda"` without a number is the current device. Nobody has chosen another one, so it is the
#   first.
# - If the device does not exist, the function raises a `ValueError` whose message contains
#   `device`. Devices of another type, such as `"cpu"`, do not exist here.
#
# ```python
# physical_of("2,3", "cuda:1", 4)   # 3
# physical_of("2,3", "cuda:2", 4)   # ValueError: cuda:2 …      (your words, but this name)
# physical_of(None, "cuda:2", 4)    # 2
# ```
#
# *Checked:* the card, or the error and the name in its message.

# %% {"nbgrader": {"grade": false, "grade_id": "physical_of", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def physical_of(value, device, n_physical):
    """Return the physical number of the card behind `device`.

    Raises ValueError, with `device` in its message, for a device that does not exist.
    """
    ### BEGIN SOLUTION
    # First the list of visible cards, by the rules of task 1.
    entries = map(str, range(n_physical)) if value is None else value.split(",")
    cards = []
    for entry in entries:
        number = entry.strip()
        if not number.isdigit() or int(number) >= n_physical:
            break
        cards.append(int(number))
    if len(set(cards)) < len(cards):
        cards = []
    # Then the device. Its number is a place in that list, and need not be one of its entries.
    kind, _, number = device.partition(":")
    place = int(number or 0)
    if kind != "cuda" or place >= len(cards):
        raise ValueError(f"{device} does not exist: visible cards {cards}")
    return cards[place]
    ### END SOLUTION

# %% {"slug": "physical_of_try"}
# Try it out here: remove the # signs and run.
# print(physical_of("0,3,2", "cuda:1", 4))
# physical_of("2,3", "cuda:3", 4)     # ValueError

# %% {"nbgrader": {"grade": true, "grade_id": "physical_of_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.physical_of", physical_of)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "set_visible_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 3. Set the variable safely
#
# *Implement, 4 points.* A bad value raises no error: it hides cards. So the time to look at it is
# before it is set.
#
# Write `set_visible(gpus, override, env)`. It writes a value for the cards `gpus` into the mapping
# `env`, which is `os.environ` or a dict like it, and returns the value that is in force afterwards.
#
# - `gpus` is a list. An entry is a whole number (an integer of NumPy is one too), a text of digits,
#   or a UUID: a text that begins with `GPU-` or `MIG-`.
# - The value is one text: the entries in their order, commas between them, no spaces. An empty list
#   makes an empty value.
# - `override=True` replaces a value that is there. With `override=False` it stays, and an empty one
#   stays as well.
# - Every other entry, such as `-1`, `"2,3"` or `"cuda:2"`, raises a `ValueError`, and so does a
#   card that is named twice. Then `env` stays as it was. The entries are looked at in any case.
#
# ```python
# env = {}
# set_visible([2, 3], False, env)   # '2,3', and env is {'CUDA_VISIBLE_DEVICES': '2,3'}
# set_visible([0], False, env)      # '2,3': it was there already
# set_visible([0], True, env)       # '0'
# set_visible([0, -1], True, env)   # ValueError, and the value is still '0'
# ```
#
# *Checked:* the mapping, the result, and the errors, with entries of all these kinds. Neither
# `gpus` nor `os.environ` may be changed.

# %% {"nbgrader": {"grade": false, "grade_id": "set_visible", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def set_visible(gpus, override, env):
    """Write `gpus` to env["CUDA_VISIBLE_DEVICES"]; return the value that is in force.

    override: whether a value that is there is replaced.
    Raises ValueError for an entry that names no card, and for a card named twice.
    """
    ### BEGIN SOLUTION
    # As texts, all kinds of entries look alike, and 2 and "2" are the same card.
    entries = [str(gpu) for gpu in gpus]
    for entry in entries:
        if not entry.isdigit() and not entry.startswith(("GPU-", "MIG-")):
            raise ValueError(f"{entry!r} names no card")
    if len(set(entries)) < len(entries):
        raise ValueError(f"a card is named twice: {entries}")
    # Only now, when nothing can go wrong any more, is something written.
    name, value = "CUDA_VISIBLE_DEVICES", ",".join(entries)
    if override:
        env[name] = value
    return env.setdefault(name, value)
    ### END SOLUTION

# %% {"slug": "set_visible_try"}
# Try it out here: remove the # signs and run.
# env = {}
# print(set_visible([2, 3], False, env), env)
# print(set_visible([0], False, env), env)

# %% {"nbgrader": {"grade": true, "grade_id": "set_visible_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.set_visible", set_visible)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "in_force_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 4. Predict what counts
#
# *Predict, 4 points.* A machine has four equal cards. A program starts, and some events happen, one
# after another. Which cards does it have in the end?
#
# Write `in_force(start, events)`. `start` is the value in the environment in which the program
# starts. `events` is a list of tuples, each with a name at its beginning:
#
# | event | stands for |
# |---|---|
# | `("import",)` | `import torch` |
# | `("set", "2,3")` | `os.environ["CUDA_VISIBLE_DEVICES"] = "2,3"` |
# | `("setdefault", "2,3")` | `os.environ.setdefault("CUDA_VISIBLE_DEVICES", "2,3")` |
# | `("is_available",)` | `torch.cuda.is_available()` |
# | `("device_count",)` | `torch.cuda.device_count()` |
# | `("tensor",)` | `torch.ones(1, device="cuda")` |
# | `("child",)` | a child process is started, and all further events happen *in the child* |
#
# It returns a list: the cards that the process of the last event works with if it uses CUDA from
# then on. The first is that behind `cuda:0`.
#
# All values are proper lists of cards, or empty. Nobody has set `PYTORCH_NVML_BASED_CUDA_CHECK`,
# and NVML is there, as it is wherever nvidia-smi runs.
#
# ```python
# in_force(None, [("set", "2,3"), ("import",), ("tensor",)])                  # [2, 3]
# in_force(None, [("import",), ("set", "0,1"), ("tensor",), ("set", "2,3")])  # [0, 1]
# ```
#
# *Checked:* your prediction, for programs with values drawn at random. A test of the course runs
# the same programs as processes.

# %% {"nbgrader": {"grade": false, "grade_id": "in_force", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def in_force(start, events):
    """Return the physical cards that the process of the last event has, of four.

    start: the value of CUDA_VISIBLE_DEVICES at the beginning; None if it is not set.
    """
    ### BEGIN SOLUTION
    # Two things are kept apart: the environment, which may change at any time, and what CUDA has
    # read of it. It reads once in each process.
    def cards(value):
        if value is None:
            return [0, 1, 2, 3]
        return [int(entry) for entry in value.split(",") if entry]

    value, read = start, None
    for event, *new in events:
        if event == "set" or (event == "setdefault" and value is None):
            value = new[0]
        elif event in ("is_available", "tensor") and read is None:
            read = cards(value)
        elif event == "child":
            # A new process has the same environment, and has not used CUDA.
            read = None
    return cards(value) if read is None else read
    ### END SOLUTION

# %% {"slug": "in_force_try"}
# Try it out here: remove the # signs and run.
# print(in_force(None, [("import",), ("is_available",), ("set", "1")]))

# %% {"nbgrader": {"grade": true, "grade_id": "in_force_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.in_force", in_force)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "child_device_count_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 5. Count GPUs in a child process
#
# *Implement, 4 points.* What this process has read for good does not bind its children. So a
# program can be asked how many cards it would see under another value.
#
# Write `child_device_count(command, visible)`. It runs `command`, a list of texts, in a child
# process in which `CUDA_VISIBLE_DEVICES` has the value `visible`, and returns the number that the
# child prints, as a whole number.
#
# - `visible` is a text; or `None`, and then the variable is not set in the child, even if it is
#   here.
# - Everything else in the child's environment is as it is here.
# - The environment of this process is not changed, not even for a moment.
# - The number is on the last line that the child prints. There may be others before it.
# - If the child fails, that is, ends with another status than 0, the function raises
#   `subprocess.CalledProcessError`.
#
# ```python
# program = "import torch; print(torch.cuda.device_count())"
# child_device_count([sys.executable, "-c", program], "0")   # 1 if there is a GPU, else 0
# ```
#
# *Checked:* the number, the environments of child and parent, how often the command ran, and the
# error. The checks use a small stand-in that starts faster than torch does.

# %% {"nbgrader": {"grade": false, "grade_id": "child_device_count", "locked": false, "schema_version": 3, "solution": true, "task": false}}
import os
import subprocess


def child_device_count(command, visible):
    """Return the number that `command` prints last, run with CUDA_VISIBLE_DEVICES=visible.

    Raises subprocess.CalledProcessError if the child fails.
    """
    ### BEGIN SOLUTION
    # A copy: os.environ itself is the environment of this process.
    env = dict(os.environ)
    env.pop("CUDA_VISIBLE_DEVICES", None)
    if visible is not None:
        env["CUDA_VISIBLE_DEVICES"] = visible
    # check=True turns a failure into the error that is asked for.
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    return int(done.stdout.splitlines()[-1])
    ### END SOLUTION

# %% {"slug": "child_device_count_try"}
# Try it out here: remove the # signs and run.
# program = "import os; print(os.environ.get('CUDA_VISIBLE_DEVICES', 'not set').count(',') + 1)"
# print(child_device_count([sys.executable, "-c", program], "2,3"))

# %% {"nbgrader": {"grade": true, "grade_id": "child_device_count_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.child_device_count", child_device_count)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "first_card_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 6. Which card is cuda:0?
#
# *Implement, 4 points.* In a machine with different cards, nvidia-smi and CUDA may count
# differently.
#
# Write `first_card(cards, order, visible)`. It returns the UUID of the card behind `cuda:0`, or
# `None` where no card is visible.
#
# - `cards` are the cards of the machine in the order of nvidia-smi, that is, along the PCI bus: a
#   list of pairs of a UUID and a speed. A larger number is a faster card.
# - `order` is the value of `CUDA_DEVICE_ORDER`: `"PCI_BUS_ID"` if CUDA is to count along the bus;
#   `"FASTEST_FIRST"`, or `None` where it is not set, if the fastest card is number 0, the second
#   fastest number 1, and so on. Equally fast cards follow each other as along the bus.
# - `visible` is the value of `CUDA_VISIBLE_DEVICES`. If it begins with `GPU-`, its entries are
#   UUIDs. Each may be cut short, and names a card if exactly one UUID begins with it. Otherwise its
#   entries are numbers *in CUDA's order*, and the rules of task 1 hold.
#
# ```python
# cards = [("GPU-8932f937", 12), ("GPU-1f22a253", 83), ("GPU-2c01dfd4", 36)]
# first_card(cards, None, None)            # 'GPU-1f22a253'
# first_card(cards, "PCI_BUS_ID", None)    # 'GPU-8932f937'
# first_card(cards, None, "1")             # 'GPU-2c01dfd4'
# first_card(cards, None, "GPU-89")        # 'GPU-8932f937'
# ```
#
# *Checked:* the UUID, for machines with equal and with different cards, under all kinds of values.
# `cards` stays as it is.

# %% {"nbgrader": {"grade": false, "grade_id": "first_card", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def first_card(cards, order, visible):
    """Return the UUID of cuda:0, or None.

    cards: (UUID, speed) in the order of nvidia-smi. order: CUDA_DEVICE_ORDER, or None.
    visible: CUDA_VISIBLE_DEVICES, or None.
    """
    ### BEGIN SOLUTION
    # `sorted` leaves the caller's list alone, and equal elements in their order.
    if order != "PCI_BUS_ID":
        cards = sorted(cards, key=lambda card: -card[1])
    if visible is None:
        return cards[0][0]
    entries = [part.strip() for part in visible.split(",")]
    if entries[0].startswith("GPU-"):
        # CUDA does not guess: a beginning that fits two cards names none.
        found = [uuid for uuid, speed in cards if uuid.startswith(entries[0])]
        return found[0] if len(found) == 1 else None
    # Numbers are places in CUDA's order, with the rules of task 1.
    places = []
    for entry in entries:
        if not entry.isdigit() or int(entry) >= len(cards):
            break
        places.append(int(entry))
    if not places or len(set(places)) < len(places):
        return None
    return cards[places[0]][0]
    ### END SOLUTION

# %% {"slug": "first_card_try"}
# Try it out here: remove the # signs and run.
# cards = [("GPU-8932f937", 12), ("GPU-1f22a253", 83), ("GPU-2c01dfd4", 36)]
# print(first_card(cards, None, "1"), first_card(cards, "PCI_BUS_ID", "1"))

# %% {"nbgrader": {"grade": true, "grade_id": "first_card_check", "locked": true, "points": 4, "schema_version": 3, "solution": false, "task": false}}
check("visible.first_card", first_card)

# %% [markdown] {"nbgrader": {"grade": false, "grade_id": "read_visible_error_task", "locked": true, "schema_version": 3, "solution": false, "task": false}}
# ## 7. Read an ordinal error
#
# *Read the error, 3 points.* A device is missing. What is to blame: the number, the value of the
# variable, the moment, the driver or the build?
#
# | what the message says | the cause | the answer |
# |---|---|---|
# | `CUDA error: invalid device ordinal` | no visible device has this number | `"number"` |
# | `cuda runtime error (101) : invalid device ordinal at …` | the same, in torch before 1.10 | `"number"` |
# | `Invalid device id` | the same, found by torch before CUDA was asked | `"number"` |
# | `No CUDA GPUs are available` | CUDA works, and no device is visible | `"hidden"` |
# | `CUDA unknown error - this may be due to …, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. …` | the variable was changed too late | `"late"` |
# | `Found no NVIDIA driver on your system. …` | the driver is missing | `"driver"` |
# | `Torch not compiled with CUDA enabled` | this torch is a build without CUDA | `"build"` |
#
# Write `read_visible_error(message)`. It returns the answer for such a message, and `None` for
# every other one.
#
# - A message may begin with the name of the error, as in `RuntimeError: No CUDA GPUs are
#   available`.
# - Before and after the words of the table there may be more, on several lines. This is the first
#   one in full, as torch says it today; older versions leave some of it out:
#
# ```text
# CUDA error: invalid device ordinal
# GPU device may be out of range, do you have enough GPUs?
# For more detailed error information, run with CUDA_LOG_FILE=stderr
# Compile with `TORCH_USE_CUDA_DSA` to enable device-side assertions.
# ```
#
# - Other CUDA errors end with such lines as well.
#
# ```python
# read_visible_error("No CUDA GPUs are available")                        # 'hidden'
# read_visible_error("CUDA error: device-side assert triggered\nCUDA …")  # None
# ```
#
# *Checked:* messages of all these wordings, old and new, and messages about something else.

# %% {"nbgrader": {"grade": false, "grade_id": "read_visible_error", "locked": false, "schema_version": 3, "solution": true, "task": false}}
def read_visible_error(message):
    """Return "number", "hidden", "late", "driver" or "build"; None for any other message."""
    ### BEGIN SOLUTION
    # The words that all wordings of a message have in common, whatever is around them.
    causes = {
        "invalid device ordinal": "number",
        "Invalid device id": "number",
        "No CUDA GPUs are available": "hidden",
        "CUDA_VISIBLE_DEVICES after program start": "late",
        "no NVIDIA driver": "driver",
        "not compiled with CUDA": "build",
    }
    for words, cause in causes.items():
        if words in message:
            return cause
    return None
    ### END SOLUTION

# %% {"slug": "read_visible_error_try"}
# Try it out here: remove the # signs and run.
# print(read_visible_error("AssertionError: Invalid device id"))

# %% {"nbgrader": {"grade": true, "grade_id": "read_visible_error_check", "locked": true, "points": 3, "schema_version": 3, "solution": false, "task": false}}
check("visible.read_visible_error", read_visible_error)

# %% [markdown] {"slug": "before-you-submit"}
# ## Before you submit
#
# Restart the kernel and run all cells, from the first to the last: a notebook that only works in
# the order in which it was written is easy to make and hard to grade. Then save it and submit.
