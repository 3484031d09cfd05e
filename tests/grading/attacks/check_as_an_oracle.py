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
