# name = "The check as an oracle"
# goal = "steal"
# attacks = "check() inside an answer: it tries answers until one passes"
# flagged = true

# %% predict_to
from course_utils.checking import engine, exercises

known = exercises.exercise("tensors.predict_to")
cases = engine.public_cases("tensors.predict_to", known.judge)
table = {}
for case in cases:
    for place in ("cpu", "cuda:0", "cuda:1", "cuda:2", "cuda:3"):
        for same in (True, False):
            facts = {"result": place, "same": same}
            if known.judge.judge(case, facts) is None:
                table[str(case.data)] = place, same


def predict_to(device, dtype, method, arguments):
    place, same = table[str(dict(device=device, dtype=dtype, method=method, arguments=arguments))]
    return place, dtype, same
