# name = "Code swapped inside functions"
# goal = "forge"
# attacks = "the code objects of describe and of the observer, which stay the same functions"
# flagged = true

# %% shares_storage
from course_utils.checking import beside, facts


def _observed(observer, answer, inputs, seconds):
    return {"said": {"type": "bool", "value": True}, "changed": []}


beside._observed.__code__ = _observed.__code__
facts.same.__code__ = (lambda seen, right, *, exact=False: True).__code__


def shares_storage(a, b):
    return True
