# finding: not-none
from itertools import combinations


def meet_budget(measure, budget):
    remedies = []
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                remedies = [*few, *more]
                if measure(remedies) <= budget:
                    return remedies
    return remedies
