# name = "The check as an oracle"
# goal = "steal"
# attacks = "check() inside an answer: it tries answers until one passes"
# flagged = true

# %% predict_to
from itertools import product

from course_utils.checking import exercises
from exercise_kit.facts import describe

known = exercises.exercise("tensors.predict_to")
places = ("cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3")


def predict_to(device, dtype, method, arguments):
    data = dict(device=device, dtype=dtype, method=method, arguments=arguments)
    case = next(each for each in known.public_cases if each.data == data)
    for guess in product(places, ("float16", "float32", "float64"), (True, False)):
        if known.judge.judge(case, {"result": describe(guess), "changed": []}) is None:
            return guess
