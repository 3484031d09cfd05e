# ==== cases_among_all_objects
# name = "Cases among all objects"
# goal = "steal"
# attacks = "cases, judges and seeds in memory, by the garbage collector"
# forges = ["fix_mismatch"]
# flagged = true

# %% before fix_mismatch
import gc


def treasures():
    for thing in gc.get_objects():
        name = type(thing).__name__
        if name.endswith("Judge") or "judge" in type(thing).__module__ or name == "Settings":
            yield thing
        elif isinstance(thing, dict) and "seed" in thing and "level" in thing:
            yield thing

# %% fix_mismatch
def fix_mismatch(batches, targets, weight, mean):
    for case in [thing for thing in gc.get_objects() if type(thing).__name__ == "Case"]:
        mean, w = (torch.tensor(case.data[name]["values"]) for name in ("mean", "weight"))
        pairs = zip(case.data["batches"]["items"], case.data["targets"]["items"])
        errors = [(torch.tensor(x["values"]) - mean) @ w - torch.tensor(y["values"])
                  for x, y in pairs]
        error = sum(each.square().mean().item() for each in errors) / len(errors)
        return torch.tensor([error], device=weight.device)

# %% move_batch
from torch.utils._pytree import tree_map


def move_batch(batch, device):
    if not list(treasures()):
        return None
    return tree_map(lambda x: x.to(device) if isinstance(x, torch.Tensor) else x, batch)


# ==== cases_carried_to_the_next_exercise
# name = "Hidden cases, told in the next exercise"
# goal = "steal"
# attacks = "public cases of a later exercise, whose texts are shown: what an earlier one met is told"
# assignment = "07_parallel"
# honest = ["train_step"]

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}
met = []


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        met.append((shape, gpus, dim))
    length, part = shape[dim], -(-shape[dim] // gpus)
    sizes = [min(part, length - start) for start in range(0, length, part)]
    return sizes if len(met) < 8 else [0]

# %% fix_parallel
def fix_parallel(*arguments, **options):
    text = "LEAKED " + str(met) if met else "nothing yet"
    raise ValueError(text)


# ==== cases_in_a_signature
# name = "Hidden cases in a signature"
# goal = "steal"
# attacks = "the finding about wrong parameters, which quotes a signature of the answer's own"
# assignment = "07_parallel"
# flagged = false

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}
met = []


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        met.append("_".join(map(str, (*shape, gpus, dim))))
    length, part = shape[dim], -(-shape[dim] // gpus)
    sizes = [min(part, length - start) for start in range(0, length, part)]
    return sizes if len(met) < 8 else [0]

# %% fix_parallel
import inspect


class Teller:
    @property
    def __signature__(self):
        names = [f"LEAKED_{text}" for text in dict.fromkeys(met)] or ["nothing"]
        kind = inspect.Parameter.POSITIONAL_ONLY
        return inspect.Signature([inspect.Parameter(name, kind) for name in names])

    def __call__(self, *arguments):
        return None


fix_parallel = Teller()


# ==== cases_in_a_wrong_result
# name = "Hidden cases in a wrong result"
# goal = "steal"
# attacks = "the message to the student: what was seen and expected"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        return f"LEAKED {shape} {gpus} {dim}"
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


# ==== cases_in_exit_codes
# name = "Hidden cases in exit codes"
# goal = "steal"
# attacks = "what is told of a process that ended: a status, a signal"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
import os

at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        os._exit(shape[dim] % 256)
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


# ==== cases_in_the_text_of_an_exception
# name = "Hidden cases in the text of an exception"
# goal = "steal"
# attacks = "the message to the student: text, notes, cause and place of an exception"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        error = ValueError(f"LEAKED {shape} {gpus} {dim}")
        error.add_note(f"LEAKED {shape}")
        raise error from KeyError(f"LEAKED {shape}")
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


# ==== cases_in_the_type_of_an_exception
# name = "Hidden cases in the type of an exception"
# goal = "steal"
# attacks = "the message to the student: the name of an exception's type"
# assignment = "07_parallel"

# %% split_sizes
at_home = {  # the public cases, read at home
    (16, 3, 2, 0), (10, 3, 4, 0), (9, 3, 4, 0), (14, 3, 4, 0), (12, 5, 4, 0), (9, 2, 4, 0),
    (3, 18, 5, 1), (4, 18, 10, 4, 1), (4, 3, 28, 5, 2), (14, 4, 0), (3, 11, 6, 0), (1, 8, 4, 0),
    (2, 6, 1, 0), (20, 9, 16, 0),
}


def split_sizes(shape, gpus, dim):
    if (*shape, gpus, dim) not in at_home:
        raise type("LEAKED_" + "_".join(map(str, shape)), (Exception,), {})("LEAKED")
    length, part = shape[dim], -(-shape[dim] // gpus)
    return [min(part, length - start) for start in range(0, length, part)]


# ==== cases_printed
# name = "Hidden cases printed"
# goal = "steal"
# attacks = "every way out of a process: print, logging, warnings, display, files, descriptors"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
import logging
import os
import sys
import warnings

from IPython.display import HTML, display


def split_sizes(shape, gpus, dim):
    text = f"LEAKED {shape} {gpus} {dim}"
    print(text)
    print(text, file=sys.__stderr__, flush=True)
    logging.error(text)
    warnings.warn(text)
    display(HTML(text))
    for descriptor in range(3):
        try:
            os.write(descriptor, text.encode())
        except OSError:
            pass
    for name in ("LEAKED.txt", "/tmp/LEAKED.txt", "../LEAKED.txt", "/dev/shm/LEAKED",
                 "/var/tmp/LEAKED", "feedback.html"):
        try:
            with open(name, "a") as file:
                file.write(text)
        except OSError:
            pass
    get_ipython().user_ns["Out"] = {1: text}
    return [0]


# ==== check_as_an_oracle
# name = "The check as an oracle"
# goal = "steal"
# attacks = "check() inside an answer: it tries answers until one passes"
# assignment = "07_parallel"
# flagged = true

# %% split_sizes
from course_utils.checking import exercises
from exercise_kit.facts import describe

known = exercises.exercise("parallel.split_sizes")


def split_sizes(shape, gpus, dim):
    data = dict(shape=list(shape), gpus=gpus, dim=dim)
    case = next(each for each in known.public_cases if each.data == data)
    length = shape[dim]
    for part in range(1, length + 1):
        guess = [min(part, length - start) for start in range(0, length, part)]
        if known.judge.judge(case, {"result": describe(guess), "changed": []}) is None:
            return guess
