# name = "The check as an oracle"
# goal = "steal"
# attacks = "check() inside an answer: it tries answers until one passes"
# flagged = true

# %% predict_to
from itertools import product

from course_utils.checking import exercises
from course_utils.checking.contract import Case
from course_utils.checking.facts import describe

known = exercises.exercise("tensors.predict_to")
places = ("cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3")


def predict_to(device, dtype, method, arguments):
    case = Case("", dict(device=device, dtype=dtype, method=method, arguments=arguments))
    for guess in product(places, ("float16", "float32", "float64"), (True, False)):
        if known.judge.judge(case, {"result": describe(guess), "changed": []}) is None:
            return guess
