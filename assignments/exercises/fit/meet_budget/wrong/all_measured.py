# finding: too-many-runs
from itertools import combinations


def meet_budget(measure, budget):
    own = ["bfloat16", "checkpoint", "fused"]
    choices = [list(few) for count in range(4) for few in combinations(own, count)]
    choices += [[*few, "sharding"] for few in choices]
    fitting = [each for each in choices if measure(each) <= budget]
    return fitting[0] if fitting else None
