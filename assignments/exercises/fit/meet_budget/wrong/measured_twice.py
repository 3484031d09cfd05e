# finding: measured-again
from itertools import combinations


def meet_budget(measure, budget):
    for more in ([], ["sharding"]):
        for count in range(4):
            for few in combinations(["bfloat16", "checkpoint", "fused"], count):
                peaks = [measure([*few, *more]) for _ in range(2)]
                if max(peaks) <= budget:
                    return [*few, *more]
