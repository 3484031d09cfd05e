# finding: sharding-too-early
from itertools import combinations


def meet_budget(measure, budget):
    for count in range(5):
        for few in combinations(["bfloat16", "checkpoint", "fused", "sharding"], count):
            if measure(list(few)) <= budget:
                return list(few)
