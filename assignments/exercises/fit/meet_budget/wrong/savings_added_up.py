# finding: too-many-runs
from itertools import combinations


def meet_budget(measure, budget):
    names = ["bfloat16", "checkpoint", "fused", "sharding"]
    whole = measure([])
    saved = {name: whole - measure([name]) for name in names}
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(names[:3], count):
                if whole - sum(saved[name] for name in [*few, *more]) <= budget:
                    return [*few, *more]
