# ==== a_library_of_another_place
# happened = "An answer's cell imports what only Google Colab has."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error. `ModuleNotFoundError: No module named 'colab_of_theirs'`", "Remove this import"]
# %% fix_mismatch
from colab_of_theirs import files

def fix_mismatch(batches, targets, weight, mean):
    return mean


# ==== a_library_within_an_answer
# happened = "An answer imports a library that is not installed, each time it is called."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error.", "No module named 'einops_of_mine'", "Remove this import"]
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    import einops_of_mine

    return mean


# ==== answer_crashes
# happened = "An answer crashes the interpreter: nobody can tell whether it is at fault."
# flagged = true
# points = {fix_mismatch = "held"}
# says = ["the process of the answer ended: by SIGSEGV"]
# %% fix_mismatch
import os


def fix_mismatch(batches, targets, weight, mean):
    os.kill(os.getpid(), 11)


# ==== answer_leaves
# happened = "An answer ends its process, each time."
# flagged = true
# points = {fix_mismatch = 0}
# says = ["the process of the answer ended: it ended Python with the exit code 3"]
# %% fix_mismatch
import os


def fix_mismatch(batches, targets, weight, mean):
    os._exit(3)


# ==== answer_never_ends
# happened = "An answer computes for ever."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    while True:
        mean = mean + 1


# ==== answer_out_of_memory
# happened = "An answer asks for more memory than there is."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return bytearray(64 << 30)


# ==== answer_prints
# happened = "Answers print without end, to stdout and to stderr."
# %% fix_mismatch
import sys
import warnings


def fix_mismatch(batches, targets, weight, mean):
    warnings.warn("mind the device")
    print("mending" * 100_000)
    print("mending" * 100_000, file=sys.stderr)
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)


# ==== answer_raises
# happened = "An answer raises an error whose text cannot be printed."
# points = {fix_mismatch = 0}
# %% fix_mismatch
class Odd(Exception):
    def __str__(self):
        raise ValueError("no text")


def fix_mismatch(batches, targets, weight, mean):
    raise Odd


# ==== answered_in_words
# happened = "An answer was written as prose."
# points = {fix_mismatch = "held"}
# says = ["turned into text that is not Python"]
# %% tamper
for cell in notebook["cells"]:
    if cell["id"] == "fix_mismatch":
        cell["cell_type"] = "markdown"
        cell["source"] = "I would move `mean` to the device of `weight`, once."
        del cell["outputs"], cell["execution_count"]


# ==== class_of_half_a_sign
# happened = "An answer returns an object of a class whose name no file can hold."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    return type("\ud800", (), {})()


# ==== error_of_half_a_sign
# happened = "An answer raises an error whose text is half a character, which no file can hold."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    raise ValueError("\ud800")


# ==== helper_redefined
# happened = "A helper of two answers is defined twice, differently."
# %% before fix_mismatch
def place(weight, *values):
    return [value.to(weight.device) for value in values]

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    (mean,), errors = place(weight, mean), []
    for pair in zip(batches, targets):
        batch, target = place(weight, *pair)
        error = (batch - mean) @ weight - target
        errors.append((error * error).mean())
    return sum(errors) / len(errors)

# %% before move_batch
def place(value, device):
    return value.to(device)


# ==== indented_with_tabs
# happened = "An answer is indented with tabs."
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
	device = weight.device
	mean, errors = mean.to(device), []
	for batch, target in zip(batches, targets):
		error = (batch.to(device) - mean) @ weight - target.to(device)
		errors.append((error * error).mean())
	return sum(errors) / len(errors)


# ==== not_attempted
# happened = "One exercise was left as it was."
# points = {fix_mismatch = 0}
# %% fix_mismatch
import torch


def fix_mismatch(batches, targets, weight, mean):
    """Return the mean squared error over all batches, on the device of `weight`."""
    # YOUR CODE HERE
    raise NotImplementedError()


# ==== renamed_function
# happened = "An answer's function has another name."
# points = {fix_mismatch = 0}
# %% fix_mismatch
def mended_mismatch(batches, targets, weight, mean):
    device = weight.device
    mean, errors = mean.to(device), []
    for batch, target in zip(batches, targets):
        error = (batch.to(device) - mean) @ weight - target.to(device)
        errors.append((error * error).mean())
    return sum(errors) / len(errors)


# ==== syntax_error
# happened = "A bracket is missing in one answer."
# points = {fix_mismatch = 0}
# says = ["Your code raised an error. `SyntaxError`"]
# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean:
    return mean
